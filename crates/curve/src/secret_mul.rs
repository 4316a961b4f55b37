//! Multiples of points by secret scalars, in time that depends on neither the scalars nor the points.
//!
//! An endomorphism splits a scalar into short parts. The parts of all terms share their doublings (Straus' method) and use
//! signed windows, whose tables are read completely for every digit; additions are by complete formulas. Galbraith, Lin, Scott,
//! *Endomorphisms for faster elliptic curve cryptography on a large class of curves*, eprint 2008/194; Gallant, Lambert,
//! Vanstone, CRYPTO 2001.

use crate::glv::{self, HALF_BITS};
use crate::{Curve, Glv, Projective, SeedEndomorphism, formulas};
use alloc::vec::Vec;
use pairwright_field::ct::Choice;
use pairwright_field::limbs::bit_window;
use pairwright_field::{Extension, Field, PrimeField, Ring};
use zeroize::{Zeroize, Zeroizing};

/// Width of the windows in bits.
const WINDOW: usize = 5;
/// Number of entries of a table: the multiples by 1 to 16. Digits are between -16 and 16.
const TABLE_LEN: usize = 1 << (WINDOW - 1);
/// Largest number of parts of a scalar.
const MOST_PARTS: usize = 4;

/// A part of a scalar: the little-endian limbs of its magnitude, and whether it is negative.
type HalfScalar = ([u64; 4], bool);

/// The decomposition of the scalars of a group: a scalar is `Σ parts[i]·λ^i` for the eigenvalue `λ` of [`Self::image`].
#[expect(clippy::large_enum_variant, reason = "a constant of the group, which nothing moves")]
enum Split<C: Curve> {
    /// One part, because there is no endomorphism.
    Whole,
    /// Two parts of half the length.
    Halves(Glv<C>),
    /// Four parts, the digits of the scalar in the base of the seed's magnitude.
    Quarters(SeedEndomorphism<C>),
}

impl<C: Curve> Split<C> {
    const OF_GROUP: Self = match (C::SEED, C::GLV) {
        (Some(seed), _) => Self::Quarters(seed),
        (None, Some(glv)) => Self::Halves(glv),
        (None, None) => Self::Whole,
    };

    /// The number of parts, and the number of bits of each.
    fn shape(&self) -> (usize, usize) {
        match self {
            Self::Whole => (1, C::Scalar::BITS as usize),
            Self::Halves(_) => (2, HALF_BITS),
            Self::Quarters(seed) => (4, (u64::BITS - seed.magnitude.leading_zeros()) as usize),
        }
    }

    /// The multiple by `λ` of a point of the subgroup.
    #[inline(always)]
    fn image(&self, p: &Projective<C>) -> Projective<C> {
        match self {
            Self::Whole => *p,
            Self::Halves(glv) => Projective { x: glv.beta * p.x, ..*p },
            Self::Quarters(seed) => {
                let [x, y, z] = (seed.image)([p.x, p.y, p.z]);
                // λ is the magnitude of the seed, so the image is negated if the seed is negative.
                Projective { x, y: if seed.negative { -y } else { y }, z }
            }
        }
    }

    /// The parts of a scalar; time does not depend on it. Unused parts are zero.
    fn parts(&self, k: &C::Scalar) -> Zeroizing<[HalfScalar; MOST_PARTS]> {
        const { assert!(C::Scalar::BITS <= 256, "scalars of four limbs or fewer are split") };
        let mut parts = Zeroizing::new([([0; 4], false); MOST_PARTS]);
        let mut limbs = Zeroizing::new([0; 4]);
        let mut canonical = k.to_limbs();
        limbs.iter_mut().zip(canonical.as_ref()).for_each(|(limb, of)| *limb = *of);
        canonical.as_mut().zeroize();
        match self {
            Self::Whole => parts[0].0 = *limbs,
            Self::Halves(glv) => {
                let halves = Zeroizing::new(glv::decompose(glv, limbs.as_slice()));
                for (part, (half, negative)) in parts.iter_mut().zip(halves.iter()) {
                    *part = ([*half as u64, (half >> 64) as u64, 0, 0], *negative);
                }
            }
            Self::Quarters(seed) => {
                // Each division shortens the quotient by a limb.
                for (i, part) in parts.iter_mut().enumerate() {
                    part.0[0] = divide(&mut limbs[..MOST_PARTS - i], seed.magnitude);
                }
                debug_assert!(*limbs == [0; 4], "the scalar is below the fourth power of the seed");
            }
        }
        parts
    }
}

