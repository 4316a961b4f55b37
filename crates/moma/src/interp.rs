//! The interpreter: computes the outputs of a kernel on integers of any size.
//!
//! It is independent of machines and rules, and its arithmetic is that of `num-bigint`, so it serves as the reference
//! for every rewriting: a kernel must give the same outputs before and after. It also checks the declared width of
//! every result, so that a rule which wrongly claims "no carry here" fails on the first operands that contradict it.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use crate::ir::{Arg, Inst, Kernel, Op};

/// Errors of running a kernel on given inputs.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum InterpError {
    /// The number of values does not match the kernel's inputs.
    #[error("kernel `{kernel}` takes {want} inputs, {got} were given")]
    Inputs {
        /// Name of the kernel.
        kernel: String,
        /// Number of inputs of the kernel.
        want: usize,
        /// Number of values given.
        got: usize,
    },
    /// An input value does not fit its type.
    #[error("input `{name}` has {bits} bits, its value needs {need}")]
    TooWide {
        /// Name of the input.
        name: String,
        /// Width of the input's type in bits.
        bits: u32,
        /// Bit length of the value.
        need: u64,
    },
    /// An instruction's result does not fit the type that a rule declared for it.
    #[error("instruction {index} ({op}): result {result} = {value:#x} does not fit u{bits}")]
    Claim {
        /// Index of the instruction in the body.
        index: usize,
        /// Mnemonic of the instruction.
        op: &'static str,
        /// Index of the result.
        result: usize,
        /// The value that does not fit.
        value: BigUint,
        /// The declared width in bits.
        bits: u32,
    },
    /// An instruction reads a variable that nothing defined.
    #[error("instruction {index} reads %{var}, which is not defined before it")]
    Undefined {
        /// Index of the instruction in the body; the length of the body for an output.
        index: usize,
        /// Number of the variable.
        var: u32,
    },
    /// An instruction has a number of operands or results that its operation does not have.
    #[error("instruction {index} ({op}) has {args} operands and {outs} results")]
    Arity {
        /// Index of the instruction in the body.
        index: usize,
        /// Mnemonic of the instruction.
        op: &'static str,
        /// Number of operands.
        args: usize,
        /// Number of results.
        outs: usize,
    },
}

/// Runs a kernel. Takes one value per input and returns one value per output; values are whole integers, not parts.
///
/// # Errors
/// [`InterpError`] if values and inputs do not match, or a result breaks the type declared for it.
pub fn run(kernel: &Kernel, inputs: &[BigUint]) -> Result<Vec<BigUint>, InterpError> {
    if inputs.len() != kernel.inputs.len() {
        return Err(InterpError::Inputs {
            kernel: kernel.name.clone(),
            want: kernel.inputs.len(),
            got: inputs.len(),
        });
    }
    let mut env: Vec<Option<BigUint>> = vec![None; kernel.bits.len()];
    for (param, value) in kernel.inputs.iter().zip(inputs) {
        if value.bits() > u64::from(param.bits) {
            return Err(InterpError::TooWide {
                name: param.name.clone(),
                bits: param.bits,
                need: value.bits(),
            });
        }
        for (i, part) in param.parts.iter().enumerate() {
            if let Arg::Var(v) = part {
                let part = (value >> (i as u32 * param.stride)) & mask(param.stride);
                env[v.0 as usize] = Some(part);
            }
        }
    }
    for (index, inst) in kernel.body.iter().enumerate() {
        if !inst.op.takes(inst.args.len(), inst.outs.len()) {
            return Err(InterpError::Arity {
                index,
                op: inst.op.mnemonic(),
                args: inst.args.len(),
                outs: inst.outs.len(),
            });
        }
        let mut args = Vec::with_capacity(inst.args.len());
        for arg in &inst.args {
            args.push(read(&env, arg, index)?);
        }
        let values = step(inst, &args);
        debug_assert_eq!(values.len(), inst.outs.len());
        for (result, (var, value)) in inst.outs.iter().zip(values).enumerate() {
            let bits = kernel.bits[var.0 as usize];
            if value.bits() > u64::from(bits) {
                return Err(InterpError::Claim { index, op: inst.op.mnemonic(), result, value, bits });
            }
            env[var.0 as usize] = Some(value);
        }
    }
    kernel
        .outputs
        .iter()
        .map(|param| {
            let mut value = BigUint::zero();
            for (i, part) in param.parts.iter().enumerate() {
                value += read(&env, part, kernel.body.len())? << (i as u32 * param.stride);
            }
            Ok(value)
        })
        .collect()
}

fn read(env: &[Option<BigUint>], arg: &Arg, index: usize) -> Result<BigUint, InterpError> {
    match arg {
        Arg::Const(c) => Ok(c.clone()),
        Arg::Var(v) => {
            env.get(v.0 as usize).and_then(Clone::clone).ok_or(InterpError::Undefined { index, var: v.0 })
        }
    }
}

/// `2^bits - 1`.
pub(crate) fn mask(bits: u32) -> BigUint {
    (BigUint::one() << bits) - 1u32
}

fn join(digits: &[BigUint], width: u32) -> BigUint {
    digits.iter().rev().fold(BigUint::zero(), |acc, d| (acc << width) + d)
}

/// `count` digits, lowest first; the last one takes whatever is left, so a value that does not fit breaks its type.
fn digits(value: &BigUint, width: u32, count: usize) -> Vec<BigUint> {
    (0..count)
        .map(|i| {
            let rest = value >> (i as u32 * width);
            if i + 1 == count { rest } else { rest & mask(width) }
        })
        .collect()
}

