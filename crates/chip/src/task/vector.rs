//! Vector operations of any length, in pieces that fit the banks (\[CP\] §III.B: Banks_C hold the second operand).

use super::{Build, Schedule, Walk};
use crate::isa::{L1, Memory, VectorOp};
use pairwright_field::PrimeField;
use pairwright_sim::Access;

/// Entries of a piece: Banks_A and Banks_C of a set hold 1,024 each.
const PIECE: u64 = 1024;

/// One step of a chain on the vector in Banks_A.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VectorStep {
    /// The operation: products, sums or differences.
    pub op: VectorOp,
    /// Number of the region of the other operand.
    pub operand: usize,
}

/// Appends `output[i] <- (input[i] op operand[i]) op …` to a task, for `entries` entries. Every piece is loaded and stored
/// once, for any number of steps. `output` may be the input's region.
pub fn append<F: PrimeField>(
    build: &mut Build<F>,
    entries: u64,
    schedule: Schedule,
    input: usize,
    steps: &[VectorStep],
    output: usize,
) {
    let load = build.stream(input, Walk::linear(Access::Read, 1, entries));
    let operands: Vec<(VectorOp, u8)> = steps
        .iter()
        .map(|s| (s.op, build.stream(s.operand, Walk::linear(Access::Read, 1, entries))))
        .collect();
    let store = build.stream(output, Walk::linear(Access::Write, 1, entries));
    build.pieces(entries, PIECE, schedule, |text, length, src| {
        text.push(L1::Load { memory: Memory::A, length, src, stream: load });
        for (op, stream) in &operands {
            text.push(L1::Load { memory: Memory::C, length, src, stream: *stream });
            text.push(L1::Vector { op: *op, length, src });
        }
        text.push(L1::Store { memory: Memory::A, length, src, stream: store });
    });
}
