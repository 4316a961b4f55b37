//! Points and lines over two axes, the frontier of the points that nothing beats, and lines of equal products.

use crate::style::{
    Area, CAPTION, Drawn, FRONTIER, Hints, SMALL, colours, legend, legend_height, legend_name, number, width,
};
use crate::{Better, Mark, Origin, Plane, Point, Scale};
use pairwright_sim::pareto;
use plotters::coord::ranged1d::{Ranged, ValueFormatter};
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;

/// Pixels of a plane without its legend.
const HEIGHT: u32 = 460;
/// Labels beside more points than this would cover each other: then only those of the frontier have one.
const LABELLED: usize = 12;
/// Lines of equal products are drawn in so many pieces.
const PIECES: u32 = 60;

type Context<'a, 'b, Y> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, Y>>;

/// The numbers that an axis shows.
fn range(values: impl Iterator<Item = f64>, scale: Scale) -> (f64, f64) {
    let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
    if low > high {
        return (0.1, 1.0);
    }
    let margin = (0.06 * (high - low)).max(0.02 * high.abs()).max(1e-9);
    match scale {
        Scale::FromZero => (low.min(0.0), high + margin),
        Scale::Fitted => (low - margin, high + margin),
        Scale::Logarithmic => (low / 1.3, high * 1.3),
    }
}

/// About five round numbers between two bounds.
fn round_numbers(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    let power = 10f64.powf(raw.log10().floor());
    let step = [1.0, 2.0, 5.0, 10.0].map(|k| k * power).into_iter().find(|s| *s >= raw).unwrap_or(raw);
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|k| k as f64 * step).collect()
}

impl Plane {
    fn names(&self) -> Vec<String> {
        self.series.iter().map(|s| legend_name(&s.name, s.origin)).collect()
    }

    pub(crate) fn height(&self, room: u32) -> u32 {
        HEIGHT + legend_height(&self.names(), room)
    }

    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| &series.points)
    }

    /// The points of ours that no other of ours beats, from left to right.
    fn frontier(&self) -> Vec<&Point> {
        let Some(better) = self.frontier else { return Vec::new() };
        let ours = self.series.iter().filter(|series| series.origin == Origin::Ours);
        let points: Vec<&Point> = ours.flat_map(|series| &series.points).collect();
        let sign = if better == Better::LessXMoreY { -1.0 } else { 1.0 };
        let costs: Vec<(f64, f64)> = points.iter().map(|p| (p.x, sign * p.y)).collect();
        pareto::front(&costs).into_iter().map(|i| points[i]).collect()
    }

    pub(crate) fn draw(&self, area: &Area<'_>, hints: &mut Hints) -> Drawn {
        let colours = colours(self.series.iter().map(|s| s.origin));
        let area = area.titled(&self.title, CAPTION)?;
        let area = legend(&area, &self.names(), &colours)?;
        let (left, right) = range(self.points().map(|p| p.x), self.x.scale);
        let (low, high) = range(self.points().map(|p| p.y), self.y.scale);
        let mut builder = ChartBuilder::on(&area);
        builder.margin(8).margin_right(20).x_label_area_size(40).y_label_area_size(72);
        if self.y.scale == Scale::Logarithmic {
            let mut context = builder.build_cartesian_2d(left..right, (low..high).log_scale())?;
            self.contents(&mut context, &colours, hints)
        } else {
            let mut context = builder.build_cartesian_2d(left..right, low..high)?;
            if self.equal_products {
                products(&mut context, self.points(), [left, right, low, high])?;
            }
            self.contents(&mut context, &colours, hints)
        }
    }

    fn contents<Y: Ranged<ValueType = f64> + ValueFormatter<f64>>(
        &self,
        context: &mut Context<'_, '_, Y>,
        colours: &[RGBAColor],
        hints: &mut Hints,
    ) -> Drawn {
        context
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .x_desc(&self.x.name)
            .y_desc(&self.y.name)
            .x_label_formatter(&|x| number(*x))
            .y_label_formatter(&|y| number(*y))
            .label_style(SMALL)
            .axis_desc_style(SMALL)
            .draw()?;
        let frontier = self.frontier();
        context.draw_series(LineSeries::new(frontier.iter().map(|p| (p.x, p.y)), FRONTIER))?;
        for (series, colour) in self.series.iter().zip(colours) {
            let mut points: Vec<&Point> = series.points.iter().collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let radius = if series.mark == Mark::Line {
                let line = points.iter().map(|p| (p.x, p.y));
                context.draw_series(LineSeries::new(line, colour.stroke_width(2)))?;
                2
            } else {
                4
            };
            context.draw_series(points.iter().map(|p| {
                // Where colours tell series apart, the line alone shows the frontier.
                let best = self.series.len() == 1 && frontier.iter().any(|other| std::ptr::eq(*other, *p));
                let fill = if best { FRONTIER.to_rgba() } else { *colour };
                Circle::new((p.x, p.y), radius, fill.filled())
            }))?;
            for p in points {
                let (x, y) = context.backend_coord(&(p.x, p.y));
                let comma = if p.label.is_empty() { "" } else { ", " };
                let text = format!("{}{comma}{}: {} {}", series.name, p.label, p.x, p.y);
                hints.add((x - 5, y - 5), (x + 5, y + 5), &text);
            }
        }
        self.labels(context, &frontier)
    }

    /// Labels of a plane with a frontier, to the side where there is room, above and below the points in turn.
    fn labels<Y: Ranged<ValueType = f64>>(&self, context: &Context<'_, '_, Y>, frontier: &[&Point]) -> Drawn {
        if self.frontier.is_none() {
            return Ok(());
        }
        let mut named: Vec<&Point> = self.points().filter(|p| !p.label.is_empty()).collect();
        if named.len() > LABELLED {
            named.retain(|p| frontier.iter().any(|best| std::ptr::eq(*best, *p)));
        }
        named.sort_by(|a, b| a.x.total_cmp(&b.x));
        let root = context.plotting_area().strip_coord_spec();
        let ((left, top), room) = (root.get_base_pixel(), root.dim_in_pixel().0 as i32);
        let style = SMALL.into_font().color(&BLACK.mix(0.8));
        for (turn, point) in named.into_iter().enumerate() {
            let (x, y) = context.backend_coord(&(point.x, point.y));
            let wide = width(&point.label);
            let x = if x - left > room - wide - 8 { x - left - wide - 7 } else { x - left + 7 };
            root.draw_text(&point.label, &style, (x, y - top + if turn % 2 == 0 { 2 } else { -14 }))?;
        }
        Ok(())
    }
}

