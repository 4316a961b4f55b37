//! Errors of parsing a text.

use thiserror::Error;

/// Reasons why a text is refused, with the line.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum TextError {
    /// The interpreter does not support the instruction.
    #[error("line {line}: the instruction `{name}` is not among those that are interpreted")]
    Instruction {
        /// Line of the text.
        line: u32,
        /// Name of the instruction.
        name: String,
    },
    /// The interpreter does not support the directive.
    #[error("line {line}: the directive `{name}` is not among those that are understood")]
    Directive {
        /// Line of the text.
        line: u32,
        /// Text of the directive.
        name: String,
    },
    /// An unexpected token.
    #[error("line {line}: `{found}` stands where {wanted} is needed")]
    Token {
        /// Line of the text.
        line: u32,
        /// The token that was found.
        found: String,
        /// The token or kind of token that was expected.
        wanted: &'static str,
    },
    /// A register, label or symbol is not declared, or is of another kind.
    #[error("line {line}: `{name}` is no {wanted}")]
    Name {
        /// Line of the text.
        line: u32,
        /// The name in the text.
        name: String,
        /// The kind of name that was expected.
        wanted: &'static str,
    },
    /// A register may be read on a path on which nothing has written it.
    #[error("line {line}: kernel `{kernel}` reads a register that may not have been written")]
    Unwritten {
        /// Line of the first instruction that reads it.
        line: u32,
        /// Name of the kernel.
        kernel: String,
    },
    /// A carry is read that no earlier instruction has written, or the borrow of a difference is read as the carry of a
    /// sum or vice versa.
    #[error("line {line}: kernel `{kernel}` reads a carry that no matching instruction has left")]
    Carry {
        /// Line of the instruction that reads it.
        line: u32,
        /// Name of the kernel.
        kernel: String,
    },
    /// The text ends within a statement.
    #[error("the text ends within a statement")]
    End,
}
