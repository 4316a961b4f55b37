//! Rules of digit lists: Montgomery products, whole products, conditional subtractions. Their digits are halved round
//! by round (rule 36) until they are words; then the machine's style decides the order of word operations.

use super::{Rule, wide};
use crate::ir::{Arg, Inst, Op};
use crate::lower::Rewriter;
use crate::machine::{Compare, ProductStyle};

use super::word::{Style, columns_carry, style};

/// Are the digits words already?
fn at_word(i: &Inst, rw: &Rewriter<'_>) -> bool {
    i.width == rw.machine.word
}

/// (28d): a double-word product as two-digit lists, where the machine multiplies by rows or columns of words.
pub(super) const MUL_AS_DIGITS: Rule = Rule {
    number: "28d",
    name: "multiplication as a product of digit lists",
    cite: "[MoMA] eq. (8), order of operations left to the machine",
    matches: |i, rw| wide(i, rw) && i.op == Op::Mul && rw.machine.product != ProductStyle::Halves,
    apply: |rw, i| {
        let out = rewrite_digits(rw, i, Op::Product { n: 2, keep: 4 }, &[1, 1], 4);
        rw.set(i.outs[1], out[1].clone(), out[0].clone());
        rw.set(i.outs[0], out[3].clone(), out[2].clone());
    },
};

/// (37d): the low half likewise.
pub(super) const MUL_LOW_AS_DIGITS: Rule = Rule {
    number: "37d",
    name: "low product of digit lists",
    cite: "[MoMA] section 3.2",
    matches: |i, rw| wide(i, rw) && i.op == Op::MulLo && rw.machine.product != ProductStyle::Halves,
    apply: |rw, i| {
        let out = rewrite_digits(rw, i, Op::Product { n: 2, keep: 2 }, &[1, 1], 2);
        rw.set(i.outs[0], out[1].clone(), out[0].clone());
    },
};

/// (33d): a square likewise.
pub(super) const SQUARE_AS_DIGITS: Rule = Rule {
    number: "33d",
    name: "squaring of a digit list",
    cite: "[MoMA] eq. (8) with a = b",
    matches: |i, rw| wide(i, rw) && i.op == Op::Sqr && rw.machine.product != ProductStyle::Halves,
    apply: |rw, i| {
        let out = rewrite_digits(rw, i, Op::Square { n: 2 }, &[1], 4);
        rw.set(i.outs[1], out[1].clone(), out[0].clone());
        rw.set(i.outs[0], out[3].clone(), out[2].clone());
    },
};

/// Emits a product of half-width digits; the result's digits, lowest first, are as wide as the operands allow.
fn rewrite_digits(rw: &mut Rewriter<'_>, i: &Inst, op: Op, groups: &[usize], keep: u32) -> Vec<Arg> {
    let h = rw.half;
    let args = rw.split_digits(&i.args);
    let total: u32 =
        if groups.len() == 1 { 2 * rw.bits(&i.args[0]) } else { i.args.iter().map(|a| rw.bits(a)).sum() };
    rw.emit(op, h, args, &digit_bits(total, h, keep))
}

/// Widths of `count` digits of a value of `total` bits.
pub(super) fn digit_bits(total: u32, w: u32, count: u32) -> Vec<u32> {
    (0..count).map(|k| total.saturating_sub(k * w).min(w)).collect()
}

/// (36): digits of width 2h are pairs of digits of width h.
pub(super) const SPLIT: Rule = Rule {
    number: "36",
    name: "digits of a list split in two",
    cite: "[MoMA] eq. (13), (14), rule (19)",
    matches: |i, rw| {
        wide(i, rw)
            && matches!(
                i.op,
                Op::MontMul { .. }
                    | Op::Redc { .. }
                    | Op::CondSub { .. }
                    | Op::Product { .. }
                    | Op::Square { .. }
            )
    },
    apply: split_lists,
};

fn split_lists(rw: &mut Rewriter<'_>, i: &Inst) {
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

/// How many of the lowest digits hold anything; the results above are zero and are bound to it.
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

/// (40): compare word by word from the lowest, subtract, select.
pub(super) const COND_SUB_LESS: Rule = Rule {
    number: "40",
    name: "conditional subtraction by comparison",
    cite: "[MoMA] eq. (2), rules (25), (26)",
    matches: |i, rw| {
        matches!(i.op, Op::CondSub { .. }) && at_word(i, rw) && rw.machine.compare == Compare::Less
    },
    apply: |rw, i| {
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
            let (b, d) = super::plain::sub(rw, w, t[k].clone(), q[k].clone(), borrow);
            borrow = Some(b);
            let bits = rw.bits(&i.outs[k].into());
            let r = rw.one(Op::Select, w, vec![keep.clone(), t[k].clone(), d], bits);
            rw.alias(i.outs[k], r);
        }
    },
};

