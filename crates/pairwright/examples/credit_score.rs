//! Computes a credit score from figures that only the applicant and their bank see.
//!
//! The bank attests an applicant's figures by signing a commitment to them. The applicant encrypts the figures under the
//! bureau's public key and proves that the ciphertext holds the attested figures. A lender holds the decryption key for the
//! bureau's weights, checks signature and proof, and decrypts the score and nothing else.
//!
//! ```sh
//! cargo run --release --example credit_score -p pairwright
//! ```

use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::curve::jubjub;
use pairwright::device::Session;
use pairwright::field::{Field, PrimeField};
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{PreparedVerifyingKey, Proof, prove, setup_local};
use pairwright::protocols::schemes::MinSig;
use pairwright::protocols::schemes::bls::{self, PublicKey, Scheme, SecretKey, Signature};
use pairwright::protocols::schemes::fe::attested::{AttestedCircuit, commitment};
use pairwright::protocols::schemes::fe::embedded::{Ciphertext, FunctionKey, MasterKey};
use pairwright::protocols::schemes::fe::logarithm::Table;
use pairwright::protocols::schemes::fe::public::DdhGroup;
use pairwright::randomness;
use std::error::Error;

/// The figures of an applicant: income, savings, debts, years at work, accounts, cards, late payments, requests.
const FIGURES: [u32; 8] = [5200, 18_000, 7500, 9, 3, 2, 1, 4];
/// The weights of the score.
const WEIGHTS: [i64; 8] = [3, 1, -2, 400, 50, -20, -900, -75];
/// Bound on the absolute value of a score.
const BOUND: u64 = 1 << 20;

/// An application that the lender receives.
struct Application {
    commitment: Fr,
    attestation: Signature<MinSig>,
    ciphertext: Ciphertext,
    proof: Proof<Bls12_381>,
}

/// The keys and tables of a lender.
struct Lender<'a> {
    bank: PublicKey<MinSig>,
    circuit: &'a AttestedCircuit,
    key: PreparedVerifyingKey<Bls12_381>,
    weights: FunctionKey,
    table: Table<<jubjub::Jubjub as DdhGroup>::Point>,
}

/// The message that the bank signs: the commitment's bytes.
fn signed(commitment: &Fr) -> Vec<u8> {
    let mut bytes = vec![0; Fr::BYTES];
    commitment.write_be(&mut bytes);
    bytes
}

impl Lender<'_> {
    /// Checks an application and decrypts its score.
    fn score(
        &self,
        on: &mut Session<'_, Bls12_381>,
        application: &Application,
    ) -> Result<i64, Box<dyn Error>> {
        let Application { commitment, attestation, ciphertext, proof } = application;
        bls::verify(on, Scheme::Basic, &self.bank, &signed(commitment), attestation)
            .map_err(|why| format!("the attestation: {why}"))?;
        let public = self.circuit.public(commitment, ciphertext)?;
        self.key.verify(on, &public, &proof.check()?).map_err(|why| format!("the proof: {why}"))?;
        Ok(self.weights.decrypt(on, ciphertext, &self.table, BOUND)?)
    }
}

/// Expects an error, and returns its message.
fn refused<T>(what: &str, found: Result<T, impl ToString>) -> Result<String, Box<dyn Error>> {
    match found {
        Ok(_) => Err(format!("{what} passed").into()),
        Err(why) => {
            let why = why.to_string();
            println!("{what}: refused, {why}");
            Ok(why)
        }
    }
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let board = pairwright::device::<Bls12_381>("cpu")?;
    let mut on = Session::new(&board);
    let mut rng = randomness::system()?;

    // The bureau makes the keys of the encryption, and the decryption key for its weights, which the lender gets.
    let bureau = MasterKey::random(FIGURES.len(), &mut rng)?;
    let public = bureau.public_key();
    let circuit = AttestedCircuit::new(&public)?;
    // A setup for tests: whoever runs it can forge proofs.
    let key = setup_local(&mut on, circuit.circuit(), &mut rng)?;
    let bank = SecretKey::random(&mut rng);
    let lender = Lender {
        bank: bank.public_key(),
        circuit: &circuit,
        key: PreparedVerifyingKey::new(&mut on, &key.vk.clone().check()?)?,
        weights: bureau.derive(&WEIGHTS)?,
        table: Table::for_bound(jubjub::Jubjub::generator(), BOUND)?,
    };

    // The bank attests the figures.
    let salt = Fr::random(&mut rng);
    let committed = commitment(&FIGURES, &salt);
    let attestation = bank.sign(Scheme::Basic, &signed(&committed));

    // The applicant encrypts and proves.
    let r = jubjub::Fr::random(&mut rng);
    let ciphertext = public.encrypt_with(&FIGURES.map(i64::from), &r)?;
    let witness = circuit.witness((&committed, &ciphertext), &FIGURES, &salt, &r)?;
    let proof = prove(&mut on, &key, &Buf::from(witness), &mut rng)?;
    let good = Application { commitment: committed, attestation, ciphertext, proof };

    // The lender learns the score.
    let score = lender.score(&mut on, &good)?;
    let expected: i64 = FIGURES.iter().zip(WEIGHTS).map(|(x, y)| i64::from(*x) * y).sum();
    assert_eq!(score, expected);
    println!("the score of the attested figures is {score}");

    // Better figures than the attested ones have no witness.
    let mut better = FIGURES;
    better[6] = 0;
    let other = public.encrypt_with(&better.map(i64::from), &r)?;
    let found = circuit.witness((&committed, &other), &better, &salt, &r);
    let why = refused("figures that were not attested", found)?;
    assert!(why.contains("the commitment is that of the entries"), "{why}");
    // The ciphertext of better figures with the proof of another ciphertext.
    let found = lender.score(&mut on, &Application { ciphertext: other, ..good });
    let why = refused("another ciphertext", found)?;
    assert!(why.starts_with("the proof: "), "{why}");
    // An attestation by someone other than the bank.
    let attestation = SecretKey::random(&mut rng).sign(Scheme::Basic, &signed(&committed));
    let ciphertext = public.encrypt_with(&FIGURES.map(i64::from), &r)?;
    let foreign = Application { commitment: committed, attestation, ciphertext, proof: good.proof };
    let why = refused("a foreign attestation", lender.score(&mut on, &foreign))?;
    assert!(why.starts_with("the attestation: "), "{why}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
