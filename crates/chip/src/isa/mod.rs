//! The instruction set of \[CP\] Fig. 11: coarse L1 instructions for the top controller, fine L2 instructions for the
//! pairing processor, both 32-bit words.
//!
//! [`L1`] and [`L2`] are instructions as values. [`mod@format`] has the fields of words, and [`rows`] the table that
//! everything else reads: [`L1::encode`], [`L1::decode`], [`L2::encode`], [`L2::decode`], [`assemble`], [`disassemble`] and
//! [`reference()`]. [`L2Op::apply`] defines the result of an L2 operation, and [`LoopCounters`] the order of L1
//! instructions. An [`Image`] holds the contents of both instruction memories.

mod asm;
mod disasm;
mod error;
pub mod format;
mod image;
mod inst;
mod lex;
mod reference;
pub mod rows;
mod semantics;
mod spell;
mod word;

pub use asm::assemble;
pub use disasm::disassemble;
pub use error::{AsmError, IsaError};
pub use image::{Image, ImageError, LABEL_CHARACTERS, MEMORY_WORDS};
pub use inst::{
    Channel, Direction, Field, FwdPath, Group, L1, L2, L2Op, Loc, LoopReg, Memory, Operand, Tables,
    Transform, VectorOp,
};
pub use reference::{EXAMPLE, reference};
pub use semantics::{Fp2, LoopCounters};
