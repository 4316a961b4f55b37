use super::*;
use crate::msm::Arithmetic;
use pairwright_device::{Session, reference};
use pairwright_field::{Field, Ring};
use pairwright_protocols::groth16::{prove, setup_local, verify};
use pairwright_testkit::circuits::{chain, chain_witness};
use pairwright_testkit::conformance;
use pairwright_testkit::sessions::{copies, two_proofs};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// A board with typical rates, for which the array is not simulated.
fn example(arithmetic: Arithmetic) -> Device<Bls12_377> {
    let host = reference::board::<Bls12_377>();
    let job = Job { arithmetic, ..Job::default() };
    let msm = Msm::with_machine(Machine::example(), job, host.g1.clone());
    host.with_g1(Arc::new(msm)).named(BOARD)
}

#[test]
fn the_slot_conforms() {
    conformance::group(&*example(Arithmetic::Formulas).g1);
}

/// Conformance with the default arithmetic, every addition by the programs of the tiles, on a few operands of every
/// exceptional kind.
#[test]
fn few_points_conform_bit_by_bit() {
    let ours = example(Arithmetic::Kernels).g1;
    let (points, logs) = conformance::known_points::<G1>(3, 5);
    let bases = [points[0], points[1], points[1], -points[0], Affine::INFINITY, points[2]];
    let scalars = [logs[2], -Fr::ONE, Fr::ONE, logs[1], logs[0], Fr::ZERO];
    let (bases, scalars) = (Buf::from(bases.to_vec()), Buf::from(scalars.to_vec()));
    for n in 0..=bases.len() {
        let [sum, expected] = [&*ours, &reference::Reference as &dyn MsmOp<G1>]
            .map(|slot| slot.msm(bases.slice(..n), scalars.slice(..n)).unwrap().0.to_affine());
        assert_eq!(sum, expected, "{n} points");
    }
    ours.msm(bases.slice(..2), scalars.slice(..1)).unwrap_err();
}

/// The whole conformance suite with the default arithmetic.
#[test]
#[ignore = "full: a minute, every addition of the suite bit by bit"]
fn the_slot_conforms_bit_by_bit() {
    conformance::group(&*example(Arithmetic::Kernels).g1);
}

#[test]
fn costs_are_the_machines() {
    let board = example(Arithmetic::Kernels);
    let bases = Buf::from(vec![pairwright_curve::G1Affine::<Bls12_377>::INFINITY; 3]);
    let scalars = Buf::from(vec![Fr::ONE.double(); 3]);
    let (_, cost) = board.g1.msm(bases.view(), scalars.view()).unwrap();
    assert_eq!(cost.machine, NAME);
    assert!(matches!(
        cost.time,
        Time::Cycles { n, hz: 1_250_000_000, fidelity: Fidelity::RateModel } if n > 0
    ));
    let model = cost.model.unwrap();
    assert_eq!((cost.energy, cost.bytes), (None, Traffic { read: 3 * 224, written: 0 }));
    assert_eq!(model.dram.useful, cost.bytes);
    assert!(model.elements.busy > 0 && model.elements.share() < 1.0 && model.memory.share() < 1.0);
    let transfer = |cost: Cost| cost.transfer.map(|t| (t.to_machine, t.to_host)).unwrap();
    assert_eq!(transfer(cost), (3 * 96 + 3 * 32, 96));
    // The cost depends on size and window. Buffers on the board are not sent again: a second proof with a key sends only
    // its scalars.
    let again = board.g1.msm(bases.view(), scalars.view()).unwrap().1;
    assert_eq!(Cost { transfer: None, ..again }, Cost { transfer: None, ..cost });
    assert_eq!(transfer(again), (0, 96));
    let other = Buf::from(vec![Fr::ONE; 3]);
    assert_eq!(transfer(board.g1.msm(bases.view(), other.view()).unwrap().1), (3 * 32, 96));
    let few = board.g1.msm(bases.slice(..1), scalars.slice(..1)).unwrap().1;
    assert!(few.time.seconds() < cost.time.seconds());
}

/// A proof does not depend on the device: with its five MSMs on the engines, bit by bit, it has the host's bytes.
#[test]
fn proofs_are_the_hosts() {
    let (steps, seed) = (7, |n| ChaCha20Rng::seed_from_u64(n));
    let host = reference::board::<Bls12_377>();
    let key = setup_local(&mut Session::new(&host), &chain::<Fr>(steps), &mut seed(1)).unwrap();
    let witness = Buf::from(chain_witness(steps, Fr::from(3)));
    let [ours, theirs] = [&example(Arithmetic::Kernels), &host]
        .map(|board| prove(&mut Session::new(board), &key, &witness, &mut seed(2)).unwrap());
    assert_eq!(ours, theirs);
    verify(&mut Session::new(&host), &key.vk, &witness[1..2], &ours).unwrap();
}

/// Two proofs in one session: the second one finds the key's points in G1 on the board.
#[test]
fn a_second_proof_does_not_send_the_key_again() {
    let (key, [first, second]) = two_proofs(&example(Arithmetic::Formulas), 7);
    let [first, second] = [first, second].map(|records| copies(&records).to_machine);
    let g1 = key.a.len() + key.b_g1.len() + key.c.len() + key.h.len();
    assert_eq!(first - second, (g1 * 96) as u64);
    assert!(second > 0, "a witness is sent for each proof");
}
