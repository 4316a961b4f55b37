//! Steps of modular arithmetic in hardware, as kernels at full width: each is the combinational logic between two
//! registers of a pipeline.
//!
//! A Montgomery product of n digits of w bits goes digit by digit (Koc, Acar, Kaliski 1996), with the quotient digit
//! computed beside the row of products, as in \[CP\] Fig. 12:
//!
//! ```text
//! prepare    b' = b_0 q' mod 2^w                                        q' = -1/q mod 2^w
//! multiply   t  = t + a_i b       and    m = t_0 q' + a_i b' mod 2^w    the old t_0
//! reduce     t  = (t + m q) / 2^w
//! subtract   c  = t - q if t >= q, else t
//! ```
//!
//! Every operation is native to a machine whose words are as wide as the values, so kernels are not lowered but only
//! optimised and printed. [`Kernel::fix`] replaces the input q by a modulus.

use num_bigint::BigUint;

use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Kernel, Op};
use crate::passes;

/// The shape of a product in digits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Steps {
    bits: u32,
    digit: u32,
}

impl Steps {
    /// Steps for moduli of up to `bits` bits and digits of `digit` bits.
    ///
    /// Running sums stay below twice the modulus, so the digits must hold one bit more than it.
    ///
    /// # Errors
    /// [`MomaError::StepShape`] for a modulus or a digit below two bits, and for a modulus that fills its digits.
    pub fn new(bits: u32, digit: u32) -> Result<Self, MomaError> {
        if bits < 2 || digit < 2 || bits.is_multiple_of(digit) {
            return Err(MomaError::StepShape { bits, digit });
        }
        Ok(Steps { bits, digit })
    }

    /// Greatest width of the modulus in bits.
    pub fn bits(self) -> u32 {
        self.bits
    }

    /// Width of a digit in bits.
    pub fn digit(self) -> u32 {
        self.digit
    }

    /// Number of digits of an operand.
    pub fn digits(self) -> u32 {
        self.bits.div_ceil(self.digit)
    }

    /// Width of digit `i` of an operand in bits; the last digit may be shorter.
    pub fn digit_bits(self, i: u32) -> u32 {
        self.digit.min(self.bits.saturating_sub(i * self.digit))
    }

    /// Width in bits of the running sum after a reduction, which leaves it below 2q.
    pub fn reduced_bits(self) -> u32 {
        self.bits + 1
    }

    /// Width in bits of the running sum after a row of products, which leaves it below `(2^w + 1) q`.
    pub fn sum_bits(self) -> u32 {
        self.bits + self.digit + 1
    }

    /// The operation width in bits: a whole number of digits, which holds 2q.
    fn width(self) -> u32 {
        self.digits() * self.digit
    }

    /// The lowest digit of a value.
    fn low(self, k: &mut Kernel, value: &Arg) -> Arg {
        if k.width_of(value) <= self.digit {
            return value.clone();
        }
        let ones = Arg::Const(mask(self.digit));
        k.push(Op::And, self.width(), vec![value.clone(), ones], &[self.digit])[0].into()
    }

    /// `b, qinv -> binv`: the low digit of b times -1/q, modulo 2^w.
    pub fn prepare(self) -> Kernel {
        let w = self.digit;
        let mut k = Kernel::new("prepare");
        let b = k.input("b", self.bits);
        let qinv = k.input("qinv", w);
        let low = self.low(&mut k, &b);
        let binv = k.push(Op::MulLo, w, vec![low, qinv], &[w])[0];
        k.output("binv", w, binv.into());
        k
    }

    /// `a, b, binv, t, qinv -> sum, m` for digit `i` of a: the running sum with a row of products, and the quotient digit.
    pub fn multiply(self, i: u32) -> Kernel {
        let w = self.digit;
        let mut k = Kernel::new("multiply");
        let a = k.input("a", self.digit_bits(i));
        let b = k.input("b", self.bits);
        let binv = k.input("binv", w);
        let t = k.input("t", self.reduced_bits());
        let qinv = k.input("qinv", w);
        let low = self.low(&mut k, &t);
        let x = k.push(Op::MulLo, w, vec![low, qinv], &[w])[0];
        let y = k.push(Op::MulLo, w, vec![a.clone(), binv], &[w])[0];
        let m = k.push(Op::Add, w, vec![x.into(), y.into()], &[w])[0];
        self.sum(&mut k, a, b, t, "sum", 0);
        k.output("m", w, m.into());
        k
    }

