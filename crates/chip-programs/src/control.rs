//! Turns of phrase of L1 text: choices by bits, and whether a row is zero.
//!
//! Data steers a program through scan registers alone. The arms of a choice here take equally many instructions if
//! what they are given does, so that the time of a run need not depend on the bit. Jumps need a loop counter to
//! reset: it is `_k`'s, so nothing here may stand inside a loop that `_k` counts.

use super::{Builder, Label, Region, Value};
use pairwright_chip::isa::LoopReg;
use pairwright_field::{PrimeField, Quad};

/// Rows of the banks that are free between two routines, for moves that go through them.
pub(super) const SPARE: u8 = 94;

/// The constant one.
pub(super) fn one<F: PrimeField>() -> Value<F> {
    Quad::new(F::ONE, F::ZERO)
}

/// The constant zero.
pub(super) fn zero<F: PrimeField>() -> Value<F> {
    Quad::new(F::ZERO, F::ZERO)
}

impl<F: PrimeField> Builder<F> {
    /// Goes to a label.
    pub fn go(&mut self, to: Label) {
        self.jump(LoopReg::K, to);
    }

    /// Does the one or the other by the next bit of a scan register.
    pub fn choose(&mut self, reg: LoopReg, set: impl FnOnce(&mut Self), clear: impl FnOnce(&mut Self)) {
        let (other, end) = (self.label(), self.label());
        self.scan(reg, other);
        set(self);
        self.go(end);
        self.place(other);
        clear(self);
        // So that both arms are equally long.
        self.go(end);
        self.place(end);
    }

    /// Does the one or the other by the lowest bit of a row.
    pub fn choose_by(
        &mut self,
        reg: LoopReg,
        row: Region,
        set: impl FnOnce(&mut Self),
        clear: impl FnOnce(&mut Self),
    ) {
        self.load_scan(reg, row, 1);
        self.choose(reg, set, clear);
    }

    /// Takes `bits` bits of a scan register, most significant first, and does what is to be done for that digit.
    pub fn digit(&mut self, reg: LoopReg, bits: u32, leaf: &mut impl FnMut(&mut Self, u8)) {
        let end = self.label();
        self.branch(reg, bits, 0, end, leaf);
        self.place(end);
    }

    fn branch(
        &mut self,
        reg: LoopReg,
        bits: u32,
        above: u8,
        end: Label,
        leaf: &mut impl FnMut(&mut Self, u8),
    ) {
        if bits == 0 {
            leaf(self, above);
            self.go(end);
            return;
        }
        let clear = self.label();
        self.scan(reg, clear);
        self.branch(reg, bits - 1, 2 * above + 1, end, leaf);
        self.place(clear);
        self.branch(reg, bits - 1, 2 * above, end, leaf);
    }

    /// Goes to a label unless the first coefficient of a row is zero: looks at its bits from the top until one is
    /// set, so time depends on the value. Uses the scan register and the counter of `reg`.
    pub fn unless_zero_vartime(&mut self, reg: LoopReg, row: Region, otherwise: Label) {
        self.load_scan(reg, row, F::BITS as u16);
        let top = self.here();
        let next = self.label();
        self.scan(reg, next);
        self.jump(reg, otherwise);
        self.place(next);
        self.repeat(reg, top, F::BITS);
    }

    /// Leaves one in `to` if the first coefficient of a row is not zero, else zero: looks at all its bits. Uses the
    /// scan register and the counter of `reg`.
    pub fn nonzero(&mut self, reg: LoopReg, row: Region, to: Region) {
        let (one, zero) = (self.shared(&[one()]), self.shared(&[zero()]));
        self.load_scan(reg, row, F::BITS as u16);
        self.bring(zero, SPARE);
        let top = self.here();
        self.choose(reg, |b| b.bring(one, SPARE), |b| b.bring(one, SPARE + 1));
        self.repeat(reg, top, F::BITS);
        self.keep(to, SPARE);
    }

    /// Leaves the lowest bit of a row in `to` as one or zero.
    pub fn bit(&mut self, reg: LoopReg, row: Region, to: Region) {
        let (one, zero) = (self.shared(&[one()]), self.shared(&[zero()]));
        self.choose_by(reg, row, |b| b.bring(one, SPARE), |b| b.bring(zero, SPARE));
        self.keep(to, SPARE);
    }

    /// Copies a region.
    pub fn copy(&mut self, from: Region, to: Region) {
        self.bring(from, SPARE - from.rows);
        self.keep(to, SPARE - from.rows);
    }
}
