//! Charts of points and lines over two axes, with the Pareto frontier of the points and lines of equal products.

use crate::axis::{Numbers, round_numbers};
use crate::labels::{Places, Rect};
use crate::style::{
    Area, CAPTION, Drawn, Entry, Hints, SMALL, Swatch, colours, legend, legend_height, legend_name, number,
    width,
};
use crate::{Better, Mark, Origin, Plane, Point, Scale, Series};
use pairwright_sim::pareto;
use plotters::prelude::*;

/// Height of a plane in pixels, without its legend.
const HEIGHT: u32 = 460;
/// Radius in pixels of a point, and of a point that only marks a corner of a line.
const RADIUS: i32 = 4;
const CORNER: i32 = 2;
/// If more points than this have labels, only those on the frontier are labelled.
const LABELLED: usize = 40;
/// The number of pieces in which a line of equal products is drawn.
const PIECES: u32 = 60;
/// The colour of the line of a frontier over all series.
const FRONTIER: RGBColor = RGBColor(60, 60, 60);

type Context<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<Numbers, Numbers>>;

impl Better {
    /// The factors of both numbers with which less is better in both.
    fn signs(self) -> (f64, f64) {
        match self {
            Self::LessOfBoth => (1.0, 1.0),
            Self::LessXMoreY => (1.0, -1.0),
            Self::MoreXLessY => (-1.0, 1.0),
            Self::MoreOfBoth => (-1.0, -1.0),
        }
    }
}

/// The points that no other point dominates, from left to right.
fn front<'a>(points: &[&'a Point], better: Better) -> Vec<&'a Point> {
    let (x, y) = better.signs();
    let costs: Vec<(f64, f64)> = points.iter().map(|p| (x * p.x, y * p.y)).collect();
    let mut front: Vec<&Point> = pareto::front(&costs).into_iter().map(|i| points[i]).collect();
    front.sort_by(|a, b| a.x.total_cmp(&b.x));
    front
}

fn among(points: &[&Point], point: &Point) -> bool {
    points.iter().any(|other| std::ptr::eq(*other, point))
}

impl Plane {
    fn entries(&self, colours: &[RGBAColor]) -> Vec<Entry> {
        let swatch = |series: &Series| if series.mark == Mark::Line { Swatch::Line } else { Swatch::Dot };
        let named = self.series.iter().zip(colours).filter(|(series, _)| !series.name.is_empty());
        let mut entries: Vec<Entry> =
            named.map(|(s, colour)| Entry::new(legend_name(&s.name, s.origin), *colour, swatch(s))).collect();
        let joined = |text: &str| Entry::new(text.to_owned(), FRONTIER.to_rgba(), Swatch::Line);
        match self.frontier {
            Some(frontier) if frontier.each => {
                entries.push(joined("joined: none of the same work is better in both"))
            }
            Some(_) => entries.push(joined("none is better in both")),
            None => {}
        }
        if self.equal_products {
            entries.push(Entry::new("the same product of both".to_owned(), BLACK.mix(0.35), Swatch::Dashed));
        }
        entries
    }

    pub(crate) fn height(&self, room: u32) -> u32 {
        HEIGHT + legend_height(&self.entries(&vec![BLACK.to_rgba(); self.series.len()]), room)
    }

    /// The points that both axes can show.
    fn points(&self) -> impl Iterator<Item = &Point> {
        self.series.iter().flat_map(|series| self.shown(series))
    }

    fn shown<'a>(&'a self, series: &'a Series) -> impl Iterator<Item = &'a Point> {
        series.points.iter().filter(|p| self.x.scale.shows(p.x) && self.y.scale.shows(p.y))
    }

    /// The frontiers of the points with [`Origin::Ours`], from left to right: one of all series together, or one of each
    /// series with the index of the series.
    fn frontiers(&self) -> Vec<(Option<usize>, Vec<&Point>)> {
        let Some(frontier) = self.frontier else { return Vec::new() };
        let ours = self.series.iter().enumerate().filter(|(_, series)| series.origin == Origin::Ours);
        if frontier.each {
            return ours
                .map(|(n, series)| (Some(n), front(&self.shown(series).collect::<Vec<_>>(), frontier.better)))
                .collect();
        }
        let points: Vec<&Point> = ours.flat_map(|(_, series)| self.shown(series)).collect();
        vec![(None, front(&points, frontier.better))]
    }

    pub(crate) fn draw(&self, area: &Area<'_>, hints: &mut Hints) -> Drawn {
        let colours = colours(self.series.iter().map(|s| s.origin));
        let area = if self.title.is_empty() { area.clone() } else { area.titled(&self.title, CAPTION)? };
        let area = legend(&area, &self.entries(&colours))?;
        let x = Numbers::around(self.points().map(|p| p.x), self.x.scale);
        let y = Numbers::around(self.points().map(|p| p.y), self.y.scale);
        let mut builder = ChartBuilder::on(&area);
        builder.margin(8).margin_right(20).x_label_area_size(40).y_label_area_size(72);
        let mut context = builder.build_cartesian_2d(x, y)?;
        self.contents(&mut context, &colours, hints)
    }

