//! Counts the conflicts of memory banks in the accesses of a schedule.
//!
//! The data memory consists of four pairs of banks. Consecutive words of 128 bits alternate between the banks of a pair,
//! so that a vector occupies both (UG1079, *AI Engine Memory*). Two vectors in one pair of banks cannot be accessed in
//! the same cycle: the core waits. The scheduler ignores these conflicts; this module bounds the cycles that they would
//! cost.

use super::Kernel;
use super::lower::TileOp;
use crate::program::{LANES, Op, ValueKind};
use serde::Serialize;
use std::collections::BTreeMap;

/// The number of pairs of banks of a tile's data memory.
const PAIRS: usize = 4;

/// The cycles per task that conflicts of memory banks would add.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Conflicts {
    /// The number of accesses of 256 bits.
    pub accesses: u64,
    /// The cycles added if all data lay in one pair of banks: an upper bound for any layout.
    pub most: u64,
    /// The cycles added if each vector is put, greedily, into the pair of banks in which it meets the fewest other
    /// accesses.
    pub left: u64,
}

/// A vector of 256 bits in memory.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum MemoryCell {
    Operand(usize, usize),
    Result(usize, usize),
    Constant([i32; LANES]),
    /// The kind and place of a spilled value, and the index of its vector: an accumulator has four.
    Spilled(ValueKind, usize, u64),
}

impl Kernel {
    /// The conflicts of memory banks in the steady state of a loop, or in straight-line code.
    pub fn conflicts(&self) -> Conflicts {
        let mut places: BTreeMap<MemoryCell, usize> = BTreeMap::new();
        let mut cycles: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        let period = u64::from(self.ii());
        for fact in self.plan.kernel() {
            for (after, place) in accessed(self.body.op(fact.op)) {
                let next = places.len();
                let place = *places.entry(place).or_insert(next);
                cycles.entry((fact.cycle + after) % period).or_default().push(place);
            }
        }
        let mut meets = vec![BTreeMap::new(); places.len()];
        for together in cycles.values() {
            for &a in together {
                for &b in together.iter().filter(|&&b| b != a) {
                    *meets[a].entry(b).or_insert(0_u64) += 1;
                }
            }
        }
        // Cells that meet most other accesses are placed first.
        let mut order: Vec<usize> = (0..places.len()).collect();
        order.sort_by_key(|&place| std::cmp::Reverse(meets[place].values().sum::<u64>()));
        let mut pair = vec![None; places.len()];
        for place in order {
            let cost = |p: usize| {
                let others = meets[place].iter().filter(|(other, _)| pair[**other] == Some(p));
                others.map(|(_, times)| times).sum::<u64>()
            };
            pair[place] = (0..PAIRS).min_by_key(|&p| cost(p));
        }
        let mut found = Conflicts::default();
        for together in cycles.values() {
            let all = together.len() as u64;
            let fullest = (0..PAIRS).map(|p| together.iter().filter(|&&at| pair[at] == Some(p)).count());
            found.accesses += all;
            found.most += all - 1;
            found.left += fullest.max().unwrap_or(0).saturating_sub(1) as u64;
        }
        found
    }
}

/// The cells that an operation accesses, each with the cycle after its issue.
fn accessed(op: &TileOp) -> Vec<(u64, MemoryCell)> {
    match *op {
        TileOp::Program(Op::Load { number, half }) => vec![(0, MemoryCell::Operand(number, half))],
        TileOp::Program(Op::Store { number, half }) => vec![(0, MemoryCell::Result(number, half))],
        TileOp::Program(Op::Constant(lanes)) => vec![(0, MemoryCell::Constant(lanes))],
        TileOp::Spill(kind, n) | TileOp::Reload(kind, n) => (0..kind.memory_accesses() as u64)
            .map(|part| (part, MemoryCell::Spilled(kind, n, part)))
            .collect(),
        _ => vec![],
    }
}
