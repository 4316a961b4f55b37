//! The functions of one field as kernels in which the modulus is a constant, so that passes remove operations on its
//! trivial digits.
//!
//! Elements are held in one of three forms. In Montgomery form a product is reduced digit by digit. In plain form, for
//! a modulus `2^m - c` with a small c, a product is *folded*: with `x = h 2^k + l`, `x = h (2^k mod q) + l` modulo q,
//! where `2^k mod q` is a short number. Folds are repeated until the value is below 2q. The third form keeps elements
//! below 2q in digits that are shorter than words; the module `digits` has its functions.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::catalogue::{FieldSpec, Function};
use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Kernel, Op, Reduction};
use crate::lower::{Options, lower};
use crate::machine::Machine;
use crate::passes;

use super::digits::Digits;

/// The form that elements are held in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Form {
    /// `a R mod q` for the element a, with R a power of the machine's word.
    Montgomery,
    /// The element itself; products are folded.
    Plain,
    /// The element in digits that are shorter than words, as an integer below 2q; sums and products are reduced only to
    /// that range.
    Digits,
}

/// Greatest number of folds with which a product is still cheaper than in Montgomery form.
const MOST_FOLDS: usize = 3;

/// A fold: the value is split at bit `at`, and the part above is multiplied by `factor = 2^at mod q` and added to the
/// part below.
struct Fold {
    at: u32,
    factor: BigUint,
    /// The greatest value of the part above bit `at`.
    high: BigUint,
    /// The greatest value of the sum.
    bound: BigUint,
}

/// The functions of a field on a machine, at full width.
pub struct Kernels<'a> {
    /// The modulus: odd, at least 3.
    pub modulus: &'a BigUint,
    /// The machine, whose word decides the frame.
    pub machine: &'a Machine,
    /// The form of elements.
    pub form: Form,
}

/// The folds that bring a product below 2q; `None` if there are more than [`MOST_FOLDS`] or a factor exceeds a word.
fn folds(q: &BigUint, machine: &Machine) -> Option<Vec<Fold>> {
    let m = q.bits() as u32;
    let c = (BigUint::one() << m) - q;
    let words = machine.words(m) * machine.word;
    let mut bound = (q - 1u32) * (q - 1u32);
    let mut folds = Vec::new();
    while bound >= q * 2u32 {
        if folds.len() == MOST_FOLDS {
            return None;
        }
        // A split at a word boundary needs no shift; if c is one, a split at bit m needs no product, which is worth the
        // shift.
        let aligned = folds.is_empty() && !c.is_one() && !(&bound >> words).is_zero();
        let at = if aligned { words } else { m };
        let factor = &c << (at - m);
        if factor.bits() > u64::from(machine.word) {
            return None;
        }
        let high = &bound >> at;
        bound = &high * &factor + bound.min(mask(at));
        folds.push(Fold { at, factor, high, bound: bound.clone() });
    }
    Some(folds)
}

/// Whether products modulo q can be folded on a machine: `q = 2^m - c` with a c so short that at most three folds
/// suffice.
pub fn folds_well(q: &BigUint, machine: &Machine) -> bool {
    q.bit(0) && *q > BigUint::from(2u32) && folds(q, machine).is_some()
}

/// The number of digits of an element in [`Form::Digits`]; `None` for a modulus that has no such form on the machine.
pub fn digit_count(q: &BigUint, machine: &Machine) -> Option<usize> {
    Digits::new(q, machine).map(|digits| digits.count())
}

