//! Arguments of the commands on keys, witnesses and proofs.

use super::{Bytes, InputPath, Machines, OnMachines, OutOfCore, OutputPath};
use clap::{ArgGroup, Args, ValueEnum, ValueHint};
use pairwright::formats::{CurveId, Probe};
use std::path::PathBuf;

/// A protocol whose proofs are made and verified.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Protocol {
    /// Short proofs; one key for each circuit, to which others should contribute.
    Groth16,
    /// One ceremony for all circuits, with no contributions to the key of a circuit.
    Plonk,
    /// As Plonk, but cheaper to verify in a contract and more expensive to prove; on bn128 only.
    Fflonk,
}

impl Protocol {
    /// Its name in files.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Groth16 => "groth16",
            Self::Plonk => "plonk",
            Self::Fflonk => "fflonk",
        }
    }

    /// The protocol that a file names. If it names none of these, Groth16 is returned, whose reader reports the error.
    pub(crate) fn of(probe: &Probe) -> Self {
        Self::named(probe.protocol()).unwrap_or(Self::Groth16)
    }

    /// Whether files of this protocol exist for a curve: those of fflonk are for bn128 only.
    pub(crate) fn has_files_on(self, curve: CurveId) -> bool {
        self != Self::Fflonk || curve == CurveId::Bn254
    }

    /// The protocol with this name in files, if there is one.
    pub(crate) fn named(name: Option<&str>) -> Option<Self> {
        Self::value_variants().iter().copied().find(|protocol| name == Some(protocol.name()))
    }
}

#[derive(Debug, Args)]
pub(crate) struct Demo {
    /// Protocols to show, one after the other.
    #[arg(long, value_enum, value_name = "NAME,...", value_delimiter = ',', default_value = "groth16")]
    pub protocol: Vec<Protocol>,
    /// Keep every file (keys, witnesses, proofs) in this directory.
    #[arg(long, value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub keep: Option<PathBuf>,
    #[command(flatten)]
    pub machines: Machines,
}

