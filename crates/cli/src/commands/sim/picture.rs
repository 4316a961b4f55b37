//! The picture of a sweep: a point for each design, and a line through those that no other design beats. Where a browser
//! hovers over a point, it shows the design's parameters.

use pairwright_plot::{Axis, Better, Chart, Figure, Mark, Origin, Plane, Point, Scale, Series};

/// Designs in one plane, each by its parameters and its two numbers.
pub(super) fn plane(
    title: &str,
    [x, y]: [&str; 2],
    better: Better,
    designs: impl Iterator<Item = (String, f64, f64)>,
) -> Figure {
    Figure { title: title.to_owned(), charts: vec![chart([x, y], better, designs)] }
}

/// Designs by cycles and area, and by latency and area with lines of equal area-time product. `costs` gives the cycles,
/// the seconds and the square millimetres.
pub(super) fn by_area<C>(title: &str, points: &[(String, &C)], costs: impl Fn(&C) -> [f64; 3]) -> Figure {
    let named = || points.iter().map(|(label, c)| (label.clone(), costs(c)));
    // Milliseconds where microseconds have too many digits.
    let longest = named().map(|(_, [_, seconds, _])| seconds).fold(0.0, f64::max);
    let (unit, per_second) = if longest < 1e-2 { ("µs", 1e6) } else { ("ms", 1e3) };
    let latency = format!("latency, {unit}; dashed: equal area-time product, {unit}·mm²");
    let area = "area, mm²";
    let cycles = named().map(|(label, [cycles, _, mm2])| (label, cycles / 1e3, mm2));
    let seconds = named().map(|(label, [_, seconds, mm2])| (label, per_second * seconds, mm2));
    let by_cycles = chart(["thousand cycles", area], Better::LessOfBoth, cycles);
    let mut by_latency = chart([&latency, area], Better::LessOfBoth, seconds);
    if let Chart::Plane(plane) = &mut by_latency {
        plane.equal_products = true;
    }
    Figure { title: title.to_owned(), charts: vec![by_cycles, by_latency] }
}

fn chart(names: [&str; 2], better: Better, designs: impl Iterator<Item = (String, f64, f64)>) -> Chart {
    let [x, y] = names.map(|name| Axis { name: name.to_owned(), scale: Scale::Fitted });
    let points = designs.map(|(label, x, y)| Point { x, y, label }).collect();
    let name = "designs; red: no other is better in both".to_owned();
    let series = vec![Series { name, origin: Origin::Ours, mark: Mark::Points, points }];
    Chart::Plane(Plane { title: String::new(), x, y, series, frontier: Some(better), equal_products: false })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_design_is_a_point_in_both_planes() {
        let costs = [5e4, 4e4];
        let points = [("mm.latency=12".to_owned(), &costs[0]), ("mm.latency=18".to_owned(), &costs[1])];
        let svg = by_area("a < b", &points, |cycles| [*cycles, cycles / 8e8, 2.0]).svg().unwrap();
        assert_eq!(svg.matches("<circle").count(), 4);
        assert!(
            svg.contains("a &lt; b") && svg.contains("mm.latency=18: 40 2</title>") && svg.contains("µs")
        );
        assert!(by_area("slow", &points, |_| [1.0, 0.5, 2.0]).svg().unwrap().contains("latency, ms"));
    }
}
