//! A program that answers requests for group and pairing arithmetic, for tests written in other languages.
//!
//! Reads one JSON request per line from standard input and answers each with one line. All numbers and bytes are
//! hexadecimal without a prefix; `curve` is `bls12381` or `bn128`; `group` is `g1` or `g2`; points are given as
//! multiples of the generator. Coordinates come as lists, lowest coefficient first.
//!
//! | `op` | other keys | answer |
//! | --- | --- | --- |
//! | `mul` | `group`, `form` (`jacobian`, `projective`), `k` | a point: `{"x": [..], "y": [..]}` or `{"infinity": true}` |
//! | `add` | `group`, `form` (also `xyzz`), `a`, `b` | the point `a·G + b·G` |
//! | `encode` | `group`, `k`, `compressed`; `bls12381` only | `{"bytes": ".."}`, the form of Zcash and the IETF |
//! | `decode` | `group`, `bytes` in the same form; `bls12381` only | a point |
//! | `pairing` | `pairs`: list of `[a, b]` | `{"coords": [12 numbers]}` of `∏ e(a·G1, b·G2)` |
//!
//! A request that cannot be answered gets `{"error": ".."}`.

use pairwright_curve::encoding::{PointEncoding, PointError, ZcashCompressed, ZcashUncompressed};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, Projective, Xyzz, bls12_381, bn254};
use pairwright_field::{Extension, FieldError, PrimeField};
use serde::{Deserialize, Serialize};
use std::io::{BufRead, Write};
use thiserror::Error;

#[derive(Deserialize)]
struct Request {
    curve: String,
    #[serde(flatten)]
    op: Op,
}

#[derive(Deserialize)]
#[serde(tag = "op", rename_all = "lowercase")]
enum Op {
    Mul { group: Group, form: Form, k: String },
    Add { group: Group, form: Form, a: String, b: String },
    Encode { group: Group, k: String, compressed: bool },
    Decode { group: Group, bytes: String },
    Pairing { pairs: Vec<(String, String)> },
}

#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Group {
    G1,
    G2,
}

/// The representation of points in which the request is computed.
#[derive(Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Form {
    Jacobian,
    Projective,
    Xyzz,
}

#[derive(Serialize)]
#[serde(untagged)]
enum Answer {
    Point { x: Vec<String>, y: Vec<String> },
    Infinity { infinity: bool },
    Target { coords: Vec<String> },
    Bytes { bytes: String },
    Error { error: String },
}

#[derive(Debug, Error)]
enum OracleError {
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    #[error("{0}")]
    Field(#[from] FieldError),
    #[error("{0}")]
    Point(#[from] PointError),
    #[error("unknown curve {0}")]
    Curve(String),
    #[error("not a hexadecimal number: {0}")]
    Hex(String),
    #[error("this form has no such operation, or this curve no such form")]
    Form,
}

fn main() -> std::io::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let answer = answer(&line?).unwrap_or_else(|error| Answer::Error { error: error.to_string() });
        serde_json::to_writer(&mut out, &answer)?;
        writeln!(out)?;
    }
    Ok(())
}

fn answer(line: &str) -> Result<Answer, OracleError> {
    let request: Request = serde_json::from_str(line)?;
    match (request.curve.as_str(), request.op) {
        ("bls12381", Op::Encode { group, k, compressed }) => match group {
            Group::G1 => encode::<bls12_381::G1>(&k, compressed),
            Group::G2 => encode::<bls12_381::G2>(&k, compressed),
        },
        ("bls12381", Op::Decode { group, bytes }) => match group {
            Group::G1 => decode::<bls12_381::G1>(&bytes),
            Group::G2 => decode::<bls12_381::G2>(&bytes),
        },
        ("bls12381", op) => on::<bls12_381::Bls12_381>(op),
        ("bn128", op) => on::<bn254::Bn254>(op),
        _ => Err(OracleError::Curve(request.curve)),
    }
}

