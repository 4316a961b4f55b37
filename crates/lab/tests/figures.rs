//! Runs every experiment at small sizes with hand-written kernels: the lab must measure, check and keep the results,
//! and refuse wrong ones.

use num_bigint::BigUint;
use pairwright_gpu::Facts;
use pairwright_gpu::report::{FIGURES, Line, Measurements, Point};
use pairwright_lab::host::{Format, HostNtt, HostVector, Loaded};
use pairwright_lab::targets::{Kernels, NttCase, Recipe, VectorCase};
use pairwright_lab::{
    Basis, Context, DeviceReport, Generated, Kind, LabError, Modulus, ResultTable, Work, all, find, of_paper,
    plot, repository, run, scorecard,
};
use pairwright_moma::program::blas::BlasOp;
use pairwright_testkit::jit::{AlignedWords, Length, Library};

const COLUMNS: &str = "what,operation,series,beside,bits,log2_n,x,x_name,device,published_device,published,ours,median,ratio,unit,kind,note";

/// Kernels in plain C in Montgomery form for any recipe; optionally with a bug in one operation.
struct ByHand {
    broken: Option<(&'static str, &'static str)>,
}

impl ByHand {
    fn load(
        &self,
        name: &str,
        modulus: &Modulus,
        log2_n: Option<u32>,
        inputs: &[Length],
        tables: impl Fn(&Format) -> Vec<AlignedWords>,
    ) -> Loaded {
        let limbs = modulus.limbs();
        let r = BigUint::from(1u8) << (64 * limbs);
        let format = Format { digit_bits: 64, digits: limbs, lanes: 1, factor: &r % &modulus.q };
        let mut constants = modulus.q.to_u64_digits();
        constants.push((&r - modulus.q.modinv(&r).unwrap()).iter_u64_digits().next().unwrap());
        let mut text = include_str!("kernels.c").to_owned();
        if let Some((right, wrong)) = self.broken {
            assert!(text.contains(right));
            text = text.replace(right, wrong);
        }
        let mut flags = vec![format!("-DL={limbs}")];
        flags.extend(log2_n.map(|log2_n| format!("-DLOG2_N={log2_n}")));
        let flags: Vec<&str> = flags.iter().map(String::as_str).collect();
        let library = Library::from_c(name, &text, &flags).unwrap();
        let out = Length::PerItem(limbs << log2_n.unwrap_or(0));
        let mut tables = tables(&format);
        tables.push(AlignedWords::copied(&constants));
        let lengths = [inputs, &[Length::Total(constants.len())]].concat();
        Loaded { kernel: library.kernel(name, out, &lengths).unwrap(), format, tables }
    }
}

impl Kernels for ByHand {
    fn device(&self) -> String {
        "host".to_owned()
    }

    fn targets(&self) -> Vec<&'static str> {
        vec!["hand"]
    }

    fn vector<'a>(
        &'a self,
        _: &'static str,
        _: Recipe,
        case: VectorCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError> {
        let modulus = case.modulus;
        let (words, whole) = (Length::PerItem(modulus.limbs()), Length::Total(modulus.limbs()));
        let axpy = case.op == BlasOp::Axpy;
        let inputs = if axpy { vec![words, words, whole] } else { vec![words, words] };
        let loaded = self.load(case.op.name(), modulus, None, &inputs, |format| {
            axpy.then(|| format.pack(core::slice::from_ref(case.scalar), &modulus.q)).into_iter().collect()
        });
        Ok(Some(Box::new(HostVector::new(loaded, case))))
    }

    fn ntt<'a>(
        &'a self,
        _: &'static str,
        recipe: Recipe,
        case: NttCase<'a>,
    ) -> Result<Option<Box<dyn Work + 'a>>, LabError> {
        if recipe == Recipe::MONTGOMERY {
            return Ok(None);
        }
        let modulus = case.modulus;
        let root = modulus.root(case.log2_n);
        let powers: Vec<_> =
            (0..1u32 << (case.log2_n - 1)).map(|k| root.modpow(&BigUint::from(k), &modulus.q)).collect();
        let twiddles = [Length::Total(powers.len() * modulus.limbs())];
        let loaded = self.load("ntt", modulus, Some(case.log2_n), &twiddles, |format| {
            vec![format.pack(&powers, &modulus.q)]
        });
        Ok(Some(Box::new(HostNtt::new(loaded, case))))
    }
}

