//! Known answers: scalar multiplications, the EIP-2537 precompiles, encodings that Ethereum's decoders refuse.

use crate::common::{hex, vectors};
use pairwright_curve::bls12_381::{self, Bls12_381};
use pairwright_curve::encoding::{Eip197, Eip2537, PointEncoding, PointError, ZcashCompressed};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, Projective, bn254};
use pairwright_field::{Field, PrimeField};
use serde_json::Value;

fn text<'a>(v: &'a Value, key: &str) -> &'a str {
    v[key].as_str().unwrap_or_else(|| panic!("{key} is a string in {v}"))
}

/// A big-endian integer of any length, as limbs of a prime field element.
fn number<F: PrimeField>(hexadecimal: &str) -> F {
    let digits = hexadecimal.trim_start_matches("0x");
    let width = 2 * F::BYTES;
    F::read_be(&hex(&format!("{digits:0>width$}"))).expect("below the modulus")
}

fn scalar_multiplications<C>(file: &str)
where
    C: Curve,
    C::Base: PrimeField,
{
    let file = vectors(file);
    let cases = file["vectors"].as_array().expect("a list");
    assert_eq!(cases.len(), 40);
    for case in cases {
        let point = |v: &Value| {
            let p = Affine::<C>::from_xy_unchecked(number(text(v, "x")), number(text(v, "y")));
            assert!(p.is_on_curve() && p.is_in_subgroup_vartime());
            p
        };
        let (p, q) = (point(&case["P"]), point(&case["Q"]));
        let k: C::Scalar = number(text(case, "scalar"));
        assert_eq!(p.to_jacobian().mul_vartime(&k).to_affine(), q);
        assert_eq!(p.to_jacobian().mul_limbs_vartime(k.to_limbs().as_ref()).to_affine(), q);
        assert_eq!(Projective::from(p).mul(&k).to_affine(), q);
    }
}

#[test]
fn scalar_multiplications_bls12_381() {
    scalar_multiplications::<bls12_381::G1>("scalar_mul/tv_BLS12_381_scalar_mul_G1_255bit.json");
}

#[test]
fn scalar_multiplications_bn254() {
    scalar_multiplications::<bn254::G1>("scalar_mul/tv_BN254_Snarks_scalar_mul_G1_254bit.json");
}

// ---- EIP-2537 ----

/// Splits the input as a precompile does; `None` if the length is not a multiple of the unit.
fn units(input: &[u8], unit: usize) -> Option<Vec<&[u8]>> {
    (!input.is_empty() && input.len().is_multiple_of(unit)).then(|| input.chunks_exact(unit).collect())
}

fn wrong_length(found: usize) -> PointError {
    PointError::Length { curve: "precompile", expected: 0, found }
}

/// BLS12_G1ADD: 256 bytes, no subgroup check.
fn g1_add(input: &[u8]) -> Result<Vec<u8>, PointError> {
    if input.len() != 256 {
        return Err(wrong_length(input.len()));
    }
    let p = Eip2537::read_unchecked_subgroup::<bls12_381::G1>(&input[..128])?;
    let q = Eip2537::read_unchecked_subgroup::<bls12_381::G1>(&input[128..])?;
    Ok(Eip2537::to_vec(&p.to_jacobian().add_mixed(&q).to_affine()))
}

/// BLS12_G2MSM of any length: points with subgroup check and 32-byte scalars, not reduced.
fn g2_msm(input: &[u8]) -> Result<Vec<u8>, PointError> {
    let mut sum = Jacobian::<bls12_381::G2>::INFINITY;
    for unit in units(input, 288).ok_or(wrong_length(input.len()))? {
        let p = Eip2537::read::<bls12_381::G2>(&unit[..256])?;
        let limbs: Vec<u64> =
            unit[256..].chunks(8).rev().map(|c| u64::from_be_bytes(c.try_into().expect("eight"))).collect();
        sum += p.to_jacobian().mul_limbs_vartime(&limbs);
    }
    Ok(Eip2537::to_vec(&sum.to_affine()))
}

/// Runs the precompile `BLS12_PAIRING_CHECK` of EIP-2537.
fn pairing_check(input: &[u8]) -> Result<Vec<u8>, PointError> {
    let mut pairs = Vec::new();
    for unit in units(input, 384).ok_or(wrong_length(input.len()))? {
        pairs.push((Eip2537::read(&unit[..128])?, Eip2537::read(&unit[128..])?));
    }
    let mut out = vec![0; 32];
    let value = Bls12_381::multi_pairing(&pairs);
    out[31] = u8::from(value == <Bls12_381 as Pairing>::Gt::ONE);
    Ok(out)
}

