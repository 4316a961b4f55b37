//! The schedulers compared with each other, with their bound, and with an exhaustive search.

use super::common::{fp6_mul, machine};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::colour::colour;
use pairwright_chip::compiler::emit::emit;
use pairwright_chip::compiler::lifetime::ValueTraffic;
use pairwright_chip::compiler::schedule::{Problem, Schedule};
use pairwright_chip::compiler::simplify::simplify;
use pairwright_chip::compiler::{
    CompileError, Graph, Input, Node, Options, Output, Scheduler, compile, validate,
};
use pairwright_chip::isa::{L2Op, Loc};
use pairwright_chip_programs::published;
use rand_chacha::ChaCha8Rng;
use rand_core::{Rng, SeedableRng};

/// A random formula: `inputs` inputs, `ops` operations on earlier values, every unread value an output.
fn random_graph(rng: &mut ChaCha8Rng, inputs: usize, ops: usize) -> Graph {
    let mut draw = |below: usize| (rng.next_u64() % below as u64) as usize;
    let mut graph = Graph::default();
    for i in 0..inputs {
        graph.inputs.push(Input { name: format!("x{i}"), at: Loc::linear(i as u8), kept: draw(4) == 0 });
        graph.nodes.push(Node::Input(i));
    }
    let kinds =
        [L2Op::Mm, L2Op::Mm, L2Op::Mm, L2Op::Add, L2Op::Add, L2Op::Sub, L2Op::MulXi, L2Op::Neg, L2Op::Conj];
    for _ in 0..ops {
        let n = graph.nodes.len();
        // Recent values are chosen more often, so that there are long paths.
        let (a, b) = (n - 1 - draw(n.min(6)), draw(n));
        graph.nodes.push(Node::Op(if draw(40) == 0 { L2Op::Inv } else { kinds[draw(kinds.len())] }, [a, b]));
    }
    let readers = graph.readers();
    for node in (inputs..graph.nodes.len()).filter(|&n| readers[n].is_empty()) {
        let at = Loc::linear((inputs + graph.outputs.len()) as u8);
        graph.outputs.push(Output { name: format!("y{node}"), node, at });
    }
    graph
}

#[test]
fn on_random_formulas_no_schedule_is_below_its_bound_and_the_exact_ones_are_shortest() {
    let mut rng = ChaCha8Rng::seed_from_u64(11);
    let machines = [
        MachineSpec::paper(),
        MachineSpec::best(),
        machine("best", &[("mm.latency", "6"), ("arith.latency", "2")]),
        machine("paper", &[("mm.latency", "5"), ("forwarding.path2", "false")]),
        machine("best", &[("mm.ii", "3"), ("mm.latency", "7"), ("banks.reads", "1")]),
        machine("paper", &[("mm.style", "iterative"), ("mm.latency", "4")]),
    ];
    let (mut proved, mut all) = (0, 0);
    for round in 0..60 {
        let graph = random_graph(&mut rng, 3 + round % 5, 4 + round % 17);
        let spec = &machines[round % machines.len()];
        let [list, critical, exact] = Scheduler::ALL.map(|scheduler| {
            let compiled =
                compile("random", &graph, spec, &Options { scheduler, seeds: 40, seed: 5 }).unwrap();
            validate(&compiled.words, &graph, spec, 3)
                .unwrap_or_else(|e| panic!("{scheduler}: {e}\n{}", graph.text()));
            let report = compiled.report;
            assert!(report.bound <= report.cycles, "{scheduler}\n{}", graph.text());
            assert_eq!(report.optimal, report.bound == report.cycles);
            report
        });
        assert!(exact.bound >= critical.bound && exact.cycles <= critical.cycles);
        assert!(exact.bound <= list.cycles.min(critical.cycles), "{}", graph.text());
        proved += u32::from(exact.optimal);
        all += 1;
    }
    assert!(proved * 10 >= all * 9, "{proved} of {all} proved optimal");
}

/// The shortest valid length among all assignments of slots below `slots`, according to the validator.
fn shortest(graph: &Graph, spec: &MachineSpec, slots: i32) -> Option<i32> {
    let simplified = simplify(graph);
    let problem = Problem::new(&simplified, spec);
    let n = problem.tasks.len();
    let assignments = (slots as u64).pow(n as u32);
    let lengths = (0..assignments).filter_map(|code| {
        let digits = (0..n as u32).map(|k| (code / (slots as u64).pow(k) % slots as u64) as i32);
        let schedule = Schedule { slots: digits.collect() };
        let traffic = ValueTraffic::new(&simplified, &problem, &schedule);
        let rows = colour(&traffic, spec, &[], &mut ChaCha8Rng::seed_from_u64(1))?;
        let words = emit(&simplified, &problem, &schedule, &traffic, &rows);
        let facts = validate(&words, graph, spec, 1).ok()?;
        Some(facts.cycles as i32)
    });
    lengths.min()
}

