//! Multiples of points by secret scalars, sums of them, and sums over fixed bases, compared with variable-time windows.

use pairwright_curve::{Affine, Curve, FixedBases, Jacobian, Projective, bls12_377, bls12_381, bn254};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// Scalars at the boundaries of digits and of the parts of a decomposition, and random ones, each with its negative.
fn scalars<C: Curve>(rng: &mut ChaCha20Rng) -> Vec<C::Scalar> {
    let mut all: Vec<C::Scalar> = [0, 1, 2, 15, 16, 17, 31, 32, 33].map(C::Scalar::from).to_vec();
    let seed = C::SEED.map_or(u64::MAX, |seed| seed.magnitude);
    let mut power = C::Scalar::ONE;
    for _ in 0..4 {
        power *= C::Scalar::from(seed);
        all.extend([power, power - C::Scalar::ONE, power + C::Scalar::ONE, power.double()]);
    }
    all.extend((0..40).map(|_| C::Scalar::random(rng)));
    all.extend(all.clone().iter().map(|k| -*k));
    all
}

/// Compares multiples and sums of them with variable-time windows without an endomorphism.
fn multiples<C: Curve>() {
    let mut rng = ChaCha20Rng::seed_from_u64(23);
    let plain = |p: &Projective<C>, k: &C::Scalar| {
        p.to_affine().to_jacobian().mul_limbs_vartime(k.to_limbs().as_ref())
    };
    let mut p = Projective::<C>::generator();
    let mut terms = Vec::new();
    for k in scalars::<C>(&mut rng) {
        p = p + p + Projective::generator();
        assert_eq!(p.mul(&k).to_affine(), plain(&p, &k).to_affine(), "{k}");
        assert!(Projective::<C>::INFINITY.mul(&k).to_affine().is_infinity());
        terms.push((p, k));
    }
    // Infinity among the points, and terms that cancel.
    terms.extend([(Projective::INFINITY, C::Scalar::from(7)), (p, terms[3].1), (p, -terms[3].1)]);
    for count in [0, 1, 2, 3, terms.len()] {
        let terms = &terms[terms.len() - count..];
        let want = terms.iter().map(|(p, k)| plain(p, k)).sum::<Jacobian<C>>();
        assert_eq!(Projective::mul_sum(terms).to_affine(), want.to_affine(), "a sum of {count}");
    }
}

/// Points that the contract excludes: outside of the subgroup the results are wrong, because the endomorphism has no eigenvalue there.
fn outside_of_the_subgroup<C: Curve>() {
    let outside = (1u64..).find_map(|x| {
        let x = <C::Base as Extension>::from_prime(x.into());
        let y = (x.square() * x + C::B).sqrt_vartime()?;
        Some(Affine::<C>::from_xy_unchecked(x, y)).filter(|p| !p.is_in_subgroup_vartime())
    });
    let p = outside.expect("the cofactor is not one");
    let k = -C::Scalar::from(3);
    let right = p.to_jacobian().mul_limbs_vartime(k.to_limbs().as_ref()).to_affine();
    assert_ne!(Projective::from(p).mul(&k).to_affine(), right);
}

/// Compares with one multiplication per term: edge cases, infinity, equal and opposite points, fewer scalars than points.
fn is_the_sum_of_products<C: Curve>() {
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    let g = Jacobian::<C>::generator();
    let mut points: Vec<Affine<C>> =
        (0..6).map(|_| g.mul_vartime(&C::Scalar::random(&mut rng)).to_affine()).collect();
    points.extend([Affine::INFINITY, points[0], -points[1], C::GENERATOR]);
    let bases = FixedBases::new(&points);
    assert_eq!((bases.len(), bases.is_empty()), (10, false));
    let edges = [0, 1, 2, 31, 32, 33, u64::MAX].map(C::Scalar::from);
    let mut sets: Vec<Vec<C::Scalar>> = vec![Vec::new(), vec![C::Scalar::ONE]];
    sets.extend(edges.map(|k| vec![k; 10]));
    sets.extend(edges.map(|k| vec![-k; 10]));
    sets.extend((0..8).map(|_| (0..10).map(|_| C::Scalar::random(&mut rng)).collect()));
    sets.push((0..4).map(|_| C::Scalar::random(&mut rng)).collect());
    for scalars in &sets {
        let each: Jacobian<C> = points.iter().zip(scalars).map(|(p, k)| p.to_jacobian().mul_vartime(k)).sum();
        assert_eq!(bases.sum_vartime(scalars), each, "{scalars:?}");
    }
    assert!(FixedBases::<C>::new(&[]).is_empty());
}

macro_rules! per_group {
    ($($name:ident: $group:ty $(, $outside:ident)?;)+) => {$(
        #[test]
        fn $name() {
            multiples::<$group>();
            is_the_sum_of_products::<$group>();
            $($outside::<$group>();)?
        }
    )+};
}
per_group! {
    bls12_381_g1: bls12_381::G1, outside_of_the_subgroup;
    bls12_381_g2: bls12_381::G2, outside_of_the_subgroup;
    bn254_g1: bn254::G1;
    bn254_g2: bn254::G2, outside_of_the_subgroup;
    bls12_377_g1: bls12_377::G1, outside_of_the_subgroup;
    bls12_377_g2: bls12_377::G2, outside_of_the_subgroup;
}
