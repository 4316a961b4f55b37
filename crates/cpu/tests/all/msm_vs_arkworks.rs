//! Multi-scalar multiplication against arkworks and blst, and at larger sizes against sums of known discrete logarithms.

use ark_ec::short_weierstrass::{Affine as ArkAffine, Projective, SWCurveConfig};
use ark_ec::{AffineRepr, PrimeGroup};
use pairwright_cpu::Msm;
use pairwright_curve::{Affine, Curve, Jacobian, bls12_377, bls12_381, bn254};
use pairwright_device::MsmOp;
use pairwright_field::{Extension, Field, PrimeField};
use pairwright_poly::Buf;
use pairwright_testkit::conformance::{Values, known_points};

fn prime_to_ark<F: PrimeField, A: ark_ff::PrimeField>(x: &F) -> A {
    let mut bytes = vec![0; F::BYTES];
    x.write_le(&mut bytes);
    A::from_le_bytes_mod_order(&bytes)
}

fn point_to_ark<C: Curve, A: SWCurveConfig>(p: &Affine<C>) -> ArkAffine<A> {
    let coordinate = |x: &C::Base| {
        let coords = (0..C::Base::DEGREE).map(|i| prime_to_ark(&x.coord(i)));
        <A::BaseField as ark_ff::Field>::from_base_prime_field_elems(coords).unwrap()
    };
    if p.is_infinity() {
        ArkAffine::identity()
    } else {
        ArkAffine::new_unchecked(coordinate(&p.x), coordinate(&p.y))
    }
}

fn point_from_ark<C: Curve, A: SWCurveConfig>(p: &ArkAffine<A>) -> Affine<C> {
    let coordinate = |x: A::BaseField| {
        use ark_ff::{Field as _, PrimeField as _};
        let limbs = x.to_base_prime_field_elements().map(|c| c.into_bigint());
        let coords: Vec<_> =
            limbs.map(|l| <C::Base as Extension>::Prime::from_limbs_reduced(l.as_ref())).collect();
        C::Base::from_coords(&coords)
    };
    p.xy().map_or(Affine::INFINITY, |(x, y)| Affine::from_xy_unchecked(coordinate(x), coordinate(y)))
}

fn ours<C: Curve>(points: &Buf<Affine<C>>, scalars: &Buf<C::Scalar>) -> Jacobian<C> {
    Msm::default().msm(points.view(), scalars.view()).unwrap().0
}

/// Compares with arkworks: with sums of single multiples for few terms, and by the logarithms of the points for more.
fn against_arkworks<C: Curve, A: SWCurveConfig>() {
    for n in [1, 5, 60, 513, 3000] {
        let (mut points, mut logs) = known_points::<C>(n, 21);
        if n > 5 {
            (points[3], logs[3]) = (Affine::INFINITY, C::Scalar::ZERO);
            (points[4], logs[4]) = (points[5], logs[5]);
        }
        let scalars = Values::<C::Scalar>::new(22).take_buf(n);
        let ark = |x: &C::Scalar| prime_to_ark::<C::Scalar, A::ScalarField>(x);
        let theirs = Projective::<A>::generator()
            * scalars.iter().zip(&logs).map(|(s, k)| ark(s) * ark(k)).sum::<A::ScalarField>();
        if n <= 60 {
            let terms = points.iter().zip(scalars.iter()).map(|(p, s)| point_to_ark::<C, A>(p) * ark(s));
            let sum: Projective<A> = terms.sum();
            assert_eq!(sum, theirs, "the logarithms are those of the points");
        }
        let got = ours(&points.into(), &scalars).to_affine();
        assert_eq!(got, point_from_ark::<C, A>(&theirs.into()), "{} msm of {n}", C::NAME);
    }
}

/// Tests sizes with wide windows, many groups of buckets, and more windows than fit one wave.
fn against_logarithms<C: Curve>(n: usize) {
    let (points, logs) = known_points::<C>(n, 23);
    let points = Buf::from(points);
    let uniform = Values::<C::Scalar>::new(24).take_buf(n);
    // Scalars like those of circom witnesses: bits, a few words, and fewer field elements.
    let witness: Buf<C::Scalar> = uniform
        .iter()
        .enumerate()
        .map(|(i, s)| match i % 16 {
            0 => *s,
            1 => C::Scalar::from(i as u64),
            2 => -C::Scalar::from(i as u64),
            k => C::Scalar::from((k % 3 % 2) as u64),
        })
        .collect();
    let equal = Buf::from(vec![uniform[0]; n]);
    for (name, scalars) in [("uniform", uniform), ("witness", witness), ("equal", equal)] {
        let log = scalars.iter().zip(&logs).fold(C::Scalar::ZERO, |acc, (s, k)| acc + *s * *k);
        for threads in [1, 4] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let got = pool.install(|| ours(&points, &scalars));
            let want = Jacobian::<C>::generator().mul_vartime(&log);
            assert_eq!(got, want, "{} msm of {n}, {name}, {threads} threads", C::NAME);
        }
    }
}

macro_rules! per_group {
    ($($name:ident: $ours:ty, $theirs:ty $(, large: #[$large:meta])?;)+) => {$(
        mod $name {
            use super::*;
            #[test]
            fn equals_arkworks() { against_arkworks::<$ours, $theirs>(); }
            #[test]
            $(#[$large])?
            fn equals_the_sum_of_logarithms() { against_logarithms::<$ours>(40_000); }
        }
    )+};
}
per_group! {
    bn254_g1: bn254::G1, ark_bn254::g1::Config;
    bn254_g2: bn254::G2, ark_bn254::g2::Config;
    bls12_381_g1: bls12_381::G1, ark_bls12_381::g1::Config;
    bls12_381_g2: bls12_381::G2, ark_bls12_381::g2::Config;
    bls12_377_g1: bls12_377::G1, ark_bls12_377::g1::Config, large: #[ignore = "full: as many words as on BLS12-381, 3 s"];
    bls12_377_g2: bls12_377::G2, ark_bls12_377::g2::Config, large: #[ignore = "full: as many words as on BLS12-381, 9 s"];
}

/// Tests a size beyond the one up to which scalars are split by the endomorphism.
#[test]
fn large_without_endomorphism() {
    against_logarithms::<bn254::G1>((1 << 17) + 1000);
}

#[test]
fn bls12_381_g1_equals_blst() {
    use blst::{MultiPoint, blst_p1_affine};
    let (points, _) = known_points::<bls12_381::G1>(2000, 25);
    let scalars = Values::<bls12_381::Fr>::new(26).take_buf(2000);
    let theirs: Vec<blst_p1_affine> = points
        .iter()
        .map(|p| {
            let mut q = blst_p1_affine::default();
            (q.x.l, q.y.l) = (p.x.to_montgomery(), p.y.to_montgomery());
            q
        })
        .collect();
    let mut bytes = vec![0; 32 * scalars.len()];
    bytes.chunks_exact_mut(32).zip(scalars.iter()).for_each(|(b, s)| s.write_le(b));
    let sum = theirs.as_slice().mult(&bytes, 255);
    let coordinate = |l| bls12_381::Fq::from_montgomery(l).unwrap();
    let sum =
        Jacobian::<bls12_381::G1> { x: coordinate(sum.x.l), y: coordinate(sum.y.l), z: coordinate(sum.z.l) };
    assert_eq!(ours(&points.into(), &scalars), sum);
}
