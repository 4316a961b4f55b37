//! Figures as SVG, drawn from a result's table.
//!
//! Times: one chart per operation, nanoseconds on a logarithmic axis against the size, where it varies, or else the
//! width; a line per series. What was published in the same unit is drawn as a series of its own. Other pictures have
//! a chart for each thing that rows say: see [`Picture`].

use crate::LabError;
use crate::bars;
use crate::experiment::find;
use crate::report::{self, Kind, Row};
use crate::timeline;
use plotters::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// How an experiment's rows are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Picture {
    /// Nanoseconds by size or width.
    Times,
    /// A chart for each `what`: bars of the series in a group for each operation.
    Bars,
    /// A chart for each `what`: lines of the series over the number that the operation begins with.
    Curves,
    /// The same with points, named after the colon of their operations; the series `frontier` is a line too, and those of
    /// `beaten` have no names.
    Points,
    /// A chart for each `what`: blocks on the tracks that follow the start in their operations.
    Timeline,
}

/// Draws `<folder>/<id>.csv` into `<folder>/<id>.svg` and returns its path; `None` where the result has no times.
///
/// # Errors
/// There is no such experiment, it has not run, its table cannot be read, or the figure cannot be written.
pub fn plot(folder: &Path, id: &str) -> Result<Option<PathBuf>, LabError> {
    let table = folder.join(id).with_extension("csv");
    if !table.is_file() {
        return Err(LabError::NotRun(table));
    }
    let rows = report::read(&table)?;
    let path = table.with_extension("svg");
    let mut text = String::new();
    match find(id)?.picture {
        Picture::Times => {
            let charts = charts(&rows);
            if charts.is_empty() {
                return Ok(None);
            }
            draw(&charts, id, &mut text)
        }
        Picture::Timeline => timeline::draw(&rows, id, &mut text),
        picture => bars::draw(&rows, picture, id, &mut text),
    }
    .map_err(|error| LabError::Drawing { id: id.to_owned(), said: error.to_string() })?;
    std::fs::write(&path, text).map_err(|source| LabError::Io { path: path.clone(), source })?;
    Ok(Some(path))
}

/// The lines of one operation.
struct Chart {
    operation: String,
    axis: &'static str,
    unit: String,
    lines: BTreeMap<String, Vec<(f64, f64)>>,
}

fn charts(rows: &[Row]) -> Vec<Chart> {
    let times: Vec<(&Row, String, f64)> = rows
        .iter()
        .filter(|row| row.unit.starts_with("ns per "))
        .filter_map(|row| match (row.published, row.ours, row.kind) {
            (None, Some(ours), _) => Some((row, row.series.clone(), ours)),
            (Some(published), _, Kind::Published) => {
                Some((row, format!("{} {} (published)", row.series, row.device), published))
            }
            _ => None,
        })
        .collect();
    let mut charts: Vec<Chart> = Vec::new();
    for operation in ["vadd", "vsub", "vmul", "axpy", "ntt"] {
        let here: Vec<_> = times.iter().filter(|(row, ..)| row.operation == operation).collect();
        let Some((first, ..)) = here.first() else { continue };
        // Vectors have the size that was best: it is no axis.
        let sizes = operation == "ntt" && here.iter().any(|(row, ..)| row.log2_n != first.log2_n);
        let axis = if sizes { "log2 of the points" } else { "bits" };
        let mut lines = BTreeMap::<String, Vec<(f64, f64)>>::new();
        for (row, series, time) in here {
            if let Some(x) = if sizes { row.log2_n } else { row.bits } {
                lines.entry(series.clone()).or_default().push((f64::from(x), *time));
            }
        }
        charts.push(Chart { operation: operation.to_owned(), axis, unit: first.unit.clone(), lines });
    }
    charts
}

fn draw(charts: &[Chart], id: &str, text: &mut String) -> Result<(), Box<dyn std::error::Error>> {
    let columns = charts.len().min(2);
    let rows = charts.len().div_ceil(columns);
    let size = (640 * columns as u32, 440 * rows as u32 + 30);
    {
        let root = SVGBackend::with_string(text, size).into_drawing_area();
        root.fill(&WHITE)?;
        let root = root.titled(id, ("sans-serif", 20))?;
        // A series has one colour in all charts.
        let series: BTreeSet<&str> =
            charts.iter().flat_map(|chart| chart.lines.keys().map(String::as_str)).collect();
        for (area, chart) in root.split_evenly((rows, columns)).iter().zip(charts) {
            draw_one(area, chart, &series)?;
        }
        root.present()?;
    }
    Ok(())
}

fn draw_one(
    area: &DrawingArea<SVGBackend<'_>, plotters::coord::Shift>,
    chart: &Chart,
    all: &BTreeSet<&str>,
) -> Result<(), Box<dyn std::error::Error>> {
    let points = || chart.lines.values().flatten();
    let span = |pick: fn(&(f64, f64)) -> f64| {
        points().map(pick).fold((f64::INFINITY, 0f64), |(low, high), x| (low.min(x), high.max(x)))
    };
    let (left, right) = span(|point| point.0);
    let (low, high) = span(|point| point.1);
    let margin = ((right - left) / 20.0).max(0.5);
    // The legend stands above the lines: a part of the height for each of its own.
    let room = (high / low).max(10.0).powf(0.08 * chart.lines.len() as f64 + 0.05);
    let mut context = ChartBuilder::on(area)
        .caption(&chart.operation, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(64)
        .build_cartesian_2d(left - margin..right + margin, (low / 1.3..high * room).log_scale())?;
    context
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .x_desc(chart.axis)
        .y_desc(&chart.unit)
        .x_label_formatter(&|x| format!("{x:.0}"))
        .y_label_formatter(&|y| format!("{y}"))
        .draw()?;
    for (series, points) in &chart.lines {
        let colour = Palette99::pick(all.range(..series.as_str()).count()).to_rgba();
        let mut points = points.clone();
        points.sort_by(|a, b| a.0.total_cmp(&b.0));
        context
            .draw_series(LineSeries::new(points, colour.stroke_width(2)).point_size(3))?
            .label(series)
            .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    context
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}
