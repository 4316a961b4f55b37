//! `pairwright sim` and `compile`: designs in, numbers with units out, and one clear line for every bad request.

use serde_json::Value;
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
fn bad_requests_are_clear() {
    for (line, said) in [
        ("sim pairing --design none", "--design: `none` is none of paper, best"),
        ("sim pairing --set mm.latency", "--set: `mm.latency` is not FIELD=VALUE"),
        ("sim pairing --set mm.latency=1", "design: mm.latency is 1, it must be 2 to 64"),
        ("sim pairing --set mm.colour=1", "design: no parameter `mm.colour`"),
        ("sim pairing --set inversion.interval=3", "inversion.interval is 3, but a product takes 16 cycles"),
        ("sim pairing --set control.l2_words=100 --seeds 1", "program: "),
        ("sim program nothing", "no program `nothing`: see `pairwright sim program --list`"),
        ("compile nothing --seeds 1", "routine `nothing` is none of line_double_mult,"),
        ("sim pairing --sweep mm.latency=1..1000 --sweep mm.ii=1..1000", "--sweep: more than 20000 designs"),
    ] {
        let text = fails(line);
        assert!(text.starts_with(said), "{line}: {text}");
        assert_eq!(text.lines().count(), 1, "one line: {text}");
    }
    for (line, said) in [
        ("sim pairing --sweep mm.latency=", "is not FIELD=FIRST..LAST"),
        ("sim pairing --scheduler best", "no scheduler best"),
        ("sim pairing --csv s.csv", "--sweep"),
    ] {
        assert!(fails(line).contains(said), "{line}");
    }
}
