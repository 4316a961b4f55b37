//! Conversions of the libraries' errors into failures of the command: a rejection, bad input, or an internal error.

use super::{ArgumentError, Failure, ModelFault, SealedError};
use pairwright::chip::compiler::CompileError;
use pairwright::chip::machine::MachineError;
use pairwright::chip::machine::top::TopError;
use pairwright::chip::operator::OperatorError;
use pairwright::chip_programs::RunError;
use pairwright::chip_programs::prover::ProofError;
use pairwright::device::DeviceError;
use pairwright::formats::bls::DocumentError;
use pairwright::formats::keystore::KeystoreError;
use pairwright::formats::{CeremonyError, FormatError, VerifyKeyError, VerifyPowersError};
use pairwright::gpu::GpuError;
use pairwright::moma::MomaError;
use pairwright::protocols::groth16::{ContributeError, ProveError, SetupError, VerifyError};
use pairwright::protocols::plonk;
use pairwright::protocols::r1cs::R1csError;
use pairwright::protocols::schemes::bls::threshold::ThresholdError;
use pairwright::protocols::schemes::bls::{self, BlsError};
use pairwright::scale::ScaleError;
use pairwright::sim::settings::SettingError;
use pairwright::witness::WitnessError;
use pairwright_plot::PlotError;

/// Converts every error of the given types into the same kind of failure.
macro_rules! all {
    ($kind:ident: $($error:ty),+) => {$(
        impl From<$error> for Failure {
            fn from(e: $error) -> Self {
                Self::$kind(e.into())
            }
        }
    )+};
}

all!(BadInput: ArgumentError, DocumentError, R1csError, SettingError, ThresholdError, WitnessError);
all!(Internal: ModelFault, PlotError);

/// Converts the errors of the given types: those of a device like the device's own errors, all others into bad input.
macro_rules! device_or_bad {
    ($($error:ident),+) => {$(
        impl From<$error> for Failure {
            fn from(e: $error) -> Self {
                match e {
                    $error::Device(d) => d.into(),
                    other => Self::bad(other),
                }
            }
        }
    )+};
}

device_or_bad!(ProveError, SetupError);

impl From<MomaError> for Failure {
    fn from(e: MomaError) -> Self {
        match e {
            MomaError::NotDecreasing { .. } => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<ScaleError> for Failure {
    fn from(e: ScaleError) -> Self {
        match e {
            ScaleError::Device(why) => why.into(),
            ScaleError::Format(why) => why.into(),
            // The library itself makes plans and jobs, so that errors in them are internal.
            ScaleError::Plan(_) | ScaleError::Job { .. } | ScaleError::NotDone(_) => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<GpuError> for Failure {
    fn from(e: GpuError) -> Self {
        match e {
            // A kernel whose result differs from the host's is a fault of this program or of the machine.
            GpuError::Wrong { .. } | GpuError::NotReduced { .. } | GpuError::KernelFailed { .. } => {
                Self::Internal(e.into())
            }
            other => Self::bad(other),
        }
    }
}
impl From<CompileError> for Failure {
    fn from(e: CompileError) -> Self {
        match e {
            // The library makes the programs: whether their words can be encoded does not depend on the design.
            CompileError::Word(_) => Self::Internal(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<RunError> for Failure {
    fn from(e: RunError) -> Self {
        match e {
            // The design is inconsistent; any other error is a hazard that the compiler must not leave in a program.
            RunError::Machine(MachineError::Interval { .. } | MachineError::Memory { .. }) => Self::bad(e),
            other => Self::Internal(other.into()),
        }
    }
}
impl From<OperatorError> for Failure {
    fn from(e: OperatorError) -> Self {
        match e {
            // The design cannot be built, or the program does not fit into its memory.
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
impl From<ProofError> for Failure {
    fn from(e: ProofError) -> Self {
        match e {
            ProofError::Operator(why) => why.into(),
            // The library makes the plans and programs, so that errors in them are internal.
            other => Self::Internal(other.into()),
        }
    }
}
impl From<SealedError> for Failure {
    fn from(e: SealedError) -> Self {
        if e.is_rejection() { Self::Rejected(e.into()) } else { Self::bad(e) }
    }
}
impl From<FormatError> for Failure {
    fn from(e: FormatError) -> Self {
        match e {
            FormatError::Device(d) => d.into(),
            FormatError::Age(why) if why.is_rejection() => Self::Rejected(why.into()),
            other => Self::bad(other),
        }
    }
}
impl From<DeviceError> for Failure {
    fn from(e: DeviceError) -> Self {
        match e {
            // These operands come from files.
            DeviceError::Source(_) | DeviceError::Domain(_) | DeviceError::EntryOutOfRange { .. } => {
                Self::bad(e)
            }
            // The operands are too large for the device.
            DeviceError::NoMemory { .. } => Self::bad(e),
            other => Self::Internal(other.into()),
        }
    }
}
impl From<CeremonyError> for Failure {
    fn from(e: CeremonyError) -> Self {
        match e {
            CeremonyError::Setup(s) => s.into(),
            CeremonyError::Contribute(ContributeError::Device(d)) => d.into(),
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
impl From<KeystoreError> for Failure {
    fn from(e: KeystoreError) -> Self {
        match e {
            KeystoreError::Checksum { .. } => Self::Rejected(e.into()),
            other => Self::bad(other),
        }
    }
}
impl From<BlsError> for Failure {
    fn from(e: BlsError) -> Self {
        if e.is_rejection() { Self::Rejected(e.into()) } else { Self::bad(e) }
    }
}
impl From<bls::VerifyError> for Failure {
    fn from(e: bls::VerifyError) -> Self {
        match e {
            bls::VerifyError::Device(d) => d.into(),
            bls::VerifyError::Signature(why) => why.into(),
            bls::VerifyError::NoSigners => Self::bad(e),
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
