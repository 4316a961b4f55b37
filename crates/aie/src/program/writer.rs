//! The builder with which functions write programs.

use super::{
    Accumulator, Fact, InputRange, LANES, Number, Op, OperandIndices, Operation, Program, Rounding, Scalar,
    ScalarPair, Sign, Vector, VectorPair,
};
use crate::digits::{DIGITS, Digits, Layout};
use crate::part::{FormulaStep, Part, Piece, Stage};
use num_bigint::BigInt;
use std::collections::BTreeMap;

/// A program being written. Each constant is loaded once.
pub(crate) struct Writer {
    program: Program,
    part: Part,
    defers: bool,
    spreads: bool,
    constants: BTreeMap<[i32; LANES], Vector>,
    immediates: BTreeMap<i32, Scalar>,
}

/// The lane selection that takes every lane from its own position.
pub(crate) const IDENTITY: [u8; LANES] = window(0);

/// The lane selection of eight consecutive lanes of a pair, beginning at lane `start`.
pub(crate) const fn window(start: u8) -> [u8; LANES] {
    let mut lanes = [0; LANES];
    let mut l = 0;
    while l < LANES {
        lanes[l] = start + l as u8;
        l += 1;
    }
    lanes
}

impl Writer {
    pub(crate) fn new() -> Self {
        Self {
            program: Program::default(),
            part: Part::FIRST,
            defers: false,
            spreads: false,
            constants: BTreeMap::new(),
            immediates: BTreeMap::new(),
        }
    }

    pub(crate) fn finish(self) -> Program {
        self.program
    }

    /// Makes carries of whole products enter cp2 after cp2's own steps.
    pub(crate) fn deferring(mut self) -> Self {
        self.defers = true;
        self
    }

    pub(crate) fn defers(&self) -> bool {
        self.defers
    }

    /// Prepares for multiplications on separate tiles: columns that another multiplication adds to are sent as vectors,
    /// with a third of the words.
    pub(crate) fn spreading(mut self) -> Self {
        self.spreads = true;
        self
    }

    pub(crate) fn spreads(&self) -> bool {
        self.spreads
    }

    /// Assigns the operations that follow to this product or sum.
    pub(crate) fn formula_step(&mut self, step: FormulaStep) {
        self.part = Part { step, ..Part::FIRST };
    }

    /// Assigns the operations that follow to this multiplication of the product.
    pub(crate) fn stage(&mut self, stage: Stage) {
        self.part.stage = stage;
    }

    /// Assigns the operations that follow to this piece of the multiplication.
    pub(crate) fn piece(&mut self, piece: Piece) {
        self.part.piece = piece;
    }

    fn push(&mut self, op: Op, operands: &[usize]) -> usize {
        self.program.ops.push(Operation { op, operands: OperandIndices::new(operands) });
        self.program.parts.push(self.part);
        self.program.ops.len() - 1
    }

    pub(crate) fn fact(&mut self, fact: Fact) {
        let at = self.program.ops.len();
        self.program.facts.push((at, fact));
    }

    pub(crate) fn input(&mut self, range: InputRange) -> Number {
        let number = self.program.inputs.len();
        self.program.inputs.push(range);
        [0, 1].map(|half| Vector(self.push(Op::Load { number, half }, &[])))
    }

    pub(crate) fn output(&mut self, from: Number) {
        let number = self.program.outputs;
        self.program.outputs += 1;
        for half in 0..2 {
            self.push(Op::Store { number, half }, &[from[half].0]);
        }
    }

    pub(crate) fn constant(&mut self, lanes: [i32; LANES]) -> Vector {
        if let Some(&known) = self.constants.get(&lanes) {
            return known;
        }
        let new = Vector(self.push(Op::Constant(lanes), &[]));
        self.constants.insert(lanes, new);
        new
    }

    /// The digits of a constant in canonical form, with 25 bits each.
    pub(crate) fn number(&mut self, value: &BigInt) -> Number {
        self.number_in(Layout::DIGITS_25, value)
    }

