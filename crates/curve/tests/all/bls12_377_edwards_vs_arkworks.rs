//! G1 of BLS12-377 in twisted Edwards form, compared with arkworks and with our Weierstrass arithmetic.

use crate::common::{from_ark, point, point_from_ark, point_to_ark, prime_to_ark, rng, to_ark};
use ark_bls12_377::g1::{Config, G1TEAffine, G1TEProjective};
use ark_ec::models::twisted_edwards::{MontCurveConfig, TECurveConfig};
use ark_ec::{AffineRepr, CurveGroup, PrimeGroup};
use pairwright_curve::bls12_377::edwards::{AffinePoint, G1Edwards, Point};
use pairwright_curve::bls12_377::{Fq, Fr, G1};
use pairwright_curve::{Affine, AtInfinity, Birational, Curve, Jacobian, TwistedEdwards, formulas};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use proptest::prelude::*;
use rand_chacha::ChaCha20Rng;

fn to_peer(p: &Point) -> G1TEProjective {
    let [x, y] = p.to_affine();
    G1TEAffine::new_unchecked(to_ark(&x), to_ark(&y)).into()
}

fn from_peer(p: &G1TEProjective) -> Point {
    let p = p.into_affine();
    Point::from_affine_unchecked_subgroup(from_ark(&p.x), from_ark(&p.y)).expect("on the curve")
}

fn image(p: &Affine<G1>) -> Point {
    Point::from_weierstrass(p).expect("of odd order")
}

/// A random point of the whole Weierstrass curve.
fn curve_point(rng: &mut ChaCha20Rng) -> Affine<G1> {
    loop {
        let x = Fq::random(rng);
        if let Some(y) = (x.square() * x + G1::B).sqrt_vartime() {
            return Affine::from_xy_unchecked(x, y);
        }
    }
}

/// The points of the Weierstrass curve with `Y = 0` or `X - α = -1/s`, except `(α, 0)`.
fn without_image() -> [Affine<G1>; 4] {
    let half = Fq::from(2).invert().expect("odd");
    let root = (-Fq::from(3)).sqrt_vartime().expect("three points of order two");
    let zeros = [(Fq::ONE + root) * half, (Fq::ONE - root) * half];
    let x = G1Edwards::ALPHA - G1Edwards::S_INVERSE;
    let y = (x.square() * x + G1::B).sqrt_vartime().expect("d is a square");
    [(zeros[0], Fq::ZERO), (zeros[1], Fq::ZERO), (x, y), (x, -y)]
        .map(|(x, y)| Affine::from_xy_unchecked(x, y))
}

/// The points of the Edwards curve at infinity, in extended coordinates.
fn at_infinity() -> [[Fq; 4]; 4] {
    let (o, i) = (Fq::ZERO, Fq::ONE);
    let x = (-G1Edwards::D).sqrt_vartime().expect("a square");
    let y = G1Edwards::D.sqrt_vartime().expect("a square");
    [[x, o, o, i], [-x, o, o, i], [o, y, o, i], [o, -y, o, i]]
}

fn add(p: [Fq; 4], q: [Fq; 4]) -> [Fq; 4] {
    formulas::edwards_add(p, q, |a| G1Edwards::D.double() * a)
}

/// Whether coordinates satisfy the equations of extended coordinates, an intersection of two quadrics.
fn is_extended([x, y, z, t]: [Fq; 4]) -> bool {
    x * y == z * t && y.square() - x.square() == z.square() + G1Edwards::D * t.square()
}

#[test]
fn the_form_is_arkworks() {
    assert_eq!(G1Edwards::D, from_ark(&<Config as TECurveConfig>::COEFF_D));
    let [mont_a, mont_b]: [Fq; 2] =
        [&<Config as MontCurveConfig>::COEFF_A, &<Config as MontCurveConfig>::COEFF_B].map(from_ark);
    assert_eq!(G1Edwards::S_INVERSE * mont_b, Fq::ONE);
    assert_eq!(mont_a, (G1Edwards::ALPHA.double() + G1Edwards::ALPHA) * mont_b);
    assert_eq!(G1Edwards::STRETCH.square() * mont_b, -(mont_a + Fq::from(2)));
    assert_eq!(G1Edwards::S_INVERSE.square(), Fq::from(3) * G1Edwards::ALPHA.square());
    assert_eq!(Point::generator(), from_peer(&G1TEProjective::generator()));
    assert_eq!(Point::generator(), image(&G1::GENERATOR));
    assert!(Point::generator().is_in_subgroup_vartime() && !Point::generator().is_identity());
}

