//! [`Fp`]: residues modulo a prime in Montgomery form, always reduced.

#[cfg(all(target_arch = "x86_64", feature = "std"))]
use crate::adx::TwoChains;
use crate::ct::Choice;
use crate::limbs::{adc, less_than, shl_mod, shr, sub};
use crate::modulus::Modulus;
use crate::mont::{self, Wide};
use crate::tower::Quad;
use crate::traits::{Extension, Field, NonResidue, PrimeField, Ring, Sqrt, karatsuba};
use crate::wide::{Wide as _, WideQuad};
use crate::wide_fp::{self, WideFp};
use crate::{FieldError, decimal, encode, inverse, sqrt};
use alloc::string::String;
use core::cmp::Ordering;
use core::fmt;
use core::marker::PhantomData;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use rand_core::Rng;
use zeroize::Zeroize;

/// A residue modulo `M::P`, held as `value · 2^(64 N) mod P`, always below `P`.
///
/// The memory layout is the bare limbs, the same as blst's and arkworks'.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Fp<M, const N: usize>(pub(crate) [u64; N], PhantomData<M>);

impl<M: Modulus<N>, const N: usize> Fp<M, N> {
    /// Wraps limbs that are in Montgomery form and below the modulus.
    #[inline(always)]
    pub(crate) const fn wrap(limbs: [u64; N]) -> Self {
        Self(limbs, PhantomData)
    }

    /// The element with this canonical value, given as little-endian limbs; meant for constants. Unless the value is below the
    /// prime, this fails to compile in a constant and panics elsewhere.
    pub const fn constant(canonical: [u64; N]) -> Self {
        assert!(less_than(&canonical, &M::P), "constant not below the modulus");
        Self::wrap(shl_mod(canonical, 64 * N, &M::P))
    }

    /// The canonical value as little-endian limbs.
    #[inline(never)]
    fn to_canonical(self) -> [u64; N] {
        mont::reduce::<M, N>(&Wide { low: self.0, high: [0; N] })
    }
}

impl<M: Modulus<N>, const N: usize> Add for Fp<M, N> {
    type Output = Self;
    #[inline(always)]
    fn add(self, o: Self) -> Self {
        Self::wrap(mont::reduce_once::<M, N>(&mont::add(&self.0, &o.0)))
    }
}

impl<M: Modulus<N>, const N: usize> Sub for Fp<M, N> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, o: Self) -> Self {
        Self::wrap(mont::raise_once::<M, N>(&mont::sub(&self.0, &o.0)))
    }
}

impl<M: Modulus<N>, const N: usize> Neg for Fp<M, N> {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        Self::ZERO - self
    }
}

impl<M: Modulus<N>, const N: usize> Mul for Fp<M, N> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, o: Self) -> Self {
        if N <= INLINE_LIMBS {
            return Self::wrap(mont::mul::<M, N>(&self.0, &o.0));
        }
        mul_out_of_line(&self, &o)
    }
}

/// The largest number of limbs at which products are inlined at every use (some 300 instructions each at four limbs). A field
/// of more limbs has one copy of each product, which is called. Measured on mixed additions and NTT butterflies, inlining is
/// a tenth faster at four limbs and a quarter slower at six.
pub(crate) const INLINE_LIMBS: usize = 4;

#[inline(never)]
fn mul_out_of_line<M: Modulus<N>, const N: usize>(a: &Fp<M, N>, b: &Fp<M, N>) -> Fp<M, N> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if let Some(rows) = TwoChains::of_this_processor() {
        return Fp::wrap(mont::mul_by::<M, _, N>(rows, &a.0, &b.0));
    }
    portable_mul(a, b)
}

#[inline(never)]
fn portable_mul<M: Modulus<N>, const N: usize>(a: &Fp<M, N>, b: &Fp<M, N>) -> Fp<M, N> {
    Fp::wrap(mont::mul::<M, N>(&a.0, &b.0))
}

#[inline(never)]
fn square_out_of_line<M: Modulus<N>, const N: usize>(a: &Fp<M, N>) -> Fp<M, N> {
    #[cfg(all(target_arch = "x86_64", feature = "std"))]
    if TwoChains::<N>::of_this_processor().is_some() {
        return mul_out_of_line(a, a);
    }
    Fp::wrap(mont::reduce::<M, N>(&Wide::square(&a.0)))
}

impl<M: Modulus<N>, const N: usize> AddAssign for Fp<M, N> {
    #[inline(always)]
    fn add_assign(&mut self, o: Self) {
        *self = *self + o;
    }
}
impl<M: Modulus<N>, const N: usize> SubAssign for Fp<M, N> {
    #[inline(always)]
    fn sub_assign(&mut self, o: Self) {
        *self = *self - o;
    }
}
impl<M: Modulus<N>, const N: usize> MulAssign for Fp<M, N> {
    #[inline(always)]
    fn mul_assign(&mut self, o: Self) {
        *self = *self * o;
    }
}

