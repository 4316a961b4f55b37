//! What can be wrong with a file: one enum, every message names the place.

use crate::{CurveId, FileName, FilePlace, Spot};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::encoding::PointError;
use pairwright_device::DeviceError;
use pairwright_poly::SourceError;
#[cfg(feature = "std")]
use pairwright_protocols::groth16::PowersFault;
use pairwright_protocols::plonkish::{Element, Fault};
#[cfg(feature = "std")]
use std::io;
use thiserror::Error;

/// Why a file could not be read or written.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum FormatError {
    // ---- the file itself ----
    /// The operating system refused.
    #[cfg(feature = "std")]
    #[error("{}: cannot {doing}: {source}", .file)]
    Io {
        /// Path of the file concerned.
        file: FileName,
        /// What was tried.
        doing: &'static str,
        /// What the system said.
        source: io::Error,
    },
    /// The operating system refused to take what was written.
    #[cfg(feature = "std")]
    #[error("cannot write: {0}")]
    Write(#[from] io::Error),
    /// An operator failed on which the contents of a file depend.
    #[error(transparent)]
    Device(#[from] DeviceError),
    /// A file of age is not what was encrypted.
    #[cfg(feature = "std")]
    #[error(transparent)]
    Age(#[from] crate::AgeError),
    /// Larger than a file of its kind can be, or than is read into memory.
    #[error("{}: more than {most} bytes: too large for {what}", .file)]
    TooLarge {
        /// Path of the file concerned.
        file: FileName,
        /// Name of the kind of file.
        what: &'static str,
        /// Most bytes that it can have.
        most: u64,
    },
    /// No format that is known here.
    #[error("{at}: neither an r1cs, wtns, zkey or ptau file nor JSON of snarkjs; begins with \"{}\"", .found.escape_ascii())]
    UnknownKind {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The first bytes.
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
    /// An item of a trusted setup is missing, or not what stands there.
    #[error("{at}: expected {expected}")]
    SetupLine {
        /// The line or the member.
        at: FilePlace,
        /// What stands there in such a file.
        expected: &'static str,
    },
    /// An item of a trusted setup encodes no point.
    #[error("{at}: {why}")]
    SetupPoint {
        /// The line or the member.
        at: FilePlace,
        /// What is wrong with its bytes.
        why: PointError,
    },
    // ---- the container ----
    /// The file does not begin as its format does.
    #[error("{at}: expected the magic bytes \"{expected}\", found \"{}\"", .found.escape_ascii())]
    Magic {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The four magic bytes of the format.
        expected: &'static str,
        /// The first four bytes of the file.
        found: [u8; 4],
    },
    /// Another version of the format.
    #[error("{at}: expected version {expected}, found {found}")]
    Version {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The version that is read here.
        expected: u32,
        /// The version number in the file.
        found: u32,
    },
    /// The bytes end too early.
    #[error("{at}: {what} takes {needed} bytes, {left} are left")]
    Truncated {
        /// Position of the fault in the file.
        at: FilePlace,
        /// What was being read.
        what: &'static str,
        /// Bytes it takes.
        needed: u64,
        /// Bytes there are.
        left: u64,
    },
    /// More sections declared than the file has room for, or than any format has.
    #[error("{at}: {declared} sections declared, there can be {room} at most")]
    TooManySections {
        /// Position of the fault in the file.
        at: FilePlace,
        /// By the header.
        declared: u32,
        /// Most there can be.
        room: u64,
    },
    /// A section is longer than the rest of the file.
    #[error("{at}: a section of {size} bytes declared, {left} are left in the file")]
    SectionPastEnd {
        /// Position at which the section begins.
        at: FilePlace,
        /// Its declared size.
        size: u64,
        /// Bytes there are.
        left: u64,
    },
    /// Two sections of one type.
    #[error("{at}: a second section of this type, the first begins at offset {first}")]
    DuplicateSection {
        /// Position at which the second section begins.
        at: FilePlace,
        /// Offset of the first such section, in bytes from the start of the file.
        first: u64,
    },
    /// A section that the format needs.
    #[error("{}: section {id} ({name}) is missing", .file)]
    MissingSection {
        /// Path of the file concerned.
        file: FileName,
        /// The section's type.
        id: u32,
        /// What it is called.
        name: &'static str,
    },
    /// A section's size does not fit the header's counts or the format.
    #[error("{at}: expected {expected} bytes, found {found}")]
    SectionSize {
        /// Position of the fault in the file.
        at: FilePlace,
        /// By the header or the format.
        expected: u64,
        /// The length that the section declares, in bytes.
        found: u64,
    },
    /// Bytes behind the last section.
    #[error("{at}: {extra} bytes after the last section")]
    TrailingBytes {
        /// Position of the first surplus byte.
        at: FilePlace,
        /// Number of surplus bytes.
        extra: u64,
    },
    /// While writing: a section turned out longer or shorter than announced, so its source changed meanwhile.
    #[error("section {id}: {announced} bytes announced, {left} of them missing or in excess")]
    Unsteady {
        /// The section's type.
        id: u32,
        /// Its announced size.
        announced: u64,
        /// How far off.
        left: u64,
    },
    /// While writing: points that were put into a file aside are no points when they are read back.
    #[error("section {id}: its points were put aside, and what is read back is damaged")]
    Spool {
        /// The type of the section that the points belong to.
        id: u32,
    },
    /// While writing: more elements than the format's counters hold.
    #[error("{count} {what} do not fit a file of this format")]
    TooMany {
        /// Name of the items that were counted, in the plural.
        what: &'static str,
        /// Number of such items.
        count: usize,
    },
    // ---- fields and curves ----
    /// Elements of an unexpected width.
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
    /// A prime of no curve that is known here.
    #[error("{at}: {prime} is not a prime of {}", CurveId::names())]
    UnknownPrime {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The prime in hexadecimal.
        prime: String,
    },
    /// A prime that is known, and not the one of a supported curve that belongs here.
    #[error("{at}: this is the prime of {name}; the {role} prime of {} is needed", CurveId::names())]
    OtherPrime {
        /// Position of the fault in the file.
        at: FilePlace,
        /// What the prime is of: circom's name, the field of a curve, or both.
        name: String,
        /// `scalar` or `base`, as the place in the file has it.
        role: &'static str,
    },
    /// A curve without security, which only tests use.
    #[error("{at}: {curve} is a test fixture that has no security: no file is read for it")]
    NoSecurity {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The fixture's name.
        curve: &'static str,
    },
    /// A curve name that is not known here.
    #[error("{at}: expected the curve {}, found \"{found}\"", CurveId::names())]
    UnknownCurve {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The curve name found in the file.
        found: String,
    },
    /// The file is for another curve.
    #[error("{at}: expected {expected}, the file is for {found}")]
    WrongCurve {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Curve or field that was asked for.
        expected: &'static str,
        /// The curve that the file is for.
        found: CurveId,
    },
    /// A value that is not below its modulus.
    #[error("{at}: element {index} is not below the modulus of {field}")]
    NotReduced {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Position in its section or list.
        index: u64,
        /// Name of the field that the element belongs to.
        field: &'static str,
    },
    /// Coordinates that do not satisfy the curve's equation.
    #[error("{at}: point {index} is not on the curve {group}")]
    OffCurve {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Position in its section or list.
        index: u64,
        /// Name of the group that the point belongs to.
        group: &'static str,
    },
    /// A point of the curve outside of the prime-order subgroup.
    #[error("{at}: point {index} is on the curve but outside of the prime-order subgroup {group}")]
    WrongSubgroup {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Position in its section or list.
        index: u64,
        /// Name of the group that the point belongs to.
        group: &'static str,
    },
    /// The point at infinity where it makes the key worthless.
    #[error("{at}: the point {what} of a key is infinity")]
    Infinity {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Name of the point within the key.
        what: &'static str,
    },

    // ---- counts ----
    /// A header's count for which its section has no room.
    #[error("{at}: {declared} {what} declared, there is room for {room} at most")]
    Count {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Name of the items that were counted, in the plural.
        what: &'static str,
        /// By the header.
        declared: u64,
        /// By the section's size.
        room: u64,
    },
    /// Fewer wires than the constant one and the inputs need.
    #[error("{at}: {wires} wires cannot hold the constant one and {inputs} inputs and outputs")]
    TooFewWires {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Number of wires that the file declares.
        wires: u64,
        /// Inputs and outputs.
        inputs: u64,
    },
    /// A domain that is no power of two, too small for the public rows or too large for the field.
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
    /// More powers of tau than the field has roots of unity.
    #[error("{at}: powers of tau of 2^{found}, there can be 2^{most} at most")]
    Power {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Base-2 logarithm of the number of powers in the file.
        found: u32,
        /// Largest such logarithm that is allowed.
        most: u32,
    },
    /// The root of unity of a key is not circom's.
    #[error("{at}: not the root of unity for a domain of 2^{power} points")]
    RootOfUnity {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Base-2 logarithm of the number of points of the domain.
        power: u32,
    },
    /// A curve on which there are no files of fflonk.
    #[error("{at}: fflonk is on bn128 alone, the file is for {curve}")]
    NoFflonk {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The curve that the file is for.
        curve: String,
    },
    /// A coefficient of C0 that is not that of the polynomial it commits to.
    #[error("{at}: coefficient {index} is not that of the selectors and the permutation")]
    OtherC0 {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Position in its section.
        index: u64,
    },
    /// A wire that does not exist.
    #[error("{at}: entry {index} names wire {wire} of {wires}")]
    NoSuchWire {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Constraint or coefficient.
        index: u64,
        /// Index of the wire that the entry names.
        wire: u32,
        /// Wires there are.
        wires: u64,
    },
    /// A row beyond the domain.
    #[error("{at}: coefficient {index} names row {row} of {rows}")]
    NoSuchRow {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the coefficient, from zero.
        index: u64,
        /// Index of the row that the coefficient names.
        row: u32,
        /// Rows there are.
        rows: u64,
    },
    /// A matrix other than A (0) and B (1).
    #[error("{at}: coefficient {index} names matrix {matrix}, expected 0 or 1")]
    NoSuchMatrix {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the coefficient, from zero.
        index: u64,
        /// Index of the matrix that the coefficient names.
        matrix: u32,
    },
    /// Elements that a source does not have were asked for.
    #[error("{at}: elements {start}..{end} asked for, there are {len}")]
    OutOfRange {
        /// Position of the source in its file.
        at: FilePlace,
        /// Index of the first element that was asked for.
        start: usize,
        /// Behind the last.
        end: usize,
        /// Elements there are.
        len: usize,
    },

    // ---- meaning ----
    /// The file is of another proof system.
    #[error("{at}: expected protocol {expected}, found {found}")]
    Protocol {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The protocol that is read here.
        expected: &'static str,
        /// Name of the protocol found in the file.
        found: String,
    },
    /// A circuit with custom gates, whose meaning its constraints do not hold.
    #[error("{at}: the circuit uses custom gates, which rank-1 constraints do not express")]
    CustomGates {
        /// Position of the fault in the file.
        at: FilePlace,
    },
    /// A witness that does not begin with the constant one.
    #[error("{at}: the witness does not begin with the constant one")]
    NotOne {
        /// Position of the fault in the file.
        at: FilePlace,
    },
    /// A witness of another circuit.
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
    /// Not JSON, or not of the expected form: the message has line and column.
    #[error("{}: {source}", .file)]
    Json {
        /// Path of the file concerned.
        file: FileName,
        /// The parser's finding.
        source: serde_json::Error,
    },
    /// A list of the wrong length.
    #[error("{at}: expected {expected} elements, found {found}")]
    ArrayLength {
        /// Position of the fault in the file.
        at: FilePlace,
        /// By the format.
        expected: usize,
        /// Number of elements found in the array.
        found: usize,
    },
    /// Something else than a string of decimal digits.
    #[error("{at}: expected a string of decimal digits, the character at {position} is none")]
    NotDecimal {
        /// Position of the fault in the file.
        at: FilePlace,
        /// Index of the offending character, from zero.
        position: usize,
    },
    /// Projective coordinates that are not normalised.
    #[error("{at}: the last coordinate of a point must be 1, or 0 in [0, 1, 0]")]
    NotAffine {
        /// Position of the fault in the file.
        at: FilePlace,
    },
    /// `nPublic` does not fit the length of `IC`.
    #[error("{at}: {declared} public values declared, IC has {ic} points for the constant one and {}", .ic.saturating_sub(1))]
    PublicCount {
        /// Position of the fault in the file.
        at: FilePlace,
        /// The value of `nPublic` in the file.
        declared: u64,
        /// Points of `IC`.
        ic: u64,
    },

    /// Powers of tau that are to be prepared and are already.
    #[error("{file}: these powers of tau are prepared for phase 2 already")]
    Prepared {
        /// Path of the file concerned.
        file: FileName,
    },
    /// A power for which the curve has no domains.
    #[error("powers of tau of 2^{found}: a ceremony has from 2^1 to 2^{most}")]
    NoSuchPower {
        /// Base-2 logarithm of the number of powers.
        found: u32,
        /// Largest such logarithm that is allowed.
        most: u32,
    },
    /// As many powers of tau are asked for as there are, or none.
    #[error("{file}: 2^{power} powers of tau cannot be cut down to 2^{found}")]
    NotFewer {
        /// Path of the file concerned.
        file: FileName,
        /// Base-2 logarithm of the number that is asked for.
        found: u32,
        /// That of the file.
        power: u32,
    },
    /// Powers of tau to which nobody can contribute, as others of the ceremony are missing.
    #[error("{file}: 2^{power} powers of a ceremony of 2^{ceremony}: contributions need all of them")]
    ReducedPowers {
        /// Path of the file concerned.
        file: FileName,
        /// Base-2 logarithm of the number of powers in the file.
        power: u32,
        /// That of the ceremony.
        ceremony: u32,
    },
    /// Powers of tau that are not those that the last contribution left.
    #[error("{file}: the hash of these powers is not the one that the last contribution recorded")]
    OtherPowers {
        /// Path of the file concerned.
        file: FileName,
    },
    /// A file whose size is that of no challenge.
    #[error("{file}: no ceremony on {curve} has a challenge of {size} bytes")]
    NoChallenge {
        /// Path of the file concerned.
        file: FileName,
        /// Bytes of the file.
        size: u64,
        /// The curve of the ceremony.
        curve: &'static str,
    },
    /// A contribution to a key that comes from no ceremony.
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
    /// A contribution's record that is malformed.
    #[error("{at}: the record of a contribution is spoilt: {why}")]
    Record {
        /// Position of the fault in the file.
        at: FilePlace,
        /// What is wrong with it.
        why: &'static str,
    },
    /// Powers of tau that cannot be prepared.
    #[cfg(feature = "std")]
    #[error("{file}: {why}")]
    Powers {
        /// Path of the file concerned.
        file: FileName,
        /// What is wrong with its points.
        why: PowersFault,
    },
    /// While writing: what was to be written could not be read.
    #[error(transparent)]
    Source(#[from] SourceError),
}

impl FormatError {
    /// Whether this says that a *proof* is wrong although its file is well-formed: one of its points is off the curve
    /// or outside of the subgroup. A program may report such a proof as rejected rather than as unreadable.
    pub fn is_rejection(&self) -> bool {
        let (Self::OffCurve { at, .. } | Self::WrongSubgroup { at, .. }) = self else { return false };
        let plonk = |path: &str| Element::OF_PROOF.iter().any(|element| element.name() == path);
        let other = |path: &str| path.starts_with("pi_") || path.starts_with("polynomials.");
        matches!(&at.spot, Spot::Member(path) if other(path) || plonk(path))
    }

    /// The error of a point, which stands at an index of its section or document and is called `what`.
    pub(crate) fn of_fault(fault: Fault, at: FilePlace, of: (u64, &'static str), what: &'static str) -> Self {
        let (index, group) = of;
        match fault {
            Fault::OffCurve => Self::OffCurve { at, index, group },
            Fault::WrongSubgroup => Self::WrongSubgroup { at, index, group },
            Fault::Infinity => Self::Infinity { at, what },
        }
    }

    /// This error as the error of a source of elements.
    #[cfg(feature = "std")]
    pub(crate) fn boxed(self) -> SourceError {
        SourceError(alloc::boxed::Box::new(self))
    }
}
