//! Charts of modelled figures: groups of bars, or lines over a number, one chart for each thing that rows say.

use crate::plot::Picture;
use crate::report::Row;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;

/// One chart: values by group and series, both in the order of the rows.
struct Chart<'a> {
    what: &'a str,
    unit: &'a str,
    groups: Vec<&'a str>,
    series: Vec<String>,
    /// Indices of group and series, and the value.
    values: Vec<(usize, usize, f64)>,
}

impl Chart<'_> {
    /// The numbers that the groups' names begin with.
    fn xs(&self) -> Vec<f64> {
        let number = |group: &&str| group.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(f64::NAN);
        self.groups.iter().map(number).collect()
    }
}

/// What follows the names of published numbers.
const PUBLISHED: &str = "(published)";
/// The series of points that is a line too.
const FRONTIER: &str = "frontier";
/// Points without names.
const BEATEN: &str = "beaten";

fn charts(rows: &[Row]) -> Vec<Chart<'_>> {
    let mut charts: Vec<Chart<'_>> = Vec::new();
    for row in rows {
        let (ours, theirs) = row.series.split_once(" beside ").unwrap_or((&row.series, &row.series));
        let points = [(format!("{theirs} {PUBLISHED}"), row.published), (ours.to_owned(), row.ours)];
        for (series, value) in points {
            let Some(value) = value else { continue };
            let at = charts.iter().position(|c| c.what == row.what && c.unit == row.unit);
            let at = at.unwrap_or_else(|| {
                charts.push(Chart {
                    what: &row.what,
                    unit: &row.unit,
                    groups: Vec::new(),
                    series: Vec::new(),
                    values: Vec::new(),
                });
                charts.len() - 1
            });
            let chart = &mut charts[at];
            let group = index(&mut chart.groups, row.operation.as_str());
            let series = index(&mut chart.series, series);
            if !chart.values.iter().any(|(g, s, _)| (*g, *s) == (group, series)) {
                chart.values.push((group, series, value));
            }
        }
    }
    charts
}

fn index<T: PartialEq>(list: &mut Vec<T>, item: T) -> usize {
    list.iter().position(|known| *known == item).unwrap_or_else(|| {
        list.push(item);
        list.len() - 1
    })
}

/// Draws the rows into SVG text.
pub(crate) fn draw(
    rows: &[Row],
    picture: Picture,
    id: &str,
    text: &mut String,
) -> Result<(), Box<dyn Error>> {
    let mut charts = charts(rows);
    if matches!(picture, Picture::Curves | Picture::Points) {
        // Single numbers, and those of no number, make no line.
        charts.retain(|chart| chart.xs().iter().any(|x| x.is_finite() && *x != chart.xs()[0]));
    }
    let columns = charts.len().clamp(1, 2);
    let lines = charts.len().div_ceil(columns).max(1);
    let height = if picture == Picture::Points { 520 } else { 340 };
    let size = (780 * columns as u32, height * lines as u32 + 30);
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let root = root.titled(id, ("sans-serif", 20))?;
    for (area, chart) in root.split_evenly((lines, columns)).iter().zip(&charts) {
        match picture {
            Picture::Curves | Picture::Points => curves(area, chart, picture)?,
            Picture::Bars | Picture::Times | Picture::Timeline => bars(area, chart)?,
        }
    }
    root.present()?;
    Ok(())
}

fn colour(series: usize, name: &str) -> RGBAColor {
    if name.ends_with(PUBLISHED) {
        BLACK.mix(0.25 + 0.12 * series as f64)
    } else {
        Palette99::pick(series).to_rgba()
    }
}

fn top(chart: &Chart<'_>) -> f64 {
    // The legend stands above.
    chart.values.iter().map(|v| v.2).fold(0.0, f64::max) * room(chart)
}

fn room(chart: &Chart<'_>) -> f64 {
    1.08 + 0.07 * chart.series.len() as f64
}

