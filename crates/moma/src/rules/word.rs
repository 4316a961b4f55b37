//! Rules at the width of a word: sums of rows in each machine's style, and what a machine without a carry flag or
//! without a multiply-accumulate does instead.

use super::Rule;
use super::plain::{add, mul};
use crate::interp::mask;
use crate::ir::{Arg, Inst, Op};
use crate::lower::{Rewriter, ones};
use crate::machine::ProductStyle;

/// A long sum of products under construction: its digits by column, kept the way the machine likes.
pub(super) enum Style {
    /// One digit per column, always below 2^w, and a carry bit that waits for a column.
    Rows(Vec<Arg>, Pending),
    /// Two sums: pairs (low, high) that start at even columns, and at odd columns.
    Alternating([Vec<Arg>; 2]),
    /// One unnormalised sum per column, in a container.
    Columns(Vec<Arg>),
}

/// A carry bit and the column it belongs to.
pub(super) type Pending = (usize, Arg);

/// An empty sum of `columns` columns in the machine's style.
pub(super) fn style(rw: &Rewriter<'_>, columns: usize) -> Style {
    let zeros = vec![Arg::zero(); columns];
    match rw.machine.product {
        ProductStyle::Halves | ProductStyle::Rows => Style::Rows(zeros, (0, Arg::zero())),
        ProductStyle::Alternating => Style::Alternating([zeros.clone(), zeros]),
        ProductStyle::Columns => Style::Columns(zeros),
    }
}

impl Style {
    /// Starts from a value's digits.
    pub(super) fn load(&mut self, digits: &[Arg]) {
        let sum = match self {
            Style::Rows(t, _) | Style::Columns(t) => t,
            Style::Alternating([t, _]) => t,
        };
        sum[..digits.len()].clone_from_slice(digits);
    }

    /// Adds `x y 2^(w at)`, for a list of digits x and one digit y. `roomy`: the sum stays below the column after the
    /// row's last one.
    pub(super) fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, roomy: bool) {
        match self {
            Style::Rows(t, pending) => {
                let carry = row(rw, t, at, x, y, Arg::zero());
                ripple(rw, t, pending, at + x.len(), carry, roomy);
            }
            Style::Alternating(t) => {
                let carry = settle(rw, t, at);
                let other: Vec<Arg> = x.iter().skip(1).step_by(2).cloned().collect();
                chain(rw, &mut t[(at + 1) % 2], at + 1, &other, y, carry);
                let same: Vec<Arg> = x.iter().step_by(2).cloned().collect();
                chain(rw, &mut t[at % 2], at, &same, y, None);
            }
            Style::Columns(t) => {
                for (k, x) in x.iter().enumerate() {
                    dot(rw, t, at + k, x, y);
                }
            }
        }
    }

    /// Adds the multiple of q that clears column `at`, and carries what that column held on.
    pub(super) fn reduce_row(
        &mut self,
        rw: &mut Rewriter<'_>,
        at: usize,
        q: &[Arg],
        inverse: &Arg,
        roomy: bool,
    ) {
        let w = rw.machine.word;
        match self {
            Style::Rows(t, pending) => {
                let m = rw.one(Op::MulLo, w, vec![t[at].clone(), inverse.clone()], w);
                let carry = row(rw, t, at, q, &m, Arg::zero());
                t[at] = Arg::zero();
                ripple(rw, t, pending, at + q.len(), carry, roomy);
            }
            Style::Alternating(t) => {
                let carry = settle(rw, t, at);
                let (same, other) = (at % 2, (at + 1) % 2);
                let m = rw.one(Op::MulLo, w, vec![t[same][at].clone(), inverse.clone()], w);
                let odd: Vec<Arg> = q.iter().skip(1).step_by(2).cloned().collect();
                chain(rw, &mut t[other], at + 1, &odd, &m, carry);
                let even: Vec<Arg> = q.iter().step_by(2).cloned().collect();
                chain(rw, &mut t[same], at, &even, &m, None);
                t[same][at] = Arg::zero();
            }
            Style::Columns(t) => {
                let (c, digit) = (rw.machine.container, w);
                let m = rw.one(Op::DotLo { digit }, c, vec![t[at].clone(), inverse.clone(), Arg::zero()], w);
                for (k, x) in q.iter().enumerate() {
                    dot(rw, t, at + k, x, &m);
                }
                let bits = rw.bits(&t[at]).saturating_sub(w);
                let carry = rw.one(Op::Funnel { k: w }, c, vec![Arg::zero(), t[at].clone()], bits);
                t[at] = Arg::zero();
                t[at + 1] = plus(rw, t[at + 1].clone(), carry);
            }
        }
    }

    /// Doubles the sum.
    pub(super) fn double(&mut self, rw: &mut Rewriter<'_>) {
        let w = rw.machine.word;
        match self {
            Style::Rows(t, _) => double_digits(rw, t, w),
            Style::Alternating(_) => {
                let mut t = merge(rw, self);
                double_digits(rw, &mut t, w);
                let zeros = vec![Arg::zero(); t.len()];
                *self = Style::Alternating([t, zeros]);
            }
            Style::Columns(t) => {
                for x in t.iter_mut().filter(|x| !x.is_zero()) {
                    *x = plus(rw, x.clone(), x.clone());
                }
            }
        }
    }

    /// Adds `x^2 2^(w at)`: after doubling, the diagonal of a square. Called for rising columns; carries go on from one
    /// pair of columns to the next.
    pub(super) fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg) {
        let w = rw.machine.word;
        match self {
            Style::Rows(t, pending) => {
                let (high, low) = mul(rw, w, x.clone(), x.clone());
                let carry = if pending.0 == at { pending.1.clone() } else { Arg::zero() };
                let (c, s) = add(rw, w, t[at].clone(), low, Some(carry));
                t[at] = s;
                let (c, s) = add(rw, w, t[at + 1].clone(), high, Some(c));
                t[at + 1] = s;
                *pending = (at + 2, c);
            }
            Style::Alternating(t) => {
                let y = x.clone();
                chain(rw, &mut t[1], at, std::slice::from_ref(x), &y, None);
            }
            Style::Columns(t) => dot(rw, t, at, x, x),
        }
    }
}

