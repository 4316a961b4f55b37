//! Nodes of trees in lanes for targets without AVX-512: `new` returns `None`, so no other function is called.

use core::marker::PhantomData;
use pairwright_field::PrimeField;

/// An uninhabited type: this target has no lanes.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<F> {
    none: core::convert::Infallible,
    of: PhantomData<F>,
}

/// A factor that is never used.
#[derive(Clone, Copy)]
pub(crate) struct Factor;

impl<F: PrimeField> Nodes<F> {
    /// Returns `None`: this target has no lanes.
    pub(crate) fn new() -> Option<Self> {
        None
    }
    /// Cannot be called, like all that follow: the type has no values.
    pub(crate) fn factor(&self, _: F) -> Factor {
        match self.none {}
    }
    pub(crate) fn products(&self, _: &[F], _: &mut [F]) -> usize {
        match self.none {}
    }
    pub(crate) fn lines(&self, _: &Factor, _: &[F], _: &mut [F]) -> usize {
        match self.none {}
    }
    pub(crate) fn halve(&self, _: &Factor, _: &mut [F]) -> usize {
        match self.none {}
    }
    pub(crate) fn splits(&self, _: &Factor, _: &[F], _: &mut [F]) -> usize {
        match self.none {}
    }
}
