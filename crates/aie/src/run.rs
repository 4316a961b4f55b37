//! The interpreter of programs. It computes with integers, bit by bit, or with intervals, and checks that every value
//! fits its register.

use crate::digits::{DIGITS, Digits};
use crate::program::{
    LANES, Number, Op, Operands, Operation, Program, Register, Rounding, Value, Vector, Word,
};
use thiserror::Error;

/// A value that does not fit its register, or an interval of which a part does not.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
#[error("operation {at}, lane {lane}: a value as low as {low} or as high as {high} overflows {register:?}")]
pub struct Fault {
    /// The index of the operation in the program.
    pub at: usize,
    /// The lane; 0 for a scalar.
    pub lane: usize,
    /// The register that overflows.
    pub register: Register,
    /// The least value of the lane; for integers, the value itself.
    pub low: i128,
    /// The greatest value of the lane; for integers, the value itself.
    pub high: i128,
}

/// Why a program cannot be run on its operands.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum RunError {
    /// The number of operands is not that of the program.
    #[error("{given} operands for a program of {taken}")]
    Operands {
        /// The operands given.
        given: usize,
        /// The operands that the program takes.
        taken: usize,
    },
    /// The operation with this index receives a value from another tile, so that the program cannot run alone.
    #[error("operation {0} receives a value from another tile")]
    Receives(usize),
    /// A value does not fit its register.
    #[error(transparent)]
    Fault(#[from] Fault),
}

/// A number with a lower and an upper bound: an integer is both of its bounds.
pub(crate) trait Bounded: Word {
    fn low(&self) -> i128;
    fn high(&self) -> i128;
    /// `self - (self >> by << by)`.
    fn remainder(self, by: u32, rounding: Rounding) -> Self;
}

impl Word for i128 {
    fn exact(value: i32) -> Self {
        value.into()
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
    fn and(self, other: Self) -> Self {
        self & other
    }
}

impl Bounded for i128 {
    fn low(&self) -> i128 {
        *self
    }
    fn high(&self) -> i128 {
        *self
    }
    fn remainder(self, by: u32, rounding: Rounding) -> Self {
        self - (Word::shift(self, by, rounding) << by)
    }
}

/// The state of an interpretation.
pub(crate) struct Interpreter<'p, W> {
    program: &'p Program,
    inputs: &'p [[W; DIGITS]],
    values: Vec<Value<W>>,
    /// The results stored so far.
    pub(crate) outputs: Vec<[W; DIGITS]>,
    /// The least and greatest value seen in each kind of register, by the discriminants of [`Register`].
    pub(crate) widest: [[i128; 2]; 5],
}

/// The operands of an operation among the values computed so far. The indices that the writer hands out are typed, so
/// that the value at an index is of the kind that is asked for.
struct ComputedOperands<'v, W> {
    values: &'v [Value<W>],
    operands: &'v [usize],
}

impl<W: Copy> Operands<W> for ComputedOperands<'_, W> {
    fn lanes(&self, n: usize) -> &[W; LANES] {
        let Value::Lanes(lanes) = &self.values[self.operands[n]] else { unreachable!("handles are typed") };
        lanes
    }
    fn word(&self, n: usize) -> W {
        let Value::Word(word) = self.values[self.operands[n]] else { unreachable!("handles are typed") };
        word
    }
    fn accumulator(&self) -> Option<&[W; LANES]> {
        (self.operands.len() == 4).then(|| self.lanes(3))
    }
}

impl<'p, W: Bounded> Interpreter<'p, W> {
    /// The state before the first operation. There are as many inputs as the program takes.
    pub(crate) fn new(program: &'p Program, inputs: &'p [[W; DIGITS]]) -> Self {
        let outputs = vec![[W::exact(0); DIGITS]; program.outputs];
        Self { program, inputs, values: Vec::with_capacity(program.ops.len()), outputs, widest: [[0; 2]; 5] }
    }

