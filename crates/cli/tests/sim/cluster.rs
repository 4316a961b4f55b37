//! `pairwright sim cluster`: proofs on simulated clusters.

use super::*;

#[test]
fn more_machines_take_less_time_until_something_else_bounds() {
    let report =
        json("sim cluster --size 2^20 --parts 64 --set workers=8 --set dispatch=0 --sweep nodes=1,2,4");
    let points = report["points"].as_array().unwrap();
    let number = |point: &Value, name: &str| point[name].as_f64().unwrap();
    for pair in points.windows(2) {
        let gain = number(&pair[0], "seconds") / number(&pair[1], "seconds");
        assert!((0.99..=2.0 + 1e-9).contains(&gain), "{gain}: {pair:?}");
    }
    for point in points {
        assert!(number(point, "seconds") >= number(point, "bound_seconds") * 0.999, "{point}");
        assert!(number(point, "speedup") <= number(point, "cores") + 1e-9, "{point}");
    }
    // All wait for the scheduler, which hands out two tasks for each of 64 workers at ten a second.
    assert_eq!(json("sim cluster --size 2^18 --set nodes=2 --set dispatch=0.1")["bound"], "scheduler");
}

#[test]
#[ignore = "full: plans of 512 blocks list half a million pieces, half a minute"]
fn many_machines_wait_for_their_scheduler() {
    let report = json("sim cluster --size 2^20 --parts 128 --set dispatch=0 --sweep nodes=1,2,4");
    let seconds = |at: usize| report["points"][at]["seconds"].as_f64().unwrap();
    assert!(seconds(0) >= 0.99 * seconds(1) && seconds(1) >= 0.99 * seconds(2), "{report}");
    // The scheduler is the bound: it hands out two tasks for each of 2048 workers.
    assert_eq!(json("sim cluster --size 2^18 --set nodes=64")["bound"], "scheduler");
}

#[test]
fn memory_is_a_bound_of_tasks_and_a_slow_network_is_felt() {
    let line = "sim cluster --size 2^18 --design local";
    let ample = json(line);
    let tight = json(&format!("{line} --memory 80M --parts 1"));
    assert!(tight["task_bytes"].as_u64() <= Some(80 << 20), "{tight}");
    assert!(tight["tasks"].as_u64() > json(&format!("{line} --parts 1"))["tasks"].as_u64());
    let slow = json(&format!("{line} --set network=1e6"));
    assert_eq!(slow["bound"], "transfers");
    assert!(slow["seconds"].as_f64() > ample["seconds"].as_f64());
    let said = fails(&format!("{line} --set memory=1000"));
    assert!(said.contains("bytes of memory, and a machine has 1000"), "{said}");
}

#[test]
fn a_prediction_says_what_it_rests_on() {
    let text = ok("sim cluster --size 2^16 --set nodes=2");
    for said in ["on 2 machines with 32 workers and 32 cores each", "msm in G2", "no machine was measured"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    // Parameters of the cluster that are given take precedence over measured ones.
    let report = json("sim cluster --size 2^16 --set nodes=2 --set crowding=2");
    assert_eq!(report["cluster"]["crowding"], 2.0);
    assert_ne!(json("sim cluster --size 2^16 --set nodes=2")["cluster"]["crowding"], 2.0);
    // A measurement that was compared with proofs puts an interval around its predictions.
    let dir = tempfile::tempdir().unwrap();
    let measured = serde_json::json!({
        "version": 1, "machine": "a test", "program": "0", "date": "2026-01-01",
        "of": { "curve": "bn128", "log_domain": 4, "tasks": 1, "processes": 1, "seconds": 1.0 },
        "costs": { "factors": { "rows": 2.0 } }, "crowding": 1.5, "handover": 0.25,
        "compared": [{
            "curve": "bn128", "log_domain": 4, "tasks": 1, "processes": 2, "seconds": 1.0, "predicted": 1.25
        }]
    });
    std::fs::write(dir.path().join("m.json"), measured.to_string()).unwrap();
    let report: Value = serde_json::from_str(&ok_in(
        dir.path(),
        "--json sim cluster --size 2^16 --set nodes=1 --measured m.json",
    ))
    .unwrap();
    assert_eq!((&report["cluster"]["crowding"], &report["cluster"]["handover"]), (&1.5.into(), &0.25.into()));
    assert_eq!(report["measured"]["largest_error"], 0.25);
    let at = |value: &Value| value.as_f64().unwrap();
    let within = report["seconds_within"].as_array().unwrap();
    assert!((at(&within[1]) / at(&report["seconds"]) - 1.25).abs() < 1e-9);
    let text = ok_in(dir.path(), "sim cluster --size 2^16 --set nodes=1 --measured m.json");
    assert!(text.contains("tasks measured on a test (2026-01-01); predictions of 1 proofs"), "{text}");
}

#[test]
fn a_timeline_has_a_row_for_each_worker() {
    let dir = tempfile::tempdir().unwrap();
    let line = "sim cluster --size 2^12 --set nodes=2 --set workers=2 --set cores=2 --trace t.json";
    let report: Value = serde_json::from_str(&ok_in(dir.path(), &format!("--json {line}"))).unwrap();
    let trace: Value =
        serde_json::from_str(&std::fs::read_to_string(dir.path().join("t.json")).unwrap()).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let count = |of: &dyn Fn(&&Value) -> bool| events.iter().filter(of).count() as u64;
    assert_eq!(Some(count(&|e| e["ph"] == "X")), report["tasks"].as_u64());
    assert_eq!(count(&|e| e["name"] == "thread_name"), 4);
    assert_eq!(count(&|e| e["name"] == "process_name"), 2);
}

#[test]
fn what_no_proof_or_cluster_is_is_refused() {
    for (line, said) in [
        ("sim cluster --size 2^29 --curve bn128", "has domains of at most 2^28"),
        ("sim cluster --size 2^8 --wires 1", "--wires: 1 values cannot hold"),
        ("sim cluster --size 2^24 --parts 1000000", "a simulated plan has at most 2048"),
        ("sim cluster --memory 1M", "memory"),
        ("sim cluster --set nodes=0", "--set: nodes is 0, it must be 1 to 65536 machines"),
        ("sim cluster --set crowding=0.5", "crowding is 0.5"),
        ("sim cluster --set machines=2", "machines"),
        ("sim cluster --design paper", "rack, local"),
        ("sim cluster --measured Cargo.toml", "Cargo.toml: "),
        ("sim cluster --sweep nodes=1,x", "x"),
    ] {
        let found = fails(line);
        assert!(found.contains(said), "{line}: {found}");
    }
}

#[test]
fn examples_of_clusters_run() {
    let dir = tempfile::tempdir().unwrap();
    let help = ok("sim cluster --help");
    let examples: Vec<&str> =
        help.lines().filter_map(|line| line.trim().strip_prefix("pairwright ")).collect();
    assert_eq!(examples.len(), 4, "{help}");
    examples.into_iter().for_each(|line| drop(ok_in(dir.path(), line)));
}
