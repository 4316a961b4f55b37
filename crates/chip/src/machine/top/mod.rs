//! The whole processor of \[CP\] Fig. 10: the L1 memory and its sender, the polynomial and MSM engines, the pairing
//! processor, the shared banks, the transfer engine and DRAM.
//!
//! A [`Chip`] runs a [`Task`]. The sender (`sender`) fetches its L1 instructions, keeps the state table of datapaths and
//! memories (`claim`), and dispatches them, out of order where that is allowed, to the engines (`engines`). Each engine is
//! clocked independently and reports the cycle in which it is done. Engines share only memories, and the state table keeps
//! two engines off the same memory, so this is exact: no cycle of an engine depends on another engine in the same cycle.
//! Banks carry data; points and scalars come from the words that DRAM holds ([`Contents`](crate::machine::dma::Contents)).

mod account;
mod claim;
mod engines;
mod error;
mod outside;
mod pairing;
mod payload;
mod sender;
mod task;
mod timed;
mod timeline;
mod waits;

pub use crate::machine::dma::Draw;
pub use account::{Account, Busy, MovedEntries, MsmPhases};
pub use error::{Fault, TopError};
pub use outside::{Outside, Uncounted};
pub use payload::{Payload, ROW_WORDS, Word, bases, point, result, row, row_words};
pub use sender::Executed;
pub use task::{Channel, Constant, DramRegion, Generators, Task, Values, effort};
pub use timeline::timeline;
pub use waits::{ElementTime, ElementWaits, memory_share};

use super::dma::Dma;
use super::msm::Msm;
use super::poly::PolyOp;
use super::{Datapath, Driven, Processor, Run};
use crate::isa::{Group, Image, L1};
use crate::spec::MachineSpec;
use crate::spec::clock::clock_hz;
use engines::ChipEngines;
use pairwright_field::PrimeField;
use pairwright_sim::dram::Dram;
use sender::Sender;
use timed::Timed;

/// The progress of a program, in units of [`effort`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    /// Effort of the instructions executed so far.
    pub done: u64,
    /// Effort of all instructions of the program.
    pub total: u64,
}

/// A callback for every executed instruction, in the order of dispatch, with the share of the program that is done.
pub type Watch<'a> = &'a mut dyn FnMut(&Executed, Share);

/// The contents of a region of DRAM before a run.
pub enum RegionContents {
    /// Words; the rest of the region is zero.
    Words(Vec<Word>),
    /// Words that are generated whenever they are read.
    Drawn(Draw),
    /// No contents, for regions whose contents do not influence the run.
    Blank,
}

/// Number of cycles after which a run is aborted.
const LIMIT: u64 = 1 << 44;

/// The whole processor with its DRAM. `P1` and `P2` are the types that its MSMs add in G1 and G2, `()` where only time is
/// measured.
pub struct Chip<F, P1, P2> {
    spec: MachineSpec,
    l1: Vec<L1>,
    core: ChipEngines<F, P1, P2>,
}

impl<F: PrimeField, P1: Payload, P2: Payload> Chip<F, P1, P2> {
    /// A chip of a design with empty memories.
    ///
    /// # Errors
    /// Parameters that cannot be built.
    pub fn new(spec: &MachineSpec) -> Result<Self, TopError> {
        let engines =
            (PolyOp::new(&spec.poly)?, Msm::new(&spec.msm, Group::G1)?, Msm::new(&spec.msm, Group::G2)?);
        let memory = (Dma::new(&spec.dma)?, Dram::new(&spec.dram, clock_hz(spec))?);
        let core =
            ChipEngines::new(engines, memory, (spec.poly.groups > 1, spec.msm.windows_per_fetch.max(1)));
        Ok(Self { spec: spec.clone(), l1: Vec::new(), core })
    }

    /// Leaves out the data of transforms and vector operations. An operation takes the same cycles for any words, so each
    /// different one is simulated once, on arbitrary words, and its counts are used for every equal one. Constants are not
    /// computed.
    pub fn without_data(&mut self) {
        self.core.timed = Some(Timed::default());
    }

    /// Loads a task: its program, its address generators and its regions of DRAM. `contents` gives the words that the CPU
    /// has written into a region, by number; `None` leaves it blank, for runs in which only time is measured. Tables and
    /// factors are computed as the task says.
    ///
    /// # Errors
    /// A program that is too long, or streams that the design does not have.
    pub fn load(
        &mut self,
        task: &Task<F>,
        mut contents: impl FnMut(usize) -> Option<Vec<Word>>,
    ) -> Result<(), TopError> {
        self.load_regions(task, |region| {
            contents(region).map_or(RegionContents::Blank, RegionContents::Words)
        })
    }

