//! Exhaustive or nearly exhaustive tests on the tiny curve, whose groups are enumerated completely; on the other curves, the same
//! properties are tested on samples.

use pairwright_curve::encoding::{ArkCompressed, ArkUncompressed, ZcashCompressed, ZcashUncompressed};
use pairwright_curve::pairing::PairingData;
use pairwright_curve::tiny_bls12::{Fq12, Fr, G1, G2, Parameters, TinyBls12, V};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, PointEncoding, Projective, Xyzz};
use pairwright_field::{Extension, Field, NonResidue, PrimeField, Ring, Sqrt};

/// The order of the groups.
const R: u64 = Fr::MODULUS[0];

/// Enumerates `G, 2G, …, rG` by mixed additions: infinity must occur only at the end. At every `step`-th point the
/// other methods to compute it must agree, and every encoding must decode to the point.
fn walk<C: Curve<Scalar = Fr>>(step: u64) {
    let g = Affine::<C>::generator();
    let mut at = Jacobian::<C>::INFINITY;
    let mut xyzz = Xyzz::from(Affine::<C>::INFINITY);
    for k in 1..=R {
        at = at.add_mixed(&g);
        xyzz = xyzz.add_mixed(&g);
        assert_eq!(at.is_infinity(), k == R, "{k}");
        if k % step != 0 && k + 3 < R && k > 3 {
            continue;
        }
        let p = at.to_affine();
        assert!(p.is_on_curve() && p.is_in_subgroup_vartime());
        assert_eq!(Affine::from(xyzz), p);
        let scalar = Fr::from(k);
        assert_eq!(g.to_jacobian().mul_vartime(&scalar), at, "{k}: halves of the scalar");
        assert_eq!(g.to_jacobian().mul_limbs_vartime(&[k]), at, "{k}: signed windows");
        assert_eq!(Projective::from(g).mul(&scalar).to_affine(), p, "{k}: complete formulas");
        assert_eq!(at.double(), at + at, "{k}: doubling");
        assert!((at - p.to_jacobian()).is_infinity(), "{k}: opposite points");
        round_trip::<C, ZcashCompressed>(&p);
        round_trip::<C, ZcashUncompressed>(&p);
        round_trip::<C, ArkCompressed>(&p);
        round_trip::<C, ArkUncompressed>(&p);
    }
}

fn round_trip<C: Curve, E: PointEncoding>(p: &Affine<C>) {
    assert_eq!(E::read::<C>(&E::to_vec(p)), Ok(*p));
}

#[test]
fn g1_from_end_to_end() {
    walk::<G1>(4_999);
}

#[test]
fn g2_from_end_to_end() {
    walk::<G2>(9_973);
}

/// For every point of the curve whose first coordinate is small, the membership test agrees with the order of the point, and clearing
/// the cofactor gives a point of the subgroup.
fn membership<C: Curve>(count: u64) {
    let (mut points, mut members) = (0, 0);
    for x in 0..count {
        let x = C::Base::from_prime(<C::Base as Extension>::Prime::from(x));
        let Some(y) = (x.square() * x + C::B).sqrt_vartime() else { continue };
        let p = Affine::<C>::from_xy_unchecked(x, y);
        let by_order = p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref()).is_infinity();
        assert_eq!(p.is_in_subgroup_vartime(), by_order, "{x:?}");
        let cleared = C::clear_cofactor_vartime(&p).to_affine();
        assert!(cleared.is_on_curve() && cleared.is_in_subgroup_vartime(), "{x:?}");
        points += 1;
        members += u64::from(by_order);
    }
    assert!(points > count / 3 && points < count && members < points);
}

#[test]
fn membership_is_the_order() {
    membership::<G1>(20_000);
    membership::<G2>(10_000);
}

#[test]
fn pairing_is_bilinear_and_not_degenerate() {
    let (g, h) = (G1::GENERATOR, G2::GENERATOR);
    let base = TinyBls12::pairing(&g, &h);
    assert_ne!(base, Fq12::ONE);
    assert_eq!(base.pow_vartime(&[R]), Fq12::ONE, "r is prime, so the order is r");
    // One argument over a whole range, the other over small and over large multiples.
    let others: Vec<(Fr, Affine<G2>)> =
        [1, 2, 57, R - 1].map(|b| (Fr::from(b), h.to_jacobian().mul_limbs_vartime(&[b]).to_affine())).into();
    let (mut p, mut power) = (g.to_jacobian(), base);
    for a in 1..2_000u64 {
        for (b, q) in &others {
            let value = TinyBls12::pairing(&p.to_affine(), q);
            assert_eq!(value, power.pow_vartime(&b.to_limbs()), "{a}, {b}");
        }
        (p, power) = (p.add_mixed(&g), power * base);
    }
    // The whole target group: the powers of a generator return to one after exactly r steps.
    let mut at = base;
    for k in 1..R {
        assert!(at != Fq12::ONE, "{k}");
        at *= base;
    }
    assert_eq!(at, Fq12::ONE);
}

/// The product by `3b'` computed by additions equals the product by the constant.
#[test]
fn three_b_twist_by_additions() {
    let b = G2::GENERATOR.x;
    assert_eq!(Parameters::mul_3b_twist(b, Parameters::B_TWIST_3), b * Parameters::B_TWIST_3);
    assert_eq!(<V as NonResidue<_>>::mul(b).scale(G1::B), b * G2::B);
}

/// Decodes every first coordinate below a bound with every pattern of flags, and encodings with every value of every byte. Each decoded
/// point must be in the group and have the same encoding, and every point of the group in that range must be found.
fn decoder<E: PointEncoding>(flags_at: impl Fn(usize) -> usize, first: impl Fn(u64) -> Vec<u8>) {
    let mut found = 0;
    for x in 0..6_000 {
        for flags in 0..8 {
            let mut bytes = first(x);
            let at = flags_at(bytes.len());
            bytes[at] |= flags << 5;
            if let Ok(p) = E::read::<G1>(&bytes) {
                assert_eq!(E::to_vec(&p), bytes);
                assert!(p.to_jacobian().mul_limbs_vartime(&[R]).is_infinity());
                found += u64::from(!p.is_infinity());
            }
        }
    }
    let members = (0..6_000u64)
        .filter(|x| {
            let x = <G1 as Curve>::Base::from(*x);
            (x.square() * x + G1::B).sqrt_vartime().is_some_and(|y| {
                Affine::<G1>::from_xy_unchecked(x, y).to_jacobian().mul_limbs_vartime(&[R]).is_infinity()
            })
        })
        .count() as u64;
    assert!(members > 0);
    assert_eq!(found, 2 * members, "both signs of every member");
    let good = E::to_vec(&G1::GENERATOR);
    for at in 0..good.len() {
        for value in 0..=u8::MAX {
            let mut bytes = good.clone();
            bytes[at] = value;
            if let Ok(p) = E::read::<G1>(&bytes) {
                assert_eq!(E::to_vec(&p), bytes);
            }
        }
    }
}

#[test]
fn decoders() {
    decoder::<ZcashCompressed>(|_| 0, |x| x.to_be_bytes().into());
    decoder::<ArkCompressed>(|len| len - 1, |x| x.to_le_bytes().into());
}
