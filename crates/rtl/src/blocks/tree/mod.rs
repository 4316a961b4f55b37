//! The tree unit of \[MTU\] in hybrid traversal: a tree of elements for the lowest levels, the DFS accumulator for all
//! levels above, and the streams from and to memory.
//!
//! ```text
//!   memory ─► rows of leaves ─► stage 0 ─► ... ─► stage log2(p) - 1 ─► accumulator ─┐   inverted trees
//!     ▲  └──► challenges           │                      │             levels' RAM ─┤
//!     └────── blocks of results ◄──┴──────────────────────┴──────────────────────────┘
//!   a forward tree goes the other way: accumulator, stages, rows of leaves to memory
//! ```
//!
//! A row has one word for each element, and memory moves one row per request. The control contains no data words, and
//! the data path has no state other than words.

mod bench;
mod control;
mod element;
mod running;
mod theorems;

pub use bench::Unit;
pub use element::{SingleElement, print as print_element};
pub use theorems::{PROVED, theorems};

use super::{add_sub, ports};
use crate::error::RtlError;
use crate::{Block, Signal};
use control::joined;
use element::{Op, WORD};
use num_bigint::BigUint;
use pairwright_chip::machine::Datapath;
use pairwright_mtu::UnitConfig;
use pairwright_sim::settings::Design as _;
use std::fmt::Write as _;

/// log2 of the number of leaves of the largest tree.
const LARGEST: u32 = 12;
/// Levels of the accumulator with slots of their own.
const RULER: u32 = 4;
/// Rows of the input buffer, and rows of the output buffer.
const ROWS: u32 = 32;
/// Pairs that the accumulator has room for: in the lowest level of a forward tree, and in every other level.
const PAIRS: [u32; 2] = [2, 4];

/// A printed unit.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Design {
    unit: UnitConfig,
    /// log2 of the number of leaves of the largest tree.
    largest: u32,
    /// Cycles from operands to result, by operation number.
    latencies: [u32; 4],
}

impl Design {
    /// The unit of \[MTU\] with 2 or 4 elements, a memory that moves one row per cycle, and the latencies of the
    /// printed element.
    pub fn new(pes: u32) -> Self {
        let paper = UnitConfig::paper().with_pes(pes);
        let row = pes * paper.word_bytes;
        let mut unit = UnitConfig {
            block_bytes: row,
            mul_latency: element::PRODUCT.latency(),
            add_latency: add_sub::LATENCY,
            hash_latency: super::keccak::ROUNDS,
            hash_ii: super::keccak::ROUNDS,
            ruler_levels: RULER,
            requests: 1,
            ..paper.with_bandwidth(row)
        };
        unit.dram.latency = 12;
        (unit.input_bytes, unit.output_bytes) = (ROWS * row, ROWS * row);
        Self { unit, largest: LARGEST, latencies: Op::ALL.map(Op::latency) }
    }

    /// A unit for smaller trees with other element latencies.
    fn small(self, largest: u32, latencies: [u32; 4]) -> Self {
        let mut unit = self.unit;
        unit.hash_ii = latencies[3];
        Self { unit, largest, latencies }
    }

    /// The configuration of the model.
    pub fn unit(&self) -> &UnitConfig {
        &self.unit
    }

    pub(crate) fn pes(&self) -> u32 {
        self.unit.pes
    }

    /// The number of stages of the tree of elements.
    fn log(&self) -> u32 {
        self.pes().ilog2()
    }

    fn largest(&self) -> u32 {
        self.largest
    }

    /// The largest number of levels of the accumulator.
    fn levels(&self) -> u32 {
        self.largest - self.log()
    }

    /// The capacity of the output buffer in words.
    fn room(&self) -> u32 {
        self.unit.output_bytes / self.unit.word_bytes
    }

    fn input_rows(&self) -> u32 {
        self.unit.input_bytes / self.unit.block_bytes
    }

    fn latencies(&self) -> [u32; 4] {
        self.latencies
    }

    fn check(&self) -> Result<(), RtlError> {
        let fits = self.unit.check().is_ok() && [2, 4].contains(&self.pes());
        // Blocks of results are rows, also for a tree of the largest size of which all levels are written.
        let whole = self.room() >= 2 * LARGEST * self.pes();
        let what = "2 or 4 elements, and room for two rows of every level";
        if fits && whole { Ok(()) } else { Err(RtlError::Schedule { what }) }
    }
}

