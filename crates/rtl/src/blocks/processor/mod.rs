//! The pairing processor: hand-written control, and a datapath of the other blocks.
//!
//! The model's state consists of that of the L1 program (address, loop counters, scan registers), of the routine
//! (address, repetitions, the issuing words with the rows read), of results in flight with their destinations, and of
//! the inverter and the switcher. Each of these is a module here; field positions, opcodes and the design's figures
//! come from [`package`].

mod bench;
pub mod package;
mod programs;
mod trace;

use super::{Modulus, fp2};
use crate::error::RtlError;
use crate::lockstep::{Bench, Fault};
use crate::{Block, Signal};
use pairwright_chip::MachineSpec;
use pairwright_curve::bls12_381::Fq;
use pairwright_moma::print::systemverilog::module;
use std::collections::BTreeMap;

/// The control modules, with the instruction memories.
const CONTROL: [&str; 6] = [
    include_str!("decode.sv"),
    include_str!("sequencer.sv"),
    include_str!("front.sv"),
    include_str!("inverter.sv"),
    include_str!("switcher.sv"),
    include_str!("control.sv"),
];
/// The data path: banks, operands and arithmetic; and the processor's top module.
const WHOLE: [&str; 2] = [include_str!("datapath.sv"), include_str!("processor.sv")];

/// Prints the control of a design.
///
/// # Errors
/// [`RtlError::Design`] for a design that the control does not support.
pub fn print_control(name: &str, spec: &MachineSpec) -> Result<Block, RtlError> {
    let text = [package::package::<Fq>(spec)?].into_iter().chain(CONTROL.map(str::to_owned));
    let title = format!("Control of the pairing processor, design `{}`.", spec.name);
    Ok(block(name, title, "pairing_control", spec, text.collect::<Vec<_>>().join("\n")))
}

/// Prints the processor of a design.
///
/// # Errors
/// [`RtlError::Design`] for a design that the modules do not support; errors of the datapath's kernels.
pub fn print(name: &str, spec: &MachineSpec) -> Result<Block, RtlError> {
    let m = Modulus::of::<Fq>()?;
    let add_sub = module(&m.fixed(m.steps.add_sub()), "pairing_add_sub")?;
    let multiplier = fp2::print::<Fq>("pairing_fp2")?;
    let mut text = vec![package::package::<Fq>(spec)?];
    text.extend(CONTROL.map(str::to_owned));
    text.extend([add_sub, multiplier.text]);
    text.extend(WHOLE.map(str::to_owned));
    let title =
        format!("The pairing processor, design `{}`, over a prime of {} bits.", spec.name, m.steps.bits());
    Ok(block(name, title, "pairing_processor", spec, text.join("\n")))
}

/// Makes a block from a text whose last module is the top module.
fn block(name: &str, title: String, top: &str, spec: &MachineSpec, text: String) -> Block {
    let ports = ports(&text, top);
    let registers = registers(top == "pairing_processor", spec);
    Block {
        name: name.to_owned(),
        title,
        inputs: ports["input"].clone(),
        outputs: ports["output"].clone(),
        registers,
        latency: spec.control.dispatch + spec.control.fill,
        interval: 1,
        text: if name == top {
            text
        } else {
            text.replace(&format!("module {top} ("), &format!("module {name} ("))
        },
        parts: Vec::new(),
        kernels: Vec::new(),
    }
}

/// The ports of a module by direction, without the clock, as parsed from its text.
fn ports(text: &str, module: &str) -> BTreeMap<&'static str, Vec<Signal>> {
    let bits = |range: &str| match range {
        "[pairing_pkg::BITS-1:0]" => 381,
        "[pairing_pkg::ROW-1:0]" => 2 * 381,
        _ => range
            .trim_matches(['[', ']'])
            .split(':')
            .next()
            .and_then(|high| high.parse().ok())
            .map_or(0, |high: u32| high + 1),
    };
    let mut all = BTreeMap::from([("input", Vec::new()), ("output", Vec::new())]);
    let head = text.split_once(&format!("module {module} (\n")).map_or("", |(_, rest)| rest);
    for line in head.lines().take_while(|line| *line != ");") {
        let words: Vec<&str> = line.trim().trim_end_matches(',').split_whitespace().collect();
        if let [direction, _, range, name] = words[..]
            && let Some(signals) = all.get_mut(direction)
        {
            signals.push(Signal::new(name, bits(range)));
        }
    }
    all
}

/// The registers that the model also has.
fn registers(whole: bool, spec: &MachineSpec) -> Vec<Signal> {
    let prefix = if whole { "control." } else { "" };
    let mut all = vec![Signal::new(format!("{prefix}sequencer.pc"), 11)];
    for k in 0..3 {
        all.push(Signal::new(format!("{prefix}sequencer.count_{k}"), 16));
        all.push(Signal::new(format!("{prefix}sequencer.left_{k}"), 9));
        all.push(Signal::new(format!("{prefix}sequencer.scan_{k}"), 381));
    }
    all.push(Signal::new(format!("{prefix}front.pc"), 11));
    all.push(Signal::new(format!("{prefix}front.mm_valid"), spec.mm.product_latency()));
    if whole {
        all.extend((0..2 * spec.issue.width).map(|k| Signal::new(format!("source[{k}].value"), 2 * 381)));
        all.extend(["c0", "c1"].map(|c| Signal::new(format!("fp2.result_{c}"), 381)));
        all.push(Signal::new("single.stage", 2 * 381));
        if spec.inversion.chain == pairwright_chip::Exponentiation::Always {
            all.push(Signal::new("power", 381));
        }
    }
    all
}

