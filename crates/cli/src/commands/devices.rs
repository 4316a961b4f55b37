//! `pairwright devices`

use crate::args::Cli;
use crate::failure::Failure;
use crate::output;
use pairwright::DEVICES;
use serde::Serialize;

#[derive(Serialize)]
struct Row {
    name: &'static str,
    about: &'static str,
    time: &'static str,
    threads: usize,
}

/// Lists the devices.
pub(crate) fn run(cli: &Cli) -> Result<(), Failure> {
    let threads = |name: &str| if name == "cpu" { rayon::current_num_threads() } else { 1 };
    let rows: Vec<Row> = DEVICES
        .iter()
        .map(|d| Row { name: d.name, about: d.about, time: d.time, threads: threads(d.name) })
        .collect();
    output::print(cli.json, &rows, |rows| {
        let line = |r: &Row| format!("{:<10} {} ({} thread(s), {} time)", r.name, r.about, r.threads, r.time);
        rows.iter().map(line).collect::<Vec<_>>().join("\n")
    })
}
