//! What ends a command early, and the exit code it becomes.

use pairwright::chip::compiler::CompileError;
use pairwright::chip::isa::{AsmError, ImageError};
use pairwright::chip::machine::MachineError;
use pairwright::chip::machine::top::TopError;
use pairwright::chip::operator::OperatorError;
use pairwright::chip_programs::RunError;
use pairwright::device::DeviceError;
use pairwright::formats::{CeremonyError, FormatError, VerifyKeyError, VerifyPowersError};
use pairwright::gpu::GpuError;
use pairwright::moma::MomaError;
use pairwright::protocols::groth16::{ProveError, SetupError, VerifyError, Weakness};
use pairwright::protocols::plonk;
use pairwright::protocols::r1cs::R1csError;
use pairwright::sim::settings::SettingError;
use pairwright::witness::WitnessError;
use pairwright_plot::PlotError;
use serde::Serialize;
use std::fmt;
use std::path::PathBuf;
use std::process::ExitCode;
use thiserror::Error;

/// Why a command did not succeed.
#[derive(Debug, Error)]
pub(crate) enum Failure {
    /// A proof was not accepted.
    #[error("rejected: {0}")]
    Rejected(Box<dyn std::error::Error + Send + Sync>),
    /// Proofs of a batch were not accepted.
    #[error("rejected: {}", .0)]
    RejectedInBatch(RejectedBatch),
    /// Something given to the command is not what it should be.
    #[error(transparent)]
    BadInput(Box<dyn std::error::Error + Send + Sync>),
    /// A file cannot be read or written.
    #[error("{path}: {why}")]
    File { path: PathBuf, why: std::io::Error },
    /// Standard output cannot be written.
    #[error("standard output: {0}")]
    Output(std::io::Error),
    /// A fault of ours or of the machine.
    #[error("internal error: {0}")]
    Internal(Box<dyn std::error::Error + Send + Sync>),
}

/// The proofs of a batch that were not accepted.
#[derive(Debug)]
pub(crate) struct RejectedBatch {
    /// Number of proofs in the list.
    pub proofs: usize,
    /// Those that were not accepted, in the order of the list.
    pub failed: Vec<RejectedProof>,
}

/// A proof of a batch that was not accepted.
#[derive(Debug, Serialize)]
pub(crate) struct RejectedProof {
    /// Position in the list, from 0.
    pub index: usize,
    /// Line of the list, from 1.
    pub line: usize,
    /// File of the public values.
    pub public: String,
    /// File of the proof.
    pub proof: String,
    /// Why it was not accepted.
    pub error: String,
}

/// Rejected proofs that a message names; JSON has all of them.
const NAMED: usize = 8;

impl fmt::Display for RejectedBatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} of {} proofs", self.failed.len(), self.proofs)?;
        for bad in self.failed.iter().take(NAMED) {
            write!(f, "; index {}, line {}, {}: {}", bad.index, bad.line, bad.proof, bad.error)?;
        }
        if self.failed.len() > NAMED {
            write!(f, "; and {} more", self.failed.len() - NAMED)?;
        }
        Ok(())
    }
}

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
    /// `--threads` is zero.
    #[error("--threads: at least one is needed")]
    Threads,
    /// Two files of a command are one.
    #[error("{first} and {second} are both {path}: one of them would be lost")]
    SameFile { first: String, second: String, path: PathBuf },
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
    /// A key for which anybody can forge proofs.
    #[error(
        "{}: {weakness}. A contribution makes it a key (`snarkjs zkey contribute`, `pairwright setup --ptau`); \
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
    /// A Plonk key for which anybody can forge proofs.
    #[error("{}: {weakness}", .path.display())]
    WorthlessKey {
        path: PathBuf,
        /// Why it is worthless.
        weakness: plonk::Weakness,
    },
    /// A witness that does not satisfy a gate of a Plonk key.
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
    /// A line of a batch list does not name two files.
    #[error("{}, line {line}: {what}", .list.display())]
    ListLine {
        list: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
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
    /// The proof that came out does not verify.
    #[error(
        "the finished proof does not verify, nothing was written: the witness does not satisfy the circuit, or the \
         key is damaged. `pairwright check circuit.r1cs witness.wtns` names the failing constraint; `prove --check` \
         checks the key"
    )]
    ProofFails,
}

