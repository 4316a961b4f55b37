//! Tests of KZG over three pairings: openings of random polynomials, rejection of wrong openings, and checks of setups.

use crate::common::rng;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_device::{Session, reference};
use pairwright_field::Field;
use pairwright_poly::{Buf, Domain};
use pairwright_protocols::kzg::{KzgError, Opening, Powers, verify, verify_many};

/// `n` powers of a τ that the test knows.
fn powers<E: Pairing>(tau: E::Fr, n: usize) -> (Vec<G1Affine<E>>, G2Affine<E>) {
    let mut power = E::Fr::ONE;
    let g1 = (0..n)
        .map(|_| {
            let point = Jacobian::<E::G1>::generator().mul_vartime(&power).to_affine();
            power *= tau;
            point
        })
        .collect();
    (g1, Jacobian::<E::G2>::generator().mul_vartime(&tau).to_affine())
}

fn polynomial<E: Pairing>(length: usize, stream: u64) -> Buf<E::Fr> {
    let mut rng = rng(stream);
    (0..length).map(|_| E::Fr::random(&mut rng)).collect::<Vec<_>>().into()
}

/// The value of a polynomial at a point, by Horner's rule.
fn value<F: Field>(coefficients: &[F], x: F) -> F {
    coefficients.iter().rev().fold(F::ZERO, |sum, coefficient| sum * x + *coefficient)
}

fn openings_are_verified<E: Pairing>() {
    let board = reference::board::<E>();
    let mut on = Session::new(&board);
    let mut rng = rng(1);
    let tau = E::Fr::random(&mut rng);
    let (g1, tau_g2) = powers::<E>(tau, 8);
    let setup = Powers::<E>::new(&mut on, g1, tau_g2, &mut rng).unwrap();

    let mut openings = Vec::new();
    // For a constant polynomial the quotient is zero; for an opening at τ itself both sides of the equation are zero.
    for (length, stream) in [(1, 2), (2, 3), (7, 4), (8, 5)] {
        let p = polynomial::<E>(length, stream);
        for point in
            [E::Fr::ZERO, E::Fr::ONE, Domain::<E::Fr>::new(3).unwrap().root(), tau, E::Fr::random(&mut rng)]
        {
            let opening = setup.open(&mut on, p.view(), point).unwrap();
            assert_eq!(opening.value, value(&p, point));
            let expected = Jacobian::<E::G1>::generator().mul_vartime(&value(&p, tau)).to_affine();
            assert_eq!(
                (opening.commitment, opening.commitment),
                (expected, setup.commit(&mut on, p.view()).unwrap())
            );
            verify(&mut on, setup.tau_g2(), &opening).unwrap();
            openings.push(opening);
        }
    }
    verify_many(&mut on, &tau_g2, &openings, &mut rng).unwrap();
    verify_many(&mut on, &tau_g2, &[], &mut rng).unwrap();

    let right = openings[12];
    let generator = Affine::<E::G1>::generator();
    let wrong: [Opening<E>; 5] = [
        Opening { value: right.value + E::Fr::ONE, ..right },
        Opening { point: right.point + E::Fr::ONE, ..right },
        Opening { proof: -right.proof, ..right },
        Opening { commitment: generator, ..right },
        Opening { proof: Affine::INFINITY, ..right },
    ];
    for (index, wrong) in wrong.into_iter().enumerate() {
        assert!(matches!(verify(&mut on, &tau_g2, &wrong), Err(KzgError::Rejected)), "{index}");
        openings[12] = wrong;
        let all = verify_many(&mut on, &tau_g2, &openings, &mut rng);
        assert!(matches!(all, Err(KzgError::Rejected)), "{index} among many");
    }
    // Two wrong openings whose errors cancel in an unweighted sum.
    openings[12] = Opening { value: right.value + E::Fr::ONE, ..right };
    openings[13].value -= E::Fr::ONE;
    assert!(matches!(verify_many(&mut on, &tau_g2, &openings, &mut rng), Err(KzgError::Rejected)));

    let long = setup.commit(&mut on, polynomial::<E>(16, 6).view()).unwrap_err();
    assert_eq!(long.to_string(), "a polynomial of 16 coefficients, the setup has powers for 8");
}

fn setups_are_checked<E: Pairing>() {
    let board = reference::board::<E>();
    let mut on = Session::new(&board);
    let mut rng = rng(7);
    let tau = E::Fr::random(&mut rng);
    let (g1, tau_g2) = powers::<E>(tau, 6);
    let mut refused = |g1: &[G1Affine<E>], tau_g2| {
        Powers::<E>::new(&mut on, g1.to_vec(), tau_g2, &mut rng).err().expect("refused").to_string()
    };
    let with = |index: usize, point| {
        let mut points = g1.clone();
        points[index] = point;
        points
    };
    let start = "the setup's points are not powers of one tau: ";
    let step = format!("{start}a point is not tau times the one before it");
    for index in 1..6 {
        assert_eq!(refused(&with(index, -g1[index]), tau_g2), step);
        assert_eq!(refused(&with(index, Affine::INFINITY), tau_g2), step);
    }
    assert_eq!(refused(&g1, -tau_g2), step);
    assert_eq!(refused(&g1[1..], tau_g2), format!("{start}the first one is not the generator"));
    assert_eq!(refused(&[], tau_g2), format!("{start}the first one is not the generator"));
    for (list, tau_g2) in [(&g1[..1], tau_g2), (&g1[..], Affine::INFINITY)] {
        assert_eq!(refused(list, tau_g2), format!("{start}tau is missing or zero"));
    }
    let (x, y) = (g1[2].x, g1[2].y);
    let off = Affine::<E::G1>::from_xy_unchecked(x, y + <E::G1 as Curve>::Base::ONE);
    assert_eq!(refused(&with(2, off), tau_g2), format!("{start}a point is outside the prime-order subgroup"));
}

macro_rules! on_every_pairing {
    ($($curve:ident: $pairing:ident),+) => {$(
        mod $curve {
            use pairwright_curve::$curve::$pairing;
            #[test]
            fn openings_are_verified() {
                super::openings_are_verified::<$pairing>();
            }
            #[test]
            fn setups_are_checked() {
                super::setups_are_checked::<$pairing>();
            }
        }
    )+};
}
on_every_pairing!(bn254: Bn254, bls12_381: Bls12_381, bls12_377: Bls12_377);
