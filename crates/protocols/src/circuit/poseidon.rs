//! A gadget for Poseidon of two field elements.

use super::{Builder, Linear};
use pairwright_field::PrimeField;
use pairwright_hash::Poseidon;

impl<F: PrimeField> Builder<F> {
    /// The hash of two numbers: lane 0 of the permutation of `(0, left, right)`, as
    /// [`compress`](pairwright_hash::Compress::compress) computes it. On BN254 and BLS12-381 it takes 240 constraints: three
    /// per S-box, none for sums and matrices, and none for the first lane of the first round, which is constant.
    pub fn poseidon(
        &mut self,
        hash: &Poseidon<F>,
        left: impl Into<Linear<F>>,
        right: impl Into<Linear<F>>,
    ) -> Linear<F> {
        let mut state = [Linear::zero(), left.into(), right.into()];
        let (half, partial) = (hash.full_rounds() / 2, hash.partial_rounds());
        self.within("poseidon", |b| {
            for (round, constants) in hash.constants().iter().enumerate() {
                let full = round < half || round >= half + partial;
                for (i, (lane, constant)) in state.iter_mut().zip(constants).enumerate() {
                    *lane = &*lane + *constant;
                    if full || i == 0 {
                        *lane = b.power(lane, hash.alpha());
                    }
                }
                state = hash
                    .mds()
                    .each_ref()
                    .map(|row| row.iter().zip(&state).fold(Linear::zero(), |sum, (k, lane)| sum + lane * *k));
            }
        });
        let [first, ..] = state;
        first
    }

    /// `x^exponent` for an exponent of at least 1, by square and multiply from its highest bit.
    fn power(&mut self, x: &Linear<F>, exponent: u64) -> Linear<F> {
        let mut y = x.clone();
        for bit in (0..exponent.ilog2()).rev() {
            y = self.mul(&y, &y);
            if exponent >> bit & 1 == 1 {
                y = self.mul(&y, x);
            }
        }
        y
    }
}
