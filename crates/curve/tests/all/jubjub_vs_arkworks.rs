//! Jubjub compared with arkworks, its encodings, and the cofactor.

use crate::common::{from_ark, prime_to_ark, rng, to_ark};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use ark_ed_on_bls12_381::{EdwardsAffine, EdwardsProjective, Fr as ArkFr};
use pairwright_curve::PointError;
use pairwright_curve::jubjub::{Fq, Fr, Point};
use pairwright_field::{Field, PrimeField};
use rand_chacha::ChaCha20Rng;

fn to_peer(p: &Point) -> EdwardsProjective {
    let [u, v] = p.to_affine();
    EdwardsAffine::new_unchecked(to_ark(&u), to_ark(&v)).into()
}

fn from_peer(p: &EdwardsProjective) -> Point {
    let p = p.into_affine();
    Point::from_affine_unchecked_subgroup(from_ark(&p.x), from_ark(&p.y)).expect("on the curve")
}

/// A random point of the whole curve, by its encoding.
fn curve_point(rng: &mut ChaCha20Rng) -> Point {
    loop {
        let mut bytes = [0; 32];
        Fq::random(rng).write_le(&mut bytes);
        if let Ok(p) = Point::read_unchecked_subgroup(&bytes) {
            return p;
        }
    }
}

#[test]
fn arithmetic() {
    let mut rng = rng(40);
    assert!(Point::generator().is_in_subgroup_vartime() && !Point::generator().is_identity());
    let peer_generator = from_peer(&EdwardsProjective::generator());
    assert!(peer_generator.is_in_subgroup_vartime());
    for _ in 0..20 {
        let (p, q) = (curve_point(&mut rng), curve_point(&mut rng));
        let (ap, aq) = (to_peer(&p), to_peer(&q));
        assert_eq!(p + q, from_peer(&(ap + aq)));
        assert_eq!(p - q, from_peer(&(ap - aq)));
        assert_eq!(p.double(), from_peer(&(ap + ap)));
        assert_eq!(p + p, p.double());
        assert!((p - p).is_identity());
        assert_eq!(p + Point::IDENTITY, p);
        assert_eq!(p.clear_cofactor(), from_peer(&ap.into_affine().mul_by_cofactor().into()));
        assert_eq!(p.is_in_subgroup_vartime(), ap.into_affine().is_in_correct_subgroup_assuming_on_curve());
    }
    let mut scalars = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(2)];
    scalars.extend((0..20).map(|_| Fr::random(&mut rng)));
    for k in scalars {
        let p = curve_point(&mut rng).clear_cofactor();
        let want = from_peer(&(to_peer(&p) * prime_to_ark::<_, ArkFr>(&k)));
        assert_eq!(p.mul(&k), want);
        assert_eq!(p.mul_limbs_vartime(&k.to_limbs()), want);
    }
}

#[test]
fn small_order_points() {
    // The neutral element, the point of order two, and one of order eight with all its multiples.
    let two = Point::from_affine_unchecked_subgroup(Fq::ZERO, -Fq::ONE).expect("(0, -1) is on the curve");
    assert!(two.double().is_identity() && !two.is_in_subgroup_vartime());
    let mut rng = rng(41);
    let eight = loop {
        let t = curve_point(&mut rng).mul_limbs_vartime(&Fr::MODULUS);
        if !t.double().double().is_identity() {
            break t;
        }
    };
    let mut p = Point::IDENTITY;
    for i in 0..8 {
        assert_eq!(p.is_in_subgroup_vartime(), i == 0);
        assert_eq!(p.is_identity(), i == 0);
        assert!(p.clear_cofactor().is_identity());
        let bytes = p.to_bytes();
        assert_eq!(Point::read_unchecked_subgroup(&bytes), Ok(p));
        if i > 0 {
            assert_eq!(Point::read(&bytes), Err(PointError::NotInSubgroup { curve: "Jubjub" }));
            let mixed = p + Point::generator();
            assert!(!mixed.is_in_subgroup_vartime());
            assert_eq!(Point::read(&mixed.to_bytes()), Err(PointError::NotInSubgroup { curve: "Jubjub" }));
        }
        p += eight;
    }
    assert!(p.is_identity());
    assert_eq!(Point::from_affine(Fq::ZERO, -Fq::ONE), None);
}

#[test]
fn encodings() {
    let mut rng = rng(42);
    for _ in 0..20 {
        let p = Point::generator().mul(&Fr::random(&mut rng));
        let bytes = p.to_bytes();
        assert_eq!(Point::read(&bytes), Ok(p));
        let mut opposite = bytes.clone();
        opposite[31] ^= 0x80;
        assert_eq!(Point::read(&opposite), Ok(-p));
    }
    let curve = "Jubjub";
    assert_eq!(Point::IDENTITY.to_bytes(), [[1].as_slice(), &[0; 31]].concat());
    let mut signed_zero = Point::IDENTITY.to_bytes();
    signed_zero[31] |= 0x80;
    assert_eq!(Point::read(&signed_zero), Err(PointError::Flags { curve, found: 0x80 }));
    for found in [0, 31, 33] {
        assert_eq!(Point::read(&vec![0; found]), Err(PointError::Length { curve, expected: 32, found }));
    }
    let modulus: Vec<u8> = Fq::MODULUS.iter().flat_map(|l| l.to_le_bytes()).collect();
    assert_eq!(Point::read(&modulus), Err(PointError::NotReduced { curve, index: 0 }));
    // About half of all values of v belong to no point.
    let refused = (2..200u8).filter(|v| {
        let bytes = [[*v].as_slice(), &[0; 31]].concat();
        Point::read_unchecked_subgroup(&bytes) == Err(PointError::NotOnCurve { curve })
    });
    assert!((50..150).contains(&refused.count()));
}
