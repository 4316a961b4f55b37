//! The operands on which the laws are tested.

use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, Field, PrimeField};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// A generator of reproducible values.
pub(crate) fn rng(stream: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(stream)
}

/// Edge cases of a prime field: 0, 1, 2, -1, -2, (p±1)/2, `2^(64k)` and its neighbours, and the elements whose
/// Montgomery form is 1, `p - 1` or a limb boundary.
pub(crate) fn prime_edges<F: PrimeField>() -> Vec<F> {
    let two = F::ONE.double();
    let half = two.invert().unwrap_or(F::ZERO);
    let mut out = vec![F::ZERO, F::ONE, two, -F::ONE, -two, half, -half];
    for k in 0..F::BYTES / 8 {
        let mut limbs = vec![0; k + 1];
        limbs[k] = 1;
        let boundary = F::from_limbs_reduced(&limbs);
        out.extend([boundary, boundary - F::ONE, -boundary]);
        let mut form = F::Limbs::default();
        form.as_mut()[k] = 1;
        out.extend(F::from_montgomery(form));
        form.as_mut()[..k].fill(u64::MAX);
        form.as_mut()[k] = 0;
        out.extend(F::from_montgomery(form));
    }
    let mut top = F::MODULUS;
    top.as_mut()[0] -= 1;
    out.extend(F::from_montgomery(top));
    out.dedup();
    out
}

/// Edge cases of a field, whose coordinates are edge cases of the prime field, then `n` random elements.
pub fn operands<F: Extension>(n: usize, stream: u64) -> Vec<F> {
    let edges = prime_edges::<F::Prime>();
    let mut out = Vec::new();
    // All coordinates equal, a single non-zero coordinate, and different coordinates.
    for (k, &e) in edges.iter().enumerate() {
        out.push(F::from_coords(&vec![e; F::DEGREE]));
        if F::DEGREE > 1 {
            let mut alone = vec![F::Prime::ZERO; F::DEGREE];
            alone[k % F::DEGREE] = e;
            out.push(F::from_coords(&alone));
            let shifted: Vec<_> = (0..F::DEGREE).map(|j| edges[(k + 5 * j) % edges.len()]).collect();
            out.push(F::from_coords(&shifted));
        }
    }
    let mut rng = rng(stream);
    out.extend((0..n).map(|_| F::random(&mut rng)));
    out
}

/// Points of the subgroup: infinity, ±G, small multiples of G, then `n` random ones.
pub fn points<C: Curve>(n: usize, stream: u64) -> Vec<Affine<C>> {
    let g = C::GENERATOR;
    let multiple = |k: &C::Scalar| g.to_jacobian().mul_limbs_vartime(k.to_limbs().as_ref()).to_affine();
    let mut out =
        vec![Affine::INFINITY, g, -g, multiple(&C::Scalar::from(2)), multiple(&-C::Scalar::from(2))];
    let mut rng = rng(stream);
    out.extend((0..n).map(|_| multiple(&C::Scalar::random(&mut rng))));
    out
}