fn quick(kernels: &dyn Kernels) -> Context<'_> {
    Context::new(kernels, Some(2), true, 5, false).unwrap()
}

fn series(report: &ResultTable) -> Vec<&str> {
    let mut found: Vec<_> =
        report.rows.iter().filter(|row| row.published.is_none()).map(|row| row.series.as_str()).collect();
    found.sort();
    found.dedup();
    found
}

/// The pictures in `results/` match the tables beside them; `BLESS=1 cargo test` writes them like `cargo lab plot`, and
/// they must then be inspected.
#[test]
fn committed_pictures_are_drawn_from_committed_tables() {
    let results = repository().join("results");
    let folder = tempfile::tempdir().unwrap();
    let mut drawn = 0;
    for experiment in all() {
        let table = results.join(experiment.id).with_extension("csv");
        if !table.is_file() {
            continue;
        }
        let copy = folder.path().join(experiment.id).with_extension("csv");
        std::fs::create_dir_all(copy.parent().unwrap()).unwrap();
        std::fs::copy(&table, copy).unwrap();
        let Some(picture) = plot(folder.path(), experiment).unwrap() else { continue };
        let (picture, kept) = (std::fs::read_to_string(picture).unwrap(), table.with_extension("svg"));
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&kept, &picture).unwrap();
        }
        let kept = std::fs::read_to_string(kept).unwrap_or_default();
        assert!(picture == kept, "{}: run `cargo lab plot`, and look at the picture", experiment.id);
        drawn += 1;
    }
    assert!(drawn > 20, "{drawn}");
}

#[test]
fn every_experiment_runs_small_and_keeps_its_table() {
    small(&ByHand { broken: None }, &["hand barrett"]);
}

#[test]
fn every_experiment_runs_small_on_generated_kernels() {
    let kernels = Generated::new();
    // Every result names the targets that cannot run here, with the reason.
    println!("{}", kernels.device());
    let series: Vec<_> = kernels.targets().iter().map(|target| format!("{target} barrett")).collect();
    small(&kernels, &series.iter().map(String::as_str).collect::<Vec<_>>());
}

/// Runs every experiment at small sizes; a wrong result, of ours or of GMP's, fails the run.
fn small(kernels: &dyn Kernels, ours: &[&str]) {
    let context = quick(kernels);
    let folder = tempfile::tempdir().unwrap();
    for experiment in of_paper("moma").unwrap() {
        let report = run(experiment, &context).unwrap_or_else(|error| panic!("{}: {error}", experiment.id));
        let [table, meta] = report.write(folder.path()).unwrap();
        let text = std::fs::read_to_string(table).unwrap();
        assert_eq!(text.lines().next(), Some(COLUMNS), "{}", experiment.id);
        assert_eq!(text.lines().count(), 1 + report.rows.len());
        let meta: toml::Table = std::fs::read_to_string(meta).unwrap().parse().unwrap();
        assert_eq!(meta["id"].as_str(), Some(experiment.id));
        assert_eq!((meta["quick"].as_bool(), meta["threads"].as_integer()), (Some(true), Some(2)));
        // Without a device the result contains the message of the driver's probe; a model needs none.
        let device = meta["device"].as_str().unwrap();
        if let Err(absent) = &context.cuda {
            assert!(device.ends_with(&absent.to_string()) || device.starts_with("a model: "), "{meta}");
        }
        for row in &report.rows {
            // A change is in per cent and may be negative; every other value is a time or a ratio.
            let change = row.kind == Kind::Modelled && row.unit == "%";
            let sensible = |ours: f64| ours > 0.0 || change && ours.is_finite();
            assert!(row.published.is_some() || row.ours.is_some_and(sensible), "{row:?}");
            assert_eq!(row.kind == Kind::Published, row.ours.is_none(), "{row:?}");
        }
        // A model has neither times nor series of this computer.
        if device.starts_with("a model: ") {
            continue;
        }
        if experiment.id == "moma/table2" {
            assert_eq!(plot(folder.path(), experiment).unwrap(), None);
            continue;
        }
        let gmp: &[&str] = if context.gmp.is_ok() { &["gmp mpn", "gmp mpz"] } else { &[] };
        for expected in ours.iter().chain(gmp) {
            assert!(series(&report).contains(expected), "{}: {:?}", experiment.id, series(&report));
        }
        let figure = plot(folder.path(), experiment).unwrap().expect("a figure with times");
        let figure = std::fs::read_to_string(figure).unwrap();
        assert!(figure.starts_with("<svg") && ours.iter().all(|series| figure.contains(series)));
    }
    if let Err(absent) = context.gmp {
        println!("skipped the baseline: {absent}");
    }
}

