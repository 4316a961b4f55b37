//! The Poly-OP engine of \[CP\] §IV.B: NTTs of 16 to 1,024 points and vector operations, cycle by cycle and with all data.
//!
//! There are two sets of banks. In each, Banks_A and Banks_B hold vectors (eight banks of 128 words of 256 bits each) and
//! Banks_C hold twiddles or a second operand (four banks of 256 words); all banks have one port. A group of four butterfly
//! units works on a set: every cycle it reads eight words from A, writes eight words to B, and reads four words from C; the
//! next stage goes from B to A. While one set computes, the DMA loads or stores the other.
//!
//! # The two schedules
//!
//! **NTT**: input in bit-reversed order, output in natural order; Algorithm 2 with stage `s` on index bit `s`. A round reads
//! one row of all eight banks, multiplies, adds, and scatters the results over rows. The layout changes from stage to stage
//! by a rotation of the index, so that every stage looks the same to the address generator and the connector ([`map`],
//! [`network`]).
//!
//! **INTT**: the reverse. Input in natural order, output in bit-reversed order, stages from the last bit to the first; a
//! round gathers eight words from scattered rows, adds, halves, multiplies by the inverse twiddles, and writes one row. Each
//! stage undoes one of the NTT, including a halving, so that the factor `1/N` is complete after the last. The DMA's scatter
//! before an NTT and its gather after an INTT undo the bit reversal on the way from and to DRAM.
//!
//! In both, a stage takes `N/8` rounds of one cycle, and then as many cycles as the pipeline is long, because the next stage
//! reads the results of this one and no bank is read and written in one cycle: `log N · (N/8 + 25)` cycles, 1,530 for 1,024
//! points. The model does not use this formula: the controller starts a stage when nothing is in flight any more, the banks
//! refuse a second access, and the cycles are counted. In a batch ([`PolyOp::sub_ntts`]), proposed by this project, several
//! vectors in the slots of a set pass a stage before the pipeline drains.
//!
//! # Cosets
//!
//! A coset's generator is merged into the twiddles ([`twiddle`]), so that a coset transform is a transform with another
//! table. The second pass of a 2D transform has a different coset in every row, and therefore needs a table for every row:
//! loaded, or made on the chip ([`RowTables`], [`PolyOp::generate_twiddles`]). The conventional method, a product with the
//! coset's powers before a plain transform, is a vector operation: [`PolyOp::vector`].

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
