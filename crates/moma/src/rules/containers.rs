//! Templates for digits in wider containers, whose bits above the digit hold the carry.

use crate::interp::mask;
use crate::ir::{Arg, Inst, Op};
use crate::lower::{Rewriter, ones};
use crate::product::columns::plus;

/// Rule 48: adds in the container, where the carry is in the bits above the digit.
pub(super) fn add_in_container(rw: &mut Rewriter<'_>, i: &Inst) {
    let (w, c) = (i.width, rw.machine.container);
    let mut sum = i.args[0].clone();
    for x in &i.args[1..] {
        sum = plus(rw, sum, x.clone());
    }
    let out = *i.outs.last().unwrap_or(&i.outs[0]);
    let claimed = rw.bits(&out.into());
    let bits = rw.bits(&sum);
    if bits <= claimed.min(w) {
        rw.alias(out, sum);
        if i.outs.len() == 2 {
            rw.alias(i.outs[0], Arg::zero());
        }
        return;
    }
    let digit = rw.one(Op::And, c, vec![sum.clone(), ones(w)], claimed);
    rw.alias(out, digit);
    if i.outs.len() == 2 {
        let carry = rw.one(Op::Funnel { k: w }, c, vec![Arg::zero(), sum], 1);
        rw.alias(i.outs[0], carry);
    }
}

/// Rule 49: subtracts in the container; a borrow sets all bits above the digit, and the topmost one is taken.
pub(super) fn subtract_in_container(rw: &mut Rewriter<'_>, i: &Inst) {
    let (w, c) = (i.width, rw.machine.container);
    if let ([a, b, borrow], 2) = (&i.args[..], i.outs.len())
        && a.is_zero()
        && b.is_zero()
    {
        // The borrow of 0 - 0 - b is b itself; the digit, all ones or zero, is removed by the passes if nothing reads
        // it.
        rw.alias(i.outs[0], borrow.clone());
        let d = rw.one(Op::Sub, c, vec![Arg::zero(), borrow.clone()], c);
        let digit = rw.one(Op::And, c, vec![d, ones(w)], w);
        rw.alias(i.outs[1], digit);
        return;
    }
    let mut d = i.args[0].clone();
    for x in i.args[1..].iter().filter(|x| !x.is_zero()) {
        d = rw.one(Op::Sub, c, vec![d, x.clone()], c);
    }
    let out = *i.outs.last().unwrap_or(&i.outs[0]);
    let claimed = rw.bits(&out.into());
    let digit = rw.one(Op::And, c, vec![d.clone(), ones(w)], claimed);
    rw.alias(out, digit);
    if i.outs.len() == 2 {
        let borrow = rw.one(Op::Funnel { k: c - 1 }, c, vec![Arg::zero(), d], 1);
        rw.alias(i.outs[0], borrow);
    }
}

/// Rule 50: shifts the low digit right and the high digit left, and cuts both at the width of a digit.
pub(super) fn shift_in_containers(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::Funnel { k } = i.op else { return };
    let (w, c) = (i.width, rw.machine.container);
    let claimed = rw.bits(&i.outs[0].into());
    let low_bits = rw.bits(&i.args[1]).saturating_sub(k);
    let low = if low_bits == 0 {
        Arg::zero()
    } else {
        rw.one(Op::Funnel { k }, c, vec![Arg::zero(), i.args[1].clone()], low_bits)
    };
    // The part of the high digit that stays: its low k bits, moved to the top of the digit.
    let result = if k == 0 || i.args[0].is_zero() {
        low
    } else {
        let kept = rw.bits(&i.args[0]).min(k);
        let part = rw.one(Op::And, c, vec![i.args[0].clone(), Arg::Const(mask(k))], kept);
        let moved = rw.one(Op::Funnel { k: c - (w - k) }, c, vec![part, Arg::zero()], kept + w - k);
        if low.is_zero() { moved } else { rw.one(Op::Or, c, vec![moved, low], claimed) }
    };
    rw.alias(i.outs[0], result);
}
