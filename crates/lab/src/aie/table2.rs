//! Table II: additions a second, on the board, beside a CPU and a pipelined unit in programmable logic.

use super::board::{BSTMSM_HZ, BSTMSM_UNITS, board, bound, measured, throughput, who};
use super::cpu::{self, Task};
use super::designs::{METHODS, one};
use crate::LabError;
use crate::experiment::{Answer, Context, Outcome};
use crate::place::{Place, answer, modelled};
use crate::report::Kind;
use pairwright_aie::Method;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::system::System;

const THROUGHPUT: &str = "throughput";
const BOARD: &str = "coarse, 10 ways";
/// The paper's CPU: 67.0 over 568.
const PRINTED_CPU: f64 = 67.0 / 568.0;
/// Instructions of the longest tile of the paper's coarse mapping: 3466 over 28 tiles and a core utilisation of 0.85.
const PRINTED_INSTRUCTIONS: u64 = 145;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/table2", METHODS.len() + 2);
    context.step("additions on the CPU");
    let times = cpu::times(context, Task::Apart)?;
    outcome.rows.extend(times.iter().map(|time| measured("additions apart on the CPU", time)));
    let mut say = |kind, key, operation: &str, series: &str, value, note: &str| {
        outcome.answers.push(Answer { kind: Some(kind), ..answer(key, operation, series, value, note) });
    };
    for time in &times {
        let note = "mixed additions; numbers are reduced after every operation of GMP";
        say(Kind::Measured, THROUGHPUT, "CPU", &who(time), 1e-6 / time.seconds, note);
    }
    // One unit of theirs takes an addition a cycle.
    let unit = BSTMSM_HZ / 1e6;
    say(Kind::Estimated, THROUGHPUT, "BSTMSM", "units and clock", BSTMSM_UNITS * unit, "as printed");
    say(Kind::Estimated, THROUGHPUT, "PL", "units and clock", unit, "as printed");

    let printed = System { what_if_interval: Some(PRINTED_INSTRUCTIONS), ..System::default() };
    let boards = METHODS.iter().map(|&method| (method.name(), board(method)));
    for (series, system) in boards.chain([("units of 145 cycles, as printed".to_owned(), printed)]) {
        context.step(&series);
        let run = throughput(context, &system)?;
        let (rate, note) = (run.tasks_per_second / 1e6, bound(&run));
        say(Kind::Modelled, THROUGHPUT, BOARD, &series, rate, &note);
        let key = "share of the bandwidth of DRAM";
        say(Kind::Modelled, key, BOARD, &series, 100.0 * run.bandwidth_share, "192 bytes a task");
        let key = "throughput over BSTMSM";
        say(Kind::Estimated, key, BOARD, &series, rate / (BSTMSM_UNITS * unit), "");
        let key = "speed-up over the CPU";
        let note = "the board's model over the paper's CPU, 67.0 over 568";
        say(Kind::Estimated, key, BOARD, &format!("{series}, the printed CPU"), rate / PRINTED_CPU, note);
        // Other methods' speed-ups follow from these by their rates.
        for time in times.iter().filter(|_| series == Method::PAPER.name()) {
            let (cpu, note) = (who(time), "the board's model over this machine's CPU, as measured");
            let series = format!("{series}, {cpu} of this machine");
            say(Kind::Estimated, key, BOARD, &series, rate * 1e6 * time.seconds, note);
        }
    }
    for method in METHODS {
        for (mapping, operation) in
            [(Mapping::Coarse, "PL and coarse, 12 ways"), (Mapping::Single, "PL and single, 400 ways")]
        {
            let e = one(context, mapping, method)?;
            let hz = System::default().aie_hz as f64;
            let both = unit + e.throughput_per_cycle * hz / 1e6;
            let note = format!(
                "300 and {:.1}: {} units, {} instructions of the longest tile; without memory, as printed",
                both - unit,
                e.units,
                e.maximum_instructions
            );
            let series = method.name();
            say(Kind::Estimated, THROUGHPUT, operation, &series, both, &note);
            say(Kind::Estimated, "gain over the PL alone", operation, &series, both / unit, "");
        }
    }
    ways(context, &mut outcome)?;
    Ok(outcome)
}

/// The board by its units.
fn ways(context: &Context<'_>, outcome: &mut Outcome) -> Result<(), LabError> {
    context.step("units");
    let units: &[usize] = if context.quick { &[10] } else { &[1, 2, 4, 6, 8, 10] };
    for &units in units {
        for method in METHODS {
            let run = throughput(context, &System { units, ..board(method) })?;
            let operation = format!("{units} ways");
            let place = Place { what: "throughput by units", operation: &operation, unit: "M tasks/s" };
            let (series, rate) = (method.name(), run.tasks_per_second / 1e6);
            outcome.rows.push(modelled(&place, &series, rate, &bound(&run)));
        }
    }
    // All twelve leave no columns for bucket aggregation.
    let run = throughput(context, &System { units: 12, aggregate_units: 0, ..board(Method::PAPER) })?;
    let place = Place { what: "throughput by units", operation: "12 ways", unit: "M tasks/s" };
    outcome.rows.push(modelled(&place, &Method::PAPER.name(), run.tasks_per_second / 1e6, &bound(&run)));
    Ok(())
}
