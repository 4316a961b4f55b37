//! Device programs in which an element depends on all elements before or after it: powers of a base, running products,
//! and Horner's rule, which gives the value of a polynomial and its quotient by a linear polynomial.
//!
//! A vector is divided into pieces of [`PIECE`] elements, one thread each; the last one may be shorter. On the way up a
//! program reduces each piece to one element, and is applied to these again until one is left. On the way down each
//! piece is filled from the result of the level above for it.

use super::lang::{ArrayKernel, Body, BufferKind, Element, ElementPlace, Ix, Reg, Role};
use super::tables::for_each;

/// Number of elements of a piece.
pub const PIECE: u64 = 8;

const ELEMENTS: BufferKind = BufferKind::Elements;
const UNIFORM: BufferKind = BufferKind::Uniform;

/// Writes statements for element `j` of a piece if it is within the vector, whose length is the scalar after the number
/// of pieces.
fn within(body: &mut Body, piece: &Ix, j: u64, write: impl FnOnce(&mut Body, Ix)) {
    let at = body.let_(piece.clone() * PIECE + j);
    body.when(at.clone(), Ix::Scalar(1), |body| write(body, at));
}

/// The kernel `scale(n, out, a, k, constants)`: `out[i] = a[i] k[0]`.
pub fn scale(element: Element) -> ArrayKernel {
    let operands = [("a", ELEMENTS), ("k", UNIFORM)];
    for_each("scale", "out[i] = a[i] k[0] mod q", element, &operands, 2, |body, i| {
        body.load(Reg(0), ElementPlace::global(1, i.clone()));
        body.load(Reg(1), ElementPlace::global(2, 0));
        body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i), Reg(0));
    })
}

/// The kernel `more_powers(n, from, at, out, k, constants)`: `out[from + i] = out[i] k[at]`. It doubles the number of
/// powers of a base if there are `from` of them and `k[at]` is the base to the power `from`.
pub fn more_powers(element: Element) -> ArrayKernel {
    let about = "out[from + i] = out[i] k[at] mod q";
    let kernel = for_each("more_powers", about, element, &[("k", UNIFORM)], 2, |body, i| {
        body.load(Reg(0), ElementPlace::global(0, i.clone()));
        body.load(Reg(1), ElementPlace::global(1, Ix::Scalar(2)));
        body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
        body.store(ElementPlace::global(0, i + Ix::Scalar(1)), Reg(0));
    });
    ArrayKernel { scalars: vec!["n", "from", "at"], ..kernel }
}

/// The kernel `products_up(n, length, out, a, constants)`: `out[i]` is the product of the elements of piece `i` of `a`.
pub fn products_up(element: Element) -> ArrayKernel {
    let about = "out[i] = the product of the elements of piece i mod q";
    let kernel = for_each("products_up", about, element, &[("a", ELEMENTS)], 2, |body, i| {
        body.load(Reg(0), ElementPlace::global(1, i.clone() * PIECE));
        for j in 1..PIECE {
            within(body, &i, j, |body, at| {
                body.load(Reg(1), ElementPlace::global(1, at));
                body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
            });
        }
        body.store(ElementPlace::global(0, i), Reg(0));
    });
    ArrayKernel { scalars: vec!["n", "length"], ..kernel }
}

/// The kernel `products_down(n, length, out, a, before, constants)`: each element of `out` is the product of all
/// elements before it in `a`, where `before[i]` is the product of all elements before piece `i`.
pub fn products_down(element: Element) -> ArrayKernel {
    let operands = [("a", ELEMENTS), ("before", ELEMENTS)];
    let about = "out[j] = the product of all elements before j mod q";
    let kernel = for_each("products_down", about, element, &operands, 2, |body, i| {
        body.load(Reg(0), ElementPlace::global(2, i.clone()));
        for j in 0..PIECE {
            within(body, &i, j, |body, at| {
                body.load(Reg(1), ElementPlace::global(1, at.clone()));
                body.store(ElementPlace::global(0, at), Reg(0));
                body.call(Role::Mul, Reg(0), Reg(0), Reg(1));
            });
        }
    });
    ArrayKernel { scalars: vec!["n", "length"], ..kernel }
}

/// Writes Horner's rule over a piece, from the highest element down, with `k[at]` in the third register.
fn horner(body: &mut Body, i: &Ix, mut each: impl FnMut(&mut Body, Ix)) {
    body.load(Reg(2), ElementPlace::global(2, Ix::Scalar(2)));
    for j in (0..PIECE).rev() {
        within(body, i, j, |body, at| {
            body.load(Reg(1), ElementPlace::global(1, at.clone()));
            body.call(Role::Mul, Reg(0), Reg(0), Reg(2));
            body.call(Role::Add, Reg(0), Reg(0), Reg(1));
            each(body, at);
        });
    }
}

