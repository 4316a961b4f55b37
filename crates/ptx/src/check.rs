//! Static analysis of a kernel: basic blocks of its control flow, and the check that every carry that is read has been
//! written.

use crate::error::TextError;
use crate::program::{Instruction, Kernel};
use crate::table::Operation;
use core::ops::Range;

/// A basic block: instructions that are executed one after the other, and the blocks that can follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Block {
    pub(crate) instructions: Range<usize>,
    pub(crate) next: Vec<usize>,
}

/// The basic blocks of a kernel in the order of its text.
pub(crate) fn blocks(body: &[Instruction]) -> Vec<Block> {
    let mut starts = vec![false; body.len() + 1];
    starts[0] = true;
    starts[body.len()] = true;
    for (at, instruction) in body.iter().enumerate() {
        match instruction.operation {
            Operation::Branch => (starts[instruction.target], starts[at + 1]) = (true, true),
            Operation::Exit => starts[at + 1] = true,
            _ => {}
        }
    }
    let begins: Vec<usize> = (0..=body.len()).filter(|at| starts[*at]).collect();
    let block_at = |at: usize| begins.binary_search(&at).ok().filter(|block| *block + 1 < begins.len());
    begins
        .windows(2)
        .map(|pair| {
            let last = &body[pair[1] - 1];
            let (jumps, falls) = match last.operation {
                Operation::Branch => (block_at(last.target), last.guard.is_some()),
                Operation::Exit => (None, last.guard.is_some()),
                _ => (None, true),
            };
            let falls = if falls { block_at(pair[1]) } else { None };
            Block { instructions: pair[0]..pair[1], next: jumps.into_iter().chain(falls).collect() }
        })
        .collect()
}

/// Checks that every carry that is read was written in the same basic block by an unguarded instruction of the same
/// kind.
pub(crate) fn carries(kernel: &Kernel) -> Result<(), TextError> {
    for block in blocks(&kernel.body) {
        let mut left = None;
        for instruction in &kernel.body[block.instructions] {
            let Some(carry) = instruction.operation.carry() else { continue };
            if carry.reads && left != Some(carry.borrow) {
                return Err(TextError::Carry { line: instruction.line, kernel: kernel.name.clone() });
            }
            if carry.writes {
                left = instruction.guard.is_none().then_some(carry.borrow);
            }
        }
    }
    Ok(())
}
