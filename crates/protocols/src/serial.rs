//! Implementations of serde's traits for proofs, verifying keys, BLS public keys and BLS signatures: binary formats get the bytes
//! with compressed points, text formats the same in hexadecimal. Secret keys do not implement them, so that nobody writes one by
//! accident.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use crate::groth16::{Encoded, InSubgroup, Proof, VerifyingKey};
use crate::schemes::Variant;
use crate::schemes::bls::{PublicKey, Signature};
use pairwright_curve::encoding::Form;
use pairwright_field::serial;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! groth16 {
    ($($type:ident $what:literal;)+) => {$(
        impl<E: Encoded> Serialize for $type<E> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                serial::serialize(&self.to_bytes(Form::Compressed), to)
            }
        }

        impl<E: Encoded> Serialize for InSubgroup<$type<E>> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                serial::serialize(&self.to_bytes(Form::Compressed), to)
            }
        }

        /// Checks that every point is on its curve and in its subgroup. Variable time.
        impl<'de, E: Encoded> Deserialize<'de> for InSubgroup<$type<E>> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                serial::deserialize(from, $what, |bytes| $type::from_bytes(bytes, Form::Compressed))
            }
        }

        /// Checks that every point is on its curve and in its subgroup. Variable time.
        impl<'de, E: Encoded> Deserialize<'de> for $type<E> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                InSubgroup::<Self>::deserialize(from).map(InSubgroup::into_inner)
            }
        }
    )+};
}
groth16! {
    Proof "a proof";
    VerifyingKey "a verifying key";
}

macro_rules! bls {
    ($($type:ident $what:literal;)+) => {$(
        impl<V: Variant> Serialize for $type<V> {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                serial::serialize(&self.to_bytes(), to)
            }
        }

        /// Makes the same checks as `from_bytes`. Variable time.
        impl<'de, V: Variant> Deserialize<'de> for $type<V> {
            fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
                serial::deserialize(from, $what, Self::from_bytes)
            }
        }
    )+};
}
bls! {
    PublicKey "a public key";
    Signature "a signature";
}
