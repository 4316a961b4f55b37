//! Poseidon in lanes for targets without AVX-512: `new` returns `None`, so no other function is called.

use core::marker::PhantomData;
use pairwright_field::PrimeField;
use pairwright_hash::Poseidon;

/// An uninhabited type: this target has no lanes.
pub(crate) struct Hashes<F> {
    none: core::convert::Infallible,
    of: PhantomData<F>,
}

impl<F: PrimeField> Hashes<F> {
    /// Returns `None`: this target has no lanes.
    pub(crate) fn new(_: &Poseidon<F>) -> Option<Self> {
        None
    }
    /// Cannot be called: the type has no values.
    pub(crate) fn nodes(&self, _: &[F], _: &mut [F]) -> usize {
        match self.none {}
    }
}
