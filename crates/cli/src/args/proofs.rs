//! What can be said to the commands on keys, witnesses and proofs.

use super::{Machines, input};
use clap::{ArgGroup, Args, Subcommand, ValueHint};
use pairwright::formats::CurveId;
use std::path::PathBuf;

#[derive(Debug, Args)]
pub(crate) struct Demo {
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
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub r1cs: PathBuf,
    /// Powers of tau of a ceremony (snarkjs' .ptau, prepared or not) of sufficient power.
    #[arg(long, value_name = "FILE", value_parser = input())]
    pub ptau: Option<PathBuf>,
    /// Draw all secrets on this machine. Whoever controls it can forge proofs: for tests and private use only.
    #[arg(long)]
    pub unsafe_local: bool,
    /// File to write the proving key to (.zkey).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub machines: Machines,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Plonk {
    /// Make a proving key from constraints and powers of tau: snarkjs' key, byte for byte. There is nothing to contribute.
    Setup(PlonkSetup),
    /// Make a proof from a proving key and a witness; `pairwright prove` with a Plonk key does the same.
    Prove(Prove),
    /// Verify one proof; `pairwright verify` with a Plonk key does the same.
    Verify(Verify),
}

#[derive(Debug, Args)]
pub(crate) struct PlonkSetup {
    /// Constraints (circom's .r1cs).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub r1cs: PathBuf,
    /// Powers of tau of a ceremony (snarkjs' .ptau, prepared or not) of sufficient power.
    #[arg(long, value_name = "FILE", value_parser = input())]
    pub ptau: PathBuf,
    /// File to write the proving key to (.zkey).
    #[arg(short, long, value_name = "FILE")]
    pub output: PathBuf,
    #[command(flatten)]
    pub machines: Machines,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Powers {
    /// Begin a ceremony: powers of tau = 1, to which others contribute.
    New(NewPowers),
    /// Multiply the powers of a ceremony by secrets, which are then forgotten.
    Contribute(ContributePowers),
    /// End a ceremony with a public value that nobody could foresee.
    Beacon(BeaconPowers),
    /// Check that powers come from the contributions that their file records, and that its Lagrange points fit them.
    Verify(VerifyPowers),
    /// Add the Lagrange points that every setup needs, as `snarkjs powersoftau prepare phase2` does: the same bytes.
    Prepare(PreparePowers),
    /// Keep the first powers, for circuits that need no more.
    Truncate(TruncatePowers),
}

#[derive(Debug, Args)]
pub(crate) struct NewPowers {
    /// Curve of the ceremony: bn128, bls12381 or bls12377.
    #[arg(value_parser = curve)]
    pub curve: CurveId,
    /// Base-2 logarithm of the most constraints that its powers are enough for.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=28))]
    pub power: u32,
    /// File to write the powers to (.ptau).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

/// Reads the name of a curve as files or commands have it.
fn curve(name: &str) -> Result<CurveId, String> {
    let known = CurveId::ALL.iter().copied().find(|id| [id.name(), id.other_name()].contains(&name));
    known.ok_or_else(|| {
        let names: Vec<&str> = CurveId::ALL.iter().map(|id| id.name()).collect();
        format!("no curve of that name; there are: {}", names.join(", "))
    })
}

#[derive(Debug, Args)]
pub(crate) struct ContributePowers {
    /// Powers of tau of a ceremony (.ptau).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub ptau: PathBuf,
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
    /// Text that is mixed into the randomness of the operating system.
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    pub entropy: String,
    /// File to write the new powers to (.ptau).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct BeaconPowers {
    /// Powers of tau of a ceremony (.ptau).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub ptau: PathBuf,
    /// Value of the beacon in hexadecimal, 1 to 255 bytes.
    #[arg(value_name = "HEX")]
    pub value: String,
    /// Base-2 logarithm of how often the value is hashed, 10 to 63.
    #[arg(value_name = "LOG")]
    pub log_hashes: u32,
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
    /// File to write the new powers to (.ptau).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyPowers {
    /// Powers of tau of a ceremony (.ptau), prepared or not.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub ptau: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct TruncatePowers {
    /// Powers of tau of a ceremony (.ptau), prepared or not.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub ptau: PathBuf,
    /// Base-2 logarithm of the number of powers to keep.
    pub power: u32,
    /// File to write the first powers to (.ptau).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Zkey {
    /// Multiply delta of a key by a secret, which is then forgotten.
    Contribute(ContributeKey),
    /// End a key's ceremony with a public value that nobody could foresee.
    Beacon(BeaconKey),
    /// Check that a key is that of a circuit, and comes from the contributions that its file records.
    Verify(VerifyKey),
}

#[derive(Debug, Args)]
pub(crate) struct ContributeKey {
    /// Proving key (.zkey).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub zkey: PathBuf,
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
    /// Text that is mixed into the randomness of the operating system.
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    pub entropy: String,
    /// File to write the new key to (.zkey).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct BeaconKey {
    /// Proving key (.zkey).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub zkey: PathBuf,
    /// Value of the beacon in hexadecimal, 1 to 255 bytes.
    #[arg(value_name = "HEX")]
    pub value: String,
    /// Base-2 logarithm of how often the value is hashed, 10 to 63.
    #[arg(value_name = "LOG")]
    pub log_hashes: u32,
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
    /// File to write the new key to (.zkey).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyKey {
    /// Constraints (circom's .r1cs).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub r1cs: PathBuf,
    /// Powers of tau that the key was made from (.ptau).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub ptau: PathBuf,
    /// Proving key (.zkey).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub zkey: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct PreparePowers {
    /// Powers of tau of a ceremony (snarkjs' .ptau), not prepared yet.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub ptau: PathBuf,
    /// File to write the prepared powers to (.ptau).
    #[arg(short, long, value_name = "FILE", value_hint = ValueHint::FilePath)]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Vkey {
    /// Proving key (.zkey).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub zkey: PathBuf,
    /// File to write the verification key to.
    #[arg(short, long, value_name = "FILE", default_value = "verification_key.json")]
    pub output: PathBuf,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct Witness {
    /// Witness calculator (circom's .wasm), or with --engine native a program that circom's C++ was compiled to.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub wasm: PathBuf,
    /// Inputs of the circuit (JSON).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub input: PathBuf,
    /// What runs the calculator.
    #[arg(long, value_enum, value_name = "NAME", default_value = "fastest")]
    pub engine: EngineName,
    /// Name signals with this file (circom's .sym) [default: the one beside the calculator].
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = input())]
    pub sym: Option<PathBuf>,
    /// Check the witness against these constraints before it is written; names the first that fails.
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = input())]
    pub r1cs: Option<PathBuf>,
    /// File to write the witness to (.wtns).
    #[arg(short, long, value_name = "FILE", default_value = "witness.wtns")]
    pub output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Check {
    /// Constraints of the circuit (.r1cs).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub r1cs: PathBuf,
    /// Values of all wires (.wtns).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub witness: PathBuf,
    #[command(flatten)]
    pub names: SignalNames,
}

