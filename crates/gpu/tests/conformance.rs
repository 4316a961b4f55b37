//! The operators on a CUDA device against the plain ones, where there is a device and a compiler; aloud where not.

mod tools;

use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_device::reference;
use pairwright_field::PrimeField;
use pairwright_gpu::{Ntt, Polynomials, Setup, Sumcheck, Trees, Vectors, Workshop};
use pairwright_testkit::conformance;
use std::sync::Arc;

fn on<F: PrimeField>() {
    match Setup::open(0) {
        Ok(setup) => {
            let workshop = Arc::new(Workshop::<F>::new(setup).unwrap());
            let vectors = Vectors::new(Arc::clone(&workshop));
            let (trees, host) = (Trees::new(Arc::clone(&workshop)), Arc::new(reference::Plain));
            conformance::trees::<F>(&trees, &reference::Plain);
            conformance::sumchecks::<F>(&Sumcheck::new(Arc::clone(&workshop), host), &reference::Plain);
            conformance::polynomials::<F>(&Polynomials::new(Arc::clone(&workshop)), &reference::Plain);
            conformance::field::<F>(&Ntt::new(workshop), &vectors);
        }
        Err(error) => tools::aloud(&format!("skipped: {error}")),
    }
}

#[test]
fn bls12_381() {
    on::<bls12_381::Fr>();
}

#[test]
fn bn254() {
    on::<bn254::Fr>();
}

#[test]
fn bls12_377() {
    on::<bls12_377::Fr>();
}
