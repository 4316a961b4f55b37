//! Goldens: the output of the compiler and of the builders of tasks for small examples, as text. They are every pass on the
//! product in Fp6, the example of [CP] §IV.A, a routine that is repeated, and the programs of operators.
//! `BLESS=1 cargo test` writes the files. `chip-programs` holds a line for each of its programs in the same way.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::colour::colour;
use pairwright_chip::compiler::lifetime::ValueTraffic;
use pairwright_chip::compiler::schedule::{Problem, Windows, by_rank, critical_path};
use pairwright_chip::compiler::simplify::simplify;
use pairwright_chip::compiler::{
    Fp6, Graph, Options, Scheduler, Trace, compile, compile_chained, compile_rotated,
};
use pairwright_chip::isa::Group;
use pairwright_chip::operator::{self, msm_task, ntt_task};
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::{Method, Shape};
use pairwright_curve::bls12_381::Fr;
use pairwright_field::Ring;
use pairwright_poly::Domain;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The product in Fp6 of [CP] §IV.A: two operands of three coefficients, six products.
fn fp6_mul() -> Graph {
    Trace::graph(|t| {
        let ([a, b, c], [d, e, f]) = (t.inputs("a", 0), t.inputs("b", 3));
        let r = Fp6::new(a, b, c) * Fp6::new(d, e, f);
        t.outputs("r", 0, [r.c0, r.c1, r.c2]);
    })
}

/// The square in Fp6 in place, which is called repeatedly.
fn fp6_square() -> Graph {
    Trace::graph(|t| {
        let [a, b, c] = t.inputs("a", 0);
        let r = Fp6::new(a, b, c).square();
        t.outputs("a", 0, [r.c0, r.c1, r.c2]);
    })
}

fn golden(example: &str, pass: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("goldens").join(example);
    let path = folder.join(format!("{pass}.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let held = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        held == text,
        "{pass} of {example} has changed; with BLESS=1 the golden is written anew. Now:\n{text}"
    );
}

#[test]
fn every_pass_of_the_papers_example_is_held_as_text() {
    let spec = MachineSpec::paper();
    let graph = fp6_mul();
    golden("fp6_mul", "1-graph", &graph.text());
    let graph = simplify(&graph);
    golden("fp6_mul", "2-simplified", &graph.text());
    let problem = Problem::new(&graph, &spec);
    let windows = Windows::new(&problem);
    let schedule = by_rank(&problem, &critical_path(&problem, &windows.tails));
    let mut text = format!("{} cycles, at least {}\n", problem.length(&schedule), windows.bound);
    for (i, task) in problem.tasks.iter().enumerate() {
        let slot = schedule.slots[i];
        let (from, tail) = (windows.heads[i], windows.tails[i]);
        let _ =
            writeln!(text, "%{} on {:?} in slot {slot}, head {from}, tail {tail}", task.node, task.channel);
    }
    golden("fp6_mul", "3-schedule", &text);
    let traffic = ValueTraffic::new(&graph, &problem, &schedule);
    golden("fp6_mul", "4-lifetimes", &traffic.text());
    let rows = colour(&traffic, &spec, &graph.reserved, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let lines = traffic.lifetimes.iter().zip(&rows).map(|(l, at)| format!("%{} in {at}\n", l.node));
    golden("fp6_mul", "5-rows", &lines.collect::<String>());
    for spec in [spec, MachineSpec::best()] {
        let options = Options { scheduler: Scheduler::Exact, ..Options::default() };
        let compiled = compile("fp6_mul", &fp6_mul(), &spec, &options).unwrap();
        golden("fp6_mul", &format!("6-words-{}", spec.name), &compiled.listing());
    }
}

#[test]
fn a_repeated_routine_is_held_as_text() {
    let options = Options { seeds: 16, ..Options::default() };
    let spec = MachineSpec::best();
    let chained = compile_chained("fp6_square", &fp6_square(), &spec, &options).unwrap();
    golden("fp6_square", "chained", &chained.listing());
    let rotated = compile_rotated("fp6_square", &fp6_square(), &spec, &options).unwrap();
    let parts = [rotated.enter, rotated.turn, rotated.leave];
    golden("fp6_square", "rotated", &parts.map(|part| part.listing()).join("\n"));
}

/// A transform of two passes, with its coset merged and separate, and MSMs in both groups.
#[test]
fn programs_of_operators_are_held_as_text() {
    let spec = MachineSpec::paper();
    let domain = Domain::<Fr>::new(11).unwrap();
    let shape = Shape { domain, inverse: false, shift: domain.odd_shift().unwrap() };
    for (name, method) in [("coset_ntt", Method::Merged), ("coset_ntt_separate", Method::Separate)] {
        let options = operator::OperatorOptions { method, ..operator::OperatorOptions::default() };
        golden("operators", name, &ntt_task(&spec, &shape, options).unwrap().0.listing());
    }
    for (name, group) in [("msm_g1", Group::G1), ("msm_g2", Group::G2)] {
        golden("operators", name, &msm_task::<Fr>(&spec, group, 1000, Schedule::Hidden).0.listing());
    }
}
