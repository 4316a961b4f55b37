//! Horizontal bars: names of any length stand beside them, and each ends in its value.

use crate::style::{Area, CAPTION, Drawn, SMALL, colours, legend, legend_height, legend_name, number, width};
use crate::{BarSeries, Bars};
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
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
type Context<'a, 'b, X> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<X, RangedCoordf64>>;

/// A bar: pixels from the top of the plot, the index of its series, its value.
struct Bar {
    top: f64,
    series: usize,
    value: f64,
}

impl Bars {
    fn names(&self) -> Vec<String> {
        self.series.iter().map(|s| legend_name(&s.name, s.origin)).collect()
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
        FRAME + legend_height(&self.names(), room) + self.places().2 as u32
    }

    pub(crate) fn draw(&self, area: &Area<'_>) -> Drawn {
        let colours = colours(self.series.iter().map(|s| s.origin));
        let area = area.titled(&self.title, CAPTION)?;
        let area = legend(&area, &self.names(), &colours)?;
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
            let mut context = builder.build_cartesian_2d((floor..top).log_scale(), 0.0..height)?;
            self.contents(&mut context, (&bars, &tops, height), floor, &colours, ", logarithmic")
        } else {
            let (low, high) = (least.min(0.0), if most > 0.0 { most * 1.12 } else { 1.0 });
            let mut context = builder.build_cartesian_2d(1.12 * low..high, 0.0..height)?;
            self.contents(&mut context, (&bars, &tops, height), 0.0, &colours, "")
        }
    }

    fn contents<X: Ranged<ValueType = f64> + ValueFormatter<f64>>(
        &self,
        context: &mut Context<'_, '_, X>,
        (bars, tops, height): (&[Bar], &[f64], f64),
        floor: f64,
        colours: &[RGBAColor],
        scale: &str,
    ) -> Drawn {
        context
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .light_line_style(TRANSPARENT)
            .x_desc(format!("{}{scale}", self.unit))
            .x_label_formatter(&|x| number(*x))
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
        for (name, y) in self.groups.iter().zip(tops) {
            let place = (-width(name).min(left) - 6, *y as i32);
            root.draw_text(name, &style, place)?;
        }
        Ok(())
    }
}
