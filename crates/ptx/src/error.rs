//! Reasons why a text is refused.

use thiserror::Error;

/// Reasons why a text is refused, with its line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextError {
    /// The interpreter does not know the instruction.
    #[error("line {line}: the instruction `{name}` is not among those that are interpreted")]
    Instruction {
        /// Line of the text.
        line: u32,
        /// Name of the instruction.
        name: String,
    },
    /// The interpreter does not know the directive.
    #[error("line {line}: the directive `{name}` is not among those that are understood")]
    Directive {
        /// Line of the text.
        line: u32,
        /// Text of the directive.
        name: String,
    },
    /// Another token stands where a certain one is needed.
    #[error("line {line}: `{found}` stands where {wanted} is needed")]
    Token {
        /// Line of the text.
        line: u32,
        /// The token that stands there.
        found: String,
        /// What is needed.
        wanted: &'static str,
    },
    /// A register, label or symbol is not declared, or is of another kind.
    #[error("line {line}: `{name}` is no {wanted}")]
    Name {
        /// Line of the text.
        line: u32,
        /// Name that stands there.
        name: String,
        /// What it should be.
        wanted: &'static str,
    },
    /// A register is read on a way on which nothing has written it.
    #[error("line {line}: kernel `{kernel}` reads a register that may not have been written")]
    Unwritten {
        /// Line of the first instruction that reads it.
        line: u32,
        /// Name of the kernel.
        kernel: String,
    },
    /// A carry is read that no instruction before has left, or one of a difference for that of a sum.
    #[error("line {line}: kernel `{kernel}` reads a carry that no matching instruction has left")]
    Carry {
        /// Line of the instruction that reads it.
        line: u32,
        /// Name of the kernel.
        kernel: String,
    },
    /// The text has no end.
    #[error("the text ends within a statement")]
    End,
}
