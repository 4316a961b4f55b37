//! Runs of the tree unit with data, compared with the host's results.

use super::super::operator::clocked;
use crate::args::TreeParameters;
use crate::failure::{Failure, ModelFault};
use pairwright::device::{Cost, DeviceError, Time, TreeOp};
use pairwright::field::PrimeField;
use pairwright::hash::{Compress, Digest, Sha3};
use pairwright::mtu::{self, UnitConfig, Workload};
use pairwright::poly::{Buf, Levels};
use pairwright::{Boards, CPU_MTU, Designs};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

/// The result of a tree.
#[derive(PartialEq)]
enum Answer<F> {
    Field(Vec<F>),
    Digests(Vec<Digest>),
}

fn one<T>((value, cost): (T, Cost)) -> (Vec<T>, Cost) {
    (vec![value], cost)
}

fn all<T>((levels, cost): (Levels<T>, Cost)) -> (Vec<T>, Cost) {
    (levels.into_nodes(), cost)
}

/// Runs a tree with data and compares the result with the host's; returns the cycles, and the seconds of the simulation.
pub(super) fn compared<E: Boards>(tree: &TreeParameters, config: &UnitConfig) -> Result<(u64, f64), Failure> {
    let host = E::host().tree;
    let designs = Designs { mtu: *config, ..Designs::default() };
    let unit = E::board(CPU_MTU, &designs).map_err(Failure::bad)?.tree;
    let (ours, seconds) = clocked(|| answer::<E::Fr>(tree, &*unit));
    let (ours, cost) = ours.map_err(Failure::bad)?;
    let (theirs, _) = answer::<E::Fr>(tree, &*host)?;
    if ours != theirs {
        return Err(ModelFault::Differs("tree unit's result").into());
    }
    match cost.time {
        Time::Cycles { n, .. } => Ok((n, seconds)),
        Time::Measured(_) | Time::Unknown => Err(ModelFault::Cycles.into()),
    }
}

/// As [`compared`], for a Merkle tree whose leaves are hashed first.
pub(super) fn compared_leaves(tree: &TreeParameters, config: &UnitConfig) -> Result<(u64, f64), Failure> {
    let mut rng = ChaCha20Rng::seed_from_u64(tree.random);
    let mut data = vec![[0; 32]; tree.size.0 as usize];
    data.iter_mut().for_each(|word| rng.fill_bytes(word));
    let (ours, seconds) = clocked(|| mtu::hash_leaves(config, tree.workload.0, &data));
    let (ours, account) = ours.map_err(Failure::bad)?;
    let mut nodes: Vec<Digest> = data.iter().map(|datum| Sha3::leaf(datum)).collect();
    // The result is the root only, or every inner node level by level, as the workload asks; for a single leaf it is the leaf.
    let mut all = if nodes.len() == 1 { nodes.clone() } else { Vec::new() };
    while nodes.len() > 1 {
        nodes = nodes.chunks_exact(2).map(|pair| Sha3.compress(&pair[0], &pair[1])).collect();
        if !tree.workload.0.keeps_levels() {
            all.clear();
        }
        all.extend(&nodes);
    }
    if ours == all {
        Ok((account.cycles, seconds))
    } else {
        Err(ModelFault::Differs("tree unit's result").into())
    }
}

/// The result of an operator on values drawn from the seed.
fn answer<F: PrimeField>(
    tree: &TreeParameters,
    on: &dyn TreeOp<F>,
) -> Result<(Answer<F>, Cost), DeviceError> {
    let mut rng = ChaCha20Rng::seed_from_u64(tree.random);
    let leaves = tree.size.0 as usize;
    let mut values = |n: usize| (0..n).map(|_| F::random(&mut rng)).collect::<Buf<F>>();
    let point = values(leaves.ilog2() as usize);
    let field = |(value, cost)| (Answer::Field(value), cost);
    Ok(match tree.workload.0 {
        Workload::BuildMle => field(on.build_eq(&point).map(|(table, cost)| (table.to_vec(), cost))?),
        Workload::MleEval => field(on.mle_eval(values(leaves).view(), &point).map(one)?),
        Workload::Product => field(on.product(values(leaves).view()).map(one)?),
        Workload::ProductMle => field(on.product_tree(values(leaves).view()).map(all)?),
        Workload::Merkle | Workload::MerkleLevels => {
            let mut digests = vec![[0; 32]; leaves];
            digests.iter_mut().for_each(|digest| rng.fill_bytes(digest));
            let digests = Buf::from(digests);
            let (nodes, cost) = match tree.workload.0 {
                Workload::Merkle => on.sha3_root(digests.view()).map(one)?,
                _ => on.sha3_tree(digests.view()).map(all)?,
            };
            (Answer::Digests(nodes), cost)
        }
    })
}
