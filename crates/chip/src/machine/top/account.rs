//! The account of a run of the whole chip: cycles, counts and traffic.

use super::outside::Outside;
use super::sender::Executed;
use super::waits::{ElementTime, memory_share};
use crate::isa::L1;
use crate::isa::rows::{Executor, L1Row};
use crate::machine::{msm, poly};
use core::ops::AddAssign;
use pairwright_device::{Bound, sum_fields};
use pairwright_sim::dram;
use serde::Serialize;

/// Cycles in which each unit had an instruction.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct Busy {
    /// The transfer engine.
    pub dma: u64,
    /// Butterflies and vector operations, for each set of banks.
    pub poly: [u64; 2],
    /// Tables of twiddles on elements 8 to 11.
    pub tables: u64,
    /// The MSM engine.
    pub msm: u64,
    /// The pairing processor and its switcher.
    pub pairing: u64,
}

impl AddAssign for Busy {
    fn add_assign(&mut self, other: Self) {
        let Self { dma, poly, tables, msm, pairing } = other;
        self.dma += dma;
        each(&mut self.poly, poly);
        self.tables += tables;
        self.msm += msm;
        self.pairing += pairing;
    }
}

/// Adds arrays element by element.
fn each<T: AddAssign, const N: usize>(sums: &mut [T; N], others: [T; N]) {
    sums.iter_mut().zip(others).for_each(|(sum, other)| *sum += other);
}

/// The counts of the three phases of an MSM.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct MsmPhases {
    /// The work of bucket accumulation.
    pub accumulation: msm::MsmWork,
    /// The work of bucket reduction.
    pub reduction: msm::MsmWork,
    /// The work of group aggregation.
    pub aggregation: msm::MsmWork,
}

sum_fields!(MsmPhases { accumulation, reduction, aggregation });

/// Entries that the transfer engine moved between DRAM and the memories of the chip, in words of 256 bits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct MovedEntries {
    /// Words to and from Banks_A and Banks_B.
    pub vectors: u64,
    /// Words to Banks_C.
    pub tables: u64,
    /// Words to the point memory.
    pub points: u64,
    /// Words of scalars, one a scalar.
    pub scalars: u64,
}

sum_fields!(MovedEntries { vectors, tables, points, scalars });

/// The account of a run.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Account {
    /// Name of the task.
    pub name: String,
    /// Cycles from the first fetch to the end of the last instruction.
    pub cycles: u64,
    /// L1 instructions that were fetched.
    pub instructions: u64,
    /// Cycles in which the polynomial engine, and in which the MSM engine, was the one that was last given work.
    pub engine_cycles: [u64; 2],
    /// The engine that was last given work, and the cycle since then.
    #[serde(skip)]
    at_work: Option<(usize, u64)>,
    /// Busy cycles by unit.
    pub busy: Busy,
    /// Work and waits of the three parts of the processing elements, 0 to 3, 4 to 7 and 8 to 11.
    pub elements: [ElementTime; 3],
    /// Cycles that the bytes of all transfers take at the memory's full speed, as far as the ports of the banks allow it.
    pub wire: u64,
    /// The counts of the polynomial engine.
    pub poly: poly::PolyWork,
    /// The counts of the MSM engine in G1 and in G2.
    pub msm: [MsmPhases; 2],
    /// Number of Fp products of the endomorphism's multiplier.
    pub images: u64,
    /// Words transferred between DRAM and the chip.
    pub moved: MovedEntries,
    /// Work that the model counts no cycles for.
    pub outside: Outside,
    /// The counts of the DRAM.
    pub dram: dram::Stats,
}

impl Account {
    /// The account at the start of a run.
    pub(super) fn new(name: String, dram: dram::Stats) -> Self {
        Self {
            name,
            cycles: 0,
            instructions: 0,
            engine_cycles: [0; 2],
            at_work: None,
            busy: Busy::default(),
            elements: [ElementTime::default(); 3],
            wire: 0,
            poly: poly::PolyWork::default(),
            msm: [MsmPhases::default(); 2],
            images: 0,
            moved: MovedEntries::default(),
            outside: Outside::default(),
            dram,
        }
    }

