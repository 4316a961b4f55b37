//! Beyond the paper: the depth of the multipliers and of the SHA3 engines, with a clock that depends on it and with a
//! fixed clock.

use super::sweep::{self, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_mtu::power::{Area, energy};
use pairwright_mtu::{Job, UnitConfig, Workload};

const DEPTHS: [u32; 12] = [1, 2, 4, 7, 10, 14, 20, 24, 28, 32, 40, 56];
const ENGINES: [u32; 9] = [1, 2, 3, 4, 6, 8, 12, 24, 48];
const LAW: &str = "clock by depth";
const NONE: &str = "clock of 1 GHz at any depth";

/// A design whose circuits reach the full clock with any number of stages, as in the model before it had a clock law.
fn free(config: UnitConfig) -> UnitConfig {
    UnitConfig { full_clock_stages: 1, full_clock_rounds: 24, ..config }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/multiplier", 1);
    context.step("all designs");
    let paper = UnitConfig { accumulator_words: 1024, ..unit(32, 1024) };
    let multipliers = DEPTHS.map(|mul_latency| (mul_latency, UnitConfig { mul_latency, ..paper }));
    let engines = ENGINES.map(|hash_latency| (hash_latency, UnitConfig { hash_latency, ..paper }));
    let all = [
        ("multiplier", Workload::MleEval, &multipliers[..]),
        ("SHA3 engine", Workload::Merkle, &engines[..]),
    ];
    for (circuit, workload, designs) in all {
        for (series, clocked) in [(LAW, false), (NONE, true)] {
            let of = |config: UnitConfig| if clocked { free(config) } else { config };
            let runs: Vec<_> = designs
                .iter()
                .map(|(_, config)| (of(*config), Job::new(workload, sweep::LOG_SIZE)))
                .collect();
            for ((depth, _), account) in designs.iter().zip(sweep::all(context, &runs)?) {
                let config = &account.config;
                let (mm2, joules) = (Area::of(config).mm2, energy(config, &account).unit_j);
                let us = 1e6 * account.seconds();
                let operation = format!("{circuit}, depth {depth}");
                let by = account.clock.limited_by.map_or_else(String::new, |by| format!(", limited by {by}"));
                let note = format!(
                    "{} cycles at {:.1} MHz{by}; {} on 32 elements",
                    account.cycles,
                    1e-6 * account.clock.hz as f64,
                    workload.name()
                );
                for (what, unit, value) in [
                    ("time", "us", us),
                    ("area", "mm2", mm2),
                    ("energy of the unit", "uJ", 1e6 * joules),
                    ("time times area", "us mm2", us * mm2),
                ] {
                    let what = format!("{what} by depth of the {circuit}");
                    let place = Labels { quantity: &what, operation: &operation, unit };
                    outcome.model(&place, series, value, &note).log2_n = Some(sweep::LOG_SIZE);
                }
            }
        }
    }
    Ok(outcome)
}
