//! Runs of jobs with and without values, and the unit as the tree slot of a board.

use crate::datapath::{Building, Datapath, Inverting, Timing};
use crate::power::energy;
use crate::unit::{Recording, run};
use crate::{Account, Job, MtuError, NAME, TreeDir, UnitConfig, Workload};
use pairwright_curve::{Pairing, compile_for_each_curve};
use pairwright_device::{
    Bound, Cost, Device, DeviceError, Done, Dram, Fidelity, Link, Modelled, Occupancy, OpCount, Picojoules,
    Time, Traffic, Transfer, TreeOp, log_leaves, same_length, table_size,
};
use pairwright_field::{Field, PrimeField};
use pairwright_hash::{Compress, Digest, Sha3};
use pairwright_poly::{Buf, Levels, View};
use pairwright_sim::trace::Chrome;
use std::sync::Arc;

/// Runs a job cycle by cycle without values, on which time and traffic do not depend.
///
/// # Errors
/// [`MtuError`] for a unit or a job that the model does not support.
pub fn simulate(config: &UnitConfig, job: &Job) -> Result<Account, MtuError> {
    run(config, job, &mut Timing, &mut Recording::of(0))
}

/// As [`simulate`], with a timeline of the first `window` cycles: one track per element, events named after the nodes.
///
/// # Errors
/// The errors of [`simulate`].
pub fn simulate_traced(config: &UnitConfig, job: &Job, window: u64) -> Result<(Account, Chrome), MtuError> {
    let mut recording = Recording::of(window);
    let account = run(config, job, &mut Timing, &mut recording)?;
    Ok((account, recording.chrome(config, job)))
}

/// Runs a job with values.
fn computed<T: Copy>(
    config: &UnitConfig,
    job: &Job,
    mut data: &mut dyn Datapath<Word = T>,
) -> Result<Account, MtuError> {
    run(config, job, &mut data, &mut Recording::of(0))
}

/// All words of a finished run, which has computed every one of them.
fn all_words<T>(words: Vec<Option<T>>) -> Vec<T> {
    words.into_iter().map(|word| word.expect("a finished run gave every node")).collect()
}

/// Builds an MLE on the unit: `eq(x, r)` at every corner, as [`pairwright_poly::mle::build_eq`] does.
///
/// # Errors
/// As [`simulate`].
pub fn build_eq<F: Field>(config: &UnitConfig, r: &[F]) -> Result<(Vec<F>, Account), MtuError> {
    let job = Job::new(Workload::BuildMle, r.len() as u32);
    check_size_with_values(&job)?;
    let mut data = Building { r: r.into(), leaves: vec![None; 1 << r.len()] };
    let account = computed(config, &job, &mut data)?;
    Ok((all_words(data.leaves), account))
}

/// Evaluates the multilinear extension of a table at `r` on the unit.
///
/// # Panics
/// If the table has not `2^μ` values for `μ` coordinates.
///
/// # Errors
/// As [`simulate`].
pub fn mle_eval<F: Field>(config: &UnitConfig, table: &[F], r: &[F]) -> Result<(F, Account), MtuError> {
    assert_eq!(Some(table.len()), 1usize.checked_shl(r.len() as u32), "a value for each corner");
    let (nodes, account) =
        reduce(config, Workload::MleEval, table, |level, f0, f1| f0 + r[level as usize - 1] * (f1 - f0))?;
    Ok((nodes[0], account))
}

