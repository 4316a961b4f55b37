//! Control structures of L1 code: branches on bits, and tests of a row for zero.
//!
//! Data influence the control flow only through scan registers. Both arms of a choice take equally many instructions if
//! the code generated for them does, so that the time of a run need not depend on the bit. A jump resets a loop
//! counter, which is that of `_k`; these structures must therefore not be used inside a loop that `_k` counts.

use super::{Builder, Label, Region, Value};
use pairwright_chip::isa::LoopReg;
use pairwright_field::{PrimeField, Quad};

/// First of the rows of the banks that are free between two routines, for copies that pass through them.
pub(super) const SPARE: u8 = 94;

/// The constant one, in Montgomery form.
pub(super) fn one<F: PrimeField>() -> Value<F> {
    Quad::new(F::ONE, F::ZERO)
}

/// The constant zero.
pub(super) fn zero<F: PrimeField>() -> Value<F> {
    Quad::new(F::ZERO, F::ZERO)
}

impl<F: PrimeField> Builder<F> {
    /// Jumps to a label.
    pub fn go(&mut self, to: Label) {
        self.jump(LoopReg::K, to);
    }

    /// Executes `set` or `clear` depending on the next bit of a scan register.
    pub fn choose(&mut self, reg: LoopReg, set: impl FnOnce(&mut Self), clear: impl FnOnce(&mut Self)) {
        let (other, end) = (self.label(), self.label());
        self.scan(reg, other);
        set(self);
        self.go(end);
        self.bind(other);
        clear(self);
        // The jump makes both arms equally long.
        self.go(end);
        self.bind(end);
    }

    /// Executes one of two arms depending on the lowest bit of a row.
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

    /// Takes `bits` bits of a scan register, most significant first, and executes the code that `leaf` generates for
    /// that digit.
    pub fn digit(&mut self, reg: LoopReg, bits: u32, leaf: &mut impl FnMut(&mut Self, u8)) {
        let end = self.label();
        self.branch(reg, bits, 0, end, leaf);
        self.bind(end);
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
        self.bind(clear);
        self.branch(reg, bits - 1, 2 * above, end, leaf);
    }

    /// Jumps to a label unless the first coefficient of a row is zero. Examines its bits from the top until one is set,
    /// so the time depends on the value. Uses the scan register and the counter of `reg`.
    pub fn unless_zero_vartime(&mut self, reg: LoopReg, row: Region, otherwise: Label) {
        self.load_scan(reg, row, F::BITS as u16);
        let top = self.here();
        let next = self.label();
        self.scan(reg, next);
        self.jump(reg, otherwise);
        self.bind(next);
        self.repeat(reg, top, F::BITS);
    }

    /// Writes one to `to` if the first coefficient of a row is not zero, else zero. Examines all its bits. Uses the
    /// scan register and the counter of `reg`.
    pub fn nonzero(&mut self, reg: LoopReg, row: Region, to: Region) {
        let (one, zero) = (self.shared(&[one()]), self.shared(&[zero()]));
        self.load_scan(reg, row, F::BITS as u16);
        self.load(zero, SPARE);
        let top = self.here();
        self.choose(reg, |b| b.load(one, SPARE), |b| b.load(one, SPARE + 1));
        self.repeat(reg, top, F::BITS);
        self.store(to, SPARE);
    }

    /// Writes the lowest bit of a row to `to` as one or zero.
    pub fn bit(&mut self, reg: LoopReg, row: Region, to: Region) {
        let (one, zero) = (self.shared(&[one()]), self.shared(&[zero()]));
        self.choose_by(reg, row, |b| b.load(one, SPARE), |b| b.load(zero, SPARE));
        self.store(to, SPARE);
    }

    /// Copies a region.
    pub fn copy(&mut self, from: Region, to: Region) {
        self.load(from, SPARE - from.rows);
        self.store(to, SPARE - from.rows);
    }
}
