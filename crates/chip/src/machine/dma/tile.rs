//! The tile buffer: it keeps the unused words of fetched bursts for later transfers, and gathers writes into bursts.
//!
//! It is not in \[CP\]. A column of a matrix of 256-bit words uses half of each burst of 64 bytes, and the next column needs
//! the other half. The slot of a line is its number in the transfer, so that the same element of the next column finds it
//! there: this needs a memory with a tag for each line and one comparison, but no associative search.

use super::stream::WORD_BYTES;
use pairwright_sim::dram::Piece;

/// A stream's share of the buffer.
#[derive(Clone, Debug)]
pub(super) struct Tile {
    line_bytes: u64,
    lines: Vec<Line>,
}

/// A line: its number in memory, and a mask of its valid words (of those to be written, for a stream of writes).
#[derive(Clone, Copy, Default, Debug)]
struct Line {
    number: u64,
    words: u64,
}

impl Tile {
    pub(super) fn new(lines: u32, line_words: u32) -> Self {
        let line_bytes = u64::from(line_words * WORD_BYTES);
        Self { line_bytes, lines: vec![Line::default(); lines as usize] }
    }

    /// The mask of all words of a line.
    fn full(&self) -> u64 {
        u64::MAX >> (64 - self.line_bytes / u64::from(WORD_BYTES))
    }

    /// The mask of the words in bytes `from..to` of a line.
    fn mask(from: u64, to: u64) -> u64 {
        let word = u64::from(WORD_BYTES);
        let below = |n: u64| u64::MAX.checked_shr(64 - n as u32).unwrap_or(0);
        below(to / word) & !below(from / word)
    }

    /// Appends to `out` the pieces that a transfer reading `pieces` has to fetch from memory; returns the number of bytes
    /// found in the buffer.
    pub(super) fn fetch(&mut self, pieces: impl Iterator<Item = Piece>, out: &mut Vec<Piece>) -> u64 {
        let (full, size) = (self.full(), self.line_bytes);
        let (mut found, mut count) = (0, 0);
        for piece in pieces {
            each_line(piece, size, |number, from, to| {
                let whole = Piece { address: number * size, bytes: size as u32 };
                if to - from == size {
                    out.push(whole);
                    return;
                }
                let slot = count % self.lines.len();
                let line = &mut self.lines[slot];
                count += 1;
                if line.words == full && line.number == number {
                    found += to - from;
                } else {
                    *line = Line { number, words: full };
                    out.push(whole);
                }
            });
        }
        found
    }

    /// Appends to `out` the pieces that a transfer writing `pieces` sends to memory now.
    pub(super) fn gather(&mut self, pieces: impl Iterator<Item = Piece>, out: &mut Vec<Piece>) {
        let (full, size) = (self.full(), self.line_bytes);
        let mut count = 0;
        for piece in pieces {
            each_line(piece, size, |number, from, to| {
                if to - from == size {
                    out.push(Piece { address: number * size, bytes: size as u32 });
                    return;
                }
                let slot = count % self.lines.len();
                count += 1;
                if self.lines[slot].number != number {
                    self.lines[slot].send(size, out);
                }
                let line = &mut self.lines[slot];
                *line = Line { number, words: line.words | Self::mask(from, to) };
                if line.words == full {
                    line.send(size, out);
                }
            });
        }
    }

    /// Sends the rest of the gathered lines.
    pub(super) fn flush(&mut self, out: &mut Vec<Piece>) {
        for line in &mut self.lines {
            line.send(self.line_bytes, out);
        }
    }
}

impl Line {
    /// Appends the runs of words that are to be written to `out` as pieces, and clears them.
    fn send(&mut self, line_bytes: u64, out: &mut Vec<Piece>) {
        let mut left = core::mem::take(&mut self.words);
        while left != 0 {
            let from = left.trailing_zeros();
            let run = (left >> from).trailing_ones();
            left &= u64::MAX.checked_shl(from + run).unwrap_or(0);
            let address = self.number * line_bytes + u64::from(from * WORD_BYTES);
            out.push(Piece { address, bytes: run * WORD_BYTES });
        }
    }
}

/// Visits the lines that a piece touches, with the range of bytes in each.
fn each_line(piece: Piece, size: u64, mut visit: impl FnMut(u64, u64, u64)) {
    let end = piece.address + u64::from(piece.bytes);
    let mut at = piece.address;
    while at < end {
        let (number, from) = (at / size, at % size);
        let to = size.min(from + end - at);
        visit(number, from, to);
        at += to - from;
    }
}
