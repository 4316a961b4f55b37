//! The finest mapping: one tile for each block of the schoolbook multiplication, \[AIE\] III.F and Fig. 4.
//!
//! A core has two input and two output streams, which determines the mapping. A tile of mul_in receives the whole first
//! factor on one stream and its half of the second factor on the other; accumulators arrive by cascade. No stream is left
//! for carries, so they go through memory. In mul_mu and mul_m the first factor is a constant, so carries have a stream.
//! A tile with two output streams cannot have a third: `F` and `G` are needed whole (as first factors) and by halves (as
//! second factors), and are computed twice, in separate tiles, so there are six tiles of sums. A sum cannot receive four
//! half numbers, so the lower half of a product is relayed by the tile of the higher half.

use crate::part::{Part, Piece, Stage};

/// Tiles of a product: six for mul_in's blocks, six for mul_mu's, three for mul_m's.
pub(super) const EACH: usize = 15;
/// Tiles of the sums: E, F, G, H, and F and G a second time.
pub(super) const SUMS: usize = 6;
/// Blocks in the order of their tiles.
const BLOCKS: [[usize; 2]; 6] = [[0, 0], [1, 0], [2, 0], [1, 1], [2, 1], [3, 1]];
/// For each vector of columns, the index of its last block, whose tile also carries it.
const LAST: [usize; 4] = [0, 3, 4, 5];

/// The index, within its product, of the tile that computes a part.
pub(super) fn within(part: Part) -> usize {
    match part.piece {
        Piece::Block { column, half } => block(part.stage, [column, half]),
        Piece::Carry { vector } | Piece::SecondStep { vector } => {
            block(part.stage, BLOCKS[LAST[vector.min(3)]])
        }
        Piece::Late => block(part.stage, BLOCKS[LAST[2]]),
        // The tile of the higher one of the two vectors of digits.
        Piece::Start { column } => block(Stage::First, BLOCKS[LAST[column + 1]]),
    }
}

fn block(stage: Stage, block: [usize; 2]) -> usize {
    let of = |block| BLOCKS.iter().position(|b| *b == block).unwrap_or(0);
    match (stage, block) {
        (Stage::First, _) => of(block),
        // In Montgomery's reduction the multiple of the modulus has six blocks and the factor of it three, so both
        // together have nine tiles as well.
        (Stage::Third, [column @ 0..2, half]) => 2 * BLOCKS.len() + column + half,
        (Stage::Second | Stage::Third, _) => BLOCKS.len() + of(block),
    }
}

/// The tiles that compute a sum, as indices among the tiles of the sums.
pub(super) fn sums(sum: usize) -> &'static [usize] {
    const TILES: [&[usize]; 4] = [&[0], &[1, 4], &[2, 5], &[3]];
    TILES[sum]
}

/// The tile that sends a sum to this product: the first of the sum's tiles if the sum is the first factor, the second one
/// otherwise.
pub(super) fn sum_for(sum: usize, product: usize) -> usize {
    // X3 = EF, Y3 = GH, T3 = EH, Z3 = FG.
    let second = matches!((sum, product), (1, 4) | (2, 7));
    sums(sum)[usize::from(second)]
}

/// The tile of a product that relays the lower half of a result together with the higher half.
pub(super) fn relay(part: Part) -> Option<usize> {
    let Piece::Carry { vector: vector @ (0 | 2) } = part.piece else { return None };
    (part.stage == Stage::Third).then(|| block(Stage::Third, BLOCKS[LAST[vector + 1]]))
}

/// The tiles of a product that all receive the whole first factor.
pub(super) const FIRST_FACTOR: core::ops::Range<usize> = 0..BLOCKS.len();

/// Whether a cascade connects the first tile of a product to the second.
pub(super) fn cascades(from: usize, to: usize) -> bool {
    let (six, pairs) = (BLOCKS.len(), [[1, 3], [2, 4]]);
    let pair = [from % six, to % six];
    from / six == to / six && (pairs.contains(&pair) && from < 2 * six || [from, to] == [13, 14])
}

/// Whether two tiles of a product share a memory module, so that carries can go through it.
pub(super) fn shares(from: usize, to: usize) -> bool {
    LAST.windows(2).any(|pair| pair == [from, to])
}

/// Column and row of a tile within the two columns and eight rows of its product, for the first four products.
pub(super) fn site(within: usize) -> [usize; 2] {
    // Mul_in, mul_mu and mul_m from the bottom up. Tiles of a cascade are neighbours, from west to east in even rows and
    // from east to west in odd ones, and carries of mul_in go between tiles that share a memory module.
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
