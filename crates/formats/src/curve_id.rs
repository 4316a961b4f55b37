//! Recognises the curve that a file is for, by its prime or its name.

use core::fmt;
use pairwright_curve::{Pairing, bls12_377, bls12_381, bn254};
use pairwright_field::PrimeField;

/// A curve that files may be for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum CurveId {
    /// BN254, which circom and snarkjs call `bn128`.
    Bn254,
    /// BLS12-381, which snarkjs calls `bls12381`.
    Bls12_381,
    /// BLS12-377, `bls12377`. circom and snarkjs do not know it; the layout is the same.
    Bls12_377,
}

impl CurveId {
    /// The curves that files may be for.
    pub const ALL: [Self; 3] = [Self::Bn254, Self::Bls12_381, Self::Bls12_377];

    /// The name in snarkjs' JSON files and as circom's `--prime`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bn254 => "bn128",
            Self::Bls12_381 => "bls12381",
            Self::Bls12_377 => "bls12377",
        }
    }

    /// The curve of that name in JSON files.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.name() == name)
    }

    /// The curve of a pairing type.
    pub fn of<E: Pairing>() -> Option<Self> {
        Self::ALL.into_iter().find(|id| id.base_modulus() == E::Fq::MODULUS.as_ref())
    }

    /// The name in files of the curve of a pairing type; the pairing's own name where it is not one of ours.
    pub(crate) fn name_of<E: Pairing>() -> &'static str {
        Self::of::<E>().map_or(E::NAME, Self::name)
    }

    /// The order of the groups: the prime of r1cs and wtns files. Little-endian limbs.
    pub fn scalar_modulus(self) -> &'static [u64] {
        const BN: &[u64] = &bn254::Fr::MODULUS;
        const B381: &[u64] = &bls12_381::Fr::MODULUS;
        const B377: &[u64] = &bls12_377::Fr::MODULUS;
        match self {
            Self::Bn254 => BN,
            Self::Bls12_381 => B381,
            Self::Bls12_377 => B377,
        }
    }

    /// The characteristic of the coordinates' field: the first prime of zkey and ptau files. Little-endian limbs.
    pub fn base_modulus(self) -> &'static [u64] {
        const BN: &[u64] = &bn254::Fq::MODULUS;
        const B381: &[u64] = &bls12_381::Fq::MODULUS;
        const B377: &[u64] = &bls12_377::Fq::MODULUS;
        match self {
            Self::Bn254 => BN,
            Self::Bls12_381 => B381,
            Self::Bls12_377 => B377,
        }
    }

    /// The curve one of whose two primes these little-endian bytes are. Scalar and base field of our curves differ,
    /// so one look-up serves both.
    pub(crate) fn of_prime(bytes: &[u8]) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|id| is_prime(bytes, id.scalar_modulus()) || is_prime(bytes, id.base_modulus()))
    }
}

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Whether little-endian bytes are the limbs of a modulus.
pub(crate) fn is_prime(bytes: &[u8], limbs: &[u64]) -> bool {
    limbs.iter().flat_map(|l| l.to_le_bytes()).eq(bytes.iter().copied())
}
