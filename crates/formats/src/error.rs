//! The errors of reading and writing files: one enum, whose messages state the position of the fault.

use crate::{CurveId, FileName, FilePlace, Spot};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use pairwright_poly::SourceError;
#[cfg(feature = "std")]
use pairwright_protocols::groth16::PowersFault;
use pairwright_protocols::plonkish::{Element, PointFault};
#[cfg(feature = "std")]
use std::io;
use thiserror::Error;

/// Why a file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    // ---- the file itself ----
    /// An operation of the operating system on a file failed.
    #[cfg(feature = "std")]
    #[error("{}: cannot {doing}: {source}", .file)]
    Io {
        /// Path of the file concerned.
        file: FileName,
        /// The operation that failed, as a verb.
        doing: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The operating system failed to write to an output.
    #[cfg(feature = "std")]
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// A device operator failed whose result is needed to read or write the file.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A file encrypted with age is malformed or was changed.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Age(#[from] crate::AgeError),
    /// The file is larger than a file of its kind can be, or than the largest size that is read into memory.
    #[error("{}: more than {most} bytes: too large for {what}", .file)]
    TooLarge {
        /// Path of the file concerned.
        file: FileName,
        /// Name of the kind of file.
        what: &'static str,
        /// Largest allowed size in bytes.
        most: u64,
    },
    /// The first bytes are not those of a supported format.
    #[error("{at}: neither an r1cs, wtns, zkey or ptau file nor JSON of snarkjs; begins with \"{}\"", .found.escape_ascii())]
    UnknownKind {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The first bytes of the file.
        found: Vec<u8>,
    },
    /// A line of a `.sym` file that does not name a signal.
    #[error("{at}: line {line} is not LABEL,WIRE,COMPONENT,NAME")]
    SymLine {
        /// The file as a whole.
        at: FilePlace,
        /// Number of the line, from 1.
        line: u64,
    },
    /// An item of a trusted setup is missing or has another form than required.
    #[error("{at}: expected {expected}")]
    SetupLine {
        /// Position of the line or of the member.
        at: FilePlace,
        /// Description of the item that belongs there.
        expected: &'static str,
    },
    /// An item of a trusted setup is not the encoding of a point.
    #[error("{at}: {why}")]
    SetupPoint {
        /// Position of the line or of the member.
        at: FilePlace,
        /// Why the bytes do not encode a point.
        why: PointError,
    },
    // ---- the container ----
    /// The file does not begin with the magic bytes of its format.
    #[error("{at}: expected the magic bytes \"{expected}\", found \"{}\"", .found.escape_ascii())]
    Magic {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The four magic bytes of the format.
        expected: &'static str,
        /// The first four bytes of the file.
        found: [u8; 4],
    },
    /// The file has another version of the format than the supported one.
    #[error("{at}: expected version {expected}, found {found}")]
    Version {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The version that is supported.
        expected: u32,
        /// The version number in the file.
        found: u32,
    },
    /// The section or the file ends before the item that was being read.
    #[error("{at}: {what} takes {needed} bytes, {left} are left")]
    Truncated {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Name of the item that was being read.
        what: &'static str,
        /// Number of bytes that the item takes.
        needed: u64,
        /// Number of bytes that are left.
        left: u64,
    },
    /// The header declares more sections than fit into the file, or than any format has.
    #[error("{at}: {declared} sections declared, there can be {room} at most")]
    TooManySections {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Number of sections according to the header.
        declared: u32,
        /// Largest possible number of sections.
        room: u64,
    },
    /// A section is longer than the rest of the file.
    #[error("{at}: a section of {size} bytes declared, {left} are left in the file")]
    SectionPastEnd {
        /// Position at which the section begins.
        at: FilePlace,
        /// The declared size of the section in bytes.
        size: u64,
        /// Number of bytes that are left in the file.
        left: u64,
    },
    /// The file has two sections of one type.
    #[error("{at}: a second section of this type, the first begins at offset {first}")]
    DuplicateSection {
        /// Position at which the second section begins.
        at: FilePlace,
        /// Offset of the first such section, in bytes from the start of the file.
        first: u64,
    },
    /// A section that the format requires is missing.
    #[error("{}: section {id} ({name}) is missing", .file)]
    MissingSection {
        /// Path of the file concerned.
        file: FileName,
        /// The section's type number.
        id: u32,
        /// The section's name.
        name: &'static str,
    },
    /// A section's size does not fit the header's counts or the format.
    #[error("{at}: expected {expected} bytes, found {found}")]
    SectionSize {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The size in bytes that follows from the header's counts or from the format.
        expected: u64,
        /// The length that the section declares, in bytes.
        found: u64,
    },
    /// Bytes follow the last section.
    #[error("{at}: {extra} bytes after the last section")]
    TrailingBytes {
        /// Position of the first surplus byte.
        at: FilePlace,
        /// Number of surplus bytes.
        extra: u64,
    },
    /// While writing: a section had another length than announced, so the data source changed in between.
    #[error("section {id}: {announced} bytes announced, {left} of them missing or in excess")]
    Unsteady {
        /// The section's type number.
        id: u32,
        /// The announced size in bytes.
        announced: u64,
        /// Number of bytes that are missing or in excess.
        left: u64,
    },
    /// While writing: points that were stored in a temporary file are not valid points when they are read back.
    #[error("section {id}: its points were put aside, and what is read back is damaged")]
    Spool {
        /// The type of the section that the points belong to.
        id: u32,
    },
    /// While writing: there are more elements than the format's counts can express.
    #[error("{count} {what} do not fit a file of this format")]
    TooMany {
        /// Name of the items that were counted, in the plural.
        what: &'static str,
        /// Number of such items.
        count: usize,
    },
    // ---- fields and curves ----
    /// The file declares field elements of another width than those of the expected field.
    #[error("{at}: expected {expected} bytes per element of {field}, found {found}")]
    ElementSize {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Name of the field that the elements belong to.
        field: &'static str,
        /// Width of an element of this field, in bytes.
        expected: u64,
        /// Width of an element that the file declares, in bytes.
        found: u64,
    },
    /// The prime in the file is not a prime of any supported curve.
    #[error("{at}: {prime} is not a prime of {}", CurveId::names())]
    UnknownPrime {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The prime in hexadecimal.
        prime: String,
    },
    /// The prime is known, but it is not the prime of this role of a supported curve.
    #[error("{at}: this is the prime of {name}; the {role} prime of {} is needed", CurveId::names())]
    OtherPrime {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The name of the prime: circom's name, the field of a curve, or both.
        name: String,
        /// The role that the prime should have at this position of the file: `scalar` or `base`.
        role: &'static str,
    },
    /// The file is for a curve without security that only tests use.
    #[error("{at}: {curve} is a test fixture that has no security: no file is read for it")]
    NoSecurity {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The fixture's name.
        curve: &'static str,
    },
    /// The file names a curve that is not supported.
    #[error("{at}: expected the curve {}, found \"{found}\"", CurveId::names())]
    UnknownCurve {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The curve name found in the file.
        found: String,
    },
    /// The file is for another curve than the expected one.
    #[error("{at}: expected {expected}, the file is for {found}")]
    WrongCurve {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Curve or field that was expected.
        expected: &'static str,
        /// The curve that the file is for.
        found: CurveId,
    },
    /// A field element is not below its modulus.
    #[error("{at}: element {index} is not below the modulus of {field}")]
    NotReduced {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the element in its section or list, from zero.
        index: u64,
        /// Name of the field that the element belongs to.
        field: &'static str,
    },
    /// The coordinates of a point do not satisfy the curve's equation.
    #[error("{at}: point {index} is not on the curve {group}")]
    OffCurve {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the element in its section or list, from zero.
        index: u64,
        /// Name of the group that the point belongs to.
        group: &'static str,
    },
    /// A point is on the curve but outside of the prime-order subgroup.
    #[error("{at}: point {index} is on the curve but outside of the prime-order subgroup {group}")]
    WrongSubgroup {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the element in its section or list, from zero.
        index: u64,
        /// Name of the group that the point belongs to.
        group: &'static str,
    },
    /// A point of a key is infinity where this makes the key insecure or useless.
    #[error("{at}: the point {what} of a key is infinity")]
    Infinity {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Name of the point within the key.
        what: &'static str,
    },

    // ---- counts ----
    /// A count in a header exceeds the number of items that its section has room for.
    #[error("{at}: {declared} {what} declared, there is room for {room} at most")]
    Count {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Name of the items that were counted, in the plural.
        what: &'static str,
        /// The count according to the header.
        declared: u64,
        /// Largest count that the section's size allows.
        room: u64,
    },
    /// The file declares fewer wires than the constant one, the inputs and the outputs need.
    #[error("{at}: {wires} wires cannot hold the constant one and {inputs} inputs and outputs")]
    TooFewWires {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Number of wires that the file declares.
        wires: u64,
        /// Number of inputs and outputs.
        inputs: u64,
    },
    /// The size of a domain is not a power of two, is too small for the public rows or too large for the field.
    #[error("{at}: a domain of {found} points, expected a power of two from {least} to {most}")]
    DomainSize {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Number of points of the domain that the file declares.
        found: u64,
        /// Smallest number of points that is allowed.
        least: u64,
        /// Largest number of points that is allowed.
        most: u64,
    },
    /// There are more powers of tau than the scalar field has roots of unity for.
    #[error("{at}: powers of tau of 2^{found}, there can be 2^{most} at most")]
    Power {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Base-2 logarithm of the number of powers in the file.
        found: u32,
        /// Largest such logarithm that is allowed.
        most: u32,
    },
    /// The root of unity of a key is not the one that circom uses for the domain.
    #[error("{at}: not the root of unity for a domain of 2^{power} points")]
    RootOfUnity {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Base-2 logarithm of the number of points of the domain.
        power: u32,
    },
    /// The file is an fflonk file for a curve that fflonk does not support.
    #[error("{at}: fflonk is on bn128 alone, the file is for {curve}")]
    NoFflonk {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The curve that the file is for.
        curve: String,
    },
    /// A coefficient of C0 does not follow from the key's selector and permutation polynomials.
    #[error("{at}: coefficient {index} is not that of the selectors and the permutation")]
    OtherC0 {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the coefficient in its section, from zero.
        index: u64,
    },
    /// A constraint or coefficient refers to a wire that does not exist.
    #[error("{at}: entry {index} names wire {wire} of {wires}")]
    NoSuchWire {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the constraint or coefficient, from zero.
        index: u64,
        /// Index of the wire that the entry names.
        wire: u32,
        /// Number of wires.
        wires: u64,
    },
    /// A coefficient refers to a row beyond the domain.
    #[error("{at}: coefficient {index} names row {row} of {rows}")]
    NoSuchRow {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the coefficient, from zero.
        index: u64,
        /// Index of the row that the coefficient names.
        row: u32,
        /// Number of rows.
        rows: u64,
    },
    /// A coefficient belongs to a matrix other than A (0) and B (1).
    #[error("{at}: coefficient {index} names matrix {matrix}, expected 0 or 1")]
    NoSuchMatrix {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the coefficient, from zero.
        index: u64,
        /// Index of the matrix that the coefficient names.
        matrix: u32,
    },
    /// A requested range goes beyond the elements of a source.
    #[error("{at}: elements {start}..{end} asked for, there are {len}")]
    OutOfRange {
        /// Position of the source in its file.
        at: FilePlace,
        /// Index of the first element that was asked for.
        start: usize,
        /// Index after the last element that was asked for.
        end: usize,
        /// Number of elements of the source.
        len: usize,
    },

    // ---- meaning ----
    /// The file belongs to another proof system than the expected one.
    #[error("{at}: expected protocol {expected}, found {found}")]
    Protocol {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The protocol that was expected.
        expected: &'static str,
        /// Name of the protocol found in the file.
        found: String,
    },
    /// The circuit uses custom gates, whose meaning its rank-1 constraints do not express.
    #[error("{at}: the circuit uses custom gates, which rank-1 constraints do not express")]
    CustomGates {
        /// Position of the fault in the file.
        at: FilePlace,
    },
    /// The first value of a witness is not the constant one.
    #[error("{at}: the witness does not begin with the constant one")]
    NotOne {
        /// Position of the fault in the file.
        at: FilePlace,
    },
    /// The number of witness values is not the number of wires, so the witness belongs to another circuit.
    #[error("{at}: the witness has {found} values, {} has {wires} wires", .other)]
    WitnessLength {
        /// Position of the witness in its file.
        at: FilePlace,
        /// Number of values in the witness.
        found: usize,
        /// The circuit's or key's file.
        other: FileName,
        /// Number of wires that the other file declares.
        wires: usize,
    },

    // ---- JSON ----
    /// The text is not JSON or not of the expected form; the message has line and column.
    #[error("{}: {source}", .file)]
    Json {
        /// Path of the file concerned.
        file: FileName,
        /// The error of the JSON parser.
        source: serde_json::Error,
    },
    /// A list has the wrong length.
    #[error("{at}: expected {expected} elements, found {found}")]
    ArrayLength {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Number of elements that the format requires.
        expected: usize,
        /// Number of elements found in the array.
        found: usize,
    },
    /// A string contains a character that is not a decimal digit.
    #[error("{at}: expected a string of decimal digits, the character at {position} is not a digit")]
    NotDecimal {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the offending character, from zero.
        position: usize,
    },
    /// The projective coordinates of a point are not normalised.
    #[error("{at}: the last coordinate of a point must be 1, or 0 in [0, 1, 0]")]
    NotAffine {
        /// Position of the fault in the file.
        at: FilePlace,
    },
    /// `nPublic` does not match the length of `IC`, which has one point more.
    #[error("{at}: {declared} public values declared, IC has {ic} points for the constant one and {}", .ic.saturating_sub(1))]
    PublicCount {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The value of `nPublic` in the file.
        declared: u64,
        /// Number of points of `IC`.
        ic: u64,
    },

    /// Powers of tau that should be prepared for phase 2 are prepared already.
    #[error("{file}: these powers of tau are prepared for phase 2 already")]
    Prepared {
        /// Path of the file concerned.
        file: FileName,
    },
    /// The number of powers is below 2^1 or exceeds the largest domain of the curve.
    #[error("powers of tau of 2^{found}: a ceremony has from 2^1 to 2^{most}")]
    NoSuchPower {
        /// Base-2 logarithm of the number of powers.
        found: u32,
        /// Largest such logarithm that is allowed.
        most: u32,
    },
    /// Powers of tau cannot be truncated to the requested number, which is 2^0 or not below the present one.
    #[error("{file}: 2^{power} powers of tau cannot be cut down to 2^{found}")]
    NotFewer {
        /// Path of the file concerned.
        file: FileName,
        /// Base-2 logarithm of the requested number of powers.
        found: u32,
        /// Base-2 logarithm of the number of powers in the file.
        power: u32,
    },
    /// No contribution is possible: the file has only some of the ceremony's powers of tau.
    #[error("{file}: 2^{power} powers of a ceremony of 2^{ceremony}: contributions need all of them")]
    ReducedPowers {
        /// Path of the file concerned.
        file: FileName,
        /// Base-2 logarithm of the number of powers in the file.
        power: u32,
        /// Base-2 logarithm of the number of powers in the ceremony.
        ceremony: u32,
    },
    /// The powers of tau do not have the hash that the last contribution recorded.
    #[error("{file}: the hash of these powers is not the one that the last contribution recorded")]
    OtherPowers {
        /// Path of the file concerned.
        file: FileName,
    },
    /// The size of the file is not the size of a challenge of any ceremony.
    #[error("{file}: no ceremony on {curve} has a challenge of {size} bytes")]
    NoChallenge {
        /// Path of the file concerned.
        file: FileName,
        /// Size of the file in bytes.
        size: u64,
        /// The curve of the ceremony.
        curve: &'static str,
    },
    /// Contributions to this key make no sense: it does not come from a ceremony.
    #[error(
        "{file}: a key without a circuit's hash, of which all secrets were drawn in one place: contributions are of no use"
    )]
    NoCeremony {
        /// Path of the key.
        file: FileName,
    },
    /// The secret of a contribution is zero.
    #[error("a contribution of zero would destroy the key")]
    ZeroSecret,
    /// The record of a contribution is malformed.
    #[error("{at}: the record of a contribution is spoilt: {why}")]
    Record {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Description of the fault.
        why: &'static str,
    },
    /// Powers of tau cannot be prepared for phase 2.
    #[cfg(feature = "std")]
    #[error("{file}: {why}")]
    Powers {
        /// Path of the file concerned.
        file: FileName,
        /// Description of the fault of its points.
        why: PowersFault,
    },
    /// While writing: the data to be written could not be read from its source.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl FormatError {
    /// Whether this error means that a *proof* is wrong although its file is well-formed: one of its points is off the curve or
    /// outside of the subgroup. A program may report such a proof as rejected rather than as unreadable.
    pub fn is_rejection(&self) -> bool {
        let (Self::OffCurve { at, .. } | Self::WrongSubgroup { at, .. }) = self else { return false };
        let plonk = |path: &str| Element::OF_PROOF.iter().any(|element| element.name() == path);
        let other = |path: &str| path.starts_with("pi_") || path.starts_with("polynomials.");
        matches!(&at.spot, Spot::Member(path) if other(path) || plonk(path))
    }

    /// The error for a faulty point named `what`, with its index in its section or document and the name of its group.
    pub(crate) fn point(why: PointFault, at: FilePlace, of: (u64, &'static str), what: &'static str) -> Self {
        let (index, group) = of;
        match why {
            PointFault::OffCurve => Self::OffCurve { at, index, group },
            PointFault::WrongSubgroup => Self::WrongSubgroup { at, index, group },
            PointFault::Infinity => Self::Infinity { at, what },
        }
    }

    /// Wraps this error as the error of a source of elements.
    #[cfg(feature = "std")]
    pub(crate) fn boxed(self) -> SourceError {
        SourceError(alloc::boxed::Box::new(self))
    }
}
