//! The division of a circuit's rows into blocks.

use core::ops::Range;
use serde::{Deserialize, Serialize};

/// The domain of `N = N1·N2` points as a matrix of N1 rows and N2 columns, whose columns and rows are divided into blocks.
///
/// Block `j` of columns has the rows `i1·N2 + i2` of the circuit with `i2` in [`Layout::columns`], stored column by column:
/// element `(i1, i2)` has the index `(i2 - start)·N1 + i1`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Layout {
    log_rows: u32,
    log_columns: u32,
    blocks: usize,
}

impl Layout {
    /// Divides a domain of `2^log_domain` points into `blocks` blocks, but at least one and at most one per row of the matrix.
    pub fn new(log_domain: u32, blocks: usize) -> Self {
        let log_rows = log_domain / 2;
        let blocks = blocks.clamp(1, 1 << log_rows);
        Self { log_rows, log_columns: log_domain - log_rows, blocks }
    }
    /// Base-2 logarithm of `N1`, the length of a column.
    pub fn log_rows(&self) -> u32 {
        self.log_rows
    }
    /// Base-2 logarithm of `N2`, the length of a row.
    pub fn log_columns(&self) -> u32 {
        self.log_columns
    }
    /// The length `N1` of a column.
    pub fn n1(&self) -> usize {
        1 << self.log_rows
    }
    /// The length `N2` of a row.
    pub fn n2(&self) -> usize {
        1 << self.log_columns
    }
    /// Number of blocks of columns, which is also the number of blocks of rows.
    pub fn blocks(&self) -> usize {
        self.blocks
    }
    /// The columns of a block.
    pub fn columns(&self, block: usize) -> Range<usize> {
        part(self.n2(), self.blocks, block)
    }
    /// The rows of a block.
    pub fn rows(&self, block: usize) -> Range<usize> {
        part(self.n1(), self.blocks, block)
    }
    /// Number of elements of a block of columns.
    pub fn column_elements(&self, block: usize) -> usize {
        self.columns(block).len() * self.n1()
    }
    /// Number of elements of a block of rows.
    pub fn row_elements(&self, block: usize) -> usize {
        self.rows(block).len() * self.n2()
    }
    /// The block that each column belongs to.
    pub(crate) fn owners(&self) -> Vec<u32> {
        (0..self.blocks).flat_map(|block| self.columns(block).map(move |_| block as u32)).collect()
    }
    /// Index of the first element of the piece that column block `j` writes for row block `k`, in a file of all such pieces.
    pub(crate) fn first_exchange(&self, j: usize, k: usize) -> usize {
        self.rows(k).start * self.n2() + self.rows(k).len() * self.columns(j).start
    }
    /// Index of the first element of the piece that row block `k` writes for column block `j`, in a file of all such pieces.
    pub(crate) fn second_exchange(&self, j: usize, k: usize) -> usize {
        self.columns(j).start * self.n1() + self.columns(j).len() * self.rows(k).start
    }
    /// Number of elements of the piece of column block `j` and row block `k`.
    pub(crate) fn piece(&self, j: usize, k: usize) -> usize {
        self.columns(j).len() * self.rows(k).len()
    }
}

/// The range of part `i` if `0..n` is divided into `parts` parts that are as equal as possible.
pub(crate) fn part(n: usize, parts: usize, i: usize) -> Range<usize> {
    let at = |i: usize| (n as u128 * i as u128 / parts as u128) as usize;
    at(i)..at(i + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_is_in_one_piece() {
        for log in 0..9 {
            for blocks in 0..7 {
                let layout = Layout::new(log, blocks);
                assert!(layout.blocks() >= 1 && layout.n1() * layout.n2() == 1 << log);
                let mut seen = [vec![0; 1 << log], vec![0; 1 << log]];
                for j in 0..layout.blocks() {
                    for k in 0..layout.blocks() {
                        let starts = [layout.first_exchange(j, k), layout.second_exchange(j, k)];
                        for (seen, start) in seen.iter_mut().zip(starts) {
                            seen[start..start + layout.piece(j, k)].iter_mut().for_each(|n| *n += 1);
                        }
                    }
                }
                assert!(seen.iter().flatten().all(|n| *n == 1), "2^{log} in {blocks}");
                assert_eq!(layout.owners().len(), layout.n2());
            }
        }
    }
}
