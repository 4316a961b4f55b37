//! Products by fourteen digits of 28 bits, digit `i` in lane `2 + i`.
//!
//! A vector of columns may begin anywhere. The lower half of a product are the columns from -2 to 13 in two vectors,
//! whose first two lanes stay zero; the higher half those from 12 to 27. Columns 12 and 13, *guards*, are in both: what
//! the columns below 12 would add to column 14 is too little to matter, in a quotient as well as in the carry of a
//! number that is known to be a multiple of 2^392.
//!
//! Barrett's reduction takes `m`, the part of a product above 2^364, times `μ = round(2^756 / M)`, of which only the higher
//! half is made, and that times M, of which only the lower half is, straight onto the product's own columns.
//! Montgomery's takes the lower half of a product by -1/M, of which only the lower half is made, and that times M, of which
//! only the higher half is, onto the product's own columns. Both are 82 multiply-accumulates: 20 for a lower half, 21
//! for a higher one.
//!
//! Carries are those of [`Carry::Balanced`](crate::Carry::Balanced).

use crate::carry::{step_in_place, to_digits};
use crate::digits::{Layout, modulus};
use crate::method::Reduction;
use crate::modmul::minus_inverse;
use crate::part::{Piece, Stage};
use crate::program::{Accumulator, Fact, IDENTITY, LANES, Number, Sign, Writer};
use num_bigint::BigInt;

const LAYOUT: Layout = Layout::DIGITS_28;
const RADIX_BITS: u32 = LAYOUT.radix_bits;
const DIGITS: i32 = LAYOUT.digits() as i32;
/// The first column of each vector.
const WINDOWS: [i32; 4] = [-2, 6, 12, 20];
/// The lowest column that both halves of a product have; those below are in its lower half only.
pub(crate) const GUARD: usize = 12;
/// Barrett's cut: a product's columns from here on are multiplied by μ.
pub(crate) const CUT: usize = 13;
/// The binary logarithm of the power of two that μ is an inverse for: the divisor of the product by μ, and the cut.
pub(crate) const MU_BITS: u32 = LAYOUT.number_bits() + CUT as u32 * RADIX_BITS;

/// Barrett's constant, 2^756 / M to the nearest.
pub(crate) fn mu() -> BigInt {
    let m = modulus();
    ((BigInt::from(1) << MU_BITS) + (&m >> 1)) / m
}

/// Writes a modular product.
pub(super) fn multiply(w: &mut Writer, reduction: Reduction, a: Number, b: Number) -> Number {
    match reduction {
        Reduction::Barrett => barrett(w, a, b),
        Reduction::Montgomery => montgomery(w, a, b),
    }
}

fn barrett(w: &mut Writer, a: Number, b: Number) -> Number {
    w.stage(Stage::First);
    let high = [2, 3].map(|window| columns(w, None, Sign::Plus, a, (b, 2), window, window));
    let low = [0, 1].map(|window| columns(w, None, Sign::Plus, a, (b, 2), window, window));
    // Digits of `m` begin in lane 1; the highest, column 26, keeps what is left.
    let x = carried(w, high, [2, 3], Some(6));
    let low = sent(w, low, [0, 1], None);
    w.stage(Stage::Second);
    let constant = w.number_in(LAYOUT, &mu());
    let high =
        [(2, 1), (3, 2)].map(|(window, part)| columns(w, None, Sign::Plus, constant, (x, 1), window, part));
    let y = carried(w, high, [1, 2], Some(7));
    w.stage(Stage::Third);
    let low = received(w, low);
    let m = w.number_in(LAYOUT, &modulus());
    let low = [0, 1].map(|window| columns(w, Some(low[window]), Sign::Minus, m, (y, 2), window, window));
    let result = carried(w, low, [0, 1], None);
    w.fact(Fact::Barrett28 { a, b, high: x, quotient: y, result });
    result
}

