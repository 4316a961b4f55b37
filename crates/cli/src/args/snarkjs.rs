//! Arguments of snarkjs' commands on circuits, witnesses and proofs, with snarkjs' names and order. A command that has a short
//! form here is turned into that form after the command line has been parsed.

use super::{
    Bytes, Command, EngineName, ExportKey, ExportVerificationKey, InputPath, Machines, OutputPath,
    ProofOptions, Protocol, Prove, Setup, SignalNames, Verify, VerifyFrom, VerifyKey, Vkey, Witness, Zkey,
};
use super::{Check, Inspect, KeyPolicy};
use clap::{Args, Subcommand};

pub(super) const PLONK_EXAMPLES: &str = "\
Examples:
  pairwright plonk setup circuit.r1cs pot.ptau circuit.zkey
  pairwright plonk fullprove input.json circuit.wasm circuit.zkey proof.json public.json
  pairwright zkey export verificationkey circuit.zkey verification_key.json
  pairwright plonk verify verification_key.json public.json proof.json";

pub(super) const FFLONK_EXAMPLES: &str = "\
Examples:
  pairwright fflonk setup circuit.r1cs pot.ptau circuit.zkey
  pairwright fflonk fullprove input.json circuit.wasm circuit.zkey proof.json public.json
  pairwright zkey export verificationkey circuit.zkey verification_key.json
  pairwright fflonk verify verification_key.json public.json proof.json";

/// The commands of a protocol.
#[derive(Debug, Subcommand)]
pub(crate) enum ProtocolVerb {
    /// Make a proving key from constraints and powers of tau: snarkjs' key, byte for byte. A key of Groth16 needs contributions.
    Setup(SetupVerb),
    /// Make a proof from a proving key and a witness, as `pairwright prove` does.
    Prove(ProveVerb),
    /// Compute a witness and make a proof from it, as `pairwright prove --wasm` does.
    Fullprove(FullproveVerb),
    /// Verify one proof, as `pairwright verify` does.
    Verify(Verify),
}

#[derive(Debug, Args)]
pub(crate) struct SetupVerb {
    /// Constraints (circom's .r1cs).
    pub r1cs: InputPath,
    /// Powers of tau of a ceremony (.ptau), prepared or not, of sufficient power.
    pub ptau: InputPath,
    /// File to write the proving key to (.zkey).
    pub zkey: OutputPath,
    /// Take about this much memory, such as 512M, for a key of Groth16, as `pairwright setup --memory` does.
    #[arg(long, value_name = "BYTES")]
    pub memory: Option<Bytes>,
    #[command(flatten)]
    pub machines: Machines,
}

#[derive(Debug, Args)]
pub(crate) struct ProveVerb {
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// Values of all wires (.wtns).
    #[arg(default_value = "witness.wtns")]
    pub witness: InputPath,
    /// File to write the proof to.
    #[arg(default_value = "proof.json")]
    pub proof: OutputPath,
    /// File to write the public values to.
    #[arg(default_value = "public.json")]
    pub public: OutputPath,
    #[command(flatten)]
    pub options: ProofOptions,
}

#[derive(Debug, Args)]
pub(crate) struct FullproveVerb {
    /// Inputs of the circuit (JSON).
    pub input: InputPath,
    /// Witness calculator (circom's .wasm), or with --engine native a program that circom's C++ was compiled to.
    pub wasm: InputPath,
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// File to write the proof to.
    #[arg(default_value = "proof.json")]
    pub proof: OutputPath,
    /// File to write the public values to.
    #[arg(default_value = "public.json")]
    pub public: OutputPath,
    /// The engine that runs the calculator.
    #[arg(long, value_enum, value_name = "NAME", default_value = "fastest")]
    pub engine: EngineName,
    #[command(flatten)]
    pub options: ProofOptions,
}

