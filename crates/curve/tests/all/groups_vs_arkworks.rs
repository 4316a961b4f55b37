//! Groups of all curves compared with arkworks: additions in every coordinate system, edge cases, scalar multiplications.

use crate::common::{point, point_from_ark, point_to_ark, prime_to_ark, rng};
use ark_ec::CurveGroup;
use ark_ec::short_weierstrass::{Projective as ArkProjective, SWCurveConfig};
use pairwright_curve::{
    Affine, Curve, Jacobian, Projective, Xyzz, batch_to_affine, bls12_377, bls12_381, bn254,
};
use pairwright_field::{Field, PrimeField, Ring};

/// The same point in each of our coordinate systems, with non-trivial denominators.
struct Forms<C: Curve> {
    affine: Affine<C>,
    jacobian: Jacobian<C>,
    xyzz: Xyzz<C>,
    projective: Projective<C>,
}

impl<C: Curve> Forms<C> {
    fn new(p: Affine<C>, z: C::Base) -> Self {
        assert!(!z.is_zero());
        let (zz, zzz) = (z.square(), z.square() * z);
        if p.is_infinity() {
            return Self {
                affine: p,
                jacobian: Jacobian { x: zz, y: zzz, z: C::Base::ZERO },
                xyzz: Xyzz { x: zz, y: zzz, zz: C::Base::ZERO, zzz: C::Base::ZERO },
                projective: Projective { x: C::Base::ZERO, y: z, z: C::Base::ZERO },
            };
        }
        Self {
            affine: p,
            jacobian: Jacobian { x: p.x * zz, y: p.y * zzz, z },
            xyzz: Xyzz { x: p.x * zz, y: p.y * zzz, zz, zzz },
            projective: Projective { x: p.x * z, y: p.y * z, z },
        }
    }
}

fn additions<C: Curve, A: SWCurveConfig>() {
    let mut rng = rng(30);
    let (p, q) = (point::<C>(&mut rng), point::<C>(&mut rng));
    let phi = C::GLV.expect("all our groups have one").endomorphism(&p);
    // Equal, opposite and infinite operands; operands with equal y and different x (φ); one operand twice the other.
    let twice = p.to_jacobian().double().to_affine();
    let operands = [p, -p, q, Affine::INFINITY, phi, -phi, twice, -twice, C::GENERATOR];
    for a in operands {
        for b in operands {
            let sum = (ArkProjective::<A>::from(point_to_ark(&a)) + point_to_ark::<C, A>(&b)).into_affine();
            let want: Affine<C> = point_from_ark(&sum);
            assert!(want.is_on_curve());
            let (fa, fb) =
                (Forms::new(a, C::Base::random(&mut rng)), Forms::new(b, C::Base::random(&mut rng)));
            assert_eq!((fa.jacobian + fb.jacobian).to_affine(), want);
            assert_eq!(fa.jacobian.add_mixed(&fb.affine).to_affine(), want);
            assert_eq!((fa.jacobian - -fb.jacobian).to_affine(), want);
            assert_eq!((fa.xyzz + fb.xyzz).to_jacobian().to_affine(), want);
            assert_eq!(fa.xyzz.add_mixed(&fb.affine).to_jacobian().to_affine(), want);
            assert_eq!((fa.projective + fb.projective).to_affine(), want);
            if !b.is_infinity() {
                assert_eq!(fa.projective.add_mixed_finite(&fb.affine).to_affine(), want);
            }
            assert_eq!(fa.jacobian == fb.jacobian, a == b, "equality is of points");
            assert_eq!(fa.jacobian + fb.jacobian, want.to_jacobian());
        }
        let double: Affine<C> = point_from_ark(
            &(ArkProjective::<A>::from(point_to_ark(&a)) + point_to_ark::<C, A>(&a)).into_affine(),
        );
        let f = Forms::new(a, C::Base::random(&mut rng));
        assert_eq!(f.jacobian.double().to_affine(), double);
        assert_eq!(f.xyzz.double().to_jacobian().to_affine(), double);
        assert_eq!(f.projective.double().to_affine(), double);
        assert!((f.projective + -f.projective).to_affine().is_infinity());
    }
    let many: Vec<Jacobian<C>> =
        operands.iter().map(|p| Forms::new(*p, C::Base::random(&mut rng)).jacobian).collect();
    assert_eq!(batch_to_affine(&many), operands, "infinity among the others");
    assert!(batch_to_affine::<C>(&[]).is_empty());
    assert_eq!(
        many.iter().copied().sum::<Jacobian<C>>(),
        many.iter().fold(Jacobian::INFINITY, |a, b| *b + a)
    );
}