fn montgomery(w: &mut Writer, a: Number, b: Number) -> Number {
    w.stage(Stage::First);
    let low = [0, 1].map(|window| columns(w, None, Sign::Plus, a, (b, 2), window, window));
    let high = [2, 3].map(|window| columns(w, None, Sign::Plus, a, (b, 2), window, window));
    let x = carried(w, low, [0, 1], None);
    let high = sent(w, high, [2, 3], Some(7));
    w.stage(Stage::Second);
    let inverse = w.number_in(LAYOUT, &minus_inverse(LAYOUT.number_bits()));
    let low = [0, 1].map(|window| columns(w, None, Sign::Plus, inverse, (x, 2), window, window));
    let t = carried(w, low, [0, 1], None);
    w.stage(Stage::Third);
    let high = received(w, high);
    let m = w.number_in(LAYOUT, &modulus());
    let high = [0, 1].map(|part| columns(w, Some(high[part]), Sign::Plus, m, (t, 2), 2 + part, part));
    let sum = carried(w, high, [0, 1], Some(7));
    // What is left of the guards is not the number's.
    let zero = w.zero();
    let mut lanes = IDENTITY;
    lanes[..LAYOUT.first].fill(LANES as u8);
    let result = [w.permute([sum[0], zero], lanes), sum[1]];
    w.fact(Fact::Montgomery28 { a, b, t, sum, result });
    result
}

/// Writes a sum's digits in one step: they are within 2^27 and a little.
pub(crate) fn normalised(w: &mut Writer, number: Number) -> Number {
    let columns = number.map(|v| w.ups(v));
    let stepped = step_in_place(w, &columns, &[0, 1], RADIX_BITS, Some(7));
    let digits = to_digits(w, &stepped, &[0, 1]);
    [digits[0], digits[1]]
}

/// One vector of columns of `x` times the digits of `z`, the lowest of which is in lane `first`; operations belong to
/// blocks of vector `part`. Lane 0 of `x` is zero.
fn columns(
    w: &mut Writer,
    mut acc: Option<Accumulator>,
    sign: Sign,
    x: Number,
    (z, first): (Number, usize),
    window: usize,
    part: usize,
) -> Accumulator {
    for j in 0..DIGITS {
        let digit = |lane: usize| Some(WINDOWS[window] + lane as i32 - j).filter(|i| (0..DIGITS).contains(i));
        if (0..LANES).all(|lane| digit(lane).is_none()) {
            continue;
        }
        let xs = core::array::from_fn(|lane| digit(lane).map_or(0, |i| LAYOUT.first as u8 + i as u8));
        let place = first + j as usize;
        let half = place / LANES;
        w.piece(Piece::Block { column: part, half });
        acc = Some(w.mac(acc, sign, (x, xs), (z[half], [(place % LANES) as u8; LANES])));
    }
    acc.expect("every vector has columns")
}

/// Columns on their way from one multiplication to another.
#[derive(Clone, Copy)]
enum Columns {
    /// Columns that are not carried.
    Accumulators([Accumulator; 2]),
    /// Columns after one step of carries, as vectors.
    Vectors(Number),
}

fn sent(w: &mut Writer, columns: [Accumulator; 2], parts: [usize; 2], kept: Option<usize>) -> Columns {
    if !w.spreads() {
        return Columns::Accumulators(columns);
    }
    let stepped = step_in_place(w, &columns, &parts, RADIX_BITS, kept);
    let vectors = to_digits(w, &stepped, &parts);
    Columns::Vectors([vectors[0], vectors[1]])
}

fn received(w: &mut Writer, columns: Columns) -> [Accumulator; 2] {
    match columns {
        Columns::Accumulators(columns) => columns,
        Columns::Vectors(vectors) => [0, 1].map(|column| {
            w.piece(Piece::Block { column, half: 0 });
            w.ups(vectors[column])
        }),
    }
}

/// Columns to digits of 28 bits and a little, in two steps. Lane `kept` of the higher vector keeps all it has, and those
/// above it are columns without products; if there is none, what is above the highest lane is dropped.
fn carried(w: &mut Writer, columns: [Accumulator; 2], parts: [usize; 2], kept: Option<usize>) -> Number {
    let once = step_in_place(w, &columns, &parts, RADIX_BITS, kept);
    let twice = step_in_place(w, &once, &parts, RADIX_BITS, kept);
    let digits = to_digits(w, &twice, &parts);
    [digits[0], digits[1]]
}
