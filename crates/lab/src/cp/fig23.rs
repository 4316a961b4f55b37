//! Figure 23: frequency and power against voltage.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels, Row};
use pairwright_chip::power::{OPERATORS, frequency_hz, operator_watts};

/// Voltages, in hundredths of a volt, at which the paper prints a frequency; the model meets all three.
const PRINTED: [u32; 3] = [70, 90, 110];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/fig23", 1);
    context.step("the supply");
    for centivolts in (70..=110).step_by(2) {
        let volts = f64::from(centivolts) / 100.0;
        let operation = format!("{volts:.2} V");
        let mut keep = |quantity, unit, series: &str, value, fitted, note: &str| {
            let kind = if fitted { Kind::Calibrated } else { Kind::Modelled };
            let row =
                Labels { quantity, operation: &operation, unit }.row(kind, "model", series, value, note);
            outcome.keep(Row { x: Some(volts), x_name: "supply, V".to_owned(), ..row });
        };
        let (mhz, fitted) = (1e-6 * frequency_hz(volts), PRINTED.contains(&centivolts));
        keep("frequency", "MHz", "model", mhz, fitted, "derived: parabola through the three");
        for operator in &OPERATORS {
            let (note, fitted) = if operator.name == "pairing" {
                ("calibrated at 0.7 V, and at 1.1 V on 76.9 uJ", [70, 110].contains(&centivolts))
            } else {
                ("calibrated at 0.7 V; estimated to grow as the pairing's", centivolts == 70)
            };
            keep("power", "W", operator.name, operator_watts(operator, volts), fitted, note);
        }
    }
    for centivolts in PRINTED {
        let volts = f64::from(centivolts) / 100.0;
        let operation = format!("{volts:.2} V");
        let hz = frequency_hz(volts);
        let note = "derived: through this point";
        outcome.answer("frequency", &operation, "model", 1e-6 * hz, note).kind = Some(Kind::Calibrated);
        let watts = operator_watts(&OPERATORS[0], volts);
        let note = "0.2 W is printed for 0.7 V; 1.10 W at 1.1 V is 76.9 uJ over 69.9 us";
        let power = outcome.answer("power", &operation, "pairing", watts, note);
        power.kind = (centivolts != 90).then_some(Kind::Calibrated);
    }
    Ok(outcome)
}
