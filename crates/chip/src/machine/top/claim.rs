//! The claims of L1 instructions: the datapaths and memories in the state table (\[CP\] §III.A).

use crate::isa::rows::{Executor, L1Row};
use crate::isa::{L1, Memory, Tables};

/// A set of resources that instructions may not share, one bit each.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Bits(u64);

impl Bits {
    const fn one(bit: u32) -> Self {
        Self(1 << bit)
    }

    const fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn meets(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }
}

/// Bit of Banks_A of set 0; those of Banks_B and Banks_C and of set 1 follow.
const BANKS: u32 = 0;
const SCALARS: u32 = 6;
const GLOBAL: u32 = 8;
const BUCKETS: u32 = 9;
const PAIRING_BANKS: u32 = 10;
const BASE: u32 = 11;

fn bank(memory: Memory, set: u8) -> Bits {
    let set = u32::from(set & 1);
    let banks = |k: u32| Bits::one(BANKS + 3 * set + k);
    match memory {
        Memory::A => banks(0),
        Memory::B => banks(1),
        Memory::C | Memory::Twiddles => banks(2),
        // The point memory consists of the three groups of banks of a set side by side.
        Memory::Points => banks(0).and(banks(1)).and(banks(2)),
        Memory::Scalars => Bits::one(SCALARS + set),
        Memory::Global => Bits::one(GLOBAL),
        Memory::Base => Bits::one(BASE),
    }
}

/// The processing elements 0-3, 4-7 and 8-11: the butterflies of the two groups, and the elements of the pairing.
pub(super) const GROUPS: [Bits; 3] = [Bits::one(0), Bits::one(1), Bits::one(2)];
const BUTTERFLIES: Bits = GROUPS[0].and(GROUPS[1]);
const EVERY: Bits = BUTTERFLIES.and(GROUPS[2]);
/// The transfer engine.
const DMA: Bits = Bits::one(3);
const SWITCHER: Bits = Bits::one(4);

/// A state that instructions must change in program order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Order {
    Stream(u8),
    Rows(u8),
    Msm,
    Pairing,
}

/// The claim of an instruction. Two instructions that share a datapath, or of which one writes a memory that the other uses,
/// do not overlap.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Claim {
    /// Datapaths that it occupies.
    pub(super) paths: Bits,
    /// On-chip memories that it reads.
    pub(super) reads: Bits,
    /// On-chip memories that it writes.
    pub(super) writes: Bits,
    /// Regions of DRAM that it reads.
    pub(super) from: Bits,
    /// Regions of DRAM that it writes. Two writes to a region are of different words.
    pub(super) to: Bits,
    /// The state that must be changed in program order even if a later instruction is ready first: that of an address
    /// generator or of an engine.
    order: Option<Order>,
}

impl Claim {
    /// The claim of an instruction. `region` gives the region of DRAM of an address generator, `concurrent` says whether
    /// both groups of butterflies may work at once.
    pub(super) fn of(instruction: &L1, concurrent: bool, region: impl Fn(u8) -> u32) -> Self {
        let mut claim = Self::default();
        let butterflies = |set: u8| if concurrent { GROUPS[usize::from(set & 1)] } else { BUTTERFLIES };
        match *instruction {
            L1::SubNtt { src, .. } => {
                claim.paths = butterflies(src);
                claim.writes = bank(Memory::A, src).and(bank(Memory::B, src));
                claim.reads = bank(Memory::C, src);
            }
            L1::GenTwiddles { src, stream: k, .. } => {
                claim.paths = GROUPS[2];
                claim.reads = bank(Memory::Base, src);
                claim.writes = bank(Memory::C, src);
                claim.order = Some(Order::Rows(k));
            }
            L1::Vector { src, .. } => {
                claim.paths = butterflies(src);
                claim.writes = bank(Memory::A, src);
                claim.reads = bank(Memory::B, src).and(bank(Memory::C, src));
            }
            L1::MsmOp1 { src, .. } => {
                claim.paths = EVERY;
                claim.reads = bank(Memory::Points, src).and(bank(Memory::Scalars, src));
                claim.writes = Bits::one(BUCKETS);
                claim.order = Some(Order::Msm);
            }
            L1::MsmInitP2 | L1::MsmInitP3 => {
                claim.paths = EVERY;
                claim.writes = Bits::one(BUCKETS);
                if *instruction == L1::MsmInitP3 {
                    claim.writes = claim.writes.and(bank(Memory::Global, 0));
                }
                claim.order = Some(Order::Msm);
            }
            L1::Load { memory, src, stream: k, .. } => {
                claim.paths = DMA;
                claim.writes = bank(memory, src);
                claim.from = Bits::one(region(k));
                claim.order = Some(Order::Stream(k));
            }
            L1::Store { memory, src, stream: k, .. } => {
                claim.paths = DMA;
                claim.reads = bank(memory, src);
                claim.to = Bits::one(region(k));
                claim.order = Some(Order::Stream(k));
            }
            _ => match L1Row::of(instruction).unit {
                Executor::Switcher => {
                    claim.paths = SWITCHER;
                    claim.writes = Bits::one(PAIRING_BANKS).and(bank(Memory::Global, 0));
                    claim.order = Some(Order::Pairing);
                }
                Executor::Pairing => {
                    claim.paths = GROUPS[2];
                    claim.writes = Bits::one(PAIRING_BANKS);
                    claim.order = Some(Order::Pairing);
                }
                _ => {}
            },
        }
        claim
    }

