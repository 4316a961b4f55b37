//! Checks of costs and results of proofs and operators that share a session of a device.

use crate::circuits::{chain, chain_witness};
use pairwright_curve::Pairing;
use pairwright_device::{
    Device, Entry, KeyEntries, MachineLog, Record, Session, Slot, SparseShape, Traffic, Transfer, reference,
};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Coeff, Domain, Poly};
use pairwright_protocols::groth16::{ProvingKey, prove, setup_local, verify};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// Two Groth16 proofs of a [`chain`] of `steps` steps in one session of a device, which must equal those of the reference
/// board and verify. Returns the key, and the records of each proof.
///
/// # Panics
/// If a proof differs or does not verify.
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
    // The second proof may have fewer records, since operands that a machine holds are not read again. It begins where the first
    // phase begins again.
    let begins =
        |at: &usize| records[*at].phase == records[0].phase && records[*at - 1].phase != records[0].phase;
    let second = (1..records.len()).find(begins).expect("a second proof");
    let second = records.split_off(second);
    (key, [records, second])
}

/// The sum of the copies to and from machines in some records.
pub fn copies(records: &[Record]) -> Transfer {
    let mut all = Transfer::default();
    records.iter().filter_map(|record| record.cost.transfer).for_each(|transfer| all += transfer);
    all
}

/// A transform in a session of a device that leaves results in its own memory. The copy of a result that the host reads after
/// the last call must be in the account, and must not be in the account of the next session.
///
/// # Panics
/// If the accounts differ from that.
pub fn a_late_copy<E: Pairing>(device: &Device<E>) {
    let bytes = (E::Fr::BYTES << 4) as u64;
    let values: Vec<E::Fr> = (0..16).map(E::Fr::from).collect();
    let domain = Domain::new(4).expect("a small domain");
    let mut on = Session::new(device);
    on.phase("early");
    let p = Poly::<E::Fr, Coeff>::new(domain, values.into()).expect("as many coefficients as points");
    let values = on.ntt(p).expect("a transform").into_buf();
    on.phase("late");
    let before = on.report().totals().transfer;
    assert!(!values.on_host() && before.to_machine >= bytes && before.to_host == 0, "{before:?}");
    assert_eq!(values.host().expect("a copy")[0], E::Fr::from(120), "the sum of the coefficients");
    let report = on.finish();
    let Some(last) = report.records.last() else { panic!("no records") };
    assert_eq!((last.phase, last.operator, last.size), ("late", "transfer", 1));
    assert_eq!(
        (last.cost.bytes, report.totals().transfer.to_host),
        (Traffic { read: 0, written: bytes }, bytes)
    );
    assert!(Session::new(device).finish().records.is_empty());
}

/// A sparse product in a session of a device with two megabytes of memory, in which the vector does not fit. The host must compute it,
/// and the account must have the bytes of the entries, which had been sent to the device before.
///
/// # Panics
/// If the account differs from that.
pub fn a_call_without_memory<E: Pairing>(device: &Device<E>) {
    let (columns, rows) = (1 << 16, 4);
    let entry = |row| Entry { matrix: 0, row, column: 7 * row, value: E::Fr::from(3) };
    let entries = KeyEntries::new((0..rows).map(entry).collect::<Vec<_>>());
    let x: Buf<E::Fr> = (0..columns).map(E::Fr::from).collect();
    let mut on = Session::new(device);
    let shape = SparseShape { matrices: 1, rows: rows as usize };
    let product = on.sparse_mul(shape, &entries, x.view()).expect("a product of the host");
    assert_eq!(product[0][..], [0, 21, 42, 63].map(E::Fr::from));
    let report = on.finish();
    let [record] = &report.records[..] else { panic!("one call, one record: {:?}", report.records) };
    let moved = record.cost.transfer.map_or(0, |transfer| transfer.to_machine);
    assert!(moved >= u64::from(rows) * (E::Fr::BYTES as u64 + 8), "{record:?}");
    assert_ne!(record.cost.machine, device.name);
    let slots: Vec<Slot> = device.logs.iter().flat_map(MachineLog::slots_without_memory).collect();
    assert_eq!(slots, [Slot::Sparse]);
}

/// A Groth16 setup of a [`chain`] on a device, which must give the same key as the reference board: the same verifying key, and
/// the same proof on the reference board.
///
/// # Panics
/// If the key differs.
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