    fn contents(&self, context: &mut Context<'_, '_>, colours: &[RGBAColor], hints: &mut Hints) -> Drawn {
        let words = |axis: &crate::Axis| match axis.scale {
            Scale::Logarithmic => format!("{}, logarithmic", axis.name),
            _ => axis.name.clone(),
        };
        context
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(BLACK.mix(0.12))
            .x_desc(words(&self.x))
            .y_desc(words(&self.y))
            .label_style(SMALL)
            .axis_desc_style(SMALL)
            .draw()?;
        let root = context.plotting_area().strip_coord_spec();
        let ((left, top), (wide, high)) = (root.get_base_pixel(), root.dim_in_pixel());
        let mut places = Places::new(Rect(left, top, left + wide as i32, top + high as i32));
        for point in self.points() {
            places.take(Rect::around(context.backend_coord(&(point.x, point.y)), RADIUS));
        }
        if self.equal_products {
            self.products(context, &mut places)?;
        }
        let frontiers = self.frontiers();
        for (of, front) in &frontiers {
            let colour = of.map_or(FRONTIER.to_rgba(), |n| colours[n]);
            let line = || front.iter().map(|p| (p.x, p.y));
            context.draw_series(LineSeries::new(line(), colour.stroke_width(1)))?;
            places.cross(line().map(|at| context.backend_coord(&at)));
        }
        let front: Vec<&Point> = frontiers.into_iter().flat_map(|(_, points)| points).collect();
        for (series, colour) in self.series.iter().zip(colours) {
            let mut points: Vec<&Point> = self.shown(series).collect();
            points.sort_by(|a, b| a.x.total_cmp(&b.x));
            let radius = if series.mark == Mark::Line {
                let line = || points.iter().map(|p| (p.x, p.y));
                context.draw_series(LineSeries::new(line(), colour.stroke_width(2)))?;
                places.cross(line().map(|at| context.backend_coord(&at)));
                CORNER
            } else {
                RADIUS
            };
            // A point that another one dominates is drawn as a ring.
            let beaten =
                |p: &Point| self.frontier.is_some() && series.origin == Origin::Ours && !among(&front, p);
            let (rings, dots): (Vec<&Point>, Vec<&Point>) = points.iter().partition(|p| beaten(p));
            let circle = |style: ShapeStyle| move |p: &Point| Circle::new((p.x, p.y), radius, style);
            context.draw_series(rings.iter().map(|p| circle(WHITE.filled())(p)))?;
            context.draw_series(rings.iter().map(|p| circle(colour.stroke_width(1))(p)))?;
            context.draw_series(dots.iter().map(|p| circle(colour.filled())(p)))?;
            for p in points {
                let (x, y) = context.backend_coord(&(p.x, p.y));
                let comma = if p.name.is_empty() || series.name.is_empty() { "" } else { ", " };
                let text = format!("{}{comma}{}: {} {}", series.name, p.name, p.x, p.y);
                hints.add((x - 5, y - 5), (x + 5, y + 5), &text);
            }
        }
        if self.labels { self.write_labels(context, &front, &mut places) } else { Ok(()) }
    }

    /// Writes labels beside the points, those of the frontier first.
    fn write_labels(&self, context: &Context<'_, '_>, front: &[&Point], places: &mut Places) -> Drawn {
        let mut named: Vec<&Point> = self.points().filter(|p| !p.label.is_empty()).collect();
        named.sort_by(|a, b| a.x.total_cmp(&b.x));
        let (first, mut rest): (Vec<&Point>, Vec<&Point>) = named.into_iter().partition(|p| among(front, p));
        if first.len() + rest.len() > LABELLED {
            rest.clear();
        }
        let root = context.plotting_area().strip_coord_spec();
        let (left, top) = root.get_base_pixel();
        for (points, shade) in [(first, 0.85), (rest, 0.6)] {
            let style = SMALL.into_font().color(&BLACK.mix(shade));
            for point in points {
                let at = context.backend_coord(&(point.x, point.y));
                if let Some((x, y)) = places.beside(at, width(&point.label)) {
                    root.draw_text(&point.label, &style, (x - left, y - top))?;
                }
            }
        }
        Ok(())
    }

