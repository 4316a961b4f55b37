//! The encoding of each curve that bytes of keys and proofs have.

use super::{ArkCompressed, ArkUncompressed, PointEncoding, PointError, ZcashCompressed, ZcashUncompressed};
use crate::{Affine, Curve, bls12_377, bls12_381, bn254};
use alloc::vec::Vec;

/// A group with a customary encoding: Zcash's on BLS12-381, arkworks' on the other curves. Both are what arkworks'
/// `CanonicalSerialize` writes.
pub trait Canonical: Curve {
    /// The form with one coordinate and a sign.
    type Compressed: PointEncoding;
    /// The form with both coordinates.
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

/// The form of a point in bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// One coordinate and a sign: half the bytes, and a square root when it is read.
    Compressed,
    /// Both coordinates, without a root when it is read.
    Uncompressed,
}

impl<C: Canonical> Affine<C> {
    /// Bytes of every encoding of a point of this group.
    pub fn encoded_len(form: Form) -> usize {
        match form {
            Form::Compressed => C::Compressed::len::<C>(),
            Form::Uncompressed => C::Uncompressed::len::<C>(),
        }
    }

    /// The point in the encoding of its curve, see [`Canonical`].
    #[inline(never)]
    pub fn to_bytes(&self, form: Form) -> Vec<u8> {
        match form {
            Form::Compressed => C::Compressed::to_vec(self),
            Form::Uncompressed => C::Uncompressed::to_vec(self),
        }
    }

    /// Reads a point of the prime-order subgroup, or infinity, in the encoding of its curve. Variable time.
    ///
    /// # Errors
    /// When the bytes are not the one encoding of such a point.
    #[inline(never)]
    pub fn from_bytes(bytes: &[u8], form: Form) -> Result<Self, PointError> {
        match form {
            Form::Compressed => C::Compressed::read(bytes),
            Form::Uncompressed => C::Uncompressed::read(bytes),
        }
    }
}
