//! Columns of whole products, for machines whose product of two digits fits one container: sums stay unnormalised, and
//! a column that could exceed its container first passes its high bits to the next column.

use num_bigint::BigUint;
use num_traits::Zero;

use super::columns::carried;
use super::{ProductStyle, Sum};
use crate::interp::mask;
use crate::ir::{Arg, Op};
use crate::lower::{Rewriter, ones};

/// The style that sums whole products by columns.
pub(super) struct WholeColumns;

impl ProductStyle for WholeColumns {
    fn name(&self) -> &'static str {
        "whole-columns"
    }

    fn container(&self, word: u32) -> Option<u32> {
        Some(2 * word + 4)
    }

    fn sum(&self, columns: usize) -> Box<dyn Sum> {
        Box::new(WholeSum(vec![Column { value: Arg::zero(), most: BigUint::zero() }; columns]))
    }
}

/// A column with the greatest value that it can have.
#[derive(Clone)]
struct Column {
    value: Arg,
    most: BigUint,
}

struct WholeSum(Vec<Column>);

/// The greatest value allowed in a column: the container's maximum less the greatest carry of the column below.
fn limit(rw: &Rewriter<'_>) -> BigUint {
    let all = mask(rw.machine.container);
    let carry = &all >> rw.machine.word;
    all - carry
}

impl WholeSum {
    /// Makes sure that a value of at most `more` can be added to a column: carries its high bits on if necessary.
    fn make_room(&mut self, rw: &mut Rewriter<'_>, at: usize, more: &BigUint) {
        if &self.0[at].most + more > limit(rw) {
            let kept = self.take_carry(rw, at);
            self.0[at] = Column { value: kept, most: mask(rw.machine.word) };
        }
    }

    /// Adds a column's bits above the digit to the next column; returns the digit.
    fn take_carry(&mut self, rw: &mut Rewriter<'_>, at: usize) -> Arg {
        let (c, w) = (rw.machine.container, rw.machine.word);
        let Column { value, most } = self.0[at].clone();
        let most = most >> w;
        if at + 1 < self.0.len() {
            let carry = rw.one(Op::Funnel { k: w }, c, vec![Arg::zero(), value.clone()], most.bits() as u32);
            self.add(rw, at + 1, carry, most);
        }
        rw.one(Op::And, c, vec![value, ones(w)], w)
    }

    fn add(&mut self, rw: &mut Rewriter<'_>, at: usize, value: Arg, most: BigUint) {
        if most.is_zero() {
            return;
        }
        self.make_room(rw, at, &most);
        let column = &mut self.0[at];
        column.most += most;
        if column.value.is_zero() {
            column.value = value;
            return;
        }
        let (args, bits) = (vec![column.value.clone(), value], column.most.bits() as u32);
        column.value = rw.one(Op::Add, rw.machine.container, args, bits);
    }

    /// Adds the product of two digits to column `at`.
    fn dot(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg, y: &Arg) {
        // A truncated product has no columns for the highest products.
        if x.is_zero() || y.is_zero() || at >= self.0.len() {
            return;
        }
        let more = mask(rw.bits(x)) * mask(rw.bits(y));
        self.make_room(rw, at, &more);
        let column = &mut self.0[at];
        column.most += more;
        let (args, bits) = (vec![x.clone(), y.clone(), column.value.clone()], column.most.bits() as u32);
        column.value = rw.one(Op::Dot, rw.machine.container, args, bits);
    }
}

impl Sum for WholeSum {
    fn load(&mut self, rw: &mut Rewriter<'_>, digits: &[Arg]) {
        for (column, digit) in self.0.iter_mut().zip(digits) {
            *column = Column { value: digit.clone(), most: mask(rw.bits(digit)) };
        }
    }

    fn add_row(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &[Arg], y: &Arg, _roomy: bool) {
        for (k, x) in x.iter().enumerate() {
            self.dot(rw, at + k, x, y);
        }
    }

    fn reduce_row(&mut self, rw: &mut Rewriter<'_>, at: usize, q: &[Arg], inverse: &Arg, roomy: bool) {
        let (c, w) = (rw.machine.container, rw.machine.word);
        // The multiplication reads only the low half of the column, and only the low digit of the product is kept.
        let args = vec![self.0[at].value.clone(), inverse.clone(), Arg::zero()];
        let bits = (mask(rw.bits(&args[0]).min(c / 2)) * mask(rw.bits(inverse))).bits() as u32;
        let product = rw.one(Op::Dot, c, args, bits);
        let m = rw.one(Op::And, c, vec![product, ones(w)], w);
        self.add_row(rw, at, q, &m, roomy);
        // The low digit of the column is now zero.
        let Column { value, most } =
            std::mem::replace(&mut self.0[at], Column { value: Arg::zero(), most: BigUint::zero() });
        let most = most >> w;
        let carry = rw.one(Op::Funnel { k: w }, c, vec![Arg::zero(), value], most.bits() as u32);
        self.add(rw, at + 1, carry, most);
    }

    fn double(&mut self, rw: &mut Rewriter<'_>) {
        for at in 0..self.0.len() {
            let most = self.0[at].most.clone();
            self.make_room(rw, at, &most);
            let Column { value, most } = self.0[at].clone();
            self.add(rw, at, value, most);
        }
    }

    fn add_square(&mut self, rw: &mut Rewriter<'_>, at: usize, x: &Arg) {
        self.dot(rw, at, x, x);
    }

    fn digits(self: Box<Self>, rw: &mut Rewriter<'_>, from: usize, widths: &[u32]) -> Vec<Arg> {
        let columns: Vec<Arg> = self.0[from..].iter().map(|c| c.value.clone()).collect();
        carried(rw, &columns, widths)
    }
}
