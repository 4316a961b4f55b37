//! Polynomials whose basis is part of their type.

use crate::{Buf, Domain};
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use pairwright_field::PrimeField;

/// The basis of a polynomial: whether its elements are coefficients or values, and on which points.
pub trait Basis: 'static {}
/// The basis of coefficients, lowest degree first.
#[derive(Debug)]
pub struct Coeff;
/// The basis of values on a domain, in the order of the powers of its generator.
#[derive(Debug)]
pub struct Eval;
/// The basis of values on a coset of a domain, in the same order.
#[derive(Debug)]
pub struct CosetEval;
impl Basis for Coeff {}
impl Basis for Eval {}
impl Basis for CosetEval {}

/// A polynomial of degree below the size of its domain, in the basis `B`.
#[derive(Debug)]
pub struct Poly<F, B: Basis> {
    domain: Domain<F>,
    data: Buf<F>,
    basis: PhantomData<fn() -> B>,
}

impl<F: PrimeField, B: Basis> Poly<F, B> {
    /// Interprets a buffer as a polynomial in the basis `B`; `None` unless it has exactly the size of the domain.
    pub fn new(domain: Domain<F>, data: Buf<F>) -> Option<Self> {
        (data.len() == domain.size()).then_some(Self { domain, data, basis: PhantomData })
    }
    /// The domain on which this polynomial is given.
    pub fn domain(&self) -> &Domain<F> {
        &self.domain
    }
    /// Number of coefficients or values, which is the size of the domain. Unlike the length of the slice, it does not fetch the
    /// elements from a machine.
    pub fn len(&self) -> usize {
        self.data.len()
    }
    /// Whether there are no coefficients, which is always false.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
    /// Returns the buffer of coefficients or values.
    pub fn into_buf(self) -> Buf<F> {
        self.data
    }
    /// The buffer, for transforms in place; the caller then states the new basis by [`Poly::reinterpret`].
    pub fn buf_mut(&mut self) -> &mut Buf<F> {
        &mut self.data
    }
    /// The same elements interpreted in another basis, for transforms, which change the elements accordingly.
    pub fn reinterpret<C: Basis>(self) -> Poly<F, C> {
        Poly { domain: self.domain, data: self.data, basis: PhantomData }
    }
}

impl<F, B: Basis> Deref for Poly<F, B> {
    type Target = [F];
    fn deref(&self) -> &[F] {
        &self.data
    }
}
impl<F, B: Basis> DerefMut for Poly<F, B> {
    fn deref_mut(&mut self) -> &mut [F] {
        &mut self.data
    }
}

impl<F: PrimeField> Poly<F, Coeff> {
    /// The value at `x`, by Horner's rule.
    pub fn evaluate(&self, x: F) -> F {
        self.iter().rev().fold(F::ZERO, |acc, &c| acc * x + c)
    }
}
