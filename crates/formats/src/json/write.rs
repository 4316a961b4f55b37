//! Writes Groth16 proofs, verification keys and public values in JSON, with the same bytes as snarkjs.

use super::{Coordinate, proof, verifying_key};
use crate::sizes::widen;
use crate::{CurveId, FormatError};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_field::{Extension, Field, PrimeField};
use pairwright_protocols::groth16::{Proof, VerifyingKey};
use serde::Serialize;
use serde_json::ser::PrettyFormatter;
use std::io::Write;

/// Writes a Groth16 proof with the same bytes as snarkjs.
///
/// # Errors
/// When `out` fails.
#[inline(never)]
pub fn write_proof<E: Pairing>(out: &mut dyn Write, proof: &Proof<E>) -> Result<(), FormatError> {
    print(
        out,
        &proof::Document {
            pi_a: flat_coordinates(&proof.a),
            pi_b: coordinates(&proof.b),
            pi_c: flat_coordinates(&proof.c),
            protocol: "groth16".to_owned(),
            curve: Some(CurveId::name_of::<E>().to_owned()),
        },
    )
}

/// Writes public values with the same bytes as snarkjs.
///
/// # Errors
/// When `out` fails.
#[inline(never)]
pub fn write_public<F: PrimeField>(out: &mut dyn Write, public: &[F]) -> Result<(), FormatError> {
    let list: Vec<String> = public.iter().map(PrimeField::to_decimal).collect();
    print(out, &list)
}

/// Writes a Groth16 verification key with the same bytes as snarkjs; one pairing is computed for `vk_alphabeta_12`.
///
/// # Errors
/// When `out` fails.
#[inline(never)]
pub fn write_verifying_key<E: Pairing>(
    out: &mut dyn Write,
    key: &VerifyingKey<E>,
) -> Result<(), FormatError> {
    let product = decimals(&E::pairing(&key.alpha_g1, &key.beta_g2));
    // Fq12 as two elements of Fq6, each of three elements of Fq2, each of two coefficients.
    let pairs: Vec<Coordinate> = product.chunks(2).map(<[String]>::to_vec).collect();
    let per_half = E::Gt::DEGREE.div_ceil(4).max(1);
    print(
        out,
        &verifying_key::Document {
            protocol: "groth16".to_owned(),
            curve: CurveId::name_of::<E>().to_owned(),
            nPublic: widen(key.public()),
            vk_alpha_1: flat_coordinates(&key.alpha_g1),
            vk_beta_2: coordinates(&key.beta_g2),
            vk_gamma_2: coordinates(&key.gamma_g2),
            vk_delta_2: coordinates(&key.delta_g2),
            vk_alphabeta_12: pairs.chunks(per_half).map(<[Coordinate]>::to_vec).collect(),
            IC: key.ic.iter().map(flat_coordinates).collect(),
        },
    )
}

/// Prints JSON in snarkjs' layout: an indentation of one space, no newline at the end.
pub(super) fn print(out: &mut dyn Write, value: &impl Serialize) -> Result<(), FormatError> {
    let mut printer = serde_json::Serializer::with_formatter(out, PrettyFormatter::with_indent(b" "));
    // Strings, lists and structs can always be serialised, so an error can only come from the output.
    value.serialize(&mut printer).map_err(|e| FormatError::Write(e.into()))
}

/// The coordinates of a point in snarkjs' form: projective, in decimal.
pub(super) fn coordinates<C: Curve>(p: &Affine<C>) -> Vec<Coordinate> {
    let (zero, one) = (C::Base::ZERO, C::Base::ONE);
    let all = if p.is_infinity() { [zero, one, zero] } else { [p.x, p.y, one] };
    all.iter().map(decimals).collect()
}

/// The coefficients of an element, lowest first.
fn decimals<F: Extension>(x: &F) -> Coordinate {
    (0..F::DEGREE).map(|i| x.coord(i).to_decimal()).collect()
}

/// The coordinates of a G1 point in snarkjs' form: three decimal strings.
pub(super) fn flat_coordinates<C: Curve>(p: &Affine<C>) -> Vec<String> {
    coordinates(p).into_iter().flatten().collect()
}