/// A fault of the modelled crypto-processor or of its programs.
#[derive(Debug, Error)]
pub(crate) enum ChipError {
    /// It computed something else than the host.
    #[error("the modelled processor's pairing differs from the host's")]
    Differs,
    /// So did an operator of the whole chip.
    #[error("the modelled processor's {0} differs from the host's")]
    Operator(&'static str),
    /// So did another program.
    #[error("the modelled processor's {name} differs from the host's in {region}")]
    Program { name: &'static str, region: &'static str },
}

/// A fault of the modelled tree unit.
#[derive(Debug, Error)]
pub(crate) enum MtuFault {
    /// It computed something else than the host.
    #[error("the modelled tree unit's result differs from the host's")]
    Differs,
    /// Its time is a matter of the data, which it must not be.
    #[error("the modelled tree unit takes another time with data than without")]
    Cycles,
}

/// A fault of the modelled engines or of their programs.
#[derive(Debug, Error)]
pub(crate) enum AieFault {
    /// They computed something else than the host.
    #[error("the modelled engines' sum of points differs from the host's")]
    Differs,
    /// A kernel did not run.
    #[error(transparent)]
    Kernel(#[from] pairwright::aie::tile::TileError),
}

impl Failure {
    /// Wraps an error as bad input.
    pub(crate) fn bad(why: impl Into<Box<dyn std::error::Error + Send + Sync>>) -> Self {
        Self::BadInput(why.into())
    }

    /// An error in a proof or its public values: a rejection where the file is well-formed but says nothing valid.
    pub(crate) fn of_proof(e: FormatError) -> Self {
        if e.is_rejection() { Self::Rejected(e.into()) } else { Self::bad(e) }
    }

    /// No failure at all, if it is that nobody reads standard output any longer.
    pub(crate) fn unless_reader_gone(self) -> Result<(), Self> {
        match self {
            Self::Output(why) if why.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
            other => Err(other),
        }
    }

    /// What `--json` says of it beside its word.
    pub(crate) fn object(&self) -> serde_json::Value {
        let mut object = serde_json::json!({ "error": self.to_string() });
        if let Self::RejectedInBatch(batch) = self {
            object["proofs"] = batch.proofs.into();
            object["failed"] = serde_json::json!(batch.failed);
        }
        object
    }

    /// The documented exit code.
    pub(crate) fn code(&self) -> ExitCode {
        ExitCode::from(match self {
            Self::Rejected(_) | Self::RejectedInBatch(_) => 1,
            Self::BadInput(_) | Self::File { .. } | Self::Output(_) => 2,
            Self::Internal(_) => 3,
        })
    }

