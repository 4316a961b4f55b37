//! Timelock encryption in drand's scheme: a key is encrypted to a round of a beacon, and decrypted with the beacon's signature
//! of that round.
//!
//! ```sh
//! cargo run --release --example timelock -p pairwright
//! ```

use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::protocols::schemes::MinSig;
use pairwright::protocols::schemes::bls::{Scheme, SecretKey, Signature};
use pairwright::protocols::schemes::ibe::{DecryptionKey, Ibe, round_identity};
use pairwright::randomness;
use std::error::Error;

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    let board = pairwright::device::<Bls12_381>("cpu")?;
    let mut on = Session::new(&board);
    let mut rng = randomness::system()?;

    // The beacon's key. drand's network `quicknet` uses this scheme, with the secret key shared among its nodes.
    let beacon = SecretKey::random(&mut rng);
    let public = beacon.public_key::<MinSig>();

    // Encrypt a file key of 16 bytes to round 1000.
    let round = round_identity(1000);
    let ibe = Ibe::<MinSig>::default();
    let file_key = b"sixteen byte key";
    let ciphertext = ibe.encrypt(&mut on, &public, &round, file_key, &mut rng)?;
    println!("encrypted to round 1000");

    // The signature of round 999 does not decrypt it.
    let early: Signature<MinSig> = beacon.sign(Scheme::Basic, &round_identity(999));
    let refused = DecryptionKey::from(early).decrypt(&mut on, &ciphertext);
    let Err(why) = refused else { return Err("opened too early".into()) };
    println!("round 999: {why}");

    // The signature of round 1000 does.
    let due: Signature<MinSig> = beacon.sign(Scheme::Basic, &round);
    let opened = DecryptionKey::from(due).decrypt(&mut on, &ciphertext)?;
    assert_eq!(&opened[..], file_key);
    println!("round 1000: opened");
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