impl<M: Modulus<N>, const N: usize> Ring for Fp<M, N> {
    #[inline(always)]
    fn square(self) -> Self {
        if N <= INLINE_LIMBS {
            return Self::wrap(mont::reduce::<M, N>(&Wide::square(&self.0)));
        }
        square_out_of_line(&self)
    }
    #[inline(always)]
    fn double(self) -> Self {
        self + self
    }
    #[inline(always)]
    fn product(a: &Self, b: &Self) -> Self {
        if N <= INLINE_LIMBS { *a * *b } else { mul_out_of_line(a, b) }
    }
    const OUT_OF_LINE: bool = true;
    const DEFERS_REDUCTION: bool = WideFp::<M, N>::DEFERS_REDUCTION;
    type Wide = WideFp<M, N>;
    #[inline(always)]
    fn wide(a: &Self, b: &Self) -> WideFp<M, N> {
        if WideFp::<M, N>::DEFERS_REDUCTION {
            WideFp::product(a, b)
        } else {
            WideFp::widened(Self::product(a, b))
        }
    }
    #[inline(always)]
    fn wide_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> WideQuad<Self, B> {
        if !wide_fp::has_sums::<M, N>(B::MINUS_SMALL) {
            return karatsuba(a, b);
        }
        if !WideFp::<M, N>::DEFERS_REDUCTION {
            return WideQuad::widened(Self::mul_quad::<B>(a, b));
        }
        wide_fp::wide_product::<M, B, N>([&a[0].0, &a[1].0], [&b[0].0, &b[1].0])
    }
    #[inline(always)]
    fn mul_quad<B: NonResidue<Self>>(a: [&Self; 2], b: [&Self; 2]) -> Quad<Self, B> {
        if !wide_fp::has_sums::<M, N>(B::MINUS_SMALL) {
            return karatsuba::<Self, B>(a, b).reduced();
        }
        wide_fp::quad_product::<M, B, N>([&a[0].0, &a[1].0], [&b[0].0, &b[1].0])
    }
    #[inline(always)]
    fn wide_square_quad<B: NonResidue<Self>>(c0: &Self, c1: &Self) -> WideQuad<Self, B> {
        if WideFp::<M, N>::DEFERS_REDUCTION && wide_fp::has_sums::<M, N>(B::MINUS_SMALL) {
            return wide_fp::wide_square::<M, B, N>(&c0.0, &c1.0);
        }
        WideQuad::widened(Self::square_quad::<B>(c0, c1))
    }
    #[inline(always)]
    fn square_quad<B: NonResidue<Self>>(c0: &Self, c1: &Self) -> Quad<Self, B> {
        if !wide_fp::has_sums::<M, N>(B::MINUS_SMALL) {
            return B::square_quad(c0, c1);
        }
        wide_fp::quad_square::<M, B, N>(&c0.0, &c1.0)
    }
}

impl<M: Modulus<N>, const N: usize> Default for Fp<M, N> {
    fn default() -> Self {
        Self::ZERO
    }
}

impl<M, const N: usize> Zeroize for Fp<M, N> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}

impl<M: Modulus<N>, const N: usize> From<u64> for Fp<M, N> {
    fn from(x: u64) -> Self {
        let mut limbs = [0u64; N];
        limbs[0] = x;
        if N == 1 {
            limbs[0] = x % M::P[0];
        }
        Self::wrap(mont::mul::<M, N>(&limbs, &M::R2))
    }
}

impl<M: Modulus<N>, const N: usize> Field for Fp<M, N> {
    const ZERO: Self = Self::wrap([0; N]);
    const ONE: Self = Self::wrap(M::R);

    #[inline(never)]
    fn invert(&self) -> Option<Self> {
        // The inverse of v·R is v^-1·R^-1, and R² times that is v^-1·R.
        inverse::invert(&self.0, &M::R2, &M::P, M::BITS, M::INV).map(Self::wrap)
    }

    #[inline(always)]
    fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        let mut out = [0u64; N];
        for i in 0..N {
            out[i] = choice.select(a.0[i], b.0[i]);
        }
        Self::wrap(out)
    }

    #[inline(always)]
    fn ct_eq(&self, other: &Self) -> Choice {
        let diff = (0..N).fold(0, |acc, i| acc | (self.0[i] ^ other.0[i]));
        Choice::is_zero(diff)
    }

    fn random<R: Rng + ?Sized>(rng: &mut R) -> Self {
        // Twice the width, so that the bias is below 2^-(64 N): x = low + high·2^(64 N).
        let mut draw = || {
            let mut l = [0u64; N];
            l.iter_mut().for_each(|x| *x = rng.next_u64());
            l
        };
        let (low, high) = (draw(), draw());
        // A product needs only its first operand below P, and R2 and R3 are.
        Self::wrap(mont::mul::<M, N>(&M::R2, &low)) + Self::wrap(mont::mul::<M, N>(&M::R3, &high))
    }
}

impl<M: Modulus<N>, const N: usize> Sqrt for Fp<M, N>
where
    [u64; N]: Default,
{
    #[inline(never)]
    fn sqrt_vartime(&self) -> Option<Self> {
        sqrt::sqrt_prime_vartime(self)
    }
}

