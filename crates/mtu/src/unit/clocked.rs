//! A hybrid traversal that is clocked from outside, with a memory of arbitrary latency. The RTL is run in lock-step with
//! it. Streams, stages and accumulators are the same as in every other run.

pub use super::registers::{Flow, Levels};

use super::hybrid::{Forward, Inverted};
use super::io::{Engine, Io, Issue, Pace, Run, elements_for};
use super::streams::{Input, Layout, Origin, Request, Streams};
use crate::datapath::{Building, Datapath, Inverting};
use crate::{ElementUse, Job, MtuError, Operations, Traversal, TreeDir, UnitConfig, Workload};
use pairwright_field::Field;
use pairwright_sim::settings::Design;
use std::cell::RefCell;
use std::collections::BTreeMap;

/// The phase of a unit's run.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// The unit reads the challenges from memory.
    Table,
    /// The unit computes nodes.
    Run,
    /// The unit writes the last results to memory.
    Drain,
}

/// A request of the unit to its memory in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MemoryRequest {
    /// The byte address of the first word.
    pub address: u64,
    /// The number of words.
    pub words: u64,
    /// For a write, the level and the index of the first node; `None` for a read.
    pub writes: Option<(u32, u64)>,
}

/// The response of the memory in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct MemoryResponse {
    /// Whether the memory accepts the unit's request.
    pub ready: bool,
    /// The number of words of the oldest read that arrive; they are in the input buffer from the next cycle on.
    pub arrived: u64,
    /// The number of words of results that the output buffer need not hold any longer.
    pub left: u64,
}

/// The operands that enter an element in a cycle.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Issued<T> {
    /// The element's number.
    pub element: usize,
    /// The level whose challenge it uses, from 1 on.
    pub level: u32,
    /// The two children, or the parent twice in a forward tree.
    pub operands: [T; 2],
}

/// The contents of the registers of the streams.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ports {
    /// Words of the table or of the leaves that were requested, that arrived, and that were taken.
    pub input: [u64; 3],
    /// The number of successive requests in the same direction.
    pub in_row: u32,
    /// Whether that direction is writing.
    pub writing: bool,
    /// Words of results that are not in memory yet.
    pub held: u64,
    /// The level, first index and number of words of the blocks that wait to be written.
    pub blocks: Vec<(u32, u64, u32)>,
    /// For each level from 1 on, the first index and the number of words that are not part of a block yet.
    pub outputs: Vec<(u64, u32)>,
}

/// A datapath that records all operations on words and all results.
struct RecordedDatapath<T: Copy> {
    words: Box<dyn Datapath<Word = T>>,
    calls: RefCell<Vec<(u32, [T; 2])>>,
    results: BTreeMap<(u32, u64), T>,
}

impl<T: Copy> Datapath for RecordedDatapath<T> {
    type Word = T;
    fn leaf(&self, index: u64) -> T {
        self.words.leaf(index)
    }
    fn hash_leaf(&self, index: u64) -> T {
        self.words.hash_leaf(index)
    }
    fn combine(&self, level: u32, left: T, right: T) -> T {
        self.calls.borrow_mut().push((level, [left, right]));
        self.words.combine(level, left, right)
    }
    fn split(&self, level: u32, parent: T) -> [T; 2] {
        self.calls.borrow_mut().push((level, [parent; 2]));
        self.words.split(level, parent)
    }
    fn top(&self, level: u32) -> [T; 2] {
        self.words.top(level)
    }
    fn store(&mut self, level: u32, index: u64, word: T) {
        self.results.insert((level, index), word);
    }
}

enum Hybrid<T: Copy> {
    Inverted(Inverted<RecordedDatapath<T>>),
    Forward(Forward<RecordedDatapath<T>>),
}

impl<T: Copy> Hybrid<T> {
    fn engine(&self) -> &dyn Engine<RecordedDatapath<T>> {
        match self {
            Self::Inverted(engine) => engine,
            Self::Forward(engine) => engine,
        }
    }
}

/// A unit that runs a job in hybrid traversal, from memory to memory.
pub struct Tree<T: Copy> {
    config: UnitConfig,
    path: Pace,
    engine: Hybrid<T>,
    streams: Streams,
    data: RecordedDatapath<T>,
    /// The input stream of the leaves, held back while the table is read.
    leaves: Option<Vec<Input>>,
}

impl<F: Field> Tree<F> {
    /// A unit that computes `eq(x, r)` at every corner.
    ///
    /// # Errors
    /// The errors of [`Tree::reduce`].
    pub fn build_eq(config: &UnitConfig, r: &[F]) -> Result<Self, MtuError> {
        let job = Job::new(Workload::BuildMle, r.len() as u32);
        let words = Building { r: r.to_vec().into(), leaves: vec![None; 1 << r.len()] };
        Self::new(config, &job, Box::new(words))
    }
}

