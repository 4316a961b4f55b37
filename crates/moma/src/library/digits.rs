//! Elements in digits: each word holds fewer bits than it could, so that products need no carries between words.
//!
//! An element of a modulus `q = 2^m - c` is `a_0 + a_1 2^p_1 + ... + a_(n-1) 2^p_(n-1)` with `p_i = ceil(i m / n)`.
//! Digit i has `p_(i+1) - p_i` bits, and may exceed `2^bits` by a sixteenth. So an integer has several such forms, all
//! below 2q. A product sums the products of digits in columns of two words. Columns above bit m are multiplied by c,
//! which has few digits itself, and added to the low ones. In a round of
//! carries every digit passes its excess bits to the next one, all in parallel; rounds are repeated until all digits are
//! in their bounds.
//!
//! The generator tracks the greatest integer that every value can take. A modulus for which some value could exceed two
//! words, or a result its digit bounds, has no such form.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::interp::mask;
use crate::ir::{Arg, Kernel, Op, Param};
use crate::machine::Machine;

/// Greatest number of rounds of carries after a product or a sum.
const ROUNDS: usize = 4;

/// Greatest number of nonzero digits of c.
const TERMS: usize = 2;

/// The form in digits of a modulus on a machine.
#[derive(Clone, Debug)]
pub(super) struct Digits {
    modulus: BigUint,
    word: u32,
    /// The bit position at which each digit begins, and at the end the bit length of the modulus.
    places: Vec<u32>,
    /// The nonzero digits of c, with their indices.
    terms: Vec<(usize, BigUint)>,
}

/// A value of a kernel, with the greatest integer that it can take.
#[derive(Clone)]
struct Value {
    arg: Arg,
    most: BigUint,
}

impl Digits {
    /// The form of a modulus with the fewest digits. It has at most a quarter more digits than words, or one more;
    /// `None` if no such form satisfies all bounds.
    pub(super) fn new(modulus: &BigUint, machine: &Machine) -> Option<Digits> {
        let m = modulus.bits() as u32;
        let words = machine.words(m);
        (words..=words + (words / 4).max(1)).find_map(|n| {
            let places: Vec<u32> = (0..=n).map(|i| (i * m).div_ceil(n)).collect();
            let c = (BigUint::one() << m) - modulus;
            let digit = |i: usize| (&c >> places[i]) & mask(places[i + 1] - places[i]);
            let terms = (0..n as usize).map(|i| (i, digit(i))).filter(|(_, d)| !d.is_zero()).collect();
            let digits = Digits { modulus: modulus.clone(), word: machine.word, places, terms };
            let most = (0..digits.count()).map(|i| digits.most(i) << digits.places[i]).sum::<BigUint>();
            let all = [digits.add(), digits.sub(), digits.neg(), digits.mul(), digits.sqr()];
            let exists =
                digits.terms.len() <= TERMS && most < modulus * 2u32 && all.iter().all(Option::is_some);
            exists.then_some(digits)
        })
    }

    /// The number of digits of an element.
    pub(super) fn count(&self) -> usize {
        self.places.len() - 1
    }

    /// Total width of the words of an element in bits.
    pub(super) fn words_bits(&self) -> u32 {
        self.count() as u32 * self.word
    }

    fn bits(&self, i: usize) -> u32 {
        self.places[i + 1] - self.places[i]
    }

    /// The greatest value of digit i of an element.
    fn most(&self, i: usize) -> BigUint {
        let whole = BigUint::one() << self.bits(i);
        &whole + (&whole >> 4u32)
    }

    /// The digits of an integer below the modulus, each in a word.
    pub(super) fn split(&self, integer: &BigUint) -> BigUint {
        let digit = |i: usize| (integer >> self.places[i]) & mask(self.bits(i));
        (0..self.count()).map(|i| digit(i) << (i as u32 * self.word)).sum()
    }

    /// The kernel of `a + b`; `None` if a bound does not hold, as for the functions below.
    pub(super) fn add(&self) -> Option<Kernel> {
        let mut text = Builder::new(self);
        let (a, b) = (text.input("a"), text.input("b"));
        let sums = a.iter().zip(&b).map(|(a, b)| text.add(a, b)).collect::<Option<Vec<Value>>>()?;
        text.finish(sums)
    }

    /// `a - b`.
    pub(super) fn sub(&self) -> Option<Kernel> {
        let mut text = Builder::new(self);
        let (a, b) = (text.input("a"), text.input("b"));
        let twice = self.twice_modulus()?;
        let lifted = a.iter().zip(&twice).map(|(a, q)| text.add(a, q)).collect::<Option<Vec<Value>>>()?;
        text.subtract(lifted, &b)
    }

    /// `-a`, as 2q - a with the digits of 2q large enough that none becomes negative.
    pub(super) fn neg(&self) -> Option<Kernel> {
        let mut text = Builder::new(self);
        let a = text.input("a");
        text.subtract(self.twice_modulus()?, &a)
    }

