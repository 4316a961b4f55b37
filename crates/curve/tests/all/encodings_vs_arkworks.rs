//! Encodings compared with arkworks byte for byte, round trips of every encoding, and every error of the decoders.

use crate::common::{point, point_from_ark, point_to_ark, rng};
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use pairwright_curve::encoding::{
    ArkCompressed, ArkUncompressed, Eip197, Eip2537, PointEncoding, PointError, ZcashCompressed,
    ZcashUncompressed, Zkey, gt_from_bytes_be, gt_to_bytes_be,
};
use pairwright_curve::{Affine, Curve, Pairing, bls12_377, bls12_381, bn254};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;

type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

fn samples<C: Curve>(rng: &mut ChaCha20Rng) -> Vec<Affine<C>> {
    let mut out = vec![Affine::INFINITY, C::GENERATOR, -C::GENERATOR];
    out.extend((0..20).map(|_| point(rng)));
    out
}

/// A point of the curve outside of the subgroup; `None` if the cofactor is one.
fn outside<C: Curve>(rng: &mut ChaCha20Rng) -> Option<Affine<C>> {
    (C::COFACTOR != [1]).then(|| {
        loop {
            let x = C::Base::random(rng);
            if let Some(y) = (x.square() * x + C::B).sqrt_vartime() {
                return Affine::from_xy_unchecked(x, y);
            }
        }
    })
}

/// The properties of every encoding: round trips, checks of the length, the curve and the subgroup, and that no other bytes are accepted.
fn form<C: Curve, E: PointEncoding>() {
    let mut rng = rng(70);
    let curve = C::NAME;
    let length = E::len::<C>();
    for p in samples::<C>(&mut rng) {
        let bytes = E::to_vec(&p);
        assert_eq!(bytes.len(), length);
        assert_eq!(E::read(&bytes), Ok(p));
        assert_eq!(E::read_unchecked_subgroup(&bytes), Ok(p));
    }
    let good = E::to_vec(&C::GENERATOR);
    for found in [0, 1, length - 1, length + 1, 2 * length] {
        let bytes: Vec<u8> = good.iter().copied().cycle().take(found).collect();
        assert_eq!(E::read::<C>(&bytes), Err(PointError::Length { curve, expected: length, found }));
    }
    if let Some(p) = outside::<C>(&mut rng) {
        let bytes = E::to_vec(&p);
        assert_eq!(E::read_unchecked_subgroup(&bytes), Ok(p));
        assert_eq!(E::read::<C>(&bytes), Err(PointError::NotInSubgroup { curve }));
    }
    // With one flipped bit, the bytes are refused, or they are the unique encoding of another point.
    for bit in 0..8 * length {
        let mut bytes = good.clone();
        bytes[bit / 8] ^= 1 << (bit % 8);
        if let Ok(p) = E::read_unchecked_subgroup::<C>(&bytes) {
            assert_ne!(p, C::GENERATOR);
            assert_eq!(E::to_vec(&p), bytes);
        }
    }
    for _ in 0..300 {
        let mut bytes = vec![0; length];
        rng.fill_bytes(&mut bytes);
        if let Ok(p) = E::read_unchecked_subgroup::<C>(&bytes) {
            assert_eq!(E::to_vec(&p), bytes);
        }
    }
    // Bytes of ones are never a point: a coordinate is above the modulus, or the flags are invalid.
    assert!(E::read::<C>(&vec![0xff; length]).is_err());
}

/// Encodings with both coordinates: the equation of the curve is checked.
fn uncompressed<C: Curve, E: PointEncoding>() {
    let off = Affine::<C>::from_xy_unchecked(C::GENERATOR.x, C::GENERATOR.y + C::Base::ONE);
    assert_eq!(E::read::<C>(&E::to_vec(&off)), Err(PointError::NotOnCurve { curve: C::NAME }));
    // (0, 1) is on y² = x³ + 1 only.
    let zero_x = Affine::<C>::from_xy_unchecked(C::Base::ZERO, C::Base::ONE);
    if C::B != C::Base::ONE {
        assert_eq!(E::read::<C>(&E::to_vec(&zero_x)), Err(PointError::NotOnCurve { curve: C::NAME }));
    }
}

