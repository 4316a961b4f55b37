//! Tests of the verification of powers; in tests it reads its lists in chunks of four points.

use super::*;
use crate::ceremony::{Beacon, Contributor};
use crate::container::narrow;
use crate::points::point_bytes;
use alloc::string::{String, ToString};
use alloc::vec;
use pairwright_curve::Affine;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Curve, bls12_381::Bls12_381};
use pairwright_device::reference;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};

/// Powers with one contribution, prepared for phase 2.
fn prepared<E: Pairing>(power: u32) -> Vec<u8> {
    let file = |bytes| PtauFile::<E>::read(FileBytes::from_vec("powers.ptau", bytes)).unwrap();
    let mut first = Vec::new();
    new_powers::<E>(&mut first, power).unwrap();
    let by = Contributor::Beacon { name: String::new(), beacon: Beacon::new(vec![7; 32], 10).unwrap() };
    let (mut second, mut spool) = (Vec::new(), Cursor::new(Vec::new()));
    let device = reference::board::<E>();
    let (on, rng) = (&mut Session::new(&device), &mut ChaCha20Rng::from_seed([1; 32]));
    contribute_to_powers(on, &mut second, &mut spool, &file(first), &by, rng).unwrap();
    let mut out = Vec::new();
    prepare_ptau(on, &mut out, &file(second), &mut |_| {}).unwrap();
    out
}

fn verified<E: Pairing>(bytes: &[u8], seed: u8) -> Result<VerifiedPowers, VerifyPowersError> {
    let ptau = PtauFile::<E>::read(FileBytes::from_vec("powers.ptau", bytes.to_vec()))?;
    let device = reference::board::<E>();
    let rng = &mut ChaCha20Rng::from_seed([seed; 32]);
    let mut work = 0;
    let verified = verify_powers(&mut Session::new(&device), &ptau, rng, &mut |more| work += more)?;
    let foretold = verification_work(&ptau);
    // The estimate counts one point too many for each list whose length is one less than a power of two.
    assert_eq!(work + 9, foretold);
    Ok(verified)
}

#[test]
fn a_point_that_a_list_does_not_have_is_an_error() {
    let mut first = Vec::new();
    new_powers::<Bn254>(&mut first, 1).unwrap();
    let powers = PtauFile::<Bn254>::read(FileBytes::from_vec("powers.ptau", first)).unwrap().lists.tau_g1;
    assert_eq!(powers.at(0).unwrap(), Affine::generator());
    let why = powers.at(powers.len()).unwrap_err();
    assert!(matches!(why, FormatError::OutOfRange { start: 3, len: 3, .. }), "{why}");
}

/// A spool that returns other bytes than were written to it.
struct Forgetful(Cursor<Vec<u8>>);

impl Read for Forgetful {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.0.read(out)?;
        out[..read].fill(0xff);
        Ok(read)
    }
}
impl Write for Forgetful {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}
impl Seek for Forgetful {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.0.seek(to)
    }
}

#[test]
fn points_that_were_put_aside_and_damaged_are_not_hashed() {
    let (mut first, mut out) = (Vec::new(), Vec::new());
    new_powers::<Bn254>(&mut first, 1).unwrap();
    let first = PtauFile::<Bn254>::read(FileBytes::from_vec("powers.ptau", first)).unwrap();
    let by = Contributor::Beacon { name: String::new(), beacon: Beacon::new(vec![7; 32], 10).unwrap() };
    let device = reference::board::<Bn254>();
    let (on, rng) = (&mut Session::new(&device), &mut ChaCha20Rng::from_seed([1; 32]));
    let spool = &mut Forgetful(Cursor::new(Vec::new()));
    let why = contribute_to_powers(on, &mut out, spool, &first, &by, rng).unwrap_err();
    assert!(matches!(why, FormatError::Spool { .. }), "{why}");
}

fn of_every_size<E: Pairing>() {
    for power in 1..=4 {
        let found = verified::<E>(&prepared::<E>(power), 2);
        assert!(found.unwrap().prepared, "power {power}");
    }
}

#[test]
fn powers_of_every_size_are_accepted() {
    of_every_size::<Bn254>();
    of_every_size::<Bls12_381>();
}

/// Doubles each point of a list in turn; each change has to be noticed.
fn each_point_counts<C: Curve>(bytes: &[u8], source: &PointSource<C>, expected: &str) {
    let (size, start) = (point_bytes::<C>(), narrow(source.section().offset()));
    for index in 0..source.len() {
        let (mut point, mut doubled) = (Vec::new(), Vec::new());
        source.decode(index..index + 1, &mut point).unwrap();
        push_point(&mut doubled, &point[0].to_jacobian().double().to_affine());
        let mut wrong = bytes.to_vec();
        wrong[start + index * size..][..size].copy_from_slice(&doubled);
        let why = verified::<Bn254>(&wrong, 3).unwrap_err();
        assert!(why.is_rejection() && why.to_string().starts_with(expected), "{index}: {why}");
    }
}

#[test]
fn every_point_of_every_list_counts() {
    let bytes = prepared::<Bn254>(3);
    let ptau = PtauFile::<Bn254>::read(FileBytes::from_vec("powers.ptau", bytes.clone())).unwrap();
    let lagrange = ptau.lagrange.as_ref().unwrap();
    each_point_counts(&bytes, &ptau.lists.tau_g1, "tauG1: its ");
    each_point_counts(&bytes, &ptau.lists.tau_g2, "tauG2: its ");
    each_point_counts(&bytes, &ptau.lists.alpha_tau_g1, "alphaTauG1: its ");
    each_point_counts(&bytes, &ptau.lists.beta_tau_g1, "betaTauG1: its ");
    each_point_counts(&bytes, &lagrange.tau_g1, "tauG1: its Lagrange points");
    each_point_counts(&bytes, &lagrange.tau_g2, "tauG2: its Lagrange points");
    each_point_counts(&bytes, &lagrange.alpha_tau_g1, "alphaTauG1: its Lagrange points");
    each_point_counts(&bytes, &lagrange.beta_tau_g1, "betaTauG1: its Lagrange points");
}
