//! The Poly-OP engine of \[CP\] §IV.B: NTTs of 16 to 1,024 points and vector operations, cycle by cycle, data and all.
//!
//! Two sets of banks, A and B for vectors (eight banks of 128 words of 256 bits) and C for twiddles or a second operand
//! (four of 256), all with one port. A group of four butterfly units works on a set: every cycle it takes eight words out
//! of A, puts eight words into B, and takes four out of C; the next stage goes from B to A. While one set computes, the
//! DMA loads or stores the other.
//!
//! # The two schedules
//!
//! **NTT**: bit-reversed in, natural out, Algorithm 2 with stage `s` on index bit `s`. A round reads one row of all
//! eight banks, multiplies, adds, and scatters the results over rows; it is the layout that moves, by a rotation of the
//! index, so that every stage looks the same to the address generator and the connector ([`map`], [`network`]).
//!
//! **INTT**: the same backwards. Natural in, bit-reversed out, stages from the last bit to the first; a round gathers
//! eight words from scattered rows, adds, halves, multiplies by the inverse twiddles, and writes one row. Each stage undoes
//! one of the NTT, halving included, so `1/N` has come about when the last is done. The DMA's scatter before an NTT and
//! its gather after an INTT undo the bit reversal on the way from and to DRAM.
//!
//! Either way a stage is `N/8` rounds, one a cycle, and then as many cycles as the pipeline is long, because the next
//! stage reads what this one writes and no bank does both at once: `log N · (N/8 + 25)` cycles, 1,530 for 1,024 points.
//! None of that is a formula here: the controller starts a stage when nothing is in flight any more, the banks refuse a
//! second access, and the cycles are counted. In a batch ([`PolyOp::sub_ntts`]), proposed by this project, several
//! vectors in the slots of a set go through a stage before it drains.
//!
//! # Cosets
//!
//! A coset's generator is merged into the twiddles ([`twiddle`]), so that a coset transform is a transform with another
//! table. The second pass of a 2D transform has a coset of its own in every row, hence a table for every row: loaded,
//! or made on the chip ([`RowTables`], [`PolyOp::generate_twiddles`]). The old way, a product with the coset's powers
//! before a plain transform, is a vector operation: [`PolyOp::vector`].

mod butterfly;
mod engine;
mod error;
mod figure;
mod generate;
pub mod map;
pub mod network;
pub mod twiddle;
mod vector;

pub use crate::spec::{PolySpec, RowTables};
pub use butterfly::{Beat, UNITS};
pub use engine::{Bank, PolyOp, PolyWork, SubNtt};
pub use error::PolyError;
pub use figure::{BankRows, layouts};
pub use map::{Cell, Layout, place};
pub use vector::Operand;

#[cfg(test)]
mod tests;