#[test]
fn claims_are_answered_with_our_numbers() {
    let kernels = ByHand { broken: None };
    let context = quick(&kernels);
    let slowdown = run(find("moma/fig5a").unwrap(), &context).unwrap();
    let answered: Vec<_> = slowdown
        .rows
        .iter()
        .filter(|row| row.published.is_some() && row.series.starts_with("hand"))
        .collect();
    // Small figures stop at 128 bits: one doubling, published for two devices.
    assert_eq!(answered.iter().map(|row| row.published.unwrap()).collect::<Vec<_>>(), [2.9, 2.7]);
    let time = |bits| {
        let row = slowdown
            .rows
            .iter()
            .find(|row| row.published.is_none() && row.series == "hand barrett" && row.bits == Some(bits));
        row.unwrap().ours.unwrap()
    };
    assert_eq!(answered[0].ours, Some(time(128) / time(64)));
    assert_eq!(answered[0].ratio, Some(time(128) / time(64) / 2.9));
    if context.gmp.is_ok() {
        let vectors = run(find("moma/fig2").unwrap(), &context).unwrap();
        let claims: Vec<_> =
            vectors.rows.iter().filter(|row| row.series.starts_with("hand barrett over gmp")).collect();
        assert_eq!(claims.len(), 4, "two claims that small widths can answer, against two layers");
        let pairs = ["vadd", "vsub"].into_iter().flat_map(|op| [128, 256].map(|bits| (op, bits)));
        let time = |series: &str, op: &str, bits| {
            let fits = |row: &&pairwright_lab::Row| {
                row.series == series && row.operation == op && row.bits == Some(bits)
            };
            vectors.rows.iter().find(fits).unwrap().ours.unwrap()
        };
        let least = pairs.map(|(op, bits)| time("gmp mpz", op, bits) / time("hand barrett", op, bits));
        let claim = claims.iter().find(|row| row.published == Some(527.0)).unwrap();
        assert_eq!(claim.ours, least.reduce(f64::min));
    }
}

/// A report on a device, in the form that the command writes, with the transforms of figure 5a that a small run has.
fn report_on(device: &str, folder: &std::path::Path) -> DeviceReport {
    let line = |bits, nanoseconds| {
        let point = Point { operation: "ntt".to_owned(), bits, series: "cuda64 barrett".to_owned() };
        let line = Line::by_unit("ntt".to_owned(), "butterfly", nanoseconds);
        Line { section: FIGURES.to_owned(), log_size: Some(8), point: Some(point), ..line }
    };
    let report = Measurements {
        version: "0.1.0 (commit 4b1bc7d32282)".to_owned(),
        device: Facts { name: device.to_owned(), capability: 90, ..Facts::default() },
        compiler: (13, 0),
        most: 24,
        done: vec![FIGURES.to_owned()],
        days: [(FIGURES.to_owned(), "2026-01-31".to_owned())].into(),
        lines: vec![line(64, 0.5), line(128, 1.5)],
        ..Measurements::default()
    };
    let path = folder.join("report.json");
    std::fs::write(&path, serde_json::to_string(&report).unwrap()).unwrap();
    DeviceReport::read(&path).unwrap()
}