/// The commands on constraints.
#[derive(Debug, Subcommand)]
pub(crate) enum R1cs {
    /// Describe a circuit, as `pairwright inspect` does.
    Info(R1csInfo),
    /// Print the constraints, with the names of their signals.
    Print(R1csPrint),
    /// Write the constraints in another form.
    Export {
        /// The form to write.
        #[command(subcommand)]
        what: ExportR1cs,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportR1cs {
    /// Write the constraints as JSON: snarkjs' text, byte for byte.
    Json(R1csJson),
}

#[derive(Debug, Args)]
pub(crate) struct R1csJson {
    /// Constraints (circom's .r1cs).
    #[arg(default_value = "circuit.r1cs")]
    pub r1cs: InputPath,
    /// File to write the JSON to.
    #[arg(default_value = "circuit.json")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct R1csPrint {
    /// Constraints (circom's .r1cs).
    #[arg(default_value = "circuit.r1cs")]
    pub r1cs: InputPath,
    /// Names of the signals (circom's .sym) [default: the one beside the circuit].
    pub sym: Option<InputPath>,
}

#[derive(Debug, Args)]
pub(crate) struct R1csInfo {
    /// Constraints (circom's .r1cs).
    #[arg(default_value = "circuit.r1cs")]
    pub r1cs: InputPath,
}

/// The commands on witnesses.
#[derive(Debug, Subcommand)]
pub(crate) enum Wtns {
    /// Compute a witness, as `pairwright witness` does.
    Calculate(WtnsCalculate),
    /// Compute a witness and print the signals' values.
    Debug(WtnsDebug),
    /// Check a witness against constraints, as `pairwright check` does.
    Check(WtnsCheck),
    /// Write the values in another form.
    Export {
        /// The form to write.
        #[command(subcommand)]
        what: ExportWtns,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportWtns {
    /// Write the values as JSON: snarkjs' text, byte for byte. They may be secrets.
    Json(WtnsJson),
}

#[derive(Debug, Args)]
pub(crate) struct WtnsJson {
    /// Values of all wires (.wtns).
    #[arg(default_value = "witness.wtns")]
    pub witness: InputPath,
    /// File to write the JSON to.
    #[arg(default_value = "witness.json")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct WtnsDebug {
    /// Witness calculator (circom's .wasm).
    #[arg(default_value = "circuit.wasm")]
    pub wasm: InputPath,
    /// Inputs of the circuit (JSON).
    #[arg(default_value = "input.json")]
    pub input: InputPath,
    /// File to write the witness to (.wtns).
    #[arg(default_value = "witness.wtns")]
    pub witness: OutputPath,
    /// Names of the signals (circom's .sym) [default: the one beside the calculator].
    pub sym: Option<InputPath>,
    /// Print the value that each signal was set to.
    #[arg(short, long)]
    pub set: bool,
    /// Accepted for compatibility with snarkjs, without effect: circom's calculators do not report when they read a signal.
    #[arg(short, long)]
    pub get: bool,
    /// Accepted for compatibility with snarkjs, without effect: circom's calculators do not report when a component begins and ends.
    #[arg(short, long)]
    pub trigger: bool,
}

#[derive(Debug, Args)]
pub(crate) struct WtnsCalculate {
    /// Witness calculator (circom's .wasm), or with --engine native a program that circom's C++ was compiled to.
    #[arg(default_value = "circuit.wasm")]
    pub wasm: InputPath,
    /// Inputs of the circuit (JSON).
    #[arg(default_value = "input.json")]
    pub input: InputPath,
    /// File to write the witness to (.wtns).
    #[arg(default_value = "witness.wtns")]
    pub witness: OutputPath,
    /// The engine that runs the calculator.
    #[arg(long, value_enum, value_name = "NAME", default_value = "fastest")]
    pub engine: EngineName,
}

#[derive(Debug, Args)]
pub(crate) struct WtnsCheck {
    /// Constraints of the circuit (.r1cs).
    #[arg(default_value = "circuit.r1cs")]
    pub r1cs: InputPath,
    /// Values of all wires (.wtns).
    #[arg(default_value = "witness.wtns")]
    pub witness: InputPath,
    #[command(flatten)]
    pub names: SignalNames,
}

impl Command {
    /// Replaces a command of snarkjs by its short form and that form's name; returns every other command as it is.
    pub(crate) fn shortened(self) -> (Self, Option<&'static str>) {
        let short = |command, name| (command, Some(name));
        match self {
            Self::Groth16 { what } => what.of(Protocol::Groth16),
            Self::Plonk { what } => what.of(Protocol::Plonk),
            Self::Fflonk { what } => what.of(Protocol::Fflonk),
            Self::R1cs { what: R1cs::Info(R1csInfo { r1cs: file }) } => {
                short(Self::Inspect(Inspect { file, keys: KeyPolicy::default() }), "inspect")
            }
            Self::Wtns { what: Wtns::Calculate(a) } => {
                let WtnsCalculate { wasm, input, witness: output, engine } = a;
                short(
                    Self::Witness(Witness { wasm, input, engine, sym: None, r1cs: None, output }),
                    "witness",
                )
            }
            Self::Wtns { what: Wtns::Check(WtnsCheck { r1cs, witness, names }) } => {
                short(Self::Check(Check { r1cs, witness, names }), "check")
            }
            Self::Zkey { what: Zkey::Verify(VerifyKey { from: Some(VerifyFrom::R1cs(a)), .. }) } => {
                let verify = VerifyKey { from: None, circuit: Some(a) };
                short(Self::Zkey { what: Zkey::Verify(verify) }, "zkey verify")
            }
            Self::Zkey { what: Zkey::New(a) } => ProtocolVerb::Setup(a).of(Protocol::Groth16),
            Self::Zkey { what: Zkey::Export { what: ExportKey::Verificationkey(a) } } => {
                let ExportVerificationKey { zkey, output, keys } = a;
                short(Self::Vkey(Vkey { zkey, output, keys }), "vkey")
            }
            Self::Generatecall(a) => {
                let what = Zkey::Export { what: ExportKey::Soliditycalldata(a) };
                short(Self::Zkey { what }, "zkey export soliditycalldata")
            }
            other => (other, None),
        }
    }
}

impl ProtocolVerb {
    /// The short form of this command for a protocol, with its name.
    fn of(self, protocol: Protocol) -> (Command, Option<&'static str>) {
        match self {
            Self::Setup(SetupVerb { r1cs, ptau, zkey: output, memory, machines }) => {
                let (ptau, unsafe_local, first) = (Some(ptau), false, true);
                let setup = Setup {
                    r1cs,
                    ptau,
                    keep_prepared: None,
                    unsafe_local,
                    protocol,
                    output,
                    memory,
                    machines,
                    first,
                };
                (Command::Setup(setup), Some("setup"))
            }
            Self::Prove(ProveVerb { zkey, witness, proof: output, public, options }) => {
                let (witness, protocol) = (Some(witness), Some(protocol));
                let (wasm, input, engine) = (None, None, None);
                let prove = Prove { zkey, witness, wasm, input, engine, output, public, options, protocol };
                (Command::Prove(prove), Some("prove"))
            }
            Self::Fullprove(FullproveVerb { input, wasm, zkey, proof: output, public, engine, options }) => {
                let (witness, protocol) = (None, Some(protocol));
                let (wasm, input, engine) = (Some(wasm), Some(input), Some(engine));
                let prove = Prove { zkey, witness, wasm, input, engine, output, public, options, protocol };
                (Command::Prove(prove), Some("prove"))
            }
            Self::Verify(verify) => {
                (Command::Verify(Verify { protocol: Some(protocol), ..verify }), Some("verify"))
            }
        }
    }
}
