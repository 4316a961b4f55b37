//! Figure 15: a large coset NTT with and without hiding of its transfers, with several parameters varied, and the
//! effect of a real DRAM.

use super::chip::{self, bound, sized};
use super::table3;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use crate::row::Row;
use pairwright_chip::isa::Transform;
use pairwright_chip::machine::poly::{Bank, PolyError, PolyOp, twiddle};
use pairwright_chip::power::utilisation;
use pairwright_chip::spec::{PolySpec, RowTables};
use pairwright_chip::task::Schedule::{self, Hidden, Unhidden};
use pairwright_chip::task::ntt::Method::{self, Merged, Separate};
use pairwright_curve::bls12_381::Fr;
use pairwright_field::{Field, PrimeField};

/// A variant of the coset NTT.
struct Variant {
    what: &'static str,
    series: &'static str,
    schedule: Schedule,
    method: Method,
    changes: &'static [(&'static str, &'static str)],
    note: &'static str,
}

const SCHEDULES: &str = "cycles of a coset NTT";
const TABLES: &str = "cycles by the origin of the rows' tables";
const BANDWIDTH: &str = "cycles by bandwidth";
const COSET: &str = "cycles by the way of the coset's factors";
const MEMORY: &str = "cycles by memory";

const fn variant(
    what: &'static str,
    series: &'static str,
    schedule: Schedule,
    changes: &'static [(&'static str, &'static str)],
    note: &'static str,
) -> Variant {
    Variant { what, series, schedule, method: Merged, changes, note }
}

const DDR: (&str, &str) = ("dram.preset", "ddr5_4800");
/// Room for three streams of columns, with 1,024 lines of two words each.
const TILE: (&str, &str) = ("dma.tile_words", "6144");
const SLOW: (&str, &str) = ("clock.hz", "300000000");
const LOW: (&str, &str) = ("clock.volts", "0.7");
const LOAD: (&str, &str) = ("poly.row_tables", "load");

const PUBLISHED: &str =
    "load, transform, store, one after the other: the published number is that of this schedule";
const FITTED: &str = "hiding reaches the published number only at 22.7 bytes a cycle, 18 GB/s at 800 MHz";

const VARIANTS: [Variant; 21] = [
    variant(SCHEDULES, "unhidden", Unhidden, &[], PUBLISHED),
    variant(
        SCHEDULES,
        "hidden, one group",
        Hidden,
        &[("poly.groups", "1")],
        "transforms wait for one another",
    ),
    variant(SCHEDULES, "hidden, both groups", Hidden, &[], "transfers wait for one another"),
    variant(TABLES, "unhidden, generated", Unhidden, &[], "on the elements that no butterfly uses"),
    variant(TABLES, "unhidden, loaded", Unhidden, &[LOAD], "N words more from memory"),
    variant(TABLES, "hidden, generated", Hidden, &[], "on the elements that no butterfly uses"),
    variant(TABLES, "hidden, loaded", Hidden, &[LOAD], "N words more from memory"),
    variant(
        BANDWIDTH,
        "unhidden, 32 B/cycle",
        Unhidden,
        &[("dram.bytes_per_cycle", "32")],
        "25.6 GB/s at 800 MHz",
    ),
    variant(
        BANDWIDTH,
        "unhidden, 24 B/cycle",
        Unhidden,
        &[("dram.bytes_per_cycle", "24")],
        "19.2 GB/s at 800 MHz",
    ),
    variant(
        BANDWIDTH,
        "hidden, 32 B/cycle",
        Hidden,
        &[("dram.bytes_per_cycle", "32")],
        "25.6 GB/s at 800 MHz",
    ),
    variant(BANDWIDTH, "hidden, 24 B/cycle", Hidden, &[("dram.bytes_per_cycle", "24")], FITTED),
    variant(COSET, "unhidden, merged", Unhidden, &[LOAD], MERGED),
    variant(COSET, "hidden, merged", Hidden, &[LOAD], MERGED),
    Variant {
        what: COSET,
        series: "unhidden, product",
        schedule: Unhidden,
        method: Separate,
        changes: &[LOAD],
        note: OLD,
    },
    Variant {
        what: COSET,
        series: "hidden, product",
        schedule: Hidden,
        method: Separate,
        changes: &[LOAD],
        note: OLD,
    },
    variant(MEMORY, "unhidden, DDR5-4800", Unhidden, &[DDR], "38.4 GB/s at its pins, 800 MHz core"),
    variant(MEMORY, "hidden, DDR5-4800", Hidden, &[DDR], BY_DDR),
    variant(MEMORY, "unhidden, DDR5-4800, core at 300 MHz", Unhidden, &[SLOW, LOW, DDR], SLOWER),
    variant(MEMORY, "hidden, DDR5-4800, core at 300 MHz", Hidden, &[SLOW, LOW, DDR], SLOWER),
    variant(MEMORY, "unhidden, DDR5-4800, tile buffer", Unhidden, &[DDR, TILE], TILED),
    variant(MEMORY, "hidden, DDR5-4800, tile buffer", Hidden, &[DDR, TILE], TILED),
];

const MERGED: &str = "the coset's powers in the twiddles, whose tables are loaded";
const BY_DDR: &str = "38.4 GB/s at its pins, 800 MHz core: columns of 32 bytes waste half of each burst and miss the row; \
                      the other schedule that comes out at the published number";