impl Kernels<'_> {
    fn bits(&self) -> u32 {
        self.modulus.bits() as u32
    }

    fn width(&self) -> u32 {
        self.machine.padded(self.bits())
    }

    fn spec(&self) -> FieldSpec {
        FieldSpec::new(self.bits(), Reduction::Montgomery)
    }

    /// The integer that represents the element one: R mod q in Montgomery form, else 1.
    pub fn unit(&self) -> BigUint {
        match self.form {
            Form::Montgomery => (BigUint::one() << self.spec().radix_bits(self.machine)) % self.modulus,
            Form::Plain | Form::Digits => BigUint::one() % self.modulus,
        }
    }

    /// A function of the catalogue with the modulus and its constant as constants.
    fn fixed(&self, function: Function) -> Result<Kernel, MomaError> {
        let spec = self.spec();
        let mut kernel = spec.kernel(function, self.machine)?;
        kernel.fix("q", self.modulus);
        kernel.fix("qinv", &spec.constant(self.modulus, self.machine)?);
        Ok(kernel)
    }

    /// The digits of the modulus in [`Form::Digits`]; `None` in another form.
    fn digits(&self) -> Result<Option<Digits>, MomaError> {
        match self.form {
            Form::Digits => Digits::new(self.modulus, self.machine).map(Some).ok_or(MomaError::NoDigits),
            _ => Ok(None),
        }
    }

    /// The words of the element that an integer below the modulus stands for, as one integer, lowest word first.
    ///
    /// # Errors
    /// [`MomaError::NoDigits`] if the modulus has no digits and that form is asked for.
    pub fn element(&self, integer: &BigUint) -> Result<BigUint, MomaError> {
        let element = integer * self.unit() % self.modulus;
        Ok(self.digits()?.map_or(element.clone(), |digits| digits.split(&element)))
    }

    /// The kernels of all functions at full width, named `pw_` and the function.
    ///
    /// # Errors
    /// Those of [`FieldSpec::kernel`] and [`FieldSpec::constant`]; [`MomaError::NoDigits`].
    pub fn all(&self) -> Result<Vec<Kernel>, MomaError> {
        let digits = self.digits()?;
        let [add, sub, neg, mul, sqr, to, from] = match &digits {
            Some(digits) => self.of_digits(digits)?,
            None => self.of_integers()?,
        };
        let all = [
            ("add", add),
            ("sub", sub),
            ("neg", neg),
            ("mul", mul),
            ("sqr", sqr),
            ("to_montgomery", to),
            ("from_montgomery", from),
            ("pick_words", self.pick(digits.as_ref())),
            ("same_words", self.same(digits.as_ref())),
            ("less_words", self.less()),
            ("below_words", self.below()),
        ];
        Ok(all.into_iter().map(|(name, kernel)| Kernel { name: format!("pw_{name}"), ..kernel }).collect())
    }

    /// The kernels of all functions in words and, for sums of products of digits, double words, ready to be printed.
    ///
    /// # Errors
    /// Those of [`Kernels::all`] and [`lower`].
    pub fn lowered(&self) -> Result<Vec<Kernel>, MomaError> {
        let double = |kernel: &Kernel| kernel.inputs.iter().any(|input| input.parts.len() > 1);
        let lowered = |kernel: Kernel| match double(&kernel) {
            true => Ok(passes::optimise(kernel)),
            false => lower(&kernel, self.machine, Options::default()),
        };
        self.all()?.into_iter().map(lowered).collect()
    }

    /// Sum, difference, negative, product, square and conversions in Montgomery or plain form.
    fn of_integers(&self) -> Result<[Kernel; 7], MomaError> {
        let montgomery = self.form == Form::Montgomery;
        let (add, sub) = (self.fixed(Function::AddMod)?, self.fixed(Function::SubMod)?);
        let mut neg = sub.clone();
        neg.fix("a", &BigUint::zero());
        if let Some(p) = neg.inputs.first_mut() {
            p.name = "a".to_owned();
        }
        let mul = if montgomery { self.fixed(Function::MulMod)? } else { self.folded(false) };
        let sqr = if montgomery { self.fixed(Function::SqrMod)? } else { self.folded(true) };
        let (mut to, mut from) = (mul.clone(), mul.clone());
        let unit = self.unit();
        to.fix("b", &(&unit * &unit % self.modulus));
        from.fix("b", &BigUint::one());
        Ok([add, sub, neg, mul, sqr, to, from])
    }

    /// The same functions on digits.
    fn of_digits(&self, digits: &Digits) -> Result<[Kernel; 7], MomaError> {
        let (m, w) = (self.bits(), self.digits_width(digits));
        let (mut to, mut from) = (Kernel::new(""), Kernel::new(""));
        let integer = to.input("a", m);
        let element = digits.spread(&mut to, w, &integer);
        to.output("c", digits.words_bits(), element);
        let element = from.input("a", digits.words_bits());
        let integer = digits.reduce(&mut from, w, &element);
        from.output("c", m, integer);
        let all =
            [digits.add(), digits.sub(), digits.neg(), digits.mul(), digits.sqr(), Some(to), Some(from)];
        let all: Option<Vec<Kernel>> = all.into_iter().collect();
        all.and_then(|all| all.try_into().ok()).ok_or(MomaError::NoDigits)
    }

    /// The operation width that holds both the words of an element in digits and its integer with a spare bit.
    fn digits_width(&self, digits: &Digits) -> u32 {
        self.machine.padded(digits.words_bits().max(self.bits() + 1))
    }

    /// `a b` or `a a` modulo q by folds.
    fn folded(&self, square: bool) -> Kernel {
        let (m, w) = (self.bits(), self.width());
        let mut k = Kernel::new("");
        let a = k.input("a", m);
        let widths = [(2 * m).saturating_sub(w), (2 * m).min(w)];
        let product = if square {
            k.push(Op::Sqr, w, vec![a], &widths)
        } else {
            let b = k.input("b", m);
            k.push(Op::Mul, w, vec![a, b], &widths)
        };
        let (mut high, mut low): (Arg, Arg) = (product[0].into(), product[1].into());
        let folds = folds(self.modulus, self.machine).unwrap_or_default();
        for (index, fold) in folds.iter().enumerate() {
            if index + 1 == folds.len()
                && let Some(c) = self.last_fold(&mut k, fold, &high, &low)
            {
                k.output("c", m, c);
                return k;
            }
            (high, low) = apply(&mut k, w, fold, high, low);
        }
        let args = vec![low, high, Arg::Const(self.modulus.clone())];
        let c = k.push(Op::CondSub { n: 1 }, w, args, &[m])[0];
        k.output("c", m, c.into());
        k
    }

    /// The last fold combined with the conditional subtraction, for `q = 2^m - c`. The sum v of the fold is below 2q,
    /// and q must be subtracted if `v + c` reaches 2^m; the difference is then the lower m bits of `v + c`. So c is
    /// added to the short product of the fold, and the two sums v and v + c do not depend on one another: a square
    /// modulo 2^255 - 19 takes a fifth less time. `None` where this does not pay: if m is a multiple of the word, where
    /// the carry tells the same, and for more than eight words.
    fn last_fold(&self, k: &mut Kernel, fold: &Fold, high: &Arg, low: &Arg) -> Option<Arg> {
        let (m, w) = (self.bits(), self.width());
        let words = self.machine.words(m);
        let c = (BigUint::one() << m) - self.modulus;
        let product_bits = (&fold.high * &fold.factor + &c).bits() as u32;
        if words > 8
            || m == words * self.machine.word
            || product_bits > m
            || fold.bound.bits() > u64::from(m + 1)
        {
            return None;
        }
        let (above, below) = cut(k, w, fold, high.clone(), low.clone());
        let product: Arg = if fold.factor.is_one() {
            above
        } else {
            k.push(Op::MulLo, w, vec![above, Arg::Const(fold.factor.clone())], &[product_bits])[0].into()
        };
        let with_c = k.push(Op::Add, w, vec![product.clone(), Arg::Const(c)], &[product_bits])[0];
        let smaller = k.push(Op::Add, w, vec![product, below.clone()], &[m + 1])[0];
        let sum = k.push(Op::Add, w, vec![with_c.into(), below], &[m + 1])[0];
        let reached = k.push(Op::Funnel { k: m }, w, vec![Arg::zero(), sum.into()], &[1])[0];
        let greater = k.push(Op::And, w, vec![sum.into(), Arg::Const(mask(m))], &[m])[0];
        Some(k.push(Op::Select, w, vec![reached.into(), greater.into(), smaller.into()], &[m])[0].into())
    }

    /// `flag ? a : b` on the words of two elements.
    fn pick(&self, digits: Option<&Digits>) -> Kernel {
        let m = digits.map_or(self.bits(), Digits::words_bits);
        let w = self.machine.padded(m);
        let mut k = Kernel::new("");
        let (flag, a, b) = (k.input("flag", 1), k.input("a", m), k.input("b", m));
        let c = k.push(Op::Select, w, vec![flag, a, b], &[m])[0];
        k.output("c", m, c.into());
        k
    }

    /// Whether `a = b`, as one bit: neither a - b nor b - a has a borrow. Elements in digits are reduced to integers
    /// first.
    fn same(&self, digits: Option<&Digits>) -> Kernel {
        let w = digits.map_or(self.width(), |digits| self.digits_width(digits));
        let mut k = Kernel::new("");
        let [a, b] = ["a", "b"].map(|name| match digits {
            Some(digits) => {
                let element = k.input(name, digits.words_bits());
                digits.reduce(&mut k, w, &element)
            }
            None => k.input(name, self.bits()),
        });
        let less = k.push(Op::Sub, w, vec![a.clone(), b.clone()], &[1, w])[0];
        let more = k.push(Op::Sub, w, vec![b, a], &[1, w])[0];
        let differ = k.push(Op::Or, 1, vec![less.into(), more.into()], &[1])[0];
        let c = k.push(Op::Xor, 1, vec![differ.into(), Arg::small(1)], &[1])[0];
        k.output("c", 1, c.into());
        k
    }

    /// Whether `a < b` for integers below the modulus, as one bit: the borrow of a - b.
    fn less(&self) -> Kernel {
        let (m, w) = (self.bits(), self.width());
        let mut k = Kernel::new("");
        let (a, b) = (k.input("a", m), k.input("b", m));
        let borrow = k.push(Op::Sub, w, vec![a, b], &[1, w])[0];
        k.output("c", 1, borrow.into());
        k
    }

    /// Whether `a < q` for any a that fits the words of an integer below the modulus, as one bit.
    fn below(&self) -> Kernel {
        let all = self.machine.words(self.bits()) * self.machine.word;
        let w = self.machine.padded(all);
        let mut k = Kernel::new("");
        let a = k.input("a", all);
        let borrow = k.push(Op::Sub, w, vec![a, Arg::Const(self.modulus.clone())], &[1, w])[0];
        k.output("c", 1, borrow.into());
        k
    }
}