#[derive(Debug, Args)]
#[command(group(ArgGroup::new("secrets").required(true).args(["ptau", "unsafe_local"])))]
pub(crate) struct Setup {
    /// Constraints (circom's .r1cs).
    pub r1cs: InputPath,
    /// Powers of tau of a ceremony (snarkjs' .ptau, prepared or not) of sufficient power.
    #[arg(long, value_name = "FILE")]
    pub ptau: Option<InputPath>,
    /// If the powers are not prepared, prepare all of them, and keep them in this file (.ptau) for later setups of Groth16.
    #[arg(long, value_name = "FILE", conflicts_with = "unsafe_local")]
    pub keep_prepared: Option<OutputPath>,
    /// Draw all secrets on this machine. Whoever controls it can forge proofs: for tests and private use only.
    #[arg(long)]
    pub unsafe_local: bool,
    /// Protocol of the key.
    #[arg(long, value_enum, value_name = "NAME", default_value = "groth16")]
    pub protocol: Protocol,
    /// File to write the proving key to (.zkey).
    #[arg(short, long, value_name = "FILE")]
    pub output: OutputPath,
    /// Take about this much memory, such as 512M: constraints and powers, which have to be prepared, are read by ranges, and the key is
    /// written while it is computed. Groth16 only; the key is the same.
    #[arg(long, value_name = "BYTES", conflicts_with_all = ["unsafe_local", "keep_prepared"])]
    pub memory: Option<Bytes>,
    #[command(flatten)]
    pub machines: Machines,
    /// Whether the key is the first of a ceremony, to which nobody contributed.
    #[arg(skip)]
    pub first: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Vkey {
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// File to write the verification key to.
    #[arg(short, long, value_name = "FILE", default_value = "verification_key.json")]
    pub output: OutputPath,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct Witness {
    /// Witness calculator (circom's .wasm), or with --engine native a program that circom's C++ was compiled to.
    pub wasm: InputPath,
    /// Inputs of the circuit (JSON).
    pub input: InputPath,
    /// The engine that runs the calculator.
    #[arg(long, value_enum, value_name = "NAME", default_value = "fastest")]
    pub engine: EngineName,
    /// Name signals with this file (circom's .sym) [default: the one beside the calculator].
    #[arg(long, value_name = "FILE")]
    pub sym: Option<InputPath>,
    /// Check the witness against these constraints before it is written; names the first that fails.
    #[arg(long, value_name = "FILE")]
    pub r1cs: Option<InputPath>,
    /// File to write the witness to (.wtns).
    #[arg(short, long, value_name = "FILE", default_value = "witness.wtns")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Constraints of the circuit (.r1cs).
    pub r1cs: InputPath,
    /// Values of all wires (.wtns).
    pub witness: InputPath,
    #[command(flatten)]
    pub names: SignalNames,
}

/// The engines that run circom's witness calculators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineName {
    /// Compiled by the compiler that is expected to finish sooner; interpreted if there is no compiler for this processor or for the
    /// calculator.
    #[default]
    Fastest,
    /// Compiled to optimised machine code, by Cranelift.
    Compiled,
    /// Compiled to machine code in one pass, by Winch (x86-64).
    Baseline,
    /// Interpreted: no machine code is made of the calculator.
    Interpreted,
    /// Run as a process: the calculator is a program that circom's C++ was compiled to.
    Native,
}

/// How messages name the signals of a circuit.
#[derive(Debug, Args)]
pub(crate) struct SignalNames {
    /// Name signals with this file (circom's .sym) [default: the one beside the circuit].
    #[arg(long, value_name = "FILE")]
    pub sym: Option<InputPath>,
    /// Print the values of the signals of a constraint that fails, which may be secrets.
    #[arg(long)]
    pub show_values: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Prove {
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// Values of all wires (.wtns).
    #[arg(required_unless_present = "wasm", conflicts_with = "wasm")]
    pub witness: Option<InputPath>,
    /// Compute the witness with this calculator instead (.wasm, or a program with --engine native).
    #[arg(long, visible_alias = "calculator", value_name = "FILE", requires = "input")]
    pub wasm: Option<InputPath>,
    /// Inputs for the calculator (JSON).
    #[arg(long, value_name = "FILE", requires = "wasm", conflicts_with = "witness")]
    pub input: Option<InputPath>,
    /// The engine that runs the calculator [default: fastest].
    #[arg(long, value_enum, value_name = "NAME", requires = "wasm", conflicts_with = "witness")]
    pub engine: Option<EngineName>,
    /// File to write the proof to.
    #[arg(short, long, value_name = "FILE", default_value = "proof.json")]
    pub output: OutputPath,
    /// File to write the public values to.
    #[arg(long, value_name = "FILE", default_value = "public.json")]
    pub public: OutputPath,
    #[command(flatten)]
    pub options: ProofOptions,
    /// The protocol that the command names; `None` takes that of the key.
    #[arg(skip)]
    pub protocol: Option<Protocol>,
}

/// Options for making a proof.
#[derive(Debug, Args)]
pub(crate) struct ProofOptions {
    /// Check the witness against these constraints first; names the first that fails.
    #[arg(long, value_name = "FILE")]
    pub r1cs: Option<InputPath>,
    #[command(flatten)]
    pub names: SignalNames,
    /// Check that every point of the key is on the curve and in the subgroup. Without it only the structure is checked, and
    /// the finished proof is verified.
    #[arg(long)]
    pub check: bool,
    /// Derive the randomness from this secret (hexadecimal, at least 16 bytes) and the inputs, so that the same proof can be made again.
    #[arg(long, value_name = "HEX")]
    pub seed: Option<String>,
    /// Write the cost of every operator to this file (JSON), and print it.
    #[arg(long, value_name = "FILE")]
    pub report: Option<OutputPath>,
    #[command(flatten)]
    pub out_of_core: OutOfCore,
    #[command(flatten)]
    pub machines: Machines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Verification key, as `vkey` writes it.
    #[arg(default_value = "verification_key.json")]
    pub vkey: InputPath,
    /// Public values of the proof (JSON).
    #[arg(default_value = "public.json")]
    pub public: InputPath,
    /// The proof to verify (JSON).
    #[arg(default_value = "proof.json")]
    pub proof: InputPath,
    #[command(flatten)]
    pub on: OnMachines,
    #[command(flatten)]
    pub keys: KeyPolicy,
    /// The protocol that the command names; `None` takes that of the key.
    #[arg(skip)]
    pub protocol: Option<Protocol>,
}

#[derive(Debug, Args)]
pub(crate) struct BatchVerify {
    /// Verification key, as `vkey` writes it.
    pub vkey: InputPath,
    /// A text file with one proof per line: {"public": "FILE", "proof": "FILE"}, or two paths, in double quotes if they contain
    /// blanks. Paths are relative to the list. `#` begins a comment. For Plonk and fflonk, a line in JSON may name another "key"
    /// of the same powers of tau.
    pub list: InputPath,
    #[command(flatten)]
    pub machines: Machines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Folder to write the pages to: pairwright.1, pairwright-prove.1 and so on.
    #[arg(value_hint = ValueHint::DirPath)]
    pub folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Inspect {
    /// Any file that pairwright reads or writes.
    pub file: InputPath,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

/// How a command treats a key under which anybody can forge proofs.
#[derive(Clone, Copy, Debug, Default, Args)]
pub(crate) struct KeyPolicy {
    /// Take a key for which anybody can forge proofs, for instance one to which nobody contributed, with a warning.
    #[arg(long)]
    pub allow_unsafe_key: bool,
}
