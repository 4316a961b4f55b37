//! The figures of [CP], and those of [MTU] and [AIE] except for figures with a CPU, come from models: a fresh run must
//! equal the kept `results/`, byte for byte.

use pairwright_chip::isa::Group;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::task::Schedule;
use pairwright_chip::task::ntt::{Method, Shape};
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::bls12_381::{Bls12_381, Fr};
use pairwright_field::{Field, PrimeField};
use pairwright_lab::{Context, Generated, Kind, Row, all, find, of_paper, plot, repository, run, scorecard};
use pairwright_poly::Domain;
use rand_chacha::{ChaCha20Rng, rand_core::SeedableRng};

/// Experiments that take a minute at their largest sizes or at all points. Every test run repeats only their small or
/// fast rows, which must be more than the given number. `cargo x test --full` checks all rows.
const LARGE: [(&str, usize); 16] = [
    ("cp/explore", 10),
    ("cp/fig19", 10),
    ("cp/fig24", 10),
    ("cp/fig25", 10),
    ("cp/multiplier", 10),
    ("cp/sensitivity", 10),
    ("cp/table3", 10),
    ("mtu/table1", 20),
    ("mtu/fig4", 17),
    ("mtu/fig7", 3),
    ("mtu/schedule", 70),
    ("aie/table1", 80),
    ("aie/fig7", 5),
    ("aie/carry", 20),
    ("aie/explore", 25),
    ("aie/sensitivity", 10),
];

/// Experiments that consist of measurements on this machine.
const MEASURED: [&str; 2] = ["mtu/fig5", "mtu/fig6"];
/// Modelled experiments that also measure this machine.
const BESIDE: [&str; 4] = ["aie/table2", "aie/table3", "aie/msm", "cp/schemes"];

fn context(kernels: &Generated) -> Context<'_> {
    Context::new(kernels, Some(2), false, 1, false).unwrap()
}

/// After a change of the compiler or of a model, `cargo lab run cp --all` keeps the new numbers; the same holds for
/// `mtu` and `aie`.
#[test]
fn results_are_what_the_models_say() {
    let kernels = Generated::new();
    let context = context(&kernels);
    let small = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    let papers = ["cp", "mtu", "aie"].map(|paper| of_paper(paper).unwrap());
    // Two experiments of [MoMA] are counts; the others are measurements.
    let counts = ["moma/slots", "moma/sensitivity"].map(|id| find(id).unwrap());
    for experiment in papers
        .into_iter()
        .flatten()
        .chain(counts)
        .filter(|e| !MEASURED.contains(&e.id) && !BESIDE.contains(&e.id))
    {
        let large = LARGE.iter().find(|(id, _)| *id == experiment.id).map(|(_, rows)| *rows);
        let context = if large.is_some() { &small } else { &context };
        let report = run(experiment, context).unwrap_or_else(|error| panic!("{}: {error}", experiment.id));
        for row in &report.rows {
            assert!(row.kind != Kind::Measured, "{row:?}");
            assert_eq!(row.kind == Kind::Published, row.ours.is_none(), "{row:?}");
        }
        let kept = repository().join("results").join(experiment.id).with_extension("csv");
        let kept = std::fs::read_to_string(kept).unwrap_or_default();
        let now = String::from_utf8(report.csv().unwrap()).unwrap();
        // Published numbers that only large sizes answer have no answer in a small run.
        let answered = |row: &Row| row.kind != Kind::Published;
        let differs = if let Some(least) = large {
            assert!(report.rows.iter().filter(|row| answered(row)).count() > least, "{}", experiment.id);
            let rows = now.lines().skip(1).zip(&report.rows).filter(|(_, row)| answered(row));
            rows.map(|(line, _)| ("", line)).find(|(_, line)| !kept.lines().any(|kept| kept == *line))
        } else {
            kept.lines().zip(now.lines()).find(|(kept, now)| kept != now)
        };
        assert!(
            differs.is_none() && (large.is_some() || kept == now),
            "{}: run `cargo lab run {}`; kept and now: {differs:?}",
            experiment.id,
            experiment.id
        );
        assert!(report.provenance.device.contains("model"));
    }
}

