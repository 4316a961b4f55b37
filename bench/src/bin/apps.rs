//! Groth16 proofs of the applications ([CP] Fig. 25) compared with arkworks, the paper's baseline: the same constraints and
//! witness; each side makes its own key.
//!
//!     apps [--circuit FILE.r1cs]... [--rounds N] [--threads 2] [--save] [FILTER]
//!
//! `FILE.wtns` is next to `FILE.r1cs`. Without a circuit, the applications in `target/circuits/bls12381` are measured, where
//! `node circuits/build.mjs apps --size full` puts them, with witnesses made by `pairwright witness`. Keys are
//! made once, and so are proofs of more than 2^19 constraints.
//!
//! arkworks gets matrices and witness, as our prover does, so its time does not include the synthesis of the circuit.

use ark_ff::{PrimeField as ArkPrime, UniformRand};
use ark_groth16::{Groth16, prepare_verifying_key};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, Variable,
};
use ark_relations::utils::matrix::Matrix;
use ark_snark::SNARK;
use ark_std::rand::{SeedableRng, rngs::StdRng};
use pairwright_bench::bridge::{self, ArkCurve};
use pairwright_bench::{Options, Row, Table, take_rounds, take_turns};
use pairwright_curve::{Pairing, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_formats::{R1csFile, WtnsFile};
use pairwright_protocols::groth16::{PreparedVerifyingKey, prove, setup_local};
use pairwright_protocols::r1cs::{Combination, ConstraintSource, Shape};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(20);
/// Number of constraints above which a proof takes so long that only one round is measured.
const LONG: usize = 1 << 19;
const VERIFY_BUDGET: Duration = Duration::from_secs(2);
/// The applications, and the folder of their build.
const FULL: [&str; 4] = ["tree256", "sha4", "sudoku90", "rollup36"];
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../target/circuits/bls12381");

/// The three matrices of a circuit in arkworks' types. Wires are numbered as in our format: public ones first.
struct Matrices<F> {
    shape: Shape,
    abc: [Matrix<F>; 3],
}

impl<A: ArkPrime> Matrices<A> {
    fn of<F: PrimeField>(system: &dyn ConstraintSource<F>) -> Self {
        let mut abc = [Vec::new(), Vec::new(), Vec::new()];
        let row = |terms: &Combination<F>| {
            terms.iter().map(|(wire, x)| (bridge::prime_to_ark::<F, A>(x), *wire as usize)).collect()
        };
        let each = &mut |_, constraint: &pairwright_protocols::r1cs::Constraint<F>| {
            let sides = [&constraint.a, &constraint.b, &constraint.c];
            abc.iter_mut().zip(sides).for_each(|(matrix, side)| matrix.push(row(side)));
            ControlFlow::Continue(())
        };
        system.visit(each).expect("constraints");
        Self { shape: system.shape(), abc }
    }
}

/// The circuit in the form in which arkworks makes a key: without values.
impl<A: ArkPrime> ConstraintSynthesizer<A> for &Matrices<A> {
    fn generate_constraints(self, cs: ConstraintSystemRef<A>) -> Result<(), SynthesisError> {
        let missing = || Err(SynthesisError::AssignmentMissing);
        let mut wires = vec![Variable::One];
        for wire in 1..self.shape.wires {
            wires.push(if wire <= self.shape.public() {
                cs.new_input_variable(missing)?
            } else {
                cs.new_witness_variable(missing)?
            });
        }
        let side =
            |terms: &[(A, usize)]| LinearCombination(terms.iter().map(|(x, w)| (*x, wires[*w])).collect());
        let [a, b, c] = &self.abc;
        for ((a, b), c) in a.iter().zip(b).zip(c) {
            cs.enforce_r1cs_constraint(|| side(a), || side(b), || side(c))?;
        }
        Ok(())
    }
}

fn beside<E: Pairing, A: ArkCurve>(
    system: &R1csFile<E::Fr>,
    path: &Path,
    options: &Options,
    table: &mut Table,
) {
    let name = path.file_stem().unwrap_or_default().to_string_lossy();
    if !options.wants(&name) {
        return;
    }
    let witness = WtnsFile::<E::Fr>::open(path.with_extension("wtns")).and_then(|file| file.witness());
    let witness = witness.unwrap_or_else(|e| stop(&e.to_string()));
    pairwright_protocols::r1cs::check(system, &witness).expect("a witness of this circuit");
    let shape = system.shape();
    let inputs = shape.public() + 1;
    let device = pairwright_cpu::board::<E>();
    let matrices = Matrices::<A::ScalarField>::of(system);
    let ark_witness = bridge::primes_to_ark::<E::Fr, A::ScalarField>(&witness);
    let (public, ark_public) = (&witness[1..inputs], &ark_witness[1..inputs]);

    for (threads, pool) in options.pools() {
        let mut rng = bridge::rng(11);
        let mut ark_rng = StdRng::seed_from_u64(11);
        let row = |what: &str, pair: &_| {
            let name = format!("{} {name}, groth16 {what}", E::NAME);
            Row::new(name, shape.constraints.to_string(), threads, "arkworks", pair, 1)
        };

        // Both sides make their key once.
        let (mut key, mut ark_key) = (None, None);
        let pair = pool.install(|| {
            take_rounds(
                1,
                || key = Some(setup_local(&mut Session::new(&device), system, &mut rng).expect("a key")),
                || {
                    let made = Groth16::<A>::circuit_specific_setup(&matrices, &mut ark_rng);
                    ark_key = Some(made.expect("a key"));
                },
            )
        });
        table.push(row("setup", &pair));
        let (key, (ark_key, ark_vk)) = (key.expect("made"), ark_key.expect("made"));

        let mut ours = || prove(&mut Session::new(&device), &key, &witness, &mut rng).expect("a proof");
        let mut theirs = || {
            let [r, s] = [0; 2].map(|_| A::ScalarField::rand(&mut ark_rng));
            Groth16::<A>::create_proof_with_reduction_and_matrices(
                &ark_key,
                r,
                s,
                &matrices.abc,
                inputs,
                shape.constraints,
                &ark_witness,
            )
            .expect("a proof")
        };
        let mut last = (None, None);
        let rounds = options.rounds.or((shape.constraints > LONG).then_some(1));
        let pair = pool.install(|| match rounds {
            Some(rounds) => take_rounds(rounds, || last.0 = Some(ours()), || last.1 = Some(theirs())),
            None => {
                take_turns(BUDGET, || (), |()| last.0 = Some(ours()), || (), |()| last.1 = Some(theirs()))
            }
        });
        table.push(row("prove", &pair));

        let (proof, ark_proof) = (last.0.expect("proved"), last.1.expect("proved"));
        let vk = key.vk.clone().check().expect("a good key");
        let prepared = PreparedVerifyingKey::new(&mut Session::new(&device), &vk).expect("prepared");
        let ark_vk = prepare_verifying_key(&ark_vk);
        let pair = pool.install(|| {
            take_turns(
                VERIFY_BUDGET,
                || (),
                |()| {
                    let checked = proof.check().expect("in the subgroup");
                    prepared.verify(&mut Session::new(&device), public, &checked).expect("valid");
                },
                || (),
                |()| {
                    let ok = Groth16::<A>::verify_with_processed_vk(&ark_vk, ark_public, &ark_proof);
                    assert!(ok.expect("a verdict"));
                },
            )
        });
        table.push(row("verify, prepared key, points checked", &pair));
    }
}

fn stop(problem: &str) -> ! {
    eprintln!("{problem}\nhow to make the applications: docs/book/src/howto/applications.md");
    std::process::exit(2)
}

fn main() {
    let options = Options::from_args();
    let mut circuits = options.circuits.clone();
    if circuits.is_empty() {
        circuits = FULL.map(|name| PathBuf::from(FOLDER).join(name).with_extension("r1cs")).to_vec();
    }
    let mut table = Table::new("apps", &options);
    for path in &circuits {
        // The file states its field.
        match (R1csFile::open(path), R1csFile::open(path)) {
            (Ok(system), _) => {
                beside::<Bls12_381, ark_bls12_381::Bls12_381>(&system, path, &options, &mut table);
            }
            (_, Ok(system)) => {
                beside::<Bn254, ark_bn254::Bn254>(&system, path, &options, &mut table);
            }
            (Err(e), Err(_)) => stop(&e.to_string()),
        }
    }
    table.finish(&options);
}
