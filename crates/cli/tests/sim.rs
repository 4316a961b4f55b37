//! `pairwright sim` and `compile`: designs in, numbers with units out, and one clear line for every bad request.

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

fn run(dir: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pairwright"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .output()
        .unwrap()
}

fn ok(line: &str) -> String {
    ok_in(Path::new("."), line)
}

fn ok_in(dir: &Path, line: &str) -> String {
    let out = run(dir, line);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{line}: {text}{}", String::from_utf8_lossy(&out.stderr));
    text
}

fn json(line: &str) -> Value {
    serde_json::from_str(&ok(&format!("--json {line}"))).unwrap()
}

/// What a request that must fail says.
fn fails(line: &str) -> String {
    let out = run(Path::new("."), line);
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{line}: {said}");
    said.trim().trim_start_matches("pairwright: ").to_owned()
}

#[test]
fn the_published_pairing_comes_within_three_percent() {
    let report = json("sim pairing --seeds 50");
    let number = |name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}"));
    assert_eq!((&report["design"], &report["division"]), (&"paper".into(), &"published".into()));
    assert_eq!(report["checked"], true);
    for (name, printed) in [
        ("cycles", 55.9e3),
        ("latency_s", 69.9e-6),
        ("energy_j", 76.9e-6),
        ("area_mm2", 2.09),
        ("power_w", 1.10),
    ] {
        assert!((number(name) / printed - 1.0).abs() < 0.03, "{name}: {}", number(name));
    }
    let routines = report["routines"].as_array().unwrap();
    assert_eq!(routines.len(), 8);
    let sum = |of: &str| routines.iter().map(|r| r[of].as_u64().unwrap()).sum::<u64>();
    assert_eq!(sum("instructions"), report["instructions"].as_u64().unwrap());
    assert!(sum("cycles") < report["cycles"].as_u64().unwrap());
    let classes = report["cycles_by_class"].as_object().unwrap();
    assert_eq!(
        classes.values().map(|v| v.as_u64().unwrap()).sum::<u64>(),
        report["cycles"].as_u64().unwrap()
    );
}

#[test]
fn our_design_takes_half_of_it_on_any_points() {
    let generators = json("sim pairing --design best --seeds 50");
    let random = json("sim pairing --design best --seeds 50 --random 7");
    assert!(generators["cycles"].as_u64().unwrap() < 28_000, "{}", generators["cycles"]);
    // Constant time: the same cycles whatever the points.
    assert_eq!(generators["cycles"], random["cycles"]);
    assert_eq!((&random["checked"], &random["division"]), (&true.into(), &"resident".into()));
    // The same words again.
    assert_eq!(generators, json("--threads 1 sim pairing --design best --seeds 50"));
}

#[test]
fn a_design_from_a_file_and_its_changes() {
    let dir = tempfile::tempdir().unwrap();
    let spec = include_str!("../../chip/specs/best.toml").replace("name = \"best\"", "name = \"mine\"");
    std::fs::write(dir.path().join("mine.toml"), spec).unwrap();
    let text =
        ok_in(dir.path(), "sim pairing --spec mine.toml --set mm.latency=12 --seeds 20 --scheduler list");
    assert!(text.starts_with("mine design, resident division, list scheduler with 20 schedules"), "{text}");
    assert!(text.contains("the most its multiplier allows"), "twelve stages cannot keep 800 MHz: {text}");
    let said = fails("sim pairing --spec nowhere.toml");
    assert!(said.starts_with("nowhere.toml: "), "{said}");
}

