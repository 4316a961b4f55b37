//! Proofs that share a session.

use crate::circuits::{chain, chain_witness};
use pairwright_curve::Pairing;
use pairwright_device::{Device, Record, Session, Transfer, reference};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{ProvingKey, prove, setup_local, verify};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// Two Groth16 proofs of a [`chain`] of so many steps in one session of a device, which must be those of the reference
/// board and verify. Returns the key, and the records of each proof.
///
/// # Panics
/// If a proof is another or does not verify.
pub fn two_proofs<E: Pairing>(device: &Device<E>, steps: usize) -> (ProvingKey<E>, [Vec<Record>; 2]) {
    let rng = ChaCha20Rng::seed_from_u64;
    let host = reference::board::<E>();
    let key = setup_local(&mut Session::new(&host), &chain::<E::Fr>(steps), &mut rng(1)).expect("a setup");
    let (mut ours, mut theirs) = (Session::new(device), Session::new(&host));
    for input in [3, 4] {
        let witness = Buf::from(chain_witness(steps, E::Fr::from(input)));
        let [proof, expected] =
            [&mut ours, &mut theirs].map(|on| prove(on, &key, &witness, &mut rng(input)).expect("a proof"));
        assert_eq!(proof, expected, "the proof of the reference board");
        verify(&mut Session::new(&host), &key.vk, &witness[1..2], &proof).expect("a proof that verifies");
    }
    let mut records = ours.finish().records;
    // The second proof may have fewer records: what a machine holds is not read again. It begins with the first phase.
    let begins =
        |at: &usize| records[*at].phase == records[0].phase && records[*at - 1].phase != records[0].phase;
    let second = (1..records.len()).find(begins).expect("a second proof");
    let second = records.split_off(second);
    (key, [records, second])
}

/// The copies to and from machines of some records.
pub fn copies(records: &[Record]) -> Transfer {
    let mut all = Transfer::default();
    records.iter().filter_map(|record| record.cost.transfer).for_each(|transfer| all += transfer);
    all
}

/// A Groth16 setup of a [`chain`] on a device, which must give the key of the reference board: the same verifying key, and
/// the same proof on the reference board.
///
/// # Panics
/// If it gives another one.
pub fn a_setup<E: Pairing>(device: &Device<E>, steps: usize) {
    let rng = ChaCha20Rng::seed_from_u64;
    let host = reference::board::<E>();
    let keys = [device, &host]
        .map(|on| setup_local(&mut Session::new(on), &chain::<E::Fr>(steps), &mut rng(1)).expect("a setup"));
    assert_eq!(keys[0].vk, keys[1].vk, "the verifying key of the reference board");
    let witness = Buf::from(chain_witness(steps, E::Fr::from(3)));
    let [proof, expected] = keys
        .each_ref()
        .map(|key| prove(&mut Session::new(&host), key, &witness, &mut rng(3)).expect("a proof"));
    assert_eq!(proof, expected, "the proof with the reference board's key");
}
