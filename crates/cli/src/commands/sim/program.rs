//! `pairwright sim program`: simulates a program of the crypto-processor on random inputs and checks it against the host.

use super::to_file;
use crate::args::{Cli, SimProgram};
use crate::commands::design::{Chosen, dump};
use crate::failure::{ArgumentError, Failure, ModelFault};
use crate::output;
use crate::progress::Progress;
use pairwright::chip::machine::{Datapath, Timeline};
use pairwright::chip::power::{Activity, PairingCost};
use pairwright::chip_programs::{self as program, ProgramEntry};
use pairwright::field::PrimeField;
use serde::Serialize;

/// The cycle limit, which no program of the catalogue reaches on any design that can be built.
const LIMIT: u64 = 1_000_000_000;

/// A program as `--list` describes it.
#[derive(Serialize)]
struct Listed {
    name: &'static str,
    about: &'static str,
    constant_time: bool,
}

/// A program that was run.
#[derive(Serialize)]
struct Ran {
    name: &'static str,
    about: &'static str,
    constant_time: bool,
    /// Whether every result was compared with the host's.
    checked: bool,
    cycles: u64,
    /// Number of L2 instruction words executed, bubbles included.
    instructions_executed: u64,
    /// Number of programs that run one after the other. Between them the instruction memories are loaded again, which is not counted.
    phases: usize,
    latency_s: f64,
    energy_j: f64,
}

/// The result that `--list --json` prints.
#[derive(Serialize)]
struct List {
    programs: Vec<Listed>,
}

#[derive(Serialize)]
struct ProgramsReport {
    design: String,
    volts: f64,
    area_mm2: f64,
    programs: Vec<Ran>,
}

fn listed<F>(entries: Vec<ProgramEntry<F>>) -> impl Iterator<Item = Listed> {
    entries.into_iter().map(|e| Listed { name: e.name, about: e.about, constant_time: e.constant_time })
}

/// Runs one program or all of them, or prints their names.
pub(super) fn run(cli: &Cli, a: &SimProgram) -> Result<(), Failure> {
    if a.list {
        let programs = listed(program::all()).chain(listed(program::all_over_fr())).collect();
        return output::print(cli, &List { programs }, |list| {
            let time = |l: &Listed| if l.constant_time { "" } else { " (time depends on the inputs)" };
            let line = |l: &Listed| format!("{:<20} {}{}", l.name, l.about, time(l));
            list.programs.iter().map(line).collect::<Vec<_>>().join("\n")
        });
    }
    if a.dump_config {
        return dump(cli, &a.design.chip()?);
    }
    let chosen = a.programs.choose(&a.design)?;
    let wanted = |name: &str| a.all || a.name.as_deref() == Some(name);
    let over_fq: Vec<_> = program::all().into_iter().filter(|e| wanted(e.name)).collect();
    let over_fr: Vec<_> = program::all_over_fr().into_iter().filter(|e| wanted(e.name)).collect();
    if over_fq.is_empty() && over_fr.is_empty() {
        return Err(ArgumentError::NoProgram(a.name.clone().unwrap_or_default()).into());
    }
    let mut programs = Vec::new();
    let progress = Progress::new((over_fq.len() + over_fr.len()) as u64, "programs");
    for entry in &over_fq {
        programs.push(one(entry, &chosen, a)?);
        progress.add(1);
    }
    for entry in &over_fr {
        programs.push(one(entry, &chosen, a)?);
        progress.add(1);
    }
    drop(progress);
    let area_mm2 = PairingCost::of(&chosen.spec, &Activity::default()).area_mm2;
    let report = ProgramsReport {
        design: chosen.spec.name.clone(),
        volts: chosen.spec.clock.volts,
        area_mm2,
        programs,
    };
    output::print(cli, &report, text)
}

/// Builds a program, runs it on the processor with random inputs, and compares its outputs with the host's results.
fn one<F: PrimeField + Datapath>(
    entry: &ProgramEntry<F>,
    chosen: &Chosen,
    a: &SimProgram,
) -> Result<Ran, Failure> {
    let chain = (entry.build)(&chosen.spec, &chosen.options)?;
    let example = entry.example(a.random);
    let (bank, runs) = match &a.trace {
        None => chain.run(&example.inputs, LIMIT)?,
        Some(path) => {
            let mut timeline = Timeline::new(&chosen.spec.name);
            let ran = chain.run_watched(&example.inputs, LIMIT, &mut timeline)?;
            to_file(path, |file| timeline.chrome().write(file))?;
            ran
        }
    };
    if let Some(region) = example.differs(&bank)? {
        return Err(ModelFault::Program { name: entry.name, region }.into());
    }
    let costs: Vec<PairingCost> =
        runs.iter().map(|r| PairingCost::of(&chosen.spec, &Activity::from(r))).collect();
    Ok(Ran {
        name: entry.name,
        about: entry.about,
        constant_time: entry.constant_time,
        checked: true,
        cycles: runs.iter().map(|r| r.cycles).sum(),
        instructions_executed: runs.iter().map(|r| r.l2_words).sum(),
        phases: runs.len(),
        latency_s: costs.iter().map(|c| c.latency_s).sum(),
        energy_j: costs.iter().map(|c| c.energy_j).sum(),
    })
}

fn text(r: &ProgramsReport) -> String {
    let rows = r.programs.iter().map(|p| {
        let (us, uj) = (format!("{:.1}", 1e6 * p.latency_s), format!("{:.1}", 1e6 * p.energy_j));
        vec![p.name.to_owned(), p.cycles.to_string(), us, uj, p.phases.to_string()]
    });
    format!(
        "{} design at {:.2} V, {:.3} mm2; every result equals the host's\n{}",
        r.design,
        r.volts,
        r.area_mm2,
        output::table(1, &["program", "cycles", "us", "uJ", "phases"], rows)
    )
}
