//! The operators on an OpenCL device against the plain ones. `cargo x opencl` puts POCL, which compiles for the processor,
//! where the library is; aloud where there is none.

mod tools;

use pairwright_curve::{Curve, Pairing, bls12_377, bls12_381, bn254};
use pairwright_device::reference;
use pairwright_field::PrimeField;
use pairwright_gpu::{Msm, Ntt, Polynomials, Setup, Sumcheck, Trees, Vectors, Workshop, opencl};
use pairwright_testkit::conformance;
use std::sync::Arc;

/// A device; `None`, said aloud, where none was promised.
fn device(most: Option<u64>) -> Option<Setup> {
    match Setup::open_opencl(opencl::chosen(), most) {
        Ok(setup) => Some(setup),
        Err(error) if std::env::var_os(opencl::LIBRARY_VARIABLE).is_some() => panic!("{error}"),
        Err(error) => {
            tools::aloud(&format!("skipped: {error}"));
            None
        }
    }
}

fn operators<F: PrimeField>() {
    let Some(setup) = device(None) else { return };
    let workshop = Arc::new(Workshop::<F>::new(setup).unwrap());
    let start = std::time::Instant::now();
    let lap = |what: &str| tools::aloud(&format!("{what}: {:?}", start.elapsed()));
    conformance::trees::<F>(&Trees::new(Arc::clone(&workshop)), &reference::Plain);
    lap("trees");
    let host = Arc::new(reference::Plain);
    conformance::sumchecks::<F>(&Sumcheck::new(Arc::clone(&workshop), host), &reference::Plain);
    lap("sumchecks");
    conformance::polynomials::<F>(&Polynomials::new(Arc::clone(&workshop)), &reference::Plain);
    lap("polynomials");
    let vectors = Vectors::new(Arc::clone(&workshop));
    conformance::field::<F>(&Ntt::new(workshop), &vectors);
    lap("field");
}

#[test]
fn operators_on_bn254() {
    operators::<bn254::Fr>();
}

#[test]
fn operators_on_bls12_381() {
    operators::<bls12_381::Fr>();
}

#[test]
fn operators_on_bls12_377() {
    operators::<bls12_377::Fr>();
}

fn on<C: Curve>(setup: Setup) -> Msm<C> {
    Msm::new(Arc::new(Workshop::new(setup).unwrap()), Arc::new(reference::Plain))
}

fn sums<E: Pairing>(g1: &[usize], g2: &[usize]) {
    let Some(setup) = device(None) else { return };
    let start = std::time::Instant::now();
    conformance::sums::<E::G1>(&on(setup.clone()), g1);
    tools::aloud(&format!("g1: {:?}", start.elapsed()));
    conformance::sums::<E::G2>(&on(setup), g2);
    tools::aloud(&format!("g2: {:?}", start.elapsed()));
}

#[test]
fn sums_on_bn254() {
    sums::<bn254::Bn254>(&[0, 1, 2, 7, 8, 9, 33], &[0, 1, 9]);
}
