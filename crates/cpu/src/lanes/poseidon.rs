//! Poseidon of many pairs of elements, eight at a time: the generic code of `pairwright-hash` over a ring in lanes.
//!
//! An element `x` is represented by the integer `x 2^260 mod q` plus some multiple of q. Sums are not reduced: every value has a
//! bound of its integer, and operands of a sum that could overflow the digits are reduced first. The bounds depend only on the
//! sequence of operations, so no branch depends on elements.

use super::digits::{
    DIGITS, FiveDigits, LANES, LIMBS, ModulusInLanes, below_twice, broadcast, carried, even_odd,
    factor_digits, load, open_difference, reduced, store, sum, times,
};
use super::{known, limbs, limbs_mut};
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::{PrimeField, Ring};
use pairwright_hash::{FastPoseidon, Poseidon};

/// The hash over a field, with its constants as digits.
pub(crate) struct Hashes<F> {
    hash: FastPoseidon<[u64; DIGITS]>,
    /// The factor `2^256 mod q`, which converts a value to the form of memory.
    to_memory: [u64; DIGITS],
    k: ModulusInLanes,
    of: PhantomData<F>,
}

impl<F: PrimeField> Hashes<F> {
    /// Converts the constants of a hash. `None` if the field or the processor has no lanes, or the hash has no form with fewer
    /// products.
    pub(crate) fn new(hash: &Poseidon<F>) -> Option<Self> {
        let fast = hash.fast().filter(|_| known::<F>())?;
        let hash = fast.map(|constant| factor_digits(*constant));
        let to_memory = factor_digits(F::from(16).invert()?);
        // SAFETY: `known` has asked the processor.
        Some(Self { hash, to_memory, k: unsafe { ModulusInLanes::new::<F>() }, of: PhantomData })
    }

    /// Writes the hash of `from[2i]` and `from[2i + 1]` to `to[i]`, for the first nodes; returns their number, a multiple of eight.
    pub(crate) fn nodes(&self, from: &[F], to: &mut [F]) -> usize {
        let (Some(from), Some(to)) = (limbs(from), limbs_mut(to)) else { return 0 };
        // SAFETY: constants exist only where the processor has the features.
        unsafe { nodes(&self.hash, &self.to_memory, from.as_chunks().0, to.as_chunks_mut().0, &self.k) }
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn nodes(
    hash: &FastPoseidon<[u64; DIGITS]>,
    to_memory: &[u64; DIGITS],
    from: &[[[u64; LIMBS]; LANES]],
    to: &mut [[[u64; LIMBS]; LANES]],
    k: &ModulusInLanes,
) -> usize {
    let pairs = from.as_chunks().0;
    for ([a, b], to) in pairs.iter().zip(to.iter_mut()) {
        let (left, right) = even_odd(&load::<4>(a), &load::<4>(b));
        // The operands are in the form of memory times 16, for values below q.
        let [left, right] = [left, right].map(|digits| Bounded { digits, bound: 16, k });
        let constant = |digits: &[u64; DIGITS]| Bounded { digits: broadcast(digits), bound: 1, k };
        let node = hash.compress(left, right, constant);
        // The product is below 2q, since one factor is below q.
        store(to, &reduced(&times(&node.digits, &broadcast(to_memory), k), k));
    }
    LANES * pairs.len().min(to.len())
}

/// Values are below `MOST q`, with q below 2^255, so that they fit their digits and [`below_twice`] can reduce them.
const MOST: u32 = 30;

/// Eight elements as digits below 2^52 of integers below `bound` times q. They are made only by functions with the target features
/// of the instructions.
#[derive(Clone, Copy)]
struct Bounded<'k> {
    digits: FiveDigits,
    bound: u32,
    k: &'k ModulusInLanes,
}

impl Bounded<'_> {
    /// The same elements, reduced below 2q.
    #[inline(always)]
    fn settled(self) -> Self {
        // SAFETY: a value exists, so the processor has the instructions.
        Self { digits: unsafe { below_twice(&self.digits, self.k) }, bound: 2, k: self.k }
    }
}

