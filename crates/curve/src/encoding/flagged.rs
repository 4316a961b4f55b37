//! Encodings with flags in the spare top bits of a coordinate: Zcash's (IETF) and arkworks'.

use super::{
    Order, PointEncoding, PointError, Prime, check_curve, check_length, is_larger_root, read_element, width,
    write_element,
};
use crate::{Affine, Curve};
use pairwright_field::{Extension, PrimeField, Ring, Sqrt};

/// The compressed encoding of Zcash and draft-irtf-cfrg-pairing-friendly-curves, appendix C: the first coordinate
/// big-endian, the u coefficient of Fq2 first. Top bits of the first byte: 0x80 compressed, 0x40 infinity, 0x20
/// the larger of the two second coordinates. It needs three spare bits, so it does not exist for BN254.
#[derive(Clone, Copy, Debug)]
pub struct ZcashCompressed;

/// The uncompressed encoding that belongs to [`ZcashCompressed`]: both coordinates; only the flag of infinity is used.
#[derive(Clone, Copy, Debug)]
pub struct ZcashUncompressed;

/// The compressed default encoding of arkworks (`ark-serialize` 0.6, `SWFlags`): the first coordinate little-endian,
/// lowest tower coefficient first. Top bits of the last byte: 0x80 the larger of the two second coordinates, 0x40
/// infinity. On BLS12-381 arkworks uses the Zcash encoding instead.
#[derive(Clone, Copy, Debug)]
pub struct ArkCompressed;

/// The uncompressed encoding that belongs to [`ArkCompressed`]: both coordinates, with the same flags in the last byte of the
/// second.
#[derive(Clone, Copy, Debug)]
pub struct ArkUncompressed;

const ZCASH_COMPRESSED: u8 = 0x80;
const ZCASH_LARGER: u8 = 0x20;
const INFINITY: u8 = 0x40;
const ARK_LARGER: u8 = 0x80;

/// Size in bytes of a buffer for a copy of any encoding with cleared flags: the largest is uncompressed G2 with twelve limbs per
/// prime field coefficient.
const MOST_BYTES: usize = 2 * 2 * 8 * 12;

/// The meaning of the flag bits, common to both encodings.
struct Flags {
    infinity: bool,
    larger: bool,
}

/// Length of the whole encoding in bytes.
const fn size<C: Curve>(compressed: bool) -> usize {
    width::<C>() * <C::Base as Extension>::DEGREE * if compressed { 1 } else { 2 }
}

/// Decodes a point from bytes whose flag bits have been cleared, and from the flags.
fn read_body<C: Curve>(
    bytes: &[u8],
    flags: &Flags,
    compressed: bool,
    order: Order,
    get: fn(&[u8]) -> Result<Prime<C>, pairwright_field::FieldError>,
) -> Result<Affine<C>, PointError> {
    if flags.infinity {
        return if bytes.iter().all(|b| *b == 0) {
            Ok(Affine::INFINITY)
        } else {
            Err(PointError::InfinityNotZero { curve: C::NAME })
        };
    }
    let off = PointError::NotOnCurve { curve: C::NAME };
    if compressed {
        let x = read_element::<C>(bytes, order, 0, get)?;
        let y = (x.square() * x + C::B).sqrt_vartime().ok_or(off)?;
        let y = if is_larger_root(&y) == flags.larger { y } else { -y };
        // y = 0 is its own negative: only the encoding without the flag is canonical.
        if is_larger_root(&y) != flags.larger {
            return Err(off);
        }
        return Ok(Affine::from_xy_unchecked(x, y));
    }
    let (x, y) = bytes.split_at(bytes.len() / 2);
    let x = read_element::<C>(x, order, 0, get)?;
    let y = read_element::<C>(y, order, C::Base::DEGREE, get)?;
    let p = Affine::from_xy_unchecked(x, y);
    // (0, 0) without the flag is refused: infinity has one encoding.
    if p.is_infinity() { Err(off) } else { check_curve(p) }
}

fn write_body<C: Curve>(
    p: &Affine<C>,
    out: &mut [u8],
    compressed: bool,
    order: Order,
    put: fn(&Prime<C>, &mut [u8]),
) {
    assert_eq!(out.len(), size::<C>(compressed), "an encoding has a fixed length");
    if compressed {
        write_element(&p.x, order, out, put);
    } else {
        let (x, y) = out.split_at_mut(size::<C>(true));
        write_element(&p.x, order, x, put);
        write_element(&p.y, order, y, put);
    }
}

