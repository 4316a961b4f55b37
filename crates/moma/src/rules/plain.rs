//! Rules of plain integers: a double word's addition, comparison, product and shift by operations on its halves.

use super::{Rule, wide};
use crate::ir::{Arg, Inst, Op};
use crate::lower::Rewriter;
use crate::machine::ProductStyle;

/// Adds two words and perhaps a carry: `(carry, sum)`.
pub(super) fn add(rw: &mut Rewriter<'_>, w: u32, a: Arg, b: Arg, carry: Option<Arg>) -> (Arg, Arg) {
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

/// Subtracts a word and perhaps a borrow: `(borrow, difference)`.
pub(super) fn sub(rw: &mut Rewriter<'_>, w: u32, a: Arg, b: Arg, borrow: Option<Arg>) -> (Arg, Arg) {
    let mut args = vec![a, b];
    args.extend(borrow.filter(|c| !(rw.options.optimise && c.is_zero())));
    let outs = rw.emit(Op::Sub, w, args, &[1, w]);
    (outs[0].clone(), outs[1].clone())
}

/// The product of two words: `(high, low)`, with the widths that the operands allow.
pub(super) fn mul(rw: &mut Rewriter<'_>, w: u32, a: Arg, b: Arg) -> (Arg, Arg) {
    let total = rw.bits(&a) + rw.bits(&b);
    let outs = rw.emit(Op::Mul, w, vec![a, b], &[total.saturating_sub(w).min(w), total.min(w)]);
    (outs[0].clone(), outs[1].clone())
}

/// The last result, cut to the width that a rule claims for it, and the carry if the instruction wants one.
fn bind_sum(rw: &mut Rewriter<'_>, inst: &Inst, carry: Arg, high: Arg, low: Arg) {
    match inst.outs[..] {
        [sum] => rw.set(sum, high, low),
        [c, sum] => {
            rw.alias(c, carry);
            rw.set(sum, high, low);
        }
        _ => {}
    }
}

/// A final addition or subtraction of high halves: without a carry where nobody wants it.
fn last(rw: &mut Rewriter<'_>, inst: &Inst, op: Op, a: Arg, b: Arg, carry: Arg) -> (Arg, Arg) {
    let h = rw.half;
    if inst.outs.len() == 2 {
        return if op == Op::Add { add(rw, h, a, b, Some(carry)) } else { sub(rw, h, a, b, Some(carry)) };
    }
    let claimed = rw.bits(&inst.outs[0].into()).saturating_sub(h).min(h);
    (Arg::zero(), rw.one(op, h, vec![a, b, carry], claimed))
}

/// (22): a double-word sum is a low sum and a high sum with its carry.
pub(super) const ADD: Rule = Rule {
    number: "22",
    name: "double-word addition",
    cite: "[MoMA] table 1, eq. (6), listing 3.2 _dadd",
    matches: |i, rw| wide(i, rw) && i.op == Op::Add && i.args.len() == 2,
    apply: add_halves,
};

/// (23): the same with a carry that comes in.
pub(super) const ADD_CARRY: Rule = Rule {
    number: "23",
    name: "double-word addition with carry",
    cite: "[MoMA] table 1, listing 3.2 _dadd",
    matches: |i, rw| wide(i, rw) && i.op == Op::Add && i.args.len() == 3,
    apply: add_halves,
};

fn add_halves(rw: &mut Rewriter<'_>, i: &Inst) {
    let h = rw.half;
    let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
    let (c, low) = add(rw, h, a0, b0, i.args.get(2).cloned());
    let (carry, high) = last(rw, i, Op::Add, a1, b1, c);
    bind_sum(rw, i, carry, high, low);
}

/// (25): `a < b` is `a1 < b1`, or `a1 = b1` and `a0 < b0`.
pub(super) const LESS_THAN: Rule = Rule {
    number: "25",
    name: "double-word less-than",
    cite: "[MoMA] table 1, listing 3.2 _dlt",
    matches: |i, rw| wide(i, rw) && i.op == Op::Lt,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let above = rw.one(Op::Lt, h, vec![a1.clone(), b1.clone()], 1);
        let level = rw.one(Op::Eq, h, vec![a1, b1], 1);
        let below = rw.one(Op::Lt, h, vec![a0, b0], 1);
        let tie = rw.one(Op::And, 1, vec![level, below], 1);
        let result = rw.one(Op::Or, 1, vec![above, tie], 1);
        rw.alias(i.outs[0], result);
    },
};

