//! Carries between digits, \[AIE\] III.D.
//!
//! A *step* removes from every column the bits above its lowest 25 and adds them to the next column, in all lanes at
//! once. The paper writes it as `o = in & 0x1ffffff, c = in >> 25, o + c shifted by a lane`; the engine has no bitwise
//! vector operation, so the mask is computed as `in - (in >> 25 << 25)`. After one step on sums of products, digits have
//! some 30 bits. Coarse propagation makes two steps and leaves digits of little more than 25 bits. Accurate propagation
//! makes one step, after which digits fit 32 bits, and then carries digit by digit in scalar registers.
//!
//! All vectors of a number make a step together: a carry that leaves a vector in a step enters the next vector in the
//! same step. The paper prints a zero carry into step 2. That is correct for cp2 after an accurate cp1; for cp3 it would
//! drop cp2's second carry, so this model passes that carry on.

use crate::digits::RADIX_BITS;
use crate::part::Piece;
use crate::program::{Accumulator, IDENTITY, LANES, Rounding, Scalar, Sign, Vector, Writer, window};
use serde::{Deserialize, Serialize};

/// The algorithm that propagates carries from digit to digit.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Carry {
    /// Accurate carries in all vectors, digit by digit in scalar registers.
    Accurate,
    /// Accurate carries in the lower two vectors (cp0, cp1), coarse ones in the higher two (cp2, cp3), as in the paper.
    Mixed,
    /// As [`Carry::Mixed`], but the accurate carries start from the columns without a vector step, as integers of 64 bits
    /// in pairs of scalar registers. This is nearest to the paper's kernels.
    Wide,
    /// Coarse carries in all vectors, with digits rounded to the nearest, so that digits and numbers are signed and
    /// digits have half the magnitude. No scalar operation is needed. The paper does not have this variant.
    Balanced,
}

impl Carry {
    /// All carry algorithms.
    pub const ALL: [Self; 4] = [Self::Accurate, Self::Mixed, Self::Wide, Self::Balanced];

    /// The name in reports and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Accurate => "accurate",
            Self::Mixed => "mixed",
            Self::Wide => "wide",
            Self::Balanced => "balanced",
        }
    }
}

/// The treatment of the carry out of the highest digit.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum TopCarry {
    /// The highest lane keeps it: the value of the number is unchanged.
    Keep,
    /// It is dropped: the value is unchanged modulo 2^(25·lanes).
    Drop,
}

/// Propagates the carries of columns, which are sums of products, and returns the digits.
pub(crate) fn propagate(w: &mut Writer, columns: &[Accumulator], carry: Carry, top: TopCarry) -> Vec<Vector> {
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
    let carried = chain(w, low, if whole { top } else { TopCarry::Drop });
    if !whole {
        let rest = lift(w, chained, high);
        high.copy_from_slice(&second_step(w, chained, &rest, carried, top));
    }
    vectors
}

/// Propagates carries with integers of 64 bits in the lower two vectors; the carry out of them enters the first step of
/// the higher vectors. If there are only two vectors, the carry out of them is dropped.
fn propagate_wide(w: &mut Writer, columns: &[Accumulator], top: TopCarry) -> Vec<Vector> {
    let (low, high) = columns.split_at(2);
    let (mut vectors, carry) = chain_wide(w, low);
    if !high.is_empty() {
        let once = step_from(w, 2, high, carry, top);
        let once = lift(w, 2, &once);
        vectors.extend(second_step(w, 2, &once, None, top));
    }
    vectors
}

