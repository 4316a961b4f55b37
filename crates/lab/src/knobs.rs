//! Model parameters with ranges, and the effect of each on a model's value.

use crate::experiment::Outcome;
use crate::row::{Labels, decimals};
use crate::scorecard::CHANGE;

/// A parameter: its name, and its least, used and greatest values.
pub(crate) struct Knob {
    pub(crate) name: &'static str,
    pub(crate) values: [f64; 3],
}

/// The used values of the parameters.
pub(crate) fn middle(knobs: &[Knob]) -> Vec<f64> {
    knobs.iter().map(|knob| knob.values[1]).collect()
}

/// A value that parameters affect: the quantity, the headline by which the scorecard identifies it, and the series of
/// its rows.
#[derive(Clone, Copy)]
pub(crate) struct AffectedValue<'a> {
    pub(crate) quantity: &'a str,
    pub(crate) headline: &'a str,
    pub(crate) series: &'a str,
}

/// A model's value with all parameters at their used values. Adds a row for each parameter that changes it by itself,
/// and one for all parameters at their ends.
pub(crate) fn varied(
    outcome: &mut Outcome,
    AffectedValue { quantity, headline, series }: AffectedValue<'_>,
    knobs: &[Knob],
    model: impl Fn(&[f64]) -> f64,
) -> f64 {
    let at = |end: usize| knobs.iter().map(|knob| knob.values[end]).collect::<Vec<f64>>();
    let middle = model(&at(1));
    let what = format!("{CHANGE}{quantity}, {headline}");
    let mut keep = |operation: &str, value: f64, note: &str| {
        let labels = Labels { quantity: &what, operation, unit: "%" };
        outcome.model(&labels, series, 100.0 * (value / middle - 1.0), note);
    };
    for (k, knob) in knobs.iter().enumerate() {
        for end in [0, 2] {
            let mut values = at(1);
            values[k] = knob.values[end];
            if knob.values[end] != knob.values[1] {
                let name = format!("{} = {}", knob.name, decimals(knob.values[end], 4));
                keep(&name, model(&values), "by itself");
            }
        }
    }
    let together = format!("{quantity}, {headline}: all at an end");
    for (end, name) in [(0, "least"), (2, "most")] {
        let labels = Labels { quantity: &together, operation: name, unit: "times" };
        outcome.model(&labels, series, model(&at(end)) / middle, "all parameters together");
    }
    middle
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parameter_is_varied_by_itself() {
        let mut outcome = Outcome::default();
        let knobs =
            [Knob { name: "a", values: [1.0, 2.0, 4.0] }, Knob { name: "b", values: [3.0, 3.0, 6.0] }];
        let affected = AffectedValue { quantity: "energy", headline: "sum", series: "by toggles" };
        assert_eq!(varied(&mut outcome, affected, &knobs, |v| v[0] + v[1]), 5.0);
        let rows: Vec<(&str, f64)> =
            outcome.rows.iter().map(|row| (row.operation.as_str(), row.ours.unwrap().round())).collect();
        assert_eq!(rows[..3], [("a = 1", -20.0), ("a = 4", 40.0), ("b = 6", 60.0)]);
        assert_eq!((outcome.rows[3].ours, outcome.rows[4].ours), (Some(0.8), Some(2.0)));
        assert_eq!(outcome.rows[0].what, "change of the energy, sum");
        assert_eq!((outcome.rows[0].series.as_str(), middle(&knobs)), ("by toggles", vec![2.0, 3.0]));
    }
}
