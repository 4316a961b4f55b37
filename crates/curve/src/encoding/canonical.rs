//! The customary encoding of the points of each curve, which keys and proofs use.

use super::{ArkCompressed, ArkUncompressed, PointEncoding, PointError, ZcashCompressed, ZcashUncompressed};
use crate::{Affine, Curve, bls12_377, bls12_381, bn254};
use alloc::vec::Vec;

/// A group with a customary encoding: Zcash's on BLS12-381, arkworks' on the other curves. In both cases it is the output of
/// arkworks' `CanonicalSerialize`.
pub trait Canonical: Curve {
    /// The encoding with one coordinate and a sign.
    type Compressed: PointEncoding;
    /// The encoding with both coordinates.
    type Uncompressed: PointEncoding;
}

macro_rules! canonical {
    ($($group:ty: $compressed:ty, $uncompressed:ty;)+) => {$(
        impl Canonical for $group {
            type Compressed = $compressed;
            type Uncompressed = $uncompressed;
        }
    )+};
}
canonical! {
    bls12_381::G1: ZcashCompressed, ZcashUncompressed;
    bls12_381::G2: ZcashCompressed, ZcashUncompressed;
    bn254::G1: ArkCompressed, ArkUncompressed;
    bn254::G2: ArkCompressed, ArkUncompressed;
    bls12_377::G1: ArkCompressed, ArkUncompressed;
    bls12_377::G2: ArkCompressed, ArkUncompressed;
}

/// The form of an encoding: compressed or uncompressed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// One coordinate and a sign: half the bytes, but decoding takes a square root.
    Compressed,
    /// Both coordinates; decoding takes no square root.
    Uncompressed,
}

impl<C: Canonical> Affine<C> {
    /// Length in bytes of the encodings of points of this group.
    pub fn encoded_len(form: Form) -> usize {
        match form {
            Form::Compressed => C::Compressed::len::<C>(),
            Form::Uncompressed => C::Uncompressed::len::<C>(),
        }
    }

    /// Encodes the point in the customary encoding of its curve, see [`Canonical`].
    #[inline(never)]
    pub fn to_bytes(&self, form: Form) -> Vec<u8> {
        match form {
            Form::Compressed => C::Compressed::to_vec(self),
            Form::Uncompressed => C::Uncompressed::to_vec(self),
        }
    }

    /// Decodes a point of the prime-order subgroup, or infinity, from the customary encoding of its curve. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the unique encoding of such a point.
    #[inline(never)]
    pub fn from_bytes(bytes: &[u8], form: Form) -> Result<Self, PointError> {
        match form {
            Form::Compressed => C::Compressed::read(bytes),
            Form::Uncompressed => C::Uncompressed::read(bytes),
        }
    }
}
