//! Encodings without flags, as the affine coordinates one after the other with infinity as zeros: EIP-2537, EIP-197, zkey.

use super::{
    Order, PointEncoding, PointError, check_curve, check_length, read_element, width, write_element,
};
use crate::{Affine, Curve};
use pairwright_field::{Extension, FieldError, PrimeField};

/// The encoding of EIP-2537: each Fq value big-endian in 64 bytes, the top ones zero; an Fq2 value as `c0, c1`; infinity is all
/// zeros. The precompiles for additions do not check the subgroup, those for multiplications and pairings do.
#[derive(Clone, Copy, Debug)]
pub struct Eip2537;

/// The encoding of EIP-196 and EIP-197: each Fq value big-endian in 32 bytes; an Fq2 value as `c1, c0`, the u coefficient first;
/// infinity is all zeros.
#[derive(Clone, Copy, Debug)]
pub struct Eip197;

/// The encoding of snarkjs' zkey and ptau files: each Fq value little-endian in Montgomery form (`R = 2^(64 N)`); an Fq2 value as
/// `c0, c1`; infinity is all zeros.
#[derive(Clone, Copy, Debug)]
pub struct Zkey;

/// The encoding of one value of the prime field.
struct Plain<F: PrimeField> {
    size: usize,
    order: Order,
    put: fn(&F, &mut [u8]),
    get: fn(&[u8]) -> Result<F, FieldError>,
}

impl<F: PrimeField> Plain<F> {
    fn eip2537() -> Self {
        Self {
            size: 64,
            order: Order::LowFirst,
            put: |x, out| {
                let pad = out.len() - F::BYTES;
                out[..pad].fill(0);
                x.write_be(&mut out[pad..]);
            },
            get: |bytes| F::read_be(bytes.get(64 - F::BYTES..).unwrap_or_default()),
        }
    }
    fn eip197() -> Self {
        Self { size: F::BYTES, order: Order::HighFirst, put: F::write_be, get: F::read_be }
    }
    fn zkey() -> Self {
        Self {
            size: F::BYTES,
            order: Order::LowFirst,
            put: F::write_montgomery_le,
            get: F::read_montgomery_le,
        }
    }

    fn write<C: Curve>(&self, p: &Affine<C>, out: &mut [u8])
    where
        C::Base: Extension<Prime = F>,
    {
        assert_eq!(out.len(), 2 * C::Base::DEGREE * self.size, "an encoding has a fixed length");
        let (x, y) = out.split_at_mut(C::Base::DEGREE * self.size);
        write_element(&p.x, self.order, x, self.put);
        write_element(&p.y, self.order, y, self.put);
    }

    fn read<C: Curve>(&self, bytes: &[u8]) -> Result<Affine<C>, PointError>
    where
        C::Base: Extension<Prime = F>,
    {
        check_length::<C>(bytes, 2 * C::Base::DEGREE * self.size)?;
        let (x, y) = bytes.split_at(C::Base::DEGREE * self.size);
        let x = read_element::<C>(x, self.order, 0, self.get)?;
        let y = read_element::<C>(y, self.order, C::Base::DEGREE, self.get)?;
        Ok(Affine::from_xy_unchecked(x, y))
    }
}

impl PointEncoding for Eip2537 {
    fn len<C: Curve>() -> usize {
        128 * C::Base::DEGREE
    }
    fn write<C: Curve>(p: &Affine<C>, out: &mut [u8]) {
        const { assert!(width::<C>() <= 64, "a coordinate has at most 64 bytes") };
        Plain::eip2537().write(p, out);
    }
    fn read_unchecked_subgroup<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError> {
        const { assert!(width::<C>() <= 64, "a coordinate has at most 64 bytes") };
        check_length::<C>(bytes, Self::len::<C>())?;
        let padding = |chunk: &[u8]| chunk.iter().take(64 - width::<C>()).any(|b| *b != 0);
        if bytes.chunks_exact(64).any(padding) {
            return Err(PointError::Padding { curve: C::NAME });
        }
        check_curve(Plain::eip2537().read(bytes)?)
    }
}

impl PointEncoding for Eip197 {
    fn len<C: Curve>() -> usize {
        2 * C::Base::DEGREE * width::<C>()
    }
    fn write<C: Curve>(p: &Affine<C>, out: &mut [u8]) {
        Plain::eip197().write(p, out);
    }
    fn read_unchecked_subgroup<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError> {
        check_curve(Plain::eip197().read(bytes)?)
    }
}

impl PointEncoding for Zkey {
    fn len<C: Curve>() -> usize {
        2 * C::Base::DEGREE * width::<C>()
    }
    fn write<C: Curve>(p: &Affine<C>, out: &mut [u8]) {
        Plain::zkey().write(p, out);
    }
    fn read_unchecked_subgroup<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError> {
        check_curve(Self::read_unchecked_curve(bytes)?)
    }
}

impl Zkey {
    /// Reads coordinates and checks only that they are below the modulus, for fast loading of proving keys. The result
    /// need not be on the curve.
    pub fn read_unchecked_curve<C: Curve>(bytes: &[u8]) -> Result<Affine<C>, PointError> {
        Plain::zkey().read(bytes)
    }
}
