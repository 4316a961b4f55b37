//! Ranges of every value of a program, for all operands in range at once.
//!
//! For digits, the program runs on intervals instead of integers, in the same code as [`Program::run`]; a lane,
//! accumulator or scalar that could overflow for some operands is a [`Fault`]. For integers, the range of a whole number
//! follows from the facts that the generator left in the program (a number is a sum, or a residue by Barrett's or
//! Montgomery's identity) and from the ranges of the digits in them. The range of the integer in turn bounds its highest
//! digits more closely than their computation does.

use crate::digits::{DIGITS, Layout, RADIX_BITS, modulus};
use crate::modmul::digits28::{self, CUT, GUARD, MU_BITS};
use crate::modmul::{NUMBER_BITS, mu};
use crate::program::{
    Fact, InputRange, Number, Op, Operation, Program, Register, Rounding, Sign, Vector, Word,
};
use crate::run::{Bounded, Fault, Interpreter};
use num_bigint::BigInt;
use std::collections::BTreeMap;
use thiserror::Error;

/// Why a program is not proved correct for all operands.
#[derive(Clone, PartialEq, Eq, Debug, Error)]
pub enum RangeError {
    /// The number of ranges is not that of the program's operands.
    #[error("{given} ranges for a program of {taken} operands")]
    Operands {
        /// The number of ranges.
        given: usize,
        /// The number of operands that the program takes.
        taken: usize,
    },
    /// Some operands could overflow a register.
    #[error(transparent)]
    Fault(#[from] Fault),
    /// A residue is known only modulo 2^400 (2^392 with digits of 28 bits), and its range contains more than one such
    /// integer.
    #[error("before operation {at}: a result's digits may stand for more than one integer")]
    Ambiguous {
        /// The number of operations before the fact that is ambiguous.
        at: usize,
    },
}

/// The range of a result.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Range {
    /// The least and the greatest integer.
    pub value: [BigInt; 2],
    /// The least and greatest value of each digit.
    pub digits: [[i128; 2]; DIGITS],
}

/// The ranges of the results and of all registers of a program.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Ranges {
    /// The ranges of the results.
    pub outputs: Vec<Range>,
    /// The least and the greatest value of all vector lanes.
    pub lane: [i128; 2],
    /// The least and the greatest value of all accumulator lanes.
    pub accumulator: [i128; 2],
    /// The least and the greatest value of all scalar registers; zeros if the program uses none.
    pub scalar: [i128; 2],
    /// The least and the greatest value of all integers of 64 bits; zeros if the program uses none.
    pub long: [i128; 2],
}

/// All integers from `low` to `high`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Interval {
    low: i128,
    high: i128,
}

impl Interval {
    const fn one(value: i128) -> Self {
        Self { low: value, high: value }
    }
}

impl Word for Interval {
    fn exact(value: i32) -> Self {
        Self::one(value.into())
    }
    fn add(self, other: Self) -> Self {
        Self { low: self.low + other.low, high: self.high + other.high }
    }
    fn sub(self, other: Self) -> Self {
        Self { low: self.low - other.high, high: self.high - other.low }
    }
    fn mul(self, other: Self) -> Self {
        let corners =
            [self.low * other.low, self.low * other.high, self.high * other.low, self.high * other.high];
        let [a, b, c, d] = corners;
        Self { low: a.min(b).min(c).min(d), high: a.max(b).max(c).max(d) }
    }
    fn shift(self, by: u32, rounding: Rounding) -> Self {
        Self { low: Word::shift(self.low, by, rounding), high: Word::shift(self.high, by, rounding) }
    }
    fn and(self, other: Self) -> Self {
        match (other.low == other.high, self.low == self.high) {
            (true, true) => Self::one(self.low & other.low),
            // A mask of low bits does not change a value within the mask.
            (true, _) if (other.low & (other.low + 1)) == 0 && self.low >= 0 && self.high <= other.low => {
                self
            }
            // An operand that is not negative bounds the result.
            _ if other.low >= 0 => Self { low: 0, high: other.high },
            _ if self.low >= 0 => Self { low: 0, high: self.high },
            _ => Self { low: i64::MIN.into(), high: i64::MAX.into() },
        }
    }
}

