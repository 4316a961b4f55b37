//! The figures of [CP] come from models: what is kept in `results/` is what comes out, byte for byte.

use pairwright_lab::{Context, Generated, Kind, find, of_paper, plot, repository, run};

fn context(kernels: &Generated) -> Context<'_> {
    Context::new(kernels, Some(2), false, 1, false).unwrap()
}

/// After a change of the compiler or of a model, `cargo lab run cp --all` keeps the new numbers.
#[test]
fn results_are_what_the_models_say() {
    let kernels = Generated::new();
    let context = context(&kernels);
    for experiment in of_paper("cp").unwrap() {
        let report = run(experiment, &context).unwrap_or_else(|error| panic!("{}: {error}", experiment.id));
        for row in &report.rows {
            assert!(row.kind != Kind::Measured, "{row:?}");
            assert_eq!(row.kind == Kind::Published, row.ours.is_none(), "{row:?}");
        }
        let kept = repository().join("results").join(experiment.id).with_extension("csv");
        let kept = std::fs::read_to_string(kept).unwrap_or_default();
        let now = String::from_utf8(report.csv().unwrap()).unwrap();
        let differs = kept.lines().zip(now.lines()).find(|(kept, now)| kept != now);
        assert!(
            kept == now,
            "{}: run `cargo lab run {}`; kept and now: {differs:?}",
            experiment.id,
            experiment.id
        );
        assert!(report.provenance.device.contains("model"));
    }
}

#[test]
fn pictures_show_every_series() {
    let kernels = Generated::new();
    let context = Context::new(&kernels, Some(2), true, 1, false).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for id in ["cp/fig22", "cp/fig23"] {
        let report = run(find(id).unwrap(), &context).unwrap();
        report.write(folder.path()).unwrap();
        let picture = plot(folder.path(), id).unwrap().expect("a picture");
        let picture = std::fs::read_to_string(picture).unwrap();
        assert!(picture.starts_with("<svg") && picture.contains("published"));
        for row in report.rows.iter().filter(|row| row.published.is_none() && row.ours.is_some()) {
            let name = row.series.split(" beside ").next().unwrap();
            assert!(picture.contains(name), "{row:?}");
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
    // The routines whose count the formulas explain come within a tenth.
    for name in ["line_add_mult", "line_double_mult", "fp12_mul", "cyclotomic_square"] {
        let row = report.rows.iter().find(|row| row.operation == name && row.what == "instructions").unwrap();
        assert!((row.ratio.unwrap() - 1.0).abs() < 0.1, "{row:?}");
    }
}

/// The book's page quotes the ladder as it stands in `results/`.
#[test]
fn the_page_of_the_book_is_up_to_date() {
    let read = |path: &str| std::fs::read_to_string(repository().join(path)).unwrap();
    let page = read("docs/book/src/papers/crypto-processor.md");
    let mut found = 0;
    for line in read("results/cp/table2.csv").lines().filter(|line| line.starts_with("pairing: cycles,")) {
        let cells: Vec<&str> = line.split(',').collect();
        let cycles: u32 = cells[7].trim_end_matches(".0").parse().unwrap();
        let row = format!("| {} | {},{:03} |", cells[1], cycles / 1000, cycles % 1000);
        assert!(page.contains(&row), "{row}");
        found += 1;
    }
    assert!(found >= 6);
}
