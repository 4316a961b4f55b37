//! The generator of Poseidon's constants: an 80-bit Grain LFSR in self-shrinking mode (\[P\] appendix F), seeded with the
//! description of the instance.

use super::WIDTH;
use pairwright_field::PrimeField;

/// The state of the shift register, 80 bits; bit 0 is the oldest.
pub(super) struct Grain {
    state: u128,
    bits: u32,
}

impl Grain {
    /// Seeds the generator for a prime field of `bits` bits, S-boxes that are powers, and these numbers of rounds.
    pub(super) fn new(bits: u32, full: usize, partial: usize) -> Self {
        // The fields of the seed in their order, first bit first: a prime field, a power, n, t, R_F, R_P, ones.
        let fields = [
            (1, 2),
            (0, 4),
            (bits as usize, 12),
            (WIDTH, 12),
            (full, 10),
            (partial, 10),
            ((1 << 30) - 1, 30),
        ];
        let mut state = 0;
        let mut at = 0;
        for (value, width) in fields {
            for bit in (0..width).rev() {
                state |= ((value >> bit & 1) as u128) << at;
                at += 1;
            }
        }
        let mut grain = Self { state, bits };
        for _ in 0..160 {
            grain.clock();
        }
        grain
    }

    fn clock(&mut self) -> u64 {
        let tap = |i: u32| (self.state >> i) as u64 & 1;
        let bit = tap(62) ^ tap(51) ^ tap(38) ^ tap(23) ^ tap(13) ^ tap(0);
        self.state = self.state >> 1 | u128::from(bit) << 79;
        bit
    }

    fn bit(&mut self) -> u64 {
        loop {
            let (keep, value) = (self.clock(), self.clock());
            if keep == 1 {
                return value;
            }
        }
    }

    /// Draws as many bits as the modulus has, the highest first.
    fn integer<F: PrimeField>(&mut self) -> F::Limbs {
        let mut limbs = F::Limbs::default();
        for i in (0..self.bits as usize).rev() {
            limbs.as_mut()[i / 64] |= self.bit() << (i % 64);
        }
        limbs
    }

    /// The next element by rejection sampling, for round constants.
    pub(super) fn element<F: PrimeField>(&mut self) -> F {
        loop {
            if let Some(x) = F::from_limbs(self.integer::<F>()) {
                return x;
            }
        }
    }

    /// The next element by reduction modulo the prime, for the parameters of the matrix.
    pub(super) fn reduced<F: PrimeField>(&mut self) -> F {
        F::from_limbs_reduced(self.integer::<F>().as_ref())
    }
}