    /// `t, m, q -> r`: `(t + m q) / 2^w`, where adding m q clears the lowest digit of the running sum.
    pub fn reduce(self) -> Kernel {
        let mut k = Kernel::new("reduce");
        let t = k.input("t", self.sum_bits());
        let m = k.input("m", self.digit);
        let q = k.input("q", self.bits);
        self.sum(&mut k, m, q, t, "r", self.digit);
        k
    }

    /// Adds the output `x y + t` without its lowest `drop` bits. The sum before is below `2^(w+1) q`.
    fn sum(self, k: &mut Kernel, x: Arg, y: Arg, t: Arg, name: &str, drop: u32) {
        let (wide, total) = (self.width(), self.sum_bits());
        let low = total.min(wide);
        let parts = k.push(Op::Mac, wide, vec![x, y, t], &[total - low, low]);
        if drop == 0 {
            k.output(name, total, parts[1].into());
            if let Some(out) = k.outputs.last_mut() {
                out.parts.push(parts[0].into());
                out.stride = wide;
            }
            return;
        }
        let pair = vec![parts[0].into(), parts[1].into()];
        let rest = k.push(Op::Funnel { k: drop }, wide, pair, &[total - drop])[0];
        k.output(name, total - drop, rest.into());
    }

    /// `t, q -> c`: the residue of a running sum below 2q.
    pub fn subtract(self) -> Kernel {
        let bits = self.bits;
        let mut k = Kernel::new("subtract");
        let t = k.input("t", self.reduced_bits());
        let q = k.input("q", bits);
        let wide = self.reduced_bits();
        let d = k.push(Op::Sub, wide, vec![t.clone(), q], &[1, wide]);
        let c = k.push(Op::Select, wide, vec![d[0].into(), t, d[1].into()], &[bits])[0];
        k.output("c", bits, c.into());
        k
    }

    /// `x, q -> h`: half of a residue, `h + h = x mod q`; q is added to an odd residue first.
    pub fn halve(self) -> Kernel {
        let w = self.bits;
        let mut k = Kernel::new("halve");
        let x = k.input("x", w);
        let q = k.input("q", w);
        let odd = k.push(Op::And, w, vec![x.clone(), Arg::small(1)], &[1])[0];
        let addend = k.push(Op::Select, w, vec![odd.into(), q, Arg::zero()], &[w])[0];
        let sum = k.push(Op::Add, w, vec![x, addend.into()], &[1, w]);
        let half = k.push(Op::Funnel { k: 1 }, w, vec![sum[0].into(), sum[1].into()], &[w])[0];
        k.output("h", w, half.into());
        k
    }

    /// `a, b, s, q -> c`: `a + b mod q` if s is 0 and `a - b mod q` if it is 1, with two adders.
    ///
    /// The first adder adds b or its complement, the second subtracts q or adds it; a carry says which of the two sums
    /// is the residue.
    pub fn add_sub(self) -> Kernel {
        let w = self.bits;
        let mut k = Kernel::new("add_sub");
        let a = k.input("a", w);
        let b = k.input("b", w);
        let s = k.input("s", 1);
        let q = k.input("q", w);
        let ones = || Arg::Const(mask(w));
        let flip: Arg = k.push(Op::Select, w, vec![s.clone(), ones(), Arg::zero()], &[w])[0].into();
        let other = k.push(Op::Xor, w, vec![b, flip], &[w])[0];
        let first = k.push(Op::Add, w, vec![a, other.into(), s.clone()], &[1, w]);
        let complement = k.push(Op::Xor, w, vec![q.clone(), ones()], &[w])[0];
        let back = k.push(Op::Select, w, vec![s.clone(), q, complement.into()], &[w])[0];
        let plus = k.push(Op::Xor, 1, vec![s.clone(), Arg::small(1)], &[1])[0];
        let second = k.push(Op::Add, w, vec![first[1].into(), back.into(), plus.into()], &[1, w]);
        let over = k.push(Op::Or, 1, vec![first[0].into(), second[0].into()], &[1])[0];
        let below = k.push(Op::Xor, 1, vec![first[0].into(), Arg::small(1)], &[1])[0];
        let pick = k.push(Op::Select, 1, vec![s, below.into(), over.into()], &[1])[0];
        let c = k.push(Op::Select, w, vec![pick.into(), second[1].into(), first[1].into()], &[w])[0];
        k.output("c", w, c.into());
        k
    }
}

