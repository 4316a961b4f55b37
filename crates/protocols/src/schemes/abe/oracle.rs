//! The random oracle of the scheme, which hashes names to matrices of points, and its pseudorandom function, which maps names to
//! matrices of scalars under a secret key.

use super::AbeError;
use super::algebra::{Matrix, scalar_of_draws};
use super::blake::Absorbing;
use super::sums::matrix;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use core::array::from_fn;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{Affine, batch_to_affine};
use pairwright_device::Session;

/// Number of rows of the matrices.
const ROWS: usize = 3;
/// Number of columns of the matrices.
const COLUMNS: usize = 2;

/// A matrix of points of G1: three rows of two.
pub(super) type Points = [[Affine<G1>; COLUMNS]; ROWS];

/// Computes the matrices `U0` and `U1` of each name. Entry `(i, j)` of `U0` is the name's hash to G1 under the domain separation tag
/// `a matrix entry [i, j]`; for `U1` the tag begins with `b`.
///
/// # Errors
/// When the device fails.
pub(super) fn name_points(
    on: &mut Session<'_, Bls12_381>,
    names: &[&str],
) -> Result<Vec<[Points; 2]>, AbeError> {
    let messages: Vec<&[u8]> = names.iter().map(|name| name.as_bytes()).collect();
    let mut all = vec![[[[Affine::INFINITY; COLUMNS]; ROWS]; 2]; names.len()];
    for (at, letter) in ["a", "b"].iter().enumerate() {
        for (i, j) in (0..ROWS).flat_map(|i| (0..COLUMNS).map(move |j| (i, j))) {
            let tag = format!("{letter} matrix entry [{i}, {j}]");
            let points = on.hash_to_g1(&Suite::OF_GROUP, &messages, tag.as_bytes())?;
            for (matrices, point) in all.iter_mut().zip(points) {
                matrices[at][i][j] = point;
            }
        }
    }
    Ok(all)
}

/// Computes `U0·value + U1` for the matrices of names and public values. Variable time.
///
/// # Errors
/// When the device fails.
pub(super) fn at_values(
    on: &mut Session<'_, Bls12_381>,
    matrices: &[(&[Points; 2], Fr)],
) -> Result<Vec<Points>, AbeError> {
    let points: Vec<_> = matrices.iter().flat_map(|([u0, _], _)| u0.as_flattened()).copied().collect();
    let values: Vec<Fr> = matrices.iter().flat_map(|(_, value)| [*value; ROWS * COLUMNS]).collect();
    let multiples = on.scale_points_g1(&points, &values)?;
    let constants = matrices.iter().flat_map(|([_, u1], _)| u1.as_flattened());
    let sums: Vec<_> = multiples.iter().zip(constants).map(|(p, q)| p.to_jacobian().add_mixed(q)).collect();
    let mut sums = batch_to_affine(&sums).into_iter();
    matrices.iter().map(|_| matrix(&mut sums)).collect()
}

/// Computes the matrices `V0` and `V1` of a name under the secret of a master key. Constant time but for the name's length and the
/// number of draws (see [`scalar_of_draws`]).
pub(super) fn name_scalars(secret: &[u8], name: &str) -> [Matrix<ROWS, COLUMNS>; 2] {
    let keyed = Absorbing::new(secret).update(name.as_bytes());
    ["m1", "m2"].map(|which| {
        Matrix(from_fn(|i| {
            from_fn(|j| {
                let tag = format!("{which} matrix entry ({i}, {j})");
                let mut stream = keyed.clone().update(tag.as_bytes()).stream();
                scalar_of_draws(|bytes| stream.fill(bytes))
            })
        }))
    })
}
