//! Jobs: they survive JSON, can run twice, and are refused when their regions are not those of the operation.

use crate::workshop::{Workshop, chain};
use pairwright_curve::bn254::Bn254;
use pairwright_scale::{Job, Op, Plan, ScaleError, run_task};
use std::fs;

fn job(plan: &Plan, name: &str) -> Job {
    let task = plan.tasks.iter().find(|task| task.name == name).unwrap().clone();
    Job { setting: plan.setting.clone(), files: plan.files.clone(), task, durable: true }
}

fn ready() -> (Workshop<Bn254>, Plan) {
    let w = chain::<Bn254>(60);
    let plan = w.plan(2, 40, 0);
    w.run(&plan).unwrap();
    (w, plan)
}

#[test]
fn jobs_run_from_json_and_again() {
    let (w, plan) = ready();
    for task in &plan.tasks {
        let written = |path: &str| fs::read(w.path("work").join(path)).unwrap();
        let before: Vec<_> = task.outputs.iter().map(|region| written(&region.file)).collect();
        let text = serde_json::to_string(&job(&plan, &task.name)).unwrap();
        let first = run_task(&serde_json::from_str(&text).unwrap(), &w.device).unwrap();
        let again = run_task(&job(&plan, &task.name), &w.device).unwrap();
        assert_eq!((first.outputs, first.task), (again.outputs, again.task));
        let after: Vec<_> = task.outputs.iter().map(|region| written(&region.file)).collect();
        assert_eq!(before, after, "{}", task.name);
    }
}

#[test]
fn jobs_that_make_no_sense_are_refused() {
    let (w, plan) = ready();
    let refused = |name: &str, change: &dyn Fn(&mut Job)| {
        let mut bad = job(&plan, name);
        change(&mut bad);
        run_task(&bad, &w.device).unwrap_err()
    };
    for name in ["columns-0", "rows-1-b", "quotient-1", "a-0", "b2-0"] {
        let is_job = |why: ScaleError| matches!(why, ScaleError::Job { .. });
        assert!(is_job(refused(name, &|j| drop(j.task.inputs.pop()))), "{name}");
        assert!(is_job(refused(name, &|j| drop(j.task.outputs.pop()))), "{name}");
        assert!(is_job(refused(name, &|j| j.files.clear())), "{name}");
        assert!(is_job(refused(name, &|j| j.task.outputs[0].length += 1)), "{name}");
        refused(name, &|j| j.task.inputs[0].length = u64::MAX);
        refused(name, &|j| j.task.inputs[0].offset = u64::MAX);
    }
    for op in
        [Op::Columns { block: 2, cache: 0 }, Op::Rows { block: 9, vector: 0 }, Op::Quotient { block: 2 }]
    {
        let why = refused("columns-0", &|j| j.task.op = op.clone());
        assert!(why.to_string().contains("no such block"), "{why}");
    }
    assert!(refused("columns-0", &|j| j.setting.log_domain = 20).to_string().contains("layout"));
    for log in [28, 60, 200, u32::MAX] {
        let why = refused("rows-0-a", &|j| j.setting.log_domain = log);
        assert!(why.to_string().contains("no such domain"), "{why}");
    }
    let why = refused("columns-0", &|j| j.setting.wires = 3);
    assert!(matches!(why, ScaleError::Job { .. }), "{why}");
    let why = refused("columns-0", &|j| j.task.op = Op::Undivided { cache: 0 });
    assert!(why.to_string().contains("divided into blocks"), "{why}");
}

#[test]
fn jobs_of_one_block_that_make_no_sense_are_refused() {
    let w = chain::<Bn254>(60);
    let plan = w.plan(1, 40, 0);
    w.run(&plan).unwrap();
    let refused = |change: &dyn Fn(&mut Job)| {
        let mut bad = job(&plan, "undivided");
        change(&mut bad);
        run_task(&bad, &w.device).unwrap_err()
    };
    let is_job = |why: ScaleError| matches!(why, ScaleError::Job { .. });
    assert!(is_job(refused(&|j| drop(j.task.inputs.pop()))));
    assert!(is_job(refused(&|j| drop(j.task.outputs.pop()))));
    assert!(is_job(refused(&|j| j.files.clear())));
    assert!(is_job(refused(&|j| j.task.outputs[0].length += 1)));
    assert!(is_job(refused(&|j| j.setting.wires = 3)));
    assert!(is_job(refused(&|j| j.setting.log_domain = 20)));
    for log in [28, 60, 200, u32::MAX] {
        assert!(refused(&|j| j.setting.log_domain = log).to_string().contains("no such domain"));
    }
    for input in 0..3 {
        refused(&|j| j.task.inputs[input].length = u64::MAX);
        refused(&|j| j.task.inputs[input].offset = u64::MAX);
    }
    assert!(is_job(refused(&|j| j.task.op = Op::Columns { block: 0, cache: 0 })));
}
