//! `--sweep`: the same simulation at every point of a product of parameter values, as a table, as CSV and as a picture.

use super::picture::{Choice, Sheet};
use super::quantity::{self, Sense};
use crate::args::{Axis, Cli, OutputPath, Sweep, points};
use crate::commands::cluster;
use crate::failure::{ArgumentError, Failure};
use crate::files::write_text as write;
use crate::output;
use crate::progress::Progress;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::ffi::OsString;

/// The results of a simulation of a design, as columns of a table.
pub(super) trait Costs: Serialize + Send + Sync + Sized + 'static {
    /// The columns of a table.
    const COLUMNS: &'static [Column<Self>];
    /// The columns by which designs are compared, two or more, each with whether less or more is better. The first two are the axes of
    /// a picture of designs, and the first ones that change are drawn over a parameter.
    const BETTER: &'static [(&'static str, Sense)];
    /// Names of the columns.
    fn names() -> Vec<&'static str> {
        Self::COLUMNS.iter().map(|(name, _)| *name).collect()
    }
    /// The cells of the columns for this design.
    fn cells(&self) -> Vec<String> {
        Self::COLUMNS.iter().map(|(_, cell)| cell(self)).collect()
    }
}

/// A column of a table: its name, with the unit, and the function that formats a design's cell.
pub(super) type Column<C> = (&'static str, fn(&C) -> String);

/// Whether a parameter is the same at all points of a sweep: headings name only such parameters.
pub(super) fn fixed(axes: &[Axis], name: &str) -> bool {
    let same = |path: &str| path == name || path.rsplit('.').next() == Some(name);
    !axes.iter().any(|axis| same(&axis.path.replace('-', "_")))
}

/// The parameters that all points of a sweep share.
pub(super) struct Family<'a, H> {
    /// The operator and its parameters, for the report in JSON.
    pub head: H,
    /// The parameters that are the same at all points, as text: the title of the picture.
    pub title: String,
    /// The text after the title above the table.
    pub checked: &'a str,
}

/// A point of the sweep, with its costs or the reason why it has none.
#[derive(Serialize)]
struct Point<C> {
    /// The swept parameters with their values at this point.
    parameters: BTreeMap<String, String>,
    #[serde(flatten)]
    costs: Option<Found<C>>,
    /// The reason why the design was refused, if it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
    /// The cells of its row, which `--cluster` uses.
    #[serde(skip_serializing_if = "Option::is_none")]
    cells: Option<Vec<String>>,
}

/// The costs of a design, by where it was simulated.
#[derive(Serialize)]
#[serde(untagged)]
enum Found<C> {
    /// Simulated in this process.
    Here(C),
    /// Simulated on a cluster: the members of its JSON object, and the cells of its row.
    There {
        #[serde(flatten)]
        object: Map<String, Value>,
        #[serde(skip)]
        cells: Vec<String>,
    },
}

impl<C: Costs> Found<C> {
    fn cells(&self) -> Vec<String> {
        match self {
            Self::Here(costs) => costs.cells(),
            Self::There { cells, .. } => cells.clone(),
        }
    }
}

#[derive(Serialize)]
struct SweepReport<H, C> {
    #[serde(flatten)]
    head: H,
    points: Vec<Point<C>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<String>,
}

