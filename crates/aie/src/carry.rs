//! Carries between digits, \[AIE\] III.D.
//!
//! A *step* takes from every column what lies above its 25 bits and adds it to the next one, all lanes at once: the
//! paper's `o = in & 0x1ffffff, c = in >> 25, o + c shifted by a lane`, with the mask as `in - (in >> 25 << 25)`
//! because the engine has no bitwise vector operation. After a step on sums of products, digits have some 30 bits;
//! coarse propagation makes two steps and leaves digits of 25 bits and a little. Accurate propagation makes one step
//! and then carries digit by digit in scalar registers; the step keeps those within 32 bits.
//!
//! Vectors of one number take their steps together: what leaves a vector in a step enters the next one in the same
//! step. (Printed is a carry into the second step of zero, which is right for cp2 after accurate cp1, and would lose
//! the second carry of cp2 in cp3.)

use crate::digits::RADIX_BITS;
use crate::part::Piece;
use crate::program::{Accumulator, IDENTITY, LANES, Rounding, Scalar, Sign, Vector, Writer, window};
use serde::{Deserialize, Serialize};

/// How carries are propagated.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carry {
    /// Accurately, digit by digit in scalar registers, at every place.
    Accurate,
    /// Accurately in the lower two vectors (cp0, cp1), coarsely in the higher two (cp2, cp3), as in the paper.
    Mixed,
    /// The same, but the accurate ones without a step before, on columns as they are: integers of 64 bits in pairs of
    /// scalar registers. Nearest to the paper's kernels.
    Wide,
    /// Coarsely everywhere, with digits rounded to the nearest, so that they have a sign and half the magnitude: no
    /// scalar operation is left, and numbers have a sign as well. Not in the paper.
    Balanced,
}

impl Carry {
    /// Every method.
    pub const ALL: [Self; 4] = [Self::Accurate, Self::Mixed, Self::Wide, Self::Balanced];

    /// Its name, as [`FromStr`](std::str::FromStr) reads it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accurate => "accurate",
            Self::Mixed => "mixed",
            Self::Wide => "wide",
            Self::Balanced => "balanced",
        }
    }
}

/// What happens above the highest digit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Top {
    /// The highest lane keeps all it has: the number stays the same.
    Keep,
    /// Its carry is dropped: the number stays the same modulo 2^(25·lanes).
    Drop,
}

/// Columns, sums of products at their places, to digits.
pub(crate) fn propagate(w: &mut Writer, columns: &[Accumulator], carry: Carry, top: Top) -> Vec<Vector> {
    if w.defers() && columns.len() > 2 && matches!(carry, Carry::Mixed | Carry::Wide) {
        return propagate_late(w, columns, carry, top);
    }
    let chained = match carry {
        Carry::Accurate => columns.len(),
        Carry::Mixed => columns.len().min(2),
        Carry::Wide => return propagate_wide(w, columns, top),
        Carry::Balanced => return propagate_in_place(w, columns, top),
    };
    let mut vectors = step(w, columns, None, top);
    let whole = chained == vectors.len();
    let (low, high) = vectors.split_at_mut(chained);
    let carried = chain(w, low, if whole { top } else { Top::Drop });
    if !whole {
        let rest = lift(w, chained, high);
        high.copy_from_slice(&step_from(w, chained, &rest, carried, top));
    }
    vectors
}

/// With integers of 64 bits in the lower two vectors, whose carry enters the first step of the higher ones. If there
/// are only two, what is above them is dropped.
fn propagate_wide(w: &mut Writer, columns: &[Accumulator], top: Top) -> Vec<Vector> {
    let (low, high) = columns.split_at(2);
    let (mut vectors, carry) = chain_wide(w, low);
    if !high.is_empty() {
        let once = step_from(w, 2, high, carry, top);
        let once = lift(w, 2, &once);
        vectors.extend(step_from(w, 2, &once, None, top));
    }
    vectors
}

