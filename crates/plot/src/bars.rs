//! Horizontal bars: names of any length stand beside them, and each ends in its value.

use crate::axis::Numbers;
use crate::style::{
    Area, CAPTION, Drawn, Entry, SMALL, Swatch, colours, legend, legend_height, legend_name, number, width,
};
use crate::{BarSeries, Bars, Scale};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Pixels of a bar with the gap below it, and between groups.
const BAR: f64 = 12.0;
const GAP: f64 = 8.0;
/// Pixels of caption, axis and margins.
const FRAME: u32 = 84;
/// Values that differ by more than this are drawn by their logarithms, or the small ones could not be seen.
const SPREAD: f64 = 40.0;

/// The chart of a bar's ends over pixels.
type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Numbers, RangedCoordf64>>;

/// A bar: pixels from the top of the plot, the index of its series, its value.
struct Bar {
    top: f64,
    series: usize,
    value: f64,
}

impl Bars {
    /// The legend; a chart of one series that nothing is compared with has none.
    fn entries(&self) -> Vec<Entry> {
        let colours = colours(self.series.iter().map(|s| s.origin));
        let named = self.series.iter().zip(colours).filter(|(series, _)| !series.name.is_empty());
        named.map(|(s, colour)| Entry::new(legend_name(&s.name, s.origin), colour, Swatch::Block)).collect()
    }

    /// The bars, the top of each group, and the height of all.
    fn places(&self) -> (Vec<Bar>, Vec<f64>, f64) {
        let (mut bars, mut tops, mut y) = (Vec::new(), Vec::new(), GAP / 2.0);
        for group in 0..self.groups.len() {
            tops.push(y);
            for (series, BarSeries { values, .. }) in self.series.iter().enumerate() {
                for (_, value) in values.iter().filter(|(of, _)| *of == group) {
                    bars.push(Bar { top: y, series, value: *value });
                    y += BAR;
                }
            }
            y += GAP;
        }
        (bars, tops, y.max(BAR))
    }

    pub(crate) fn height(&self, room: u32) -> u32 {
        FRAME + legend_height(&self.entries(), room) + self.places().2 as u32
    }

    pub(crate) fn draw(&self, area: &Area<'_>) -> Drawn {
        let colours = colours(self.series.iter().map(|s| s.origin));
        let area = if self.title.is_empty() { area.clone() } else { area.titled(&self.title, CAPTION)? };
        let area = legend(&area, &self.entries())?;
        let (bars, tops, height) = self.places();
        let values = || bars.iter().map(|bar| bar.value);
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        let wide = self.groups.iter().map(|name| width(name)).max().unwrap_or(0).clamp(20, 330) + 10;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(8).x_label_area_size(36).y_label_area_size(wide);
        // The last tenth is for the text behind the longest bar.
        if least > 0.0 && most > SPREAD * least {
            let floor = least / 2.0;
            let top = most * (most / floor).powf(0.12);
            let x = Numbers::between(floor, top, Scale::Logarithmic);
            let mut context = builder.build_cartesian_2d(x, 0.0..height)?;
            self.contents(&mut context, (&bars, &tops), height, floor, &colours)
        } else {
            let (low, high) = (least.min(0.0), if most > 0.0 { most * 1.12 } else { 1.0 });
            let x = Numbers::between(1.12 * low, high, Scale::FromZero);
            let mut context = builder.build_cartesian_2d(x, 0.0..height)?;
            self.contents(&mut context, (&bars, &tops), height, 0.0, &colours)
        }
    }

    fn contents(
        &self,
        context: &mut Context<'_, '_>,
        (bars, tops): (&[Bar], &[f64]),
        height: f64,
        floor: f64,
        colours: &[RGBAColor],
    ) -> Drawn {
        context
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .x_desc(format!("{}{}", self.unit, if floor > 0.0 { ", logarithmic" } else { "" }))
            .label_style(SMALL)
            .axis_desc_style(SMALL)
            .draw()?;
        context.draw_series(bars.iter().map(|bar| {
            let corners = [(floor, height - bar.top), (bar.value, height - bar.top - BAR + 2.0)];
            Rectangle::new(corners, colours[bar.series].filled())
        }))?;
        let root = context.plotting_area().strip_coord_spec();
        let (left, top) = root.get_base_pixel();
        let style = SMALL.into_font().color(&BLACK);
        let end =
            |bar: &Bar| context.plotting_area().map_coordinate(&(bar.value.max(floor), height - bar.top));
        for bar in bars {
            let (x, y) = end(bar);
            let grey = ("sans-serif", 10).into_font().color(&BLACK.mix(0.7));
            root.draw_text(&number(bar.value), &grey, (x - left + 3, y - top))?;
        }
        for (group, (name, y)) in self.groups.iter().zip(tops).enumerate() {
            // In the middle of its bars.
            let end = tops.get(group + 1).map_or(height, |next| *next) - GAP;
            let place = (-width(name).min(left) - 6, ((y + end - BAR) / 2.0) as i32);
            root.draw_text(name, &style, place)?;
        }
        Ok(())
    }
}
