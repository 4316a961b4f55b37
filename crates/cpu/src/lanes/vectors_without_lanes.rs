//! Vectors in lanes for targets without AVX-512: `new` returns `None`, so no other function is called.

use core::marker::PhantomData;
use pairwright_field::PrimeField;

/// Rows of a scan.
pub(crate) const ROWS: usize = 16;

/// Memory that an inversion works in.
pub(crate) type Scratch = Vec<core::convert::Infallible>;

/// An uninhabited type: this target has no lanes.
#[derive(Clone, Copy)]
pub(crate) struct Vectors<F> {
    none: core::convert::Infallible,
    of: PhantomData<F>,
}

impl<F: PrimeField> Vectors<F> {
    /// Returns `None`: this target has no lanes.
    pub(crate) fn new() -> Option<Self> {
        None
    }
    /// Cannot be called, like all that follow: the type has no values.
    pub(crate) fn multiply(&self, _: &mut [F], _: &[F]) -> usize {
        match self.none {}
    }
    pub(crate) fn multiply_subtract(&self, _: &mut [F], _: &[F], _: &[F]) -> usize {
        match self.none {}
    }
    pub(crate) fn scale(&self, _: &mut [F], _: F) -> usize {
        match self.none {}
    }
    pub(crate) fn add_multiple(&self, _: &mut [F], _: F, _: &[F]) -> usize {
        match self.none {}
    }
    pub(crate) fn powers(&self, _: &mut [F], _: F, _: F) -> usize {
        match self.none {}
    }
    pub(crate) fn evaluate(&self, _: &[F], _: F) -> F {
        match self.none {}
    }
    pub(crate) fn product(&self, _: &[F]) -> F {
        match self.none {}
    }
    pub(crate) fn invert(&self, _: &mut [F], _: &mut Scratch) -> usize {
        match self.none {}
    }
    pub(crate) fn products_before(&self, _: &mut [F], _: &[F; ROWS]) {
        match self.none {}
    }
    pub(crate) fn magnitudes(&self, _: &[F], _: &mut [&mut [u64]], _: &mut [bool]) -> usize {
        match self.none {}
    }
    pub(crate) fn values_above(&self, _: &mut [F], _: F, _: &[F; ROWS]) {
        match self.none {}
    }
}