    /// `a b`, below 2q as every element.
    pub(super) fn mul(&self) -> Option<Kernel> {
        let mut text = Builder::new(self);
        let (a, b) = (text.input("a"), text.input("b"));
        let columns = text.columns(&a, &b, false)?;
        text.finish(columns)
    }

    /// `a a`, with each product of two different digits computed once and doubled.
    pub(super) fn sqr(&self) -> Option<Kernel> {
        let mut text = Builder::new(self);
        let a = text.input("a");
        let columns = text.columns(&a, &a, true)?;
        text.finish(columns)
    }

    /// 2q in digits, each at least the greatest digit of an element, so that no digit of a difference is negative.
    fn twice_modulus(&self) -> Option<Vec<Value>> {
        let mut all: Vec<BigUint> = (0..self.count()).map(|i| mask(self.bits(i)) * 2u32).collect();
        // 2q = 2 (2^m - 1) - 2c + 2.
        all[0] += 2u32;
        for (i, c) in &self.terms {
            let rest = all[*i].clone();
            all[*i] = if rest >= c * 2u32 { rest - c * 2u32 } else { return None };
        }
        let enough = all.iter().enumerate().all(|(i, digit)| *digit >= self.most(i));
        enough.then(|| all.into_iter().map(constant).collect())
    }

    /// Adds instructions that compute the integer below the modulus that an element stands for, at operation width w.
    pub(super) fn reduce(&self, k: &mut Kernel, w: u32, a: &Arg) -> Arg {
        let mut sum = Arg::zero();
        for i in 0..self.count() {
            let (at, bits) = (self.places[i], self.bits(i) + 1);
            let above = vec![Arg::zero(), a.clone()];
            let above = k.push(Op::Funnel { k: i as u32 * self.word }, w, above, &[w])[0];
            let digit = k.push(Op::And, w, vec![above.into(), Arg::Const(mask(self.word))], &[bits])[0];
            let digit = k.push(Op::Funnel { k: w - at }, w, vec![digit.into(), Arg::zero()], &[at + bits])[0];
            sum = k.push(Op::Add, w, vec![sum, digit.into()], &[at + bits])[0].into();
        }
        let args = vec![sum, Arg::zero(), Arg::Const(self.modulus.clone())];
        k.push(Op::CondSub { n: 1 }, w, args, &[self.modulus.bits() as u32])[0].into()
    }

    /// Adds instructions that split an integer below the modulus into digits, at operation width w.
    pub(super) fn spread(&self, k: &mut Kernel, w: u32, a: &Arg) -> Arg {
        let mut all = Arg::zero();
        for i in 0..self.count() {
            let (at, bits) = (i as u32 * self.word, self.bits(i));
            let above = vec![Arg::zero(), a.clone()];
            let above = k.push(Op::Funnel { k: self.places[i] }, w, above, &[w])[0];
            let digit = k.push(Op::And, w, vec![above.into(), Arg::Const(mask(bits))], &[bits])[0];
            let digit = k.push(Op::Funnel { k: w - at }, w, vec![digit.into(), Arg::zero()], &[at + bits])[0];
            all = k.push(Op::Or, w, vec![all, digit.into()], &[at + bits])[0].into();
        }
        all
    }
}

fn constant(value: BigUint) -> Value {
    Value { arg: Arg::Const(value.clone()), most: value }
}

/// A kernel of words and double words under construction.
struct Builder<'a> {
    digits: &'a Digits,
    kernel: Kernel,
}

impl<'a> Builder<'a> {
    fn new(digits: &'a Digits) -> Self {
        Builder { digits, kernel: Kernel::new("") }
    }

    fn input(&mut self, name: &str) -> Vec<Value> {
        let (n, word) = (self.digits.count(), self.digits.word);
        let most: Vec<BigUint> = (0..n).map(|i| self.digits.most(i)).collect();
        let parts: Vec<Arg> = most.iter().map(|most| self.kernel.var(most.bits() as u32).into()).collect();
        self.kernel.inputs.push(Param {
            name: name.into(),
            bits: n as u32 * word,
            parts: parts.clone(),
            stride: word,
            word: false,
        });
        parts.into_iter().zip(most).map(|(arg, most)| Value { arg, most }).collect()
    }

    /// Adds an operation at the width of a word if all its values fit one, else of two; `None` if a value could exceed
    /// two words.
    fn push(&mut self, op: Op, args: Vec<&Value>, most: BigUint) -> Option<Value> {
        let word = self.digits.word;
        let widest = args.iter().map(|a| a.most.bits()).max()?.max(most.bits());
        let width = if widest <= u64::from(word) { word } else { 2 * word };
        if widest > u64::from(width) {
            return None;
        }
        let args = args.into_iter().map(|a| a.arg.clone()).collect();
        let arg = self.kernel.push(op, width, args, &[most.bits() as u32])[0].into();
        Some(Value { arg, most })
    }

    fn add(&mut self, a: &Value, b: &Value) -> Option<Value> {
        self.push(Op::Add, vec![a, b], &a.most + &b.most)
    }