/// (26): a double-word difference is a low difference and a high one with its borrow.
pub(super) const SUB_BORROW: Rule = Rule {
    number: "26",
    name: "double-word subtraction with borrow",
    cite: "[MoMA] table 1, eq. (7), listing 3.2 _dsub",
    matches: |i, rw| wide(i, rw) && i.op == Op::Sub,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let (c, low) = sub(rw, h, a0, b0, i.args.get(2).cloned());
        let (borrow, high) = last(rw, i, Op::Sub, a1, b1, c);
        bind_sum(rw, i, borrow, high, low);
    },
};

/// (27): two double words are equal if both halves are.
pub(super) const EQUAL: Rule = Rule {
    number: "27",
    name: "double-word equality",
    cite: "[MoMA] table 1",
    matches: |i, rw| wide(i, rw) && i.op == Op::Eq,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let high = rw.one(Op::Eq, h, vec![a1, b1], 1);
        let low = rw.one(Op::Eq, h, vec![a0, b0], 1);
        let result = rw.one(Op::And, 1, vec![high, low], 1);
        rw.alias(i.outs[0], result);
    },
};

/// (28): four products of halves, the middle ones added, then a quad-word addition.
pub(super) const SCHOOLBOOK: Rule = Rule {
    number: "28",
    name: "double-word schoolbook multiplication",
    cite: "[MoMA] table 1, eq. (8), listing 3.2 _dmuls",
    matches: |i, rw| wide(i, rw) && i.op == Op::Mul && rw.machine.product == ProductStyle::Halves,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let (t0, t1) = mul(rw, h, a0.clone(), b0.clone());
        let (t2, t3) = mul(rw, h, a1.clone(), b1.clone());
        let (t4, t5) = mul(rw, h, a1, b0);
        let (t6, t7) = mul(rw, h, a0, b1);
        // The middle: a1 b0 + a0 b1.
        let (c, m0) = add(rw, h, t5, t7, None);
        let (m2, m1) = add(rw, h, t4, t6, Some(c));
        let out = rw.emit(Op::AddQuad, h, vec![t2, t3, t0, t1, m2, m1, m0, Arg::zero()], &[h; 4]);
        rw.set(i.outs[0], out[0].clone(), out[1].clone());
        rw.set(i.outs[1], out[2].clone(), out[3].clone());
    },
};

/// (29): four single-word additions along one carry.
pub(super) const ADD_QUAD: Rule = Rule {
    number: "29",
    name: "quad-word addition",
    cite: "[MoMA] table 1, listing 3.2 _qadd",
    matches: |i, _| i.op == Op::AddQuad,
    apply: |rw, i| {
        let w = i.width;
        let mut carry = None;
        for k in (1..4).rev() {
            let (c, s) = add(rw, w, i.args[k].clone(), i.args[4 + k].clone(), carry);
            rw.alias(i.outs[k], s);
            carry = Some(c);
        }
        let args = [i.args[0].clone(), i.args[4].clone()].into_iter().chain(carry).collect();
        let top = rw.one(Op::Add, w, args, w);
        rw.alias(i.outs[0], top);
    },
};

/// (30): a shift of a quad word by k bits drops whole words and shifts each pair of neighbours.
pub(super) const SHIFT: Rule = Rule {
    number: "30",
    name: "shift across words",
    cite: "[MoMA] listing 3.3 _qshr",
    matches: |i, rw| wide(i, rw) && matches!(i.op, Op::Funnel { .. }),
    apply: |rw, i| {
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
    },
};

/// (32): three products of halves; the sums of halves have a carry each, taken in by selects.
pub(super) const KARATSUBA: Rule = Rule {
    number: "32",
    name: "double-word Karatsuba multiplication",
    cite: "[MoMA] eq. (9)",
    matches: |i, rw| wide(i, rw) && i.op == Op::Mul && rw.karatsuba > 0,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let (z0h, z0l) = mul(rw, h, a0.clone(), b0.clone());
        let (z2h, z2l) = mul(rw, h, a1.clone(), b1.clone());
        let (ca, sa) = add(rw, h, a1, a0, None);
        let (cb, sb) = add(rw, h, b1, b0, None);
        let (m1, m0) = mul(rw, h, sa.clone(), sb.clone());
        // (ca 2^h + sa)(cb 2^h + sb): the cross terms are a sum or nothing.
        let (bits_a, bits_b) = (rw.bits(&sa), rw.bits(&sb));
        let xb = rw.one(Op::Select, h, vec![ca.clone(), sb, Arg::zero()], bits_b);
        let xa = rw.one(Op::Select, h, vec![cb.clone(), sa, Arg::zero()], bits_a);
        let both = rw.one(Op::And, 1, vec![ca, cb], 1);
        let (k1, m1) = add(rw, h, m1, xb, None);
        let (k2, m1) = add(rw, h, m1, xa, None);
        let top = rw.one(Op::Add, h, vec![both, k1, k2], 2);
        // Minus z2 and z0; what is left is a1 b0 + a0 b1, at most one bit above two words.
        let (c, m0) = sub(rw, h, m0, z0l.clone(), None);
        let (c1, m1) = sub(rw, h, m1, z0h.clone(), Some(c));
        let (c, m0) = sub(rw, h, m0, z2l.clone(), None);
        let (c2, m1) = sub(rw, h, m1, z2h.clone(), Some(c));
        let top = rw.one(Op::Sub, h, vec![top, c1, c2], 1);
        let out = rw.emit(Op::AddQuad, h, vec![z2h, z2l, z0h, z0l, top, m1, m0, Arg::zero()], &[h; 4]);
        rw.set(i.outs[0], out[0].clone(), out[1].clone());
        rw.set(i.outs[1], out[2].clone(), out[3].clone());
    },
};