/// Divides an integer of little-endian limbs in place and returns the remainder. It divides bit by bit; time does not depend on the
/// integer.
fn divide(limbs: &mut [u64], by: u64) -> u64 {
    let mut rest = 0;
    for limb in limbs.iter_mut().rev() {
        let mut quotient = 0;
        for bit in (0..u64::BITS).rev() {
            // This is below twice the divisor, so the top bit of the difference is its sign.
            let twice = u128::from(rest) << 1 | u128::from(*limb >> bit & 1);
            let difference = twice.wrapping_sub(u128::from(by));
            let less = (difference >> 127) as u64;
            rest = Choice::from_bit(less).select(difference as u64, twice as u64);
            quotient = quotient << 1 | (less ^ 1);
        }
        *limb = quotient;
    }
    rest
}

/// The signed digit of a window (Booth recoding) as magnitude and sign: the value of the window's bits plus the bit below it, minus
/// `2^WINDOW` if the top bit is set.
#[inline(always)]
fn digit((limbs, negative): &HalfScalar, window: usize) -> (u64, Choice) {
    let bits = match window {
        0 => bit_window(limbs, 0, WINDOW) << 1,
        _ => bit_window(limbs, WINDOW * window - 1, WINDOW + 1),
    };
    let top = bits >> WINDOW;
    let magnitude = (((bits + 1) >> 1) ^ top.wrapping_neg()).wrapping_add(top + (top << WINDOW));
    (magnitude, Choice::from_bit(top ^ u64::from(*negative)))
}

/// A term of a sum: the table of multiples of the point, and the parts of the scalar.
struct Term<C: Curve> {
    table: [Projective<C>; TABLE_LEN],
    parts: Zeroizing<[HalfScalar; MOST_PARTS]>,
}

impl<C: Curve> Term<C> {
    fn new(split: &Split<C>, point: &Projective<C>, k: &C::Scalar) -> Self {
        let mut table = [*point; TABLE_LEN];
        for i in 1..TABLE_LEN {
            table[i] = if i % 2 == 1 { table[i / 2].double() } else { table[i - 1] + *point };
        }
        Self { table, parts: split.parts(k) }
    }

    /// The multiple of the point by the digit of a window. Every entry of the table is read.
    fn multiple(&self, part: usize, window: usize) -> Projective<C> {
        let (magnitude, negative) = digit(&self.parts[part], window);
        let mut multiple = Projective::INFINITY;
        for (i, entry) in self.table.iter().enumerate() {
            multiple = Projective::select(&multiple, entry, Choice::is_zero(magnitude ^ (i as u64 + 1)));
        }
        multiple.y = C::Base::select(&multiple.y, &-multiple.y, negative);
        multiple
    }
}