/// The higher vectors take both steps without waiting for the lower ones, whose carry then enters their lowest two
/// digits: cp2 and cp3 are independent of cp0 and cp1 but for that.
fn propagate_late(w: &mut Writer, columns: &[Accumulator], carry: Carry, top: Top) -> Vec<Vector> {
    let (low, high) = columns.split_at(2);
    let (mut vectors, carried) = if carry == Carry::Wide {
        chain_wide(w, low)
    } else {
        let mut vectors = step(w, low, None, Top::Drop);
        let carried = chain(w, &mut vectors, Top::Drop);
        // What the step took from the highest column.
        let above = w.srs(low[1], RADIX_BITS, Rounding::Floor);
        let above = w.extract(above, LANES - 1);
        (vectors, carried.map(|carried| w.scalar_add(above, carried)))
    };
    let once = step_from(w, 2, high, None, top);
    let once = lift(w, 2, &once);
    let mut twice = step_from(w, 2, &once, None, top);
    if let Some(carried) = carried {
        w.piece(Piece::Late);
        let mask = w.immediate((1 << RADIX_BITS) - 1);
        let digit = w.extract(twice[0], 0);
        let sum = w.scalar_add(digit, carried);
        let low = w.scalar_and(sum, mask);
        let above = w.scalar_shift(sum, RADIX_BITS);
        let digit = w.extract(twice[0], 1);
        let next = w.scalar_add(digit, above);
        let vector = w.update(twice[0], 0, low);
        twice[0] = w.update(vector, 1, next);
    }
    vectors.extend(twice);
    vectors
}

/// Both steps in place, digits rounded to the nearest.
fn propagate_in_place(w: &mut Writer, columns: &[Accumulator], top: Top) -> Vec<Vector> {
    let kept = (top == Top::Keep).then_some(LANES - 1);
    let parts: Vec<_> = (0..columns.len()).collect();
    let once = step_in_place(w, columns, &parts, RADIX_BITS, kept);
    let twice = step_in_place(w, &once, &parts, RADIX_BITS, kept);
    to_digits(w, &twice, &parts)
}

/// What columns hold, as vectors.
pub(crate) fn to_digits(w: &mut Writer, columns: &[Accumulator], parts: &[usize]) -> Vec<Vector> {
    let digits = |(&column, &vector)| {
        w.piece(Piece::Carry { vector });
        w.srs(column, 0, Rounding::Floor)
    };
    columns.iter().zip(parts).map(digits).collect()
}

/// One step that leaves columns in their accumulators, in two multiply-accumulates: what is above a digit is taken away,
/// rounded to the nearest, and what comes from the next lower lane is added, its lane selected on the way. The `kept`
/// lane of the last vector keeps all it has, and those above it are columns without products; without one, what is
/// above the highest is dropped. Operations belong to carries cp`parts`.
pub(crate) fn step_in_place(
    w: &mut Writer,
    columns: &[Accumulator],
    parts: &[usize],
    radix_bits: u32,
    kept: Option<usize>,
) -> Vec<Accumulator> {
    // One vector of constants: what is taken away and what is added come times these two, and the others are zeros.
    let mut factors = [0; LANES];
    factors[..2].copy_from_slice(&[1 << radix_bits, 1]);
    let factors = w.constant(factors);
    const ZERO: u8 = 2 * LANES as u8 - 1;
    let mut below = factors;
    let mut out = Vec::with_capacity(columns.len());
    for (k, (&column, &vector)) in columns.iter().zip(parts).enumerate() {
        w.piece(Piece::Carry { vector });
        let carries = w.srs(column, radix_bits, Rounding::Nearest);
        let (mut taken, mut moved) = (IDENTITY, window(LANES as u8 - 1));
        if let (Some(kept), true) = (kept, k + 1 == columns.len()) {
            taken[kept..].fill(ZERO);
            // The highest lane of carries, where there are lanes above the kept one: none come from it.
            moved[kept + 1..].fill(ZERO);
        }
        let rest = w.mac(Some(column), Sign::Minus, ([carries, factors], taken), (factors, [0; LANES]));
        out.push(w.mac(Some(rest), Sign::Plus, ([below, carries], moved), (factors, [1; LANES])));
        below = carries;
    }
    out
}

