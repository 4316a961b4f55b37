//! Chained routines: each call follows the previous one without draining.

use super::common::{fp6_mul, is_late, machines};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::schedule::{Link, Problem, least_period};
use pairwright_chip::compiler::validate::validate_chain;
use pairwright_chip::compiler::{
    CompileError, Graph, Options, RotationGraphs, compile, compile_chained, compile_rotated, rotation_graphs,
    validate,
};
use pairwright_chip::isa::{Channel, L2, Loc};
use pairwright_chip_programs::published;
use pairwright_curve::bls12_381::Fq2;
use pairwright_field::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use std::collections::BTreeMap;

/// Outputs, each with the input whose row it overwrites.
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

/// The largest mean weight of a cycle of links, rounded up, computed from the heaviest walks of every length (Karp),
/// and the bound by the channels.
fn least_by_walks(problem: &Problem, links: &[Link]) -> i32 {
    let tasks = &problem.tasks;
    let reads = |task: usize, link: &Link| tasks[task].inputs.iter().any(|row| row.node == link.input);
    // The longest path from the first read of one link's input to the slot that can read another link's next value.
    let delay = |a: &Link, b: &Link| {
        let mut way: Vec<Option<i32>> = vec![None; tasks.len()];
        for to in 0..tasks.len() {
            let over = tasks[to].data.iter();
            let over = over.filter_map(|&j| Some(way[j]? + tasks[j].latency + problem.least_gap()));
            way[to] = over.chain(reads(to, a).then_some(0)).max();
        }
        way[b.writer].map(|slots| slots + tasks[b.writer].latency + 2)
    };
    let weights: Vec<Vec<_>> = links.iter().map(|a| links.iter().map(|b| delay(a, b)).collect()).collect();
    let on = |channel| tasks.iter().filter(|task| task.channel == channel).count() as i32;
    let issue = tasks.len().div_ceil(problem.width as usize) as i32;
    let mut least = issue.max(on(Channel::Mm) * problem.mm_interval).max(on(Channel::Arith)).max(1);
    for start in 0..links.len() {
        let mut walk = vec![None; links.len()];
        walk[start] = Some(0);
        for steps in 1..=links.len() as i32 {
            let heaviest =
                |to: usize| (0..links.len()).filter_map(|from| Some(walk[from]? + weights[from][to]?)).max();
            walk = (0..links.len()).map(heaviest).collect();
            least = least.max(walk[start].map_or(0, |closed| (closed + steps - 1).div_euclid(steps)));
        }
    }
    least
}

#[test]
fn no_call_is_shorter_than_its_channels_and_the_heaviest_cycle_of_values_allow() {
    let mut by_values = 0;
    for (title, spec) in machines() {
        for (name, graph) in routines() {
            let mut graphs = vec![graph.clone()];
            let operations = graph.nodes.iter().enumerate();
            let before =
                |cut: usize| operations.clone().map(|(id, n)| id < cut || n.op().is_none()).collect();
            let cuts = (0..graph.nodes.len()).step_by(5).map(before);
            let turns =
                cuts.filter_map(|before: Vec<bool>| Some(rotation_graphs(&graph, &before, &spec)?.turn));
            graphs.extend(turns);
            for graph in graphs {
                let problem = Problem::new(&graph, &spec);
                let links = problem.links(&graph);
                let least = least_by_walks(&problem, &links);
                assert_eq!(least_period(&problem, &links), Ok(least), "{title}, {name}");
                by_values += u32::from(least > least_by_walks(&problem, &[]));
            }
        }
    }
    assert!(by_values > 100, "{by_values} are bound by a cycle of values");
}

#[test]
fn words_that_must_drain_are_refused_as_a_chain() {
    let (spec, graph) = (MachineSpec::best(), fp6_mul());
    let compiled = compile("fp6_mul", &graph, &spec, &Options::default()).unwrap();
    validate(&compiled.words, &graph, &spec, 1).unwrap();
    let fault = validate_chain(&compiled.words, &graph, &[(0, 0), (1, 1), (2, 2)], 3, &spec, 1).unwrap_err();
    assert!(is_late(&fault), "{fault}");
    // With one bubble less at its end, a chained routine reads a value before it is written.
    let chained = compile_chained("fp6_mul", &graph, &spec, &Options::default()).unwrap();
    let mut words = chained.words;
    let empty = words.iter().position(|w| *w == L2::NOP).expect("a chain of latencies has bubbles");
    words.remove(empty);
    assert!(validate_chain(&words, &graph, &links(&graph), 3, &spec, 1).is_err());
}

/// The contents of a program's rows between routines.
type Rows = BTreeMap<Loc, Fq2>;

/// Applies a routine's graph to the rows.
fn run(graph: &Graph, rows: &mut Rows) {
    let inputs: Vec<Fq2> = graph.inputs.iter().map(|i| rows[&i.at]).collect();
    for (output, value) in graph.outputs.iter().zip(graph.evaluate(&inputs)) {
        rows.insert(output.at, value);
    }
}

#[test]
fn a_rotation_of_any_number_of_turns_is_the_routine_as_often() {
    let options = Options { seeds: 48, ..Options::default() };
    for (spec, slots) in [(MachineSpec::paper(), 46), (MachineSpec::best(), 42)] {
        for (name, graph) in routines() {
            let rotated = compile_rotated(name, &graph, &spec, &options).unwrap();
            let RotationGraphs { enter, turn, leave } = &rotated.graphs;
            validate(&rotated.enter.words, enter, &spec, 1).unwrap();
            validate_chain(&rotated.turn.words, turn, &links(turn), 4, &spec, 1).unwrap();
            validate(&rotated.leave.words, leave, &spec, 1).unwrap();
            let mut rng = ChaCha8Rng::seed_from_u64(3);
            let start: Rows = graph.inputs.iter().map(|i| (i.at, Fq2::random(&mut rng))).collect();
            for turns in 0..4 {
                let (mut plain, mut halves) = (start.clone(), start.clone());
                (0..=turns).for_each(|_| run(&graph, &mut plain));
                run(enter, &mut halves);
                (0..turns).for_each(|_| run(turn, &mut halves));
                run(leave, &mut halves);
                for output in &graph.outputs {
                    assert_eq!(plain[&output.at], halves[&output.at], "{name}, {turns} turns");
                }
            }
            if name == "cyclotomic_square" {
                assert!(rotated.turn.report.slots <= slots, "{}: {}", spec.name, rotated.turn.report.slots);
            }
        }
    }
}

#[test]
fn a_routine_whose_output_is_no_input_does_not_rotate() {
    let mut graph = fp6_mul();
    graph.outputs[0].at = Loc::linear(9);
    let refused = compile_rotated("fp6_mul", &graph, &MachineSpec::best(), &Options::default());
    assert!(matches!(refused, Err(CompileError::NoRotation { .. })), "{refused:?}");
}
