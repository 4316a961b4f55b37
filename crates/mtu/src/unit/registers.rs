//! What the registers of a hybrid traversal hold, for whoever compares them.

/// What the accumulator's registers hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Levels<T> {
    /// The words of each level that wait, by steps above the level of the stream.
    pub queues: Vec<Vec<T>>,
    /// Words of each level that have left their queue.
    pub left: Vec<u64>,
    /// Levels of what is in the element, the newest first.
    pub flight: Vec<Option<u32>>,
    /// The slot, once there is one.
    pub slot: Option<i64>,
    /// Cycles until the element can take operands again.
    pub cooldown: u32,
}

/// What the registers of a traversal hold.
#[derive(Clone, PartialEq, Debug)]
pub struct Flow<T> {
    /// For each stage, the leaves' first, which registers hold a row, the newest first.
    pub stages: Vec<Vec<bool>>,
    /// The levels of the accumulator.
    pub levels: Levels<T>,
    /// Cycles until the leaves' stage can take a row again.
    pub cooldown: u32,
}
