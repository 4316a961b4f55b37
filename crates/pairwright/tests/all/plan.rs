//! Boards of several devices, and machines with designs of their own.

use pairwright::aie::{Carry, Method, Reduction};
use pairwright::curve::{Curve, bls12_377, bls12_377::Bls12_377, bn254, bn254::Bn254};
use pairwright::device::{Session, Time};
use pairwright::mtu::Traversal;
use pairwright::poly::{Buf, mle};
use pairwright::{BoardPlan, CPU_AIE, NoDevice, Slot};

#[test]
fn every_slot_is_the_one_that_was_asked_for() {
    let mut plan = BoardPlan::new("cpu");
    assert_eq!(plan.build::<Bn254>().unwrap().name, "cpu");
    plan.slots.insert(Slot::G1, "reference".to_owned());
    plan.slots.insert(Slot::Ntt, "cpu".to_owned());
    plan.slots.insert(Slot::Sumcheck, "reference".to_owned());
    assert_eq!(
        Slot::ALL.iter().map(|slot| plan.at(*slot)).collect::<Vec<_>>(),
        ["cpu", "cpu", "cpu", "cpu", "reference", "cpu", "cpu", "cpu", "cpu", "cpu", "reference", "cpu"],
        "the slots, and no others"
    );
    let board = plan.build::<Bn254>().unwrap();
    assert_eq!(board.name, "mixed");
    let mut on = Session::new(&board);
    let (p, q) = (bn254::G1::GENERATOR, bn254::G2::GENERATOR);
    let one = Buf::from(vec![bn254::Fr::from(1)]);
    on.msm_g1(Buf::from(vec![p]).view(), one.view()).unwrap();
    on.msm_g2(Buf::from(vec![q]).view(), one.view()).unwrap();
    on.multi_pairing(&[(p, q)]).unwrap();
    on.build_eq(&one).unwrap();
    on.sumcheck_bind(&mut [vec![one[0]; 2].into()], &one[0]).unwrap();
    let ran: Vec<_> = on.finish().records.iter().map(|r| r.cost.machine).collect();
    assert_eq!(ran, ["reference", "cpu", "cpu", "cpu", "reference"]);
}

#[test]
fn a_tree_unit_beside_the_host_with_its_design() {
    let cycles = |pes: u32, traversal: Traversal| {
        let mut plan = BoardPlan::new("cpu");
        plan.slots.insert(Slot::Tree, "cpu+mtu".to_owned());
        plan.designs.mtu = plan.designs.mtu.with_pes(pes).traversing(traversal);
        assert!(plan.has("cpu") && plan.has("cpu+mtu") && !plan.has("chip"));
        let board = plan.build::<Bn254>().unwrap();
        let mut on = Session::new(&board);
        let point: Vec<_> = (2..12u64).map(bn254::Fr::from).collect();
        let table = on.build_eq(&point).unwrap();
        assert_eq!(&table[..], mle::build_eq(&point));
        let one = table[0];
        on.sumcheck_bind(&mut [table], &one).unwrap();
        let records = on.finish().records;
        let ran: Vec<_> = records.iter().map(|r| (r.operator, r.cost.machine)).collect();
        assert_eq!(ran, [("build_eq", "mtu"), ("transfer", "mtu"), ("sumcheck_bind", "cpu")]);
        let Time::Cycles { n, hz, .. } = records[0].cost.time else { panic!("modelled") };
        assert_eq!(hz, 1_000_000_000);
        n
    };
    assert!(cycles(2, Traversal::Hybrid) > cycles(8, Traversal::Hybrid));
    assert_ne!(cycles(8, Traversal::Bfs), cycles(8, Traversal::Hybrid));
}

#[test]
fn ai_engines_sum_in_one_group_of_one_curve() {
    let mut plan = BoardPlan::new("cpu");
    plan.slots.insert(Slot::G1, CPU_AIE.to_owned());
    plan.designs.aie.method = Method::new(Reduction::Montgomery, Carry::Balanced);
    assert!(matches!(plan.build::<Bn254>(), Err(NoDevice::Curve { device: CPU_AIE, .. })));
    let generator = bls12_377::G1::GENERATOR;
    let points = Buf::from(vec![generator, -generator, generator]);
    let scalars = Buf::from([5u64, 3, 40].map(bls12_377::Fr::from).to_vec());
    let [(ours, ran), (theirs, _)] = [plan, BoardPlan::new("cpu")].map(|plan| {
        let board = plan.build::<Bls12_377>().unwrap();
        let mut on = Session::new(&board);
        let sum = on.msm_g1(points.view(), scalars.view()).unwrap();
        let cost = on.finish().records[0].cost;
        (sum.to_affine(), cost)
    });
    assert_eq!(ours, theirs);
    assert!(
        ran.machine == "aie" && matches!(ran.time, Time::Cycles { n: 1.., hz: 1_250_000_000, .. }),
        "{ran:?}"
    );
}

#[test]
fn names_that_are_none() {
    for slot in Slot::ALL {
        assert_eq!(slot.to_string().parse::<Slot>().unwrap(), *slot);
    }
    let said = "g3".parse::<Slot>().unwrap_err().to_string();
    assert_eq!(
        said,
        "there is no slot \"g3\"; there are: ntt, vec, sparse, poly, g1, g2, points_g1, points_g2, pairing, tree, sumcheck, hash"
    );
    let mut plan = BoardPlan::new("cpu");
    plan.slots.insert(Slot::G2, "abacus".to_owned());
    assert!(matches!(plan.build::<Bn254>(), Err(NoDevice::Unknown(name)) if name == "abacus"));
}
