//! The three promises of the house: [`Ring`] (straight-line arithmetic), [`Field`] (values that can be compared
//! and inverted) and [`PrimeField`] (integers modulo a prime, with encodings and roots of unity).

use crate::encode::FieldError;
use alloc::string::String;
use core::convert::Infallible;
use core::fmt::{Debug, Display};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use rand_core::Rng;
use zeroize::Zeroize;

/// Arithmetic without equality or branching.
///
/// A formula written over `Ring` can be read in several ways: on values it gives answers, on symbols a dataflow
/// graph, on counters its cost. Hence no comparison, no inversion, no constants beyond what the operands carry.
pub trait Ring:
    Clone + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Neg<Output = Self>
{
    /// `self · self`.
    fn square(self) -> Self {
        self.clone() * self
    }
    /// `self + self`.
    fn double(self) -> Self {
        self.clone() + self
    }
    /// Whether [`Ring::minus_both`] is faster than two differences. Where it is not, towers keep the order of operations of
    /// their formulas, on which the schedules of modelled machines depend.
    const REDUCES_ONCE: bool = false;
    /// `self - b - c`: two differences, unless the ring reduces once for both.
    #[inline(always)]
    fn minus_both(self, b: Self, c: Self) -> Self {
        self - b - c
    }
    /// How many products [`Ring::dot`] adds up at less than they cost one by one; 1 if it does not. Towers then form their
    /// products by sums of all terms instead of by Karatsuba's differences.
    const MOST_TERMS: usize = 1;
    /// The sum of the products of `K` pairs.
    #[inline(always)]
    fn dot<const K: usize>(terms: [(&Self, &Self); K]) -> Self {
        sum_one_by_one(&terms)
    }
    /// The sum of the products of `2·K` pairs.
    #[inline(always)]
    fn dot_pairs<const K: usize>(terms: [[(&Self, &Self); 2]; K]) -> Self {
        sum_one_by_one(terms.as_flattened())
    }
    /// The sum of `a0·b0 + β·a1·b1` over `K` quadruples `[(a0, b0), (a1, b1)]`: the first coordinate of a sum of products in
    /// the extension by a square root of β.
    #[inline(always)]
    fn dot_norms<B: NonResidue<Self>, const K: usize>(terms: [[(&Self, &Self); 2]; K]) -> Self {
        dot_norms_by_pairs::<Self, B, K>(terms)
    }
    /// The product of lent operands.
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        a.clone() * b.clone()
    }
    /// Whether an element is so large that copies for [`Ring::mul_quad`] show in the time of a product: towers then lend
    /// theirs.
    const LENDS: bool = false;
    /// `n·self` for `0 < n < 16`: by doublings and additions, unless the ring knows a faster way.
    ///
    /// # Panics
    /// If `n` is out of range.
    #[inline(always)]
    fn times(self, n: u64) -> Self {
        small_multiple(self, n)
    }
    /// `(a0 + a1·u)(b0 + b1·u)` with `u² = β`: by Karatsuba, unless the ring knows a faster way.
    fn mul_quad<B: NonResidue<Self>>(a: [Self; 2], b: [Self; 2]) -> [Self; 2] {
        karatsuba::<Self, B>([&a[0], &a[1]], [&b[0], &b[1]])
    }
}

/// The element β a tower step adjoins a root of: `u² = β` or `v³ = β`.
pub trait NonResidue<R: Ring>: Send + Sync + 'static {
    /// `Some(n)` if β = -n for a small integer n: lets a prime field put off reductions.
    const MINUS_SMALL: Option<u64> = None;
    /// Returns the product `β·x`.
    fn mul(x: R) -> R;
    /// `(c0 + c1·u)²` in the quadratic extension by this element; override where β allows a shorter formula.
    fn square_quad(c0: &R, c1: &R) -> (R, R) {
        // Complex squaring: (c0 + c1)(c0 + β·c1) - v - β·v with v = c0·c1.
        let v = R::product(c0, c1);
        let s = R::product(&(c0.clone() + c1.clone()), &(c0.clone() + Self::mul(c1.clone())));
        (s - v.clone() - Self::mul(v.clone()), v.double())
    }
}

/// `n·x` for `0 < n < 16` by doublings and additions, written out so that a constant `n` leaves no branch.
#[inline(always)]
fn small_multiple<R: Ring>(x: R, n: u64) -> R {
    assert!(0 < n && n < 16, "multiples below 16 are written out");
    let mut sum = x.clone();
    macro_rules! bits {
        ($($bit:literal)+) => {$(
            if n >> ($bit + 1) != 0 {
                sum = sum.double();
                if n >> $bit & 1 == 1 {
                    sum = sum + x.clone();
                }
            }
        )+};
    }
    bits!(2 1 0);
    sum
}

