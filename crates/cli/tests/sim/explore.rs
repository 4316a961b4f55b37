//! Searches of design spaces.

use super::*;

fn search(dir: &Path, line: &str) -> Value {
    serde_json::from_str(&ok_in(dir, &format!("--json {line}"))).unwrap()
}

const SPACE: &str = "explore mtu --workload mle-eval --size 2^9 --over pes=2,4,8,16 --over mul_latency=7,14,28,40 \
                     --over traversal=hybrid,bfs";

#[test]
fn every_design_of_a_front_is_a_file_that_repeats_it() {
    let dir = tempfile::tempdir().unwrap();
    let line = format!("{SPACE} --designs front --csv front.csv --plot front.svg");
    let report = search(dir.path(), &line);
    assert_eq!((&report["method"], &report["simulated"]), (&"exhaustive".into(), &32.into()));
    assert_eq!(report["objectives"], serde_json::json!(["latency_us", "area_mm2"]));
    let front = report["front"].as_array().unwrap();
    assert!(front.len() > 3, "{report}");
    for best in front {
        let command = best["simulated_by"].as_str().unwrap().strip_prefix("pairwright ").unwrap();
        let file = best["design"].as_str().unwrap();
        let again = search(dir.path(), &format!("{command} --spec {file}"));
        let result = |name: &str| best["results"][name].as_f64().unwrap();
        assert_eq!(again["cycles"].as_f64(), Some(result("cycles")), "{file}");
        let close =
            |name: &str, here: f64| assert!((here - result(name)).abs() < 1e-3, "{file}: {name} {here}");
        close("area_mm2", again["area_mm2"].as_f64().unwrap());
        close("latency_us", 1e6 * again["latency_s"].as_f64().unwrap());
    }
    // No design of the whole space beats a design of the front.
    let family = search(dir.path(), &SPACE.replace("explore", "sim").replace("--over", "--sweep"));
    for point in family["points"].as_array().unwrap() {
        let number = |name: &str| point[name].as_f64().unwrap();
        let (us, mm2) = (1e6 * number("latency_s"), number("area_mm2"));
        let beats = |best: &Value| {
            let result = |name: &str| best["results"][name].as_f64().unwrap();
            us < result("latency_us") - 1e-3 && mm2 < result("area_mm2") - 1e-3
        };
        assert!(!front.iter().any(beats), "{point}");
    }
    let csv = std::fs::read_to_string(dir.path().join("front.csv")).unwrap();
    assert_eq!(csv.lines().count(), front.len() + 1);
    assert!(std::fs::read_to_string(dir.path().join("front.svg")).unwrap().starts_with("<svg"));
}

#[test]
fn limits_hold_and_a_journal_is_taken_over() {
    let dir = tempfile::tempdir().unwrap();
    let limited = format!("{SPACE} --journal points.jsonl --max area_mm2=3 --min clock_mhz=600");
    let first = search(dir.path(), &limited);
    let front = first["front"].as_array().unwrap();
    let inside = |best: &Value| {
        let result = |name: &str| best["results"][name].as_f64().unwrap();
        result("area_mm2") <= 3.0 && result("clock_mhz") >= 600.0
    };
    assert!(!front.is_empty() && front.iter().all(inside), "{first}");
    assert!(first["over_limits"].as_u64().unwrap() > 0 && first["from_journal"] == 0);
    // A second search with other objectives takes everything from the journal.
    let again = search(dir.path(), &format!("{SPACE} --journal points.jsonl --minimise energy,cycles"));
    assert_eq!((&again["from_journal"], &again["simulated"]), (&32.into(), &32.into()));
    assert_eq!(again["objectives"], serde_json::json!(["energy_uj", "cycles"]));
    let journal = std::fs::read_to_string(dir.path().join("points.jsonl")).unwrap();
    assert_eq!(journal.lines().count(), 33);
    let other = run(dir.path(), "explore mtu --size 2^8 --over pes=2,4 --journal points.jsonl");
    let said = String::from_utf8(other.stderr).unwrap();
    assert!(
        other.status.code() == Some(2) && said.contains("it is of another design, another work"),
        "{said}"
    );
}

/// A search by bounds finds the front of the whole space from a part of the designs, in any order of the values.
#[test]
fn bounds_find_the_front_of_the_whole_space() {
    let dir = tempfile::tempdir().unwrap();
    let space = "explore mtu --workload mle-eval --size 2^10 --over pes=32,2,4,8,16 --over hash_ii=1,24,6,2,12 \
                 --over input_bytes=16384,65536,262144 --over traversal=hybrid,dfs";
    let [whole, part] = ["", " --bounds"].map(|option| search(dir.path(), &format!("{space}{option}")));
    assert_eq!((&whole["method"], &part["method"]), (&"exhaustive".into(), &"bounds".into()));
    assert_eq!((whole["simulated"].as_u64(), whole.get("proof")), (Some(150), None));
    assert!(part["simulated"].as_u64().unwrap() < 100, "{}", part["simulated"]);
    let results = |report: &Value| -> Vec<[Value; 2]> {
        let front = report["front"].as_array().unwrap();
        front
            .iter()
            .map(|best| ["latency_us", "area_mm2"].map(|name| best["results"][name].clone()))
            .collect()
    };
    assert_eq!(results(&part), results(&whole));
    assert_eq!(part["proof"]["complete"], true);
    let far = part["proof"]["contradiction"][0].as_f64().unwrap();
    assert!((0.0..0.03).contains(&far) && part["proof"]["contradiction"][1] == 0.0, "{far}");
    // If the budget ends first, the front is not proved; the trends of energy are not known.
    let short = search(dir.path(), &format!("{space} --bounds --budget 20"));
    assert_eq!((&short["proof"]["complete"], &short["simulated"]), (&false.into(), &20.into()));
    let why = fails("explore mtu --over pes=2,4 --bounds --minimise energy,atp");
    assert!(
        why.contains("--bounds: no swept parameter is known to change energy_uj and atp_us_mm2"),
        "{why}"
    );
    assert!(
        fails("explore aie --over mapping=single,coarse --bounds").contains("--bounds: no swept parameter")
    );
}

