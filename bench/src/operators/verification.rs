//! Verification of Groth16 proofs, one and many together, under a prepared key.
//!
//! The statement has one public value; its content does not matter to a verifier. Points are not checked in the rows with arkworks and
//! are checked by gnark's `Verify`, so our verifier is measured both ways. Neither peer verifies many proofs together; they verify one by
//! one, divided among threads.

use super::groth16::{Chain, INPUT, Statement, ark_rng, steps};
use crate::bound::ProductCount;
use crate::bridge::{self, ArkCurve};
use crate::peers::{self, rows_beside};
use crate::{Options, Pair, Row, Table, take_turns};
use ark_groth16::{Groth16, prepare_verifying_key};
use ark_snark::SNARK;
use pairwright_curve::Affine;
use pairwright_curve::Pairing;
use pairwright_curve::pairing::Family;
use pairwright_device::{Device, Session};
use pairwright_field::Ring;
use pairwright_protocols::groth16::{PreparedVerifyingKey, Proof, VerifyingKey, check_proofs, verify};
use rayon::prelude::*;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);
/// Base-2 logarithm of the size of the circuit.
const LOG: u32 = 4;
/// Numbers of proofs.
const COUNTS: [usize; 2] = [1, 128];

/// Our proofs of one statement, and the prepared key.
struct Verifier<E: Family + Pairing> {
    device: Device<E>,
    statement: Statement<E>,
    key: PreparedVerifyingKey<E>,
    proofs: Vec<Proof<E>>,
}

impl<E: Family + Pairing> Verifier<E> {
    fn new(count: usize) -> Self {
        let device = pairwright_cpu::board::<E>();
        let statement = Statement::<E>::new(LOG);
        let vk = statement.key.vk.clone().check().expect("a good key");
        let key = PreparedVerifyingKey::new(&mut Session::new(&device), &vk).expect("prepared");
        let mut rng = bridge::rng(13);
        let proofs = (0..count).map(|_| statement.prove(&mut rng)).collect();
        Self { device, statement, key, proofs }
    }

    fn public(&self) -> &[E::Fr] {
        &self.statement.witness[1..2]
    }

    /// Verifies all proofs; with `checking`, their points are checked first.
    fn verify(&self, checking: bool) -> impl FnMut(()) + Send + '_ {
        let checked = |proof: &Proof<E>| proof.check().expect("in the subgroup");
        let before: Vec<_> = self.proofs.iter().map(|p| (self.public().to_vec(), checked(p))).collect();
        let mut rng = bridge::rng(14);
        move |()| {
            let on = &mut Session::new(&self.device);
            let now: Vec<_>;
            let batch = if checking {
                let proofs = match &self.proofs[..] {
                    [one] => vec![checked(one)],
                    many => check_proofs(on, many, &mut rng).expect("in the subgroup"),
                };
                now = proofs.into_iter().map(|proof| (self.public().to_vec(), proof)).collect();
                &now
            } else {
                &before
            };
            match &batch[..] {
                [(public, proof)] => self.key.verify(on, public, proof).expect("valid"),
                batch => self.key.batch_verify(on, batch, &mut rng).expect("valid"),
            }
        }
    }

    fn row(&self, checking: bool, threads: usize, peer: &'static str, pair: &Pair) -> Row {
        let n = self.proofs.len();
        // The bound does not include checks of points, so rows with checks have none.
        Row::new(name::<E>(checking), n.to_string(), threads, peer, pair, 1)
            .bounded((n >= 8 && !checking).then(|| ProductCount::proofs::<E>(n)))
    }
}

fn name<E: Family + Pairing>(checking: bool) -> String {
    format!("{} groth16 verify, prepared key{}", E::NAME, if checking { ", points checked" } else { "" })
}

/// Rows compared with ark-groth16 under a prepared key, with and without checks of points on our side.
pub fn against_arkworks<E: Family + Pairing, A: ArkCurve>(options: &Options, table: &mut Table) {
    if !options.wants(&name::<E>(true)) {
        return;
    }
    for n in COUNTS {
        let ours = Verifier::<E>::new(n);
        same_verdicts::<E, A>(&ours.statement.key.vk, ours.public(), &ours.proofs[0]);
        let mut rng = ark_rng();
        let circuit = Chain { steps: steps(LOG), input: Some(A::ScalarField::from(INPUT)) };
        let blank = Chain { input: None, ..circuit.clone() };
        let (key, vk) = Groth16::<A>::circuit_specific_setup(blank, &mut rng).expect("a key");
        let vk = prepare_verifying_key(&vk);
        let proof = || Groth16::<A>::prove(&key, circuit.clone(), &mut rng).expect("a proof");
        let proofs: Vec<_> = std::iter::repeat_with(proof).take(n).collect();
        let public = [bridge::prime_to_ark::<E::Fr, A::ScalarField>(&ours.public()[0])];
        let theirs = |()| {
            proofs.par_iter().for_each(|proof| {
                let ok = Groth16::<A>::verify_with_processed_vk(&vk, &public, proof);
                assert!(ok.expect("a verdict"));
            });
        };
        for checking in [false, true] {
            for (threads, pool) in options.pools() {
                let verify = ours.verify(checking);
                let pair = pool.install(|| take_turns(BUDGET, || (), verify, || (), theirs));
                table.push(ours.row(checking, threads, "arkworks", &pair));
            }
        }
        if n == 1 {
            unprepared(&ours, theirs, options, table);
        }
    }
}

