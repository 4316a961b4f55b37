//! Section 3.1: the numbers of modular multiplications, compared with the counts of the running unit.

use super::sweep;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use pairwright_mtu::{Job, UnitConfig, Workload};

const KEY: &str = "modular multiplications";
/// The size at which the formulas are evaluated.
const LOG_SIZE: u32 = 20;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/operations", 1);
    context.step("all runs");
    let unit = UnitConfig::paper();
    let jobs = [Workload::BuildMle, Workload::MleEval, Workload::ProductMle];
    let runs = jobs.map(|workload| (unit, Job::new(workload, LOG_SIZE)));
    let counted: Vec<u64> =
        sweep::all(context, &runs)?.iter().map(|account| account.operations.products).collect();
    let (mu, leaves) = (u64::from(LOG_SIZE), 1u64 << LOG_SIZE);
    let tree = "a node with two children takes one product, r times the parent, and a subtraction for the other child; the \
                printed number is two products for each of the 2^mu - 2 parents";
    let one_by_one =
        "a product of mu factors for each of 2^mu leaves; no unit computes it so: the formula alone";
    let reduced = "one product a node, as counted in the run";
    let mut say = |operation: &str, series: &str, value: u64, note: &str| {
        outcome.answer(KEY, operation, series, value as f64, note);
    };
    say("Build MLE, binary tree", "counted in the run", counted[0], tree);
    say(
        "Build MLE, binary tree",
        "two products a parent",
        2 * counted[0],
        "twice the products that the run counts",
    );
    say("Build MLE, every leaf by itself", "formula", (mu - 1) * leaves, one_by_one);
    say("MLE evaluation, binary tree", "counted in the run", counted[1], reduced);
    say("MLE evaluation, every term by itself", "formula", mu * leaves, one_by_one);
    outcome.answer(
        "modular multiplications saved by the binary tree",
        "Build MLE",
        "counted in the run",
        ((mu - 1) * leaves) as f64 / counted[0] as f64,
        "half of the printed tree's products, so that the tree saves twice as much",
    );
    Ok(outcome)
}
