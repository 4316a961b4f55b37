//! Clocked-component kit for models of machines. Knows no cryptography.
//!
//! Every block is a [`Clocked`]: its outputs depend on its registered state alone, and its state changes only in
//! [`Clocked::tick`]. So blocks can be evaluated in any order within a cycle.
#![forbid(unsafe_code)]

pub mod tech;

/// A block of registers and the logic between them.
pub trait Clocked {
    /// What the block takes in a cycle.
    type In;
    /// What the block shows in a cycle.
    type Out;
    /// The outputs of this cycle: a function of the state alone.
    fn out(&self) -> Self::Out;
    /// The clock edge: the next state from the state and this cycle's inputs.
    fn tick(&mut self, input: Self::In);
}
