//! Runs `pairwright gpu report`, which compares a CUDA device's results with this computer's and measures it, section by section,
//! into one file. An existing file for the same device, version and sizes is continued.

use super::lines::{Extent, HEAD, Section, cells, product};
use super::tuning::{self, Searched};
use super::{ahead, conformance, figures, markdown, operators, predict};
use crate::args::{Cli, GpuReport, GpuSection, VERSION, now};
use crate::failure::{ArgumentError, Failure};
use crate::files::{read_text, write_text};
use crate::output;
use crate::progress::Progress;
use clap::ValueEnum;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::curve::bn254::Bn254;
use pairwright::gpu::bench::Measured;
use pairwright::gpu::report::{Fault, Measurements};
use pairwright::gpu::table::{FieldRow, Table};
use pairwright::gpu::{Setup, mixed, rates, tune};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::primes::ntt_prime;
use serde_json::json;
use std::collections::BTreeSet;
use std::path::Path;
use std::time::{Duration, Instant};

/// Widths in bits of the moduli whose products are measured in registers.
const WIDTHS: [u32; 6] = [128, 255, 256, 381, 384, 768];

/// Widths in bits of the moduli whose products are measured with both kinds of words at once.
const MIXED: [u32; 2] = [255, 381];

/// Number of rounds of four products in registers: fewer in a report limited to small sizes.
fn rounds(most: u32) -> u32 {
    1 << most.min(8)
}

/// Measures products in registers with each kind of word, and with both kinds at once.
fn products(setup: &Setup, extent: Extent<'_>, into: &mut Section<'_>) {
    let most = extent.most;
    for bits in extent.of(&WIDTHS) {
        into.lines(&format!("products of {bits} bits"), || {
            let rows = tune::search_field(setup, &ntt_prime(bits, 4)?, Reduction::Montgomery, rounds(most))?;
            let name = |row: &FieldRow| {
                format!("{bits} bits, {}, Karatsuba {}", row.tuning.target.machine(), row.tuning.karatsuba)
            };
            Ok(rows.iter().map(|row| product(name(row), row.nanoseconds)).collect())
        });
    }
    for bits in extent.of(&MIXED) {
        into.lines(&format!("mixed products of {bits} bits"), || {
            let rows = mixed::measure(setup, &ntt_prime(bits, 4)?, rounds(most))?;
            let name = |row: &Measured| format!("{bits} bits, {}", row.kernel);
            Ok(rows.iter().map(|row| product(name(row), row.nanoseconds)).collect())
        });
    }
}

/// Searches for the fastest shapes for half of the time that is left. The other sections do not use these shapes.
fn tuning(setup: &Setup, most: u32, into: &mut Section<'_>) -> Result<(), Failure> {
    let now = Instant::now();
    into.cut |= now >= into.end;
    if into.cut {
        return Ok(());
    }
    let mut log_sizes: Vec<u32> = ahead::TUNED.into_iter().filter(|log_n| *log_n <= most).collect();
    if log_sizes.is_empty() {
        log_sizes.push(most.max(1));
    }
    let searched = Searched {
        bits: &[ahead::TUNED_BITS],
        log_sizes: &log_sizes,
        reduction: Reduction::Montgomery,
        alone: true,
        most,
        end: now + into.end.saturating_duration_since(now) / 2,
    };
    let (table, whole) = tuning::search(setup.clone(), &searched, |what, _| {
        into.progress.set_message(what);
        Ok(())
    })?;
    into.report.tuning = Some(table);
    into.cut |= !whole;
    Ok(())
}