    /// The digits of a constant in a layout.
    pub(crate) fn number_in(&mut self, layout: Layout, value: &BigInt) -> Number {
        let Digits(digits) = layout.split(value).expect("a constant that fits");
        let (low, high) = digits.split_at(DIGITS / 2);
        [low, high].map(|half| self.constant(half.try_into().expect("eight digits")))
    }

    pub(crate) fn zero(&mut self) -> Vector {
        self.constant([0; LANES])
    }

    pub(crate) fn mac(
        &mut self,
        acc: Option<Accumulator>,
        sign: Sign,
        (x, xs): ([Vector; 2], [u8; LANES]),
        (z, zs): (Vector, [u8; LANES]),
    ) -> Accumulator {
        let operands = [x[0].0, x[1].0, z.0, acc.map_or(0, |acc| acc.0)];
        let count = if acc.is_some() { 4 } else { 3 };
        Accumulator(self.push(Op::Mac { sign, xs, zs }, &operands[..count]))
    }

    pub(crate) fn srs(&mut self, from: Accumulator, shift: u32, rounding: Rounding) -> Vector {
        Vector(self.push(Op::Srs { shift, rounding }, &[from.0]))
    }

    pub(crate) fn ups(&mut self, from: Vector) -> Accumulator {
        Accumulator(self.push(Op::Ups, &[from.0]))
    }

    pub(crate) fn add(&mut self, a: Vector, b: Vector) -> Vector {
        Vector(self.push(Op::Add, &[a.0, b.0]))
    }

    pub(crate) fn sub(&mut self, a: Vector, b: Vector) -> Vector {
        Vector(self.push(Op::Sub, &[a.0, b.0]))
    }

    pub(crate) fn permute(&mut self, from: [Vector; 2], lanes: [u8; LANES]) -> Vector {
        Vector(self.push(Op::Permute(lanes), &from.map(|v| v.0)))
    }

    pub(crate) fn extract(&mut self, from: Vector, lane: usize) -> Scalar {
        Scalar(self.push(Op::Extract { lane }, &[from.0]))
    }

    pub(crate) fn update(&mut self, into: Vector, lane: usize, value: Scalar) -> Vector {
        Vector(self.push(Op::Update { lane }, &[into.0, value.0]))
    }

    pub(crate) fn immediate(&mut self, value: i32) -> Scalar {
        if let Some(&known) = self.immediates.get(&value) {
            return known;
        }
        let new = Scalar(self.push(Op::Immediate(value), &[]));
        self.immediates.insert(value, new);
        new
    }

    pub(crate) fn scalar_add(&mut self, a: Scalar, b: Scalar) -> Scalar {
        Scalar(self.push(Op::ScalarAdd, &[a.0, b.0]))
    }

    pub(crate) fn scalar_and(&mut self, a: Scalar, b: Scalar) -> Scalar {
        Scalar(self.push(Op::ScalarAnd, &[a.0, b.0]))
    }

    pub(crate) fn scalar_shift(&mut self, a: Scalar, shift: u32) -> Scalar {
        Scalar(self.push(Op::ScalarShift(shift), &[a.0]))
    }

    pub(crate) fn srs_long(&mut self, from: Accumulator) -> VectorPair {
        VectorPair(self.push(Op::SrsLong, &[from.0]))
    }

    pub(crate) fn extract_long(&mut self, from: VectorPair, lane: usize) -> ScalarPair {
        ScalarPair(self.push(Op::ExtractLong { lane }, &[from.0]))
    }

    pub(crate) fn long_add(&mut self, a: ScalarPair, b: Scalar) -> ScalarPair {
        ScalarPair(self.push(Op::LongAdd, &[a.0, b.0]))
    }

    pub(crate) fn long_and(&mut self, a: ScalarPair, b: Scalar) -> Scalar {
        Scalar(self.push(Op::LongAnd, &[a.0, b.0]))
    }

    pub(crate) fn long_shift(&mut self, a: ScalarPair, shift: u32) -> Scalar {
        Scalar(self.push(Op::LongShift(shift), &[a.0]))
    }
}
