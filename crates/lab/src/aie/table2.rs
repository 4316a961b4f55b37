//! Table II: additions per second on the board, compared with a CPU and a pipelined unit in programmable logic.

use super::board::{board, bound, implementation, measured, throughput};
use super::cpu::{self, Task};
use super::designs::{METHODS, methods, one};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Kind;
use crate::row::Labels;
use pairwright_aie::Method;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::system::{Pipelined, System, hybrid};

const THROUGHPUT: &str = "throughput";
const BOARD: &str = "coarse, 10 ways";
/// The rate of the paper's CPU: 67.0 over 568.
const PRINTED_CPU: f64 = 67.0 / 568.0;
/// Instructions of the longest tile of the paper's coarse mapping: 3466 over 28 tiles and a core utilisation of 0.85.
const PRINTED_INSTRUCTIONS: u64 = 145;
/// Numbers of engine units beside a unit in programmable logic, with the printed instructions of the longest tile.
const HYBRIDS: [(Mapping, &str, u64); 2] = [
    (Mapping::Coarse, "PL and coarse, 12 ways", PRINTED_INSTRUCTIONS),
    (Mapping::Single, "PL and single, 400 ways", 3495),
];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/table2", METHODS.len() + 2);
    context.step("additions on the CPU");
    let times = cpu::times(context, Task::Apart, "aie/table2")?;
    outcome.rows.extend(times.iter().map(|time| measured("additions apart on the CPU", time)));
    let mut say = |kind, key, operation: &str, series: &str, value, note: &str| {
        outcome.answer(key, operation, series, value, note).kind = Some(kind);
    };
    for time in &times {
        let note = "mixed additions; numbers are reduced after every operation of GMP";
        say(Kind::Measured, THROUGHPUT, "CPU", &implementation(time), 1e-6 / time.seconds, note);
    }
    // One unit of BSTMSM takes one addition per cycle.
    let theirs = Pipelined::BSTMSM.tasks_per_second();
    let unit = theirs / f64::from(Pipelined::BSTMSM.units);
    say(Kind::Estimated, THROUGHPUT, "BSTMSM", "units and clock", theirs / 1e6, "as printed");
    say(Kind::Estimated, THROUGHPUT, "PL", "units and clock", unit / 1e6, "as printed");

    let printed = System { what_if_interval: Some(PRINTED_INSTRUCTIONS), ..System::default() };
    let methods = methods(context);
    let boards = methods.iter().map(|&method| (method.name(), board(method)));
    for (series, system) in boards.chain([("units of 145 cycles, as printed".to_owned(), printed)]) {
        context.step(&series);
        let run = throughput(context, &system)?;
        let (rate, note) = (run.tasks_per_second / 1e6, bound(&run));
        say(Kind::Modelled, THROUGHPUT, BOARD, &series, rate, &note);
        let key = "share of the bandwidth of DRAM";
        say(Kind::Modelled, key, BOARD, &series, 100.0 * run.bandwidth_share, "192 bytes a task");
        let key = "throughput over BSTMSM";
        say(Kind::Estimated, key, BOARD, &series, run.tasks_per_second / theirs, "");
        let key = "speed-up over the CPU";
        let note = "the board's model over the paper's CPU, 67.0 over 568";
        say(Kind::Estimated, key, BOARD, &format!("{series}, the printed CPU"), rate / PRINTED_CPU, note);
        // The speed-ups of other methods follow from these by the ratio of their rates.
        for time in times.iter().filter(|_| series == Method::PAPER.name()) {
            let (cpu, note) =
                (implementation(time), "the board's model over this machine's CPU, as measured");
            let series = format!("{series}, {cpu} of this machine");
            say(Kind::Estimated, key, BOARD, &series, rate * 1e6 * time.seconds, note);
        }
    }
    for (mapping, operation, printed) in HYBRIDS {
        let mut say = |series: &str, instructions: u64| {
            let both = hybrid(&System::default(), mapping, instructions as f64);
            let note = format!(
                "300 and {:.1}: {} units, {instructions} instructions of the longest tile; memory is no bound, it would take {:.1} \
                 of the board's",
                both.engines / 1e6,
                both.units,
                both.memories
            );
            let rate = (both.logic + both.engines) / 1e6;
            say(Kind::Estimated, THROUGHPUT, operation, series, rate, &note);
            say(Kind::Estimated, "gain over the PL alone", operation, series, both.gain, "");
        };
        for &method in methods {
            say(&method.name(), one(context, mapping, method)?.maximum_instructions);
        }
        say("instructions as printed", printed);
    }
    if !context.quick {
        ways(context, &mut outcome)?;
    }
    Ok(outcome)
}

/// Adds the results of the board by its number of units.
fn ways(context: &Context<'_>, outcome: &mut Outcome) -> Result<(), LabError> {
    context.step("units");
    for units in [1, 2, 4, 6, 8, 10] {
        for method in METHODS {
            let run = throughput(context, &System { units, ..board(method) })?;
            let operation = format!("{units} ways");
            let place = Labels { quantity: "throughput by units", operation: &operation, unit: "M tasks/s" };
            let (series, rate) = (method.name(), run.tasks_per_second / 1e6);
            outcome.model(&place, &series, rate, &bound(&run));
        }
    }
    // With all twelve units no columns are left for bucket aggregation.
    let run = throughput(context, &System { units: 12, aggregate_units: 0, ..board(Method::PAPER) })?;
    let place = Labels { quantity: "throughput by units", operation: "12 ways", unit: "M tasks/s" };
    outcome.model(&place, &Method::PAPER.name(), run.tasks_per_second / 1e6, &bound(&run));
    Ok(())
}
