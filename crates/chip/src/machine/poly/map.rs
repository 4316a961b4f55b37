//! The cells of a vector's entries in the eight banks, stage by stage (\[CP\] Fig. 16, decoded and generalised).
//!
//! With the index `i` of `n` bits and the bit `i_s` on which stage `s` works (bit numbers modulo `n`),
//!
//! ```text
//! bank(i, s) = 4·i_{s+1} + 2·i_s + i_{s-1}        row(i, s) = { i_{s+2} ⊕ i_{s-1}, i_{s+3}, …, i_{s+n-2} }
//! ```
//!
//! that is, `i` is rotated right by `s - 1` bits: its low three bits are the bank and the rest is the row, whose lowest bit
//! is combined with the bank's lowest bit by exclusive or. Call the bits of the bank `x y z` from the top, `r` the row and
//! `c` its lowest bit. Then in every stage
//!
//! - the eight words of one row are four butterflies, unit `(z, x)` on the banks with `y = 0` and `y = 1`;
//! - their results lie at stage `s + 1` in eight different banks, `4·(c ⊕ z) + 2·x + y`, in rows that need no arithmetic
//!   either: `r` shifted right by one, `z` shifted in at the top, `y` combined by exclusive or at the bottom.
//!
//! So a stage needs one address generator and one bit `c` for the connector, for every stage and size. The reverse is the
//! inverse transform: all banks write the same row, and read scattered rows. After `n` stages the rotation is complete and
//! the layout is the first again.

use super::PolyError;
use core::ops::RangeInclusive;

/// Logarithms of the lengths of sub-NTTs. \[CP\] names 32 to 1,024 points; its example has 16, the least the map serves.
pub const LOG_LENGTHS: RangeInclusive<u32> = 4..=10;
/// Number of banks in a set's Banks_A, and in its Banks_B.
pub const BANKS: u32 = 8;
/// Words of a bank of Banks_A or Banks_B.
pub const ROWS: u32 = 128;
/// Words of a set's Banks_A or Banks_B: the entries of the longest vector.
pub const WORDS: u32 = BANKS * ROWS;
/// Number of banks in a set's Banks_C.
pub const C_BANKS: u32 = 4;
/// Words of a bank of Banks_C.
pub const C_ROWS: u32 = 256;

/// The position of a word in a group of banks.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Cell {
    /// Number of the bank in its group.
    pub bank: u32,
    /// Row within the bank.
    pub row: u32,
}

/// The order of a vector's entries in the banks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Layout {
    /// Entry `i` is where the map has index `i` before stage 0 and after the last stage: the output of an NTT and the input
    /// of an INTT.
    Natural,
    /// Entry `i` is where the map has the bit reversal of `i`: the input of an NTT and the output of an INTT.
    BitReversed,
    /// Entry `i` is in bank `i mod 8`, row `i / 8`: for vectors of any length that no transform works on.
    Linear,
}

/// Rotates a number of `bits` bits right by `by` bits.
fn rotate_right(x: u32, bits: u32, by: u32) -> u32 {
    let by = by % bits;
    ((x >> by) | (x << (bits - by))) & ((1 << bits) - 1)
}

/// Returns the cell of index `index` of `2^log_len` before stage `stage`; the length must be one of [`LOG_LENGTHS`].
pub fn cell(log_len: u32, stage: u32, index: u32) -> Cell {
    let turned = rotate_right(index, log_len, stage + log_len - 1);
    let bank = turned % BANKS;
    Cell { bank, row: (turned / BANKS) ^ (bank & 1) }
}

/// The index whose word is in a cell before a stage: the inverse of [`cell`].
pub fn index(log_len: u32, stage: u32, cell: Cell) -> u32 {
    let turned = cell.bank + BANKS * (cell.row ^ (cell.bank & 1));
    rotate_right(turned, log_len, 2 * log_len + 1 - stage % log_len)
}

/// Number of slots of `2^log_len` points in the banks of a set.
///
/// # Errors
/// [`PolyError::Length`].
pub fn slots(log_len: u32) -> Result<u32, PolyError> {
    if LOG_LENGTHS.contains(&log_len) { Ok(WORDS >> log_len) } else { Err(PolyError::Length { log_len }) }
}

/// Number of rows of a transform of `2^log_len` points, which is the number of rounds of each of its stages.
pub fn rounds(log_len: u32) -> u32 {
    (1 << log_len) / BANKS
}

