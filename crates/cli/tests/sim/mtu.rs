//! The tree unit.

use super::*;

#[test]
fn trees_on_the_tree_unit_are_the_hosts() {
    let number = |report: &Value, name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}"));
    for workload in ["build-mle", "mle-eval", "product", "product-mle", "merkle", "merkle-levels"] {
        for traversal in ["bfs", "dfs", "hybrid"] {
            let line = format!("sim mtu --workload {workload} --size 2^7 --traversal {traversal} --pes 4");
            let report = json(&format!("{line} --data --random 5"));
            assert_eq!((&report["checked"], &report["pes"]), (&true.into(), &4.into()), "{line}");
            assert_eq!((&report["workload"], &report["size"]), (&workload.into(), &128.into()));
            assert_eq!(report["account"]["config"]["traversal"], traversal);
            // Time does not depend on the data.
            let timing = json(&line);
            assert_eq!((&timing["cycles"], &timing["checked"]), (&report["cycles"], &false.into()));
            assert_eq!(report["account"]["elements"].as_array().unwrap().len(), 4);
            for name in ["latency_s", "utilisation", "write_bytes", "sram_bytes", "energy_j", "area_mm2"] {
                assert!(number(&report, name) > 0.0, "{line}: {name}");
            }
            assert!(number(&report, "achieved_gb_s") <= number(&report, "peak_gb_s"));
        }
    }
    let other = json("sim mtu --workload product-mle --size 2^5 --pes 2 --data --curve bn254");
    assert_eq!((&other["curve"], &other["checked"]), (&"bn128".into(), &true.into()));
    let text = ok("sim mtu --workload merkle --size 2^10 --pes 8 --bandwidth 256");
    for said in ["merkle of 2^10 leaves, hybrid on 8 elements", "of 256.0 GB/s", "SHA3", "accumulators"] {
        assert!(text.contains(said), "{said}: {text}");
    }
    let help = ok("sim mtu --help");
    for said in ["--hash-ii", "--dump-config", "product-mle", "eq(x, r) at every corner", "--sweep pes=2,4,8"]
    {
        assert!(help.contains(said), "{said}: {help}");
    }
}

#[test]
fn a_tree_unit_is_a_file_then_settings_then_options() {
    let dir = tempfile::tempdir().unwrap();
    let config = |line: &str| -> Value {
        let report: Value = serde_json::from_str(&ok_in(dir.path(), &format!("--json {line}"))).unwrap();
        report["account"]["config"].clone()
    };
    std::fs::write(dir.path().join("unit.toml"), "pes = 8\nhash_ii = 24\n[dram]\nlatency = 40\n").unwrap();
    let tree = "sim mtu --size 2^6 --spec unit.toml";
    let unit = config(tree);
    assert_eq!(
        (&unit["pes"], &unit["hash_ii"], &unit["dram"]["latency"]),
        (&8.into(), &24.into(), &40.into())
    );
    let unit = config(&format!("{tree} --set pes=4 --set dram.latency=50"));
    assert_eq!((&unit["pes"], &unit["dram"]["latency"]), (&4.into(), &50.into()));
    let unit = config(&format!("{tree} --set pes=4 --pes 2 --hash-ii 12 --bandwidth 64 --schedule ruler"));
    assert_eq!((&unit["pes"], &unit["hash_ii"]), (&2.into(), &12.into()));
    assert_eq!((&unit["dram"]["bytes_per_cycle"], &unit["schedule"]), (&64.into(), &"ruler".into()));
    // The printed file describes the changed unit.
    let printed = ok_in(dir.path(), "sim mtu --spec unit.toml --set pes=4 --dump-config");
    std::fs::write(dir.path().join("again.toml"), printed).unwrap();
    assert_eq!(config("sim mtu --size 2^6 --config again.toml"), config(&format!("{tree} --set pes=4")));
    // At another clock, the same GB/s are another number of bytes a cycle.
    let unit = config("sim mtu --size 2^6 --set clock_hz=500000000 --bandwidth 64");
    assert_eq!(unit["dram"]["bytes_per_cycle"], 128);

    for (text, said) in [
        ("pes = 3\n", "bad.toml, line 1: pes is 3, it must be a power of two, 2 to 1024"),
        ("pes = 2\ncolour = 1\n", "bad.toml, line 2: colour: unknown field `colour`"),
        ("pes = \"two\"\n", "bad.toml, line 1: pes: wrong type: \"two\" is a name"),
        ("[dram]\nqueue = 0\n", "bad.toml, line 2: dram.queue is 0, it must be 1 to 64 requests"),
        ("pes 2\n", "bad.toml, line 1: "),
    ] {
        std::fs::write(dir.path().join("bad.toml"), text).unwrap();
        let out = run(dir.path(), "sim mtu --spec bad.toml");
        let error = String::from_utf8(out.stderr).unwrap();
        assert_eq!((out.status.code(), error.lines().count()), (Some(2), 1), "{error}");
        assert!(error.trim_start_matches("pairwright: ").starts_with(said), "{error}");
    }
}

