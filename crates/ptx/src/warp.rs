//! A warp: its registers, the positions of its threads in the program, and the instructions that use only registers.
//!
//! After a divergent branch the threads form groups, each with a mask and a position. The group with the lowest
//! position runs first, and groups that reach the same position are merged.

use crate::fault::FaultKind;
use crate::lanes::{L32, L64, Mask, WARP, blend};
use crate::program::{Instruction, Kernel, Preset, Reg, Special};
use crate::table::Class;
use crate::table::Operation;
use crate::tile::{self, Tile};

/// The shape of a launch as the threads see it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Grid {
    /// Number of blocks in each dimension.
    pub blocks: [u32; 3],
    /// Number of threads per block in each dimension.
    pub threads: [u32; 3],
    /// Number of blocks per cluster.
    pub cluster: u32,
}

impl Grid {
    /// The number of threads per block.
    pub(crate) fn block_threads(&self) -> u64 {
        self.threads.iter().map(|n| u64::from(*n)).product()
    }

    /// The number of blocks of the grid.
    pub(crate) fn all_blocks(&self) -> u64 {
        self.blocks.iter().map(|n| u64::from(*n)).product()
    }
}

/// The reason why a warp returns to the launch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Event {
    /// All threads of the warp have ended.
    Ended,
    /// The warp waits at the barrier of the block.
    Barrier,
    /// The warp has arrived at the barrier of the cluster.
    Arrived,
    /// The warp waits at the barrier of the cluster.
    ClusterWait,
    /// The threads in the mask access memory.
    Access(Mask),
}

/// A warp with its registers.
#[derive(Clone, Debug)]
pub(crate) struct Warp {
    /// Number of its first thread within the block.
    pub(crate) first: u32,
    /// The mask of its threads.
    pub(crate) all: Mask,
    pub(crate) words: Vec<L32>,
    pub(crate) longs: Vec<L64>,
    bits: Vec<Mask>,
    carry: Mask,
    /// Positions in the program with the threads that are there, in rising order.
    fronts: Vec<(usize, Mask)>,
    /// Number of instructions since the start of the block.
    pub(crate) instructions: u64,
    pub(crate) thread_instructions: u64,
}

impl Warp {
    pub(crate) fn new(kernel: &Kernel) -> Self {
        let [words, longs, bits] = kernel.registers;
        Self {
            first: 0,
            all: 0,
            words: vec![[0; WARP]; words],
            longs: vec![[0; WARP]; longs],
            bits: vec![0; bits],
            carry: 0,
            fronts: Vec::new(),
            instructions: 0,
            thread_instructions: 0,
        }
    }

    /// Starts the kernel as warp `number` of a block.
    pub(crate) fn start(&mut self, kernel: &Kernel, grid: &Grid, block: u32, number: u32) {
        self.first = number * WARP as u32;
        let left = grid.block_threads() - u64::from(self.first);
        self.all = if left >= WARP as u64 { Mask::MAX } else { (1 << left) - 1 };
        self.fronts = vec![(0, self.all)];
        (self.instructions, self.thread_instructions) = (0, 0);
        for (reg, preset) in &kernel.presets {
            let value = |lane: usize| match preset {
                Preset::Constant(value) => *value,
                Preset::Special(special) => u64::from(self.special(*special, grid, block, lane)),
            };
            match reg.class {
                Class::Word => self.words[reg.at as usize] = core::array::from_fn(|lane| value(lane) as u32),
                Class::Long => self.longs[reg.at as usize] = core::array::from_fn(value),
                Class::Bit => self.bits[reg.at as usize] = if value(0) == 0 { 0 } else { Mask::MAX },
            }
        }
    }

