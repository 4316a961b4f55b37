//! BLS12-381 against blst: arithmetic, encodings, refusals, pairings.

use crate::common::{point, rng, scalar};
use blst::{BLST_ERROR, blst_fp12, min_pk, min_sig};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq12, Fr, G1, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed, ZcashUncompressed};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use rand_chacha::rand_core::Rng;

// A "signature" of blst is an affine point with its encodings: in G1 for min_sig, in G2 for min_pk.
type PeerG1 = min_sig::Signature;
type PeerG2 = min_pk::Signature;

fn secret(k: &Fr) -> [u8; 32] {
    let mut bytes = [0; 32];
    k.write_be(&mut bytes);
    bytes
}

#[test]
fn multiples_of_the_generators() {
    let mut rng = rng(50);
    let scalars: Vec<Fr> =
        (1..200).map(Fr::from).chain((0..100).map(|_| scalar(&mut rng))).chain([-Fr::ONE]).collect();
    for k in scalars {
        let p = G1::GENERATOR.to_jacobian().mul_vartime(&k).to_affine();
        let peer = min_pk::SecretKey::from_bytes(&secret(&k)).expect("below r").sk_to_pk();
        assert_eq!(ZcashCompressed::to_vec(&p), peer.compress());
        assert_eq!(ZcashUncompressed::to_vec(&p), peer.serialize());
        assert_eq!(ZcashCompressed::read(&peer.compress()), Ok(p));
        assert_eq!(ZcashUncompressed::read(&peer.serialize()), Ok(p));

        let q = G2::GENERATOR.to_jacobian().mul_vartime(&k).to_affine();
        let peer = min_sig::SecretKey::from_bytes(&secret(&k)).expect("below r").sk_to_pk();
        assert_eq!(ZcashCompressed::to_vec(&q), peer.compress());
        assert_eq!(ZcashUncompressed::to_vec(&q), peer.serialize());
        assert_eq!(ZcashCompressed::read(&peer.compress()), Ok(q));
        assert_eq!(ZcashUncompressed::read(&peer.serialize()), Ok(q));
    }
}

/// Runs both decoders on the same bytes: they must agree on the encoding, on the subgroup, and on the point.
fn same_verdict<C: Curve, E: PointEncoding>(bytes: &[u8], peer: Result<(bool, Vec<u8>), BLST_ERROR>) -> bool {
    let ours = E::read_unchecked_subgroup::<C>(bytes);
    match (&ours, &peer) {
        (Ok(p), Ok((in_subgroup, canonical))) => {
            assert!(p.is_on_curve());
            assert_eq!(p.is_in_subgroup_vartime(), *in_subgroup);
            assert_eq!(E::read::<C>(bytes).is_ok(), *in_subgroup);
            assert_eq!(&E::to_vec(p), canonical);
            assert_eq!(canonical, bytes, "one encoding for each point");
        }
        // A point with x = 0 has order three; blst refuses it already when decoding.
        (Ok(p), Err(BLST_ERROR::BLST_POINT_NOT_IN_GROUP)) => {
            assert!(p.x.is_zero() && p.is_on_curve() && E::read::<C>(bytes).is_err());
        }
        (Err(_), Err(_)) => {}
        _ => panic!("{bytes:02x?}: ours {ours:?}, blst {peer:?}"),
    }
    ours.is_ok()
}

fn g1_compressed(bytes: &[u8]) -> bool {
    let peer = PeerG1::uncompress(bytes).map(|p| (p.subgroup_check(), p.compress().to_vec()));
    same_verdict::<G1, ZcashCompressed>(bytes, peer)
}
fn g2_compressed(bytes: &[u8]) -> bool {
    let peer = PeerG2::uncompress(bytes).map(|p| (p.subgroup_check(), p.compress().to_vec()));
    same_verdict::<G2, ZcashCompressed>(bytes, peer)
}