#[test]
fn a_timeline_waveforms_and_a_listing() {
    let dir = tempfile::tempdir().unwrap();
    let text = ok_in(dir.path(), "sim pairing --seeds 5 --trace t.json --vcd t.vcd --listing");
    assert!(text.contains("cyclotomic_square: 46 operations in "), "{text}");
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let trace: Value = serde_json::from_str(&read("t.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    for track in ["L1", "switcher", "routine", "Fp2 multiplier", "Fp2 arithmetic", "Fp inverter"] {
        let named = |e: &&Value| e["name"] == "thread_name" && e["args"]["name"] == track;
        let thread = events.iter().find(named).unwrap_or_else(|| panic!("no track {track}"));
        let on_it = events.iter().filter(|e| e["ph"] == "X" && e["tid"] == thread["tid"]).count();
        assert!(on_it > 0, "nothing on {track}");
    }
    assert!(read("t.vcd").contains("$enddefinitions $end"));
}

/// The end of the last event of a process of a timeline, whose tracks must show one event at a time.
fn end_of(dir: &Path, file: &str, process: u64) -> u64 {
    let trace: Value = serde_json::from_str(&std::fs::read_to_string(dir.join(file)).unwrap()).unwrap();
    let number = |event: &Value, name: &str| event[name].as_u64().unwrap();
    let mut free: BTreeMap<u64, u64> = BTreeMap::new();
    for event in trace["traceEvents"].as_array().unwrap() {
        if event["ph"] == "X" && event["pid"] == process {
            let track = free.entry(number(event, "tid")).or_default();
            assert!(number(event, "ts") >= *track, "{event} overlaps what is before it");
            *track = number(event, "ts") + number(event, "dur");
        }
    }
    *free.values().max().unwrap()
}

#[test]
fn timelines_cover_the_cycles_of_programs_and_boards() {
    let dir = tempfile::tempdir().unwrap();
    let parsed = |line: &str| -> Value {
        serde_json::from_str(&ok_in(dir.path(), &format!("--json sim {line} --trace t.json"))).unwrap()
    };
    let end = |process| end_of(dir.path(), "t.json", process);
    // Several programs, one after the other.
    let program = parsed("program hash-g1 --design best --seeds 1");
    assert!(program["programs"][0]["phases"].as_u64().unwrap() > 1, "{program}");
    assert_eq!(program["programs"][0]["cycles"], end(1));
    let quick = "--carry balanced --product 28bit";
    let board = parsed(&format!("aie-board --tasks 200 {quick}"));
    assert_eq!(board["throughput"]["pl_cycles"], end(1));
    let read = std::fs::read_to_string(dir.path().join("t.json")).unwrap();
    assert_eq!(read.matches("\"an addition enters\"").count(), 200);
    let logic_hz = board["pl_hz"].as_f64().unwrap();
    let eight = parsed(&format!("aie-board --tasks 8 {quick}"));
    assert_eq!((eight["latency"]["seconds"].as_f64().unwrap() * logic_hz).round() as u64, end(2));
    let sum = parsed(&format!("aie-msm --size 100 --window-bits 5 --windows-per-pass 26 {quick}"));
    let phases = sum["pl_cycles"].as_object().unwrap();
    assert_eq!(phases.values().map(|cycles| cycles.as_u64().unwrap()).sum::<u64>(), end(1));
    assert_eq!(sum["passes"], 2);
}

#[test]
fn a_sweep_is_a_table_and_a_picture() {
    let dir = tempfile::tempdir().unwrap();
    // The deepest pipeline does not fit sixteen words of L2 memory, and says so in its row.
    let line = "--json sim pairing --design best --seeds 5 --sweep mm.latency=16..20:2 --sweep \
                control.l2_words=16,1024 --csv s.csv --plot s.svg";
    let report: Value = serde_json::from_str(&ok_in(dir.path(), line)).unwrap();
    let points = report["points"].as_array().unwrap();
    assert_eq!(points.len(), 6);
    for point in points {
        let fits = point["parameters"]["control.l2_words"] == "1024";
        assert_eq!(point["cycles"].is_u64(), fits, "{point}");
        assert_eq!(point["refused"].is_string(), !fits, "{point}");
    }
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let table = read("s.csv");
    let head = "mm.latency,control.l2_words,cycles,instructions,clock_mhz,latency_us,energy_uj,area_mm2,atp_us_mm2,refused";
    assert_eq!(table.lines().next(), Some(head));
    assert_eq!(table.lines().count(), 7);
    let picture = read("s.svg");
    assert_eq!(picture.matches("<circle").count(), 6, "three designs in two panels");
    assert!(picture.contains("mm.latency=18 control.l2_words=1024"));
}

#[test]
fn routines_are_compiled_one_or_all() {
    let all = json("compile --all --seeds 20");
    assert_eq!(all["routines"].as_array().unwrap().len(), 8);
    let one = json("compile fp12_mul --seeds 20 --listing");
    let routine = &one["routines"][0];
    assert_eq!((&routine["name"], &routine["operations"]), (&"fp12_mul".into(), &85.into()));
    assert!(routine["cycles"].as_u64() >= routine["bound"].as_u64());
    assert!(one["listing"].as_str().unwrap().starts_with("fp12_mul: 85 operations in "));
    let text = ok("compile --seeds 5");
    assert!(text.contains("routine") && text.contains("bubbles") && text.contains("cyclotomic_square"));
}

#[test]
fn programs_are_listed_and_run_against_the_host() {
    let list = json("sim program --list");
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
    assert!(["pairing", "groth16", "bls-min-sig", "ibe-decrypt"].iter().all(|n| names.contains(n)));
    let ran = json("sim program product-2 --design best --seeds 4 --random 7");
    let program = &ran["programs"][0];
    assert_eq!((&program["name"], &program["checked"]), (&"product-2".into(), &true.into()));
    assert!(program["cycles"].as_u64().unwrap() > 20_000);
    assert!(ok("sim program --list").contains("groth16"));
}

#[test]
fn transforms_and_sums_of_the_whole_chip() {
    let number = |report: &Value, name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}"));
    let transform = json("sim ntt --size 2^11 --coset --data --curve bn254");
    assert_eq!((&transform["checked"], &transform["curve"]), (&true.into(), &"bn128".into()));
    assert_eq!((&transform["size"], &transform["coset"]), (&2048.into(), &"odd".into()));
    // Time does not depend on the data.
    let timing = json("sim ntt --size 2048 --coset --curve bn254");
    assert_eq!((&timing["cycles"], &timing["checked"]), (&transform["cycles"], &false.into()));
    let slower = json("sim ntt --size 2^11 --coset --curve bn254 --schedule unhidden --method separate");
    assert!(number(&slower, "cycles") > number(&timing, "cycles"));
    assert!(number(&slower, "dram_bytes") > number(&timing, "dram_bytes"));
    for group in ["g1", "g2"] {
        let sum = json(&format!("sim msm --size 50 --group {group} --data"));
        assert_eq!(sum["checked"], true);
        assert_eq!(sum["cycles"], json(&format!("sim msm --size 50 --group {group}"))["cycles"]);
        assert!(ok(&format!("sim msm --size 2^7 --group {group}")).contains("bucket accumulation"));
        for name in ["cycles", "dram_bytes", "utilisation", "energy_j", "simulated_cycles_per_second"] {
            assert!(number(&sum, name) > 0.0, "{name}");
        }
        assert!(number(&sum, "utilisation") <= 1.0);
    }
}

