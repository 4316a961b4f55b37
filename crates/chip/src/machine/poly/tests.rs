//! The engine against the host's plain transforms, and against its own ports.

use super::*;
use crate::isa::Transform;
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_field::PrimeField;
use pairwright_poly::{Domain, plain};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn random<F: PrimeField>(seed: u64, len: u32) -> Vec<F> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    (0..len).map(|_| F::random(&mut rng)).collect()
}

fn load_table<F: PrimeField>(engine: &mut PolyOp<F>, memory: Bank, set: u8, table: &[F]) {
    for (word, twiddle) in (0..).zip(table) {
        engine.poke(memory, set, twiddle::word(word), *twiddle).unwrap();
    }
}

fn load<F: PrimeField>(engine: &mut PolyOp<F>, set: u8, slot: u8, layout: Layout, vector: &[F]) {
    let log_len = vector.len().ilog2();
    for (i, word) in (0..).zip(vector) {
        engine.poke(Bank::A, set, place(layout, log_len, slot, i).unwrap(), *word).unwrap();
    }
}

fn store<F: PrimeField>(engine: &PolyOp<F>, set: u8, slot: u8, layout: Layout, log_len: u32) -> Vec<F> {
    let memory = engine.holder(set, slot, log_len).unwrap();
    (0..1 << log_len)
        .map(|i| engine.peek(memory, set, place(layout, log_len, slot, i).unwrap()).unwrap())
        .collect()
}

/// Layouts before and after a transform.
fn ends(kind: Transform) -> (Layout, Layout) {
    if twiddle::is_inverse(kind) {
        (Layout::Natural, Layout::BitReversed)
    } else {
        (Layout::BitReversed, Layout::Natural)
    }
}

fn host<F: PrimeField>(kind: Transform, domain: &Domain<F>, coset: F, vector: &[F]) -> Vec<F> {
    let mut out = vector.to_vec();
    match kind {
        Transform::Ntt => plain::ntt(domain, &mut out),
        Transform::Intt => plain::intt(domain, &mut out),
        Transform::CosetNtt => plain::coset_ntt(domain, coset, &mut out),
        Transform::CosetIntt => plain::coset_intt(domain, coset, &mut out),
    }
    out
}

const KINDS: [Transform; 4] = [Transform::Ntt, Transform::Intt, Transform::CosetNtt, Transform::CosetIntt];

fn check_transforms<F: PrimeField>() {
    let mut engine = PolyOp::<F>::new(&Config::paper()).unwrap();
    for log_len in map::LOG_LENGTHS {
        let domain = Domain::<F>::new(log_len).unwrap();
        let phi = domain.odd_shift().unwrap();
        let other = F::random(&mut ChaCha20Rng::seed_from_u64(9));
        for kind in KINDS {
            let cosets = if twiddle::is_coset(kind) { vec![phi, F::from(7), other] } else { vec![F::ONE] };
            for (set, coset) in (0u8..).map(|i| i % 2).zip(cosets) {
                let table = twiddle::table(kind, log_len, domain.root(), coset).unwrap();
                load_table(&mut engine, Bank::C, set, &table);
                let slot = ((map::WORDS >> log_len) - 1) as u8;
                let vector = random::<F>(u64::from(log_len), 1 << log_len);
                let (before, after) = ends(kind);
                load(&mut engine, set, slot, before, &vector);
                let work = engine.sub_ntt(set, slot, kind, log_len).unwrap();
                let expected = host(kind, &domain, coset, &vector);
                assert!(
                    store(&engine, set, slot, after, log_len) == expected,
                    "{} {kind:?} 2^{log_len}",
                    F::NAME
                );
                let butterflies = u64::from(log_len) << (log_len - 1);
                let at = if log_len % 2 == 0 { Bank::A } else { Bank::B };
                assert_eq!(engine.holder(set, slot, log_len), Ok(at));
                assert_eq!((work.products, work.pe_cycles), (butterflies, butterflies));
                assert_eq!([work.additions, work.reads, work.writes], [2 * butterflies; 3]);
                assert_eq!(work.cycles, u64::from(log_len) * ((1 << (log_len - 3)) + 25));
            }
        }
    }
}

#[test]
fn transforms_over_bls12_381_equal_the_hosts() {
    check_transforms::<bls12_381::Fr>();
}

#[test]
fn transforms_over_bls12_377_equal_the_hosts() {
    check_transforms::<bls12_377::Fr>();
}

#[test]
fn transforms_over_bn254_equal_the_hosts() {
    check_transforms::<bn254::Fr>();
}
