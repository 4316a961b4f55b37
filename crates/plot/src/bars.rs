//! Horizontal bars, with the names of the groups on the left and the value at the end of each bar.

use crate::axis::Numbers;
use crate::style::{
    Area, CAPTION, COLOURS, Drawn, Entry, SMALL, Swatch, colours, legend, legend_height, legend_name, number,
    width,
};
use crate::{BarSeries, Bars, Origin, Scale};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

/// Height in pixels of a bar with the gap below it, and of the gap between groups.
const BAR: f64 = 12.0;
const GAP: f64 = 8.0;
/// Height in pixels of caption, axis and margins.
const FRAME: u32 = 84;
/// If the values differ by more than this factor, they are drawn by their logarithms, because the small ones would be
/// invisible.
const SPREAD: f64 = 40.0;

/// A chart of values (horizontal) over pixels (vertical).
type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Numbers, RangedCoordf64>>;

/// A bar: its top in pixels from the top of the plot, the index of its series, its value.
struct Bar {
    top: f64,
    series: usize,
    value: f64,
}

impl Bars {
    /// Whether the names of series are written behind their bars instead of in a legend: there are more series than
    /// colours, and each group has bars of at most half of them.
    fn named_at_bars(&self) -> bool {
        let bars = |group: usize| {
            self.series.iter().flat_map(|series| &series.values).filter(|(of, _)| *of == group).count()
        };
        let most = (0..self.groups.len()).map(bars).max().unwrap_or(0);
        self.series.len() > COLOURS.len() && 2 * most <= self.series.len()
    }

    fn colours(&self) -> Vec<RGBAColor> {
        if !self.named_at_bars() {
            return colours(self.series.iter().map(|s| s.origin));
        }
        let of = |origin| match origin {
            Origin::Ours => COLOURS[0].to_rgba(),
            Origin::Published => BLACK.mix(0.75),
        };
        self.series.iter().map(|s| of(s.origin)).collect()
    }

    /// The text behind a bar.
    fn text(&self, bar: &Bar) -> String {
        let value = number(bar.value);
        if !self.named_at_bars() {
            return value;
        }
        let BarSeries { name, origin, .. } = &self.series[bar.series];
        format!("{value}: {}", legend_name(name, *origin))
    }

    /// The entries of the legend; series without a name have none.
    fn entries(&self) -> Vec<Entry> {
        if self.named_at_bars() {
            return Vec::new();
        }
        let colours = self.colours();
        let named = self.series.iter().zip(colours).filter(|(series, _)| !series.name.is_empty());
        named.map(|(s, colour)| Entry::new(legend_name(&s.name, s.origin), colour, Swatch::Block)).collect()
    }

    /// The bars, the top of each group, and the height of all bars.
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
        let colours = self.colours();
        let area = if self.title.is_empty() { area.clone() } else { area.titled(&self.title, CAPTION)? };
        let area = legend(&area, &self.entries())?;
        let (bars, tops, height) = self.places();
        let values = || bars.iter().map(|bar| bar.value);
        let (least, most) = (values().fold(f64::INFINITY, f64::min), values().fold(0.0, f64::max));
        let wide = self.groups.iter().map(|name| width(name)).max().unwrap_or(0).clamp(20, 330) + 10;
        let mut builder = ChartBuilder::on(&area);
        builder.margin(8).margin_right(20).x_label_area_size(36).y_label_area_size(wide);
        // There is room for the text behind each bar.
        let plot = f64::from((area.dim_in_pixel().0 as i32 - wide - 28).max(1));
        let room = |bar: &Bar| 1.0 - (f64::from(width(&self.text(bar)) + 8) / plot).min(0.8);
        let longest = |length: &dyn Fn(f64) -> f64| {
            bars.iter().map(|bar| length(bar.value) / room(bar)).fold(0.0, f64::max)
        };
        if least > 0.0 && most > SPREAD * least {
            let floor = least / 2.0;
            let top = floor * longest(&|value| (value / floor).ln()).exp();
            let x = Numbers::between(floor, top, Scale::Logarithmic);
            let mut context = builder.build_cartesian_2d(x, 0.0..height)?;
            self.contents(&mut context, (&bars, &tops), height, floor, &colours)
        } else {
            let high = longest(&|value| value);
            let x =
                Numbers::between(1.12 * least.min(0.0), if high > 0.0 { high } else { 1.0 }, Scale::FromZero);
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
        // Pixel coordinates of a position in the plot.
        let pixels = |value: f64, down: f64| {
            let (x, y) = context.plotting_area().map_coordinate(&(value, height - down));
            (x - left, y - top)
        };
        let grey =
            ("sans-serif", 10).into_font().color(&BLACK.mix(0.7)).pos(Pos::new(HPos::Left, VPos::Center));
        for bar in bars {
            let (x, y) = pixels(bar.value.max(floor), bar.top + (BAR - 2.0) / 2.0);
            root.draw_text(&self.text(bar), &grey, (x + 3, y))?;
        }
        let style = SMALL.into_font().color(&BLACK).pos(Pos::new(HPos::Right, VPos::Center));
        for (group, (name, first)) in self.groups.iter().zip(tops).enumerate() {
            // The name of a group is centred on its bars.
            let end = tops.get(group + 1).map_or(height, |next| *next) - GAP - 2.0;
            let (_, y) = pixels(floor, (first + end) / 2.0);
            root.draw_text(name, &style, (-6, y))?;
        }
        Ok(())
    }
}
