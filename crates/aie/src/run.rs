//! What a program computes, in any domain of words: integers, bit by bit, or intervals of them.

use crate::digits::{DIGITS, Digits};
use crate::program::{Accumulator, LANES, Long, Longs, Number, Op, Program, Rounding, Scalar, Sign, Vector};
use thiserror::Error;

/// The register that a value lies in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// A lane of a vector, 32 bits.
    Lane,
    /// A lane of an accumulator, 80 bits.
    Accumulator,
    /// A scalar, 32 bits.
    Scalar,
    /// A pair of scalars, or of lanes, 64 bits.
    Long,
}

impl Register {
    /// Its bits, the sign's among them.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Lane | Self::Scalar => 32,
            Self::Accumulator => 80,
            Self::Long => 64,
        }
    }
}

/// A value does not fit in its register.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("operation {at}, lane {lane}: a value as low as {low} or as high as {high} overflows {register:?}")]
pub struct Fault {
    /// The operation's place in the program.
    pub at: usize,
    /// The lane; 0 for a scalar.
    pub lane: usize,
    /// The register.
    pub register: Register,
    /// The least value.
    pub low: i128,
    /// The greatest.
    pub high: i128,
}

/// A program does not run on its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RunError {
    /// Not as many operands as it takes.
    #[error("{given} operands for a program of {taken}")]
    Operands {
        /// How many there are.
        given: usize,
        /// How many it takes.
        taken: usize,
    },
    /// It receives values from other tiles, and cannot run without them.
    #[error("operation {0} receives a value from another tile")]
    Receives(usize),
    /// A register overflows.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A word of a register in some domain.
pub(crate) trait Word: Copy {
    fn exact(value: i128) -> Self;
    fn low(&self) -> i128;
    fn high(&self) -> i128;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn shift(self, by: u32, rounding: Rounding) -> Self;
    /// `self - (self >> by << by)`.
    fn remainder(self, by: u32, rounding: Rounding) -> Self;
    fn and(self, other: Self) -> Self;
}

impl Word for i128 {
    fn exact(value: i128) -> Self {
        value
    }
    fn low(&self) -> i128 {
        *self
    }
    fn high(&self) -> i128 {
        *self
    }
    fn add(self, other: Self) -> Self {
        self + other
    }
    fn sub(self, other: Self) -> Self {
        self - other
    }
    fn mul(self, other: Self) -> Self {
        self * other
    }
    fn shift(self, by: u32, rounding: Rounding) -> Self {
        match rounding {
            Rounding::Floor => self >> by,
            Rounding::Nearest => (self + ((1 << by) >> 1)) >> by,
        }
    }
    fn remainder(self, by: u32, rounding: Rounding) -> Self {
        self - (Word::shift(self, by, rounding) << by)
    }
    fn and(self, other: Self) -> Self {
        self & other
    }
}

/// What an operation gave.
#[derive(Clone, Copy)]
pub(crate) enum Value<W> {
    Vector([W; LANES]),
    Accumulator([W; LANES]),
    Scalar(W),
    Longs([W; LANES]),
    Long(W),
    Nothing,
}

/// A program under way.
pub(crate) struct Run<'p, W> {
    program: &'p Program,
    inputs: &'p [[W; DIGITS]],
    values: Vec<Value<W>>,
    /// The results so far.
    pub(crate) outputs: Vec<[W; DIGITS]>,
    /// The least and greatest value seen in each kind of register.
    pub(crate) widest: [[i128; 2]; 4],
}

impl<'p, W: Word> Run<'p, W> {
    /// At the start; there is an input for each that the program takes.
    pub(crate) fn new(program: &'p Program, inputs: &'p [[W; DIGITS]]) -> Self {
        let outputs = vec![[W::exact(0); DIGITS]; program.outputs];
        Self { program, inputs, values: Vec::with_capacity(program.ops.len()), outputs, widest: [[0; 2]; 4] }
    }

    pub(crate) fn vector(&self, v: Vector) -> [W; LANES] {
        let Value::Vector(lanes) = self.values[v.0] else { unreachable!("handles are typed") };
        lanes
    }

    fn accumulator(&self, a: Accumulator) -> [W; LANES] {
        let Value::Accumulator(lanes) = self.values[a.0] else { unreachable!("handles are typed") };
        lanes
    }

    fn scalar(&self, s: Scalar) -> W {
        let Value::Scalar(word) = self.values[s.0] else { unreachable!("handles are typed") };
        word
    }

    fn longs(&self, v: Longs) -> [W; LANES] {
        let Value::Longs(lanes) = self.values[v.0] else { unreachable!("handles are typed") };
        lanes
    }

    fn long(&self, s: Long) -> W {
        let Value::Long(word) = self.values[s.0] else { unreachable!("handles are typed") };
        word
    }

    /// The digits of a number that has been computed.
    pub(crate) fn number(&self, n: Number) -> [W; DIGITS] {
        let halves = n.map(|v| self.vector(v));
        core::array::from_fn(|i| halves[i / LANES][i % LANES])
    }

    /// Replaces what is known of a number's digits.
    pub(crate) fn set_number(&mut self, n: Number, digits: [W; DIGITS]) {
        for half in 0..2 {
            self.values[n[half].0] = Value::Vector(core::array::from_fn(|l| digits[half * LANES + l]));
        }
    }

    /// The place of the next operation.
    pub(crate) fn next(&self) -> usize {
        self.values.len()
    }

    /// What the operation at a place gave.
    pub(crate) fn given(&self, at: usize) -> Value<W> {
        self.values[at]
    }

    /// The next operation receives this.
    pub(crate) fn supply(&mut self, value: Value<W>) {
        self.values.push(value);
    }