#[test]
fn maps_there_and_back() {
    let mut rng = rng(60);
    let mut points = vec![Affine::INFINITY, Affine::from_xy_unchecked(G1Edwards::ALPHA, Fq::ZERO)];
    points.extend((0..10).map(|_| curve_point(&mut rng)));
    points.extend((0..10).map(|_| point::<G1>(&mut rng)));
    let images: Vec<Point> = points.iter().map(image).collect();
    for (p, e) in points.iter().zip(&images) {
        assert_eq!(Point::from_extended_unchecked_subgroup(e.extended()), Some(*e));
        assert_eq!(e.to_weierstrass(), Some(*p));
        assert_eq!(image(&-*p), -*e);
        assert_eq!(e.is_in_subgroup_vartime(), p.is_in_subgroup_vartime());
        assert!(to_peer(e).into_affine().is_on_curve());
        let triple = AffinePoint::from_weierstrass(p).expect("an affine point");
        let [x, y, u] = triple.coordinates();
        assert_eq!([x, y], e.to_affine());
        assert_eq!(u, G1Edwards::D.double() * x * y);
        assert_eq!((triple.to_extended(), e.to_triple()), (*e, Some(triple)));
        assert_eq!((triple.is_identity(), e.is_identity()), (p.is_infinity(), p.is_infinity()));
    }
    assert_eq!(images[0], Point::IDENTITY);
    assert_eq!(images[1].to_affine(), [Fq::ZERO, -Fq::ONE]);
    assert_eq!(Point::batch_to_weierstrass(&images), Ok(points.clone()));
    let triples = AffinePoint::batch_from_weierstrass(&points).expect("affine points");
    assert_eq!(triples, images.iter().filter_map(Point::to_triple).collect::<Vec<_>>());
    assert_eq!(Point::batch_to_triples(&images), Ok(triples));
    assert_eq!(Point::batch_to_weierstrass(&[]), Ok(vec![]));
    assert_eq!(AffinePoint::batch_from_weierstrass(&[]), Ok(vec![]));
}

/// The map is a homomorphism, also for the special cases of the Weierstrass formulas, and sums equal those of arkworks.
#[test]
fn sums() {
    let mut rng = rng(61);
    let (p, q) = (point::<G1>(&mut rng), point::<G1>(&mut rng));
    let operands = [p, q, -p, p.to_jacobian().double().to_affine(), Affine::INFINITY, G1::GENERATOR];
    for a in operands {
        for b in operands {
            let (ea, eb) = (image(&a), image(&b));
            let want = image(&(a.to_jacobian() + b.to_jacobian()).to_affine());
            let triple = eb.to_triple().expect("affine");
            assert_eq!(ea + eb, want);
            assert_eq!(ea + triple, want);
            assert_eq!(ea - -eb, want);
            assert_eq!(ea - -triple, want);
            assert_eq!(want, from_peer(&(to_peer(&ea) + to_peer(&eb))));
            assert_eq!(ea == eb, a == b);
        }
        assert_eq!(image(&a).double(), image(&a) + image(&a));
        assert_eq!(image(&a).double(), image(&a.to_jacobian().double().to_affine()));
    }
    let points = operands.map(|a| image(&a));
    let want = operands.iter().fold(Jacobian::INFINITY, |sum, a| sum + a.to_jacobian()).to_affine();
    assert_eq!(points.into_iter().sum::<Point>(), image(&want));
    assert_eq!(points.iter().filter_map(Point::to_triple).sum::<Point>(), image(&want));
}

