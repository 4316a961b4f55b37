//! Runs a job: the clock, the phases of a traversal, and the account.

use super::io::{Engine, Io, Issue, Pace, Run, elements_for};
use super::memory::Memory;
use super::streams::{Input, Layout, Origin};
use super::{bfs, dfs, hybrid, leaves};
use crate::datapath::Datapath;
use crate::{Account, ElementUse, Job, MtuError, Operations, Stalls, Traversal, TreeDir, UnitConfig};
use pairwright_sim::settings::Design;
use pairwright_sim::trace::Chrome;

/// log2 of the greatest number of leaves, chosen so that indices fit a word with a margin and a run takes at most hours.
const MOST: u32 = 32;

/// The events from which a timeline is drawn.
#[derive(Default)]
pub(crate) struct Recording {
    /// The number of cycles that are recorded.
    pub(crate) window: u64,
    /// Whether cycles in which nothing happens are simulated one by one instead of skipped.
    stepwise: bool,
    issues: Vec<Issue>,
    /// For each recorded cycle, the words in the input buffer and in the output buffer.
    buffers: Vec<(u64, u64, u64)>,
}

struct Driver<'a, D> {
    config: &'a UnitConfig,
    path: Pace,
    data: &'a mut D,
    memory: Memory,
    now: u64,
    uses: Vec<ElementUse>,
    operations: Operations,
    stalls: Stalls,
    accumulator: u64,
    accumulator_levels: Vec<u32>,
    recording: &'a mut Recording,
    runs: Vec<Run>,
}

impl<D: Datapath> Driver<'_, D> {
    /// Clocks a traversal until it is done; `leaves_chip` says whether its results leave the chip.
    fn phase(&mut self, engine: &mut dyn Engine<D>, leaves_chip: bool) -> Result<(), MtuError> {
        while !engine.done() {
            self.memory.tick(self.now);
            self.observe();
            let wants = engine.wants();
            let starved = wants > 0 && !self.memory.has(wants);
            if starved || !self.memory.has_room(engine.gives()) {
                let next = self.next()?;
                *(if starved { &mut self.stalls.input } else { &mut self.stalls.output }) += next - self.now;
                self.now = next;
                continue;
            }
            if wants > 0 {
                self.memory.take(wants);
            }
            let recorded = self.now < self.recording.window;
            engine.step(&mut Io {
                now: self.now,
                data: self.data,
                path: self.path,
                runs: &mut self.runs,
                uses: &mut self.uses,
                operations: &mut self.operations,
                issues: recorded.then_some(&mut self.recording.issues),
            });
            for run in self.runs.drain(..).filter(|_| leaves_chip) {
                self.memory.accept(run);
            }
            self.accumulator = self.accumulator.max(engine.buffered());
            self.now += 1;
        }
        self.accumulator_levels = engine.high_water();
        let (needed, room) = (self.accumulator_levels.iter().sum(), self.config.accumulator_words);
        if needed > room { Err(MtuError::Accumulator { needed, room }) } else { Ok(()) }
    }

    /// The next cycle in which something can happen.
    fn next(&self) -> Result<u64, MtuError> {
        let next = self.memory.next_event(self.now).ok_or(MtuError::Standstill { cycle: self.now })?;
        Ok(if self.recording.stepwise { self.now + 1 } else { next })
    }

    /// Waits until all words that left the unit are in memory.
    fn drain(&mut self) -> Result<(), MtuError> {
        self.memory.flush();
        self.memory.tick(self.now);
        while !self.memory.is_flushed() {
            self.observe();
            self.now = self.next()?;
            self.memory.tick(self.now);
        }
        self.now = self.now.max(self.memory.last_arrival());
        Ok(())
    }

    fn observe(&mut self) {
        if self.now < self.recording.window {
            let (input, output) = self.memory.held();
            if self.recording.buffers.last().is_none_or(|(_, i, o)| (*i, *o) != (input, output)) {
                self.recording.buffers.push((self.now, input, output));
            }
        }
    }
}

