//! `pairwright explore`: the Pareto front of a space of designs, for two results and within limits on others.

mod journal;
mod machines;
mod objective;
mod trends;

use super::picture::{Choice, Sheet};
use super::quantity;
use super::sweep::Costs;
use crate::args::{Axis, Cli, Explore, OutputPath, SearchOptions};
use crate::failure::{ArgumentError, Failure};
use crate::files::{make_folder, write_text as write};
use crate::output;
use crate::progress::Progress;
use journal::{Entry, Journal};
use objective::Goal;
use pairwright::sim::search::{BranchAndBound, Measured, Point, Proof, SearchResult, Trend};
use pairwright::sim::settings;
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};

pub(crate) fn run(cli: &Cli, what: &Explore) -> Result<(), Failure> {
    match what {
        Explore::Chip(a) => machines::chip(cli, a),
        Explore::Mtu(a) => machines::mtu(cli, a),
        Explore::Aie(a) => machines::aie(cli, a),
    }
}

/// The workload and the space of a search.
struct Task<'a> {
    /// The workload as text.
    title: String,
    /// The command that simulates a design of the space, without `--spec`.
    command: String,
    /// The design that all others differ from, as a file.
    base: String,
    /// The axes that are searched if none are given.
    default: &'a [&'a str],
    /// The trends of results along axes.
    known: &'static [trends::Known],
}

/// A design as `pairwright sim` takes it.
struct File {
    /// The text of the file for `--spec`.
    text: String,
    /// Further options of the command line, with a space before each.
    options: String,
}

impl File {
    fn of<D: settings::Design>(design: &D) -> Result<Self, Failure> {
        Ok(Self { text: settings::file(design)?, options: String::new() })
    }
}

/// A design of the Pareto front, which no other design beats in both results.
#[derive(Serialize)]
struct Best {
    /// The parameters of the search, with their values in this design.
    parameters: BTreeMap<String, String>,
    /// Its results by the names of their columns.
    results: BTreeMap<&'static str, serde_json::Value>,
    /// The command that simulates it, without `--spec` and its file.
    simulated_by: String,
    /// The name of its file, if `--designs` asks for files.
    #[serde(skip_serializing_if = "Option::is_none")]
    design: Option<String>,
}

/// What a search by bounds has proved about its front.
#[derive(Serialize)]
struct ProofReport {
    /// Whether the bounds exclude every design that was not simulated from the front.
    complete: bool,
    /// For each objective, the largest amount by which two simulated designs contradict the assumed trends, as a share of the result.
    contradiction: [f64; 2],
}

