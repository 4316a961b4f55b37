//! Recognises the curve that a file is for, by its prime or its name.

use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
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

            /// An alternative name, which the command accepts too.
            pub const fn other_name(self) -> &'static str {
                match self {
                    $(Self::$id => $other,)+
                }
            }

            /// A short description of the curve.
            pub const fn about(self) -> &'static str {
                match self {
                    $(Self::$id => $about,)+
                }
            }

            /// The order of the prime-order subgroups, which is the prime in r1cs and wtns files. Little-endian limbs.
            pub const fn scalar_modulus(self) -> &'static [u64] {
                match self {
                    $(Self::$id => const { &<$pairing as Pairing>::Fr::MODULUS },)+
                }
            }

            /// The characteristic of the field of coordinates, which is the first prime in zkey and ptau files. Little-endian
            /// limbs.
            pub const fn base_modulus(self) -> &'static [u64] {
                match self {
                    $(Self::$id => const { &<$pairing as Pairing>::Fq::MODULUS },)+
                }
            }
        }

        /// The curves that only tests use: name, scalar modulus and base modulus.
        pub(crate) const FIXTURES: &[(&str, [&[u64]; 2])] =
            &[$(($called, [&<$tiny as Pairing>::Fr::MODULUS, &<$tiny as Pairing>::Fq::MODULUS])),*];
    };
}
for_each_curve!(curve_ids);

impl CurveId {
    /// The curve with that [name](Self::name), as in JSON files.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.name() == name)
    }

    /// The curve that a pairing type implements; `None` if files do not support it.
    pub fn of<E: Pairing>() -> Option<Self> {
        Self::ALL.iter().copied().find(|id| id.base_modulus() == E::Fq::MODULUS.as_ref())
    }

    /// The name that files use for the curve of a pairing type; the pairing's own name if it is not a supported curve.
    pub(crate) fn name_of<E: Pairing>() -> &'static str {
        Self::of::<E>().map_or(E::NAME, Self::name)
    }

    /// The names of all supported curves, for error messages.
    pub(crate) fn names() -> String {
        let names: Vec<_> = Self::ALL.iter().map(|id| id.name()).collect();
        match names.as_slice() {
            [first @ .., last] if !first.is_empty() => format!("{} or {last}", first.join(", ")),
            few => few.concat(),
        }
    }
}

impl fmt::Display for CurveId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The test fixture of that name.
pub(crate) fn fixture_named(name: &str) -> Option<&'static str> {
    FIXTURES.iter().map(|(known, _)| *known).find(|known| *known == name)
}