/// Implements an encoding by a function that writes and one that reads, both of which take whether it is compressed.
macro_rules! point_encoding {
    ($form:ident: $write:ident, $read:ident, $compressed:literal) => {
        impl PointEncoding for $form {
            fn len<C: Curve>() -> usize {
                size::<C>($compressed)
            }
            fn write<C: Curve>(p: &Affine<C>, out: &mut [u8]) {
                $write(p, out, $compressed);
            }
            fn read_unchecked_subgroup<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError> {
                $read(bytes, $compressed)
            }
        }
    };
}

// ---- Zcash ----

#[inline(never)]
fn zcash_write<C: Curve>(p: &Affine<C>, out: &mut [u8], compressed: bool) {
    const { assert!(<Prime<C> as PrimeField>::BITS as usize + 3 <= 8 * width::<C>(), "three spare bits") };
    write_body(p, out, compressed, Order::HighFirst, Prime::<C>::write_be);
    let flag = |set: bool, mask: u8| if set { mask } else { 0 };
    out[0] |= flag(compressed, ZCASH_COMPRESSED)
        | flag(p.is_infinity(), INFINITY)
        | flag(compressed && is_larger_root(&p.y), ZCASH_LARGER);
}

#[inline(never)]
fn zcash_read<C: Curve>(bytes: &[u8], compressed: bool) -> Result<Affine<C>, PointError> {
    const { assert!(<Prime<C> as PrimeField>::BITS as usize + 3 <= 8 * width::<C>(), "three spare bits") };
    const { assert!(size::<C>(false) <= MOST_BYTES, "an encoding fits in the buffer") };
    check_length::<C>(bytes, size::<C>(compressed))?;
    let found = bytes.first().copied().unwrap_or(0) & 0xe0;
    let flags = Flags { infinity: found & INFINITY != 0, larger: found & ZCASH_LARGER != 0 };
    let right_form = (found & ZCASH_COMPRESSED != 0) == compressed;
    let sign_has_place = !flags.larger || (compressed && !flags.infinity);
    if !right_form || !sign_has_place {
        return Err(PointError::Flags { curve: C::NAME, found });
    }
    with_cleared(bytes, 0, 0x1f, |clear| {
        read_body(clear, &flags, compressed, Order::HighFirst, Prime::<C>::read_be)
    })
}

/// Calls `then` with a copy of `bytes` in which byte `at` keeps only the bits of `mask`.
fn with_cleared<T>(bytes: &[u8], at: usize, mask: u8, then: impl FnOnce(&[u8]) -> T) -> T {
    let mut copy = [0u8; MOST_BYTES];
    let length = bytes.len().min(MOST_BYTES);
    for (to, from) in copy.iter_mut().zip(bytes) {
        *to = *from;
    }
    if let Some(byte) = copy.get_mut(at) {
        *byte &= mask;
    }
    then(copy.get(..length).unwrap_or_default())
}

point_encoding!(ZcashCompressed: zcash_write, zcash_read, true);
point_encoding!(ZcashUncompressed: zcash_write, zcash_read, false);

// ---- arkworks ----

#[inline(never)]
fn ark_write<C: Curve>(p: &Affine<C>, out: &mut [u8], compressed: bool) {
    const { assert!(<Prime<C> as PrimeField>::BITS as usize + 2 <= 8 * width::<C>(), "two spare bits") };
    write_body(p, out, compressed, Order::LowFirst, Prime::<C>::write_le);
    if let Some(last) = out.last_mut() {
        *last |= if p.is_infinity() { INFINITY } else { 0 };
        *last |= if is_larger_root(&p.y) { ARK_LARGER } else { 0 };
    }
}

#[inline(never)]
fn ark_read<C: Curve>(bytes: &[u8], compressed: bool) -> Result<Affine<C>, PointError> {
    const { assert!(<Prime<C> as PrimeField>::BITS as usize + 2 <= 8 * width::<C>(), "two spare bits") };
    const { assert!(size::<C>(false) <= MOST_BYTES, "an encoding fits in the buffer") };
    check_length::<C>(bytes, size::<C>(compressed))?;
    let found = bytes.last().copied().unwrap_or(0) & 0xc0;
    let flags = Flags { infinity: found & INFINITY != 0, larger: found & ARK_LARGER != 0 };
    if flags.infinity && flags.larger {
        return Err(PointError::Flags { curve: C::NAME, found });
    }
    let p = with_cleared(bytes, bytes.len().saturating_sub(1), 0x3f, |clear| {
        read_body::<C>(clear, &flags, compressed, Order::LowFirst, Prime::<C>::read_le)
    })?;
    // The uncompressed form repeats the sign, which must then agree.
    if is_larger_root(&p.y) == flags.larger {
        Ok(p)
    } else {
        Err(PointError::Flags { curve: C::NAME, found })
    }
}

point_encoding!(ArkCompressed: ark_write, ark_read, true);
point_encoding!(ArkUncompressed: ark_write, ark_read, false);