    /// The lanes of a vector that has been computed already.
    pub(crate) fn vector(&self, v: Vector) -> [W; LANES] {
        *ComputedOperands { values: &self.values, operands: &[v.0] }.lanes(0)
    }

    /// The digits of a number that has been computed already.
    pub(crate) fn number(&self, n: Number) -> [W; DIGITS] {
        let halves = n.map(|v| self.vector(v));
        core::array::from_fn(|i| halves[i / LANES][i % LANES])
    }

    /// Replaces the digits of a number, where more is known of them than the interpreter derived.
    pub(crate) fn set_number(&mut self, n: Number, digits: [W; DIGITS]) {
        for half in 0..2 {
            self.values[n[half].0] = Value::Lanes(core::array::from_fn(|l| digits[half * LANES + l]));
        }
    }

    /// The index of the next operation.
    #[cfg(test)]
    pub(crate) fn next(&self) -> usize {
        self.values.len()
    }

    /// The value of the operation with this index.
    #[cfg(test)]
    pub(crate) fn given(&self, at: usize) -> Value<W> {
        self.values[at]
    }

    /// Sets the value of the next operation, a receive.
    #[cfg(test)]
    pub(crate) fn supply(&mut self, value: Value<W>) {
        self.values.push(value);
    }

    /// Computes the operations before index `to`.
    pub(crate) fn advance(&mut self, to: usize) -> Result<(), Fault> {
        while self.values.len() < to {
            let at = self.values.len();
            let value = self.value(at);
            if let Some(register) = self.program.ops[at].op.register() {
                match &value {
                    Value::Lanes(lanes) => self.check(at, lanes, register)?,
                    Value::Word(word) => self.check(at, &[*word], register)?,
                    Value::Nothing => {}
                }
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
        let Operation { op, operands } = &self.program.ops[at];
        let known = ComputedOperands { values: &self.values, operands };
        match *op {
            Op::Load { number, half } => {
                Value::Lanes(core::array::from_fn(|l| self.inputs[number][half * LANES + l]))
            }
            Op::Store { number, half } => {
                self.outputs[number][half * LANES..][..LANES].copy_from_slice(known.lanes(0));
                Value::Nothing
            }
            Op::Receive { .. } => unreachable!("supplied"),
            Op::Mac { .. } => {
                let mut value = op.compute(&known);
                if let (Value::Lanes(lanes), Some(start)) = (&mut value, known.accumulator()) {
                    for (l, lane) in lanes.iter_mut().enumerate() {
                        // An interval loses the relation between a number and its quotient; `remainder` keeps it.
                        if let Some((shift, rounding)) = self.program.remainder(at, l) {
                            *lane = start[l].remainder(shift, rounding);
                        }
                    }
                }
                value
            }
            _ => op.compute(&known),
        }
    }
}

impl Program {
    /// Computes the results from operands, bit for bit as the engine does.
    ///
    /// # Errors
    /// [`RunError::Operands`] for another number of operands than the program takes; [`RunError::Receives`] for the
    /// program of one tile among several; [`RunError::Fault`] where a register overflows, which no operands within
    /// [`Program::inputs`] make happen.
    pub fn run(&self, inputs: &[Digits]) -> Result<Vec<Digits>, RunError> {
        if inputs.len() != self.inputs.len() {
            return Err(RunError::Operands { given: inputs.len(), taken: self.inputs.len() });
        }
        if let Some(at) = self.ops.iter().position(|o| matches!(o.op, Op::Receive { .. })) {
            return Err(RunError::Receives(at));
        }
        let words: Vec<_> = inputs.iter().map(|d| d.0.map(i128::from)).collect();
        let mut run = Interpreter::new(self, &words);
        run.advance(self.ops.len())?;
        // Every lane was checked to have 32 bits.
        Ok(run.outputs.iter().map(|digits| Digits(digits.map(|d| d as i32))).collect())
    }
}
