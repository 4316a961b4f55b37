//! Byte encodings of points, as files and protocols use them.
//!
//! | encoding | bytes | used by |
//! |---|---|---|
//! | [`ZcashCompressed`], [`ZcashUncompressed`] | big-endian, flags in the top three bits | BLS12-381: IETF, Ethereum, Zcash,
//! drand, arkworks |
//! | [`ArkCompressed`], [`ArkUncompressed`] | little-endian, flags in the top two bits | arkworks on BN254 and BLS12-377 |
//! | [`Eip2537`] | big-endian, coordinates padded to 64 bytes | Ethereum precompiles, BLS12-381 |
//! | [`Eip197`] | big-endian, u coefficient first | Ethereum precompiles, BN254 |
//! | [`Zkey`] | little-endian Montgomery | snarkjs zkey and ptau |
//!
//! Every decoder checks length, flags, padding, that coordinates are below the modulus, and the curve's equation.
//! [`PointEncoding::read`] also checks membership in the prime-order subgroup; `read_unchecked_subgroup` does not, and
//! `read_unchecked_curve` does not check the equation either. Each encoding is canonical: `write` gives back exactly the bytes
//! that a reader has accepted.
//!
//! [`Affine::to_bytes`] and [`Affine::from_bytes`] use the first two rows, the customary encoding of each curve.

mod canonical;
mod flagged;
mod gt;
mod plain;
#[cfg(feature = "serde")]
mod serial;

use alloc::vec;
use alloc::vec::Vec;
pub use canonical::{Canonical, Form};
pub use flagged::{ArkCompressed, ArkUncompressed, ZcashCompressed, ZcashUncompressed};
pub use gt::{gt_from_bytes_be, gt_to_bytes_be};
pub use plain::{Eip197, Eip2537, Zkey};

use crate::{Affine, Curve};
use pairwright_field::{Extension, Field, FieldError, PrimeField};
use thiserror::Error;

/// Reasons for which bytes are not the encoding of a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PointError {
    /// The encoding has the wrong number of bytes.
    #[error("{curve}: expected {expected} bytes, found {found}")]
    Length {
        /// The group's name.
        curve: &'static str,
        /// Number of bytes of a valid encoding.
        expected: usize,
        /// Number of bytes that were given.
        found: usize,
    },
    /// The flag bits contradict each other or the encoding.
    #[error("{curve}: flag bits {found:#04x} are not valid here")]
    Flags {
        /// The group's name.
        curve: &'static str,
        /// The flag bits, at their positions in the byte.
        found: u8,
    },
    /// The padding bytes of a coordinate are not zero.
    #[error("{curve}: padding of a coordinate is not zero")]
    Padding {
        /// The group's name.
        curve: &'static str,
    },
    /// The infinity flag is set, but the coordinates are not zero.
    #[error("{curve}: infinity with non-zero coordinates")]
    InfinityNotZero {
        /// The group's name.
        curve: &'static str,
    },
    /// A coordinate is not below the modulus.
    #[error("{curve}: coordinate {index} is not below the modulus")]
    NotReduced {
        /// The group's name.
        curve: &'static str,
        /// Index of the coordinate in the order of the bytes, from zero; an Fq2 element counts as two.
        index: usize,
    },
    /// The coordinates do not satisfy the curve's equation, or no point has this first coordinate.
    #[error("{curve}: not on the curve")]
    NotOnCurve {
        /// The group's name.
        curve: &'static str,
    },
    /// The point is on the curve but not in the prime-order subgroup.
    #[error("{curve}: not in the prime-order subgroup")]
    NotInSubgroup {
        /// The group's name.
        curve: &'static str,
    },
}

/// A byte encoding of points.
pub trait PointEncoding {
    /// Length in bytes of the encodings of points of `C`.
    fn len<C: Curve>() -> usize;

    /// Writes `p` into exactly [`Self::len`] bytes.
    ///
    /// # Panics
    /// If `out` has another length, which is an error of the caller, not of the input.
    fn write<C: Curve>(p: &Affine<C>, out: &mut [u8]);

    /// Decodes a point and checks everything except membership in the subgroup. Variable time.
    fn read_unchecked_subgroup<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError>;

    /// Decodes a point of the prime-order subgroup, or infinity. Variable time.
    fn read<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError> {
        let p = Self::read_unchecked_subgroup::<C>(bytes)?;
        if p.is_in_subgroup_vartime() { Ok(p) } else { Err(PointError::NotInSubgroup { curve: C::NAME }) }
    }

    /// The encoding of `p` as a vector.
    fn to_vec<C: Curve>(p: &Affine<C>) -> Vec<u8> {
        let mut out = vec![0; Self::len::<C>()];
        Self::write(p, &mut out);
        out
    }
}

/// Length in bytes of one element of the prime field.
const fn width<C: Curve>() -> usize {
    <Prime<C> as PrimeField>::BYTES
}

/// The prime subfield of the field of a curve's coordinates.
type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

fn check_length<C: Curve>(bytes: &[u8], expected: usize) -> Result<(), PointError> {
    if bytes.len() == expected {
        Ok(())
    } else {
        Err(PointError::Length { curve: C::NAME, expected, found: bytes.len() })
    }
}

fn check_curve<C: Curve>(p: Affine<C>) -> Result<Affine<C>, PointError> {
    if p.is_on_curve() { Ok(p) } else { Err(PointError::NotOnCurve { curve: C::NAME }) }
}

/// The order of the tower coefficients of one coordinate in the bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    LowFirst,
    HighFirst,
}

/// Writes one coordinate; `put` writes each tower coefficient into one of the chunks of equal size.
fn write_element<F: Extension>(x: &F, order: Order, out: &mut [u8], put: impl Fn(&F::Prime, &mut [u8])) {
    let size = out.len() / F::DEGREE;
    for (i, chunk) in out.chunks_exact_mut(size).enumerate() {
        let at = if order == Order::LowFirst { i } else { F::DEGREE - 1 - i };
        put(&x.coord(at), chunk);
    }
}

/// Reads one coordinate of a point; `get` reads each tower coefficient from one of the chunks of equal size. `first` is the index
/// of the first coefficient in the whole encoding, for the error.
fn read_element<C: Curve>(
    bytes: &[u8],
    order: Order,
    first: usize,
    get: impl Fn(&[u8]) -> Result<Prime<C>, FieldError>,
) -> Result<C::Base, PointError> {
    let size = bytes.len() / C::Base::DEGREE;
    C::Base::try_from_fn(|at| {
        let i = if order == Order::LowFirst { at } else { C::Base::DEGREE - 1 - at };
        let chunk = bytes.get(i * size..(i + 1) * size).unwrap_or_default();
        get(chunk).map_err(|_| PointError::NotReduced { curve: C::NAME, index: first + i })
    })
}

/// Whether `y` is the larger of `y` and `-y`; canonical values are compared, highest tower coefficient first.
fn is_larger_root<F: Extension>(y: &F) -> bool {
    (0..F::DEGREE)
        .rev()
        .map(|i| y.coord(i))
        .find(|c| !c.is_zero())
        .is_some_and(|c| c.to_limbs().as_ref().iter().rev().gt((-c).to_limbs().as_ref().iter().rev()))
}
