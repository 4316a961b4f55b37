//! The transform of points: a polynomial whose coefficients are points, at the points of a coset.

use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Jacobian, batch_to_affine};
use pairwright_field::Field;
use rayon::prelude::*;

/// `scale·Σ_j (shift·root^i)^j·points[j]` for every `i`, natural order in and out; `root` is a primitive root of
/// unity of the order of the length. Variable time.
///
/// Decimation in time. The coset's shift is merged into the twiddles ([CP] Algorithm 2); so is the scale: it needs
/// to reach every output once, along `a` in `a ± t·b` and along `t`, so only the first block of every stage carries
/// it, and only its very first point costs a product of its own.
///
/// # Panics
/// If the number of points is not a power of two.
pub(super) fn evaluate_vartime<C: Curve>(
    points: &[Affine<C>],
    root: C::Scalar,
    shift: C::Scalar,
    scale: C::Scalar,
) -> Vec<Affine<C>> {
    evaluate_telling_vartime(points, root, shift, scale, &mut |_| ())
}

/// [`evaluate_vartime`]; `done` hears of each stage as in [`transform_vartime`].
pub(super) fn evaluate_telling_vartime<C: Curve>(
    points: &[Affine<C>],
    root: C::Scalar,
    shift: C::Scalar,
    scale: C::Scalar,
    done: &mut dyn FnMut(usize),
) -> Vec<Affine<C>> {
    let n = points.len();
    assert!(n.is_power_of_two(), "a transform covers its domain");
    let log_n = n.trailing_zeros();
    let mut data: Vec<Jacobian<C>> = (0..n).map(|i| points[reversed(i, log_n)].to_jacobian()).collect();
    transform_vartime(&mut data, root, shift, scale, done);
    data.par_chunks(1 << 10).flat_map_iter(batch_to_affine).collect()
}

/// The index `i` below `2^log_n` with its bits in reverse.
pub(super) fn reversed(i: usize, log_n: u32) -> usize {
    if log_n == 0 { i } else { i.reverse_bits() >> (usize::BITS - log_n) }
}

/// [`evaluate_vartime`] in place, from the order of reversed bits to natural order. `done` hears how many products of a
/// scalar and a point each stage had, when it has ended.
pub(super) fn transform_vartime<C: Curve>(
    data: &mut [Jacobian<C>],
    root: C::Scalar,
    shift: C::Scalar,
    scale: C::Scalar,
    done: &mut dyn FnMut(usize),
) {
    let n = data.len();
    data[0] = times_vartime(&data[0], &scale);
    for stage in 0..n.trailing_zeros() {
        let half = 1usize << stage;
        // In blocks of m points the polynomial is taken at the (n/m)-th powers of the coset's points.
        let stride = (n / (2 * half)) as u64;
        let (step, first) = (root.pow_vartime(&[stride]), shift.pow_vartime(&[stride]));
        let twiddles: Vec<C::Scalar> =
            core::iter::successors(Some(first), |t| Some(*t * step)).take(half).collect();
        data.par_chunks_mut(2 * half).enumerate().for_each(|(block, pair)| {
            let (low, high) = pair.split_at_mut(half);
            low.par_iter_mut().zip(high).zip(&twiddles).with_min_len(8).for_each(|((a, b), t)| {
                let t = if block == 0 { scale * *t } else { *t };
                let tb = times_vartime(b, &t);
                (*a, *b) = (*a + tb, *a - tb);
            });
        });
        done(n / 2);
    }
}

/// `k·p` for a point of the subgroup, with the easy scalars for free.
pub(super) fn times_vartime<C: Curve>(p: &Jacobian<C>, k: &C::Scalar) -> Jacobian<C> {
    if *k == C::Scalar::ONE {
        *p
    } else if *k == -C::Scalar::ONE {
        -*p
    } else {
        p.mul_vartime(k)
    }
}

#[cfg(test)]
mod tests {
    use super::evaluate_vartime;
    use pairwright_curve::bn254::{Fr, G1};
    use pairwright_curve::{Affine, Jacobian};
    use pairwright_field::Field;
    use pairwright_poly::Domain;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// Every output against the sum it is defined by.
    #[test]
    fn is_the_sum() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        for log_n in 0..5 {
            let root = Domain::<Fr>::new(log_n).unwrap().root();
            let (shift, scale) = (Fr::random(&mut rng), Fr::random(&mut rng));
            let points: Vec<Affine<G1>> = (0..1 << log_n)
                .map(|_| Jacobian::<G1>::generator().mul_vartime(&Fr::random(&mut rng)).to_affine())
                .collect();
            for (shift, scale) in [(Fr::ONE, Fr::ONE), (Fr::ONE, scale), (shift, scale)] {
                let values = evaluate_vartime(&points, root, shift, scale);
                for (i, value) in values.iter().enumerate() {
                    let x = shift * root.pow_vartime(&[i as u64]);
                    let sum: Jacobian<G1> = points
                        .iter()
                        .enumerate()
                        .map(|(j, p)| p.to_jacobian().mul_vartime(&(scale * x.pow_vartime(&[j as u64]))))
                        .sum();
                    assert_eq!(*value, sum.to_affine(), "2^{log_n} points, output {i}");
                }
            }
        }
    }
}
