//! Reads Groth16 verification keys in snarkjs' JSON (`verification_key.json`).

use super::{Coordinate, Declared, flat, member, parse, point, refused};
use crate::sizes::widen;
use crate::{FileBytes, FormatError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_protocols::groth16::{InSubgroup, VerifyingKey};
use serde::{Deserialize, Serialize};

/// The members of a verification key, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names of the file")]
pub(super) struct Document {
    pub(super) protocol: String,
    pub(super) curve: String,
    pub(super) nPublic: u64,
    pub(super) vk_alpha_1: Vec<String>,
    pub(super) vk_beta_2: Vec<Coordinate>,
    pub(super) vk_gamma_2: Vec<Coordinate>,
    pub(super) vk_delta_2: Vec<Coordinate>,
    /// `e(α, β)`, which follows from the other members: it is written but not read.
    #[serde(skip_deserializing)]
    pub(super) vk_alphabeta_12: Vec<Vec<Coordinate>>,
    pub(super) IC: Vec<Vec<String>>,
}

/// Reads a Groth16 verification key and checks every point of it. Unknown members are ignored, and so is `vk_alphabeta_12`,
/// which follows from the other members. Variable time.
///
/// # Errors
/// When the text is not such JSON, the protocol or the curve is another one, `nPublic` does not match `IC`, a number is not
/// decimal or not below the modulus, a point is not on the curve or not in the subgroup, or α, β, γ or δ is infinity.
#[inline(never)]
pub fn read_verifying_key<E: Pairing>(file: FileBytes) -> Result<InSubgroup<VerifyingKey<E>>, FormatError> {
    parse::<Declared>(&file)?.expect::<E>(&file, "groth16")?;
    let document: Document = parse(&file)?;
    let (declared, ic) = (document.nPublic, widen(document.IC.len()));
    if declared.checked_add(1) != Some(ic) {
        return Err(FormatError::PublicCount { at: member(&file, "nPublic"), declared, ic });
    }
    let ic = document.IC.into_iter().enumerate();
    let key = VerifyingKey {
        alpha_g1: point(&file, "vk_alpha_1", &flat(document.vk_alpha_1))?,
        beta_g2: point(&file, "vk_beta_2", &document.vk_beta_2)?,
        gamma_g2: point(&file, "vk_gamma_2", &document.vk_gamma_2)?,
        delta_g2: point(&file, "vk_delta_2", &document.vk_delta_2)?,
        ic: ic.map(|(i, p)| point(&file, &format!("IC[{i}]"), &flat(p))).collect::<Result<_, _>>()?,
    };
    key.check().map_err(|bad| refused::<E>(&file, bad))
}