/// The headlines at 2^20 points, which the small runs omit.
#[test]
#[ignore = "full: 2^20 points, twenty seconds"]
fn the_largest_transforms_and_sums_are_what_the_models_say() {
    let kept = std::fs::read(repository().join("results/cp/table3.csv")).unwrap();
    let rows: Vec<Row> = csv::Reader::from_reader(&kept[..]).deserialize().collect::<Result<_, _>>().unwrap();
    let of = |operation: &str, series: &str| {
        let fits =
            |row: &&Row| row.what == "cycles, modelled" && row.operation == operation && row.series == series;
        rows.iter().find(fits).and_then(|row| row.ours).unwrap()
    };
    // Result tables keep seven digits.
    let is = |now: u64, kept: f64| assert!((now as f64 / kept - 1.0).abs() < 5e-7, "{now}, kept {kept}");
    let (spec, method) = (MachineSpec::paper(), Method::Merged);
    let shape = Shape { domain: Domain::new(20).unwrap(), inverse: false, shift: Fr::NON_RESIDUE };
    for (schedule, series) in [(Schedule::Unhidden, "unhidden"), (Schedule::Hidden, "hidden")] {
        let options = OperatorOptions { schedule, method };
        let account = Bls12_381::ntt_watched(&spec, &shape, options, &mut |_, _| {}).unwrap();
        is(account.cycles, of("coset NTT", series));
    }
    let mut rng = ChaCha20Rng::seed_from_u64(1);
    let scalars: Vec<Fr> = (0..1 << 20).map(|_| Fr::random(&mut rng)).collect();
    let account = Bls12_381::msm_timing(&spec, Group::G1, OperatorOptions::default(), &scalars).unwrap();
    is(account.cycles, of("G1 MSM", "hidden"));
}

/// All experiments with every size and every point, which takes minutes. Experiments that also measure this machine
/// keep the measured rows, and only their modelled rows are compared.
#[test]
#[ignore = "full: every row of every result of a model is computed again, at sizes up to 2^20"]
fn every_row_of_the_results_is_what_the_models_say() {
    let kernels = Generated::new();
    let context = context(&kernels).keeping(&repository().join("results"));
    for id in LARGE.iter().map(|(id, _)| *id).chain(BESIDE) {
        let report = run(find(id).unwrap(), &context).unwrap_or_else(|error| panic!("{id}: {error}"));
        let now = String::from_utf8(report.csv().unwrap()).unwrap();
        let now: Vec<Row> =
            csv::Reader::from_reader(now.as_bytes()).deserialize().collect::<Result<_, _>>().unwrap();
        let modelled = |rows: Vec<Row>| -> Vec<String> {
            let of_a_model = |row: &Row| matches!(row.kind, Kind::Modelled | Kind::Calibrated);
            rows.into_iter().filter(of_a_model).map(|row| format!("{row:?}")).collect()
        };
        let (kept, now) = (modelled(kept(id)), modelled(now));
        let differs = kept.iter().zip(&now).find(|(kept, now)| kept != now);
        assert!(differs.is_none() && kept.len() == now.len(), "{id}: kept and now: {differs:#?}");
        assert!(now.len() > 20, "{id}: {} rows of a model", now.len());
    }
}

#[test]
fn results_say_the_commit_that_they_come_from() {
    for experiment in all() {
        let meta = repository().join("results").join(experiment.id).with_extension("meta.toml");
        let meta: toml::Table = std::fs::read_to_string(meta).unwrap().parse().unwrap();
        let commit = meta["commit"].as_str().unwrap();
        assert!(!commit.ends_with('+'), "{}: run it again from a commit", experiment.id);
        assert_eq!(meta["quick"].as_bool(), Some(false), "{}", experiment.id);
    }
}

