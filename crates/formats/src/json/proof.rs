//! Reads `proof.json` as snarkjs writes it.

use super::{Coordinate, Declared, expect_at_most, flat, parse, point, refused};
use crate::{FileBytes, FormatError};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_protocols::groth16::{InSubgroup, Proof};
use serde::{Deserialize, Serialize};

/// Most bytes of a proof: three points in decimal have a thousand or two.
const MOST: u64 = 1 << 20;

/// The members in the order of snarkjs.
#[derive(Serialize, Deserialize)]
pub(super) struct Document {
    pub(super) pi_a: Vec<String>,
    pub(super) pi_b: Vec<Coordinate>,
    pub(super) pi_c: Vec<String>,
    pub(super) protocol: String,
    #[serde(default)]
    pub(super) curve: Option<String>,
}

/// Reads a Groth16 proof. `curve` may be missing, as in proofs of other provers of the family; members that are not
/// known are ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, protocol or curve are others, a number is not decimal or not below the modulus, a
/// last coordinate is not one; and, for which [`FormatError::is_rejection`] holds, when a point is not on the curve
/// or not in the subgroup.
#[inline(never)]
pub fn read_proof<E: Pairing>(file: FileBytes) -> Result<InSubgroup<Proof<E>>, FormatError> {
    read_unchecked_proof(file.clone())?.check().map_err(|bad| refused::<E>(&file, bad))
}

/// Reads a Groth16 proof as [`read_proof`] does, without asking whether its points are on the curve and in their subgroups:
/// [`check_proofs`] asks that of many together.
///
/// # Errors
/// As [`read_proof`], but for the points.
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