/// Prints the control of a unit without its data path.
///
/// # Errors
/// [`RtlError::Schedule`] for a unit that the text does not support.
pub fn print_control(name: &str, design: &Design) -> Result<Block, RtlError> {
    design.check()?;
    Ok(control::block(name, design))
}

/// Prints a unit for a field.
///
/// # Errors
/// The errors of [`print_control`], and errors of the kernels.
pub fn print<F: Datapath>(name: &str, design: &Design) -> Result<Block, RtlError> {
    design.check()?;
    let element = print_element::<F>(&format!("{name}_element"))?;
    let (p, log, bits) = (design.pes(), design.log(), F::BITS);
    let row = p * WORD;
    let (mut inputs, of_control) = control::signals(design);
    inputs.push(Signal::new("mem_data", row));
    let (outside, inside) = of_control.split_at(7);
    let mut outputs = outside.to_vec();
    outputs.extend((0..p).map(|k| Signal::new(format!("req_data_{k}"), WORD)));
    let mut registers: Vec<Signal> =
        control::registers(design).into_iter().map(|r| r.inside("control")).collect();
    registers.extend((0..LARGEST).map(|k| Signal::new(format!("r_{k}"), bits)));
    registers.push(Signal::new("complement.s0_c", bits));
    registers.push(Signal::new("first", WORD));
    for e in 0..p {
        let of = element.registers.iter();
        registers.extend(of.map(|r| r.inside(&format!("element_{e}"))));
    }
    let mut text = element.text.clone() + "\n";
    text += &control::module(&format!("{name}_control"), design);
    let level_bits = PAIRS[1].ilog2() + 4;
    for (kind, address, bits, writes) in [
        ("input", ROWS.ilog2(), row, 1),
        ("block", ROWS.ilog2(), row, log + 1),
        ("part", 4, WORD, 1),
        ("level", level_bits, WORD, 1),
        ("lowest", PAIRS[0].ilog2(), WORD, 1),
    ] {
        text += &format!("\n{}", ram(&format!("{name}_{kind}_ram"), address, bits, writes, 1));
    }
    let body = Words { name, design, bits, one: one::<F>() }.body(inside);
    text += &format!("\nmodule {name} (\n{}\n);\n{body}endmodule\n", ports(&inputs, &outputs));
    Ok(Block {
        name: name.to_owned(),
        title: format!("Tree unit of {p} elements over a prime of {bits} bits, in hybrid traversal."),
        inputs,
        outputs,
        registers,
        latency: element.latency,
        interval: 1,
        text,
        parts: element.parts,
        kernels: Vec::new(),
    })
}

/// The field element one in Montgomery form, in hexadecimal digits.
fn one<F: Datapath>() -> String {
    let value = F::ONE.digits().iter().rev().fold(BigUint::ZERO, |n, digit| (n << 64u32) + *digit);
    format!("{value:x}")
}

/// A memory with separate write and read ports; a word can be read in the cycle of its address.
fn ram(name: &str, address: u32, bits: u32, writes: u32, reads: u32) -> String {
    let (mut ports, mut moves, mut outs) = (String::new(), String::new(), String::new());
    for k in 0..writes {
        let _ = write!(
            ports,
            ",\n    input  wire [0:0] write_{k},\n    input  wire [{}:0] write_row_{k},\n    input  wire [{}:0] word_{k}",
            address - 1,
            bits - 1
        );
        let _ = writeln!(moves, "        if (write_{k}) cells[write_row_{k}] <= word_{k};");
    }
    for k in 0..reads {
        let _ = write!(
            ports,
            ",\n    input  wire [{}:0] read_row_{k},\n    output wire [{}:0] out_{k}",
            address - 1,
            bits - 1
        );
        let _ = writeln!(outs, "    assign out_{k} = cells[read_row_{k}];");
    }
    format!(
        "module {name} (
    input  wire clk,
    input  wire [0:0] en{ports}
);
    reg [{top}:0] cells [0:{last}];
    always @(posedge clk) if (en) begin
{moves}    end
{outs}endmodule
",
        top = bits - 1,
        last = (1u32 << address) - 1,
    )
}

/// The data path of a unit being printed.
struct Words<'a> {
    name: &'a str,
    design: &'a Design,
    bits: u32,
    one: String,
}

