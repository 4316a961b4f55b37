//! The configurable sender: it fetches L1 instructions in order, and dispatches them to the engines as datapaths and
//! memories become free, out of order where nothing forbids it (\[CP\] §III.A).
//!
//! A cycle has two steps: first the oldest instruction of the window whose claim is free is dispatched, then one instruction
//! is fetched into the window. Loops, jumps and scans are executed by the sender itself when they are fetched. Nothing
//! happens between two events, so cycles without an event are skipped.

use super::claim::Claim;
use super::error::{Fault, TopError};
use super::waits::{ElementWaits, Release, Step, Tracker};
use crate::isa::{L1, LoopCounters, LoopReg};
use crate::spec::SenderSpec;
use std::collections::VecDeque;

/// The cycles in which an instruction's datapath accepts the next instruction, and in which it is done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Span {
    /// The datapath is free from this cycle on.
    pub(super) free: u64,
    /// From this cycle on its operands may be overwritten and its results be read.
    pub(super) end: u64,
    /// Cycles that the bytes of a transfer take at the memory's full speed, or twice the saving of a faster memory where the
    /// ports of the banks are nearly as slow; `None` for computation.
    pub(super) wire: Option<u64>,
}

/// An executed instruction with its times.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Executed {
    /// Its L1 address.
    pub pc: u16,
    /// The instruction that was executed.
    pub instruction: L1,
    /// The cycle in which it was dispatched.
    pub start: u64,
    /// The cycle from which on its datapath is free.
    pub free: u64,
    /// The cycle from which on it is done.
    pub end: u64,
    /// Cycles that the bytes of a transfer take at the memory's full speed, as far as the ports of the banks allow it; 0 for
    /// computation.
    pub wire: u64,
    /// For each of the three parts of the processing elements that the instruction uses, the waits before it by cause.
    pub waited: [Option<ElementWaits>; 3],
}

/// The engines that the sender dispatches to.
pub(super) trait Engines {
    /// Executes an instruction from cycle `now` on.
    fn execute(&mut self, now: u64, instruction: &L1) -> Result<Span, Fault>;

    /// The datapaths and memories that an instruction needs.
    fn claim(&self, instruction: &L1) -> Claim;

    /// The next bit of a scan register.
    fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault>;

    /// Called for every instruction once its times are known.
    fn executed(&mut self, done: &Executed);

    /// Called at the end with the waits of each part of the processing elements after its last work.
    fn closed(&mut self, waits: [ElementWaits; 3]);
}

/// An instruction in the window, waiting for dispatch.
struct Waiting {
    pc: u16,
    instruction: L1,
    claim: Claim,
    fetched: Release,
}

/// The sender of a run.
pub(super) struct Sender<'a> {
    config: SenderSpec,
    dispatch: u64,
    l1: &'a [L1],
    now: u64,
    loops: LoopCounters,
    window: VecDeque<Waiting>,
    running: Vec<(Claim, Span)>,
    instructions: u64,
    tracker: Tracker,
    /// Whether the window was full since the last fetch, and the state table since the last dispatch.
    full: [bool; 2],
}

impl<'a> Sender<'a> {
    /// The sender of a program; every fetch takes `dispatch` cycles, at least one.
    pub(super) fn new(config: SenderSpec, dispatch: u32, l1: &'a [L1]) -> Self {
        Self {
            config,
            dispatch: u64::from(dispatch.max(1)),
            l1,
            now: 0,
            loops: LoopCounters::default(),
            window: VecDeque::new(),
            running: Vec::new(),
            instructions: 0,
            tracker: Tracker::default(),
            full: [false; 2],
        }
    }

    /// Runs to `finish` and until every engine is done, and calls `watch` for each executed instruction. Returns the numbers
    /// of cycles and instructions.
    pub(super) fn run(
        mut self,
        engines: &mut impl Engines,
        limit: u64,
        watch: &mut dyn FnMut(&Executed),
    ) -> Result<(u64, u64), TopError> {
        let mut pc = Some(0);
        let mut fetch_at = 0;
        let mut end = 0;
        loop {
            let now = self.now;
            self.running.retain(|(_, span)| span.end.max(span.free) > now);
            let mut moved = false;
            self.full[1] |= !self.window.is_empty() && self.running.len() >= self.config.entries as usize;
            if let Some(i) = self.ready() {
                let Some(next) = self.window.remove(i) else { break };
                let span = engines
                    .execute(now, &next.instruction)
                    .map_err(|why| self.error_at(next.pc as usize, why))?;
                let Span { free, end: done, wire } = span;
                let step = Step { claim: next.claim, start: now, free, end: done, wire };
                let waited = self.tracker.note(step, next.fetched, std::mem::take(&mut self.full[1]));
                let executed = Executed {
                    pc: next.pc,
                    instruction: next.instruction,
                    start: now,
                    free,
                    end: done,
                    wire: wire.unwrap_or(0),
                    waited,
                };
                engines.executed(&executed);
                watch(&executed);
                end = end.max(span.end).max(span.free);
                self.running.push((next.claim, span));
                moved = true;
            }
            self.full[0] |= self.window.len() >= self.config.window as usize;
            if let Some(at) = pc
                && now >= fetch_at
                && self.window.len() < self.config.window as usize
                && let Some(next) = self.fetch(at, engines)?
            {
                self.full[0] = false;
                pc = next;
                fetch_at = now + self.dispatch;
                moved = true;
            }
            if pc.is_none() && self.window.is_empty() {
                break;
            }
            if now.max(self.instructions) > limit {
                return Err(TopError::Limit { limit, pc: pc.unwrap_or(self.l1.len()) });
            }
            let later = self.running.iter().flat_map(|(_, span)| [span.free, span.end]);
            let later = later.chain([fetch_at]).filter(|t| *t > now).min();
            self.now = if moved { now + 1 } else { later.ok_or(TopError::Stuck { cycle: now })? };
        }
        let end = end.max(self.now);
        engines.closed(self.tracker.close(end));
        Ok((end, self.instructions))
    }