/// The parts of the value `high 2^w + low` above and below the bit at which a fold splits it.
fn cut(k: &mut Kernel, w: u32, fold: &Fold, high: Arg, low: Arg) -> (Arg, Arg) {
    if fold.at == w {
        return (high, low);
    }
    let bits = fold.high.bits() as u32;
    let above = k.push(Op::Funnel { k: fold.at }, w, vec![high, low.clone()], &[bits])[0];
    let below = k.push(Op::And, w, vec![low, Arg::Const(mask(fold.at))], &[fold.at])[0];
    (above.into(), below.into())
}

/// Adds the instructions of a fold of the value `high 2^w + low`; returns the sum as high and low part.
fn apply(k: &mut Kernel, w: u32, fold: &Fold, high: Arg, low: Arg) -> (Arg, Arg) {
    let bits = |x: &BigUint| x.bits() as u32;
    let (above, below) = cut(k, w, fold, high, low);
    let (top, product): (Arg, Arg) = if fold.factor.is_one() {
        (Arg::zero(), above)
    } else {
        let most = bits(&(&fold.high * &fold.factor));
        let widths = [most.saturating_sub(w), most.min(w)];
        let p = k.push(Op::Mul, w, vec![above, Arg::Const(fold.factor.clone())], &widths);
        (p[0].into(), p[1].into())
    };
    let most = bits(&fold.bound);
    if most <= w {
        let sum = k.push(Op::Add, w, vec![product, below], &[most])[0];
        return (Arg::zero(), sum.into());
    }
    let sum = k.push(Op::Add, w, vec![product, below], &[1, w]);
    let top = k.push(Op::Add, w, vec![top, sum[0].into()], &[most - w])[0];
    (top.into(), sum[1].into())
}
