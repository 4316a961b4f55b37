//! Points as zkey and ptau files hold them: affine, coordinates little-endian in Montgomery form, all zeros for
//! infinity, the lower coefficient of a quadratic extension first.

use crate::FormatError;
use crate::container::{ContainerWriter, Section, widen};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::{Source, SourceError};

/// The prime field of a curve's coordinates.
type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

/// Bytes of a coordinate.
const fn base_bytes<F: Extension>() -> usize {
    F::DEGREE.saturating_mul(F::Prime::BYTES)
}

/// Bytes of a point.
pub(crate) const fn point_bytes<C: Curve>() -> usize {
    base_bytes::<C::Base>().saturating_mul(2)
}

/// A coordinate; `None` unless every part is below the modulus.
fn base<F: Extension>(bytes: &[u8]) -> Option<F> {
    let mut parts = bytes.chunks_exact(F::Prime::BYTES);
    F::try_from_fn(|_| F::Prime::read_montgomery_le(parts.next().unwrap_or_default())).ok()
}

/// A point, not checked to be one of the curve; `None` unless the coordinates are below the modulus.
pub(crate) fn decode<C: Curve>(bytes: &[u8]) -> Option<Affine<C>> {
    let (x, y) = bytes.split_at_checked(base_bytes::<C::Base>())?;
    Some(Affine::from_xy_unchecked(base(x)?, base(y)?))
}

/// Appends a point.
pub(crate) fn push_point<C: Curve>(out: &mut Vec<u8>, p: &Affine<C>) {
    for x in [&p.x, &p.y] {
        for i in 0..C::Base::DEGREE {
            out.extend(x.coord(i).to_montgomery().as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
        }
    }
}

/// Points written at a time.
const CHUNK: usize = 1 << 12;

/// Writes the points of a source as the body of a section.
pub(crate) fn put_points<C: Curve>(
    file: &mut ContainerWriter<'_>,
    source: &dyn Source<Affine<C>>,
) -> Result<(), FormatError> {
    let (len, mut start) = (source.len(), 0);
    let (mut points, mut bytes) = (Vec::new(), Vec::new());
    while start < len {
        let end = len.min(start.saturating_add(CHUNK));
        points.clear();
        bytes.clear();
        source.read(start..end, &mut points)?;
        points.iter().for_each(|p| push_point(&mut bytes, p));
        file.put(&bytes)?;
        start = end;
    }
    Ok(())
}

/// The points of a section, decoded when they are asked for.
///
/// Coordinates are checked to be below the modulus; whether a point is on the curve and in the subgroup is not
/// looked at here.
pub struct PointSource<C> {
    section: Section,
    len: usize,
    curve: PhantomData<C>,
}

impl<C: Curve> PointSource<C> {
    /// The points of a section that must hold exactly `len` of them.
    pub(crate) fn new(section: Section, len: usize) -> Result<Self, FormatError> {
        section.expect_size(widen(len).checked_mul(widen(point_bytes::<C>())))?;
        Ok(Self { section, len, curve: PhantomData })
    }

    /// The section the points are in.
    pub fn section(&self) -> &Section {
        &self.section
    }

    /// Decodes the points of a range.
    pub(crate) fn decode(&self, range: Range<usize>, out: &mut Vec<Affine<C>>) -> Result<(), FormatError> {
        let size = point_bytes::<C>();
        let bytes = range.start.checked_mul(size).zip(range.end.checked_mul(size));
        let bytes = bytes.and_then(|(start, end)| self.section.bytes().get(start..end));
        let bytes = bytes.ok_or_else(|| FormatError::OutOfRange {
            at: self.section.place(0),
            start: range.start,
            end: range.end,
            len: self.len,
        })?;
        out.reserve(range.len());
        for (i, bytes) in range.zip(bytes.chunks_exact(size)) {
            out.push(decode(bytes).ok_or_else(|| FormatError::NotReduced {
                at: self.section.place(i.saturating_mul(size)),
                index: widen(i),
                field: Prime::<C>::NAME,
            })?);
        }
        Ok(())
    }

    pub(crate) fn off_curve(&self, index: usize) -> FormatError {
        let at = self.section.place(index.saturating_mul(point_bytes::<C>()));
        FormatError::OffCurve { at, index: widen(index), group: C::NAME }
    }

    pub(crate) fn wrong_subgroup(&self, index: usize) -> FormatError {
        let at = self.section.place(index.saturating_mul(point_bytes::<C>()));
        FormatError::WrongSubgroup { at, index: widen(index), group: C::NAME }
    }
}

impl<C: Curve> Source<Affine<C>> for PointSource<C> {
    fn len(&self) -> usize {
        self.len
    }
    fn read(&self, range: Range<usize>, out: &mut Vec<Affine<C>>) -> Result<(), SourceError> {
        self.decode(range, out).map_err(FormatError::boxed)
    }
}

impl<C> Clone for PointSource<C> {
    fn clone(&self) -> Self {
        Self { section: self.section.clone(), len: self.len, curve: PhantomData }
    }
}
impl<C: Curve> fmt::Debug for PointSource<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} points of {} in {:?}", self.len, C::NAME, self.section)
    }
}