#[test]
fn a_report_on_a_device_stands_beside_what_was_published() {
    const ABSENT: &str = "on a GPU: not measured";
    let kernels = ByHand { broken: None };
    let (folder, figure) = (tempfile::tempdir().unwrap(), find("moma/fig5a").unwrap());
    for (device, independent) in [("NVIDIA H100 80GB HBM3", true), ("NVIDIA H200", false)] {
        let context = quick(&kernels).reporting(report_on(device, folder.path()));
        let result = run(figure, &context).unwrap();
        let ours = result.rows.iter().filter(|row| row.published.is_some() && row.series == "cuda64 barrett");
        let ours: Vec<_> = ours.collect();
        assert_eq!(ours.iter().map(|row| row.published.unwrap()).collect::<Vec<_>>(), [2.9, 2.7]);
        assert!(ours.iter().all(|row| row.ours == Some(3.0) && row.device == device), "{ours:?}");
        // Doublings that a small run does not measure have no answer.
        let absent = result.rows.iter().filter(|row| row.note.contains(ABSENT));
        assert!(absent.clone().count() > 0 && absent.clone().all(|row| row.bits != Some(128)));
        let from = result.provenance.reported.as_ref().unwrap();
        let found = (from.device.as_str(), from.date.as_str(), from.commit.as_str());
        assert_eq!(found, (device, "2026-01-31", "4b1bc7d32282"));
        assert!(result.provenance.command.ends_with(" --gpu-report report.json"));
        let [_, meta] = result.write(folder.path()).unwrap();
        let meta: toml::Table = std::fs::read_to_string(meta).unwrap().parse().unwrap();
        assert_eq!(meta["reported"]["device"].as_str(), Some(device));
        // The same kernel on the paper's GPU model tests the published number; any other device gives a comparison.
        let card = scorecard(folder.path(), [figure]).unwrap();
        let basis = |published| {
            let score =
                card.rows.iter().find(|row| row.published == published && row.series == "cuda64 barrett");
            score.unwrap().basis
        };
        assert_eq!(basis(2.9) == Basis::Independent, independent, "{device}");
        assert_eq!(basis(2.7), Basis::Comparison);
        assert!(card.rows.iter().all(|row| row.series != "hand barrett" || row.basis == Basis::Comparison));
    }
    let context = quick(&kernels);
    if context.cuda.is_err() {
        let result = run(figure, &context).unwrap();
        let published = result.rows.iter().filter(|row| row.published.is_some());
        assert!(published.clone().all(|row| row.note.contains(ABSENT)), "{:?}", result.rows);
        assert!(result.provenance.reported.is_none());
    }
}

#[test]
fn a_wrong_kernel_has_no_time() {
    // The borrow is dropped: the result is right only for pairs without a borrow.
    let kernels = ByHand {
        broken: Some(("if (sub_limbs(out, a, b)) add", "if (!sub_limbs(out, a, b)) return; else if (0) add")),
    };
    let refused = run(find("moma/fig2").unwrap(), &quick(&kernels));
    let Err(LabError::Wrong { series, what, .. }) = refused.map(|_| ()) else { panic!("not refused") };
    assert_eq!((series.as_str(), what.as_str()), ("hand barrett", "vsub of 2^6 at 128 bits"));
    // Only the first transform of a batch is computed.
    let kernels = ByHand {
        broken: Some(("for (; batch--; data += n * L)", "for (batch = 1; batch--; data += n * L)")),
    };
    let refused = run(find("moma/fig5b").unwrap(), &quick(&kernels));
    assert!(matches!(refused.map(|_| ()), Err(LabError::Wrong { at: 256, .. })));
}

#[test]
fn experiments_are_found_by_name() {
    assert_eq!(find("moma/fig4").unwrap().id, "moma/fig4");
    let papers = ["moma", "cp", "mtu", "aie"].map(|paper| of_paper(paper).unwrap().len());
    assert_eq!(papers.iter().sum::<usize>(), all().count());
    assert!(matches!(find("moma").map(|_| ()), Err(LabError::WholePaper(_))));
    let Err(error) = find("moma/fig9").map(|_| ()) else { panic!() };
    assert!(error.to_string().contains("moma/fig3a"), "{error}");
    let nowhere = plot(std::path::Path::new("no-such-folder"), find("moma/fig2").unwrap());
    assert!(matches!(nowhere, Err(LabError::NotRun(_))));
}