#[test]
fn exact_schedules_are_as_short_as_the_best_of_all_assignments() {
    let mut rng = ChaCha8Rng::seed_from_u64(5);
    let machines = [
        machine("best", &[("mm.latency", "2")]),
        machine("paper", &[("mm.latency", "2")]),
        machine("best", &[("mm.latency", "2"), ("forwarding.path2", "false")]),
        machine("best", &[("mm.latency", "2"), ("mm.style", "iterative")]),
    ];
    let mut compared = 0;
    for round in 0..24 {
        let graph = random_graph(&mut rng, 3, 4);
        if simplify(&graph).count(|_| true) > 4 {
            continue;
        }
        let spec = &machines[round % machines.len()];
        let options = Options { scheduler: Scheduler::Exact, seeds: 20, seed: 1 };
        let report = compile("tiny", &graph, spec, &options).unwrap().report;
        assert!(report.optimal, "{}", graph.text());
        if report.cycles <= 10 {
            assert_eq!(shortest(&graph, spec, 9), Some(report.cycles as i32), "{}", graph.text());
            compared += 1;
        }
    }
    assert!(compared >= 12, "{compared}");
}

#[test]
fn the_papers_example_is_proved_optimal() {
    for spec in [MachineSpec::paper(), MachineSpec::best()] {
        let options = Options { scheduler: Scheduler::Exact, ..Options::default() };
        assert!(compile("fp6_mul", &fp6_mul(), &spec, &options).unwrap().report.optimal, "{}", spec.name);
    }
}

#[test]
fn seeds_decide() {
    let options = Options { seeds: 100, ..Options::default() };
    for (name, graph) in published::routines() {
        let [one, other] = [0, 1].map(|_| compile(name, &graph, &MachineSpec::best(), &options).unwrap());
        assert_eq!(one, other);
    }
}

#[test]
fn a_formula_with_too_many_values_for_the_shortest_schedule_gets_a_longer_one() {
    // Factors that can all be computed at once and are multiplied one after the other, so that each product waits for
    // the previous one.
    let graph = |kept: bool, at: u8| {
        let mut graph = Graph::default();
        for i in 0..6 {
            graph.inputs.push(Input { name: format!("x{i}"), at: Loc::linear(i as u8), kept });
            graph.nodes.push(Node::Input(i));
        }
        let (mut factor, mut product) = (0, 0);
        for i in 0..30 {
            let n = graph.nodes.len();
            graph.nodes.push(Node::Op(L2Op::Add, [(i + 1) % 6, factor]));
            graph.nodes.push(Node::Op(L2Op::Mm, [product, n]));
            (factor, product) = (n, n + 1);
        }
        graph.outputs.push(Output { name: "y".to_owned(), node: product, at: Loc::linear(at) });
        graph
    };
    let (wide, narrow) = (MachineSpec::best(), machine("best", &[("banks.rows", "4")]));
    let options = Options { seeds: 40, ..Options::default() };
    let free = compile("product", &graph(true, 6), &wide, &options).unwrap().report;
    let tight = compile("product", &graph(true, 6), &narrow, &options).unwrap();
    validate(&tight.words, &graph(true, 6), &narrow, 1).unwrap();
    assert!(free.rows > 12 && tight.report.rows <= 12, "{} {}", free.rows, tight.report.rows);
    // Six rows for the six inputs, and none for a factor.
    let mut crowded = graph(false, 0);
    crowded.reserved.extend((6..12).map(Loc::linear));
    let refused = compile("product", &crowded, &narrow, &options);
    assert!(matches!(refused, Err(CompileError::NoRows { rows: 12, .. })), "{refused:?}");
}

#[test]
fn a_scheduler_has_a_name() {
    for scheduler in Scheduler::ALL {
        assert_eq!(scheduler.to_string().parse::<Scheduler>().unwrap(), scheduler);
    }
    assert!(matches!("magic".parse::<Scheduler>(), Err(CompileError::NoScheduler(_))));
}