/// A sum of products without a faster way.
///
/// # Panics
/// If there are no terms.
#[inline]
pub(crate) fn sum_one_by_one<R: Ring>(terms: &[(&R, &R)]) -> R {
    let products = terms.iter().map(|(a, b)| (*a).clone() * (*b).clone());
    products.reduce(|sum, product| sum + product).expect("a sum of products has terms")
}

/// [`Ring::dot_norms`] by [`Ring::dot_pairs`], the second of each pair of factors multiplied by β.
#[inline(always)]
pub(crate) fn dot_norms_by_pairs<R: Ring, B: NonResidue<R>, const K: usize>(terms: [[(&R, &R); 2]; K]) -> R {
    let raised: [R; K] = core::array::from_fn(|i| B::mul(terms[i][1].1.clone()));
    R::dot_pairs(core::array::from_fn::<_, K, _>(|i| {
        let [first, (a1, _)] = terms[i];
        [first, (a1, &raised[i])]
    }))
}

/// `(a0 + a1·u)(b0 + b1·u)` with `u² = β` in three products.
#[inline]
pub(crate) fn karatsuba<R: Ring, B: NonResidue<R>>([a0, a1]: [&R; 2], [b0, b1]: [&R; 2]) -> [R; 2] {
    let v0 = R::product(a0, b0);
    let v1 = R::product(a1, b1);
    let cross = R::product(&(a0.clone() + a1.clone()), &(b0.clone() + b1.clone()));
    let c1 = cross.minus_both(v0.clone(), v1.clone());
    [v0 + B::mul(v1), c1]
}

/// A finite field of values.
pub trait Field:
    Ring + Copy + Eq + Debug + Default + AddAssign + SubAssign + MulAssign + Zeroize + Send + Sync + 'static
{
    /// The additive identity.
    const ZERO: Self;
    /// The multiplicative identity.
    const ONE: Self;

    /// Whether this is zero.
    fn is_zero(&self) -> bool {
        *self == Self::ZERO
    }

    /// The multiplicative inverse, `None` for zero. Runs in time independent of the value.
    fn invert(&self) -> Option<Self>;

    /// `if choice { b } else { a }` without a branch on `choice`.
    fn select(a: &Self, b: &Self, choice: crate::ct::Choice) -> Self;

    /// Whether `self == other`, without a branch on either value.
    fn ct_eq(&self, other: &Self) -> crate::ct::Choice;

    /// A uniform element (statistical distance below 2^-64 from uniform).
    fn random<R: Rng + ?Sized>(rng: &mut R) -> Self;

    /// `self^exponent`, the exponent as little-endian limbs. Time depends on the exponent only.
    #[inline(never)]
    fn pow_vartime(&self, exponent: &[u64]) -> Self {
        let mut acc = Self::ONE;
        let mut started = false;
        for &limb in exponent.iter().rev() {
            for bit in (0..64).rev() {
                if started {
                    acc = acc.square();
                }
                if limb >> bit & 1 == 1 {
                    acc *= *self;
                    started = true;
                }
            }
        }
        acc
    }
}

/// A field whose square roots we need: prime fields and their quadratic extensions.
pub trait Sqrt: Field {
    /// A square root (either one), `None` for a non-residue. Time depends on the value.
    fn sqrt_vartime(&self) -> Option<Self>;
}

/// The integers modulo a prime.
///
/// Values are always held reduced and in Montgomery form; every encoding says which form it speaks.
pub trait PrimeField: Sqrt + Display + Ord + core::hash::Hash + From<u64> {
    /// Little-endian limbs, `[u64; N]`.
    type Limbs: Copy + Default + AsRef<[u64]> + AsMut<[u64]> + Debug + Eq + Send + Sync + 'static;

    /// Name as used in messages, e.g. `"BLS12-381 Fr"`.
    const NAME: &'static str;
    /// Bits of the modulus.
    const BITS: u32;
    /// Bytes of an encoding: 8 per limb.
    const BYTES: usize;
    /// The largest `s` with `2^s | p - 1`.
    const TWO_ADICITY: u32;
    /// The modulus as an integer, least significant limb first.
    const MODULUS: Self::Limbs;
    /// The smallest quadratic non-residue, which is the generator our roots of unity come from.
    const NON_RESIDUE: Self;
    /// The inverse of two.
    const HALF: Self;

