//! The errors of machine descriptions, graphs and schedulers.

use thiserror::Error;

/// Why a schedule cannot be made.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum ScheduleError {
    /// Two slots, classes or register files with the same name.
    #[error("the machine has two parts of the name {0:?}")]
    Duplicate(String),
    /// A slot or a register file whose count is zero.
    #[error("the machine has no {0:?}: its count is zero")]
    None(String),
    /// A class without a reservation table.
    #[error("class {0:?} has no way to issue")]
    NoWay(String),
    /// A class names a slot that the machine does not have.
    #[error("class {class:?} takes slot {slot:?}, which the machine does not have")]
    UnknownSlot {
        /// The name of the class.
        class: String,
        /// The name of the slot.
        slot: String,
    },
    /// A class names a register file that the machine does not have.
    #[error("class {class:?} writes file {file:?}, which the machine does not have")]
    UnknownFile {
        /// The name of the class.
        class: String,
        /// The name of the register file.
        file: String,
    },
    /// A reservation table that occupies a slot more often in one cycle than its count.
    #[error("class {class:?} takes slot {slot:?} more often in one cycle than there is of it")]
    Overfull {
        /// The name of the class.
        class: String,
        /// The name of the slot.
        slot: String,
    },
    /// Too many slots that are alternatives of each other: the bound by resources goes through their subsets.
    #[error("{slots} slots are alternatives of each other, at most {most} may be")]
    Alternatives {
        /// The number of alternatives that were given.
        slots: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// A latency or a reservation longer than the arithmetic supports.
    #[error("class {class:?} has a latency or a reservation of more than {most} cycles")]
    LongClass {
        /// The name of the class.
        class: String,
        /// The largest number of cycles allowed.
        most: u32,
    },
    /// A class that the machine does not have.
    #[error("the machine has no class {0:?}")]
    UnknownClass(String),
    /// An operand that the class does not list.
    #[error("class {class:?} has no operand {operand:?}")]
    UnknownOperand {
        /// The name of the class.
        class: String,
        /// The name of the operand.
        operand: String,
    },
    /// A graph without operations.
    #[error("the graph has no operations")]
    Empty,
    /// An operation whose class index the machine does not have.
    #[error("operation {op} has class {class}, the machine has {classes}")]
    NoClass {
        /// The operation: an index into the graph's.
        op: usize,
        /// The index of its class.
        class: usize,
        /// The number of classes.
        classes: usize,
    },
    /// An edge that refers to an operation that does not exist.
    #[error("an edge from {from} to {to}: the graph has {ops} operations")]
    NoOp {
        /// The operation at its beginning.
        from: usize,
        /// The operation at its end.
        to: usize,
        /// The number of operations.
        ops: usize,
    },
    /// A delay or a distance larger than the arithmetic supports.
    #[error("the edge from {from} to {to} has a delay or a distance of more than {most}")]
    LongEdge {
        /// The operation at its beginning.
        from: usize,
        /// The operation at its end.
        to: usize,
        /// The largest value allowed.
        most: u32,
    },
    /// Operations that wait for each other within one iteration.
    #[error("operations {0:?} wait for each other within one iteration")]
    Cycle(Vec<usize>),
    /// Fixed offsets that contradict each other, the edges or the slots; the operation is one of those concerned.
    #[error("the fixed offsets around operation {0} cannot be kept")]
    Offsets(usize),
    /// More registers of a file are held throughout the loop than it has.
    #[error("{held} registers of file {file:?} are held throughout, it has {size}")]
    Held {
        /// The name of the register file.
        file: String,
        /// The number of registers held.
        held: u32,
        /// The number of registers in the file.
        size: u32,
    },
    /// The best schedule that was found needs more registers than there are.
    #[error("file {file:?} has {size} registers, the best schedule found needs {needs}")]
    Registers {
        /// The name of the register file.
        file: String,
        /// The largest number of live values, held registers included.
        needs: u32,
        /// The number of registers in the file.
        size: u32,
    },
    /// No schedule was found up to the longest initiation interval allowed.
    #[error("no schedule with an initiation interval of up to {0} cycles")]
    Interval(u32),
    /// A block or a loop of more cycles than the scheduler's tables support.
    #[error("one operation after the other takes {cycles} cycles, at most {most} are scheduled")]
    Long {
        /// Cycles of the operations one after the other, without overlap.
        cycles: u64,
        /// The largest number supported.
        most: u64,
    },
}
