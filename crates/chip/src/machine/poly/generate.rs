//! Tables of twiddles made on the chip, on the four processing elements that no butterfly uses.
//!
//! A row's twiddles are `c^(N/2J)·ω_2J^j`: a power of the row's generator for each stage, times a plain table. With
//! [`RowTables::Generate`] the plain words come from a memory of their own; with [`RowTables::Update`] Banks_C hold the
//! words of an earlier row with generator `b`, and `c/b` replaces `c`.
//!
//! The powers of the stages are squares of one another, so they are computed one after the other, each from the multiplier's
//! output. The table is processed from its last stage, whose power is the generator itself, so that the squares for the
//! smaller stages are computed meanwhile. If a square and a row of the table are both ready, the square goes first.

use super::map::{self, C_BANKS, Cell};
use super::{Bank, PolyError, PolyOp, PolyWork, RowTables, twiddle};
use crate::isa::Transform;
use pairwright_field::PrimeField;
use pairwright_sim::Pipe;

/// The operands that the four elements accept in a cycle.
#[derive(Clone, Debug)]
enum Item<F> {
    /// One element squares the power of the stage after `stage`.
    Square { stage: u32, power: F },
    /// Each element multiplies a word of a row by the power of its stage.
    Row { row: u32, words: [F; 4], powers: [F; 4] },
}

impl<F: PrimeField> PolyOp<F> {
    /// Computes the table of twiddles with coset generator `coset` in the Banks_C of set `set` from the plain table in
    /// [`Bank::Base`]: that of [`twiddle::table`] for the same direction and at least as many points, with coset 1. The
    /// inverse directions take the generator too and multiply by the powers of its inverse, which the sender delivers.
    /// # Errors
    /// [`PolyError::Tables`] if the design has no plain table; no such set or length, a generator that is zero, or a
    /// plain table that was never loaded.
    pub fn generate_twiddles(
        &mut self,
        set: u8,
        kind: Transform,
        log_len: u32,
        coset: F,
    ) -> Result<PolyWork, PolyError> {
        self.make(RowTables::Generate, set, kind, log_len, coset)
    }

    /// Converts the table with coset generator `b` in the Banks_C of set `set` into the table with generator `b·ratio`.
    ///
    /// # Errors
    /// [`PolyError::Tables`] if the design makes its tables in another way; no such set or length, a ratio that is zero, or
    /// no table in Banks_C.
    pub fn update_twiddles(
        &mut self,
        set: u8,
        kind: Transform,
        log_len: u32,
        ratio: F,
    ) -> Result<PolyWork, PolyError> {
        self.make(RowTables::Update, set, kind, log_len, ratio)
    }

    fn make(
        &mut self,
        way: RowTables,
        set: u8,
        kind: Transform,
        log_len: u32,
        generator: F,
    ) -> Result<PolyWork, PolyError> {
        let config = self.config;
        if config.row_tables != way {
            return Err(PolyError::Tables { tables: config.row_tables });
        }
        map::slots(log_len)?;
        let Self { sets, base, .. } = self;
        let banks = sets.get_mut(usize::from(set)).ok_or(PolyError::Set { set })?;
        let in_place = way == RowTables::Update;
        let (fault, base_fault) = (banks.fault(Bank::C), banks.fault(Bank::Base));
        let table = banks.table;

        let last = log_len - 1;
        let mut powers = vec![None; log_len as usize];
        powers[last as usize] = Some(twiddle::oriented(kind, generator)?);
        let mut squares = last;
        let mut rows = (1 << log_len) / C_BANKS;
        let mut pipe: Pipe<Item<F>> = Pipe::new(config.twiddle_latency());
        let mut work = PolyWork::default();
        while rows > 0 || !pipe.is_empty() {
            if let Some(Item::Row { row, words, .. }) = pipe.front() {
                for (bank, word) in (0u32..).zip(words) {
                    banks.c.write(bank, table + *row, *word).map_err(&fault)?;
                    work.table_writes += 1;
                }
            }
            // In place, reads take the even cycles and, since the latency is odd, writes the odd ones, in which the squares
            // enter.
            let even = work.cycles % 2 == 0;
            let square = powers[squares as usize].filter(|_| squares > 0 && !(in_place && even));
            let row = rows.checked_sub(1).filter(|_| !in_place || even);
            let needed = row.and_then(|row| row_powers(&powers, row));
            let item = if let Some(power) = square {
                squares -= 1;
                work.element_cycles += 1;
                work.products += 1;
                Some(Item::Square { stage: squares, power })
            } else if let Some((row, powers)) = needed {
                rows = row;
                let mut words = [F::ZERO; 4];
                for (bank, word) in (0u32..).zip(&mut words) {
                    *word = match base {
                        Some(base) => base.read(bank, row).map_err(&base_fault)?,
                        None => banks.c.read(bank, table + row).map_err(&fault)?,
                    };
                }
                work.table_reads += 4;
                work.element_cycles += 4;
                work.products += 4;
                Some(Item::Row { row, words, powers })
            } else {
                None
            };
            pipe.tick_with(item, |register, item| match item {
                Item::Row { words, powers, .. } if register == config.read => {
                    words.iter_mut().zip(powers).for_each(|(word, power)| *word *= *power);
                }
                // A square is available in the operand registers as soon as it leaves the multiplier.
                Item::Square { stage, power } if register + 1 == config.read + config.mm => {
                    powers[*stage as usize] = Some(power.square());
                }
                _ => {}
            });
            banks.c.tick();
            base.iter_mut().for_each(|base| base.tick());
            work.cycles += 1;
        }
        Ok(work)
    }
}

/// A row of the table with the powers of its stages, if they are known.
fn row_powers<F: Copy>(powers: &[Option<F>], row: u32) -> Option<(u32, [F; 4])> {
    let of = |bank| powers[twiddle::stage_of(Cell { bank, row }) as usize];
    Some((row, [of(0)?, of(1)?, of(2)?, of(3)?]))
}