#[test]
fn multiples() {
    let mut rng = rng(62);
    let mut scalars = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(2)];
    scalars.extend((0..6).map(|_| Fr::random(&mut rng)));
    for k in scalars {
        let p = point::<G1>(&mut rng);
        let want = image(&p.to_jacobian().mul_vartime(&k).to_affine());
        assert_eq!(image(&p).mul(&k), want);
        assert_eq!(image(&p).mul_limbs_vartime(&k.to_limbs()), want);
        assert_eq!(want, from_peer(&(to_peer(&image(&p)) * prime_to_ark::<_, ark_bls12_377::Fr>(&k))));
    }
    assert!(image(&point(&mut rng)).mul_limbs_vartime(&Fr::MODULUS).is_identity());
}

/// Our map takes arkworks' Weierstrass points to its Edwards points.
#[test]
fn maps_commute_with_arkworks() {
    let mut rng = rng(63);
    let k: Fr = Field::random(&mut rng);
    let peer = prime_to_ark::<_, ark_bls12_377::Fr>(&k);
    let weierstrass = (ark_bls12_377::G1Affine::generator() * peer).into_affine();
    let edwards = G1TEAffine::generator() * peer;
    assert_eq!(image(&point_from_ark(&weierstrass)), from_peer(&edwards));
    let back = from_peer(&edwards).to_weierstrass().expect("affine");
    assert_eq!(point_to_ark::<G1, ark_bls12_377::g1::Config>(&back), weierstrass);
}

/// `Z = Y·(X - α + 1/s)` is zero at five points. One of them has an image, and none has odd order.
#[test]
fn points_without_image() {
    let mut rng = rng(64);
    let general = curve_point(&mut rng);
    let n = general.x - G1Edwards::ALPHA;
    let [_, _, z, _] =
        formulas::edwards_from_weierstrass([n, general.y], G1Edwards::S_INVERSE, |a| G1Edwards::STRETCH * a);
    assert_eq!(z, general.y * (n + G1Edwards::S_INVERSE));

    let none = without_image();
    let two = Affine::from_xy_unchecked(G1Edwards::ALPHA, Fq::ZERO);
    // The three roots of X³ + 1 give all points with Y = 0, and ±Y are all points with the same X.
    let x = Fq::random(&mut rng);
    let product = [two, none[0], none[1]].iter().map(|p| x - p.x).fold(Fq::ONE, |a, b| a * b);
    assert_eq!(product, x.square() * x + G1::B);
    assert!(!none[2].y.is_zero());
    for (i, p) in none.iter().enumerate() {
        assert!(p.is_on_curve() && !p.is_in_subgroup_vartime());
        let twice = p.to_jacobian().double();
        assert_eq!(twice.to_affine(), if i < 2 { Affine::INFINITY } else { two });
        assert_eq!((Point::from_weierstrass(p), AffinePoint::from_weierstrass(p)), (None, None));
        let batch = [G1::GENERATOR, Affine::INFINITY, *p, none[0]];
        let refused = AtInfinity { curve: G1Edwards::NAME, index: 2 };
        assert_eq!(AffinePoint::batch_from_weierstrass(&batch), Err(refused));
    }
    assert!(image(&two).double().is_identity() && !image(&two).is_in_subgroup_vartime());
}

