//! Programs made quick: the same words in the same lanes, without a check at every operation.
//!
//! [`analyse`] proves for all operands of a program that no register overflows and how large its values become. Where
//! they fit in 64 bits, operands that are within their ranges need no other check: 64-bit words give every bit that the
//! engine's 80-bit ones do. Values lie in as few places as live at once, and the eight multiply-accumulates of a
//! block are one step.

use crate::digits::{DIGITS, Digits, Layout};
use crate::program::{InputRange, LANES, Op, Program, Rounding, Sign, Vector, window};
use crate::ranges::{RangeError, analyse};
use crate::run::Register;
use num_bigint::BigInt;
use thiserror::Error;

/// A program that cannot be made quick.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum FastError {
    /// It is not proved that its registers suffice.
    #[error(transparent)]
    Range(#[from] RangeError),
    /// A register holds values that 64 bits do not.
    #[error("values of {register:?} from {low} to {high} do not fit in 64 bits")]
    Wide {
        /// Which kind of register.
        register: Register,
        /// The least value.
        low: i128,
        /// The greatest.
        high: i128,
    },
    /// It receives values from other tiles.
    #[error("operation {0} receives a value from another tile")]
    Receives(usize),
}

/// The place of a value.
type Slot = usize;
type Lanes = [i64; LANES];

/// Eight multiply-accumulates at most, with one pair and one vector of factors.
#[derive(Clone, Debug)]
struct Block {
    to: Slot,
    acc: Option<Slot>,
    minus: bool,
    pair: [Slot; 2],
    digits: Slot,
    /// For each product, where its window of the pair begins, and the lane of its digit.
    products: Vec<[u8; 2]>,
}

#[derive(Clone, Debug)]
enum Step {
    Load { to: Slot, number: usize, half: usize },
    Constant { to: Slot, lanes: Lanes },
    Store { number: usize, half: usize, from: Slot },
    Block(Block),
    Mac { to: Slot, acc: Option<Slot>, minus: bool, x: [Slot; 2], xs: [u8; LANES], z: Slot, zs: [u8; LANES] },
    Shift { to: Slot, from: Slot, half: i64, by: u32 },
    Copy { to: Slot, from: Slot },
    Add { to: Slot, a: Slot, b: Slot },
    Sub { to: Slot, a: Slot, b: Slot },
    Permute { to: Slot, from: [Slot; 2], lanes: [u8; LANES] },
    Extract { to: Slot, from: Slot, lane: usize },
    Update { to: Slot, into: Slot, lane: usize, value: Slot },
    Immediate { to: Slot, value: i64 },
    ScalarAdd { to: Slot, a: Slot, b: Slot },
    ScalarAnd { to: Slot, a: Slot, b: Slot },
    ScalarShift { to: Slot, a: Slot, by: u32 },
}

/// What an operand may be: canonical digits of its layout, from those of its least value to those of its greatest.
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
        // Numbers of canonical digits are ordered as their digits are, from the top.
        let order = |a: &Digits, b: &Digits| a.0.iter().rev().le(b.0.iter().rev());
        canonical && below.iter().all(|d| *d == 0) && order(&self.value[0], x) && order(x, &self.value[1])
    }
}

/// A program made quick.
#[derive(Clone, Debug)]
pub struct FastProgram {
    steps: Vec<Step>,
    operands: Vec<Operand>,
    results: Vec<[BigInt; 2]>,
    lanes: Vec<Lanes>,
    scalars: Vec<i64>,
}

