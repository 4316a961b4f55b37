//! Timelines: a chart for each thing that rows say, a track for each of its parts, a block for each span of cycles.
//!
//! A row's operation is the span's start and its track, `120 X3 mul_in A`; its value is how long it lasts.

use crate::report::Row;
use plotters::prelude::*;
use std::error::Error;

/// Height of a track in pixels.
const TRACK: u32 = 13;
/// Room for the caption and the axis of a chart.
const FRAME: u32 = 90;
/// How the names of stalls begin: they come after what is done.
const WAITS: &str = "waits";

struct Chart<'a> {
    what: &'a str,
    unit: &'a str,
    tracks: Vec<&'a str>,
    /// Track, start, length, what is done.
    spans: Vec<(usize, f64, f64, &'a str)>,
}

fn charts(rows: &[Row]) -> Vec<Chart<'_>> {
    let mut charts: Vec<Chart<'_>> = Vec::new();
    for row in rows.iter().filter(|row| row.published.is_none()) {
        let Some((start, track)) = row.operation.split_once(' ') else { continue };
        let (Ok(start), Some(length)) = (start.parse::<f64>(), row.ours) else { continue };
        let at = charts.iter().position(|chart| chart.what == row.what).unwrap_or_else(|| {
            charts.push(Chart { what: &row.what, unit: &row.unit, tracks: Vec::new(), spans: Vec::new() });
            charts.len() - 1
        });
        let chart = &mut charts[at];
        let known = chart.tracks.iter().position(|name| *name == track);
        let at = known.unwrap_or_else(|| {
            chart.tracks.push(track);
            chart.tracks.len() - 1
        });
        chart.spans.push((at, start, length, &row.series));
    }
    charts
}

/// What is done is blue; the two kinds of waiting are red and orange.
fn colour(doing: &str, kinds: &[&str]) -> RGBColor {
    match kinds.iter().position(|kind| *kind == doing) {
        Some(0) => RGBColor(90, 140, 200),
        Some(1) => RGBColor(210, 60, 50),
        Some(2) => RGBColor(240, 160, 40),
        _ => RGBColor(130, 130, 130),
    }
}

/// Draws the rows into SVG text; all charts have one scale.
pub(crate) fn draw(rows: &[Row], id: &str, text: &mut String) -> Result<(), Box<dyn Error>> {
    let charts = charts(rows);
    let mut kinds: Vec<&str> = Vec::new();
    for (.., doing) in charts.iter().flat_map(|chart| &chart.spans) {
        if !kinds.contains(doing) {
            kinds.push(doing);
        }
    }
    kinds.sort_by_key(|kind| (kind.starts_with(WAITS), *kind));
    let end = charts.iter().flat_map(|chart| &chart.spans).map(|span| span.1 + span.2).fold(1.0, f64::max);
    let heights: Vec<u32> = charts.iter().map(|chart| FRAME + TRACK * chart.tracks.len() as u32).collect();
    let size = (1100, heights.iter().sum::<u32>() + 40);
    let root = SVGBackend::with_string(text, size).into_drawing_area();
    root.fill(&WHITE)?;
    let mut rest = root.titled(id, ("sans-serif", 20))?;
    for (chart, height) in charts.iter().zip(heights) {
        let (area, below) = rest.split_vertically(height);
        rest = below;
        let tracks = chart.tracks.len();
        let mut context = ChartBuilder::on(&area)
            .caption(chart.what, ("sans-serif", 16))
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(110)
            .build_cartesian_2d(0.0..end * 1.15, (0.0..tracks as f64).step(1.0))?;
        context.configure_mesh().disable_y_mesh().disable_y_axis().x_desc(chart.unit).draw()?;
        for kind in &kinds {
            let fill = colour(kind, &kinds).filled();
            let of_kind = chart.spans.iter().filter(|span| span.3 == *kind);
            // The first track is on top.
            let block = |&(track, start, length, _): &(usize, f64, f64, &str)| {
                let bottom = (tracks - 1 - track) as f64;
                Rectangle::new([(start, bottom + 0.1), (start + length, bottom + 0.9)], fill)
            };
            context
                .draw_series(of_kind.map(block))?
                .label(*kind)
                .legend(move |(x, y)| Rectangle::new([(x, y - 4), (x + 12, y + 4)], fill));
        }
        let style = ("sans-serif", 10).into_font().color(&BLACK);
        for (track, name) in chart.tracks.iter().enumerate() {
            let place = (0.0, (tracks - 1 - track) as f64 + 0.9);
            let (_, y) = context.plotting_area().map_coordinate(&place);
            let (_, above) = area.get_base_pixel();
            area.draw_text(name, &style, (10, y - above))?;
        }
        context
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperRight)
            .background_style(WHITE.mix(0.8))
            .border_style(BLACK.mix(0.3))
            .draw()?;
    }
    root.present()?;
    Ok(())
}
