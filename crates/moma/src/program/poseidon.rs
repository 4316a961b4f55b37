//! The device program of Poseidon: hashes of pairs of elements, which form one level of a Merkle tree.
//!
//! It computes the hash of width three in the form with fewer products, whose constants the host derives
//! (`pairwright-hash`): full rounds whose matrix has ones on its diagonal, and partial rounds whose matrix is zero
//! outside of its first row, its first column and its diagonal.

use super::lang::{ArrayKernel, Body, BufferKind, Element, ElementPlace, Ix, Reg, Role};
use super::tables::for_each;

/// The parameters of the hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rounds {
    /// Exponent of the S-box, at least two.
    pub alpha: u64,
    /// Number of full rounds between the first one and the partial ones.
    pub opening: u64,
    /// Number of partial rounds, which have one S-box.
    pub partial: u64,
    /// Number of full rounds between the partial ones and the last one.
    pub closing: u64,
}

/// Constants of the first round: two addends before its S-boxes, three factors and three addends of its matrix.
const FIRST: u64 = 8;
/// Constants of a full round: two matrix entries for each row, then one addend for each row.
const FULL: u64 = 9;
/// Constants of a partial round: two matrix entries of the first row, two of the first column, and the addend of the
/// first element.
const PARTIAL: u64 = 5;

impl Rounds {
    /// The number of constants. They are stored in the order of the rounds; the last round has three, for the one
    /// element of the result.
    pub fn constants(&self) -> u64 {
        FIRST + (self.opening + self.closing) * FULL + self.partial * PARTIAL + 3
    }
}

/// Registers of the state, the next state, a constant and a product.
const STATE: [Reg; 3] = [Reg(0), Reg(1), Reg(2)];
const NEXT: [Reg; 3] = [Reg(3), Reg(4), Reg(5)];
const CONSTANT: Reg = Reg(6);
const PRODUCT: Reg = Reg(7);

/// The device kernel `poseidon_pairs(n, out, a, k, constants)`: `out[i]` is the hash of `a[2i]` and `a[2i + 1]`, with
/// the constants of the hash in `k`.
pub fn pairs(element: Element, rounds: &Rounds) -> ArrayKernel {
    let operands = [("a", BufferKind::Elements), ("k", BufferKind::Uniform)];
    let about = "out[i] = Poseidon of a[2i] and a[2i + 1]";
    for_each("poseidon_pairs", about, element, &operands, PRODUCT.0 + 1, |body, i| {
        let alpha = rounds.alpha;
        let [x, y, z] = STATE;
        body.load(x, ElementPlace::global(1, i.clone() << 1));
        body.load(y, ElementPlace::global(1, (i.clone() << 1) + 1));
        first(body, alpha);
        let turns = |body: &mut Body, from: u64, count: u64, size: u64, one: &dyn Fn(&mut Body, Ix)| {
            body.for_(0u64, count, |body, round| {
                let at = body.let_(round * size + from);
                one(body, at);
            });
            from + count * size
        };
        let full = |body: &mut Body, at: Ix| full(body, alpha, &at);
        let at = turns(body, FIRST, rounds.opening, FULL, &full);
        let at = turns(body, at, rounds.partial, PARTIAL, &|body, at| partial(body, alpha, &at));
        let at = turns(body, at, rounds.closing, FULL, &full);
        STATE.iter().for_each(|of| power(body, *of, alpha));
        multiplied(body, x, x, at.into());
        for (of, at) in [(y, at + 1), (z, at + 2)] {
            multiplied(body, PRODUCT, of, at.into());
            body.call(Role::Add, x, x, PRODUCT);
        }
        body.store(ElementPlace::global(0, i), x);
    })
}

/// Writes `to = of · k[at]`.
fn multiplied(body: &mut Body, to: Reg, of: Reg, at: Ix) {
    body.load(CONSTANT, ElementPlace::global(2, at));
    body.call(Role::Mul, to, of, CONSTANT);
}

/// Writes `to += k[at]`.
fn raised(body: &mut Body, to: Reg, at: Ix) {
    body.load(CONSTANT, ElementPlace::global(2, at));
    body.call(Role::Add, to, to, CONSTANT);
}

/// Writes `of = of^alpha`, by squarings and products from the highest bit of the exponent on.
fn power(body: &mut Body, of: Reg, alpha: u64) {
    let mut so_far = of;
    for bit in (0..alpha.ilog2()).rev() {
        body.call(Role::Sqr, PRODUCT, so_far, so_far);
        so_far = PRODUCT;
        if alpha >> bit & 1 == 1 {
            let to = if bit == 0 { of } else { PRODUCT };
            body.call(Role::Mul, to, so_far, of);
            so_far = to;
        }
    }
    if so_far != of {
        body.copy(of, so_far);
    }
}