/// The digits of a sum from column `from` on, normalised, with the widths that the caller knows them to have.
pub(super) fn columns_carry(rw: &mut Rewriter<'_>, mut s: Style, from: usize, widths: &[u32]) -> Vec<Arg> {
    let w = rw.machine.word;
    match &mut s {
        Style::Rows(t, (column, bit)) => {
            if let Some(last) = t.get_mut(*column)
                && last.is_zero()
            {
                *last = bit.clone();
            }
            t[from..].to_vec()
        }
        Style::Alternating(_) => {
            let t = merge_from(rw, &mut s, from, widths);
            t[from..].to_vec()
        }
        Style::Columns(t) => {
            let c = rw.machine.container;
            let mut out = Vec::new();
            let mut carry = Arg::zero();
            for (k, x) in t[from..].iter().enumerate() {
                let width = widths.get(k).copied().unwrap_or(0);
                if width == 0 {
                    break;
                }
                let v = plus(rw, x.clone(), std::mem::replace(&mut carry, Arg::zero()));
                // The last digit holds what is left: its width is the caller's claim, so there is nothing to cut.
                let last = widths.get(k + 1).copied().unwrap_or(0) == 0;
                let bits = rw.bits(&v);
                if bits <= w {
                    out.push(v);
                } else if last {
                    out.push(rw.one(Op::And, c, vec![v, ones(w)], width));
                } else {
                    out.push(rw.one(Op::And, c, vec![v.clone(), ones(w)], w));
                    carry = rw.one(Op::Funnel { k: w }, c, vec![Arg::zero(), v], bits - w);
                }
            }
            out
        }
    }
}

/// Adds two containers.
fn plus(rw: &mut Rewriter<'_>, a: Arg, b: Arg) -> Arg {
    if a.is_zero() {
        return b;
    }
    if b.is_zero() {
        return a;
    }
    let c = rw.machine.container;
    let bits = (rw.bits(&a).max(rw.bits(&b)) + 1).min(c);
    rw.one(Op::Add, c, vec![a, b], bits)
}

