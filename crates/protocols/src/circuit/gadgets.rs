//! Gadgets: booleans, bits of a number, selection, equality.

use super::{Builder, CircuitError, Linear};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Not;
use pairwright_field::PrimeField;

/// A combination that the constraints of its builder restrict to zero or one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Bool<F>(Linear<F>);

impl<F: PrimeField> From<Bool<F>> for Linear<F> {
    fn from(bit: Bool<F>) -> Self {
        bit.0
    }
}
impl<F: PrimeField> From<&Bool<F>> for Linear<F> {
    fn from(bit: &Bool<F>) -> Self {
        bit.0.clone()
    }
}

/// The negation `1 - bit`, without a constraint.
impl<F: PrimeField> Not for &Bool<F> {
    type Output = Bool<F>;
    fn not(self) -> Bool<F> {
        Bool(Linear::constant(F::ONE) - &self.0)
    }
}

impl<F: PrimeField> Builder<F> {
    /// Constrains a combination to zero or one. Takes one constraint.
    pub fn boolean(&mut self, bit: impl Into<Linear<F>>) -> Bool<F> {
        let bit = bit.into();
        self.within("boolean", |b| b.enforce(&bit, &bit - F::ONE, F::ZERO));
        Bool(bit)
    }

    /// The conjunction of two bits. Takes one constraint.
    pub fn and(&mut self, a: &Bool<F>, b: &Bool<F>) -> Bool<F> {
        Bool(self.within("and", |at| at.mul(a, b)))
    }

    /// The disjunction of two bits. Takes one constraint.
    pub fn or(&mut self, a: &Bool<F>, b: &Bool<F>) -> Bool<F> {
        let both = self.within("or", |at| at.mul(a, b));
        Bool(&a.0 + &b.0 - both)
    }

    /// The exclusive or of two bits. Takes one constraint.
    pub fn xor(&mut self, a: &Bool<F>, b: &Bool<F>) -> Bool<F> {
        let both = self.within("xor", |at| at.mul(a, b));
        Bool(&a.0 + &b.0 - both.double())
    }

    /// The `count` low bits of a number, lowest first, constrained so that their weighted sum is the number. This also constrains the
    /// number to be below `2^count`. Takes `count + 1` constraints.
    ///
    /// # Errors
    /// [`CircuitError::TooManyBits`] unless `2^count` is below the modulus: otherwise a number could have two sequences of bits.
    pub fn bits(&mut self, number: impl Into<Linear<F>>, count: u32) -> Result<Vec<Bool<F>>, CircuitError> {
        if count >= F::BITS {
            return Err(CircuitError::TooManyBits { asked: count, bits: F::BITS });
        }
        let number = number.into();
        Ok(self.within("bits", |b| {
            let bits: Vec<Bool<F>> = (0..count)
                .map(|i| {
                    let bit = b.compute(vec![number.clone()], move |x| {
                        let limbs = x.first().map(F::to_limbs).unwrap_or_default();
                        let limb = limbs.as_ref().get(i as usize / 64).copied().unwrap_or(0);
                        F::from(limb >> (i % 64) & 1)
                    });
                    b.boolean(bit)
                })
                .collect();
            let mut weight = F::ONE;
            let mut sum = Linear::zero();
            for bit in &bits {
                sum = sum + &bit.0 * weight;
                weight = weight.double();
            }
            b.enforce_equal(sum, number);
            bits
        }))
    }

    /// The value `if bit { yes } else { no }`. Takes one constraint.
    pub fn select(
        &mut self,
        bit: &Bool<F>,
        yes: impl Into<Linear<F>>,
        no: impl Into<Linear<F>>,
    ) -> Linear<F> {
        let no = no.into();
        let difference = yes.into() - &no;
        self.within("select", |b| b.mul(bit, difference)) + no
    }

    /// A bit that tells whether a number is zero. Takes two constraints.
    pub fn is_zero(&mut self, number: impl Into<Linear<F>>) -> Bool<F> {
        let number = number.into();
        self.within("is_zero", |b| {
            let inverse =
                b.compute(vec![number.clone()], |x| x.first().and_then(F::invert).unwrap_or(F::ZERO));
            // The bit is one minus the product of number and inverse. If the number is not zero, the second constraint
            // forces the bit to zero; if it is zero, the first forces the bit to one.
            let zero = b.compute(vec![number.clone()], |x| {
                if x.first().is_some_and(F::is_zero) { F::ONE } else { F::ZERO }
            });
            b.enforce(&number, inverse, Linear::constant(F::ONE) - zero);
            b.enforce(&number, zero, F::ZERO);
            Bool(zero.into())
        })
    }

    /// A bit that tells whether two numbers are equal. Takes two constraints.
    pub fn is_equal(&mut self, a: impl Into<Linear<F>>, b: impl Into<Linear<F>>) -> Bool<F> {
        self.is_zero(a.into() - b.into())
    }
}

impl<F: PrimeField> Linear<F> {
    /// Twice the combination.
    fn double(self) -> Self {
        self * F::ONE.double()
    }
}