/// The kernel `horner_up(n, length, at, out, a, k, constants)`: `out[i]` is the value at `k[at]` of the polynomial
/// whose coefficients are piece `i` of `a`.
pub fn horner_up(element: Element) -> ArrayKernel {
    let operands = [("a", ELEMENTS), ("k", UNIFORM)];
    let about = "out[i] = the value of piece i as a polynomial at k[at] mod q";
    let kernel = for_each("horner_up", about, element, &operands, 3, |body, i| {
        zero(body, &i);
        horner(body, &i, |_, _| {});
        body.store(ElementPlace::global(0, i), Reg(0));
    });
    ArrayKernel { scalars: vec!["n", "length", "at"], ..kernel }
}

/// The kernel `horner_down(n, length, at, skip, out, a, k, above, constants)`: `out[j - skip] = sum_l a[j + l] k[at]^l`
/// over all elements from `j` on, for `j` from `skip` on. `above[i]` is the sum over the pieces from `i` on, each
/// reduced to one element, in powers of the eighth power of `k[at]`.
pub fn horner_down(element: Element) -> ArrayKernel {
    let operands = [("a", ELEMENTS), ("k", UNIFORM), ("above", ELEMENTS)];
    let about = "out[j - skip] = the sum of a[j + l] k[at]^l mod q";
    let kernel = for_each("horner_down", about, element, &operands, 3, |body, i| {
        zero(body, &i);
        body.when(i.clone() + 1, Ix::Scalar(0), |body| {
            body.load(Reg(0), ElementPlace::global(3, i.clone() + 1));
        });
        horner(body, &i, |body, at| {
            body.when(Ix::Scalar(3), at.clone() + 1, |body| {
                body.store(ElementPlace::global(0, at - Ix::Scalar(3)), Reg(0));
            });
        });
    });
    ArrayKernel { scalars: vec!["n", "length", "at", "skip"], ..kernel }
}

/// Sets the first register to zero: an element of the piece minus itself.
fn zero(body: &mut Body, i: &Ix) {
    body.load(Reg(1), ElementPlace::global(1, i.clone() * PIECE));
    body.call(Role::Sub, Reg(0), Reg(1), Reg(1));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::Data;
    use crate::program::trial::{ELEMENT, Q, data, out};

    fn power(x: u64, n: usize) -> u64 {
        (0..n).fold(1, |power, _| power * x % Q)
    }

    #[test]
    fn pieces_are_scanned_up_and_down() {
        for length in [1usize, 2, 8, 9, 16, 77] {
            let a: Vec<u64> = (0..length as u64).map(|i| (i + 3) * (i * i + 5) * 7919 % Q).collect();
            let pieces: Vec<&[u64]> = a.chunks(8).collect();
            let n = pieces.len();
            let sizes = [n as u64, length as u64];
            let product = |of: &[u64]| of.iter().fold(1, |product, x| product * x % Q);
            let want: Vec<u64> = pieces.iter().map(|piece| product(piece)).collect();
            assert_eq!(out(&products_up(ELEMENT), &sizes, Data::unset(n), &[&a]), want);
            let before: Vec<u64> = (0..n).map(|i| product(&a[..8 * i])).collect();
            let want: Vec<u64> = (0..length).map(|j| product(&a[..j])).collect();
            assert_eq!(out(&products_down(ELEMENT), &sizes, Data::unset(length), &[&a, &before]), want);

            let value = |of: &[u64], x: u64| of.iter().rev().fold(0, |value, c| (value * x + c) % Q);
            for x in [0, 1, 77_777] {
                let sizes = [n as u64, length as u64, 1];
                let want: Vec<u64> = pieces.iter().map(|piece| value(piece, x)).collect();
                assert_eq!(out(&horner_up(ELEMENT), &sizes, Data::unset(n), &[&a, &[5, x]]), want);
                let above: Vec<u64> = (0..n).map(|i| value(&a[8 * i..], x)).collect();
                assert_eq!(above, (0..n).map(|i| value(&want[i..], power(x, 8))).collect::<Vec<_>>());
                let want: Vec<u64> = (0..length).map(|j| value(&a[j..], x)).collect();
                for skip in [0, 1] {
                    let sizes = [n as u64, length as u64, 0, skip as u64];
                    let room = Data::unset(length - skip);
                    assert_eq!(out(&horner_down(ELEMENT), &sizes, room, &[&a, &[x], &above]), want[skip..]);
                }
            }
            let twice: Vec<u64> = a.iter().map(|x| x * 5 % Q).collect();
            assert_eq!(out(&scale(ELEMENT), &sizes[1..], Data::unset(length), &[&a, &[5]]), twice);
        }
    }

    #[test]
    fn powers_double_in_number() {
        let first = data(&[7, 7 * 3, 7 * 9, 7 * 27, 0, 0, 0]);
        let found = out(&more_powers(ELEMENT), &[3, 4, 1], first, &[&[0, 81]]);
        assert_eq!(found, (0..7).map(|i| 7 * power(3, i)).collect::<Vec<_>>());
    }
}
