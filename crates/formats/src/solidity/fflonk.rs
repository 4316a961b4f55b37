//! Solidity contracts for fflonk keys.

use super::plonk::scalars;
use super::template::{Lines, constants, fill, minus};
use super::{ContractError, Precompiles};
use crate::CurveId;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec;
use pairwright_curve::{Affine, Pairing};
use pairwright_field::{Field, PrimeField};
use pairwright_protocols::fflonk::{InSubgroup, VerifyingKey};

const BN254: &str = include_str!("fflonk.sol");

/// The source of a contract `FflonkVerifier` that verifies proofs under this key, on BN254. It has the function of snarkjs'
/// contract, `verifyProof(bytes32[24] proof, uint256[N])`. Without public values the last argument is a list that must be
/// empty.
///
/// # Errors
/// When the curve is not BN254, or when anybody can forge proofs under the key.
#[inline(never)]
pub fn fflonk_contract<E: Pairing>(vk: &InSubgroup<VerifyingKey<E>>) -> Result<String, ContractError> {
    if let Some(weakness) = vk.weakness() {
        return Err(weakness.into());
    }
    let precompiles = expect_bn254::<E>()?;
    let mut lines = Lines::new(4);
    constants(&mut lines, "C0", &precompiles.words(&vk.c0));
    constants(&mut lines, "X_2", &precompiles.words(&vk.x_2));
    constants(&mut lines, "MINUS_G2", &precompiles.words(&minus(&Affine::<E::G2>::generator())));
    let back = vk.domain.root_inverse();
    lines.push("// The inverse of w.");
    lines.push(&format!("uint256 constant W_INVERSE = {};", back.to_decimal()));
    // Index of the last domain point that belongs to a public value.
    let last = u64::try_from(vk.public).unwrap_or(u64::MAX).saturating_sub(1);
    let values_end = vk.public.saturating_mul(32).saturating_add(64);
    let mut values = vec![
        ("constants", lines.finish()),
        ("values_end", values_end.to_string()),
        ("hashed_bytes", values_end.saturating_add(64).to_string()),
        ("minus_g2", precompiles.second_of_pair("sum", 0, "MINUS_G2")),
        ("x_2", precompiles.second_of_pair("sum", 192, "X_2")),
        ("last_root", vk.domain.root().pow_vartime(&[last]).to_decimal()),
    ];
    values.extend(scalars(&vk.domain, vk.public, [vk.k1, vk.k2]));
    Ok(fill(BN254, &values))
}

/// Fails on every curve but BN254, the only one with fflonk files.
pub(super) fn expect_bn254<E: Pairing>() -> Result<Precompiles, ContractError> {
    match Precompiles::of::<E>()? {
        Precompiles::Bn254 => Ok(Precompiles::Bn254),
        Precompiles::Bls12_381 => Err(ContractError::FflonkCurve { curve: CurveId::name_of::<E>() }),
    }
}
