//! The figures of [MoMA], "Code Generation for Cryptographic Kernels using Multi-word Modular Arithmetic on GPU".

mod fig2;
mod fig3;
mod fig4;
mod fig5;
mod ntts;
mod slots;
mod table2;
mod vectors;

use crate::LabError;
use crate::experiment::{Context, Picture::*, experiments};
use crate::gmp::{Layer, Mpn, Mpz};
use crate::measure::{Entry, Timing, Work};
use crate::row::{Kind, Labels, Row};
use crate::targets::{Recipe, series};
use pairwright_testkit::gmp::Gmp;

/// Requirements of the figures that the paper measured on a GPU.
pub(crate) const GPU: &str = "a GPU for the paper's setting; without one, the host's targets";

/// The device name of rows that were measured on the processor.
pub(crate) const HOST: &str = "host";

const MODEL: &str = "nothing: a count, the same on every machine";

experiments! {
    "moma/table2", "[MoMA] table 2", "nothing", Measured, Times, table2::run,
        "the machines of the evaluation";
    "moma/fig2", "[MoMA] figure 2", GPU, Measured, Times, fig2::run,
        "vector add, sub, mul and axpy at 128 to 1024 bits, at least 13 times faster than GMP and GRNS";
    "moma/fig3a", "[MoMA] figure 3a", GPU, Measured, Times, fig3::a,
        "128-bit NTTs beat two ASICs on the H100 and the RTX 4090";
    "moma/fig3b", "[MoMA] figure 3b", GPU, Measured, Times, fig3::b,
        "256-bit NTTs, 13 times faster than ICICLE";
    "moma/fig3c", "[MoMA] figure 3c", GPU, Measured, Times, fig3::c,
        "384-bit NTTs, 4.8 times faster than ICICLE";
    "moma/fig3d", "[MoMA] figure 3d", GPU, Measured, Times, fig3::d,
        "768-bit NTTs, twice as fast as PipeZK";
    "moma/fig4", "[MoMA] figure 4", GPU, Measured, Times, fig4::run,
        "NTTs of 2^16 points across widths, against GMP";
    "moma/fig5a", "[MoMA] figure 5a", GPU, Measured, Times, fig5::a,
        "NTTs of 4096 points from 64 to 1024 bits: doubling the width costs 2.7 to 5.6 times";
    "moma/fig5b", "[MoMA] figure 5b", GPU, Measured, Times, fig5::b,
        "Karatsuba wins at 128 and 256 bits, schoolbook at 768";
    "moma/slots", "[MoMA] section 5.4", MODEL, Modelled, Bars, slots::run,
        "what doubling the width costs, and what Karatsuba gains, by the slots of the generated instructions alone";
    "moma/sensitivity", "beyond [MoMA]", MODEL, Modelled, Bars, slots::sensitivity,
        "how far one inferred cost or choice moves what slots say of section 5.4";
}

/// The labels of a measurement in a figure.
struct Point {
    operation: &'static str,
    bits: u32,
    log2_n: u32,
}

/// The rows that an earlier run measured, if they are to be kept: those of the host, and those of the device if there
/// is neither a device nor a report on one now, since an available device is measured again.
fn kept(context: &Context<'_>, id: &str) -> Result<Option<Vec<Row>>, LabError> {
    let rows = context.kept_rows(id)?;
    let keeps = |row: &Row| row.device == HOST || (context.cuda.is_err() && context.report.is_none());
    Ok(rows.map(|rows| rows.into_iter().filter(keeps).collect()))
}

/// The row of a measurement in which `units` units were computed.
fn measured(point: &Point, unit: &str, entry: &Entry<'_>, timing: &Timing, units: f64, note: String) -> Row {
    let (quantity, ns) = (format!("time per {unit}"), format!("ns per {unit}"));
    let labels = Labels { quantity: &quantity, operation: point.operation, unit: &ns };
    let time = 1e9 * timing.min / units;
    Row {
        bits: Some(point.bits),
        log2_n: Some(point.log2_n),
        median: Some(1e9 * timing.median / units),
        ..labels.row(Kind::Measured, entry.work.device(), &entry.series, time, &note)
    }
}

/// The entries of a measurement, in the same order at every size: GMP by both interfaces, as `by_gmp` makes them, and
/// the entries that `by` makes for every target with every recipe, if the target has such a kernel.
fn entries<'a>(
    context: &Context<'a>,
    recipes: &[Recipe],
    by_gmp: impl FnOnce(&'static Gmp) -> [Box<dyn Work + 'a>; 2],
    by: impl Fn(&'static str, Recipe) -> Result<Option<Box<dyn Work + 'a>>, LabError>,
) -> Result<Vec<Entry<'a>>, LabError> {
    let mut entries = Vec::new();
    if let Ok(gmp) = context.gmp {
        let named = [Mpz::NAME, Mpn::NAME].into_iter().zip(by_gmp(gmp));
        entries.extend(named.map(|(series, work)| Entry { series: series.to_owned(), work }));
    }
    for target in context.kernels.targets() {
        for recipe in recipes.iter().copied() {
            entries.extend(by(target, recipe)?.map(|work| Entry { series: series(target, recipe), work }));
        }
    }
    Ok(entries)
}

/// Our time in a row of a figure.
fn time(rows: &[Row], operation: &str, series: &str, bits: u32) -> Option<f64> {
    let fits = |row: &&Row| row.operation == operation && row.series == series && row.bits == Some(bits);
    rows.iter().find(fits).and_then(|row| row.ours)
}

/// The distinct series of our rows, without those of baselines.
fn our_series(rows: &[Row]) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for row in rows {
        let ours = ![Mpz::NAME, Mpn::NAME].contains(&row.series.as_str());
        if ours && !found.contains(&row.series.as_str()) {
            found.push(&row.series);
        }
    }
    found
}

/// The distinct targets of these series.
fn our_targets(rows: &[Row]) -> Vec<&str> {
    let mut targets: Vec<&str> =
        our_series(rows).into_iter().filter_map(|series| series.split(' ').next()).collect();
    targets.dedup();
    targets
}
