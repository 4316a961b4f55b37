//! Reads Groth16 proofs in snarkjs' JSON (`proof.json`).

use super::{Coordinate, Declared, expect_at_most, flat, parse, point, refused};
use crate::{FileBytes, FormatError};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_protocols::groth16::{InSubgroup, Proof};
use serde::{Deserialize, Serialize};

/// Largest size of a proof in bytes; three points in decimal take one or two thousand.
const MOST: u64 = 1 << 20;

/// The members of a proof, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
pub(super) struct Document {
    pub(super) pi_a: Vec<String>,
    pub(super) pi_b: Vec<Coordinate>,
    pub(super) pi_c: Vec<String>,
    pub(super) protocol: String,
    #[serde(default)]
    pub(super) curve: Option<String>,
}

/// Reads a Groth16 proof. `curve` may be missing, as in the proofs of some other provers for circom; unknown members are
/// ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, the protocol or the curve is another one, a number is not decimal or not below the modulus,
/// or a last coordinate is not one; also, with [`FormatError::is_rejection`] true, when a point is not on the curve or not in
/// the subgroup.
#[inline(never)]
pub fn read_proof<E: Pairing>(file: FileBytes) -> Result<InSubgroup<Proof<E>>, FormatError> {
    read_unchecked_proof(file.clone())?.check().map_err(|bad| refused::<E>(&file, bad))
}

/// Reads a Groth16 proof as [`read_proof`] does, without checking that its points are on the curve and in their subgroups:
/// [`check_proofs`] checks that for many proofs together.
///
/// # Errors
/// As [`read_proof`], without the errors of points.
///
/// [`check_proofs`]: pairwright_protocols::groth16::check_proofs
#[inline(never)]
pub fn read_unchecked_proof<E: Pairing>(file: FileBytes) -> Result<Proof<E>, FormatError> {
    expect_at_most(&file, MOST, "a proof")?;
    parse::<Declared>(&file)?.expect::<E>(&file, "groth16")?;
    let document: Document = parse(&file)?;
    Ok(Proof {
        a: point(&file, "pi_a", &flat(document.pi_a))?,
        b: point(&file, "pi_b", &document.pi_b)?,
        c: point(&file, "pi_c", &flat(document.pi_c))?,
    })
}