#[derive(Serialize)]
struct ExploreReport {
    /// `exhaustive`, `evolutionary` or `bounds`.
    method: &'static str,
    /// Number of designs in the space, as a floating-point number since it may be larger than an integer type holds.
    space: f64,
    /// Number of designs that were simulated, in this run and in earlier ones of the journal.
    simulated: usize,
    /// Number of those that came from the journal.
    from_journal: usize,
    /// Number of designs that cannot be built or do not run.
    refused: usize,
    /// Number of designs that run but break a limit.
    over_limits: usize,
    /// Whether every design that differs by one step from a design of the front has been simulated.
    settled: bool,
    /// What a search by bounds has proved about its front; `None` for the other methods.
    #[serde(skip_serializing_if = "Option::is_none")]
    proof: Option<ProofReport>,
    objectives: [&'static str; 2],
    front: Vec<Best>,
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    journal: Option<String>,
}

/// Runs a search. `at` makes the design of a point, `simulate` computes its costs, and `file` writes it for `--spec`.
fn explore<P, C: Costs>(
    cli: &Cli,
    a: &SearchOptions,
    task: &Task<'_>,
    at: impl Fn(&[(&str, &str)]) -> Result<P, Failure> + Sync,
    simulate: impl Fn(P) -> Result<C, Failure> + Sync,
    file: impl Fn(&P) -> Result<File, Failure>,
) -> Result<(), Failure> {
    let goal = Goal::new::<C>(a)?;
    let mut axes = axes(a, task.default)?;
    let bounded = a.bounds.then(|| trends::along(&mut axes, task.known, &goal));
    if bounded.as_ref().is_some_and(|axes| axes.iter().all(|axis| axis.trends.contains(&Trend::Unknown))) {
        return Err(ArgumentError::NoBounds(goal.names()).into());
    }
    for axis in &axes {
        axis.values.iter().try_for_each(|value| at(&[(&axis.path, value)]).map(drop))?;
    }
    let columns = C::names();
    let journal = Journal::open(a.journal.as_deref(), &task.command, &task.base, &columns)?;
    let space: f64 = axes.iter().map(|axis| axis.values.len() as f64).product();
    let progress = Progress::new(space.min(f64::from(a.budget)) as u64, "designs");
    let settings = |point: &Point| -> Vec<(&str, &str)> {
        axes.iter().zip(point).map(|(axis, &i)| (axis.path.as_str(), axis.values[i].as_str())).collect()
    };
    let reused = AtomicUsize::new(0);
    let one = |point: &Point| -> Result<Measured, Failure> {
        let settings = settings(point);
        let entry = match journal.known(&settings) {
            Some(entry) => {
                reused.fetch_add(1, Ordering::Relaxed);
                entry
            }
            None => {
                let entry = match at(&settings).and_then(&simulate) {
                    Ok(costs) => Entry::Cells(costs.cells()),
                    Err(Failure::BadInput(why)) => Entry::Refused(why.to_string()),
                    Err(other) => return Err(other),
                };
                journal.add(&settings, entry)?
            }
        };
        progress.add(1);
        Ok(match entry {
            Entry::Cells(cells) => goal.measured(&cells),
            Entry::Refused(_) => Measured::REFUSED,
        })
    };
    let (budget, population) = (a.budget as usize, a.population as usize);
    let many = |points: &[Point]| points.par_iter().map(one).collect::<Result<Vec<_>, _>>();
    let (found, proof) = match &bounded {
        Some(axes) => {
            let (found, proof) = BranchAndBound { budget, batch: population }.run(axes, many)?;
            let Proof { complete, contradiction } = proof;
            (found, Some(ProofReport { complete, contradiction }))
        }
        None => {
            let method = pairwright::sim::search::Evolution { budget, population, seed: a.search_seed };
            let sizes: Vec<usize> = axes.iter().map(|axis| axis.values.len()).collect();
            (method.run(&sizes, many)?, None)
        }
    };
    drop(progress);
    let cells = |point: &Point| match journal.known(&settings(point)) {
        Some(Entry::Cells(cells)) => cells,
        _ => Vec::new(),
    };
    let front: Vec<Point> = found.front().into_iter().cloned().collect();
    if front.is_empty() {
        let first = found.points.keys().find_map(|point| match journal.known(&settings(point)) {
            Some(Entry::Refused(why)) => Some(why),
            _ => None,
        });
        return Err(ArgumentError::NothingFound { designs: found.points.len(), first }.into());
    }
    let mut best = Vec::new();
    for (number, point) in (1..).zip(&front) {
        let (settings, cells) = (settings(point), cells(point));
        let file = file(&at(&settings)?)?;
        let simulated_by = format!("pairwright {}{}", task.command, file.options);
        let design = match &a.designs {
            None => None,
            Some(folder) => {
                let [one, other] = goal.named(&cells);
                let head = format!("# {}: {one}, {other}\n# {simulated_by} --spec FILE\n", task.title);
                Some(written(cli, folder, number, &(head + &file.text))?)
            }
        };
        let value = |cell: &String| {
            quantity::value(cell).map_or_else(|| cell.as_str().into(), serde_json::Value::from)
        };
        best.push(Best {
            parameters: settings
                .iter()
                .map(|(path, value)| ((*path).to_owned(), (*value).to_owned()))
                .collect(),
            results: columns.iter().copied().zip(cells.iter().map(value)).collect(),
            simulated_by,
            design,
        });
    }
    let rows = |points: &[&Point]| -> Vec<Vec<String>> {
        let row = |point: &&Point| {
            settings(point).iter().map(|(_, value)| (*value).to_owned()).chain(cells(point)).collect()
        };
        points.iter().map(row).collect()
    };
    let head: Vec<&str> = axes.iter().map(|axis| axis.path.as_str()).chain(columns.iter().copied()).collect();
    let best_rows = rows(&front.iter().collect::<Vec<_>>());
    if let Some(path) = &a.csv {
        let lines = core::iter::once(head.join(",")).chain(best_rows.iter().map(|row| row.join(",")));
        write(path, &lines.map(|line| line + "\n").collect::<String>())?;
    }
    if let Some(path) = &a.plot {
        let kept: Vec<&Point> = found
            .points
            .iter()
            .filter(|(_, measured)| measured.is_feasible())
            .map(|(point, _)| point)
            .collect();
        let sheet = Sheet {
            title: &task.title,
            swept: &axes,
            columns: columns.clone(),
            better: C::BETTER,
            rows: rows(&kept),
        };
        let [x, y] = goal.names();
        write(path, &sheet.picture(Choice { x: Some(x), y: &[y.to_owned()] })?.svg()?)?;
    }
    let shown = |path: &OutputPath| path.display().to_string();
    let report = ExploreReport {
        method: match &proof {
            Some(_) => "bounds",
            None if found.exhaustive => "exhaustive",
            None => "evolutionary",
        },
        space,
        simulated: found.points.len(),
        from_journal: reused.into_inner(),
        refused: found.points.values().filter(|m| m.violation == f64::INFINITY).count(),
        over_limits: found.points.values().filter(|m| m.violation > 0.0 && m.violation.is_finite()).count(),
        settled: found.neighbours_measured,
        proof,
        objectives: goal.names(),
        front: best,
        csv: a.csv.as_ref().map(shown),
        plot: a.plot.as_ref().map(shown),
        journal: a.journal.as_ref().map(shown),
    };
    let table = output::table(axes.len(), &head, best_rows);
    output::print(cli, &report, |r| text(r, task, &axes, &found, &table))
}

/// The axes that were given, or the default ones.
fn axes(a: &SearchOptions, default: &[&str]) -> Result<Vec<Axis>, Failure> {
    let mut axes = a.over.clone();
    if axes.is_empty() {
        axes = default.iter().map(|text| text.parse()).collect::<Result<_, ArgumentError>>()?;
    }
    for (n, axis) in axes.iter().enumerate() {
        if axes[..n].iter().any(|other| other.path == axis.path) {
            return Err(ArgumentError::AxisTwice(axis.path.clone()).into());
        }
    }
    Ok(axes)
}

/// Writes a design as a file for `--spec`, and returns the file's name.
fn written(cli: &Cli, folder: &Path, number: usize, text: &str) -> Result<String, Failure> {
    make_folder(folder)?;
    let path = folder.join(format!("front-{number:02}.toml"));
    cli.files.check_in_folder("--designs", &path)?;
    write(&path, text)?;
    Ok(path.display().to_string())
}

/// The report as text.
fn text(r: &ExploreReport, task: &Task<'_>, axes: &[Axis], found: &SearchResult, table: &str) -> String {
    let how = match r.method {
        "exhaustive" => format!("all {} designs", r.space),
        "bounds" => {
            let end = match &r.proof {
                Some(ProofReport { complete: true, contradiction: [a, b] }) => {
                    let most = 100.0 * a.max(*b);
                    format!(
                        "no other one can beat them where the trends hold, of which the simulated are {most:.1} % off at most"
                    )
                }
                _ => "the budget is spent".to_owned(),
            };
            format!("{} of {} designs by bounds; {end}", r.simulated, r.space)
        }
        _ => {
            let end = if found.neighbours_measured {
                "no step from the front is better"
            } else {
                "the budget is spent"
            };
            format!("{} of {} designs by evolution; {end}", r.simulated, r.space)
        }
    };
    let [one, other] = r.objectives;
    let written: String = [&r.csv, &r.plot, &r.journal]
        .into_iter()
        .flatten()
        .chain(r.front.iter().filter_map(|best| best.design.as_ref()))
        .map(|path| format!("\n-> {path}"))
        .collect();
    format!(
        "{}; {}\n{how}; {} from the journal, {} refused, {} beyond the limits\n{} designs that nothing beats in {one} and \
         {other}:\n{}{written}",
        task.title,
        quantity::swept(axes),
        r.from_journal,
        r.refused,
        r.over_limits,
        r.front.len(),
        table
    )
}