/// Simulates every point of the product of the axes. `at` makes the design of a point from its parameters and their values, and
/// `simulate` computes its costs. An error of `at` is a typing error and ends the sweep before it begins; a design that `simulate`
/// refuses becomes a point without costs.
pub(super) fn run<H: Serialize, P, C: Costs>(
    cli: &Cli,
    args: &Sweep,
    family: Family<'_, H>,
    at: impl Fn(&[(&str, &str)]) -> Result<P, Failure> + Sync,
    simulate: impl Fn(P) -> Result<C, Failure> + Sync,
) -> Result<(), Failure> {
    let axes = &args.sweep;
    let all = points(axes)?;
    for axis in axes {
        axis.values.iter().try_for_each(|value| at(&[(&axis.path, value)]).map(drop))?;
    }
    let points = match &args.cluster {
        Some(address) => {
            let _progress = Progress::new(0, "designs on the cluster");
            there::<C>(cli, args, address, &all)?
        }
        None => {
            let progress = Progress::new(all.len() as u64, "designs");
            let one = |values: &Vec<String>| {
                let paths = axes.iter().map(|axis| axis.path.as_str());
                let settings: Vec<(&str, &str)> = paths.zip(values.iter().map(String::as_str)).collect();
                let point = point(&settings, simulate(at(&settings)?), args.cells);
                progress.add(1);
                point
            };
            all.par_iter().map(one).collect::<Result<Vec<_>, _>>()?
        }
    };
    let shown = |p: &OutputPath| p.display().to_string();
    let report = SweepReport {
        head: family.head,
        points,
        csv: args.csv.as_ref().map(shown),
        plot: args.plot.as_ref().map(shown),
    };
    if let Some(path) = &args.csv {
        write(path, &csv(axes, &report.points))?;
    }
    // If every point was refused, the sweep fails; the CSV has the reason for each point. With `--cells`, which `--cluster` uses, the
    // points are returned in any case.
    match nothing_ran(&report.points) {
        Some(why) if !args.cells => return Err(why.into()),
        _ => {}
    }
    if let Some(path) = &args.plot {
        let sheet = sheet(&family.title, axes, &report.points);
        let choice = Choice { x: args.x.as_deref(), y: &args.y };
        write(path, &sheet.picture(choice)?.svg()?)?;
    }
    output::print(cli, &report, |r| {
        let written = [&r.csv, &r.plot].into_iter().flatten().map(|path| format!("\n-> {path}"));
        let written: String = written.collect();
        let (title, swept) = (&family.title, quantity::swept(axes));
        format!("{title}; {swept}; {}\n{}{written}", family.checked, table(axes, &r.points))
    })
}

/// The error of a sweep of which every design was refused; `None` if some design has costs.
fn nothing_ran<C>(points: &[Point<C>]) -> Option<ArgumentError> {
    let first = points.first()?.refused.clone()?;
    let none = points.iter().all(|point| point.costs.is_none());
    none.then_some(ArgumentError::AllRefused { designs: points.len(), first })
}

/// The point of a simulated design. A design that cannot be built, or that a program does not fit into, becomes a point without
/// costs; a wrong result ends the sweep.
fn point<C: Costs>(
    settings: &[(&str, &str)],
    costs: Result<C, Failure>,
    with_cells: bool,
) -> Result<Point<C>, Failure> {
    let parameters = settings.iter().map(|(path, value)| ((*path).to_owned(), (*value).to_owned())).collect();
    match costs {
        Ok(costs) => {
            let cells = with_cells.then(|| costs.cells());
            Ok(Point { parameters, costs: Some(Found::Here(costs)), refused: None, cells })
        }
        Err(Failure::BadInput(why)) => {
            Ok(Point { parameters, costs: None, refused: Some(why.to_string()), cells: None })
        }
        Err(other) => Err(other),
    }
}

/// Simulates the points on a cluster: for each, a worker runs this command line with one value of every axis.
fn there<C: Costs>(
    cli: &Cli,
    args: &Sweep,
    address: &str,
    all: &[Vec<String>],
) -> Result<Vec<Point<C>>, Failure> {
    if let Some(input) = cli.files.standard_inputs().next() {
        return Err(ArgumentError::ClusterInput(input.to_owned()).into());
    }
    let fixed = unswept(&cli.words)?;
    let line = |values: &Vec<String>| {
        let axes = args.sweep.iter().zip(values);
        let axes = axes.flat_map(|(axis, value)| ["--sweep".to_owned(), format!("{}={value}", axis.path)]);
        fixed.iter().cloned().chain(axes).chain(["--cells".to_owned()]).collect::<Vec<_>>()
    };
    let lines: Vec<Vec<String>> = all.iter().map(line).collect();
    let answers = cluster::run_lines(address, args.cache.as_deref(), &lines)?;
    answers.into_iter().map(far_point).collect()
}

/// The words of a command line without the options that choose a sweep's points, the cluster, and the outputs of the sweep.
fn unswept(words: &[OsString]) -> Result<Vec<String>, Failure> {
    const VALUED: &[&str] =
        &["--sweep", "--csv", "--plot", "--x", "--y", "--cluster", "--cache", "--threads"];
    const ALONE: &[&str] = &["--json", "--quiet", "--verbose", "-q", "-v"];
    let (mut kept, mut words) = (Vec::new(), words.iter());
    while let Some(word) = words.next() {
        let text = word.to_str().ok_or_else(|| ArgumentError::ClusterWord(word.clone()))?;
        let option = text.split('=').next().unwrap_or(text);
        if VALUED.contains(&option) {
            if option == text {
                words.next();
            }
        } else if !ALONE.contains(&text) {
            kept.push(text.to_owned());
        }
    }
    Ok(kept)
}

