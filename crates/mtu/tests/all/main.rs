//! The tests of the tree unit that use its public interface alone.

mod parameters;
mod search;
mod unit;
