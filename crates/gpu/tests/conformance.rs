//! Conformance of the operators on a CUDA device with the plain ones. Without a device and a compiler each test prints
//! that it was skipped.

mod tools;

use pairwright_curve::{Curve, Pairing, bls12_377, bls12_381, bn254};
use pairwright_device::reference;
use pairwright_field::PrimeField;
use pairwright_gpu::{Msm, Ntt, Polynomials, Setup, Sparse, Sumcheck, Trees, Workshop, board};
use pairwright_testkit::{conformance, sessions};
use std::sync::Arc;

fn on<F: PrimeField>() {
    match Setup::open(0) {
        Ok(setup) => {
            let workshop = Arc::new(Workshop::<F>::new(setup).unwrap());
            let vectors = Polynomials::new(Arc::clone(&workshop));
            let (trees, host) = (Trees::new(Arc::clone(&workshop)), Arc::new(reference::Reference));
            conformance::trees::<F>(&trees, &reference::Reference);
            conformance::hashes::<F>(&trees, &reference::Reference);
            let rounds = Sumcheck::new(Arc::clone(&workshop), host.clone()).with_least(1);
            conformance::sumchecks::<F>(&rounds, &reference::Reference);
            conformance::sparse_products::<F>(
                &Sparse::new(Arc::clone(&workshop), host),
                &reference::Reference,
            );
            conformance::polynomials::<F>(&vectors, &reference::Reference);
            conformance::field::<F>(&Ntt::new(workshop), &vectors);
        }
        Err(error) => tools::aloud(&format!("skipped: {error}")),
    }
}

/// Checks a group's sums and multiples. The sizes suit a GPU; the tests on the stand-in driver, in `msm.rs`, use
/// smaller ones.
fn group<C: Curve>(setup: &Setup, sizes: &[usize]) {
    let workshop = Arc::new(Workshop::new(setup.clone()).unwrap());
    let msm = Msm::<C>::new(workshop, Arc::new(reference::Reference));
    conformance::sums::<C>(&msm, sizes);
    conformance::multiples_of_bases::<C>(&msm);
    // All windows share one set of buckets, or several sets.
    for most in [64, 3] {
        let setup = setup.clone().with_precompute(Some(most));
        let msm = Msm::<C>::new(Arc::new(Workshop::new(setup).unwrap()), Arc::new(reference::Reference));
        conformance::sums::<C>(&msm, sizes);
    }
}

/// Checks both groups of a curve, setups and proofs.
fn groups<E: Pairing>() {
    let Ok(setup) = Setup::open(0) else { return };
    if setup.gpu.facts().name.ends_with("interpreted") {
        return;
    }
    group::<E::G1>(&setup, &[0, 1, 2, 7, 8, 9, 33, 300, 3000]);
    group::<E::G2>(&setup, &[0, 1, 2, 9, 33, 1000]);
    let board = board::<E>(setup.clone(), reference::board()).unwrap();
    sessions::a_setup(&board, 20);
    sessions::two_proofs(&board, 500);
    let setup = setup.with_precompute(Some(64));
    sessions::two_proofs(&pairwright_gpu::board::<E>(setup, reference::board()).unwrap(), 500);
}

#[test]
fn bls12_381() {
    on::<bls12_381::Fr>();
    groups::<bls12_381::Bls12_381>();
}

#[test]
fn bn254() {
    on::<bn254::Fr>();
    groups::<bn254::Bn254>();
}

#[test]
fn bls12_377() {
    on::<bls12_377::Fr>();
    groups::<bls12_377::Bls12_377>();
}