/// Carries digit by digit in integers of 64 bits, on columns as they are; gives what is above the highest digit.
fn chain_wide(w: &mut Writer, columns: &[Accumulator]) -> (Vec<Vector>, Option<Scalar>) {
    let mask = w.immediate((1 << RADIX_BITS) - 1);
    let mut carry = None;
    let mut vectors = Vec::with_capacity(columns.len());
    for (k, &column) in columns.iter().enumerate() {
        w.piece(Piece::Carry { vector: k });
        let longs = w.srs_long(column);
        let mut vector = w.zero();
        for lane in 0..LANES {
            let digit = w.extract_long(longs, lane);
            let sum = carry.map_or(digit, |carry| w.long_add(digit, carry));
            let low = w.long_and(sum, mask);
            vector = w.update(vector, lane, low);
            carry = Some(w.long_shift(sum, RADIX_BITS));
        }
        vectors.push(vector);
    }
    (vectors, carry)
}

/// Vectors, the first of them number `base`, to columns.
fn lift(w: &mut Writer, base: usize, vectors: &[Vector]) -> Vec<Accumulator> {
    let lifted = |(k, &v)| {
        w.piece(Piece::Carry { vector: base + k });
        w.ups(v)
    };
    vectors.iter().enumerate().map(lifted).collect()
}

/// One step on all columns; `carry_in` enters the lowest.
pub(crate) fn step(
    w: &mut Writer,
    columns: &[Accumulator],
    carry_in: Option<Scalar>,
    top: Top,
) -> Vec<Vector> {
    step_from(w, 0, columns, carry_in, top)
}

/// The same on columns whose first is vector `base` of its number.
fn step_from(
    w: &mut Writer,
    base: usize,
    columns: &[Accumulator],
    carry_in: Option<Scalar>,
    top: Top,
) -> Vec<Vector> {
    let zero = w.zero();
    let radix = w.constant([1 << RADIX_BITS; LANES]);
    let mut below = zero;
    let mut out = Vec::with_capacity(columns.len());
    for (k, &column) in columns.iter().enumerate() {
        w.piece(Piece::Carry { vector: base + k });
        let carries = w.srs(column, RADIX_BITS, Rounding::Floor);
        let mut taken = IDENTITY;
        if top == Top::Keep && k + 1 == columns.len() {
            taken[LANES - 1] = LANES as u8; // the pair's other vector: zero
        }
        let rest = w.mac(Some(column), Sign::Minus, ([carries, zero], taken), (radix, [0; LANES]));
        let digits = w.srs(rest, 0, Rounding::Floor);
        let mut moved = w.permute([below, carries], window(LANES as u8 - 1));
        if let (0, Some(carry_in)) = (k, carry_in) {
            moved = w.update(moved, 0, carry_in);
        }
        out.push(w.add(digits, moved));
        below = carries;
    }
    out
}

/// Carries digit by digit; gives what is above the highest digit, if there is a digit and it is not kept there.
fn chain(w: &mut Writer, vectors: &mut [Vector], top: Top) -> Option<Scalar> {
    let count = vectors.len() * LANES;
    let mut carry = None;
    for i in 0..count {
        let vector = &mut vectors[i / LANES];
        let lane = i % LANES;
        w.piece(Piece::Carry { vector: i / LANES });
        let digit = w.extract(*vector, lane);
        let sum = match carry {
            Some(carry) => w.scalar_add(digit, carry),
            None => digit,
        };
        if top == Top::Keep && i + 1 == count {
            *vector = w.update(*vector, lane, sum);
            return None;
        }
        let mask = w.immediate((1 << RADIX_BITS) - 1);
        let low = w.scalar_and(sum, mask);
        *vector = w.update(*vector, lane, low);
        carry = Some(w.scalar_shift(sum, RADIX_BITS));
    }
    carry
}
