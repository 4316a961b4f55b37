//! Tables of comparisons, and the files in which they are saved.

use crate::bound::{Bound, ProductCount};
use crate::{Options, Pair};
use serde::Serialize;
use std::fmt::Write as _;
use std::path::Path;
use std::process::Command;

/// A row of a table: one comparison, with times in seconds.
#[derive(Serialize)]
pub struct Row {
    operator: String,
    size: String,
    threads: usize,
    peer: &'static str,
    ours_min: f64,
    ours_median: f64,
    peer_min: f64,
    peer_median: f64,
    /// The peer's minimum over ours; above one, our operator is faster.
    ratio: f64,
    rounds: usize,
    /// The products of which the operator consists, if the row has a bound.
    #[serde(skip)]
    products: Option<ProductCount>,
    /// The ratio of the bound to our minimum; at one, only products in lanes take time.
    #[serde(skip_serializing_if = "Option::is_none")]
    share: Option<f64>,
}

impl Row {
    /// Makes a row from the times of a pair; each time is that of `per` operations.
    pub fn new(
        operator: impl Into<String>,
        size: impl Into<String>,
        threads: usize,
        peer: &'static str,
        pair: &Pair,
        per: usize,
    ) -> Self {
        let [ours, theirs] = [&pair.ours, &pair.peer].map(|times| {
            let mut sorted = times.clone();
            sorted.sort_by(f64::total_cmp);
            [sorted[0], sorted[sorted.len() / 2]].map(|t| t / per as f64)
        });
        Self {
            operator: operator.into(),
            size: size.into(),
            threads,
            peer,
            ours_min: ours[0],
            ours_median: ours[1],
            peer_min: theirs[0],
            peer_median: theirs[1],
            ratio: theirs[0] / ours[0],
            rounds: pair.ours.len(),
            products: None,
            share: None,
        }
    }

    /// The same row with a bound: the operator needs at least these products.
    #[must_use]
    pub fn bounded(mut self, products: impl Into<Option<ProductCount>>) -> Self {
        self.products = products.into();
        self
    }
}

#[derive(Serialize)]
struct Provenance {
    benchmark: &'static str,
    date: String,
    cpu: String,
    /// Family and model of the processor, which are part of the file names, so that results of two processors on one day are distinct.
    #[serde(skip)]
    processor: String,
    cores: usize,
    commit: String,
    rustc: String,
    rustflags: String,
    /// The version of the Go compiler; empty if there is none.
    go: String,
}

/// All rows of a benchmark.
#[derive(Serialize)]
pub struct Table {
    provenance: Provenance,
    /// The bound, which is measured when the first row needs it.
    #[serde(skip_serializing_if = "not_measured")]
    bound: Option<Option<Bound>>,
    rows: Vec<Row>,
    #[serde(skip)]
    quiet: bool,
}

/// Measures the bound and prints it to standard error.
fn measured() -> Option<Bound> {
    let bound = Bound::measured()?;
    let (five, eight) = (bound.five_digits_ns, bound.eight_digits_ns);
    eprintln!("a product in lanes takes {five:.2} ns of five digits, {eight:.2} ns of eight");
    Some(bound)
}

fn not_measured(bound: &Option<Option<Bound>>) -> bool {
    bound.is_none_or(|bound| bound.is_none())
}

const HEAD: &str = "| operator | size | threads | peer | ours min | median | peer min | median | peer/ours | share of bound |";
/// The root of the repository.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
const RULE: &str = "|---|---|---|---|---|---|---|---|---|---|";

impl Table {
    /// Runs a whole benchmark, whose rows `fill` measures with the options of the command line.
    pub fn of(benchmark: &'static str, fill: impl FnOnce(&Options, &mut Self)) {
        let options = Options::from_args();
        let mut table = Self::new(benchmark, &options);
        fill(&options, &mut table);
        table.finish(&options);
    }