/// The sum `Σ k·P` over the terms.
fn sum_of<'a, C: Curve>(
    terms: impl ExactSizeIterator<Item = (&'a Projective<C>, &'a C::Scalar)>,
) -> Projective<C> {
    let split = Split::OF_GROUP;
    let (parts, bits) = split.shape();
    let mut prepared = Vec::with_capacity(terms.len());
    terms.for_each(|(point, k)| prepared.push(Term::new(&split, point, k)));
    // The topmost window has a spare bit, so its digit is not negative.
    let windows = (0..bits / WINDOW + 1).rev();
    let sum = windows.fold(None, |sum: Option<Projective<C>>, window| {
        let above = sum.map(|sum| shifted(&sum));
        // Σ λ^i·(multiples by part i), by Horner's rule.
        let within = (0..parts).rev().fold(None, |within: Option<Projective<C>>, part| {
            let image = within.map(|within| split.image(&within));
            prepared.iter().fold(image, |sum, term| plus(sum, term.multiple(part, window)))
        });
        within.map_or(above, |within| plus(above, within))
    });
    prepared.iter_mut().flat_map(|term| &mut term.table).for_each(Zeroize::zeroize);
    sum.unwrap_or(Projective::INFINITY)
}

/// The multiple by `2^WINDOW`. Over an extension field, where a square is cheaper than a product, the doublings are in Jacobian
/// coordinates, whose formula is correct for every point of odd order except infinity.
fn shifted<C: Curve>(p: &Projective<C>) -> Projective<C> {
    if C::Base::DEGREE == 1 {
        return (0..WINDOW).fold(*p, |p, _| p.double());
    }
    let jacobian = [p.x * p.z, p.y * p.z.square(), p.z];
    let [x, y, z] = (0..WINDOW).fold(jacobian, |p, _| formulas::jacobian_double(p));
    // If the point was infinity, the result is (0, 0, 0); correct it.
    let y = C::Base::select(&y, &C::Base::ONE, z.ct_eq(&C::Base::ZERO));
    Projective { x: x * z, y, z: z.square() * z }
}

/// Adds a point to a sum; `None` is the empty sum.
#[inline(always)]
fn plus<C: Curve>(sum: Option<Projective<C>>, p: Projective<C>) -> Option<Projective<C>> {
    Some(sum.map_or(p, |sum| sum + p))
}

impl<C: Curve> Projective<C> {
    /// `k·self` for a point of the prime-order subgroup, in time independent of `k` and of the point. For other points of the curve
    /// the result is wrong, because the endomorphism does not multiply them by its eigenvalue.
    #[inline(never)]
    pub fn mul(&self, k: &C::Scalar) -> Self {
        sum_of(core::iter::once((self, k)))
    }

