//! Shared code of the printers of vector machines without mask registers: a variable is a vector with a container of 64
//! bits in each lane, and a flag is a container that holds 0 or 1.

use num_bigint::BigUint;

use crate::error::MomaError;
use crate::ir::{Arg, Inst, Kernel, Op, Var};

/// The text of a machine's operations on vectors.
pub(super) trait Vectors {
    /// The name of the printer, for errors.
    fn printer(&self) -> &'static str;
    /// The statement that defines a variable.
    fn define(&self, name: &str, value: &str) -> String;
    /// A constant in every lane.
    fn constant(&self, value: &BigUint) -> String;
    /// The sum, the difference or a bitwise operation of two vectors.
    fn binary(&self, op: Op, x: &str, y: &str) -> String;
    /// The product of the low halves of each lane, added to `sum` if there is one.
    fn dot(&self, sum: Option<&str>, x: &str, y: &str) -> String;
    /// Each lane shifted left by k bits.
    fn up(&self, x: &str, k: u32) -> String;
    /// Each lane shifted right by k bits, filled with zeros.
    fn down(&self, x: &str, k: u32) -> String;
    /// All ones in each lane where two vectors are equal, else zero.
    fn equal(&self, x: &str, y: &str) -> String;
    /// `x` where the mask has ones, `y` where it has zeros.
    fn choose(&self, mask: &str, x: &str, y: &str) -> String;
}

/// The statements of a kernel, one per instruction; `name` gives the name of a variable.
///
/// # Errors
/// [`MomaError::NotPrintable`] for an operation that vectors of containers do not have.
pub(super) fn statements(
    kernel: &Kernel,
    vectors: &dyn Vectors,
    name: &dyn Fn(Var) -> String,
) -> Result<Vec<String>, MomaError> {
    let refuse = |i: &Inst| MomaError::NotPrintable {
        op: i.op.mnemonic(),
        width: i.width,
        printer: vectors.printer(),
    };
    let one = |i: &Inst| {
        let &[out] = i.outs.as_slice() else { return Err(refuse(i)) };
        let value = expression(i, vectors, name).ok_or_else(|| refuse(i))?;
        Ok(vectors.define(&name(out), &value))
    };
    kernel.body.iter().map(one).collect()
}

/// An operand as a vector.
pub(super) fn operand(arg: &Arg, vectors: &dyn Vectors, name: &dyn Fn(Var) -> String) -> String {
    match arg {
        Arg::Var(v) => name(*v),
        Arg::Const(c) => vectors.constant(c),
    }
}

fn expression(inst: &Inst, vectors: &dyn Vectors, name: &dyn Fn(Var) -> String) -> Option<String> {
    let a: Vec<String> = inst.args.iter().map(|x| operand(x, vectors, name)).collect();
    let zero = vectors.constant(&BigUint::ZERO);
    let full = inst.width == 64;
    Some(match inst.op {
        Op::Add | Op::Sub if full => {
            a[1..].iter().fold(a[0].clone(), |sum, x| vectors.binary(inst.op, &sum, x))
        }
        Op::And | Op::Or | Op::Xor => vectors.binary(inst.op, &a[0], &a[1]),
        Op::Dot if full => vectors.dot((!inst.args[2].is_zero()).then_some(a[2].as_str()), &a[0], &a[1]),
        // Digits are below 2^63, so the top bit of their difference is the borrow.
        Op::Lt if !full => vectors.down(&vectors.binary(Op::Sub, &a[0], &a[1]), 63),
        Op::Eq => vectors.down(&vectors.equal(&a[0], &a[1]), 63),
        Op::Select => {
            let mask = vectors.binary(Op::Sub, &zero, &a[0]);
            if inst.args[2].is_zero() {
                vectors.binary(Op::And, &mask, &a[1])
            } else {
                vectors.choose(&mask, &a[1], &a[2])
            }
        }
        Op::Funnel { k: 0 } if full => a[1].clone(),
        Op::Funnel { k: 64 } if full => a[0].clone(),
        Op::Funnel { k } if full && inst.args[0].is_zero() => vectors.down(&a[1], k),
        Op::Funnel { k } if full && inst.args[1].is_zero() => vectors.up(&a[0], 64 - k),
        Op::Funnel { k } if full => {
            vectors.binary(Op::Or, &vectors.up(&a[0], 64 - k), &vectors.down(&a[1], k))
        }
        _ => return None,
    })
}
