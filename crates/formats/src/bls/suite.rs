//! The names of variants and ciphersuites.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use pairwright_protocols::schemes::bls::Scheme;
use pairwright_protocols::schemes::{MinPk, MinSig, Variant};

/// A variant as a value rather than a type: it can be read from a file before the points are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantName {
    /// Keys of 48 bytes in G1, signatures of 96 bytes in G2.
    MinPk,
    /// Keys of 96 bytes in G2, signatures of 48 bytes in G1.
    MinSig,
}

impl VariantName {
    /// The name of the variant that is given as a type.
    pub fn of<V: Variant>() -> Self {
        if V::NAME == MinPk::NAME { Self::MinPk } else { Self::MinSig }
    }

    /// The name: `min-pk` or `min-sig`.
    pub fn name(self) -> &'static str {
        match self {
            Self::MinPk => MinPk::NAME,
            Self::MinSig => MinSig::NAME,
        }
    }

    /// Length of a compressed public key in bytes: 48 or 96.
    pub fn key_bytes(self) -> usize {
        match self {
            Self::MinPk => 48,
            Self::MinSig => 96,
        }
    }

    /// Length of a compressed signature in bytes: 96 or 48.
    pub fn signature_bytes(self) -> usize {
        match self {
            Self::MinPk => 96,
            Self::MinSig => 48,
        }
    }

    /// The variant whose compressed public keys have this many bytes.
    pub fn of_key_bytes(bytes: usize) -> Option<Self> {
        [Self::MinPk, Self::MinSig].into_iter().find(|variant| variant.key_bytes() == bytes)
    }
}

impl fmt::Display for VariantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Parses [`VariantName::name`]; any other text is an error.
impl FromStr for VariantName {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::MinPk, Self::MinSig].into_iter().find(|variant| variant.name() == text).ok_or(())
    }
}

/// A ciphersuite of BLS signatures: a variant and a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ciphersuite {
    /// The assignment of the two groups to keys and signatures.
    pub variant: VariantName,
    /// The protection of aggregate signatures against rogue keys.
    pub scheme: Scheme,
}

impl Ciphersuite {
    /// The suite's name in draft-irtf-cfrg-bls-signature, §4.2.
    pub fn name(self) -> String {
        match self.variant {
            VariantName::MinPk => self.scheme.ciphersuite::<MinPk>(),
            VariantName::MinSig => self.scheme.ciphersuite::<MinSig>(),
        }
    }

    /// The suite with that name.
    pub fn named(name: &str) -> Option<Self> {
        let schemes = [Scheme::Basic, Scheme::MessageAugmentation, Scheme::ProofOfPossession];
        let suites = [VariantName::MinPk, VariantName::MinSig]
            .into_iter()
            .flat_map(|variant| schemes.map(|scheme| Self { variant, scheme }));
        suites.into_iter().find(|suite| suite.name() == name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        let suite = Ciphersuite { variant: VariantName::MinPk, scheme: Scheme::ProofOfPossession };
        assert_eq!(suite.name(), "BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_POP_");
        let suites = ["min-pk", "min-sig"].map(|name| name.parse::<VariantName>().unwrap());
        for variant in suites {
            for scheme in [Scheme::Basic, Scheme::MessageAugmentation, Scheme::ProofOfPossession] {
                let suite = Ciphersuite { variant, scheme };
                assert_eq!(Ciphersuite::named(&suite.name()), Some(suite));
            }
            assert_eq!(VariantName::of_key_bytes(variant.key_bytes()), Some(variant));
            assert_eq!(variant.key_bytes() + variant.signature_bytes(), 144);
        }
        assert_eq!(VariantName::of::<MinSig>(), VariantName::MinSig);
        assert_eq!(("min".parse::<VariantName>(), VariantName::of_key_bytes(47)), (Err(()), None));
        assert_eq!(Ciphersuite::named("BLS_SIG_BLS12381G2_XMD:SHA-256_SSWU_RO_XYZ_"), None);
    }
}
