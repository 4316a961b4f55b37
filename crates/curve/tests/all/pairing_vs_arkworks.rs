//! Pairings compared with arkworks, coefficient by coefficient, and the laws of a pairing.

use crate::common::{from_ark, point, point_to_ark, rng, scalar};
use ark_ec::pairing::Pairing as ArkPairing;
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::pairing::{Family, G2, frobenius, psi};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_field::{Field, PrimeField};

/// The same curve in arkworks.
trait Peer: Pairing {
    /// arkworks' value, converted coefficient by coefficient.
    fn ark_pairing(pairs: &[(G1Affine<Self>, G2Affine<Self>)]) -> Self::Gt;
}
macro_rules! peer {
    ($name:ident, $theirs:ident) => {
        impl Peer for $name {
            fn ark_pairing(pairs: &[(G1Affine<Self>, G2Affine<Self>)]) -> Self::Gt {
                let (p, q): (Vec<$theirs::G1Affine>, Vec<$theirs::G2Affine>) =
                    pairs.iter().map(|(p, q)| (point_to_ark(p), point_to_ark(q))).unzip();
                from_ark(&$theirs::$name::multi_pairing(p, q).0)
            }
        }
    };
}
peer!(Bls12_381, ark_bls12_381);
peer!(Bn254, ark_bn254);
peer!(Bls12_377, ark_bls12_377);

fn same_values<E: Peer>() {
    let mut rng = rng(1);
    let g = (E::G1::GENERATOR, E::G2::GENERATOR);
    assert_eq!(E::pairing(&g.0, &g.1), E::ark_pairing(&[g]));
    for n in 0..5 {
        let mut pairs: Vec<_> = (0..n).map(|_| (point(&mut rng), point(&mut rng))).collect();
        if n == 4 {
            pairs[1].0 = Affine::INFINITY;
            pairs[2].1 = Affine::INFINITY;
        }
        assert_eq!(E::multi_pairing(&pairs), E::ark_pairing(&pairs));
    }
}

fn laws<E: Pairing>() {
    let mut rng = rng(2);
    let (p, q) = (point::<E::G1>(&mut rng), point::<E::G2>(&mut rng));
    let (a, b): (E::Fr, E::Fr) = (scalar(&mut rng), scalar(&mut rng));
    let e = E::pairing(&p, &q);
    assert_ne!(e, E::Gt::ONE, "not degenerate");
    assert_eq!(e.pow_vartime(E::Fr::MODULUS.as_ref()), E::Gt::ONE, "of order r");

    let (pa, qb) = (p.to_jacobian().mul_vartime(&a), q.to_jacobian().mul_vartime(&b));
    let ab = E::pairing(&pa.to_affine(), &qb.to_affine());
    assert_eq!(ab, E::gt_pow_vartime(&e, &(a * b)), "bilinear");
    assert_eq!(ab, E::gt_pow(&e, &(a * b)));
    assert_eq!(ab, e.pow_vartime((a * b).to_limbs().as_ref()));
    assert_eq!(E::pairing(&-p, &q), E::gt_inverse(&e));
    assert_eq!(E::pairing(&p, &-q), E::gt_inverse(&e));
    assert_eq!(E::gt_inverse(&e) * e, E::Gt::ONE);
    for (k, want) in [(E::Fr::ZERO, E::Gt::ONE), (E::Fr::ONE, e), (-E::Fr::ONE, E::gt_inverse(&e))] {
        assert_eq!(E::gt_pow(&e, &k), want);
        assert_eq!(E::gt_pow_vartime(&e, &k), want);
    }

    for (p, q) in [(p, Affine::INFINITY), (Affine::INFINITY, q), (Affine::INFINITY, Affine::INFINITY)] {
        assert_eq!(E::pairing(&p, &q), E::Gt::ONE);
    }
    assert_eq!(E::multi_pairing(&[]), E::Gt::ONE);
    assert_eq!(E::multi_pairing(&[(p, q), (-p, q)]), E::Gt::ONE);

    let pairs: Vec<_> = (0..3).map(|_| (point::<E::G1>(&mut rng), point::<E::G2>(&mut rng))).collect();
    let product = pairs.iter().fold(E::Gt::ONE, |acc, (p, q)| acc * E::pairing(p, q));
    assert_eq!(E::multi_pairing(&pairs), product, "a multi-pairing is the product");

    assert_eq!(E::final_exponentiation(&E::Gt::ZERO), None);
    assert_eq!(E::final_exponentiation(&E::Gt::ONE), Some(E::Gt::ONE));
}

fn maps<E: Family>() {
    let mut rng = rng(3);
    let f = <E as Pairing>::Gt::random(&mut rng);
    let q = <E as Pairing>::Fq::MODULUS;
    let f1 = f.pow_vartime(q.as_ref());
    assert_eq!(frobenius::<E::Data, 1>(&f), f1, "Frobenius is the q-th power");
    assert_eq!(frobenius::<E::Data, 2>(&f), f1.pow_vartime(q.as_ref()));
    assert_eq!(frobenius::<E::Data, 3>(&f), frobenius::<E::Data, 1>(&frobenius::<E::Data, 2>(&f)));
    let q2 = point::<G2<E>>(&mut rng);
    let mul_q = q2.to_jacobian().mul_limbs_vartime(q.as_ref()).to_affine();
    assert_eq!(psi::<E::Data, _>(&q2), mul_q, "psi multiplies the second group by q");
    assert!(psi::<E::Data, G2<E>>(&Affine::INFINITY).is_infinity());
}

macro_rules! per_curve {
    ($($name:ident: $curve:ty),+) => {$(
        mod $name {
            use super::*;
            #[test]
            fn values_equal_arkworks() { same_values::<$curve>(); }
            #[test]
            fn bilinear_and_not_degenerate() { laws::<$curve>(); }
            #[test]
            fn frobenius_and_psi() { maps::<$curve>(); }
        }
    )+};
}
per_curve!(bls12_381: Bls12_381, bn254: Bn254, bls12_377: Bls12_377);
