//! Recognises the curve that a file is for, by its prime or its name.

use core::fmt;
use pairwright_curve::{Pairing, for_each_curve};
use pairwright_field::PrimeField;

macro_rules! curve_ids {
    (
        curves { $($id:ident [$pairing:ty] $name:literal $other:literal $about:literal;)+ }
        fixtures { $($fixture:ident [$tiny:ty] $called:literal $also:literal $what:literal;)* }
    ) => {
        /// A curve that files may be for.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum CurveId {
            $(#[doc = concat!($about, ".")] $id,)+
        }

        impl CurveId {
            /// The curves that files may be for.
            pub const ALL: &'static [Self] = &[$(Self::$id),+];

            /// The name in snarkjs' JSON files and as circom's `--prime`.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$id => $name,)+
                }
            }

            /// Another name that commands understand.
            pub const fn other_name(self) -> &'static str {
                match self {
                    $(Self::$id => $other,)+
                }
            }

            /// What the curve is, in a few words.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$id => $about,)+
                }
            }

            /// The order of the groups: the prime of r1cs and wtns files. Little-endian limbs.
            pub const fn scalar_modulus(self) -> &'static [u64] {
                match self {
                    $(Self::$id => const { &<$pairing as Pairing>::Fr::MODULUS },)+
                }
            }

            /// The characteristic of the coordinates' field: the first prime of zkey and ptau files. Little-endian limbs.
            pub const fn base_modulus(self) -> &'static [u64] {
                match self {
                    $(Self::$id => const { &<$pairing as Pairing>::Fq::MODULUS },)+
                }
            }
        }

        /// The curves that only tests use: name and both primes.
        const FIXTURES: &[(&str, [&[u64]; 2])] =
            &[$(($called, [&<$tiny as Pairing>::Fr::MODULUS, &<$tiny as Pairing>::Fq::MODULUS])),*];
    };
}
for_each_curve!(curve_ids);

impl CurveId {
    /// The curve of that name in JSON files.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// The curve of a pairing type.
    pub fn of<E: Pairing>() -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.base_modulus() == E::Fq::MODULUS.as_ref())
    }

    /// The name in files of the curve of a pairing type; the pairing's own name where it is not one of ours.
    pub(crate) fn name_of<E: Pairing>() -> &'static str {
        Self::of::<E>().map_or(E::NAME, Self::name)
    }

    /// The names of all curves, for messages.
    pub(crate) fn names() -> String {
        let names: Vec<_> = Self::ALL.iter().map(|id| id.name()).collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            few => few.concat(),
        }
    }

    /// The curve whose prime of this role these little-endian bytes are.
    pub(crate) fn of_prime(bytes: &[u8], role: PrimeRole) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| is_prime(bytes, role.modulus(*id)))
    }
}

/// One of a curve's two primes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PrimeRole {
    /// The order of the groups, over which constraints and witnesses are.
    Scalar,
    /// The characteristic of the field of the points' coordinates.
    Base,
}

impl PrimeRole {
    /// The role of a field's prime.
    pub(crate) fn of<F: PrimeField>() -> Self {
        let modulus = F::MODULUS;
        let is_base = CurveId::ALL.iter().any(|id| id.base_modulus() == modulus.as_ref());
        if is_base { Self::Base } else { Self::Scalar }
    }

    /// The word for it in messages.
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

/// Primes of circom's `--prime` that are the scalar prime of no curve of ours, in hexadecimal.
const OTHER_PRIMES: [(&str, &str); 5] = [
    ("goldilocks", "ffffffff00000001"),
    ("grumpkin", "30644e72e131a029b85045b68181585d97816a916871ca8d3c208c16d87cfd47"),
    ("pallas", "40000000000000000000000000000000224698fc094cf91b992d30ed00000001"),
    ("vesta", "40000000000000000000000000000000224698fc0994a8dd8c46eb2100000001"),
    ("secq256r1", "ffffffff00000001000000000000000000000000ffffffffffffffffffffffff"),
];

/// What is known of a prime, in hexadecimal without zeros in front, that is not of this role for a curve of ours.
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

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The name of the test fixture one of whose two primes these little-endian bytes are.
pub(crate) fn fixture_of_prime(bytes: &[u8]) -> Option<&'static str> {
    FIXTURES
        .iter()
        .find(|(_, primes)| primes.iter().any(|prime| is_prime(bytes, prime)))
        .map(|(name, _)| *name)
}

/// The test fixture of that name.
pub(crate) fn fixture_named(name: &str) -> Option<&'static str> {
    FIXTURES.iter().map(|(known, _)| *known).find(|known| *known == name)
}

/// Whether little-endian bytes are the limbs of a modulus.
pub(crate) fn is_prime(bytes: &[u8], limbs: &[u64]) -> bool {
    limbs.iter().flat_map(|l| l.to_le_bytes()).eq(bytes.iter().copied())
}