/// Column `at` takes the low half of `x y`, the next one the high half.
fn dot(rw: &mut Rewriter<'_>, t: &mut [Arg], at: usize, x: &Arg, y: &Arg) {
    if x.is_zero() || y.is_zero() {
        return;
    }
    let (c, digit) = (rw.machine.container, rw.machine.word);
    for (op, k) in [(Op::DotLo { digit }, at), (Op::DotHi { digit }, at + 1)] {
        // A product cut to fewer columns has no place for the highest half.
        let Some(column) = t.get(k).cloned() else { continue };
        let bits = (rw.bits(&column).max(digit) + 1).min(c);
        let bits = if column.is_zero() { digit } else { bits };
        t[k] = rw.one(op, c, vec![x.clone(), y.clone(), column], bits);
    }
}

/// One row of `a b + c + d` steps; returns the carry word.
fn row(rw: &mut Rewriter<'_>, t: &mut [Arg], at: usize, x: &[Arg], y: &Arg, mut carry: Arg) -> Arg {
    let w = rw.machine.word;
    for (k, x) in x.iter().enumerate() {
        let Some(column) = t.get(at + k).cloned() else { break };
        if at + k + 1 == t.len() {
            // The last column of a cut product: only the low word is wanted.
            let p = rw.one(Op::MulLo, w, vec![x.clone(), y.clone()], w);
            let s = rw.one(Op::Add, w, vec![p, column], w);
            t[at + k] = rw.one(Op::Add, w, vec![s, carry], w);
            return Arg::zero();
        }
        let (high, low) = mac(rw, w, x, y, column, carry);
        t[at + k] = low;
        carry = high;
    }
    carry
}

/// `x y + c + d` as (high, low), by the least operation that does it.
fn mac(rw: &mut Rewriter<'_>, w: u32, x: &Arg, y: &Arg, c: Arg, d: Arg) -> (Arg, Arg) {
    if x.is_zero() || y.is_zero() {
        return add(rw, w, c, d, None);
    }
    let addends: Vec<Arg> = [c, d].into_iter().filter(|a| !a.is_zero()).collect();
    if addends.is_empty() {
        return mul(rw, w, x.clone(), y.clone());
    }
    let product = rw.bits(x) + rw.bits(y);
    let most = addends.iter().map(|a| rw.bits(a)).max().unwrap_or(0).max(product);
    // (2^a - 1)(2^b - 1) + 2 (2^w - 1) < 2^(2w) for full words; for short ones the bound is one bit above the larger.
    let total = if product == 2 * w { 2 * w } else { (most + 1).min(2 * w) };
    let mut args = vec![x.clone(), y.clone()];
    args.extend(addends);
    let out = rw.emit(Op::Mac, w, args, &[total.saturating_sub(w), total.min(w)]);
    (out[0].clone(), out[1].clone())
}

/// Adds a row's carry word at the column after its last; the carry bit of that sum waits for the column after.
fn ripple(rw: &mut Rewriter<'_>, t: &mut [Arg], pending: &mut Pending, at: usize, carry: Arg, roomy: bool) {
    let w = rw.machine.word;
    let Some(column) = t.get(at).cloned() else { return };
    if roomy {
        t[at] = if column.is_zero() { carry } else { rw.one(Op::Add, w, vec![column, carry], w) };
        return;
    }
    let waiting = if pending.0 == at { std::mem::replace(&mut pending.1, Arg::zero()) } else { Arg::zero() };
    let (bit, s) = add(rw, w, column, carry, Some(waiting));
    t[at] = s;
    // Product and reduction of one row both end here; the whole sum is below 2 q 2^w, so at most one of them carries.
    let both = if pending.1.is_zero() { bit } else { rw.one(Op::Or, 1, vec![pending.1.clone(), bit], 1) };
    *pending = (at + 1, both);
}

