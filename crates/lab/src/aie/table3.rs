//! Table III: dependent additions, and their time.

use super::board::{board, implementation, latency, measured};
use super::cpu::{self, Task};
use super::designs::{METHODS, methods};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Kind;
use crate::row::Labels;
use pairwright_aie::Method;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::system::{Pipelined, System};

const LATENCY: &str = "latency";

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/table3", METHODS.len() + 2);
    context.step("a chain of additions on the CPU");
    let times = cpu::times(context, Task::Chain, "aie/table3")?;
    outcome.rows.extend(times.iter().map(|time| measured("additions one after the other on the CPU", time)));
    let mut say = |kind, key, operation: &str, series: &str, value, note: &str| {
        outcome.answer(key, operation, series, value, note).kind = Some(kind);
    };
    for time in &times {
        let products = if time.series == cpu::HOST { "nine products" } else { "eight products" };
        let note = format!("complete additions, {products}");
        say(Kind::Measured, LATENCY, "CPU", &implementation(time), 1e6 * time.seconds, &note);
    }
    let pipeline = 1e6 * Pipelined::BSTMSM.latency();
    let theirs = Pipelined::BSTMSM.int32_multipliers();
    say(Kind::Estimated, LATENCY, "BSTMSM", "cycles and clock", pipeline, "260 cycles at 300 MHz");
    let note = "27 by 18 bits of each DSP over 32 by 32";
    say(Kind::Estimated, "INT32 multipliers", "BSTMSM", "by bits", theirs, note);
    let mut rows = Vec::new();
    for (series, system) in designs(methods(context)) {
        context.step(&series);
        let run = latency(context, &system)?;
        let (us, s) = (1e6 * run.seconds_per_task, run.stages);
        let note = format!(
            "{} cycles of the engines; in ns: sums {:.0}, into the array {:.0}, engines {:.0}, out of it {:.0}, reduction {:.0}",
            run.engine_cycles, s.sums, s.plio_in, s.engines, s.plio_out, s.barrett
        );
        say(Kind::Modelled, LATENCY, "AIE", &series, us, &note);
        let tiles = run.tiles as f64;
        say(Kind::Modelled, "AIE tiles", "AIE", &series, tiles, "the product by k has tiles of its own");
        let multipliers = run.int32_multipliers as f64;
        say(Kind::Modelled, "INT32 multipliers", "AIE", &series, multipliers, "eight a tile");
        say(Kind::Estimated, "latency over that of BSTMSM", "AIE", &series, us / pipeline, "of 0.867");
        let key = "multipliers over those of BSTMSM";
        say(Kind::Estimated, key, "AIE", &series, multipliers / theirs, "");
        let stages = [
            ("sums", s.sums),
            ("into the array", s.plio_in),
            ("engines", s.engines),
            ("out of the array", s.plio_out),
            ("reduction", s.barrett),
        ];
        for (operation, ns) in stages {
            let place = Labels { quantity: "where the time of an addition goes", operation, unit: "ns" };
            rows.push(place.modelled(&series, ns, ""));
        }
    }
    outcome.rows.extend(rows);
    Ok(outcome)
}

/// The paper's mapping with each method, and coarse, which the paper prints as slower.
fn designs(methods: &[Method]) -> Vec<(String, System)> {
    let printed = methods.iter().map(|&method| (method.name(), board(method)));
    let coarse = methods.iter().map(|&method| {
        (
            format!("{}, on coarse", method.name()),
            System { aggregate: Mapping::Coarse, units: 9, ..board(method) },
        )
    });
    printed.chain(coarse).collect()
}
