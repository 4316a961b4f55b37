//! Scalar multiplication on the modelled machine against the host.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip_programs::points::Rows;
use pairwright_chip_programs::{Chain, endomorphism, scalar};
use pairwright_curve::bls12_381::{Fq, Fr, G1, G2};
use pairwright_curve::{Affine, Projective};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const STEPS: u64 = 100_000;

fn quick() -> Options {
    Options { seeds: 8, ..Options::default() }
}

fn on_chain<C: Rows<Scalar = Fr>>(chain: &Chain<Fq>, p: &Affine<C>, k: &Fr) -> Affine<C> {
    let bank = chain.interpret(&scalar::inputs(p, k), STEPS).unwrap();
    scalar::point(&bank, "result").unwrap()
}

fn multiplies<C: Rows<Scalar = Fr>>(seed: u64) {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let spec = MachineSpec::paper();
    let programs = [
        scalar::multiplication(C::GROUP, &spec, &quick()).unwrap(),
        scalar::multiplication_vartime(C::GROUP, &spec, &quick()).unwrap(),
    ];
    let p = Projective::<C>::generator().mul(&Fr::random(&mut rng)).to_affine();
    let minus_one = -Fr::ONE;
    let scalars = [Fr::ZERO, Fr::ONE, Fr::ONE.double(), minus_one, Fr::random(&mut rng)];
    for chain in &programs {
        for k in &scalars {
            assert_eq!(on_chain(chain, &p, k), Projective::from(p).mul(k).to_affine());
        }
        assert_eq!(on_chain(chain, &Affine::<C>::INFINITY, &scalars[4]), Affine::INFINITY);
        // A random point of the curve, which is most likely outside the subgroup.
        let x = (0..).map(|_| C::Base::random(&mut rng)).find_map(|x| {
            let y = (x * x * x + C::B).sqrt_vartime()?;
            Some(Affine::<C>::from_xy_unchecked(x, y))
        });
        let any = x.unwrap();
        assert!(!any.is_in_subgroup_vartime());
        let multiple = any.to_jacobian().mul_limbs_vartime(scalars[4].to_limbs().as_ref());
        assert_eq!(on_chain(chain, &any, &scalars[4]), multiple.to_affine());
    }
    let split = endomorphism::multiplication(C::GROUP, &spec, &quick()).unwrap();
    for k in &scalars {
        for p in [p, Affine::INFINITY] {
            let bank = split.interpret(&endomorphism::inputs(&p, k), STEPS).unwrap();
            let found = scalar::point::<C>(&bank, "result").unwrap();
            assert_eq!(found, Projective::from(p).mul(k).to_affine());
        }
    }
}

#[test]
fn scalar_multiplication_in_g1() {
    multiplies::<G1>(21);
}

#[test]
fn scalar_multiplication_in_g2() {
    multiplies::<G2>(22);
}