#[test]
fn random_and_damaged_encodings() {
    let mut rng = rng(51);
    let (mut accepted, mut refused) = (0, 0);
    for round in 0..400 {
        let mut bytes = [0u8; 96];
        rng.fill_bytes(&mut bytes);
        if round % 2 == 0 {
            // Bytes that are likely to decode: the compressed flag is set, and coordinates are below the modulus.
            bytes[0] = 0x80 | (bytes[0] & 0x20) | (bytes[0] & 0x0f);
            bytes[48] &= 0x0f;
        }
        for ok in [g1_compressed(&bytes[..48]), g2_compressed(&bytes)] {
            accepted += usize::from(ok);
            refused += usize::from(!ok);
        }
    }
    assert!(accepted > 100 && refused > 300, "{accepted} accepted, {refused} refused");

    // Every pattern of flags on a valid point, on infinity, and on zeros.
    let good1 = ZcashCompressed::to_vec(&G1::GENERATOR);
    let good2 = ZcashCompressed::to_vec(&G2::GENERATOR);
    for flags in 0..8u8 {
        for (base1, base2) in [(good1.clone(), good2.clone()), (vec![0; 48], vec![0; 96])] {
            let (mut b1, mut b2) = (base1, base2);
            b1[0] = (b1[0] & 0x1f) | flags << 5;
            b2[0] = (b2[0] & 0x1f) | flags << 5;
            g1_compressed(&b1);
            g2_compressed(&b2);
            b1[47] ^= 1;
            b2[95] ^= 1;
            g1_compressed(&b1);
            g2_compressed(&b2);
        }
    }
    assert!(g1_compressed(&ZcashCompressed::to_vec(&Affine::<G1>::INFINITY)));
    assert!(g2_compressed(&ZcashCompressed::to_vec(&Affine::<G2>::INFINITY)));
    for length in [0, 1, 47, 49, 95] {
        assert!(!g1_compressed(&vec![0xc0; length]));
        assert!(!g2_compressed(&vec![0xc0; length]));
    }
}

/// Uncompressed points on the curve and outside of the subgroup, and off the curve.
#[test]
fn uncompressed_outside_of_the_subgroup() {
    let mut rng = rng(52);
    let mut outside = 0;
    for _ in 0..50 {
        let x = Fq::random(&mut rng);
        let Some(y) = (x.square() * x + G1::B).sqrt_vartime() else { continue };
        for y in [y, y + Fq::ONE] {
            let bytes = ZcashUncompressed::to_vec(&Affine::<G1>::from_xy_unchecked(x, y));
            let peer = PeerG1::deserialize(&bytes).map(|p| (p.subgroup_check(), p.serialize().to_vec()));
            outside += usize::from(same_verdict::<G1, ZcashUncompressed>(&bytes, peer));
        }
    }
    assert!(outside > 10);
}

/// blst's order of the twelve coefficients: along v, then along w, then along u.
fn value_of(f: &blst_fp12) -> Fq12 {
    let bytes = f.to_bendian();
    let mut coords = [Fq::ZERO; 12];
    for (i, chunk) in bytes.chunks(48).enumerate() {
        let (v, w, u) = (i / 4, i / 2 % 2, i % 2);
        coords[6 * w + 2 * v + u] = Fq::read_be(chunk).expect("reduced");
    }
    Fq12::from_coords(&coords)
}

#[test]
fn pairings() {
    let mut rng = rng(53);
    for i in 0..20 {
        let (p, q): (Affine<G1>, Affine<G2>) =
            if i == 0 { (G1::GENERATOR, G2::GENERATOR) } else { (point(&mut rng), point(&mut rng)) };
        let peer_p = PeerG1::deserialize(&ZcashUncompressed::to_vec(&p)).expect("on the curve");
        let peer_q = PeerG2::deserialize(&ZcashUncompressed::to_vec(&q)).expect("on the curve");
        let miller = blst_fp12::miller_loop((&peer_q).into(), (&peer_p).into());
        let theirs = value_of(&miller.final_exp());
        assert_eq!(Bls12_381::pairing(&p, &q), theirs);
        // The Miller values differ by a factor that the final exponentiation removes.
        assert_eq!(Bls12_381::final_exponentiation(&value_of(&miller)), Some(theirs));
    }
}
