//! The encodings of points in zkey and ptau files: affine, coordinates little-endian in Montgomery form, all zeros for
//! infinity, the lower coefficient of a quadratic extension first.

use crate::FormatError;
use crate::ceremony::draws::with_sign_vartime;
use crate::container::{ContainerWriter, Section, widen};
use alloc::vec::Vec;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use pairwright_curve::{Affine, Curve};
use pairwright_device::parallel;
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::{Source, SourceError};

/// The prime field of a curve's coordinates.
type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

/// Length of a coordinate in bytes.
const fn base_bytes<F: Extension>() -> usize {
    F::DEGREE.saturating_mul(F::Prime::BYTES)
}

/// Length of a stored point in bytes.
pub(crate) const fn point_bytes<C: Curve>() -> usize {
    base_bytes::<C::Base>().saturating_mul(2)
}

/// Decodes a coordinate in Montgomery form; `None` unless every coefficient is below the modulus.
fn base<F: Extension>(bytes: &[u8]) -> Option<F> {
    let mut parts = bytes.chunks_exact(F::Prime::BYTES);
    F::try_from_fn(|_| F::Prime::read_montgomery_le(parts.next().unwrap_or_default())).ok()
}

/// Decodes a stored point without checking that it is on the curve; `None` unless the coordinates are below the modulus.
pub(crate) fn decode<C: Curve>(bytes: &[u8]) -> Option<Affine<C>> {
    let (x, y) = bytes.split_at_checked(base_bytes::<C::Base>())?;
    Some(Affine::from_xy_unchecked(base(x)?, base(y)?))
}

/// Decodes a canonical coordinate in big-endian order, the upper coefficient of a quadratic extension first; `None` unless
/// every coefficient is below the modulus.
fn base_be<F: Extension>(bytes: &[u8]) -> Option<F> {
    let parts: Option<Vec<F::Prime>> =
        bytes.rchunks_exact(F::Prime::BYTES).map(|part| F::Prime::read_be(part).ok()).collect();
    Some(F::from_coords(&parts?))
}

/// Decodes a point in uncompressed form without checking that it is on the curve; `None` unless the coordinates are below the
/// modulus. Infinity is all zeros, as snarkjs writes it, or has the flag bit that bellman sets.
pub(crate) fn decode_uncompressed<C: Curve>(bytes: &[u8]) -> Option<Affine<C>> {
    if let Some((0x40, rest)) = bytes.split_first().map(|(first, rest)| (*first, rest))
        && rest.iter().all(|byte| *byte == 0)
    {
        return Some(Affine::INFINITY);
    }
    let (x, y) = bytes.split_at_checked(base_bytes::<C::Base>())?;
    Some(Affine::from_xy_unchecked(base_be(x)?, base_be(y)?))
}

/// Decodes a finite point in compressed form: the x coordinate, and whether y is the larger of the two candidates.
fn decode_compressed<C: Curve>(bytes: &[u8]) -> Option<(C::Base, bool)> {
    let mut bytes = bytes.to_vec();
    let first = bytes.first_mut()?;
    let negative = *first & 0x80 != 0;
    *first &= 0x7f;
    Some((base_be(&bytes)?, negative))
}

/// Appends a point in stored form.
pub(crate) fn push_point<C: Curve>(out: &mut Vec<u8>, p: &Affine<C>) {
    for x in [&p.x, &p.y] {
        for i in 0..C::Base::DEGREE {
            out.extend(x.coord(i).to_montgomery().as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
        }
    }
}

/// Number of points that are written at a time, or decoded by one task.
const CHUNK: usize = 1 << 12;

/// Writes the points of a source as the body of a section.
pub(crate) fn put_points<C: Curve>(
    file: &mut ContainerWriter<'_>,
    source: &dyn Source<Affine<C>>,
) -> Result<(), FormatError> {
    file.put_all(source, push_point)
}

/// Writes a section of points.
pub(crate) fn points_section<C: Curve>(
    file: &mut ContainerWriter<'_>,
    id: u32,
    source: &dyn Source<Affine<C>>,
) -> Result<(), FormatError> {
    file.section(id, widen(source.len()).saturating_mul(widen(point_bytes::<C>())))?;
    put_points(file, source)
}

/// The encodings of points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// The encoding of zkey and ptau files: both coordinates little-endian in Montgomery form.
    Stored,
    /// The encoding of challenges, and of points that are hashed: both coordinates big-endian and canonical.
    Uncompressed,
    /// The encoding of responses: the x coordinate and a bit that selects y.
    Compressed,
}

