//! Templates: right-hand sides that are loops over lists of digits, or whose form depends on numbers.
//!
//! Digits of a list are halved round by round until they are words; then the machine's product style decides the order
//! of word operations.

use crate::ir::{Arg, Inst, Op};
use crate::lower::Rewriter;
use crate::product::Sum;
use crate::product::sums::{add, digit_bits, sub};

/// Rule 30: shifts a pair of double words by choosing words and shifting pairs of neighbours.
pub(super) fn shift_by_words(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::Funnel { k } = i.op else { return };
    let h = rw.half;
    let ((x3, x2), (x1, x0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
    let x = [x0, x1, x2, x3, Arg::zero()];
    let (skip, rest) = ((k / h) as usize, k % h);
    let claimed = rw.bits(&i.outs[0].into());
    let piece = |rw: &mut Rewriter<'_>, at: usize, bits: u32| {
        if rest == 0 {
            return x[at].clone();
        }
        rw.one(Op::Funnel { k: rest }, h, vec![x[at + 1].clone(), x[at].clone()], bits)
    };
    let low = piece(rw, skip, claimed.min(h));
    let high = piece(rw, skip + 1, claimed.saturating_sub(h));
    rw.set(i.outs[0], high, low);
}

/// Rule 35s: squares one digit or a list of digits, then reduces.
pub(super) fn square_then_reduce(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::MontSqr { n, r } = i.op else { return };
    let n = n as usize;
    let w = i.width;
    let bits = rw.digits_bits(&i.args[..n], w) * 2;
    let square: Vec<Arg> = if n == 1 {
        let low_high = [bits.saturating_sub(w).min(w), bits.min(w)];
        let mut o = rw.emit(Op::Sqr, w, vec![i.args[0].clone()], &low_high);
        o.reverse();
        o
    } else {
        let widths: Vec<u32> = (0..2 * n as u32).map(|k| bits.saturating_sub(k * w).min(w)).collect();
        rw.emit(Op::Square { n: n as u32 }, w, i.args[..n].to_vec(), &widths)
    };
    let widths = out_bits(rw, i);
    let args = square.into_iter().chain(i.args[n..].iter().cloned()).collect();
    let out = rw.emit(Op::Redc { n: n as u32, r }, w, args, &widths);
    for (var, value) in i.outs.iter().zip(out) {
        rw.alias(*var, value);
    }
}

/// The declared widths of an instruction's results.
fn out_bits(rw: &Rewriter<'_>, i: &Inst) -> Vec<u32> {
    i.outs.iter().map(|v| rw.bits(&(*v).into())).collect()
}

/// Rule 36: splits every digit of the lists into two of half the width.
pub(super) fn halve_digits(rw: &mut Rewriter<'_>, i: &Inst) {
    let h = rw.half;
    let widths: Vec<u32> = i.outs.iter().map(|v| rw.bits(&(*v).into())).collect();
    let total = widths.iter().enumerate().map(|(k, b)| if *b > 0 { k as u32 * i.width + b } else { 0 }).max();
    let total = total.unwrap_or(0);
    // Operands after the digit lists (q', one word) are not digits; a conditional subtraction's t has one more digit
    // than its modulus, which holds at most a bit.
    let (args, op, outs) = match i.op {
        Op::MontMul { n, r } => (with_tail(rw, i, 3 * n), Op::MontMul { n: 2 * n, r }, 2 * n + 1),
        Op::Redc { n, r } => (with_tail(rw, i, 3 * n), Op::Redc { n: 2 * n, r }, 2 * n + 1),
        Op::Product { n, keep } => {
            (with_tail(rw, i, 2 * n), Op::Product { n: 2 * n, keep: 2 * keep }, 2 * keep)
        }
        Op::Square { n } => (with_tail(rw, i, n), Op::Square { n: 2 * n }, 4 * n),
        Op::CondSub { n } => {
            let n = n as usize;
            let mut args = rw.split_digits(&i.args[..n]);
            args.push(i.args[n].clone());
            args.extend(rw.split_digits(&i.args[n + 1..]));
            (args, Op::CondSub { n: 2 * n as u32 }, 2 * n as u32)
        }
        _ => return,
    };
    let out = rw.emit(op, h, args, &digit_bits(total, h, outs));
    for (k, var) in i.outs.iter().enumerate() {
        match out.get(2 * k + 1) {
            Some(high) => rw.set(*var, high.clone(), out[2 * k].clone()),
            None => rw.alias(*var, out[2 * k].clone()),
        }
    }
}

fn with_tail(rw: &mut Rewriter<'_>, i: &Inst, lists: u32) -> Vec<Arg> {
    let mut args = rw.split_digits(&i.args[..lists as usize]);
    args.extend(i.args[lists as usize..].iter().cloned());
    args
}

/// The number of lowest digits that are not known to be zero; the results above are bound to zero.
fn occupied(rw: &mut Rewriter<'_>, i: &Inst, t: &[Arg], q: &[Arg]) -> usize {
    let n = if rw.options.optimise {
        (0..t.len()).rev().find(|&k| !t[k].is_zero() || !q[k].is_zero()).map_or(0, |k| k + 1)
    } else {
        t.len()
    };
    for var in &i.outs[n..] {
        rw.alias(*var, Arg::zero());
    }
    n
}

/// Rule 40: compares from the lowest digit up, subtracts, and selects.
pub(super) fn compare_and_subtract(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::CondSub { n } = i.op else { return };
    let (w, n) = (i.width, n as usize);
    let (t, q) = (i.args[..n].to_vec(), i.args[n + 1..].to_vec());
    let n = occupied(rw, i, &t, &q);
    let mut less = Arg::zero();
    for k in 0..n {
        let below = rw.one(Op::Lt, w, vec![t[k].clone(), q[k].clone()], 1);
        let level = rw.one(Op::Eq, w, vec![t[k].clone(), q[k].clone()], 1);
        let tie = rw.one(Op::And, 1, vec![level, less], 1);
        less = rw.one(Op::Or, 1, vec![below, tie], 1);
    }
    let none = rw.one(Op::Xor, 1, vec![i.args[t.len()].clone(), Arg::small(1)], 1);
    let keep = rw.one(Op::And, 1, vec![none, less], 1);
    let mut borrow = None;
    for k in 0..n {
        let (b, d) = sub(rw, w, t[k].clone(), q[k].clone(), borrow);
        borrow = Some(b);
        let bits = rw.bits(&i.outs[k].into());
        let r = rw.one(Op::Select, w, vec![keep.clone(), t[k].clone(), d], bits);
        rw.alias(i.outs[k], r);
    }
}

/// Rule 40b: subtracts with borrow; the last borrow selects between the value and the difference.
pub(super) fn subtract_and_select(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::CondSub { n } = i.op else { return };
    let (w, n) = (i.width, n as usize);
    let (top, t, q) = (i.args[n].clone(), i.args[..n].to_vec(), i.args[n + 1..].to_vec());
    let n = occupied(rw, i, &t, &q);
    let mut borrow = None;
    let mut differences = Vec::with_capacity(n);
    for k in 0..n {
        let (b, d) = sub(rw, w, t[k].clone(), q[k].clone(), borrow);
        borrow = Some(b);
        differences.push(d);
    }
    let borrow = borrow.unwrap_or_else(Arg::zero);
    let below = if top.is_zero() {
        borrow
    } else {
        // The top bit pays for the borrow.
        let none = rw.one(Op::Xor, 1, vec![top, Arg::small(1)], 1);
        rw.one(Op::And, 1, vec![none, borrow], 1)
    };
    for (k, d) in differences.into_iter().enumerate() {
        let bits = rw.bits(&i.outs[k].into());
        let r = rw.one(Op::Select, w, vec![below.clone(), t[k].clone(), d], bits);
        rw.alias(i.outs[k], r);
    }
}

/// Rule 41: sums a product row by row in the machine's product style.
pub(super) fn product_rows(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::Product { n, keep } = i.op else { return };
    let (n, keep) = (n as usize, keep as usize);
    let mut s = rw.machine.product.sum(keep);
    let b_used = i.args[n..].iter().rposition(|x| !x.is_zero()).map_or(0, |p| p + 1);
    let a_used = i.args[..n].iter().rposition(|x| !x.is_zero()).map_or(0, |p| p + 1);
    for j in 0..b_used.min(keep) {
        s.add_row(rw, j, &i.args[..a_used], &i.args[n + j], true);
    }
    bind(rw, i, s, 0);
}

/// Rule 42: mixed products once, doubled, then the squares on the diagonal.
pub(super) fn square_rows(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::Square { n } = i.op else { return };
    let n = n as usize;
    let used = i.args.iter().rposition(|x| !x.is_zero()).map_or(0, |p| p + 1);
    let mut s = rw.machine.product.sum(2 * n);
    for j in 0..used {
        if j + 1 < used {
            s.add_row(rw, 2 * j + 1, &i.args[j + 1..used], &i.args[j], true);
        }
    }
    s.double(rw);
    for j in 0..used {
        s.add_square(rw, 2 * j, &i.args[j]);
    }
    bind(rw, i, s, 0);
}

/// Rule 43: alternates a row of the product and a row of the reduction.
pub(super) fn montgomery_rows(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::MontMul { n, r } = i.op else { return };
    let (n, rows) = (n as usize, (r / i.width) as usize);
    let (a, b) = (i.args[..rows.min(n)].to_vec(), i.args[n..n + rows.min(n)].to_vec());
    let q = i.args[2 * n..2 * n + rows.min(n)].to_vec();
    // With a spare bit in the top word of q no intermediate sum carries out of its columns.
    let roomy = rw.digits_bits(&q, i.width) < r;
    let mut s = rw.machine.product.sum(2 * rows + 1);
    for (j, b) in b.iter().enumerate() {
        s.add_row(rw, j, &a, b, roomy);
        s.reduce_row(rw, j, &q, &i.args[3 * n], roomy);
    }
    bind(rw, i, s, rows);
}

/// Rule 44: one row of the reduction per word.
pub(super) fn reduction_rows(rw: &mut Rewriter<'_>, i: &Inst) {
    let Op::Redc { n, r } = i.op else { return };
    let (n, rows) = (n as usize, (r / i.width) as usize);
    let q = i.args[2 * n..2 * n + rows.min(n)].to_vec();
    let mut s = rw.machine.product.sum(2 * rows + 1);
    let t = &i.args[..(2 * rows).min(2 * n)];
    if rw.machine.lazy() {
        s.load(rw, t);
        for j in 0..rows {
            s.reduce_row(rw, j, &q, &i.args[3 * n], true);
        }
        bind(rw, i, s, rows);
        return;
    }
    // The low half is reduced, which leaves at most q, and the high half is added: no carry runs through the high half
    // twice.
    let (low, high) = t.split_at(rows.min(t.len()));
    s.load(rw, low);
    for j in 0..rows {
        s.reduce_row(rw, j, &q, &i.args[3 * n], true);
    }
    let widths = digit_bits(rw.digits_bits(&q, i.width), i.width, rows as u32);
    let reduced = s.digits(rw, rows, &widths);
    let mut carry = None;
    for (k, var) in i.outs.iter().enumerate() {
        let claimed = rw.bits(&(*var).into());
        let operands = [reduced.get(k), high.get(k)].map(|x| x.cloned().unwrap_or_else(Arg::zero));
        let [x, y] = operands;
        if k >= rows {
            let top = carry.take().filter(|_| claimed > 0).unwrap_or_else(Arg::zero);
            rw.alias(*var, top);
            continue;
        }
        let (c, s) = add(rw, i.width, x, y, carry.take());
        carry = Some(c);
        rw.alias(*var, if claimed == 0 { Arg::zero() } else { s });
    }
}

/// Binds an instruction's results to the digits of a sum from `from` on; digits past its end are zero.
fn bind(rw: &mut Rewriter<'_>, i: &Inst, s: Box<dyn Sum>, from: usize) {
    let widths: Vec<u32> = i.outs.iter().map(|v| rw.bits(&(*v).into())).collect();
    let digits = s.digits(rw, from, &widths);
    for (k, var) in i.outs.iter().enumerate() {
        let digit = digits.get(k).filter(|_| widths[k] > 0);
        rw.alias(*var, digit.cloned().unwrap_or_else(Arg::zero));
    }
}
