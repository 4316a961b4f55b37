//! The maps from field elements to BLS12-381 against arkworks.

use crate::common::{point_from_ark, rng, to_ark};
use ark_ec::CurveGroup;
use ark_ec::hashing::curve_maps::wb::{WBConfig, WBMap};
use ark_ec::hashing::map_to_curve_hasher::MapToCurve;
use ark_ec::short_weierstrass::Projective;
use pairwright_curve::HashToCurve;
use pairwright_curve::bls12_381::{G1, G2};
use pairwright_field::{Extension, Field};

fn maps<C, A>()
where
    C: HashToCurve,
    A: WBConfig,
    Projective<A>: CurveGroup<Affine = ark_ec::short_weierstrass::Affine<A>, BaseField = A::BaseField>,
{
    let mut rng = rng(72);
    let small = (0..10).map(|i: u64| C::Base::from_prime(<C::Base as Extension>::Prime::from(i)));
    let random: Vec<C::Base> = (0..40).map(|_| C::Base::random(&mut rng)).collect();
    for u in small.chain(random) {
        let theirs = WBMap::<A>::map_to_curve(to_ark(&u)).expect("total");
        assert_eq!(C::map_to_curve(&u).to_affine(), point_from_ark(&theirs));
    }
}

#[test]
fn maps_g1() {
    maps::<G1, ark_bls12_381::g1::Config>();
}

#[test]
fn maps_g2() {
    maps::<G2, ark_bls12_381::g2::Config>();
}