    /// The account of two runs one after the other, each of which began with a DRAM of its own.
    #[must_use]
    pub fn then(mut self, later: &Self) -> Self {
        let Self {
            name,
            cycles,
            instructions,
            engine_cycles,
            at_work: _,
            busy,
            elements,
            wire,
            poly,
            msm,
            images,
            moved,
            outside,
            dram,
        } = later;
        self.name = format!("{}; {name}", self.name);
        self.cycles += cycles;
        self.instructions += instructions;
        each(&mut self.engine_cycles, *engine_cycles);
        self.busy += *busy;
        each(&mut self.elements, *elements);
        self.wire += wire;
        self.poly += *poly;
        each(&mut self.msm, *msm);
        self.images += images;
        self.moved += *moved;
        self.outside += *outside;
        self.dram += *dram;
        self
    }

    /// Charges the cycles up to `at` to the engine that was active, and makes `engine` the active one.
    fn turn(&mut self, engine: usize, at: u64) {
        let (before, since) = self.at_work.unwrap_or((engine, 0));
        self.engine_cycles[before] += at - since;
        self.at_work = Some((engine, at));
    }

    /// Closes the account at the end of a run.
    pub(super) fn close(&mut self, cycles: u64, instructions: u64, dram: dram::Stats) {
        self.turn(0, cycles);
        self.at_work = None;
        (self.cycles, self.instructions, self.dram) = (cycles, instructions, dram);
    }

    pub(super) fn note(&mut self, done: &Executed) {
        let cycles = done.free - done.start;
        self.wire += done.wire;
        for (part, waits) in self.elements.iter_mut().zip(done.waited) {
            *part += waits.map_or_else(ElementTime::default, |waits| ElementTime { work: cycles, waits });
        }
        match L1Row::of(&done.instruction).unit {
            Executor::Poly if self.at_work.is_none_or(|(engine, _)| engine != 0) => self.turn(0, done.start),
            Executor::Msm if self.at_work.is_none_or(|(engine, _)| engine != 1) => self.turn(1, done.start),
            _ => {}
        }
        match L1Row::of(&done.instruction).unit {
            Executor::Dma => self.busy.dma += cycles,
            Executor::Msm => self.busy.msm += cycles,
            Executor::Pairing | Executor::Switcher => self.busy.pairing += cycles,
            Executor::Control => {}
            Executor::Poly => match done.instruction {
                L1::SubNtt { src, .. } | L1::Vector { src, .. } => {
                    self.busy.poly[usize::from(src & 1)] += cycles;
                }
                _ => self.busy.tables += cycles,
            },
        }
    }

    /// Bytes requested from DRAM by reads and writes; a tile buffer requests whole lines.
    pub fn dram_bytes(&self) -> u64 {
        self.dram.read_bytes + self.dram.write_bytes
    }

    /// Number of point additions in both groups and all phases.
    pub fn padds(&self) -> u64 {
        self.msm.iter().map(|m| m.accumulation.padds + m.reduction.padds + m.aggregation.padds).sum()
    }

    /// Busy cycles of processing elements, summed over the elements.
    pub fn element_cycles(&self) -> u64 {
        let msm = |m: &MsmPhases| {
            m.accumulation.element_cycles + m.reduction.element_cycles + m.aggregation.element_cycles
        };
        self.poly.element_cycles + self.msm.iter().map(msm).sum::<u64>()
    }

    /// The part of the processing elements with the most work, a lower bound on the cycles of the run.
    pub fn busiest(&self) -> ElementTime {
        let most = |a: ElementTime, b: &ElementTime| if b.work > a.work { *b } else { a };
        self.elements.iter().fold(self.elements[0], most)
    }

    /// The share of the run that waits for memory, 0 to 1: twice the share that a memory of twice the bandwidth would save.
    pub fn memory_share(&self) -> f64 {
        memory_share(self.cycles, &self.busiest().waits, self.wire)
    }

    /// The resource that limits the run, by the waits of its busiest elements.
    pub fn bound(&self) -> Bound {
        Bound::of_memory_share(self.memory_share())
    }
}
