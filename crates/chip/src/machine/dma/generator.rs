//! An address generator as hardware: the registers that the CPU writes, and an address computation with one addition per
//! piece.
//!
//! The elements of a [`Stream`] are divided into pieces that are consecutive in DRAM and on the chip. A piece ends where a
//! run of DRAM ends, where a row of slots ([`Fill::Around`]) or a slot ([`Fill::InTurn`]) is full, and where the transfer
//! ends. No step divides or multiplies addresses: the increments at the ends of runs are written beside the counts.
//! `rtl/dma_generator.sv` is the same circuit, register by register. [`super::Dma`] computes the pieces from the pattern
//! itself, as fast as memory accepts them.

use super::stream::{DIMS, Dim, ElementPlace, Fill, Order, Stream, merged};

/// Bits of a word's address in DRAM.
pub const ADDRESS_BITS: u32 = 50;
/// Maximum number of elements of a group, and of groups of a layout.
const LONGEST: u64 = 1 << 16;
/// Mask of the counter of a group's elements, which has 17 bits.
const GROUP_MASK: u32 = (1 << 17) - 1;
/// The number of addresses; addresses are computed modulo it.
const ADDRESSES: u64 = 1 << ADDRESS_BITS;

/// The registers that the CPU writes into a generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Address of the first word.
    pub base: u64,
    /// Words of an element.
    pub element_words: u32,
    /// Elements of a run, which are consecutive in DRAM.
    pub run: u32,
    /// Elements of a group, which are consecutive on the chip; 0 if each transfer is one group.
    pub group: u32,
    /// Number of groups of the layout.
    pub groups: u32,
    /// Whether the elements of a group go to the same index of all slots, rather than to the indices of one slot.
    pub around: bool,
    /// Number of index bits that are reversed; 0 for none.
    pub reversed: u32,
    /// Number of steps of each level above the runs, innermost first.
    pub counts: [u32; DIMS],
    /// For each level, the words from the end of a run to the start of the next one when this level advances and those below
    /// it restart; modulo 2^50.
    pub jumps: [u64; DIMS],
}

impl Setting {
    /// The setting after a reset: single words at address 0.
    pub const RESET: Self = Self {
        base: 0,
        element_words: 1,
        run: 1,
        group: 1,
        groups: 1,
        around: false,
        reversed: 0,
        counts: [1; DIMS],
        jumps: [0; DIMS],
    };

    /// The setting for a stream; `None` for a pattern that [`super::Dma`] refuses, and for a layout with more than 2^16
    /// slots or with slots of more than 2^16 elements, which no counter holds.
    pub fn of(stream: &Stream) -> Option<Self> {
        let levels = (1..=DIMS).contains(&stream.dims.len()) && stream.dims.iter().all(|dim| dim.count > 0);
        if !levels || !(1..=64).contains(&stream.element_words) {
            return None;
        }
        let (run, outer) = merged(&stream.dims, stream.element_words, u64::from(u32::MAX));
        let layout = stream.layout;
        let (columns, slot) = (u64::from(layout.columns), 1u64.checked_shl(layout.log_len)?);
        // A single slot is filled in turn in either order.
        let around = layout.fill == Fill::Around && columns > 1;
        let (group, groups) = match layout.order {
            Order::Linear => (0, 1),
            _ if around => (columns, slot),
            _ => (slot, columns),
        };
        if group > LONGEST || groups > LONGEST {
            return None;
        }
        let mut setting = Self {
            base: stream.base,
            element_words: stream.element_words,
            run: run as u32,
            group: group as u32,
            groups: groups as u32,
            around: around && layout.order != Order::Linear,
            reversed: if layout.order == Order::BitReversed { layout.log_len } else { 0 },
            ..Self::RESET
        };
        // Words that the levels below have advanced when they restart, including the run itself.
        let mut gone = run.wrapping_mul(stream.element_words.into());
        for (level, Dim { count, stride }) in outer.iter().enumerate() {
            setting.counts[level] = *count;
            setting.jumps[level] = stride.wrapping_sub(gone) % ADDRESSES;
            gone = gone.wrapping_add(u64::from(count - 1).wrapping_mul(*stride));
        }
        Some(setting)
    }
}

/// Elements that are consecutive in DRAM and lie in one slot, or at one index of several slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// Address of the first word.
    pub address: u64,
    /// Number of elements.
    pub count: u32,
    /// Position of the first element on the chip.
    pub place: ElementPlace,
}

/// A generator: its setting and the state of its counters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressGenerator {
    setting: Setting,
    /// Address of the next element.
    pub address: u64,
    /// Elements that are left in the run.
    pub run_left: u32,
    /// The current step of each level.
    pub digits: [u32; DIMS],
    /// Elements of the group that were given; those of the transfer if it is one group.
    pub offset: u32,
    /// Elements that are left in the group, modulo 2^17; without meaning if the transfer is one group.
    pub group_left: u32,
    /// Number of the current group.
    pub number: u32,
    /// Elements that are left in the transfer.
    pub left: u32,
}

impl Default for AddressGenerator {
    fn default() -> Self {
        Self::new(Setting::RESET)
    }
}

impl AddressGenerator {
    /// A generator at the first element, without a transfer.
    pub fn new(setting: Setting) -> Self {
        let Setting { base: address, run: run_left, group: group_left, .. } = setting;
        Self { setting, address, run_left, digits: [0; DIMS], offset: 0, group_left, number: 0, left: 0 }
    }

    /// The setting that the CPU has written.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Whether a transfer can begin, since the one before has given all its pieces.
    pub fn is_ready(&self) -> bool {
        self.left == 0
    }

    /// Begins a transfer of `length` elements from the current position.
    pub fn begin(&mut self, length: u16) {
        self.left = length.into();
        if self.setting.group == 0 {
            self.offset = 0;
        }
    }

    /// The next piece of the transfer; `None` at its end.
    pub fn piece(&self) -> Option<PlacedPiece> {
        let Setting { group, around, reversed, .. } = self.setting;
        let of_group = if group == 0 { u32::MAX } else { self.group_left };
        let count = self.left.min(self.run_left).min(of_group);
        let (slot, index) = if around { (self.offset, self.number) } else { (self.number, self.offset) };
        let index = if reversed == 0 { index } else { index.reverse_bits() >> (32 - reversed) };
        (self.left > 0).then_some(PlacedPiece {
            address: self.address,
            count,
            place: ElementPlace { slot, index },
        })
    }

    /// Advances past the next piece, as at a clock edge at which it is accepted.
    pub fn advance(&mut self) {
        let Some(PlacedPiece { count, .. }) = self.piece() else { return };
        let Setting { base, element_words, run, group, groups, counts, jumps, .. } = self.setting;
        self.left -= count;
        self.offset += count;
        self.group_left = self.group_left.wrapping_sub(count) & GROUP_MASK;
        if group > 0 && self.group_left == 0 {
            (self.offset, self.group_left) = (0, group);
            self.number = if self.number + 1 == groups { 0 } else { self.number + 1 };
        }
        self.run_left -= count;
        self.address = (self.address + u64::from(count) * u64::from(element_words)) % ADDRESSES;
        if self.run_left > 0 {
            return;
        }
        self.run_left = run;
        let level = (0..DIMS).find(|level| self.digits[*level] + 1 < counts[*level]);
        match level {
            Some(level) => {
                self.address = (self.address + jumps[level]) % ADDRESSES;
                self.digits[level] += 1;
                self.digits[..level].fill(0);
            }
            None => {
                self.address = base;
                self.digits = [0; DIMS];
            }
        }
    }
}
