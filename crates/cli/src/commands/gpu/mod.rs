//! Runs `pairwright gpu`, which measures and tunes kernels of a CUDA device.

mod ahead;
mod conformance;
mod figures;
mod halvings;
mod lines;
mod markdown;
mod operators;
mod predict;
mod report;
mod spent;
mod sumchecks;
mod tuning;

use crate::args::{Cli, Gpu, GpuField, GpuTune, ReductionName};
use crate::failure::Failure;
use crate::files::write_text;
use crate::output;
use crate::progress::Progress;
use pairwright::gpu::bench::{Measured, Subject};
use pairwright::gpu::rates;
use pairwright::gpu::{Setup, chosen};
use pairwright::moma::ir::Reduction;
use pairwright::moma::program::blas::{BlasOp, BlasTuning};
use pairwright::moma::program::ntt::Tuning;
use pairwright::moma::program::primes::ntt_prime;
use std::time::{Duration, Instant};
use tuning::Searched;

pub(crate) fn run(cli: &Cli, what: &Gpu, number: Option<usize>) -> Result<(), Failure> {
    let setup = || number.map_or_else(chosen, Ok).and_then(Setup::open);
    match what {
        Gpu::Rates => rates(cli, &setup()?),
        Gpu::Bench(a) => bench(cli, &setup()?, a),
        Gpu::Tune(a) => tune(cli, setup()?, a),
        Gpu::Report(a) => report::run(cli, &setup()?, a),
        Gpu::Predict(a) => predict::run(cli, a),
        Gpu::Compile(a) => ahead::run(cli, a),
    }
}

fn rates(cli: &Cli, setup: &Setup) -> Result<(), Failure> {
    let measured = rates::measure(setup)?;
    output::print(cli, &measured, |m| {
        let mut rows = Vec::new();
        rows.extend(m.rates.iter().map(|r| {
            vec![
                r.what.to_owned(),
                r.warps_per_scheduler.to_string(),
                format!("{:.2}", r.operations_per_clock),
                format!("{:.0}", r.clock_mhz),
            ]
        }));
        rows.extend(
            m.latencies
                .iter()
                .map(|l| vec![format!("{}: latency, clocks", l.what), format!("{:.2}", l.clocks)]),
        );
        let copies = m.copies.iter().map(|c| {
            format!("copy of {}: {:.0} GB/s read and written", output::bytes(c.bytes), c.gigabytes_per_second)
        });
        let copies = copies.collect::<Vec<_>>().join("\n");
        format!(
            "{}\n{}\n{copies}",
            m.device.name,
            output::table(1, &["what", "warps a scheduler", "a clock", "MHz"], rows)
        )
    })
}

fn reduction(name: ReductionName) -> Reduction {
    match name {
        ReductionName::Barrett => Reduction::Barrett,
        ReductionName::Montgomery => Reduction::Montgomery,
    }
}

/// The kernels for a prime of this width with roots of unity for transforms of up to `2^most` elements. For Barrett reduction the
/// width is that of the words, and the prime is four bits shorter, as in the paper.
fn subject(setup: &Setup, reduction: Reduction, bits: u32, most: u32) -> Result<Subject, Failure> {
    let bits = if reduction == Reduction::Barrett { bits.saturating_sub(4) } else { bits };
    let modulus = ntt_prime(bits, most)?;
    Ok(Subject::new(setup.clone(), &modulus, reduction, setup.table.field(bits))?)
}

/// Number of transforms of a batch that fills a device: about 2^22 elements together.
fn batch(log_size: u32) -> u32 {
    1 << 22u32.saturating_sub(log_size)
}

/// The shape of a transform's kernels from the tuning table, or the default shape.
fn shape(setup: &Setup, subject: &Subject, log_n: u32, batched: bool) -> Tuning {
    let element = subject.element();
    let default = if batched { Tuning::for_element(element) } else { Tuning::for_latency(element, log_n) };
    let tuning = setup.table.ntt(subject.bits(), log_n, batched).map_or(default, |row| row.tuning);
    setup.gpu.facts().fit(tuning)
}

fn bench(cli: &Cli, setup: &Setup, a: &GpuField) -> Result<(), Failure> {
    let progress = Progress::new(a.bits.len() as u64, "measuring");
    let mut all: Vec<Measured> = Vec::new();
    let most = a.log_sizes.iter().copied().max().unwrap_or(0);
    for &bits in &a.bits {
        let subject = subject(setup, reduction(a.reduction), bits, most)?;
        all.push(subject.products(1, 64)?);
        for &log_n in &a.log_sizes {
            for op in BlasOp::ALL {
                all.push(
                    subject.vector(
                        op,
                        1 << log_n.min(30),
                        setup
                            .table
                            .vec(subject.bits())
                            .unwrap_or_else(|| BlasTuning::for_element(subject.element())),
                    )?,
                );
            }
            for batch in [1, batch(log_n)] {
                all.push(subject.transform(log_n, batch, &shape(setup, &subject, log_n, batch > 1))?);
            }
        }
        progress.add(1);
    }
    output::print(cli, &serde_json::json!({ "kernels": all }), |_| {
        let rows = all.iter().map(|m| {
            vec![
                m.kernel.clone(),
                m.bits.to_string(),
                format!("{:.4}", m.nanoseconds),
                format!("{:.0}", m.gigabytes_per_second),
                m.registers.map_or_else(String::new, |r| r.to_string()),
            ]
        });
        output::table(1, &["kernel", "bits", "ns", "GB/s", "registers"], rows)
    })
}

fn tune(cli: &Cli, setup: Setup, a: &GpuTune) -> Result<(), Failure> {
    let searched = Searched {
        bits: &a.field.bits,
        log_sizes: &a.field.log_sizes,
        reduction: reduction(a.field.reduction),
        alone: a.alone,
        most: 22,
        end: Instant::now() + Duration::from_secs(a.seconds),
    };
    let progress = Progress::new(searched.steps() as u64, "tuning");
    let (table, _) = tuning::search(setup, &searched, |what, table| {
        progress.set_message(what);
        progress.add(1);
        // The table is written after every step, so that an interrupted run keeps the shapes it has found.
        write_text(&a.out, &table.to_text())
    })?;
    output::print(cli, &table, |_| format!("{}: {} rows", a.out.display(), table.ntt.len()))
}