#[test]
fn a_proof_is_one_program_of_the_chip() {
    let with_data = json("sim groth16 --size 2^6 --wires 70 --public 3 --data");
    let timing = json("sim groth16 --size 2^6 --wires 70 --public 3");
    assert_eq!((&with_data["checked"], &timing["checked"]), (&true.into(), &false.into()));
    for report in [&with_data, &timing] {
        let sections = report["sections"].as_array().unwrap();
        let of =
            |name: &str| sections.iter().filter(|s| s["name"].as_str().unwrap().starts_with(name)).count();
        assert_eq!((of("INTT"), of("coset NTT"), of("MSM")), (3, 3, 5));
        let end = sections.iter().map(|s| s["end"].as_u64().unwrap()).max().unwrap();
        assert!(end <= report["cycles"].as_u64().unwrap() && end > 0);
    }
    let text = ok("sim groth16 --size 2^6 --set poly.groups=1 --schedule unhidden --curve bn254");
    assert!(text.contains("MSM H") && text.contains("-bound"), "{text}");
    assert!(fails("sim groth16 --size 64 --wires 2 --public 5").starts_with("--wires: 2 values cannot hold"));
}

#[test]
fn operators_are_traced_listed_and_swept() {
    let dir = tempfile::tempdir().unwrap();
    let text = ok_in(dir.path(), "sim ntt --size 2^11 --trace t.json --listing");
    assert!(text.contains("sub_cntt") && text.contains("gen_tw"), "{text}");
    let trace = std::fs::read_to_string(dir.path().join("t.json")).unwrap();
    let trace: Value = serde_json::from_str(&trace).unwrap();
    assert!(trace["traceEvents"].as_array().unwrap().iter().any(|e| e["ph"] == "X"));
    let line = "--json sim msm --size 64 --sweep size=32,0 --sweep msm.segments=1,2 --csv s.csv --plot s.svg";
    let report: Value = serde_json::from_str(&ok_in(dir.path(), line)).unwrap();
    let points = report["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    for point in points {
        let refused = point["parameters"]["size"] == "0";
        assert_eq!((point["cycles"].is_u64(), point["refused"].is_string()), (!refused, refused), "{point}");
    }
    assert!(points[0]["cycles"].as_u64() > points[1]["cycles"].as_u64(), "segments save time");
    let table = std::fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert!(table.starts_with("size,msm.segments,cycles,clock_mhz,latency_us,energy_uj,utilisation,bound,"));
    let picture = std::fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(picture.contains("size=32 msm.segments=2"));
}

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
    // What is printed as a file is that unit.
    let printed = ok_in(dir.path(), "sim mtu --spec unit.toml --set pes=4 --dump-config");
    std::fs::write(dir.path().join("again.toml"), printed).unwrap();
    assert_eq!(config("sim mtu --size 2^6 --config again.toml"), config(&format!("{tree} --set pes=4")));
    // At another clock a gigabyte a second is another number of bytes a cycle.
    let unit = config("sim mtu --size 2^6 --set clock_hz=500000000 --bandwidth 64");
    assert_eq!(unit["dram"]["bytes_per_cycle"], 128);

    for (text, said) in [
        ("pes = 3\n", "bad.toml, line 1: pes is 3, it must be a power of two, 2 to 1024"),
        ("pes = 2\ncolour = 1\n", "bad.toml, line 2: colour: unknown field `colour`"),
        ("pes = \"two\"\n", "bad.toml, line 1: pes: invalid type"),
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
    assert!(table.starts_with("pes,workload,cycles,latency_us,utilisation,read_bytes,"), "{table}");
    assert_eq!(table.lines().count(), 5);
    let picture = std::fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(picture.contains("pes=2 workload=product-mle"));
    let fields = "sim mtu --size 2^8 --sweep dram.latency=10,400 --sweep schedule=ruler,filled";
    let report = json(fields);
    assert!(report["points"][0]["cycles"].as_u64() < report["points"][2]["cycles"].as_u64());

    // A stage that gives as many leaves a cycle as the unit takes never waits for it.
    let report = json("sim mtu --workload mle-eval --size 2^12 --pes 4 --upstream 4");
    let upstream = &report["account"]["upstream"];
    assert_eq!((&upstream["words"], &upstream["rate"]), (&4096.into(), &4.into()));
    assert_eq!(report["read_bytes"], 12 * 32, "the challenges, and no leaf, come from memory");
    assert!(
        ok("sim mtu --size 2^8 --pes 4 --downstream 2").contains("downstream: 256 words, up to 2 a cycle")
    );
}

