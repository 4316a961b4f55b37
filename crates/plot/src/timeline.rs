//! Timelines: blocks on parallel tracks over a common time.

use crate::axis::Numbers;
use crate::style::{Area, CAPTION, Drawn, Entry, Hints, SMALL, Swatch, legend, legend_height, number};
use crate::{Scale, Span, Timeline};
use plotters::prelude::*;

/// Height of a track in pixels.
const TRACK: u32 = 14;
/// Height in pixels of caption, axis and margins.
const FRAME: u32 = 84;
/// Work is blue. The kinds of waiting after it are pale and orange, which also differ in lightness.
const COLOURS: [RGBColor; 4] =
    [RGBColor(0, 114, 178), RGBColor(205, 205, 205), RGBColor(230, 159, 0), RGBColor(110, 110, 110)];

fn colour(activity: usize) -> RGBAColor {
    COLOURS[activity.min(COLOURS.len() - 1)].to_rgba()
}

impl Timeline {
    fn entries(&self) -> Vec<Entry> {
        let named = self.activities.iter().enumerate();
        named.map(|(n, name)| Entry::new(name.clone(), colour(n), Swatch::Block)).collect()
    }

    pub(crate) fn height(&self, room: u32) -> u32 {
        FRAME + legend_height(&self.entries(), room) + TRACK * self.tracks.len() as u32
    }

    pub(crate) fn draw(&self, area: &Area<'_>, hints: &mut Hints) -> Drawn {
        let area = area.titled(&self.title, CAPTION)?;
        let area = legend(&area, &self.entries())?;
        let end = self.spans.iter().map(|span| span.start + span.length).fold(1.0, f64::max);
        let tracks = self.tracks.len() as f64;
        let mut context = ChartBuilder::on(&area)
            .margin(8)
            .x_label_area_size(36)
            .y_label_area_size(110)
            .build_cartesian_2d(Numbers::between(0.0, 1.02 * end, Scale::FromZero), 0.0..tracks)?;
        context
            .configure_mesh()
            .disable_y_mesh()
            .disable_y_axis()
            .x_desc(&self.unit)
            .label_style(SMALL)
            .axis_desc_style(SMALL)
            .draw()?;
        let corners = |span: &Span| {
            let top = tracks - span.track as f64;
            [(span.start, top - 0.1), (span.start + span.length, top - 0.9)]
        };
        let block = |span: &Span| Rectangle::new(corners(span), colour(span.activity).filled());
        context.draw_series(self.spans.iter().map(block))?;
        for span in &self.spans {
            let [from, to] = corners(span).map(|corner| context.backend_coord(&corner));
            let (Some(track), Some(activity)) =
                (self.tracks.get(span.track), self.activities.get(span.activity))
            else {
                continue;
            };
            let [start, end] = [span.start, span.start + span.length].map(number);
            hints.add(from, to, &format!("{track} {activity}: {start} to {end} {}", self.unit));
        }
        let root = context.plotting_area().strip_coord_spec();
        let style = SMALL.into_font().color(&BLACK);
        let (_, above) = root.get_base_pixel();
        for (track, name) in self.tracks.iter().enumerate() {
            let (_, y) = context.backend_coord(&(0.0, tracks - track as f64));
            root.draw_text(name, &style, (-104, y - above + 1))?;
        }
        Ok(())
    }
}
