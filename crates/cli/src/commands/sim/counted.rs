//! Energy, power and area of a run estimated from synthesised cells and toggle counts, in addition to those fitted to printed totals.

use crate::output;
use pairwright::sim::cells::{Estimate, FITTED, Range};

/// The lines of a text report about the estimates: one that names both kinds of figures, and one for each library of cells.
pub(super) fn lines(estimates: &[Estimate]) -> String {
    let line = |estimate: &Estimate| {
        let (energy, power, area) = (estimate.energy_j, estimate.power_w, estimate.area_mm2);
        format!(
            "\n  {}: {}, {}, {}",
            estimate.library,
            spread(energy, output::joules),
            spread(power, |watts| format!("{watts:.2} W")),
            spread(area, |mm2| format!("{mm2:.3} mm2"))
        )
    };
    let all: String = estimates.iter().map(line).collect();
    format!(
        "energy, power and area above are {FITTED}; by synthesised cells and toggles, least to most:{all}"
    )
}

/// The likely value, followed by the smallest and the largest in brackets.
fn spread(range: Range, print: impl Fn(f64) -> String) -> String {
    format!("{} ({} to {})", print(range.likely), print(range.least), print(range.most))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_says_its_likely_value_first() {
        let range = Range { least: 1e-6, likely: 2e-6, most: 4.5e-3 };
        assert_eq!(spread(range, output::joules), "2.0 uJ (1.0 uJ to 4.50 mJ)");
        assert!(lines(&[]).starts_with("energy, power and area above are fitted to the printed totals; by "));
    }
}