impl Form {
    /// Length of a point in bytes.
    pub(crate) const fn bytes<C: Curve>(self) -> usize {
        match self {
            Self::Stored | Self::Uncompressed => point_bytes::<C>(),
            Self::Compressed => base_bytes::<C::Base>(),
        }
    }
}

/// The points of a section, decoded on demand.
///
/// Coordinates are checked to be below the modulus; whether a point is on the curve and in the subgroup is not checked.
pub struct PointSource<C> {
    section: Section,
    len: usize,
    form: Form,
    curve: PhantomData<C>,
}

impl<C: Curve> PointSource<C> {
    /// The points of a section that must hold exactly `len` of them.
    pub(crate) fn new(section: Section, len: usize) -> Result<Self, FormatError> {
        Self::in_form(section, len, Form::Stored)
    }

    /// [`PointSource::new`] for points in a given form.
    pub(crate) fn in_form(section: Section, len: usize, form: Form) -> Result<Self, FormatError> {
        section.expect_size(widen(len).checked_mul(widen(form.bytes::<C>())))?;
        Ok(Self { section, len, form, curve: PhantomData })
    }

    /// The section that holds the points.
    pub fn section(&self) -> &Section {
        &self.section
    }

    /// Appends the decoded points of a range.
    pub(crate) fn decode(&self, range: Range<usize>, out: &mut Vec<Affine<C>>) -> Result<(), FormatError> {
        let size = self.form.bytes::<C>();
        if range.start > range.end || range.end > self.len {
            let (start, end) = (range.start, range.end);
            return Err(FormatError::OutOfRange { at: self.section.place(0), start, end, len: self.len });
        }
        let not_reduced = |i: usize| FormatError::NotReduced {
            at: self.section.place(i.saturating_mul(size)),
            index: widen(i),
            field: Prime::<C>::NAME,
        };
        let decode_at = |i: usize, bytes: &[u8]| match self.form {
            Form::Stored => decode(bytes).ok_or_else(|| not_reduced(i)),
            Form::Uncompressed => decode_uncompressed(bytes).ok_or_else(|| not_reduced(i)),
            Form::Compressed => {
                let (x, negative) = decode_compressed::<C>(bytes).ok_or_else(|| not_reduced(i))?;
                with_sign_vartime(x, negative).ok_or_else(|| self.off_curve(i))
            }
        };
        // Each task decodes one part of the range; the error is that of the first bad point.
        let parts = parallel::try_map(range.clone().step_by(CHUNK), |_, start| {
            let end = start.saturating_add(CHUNK).min(range.end);
            let mut points = Vec::with_capacity(end.saturating_sub(start));
            self.section.for_each((0, size, self.len), start..end, |i, bytes| {
                points.push(decode_at(i, bytes)?);
                Ok(())
            })?;
            Ok::<_, FormatError>(points)
        });
        out.reserve(range.len());
        parts?.iter_mut().for_each(|part| out.append(part));
        Ok(())
    }

    /// Decodes one point.
    pub(crate) fn at(&self, index: usize) -> Result<Affine<C>, FormatError> {
        let (end, mut points) = (index.saturating_add(1), Vec::new());
        self.decode(index..end, &mut points)?;
        let none = FormatError::OutOfRange { at: self.section.place(0), start: index, end, len: self.len };
        points.pop().ok_or(none)
    }

    /// Checks that decoded points, which are the first points of the source, are finite and in the subgroup; one by one, in
    /// variable time.
    pub(crate) fn subgroup(&self, points: &[Affine<C>]) -> Result<(), FormatError> {
        for (i, p) in points.iter().enumerate() {
            if p.is_infinity() || !p.is_on_curve() {
                return Err(self.off_curve(i));
            }
            if !p.is_in_subgroup_vartime() {
                return Err(self.wrong_subgroup(i));
            }
        }
        Ok(())
    }

    pub(crate) fn off_curve(&self, index: usize) -> FormatError {
        let at = self.section.place(index.saturating_mul(self.form.bytes::<C>()));
        FormatError::OffCurve { at, index: widen(index), group: C::NAME }
    }

    pub(crate) fn wrong_subgroup(&self, index: usize) -> FormatError {
        let at = self.section.place(index.saturating_mul(self.form.bytes::<C>()));
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
        Self { section: self.section.clone(), len: self.len, form: self.form, curve: PhantomData }
    }
}
impl<C: Curve> fmt::Debug for PointSource<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} points of {} in {:?}", self.len, C::NAME, self.section)
    }
}
