//! Every order of a plan's tasks gives the same bytes, and so does a proof that was stopped after any task and resumed.

use crate::workshop::{Workshop, chain};
use pairwright_curve::bn254::Bn254;
use pairwright_protocols::groth16::Proof;
use pairwright_scale::{Ledger, Plan, ScaleError, execute, in_order};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeMap;
use std::fs;

fn contents(w: &Workshop<Bn254>, plan: &Plan) -> BTreeMap<String, Vec<u8>> {
    let made =
        plan.files.keys().filter_map(|name| Some((name.clone(), fs::read(w.path("work").join(name)).ok()?)));
    made.collect()
}

#[test]
fn any_order_gives_the_same_bytes() {
    let w = chain::<Bn254>(100);
    let plan = w.plan(3, 40, 0);
    let expected = w.run(&plan).unwrap();
    let files = contents(&w, &plan);
    assert_eq!(files.len(), 7, "six vectors and the points");
    for seed in 0..6 {
        w.clear();
        let (mut rng, mut ledger, mut ran) =
            (ChaCha20Rng::seed_from_u64(seed), Ledger::in_memory(), Vec::new());
        let mut next = |ready: &[usize]| {
            let at = rng.next_u32() as usize % ready.len();
            ran.push(ready[at]);
            Some(at)
        };
        execute(&plan, &mut ledger, &w.device, &mut next, &mut |_| {}).unwrap();
        assert_eq!(w.finish(&plan, &ledger).unwrap(), expected);
        assert_eq!(contents(&w, &plan), files);
        assert!(!ran.is_sorted(), "another order than the plan's");
    }
}

/// Stops after `after` tasks, and resumes with the ledger opened again.
fn stopped(w: &Workshop<Bn254>, plan: &Plan, after: usize) -> Result<Proof<Bn254>, ScaleError> {
    let mut left = after;
    let mut some = |_: &[usize]| (left > 0).then(|| left -= 1).map(|()| 0);
    let mut ledger = Ledger::open(&w.path("work"), plan)?;
    execute(plan, &mut ledger, &w.device, &mut some, &mut |_| {})?;
    assert!(after == plan.tasks.len() || w.finish(plan, &ledger).is_err());
    drop(ledger);
    let mut ledger = Ledger::open(&w.path("work"), plan)?;
    let mut ran = 0;
    let mut watch = |progress: pairwright_scale::Progress<'_>| {
        ran += usize::from(matches!(progress, pairwright_scale::Progress::Done(_, Some(_))));
    };
    execute(plan, &mut ledger, &w.device, &mut in_order, &mut watch)?;
    assert_eq!(ran, plan.tasks.len() - after, "what was done is not done again");
    w.finish(plan, &ledger)
}

#[test]
fn a_resumed_proof_has_the_same_bytes() {
    let w = chain::<Bn254>(60);
    let plan = w.plan(2, 30, 0);
    let expected = w.run(&plan).unwrap();
    for after in 0..=plan.tasks.len() {
        w.clear();
        assert_eq!(stopped(&w, &plan, after).unwrap(), expected, "stopped after {after} tasks");
    }
}

#[test]
fn a_line_that_was_not_finished_does_not_count() {
    let w = chain::<Bn254>(60);
    let plan = w.plan(2, 30, 0);
    let expected = w.run(&plan).unwrap();
    w.clear();
    stopped(&w, &plan, 5).unwrap();
    let done = w.path("work").join(Ledger::FILE);
    let mut text = fs::read_to_string(&done).unwrap();
    text.truncate(text.len() - 10);
    fs::write(&done, text).unwrap();
    let mut ledger = Ledger::open(&w.path("work"), &plan).unwrap();
    assert!(ledger.outcome(&plan.tasks.last().unwrap().name).is_none());
    execute(&plan, &mut ledger, &w.device, &mut in_order, &mut |_| {}).unwrap();
    assert_eq!(w.finish(&plan, &ledger).unwrap(), expected);
}
