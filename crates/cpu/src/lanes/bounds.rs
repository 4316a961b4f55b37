//! The bounds of values in lanes, [`Octet`], as constants of a modulus q, with compile-time proofs that they are sufficient.

use super::constants::{MASK, Splat, WIDTH, digits, quotient};
use super::form::LaneForm;
use super::octet::Octet;
use pairwright_field::Modulus;
use pairwright_field::limbs::{bits, neg_inverse, one, shl_mod};

/// Values of lazy sums are below `2^LAZY_BITS q` in magnitude.
pub(super) const LAZY_BITS: usize = 15;
/// Digits of lazy sums are below `2^LAZY_TERMS` times 2^52 in magnitude.
pub(super) const LAZY_TERMS: usize = 10;

/// Largest number of values that one sum subtracts.
const MOST_MINUS: usize = 5;

impl<M: Modulus<N>, const N: usize, const D: usize> Octet<M, N, D> {
    /// Base-2 logarithm of the ratio of the radices of lanes (`2^(52 D)`) and memory (`2^(64 N)`).
    pub(super) const LOG_RADIX_RATIO: usize = WIDTH * D - 64 * N;
    /// Values are below `BOUND q`. A load shifts by at most [`Self::shift`] bits, the logarithm of this number.
    pub(super) const BOUND: u64 = 1 << Self::shift(LaneForm::X);
    /// Differences that are not settled are below `DIFFERENCE_BOUND q`.
    pub(super) const DIFFERENCE_BOUND: u64 = 3 * Self::BOUND + 1;
    /// The integer product of two operands, of which one may be a difference that is not settled, is below `MOST_PRODUCT q²`.
    pub(super) const MOST_PRODUCT: u64 = if 2 * Self::DIFFERENCE_BOUND > Self::BOUND * Self::BOUND {
        2 * Self::DIFFERENCE_BOUND
    } else {
        Self::BOUND * Self::BOUND
    };
    pub(super) const INVERSE: u64 = neg_inverse(M::P[0]) & MASK;
    pub(super) const Q: Splat<D> = Splat::new(digits(&M::P, 1));
    /// The integer `2^(52 D) - q`.
    pub(super) const MINUS_Q: Splat<D> = {
        let mut minus: [u64; D] = digits(&M::P, 1);
        let (mut k, mut carry) = (0, 1);
        while k < D {
            minus[k] = (MASK - minus[k]) + carry;
            carry = minus[k] >> WIDTH;
            minus[k] &= MASK;
            k += 1;
        }
        Splat::new(minus)
    };
    /// Entry `n` is `(n BOUND + 1) q`, with each digit raised by `n + 2` units of the next digit, so that a digit stays positive when
    /// `n` digits are subtracted from it.
    pub(super) const LIFTS: [Splat<D>; MOST_MINUS + 1] = {
        let mut lifts = [const { Splat::new([0; D]) }; MOST_MINUS + 1];
        let mut n = 1;
        while n <= MOST_MINUS {
            let mut lift: [u64; D] = digits(&M::P, n as u64 * Self::BOUND + 1);
            let mut k = 0;
            while k < D - 1 {
                lift[k] += (n as u64 + 2) << WIDTH;
                lift[k + 1] -= n as u64 + 2;
                k += 1;
            }
            lifts[n] = Splat::new(lift);
            n += 1;
        }
        lifts
    };
    /// The multiple of q below which second coordinates are when they are loaded, with each digit raised by a unit of the next digit.
    pub(super) const ABOVE_Y: Splat<D> = {
        let mut above: [u64; D] = digits(&M::P, 1 << Self::shift(LaneForm::Y));
        let mut k = 0;
        while k < D - 1 {
            above[k] += 1 << WIDTH;
            above[k + 1] -= 1;
            k += 1;
        }
        assert!(
            Self::shift(LaneForm::Y) < Self::shift(LaneForm::X),
            "the multiple itself is within the bound"
        );
        Splat::new(above)
    };
    /// Whether lazy sums can be operands: products of two values below `2^(LAZY_BITS + 1) q`, doubled, still reduce to below 2q.
    pub(super) const HAS_LAZY: bool = 2 * (LAZY_BITS + 1) < WIDTH * D - bits(&M::P) as usize;
    /// `2^LAZY_BITS q`, with each digit raised by `2^LAZY_TERMS` units of the next digit; adding it makes lazy sums positive. It is
    /// used only with [`Self::HAS_LAZY`].
    pub(super) const RAISE: Splat<D> = {
        let mut raise: [u64; D] =
            if Self::HAS_LAZY { digits(&M::P, 1 << LAZY_BITS) } else { [1 << LAZY_TERMS; D] };
        let mut k = 0;
        while k < D - 1 {
            raise[k] += 1 << (WIDTH + LAZY_TERMS);
            raise[k + 1] -= 1 << LAZY_TERMS;
            k += 1;
        }
        Splat::new(raise)
    };
    /// Largest number of terms, each below `BOUND q`, of a sum that can be settled: the rounding of [`Self::QUOTIENT`] causes an error
    /// of `x q / 2^(52 D)` for a value below `x q`, which must be below 1/2.
    pub(super) const MOST_TERMS: u64 = (Self::QUOTIENT / 2 - 1) / Self::BOUND;
    /// The integer `floor(2^(52 D) / q)`, by which quotients are estimated.
    pub(super) const QUOTIENT: u64 = {
        // Conditions of the proof of `settled`.
        let q = bits(&M::P) as usize;
        // The kernels are generated for values of 256 and 401 bits and then omit no product of digits, so operands may use all bits
        // of their digits.
        assert!(q + Self::shift(LaneForm::X) <= if D == 5 { 256 } else { 401 });
        assert!(
            2 * Self::BOUND * (Self::BOUND + 1) <= 1 << (WIDTH * D - q),
            "products of bounded values are below 2q"
        );
        assert!(
            4 * Self::DIFFERENCE_BOUND <= 1 << (WIDTH * D - q),
            "a factor times a value below 2q, twice, is below 2q"
        );
        assert!(q >= WIDTH * (D - 1) + 12);
        quotient(WIDTH * D, &M::P)
    };
    /// The element one; the constants after it are the factors that convert coordinates to the form of memory.
    pub(super) const ONE: Splat<D> = Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D, &M::P), 1));
    pub(super) const FROM_X: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D - Self::shift(LaneForm::X), &M::P), 1));
    pub(super) const FROM_Y: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D - Self::shift(LaneForm::Y), &M::P), 1));
    pub(super) const FROM_VALUE: Splat<D> = Splat::new(digits(&shl_mod(one::<N>(), 64 * N, &M::P), 1));
    /// The integer one; the product with it is the canonical integer of an element.
    pub(super) const INTEGER: Splat<D> = {
        let mut one = [0; D];
        one[0] = 1;
        Splat::new(one)
    };
    /// The factor that converts an element from the form of memory to that of lanes.
    pub(super) const TO_VALUE: Splat<D> =
        Splat::new(digits(&shl_mod(one::<N>(), WIDTH * D + Self::LOG_RADIX_RATIO, &M::P), 1));

    /// Checks that a sum of `plus` values minus `minus` values can be settled.
    pub(super) const fn check_sum(plus: usize, minus: usize) {
        assert!(minus <= MOST_MINUS && plus + minus + 3 <= 16, "digits stay below 2^56");
        assert!((plus + minus) as u64 <= Self::MOST_TERMS, "the sum can be settled");
    }

    /// Number of bits by which a load of this form shifts.
    pub(super) const fn shift(form: LaneForm) -> usize {
        let t = Self::LOG_RADIX_RATIO / 3;
        match form {
            LaneForm::Plain | LaneForm::Value => 0,
            LaneForm::X => Self::LOG_RADIX_RATIO - 2 * t,
            LaneForm::Y => Self::LOG_RADIX_RATIO - 3 * t,
        }
    }
}