    /// Does the operations up to a place.
    pub(crate) fn advance(&mut self, to: usize) -> Result<(), Fault> {
        while self.values.len() < to {
            let at = self.values.len();
            let value = self.value(at);
            match &value {
                Value::Vector(lanes) => self.check(at, lanes, Register::Lane)?,
                Value::Accumulator(lanes) => self.check(at, lanes, Register::Accumulator)?,
                Value::Scalar(word) => self.check(at, &[*word], Register::Scalar)?,
                Value::Longs(lanes) => self.check(at, lanes, Register::Long)?,
                Value::Long(word) => self.check(at, &[*word], Register::Long)?,
                Value::Nothing => {}
            }
            self.values.push(value);
        }
        Ok(())
    }

    fn check(&mut self, at: usize, words: &[W], register: Register) -> Result<(), Fault> {
        let limit = 1i128 << (register.bits() - 1);
        let seen = &mut self.widest[register as usize];
        for (lane, word) in words.iter().enumerate() {
            let (low, high) = (word.low(), word.high());
            if low < -limit || high >= limit {
                return Err(Fault { at, lane, register, low, high });
            }
            *seen = [seen[0].min(low), seen[1].max(high)];
        }
        Ok(())
    }

    fn value(&mut self, at: usize) -> Value<W> {
        let lanes = |f: &dyn Fn(usize) -> W| Value::Vector(core::array::from_fn(f));
        let pair = |run: &Self, from: [Vector; 2], select: u8| {
            run.vector(from[select as usize / LANES])[select as usize % LANES]
        };
        match &self.program.ops[at] {
            Op::Load { number, half } => lanes(&|l| self.inputs[*number][half * LANES + l]),
            Op::Constant(c) => lanes(&|l| W::exact(c[l].into())),
            Op::Store { number, half, from } => {
                let stored = self.vector(*from);
                self.outputs[*number][half * LANES..][..LANES].copy_from_slice(&stored);
                Value::Nothing
            }
            Op::Receive { .. } => unreachable!("supplied"),
            Op::Send { .. } => Value::Nothing,
            Op::Mac { acc, sign, x, xs, z, zs } => {
                let start = acc.map_or([W::exact(0); LANES], |a| self.accumulator(a));
                let z = self.vector(*z);
                Value::Accumulator(core::array::from_fn(|l| {
                    if let Some((shift, rounding)) = self.program.remainder(at, l) {
                        return start[l].remainder(shift, rounding);
                    }
                    let product = pair(self, *x, xs[l]).mul(z[zs[l] as usize]);
                    match sign {
                        Sign::Plus => start[l].add(product),
                        Sign::Minus => start[l].sub(product),
                    }
                }))
            }
            Op::Srs { from, shift, rounding } => {
                let from = self.accumulator(*from);
                lanes(&|l| from[l].shift(*shift, *rounding))
            }
            Op::Ups(from) => Value::Accumulator(self.vector(*from)),
            Op::Add(a, b) => {
                let (a, b) = (self.vector(*a), self.vector(*b));
                lanes(&|l| a[l].add(b[l]))
            }
            Op::Sub(a, b) => {
                let (a, b) = (self.vector(*a), self.vector(*b));
                lanes(&|l| a[l].sub(b[l]))
            }
            Op::Permute { from, lanes: select } => lanes(&|l| pair(self, *from, select[l])),
            Op::Extract { from, lane } => Value::Scalar(self.vector(*from)[*lane]),
            Op::Update { into, lane, value } => {
                let mut updated = self.vector(*into);
                updated[*lane] = self.scalar(*value);
                Value::Vector(updated)
            }
            Op::Immediate(value) => Value::Scalar(W::exact((*value).into())),
            Op::ScalarAdd(a, b) => Value::Scalar(self.scalar(*a).add(self.scalar(*b))),
            Op::ScalarAnd(a, b) => Value::Scalar(self.scalar(*a).and(self.scalar(*b))),
            Op::ScalarShift(a, shift) => Value::Scalar(self.scalar(*a).shift(*shift, Rounding::Floor)),
            Op::SrsLong(from) => Value::Longs(self.accumulator(*from)),
            Op::ExtractLong { from, lane } => Value::Long(self.longs(*from)[*lane]),
            Op::LongAdd(a, b) => Value::Long(self.long(*a).add(self.scalar(*b))),
            Op::LongAnd(a, b) => Value::Scalar(self.long(*a).and(self.scalar(*b))),
            Op::LongShift(a, shift) => Value::Scalar(self.long(*a).shift(*shift, Rounding::Floor)),
        }
    }
}

impl Program {
    /// Computes the results from operands, every bit as the engine does.
    ///
    /// # Errors
    /// [`RunError::Operands`] for another number of operands than the program takes; [`RunError::Receives`] for the
    /// program of one tile among several; [`RunError::Fault`] where a register overflows, which no operands within
    /// [`Program::inputs`] make happen.
    pub fn run(&self, inputs: &[Digits]) -> Result<Vec<Digits>, RunError> {
        if inputs.len() != self.inputs.len() {
            return Err(RunError::Operands { given: inputs.len(), taken: self.inputs.len() });
        }
        if let Some(at) = self.ops.iter().position(|op| matches!(op, Op::Receive { .. })) {
            return Err(RunError::Receives(at));
        }
        let words: Vec<_> = inputs.iter().map(|d| d.0.map(i128::from)).collect();
        let mut run = Run::new(self, &words);
        run.advance(self.ops.len())?;
        // Every lane was checked to have 32 bits.
        Ok(run.outputs.iter().map(|digits| Digits(digits.map(|d| d as i32))).collect())
    }
}