fn double_digits(rw: &mut Rewriter<'_>, t: &mut [Arg], w: u32) {
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

/// Alternating sums: column `at` becomes one digit, in the sum whose pairs start there; the carry belongs to the next
/// column, where the other sum's next pair starts.
fn settle(rw: &mut Rewriter<'_>, t: &mut [Vec<Arg>; 2], at: usize) -> Option<Arg> {
    let w = rw.machine.word;
    let (same, other) = (at % 2, (at + 1) % 2);
    let stray = std::mem::replace(&mut t[other][at], Arg::zero());
    if stray.is_zero() {
        return None;
    }
    if t[same][at].is_zero() {
        t[same][at] = stray;
        return None;
    }
    let (c, s) = add(rw, w, t[same][at].clone(), stray, None);
    t[same][at] = s;
    Some(c)
}

/// Adds products `x_k y` at columns `at, at + 2, ...` along one carry chain.
fn chain(rw: &mut Rewriter<'_>, t: &mut [Arg], at: usize, x: &[Arg], y: &Arg, carry: Option<Arg>) {
    let w = rw.machine.word;
    let mut carry = carry.filter(|c| !c.is_zero());
    let mut column = at;
    for x in x {
        for op in [Op::MadLo, Op::MadHi] {
            if column >= t.len() {
                return;
            }
            let old = t[column].clone();
            t[column] = if carry.is_none() && old.is_zero() {
                // Nothing to add: half a product, no carry.
                let total = rw.bits(x) + rw.bits(y);
                let bits = if op == Op::MadLo { total.min(w) } else { total.saturating_sub(w) };
                rw.one(op, w, vec![x.clone(), y.clone(), Arg::zero()], bits)
            } else {
                let mut args = vec![x.clone(), y.clone(), old.clone()];
                args.extend(carry.take());
                if old.is_zero() && op == Op::MadHi {
                    // A high half is at most 2^w - 2, so a carry alone never overflows it.
                    rw.one(op, w, args, w)
                } else {
                    let out = rw.emit(op, w, args, &[1, w]);
                    carry = Some(out[0].clone());
                    out[1].clone()
                }
            };
            column += 1;
        }
    }
    if let Some(c) = carry
        && column < t.len()
    {
        let old = t[column].clone();
        t[column] = if old.is_zero() { c } else { rw.one(Op::Add, w, vec![old, c], w) };
    }
}

fn merge(rw: &mut Rewriter<'_>, s: &mut Style) -> Vec<Arg> {
    let columns = match s {
        Style::Alternating([t, _]) => t.len(),
        Style::Rows(t, _) | Style::Columns(t) => t.len(),
    };
    let w = rw.machine.word;
    merge_from(rw, s, 0, &vec![w; columns])
}

/// Adds the two alternating sums from a column on, with the widths the caller knows the digits to have.
fn merge_from(rw: &mut Rewriter<'_>, s: &mut Style, from: usize, widths: &[u32]) -> Vec<Arg> {
    let w = rw.machine.word;
    let Style::Alternating([even, odd]) = s else { return Vec::new() };
    let mut out = even.clone();
    let mut carry: Option<Arg> = None;
    for k in from..even.len() {
        let width = widths.get(k - from).copied().unwrap_or(0);
        if width == 0 {
            out[k] = Arg::zero();
            continue;
        }
        let last = widths.get(k - from + 1).copied().unwrap_or(0) == 0;
        let (a, b) = (even[k].clone(), odd[k].clone());
        if carry.as_ref().is_none_or(Arg::is_zero) && (a.is_zero() || b.is_zero()) {
            out[k] = if a.is_zero() { b } else { a };
        } else if last {
            let args = [a, b].into_iter().chain(carry.take()).collect();
            out[k] = rw.one(Op::Add, w, args, width);
        } else {
            let (c, sum) = add(rw, w, a, b, carry.take());
            out[k] = sum;
            carry = Some(c);
        }
    }
    out
}

/// (45): a multiply-accumulate is a product and additions whose carries the high word takes in.
pub(super) const MAC: Rule = Rule {
    number: "45",
    name: "multiply-accumulate by product and additions",
    cite: "[MoMA] rules (22), (28)",
    matches: |i, rw| i.op == Op::Mac && i.width == rw.machine.word && !rw.machine.native.contains_key("mac"),
    apply: |rw, i| {
        let w = i.width;
        let (mut high, mut low) = mul(rw, w, i.args[0].clone(), i.args[1].clone());
        for extra in &i.args[2..] {
            let (c, s) = add(rw, w, low, extra.clone(), None);
            low = s;
            high = rw.one(Op::Add, w, vec![high, c], w);
        }
        rw.alias(i.outs[0], high);
        rw.alias(i.outs[1], low);
    },
};

/// Is this an operation on digits of a machine that keeps them in wider containers?
fn lazy(i: &Inst, rw: &Rewriter<'_>) -> bool {
    rw.machine.lazy() && i.width == rw.machine.word
}

/// (46): low and high half of one product of digits.
pub(super) const MUL_COLUMNS: Rule = Rule {
    number: "46",
    name: "product of two digits in containers",
    cite: "AVX-512 IFMA (vpmadd52luq, vpmadd52huq)",
    matches: |i, rw| lazy(i, rw) && i.op == Op::Mul,
    apply: |rw, i| {
        let (digit, c) = (i.width, rw.machine.container);
        let bits = [0, 1].map(|k| rw.bits(&i.outs[k].into()));
        let args = vec![i.args[0].clone(), i.args[1].clone(), Arg::zero()];
        let high = rw.one(Op::DotHi { digit }, c, args.clone(), bits[0]);
        let low = rw.one(Op::DotLo { digit }, c, args, bits[1]);
        rw.alias(i.outs[0], high);
        rw.alias(i.outs[1], low);
    },
};

/// (47): the low half only.
pub(super) const MUL_LOW_COLUMNS: Rule = Rule {
    number: "47",
    name: "low product of two digits in containers",
    cite: "AVX-512 IFMA (vpmadd52luq)",
    matches: |i, rw| lazy(i, rw) && i.op == Op::MulLo,
    apply: |rw, i| {
        let (digit, c) = (i.width, rw.machine.container);
        let bits = rw.bits(&i.outs[0].into());
        let low =
            rw.one(Op::DotLo { digit }, c, vec![i.args[0].clone(), i.args[1].clone(), Arg::zero()], bits);
        rw.alias(i.outs[0], low);
    },
};

/// (48): the container holds the carry above the digit.
pub(super) const ADD_CONTAINER: Rule = Rule {
    number: "48",
    name: "addition of digits in containers",
    cite: "radix 2^52 in 64-bit lanes",
    matches: |i, rw| lazy(i, rw) && i.op == Op::Add,
    apply: |rw, i| {
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
    },
};

/// (49): a borrow fills the bits above the digit; the topmost one tells.
pub(super) const SUB_CONTAINER: Rule = Rule {
    number: "49",
    name: "subtraction of digits in containers",
    cite: "radix 2^52 in 64-bit lanes",
    matches: |i, rw| lazy(i, rw) && i.op == Op::Sub,
    apply: |rw, i| {
        let (w, c) = (i.width, rw.machine.container);
        if let ([a, b, borrow], 2) = (&i.args[..], i.outs.len())
            && a.is_zero()
            && b.is_zero()
        {
            // Nothing minus a borrow borrows again; the digit, all ones or none, is made where somebody reads it.
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
    },
};

/// (50): a funnel shift of two digits: the low one down, the high one up, cut at the digit.
pub(super) const FUNNEL_CONTAINER: Rule = Rule {
    number: "50",
    name: "shift across digits in containers",
    cite: "radix 2^52 in 64-bit lanes",
    matches: |i, rw| lazy(i, rw) && matches!(i.op, Op::Funnel { .. }),
    apply: |rw, i| {
        let Op::Funnel { k } = i.op else { return };
        let (w, c) = (i.width, rw.machine.container);
        let claimed = rw.bits(&i.outs[0].into());
        let low_bits = rw.bits(&i.args[1]).saturating_sub(k);
        let low = if low_bits == 0 {
            Arg::zero()
        } else {
            rw.one(Op::Funnel { k }, c, vec![Arg::zero(), i.args[1].clone()], low_bits)
        };
        // What stays of the high digit: its low k bits, moved to the top of the digit.
        let result = if k == 0 || i.args[0].is_zero() {
            low
        } else {
            let kept = rw.bits(&i.args[0]).min(k);
            let part = rw.one(Op::And, c, vec![i.args[0].clone(), Arg::Const(mask(k))], kept);
            let moved = rw.one(Op::Funnel { k: c - (w - k) }, c, vec![part, Arg::zero()], kept + w - k);
            if low.is_zero() { moved } else { rw.one(Op::Or, c, vec![moved, low], claimed) }
        };
        rw.alias(i.outs[0], result);
    },
};

/// (51): the square of a word is its product with itself.
pub(super) const SQUARE_WORD: Rule = Rule {
    number: "51",
    name: "square of a word",
    cite: "[MoMA] listing 3.1 _smul with a = b",
    matches: |i, rw| i.op == Op::Sqr && i.width == rw.machine.word && !rw.split_wide(i),
    apply: |rw, i| {
        let (high, low) = mul(rw, i.width, i.args[0].clone(), i.args[0].clone());
        rw.alias(i.outs[0], high);
        rw.alias(i.outs[1], low);
    },
};
