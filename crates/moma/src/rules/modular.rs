//! Rules that turn modular operations into plain ones of the same width.

use super::Rule;
use super::plain::{add, mul, sub};
use crate::ir::{Arg, Inst, Op};
use crate::lower::Rewriter;
use crate::machine::{Compare, ProductStyle};

/// Is this one of the operations that the present round works on?
fn here(inst: &Inst, rw: &Rewriter<'_>) -> bool {
    inst.width == rw.top
}

/// (24): add, compare with the modulus, subtract it, select.
pub(super) const ADD_MOD: Rule = Rule {
    number: "24",
    name: "modular addition by compare, subtract, select",
    cite: "[MoMA] table 1, eq. (2), listing 3.2 _daddmod",
    matches: |i, rw| here(i, rw) && i.op == Op::AddMod && rw.machine.compare == Compare::Less,
    apply: |rw, i| {
        let w = i.width;
        let [a, b, q] = [0, 1, 2].map(|k| i.args[k].clone());
        let bits = rw.bits(&q);
        let (carry, s) = add(rw, w, a, b, None);
        let less = rw.one(Op::Lt, w, vec![s.clone(), q.clone()], 1);
        let d = rw.one(Op::Sub, w, vec![s.clone(), q], w);
        // A carry means the sum is at least 2^w, so above the modulus; without one, the comparison decides.
        let keep = if carry.is_zero() || bits < w {
            less
        } else {
            let none = rw.one(Op::Xor, 1, vec![carry, Arg::small(1)], 1);
            rw.one(Op::And, 1, vec![none, less], 1)
        };
        let r = rw.one(Op::Select, w, vec![keep, s, d], bits);
        rw.alias(i.outs[0], r);
    },
};

/// (24b): the borrow of the subtraction is the comparison.
pub(super) const ADD_MOD_BORROW: Rule = Rule {
    number: "24b",
    name: "modular addition, compared by the borrow",
    cite: "[MoMA] eq. (2)",
    matches: |i, rw| here(i, rw) && i.op == Op::AddMod && rw.machine.compare == Compare::Borrow,
    apply: |rw, i| {
        let w = i.width;
        let [a, b, q] = [0, 1, 2].map(|k| i.args[k].clone());
        let bits = rw.bits(&q);
        let (carry, s) = add(rw, w, a, b, None);
        let r = rw.one(Op::CondSub { n: 1 }, w, vec![s, carry, q], bits);
        rw.alias(i.outs[0], r);
    },
};

/// (31): subtract, add the modulus, compare, select.
pub(super) const SUB_MOD: Rule = Rule {
    number: "31",
    name: "modular subtraction by compare, add, select",
    cite: "[MoMA] eq. (3), listing 3.2 _dsubmod",
    matches: |i, rw| here(i, rw) && i.op == Op::SubMod && rw.machine.compare == Compare::Less,
    apply: |rw, i| {
        let w = i.width;
        let [a, b, q] = [0, 1, 2].map(|k| i.args[k].clone());
        let bits = rw.bits(&q);
        let d = rw.one(Op::Sub, w, vec![a.clone(), b.clone()], w);
        let s = rw.one(Op::Add, w, vec![d.clone(), q], w);
        let less = rw.one(Op::Lt, w, vec![a, b], 1);
        let r = rw.one(Op::Select, w, vec![less, s, d], bits);
        rw.alias(i.outs[0], r);
    },
};

/// (31b): the borrow says whether to add the modulus back.
pub(super) const SUB_MOD_BORROW: Rule = Rule {
    number: "31b",
    name: "modular subtraction, the modulus masked by the borrow",
    cite: "[MoMA] eq. (3)",
    matches: |i, rw| here(i, rw) && i.op == Op::SubMod && rw.machine.compare == Compare::Borrow,
    apply: |rw, i| {
        let w = i.width;
        let [a, b, q] = [0, 1, 2].map(|k| i.args[k].clone());
        let bits = rw.bits(&q);
        let (borrow, d) = sub(rw, w, a, b, None);
        let back = rw.one(Op::Select, w, vec![borrow, q, Arg::zero()], bits);
        // The borrow's 2^w goes out again: the sum is taken modulo 2^w and is below the modulus.
        let r = rw.one(Op::Add, w, vec![d, back], bits);
        rw.alias(i.outs[0], r);
    },
};

