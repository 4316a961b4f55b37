//! Transforms in lanes on a processor that has none: there never are factors, so nothing is ever asked of them.

use pairwright_field::PrimeField;

/// No factors.
pub(crate) enum Factors {}

impl Factors {
    /// None.
    pub(crate) fn new<F: PrimeField>(_: usize, _: bool, _: impl Fn(usize) -> F + Sync) -> Option<Self> {
        None
    }
}

/// Not reached.
pub(crate) fn decimate<F: PrimeField>(_: &mut [F], factors: &Factors) {
    match *factors {}
}

/// Not reached.
pub(crate) fn restore<F: PrimeField>(_: &mut [F], factors: &Factors, _: F) {
    match *factors {}
}

/// Not reached.
pub(crate) fn merge<F: PrimeField>(_: &mut [F], factors: &Factors, _: F) {
    match *factors {}
}
