//! Table 2: the paper's machines, and this one.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::provenance::clock_ghz;
use crate::row::{Kind, Labels};

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    context.begin("moma/table2", 1);
    context.step("the clock");
    let row = |quantity, value: f64, unit, kind, note| {
        Labels { quantity, operation: "", unit }.row(kind, "host", "this machine", value, note)
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let method = "a chain of dependent 64-bit multiplications, 3 cycles each";
    let mut rows = vec![
        row("cores", cores, "cores", Kind::Measured, "threads that the operating system offers"),
        row("highest frequency", 1000.0 * clock_ghz(), "MHz", Kind::Estimated, method),
    ];
    if let Some(report) = &context.report {
        let [multiprocessors, clock, memory] = report.facts();
        let note = "what the driver says, in the report on the device";
        let row = |quantity, value, unit| {
            Labels { quantity, operation: "", unit }.row(
                Kind::Measured,
                report.name(),
                report.name(),
                value,
                note,
            )
        };
        rows.extend([
            row("multiprocessors", multiprocessors, "multiprocessors"),
            row("highest frequency", clock, "MHz"),
            row("memory", memory / 1e9, "GB"),
        ]);
    }
    Ok(Outcome { rows, answers: Vec::new() })
}
