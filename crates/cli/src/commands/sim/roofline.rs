//! `--roofline`: the roofline of a run. Its operations a second are drawn over its operations per byte that the memory moved, below
//! the limits that the memory's bandwidth and the engine's elements set.

use crate::failure::Failure;
use crate::files::write_text as write;
use pairwright_plot::{Axis, Chart, Figure, Mark, Origin, Plane, Point, Scale, Series};
use std::path::Path;

/// The work of an engine in a run.
pub(super) struct Work {
    /// The engine's name in the picture.
    pub name: String,
    /// Number of operations that its elements executed.
    pub operations: f64,
    /// Bytes that moved over the memory's pins.
    pub bytes: f64,
    /// Seconds during which the engine was active.
    pub seconds: f64,
    /// The number of elements that work together.
    pub elements: u32,
    /// The peak rate of one element, in operations a second.
    pub rate: f64,
}

/// The limits of a machine.
pub(super) struct Machine<'a> {
    /// The name of an element's operations, in the plural.
    pub operation: &'a str,
    /// The name of the elements, in the plural.
    pub elements: &'a str,
    /// Peak bandwidth of the memory's pins, in bytes a second.
    pub bytes_per_second: f64,
}

impl Machine<'_> {
    /// The most operations a second for elements of this total rate and an intensity in operations per byte.
    fn roof(&self, rate: f64, intensity: f64) -> f64 {
        rate.min(intensity * self.bytes_per_second)
    }

    /// The picture of a run.
    fn figure(&self, title: &str, works: &[Work]) -> Figure {
        let drawn = || works.iter().filter(|w| w.bytes > 0.0 && w.seconds > 0.0 && w.operations > 0.0);
        let together = |work: &Work| f64::from(work.elements) * work.rate;
        let ridge = |rate: f64| rate / self.bytes_per_second;
        let intensity = |work: &Work| work.operations / work.bytes;
        let all = || drawn().flat_map(|work| [intensity(work), ridge(together(work))]);
        let (low, high) = (all().fold(f64::INFINITY, f64::min) / 4.0, all().fold(0.0, f64::max) * 4.0);
        let most = drawn().map(together).fold(0.0, f64::max);
        let (scale, scaled) = if most < 1e9 { (1e-6, "million") } else { (1e-9, "billion") };
        let point = |x: f64, y: f64, label: &str| Point {
            x,
            y: scale * y,
            name: label.to_owned(),
            label: label.to_owned(),
        };
        let mut sizes: Vec<(u32, f64)> = drawn().map(|work| (work.elements, together(work))).collect();
        sizes.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
        sizes.dedup();
        let memory = format!("{:.1} GB/s", 1e-9 * self.bytes_per_second);
        let roofs = sizes.into_iter().map(|(elements, rate)| Series {
            name: format!("{elements} {}, memory of {memory}", self.elements),
            origin: Origin::Ours,
            mark: Mark::Line,
            points: [low, ridge(rate), high].map(|x| point(x, self.roof(rate, x), "")).into(),
        });
        let runs = drawn().map(|work| {
            let (reached, roof) =
                (work.operations / work.seconds, self.roof(together(work), intensity(work)));
            let label = format!("{}: {:.0} % of the roof", work.name, 100.0 * reached / roof);
            Series {
                name: work.name.clone(),
                origin: Origin::Ours,
                mark: Mark::Points,
                points: vec![point(intensity(work), reached, &label)],
            }
        });
        let axis = |name: String| Axis { name, scale: Scale::Logarithmic };
        let plane = Plane {
            title: String::new(),
            x: axis(format!("{} for each byte of memory traffic", self.operation)),
            y: axis(format!("{scaled} {} a second", self.operation)),
            series: roofs.chain(runs).collect(),
            frontier: None,
            labels: true,
            equal_products: false,
        };
        let about = format!("what {} and memory allow, and what the run reached", self.elements);
        Figure { title: title.to_owned(), about, charts: vec![Chart::Plane(plane)] }
    }

    /// Writes the picture of a run.
    pub(super) fn draw(&self, path: &Path, title: &str, works: &[Work]) -> Result<(), Failure> {
        write(path, &self.figure(title, works).svg()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_is_below_both_roofs() {
        let machine = Machine { operation: "products", elements: "elements", bytes_per_second: 40e9 };
        // Eight elements reach their peak rate at a fifth of a product per byte.
        let rounded = |intensity: f64| machine.roof(8e9, intensity).round();
        assert_eq!([0.1, 0.2, 1.0].map(rounded), [4e9, 8e9, 8e9]);
        let work = |name: &str, operations: f64| Work {
            name: name.to_owned(),
            operations,
            bytes: 1e6,
            seconds: 1e-3,
            elements: 8,
            rate: 1e9,
        };
        let figure = machine.figure("a run", &[work("NTT", 1e5), work("MSM", 4e6), work("idle", 0.0)]);
        let Chart::Plane(plane) = &figure.charts[0] else { panic!("{figure:?}") };
        let names: Vec<&str> = plane.series.iter().map(|s| s.name.as_str()).collect();
        assert_eq!(names, ["8 elements, memory of 40.0 GB/s", "NTT", "MSM"]);
        // The first reaches 1e8 of 4e9, limited by the memory, the second 4e9 of 8e9, limited by the elements.
        assert_eq!(plane.series[1].points[0].label, "NTT: 2 % of the roof");
        assert_eq!(plane.series[2].points[0].label, "MSM: 50 % of the roof");
        assert!(figure.svg().unwrap().contains("of the roof"));
    }
}
