//! Runs `pairwright gpu report`: what a CUDA device computes is compared with this computer's results and measured, section
//! by section, into one file. A file of the same device and the same version is continued.

use super::lines::{Fault, Line, Report, Section};
use super::{operators, predict};
use crate::args::{Cli, GpuReport, GpuSection, VERSION};
use crate::failure::Failure;
use crate::files::{read_text, write_text};
use crate::output;
use crate::progress::Progress;
use clap::ValueEnum;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::bn254::Bn254;
use pairwright::gpu::bench::Measured;
use pairwright::gpu::table::FieldRow;
use pairwright::gpu::{Setup, mixed, rates, tune};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::primes::ntt_prime;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};

/// Widths of the moduli whose products are measured in registers.
const WIDTHS: [u32; 6] = [128, 255, 256, 381, 384, 768];

/// Rounds of four products in registers.
const ROUNDS: u32 = 256;

/// Products in registers with every kind of word, and with both kinds at once.
fn products(setup: &Setup, into: &mut Section<'_>) {
    for bits in WIDTHS {
        into.lines(&format!("products of {bits} bits"), || {
            let rows = tune::search_field(setup, &ntt_prime(bits, 4)?, Reduction::Montgomery)?;
            let name = |row: &FieldRow| {
                format!("{bits} bits, {}, Karatsuba {}", row.tuning.words.machine(), row.tuning.karatsuba)
            };
            Ok(rows.iter().map(|row| Line::product(name(row), row.nanoseconds)).collect())
        });
    }
    for bits in [255, 381] {
        into.lines(&format!("mixed products of {bits} bits"), || {
            let rows = mixed::measure(setup, &ntt_prime(bits, 4)?, ROUNDS)?;
            let name = |row: &Measured| format!("{bits} bits, {}", row.kernel);
            Ok(rows.iter().map(|row| Line::product(name(row), row.nanoseconds)).collect())
        });
    }
}

fn run_section(setup: &Setup, what: GpuSection, most: u32, into: &mut Section<'_>) -> Result<(), Failure> {
    match what {
        GpuSection::Rates => into.report.rates = Some(json!(rates::measure(setup)?)),
        GpuSection::Products => products(setup, into),
        GpuSection::Operators => {
            operators::vectors::<Bn254>(setup, most, into)?;
            operators::vectors::<Bls12_381>(setup, most, into)?;
        }
        GpuSection::Msm => {
            operators::sums::<Bn254>(setup, most, into)?;
            operators::sums::<Bls12_381>(setup, most, into)?;
        }
        GpuSection::Proofs => {
            operators::proofs::<Bn254>(setup, most, into)?;
            operators::proofs::<Bls12_381>(setup, most, into)?;
        }
    }
    Ok(())
}

/// The report to continue: that of the file, if it is of this device and this version.
fn begun(a: &GpuReport, setup: &Setup) -> Result<Report, Failure> {
    let new = Report {
        version: VERSION.to_owned(),
        device: json!(setup.gpu.facts()),
        compiler: setup.nvrtc()?.0.version()?,
        done: Vec::new(),
        rates: None,
        lines: Vec::new(),
        faults: Vec::new(),
    };
    let kept = a.out.exists().then(|| read_text(&a.out)).transpose()?;
    let kept = kept.and_then(|text| serde_json::from_str::<Report>(&text).ok());
    Ok(kept.filter(|kept| kept.version == new.version && kept.device == new.device).unwrap_or(new))
}

pub(super) fn run(cli: &Cli, setup: &Setup, a: &GpuReport) -> Result<(), Failure> {
    let end = Instant::now() + Duration::from_secs(a.seconds);
    let mut report = begun(a, setup)?;
    let chosen = if a.only.is_empty() { GpuSection::value_variants().to_vec() } else { a.only.clone() };
    let progress = Progress::new(chosen.len() as u64, "measuring");
    for what in chosen {
        let name = what.name().to_owned();
        if report.done.contains(&name) {
            progress.add(1);
            continue;
        }
        // A section that was cut short is measured again from its beginning.
        report.lines.retain(|line| line.section != name);
        report.faults.retain(|fault| fault.section != name);
        let mut section =
            Section { name: name.clone(), report: &mut report, progress: &progress, end, cut: false };
        let ran = run_section(setup, what, a.most, &mut section);
        let complete = !section.cut && ran.is_ok();
        predict::fill(&mut report.lines, setup.gpu.facts(), report.rates.as_ref());
        if let Err(error) = ran {
            report.faults.push(Fault { section: name.clone(), what: name.clone(), error: error.to_string() });
        }
        if complete && !report.faults.iter().any(|fault| fault.section == name) {
            report.done.push(name);
        }
        write_text(&a.out, &serde_json::to_string_pretty(&report).map_err(Failure::bad)?)?;
        progress.add(1);
    }
    match &report.faults[..] {
        [] => output::print(cli, &report, table),
        // A result that is not the host's is our fault, or the machine's.
        faults => Err(Failure::Internal(told(&a.out, faults).into())),
    }
}

/// What failed, a line each.
fn told(file: &Path, faults: &[Fault]) -> String {
    let lines = faults.iter().map(|f| format!("\n{}, {}: {}", f.section, f.what, f.error));
    format!("{} measurements failed ({}):{}", faults.len(), file.display(), lines.collect::<String>())
}

fn table(report: &Report) -> String {
    let head = [
        "section",
        "what",
        "log2 n",
        "ms",
        "copies, ms",
        "bound, ms",
        "predicted, ms",
        "ms/predicted",
        "host, ms",
        "ns",
        "a",
    ];
    let mut rows = vec![head.map(str::to_owned).to_vec()];
    let number = |n: Option<f64>| n.map_or_else(String::new, |n| format!("{n:.3}"));
    rows.extend(report.lines.iter().map(|line| {
        vec![
            line.section.clone(),
            line.what.clone(),
            line.log_size.map_or_else(String::new, |n| n.to_string()),
            number(line.milliseconds),
            number(line.copies),
            number(line.bound),
            number(line.predicted),
            number(line.milliseconds.zip(line.predicted).map(|(found, predicted)| found / predicted)),
            number(line.host),
            format!("{:.4}", line.nanoseconds),
            line.unit.clone(),
        ]
    }));
    output::table(2, &rows)
}
