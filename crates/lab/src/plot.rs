//! Draws results as SVG: converts the rows of a table into the typed charts of [`pairwright_plot`].

use crate::LabError;
use crate::experiment::{Experiment, Picture};
use crate::report;
use crate::row::{Kind, Row};
use pairwright_plot::{
    Axis, BarSeries, Bars, Chart, Figure, Frontier, Mark, Origin, Plane, Point, Scale, Series, Span, Timeline,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

/// Operations of [`Picture::Times`], one chart each.
const TIMED: [&str; 5] = ["vadd", "vsub", "vmul", "axpy", "ntt"];
/// The first word of the names of stalls in a timeline; stalls are listed after work.
const WAITS: &str = "waits";
/// The series name of published numbers that several of our series answer.
const PAPER: &str = "the paper";

/// Draws `<folder>/<id>.csv` as `<folder>/<id>.svg` and returns its path; `None` if nothing can be drawn.
///
/// # Errors
/// The experiment has not run, its table cannot be read, or the figure cannot be written.
pub fn plot(folder: &Path, experiment: &Experiment) -> Result<Option<PathBuf>, LabError> {
    let table = folder.join(experiment.id).with_extension("csv");
    if !table.is_file() {
        return Err(LabError::NotRun(table));
    }
    let charts = charts(&report::read(&table)?, experiment.picture);
    if charts.is_empty() {
        return Ok(None);
    }
    let path = table.with_extension("svg");
    let title = format!("{}: {}", experiment.id, experiment.claim);
    let text = Figure { title, about: String::new(), charts }.svg()?;
    std::fs::write(&path, text).map_err(LabError::io(&path))?;
    Ok(Some(path))
}

fn charts(rows: &[Row], picture: Picture) -> Vec<Chart> {
    match picture {
        Picture::Times => times(rows),
        Picture::Bars => by_quantity(rows).iter().filter_map(bars).collect(),
        Picture::Lines => by_quantity(rows).iter().filter_map(|chart| plane(chart, None)).collect(),
        Picture::Points(frontier) => {
            by_quantity(rows).iter().filter_map(|chart| plane(chart, Some(frontier))).collect()
        }
        Picture::Timeline => by_quantity(rows).iter().filter_map(timeline).collect(),
    }
}

/// A number to draw, and whether it is ours or published.
struct Value<'a> {
    row: &'a Row,
    /// The quantity of the chart in which it is drawn.
    what: Cow<'a, str>,
    series: &'a str,
    origin: Origin,
    value: f64,
}

/// The published number of a row and ours. A number of ours that was fitted to the published one is left out, since it
/// would look like a confirmation.
fn values<'a>(row: &'a Row, names: &[&'a str]) -> impl Iterator<Item = Value<'a>> {
    let theirs = if row.beside.is_empty() { &row.series } else { &row.beside };
    let (what, series) = named_after(row, names);
    let value = |series, origin, value| Value { row, what: what.clone(), series, origin, value };
    let published = row.published.map(|number| value(theirs, Origin::Published, number));
    let ours = row.ours.filter(|_| row.kind != Kind::Calibrated);
    let ours = ours.map(|number| value(series, Origin::Ours, number));
    published.into_iter().chain(ours)
}

/// The quantity and the series of a row. For rows about the effect of a parameter on one series' answer, the quantity's
/// name contains the series, and all such series are drawn in one chart.
fn named_after<'a>(row: &'a Row, names: &[&'a str]) -> (Cow<'a, str>, &'a str) {
    let named = names.iter().find_map(|name| {
        let (before, after) = row.what.split_once(&format!(", {name}"))?;
        (after.is_empty() || after.starts_with(": ")).then(|| (format!("{before}{after}").into(), *name))
    });
    named.unwrap_or((Cow::Borrowed(&row.what), &row.series))
}

/// The numbers of one quantity in one unit.
struct Quantity<'a> {
    values: Vec<Value<'a>>,
}

