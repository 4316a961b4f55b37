//! Designs in a plane of two figures of theirs, as \[AIE\] Fig. 7: a point a design, with its name, and those that nothing
//! beats joined.

use super::picture::{Frame, WIDTH, escaped, opened};
use pairwright::sim::pareto::front;
use std::fmt::Write;

/// What the axes are. Less is better on the horizontal one.
pub(super) struct Plane {
    /// The horizontal one, with its unit.
    pub x: &'static str,
    /// The vertical one.
    pub y: &'static str,
    /// Whether more is better on it.
    pub more: bool,
}

/// A design with its name, and where it is.
pub(super) type Place = (String, f64, f64);

/// Names beside the points of more designs than this would cover each other: they are seen by hovering only.
const NAMED: usize = 24;

impl Plane {
    /// The picture.
    pub(super) fn draw(&self, title: &str, designs: &[Place]) -> String {
        // A letter of the title is not wider than that.
        let width = WIDTH.max(8.0 * title.chars().count() as f64);
        let mut svg = opened(title, width) + "<g transform=\"translate(0,24)\">\n";
        let at: Vec<(f64, f64)> = designs.iter().map(|d| (d.1, d.2)).collect();
        let frame = Frame::new(&at);
        frame.axes(&mut svg, self.x, self.y);
        let less = |&(x, y): &(f64, f64)| (x, if self.more { -y } else { y });
        let best = front(&at.iter().map(less).collect::<Vec<_>>());
        let line = best.iter().map(|&i| format!("{:.1},{:.1}", frame.x(at[i].0), frame.y(at[i].1)));
        let line = line.collect::<Vec<_>>().join(" ");
        let _ = writeln!(svg, "<polyline points=\"{line}\" fill=\"none\" stroke=\"#c33\"/>");
        let mut order: Vec<usize> = (0..designs.len()).collect();
        order.sort_by(|&a, &b| at[a].0.total_cmp(&at[b].0));
        for (turn, i) in order.into_iter().enumerate() {
            let (name, x, y) = &designs[i];
            let fill = if best.contains(&i) { "#c33" } else { "#69c" };
            let (name, left, top) = (escaped(name), frame.x(*x), frame.y(*y));
            let _ = writeln!(
                svg,
                "<circle cx=\"{left:.1}\" cy=\"{top:.1}\" r=\"4\" fill=\"{fill}\"><title>{name}: {x:.6}, {y:.6}</title>\
                 </circle>"
            );
            if designs.len() <= NAMED {
                // To the side where there is room, below and above in turn; of one parameter the value alone.
                let (anchor, by) = if left > 0.6 * WIDTH { ("end", -7.0) } else { ("start", 7.0) };
                let down = if turn.is_multiple_of(2) { 12.0 } else { -5.0 };
                let name = if name.contains(' ') { &name } else { name.rsplit('=').next().unwrap_or(&name) };
                let _ = writeln!(
                    svg,
                    "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"{anchor}\" font-size=\"9\">{name}</text>",
                    left + by,
                    top + down
                );
            }
        }
        svg + "</g>\n</svg>\n"
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nothing_beats_is_joined() {
        let plane = Plane { x: "latency, cycles", y: "additions a cycle", more: true };
        let place = |name: &str, x, y| (name.to_owned(), x, y);
        let designs =
            [place("fine", 1420.0, 0.012), place("med-ind", 795.0, 0.05), place("a<b", 3579.0, 0.114)];
        let svg = plane.draw("Fig. 7", &designs);
        assert_eq!((svg.matches("<circle").count(), svg.matches("fill=\"#c33\"").count()), (3, 2));
        assert!(svg.contains(">a&lt;b</text>") && svg.contains("latency, cycles"));
        let line = svg.split("polyline points=\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
        assert_eq!(line.split(' ').count(), 2);
        // Where less is better, fine and med-ind change places.
        let other = Plane { more: false, ..plane }.draw("", &designs[..2]);
        assert_eq!(other.matches("fill=\"#c33\"").count(), 2);
        assert!(!other.contains("NaN") && !Plane { more: true, ..plane }.draw("", &[]).contains("NaN"));
    }
}
