//! The hash with fewer products: the same function from other constants.
//!
//! Three changes of coordinates, each undone by the next matrix, with names as in the code:
//! - **Constants.** A partial round leaves lanes 1 and 2 alone, so their constants move through the matrix to the next
//!   round, and through all partial rounds to the first full one after them (\[P\] appendix B).
//! - **Sparse matrices.** With `M = [[m, v], [w, N]]` and `P` partial rounds, hold `diag(1, N^(P - k))` times the state
//!   before the `k`-th of them. Then its matrix, `j = P - 1 - k`, is `[[m, v·N^-(j+1)], [N^j·w, I]]`: 5 products for 9.
//! - **Scales.** A lane held as `1/d` times its value comes out of the S-box as `1/d^alpha` times, which the columns of
//!   the matrix can take and the scale of the lane after it can undo. So each row of each matrix has a one: 4 products in
//!   a partial round, 6 in a full one; and between two S-boxes there is only one addition, since the other products of
//!   a partial round use older values.
//!
//! In the first round the first lane is constant; of the last round only the first lane is computed.

use super::matrix::{self, Matrix};
use super::{WIDTH, power};
use alloc::vec::Vec;
use pairwright_field::{Field, Ring};

/// A matrix with ones on its diagonal, and what is added after it.
#[derive(Clone, Debug)]
struct Mix<K> {
    /// The coefficients of lanes `i + 1` and `i + 2` in row `i`, modulo the width.
    off: [[K; 2]; WIDTH],
    add: [K; WIDTH],
}

/// A partial round's matrix: `[[1, v], [w, I]]`, and what is added to lane 0 after it.
#[derive(Clone, Debug)]
struct Sparse<K> {
    v: [K; 2],
    w: [K; 2],
    add: K,
}

/// The hash with fewer products: its constants, derived once from the plain parameters, in any form that values of a ring can
/// be made from when they are needed.
#[derive(Clone, Debug)]
pub struct FastPoseidon<K> {
    alpha: u64,
    /// Constants of lanes 1 and 2, before the first S-boxes.
    start: [K; 2],
    /// First matrix, its rows `[1, a]`, `[1, b]`, `[c, 1]` over lanes 1 and 2.
    first: [K; WIDTH],
    first_add: [K; WIDTH],
    opening: Vec<Mix<K>>,
    partial: Vec<Sparse<K>>,
    closing: Vec<Mix<K>>,
    last: [K; WIDTH],
}

impl<K> FastPoseidon<K> {
    /// The hash of two elements, lane 0 of the permutation of `(0, left, right)`, over any ring: `constant` makes a value of it
    /// from a constant, each time it is used.
    #[inline(always)]
    pub fn compress<R: Ring>(&self, left: R, right: R, constant: impl Fn(&K) -> R) -> R {
        match self.alpha {
            // The same text, with the power known to the compiler.
            5 => self.hash(left, right, constant, |x| power(x, 5)),
            alpha => self.hash(left, right, constant, |x| power(x, alpha)),
        }
    }

    #[inline(always)]
    fn hash<R: Ring>(&self, left: R, right: R, constant: impl Fn(&K) -> R, sbox: impl Fn(R) -> R) -> R {
        let [c, d] = self.start.each_ref().map(&constant);
        let (left, right) = (sbox(left + c), sbox(right + d));
        let [a, b, c] = self.first.each_ref().map(&constant);
        let [d, e, f] = self.first_add.each_ref().map(&constant);
        let mut state = [
            left.clone() + a * right.clone() + d,
            left.clone() + b * right.clone() + e,
            c * left + right + f,
        ];
        for mix in &self.opening {
            state = mix.apply(state.map(&sbox), &constant);
        }
        let [mut x, mut u, mut v] = state;
        for Sparse { v: [a, b], w: [c, d], add } in &self.partial {
            let old = constant(a) * u.clone() + constant(b) * v.clone() + constant(add);
            let y = sbox(x);
            u = u + constant(c) * y.clone();
            v = v + constant(d) * y.clone();
            x = y + old;
        }
        state = [x, u, v];
        for mix in &self.closing {
            state = mix.apply(state.map(&sbox), &constant);
        }
        let [x, y, z] = state.map(&sbox);
        let [a, b, c] = self.last.each_ref().map(constant);
        a * x + b * y + c * z
    }

    /// Exponent of the S-box.
    pub fn alpha(&self) -> u64 {
        self.alpha
    }

    /// Numbers of full rounds between the first one and the partial ones, of partial rounds, and of full rounds between these and
    /// the last one.
    pub fn rounds(&self) -> [usize; 3] {
        [self.opening.len(), self.partial.len(), self.closing.len()]
    }

