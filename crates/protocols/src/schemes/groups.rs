//! The assignment of a pairing's two groups to keys and to signatures, on any curve.

use core::fmt::Debug;
use pairwright_curve::bls12_381::{Bls12_381, G1, G2};
use pairwright_curve::bn254::{self, Bn254};
use pairwright_curve::encoding::{Eip197, PointEncoding, ZcashCompressed};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, HashBySvdw, HashToCurve, Pairing};
use sha3::Keccak256;

/// A choice of which group of a pairing holds the public keys. Signatures, and the points that messages are hashed to, are in the
/// other group.
pub trait KeyGroups: Copy + Eq + Debug + Send + Sync + 'static {
    /// The pairing of the two groups.
    type Engine: Pairing;
    /// The group of public keys.
    type Keys: Curve<Scalar = <Self::Engine as Pairing>::Fr>;
    /// The group of signatures and of hashed messages.
    type Signatures: Curve<Scalar = <Self::Engine as Pairing>::Fr>;
    /// The encoding of keys and signatures as bytes.
    type Encoding: PointEncoding;

    /// Returns the two points in the order of the pairing: the one in G1, the one in G2.
    fn pair(
        key: Affine<Self::Keys>,
        signature: Affine<Self::Signatures>,
    ) -> (G1Affine<Self::Engine>, G2Affine<Self::Engine>);

    /// Hashes a message to a point under the domain separation tag `dst`, on the host. Constant time but for the message's length.
    fn message_point(message: &[u8], dst: &[u8]) -> Affine<Self::Signatures>;
}

/// Public keys in G1 (48 bytes), signatures in G2 (96 bytes): Ethereum's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinPk;

/// Public keys in G2 (96 bytes), signatures in G1 (48 bytes): drand's choice.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MinSig;

impl KeyGroups for MinPk {
    type Engine = Bls12_381;
    type Keys = G1;
    type Signatures = G2;
    type Encoding = ZcashCompressed;
    fn pair(key: Affine<G1>, signature: Affine<G2>) -> (Affine<G1>, Affine<G2>) {
        (key, signature)
    }
    fn message_point(message: &[u8], dst: &[u8]) -> Affine<G2> {
        G2::hash_to_curve(message, dst)
    }
}

impl KeyGroups for MinSig {
    type Engine = Bls12_381;
    type Keys = G2;
    type Signatures = G1;
    type Encoding = ZcashCompressed;
    fn pair(key: Affine<G2>, signature: Affine<G1>) -> (Affine<G1>, Affine<G2>) {
        (signature, key)
    }
    fn message_point(message: &[u8], dst: &[u8]) -> Affine<G1> {
        G1::hash_to_curve(message, dst)
    }
}

/// BN254 with public keys in G2 (128 bytes) and signatures in G1 (64 bytes), not compressed; messages are hashed by the map of
/// Shallue and van de Woestijne with Keccak-256. drand's beacons for Ethereum sign this way. The curve's security is near
/// 100 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bn254MinSig;

impl KeyGroups for Bn254MinSig {
    type Engine = Bn254;
    type Keys = bn254::G2;
    type Signatures = bn254::G1;
    type Encoding = Eip197;
    fn pair(key: Affine<bn254::G2>, signature: Affine<bn254::G1>) -> (Affine<bn254::G1>, Affine<bn254::G2>) {
        (signature, key)
    }
    fn message_point(message: &[u8], dst: &[u8]) -> Affine<bn254::G1> {
        bn254::G1::hash_to_curve::<Keccak256>(message, dst)
    }
}