fn bars(area: &Area<'_>, chart: &Chart<'_>) -> Result<(), Box<dyn Error>> {
    let groups = chart.groups.len() as f64;
    // Heights are logarithms where the bars would not be seen beside each other.
    let all = || chart.values.iter().map(|v| v.2).filter(|v| *v > 0.0);
    let (least, most) = (all().fold(f64::INFINITY, f64::min), all().fold(0.0, f64::max));
    let floor = least / 3.0;
    let logarithmic = most > 40.0 * least;
    let height = |value: f64| if logarithmic { (value.max(floor) / floor).log10() } else { value };
    let top = height(most) * room(chart);
    let label = |y: &f64| {
        let value = if logarithmic { floor * 10f64.powf(*y) } else { *y };
        if value < 100.0 { format!("{value:.2}") } else { format!("{value:.0}") }
    };
    let mut context = ChartBuilder::on(area)
        .caption(chart.what, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(72)
        .build_cartesian_2d(0.0..groups, 0.0..top)?;
    context
        .configure_mesh()
        .disable_x_mesh()
        .disable_x_axis()
        .light_line_style(TRANSPARENT)
        .y_desc(chart.unit)
        .y_label_formatter(&label)
        .draw()?;
    let width = 0.8 / chart.series.len() as f64;
    for (series, name) in chart.series.iter().enumerate() {
        let fill = colour(series, name).filled();
        let of_series = chart.values.iter().filter(|v| v.1 == series);
        context
            .draw_series(of_series.map(|(group, _, value)| {
                let left = *group as f64 + 0.1 + width * series as f64;
                Rectangle::new([(left, 0.0), (left + width, height(*value))], fill)
            }))?
            .label(name)
            .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 12, y + 4)], fill));
    }
    let style = ("sans-serif", 11).into_font();
    for (group, name) in chart.groups.iter().enumerate() {
        let (x, y) = context.plotting_area().map_coordinate(&(group as f64 + 0.1, 0.0));
        // Neighbouring names stand on two lines.
        let below = y + 4 + 13 * (group as i32 % 2);
        let (left, above) = area.get_base_pixel();
        area.draw_text(name, &style.clone().color(&BLACK), (x - left, below - above))?;
    }
    legend(&mut context)
}

fn curves(area: &Area<'_>, chart: &Chart<'_>, picture: Picture) -> Result<(), Box<dyn Error>> {
    let xs = chart.xs();
    let (left, right) =
        xs.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(l, r), x| (l.min(*x), r.max(*x)));
    let axis = chart.groups.first().and_then(|g| g.split_once(' ')).map_or("", |(_, unit)| unit);
    let axis = axis.split(':').next().unwrap_or_default();
    let margin = if picture == Picture::Points { (right - left).max(1e-3) / 4.0 } else { 0.0 };
    let (left, right) = (left - margin / 8.0, right + margin);
    let mut context = ChartBuilder::on(area)
        .caption(chart.what, ("sans-serif", 16))
        .margin(8)
        .x_label_area_size(36)
        .y_label_area_size(72)
        .build_cartesian_2d(left..right, 0.0..top(chart))?;
    context.configure_mesh().light_line_style(TRANSPARENT).x_desc(axis).y_desc(chart.unit).draw()?;
    for (series, name) in chart.series.iter().enumerate() {
        let colour = colour(series, name);
        let points: Vec<(f64, f64)> =
            chart.values.iter().filter(|v| v.1 == series).map(|(g, _, value)| (xs[*g], *value)).collect();
        let points = {
            let mut sorted = points;
            sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
            sorted
        };
        if picture == Picture::Points && name == FRONTIER {
            context.draw_series(LineSeries::new(points.iter().copied(), colour.stroke_width(1)))?;
        }
        if name.ends_with(PUBLISHED) || picture == Picture::Points {
            context.draw_series(points.iter().map(|p| Circle::new(*p, 5, colour.filled())))?
        } else {
            context.draw_series(LineSeries::new(points, colour.stroke_width(2)).point_size(2))?
        }
        .label(name)
        .legend(move |(x, y)| PathElement::new([(x, y), (x + 16, y)], colour.stroke_width(2)));
    }
    if picture == Picture::Points {
        let style = ("sans-serif", 10).into_font();
        for (group, series, value) in &chart.values {
            if chart.series[*series] == BEATEN {
                continue;
            }
            let Some((_, name)) = chart.groups[*group].split_once(": ") else { continue };
            let text = Text::new(name.to_owned(), (6, -4), style.clone());
            context.draw_series([EmptyElement::at((xs[*group], *value)) + text])?;
        }
    }
    legend(&mut context)
}

type Context<'a, 'b> = ChartContext<
    'a,
    SVGBackend<'b>,
    Cartesian2d<plotters::coord::types::RangedCoordf64, plotters::coord::types::RangedCoordf64>,
>;

fn legend<'a, 'b: 'a>(context: &mut Context<'a, 'b>) -> Result<(), Box<dyn Error>> {
    context
        .configure_series_labels()
        .position(SeriesLabelPosition::UpperLeft)
        .background_style(WHITE.mix(0.8))
        .border_style(BLACK.mix(0.3))
        .draw()?;
    Ok(())
}
