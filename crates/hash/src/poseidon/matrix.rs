//! 3×3 matrices, and the choice of the MDS matrix of Poseidon.

use super::{WIDTH, grain::Grain};
use pairwright_field::{Field, PrimeField};

/// A 3×3 matrix, row by row.
pub(super) type Matrix<F> = [[F; WIDTH]; WIDTH];

/// The matrix times a vector. It is not inlined: it only computes the constants of a hash, and nine inlined products per use would
/// be long code.
#[inline(never)]
pub(super) fn apply<F: Field>(m: &Matrix<F>, v: &[F; WIDTH]) -> [F; WIDTH] {
    m.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
}

pub(super) fn transpose<F: Field>(m: &Matrix<F>) -> Matrix<F> {
    [0, 1, 2].map(|j| [0, 1, 2].map(|i| m[i][j]))
}

pub(super) fn product<F: Field>(a: &Matrix<F>, b: &Matrix<F>) -> Matrix<F> {
    // Column j of the product is `a` applied to column j of `b`.
    transpose(&transpose(b).map(|column| apply(a, &column)))
}

#[inline(never)]
pub(super) fn determinant<F: Field>(m: &Matrix<F>) -> F {
    let minor = |i: usize, j: usize| m[1][i] * m[2][j] - m[1][j] * m[2][i];
    m[0][0] * minor(1, 2) - m[0][1] * minor(0, 2) + m[0][2] * minor(0, 1)
}

/// Whether `e0, m e0, m² e0` span the whole space, for the unit vector `e0` of lane 0.
fn first_lane_is_cyclic<F: Field>(m: &Matrix<F>) -> bool {
    let e0 = [F::ONE, F::ZERO, F::ZERO];
    let once = apply(m, &e0);
    !determinant(&[e0, once, apply(m, &once)]).is_zero()
}

/// Whether there is no subspace trail of unlimited length through partial rounds (\[P\] §5.3; Grassi, Rechberger, Schofnegger,
/// ePrint 2020/500, algorithms 1 to 3). Inactive trails are in the largest invariant space on which lane 0 stays zero, which is
/// `{0}` if `e0` is cyclic for the transpose. A trail of period `l` with an active S-box contains, at that round, the space
/// that `m^l` spans from `e0`, which is the whole space if `e0` is cyclic for `m^l`. Periods up to four times the width are
/// tested, as in the reference.
pub(super) fn resists_subspace_trails<F: Field>(m: &Matrix<F>) -> bool {
    let powers = core::iter::successors(Some(*m), |power| Some(product(power, m)));
    first_lane_is_cyclic(&transpose(m)) && powers.take(4 * WIDTH).all(|power| first_lane_is_cyclic(&power))
}

/// The first Cauchy matrix `1 / (x_i + y_j)` from the generator that resists subspace trails. By Cauchy's determinant
/// every minor of such a matrix is nonzero, so it is MDS.
pub(super) fn cauchy<F: PrimeField>(grain: &mut Grain) -> Matrix<F> {
    loop {
        let draw: [F; 2 * WIDTH] = core::array::from_fn(|_| grain.reduced());
        let distinct = (1..draw.len()).all(|i| !draw[..i].contains(&draw[i]));
        let m = core::array::from_fn(|i| core::array::from_fn(|j| (draw[i] + draw[WIDTH + j]).invert()));
        let m: [[Option<F>; WIDTH]; WIDTH] = m;
        if !distinct || m.iter().flatten().any(Option::is_none) {
            continue;
        }
        let m = m.map(|row| row.map(|x| x.unwrap_or(F::ZERO)));
        if resists_subspace_trails(&m) {
            return m;
        }
    }
}
