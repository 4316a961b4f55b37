//! A set of the Poly-OP engine: banks A, B and C, the conflict-free network of \[CP\] Fig. 14, four butterfly units,
//! and the controller for the stages of a sub-NTT.
//!
//! The pipeline from the address registers to the banks' write ports, with the registers' numbers:
//!
//! ```text
//! 0 addresses · 1 words of the banks · 2 swap · 3 turn · 4 .. 21 butterflies · 22 turn back · 23 swap back · 24 write ports
//! ```
//!
//! An address is the round's number, shifted, with single bits inserted; the four layers of multiplexers are printed
//! from the model's [`network`]. While no transform runs, the same ports serve the DMA.

mod bench;

pub use bench::Engine;

use super::butterfly::{self, product_design};
use super::{Modulus, multiplier, ports};
use crate::block::signals;
use crate::error::RtlError;
use crate::{Block, Signal};
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::poly::network::{self, Layer, Source};
use pairwright_chip::machine::poly::{PolySpec, UNITS, map};
use std::fmt::Write as _;

/// The number of banks of A and of B.
const BANKS: usize = map::BANKS as usize;
/// The number of banks of C.
const C_BANKS: usize = map::C_BANKS as usize;
/// The number of the register before the butterfly units.
const BEFORE: u32 = 3;

/// Prints the block for a field.
///
/// # Errors
/// Errors of the kernels; [`RtlError::Schedule`] for other registers around the units than those of the published
/// engine.
pub fn print<F: Datapath>(name: &str, spec: &PolySpec) -> Result<Block, RtlError> {
    if (spec.read, spec.connector, spec.write) != (2, 2, 1) {
        return Err(RtlError::Schedule {
            what: "two registers to read, two on each side of the connector, one to write",
        });
    }
    let bits = Modulus::of::<F>()?.steps.bits();
    let unit = butterfly::print::<F>(&format!("{name}_unit"), spec)?;
    let product = multiplier::print::<F>(&format!("{name}_unit_product"), &product_design::<F>(spec))?;
    let inputs = signals([
        ("rst", 1),
        ("en", 1),
        ("in_valid", 1),
        ("in_inverse", 1),
        ("in_log_len", 4),
        ("in_base", 7),
        ("in_hold", 1),
        ("dma_write", 1),
        ("dma_memory", 2),
        ("dma_bank", 3),
        ("dma_row", 8),
        ("dma_word", bits),
    ]);
    let outputs = signals([("in_ready", 1), ("out_valid", 1), ("out_hold", 1), ("dma_read", bits)]);
    let last = spec.butterfly_latency() - 1;
    let mut p =
        Printer { name, top: bits - 1, text: String::new(), moves: String::new(), registers: Vec::new() };
    p.control(last);
    p.addresses();
    p.banks();
    p.connector(&network::READ, "read", 1, &["inverse & r1_round[0]", "~inverse"]);
    p.factors();
    p.units(&unit.name);
    p.connector(
        &network::WRITE,
        "write",
        last - 3,
        &["inverse", &format!("~inverse & r{}_round[0]", last - 2)],
    );
    p.writes(last);
    let Printer { text: body, mut registers, .. } = p;
    for k in 0..UNITS {
        let of_unit = butterfly::data_registers(&product, spec, bits);
        registers.extend(of_unit.into_iter().map(|r| r.inside(&format!("unit_{k}"))));
    }
    let text = format!(
        "{unit}
{ram}
{c_ram}
module {name} (
{ports}
);
{body}endmodule
",
        unit = unit.text,
        ram = ram(&format!("{name}_bank_ram"), 7, bits),
        c_ram = ram(&format!("{name}_table_ram"), 8, bits),
        ports = ports(&inputs, &outputs),
    );
    Ok(Block {
        name: name.to_owned(),
        title: format!("Banks, network and butterfly group of sub-NTTs over a prime of {bits} bits."),
        inputs,
        outputs,
        registers,
        latency: spec.butterfly_latency(),
        interval: 1,
        text,
        parts: vec![(unit.name, "butterfly_255")],
        kernels: Vec::new(),
    })
}

