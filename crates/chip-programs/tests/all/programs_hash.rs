//! Hashing to curves and Jubjub on the modelled machine against the host.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip_programs::points::Rows;
use pairwright_chip_programs::{hash, jubjub, scalar};
use pairwright_curve::bls12_381::{G1, G2};
use pairwright_curve::hash_to_curve::sgn0;
use pairwright_curve::jubjub::{Fr, Point};
use pairwright_curve::{Affine, HashToCurve};
use pairwright_field::{Extension, Field, PrimeField, Ring};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const STEPS: u64 = 200_000;

fn quick() -> Options {
    Options { seeds: 4, ..Options::default() }
}

/// The host's hash from the two field elements on.
fn host<C: HashToCurve>(u: [C::Base; 2]) -> Affine<C> {
    C::clear_cofactor(&(C::map_to_curve(&u[0]) + C::map_to_curve(&u[1]))).to_affine()
}

fn hashes<C: Rows + HashToCurve>(spec: &MachineSpec) {
    let chain = hash::hash_to_curve::<C>(spec, &quick()).unwrap();
    let dst = b"pairwright-chip-test";
    for message in [&b""[..], b"abc", b"a message of some length"] {
        let bank = chain.interpret(&hash::inputs::<C>(message, dst), STEPS).unwrap();
        assert_eq!(scalar::point::<C>(&bank, "result").unwrap(), C::hash_to_curve(message, dst));
    }
    // Zero, where the map has its exceptional case; elements in Fp, and multiples of u, whose sign depends on another
    // coefficient.
    let mut rng = ChaCha8Rng::seed_from_u64(51);
    let (zero, any) = (C::Base::ZERO, C::Base::random(&mut rng));
    let base = C::Base::from_prime(any.coord(0));
    let mut coords = vec![<C::Base as Extension>::Prime::ZERO; C::Base::DEGREE];
    *coords.last_mut().unwrap() = any.coord(0);
    let other = C::Base::from_coords(&coords);
    let mut signs = [false; 2];
    for u in [[zero, zero], [zero, any], [any, any], [any, -any], [base, -base], [other, -other]] {
        let inputs = vec![("elements", u.map(C::row).to_vec())];
        let bank = chain.interpret(&inputs, STEPS).unwrap();
        assert_eq!(scalar::point::<C>(&bank, "result").unwrap(), host::<C>(u), "{u:?}");
        signs[usize::from(sgn0(&u[1]).reveal())] = true;
    }
    assert_eq!(signs, [true; 2], "both signs were met");
}

#[test]
fn hashing_to_g1() {
    hashes::<G1>(&MachineSpec::paper());
}

#[test]
fn hashing_to_g2() {
    hashes::<G2>(&MachineSpec::best());
}

#[test]
fn jubjub_arithmetic() {
    let mut rng = ChaCha8Rng::seed_from_u64(52);
    let spec = MachineSpec::paper();
    let [add, double, multiply] =
        [jubjub::addition, jubjub::doubling, jubjub::multiplication].map(|f| f(&spec, &quick()).unwrap());
    let g = Point::generator();
    let mut random = || g.mul(&Fr::random(&mut rng));
    let (p, q) = (random(), random());
    for (a, b) in [(p, q), (p, p), (p, -p), (p, Point::IDENTITY), (Point::IDENTITY, Point::IDENTITY)] {
        let bank = add.interpret(&jubjub::inputs(&a, Some(&b)), STEPS).unwrap();
        assert_eq!(jubjub::result(&bank).unwrap(), (a + b).to_affine());
        let bank = double.interpret(&jubjub::inputs(&a, None), STEPS).unwrap();
        assert_eq!(jubjub::result(&bank).unwrap(), a.double().to_affine());
    }
    let k = Fr::random(&mut rng);
    for k in [Fr::ZERO, Fr::ONE, Fr::ONE.double(), -Fr::ONE, k] {
        let bank = multiply.interpret(&jubjub::scalar_inputs(&p, &k), STEPS).unwrap();
        assert_eq!(jubjub::result(&bank).unwrap(), p.mul(&k).to_affine());
    }
    assert_eq!(Fr::BITS, 252);
}
