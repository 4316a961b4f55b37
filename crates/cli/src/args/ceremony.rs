//! Arguments of the commands on ceremonies, `pairwright powersoftau` and `zkey`: snarkjs' names, in snarkjs' order.

use super::{InputPath, KeyPolicy, OutputPath, SetupVerb};
use clap::{Args, Subcommand};
use pairwright::formats::CurveId;

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
    /// Compute the Lagrange points that every setup from these powers needs.
    Prepare {
        /// The preparation to make.
        #[command(subcommand)]
        what: Prepare,
    },
    /// Write powers in another form.
    Export {
        /// The form to write.
        #[command(subcommand)]
        what: ExportPowers,
    },
    /// Work on the challenge of a ceremony, without its powers.
    Challenge {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Challenge,
    },
    /// Import contributions that others have made.
    Import {
        /// The contribution to import.
        #[command(subcommand)]
        what: ImportPowers,
    },
    /// Compute the Lagrange points of a prepared file again: files of old versions of snarkjs lack some of them.
    Convert(PreparePowers),
    /// Keep only the first powers, for smaller circuits: FILE.ptau gives FILE_01.ptau, FILE_02.ptau and so on.
    Truncate(TruncatePowers),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Prepare {
    /// Add the Lagrange points of all sizes.
    Phase2(PreparePowers),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportPowers {
    /// Write the challenge that a contributor answers: snarkjs' bytes.
    Challenge(ExportChallenge),
    /// Write powers and contributions as JSON.
    Json(PowersJson),
}

#[derive(Debug, Subcommand)]
pub(crate) enum Challenge {
    /// Answer a challenge with a contribution, which the ceremony's coordinator imports.
    Contribute(AnswerChallenge),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportPowers {
    /// Write the powers with the response to their challenge as one more contribution.
    Response(ImportResponse),
}

#[derive(Debug, Args)]
pub(crate) struct ExportChallenge {
    /// Powers of tau of a ceremony (.ptau).
    pub ptau: InputPath,
    /// File to write the challenge to.
    #[arg(default_value = "challenge")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct PowersJson {
    /// Powers of tau of a ceremony (.ptau).
    pub ptau: InputPath,
    /// File to write the JSON to.
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerChallenge {
    /// Curve of the ceremony: bn128, bls12381 or bls12377.
    #[arg(value_parser = curve)]
    pub curve: CurveId,
    /// The challenge to answer.
    pub challenge: InputPath,
    /// File to write the response to.
    #[arg(default_value = "response")]
    pub output: OutputPath,
    /// Text that is mixed into the randomness of the operating system.
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    pub entropy: String,
}

#[derive(Debug, Args)]
pub(crate) struct ImportResponse {
    /// Powers of tau whose challenge was answered, or only their record of contributions (.ptau).
    pub ptau: InputPath,
    /// The response to their challenge.
    pub response: InputPath,
    /// File to write the new powers to (.ptau).
    pub output: OutputPath,
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
    /// Write the record of the contributions without the powers, which the contributors pass on.
    #[arg(long)]
    pub nopoints: bool,
    /// Accepted for compatibility with snarkjs, without effect: the contribution's proofs are verified in any case.
    #[arg(long)]
    pub nocheck: bool,
}

#[derive(Debug, Args)]
pub(crate) struct NewPowers {
    /// Curve of the ceremony: bn128, bls12381 or bls12377.
    #[arg(value_parser = curve)]
    pub curve: CurveId,
    /// Base-2 logarithm of the largest number of constraints that its powers suffice for.
    #[arg(value_parser = clap::value_parser!(u32).range(1..=28))]
    pub power: u32,
    /// File to write the powers to (.ptau).
    #[arg(default_value = "powersoftau_0000.ptau")]
    pub output: OutputPath,
}

/// Parses the name of a curve, in either of its spellings.
fn curve(name: &str) -> Result<CurveId, String> {
    let known = CurveId::ALL.iter().copied().find(|id| [id.name(), id.other_name()].contains(&name));
    known.ok_or_else(|| {
        let names: Vec<&str> = CurveId::ALL.iter().map(|id| id.name()).collect();
        format!("no curve of that name; there are: {}", names.join(", "))
    })
}

/// Arguments of a contribution with secrets that are drawn at random.
#[derive(Debug, Args)]
pub(crate) struct ByName {
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
    /// Text that is mixed into the randomness of the operating system.
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    pub entropy: String,
}

/// Arguments of a contribution by a public beacon.
#[derive(Debug, Args)]
pub(crate) struct ByBeacon {
    /// Value of the beacon in hexadecimal, 1 to 255 bytes.
    #[arg(value_name = "HEX")]
    pub value: String,
    /// Base-2 logarithm of the number of times that the value is hashed, 10 to 63.
    #[arg(value_name = "LOG")]
    pub log_hashes: u32,
    /// Name that the record of the contribution carries, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
}

#[derive(Debug, Args)]
pub(crate) struct ContributePowers {
    /// Powers of tau of a ceremony (.ptau).
    pub ptau: InputPath,
    /// File to write the new powers to (.ptau).
    pub output: OutputPath,
    #[command(flatten)]
    pub by: ByName,
}

#[derive(Debug, Args)]
pub(crate) struct BeaconPowers {
    /// Powers of tau of a ceremony (.ptau).
    pub ptau: InputPath,
    /// File to write the new powers to (.ptau).
    pub output: OutputPath,
    #[command(flatten)]
    pub by: ByBeacon,
}

#[derive(Debug, Args)]
pub(crate) struct VerifyPowers {
    /// Powers of tau of a ceremony (.ptau), prepared or not.
    pub ptau: InputPath,
}

#[derive(Debug, Args)]
pub(crate) struct TruncatePowers {
    /// Powers of tau of a ceremony (.ptau), prepared or not.
    pub ptau: InputPath,
    /// Base-2 logarithm of the number of powers to keep [default: every one from 1 on, a file for each].
    pub power: Option<u32>,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Zkey {
    /// Make the first key of a circuit, to which others contribute, as `groth16 setup` does.
    New(SetupVerb),
    /// Multiply delta of a key by a secret, which is then forgotten.
    Contribute(ContributeKey),
    /// End a key's ceremony with a public value that nobody could foresee.
    Beacon(BeaconKey),
    /// Check that a key is that of a circuit, and comes from the contributions that its file records.
    Verify(VerifyKey),
    /// Write the contents of a key in another form.
    Export {
        /// The form to write.
        #[command(subcommand)]
        what: ExportKey,
    },
    /// Work on the parameters of a key in bellman's form, without the key.
    Bellman {
        /// The subcommand to run.
        #[command(subcommand)]
        what: Bellman,
    },
    /// Import contributions that others have made.
    Import {
        /// The contribution to import.
        #[command(subcommand)]
        what: ImportKey,
    },
}

#[derive(Debug, Subcommand)]
pub(crate) enum Bellman {
    /// Multiply delta of a key by a secret, which is then forgotten; the ceremony's coordinator imports the response.
    Contribute(AnswerBellman),
}

#[derive(Debug, Subcommand)]
pub(crate) enum ImportKey {
    /// Write the key with the contributions of a response in bellman's form: snarkjs' bytes.
    Bellman(ImportBellman),
}

#[derive(Debug, Args)]
pub(crate) struct ExportBellman {
    /// Groth16 key of a ceremony (.zkey).
    pub zkey: InputPath,
    /// File to write the parameters to.
    #[arg(default_value = "circuit.mpcparams")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct AnswerBellman {
    /// Curve of the key: bn128, bls12381 or bls12377.
    #[arg(value_parser = curve)]
    pub curve: CurveId,
    /// Parameters of the key (.mpcparams).
    pub challenge: InputPath,
    /// File to write the response to.
    pub output: OutputPath,
    /// Text that is mixed into the randomness of the operating system.
    #[arg(short, long, value_name = "TEXT", default_value = "")]
    pub entropy: String,
}

#[derive(Debug, Args)]
pub(crate) struct ImportBellman {
    /// Key to whose parameters others have contributed (.zkey).
    pub zkey: InputPath,
    /// The response, with all contributions of the key and at least one more.
    pub response: InputPath,
    /// File to write the new key to (.zkey).
    pub output: OutputPath,
    /// Name that the records of the new contributions carry, cut to 64 bytes.
    #[arg(short, long, default_value = "")]
    pub name: String,
}

#[derive(Debug, Subcommand)]
pub(crate) enum ExportKey {
    /// Write the verification key, as `vkey` does.
    Verificationkey(ExportVerificationKey),
    /// Write a Groth16 key for contributors with bellman's tools: snarkjs' bytes.
    Bellman(ExportBellman),
    /// Write a Groth16 key as JSON: snarkjs' text, byte for byte.
    Json(ZkeyJson),
    /// Write a Solidity contract that verifies proofs under the key: on bn128 in place of snarkjs' contract, on bls12381 by
    /// the precompiles of EIP-2537.
    Solidityverifier(ExportSolidityVerifier),
    /// Print the arguments of a call of the contract: snarkjs' text on bn128.
    Soliditycalldata(ExportSolidityCalldata),
}

#[derive(Debug, Args)]
pub(crate) struct ExportSolidityVerifier {
    /// Proving key (.zkey), or verification key (JSON).
    pub key: InputPath,
    /// File to write the contract to.
    #[arg(default_value = "verifier.sol")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct ExportSolidityCalldata {
    /// Public values of the proof (JSON).
    #[arg(default_value = "public.json")]
    pub public: InputPath,
    /// The proof to pass to the contract (JSON).
    #[arg(default_value = "proof.json")]
    pub proof: InputPath,
}

#[derive(Debug, Args)]
pub(crate) struct ZkeyJson {
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// File to write the JSON to.
    #[arg(default_value = "circuit_final.zkey.json")]
    pub output: OutputPath,
}

#[derive(Debug, Args)]
pub(crate) struct ExportVerificationKey {
    /// Proving key of any protocol (.zkey).
    pub zkey: InputPath,
    /// File to write the verification key to.
    #[arg(default_value = "verification_key.json")]
    pub output: OutputPath,
    #[command(flatten)]
    pub keys: KeyPolicy,
}

#[derive(Debug, Args)]
pub(crate) struct ContributeKey {
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// File to write the new key to (.zkey).
    pub output: OutputPath,
    #[command(flatten)]
    pub by: ByName,
}

#[derive(Debug, Args)]
pub(crate) struct BeaconKey {
    /// Proving key (.zkey).
    pub zkey: InputPath,
    /// File to write the new key to (.zkey).
    pub output: OutputPath,
    #[command(flatten)]
    pub by: ByBeacon,
}

#[derive(Debug, Args)]
#[command(args_conflicts_with_subcommands = true, subcommand_negates_reqs = true)]
pub(crate) struct VerifyKey {
    /// The reference that the key is compared with.
    #[command(subcommand)]
    pub from: Option<VerifyFrom>,
    #[command(flatten)]
    pub circuit: Option<KeyOfCircuit>,
}

/// The references that a key can be compared with.
#[derive(Debug, Subcommand)]
pub(crate) enum VerifyFrom {
    /// Compare with the first key, made again from the constraints, as `zkey verify` without this word does.
    R1cs(KeyOfCircuit),
    /// Compare with a first key that is known to be the circuit's.
    Init(KeyOfFirst),
}

#[derive(Debug, Args)]
pub(crate) struct KeyOfFirst {
    /// First key of the ceremony, without a contribution (.zkey).
    pub first: InputPath,
    /// Powers of tau that the key was made from (.ptau).
    pub ptau: InputPath,
    /// Proving key (.zkey).
    pub zkey: InputPath,
}

#[derive(Debug, Args)]
pub(crate) struct KeyOfCircuit {
    /// Constraints (circom's .r1cs).
    pub r1cs: InputPath,
    /// Powers of tau that the key was made from (.ptau).
    pub ptau: InputPath,
    /// Proving key (.zkey).
    pub zkey: InputPath,
}

#[derive(Debug, Args)]
pub(crate) struct PreparePowers {
    /// Powers of tau of a ceremony (snarkjs' .ptau), not prepared yet.
    pub ptau: InputPath,
    /// File to write the prepared powers to (.ptau).
    pub output: OutputPath,
}