fn on<E: Pairing>(op: Op) -> Result<Answer, OracleError> {
    match op {
        Op::Mul { group: Group::G1, form, k } => mul::<E::G1>(form, &k),
        Op::Mul { group: Group::G2, form, k } => mul::<E::G2>(form, &k),
        Op::Add { group: Group::G1, form, a, b } => add::<E::G1>(form, &a, &b),
        Op::Add { group: Group::G2, form, a, b } => add::<E::G2>(form, &a, &b),
        // Only points of BLS12-381 are encoded: the encoding needs spare bits that BN254 does not have.
        Op::Encode { .. } | Op::Decode { .. } => Err(OracleError::Form),
        Op::Pairing { pairs } => {
            let points = pairs
                .iter()
                .map(|(a, b)| Ok((multiple::<E::G1>(a)?.to_affine(), multiple::<E::G2>(b)?.to_affine())))
                .collect::<Result<Vec<_>, OracleError>>()?;
            Ok(Answer::Target { coords: coords(&E::multi_pairing(&points)) })
        }
    }
}

fn mul<C: Curve>(form: Form, k: &str) -> Result<Answer, OracleError> {
    let k = scalar::<C::Scalar>(k)?;
    match form {
        Form::Jacobian => Ok(point(Jacobian::<C>::generator().mul_vartime(&k).to_affine())),
        Form::Projective => Ok(point(Projective::<C>::generator().mul(&k).to_affine())),
        Form::Xyzz => Err(OracleError::Form),
    }
}

fn add<C: Curve>(form: Form, a: &str, b: &str) -> Result<Answer, OracleError> {
    let (a, b) = (multiple::<C>(a)?, multiple::<C>(b)?);
    Ok(point(match form {
        Form::Jacobian => (a + b).to_affine(),
        Form::Projective => (Projective::from(a.to_affine()) + Projective::from(b.to_affine())).to_affine(),
        Form::Xyzz => (Xyzz::from(a.to_affine()) + Xyzz::from(b.to_affine())).to_jacobian().to_affine(),
    }))
}

fn encode<C: Curve>(k: &str, compressed: bool) -> Result<Answer, OracleError> {
    let p = multiple::<C>(k)?.to_affine();
    let bytes = if compressed { ZcashCompressed::to_vec(&p) } else { ZcashUncompressed::to_vec(&p) };
    Ok(Answer::Bytes { bytes: to_hex(&bytes) })
}

fn decode<C: Curve>(hex: &str) -> Result<Answer, OracleError> {
    let bytes = from_hex(hex)?;
    Ok(point(if bytes.len() == ZcashCompressed::len::<C>() {
        ZcashCompressed::read::<C>(&bytes)?
    } else {
        ZcashUncompressed::read::<C>(&bytes)?
    }))
}

/// `k·G` in Jacobian coordinates, so that sums get operands with `Z ≠ 1`.
fn multiple<C: Curve>(k: &str) -> Result<Jacobian<C>, OracleError> {
    Ok(Jacobian::generator().mul_vartime(&scalar::<C::Scalar>(k)?))
}

fn scalar<F: PrimeField>(hex: &str) -> Result<F, OracleError> {
    Ok(F::read_be(&from_hex(&format!("{hex:0>width$}", width = 2 * F::BYTES))?)?)
}

fn from_hex(hex: &str) -> Result<Vec<u8>, OracleError> {
    (0..hex.len())
        .step_by(2)
        .map(|i| hex.get(i..i + 2).and_then(|byte| u8::from_str_radix(byte, 16).ok()))
        .collect::<Option<_>>()
        .ok_or_else(|| OracleError::Hex(hex.to_owned()))
}

fn to_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn point<C: Curve>(p: Affine<C>) -> Answer {
    if p.is_infinity() {
        Answer::Infinity { infinity: true }
    } else {
        Answer::Point { x: coords(&p.x), y: coords(&p.y) }
    }
}

/// Coordinates over the prime field, lowest tower coefficient first.
fn coords<F: Extension>(value: &F) -> Vec<String> {
    (0..F::DEGREE)
        .map(|i| {
            let mut bytes = vec![0; F::Prime::BYTES];
            value.coord(i).write_be(&mut bytes);
            to_hex(&bytes)
        })
        .collect()
}