/// (33): two squares and one product, doubled by a shift.
pub(super) const SQUARE: Rule = Rule {
    number: "33",
    name: "double-word squaring",
    cite: "[MoMA] eq. (8) with a = b",
    matches: |i, rw| wide(i, rw) && i.op == Op::Sqr && rw.machine.product == ProductStyle::Halves,
    apply: |rw, i| {
        let h = rw.half;
        let (a1, a0) = rw.halves(&i.args[0]);
        let sqr = |rw: &mut Rewriter<'_>, a: &Arg| {
            let total = 2 * rw.bits(a);
            let o = rw.emit(Op::Sqr, h, vec![a.clone()], &[total.saturating_sub(h), total.min(h)]);
            (o[0].clone(), o[1].clone())
        };
        let (t0, t1) = sqr(rw, &a0);
        let (t2, t3) = sqr(rw, &a1);
        let (p1, p0) = mul(rw, h, a1, a0);
        let m0 = rw.one(Op::Funnel { k: h - 1 }, h, vec![p0.clone(), Arg::zero()], h);
        let m1 = rw.one(Op::Funnel { k: h - 1 }, h, vec![p1.clone(), p0], h);
        let m2 = rw.one(Op::Funnel { k: h - 1 }, h, vec![Arg::zero(), p1], 1);
        let out = rw.emit(Op::AddQuad, h, vec![t2, t3, t0, t1, m2, m1, m0, Arg::zero()], &[h; 4]);
        rw.set(i.outs[0], out[0].clone(), out[1].clone());
        rw.set(i.outs[1], out[2].clone(), out[3].clone());
    },
};

/// (38): both halves are chosen by the same condition.
pub(super) const SELECT: Rule = Rule {
    number: "38",
    name: "double-word conditional assignment",
    cite: "[MoMA] section 4, \"trivially implemented by individually assigning the corresponding single words\"",
    matches: |i, rw| wide(i, rw) && i.op == Op::Select,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[1]), rw.halves(&i.args[2]));
        let claimed = rw.bits(&i.outs[0].into());
        let low = rw.one(Op::Select, h, vec![i.args[0].clone(), a0, b0], claimed.min(h));
        let high = rw.one(Op::Select, h, vec![i.args[0].clone(), a1, b1], claimed.saturating_sub(h));
        rw.set(i.outs[0], high, low);
    },
};

/// (39): bitwise operations work on halves.
pub(super) const BITWISE: Rule = Rule {
    number: "39",
    name: "double-word bitwise operation",
    cite: "[MoMA] listing 3.3 (masks in _qshr)",
    matches: |i, rw| wide(i, rw) && matches!(i.op, Op::And | Op::Or | Op::Xor),
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let claimed = rw.bits(&i.outs[0].into());
        let low = rw.one(i.op, h, vec![a0, b0], claimed.min(h));
        let high = rw.one(i.op, h, vec![a1, b1], claimed.saturating_sub(h));
        rw.set(i.outs[0], high, low);
    },
};

/// (37): the low double word of a product is one whole product and two low ones.
pub(super) const MUL_LOW: Rule = Rule {
    number: "37",
    name: "low half of a double-word product",
    cite: "[MoMA] section 3.2 (\"the higher part of the third multiplication is not needed\")",
    matches: |i, rw| wide(i, rw) && i.op == Op::MulLo && rw.machine.product == ProductStyle::Halves,
    apply: |rw, i| {
        let h = rw.half;
        let ((a1, a0), (b1, b0)) = (rw.halves(&i.args[0]), rw.halves(&i.args[1]));
        let (t1, t0) = mul(rw, h, a0.clone(), b0.clone());
        let x = rw.one(Op::MulLo, h, vec![a1, b0], h);
        let y = rw.one(Op::MulLo, h, vec![a0, b1], h);
        let s = rw.one(Op::Add, h, vec![t1, x], h);
        let high = rw.one(Op::Add, h, vec![s, y], h);
        rw.set(i.outs[0], high, t0);
    },
};