impl Bounded for Interval {
    fn low(&self) -> i128 {
        self.low
    }
    fn high(&self) -> i128 {
        self.high
    }
    fn remainder(self, by: u32, rounding: Rounding) -> Self {
        let quotient = Word::shift(self, by, rounding);
        if quotient.low == quotient.high {
            // All values have one quotient, so the remainder is the value minus a constant.
            return self.sub(Self::one(quotient.low << by));
        }
        match rounding {
            Rounding::Floor => Self { low: 0, high: (1 << by) - 1 },
            Rounding::Nearest => Self { low: -(1 << by >> 1), high: (1 << by >> 1) - 1 },
        }
    }
}

/// Derives the ranges of all values for operands within [`Program::inputs`].
///
/// # Errors
/// The errors of [`analyse_within`].
pub fn analyse(program: &Program) -> Result<Ranges, RangeError> {
    analyse_within(program, program.inputs())
}

/// Derives the ranges of all values for operands in the given ranges.
///
/// # Errors
/// [`RangeError`] if some operands could overflow a register or make a result ambiguous.
pub fn analyse_within(program: &Program, inputs: &[InputRange]) -> Result<Ranges, RangeError> {
    if inputs.len() != program.inputs().len() {
        return Err(RangeError::Operands { given: inputs.len(), taken: program.inputs().len() });
    }
    let words: Vec<_> = inputs.iter().map(operand).collect();
    let layout = inputs.first().map_or(Layout::DIGITS_25, |input| input.layout);
    let mut analysis = Analysis { run: Interpreter::new(program, &words), layout, known: BTreeMap::new() };
    for (number, halves) in operands_of(program) {
        analysis.known.insert(halves, inputs[number].value.clone());
    }
    for (at, fact) in &program.facts {
        analysis.run.advance(*at)?;
        analysis.learn(*at, fact)?;
    }
    analysis.run.advance(program.ops.len())?;

    let mut stored = vec![[Vector(0); 2]; program.outputs()];
    for Operation { op, operands } in &program.ops {
        if let Op::Store { number, half } = *op {
            stored[number][half] = Vector(operands[0]);
        }
    }
    let outputs = stored.iter().zip(&analysis.run.outputs).map(|(&number, digits)| Range {
        value: analysis.value(number),
        digits: digits.map(|d| [d.low, d.high]),
    });
    let outputs = outputs.collect();
    let widest = |register: Register| analysis.run.widest[register as usize];
    Ok(Ranges {
        outputs,
        lane: widest(Register::Vector),
        accumulator: widest(Register::Accumulator),
        scalar: widest(Register::Scalar),
        long: {
            let [vector, scalar] = [Register::VectorPair, Register::ScalarPair].map(widest);
            [vector[0].min(scalar[0]), vector[1].max(scalar[1])]
        },
    })
}

/// The digits of an operand, as intervals.
fn operand(range: &InputRange) -> [Interval; DIGITS] {
    let [low, high] = range.digit.map(i128::from);
    let mut digits = [Interval { low, high }; DIGITS];
    digits[..range.layout.first].fill(Interval { low: 0, high: 0 });
    // The highest digit holds all remaining bits.
    digits[DIGITS - 1] = Interval { low: i32::MIN.into(), high: i32::MAX.into() };
    narrow(range.layout, &mut digits, &range.value);
    digits
}

/// The vectors that each operand is loaded to, by the number of the operand.
fn operands_of(program: &Program) -> BTreeMap<usize, Number> {
    let mut loaded = BTreeMap::new();
    for (at, Operation { op, .. }) in program.ops.iter().enumerate() {
        if let Op::Load { number, half } = *op {
            loaded.entry(number).or_insert([Vector(0); 2])[half] = Vector(at);
        }
    }
    loaded
}

/// The least and greatest integer of a number's lanes, without lane `out`.
fn sum_without(layout: Layout, lanes: &[Interval; DIGITS], out: Option<usize>) -> [BigInt; 2] {
    let mut sum = [BigInt::ZERO, BigInt::ZERO];
    for (i, digit) in lanes.iter().enumerate().skip(layout.first).filter(|(i, _)| Some(*i) != out) {
        let place = layout.radix_bits as usize * (i - layout.first);
        sum[0] += BigInt::from(digit.low) << place;
        sum[1] += BigInt::from(digit.high) << place;
    }
    sum
}

/// Narrows each digit's interval to the values that it can have if the integer is in the range.
fn narrow(layout: Layout, digits: &mut [Interval; DIGITS], value: &[BigInt; 2]) {
    for i in (layout.first..DIGITS).rev() {
        let rest = sum_without(layout, digits, Some(i));
        let place = layout.radix_bits as usize * (i - layout.first);
        // A right shift rounds down; rounding up is rounding down the negative.
        let low = -((-(&value[0] - &rest[1])) >> place);
        let high: BigInt = (&value[1] - &rest[0]) >> place;
        let bound = |x: BigInt, otherwise| i128::try_from(x).unwrap_or(otherwise);
        digits[i].low = digits[i].low.max(bound(low, i128::MIN));
        digits[i].high = digits[i].high.min(bound(high, i128::MAX));
    }
}

