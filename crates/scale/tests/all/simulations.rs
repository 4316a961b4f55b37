//! Simulated clusters: lower bounds of every schedule, the upper bound of list schedules, and predictions from measured tasks.

use crate::plans::made;
use pairwright_curve::bn254::Bn254;
use pairwright_scale::{
    Calibration, Cluster, Compared, Costs, Digest, KeySizes, Ledger, Measured, Plan, ScaleError, Scheduler,
    run_task, simulate, urgency,
};
use proptest::prelude::*;

fn of_size(log: u32, blocks: usize, points: usize) -> Plan {
    made(KeySizes::new::<Bn254>(1 << log, 3, log, 3 << log), blocks, [points; 2])
}

/// A cluster without any latency.
fn free(nodes: u32, cores: u32) -> Cluster {
    Cluster { nodes, dispatch: 0.0, ..Cluster::local(cores, cores) }
}

#[test]
fn one_core_takes_the_sum_of_all_tasks() {
    let (plan, costs) = (of_size(12, 4, 500), Costs::default());
    let sum: f64 = plan.tasks.iter().map(|task| costs.seconds(task)).sum();
    let one = simulate(&plan, &costs, &free(1, 1)).unwrap();
    // Transfers take a little, at whatever rate.
    assert!((one.seconds / sum - 1.0).abs() < 1e-6 && (one.busy - 1.0).abs() < 1e-6, "{} {sum}", one.seconds);
    assert_eq!(one.spans.len(), plan.tasks.len());
    // A scheduler that takes longer than any task determines the total time.
    let dispatch = 10.0 * sum;
    let slow = simulate(&plan, &costs, &Cluster { dispatch, ..free(1, 8) }).unwrap();
    assert!(slow.seconds >= dispatch * (plan.tasks.len() - 1) as f64);
    // A worker is idle while its next task is on its way.
    let far = simulate(&plan, &costs, &Cluster { handover: 0.25, ..free(1, 1) }).unwrap();
    let waited = 0.25 * plan.tasks.len() as f64;
    assert!((far.seconds / (sum + waited) - 1.0).abs() < 1e-6, "{} {sum} {waited}", far.seconds);
    // Four processes on one core take as long as one process, and cores that slow each other down take longer by that factor.
    let shared = simulate(&plan, &costs, &Cluster { workers: 4, ..free(1, 1) }).unwrap();
    assert!((shared.seconds / sum - 1.0).abs() < 1e-6, "{}", shared.seconds);
    let crowded = Cluster { crowding: 1.5, ..free(1, 2) };
    let (calm, crowded) =
        (simulate(&plan, &costs, &free(1, 2)).unwrap(), simulate(&plan, &costs, &crowded).unwrap());
    let ratio = crowded.seconds / calm.seconds;
    assert!(ratio > 1.3 && ratio <= 1.5 + 1e-9, "{ratio}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]
    #[test]
    fn schedules_keep_the_bounds_of_lists(
        log in 6u32..16,
        blocks in 1usize..7,
        points in 50usize..4000,
        nodes in 1u32..5,
        cores in 1u32..5,
    ) {
        let (plan, costs) = (of_size(log, blocks, points), Costs::default());
        let cluster = free(nodes, cores);
        let found = simulate(&plan, &costs, &cluster).unwrap();
        let work: f64 = plan.tasks.iter().map(|task| costs.seconds(task)).sum();
        let path = urgency(&plan, &costs).into_iter().fold(0.0, f64::max);
        let shared = work / f64::from(nodes * cores);
        let slack = 1.0 + 1e-6;
        // Graham 1966: nothing beats the longest path and the shared work; no list exceeds both together.
        prop_assert!(found.seconds * slack >= path.max(shared));
        prop_assert!(found.seconds <= (path + shared) * slack);
        prop_assert_eq!(simulate(&plan, &costs, &cluster).unwrap(), found.clone());
        // No worker runs two tasks at a time, and every task begins after its inputs were written.
        let mut end = vec![0.0; plan.tasks.len()];
        found.spans.iter().for_each(|span| end[span.task] = span.end);
        let dependencies = plan.dependencies();
        for span in &found.spans {
            let before = &dependencies[span.task];
            prop_assert!(before.iter().all(|before| end[*before] <= span.start * slack));
        }
        for node in 0..nodes {
            for span in found.spans.iter().filter(|span| span.node == node as usize) {
                let at = span.start + (span.end - span.start) / 2.0;
                let running = found.spans.iter().filter(|s| s.node == node as usize && s.start < at && at < s.end);
                prop_assert!(running.count() <= cores as usize);
            }
        }
    }

    #[test]
    fn bytes_take_their_time(log in 8u32..14, nodes in 1u32..4, rate in 1.0e6..1.0e9) {
        let (plan, costs) = (of_size(log, 3, 1000), Costs::default());
        let storage = Cluster { storage: rate, ..free(nodes, 2) };
        let found = simulate(&plan, &costs, &storage).unwrap();
        prop_assert!(found.seconds * (1.0 + 1e-9) >= found.bytes as f64 / rate);
        prop_assert!(found.seconds >= simulate(&plan, &costs, &free(nodes, 2)).unwrap().seconds * 0.999 || nodes > 1);
        let network = Cluster { network: rate, ..free(nodes, 2) };
        let found = simulate(&plan, &costs, &network).unwrap();
        prop_assert!(found.seconds * (1.0 + 1e-9) >= found.bytes as f64 / rate / f64::from(nodes));
    }
}

#[test]
fn what_no_cluster_can_be_is_refused() {
    let (plan, costs) = (of_size(10, 2, 1000), Costs::default());
    let most = plan.tasks.iter().map(|task| task.memory).max().unwrap();
    simulate(&plan, &costs, &Cluster { memory: most, ..free(2, 2) }).unwrap();
    let refused = simulate(&plan, &costs, &Cluster { memory: most - 1, ..free(2, 2) });
    assert!(matches!(refused, Err(ScaleError::TooLarge { needed, .. }) if needed == most));
    let ok = free(1, 1);
    for wrong in [
        Cluster { nodes: 0, ..ok },
        Cluster { workers: 0, ..ok },
        Cluster { cores: 0, ..ok },
        Cluster { network: 0.0, ..ok },
        Cluster { storage: f64::NAN, ..ok },
        Cluster { dispatch: -1.0, ..ok },
        Cluster { crowding: 0.5, ..ok },
        Cluster { handover: f64::INFINITY, ..ok },
    ] {
        assert!(matches!(simulate(&plan, &costs, &wrong), Err(ScaleError::Cluster(_))), "{wrong:?}");
    }
}

#[test]
fn measured_tasks_correct_the_estimates() {
    let w = crate::workshop::chain::<Bn254>(500);
    let plan = w.plan(2, 200, 0);
    let mut scheduler = Scheduler::new(&plan, Ledger::in_memory()).unwrap();
    let mut outcomes = Vec::new();
    while let Some(task) = scheduler.waiting().first().copied() {
        let job = scheduler.take(task).unwrap();
        assert!(scheduler.take(task).is_none(), "nobody gets a task twice");
        let outcome = run_task(&job, &w.device).unwrap();
        // Entering an outcome twice is allowed; an outcome with other bytes is refused.
        scheduler.enter(outcome.clone()).unwrap();
        scheduler.enter(outcome.clone()).unwrap();
        let other = pairwright_scale::Outcome { outputs: vec![Digest::of(b"other")], ..outcome.clone() };
        assert!(matches!(scheduler.enter(other), Err(ScaleError::Job { .. })));
        outcomes.push(outcome);
    }
    assert_eq!(scheduler.done(), plan.tasks.len());
    let (_, ledger) = scheduler.into_parts();
    assert_eq!(w.finish(&plan, &ledger).unwrap(), w.in_memory());

    let costs = Costs::measured(&plan, &outcomes);
    assert_eq!(costs.factors.len(), 5, "every kind of operation: {:?}", costs.factors);
    let taken: f64 = outcomes.iter().map(|outcome| outcome.seconds).sum();
    let one = simulate(&plan, &costs, &free(1, 1)).unwrap();
    assert!((one.seconds / taken - 1.0).abs() < 1e-6, "{} {taken}", one.seconds);
}

/// A task that a slow worker still runs when the proof is over must not write values of the witness to a new file.
#[test]
fn a_task_after_the_end_leaves_nothing_behind() {
    let w = crate::workshop::chain::<Bn254>(60);
    let plan = w.plan(2, 200, 0);
    let mut scheduler = Scheduler::new(&plan, Ledger::in_memory()).unwrap();
    let late = scheduler.take(0).unwrap();
    w.clear();
    let why = run_task(&late, &w.device).unwrap_err();
    assert!(matches!(why, ScaleError::Io { .. }), "{why}");
    assert_eq!(std::fs::read_dir(w.path("work")).unwrap().count(), 0);
}

#[test]
fn nothing_is_entered_that_was_not_handed_out() {
    let w = crate::workshop::chain::<Bn254>(60);
    let plan = w.plan(2, 200, 0);
    let mut scheduler = Scheduler::new(plan.clone(), Ledger::in_memory()).unwrap();
    let outcome = |task: &str, n: usize| pairwright_scale::Outcome {
        task: task.to_owned(),
        outputs: vec![Digest::of(&[]); n],
        seconds: 0.0,
    };
    for (task, n) in [("columns-0", 6), ("quotient-0", 1), ("nobody", 1)] {
        assert!(matches!(scheduler.enter(outcome(task, n)), Err(ScaleError::Job { .. })), "{task}");
    }
    let first = scheduler.waiting()[0];
    let name = scheduler.take(first).unwrap().task.name;
    assert!(matches!(scheduler.enter(outcome(&name, 99)), Err(ScaleError::Job { .. })), "too many outputs");
    assert_eq!(scheduler.done(), 0);
}

#[test]
fn calibrations_are_checked() {
    let none = Calibration::none();
    assert_eq!((none.worst_error(), none.apply_to(Cluster::rack())), (None, Cluster::rack()));
    let why = Calibration::parse("a file", &serde_json::to_string(&none).unwrap()).unwrap_err();
    assert!(why.to_string().contains("no proof that was measured"), "{why}");

    let measured =
        Measured { curve: "bn128".to_owned(), log_domain: 10, tasks: 20, processes: 1, seconds: 2.0 };
    let factors = [("rows".to_owned(), 1.25)].into();
    let compared = vec![Compared { measured: measured.clone(), predicted: 1.5 }];
    let known =
        Calibration { measured: Some(measured), costs: Costs { factors }, crowding: 1.2, compared, ..none };
    assert_eq!(known.worst_error(), Some(0.25));
    assert_eq!(known.apply_to(Cluster::rack()).crowding, 1.2);
    let text = serde_json::to_string(&known).unwrap();
    assert_eq!(Calibration::parse("a file", &text).unwrap(), known);
    let refused = |change: &dyn Fn(&mut Calibration)| {
        let mut changed = known.clone();
        change(&mut changed);
        let why = Calibration::parse("a file", &serde_json::to_string(&changed).unwrap()).unwrap_err();
        assert!(why.to_string().starts_with("a file: "), "{why}");
        why.to_string()
    };
    assert!(refused(&|c| c.version = 2).contains("version 2 of a calibration"));
    assert!(refused(&|c| c.crowding = 0.5).contains("crowding"));
    assert!(refused(&|c| _ = c.costs.factors.insert("rows".to_owned(), 0.0)).contains("above 0"));
    assert!(refused(&|c| c.compared[0].predicted = -1.0).contains("above 0"));
    let cut = Calibration::parse("a file", &text[..text.len() / 2]).unwrap_err();
    assert!(matches!(cut, ScaleError::Json { .. }), "{cut}");
}
