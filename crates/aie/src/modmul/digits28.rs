//! Products by fourteen digits of 28 bits, digit `i` in lane `2 + i`.
//!
//! A vector of columns may begin at any column. The lower half of a product is the columns from -2 to 13 in two vectors,
//! whose first two lanes stay zero; the higher half is the columns from 12 to 27. Columns 12 and 13, the *guards*, are in
//! both: the carry of the columns below 12 into column 14 is small enough to be ignored, in a quotient as well as in the
//! carry of a number that is known to be a multiple of 2^392.
//!
//! Barrett's reduction multiplies `m`, the part of a product above 2^364, by `μ = round(2^756 / M)` and computes only the
//! higher half of that; it multiplies the quotient by M and computes only the lower half, directly in the product's own
//! columns. Montgomery's multiplies the lower half of a product by -1/M and computes only the lower half of that; it
//! multiplies the result by M and computes only the higher half, directly in the product's own columns. Both take 82
//! multiply-accumulates: 20 for a lower half, 21 for a higher one.
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
/// The first column of each vector of columns.
const WINDOWS: [i32; 4] = [-2, 6, 12, 20];
/// The lowest column that is in both halves of a product; the columns below it are in the lower half only.
pub(crate) const GUARD: usize = 12;
/// Barrett's cut: the columns of a product from this one on are multiplied by μ.
pub(crate) const CUT: usize = 13;
/// μ is the inverse of M for the power of two of this logarithm: the divisor of the product by μ, times the cut.
pub(crate) const MU_BITS: u32 = LAYOUT.number_bits() + CUT as u32 * RADIX_BITS;

/// Barrett's constant, 2^756 / M rounded to the nearest integer.
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
    // Digits of `m` begin in lane 1; the highest of them, column 26, keeps its carry.
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
    // The two guard lanes are not digits of the result and are set to zero.
    let zero = w.zero();
    let mut lanes = IDENTITY;
    lanes[..LAYOUT.first].fill(LANES as u8);
    let result = [w.permute([sum[0], zero], lanes), sum[1]];
    w.fact(Fact::Montgomery28 { a, b, t, sum, result });
    result
}

/// Writes the digits of a sum after one step of carries; they slightly exceed 2^27 in magnitude.
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

/// Columns that one multiplication gives to another.
#[derive(Clone, Copy)]
enum Columns {
    /// Columns without any carry step.
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

/// Makes two steps of carries and returns digits of little more than 28 bits. Lane `kept` of the higher vector keeps its
/// carry, and the lanes above it are columns without products; without a `kept` lane, the carry out of the highest lane
/// is dropped.
fn carried(w: &mut Writer, columns: [Accumulator; 2], parts: [usize; 2], kept: Option<usize>) -> Number {
    let once = step_in_place(w, &columns, &parts, RADIX_BITS, kept);
    let twice = step_in_place(w, &once, &parts, RADIX_BITS, kept);
    let digits = to_digits(w, &twice, &parts);
    [digits[0], digits[1]]
}
