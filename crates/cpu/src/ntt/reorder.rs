//! The bit-reversal permutation, in place, by tiles.

use pairwright_device::parallel;
use pairwright_poly::bit_reversed;

/// Base-2 logarithm of the side of a tile, whose rows have 16 elements: 512 bytes for four limbs.
const SIDE_LOG: u32 = 4;
const SIDE: usize = 1 << SIDE_LOG;

/// Moves element `i` to `brv(i)`; the length is a power of two.
///
/// An index is read as `(high, middle, low)` with `high` and `low` of [`SIDE_LOG`] bits. For a fixed middle the
/// elements form a tile of `SIDE` rows, each contiguous; the permutation transposes the tile (with reversed row and
/// column numbers) and exchanges it with the tile of the reversed middle. Two tiles fit in the first-level cache,
/// and the pairs of tiles are independent of one another, so they are the parallel tasks. The rows are handed out
/// as slices, which takes `16/SIDE` bytes of temporary memory per element.
pub(super) fn bit_reverse<F: Copy + Send>(data: &mut [F]) {
    let log_n = data.len().trailing_zeros();
    if log_n < 2 * SIDE_LOG {
        for i in 0..data.len() {
            let j = bit_reversed(i, log_n);
            if i < j {
                data.swap(i, j);
            }
        }
        return;
    }
    let middle_bits = log_n - 2 * SIDE_LOG;
    let middles = 1usize << middle_bits;
    // rows[middle] = its SIDE rows, row `high` at `high·middles + middle`.
    let mut tiles: Vec<Vec<&mut [F]>> = (0..middles).map(|_| Vec::with_capacity(SIDE)).collect();
    for (row, slice) in data.chunks_exact_mut(SIDE).enumerate() {
        tiles[row & (middles - 1)].push(slice);
    }
    let mut pairs: Vec<(Vec<&mut [F]>, Option<Vec<&mut [F]>>)> = Vec::with_capacity(middles / 2 + 1);
    for middle in 0..middles {
        let other = bit_reversed(middle, middle_bits);
        if middle == other {
            pairs.push((core::mem::take(&mut tiles[middle]), None));
        } else if middle < other {
            let (a, b) = (core::mem::take(&mut tiles[middle]), core::mem::take(&mut tiles[other]));
            pairs.push((a, Some(b)));
        }
    }
    let work = |(a, b): (Vec<&mut [F]>, Option<Vec<&mut [F]>>)| match b {
        None => transpose(a),
        Some(b) => exchange(a, b),
    };
    if rayon::current_num_threads() == 1 || pairs.len() < 8 {
        pairs.into_iter().for_each(work);
    } else {
        parallel::for_each(pairs.chunks_mut(8), |_, pairs| {
            pairs.iter_mut().for_each(|pair| work(core::mem::take(pair)));
        });
    }
}

/// Element `(r, c)` goes to `(brv c, brv r)` within one tile.
fn transpose<F: Copy>(mut a: Vec<&mut [F]>) {
    for r in 0..SIDE {
        for c in 0..SIDE {
            let (r2, c2) = (bit_reversed(c, SIDE_LOG), bit_reversed(r, SIDE_LOG));
            if (r, c) < (r2, c2) {
                let x = a[r][c];
                a[r][c] = a[r2][c2];
                a[r2][c2] = x;
            }
        }
    }
}

/// Exchanges two tiles, transposed in the same way.
fn exchange<F: Copy>(mut a: Vec<&mut [F]>, mut b: Vec<&mut [F]>) {
    for (r, row) in a.iter_mut().enumerate() {
        let c2 = bit_reversed(r, SIDE_LOG);
        for (c, x) in row.iter_mut().enumerate() {
            core::mem::swap(x, &mut b[bit_reversed(c, SIDE_LOG)][c2]);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_element_finds_its_place() {
        for log_n in 0..15 {
            let mut data: Vec<usize> = (0..1 << log_n).collect();
            bit_reverse(&mut data);
            assert!(data.iter().enumerate().all(|(i, &x)| x == bit_reversed(i, log_n)), "2^{log_n}");
        }
    }
}
