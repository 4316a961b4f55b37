//! Events of a machine that the costs of operator calls do not contain.

use crate::{Slot, Transfer};
use alloc::sync::Arc;
use alloc::vec::Vec;
use spin::Mutex;

/// The log of a machine with a memory of its own. It has the copies that are in no call's cost, because the host read a result long
/// after the call or because the call failed, and the slots with calls for which the machine had too little memory. Clones share
/// one log.
///
/// A board has the logs of its machines, and a session enters their copies into its account. Sessions that run on one board at the
/// same time share the logs: a copy is then entered by the session that reads the log first.
#[derive(Clone, Debug)]
pub struct MachineLog {
    machine: &'static str,
    entries: Arc<Mutex<Entries>>,
}

#[derive(Debug, Default)]
struct Entries {
    copied: usize,
    transfer: Transfer,
    lacked_memory: Vec<Slot>,
}

impl MachineLog {
    /// An empty log of the machine of this name.
    pub fn new(machine: &'static str) -> Self {
        Self { machine, entries: Arc::default() }
    }

    /// Name of the machine.
    pub fn machine(&self) -> &'static str {
        self.machine
    }

    /// Whether this is a clone of another log.
    pub(crate) fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.entries, &other.entries)
    }

    /// Enters copies that are in no call's cost. Copies of zero bytes are not entered.
    pub fn copied(&self, transfer: Transfer) {
        if transfer.to_machine + transfer.to_host > 0 {
            let mut entries = self.entries.lock();
            entries.copied += 1;
            entries.transfer += transfer;
        }
    }

    /// Returns the number of entries of copies since the last call of this function, and their sum; `None` if there were none.
    pub fn take_copies(&self) -> Option<(usize, Transfer)> {
        let mut entries = self.entries.lock();
        let copied = core::mem::take(&mut entries.copied);
        let transfer = core::mem::take(&mut entries.transfer);
        (copied > 0).then_some((copied, transfer))
    }

    /// Enters that the machine had too little memory for a call of an operator of this slot.
    pub fn lacked_memory(&self, slot: Slot) {
        let mut entries = self.entries.lock();
        if !entries.lacked_memory.contains(&slot) {
            entries.lacked_memory.push(slot);
        }
    }

    /// The slots with calls for which the machine had too little memory, each once, in the order of the first such calls.
    pub fn slots_without_memory(&self) -> Vec<Slot> {
        self.entries.lock().lacked_memory.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use core::time::Duration;

    #[test]
    fn copies_are_taken_once_and_slots_are_named_once() {
        let log = MachineLog::new("m");
        let moved = |to_machine, to_host| Transfer { to_machine, to_host, time: Duration::from_millis(2) };
        log.copied(moved(0, 0));
        assert_eq!(log.take_copies(), None);
        log.clone().copied(moved(5, 0));
        log.copied(moved(1, 7));
        let sum = Transfer { time: Duration::from_millis(4), ..moved(6, 7) };
        assert_eq!((log.take_copies(), log.take_copies()), (Some((2, sum)), None));
        [Slot::G1, Slot::Ntt, Slot::G1].into_iter().for_each(|slot| log.lacked_memory(slot));
        assert_eq!(log.slots_without_memory(), [Slot::G1, Slot::Ntt]);
        assert!(log.is(&log.clone()) && !log.is(&MachineLog::new("m")));
    }
}
