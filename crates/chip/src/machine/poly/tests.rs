//! Tests of the engine against the host's plain transforms, and of the use of its own ports.

use super::*;
mod fields;
mod network;
mod tables;
mod vectors;

use crate::isa::Transform;
use pairwright_curve::bls12_381::Fr;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Domain, plain};
use pairwright_sim::settings::OutOfRange;
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

/// The layouts before and after a transform.
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
