//! Errors of words, instructions and program texts.

use thiserror::Error;

/// Why a word is no instruction, an instruction cannot be encoded, or a text is no program.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[non_exhaustive]
pub enum IsaError {
    /// An opcode without a row.
    #[error("{level} has no opcode {opcode:#x}")]
    Opcode {
        /// `L1` or `L2`.
        level: &'static str,
        /// The opcode found in the word.
        opcode: u32,
    },
    /// A value that is out of its field's range.
    #[error("{mnemonic}: {field} is {value}, it must be {min} to {max}")]
    Range {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The value that was given.
        value: u32,
        /// Smallest value allowed.
        min: u32,
        /// Largest value allowed.
        max: u32,
    },
    /// A value other than zero in a field that this instruction does not use, or in padding.
    #[error("{mnemonic}: {field} is {value:#x}, here it must be zero")]
    Reserved {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The value that was given.
        value: u32,
    },
    /// A transform whose length is no power of two.
    #[error("{mnemonic}: {length} points, a power of two is needed")]
    PowerOfTwo {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
        /// Length of the transform in points.
        length: u32,
    },
    /// A number of stages or rounds that contradicts the length.
    #[error("{mnemonic}: {field} is {value}, with this length it must be {must}")]
    Contradiction {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
        /// Name of the field.
        field: &'static str,
        /// The value that the field holds.
        value: u32,
        /// The value that follows from the length.
        must: u32,
    },
    /// Too many or too few operands.
    #[error("{mnemonic}: it takes {takes} operands")]
    Operands {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
        /// Number of operands that the operation takes.
        takes: usize,
    },
    /// `Fwd_idx` names an operand that the operation does not have.
    #[error("{mnemonic}: Fwd_idx is {index}, but it takes {takes} operands")]
    ForwardIndex {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
        /// The index that was given.
        index: u32,
        /// Number of operands that the operation takes.
        takes: usize,
    },
    /// A forwarded operand without a path, or a path without a forwarded operand.
    #[error("{mnemonic}: a forwarding path goes with a forwarded operand")]
    Path {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
    },
    /// Two operands over different paths.
    #[error("{mnemonic}: both operands are forwarded, they must take the same path")]
    TwoPaths {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
    },
    /// A destination of an operation that has no result.
    #[error("{mnemonic}: there is no result to write")]
    Destination {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
    },
    /// A word that ends its routine and also issues together with a next word.
    #[error("{mnemonic}: the last word of a routine has no next one to issue with")]
    LastWithNext {
        /// Mnemonic of the instruction.
        mnemonic: &'static str,
    },
    /// A character with which no token begins.
    #[error("`{0}` begins nothing")]
    Character(char),
    /// Another token than the expected one.
    #[error("expected {what}, found {found}")]
    Expected {
        /// Description of the tokens that are expected.
        what: &'static str,
        /// The token that was found.
        found: String,
    },
    /// Text that is not a number of 32 bits.
    #[error("`{0}` is not a number of 32 bits, decimal or hexadecimal")]
    Number(String),
    /// No such instruction at this level.
    #[error("{level} has no instruction `{name}`")]
    Mnemonic {
        /// `L1` or `L2`.
        level: &'static str,
        /// The name in the text.
        name: String,
    },
    /// No such directive.
    #[error("no directive `{0}`: there are .l1, .l2, .org and .word")]
    Directive(String),
    /// A word or label before `.l1` or `.l2`.
    #[error("neither .l1 nor .l2 was said yet")]
    NoSection,
    /// More words than the memory of this level has.
    #[error("{level} has 1024 words")]
    Full {
        /// `L1` or `L2`.
        level: &'static str,
    },
    /// `.org` with an address that is below the current one.
    #[error(".org {to}: address {at} is reached already")]
    Origin {
        /// The address that was asked for.
        to: u32,
        /// The next free address.
        at: usize,
    },
    /// A name that cannot be a label.
    #[error(
        "`{0}` is not a label: a letter or `_`, then letters, digits, `_` and `.`, 64 characters at most"
    )]
    LabelName(String),
    /// A label defined twice.
    #[error("label `{label}` stands in line {line} already")]
    LabelTwice {
        /// Name of the label.
        label: String,
        /// Line of the first definition, from 1.
        line: usize,
    },
    /// A label that is defined nowhere.
    #[error("{level} has no label `{label}`")]
    LabelMissing {
        /// `L1` or `L2`.
        level: &'static str,
        /// Name of the label.
        label: String,
    },
    /// A label after the last word.
    #[error("label `{0}` has no word behind it")]
    LabelEnd(String),
}

/// An error in a program text, with line and column.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
#[error("line {line}, column {column}: {why}")]
pub struct AsmError {
    /// Line, from 1.
    pub line: usize,
    /// Column in characters, from 1.
    pub column: usize,
    /// The error at this position.
    #[source]
    pub why: IsaError,
}
