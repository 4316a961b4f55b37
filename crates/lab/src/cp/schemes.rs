//! Beyond the paper: the cost of each scheme on each device. A scheme calls operators of a session, and the session's
//! account counts them. The host's time is measured; the chip's cycles are modelled, operator by operator and, where
//! the catalogue has a program for the operation, as one program on the pairing processor.

mod work;

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{Options, Scheduler};
use pairwright_chip::power::{Activity, PairingCost};
use pairwright_chip_programs::{Chain, Example, Inputs, all, bbs, board, fe, product};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq2};
use pairwright_device::{Device, Operator, Record, Report, Session, Time};
use pairwright_field::Field;
use std::time::Instant;
use work::{Operation, Steps, operations, program_inputs};

const CHIP: &str = "chip, operators of the board";
const PROGRAM: &str = "chip, programs";
const HOST: &str = "host";

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let (spec, host) = (MachineSpec::paper(), pairwright_cpu::board::<Bls12_381>());
    // Small windows for tests of the lab, so that an MSM reduces few buckets.
    let of_board = if context.quick { spec.with("msm.window_g1", "4")? } else { spec.clone() };
    let chip = board(&of_board, pairwright_cpu::board::<Bls12_381>());
    let operations = operations(&host, context)?;
    context.begin("cp/schemes", 2 * operations.len() + 1);
    let kept = context.kept_rows("cp/schemes")?;
    for operation in &operations {
        context.step(operation.name);
        count(operation, &host, &mut outcome)?;
        match &kept {
            Some(rows) => outcome.rows.extend(rows.iter().filter(|r| r.operation == operation.name).cloned()),
            None => time(operation, &host, context, &mut outcome)?,
        }
        if !operation.on_host {
            on_the_chip(operation, &chip, context, &mut outcome)?;
        }
    }
    context.step("programs");
    programs(&spec, context, &mut outcome)?;
    Ok(outcome)
}

/// Runs an operation and returns its account.
fn account(operation: &Operation, device: &Device<Bls12_381>) -> Result<Report, LabError> {
    let mut on = Session::new(device);
    (operation.run)(&mut on)
        .map_err(|source| LabError::Scheme { operation: operation.name.to_owned(), source })?;
    Ok(on.finish())
}

/// Adds the operator counts of a session's account.
fn count(operation: &Operation, host: &Device<Bls12_381>, outcome: &mut Outcome) -> Result<(), LabError> {
    let report = account(operation, host)?;
    let size = |operators: &[Operator]| -> usize {
        let asked = |r: &&Record| operators.iter().any(|o| o.name() == r.operator);
        report.records.iter().filter(asked).map(|r| r.size).sum()
    };
    let of = |operators: &[Operator]| size(operators) as f64;
    for (quantity, value) in [
        ("pairings asked of the device", of(&[Operator::MultiPairing, Operator::MultiPairingFixed])),
        ("terms of sums asked of the device", of(&[Operator::MsmG1, Operator::MsmG2])),
        (
            "multiples asked of the device",
            of(&[
                Operator::ScaleBySecretsG1,
                Operator::ScaleBySecretsG2,
                Operator::ScalePointsG1,
                Operator::ScalePointsG2,
            ]),
        ),
        ("points hashed by the device", of(&[Operator::HashToG1, Operator::HashToG2])),
    ] {
        let labels = Labels { quantity, operation: operation.name, unit: "operations" };
        outcome.model(&labels, HOST, value, operation.beside);
    }
    Ok(())
}

/// The least time of several runs on the host device.
fn time(
    operation: &Operation,
    host: &Device<Bls12_381>,
    context: &Context<'_>,
    outcome: &mut Outcome,
) -> Result<(), LabError> {
    let repeats = if context.quick { 2 } else { 11 };
    let mut times = Vec::with_capacity(repeats);
    for _ in 0..repeats {
        let timed = context.pool().install(|| {
            let mut on = Session::new(host);
            let start = Instant::now();
            (operation.run)(&mut on).map(|()| start.elapsed())
        });
        let timed =
            timed.map_err(|source| LabError::Scheme { operation: operation.name.to_owned(), source })?;
        times.push(1e3 * timed.as_secs_f64());
    }
    times.sort_by(f64::total_cmp);
    let labels = Labels { quantity: "time", operation: operation.name, unit: "ms" };
    let series = format!("host, {} threads", context.threads());
    let note = format!("fastest of {repeats} runs, inputs decoded before");
    let mut row = labels.row(Kind::Measured, "host", &series, times[0], &note);
    row.median = Some(times[repeats / 2]);
    outcome.keep(row);
    Ok(())
}

