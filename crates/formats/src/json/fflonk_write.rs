//! Writes fflonk proofs and verification keys in JSON, with the same bytes as snarkjs.

use super::fflonk::{KeyDocument, Polynomials, ProofDocument, Values};
use super::member;
use super::write::{coordinates, flat_coordinates, print};
use crate::roots::roots_at;
use crate::sizes::widen;
use crate::{CurveId, FileBytes, FormatError};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_field::PrimeField;
use pairwright_protocols::fflonk::{Proof, VerifyingKey};
use std::io::Write;

/// Writes an fflonk proof with the same bytes as snarkjs.
///
/// # Errors
/// When `out` fails.
#[inline(never)]
pub fn write_proof<E: Pairing>(out: &mut dyn Write, proof: &Proof<E>) -> Result<(), FormatError> {
    let [c1, c2, w1, w2] = proof.points().map(|p| flat_coordinates(&p));
    let [ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw, t1w, t2w] =
        proof.evaluations.to_array().map(|x| x.to_decimal());
    let inv = proof.inverse.to_decimal();
    let document = ProofDocument {
        polynomials: Polynomials { C1: c1, C2: c2, W1: w1, W2: w2 },
        evaluations: Values { ql, qr, qm, qo, qc, s1, s2, s3, a, b, c, z, zw, t1w, t2w, inv },
        protocol: "fflonk".to_owned(),
        curve: Some(CurveId::name_of::<E>().to_owned()),
    };
    print(out, &document)
}

/// Writes an fflonk verification key with the same bytes as snarkjs.
///
/// # Errors
/// When the curve is another than BN254, or `out` fails.
#[inline(never)]
pub fn write_verifying_key<E: Pairing>(
    out: &mut dyn Write,
    key: &VerifyingKey<E>,
) -> Result<(), FormatError> {
    let roots =
        roots_at::<E>(&key.domain, || member(&FileBytes::from_vec("verification key", Vec::new()), "curve"))?;
    let document = KeyDocument {
        protocol: "fflonk".to_owned(),
        curve: CurveId::name_of::<E>().to_owned(),
        nPublic: widen(key.public),
        power: key.domain.log_size(),
        k1: key.k1.to_decimal(),
        k2: key.k2.to_decimal(),
        w: key.domain.root().to_decimal(),
        w3: roots.w3.to_decimal(),
        w4: roots.w4.to_decimal(),
        w8: roots.w8.to_decimal(),
        wr: roots.wr.to_decimal(),
        X_2: coordinates(&key.x_2),
        C0: flat_coordinates(&key.c0),
    };
    print(out, &document)
}