/// Computes an inverted tree on the unit and returns its root, or every inner node from level 2 on if the workload keeps
/// them. `combine(level, left, right)` is the node over two nodes of `level`; the cycles that it takes are those of the
/// workload.
///
/// # Panics
/// Unless the number of leaves is a power of two.
///
/// # Errors
/// As [`simulate`].
pub fn reduce<T: Copy>(
    config: &UnitConfig,
    workload: Workload,
    leaves: &[T],
    combine: impl Fn(u32, T, T) -> T,
) -> Result<(Vec<T>, Account), MtuError> {
    assert!(leaves.len().is_power_of_two(), "a power of two");
    assert_eq!(workload.direction(), TreeDir::Inverted, "Build MLE has no leaves to begin with");
    let job = Job::new(workload, leaves.len().ilog2());
    check_size_with_values(&job)?;
    let keep = workload.keeps_levels() && leaves.len() > 1;
    let mut data = Inverting::new(leaves, keep, combine);
    let account = computed(config, &job, &mut data)?;
    Ok((all_words(data.nodes), account))
}

/// Computes a Merkle tree of SHA3 over data of 32 bytes each, which the unit hashes first, and returns its root, or every
/// inner node from level 2 on if the workload keeps them.
///
/// # Panics
/// Unless the number of leaves is a power of two.
///
/// # Errors
/// As [`simulate`]; [`MtuError::LeafHashes`] unless the workload is a Merkle tree.
pub fn hash_leaves(
    config: &UnitConfig,
    workload: Workload,
    data: &[Digest],
) -> Result<(Vec<Digest>, Account), MtuError> {
    assert!(data.len().is_power_of_two(), "a power of two");
    let job = Job::new(workload, data.len().ilog2()).hashing_leaves();
    check_size_with_values(&job)?;
    let keep = workload.keeps_levels() && data.len() > 1;
    let mut tree =
        Inverting::new(data, keep, |_, a, b| Sha3.compress(&a, &b)).hashing(|leaf| Sha3::leaf(&leaf));
    let account = computed(config, &job, &mut tree)?;
    Ok((all_words(tree.nodes), account))
}

/// Checks the job before memory for values is allocated, so that sizes beyond the model are refused without it.
fn check_size_with_values(job: &Job) -> Result<(), MtuError> {
    let most = 28;
    if job.log_size > most { Err(MtuError::TooLarge { log_size: job.log_size, most }) } else { Ok(()) }
}

/// The unit as the tree slot of a board. Leaves that an earlier operator left in the unit's memory are not sent again,
/// and a table that the unit built is sent to the host when the host requests it.
#[derive(Clone, Debug)]
pub struct Mtu {
    config: UnitConfig,
    link: Link,
}

/// Field elements or digests as words in the unit's memory.
struct Words;

impl Mtu {
    /// A unit of this configuration.
    pub fn new(config: &UnitConfig) -> Self {
        Self { config: *config, link: Link::new(NAME) }
    }

