//! Verifies many proofs under one key together, and finds the one that is invalid.
//!
//! ```sh
//! cargo run --release --example batch -p pairwright
//! ```

use pairwright::curve::bls12_381::{Bls12_381, Fr};
use pairwright::curve::encoding::Form;
use pairwright::device::Session;
use pairwright::poly::Buf;
use pairwright::protocols::circuit::Builder;
use pairwright::protocols::groth16::{PreparedVerifyingKey, Proof, VerifyError, prove, setup_local};
use pairwright::randomness;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    // The statement: the prover knows an x with x³ + x + 5 = y.
    let mut b = Builder::<Fr>::new();
    let x = b.private("x");
    let square = b.mul(x, x);
    let cube = b.mul(square, x);
    b.output("y", cube + x + Fr::from(5));
    let circuit = b.finish()?;

    let board = pairwright::device::<Bls12_381>("cpu")?;
    let mut on = Session::new(&board);
    let mut rng = randomness::system()?;
    let key = setup_local(&mut on, &circuit, &mut rng)?;

    // Proofs are transferred as bytes; decoding checks curve and subgroup.
    let mut batch = Vec::new();
    for i in 0..12u64 {
        let witness = circuit.witness(&[(x, Fr::from(i))])?;
        let public = circuit.public(&witness).to_vec();
        let proof = prove(&mut on, &key, &Buf::from(witness), &mut rng)?;
        let bytes = proof.to_bytes(Form::Compressed);
        assert_eq!(bytes.len(), 192);
        batch.push((public, Proof::from_bytes(&bytes, Form::Compressed)?));
    }
    let vk = PreparedVerifyingKey::new(&mut on, &key.vk.clone().check()?)?;
    vk.batch_verify(&mut on, &batch, &mut rng)?;
    println!("{} proofs are valid", batch.len());

    // Make one proof invalid by changing its public value.
    batch[7].0 = vec![Fr::from(1)];
    match vk.batch_verify(&mut on, &batch, &mut rng) {
        Err(VerifyError::InBatch { index: 7, why }) => println!("proof 7 is spoiled: {why}"),
        other => return Err(format!("a spoiled batch gave {other:?}").into()),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
