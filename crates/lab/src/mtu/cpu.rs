//! The four workloads on this machine's cores, breadth first (level by level) and depth first (subtree by subtree).
//!
//! The trees are those of the host device, with the scalar field of BLS12-381 and SHA3-256; every result is compared
//! with that of the reference board before a time is kept.

use super::sweep;
use crate::LabError;
use crate::experiment::Context;
use crate::measure::{Entry, Repeats, Timing, Work, measure};
use num_bigint::BigUint;
use pairwright_cpu::{Traversal, Trees};
use pairwright_curve::bls12_381::Fr;
use pairwright_device::TreeOp;
use pairwright_device::reference::Reference;
use pairwright_field::{Field, PrimeField};
use pairwright_hash::{Digest, Sha3};
use pairwright_mtu::Workload;
use pairwright_poly::Buf;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Duration;

/// Traversals that a CPU uses; [MTU] has no hybrid traversal for it.
const ORDERS: [(Traversal, &str); 2] = [(Traversal::Bfs, BFS), (Traversal::Dfs, DFS)];
pub(super) const BFS: &str = "bfs";
pub(super) const DFS: &str = "dfs";

/// The time of a workload with one traversal on a number of threads.
pub(super) struct Time {
    pub(super) workload: Workload,
    pub(super) order: &'static str,
    pub(super) threads: usize,
    pub(super) timing: Timing,
}

impl Time {
    /// Milliseconds of the fastest run.
    pub(super) fn ms(&self) -> f64 {
        1e3 * self.timing.min
    }
}

/// The numbers of threads to measure: one, two, four and so on, and all cores.
fn threads(context: &Context<'_>) -> Vec<usize> {
    let most = context.threads();
    (0..usize::BITS).map(|k| 1 << k).take_while(|&t| t < most).chain([most]).collect()
}

/// Binary logarithm of the size; small for tests of the lab.
pub(super) fn log_size(context: &Context<'_>) -> u32 {
    if context.quick { 8 } else { sweep::LOG_SIZE }
}

/// Measures every workload with every traversal on every number of threads.
pub(super) fn times(context: &Context<'_>) -> Result<Vec<Time>, LabError> {
    let log_size = log_size(context);
    let input = Input::new(context.seed, log_size);
    let threads = threads(context);
    let pools = threads.iter().map(|&n| ThreadPoolBuilder::new().num_threads(n).build());
    let pools: Vec<ThreadPool> = pools.collect::<Result<_, _>>()?;
    let mut times = Vec::new();
    for workload in Workload::PAPER {
        let what = format!("{} of 2^{log_size}", workload.name());
        context.step(&format!("{what} on the CPU"));
        let right = Output::of(&Reference, workload, &input)?.numbers();
        let points = || threads.iter().zip(&pools).flat_map(|t| ORDERS.map(|order| (t, order)));
        let entry = |((_, pool), (order, name))| Entry {
            series: format!("cpu {name}"),
            work: Box::new(Tree { trees: Trees::with(order), workload, pool, input: &input, output: None })
                as Box<dyn Work + '_>,
        };
        let mut entries: Vec<Entry<'_>> = points().map(entry).collect();
        let timings = measure(&mut entries, |_| right.clone(), &what, Repeats::new(context.quick))?;
        let found = points().zip(timings).map(|(((&threads, _), (_, order)), (timing, _))| Time {
            workload,
            order,
            threads,
            timing,
        });
        times.extend(found);
    }
    Ok(times)
}

/// The operands of the trees.
struct Input {
    point: Vec<Fr>,
    table: Buf<Fr>,
    leaves: Buf<Digest>,
}

impl Input {
    fn new(seed: u64, log_size: u32) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut random = |n: u32| -> Vec<Fr> { (0..n).map(|_| Fr::random(&mut rng)).collect() };
        let (point, table) = (random(log_size), random(1 << log_size));
        let leaves = (0..1u32 << log_size).map(|i| Sha3::leaf(&i.to_le_bytes())).collect();
        Self { point, table: table.into(), leaves }
    }
}

/// The result of a tree.
enum Output {
    Elements(Vec<Fr>),
    Digests(Vec<Digest>),
}

impl Output {
    fn of(trees: &dyn TreeOp<Fr>, workload: Workload, input: &Input) -> Result<Self, LabError> {
        let Input { point, table, leaves } = input;
        Ok(match workload {
            Workload::BuildMle => Self::Elements(trees.build_eq(point)?.0.into_vec()),
            Workload::MleEval => Self::Elements(vec![trees.mle_eval(table.view(), point)?.0]),
            Workload::Product => Self::Elements(vec![trees.product(table.view())?.0]),
            Workload::ProductMle => Self::Elements(trees.product_tree(table.view())?.0.into_nodes()),
            Workload::Merkle => Self::Digests(vec![trees.sha3_root(leaves.view())?.0]),
            Workload::MerkleLevels => Self::Digests(trees.sha3_tree(leaves.view())?.0.into_nodes()),
        })
    }

    fn numbers(&self) -> Vec<BigUint> {
        match self {
            Self::Elements(all) => all
                .iter()
                .map(|x| {
                    let mut bytes = [0; Fr::BYTES];
                    x.write_le(&mut bytes);
                    BigUint::from_bytes_le(&bytes)
                })
                .collect(),
            Self::Digests(all) => all.iter().map(|digest| BigUint::from_bytes_le(digest)).collect(),
        }
    }
}

/// A workload with one traversal in a thread pool.
struct Tree<'a> {
    trees: Trees,
    workload: Workload,
    pool: &'a ThreadPool,
    input: &'a Input,
    output: Option<Output>,
}

impl Work for Tree<'_> {
    fn prepare(&mut self) -> Result<(), LabError> {
        self.output = None;
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let (trees, workload, input) = (&self.trees, self.workload, self.input);
        self.output = Some(self.pool.install(|| Output::of(trees, workload, input))?);
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        Ok(self.output.as_ref().map(Output::numbers).unwrap_or_default())
    }
}