impl<'a> Quantity<'a> {
    fn what(&self) -> String {
        self.values[0].what.to_string()
    }

    fn unit(&self) -> String {
        self.values[0].row.unit.clone()
    }

    /// If every series of ours answers the same published number, it is drawn as a single series.
    fn name_the_paper(&mut self) {
        let unnamed = |value: &&Value<'_>| value.origin == Origin::Published && value.row.beside.is_empty();
        let same = |a: &Value<'_>, b: &Value<'_>| a.row.operation != b.row.operation || a.value == b.value;
        let all = || self.values.iter().filter(unnamed);
        if all().all(|a| all().all(|b| same(a, b))) && all().any(|a| all().any(|b| a.series != b.series)) {
            let theirs = self.values.iter_mut().filter(|value| unnamed(&&**value));
            theirs.for_each(|value| value.series = PAPER);
        }
    }

    /// Names and numbers by series, in row order.
    fn series(&self) -> Vec<(&'a str, Origin, Vec<&Value<'a>>)> {
        let mut found: Vec<(&str, Origin, Vec<&Value<'_>>)> = Vec::new();
        for value in &self.values {
            let known =
                found.iter_mut().find(|(name, origin, _)| (*name, *origin) == (value.series, value.origin));
            match known {
                Some((.., values)) => values.push(value),
                None => found.push((value.series, value.origin, vec![value])),
            }
        }
        found
    }
}

/// The numbers of each quantity, in row order. A quantity is left out if all of our numbers are missing or fitted,
/// since the published ones would have no counterpart.
fn by_quantity(rows: &[Row]) -> Vec<Quantity<'_>> {
    let names: BTreeSet<&str> = rows.iter().map(|row| row.series.as_str()).collect();
    let names: Vec<&str> = names.into_iter().filter(|name| !name.is_empty()).collect();
    let mut found: Vec<Quantity<'_>> = Vec::new();
    for value in rows.iter().flat_map(|row| values(row, &names)) {
        let same = |q: &&mut Quantity<'_>| {
            (&q.values[0].what, &q.values[0].row.unit) == (&value.what, &value.row.unit)
        };
        match found.iter_mut().find(same) {
            Some(quantity) => quantity.values.push(value),
            None => found.push(Quantity { values: vec![value] }),
        }
    }
    found.retain(|quantity| quantity.values.iter().any(|value| value.origin == Origin::Ours));
    found.iter_mut().for_each(Quantity::name_the_paper);
    found
}

/// The index of an item in a list; a new item is appended.
fn index(list: &mut Vec<String>, item: &str) -> usize {
    list.iter().position(|known| known == item).unwrap_or_else(|| {
        list.push(item.to_owned());
        list.len() - 1
    })
}

fn bars(quantity: &Quantity<'_>) -> Option<Chart> {
    let mut groups = Vec::new();
    let series = quantity.series().into_iter().map(|(name, origin, values)| {
        let mut places: Vec<(usize, f64)> = Vec::new();
        for value in values {
            let group = index(&mut groups, &value.row.operation);
            // A published number occurs in one row for each of its answers, but is drawn once.
            if places.iter().all(|(known, _)| *known != group) {
                places.push((group, value.value));
            }
        }
        BarSeries { name: name.to_owned(), origin, values: places }
    });
    let series = series.collect();
    Some(Chart::Bars(Bars { title: quantity.what(), unit: quantity.unit(), groups, series }))
}

