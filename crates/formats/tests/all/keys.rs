//! `.zkey`: samples of snarkjs, proofs with them, and round trips of files written by this crate.

use crate::common::{bytes, chain, file, rng, vector};
use core::ops::ControlFlow;
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Entry, EntrySource, Session, reference};
use pairwright_field::Field;
use pairwright_formats::{Contributions, R1csFile, WtnsFile, ZkeyFile, write_local_zkey, write_zkey};
use pairwright_poly::{Buf, Source};
use pairwright_protocols::groth16::{LocalSetup, ProvingKey, prove, setup_local, verify};
use pairwright_protocols::r1cs::ConstraintSource;

fn points<C: Curve>(source: &dyn Source<Affine<C>>) -> Vec<Affine<C>> {
    let mut out = Vec::new();
    source.read(0..source.len(), &mut out).unwrap();
    out
}

fn entries<F: pairwright_field::PrimeField>(source: &dyn EntrySource<F>) -> Vec<Entry<F>> {
    let mut out = Vec::new();
    source.read(0..source.len(), &mut |e| out.push(e)).unwrap();
    out
}

fn assert_same<E: Pairing>(a: &ProvingKey<E>, b: &ProvingKey<E>) {
    assert_eq!((a.domain, a.wires, a.public), (b.domain, b.wires, b.public));
    assert_eq!(a.vk, b.vk);
    assert_eq!((a.beta_g1, a.delta_g1), (b.beta_g1, b.delta_g1));
    assert_eq!(points(a.a.as_ref()), points(b.a.as_ref()));
    assert_eq!(points(a.b_g1.as_ref()), points(b.b_g1.as_ref()));
    assert_eq!(points(a.b_g2.as_ref()), points(b.b_g2.as_ref()));
    assert_eq!(points(a.c.as_ref()), points(b.c.as_ref()));
    assert_eq!(points(a.h.as_ref()), points(b.h.as_ref()));
    assert_eq!(entries(&a.coefficients), entries(&b.coefficients));
}

/// Proves with the key and verifies; a wrong public value is refused.
fn proves<E: Pairing>(key: &ProvingKey<E>, witness: &Buf<E::Fr>) {
    let board = reference::board::<E>();
    let mut session = Session::new(&board);
    let proof = prove(&mut session, key, witness, &mut rng(3)).unwrap();
    let mut public = witness[1..=key.public].to_vec();
    verify(&mut session, &key.vk, &public, &proof).unwrap();
    public[0] += E::Fr::ONE;
    assert!(verify(&mut session, &key.vk, &public, &proof).is_err());
}

fn cube<E: Pairing>(folder: &str) {
    let path = |name: &str| format!("circom/cube/{folder}/{name}");
    let zkey = ZkeyFile::<E>::open(vector(&path("cube.zkey"))).unwrap();
    assert_eq!((zkey.wires(), zkey.public(), zkey.domain().size()), (5, 1, 8));
    let report = zkey.check(&mut Session::new(&reference::board()), &mut rng(1)).unwrap();
    let elements: Vec<_> = report.sections.iter().map(|s| (s.id, s.elements)).collect();
    assert_eq!(elements, [(2, 6), (3, 2), (4, 6), (5, 5), (6, 5), (7, 5), (8, 3), (9, 8)]);
    assert_eq!(report.elements(), 40);
    let key = zkey.proving_key().unwrap();
    assert_eq!(zkey.verifying_key().unwrap(), key.vk);

    // The coefficients are those of the circuit: constraint by constraint, A before B, and then one row per public wire.
    let r1cs = R1csFile::<E::Fr>::open(vector(&path("cube.r1cs"))).unwrap();
    let mut expected = Vec::new();
    r1cs.visit(&mut |j, k| {
        for (matrix, side) in [(0, &k.a), (1, &k.b)] {
            for &(column, value) in side {
                expected.push(Entry { matrix, row: j as u32, column, value });
            }
        }
        ControlFlow::Continue(())
    })
    .unwrap();
    expected.extend((0..2).map(|s| Entry { matrix: 0, row: 3 + s, column: s, value: E::Fr::ONE }));
    assert_eq!(entries(&key.coefficients), expected);

    let witness = WtnsFile::<E::Fr>::open(vector(&path("witness.wtns"))).unwrap().witness().unwrap();
    proves(&key, &witness);

    // Written again, it is the same file.
    let mut ours = Vec::new();
    write_zkey(&mut ours, &key, &zkey.contributions().unwrap()).unwrap();
    assert_eq!(ours, bytes(&path("cube.zkey")));
}

#[test]
fn snarkjs_wrote_it_for_bn128() {
    cube::<Bn254>("bn128");
}

#[test]
fn snarkjs_wrote_it_for_bls12381() {
    cube::<Bls12_381>("bls12381");
}

fn round_trip<E: Pairing>() {
    let board = reference::board::<E>();
    let (system, witness) = chain::<E::Fr>(6, 11);
    let key = setup_local::<E>(&mut Session::new(&board), &system, &mut rng(5)).unwrap();
    let contributions = Contributions { circuit_hash: [7; 64], count: 2, records: vec![1, 2, 3] };
    let mut ours = Vec::new();
    write_zkey(&mut ours, &key, &contributions).unwrap();
    let zkey = ZkeyFile::<E>::read(file("ours.zkey", &ours)).unwrap();
    zkey.check(&mut Session::new(&reference::board()), &mut rng(2)).unwrap();
    assert_eq!(zkey.contributions().unwrap(), contributions);
    let back = zkey.proving_key().unwrap();
    assert_same(&key, &back);
    // Reading a range of a source gives the same elements.
    let (all, mut part) = (points(back.a.as_ref()), Vec::new());
    back.a.read(2..5, &mut part).unwrap();
    assert_eq!(part, all[2..5]);
    let mut part = Vec::new();
    back.coefficients.read(3..7, &mut |e| part.push(e)).unwrap();
    assert_eq!(part, entries(&key.coefficients)[3..7]);
    // As they are stored they have a factor.
    let factor = back.coefficients.factor().expect("the Montgomery radix is not one");
    let mut stored = Vec::new();
    back.coefficients
        .read_stored(3..7, &mut |e| stored.push(Entry { value: factor * e.value, ..e }))
        .unwrap();
    assert_eq!(stored, part);
    assert!(back.a.read(2..all.len() + 1, &mut Vec::new()).is_err());
    proves(&back, &Buf::from(witness));
}

/// A key that is written while its points are computed has the same bytes as one that was in memory.
fn written_while_computed<E: Pairing>() {
    let board = reference::board::<E>();
    let mut on = Session::new(&board);
    let (system, _) = chain::<E::Fr>(6, 11);
    let key = setup_local::<E>(&mut on, &system, &mut rng(5)).unwrap();
    let (mut whole, mut parts) = (Vec::new(), Vec::new());
    write_zkey(&mut whole, &key, &Contributions::none()).unwrap();
    let local = LocalSetup::draw(&system, &mut rng(5)).unwrap();
    write_local_zkey(&mut parts, &mut on, &system, &local).unwrap();
    assert!(whole == parts, "{}", E::NAME);
}

#[test]
fn a_key_is_written_while_it_is_computed() {
    written_while_computed::<Bn254>();
    written_while_computed::<Bls12_381>();
}

#[test]
fn what_we_write_reads_back() {
    round_trip::<Bn254>();
    round_trip::<Bls12_381>();
    round_trip::<Bls12_377>();
}
