//! Tables of twiddles, and their arrangement in Banks_C.
//!
//! Stage `s` of `2^n` points needs `2^s` twiddles, `w(s, j) = c^(N/2J)·ω_2J^j` with `J = 2^s` and a coset generator `c` (in
//! Algorithm 2 of \[CP\] `c` is the 2N-th root of unity, so that `w = φ^((2j+1)·N/2J)`; with `c = 1` they are those of the
//! plain transform). The four butterflies of a round need at most four of them, which differ in the top bit of `j` from the
//! second stage on, and in its lowest bit in the last two. So the bank is `2·top + lowest`, and the row is the bits between
//! under a leading one; every round finds its twiddles in different banks. A unit selects between two banks.
//!
//! ```text
//! bank          0                1                2                3
//! row 0         w(1, 0)          w(0, 0)          w(1, 1)          w(0, 0)
//! row 1         w(2, 0)          w(2, 1)          w(2, 2)          w(2, 3)
//! rows 2, 3     w(3, 0) w(3, 2)  w(3, 1) w(3, 3)  w(3, 4) w(3, 6)  w(3, 5) w(3, 7)
//! …             2^(s-2) rows of stage s
//! ```
//!
//! Stage 0 has one twiddle, which is stored twice because no unit reads both banks 1 and 3: `N` words for `N` points, and
//! 1,024 points fill the banks.

use super::PolyError;
use super::map::{self, C_BANKS, Cell};
use crate::isa::Transform;
use pairwright_field::PrimeField;

/// Whether a transform is an inverse one.
pub fn is_inverse(kind: Transform) -> bool {
    matches!(kind, Transform::Intt | Transform::CosetIntt)
}

/// Whether a transform is a coset transform.
pub fn is_coset(kind: Transform) -> bool {
    matches!(kind, Transform::CosetNtt | Transform::CosetIntt)
}

/// Returns the cell of twiddle `j` of a stage for the butterfly unit `unit`.
pub fn cell(stage: u32, j: u32, unit: u32) -> Cell {
    match stage {
        0 => Cell { bank: (unit & 2) + 1, row: 0 },
        1 => Cell { bank: 2 * j, row: 0 },
        _ => {
            let rows = 1 << (stage - 2);
            Cell { bank: 2 * (j >> (stage - 1)) + (j & 1), row: rows + (j >> 1) % rows }
        }
    }
}

/// The stage whose twiddles a cell holds.
pub fn stage_of(cell: Cell) -> u32 {
    match cell.row {
        0 => 1 - (cell.bank & 1),
        row => row.ilog2() + 2,
    }
}

/// The cell of the word with index `word` of a table: bank by bank, then row by row.
pub fn word(word: u32) -> Cell {
    Cell { bank: word % C_BANKS, row: word / C_BANKS }
}

/// The table of a transform of `2^log_len` points, in the order of [`word`]: `2^log_len` words.
///
/// `root` is a primitive root of unity of that order, the domain's own, and `coset` the coset's generator for
/// [`Transform::CosetNtt`] and [`Transform::CosetIntt`]; the others are plain. An inverse transform's words are the
/// inverses of the forward one's.
///
/// # Errors
/// No such length, or a generator that is zero.
pub fn table<F: PrimeField>(kind: Transform, log_len: u32, root: F, coset: F) -> Result<Vec<F>, PolyError> {
    map::slots(log_len)?;
    let coset = if is_coset(kind) { coset } else { F::ONE };
    let (root, coset) = oriented(kind, root).and_then(|root| Ok((root, oriented(kind, coset)?)))?;
    let mut table = vec![F::ZERO; 1 << log_len];
    let (mut step, mut first) = (root, coset);
    // In the last stage consecutive twiddles differ by the root itself, in every stage before it by the square of the step
    // after.
    for stage in (0..log_len).rev() {
        let mut twiddle = first;
        for j in 0..1 << stage {
            for unit in 0..C_BANKS {
                let Cell { bank, row } = cell(stage, j, unit);
                table[(C_BANKS * row + bank) as usize] = twiddle;
            }
            twiddle *= step;
        }
        (step, first) = (step.square(), first.square());
    }
    Ok(table)
}

/// The generator itself, or its inverse for an inverse transform.
pub(super) fn oriented<F: PrimeField>(kind: Transform, generator: F) -> Result<F, PolyError> {
    let inverse = generator.invert().ok_or(PolyError::Zero)?;
    Ok(if is_inverse(kind) { inverse } else { generator })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeMap;

    #[test]
    fn every_round_finds_its_twiddles_in_different_banks() {
        for n in map::LOG_LENGTHS {
            let mut most = 0;
            for s in 0..n {
                for r in 0..map::rounds(n) {
                    let mut read = BTreeMap::new();
                    for unit in 0..4 {
                        let at = cell(s, map::first(n, s, r, unit) % (1 << s), unit);
                        assert!(at.bank >> 1 == unit >> 1, "a unit chooses between two banks");
                        assert!(at.row < (1 << n) / C_BANKS && stage_of(at) == s);
                        assert_eq!(*read.entry(at.bank).or_insert(at.row), at.row, "{n} {s} {r}");
                    }
                    most = most.max(read.len());
                }
            }
            assert_eq!(most, 4, "the last stage uses all of them");
        }
    }

    #[test]
    fn a_cell_for_every_twiddle() {
        let mut cells: Vec<Cell> = (1..10).flat_map(|s| (0..1 << s).map(move |j| cell(s, j, 0))).collect();
        cells.extend([cell(0, 0, 0), cell(0, 0, 2)]);
        cells.sort();
        cells.dedup();
        assert_eq!(cells.len(), 1024);
    }
}