/// Lines over the rows' `x`, or points if `frontier` is given; `None` if fewer than two positions have a number.
fn plane(quantity: &Quantity<'_>, frontier: Option<Frontier>) -> Option<Chart> {
    let placed = |value: &&Value<'_>| value.row.x.is_some();
    let first = quantity.values.iter().find(placed)?.row;
    quantity.values.iter().find(|value| value.row.x.is_some_and(|x| Some(x) != first.x))?;
    let (mark, scale) = match frontier {
        Some(_) => (Mark::Points, Scale::Fitted),
        None => (Mark::Line, Scale::FromZero),
    };
    let series = quantity.series().into_iter().map(|(name, origin, values)| {
        let point = |value: &Value<'_>| {
            let name = value.row.operation.clone();
            Some(Point { x: value.row.x?, y: value.value, label: name.clone(), name })
        };
        let mut points: Vec<Point> = values.into_iter().filter_map(point).collect();
        points.dedup_by(|a, b| (a.x, a.y) == (b.x, b.y));
        let mark = if origin == Origin::Published { Mark::Points } else { mark };
        Series { name: name.to_owned(), origin, mark, points }
    });
    Some(Chart::Plane(Plane {
        title: quantity.what(),
        x: Axis { name: first.x_name.clone(), scale: Scale::Fitted },
        y: Axis { name: quantity.unit(), scale },
        series: series.filter(|series| !series.points.is_empty()).collect(),
        frontier,
        labels: frontier.is_some(),
        equal_products: false,
    }))
}

/// Charts of nanoseconds over width or length. Numbers published in the same unit are a series of their own.
fn times(rows: &[Row]) -> Vec<Chart> {
    let mut charts = Vec::new();
    for operation in TIMED {
        let timed = |value: &Value<'_>| {
            // A row that answers a published number repeats a number of the figure's own rows.
            let repeated = value.origin == Origin::Ours && value.row.published.is_some();
            value.row.operation == operation && value.row.unit.starts_with("ns per ") && !repeated
        };
        let values: Vec<Value<'_>> = rows.iter().flat_map(|row| values(row, &[])).filter(timed).collect();
        let Some(first) = values.first().map(|value| value.row) else { continue };
        // Vectors have the length with the best time, so length is not an axis for them.
        let lengths = operation == "ntt" && values.iter().any(|value| value.row.log2_n != first.log2_n);
        let quantity = Quantity { values };
        let series = quantity.series().into_iter().map(|(name, origin, values)| {
            let point = |value: &Value<'_>| {
                let x = if lengths { value.row.log2_n } else { value.row.bits };
                Some(Point { x: x?.into(), y: value.value, name: String::new(), label: String::new() })
            };
            let name = match origin {
                Origin::Ours => name.to_owned(),
                Origin::Published => format!("{name} {}", values[0].row.published_device),
            };
            let mut points: Vec<Point> = values.into_iter().filter_map(point).collect();
            points.dedup_by(|a, b| (a.x, a.y) == (b.x, b.y));
            Series { name, origin, mark: Mark::Line, points }
        });
        let (x, scale) =
            if lengths { ("log2 of the points", Scale::Fitted) } else { ("bits", Scale::PowersOfTwo) };
        charts.push(Chart::Plane(Plane {
            title: operation.to_owned(),
            x: Axis { name: x.to_owned(), scale },
            y: Axis { name: first.unit.clone(), scale: Scale::Logarithmic },
            series: series.collect(),
            frontier: None,
            labels: false,
            equal_products: false,
        }));
    }
    charts
}

