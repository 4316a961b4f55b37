//! Reads Plonk proofs and verification keys in snarkjs' JSON.

use super::gates::{domain, public, refused};
use super::{Coordinate, Declared, expect_at_most, flat, member, number, parse, point};
use crate::{FileBytes, FormatError};
use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_protocols::plonk::{InSubgroup, Proof, VerifyingKey};
use serde::{Deserialize, Serialize};

/// Largest size of a proof in bytes; nine points and six values in decimal take two or three thousand.
const MOST: u64 = 1 << 20;

/// The members of a proof, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names of the file")]
pub(super) struct ProofDocument {
    pub(super) A: Vec<String>,
    pub(super) B: Vec<String>,
    pub(super) C: Vec<String>,
    pub(super) Z: Vec<String>,
    pub(super) T1: Vec<String>,
    pub(super) T2: Vec<String>,
    pub(super) T3: Vec<String>,
    pub(super) Wxi: Vec<String>,
    pub(super) Wxiw: Vec<String>,
    pub(super) eval_a: String,
    pub(super) eval_b: String,
    pub(super) eval_c: String,
    pub(super) eval_s1: String,
    pub(super) eval_s2: String,
    pub(super) eval_zw: String,
    pub(super) protocol: String,
    #[serde(default)]
    pub(super) curve: Option<String>,
}

/// The members of a verification key, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names of the file")]
pub(super) struct KeyDocument {
    pub(super) protocol: String,
    pub(super) curve: String,
    pub(super) nPublic: u64,
    pub(super) power: u32,
    pub(super) k1: String,
    pub(super) k2: String,
    pub(super) Qm: Vec<String>,
    pub(super) Ql: Vec<String>,
    pub(super) Qr: Vec<String>,
    pub(super) Qo: Vec<String>,
    pub(super) Qc: Vec<String>,
    pub(super) S1: Vec<String>,
    pub(super) S2: Vec<String>,
    pub(super) S3: Vec<String>,
    pub(super) X_2: Vec<Coordinate>,
    pub(super) w: String,
}

/// Reads a Plonk proof. `curve` may be missing; unknown members are ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, the protocol or the curve is another one, a number is not decimal or not below the modulus,
/// or a last coordinate is not one; also, with [`FormatError::is_rejection`] true, when a point is not on the curve or not in
/// the subgroup.
#[inline(never)]
pub fn read_proof<E: Pairing>(file: FileBytes) -> Result<InSubgroup<Proof<E>>, FormatError> {
    read_unchecked_proof(file.clone())?.check().map_err(|bad| refused::<E>(&file, "", bad))
}

/// Reads a Plonk proof as [`read_proof`] does, without checking that its points are on the curve and in their subgroups:
/// [`check_proofs`] checks that for many proofs together.
///
/// # Errors
/// As [`read_proof`], without the errors of points.
///
/// [`check_proofs`]: pairwright_protocols::plonk::check_proofs
#[inline(never)]
pub fn read_unchecked_proof<E: Pairing>(file: FileBytes) -> Result<Proof<E>, FormatError> {
    expect_at_most(&file, MOST, "a proof")?;
    parse::<Declared>(&file)?.expect::<E>(&file, "plonk")?;
    let document: ProofDocument = parse(&file)?;
    let at = |name: &str, p: Vec<String>| point::<E::G1>(&file, name, &flat(p));
    let value = |name: &str, text: &str| number::<E::Fr>(&file, || name.to_owned(), 0, text);
    let points = [
        at("A", document.A)?,
        at("B", document.B)?,
        at("C", document.C)?,
        at("Z", document.Z)?,
        at("T1", document.T1)?,
        at("T2", document.T2)?,
        at("T3", document.T3)?,
        at("Wxi", document.Wxi)?,
        at("Wxiw", document.Wxiw)?,
    ];
    let evaluations = [
        value("eval_a", &document.eval_a)?,
        value("eval_b", &document.eval_b)?,
        value("eval_c", &document.eval_c)?,
        value("eval_s1", &document.eval_s1)?,
        value("eval_s2", &document.eval_s2)?,
        value("eval_zw", &document.eval_zw)?,
    ];
    Ok(Proof::from_parts(points, evaluations))
}

/// Reads a Plonk verification key and checks every point of it. Unknown members are ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, the protocol or the curve is another one, a number is not decimal or not below the modulus,
/// `w` is not circom's root of unity for `power`, there are more public values than rows, a point is not on the curve or not in
/// the subgroup, or X_2 is infinity.
#[inline(never)]
pub fn read_verifying_key<E: Pairing>(file: FileBytes) -> Result<InSubgroup<VerifyingKey<E>>, FormatError> {
    parse::<Declared>(&file)?.expect::<E>(&file, "plonk")?;
    let document: KeyDocument = parse(&file)?;
    let domain = domain(&file, document.power)?;
    let value = |name: &str, text: &str| number::<E::Fr>(&file, || name.to_owned(), 0, text);
    if value("w", &document.w)? != domain.root() {
        return Err(FormatError::RootOfUnity { at: member(&file, "w"), power: document.power });
    }
    let public = public(&file, document.nPublic, &domain)?;
    let at = |name: &str, p: Vec<String>| point::<E::G1>(&file, name, &flat(p));
    let key = VerifyingKey {
        domain,
        public,
        k1: value("k1", &document.k1)?,
        k2: value("k2", &document.k2)?,
        selectors: [
            at("Qm", document.Qm)?,
            at("Ql", document.Ql)?,
            at("Qr", document.Qr)?,
            at("Qo", document.Qo)?,
            at("Qc", document.Qc)?,
        ],
        sigmas: [at("S1", document.S1)?, at("S2", document.S2)?, at("S3", document.S3)?],
        x_2: point::<E::G2>(&file, "X_2", &document.X_2)?,
    };
    key.check().map_err(|bad| refused::<E>(&file, "", bad))
}