#[test]
fn additions_on_ai_engines_are_the_hosts() {
    let number = |report: &Value, name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}"));
    let coarse = json("sim aie --carry balanced --product 28bit --data --kernels");
    assert_eq!((&coarse["mapping"], &coarse["checked"]), (&"coarse".into(), &true.into()));
    assert_eq!((&coarse["tiles"], &coarse["units"]), (&28.into(), &12.into()));
    assert_eq!(coarse["method"]["carry"], "balanced");
    let longest = number(&coarse, "maximum_instructions");
    assert!((number(&coarse, "throughput_per_cycle") - 12.0 / longest).abs() < 1e-12);
    assert!(number(&coarse, "instructions") <= 28.0 * longest);
    assert!(number(&coarse, "latency_cycles") > 2.0 * longest);
    let kernels = coarse["kernels"].as_array().unwrap();
    let tiles: usize = kernels.iter().map(|k| k["tiles"].as_array().unwrap().len()).sum();
    let most = kernels.iter().map(|k| k["instructions"].as_u64().unwrap()).max().unwrap();
    assert_eq!((tiles, most as f64), (28, longest));

    // A smaller array has fewer units of the same kernels.
    let single = "sim aie --mapping single --carry balanced --reduction montgomery";
    let [whole, small] = ["", " --set fabric.columns=2"].map(|set| json(&format!("{single}{set}")));
    assert_eq!((&whole["units"], &small["units"]), (&400.into(), &16.into()));
    assert_eq!((&whole["latency_cycles"], &whole["macs"]), (&small["latency_cycles"], &960.into()));
    assert!(coarse["macs"].as_u64() < whole["macs"].as_u64());
    assert!(small["sustained_per_cycle"].is_null());
    let text = ok(&format!("{single} --set fabric.columns=2 --data --random 7 --listing"));
    for said in ["single mapping", "montgomery reduction", "additions equal to the host's", "bound by", "mac"]
    {
        assert!(text.contains(said), "{said}: {text}");
    }
    let help = ok("sim aie --help");
    for said in ["med-coop", "nearest to the paper", "--dump-config", "--sweep mapping=coarse,single"] {
        assert!(help.contains(said), "{said}: {help}");
    }
}

