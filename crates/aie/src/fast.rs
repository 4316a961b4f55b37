//! Runs a program on lanes of 64 bits without checking every operation.
//!
//! [`analyse`] has proved for all operands that no register overflows, and how large values become. Where they fit 64
//! bits and operands are within their ranges, 64-bit words hold the same values as the engine's 80-bit lanes. Values
//! share a small number of slots, and the eight multiply-accumulates of a block are one step.

use crate::digits::{DIGITS, Digits, Layout};
use crate::program::{
    InputRange, LANES, Op, OperandIndices, Operands, Operation, Program, Register, Rounding, Sign, Value,
    Word, window,
};
use crate::ranges::{RangeError, analyse};
use num_bigint::BigInt;
use thiserror::Error;

/// Why a program cannot run without checks.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FastError {
    /// The range analysis does not prove that the program's registers suffice.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A register holds values that do not fit 64 bits.
    #[error("values of {register:?} from {low} to {high} do not fit in 64 bits")]
    Wide {
        /// The kind of register that holds the value.
        register: Register,
        /// The least value.
        low: i128,
        /// The greatest value.
        high: i128,
    },
    /// The operation with this index receives a value from another tile.
    #[error("operation {0} receives a value from another tile")]
    Receives(usize),
}

impl Word for i64 {
    #[inline(always)]
    fn exact(value: i32) -> Self {
        value.into()
    }
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        self.wrapping_mul(other)
    }
    #[inline(always)]
    fn shift(self, by: u32, rounding: Rounding) -> Self {
        match rounding {
            Rounding::Floor => self >> by,
            Rounding::Nearest => self.wrapping_add((1 << by) >> 1) >> by,
        }
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self & other
    }
}

/// The lanes of a value; a scalar is in lane 0.
type Lanes = [i64; LANES];

/// The slots of an operation's operands.
struct Slots<'v> {
    values: &'v [Lanes],
    from: &'v [usize],
}

impl Operands<i64> for Slots<'_> {
    #[inline(always)]
    fn lanes(&self, n: usize) -> &Lanes {
        &self.values[self.from[n]]
    }
    #[inline(always)]
    fn word(&self, n: usize) -> i64 {
        self.values[self.from[n]][0]
    }
    #[inline(always)]
    fn accumulator(&self) -> Option<&Lanes> {
        (self.from.len() == 4).then(|| self.lanes(3))
    }
}

/// A step of a fast program: an operation, or several products with the same pair and the same vector of digits.
#[derive(Clone, Debug)]
struct FastStep {
    op: Op,
    from: OperandIndices,
    to: usize,
    /// For each product of a block, the first lane of its window of the pair and the lane of its digit; empty for a
    /// single operation.
    block: Vec<[u8; 2]>,
}

/// The range of an operand: canonical digits in its layout, between those of its least and of its greatest value.
#[derive(Clone, Debug)]
struct Operand {
    layout: Layout,
    digit: [i32; 2],
    value: [Digits; 2],
}

impl Operand {
    fn holds(&self, x: &Digits) -> bool {
        let (below, digits) = x.0.split_at(self.layout.first);
        let canonical =
            digits[..digits.len() - 1].iter().all(|d| (self.digit[0]..=self.digit[1]).contains(d));
        // Canonical digits are compared from the highest one down, as the numbers are.
        let order = |a: &Digits, b: &Digits| a.0.iter().rev().le(b.0.iter().rev());
        canonical && below.iter().all(|d| *d == 0) && order(&self.value[0], x) && order(x, &self.value[1])
    }
}

/// A program that runs without checks of overflow.
#[derive(Clone, Debug)]
pub(crate) struct FastProgram {
    steps: Vec<FastStep>,
    operands: Vec<Operand>,
    results: Vec<[BigInt; 2]>,
    values: Vec<Lanes>,
}