    /// The same hash with every constant in another form. Constants are visited in the order of the rounds: in the first one those
    /// before the S-boxes, the entries of the matrix that are not one, what is added after it; in a full round the entries
    /// beside the diagonal, row by row and from the diagonal on, then what is added; in a partial one the first row, the first
    /// column, and what is added to the first element; in the last one the row of the result.
    pub fn map<L>(&self, mut form: impl FnMut(&K) -> L) -> FastPoseidon<L> {
        let f = &mut form;
        FastPoseidon {
            alpha: self.alpha,
            start: self.start.each_ref().map(&mut *f),
            first: self.first.each_ref().map(&mut *f),
            first_add: self.first_add.each_ref().map(&mut *f),
            opening: self.opening.iter().map(|mix| mix.map(f)).collect(),
            partial: self.partial.iter().map(|sparse| sparse.map(f)).collect(),
            closing: self.closing.iter().map(|mix| mix.map(f)).collect(),
            last: self.last.each_ref().map(f),
        }
    }

    /// Products and squares of a hash.
    pub(super) fn products(&self) -> usize {
        let sbox = (self.alpha.ilog2() + self.alpha.count_ones() - 1) as usize;
        let full = self.opening.len() + self.closing.len();
        (2 * sbox + 3) + full * (3 * sbox + 6) + self.partial.len() * (sbox + 4) + (3 * sbox + 3)
    }

    /// Sums of a hash.
    pub(super) fn sums(&self) -> usize {
        8 + (self.opening.len() + self.closing.len()) * 9 + self.partial.len() * 5 + 2
    }
}

impl<K> Mix<K> {
    #[inline(always)]
    fn apply<R: Ring>(&self, [x, y, z]: [R; WIDTH], constant: impl Fn(&K) -> R) -> [R; WIDTH] {
        let [[a, b], [c, d], [e, f]] = self.off.each_ref().map(|row| row.each_ref().map(&constant));
        let [g, h, i] = self.add.each_ref().map(&constant);
        [
            x.clone() + a * y.clone() + b * z.clone() + g,
            y.clone() + c * z.clone() + d * x.clone() + h,
            z + e * x + f * y + i,
        ]
    }

    fn map<L>(&self, f: &mut impl FnMut(&K) -> L) -> Mix<L> {
        Mix {
            off: self.off.each_ref().map(|row| row.each_ref().map(&mut *f)),
            add: self.add.each_ref().map(f),
        }
    }
}

impl<K> Sparse<K> {
    fn map<L>(&self, f: &mut impl FnMut(&K) -> L) -> Sparse<L> {
        Sparse { v: self.v.each_ref().map(&mut *f), w: self.w.each_ref().map(&mut *f), add: f(&self.add) }
    }
}

/// The state is held as `value / scale`, lane by lane; `None` where a coefficient that is to become one is zero, which
/// no entry of an MDS matrix is.
struct Scaled<F> {
    alpha: u64,
    scale: [F; WIDTH],
}

impl<F: Field> Scaled<F> {
    /// The matrix from S-boxes on held values to values held at new scales, chosen so that the entry of row `i` in
    /// column `ones[i]` is one; with the new constants.
    #[inline(never)]
    fn mix(
        &mut self,
        m: &Matrix<F>,
        add: &[F; WIDTH],
        ones: [usize; WIDTH],
    ) -> Option<(Matrix<F>, [F; WIDTH])> {
        let columns = self.scale.map(|d| power(d, self.alpha));
        let (mut rows, mut add) = (*m, *add);
        for i in 0..WIDTH {
            for j in 0..WIDTH {
                rows[i][j] *= columns[j];
            }
            self.scale[i] = rows[i][ones[i]];
            let inverse = self.scale[i].invert()?;
            rows[i] = rows[i].map(|x| x * inverse);
            add[i] *= inverse;
        }
        Some((rows, add))
    }

    fn full(&mut self, m: &Matrix<F>, add: &[F; WIDTH]) -> Option<Mix<F>> {
        let (m, add) = self.mix(m, add, [0, 1, 2])?;
        Some(Mix { off: [0, 1, 2].map(|i| [m[i][(i + 1) % WIDTH], m[i][(i + 2) % WIDTH]]), add })
    }
}

/// The lower right of a matrix, and its powers.
fn lower<F: Field>(n: [[F; 2]; 2]) -> Matrix<F> {
    [[F::ONE, F::ZERO, F::ZERO], [F::ZERO, n[0][0], n[0][1]], [F::ZERO, n[1][0], n[1][1]]]
}

