//! The base fields of the pairing processor's datapath.

use crate::isa::Field;
use pairwright_curve::bls12_381::{Fq, Fr, U};
use pairwright_field::{PrimeField, Quad};

/// Radix-2^64 digits of the widest operand, of 384 bits.
pub const DIGITS: usize = 6;

/// An operand of the multiplier: radix-2^64 digits, least significant first, Montgomery form.
pub type Digits = [u64; DIGITS];

/// A row of a bank: an element of `F[u]/(u² + 1)`, both coefficients in Montgomery form.
pub type Row<F> = Quad<F, U>;

/// A base field of the datapath: 384-bit mode for BLS12-381's base field, 256-bit mode for its scalar field.
pub trait Datapath: PrimeField {
    /// The field's name in `set_field`.
    const FIELD: Field;

    /// The Montgomery form of the element as digits.
    fn digits(&self) -> Digits {
        let mut out = [0; DIGITS];
        let limbs = self.to_montgomery();
        let limbs = limbs.as_ref();
        out[..limbs.len()].copy_from_slice(limbs);
        out
    }

    /// The element with this Montgomery form; `None` unless the digits are below the modulus.
    fn from_digits(digits: &Digits) -> Option<Self> {
        let mut limbs = Self::Limbs::default();
        let n = limbs.as_ref().len();
        limbs.as_mut().copy_from_slice(&digits[..n]);
        Self::from_montgomery(limbs)
    }
}

impl Datapath for Fq {
    const FIELD: Field = Field::Fq;
}

impl Datapath for Fr {
    const FIELD: Field = Field::Fr;
}
