//! Reads and writes `verification_key.json` as snarkjs does.

use super::{
    Coordinate, Declared, coordinates, decimals, flat, flat_coordinates, member, parse, point, print, refused,
};
use crate::container::widen;
use crate::{CurveId, FileBytes, FormatError};
use pairwright_curve::Pairing;
use pairwright_field::Extension;
use pairwright_protocols::groth16::{InSubgroup, VerifyingKey};
use serde::{Deserialize, Serialize};
use std::io::Write;

/// The members in the order of snarkjs.
#[derive(Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names of the file")]
struct Document {
    protocol: String,
    curve: String,
    nPublic: u64,
    vk_alpha_1: Vec<String>,
    vk_beta_2: Vec<Coordinate>,
    vk_gamma_2: Vec<Coordinate>,
    vk_delta_2: Vec<Coordinate>,
    /// `e(α, β)`: follows from the others, so it is written and not read.
    #[serde(skip_deserializing)]
    vk_alphabeta_12: Vec<Vec<Coordinate>>,
    IC: Vec<Vec<String>>,
}

/// Reads a Groth16 verification key and checks every point of it. Members that are not known are ignored, and so is
/// `vk_alphabeta_12`, which follows from the others. Variable time.
///
/// # Errors
/// When the text is not such JSON, protocol or curve are others, `nPublic` does not fit `IC`, a number is not decimal
/// or not below the modulus, a point is not on the curve or not in the subgroup, or α, β, γ or δ is infinity.
pub fn read_verifying_key<E: Pairing>(file: FileBytes) -> Result<InSubgroup<VerifyingKey<E>>, FormatError> {
    parse::<Declared>(&file)?.expect::<E>(&file)?;
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

/// Writes a verification key as snarkjs does, byte for byte; `vk_alphabeta_12` costs a pairing.
///
/// # Errors
/// When `out` fails.
pub fn write_verifying_key<E: Pairing>(
    out: &mut dyn Write,
    key: &VerifyingKey<E>,
) -> Result<(), FormatError> {
    let product = decimals(&E::pairing(&key.alpha_g1, &key.beta_g2));
    // Fq12 over Fq6 over Fq2: two of three of two.
    let pairs: Vec<Coordinate> = product.chunks(2).map(<[String]>::to_vec).collect();
    let per_half = E::Gt::DEGREE.div_ceil(4).max(1);
    print(
        out,
        &Document {
            protocol: "groth16".to_owned(),
            curve: CurveId::name_of::<E>().to_owned(),
            nPublic: widen(key.ic.len()).saturating_sub(1),
            vk_alpha_1: flat_coordinates(&key.alpha_g1),
            vk_beta_2: coordinates(&key.beta_g2),
            vk_gamma_2: coordinates(&key.gamma_g2),
            vk_delta_2: coordinates(&key.delta_g2),
            vk_alphabeta_12: pairs.chunks(per_half).map(<[Coordinate]>::to_vec).collect(),
            IC: key.ic.iter().map(flat_coordinates).collect(),
        },
    )
}