    fn special(&self, special: Special, grid: &Grid, block: u32, lane: usize) -> u32 {
        let coordinate = |number: u32, sizes: [u32; 3], dimension: usize| match dimension {
            0 => number % sizes[0],
            1 => number / sizes[0] % sizes[1],
            _ => number / sizes[0] / sizes[1],
        };
        match special {
            Special::Thread(d) => coordinate(self.first + lane as u32, grid.threads, d),
            Special::Threads(d) => grid.threads[d],
            Special::Block(d) => coordinate(block, grid.blocks, d),
            Special::Blocks(d) => grid.blocks[d],
            // Clusters extend along the first dimension.
            Special::Rank => block % grid.cluster,
            Special::Ranks => grid.cluster,
            Special::Lane => lane as u32,
        }
    }

    /// The position of the group with the lowest position.
    pub(crate) fn place(&self) -> usize {
        self.fronts.first().map_or(0, |(place, _)| *place)
    }

    /// Runs until the launch has to act. After an access the warp stays at its instruction until [`Self::step_over`].
    pub(crate) fn run(&mut self, kernel: &Kernel, limit: u64) -> Result<Event, FaultKind> {
        while let Some((place, mask)) = self.fronts.first().copied() {
            let Some(instruction) = kernel.body.get(place) else {
                self.fronts.remove(0);
                continue;
            };
            self.instructions += 1;
            if self.instructions > limit {
                return Err(FaultKind::Endless(limit));
            }
            let active = match instruction.guard {
                None => mask,
                Some((reg, value)) => {
                    let bits = self.bits[reg.at as usize];
                    mask & if value { bits } else { !bits }
                }
            };
            self.thread_instructions += u64::from(active.count_ones());
            match instruction.operation {
                Operation::Branch => self.part(instruction.target, mask & !active, active),
                Operation::Exit => self.part(usize::MAX, mask & !active, active),
                Operation::Load(_) | Operation::Store(_) | Operation::AtomicAdd(_) if active != 0 => {
                    return Ok(Event::Access(active));
                }
                Operation::Barrier | Operation::ClusterArrive | Operation::ClusterWait if active != 0 => {
                    let (event, of) = match instruction.operation {
                        Operation::Barrier => (Event::Barrier, "block"),
                        Operation::ClusterArrive => (Event::Arrived, "cluster"),
                        _ => (Event::ClusterWait, "cluster"),
                    };
                    if active != self.all {
                        return Err(FaultKind::Barrier { of });
                    }
                    self.step_over();
                    return Ok(event);
                }
                Operation::Load(_) | Operation::Store(_) | Operation::AtomicAdd(_) => self.step_over(),
                Operation::Multiply(_) if !matches!(active, 0 | Mask::MAX) => {
                    return Err(FaultKind::PartOfWarp);
                }
                _ => {
                    self.compute(instruction, active);
                    self.step_over();
                }
            }
        }
        Ok(Event::Ended)
    }

    /// Moves the group with the lowest position to the next instruction.
    pub(crate) fn step_over(&mut self) {
        self.fronts[0].0 += 1;
        if let [(place, mask), (next, others), ..] = &mut self.fronts[..]
            && place == next
        {
            *others |= *mask;
            self.fronts.remove(0);
        }
    }

    /// Splits the first group: the threads in `on` continue, those in `away` jump to `target`.
    fn part(&mut self, target: usize, on: Mask, away: Mask) {
        let (place, _) = self.fronts.remove(0);
        for (place, mask) in [(place + 1, on), (target, away)] {
            if mask == 0 || place == usize::MAX {
                continue;
            }
            match self.fronts.binary_search_by_key(&place, |(place, _)| *place) {
                Ok(at) => self.fronts[at].1 |= mask,
                Err(at) => self.fronts.insert(at, (place, mask)),
            }
        }
    }

    fn w(&self, reg: Reg) -> &L32 {
        &self.words[reg.at as usize]
    }

    fn d(&self, reg: Reg) -> &L64 {
        &self.longs[reg.at as usize]
    }

    fn p(&self, reg: Reg) -> Mask {
        self.bits[reg.at as usize]
    }

