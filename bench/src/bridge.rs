//! Conversion of our values to those of the peers and back, through canonical coordinates.

use ark_ec::pairing::Pairing as ArkPairing;
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use pairwright_curve::{Affine, Curve, Jacobian, bls12_381};
use pairwright_field::{Extension, PrimeField};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;

/// A pairing-friendly curve of arkworks, with the configurations of its groups.
pub trait ArkCurve:
    ArkPairing<
        G1Affine = ArkAffine<<Self as ArkCurve>::G1Config>,
        G2Affine = ArkAffine<<Self as ArkCurve>::G2Config>,
    >
{
    /// The configuration of the first group.
    type G1Config: SWCurveConfig;
    /// The configuration of the second group.
    type G2Config: SWCurveConfig;
}

macro_rules! ark_curves {
    ($($krate:ident $curve:ident),+) => {$(
        impl ArkCurve for $krate::$curve {
            type G1Config = $krate::g1::Config;
            type G2Config = $krate::g2::Config;
        }
    )+};
}
ark_curves!(ark_bn254 Bn254, ark_bls12_381 Bls12_381, ark_bls12_377 Bls12_377);

/// A generator of reproducible values, one stream per purpose.
pub fn rng(stream: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(stream)
}

/// The same element in arkworks.
pub fn prime_to_ark<F: PrimeField, A: ark_ff::PrimeField>(x: &F) -> A {
    let mut bytes = vec![0; F::BYTES];
    x.write_le(&mut bytes);
    A::from_le_bytes_mod_order(&bytes)
}

/// The same element in arkworks.
pub fn to_ark<F: Extension, A: ark_ff::Field>(x: &F) -> A {
    A::from_base_prime_field_elems((0..F::DEGREE).map(|i| prime_to_ark(&x.coord(i))))
        .expect("the same degree")
}

/// The same element in our types.
pub fn from_ark<F: Extension, A: ark_ff::Field>(x: &A) -> F {
    use ark_ff::PrimeField as _;
    let coords: Vec<F::Prime> = x
        .to_base_prime_field_elements()
        .map(|c| F::Prime::from_limbs_reduced(c.into_bigint().as_ref()))
        .collect();
    F::from_coords(&coords)
}

/// The same elements in arkworks.
pub fn primes_to_ark<F: PrimeField, A: ark_ff::PrimeField>(xs: &[F]) -> Vec<A> {
    xs.par_iter().map(prime_to_ark).collect()
}

/// The same points in arkworks.
pub fn points_to_ark<C: Curve, A: SWCurveConfig>(points: &[Affine<C>]) -> Vec<ArkAffine<A>> {
    points
        .par_iter()
        .map(|p| {
            if p.is_infinity() {
                ArkAffine::identity()
            } else {
                ArkAffine::new_unchecked(to_ark(&p.x), to_ark(&p.y))
            }
        })
        .collect()
}

/// The same point in our types.
pub fn point_from_ark<C: Curve, A: SWCurveConfig>(p: &ArkAffine<A>) -> Affine<C> {
    use ark_ec::AffineRepr as _;
    match p.xy() {
        None => Affine::INFINITY,
        Some((x, y)) => Affine::from_xy_unchecked(from_ark(&x), from_ark(&y)),
    }
}

/// Whether our point equals the peer's.
pub fn same_point<C: Curve, A: SWCurveConfig>(ours: &Jacobian<C>, theirs: ArkAffine<A>) -> bool {
    ours.to_affine() == point_from_ark(&theirs)
}

/// The same point in blst.
pub fn point_to_blst(p: &Affine<bls12_381::G1>) -> blst::blst_p1_affine {
    let mut q = blst::blst_p1_affine::default();
    (q.x.l, q.y.l) = (p.x.to_montgomery(), p.y.to_montgomery());
    q
}

/// The same point in blst.
pub fn point2_to_blst(p: &Affine<bls12_381::G2>) -> blst::blst_p2_affine {
    let mut q = blst::blst_p2_affine::default();
    for i in 0..2 {
        q.x.fp[i].l = p.x.coord(i).to_montgomery();
        q.y.fp[i].l = p.y.coord(i).to_montgomery();
    }
    q
}
