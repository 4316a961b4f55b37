//! Conversions between our values and arkworks', coordinate by coordinate through canonical bytes.

use ark_ec::AffineRepr;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, Field, PrimeField};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// A generator of reproducible values, one stream per test.
pub(crate) fn rng(stream: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(stream)
}

/// A prime field element of arkworks with the same value.
pub(crate) fn prime_to_ark<F: PrimeField, A: ark_ff::PrimeField>(x: &F) -> A {
    let mut bytes = vec![0; F::BYTES];
    x.write_le(&mut bytes);
    A::from_le_bytes_mod_order(&bytes)
}

/// A prime field element of ours with the same value.
pub(crate) fn prime_from_ark<F: PrimeField, A: ark_ff::PrimeField>(x: &A) -> F {
    F::from_limbs_reduced(x.into_bigint().as_ref())
}

/// An extension field element of arkworks with the same coordinates.
pub(crate) fn to_ark<F: Extension, A: ark_ff::Field>(x: &F) -> A {
    A::from_base_prime_field_elems((0..F::DEGREE).map(|i| prime_to_ark(&x.coord(i)))).expect("same degree")
}

/// An extension field element of ours with the same coordinates.
pub(crate) fn from_ark<F: Extension, A: ark_ff::Field>(x: &A) -> F {
    let coords: Vec<F::Prime> = x.to_base_prime_field_elements().map(|c| prime_from_ark(&c)).collect();
    F::from_coords(&coords)
}

/// An affine point of arkworks with the same coordinates, unchecked.
pub(crate) fn point_to_ark<C, A>(p: &Affine<C>) -> ark_ec::short_weierstrass::Affine<A>
where
    C: Curve,
    A: ark_ec::short_weierstrass::SWCurveConfig,
{
    if p.is_infinity() {
        ark_ec::short_weierstrass::Affine::identity()
    } else {
        ark_ec::short_weierstrass::Affine::new_unchecked(to_ark(&p.x), to_ark(&p.y))
    }
}

/// An affine point of ours with the same coordinates, unchecked.
pub(crate) fn point_from_ark<C, A>(p: &ark_ec::short_weierstrass::Affine<A>) -> Affine<C>
where
    C: Curve,
    A: ark_ec::short_weierstrass::SWCurveConfig,
{
    match p.xy() {
        None => Affine::INFINITY,
        Some((x, y)) => Affine::from_xy_unchecked(from_ark(&x), from_ark(&y)),
    }
}

/// A uniform scalar.
pub(crate) fn scalar<F: Field>(rng: &mut ChaCha20Rng) -> F {
    F::random(rng)
}

/// A random point of the subgroup.
pub(crate) fn point<C: Curve>(rng: &mut ChaCha20Rng) -> Affine<C> {
    C::GENERATOR.to_jacobian().mul_vartime(&C::Scalar::random(rng)).to_affine()
}

/// Bytes of a hexadecimal string, with or without `0x`.
pub(crate) fn hex(text: &str) -> Vec<u8> {
    let digits = text.trim_start_matches("0x");
    assert!(digits.len().is_multiple_of(2), "whole bytes");
    (0..digits.len())
        .step_by(2)
        .map(|i| u8::from_str_radix(&digits[i..i + 2], 16).expect("hexadecimal"))
        .collect()
}

/// The repository's folder of known answers.
fn vectors_root() -> std::path::PathBuf {
    std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors")
}

/// A JSON file of known answers.
pub(crate) fn vectors(path: &str) -> serde_json::Value {
    let text = std::fs::read_to_string(vectors_root().join(path)).expect(path);
    serde_json::from_str(&text).expect(path)
}

/// Every JSON file of a folder of known answers, by name.
pub(crate) fn vectors_in(folder: &str) -> Vec<(String, serde_json::Value)> {
    let entries = std::fs::read_dir(vectors_root().join(folder)).expect(folder);
    let mut names: Vec<String> =
        entries.map(|e| e.expect(folder).file_name().into_string().expect("UTF-8")).collect();
    names.sort();
    names.into_iter().map(|name| (name.clone(), vectors(&format!("{folder}/{name}")))).collect()
}

/// Public vectors that are not part of the repository, below the folder that `PAIRWRIGHT_VECTORS` names. `None`, with a
/// message, if the variable is not set.
pub(crate) fn public_vectors(path: &str) -> Option<serde_json::Value> {
    let Some(root) = std::env::var_os("PAIRWRIGHT_VECTORS") else {
        eprintln!("skipped: {path}: PAIRWRIGHT_VECTORS names no folder of public vectors");
        return None;
    };
    let text = std::fs::read_to_string(std::path::Path::new(&root).join(path)).expect(path);
    Some(serde_json::from_str(&text).expect(path))
}