/// The model with its programs, for the control alone or for the whole processor.
pub fn bench(block: &Block, spec: &MachineSpec, seeds: u64, with_pairing: bool) -> Box<dyn Bench> {
    Box::new(bench::Processor::new(block, spec, seeds, with_pairing))
}

/// Faults of the control: a description, the original text, and the replacement.
const FAULTS: [(&str, &str, &str); 20] = [
    ("a result goes to another bank", "arith_writes[6:5] == b[1:0],", "arith_writes[6:5] == ~b[1:0],"),
    ("an operand is read from another bank", "d_banks[1:0] == b[1:0]\n", "d_banks[3:2] == b[1:0]\n"),
    ("a row takes the port of another", "first_1 & port_own_1,", "first_1,"),
    ("two results for a bank are not noticed", "(collide != 3'd0)", "(1'b0)"),
    ("an empty forwarding path is not noticed", "now_forwarded[j] & !full", "1'b0"),
    ("path 1 is path 2", "two ? shown : held;", "shown;"),
    ("an inversion beside products is not noticed", "inv_issues & working ?", "1'b0 ?"),
    ("the next slot is one too far", "pc + step;", "pc + step + 11'd1;"),
    (
        "the next instruction is one too far",
        "{1'd0, address} : current + 11'd1;",
        "{1'd0, address} : current + 11'd2;",
    ),
    (
        "a product is there a cycle early",
        "arith_valid[ARITH-1], mm_valid[MM-1]}",
        "arith_valid[ARITH-1], mm_valid[MM-2]}",
    ),
    (
        "a routine ends before its last result",
        "assign flight = mm_issues | arith_issues",
        "assign flight = mm_issues",
    ),
    ("a loop runs once too often", "counted < count;", "counted <= count;"),
    ("a branch is taken the other way round", "i_scan & !bit_now", "i_scan & bit_now"),
    (
        "an instruction is not fetched beside a routine",
        "dispatched | busy_ends & pairing_pkg::PREFETCH",
        "dispatched",
    ),
    (
        "the inverter's products are a cycle too close",
        "phase == pairing_pkg::INTERVAL - 8'd1",
        "phase == pairing_pkg::INTERVAL - 8'd2",
    ),
    ("the switcher mistakes a bank for the last", "local_bank == 2'd2", "local_bank == 2'd1"),
    ("results do not stall", "else if (en & moves) mm_valid", "else if (moves) mm_valid"),
    ("the state is not reset", "if (rst) state <= IDLE;", "if (1'b0) state <= IDLE;"),
    ("padding of L1 words is not looked at", "& ((word & padding) == 32'd0)", ""),
    (
        "a row of a forwarded operand is not looked at",
        "(!uses[0] | forwarded[0]) & (row0",
        "!uses[0] & (row0",
    ),
];

/// Faults of the data path, which only values can reveal.
const VALUE_FAULTS: [(&str, &str, &str); 6] = [
    ("an operand comes from the other path", "path2 ? shown : held", "path2 ? held : shown"),
    ("a difference is a sum", ".s(difference | constant | negative)", ".s(constant | negative)"),
    ("a row is read through the other port", "read_ports[j] ? pair[ROW", "!read_ports[j] ? pair[ROW"),
    ("a row from memory disturbs the switcher", "dma_write & dma_ready", "dma_write"),
    ("control does not see a row that is written", "fresh ? global_in", "1'b0 ? global_in"),
    ("the inverter loses its power", "if (inv_keeps_power) power <= product;", ""),
];

/// The faults of the processor, or of its control alone.
fn faults(block: &Block, whole: bool) -> Vec<Fault> {
    let all = if whole { &VALUE_FAULTS[..] } else { &FAULTS };
    all.iter().map(|fault| Fault::replaced(block, fault)).collect()
}

/// A summary of what programs executed, in a few lines.
fn coverage<'a>(traces: impl Iterator<Item = &'a trace::Trace>) -> Vec<String> {
    let mut all: BTreeMap<&str, u64> = BTreeMap::new();
    for (what, times) in traces.flat_map(|trace| &trace.covered) {
        *all.entry(what).or_default() += times;
    }
    vec![all.iter().map(|(what, times)| format!("{what} {times}")).collect::<Vec<_>>().join(", ")]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_changes_the_text() {
        for (name, whole) in [("pairing_control", false), ("pairing_processor", true)] {
            let block = crate::blocks::find(name).unwrap().block().unwrap();
            for fault in faults(&block, whole) {
                assert!(fault.block.text != block.text, "{}", fault.what);
            }
        }
    }

    #[test]
    fn a_design_that_the_modules_do_not_fit_is_refused() {
        let slow = MachineSpec::paper().with("banks.writes", "2").unwrap();
        let error = print_control("pairing_control", &slow).unwrap_err().to_string();
        assert!(error.contains("two reads and a write"), "{error}");
    }
}
