//! Solidity contracts for Plonk keys.

use super::template::{Lines, arguments, constants, fill, minus, offset, order, stores, values_type};
use super::{ContractError, Precompiles};
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;
use pairwright_protocols::plonk::{InSubgroup, VerifyingKey};

const BN254: &str = include_str!("plonk_bn254.sol");
const BLS12_381: &str = include_str!("plonk_bls12_381.sol");
/// The Solidity functions on scalars that both Plonk contracts share.
const SCALARS: &str = include_str!("plonk_scalars.sol");
/// The domain constants of Plonk and fflonk contracts.
const DOMAIN: &str = include_str!("plonkish_domain.sol");
/// The Solidity functions of both contracts on BN254 that add the product of a scalar and a point to a sum.
const MULTIPLES: &str = include_str!("plonkish_multiples.sol");

/// Names of the selector commitments, in the order of the key, each with the factor that it is multiplied by.
const SELECTORS: [(&str, &str); 5] =
    [("QM", "mulmod(a, b, R)"), ("QL", "a"), ("QR", "b"), ("QO", "mload(add(m, EVAL_C))"), ("QC", "1")];
const SIGMAS: [&str; 3] = ["S1", "S2", "S3"];

/// The source of a contract `PlonkVerifier` that verifies proofs under this key.
///
/// On BN254 it has the function of snarkjs' contract, `verifyProof(uint256[24] proof, uint256[N])`; on BLS12-381 the function
/// is `verifyProof(uint256[42] proof, uint256[N])`. Without public values the last argument is a list that must be empty.
///
/// # Errors
/// When the curve has no precompiles, or when anybody can forge proofs under the key.
#[inline(never)]
pub fn plonk_contract<E: Pairing>(vk: &InSubgroup<VerifyingKey<E>>) -> Result<String, ContractError> {
    if let Some(weakness) = vk.weakness() {
        return Err(weakness.into());
    }
    let precompiles = Precompiles::of::<E>()?;
    let template = match precompiles {
        Precompiles::Bn254 => BN254,
        Precompiles::Bls12_381 => BLS12_381,
    };
    let ends = precompiles.ends_g1();
    let mut lines = Lines::new(4);
    let names = SELECTORS.iter().map(|(name, _)| *name).chain(SIGMAS);
    for (name, p) in names.zip(vk.selectors.iter().chain(&vk.sigmas)) {
        constants(&mut lines, name, &precompiles.words(p));
    }
    constants(&mut lines, "X_2", &precompiles.words(&vk.x_2));
    constants(&mut lines, "MINUS_G2", &precompiles.words(&minus(&Affine::<E::G2>::generator())));
    if precompiles == Precompiles::Bls12_381 {
        constants(&mut lines, "G1", &precompiles.words(&Affine::<E::G1>::generator()));
    }
    let point_bytes = E::Fq::BYTES.saturating_mul(2);
    let key_bytes = point_bytes.saturating_mul(8);
    let values_end = vk.public.saturating_mul(32).saturating_add(key_bytes);
    let mut values = vec![
        ("constants", lines.finish()),
        ("hashed", hashed(precompiles, point_bytes)),
        ("key_bytes", key_bytes.to_string()),
        ("values_end", values_end.to_string()),
        ("hashed_bytes", values_end.saturating_add(point_bytes.saturating_mul(3)).to_string()),
        ("selectors", selectors(precompiles, vk)),
        ("minus_g2", precompiles.second_of_pair("right", 0, "MINUS_G2")),
        ("x_2", precompiles.second_of_pair("left", 0, "X_2")),
    ];
    values.extend(["S1", "S2", "S3", "G1"].map(|name| (name, arguments(name, ends))));
    values.extend(scalars(&vk.domain, vk.public, [vk.k1, vk.k2]));
    Ok(fill(template, &values))
}

/// The lines that write the key's commitments to the input of the first hash.
fn hashed(precompiles: Precompiles, point_bytes: usize) -> String {
    let ends = precompiles.ends_g1();
    let names = SELECTORS.iter().map(|(name, _)| *name).chain(SIGMAS);
    let mut lines = Lines::new(16);
    for (i, name) in names.enumerate() {
        let at = i.saturating_mul(point_bytes);
        match precompiles {
            Precompiles::Bn254 => stores(&mut lines, "at", at, name, ends),
            Precompiles::Bls12_381 => {
                lines.push(&format!("hashed({}, {})", offset("at", at), arguments(name, ends)));
            }
        }
    }
    lines.finish()
}

/// The lines that add the selector terms whose commitments are not infinity; Qc is added elsewhere, as it has no factor.
fn selectors<E: Pairing>(precompiles: Precompiles, vk: &VerifyingKey<E>) -> String {
    let mut lines = Lines::new(16);
    for ((name, factor), p) in SELECTORS.iter().zip(&vk.selectors).take(4) {
        if p.is_infinity() {
            lines.push(&format!("// {name} is infinity."));
            continue;
        }
        let words = arguments(name, precompiles.ends_g1());
        lines.push(&match precompiles {
            Precompiles::Bn254 => format!("ok := addMultiple(sum, {words}, {factor}, ok)"),
            Precompiles::Bls12_381 => format!("next := term(next, {words}, {factor})"),
        });
    }
    lines.finish()
}

/// The template values of Plonk and fflonk contracts other than commitments.
pub(super) fn scalars<F: PrimeField>(
    domain: &Domain<F>,
    public: usize,
    [k1, k2]: [F; 2],
) -> Vec<(&'static str, String)> {
    let some = public > 0;
    let values_bytes = public.saturating_mul(32);
    let lines = |indent: usize, text: &[&str]| {
        let mut lines = Lines::new(indent);
        text.iter().for_each(|line| lines.push(line));
        lines.finish()
    };
    let check: &[&str] = if some {
        &[
            &format!(
                "for {{ let at := publicValues }} lt(at, add(publicValues, {values_bytes})) {{ at := add(at, 32) }} {{"
            ),
            "    accepted := and(accepted, lt(calldataload(at), R))",
            "}",
        ]
    } else {
        &["accepted := and(accepted, iszero(publicValues.length))"]
    };
    let before = format!("let value := add(values_, {values_bytes})");
    let value = ["value := sub(value, 32)", "pi := addmod(pi, mulmod(l, sub(R, calldataload(value)), R), R)"];
    let piece = |text: &str| String::from(text.trim_end());
    vec![
        ("scalars", piece(SCALARS)),
        ("domain", piece(DOMAIN)),
        ("multiples", piece(MULTIPLES)),
        ("r", order::<F>()),
        ("power", domain.log_size().to_string()),
        ("n", domain.size().to_string()),
        ("w", domain.root().to_decimal()),
        ("k1", k1.to_decimal()),
        ("k2", k2.to_decimal()),
        ("values", values_type(public)),
        ("values_offset", String::from(if some { "publicValues" } else { "publicValues.offset" })),
        ("values_bytes", values_bytes.to_string()),
        ("values_check", lines(12, check)),
        ("differences_bytes", public.max(1).saturating_mul(64).to_string()),
        ("lagrange_before", if some { lines(16, &[&before]) } else { String::new() }),
        ("lagrange_value", if some { lines(20, &value) } else { String::new() }),
    ]
}