macro_rules! forms {
    ($($name:ident: $group:ty, [$($form:ty),+], [$($full:ty),+];)+) => {$(
        mod $name {
            #[allow(clippy::wildcard_imports, reason = "the parent's names")]
            use super::*;
            #[test]
            fn every_form() {
                $(form::<$group, $form>();)+
                $(form::<$group, $full>(); uncompressed::<$group, $full>();)+
            }
        }
    )+};
}
forms!(
    bls12_381_g1: bls12_381::G1, [ZcashCompressed, ArkCompressed],
        [ZcashUncompressed, ArkUncompressed, Eip2537, Eip197, Zkey];
    bls12_381_g2: bls12_381::G2, [ZcashCompressed, ArkCompressed],
        [ZcashUncompressed, ArkUncompressed, Eip2537, Eip197, Zkey];
    bn254_g1: bn254::G1, [ArkCompressed], [ArkUncompressed, Eip2537, Eip197, Zkey];
    bn254_g2: bn254::G2, [ArkCompressed], [ArkUncompressed, Eip2537, Eip197, Zkey];
    bls12_377_g1: bls12_377::G1, [ZcashCompressed, ArkCompressed],
        [ZcashUncompressed, ArkUncompressed, Eip2537, Eip197, Zkey];
    bls12_377_g2: bls12_377::G2, [ZcashCompressed, ArkCompressed],
        [ZcashUncompressed, ArkUncompressed, Eip2537, Eip197, Zkey];
);

/// Encoding and decoding agree with arkworks.
fn as_arkworks<C: Curve, A: SWCurveConfig, Short: PointEncoding, Long: PointEncoding>() {
    let mut rng = rng(71);
    let mut points = samples::<C>(&mut rng);
    points.extend(outside::<C>(&mut rng));
    for p in points {
        let theirs: ArkAffine<A> = point_to_ark(&p);
        let (mut short, mut long) = (Vec::new(), Vec::new());
        theirs.serialize_compressed(&mut short).expect("to a vector");
        theirs.serialize_uncompressed(&mut long).expect("to a vector");
        assert_eq!(Short::to_vec(&p), short);
        assert_eq!(Long::to_vec(&p), long);
        let back = ArkAffine::<A>::deserialize_compressed(&*short);
        assert_eq!(Short::read::<C>(&short).ok(), back.ok().map(|q| point_from_ark(&q)));
        let back = ArkAffine::<A>::deserialize_uncompressed(&*long);
        assert_eq!(Long::read::<C>(&long).ok(), back.ok().map(|q| point_from_ark(&q)));
    }
}

#[test]
fn bytes_of_arkworks() {
    as_arkworks::<bls12_381::G1, ark_bls12_381::g1::Config, ZcashCompressed, ZcashUncompressed>();
    as_arkworks::<bls12_381::G2, ark_bls12_381::g2::Config, ZcashCompressed, ZcashUncompressed>();
    as_arkworks::<bn254::G1, ark_bn254::g1::Config, ArkCompressed, ArkUncompressed>();
    as_arkworks::<bn254::G2, ark_bn254::g2::Config, ArkCompressed, ArkUncompressed>();
    as_arkworks::<bls12_377::G1, ark_bls12_377::g1::Config, ArkCompressed, ArkUncompressed>();
    as_arkworks::<bls12_377::G2, ark_bls12_377::g2::Config, ArkCompressed, ArkUncompressed>();
}

#[test]
fn zcash_flags() {
    type G = bls12_381::G1;
    let curve = G::NAME;
    let (short, long) = (ZcashCompressed::to_vec(&G::GENERATOR), ZcashUncompressed::to_vec(&G::GENERATOR));
    let with = |bytes: &[u8], flags: u8| {
        let mut out = bytes.to_vec();
        out[0] = (out[0] & 0x1f) | flags;
        out
    };
    assert_eq!(ZcashCompressed::read::<G>(&with(&short, 0xa0)), Ok(-G::GENERATOR), "the sign flag");
    for flags in [0x00, 0x20, 0x40, 0x60, 0xe0] {
        let want = Err(PointError::Flags { curve, found: flags });
        assert_eq!(ZcashCompressed::read::<G>(&with(&short, flags)), want);
    }
    assert_eq!(ZcashCompressed::read::<G>(&with(&short, 0xc0)), Err(PointError::InfinityNotZero { curve }));
    for flags in [0x20, 0x60, 0x80, 0xa0, 0xc0, 0xe0] {
        let want = Err(PointError::Flags { curve, found: flags });
        assert_eq!(ZcashUncompressed::read::<G>(&with(&long, flags)), want);
    }
    assert_eq!(ZcashUncompressed::read::<G>(&with(&long, 0x40)), Err(PointError::InfinityNotZero { curve }));
    assert_eq!(
        ZcashUncompressed::read::<G>(&[0; 96]),
        Err(PointError::NotOnCurve { curve }),
        "(0, 0) is no infinity"
    );
}

