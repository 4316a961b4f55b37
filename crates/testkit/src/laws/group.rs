//! Laws of elliptic-curve groups in every representation.

use super::operands::{points, rng};
use pairwright_curve::{Affine, Curve, Jacobian, Projective, Xyzz, batch_to_affine};
use pairwright_field::{Field, PrimeField, Ring};

/// `p` in Jacobian coordinates scaled by `l`.
fn jacobian<C: Curve>(p: &Affine<C>, l: C::Base) -> Jacobian<C> {
    let Jacobian { x, y, z } = p.to_jacobian();
    let l2 = l.square();
    Jacobian { x: x * l2, y: y * l2 * l, z: z * l }
}

/// `p` in XYZZ coordinates with another denominator, computed by adding and subtracting `detour`.
fn xyzz<C: Curve>(p: &Affine<C>, detour: &Affine<C>) -> Xyzz<C> {
    Xyzz::from(*p).add_mixed(detour).add_mixed(&-*detour)
}

/// The group laws, and that every representation and every mixed operation gives the same points. Each pair of
/// operands is added by every addition function, in coordinates with and without a denominator, so that every formula is tested with
/// equal, opposite and infinite operands.
pub fn group<C: Curve>() {
    let values = points::<C>(4, 8);
    let mut rng = rng(9);
    let l = C::Base::random(&mut rng);
    let detour = C::GENERATOR.to_jacobian().mul_limbs_vartime(&[0xdead_beef]).to_affine();

    for p in &values {
        assert!(p.is_on_curve() && p.is_in_subgroup_vartime());
        let pj = jacobian(p, l);
        assert_eq!(pj.to_affine(), *p);
        assert_eq!(pj, p.to_jacobian(), "equality does not see the denominator");
        assert_eq!(pj.double().to_affine(), (pj + p.to_jacobian()).to_affine());
        assert_eq!(Affine::from(xyzz(p, &detour)), *p);
        assert_eq!(Affine::from(Xyzz::from(*p).double()), pj.double().to_affine());
        assert_eq!(Affine::from(xyzz(p, &detour).double()), pj.double().to_affine());
        assert_eq!(Projective::from(*p).to_affine(), *p);
        assert_eq!(Projective::from(*p).double().to_affine(), pj.double().to_affine());
        assert_eq!((pj + Jacobian::INFINITY).to_affine(), *p);
        assert_eq!((Jacobian::INFINITY + pj).to_affine(), *p);
        assert!((pj + -pj).is_infinity() && (pj - p.to_jacobian()).is_infinity());
        assert_eq!((-pj).to_affine(), -*p);
        assert_eq!(p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref()), Jacobian::INFINITY);
    }
    for p in &values {
        for q in &values {
            let sum = (p.to_jacobian() + q.to_jacobian()).to_affine();
            assert!(sum.is_on_curve());
            assert_eq!((q.to_jacobian() + p.to_jacobian()).to_affine(), sum);
            let pj = jacobian(p, l);
            assert_eq!((pj + jacobian(q, l.square())).to_affine(), sum);
            assert_eq!(pj.add_mixed(q).to_affine(), sum);
            assert_eq!(p.to_jacobian().add_mixed(q).to_affine(), sum);
            assert_eq!(Affine::from(Xyzz::from(*p) + Xyzz::from(*q)), sum);
            assert_eq!(Affine::from(xyzz(p, &detour) + xyzz(q, &-detour)), sum);
            assert_eq!(Affine::from(Xyzz::from(*p).add_mixed(q)), sum);
            assert_eq!(Affine::from(xyzz(p, &detour).add_mixed(q)), sum);
            let pp = Projective::from(*p) + Projective::from(detour) + Projective::from(-detour);
            assert_eq!((pp + Projective::from(*q)).to_affine(), sum);
            if !q.is_infinity() {
                assert_eq!(pp.add_mixed_finite(q).to_affine(), sum);
            }
            for r in values.iter().step_by(2) {
                let r = r.to_jacobian();
                assert_eq!((pj + q.to_jacobian()) + r, pj + (q.to_jacobian() + r));
            }
        }
    }
    let jacobians: Vec<_> = values.iter().map(|p| jacobian(p, l)).collect();
    assert_eq!(batch_to_affine(&jacobians), values);
    assert_eq!(batch_to_affine::<C>(&[]), []);
    assert_eq!(values.iter().map(|p| p.to_jacobian()).sum::<Jacobian<C>>(), {
        values.iter().fold(Jacobian::INFINITY, |acc, p| acc.add_mixed(p))
    });
    scalars::<C>(&values);
}

/// Scalar multiplication distributes over both arguments, and all its implementations agree.
fn scalars<C: Curve>(values: &[Affine<C>]) {
    let mut rng = rng(10);
    let (one, two) = (C::Scalar::ONE, C::Scalar::from(2));
    let mut scalars = vec![C::Scalar::ZERO, one, two, C::Scalar::from(3), -one, -two];
    scalars.extend([two.invert().expect("an odd prime"), C::Scalar::from(u64::MAX)]);
    scalars.extend((0..4).map(|_| C::Scalar::random(&mut rng)));
    for (i, p) in values.iter().enumerate() {
        let pj = p.to_jacobian();
        let q = values[(i + 2) % values.len()].to_jacobian();
        for (j, k) in scalars.iter().enumerate() {
            let m = scalars[(j + 5) % scalars.len()];
            // Double-and-add, with which the others are compared.
            let mut plain = Jacobian::<C>::INFINITY;
            for bit in (0..C::Scalar::BITS as usize).rev() {
                plain = plain.double();
                if k.to_limbs().as_ref()[bit / 64] >> (bit % 64) & 1 == 1 {
                    plain += pj;
                }
            }
            let kp = pj.mul_vartime(k);
            assert_eq!(kp, plain);
            assert_eq!(pj.mul_limbs_vartime(k.to_limbs().as_ref()), plain);
            assert_eq!(Projective::from(*p).mul(k).to_affine(), plain.to_affine());
            assert_eq!(pj.mul_vartime(&(*k + m)), kp + pj.mul_vartime(&m));
            assert_eq!(pj.mul_vartime(&(*k * m)), kp.mul_vartime(&m));
            assert_eq!((pj + q).mul_vartime(k), kp + q.mul_vartime(k));
            assert_eq!(pj.mul_vartime(&-*k), -kp);
        }
    }
}
