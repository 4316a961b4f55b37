//! Columns: sums that stay unnormalised in a container wider than the digit and are carried once, at the end. A product
//! of digits takes two instructions, one for its low and one for its high half.

use super::{ProductStyle, Sum};
use crate::ir::{Arg, Op};
use crate::lower::{Rewriter, ones};

/// The style that sums half products by columns.
pub(super) struct Columns;

impl ProductStyle for Columns {
    fn name(&self) -> &'static str {
        "columns"
    }

    fn container(&self, word: u32) -> Option<u32> {
        Some(word + 4)
    }

    fn sum(&self, columns: usize) -> Box<dyn Sum> {
        Box::new(ColumnSum(vec![Arg::zero(); columns]))
    }
}

/// One unnormalised sum per column, in a container.
struct ColumnSum(Vec<Arg>);

impl Sum for ColumnSum {
    fn load(&mut self, _rw: &mut Rewriter<'_>, digits: &[Arg]) {
        self.0[..digits.len()].clone_from_slice(digits);
    }

    fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, _roomy: bool) {
        for (k, x) in x.iter().enumerate() {
            dot(rw, &mut self.0, at + k, x, y);
        }
    }

    fn reduce_row(&mut self, rw: &mut Rewriter<'_>, at: usize, q: &[Arg], inverse: &Arg, roomy: bool) {
        let (c, w, t) = (rw.machine.container, rw.machine.word, &self.0);
        let args = vec![t[at].clone(), inverse.clone(), Arg::zero()];
        let m = rw.one(Op::DotLo { digit: w }, c, args, w);
        // The low half of the first product clears the low digit of the column, so it is not computed: the carry of the
        // column is its quotient by 2^w, rounded up.
        let above = plus(rw, t[at].clone(), ones(w));
        let bits = rw.bits(&above).saturating_sub(w);
        let carry = rw.one(Op::Funnel { k: w }, c, vec![Arg::zero(), above], bits);
        let t = &mut self.0;
        t[at] = Arg::zero();
        t[at + 1] = plus(rw, t[at + 1].clone(), carry);
        if let Some((first, others)) = q.split_first() {
            half(rw, t, Op::DotHi { digit: w }, at + 1, first, &m);
            self.add_row(rw, at + 1, others, &m, roomy);
        }
    }

    fn double(&mut self, rw: &mut Rewriter<'_>) {
        for x in self.0.iter_mut().filter(|x| !x.is_zero()) {
            *x = plus(rw, x.clone(), x.clone());
        }
    }

    fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg) {
        dot(rw, &mut self.0, at, x, x);
    }

    fn digits(self: Box<Self>, rw: &mut Rewriter<'_>, from: usize, widths: &[u32]) -> Vec<Arg> {
        carried(rw, &self.0[from..], widths)
    }
}

/// Normalises columns: each keeps its low w bits and passes the bits above to the next column.
pub(super) fn carried(rw: &mut Rewriter<'_>, columns: &[Arg], widths: &[u32]) -> Vec<Arg> {
    let (c, w) = (rw.machine.container, rw.machine.word);
    let mut out = Vec::new();
    let mut carry = Arg::zero();
    for (k, x) in columns.iter().enumerate() {
        let width = widths.get(k).copied().unwrap_or(0);
        if width == 0 {
            break;
        }
        let v = plus(rw, x.clone(), std::mem::replace(&mut carry, Arg::zero()));
        // The last digit takes all that is left: its width is the claim of the caller, so nothing is carried out of it.
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

/// Adds two containers; returns the other one if one is known to be zero.
pub(crate) fn plus(rw: &mut Rewriter<'_>, a: Arg, b: Arg) -> Arg {
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

/// Adds the low half of `x y` to column `at` and the high half to the next one.
fn dot(rw: &mut Rewriter<'_>, t: &mut [Arg], at: usize, x: &Arg, y: &Arg) {
    let digit = rw.machine.word;
    half(rw, t, Op::DotLo { digit }, at, x, y);
    half(rw, t, Op::DotHi { digit }, at + 1, x, y);
}

/// Adds one half of `x y` to column `at`.
fn half(rw: &mut Rewriter<'_>, t: &mut [Arg], op: Op, at: usize, x: &Arg, y: &Arg) {
    // A truncated product has no column for the highest half.
    let Some(column) = t.get(at).cloned() else { return };
    if x.is_zero() || y.is_zero() {
        return;
    }
    let (c, digit) = (rw.machine.container, rw.machine.word);
    let bits = if column.is_zero() { digit } else { (rw.bits(&column).max(digit) + 1).min(c) };
    t[at] = rw.one(op, c, vec![x.clone(), y.clone(), column], bits);
}
