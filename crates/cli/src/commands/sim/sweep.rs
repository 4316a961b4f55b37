//! `pairwright sim pairing --sweep`: a pairing on every design of a family.

use super::axes::{Axis, points};
use super::pairing::{Points, simulate};
use super::picture::{self, Dot};
use crate::args::{Cli, SimPairing};
use crate::commands::asm::write;
use crate::commands::design::{Chosen, with};
use crate::failure::Failure;
use crate::output;
use crate::progress::Progress;
use pairwright::chip::power::{Activity, Cost};
use rayon::prelude::*;
use serde::Serialize;
use std::collections::BTreeMap;

/// What a design of the family costs.
#[derive(Serialize)]
struct Costs {
    cycles: u64,
    /// Words of all routines.
    instructions: usize,
    clock_hz: f64,
    latency_s: f64,
    energy_j: f64,
    area_mm2: f64,
    atp_us_mm2: f64,
}

/// A design of the family.
#[derive(Serialize)]
struct Point {
    /// What is changed in it.
    parameters: BTreeMap<String, String>,
    #[serde(flatten)]
    costs: Option<Costs>,
    /// Why it has no costs.
    #[serde(skip_serializing_if = "Option::is_none")]
    refused: Option<String>,
}

#[derive(Serialize)]
struct Report {
    design: String,
    division: &'static str,
    scheduler: &'static str,
    seeds: u32,
    points: Vec<Point>,
    #[serde(skip_serializing_if = "Option::is_none")]
    csv: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    plot: Option<String>,
}

/// Every design of the product of the axes.
pub(super) fn run(cli: &Cli, a: &SimPairing) -> Result<(), Failure> {
    let chosen = a.design.choose()?;
    let family = points(&a.sweep)?;
    let arguments = Points::new(a.random);
    let progress = Progress::new(family.len() as u64, "designs");
    let points = family
        .par_iter()
        .map(|values| {
            let point = point(&chosen, &a.sweep, values, &arguments);
            progress.add(1);
            point
        })
        .collect::<Result<Vec<_>, _>>()?;
    drop(progress);
    let [division, scheduler] = chosen.words();
    let path = |p: &std::path::PathBuf| p.display().to_string();
    let report = Report {
        design: chosen.spec.name.clone(),
        division,
        scheduler,
        seeds: chosen.options.seeds,
        points,
        csv: a.csv.as_ref().map(path),
        plot: a.plot.as_ref().map(path),
    };
    if let Some(path) = &a.csv {
        write(path, &csv(&a.sweep, &report.points))?;
    }
    if let Some(path) = &a.plot {
        let title = format!(
            "{} design, {division} division, {scheduler} scheduler, {} schedules a routine",
            report.design, report.seeds
        );
        write(path, &picture::draw(&title, &dots(&a.sweep, &report.points)))?;
    }
    output::print(cli.json, &report, |r| text(&a.sweep, r))
}

/// One design. A design that cannot be built, or that a routine does not fit into, is a point without costs; a wrong
/// result ends the sweep.
fn point(chosen: &Chosen, axes: &[Axis], values: &[String], arguments: &Points) -> Result<Point, Failure> {
    let settings = axes.iter().map(|axis| axis.path.as_str()).zip(values.iter().map(String::as_str));
    let parameters = settings.clone().map(|(path, value)| (path.to_owned(), value.to_owned())).collect();
    let costs = with(&chosen.spec, settings).and_then(|spec| {
        let chosen = Chosen { spec, ..chosen.clone() };
        let program = chosen.pairing()?;
        let run = simulate(&program, arguments, &mut ())?;
        let cost = Cost::of(&chosen.spec, &Activity::from(&run));
        Ok(Costs {
            cycles: cost.cycles,
            instructions: program.routines.iter().map(|r| r.words.len()).sum(),
            clock_hz: cost.clock_hz,
            latency_s: cost.latency_s,
            energy_j: cost.energy_j,
            area_mm2: cost.area_mm2,
            atp_us_mm2: cost.atp_us_mm2,
        })
    });
    match costs {
        Ok(costs) => Ok(Point { parameters, costs: Some(costs), refused: None }),
        Err(Failure::BadInput(why)) => Ok(Point { parameters, costs: None, refused: Some(why.to_string()) }),
        Err(other) => Err(other),
    }
}

/// The columns of costs, units in their names.
const COLUMNS: [&str; 7] =
    ["cycles", "instructions", "clock_mhz", "latency_us", "energy_uj", "area_mm2", "atp_us_mm2"];

fn cells(costs: &Costs) -> [String; 7] {
    [
        costs.cycles.to_string(),
        costs.instructions.to_string(),
        format!("{:.1}", 1e-6 * costs.clock_hz),
        format!("{:.3}", 1e6 * costs.latency_s),
        format!("{:.3}", 1e6 * costs.energy_j),
        format!("{:.4}", costs.area_mm2),
        format!("{:.2}", costs.atp_us_mm2),
    ]
}

fn values<'a>(axes: &'a [Axis], point: &'a Point) -> impl Iterator<Item = String> + 'a {
    axes.iter().map(|axis| point.parameters.get(&axis.path).cloned().unwrap_or_default())
}

fn csv(axes: &[Axis], points: &[Point]) -> String {
    let head = axes.iter().map(|a| a.path.as_str()).chain(COLUMNS).chain(["refused"]);
    let mut text = head.collect::<Vec<_>>().join(",") + "\n";
    for point in points {
        let costs = point.costs.as_ref().map_or_else(Default::default, cells);
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

fn dots(axes: &[Axis], points: &[Point]) -> Vec<Dot> {
    let dot = |point: &Point| {
        let costs = point.costs.as_ref()?;
        let named: Vec<String> = axes
            .iter()
            .zip(values(axes, point))
            .map(|(axis, value)| format!("{}={value}", axis.path))
            .collect();
        Some(Dot {
            label: named.join(" "),
            cycles: costs.cycles as f64,
            latency_s: costs.latency_s,
            area_mm2: costs.area_mm2,
            atp_us_mm2: costs.atp_us_mm2,
        })
    };
    points.iter().filter_map(dot).collect()
}

fn text(axes: &[Axis], r: &Report) -> String {
    let head = axes.iter().map(|a| a.path.clone()).chain(COLUMNS.map(str::to_owned)).collect();
    let row = |point: &Point| -> Vec<String> {
        let costs = match &point.costs {
            Some(costs) => cells(costs).to_vec(),
            None => vec![point.refused.clone().unwrap_or_default()],
        };
        values(axes, point).chain(costs).collect()
    };
    let rows: Vec<Vec<String>> = std::iter::once(head).chain(r.points.iter().map(row)).collect();
    let written = [&r.csv, &r.plot].into_iter().flatten().map(|path| format!("\n-> {path}"));
    format!(
        "{} design, {} division, {} scheduler, {} schedules a routine; all equal to the host's pairing\n{}{}",
        r.design,
        r.division,
        r.scheduler,
        r.seeds,
        output::table(axes.len(), &rows),
        written.collect::<String>()
    )
}
