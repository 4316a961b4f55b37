//! The `lab` command: `cargo lab list`, `cargo lab run moma/fig2`, `cargo lab plot`, `cargo lab scorecard`.
#![forbid(unsafe_code)]

mod cache;
mod cluster;
#[macro_use]
mod say;
mod show;

use clap::{Parser, Subcommand};
use pairwright_lab::{
    Context, DeviceReport, Experiment, LabError, ResultTable, Row, all, find, of_paper, plot, repository,
    run, scorecard,
};
use serde_json::json;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Reproduces the tables and figures of the papers.
#[derive(Parser)]
#[command(name = "lab", version, about)]
struct Cli {
    /// Print one JSON object instead of text
    #[arg(long, global = true)]
    json: bool,
    /// Folder of the results [default: results/ of the repository; with --quick, its target folder]
    #[arg(long, global = true, value_name = "FOLDER")]
    out: Option<PathBuf>,
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// List the experiments
    List,
    /// Run an experiment: every result is checked, then timed; writes a table and its provenance
    Run(RunArgs),
    /// Print the basis of each answer to a published number, from the kept results
    Scorecard {
        /// A paper; without one, all of them
        paper: Option<String>,
        /// Only the counts
        #[arg(long)]
        summary: bool,
    },
    /// Draw results as SVG
    Plot {
        /// An experiment; without one, all that have a result
        id: Option<String>,
    },
}

#[derive(clap::Args)]
struct RunArgs {
    /// An experiment, as `lab list` names it; or a paper, with --all
    id: Option<String>,
    /// Every experiment of the paper, or of all papers
    #[arg(long)]
    all: bool,
    /// Small sizes and few repeats: for tests of the lab, not for figures
    #[arg(long)]
    quick: bool,
    /// Keep the measured rows of the existing results and run only the models: for a machine that is not quiet
    #[arg(long, conflicts_with = "quick")]
    keep_measured: bool,
    /// Take the points of MoMA's figures on a GPU from this file, which `pairwright gpu report` wrote on a device; a
    /// local device is then not measured
    #[arg(long, value_name = "FILE", conflicts_with_all = ["quick", "cluster"])]
    gpu_report: Option<PathBuf>,
    /// Have the workers of a Dask cluster run the experiments, with the scheduler at this address: they must see this
    /// program and the results under the same paths. Measured rows are kept from the last run, since a worker may be
    /// busy with other work
    #[arg(long, value_name = "ADDRESS", requires = "keep_measured")]
    cluster: Option<String>,
    /// Cache the workers' answers in this directory, by the digests of the program and of its command line: an
    /// experiment whose results are unchanged since such a run does not run again
    #[arg(long, value_name = "DIR", requires = "cluster")]
    cache: Option<PathBuf>,
    /// Threads of every series [default: all cores]
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// Seed of the operands
    #[arg(long, default_value_t = 1)]
    seed: u64,
}

fn main() -> ExitCode {
    let cli = Cli::parse();
    let done = match &cli.command {
        Command::List => {
            list(&cli);
            Ok(())
        }
        Command::Run(args) => run_all(&cli, args),
        Command::Plot { id } => plot_all(&cli, id.as_deref()),
        Command::Scorecard { paper, summary } => score(&cli, paper.as_deref(), *summary),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) if cli.json => {
            say!("{}", json!({ "status": "error", "error": error.to_string() }));
            ExitCode::FAILURE
        }
        Err(error) => {
            eprintln!("lab: {error}");
            ExitCode::FAILURE
        }
    }
}

fn list(cli: &Cli) {
    if cli.json {
        let rows: Vec<_> = all()
            .map(|e| json!({ "id": e.id, "paper": e.paper, "claim": e.claim, "needs": e.needs }))
            .collect();
        say!("{}", json!({ "status": "ok", "experiments": rows }));
        return;
    }
    for experiment in all() {
        say!("{:<12} {:<17} {}", experiment.id, experiment.paper, experiment.claim);
        say!("{:<30} needs: {}", "", experiment.needs);
    }
}

fn chosen(args: &RunArgs) -> Result<Vec<&'static Experiment>, LabError> {
    match (&args.id, args.all) {
        (Some(id), false) => Ok(vec![find(id)?]),
        (Some(paper), true) => of_paper(paper),
        (None, true) => Ok(all().collect()),
        (None, false) => Err(LabError::Nothing),
    }
}

fn run_all(cli: &Cli, args: &RunArgs) -> Result<(), LabError> {
    let experiments = chosen(args)?;
    if let Some(address) = &args.cluster {
        return run_there(cli, args, address, &experiments);
    }
    let kernels = pairwright_lab::Generated::new();
    let folder = results(cli, args.quick);
    let mut context = Context::new(&kernels, args.threads, args.quick, args.seed, true)?;
    if args.keep_measured {
        context = context.keeping(&repository().join("results"));
    }
    if let Some(file) = &args.gpu_report {
        context = context.reporting(DeviceReport::read(file)?);
    }
    let (mut done, mut left) = (Vec::new(), Vec::new());
    for experiment in experiments {
        let report = match run(experiment, &context) {
            // If only measured rows exist, keeping them leaves nothing to compute.
            Err(why @ LabError::MeasuresAnew(id)) => {
                eprintln!("lab: {why}");
                left.push(id);
                continue;
            }
            other => other?,
        };
        let [table, meta] = report.write(&folder)?;
        if cli.json {
            done.push(json!({ "table": table, "meta": meta, "report": report }));
        } else {
            show(&report, &table);
        }
    }
    if cli.json {
        say!("{}", json!({ "status": "ok", "results": done, "left": left }));
    }
    Ok(())
}

