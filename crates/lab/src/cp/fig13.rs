//! Figure 13: the product of Fp6 as the paper's example of scheduling, forwarding and row allocation.

use super::options;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::schedule::{Problem, Table};
use pairwright_chip::compiler::{self, Fp6, Graph, Scheduler, Sym, Trace, simplify::simplify};

fn product() -> Graph {
    Trace::graph(|t| {
        let fp6 = |[a, b, c]: [Sym; 3]| Fp6::new(a, b, c);
        let r = fp6(t.inputs("a", 0)) * fp6(t.inputs("b", 3));
        t.outputs("r", 0, [r.c0, r.c1, r.c2]);
    })
}

const FORWARDING: &str = "pipelined, forwarding";
const MACHINES: [(&str, &[(&str, &str)]); 3] = [
    (FORWARDING, &[]),
    ("pipelined, no forwarding", &[("forwarding.path1", "false"), ("forwarding.path2", "false")]),
    ("iterative", &[("mm.style", "iterative")]),
];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let graph = product();
    context.begin("cp/fig13", 2 * MACHINES.len());
    // The latency is not printed: the default, and the one that gives the printed ratio for the iterative multiplier.
    for latency in ["18", "16"] {
        let mut best_of_all = None;
        let mut in_order_of_all = None;
        for (machine, changes) in MACHINES {
            context.step(machine);
            let mut spec = MachineSpec::paper().with("mm.latency", latency)?;
            for (path, value) in changes {
                spec = spec.with(path, value)?;
            }
            let critical = options(context, Scheduler::Critical);
            let best =
                context.pool().install(|| compiler::compile("fp6_mul", &graph, &spec, &critical))?.report;
            let list = options(context, Scheduler::List);
            let random =
                context.pool().install(|| compiler::compile("fp6_mul", &graph, &spec, &list))?.report;
            let ordered = f64::from(in_order(&graph, &spec));
            let cycles = Labels { quantity: "cycles of an Fp6 product", operation: machine, unit: "cycles" };
            let at = |how: &str| format!("{how}, latency {latency}");
            let bound = format!("no schedule takes less than {}", best.bound);
            outcome.model(&cycles, &at("best order"), f64::from(best.cycles), &bound);
            let note = "list scheduling with random selection, as in the paper";
            outcome.model(&cycles, &at("random lists"), f64::from(random.cycles), note);
            let note = "operations issue in the order of the formula";
            outcome.model(&cycles, &at("program order"), ordered, note);
            let rows = Labels { quantity: "rows of Bank0-2", operation: machine, unit: "rows" };
            outcome.model(&rows, &at("best order"), best.rows as f64, "after colouring");
            let best_cycles = f64::from(best.cycles);
            let (base, base_in_order) =
                (*best_of_all.get_or_insert(best_cycles), *in_order_of_all.get_or_insert(ordered));
            let key = "cycles over those of pipelining with forwarding";
            let operation = match machine {
                "iterative" => "iterative",
                "pipelined, no forwarding" => "pipelined, no forwarding",
                _ => continue,
            };
            let mut say = |how, value| {
                outcome.answer(key, operation, &at(how), value, NOTE);
            };
            say("best order", best_cycles / base);
            say("program order", ordered / base_in_order);
        }
    }
    Ok(outcome)
}

const NOTE: &str = "the multiplier's latency and the order that the paper's schedules had are not printed; a better \
                    order hides a part of what forwarding saves";

/// Cycles if the operations issue in the order of the formula.
fn in_order(graph: &Graph, spec: &MachineSpec) -> i32 {
    let problem = Problem::new(&simplify(graph), spec);
    let mut table = Table::new(&problem);
    let mut next = 0;
    for task in 0..problem.tasks.len() {
        let mut slot = table.ready(task).max(next);
        while !table.fits(task, slot) {
            slot += 1;
        }
        table.place(task, slot);
        next = slot + 1;
    }
    problem.length(&table.finish())
}
