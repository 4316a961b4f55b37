//! The compiled circuit of a payment, which is part of the command, and its witnesses.

use super::statement::PUBLIC;
use crate::args::Cli;
use crate::args::payment::PaymentCircuit;
use crate::failure::{Failure, PaymentError};
use crate::{files, output};
use flate2::read::ZlibDecoder;
use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::formats::{FileBytes, R1csFile};
use pairwright::protocols::groth16::{ProvingKey, VerifyingKey};
use pairwright::protocols::r1cs::ConstraintSource;
use pairwright::witness::{Calculator, Inputs};
use serde::Serialize;
use std::io::{self, Read};
use std::path::Path;

/// Constraints (.r1cs), compressed by zlib.
const R1CS: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/payment.r1cs.zlib"));
/// Calculator of witnesses (.wasm), compressed by zlib.
const WASM: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/payment.wasm.zlib"));

/// Number of wires of the circuit.
const WIRES: usize = 8110;

fn whole(compressed: &[u8]) -> Result<Vec<u8>, Failure> {
    let mut bytes = Vec::new();
    ZlibDecoder::new(compressed).read_to_end(&mut bytes).map_err(|why| Failure::Internal(why.into()))?;
    Ok(bytes)
}

/// The command's result for the circuit: its curve and sizes.
#[derive(Serialize)]
struct Shape {
    curve: &'static str,
    constraints: usize,
    wires: usize,
    public: usize,
}

/// Writes the circuit's files.
pub(super) fn run(cli: &Cli, args: &PaymentCircuit) -> Result<(), Failure> {
    for (path, compressed) in [(&args.r1cs, R1CS), (&args.wasm, WASM)] {
        let Some(path) = path else { continue };
        files::write(path, |out| {
            io::copy(&mut ZlibDecoder::new(compressed), out)?;
            Ok(())
        })?;
    }
    let system = R1csFile::<Fr>::read(FileBytes::from_vec("payment12.r1cs", whole(R1CS)?))?;
    let shape = system.shape();
    let shape = Shape {
        curve: "bls12381",
        constraints: shape.constraints,
        wires: shape.wires,
        public: shape.public(),
    };
    output::print_done(cli, &shape, |s| {
        format!(
            "the circuit of a payment on {}: {} constraints, {} wires, {} public values",
            s.curve, s.constraints, s.wires, s.public
        )
    })
}

/// Computes the values of all wires.
///
/// # Errors
/// [`PaymentError::Circuit`] when the inputs do not satisfy the circuit.
pub(super) fn witness(inputs: &Inputs) -> Result<Vec<Fr>, Failure> {
    let calculator = Calculator::from_bytes(&whole(WASM)?)?;
    Ok(calculator.witness::<Fr>(inputs).map_err(PaymentError::Circuit)?)
}

/// Fails for a proving key with another number of wires or public values.
pub(super) fn expect_proving_key(path: &Path, key: &ProvingKey<Bls12_381>) -> Result<(), PaymentError> {
    if (key.wires, key.public) == (WIRES, PUBLIC) {
        return Ok(());
    }
    let why =
        format!("{} wires and {} public values, where it has {WIRES} and {PUBLIC}", key.wires, key.public);
    Err(PaymentError::OtherCircuit { path: path.to_owned(), why })
}

/// Fails for a verification key with another number of public values; it tells nothing else about the circuit.
pub(super) fn expect_verifying_key(path: &Path, key: &VerifyingKey<Bls12_381>) -> Result<(), PaymentError> {
    let found = key.public();
    if found == PUBLIC {
        return Ok(());
    }
    let why = format!("{found} public values, where it has {PUBLIC}");
    Err(PaymentError::OtherCircuit { path: path.to_owned(), why })
}
