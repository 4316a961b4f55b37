//! The names of variants and ciphersuites.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;
use pairwright_protocols::schemes::bls::Scheme;
use pairwright_protocols::schemes::{MinPk, MinSig, Variant};

/// A variant by its name: what is known of a file before its points are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VariantName {
    /// Keys of 48 bytes in G1, signatures of 96 bytes in G2.
    MinPk,
    /// Keys of 96 bytes in G2, signatures of 48 bytes in G1.
    MinSig,
}

impl VariantName {
    /// The name of a variant that is a type.
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

    /// Bytes of a public key.
    pub fn key_bytes(self) -> usize {
        match self {
            Self::MinPk => 48,
            Self::MinSig => 96,
        }
    }

    /// Bytes of a signature.
    pub fn signature_bytes(self) -> usize {
        match self {
            Self::MinPk => 96,
            Self::MinSig => 48,
        }
    }

    /// The variant whose public keys have so many bytes.
    pub fn of_key_bytes(bytes: usize) -> Option<Self> {
        [Self::MinPk, Self::MinSig].into_iter().find(|variant| variant.key_bytes() == bytes)
    }
}

impl fmt::Display for VariantName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// `None` for a text that names no variant.
impl FromStr for VariantName {
    type Err = ();
    fn from_str(text: &str) -> Result<Self, ()> {
        [Self::MinPk, Self::MinSig].into_iter().find(|variant| variant.name() == text).ok_or(())
    }
}

/// A ciphersuite: a variant and a scheme.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ciphersuite {
    /// The choice of groups.
    pub variant: VariantName,
    /// What guards aggregates.
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