/// Rows with a key that is used once on our side, compared with a peer whose key is prepared.
fn unprepared<E: Family + Pairing>(
    ours: &Verifier<E>,
    theirs: impl Fn(()) + Sync + Send + Copy,
    options: &Options,
    table: &mut Table,
) {
    for (threads, pool) in options.pools() {
        let once = |()| {
            let on = &mut Session::new(&ours.device);
            verify(on, &ours.statement.key.vk, ours.public(), &ours.proofs[0]).expect("valid");
        };
        let pair = pool.install(|| take_turns(BUDGET, || (), once, || (), theirs));
        let name = format!("{} groth16 verify, unprepared key, points checked", E::NAME);
        table.push(Row::new(name, "1", threads, "arkworks", &pair, 1));
    }
}

/// Rows compared with gnark; both sides use prepared keys and check points.
pub fn against_gnark<E: Family + Pairing>(options: &Options, table: &mut Table) {
    if !options.wants(&name::<E>(true)) || peers::go().is_none() {
        return;
    }
    for n in COUNTS {
        let ours = Verifier::<E>::new(n);
        let peer = peers::gnark(E::NAME, "verify", n.to_string());
        let row = |threads, peer, pair: &_| ours.row(true, threads, peer, pair);
        rows_beside(peer, (options, table), BUDGET, || (), ours.verify(true), row);
    }
}

/// Checks that ark-groth16's prepared verification gives the same verdict as ours on our key and proof, and on wrong proofs.
fn same_verdicts<E: Family + Pairing, A: ArkCurve>(vk: &VerifyingKey<E>, public: &[E::Fr], proof: &Proof<E>) {
    let g1 = |p: &[_]| bridge::points_to_ark::<E::G1, A::G1Config>(p);
    let g2 = |p: &[_]| bridge::points_to_ark::<E::G2, A::G2Config>(p);
    let [beta_g2, gamma_g2, delta_g2] = [vk.beta_g2, vk.gamma_g2, vk.delta_g2].map(|q| g2(&[q])[0]);
    let theirs = prepare_verifying_key::<A>(&ark_groth16::VerifyingKey {
        alpha_g1: g1(&[vk.alpha_g1])[0],
        beta_g2,
        gamma_g2,
        delta_g2,
        gamma_abc_g1: g1(&vk.ic),
    });
    let device = pairwright_cpu::board::<E>();
    let on = &mut Session::new(&device);
    let ours = PreparedVerifyingKey::new(on, &vk.clone().check().expect("a good key")).expect("prepared");
    let wrong: Vec<E::Fr> = public.iter().map(|x| x.double()).collect();
    let infinity = Affine::INFINITY;
    for (public, proof, valid) in [
        (public, *proof, true),
        (public, Proof { a: -proof.a, b: -proof.b, ..*proof }, true),
        (public, Proof { a: -proof.a, ..*proof }, false),
        (public, Proof { c: -proof.c, ..*proof }, false),
        (public, Proof { a: proof.c, c: proof.a, ..*proof }, false),
        (public, Proof { a: infinity, ..*proof }, false),
        (public, Proof { b: Affine::INFINITY, ..*proof }, false),
        (public, Proof { c: infinity, ..*proof }, false),
        (&wrong, *proof, false),
    ] {
        let points = ark_groth16::Proof { a: g1(&[proof.a])[0], b: g2(&[proof.b])[0], c: g1(&[proof.c])[0] };
        let inputs = bridge::primes_to_ark::<E::Fr, A::ScalarField>(public);
        assert_eq!(Groth16::<A>::verify_proof(&theirs, &points, &inputs).expect("a verdict"), valid);
        assert_eq!(ours.verify(on, public, &proof.check().expect("in the subgroup")).is_ok(), valid);
    }
}
