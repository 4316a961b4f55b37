//! Subgroup membership and cofactor clearing, compared with multiplication by the order.

use crate::common::{point, rng};
use pairwright_curve::{Affine, Curve, bls12_377, bls12_381, bn254};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use rand_chacha::ChaCha20Rng;

/// A random point of the whole curve.
fn curve_point<C: Curve>(rng: &mut ChaCha20Rng) -> Affine<C> {
    loop {
        let x = C::Base::random(rng);
        if let Some(y) = (x.square() * x + C::B).sqrt_vartime() {
            return Affine::from_xy_unchecked(x, y);
        }
    }
}

fn by_order<C: Curve>(p: &Affine<C>) -> bool {
    p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref()).is_infinity()
}

/// The small prime factors of a number, below a bound.
fn small_factors(limbs: &[u64]) -> Vec<u64> {
    let n = num_bigint::BigUint::from_slice(
        &limbs.iter().flat_map(|l| [*l as u32, (*l >> 32) as u32]).collect::<Vec<_>>(),
    );
    (2u64..20_000)
        .filter(|d| (2..*d).take_while(|e| e * e <= *d).all(|e| d % e != 0) && (&n % d).bits() == 0)
        .collect()
}

fn membership<C: Curve>() {
    let mut rng = rng(20);
    let (mut inside, mut outside) = (0, 0);
    for _ in 0..20 {
        let p = point::<C>(&mut rng);
        assert!(p.is_on_curve() && p.is_in_subgroup_vartime() && by_order(&p));
        inside += 1;

        let q = curve_point::<C>(&mut rng);
        assert!(q.is_on_curve());
        assert_eq!(q.is_in_subgroup_vartime(), by_order(&q));
        outside += usize::from(!by_order(&q));

        // A point whose order divides the cofactor, and the sum of such a point and a point of the subgroup.
        let torsion = q.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
        assert_eq!(torsion.to_affine().is_in_subgroup_vartime(), torsion.is_infinity());
        let mixed = torsion.add_mixed(&p).to_affine();
        assert_eq!(mixed.is_in_subgroup_vartime(), torsion.is_infinity());

        let cleared = C::clear_cofactor_vartime(&q).to_affine();
        assert!(by_order(&cleared) && cleared.is_in_subgroup_vartime());
        assert!(!cleared.is_infinity());
        assert!(C::clear_cofactor_vartime(&torsion.to_affine()).is_infinity());
        // Multiplication by the cofactor itself.
        assert!(by_order(&q.to_jacobian().mul_limbs_vartime(C::COFACTOR).to_affine()));
    }
    assert_eq!(inside, 20);
    assert_eq!(
        outside == 0,
        C::COFACTOR == [1],
        "random points leave the subgroup where there is a cofactor"
    );
    assert!(Affine::<C>::INFINITY.is_in_subgroup_vartime());
    assert!(C::clear_cofactor_vartime(&Affine::INFINITY).is_infinity());
}

/// Tests points of every small prime order that divides the cofactor, alone and added to the generator. This would detect a membership
/// test that accepts a small subgroup.
fn small_orders<C: Curve>(least: usize) {
    let mut rng = rng(21);
    let mut found = 0;
    for prime in small_factors(C::COFACTOR) {
        // Multiplication by the cofactor times r without its factors `prime` leaves a point whose order is a power of the prime.
        let full = num_bigint::BigUint::from_slice(
            &C::COFACTOR.iter().flat_map(|l| [*l as u32, (*l >> 32) as u32]).collect::<Vec<_>>(),
        );
        let mut rest = full;
        while (&rest % prime).bits() == 0 {
            rest /= prime;
        }
        let rest = rest.to_u64_digits();
        for _ in 0..8 {
            let q = curve_point::<C>(&mut rng).to_jacobian();
            let mut t = q.mul_limbs_vartime(&rest).mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
            if t.is_infinity() {
                continue;
            }
            loop {
                let next = t.mul_limbs_vartime(&[prime]);
                if next.is_infinity() {
                    break;
                }
                t = next;
            }
            let t = t.to_affine();
            assert!(t.is_on_curve() && !t.is_in_subgroup_vartime() && !by_order(&t), "order {prime}");
            let shifted = t.to_jacobian().add_mixed(&C::GENERATOR).to_affine();
            assert!(!shifted.is_in_subgroup_vartime(), "generator plus order {prime}");
            assert!(C::clear_cofactor_vartime(&t).is_infinity());
            found += 1;
        }
    }
    // There is nothing to test exactly if the cofactor has no small prime factor.
    assert_eq!(found == 0, least == 0, "{found}");
    assert!(found >= least, "{found}");
}

macro_rules! per_group {
    ($($name:ident: $group:ty, $least:expr);+) => {$(
        mod $name {
            #[test]
            fn membership() { super::membership::<$group>(); }
            #[test]
            fn small_orders() {
                super::small_orders::<$group>($least);
            }
        }
    )+};
}
per_group!(
    bls12_381_g1: super::bls12_381::G1, 8; bls12_381_g2: super::bls12_381::G2, 8;
    bn254_g1: super::bn254::G1, 0; bn254_g2: super::bn254::G2, 4;
    bls12_377_g1: super::bls12_377::G1, 8; bls12_377_g2: super::bls12_377::G2, 0
);
