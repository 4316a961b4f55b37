//! A sweep as a picture: scatter plots in SVG, the points that nothing beats joined. Hovering over a point in a browser
//! says which design it is.

use pairwright::sim::pareto::front;
use std::fmt::Write;

/// A design in the picture.
struct Dot {
    /// Its parameters.
    label: String,
    /// Cycles.
    cycles: f64,
    /// Seconds.
    latency_s: f64,
    /// mm².
    area_mm2: f64,
}

pub(super) const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 360.0;
const MARGIN: [f64; 4] = [64.0, 46.0, 16.0, 40.0]; // left, bottom, right, top

/// A sweep's designs, each by its label, cycles, seconds and mm².
pub(super) fn by_area<C>(title: &str, points: &[(String, &C)], place: impl Fn(&C) -> [f64; 3]) -> String {
    let dot = |(label, costs): &(String, &C)| {
        let [cycles, latency_s, area_mm2] = place(costs);
        Dot { label: label.clone(), cycles, latency_s, area_mm2 }
    };
    draw(title, &points.iter().map(dot).collect::<Vec<_>>())
}

/// Area against cycles, and area against latency with lines of equal area-time product.
fn draw(title: &str, dots: &[Dot]) -> String {
    let mut svg = opened(title, 2.0 * WIDTH);
    // Milliseconds where microseconds have too many digits.
    let longest = dots.iter().map(|d| d.latency_s).fold(0.0, f64::max);
    let (unit, per_second) = if longest < 1e-2 { ("µs", 1e6) } else { ("ms", 1e3) };
    let latency = format!("latency, {unit}; dashed: equal area-time product, {unit}·mm²");
    let across = |of: &dyn Fn(&Dot) -> f64| dots.iter().map(|d| (of(d), d.area_mm2)).collect::<Vec<_>>();
    let panels = [
        ("thousand cycles", across(&|d| d.cycles / 1e3)),
        (latency.as_str(), across(&|d| per_second * d.latency_s)),
    ];
    for (i, (x_name, points)) in panels.into_iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate({},24)\">", WIDTH * i as f64);
        panel(&mut svg, (x_name, "area, mm²"), dots, &points, i == 1);
        svg.push_str("</g>\n");
    }
    svg + "</svg>\n"
}

/// The start of a picture under its title.
pub(super) fn opened(title: &str, width: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{}\" font-family=\"sans-serif\" \
         font-size=\"11\">\n<rect width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"10\" y=\"18\" font-size=\"14\">{}</text>\n",
        HEIGHT + 24.0,
        escaped(title)
    )
}

fn panel(
    svg: &mut String,
    (x_name, y_name): (&str, &str),
    dots: &[Dot],
    points: &[(f64, f64)],
    products: bool,
) {
    let frame = Frame::new(points);
    frame.axes(svg, x_name, y_name);
    let (xs, ys) = (&frame.xs, &frame.ys);
    let (x, y) = (|v: f64| frame.x(v), |v: f64| frame.y(v));
    if products {
        for product in Scale::new(points.iter().map(|(time, area)| time * area)).ticks() {
            let on_line = |k: i32| {
                let at = xs.low + (xs.high - xs.low) * f64::from(k) / 60.0;
                (at > 0.0 && (ys.low..=ys.high).contains(&(product / at))).then(|| (at, product / at))
            };
            let line: Vec<(f64, f64)> = (0..=60).filter_map(on_line).collect();
            let Some(end) = line.last() else { continue };
            let points: Vec<String> = line.iter().map(|p| format!("{:.1},{:.1}", x(p.0), y(p.1))).collect();
            let _ = writeln!(
                svg,
                "<polyline points=\"{}\" fill=\"none\" stroke=\"#999\" stroke-dasharray=\"4 3\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" fill=\"#777\" text-anchor=\"end\">{product}</text>",
                points.join(" "),
                x(end.0),
                y(end.1) - 3.0
            );
        }
    }
    let best = front(points);
    let line: Vec<String> =
        best.iter().map(|&i| format!("{:.1},{:.1}", x(points[i].0), y(points[i].1))).collect();
    let _ = writeln!(svg, "<polyline points=\"{}\" fill=\"none\" stroke=\"#c33\"/>", line.join(" "));
    for (i, (dot, point)) in dots.iter().zip(points).enumerate() {
        let fill = if best.contains(&i) { "#c33" } else { "#69c" };
        let _ = writeln!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"4\" fill=\"{fill}\"><title>{}: {} cycles, {:.2} us, {:.3} mm2, \
             {:.1} us*mm2</title></circle>",
            x(point.0),
            y(point.1),
            escaped(&dot.label),
            dot.cycles,
            1e6 * dot.latency_s,
            dot.area_mm2,
            1e6 * dot.latency_s * dot.area_mm2
        );
    }
}

