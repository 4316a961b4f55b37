//! Sums and products of words, with results declared as narrow as the operands allow.

use crate::ir::{Arg, Op};
use crate::lower::Rewriter;

/// Adds two words and an optional carry: `(carry, sum)`.
pub(crate) fn add(rw: &mut Rewriter<'_>, w: u32, a: Arg, b: Arg, carry: Option<Arg>) -> (Arg, Arg) {
    let mut args = vec![a, b];
    args.extend(carry.filter(|c| !(rw.options.optimise && c.is_zero())));
    let widest = args.iter().take(2).map(|x| rw.bits(x)).max().unwrap_or(0);
    if rw.options.optimise && widest < w {
        let s = rw.one(Op::Add, w, args, widest + 1);
        return (Arg::zero(), s);
    }
    let outs = rw.emit(Op::Add, w, args, &[1, w]);
    (outs[0].clone(), outs[1].clone())
}

/// Subtracts a word and an optional borrow: `(borrow, difference)`.
pub(crate) fn sub(rw: &mut Rewriter<'_>, w: u32, a: Arg, b: Arg, borrow: Option<Arg>) -> (Arg, Arg) {
    let mut args = vec![a, b];
    args.extend(borrow.filter(|c| !(rw.options.optimise && c.is_zero())));
    let outs = rw.emit(Op::Sub, w, args, &[1, w]);
    (outs[0].clone(), outs[1].clone())
}

/// The product of two words: `(high, low)`, with the widths that the operands allow.
pub(crate) fn mul(rw: &mut Rewriter<'_>, w: u32, a: Arg, b: Arg) -> (Arg, Arg) {
    let total = rw.bits(&a) + rw.bits(&b);
    let outs = rw.emit(Op::Mul, w, vec![a, b], &[total.saturating_sub(w).min(w), total.min(w)]);
    (outs[0].clone(), outs[1].clone())
}

/// The widths in bits of `count` digits of `w` bits each of a value of `total` bits, lowest first.
pub(crate) fn digit_bits(total: u32, w: u32, count: u32) -> Vec<u32> {
    (0..count).map(|k| total.saturating_sub(k * w).min(w)).collect()
}

/// Doubles a value given as digits of `w` bits, lowest first.
pub(super) fn double_digits(rw: &mut Rewriter<'_>, t: &mut [Arg], w: u32) {
    let mut below = Arg::zero();
    for x in t.iter_mut() {
        let old = std::mem::replace(x, Arg::zero());
        if old.is_zero() && below.is_zero() {
            continue;
        }
        let bits = if old.is_zero() { 1 } else { (rw.bits(&old) + 1).min(w) };
        *x = rw.one(Op::Funnel { k: w - 1 }, w, vec![old.clone(), below], bits);
        below = old;
    }
}
