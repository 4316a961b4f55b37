//! Reads fflonk proofs and verification keys in snarkjs' JSON.

use super::gates::{domain, public, refused};
use super::{Coordinate, Declared, expect_at_most, flat, member, number, parse, point};
use crate::roots::roots_at;
use crate::{FileBytes, FormatError};
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_protocols::fflonk::{InSubgroup, Proof, VerifyingKey};
use serde::{Deserialize, Serialize};

/// Largest size of a proof in bytes; four points and sixteen values in decimal take two or three thousand.
const MOST: u64 = 1 << 20;

/// The members of a proof, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
pub(super) struct ProofDocument {
    pub(super) polynomials: Polynomials,
    pub(super) evaluations: Values,
    pub(super) protocol: String,
    #[serde(default)]
    pub(super) curve: Option<String>,
}

/// The commitments of a proof, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
#[allow(non_snake_case, reason = "the names of the file")]
pub(super) struct Polynomials {
    pub(super) C1: Vec<String>,
    pub(super) C2: Vec<String>,
    pub(super) W1: Vec<String>,
    pub(super) W2: Vec<String>,
}

/// The evaluations of a proof, in the order in which snarkjs writes them.
#[derive(Serialize, Deserialize)]
pub(super) struct Values {
    pub(super) ql: String,
    pub(super) qr: String,
    pub(super) qm: String,
    pub(super) qo: String,
    pub(super) qc: String,
    pub(super) s1: String,
    pub(super) s2: String,
    pub(super) s3: String,
    pub(super) a: String,
    pub(super) b: String,
    pub(super) c: String,
    pub(super) z: String,
    pub(super) zw: String,
    pub(super) t1w: String,
    pub(super) t2w: String,
    pub(super) inv: String,
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
    pub(super) w: String,
    pub(super) w3: String,
    pub(super) w4: String,
    pub(super) w8: String,
    pub(super) wr: String,
    pub(super) X_2: Vec<Coordinate>,
    pub(super) C0: Vec<String>,
}

/// Reads an fflonk proof. `curve` may be missing; unknown members are ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, the protocol or the curve is another one, a number is not decimal or not below the modulus,
/// or a last coordinate is not one; also, with [`FormatError::is_rejection`] true, when a point is not on the curve or not in
/// the subgroup.
#[inline(never)]
pub fn read_proof<E: Pairing>(file: FileBytes) -> Result<InSubgroup<Proof<E>>, FormatError> {
    read_unchecked_proof(file.clone())?.check().map_err(|bad| refused::<E>(&file, "polynomials.", bad))
}

/// Reads an fflonk proof as [`read_proof`] does, without checking that its points are on the curve and in their subgroups:
/// [`check_proofs`] checks that for many proofs together.
///
/// # Errors
/// As [`read_proof`], without the errors of points.
///
/// [`check_proofs`]: pairwright_protocols::fflonk::check_proofs
#[inline(never)]
pub fn read_unchecked_proof<E: Pairing>(file: FileBytes) -> Result<Proof<E>, FormatError> {
    expect_at_most(&file, MOST, "a proof")?;
    parse::<Declared>(&file)?.expect::<E>(&file, "fflonk")?;
    let ProofDocument { polynomials, evaluations: v, .. } = parse(&file)?;
    let at = |name: &str, p: Vec<String>| point::<E::G1>(&file, &format!("polynomials.{name}"), &flat(p));
    let value = |name: &str, text: &str| number::<E::Fr>(&file, || format!("evaluations.{name}"), 0, text);
    let points = [
        at("C1", polynomials.C1)?,
        at("C2", polynomials.C2)?,
        at("W1", polynomials.W1)?,
        at("W2", polynomials.W2)?,
    ];
    let evaluations = [
        value("ql", &v.ql)?,
        value("qr", &v.qr)?,
        value("qm", &v.qm)?,
        value("qo", &v.qo)?,
        value("qc", &v.qc)?,
        value("s1", &v.s1)?,
        value("s2", &v.s2)?,
        value("s3", &v.s3)?,
        value("a", &v.a)?,
        value("b", &v.b)?,
        value("c", &v.c)?,
        value("z", &v.z)?,
        value("zw", &v.zw)?,
        value("t1w", &v.t1w)?,
        value("t2w", &v.t2w)?,
    ];
    Ok(Proof::from_parts(points, evaluations, value("inv", &v.inv)?))
}

/// Reads an fflonk verification key and checks every point of it. Unknown members are ignored. Variable time.
///
/// # Errors
/// When the text is not such JSON, the protocol or the curve is another one, a number is not decimal or not below the modulus,
/// `w`, `w3`, `w4`, `w8` or `wr` is not the root that follows from `power`, there are more public values than rows, a point is
/// not on the curve or not in the subgroup, or X_2 is infinity.
#[inline(never)]
pub fn read_verifying_key<E: Pairing>(file: FileBytes) -> Result<InSubgroup<VerifyingKey<E>>, FormatError> {
    parse::<Declared>(&file)?.expect::<E>(&file, "fflonk")?;
    let document: KeyDocument = parse(&file)?;
    let domain = domain(&file, document.power)?;
    let value = |name: &str, text: &str| number::<E::Fr>(&file, || name.to_owned(), 0, text);
    let roots = roots_at::<E>(&domain, || member(&file, "curve"))?;
    let found = [&document.w3, &document.w4, &document.w8, &document.wr];
    let expected = [("w", domain.root())].into_iter().chain(roots.named());
    for ((name, root), text) in expected.zip([&document.w].into_iter().chain(found)) {
        if value(name, text)? != root {
            return Err(FormatError::RootOfUnity { at: member(&file, name), power: document.power });
        }
    }
    let public = public(&file, document.nPublic, &domain)?;
    let key = VerifyingKey {
        domain,
        public,
        k1: value("k1", &document.k1)?,
        k2: value("k2", &document.k2)?,
        c0: point::<E::G1>(&file, "C0", &flat(document.C0))?,
        x_2: point::<E::G2>(&file, "X_2", &document.X_2)?,
    };
    key.check().map_err(|bad| refused::<E>(&file, "", bad))
}