impl<T: Copy + 'static> Tree<T> {
    /// A unit that computes an inverted tree over `leaves`; `combine(level, left, right)` is the node over two nodes of
    /// `level`.
    ///
    /// # Panics
    /// Unless the number of leaves is a power of two.
    ///
    /// # Errors
    /// The errors of an invalid configuration; [`MtuError::Clocked`] for a traversal that is not hybrid, for several
    /// requests in a cycle, or for a tree with less than two leaves for each element.
    pub fn reduce(
        config: &UnitConfig,
        workload: Workload,
        leaves: Vec<T>,
        combine: impl Fn(u32, T, T) -> T + 'static,
    ) -> Result<Self, MtuError> {
        assert!(leaves.len().is_power_of_two(), "a power of two");
        let job = Job::new(workload, leaves.len().ilog2());
        let keep = workload.keeps_levels();
        let words = Inverting {
            leaf_hash: None,
            combine,
            nodes: vec![None; if keep { leaves.len() - 1 } else { 1 }],
            log_leaves: job.log_size,
            leaves: leaves.into(),
        };
        Self::new(config, &job, Box::new(words))
    }

    fn new(config: &UnitConfig, job: &Job, words: Box<dyn Datapath<Word = T>>) -> Result<Self, MtuError> {
        Design::check(config)?;
        let elements = elements_for(config, job);
        let hybrid = config.traversal == Traversal::Hybrid && config.requests == 1;
        if !hybrid || job.log_size <= elements.ilog2() || elements != config.pes {
            return Err(MtuError::Clocked { log_size: job.log_size, pes: config.pes });
        }
        let forward = job.workload.direction() == TreeDir::Forward;
        let path = Pace::of(config, job.workload);
        let plan = Layout::of(config, job);
        let leaves = if forward { Vec::new() } else { vec![Input::new(plan.table, plan.leaves)] };
        let mut streams = Streams::new(config, &plan);
        let challenges = plan.challenges;
        let engine = if forward {
            Hybrid::Forward(Forward::new(config, &path, job.log_size, elements, words.top(job.log_size)))
        } else {
            Hybrid::Inverted(Inverted::new(config, &path, job.log_size, elements))
        };
        let data = RecordedDatapath { words, calls: RefCell::default(), results: BTreeMap::new() };
        let table = challenges > 0;
        let (input, leaves) =
            if table { (vec![Input::new(0, challenges)], Some(leaves)) } else { (leaves, None) };
        streams.begin(config, input, Origin::Memory);
        Ok(Self { config: *config, path, engine, streams, data, leaves })
    }

    /// The phase of the unit in this cycle.
    pub fn phase(&self) -> Phase {
        match () {
            () if self.leaves.is_some() => Phase::Table,
            () if self.engine.engine().done() => Phase::Drain,
            () => Phase::Run,
        }
    }

    /// Whether all results are in memory.
    pub fn is_finished(&self) -> bool {
        self.phase() == Phase::Drain && self.streams.held_outputs == 0
    }

    /// The request of the unit to its memory in this cycle.
    pub fn request(&self) -> Option<MemoryRequest> {
        self.streams.request().map(|request| match request {
            Request::Read { address, words, .. } => MemoryRequest { address, words, writes: None },
            Request::Write { address, run } => {
                MemoryRequest { address, words: u64::from(run.words), writes: Some((run.level, run.index)) }
            }
        })
    }

    /// Whether the unit advances in this cycle: the words that it takes have arrived, and the words that it gives have
    /// room.
    pub fn moves(&self) -> bool {
        let engine = self.engine.engine();
        let wants = engine.wants();
        self.phase() == Phase::Run
            && (wants == 0 || self.streams.has(wants))
            && self.streams.has_room(engine.gives())
    }

    /// Advances by a cycle; returns the operands that enter elements in it.
    pub fn cycle(&mut self, answer: MemoryResponse) -> Vec<Issued<T>> {
        let moves = self.moves();
        if let Some(request) = self.streams.request().filter(|_| answer.ready) {
            self.streams.requested(&request);
        }
        let issued = if moves { self.step() } else { Vec::new() };
        if answer.arrived > 0 {
            self.streams.arrive(0, answer.arrived);
        }
        self.streams.leave(answer.left);
        if self.leaves.is_some() && self.streams.inputs.iter().all(|input| input.arrived == input.words) {
            let leaves = self.leaves.take().unwrap_or_default();
            self.streams.begin(&self.config, leaves, Origin::Memory);
            (self.streams.in_row, self.streams.writing) = (0, false);
        }
        issued
    }

    /// A cycle in which the unit advances.
    fn step(&mut self) -> Vec<Issued<T>> {
        let wants = self.engine.engine().wants();
        if wants > 0 {
            self.streams.take(wants);
        }
        let (mut runs, mut issues) = (Vec::<Run>::new(), Vec::<Issue>::new());
        let mut uses = vec![ElementUse::default(); self.config.pes as usize];
        let mut operations = Operations::default();
        let io = &mut Io {
            now: 0,
            data: &mut self.data,
            path: self.path,
            runs: &mut runs,
            uses: &mut uses,
            operations: &mut operations,
            issues: Some(&mut issues),
        };
        match &mut self.engine {
            Hybrid::Inverted(engine) => engine.step(io),
            Hybrid::Forward(engine) => engine.step(io),
        }
        for run in runs {
            self.streams.held_outputs += u64::from(run.words);
            self.streams.gather(run);
        }
        if self.engine.engine().done() {
            self.streams.flush();
        }
        // Operations are recorded in the order in which elements take their operands.
        let elements = issues.into_iter().flat_map(|issue| issue.elements);
        let calls = self.data.calls.take();
        elements.zip(calls).map(|(element, (level, operands))| Issued { element, level, operands }).collect()
    }

    /// A result, once it has left the elements.
    pub fn result(&self, level: u32, index: u64) -> Option<T> {
        self.data.results.get(&(level, index)).copied()
    }

    /// The contents of the registers of the traversal.
    pub fn flow(&self) -> Flow<T> {
        match &self.engine {
            Hybrid::Inverted(engine) => engine.registers(),
            Hybrid::Forward(engine) => engine.registers(),
        }
    }

    /// The contents of the registers of the streams.
    pub fn ports(&self) -> Ports {
        let streams = &self.streams;
        let input = streams.inputs.first().map_or([0; 3], |i| [i.requested, i.arrived, i.taken]);
        let output = |level: u32| {
            let output = streams.output(level);
            (output.from, output.waiting)
        };
        Ports {
            input,
            in_row: streams.in_row,
            writing: streams.writing,
            held: streams.held_outputs,
            blocks: streams.blocks.iter().map(|run| (run.level, run.index, run.words)).collect(),
            outputs: (1..=streams.levels()).map(output).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::simulate;
    use pairwright_sim::dram::{Dram, Piece};
    use std::collections::VecDeque;

    /// A unit with this many elements whose blocks have the size of a row.
    fn unit(pes: u32) -> UnitConfig {
        let row = 32 * pes;
        let mut config = UnitConfig::paper().with_pes(pes).with_bandwidth(row);
        (config.block_bytes, config.mul_latency, config.hash_ii) = (row, 16, 24);
        (config.dram.latency, config.requests) = (12, 1);
        config.fitted()
    }

    /// The number of cycles of a unit with the memory of the model.
    fn cycles(config: &UnitConfig, mut tree: Tree<u64>) -> u64 {
        let mut dram = Dram::new(&config.dram, config.hz()).unwrap();
        let (mut booked, mut now) = (0, 0);
        let (mut arriving, mut leaving) = (VecDeque::new(), VecDeque::new());
        while !tree.is_finished() {
            let mut answer = MemoryResponse { ready: booked <= now + 8, ..MemoryResponse::default() };
            if let Some(ask) = tree.request().filter(|_| answer.ready) {
                let piece = Piece { address: ask.address, bytes: 32 * ask.words as u32 };
                let transfer = dram.transfer(now, ask.writes.is_some(), [piece]);
                booked = transfer.issued;
                let to = if ask.writes.is_some() { &mut leaving } else { &mut arriving };
                to.push_back((transfer.done, ask.words));
            }
            now += 1;
            while let Some((_, words)) = arriving.pop_front_if(|(at, _)| *at <= now) {
                answer.arrived += words;
            }
            while let Some((_, words)) = leaving.pop_front_if(|(at, _)| *at <= now) {
                answer.left += words;
            }
            tree.cycle(answer);
        }
        now
    }

    #[test]
    fn a_unit_that_is_clocked_from_outside_takes_the_cycles_of_a_run() {
        for (pes, log_size) in [(2, 2), (2, 7), (4, 3), (4, 9), (8, 10)] {
            let config = unit(pes);
            for workload in Workload::ALL.into_iter().filter(|w| w.direction() == TreeDir::Inverted) {
                let leaves: Vec<u64> = (0..1 << log_size).collect();
                let sum = |_, a: u64, b: u64| a + b;
                let tree = Tree::reduce(&config, workload, leaves, sum).unwrap();
                let want = simulate(&config, &Job::new(workload, log_size)).unwrap();
                assert_eq!(cycles(&config, tree), want.cycles, "{pes} elements, {workload:?}");
            }
        }
    }

    #[test]
    fn trees_that_are_too_small_are_refused() {
        let tree = Tree::reduce(&unit(4), Workload::Product, vec![1u64; 4], |_, a, b| a * b);
        assert!(matches!(tree.err(), Some(MtuError::Clocked { log_size: 2, pes: 4 })));
    }
}
