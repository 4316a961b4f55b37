//! Rounds of a sumcheck in lanes: sums of products of tables over pairs of corners.
//!
//! Intermediate values are not reduced below q. The value of a line at `t` is below `(2t + 1) q`, and a product of values below `a q`
//! and `b q` is below `(ab/32 + 1) q`. With `t` up to [`MOST_POINTS`] - 1, products are below 11q and values below 17q. The
//! digits of sums are added without carries.

use super::digits::{
    DIGITS, FiveDigits, LANES, LIMBS, ModulusInLanes, even_odd, load, minus1, sum, times, zero,
};
use super::{known, limbs};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use pairwright_field::PrimeField;

/// Largest number of points at which a round polynomial is evaluated.
const MOST_POINTS: usize = 9;
/// Largest number of pairs in one sum: 128 additions of digits below 2^52 in each of eight lanes.
const MOST_PAIRS: usize = 1 << 10;

/// The rounds of a sumcheck over a field.
#[derive(Clone, Copy)]
pub(crate) struct RoundsInLanes<F> {
    k: ModulusInLanes,
    of: PhantomData<F>,
}

impl<F: PrimeField> RoundsInLanes<F> {
    /// Prepares rounds for this number of points. `None` if the field or the processor has no lanes, or there are more points than
    /// [`MOST_POINTS`].
    pub(crate) fn new(points: usize) -> Option<Self> {
        // SAFETY: `known` has asked the processor.
        let new = || Self { k: unsafe { ModulusInLanes::new::<F>() }, of: PhantomData };
        (known::<F>() && points <= MOST_POINTS).then(new)
    }

    /// The sums of `∏ table(t)` over the first pairs of the tables, for each term (a list of tables that is not empty) and for
    /// `t = 0, 1, …`. Also returns the number of pairs, a multiple of eight.
    pub(crate) fn sums(&self, terms: &[&[usize]], tables: &[&[F]], points: usize) -> (Vec<F>, usize) {
        let tables: Vec<&[Sixteen]> =
            tables.iter().filter_map(|table| limbs(table)).map(|table| table.as_chunks().0).collect();
        let most = MOST_PAIRS / LANES;
        let vectors = tables.iter().map(|table| table.len()).min().unwrap_or(0).min(most);
        // SAFETY: constants exist only where the processor has the features.
        (unsafe { sums(terms, &tables, points, vectors, &self.k) }, vectors * LANES)
    }
}

/// Eight pairs in memory.
type Sixteen = [[u64; LIMBS]; 2 * LANES];

#[target_feature(enable = "avx512f,avx512ifma")]
fn sums<F: PrimeField>(
    terms: &[&[usize]],
    tables: &[&[Sixteen]],
    points: usize,
    vectors: usize,
    k: &ModulusInLanes,
) -> Vec<F> {
    let mut sums = vec![zero(); terms.len() * points];
    let mut values = vec![zero(); tables.len() * points];
    for i in 0..vectors {
        for (table, values) in tables.iter().zip(values.chunks_exact_mut(points)) {
            let [a, b] = table[i].as_chunks().0 else { unreachable!("twice eight") };
            let (f0, f1) = even_odd(&load::<0>(a), &load::<0>(b));
            let step = minus1(&f1, &f0, k);
            values[0] = f0;
            for t in 1..points {
                values[t] = sum(&values[t - 1], &step);
            }
        }
        for (term, sums) in terms.iter().zip(sums.chunks_exact_mut(points)) {
            for (t, sum) in sums.iter_mut().enumerate() {
                let mut product = values[term[0] * points + t];
                for table in &term[1..] {
                    product = times(&product, &values[table * points + t], k);
                }
                for d in 0..DIGITS {
                    sum[d] = _mm512_add_epi64(sum[d], product[d]);
                }
            }
        }
    }
    let one = |(at, sum): (usize, &FiveDigits)| from_lanes(sum, terms[at / points].len() - 1);
    sums.iter().enumerate().map(one).collect()
}

/// The sum of the lanes as an element. Each term is a product with `products` factors beyond the first, each of which caused a
/// division by 2^260 where the form of memory requires 2^256.
#[target_feature(enable = "avx512f")]
fn from_lanes<F: PrimeField>(sum: &FiveDigits, products: usize) -> F {
    let mut limbs = [0u64; LIMBS + 2];
    let mut carry = 0u128;
    let mut bits = 0;
    let mut limb = 0;
    for digit in sum {
        carry += u128::from(_mm512_reduce_add_epi64(*digit) as u64) << bits;
        bits += 52;
        if bits >= 64 {
            limbs[limb] = carry as u64;
            carry >>= 64;
            bits -= 64;
            limb += 1;
        }
    }
    limbs[limb] = carry as u64;
    limbs[limb + 1] = (carry >> 64) as u64;
    let mut unit = F::Limbs::default();
    unit.as_mut()[0] = 1;
    // The integer 1 in the form of memory represents 2^-256.
    let unit = F::from_montgomery(unit).expect("one is below every modulus");
    F::from_limbs_reduced(&limbs) * unit * F::from(16).pow_vartime(&[products as u64])
}
