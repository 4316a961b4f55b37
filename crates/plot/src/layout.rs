//! Positions charts on the page and writes the SVG.

use crate::style::{Area, CAPTION, Drawn, Hints};
use crate::{Chart, Figure, PlotError};
use plotters::prelude::*;
use std::error::Error;

/// Width in pixels of a chart in two columns, and of a chart in one column.
const COLUMN: u32 = 720;
const WIDE: u32 = 1100;
/// Height in pixels of a line of the figure's title, and of a line of the text below it.
const TITLE: u32 = 24;
const ABOUT: u32 = 19;
/// Approximate width in pixels of a letter of the title, and of the text below it.
const TITLE_LETTER: f64 = 7.7;
const ABOUT_LETTER: f64 = 6.6;

/// Breaks the text between words into lines that are about `room` pixels wide at most.
fn lines(text: &str, room: u32, letter: f64) -> Vec<String> {
    let most = (f64::from(room - 24) / letter) as usize;
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if line.chars().count() + 1 + word.chars().count() <= most => {
                *line += &format!(" {word}")
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

impl Chart {
    fn height(&self, width: u32) -> u32 {
        match self {
            Self::Bars(bars) => bars.height(width),
            Self::Plane(plane) => plane.height(width),
            Self::Timeline(timeline) => timeline.height(width),
        }
    }

    fn draw(&self, area: &Area<'_>, hints: &mut Hints) -> Drawn {
        match self {
            Self::Bars(bars) => bars.draw(area),
            Self::Plane(plane) => plane.draw(area, hints),
            Self::Timeline(timeline) => timeline.draw(area, hints),
        }
    }
}

impl Figure {
    /// Draws the figure and returns it as SVG text.
    ///
    /// # Errors
    /// [`PlotError::Drawing`] if the drawing library reports an error.
    pub fn svg(&self) -> Result<String, PlotError> {
        let refused =
            |error: Box<dyn Error>| PlotError::Drawing { title: self.title.clone(), said: error.to_string() };
        self.draw().map_err(refused)
    }

    fn draw(&self) -> Result<String, Box<dyn Error>> {
        let alone = self.charts.iter().any(|chart| matches!(chart, Chart::Timeline(_)));
        let width = if alone { WIDE } else { COLUMN };
        let columns = if alone { 1 } else { self.charts.len().clamp(1, 2) };
        let whole = width * columns as u32;
        let title = lines(&self.title, whole, TITLE_LETTER);
        let about = lines(&self.about, whole, ABOUT_LETTER);
        let head = 10 + TITLE * title.len() as u32 + ABOUT * about.len() as u32;
        // Each chart is placed below the shorter column; the last chart takes both columns if that leaves less empty
        // space.
        let mut ends = vec![head; columns];
        let mut place = |(n, chart): (usize, &Chart)| {
            let column = if ends[0] <= ends[columns - 1] { 0 } else { columns - 1 };
            let (shorter, longer) = (ends[column], ends[columns - 1 - column]);
            let last = n + 1 == self.charts.len();
            let alone = last && longer - shorter < (shorter + chart.height(width)).abs_diff(longer);
            let (top, width) = if alone { (longer, whole) } else { (shorter, width) };
            let column = if alone { 0 } else { column };
            let height = chart.height(width);
            ends[column] = top + height;
            ((COLUMN * column as u32, top), (width, height))
        };
        let places: Vec<_> = self.charts.iter().enumerate().map(&mut place).collect();
        let size = (whole, ends.into_iter().max().unwrap_or(head) + 8);
        let (mut text, mut hints) = (String::new(), Hints::default());
        {
            let root = SVGBackend::with_string(&mut text, size).into_drawing_area();
            root.fill(&WHITE)?;
            let mut y = 8;
            for line in title {
                root.draw_text(&line, &("sans-serif", 18).into_font().color(&BLACK), (12, y))?;
                y += TITLE as i32;
            }
            for line in about {
                root.draw_text(&line, &CAPTION.into_font().color(&BLACK.mix(0.7)), (12, y))?;
                y += ABOUT as i32;
            }
            for (chart, (corner, size)) in self.charts.iter().zip(places) {
                chart.draw(&root.clone().shrink(corner, size), &mut hints)?;
            }
            root.present()?;
        }
        Ok(hints.over(&text))
    }
}

#[cfg(test)]
mod tests {
    use crate::{BarSeries, Bars, Chart, Figure, Origin, Span, Timeline};

    fn bars(series: &[(&str, Origin, f64)]) -> Chart {
        let one = |&(name, origin, value): &(&str, Origin, f64)| BarSeries {
            name: name.to_owned(),
            origin,
            values: vec![(0, value)],
        };
        Chart::Bars(Bars {
            title: "a < b".to_owned(),
            unit: "mm2".to_owned(),
            groups: vec!["all".to_owned()],
            series: series.iter().map(one).collect(),
        })
    }

    #[test]
    fn a_figure_is_one_svg_with_every_name() {
        let charts = vec![bars(&[("chip", Origin::Ours, 2.5), ("CP", Origin::Published, -1.0)]), bars(&[])];
        let svg = Figure { title: "cp/fig22".to_owned(), about: "28 nm".to_owned(), charts }.svg().unwrap();
        for text in ["cp/fig22", "a &lt; b", "CP (published)", "chip", "mm2", "2.5", "28 nm"] {
            assert!(svg.contains(text), "{text}");
        }
        assert!(svg.starts_with("<svg") && svg.ends_with("</svg>\n") && !svg.contains("NaN"));
        assert_eq!(svg.matches("<svg").count(), 1);
        assert!(Figure::default().svg().unwrap().starts_with("<svg"));
    }

    #[test]
    fn a_long_title_is_broken_and_not_cut() {
        let title = "one of many words ".repeat(12);
        let svg = Figure { title: title.clone(), ..Figure::default() }.svg().unwrap();
        assert_eq!(svg.matches("<text").count(), 3, "{svg}");
        assert!(svg.contains("width=\"720\""));
        assert_eq!(super::lines(&title, 720, 8.4).join(" "), title.trim());
    }

    #[test]
    fn a_timeline_says_what_each_block_is() {
        let span = Span { track: 1, start: 20.0, length: 5.0, activity: 0 };
        let timeline = Timeline {
            title: "one task".to_owned(),
            unit: "cycles".to_owned(),
            tracks: ["A", "B"].map(str::to_owned).to_vec(),
            activities: vec!["runs".to_owned()],
            spans: vec![span],
        };
        let svg = Figure { charts: vec![Chart::Timeline(timeline)], ..Figure::default() }.svg().unwrap();
        assert!(svg.contains("<title>B runs: 20 to 25 cycles</title>"), "{svg}");
    }
}
