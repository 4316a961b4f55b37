//! BN254 against halo2curves: group arithmetic, Miller loops, endomorphism and subgroup.

use crate::common::{point, rng, scalar};
use halo2curves::bn256 as peer;
use halo2curves::ff::PrimeField as _;
use halo2curves::group::prime::PrimeCurveAffine as _;
use halo2curves::group::{Curve as _, Group as _};
use halo2curves::pairing::MultiMillerLoop as _;
use pairwright_curve::bn254::{Bn254, Fq, Fq2, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, Pairing, Projective};
use pairwright_field::{Cubic, Field, PrimeField, Quad};

fn repr<F: PrimeField>(x: &F) -> [u8; 32] {
    let mut bytes = [0; 32];
    x.write_le(&mut bytes);
    bytes
}
fn fq(x: &Fq) -> peer::Fq {
    peer::Fq::from_repr(repr(x).into()).expect("reduced")
}
fn fr(x: &Fr) -> peer::Fr {
    peer::Fr::from_repr(repr(x).into()).expect("reduced")
}
fn g1(p: &Affine<G1>) -> peer::G1Affine {
    peer::G1Affine { x: fq(&p.x), y: fq(&p.y) }
}
fn g2(p: &Affine<G2>) -> peer::G2Affine {
    let fq2 = |x: &Fq2| peer::Fq2::new(fq(&x.c0), fq(&x.c1));
    peer::G2Affine { x: fq2(&p.x), y: fq2(&p.y) }
}
fn ours(x: &peer::Fq) -> Fq {
    Fq::read_le(x.to_repr().as_ref()).expect("reduced")
}
fn ours2(x: &peer::Fq2) -> Fq2 {
    Quad::new(ours(x.c0()), ours(x.c1()))
}
fn ours12(x: &peer::Fq12) -> Fq12 {
    let six = |x: &peer::Fq6| Cubic::new(ours2(x.c0()), ours2(x.c1()), ours2(x.c2()));
    Quad::new(six(x.c0()), six(x.c1()))
}

#[test]
fn generators_and_multiples() {
    let mut rng = rng(60);
    assert_eq!(g1(&G1::GENERATOR), peer::G1Affine::generator());
    assert_eq!(g2(&G2::GENERATOR), peer::G2Affine::generator());
    let mut scalars = vec![Fr::ZERO, Fr::ONE, Fr::from(2), -Fr::ONE, -Fr::from(2)];
    scalars.extend((0..40).map(|_| scalar::<Fr>(&mut rng)));
    for k in scalars {
        let (p, q): (Affine<G1>, Affine<G2>) = (point(&mut rng), point(&mut rng));
        let want1 = (g1(&p) * fr(&k)).to_affine();
        assert_eq!(g1(&p.to_jacobian().mul_vartime(&k).to_affine()), want1);
        assert_eq!(g1(&Projective::from(p).mul(&k).to_affine()), want1);
        let want2 = (g2(&q) * fr(&k)).to_affine();
        assert_eq!(g2(&q.to_jacobian().mul_vartime(&k).to_affine()), want2);
        assert_eq!(g2(&Projective::from(q).mul(&k).to_affine()), want2);
    }
    assert!(bool::from(peer::G1::identity().to_affine().is_identity()));
    assert_eq!(g1(&Affine::INFINITY), peer::G1Affine::identity());
}

/// halo2curves raises to (q¹² - 1)/r and does not expose the value; we raise to a multiple of that. So the test applies our
/// final exponentiation to its Miller values, which removes the factors by which the lines of the two differ.
#[test]
fn miller_loops() {
    let mut rng = rng(61);
    for n in 1..6 {
        let pairs: Vec<(Affine<G1>, Affine<G2>)> =
            (0..n).map(|_| (point(&mut rng), point(&mut rng))).collect();
        let peers: Vec<_> = pairs.iter().map(|(p, q)| (g1(p), g2(q))).collect();
        let terms: Vec<_> = peers.iter().map(|(p, q)| (p, q)).collect();
        let miller = ours12(&peer::Bn256::multi_miller_loop(&terms));
        assert_eq!(Bn254::final_exponentiation(&miller), Some(Bn254::multi_pairing(&pairs)));
    }
}
