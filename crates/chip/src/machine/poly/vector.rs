//! Vector operations: each unit takes an entry of the vector and a word of Banks_C, or one constant, per cycle.
//!
//! The result replaces the entry. With four entries per cycle the two halves of a row, banks with `y = 0` and with `y = 1`,
//! alternate; a write is an odd number of cycles after its read, so when one half writes the other reads, and no bank is
//! accessed twice. Four words of Banks_C are read in every cycle, and the third operand of `a·c + b` comes from whichever of
//! Banks_A and Banks_B does not hold the vector.

use super::butterfly::{Beat, ButterflyTask, Direction, Line, UNITS};
use super::engine::other;
use super::map::{self, BANKS, Cell};
use super::network::{Selects, WIDTH};
use super::{PolyError, PolyOp, PolyWork};
use crate::isa::VectorOp;
use pairwright_field::PrimeField;

/// The second operand of a vector operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Operand<F> {
    /// The words of Banks_C, at [`map::beside`] of the entry.
    Banks,
    /// The same word for all entries.
    Scalar(F),
}

impl<F: PrimeField> PolyOp<F> {
    /// Computes `a·c`, `a + c`, `a - c` or `a·c + b` on the first `len` words (row by row) of the banks of set `set`: the
    /// vector `a` is in the banks that [`PolyOp::holder`] names, `b` in the same words of the other banks, and `c` in
    /// Banks_C.
    ///
    /// # Errors
    /// A set or length that the banks do not have, words that were never set, or rows of the vector in different banks.
    pub fn vector(&mut self, set: u8, op: VectorOp, len: u32) -> Result<PolyWork, PolyError> {
        self.vector_with(set, op, Operand::Banks, len)
    }

    /// [`PolyOp::vector`] with a choice of the second operand.
    ///
    /// # Errors
    /// As [`PolyOp::vector`].
    pub fn vector_with(
        &mut self,
        set: u8,
        op: VectorOp,
        second: Operand<F>,
        len: u32,
    ) -> Result<PolyWork, PolyError> {
        if len == 0 || len > map::WORDS {
            return Err(PolyError::Entries { entries: len });
        }
        let config = self.config;
        let mut line = Line::new(&config, Direction::Forward, config.vector_latency());
        let banks = self.set(set)?;
        let rows = len.div_ceil(BANKS);
        let holder = banks.holder(0..rows)?;
        let mut work = PolyWork::default();
        let parts = UNITS as u32 / config.vector;
        // The halves of a row alternate; with fewer entries per cycle, each half is processed part by part.
        for step in 0..2 * parts * rows {
            let (y, part, row) = (step & 1, step / 2 % parts, step / 2 / parts);
            let mut beat = Beat {
                words: [F::ZERO; WIDTH],
                factors: [F::ZERO; UNITS],
                addends: [F::ZERO; UNITS],
                task: ButterflyTask::Entry { op, y: y as u8 },
                selects: Selects { read: [false, true], write: [true, false] },
                to: holder,
                rows: [None; WIDTH],
            };
            for unit in part * config.vector..(part + 1) * config.vector {
                let (z, x) = (unit >> 1, unit & 1);
                let cell = Cell { bank: 4 * x + 2 * y + z, row };
                if BANKS * row + cell.bank >= len {
                    continue;
                }
                let unit = unit as usize;
                beat.words[cell.bank as usize] = banks.read(holder, cell.bank, row)?;
                beat.rows[cell.bank as usize] = Some(row as u8);
                work.reads += 1;
                beat.factors[unit] = match second {
                    Operand::Scalar(scalar) => scalar,
                    Operand::Banks => {
                        work.table_reads += 1;
                        banks.read_c(map::beside(cell))?
                    }
                };
                if op == VectorOp::MulAdd {
                    beat.addends[unit] = banks.read(other(holder), cell.bank, row)?;
                    work.reads += 1;
                }
                work.element_cycles += 1;
                work.products += u64::from(matches!(op, VectorOp::Mul | VectorOp::MulAdd));
                work.additions += u64::from(op != VectorOp::Mul);
            }
            banks.cycle(&mut line, Some(beat), &mut work)?;
        }
        while !line.is_empty() {
            banks.cycle(&mut line, None, &mut work)?;
        }
        Ok(work)
    }
}
