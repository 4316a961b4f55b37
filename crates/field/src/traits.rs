//! The algebraic traits of the project: [`Ring`] (straight-line arithmetic), [`Field`] (values that can be compared
//! and inverted), [`PrimeField`] (integers modulo a prime, with encodings and roots of unity) and [`Extension`] (fields as
//! vector spaces over a prime field).

use crate::encode::FieldError;
use crate::tower::Quad;
use crate::wide::{Wide, WideQuad};
use alloc::string::String;
use core::convert::Infallible;
use core::fmt::{Debug, Display};
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use rand_core::Rng;
use zeroize::Zeroize;

/// Arithmetic without equality or branching.
///
/// A formula written over `Ring` can be evaluated on several types: field elements give its value, symbols a dataflow graph,
/// counters the number of operations. The trait therefore has no comparison, no inversion, and no constants: a formula can use
/// only its operands.
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
    /// Whether [`Ring::minus_both`] is faster than two subtractions. If it is not, towers keep the order of operations of
    /// their formulas, on which the schedules of modelled machines depend.
    const REDUCES_ONCE: bool = false;
    /// `self - b - c`: two subtractions, unless the ring reduces once for both.
    #[inline(always)]
    fn minus_both(self, b: Self, c: Self) -> Self {
        self - b - c
    }
    /// Whether [`Ring::Wide`] defers reductions. A dense product in an extension then costs little more than a sparse one, which
    /// has fewer products of coefficients but as many reductions.
    const DEFERS_REDUCTION: bool = false;
    /// The type of sums of products whose reduction is deferred; the ring itself if every product is reduced.
    type Wide: Wide<Reduced = Self>;
    /// The product of two operands taken by reference, as a sum of one term.
    #[inline(always)]
    fn wide(a: &Self, b: &Self) -> Self::Wide {
        Self::Wide::widened(Self::product(a, b))
    }
    /// `(a0 + a1·u)(b0 + b1·u)` with `u² = β`, not reduced: by Karatsuba, unless the ring has a faster method.
    #[inline(always)]
    fn wide_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> WideQuad<Self, B> {
        karatsuba(a, b)
    }
    /// Whether each product of a tower is compiled once and called, with its operands passed by reference, because inlined copies
    /// would fill the instruction cache. If false, products of towers are inlined.
    const OUT_OF_LINE: bool = false;
    /// The product of two operands taken by reference.
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        a.clone() * b.clone()
    }
    /// The square of an operand taken by reference, as a sum of one term.
    #[inline(always)]
    fn wide_square(a: &Self) -> Self::Wide {
        Self::Wide::widened(a.clone().square())
    }
    /// `(c0 + c1·u)²` with `u² = β` as a sum; not reduced if the ring has a method for that.
    #[inline(always)]
    fn wide_square_quad<B: NonResidue<Self>>(c0: &Self, c1: &Self) -> WideQuad<Self, B> {
        WideQuad::widened(Self::square_quad::<B>(c0, c1))
    }
    /// `n·self` for `0 < n < 16`: by doublings and additions, unless the ring has a faster method.
    ///
    /// # Panics
    /// If `n` is out of range.
    #[inline(always)]
    fn times(self, n: u64) -> Self {
        small_multiple(self, n, Self::double, Self::add)
    }
    /// `(a0 + a1·u)(b0 + b1·u)` with `u² = β`: by [`Ring::wide_quad`], unless the ring has a faster method.
    #[inline(always)]
    fn mul_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> Quad<Self, B> {
        Self::wide_quad::<B>(a, b).reduced()
    }
    /// `(c0 + c1·u)²` with `u² = β`: by [`NonResidue::square_quad`], unless the ring has a faster method.
    #[inline(always)]
    fn square_quad<B: NonResidue<Self>>(c0: &Self, c1: &Self) -> Quad<Self, B> {
        B::square_quad(c0, c1)
    }
}

