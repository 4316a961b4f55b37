//! Elements that all charts share: colours, numbers as text, legends, and texts that a browser shows on hovering.

use crate::Origin;
use plotters::coord::Shift;
use plotters::prelude::*;
use std::error::Error;
use std::fmt::Write;

pub(crate) type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
pub(crate) type Drawn = Result<(), Box<dyn Error>>;

pub(crate) const CAPTION: (&str, i32) = ("sans-serif", 15);
pub(crate) const SMALL: (&str, i32) = ("sans-serif", 11);
/// Height of a line of a legend in pixels.
const LINE: i32 = 17;

/// Colours that most readers can distinguish, after Okabe and Ito.
pub(crate) const COLOURS: [RGBColor; 8] = [
    RGBColor(0, 114, 178),
    RGBColor(230, 159, 0),
    RGBColor(0, 158, 115),
    RGBColor(204, 121, 167),
    RGBColor(86, 180, 233),
    RGBColor(213, 94, 0),
    RGBColor(110, 90, 190),
    RGBColor(170, 160, 30),
];

/// The colours of series in their order: greys for published ones.
pub(crate) fn colours(origins: impl Iterator<Item = Origin>) -> Vec<RGBAColor> {
    let (mut ours, mut published) = (0, 0);
    let mut next = |origin| match origin {
        Origin::Ours => {
            ours += 1;
            COLOURS.get(ours - 1).map_or_else(|| Palette99::pick(ours).to_rgba(), RGBColor::to_rgba)
        }
        Origin::Published => {
            published += 1;
            BLACK.mix([0.75, 0.5, 0.35, 0.2][(published - 1) % 4])
        }
    };
    origins.map(&mut next).collect()
}

/// The name of a series in the legend.
pub(crate) fn legend_name(name: &str, origin: Origin) -> String {
    match origin {
        Origin::Ours => name.to_owned(),
        Origin::Published => format!("{name} (published)"),
    }
}

/// Formats a number with three significant digits or as an integer, with a suffix from a million on.
pub(crate) fn number(value: f64) -> String {
    let size = value.abs();
    let (scaled, suffix) = match size {
        1e9.. => (value / 1e9, " G"),
        1e6.. => (value / 1e6, " M"),
        _ => (value, ""),
    };
    let digits = match scaled.abs() {
        0.0 => 0,
        1000.0.. => 0,
        s => (2 - s.log10().floor() as i32).clamp(0, 9) as usize,
    };
    let text = format!("{scaled:.digits$}");
    let text = if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.') } else { &text };
    format!("{text}{suffix}")
}

/// The approximate width in pixels of a text in small letters.
pub(crate) fn width(text: &str) -> i32 {
    (5.5 * text.chars().count() as f64) as i32
}

/// The symbol of a series in a legend, which resembles its marks in the chart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Swatch {
    Block,
    Line,
    Dashed,
    Dot,
}

/// An entry of a legend.
pub(crate) struct Entry {
    name: String,
    colour: RGBAColor,
    swatch: Swatch,
}

impl Entry {
    pub(crate) fn new(name: String, colour: RGBAColor, swatch: Swatch) -> Self {
        Self { name, colour, swatch }
    }
}

/// The positions of a legend's entries in a width of `room` pixels, and the height of the legend.
fn places(entries: &[Entry], room: i32) -> (Vec<(i32, i32)>, i32) {
    let (mut x, mut y) = (0, 0);
    let mut next = |entry: &Entry| {
        let wide = width(&entry.name) + 30;
        if x > 0 && x + wide > room {
            (x, y) = (0, y + LINE);
        }
        let place = (x, y);
        x += wide;
        place
    };
    let places = entries.iter().map(&mut next).collect();
    (places, if entries.is_empty() { 0 } else { y + LINE + 4 })
}

/// The height in pixels of a legend in this width.
pub(crate) fn legend_height(entries: &[Entry], room: u32) -> u32 {
    places(entries, room as i32 - 24).1 as u32
}

/// Draws a legend at the top of an area, and returns the area below it.
pub(crate) fn legend<'a>(area: &Area<'a>, entries: &[Entry]) -> Result<Area<'a>, Box<dyn Error>> {
    let (places, height) = places(entries, area.dim_in_pixel().0 as i32 - 24);
    for (Entry { name, colour, swatch }, (x, y)) in entries.iter().zip(places) {
        let (x, y) = (x + 14, y + 3);
        let line = |from: i32, to: i32| {
            PathElement::new([(x + from, y + 5), (x + to, y + 5)], colour.stroke_width(2))
        };
        match swatch {
            Swatch::Block => area.draw(&Rectangle::new([(x, y), (x + 12, y + 9)], colour.filled()))?,
            Swatch::Dot => area.draw(&Circle::new((x + 6, y + 5), 4, colour.filled()))?,
            Swatch::Line => area.draw(&line(0, 13))?,
            Swatch::Dashed => [line(0, 5), line(8, 13)].iter().try_for_each(|part| area.draw(part))?,
        }
        area.draw_text(name, &SMALL.into_font().color(&BLACK), (x + 17, y - 1))?;
    }
    Ok(area.split_vertically(height).1)
}

/// Transparent rectangles over the figure, each with a text that a browser shows when the pointer is on it.
#[derive(Default)]
pub(crate) struct Hints(String);

impl Hints {
    /// Adds a rectangle between two corners with its text.
    pub(crate) fn add(&mut self, (left, top): (i32, i32), (right, bottom): (i32, i32), text: &str) {
        let text = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let (w, h) = ((right - left).max(1), (bottom - top).max(1));
        let _ = writeln!(
            self.0,
            "<rect x=\"{left}\" y=\"{top}\" width=\"{w}\" height=\"{h}\" opacity=\"0\"><title>{text}</title></rect>"
        );
    }

    /// The SVG text with the rectangles on top.
    pub(crate) fn over(self, svg: &str) -> String {
        let open = svg.trim_end();
        let open = open.strip_suffix("</svg>").unwrap_or(open);
        format!("{open}{}</svg>\n", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        let values = [0.0, 0.1184, 2.09, 76.9, 300.0, 55_934.0, 12_340_000.0, 2.5e9, -3.0];
        let texts = ["0", "0.118", "2.09", "76.9", "300", "55934", "12.3 M", "2.5 G", "-3"];
        assert_eq!(values.map(number), texts);
    }

    #[test]
    fn a_legend_breaks_where_it_is_full() {
        let names = ["a".repeat(30), "b".repeat(30), "c".to_owned()];
        let entries = names.map(|name| Entry::new(name, BLACK.to_rgba(), Swatch::Dot));
        let (places, height) = places(&entries, 300);
        assert_eq!(places.iter().map(|p| p.1).collect::<Vec<_>>(), [0, LINE, LINE]);
        assert_eq!(height, 2 * LINE + 4);
    }

    #[test]
    fn published_series_are_grey() {
        let drawn = colours([Origin::Ours, Origin::Published, Origin::Ours].into_iter());
        assert_eq!((drawn[0], drawn[2]), (COLOURS[0].to_rgba(), COLOURS[1].to_rgba()));
        assert_eq!(drawn[1].rgb(), (0, 0, 0));
    }
}
