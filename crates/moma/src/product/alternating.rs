//! Alternating rows: a row is split into its even and its odd digits, so that the low and high halves of the products
//! of each form one carry chain. For machines whose multiply-add uses a carry flag.

use super::sums::{add, double_digits};
use super::{ProductStyle, Sum};
use crate::ir::{Arg, Op};
use crate::lower::Rewriter;

/// The style with two carry chains per row.
pub(super) struct Alternating;

impl ProductStyle for Alternating {
    fn name(&self) -> &'static str {
        "alternating"
    }

    fn sum(&self, columns: usize) -> Box<dyn Sum> {
        let zeros = vec![Arg::zero(); columns];
        Box::new(AlternatingSum([zeros.clone(), zeros]))
    }
}

/// Two sums of pairs (low, high): those that start at even columns, and those that start at odd columns.
struct AlternatingSum([Vec<Arg>; 2]);

/// Every other digit of a list, from index `first` on.
fn every_other(x: &[Arg], first: usize) -> Vec<Arg> {
    x.iter().skip(first).step_by(2).cloned().collect()
}

impl Sum for AlternatingSum {
    fn load(&mut self, _rw: &mut Rewriter<'_>, digits: &[Arg]) {
        self.0[0][..digits.len()].clone_from_slice(digits);
    }

    fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, _roomy: bool) {
        let t = &mut self.0;
        let carry = settle(rw, t, at);
        chain(rw, &mut t[(at + 1) % 2], at + 1, &every_other(x, 1), y, carry);
        chain(rw, &mut t[at % 2], at, &every_other(x, 0), y, None);
    }

    fn reduce_row(&mut self, rw: &mut Rewriter<'_>, at: usize, q: &[Arg], inverse: &Arg, _roomy: bool) {
        let (w, t) = (rw.machine.word, &mut self.0);
        let carry = settle(rw, t, at);
        let (same, other) = (at % 2, (at + 1) % 2);
        let m = rw.one(Op::MulLo, w, vec![t[same][at].clone(), inverse.clone()], w);
        chain(rw, &mut t[other], at + 1, &every_other(q, 1), &m, carry);
        chain(rw, &mut t[same], at, &every_other(q, 0), &m, None);
        t[same][at] = Arg::zero();
    }

    fn double(&mut self, rw: &mut Rewriter<'_>) {
        let w = rw.machine.word;
        let columns = self.0[0].len();
        let mut t = merge(rw, &self.0, 0, &vec![w; columns]);
        double_digits(rw, &mut t, w);
        self.0 = [t, vec![Arg::zero(); columns]];
    }

    fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg) {
        chain(rw, &mut self.0[1], at, std::slice::from_ref(x), x, None);
    }

    fn digits(self: Box<Self>, rw: &mut Rewriter<'_>, from: usize, widths: &[u32]) -> Vec<Arg> {
        merge(rw, &self.0, from, widths).split_off(from)
    }
}

/// Adds the two sums in column `at`, so that it becomes one digit, in the sum whose pairs start there. Returns the
/// carry, which belongs to the next column, where the other sum's next pair starts.
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
                // Without an addend this is half a product, and there is no carry.
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

/// Adds the two sums from a column on, with the widths that the caller knows the digits to have.
fn merge(rw: &mut Rewriter<'_>, [even, odd]: &[Vec<Arg>; 2], from: usize, widths: &[u32]) -> Vec<Arg> {
    let w = rw.machine.word;
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