/// The point in a worker's answer.
fn far_point<C>(answer: Value) -> Result<Point<C>, Failure> {
    /// The same object as [`Point`] writes.
    #[derive(Deserialize)]
    struct Far {
        parameters: BTreeMap<String, String>,
        refused: Option<String>,
        cells: Option<Vec<String>>,
        #[serde(flatten)]
        costs: Map<String, Value>,
    }
    let wrong = |why: serde_json::Error| Failure::Internal(format!("an answer of the cluster: {why}").into());
    let point = answer.get("points").and_then(|points| points.get(0)).cloned().unwrap_or_default();
    let Far { parameters, refused, cells, costs: object } = serde_json::from_value(point).map_err(wrong)?;
    let costs = cells.map(|cells| Found::There { object, cells });
    Ok(Point { parameters, costs, refused, cells: None })
}

fn values<'a, C>(axes: &'a [Axis], point: &'a Point<C>) -> impl Iterator<Item = String> + 'a {
    axes.iter().map(|axis| point.parameters.get(&axis.path).cloned().unwrap_or_default())
}

fn csv<C: Costs>(axes: &[Axis], points: &[Point<C>]) -> String {
    let head = axes.iter().map(|a| a.path.as_str()).chain(C::names()).chain(["refused"]);
    let mut text = head.collect::<Vec<_>>().join(",") + "\n";
    for point in points {
        let none = || vec![String::new(); C::COLUMNS.len()];
        let costs = point.costs.as_ref().map_or_else(none, Found::cells);
        let refused = point.refused.as_ref().map_or_else(String::new, |why| quoted(why));
        let line = values(axes, point).map(|v| quoted(&v)).chain(costs).chain([refused]);
        text += &(line.collect::<Vec<_>>().join(",") + "\n");
    }
    text
}

fn quoted(cell: &str) -> String {
    if cell.contains([',', '"', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_owned()
    }
}

/// The points that have costs, for a picture.
fn sheet<'a, C: Costs>(title: &'a str, axes: &'a [Axis], points: &[Point<C>]) -> Sheet<'a> {
    let row = |point: &Point<C>| Some(values(axes, point).chain(point.costs.as_ref()?.cells()).collect());
    let rows = points.iter().filter_map(row).collect();
    Sheet { title, swept: axes, columns: C::names(), better: C::BETTER, rows }
}

fn table<C: Costs>(axes: &[Axis], points: &[Point<C>]) -> String {
    let head: Vec<&str> = axes.iter().map(|axis| axis.path.as_str()).chain(C::names()).collect();
    let row = |point: &Point<C>| -> Vec<String> {
        let costs = match &point.costs {
            Some(costs) => costs.cells(),
            None => vec![point.refused.clone().unwrap_or_default()],
        };
        values(axes, point).chain(costs).collect()
    };
    output::table(axes.len(), &head, points.iter().map(row))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_worker_gets_the_line_without_the_sweep() {
        let line = "--json sim mtu --size 2^10 --sweep pes=2,4 --set a=1 --csv=s.csv --plot s.svg --x pes --y cycles \
                    --cluster tls://host:8786 --cache c --sweep=size=2^4 -q --threads 2 --pes 4";
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        assert_eq!(unswept(&words).unwrap().join(" "), "sim mtu --size 2^10 --set a=1 --pes 4");
    }

    #[test]
    fn what_a_worker_says_is_a_point() {
        let of = |point: Value| far_point::<()>(serde_json::json!({ "points": [point] }));
        let parameters = serde_json::json!({ "pes": "4" });
        let found =
            of(serde_json::json!({ "parameters": parameters, "cycles": 7, "cells": ["7", "x"] })).unwrap();
        assert!(matches!(&found.costs, Some(Found::There { object, cells })
            if object["cycles"] == 7 && !object.contains_key("cells") && *cells == ["7", "x"]));
        let refused = of(serde_json::json!({ "parameters": parameters, "refused": "pes is 3" })).unwrap();
        assert!(refused.costs.is_none() && refused.refused.as_deref() == Some("pes is 3"));
        assert!(far_point::<()>(serde_json::json!({ "status": "ok" })).is_err());
    }
}