#[test]
fn arkworks_flags() {
    type G = bn254::G1;
    let curve = G::NAME;
    let (short, long) = (ArkCompressed::to_vec(&G::GENERATOR), ArkUncompressed::to_vec(&G::GENERATOR));
    let with = |bytes: &[u8], flags: u8| {
        let mut out = bytes.to_vec();
        let last = out.last_mut().expect("bytes");
        *last = (*last & 0x3f) | flags;
        out
    };
    assert_eq!(ArkCompressed::read::<G>(&with(&short, 0x80)), Ok(-G::GENERATOR), "the sign flag");
    assert_eq!(ArkUncompressed::read::<G>(&with(&long, 0x80)), Err(PointError::Flags { curve, found: 0x80 }));
    assert_eq!(ArkCompressed::read::<G>(&with(&short, 0xc0)), Err(PointError::Flags { curve, found: 0xc0 }));
    assert_eq!(ArkUncompressed::read::<G>(&with(&long, 0xc0)), Err(PointError::Flags { curve, found: 0xc0 }));
    assert_eq!(ArkCompressed::read::<G>(&with(&short, 0x40)), Err(PointError::InfinityNotZero { curve }));
    assert_eq!(ArkUncompressed::read::<G>(&with(&long, 0x40)), Err(PointError::InfinityNotZero { curve }));
    // A point with y = 0 has only one valid sign.
    let t = Affine::<bls12_377::G1>::from_xy_unchecked(-bls12_377::Fq::ONE, bls12_377::Fq::ZERO);
    let bytes = ArkCompressed::to_vec(&t);
    assert_eq!(ArkCompressed::read_unchecked_subgroup::<bls12_377::G1>(&bytes), Ok(t));
    assert!(ArkCompressed::read_unchecked_subgroup::<bls12_377::G1>(&with(&bytes, 0x80)).is_err());
}

/// Replaces each coordinate by the modulus; the error must name the coordinate.
fn not_reduced<C: Curve, E: PointEncoding>(little_endian: bool, pad: usize) {
    let mut modulus: Vec<u8> = Prime::<C>::MODULUS.as_ref().iter().flat_map(|l| l.to_le_bytes()).collect();
    modulus.resize(modulus.len() + pad, 0);
    if !little_endian {
        modulus.reverse();
    }
    for index in 0..2 * C::Base::DEGREE {
        let mut bytes = E::to_vec(&C::GENERATOR);
        bytes[index * modulus.len()..][..modulus.len()].copy_from_slice(&modulus);
        assert_eq!(E::read::<C>(&bytes), Err(PointError::NotReduced { curve: C::NAME, index }));
    }
}

#[test]
fn coordinates_are_reduced() {
    not_reduced::<bls12_381::G1, Eip2537>(false, 16);
    not_reduced::<bls12_381::G2, Eip2537>(false, 16);
    not_reduced::<bn254::G1, Eip197>(false, 0);
    not_reduced::<bn254::G2, Eip197>(false, 0);
    not_reduced::<bls12_381::G1, Zkey>(true, 0);
    not_reduced::<bls12_381::G2, Zkey>(true, 0);
    not_reduced::<bn254::G1, Zkey>(true, 0);
    not_reduced::<bn254::G2, Zkey>(true, 0);
}

/// snarkjs' bytes are the limbs of the Montgomery form, and zeros are infinity; the fast reader does not check the equation.
#[test]
fn zkey_bytes() {
    type G = bn254::G2;
    let g = G::GENERATOR;
    let want: Vec<u8> = [g.x.c0, g.x.c1, g.y.c0, g.y.c1]
        .iter()
        .flat_map(|c| c.to_montgomery())
        .flat_map(u64::to_le_bytes)
        .collect();
    assert_eq!(Zkey::to_vec(&g), want);
    assert_eq!(Zkey::read::<G>(&[0; 128]), Ok(Affine::INFINITY));
    let mut off = want;
    off[0] ^= 1;
    assert_eq!(Zkey::read_unchecked_subgroup::<G>(&off), Err(PointError::NotOnCurve { curve: G::NAME }));
    let p = Zkey::read_unchecked_curve::<G>(&off).expect("reduced");
    assert!(!p.is_on_curve());
    assert_eq!(Zkey::to_vec(&p), off);
}

#[test]
fn target_group_bytes() {
    let f = bls12_381::Bls12_381::pairing(&bls12_381::G1::GENERATOR, &bls12_381::G2::GENERATOR);
    let bytes = gt_to_bytes_be(&f);
    assert_eq!(bytes.len(), 576);
    let mut first = [0; 48];
    f.c1.c2.c1.write_be(&mut first);
    assert_eq!(bytes[..48], first, "highest first at every level");
    f.c1.c2.c0.write_be(&mut first);
    assert_eq!(bytes[48..96], first);
    f.c0.c0.c0.write_be(&mut first);
    assert_eq!(bytes[528..], first);
    assert_eq!(gt_from_bytes_be(&bytes), Ok(f));
    assert!(gt_from_bytes_be::<bls12_381::Fq12>(&bytes[1..]).is_err());
    assert!(gt_from_bytes_be::<bls12_381::Fq12>(&[0xff; 576]).is_err());
}