struct Analysis<'p> {
    run: Interpreter<'p, Interval>,
    layout: Layout,
    /// Ranges of integers that are narrower than their digits alone show.
    known: BTreeMap<Number, [BigInt; 2]>,
}

impl Analysis<'_> {
    /// The range of a number as an integer.
    fn value(&self, number: Number) -> [BigInt; 2] {
        self.known
            .get(&number)
            .cloned()
            .unwrap_or_else(|| sum_without(self.layout, &self.run.number(number), None))
    }

    /// The range of a number as its digits alone show it.
    fn by_digits(&self, number: Number) -> [BigInt; 2] {
        sum_without(self.layout, &self.run.number(number), None)
    }

    fn product(&self, a: Number, b: Number) -> [BigInt; 2] {
        let (a, b) = (self.value(a), self.value(b));
        let mut corners = [&a[0] * &b[0], &a[0] * &b[1], &a[1] * &b[0], &a[1] * &b[1]];
        corners.sort();
        let [low, _, _, high] = corners;
        [low, high]
    }

    fn learn(&mut self, at: usize, fact: &Fact) -> Result<(), RangeError> {
        let (result, value) = match fact {
            Fact::Sum { result, terms, constant } => {
                let mut sum = [constant.clone(), constant.clone()];
                for &(sign, term) in terms {
                    let [low, high] = self.value(term);
                    match sign {
                        Sign::Plus => sum = [&sum[0] + low, &sum[1] + high],
                        Sign::Minus => sum = [&sum[0] - high, &sum[1] - low],
                    }
                }
                (*result, sum)
            }
            Fact::Barrett { a, b, low_in, low_mu, result } => {
                let value = self.barrett(*a, *b, *low_in, *low_mu);
                self.check_unambiguous(at, *result, &value)?;
                (*result, value)
            }
            Fact::Barrett28 { a, b, high, quotient, result } => {
                let value = self.barrett28(*a, *b, *high, *quotient);
                self.check_unambiguous(at, *result, &value)?;
                (*result, value)
            }
            Fact::Montgomery28 { a, b, t, sum, result } => {
                let m = digits_of_28_bits(&modulus());
                // The part below 2^392: the columns that are not computed, and the guard columns.
                let [a_lanes, b_lanes, t_lanes] = [a, b, t].map(|n| self.run.number(*n));
                let parts = [
                    omitted_columns(&a_lanes[2..], &b_lanes[2..]),
                    omitted_columns(&t_lanes[2..], &m),
                    guards(&self.run.number(*sum)[..2]),
                ];
                let least = parts.iter().map(|p| &p[0]).sum::<BigInt>();
                let most = parts.iter().map(|p| &p[1]).sum::<BigInt>();
                let bits = self.layout.number_bits();
                let range = BigInt::from(1) << bits;
                if most >= range || least <= -range {
                    return Err(RangeError::Ambiguous { at });
                }
                let (x, t, m) = (self.product(*a, *b), self.by_digits(*t), modulus());
                (*result, inward([&x[0] + &t[0] * &m, &x[1] + &t[1] * &m], bits))
            }
            Fact::Montgomery { a, b, t, low, result } => {
                // The part below 2^400 is a multiple of 2^400, so it is zero if it is smaller in magnitude.
                let (below, range) = (self.by_digits(*low), BigInt::from(1) << NUMBER_BITS);
                if below[1] >= range || below[0] <= -&range {
                    return Err(RangeError::Ambiguous { at });
                }
                let (x, t, m) = (self.product(*a, *b), self.by_digits(*t), modulus());
                let value = inward([&x[0] + &t[0] * &m, &x[1] + &t[1] * &m], NUMBER_BITS);
                (*result, value)
            }
        };
        let mut digits = self.run.number(result);
        narrow(self.layout, &mut digits, &value);
        self.run.set_number(result, digits);
        self.known.insert(result, value);
        Ok(())
    }

    /// Checks a number that is known only modulo a power of two: its digits' range must leave one integer of `value`
    /// only.
    fn check_unambiguous(&self, at: usize, number: Number, value: &[BigInt; 2]) -> Result<(), RangeError> {
        let (digits, range) = (self.by_digits(number), BigInt::from(1) << self.layout.number_bits());
        let several = &digits[1] - &value[0] >= range || &value[1] - &digits[0] >= range;
        if several { Err(RangeError::Ambiguous { at }) } else { Ok(()) }
    }

    /// With `x = a·b`, `x = m·2^364 + l`, `m·μ = q·2^392 + k`: `r = x - q·M`, so that
    /// `r·2^756 = x·(2^756 - μM) + l·μM + k·M·2^364`. Of `l` and `k` there are guards and columns that are in no lane.
    fn barrett28(&self, a: Number, b: Number, high: Number, quotient: Number) -> [BigInt; 2] {
        let [a_lanes, b_lanes, high, quotient] = [a, b, high, quotient].map(|n| self.run.number(n));
        let x = self.product(a, b);
        let (l, l_guard) = (omitted_columns(&a_lanes[2..], &b_lanes[2..]), guards(&high[..CUT - GUARD]));
        let mu = digits28::mu();
        let (k, k_guard) =
            (omitted_columns(&high[CUT - GUARD..], &digits_of_28_bits(&mu)), guards(&quotient[..2]));
        let m = modulus();
        let mu_m = &mu * &m;
        let of_x = (BigInt::from(1) << MU_BITS) - &mu_m;
        let of_k = m << (CUT as u32 * self.layout.radix_bits);
        // μ is to the nearest, so that its error has either sign.
        let mut of_x = [&x[0] * &of_x, &x[1] * &of_x];
        of_x.sort();
        let end = |i: usize| &of_x[i] + (&l[i] + &l_guard[i]) * &mu_m + (&k[i] + &k_guard[i]) * &of_k;
        inward([end(0), end(1)], MU_BITS)
    }

    /// With `x = a·b`, `x = m·2^375 + l`, `m·μ = q·2^400 + k`: `r = x - q·M`, so that
    /// `r·2^800 = x·(2^800 - 2^25·μM) + 2^25·l·μM + 2^400·k·M`. `low_in` stands for `2^25·l`, `low_mu` for `k`.
    fn barrett(&self, a: Number, b: Number, low_in: Number, low_mu: Number) -> [BigInt; 2] {
        let (x, l, k) = (self.product(a, b), self.by_digits(low_in), self.by_digits(low_mu));
        let m = modulus();
        let mu_m = mu() * &m;
        // All factors are positive: μM is at most 2^775.
        let of_x = (BigInt::from(1) << (2 * NUMBER_BITS)) - (&mu_m << RADIX_BITS);
        let of_k = m << NUMBER_BITS;
        let end = |i: usize| &x[i] * &of_x + &l[i] * &mu_m + &k[i] * &of_k;
        inward([end(0), end(1)], 2 * NUMBER_BITS)
    }
}