/// Dashed lines of points with the same product of both numbers.
fn products<'a>(
    context: &mut Context<'_, '_, RangedCoordf64>,
    points: impl Iterator<Item = &'a Point>,
    [left, right, low, high]: [f64; 4],
) -> Drawn {
    let (least, most) = range(points.map(|p| p.x * p.y), Scale::Fitted);
    for product in round_numbers(least, most) {
        let piece = |k: u32| left + (right - left) * f64::from(k) / f64::from(PIECES);
        let line: Vec<(f64, f64)> = (0..=PIECES)
            .map(piece)
            .filter(|x| *x > 0.0 && (low..=high).contains(&(product / x)))
            .map(|x| (x, product / x))
            .collect();
        let Some(&end) = line.last() else { continue };
        context.draw_series(DashedLineSeries::new(line, 5, 4, BLACK.mix(0.35).stroke_width(1)))?;
        let text = Text::new(number(product), (-26, -13), SMALL.into_font().color(&BLACK.mix(0.5)));
        context.draw_series([EmptyElement::at(end) + text])?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Chart, Figure, Series};

    fn plane(points: &[(&str, f64, f64)], better: Better) -> Plane {
        let point = |&(label, x, y): &(&str, f64, f64)| Point { x, y, label: label.to_owned() };
        let axis = |name: &str| Axis { name: name.to_owned(), scale: Scale::Fitted };
        let series = Series {
            name: "designs".to_owned(),
            origin: Origin::Ours,
            mark: Mark::Points,
            points: points.iter().map(point).collect(),
        };
        Plane {
            title: String::new(),
            x: axis("latency, cycles"),
            y: axis("additions a cycle"),
            series: vec![series],
            frontier: Some(better),
            equal_products: true,
        }
    }

    fn svg(plane: Plane) -> String {
        Figure { title: "Fig. 7".to_owned(), charts: vec![Chart::Plane(plane)] }.svg().unwrap()
    }

    #[test]
    fn points_that_nothing_beats_are_joined() {
        let designs = [("fine", 1420.0, 0.012), ("med-ind", 795.0, 0.05), ("a<b", 3579.0, 0.114)];
        let best = |plane: &Plane| plane.frontier().iter().map(|p| p.label.clone()).collect::<Vec<_>>();
        let more = plane(&designs, Better::LessXMoreY);
        assert_eq!(best(&more), ["med-ind", "a<b"]);
        assert_eq!(best(&plane(&designs, Better::LessOfBoth)), ["med-ind", "fine"]);
        let svg = svg(more);
        assert_eq!(svg.matches("<circle").count(), 3);
        assert!(
            svg.contains("a&lt;b") && svg.contains("latency, cycles") && svg.contains("1420 0.012</title>")
        );
    }

    #[test]
    fn many_points_are_named_on_the_frontier_only() {
        let names: Vec<String> = (0..40).map(|i| format!("<{i}>")).collect();
        let points: Vec<_> = names.iter().map(|n| (n.as_str(), n.len() as f64, n.len() as f64)).collect();
        let svg = svg(plane(&points, Better::LessOfBoth));
        // Hints have the names of all.
        assert_eq!(svg.matches("&lt;7&gt;").count() + svg.matches("&lt;0&gt;").count(), 3);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn axes_hold_what_they_show() {
        assert_eq!(round_numbers(31.0, 56.0), [35.0, 40.0, 45.0, 50.0, 55.0]);
        for scale in [Scale::FromZero, Scale::Fitted, Scale::Logarithmic] {
            let (low, high) = range([2.09, 2.21].into_iter(), scale);
            assert!(low < 2.09 && high > 2.21, "{scale:?}");
        }
        assert!(!svg(plane(&[], Better::LessOfBoth)).contains("NaN"));
    }
}
