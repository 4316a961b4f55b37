//! Linear combinations of a circuit's variables.

use alloc::vec::Vec;
use core::cmp::Ordering;
use core::marker::PhantomData;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::PrimeField;

/// Identifies a variable among those of all builders: the upper 32 bits are the number of its builder, the lower 32 its index there.
/// The constant one is common to all builders and has the identifier zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Id(u64);

impl Id {
    /// The constant one.
    const ONE: Self = Self(0);

    /// The variable with this index in a builder. A builder with more than 2^32 variables is refused by `finish`.
    pub(super) fn new(builder: u32, index: usize) -> Self {
        Self(u64::from(builder) << 32 | index as u64 & u64::from(u32::MAX))
    }

    /// The index in a builder, `None` if another builder made the variable.
    pub(super) fn within(self, builder: u32) -> Option<usize> {
        (self == Self::ONE || self.0 >> 32 == u64::from(builder)).then_some(self.index())
    }

    /// The index in the builder that made the variable.
    pub(super) fn index(self) -> usize {
        (self.0 & u64::from(u32::MAX)) as usize
    }
}

/// A variable of the [`Builder`](super::Builder) that made it, and of the circuit that the builder gives. It is only an identifier; its
/// value is in a witness.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Variable<F>(pub(super) Id, PhantomData<F>);

impl<F> Variable<F> {
    pub(super) fn new(id: Id) -> Self {
        Self(id, PhantomData)
    }
}

/// A sum of multiples of variables and a constant. Sums, differences and products with a scalar of the field are written
/// with the operators `+`, `-` and `*`; none of them costs a constraint.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linear<F> {
    /// Pairs of a variable and its coefficient, which is not zero, in ascending order of the variables.
    pub(super) terms: Vec<(Id, F)>,
}

impl<F: PrimeField> Linear<F> {
    /// The constant zero.
    pub fn zero() -> Self {
        Self { terms: Vec::new() }
    }

    /// The constant `value`.
    pub fn constant(value: F) -> Self {
        if value.is_zero() { Self::zero() } else { Self { terms: [(Id::ONE, value)].into() } }
    }

    /// The value of a combination without variables, `None` if there are any.
    pub fn as_constant(&self) -> Option<F> {
        match self.terms.as_slice() {
            [] => Some(F::ZERO),
            [(Id::ONE, value)] => Some(*value),
            _ => None,
        }
    }

    /// `self + factor·other`.
    fn plus(&self, other: &Self, factor: F) -> Self {
        let (mut a, mut b) = (self.terms.iter().peekable(), other.terms.iter().peekable());
        let mut terms = Vec::with_capacity(self.terms.len() + other.terms.len());
        loop {
            let order = match (a.peek(), b.peek()) {
                (None, None) => return Self { terms },
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (Some((x, _)), Some((y, _))) => x.cmp(y),
            };
            let mut sum = F::ZERO;
            let mut id = Id::ONE;
            if order != Ordering::Greater
                && let Some((x, k)) = a.next()
            {
                (id, sum) = (*x, *k);
            }
            if order != Ordering::Less
                && let Some((y, k)) = b.next()
            {
                (id, sum) = (*y, sum + factor * *k);
            }
            if !sum.is_zero() {
                terms.push((id, sum));
            }
        }
    }

    /// The value of the combination, given the values of one builder's variables in the order of their declaration.
    pub(super) fn value(&self, values: &[F]) -> F {
        self.terms
            .iter()
            .fold(F::ZERO, |sum, (id, k)| sum + values.get(id.index()).map_or(F::ZERO, |x| *k * *x))
    }
}

impl<F: PrimeField> From<Variable<F>> for Linear<F> {
    fn from(x: Variable<F>) -> Self {
        Self { terms: [(x.0, F::ONE)].into() }
    }
}
impl<F: PrimeField> From<&Self> for Linear<F> {
    fn from(x: &Self) -> Self {
        x.clone()
    }
}
impl<F: PrimeField> From<F> for Linear<F> {
    fn from(value: F) -> Self {
        Self::constant(value)
    }
}

macro_rules! operators {
    ($($left:ty),+) => {$(
        impl<F: PrimeField, T: Into<Linear<F>>> Add<T> for $left {
            type Output = Linear<F>;
            fn add(self, other: T) -> Linear<F> {
                Linear::<F>::from(self).plus(&other.into(), F::ONE)
            }
        }
        impl<F: PrimeField, T: Into<Linear<F>>> Sub<T> for $left {
            type Output = Linear<F>;
            fn sub(self, other: T) -> Linear<F> {
                Linear::<F>::from(self).plus(&other.into(), -F::ONE)
            }
        }
        impl<F: PrimeField> Mul<F> for $left {
            type Output = Linear<F>;
            fn mul(self, factor: F) -> Linear<F> {
                Linear::zero().plus(&self.into(), factor)
            }
        }
        impl<F: PrimeField> Neg for $left {
            type Output = Linear<F>;
            fn neg(self) -> Linear<F> {
                self * -F::ONE
            }
        }
    )+};
}
operators!(Variable<F>, Linear<F>, &Linear<F>);
