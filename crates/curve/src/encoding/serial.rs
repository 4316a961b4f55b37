//! Points in the formats of serde: compressed, in the customary encoding of their curve.

use super::{Canonical, Form};
use crate::Affine;
use pairwright_field::serial;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// Writes the compressed form of [`Canonical`], in hexadecimal if the format is human-readable, otherwise as bytes.
impl<C: Canonical> Serialize for Affine<C> {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        serial::serialize(&self.to_bytes(Form::Compressed), to)
    }
}

/// Checks that the point is on the curve and in the prime-order subgroup, or infinity. Variable time.
impl<'de, C: Canonical> Deserialize<'de> for Affine<C> {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        serial::deserialize(from, C::NAME, |bytes| Self::from_bytes(bytes, Form::Compressed))
    }
}