    /// The exit code's word, for `--json`.
    pub(crate) fn word(&self) -> &'static str {
        match self {
            Self::Rejected(_) | Self::RejectedInBatch(_) => "rejected",
            Self::BadInput(_) | Self::File { .. } | Self::Output(_) => "bad-input",
            Self::Internal(_) => "internal",
        }
    }
}

impl From<MomaError> for Failure {
    fn from(e: MomaError) -> Self {
        match e {
            MomaError::NotDecreasing { .. } => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<GpuError> for Failure {
    fn from(e: GpuError) -> Self {
        match e {
            // A kernel that gives another number than the host is our fault, or the machine's.
            GpuError::Wrong { .. } => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<SettingError> for Failure {
    fn from(e: SettingError) -> Self {
        Self::bad(e)
    }
}
impl From<CompileError> for Failure {
    fn from(e: CompileError) -> Self {
        match e {
            // Programs are ours: that their words can be encoded is not a matter of the design.
            CompileError::Word(_) => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<RunError> for Failure {
    fn from(e: RunError) -> Self {
        match e {
            // The design does not hold together; anything else is a hazard that the compiler must not leave.
            RunError::Machine(MachineError::Interval { .. } | MachineError::Memory { .. }) => Self::bad(e),
            other => Self::Internal(other.into()),
        }
    }
}
impl From<OperatorError> for Failure {
    fn from(e: OperatorError) -> Self {
        match e {
            // A design that cannot be built, or whose memory the program does not fit into.
            OperatorError::Task(_)
            | OperatorError::Run(
                TopError::Memory { .. }
                | TopError::Dma(_)
                | TopError::Dram(_)
                | TopError::Msm(_)
                | TopError::Poly(_),
            ) => Self::bad(e),
            other => Self::Internal(other.into()),
        }
    }
}
impl From<ChipError> for Failure {
    fn from(e: ChipError) -> Self {
        Self::Internal(e.into())
    }
}
impl From<PlotError> for Failure {
    fn from(e: PlotError) -> Self {
        Self::Internal(e.into())
    }
}
impl From<MtuFault> for Failure {
    fn from(e: MtuFault) -> Self {
        Self::Internal(e.into())
    }
}
impl From<AieFault> for Failure {
    fn from(e: AieFault) -> Self {
        Self::Internal(e.into())
    }
}
impl From<ArgumentError> for Failure {
    fn from(e: ArgumentError) -> Self {
        Self::bad(e)
    }
}
impl From<FormatError> for Failure {
    fn from(e: FormatError) -> Self {
        Self::bad(e)
    }
}
impl From<WitnessError> for Failure {
    fn from(e: WitnessError) -> Self {
        Self::bad(e)
    }
}
impl From<R1csError> for Failure {
    fn from(e: R1csError) -> Self {
        Self::bad(e)
    }
}
impl From<DeviceError> for Failure {
    fn from(e: DeviceError) -> Self {
        match e {
            // Operands that come from files.
            DeviceError::Source(_) | DeviceError::Domain(_) | DeviceError::EntryOutOfRange { .. } => {
                Self::bad(e)
            }
            other => Self::Internal(other.into()),
        }
    }
}
impl From<ProveError> for Failure {
    fn from(e: ProveError) -> Self {
        match e {
            ProveError::Device(d) => d.into(),
            other => Self::bad(other),
        }
    }
}
impl From<SetupError> for Failure {
    fn from(e: SetupError) -> Self {
        match e {
            SetupError::Device(d) => d.into(),
            other => Self::bad(other),
        }
    }
}
impl From<CeremonyError> for Failure {
    fn from(e: CeremonyError) -> Self {
        match e {
            CeremonyError::Setup(s) => s.into(),
            other => Self::bad(other),
        }
    }
}
impl From<VerifyKeyError> for Failure {
    fn from(e: VerifyKeyError) -> Self {
        match e {
            VerifyKeyError::Device(d) => d.into(),
            VerifyKeyError::Setup(s) => s.into(),
            e if e.is_rejection() => Self::Rejected(e.into()),
            e => Self::bad(e),
        }
    }
}
impl From<VerifyPowersError> for Failure {
    fn from(e: VerifyPowersError) -> Self {
        match e {
            VerifyPowersError::Device(d) => d.into(),
            e if e.is_rejection() => Self::Rejected(e.into()),
            e => Self::bad(e),
        }
    }
}
impl From<VerifyError> for Failure {
    fn from(e: VerifyError) -> Self {
        match e {
            VerifyError::Device(d) => d.into(),
            VerifyError::EmptyKey | VerifyError::UnsafeKey(_) => Self::bad(e),
            other => Self::Rejected(other.into()),
        }
    }
}
impl From<plonk::ProveError> for Failure {
    fn from(e: plonk::ProveError) -> Self {
        match e {
            plonk::ProveError::Device(d) => d.into(),
            plonk::ProveError::Unsatisfied { .. } => ArgumentError::Gate(e).into(),
            other => Self::bad(other),
        }
    }
}
impl From<plonk::VerifyError> for Failure {
    fn from(e: plonk::VerifyError) -> Self {
        match e {
            plonk::VerifyError::Device(d) => d.into(),
            plonk::VerifyError::UnsafeKey(_) | plonk::VerifyError::OtherPowers => Self::bad(e),
            other => Self::Rejected(other.into()),
        }
    }
}
