//! A board with two machines: transforms and vector operations run on the modelled crypto-processor, everything else on this
//! computer. The proof is equal to one that this computer makes alone; the report shows the time of the model.
//!
//! ```sh
//! cargo run --release --example board -p pairwright
//! ```

use pairwright::curve::bn254::{Bn254, Fr};
use pairwright::device::{Device, Report, Session};
use pairwright::poly::Buf;
use pairwright::protocols::circuit::Builder;
use pairwright::protocols::groth16::{Proof, ProvingKey, prove, setup_local, verify};
use pairwright::randomness::{ChaCha20Rng, SeedableRng};
use pairwright::{BoardPlan, Slot};
use std::error::Error;

/// Makes a proof with fixed blinding, so that boards can be compared, and returns its cost.
fn proof_on(
    board: &Device<Bn254>,
    key: &ProvingKey<Bn254>,
    witness: &Buf<Fr>,
) -> Result<(Proof<Bn254>, Report), Box<dyn Error>> {
    let mut on = Session::new(board);
    let proof = prove(&mut on, key, witness, &mut ChaCha20Rng::seed_from_u64(1))?;
    Ok((proof, on.finish()))
}

pub(crate) fn run() -> Result<(), Box<dyn Error>> {
    // A chain of 100 squares.
    let mut b = Builder::<Fr>::new();
    let start = b.private("start");
    let end = (0..100).fold(start.into(), |x, _| b.mul(&x, &x) + Fr::from(5));
    b.output("end", end);
    let circuit = b.finish()?;
    let witness = Buf::from(circuit.witness(&[(start, Fr::from(3))])?);
    let public = circuit.public(&witness);

    let host = pairwright::device::<Bn254>("cpu")?;
    let mut on = Session::new(&host);
    let key = setup_local(&mut on, &circuit, &mut ChaCha20Rng::seed_from_u64(2))?;

    let mut plan = BoardPlan::new("cpu");
    plan.slots.insert(Slot::Ntt, "chip".to_owned());
    plan.slots.insert(Slot::Vec, "chip".to_owned());
    let mixed = plan.build::<Bn254>()?;

    let (alone, _) = proof_on(&host, &key, &witness)?;
    let (together, report) = proof_on(&mixed, &key, &witness)?;
    assert_eq!(alone, together, "a proof does not depend on the machine");
    verify(&mut on, &key.vk, public, &together)?;
    for record in &report.records {
        println!("{:>10} {:<12} {:>5}: {:?}", record.phase, record.operator, record.size, record.cost.time);
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run()
}
