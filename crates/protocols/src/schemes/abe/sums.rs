//! Sums of products of public points and secret scalars, collected so that a device computes all products in one call.

use super::AbeError;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, Projective};
use pairwright_device::{DeviceError, Session};
use zeroize::{Zeroize, Zeroizing};

/// A group for which sessions have an operator that multiplies by secrets.
pub(super) trait Group: Curve<Scalar = Fr> {
    /// Computes `scalars[i]·points[i]` in constant time.
    ///
    /// # Errors
    /// When the device fails.
    fn multiples(
        on: &mut Session<'_, Bls12_381>,
        points: &[Affine<Self>],
        scalars: &[Fr],
    ) -> Result<Vec<Affine<Self>>, DeviceError>;
}

impl Group for G1 {
    fn multiples(
        on: &mut Session<'_, Bls12_381>,
        points: &[Affine<Self>],
        scalars: &[Fr],
    ) -> Result<Vec<Affine<Self>>, DeviceError> {
        on.scale_by_secrets_g1(points, scalars)
    }
}

impl Group for G2 {
    fn multiples(
        on: &mut Session<'_, Bls12_381>,
        points: &[Affine<Self>],
        scalars: &[Fr],
    ) -> Result<Vec<Affine<Self>>, DeviceError> {
        on.scale_by_secrets_g2(points, scalars)
    }
}

/// A list of sums to be computed: the terms of all sums in order, and the index at which each sum ends.
pub(super) struct Sums<C: Group> {
    points: Vec<Affine<C>>,
    scalars: Zeroizing<Vec<Fr>>,
    ends: Vec<usize>,
}

impl<C: Group> Sums<C> {
    /// An empty list with capacity for `terms` terms; without it, growing vectors would leave copies of the scalars behind.
    pub(super) fn with_room(terms: usize) -> Self {
        Self {
            points: Vec::with_capacity(terms),
            scalars: Zeroizing::new(Vec::with_capacity(terms)),
            ends: Vec::new(),
        }
    }

    /// Appends the sum of these products to the list.
    pub(super) fn add(&mut self, terms: impl IntoIterator<Item = (Affine<C>, Fr)>) {
        for (point, scalar) in terms {
            self.points.push(point);
            self.scalars.push(scalar);
        }
        self.ends.push(self.points.len());
    }

    /// Computes all sums, in the order in which they were added, in constant time.
    ///
    /// # Errors
    /// When the device fails.
    pub(super) fn compute(self, on: &mut Session<'_, Bls12_381>) -> Result<Vec<Affine<C>>, AbeError> {
        if self.points.is_empty() {
            return Ok(Vec::new());
        }
        let mut products = Zeroizing::new(C::multiples(on, &self.points, &self.scalars)?);
        let mut begin = 0;
        let mut sums = Vec::with_capacity(self.ends.len());
        for end in &self.ends {
            let terms = products.get(begin..*end).ok_or_else(|| short(*end, products.len()))?;
            sums.push(terms.iter().fold(Projective::INFINITY, |sum, term| sum + Projective::from(*term)));
            begin = *end;
        }
        products.zeroize();
        let affine = Projective::batch_to_affine(&sums);
        sums.zeroize();
        Ok(affine)
    }
}

/// Takes the next `R` computed sums as a column.
///
/// # Errors
/// When there are fewer points.
pub(super) fn column<C: Curve, const R: usize>(
    sums: &mut impl Iterator<Item = Affine<C>>,
) -> Result<[Affine<C>; R], AbeError> {
    let mut column = [Affine::INFINITY; R];
    for (found, place) in column.iter_mut().enumerate() {
        *place = sums.next().ok_or_else(|| short(R, found))?;
    }
    Ok(column)
}

/// Takes the next `R·N` computed sums as a matrix, row by row.
///
/// # Errors
/// When there are fewer points.
pub(super) fn matrix<C: Curve, const R: usize, const N: usize>(
    sums: &mut impl Iterator<Item = Affine<C>>,
) -> Result<[[Affine<C>; N]; R], AbeError> {
    let mut rows = [[Affine::INFINITY; N]; R];
    for row in &mut rows {
        *row = column(sums)?;
    }
    Ok(rows)
}

/// The error that a device has computed fewer products than were requested.
fn short(wanted: usize, found: usize) -> AbeError {
    DeviceError::LengthMismatch { op: "scale_by_secrets", left: wanted, right: found }.into()
}
