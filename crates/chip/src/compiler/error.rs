//! Errors of the compiler.

use thiserror::Error;

/// A routine or program that cannot be compiled for a machine.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum CompileError {
    /// None of the schedules that were tried fits into the rows.
    #[error(
        "routine {routine}: no rows for its values, {alive} alive at once in the best schedule, {rows} rows"
    )]
    NoRows {
        /// Name of the routine.
        routine: String,
        /// Values alive at once.
        alive: usize,
        /// Rows of the machine.
        rows: usize,
    },
    /// Two inputs, or two outputs, in one row.
    #[error("routine {routine}: two values in row {row} of bank {bank}")]
    Shared {
        /// Name of the routine.
        routine: String,
        /// Number of the bank.
        bank: u8,
        /// Row within the bank.
        row: u8,
    },
    /// An input or output lies in a row that the machine does not have.
    #[error("routine {routine}: row {row} of bank {bank} is outside of the machine's banks")]
    OutsideBanks {
        /// Name of the routine.
        routine: String,
        /// Number of the bank.
        bank: u8,
        /// Row within the bank.
        row: u8,
    },
    /// A program needs more words or rows than the machine's memory has.
    #[error("program: {words} words for the {memory} memory, which holds {holds}{}", parameter(.memory))]
    Memory {
        /// `L1`, `L2` or `global`.
        memory: &'static str,
        /// Words or rows needed.
        words: usize,
        /// Words or rows that the memory has.
        holds: u32,
    },
    /// More inputs of a program than the machine has room for, or too few.
    #[error("program: {found} {what}; there is room for {most}")]
    Count {
        /// Name of the items that were counted, in the plural.
        what: &'static str,
        /// Number that was asked for.
        found: usize,
        /// Number that there is room for.
        most: usize,
    },
    /// An instruction that cannot be encoded.
    #[error("program: {0}")]
    Word(#[from] crate::isa::IsaError),
    /// The banks together read only one row per cycle, so that no word with two operands can issue.
    #[error("routine {routine}: the banks of this machine read one row in a cycle, an operation needs two")]
    OneRead {
        /// Name of the routine.
        routine: String,
    },
    /// A routine that is too long for the computation of loop bounds.
    #[error("bounds: {0}")]
    Bounds(#[from] pairwright_sim::schedule::ScheduleError),
    /// No schedule that was tried lets the next call of a routine begin before the last one ends.
    #[error(
        "routine {routine}: no schedule of at most {slots} slots lets calls overlap within the rows of the banks"
    )]
    NoPeriod {
        /// Name of the routine.
        routine: String,
        /// Slots of the longest call that was tried.
        slots: i32,
    },
    /// A routine that cannot be the body of a loop.
    #[error(
        "routine {routine} cannot be the body of a loop: an output is not also an input, or the banks have no row \
         for a value that lives from one round to the next"
    )]
    NoRotation {
        /// Name of the routine.
        routine: String,
    },
    /// No scheduler has this name.
    #[error("no scheduler is called {0}; there are list, critical and exact")]
    NoScheduler(String),
}

/// The parameter of a design that sets the size of a memory.
fn parameter(memory: &str) -> &'static str {
    match memory {
        "L1" => " (control.l1_words)",
        "L2" => " (control.l2_words)",
        "global" => " (switcher.global_rows)",
        _ => "",
    }
}