#[test]
fn trees_are_traced_swept_and_between_stages() {
    let dir = tempfile::tempdir().unwrap();
    ok_in(dir.path(), "sim mtu --workload mle-eval --size 2^8 --pes 4 --trace t.json --window 300");
    let trace = std::fs::read_to_string(dir.path().join("t.json")).unwrap();
    let trace: Value = serde_json::from_str(&trace).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let named = |name: &str| events.iter().any(|e| e["name"] == "thread_name" && e["args"]["name"] == name);
    assert!(["PE 0", "PE 1", "PE 2", "PE 3 (DFS accumulator)"].into_iter().all(named));
    let nodes: Vec<&Value> = events.iter().filter(|e| e["ph"] == "X").collect();
    assert!(!nodes.is_empty() && nodes.iter().all(|e| e["ts"].as_u64().unwrap() < 300));
    assert_eq!(nodes[0]["name"], "L1_0");

    let line = "--json sim mtu --size 2^10 --sweep pes=2,3 --sweep workload=build-mle,product-mle \
                --csv s.csv --plot s.svg";
    let report: Value = serde_json::from_str(&ok_in(dir.path(), line)).unwrap();
    let points = report["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    for point in points {
        let refused = point["parameters"]["pes"] == "3";
        assert_eq!((point["cycles"].is_u64(), point["refused"].is_string()), (!refused, refused), "{point}");
    }
    let alone = json("sim mtu --size 2^10 --pes 2 --workload product-mle");
    assert_eq!(points[1]["cycles"], alone["cycles"]);
    let table = std::fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert!(table.starts_with("pes,workload,cycles,clock_mhz,latency_us,utilisation,read_bytes,"), "{table}");
    assert_eq!(table.lines().count(), 5);
    let picture = std::fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(picture.contains("product-mle") && picture.contains("swept: pes 2, 3"), "one unit remains: bars");
    let fields = "sim mtu --size 2^8 --sweep dram.latency=10,400 --sweep schedule=ruler,filled";
    let report = json(fields);
    assert!(report["points"][0]["cycles"].as_u64() < report["points"][2]["cycles"].as_u64());

    // A stage that delivers as many leaves a cycle as the unit takes never waits for it.
    let report = json("sim mtu --workload mle-eval --size 2^12 --pes 4 --upstream 4");
    let upstream = &report["account"]["upstream"];
    assert_eq!((&upstream["words"], &upstream["rate"]), (&4096.into(), &4.into()));
    assert_eq!(report["read_bytes"], 12 * 32, "the challenges, and no leaf, come from memory");
    assert!(
        ok("sim mtu --size 2^8 --pes 4 --downstream 2").contains("downstream: 256 words, up to 2 a cycle")
    );
}

#[test]
fn a_clock_that_circuits_do_not_allow_is_lowered_with_a_word() {
    let short = json("sim mtu --size 2^8 --workload mle-eval --set mul_latency=14");
    assert_eq!((&short["clock_hz"], &short["clock_asked_hz"]), (&531_914_893.into(), &1_000_000_000.into()));
    assert_eq!(short["clock_limited_by"], "mul_latency");
    let text = ok("sim mtu --size 2^8 --set clock_hz=100000000000");
    assert!(text.contains("at 1000 MHz, the most that full_clock_hz allows"), "{text}");
    let paper = json("sim mtu --size 2^8");
    assert_eq!((&paper["clock_hz"], paper.get("clock_limited_by")), (&1_000_000_000.into(), None));
}

#[test]
fn leaves_are_hashed_first_where_that_is_asked() {
    let cycles = |line: &str| json(line)["cycles"].as_u64().unwrap();
    for workload in ["merkle", "merkle-levels"] {
        let line = format!("sim mtu --workload {workload} --size 2^8 --pes 4");
        let hashed = json(&format!("{line} --hash-leaves --data"));
        assert_eq!((&hashed["checked"], &hashed["hash_leaves"]), (&true.into(), &true.into()));
        assert_eq!(hashed["account"]["operations"]["hashes"], 511);
        assert!(hashed["cycles"].as_u64().unwrap() > cycles(&line) + 64);
    }
    let why = fails("sim mtu --workload product --size 2^4 --hash-leaves");
    assert!(why.contains("leaves are hashed in Merkle trees only, the workload is product"), "{why}");
}
