//! The change of [CP]'s headlines when an inferred parameter takes another plausible value: the published design with
//! one parameter changed at a time.

use super::{chip, table2};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{Options, Scheduler};
use pairwright_chip::isa::Group;
use pairwright_chip::task::Schedule::{Hidden, Unhidden};
use pairwright_chip::task::ntt::Method::Merged;
use pairwright_chip_programs::pairing;

/// A parameter, another plausible value, and why it is plausible.
type Other = (&'static str, &'static str, &'static str);

const PAIRING: &[Other] = &[
    ("mm.latency", "16", "two stages fewer at the printed clock"),
    ("mm.latency", "20", "two stages more"),
    ("arith.latency", "2", "a register behind the adders"),
    ("inversion.chain", "binary", "a product for the ones of the exponent alone"),
    ("inversion.chain", "window", "four bits a product"),
    ("inversion.interval", "18", "the product is fetched as it is written"),
    ("inversion.interval", "22", "two cycles more between two products"),
    ("switcher.rows_per_cycle", "2", "both ports of the global bank"),
    ("control.dispatch", "0", "the next call is decoded beside the last one"),
    ("control.dispatch", "2", "a cycle more for a call"),
    ("control.fill", "2", "a cycle more to fetch the first word"),
    ("control.prefetch", "false", "rows move while the datapaths wait"),
];

const NTT: &[Other] = &[
    ("poly.mm", "10", "as many stages as 256 of 384 bits need"),
    ("poly.mm", "24", "half as many stages again"),
    ("poly.read", "1", "a register less behind the banks"),
    ("poly.connector", "1", "a register less on either side of the connector"),
    ("poly.adder", "2", "a register more behind the adders"),
    ("poly.row_tables", "load", "tables of the rows from memory: the eight elements of section V.A"),
    ("dma.setup", "16", "a transfer is set up by the CPU, as section III.A says"),
    ("dma.outstanding", "2", "a transfer begins before the last one is over"),
    ("dram.latency", "40", "50 ns"),
    ("dram.latency", "80", "100 ns"),
    ("dram.bytes_per_cycle", "40", "32 GB/s"),
    ("dram.bytes_per_cycle", "64", "51.2 GB/s"),
];

const MSM: &[Other] = &[
    ("msm.window_g1", "9", "half of the buckets"),
    ("msm.windows_per_fetch", "2", "two windows in the memory of one, of 9 bits in G1 and of 8 in G2"),
    ("msm.pipelined_latency", "12", "four stages fewer at the printed clock"),
    ("msm.pipelined_latency", "20", "four stages more"),
    ("msm.adder_latency", "2", "a register more behind the adders"),
    ("msm.fifo", "2", "half of the queue before the adder"),
    ("msm.fifo", "16", "four times the queue"),
    ("msm.results", "8", "four times the queue of results"),
    ("msm.write_behind", "4", "a buffer before the buckets' write port"),
    ("dma.setup", "16", "a transfer is set up by the CPU, as section III.A says"),
    ("dram.latency", "80", "100 ns"),
    ("dram.bytes_per_cycle", "40", "32 GB/s"),
    ("dram.bytes_per_cycle", "64", "51.2 GB/s"),
];

/// Changes made together with a value so that the design can be built: two windows per fetch must be slightly narrower.
const BEFORE: &[(&str, &str, &[(&str, &str)])] =
    &[("msm.windows_per_fetch", "2", &[("msm.window_g1", "9"), ("msm.window_g2", "8")])];

/// Counts the cycles of a headline on a design.
type Cycles<'a> = dyn Fn(&MachineSpec) -> Result<u64, LabError> + 'a;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let size = chip::LARGEST;
    let of_pairing = |spec: &MachineSpec| -> Result<u64, LabError> {
        // Few seeds, the same in every run, since designs are compared and not schedulers.
        let options = Options { scheduler: Scheduler::List, seeds: 20, seed: context.seed };
        let program = context.pool().install(|| pairing::published(spec, &options))?;
        Ok(table2::pairing_of_generators(program)?.cycles)
    };
    let of_ntt = |spec: &MachineSpec| Ok(chip::coset_ntt(spec, size, Unhidden, Merged)?.cycles);
    let of_msm = |spec: &MachineSpec| Ok(chip::msm(spec, Group::G1, size, Hidden, context.seed)?.cycles);
    let headlines: [(&str, &[Other], &Cycles<'_>); 3] =
        [("pairing", PAIRING, &of_pairing), ("coset NTT", NTT, &of_ntt), ("G1 MSM", MSM, &of_msm)];
    // The other headlines take minutes, and change differently at small sizes.
    let headlines = if context.quick { &headlines[..1] } else { &headlines[..] };
    context.begin("cp/sensitivity", headlines.iter().map(|(_, others, _)| others.len() + 1).sum());
    for &(headline, others, cycles) in headlines {
        // The pairing has no size parameter.
        let log2_n = (headline != "pairing").then_some(size);
        context.step(headline);
        let base = cycles(&MachineSpec::paper())?;
        let what = format!("cycles, {headline}");
        let labels = Labels { quantity: &what, operation: "published design", unit: "cycles" };
        outcome.model(&labels, "model", base as f64, "every inferred parameter as it is").log2_n = log2_n;
        let mut found = Vec::new();
        for (path, value, why) in others {
            let name = format!("{path} = {value}");
            context.step(&format!("{headline}, {name}"));
            let before =
                BEFORE.iter().find(|(of, at, _)| (of, at) == (path, value)).map(|(.., first)| *first);
            let before = before.unwrap_or_default().iter().copied();
            let changes: Vec<(&str, &str)> = before.chain([(*path, *value)]).collect();
            let now = cycles(&chip::design(&changes)?)?;
            found.push((name, now, *why));
        }
        // The largest change first.
        found.sort_by_key(|(_, now, _)| core::cmp::Reverse(now.abs_diff(base)));
        let what = format!("change of the cycles, {headline}");
        for (name, now, why) in found {
            let labels = Labels { quantity: &what, operation: &name, unit: "%" };
            let change = 100.0 * (now as f64 / base as f64 - 1.0);
            outcome.model(&labels, "model", change, &format!("{now} cycles: {why}")).log2_n = log2_n;
        }
    }
    Ok(outcome)
}