/// Small trees on this machine's cores, each result checked, together with the unit's times.
#[test]
fn what_is_measured_says_so() {
    let kernels = Generated::new();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    for id in MEASURED {
        let report = run(find(id).unwrap(), &context).unwrap();
        let of = |kind| report.rows.iter().filter(|row| row.kind == kind).collect::<Vec<_>>();
        // Four workloads with two traversals on one and on two threads.
        let measured = of(Kind::Measured);
        assert_eq!(measured.len(), 16, "{id}");
        assert!(
            measured
                .iter()
                .all(|row| row.ours.unwrap() > 0.0 && row.median >= row.ours && row.device == "host")
        );
        // A ratio of a modelled and a measured time is neither modelled nor measured.
        let estimated = of(Kind::Estimated);
        assert_eq!(estimated.is_empty(), id == "mtu/fig5");
        for row in &estimated {
            let threads = row.operation.rsplit(' ').nth(1).unwrap();
            assert_eq!(row.note.contains("measured on"), threads == "2", "{row:?}");
        }
        assert!(!report.provenance.device.contains("a model"));
    }
}

/// Additions on this machine, with GMP and our own code, each result checked, together with the board's rates.
#[test]
fn additions_on_a_cpu_stand_beside_the_board() {
    let kernels = Generated::new();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    let gmp = if context.gmp.is_ok() { 2 } else { 0 };
    let msm = run(find("aie/msm").unwrap(), &context).unwrap();
    let measured = msm.rows.iter().filter(|row| row.kind == Kind::Measured);
    assert!(measured.filter(|row| row.ours.unwrap() > 0.0).count() == 2 && msm.rows.len() > 8);
    for (id, pools) in [("aie/table2", 2), ("aie/table3", 1)] {
        let report = run(find(id).unwrap(), &context).unwrap();
        let measured: Vec<_> = report.rows.iter().filter(|row| row.kind == Kind::Measured).collect();
        // Each implementation has a row of its own and a row as an answer to the paper's CPU.
        assert_eq!(measured.len(), 2 * pools * (1 + gmp), "{id}");
        assert!(measured.iter().all(|row| row.ours.unwrap() > 0.0), "{id}");
        let answers: Vec<_> = measured.iter().filter(|row| row.published.is_some()).collect();
        assert!(answers.len() == measured.len() / 2 && answers.iter().all(|row| row.operation == "CPU"));
        let of = |kind| report.rows.iter().filter(|row| row.kind == kind && row.published.is_some()).count();
        assert!(of(Kind::Modelled) >= 3 && of(Kind::Estimated) >= 3, "{id}");
        assert!(!report.provenance.device.contains("a model"));
    }
}

/// The operators of each scheme are counted, the host's time is measured, and the chip's cycles are modelled.
#[test]
fn costs_of_schemes_have_their_kinds() {
    let kernels = Generated::new();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    let report = run(find("cp/schemes").unwrap(), &context).unwrap();
    let value = |what: &str, operation: &str, series: &str| {
        let fits =
            |row: &&Row| row.what == what && row.operation == operation && row.series.starts_with(series);
        report.rows.iter().find(fits).and_then(|row| row.ours)
    };
    let pairings = |operation| value("pairings asked of the device", operation, "host");
    for (operation, expected) in [
        ("BLS sign", 0.0),
        ("BLS verify", 2.0),
        ("BLS aggregate verify, 128 signers", 129.0),
        ("IBE encrypt", 1.0),
        ("IBE decrypt", 1.0),
        ("BBS verify, 16 messages", 2.0),
        ("FE decrypt, public key, dimension 8", 0.0),
        ("FE decrypt, hidden, dimension 8", 9.0),
        ("FE decrypt, hidden, dimension 64", 65.0),
        ("Groth16 verify", 4.0),
        ("KZG verify", 2.0),
    ] {
        assert_eq!(pairings(operation), Some(expected), "{operation}");
        // Every operation that uses a session's operators has cycles on a board with a chip.
        let cycles = value("cycles", operation, "chip, operators");
        assert_eq!(cycles.is_some_and(|cycles| cycles > 0.0), operation != "BLS sign", "{operation}");
    }
    let terms = |operation| value("terms of sums asked of the device", operation, "host");
    assert_eq!(terms("BBS verify, 16 messages"), Some(19.0));
    assert_eq!(terms("FE decrypt, public key, dimension 64"), Some(64.0));
    let measured: Vec<_> = report.rows.iter().filter(|row| row.kind == Kind::Measured).collect();
    assert_eq!(measured.len(), 14);
    assert!(measured.iter().all(|row| row.device == "host" && row.ours.unwrap() > 0.0));
    assert!(value("energy", "BBS verify, 16 messages", "chip, programs").unwrap() > 76.9);
}