    /// Every inner node of a tree, or only its root if the workload keeps no levels, and the cost.
    fn nodes<T: Copy + Send + Sync + 'static>(
        &self,
        op: &'static str,
        workload: Workload,
        leaves: View<'_, T>,
        combine: impl Fn(u32, T, T) -> T,
    ) -> Done<Vec<T>> {
        log_leaves(op, leaves.len())?;
        let words = self.link.elements::<T, Words>(&leaves)?;
        let (mut nodes, account) = reduce(&self.config, workload, &words, combine).map_err(machine)?;
        if workload.keeps_levels() && leaves.len() == 1 {
            nodes.clear();
        }
        let to_machine = self.link.send(&leaves, Words, size_of::<T>());
        let cost = self.cost(&account, to_machine, size_of_val(&nodes[..]));
        Ok((nodes, cost))
    }

    /// Every inner node and the cost of a tree.
    fn levels<T: Copy + Send + Sync + 'static>(
        &self,
        op: &'static str,
        workload: Workload,
        leaves: View<'_, T>,
        combine: impl Fn(u32, T, T) -> T,
    ) -> Done<Levels<T>> {
        let (nodes, cost) = self.nodes(op, workload, leaves, combine)?;
        Ok((Levels::new(nodes).expect("one inner node less than leaves"), cost))
    }

    /// The root and the cost of a tree.
    fn root<T: Copy + Send + Sync + 'static>(
        &self,
        op: &'static str,
        workload: Workload,
        leaves: View<'_, T>,
        combine: impl Fn(u32, T, T) -> T,
    ) -> Done<T> {
        let (nodes, cost) = self.nodes(op, workload, leaves, combine)?;
        Ok((nodes[0], cost))
    }

    /// The account as a cost of the board, including the memory's energy and the bytes sent to the unit and back.
    fn cost(&self, account: &Account, to_machine: u64, to_host: usize) -> Cost {
        let bytes = Traffic { read: account.dram.read_bytes, written: account.dram.write_bytes };
        let [read, written] = account.dram.moved();
        let moved = Traffic { read, written };
        let busy = account.elements.iter().map(|e| e.busy.min(account.cycles)).sum();
        let elements = Occupancy { busy, of: account.cycles * account.elements.len() as u64 };
        let memory = Occupancy { busy: account.memory_busy, of: account.cycles };
        let bound = if memory.share() > elements.share() { Bound::Memory } else { Bound::Compute };
        let model = Modelled { dram: Dram { useful: bytes, moved }, elements, memory, bound };
        Cost {
            machine: NAME,
            time: Time::Cycles { n: account.cycles, hz: account.clock.hz, fidelity: Fidelity::CycleAccurate },
            bytes,
            transfer: Some(Transfer::untimed(to_machine, to_host as u64)),
            ops: OpCount {
                field_mul: account.operations.products,
                field_add: account.operations.sums,
                point_add: 0,
            },
            energy: Some(Picojoules::from_joules(energy(&self.config, account).total_j)),
            model: Some(model),
        }
    }
}

fn machine(why: MtuError) -> DeviceError {
    DeviceError::Machine { machine: NAME, cause: Box::new(why) }
}

impl<F: PrimeField> TreeOp<F> for Mtu {
    fn build_eq(&self, r: &[F]) -> Done<Buf<F>> {
        table_size("build_eq", r.len())?;
        let (leaves, account) = build_eq(&self.config, r).map_err(machine)?;
        let leaves = self.link.leave(leaves, Words, size_of::<F>());
        Ok((leaves, self.cost(&account, size_of_val(r) as u64, 0)))
    }

    fn mle_eval(&self, table: View<'_, F>, r: &[F]) -> Done<F> {
        same_length("mle_eval", table.len(), table_size("mle_eval", r.len())?)?;
        let words = self.link.elements::<F, Words>(&table)?;
        let (value, account) = mle_eval(&self.config, &words, r).map_err(machine)?;
        let to_machine = self.link.send(&table, Words, size_of::<F>()) + size_of_val(r) as u64;
        Ok((value, self.cost(&account, to_machine, size_of::<F>())))
    }

    fn product(&self, leaves: View<'_, F>) -> Done<F> {
        self.root("product", Workload::Product, leaves, |_, a, b| a * b)
    }

    fn product_tree(&self, leaves: View<'_, F>) -> Done<Levels<F>> {
        self.levels("product_tree", Workload::ProductMle, leaves, |_, a, b| a * b)
    }

    fn sha3_root(&self, leaves: View<'_, Digest>) -> Done<Digest> {
        self.root("sha3_root", Workload::Merkle, leaves, |_, a, b| Sha3.compress(&a, &b))
    }

    fn sha3_tree(&self, leaves: View<'_, Digest>) -> Done<Levels<Digest>> {
        self.levels("sha3_tree", Workload::MerkleLevels, leaves, |_, a, b| Sha3.compress(&a, &b))
    }
}

/// The host's device with the unit in its tree slot.
#[inline(never)]
pub fn board<E: Pairing>(config: &UnitConfig, host: Device<E>) -> Device<E> {
    let unit = Mtu::new(config);
    host.with_log(unit.link.log().clone()).with_tree(Arc::new(unit)).named("cpu+mtu")
}

fn compiled<E: Pairing>() {
    core::hint::black_box(board::<E> as fn(&_, _) -> _);
}
compile_for_each_curve!(compiled);