/// Like [`run_all`], but run by the workers of a cluster, each of which writes the results of one experiment.
fn run_there(
    cli: &Cli,
    args: &RunArgs,
    address: &str,
    experiments: &[&'static Experiment],
) -> Result<(), LabError> {
    let folder = results(cli, args.quick).display().to_string();
    let line = |experiment: &&Experiment| {
        let words =
            ["--out", &folder, "run", experiment.id, "--keep-measured", "--seed", &args.seed.to_string()];
        let threads = args.threads.map(|n| ["--threads".to_owned(), n.to_string()]);
        words.map(str::to_owned).into_iter().chain(threads.into_iter().flatten()).collect::<Vec<_>>()
    };
    let lines: Vec<_> = experiments.iter().map(line).collect();
    let cache = args.cache.as_deref().map(cache::AnswerCache::new).transpose()?;
    let mut found: Vec<_> = lines.iter().map(|line| cache.as_ref()?.find(line)).collect();
    let new: Vec<_> =
        lines.iter().zip(&found).filter(|(_, known)| known.is_none()).map(|(line, _)| line.clone()).collect();
    if !new.is_empty() {
        let mut answers = cluster::run(address, &new)?.into_iter();
        for (line, place) in lines.iter().zip(&mut found).filter(|(_, place)| place.is_none()) {
            *place = answers.next();
            if let (Some(cache), Some(answer)) = (&cache, &*place) {
                cache.keep(line, answer)?;
            }
        }
    }
    let found: Vec<_> = found.into_iter().flatten().collect();
    let results = || {
        experiments.iter().zip(&found).map(|(experiment, answer)| (experiment.id, answer["results"].get(0)))
    };
    if cli.json {
        let left: Vec<_> = results().filter(|(_, result)| result.is_none()).map(|(id, _)| id).collect();
        let results: Vec<_> = results().filter_map(|(_, result)| result).collect();
        say!("{}", json!({ "status": "ok", "results": results, "left": left }));
        return Ok(());
    }
    for (id, result) in results() {
        match result.and_then(|result| result["table"].as_str()) {
            Some(table) => say!("{id}: {table}"),
            None => say!("{}", LabError::MeasuresAnew(id)),
        }
    }
    Ok(())
}

fn results(cli: &Cli, quick: bool) -> PathBuf {
    let default = if quick { "target/lab-quick" } else { "results" };
    cli.out.clone().unwrap_or_else(|| repository().join(default))
}

fn show(report: &ResultTable, table: &Path) {
    let from = &report.provenance;
    say!("{} ({}): {}; {}; {} threads", report.id, from.paper, from.host, from.device, from.threads);
    say!("GMP: {}; commit {}; {:.2} GHz estimated", from.gmp, from.commit, from.clock_ghz);
    for row in &report.rows {
        say!("{}", line(row));
    }
    say!("-> {}\n", table.display());
}

/// A row as text: its position in the figure, the numbers, and their kind.
fn line(row: &Row) -> String {
    let number = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.4}"));
    let place = |value: Option<u32>, before: &str| value.map_or_else(String::new, |v| format!("{before}{v}"));
    let beside = if row.beside.is_empty() { String::new() } else { format!(" beside {}", row.beside) };
    format!(
        "  {:<28} {:<12} {:>5} {:>5}  {:<42} published {:>9}  ours {:>11}  ratio {:>7}  {} ({:?})",
        row.what,
        row.operation,
        place(row.bits, ""),
        place(row.log2_n, "2^"),
        format!(
            "{}{} on {}",
            row.series,
            beside,
            if row.ours.is_some() { &row.device } else { &row.published_device }
        ),
        number(row.published),
        number(row.ours),
        number(row.ratio),
        row.unit,
        row.kind,
    )
}

fn score(cli: &Cli, paper: Option<&str>, summary: bool) -> Result<(), LabError> {
    let experiments = match paper {
        Some(paper) => of_paper(paper)?,
        None => all().collect(),
    };
    let card = scorecard(&results(cli, false), experiments)?;
    if cli.json {
        say!(
            "{}",
            json!({ "status": "ok", "papers": card.papers, "not_run": card.not_run, "rows": card.rows })
        );
    } else {
        say!("{}", show::text(&card, !summary));
    }
    Ok(())
}

fn plot_all(cli: &Cli, id: Option<&str>) -> Result<(), LabError> {
    let folder = results(cli, false);
    let mut written = Vec::new();
    match id {
        Some(id) => written.extend(plot(&folder, find(id)?)?),
        None => {
            for experiment in all() {
                match plot(&folder, experiment) {
                    Err(LabError::NotRun(_)) => {}
                    other => written.extend(other?),
                }
            }
        }
    }
    if cli.json {
        say!("{}", json!({ "status": "ok", "written": written }));
    } else {
        written.iter().for_each(|path| say!("{}", path.display()));
    }
    Ok(())
}
