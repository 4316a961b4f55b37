//! The schedule of a formula in hardware: the cycle in which each sum or product begins, and how long its operands are
//! kept.
//!
//! The formula is the text of `pairwright_curve::formulas`, evaluated on symbolic values that record their operations.
//! Every operation begins as soon as its operands are available, as in the model (`chip::machine::msm`, `Timing`).

use core::cell::RefCell;
use core::ops::{Add, Mul, Neg, Sub};
use pairwright_chip::machine::msm::MsmSpec;
use pairwright_curve::formulas::complete_add;
use pairwright_field::Ring;

/// The operation that produces a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Origin {
    /// A coordinate of an operand.
    Input(usize),
    /// A sum of two values, or a difference if the flag is set.
    Sum(usize, usize, bool),
    /// A product of two values.
    Product(usize, usize),
}

/// A value: its operation, the first pipeline register that holds it, and the last one in which it is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Value {
    pub(super) origin: Origin,
    pub(super) ready: u32,
    pub(super) last: u32,
}

/// A formula for two points, scheduled over pipeline registers; register 0 holds the operands.
#[derive(Clone, Debug)]
pub(super) struct Dataflow {
    pub(super) values: Vec<Value>,
    /// The values that are the sum's coordinates.
    pub(super) outputs: [usize; 3],
    /// The number of the register before the output registers.
    pub(super) depth: u32,
}

#[derive(Clone)]
struct Symbol<'a>(usize, &'a SymbolTable);

struct SymbolTable {
    values: RefCell<Vec<Value>>,
    product: u32,
}

impl<'a> Symbol<'a> {
    fn note(symbols: &'a SymbolTable, origin: Origin, operands: &[usize], takes: u32) -> Self {
        let mut values = symbols.values.borrow_mut();
        let begins = operands.iter().map(|v| values[*v].ready).max().unwrap_or(0);
        for v in operands {
            values[*v].last = values[*v].last.max(begins);
        }
        let ready = begins + takes;
        values.push(Value { origin, ready, last: ready });
        Self(values.len() - 1, symbols)
    }
}

impl Add for Symbol<'_> {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self::note(self.1, Origin::Sum(self.0, o.0, false), &[self.0, o.0], 1)
    }
}
impl Sub for Symbol<'_> {
    type Output = Self;
    fn sub(self, o: Self) -> Self {
        Self::note(self.1, Origin::Sum(self.0, o.0, true), &[self.0, o.0], 1)
    }
}
impl Mul for Symbol<'_> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        Self::note(self.1, Origin::Product(self.0, o.0), &[self.0, o.0], self.1.product)
    }
}
impl Neg for Symbol<'_> {
    type Output = Self;
    /// # Panics
    /// Always: the complete addition contains no negation.
    fn neg(self) -> Self {
        panic!("complete addition negates nothing")
    }
}
impl Ring for Symbol<'_> {
    type Wide = Self;
}

/// Twelve times a value.
pub(super) fn mul_12<R: Ring>(x: R) -> R {
    (x.clone().double() + x).double().double()
}

impl Dataflow {
    /// Complete addition on a curve with `3b = 12`, with the latencies of products and sums given by the specification.
    pub(super) fn complete(spec: &MsmSpec) -> Self {
        let symbols = SymbolTable { values: RefCell::default(), product: spec.pipelined_latency };
        let input = |k: usize| Symbol::note(&symbols, Origin::Input(k), &[], 0);
        let [a, b] = [0, 3].map(|first| [0, 1, 2].map(|k| input(first + k)));
        let outputs = complete_add(a, b, mul_12).map(|v| v.0);
        let mut values = symbols.values.take();
        let depth = outputs.iter().map(|v| values[*v].ready).max().unwrap_or(0);
        for v in outputs {
            values[v].last = depth;
        }
        Self { values, outputs, depth }
    }

    /// The values of all operations for two points with coordinates in a field.
    pub(super) fn evaluate<R: Ring>(&self, inputs: &[R; 6]) -> Vec<R> {
        let mut values: Vec<R> = Vec::with_capacity(self.values.len());
        for value in &self.values {
            let of = |v: usize| values[v].clone();
            values.push(match value.origin {
                Origin::Input(k) => inputs[k].clone(),
                Origin::Sum(a, b, false) => of(a) + of(b),
                Origin::Sum(a, b, true) => of(a) - of(b),
                Origin::Product(a, b) => of(a) * of(b),
            });
        }
        values
    }

    /// The products: the value, its operands, and the register that holds the operands when it begins.
    pub(super) fn products(&self) -> impl Iterator<Item = (usize, [usize; 2], u32)> {
        self.values.iter().enumerate().filter_map(|(k, value)| match value.origin {
            Origin::Product(a, b) => Some((k, [a, b], self.values[a].ready.max(self.values[b].ready))),
            _ => None,
        })
    }

    /// The pipeline registers that hold values: the value and its register number. The first register of a product
    /// belongs to the multiplier.
    pub(super) fn registers(&self) -> impl Iterator<Item = (usize, u32)> {
        self.values.iter().enumerate().flat_map(|(k, value)| {
            let own = matches!(value.origin, Origin::Product(..));
            (value.ready + u32::from(own)..=value.last).map(move |at| (k, at))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_chip::machine::msm::Group;

    #[test]
    fn the_formula_is_as_long_as_the_model_says_and_has_its_products() {
        let spec = MsmSpec::paper();
        let flow = Dataflow::complete(&spec);
        let timing = spec.accumulation(Group::G1);
        assert_eq!((timing.latency(), timing.interval), (flow.depth + spec.registers, 1));
        assert_eq!(flow.products().count() as u32, timing.products);
        // Every operand is kept until the last operation that uses it begins.
        for (_, operands, begins) in flow.products() {
            assert!(
                operands.iter().all(|v| (flow.values[*v].ready..=flow.values[*v].last).contains(&begins))
            );
        }
    }
}