    /// Draws dashed lines of points with the same product of both numbers, each with its product written on it.
    fn products(&self, context: &mut Context<'_, '_>, places: &mut Places) -> Drawn {
        let (x, y) = (context.x_range(), context.y_range());
        let (least, most) = self
            .points()
            .map(|p| p.x * p.y)
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| (low.min(v), high.max(v)));
        if least >= most {
            return Ok(());
        }
        for product in round_numbers(least, most, 5, 0.0) {
            let piece = |k: u32| x.start + (x.end - x.start) * f64::from(k) / f64::from(PIECES);
            let line: Vec<(f64, f64)> = (0..=PIECES)
                .map(piece)
                .filter(|x| *x > 0.0 && y.contains(&(product / x)))
                .map(|x| (x, product / x))
                .collect();
            if line.len() < 3 {
                continue;
            }
            context.draw_series(DashedLineSeries::new(
                line.iter().copied(),
                5,
                4,
                BLACK.mix(0.35).stroke_width(1),
            ))?;
            let text = number(product);
            let wide = width(&text) + 4;
            let around = |&at: &(f64, f64)| {
                let (x, y) = context.backend_coord(&at);
                Rect(x - wide / 2, y - 6, x + wide / 2, y + 7)
            };
            let Some(rect) = line.iter().rev().map(around).find(|rect| places.free(rect)) else { continue };
            places.take(rect);
            let root = context.plotting_area().strip_coord_spec();
            let (left, top) = root.get_base_pixel();
            let corner = (rect.0 - left, rect.1 - top);
            root.draw(&Rectangle::new([corner, (rect.2 - left, rect.3 - top)], WHITE.filled()))?;
            root.draw_text(&text, &SMALL.into_font().color(&BLACK.mix(0.5)), (corner.0 + 2, corner.1 + 1))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Axis, Chart, Figure, Frontier};

    fn point(&(name, x, y): &(&str, f64, f64)) -> Point {
        Point { x, y, name: name.to_owned(), label: name.to_owned() }
    }

    fn plane(series: &[&[(&str, f64, f64)]], better: Better, each: bool) -> Plane {
        let axis = |name: &str| Axis { name: name.to_owned(), scale: Scale::Fitted };
        let series = series.iter().enumerate().map(|(n, points)| Series {
            name: format!("work {n}"),
            origin: Origin::Ours,
            mark: Mark::Points,
            points: points.iter().map(point).collect(),
        });
        Plane {
            title: String::new(),
            x: axis("latency, cycles"),
            y: axis("additions a cycle"),
            series: series.collect(),
            frontier: Some(Frontier { better, each }),
            labels: true,
            equal_products: true,
        }
    }

    fn svg(plane: Plane) -> String {
        let (title, about) = ("Fig. 7".to_owned(), String::new());
        Figure { title, about, charts: vec![Chart::Plane(plane)] }.svg().unwrap()
    }

    fn best(plane: &Plane) -> Vec<Vec<String>> {
        let names = |points: Vec<&Point>| points.iter().map(|p| p.label.clone()).collect();
        plane.frontiers().into_iter().map(|(_, points)| names(points)).collect()
    }

    #[test]
    fn points_that_nothing_beats_are_joined() {
        let designs = [("fine", 1420.0, 0.012), ("med-ind", 795.0, 0.05), ("a<b", 3579.0, 0.114)];
        let of = |better| best(&plane(&[&designs], better, false));
        assert_eq!(of(Better::LessXMoreY), [["med-ind", "a<b"]]);
        assert_eq!(of(Better::LessOfBoth), [["med-ind", "fine"]]);
        assert_eq!(of(Better::MoreXLessY), [["fine", "a<b"]]);
        assert_eq!(of(Better::MoreOfBoth), [["a<b"]]);
        let svg = svg(plane(&[&designs], Better::LessXMoreY, false));
        // A dominated point is a ring, which consists of a white disc and a circle around it.
        assert_eq!(svg.matches("<circle").count(), 4 + 1, "and the legend's");
        assert!(
            svg.contains("a&lt;b") && svg.contains("latency, cycles") && svg.contains("1420 0.012</title>")
        );
    }

    #[test]
    fn different_work_has_frontiers_of_its_own() {
        let [small, large] = [[("a", 1.0, 5.0), ("b", 2.0, 6.0)], [("c", 10.0, 50.0), ("d", 20.0, 40.0)]];
        let plane = |each| plane(&[&small, &large], Better::LessOfBoth, each);
        assert_eq!(best(&plane(true)), [vec!["a"], vec!["c", "d"]]);
        assert_eq!(best(&plane(false)), [["a"]]);
        assert!(svg(plane(true)).contains("none of the same work"));
    }

    #[test]
    fn many_points_are_named_on_the_frontier_only() {
        let names: Vec<String> = (0..60).map(|i| format!("<{i}>")).collect();
        let points: Vec<_> = names.iter().map(|n| (n.as_str(), n.len() as f64, n.len() as f64)).collect();
        let svg = svg(plane(&[&points], Better::LessOfBoth, false));
        // The hints contain the names of all points.
        assert_eq!(svg.matches("&lt;7&gt;").count() + svg.matches("&lt;0&gt;").count(), 3);
        assert!(!svg.contains("NaN"));
    }

    #[test]
    fn nothing_is_drawn_of_nothing() {
        assert!(!svg(plane(&[], Better::LessOfBoth, false)).contains("NaN"));
        let mut plane = plane(&[&[("zero", 0.0, 1.0), ("one", 1.0, 2.0)]], Better::LessOfBoth, false);
        plane.x.scale = Scale::Logarithmic;
        let svg = svg(plane);
        assert!(!svg.contains("NaN") && !svg.contains("zero") && svg.contains("one"));
    }
}