/// Where points of a plane stand on paper.
pub(super) struct Frame {
    xs: Scale,
    ys: Scale,
}

impl Frame {
    /// Room for these points.
    pub(super) fn new(points: &[(f64, f64)]) -> Self {
        Self { xs: Scale::new(points.iter().map(|p| p.0)), ys: Scale::new(points.iter().map(|p| p.1)) }
    }

    /// From the left.
    pub(super) fn x(&self, v: f64) -> f64 {
        let [left, _, right, _] = MARGIN;
        left + self.xs.part(v) * (WIDTH - left - right)
    }

    /// From the top.
    pub(super) fn y(&self, v: f64) -> f64 {
        let [_, bottom, _, top] = MARGIN;
        HEIGHT - bottom - self.ys.part(v) * (HEIGHT - bottom - top)
    }

    /// Grid, numbers and names.
    pub(super) fn axes(&self, svg: &mut String, x_name: &str, y_name: &str) {
        let [left, bottom, right, top] = MARGIN;
        for tick in self.xs.ticks() {
            let _ = writeln!(
                svg,
                "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{1}\" y2=\"{2}\" stroke=\"#ddd\"/>\
                 <text x=\"{0:.1}\" y=\"{3}\" text-anchor=\"middle\">{tick}</text>",
                self.x(tick),
                top,
                HEIGHT - bottom,
                HEIGHT - bottom + 15.0
            );
        }
        for tick in self.ys.ticks() {
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" x2=\"{1}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#ddd\"/>\
                 <text x=\"{2}\" y=\"{3:.1}\" text-anchor=\"end\">{tick}</text>",
                self.y(tick),
                WIDTH - right,
                left - 5.0,
                self.y(tick) + 4.0
            );
        }
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{}\" text-anchor=\"middle\">{x_name}</text>\
             <text transform=\"translate(14,{}) rotate(-90)\" text-anchor=\"middle\">{y_name}</text>",
            (WIDTH + left) / 2.0,
            HEIGHT - 10.0,
            HEIGHT / 2.0
        );
    }
}

/// A linear axis with room around what it shows.
struct Scale {
    low: f64,
    high: f64,
}

impl Scale {
    fn new(values: impl Iterator<Item = f64>) -> Self {
        let (low, high) = values.fold((f64::INFINITY, f64::NEG_INFINITY), |(l, h), v| (l.min(v), h.max(v)));
        if low > high {
            return Self { low: 0.0, high: 1.0 };
        }
        let room = (0.06 * (high - low)).max(0.02 * high.abs()).max(1e-9);
        Self { low: low - room, high: high + room }
    }

    fn part(&self, value: f64) -> f64 {
        (value - self.low) / (self.high - self.low)
    }

    /// Round numbers inside, four to ten of them.
    fn ticks(&self) -> Vec<f64> {
        let raw = (self.high - self.low) / 5.0;
        let power = 10f64.powf(raw.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|k| k * power).find(|s| *s >= raw).unwrap_or(raw);
        let digits = (-step.log10().floor()).max(0.0) as usize;
        let (first, last) = ((self.low / step).ceil() as i64, (self.high / step).floor() as i64);
        (first..=last)
            .map(|k| format!("{:.*}", digits, k as f64 * step).parse().unwrap_or(k as f64 * step))
            .collect()
    }
}

pub(super) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let scale = Scale::new([31.0, 56.0].into_iter());
        assert_eq!(scale.ticks(), [30.0, 40.0, 50.0]);
        let narrow = Scale::new([2.09, 2.21].into_iter()).ticks();
        assert!(narrow.len() >= 2 && narrow.iter().all(|t| (2.04..2.27).contains(t)), "{narrow:?}");
    }

    #[test]
    fn every_design_is_a_dot_with_its_name() {
        let dot = |label: &str, cycles| Dot {
            label: label.to_owned(),
            cycles,
            latency_s: cycles / 8e8,
            area_mm2: 2.0,
        };
        let svg = draw("a < b", &[dot("mm.latency=12", 5e4), dot("mm.latency=18", 4e4)]);
        assert_eq!(svg.matches("<circle").count(), 4, "two panels");
        assert!(svg.contains("a &lt; b") && svg.contains("mm.latency=18: 40000 cycles"));
        assert!(!draw("nothing", &[]).contains("NaN"));
    }
}