/// (40b): subtract along the borrow; the last borrow says which to keep.
pub(super) const COND_SUB_BORROW: Rule = Rule {
    number: "40b",
    name: "conditional subtraction by the borrow",
    cite: "[MoMA] eq. (2), rule (26)",
    matches: |i, rw| {
        matches!(i.op, Op::CondSub { .. }) && at_word(i, rw) && rw.machine.compare == Compare::Borrow
    },
    apply: |rw, i| {
        let Op::CondSub { n } = i.op else { return };
        let (w, n) = (i.width, n as usize);
        let (top, t, q) = (i.args[n].clone(), i.args[..n].to_vec(), i.args[n + 1..].to_vec());
        let n = occupied(rw, i, &t, &q);
        let mut borrow = None;
        let mut differences = Vec::with_capacity(n);
        for k in 0..n {
            let (b, d) = super::plain::sub(rw, w, t[k].clone(), q[k].clone(), borrow);
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
    },
};

/// (41): a whole product of words.
pub(super) const PRODUCT: Rule = Rule {
    number: "41",
    name: "product of words",
    cite: "[MoMA] eq. (8)",
    matches: |i, rw| matches!(i.op, Op::Product { .. }) && at_word(i, rw),
    apply: |rw, i| {
        let Op::Product { n, keep } = i.op else { return };
        let (n, keep) = (n as usize, keep as usize);
        let mut s = style(rw, keep);
        let b_used = i.args[n..].iter().rposition(|x| !x.is_zero()).map_or(0, |p| p + 1);
        let a_used = i.args[..n].iter().rposition(|x| !x.is_zero()).map_or(0, |p| p + 1);
        for j in 0..b_used.min(keep) {
            s.add_row(rw, j, &i.args[..a_used], &i.args[n + j], true);
        }
        bind(rw, i, s, 0);
    },
};

/// (42): a square of words: every mixed product once, doubled, then the squares on the diagonal.
pub(super) const SQUARE: Rule = Rule {
    number: "42",
    name: "square of words",
    cite: "[MoMA] eq. (8) with a = b",
    matches: |i, rw| matches!(i.op, Op::Square { .. }) && at_word(i, rw),
    apply: |rw, i| {
        let Op::Square { n } = i.op else { return };
        let n = n as usize;
        let used = i.args.iter().rposition(|x| !x.is_zero()).map_or(0, |p| p + 1);
        let mut s = style(rw, 2 * n);
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
    },
};

/// (43): a Montgomery product of words, one row of the product and one of the reduction in turn.
pub(super) const MONTGOMERY: Rule = Rule {
    number: "43",
    name: "Montgomery multiplication, rows interleaved",
    cite: "Montgomery 1985; Koc, Acar, Kaliski 1996 (coarsely integrated operand scanning)",
    matches: |i, rw| matches!(i.op, Op::MontMul { .. }) && at_word(i, rw),
    apply: |rw, i| {
        let Op::MontMul { n, r } = i.op else { return };
        let (n, rows) = (n as usize, (r / i.width) as usize);
        let (a, b) = (i.args[..rows.min(n)].to_vec(), i.args[n..n + rows.min(n)].to_vec());
        let q = i.args[2 * n..2 * n + rows.min(n)].to_vec();
        // With a spare bit in q's top word no intermediate sum outgrows its columns.
        let roomy = rw.digits_bits(&q, i.width) < r;
        let mut s = style(rw, 2 * rows + 1);
        for (j, b) in b.iter().enumerate() {
            s.add_row(rw, j, &a, b, roomy);
            s.reduce_row(rw, j, &q, &i.args[3 * n], roomy);
        }
        bind(rw, i, s, rows);
    },
};

/// (44): Montgomery reduction of a double-length value, a row per word.
pub(super) const REDUCE: Rule = Rule {
    number: "44",
    name: "Montgomery reduction",
    cite: "Montgomery 1985 (REDC)",
    matches: |i, rw| matches!(i.op, Op::Redc { .. }) && at_word(i, rw),
    apply: |rw, i| {
        let Op::Redc { n, r } = i.op else { return };
        let (n, rows) = (n as usize, (r / i.width) as usize);
        let q = i.args[2 * n..2 * n + rows.min(n)].to_vec();
        let mut s = style(rw, 2 * rows + 1);
        let t = &i.args[..(2 * rows).min(2 * n)];
        if rw.machine.product == ProductStyle::Columns {
            s.load(t);
            for j in 0..rows {
                s.reduce_row(rw, j, &q, &i.args[3 * n], true);
            }
            bind(rw, i, s, rows);
            return;
        }
        // Reduce the low half, which leaves at most q, and add the high half: no carry runs through it twice.
        let (low, high) = t.split_at(rows.min(t.len()));
        s.load(low);
        for j in 0..rows {
            s.reduce_row(rw, j, &q, &i.args[3 * n], true);
        }
        let widths = digit_bits(rw.digits_bits(&q, i.width), i.width, rows as u32);
        let reduced = columns_carry(rw, s, rows, &widths);
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
            let (c, s) = super::plain::add(rw, i.width, x, y, carry.take());
            carry = Some(c);
            rw.alias(*var, if claimed == 0 { Arg::zero() } else { s });
        }
    },
};

/// Binds an instruction's results to the digits of a sum from `from` on; digits past its end are zero.
fn bind(rw: &mut Rewriter<'_>, i: &Inst, s: Style, from: usize) {
    let widths: Vec<u32> = i.outs.iter().map(|v| rw.bits(&(*v).into())).collect();
    let digits = columns_carry(rw, s, from, &widths);
    for (k, var) in i.outs.iter().enumerate() {
        let digit = digits.get(k).filter(|_| widths[k] > 0);
        rw.alias(*var, digit.cloned().unwrap_or_else(Arg::zero));
    }
}
