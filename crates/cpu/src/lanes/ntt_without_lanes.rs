//! Transforms in lanes for targets without AVX-512: `Factors` has no values there, so no function on them is called.

use pairwright_field::PrimeField;

/// Factors of a transform in lanes. The type has no values on this target, so the functions below cannot be called.
pub(crate) enum Factors {}

impl Factors {
    /// Returns `None`: this target has no lanes.
    pub(crate) fn new<F: PrimeField>(_: usize, _: bool, _: impl Fn(usize) -> F + Sync) -> Option<Self> {
        None
    }
}

/// Cannot be called, because no value of the type exists on this target.
pub(crate) fn decimate<F: PrimeField>(_: &mut [F], factors: &Factors) {
    match *factors {}
}

/// Cannot be called, because no value of the type exists on this target.
pub(crate) fn restore<F: PrimeField>(_: &mut [F], factors: &Factors, _: F) {
    match *factors {}
}

/// Cannot be called, because no value of the type exists on this target.
pub(crate) fn merge<F: PrimeField>(_: &mut [F], factors: &Factors, _: F) {
    match *factors {}
}
