//! A ring that counts operations: a formula is evaluated on it, and then its cost is read.

use core::cell::Cell;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_field::Ring;
use std::rc::Rc;

/// Operations of a straight-line formula.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Products of two different values.
    pub products: u32,
    /// Number of squarings.
    pub squares: u32,
    /// Sums, differences, negations and doublings.
    pub sums: u32,
    /// Products by a constant of the curve, see [`Counted::by_constant`].
    pub by_constant: u32,
}

/// The counters that the values of one formula share.
#[derive(Clone, Debug, Default)]
pub struct Counter(Rc<Cell<Counts>>);

/// A ring element without a value, whose operations are counted.
///
/// Products and squares in towers over it are counted as operations of this ring.
#[derive(Clone, Debug)]
pub struct Counted(Counter);

impl Counter {
    /// Counters that are zero.
    pub fn new() -> Self {
        Self::default()
    }
    /// Returns one operand whose operations are counted here.
    pub fn value(&self) -> Counted {
        Counted(self.clone())
    }
    /// Returns `N` operands whose operations are counted here.
    pub fn values<const N: usize>(&self) -> [Counted; N] {
        core::array::from_fn(|_| self.value())
    }
    /// The operations on the operands so far.
    pub fn counts(&self) -> Counts {
        self.0.get()
    }
    fn note(&self, change: impl FnOnce(&mut Counts)) -> Counted {
        let mut counts = self.0.get();
        change(&mut counts);
        self.0.set(counts);
        self.value()
    }
}

impl Counted {
    /// The product by a constant, for formulas that take such a product as a function.
    pub fn by_constant(self) -> Self {
        self.0.note(|c| c.by_constant += 1)
    }
}

impl Add for Counted {
    type Output = Self;
    fn add(self, _: Self) -> Self {
        self.0.note(|c| c.sums += 1)
    }
}
impl Sub for Counted {
    type Output = Self;
    fn sub(self, _: Self) -> Self {
        self.0.note(|c| c.sums += 1)
    }
}
impl Neg for Counted {
    type Output = Self;
    fn neg(self) -> Self {
        self.0.note(|c| c.sums += 1)
    }
}
impl Mul for Counted {
    type Output = Self;
    fn mul(self, _: Self) -> Self {
        self.0.note(|c| c.products += 1)
    }
}
impl Ring for Counted {
    type Wide = Self;
    fn square(self) -> Self {
        self.0.note(|c| c.squares += 1)
    }
    fn double(self) -> Self {
        self.0.note(|c| c.sums += 1)
    }
}