impl Add for Bounded<'_> {
    type Output = Self;
    #[inline(always)]
    fn add(mut self, mut other: Self) -> Self {
        if self.bound + other.bound > MOST {
            (self, other) = (self.settled(), other.settled());
        }
        // SAFETY: as above.
        let digits = unsafe { sum(&self.digits, &other.digits) };
        Self { digits, bound: self.bound + other.bound, k: self.k }
    }
}
impl Sub for Bounded<'_> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self + -other
    }
}
impl Neg for Bounded<'_> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // SAFETY: as above. The difference is 2q at the most.
        let digits = unsafe {
            let zero = broadcast(&[0; DIGITS]);
            carried(open_difference(&zero, &self.settled().digits, self.k))
        };
        Self { digits, bound: 3, k: self.k }
    }
}
impl Mul for Bounded<'_> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        // (a b + m q) / 2^260 for a and b below their bounds times q, q below 2^255 and m below 2^260.
        let bound = (self.bound * other.bound).div_ceil(32) + 1;
        // SAFETY: as above.
        Self { digits: unsafe { times(&self.digits, &other.digits, self.k) }, bound, k: self.k }
    }
}
impl Ring for Bounded<'_> {
    type Wide = Self;
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_hash::Compress;
    use pairwright_testkit::conformance::Values;

    fn hashes_are_those_of_one_by_one<F: PrimeField>() {
        let hash = Poseidon::<F>::new();
        let Some(lanes) = Hashes::new(&hash) else {
            println!("SKIPPED: this processor has no AVX-512 IFMA");
            return;
        };
        let mut greatest = F::MODULUS;
        greatest.as_mut()[0] -= 1;
        let edges = [F::ZERO, F::ONE, -F::ONE, F::from_montgomery(greatest).unwrap()];
        let mut from: Vec<F> = edges.iter().flat_map(|x| edges.map(|y| [*x, y])).flatten().collect();
        from.extend(Values::<F>::new(8).take_buf(2 * 45).iter());
        let mut to = vec![F::ZERO; from.len() / 2];
        let done = lanes.nodes(&from, &mut to);
        assert_eq!(done, to.len() / 8 * 8);
        for (node, [a, b]) in to[..done].iter().zip(from.as_chunks().0) {
            assert_eq!(*node, hash.compress(a, b));
        }
        assert_eq!(lanes.nodes(&from[..14], &mut to[..7]), 0);
    }

    #[test]
    fn hashes_in_lanes_are_those_of_one_by_one() {
        hashes_are_those_of_one_by_one::<bn254::Fr>();
        hashes_are_those_of_one_by_one::<bls12_381::Fr>();
        hashes_are_those_of_one_by_one::<bls12_377::Fr>();
    }

    /// Every operation at its bounds: sums up to [`MOST`] and beyond, negatives of zero and of the greatest value.
    #[test]
    fn operations_hold_at_the_ends_of_their_bounds() {
        fn over<F: PrimeField>() {
            if !known::<F>() {
                return;
            }
            // SAFETY: `known` has asked the processor.
            unsafe { check::<F>() }
        }
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn check<F: PrimeField>() {
            let k = &ModulusInLanes::new::<F>();
            let to_memory = broadcast(&factor_digits(F::from(16).invert().unwrap()));
            let held = |x: F| Bounded { digits: broadcast(&factor_digits(x)), bound: 1, k };
            let element = |x: Bounded<'_>| {
                let mut out = [[0; LIMBS]; LANES];
                store(&mut out, &reduced(&times(&x.digits, &to_memory, k), k));
                let mut limbs = F::Limbs::default();
                limbs.as_mut().copy_from_slice(&out[3]);
                F::from_montgomery(limbs).unwrap()
            };
            for x in [F::ZERO, F::ONE, -F::ONE, F::from(16).invert().unwrap() * -F::ONE] {
                let (mut many, mut want) = (held(x), x);
                for _ in 0..100 {
                    (many, want) = (many + held(x), want + x);
                    assert!(many.bound <= MOST);
                    assert_eq!(element(many), want);
                    assert_eq!(element(many * many), want * want);
                    assert_eq!(element(-many), -want);
                    assert_eq!(element(many - held(F::ONE)), want - F::ONE);
                }
            }
            let most = Bounded { bound: MOST, ..held(F::ONE) };
            assert!((most * most).bound <= MOST);
        }
        over::<bn254::Fr>();
        over::<bls12_381::Fr>();
        over::<bls12_377::Fr>();
    }
}
