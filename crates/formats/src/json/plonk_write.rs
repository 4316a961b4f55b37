//! Writes Plonk proofs and verification keys in JSON, with the same bytes as snarkjs.

use super::plonk::{KeyDocument, ProofDocument};
use super::write::{coordinates, flat_coordinates, print};
use crate::sizes::widen;
use crate::{CurveId, FormatError};
use alloc::borrow::ToOwned;
use pairwright_curve::Pairing;
use pairwright_field::PrimeField;
use pairwright_protocols::plonk::{Proof, VerifyingKey};
use std::io::Write;

/// Writes a Plonk proof with the same bytes as snarkjs.
///
/// # Errors
/// When `out` fails.
#[inline(never)]
pub fn write_proof<E: Pairing>(out: &mut dyn Write, proof: &Proof<E>) -> Result<(), FormatError> {
    let [a, b, c, z, t1, t2, t3, w_xi, w_xi_omega] = proof.points().map(|p| flat_coordinates(&p));
    let [eval_a, eval_b, eval_c, eval_s1, eval_s2, eval_zw] =
        proof.evaluations.to_array().map(|x| x.to_decimal());
    let document = ProofDocument {
        A: a,
        B: b,
        C: c,
        Z: z,
        T1: t1,
        T2: t2,
        T3: t3,
        Wxi: w_xi,
        Wxiw: w_xi_omega,
        eval_a,
        eval_b,
        eval_c,
        eval_s1,
        eval_s2,
        eval_zw,
        protocol: "plonk".to_owned(),
        curve: Some(CurveId::name_of::<E>().to_owned()),
    };
    print(out, &document)
}

/// Writes a Plonk verification key with the same bytes as snarkjs.
///
/// # Errors
/// When `out` fails.
#[inline(never)]
pub fn write_verifying_key<E: Pairing>(
    out: &mut dyn Write,
    key: &VerifyingKey<E>,
) -> Result<(), FormatError> {
    let [qm, ql, qr, qo, qc] = key.selectors.each_ref().map(flat_coordinates);
    let [s1, s2, s3] = key.sigmas.each_ref().map(flat_coordinates);
    let document = KeyDocument {
        protocol: "plonk".to_owned(),
        curve: CurveId::name_of::<E>().to_owned(),
        nPublic: widen(key.public),
        power: key.domain.log_size(),
        k1: key.k1.to_decimal(),
        k2: key.k2.to_decimal(),
        Qm: qm,
        Ql: ql,
        Qr: qr,
        Qo: qo,
        Qc: qc,
        S1: s1,
        S2: s2,
        S3: s3,
        X_2: coordinates(&key.x_2),
        w: key.domain.root().to_decimal(),
    };
    print(out, &document)
}
