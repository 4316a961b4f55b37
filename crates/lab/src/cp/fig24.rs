//! Figure 24: the operators of a proof by size at 0.9 V and 500 MHz, and an MSM by memory bandwidth.

use super::chip::{self, bound, cpu};
use super::table3;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::MachineSpec;
use pairwright_chip::isa::Group;
use pairwright_chip::machine::top::Account;
use pairwright_chip::power::price;
use pairwright_chip::task::Schedule::{self, Hidden, Unhidden};
use pairwright_chip::task::ntt::Method;

const VOLTS: f64 = 0.9;
/// Bytes per core cycle of the sweep.
const WIDTHS: [&str; 7] = ["24", "32", "48", "64", "77", "128", "154"];

const NTT_OVER: &str = "coset NTT over ISCA'21";
const G1_OVER: &str = "G1 MSM over ISCA'21";

/// An operator of the figure.
struct Operator {
    name: &'static str,
    /// The operator's name in `bench/`.
    cpu: &'static str,
    group: Option<Group>,
    schedule: Schedule,
}

const OPERATORS: [Operator; 4] = [
    Operator { name: table3::NTT, cpu: "BLS12-381 Fr coset ntt", group: None, schedule: Unhidden },
    Operator { name: table3::NTT, cpu: "BLS12-381 Fr coset ntt", group: None, schedule: Hidden },
    Operator { name: table3::G1, cpu: "BLS12-381 G1", group: Some(Group::G1), schedule: Hidden },
    Operator { name: table3::G2, cpu: "BLS12-381 G2", group: Some(Group::G2), schedule: Hidden },
];

impl Operator {
    fn account(&self, spec: &MachineSpec, log2_n: u32, seed: u64) -> Result<Account, LabError> {
        match self.group {
            None => chip::coset_ntt(spec, log2_n, self.schedule, Method::Merged),
            Some(group) => chip::msm(spec, group, log2_n, self.schedule, seed),
        }
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let sizes: Vec<u32> = chip::sizes(context, 14).collect();
    context.begin("cp/fig24", (OPERATORS.len() + WIDTHS.len()) * sizes.len());
    let spec = chip::at_volts(&MachineSpec::paper(), VOLTS);
    for operator in &OPERATORS {
        let series = chip::name(operator.schedule);
        let mut speedups = Vec::new();
        for &log2_n in &sizes {
            context.step(&format!("{} of 2^{log2_n}, {series}", operator.name));
            let account = operator.account(&spec, log2_n, context.seed)?;
            let cost = price(&account, &spec);
            let rate = table3::throughput(operator.name, log2_n, cost.latency_s);
            let operation = format!("2^{log2_n}");
            let what = |of: &str| format!("{of}, {}", operator.name);
            let mut say = |of: &str, unit, value, note: &str| {
                let what = what(of);
                let place = Labels { quantity: &what, operation: &operation, unit };
                outcome.model(&place, series, value, note).log2_n = Some(log2_n);
            };
            say("latency", "ms", 1e3 * cost.latency_s, &format!("{}; 24 GB/s at 500 MHz", bound(&account)));
            say("throughput", "Gb/s", rate, "by table III's formula, gigabits of 2^30");
            let note = format!("on {:.2} mm2", cost.core_mm2);
            say("area efficiency", "Gb/s/mm2", rate / cost.core_mm2, &note);
            let note = "elements of the engine that take operands, over the whole run";
            say("utilisation", "%", 100.0 * cost.utilisation, note);
            if let Some((measured, file)) = cpu::seconds(operator.cpu, &operation) {
                let note = format!(
                    "measured with arkworks on two cores: {:.4} s, bench/results/{file}.json",
                    measured.peer_min
                );
                let ratio = measured.peer_min / cost.latency_s;
                say("speed-up over arkworks", "x", ratio, &note);
                speedups.push((log2_n, ratio));
            }
            if log2_n == chip::LARGEST
                && let Some(theirs) = table3::area_efficiency_of_pipezk(operator.name)
            {
                let over = if operator.group.is_none() { NTT_OVER } else { G1_OVER };
                let note = format!(
                    "at 2^{log2_n} only, {theirs:.4} Gb/s/mm2 there: of the other sizes table III says nothing"
                );
                let gain = rate / cost.core_mm2 / theirs;
                outcome.answer("gain in area efficiency", over, series, gain, &note);
            }
        }
        if sizes.contains(&chip::LARGEST) && !speedups.is_empty() {
            let average = speedups.iter().map(|s| s.1).sum::<f64>() / speedups.len() as f64;
            let sizes: Vec<String> = speedups.iter().map(|s| format!("2^{}", s.0)).collect();
            let note = format!(
                "over arkworks on two cores as bench/ measured it, sizes {}; the paper's CPU times stand in other papers, of \
                 other machines and programs",
                sizes.join(", ")
            );
            outcome.answer("speed-up over a CPU", operator.name, series, average, &note);
        }
    }
    sweep(context, &sizes, &mut outcome)?;
    Ok(outcome)
}

/// The G1 MSM at several bandwidths.
fn sweep(context: &Context<'_>, sizes: &[u32], outcome: &mut Outcome) -> Result<(), LabError> {
    for width in WIDTHS {
        let spec = chip::at_volts(&chip::design(&[("dram.bytes_per_cycle", width)])?, VOLTS);
        let gb = f64::from(spec.dram.bytes_per_cycle) * spec.clock.hz * 1e-9;
        let operation = format!("{gb:.1} GB/s");
        for &log2_n in sizes {
            context.step(&format!("G1 MSM of 2^{log2_n} at {operation}"));
            let account = chip::msm(&spec, Group::G1, log2_n, Hidden, context.seed)?;
            let place =
                Labels { quantity: "latency of a G1 MSM by bandwidth", operation: &operation, unit: "ms" };
            let ms = 1e3 * account.cycles as f64 / spec.clock.hz;
            let note = format!("{width} bytes a cycle; {}", bound(&account));
            let series = format!("2^{log2_n}");
            outcome.model(&place, &series, ms, &note).log2_n = Some(log2_n);
        }
    }
    Ok(())
}
