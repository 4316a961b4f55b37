//! Laws of a pairing.

use super::operands::{points, rng};
use pairwright_curve::{Affine, Pairing};
use pairwright_field::{Field, PrimeField};

/// A pairing is bilinear, not degenerate, and one at infinity, and its values have order `r`. A multi-pairing is the product of
/// pairings, and preparing the second argument does not change the value.
pub fn pairing<E: Pairing>() {
    let (ps, qs) = (points::<E::G1>(2, 11), points::<E::G2>(2, 12));
    let e = |p: &Affine<E::G1>, q: &Affine<E::G2>| E::pairing(p, q);
    let (p, q) = (ps[ps.len() - 1], qs[qs.len() - 1]);
    let base = e(&p, &q);
    assert_ne!(base, E::Gt::ONE, "not degenerate");
    assert_eq!(base.pow_vartime(E::Fr::MODULUS.as_ref()), E::Gt::ONE);

    let mut rng = rng(13);
    for (a, b) in [(-E::Fr::ONE, E::Fr::from(2)), (E::Fr::random(&mut rng), E::Fr::random(&mut rng))] {
        let ap = p.to_jacobian().mul_vartime(&a).to_affine();
        let bq = q.to_jacobian().mul_vartime(&b).to_affine();
        let want = base.pow_vartime((a * b).to_limbs().as_ref());
        assert_eq!(e(&ap, &bq), want);
        assert_eq!(E::gt_pow_vartime(&base, &(a * b)), want);
        assert_eq!(E::gt_pow(&base, &(a * b)), want);
    }
    for (i, p) in ps.iter().enumerate() {
        let (other, q) = (ps[(i + 1) % ps.len()], qs[(i + 3) % qs.len()]);
        let sum = (p.to_jacobian() + other.to_jacobian()).to_affine();
        assert_eq!(e(&sum, &q), e(p, &q) * e(&other, &q), "additive on the left");
        let q2 = qs[i % qs.len()];
        let sum = (q.to_jacobian() + q2.to_jacobian()).to_affine();
        assert_eq!(e(p, &sum), e(p, &q) * e(p, &q2), "additive on the right");
        assert_eq!(e(p, &q) == E::Gt::ONE, p.is_infinity() || q.is_infinity());
        assert_eq!(e(&-*p, &q), e(p, &-q));
        assert_eq!(e(&-*p, &q) * e(p, &q), E::Gt::ONE);
        assert_eq!(E::gt_inverse(&e(p, &q)), e(&-*p, &q));
    }
    let pairs: Vec<_> = ps.iter().copied().zip(qs.iter().rev().copied()).collect();
    for n in 0..=pairs.len() {
        let product = pairs[..n].iter().fold(E::Gt::ONE, |acc, (p, q)| acc * e(p, q));
        assert_eq!(E::multi_pairing(&pairs[..n]), product);
    }
    let (once, fixed) = (E::prepare_g2(&q), E::prepare_fixed_g2(&q));
    for [a, b, c] in [[&once; 3], [&fixed; 3], [&fixed, &once, &once], [&once, &once, &fixed]] {
        let loops = E::multi_miller_loop(&[(p, a), (-p, b), (p, c)]);
        assert_eq!(E::final_exponentiation(&loops), Some(base));
    }
    for q in &qs {
        let fixed = E::prepare_fixed_g2(q);
        assert_eq!(E::final_exponentiation(&E::multi_miller_loop(&[(p, &fixed)])), Some(e(&p, q)));
    }
    assert_eq!(E::final_exponentiation(&E::Gt::ZERO), None);
}