/// Returns the cell of entry `index` of a vector of `2^log_len` entries in slot `slot` of Banks_A or Banks_B. For
/// [`Layout::Linear`] the length only bounds the index and sets the size of a slot.
///
/// # Errors
/// No such length, slot or entry.
pub fn place(layout: Layout, log_len: u32, slot: u8, index: u32) -> Result<Cell, PolyError> {
    let slots = slots(log_len)?;
    if u32::from(slot) >= slots {
        return Err(PolyError::Slots { first: slot, end: slot.saturating_add(1), log_len, slots });
    }
    if index >= 1 << log_len {
        return Err(PolyError::Entries { entries: index.saturating_add(1) });
    }
    let cell = match layout {
        Layout::Natural => cell(log_len, 0, index),
        Layout::BitReversed => cell(log_len, 0, index.reverse_bits() >> (u32::BITS - log_len)),
        Layout::Linear => Cell { bank: index % BANKS, row: index / BANKS },
    };
    Ok(Cell { row: cell.row + u32::from(slot) * rounds(log_len), ..cell })
}

/// The butterfly unit that takes the words of a bank of Banks_A or Banks_B: `2·z + x`.
pub fn unit(bank: u32) -> u32 {
    2 * (bank & 1) + (bank >> 2)
}

/// The cell of Banks_C whose word a vector operation pairs with a cell of Banks_A or Banks_B.
pub fn beside(cell: Cell) -> Cell {
    Cell { bank: unit(cell.bank), row: 2 * cell.row + (cell.bank >> 1 & 1) }
}

/// The row of the word of bank `bank` on the scattered side of a round; `round` is the row of the other side.
pub fn scattered(log_len: u32, round: u32, bank: u32) -> u32 {
    let z = (bank >> 2) ^ (round & 1);
    let y = bank & 1;
    ((round >> 1) | z << (log_len - 4)) ^ y
}

/// The index of the first word of a unit's butterfly in a round of a stage; the second word has bit `stage` set as well.
pub fn first(log_len: u32, stage: u32, round: u32, unit: u32) -> u32 {
    let (z, x) = (unit >> 1, unit & 1);
    index(log_len, stage, Cell { bank: 4 * x + z, row: round })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The map as the paper's table gives it, bit by bit.
    fn bit_by_bit(n: u32, s: u32, i: u32) -> Cell {
        let b = |k: u32| i >> (k % n) & 1;
        let bank = 4 * b(s + 1) + 2 * b(s) + b(s + n - 1);
        let row = (3..n - 1).fold(b(s + 2) ^ b(s + n - 1), |row, k| row | b(s + k) << (k - 2));
        Cell { bank, row }
    }

    #[test]
    fn the_map_is_the_papers_and_is_undone() {
        for n in LOG_LENGTHS {
            for s in 0..=n {
                for i in 0..1 << n {
                    assert_eq!(cell(n, s, i), bit_by_bit(n, s, i), "{n} {s} {i}");
                    assert_eq!(index(n, s, cell(n, s, i)), i);
                }
            }
            assert!((0..1 << n).all(|i| cell(n, n, i) == cell(n, 0, i)), "the rotation comes round");
        }
    }

    #[test]
    fn every_round_of_every_stage_reads_a_row_and_writes_eight_banks() {
        for n in LOG_LENGTHS {
            for s in 0..n {
                for r in 0..rounds(n) {
                    let mut written = [false; BANKS as usize];
                    for unit in 0..4 {
                        let low = first(n, s, r, unit);
                        let (z, x) = (unit >> 1, unit & 1);
                        assert_eq!(low >> s & 1, 0);
                        for y in 0..2 {
                            let i = low | y << s;
                            assert_eq!(cell(n, s, i), Cell { bank: 4 * x + 2 * y + z, row: r });
                            let next = cell(n, s + 1, i);
                            assert_eq!(next.bank, 4 * ((r & 1) ^ z) + 2 * x + y);
                            assert_eq!(next.row, scattered(n, r, next.bank));
                            assert!(!core::mem::replace(&mut written[next.bank as usize], true));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn slots_lie_one_behind_the_other() {
        assert_eq!(place(Layout::Natural, 5, 31, 0), Ok(Cell { bank: 0, row: 124 }));
        assert_eq!(place(Layout::Linear, 10, 0, 1023), Ok(Cell { bank: 7, row: 127 }));
        let refused = PolyError::Slots { first: 32, end: 33, log_len: 5, slots: 32 };
        assert_eq!(refused.to_string(), "slots 32 to 33 of 2^5 points: 32 fit");
        assert_eq!(place(Layout::Natural, 5, 32, 0), Err(refused));
        assert_eq!(place(Layout::Natural, 5, 0, 32), Err(PolyError::Entries { entries: 33 }));
        assert_eq!(place(Layout::Natural, 3, 0, 0), Err(PolyError::Length { log_len: 3 }));
        assert_eq!(place(Layout::Natural, 11, 0, 0), Err(PolyError::Length { log_len: 11 }));
    }

    #[test]
    fn a_word_of_c_for_every_word_of_a() {
        let mut paired: Vec<Cell> = (0..WORDS).map(|i| beside(Cell { bank: i % 8, row: i / 8 })).collect();
        paired.sort();
        paired.dedup();
        assert_eq!(paired.len(), 1024);
        assert!(paired.iter().all(|c| c.bank < C_BANKS && c.row < C_ROWS));
    }
}
