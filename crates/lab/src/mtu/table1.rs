//! Table 1: the table's statements about the traversals, as properties of the running unit.

use super::sweep;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_mtu::{Account, Job, Traversal, UnitConfig, Workload};

const WORKLOAD: Workload = Workload::MleEval;
const SERIES: &str = "model";

/// A unit for which memory is never the bound.
fn fast(pes: u32) -> UnitConfig {
    let bytes = 1 << 22;
    UnitConfig { input_bytes: bytes, output_bytes: bytes, ..sweep::unit(pes, 1 << 14) }
}

/// A unit that keeps every level on chip.
fn on_chip(pes: u32) -> UnitConfig {
    UnitConfig { level_bytes: 1 << 30, ..fast(pes) }
}

/// The runs of a traversal from which its column is derived.
struct Column {
    /// The run with leaves from memory.
    whole: Account,
    /// The run with all levels on chip, and one with a quarter of the leaves.
    kept: Account,
    kept_quarter: Account,
    /// A run in which leaves come from a stage, in the order of their indices.
    stage: Account,
    /// The run with two elements, and one with a quarter of the leaves.
    two: Account,
    two_quarter: Account,
}

/// The growth of a value with the number of leaves as an exponent, from values at a quarter of the leaves and at all of
/// them.
fn exponent(quarter: u64, whole: u64) -> f64 {
    (whole as f64 / quarter as f64).log2() / 2.0
}

/// The number of leaves that all elements take in a cycle.
fn row(traversal: Traversal, pes: u32) -> u32 {
    if traversal == Traversal::Bfs { 2 * pes } else { pes }
}

fn per_second(account: &Account) -> f64 {
    (account.dram.read_bytes + account.dram.write_bytes) as f64 / account.seconds() / 1e9
}

/// Bytes for accumulators and whole levels; the stream buffers have a fixed size and are not included.
fn on_chip_bytes(account: &Account) -> u64 {
    account.sram.accumulator + account.sram.levels
}

impl Column {
    fn of(context: &Context<'_>, traversal: Traversal) -> Result<Self, LabError> {
        let n = sweep::LOG_SIZE;
        let pes = fast(32).pes;
        let job = |log_size| Job::new(WORKLOAD, log_size);
        let runs = [
            (fast(pes), job(n)),
            (on_chip(pes), job(n)),
            (on_chip(pes), job(n - 2)),
            (fast(pes), Job { upstream: Some(row(traversal, pes)), ..job(n) }),
            (fast(2), job(n)),
            (fast(2), job(n - 2)),
        ];
        let runs = runs.map(|(unit, job)| (unit.traversing(traversal), job));
        let accounts = sweep::all(context, &runs)?;
        let Ok([whole, kept, kept_quarter, stage, two, two_quarter]) = <[Account; 6]>::try_from(accounts)
        else {
            unreachable!("an account for every run")
        };
        Ok(Self { whole, kept, kept_quarter, stage, two, two_quarter })
    }
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("mtu/table1", Traversal::ALL.len() + 1);
    for traversal in Traversal::ALL {
        context.step(traversal.name());
        let column = Column::of(context, traversal)?;
        let Column { whole, kept, kept_quarter, stage, two, two_quarter } = &column;
        let mut say = |key, value, note: &str| {
            outcome.answer(key, traversal.name(), SERIES, value, note);
        };
        let size = whole.job.log_size;
        let sizes = format!("2^{} and 2^{size} leaves, {}", size - 2, WORKLOAD.name());
        let note = format!("{} and {} cycles, 2 PEs; {sizes}", two_quarter.cycles, two.cycles);
        say("growth of cycles with n", exponent(two_quarter.cycles, two.cycles), &note);
        let (levels, why) = levels(whole);
        say("parallel control: levels among which controllers choose", levels, why);
        let note = match traversal {
            Traversal::Bfs => {
                "while the lowest level lasts; then the unit is busy with the levels above before it takes the next tree's leaves"
            }
            Traversal::Dfs => {
                "leaves in index order are all of one subtree, so of one element: the others wait"
            }
            Traversal::Hybrid => "every cycle takes a row of 32 leaves; the rest is filling and draining",
        };
        let key = "initiation interval behind a stage that gives a row of leaves a cycle";
        let interval = stage.upstream.map_or(f64::NAN, |stage| stage.initiation_interval());
        say(key, interval, note);
        let key = "cycles with leaves in index order over cycles with leaves from memory";
        let note = format!("{} and {} cycles; memory is not the bound", stage.cycles, whole.cycles);
        say(key, stage.cycles as f64 / whole.cycles as f64, &note);
        let key = "growth of on-chip memory with n";
        let [small, large] = [kept_quarter, kept].map(on_chip_bytes);
        let note = format!(
            "{small} and {large} bytes, 32 PEs; {sizes}; whole levels on the chip where the traversal keeps any"
        );
        say(key, exponent(small, large), &note);
        let key = "growth of bandwidth from 2 to 32 PEs";
        let [few, many] = [two, whole].map(per_second);
        let traffic = whole.dram.read_bytes + whole.dram.write_bytes;
        let note = format!(
            "{few:.1} and {many:.1} GB/s where memory is not the bound; what is fixed is the traffic, {} bytes a leaf: to use more \
             elements takes more bandwidth by any traversal, BFS three times as much",
            traffic >> size
        );
        say(key, many / few, &note);
        let mut keep = |what, unit, value, note: &str| {
            let place = Labels { quantity: what, operation: traversal.name(), unit };
            let mut row = place.modelled(SERIES, value, note);
            row.log2_n = Some(size);
            outcome.keep(row);
        };
        keep(
            "on-chip bytes",
            "bytes",
            large as f64,
            "levels and accumulators, 32 PEs; what memory's streams need comes on top",
        );
        keep("traffic", "bytes a leaf", traffic as f64 / whole.job.size() as f64, "levels not on the chip");
        keep("bandwidth for 32 PEs", "GB/s", many, "where memory is not the bound");
        keep("utilisation of 32 PEs", "%", 100.0 * whole.utilisation(), "where memory is not the bound");
    }
    if !context.quick {
        context.step("2^23 by BFS");
        let job = Job::new(Workload::BuildMle, 23);
        let account = &sweep::all(context, &[(on_chip(32).traversing(Traversal::Bfs), job)])?[0];
        let note = "the level that is written last, 2^22 words of 32 bytes, is all that the paper counts; the level that is read then is half of it";
        let (key, operation) = ("on-chip bytes for whole levels", "bfs, 2^23 of Build MLE");
        outcome.answer(key, operation, SERIES, account.sram.levels as f64, note);
    }
    Ok(outcome)
}

/// The number of levels among which the controllers of a run choose in a cycle, in total.
fn levels(account: &Account) -> (f64, &'static str) {
    let held = account.sram.accumulator_levels.len() as f64;
    match account.config.traversal {
        Traversal::Bfs => (1.0, "all elements work on one level at a time"),
        Traversal::Dfs => {
            let above = f64::from(account.config.pes.ilog2());
            let each = held - above;
            (
                f64::from(account.config.pes) * each + above,
                "every element has a subtree's levels to choose from, one those of the merge too",
            )
        }
        Traversal::Hybrid => {
            (held, "one element has levels to choose from, by a fixed pattern; the others have one each")
        }
    }
}
