//! The crypto-processor: pairings, routines, programs, operators and proofs.

use super::*;

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
    let spec = include_str!("../../../chip/specs/best.toml").replace("name = \"best\"", "name = \"mine\"");
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
    let names: Vec<&str> =
        list["programs"].as_array().unwrap().iter().map(|p| p["name"].as_str().unwrap()).collect();
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
