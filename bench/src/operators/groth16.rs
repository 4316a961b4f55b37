//! Groth16 proofs: the chain circuit `x' = x² + 5` with a full-width witness, whose domain has 2^k elements.
//!
//! gnark uses its own key, and its time includes solving the circuit, as in its `Prove`; snarkjs proves from our
//! zkey and our wtns, on all cores.

use crate::bound::ProductCount;
use crate::peers::{self, Peer, Skipped, or_skip, rows_beside, take_turns_with};
use crate::{Options, Pair, Row, Table, bridge, take_turns};
use ark_ec::pairing::Pairing as ArkPairing;
use ark_ff::PrimeField as ArkPrime;
use ark_groth16::Groth16;
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, Variable,
};
use ark_snark::SNARK;
use ark_std::rand::{SeedableRng, rngs::StdRng};
use pairwright_curve::Pairing;
use pairwright_curve::pairing::Family;
use pairwright_device::{Device, Session};
use pairwright_formats::{Contributions, write_zkey};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{Proof, ProvingKey, prove, setup_local};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use std::fs::File;
use std::io::{self, BufWriter};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(20);
/// Time budget of the comparison with snarkjs, which is so slow that a few rounds suffice.
const SNARKJS_BUDGET: Duration = Duration::from_secs(10);
/// The first value of the chain.
pub const INPUT: u64 = 3;

/// A random generator for arkworks, which uses an older version of `rand`.
pub fn ark_rng() -> StdRng {
    StdRng::seed_from_u64(11)
}

/// The number of constraints that fill a domain of 2^log: the constant one and the public value take two rows.
pub fn steps(log: u32) -> usize {
    (1 << log) - 2
}

/// The same circuit for arkworks: the same constraints, and the last value is public.
#[derive(Clone)]
pub struct Chain<F> {
    /// Number of constraints.
    pub steps: usize,
    /// The first value; `None` when a key is made.
    pub input: Option<F>,
}

impl<F: ArkPrime> ConstraintSynthesizer<F> for Chain<F> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let five = F::from(5u64);
        let mut value = self.input;
        let get = |v: Option<F>| move || v.ok_or(SynthesisError::AssignmentMissing);
        let mut x = cs.new_witness_variable(get(value))?;
        for i in 0..self.steps {
            value = value.map(|v| v.square() + five);
            let next = if i + 1 < self.steps {
                cs.new_witness_variable(get(value))?
            } else {
                cs.new_input_variable(get(value))?
            };
            let side = || LinearCombination::from(x);
            cs.enforce_r1cs_constraint(side, side, || LinearCombination::from(next) - (five, Variable::One))?;
            x = next;
        }
        Ok(())
    }
}

/// The statement that is proved: the chain, with our key and the witness.
pub struct Statement<E: Family + Pairing> {
    log: u32,
    device: Device<E>,
    /// The key of our proofs.
    pub key: ProvingKey<E>,
    /// All wire values, beginning with the constant one and the public value.
    pub witness: Buf<E::Fr>,
}

fn name<E: Family + Pairing>() -> String {
    format!("{} groth16 prove", E::NAME)
}

impl<E: Family + Pairing> Statement<E> {
    /// A chain whose domain has `2^log` elements, and a key for it.
    pub fn new(log: u32) -> Self {
        let device = pairwright_cpu::board::<E>();
        let system = chain::<E::Fr>(steps(log));
        let key = setup_local(&mut Session::new(&device), &system, &mut bridge::rng(11)).expect("a key");
        let witness = Buf::from(chain_witness(steps(log), E::Fr::from(INPUT)));
        Self { log, device, key, witness }
    }

    /// Computes a proof with our prover.
    pub fn prove(&self, rng: &mut ChaCha20Rng) -> Proof<E> {
        prove(&mut Session::new(&self.device), &self.key, &self.witness, rng).expect("a proof")
    }

    fn row(&self, threads: usize, peer: &'static str, pair: &Pair) -> Row {
        Row::new(name::<E>(), format!("2^{}", self.log), threads, peer, pair, 1)
            .bounded(ProductCount::groth16::<E>(self.log))
    }

    /// Rows compared with ark-groth16, which uses a key of its own.
    pub fn against_arkworks<A: ArkPairing>(&self, options: &Options, table: &mut Table) {
        let (mut rng, mut ark_rng) = (bridge::rng(12), ark_rng());
        let circuit = Chain { steps: steps(self.log), input: Some(A::ScalarField::from(INPUT)) };
        let blank = Chain { input: None, ..circuit.clone() };
        let (key, vk) = Groth16::<A>::circuit_specific_setup(blank, &mut ark_rng).expect("a key");
        let proof = Groth16::<A>::prove(&key, circuit.clone(), &mut ark_rng).expect("a proof");
        let public = [bridge::prime_to_ark::<E::Fr, A::ScalarField>(&self.witness[1])];
        assert!(Groth16::<A>::verify(&vk, &public, &proof).expect("a verdict"));
        for (threads, pool) in options.pools() {
            let pair = pool.install(|| {
                take_turns(
                    BUDGET,
                    || (),
                    |()| self.prove(&mut rng),
                    || circuit.clone(),
                    |c| Groth16::<A>::prove(&key, c, &mut ark_rng).expect("a proof"),
                )
            });
            table.push(self.row(threads, "arkworks", &pair));
        }
    }

    /// Rows compared with gnark, which uses a key of its own.
    pub fn against_gnark(&self, options: &Options, table: &mut Table) {
        if peers::go().is_none() {
            return;
        }
        let mut rng = bridge::rng(12);
        let peer = peers::gnark(E::NAME, "prove", self.log.to_string());
        let row = |threads, peer, pair: &_| self.row(threads, peer, pair);
        rows_beside(peer, (options, table), BUDGET, || (), |()| self.prove(&mut rng), row);
    }

    /// A row compared with snarkjs, on all cores.
    pub fn against_snarkjs(&self, table: &mut Table) {
        let mut rng = bridge::rng(12);
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let turns = self.snarkjs().and_then(|mut peer| {
            take_turns_with(SNARKJS_BUDGET, &pool, || (), |()| self.prove(&mut rng), &mut peer)
        });
        if let Some(pair) = or_skip("snarkjs", turns) {
            table.push(self.row(threads, "snarkjs", &pair));
        }
    }

    /// Starts snarkjs with our key and witness.
    fn snarkjs(&self) -> Result<Peer, Skipped> {
        let write = |out: &mut BufWriter<File>| {
            write_zkey(out, &self.key, &no_contributions()).map_err(io::Error::other)
        };
        peers::snarkjs_on(write, &self.witness)
    }
}

/// Whether the rows of the benchmark on this curve pass the filter.
pub fn wanted<E: Family + Pairing>(options: &Options) -> bool {
    options.wants(&name::<E>())
}

/// The section of contributions of a key without contributions.
pub fn no_contributions() -> Contributions {
    Contributions { circuit_hash: [0; 64], count: 0, records: Vec::new() }
}