/// (34): Barrett's quotient by two products and two shifts, one correction.
pub(super) const BARRETT: Rule = Rule {
    number: "34",
    name: "Barrett modular multiplication",
    cite: "[MoMA] eq. (15)-(18), listing 3.3 _dmulmod",
    matches: |i, rw| here(i, rw) && matches!(i.op, Op::MulBarrett { .. }),
    apply: |rw, i| {
        let Op::MulBarrett { bits } = i.op else { return };
        let (high, low) = mul(rw, i.width, i.args[0].clone(), i.args[1].clone());
        barrett(rw, i, bits, high, low, i.args[2].clone(), i.args[3].clone());
    },
};

/// (34s): the same for a square.
pub(super) const BARRETT_SQUARE: Rule = Rule {
    number: "34s",
    name: "Barrett modular squaring",
    cite: "[MoMA] listing 3.3 with a = b",
    matches: |i, rw| here(i, rw) && matches!(i.op, Op::SqrBarrett { .. }),
    apply: |rw, i| {
        let Op::SqrBarrett { bits } = i.op else { return };
        let w = i.width;
        let out =
            rw.emit(Op::Sqr, w, vec![i.args[0].clone()], &[(2 * bits).saturating_sub(w), (2 * bits).min(w)]);
        barrett(rw, i, bits, out[0].clone(), out[1].clone(), i.args[1].clone(), i.args[2].clone());
    },
};

/// From the product `t = [high, low]` to the residue, for a modulus of exactly m bits:
/// `r = ((t >> (m-2)) mu) >> (m+5)`, then `t - r q`, at most one modulus too large.
fn barrett(rw: &mut Rewriter<'_>, i: &Inst, m: u32, high: Arg, low: Arg, q: Arg, mu: Arg) {
    let w = i.width;
    let lead = rw.one(Op::Funnel { k: m - 2 }, w, vec![high, low.clone()], m + 2);
    let (h, l) = mul(rw, w, lead, mu);
    let k = m + 5;
    let quotient = if k <= w {
        rw.one(Op::Funnel { k }, w, vec![h, l], m + 1)
    } else {
        rw.one(Op::Funnel { k: k - w }, w, vec![Arg::zero(), h], m + 1)
    };
    let back = rw.one(Op::MulLo, w, vec![quotient, q.clone()], w);
    // The true difference is below 2 q, so the low double words are enough.
    let c = rw.one(Op::Sub, w, vec![low, back], m + 1);
    let r = rw.one(Op::CondSub { n: 1 }, w, vec![c, Arg::zero(), q], m);
    rw.alias(i.outs[0], r);
}

/// (35): product first, reduction after: where the product goes by halves or by Karatsuba.
pub(super) const MONTGOMERY_SEPARATE: Rule = Rule {
    number: "35",
    name: "Montgomery multiplication, product then reduction",
    cite: "Montgomery 1985; [MoMA] section 5.2",
    matches: |i, rw| {
        matches!(i.op, Op::MontMul { n: 1, .. })
            && here(i, rw)
            && rw.split
            && (rw.karatsuba > 0 || rw.machine.product == ProductStyle::Halves)
    },
    apply: |rw, i| {
        let Op::MontMul { r, .. } = i.op else { return };
        let (high, low) = mul(rw, i.width, i.args[0].clone(), i.args[1].clone());
        let bits = out_bits(rw, i);
        let args = vec![low, high, i.args[2].clone(), i.args[3].clone()];
        let out = rw.emit(Op::Redc { n: 1, r }, i.width, args, &bits);
        rw.alias(i.outs[0], out[0].clone());
        rw.alias(i.outs[1], out[1].clone());
    },
};

/// (35s): a square, then its reduction.
pub(super) const MONTGOMERY_SQUARE: Rule = Rule {
    number: "35s",
    name: "Montgomery squaring, square then reduction",
    cite: "Montgomery 1985",
    matches: |i, rw| matches!(i.op, Op::MontSqr { .. }) && here(i, rw),
    apply: |rw, i| {
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
    },
};

/// The declared widths of an instruction's results.
fn out_bits(rw: &Rewriter<'_>, i: &Inst) -> Vec<u32> {
    i.outs.iter().map(|v| rw.bits(&(*v).into())).collect()
}
