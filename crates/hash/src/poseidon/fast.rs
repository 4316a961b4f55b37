//! Poseidon with fewer products: the same function, computed with transformed constants.
//!
//! There are three changes of coordinates, each of which the next matrix undoes. Names are as in the code:
//! - **Constants.** A partial round does not change lanes 1 and 2 before its matrix, so their constants can be moved through
//!   the matrix to the next round, and through all partial rounds to the first full round after them (\[P\] appendix B).
//! - **Sparse matrices.** With `M = [[m, v], [w, N]]` and `P` partial rounds, the state before the `k`-th of them is multiplied
//!   by `diag(1, N^(P - k))`. With `j = P - 1 - k`, its matrix becomes `[[m, v·N^-(j+1)], [N^j·w, I]]`: 5 products instead of 9.
//! - **Scales.** A lane that is stored as `1/d` times its value leaves the S-box as `1/d^alpha` times its value. This factor is
//!   merged into the columns of the matrix, and the scale of the lane after the matrix is chosen freely, such that each row of
//!   each matrix has an entry of one. This leaves 4 products in a partial round and 6 in a full one. Between two S-boxes of
//!   partial rounds there is only one addition on the critical path, since the other products use older values.
//!
//! In the first round the first lane is constant; of the last round only the first lane is computed.

use super::matrix::{self, Matrix};
use super::{WIDTH, power};
use alloc::vec::Vec;
use pairwright_field::{Field, Ring};

/// A matrix with ones on its diagonal, and the constants that are added after it.
#[derive(Clone, Debug)]
struct Mix<K> {
    /// The coefficients of lanes `i + 1` and `i + 2` in row `i`, modulo the width.
    off: [[K; 2]; WIDTH],
    add: [K; WIDTH],
}

/// The matrix `[[1, v], [w, I]]` of a partial round, and the constant that is added to lane 0 after it.
#[derive(Clone, Debug)]
struct Sparse<K> {
    v: [K; 2],
    w: [K; 2],
    add: K,
}

/// The transformed constants of Poseidon with fewer products. They are derived once from the parameters of the definition and can
/// be of any type `K` from which ring elements are made when they are used.
#[derive(Clone, Debug)]
pub struct FastPoseidon<K> {
    alpha: u64,
    /// Constants that are added to lanes 1 and 2 before the first S-boxes.
    start: [K; 2],
    /// The entries `a`, `b`, `c` of the first matrix, whose rows are `[1, a]`, `[1, b]`, `[c, 1]` over lanes 1 and 2.
    first: [K; WIDTH],
    first_add: [K; WIDTH],
    opening: Vec<Mix<K>>,
    partial: Vec<Sparse<K>>,
    closing: Vec<Mix<K>>,
    last: [K; WIDTH],
}

impl<K> FastPoseidon<K> {
    /// The hash of two elements (lane 0 of the permutation of `(0, left, right)`) over any ring. `constant` converts a constant to
    /// an element of the ring and is called each time the constant is used.
    #[inline(always)]
    pub fn compress<R: Ring>(&self, left: R, right: R, constant: impl Fn(&K) -> R) -> R {
        match self.alpha {
            // The same code, with an exponent that the compiler knows.
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

    /// The exponent of the S-box `x -> x^alpha`.
    pub fn alpha(&self) -> u64 {
        self.alpha
    }

    /// Three numbers of rounds: full rounds between the first round and the partial rounds, partial rounds, and full rounds between
    /// these and the last round. The first and the last round are not counted.
    pub fn rounds(&self) -> [usize; 3] {
        [self.opening.len(), self.partial.len(), self.closing.len()]
    }

    /// Converts every constant to another type. Constants are visited in the order of the rounds:
    /// - first round: the constants before the S-boxes, the entries of the matrix that are not one, the constants added after it;
    /// - full rounds: the entries off the diagonal, row by row and each row cyclically from the diagonal on, then the added
    ///   constants;
    /// - partial rounds: the first row, the first column, and the constant that is added to the first lane;
    /// - last round: the row of the result.
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

    /// Number of products and squares in one hash.
    pub(super) fn products(&self) -> usize {
        let sbox = (self.alpha.ilog2() + self.alpha.count_ones() - 1) as usize;
        let full = self.opening.len() + self.closing.len();
        (2 * sbox + 3) + full * (3 * sbox + 6) + self.partial.len() * (sbox + 4) + (3 * sbox + 3)
    }

    /// Number of additions in one hash.
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

/// The scales of the lanes, each of which is stored as `value / scale`. Its methods return `None` if a coefficient that is to
/// become one is zero, which does not happen with an MDS matrix.
struct LaneScales<F> {
    alpha: u64,
    scale: [F; WIDTH],
}

impl<F: Field> LaneScales<F> {
    /// The matrix from the outputs of the S-boxes on scaled lanes to lanes at new scales, which are chosen such that the entry of
    /// row `i` in column `ones[i]` is one; with the scaled constants.
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

/// A 2×2 matrix as the lower right block of a matrix of three rows, with a one at the upper left.
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

        // The constants that remain for lane 0 of each partial round, and for all lanes of the full round after them.
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

        let mut held = LaneScales { alpha, scale: [F::ONE; WIDTH] };
        let (first, mut first_add) = held.mix(m, constants.get(1)?, [1, 1, 2])?;
        let lane = power(constants[0][0], alpha);
        for i in 0..WIDTH {
            first_add[i] += first[i][0] * lane;
        }
        let mut opening = Vec::with_capacity(half - 1);
        for add in constants.get(2..half)? {
            opening.push(held.full(m, add)?);
        }
        // The matrix before the partial rounds, with the constants that lanes 1 and 2 need after these rounds.
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
            // Lanes 1 and 2 already contain the constants that they need at the end: subtract their contribution.
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

    /// A ring element without a value, whose products and additions are counted.
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

    /// The numbers of products and additions of a hash: as its methods say, and as counted.
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