impl FastProgram {
    /// Prepares a program.
    ///
    /// # Errors
    /// [`FastError`] for a program that is not proved, or for which 64 bits are too few.
    pub(crate) fn new(program: &Program) -> Result<Self, FastError> {
        if let Some(at) = program.ops.iter().position(|o| o.op.is_transfer()) {
            return Err(FastError::Receives(at));
        }
        let ranges = analyse(program)?;
        for (register, [low, high]) in
            [(Register::Accumulator, ranges.accumulator), (Register::ScalarPair, ranges.long)]
        {
            // The bound is 2^62, because rounding adds half a unit before the shift.
            if low < -(1 << 62) || high >= 1 << 62 {
                return Err(FastError::Wide { register, low, high });
            }
        }
        let operand = |input: &InputRange| Operand {
            layout: input.layout,
            digit: input.digit,
            value: input.value.each_ref().map(|x| input.layout.split(x).expect("operands have digits")),
        };
        let operands = program.inputs.iter().map(operand).collect();
        let (steps, slots) = steps(&program.pruned());
        let results = ranges.outputs.into_iter().map(|range| range.value).collect();
        Ok(Self { steps, operands, results, values: vec![[0; LANES]; slots] })
    }

    /// The proved least and greatest value of each result.
    pub(crate) fn results(&self) -> &[[BigInt; 2]] {
        &self.results
    }

    /// Computes the results from operands, bit for bit those of [`Program::run`]. Returns `None` if the number of
    /// operands is not that of the program, or if an operand is not canonical or out of its range.
    pub(crate) fn run<const N: usize>(&mut self, operands: &[Digits]) -> Option<[Digits; N]> {
        let within = |(operand, x): (&Operand, &Digits)| operand.holds(x);
        if operands.len() != self.operands.len()
            || self.results.len() != N
            || !self.operands.iter().zip(operands).all(within)
        {
            return None;
        }
        let mut results = [Digits([0; DIGITS]); N];
        for step in &self.steps {
            let slots = Slots { values: &self.values, from: &step.from };
            match step.op {
                Op::Load { number, half } => {
                    let digits = &operands[number].0[half * LANES..][..LANES];
                    self.values[step.to] = core::array::from_fn(|l| digits[l].into());
                }
                Op::Store { number, half } => {
                    let digits = &mut results[number].0[half * LANES..][..LANES];
                    // The range analysis proves that every lane fits 32 bits.
                    digits.iter_mut().zip(slots.lanes(0)).for_each(|(digit, lane)| *digit = *lane as i32);
                }
                Op::Mac { sign, .. } if !step.block.is_empty() => {
                    self.values[step.to] = block(&slots, sign, &step.block);
                }
                op => match op.compute(&slots) {
                    Value::Lanes(lanes) => self.values[step.to] = lanes,
                    Value::Word(word) => self.values[step.to][0] = word,
                    Value::Nothing => {}
                },
            }
        }
        Some(results)
    }
}

/// Computes a block: several multiply-accumulates, each of a window of the pair by one digit.
#[inline(always)]
fn block(slots: &Slots<'_>, sign: Sign, products: &[[u8; 2]]) -> Lanes {
    let mut pair = [0; 2 * LANES];
    pair[..LANES].copy_from_slice(slots.lanes(0));
    pair[LANES..].copy_from_slice(slots.lanes(1));
    let mut digits = *slots.lanes(2);
    if sign == Sign::Minus {
        digits = digits.map(i64::wrapping_neg);
    }
    let mut sum = slots.accumulator().copied().unwrap_or([0; LANES]);
    for &[start, lane] in products {
        let (window, digit) = (&pair[usize::from(start)..][..LANES], digits[usize::from(lane)]);
        for l in 0..LANES {
            sum[l] = sum[l].wrapping_add(window[l].wrapping_mul(digit));
        }
    }
    sum
}

