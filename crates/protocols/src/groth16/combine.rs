//! Short sums of multiples of points, for coefficients as in constraint matrices: most are ±1 or small.

use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Jacobian};
use pairwright_device::parallel;
use pairwright_field::limbs::{bits, wnaf_vartime};
use pairwright_field::{Field, PrimeField};

/// Number of terms of one sum per task.
const RUN: usize = 512;
/// Width of the widest signed window, in bits.
const WIDTH: usize = 5;

/// Computes `Σ k·p` over terms (k, p), in parallel when there are many. Variable time.
pub(super) fn sum_vartime<C: Curve>(terms: &[(C::Scalar, Affine<C>)]) -> Jacobian<C> {
    if terms.len() <= RUN {
        return run_vartime(terms);
    }
    parallel::map(terms.chunks(RUN), |_, terms| run_vartime(terms)).into_iter().sum()
}

/// A coefficient as signed digits, least significant first, with the odd multiples of its point.
struct Wide<C: Curve> {
    digits: Vec<i8>,
    odd: Vec<Jacobian<C>>,
}

/// Computes the sum in one task: terms with coefficients ±1 are added, all others share their doublings (Straus' method).
fn run_vartime<C: Curve>(terms: &[(C::Scalar, Affine<C>)]) -> Jacobian<C> {
    let mut ones = Jacobian::INFINITY;
    let mut wide: Vec<Wide<C>> = Vec::new();
    for (k, p) in terms {
        if *k == C::Scalar::ONE {
            ones = ones.add_mixed(p);
            continue;
        }
        // Take the shorter of k and -k, and negate the point for -k.
        let (plus, minus) = (k.to_limbs(), (-*k).to_limbs());
        let negative = bits(minus.as_ref()) < bits(plus.as_ref());
        let (k, p) = if negative { (minus, -*p) } else { (plus, *p) };
        match bits(k.as_ref()) {
            0 => {}
            1 => ones = ones.add_mixed(&p),
            length => {
                let width = if length <= 8 { 2 } else { WIDTH };
                let twice = p.to_jacobian().double();
                let odd = core::iter::successors(Some(p.to_jacobian()), |q| Some(*q + twice));
                let odd = odd.take(1 << (width - 2)).collect();
                wide.push(Wide { digits: wnaf_vartime(k.as_ref(), width), odd });
            }
        }
    }
    let length = wide.iter().map(|w| w.digits.len()).max().unwrap_or(0);
    let mut sum = Jacobian::INFINITY;
    for at in (0..length).rev() {
        sum = sum.double();
        for w in &wide {
            match w.digits.get(at) {
                Some(&d) if d > 0 => sum += w.odd[d as usize / 2],
                Some(&d) if d < 0 => sum -= w.odd[d.unsigned_abs() as usize / 2],
                _ => {}
            }
        }
    }
    sum + ones
}

#[cfg(test)]
mod tests {
    use super::{RUN, sum_vartime};
    use pairwright_curve::bls12_381::{Fr, G2};
    use pairwright_curve::{Affine, Jacobian};
    use pairwright_field::Field;
    use rand_chacha::ChaCha20Rng;
    use rand_core::{Rng, SeedableRng};

    /// Compares with one product per term: edge cases, small values of both signs, full width, repeated points, infinity.
    #[test]
    fn is_the_sum_of_products() {
        let mut rng = ChaCha20Rng::seed_from_u64(3);
        let mut terms: Vec<(Fr, Affine<G2>)> = Vec::new();
        let edges: Vec<Fr> = [0, 1, 2, 3, 5, 255, 256, 257, 1 << 32, u64::MAX].map(Fr::from).to_vec();
        for i in 0..RUN + 40 {
            let k = match i % 4 {
                0 => edges[i / 4 % edges.len()],
                1 => -edges[i / 4 % edges.len()],
                2 => Fr::random(&mut rng),
                _ => Fr::from(rng.next_u64() >> (i % 64)),
            };
            let p = Jacobian::<G2>::generator().mul_vartime(&Fr::from((i % 7) as u64)).to_affine();
            terms.push((k, p));
        }
        for n in [0, 1, 2, 9, RUN, RUN + 1, terms.len()] {
            let each: Jacobian<G2> = terms[..n].iter().map(|(k, p)| p.to_jacobian().mul_vartime(k)).sum();
            assert_eq!(sum_vartime(&terms[..n]), each, "{n} terms");
        }
    }
}
