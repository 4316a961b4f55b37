//! Routines that follow themselves without draining.

use crate::common::{fp6_mul, machines};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::validate::validate_chain;
use pairwright_chip::compiler::{Fault, Graph, Options, compile, compile_chained, validate};
use pairwright_chip::isa::L2;
use pairwright_chip::program::published;

/// Outputs and the inputs in whose rows they lie.
fn links(graph: &Graph) -> Vec<(usize, usize)> {
    let input_at = |at| graph.inputs.iter().position(|i| i.at == at);
    graph.outputs.iter().enumerate().filter_map(|(k, o)| Some((k, input_at(o.at)?))).collect()
}

fn routines() -> Vec<(&'static str, Graph)> {
    let few = ["cyclotomic_square", "fp12_mul", "line_double_mult", "line_add_mult", "fp12_conjugate"];
    let mut all: Vec<_> = published::routines().into_iter().filter(|(name, _)| few.contains(name)).collect();
    all.push(("fp6_mul", fp6_mul()));
    all
}

#[test]
fn chained_calls_compute_what_the_formula_does_call_after_call() {
    for (title, spec) in machines() {
        for (name, graph) in routines() {
            let options = Options { seeds: 16, ..Options::default() };
            let drained = compile(name, &graph, &spec, &options).unwrap().report;
            let chained = match compile_chained(name, &graph, &spec, &options) {
                Ok(chained) => chained,
                Err(e) => panic!("{title}: {e}"),
            };
            for calls in [1, 2, 5] {
                let facts = validate_chain(&chained.words, &graph, &links(&graph), calls, &spec, 9);
                let facts = facts.unwrap_or_else(|e| panic!("{title}, {name}, {calls} calls: {e}"));
                assert_eq!(facts.slots, calls * chained.report.slots, "{title}, {name}");
            }
            let report = chained.report;
            assert!(report.bound <= report.slots, "{title}, {name}");
            assert!(
                report.slots <= drained.cycles + 4,
                "{title}, {name}: {} {}",
                report.slots,
                drained.cycles
            );
        }
    }
}

#[test]
fn words_that_must_drain_are_refused_as_a_chain() {
    let (spec, graph) = (MachineSpec::best(), fp6_mul());
    let compiled = compile("fp6_mul", &graph, &spec, &Options::default()).unwrap();
    validate(&compiled.words, &graph, &spec, 1).unwrap();
    let fault = validate_chain(&compiled.words, &graph, &[(0, 0), (1, 1), (2, 2)], 3, &spec, 1).unwrap_err();
    assert!(
        matches!(fault, Fault::Output { .. } | Fault::Unwritten { .. } | Fault::WritePorts { .. }),
        "{fault}"
    );
    // With a bubble less at its end, a chained routine reads what is not there yet.
    let chained = compile_chained("fp6_mul", &graph, &spec, &Options::default()).unwrap();
    let mut words = chained.words;
    let empty = words.iter().position(|w| *w == L2::NOP).expect("a chain of latencies has bubbles");
    words.remove(empty);
    assert!(validate_chain(&words, &graph, &links(&graph), 3, &spec, 1).is_err());
}