#[test]
fn engines_are_files_and_settings_and_are_swept_and_traced() {
    let dir = tempfile::tempdir().unwrap();
    let read = |name: &str| std::fs::read_to_string(dir.path().join(name)).unwrap();
    let write = |name: &str, text: &str| std::fs::write(dir.path().join(name), text).unwrap();
    let parsed = |line: &str| -> Value { serde_json::from_str(&ok_in(dir.path(), line)).unwrap() };
    // A file says what differs, --set comes after it.
    write(
        "engine.toml",
        "mapping = \"single\"\n[fabric]\ncolumns = 3\n[[tile.machine.files]]\nname = \"vector\"\nsize = 16\n",
    );
    let engine = "sim aie --spec engine.toml --carry balanced";
    let report = parsed(&format!("--json {engine} --set fabric.columns=2"));
    assert_eq!((&report["mapping"], &report["units"]), (&"single".into(), &16.into()));
    let printed = ok_in(dir.path(), &format!("{engine} --dump-config"));
    assert!(printed.contains("columns = 3") && printed.contains("carry = \"balanced\""), "{printed}");
    write("again.toml", &printed);
    assert_eq!(ok_in(dir.path(), "sim aie --spec again.toml --dump-config"), printed);
    write("bad.toml", "mapping = \"single\"\n\ncolumns 3\n");
    let out = run(dir.path(), "sim aie --spec bad.toml");
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.starts_with("pairwright: bad.toml, line 3: ") && said.lines().count() == 1, "{said}");

    // Several mappings are a sweep; what has no room says so in its row.
    let line = "sim aie --carry balanced --set fabric.columns=2 --mapping single,coarse \
                --sweep tile.call_cycles=10,60 --csv s.csv --plot s.svg";
    let report = parsed(&format!("--json {line}"));
    let points = report["points"].as_array().unwrap();
    assert_eq!(points.len(), 4);
    for point in points {
        let fits = point["parameters"]["mapping"] == "single";
        assert_eq!(
            (point["latency_cycles"].is_u64(), point["refused"].is_string()),
            (fits, !fits),
            "{point}"
        );
    }
    let latency = |point: usize| points[point]["latency_cycles"].as_u64().unwrap();
    assert_eq!(latency(1) - latency(0), 50, "a call more");
    assert!(read("s.csv").starts_with("mapping,tile.call_cycles,throughput_per_cycle,"));
    let picture = read("s.svg");
    assert_eq!(picture.matches("<circle").count(), 2);
    assert!(picture.contains("latency, cycles") && picture.contains("mapping=single"));

    ok_in(dir.path(), "sim aie --carry balanced --product 28bit --trace t.json --tasks 2");
    let trace: Value = serde_json::from_str(&read("t.json")).unwrap();
    let events = trace["traceEvents"].as_array().unwrap();
    let tracks = events.iter().filter(|e| e["name"] == "thread_name").count();
    assert!(
        tracks == 28 && events.iter().any(|e| e["name"].as_str().unwrap().ends_with("empty")),
        "{tracks}"
    );
}

#[test]
fn a_board_with_ai_engines_adds_and_sums() {
    let number = |report: &Value, name: &str| report[name].as_f64().unwrap_or_else(|| panic!("{name}"));
    let quick = "--carry balanced --product 28bit";
    let board = json(&format!("sim aie-board --tasks 2^10 {quick}"));
    assert_eq!((&board["units"], &board["accumulate"]), (&10.into(), &"coarse".into()));
    let rate = number(&board, "tasks_per_second");
    let bounds = board["throughput"]["bounds"].as_object().unwrap();
    assert!(bounds.values().all(|bound| rate <= 1.001 * bound.as_f64().unwrap()), "{rate}: {bounds:?}");
    assert!(number(&board, "latency_s") > 1e-7 && number(&board, "latency_s") < 5e-6);
    let sum = json(&format!("sim aie-msm --size 2^5 --window-bits 4 {quick} --data --random 3"));
    assert_eq!((&sum["checked"], &sum["points"], &sum["window_bits"]), (&true.into(), &32.into(), &4.into()));
    // A scalar of 253 bits has 64 windows.
    assert!(number(&sum, "seconds") > 0.0 && number(&sum, "windows") >= 63.0);
}

