//! Counts the cycles of a run by class.

use super::run::{Class, CycleCount, Forwards, PerChannel, RoutineRun, Run};
use crate::isa::Field;
use std::collections::BTreeMap;

/// The counts of a run in progress.
#[derive(Clone, Debug)]
pub(super) struct Ledger {
    pub(super) run: Run,
    /// L1 address of the current instruction, for probes.
    pub(super) l1_pc: u16,
    cycle: u64,
    routines: BTreeMap<u16, RoutineRun>,
}

impl Ledger {
    pub(super) fn new(field: Field) -> Self {
        let run = Run {
            cycles: 0,
            by_class: CycleCount::default(),
            l1_instructions: 0,
            l2_words: 0,
            slots: 0,
            bundles: 0,
            bubbles: 0,
            issued: PerChannel::default(),
            forwards: Forwards::default(),
            banks: Vec::new(),
            switched_rows: 0,
            inversions: 0,
            inversion_products: 0,
            routines: Vec::new(),
            field,
        };
        Self { run, l1_pc: 0, cycle: 0, routines: BTreeMap::new() }
    }

    /// The current cycle.
    pub(super) fn cycle(&self) -> u64 {
        self.cycle
    }

    /// Counts cycles in a class.
    pub(super) fn count_cycles(&mut self, class: Class, cycles: u64) {
        self.cycle += cycles;
        *self.run.by_class.of(class) += cycles;
    }

    /// Counts an issue slot.
    pub(super) fn slot(&mut self, pair: bool, bubble: bool) {
        self.count_cycles(Class::Issue, 1);
        self.run.slots += 1;
        self.run.l2_words += 1 + u64::from(pair);
        self.run.bundles += u64::from(pair);
        self.run.bubbles += u64::from(bubble);
    }

    /// Counts the cycles and products of an inversion.
    pub(super) fn inversion(&mut self, cycles: u64, products: u32) {
        self.count_cycles(Class::Inversion, cycles);
        self.run.inversions += 1;
        self.run.inversion_products += u64::from(products);
    }

    /// Counts a routine that was dispatched in cycle `since`, called `calls` times in a row and is done.
    pub(super) fn routine(
        &mut self,
        addr: u16,
        name: Option<&String>,
        (calls, slots): (u32, u32),
        since: u64,
    ) {
        let entry = self.routines.entry(addr).or_insert_with(|| RoutineRun {
            addr,
            name: name.cloned(),
            ..RoutineRun::default()
        });
        entry.calls += u64::from(calls);
        entry.slots += u64::from(slots);
        entry.cycles += self.cycle - since;
    }

    /// Ends the run and returns its report.
    pub(super) fn close(mut self) -> Run {
        self.run.cycles = self.cycle;
        self.run.routines = self.routines.into_values().collect();
        self.run
    }
}
