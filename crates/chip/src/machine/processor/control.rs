//! The state of the L1 program: loop counters and scan registers.

use super::probe::Registers;
use crate::isa::{L1, LoopCounters, LoopReg};
use crate::machine::datapath::{DIGITS, Digits};
use crate::machine::error::Fault;

/// A scan register, whose bits are taken from the most significant end.
#[derive(Clone, Copy, Default, Debug)]
struct ScanRegister {
    digits: Digits,
    bits: u32,
}

/// Loop counters and scan registers, one each for `_i`, `_j` and `_k`.
#[derive(Clone, Default, Debug)]
pub(super) struct Control {
    /// Whether the previous instruction kept the machine busy while this one was fetched.
    pub(super) prefetched: bool,
    loops: LoopCounters,
    scans: [ScanRegister; 3],
}

impl Control {
    /// The address of the instruction after the one at `pc`; `None` after `finish`.
    pub(super) fn next(&mut self, pc: usize, instruction: &L1) -> Result<Option<usize>, Fault> {
        let mut loops = self.loops;
        let next = loops.next(pc, instruction, |reg| self.next_bit(reg));
        self.loops = loops;
        next
    }

    /// The contents of the registers.
    pub(super) fn registers(&self) -> Registers {
        Registers {
            counters: self.loops.0,
            bits: self.scans.map(|scan| scan.bits),
            scans: self.scans.map(|scan| scan.digits),
        }
    }

    /// Fills a scan register with the low `bits` bits of `digits`.
    pub(super) fn load_scan(&mut self, reg: LoopReg, digits: Digits, bits: u16) {
        let bits = u32::from(bits).min(64 * DIGITS as u32);
        self.scans[reg as usize] = ScanRegister { digits, bits };
    }

    /// Takes the next bit of a scan register, most significant first.
    pub(super) fn next_bit(&mut self, reg: LoopReg) -> Result<bool, Fault> {
        let scan = &mut self.scans[reg as usize];
        scan.bits = scan.bits.checked_sub(1).ok_or(Fault::ScanEmpty(reg))?;
        Ok(scan.digits[(scan.bits / 64) as usize] >> (scan.bits % 64) & 1 == 1)
    }
}
