//! The waits of processing elements: the cycles between two pieces of work on the same elements, by cause.
//!
//! An instruction starts when the last resource that it needs is released: a memory or a datapath that another instruction
//! used, the sender's fetch, a full window or state table. [`Tracker`] records for every instruction which one that was. The
//! cycles in which elements were idle before a piece of work are traced back along these releases to the end of the previous
//! work. While the releasing instruction was a transfer, the elements waited for memory; while it was work of other
//! elements, for those; and between a release and the start, for the sender.

use super::claim::Claim;
use pairwright_device::sum_fields;
use serde::Serialize;
use std::collections::VecDeque;

/// Cycles of a part of the processing elements, by work and waits.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ElementTime {
    /// Cycles with an instruction.
    pub work: u64,
    /// Cycles without an instruction, by cause.
    pub waits: ElementWaits,
}

sum_fields!(ElementTime { work, waits });

/// Cycles in which elements waited, by cause.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, Serialize)]
pub struct ElementWaits {
    /// Waits for the memory's bandwidth: as long as the bytes of the transfer took at full speed.
    pub memory: u64,
    /// Waits for the rest of transfers: setup, latency, opening of rows, ports of the banks.
    pub transfers: u64,
    /// Waits for work of other elements.
    pub elements: u64,
    /// Waits for the sender: fetch, dispatch, a full window or state table.
    pub sender: u64,
}

impl ElementWaits {
    /// Cycles of all causes.
    pub const fn sum(&self) -> u64 {
        self.memory + self.transfers + self.elements + self.sender
    }
}

sum_fields!(ElementWaits { memory, transfers, elements, sender });

/// The share of `cycles` that waits for memory, 0 to 1: twice the share that a memory of twice the bandwidth would save. The
/// saving is at most the cycles in which the busiest elements wait for bandwidth, and at most half of the cycles that the
/// bytes take.
pub fn memory_share(cycles: u64, waits: &ElementWaits, wire: u64) -> f64 {
    if cycles == 0 { 0.0 } else { ((2 * waits.memory).min(wire) as f64 / cycles as f64).min(1.0) }
}

/// The event that released an instruction.
#[derive(Clone, Copy, Debug)]
pub(super) struct Release {
    /// The cycle from which on the instruction could start.
    at: u64,
    /// The number of the step that held the instruction until then, and whether the start of that step released it. `None`
    /// for the sender.
    by: Option<(u64, bool)>,
}

impl Release {
    pub(super) const fn fetched(at: u64) -> Self {
        Self { at, by: None }
    }
}

/// A dispatched instruction with its times.
#[derive(Clone, Copy, Debug)]
pub(super) struct Step {
    pub(super) claim: Claim,
    pub(super) start: u64,
    pub(super) free: u64,
    pub(super) end: u64,
    /// Cycles that the bytes of a transfer take at the memory's full speed, or twice the saving of a faster memory where the
    /// ports of the banks are nearly as slow; `None` for computation.
    pub(super) wire: Option<u64>,
}

/// Number of steps that are kept: many more than can be in execution.
const REMEMBERED: usize = 1024;
/// Number of recent steps among which the one that held an instruction is searched.
const RECENT: usize = 128;

/// The steps of a run with the events that released them.
#[derive(Debug, Default)]
pub(super) struct Tracker {
    steps: VecDeque<(Step, Release)>,
    /// The number of the oldest step that is kept.
    first: u64,
    /// For each part of the elements, the cycle in which its last work ended.
    over: [u64; 3],
}

impl Tracker {
    /// The release of an instruction that the window could not take before the last dispatch.
    pub(super) fn window(&self, at: u64) -> Release {
        Release { at, by: self.last().map(|last| (last, true)) }
    }

    fn last(&self) -> Option<u64> {
        (self.first + self.steps.len() as u64).checked_sub(1)
    }

    /// Records an instruction. `fetched` is the release into the window; `full` says that the state table was full before.
    /// Returns the waits of each part of the elements that the instruction works on.
    pub(super) fn note(&mut self, step: Step, fetched: Release, full: bool) -> [Option<ElementWaits>; 3] {
        let mut release = fetched;
        let recent = self.steps.len().saturating_sub(RECENT);
        for (number, (earlier, _)) in (self.first..).zip(&self.steps).skip(recent) {
            let mut held = |at: u64, by_start: bool| {
                if at <= step.start && at >= release.at {
                    release = Release { at, by: Some((number, by_start)) };
                }
            };
            if full {
                held(earlier.end.max(earlier.free), false);
            }
            if step.claim.depends(&earlier.claim) {
                held(earlier.end, false);
            }
            if step.claim.competes(&earlier.claim) {
                held(earlier.free, false);
            }
            if !step.claim.passes(&earlier.claim) {
                held(earlier.start, true);
            }
        }
        let waited = [0, 1, 2].map(|part| {
            let works = step.wire.is_none() && step.claim.works_on(part);
            works.then(|| {
                let waits = self.explain(self.over[part], step.start, release);
                self.over[part] = step.free;
                waits
            })
        });
        self.steps.push_back((step, release));
        if self.steps.len() > REMEMBERED {
            self.steps.pop_front();
            self.first += 1;
        }
        waited
    }

    /// The waits of each part of the elements from its last work to the end of the run.
    pub(super) fn close(&self, end: u64) -> [ElementWaits; 3] {
        let ends =
            (self.first..).zip(&self.steps).map(|(number, (step, _))| (step.end.max(step.free), number));
        let release = match ends.max() {
            Some((at, number)) => Release { at: at.min(end), by: Some((number, false)) },
            None => Release::fetched(end),
        };
        self.over.map(|over| self.explain(over, end, release))
    }

    /// Assigns the cycles from `from` to `to` to causes; `release` allowed the start in cycle `to`.
    fn explain(&self, from: u64, mut to: u64, mut release: Release) -> ElementWaits {
        let mut waits = ElementWaits::default();
        while to > from {
            let at = release.at.clamp(from, to);
            waits.sender += to - at;
            to = at;
            let found = release.by.and_then(|(number, by_start)| {
                let (step, before) = self.steps.get(number.checked_sub(self.first)? as usize)?;
                Some((step, *before, by_start))
            });
            let Some((step, before, by_start)) = found else {
                waits.sender += to - from;
                break;
            };
            let start = step.start.clamp(from, to);
            let cycles = to - start;
            match step.wire {
                _ if by_start => waits.sender += cycles,
                Some(wire) => {
                    waits.memory += cycles.min(wire);
                    waits.transfers += cycles.saturating_sub(wire);
                }
                None => waits.elements += cycles,
            }
            (to, release) = (start, before);
        }
        waits
    }
}
