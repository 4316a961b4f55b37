//! Kernels of an AI Engine as programs in SSA form. Each operation gives at most one value, which is named by the index
//! of the operation in the program; an operation uses only values of earlier operations.

mod op;
mod writer;

use crate::digits::{Digits, Layout, RADIX_BITS};
use crate::part::Part;
use num_bigint::BigInt;
pub use op::{Class, LANES, Path, Register, ValueKind};
pub(crate) use op::{Op, Operands, Rounding, Sign, Value, Word};
use std::collections::BTreeMap;
use std::ops::Deref;
pub(crate) use writer::{IDENTITY, Writer, window};

/// The index of an operation that gives eight lanes of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Vector(pub(crate) usize);
/// The index of an operation that gives eight lanes of 80 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accumulator(pub(crate) usize);
/// The index of an operation that gives a scalar of 32 bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Scalar(pub(crate) usize);
/// The index of an operation that gives eight lanes of 64 bits, in two vectors.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct VectorPair(pub(crate) usize);
/// The index of an operation that gives an integer of 64 bits, in two scalars.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct ScalarPair(pub(crate) usize);

/// A number of sixteen digits: the vector of the lower eight digits, then that of the higher eight.
pub(crate) type Number = [Vector; 2];

/// The indices of the operations that give an operation's operands, at most four.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct OperandIndices {
    at: [usize; 4],
    count: usize,
}

impl OperandIndices {
    pub(crate) fn new(places: &[usize]) -> Self {
        let mut at = [0; 4];
        at[..places.len()].copy_from_slice(places);
        Self { at, count: places.len() }
    }

    pub(crate) fn map(self, to: impl FnMut(usize) -> usize) -> Self {
        let mut places = self;
        let mut to = to;
        places.at[..self.count].iter_mut().for_each(|place| *place = to(*place));
        places
    }
}

impl Deref for OperandIndices {
    type Target = [usize];
    fn deref(&self) -> &[usize] {
        &self.at[..self.count]
    }
}

/// An operation with the indices of the operations whose values it uses.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Operation {
    pub(crate) op: Op,
    pub(crate) operands: OperandIndices,
}

/// The range of an operand of a program, as an integer and digit by digit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputRange {
    /// The layout of its digits; all numbers of a program have the same layout.
    pub layout: Layout,
    /// The least and the greatest value of the integer.
    pub value: [BigInt; 2],
    /// The least and greatest value of each digit.
    pub digit: [i32; 2],
}

impl InputRange {
    /// The range of values in `[0, bound)` with canonical digits of 25 bits.
    pub fn below(bound: &BigInt) -> Self {
        Self {
            layout: Layout::DIGITS_25,
            value: [BigInt::ZERO, bound - 1],
            digit: [0, (1 << RADIX_BITS) - 1],
        }
    }

    /// The range of values in `(-bound, bound)` with signed digits, as [`Layout::split_nearest`] gives them.
    pub fn within(layout: Layout, bound: &BigInt) -> Self {
        let half = 1 << (layout.radix_bits - 1);
        Self { layout, value: [1 - bound, bound - 1], digit: [-half, half - 1] }
    }

    /// The digits of the greatest value; `None` if they do not fit.
    pub fn greatest(&self) -> Option<Digits> {
        let most = &self.value[1];
        if self.digit[0] < 0 { self.layout.split_nearest(most).ok() } else { self.layout.split(most).ok() }
    }
}

/// An identity that holds for numbers of the program by construction. The range analysis derives the ranges of integers
/// from these identities; the ranges of single digits do not show them.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// `result = Σ ± terms + constant`, as integers.
    Sum { result: Number, terms: Vec<(Sign, Number)>, constant: BigInt },
    /// Barrett's reduction: with `low_in` the part of `a·b` below 2^375 times 2^25, and `low_mu` the part below 2^400 of
    /// the quotient's product, `result ≡ a·b - q·M` modulo 2^400.
    Barrett { a: Number, b: Number, low_in: Number, low_mu: Number, result: Number },
    /// Montgomery's reduction: `result·2^400 = a·b + t·M - low`, where `low` is a multiple of 2^400.
    Montgomery { a: Number, b: Number, t: Number, low: Number, result: Number },
    /// Barrett's reduction with digits of 28 bits: `high` holds the columns of `a·b` from 12 on, which are the digits of
    /// `m` from lane 1 on; `quotient` holds those of `m·μ`, which are `q` from lane 2 on; `result ≡ a·b - q·M` modulo
    /// 2^392.
    Barrett28 { a: Number, b: Number, high: Number, quotient: Number, result: Number },
    /// Montgomery's reduction with digits of 28 bits: `sum` holds the columns of `a·b + t·M` from 12 on, and `result`
    /// those from 14 on.
    Montgomery28 { a: Number, b: Number, t: Number, sum: Number, result: Number },
}