/// The chip's part of an operation on a board with a chip: cycles, time and energy of the operators that the chip has.
fn on_the_chip(
    operation: &Operation,
    chip: &Device<Bls12_381>,
    context: &Context<'_>,
    outcome: &mut Outcome,
) -> Result<(), LabError> {
    context.step(&format!("{} on the chip", operation.name));
    let report = account(operation, chip)?;
    let mut left: Vec<&str> = Vec::new();
    for record in &report.records {
        if !matches!(record.cost.time, Time::Cycles { .. }) && !left.contains(&record.operator) {
            left.push(record.operator);
        }
    }
    let left = if left.is_empty() { String::new() } else { format!("; on the host: {}", left.join(", ")) };
    let note = format!("one operator after the other{left}");
    add_rows(outcome, operation.name, CHIP, modelled(operation.name, &report)?, &note);
    Ok(())
}

/// Cycles, milliseconds and microjoules of a session's modelled operators.
///
/// # Errors
/// The operators ran on several machines or at several clocks, so that their cycles cannot be added.
fn modelled(operation: &str, report: &Report) -> Result<[f64; 3], LabError> {
    let models = report.totals().models;
    let [model] = models[..] else {
        return Err(LabError::Clocks { operation: operation.to_owned(), models: models.len() });
    };
    let joules = model.energy.map_or(0.0, |energy| energy.joules());
    Ok([model.cycles as f64, 1e3 * model.seconds(), 1e6 * joules])
}

fn add_rows(outcome: &mut Outcome, operation: &str, series: &str, [cycles, ms, uj]: [f64; 3], note: &str) {
    for (quantity, unit, value) in [("cycles", "cycles", cycles), ("time", "ms", ms), ("energy", "uJ", uj)] {
        outcome.model(&Labels { quantity, operation, unit }, series, value, note);
    }
}

/// Cycles, time and energy of programs that run one after the other.
///
/// # Errors
/// A program leaves other results than expected.
fn run_steps(spec: &MachineSpec, steps: &[(Chain<Fq>, Example<Fq>)]) -> Result<[f64; 3], LabError> {
    let mut sum = [0.0; 3];
    for (chain, example) in steps {
        let (bank, runs) = chain.run(&example.inputs, 100_000_000)?;
        if let Some(what) = example.differs(&bank)? {
            return Err(LabError::Wrong { series: PROGRAM.to_owned(), what: what.to_owned(), at: 0 });
        }
        for run in &runs {
            let cost = PairingCost::of(spec, &Activity::from(run));
            sum = [sum[0] + run.cycles as f64, sum[1] + 1e3 * cost.latency_s, sum[2] + 1e6 * cost.energy_j];
        }
    }
    Ok(sum)
}

