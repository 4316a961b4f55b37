//! The hash, the tag and the encoding of pairing values that the scheme needs in addition to [`KeyGroups`].

use crate::schemes::bls::Scheme;
use crate::schemes::{Bn254MinSig, KeyGroups, Variant};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::encoding::gt_to_bytes_be;
use pairwright_curve::{Pairing, bn254};
use sha2::Sha256;
use sha2::digest::Digest;
use sha2::digest::consts::U32;
use sha3::Keccak256;
use zeroize::Zeroizing;

/// The scalars of a suite.
pub(super) type Scalar<V> = <<V as KeyGroups>::Engine as Pairing>::Fr;
/// The values of a suite's pairing.
pub(super) type Value<V> = <<V as KeyGroups>::Engine as Pairing>::Gt;

/// Groups for the encryption scheme as drand uses it: the hash of the scheme, and the bytes of the pairing's values.
pub trait Suite: KeyGroups {
    /// The hash of the scheme and of rounds, with a digest of 32 bytes.
    type Hash: Digest<OutputSize = U32>;

    /// The domain separation tag of the basic signature scheme, under which identities are hashed by default.
    fn tag() -> String;
    /// Encodes a value of the pairing as kyber does.
    fn value_bytes(value: &Value<Self>) -> Zeroizing<Vec<u8>>;
}

impl<V: Variant> Suite for V {
    type Hash = Sha256;
    fn tag() -> String {
        Scheme::Basic.ciphersuite::<V>()
    }
    fn value_bytes(value: &Value<Self>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(gt_to_bytes_be(value))
    }
}

/// The hash is Keccak-256 with the padding from before SHA-3. Values are reduced to those of the pairing with exponent (q¹² - 1)/r.
impl Suite for Bn254MinSig {
    type Hash = Keccak256;
    fn tag() -> String {
        "BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_".into()
    }
    fn value_bytes(value: &Value<Self>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(gt_to_bytes_be(&*Zeroizing::new(bn254::reduced(value))))
    }
}
