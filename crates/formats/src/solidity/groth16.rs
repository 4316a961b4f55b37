//! Solidity contracts for Groth16 keys.

use super::template::{Lines, arguments, constants, fill, minus, order, stores, values_type};
use super::{ContractError, Precompiles};
use alloc::format;
use alloc::string::String;
use pairwright_curve::Pairing;
use pairwright_protocols::groth16::{InSubgroup, VerifyingKey};

const BN254: &str = include_str!("groth16_bn254.sol");
const BLS12_381: &str = include_str!("groth16_bls12_381.sol");

/// The source of a contract `Groth16Verifier` that verifies proofs under this key.
///
/// On BN254 it has the function of snarkjs' contract, `verifyProof(uint256[2] a, uint256[2][2] b, uint256[2] c, uint256[N])`;
/// on BLS12-381 the function is `verifyProof(uint256[4] a, uint256[8] b, uint256[4] c, uint256[N])`. Without public values the
/// last argument is a list that must be empty.
///
/// # Errors
/// When the curve has no precompiles, when the key has no IC points, or when anybody can forge proofs under it.
#[inline(never)]
pub fn groth16_contract<E: Pairing>(vk: &InSubgroup<VerifyingKey<E>>) -> Result<String, ContractError> {
    vk.expect_safe()?;
    let precompiles = Precompiles::of::<E>()?;
    let mut lines = Lines::new(4);
    constants(&mut lines, "MINUS_ALPHA", &precompiles.words(&minus(&vk.alpha_g1)));
    constants(&mut lines, "BETA", &precompiles.words(&vk.beta_g2));
    constants(&mut lines, "MINUS_GAMMA", &precompiles.words(&minus(&vk.gamma_g2)));
    constants(&mut lines, "MINUS_DELTA", &precompiles.words(&minus(&vk.delta_g2)));
    for (i, p) in vk.ic.iter().enumerate() {
        constants(&mut lines, &format!("IC{i}"), &precompiles.words(p));
    }
    let public = vk.ic.len().checked_sub(1).ok_or(ContractError::EmptyKey)?;
    let (template, sum) = match precompiles {
        Precompiles::Bn254 => (BN254, sum_by_steps(public)),
        Precompiles::Bls12_381 => (BLS12_381, sum_at_once(public)),
    };
    let pair = |i: usize| precompiles.point_bytes().saturating_mul(3).saturating_mul(i);
    let mut alpha = Lines::new(16);
    stores(&mut alpha, "pairs", pair(2), "MINUS_ALPHA", precompiles.ends_g1());
    let values = [
        ("r", order::<E::Fr>()),
        ("constants", lines.finish()),
        ("values", values_type(public)),
        ("sum", sum),
        ("minus_gamma", precompiles.second_of_pair("pairs", 0, "MINUS_GAMMA")),
        ("minus_alpha", alpha.finish()),
        ("beta", precompiles.second_of_pair("pairs", pair(2), "BETA")),
        ("minus_delta", precompiles.second_of_pair("pairs", pair(3), "MINUS_DELTA")),
    ];
    Ok(fill(template, &values))
}

/// The expression for the calldata address of the i-th public value, counted from 1.
fn value(i: usize) -> String {
    match i.saturating_sub(1).saturating_mul(32) {
        0 => String::from("publicValues"),
        offset => format!("add(publicValues, {offset})"),
    }
}

/// Lines that add the products of IC points and public values to IC0, one by one.
fn sum_by_steps(public: usize) -> String {
    let mut lines = Lines::new(12);
    if public == 0 {
        lines.push("ok := and(ok, iszero(publicValues.length))");
    }
    for i in 1..=public {
        lines.push(&format!(
            "ok := and(ok, addMultiple(pairs, IC{i}_X, IC{i}_Y, calldataload({})))",
            value(i)
        ));
    }
    lines.finish()
}

/// Lines that compute the sum of the products of IC points and public values by one call of the MSM precompile, and then add
/// IC0.
fn sum_at_once(public: usize) -> String {
    let words = |i: usize| arguments(&format!("IC{i}"), Precompiles::Bls12_381.ends_g1());
    let mut lines = Lines::new(12);
    let ends = Precompiles::Bls12_381.ends_g1();
    if public == 0 {
        lines.push("ok := and(ok, iszero(publicValues.length))");
        for (end, at) in ends.iter().zip([0_usize, 32, 64, 96]) {
            lines.push(&format!("mstore(add(pairs, {at}), IC0_{end})"));
        }
        return lines.finish();
    }
    for i in 1..=public {
        let at = i.saturating_sub(1).saturating_mul(160);
        lines.push(&format!(
            "ok := and(ok, term(add(pairs, {at}), {}, calldataload({})))",
            words(i),
            value(i)
        ));
    }
    let bytes = public.saturating_mul(160);
    lines.push(&format!("ok := and(ok, staticcall(gas(), 12, pairs, {bytes}, pairs, 128))"));
    stores(&mut lines, "pairs", 128, "IC0", ends);
    lines.push("ok := and(ok, staticcall(gas(), 11, pairs, 256, pairs, 128))");
    lines.finish()
}
