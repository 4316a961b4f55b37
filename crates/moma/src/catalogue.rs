//! The catalogue of field functions, as kernels at full width to which no rule has been applied yet.

use num_bigint::BigUint;
use num_traits::One;

use crate::error::MomaError;
use crate::ir::{Arg, Kernel, Op, Range, Reduction};
use crate::machine::Machine;

/// A function on field elements or on plain integers.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Hash)]
pub enum Function {
    /// `c = a + b mod q`.
    AddMod,
    /// `c = a - b mod q`.
    SubMod,
    /// `c = a b mod q` (Barrett), `c = a b / R mod q` (Montgomery).
    MulMod,
    /// `c = a a mod q` (Barrett), `c = a a / R mod q` (Montgomery).
    SqrMod,
    /// `c = a b`, the whole double-length product.
    Mul,
    /// `c = a a`, the whole double-length square.
    Sqr,
    /// `c = a mod q` for `a < 2 q`.
    Reduce,
}

impl Function {
    /// All functions of the catalogue.
    pub const ALL: [Function; 7] = [
        Function::AddMod,
        Function::SubMod,
        Function::MulMod,
        Function::SqrMod,
        Function::Mul,
        Function::Sqr,
        Function::Reduce,
    ];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Function::AddMod => "addmod",
            Function::SubMod => "submod",
            Function::MulMod => "mulmod",
            Function::SqrMod => "sqrmod",
            Function::Mul => "mul",
            Function::Sqr => "sqr",
            Function::Reduce => "reduce",
        }
    }

    /// The function with this name on the command line.
    pub fn named(name: &str) -> Option<Function> {
        Function::ALL.into_iter().find(|f| f.name() == name)
    }
}

/// The field that a kernel computes in, given by widths only; the modulus itself is an input of the kernel.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct FieldSpec {
    /// Width of the modulus in bits: exact under Barrett's reduction, an upper bound under Montgomery's.
    pub bits: u32,
    /// How products are reduced.
    pub reduction: Reduction,
    /// The interval that inputs and outputs lie in.
    pub range: Range,
}

/// Widths of moduli, in bits, that kernels can be generated for.
pub const BITS: std::ops::RangeInclusive<u32> = 2..=1024;

impl FieldSpec {
    /// A field with canonical values.
    pub fn new(bits: u32, reduction: Reduction) -> Self {
        FieldSpec { bits, reduction, range: Range::Canonical }
    }

    /// The least number of bits that the words of an element must hold: for Barrett four more than the modulus has, as
    /// in the paper; for values up to 2q two more.
    pub fn least_bits(self) -> u32 {
        match (self.reduction, self.range) {
            (Reduction::Barrett, _) => self.bits + 4,
            (Reduction::Montgomery, Range::Canonical) => self.bits,
            (Reduction::Montgomery, Range::Twice) => self.bits + 2,
        }
    }

    /// The number of machine words that an element takes.
    pub fn words(self, machine: &Machine) -> u32 {
        machine.words(self.least_bits())
    }

    /// log2 of the Montgomery radix R on a machine: a whole number of its words.
    pub fn radix_bits(self, machine: &Machine) -> u32 {
        self.words(machine) * machine.word
    }

    /// Width of a value in bits: that of the modulus, or one more where values go up to 2q.
    pub fn value_bits(self) -> u32 {
        self.bits + u32::from(self.range == Range::Twice)
    }

    /// Checks that kernels can be generated for this field.
    ///
    /// # Errors
    /// [`MomaError::Width`] for a width out of range, [`MomaError::RangeNeedsMontgomery`] for values up to 2q under
    /// Barrett's reduction.
    pub fn check(self) -> Result<(), MomaError> {
        if !BITS.contains(&self.bits) {
            return Err(MomaError::Width { bits: self.bits, least: *BITS.start(), most: *BITS.end() });
        }
        if self.range == Range::Twice && self.reduction == Reduction::Barrett {
            return Err(MomaError::RangeNeedsMontgomery);
        }
        Ok(())
    }

