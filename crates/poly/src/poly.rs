//! Polynomials whose basis is part of their type.

use crate::{Buf, Domain};
use core::marker::PhantomData;
use core::ops::{Deref, DerefMut};
use pairwright_field::PrimeField;

/// The basis in which a polynomial's numbers are to be read.
pub trait Basis: 'static {}
/// Coefficients, lowest degree first.
#[derive(Debug)]
pub struct Coeff;
/// Values on a domain, in the order of the powers of its root.
#[derive(Debug)]
pub struct Eval;
/// Values on a coset of a domain, in the same order.
#[derive(Debug)]
pub struct CosetEval;
impl Basis for Coeff {}
impl Basis for Eval {}
impl Basis for CosetEval {}

/// A polynomial of degree below the domain's size.
#[derive(Debug)]
pub struct Poly<F, B: Basis> {
    domain: Domain<F>,
    data: Buf<F>,
    basis: PhantomData<fn() -> B>,
}

impl<F: PrimeField, B: Basis> Poly<F, B> {
    /// Reads a buffer as a polynomial; `None` unless it has exactly the domain's size.
    pub fn new(domain: Domain<F>, data: Buf<F>) -> Option<Self> {
        (data.len() == domain.size()).then_some(Self { domain, data, basis: PhantomData })
    }
    /// The domain on which this polynomial is given.
    pub fn domain(&self) -> &Domain<F> {
        &self.domain
    }
    /// Number of coefficients or values: the domain's size. Unlike the slice's, it does not fetch them from a machine.
    pub fn len(&self) -> usize {
        self.data.len()
    }
    /// Whether there is none, which is never so.
    pub fn is_empty(&self) -> bool {
        self.data.is_empty()
    }
    /// Returns the buffer of coefficients or values.
    pub fn into_buf(self) -> Buf<F> {
        self.data
    }
    /// The buffer, to transform in place; the caller then says in which basis it stands.
    pub fn buf_mut(&mut self) -> &mut Buf<F> {
        &mut self.data
    }
    /// The same numbers read in another basis: for transforms, which change them accordingly.
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
