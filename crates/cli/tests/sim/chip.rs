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
    // The time is constant: the number of cycles does not depend on the points.
    assert_eq!(generators["cycles"], random["cycles"]);
    assert_eq!((&random["checked"], &random["division"]), (&true.into(), &"resident".into()));
    // The same options give the same result again.
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
    // A program that is too long names the parameter; `--parameters` lists its range.
    let said = fails("sim pairing --design paper --set control.l2_words=16 --seeds 1 --scheduler list");
    assert!(said.contains("for the L2 memory, which holds 16 (control.l2_words)"), "{said}");
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
    // With sixteen words of L2 memory no program fits; the rows of these designs give the reason.
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
    assert_eq!(picture.matches("<title>").count(), 3, "designs that were refused are in no picture");
    assert!(picture.contains("swept: mm.latency 16, 18, 20; control.l2_words 16, 1024"), "{picture}");
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
        // The words of every bucket of the one MSM: besides them only the set-up is not counted.
        let cleared = &sum["outside"][0];
        assert_eq!(cleared["what"], "words of buckets cleared");
        assert_eq!(cleared["count"], 1024, "2^10 buckets in G1, 2^9 of two words in G2");
        assert_eq!(cleared["cycles"], cleared["count"]);
    }
    let made = &timing["outside"][0];
    assert_eq!((&made["what"], &made["rule"]), (&"row generators".into(), &"a product each".into()));
    assert_eq!(number(made, "cycles"), 16.0 * number(made, "count"));
    // Tables that are loaded need no generators, but are constants in DRAM.
    let loaded = json("sim ntt --size 2^11 --coset --curve bn254 --design paper-load");
    assert_eq!(loaded["outside"][0]["what"], "L1 instructions loaded");
    assert!(ok("sim ntt --size 2^11").contains("outside the model, one after the other:\n  "));
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
    assert!(text.contains("MSM H") && text.contains("bound by "), "{text}");
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
    assert!(table.starts_with(
        "size,msm.segments,cycles,clock_mhz,latency_us,energy_uj,utilisation,memory_share,bound,"
    ));
    let picture = std::fs::read_to_string(dir.path().join("s.svg")).unwrap();
    assert!(picture.contains("size=32 msm.segments=2"));
}

#[test]
fn a_run_is_drawn_below_its_roofs() {
    let dir = tempfile::tempdir().unwrap();
    for line in [
        "sim ntt --size 2^8",
        "sim groth16 --size 2^6",
        "sim mtu --size 2^10 --pes 4 --workload merkle",
        "sim aie-board --tasks 2^8",
        "sim aie-msm --size 2^8",
    ] {
        ok_in(dir.path(), &format!("{line} --roofline r.svg"));
        let picture = std::fs::read_to_string(dir.path().join("r.svg")).unwrap();
        assert!(picture.contains("% of the roof") && picture.contains("logarithmic"), "{line}");
        assert!(!picture.contains("NaN") && !picture.contains("inf"), "{line}");
    }
}

#[test]
fn what_waits_for_memory_is_what_a_faster_one_saves() {
    let report = json("sim msm --size 2^14 --sweep dram.bytes_per_cycle=24,48,96,192");
    let points = report["points"].as_array().unwrap();
    let number = |point: &Value, name: &str| point[name].as_f64().unwrap();
    for pair in points[..3].windows(2) {
        let saved = 2.0 * (1.0 - number(&pair[1], "cycles") / number(&pair[0], "cycles"));
        assert!((number(&pair[0], "memory_share") - saved).abs() < 1e-9, "{pair:?}");
    }
    let bounds: Vec<&str> = points.iter().map(|point| point["bound"].as_str().unwrap()).collect();
    assert_eq!((bounds[0], bounds[3]), ("memory", "compute"), "{points:?}");
    // A run with data takes as long. If the design takes no faster memory, the bound is that of the busier resource.
    let [data, timing] = ["--data", ""].map(|data| json(&format!("sim msm --size 64 {data}")));
    assert_eq!(data["memory_share"], timing["memory_share"]);
    let widest = json("sim ntt --size 2^8 --set dram.kind=ddr --set dram.channels=16");
    assert!(widest["memory_share"].is_null() && widest["bound"].is_string(), "{widest}");
}

#[test]
fn timelines_are_bounded() {
    let window = fails("sim mtu --trace t.json --window 65537");
    assert!(window.contains("65537 is not in 0..=65536"), "{window}");
    let tasks = fails("sim aie-board --tasks 2^19 --trace t.json");
    assert_eq!(tasks.trim(), "--trace: a timeline has 2^18 additions at most, and --tasks says 2^19");
}

#[test]
fn built_in_designs_are_compared() {
    let report = json("sim ntt --size 2^8 --sweep design=paper,best");
    let points = report["points"].as_array().unwrap();
    for (point, design) in points.iter().zip(["paper", "best"]) {
        let alone = json(&format!("sim ntt --size 2^8 --design {design}"));
        assert_eq!(
            (&point["cycles"], &point["area_mm2"]),
            (&alone["cycles"], &alone["area_mm2"]),
            "{design}"
        );
    }
    // For each design of the sweep the pairing is compiled as for that design alone.
    let report = json("sim pairing --seeds 2 --sweep design=paper,best");
    for (point, design) in report["points"].as_array().unwrap().iter().zip(["paper", "best"]) {
        assert_eq!(
            point["cycles"],
            json(&format!("sim pairing --seeds 2 --design {design}"))["cycles"],
            "{design}"
        );
    }
}

