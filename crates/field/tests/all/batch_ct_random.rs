//! Batch inversion, constant-time helpers, and random elements.

use crate::common::on_fields;

on_fields!(batches, choices, drawn_by_rule);

mod super_tests {
    use crate::common::*;
    use core::convert::Infallible;
    use num_bigint::BigUint;
    use pairwright_field::ct::Choice;
    use pairwright_field::{PrimeField, batch_invert, batch_invert_with};
    use rand_chacha::rand_core::TryRng;

    pub(crate) fn batches<F: PrimeField>() {
        let values: Vec<F> = operands::<F>(8, 1).iter().map(element).collect();
        let inverse = |x: &F| x.invert().unwrap_or(F::ZERO);
        let mut scratch = vec![F::ONE; 3];
        for n in [0, 1, 2, 3, values.len()] {
            // Zeros first, last, in runs and alone.
            for zeros in [&[][..], &[0], &[n.saturating_sub(1)], &[0, 1, 2]] {
                let mut v = values[values.len() - n..].to_vec();
                zeros.iter().for_each(|&z| {
                    if let Some(x) = v.get_mut(z) {
                        *x = F::ZERO;
                    }
                });
                let want: Vec<F> = v.iter().map(inverse).collect();
                let mut w = v.clone();
                batch_invert(&mut v);
                assert_eq!(v, want);
                batch_invert_with(&mut w, &mut scratch);
                assert_eq!(w, want);
            }
        }
        let mut zeros = [F::ZERO; 4];
        batch_invert(&mut zeros);
        assert_eq!(zeros, [F::ZERO; 4]);
    }

    pub(crate) fn choices<F: PrimeField>() {
        let (yes, no) = (Choice::from_bit(1), Choice::from_bit(0));
        let values: Vec<F> = operands::<F>(4, 2).iter().map(element).collect();
        for x in &values {
            for y in &values {
                assert_eq!(F::select(x, y, no), *x);
                assert_eq!(F::select(x, y, yes), *y);
                assert_eq!(x.ct_eq(y).reveal(), x == y);
            }
            let mut gone = *x;
            gone.zeroize();
            assert_eq!(gone, F::ZERO);
        }
    }

    /// A random generator that replays the given words.
    struct Words(Vec<u64>);
    impl TryRng for Words {
        type Error = Infallible;
        fn try_next_u32(&mut self) -> Result<u32, Infallible> {
            self.try_next_u64().map(|x| x as u32)
        }
        fn try_next_u64(&mut self) -> Result<u64, Infallible> {
            Ok(self.0.remove(0))
        }
        fn try_fill_bytes(&mut self, _: &mut [u8]) -> Result<(), Infallible> {
            unreachable!("elements are drawn in words")
        }
    }

    /// A random element is a uniform integer of twice the width, reduced: its distance from uniform is at most
    /// `p / 2^(128 N)`. Checked on the integers that are furthest from reduced.
    pub(crate) fn drawn_by_rule<F: PrimeField>() {
        use rand_chacha::rand_core::Rng;
        let (p, n, mut rng) = (modulus::<F>(), F::BYTES / 8, rng(3));
        let mut draws = vec![vec![0; 2 * n], vec![u64::MAX; 2 * n], [vec![u64::MAX; n], vec![0; n]].concat()];
        draws.push([vec![0; n], vec![u64::MAX; n]].concat());
        draws.extend((0..100).map(|_| (0..2 * n).map(|_| rng.next_u64()).collect()));
        for words in draws {
            let want: BigUint = from_limbs(&words) % &p;
            assert_eq!(value(&F::random(&mut Words(words.clone()))), want);
            assert_eq!(from_limbs(F::random(&mut Words(words)).to_montgomery().as_ref()) / &p, BigUint::ZERO);
        }
    }
}

#[test]
fn choice_is_a_bit() {
    use pairwright_field::ct::Choice;
    for a in [0u64, 1] {
        for b in [0u64, 1] {
            let (x, y) = (Choice::from_bit(a), Choice::from_bit(b));
            assert_eq!((x & y).reveal(), a & b == 1);
            assert_eq!((x | y).reveal(), a | b == 1);
            assert_eq!((x ^ y).reveal(), a ^ b == 1);
            assert_eq!((!x).reveal(), a == 0);
        }
        let (p, q) = (0x0123_4567_89ab_cdef, u64::MAX);
        assert_eq!(Choice::from_bit(a).select(p, q), if a == 1 { q } else { p });
    }
    for x in [0, 1, 2, 1 << 63, u64::MAX, u64::MAX - 1, 1 << 32] {
        assert_eq!(Choice::is_zero(x).reveal(), x == 0, "{x}");
    }
}

/// Chi-squared over the residues of a small prime, 96 degrees of freedom: 160 is exceeded once in 20 000 seeds.
#[test]
fn random_elements_are_uniform() {
    use crate::common::*;
    use pairwright_field::{Field, PrimeField};
    let (mut rng, mut counts) = (rng(4), [0u32; 97]);
    for _ in 0..97_000 {
        counts[F97::random(&mut rng).to_limbs()[0] as usize] += 1;
    }
    let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0).sum();
    assert!((40.0..160.0).contains(&chi), "chi-squared {chi}");
    // A prime that fills neither its limb nor a power of two: by sixteenths of its range.
    let mut counts = [0u32; 16];
    for _ in 0..16_000 {
        counts[(u128::from(F31::random(&mut rng).to_limbs()[0]) * 16 / 0x7800_0001) as usize] += 1;
    }
    let chi: f64 = counts.iter().map(|&c| (f64::from(c) - 1000.0).powi(2) / 1000.0).sum();
    assert!((2.0..45.0).contains(&chi), "chi-squared {chi}");
}
