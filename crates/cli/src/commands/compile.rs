//! Runs `pairwright compile`, which compiles routines for a design of the crypto-processor.

use crate::args::{Cli, Compile};
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::progress::Progress;
use pairwright::chip::compiler::RoutineReport;
use serde::Serialize;

#[derive(Serialize)]
struct Compiled<'a> {
    design: &'a str,
    division: &'static str,
    scheduler: &'static str,
    seeds: u32,
    routines: Vec<&'a RoutineReport>,
    /// Instruction words of all routines.
    instructions: usize,
    /// The routines as text, if `--listing` asks for them.
    #[serde(skip_serializing_if = "Option::is_none")]
    listing: Option<String>,
}

/// Compiles the routines of a pairing and prints the cost of each.
pub(crate) fn run(cli: &Cli, a: &Compile) -> Result<(), Failure> {
    let chosen = a.programs.choose(&a.design)?;
    let progress = Progress::new(0, "compiling");
    let program = chosen.pairing()?;
    drop(progress);
    let routines: Vec<_> = program
        .routines
        .iter()
        .filter(|r| a.all || a.routine.as_ref().is_none_or(|name| *name == r.name))
        .collect();
    if let (Some(name), []) = (&a.routine, routines.as_slice()) {
        let known = program.routines.iter().map(|r| r.name.as_str()).collect::<Vec<_>>().join(", ");
        return Err(ArgumentError::Routine { name: name.clone(), known }.into());
    }
    let listing = a.listing.then(|| {
        let texts = routines.iter().map(|r| r.listing());
        texts.collect::<Vec<_>>().join("\n")
    });
    let [division, scheduler] = chosen.names();
    let compiled = Compiled {
        design: &chosen.spec.name,
        division,
        scheduler,
        seeds: chosen.options.seeds,
        instructions: routines.iter().map(|r| r.words.len()).sum(),
        routines: routines.iter().map(|r| &r.report).collect(),
        listing,
    };
    output::print(cli, &compiled, text)
}

fn text(c: &Compiled<'_>) -> String {
    let head = [
        "routine",
        "operations",
        "on MM",
        "words",
        "slots",
        "cycles",
        "bound",
        "bubbles",
        "MM busy",
        "path 1",
        "path 2",
        "rows",
    ];
    let row = |r: &&RoutineReport| {
        let number = |n: usize| n.to_string();
        vec![
            r.name.clone(),
            number(r.operations),
            number(r.mm),
            number(r.words),
            r.slots.to_string(),
            r.cycles.to_string(),
            r.bound.to_string(),
            r.bubbles.to_string(),
            format!("{:.0} %", 100.0 * r.mm_utilisation),
            number(r.forwards_path1),
            number(r.forwards_path2),
            number(r.rows),
        ]
    };
    let mut text = format!(
        "{} design, {} division, {} scheduler, {} schedules a routine\n{}\n{} words",
        c.design,
        c.division,
        c.scheduler,
        c.seeds,
        output::table(1, &head, c.routines.iter().map(row)),
        c.instructions
    );
    if let Some(listing) = &c.listing {
        text = format!("{text}\n\n{}", listing.trim_end());
    }
    text
}
