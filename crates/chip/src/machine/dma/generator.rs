//! An address generator as hardware has it: registers that the CPU writes, and a walk that takes one addition a piece.
//!
//! The walk of a [`Stream`] is cut into pieces of elements that are neighbours in DRAM and on the chip: a piece ends where a run of
//! DRAM ends, where a row of slots is full ([`Fill::Around`]) or a slot ([`Fill::InTurn`]), and where the transfer ends. No step
//! divides or multiplies addresses: what is added at the end of a run is written beside the counts. `rtl/dma_generator.sv` is the
//! same, register by register. [`super::Dma`] takes its pieces from the pattern itself, as fast as memory takes them.

use super::stream::{DIMS, Dim, ElementPlace, Fill, Order, Stream, merged};

/// Bits of a word's address in DRAM.
pub const ADDRESS_BITS: u32 = 50;
/// Elements of a group, and groups of a layout, at most.
const LONGEST: u64 = 1 << 16;
/// A counter of a group's elements has 17 bits.
const GROUP_MASK: u32 = (1 << 17) - 1;
/// Addresses are modulo this.
const ADDRESSES: u64 = 1 << ADDRESS_BITS;

/// What the CPU writes into a generator.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Setting {
    /// Address of the first word.
    pub base: u64,
    /// Words of an element.
    pub element_words: u32,
    /// Elements of a run, which are neighbours in DRAM.
    pub run: u32,
    /// Elements of a group, which are neighbours on the chip; 0 if a transfer is one.
    pub group: u32,
    /// Groups of a layout.
    pub groups: u32,
    /// Whether the elements of a group go to one index of all slots, not to the indices of one slot.
    pub around: bool,
    /// Bits of an index that are reversed; 0 for none.
    pub reversed: u32,
    /// Steps of the levels above runs, innermost first.
    pub counts: [u32; DIMS],
    /// Words from behind a run to the next one, where a level goes on and those below it begin anew; modulo 2^50.
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

    /// The setting for a stream; `None` for a pattern that [`super::Dma`] refuses, and for a layout with more than 2^16 slots or
    /// longer ones, which no counter holds.
    pub fn of(stream: &Stream) -> Option<Self> {
        let levels = (1..=DIMS).contains(&stream.dims.len()) && stream.dims.iter().all(|dim| dim.count > 0);
        if !levels || !(1..=64).contains(&stream.element_words) {
            return None;
        }
        let (run, outer) = merged(&stream.dims, stream.element_words, u64::from(u32::MAX));
        let layout = stream.layout;
        let (columns, slot) = (u64::from(layout.columns), 1u64.checked_shl(layout.log_len)?);
        // One slot is filled in turn whatever is said.
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
        // Words that the levels below have gone when they begin anew, with the run itself.
        let mut gone = run.wrapping_mul(stream.element_words.into());
        for (level, Dim { count, stride }) in outer.iter().enumerate() {
            setting.counts[level] = *count;
            setting.jumps[level] = stride.wrapping_sub(gone) % ADDRESSES;
            gone = gone.wrapping_add(u64::from(count - 1).wrapping_mul(*stride));
        }
        Some(setting)
    }
}

/// Elements that are neighbours in DRAM, and either of one slot or of one index of several slots.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlacedPiece {
    /// Address of the first word.
    pub address: u64,
    /// Number of elements.
    pub count: u32,
    /// Place of the first element on the chip.
    pub place: ElementPlace,
}

/// A generator: the setting and where the walk is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AddressGenerator {
    setting: Setting,
    /// Address of the next element.
    pub address: u64,
    /// Elements of the run that are left.
    pub run_left: u32,
    /// The step that each level is at.
    pub digits: [u32; DIMS],
    /// Elements of the group that were given; of the transfer if it is one group.
    pub offset: u32,
    /// Elements of the group that are left; of no meaning if the transfer is one group, modulo 2^17.
    pub group_left: u32,
    /// Number of the group.
    pub number: u32,
    /// Elements of the transfer that are left.
    pub left: u32,
}

impl Default for AddressGenerator {
    fn default() -> Self {
        Self::new(Setting::RESET)
    }
}

impl AddressGenerator {
    /// A generator at the start of a walk, without a transfer.
    pub fn new(setting: Setting) -> Self {
        let Setting { base: address, run: run_left, group: group_left, .. } = setting;
        Self { setting, address, run_left, digits: [0; DIMS], offset: 0, group_left, number: 0, left: 0 }
    }

    /// The setting that the CPU has written.
    pub fn setting(&self) -> &Setting {
        &self.setting
    }

    /// Whether a transfer can begin: the one before has given all its pieces.
    pub fn is_ready(&self) -> bool {
        self.left == 0
    }

    /// Begins a transfer of so many elements, which go on where the walk is.
    pub fn begin(&mut self, length: u16) {
        self.left = length.into();
        if self.setting.group == 0 {
            self.offset = 0;
        }
    }

    /// The next piece of the transfer.
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

    /// Goes behind the next piece, as at a clock edge at which it is taken.
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