impl Words<'_> {
    fn body(&self, inside: &[Signal]) -> String {
        let (p, name) = (self.design.pes(), self.name);
        let mut text = String::new();
        let mut connections = String::new();
        for signal in inside {
            let _ = writeln!(text, "    wire [{}:0] {};", signal.bits - 1, signal.name);
        }
        let (inputs, outputs) = control::signals(self.design);
        for signal in inputs.iter().chain(&outputs) {
            let _ = write!(connections, ", .{0}({0})", signal.name);
        }
        let _ = writeln!(text, "    {name}_control control (.clk(clk){connections});");
        let _ =
            writeln!(text, "    wire [0:0] step = en & moves;\n    wire [0:0] forward = run_kind == 2'd0;");
        let _ = write!(
            text,
            "    // The input buffer.
    wire [{row}:0] row;
    {name}_input_ram input_buffer (.clk(clk), .en(en), .write_0(input_write), .write_row_0(input_row), .word_0(mem_data), .read_row_0(take_row), .out_0(row));
",
            row = p * WORD - 1
        );
        self.table(&mut text);
        self.elements(&mut text);
        self.levels(&mut text);
        self.results(&mut text);
        text
    }

    /// The name of word `k` of a row.
    fn lane(name: &str, k: u32, bits: u32) -> String {
        format!("{name}[{}:{}]", k * WORD + bits - 1, k * WORD)
    }

    /// The challenges, and one minus the last of them.
    fn table(&self, text: &mut String) {
        let (p, log, bits, name) = (self.design.pes(), self.design.log(), self.bits, self.name);
        text.push_str("    // The challenges, and what one is more than the last of them.\n");
        for k in 0..LARGEST {
            let _ = writeln!(
                text,
                "    reg [{top}:0] r_{k};\n    always @(posedge clk) if (en & table_write & (table_row == 4'd{row})) r_{k} <= {word};",
                top = bits - 1,
                row = k >> log,
                word = Self::lane("mem_data", k % p, bits),
            );
        }
        let last = (0..p - 1).fold(String::new(), |text, k| {
            text + &format!("last[{}:0] == {log}'d{k} ? {} : ", log - 1, Self::lane("mem_data", k, bits))
        });
        let _ = write!(
            text,
            "    wire [3:0] last = run_log_size - 4'd1;
    wire [{top}:0] last_word = {last}{highest};
    wire [{top}:0] complement_of_last;
    wire [0:0] complement_there;
    {name}_element_sum complement (.clk(clk), .rst(rst), .en(en & table_write), .in_valid(1'd1), .s(1'd1), .a({bits}'h{one}), .b(last_word), .out_valid(complement_there), .c(complement_of_last));
    wire [{top}:0] r_last = {r_last};
    wire [{top}:0] r_acc = {r_acc};
",
            top = bits - 1,
            highest = Self::lane("mem_data", p - 1, bits),
            one = self.one,
            r_last = self.challenge("last"),
            r_acc = self.challenge("acc_challenge"),
        );
    }

    fn challenge(&self, index: &str) -> String {
        let cases: String = (0..LARGEST - 1).map(|k| format!("{index} == 4'd{k} ? r_{k} : ")).collect();
        format!("{cases}r_{}", LARGEST - 1)
    }

    /// The index of the first element of a stage.
    fn first(&self, stage: u32) -> u32 {
        self.design.pes() - (self.design.pes() >> stage)
    }

    /// The elements: those of the stages, beginning with the stage next to the leaves, and the accumulator's element.
    fn elements(&self, text: &mut String) {
        let (p, log, name) = (self.design.pes(), self.design.log(), self.name);
        let (top, high) = (self.bits - 1, WORD - 1);
        let pad = WORD - self.bits;
        text.push_str(
            "    // The elements, the accumulator's last.\n    wire [255:0] popped, acc_a, acc_b;\n",
        );
        for e in 0..p {
            let _ = writeln!(text, "    wire [{high}:0] x_{e};\n    wire [{top}:0] y_{e};");
        }
        for s in 0..log {
            for j in 0..p >> (s + 1) {
                let e = self.first(s) + j;
                let child = |k: u32| match s {
                    0 => Self::lane("row", k, WORD),
                    _ => format!("x_{}", self.first(s - 1) + k),
                };
                let parent = match (s + 1 == log, j % 2) {
                    (true, _) => "popped".to_owned(),
                    (_, 0) => format!("x_{}", self.first(s + 1) + j / 2),
                    _ => format!("{{{pad}'d0, y_{}}}", self.first(s + 1) + j / 2),
                };
                let (left, right) = (child(2 * j), child(2 * j + 1));
                let _ = writeln!(
                    text,
                    "    {name}_element element_{e} (.clk(clk), .rst(rst), .en(step), .in_valid(stage_enter[{s}]), .op(run_kind), .a(forward ? {parent} : {left}), .b({right}), .r(r_{s}), .x(x_{e}), .y(y_{e}));"
                );
            }
        }
        let e = p - 1;
        let _ = writeln!(
            text,
            "    {name}_element element_{e} (.clk(clk), .rst(rst), .en(step), .in_valid(acc_issue), .op(run_kind), .a(acc_a), .b(acc_b), .r(r_acc), .x(x_{e}), .y(y_{e}));"
        );
    }

    /// The words of the accumulator's levels, with left and right children in separate memories.
    fn levels(&self, text: &mut String) {
        let (p, name) = (self.design.pes(), self.name);
        let (e, node, pad) = (p - 1, p - 2, WORD - self.bits);
        let [lowest, deep] = PAIRS.map(u32::ilog2);
        let at = |level: &str, index: &str| format!("{{{level}, {index}[{deep}:1]}}");
        let _ = write!(
            text,
            "    // The words of the accumulator's levels: left children are in one memory, right ones in the other.
    reg [255:0] first;
    always @(posedge clk) if (step & acc_arrival & ~acc_pair) first <= x_{node};
    wire [255:0] right_word = forward ? {{{pad}'d0, y_{e}}} : x_{e};
    wire [0:0] of_lowest = acc_push & forward & (acc_push_level == 4'd0);
    wire [0:0] of_left = acc_push & (forward ? acc_push_level != 4'd0 : ~acc_push_tail[0]);
    wire [0:0] of_right = acc_push & (forward ? acc_push_level != 4'd0 : acc_push_tail[0]);
    wire [255:0] left_out, right_out, lowest_left, lowest_right;
    {name}_level_ram left_words (.clk(clk), .en(en), .write_0(of_left), .write_row_0({to}), .word_0(x_{e}), .read_row_0({from}), .out_0(left_out));
    {name}_level_ram right_words (.clk(clk), .en(en), .write_0(of_right), .write_row_0({to}), .word_0(right_word), .read_row_0({from}), .out_0(right_out));
    {name}_lowest_ram left_lowest (.clk(clk), .en(en), .write_0(of_lowest), .write_row_0(acc_push_tail[{lowest}:1]), .word_0(x_{e}), .read_row_0(acc_pop_head[{lowest}:1]), .out_0(lowest_left));
    {name}_lowest_ram right_lowest (.clk(clk), .en(en), .write_0(of_lowest), .write_row_0(acc_push_tail[{lowest}:1]), .word_0(right_word), .read_row_0(acc_pop_head[{lowest}:1]), .out_0(lowest_right));
    // The highest two nodes of a forward tree are no memory's.
    wire [255:0] high_left = {{{pad}'d0, complement_of_last}};
    wire [255:0] high_right = {{{pad}'d0, r_last}};
    assign popped = acc_pop_top ? (acc_pop_head[0] ? high_right : high_left) : acc_pop_head[0] ? lowest_right : lowest_left;
    wire [255:0] parent = acc_top ? (acc_head[0] ? high_right : high_left) : acc_head[0] ? right_out : left_out;
    assign acc_a = forward ? parent : acc_level == 4'd0 ? first : left_out;
    assign acc_b = acc_level == 4'd0 ? x_{node} : right_out;
",
            to = at("acc_push_level", "acc_push_tail"),
            from = at("acc_level", "acc_head"),
        );
    }

    /// Blocks of results, and words that do not fill a block yet.
    fn results(&self, text: &mut String) {
        let (p, log, name) = (self.design.pes(), self.design.log(), self.name);
        let pad = WORD - self.bits;
        text.push_str("    // Words of results that are no block yet, and blocks.\n");
        let mut pushes = String::new();
        let mut kept = Vec::new();
        for s in 0..log {
            let n = p >> (s + 1);
            let x = |j: u32| format!("x_{}", self.first(s) + j);
            for w in 0..p - n {
                let _ = writeln!(
                    text,
                    "    reg [255:0] part_{s}_{w};\n    always @(posedge clk) if (en & stage_gives[{s}] & (stage_waiting[{high}:{low}] == 3'd{from})) part_{s}_{w} <= {word};",
                    high = 3 * s + 2,
                    low = 3 * s,
                    from = w - w % n,
                    word = x(w % n),
                );
            }
            let whole = joined(p, |w| if w < p - n { format!("part_{s}_{w}") } else { x(w - (p - n)) });
            let leaves =
                joined(
                    p,
                    |w| {
                        if w % 2 == 0 { format!("x_{}", w / 2) } else { format!("{pad}'d0, y_{}", w / 2) }
                    },
                );
            let value =
                if s == 0 { format!("forward ? {{{leaves}}} : {{{whole}}}") } else { format!("{{{whole}}}") };
            let _ = writeln!(text, "    wire [{}:0] block_{s} = {value};", p * WORD - 1);
            kept.push(format!(
                "part_of_stage[{s}] ? {{{}}}",
                joined(p, |w| if w < p - n { format!("part_{s}_{w}") } else { "256'd0".to_owned() })
            ));
        }
        for w in 0..p - 1 {
            let _ = writeln!(
                text,
                "    wire [255:0] part_out_{w};\n    {name}_part_ram parts_{w} (.clk(clk), .en(en), .write_0(part_write & (part_word == 3'd{w})), .write_row_0(part_place), .word_0(x_{e}), .read_row_0(part_place), .out_0(part_out_{w}));",
                e = p - 1,
            );
        }
        let parts = joined(p - 1, |w| format!("part_out_{w}"));
        let _ = writeln!(text, "    wire [{}:0] block_{log} = {{x_{}, {parts}}};", p * WORD - 1, p - 1);
        for s in 0..=log {
            let row = format!("push_rows[{}:{}]", 5 * s + 4, 5 * s);
            let _ = write!(pushes, ".write_{s}(push[{s}]), .write_row_{s}({row}), .word_{s}(block_{s}), ");
        }
        let _ = write!(
            text,
            "    wire [{top}:0] block_out;
    {name}_block_ram blocks (.clk(clk), .en(en), {pushes}.read_row_0(queue_front), .out_0(block_out));
    wire [{top}:0] req_data = ~from_part ? block_out : {kept} : {{256'd0, {parts}}};
",
            top = p * WORD - 1,
            kept = kept.join(" : "),
        );
        for k in 0..p {
            let _ = writeln!(text, "    assign req_data_{k} = {};", Self::lane("req_data", k, WORD));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_mtu::{Job, Workload, simulate};

    /// The cycle in which a node arrives, counted in cycles in which the unit moves, does not depend on the memory.
    /// Runs of all sizes therefore show how many words a level ever holds.
    #[test]
    fn every_level_of_every_tree_has_room() {
        let mut most = [0; 2];
        for pes in [2, 4] {
            let design = Design::new(pes);
            design.check().unwrap();
            for (workload, log_size) in
                Workload::ALL.into_iter().flat_map(|w| (design.log() + 1..=LARGEST).map(move |log| (w, log)))
            {
                let account = simulate(design.unit(), &Job::new(workload, log_size)).unwrap();
                let levels = account.sram.accumulator_levels;
                assert!(levels.len() as u32 <= design.levels());
                // The lowest level of an inverted tree holds one word in addition to the arriving one; the highest
                // level of a forward tree holds none.
                let (lowest, rest) = levels.split_first().unwrap();
                if workload == Workload::BuildMle {
                    most[0] = most[0].max(*lowest);
                } else {
                    assert!(*lowest <= 2, "{workload:?} {log_size}");
                }
                most[1] = most[1].max(rest.iter().copied().max().unwrap_or(0));
            }
        }
        // A pair whose first word has left still occupies its slot.
        assert!((0..2).all(|k| most[k] < 2 * PAIRS[k]), "{most:?}");
        assert!((0..2).all(|k| most[k] >= PAIRS[k]), "{most:?}: less room would do");
    }

    #[test]
    fn a_unit_that_the_text_does_not_fit_is_refused() {
        let error = print_control("tree_control", &Design::new(8)).unwrap_err().to_string();
        assert!(error.contains("2 or 4 elements"), "{error}");
    }

    #[test]
    fn a_fault_changes_the_text() {
        for (name, all) in [("tree_control", &bench::FAULTS[..]), ("tree_255", &bench::VALUE_FAULTS)] {
            let text = crate::blocks::find(name).unwrap().block().unwrap().text;
            for (what, from, _) in all {
                assert!(text.contains(from), "{what}");
            }
        }
    }
}