/// Whole operations as programs of the pairing processor, including decompression and checks of points if the program
/// has them.
fn programs(spec: &MachineSpec, context: &Context<'_>, outcome: &mut Outcome) -> Result<(), LabError> {
    let seeds = if context.quick { 2 } else { 50 };
    let options = Options { scheduler: Scheduler::Critical, seeds, seed: context.seed };
    let entries = all();
    let of_catalogue = |name: &str, spec: &MachineSpec| -> Result<Steps, LabError> {
        let entry = entries.iter().find(|entry| entry.name == name).ok_or(LabError::Nothing)?;
        Ok(vec![((entry.build)(spec, &options)?, entry.example(context.seed))])
    };
    let joined = |names: &[&str]| -> Result<Steps, LabError> {
        let steps: Vec<Steps> =
            names.iter().map(|name| of_catalogue(name, spec)).collect::<Result<_, _>>()?;
        Ok(steps.into_iter().flatten().collect())
    };
    let inputs = program_inputs(context.seed);
    // Products and sums whose time does not depend on the values; chip-programs tests their results.
    let timed = |inputs: Inputs<Fq>| Example { inputs, expected: Vec::new() };
    let mut hidden_64 = vec![(product::finite_product(1, spec, &options)?, timed(inputs.product(1)))];
    for pairs in [10, 10, 10, 10, 10, 10, 4] {
        hidden_64.push((product::finite_product(pairs, spec, &options)?, timed(inputs.product(pairs))));
    }
    let early = bbs::sum(6, spec, &options)?;
    let late = bbs::verification_vartime(bbs::MOST_TERMS, spec, &options)?;
    let (early_inputs, late_inputs) = inputs.signature(6)?;
    let accepted = vec![("verdict", vec![Fq2::new(Fq::ONE, Fq::ZERO)])];
    let late_inputs = Example { inputs: late_inputs, expected: accepted };
    let eight = (fe::decryption(8, spec, &options)?, timed(inputs.inner_product(8)));
    let groth16 = joined(&["groth16"])?;
    let full = joined(&["groth16-full"])?;
    let checked = "points are decompressed and checked by the program";
    for (operation, steps, note) in [
        ("pairing", joined(&["pairing-published"])?, "the division of the paper, for comparison"),
        (
            "BLS verify",
            joined(&["bls-min-pk"])?,
            "with the map to the curve; points are decompressed and checked",
        ),
        ("IBE encrypt", joined(&["ibe-encrypt"])?, "with the multiple and the power; hashes are the host's"),
        ("IBE decrypt", joined(&["ibe-decrypt", "ibe-confirm"])?, "both programs; hashes are the host's"),
        ("BBS verify, 16 messages", vec![(early, timed(early_inputs)), (late, late_inputs)], checked),
        ("FE decrypt, hidden, dimension 8", vec![eight], "the logarithm is the host's"),
        (
            "FE decrypt, hidden, dimension 64",
            hidden_64,
            "in eight products that the host multiplies; the logarithm is the host's",
        ),
        ("Groth16 verify", groth16, checked),
        ("Groth16 verify by full pairings", full, "three whole pairings, as the paper's energy implies"),
    ] {
        add_rows(outcome, operation, PROGRAM, run_steps(spec, &steps)?, note);
    }
    let pairing = run_steps(spec, &joined(&["pairing-published"])?)?;
    let fitted = "calibrated so that 55.9 K cycles of the published design cost 76.9 uJ";
    outcome.answer("energy of a pairing", "pairing", PROGRAM, pairing[2], fitted).kind =
        Some(Kind::Calibrated);
    let low = spec.with("clock.volts", "0.7")?.with("clock.hz", "300e6")?;
    for (operation, name) in
        [("Groth16 verify", "groth16"), ("Groth16 verify by full pairings", "groth16-full")]
    {
        let energy = run_steps(&low, &of_catalogue(name, &low)?)?[2];
        let place = Labels { quantity: "energy at 0.7 V and 300 MHz", operation, unit: "uJ" };
        outcome.model(
            &place,
            PROGRAM,
            energy,
            "with decompression and checks; 110 uJ are printed, see cp/table2",
        );
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_device::{Cost, Fidelity, OpCount, Picojoules, Traffic};

    #[test]
    fn cycles_of_different_clocks_are_not_added() {
        let record = |hz| {
            let cost = Cost {
                machine: "chip",
                time: Time::Cycles { n: 500, hz, fidelity: Fidelity::CycleAccurate },
                bytes: Traffic::default(),
                transfer: None,
                ops: OpCount::default(),
                energy: Some(Picojoules(3_000_000)),
                model: None,
            };
            Record { phase: "phase", operator: "msm_g1", size: 1, cost }
        };
        let report = |clocks: [u64; 2]| Report { records: clocks.map(record).into(), ..Report::default() };
        assert_eq!(modelled("sum", &report([1_000_000, 1_000_000])).unwrap(), [1000.0, 1.0, 6.0]);
        let refused = modelled("sum", &report([1_000_000, 2_000_000]));
        assert!(matches!(refused, Err(LabError::Clocks { models: 2, .. })), "{refused:?}");
    }
}
