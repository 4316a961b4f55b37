//! Transforms in lanes for targets without AVX-512: `Plan` has no values there, so no function on it is called.

use pairwright_field::PrimeField;

/// The plan of a transform in lanes. The type has no values on this target.
pub(crate) enum Plan {}

impl Plan {
    /// Returns `None`: this target has no lanes.
    pub(crate) fn new<F: PrimeField>(_: u32, _: F, _: F, _: [F; 2]) -> Option<Self> {
        None
    }
}

/// Memory of transforms in lanes: none.
#[derive(Default)]
pub(crate) struct Scratch(());

/// Cannot be called, because no plan exists on this target.
pub(crate) fn transform<F: PrimeField>(_: &mut [F], plan: &Plan, _: &Scratch) {
    match *plan {}
}