/// The multiply-accumulates from index `at` on that form one block; empty if there are fewer than two. `last` holds the
/// index of each value's last use.
fn products(program: &Program, last: &[usize], at: usize) -> Vec<[u8; 2]> {
    let mut products = Vec::new();
    let first = program.ops[at];
    for (n, &Operation { op, operands }) in program.ops[at..].iter().enumerate() {
        let (Op::Mac { sign, xs, zs }, Op::Mac { sign: first_sign, .. }) = (op, first.op) else { break };
        let same = sign == first_sign && operands[..3] == first.operands[..3];
        let shape = xs == window(xs[0]) && usize::from(xs[0]) <= LANES && zs == [zs[0]; LANES];
        // The sum so far is an operand of this multiply-accumulate and of no other operation.
        let goes_on = n == 0 || (operands.get(3) == Some(&(at + n - 1)) && last[at + n - 1] == at + n);
        if !(same && shape && goes_on) {
            break;
        }
        products.push([xs[0], zs[0]]);
    }
    if products.len() < 2 { Vec::new() } else { products }
}

/// The steps of a program, and the number of slots for their values. A slot is free again after its value's last use.
fn steps(program: &Program) -> (Vec<FastStep>, usize) {
    let mut last: Vec<usize> = (0..program.ops.len()).collect();
    for (at, o) in program.ops.iter().enumerate() {
        o.operands.iter().for_each(|&operand| last[operand] = at);
    }
    let (mut slot_of, mut free, mut count) = (vec![0; program.ops.len()], Vec::new(), 0);
    let (mut steps, mut at) = (Vec::with_capacity(program.ops.len()), 0);
    while at < program.ops.len() {
        let block = products(program, &last, at);
        let end = at + block.len().max(1) - 1;
        let Operation { op, operands } = program.ops[at];
        let from = operands.map(|operand| slot_of[operand]);
        // A step reads all its operands before it writes, so that its result may take the slot of one of them.
        let mut over: Vec<usize> = operands.iter().copied().filter(|&operand| last[operand] <= end).collect();
        over.sort_unstable();
        over.dedup();
        free.extend(over.into_iter().map(|operand: usize| slot_of[operand]));
        if op.register().is_some() {
            slot_of[end] = free.pop().unwrap_or_else(|| {
                count += 1;
                count - 1
            });
        }
        steps.push(FastStep { op, from, to: slot_of[end], block });
        at = end + 1;
    }
    (steps, count)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::padd::{Form, padd, padd_deferring};
    use num_bigint::Sign as Bigness;
    use rand_chacha::ChaCha20Rng;
    use rand_core::{Rng, SeedableRng};

    /// For every method, form and order of carries, fast programs give the results of the interpreter: at both ends of
    /// the ranges, in between, and beyond.
    #[test]
    fn quick_programs_give_the_same_bits() {
        let mut rng = ChaCha20Rng::seed_from_u64(64);
        for method in Method::valid() {
            for form in Form::ALL {
                for program in [padd(method, form), padd_deferring(method, form)] {
                    let mut fast = FastProgram::new(&program).unwrap();
                    let digits = |x: &BigInt| method.layout().split(x).unwrap();
                    let end = |end: usize| -> Vec<Digits> {
                        program.inputs().iter().map(|input| digits(&input.value[end])).collect()
                    };
                    let mut cases = vec![end(0), end(1)];
                    for _ in 0..4 {
                        let mut random = |input: &InputRange| {
                            let mut bytes = [0; 64];
                            rng.fill_bytes(&mut bytes);
                            let [low, high] = &input.value;
                            let above = BigInt::from_bytes_le(Bigness::Plus, &bytes) % (high - low + 1);
                            digits(&(low + above))
                        };
                        cases.push(program.inputs().iter().map(&mut random).collect());
                    }
                    for case in &cases {
                        assert_eq!(fast.run::<4>(case).unwrap().to_vec(), program.run(case).unwrap());
                    }
                    let mut beyond = cases[1].clone();
                    beyond[0].0[2] += 1;
                    assert_eq!(fast.run::<4>(&beyond), None);
                    beyond[0] = Digits([i32::MIN; DIGITS]);
                    assert_eq!(fast.run::<4>(&beyond), None);
                    assert_eq!(fast.run::<4>(&cases[0][1..]), None);
                    // Only a few values are alive at once.
                    assert!(fast.values.len() < 64, "{} slots", fast.values.len());
                }
            }
        }
    }
}