/// `(t + m q) / 2^bits` with m the least value that makes the division exact.
fn redc(t: &BigUint, q: &BigUint, bits: u32) -> BigUint {
    let r = BigUint::one() << bits;
    let m = match q.modinv(&r) {
        Some(inverse) => (&r - (t * inverse) % &r) % &r,
        None => BigUint::zero(),
    };
    (t + m * q) >> bits
}

/// The product of the low `digit` bits of the first two operands.
fn dot(a: &[BigUint], digit: u32) -> BigUint {
    (&a[0] & mask(digit)) * (&a[1] & mask(digit))
}

fn flag(b: bool) -> BigUint {
    BigUint::from(u8::from(b))
}

/// The results of one instruction. With a modulus of zero, which only random test programs have, modular results are
/// zero.
pub(crate) fn step(inst: &Inst, a: &[BigUint]) -> Vec<BigUint> {
    let w = inst.width;
    let cut = |x: BigUint| x & mask(w);
    let modulo = |x: BigUint, q: &BigUint| if q.is_zero() { BigUint::zero() } else { x % q };
    // One result: the value mod 2^w. Two results: the bits above w, then the value mod 2^w.
    let carry = |x: BigUint| match inst.outs.len() {
        1 => vec![cut(x)],
        _ => vec![&x >> w, cut(x)],
    };
    match inst.op {
        Op::AddMod => vec![modulo(&a[0] + &a[1], &a[2])],
        Op::SubMod => vec![modulo(&a[0] + &a[2] - modulo(a[1].clone(), &a[2]), &a[2])],
        Op::MulBarrett { .. } => vec![modulo(&a[0] * &a[1], &a[2])],
        Op::SqrBarrett { .. } => vec![modulo(&a[0] * &a[0], &a[1])],
        Op::MontMul { n, r } => {
            let n = n as usize;
            let (x, y, q) = (join(&a[..n], w), join(&a[n..2 * n], w), join(&a[2 * n..3 * n], w));
            digits(&redc(&(x * y), &q, r), w, n + 1)
        }
        Op::MontSqr { n, r } => {
            let n = n as usize;
            let (x, q) = (join(&a[..n], w), join(&a[n..2 * n], w));
            digits(&redc(&(&x * &x), &q, r), w, n + 1)
        }
        Op::Redc { n, r } => {
            let n = n as usize;
            let (t, q) = (join(&a[..2 * n], w), join(&a[2 * n..3 * n], w));
            digits(&redc(&t, &q, r), w, n + 1)
        }
        Op::CondSub { n } => {
            let n = n as usize;
            let (t, q) = (join(&a[..n + 1], w), join(&a[n + 1..], w));
            digits(&if t >= q { t - q } else { t }, w, n)
        }
        Op::Product { n, keep } => {
            let product = join(&a[..n as usize], w) * join(&a[n as usize..], w);
            digits(&(product & mask(keep * w)), w, keep as usize)
        }
        Op::Square { n } => {
            let x = join(a, w);
            digits(&(&x * &x), w, 2 * n as usize)
        }
        Op::Add => carry(a.iter().sum()),
        Op::Sub => {
            let take: BigUint = a[1..].iter().sum();
            let borrow = a[0] < take;
            let lifted = if borrow { (BigUint::one() << w) + &a[0] } else { a[0].clone() };
            // A difference that needs more than one 2^w occurs only if the container is narrower than its operands,
            // which is an error in the program: the result is made too wide, so that the check of its type fails.
            let d = if lifted < take { mask(w + 1) } else { cut(lifted - take) };
            if inst.outs.len() == 1 { vec![d] } else { vec![flag(borrow), d] }
        }
        Op::Mul => {
            let p = &a[0] * &a[1];
            vec![&p >> w, cut(p)]
        }
        Op::Sqr => {
            let p = &a[0] * &a[0];
            vec![&p >> w, cut(p)]
        }
        Op::MulLo => vec![cut(&a[0] * &a[1])],
        Op::AddQuad => {
            let high_first = |d: &[BigUint]| d.iter().fold(BigUint::zero(), |acc, x| (acc << w) + x);
            let mut sum = digits(&(high_first(&a[..4]) + high_first(&a[4..])), w, 4);
            sum.reverse();
            sum
        }
        Op::Lt => vec![flag(a[0] < a[1])],
        Op::Eq => vec![flag(a[0] == a[1])],
        Op::Select => vec![if a[0].is_zero() { a[2].clone() } else { a[1].clone() }],
        Op::Funnel { k } => vec![cut(((&a[0] << w) + &a[1]) >> k)],
        Op::And => vec![&a[0] & &a[1]],
        Op::Or => vec![&a[0] | &a[1]],
        Op::Xor => vec![&a[0] ^ &a[1]],
        Op::Mac => {
            let p = &a[0] * &a[1] + a[2..].iter().sum::<BigUint>();
            vec![&p >> w, cut(p)]
        }
        Op::MadLo => carry(cut(&a[0] * &a[1]) + a[2..].iter().sum::<BigUint>()),
        Op::MadHi => carry(((&a[0] * &a[1]) >> w) + a[2..].iter().sum::<BigUint>()),
        Op::Dot => vec![dot(a, w / 2) + &a[2]],
        Op::DotLo { digit } => vec![(dot(a, digit) & mask(digit)) + &a[2]],
        Op::DotHi { digit } => vec![(dot(a, digit) >> digit) + &a[2]],
    }
}
