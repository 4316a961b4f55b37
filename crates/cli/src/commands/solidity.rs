//! Runs `pairwright zkey export solidityverifier` and `soliditycalldata`: contracts, and the arguments of their calls.

use super::plonkish::{Fflonk, Gates, Plonk};
use crate::args::{Cli, ExportSolidityCalldata, ExportSolidityVerifier, KeyPolicy, Protocol};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files;
use crate::output;
use pairwright::curve::Pairing;
use pairwright::formats::solidity::{groth16_calldata, groth16_contract};
use pairwright::formats::{
    FileBytes, FileKind, ZkeyFile, probe, read_proof, read_public, read_verifying_key,
};
use pairwright::protocols::plonkish::PlonkishKey;
use serde::Serialize;

/// The command's result for a contract that was written.
#[derive(Serialize)]
struct Written {
    protocol: &'static str,
    curve: &'static str,
    public: usize,
}

/// Writes the contract for a key: a proving key, or a verification key.
pub(super) fn write_contract(cli: &Cli, args: &ExportSolidityVerifier) -> Result<(), Failure> {
    let file = FileBytes::open(&args.key)?;
    let probe = probe(&file)?;
    let (curve, protocol) = (probe.curve()?, Protocol::of(&probe));
    let proving = probe.kind() == FileKind::Zkey;
    let (text, public) = match protocol {
        Protocol::Groth16 => on_curve!(curve, of_groth16(cli, args, file, proving))?,
        Protocol::Plonk => on_curve!(curve, of_gates(Plonk, cli, args, file, proving))?,
        Protocol::Fflonk => on_curve!(curve, of_gates(Fflonk, cli, args, file, proving))?,
    };
    files::write(&args.output, |out| Ok(out.write_all(text.as_bytes())?))?;
    let done = Written { protocol: protocol.name(), curve: curve.name(), public };
    output::print_done(cli, &done, |d| {
        format!(
            "{}: Solidity contract for proofs of {} on {}, {} public values",
            args.output.display(),
            d.protocol,
            d.curve,
            d.public
        )
    })
}

/// The contract for a Groth16 key and its number of public values. An unsafe key is always refused here.
fn of_groth16<E: Pairing>(
    cli: &Cli,
    args: &ExportSolidityVerifier,
    file: FileBytes,
    proving: bool,
) -> Result<(String, usize), Failure> {
    let policy = KeyPolicy::default();
    let vk = if proving {
        let zkey = ZkeyFile::<E>::read(file)?;
        let vk = zkey.verifying_key()?;
        policy.judge_proving(cli, &args.key, &zkey, &vk)?;
        vk.check().map_err(Failure::bad)?
    } else {
        let vk = read_verifying_key::<E>(file)?;
        policy.judge(cli, &args.key, &vk)?;
        vk
    };
    Ok((groth16_contract(&vk).map_err(Failure::bad)?, vk.public()))
}

/// The contract for a key of Plonk or fflonk and its number of public values.
fn of_gates<E: Pairing>(
    of: impl Gates,
    cli: &Cli,
    args: &ExportSolidityVerifier,
    file: FileBytes,
    proving: bool,
) -> Result<(String, usize), Failure> {
    let vk = if proving {
        of.zkey::<E>(file)?.verifying_key()?.checked().map_err(Failure::bad)?
    } else {
        of.read_key::<E>(file)?
    };
    KeyPolicy::default().judge_gates(cli, &args.key, of.weakness(&vk))?;
    Ok((of.contract(&vk).map_err(Failure::bad)?, vk.public()))
}

/// The command's result for the arguments of a call.
#[derive(Serialize)]
struct Call {
    protocol: &'static str,
    curve: &'static str,
    /// The arguments of the contract's function.
    calldata: String,
}

/// Prints the arguments of a call that verifies a proof.
pub(super) fn print_calldata(cli: &Cli, args: &ExportSolidityCalldata) -> Result<(), Failure> {
    let (file, curve, protocol) = files::open_of_protocol(&args.proof)?;
    let calldata = on_curve!(curve, arguments(args, file, protocol))?;
    let call = Call { protocol: protocol.name(), curve: curve.name(), calldata };
    output::print(cli, &call, |call| call.calldata.clone())
}

/// The arguments of a call for a proof. A proof with invalid points is rejected here already.
fn arguments<E: Pairing>(
    args: &ExportSolidityCalldata,
    file: FileBytes,
    protocol: Protocol,
) -> Result<String, Failure> {
    let public = read_public::<E::Fr>(FileBytes::open(&args.public)?).map_err(Failure::of_proof)?;
    let text = match protocol {
        Protocol::Groth16 => {
            groth16_calldata::<E>(&*read_proof::<E>(file).map_err(Failure::of_proof)?, &public)
        }
        Protocol::Plonk => Plonk.calldata(&*Plonk.read_proof::<E>(file).map_err(Failure::of_proof)?, &public),
        Protocol::Fflonk => {
            Fflonk.calldata(&*Fflonk.read_proof::<E>(file).map_err(Failure::of_proof)?, &public)
        }
    };
    text.map_err(Failure::bad)
}
