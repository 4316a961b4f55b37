//! Figure 7: throughput against latency of the five mappings, and of all designs with other methods.

use super::designs::{self, METHODS, every, mappings};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Labels, Row};
use pairwright_aie::{Evaluation, Method};
use pairwright_sim::pareto;

const WHAT: &str = "throughput by latency";

/// Indexes of the designs that no other beats in both latency and the given throughput.
fn front(of: &[Evaluation], throughput: impl Fn(&Evaluation) -> f64) -> Vec<usize> {
    let points: Vec<_> = of.iter().map(|e| (e.latency_cycles as f64, -throughput(e))).collect();
    pareto::front(&points)
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/fig7", METHODS.len() + 1);
    for method in METHODS {
        context.step(&method.name());
        let points: Vec<_> = mappings(context).iter().map(|&mapping| (mapping, method)).collect();
        let found = designs::found(context, &points, &mut outcome);
        for e in &found {
            draw(WHAT, &method.name(), e, &mut outcome);
        }
        // The following results concern all mappings.
        if !context.quick {
            let mut say = |series: &str, units: &str, throughput: fn(&Evaluation) -> f64| {
                let best = front(&found, throughput);
                let names: Vec<_> = best.into_iter().map(|i| found[i].mapping.name()).collect();
                let note = format!("{}; {units}", names.join(", "));
                let key = "mappings that no other one beats";
                outcome.answer(key, "five", series, names.len() as f64, &note);
            };
            let name = method.name();
            say(&name, "units that fit", |e| e.throughput_per_cycle);
            say(&format!("{name}, printed units"), "units by which the printed throughputs are", |e| {
                e.throughput_of_printed_units
            });
        }
    }
    if context.quick {
        return Ok(outcome);
    }
    context.step("every method");
    let methods = every();
    let points: Vec<_> =
        mappings(context).iter().flat_map(|&mapping| methods.iter().map(move |&m| (mapping, m))).collect();
    let found = designs::found(context, &points, &mut Outcome::default());
    let best = front(&found, |e| e.throughput_per_cycle);
    for (i, e) in found.iter().enumerate() {
        // Only points of the front are connected and labelled.
        let series = if best.contains(&i) { "frontier" } else { "beaten" };
        draw("throughput by latency, every method", series, e, &mut outcome);
    }
    Ok(outcome)
}

/// Adds a point of the chart.
fn draw(what: &str, series: &str, e: &Evaluation, outcome: &mut Outcome) {
    let name = if e.method == Method::PAPER || series != "frontier" {
        e.mapping.name().to_owned()
    } else {
        format!("{}, {}", e.mapping.name(), e.method.name())
    };
    let labels = Labels { quantity: what, operation: &name, unit: "tasks/cycle" };
    let note = format!("{}, {} units", e.method.name(), e.units);
    let row = labels.modelled(series, e.throughput_per_cycle, &note);
    let (x, x_name) = (Some(e.latency_cycles as f64), "latency, cycles".to_owned());
    outcome.keep(Row { x, x_name, ..row });
}