/// Outside of the subgroup a sum is either correct, or a point at infinity, or (0 : 0 : 0 : 0); it is never accepted as a wrong
/// point.
#[test]
fn sums_outside_of_the_subgroup() {
    let zero = [Fq::ZERO; 4];
    let p = Point::generator();
    let [px, py, ..] = p.extended();
    for (i, far) in at_infinity().into_iter().enumerate() {
        assert!(is_extended(far));
        assert_eq!(Point::from_extended_unchecked_subgroup(far), None);
        let [x, y, z, _] = far;
        let order_two = Point::from_affine_unchecked_subgroup(Fq::ZERO, -Fq::ONE).expect("on the curve");
        let twice = formulas::edwards_double([x, y, z]);
        let twice = Point::from_extended_unchecked_subgroup(twice).expect("affine");
        assert_eq!(twice, if i < 2 { Point::IDENTITY } else { order_two });
        // p and p + far differ by a point at infinity.
        let shifted = Point::from_extended_unchecked_subgroup(add(p.extended(), far)).expect("affine");
        assert!(!shifted.is_in_subgroup_vartime() && Point::from_affine(px, py) == Some(p));
        assert_eq!(shifted.double(), p.double() + twice);
        let failed = p + shifted;
        assert_eq!(failed.extended(), zero);
        assert_eq!((failed + p).extended(), zero);
        assert_eq!(failed.double().extended(), zero);
        // p and -(p + far) have a sum at infinity.
        let beyond = p - shifted;
        assert!(is_extended(beyond.extended()) && beyond.extended() != zero);
        assert_eq!((beyond + p).to_weierstrass(), (p.double() - shifted).to_weierstrass());
        for value in [failed, beyond] {
            assert!(!value.is_identity() && !value.is_in_subgroup_vartime());
            assert!(value != p && value != Point::IDENTITY);
            assert_eq!((value.to_triple(), value.to_weierstrass()), (None, None));
            assert_eq!(value.to_affine(), [Fq::ZERO; 2]);
            let refused = AtInfinity { curve: G1Edwards::NAME, index: 1 };
            assert_eq!(Point::batch_to_weierstrass(&[p, value, p]), Err(refused));
            assert_eq!(Point::batch_to_triples(&[p, value, value]), Err(refused));
        }
    }
    // The affine points of order four: their sums with points of the subgroup are correct.
    let i = (-Fq::ONE).sqrt_vartime().expect("a square");
    let four = Point::from_affine_unchecked_subgroup(i, Fq::ZERO).expect("on the curve");
    let sum = p.to_weierstrass().expect("affine").to_jacobian()
        + four.to_weierstrass().expect("affine").to_jacobian();
    assert_eq!((p + four).to_weierstrass(), Some(sum.to_affine()));
    assert!(!four.is_in_subgroup_vartime() && four.double().double().is_identity());
    assert_eq!(Point::from_affine(i, Fq::ZERO), None);
    assert_eq!(Point::from_affine_unchecked_subgroup(px, px), None);
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    /// The group laws hold on the subgroup for both additions.
    #[test]
    fn laws(a in any::<u64>(), b in any::<u64>(), c in any::<u64>()) {
        let [p, q, s] = [a, b, c].map(|k| Point::generator().mul_limbs_vartime(&[k, k.rotate_left(17)]));
        let [tp, tq, ts] = [p, q, s].map(|p| p.to_triple().expect("affine"));
        prop_assert_eq!((p + q) + s, p + (q + s));
        prop_assert_eq!(p + tq + ts, q + ts + tp);
        prop_assert_eq!(p + q, q + p);
        prop_assert_eq!(p + p, p.double());
        prop_assert_eq!(p + tp, p.double());
        prop_assert_eq!(p + Point::IDENTITY, p);
        prop_assert_eq!(p + AffinePoint::IDENTITY, p);
        prop_assert!((p - p).is_identity() && (p - tp).is_identity());
        prop_assert!((p + q).is_in_subgroup_vartime());
    }

    /// Multiples of any point of the curve: results that have an affine form are correct.
    #[test]
    fn multiples_on_the_whole_curve(seed in any::<u64>(), k in 0..100u64, log2 in 0..6u64) {
        let mut p = curve_point(&mut rng(seed)).to_jacobian();
        if log2 > 0 {
            // A point of small order: the cofactor is 2^92 times an odd number, and 2^46 annihilates the subgroup of order 2^92.
            let [zero, high] = G1::COFACTOR else { panic!("two limbs") };
            prop_assert_eq!((*zero, high.trailing_zeros()), (0, 92 - 64));
            p = p.mul_limbs_vartime(&Fr::MODULUS).mul_limbs_vartime(&[high >> 28]);
            p = p.mul_limbs_vartime(&[1 << (46 - log2)]);
            prop_assert!(p.mul_limbs_vartime(&[1 << log2]).is_infinity());
        }
        let p = p.to_affine();
        let Some(e) = Point::from_weierstrass(&p) else { return Ok(()) };
        let want = p.to_jacobian().mul_limbs_vartime(&[k]).to_affine();
        let got = e.mul_limbs_vartime(&[k]);
        prop_assert!(got.extended()[2].is_zero() || got.to_weierstrass() == Some(want));
        prop_assert_eq!(e.is_in_subgroup_vartime(), p.is_in_subgroup_vartime());
    }
}