#[test]
fn evolution_with_a_seed_is_the_same_every_time() {
    let dir = tempfile::tempdir().unwrap();
    let line = "explore mtu --workload merkle --size 2^6 --budget 120 --population 16 --search-seed 5";
    let [one, other] = [(); 2].map(|()| search(dir.path(), line));
    assert_eq!((&one["method"], &one["front"]), (&"evolutionary".into(), &other["front"]));
    assert!(one["simulated"].as_u64().unwrap() <= 120);
}

#[test]
fn a_search_of_pairing_processors_finds_what_hands_found_and_what_they_missed() {
    let dir = tempfile::tempdir().unwrap();
    let line = "explore chip --seeds 1 --over division=resident,published --over issue.width=1,2 --over mm.ii=1,4 \
                --over inversion.chain=always,parallel --over inversion.interval=18,20 --designs front";
    let report = search(dir.path(), line);
    let front = report["front"].as_array().unwrap();
    let result = |best: &Value, name: &str| best["results"][name].as_f64().unwrap();
    let least = |name: &str| front.iter().map(|best| result(best, name)).fold(f64::INFINITY, f64::min);
    let best = json("sim pairing --design best --seeds 1");
    assert!(least("latency_us") <= 1e6 * best["latency_s"].as_f64().unwrap() + 1e-3, "{report}");
    // One pipelined element with interval 4 is the smallest, and better than the published design in time and area together.
    let paper = json("sim pairing --seeds 1");
    let smallest =
        front.iter().min_by(|a, b| result(a, "area_mm2").total_cmp(&result(b, "area_mm2"))).unwrap();
    assert_eq!(smallest["parameters"]["mm.ii"], "4");
    assert!(result(smallest, "atp_us_mm2") < 0.5 * paper["atp_us_mm2"].as_f64().unwrap());
    // Its file repeats it, with the division that its command names.
    let command = smallest["simulated_by"].as_str().unwrap().strip_prefix("pairwright ").unwrap();
    let again = search(dir.path(), &format!("{command} --spec {}", smallest["design"].as_str().unwrap()));
    assert_eq!(again["cycles"].as_f64(), Some(result(smallest, "cycles")));
}

#[test]
fn what_cannot_be_searched_is_said_in_a_line() {
    for (line, said) in [
        ("explore mtu --over colour=1,2", "--over: colour: unknown field"),
        ("explore mtu --over pes=2,4 --over pes=8", "--over: pes is named twice"),
        ("explore mtu --size 2^5 --over pes=2,4 --max area=0.001", "none of 2 designs keeps the limits"),
        (
            "explore mtu --size 2^5 --over pes=2,4 --max colour=1",
            "--max: there is no result colour; there are cycles",
        ),
        (
            "explore mtu --size 2^5 --over pes=2,4 --minimise cycles",
            "designs are compared by two results, 1 are named",
        ),
        (
            "explore mtu --size 2^5 --over pes=3,5",
            "none of 2 designs keeps the limits; the first that was refused: pes is 3",
        ),
    ] {
        let why = fails(line);
        assert!(why.contains(said), "{line}: {why}");
    }
    let why = run(Path::new("."), "explore mtu --max area");
    assert!(String::from_utf8(why.stderr).unwrap().contains("area is not NAME=NUMBER"));
}

#[test]
fn every_example_of_the_help_runs() {
    let dir = tempfile::tempdir().unwrap();
    let help = ok("explore mtu --help");
    let examples: Vec<&str> = help
        .lines()
        .filter_map(|line| line.trim().strip_prefix("pairwright "))
        .filter(|line| line.starts_with("explore"))
        .collect();
    assert_eq!(examples.len(), 7, "{help}");
    examples.into_iter().for_each(|line| drop(ok_in(dir.path(), line)));
}

#[test]
fn every_default_space_is_one_of_the_machine() {
    for line in [
        "explore chip --seeds 1 --budget 4",
        "explore chip --workload ntt --size 2^8 --budget 4",
        "explore chip --workload msm --size 2^6 --budget 4",
        "explore chip --workload groth16 --size 2^5 --budget 4",
        "explore mtu --size 2^6 --budget 4",
        "explore aie --budget 2",
    ] {
        let report = json(line);
        assert!(report["simulated"].as_u64().unwrap() <= 4, "{line}");
        assert_eq!(report["method"], "evolutionary", "{line}");
    }
}
