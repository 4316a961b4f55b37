//! A decoder for the WebAssembly instructions that circom writes.

use crate::bytes::Bytes;

/// An instruction with its immediate operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Instruction {
    /// An operation without immediate operands, or whose operands are skipped: its opcode.
    Plain(u8),
    /// An operation on a local, a global, a label or a block: its opcode, and the index or type.
    Index(u8, i64),
    /// A load or a store: its opcode, and the offset.
    Memory(u8, usize),
    /// A call of the function with this index.
    Call(usize),
    /// A 32-bit constant.
    I32(i64),
    /// A 64-bit constant.
    I64(i64),
}

impl Instruction {
    /// Decodes the next instruction; `None` at the end, and for instructions that circom does not write.
    pub(super) fn read(code: &mut Bytes<'_>) -> Option<Self> {
        let operation = code.byte()?;
        Some(match operation {
            // unreachable, nop, else, end, return, drop, select, comparisons and arithmetic
            0x00 | 0x01 | 0x05 | 0x0b | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 => Self::Plain(operation),
            // block, loop, if
            0x02..=0x04 => Self::Index(operation, code.signed()?),
            // br, br_if, and accesses to locals and globals
            0x0c | 0x0d | 0x20..=0x24 => Self::Index(operation, i64::try_from(code.number()?).ok()?),
            // br_table
            0x0e => {
                for _ in 0..code.number()?.checked_add(1)? {
                    let _ = code.number()?;
                }
                Self::Plain(operation)
            }
            0x10 => Self::Call(code.number()?),
            // call_indirect: the callee is in a table.
            0x11 => {
                let _ = (code.number()?, code.number()?);
                Self::Plain(operation)
            }
            // loads and stores: the alignment is only a hint.
            0x28..=0x3e => {
                let _ = code.number()?;
                Self::Memory(operation, code.number()?)
            }
            // memory.size, memory.grow
            0x3f | 0x40 => {
                let _ = code.byte()?;
                Self::Plain(operation)
            }
            0x41 => Self::I32(code.signed()?),
            0x42 => Self::I64(code.signed()?),
            _ => return None,
        })
    }
}

/// Skips the locals of a body, and passes count and type of each group to `group`.
pub(super) fn locals(body: &mut Bytes<'_>, mut group: impl FnMut(usize, u8)) -> Option<()> {
    for _ in 0..body.number()? {
        group(body.number()?, body.byte()?);
    }
    Some(())
}
