//! Rounds of a sumcheck in lanes for targets without AVX-512: `new` returns `None`, so no other function is called.

use core::marker::PhantomData;
use pairwright_field::PrimeField;

/// An uninhabited type: this target has no lanes.
#[derive(Clone, Copy)]
pub(crate) struct Rounds<F> {
    none: core::convert::Infallible,
    of: PhantomData<F>,
}

impl<F: PrimeField> Rounds<F> {
    /// Returns `None`: this target has no lanes.
    pub(crate) fn new(_: usize) -> Option<Self> {
        None
    }
    /// Cannot be called: the type has no values.
    pub(crate) fn sums(&self, _: &[&[usize]], _: &[&[F]], _: usize) -> (Vec<F>, usize) {
        match self.none {}
    }
}