#[test]
fn headings_say_what_was_swept_and_not_what_was_not_simulated() {
    let first = |line: &str| ok(line).lines().next().unwrap().to_owned();
    assert_eq!(
        first("sim ntt --coset --sweep size=2^6,2^7 --sweep schedule=unhidden,hidden"),
        "paper design, coset NTT, powers of the coset merged; swept: size 2^6, 2^7; schedule unhidden, hidden; timing"
    );
    assert_eq!(
        first("sim mtu --sweep workload=merkle,product --sweep size=2^6,2^7"),
        "tree unit, trees, hybrid; swept: workload merkle, product; size 2^6, 2^7; timing"
    );
    assert_eq!(
        first("sim aie-board --tasks 8 --sweep units=1,2"),
        "board, coarse units accumulate, med-ind aggregates, barrett reduction, wide carries, schoolbook products; \
         1.2500 GHz, logic 312.5 MHz; swept: units 1, 2; timing"
    );
}

#[test]
fn a_sweep_of_which_nothing_remains_fails() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path(), "sim msm --size 64 --sweep msm.elements=0,50 --csv s.csv --plot s.svg");
    assert_eq!(out.status.code(), Some(2));
    let table = std::fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert!(table.contains("msm.elements is 50"), "the table has the reason of each: {table}");
    assert!(!dir.path().join("s.svg").exists());
}

#[test]
fn parameters_are_listed_with_range_and_origin() {
    let all = json("sim msm --parameters --set msm.elements=6");
    let find = |path: &str| {
        all["parameters"].as_array().unwrap().iter().find(|p| p["path"] == path).unwrap().clone()
    };
    let elements = find("msm.elements");
    assert_eq!((&elements["value"], &elements["range"]), (&"6".into(), &"1 to 48".into()));
    assert_eq!((&elements["origin"], &find("msm.glv")["origin"]), (&"printed".into(), &"added".into()));
    let text = ok("sim pairing --parameters");
    assert!(
        text.contains("mm.latency") && text.contains("2 to 64 cycles") && text.contains("inferred"),
        "{text}"
    );
    assert!(ok("sim ntt --dump-config").contains("latency = 18  # 2 to 64 cycles; inferred"));
    assert!(ok("sim mtu --parameters").contains("mul_latency"));
}

/// Runs the examples of the help, with sizes and seeds that take seconds.
#[test]
fn every_example_of_the_help_runs() {
    let dir = tempfile::tempdir().unwrap();
    let help = ok("sim --help");
    let lines = help.lines().filter_map(|line| line.trim().strip_prefix("pairwright "));
    let mut ran = 0;
    for line in lines
        .filter(|line| line.starts_with("sim ") && !line.contains("sim mtu") && !line.contains("sim aie"))
    {
        let size = |part: &str| -> Option<String> {
            let large = |size: &str| {
                let log = size.strip_prefix("2^").and_then(|log| log.parse::<u32>().ok());
                log.map(|log| format!("2^{}", log.min(8 + log / 10)))
            };
            let (name, sizes) =
                part.split_once('=').map_or((None, part), |(name, sizes)| (Some(name), sizes));
            let sizes: Option<Vec<String>> = sizes.split(',').map(large).collect();
            Some(name.map_or_else(String::new, |name| format!("{name}=")) + &sizes?.join(","))
        };
        let parts: Vec<String> =
            line.split_whitespace().map(|part| size(part).unwrap_or_else(|| part.to_owned())).collect();
        let compiled = line.contains("sim pairing") || line.contains("sim program");
        let line = parts.join(" ") + if compiled { " --seeds 2" } else { "" };
        assert!(!ok_in(dir.path(), &line).is_empty(), "{line}");
        ran += 1;
    }
    assert!(ran >= 12, "{ran} examples: {help}");
}

/// Sizes that would take minutes, or more memory than there is, without the shortcuts of runs without data.
#[test]
fn large_transforms_take_seconds_and_large_sums_are_streamed() {
    let large = json("sim ntt --size 2^24 --coset");
    let cycles = large["cycles"].as_u64().unwrap();
    // The lower bound is three passes of 2^24 words in and out at 48 bytes a cycle.
    assert!(cycles > 3 * 2 * (1 << 24) * 32 / 48 && cycles < 1 << 28, "{cycles}");
    assert_eq!(large["account"]["moved"]["vectors"].as_u64(), Some(6 << 24));
    // Scalars that are drawn when they are read, and those kept in a list, are the same.
    let of = |size: &str| json(&format!("sim msm --size {size} --design pipezk --scalars sequential"));
    assert!(of("2^10")["cycles"].as_u64() < of("1030")["cycles"].as_u64());
}