fn run_section(
    setup: &Setup,
    what: GpuSection,
    extent: Extent<'_>,
    into: &mut Section<'_>,
) -> Result<(), Failure> {
    let most = extent.most;
    match what {
        GpuSection::Conformance => {
            conformance::run::<Bn254>(setup, most, into)?;
            conformance::run::<Bls12_381>(setup, most, into)?;
        }
        GpuSection::Rates => {
            let loops = rates::ROUNDS >> 12u32.saturating_sub(most);
            into.report.rates = Some(json!(rates::measure_rounds(setup, loops.max(1))?));
        }
        GpuSection::Products => products(setup, extent, into),
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
        GpuSection::Tuning => tuning(setup, most, into)?,
        GpuSection::Figures => figures::run(setup, extent, into),
    }
    Ok(())
}

/// The report to continue: that of the file, if it is for this device, this version and these sizes and widths; otherwise a new one.
fn begun(cli: &Cli, a: &GpuReport, setup: &Setup) -> Result<Measurements, Failure> {
    let new = Measurements {
        version: VERSION.to_owned(),
        device: setup.gpu.facts().clone(),
        compiler: setup.nvrtc()?.0.version()?,
        most: a.most,
        bits: a.bits.clone(),
        ..Measurements::default()
    };
    if !a.out.exists() {
        return Ok(new);
    }
    let kept = serde_json::from_str::<Measurements>(&read_text(&a.out)?).ok();
    let same = |kept: &Measurements| {
        (&kept.version, &kept.device, kept.most, &kept.bits)
            == (&new.version, &new.device, new.most, &new.bits)
    };
    Ok(kept.filter(same).unwrap_or_else(|| {
        cli.warnings.add(format!(
            "{}: it is of another device, version or size, or no report, and begins anew",
            a.out.display()
        ));
        new
    }))
}

pub(super) fn run(cli: &Cli, setup: &Setup, a: &GpuReport) -> Result<(), Failure> {
    let end = Instant::now() + Duration::from_secs(a.seconds);
    let mut report = begun(cli, a, setup)?;
    let known: BTreeSet<u32> = WIDTHS.iter().chain(&MIXED).copied().chain(figures::widths()).collect();
    if let Some(unknown) = a.bits.iter().find(|bits| !known.contains(bits)) {
        let known = known.iter().map(u32::to_string).collect::<Vec<_>>().join(", ");
        return Err(ArgumentError::NoWidth { bits: *unknown, known }.into());
    }
    let chosen = if a.only.is_empty() { GpuSection::value_variants().to_vec() } else { a.only.clone() };
    let progress = Progress::new(chosen.len() as u64, "measuring");
    let extent = Extent { most: a.most, bits: &a.bits };
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
        let ran = run_section(setup, what, extent, &mut section);
        section.report.days.insert(name.clone(), today());
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
    if let Some(file) = &a.markdown {
        write_text(file, &markdown::of(&report))?;
    }
    if let (Some(file), Some(found)) = (&a.tuning, &report.tuning) {
        let known = if file.exists() { Table::read(file)? } else { Table::default() };
        write_text(file, &known.with_rows_of(found).to_text())?;
    }
    match &report.faults[..] {
        [] => output::print(cli, &report, table),
        // A result that differs from the host's is a fault of this program or of the machine.
        faults => Err(Failure::Internal(faults_text(&a.out, faults).into())),
    }
}

/// Today's date in UTC, as 2026-01-31.
fn today() -> String {
    let mut day = humantime::format_rfc3339_seconds(now()).to_string();
    day.truncate("2026-01-31".len());
    day
}

/// The faults as text, one line each.
fn faults_text(file: &Path, faults: &[Fault]) -> String {
    let lines = faults.iter().map(|f| format!("\n{}, {}: {}", f.section, f.what, f.error));
    format!("{} measurements failed ({}):{}", faults.len(), file.display(), lines.collect::<String>())
}

fn table(report: &Measurements) -> String {
    let head: Vec<&str> = core::iter::once("section").chain(HEAD).collect();
    let rows =
        report.lines.iter().map(|line| core::iter::once(line.section.clone()).chain(cells(line)).collect());
    output::table(2, &head, rows)
}