/// Kept measured rows stay identical to the last digit, and state the run that they come from.
#[test]
fn measured_rows_can_be_kept() {
    let kernels = Generated::new();
    let results = repository().join("results");
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap().keeping(&results);
    let report = run(find("aie/table2").unwrap(), &context).unwrap();
    let measured = |rows: &[Row]| -> Vec<String> {
        rows.iter().filter(|row| row.kind == Kind::Measured).map(|row| format!("{:?}", row.ours)).collect()
    };
    let (before, now) = (kept("aie/table2"), report.csv().unwrap());
    let now: Vec<Row> = csv::Reader::from_reader(&now[..]).deserialize().collect::<Result<_, _>>().unwrap();
    assert!(measured(&now).len() >= 4);
    assert_eq!(measured(&now).len(), measured(&before).len());
    let apart =
        |rows: Vec<Row>| -> Vec<Row> { rows.into_iter().filter(|row| row.unit == "ns/addition").collect() };
    assert_eq!(format!("{:?}", apart(now)), format!("{:?}", apart(before)));
    let from = report.provenance.measured.expect("the run that measured");
    assert!(!from.host.is_empty() && from.threads >= 1 && report.provenance.device.contains("earlier run"));
    assert!(report.provenance.command.ends_with("--keep-measured"));
    // An experiment with measured rows only is refused, and so is a folder without results.
    let refused = |id: &str, context: &Context<'_>| run(find(id).unwrap(), context).unwrap_err().to_string();
    let anew = refused("mtu/fig5", &context);
    assert!(anew.contains("mtu/fig5 measures all of its rows"), "{anew}");
    let nowhere = tempfile::tempdir().unwrap();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap().keeping(nowhere.path());
    assert!(refused("aie/table2", &context).contains("table2.csv"));
}

#[test]
fn pictures_show_every_series() {
    let kernels = Generated::new();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for id in ["cp/fig16", "cp/fig22", "cp/fig23", "cp/fig24", "mtu/fig4", "mtu/table4"] {
        let report = run(find(id).unwrap(), &context).unwrap();
        report.write(folder.path()).unwrap();
        let picture = plot(folder.path(), find(id).unwrap()).unwrap().expect("a picture");
        let picture = std::fs::read_to_string(picture).unwrap();
        let drawn = |row: &&Row| row.ours.is_some() && row.kind != Kind::Calibrated;
        // Published numbers that no number of ours answers at small sizes are left out.
        let compared = report.rows.iter().filter(drawn).any(|row| row.published.is_some());
        assert!(picture.starts_with("<svg") && (picture.contains("published") || !compared), "{id}");
        for row in report.rows.iter().filter(drawn) {
            assert!(picture.contains(&row.series), "{row:?}");
        }
    }
}

#[test]
fn anchors_of_the_paper_stand_beside_ours() {
    let kernels = Generated::new();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    let report = run(find("cp/table1").unwrap(), &context).unwrap();
    let published: Vec<_> = report
        .rows
        .iter()
        .filter(|row| row.what == "instructions" && row.series.starts_with("paper's design, random"))
        .map(|row| row.published.unwrap())
        .collect();
    assert_eq!(published, [98.0, 119.0, 88.0, 25.0, 53.0, 73.0, 50.0, 19.0]);
    // The routines whose count the formulas explain are within a tenth.
    for name in ["line_add_mult", "line_double_mult", "fp12_mul", "cyclotomic_square"] {
        let row = report.rows.iter().find(|row| row.operation == name && row.what == "instructions").unwrap();
        assert!((row.ratio.unwrap() - 1.0).abs() < 0.1, "{row:?}");
    }
}