/// A memory with a single port: in a cycle without a write it reads, and the word stays in an output register.
fn ram(name: &str, address: u32, bits: u32) -> String {
    format!(
        "module {name} (
    input  wire clk,
    input  wire [0:0] en,
    input  wire [0:0] write,
    input  wire [{a}:0] row,
    input  wire [{top}:0] word,
    output wire [{top}:0] out
);
    reg [{top}:0] cells [0:{last}];
    reg [{top}:0] q;
    always @(posedge clk) if (en) begin
        if (write) cells[row] <= word;
        else q <= cells[row];
    end
    assign out = q;
endmodule
",
        a = address - 1,
        top = bits - 1,
        last = (1u32 << address) - 1,
    )
}

/// The module's body being printed, with the registers so far.
struct Printer<'a> {
    name: &'a str,
    /// The index of a word's highest bit.
    top: u32,
    text: String,
    /// Assignments of data registers at the clock edge.
    moves: String,
    registers: Vec<Signal>,
}

impl Printer<'_> {
    fn line(&mut self, line: &str) {
        self.text.push_str("    ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    fn wire(&mut self, name: &str, bits: u32, value: &str) {
        self.line(&format!("wire [{}:0] {name} = {value};", bits - 1));
    }

    fn declare(&mut self, name: &str, bits: u32) {
        self.line(&format!("reg [{}:0] {name};", bits - 1));
        self.registers.push(Signal::new(name, bits));
    }

    fn move_to(&mut self, name: &str, value: &str) {
        let _ = writeln!(self.moves, "        {name} <= {value};");
    }

    /// A register that is updated at each edge while the block is enabled.
    fn reg(&mut self, name: &str, bits: u32, value: &str) {
        self.declare(name, bits);
        self.move_to(name, value);
    }

    /// The same, but cleared by a reset.
    fn cleared(&mut self, name: &str, bits: u32, value: &str) {
        let _ = write!(
            self.text,
            "    always @(posedge clk) begin\n        if (rst) {name} <= {bits}'d0;\n        else if (en) {name} <= {value};\n    end\n"
        );
    }

    /// The controller: the running command, the round that enters, and the rounds in flight.
    fn control(&mut self, last: u32) {
        self.line("// The controller.");
        let state = [
            ("busy", 1),
            ("inverse", 1),
            ("log_len", 4),
            ("base", 7),
            ("hold", 1),
            ("stage", 4),
            ("round", 8),
        ];
        for (name, bits) in state.into_iter().chain([("valid", last + 1), ("done", 1)]) {
            self.declare(name, bits);
        }
        self.wire("take", 1, "in_valid & ~busy & ~dma_write");
        self.wire("rounds", 8, "8'd1 << (log_len - 4'd3)");
        self.wire("issue", 1, "busy & (round != rounds)");
        self.cleared("valid", last + 1, &format!("{{valid[{}:0], issue}}", last - 1));
        for k in 0..last {
            let from = if k == 0 { "round[6:0]".to_owned() } else { format!("r{}_round", k - 1) };
            self.reg(&format!("r{k}_round"), 7, &from);
        }
        self.line("// A stage ends when its last round is at the write ports.");
        self.wire("drained", 1, &format!("busy & (round == rounds) & (valid[{}:0] == {last}'d0)", last - 1));
        self.wire("ends", 1, "drained & (stage + 4'd1 == log_len)");
        self.cleared("busy", 1, "take | (busy & ~ends)");
        self.text.push_str(
            "    always @(posedge clk) if (en) begin
        if (take) begin
            inverse <= in_inverse;
            log_len <= in_log_len;
            base <= in_base;
        end
        stage <= take ? 4'd0 : drained ? stage + 4'd1 : stage;
        round <= take | drained ? 8'd0 : issue ? round + 8'd1 : round;
        hold <= take ? in_hold : hold ^ drained;
    end
",
        );
        self.cleared("done", 1, "ends");
        self.line("assign in_ready = ~busy;");
        self.line("assign out_valid = done;");
        self.line("assign out_hold = hold;");
    }

    /// The rows of banks A, B and C that a round reads, and the banks of C that hold the units' factors.
    fn addresses(&mut self) {
        self.line("// Rows that a round reads: in step, or scattered as the stage before wrote them.");
        for b in 0..BANKS {
            self.wire(&format!("scattered_{b}"), 7, &scattered("round", b));
            let row = format!("busy ? base | (inverse ? scattered_{b} : round[6:0]) : dma_row[6:0]");
            self.reg(&format!("row_{b}"), 7, &row);
        }
        self.line("// Twiddles: the highest bits of the index, but for the one that tells the units apart.");
        self.wire("bit_index", 4, "inverse ? log_len - 4'd1 - stage : stage");
        self.wire("shift", 4, "log_len - bit_index + 4'd1");
        self.wire("first_row", 8, "8'd1 << (bit_index - 4'd2)");
        for b in 0..C_BANKS {
            let (z, x) = (b >> 1, b & 1);
            let turned = format!("{{round[6:1], round[0] ^ 1'd{z}, 1'd{x}, 1'd0, 1'd{z}}} >> shift");
            self.wire(&format!("high_{b}"), 10, &turned);
            let row = format!("bit_index < 4'd2 ? 8'd0 : first_row | high_{b}[8:1]");
            self.reg(&format!("c_row_{b}"), 8, &format!("busy ? ({row}) : dma_row"));
        }
        for k in 0..UNITS {
            let odd = format!("bit_index < 4'd2 ? bit_index == 4'd0 : high_{k}[0]");
            self.reg(&format!("r0_odd_{k}"), 1, &odd);
            self.reg(&format!("r1_odd_{k}"), 1, &format!("r0_odd_{k}"));
        }
        for k in 0..2 {
            for (name, bits) in [("memory", 2), ("bank", 3)] {
                let from = if k == 0 { format!("dma_{name}") } else { format!("r0_dma_{name}") };
                self.reg(&format!("r{k}_dma_{name}"), bits, &from);
            }
        }
    }

    /// The memories, and the DMA's read port.
    fn banks(&mut self) {
        self.line("// The banks; those that are not written are read.");
        let (name, top) = (self.name.to_owned(), self.top);
        for b in 0..BANKS {
            self.declare(&format!("write_{b}"), 1);
            self.declare(&format!("write_row_{b}"), 7);
            self.declare(&format!("write_word_{b}"), top + 1);
        }
        self.declare("write_b", 1);
        (0..C_BANKS).for_each(|b| self.declare(&format!("c_write_{b}"), 1));
        self.declare("c_write_row", 8);
        for (set, to) in [("a", "~write_b"), ("b", "write_b")] {
            for b in 0..BANKS {
                self.line(&format!("wire [{top}:0] {set}_word_{b};"));
                self.wire(&format!("{set}_write_{b}"), 1, &format!("write_{b} & {to}"));
                let row = format!("{set}_write_{b} ? write_row_{b} : row_{b}");
                self.wire(&format!("{set}_row_{b}"), 7, &row);
                self.line(&format!(
                    "{name}_bank_ram {set}_{b} (.clk(clk), .en(en), .write({set}_write_{b}), .row({set}_row_{b}), .word(write_word_{b}), \
                     .out({set}_word_{b}));"
                ));
                self.registers.push(Signal::new(format!("{set}_{b}.q"), top + 1));
            }
        }
        for b in 0..C_BANKS {
            self.line(&format!("wire [{top}:0] c_word_{b};"));
            self.wire(&format!("table_row_{b}"), 8, &format!("c_write_{b} ? c_write_row : c_row_{b}"));
            self.line(&format!(
                "{name}_table_ram c_{b} (.clk(clk), .en(en), .write(c_write_{b}), .row(table_row_{b}), .word(write_word_{b}), \
                 .out(c_word_{b}));"
            ));
            self.registers.push(Signal::new(format!("c_{b}.q"), top + 1));
        }
        for b in 0..BANKS {
            self.wire(&format!("word_{b}"), top + 1, &format!("hold ? b_word_{b} : a_word_{b}"));
            self.line(&format!("reg [{top}:0] seen_{b};"));
            let c = if b < C_BANKS { format!("c_word_{b}") } else { format!("{}'d0", top + 1) };
            self.line(&format!(
                "always @* seen_{b} = r1_dma_memory == 2'd0 ? a_word_{b} : r1_dma_memory == 2'd1 ? b_word_{b} : {c};"
            ));
        }
        self.line(&format!("reg [{top}:0] seen;"));
        self.line("always @* begin");
        self.line("    case (r1_dma_bank)");
        for b in 0..BANKS - 1 {
            self.line(&format!("        3'd{b}: seen = seen_{b};"));
        }
        self.line(&format!("        default: seen = seen_{};", BANKS - 1));
        self.line("    endcase");
        self.line("end");
        self.line("assign dma_read = seen;");
    }

    /// Two layers of the network, each followed by a register; their inputs are in register `from`.
    fn connector(&mut self, layers: &[Layer; 2], side: &str, from: u32, selects: &[&str; 2]) {
        self.line(&format!("// The {side} side of the network."));
        for (k, (layer, select)) in (0u32..).zip(layers.iter().zip(selects)) {
            let pick = format!("{side}_select_{k}");
            self.wire(&pick, 1, select);
            for (output, source) in layer.outputs.iter().enumerate() {
                let input = |i: u8| match (side, k) {
                    ("read", 0) => format!("word_{i}"),
                    ("write", 0) => format!("result_{i}"),
                    _ => format!("r{}_word_{i}", from + k),
                };
                let value = match *source {
                    Source::Wire(i) => input(i),
                    Source::Mux(a, b) => format!("{pick} ? {} : {}", input(b), input(a)),
                };
                self.reg(&format!("r{}_word_{output}", from + 1 + k), self.top + 1, &value);
            }
        }
    }

    /// The units' factors, each selected from one of two banks.
    fn factors(&mut self) {
        self.line("// A unit chooses between two banks of C.");
        for k in 0..UNITS {
            let (even, odd) = (k & 2, (k & 2) + 1);
            let value = format!("r1_odd_{k} ? c_word_{odd} : c_word_{even}");
            self.reg(&format!("r2_factor_{k}"), self.top + 1, &value);
            self.reg(&format!("r3_factor_{k}"), self.top + 1, &format!("r2_factor_{k}"));
        }
    }

    fn units(&mut self, unit: &str) {
        self.line("// The butterfly units.");
        for k in 0..UNITS {
            let (u, v) = (2 * k, 2 * k + 1);
            self.line(&format!("wire [{}:0] result_{u}, result_{v};", self.top));
            self.line(&format!("wire [0:0] unit_valid_{k};"));
            self.line(&format!(
                "{unit} unit_{k} (.clk(clk), .rst(rst), .en(en), .in_valid(valid[{BEFORE}]), .inverse(inverse), .u(r{BEFORE}_word_{u}), \
                 .v(r{BEFORE}_word_{v}), .w(r{BEFORE}_factor_{k}), .out_valid(unit_valid_{k}), .x(result_{u}), .y(result_{v}));"
            ));
        }
    }

    /// The registers at the write ports, which serve the DMA while no transform runs.
    fn writes(&mut self, last: u32) {
        self.line("// The write ports.");
        let before = last - 1;
        self.wire("dma_takes", 1, "dma_write & ~busy");
        self.wire("comes", 1, &format!("valid[{before}]"));
        for b in 0..BANKS {
            let dma = format!("dma_takes & ~dma_memory[1] & dma_bank == 3'd{b}");
            self.cleared(&format!("write_{b}"), 1, &format!("comes | ({dma})"));
            self.wire(&format!("back_{b}"), 7, &scattered(&format!("r{before}_round"), b));
            let row = format!("comes ? base | (inverse ? r{before}_round : back_{b}) : dma_row[6:0]");
            self.move_to(&format!("write_row_{b}"), &row);
            self.move_to(&format!("write_word_{b}"), &format!("comes ? r{before}_word_{b} : dma_word"));
        }
        self.move_to("write_b", "comes ? ~hold : dma_memory[0]");
        for b in 0..C_BANKS {
            self.cleared(
                &format!("c_write_{b}"),
                1,
                &format!("dma_takes & dma_memory[1] & dma_bank == 3'd{b}"),
            );
        }
        self.move_to("c_write_row", "dma_row");
        let moves = std::mem::take(&mut self.moves);
        let _ = write!(self.text, "    always @(posedge clk) if (en) begin\n{moves}    end\n");
    }
}

/// The row of bank `b` on the scattered side in a round: [`map::scattered`].
fn scattered(round: &str, b: usize) -> String {
    let (high, y) = (b >> 2, b & 1);
    format!("({{1'd0, {round}[6:1]}} | ({{6'd0, {round}[0] ^ 1'd{high}}} << (log_len - 4'd4))) ^ 7'd{y}")
}