impl FastProgram {
    /// Prepares a program.
    ///
    /// # Errors
    /// [`FastError`]: a program without a proof, or one for which 64 bits are too few.
    pub fn new(program: &Program) -> Result<Self, FastError> {
        if let Some(at) = program.ops.iter().position(|op| matches!(op, Op::Receive { .. })) {
            return Err(FastError::Receives(at));
        }
        let ranges = analyse(program)?;
        for (register, [low, high]) in
            [(Register::Accumulator, ranges.accumulator), (Register::Long, ranges.long)]
        {
            // A bit less than 64: rounding adds half a unit before it shifts.
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
        let program = program.pruned();
        let mut places = Places::new(&program);
        let mut steps = Vec::with_capacity(program.ops.len());
        let mut at = 0;
        while at < program.ops.len() {
            let length = chain(&program, &places.last, at);
            places.enter(&program, at, length);
            steps.extend(places.step(&program, at, length));
            places.leave(&program, at, length);
            at += length;
        }
        Ok(Self {
            steps,
            operands,
            results: ranges.outputs.into_iter().map(|range| range.value).collect(),
            lanes: vec![[0; LANES]; places.lanes.count],
            scalars: vec![0; places.scalars.count],
        })
    }

    /// The least and the greatest value of each result, as proved.
    pub fn results(&self) -> &[[BigInt; 2]] {
        &self.results
    }

    /// Computes the results from operands, every bit as the engine does: [`Program::run`]. `None` unless there are as
    /// many operands as the program takes, by canonical digits and within their ranges.
    pub fn run<const N: usize>(&mut self, operands: &[Digits]) -> Option<[Digits; N]> {
        let within = |(operand, x): (&Operand, &Digits)| operand.holds(x);
        if operands.len() != self.operands.len()
            || self.results.len() != N
            || !self.operands.iter().zip(operands).all(within)
        {
            return None;
        }
        let mut results = [Digits([0; DIGITS]); N];
        for step in &self.steps {
            step.run(&mut self.lanes, &mut self.scalars, operands, &mut results);
        }
        Some(results)
    }
}

impl Step {
    #[inline(always)]
    fn run(&self, v: &mut [Lanes], s: &mut [i64], operands: &[Digits], results: &mut [Digits]) {
        let select = |pair: [&Lanes; 2], lane: u8| pair[usize::from(lane) / LANES][usize::from(lane) % LANES];
        match *self {
            Self::Load { to, number, half } => {
                let digits = &operands[number].0[half * LANES..][..LANES];
                v[to] = core::array::from_fn(|l| digits[l].into());
            }
            Self::Constant { to, lanes } => v[to] = lanes,
            Self::Store { number, half, from } => {
                let digits = &mut results[number].0[half * LANES..][..LANES];
                // It is proved that every lane has 32 bits.
                digits.iter_mut().zip(&v[from]).for_each(|(digit, lane)| *digit = *lane as i32);
            }
            Self::Block(ref block) => v[block.to] = block.run(v),
            Self::Mac { to, acc, minus, x, xs, z, zs } => {
                let (pair, z) = ([&v[x[0]], &v[x[1]]], &v[z]);
                let start = acc.map_or([0; LANES], |acc| v[acc]);
                v[to] = core::array::from_fn(|l| {
                    let product = select(pair, xs[l]).wrapping_mul(z[usize::from(zs[l])]);
                    start[l].wrapping_add(if minus { product.wrapping_neg() } else { product })
                });
            }
            Self::Shift { to, from, half, by } => v[to] = v[from].map(|x| x.wrapping_add(half) >> by),
            Self::Copy { to, from } => v[to] = v[from],
            Self::Add { to, a, b } => v[to] = core::array::from_fn(|l| v[a][l].wrapping_add(v[b][l])),
            Self::Sub { to, a, b } => v[to] = core::array::from_fn(|l| v[a][l].wrapping_sub(v[b][l])),
            Self::Permute { to, from, lanes } => {
                let pair = [&v[from[0]], &v[from[1]]];
                v[to] = lanes.map(|lane| select(pair, lane));
            }
            Self::Extract { to, from, lane } => s[to] = v[from][lane],
            Self::Update { to, into, lane, value } => {
                if to != into {
                    v[to] = v[into];
                }
                v[to][lane] = s[value];
            }
            Self::Immediate { to, value } => s[to] = value,
            Self::ScalarAdd { to, a, b } => s[to] = s[a].wrapping_add(s[b]),
            Self::ScalarAnd { to, a, b } => s[to] = s[a] & s[b],
            Self::ScalarShift { to, a, by } => s[to] = s[a] >> by,
        }
    }
}

impl Block {
    #[inline(always)]
    fn run(&self, v: &[Lanes]) -> Lanes {
        let mut pair = [0; 2 * LANES];
        pair[..LANES].copy_from_slice(&v[self.pair[0]]);
        pair[LANES..].copy_from_slice(&v[self.pair[1]]);
        let mut digits = v[self.digits];
        if self.minus {
            digits = digits.map(i64::wrapping_neg);
        }
        let mut acc = self.acc.map_or([0; LANES], |acc| v[acc]);
        for &[start, lane] in &self.products {
            let (window, digit) = (&pair[usize::from(start)..][..LANES], digits[usize::from(lane)]);
            for l in 0..LANES {
                acc[l] = acc[l].wrapping_add(window[l].wrapping_mul(digit));
            }
        }
        acc
    }
}

/// How many multiply-accumulates from a place on are one block; 1 for any other operation. `last` is each value's last
/// use.
fn chain(program: &Program, last: &[usize], at: usize) -> usize {
    let Op::Mac { sign, x, z, .. } = &program.ops[at] else { return 1 };
    let mut length = 0;
    while let Some(Op::Mac { acc, sign: s, x: pair, xs, z: digits, zs }) = program.ops.get(at + length) {
        let same = s == sign && pair == x && digits == z;
        let shape = *xs == window(xs[0]) && usize::from(xs[0]) <= LANES && *zs == [zs[0]; LANES];
        // The sum so far goes on into this product, and nowhere else.
        let goes_on = length == 0
            || (acc.map(|a| a.0) == Some(at + length - 1) && last[at + length - 1] == at + length);
        if !(same && shape && goes_on) {
            break;
        }
        length += 1;
    }
    length.max(1)
}

/// Places of one kind of value.
#[derive(Default)]
struct Pool {
    free: Vec<Slot>,
    count: usize,
}

impl Pool {
    fn take(&mut self) -> Slot {
        self.free.pop().unwrap_or_else(|| {
            self.count += 1;
            self.count - 1
        })
    }
}

/// Which place each value has.
struct Places {
    /// Where each value is used last.
    last: Vec<usize>,
    of: Vec<Slot>,
    lanes: Pool,
    scalars: Pool,
}

/// Does the operation give a scalar?
fn scalar(op: &Op) -> bool {
    matches!(
        op,
        Op::Extract { .. }
            | Op::Immediate(_)
            | Op::ScalarAdd(..)
            | Op::ScalarAnd(..)
            | Op::ScalarShift(..)
            | Op::ExtractLong { .. }
            | Op::LongAdd(..)
            | Op::LongAnd(..)
            | Op::LongShift(..)
    )
}

impl Places {
    fn new(program: &Program) -> Self {
        let mut last: Vec<usize> = (0..program.ops.len()).collect();
        for (at, op) in program.ops.iter().enumerate() {
            op.operands().into_iter().for_each(|operand| last[operand] = at);
        }
        Self { last, of: vec![0; program.ops.len()], lanes: Pool::default(), scalars: Pool::default() }
    }