/// The non-residue β of a tower step, which adjoins a root of it: `u² = β` or `v³ = β`.
pub trait NonResidue<R: Ring>: Send + Sync + 'static {
    /// `Some(n)` if β = -n for a small integer n, which lets a prime field defer reductions in the quadratic extension.
    const MINUS_SMALL: Option<u64> = None;
    /// Returns the product `β·x`.
    fn mul(x: R) -> R;
    /// Returns the product of β and an unreduced sum; override it if that takes no reduction.
    #[inline(always)]
    fn mul_wide(x: &R::Wide) -> R::Wide {
        R::Wide::widened(Self::mul(x.reduced()))
    }
    /// Adds the product of β and the unreduced sum `x` to `sum`; override it if that takes no temporary sum.
    #[inline(always)]
    fn add_wide(sum: &mut R::Wide, x: &R::Wide) {
        sum.plus(&Self::mul_wide(x));
    }
    /// `(c0 + c1·u)²` in the quadratic extension by this element; override it if β allows a shorter formula.
    #[inline(always)]
    fn square_quad(c0: &R, c1: &R) -> Quad<R, Self>
    where
        Self: Sized,
    {
        // Complex squaring: (c0 + c1)(c0 + β·c1) - v - β·v with v = c0·c1.
        let v = R::wide(c0, c1);
        let mut s = R::wide(&(c0.clone() + c1.clone()), &(c0.clone() + Self::mul(c1.clone())));
        s.minus(&v);
        s.minus(&Self::mul_wide(&v));
        Quad::new(s.reduced(), v.reduced().double())
    }
}

/// `(a0 + a1·u)(b0 + b1·u)` with `u² = β` in three products.
#[inline(always)]
pub(crate) fn karatsuba<R: Ring, B: NonResidue<R>>([a0, a1]: [&R; 2], [b0, b1]: [&R; 2]) -> WideQuad<R, B> {
    let mut v0 = R::wide(a0, b0);
    let v1 = R::wide(a1, b1);
    let mut cross = R::wide(&(a0.clone() + a1.clone()), &(b0.clone() + b1.clone()));
    cross.minus_two(&v0, &v1);
    B::add_wide(&mut v0, &v1);
    WideQuad::new(v0, cross)
}

/// `n·x` for `0 < n < 16` by doublings and additions, unrolled so that a constant `n` leaves no branch.
#[inline(always)]
pub(crate) fn small_multiple<T: Clone>(x: T, n: u64, double: impl Fn(T) -> T, add: impl Fn(T, T) -> T) -> T {
    assert!(0 < n && n < 16, "multiples below 16 are written out");
    let mut sum = x.clone();
    macro_rules! bits {
        ($($bit:literal)+) => {$(
            if n >> ($bit + 1) != 0 {
                sum = double(sum);
                if n >> $bit & 1 == 1 {
                    sum = add(sum, x.clone());
                }
            }
        )+};
    }
    bits!(2 1 0);
    sum
}

/// A finite field, whose elements are values: they can be copied, compared and inverted.
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

    /// A random element (statistical distance from uniform below 2^-64).
    fn random<R: Rng + ?Sized>(rng: &mut R) -> Self;

    /// `self^exponent` for an exponent in little-endian limbs. Time depends on the exponent only.
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

/// A field with square roots: prime fields and their quadratic extensions.
pub trait Sqrt: Field {
    /// One of the two square roots, `None` for a non-residue. Time depends on the value.
    fn sqrt_vartime(&self) -> Option<Self>;
}

/// The integers modulo a prime.
///
/// Values are always reduced and in Montgomery form; the names of the encodings say whether the bytes are the canonical value or
/// the Montgomery form.
pub trait PrimeField: Sqrt + Display + Ord + core::hash::Hash + From<u64> {
    /// The integer type of values, `[u64; N]`: 64-bit limbs, least significant first.
    type Limbs: Copy + Default + AsRef<[u64]> + AsMut<[u64]> + Debug + Eq + Send + Sync + 'static;