    /// The value as an integer below the modulus.
    fn to_limbs(&self) -> Self::Limbs;
    /// The element with this integer value, `None` unless it is below the modulus.
    fn from_limbs(limbs: Self::Limbs) -> Option<Self>;
    /// The Montgomery representation `value · 2^(64 N) mod p`.
    fn to_montgomery(&self) -> Self::Limbs;
    /// The element with this Montgomery representation, `None` unless it is below the modulus.
    fn from_montgomery(limbs: Self::Limbs) -> Option<Self>;

    /// Reduces an integer of any length, given as little-endian limbs.
    #[inline(never)]
    fn from_limbs_reduced(limbs: &[u64]) -> Self {
        // Horner's rule in base 2^64. The base is computed as (2^32)^2, because `From` takes a u64.
        let base = Self::from(1 << 32).square();
        limbs.iter().rev().fold(Self::ZERO, |acc, &l| acc * base + Self::from(l))
    }

    /// Canonical value, little-endian, into exactly [`Self::BYTES`] bytes.
    ///
    /// # Panics
    /// If `out` has another length: a programming error, not an input error.
    fn write_le(&self, out: &mut [u8]);
    /// Canonical value, big-endian, into exactly [`Self::BYTES`] bytes.
    ///
    /// # Panics
    /// If `out` has another length.
    fn write_be(&self, out: &mut [u8]);
    /// Reads a canonical little-endian value; refuses other lengths and values not below the modulus.
    fn read_le(bytes: &[u8]) -> Result<Self, FieldError>;
    /// Reads a canonical big-endian value; refuses other lengths and values not below the modulus.
    fn read_be(bytes: &[u8]) -> Result<Self, FieldError>;
    /// Montgomery representation, little-endian (the form of zkey and ptau files).
    ///
    /// # Panics
    /// If `out` has another length.
    fn write_montgomery_le(&self, out: &mut [u8]);
    /// Reads a little-endian Montgomery representation; refuses other lengths and values not below the modulus.
    fn read_montgomery_le(bytes: &[u8]) -> Result<Self, FieldError>;

    /// Reads a decimal string of ASCII digits: no sign, no blanks, value below the modulus.
    fn from_decimal(text: &str) -> Result<Self, FieldError>;
    /// The canonical value in decimal.
    fn to_decimal(&self) -> String;
    /// The modulus in decimal digits.
    fn modulus_decimal() -> String;

    /// A primitive `2^log_n`-th root of unity, `None` beyond the two-adicity.
    ///
    /// The convention is circom's and snarkjs': powers of `NON_RESIDUE^((p-1)/2^s)`, so that
    /// `root_of_unity(k)² = root_of_unity(k-1)`. On BLS12-381 arkworks starts from 7 and gets another root.
    fn root_of_unity(log_n: u32) -> Option<Self>;

    /// Whether the canonical value is odd (the `sgn0` of RFC 9380 for a prime field).
    fn is_odd(&self) -> bool {
        self.to_limbs().as_ref().first().is_some_and(|l| l & 1 == 1)
    }
}

/// A field as a vector space over its prime field: what encodings and sign rules need.
pub trait Extension: Field {
    /// The prime field at the bottom of the tower.
    type Prime: PrimeField;
    /// Dimension over [`Self::Prime`].
    const DEGREE: usize;
    /// The `i`-th coordinate, lowest tower coefficient first.
    ///
    /// # Panics
    /// If `i >= DEGREE`.
    fn coord(&self, i: usize) -> Self::Prime;
    /// The element whose `i`-th coordinate is `coord(i)`, asked for from the lowest on; the first error ends it.
    ///
    /// # Errors
    /// The error of `coord`.
    fn try_from_fn<E>(coord: impl FnMut(usize) -> Result<Self::Prime, E>) -> Result<Self, E>;
    /// The element with these coordinates, lowest first.
    ///
    /// # Panics
    /// If the slice has another length than `DEGREE`.
    fn from_coords(coords: &[Self::Prime]) -> Self {
        assert!(coords.len() == Self::DEGREE, "one coordinate for each dimension");
        let Ok(x) = Self::try_from_fn(|i| Ok::<_, Infallible>(coords[i]));
        x
    }
    /// The element of the prime subfield.
    fn from_prime(x: Self::Prime) -> Self;
}
