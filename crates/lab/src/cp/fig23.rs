//! Figure 23: frequency and power against voltage.

use super::{Place, answer, modelled};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use pairwright_chip::power::{OPERATORS, frequency_hz, operator_watts};

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    context.begin("cp/fig23", 1);
    context.step("the supply");
    let mut rows = Vec::new();
    for centivolts in (70..=110).step_by(2) {
        let volts = f64::from(centivolts) / 100.0;
        let operation = format!("{volts:.2} V");
        let place = Place { what: "frequency", operation: &operation, unit: "MHz" };
        rows.push(modelled(
            &place,
            "model",
            1e-6 * frequency_hz(volts),
            "derived: parabola through the three",
        ));
        for operator in &OPERATORS {
            let place = Place { what: "power", operation: &operation, unit: "W" };
            let watts = operator_watts(operator, volts);
            let note = if operator.name == "pairing" {
                "calibrated at 0.7 V, and at 1.1 V on 76.9 uJ"
            } else {
                "calibrated at 0.7 V; estimated to grow as the pairing's"
            };
            rows.push(modelled(&place, operator.name, watts, note));
        }
    }
    let mut answers = Vec::new();
    for (operation, volts) in [("0.70 V", 0.7), ("0.90 V", 0.9), ("1.10 V", 1.1)] {
        let hz = frequency_hz(volts);
        answers.push(answer("frequency", operation, "model", 1e-6 * hz, "derived: through this point"));
        let watts = operator_watts(&OPERATORS[0], volts);
        let why = "0.2 W is printed for 0.7 V; 1.10 W at 1.1 V is 76.9 uJ over 69.9 us";
        answers.push(answer("power", operation, "pairing", watts, why));
    }
    Ok(Outcome { rows, answers })
}
