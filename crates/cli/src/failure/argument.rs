//! What is wrong with what a command was given, where no library says so, and faults of modelled machines.

use pairwright::chip::isa::{AsmError, ImageError};
use pairwright::protocols::groth16::{SetupError, Weakness};
use pairwright::protocols::plonk;
use std::path::PathBuf;
use thiserror::Error;

/// What is wrong with an argument or with files that do not fit each other.
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
    /// A width that no kernel of a report has.
    #[error("--bits: a report has nothing of {bits} bits; there are {known}")]
    NoWidth { bits: u32, known: String },
    /// A limit of a search that is no name and number.
    #[error("{0} is not NAME=NUMBER, as area_mm2=5")]
    Limit(String),
    /// A result that a machine does not have.
    #[error("{option}: there is no result {name}; there are {known}")]
    NoResult { option: &'static str, name: String, known: String },
    /// Another number of results than two to compare designs by.
    #[error("--minimise: designs are compared by two results, {0} are named")]
    TwoResults(usize),
    /// A search by bounds of results that no axis bounds.
    #[error("--bounds: of {} and {} it is known of no axis which way both go; a search without it needs no trends", .0[0], .0[1])]
    NoBounds([&'static str; 2]),
    /// A parameter with two axes.
    #[error("--over: {0} is named twice")]
    AxisTwice(String),
    /// A search that found no design within its limits.
    #[error(
        "none of {designs} designs keeps the limits{}",
        .first.as_ref().map_or_else(String::new, |why| format!("; the first that was refused: {why}"))
    )]
    NothingFound { designs: usize, first: Option<String> },
    /// A journal that is not of this search.
    #[error("{}: line {line}: {why}", .path.display())]
    Journal { path: PathBuf, line: usize, why: String },
    /// `--threads` is zero.
    #[error("--threads: at least one is needed")]
    Threads,
    /// Two files of a command are one.
    #[error("{first} and {second} are both {path}: one of them would be lost")]
    SameFile { first: String, second: String, path: PathBuf },
    /// A proof on a cluster without the file of a witness.
    #[error("--cluster: the witness has to be a file that the workers see")]
    ClusterWitness,
    /// The Python package for clusters cannot be run.
    #[error(
        "--cluster: the Python package pairwright cannot be run: {0}; PAIRWRIGHT_PYTHON names a Python that has it and distributed"
    )]
    ClusterPackage(String),
    /// A calculator that is a program has failed.
    #[error("{}: the calculator ended without success: {how}", .path.display())]
    Calculator {
        path: PathBuf,
        /// Its exit status.
        how: String,
    },
    /// Two files of a command are to come from standard input.
    #[error("{first} and {second} cannot both be read from standard input")]
    StandardInput { first: &'static str, second: &'static str },
    /// Powers of tau that are too few for a circuit, or spoilt.
    #[error("{}: {why}", .path.display())]
    Powers {
        path: PathBuf,
        /// What is wrong with them.
        why: SetupError,
    },
    /// Powers of tau that are not prepared, where their Lagrange points are read by ranges.
    #[error(
        "--memory: {} is not prepared; `pairwright powersoftau prepare phase2` computes its Lagrange points once",
        .0.display()
    )]
    Unprepared(PathBuf),
    /// A curve on which there are no files of fflonk.
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
        /// Why it is worthless.
        weakness: Weakness,
    },
    /// A line of a list names a key where all proofs are of one.
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
        /// Why it is worthless.
        weakness: plonk::Weakness,
    },
    /// A witness that does not satisfy a gate of a key.
    #[error(
        "{0}, nothing was written; `pairwright check circuit.r1cs witness.wtns` names the failing constraint"
    )]
    Gate(plonk::ProveError),
    /// A file and the report are both to go to standard output.
    #[error("{0} sends a file to standard output, where --json prints too: name a file, or leave out --json")]
    StandardOutput(&'static str),
    /// A simulation that takes more memory than is sensible.
    #[error(
        "--size: {size} {what} would take about {gibibytes} GiB of memory; {most} is the largest that is simulated"
    )]
    Memory {
        /// What was asked for.
        size: String,
        /// What there is so many of.
        what: &'static str,
        /// About how much memory.
        gibibytes: u64,
        /// The largest that fits.
        most: String,
    },
    /// A simulation that would take days.
    #[error("{name}: {size} {what} are more than are simulated; {most} is the largest number")]
    Largest {
        /// The option that was given.
        name: &'static str,
        /// What was asked for.
        size: String,
        /// What there is so many of.
        what: &'static str,
        /// The largest number.
        most: String,
    },
    /// A timeline of more instructions than a viewer opens.
    #[error(
        "--trace: a timeline has at most {most} instructions, and this run has more; a smaller --size shows the same"
    )]
    Trace {
        /// The most that are kept.
        most: usize,
    },
    /// A line of a batch list does not name two files.
    #[error("{}, line {line}: {what}", .list.display())]
    ListLine {
        list: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// A list without a line.
    #[error("{}: nothing is listed", .0.display())]
    NothingListed(PathBuf),
    /// Bytes that are not in hexadecimal.
    #[error("{0}: bytes in hexadecimal are needed, two digits each")]
    NoHex(&'static str),
    /// A domain separation tag of nothing.
    #[error("--dst: the tag is empty, which RFC 9380 forbids (§3.1)")]
    NoTag,
    /// A presentation header that is no bytes.
    #[error("--presentation-header: bytes in hexadecimal are needed, two digits each")]
    PresentationHeader,
    /// A new secret that would replace a file: what belongs to another one could never be used again.
    #[error("{}: there is a file already, and {what} replaces none", .path.display())]
    SecretThere {
        /// The file that is there.
        path: PathBuf,
        /// What would replace it, as `a new note`.
        what: &'static str,
    },
    /// A folder for new files that has files.
    #[error("{}: the folder is not empty, and new keys replace no files", .0.display())]
    NotEmpty(PathBuf),
    /// A public key that has no place.
    #[error("--public: als16 encrypts with a public key, which needs a file")]
    PublicKeyPlace,
    /// A public key of a scheme that has none.
    #[error("--public: klmmrw has no public keys, its master key encrypts")]
    NoPublicKey,
    /// A table for a scheme whose logarithms have another base each time.
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
        /// Its index, from zero.
        constraint: usize,
        /// The signals of its three sides.
        signals: String,
    },
    /// Neither a witness nor the means to compute one.
    #[error("a witness is needed, or --wasm and --input")]
    NoWitness,
    /// A calculator over a field of no curve of ours.
    #[error("{}: made for a prime of no supported curve", .0.display())]
    UnknownPrime(PathBuf),
    /// A curve this command does not know.
    #[error("curve {0} is not supported here")]
    Unsupported(&'static str),
    /// `--modulus` is no number.
    #[error("--modulus: `{0}` is not a decimal number; a hexadecimal one begins with 0x")]
    Modulus(String),
    /// Neither `--modulus` nor `--bits`.
    #[error("--modulus or --bits is missing: kernels are made for a modulus or for its width")]
    NoModulus,
    /// `--bits` and `--modulus` disagree.
    #[error("--bits {bits}, but the modulus has {modulus} bits")]
    ModulusBits {
        /// What was said.
        bits: u32,
        /// What it has.
        modulus: u64,
    },
    /// `--design` or a sweep of designs names nothing.
    #[error("{option}: unknown name `{name}`; expected one of {known}")]
    Design {
        /// The option that it was said to.
        option: &'static str,
        /// What was said.
        name: String,
        /// What there is.
        known: String,
    },
    /// `--slot` is not a slot and a device.
    #[error("--slot: `{0}` is not SLOT=NAME")]
    SlotChoice(String),
    /// A design, and nothing that has one.
    #[error("--design, --spec and --set are for the chip, which is in no slot of this board")]
    NoChip,
    /// Parameters of a tree unit, and no unit.
    #[error("--set: the tree unit, whose parameters begin with `mtu.`, is in no slot of this board")]
    NoUnit,
    /// Parameters of AI Engines, and none.
    #[error("--set: AI Engines, whose parameters begin with `aie.`, are in no slot of this board")]
    NoEngines,
    /// `--data` with what has no kernel.
    #[error("--data: a single tile adds points in the mixed form only")]
    NoCompleteData,
    /// `--x` or `--y` names nothing.
    #[error("{option}: there is no {name}; there are: {known}")]
    NoAxis {
        option: &'static str,
        name: String,
        /// What there is.
        known: String,
    },
    /// `--x` or `--y` names what is the same at every point.
    #[error("{option}: {name} is {value} at every point; what changes: {known}")]
    FlatAxis {
        option: &'static str,
        name: String,
        value: String,
        /// The names of what changes.
        known: String,
    },
    /// `--y` names what is no number.
    #[error("{option}: {name} is a word and no number; numbers are: {known}")]
    WordAxis {
        option: &'static str,
        name: String,
        /// What changes and is a number.
        known: String,
    },
    /// A picture of points that are all alike.
    #[error("--plot: nothing changes from point to point, so that there is nothing to draw")]
    NothingVaries,
    /// An experiment without additions.
    #[error("--tasks: at least one addition is needed")]
    NoTasks,
    /// A timeline of too many additions.
    #[error("--trace: a timeline has {most} additions at most, and --tasks says {tasks}")]
    Traced { tasks: crate::args::Size, most: crate::args::Size },
    /// `--bandwidth` at a clock that does not divide it.
    #[error("--bandwidth: {gigabytes} GB/s is not a whole number of bytes a cycle at {clock_hz} Hz")]
    Bandwidth {
        /// What was said.
        gigabytes: u32,
        clock_hz: u64,
    },
    /// `--slot` names a slot twice.
    #[error("--slot: {0} is given twice")]
    SlotTwice(pairwright::Slot),
    /// `--sweep` is not a field and values.
    #[error("`{0}` is not FIELD=FIRST..LAST, FIELD=FIRST..LAST:STEP or FIELD=A,B,C")]
    Axis(String),
    /// `--size` is no number of elements.
    #[error("invalid size `{text}`; expected a number up to 2^{largest}, such as 1000 or 2^16")]
    Size {
        /// What was said.
        text: String,
        /// log2 of the largest.
        largest: u32,
    },
    /// A transform of another length.
    #[error("--size: {0} is not a power of two")]
    NoPower(u64),
    /// Fewer values than public ones.
    #[error("--wires: {wires} values cannot hold the constant one and {public} public ones")]
    Wires {
        /// Values of the witness.
        wires: u64,
        public: u64,
    },
    /// A domain that the curve's scalar field does not have.
    #[error("--size: {size} constraints; the scalar field of {curve} has domains of at most {most}")]
    Domain {
        /// The curve's name.
        curve: &'static str,
        /// The size that was asked for.
        size: String,
        /// The largest size.
        most: String,
    },
    /// A plan that would list too many pieces.
    #[error(
        "--parts, --memory: {blocks} blocks; a simulated plan has at most {most}, for it lists what each writes for each"
    )]
    ManyBlocks {
        /// The blocks that were asked for.
        blocks: usize,
        /// The most that are taken.
        most: usize,
    },
    /// A word of the command line that cannot be sent to a cluster.
    #[error("--cluster: the word {} is not UTF-8", .0.display())]
    ClusterWord(std::ffi::OsString),
    /// An MSM of nothing.
    #[error("--size: an MSM has at least one point")]
    NoPoints,
    /// `--coset` names no coset.
    #[error("invalid coset `{0}`; expected `odd` or a number above 0")]
    Coset(String),
    /// `--sweep` over a parameter that the operator does not have.
    #[error("--sweep: no parameter `{name}`; {known}")]
    NoParameter {
        name: String,
        /// What there is.
        known: String,
    },
    /// `--sweep` over a value that the parameter does not take.
    #[error("--sweep: {name}: unknown name `{value}`; expected one of {known}")]
    Choice {
        name: String,
        /// What was said.
        value: String,
        /// What there is.
        known: String,
    },
    /// `--sweep` over values that are not numbers.
    #[error("--sweep: {name}: `{value}` is not a number")]
    Number {
        name: String,
        /// What was said.
        value: String,
    },
    /// No design of a sweep could be simulated.
    #[error("--sweep: all {designs} designs are refused; the first: {first}")]
    AllRefused { designs: usize, first: String },
    /// The product of all `--sweep`s is too large.
    #[error("--sweep: more than {most} designs")]
    ManyPoints { most: usize },
    /// No routine of this program has this name.
    #[error("unknown routine `{name}`; expected one of {known}")]
    Routine {
        /// What was said.
        name: String,
        /// What there is.
        known: String,
    },
    /// A text is no program of the crypto-processor.
    #[error("{file}, {why}")]
    Program {
        file: PathBuf,
        /// What is wrong, and where.
        why: AsmError,
    },
    /// A file is no image of the crypto-processor.
    #[error("{file}: {why}")]
    Image {
        file: PathBuf,
        /// What is wrong.
        why: ImageError,
    },
    /// `--op` names nothing.
    #[error("--op: unknown name `{name}`; expected one of {known}")]
    Operation {
        /// What was said.
        name: String,
        /// What there is.
        known: String,
    },
    /// `--mul` names nothing.
    #[error("--mul: `{0}` is neither schoolbook, karatsuba nor karatsuba:LEVELS with 1 to 5 levels")]
    Multiplication(String),
    /// A protocol whose keys are not read by ranges.
    #[error("{option}: keys of groth16 alone are read by ranges, this one is of {protocol}")]
    NoRanges { option: &'static str, protocol: &'static str },
    /// A stream where ranges are read.
    #[error("--memory: {} is not a file on disk, so that its ranges cannot be read one by one", .0.display())]
    NoFile(PathBuf),
    /// `--blocks` is zero.
    #[error("--blocks: at least one is needed")]
    NoBlocks,
    /// A sharded key whose blocks are too large.
    #[error(
        "{}: {found} blocks are too few for this much memory; `pairwright shard --blocks {needed}` makes a key that fits",
        .path.display()
    )]
    FewBlocks { path: PathBuf, found: usize, needed: usize },
    /// The proof that came out does not verify.
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
    /// It computed something else than the host: whose and what, as `processor's pairing`.
    #[error("the modelled {0} differs from the host's")]
    Differs(&'static str),
    /// A program of the crypto-processor left something else in a region than the host.
    #[error("the modelled processor's {name} differs from the host's in {region}")]
    Program { name: &'static str, region: &'static str },
    /// The tree unit's time is a matter of the data, which it must not be.
    #[error("the modelled tree unit takes another time with data than without")]
    Cycles,
    /// A kernel of the engines did not run.
    #[error(transparent)]
    Kernel(#[from] pairwright::aie::tile::TileError),
}
