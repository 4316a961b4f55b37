//! L1 programs of the whole chip, with the settings and constants that the CPU prepares for them: transforms, vector
//! operations, MSMs, and programs of the pairing processor.
//!
//! A [`Task`] is an operator of a given size: its instructions, the settings of the transfer engine's address generators,
//! the sequences of row generators for twiddles, and its regions of DRAM. No operator bypasses the instruction stream. The
//! data that the CPU writes into DRAM before a task (bases, tables of twiddles) are named in it.

pub mod msm;
pub mod ntt;
pub mod routines;
pub mod vector;

mod error;
mod split;
mod text;
mod walk;

pub use error::TaskError;
pub use split::split;
pub use text::Text;
pub use walk::Walk;

use crate::MachineSpec;
use crate::machine::top::{Channel, Constant, DramRegion, Generators, Task, Values};
use pairwright_field::PrimeField;

/// Whether transfers overlap with computation (\[CP\] Fig. 15).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Schedule {
    /// Uses one set of banks: load, compute and store follow one another.
    Unhidden,
    /// Uses both sets of banks in turn: while the engine computes on one, the other is stored and loaded.
    Hidden,
}

impl Schedule {
    /// The numbers of the sets of banks that the schedule uses.
    pub(crate) fn sets(self) -> std::ops::Range<u8> {
        match self {
            Self::Unhidden => 0..1,
            Self::Hidden => 0..2,
        }
    }
}

/// A task under construction.
#[derive(Clone, Debug)]
pub struct Build<F> {
    task: Task<F>,
    text: Text,
    next: u64,
    operator: String,
}

/// Alignment of regions in words: a page of DRAM, 128 words of 32 bytes.
const PAGE: u64 = 128;

impl<F: PrimeField> Build<F> {
    /// An empty task of this name.
    pub fn new(name: impl Into<String>) -> Self {
        let task = Task {
            name: name.into(),
            l1: Vec::new(),
            streams: Vec::new(),
            generators: Vec::new(),
            regions: Vec::new(),
            constants: Vec::new(),
            sections: Vec::new(),
            plans: Vec::new(),
        };
        Self { operator: task.name.clone(), task, text: Text::new(), next: 0 }
    }

    /// Begins a section of the program that belongs to the operator of this name, in reports of traffic and time.
    pub fn operator(&mut self, name: impl Into<String>) {
        self.operator = name.into();
        self.task.sections.push((self.text.len() as u16, self.operator.clone()));
    }

    /// Allocates a region of DRAM and returns its number.
    pub fn region(&mut self, name: &'static str, words: u64) -> usize {
        let at = self.next;
        self.next = (at + words.max(1)).next_multiple_of(PAGE);
        self.task.regions.push(DramRegion { name, at, words });
        self.task.regions.len() - 1
    }

    /// Allocates a region with values that the CPU writes there before the run, and returns its number.
    pub fn constant(&mut self, name: &'static str, values: Values<F>) -> usize {
        let region = self.region(name, values.words());
        self.task.constants.push(Constant { region, values });
        region
    }

    /// Adds an address generator over a region and returns its number.
    pub fn stream(&mut self, region: usize, walk: Walk) -> u8 {
        let DramRegion { name, at, .. } = self.task.regions[region];
        let stream = walk.stream(name, &self.operator, at);
        self.task.streams.push(Channel { region, stream });
        (self.task.streams.len() - 1) as u8
    }

    /// Lines of the tile buffer for a walk with transfers of `entries` words, if its runs of consecutive words are shorter
    /// than a line: one line per run, so that later transfers find there the words of a line that an earlier one did not
    /// use. Zero if the runs are longer, or if the streams added before have left too few lines.
    fn tile_lines(&self, spec: &MachineSpec, walk: &Walk, entries: u64) -> u32 {
        let line = u64::from(spec.dma.line_words);
        let taken: u64 = self.task.streams.iter().map(|c| u64::from(c.stream.tile_lines)).sum();
        let lines = entries / walk.run();
        let fits = lines * line + taken * line <= u64::from(spec.dma.tile_words);
        if walk.run() < line && fits { lines as u32 } else { 0 }
    }

    /// Adds a sequence of row generators and returns its number.
    fn generators(&mut self, generators: Generators<F>) -> u8 {
        self.task.generators.push(generators);
        (self.task.generators.len() - 1) as u8
    }

    /// A loop of `count` turns around the instructions that `body` writes; nothing if `count` is zero.
    pub(crate) fn times(&mut self, count: u64, body: impl FnOnce(&mut Self)) {
        if count > 0 {
            let open = self.text.open(count);
            body(self);
            self.text.close(open);
        }
    }

    /// Processes a vector in pieces: `turn` writes the instructions for a piece of a given number of entries in a given set
    /// of banks.
    pub(crate) fn pieces(
        &mut self,
        entries: u64,
        piece: u64,
        schedule: Schedule,
        turn: impl Fn(&mut Text, u16, u8),
    ) {
        let sets = schedule.sets();
        let count = sets.len() as u64;
        let (whole, rest) = (entries / piece, entries % piece);
        // Turns that are no product of two loop counts follow in a loop of their own.
        let turns = whole / count;
        for turns in [turns - turns % text::COUNT, turns % text::COUNT] {
            self.text.times(turns, |text| sets.clone().for_each(|src| turn(text, piece as u16, src)));
        }
        let odd = whole % count;
        (0..odd).for_each(|src| turn(&mut self.text, piece as u16, src as u8));
        if rest > 0 {
            turn(&mut self.text, rest as u16, (odd % count) as u8);
        }
    }

    /// Returns the finished task.
    pub fn finish(mut self) -> Task<F> {
        self.task.l1 = self.text.finish();
        self.task
    }
}
