//! A prime field that counts its products and sums, for one thread.

use core::cell::Cell;
use core::fmt;
use core::ops::{Add, AddAssign, Mul, MulAssign, Neg, Sub, SubAssign};
use pairwright_field::ct::Choice;
use pairwright_field::{Field, FieldError, PrimeField, Ring, Sqrt};
use rand_core::Rng;
use zeroize::Zeroize;

thread_local! {
    static COUNTS: Cell<(u64, u64)> = const { Cell::new((0, 0)) };
}

/// Resets the counts to zero.
pub(crate) fn reset() {
    COUNTS.set((0, 0));
}
/// The numbers of products and sums since the last reset.
pub(crate) fn read() -> (u64, u64) {
    COUNTS.get()
}
fn note(products: u64, sums: u64) {
    let (p, s) = COUNTS.get();
    COUNTS.set((p + products, s + sums));
}

/// An element of `F` whose products and sums are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Tally<F>(F);

macro_rules! counted {
    ($trait:ident $op:ident $assign_trait:ident $assign:ident $cost:expr) => {
        impl<F: PrimeField> $trait for Tally<F> {
            type Output = Self;
            fn $op(self, o: Self) -> Self {
                let (products, sums) = $cost;
                note(products, sums);
                Self($trait::$op(self.0, o.0))
            }
        }
        impl<F: PrimeField> $assign_trait for Tally<F> {
            fn $assign(&mut self, o: Self) {
                *self = $trait::$op(*self, o);
            }
        }
    };
}
counted!(Add add AddAssign add_assign (0, 1));
counted!(Sub sub SubAssign sub_assign (0, 1));
counted!(Mul mul MulAssign mul_assign (1, 0));

/// Negations are not counted: they occur once per table entry or block, not once per element.
impl<F: PrimeField> Neg for Tally<F> {
    type Output = Self;
    fn neg(self) -> Self {
        Self(-self.0)
    }
}
impl<F: PrimeField> Ring for Tally<F> {
    type Wide = Self;
}
impl<F: PrimeField> fmt::Display for Tally<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
impl<F: PrimeField> From<u64> for Tally<F> {
    fn from(x: u64) -> Self {
        Self(F::from(x))
    }
}
impl<F: PrimeField> Zeroize for Tally<F> {
    fn zeroize(&mut self) {
        self.0.zeroize();
    }
}
impl<F: PrimeField> Field for Tally<F> {
    const ZERO: Self = Self(F::ZERO);
    const ONE: Self = Self(F::ONE);
    fn invert(&self) -> Option<Self> {
        self.0.invert().map(Self)
    }
    fn select(a: &Self, b: &Self, choice: Choice) -> Self {
        Self(F::select(&a.0, &b.0, choice))
    }
    fn ct_eq(&self, other: &Self) -> Choice {
        self.0.ct_eq(&other.0)
    }
    fn random<R: Rng + ?Sized>(rng: &mut R) -> Self {
        Self(F::random(rng))
    }
}
impl<F: PrimeField> Sqrt for Tally<F> {
    fn sqrt_vartime(&self) -> Option<Self> {
        self.0.sqrt_vartime().map(Self)
    }
}
impl<F: PrimeField> PrimeField for Tally<F> {
    type Limbs = F::Limbs;
    const NAME: &'static str = F::NAME;
    const BITS: u32 = F::BITS;
    const BYTES: usize = F::BYTES;
    const TWO_ADICITY: u32 = F::TWO_ADICITY;
    const MODULUS: F::Limbs = F::MODULUS;
    const NON_RESIDUE: Self = Self(F::NON_RESIDUE);
    const HALF: Self = Self(F::HALF);
    fn to_limbs(&self) -> F::Limbs {
        self.0.to_limbs()
    }
    fn from_limbs(limbs: F::Limbs) -> Option<Self> {
        F::from_limbs(limbs).map(Self)
    }
    fn to_montgomery(&self) -> F::Limbs {
        self.0.to_montgomery()
    }
    fn from_montgomery(limbs: F::Limbs) -> Option<Self> {
        F::from_montgomery(limbs).map(Self)
    }
    fn write_le(&self, out: &mut [u8]) {
        self.0.write_le(out);
    }
    fn write_be(&self, out: &mut [u8]) {
        self.0.write_be(out);
    }
    fn read_le(bytes: &[u8]) -> Result<Self, FieldError> {
        F::read_le(bytes).map(Self)
    }
    fn read_be(bytes: &[u8]) -> Result<Self, FieldError> {
        F::read_be(bytes).map(Self)
    }
    fn write_montgomery_le(&self, out: &mut [u8]) {
        self.0.write_montgomery_le(out);
    }
    fn read_montgomery_le(bytes: &[u8]) -> Result<Self, FieldError> {
        F::read_montgomery_le(bytes).map(Self)
    }
    fn from_decimal(text: &str) -> Result<Self, FieldError> {
        F::from_decimal(text).map(Self)
    }
    fn to_decimal(&self) -> String {
        self.0.to_decimal()
    }
    fn modulus_decimal() -> String {
        F::modulus_decimal()
    }
    fn root_of_unity(log_n: u32) -> Option<Self> {
        F::root_of_unity(log_n).map(Self)
    }
}
