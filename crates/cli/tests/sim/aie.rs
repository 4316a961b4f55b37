//! AI Engines: additions, the array, the board and its MSMs.

use super::*;

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
    // A file contains the parameters that differ; --set is applied after it.
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

    // Several mappings make a sweep; the row of a design that does not fit gives the reason.
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

/// The examples of a help text.
fn examples(command: &str) -> Vec<String> {
    let help = ok(&format!("sim {command} --help"));
    let all: Vec<String> = help
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pairwright "))
        .flat_map(|line| line.split("; pairwright ").map(str::to_owned))
        .filter(|line| line.starts_with(&format!("sim {command}")))
        .collect();
    assert!(all.len() >= 5, "{command}: {all:?}");
    all
}

const COMMANDS: [&str; 3] = ["aie", "aie-board", "aie-msm"];

/// The examples of the help are valid designs.
#[test]
fn examples_of_ai_engines_are_designs() {
    for command in COMMANDS {
        for line in examples(command).iter().filter(|line| !line.contains("--spec")) {
            let words: Vec<&str> = line.split_whitespace().collect();
            let ends = words.iter().position(|w| *w == "--sweep" || *w == "--mapping" || *w == ">");
            let words = words[..ends.unwrap_or(words.len())].iter();
            // These options are removed: with --json the file would be a member of an object.
            let line = words.filter(|w| !["--dump-config", "--json"].contains(w)).copied();
            let line = line.collect::<Vec<_>>().join(" ");
            let text = ok(&format!("{line} --dump-config"));
            assert!(text.contains("[fabric]"), "{line}: {text}");
        }
    }
    // The units of both mappings have to fit together.
    let said = fails("sim aie-board --units 12");
    assert!(said.contains("56 columns") && said.contains("50"), "{said}");
    ok("sim aie-board --units 12 --set aggregate_units=0 --dump-config");
}

#[test]
#[ignore = "full: runs every example of three help texts, minutes"]
fn examples_of_ai_engines_run() {
    let dir = tempfile::tempdir().unwrap();
    for command in COMMANDS {
        for line in examples(command) {
            match line.split_once(" > ") {
                Some((line, file)) => std::fs::write(dir.path().join(file), ok_in(dir.path(), line)).unwrap(),
                None => drop(ok_in(dir.path(), &line)),
            }
        }
    }
}
