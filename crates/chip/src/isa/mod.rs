//! The instruction set of [CP] Fig. 11: coarse L1 instructions for the top controller, fine L2 instructions for the
//! pairing processor, both 32-bit words.

mod error;
mod image;
mod inst;
pub mod rows;
mod word;

pub use error::{AsmError, IsaError};
pub use image::{Image, ImageError, LABEL_CHARACTERS, MEMORY_WORDS};
pub use inst::{
    Channel, Direction, Field, FwdPath, L1, L2, L2Op, Loc, LoopReg, Memory, Operand, Transform, VectorOp,
};