/// Every simulation takes the same words, and a file that it prints is one that it reads.
#[test]
fn every_machine_prints_and_reads_its_design() {
    let dir = tempfile::tempdir().unwrap();
    for (command, set, parameter, range) in [
        ("pairing", "mm.latency=20", "latency = 20", "  # 2 to 64 cycles"),
        ("ntt", "dram.preset=ddr4_3200", "rate_mts = 3200", "  # 100 to 20000 million transfers a second"),
        ("msm", "msm.segments=2", "segments = 2", "  # a power of two, 1 to 1048576"),
        ("groth16", "poly.groups=1", "groups = 1", "  # 1 to 2"),
        ("program", "dram.latency=7", "latency = 7", ""),
        ("mtu", "traversal=dfs", "traversal = \"dfs\"", ""),
        ("aie", "fabric.columns=38", "columns = 38", "  # 1 to 128"),
        ("aie-board", "plio.bits=128", "bits = 128", "  # 32, 64 or 128 bits"),
        (
            "aie-msm",
            "dram.preset=ddr4_2400",
            "rate_mts = 2400",
            "  # 100 to 20000 million transfers a second",
        ),
    ] {
        let printed = ok(&format!("sim {command} --design paper --set {set} --dump-config"));
        assert!(printed.contains(&format!("{parameter}{range}\n")), "{command}: {printed}");
        std::fs::write(dir.path().join("whole.toml"), &printed).unwrap();
        assert_eq!(ok_in(dir.path(), &format!("sim {command} --spec whole.toml --dump-config")), printed);
        // A file may have a part of a section; the array alone has no memory.
        if command != "aie" && !set.starts_with("dram") {
            std::fs::write(dir.path().join("part.toml"), "[dram]\nlatency = 41\n").unwrap();
            let changed = ok_in(dir.path(), &format!("sim {command} --spec part.toml --dump-config"));
            assert!(changed.split("[dram]").nth(1).unwrap().contains("\nlatency = 41\n"), "{command}");
        }
    }
}

/// Changes are checked together, whatever their order.
#[test]
fn settings_that_are_valid_only_together_come_in_any_order() {
    let small = ["--set input_bytes=256", "--set pes=2", "--set block_bytes=64", "--set output_bytes=256"];
    let mut reversed = small;
    reversed.reverse();
    for set in [small, reversed] {
        let report = json(&format!("sim mtu --size 2^6 {}", set.join(" ")));
        assert_eq!(report["account"]["config"]["input_bytes"], 256);
    }
    assert!(
        fails("sim mtu --set input_bytes=256")
            .starts_with("--set: input_bytes is 256, it must be at least two")
    );
}