    /// `Σ k_i·P_i` for points of the prime-order subgroup, in time that depends only on the number of terms.
    #[inline(never)]
    pub fn mul_sum(terms: &[(Self, C::Scalar)]) -> Self {
        sum_of(terms.iter().map(|(point, k)| (point, k)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{bls12_377, bls12_381, bn254};
    use num_bigint::{BigInt, BigUint, Sign};
    use rand_chacha::ChaCha20Rng;
    use rand_core::{Rng, SeedableRng};

    fn integer(limbs: &[u64]) -> BigInt {
        BigInt::from_bytes_le(Sign::Plus, &limbs.iter().flat_map(|l| l.to_le_bytes()).collect::<Vec<_>>())
    }

    fn signed((limbs, negative): &HalfScalar) -> BigInt {
        if *negative { -integer(limbs) } else { integer(limbs) }
    }

    #[test]
    fn quotients_and_remainders() {
        let mut rng = ChaCha20Rng::seed_from_u64(20);
        for round in 0..300 {
            let mut limb = || [0, 1, u64::MAX, 1 << 63, rng.next_u64()][rng.next_u64() as usize % 5];
            let by = [1, 2, 56, 1 << 63, u64::MAX, 0xd201_0000_0001_0000, limb() | 1][round % 7];
            let limbs: Vec<u64> = (0..round % 5).map(|_| limb()).collect();
            let (mut quotient, n) = (limbs.clone(), integer(&limbs));
            let rest = divide(&mut quotient, by);
            assert_eq!((integer(&quotient), BigInt::from(rest)), (&n / by, &n % by), "{limbs:x?} / {by:x}");
        }
    }

    /// The digits are in range and add up to the part that they came from, with its sign.
    #[test]
    fn digits_add_up() {
        let mut rng = ChaCha20Rng::seed_from_u64(21);
        let mut limbs =
            vec![[0; 4], [1, 0, 0, 0], [u64::MAX >> 1; 4], [u64::MAX, u64::MAX, u64::MAX, u64::MAX >> 4]];
        limbs.extend((0..1024).map(|small| [small, 0, 0, 0]));
        limbs.extend((0..200).map(|_| [(); 4].map(|()| rng.next_u64() >> 1)));
        for part in limbs.into_iter().flat_map(|limbs| [(limbs, false), (limbs, true)]) {
            let digits = (0..256 / WINDOW + 1).rev().map(|window| digit(&part, window));
            let sum = digits.fold(BigInt::ZERO, |sum, (magnitude, negative)| {
                assert!(magnitude <= TABLE_LEN as u64);
                let magnitude = BigInt::from(magnitude);
                (sum << WINDOW) + if negative.reveal() { -magnitude } else { magnitude }
            });
            assert_eq!(sum, signed(&part), "{part:x?}");
        }
    }

    /// Scalars at the boundaries of digits and halves, and random ones.
    fn scalars<C: Curve>(rng: &mut ChaCha20Rng) -> Vec<C::Scalar> {
        let mut all: Vec<C::Scalar> = [0, 1, 2, 15, 16, 17, 31, 32, 33].map(C::Scalar::from).to_vec();
        let seed = C::SEED.map_or(u64::MAX, |seed| seed.magnitude);
        let mut power = C::Scalar::ONE;
        for _ in 0..4 {
            power *= C::Scalar::from(seed);
            all.extend([power, power - C::Scalar::ONE, power + C::Scalar::ONE, power.double()]);
        }
        all.extend((0..40).map(|_| C::Scalar::random(rng)));
        all.extend(all.clone().iter().map(|k| -*k));
        all
    }

    /// The parts are short, and `Σ parts[i]·λ^i` is the scalar, for the eigenvalue of the image.
    fn parts_add_up<C: Curve>() {
        let mut rng = ChaCha20Rng::seed_from_u64(22);
        let split = Split::<C>::OF_GROUP;
        let (count, bits) = split.shape();
        let lambda = match &split {
            Split::Whole => BigInt::from(1),
            Split::Halves(glv) => integer(&glv.lambda),
            Split::Quarters(seed) => BigInt::from(seed.magnitude),
        };
        let order = integer(C::Scalar::MODULUS.as_ref());
        for k in scalars::<C>(&mut rng) {
            let parts = split.parts(&k);
            assert!(parts.iter().all(|(limbs, _)| integer(limbs).bits() <= bits as u64), "{k}");
            assert!(parts.iter().skip(count).all(|(limbs, _)| *limbs == [0; 4]));
            let sum = parts.iter().rev().fold(BigInt::ZERO, |sum, part| sum * &lambda + signed(part));
            assert_eq!((sum - integer(k.to_limbs().as_ref())) % &order, BigInt::ZERO, "{k}");
        }
        let g = Projective::<C>::generator();
        let limbs = lambda.to_biguint().map(|lambda: BigUint| lambda.to_u64_digits()).unwrap();
        assert_eq!(
            split.image(&g).to_affine(),
            C::GENERATOR.to_jacobian().mul_limbs_vartime(&limbs).to_affine()
        );
    }

    macro_rules! per_group {
        ($($name:ident: $group:ty;)+) => {$(
            #[test]
            fn $name() {
                parts_add_up::<$group>();
            }
        )+};
    }
    per_group! {
        bls12_381_g1: bls12_381::G1;
        bls12_381_g2: bls12_381::G2;
        bn254_g1: bn254::G1;
        bn254_g2: bn254::G2;
        bls12_377_g1: bls12_377::G1;
        bls12_377_g2: bls12_377::G2;
    }
}