/// The book's page quotes the ladder of `results/`.
#[test]
fn the_page_of_the_book_is_up_to_date() {
    let page = repository().join("docs/book/src/papers/crypto-processor.md");
    let page = std::fs::read_to_string(page).unwrap();
    let mut found = 0;
    for kept in kept("cp/table2").iter().filter(|row| row.what == "pairing: cycles") {
        let row = format!("| {} | {} |", kept.operation, grouped(kept.ours.unwrap()));
        assert!(page.contains(&row), "{row}");
        found += 1;
    }
    assert!(found >= 6);
}

/// The rows of a kept result.
fn kept(id: &str) -> Vec<Row> {
    let path = repository().join("results").join(id).with_extension("csv");
    csv::Reader::from_path(path).unwrap().deserialize().collect::<Result<_, _>>().unwrap()
}

/// A row of a kept result.
fn find_row<'a>(rows: &'a [Row], what: &str, series: &str, log2_n: u32) -> &'a Row {
    let fits = |row: &&Row| row.what == what && row.series == series && row.log2_n == Some(log2_n);
    rows.iter().find(fits).unwrap()
}

/// A number in the book's notation.
fn grouped(value: f64) -> String {
    let digits = format!("{value:.0}");
    let groups: Vec<&str> =
        digits.as_bytes().rchunks(3).rev().map(|group| std::str::from_utf8(group).unwrap()).collect();
    groups.join(",")
}

const CYCLES: &str = "cycles of a coset NTT";

#[test]
fn the_pages_transforms_are_those_of_the_results() {
    let page = repository().join("docs/book/src/papers/crypto-processor.md");
    let page = std::fs::read_to_string(page).unwrap();
    let (figure, table) = (kept("cp/fig15"), kept("cp/table3"));
    let ours = |rows, what, series, log2_n| find_row(rows, what, series, log2_n).ours.unwrap();
    for log2_n in [12, 14, 16, 18, 20] {
        let cycles = ["unhidden", "hidden, one group", "hidden, both groups"]
            .map(|series| grouped(ours(&figure, CYCLES, series, log2_n)));
        let row = format!("| 2^{log2_n} | {} |", cycles.join(" | "));
        assert!(page.contains(&row), "{row}");
    }
    // The same run is in both results.
    for (of_figure, of_table) in [("unhidden", "unhidden"), ("hidden, both groups", "hidden")] {
        let cycles = ours(&figure, CYCLES, of_figure, 20);
        assert_eq!(cycles, ours(&table, "cycles, modelled", of_table, 20));
    }
}

/// The statements of the page about the published numbers.
#[test]
fn the_published_transform_is_the_unhidden_one() {
    let rows = kept("cp/fig15");
    let ratio = |series: &str| find_row(&rows, CYCLES, series, 20).ratio.unwrap();
    assert!((ratio("unhidden") - 1.0).abs() < 0.01);
    assert!(ratio("hidden, both groups") < 0.55);
    let products = |series: &str| find_row(&rows, "products of a coset NTT", series, 20).ours.unwrap();
    // A result keeps seven digits.
    let points = f64::from(1u32 << 20);
    assert_eq!(products("hidden, merged"), 10.0 * points);
    assert!((products("hidden, product") / points - 11.0).abs() < 1e-5);
}

/// The page of the tree unit quotes the grid of figure 4 and the schedules.
#[test]
fn the_tree_units_page_is_up_to_date() {
    let page = std::fs::read_to_string(repository().join("docs/book/src/papers/mtu.md")).unwrap();
    let (figure, schedules) = (kept("mtu/fig4"), kept("mtu/schedule"));
    let ours = |rows: &[Row], what: &str, operation: &str, series: &str| {
        let fits = |row: &&Row| row.what == what && row.operation == operation && row.series == series;
        rows.iter().find(fits).unwrap().ours.unwrap()
    };
    for what in ["runtime, build-mle", "runtime, product-mle"] {
        for (traversal, pes) in
            ["bfs", "dfs", "hybrid"].into_iter().flat_map(|t| [2, 4, 8, 16, 32].map(|p| (t, p)))
        {
            let operation = format!("{traversal}, {pes} PEs");
            let at = |gb| format!("{:.3}", ours(&figure, what, &operation, &format!("{gb} GB/s")));
            let row = format!("| {traversal} | {pes} | {} |", [64, 128, 256, 512, 1024].map(at).join(" | "));
            assert!(page.contains(&row), "{row}");
        }
    }
    for workload in ["build-mle", "mle-eval"] {
        let what = format!("schedules by elements, {workload}");
        let cycles = ["ruler of four levels", "ruler of all levels", "filled"]
            .map(|series| grouped(ours(&schedules, &what, "32 PEs", series)));
        let row = format!("| {workload}, 32 PEs | {} | 32,768 |", cycles.join(" | "));
        assert!(page.contains(&row), "{row}");
    }
}