impl<M: Modulus<N>, const N: usize> PrimeField for Fp<M, N>
where
    [u64; N]: Default,
{
    type Limbs = [u64; N];
    const NAME: &'static str = M::NAME;
    const BITS: u32 = M::BITS;
    const BYTES: usize = 8 * N;
    const TWO_ADICITY: u32 = M::TWO_ADICITY;
    const MODULUS: [u64; N] = M::P;
    const NON_RESIDUE: Self = {
        let mut limbs = [0u64; N];
        limbs[0] = M::NON_RESIDUE;
        Self::constant(limbs)
    };
    /// `(P + 1)/2 = (P - 1)/2 + 1`, for odd `P`.
    const HALF: Self = {
        let mut limbs = shr(&M::P, 1);
        let (mut i, mut carry) = (0, 1);
        while i < N {
            limbs[i] = adc(limbs[i], 0, &mut carry);
            i += 1;
        }
        Self::constant(limbs)
    };

    #[inline]
    fn to_limbs(&self) -> [u64; N] {
        self.to_canonical()
    }
    #[inline(never)]
    fn from_limbs(limbs: [u64; N]) -> Option<Self> {
        less_than(&limbs, &M::P).then(|| Self::wrap(mont::mul::<M, N>(&limbs, &M::R2)))
    }
    #[inline]
    fn to_montgomery(&self) -> [u64; N] {
        self.0
    }
    #[inline]
    fn from_montgomery(limbs: [u64; N]) -> Option<Self> {
        less_than(&limbs, &M::P).then_some(Self::wrap(limbs))
    }

    fn write_le(&self, out: &mut [u8]) {
        encode::write_le(&self.to_limbs(), out);
    }
    fn write_be(&self, out: &mut [u8]) {
        encode::write_le(&self.to_limbs(), out);
        out.reverse();
    }
    fn read_le(bytes: &[u8]) -> Result<Self, FieldError> {
        Self::from_limbs(encode::read_le(bytes)?).ok_or(FieldError::NotReduced { field: M::NAME })
    }
    fn read_be(bytes: &[u8]) -> Result<Self, FieldError> {
        Self::from_limbs(encode::read_be(bytes)?).ok_or(FieldError::NotReduced { field: M::NAME })
    }
    fn write_montgomery_le(&self, out: &mut [u8]) {
        encode::write_le(&self.0, out);
    }
    fn read_montgomery_le(bytes: &[u8]) -> Result<Self, FieldError> {
        Self::from_montgomery(encode::read_le(bytes)?).ok_or(FieldError::NotReduced { field: M::NAME })
    }

    #[inline(never)]
    fn from_decimal(text: &str) -> Result<Self, FieldError> {
        let limbs = decimal::parse(text)?.ok_or(FieldError::NotReduced { field: M::NAME })?;
        Self::from_limbs(limbs).ok_or(FieldError::NotReduced { field: M::NAME })
    }
    #[inline(never)]
    fn to_decimal(&self) -> String {
        decimal::print(&self.to_limbs())
    }
    fn modulus_decimal() -> String {
        decimal::print(&M::P)
    }

    #[inline(never)]
    fn root_of_unity(log_n: u32) -> Option<Self> {
        let drop = M::TWO_ADICITY.checked_sub(log_n)?;
        let mut one = [0u64; N];
        one[0] = 1;
        let odd_part = shr(&sub(&M::P, &one), M::TWO_ADICITY);
        let mut root = Self::NON_RESIDUE.pow_vartime(&odd_part);
        for _ in 0..drop {
            root = root.square();
        }
        Some(root)
    }
}

impl<M: Modulus<N>, const N: usize> Extension for Fp<M, N>
where
    [u64; N]: Default,
{
    type Prime = Self;
    const DEGREE: usize = 1;
    fn coord(&self, i: usize) -> Self {
        assert!(i == 0, "a prime field has one coordinate");
        *self
    }
    fn try_from_fn<E>(mut coord: impl FnMut(usize) -> Result<Self, E>) -> Result<Self, E> {
        coord(0)
    }
    fn from_prime(x: Self) -> Self {
        x
    }
}

impl<M: Modulus<N>, const N: usize> PartialOrd for Fp<M, N> {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
/// Orders elements by their canonical values, in variable time.
impl<M: Modulus<N>, const N: usize> Ord for Fp<M, N> {
    fn cmp(&self, other: &Self) -> Ordering {
        self.to_canonical().iter().rev().cmp(other.to_canonical().iter().rev())
    }
}

/// Prints the canonical value in hexadecimal after `0x`, with leading zeros: 16 digits per limb.
impl<M: Modulus<N>, const N: usize> fmt::Display for Fp<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("0x")?;
        self.to_canonical().iter().rev().try_for_each(|l| write!(f, "{l:016x}"))
    }
}
impl<M: Modulus<N>, const N: usize> fmt::Debug for Fp<M, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
