//! Section IV.C.3: carry propagation in the engines compared with that in the programmable logic.

use super::designs::{METHODS, runs};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_aie::Method;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::system::System;

/// Interface tiles of the array, and their streams of 64 bits from and to the programmable logic (AM009), whose highest
/// clock is 500 MHz.
const INTERFACES: f64 = 39.0;
const STREAMS_IN: f64 = 8.0;
const FASTEST_HZ: f64 = 5e8;
const STREAMS_OUT: f64 = 6.0;
const STREAM_BITS: f64 = 64.0;
/// Columns of a product of two numbers before carry propagation, section IV.C.3: four vectors of eight columns, sent as
/// 64 bits each.
const COLUMNS: f64 = 32.0;
const COLUMN_BITS: f64 = 64.0;
/// Cycles of the product's multiply-accumulates: six blocks of eight.
const PRODUCT_MACS: f64 = 48.0;
/// Digit products in a product of two numbers of sixteen digits, and the lanes of a multiply-accumulate.
const DIGIT_PRODUCTS: f64 = 256.0;
const LANES: f64 = 8.0;
/// Multipliers of 32 bits in a unit of BSTMSM, from table III; the unit begins an addition in every cycle.
const BSTMSM_PRODUCTS: f64 = 1385.8;
/// Bits that a column may need: 16 products of 26 by 26 bits.
const NEEDED_BITS: f64 = 56.0;

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/carry", 1);
    context.step("single, every method");
    let methods = if context.quick { METHODS.to_vec() } else { Method::valid().collect() };
    let points: Vec<_> = methods.iter().map(|&method| (Mapping::Single, method)).collect();
    let found = runs(context, &points)?;

    let system = System::default();
    let tiles = (system.fabric.columns * system.fabric.rows) as f64;
    let plio = INTERFACES * STREAMS_OUT * STREAM_BITS * system.pl_hz as f64;
    let can = plio / tiles / system.aie_hz as f64;
    let would = COLUMNS * COLUMN_BITS / PRODUCT_MACS;
    let by_logic = 100.0 * can / would;
    let mut say = |key, operation: &str, series: &str, value, note: &str| {
        outcome.answer(key, operation, series, value, note);
    };
    let at_most = |streams: f64| INTERFACES * streams * STREAM_BITS * FASTEST_HZ / 8e12;
    let interface = "39 interface tiles, streams of 64 bits at 500 MHz";
    say("PLIO bandwidth at 500 MHz", "from the PL", "AM009", at_most(STREAMS_IN), interface);
    say("PLIO bandwidth at 500 MHz", "to the PL", "AM009", at_most(STREAMS_OUT), interface);
    let lanes = PRODUCT_MACS * LANES;
    let zeros = 100.0 * (1.0 - DIGIT_PRODUCTS / lanes);
    let note = "256 products of digits in 384 lanes: a third of them multiply a zero";
    say("multiplications by constant zeros", "a product", "as printed", zeros, note);
    for e in found.iter().filter(|e| e.method == Method::PAPER) {
        let note = "lanes of all multiply-accumulates over the multipliers of table III";
        let products = e.macs as f64 * LANES / BSTMSM_PRODUCTS;
        say("multiplications over those of BSTMSM", "an addition", "as printed", products, note);
    }
    let (logic, engines) = ("carries in the PL", "carries in the AIE");
    let interface = "39 interface tiles of six streams of 64 bits to the logic";
    say("PLIO bandwidth out of the array", logic, "AM009", plio / 1e12, interface);
    say("bits a cycle that a tile can send", logic, "AM009", can, "");
    let note = "32 columns of 64 bits in the 48 cycles of six blocks; a column has 56 bits at most";
    say("bits a cycle that a tile would send", logic, "as printed", would, note);
    say(
        "MAC utilisation",
        logic,
        "as printed",
        by_logic,
        "results alone; operands would have to come in, too",
    );
    let spare = 100.0 * can / (COLUMNS * NEEDED_BITS / PRODUCT_MACS);
    say("MAC utilisation", logic, "columns of 56 bits", spare, "what a column can have at most, packed");
    for e in &found {
        let series = e.method.name();
        let (share, gain) = (100.0 * e.mac_utilisation, 100.0 * e.mac_utilisation / by_logic);
        let note = format!("{} multiply-accumulates, {} instructions", e.macs, e.instructions);
        if METHODS.contains(&e.method) {
            say("multiply-accumulates of a task", "single", &series, e.macs as f64, "");
            say(
                "cycles of a task",
                "single",
                &series,
                e.instructions as f64,
                "start and end of loops included",
            );
            say("MAC utilisation", engines, &series, share, &note);
            let key = "gain of carries in the AIE over carries in the PL";
            say(key, "single", &series, gain, "over 21.9 %, the bound by bandwidth");
        }
    }
    for e in &found {
        let series = e.method.reduction.name();
        let operation = format!("{} {}", e.method.carry.name(), e.method.product.name());
        let note = format!("{} multiply-accumulates, {} instructions", e.macs, e.instructions);
        let mut keep = |what, unit, value| {
            let place = Labels { quantity: what, operation: &operation, unit };
            outcome.model(&place, series, value, &note);
        };
        keep("MAC utilisation of single by carries", "%", 100.0 * e.mac_utilisation);
        keep("cycles of a task of single by carries", "cycles", e.instructions as f64);
    }
    Ok(outcome)
}