    fn mul(&mut self, a: &Value, b: &Value) -> Option<Value> {
        self.push(Op::MulLo, vec![a, b], &a.most * &b.most)
    }

    fn times(&mut self, a: &Value, factor: BigUint) -> Option<Value> {
        if factor.is_one() { Some(a.clone()) } else { self.mul(a, &constant(factor)) }
    }

    /// Adds a value to a column, which may be empty.
    fn gather(&mut self, column: &mut Option<Value>, value: Value) -> Option<()> {
        *column = Some(match column.take() {
            Some(sum) => self.add(&sum, &value)?,
            None => value,
        });
        Some(())
    }

    /// The columns of a product, one per digit. If c is one short digit, it is multiplied into the second operands of
    /// the products above bit m. Otherwise a round of carries makes words of the columns above bit m, and their
    /// products with the digits of c are added to the low columns.
    fn columns(&mut self, a: &[Value], b: &[Value], square: bool) -> Option<Vec<Value>> {
        let (n, digits) = (a.len(), self.digits);
        let place = |k: usize| digits.places[k % n] + digits.places[n] * (k / n) as u32;
        // Three more bits: one for the doubling in a square, and two for the difference between the position of a
        // product and the sum of its operands' positions.
        let fits = |c: &BigUint| c.bits() + u64::from(digits.bits(0)) + 4 <= u64::from(digits.word);
        let short = match &digits.terms[..] {
            [(0, c)] if fits(c) => Some(c),
            _ => None,
        };
        let mut columns: Vec<Option<Value>> = vec![None; 2 * n];
        for k in 0..2 * n - 1 {
            for i in k.saturating_sub(n - 1)..n.min(k + 1) {
                let j = k - i;
                if square && j < i {
                    continue;
                }
                let mut factor =
                    BigUint::one() << (place(i) + place(j) - place(k) + u32::from(square && i != j));
                let mut to = k;
                if let Some(c) = short.filter(|_| k >= n) {
                    factor *= c;
                    to = k - n;
                }
                let other = self.times(&b[j], factor)?;
                let product = self.mul(&a[i], &other)?;
                self.gather(&mut columns[to], product)?;
            }
        }
        let above: Vec<Value> = columns.drain(n..).flatten().collect();
        if !above.is_empty() {
            let mut above: Vec<Option<Value>> = if digits.terms.iter().all(|(_, c)| c.is_one()) {
                above.into_iter().map(Some).collect()
            } else {
                let (mut words, last) = self.carried(&above)?;
                words.push(Some(last));
                words
            };
            columns.append(&mut above);
        }
        for k in (n..columns.len()).rev() {
            let Some(above) = columns[k].take() else { continue };
            for (t, c) in &digits.terms {
                let factor = c << (place(k - n) + place(*t) - place(k - n + t));
                let back = self.times(&above, factor)?;
                self.gather(&mut columns[k - n + t], back)?;
            }
        }
        columns.into_iter().take(n).collect()
    }

    /// One round of carries from the first digit on: the digits after the round, and the carry out of the last one.
    fn carried(&mut self, columns: &[Value]) -> Option<(Vec<Option<Value>>, Value)> {
        let mut kept = Vec::with_capacity(columns.len());
        let mut carry: Option<Value> = None;
        for (i, column) in columns.iter().enumerate() {
            let bits = self.digits.bits(i);
            let most = column.most.clone().min(mask(bits));
            let low = self.push(Op::And, vec![column, &constant(mask(bits))], most)?;
            kept.push(Some(match carry {
                Some(carry) => self.add(&low, &carry)?,
                None => low,
            }));
            let shift = Op::Funnel { k: bits };
            carry = Some(self.push(shift, vec![&constant(BigUint::zero()), column], &column.most >> bits)?);
        }
        Some((kept, carry?))
    }

    fn subtract(mut self, from: Vec<Value>, b: &[Value]) -> Option<Kernel> {
        let differences = from.iter().zip(b).map(|(a, b)| self.push(Op::Sub, vec![a, b], a.most.clone()));
        let differences = differences.collect::<Option<Vec<Value>>>()?;
        self.finish(differences)
    }

    /// Adds rounds of carries until every digit is in its bounds, and names the result.
    fn finish(mut self, mut columns: Vec<Value>) -> Option<Kernel> {
        let (digits, n) = (self.digits, columns.len());
        for _ in 0..ROUNDS {
            if columns.iter().enumerate().all(|(i, column)| column.most <= digits.most(i)) {
                let (name, word) = ("c".to_owned(), digits.word);
                let (parts, bits) = (columns.into_iter().map(|c| c.arg).collect(), n as u32 * word);
                self.kernel.outputs.push(Param { name, bits, parts, stride: word, word: false });
                return Some(self.kernel);
            }
            let (mut next, last) = self.carried(&columns)?;
            for (t, c) in &digits.terms {
                let back = self.times(&last, c.clone())?;
                self.gather(&mut next[*t], back)?;
            }
            columns = next.into_iter().collect::<Option<Vec<Value>>>()?;
        }
        None
    }
}