    /// Makes an empty table and prints its head.
    pub fn new(benchmark: &'static str, options: &Options) -> Self {
        let said = |program: &str, args: &[&str]| {
            let output = Command::new(program).args(args).output().ok();
            output.map(|o| String::from_utf8_lossy(&o.stdout).trim().to_owned()).unwrap_or_default()
        };
        let info = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
        let field = |name: &str| {
            let line = info.lines().find(|l| l.starts_with(name));
            line.and_then(|l| l.split(':').nth(1)).unwrap_or("?").trim().to_owned()
        };
        let changed = !said("git", &["-C", ROOT, "status", "--porcelain", "--", "crates"]).is_empty();
        let provenance = Provenance {
            benchmark,
            date: said("date", &["-u", "+%F"]),
            cpu: format!(
                "{} (family {} model {})",
                field("model name"),
                field("cpu family"),
                field("model\t")
            ),
            processor: format!("family{}-model{}", field("cpu family"), field("model\t")).replace('?', "x"),
            cores: std::thread::available_parallelism().map_or(0, usize::from),
            commit: said("git", &["-C", ROOT, "rev-parse", "--short=12", "HEAD"])
                + if changed { "+changes" } else { "" },
            rustc: said("rustc", &["-V"]),
            rustflags: std::env::var("RUSTFLAGS").unwrap_or_default(),
            go: said("go", &["version"]),
        };
        if !options.json {
            println!("{HEAD}\n{RULE}");
        }
        Self { provenance, bound: None, rows: Vec::new(), quiet: options.json }
    }

    /// Adds a row and prints it.
    pub fn push(&mut self, mut row: Row) {
        if let Some(products) = row.products
            && let Some(bound) = self.bound.get_or_insert_with(measured)
        {
            row.share = Some(bound.seconds(products, row.threads) / row.ours_min);
        }
        if !self.quiet {
            println!("{}", line(&row));
        }
        self.rows.push(row);
    }

    /// Ends the benchmark: prints JSON and writes the files, if requested.
    ///
    /// # Panics
    /// If the files cannot be written.
    pub fn finish(self, options: &Options) {
        let json = serde_json::to_string_pretty(&self).expect("plain data");
        if options.json {
            println!("{json}");
        }
        if options.save {
            let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("results");
            std::fs::create_dir_all(&folder).expect("bench/results can be made");
            let Provenance { date, benchmark, processor, .. } = &self.provenance;
            let stem = format!("{date}-{benchmark}-{processor}");
            let write = |ending: &str, text: String| {
                let path = folder.join(format!("{stem}.{ending}"));
                std::fs::write(&path, text).expect("bench/results can be written");
            };
            write("json", json + "\n");
            write("md", self.markdown());
        }
    }

    fn markdown(&self) -> String {
        let p = &self.provenance;
        let mut text = format!(
            "# {}\n\n{}, {} cores; commit {}; {}; RUSTFLAGS `{}`; {}; {}.\n\n\
             Ours and the peer's took turns in one run, on the same inputs, with equal results; arkworks and gnark prove \
             the same statement under keys of their own. \
             Ratio: the peer's minimum over ours.\n\n",
            p.benchmark,
            p.cpu,
            p.cores,
            p.commit,
            p.rustc,
            p.rustflags,
            if p.go.is_empty() { "no Go" } else { &p.go },
            p.date
        );
        if let Some(Some(bound)) = self.bound {
            let _ = write!(
                text,
                "The bound counts the products of the best algorithm known (`bench/src/bound.rs`), each at what it took \
                 in lanes at best in this run: {:.2} ns of five digits of 52 bits, {:.2} ns of eight.\n\n",
                bound.five_digits_ns, bound.eight_digits_ns
            );
        }
        let _ = writeln!(text, "{HEAD}\n{RULE}");
        self.rows.iter().for_each(|row| {
            let _ = writeln!(text, "{}", line(row));
        });
        text
    }
}

fn line(r: &Row) -> String {
    format!(
        "| {} | {} | {} | {} | {} | {} | {} | {} | {:.2} | {} |",
        r.operator,
        r.size,
        r.threads,
        r.peer,
        time(r.ours_min),
        time(r.ours_median),
        time(r.peer_min),
        time(r.peer_median),
        r.ratio,
        r.share.map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share))
    )
}

fn time(seconds: f64) -> String {
    match seconds {
        s if s >= 1.0 => format!("{s:.3} s"),
        s if s >= 1e-3 => format!("{:.2} ms", s * 1e3),
        s if s >= 1e-6 => format!("{:.2} µs", s * 1e6),
        s => format!("{:.1} ns", s * 1e9),
    }
}
