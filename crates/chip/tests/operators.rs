//! Operators on the whole chip against the host's plain ones.

use pairwright_chip::MachineSpec;
use pairwright_chip::isa::{Group, VectorOp};
use pairwright_chip::operator::{self, Options};
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::{Method, Shape};
use pairwright_curve::{Affine, Curve, Pairing, Projective, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Domain, plain};
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

type Fr = <Bls12_381 as Pairing>::Fr;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

fn random<F: PrimeField>(n: usize, seed: u64) -> Vec<F> {
    let mut rng = rng(seed);
    (0..n).map(|_| F::random(&mut rng)).collect()
}

fn transforms<F: PrimeField>(spec: &MachineSpec, log_n: u32, options: Options) {
    let domain = Domain::<F>::new(log_n).unwrap();
    let values = random::<F>(domain.size(), u64::from(log_n));
    for shift in [F::ONE, domain.odd_shift().unwrap(), F::from(7u64)] {
        for inverse in [false, true] {
            let shape = Shape { domain, inverse, shift };
            let mut ours = values.clone();
            operator::ntt(spec, &shape, options, &mut ours).unwrap();
            let mut theirs = values.clone();
            if inverse {
                plain::coset_intt(&domain, shift, &mut theirs);
            } else {
                plain::coset_ntt(&domain, shift, &mut theirs);
            }
            assert!(ours == theirs, "2^{log_n} {inverse} {options:?}");
        }
    }
}

#[test]
fn transforms_of_one_and_two_passes() {
    let spec = MachineSpec::paper();
    for log_n in 5..=12 {
        transforms::<Fr>(&spec, log_n, Options::default());
    }
    transforms::<Fr>(&spec, 11, Options { schedule: Schedule::Unhidden, ..Options::default() });
    transforms::<Fr>(&spec, 11, Options { method: Method::Separate, ..Options::default() });
    transforms::<Fr>(&spec.with("poly.row_tables", "load").unwrap(), 11, Options::default());
    transforms::<<Bn254 as Pairing>::Fr>(&spec, 11, Options::default());
}