/// A step for one modulus: the inputs q and qinv, if the kernel has them, become constants, and the passes run.
pub fn fixed(mut kernel: Kernel, q: &BigUint, qinv: &BigUint) -> Kernel {
    kernel.fix("q", q);
    kernel.fix("qinv", qinv);
    passes::optimise(kernel)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::interp;
    use num_traits::{One, Zero};
    use proptest::prelude::*;

    /// The product of two residues by the steps, with the interpreter.
    fn product(steps: Steps, a: &BigUint, b: &BigUint, q: &BigUint, fix: bool) -> BigUint {
        let w = steps.digit();
        let qinv = (BigUint::one() << w) - q.modinv(&(BigUint::one() << w)).unwrap();
        let run = |kernel: Kernel, values: &[&BigUint]| {
            let kernel = if fix { fixed(kernel, q, &qinv) } else { kernel };
            let names = ["q", "qinv"];
            let all: Vec<BigUint> = values.iter().map(|v| (*v).clone()).collect();
            let with: Vec<BigUint> = kernel
                .inputs
                .iter()
                .filter(|p| names.contains(&p.name.as_str()))
                .map(|p| if p.name == "q" { q.clone() } else { qinv.clone() })
                .collect();
            interp::run(&kernel, &[all, with].concat()).unwrap()
        };
        let binv = run(steps.prepare(), &[b]).remove(0);
        let mut t = BigUint::zero();
        for i in 0..steps.digits() {
            let digit = (a >> (i * w)) & mask(w);
            let row = run(steps.multiply(i), &[&digit, b, &binv, &t]);
            t = run(steps.reduce(), &[&row[0], &row[1]]).remove(0);
            assert!(t < q * 2u32);
        }
        run(steps.subtract(), &[&t]).remove(0)
    }

    fn check(steps: Steps, a: &BigUint, b: &BigUint, q: &BigUint) {
        let radix = BigUint::one() << (steps.digits() * steps.digit());
        let want = a * b * radix.modinv(q).unwrap() % q;
        assert_eq!(product(steps, a, b, q, false), want);
        assert_eq!(product(steps, a, b, q, true), want);
        let run = |kernel: &Kernel, values: &[BigUint]| interp::run(kernel, values).unwrap().remove(0);
        let half = run(&fixed(steps.halve(), q, q), std::slice::from_ref(a));
        assert!(&half < q && (&half + &half) % q == *a);
        let kernel = steps.add_sub();
        for (s, want) in [(0u32, (a + b) % q), (1, (a + q - b) % q)] {
            let s = BigUint::from(s);
            assert_eq!(run(&kernel, &[a.clone(), b.clone(), s.clone(), q.clone()]), want);
            assert_eq!(run(&fixed(kernel.clone(), q, q), &[a.clone(), b.clone(), s]), want);
        }
    }

    #[test]
    fn all_operands_of_small_moduli() {
        for (bits, digit) in [(5, 2), (5, 3), (3, 2), (7, 4)] {
            let steps = Steps::new(bits, digit).unwrap();
            for q in (3u32..1 << bits).step_by(if bits > 5 { 18 } else { 2 }) {
                let q = &BigUint::from(q);
                let step = if bits > 5 { 5 } else { 1 };
                let residues = || (0u32..1 << bits).step_by(step).map(BigUint::from).filter(|x| x < q);
                for a in residues() {
                    residues().for_each(|b| check(steps, &a, &b, q));
                }
            }
        }
    }

    proptest! {
        #[test]
        fn random_operands_of_wide_moduli(words in prop::array::uniform18(any::<u64>()), shape in 0usize..4) {
            let (bits, digit) = [(255, 64), (381, 64), (381, 32), (254, 48)][shape];
            let steps = Steps::new(bits, digit).unwrap();
            let number = |words: &[u64]| words.iter().fold(BigUint::zero(), |n, w| (n << 64u32) + w);
            let q = (number(&words[..6]) & mask(bits)) | BigUint::one() | (BigUint::one() << (bits - 1));
            let (a, b) = (number(&words[6..12]) % &q, number(&words[12..]) % &q);
            check(steps, &a, &b, &q);
            let top = &q - 1u32;
            check(steps, &top, &top, &q);
            check(steps, &a, &BigUint::zero(), &q);
        }
    }

    #[test]
    fn a_modulus_that_fills_its_digits_is_refused() {
        assert_eq!(Steps::new(128, 64), Err(MomaError::StepShape { bits: 128, digit: 64 }));
        assert_eq!(Steps::new(1, 64), Err(MomaError::StepShape { bits: 1, digit: 64 }));
        assert_eq!(Steps::new(255, 64).map(Steps::digits), Ok(4));
    }
}