    /// Name of the field in messages, e.g. `"BLS12-381 Fr"`.
    const NAME: &'static str;
    /// Number of bits of the modulus.
    const BITS: u32;
    /// Length of an encoding in bytes: 8 per limb.
    const BYTES: usize;
    /// The largest `s` with `2^s | p - 1`.
    const TWO_ADICITY: u32;
    /// The modulus as an integer, least significant limb first.
    const MODULUS: Self::Limbs;
    /// The smallest quadratic non-residue, from which the roots of unity are derived ([`PrimeField::root_of_unity`]).
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
        // An integer of fewer limbs than the modulus has is below it, and its conversion takes one product.
        let mut all = Self::Limbs::default();
        if limbs.len() < all.as_ref().len() {
            let few = all.as_mut().iter_mut().zip(limbs);
            few.for_each(|(to, limb)| *to = *limb);
            if let Some(x) = Self::from_limbs(all) {
                return x;
            }
        }
        // Horner's rule in base 2^64. The base is computed as (2^32)^2, because `From` takes a u64.
        let base = Self::from(1 << 32).square();
        limbs.iter().rev().fold(Self::ZERO, |acc, &l| acc * base + Self::from(l))
    }

    /// Writes the canonical value in little-endian order into exactly [`Self::BYTES`] bytes.
    ///
    /// # Panics
    /// If `out` has another length, which is an error of the caller, not of the input.
    fn write_le(&self, out: &mut [u8]);
    /// Writes the canonical value in big-endian order into exactly [`Self::BYTES`] bytes.
    ///
    /// # Panics
    /// If `out` has another length.
    fn write_be(&self, out: &mut [u8]);
    /// Reads a canonical little-endian value; refuses other lengths and values not below the modulus.
    fn read_le(bytes: &[u8]) -> Result<Self, FieldError>;
    /// Reads a canonical big-endian value; refuses other lengths and values not below the modulus.
    fn read_be(bytes: &[u8]) -> Result<Self, FieldError>;
    /// Writes the Montgomery representation in little-endian order into exactly [`Self::BYTES`] bytes (the form of zkey and ptau
    /// files).
    ///
    /// # Panics
    /// If `out` has another length.
    fn write_montgomery_le(&self, out: &mut [u8]);
    /// Reads a little-endian Montgomery representation; refuses other lengths and values not below the modulus.
    fn read_montgomery_le(bytes: &[u8]) -> Result<Self, FieldError>;

    /// Reads a string of ASCII decimal digits; refuses signs, blanks, the empty string and values not below the modulus.
    fn from_decimal(text: &str) -> Result<Self, FieldError>;
    /// The canonical value in decimal.
    fn to_decimal(&self) -> String;
    /// The modulus in decimal digits.
    fn modulus_decimal() -> String;

    /// A primitive `2^log_n`-th root of unity, `None` beyond the two-adicity.
    ///
    /// The convention is that of circom and snarkjs: the roots are powers of `NON_RESIDUE^((p-1)/2^s)`, so that
    /// `root_of_unity(k)² = root_of_unity(k-1)`. On BLS12-381 arkworks starts from 7 and gets another root.
    fn root_of_unity(log_n: u32) -> Option<Self>;

    /// Whether the canonical value is odd (the `sgn0` of RFC 9380 for a prime field).
    fn is_odd(&self) -> bool {
        self.to_limbs().as_ref().first().is_some_and(|l| l & 1 == 1)
    }
}

/// A field as a vector space over its prime field, for encodings and for rules about the sign of an element.
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
    /// The element whose `i`-th coordinate is `coord(i)`. `coord` is called for each coordinate, lowest first, until it returns an
    /// error.
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
    /// Embeds an element of the prime subfield.
    fn from_prime(x: Self::Prime) -> Self;
}
