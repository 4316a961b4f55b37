//! Recognises the primes in the headers of files.

use crate::CurveId;
use crate::curve_id::FIXTURES;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use pairwright_field::PrimeField;

impl CurveId {
    /// The curve that has these little-endian bytes as its prime of the given role.
    pub(crate) fn of_prime(bytes: &[u8], role: PrimeRole) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| is_prime(bytes, role.modulus(*id)))
    }
}

/// One of a curve's two primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrimeRole {
    /// The order of the prime-order subgroups, which is the field of constraints and witnesses.
    Scalar,
    /// The characteristic of the field of the points' coordinates.
    Base,
}

impl PrimeRole {
    /// The role of the prime of `F`.
    pub(crate) fn of<F: PrimeField>() -> Self {
        let modulus = F::MODULUS;
        let is_base = CurveId::ALL.iter().any(|id| id.base_modulus() == modulus.as_ref());
        if is_base { Self::Base } else { Self::Scalar }
    }

    /// The name of the role in error messages.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Scalar => "scalar",
            Self::Base => "base",
        }
    }

    fn modulus(self, curve: CurveId) -> &'static [u64] {
        match self {
            Self::Scalar => curve.scalar_modulus(),
            Self::Base => curve.base_modulus(),
        }
    }
}

/// Primes of circom's option `--prime` that are not the scalar prime of a supported curve, in hexadecimal.
const OTHER_PRIMES: [(&str, &str); 5] = [
    ("goldilocks", "ffffffff00000001"),
    ("grumpkin", "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"),
    ("pallas", "40000000000000000000000000000000224698fc094cf91b992d30ed00000001"),
    ("vesta", "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001"),
    ("secq256r1", "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"),
];

/// A description of a known prime that is not the prime of this role of a supported curve. `hexadecimal` has no leading zeros.
pub(crate) fn known_prime(hexadecimal: &str, bytes: &[u8], role: PrimeRole) -> Option<String> {
    let other = match role {
        PrimeRole::Scalar => PrimeRole::Base,
        PrimeRole::Base => PrimeRole::Scalar,
    };
    let ours = CurveId::of_prime(bytes, other).map(|curve| format!("the {} field of {curve}", other.name()));
    let named = OTHER_PRIMES.iter().find(|(_, prime)| *prime == hexadecimal).map(|(name, _)| *name);
    match (named, ours) {
        (Some(name), Some(ours)) => Some(format!("{name} ({ours})")),
        (Some(name), None) => Some(name.to_owned()),
        (None, ours) => ours,
    }
}

/// The name of the test curve that has these little-endian bytes as one of its two primes.
pub(crate) fn fixture_of_prime(bytes: &[u8]) -> Option<&'static str> {
    FIXTURES
        .iter()
        .find(|(_, primes)| primes.iter().any(|prime| is_prime(bytes, prime)))
        .map(|(name, _)| *name)
}

/// Whether little-endian bytes are equal to the limbs of a modulus.
pub(crate) fn is_prime(bytes: &[u8], limbs: &[u64]) -> bool {
    limbs.iter().flat_map(|l| l.to_le_bytes()).eq(bytes.iter().copied())
}