/// Digits of 28 bits of a constant, as intervals.
fn digits_of_28_bits(x: &BigInt) -> Vec<Interval> {
    let digits = Layout::DIGITS_28.split(x).expect("a constant that fits").0;
    digits[Layout::DIGITS_28.first..].iter().map(|&d| Word::exact(d)).collect()
}

/// The range of the columns below the guards of a product of digits.
fn omitted_columns(x: &[Interval], z: &[Interval]) -> [BigInt; 2] {
    let mut sum = [BigInt::ZERO, BigInt::ZERO];
    for (i, x) in x.iter().enumerate() {
        for (j, z) in z.iter().enumerate().take(GUARD.saturating_sub(i)) {
            let (product, place) = (x.mul(*z), Layout::DIGITS_28.radix_bits as usize * (i + j));
            sum[0] += BigInt::from(product.low) << place;
            sum[1] += BigInt::from(product.high) << place;
        }
    }
    sum
}

/// The range of the lowest guards.
fn guards(lanes: &[Interval]) -> [BigInt; 2] {
    let mut sum = [BigInt::ZERO, BigInt::ZERO];
    for (i, lane) in lanes.iter().enumerate() {
        let place = Layout::DIGITS_28.radix_bits as usize * (GUARD + i);
        sum[0] += BigInt::from(lane.low) << place;
        sum[1] += BigInt::from(lane.high) << place;
    }
    sum
}

/// The integers whose product with 2^`by` is in the range.
fn inward([low, high]: [BigInt; 2], by: u32) -> [BigInt; 2] {
    [-((-low) >> by), high >> by]
}

#[cfg(test)]
mod tests;
