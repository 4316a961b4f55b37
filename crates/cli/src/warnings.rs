//! Warnings that are reported together with a command's result.

use pairwright::device::MachineLog;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The warnings of a command: collected while it runs, and reported with its result.
#[derive(Debug, Default)]
pub(crate) struct Warnings(Mutex<Collected>);

#[derive(Debug, Default)]
struct Collected {
    sentences: Vec<String>,
    /// The logs of the machines that the command runs on.
    logs: Vec<MachineLog>,
}

impl Warnings {
    fn collected(&self) -> MutexGuard<'_, Collected> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Adds a warning, unless the same sentence is there already.
    pub(crate) fn add(&self, sentence: impl Into<String>) {
        add(&mut self.collected().sentences, sentence.into());
    }

    /// Adds these machines' logs: for each slot for whose operators a machine had too little memory, [`Warnings::take`] gives a warning.
    pub(crate) fn watch(&self, logs: &[MachineLog]) {
        self.collected().logs.extend_from_slice(logs);
    }

    /// Takes all warnings out: a second call returns none.
    pub(crate) fn take(&self) -> Vec<String> {
        let Collected { mut sentences, logs } = core::mem::take(&mut *self.collected());
        for log in logs {
            for slot in log.slots_without_memory() {
                let machine = log.machine();
                let why = format!("{machine} had too little memory for operators of the slot {slot}");
                add(&mut sentences, format!("{why}: this computer ran them instead"));
            }
        }
        sentences
    }
}

/// Adds a sentence to the list, unless it is there already.
fn add(sentences: &mut Vec<String>, sentence: String) {
    if !sentences.contains(&sentence) {
        sentences.push(sentence);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright::Slot;

    #[test]
    fn what_a_machine_had_no_memory_for_is_a_warning_a_slot() {
        let (warnings, log, other) = (Warnings::default(), MachineLog::new("gpu"), MachineLog::new("gpu"));
        warnings.watch(&[log.clone(), other.clone()]);
        warnings.add("a sentence");
        [Slot::G1, Slot::Ntt, Slot::G1].into_iter().for_each(|slot| log.lacked_memory(slot));
        other.lacked_memory(Slot::Ntt);
        let of = |slot| {
            format!(
                "gpu had too little memory for operators of the slot {slot}: this computer ran them instead"
            )
        };
        assert_eq!(warnings.take(), ["a sentence".to_owned(), of("g1"), of("ntt")]);
        assert!(warnings.take().is_empty());
    }
}
