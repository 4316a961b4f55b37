//! Table 2: the paper's machines, and this one.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::provenance::clock_ghz;
use crate::report::{Kind, Row};

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    context.begin("moma/table2", 1);
    context.step("the clock");
    let row = |what: &str, value: f64, unit: &str, kind, note: &str| Row {
        what: what.to_owned(),
        operation: String::new(),
        series: "this machine".to_owned(),
        bits: None,
        log2_n: None,
        device: "host".to_owned(),
        published: None,
        ours: Some(value),
        median: None,
        ratio: None,
        unit: unit.to_owned(),
        kind,
        note: note.to_owned(),
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from) as f64;
    let method = "a chain of dependent 64-bit multiplications, 3 cycles each";
    let rows = vec![
        row("cores", cores, "cores", Kind::Measured, "threads that the operating system offers"),
        row("highest frequency", 1000.0 * clock_ghz(), "MHz", Kind::Estimated, method),
    ];
    Ok(Outcome { rows, answers: Vec::new() })
}
