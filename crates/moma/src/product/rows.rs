//! Products by rows: one row per digit of the second operand, with steps `a b + c + d` whose high word is the carry of
//! the next step.

use super::sums::{add, double_digits, mul};
use super::{ProductStyle, Sum};
use crate::ir::{Arg, Op};
use crate::lower::Rewriter;

/// The style that sums products row by row.
pub(super) struct Rows;

/// The style that splits products of double words down to single words, with sums by double- and quad-word additions:
/// rules 28 and 29 of the paper. Operations on lists of digits use rows.
pub(super) struct Halves;

impl ProductStyle for Rows {
    fn name(&self) -> &'static str {
        "rows"
    }

    fn sum(&self, columns: usize) -> Box<dyn Sum> {
        Box::new(RowSum { t: vec![Arg::zero(); columns], pending: (0, Arg::zero()) })
    }
}

impl ProductStyle for Halves {
    fn name(&self) -> &'static str {
        "halves"
    }

    fn sum(&self, columns: usize) -> Box<dyn Sum> {
        Rows.sum(columns)
    }
}

/// One digit per column, always below 2^w, and a carry bit that is pending for a column.
struct RowSum {
    t: Vec<Arg>,
    pending: Pending,
}

/// A carry bit and the column it belongs to.
type Pending = (usize, Arg);

impl Sum for RowSum {
    fn load(&mut self, _rw: &mut Rewriter<'_>, digits: &[Arg]) {
        self.t[..digits.len()].clone_from_slice(digits);
    }

    fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, roomy: bool) {
        let carry = row(rw, &mut self.t, at, x, y, Arg::zero());
        ripple(rw, &mut self.t, &mut self.pending, at + x.len(), carry, roomy);
    }

    fn reduce_row(&mut self, rw: &mut Rewriter<'_>, at: usize, q: &[Arg], inverse: &Arg, roomy: bool) {
        let w = rw.machine.word;
        let m = rw.one(Op::MulLo, w, vec![self.t[at].clone(), inverse.clone()], w);
        let carry = row(rw, &mut self.t, at, q, &m, Arg::zero());
        self.t[at] = Arg::zero();
        ripple(rw, &mut self.t, &mut self.pending, at + q.len(), carry, roomy);
    }

    fn double(&mut self, rw: &mut Rewriter<'_>) {
        let w = rw.machine.word;
        double_digits(rw, &mut self.t, w);
    }

    fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg) {
        let w = rw.machine.word;
        let (high, low) = mul(rw, w, x.clone(), x.clone());
        let carry = if self.pending.0 == at { self.pending.1.clone() } else { Arg::zero() };
        let (c, s) = add(rw, w, self.t[at].clone(), low, Some(carry));
        self.t[at] = s;
        let (c, s) = add(rw, w, self.t[at + 1].clone(), high, Some(c));
        self.t[at + 1] = s;
        self.pending = (at + 2, c);
    }

    fn digits(mut self: Box<Self>, _rw: &mut Rewriter<'_>, from: usize, _widths: &[u32]) -> Vec<Arg> {
        let (column, bit) = self.pending;
        if let Some(last) = self.t.get_mut(column)
            && last.is_zero()
        {
            *last = bit;
        }
        self.t.split_off(from)
    }
}

/// Adds one row by steps `a b + c + d`; returns the carry word.
fn row(rw: &mut Rewriter<'_>, t: &mut [Arg], at: usize, x: &[Arg], y: &Arg, mut carry: Arg) -> Arg {
    let w = rw.machine.word;
    for (k, x) in x.iter().enumerate() {
        let Some(column) = t.get(at + k).cloned() else { break };
        if at + k + 1 == t.len() {
            // In the last column of a truncated product only the low word is needed.
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

/// `x y + c + d` as (high, low), by the cheapest operation for the operands.
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

/// Adds the carry word of a row to the column after its last; the carry bit of that sum is kept pending for the next
/// column.
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
    // The product and the reduction of one row both end in this column; the whole sum is below 2 q 2^w, so at most one
    // of them carries.
    let both = if pending.1.is_zero() { bit } else { rw.one(Op::Or, 1, vec![pending.1.clone(), bit], 1) };
    *pending = (at + 1, both);
}
