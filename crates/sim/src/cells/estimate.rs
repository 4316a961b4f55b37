//! Estimates of a machine's area and energy from counted cells, as values with ranges.

use super::{Layout, Library, Size};
use crate::tech::Basis;
use serde::Serialize;

/// A value with the parameters at both ends of their ranges and at their likely values.
#[derive(Clone, Copy, PartialEq, Debug, Default, Serialize)]
pub struct Range {
    /// The value with all parameters at their least.
    pub least: f64,
    /// The value with all parameters at their likely values.
    pub likely: f64,
    /// The value with all parameters at their most.
    pub most: f64,
}

impl Range {
    /// Evaluates a model with the parameters at their least, likely and most.
    pub fn over<K>(ends: &[K; 3], model: impl Fn(&K) -> f64) -> Self {
        let [least, likely, most] = ends.each_ref().map(model);
        Self { least, likely, most }
    }

    /// The range multiplied by a factor.
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        Self { least: self.least * factor, likely: self.likely * factor, most: self.most * factor }
    }

    /// The sum of two ranges that depend on the same parameters.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            least: self.least + other.least,
            likely: self.likely + other.likely,
            most: self.most + other.most,
        }
    }
}

/// A part of a machine: its logic, and the area of its memories by the law of [`tech`](crate::tech).
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Part {
    /// Its name in reports.
    pub name: &'static str,
    /// The size of its logic.
    pub logic: Size,
    /// Area of its memories in mm² by the law, before [`Layout::memory`] is applied, at the machine's node.
    pub memory_mm2: f64,
    /// [`Basis::Counted`] if all of it is synthesised, [`Basis::Estimated`] if a law or a proportion is used.
    pub basis: Basis,
}

impl Part {
    /// Its area in mm² at 28 nm.
    pub fn mm2_28(&self, layout: &Layout) -> f64 {
        self.logic.mm2_28(layout) + self.memory_mm2 * layout.memory
    }
}

/// The contribution of a part to an area or an energy.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct EstimatedPart {
    /// Its name in reports.
    pub name: &'static str,
    /// The contribution, in the unit of the sum.
    pub value: Range,
    /// The basis of the contribution.
    pub basis: Basis,
}

/// Area, energy and power of a run of a machine from synthesised cells and net transitions, in one library.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The source of the figures, in words.
    pub source: String,
    /// Name of the cell library.
    pub library: &'static str,
    /// Area in square millimetres at the machine's node.
    pub area_mm2: Range,
    /// Energy of the run in joules, without off-chip memory.
    pub energy_j: Range,
    /// Average power of the run in watts.
    pub power_w: Range,
    /// The contributions to the area, in mm².
    pub area_parts: Vec<EstimatedPart>,
    /// The contributions to the energy, in joules.
    pub energy_parts: Vec<EstimatedPart>,
}

impl Estimate {
    /// The estimate of a run of a given duration in seconds from its parts: area and energy are their sums.
    pub fn new(
        library: &Library,
        node: &str,
        seconds: f64,
        area_parts: Vec<EstimatedPart>,
        energy_parts: Vec<EstimatedPart>,
    ) -> Self {
        let sum =
            |parts: &[EstimatedPart]| parts.iter().fold(Range::default(), |sum, part| sum.plus(part.value));
        let energy_j = sum(&energy_parts);
        Self {
            source: format!(
                "counted from synthesised cells and toggles, {} scaled to {node}, least to most",
                library.name
            ),
            library: library.name,
            area_mm2: sum(&area_parts),
            energy_j,
            power_w: if seconds > 0.0 { energy_j.times(1.0 / seconds) } else { Range::default() },
            area_parts,
            energy_parts,
        }
    }
}

/// The source text of figures that are calibrated to the totals of the papers.
pub const FITTED: &str = "fitted to the printed totals";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cells::LIBRARIES;

    #[test]
    fn an_estimate_is_the_sum_of_its_parts() {
        let part = |name, value| EstimatedPart { name, value, basis: Basis::Counted };
        let range = Range::over(&[1.0, 2.0, 4.0], |end| 3.0 * end);
        assert_eq!(range, Range { least: 3.0, likely: 6.0, most: 12.0 });
        let [area, joules] = [vec![part("a", range), part("b", range)], vec![part("c", range)]];
        let whole = Estimate::new(&LIBRARIES[0], "28 nm", 2.0, area, joules);
        assert_eq!((whole.area_mm2.likely, whole.energy_j.most, whole.power_w.least), (12.0, 12.0, 1.5));
        let source =
            "counted from synthesised cells and toggles, SkyWater, 130 nm scaled to 28 nm, least to most";
        assert_eq!(whole.source, source);
    }

    #[test]
    fn memories_and_logic_go_with_their_own_parameters() {
        let part =
            Part { name: "a", logic: Size::of_registers(1.0), memory_mm2: 2.0, basis: Basis::Estimated };
        let likely = Layout::ENDS[1];
        let doubled = part.mm2_28(&Layout { memory: 2.0, ..likely });
        assert!((doubled - part.mm2_28(&likely) - 2.0).abs() < 1e-12);
    }
}