    /// The kernel of a function at full width. The machine's word decides the frame (the width in bits at which
    /// lowering starts) and the Montgomery radix R.
    ///
    /// Inputs by function: `a, b, q` for additions and subtractions (`q2`, which is 2q, in [`Range::Twice`]); `a, b, q, k` for
    /// products, where k is `mu` under Barrett and `-1/q mod 2^word` under Montgomery; `a, b` for plain products;
    /// `a, q` for [`Function::Reduce`]. One output, `c`.
    ///
    /// # Errors
    /// As [`FieldSpec::check`].
    pub fn kernel(self, function: Function, machine: &Machine) -> Result<Kernel, MomaError> {
        self.check()?;
        let mut k = Kernel::new(function.name());
        let (m, v) = (self.bits, self.value_bits());
        let bits = if function == Function::Reduce { m + 1 } else { self.least_bits() };
        let w = machine.padded(bits);
        let twice = self.range == Range::Twice;
        let a = k.input("a", if function == Function::Reduce { m + 1 } else { v });
        let two = matches!(function, Function::AddMod | Function::SubMod | Function::MulMod | Function::Mul);
        let b = if two { k.input("b", v) } else { a.clone() };
        match function {
            Function::AddMod | Function::SubMod => {
                let q = k.input(if twice { "q2" } else { "q" }, v);
                let op = if function == Function::AddMod { Op::AddMod } else { Op::SubMod };
                let c = k.push(op, w, vec![a, b, q], &[v])[0];
                k.output("c", v, c.into());
            }
            Function::Mul | Function::Sqr => {
                let (op, args) =
                    if function == Function::Mul { (Op::Mul, vec![a, b]) } else { (Op::Sqr, vec![a]) };
                let outs = k.push(op, w, args, &[(2 * v).saturating_sub(w), (2 * v).min(w)]);
                k.output("c", 2 * v, outs[1].into());
                if let Some(c) = k.outputs.last_mut() {
                    c.parts.push(outs[0].into());
                    c.stride = w;
                }
            }
            Function::Reduce => {
                let q = k.input("q", m);
                let c = k.push(Op::CondSub { n: 1 }, w, vec![a, Arg::zero(), q], &[m])[0];
                k.output("c", m, c.into());
            }
            Function::MulMod | Function::SqrMod => {
                let square = function == Function::SqrMod;
                let q = k.input("q", m);
                let factors = if square { vec![a] } else { vec![a, b] };
                let c: Arg = match self.reduction {
                    Reduction::Barrett => {
                        let mu = k.input("mu", m + 4);
                        let op = if square { Op::SqrBarrett { bits: m } } else { Op::MulBarrett { bits: m } };
                        k.push(op, w, [factors, vec![q, mu]].concat(), &[m])[0].into()
                    }
                    Reduction::Montgomery => {
                        let inverse = k.input_word("qinv", machine.word);
                        let r = self.radix_bits(machine);
                        let op = if square { Op::MontSqr { n: 1, r } } else { Op::MontMul { n: 1, r } };
                        let args = [factors, vec![q.clone(), inverse]].concat();
                        let widths = [(m + 1).min(w), (m + 1).saturating_sub(w)];
                        let t = k.push(op, w, args, &widths);
                        if twice {
                            t[0].into()
                        } else {
                            let t = [t[0].into(), t[1].into()];
                            k.push(Op::CondSub { n: 1 }, w, [t.to_vec(), vec![q]].concat(), &[m])[0].into()
                        }
                    }
                };
                k.output("c", v, c);
            }
        }
        Ok(k)
    }

    /// The constant that products need besides q: `mu = floor(2^(2m+3) / q)` under Barrett, `-1/q mod 2^word` under
    /// Montgomery.
    ///
    /// # Errors
    /// [`MomaError::EvenModulus`]; [`MomaError::ModulusWidth`] if q does not have `bits` bits, or for
    /// Montgomery's reduction more than that.
    pub fn constant(self, q: &BigUint, machine: &Machine) -> Result<BigUint, MomaError> {
        // Barrett's shifts depend on the exact width; the declared widths of Montgomery kernels are upper bounds only.
        let exact = self.reduction == Reduction::Barrett;
        if q.bits() > u64::from(self.bits) || exact && q.bits() < u64::from(self.bits) {
            return Err(MomaError::ModulusWidth { want: self.bits, got: q.bits() });
        }
        if !q.bit(0) {
            return Err(MomaError::EvenModulus);
        }
        match self.reduction {
            Reduction::Barrett => Ok((BigUint::one() << (2 * self.bits + 3)) / q),
            Reduction::Montgomery => {
                let r = BigUint::one() << machine.word;
                let inverse = q.modinv(&r).ok_or(MomaError::EvenModulus)?;
                Ok(r - inverse)
            }
        }
    }
}
