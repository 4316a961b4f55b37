//! Products of pairings on the modelled machine against the host.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip_programs::product;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Curve, Pairing, Projective};
use pairwright_field::Field;
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const STEPS: u64 = 100_000;

fn quick() -> Options {
    Options { seeds: 8, ..Options::default() }
}

fn random<C: Curve<Scalar = Fr>>(rng: &mut ChaCha8Rng) -> Affine<C> {
    Projective::<C>::generator().mul(&Fr::random(rng)).to_affine()
}

#[test]
fn products_of_pairings_with_and_without_infinity() {
    let mut rng = ChaCha8Rng::seed_from_u64(31);
    let spec = MachineSpec::paper();
    for k in 1..=3 {
        let chain = product::product_vartime(k, &spec, &quick()).unwrap();
        // Every combination of infinities in the first two pairs.
        for infinite in 0..1u32 << (2 * k).min(4) {
            let pairs: Vec<_> = (0..k)
                .map(|i| {
                    let (p, q) = (random::<G1>(&mut rng), random::<G2>(&mut rng));
                    let p = if infinite >> (2 * i) & 1 == 1 { Affine::INFINITY } else { p };
                    (p, if infinite >> (2 * i + 1) & 1 == 1 { Affine::INFINITY } else { q })
                })
                .collect();
            let bank = chain.interpret(&product::inputs(&pairs), STEPS).unwrap();
            let host = Bls12_381::multi_pairing(&pairs);
            assert_eq!(product::value(&bank).unwrap(), host, "{k} pairs, infinities {infinite:b}");
            assert_eq!(product::verdict(&bank).is_ok(), host == Fq12::ONE);
        }
    }
}

#[test]
fn a_product_that_is_one_is_accepted() {
    let mut rng = ChaCha8Rng::seed_from_u64(32);
    let chain = product::product_vartime(2, &MachineSpec::best(), &quick()).unwrap();
    let (p, q, k) = (random::<G1>(&mut rng), random::<G2>(&mut rng), Fr::random(&mut rng));
    let left = Projective::from(p).mul(&k).to_affine();
    let right = Projective::from(q).mul(&k).to_affine();
    for (pairs, verdict) in [([(-left, q), (p, right)], true), ([(left, q), (p, right)], false)] {
        let bank = chain.interpret(&product::inputs(&pairs), STEPS).unwrap();
        assert_eq!(product::verdict(&bank).is_ok(), verdict);
    }
}

#[test]
fn too_many_pairs_are_refused() {
    let build = |k| product::product_vartime(k, &MachineSpec::paper(), &quick());
    for k in [0, product::MOST + 1] {
        assert!(matches!(build(k), Err(CompileError::Count { most: product::MOST, .. })));
    }
    assert!(build(product::MOST).unwrap().global_rows() <= 256);
}

/// The program of the board's pairing slot: its time does not depend on secret points.
#[test]
fn products_of_finite_pairs_take_constant_time() {
    let mut rng = ChaCha8Rng::seed_from_u64(37);
    let spec = MachineSpec::best();
    for k in [1, 3, product::MOST] {
        let chain = product::finite_product(k, &spec, &quick()).unwrap();
        let mut cycles = Vec::new();
        for turn in 0..3 {
            let mut pairs: Vec<_> =
                (0..k).map(|_| (random::<G1>(&mut rng), random::<G2>(&mut rng))).collect();
            if turn == 1 {
                pairs[k - 1].0 = Affine::INFINITY;
            }
            if turn == 2 {
                pairs[0] = (G1::GENERATOR, G2::GENERATOR);
            }
            let (bank, runs) = chain.run(&product::inputs(&pairs), 1_000_000).unwrap();
            assert_eq!(product::value(&bank).unwrap(), Bls12_381::multi_pairing(&pairs), "{k} pairs, {turn}");
            cycles.push(runs.iter().map(|run| run.cycles).sum::<u64>());
        }
        assert!(cycles.iter().all(|c| *c == cycles[0]), "{k} pairs: {cycles:?}");
    }
    for found in [0, product::MOST + 1] {
        let refused = product::finite_product(found, &spec, &quick()).unwrap_err();
        assert_eq!(refused, CompileError::Count { what: "pairs", found, most: product::MOST });
    }
}