/// Makes both steps in the higher vectors without waiting for the lower ones, whose carry is added to the lowest two
/// digits of cp2 at the end. Apart from that carry, cp2 and cp3 are independent of cp0 and cp1.
fn propagate_late(w: &mut Writer, columns: &[Accumulator], carry: Carry, top: TopCarry) -> Vec<Vector> {
    let (low, high) = columns.split_at(2);
    let (mut vectors, carried) = if carry == Carry::Wide {
        chain_wide(w, low)
    } else {
        let mut vectors = step(w, low, None, TopCarry::Drop);
        let carried = chain(w, &mut vectors, TopCarry::Drop);
        // The carry that the step removed from the highest column.
        let above = w.srs(low[1], RADIX_BITS, Rounding::Floor);
        let above = w.extract(above, LANES - 1);
        (vectors, carried.map(|carried| w.scalar_add(above, carried)))
    };
    let once = step_from(w, 2, high, None, top);
    let once = lift(w, 2, &once);
    let mut twice = second_step(w, 2, &once, None, top);
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

/// Makes both steps in the accumulators, with digits rounded to the nearest.
fn propagate_in_place(w: &mut Writer, columns: &[Accumulator], top: TopCarry) -> Vec<Vector> {
    let kept = (top == TopCarry::Keep).then_some(LANES - 1);
    let parts: Vec<_> = (0..columns.len()).collect();
    let once = step_in_place(w, columns, &parts, RADIX_BITS, kept);
    let twice = step_in_place(w, &once, &parts, RADIX_BITS, kept);
    to_digits(w, &twice, &parts)
}

/// Moves columns that fit 32 bits from accumulators to vectors.
pub(crate) fn to_digits(w: &mut Writer, columns: &[Accumulator], parts: &[usize]) -> Vec<Vector> {
    let digits = |(&column, &vector)| {
        w.piece(Piece::Carry { vector });
        w.srs(column, 0, Rounding::Floor)
    };
    columns.iter().zip(parts).map(digits).collect()
}

/// Makes one step in the accumulators, by two multiply-accumulates: the first subtracts the part above a digit, rounded
/// to the nearest; the second adds the carry of the next lower lane, which it selects. In the last vector, lane `kept`
/// keeps its carry, and the lanes above it are columns without products; without a `kept` lane, the carry out of the
/// highest lane is dropped. Operations belong to the carries cp`parts`.
pub(crate) fn step_in_place(
    w: &mut Writer,
    columns: &[Accumulator],
    parts: &[usize],
    radix_bits: u32,
    kept: Option<usize>,
) -> Vec<Accumulator> {
    // One vector of constants: the factor of the subtraction, the factor of the addition, and zeros.
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
            // In this pair, ZERO is the highest lane of `carries`: zero here, because lanes above the kept one have no
            // products.
            moved[kept + 1..].fill(ZERO);
        }
        let rest = w.mac(Some(column), Sign::Minus, ([carries, factors], taken), (factors, [0; LANES]));
        out.push(w.mac(Some(rest), Sign::Plus, ([below, carries], moved), (factors, [1; LANES])));
        below = carries;
    }
    out
}

/// Carries columns digit by digit in integers of 64 bits; returns the digits and the carry out of the highest one.
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

/// Moves vectors, of which the first has number `base`, to accumulators for the second step.
fn lift(w: &mut Writer, base: usize, vectors: &[Vector]) -> Vec<Accumulator> {
    let lifted = |(k, &v)| {
        w.piece(Piece::SecondStep { vector: base + k });
        w.ups(v)
    };
    vectors.iter().enumerate().map(lifted).collect()
}

/// Makes one step on all columns; `carry_in` is added to the lowest digit.
pub(crate) fn step(
    w: &mut Writer,
    columns: &[Accumulator],
    carry_in: Option<Scalar>,
    top: TopCarry,
) -> Vec<Vector> {
    step_from(w, 0, columns, carry_in, top)
}

/// Makes one step on columns of which the first is vector `base` of its number.
fn step_from(
    w: &mut Writer,
    base: usize,
    columns: &[Accumulator],
    carry_in: Option<Scalar>,
    top: TopCarry,
) -> Vec<Vector> {
    step_of(w, |k| Piece::Carry { vector: base + k }, columns, carry_in, top)
}

/// As [`step_from`], but operations belong to the second step of coarse propagation.
fn second_step(
    w: &mut Writer,
    base: usize,
    columns: &[Accumulator],
    carry_in: Option<Scalar>,
    top: TopCarry,
) -> Vec<Vector> {
    step_of(w, |k| Piece::SecondStep { vector: base + k }, columns, carry_in, top)
}

/// Makes one step on columns; the operations of vector `k` belong to piece `piece(k)`.
fn step_of(
    w: &mut Writer,
    piece: impl Fn(usize) -> Piece,
    columns: &[Accumulator],
    carry_in: Option<Scalar>,
    top: TopCarry,
) -> Vec<Vector> {
    let zero = w.zero();
    let radix = w.constant([1 << RADIX_BITS; LANES]);
    let mut below = zero;
    let mut out = Vec::with_capacity(columns.len());
    for (k, &column) in columns.iter().enumerate() {
        w.piece(piece(k));
        let carries = w.srs(column, RADIX_BITS, Rounding::Floor);
        let mut taken = IDENTITY;
        if top == TopCarry::Keep && k + 1 == columns.len() {
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

/// Carries digit by digit in scalar registers; returns the carry out of the highest digit unless that digit keeps it.
fn chain(w: &mut Writer, vectors: &mut [Vector], top: TopCarry) -> Option<Scalar> {
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
        if top == TopCarry::Keep && i + 1 == count {
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