/// A program for one engine: operations in an order that computes every value before its use.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Program {
    pub(crate) ops: Vec<Operation>,
    /// For each operation, the part of the addition or of the product that it belongs to.
    pub(crate) parts: Vec<Part>,
    pub(crate) inputs: Vec<InputRange>,
    pub(crate) outputs: usize,
    /// The facts, each with the number of operations that precede it.
    pub(crate) facts: Vec<(usize, Fact)>,
}

impl Program {
    /// The range of each operand.
    pub fn inputs(&self) -> &[InputRange] {
        &self.inputs
    }

    /// The number of results.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// The number of operations that the engine issues, by class.
    pub fn counts(&self) -> BTreeMap<Class, usize> {
        let mut counts = BTreeMap::new();
        for Operation { op, .. } in &self.ops {
            *counts.entry(op.class()).or_default() += op.issues();
        }
        counts
    }

    /// The number of multiply-accumulates that are products of digits: the paper's MAC operations. Multiply-accumulates
    /// whose second factor is a constant move carries; they are not counted here, because the paper counts them with the
    /// vector instructions.
    pub fn products(&self) -> usize {
        let product = |o: &&Operation| {
            matches!(o.op, Op::Mac { .. }) && !matches!(self.ops[o.operands[2]].op, Op::Constant(_))
        };
        self.ops.iter().filter(product).count()
    }

    pub(crate) fn has_transfers(&self) -> bool {
        self.ops.iter().any(|o| o.op.is_transfer())
    }

    /// If lane `lane` of the operation computes `acc - (acc >> s)·2^s`: the shift `s` and its rounding.
    pub(crate) fn remainder(&self, at: usize, lane: usize) -> Option<(u32, Rounding)> {
        let Operation { op: Op::Mac { sign: Sign::Minus, xs, zs }, operands } = &self.ops[at] else {
            return None;
        };
        let &[x, _, z, acc] = &operands[..] else { return None };
        let Operation { op: Op::Srs { shift, rounding }, operands: from } = &self.ops[x] else { return None };
        let Op::Constant(factor) = &self.ops[z].op else { return None };
        let whole = usize::from(xs[lane]) == lane && factor[usize::from(zs[lane])] == 1 << shift;
        (whole && from[0] == acc).then_some((*shift, *rounding))
    }

    /// The program without operations that no result depends on, and without facts: ranges are to be derived from the
    /// whole program.
    pub fn pruned(&self) -> Self {
        let mut alive = vec![false; self.ops.len()];
        for (at, Operation { op, operands }) in self.ops.iter().enumerate().rev() {
            alive[at] |= matches!(op, Op::Store { .. });
            if alive[at] {
                operands.iter().for_each(|&operand| alive[operand] = true);
            }
        }
        let kept: Vec<usize> = (0..self.ops.len()).filter(|&at| alive[at]).collect();
        self.reordered(&kept)
    }

    /// A program of the operations at these indices, in this order, without facts.
    pub(crate) fn reordered(&self, order: &[usize]) -> Self {
        let mut now = vec![0; self.ops.len()];
        order.iter().enumerate().for_each(|(new, &old)| now[old] = new);
        let moved = |&at: &usize| {
            let Operation { op, operands } = self.ops[at];
            Operation { op, operands: operands.map(|operand| now[operand]) }
        };
        Self {
            ops: order.iter().map(moved).collect(),
            parts: order.iter().map(|&at| self.parts[at]).collect(),
            inputs: self.inputs.clone(),
            outputs: self.outputs,
            facts: vec![],
        }
    }
}