fn succeed(file: &str, count: usize, precompile: fn(&[u8]) -> Result<Vec<u8>, PointError>) {
    let cases = vectors(file);
    let cases = cases.as_array().expect("a list");
    assert_eq!(cases.len(), count);
    for case in cases {
        let got = precompile(&hex(text(case, "Input")));
        assert_eq!(got, Ok(hex(text(case, "Expected"))), "{}", text(case, "Name"));
    }
}

fn fail(file: &str, count: usize, precompile: fn(&[u8]) -> Result<Vec<u8>, PointError>) {
    let cases = vectors(file);
    let cases = cases.as_array().expect("a list");
    assert_eq!(cases.len(), count);
    for case in cases {
        let name = text(case, "Name");
        let error = precompile(&hex(text(case, "Input"))).expect_err(name);
        let same = match text(case, "ExpectedError") {
            "invalid input length" => matches!(error, PointError::Length { .. }),
            "invalid field element top bytes" => matches!(error, PointError::Padding { .. }),
            "invalid fp.Element encoding" => matches!(error, PointError::NotReduced { .. }),
            "invalid point: not on curve" => matches!(error, PointError::NotOnCurve { .. }),
            "g1 point is not on correct subgroup" => {
                error == PointError::NotInSubgroup { curve: "BLS12-381 G1" }
            }
            "g2 point is not on correct subgroup" => {
                error == PointError::NotInSubgroup { curve: "BLS12-381 G2" }
            }
            other => panic!("unknown error in {name}: {other}"),
        };
        assert!(same, "{name}: {error}");
    }
}

#[test]
fn eip2537_additions() {
    succeed("eip2537/add_G1_bls.json", 9, g1_add);
    fail("eip2537/fail-add_G1_bls.json", 6, g1_add);
}

#[test]
fn eip2537_multiplications() {
    succeed("eip2537/mul_G2_bls.json", 11, g2_msm);
}

#[test]
fn eip2537_pairings() {
    succeed("eip2537/pairing_check_bls.json", 10, pairing_check);
    fail("eip2537/fail-pairing_check_bls.json", 22, pairing_check);
}

// ---- EIP-196 and EIP-197 ----

/// The generators and the equation `e(P, Q)·e(-P, Q) = 1` as the texts of EIP-196 and EIP-197 give them.
#[test]
fn eip197_text() {
    let g1 = Eip197::read::<bn254::G1>(&[[0; 31].as_slice(), &[1], &[0; 31], &[2]].concat());
    assert_eq!(g1, Ok(bn254::G1::GENERATOR), "P1 = (1, 2)");
    // P2 = (x1·i + x0, y1·i + y0): the coefficient of i comes first.
    let decimal = [
        "11559732032986387107991004021392285783925812861821192530917403151452391805634",
        "10857046999023057135944570762232829481370756359578518086990519993285655852781",
        "4082367875863433681332203403145435568316851327593401208105741076214120093531",
        "8495653923123431417604973247489272438418190587263600148770280649306958101930",
    ];
    let mut bytes = vec![0; 128];
    for (chunk, d) in bytes.chunks_mut(32).zip(decimal) {
        bn254::Fq::from_decimal(d).expect("reduced").write_be(chunk);
    }
    assert_eq!(Eip197::read::<bn254::G2>(&bytes), Ok(bn254::G2::GENERATOR));
}

// ---- Ethereum BLS ----

#[test]
fn ethereum_decoders_refuse() {
    let refuse = |folder: &str, key: &str, read: fn(&[u8]) -> Option<PointError>| {
        let mut errors = Vec::new();
        for (name, case) in crate::common::vectors_in(folder) {
            assert_eq!(case["output"], Value::Bool(false), "{name}");
            errors.push((name.clone(), read(&hex(text(&case["input"], key))).expect(&name)));
        }
        assert_eq!(errors.len(), 4);
        for (name, error) in errors {
            let same = match name.rsplit_once("fails_").expect("named by its failure").1 {
                // Without the infinity flag x = 0 is a point of order three in G1, and of no point in G2.
                "infinity_with_false_b_flag.json" => {
                    matches!(error, PointError::NotInSubgroup { .. } | PointError::NotOnCurve { .. })
                }
                "too_few_bytes.json" => matches!(error, PointError::Length { .. }),
                "with_mask_bits_001.json" => matches!(error, PointError::Flags { .. }),
                "x_equal_to_modulus.json" | "xim_equal_to_modulus.json" => {
                    matches!(error, PointError::NotReduced { index: 0, .. })
                }
                other => panic!("unknown case {other}"),
            };
            assert!(same, "{name}: {error}");
        }
    };
    refuse("bls/deserialization_G1", "pubkey", |b| ZcashCompressed::read::<bls12_381::G1>(b).err());
    refuse("bls/deserialization_G2", "signature", |b| ZcashCompressed::read::<bls12_381::G2>(b).err());
}