/// The page of the AI Engines quotes table I and the results of the board.
#[test]
fn the_engines_page_is_up_to_date() {
    let page = std::fs::read_to_string(repository().join("docs/book/src/papers/aie.md")).unwrap();
    let rows = kept("aie/table1");
    const METHOD: &str = "barrett-wide";
    for (key, digits) in
        [("latency", 0), ("total instructions", 0), ("core utilisation", 2), ("VLIW utilisation", 2)]
    {
        let cell = |mapping: &str| {
            let fits = |row: &&Row| {
                row.what == key && row.operation == mapping && row.series == METHOD && row.beside == "AIE"
            };
            let row = rows.iter().find(fits).unwrap();
            format!("{:.digits$} · {:.digits$}", row.published.unwrap(), row.ours.unwrap())
        };
        let cells = ["fine", "med-coop", "med-ind", "coarse", "single"].map(cell).join(" | ");
        assert!(page.contains(&format!("| {key} | {cells} |")), "{key}: {cells}");
    }
    for (id, operation, digits) in [("aie/table2", "coarse, 10 ways", 1), ("aie/table3", "AIE", 2)] {
        let rows = kept(id);
        for method in ["barrett-wide", "barrett-mixed", "montgomery-balanced"] {
            let fits = |row: &&Row| {
                ["throughput", "latency"].contains(&row.what.as_str())
                    && row.operation == operation
                    && row.series == method
                    && row.beside == "AIE"
            };
            let row = rows.iter().find(fits).unwrap();
            let cells = format!("| {method} | {:.digits$} |", row.ours.unwrap());
            assert!(page.contains(&cells), "{id}: {cells}");
        }
    }
}

/// The page of the scorecard quotes its counts and the ends of each headline.
#[test]
fn the_scorecards_page_is_up_to_date() {
    let page = std::fs::read_to_string(repository().join("docs/book/src/papers/scorecard.md")).unwrap();
    let card = scorecard(&repository().join("results"), all()).unwrap();
    for summary in &card.papers {
        let name = if summary.paper == "moma" { "MoMA".to_owned() } else { summary.paper.to_uppercase() };
        let [independent, inferred, calibrated, input, comparison] = summary.rows;
        let row = format!(
            "| [{name}] | {independent} | {} | {} | {inferred} | {calibrated} | {input} | {comparison} | {} |",
            summary.within_a_tenth, summary.within_two, summary.unanswered
        );
        assert!(page.contains(&row), "{row}");
    }
    let rows = kept("cp/sensitivity");
    for headline in ["pairing", "coset NTT", "G1 MSM"] {
        let of = |what: String| rows.iter().filter(move |row| row.what == what);
        let base = of(format!("cycles, {headline}")).next().unwrap().ours.unwrap();
        let mut changes: Vec<&Row> = of(format!("change of the cycles, {headline}")).collect();
        changes.sort_by(|a, b| a.ours.unwrap().total_cmp(&b.ours.unwrap()));
        let cell =
            |row: &Row| format!("{:+.1} %, `{}`", row.ours.unwrap(), row.operation).replacen('-', "−", 1);
        let (least, most) = (changes.first().unwrap(), changes.last().unwrap());
        let line = format!("| {} | {} | {} |", grouped(base), cell(least), cell(most));
        assert!(page.contains(&line), "{line}");
    }
}