/// What runs circom's calculators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub(crate) enum EngineName {
    /// Compiled, in the way that is done sooner; interpreted where this processor or the calculator is none for a compiler.
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
    #[arg(long, value_name = "FILE", value_hint = ValueHint::FilePath, value_parser = input())]
    pub sym: Option<PathBuf>,
    /// Print the values of the signals of a constraint that fails: they may be secrets.
    #[arg(long)]
    pub show_values: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Prove {
    /// Proving key (.zkey).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub zkey: PathBuf,
    /// Values of all wires (.wtns).
    #[arg(required_unless_present = "wasm", conflicts_with = "wasm", value_hint = ValueHint::FilePath, value_parser = input())]
    pub witness: Option<PathBuf>,
    /// Compute the witness with this calculator instead (.wasm, or a program with --engine native).
    #[arg(long, visible_alias = "calculator", value_name = "FILE", requires = "input", value_parser = input())]
    pub wasm: Option<PathBuf>,
    /// Inputs for the calculator (JSON).
    #[arg(long, value_name = "FILE", requires = "wasm", conflicts_with = "witness", value_parser = input())]
    pub input: Option<PathBuf>,
    /// What runs the calculator [default: fastest].
    #[arg(long, value_enum, value_name = "NAME", requires = "wasm", conflicts_with = "witness")]
    pub engine: Option<EngineName>,
    /// File to write the proof to.
    #[arg(short, long, value_name = "FILE", default_value = "proof.json")]
    pub output: PathBuf,
    /// File to write the public values to.
    #[arg(long, value_name = "FILE", default_value = "public.json")]
    pub public: PathBuf,
    /// Check the witness against these constraints first; names the first that fails.
    #[arg(long, value_name = "FILE", value_parser = input())]
    pub r1cs: Option<PathBuf>,
    #[command(flatten)]
    pub names: SignalNames,
    /// Check every point of the key: on the curve and in the subgroup. Without it only the structure is checked, and
    /// the finished proof is verified.
    #[arg(long)]
    pub check: bool,
    /// Derive the randomness from this secret (hexadecimal, at least 16 bytes) and the inputs: the same proof again.
    #[arg(long, value_name = "HEX")]
    pub seed: Option<String>,
    /// Write the cost of every operator to this file (JSON), and print it.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub machines: Machines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct Verify {
    /// Verification key, as `vkey` writes it.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub vkey: PathBuf,
    /// Public values of the proof (JSON).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub public: PathBuf,
    /// The proof to verify (JSON).
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub proof: PathBuf,
    /// Write the cost of every operator to this file (JSON), and print it.
    #[arg(long, value_name = "FILE")]
    pub report: Option<PathBuf>,
    #[command(flatten)]
    pub machines: Machines,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct BatchVerify {
    /// Verification key, as `vkey` writes it.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub vkey: PathBuf,
    /// A text file with a proof a line: {"public": "FILE", "proof": "FILE"}, or two paths, in double quotes if they hold
    /// blanks. Paths are relative to the list. `#` begins a comment. Of Plonk proofs, a line in JSON may name another "key"
    /// of the same powers of tau.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub list: PathBuf,
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
    /// Any of the files pairwright reads or writes.
    #[arg(value_hint = ValueHint::FilePath, value_parser = input())]
    pub file: PathBuf,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

/// What a command does with a key that proves nothing.
#[derive(Clone, Copy, Debug, Args)]
pub(crate) struct KeyPolicy {
    /// Take a key for which anybody can forge proofs, for instance one to which nobody contributed, with a warning.
    #[arg(long)]
    pub allow_unsafe_key: bool,
}
