//! The error types of attribute-based encryption, and of encodings, policies and attributes.

use alloc::string::String;
use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use thiserror::Error;

/// The largest number of bytes of a part with a length field of two bytes.
pub(super) const MOST: usize = 0xffff;

/// Why a setup, derivation, encryption, decryption or decoding failed.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AbeError {
    /// Bytes are not a valid encoding.
    #[error("{what}, {field} at byte {offset}: {fault}")]
    Bytes {
        /// Name of the value that was read, such as a public key.
        what: &'static str,
        /// Name of the part at fault.
        field: &'static str,
        /// Offset of the fault from the first byte of the whole encoding.
        offset: usize,
        /// The fault at that offset.
        fault: EncodingFault,
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
        /// Largest number of bytes that fit.
        most: usize,
    },
    /// The attributes do not satisfy the policy.
    #[error("the attributes do not satisfy the policy")]
    Unsatisfied,
    /// The key is of another system, or the ciphertext or the key was changed.
    #[error("the key does not open the ciphertext: it is of another system, or one of the two was changed")]
    Rejected,
    /// The matrix that a setup drew has a zero pivot in the elimination, which happens with probability about 2^-253.
    #[error("the drawn matrix has no inverse; draw again")]
    Singular,
    /// An operator failed.
    #[error(transparent)]
    Device(#[from] DeviceError),
}

/// The fault in a part of an encoding.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EncodingFault {
    /// There are fewer bytes than the part takes.
    #[error("{needed} bytes are needed, {left} are left")]
    Short {
        /// Number of bytes that the part takes.
        needed: usize,
        /// Number of bytes that are left.
        left: usize,
    },
    /// There are bytes after the end of a part.
    #[error("{left} bytes too many")]
    Trailing {
        /// Number of bytes that are left.
        left: usize,
    },
    /// A part of fixed length has another length.
    #[error("{found} bytes, not {expected}")]
    Length {
        /// Number of bytes of the part.
        expected: usize,
        /// Number of bytes that were found.
        found: usize,
    },
    /// A matrix does not have the required numbers of rows and columns.
    #[error("a matrix of {} by {}, not of {} by {}", .found[0], .found[1], .expected[0], .expected[1])]
    Shape {
        /// The required numbers of rows and columns.
        expected: [usize; 2],
        /// The numbers of rows and columns in the encoding.
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
    /// The number of parts is not the one that other parts imply.
    #[error("{found} parts, not {expected}")]
    Count {
        /// The number that other parts imply.
        expected: usize,
        /// The number in the encoding.
        found: usize,
    },
    /// A flag is neither 0 nor 1.
    #[error("the flag is {0}, neither 0 nor 1")]
    Flag(u8),
    /// A name is empty or not valid UTF-8, or not a word where a word is required.
    #[error("not a name")]
    Name,
    /// The names are not in strictly ascending order.
    #[error("the names are not in ascending order")]
    Order,
    /// The names are not those of the attributes.
    #[error("the names are not those of the attributes")]
    Names,
    /// The name is reserved for the transform of Boneh and Katz, which makes ciphertexts non-malleable.
    #[error("the name is reserved")]
    Reserved,
    /// A key does not have the reserved attribute of the transform of Boneh and Katz with every value.
    #[error("the reserved attribute is missing or has a value")]
    NoReserved,
    /// The integer beside a value is not the value's hash.
    #[error("the integer is not the hash of the value beside it")]
    Value,
    /// The integer of an attribute with every value is not zero.
    #[error("an attribute with every value has a value")]
    WildValue,
    /// The gates of a formula are not a tree whose leaves are the literals.
    #[error("the gates do not form a tree over the literals")]
    Formula,
    /// The first bytes are not those of a known version.
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
    /// A name is not a word, so that it cannot occur in a policy.
    #[error("`{0}` is no name of an attribute: names consist of letters, digits and underscores")]
    Name(String),
    /// An attribute has no value.
    #[error("the attribute {0} has no value; * stands for every value")]
    NoValue(String),
    /// Two attributes have one name.
    #[error("the attribute {0} is there twice")]
    Twice(String),
    /// A text is not of the form `name: value`.
    #[error("`{0}` is not a name and a value, which are like `role: admin`")]
    Text(String),
    /// The attributes do not fit the length field of a key.
    #[error("{found} bytes of attributes, at most {most} fit into a key")]
    TooMany {
        /// Number of bytes of the attributes' encoding.
        found: usize,
        /// Largest number of bytes that fit.
        most: usize,
    },
}

/// The largest depth of nested parentheses and `not`, where the whole policy counts as one level.
pub const MOST_NESTED: usize = 64;

/// Why a text is not a policy, and the position of the error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("policy, line {line}, column {column}: {fault}")]
pub struct PolicyError {
    /// The line, counted from 1.
    pub line: usize,
    /// The column, in characters, counted from 1.
    pub column: usize,
    /// The fault at that position.
    pub fault: PolicyFault,
}

/// The fault at a position in the text of a policy. A `String` describes the token that was found.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PolicyFault {
    /// The character does not occur in policies.
    #[error("the character {0:?} has no place in a policy")]
    Character(char),
    /// A name, a `not` or a parenthesis is missing.
    #[error("`name: value`, `not` or `(` is expected, not {0}")]
    Literal(String),
    /// A colon is missing after a name.
    #[error("`:` is expected behind the name of an attribute, not {0}")]
    Colon(String),
    /// A value is missing after a colon.
    #[error("a value is expected, not {0}: letters, digits and underscores")]
    Value(String),
    /// There is text after the end of the policy.
    #[error("`and`, `or` or the end is expected, not {0}")]
    End(String),
    /// A parenthesis is not closed.
    #[error("`)` is expected, not {0}")]
    Open(String),
    /// Parentheses and `not` are nested too deeply, see [`MOST_NESTED`].
    #[error("more than {MOST_NESTED} parentheses and `not` within each other")]
    Nested,
    /// The policy does not fit its length field in a ciphertext.
    #[error("the policy is too long: more than {MOST} bytes up to here")]
    Long,
}
