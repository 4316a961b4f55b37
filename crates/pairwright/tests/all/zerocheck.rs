//! Tests the example of the same name on every board that needs no special hardware, and with changed bytes.

#[allow(dead_code, reason = "a test has no use for the command line")]
#[path = "../../examples/zerocheck.rs"]
mod example;

use pairwright::curve::{bls12_381::Bls12_381, bn254::Bn254};
use pairwright::device::{Device, Time};
use pairwright::{BoardPlan, Boards, CPU_MTU};

/// The reference board, the host board, and the host with the tree unit in the published and in the smallest size.
fn boards<E: Boards>() -> Vec<Device<E>> {
    let mut smallest = BoardPlan::new(CPU_MTU);
    smallest.designs.mtu.pes = 2;
    let plans = ["reference", "cpu", CPU_MTU].map(BoardPlan::new).into_iter().chain([smallest]);
    plans.map(|plan| plan.build().unwrap()).collect()
}

fn one_proof<E: Boards>(variables: usize) {
    let tables = example::witness(variables, 7);
    let mut proofs = Vec::new();
    for board in boards::<E>() {
        let (proof, report) = example::prove(&board, variables, &tables).unwrap();
        example::verify(&board, variables, &tables, &proof).unwrap();
        for record in &report.records {
            let of_unit =
                board.name == CPU_MTU && ["sha3_tree", "build_eq", "mle_eval"].contains(&record.operator);
            assert_eq!(matches!(record.cost.time, Time::Cycles { .. }), of_unit, "{}", record.operator);
        }
        assert_eq!(!report.totals().models.is_empty(), board.name == CPU_MTU);
        proofs.push(proof);
    }
    assert!(proofs.iter().all(|proof| *proof == proofs[0]), "2^{variables}: a proof depends on its board");
}

#[test]
fn a_zerocheck_is_the_same_on_every_board() {
    for variables in [0, 1, 2, 9] {
        one_proof::<Bls12_381>(variables);
    }
    one_proof::<Bn254>(5);
}

#[test]
fn a_zerocheck_with_any_byte_changed_is_refused() {
    let board = BoardPlan::new("cpu").build::<Bls12_381>().unwrap();
    let tables = example::witness(3, 8);
    let (proof, _) = example::prove(&board, 3, &tables).unwrap();
    for at in 0..proof.len() {
        let mut bad = proof.clone();
        bad[at] ^= 1;
        assert!(example::verify(&board, 3, &tables, &bad).is_err(), "byte {at} of {}", proof.len());
        assert!(example::verify(&board, 3, &tables, &proof[..at]).is_err(), "{at} bytes");
    }
    assert!(example::verify(&board, 3, &tables, &[&proof[..], &[0]].concat()).is_err());
    let others = example::witness(3, 9);
    assert!(example::verify(&board, 3, &others, &proof).is_err(), "other tables");
    let mut wrong = tables.clone();
    wrong[2][5] = wrong[2][4];
    assert!(example::prove(&board, 3, &wrong).is_err(), "a corner that does not vanish");
}
