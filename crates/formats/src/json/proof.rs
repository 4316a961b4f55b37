//! Reads and writes `proof.json` as snarkjs does.

use super::{
    Coordinate, Declared, coordinates, expect_at_most, flat, flat_coordinates, parse, point, print, refused,
};
use crate::{CurveId, FileBytes, FormatError};
use pairwright_curve::Pairing;
use pairwright_protocols::groth16::{InSubgroup, Proof};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// Most bytes of a proof: three points in decimal have a thousand or two.
const MOST: u64 = 1 << 20;

/// The members in the order of snarkjs.
#[derive(Serialize, Deserialize)]
struct Document {
    pi_a: Vec<String>,
    pi_b: Vec<Coordinate>,
    pi_c: Vec<String>,
    protocol: String,
    #[serde(default)]
    curve: Option<String>,
}

/// Reads a Groth16 proof. `curve` may be missing, as in proofs of other provers of the family; members that are not
/// known are ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, protocol or curve are others, a number is not decimal or not below the modulus, a
/// last coordinate is not one; and, for which [`FormatError::is_rejection`] holds, when a point is not on the curve
/// or not in the subgroup.
pub fn read_proof<E: Pairing>(file: FileBytes) -> Result<InSubgroup<Proof<E>>, FormatError> {
    expect_at_most(&file, MOST, "a proof")?;
    parse::<Declared>(&file)?.expect::<E>(&file)?;
    let document: Document = parse(&file)?;
    let proof = Proof {
        a: point(&file, "pi_a", &flat(document.pi_a))?,
        b: point(&file, "pi_b", &document.pi_b)?,
        c: point(&file, "pi_c", &flat(document.pi_c))?,
    };
    proof.check().map_err(|bad| refused::<E>(&file, bad))
}

/// Writes a proof as snarkjs does, byte for byte.
///
/// # Errors
/// When `out` fails.
pub fn write_proof<E: Pairing>(out: &mut dyn Write, proof: &Proof<E>) -> Result<(), FormatError> {
    print(
        out,
        &Document {
            pi_a: flat_coordinates(&proof.a),
            pi_b: coordinates(&proof.b),
            pi_c: flat_coordinates(&proof.c),
            protocol: "groth16".to_owned(),
            curve: Some(CurveId::name_of::<E>().to_owned()),
        },
    )
}
