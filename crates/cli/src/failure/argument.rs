//! Errors in arguments and files that no library reports, and faults of modelled machines.

use pairwright::chip::isa::{AsmError, ImageError};
use pairwright::protocols::groth16::{SetupError, Weakness};
use pairwright::protocols::plonk;
use std::path::PathBuf;
use thiserror::Error;

/// An invalid argument, or files that do not fit each other.
#[derive(Debug, Error)]
pub(crate) enum ArgumentError {
    /// `--seed` is not hexadecimal or too short.
    #[error("--seed: at least 16 bytes in hexadecimal are needed")]
    Seed,
    /// The value of a beacon is not hexadecimal.
    #[error("the beacon's value has to be bytes in hexadecimal")]
    BeaconHex,
    /// `sim program` with a name that no program has.
    #[error("no program `{0}`: see `pairwright sim program --list`")]
    NoProgram(String),
    /// A width for which a report has no kernel.
    #[error("--bits: a report has nothing of {bits} bits; there are {known}")]
    NoWidth { bits: u32, known: String },
    /// A limit of a search that is not of the form NAME=NUMBER.
    #[error("{0} is not NAME=NUMBER, as area_mm2=5")]
    Limit(String),
    /// A result that a machine does not have.
    #[error("{option}: there is no result {name}; there are {known}")]
    NoResult { option: &'static str, name: String, known: String },
    /// A number of results other than two to compare designs by.
    #[error("--minimise: designs are compared by two results, {0} are named")]
    TwoResults(usize),
    /// A search by bounds for two results of which no axis has known trends.
    #[error("--bounds: no swept parameter is known to change {} and {} in one direction each; search without --bounds", .0[0], .0[1])]
    NoBounds([&'static str; 2]),
    /// A parameter that `--over` names twice.
    #[error("--over: {0} is named twice")]
    AxisTwice(String),
    /// A search that found no design within its limits.
    #[error(
        "none of {designs} designs keeps the limits{}",
        .first.as_ref().map_or_else(String::new, |why| format!("; the first that was refused: {why}"))
    )]
    NothingFound { designs: usize, first: Option<String> },
    /// A journal of another search, or one with an invalid line.
    #[error("{}: line {line}: {why}", .path.display())]
    Journal { path: PathBuf, line: usize, why: String },
    /// `--threads` is zero.
    #[error("--threads: at least one is needed")]
    Threads,
    /// Two arguments of a command name the same file.
    #[error("{first} and {second} are both {path}: one of them would be lost")]
    SameFile { first: String, second: String, path: PathBuf },
    /// A proof on a cluster whose witness is not given as a file.
    #[error("--cluster: the witness has to be a file that the workers see")]
    ClusterWitness,
    /// A sweep on a cluster with an input that its workers cannot read.
    #[error("--cluster: {0} has to be a file that the workers see, not standard input")]
    ClusterInput(String),
    /// The Python package for clusters cannot be run.
    #[error(
        "--cluster: the Python package pairwright cannot be run: {0}; PAIRWRIGHT_PYTHON names a Python that has it and distributed"
    )]
    ClusterPackage(String),
    /// A witness calculator that runs as a program of its own has failed.
    #[error("{}: the calculator ended without success: {how}", .path.display())]
    Calculator {
        path: PathBuf,
        /// Its exit status.
        how: String,
    },
    /// Two files of a command are to come from standard input.
    #[error("{first} and {second} cannot both be read from standard input")]
    StandardInput { first: String, second: String },
    /// Powers of tau that are too few for a circuit, or spoilt.
    #[error("{}: {why}", .path.display())]
    Powers {
        path: PathBuf,
        /// The setup's error.
        why: SetupError,
    },
    /// Powers of tau that are not prepared, where their Lagrange points are to be read by ranges.
    #[error(
        "--memory: {} is not prepared; `pairwright powersoftau prepare phase2` computes its Lagrange points once",
        .0.display()
    )]
    Unprepared(PathBuf),
    /// A curve for which there are no fflonk files.
    #[error("fflonk is on bn128 alone, the circuit is for {0}")]
    NoFflonk(&'static str),
    /// A key for which anybody can forge proofs.
    #[error(
        "{}: {weakness}. A contribution makes it a key (`pairwright zkey contribute`, `pairwright setup --ptau`); \
         --allow-unsafe-key takes it as it is",
        .path.display()
    )]
    UnsafeKey {
        path: PathBuf,
        /// The reason why anybody can forge proofs.
        weakness: Weakness,
    },
    /// A line of a list names a key, although all Groth16 proofs of a list have one key.
    #[error("{}: line {line}: Groth16 proofs are verified together under one key: name it in the command alone", .list.display())]
    OneKey { list: PathBuf, line: usize },
    /// A key of Plonk or fflonk for which anybody can forge proofs.
    #[error(
        "{}: {weakness}. Powers of tau with a contribution make a key (`pairwright powersoftau contribute`, \
         `pairwright setup --ptau`); --allow-unsafe-key takes it as it is",
        .path.display()
    )]
    WorthlessKey {
        path: PathBuf,
        /// The reason why anybody can forge proofs.
        weakness: plonk::Weakness,
    },
    /// A witness that does not satisfy a gate of a key.
    #[error(
        "{0}, nothing was written; `pairwright check circuit.r1cs witness.wtns` names the failing constraint"
    )]
    Gate(plonk::ProveError),
    /// A file is to be written to standard output, where `--json` prints too.
    #[error("{0} sends a file to standard output, where --json prints too: name a file, or leave out --json")]
    StandardOutput(String),
    /// A simulation that would take more memory than a simulation may.
    #[error(
        "--size: {size} {what} would take about {gibibytes} GiB of memory; {most} is the largest that is simulated"
    )]
    Memory {
        /// The size that was asked for.
        size: String,
        /// The items that are counted, such as points.
        what: &'static str,
        /// The estimated memory in GiB.
        gibibytes: u64,
        /// The largest size that is simulated.
        most: String,
    },
    /// A simulation of more elements than are simulated: it would take days.
    #[error("{name}: {size} {what} are more than are simulated; {most} is the largest number")]
    Largest {
        /// The option that was given.
        name: &'static str,
        /// The size that was asked for.
        size: String,
        /// The items that are counted, such as points.
        what: &'static str,
        /// The largest size that is simulated.
        most: String,
    },
    /// A timeline of more instructions than a viewer opens.
    #[error(
        "--trace: a timeline has at most {most} instructions, and this run has more; a smaller --size shows the same"
    )]
    Trace {
        /// The largest number of instructions of a timeline.
        most: usize,
    },
    /// A line of a batch list does not name two files.
    #[error("{}, line {line}: {what}", .list.display())]
    ListLine {
        list: PathBuf,
        /// Line, from 1.
        line: usize,
        /// The error in it.
        what: String,
    },
    /// A list without entries.
    #[error("{}: nothing is listed", .0.display())]
    NothingListed(PathBuf),
    /// Bytes that are not in hexadecimal.
    #[error("{0}: bytes in hexadecimal are needed, two digits each")]
    NoHex(&'static str),
    /// An empty domain separation tag.
    #[error("--dst: the tag is empty, which RFC 9380 forbids (§3.1)")]
    NoTag,
    /// A presentation header that is not in hexadecimal.
    #[error("--presentation-header: bytes in hexadecimal are needed, two digits each")]
    PresentationHeader,
    /// A new secret that would replace a file: whatever belongs to the secret in that file could never be used again.
    #[error("{}: there is a file already, and {what} replaces none", .path.display())]
    SecretThere {
        /// The file that is there.
        path: PathBuf,
        /// The new secret, as `a new note`.
        what: &'static str,
    },
    /// The folder for new files is not empty.
    #[error("{}: the folder is not empty, and new keys replace no files", .0.display())]
    NotEmpty(PathBuf),
    /// A setup of als16 without `--public`.
    #[error("--public: als16 encrypts with a public key, which needs a file")]
    PublicKeyPlace,
    /// `--public` for klmmrw, which has no public key.
    #[error("--public: klmmrw has no public keys, its master key encrypts")]
    NoPublicKey,
    /// `--table` for klmmrw, whose logarithms have another base for every key and ciphertext.
    #[error("--table: klmmrw has another base for every key and ciphertext, no table serves it")]
    NoTable,
    /// A batch list without a proof.
    #[error("{}: no proof is listed", .0.display())]
    EmptyList(PathBuf),
    /// Two files are for different curves.
    #[error("{left} is for {left_curve}, {right} for {right_curve}")]
    Curves { left: PathBuf, left_curve: &'static str, right: PathBuf, right_curve: &'static str },
    /// A witness does not satisfy the circuit.
    #[error("constraint {constraint} does not hold: A * B != C with {signals}")]
    Constraint {
        /// The index of the constraint, from zero.
        constraint: usize,
        /// The signals of its three linear combinations.
        signals: String,
    },
    /// Neither a witness nor a calculator and inputs to compute it from.
    #[error("a witness is needed, or --wasm and --input")]
    NoWitness,
    /// A witness calculator whose prime is the scalar field of no supported curve.
    #[error("{}: made for a prime of no supported curve", .0.display())]
    UnknownPrime(PathBuf),
    /// A curve that a device or a protocol does not support.
    #[error("curve {0} is not supported here")]
    Unsupported(&'static str),
    /// `--modulus` is not a number.
    #[error("--modulus: `{0}` is not a decimal number; a hexadecimal one begins with 0x")]
    Modulus(String),
    /// Neither `--modulus` nor `--bits` is given.
    #[error("--modulus or --bits is missing: kernels are made for a modulus or for its width")]
    NoModulus,
    /// `--bits` and `--modulus` disagree.
    #[error("--bits {bits}, but the modulus has {modulus} bits")]
    ModulusBits {
        /// The width that `--bits` gives.
        bits: u32,
        /// The width of the modulus in bits.
        modulus: u64,
    },
    /// `--design` or a sweep of designs names an unknown design.
    #[error("{option}: unknown name `{name}`; expected one of {known}")]
    Design {
        /// The option with the unknown name.
        option: &'static str,
        /// The value that was given.
        name: String,
        /// The known values.
        known: String,
    },
    /// `--slot` is not of the form SLOT=NAME.
    #[error("--slot: `{0}` is not SLOT=NAME")]
    SlotChoice(String),
    /// Options of the chip's design, and no chip on the board.
    #[error("--design, --spec and --set are for the chip, which is in no slot of this board")]
    NoChip,
    /// Parameters of the tree unit, and no tree unit on the board.
    #[error("--set: the tree unit, whose parameters begin with `mtu.`, is in no slot of this board")]
    NoUnit,
    /// Parameters of AI Engines, and no AI Engines on the board.
    #[error("--set: AI Engines, whose parameters begin with `aie.`, are in no slot of this board")]
    NoEngines,
    /// `--data` for a single tile with complete additions, for which there is no kernel.
    #[error("--data: a single tile adds points in the mixed form only")]
    NoCompleteData,
    /// `--x` or `--y` names no column of the results.
    #[error("{option}: there is no {name}; there are: {known}")]
    NoAxis {
        option: &'static str,
        name: String,
        /// The known values.
        known: String,
    },
    /// `--x` or `--y` names a column with the same value at every point.
    #[error("{option}: {name} is {value} at every point; what changes: {known}")]
    FlatAxis {
        option: &'static str,
        name: String,
        value: String,
        /// The names of the columns that change.
        known: String,
    },
    /// `--y` names a column of words instead of numbers.
    #[error("{option}: {name} is a word and no number; numbers are: {known}")]
    WordAxis {
        option: &'static str,
        name: String,
        /// The names of the columns of numbers that change.
        known: String,
    },
    /// A picture of a sweep in which no column changes from point to point.
    #[error("--plot: nothing changes from point to point, so that there is nothing to draw")]
    NothingVaries,
    /// A simulation of no additions.
    #[error("--tasks: at least one addition is needed")]
    NoTasks,
    /// A timeline of more additions than it can have.
    #[error("--trace: a timeline has {most} additions at most, and --tasks says {tasks}")]
    Traced { tasks: crate::args::Size, most: crate::args::Size },
    /// A `--bandwidth` that is not a whole number of bytes a cycle at the design's clock.
    #[error("--bandwidth: {gigabytes} GB/s is not a whole number of bytes a cycle at {clock_hz} Hz")]
    Bandwidth {
        /// The bandwidth in GB/s.
        gigabytes: u32,
        clock_hz: u64,
    },
    /// `--slot` names a slot twice.
    #[error("--slot: {0} is given twice")]
    SlotTwice(pairwright::Slot),
    /// `--sweep` is not of the form FIELD=VALUES.
    #[error("`{0}` is not FIELD=FIRST..LAST, FIELD=FIRST..LAST:STEP or FIELD=A,B,C")]
    Axis(String),
    /// `--size` is not a number of elements in range.
    #[error("invalid size `{text}`; expected a number up to 2^{largest}, such as 1000 or 2^16")]
    Size {
        /// The value that was given.
        text: String,
        /// log2 of the largest size.
        largest: u32,
    },
    /// A transform whose length is not a power of two.
    #[error("--size: {0} is not a power of two")]
    NoPower(u64),
    /// Fewer wires than the constant one and the public values need.
    #[error("--wires: {wires} values cannot hold the constant one and {public} public ones")]
    Wires {
        /// The number of values of the witness.
        wires: u64,
        public: u64,
    },
    /// A domain larger than any of the curve's scalar field.
    #[error("--size: {size} constraints; the scalar field of {curve} has domains of at most {most}")]
    Domain {
        /// The curve's name.
        curve: &'static str,
        /// The size that was asked for.
        size: String,
        /// The largest size.
        most: String,
    },
    /// A simulated plan of too many blocks.
    #[error(
        "--parts, --memory: {blocks} blocks; a simulated plan has at most {most}, for it lists what each writes for each"
    )]
    ManyBlocks {
        /// The blocks that were asked for.
        blocks: usize,
        /// The largest number of blocks of a plan.
        most: usize,
    },
    /// A word of the command line that cannot be sent to a cluster.
    #[error("--cluster: the word {} is not UTF-8", .0.display())]
    ClusterWord(std::ffi::OsString),
    /// A multi-scalar multiplication of no points.
    #[error("--size: an MSM has at least one point")]
    NoPoints,
    /// `--coset` is neither `odd` nor a number above 0.
    #[error("invalid coset `{0}`; expected `odd` or a number above 0")]
    Coset(String),
    /// `--sweep` names a parameter that the operator does not have.
    #[error("--sweep: no parameter `{name}`; {known}")]
    NoParameter {
        name: String,
        /// The parameters that it has.
        known: String,
    },
    /// `--sweep` gives a parameter a value that it does not take.
    #[error("--sweep: {name}: unknown name `{value}`; expected one of {known}")]
    Choice {
        name: String,
        /// The value that was given.
        value: String,
        /// The known values.
        known: String,
    },
    /// `--sweep` gives a numeric parameter a value that is not a number.
    #[error("--sweep: {name}: `{value}` is not a number")]
    Number {
        name: String,
        /// The value that was given.
        value: String,
    },
    /// No design of a sweep could be simulated.
    #[error("--sweep: all {designs} designs are refused; the first: {first}")]
    AllRefused { designs: usize, first: String },
    /// The sweep has too many points: the product of the axes' lengths is too large.
    #[error("--sweep: more than {most} designs")]
    ManyPoints { most: usize },
    /// No routine of the program has this name.
    #[error("unknown routine `{name}`; expected one of {known}")]
    Routine {
        /// The value that was given.
        name: String,
        /// The known values.
        known: String,
    },
    /// A text that is not a program of the crypto-processor.
    #[error("{file}, {why}")]
    Program {
        file: PathBuf,
        /// The assembler's error, with its line.
        why: AsmError,
    },
    /// A file that is not an image of a program of the crypto-processor.
    #[error("{file}: {why}")]
    Image {
        file: PathBuf,
        /// The error in the image.
        why: ImageError,
    },
    /// `--op` names an unknown operation.
    #[error("--op: unknown name `{name}`; expected one of {known}")]
    Operation {
        /// The value that was given.
        name: String,
        /// The known values.
        known: String,
    },
    /// `--mul` names no multiplication method.
    #[error("--mul: `{0}` is neither schoolbook, karatsuba nor karatsuba:LEVELS with 1 to 5 levels")]
    Multiplication(String),
    /// A key of a protocol other than Groth16, where keys are read by ranges.
    #[error("{option}: keys of groth16 alone are read by ranges, this one is of {protocol}")]
    OnlyGroth16 { option: &'static str, protocol: &'static str },
    /// A stream instead of a file on disk, where a file is read by ranges.
    #[error("--memory: {} is not a file on disk, so that its ranges cannot be read one by one", .0.display())]
    NoFile(PathBuf),
    /// `--blocks` is zero.
    #[error("--blocks: at least one is needed")]
    NoBlocks,
    /// A sharded key whose blocks are too large for the memory that `--memory` allows.
    #[error(
        "{}: {found} blocks are too few for this much memory; `pairwright shard --blocks {needed}` makes a key that fits",
        .path.display()
    )]
    FewBlocks { path: PathBuf, found: usize, needed: usize },
    /// The finished proof does not verify.
    #[error(
        "the finished proof does not verify, nothing was written: the witness does not satisfy the circuit, or the \
         key is damaged. `pairwright check circuit.r1cs witness.wtns` names the failing constraint; `prove --check` \
         checks the key"
    )]
    ProofFails,
}

/// A fault of a modelled machine or of its programs.
#[derive(Debug, Error)]
pub(crate) enum ModelFault {
    /// The machine's result differs from the host's; the text names the machine and the result, as `processor's pairing`.
    #[error("the modelled {0} differs from the host's")]
    Differs(&'static str),
    /// A program of the crypto-processor left other values in a region of its memory than the host computed.
    #[error("the modelled processor's {name} differs from the host's in {region}")]
    Program { name: &'static str, region: &'static str },
    /// The tree unit's time with data differs from its time without, although the data must not change it.
    #[error("the modelled tree unit takes another time with data than without")]
    Cycles,
    /// A kernel of the AI Engines could not be run.
    #[error(transparent)]
    Kernel(#[from] pairwright::aie::tile::TileError),
}
