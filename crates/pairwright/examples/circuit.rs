//! Builds a circuit, proves it and verifies the proof: the prover knows both inputs of a Poseidon hash, and the first one is
//! small.
//!
//! ```sh
//! cargo run --release --example circuit -p pairwright
//! ```

use pairwright::curve::bn254::{Bn254, Fr};
use pairwright::device::Session;
use pairwright::hash::{Compress, Poseidon};
use pairwright::poly::Buf;
use pairwright::protocols::circuit::Builder;
use pairwright::protocols::groth16::{PreparedVerifyingKey, prove, setup_local};
use pairwright::randomness;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    // The circuit is built once. The verifier sees outputs and public inputs.
    let hash = Poseidon::<Fr>::new();
    let mut b = Builder::<Fr>::new();
    let (amount, salt) = (b.private("amount"), b.private("salt"));
    b.within("amount below 2^32", |b| b.bits(amount, 32))?;
    let commitment = b.poseidon(&hash, amount, salt);
    b.output("commitment", commitment);
    let circuit = b.finish()?;

    // A key for tests: whoever runs a local setup can forge proofs.
    let board = pairwright::device::<Bn254>("cpu")?;
    let mut on = Session::new(&board);
    let mut rng = randomness::system()?;
    let key = setup_local(&mut on, &circuit, &mut rng)?;
    let vk = PreparedVerifyingKey::new(&mut on, &key.vk.clone().check()?)?;

    // Any number of witnesses can be proved.
    for (value, secret) in [(5u64, 77u64), (1 << 31, 78)] {
        let (value, secret) = (Fr::from(value), Fr::from(secret));
        let witness = circuit.witness(&[(amount, value), (salt, secret)])?;
        let public = circuit.public(&witness).to_vec();
        assert_eq!(public, [hash.compress(&value, &secret)]);
        let proof = prove(&mut on, &key, &Buf::from(witness), &mut rng)?;
        vk.verify(&mut on, &public, &proof.check()?)?;
        println!("proved and verified: the amount in {} is below 2^32", public[0]);
    }

    // A witness that does not satisfy the circuit is refused, with the name of the violated constraint.
    let refused = circuit.witness(&[(amount, Fr::from(1 << 32)), (salt, Fr::from(1))]);
    let Err(why) = refused else { return Err("2^32 passed for a smaller number".into()) };
    println!("refused: {why}");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
