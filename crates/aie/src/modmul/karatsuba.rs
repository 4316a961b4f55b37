//! One level of Karatsuba above the blocks: a product of sixteen digits from three of eight.
//!
//! With `a = a₀ + a₁·2^200` and `b` likewise, `a·b = l + (m - l - h)·2^200 + h·2^400` for `l = a₀b₀`, `h = a₁b₁` and `m =
//! (a₀+a₁)(b₀+b₁)`. A product of eight digits fills two vectors of columns and takes as many blocks as two of the
//! schoolbook's six, so three such products save no blocks: 45 multiply-accumulates, without those that multiply only
//! zeros. The columns of `m` have two more bits. Columns are combined after one step of carries, when they fit vectors
//! again, because accumulators cannot be added to each other.

use super::{low_product, minus_inverse, mu};
use crate::carry::{step_in_place, to_digits};
use crate::digits::{RADIX_BITS, modulus};
use crate::method::Reduction;
use crate::modmul::NUMBER_BITS;
use crate::part::{Piece, Stage};
use crate::program::{Accumulator, Fact, LANES, Number, Sign, Vector, Writer, window};

/// Writes a modular product; carries are balanced.
pub(super) fn multiply(w: &mut Writer, reduction: Reduction, a: Number, b: Number) -> Number {
    match reduction {
        Reduction::Barrett => barrett(w, a, b),
        Reduction::Montgomery => montgomery(w, a, b),
    }
}

fn barrett(w: &mut Writer, a: Number, b: Number) -> Number {
    w.stage(Stage::First);
    let columns = product(w, a, b);
    // The columns are moved one lane up, as in the schoolbook product.
    let zero = w.zero();
    let lifted = [0, 1, 2, 3].map(|k| {
        w.piece(Piece::Carry { vector: k });
        let below = if k == 0 { zero } else { columns[k - 1] };
        selected(w, None, [below, columns[k]], window(LANES as u8 - 1))
    });
    let x = finished(w, &lifted, Some(LANES - 1));
    w.stage(Stage::Second);
    let constant = w.number(&mu());
    let columns = product(w, constant, [x[2], x[3]]);
    let columns = lift(w, &columns);
    let y = finished(w, &columns, Some(LANES - 1));
    w.stage(Stage::Third);
    let m = w.number(&modulus());
    let start = [0, 1].map(|column| {
        w.piece(Piece::Start { column });
        selected(w, None, [x[column], x[column + 1]], window(1))
    });
    let columns = low_product(w, Some(start), Sign::Minus, m, [y[2], y[3]]);
    let once = step_in_place(w, &columns, &[0, 1], RADIX_BITS, None);
    let r = finished(w, &once, None);
    let result = [r[0], r[1]];
    w.fact(Fact::Barrett { a, b, low_in: [x[0], x[1]], low_mu: [y[0], y[1]], result });
    result
}

fn montgomery(w: &mut Writer, a: Number, b: Number) -> Number {
    w.stage(Stage::First);
    let first = product(w, a, b);
    let low = lift(w, &first[..2]);
    let x = finished(w, &low, None);
    w.stage(Stage::Second);
    let inverse = w.number(&minus_inverse(NUMBER_BITS));
    let t = low_product(w, None, Sign::Plus, inverse, [x[0], x[1]]);
    let once = step_in_place(w, &t, &[0, 1], RADIX_BITS, None);
    let t = finished(w, &once, None);
    let t = [t[0], t[1]];
    w.stage(Stage::Third);
    let m = w.number(&modulus());
    let second = product(w, m, t);
    let mut sums = Vec::with_capacity(4);
    for (k, (first, second)) in first.into_iter().zip(second).enumerate() {
        w.piece(Piece::Carry { vector: k });
        let columns = w.ups(first);
        sums.push(selected(w, Some(columns), [second, second], window(0)));
    }
    let y = finished(w, &sums, Some(LANES - 1));
    let result = [y[2], y[3]];
    w.fact(Fact::Montgomery { a, b, t, low: [y[0], y[1]], result });
    result
}

/// The columns of a whole product, within 31 bits each.
fn product(w: &mut Writer, a: Number, b: Number) -> [Vector; 4] {
    let l = half(w, a[0], b[0], [0, 1], 0);
    let h = half(w, a[1], b[1], [2, 3], 1);
    w.piece(Piece::Block { column: 1, half: 1 });
    let [a, b] = [a, b].map(|n| w.add(n[0], n[1]));
    let m = half(w, a, b, [1, 2], 1);
    w.piece(Piece::Carry { vector: 1 });
    let both = w.sub(l[1], h[0]);
    let low = w.sub(m[0], l[0]);
    let low = w.add(low, both);
    w.piece(Piece::Carry { vector: 2 });
    let high = w.sub(m[1], h[1]);
    let high = w.sub(high, both);
    [l[0], low, high, h[1]]
}

/// The columns of a product of eight digits after one step of carries; they are vectors `parts` of the whole product.
fn half(w: &mut Writer, x: Vector, z: Vector, parts: [usize; 2], half: usize) -> [Vector; 2] {
    let zero = w.zero();
    let pairs = [[zero, x], [x, zero]];
    let columns = [0, 1].map(|k| {
        w.piece(Piece::Block { column: parts[k], half });
        let mut acc: Option<Accumulator> = None;
        // Digit 0 contributes nothing to the higher columns.
        for j in k as u8..LANES as u8 {
            acc = Some(w.mac(acc, Sign::Plus, (pairs[k], window(LANES as u8 - j)), (z, [j; LANES])));
        }
        acc.expect("seven products at least")
    });
    let stepped = step_in_place(w, &columns, &parts, RADIX_BITS, Some(LANES - 1));
    let digits = to_digits(w, &stepped, &parts);
    [digits[0], digits[1]]
}

/// Moves vectors to accumulators, as parts of their carries.
fn lift(w: &mut Writer, vectors: &[Vector]) -> Vec<Accumulator> {
    let lifted = |(vector, &v)| {
        w.piece(Piece::Carry { vector });
        w.ups(v)
    };
    vectors.iter().enumerate().map(lifted).collect()
}

/// Adds selected lanes of a pair of vectors to columns.
fn selected(w: &mut Writer, to: Option<Accumulator>, pair: [Vector; 2], lanes: [u8; LANES]) -> Accumulator {
    let one = w.constant([1; LANES]);
    w.mac(to, Sign::Plus, (pair, lanes), (one, [0; LANES]))
}

/// Makes the last step of carries and moves the digits to vectors.
fn finished(w: &mut Writer, columns: &[Accumulator], kept: Option<usize>) -> Vec<Vector> {
    let parts: Vec<_> = (0..columns.len()).collect();
    let stepped = step_in_place(w, columns, &parts, RADIX_BITS, kept);
    to_digits(w, &stepped, &parts)
}