fn multiplications<C: Curve, A: SWCurveConfig>() {
    let mut rng = rng(31);
    let mut scalars: Vec<C::Scalar> = [0, 1, 2, 3, 15, 16, 17].map(C::Scalar::from).to_vec();
    scalars.extend(scalars.clone().iter().map(|k| -*k));
    scalars.extend((0..20).map(|_| C::Scalar::random(&mut rng)));
    let mut terms: Vec<_> = scalars.iter().map(|k| (point::<C>(&mut rng), *k)).collect();
    terms.push((Affine::INFINITY, C::Scalar::ONE));
    for count in [0, 1, 2, terms.len()] {
        let terms = &terms[..count];
        let want = terms.iter().map(|(p, k)| p.to_jacobian().mul_vartime(k)).sum::<Jacobian<C>>();
        let terms: Vec<_> = terms.iter().map(|(p, k)| (Projective::from(*p), *k)).collect();
        assert_eq!(Projective::mul_sum(&terms).to_affine(), want.to_affine(), "a sum of {count}");
    }
    for k in scalars {
        for p in [point::<C>(&mut rng), Affine::INFINITY] {
            let theirs = ArkProjective::<A>::from(point_to_ark(&p)) * prime_to_ark::<_, A::ScalarField>(&k);
            let want: Affine<C> = point_from_ark(&theirs.into_affine());
            assert_eq!(p.to_jacobian().mul_vartime(&k).to_affine(), want);
            assert_eq!(p.to_jacobian().mul_limbs_vartime(k.to_limbs().as_ref()).to_affine(), want);
            assert_eq!(Projective::from(p).mul(&k).to_affine(), want, "in constant time");
        }
    }
    let g = C::GENERATOR.to_jacobian();
    assert!(g.mul_limbs_vartime(C::Scalar::MODULUS.as_ref()).is_infinity());
    assert_eq!(g.mul_vartime(&-C::Scalar::ONE), -g, "r - 1 is -1");
    assert_eq!(C::GENERATOR, point_from_ark(&A::GENERATOR), "the same generator");
    assert_eq!(Affine::<C>::new(C::GENERATOR.x, C::GENERATOR.y), Some(C::GENERATOR));
    assert_eq!(Affine::<C>::new(C::GENERATOR.x, C::GENERATOR.y + C::Base::ONE), None);
}

/// (-1, 0) has order two on `y² = x³ + 1`: doubling and addition of points with y = 0.
#[test]
fn order_two_on_bls12_377() {
    type G1 = bls12_377::G1;
    type Fq = bls12_377::Fq;
    let t = Affine::<G1>::from_xy_unchecked(-Fq::ONE, Fq::ZERO);
    assert!(t.is_on_curve() && !t.is_in_subgroup_vartime());
    assert_eq!(Affine::<G1>::new(t.x, t.y), None);
    assert_eq!(-t, t);
    let f = Forms::new(t, Fq::from(7));
    assert!(f.jacobian.double().is_infinity());
    assert!((f.jacobian + t.to_jacobian()).is_infinity());
    assert!(f.jacobian.add_mixed(&t).is_infinity());
    assert!(f.xyzz.double().is_infinity());
    assert!((f.xyzz + Xyzz::from(t)).is_infinity());
    assert!(f.xyzz.add_mixed(&t).is_infinity());
    for k in 0..9u64 {
        let want = if k % 2 == 0 { Jacobian::INFINITY } else { t.to_jacobian() };
        assert_eq!(t.to_jacobian().mul_limbs_vartime(&[k]), want);
    }
    let g = G1::GENERATOR.to_jacobian();
    let shifted = g.add_mixed(&t);
    assert_eq!(shifted.double(), g.double());
    assert_eq!(shifted.mul_limbs_vartime(&[5]), g.mul_limbs_vartime(&[5]).add_mixed(&t));
    assert!(!shifted.to_affine().is_in_subgroup_vartime());
    assert!(G1::clear_cofactor_vartime(&t).is_infinity());
}

macro_rules! per_group {
    ($($name:ident: $ours:ty, $theirs:ty;)+) => {$(
        mod $name {
            #[test]
            fn additions() {
                super::additions::<$ours, $theirs>();
            }
            #[test]
            fn multiplications() {
                super::multiplications::<$ours, $theirs>();
            }
        }
    )+};
}
per_group!(
    bls12_381_g1: super::bls12_381::G1, ark_bls12_381::g1::Config;
    bls12_381_g2: super::bls12_381::G2, ark_bls12_381::g2::Config;
    bn254_g1: super::bn254::G1, ark_bn254::g1::Config;
    bn254_g2: super::bn254::G2, ark_bn254::g2::Config;
    bls12_377_g1: super::bls12_377::G1, ark_bls12_377::g1::Config;
    bls12_377_g2: super::bls12_377::G2, ark_bls12_377::g2::Config;
);