/// Writes the first round. The first element of its state is a constant, which the other constants take into account.
fn first(body: &mut Body, alpha: u64) {
    let [x, y, z] = STATE;
    for (of, at) in [(x, 0), (y, 1)] {
        raised(body, of, at.into());
        power(body, of, alpha);
    }
    // Rows of the matrix: (1, k2), (1, k3), (k4, 1).
    for (to, at) in [(NEXT[0], 2), (NEXT[1], 3)] {
        multiplied(body, to, y, at.into());
        body.call(Role::Add, to, to, x);
    }
    multiplied(body, z, x, 4u64.into());
    body.call(Role::Add, z, z, y);
    body.copy(x, NEXT[0]);
    body.copy(y, NEXT[1]);
    for (to, at) in STATE.into_iter().zip(5u64..) {
        raised(body, to, at.into());
    }
}

/// Writes a full round other than the first and the last.
fn full(body: &mut Body, alpha: u64, at: &Ix) {
    STATE.iter().for_each(|of| power(body, *of, alpha));
    for (row, to) in NEXT.into_iter().enumerate() {
        multiplied(body, to, STATE[(row + 1) % 3], at.clone() + 2 * row as u64);
        body.call(Role::Add, to, to, STATE[row]);
        multiplied(body, PRODUCT, STATE[(row + 2) % 3], at.clone() + (2 * row as u64 + 1));
        body.call(Role::Add, to, to, PRODUCT);
        raised(body, to, at.clone() + (6 + row as u64));
    }
    for (to, from) in STATE.into_iter().zip(NEXT) {
        body.copy(to, from);
    }
}

/// Writes a partial round.
fn partial(body: &mut Body, alpha: u64, at: &Ix) {
    let [x, u, v] = STATE;
    let old = NEXT[0];
    multiplied(body, old, u, at.clone());
    multiplied(body, PRODUCT, v, at.clone() + 1);
    body.call(Role::Add, old, old, PRODUCT);
    raised(body, old, at.clone() + 4);
    power(body, x, alpha);
    for (to, k) in [(u, 2), (v, 3)] {
        multiplied(body, PRODUCT, x, at.clone() + k);
        body.call(Role::Add, to, to, PRODUCT);
    }
    body.call(Role::Add, x, x, old);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::program::interp::Data;
    use crate::program::trial::{ELEMENT, Q, numbers, out};

    /// The hash computed on integers with its matrices written out.
    fn hash(rounds: &Rounds, k: &[u64], [left, right]: [u64; 2]) -> u64 {
        let sbox = |x: u64| (0..rounds.alpha).fold(1, |p, _| p * x % Q);
        let mut k = k.iter().copied();
        let mut next = || k.next().unwrap();
        let (l, r) = (sbox((left + next()) % Q), sbox((right + next()) % Q));
        let [a, b, c, d, e, f] = [(); 6].map(|()| next());
        let mut s = [(l + a * r + d) % Q, (l + b * r + e) % Q, (c * l + r + f) % Q];
        for round in 0..rounds.opening + rounds.partial + rounds.closing {
            if round >= rounds.opening && round < rounds.opening + rounds.partial {
                let [a, b, c, d, e] = [(); 5].map(|()| next());
                let y = sbox(s[0]);
                s = [(y + a * s[1] + b * s[2] + e) % Q, (c * y + s[1]) % Q, (d * y + s[2]) % Q];
            } else {
                let [a, b, c, d, e, f, g, h, i] = [(); 9].map(|()| next());
                let [x, y, z] = s.map(sbox);
                s = [(x + a * y + b * z + g) % Q, (d * x + y + c * z + h) % Q, (e * x + f * y + z + i) % Q];
            }
        }
        let [x, y, z] = s.map(sbox);
        let [a, b, c] = [(); 3].map(|()| next());
        (a * x + b * y + c * z) % Q
    }

    #[test]
    fn hashes_are_those_of_numbers() {
        for (alpha, opening, partial, closing) in
            [(5, 3, 4, 3), (11, 1, 1, 1), (3, 0, 2, 1), (2, 2, 0, 0), (6, 1, 3, 2)]
        {
            let rounds = Rounds { alpha, opening, partial, closing };
            let k = numbers(alpha, rounds.constants());
            for n in [1, 2, 130] {
                let a = numbers(9, 2 * n);
                let want: Vec<u64> = a.as_chunks().0.iter().map(|pair| hash(&rounds, &k, *pair)).collect();
                let found = out(&pairs(ELEMENT, &rounds), &[n], Data::unset(n as usize), &[&a, &k]);
                assert_eq!(found, want, "{rounds:?}, {n} pairs");
            }
        }
    }
}