    /// Whether a memory dependence forbids that this instruction runs before the earlier one is done.
    pub(super) fn depends(&self, earlier: &Self) -> bool {
        self.writes.meets(earlier.reads.and(earlier.writes))
            || self.reads.meets(earlier.writes)
            || self.from.meets(earlier.to)
            || self.to.meets(earlier.from)
    }

    /// Whether two instructions need the same datapath.
    pub(super) fn competes(&self, other: &Self) -> bool {
        self.paths.meets(other.paths)
    }

    /// Whether the instruction occupies a part of the processing elements, 0 to 2.
    pub(super) fn works_on(&self, part: usize) -> bool {
        GROUPS.get(part).is_some_and(|group| self.paths.meets(*group))
    }

    /// Whether the instruction may overtake an earlier one that still waits.
    pub(super) fn passes(&self, waiting: &Self) -> bool {
        !self.depends(waiting) && (self.order.is_none() || self.order != waiting.order)
    }
}

/// Whether a batch of transforms fits the banks: `length << batch` entries into `words` words.
pub(super) fn fits(length: u16, batch: u8, words: usize) -> bool {
    (usize::from(length) << batch) <= words
}

/// The number of the table in Banks_C that sub-NTT `slot` of a batch uses.
pub(super) fn table_of(tables: Tables, slot: u8) -> u8 {
    match tables {
        Tables::Shared => 0,
        Tables::Own => slot,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Group, Transform};

    fn of(instruction: L1) -> Claim {
        Claim::of(&instruction, true, u32::from)
    }

    fn load(memory: Memory, src: u8, stream: u8) -> Claim {
        of(L1::Load { memory, length: 1024, src, stream })
    }

    #[test]
    fn transfers_overlap_with_work_on_the_other_set_alone() {
        let ntt =
            of(L1::SubNtt { kind: Transform::Ntt, length: 1024, src: 0, batch: 0, tables: Tables::Shared });
        assert!(load(Memory::A, 0, 1).depends(&ntt));
        assert!(load(Memory::Twiddles, 0, 1).depends(&ntt));
        assert!(load(Memory::Points, 0, 1).depends(&ntt));
        let other = load(Memory::A, 1, 1);
        assert!(!other.depends(&ntt) && !other.competes(&ntt) && other.passes(&ntt));
        let store = of(L1::Store { memory: Memory::A, length: 1024, src: 0, stream: 2 });
        assert!(store.depends(&ntt) && other.competes(&store) && other.passes(&store));
    }

    #[test]
    fn a_region_is_read_after_it_is_written_and_streams_keep_their_order() {
        let store = of(L1::Store { memory: Memory::A, length: 8, src: 0, stream: 3 });
        assert!(load(Memory::A, 1, 3).depends(&store));
        assert!(!load(Memory::A, 1, 4).depends(&store));
        assert!(!load(Memory::A, 1, 5).passes(&load(Memory::B, 0, 5)));
        assert!(load(Memory::A, 1, 6).passes(&load(Memory::B, 0, 5)));
    }

    #[test]
    fn an_msm_takes_every_element() {
        let msm = of(L1::MsmOp1 { length: 8, src: 0, group: Group::G1 });
        for other in [L1::MsmInitP2, L1::PairOp { addr: 0 }] {
            assert!(of(other).competes(&msm));
        }
        assert!(load(Memory::Points, 0, 0).depends(&msm) && !load(Memory::Points, 1, 0).depends(&msm));
        assert!(load(Memory::Scalars, 0, 0).depends(&msm) && !load(Memory::Scalars, 1, 0).depends(&msm));
    }
}
