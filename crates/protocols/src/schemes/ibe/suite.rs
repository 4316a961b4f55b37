//! What the scheme takes from its groups beyond keys and signatures.

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

/// Groups that drand encrypts with: the hash of the scheme, and the bytes of the pairing's values.
pub trait Suite: KeyGroups {
    /// The hash of the scheme and of rounds, of 32 bytes.
    type Hash: Digest<OutputSize = U32>;

    /// The tag of signatures of the basic scheme, under which identities are hashed.
    fn tag() -> String;
    /// A value of the pairing as kyber writes it.
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

/// Hashes are Keccak-256 as it was before SHA-3, values those of the pairing without a factor in its exponent.
impl Suite for Bn254MinSig {
    type Hash = Keccak256;
    fn tag() -> String {
        "BLS_SIG_BN254G1_XMD:KECCAK-256_SVDW_RO_NUL_".into()
    }
    fn value_bytes(value: &Value<Self>) -> Zeroizing<Vec<u8>> {
        Zeroizing::new(gt_to_bytes_be(&*Zeroizing::new(bn254::reduced(value))))
    }
}