    /// [`Chip::load`] with regions whose words may be generated as they are read.
    ///
    /// # Errors
    /// As [`Chip::load`].
    pub fn load_regions(
        &mut self,
        task: &Task<F>,
        mut contents: impl FnMut(usize) -> RegionContents,
    ) -> Result<(), TopError> {
        let (words, program) = (self.spec.control.l1_words, task.l1.len());
        if program > words as usize {
            return Err(TopError::Memory { words, program });
        }
        // The memory holds encoded words, so an instruction that cannot be encoded does not run.
        let memory = |(address, instruction): (usize, &L1)| {
            let decoded = instruction.encode().and_then(L1::decode);
            decoded.map_err(|why| TopError::Word { address, why })
        };
        self.l1 = task.l1.iter().enumerate().map(memory).collect::<Result<_, _>>()?;
        let core = &mut self.core;
        core.contents = Default::default();
        for (number, region) in task.regions.iter().enumerate().filter(|(_, region)| region.words > 0) {
            let name = format!("{} ({number})", region.name);
            let constant = task.constants.iter().find(|c| c.region == number);
            let given = match constant {
                Some(_) if core.timed.is_some() => RegionContents::Blank,
                Some(constant) => RegionContents::Words(constant.values.make()?.iter().map(word).collect()),
                None => contents(number),
            };
            match given {
                RegionContents::Words(mut words) => {
                    words.resize(region.words as usize, [0; 4]);
                    core.contents.insert(&name, region.at, words)?;
                }
                RegionContents::Drawn(draw) => {
                    core.contents.insert_drawn(&name, region.at, region.words, draw)?
                }
                RegionContents::Blank => core.contents.insert_blank(&name, region.at, region.words)?,
            }
        }
        core.regions.clear();
        for (number, channel) in task.streams.iter().enumerate() {
            core.dma.configure(number, channel.stream.clone())?;
            core.regions.push(channel.region as u32);
        }
        core.generators = task.generators.iter().map(|g| (g.clone(), 0)).collect();
        core.plans = task.plans.iter().copied().collect();
        Ok(())
    }

    /// Adds a pairing processor with the routines of an image.
    ///
    /// # Errors
    /// Words that are no instructions, or a design that cannot be built.
    pub fn load_routines<B: Datapath>(&mut self, image: &Image) -> Result<(), TopError> {
        let processor = Processor::<B>::new(&self.spec, &Image { l1: Vec::new(), ..image.clone() })?;
        self.core.pairing = Some(Box::new(Driven::new(processor)));
        Ok(())
    }

    /// The counts of the pairing processor, if there is one.
    pub fn pairing_run(&self) -> Option<Run> {
        self.core.pairing.as_ref().map(|pairing| pairing.run())
    }

    /// Runs the loaded task's program from its first instruction to its end.
    ///
    /// # Errors
    /// A request that the hardware cannot serve, with cycle and instruction.
    pub fn run(&mut self, task: &Task<F>) -> Result<Account, TopError> {
        self.run_watched(task, &mut |_, _| {})
    }

    /// [`Chip::run`] with `watch` called for every instruction.
    ///
    /// # Errors
    /// As [`Chip::run`].
    pub fn run_watched(&mut self, task: &Task<F>, watch: Watch<'_>) -> Result<Account, TopError> {
        let mut share = Share { done: 0, total: task.effort() };
        let mut watch = |executed: &Executed| {
            share.done += effort(&executed.instruction);
            watch(executed, share);
        };
        let core = &mut self.core;
        core.account = Account::new(task.name.clone(), core.dram.stats());
        core.account.outside = Outside::of(task);
        let sender = Sender::new(self.spec.sender, self.spec.control.dispatch, &self.l1);
        let (cycles, instructions) = sender.run(core, LIMIT, &mut watch)?;
        let cycles = cycles.max(core.dram.flush());
        core.account.close(cycles, instructions, core.dram.stats());
        Ok(core.account.clone())
    }

    /// The words of a region after a run.
    ///
    /// # Errors
    /// A region that has not been loaded.
    pub fn read(&self, task: &Task<F>, region: usize) -> Result<Vec<Word>, TopError> {
        let region = &task.regions[region];
        let mut words = vec![[0; 4]; region.words as usize];
        if !words.is_empty() {
            self.core.contents.read(region.at, &mut words)?;
        }
        Ok(words)
    }
}

/// The word of an element of the field: its Montgomery form.
pub fn word<F: PrimeField>(value: &F) -> Word {
    let limbs = value.to_montgomery();
    let mut word = [0; 4];
    word[..limbs.as_ref().len()].copy_from_slice(limbs.as_ref());
    word
}

/// The element of a word; `None` if it is not below the modulus.
pub fn element<F: PrimeField>(word: &Word) -> Option<F> {
    engines::element(word)
}
