//! BLS signatures of one message by many signers, which are aggregated to one signature and verified at once.
//!
//! ```sh
//! cargo run --release --example signatures -p pairwright
//! ```

use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::protocols::schemes::MinPk;
use pairwright::protocols::schemes::bls::{
    PublicKey, Scheme, SecretKey, Signature, aggregate, fast_aggregate_verify, pop_verify,
};
use pairwright::randomness;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let board = pairwright::device::<Bls12_381>("cpu")?;
    let mut on = Session::new(&board);
    let mut rng = randomness::system()?;
    let message = b"block 19000000";

    // Each signer proves once that it holds its secret key. Without that proof, a rogue key computed from the others' keys
    // could sign for all.
    let secrets: Vec<SecretKey> = (0..8).map(|_| SecretKey::random(&mut rng)).collect();
    let keys: Vec<PublicKey<MinPk>> = secrets.iter().map(SecretKey::public_key).collect();
    for (secret, key) in secrets.iter().zip(&keys) {
        pop_verify(&mut on, key, &secret.pop_prove())?;
    }

    let scheme = Scheme::ProofOfPossession;
    let signatures: Vec<Signature<MinPk>> = secrets.iter().map(|s| s.sign(scheme, message)).collect();
    let together = aggregate(&signatures)?;
    let bytes = together.to_bytes();
    println!("{} signatures in {} bytes", signatures.len(), bytes.len());

    let received = Signature::<MinPk>::from_bytes(&bytes)?;
    fast_aggregate_verify(&mut on, &keys, message, &received)?;
    if fast_aggregate_verify(&mut on, &keys[1..], message, &received).is_ok() {
        return Err("verified without one of the signers".into());
    }
    println!("verified for all signers, and for no fewer");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
