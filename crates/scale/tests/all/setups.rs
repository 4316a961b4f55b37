//! Keys that are written while they are computed from powers of tau have the same bytes as keys in memory, for all step sizes.

use pairwright_curve::{Pairing, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Device, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_formats::{
    FileBytes, FormatError, PtauFile, R1csFile, ZkeyFile, first_key, setup_with_ptau, write_first_zkey,
    write_ptau, write_r1cs, write_with_contribution, write_zkey,
};
use pairwright_protocols::groth16::{PowersSetup, SetupSteps};
use pairwright_protocols::r1cs::{Constraint, ConstraintSource, R1cs};
use pairwright_testkit::circuits::chain;
use pairwright_testkit::powers::KnownPowers;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::io::{self, Write};
use std::ops::ControlFlow;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A chain with one more constraint, whose linear combination has every wire.
fn circuit<F: PrimeField>() -> R1cs<F> {
    let (plain, mut constraints) = (chain::<F>(200), Vec::new());
    let mut push = |_, k: &Constraint<F>| {
        constraints.push(k.clone());
        ControlFlow::Continue(())
    };
    plain.visit(&mut push).unwrap();
    let wires = plain.shape().wires as u32;
    let sum = (0..wires).map(|wire| (wire, F::random(&mut rng(u64::from(wire))))).collect();
    constraints.push(Constraint { a: sum, b: vec![(0, F::from(3))], c: vec![] });
    R1cs::new(plain.shape(), constraints).unwrap()
}

/// Makes a file of `2^power` powers of tau and a file of the circuit.
fn files<E: Pairing>(device: &Device<E>, power: u32) -> (PtauFile<E>, R1csFile<E::Fr>) {
    let mut rng = rng(u64::from(power));
    let known = KnownPowers::new(device, power, [(); 3].map(|()| E::Fr::random(&mut rng))).unwrap();
    let (mut ptau, mut r1cs) = (Vec::new(), Vec::new());
    write_ptau(&mut ptau, &known, power, &[0; 4]).unwrap();
    write_r1cs(&mut r1cs, &circuit::<E::Fr>()).unwrap();
    let read = |name: &str, bytes| FileBytes::from_vec(name, bytes);
    (PtauFile::read(read("known.ptau", ptau)).unwrap(), R1csFile::read(read("chain.r1cs", r1cs)).unwrap())
}

fn streamed<E: Pairing>(
    device: &Device<E>,
    (ptau, system): (&PtauFile<E>, &R1csFile<E::Fr>),
    steps: SetupSteps,
) -> [Vec<u8>; 2] {
    let (on, mut rng) = (&mut Session::new(device), rng(3));
    let setup = PowersSetup::new(on, system, ptau, steps, &mut rng).unwrap();
    let (mut first, mut after) = (Vec::new(), Vec::new());
    write_first_zkey(&mut first, on, system, (&setup, ptau)).unwrap();
    let key = ZkeyFile::read(FileBytes::from_vec("first.zkey", first.clone())).unwrap();
    write_with_contribution(&mut after, on, &key, "us", &mut rng).unwrap();
    [first, after]
}

fn has_the_bytes_of_memory<E: Pairing>() {
    let device = pairwright_cpu::board::<E>();
    // Ceremonies of the circuit's own power, and of a larger one.
    for power in [8, 9] {
        let (ptau, system) = files(&device, power);
        let on = &mut Session::new(&device);
        let mut expected = [Vec::new(), Vec::new()];
        let (key, record) = first_key(on, &system, &ptau, &mut rng(3)).unwrap();
        write_zkey(&mut expected[0], &key, &record).unwrap();
        let (key, record) = setup_with_ptau(on, &system, &ptau, "us", &mut rng(3)).unwrap();
        write_zkey(&mut expected[1], &key, &record).unwrap();
        for (points, wires) in [([1, 1], [1, 300]), ([7, 100], [64, 5]), ([1000, 3], [203, 202])] {
            let steps = SetupSteps { points, wires };
            assert!(streamed(&device, (&ptau, &system), steps) == expected, "2^{power}, {steps:?}");
        }
        assert!(streamed(&device, (&ptau, &system), SetupSteps::WHOLE) == expected, "2^{power}");
    }
}

#[test]
fn has_the_bytes_of_memory_on_bn254() {
    has_the_bytes_of_memory::<Bn254>();
}

#[test]
fn has_the_bytes_of_memory_on_bls12_381() {
    has_the_bytes_of_memory::<Bls12_381>();
}

/// A disk with room for this many bytes.
struct Full(usize);

impl Write for Full {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0 = self.0.checked_sub(bytes.len()).ok_or(io::ErrorKind::StorageFull)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[test]
fn a_full_disk_is_an_error() {
    let device = pairwright_cpu::board::<Bn254>();
    let (ptau, system) = files(&device, 8);
    let steps = SetupSteps { points: [64; 2], wires: [64; 2] };
    let on = &mut Session::new(&device);
    let setup = PowersSetup::new(on, &system, &ptau, steps, &mut rng(3)).unwrap();
    for room in [0, 100, 20_000, 60_000] {
        let failed = write_first_zkey(&mut Full(room), on, &system, (&setup, &ptau));
        assert!(matches!(failed, Err(FormatError::Write(why)) if why.kind() == io::ErrorKind::StorageFull));
    }
}

#[test]
fn steps_follow_memory() {
    let steps = SetupSteps::within::<Bn254>(64 << 20);
    // 64 bytes a point, 32 a scalar, 96 a sum of G1.
    assert_eq!(steps.wires, [(64 << 20) / 160, (64 << 20) / 320]);
    assert_eq!(steps.points, [(64 << 20) / 256, (64 << 20) / 320]);
    assert_eq!(SetupSteps::within::<Bn254>(0), SetupSteps { points: [1 << 10; 2], wires: [1 << 10; 2] });
}