/// Runs a job with the words of `data`.
pub(crate) fn run<D: Datapath>(
    config: &UnitConfig,
    job: &Job,
    data: &mut D,
    recording: &mut Recording,
) -> Result<Account, MtuError> {
    Design::check(config)?;
    check(config, job)?;
    let path = Pace::of(config, job.workload);
    let forward = job.workload.direction() == TreeDir::Forward;
    let elements = elements_for(config, job);
    let word = u64::from(config.word_bytes);
    let plan = Layout::of(config, job);
    let Layout { challenges, table, leaves, .. } = plan;
    let mut driver = Driver {
        config,
        path,
        memory: Memory::new(config, &plan)?,
        now: 0,
        uses: vec![ElementUse::default(); config.pes as usize],
        operations: Operations::default(),
        stalls: Stalls::default(),
        accumulator: 0,
        accumulator_levels: Vec::new(),
        recording,
        runs: Vec::new(),
        data,
    };
    if challenges > 0 {
        driver.now = driver.memory.preload(0, challenges);
        driver.stalls.input = driver.now;
        // The difference of one and the last challenge.
        driver.operations.sums += u64::from(forward);
    }
    let mut first = table;
    let mut upstream = job.upstream;
    if job.hash_leaves {
        let origin = upstream.take().map_or(Origin::Memory, Origin::Upstream);
        driver.memory.begin(config, vec![Input::new(table, leaves)], origin);
        driver.phase(&mut leaves::Leaves::new(config, &path, leaves), true)?;
        driver.drain()?;
        first = driver.memory.place(1);
    }
    let one_by_one = elements == 1;
    match (config.traversal, forward) {
        (Traversal::Bfs, _) if !one_by_one => breadth_first(&mut driver, job, first, upstream)?,
        (Traversal::Dfs, false) if !one_by_one => {
            if let Some(rate) = upstream {
                driver.memory.begin(config, vec![Input::new(first, leaves)], Origin::Upstream(rate));
                driver.phase(&mut dfs::InvertedInOrder::new(config, &path, job.log_size, elements), true)?;
            } else {
                let each = leaves / u64::from(elements);
                let stream = |i: u32| Input::new(first + u64::from(i) * each * word, each);
                driver.memory.begin(config, (0..elements).map(stream).collect(), Origin::Memory);
                driver.phase(&mut dfs::Inverted::new(config, &path, job.log_size, elements), true)?;
            }
        }
        (Traversal::Dfs, true) if !one_by_one => {
            let (top, in_turn) = (driver.data.top(job.log_size), job.downstream.is_some());
            let mut engine = dfs::Forward::new(config, &path, job.log_size, elements, top, in_turn);
            driver.phase(&mut engine, true)?;
        }
        (_, false) => {
            let origin = upstream.map_or(Origin::Memory, Origin::Upstream);
            driver.memory.begin(config, vec![Input::new(first, leaves)], origin);
            driver.phase(&mut hybrid::Inverted::new(config, &path, job.log_size, elements), true)?;
        }
        (_, true) => {
            let top = driver.data.top(job.log_size);
            driver.phase(&mut hybrid::Forward::new(config, &path, job.log_size, elements, top), true)?;
        }
    }
    driver.drain()?;
    driver.memory.end();
    driver.now = driver.now.max(driver.memory.last_arrival());
    Ok(account(driver, job))
}

/// Runs breadth-first traversal level by level; levels that do not stay on the chip are written to memory and read again.
fn breadth_first<D: Datapath>(
    driver: &mut Driver<'_, D>,
    job: &Job,
    first: u64,
    upstream: Option<u32>,
) -> Result<(), MtuError> {
    let (config, path) = (driver.config, driver.path);
    let word = u64::from(config.word_bytes);
    let forward = job.workload.direction() == TreeDir::Forward;
    let top = job.log_size + 1;
    // The operands and results of a level share the on-chip memory.
    let on_chip = |words: u64| 2 * words * word <= u64::from(config.level_bytes);
    let (mut level, mut nodes) = if forward {
        (job.log_size, driver.data.top(job.log_size).to_vec())
    } else {
        (1, (0..job.size()).map(|i| driver.data.leaf(i)).collect())
    };
    // The nodes that need no product are in the unit already.
    let mut origin = match upstream {
        Some(rate) => Origin::Upstream(rate),
        None if forward => Origin::Chip,
        None => Origin::Memory,
    };
    let mut address = first;
    while level != if forward { 1 } else { top } {
        let next = if forward { level - 1 } else { level + 1 };
        let results = if forward { 2 * nodes.len() } else { nodes.len() / 2 } as u64;
        let last = next == if forward { 1 } else { top };
        let stays = !last && on_chip(results);
        driver.memory.begin(config, vec![Input::new(address, nodes.len() as u64)], origin);
        let held =
            if origin == Origin::Chip { nodes.len() as u64 } else { 0 } + if stays { results } else { 0 };
        driver.memory.high_water.levels = driver.memory.high_water.levels.max(held * word);
        let mut engine = bfs::Level::<D>::new(config, &path, level, nodes, forward);
        driver.phase(&mut engine, path.keep || !stays)?;
        driver.drain()?;
        address = driver.memory.place(next);
        nodes = engine.into_next();
        origin = if stays { Origin::Chip } else { Origin::Memory };
        level = next;
    }
    Ok(())
}

