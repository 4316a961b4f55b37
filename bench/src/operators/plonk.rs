//! Plonk: keys, proofs and verification of the chain circuit `x' = x² + 5` with one gate per step, whose domain has 2^k elements.
//!
//! gnark uses a key of its own, with powers of tau that it draws and their Lagrange points, which are computed
//! before its setup is timed; our setup gets the powers only. The time of gnark's `Prove` includes solving the circuit.
//! snarkjs proves from our zkey and our wtns, on all cores.

use super::groth16::{INPUT, steps};
use crate::bound::ProductCount;
use crate::peers::{self, Peer, Skipped, or_skip, rows_beside, take_turns_with};
use crate::{Options, Pair, Row, Table, bridge};
use pairwright_curve::Pairing;
use pairwright_curve::pairing::Family;
use pairwright_device::{Device, Session};
use pairwright_formats::Secrets;
use pairwright_formats::plonk::write_zkey;
use pairwright_poly::Buf;
use pairwright_protocols::plonk::{
    Claim, PreparedVerifyingKey, Proof, ProofSizes, ProvingKey, batch_verify, check_proofs, prove,
    setup_local,
};
use pairwright_testkit::circuits::{chain, chain_witness};
use std::fs::File;
use std::io::{self, BufWriter};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(20);
/// Numbers of proofs that are verified.
const COUNTS: [usize; 2] = [1, 100];
/// Base-2 logarithm of the size of the circuit whose proofs are verified.
const LOG: u32 = 4;

/// The statement that is proved: the chain, with our key and the witness.
pub struct Statement<E: Family + Pairing> {
    log: u32,
    device: Device<E>,
    /// The key of our proofs.
    pub key: ProvingKey<E>,
    /// All wire values, beginning with the constant one and the public value.
    pub witness: Buf<E::Fr>,
}

impl<E: Family + Pairing> Statement<E> {
    /// A chain whose domain has `2^log` elements, and a key for it.
    pub fn new(log: u32) -> Self {
        let device = pairwright_cpu::board::<E>();
        let key = key(&device, log);
        assert_eq!(key.vk.domain.log_size(), log, "the gates fill the domain");
        let witness = Buf::from(chain_witness(steps(log), E::Fr::from(INPUT)));
        Self { log, device, key, witness }
    }

    fn prove(&self, seed: u64) -> Proof<E> {
        let rng = &mut bridge::rng(seed);
        prove(&mut Session::new(&self.device), &self.key, &self.witness, rng).expect("a proof")
    }

    fn row(&self, threads: usize, peer: &'static str, pair: &Pair) -> Row {
        let plan = ProofSizes::of(&self.key).plan();
        Row::new(name::<E>("prove"), format!("2^{}", self.log), threads, peer, pair, 1)
            .bounded(ProductCount::plonk::<E>(self.log, &plan))
    }

    /// Starts snarkjs with our key and witness.
    fn snarkjs(&self) -> Result<Peer, Skipped> {
        let write = |out: &mut BufWriter<File>| {
            let on = &mut Session::new(&self.device);
            write_zkey(out, on, &self.key, Secrets::OnePlace).map_err(io::Error::other)
        };
        peers::snarkjs_on(write, &self.witness)
    }
}

/// Makes a key from powers of tau with a random τ.
pub fn key<E: Pairing>(device: &Device<E>, log: u32) -> ProvingKey<E> {
    let system = chain::<E::Fr>(steps(log));
    setup_local(&mut Session::new(device), &system, &mut bridge::rng(11)).expect("a key")
}

fn name<E: Family + Pairing>(what: &str) -> String {
    format!("{} plonk {what}", E::NAME)
}

/// Rows of keys and proofs compared with gnark.
pub fn against_gnark<E: Family + Pairing>(options: &Options, table: &mut Table) {
    if peers::go().is_none() {
        return;
    }
    for log in options.sizes_or(&[16]) {
        if options.wants(&name::<E>("setup")) {
            let peer = peers::gnark(E::NAME, "plonk-setup", log.to_string());
            let device = pairwright_cpu::board::<E>();
            let row = |threads, peer, pair: &_| {
                Row::new(name::<E>("setup"), format!("2^{log}"), threads, peer, pair, 1)
            };
            rows_beside(peer, (options, table), BUDGET, || (), |()| key(&device, log), row);
        }
        if options.wants(&name::<E>("prove")) {
            let statement = Statement::<E>::new(log);
            let peer = peers::gnark(E::NAME, "plonk-prove", log.to_string());
            let row = |threads, peer, pair: &_| statement.row(threads, peer, pair);
            rows_beside(peer, (options, table), BUDGET, || (), |()| statement.prove(12), row);
        }
    }
}

/// Base-2 logarithm of the largest domain on which snarkjs is measured; larger ones take minutes.
const MOST_OF_SNARKJS: u32 = 16;

/// A row of proofs compared with snarkjs, on all cores.
pub fn against_snarkjs<E: Family + Pairing>(options: &Options, table: &mut Table) {
    if !options.wants(&name::<E>("prove")) {
        return;
    }
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
    for log in options.sizes_or(&[16]).into_iter().filter(|log| *log <= MOST_OF_SNARKJS) {
        let statement = Statement::<E>::new(log);
        let turns = statement
            .snarkjs()
            .and_then(|mut peer| take_turns_with(BUDGET, &pool, || (), |()| statement.prove(12), &mut peer));
        if let Some(pair) = or_skip("snarkjs", turns) {
            table.push(statement.row(threads, "snarkjs", &pair));
        }
    }
}

/// Rows of verification compared with gnark, which verifies proofs one by one, divided among threads. Both sides check points.
pub fn verification<E: Family + Pairing>(options: &Options, table: &mut Table) {
    if peers::go().is_none() || !options.wants(&name::<E>("verify")) {
        return;
    }
    for count in COUNTS {
        let statement = Statement::<E>::new(LOG);
        let on = &mut Session::new(&statement.device);
        let key = PreparedVerifyingKey::new(on, &statement.key.vk.clone().check().expect("a good key"))
            .expect("prepared");
        let proofs: Vec<_> = (0..count).map(|i| statement.prove(i as u64)).collect();
        let public = &statement.witness[1..2];
        let verify = |()| {
            let on = &mut Session::new(&statement.device);
            let checked = check_proofs(on, &proofs, &mut bridge::rng(15)).expect("in the subgroup");
            let claims: Vec<_> = checked.iter().map(|proof| Claim { key: &key, public, proof }).collect();
            match &claims[..] {
                [one] => key.verify(on, one.public, one.proof).expect("valid"),
                many => batch_verify(on, many, &mut bridge::rng(14)).expect("valid"),
            }
        };
        let row = |threads, peer, pair: &_| {
            Row::new(name::<E>("verify, points checked"), count.to_string(), threads, peer, pair, 1)
        };
        let peer = peers::gnark(E::NAME, "plonk-verify", count.to_string());
        rows_beside(peer, (options, table), BUDGET, || (), verify, row);
    }
}