const SLOWER: &str = "the memory is faster for a slower core: the cycles would not be those of 800 MHz, as the printed \
                      efficiencies have them";
const OLD: &str =
    "the old way: a product with the coset's powers in a pass of its own, N products and three transfers";
const TILED: &str = "6,144 words keep the halves of bursts that the next column wants; used where a column of single \
                     words is a transfer, from 2^19 points on";

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let sizes: Vec<u32> = chip::sizes(context, 12).collect();
    context.begin("cp/fig15", VARIANTS.len() * sizes.len());
    for variant in &VARIANTS {
        let spec = chip::design(variant.changes)?;
        for &log2_n in &sizes {
            // The figure's own series has all sizes; the other variants have two.
            if variant.what != SCHEDULES && ![12, chip::LARGEST].contains(&log2_n) {
                continue;
            }
            context.step(&format!("{}, 2^{log2_n}", variant.series));
            let account = chip::coset_ntt(&spec, log2_n, variant.schedule, variant.method)?;
            let operation = format!("2^{log2_n}");
            let place = Labels { quantity: variant.what, operation: &operation, unit: "cycles" };
            let note = format!("{}; {}", variant.note, bound(&account));
            let row = sized(place.modelled(variant.series, account.cycles as f64, &note), log2_n);
            outcome.keep(if log2_n == chip::LARGEST { beside_implied(row) } else { row });
            let mut also = |what, unit, value: f64, note: &str| {
                let place = Labels { quantity: what, operation: &operation, unit };
                outcome.model(&place, variant.series, value, note).log2_n = Some(log2_n);
            };
            if variant.what == SCHEDULES {
                let busy = 100.0 * utilisation(&account, &spec);
                also("utilisation of the butterflies", "%", busy, "both groups, over the whole transform");
            }
            let asked = account.dram_bytes() as f64;
            if variant.what == MEMORY {
                let ratio = account.dram.moved_bytes as f64 / asked;
                also(
                    "bytes over the pins for a byte asked for",
                    "bytes",
                    ratio,
                    "columns of 32 bytes in bursts of 64",
                );
                let counts = &account.dram.counts;
                let bursts = (counts.read_bursts + counts.write_bursts) as f64;
                let hits = 100.0 * counts.row_hits as f64 / bursts;
                also("row hits", "%", hits, "of all bursts");
            }
            if variant.what == COSET {
                let note = "N/2 log N if the coset's powers are in the twiddles, N more if they are multiplied before";
                also("products of a coset NTT", "products", account.poly.products as f64, note);
            }
            let asked_for = match variant.series {
                "unhidden" => "without hiding of memory accesses",
                "hidden, both groups" => "with hiding of memory accesses",
                _ => continue,
            };
            if log2_n == chip::LARGEST {
                let key = "cycles of a 2D coset NTT";
                let cycles = account.cycles as f64;
                outcome.answer(key, asked_for, "2^20 points", cycles, variant.note);
            }
        }
    }
    outcome.rows.extend(tables()?);
    Ok(outcome)
}

/// The cycles to obtain a row's table of 1,024 points, in the three ways that a design may use.
fn tables() -> Result<Vec<Row>, LabError> {
    const LOG_LEN: u32 = 10;
    let place = Labels { quantity: "cycles of a row's table", operation: "1,024 points", unit: "cycles" };
    let row = |series, cycles: f64, note| chip::sized(place.modelled(series, cycles, note), LOG_LEN);
    let memory = chip::design(&[])?.dram;
    let loaded = f64::from((32u32 << LOG_LEN).div_ceil(memory.bytes_per_cycle));
    let mut rows = vec![row("load", loaded, "by 48 bytes a cycle")];
    let root = Fr::root_of_unity(LOG_LEN).ok_or(PolyError::Length { log_len: LOG_LEN })?;
    let plain = twiddle::table(Transform::Ntt, LOG_LEN, root, Fr::ONE)?;
    for (row_tables, bank, series, note) in [
        (RowTables::Generate, Bank::Base, "generate", "from a plain table in a memory of its own"),
        (
            RowTables::Update,
            Bank::C,
            "update",
            "in place: a bank with one port reads in one cycle, writes in another",
        ),
    ] {
        let mut engine = PolyOp::<Fr>::new(&PolySpec { row_tables, ..PolySpec::paper() })?;
        for (word, twiddle) in (0..).zip(&plain) {
            engine.poke(bank, 0, twiddle::word(word), *twiddle)?;
        }
        let work = match row_tables {
            RowTables::Update => engine.update_twiddles(0, Transform::CosetNtt, LOG_LEN, Fr::NON_RESIDUE)?,
            _ => engine.generate_twiddles(0, Transform::CosetNtt, LOG_LEN, Fr::NON_RESIDUE)?,
        };
        rows.push(row(series, work.cycles as f64, note));
    }
    Ok(rows)
}

/// Adds the cycles that table III implies to a row, if there are any.
fn beside_implied(row: Row) -> Row {
    let Some(implied) = table3::implied_cycles(table3::NTT) else { return row };
    let ratio = row.ours.map(|ours| ours / implied);
    let note =
        format!("beside {implied:.0}, implied by 8.8 times PipeZK's area efficiency; ours: {}", row.note);
    Row { ratio, note, ..row }
}
