//! A tile for each block of the schoolbook multiplication, \[AIE\] III.F and Fig. 4.
//!
//! A core has two streams in and two out, and everything here follows from that. A tile of mul_in takes the first
//! factor, whole, from one stream and its half of the second from the other; what it has accumulated comes by cascade,
//! and for carries no stream is left, so that they go through memory. In mul_mu and mul_m the first factor is a constant:
//! carries have a stream. A tile that gives two streams cannot give a third: `F` and `G` are needed whole (as first
//! factors) and by halves (as second ones), and are computed twice, in tiles of their own, which makes six of sums. And a
//! sum cannot take four half numbers, so that the lower half of a product goes through the tile of the higher one.

use crate::part::{Part, Piece, Stage};

/// Tiles of a product: mul_in's six blocks, mul_mu's six, mul_m's three.
pub(super) const EACH: usize = 15;
/// Tiles of the sums: E, F, G, H, and F and G again.
pub(super) const SUMS: usize = 6;
/// Blocks in the order of their tiles.
const BLOCKS: [[usize; 2]; 6] = [[0, 0], [1, 0], [2, 0], [1, 1], [2, 1], [3, 1]];
/// The block at whose end each vector of columns is complete, and carried.
const LAST: [usize; 4] = [0, 3, 4, 5];

/// The number within its product of the tile that does a part.
pub(super) fn within(part: Part) -> usize {
    match part.piece {
        Piece::Block { column, half } => block(part.stage, [column, half]),
        Piece::Carry { vector } | Piece::SecondStep { vector } => {
            block(part.stage, BLOCKS[LAST[vector.min(3)]])
        }
        Piece::Late => block(part.stage, BLOCKS[LAST[2]]),
        // Of two vectors of digits, where the higher one is.
        Piece::Start { column } => block(Stage::First, BLOCKS[LAST[column + 1]]),
    }
}

fn block(stage: Stage, block: [usize; 2]) -> usize {
    let of = |block| BLOCKS.iter().position(|b| *b == block).unwrap_or(0);
    match (stage, block) {
        (Stage::First, _) => of(block),
        // Montgomery's multiple of the modulus has six blocks, the factor of it three: nine tiles together as well.
        (Stage::Third, [column @ 0..2, half]) => 2 * BLOCKS.len() + column + half,
        (Stage::Second | Stage::Third, _) => BLOCKS.len() + of(block),
    }
}

/// The tiles that compute a sum, counted from the first sum's.
pub(super) fn sums(sum: usize) -> &'static [usize] {
    const TILES: [&[usize]; 4] = [&[0], &[1, 4], &[2, 5], &[3]];
    TILES[sum]
}

/// The tile among those of a sum that gives it to this product: the first one to a first factor, the second to a second.
pub(super) fn sum_for(sum: usize, product: usize) -> usize {
    // X3 = EF, Y3 = GH, T3 = EH, Z3 = FG.
    let second = matches!((sum, product), (1, 4) | (2, 7));
    sums(sum)[usize::from(second)]
}

/// The tile of a product that sends a result's lower half on, with the higher half.
pub(super) fn relay(part: Part) -> Option<usize> {
    let Piece::Carry { vector: vector @ (0 | 2) } = part.piece else { return None };
    (part.stage == Stage::Third).then(|| block(Stage::Third, BLOCKS[LAST[vector + 1]]))
}

/// The tiles of a product that all take its whole first factor.
pub(super) const FIRST_FACTOR: core::ops::Range<usize> = 0..BLOCKS.len();

/// Whether a cascade goes from one tile of a product to the other.
pub(super) fn cascades(from: usize, to: usize) -> bool {
    let (six, pairs) = (BLOCKS.len(), [[1, 3], [2, 4]]);
    let pair = [from % six, to % six];
    from / six == to / six && (pairs.contains(&pair) && from < 2 * six || [from, to] == [13, 14])
}

/// Whether tiles of a product reach a common memory, so that carries can go through it.
pub(super) fn shares(from: usize, to: usize) -> bool {
    LAST.windows(2).any(|pair| pair == [from, to])
}

/// Column and row of a tile within the two columns and eight rows of its product, for the first four products.
pub(super) fn site(within: usize) -> [usize; 2] {
    // Mul_in, mul_mu and mul_m from below: pairs of a cascade beside each other, from west to east in even rows and
    // back in odd ones, and mul_in's carries between tiles that reach a common memory.
    const SITES: [[usize; 2]; EACH] = [
        [0, 0],
        [1, 1],
        [0, 2],
        [0, 1],
        [1, 2],
        [1, 3],
        [0, 3],
        [0, 4],
        [1, 5],
        [1, 4],
        [0, 5],
        [0, 6],
        [1, 6],
        [1, 7],
        [0, 7],
    ];
    SITES[within]
}

/// A tile's name within its product.
pub(super) fn label(within: usize) -> String {
    let stage = ["mul_in", "mul_mu", "mul_m"][within / BLOCKS.len()];
    let [column, half] = if within < 12 { BLOCKS[within % 6] } else { [[0, 0], [1, 0], [1, 1]][within - 12] };
    format!("{stage} {column}_{half}")
}
