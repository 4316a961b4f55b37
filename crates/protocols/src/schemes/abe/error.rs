//! What can be wrong with bytes, policies and attributes.

use alloc::string::String;
use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// Most bytes that a part with a length of two bytes can have.
pub(super) const MOST: usize = 0xffff;

/// Why nothing was set up, derived, encrypted, decrypted or read.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AbeError {
    /// Bytes are not what they should be.
    #[error("{what}, {field} at byte {offset}: {fault}")]
    Bytes {
        /// What was read: a public key, a ciphertext.
        what: &'static str,
        /// The part of it.
        field: &'static str,
        /// Where that part begins, from the first byte of the whole.
        offset: usize,
        /// What is wrong there.
        fault: Fault,
    },
    /// A text is not a policy.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A set of attributes cannot be made.
    #[error(transparent)]
    Attribute(#[from] AttributeError),
    /// A message does not fit the length field of a ciphertext.
    #[error("a message of {found} bytes, at most {most} fit")]
    Message {
        /// Number of bytes that were given.
        found: usize,
        /// Number of bytes that fit.
        most: usize,
    },
    /// The attributes do not satisfy the policy.
    #[error("the attributes do not satisfy the policy")]
    Unsatisfied,
    /// The key is of another system, or the ciphertext or the key was changed.
    #[error("the key does not open the ciphertext: it is of another system, or one of the two was changed")]
    Rejected,
    /// The matrix that a setup drew has no inverse, which happens once in 2^255 times.
    #[error("the drawn matrix has no inverse; draw again")]
    Singular,
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// What is wrong with a part of some bytes.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum Fault {
    /// There are fewer bytes than the part takes.
    #[error("{needed} bytes are needed, {left} are left")]
    Short {
        /// Bytes that the part takes.
        needed: usize,
        /// Bytes that are left.
        left: usize,
    },
    /// Something follows where nothing should.
    #[error("{left} bytes too many")]
    Trailing {
        /// Bytes that are left.
        left: usize,
    },
    /// A part has another length than it always has.
    #[error("{found} bytes, not {expected}")]
    Length {
        /// Bytes that the part always has.
        expected: usize,
        /// Bytes that it has here.
        found: usize,
    },
    /// A matrix has another shape.
    #[error("a matrix of {} by {}, not of {} by {}", .found[0], .found[1], .expected[0], .expected[1])]
    Shape {
        /// Rows and columns that it should have.
        expected: [usize; 2],
        /// Rows and columns that its header says.
        found: [usize; 2],
    },
    /// The bytes are not a point of the subgroup.
    #[error(transparent)]
    Point(#[from] PointError),
    /// The bytes are not an integer below the group order.
    #[error("not an integer below the group order")]
    Scalar,
    /// The bytes are not an element of the target group.
    #[error("not an element of the target group")]
    Target,
    /// The number of parts is not the one that follows from other parts.
    #[error("{found} parts, not {expected}")]
    Count {
        /// The number that follows from other parts.
        expected: usize,
        /// The number that is said here.
        found: usize,
    },
    /// A flag is neither 0 nor 1.
    #[error("the flag is {0}, neither 0 nor 1")]
    Flag(u8),
    /// A name is not a text in UTF-8, or empty.
    #[error("not a name")]
    Name,
    /// The names are not in ascending order, each once.
    #[error("the names are not in ascending order")]
    Order,
    /// The names are not those of the attributes.
    #[error("the names are not those of the attributes")]
    Names,
    /// The name is kept for the transform that makes ciphertexts unchangeable.
    #[error("the name is reserved")]
    Reserved,
    /// A key has no attribute for the transform that makes ciphertexts unchangeable.
    #[error("the reserved attribute is missing or has a value")]
    NoReserved,
    /// The integer of a value is not the value's hash.
    #[error("the integer is not the hash of the value beside it")]
    Value,
    /// The value of an attribute that stands for every value is not zero.
    #[error("an attribute with every value has a value")]
    WildValue,
    /// The gates of a formula are not a tree whose leaves are the literals.
    #[error("the gates do not form a tree over the literals")]
    Formula,
    /// The bytes begin as no known version does.
    #[error("not a ciphertext, or one of a version that is not known")]
    Version,
}

/// Why a set of attributes cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum AttributeError {
    /// An attribute has no name.
    #[error("an attribute without a name")]
    NoName,
    /// A name is not one that policies can speak of.
    #[error("`{0}` is no name of an attribute: names consist of letters, digits and underscores")]
    Name(String),
    /// An attribute has no value.
    #[error("the attribute {0} has no value; * stands for every value")]
    NoValue(String),
    /// Two attributes have one name.
    #[error("the attribute {0} is there twice")]
    Twice(String),
    /// A text is not a name and a value.
    #[error("`{0}` is not a name and a value, which are like `role: admin`")]
    Text(String),
    /// The attributes do not fit the length field of a key.
    #[error("{found} bytes of attributes, at most {most} fit into a key")]
    TooMany {
        /// Bytes that they take.
        found: usize,
        /// Bytes that fit.
        most: usize,
    },
}

/// How deeply parentheses and `not` may stand within each other, the whole policy counted as one.
pub const MOST_NESTED: usize = 64;

/// Why a text is not a policy, and where.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("policy, line {line}, column {column}: {fault}")]
pub struct PolicyError {
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// What is wrong there.
    pub fault: PolicyFault,
}

/// What is wrong at a place of a policy.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyFault {
    /// A character that is none of a policy.
    #[error("the character {0:?} has no place in a policy")]
    Character(char),
    /// A name, a `not` or a parenthesis is missing.
    #[error("`name: value`, `not` or `(` is expected, not {0}")]
    Literal(String),
    /// A colon is missing behind a name.
    #[error("`:` is expected behind the name of an attribute, not {0}")]
    Colon(String),
    /// A value is missing behind a colon.
    #[error("a value is expected, not {0}: letters, digits and underscores")]
    Value(String),
    /// Something follows a policy that is complete.
    #[error("`and`, `or` or the end is expected, not {0}")]
    End(String),
    /// A parenthesis is not closed.
    #[error("`)` is expected, not {0}")]
    Open(String),
    /// Parentheses and `not` stand within each other too often.
    #[error("more than {MOST_NESTED} parentheses and `not` within each other")]
    Nested,
    /// The policy does not fit its length field in a ciphertext.
    #[error("the policy is too long: more than {MOST} bytes up to here")]
    Long,
}
