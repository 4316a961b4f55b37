//! The decomposition of scalars compared with integers, and scalar multiplication by it compared with double-and-add.

use crate::common::{point, rng};
use num_bigint::{BigInt, BigUint, Sign};
use pairwright_curve::{Affine, Curve, Glv, Jacobian, bls12_377, bls12_381, bn254, glv, tiny_bls12};
use pairwright_field::{Field, PrimeField};

fn integer(limbs: &[u64]) -> BigInt {
    let bytes: Vec<u8> = limbs.iter().flat_map(|l| l.to_le_bytes()).collect();
    BigInt::from_bytes_le(Sign::Plus, &bytes)
}

fn signed((magnitude, negative): (u128, bool)) -> BigInt {
    let m = BigInt::from(magnitude);
    if negative { -m } else { m }
}

fn endo<C: Curve>() -> Glv<C> {
    C::GLV.expect("all our groups have one")
}

/// Scalars at the boundaries of carries and rounding, and many random ones.
fn scalars<C: Curve>() -> Vec<C::Scalar> {
    let mut rng = rng(10);
    let mut out: Vec<C::Scalar> = Vec::new();
    for bit in 0..C::Scalar::BITS as u64 - 1 {
        let p = C::Scalar::from(2).pow_vartime(&[bit]);
        out.extend([p, p - C::Scalar::ONE, p + C::Scalar::ONE, -p, -p + C::Scalar::ONE]);
    }
    let lambda = C::Scalar::from_limbs_reduced(&endo::<C>().lambda);
    for k in 0..8 {
        let k = C::Scalar::from(k);
        out.extend([
            k,
            -k,
            lambda + k,
            lambda - k,
            -lambda + k,
            -lambda - k,
            (lambda * k),
            lambda.square_vartime() - k,
        ]);
    }
    let half = C::Scalar::from(2).invert().expect("odd order");
    out.extend([half, -half, half * lambda]);
    // Scalars whose coordinates are at the boundary of rounding.
    for (v, _) in endo::<C>().basis.iter().flatten() {
        let v = C::Scalar::from_limbs_reduced(&[*v as u64, (*v >> 64) as u64]);
        out.extend([v, v * half, -v * half, v * half + C::Scalar::ONE]);
    }
    out.extend((0..20_000).map(|_| C::Scalar::random(&mut rng)));
    out
}
trait SquareVartime: Field {
    fn square_vartime(self) -> Self {
        self * self
    }
}
impl<F: Field> SquareVartime for F {}

fn split_is_exact_and_short<C: Curve>() {
    let endo = endo::<C>();
    let (r, lambda) = (integer(C::Scalar::MODULUS.as_ref()), integer(&endo.lambda));
    for k in scalars::<C>() {
        let limbs = k.to_limbs();
        let halves = glv::decompose(&endo, limbs.as_ref());
        let back = (signed(halves[0]) + signed(halves[1]) * &lambda - integer(limbs.as_ref())) % &r;
        assert_eq!(back, BigInt::ZERO, "{k}");
        assert!(halves.iter().all(|h| h.0 >> glv::HALF_BITS == 0), "{k}");
    }
}

/// The bound in the comment of `decompose`, in integers: (1/2 + r/2^257)·(|v1_j| + |v2_j|) <= 2^127.
fn bound_holds<C: Curve>() {
    let endo = endo::<C>();
    let r = integer(C::Scalar::MODULUS.as_ref());
    for j in 0..2 {
        let sum = BigInt::from(endo.basis[0][j].0) + BigInt::from(endo.basis[1][j].0);
        let scaled = ((BigInt::from(1) << 256) + &r) * sum; // 2^257 times the bound
        assert!(scaled <= BigInt::from(1) << (257 + glv::HALF_BITS));
    }
    // The basis vectors are in the lattice, and their determinant is r.
    let v = endo.basis.map(|v| v.map(signed));
    let lambda = integer(&endo.lambda);
    assert!(v.iter().all(|v| (&v[0] + &v[1] * &lambda) % &r == BigInt::ZERO));
    assert_eq!(&v[0][0] * &v[1][1] - &v[0][1] * &v[1][0], r);
}

/// Double-and-add from the definition.
fn plain<C: Curve>(p: &Jacobian<C>, k: &BigUint) -> Jacobian<C> {
    (0..k.bits()).rev().fold(Jacobian::INFINITY, |acc, i| {
        let twice = acc + acc;
        if k.bit(i) { twice + *p } else { twice }
    })
}

fn multiplication<C: Curve>() {
    let mut rng = rng(11);
    let p: Affine<C> = point(&mut rng);
    let j = p.to_jacobian();
    let lambda = C::Scalar::from_limbs_reduced(&endo::<C>().lambda);
    assert_eq!(
        endo::<C>().endomorphism(&p).to_jacobian(),
        plain(&j, &integer(&endo::<C>().lambda).to_biguint().unwrap())
    );
    for k in scalars::<C>().into_iter().step_by(97).chain([lambda, -lambda, C::Scalar::ZERO, -C::Scalar::ONE])
    {
        let limbs = k.to_limbs();
        let want = plain(&j, &integer(limbs.as_ref()).to_biguint().unwrap());
        assert_eq!(j.mul_vartime(&k), want, "{k}");
        assert_eq!(j.mul_limbs_vartime(limbs.as_ref()), want, "{k}");
    }
    for long in [vec![], vec![0; 7], vec![u64::MAX; 9], vec![1, 0, 0, 0, 0, 0, 1 << 63]] {
        assert_eq!(j.mul_limbs_vartime(&long), plain(&j, &integer(&long).to_biguint().unwrap()));
    }
    assert!(Jacobian::<C>::INFINITY.mul_vartime(&lambda).is_infinity());
}

macro_rules! per_group {
    ($($name:ident: $group:ty),+) => {$(
        mod $name {
            #[test]
            fn split() { super::split_is_exact_and_short::<$group>(); }
            #[test]
            fn bound() { super::bound_holds::<$group>(); }
            #[test]
            fn multiplication() { super::multiplication::<$group>(); }
        }
    )+};
}
per_group!(
    bls12_381_g1: super::bls12_381::G1, bls12_381_g2: super::bls12_381::G2,
    bn254_g1: super::bn254::G1, bn254_g2: super::bn254::G2,
    bls12_377_g1: super::bls12_377::G1, bls12_377_g2: super::bls12_377::G2,
    tiny_bls12_g1: super::tiny_bls12::G1, tiny_bls12_g2: super::tiny_bls12::G2
);