    /// Gives places to what the operations from `at` on give, of which all but the last hand their values on.
    fn enter(&mut self, program: &Program, at: usize, length: usize) {
        let end = at + length - 1;
        match &program.ops[end] {
            Op::Store { .. } | Op::Send { .. } => {}
            // In place, if nobody asks for the old vector again.
            Op::Update { into, .. } if self.last[into.0] == end => self.of[end] = self.of[into.0],
            op if scalar(op) => self.of[end] = self.scalars.take(),
            _ => self.of[end] = self.lanes.take(),
        }
    }

    /// Frees the places of what is used for the last time.
    fn leave(&mut self, program: &Program, at: usize, length: usize) {
        let end = at + length;
        let mut over: Vec<usize> = (at..end)
            .flat_map(|op| program.ops[op].operands())
            .filter(|&operand| operand < at && self.last[operand] < end)
            .collect();
        over.sort_unstable();
        over.dedup();
        for value in over {
            let place = self.of[value];
            if scalar(&program.ops[value]) {
                self.scalars.free.push(place);
            } else if !(matches!(program.ops[end - 1], Op::Update { into, .. } if into.0 == value)) {
                self.lanes.free.push(place);
            }
        }
    }

    fn step(&self, program: &Program, at: usize, length: usize) -> Option<Step> {
        let to = self.of[at + length - 1];
        let p = |v: Vector| self.of[v.0];
        Some(match program.ops[at] {
            Op::Load { number, half } => Step::Load { to, number, half },
            Op::Constant(lanes) => Step::Constant { to, lanes: lanes.map(i64::from) },
            Op::Store { number, half, from } => Step::Store { number, half, from: p(from) },
            Op::Receive { .. } | Op::Send { .. } => return None,
            Op::Mac { acc, sign, x, xs, z, zs } => {
                let (acc, minus) = (acc.map(|a| self.of[a.0]), sign == Sign::Minus);
                if length == 1 {
                    return Some(Step::Mac { to, acc, minus, x: x.map(p), xs, z: p(z), zs });
                }
                let product = |op: &Op| match op {
                    Op::Mac { xs, zs, .. } => [xs[0], zs[0]],
                    _ => unreachable!("a chain of products"),
                };
                let products = program.ops[at..][..length].iter().map(product).collect();
                Step::Block(Block { to, acc, minus, pair: x.map(p), digits: p(z), products })
            }
            Op::Srs { from, shift, rounding } => {
                let half = match rounding {
                    Rounding::Floor => 0,
                    Rounding::Nearest => (1 << shift) >> 1,
                };
                Step::Shift { to, from: self.of[from.0], half, by: shift }
            }
            Op::Ups(from) => Step::Copy { to, from: p(from) },
            Op::Add(a, b) => Step::Add { to, a: p(a), b: p(b) },
            Op::Sub(a, b) => Step::Sub { to, a: p(a), b: p(b) },
            Op::Permute { from, lanes } => Step::Permute { to, from: from.map(p), lanes },
            Op::Extract { from, lane } => Step::Extract { to, from: p(from), lane },
            Op::Update { into, lane, value } => {
                Step::Update { to, into: p(into), lane, value: self.of[value.0] }
            }
            Op::Immediate(value) => Step::Immediate { to, value: value.into() },
            Op::ScalarAdd(a, b) => Step::ScalarAdd { to, a: self.of[a.0], b: self.of[b.0] },
            Op::ScalarAnd(a, b) => Step::ScalarAnd { to, a: self.of[a.0], b: self.of[b.0] },
            Op::ScalarShift(a, by) => Step::ScalarShift { to, a: self.of[a.0], by },
            Op::SrsLong(from) => Step::Copy { to, from: self.of[from.0] },
            Op::ExtractLong { from, lane } => Step::Extract { to, from: self.of[from.0], lane },
            Op::LongAdd(a, b) => Step::ScalarAdd { to, a: self.of[a.0], b: self.of[b.0] },
            Op::LongAnd(a, b) => Step::ScalarAnd { to, a: self.of[a.0], b: self.of[b.0] },
            Op::LongShift(a, by) => Step::ScalarShift { to, a: self.of[a.0], by },
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::method::Method;
    use crate::padd::{Form, padd, padd_deferring};
    use num_bigint::Sign as Bigness;
    use rand_chacha::ChaCha20Rng;
    use rand_core::{Rng, SeedableRng};

    /// Every method, form and order of carries, on operands anywhere in their ranges, both ends of them, and one beyond.
    #[test]
    fn quick_programs_give_the_same_bits() {
        let mut rng = ChaCha20Rng::seed_from_u64(64);
        for method in Method::valid() {
            for form in Form::ALL {
                for program in [padd(method, form), padd_deferring(method, form)] {
                    let mut flat = FastProgram::new(&program).unwrap();
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
                        assert_eq!(flat.run::<4>(case).unwrap().to_vec(), program.run(case).unwrap());
                    }
                    let mut beyond = cases[1].clone();
                    beyond[0].0[2] += 1;
                    assert_eq!(flat.run::<4>(&beyond), None);
                    beyond[0] = Digits([i32::MIN; DIGITS]);
                    assert_eq!(flat.run::<4>(&beyond), None);
                    assert_eq!(flat.run::<4>(&cases[0][1..]), None);
                    // Few values live at once.
                    assert!(flat.lanes.len() < 64, "{} vectors", flat.lanes.len());
                }
            }
        }
    }
}
