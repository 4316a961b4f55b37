//! Field operations other than products: powers by public exponents, tests for zero, selections.
//!
//! A value in a row is in Montgomery form. Its product with `R⁻¹` has the canonical integer in the row's limbs, where a
//! scan register can read the parity.

use super::control::one;
use super::{Builder, Region, Value, integer};
use pairwright_chip::compiler::{Fp2, Graph, Trace};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::Fq;
use pairwright_field::limbs::bits;
use pairwright_field::{PrimeField, Quad};

/// The value whose limbs in the row are the integer one: `R⁻¹`.
pub(super) fn raw_one<F: PrimeField>() -> Value<F> {
    let mut limbs = F::Limbs::default();
    limbs.as_mut()[0] = 1;
    integer(limbs)
}

/// `-u`: its product with `a0 + a1·u` has first coefficient `a1`.
pub(super) fn minus_u<F: PrimeField>() -> Value<F> {
    Quad::new(F::ZERO, -F::ONE)
}

/// `-u·R⁻¹`: its product with `a0 + a1·u` has the canonical integer of `a1` in the first coefficient's limbs.
pub(super) fn raw_minus_u<F: PrimeField>() -> Value<F> {
    Quad::new(F::ZERO, -raw_one::<F>().c0)
}

/// `a·ā = a0² + a1²`: an element of Fp that is zero only if `a` is zero, since -1 is not a square.
pub fn norm<R: Fp2>(a: R) -> R {
    a.clone() * a.conj()
}

/// A value of Fp that is zero exactly if all of these values are: norms, combined by sums of two squares.
///
/// # Panics
/// If the iterator is empty: a programming error.
pub fn all_zero<R: Fp2>(values: impl IntoIterator<Item = R>) -> R {
    let mut level: Vec<R> = values.into_iter().map(norm).collect();
    while level.len() > 1 {
        let square_sum = |pair: &[R]| match pair {
            [a, b] => a.clone() * a.clone() + b.clone() * b.clone(),
            rest => rest[0].clone(),
        };
        level = level.chunks(2).map(square_sum).collect();
    }
    level.pop().expect("something to test")
}

/// `if_set` where `bit` is one, `if_clear` where it is zero.
pub fn select<R: Fp2>(bit: R, if_set: R, if_clear: R) -> R {
    if_clear.clone() + bit * (if_set - if_clear)
}

/// The routines for powers of `n` values at a time, with their names: `acc` at row 0, `by` at row `n`.
pub fn power_routines(n: u8) -> Vec<(String, Graph)> {
    fn pair<const N: usize>() -> [Graph; 2] {
        let n = N as u8;
        let square = Trace::graph(|t| {
            t.reserve(n..2 * n);
            t.outputs("acc", 0, t.inputs::<N>("acc", 0).map(|x| x.clone() * x));
        });
        let mul = Trace::graph(|t| {
            let (acc, by) = (t.inputs::<N>("acc", 0), t.kept::<N>("by", n));
            let mut by = by.into_iter();
            t.outputs("acc", 0, acc.map(|x| x * by.next().expect("as many factors")));
        });
        [square, mul]
    }
    let [square, mul] = match n {
        1 => pair::<1>(),
        2 => pair::<2>(),
        _ => pair::<3>(),
    };
    let n = n.clamp(1, 3);
    vec![(format!("square{n}"), square), (format!("mul{n}"), mul)]
}

/// Window width of [`Builder::pow`] in bits.
const WINDOW: u32 = 3;

impl Builder<Fq> {
    /// Table rows that [`Self::pow`] needs for `n` values at a time.
    pub(super) const fn pow_rows(n: u8) -> u8 {
        n << WINDOW
    }

    /// `to = base^exponent` for each row of `base`, one to three, by windows of three bits with the powers in `table`
    /// ([`Self::pow_rows`]). The time depends only on the length of the exponent. Uses the scan register and the
    /// counter of `_i`.
    pub(super) fn pow(&mut self, base: Region, exponent: [u64; 6], table: Region, to: Region) {
        let n = base.rows;
        let (square, mul) = (format!("square{n}"), format!("mul{n}"));
        let ones = self.shared(&vec![one(); n.into()]);
        let entry = |d: u8| table.part(d * n, n);
        self.load(ones, 0);
        self.store(entry(0), 0);
        self.load(base, n);
        for d in 1..1 << WINDOW {
            self.run(&mul);
            self.store(entry(d), 0);
        }
        let windows = bits(&exponent).div_ceil(WINDOW);
        let exponent = self.shared(&[integer(exponent)]);
        self.load(ones, 0);
        self.load_scan(LoopReg::I, exponent, (windows * WINDOW) as u16);
        let top = self.here();
        for _ in 0..WINDOW {
            self.run(&square);
        }
        self.digit(LoopReg::I, WINDOW, &mut |b, d| b.load(entry(d), n));
        self.run(&mul);
        self.repeat(LoopReg::I, top, windows);
        self.store(to, 0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::Fq2;
    use pairwright_field::Field;
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    #[test]
    fn all_zero_is_zero_for_zeros_alone() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for n in 1..8 {
            assert!(all_zero(vec![Fq2::ZERO; n]).is_zero());
            for i in 0..n {
                let mut values = vec![Fq2::ZERO; n];
                values[i] = Fq2::random(&mut rng);
                assert!(!all_zero(values.clone()).is_zero(), "{i} of {n}");
                assert!(all_zero(values).c1.is_zero());
            }
        }
    }

    #[test]
    fn products_with_raw_constants_show_canonical_integers() {
        let mut rng = ChaCha8Rng::seed_from_u64(2);
        let a = Fq2::random(&mut rng);
        assert_eq!((a * raw_one()).c0.to_montgomery(), a.c0.to_limbs());
        assert_eq!((a * raw_minus_u()).c0.to_montgomery(), a.c1.to_limbs());
        assert_eq!((a * minus_u()).c0, a.c1);
    }
}
