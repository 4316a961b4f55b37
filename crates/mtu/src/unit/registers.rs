//! The contents of a hybrid traversal's registers, for comparison with other implementations of it.

/// The contents of the accumulator's registers.
#[derive(Clone, PartialEq, Debug)]
pub struct Levels<T> {
    /// For each level, in steps above the stream's, the words that wait.
    pub queues: Vec<Vec<T>>,
    /// For each level, the number of words that have left its queue.
    pub left: Vec<u64>,
    /// The levels of the nodes in the element's pipeline, the newest first.
    pub flight: Vec<Option<u32>>,
    /// The number of the slot, once there is one.
    pub slot: Option<i64>,
    /// Cycles until the element accepts operands again.
    pub cooldown: u32,
}

/// The contents of the registers of a traversal.
#[derive(Clone, PartialEq, Debug)]
pub struct Flow<T> {
    /// For each stage, from the leaves' on, which pipeline registers hold a row, the newest first.
    pub stages: Vec<Vec<bool>>,
    /// The contents of the accumulator's registers.
    pub levels: Levels<T>,
    /// Cycles until the leaves' stage accepts a row again.
    pub cooldown: u32,
}