fn timeline(quantity: &Quantity<'_>) -> Option<Chart> {
    let (mut tracks, mut spans) = (Vec::new(), Vec::new());
    let mut activities: Vec<String> = quantity.series().iter().map(|s| s.0.to_owned()).collect();
    activities.sort_by_key(|name| (name.starts_with(WAITS), name.clone()));
    for Value { row, series, value, .. } in &quantity.values {
        let Some(start) = row.x else { continue };
        let track = index(&mut tracks, &row.operation);
        let activity = index(&mut activities, series);
        spans.push(Span { track, start, length: *value, activity });
    }
    (!spans.is_empty()).then(|| {
        Chart::Timeline(Timeline { title: quantity.what(), unit: quantity.unit(), tracks, activities, spans })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::row::Labels;

    #[test]
    fn fitted_numbers_are_in_no_picture() {
        let labels = Labels { quantity: "power", operation: "NTT", unit: "W" };
        let modelled = labels.modelled("chip", 0.5, "");
        let fitted = Row {
            kind: Kind::Calibrated,
            published: Some(0.45),
            beside: "CP".to_owned(),
            ..modelled.clone()
        };
        assert!(charts(std::slice::from_ref(&fitted), Picture::Bars).is_empty());
        let drawn = charts(&[fitted, Row { operation: "MSM".to_owned(), ..modelled }], Picture::Bars);
        let [Chart::Bars(bars)] = &drawn[..] else { panic!("{drawn:?}") };
        let series: Vec<_> = bars.series.iter().map(|s| (s.name.as_str(), &s.values[..])).collect();
        assert_eq!(series, [("CP", &[(0, 0.45)][..]), ("chip", &[(1, 0.5)][..])]);
    }

    #[test]
    fn one_published_number_of_many_series_is_one_bar() {
        let labels = Labels { quantity: "time", operation: "NTT", unit: "ms" };
        let row = |series, published| Row { published: Some(published), ..labels.modelled(series, 2.0, "") };
        let names = |rows: &[Row]| {
            let drawn = charts(rows, Picture::Bars);
            let [Chart::Bars(bars)] = &drawn[..] else { panic!("{drawn:?}") };
            let series = bars.series.iter().map(|s| (s.name.clone(), s.values.clone()));
            series.filter(|(_, values)| values[0].1 != 2.0).collect::<Vec<_>>()
        };
        let paper = ("the paper".to_owned(), vec![(0, 3.0)]);
        assert_eq!(names(&[row("hidden", 3.0), row("unhidden", 3.0)]), [paper]);
        assert_eq!(names(&[row("hidden", 3.0), row("unhidden", 4.0)]).len(), 2);
        let theirs = Row { ours: None, kind: Kind::Published, ..row("hidden", 3.0) };
        assert!(charts(&[theirs], Picture::Bars).is_empty());
    }

    #[test]
    fn what_is_named_after_a_series_is_drawn_as_that_series() {
        let change = |after: &str, series| {
            let quantity = format!("change of the area, core{after}");
            Labels { quantity: &quantity, operation: "gate = 0.6", unit: "%" }.modelled(series, 9.0, "")
        };
        let answer =
            |series| Labels { quantity: "area", operation: "core", unit: "mm2" }.modelled(series, 7.0, "");
        let (one, other) = ("SkyWater, 130 nm", "Nangate, 45 nm");
        let rows = [
            answer(one),
            answer(other),
            change(", SkyWater, 130 nm", "by cells"),
            change(", Nangate, 45 nm", "by cells"),
            change(", of another", "by cells"),
            change(", Nangate, 45 nm: all at an end", "by cells"),
        ];
        let drawn: Vec<(String, Vec<String>)> = charts(&rows, Picture::Bars)
            .into_iter()
            .filter_map(|chart| match chart {
                Chart::Bars(bars) => Some((bars.title, bars.series.into_iter().map(|s| s.name).collect())),
                _ => None,
            })
            .collect();
        let both = vec![one.to_owned(), other.to_owned()];
        let wanted = [
            ("area".to_owned(), both.clone()),
            ("change of the area, core".to_owned(), both),
            ("change of the area, core, of another".to_owned(), vec!["by cells".to_owned()]),
            ("change of the area, core: all at an end".to_owned(), vec![other.to_owned()]),
        ];
        assert_eq!(drawn, wanted);
    }

    #[test]
    fn a_timeline_has_a_track_for_each_operation() {
        let labels = Labels { quantity: "one task", operation: "A", unit: "cycles" };
        let at = |x: f64, activity| Row { x: Some(x), ..labels.modelled(activity, 5.0, "") };
        let drawn = charts(&[at(5.0, "waits for a value"), at(0.0, "runs")], Picture::Timeline);
        let [Chart::Timeline(timeline)] = &drawn[..] else { panic!("{drawn:?}") };
        assert_eq!((&timeline.tracks[..], timeline.spans.len()), (&["A".to_owned()][..], 2));
        assert_eq!(timeline.activities, ["runs", "waits for a value"]);
    }
}
