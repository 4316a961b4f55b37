//! Every pass on the product in Fp6, the example of [CP] §IV.A, as text. `BLESS=1 cargo test` writes the files.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::colour::colour;
use pairwright_chip::compiler::lifetime::ValueTraffic;
use pairwright_chip::compiler::schedule::{Problem, Windows, by_rank, critical_path};
use pairwright_chip::compiler::simplify::simplify;
use pairwright_chip::compiler::{Fp6, Graph, Options, Scheduler, Trace, compile};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;
use std::fmt::Write as _;
use std::path::PathBuf;

/// The product in Fp6 of [CP] §IV.A: three coefficients each way, six products.
fn fp6_mul() -> Graph {
    Trace::graph(|t| {
        let ([a, b, c], [d, e, f]) = (t.inputs("a", 0), t.inputs("b", 3));
        let r = Fp6::new(a, b, c) * Fp6::new(d, e, f);
        t.outputs("r", 0, [r.c0, r.c1, r.c2]);
    })
}

fn golden(pass: &str, text: &str) {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("goldens/fp6_mul");
    let path = folder.join(format!("{pass}.txt"));
    if std::env::var_os("BLESS").is_some() {
        std::fs::create_dir_all(&folder).unwrap();
        std::fs::write(&path, text).unwrap();
    }
    let held = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        held == text,
        "{pass} of fp6_mul has changed; with BLESS=1 the golden is written anew. Now:\n{text}"
    );
}

#[test]
fn every_pass_of_the_papers_example_is_held_as_text() {
    let spec = MachineSpec::paper();
    let graph = fp6_mul();
    golden("1-graph", &graph.text());
    let graph = simplify(&graph);
    golden("2-simplified", &graph.text());
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
    golden("3-schedule", &text);
    let traffic = ValueTraffic::new(&graph, &problem, &schedule);
    golden("4-lifetimes", &traffic.text());
    let rows = colour(&traffic, &spec, &graph.reserved, &mut ChaCha8Rng::seed_from_u64(1)).unwrap();
    let lines = traffic.lifetimes.iter().zip(&rows).map(|(l, at)| format!("%{} in {at}\n", l.node));
    golden("5-rows", &lines.collect::<String>());
    for spec in [spec, MachineSpec::best()] {
        let options = Options { scheduler: Scheduler::Exact, ..Options::default() };
        let compiled = compile("fp6_mul", &fp6_mul(), &spec, &options).unwrap();
        golden(&format!("6-words-{}", spec.name), &compiled.listing());
    }
}
