//! Makes a proof of 2^16 constraints on every curve, with a full-width witness on the host device, and bounds its peak memory.

use pairwright::Boards;
use pairwright::curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright::device::Session;
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{prove, setup_local, verify};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// Number of constraints: 2^16 minus the rows of the constant one and of the public value.
const STEPS: usize = (1 << 16) - 2;

/// Peak resident memory of this process in MiB, if the system reports it.
fn peak_mib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|l| l.starts_with("VmHWM:"))?;
    Some(line.split_whitespace().nth(1)?.parse::<u64>().ok()? / 1024)
}

fn prove_and_verify<E: Boards>() {
    let device = pairwright::device::<E>("cpu").unwrap();
    let mut rng = ChaCha20Rng::seed_from_u64(16);
    let key = setup_local(&mut Session::new(&device), &chain::<E::Fr>(STEPS), &mut rng).unwrap();
    assert_eq!(key.domain.size(), 1 << 16);
    let witness = Buf::from(chain_witness(STEPS, E::Fr::from(7)));
    let mut on = Session::new(&device);
    let proof = prove(&mut on, &key, &witness, &mut rng).unwrap();
    let report = on.finish();
    verify(&mut Session::new(&device), &key.vk, &witness[1..2], &proof).unwrap();
    println!("{}: {:.2} s of operators, peak {:?} MiB", E::NAME, report.measured_seconds(), peak_mib());
}

#[test]
fn on_every_curve_within_half_a_gibibyte() {
    prove_and_verify::<Bn254>();
    prove_and_verify::<Bls12_381>();
    prove_and_verify::<Bls12_377>();
    // Keys, constraints and witnesses of one curve at a time, setup included.
    if let Some(peak) = peak_mib() {
        assert!(peak < 512, "peak of {peak} MiB");
    }
}