#[test]
fn bad_requests_are_clear() {
    for (line, said) in [
        ("sim pairing --design none", "--design: unknown name `none`; expected one of paper, best"),
        ("sim pairing --set mm.latency", "--set: `mm.latency` is not FIELD=VALUE"),
        ("sim pairing --set mm.latency=1", "--set: mm.latency is 1, it must be 2 to 64 cycles"),
        ("sim pairing --set mm.colour=1", "--set: mm.colour: unknown field `colour`, expected one of"),
        ("sim pairing --set inversion.interval=3", "inversion.interval is 3, but a product takes 16 cycles"),
        ("sim pairing --set control.l2_words=100 --seeds 1", "program: "),
        ("sim program nothing", "no program `nothing`: see `pairwright sim program --list`"),
        ("sim ntt --size 1000", "--size: 1000 is not a power of two"),
        ("sim ntt --size 16", "a transform of 16 points"),
        ("sim msm --size 0", "--size: an MSM has at least one point"),
        ("sim msm --size 64 --set msm.segments=3", "--set: msm.segments is 3, it must be a power of two"),
        (
            "sim ntt --size 64 --sweep size=2^x",
            "invalid size `2^x`; expected a number up to 2^30, such as 1000 or 2^16",
        ),
        ("sim ntt --size 64 --sweep colour=1", "--sweep: no parameter `colour`"),
        ("sim mtu --pes 3", "--pes: pes is 3, it must be a power of two, 2 to 1024"),
        ("sim mtu --size 1000", "--size: 1000 is not a power of two"),
        ("sim mtu --set colour=1", "--set: colour: unknown field `colour`"),
        ("sim mtu --set pes=many", "--set: pes: invalid type"),
        ("sim mtu --set pes", "--set: `pes` is not FIELD=VALUE"),
        ("sim mtu --spec nowhere.toml", "nowhere.toml: "),
        ("sim mtu --design none", "--design: unknown name `none`; expected one of paper"),
        ("sim mtu --bandwidth 64 --set clock_hz=3000000000", "--bandwidth: 64 GB/s is not a whole number"),
        ("sim mtu --size 64 --sweep pes=x", "--sweep: pes: invalid type: string"),
        ("sim mtu --size 64 --sweep colour=1", "--sweep: colour: unknown field `colour`"),
        (
            "sim mtu --size 64 --sweep traversal=up",
            "--sweep: traversal: unknown variant `up`, expected one of `bfs`",
        ),
        ("sim aie --set fabric.columns=0", "--set: fabric.columns is 0, it must be 1 to 128"),
        (
            "sim aie --set fabric.columns=1000000000",
            "--set: fabric.columns is 1000000000, it must be 1 to 128",
        ),
        (
            "sim aie --set fabric.columns=3",
            "a unit of coarse takes 4 columns of 8 rows, the array has 3 of 8",
        ),
        ("sim aie --set fabric.colour=1", "--set: fabric.colour: unknown field `colour`, expected one of"),
        (
            "sim aie --set tile.machine.files.colour.size=1",
            "--set: tile.machine.files.colour.size: there is no",
        ),
        ("sim aie --set tile.machine.files.vector.size=2", "0 registers of file \"vector\" do not hold"),
        ("sim aie --set tile.machine.slots.load.count=1000000000", "load: 1000000000 is more than"),
        ("sim aie --set =", "--set: : unknown field ``"),
        ("sim aie --spec nowhere.toml", "nowhere.toml: "),
        ("sim aie --product 28bit --carry wide", "28bit products need balanced carries"),
        (
            "sim aie --mapping single --carry balanced --form complete --data",
            "--data: a single tile adds points in",
        ),
        (
            "sim aie --sweep carry=none",
            "--sweep: method.carry: unknown variant `none`, expected one of `accurate`",
        ),
        ("sim aie --sweep fabric.colour=1", "--sweep: fabric.colour: unknown field"),
        ("sim aie-board --units 0", "--units: units is 0, it must be 1 to 400"),
        ("sim aie-board --units 1000000000", "--units: units is 1000000000, it must be 1 to 400"),
        ("sim aie-board --tasks 0", "--tasks: at least one addition is needed"),
        ("sim aie-board --set plio.bits=7", "--set: plio.bits is 7, it must be 32, 64 or 128 bits"),
        ("sim aie-board --set colour=1", "--set: colour: unknown field `colour`"),
        ("sim aie-msm --size 0", "--size: an MSM has at least one point"),
        (
            "sim aie-msm --sweep spread=x",
            "--sweep: spread: unknown variant `x`, expected `points` or `windows`",
        ),
        ("compile nothing --seeds 1", "unknown routine `nothing`; expected one of line_double_mult,"),
        ("sim pairing --sweep mm.latency=1..1000 --sweep mm.ii=1..1000", "--sweep: more than 20000 designs"),
    ] {
        let text = fails(line);
        assert!(text.starts_with(said), "{line}: {text}");
        assert_eq!(text.lines().count(), 1, "one line: {text}");
    }
    for (line, said) in [
        ("sim pairing --sweep mm.latency=", "is not FIELD=FIRST..LAST"),
        ("sim pairing --scheduler best", "no scheduler is called best"),
        ("sim pairing --csv s.csv", "--sweep"),
        ("sim aie --mapping none", "possible values: single, coarse"),
    ] {
        assert!(fails(line).contains(said), "{line}");
    }
}