impl<F: Field> FastPoseidon<F> {
    /// From the constants of all rounds, of which the `partial` in the middle are partial. `None` if the matrix is not
    /// MDS.
    pub(super) fn new(alpha: u64, constants: &[[F; WIDTH]], m: &Matrix<F>, partial: usize) -> Option<Self> {
        let half = constants.len().checked_sub(partial)? / 2;
        let [[_, v1, v2], [w1, n11, n12], [w2, n21, n22]] = *m;
        let n = lower([[n11, n12], [n21, n22]]);
        let inverse = (n11 * n22 - n12 * n21).invert()?;
        let n_inverse = lower([[n22 * inverse, -n12 * inverse], [-n21 * inverse, n11 * inverse]]);

        // Constants: what remains for lane 0 of each partial round, and for all lanes of the full round after them.
        let mut lane0 = Vec::with_capacity(partial);
        let mut carried = [F::ZERO; WIDTH];
        for round in constants.get(half..=half + partial)? {
            let [a, b, c] = [0, 1, 2].map(|i| round[i] + carried[i]);
            lane0.push(a);
            carried = [a, b, c];
            if lane0.len() <= partial {
                carried = matrix::apply(m, &[F::ZERO, b, c]);
            }
        }
        let [_, after1, after2] = carried;

        let mut held = Scaled { alpha, scale: [F::ONE; WIDTH] };
        let (first, mut first_add) = held.mix(m, constants.get(1)?, [1, 1, 2])?;
        let lane = power(constants[0][0], alpha);
        for i in 0..WIDTH {
            first_add[i] += first[i][0] * lane;
        }
        let mut opening = Vec::with_capacity(half - 1);
        for add in constants.get(2..half)? {
            opening.push(held.full(m, add)?);
        }
        // Into the partial rounds, with the constants that lanes 1 and 2 shall have after them.
        let all =
            (0..partial).fold(lower([[F::ONE, F::ZERO], [F::ZERO, F::ONE]]), |p, _| matrix::product(&p, &n));
        opening.push(held.full(&matrix::product(&all, m), &[lane0[0], after1, after2])?);

        let [_, s1, s2] = held.scale;
        let (t1, t2) = (s1.invert()?, s2.invert()?);
        let mut rounds = Vec::with_capacity(partial);
        // N^-(j+1) and N^j for the first of them, j = P - 1.
        let mut v =
            (0..partial).fold([F::ZERO, v1, v2], |v, _| matrix::apply(&matrix::transpose(&n_inverse), &v));
        let mut w = (1..partial).fold([F::ZERO, w1, w2], |w, _| matrix::apply(&n, &w));
        for add in &lane0[1..] {
            let column = power(held.scale[0], alpha);
            held.scale[0] = m[0][0] * column;
            let inverse = held.scale[0].invert()?;
            let row = [v[1] * s1 * inverse, v[2] * s2 * inverse];
            // Lanes 1 and 2 are held with the constants that they need at the end: take their part out again.
            let add = *add * inverse - row[0] * after1 * t1 - row[1] * after2 * t2;
            rounds.push(Sparse { v: row, w: [w[1] * column * t1, w[2] * column * t2], add });
            v = matrix::apply(&matrix::transpose(&n), &v);
            w = matrix::apply(&n_inverse, &w);
        }

        let mut closing = Vec::with_capacity(half - 1);
        for add in constants.get(half + partial + 1..)? {
            closing.push(held.full(m, add)?);
        }
        let columns = held.scale.map(|d| power(d, alpha));
        Some(Self {
            alpha,
            start: [constants[0][1], constants[0][2]],
            first: [first[0][2], first[1][2], first[2][1]],
            first_add,
            opening,
            partial: rounds,
            closing,
            last: [0, 1, 2].map(|j| m[0][j] * columns[j]),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::cell::Cell;
    use std::ops::{Add, Mul, Neg, Sub};

    thread_local! {
        static PRODUCTS: Cell<usize> = const { Cell::new(0) };
        static SUMS: Cell<usize> = const { Cell::new(0) };
    }

    fn one_more(of: &'static std::thread::LocalKey<Cell<usize>>) {
        of.set(of.get() + 1);
    }

    /// A value of which only the products and the sums are counted.
    #[derive(Clone, Copy, Debug)]
    struct Count;
    impl Add for Count {
        type Output = Self;
        fn add(self, _: Self) -> Self {
            one_more(&SUMS);
            self
        }
    }
    impl Sub for Count {
        type Output = Self;
        fn sub(self, _: Self) -> Self {
            self
        }
    }
    impl Neg for Count {
        type Output = Self;
        fn neg(self) -> Self {
            self
        }
    }
    impl Mul for Count {
        type Output = Self;
        fn mul(self, _: Self) -> Self {
            one_more(&PRODUCTS);
            self
        }
    }
    impl Ring for Count {
        type Wide = Self;
    }

    /// Products and sums of a hash, as it says and as counted.
    fn instance<F: pairwright_field::PrimeField>() -> [(usize, usize); 2] {
        let hash = super::super::Poseidon::<F>::new();
        PRODUCTS.set(0);
        SUMS.set(0);
        hash.fast().unwrap().compress(Count, Count, |_| Count);
        [(hash.products(), hash.sums()), (PRODUCTS.get(), SUMS.get())]
    }

    #[test]
    fn products_and_sums_are_counted() {
        // The definition takes 65·9 + (8·3 + 57)·3 = 828; with sparse matrices alone it would be 600.
        assert_eq!(instance::<pairwright_curve::bn254::Fr>(), [(510, 349); 2]);
        assert_eq!(instance::<pairwright_curve::bls12_377::Fr>(), [(508, 259); 2]);
    }

    #[test]
    fn matrices_that_have_no_fast_form() {
        use pairwright_curve::bn254::Fr;
        let ones = [[Fr::ONE; WIDTH]; WIDTH];
        assert!(FastPoseidon::new(5, &[[Fr::ONE; WIDTH]; 12], &ones, 4).is_none());
    }
}