    fn error_at(&self, pc: usize, fault: Fault) -> TopError {
        let instruction = self.l1.get(pc).map_or_else(String::new, |i| i.to_string());
        TopError::Control { cycle: self.now, pc, instruction, fault }
    }

    /// The index of the oldest instruction of the window that can be dispatched.
    fn ready(&self) -> Option<usize> {
        let now = self.now;
        if self.running.len() >= self.config.entries as usize {
            return None;
        }
        (0..self.window.len()).find(|i| {
            let claim = &self.window[*i].claim;
            let free = self.running.iter().all(|(other, span)| {
                (span.end <= now || !claim.depends(other)) && (span.free <= now || !claim.competes(other))
            });
            free && self.window.iter().take(*i).all(|older| claim.passes(&older.claim))
        })
    }

    /// Fetches the instruction at `pc` and returns the address of the next one; `None` if the fetch must wait.
    fn fetch(&mut self, pc: usize, engines: &mut impl Engines) -> Result<Option<Option<usize>>, TopError> {
        let instruction = *self.l1.get(pc).ok_or(TopError::Address { cycle: self.now, pc })?;
        match instruction {
            // The instruction that fills the register may still wait.
            L1::Scan { .. } if self.window.iter().any(|w| matches!(w.instruction, L1::LoadScan { .. })) => {
                return Ok(None);
            }
            L1::Finish | L1::Jump { .. } | L1::Loop { .. } | L1::Scan { .. } => {}
            _ => {
                let claim = engines.claim(&instruction);
                let now = self.now;
                let fetched = if self.full[0] { self.tracker.window(now) } else { Release::fetched(now) };
                self.window.push_back(Waiting { pc: pc as u16, instruction, claim, fetched });
            }
        }
        let next = self.loops.next(pc, &instruction, |reg| engines.next_bit(reg));
        let next = next.map_err(|why| self.error_at(pc, why))?;
        self.instructions += 1;
        Ok(Some(next))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{Memory, Tables, Transform};

    /// Engines that take a fixed time and keep a diary.
    struct Fixed {
        transfer: u64,
        work: u64,
        /// Cycles of a transfer that its bytes take.
        wire: u64,
        diary: Vec<Executed>,
        last: [ElementWaits; 3],
    }

    impl Fixed {
        fn new(transfer: u64, work: u64) -> Self {
            Self { transfer, work, wire: transfer, diary: Vec::new(), last: [ElementWaits::default(); 3] }
        }
    }

    impl Engines for Fixed {
        fn execute(&mut self, now: u64, instruction: &L1) -> Result<Span, Fault> {
            let time = match instruction {
                L1::Load { .. } | L1::Store { .. } => self.transfer,
                _ => self.work,
            };
            let wire = matches!(instruction, L1::Load { .. } | L1::Store { .. }).then_some(self.wire);
            Ok(Span { free: now + time, end: now + time, wire })
        }
        fn claim(&self, instruction: &L1) -> Claim {
            Claim::of(instruction, true, u32::from)
        }
        fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault> {
            Err(Fault::ScanEmpty(reg))
        }
        fn executed(&mut self, done: &Executed) {
            self.diary.push(*done);
        }
        fn closed(&mut self, waits: [ElementWaits; 3]) {
            self.last = waits;
        }
    }

    /// Load, transform, store, `sets` sets taking turns, `rounds` times.
    fn passes(sets: u8, rounds: u32) -> Vec<L1> {
        let mut l1 = Vec::new();
        for src in 0..sets {
            l1.push(L1::Load { memory: Memory::A, length: 1024, src, stream: 0 });
            l1.push(L1::SubNtt { kind: Transform::Ntt, length: 1024, src, batch: 0, tables: Tables::Shared });
            l1.push(L1::Store { memory: Memory::A, length: 1024, src, stream: 1 });
        }
        l1.push(L1::Loop { reg: LoopReg::I, addr: 0, count: rounds });
        l1.push(L1::Finish);
        l1
    }

    fn run(l1: &[L1], config: SenderSpec, transfer: u64, work: u64) -> (u64, Vec<Executed>) {
        let mut engines = Fixed::new(transfer, work);
        let (cycles, _) = Sender::new(config, 1, l1).run(&mut engines, 1 << 40, &mut |_| {}).unwrap();
        (cycles, engines.diary)
    }

    #[test]
    fn one_set_hides_nothing_and_two_hide_transfers_behind_work() {
        let (one, _) = run(&passes(1, 100), SenderSpec::paper(), 100, 200);
        assert_eq!(one / 100, 400);
        let (two, _) = run(&passes(2, 50), SenderSpec::paper(), 100, 200);
        // Two groups at work: a set's turn takes 400 cycles, two turns of the transfer engine fill 400.
        assert!((200..=206).contains(&(two / 100)), "{two}");
        let (in_order, _) = run(&passes(2, 50), SenderSpec { window: 1, entries: 8 }, 100, 200);
        assert!(in_order > two, "{in_order} against {two}");
    }

    /// Work and waits of the first elements, and the cycles of a run.
    fn waits(sets: u8, config: SenderSpec, mut engines: Fixed) -> (u64, ElementWaits, u64) {
        let l1 = passes(sets, 100 / u32::from(sets));
        let (cycles, _) = Sender::new(config, 1, &l1).run(&mut engines, 1 << 40, &mut |_| {}).unwrap();
        let mut waits = engines.last[0];
        let of_first = engines.diary.iter().filter_map(|e| Some((e, e.waited[0]?)));
        let work = of_first
            .map(|(e, waited)| {
                waits += waited;
                e.free - e.start
            })
            .sum();
        assert_eq!(work + waits.sum(), cycles, "every cycle has a cause");
        (work, waits, cycles)
    }

    #[test]
    fn elements_wait_for_what_was_not_ready() {
        // One set: load and store are waited for, but for the cycles of the sender.
        let (work, found, _) = waits(1, SenderSpec::paper(), Fixed::new(100, 200));
        assert_eq!((work, found.elements, found.transfers), (100 * 200, 0, 0));
        assert!((100 * 200 - 100..=100 * 200).contains(&found.memory), "{found:?}");
        // Half of a transfer is set up and latency.
        let engines = Fixed { wire: 50, ..Fixed::new(100, 200) };
        let (_, found, _) = waits(1, SenderSpec::paper(), engines);
        assert!(found.memory.abs_diff(found.transfers) < 200 && found.memory > 9_000, "{found:?}");
        // Two sets, long work: next to nothing is waited for. Short work: the transfer engine is.
        let (_, found, cycles) = waits(2, SenderSpec::paper(), Fixed::new(10, 200));
        assert!(found.memory < cycles / 10, "{found:?}");
        let (work, found, cycles) = waits(2, SenderSpec::paper(), Fixed::new(200, 10));
        assert!(found.memory > cycles * 9 / 10 && work < cycles / 10, "{found:?}");
        // A table of one entry lets nothing overlap: the other elements' work is waited for.
        let (_, found, _) = waits(2, SenderSpec { window: 8, entries: 1 }, Fixed::new(10, 200));
        assert!(found.elements > 50 * 190, "{found:?}");
    }

    #[test]
    fn no_two_that_conflict_overlap_in_time() {
        let (_, diary) = run(&passes(2, 20), SenderSpec::paper(), 70, 90);
        let claim = |e: &Executed| Claim::of(&e.instruction, true, u32::from);
        for (i, a) in diary.iter().enumerate() {
            for b in &diary[i + 1..] {
                let apart = a.end <= b.start || b.end <= a.start;
                assert!(
                    apart || !(claim(a).depends(&claim(b)) || claim(b).depends(&claim(a))),
                    "{a:?} {b:?}"
                );
                assert!(apart || !claim(a).competes(&claim(b)), "{a:?} {b:?}");
            }
        }
    }

    #[test]
    fn loops_nest_and_a_program_without_an_end_is_stopped() {
        let work = L1::MsmInitP2;
        let l1 = [
            work,
            L1::Loop { reg: LoopReg::I, addr: 0, count: 3 },
            L1::Loop { reg: LoopReg::J, addr: 0, count: 4 },
            L1::Finish,
        ];
        assert_eq!(run(&l1, SenderSpec::paper(), 1, 5).1.len(), 12);
        let mut engines = Fixed::new(1, 1);
        let forever = [L1::Jump { reg: LoopReg::I, addr: 0 }];
        let stopped = Sender::new(SenderSpec::paper(), 1, &forever).run(&mut engines, 1000, &mut |_| {});
        assert!(matches!(stopped, Err(TopError::Limit { limit: 1000, .. })));
        let off = Sender::new(SenderSpec::paper(), 1, &[work]).run(&mut engines, 1000, &mut |_| {});
        assert!(matches!(off, Err(TopError::Address { pc: 1, .. })));
    }
}