/// Checks that the model supports the job.
fn check(config: &UnitConfig, job: &Job) -> Result<(), MtuError> {
    if job.log_size > MOST {
        return Err(MtuError::TooLarge { log_size: job.log_size, most: MOST });
    }
    if job.hash_leaves && !job.workload.hashes() {
        return Err(MtuError::LeafHashes { workload: job.workload.name() });
    }
    let most = 2 * config.pes;
    let inverted = job.workload.direction() == TreeDir::Inverted;
    let stage = |place, rate: Option<u32>, fits, why| match rate {
        Some(words) if !(fits && (1..=most).contains(&words)) => {
            Err(MtuError::Stage { place, words, most: if fits { most } else { 0 }, why })
        }
        _ => Ok(()),
    };
    stage("upstream", job.upstream, inverted, "where leaves are read")?;
    stage("downstream", job.downstream, !inverted, "where leaves are written")
}

fn account<D>(driver: Driver<'_, D>, job: &Job) -> Account {
    let dram = driver.memory.dram();
    let (stats, config) = (dram.stats(), driver.config);
    let memory_busy = (stats.moved_bytes as f64 / dram.peak_bytes_per_cycle()).ceil() as u64;
    let (upstream, downstream) = driver.memory.stages();
    let mut sram = driver.memory.high_water;
    sram.accumulator = driver.accumulator * u64::from(config.word_bytes);
    sram.accumulator_levels = driver.accumulator_levels;
    Account {
        config: *config,
        clock: config.clock(),
        job: *job,
        cycles: driver.now,
        elements: driver.uses,
        operations: driver.operations,
        stalls: driver.stalls,
        sram,
        dram: stats,
        memory_busy,
        upstream,
        downstream,
    }
}

impl Recording {
    /// A recording of the first `window` cycles of a run.
    pub(crate) fn of(window: u64) -> Self {
        Self { window, ..Self::default() }
    }

    /// The timeline: one track per element, and the buffers as counters.
    pub(crate) fn chrome(&self, config: &UnitConfig, job: &Job) -> Chrome {
        let mut chrome = Chrome::new();
        let (workload, traversal) = (job.workload.name(), config.traversal.name());
        let unit = chrome.process(&format!("{workload} 2^{}, {traversal}", job.log_size));
        let last = config.pes as usize - 1;
        let name = |i: usize| match config.traversal {
            Traversal::Hybrid if i == last => format!("PE {i} (DFS accumulator)"),
            _ => format!("PE {i}"),
        };
        let tracks: Vec<_> = (0..config.pes as usize).map(|i| chrome.track(unit, &name(i))).collect();
        let ii = u64::from(Pace::of(config, job.workload).ii);
        for issue in &self.issues {
            for (at, element) in (0u64..).zip(issue.elements.clone()) {
                let node = format!("L{}_{}", issue.level, issue.index + at);
                chrome.event(tracks[element], &node, issue.cycle, ii, []);
            }
        }
        for (cycle, input, output) in &self.buffers {
            chrome.counter(unit, "words in the input buffer", *cycle, *input);
            chrome.counter(unit, "words in the output buffer", *cycle, *output);
        }
        chrome
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Workload;
    use crate::datapath::Timing;
    use pairwright_sim::dram;

    /// A unit that waits for its memory keeps the memory busy, whichever side of the memory is slower.
    #[test]
    fn the_memory_is_busy_when_it_is_slow() {
        let paper = UnitConfig::paper();
        let narrow = dram::DramConfig { bytes_per_cycle: 8, latency: 100, ..dram::DramConfig::ddr5_4800() };
        let flat = dram::DramConfig { kind: dram::Kind::Flat, ..narrow };
        for dram in [narrow, flat] {
            let config = UnitConfig { dram, ..paper };
            // Twice the bytes in transit are 1,600, less than the words of all elements for two cycles.
            assert_eq!(config.fitted().input_bytes, 4096);
            let job = Job::new(Workload::ALL[0], 12);
            let account = run(&config, &job, &mut Timing, &mut Recording::of(0)).unwrap();
            let share = account.memory_busy as f64 / account.cycles as f64;
            assert!((0.9..=1.0).contains(&share), "{share} {account:?}");
        }
    }

    #[test]
    fn cycles_in_which_nothing_happens_may_be_skipped() {
        let ddr = dram::DramConfig::ddr5_4800();
        let paper = UnitConfig::paper().with_pes(8).with_bandwidth(48);
        let slow = UnitConfig { dram: ddr, ..paper };
        for config in
            [paper, slow, UnitConfig { hash_ii: 24, ..paper }, UnitConfig { input_bytes: 4096, ..paper }]
        {
            for workload in Workload::ALL {
                for traversal in Traversal::ALL {
                    let (config, job) = (config.traversing(traversal), Job::new(workload, 9));
                    let stepwise = &mut Recording { stepwise: true, ..Recording::default() };
                    let every = run(&config, &job, &mut Timing, stepwise).unwrap();
                    assert_eq!(every, run(&config, &job, &mut Timing, &mut Recording::of(0)).unwrap());
                    assert!(every.stalls.input + every.stalls.output > 0, "{job:?}");
                }
            }
        }
    }
}