    pub(crate) fn set_word(&mut self, reg: Reg, value: &L32, mask: Mask) {
        blend(&mut self.words[reg.at as usize], value, mask);
    }

    pub(crate) fn set_long(&mut self, reg: Reg, value: &L64, mask: Mask) {
        blend(&mut self.longs[reg.at as usize], value, mask);
    }

    fn set_bit(&mut self, reg: Reg, value: Mask, mask: Mask) {
        let bits = &mut self.bits[reg.at as usize];
        *bits = *bits & !mask | value & mask;
    }

    /// Executes an instruction on registers in the threads of a mask.
    fn compute(&mut self, instruction: &Instruction, mask: Mask) {
        use Operation::*;
        let from = &instruction.from[..];
        // The parser has checked the operands against the shape of the instruction.
        match (instruction.operation, from) {
            (W1(f), [a]) => self.set_word(instruction.to[0], &f(self.w(*a)), mask),
            (W2(f), [a, b]) => self.set_word(instruction.to[0], &f(self.w(*a), self.w(*b)), mask),
            (W3(f), [a, b, c]) => {
                self.set_word(instruction.to[0], &f(self.w(*a), self.w(*b), self.w(*c)), mask);
            }
            (W4(f), [a, b, c, d]) => {
                let value = f(self.w(*a), self.w(*b), self.w(*c), self.w(*d));
                self.set_word(instruction.to[0], &value, mask);
            }
            (D1(f), [a]) => self.set_long(instruction.to[0], &f(self.d(*a)), mask),
            (D2(f), [a, b]) => self.set_long(instruction.to[0], &f(self.d(*a), self.d(*b)), mask),
            (D3(f), [a, b, c]) => {
                self.set_long(instruction.to[0], &f(self.d(*a), self.d(*b), self.d(*c)), mask);
            }
            (Insert(f), [a, b, c, d]) => {
                let value = f(self.d(*a), self.d(*b), self.w(*c), self.w(*d));
                self.set_long(instruction.to[0], &value, mask);
            }
            (DW(f), [a, b]) => self.set_long(instruction.to[0], &f(self.d(*a), self.w(*b)), mask),
            (Full(f), [a, b]) => self.set_long(instruction.to[0], &f(self.w(*a), self.w(*b)), mask),
            (FullPlus(f), [a, b, c]) => {
                self.set_long(instruction.to[0], &f(self.w(*a), self.w(*b), self.d(*c)), mask);
            }
            (Widen(f), [a]) => self.set_long(instruction.to[0], &f(self.w(*a)), mask),
            (Narrow(f), [a]) => self.set_word(instruction.to[0], &f(self.d(*a)), mask),
            (CompareW(f), [a, b]) => self.set_bit(instruction.to[0], f(self.w(*a), self.w(*b)), mask),
            (CompareD(f), [a, b]) => self.set_bit(instruction.to[0], f(self.d(*a), self.d(*b)), mask),
            (SelectW, [a, b, p]) => {
                let mut value = *self.w(*b);
                blend(&mut value, self.w(*a), self.p(*p));
                self.set_word(instruction.to[0], &value, mask);
            }
            (SelectD, [a, b, p]) => {
                let mut value = *self.d(*b);
                blend(&mut value, self.d(*a), self.p(*p));
                self.set_long(instruction.to[0], &value, mask);
            }
            (P1(f), [a]) => self.set_bit(instruction.to[0], f(self.p(*a)), mask),
            (P2(f), [a, b]) => self.set_bit(instruction.to[0], f(self.p(*a), self.p(*b)), mask),
            (CarryW2(f, carry), [a, b]) => {
                let (value, out) = f(self.w(*a), self.w(*b), self.carry);
                self.set_word(instruction.to[0], &value, mask);
                self.set_carry(out, carry.writes, mask);
            }
            (CarryW3(f, carry), [a, b, c]) => {
                let (value, out) = f(self.w(*a), self.w(*b), self.w(*c), self.carry);
                self.set_word(instruction.to[0], &value, mask);
                self.set_carry(out, carry.writes, mask);
            }
            (CarryD2(f, carry), [a, b]) => {
                let (value, out) = f(self.d(*a), self.d(*b), self.carry);
                self.set_long(instruction.to[0], &value, mask);
                self.set_carry(out, carry.writes, mask);
            }
            (CarryD3(f, carry), [a, b, c]) => {
                let (value, out) = f(self.d(*a), self.d(*b), self.d(*c), self.carry);
                self.set_long(instruction.to[0], &value, mask);
                self.set_carry(out, carry.writes, mask);
            }
            (Pack, [low, high]) => {
                let (low, high) = (self.w(*low), self.w(*high));
                let value = core::array::from_fn(|i| u64::from(low[i]) | u64::from(high[i]) << 32);
                self.set_long(instruction.to[0], &value, mask);
            }
            (Unpack, [a]) => {
                let value = *self.d(*a);
                self.set_word(instruction.to[0], &value.map(|x| x as u32), mask);
                self.set_word(instruction.to[1], &value.map(|x| (x >> 32) as u32), mask);
            }
            (MapLong { generic }, [a, rank]) => {
                let (a, rank) = (self.d(*a), self.w(*rank));
                let value = core::array::from_fn(|i| {
                    let offset = shared_offset(a[i]) | (u64::from(rank[i]) + 1) << RANK_BITS;
                    if generic { SHARED_WINDOW | offset } else { offset }
                });
                self.set_long(instruction.to[0], &value, mask);
            }
            (MapWord, [a, rank]) => {
                let (a, rank) = (self.w(*a), self.w(*rank));
                let value = core::array::from_fn(|i| {
                    a[i] & ((1 << RANK_BITS) - 1) | rank[i].wrapping_add(1) << RANK_BITS
                });
                self.set_word(instruction.to[0], &value, mask);
            }
            (SharedToGeneric, [a]) => {
                let value = self.d(*a).map(|x| SHARED_WINDOW.wrapping_add(x));
                self.set_long(instruction.to[0], &value, mask);
            }
            (GenericToShared, [a]) => {
                let value = self.d(*a).map(|x| x.wrapping_sub(SHARED_WINDOW));
                self.set_long(instruction.to[0], &value, mask);
            }
            (Multiply(Tile::Double), [a, b, c, d]) => {
                let value = tile::double(self.d(*a), self.d(*b), [self.d(*c), self.d(*d)]);
                instruction.to.iter().zip(&value).for_each(|(to, value)| self.set_long(*to, value, mask));
            }
            (Multiply(Tile::Bytes), [a, b, c, d, e, f, rest @ ..]) => {
                let [g, h, i, j] = rest else { return };
                let value = tile::bytes(
                    [a, b, c, d].map(|reg| self.w(*reg)),
                    [e, f].map(|reg| self.w(*reg)),
                    [g, h, i, j].map(|reg| self.w(*reg)),
                );
                instruction.to.iter().zip(&value).for_each(|(to, value)| self.set_word(*to, value, mask));
            }
            (Clock, _) => self.set_long(instruction.to[0], &[self.instructions; WARP], mask),
            _ => {}
        }
    }

    fn set_carry(&mut self, out: Mask, writes: bool, mask: Mask) {
        if writes {
            self.carry = self.carry & !mask | out & mask;
        }
    }
}

/// The first generic address of shared memory.
pub(crate) const SHARED_WINDOW: u64 = 0x0100_0000_0000;
/// Width of an offset in shared memory in bits. Above it, cluster addresses have the rank of the block plus one, or
/// zero for the block's own memory.
pub(crate) const RANK_BITS: u32 = 24;

fn shared_offset(address: u64) -> u64 {
    address & ((1 << RANK_BITS) - 1)
}
