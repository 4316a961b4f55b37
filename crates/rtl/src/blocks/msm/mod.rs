//! The MSM engine of \[CP\] §IV.C in G1: fetch queue, arbiter, bucket memory, point adder, and the sequencer of
//! reductions.
//!
//! ```text
//!   point ─► fetch ─► arbiter ─► staged ─► queue ─► adder ─► results
//!                      ▲ │  ▲                                   │
//!            flags of  │ ▼  └───────────────────────────────────┤
//!            buckets ──┘ bucket memory (a read, a write)        ▼
//!                        lanes and chain of the sequencer ◄─────┘
//! ```
//!
//! The arbiter distinguishes five cases, as the model does: which of a point and a result are present, whether both are
//! for the same bucket, and which buckets are occupied. A reduction or an aggregation begins when nothing is in flight.
//! Each of its phases begins in the cycle after the last cycle of the previous phase, which is determined from the next
//! state of the lanes.

mod bench;
mod dataflow;
mod padd;
mod theorems;

pub use bench::Engine;
pub use padd::{Adder, print as print_adder};
pub use theorems::theorems;

use super::ports;
use crate::block::signals;
use crate::error::RtlError;
use crate::{Block, Signal};
use padd::TAG;
use pairwright_chip::machine::Datapath;
use pairwright_chip::machine::msm::{Group, MsmSpec};
use std::fmt::Write as _;

/// Width of a window number in bits.
const WINDOW: u32 = 6;

/// The printed engine: the published one with windows of 4 bits, which keeps runs short.
pub const ENGINE: MsmSpec = MsmSpec { window_g1: 4, ..MsmSpec::paper() };

/// Prints the engine for a field.
///
/// # Errors
/// Errors of the adder; [`RtlError::Schedule`] for a memory, queues or segments that the arbiter does not support.
pub fn print<F: Datapath>(name: &str, spec: &MsmSpec) -> Result<Block, RtlError> {
    let plain = (spec.windows_per_fetch, spec.bucket_banks, spec.write_behind, spec.fifo, spec.results)
        == (1, 1, 0, 4, 2)
        && spec.segments(Group::G1) == 2
        && !spec.glv;
    if !plain || spec.window_g1 > TAG {
        return Err(RtlError::Schedule {
            what: "one bank, no buffer before it, four pairs and two results that wait, two segments",
        });
    }
    let adder = padd::print::<F>(&format!("{name}_padd"), spec)?;
    let f = F::BITS;
    let (window, point) = (spec.window_g1, 3 * f);
    let buckets = spec.buckets(Group::G1);
    let (entry, pair) = (point + window, 2 * point + TAG);
    let mut inputs = signals([("rst", 1), ("en", 1), ("in_valid", 1), ("in_to", window)]);
    inputs.extend(["in_x", "in_y", "in_z"].map(|n| Signal::new(n, f)));
    inputs.extend(signals([("command", 2), ("command_window", WINDOW)]));
    let outputs =
        signals([("in_ready", 1), ("idle", 1), ("out_valid", 1), ("out_there", 1), ("out_sum", point)]);
    let modules = assemble(name, f, window, &adder.text);
    let text = format!(
        "{modules}module {name} (\n{}\n);\n{}endmodule\n",
        ports(&inputs, &outputs),
        control(name, f, window)
    );
    let mut registers = signals([
        ("phase", 2),
        ("draining", 1),
        ("aggregating", 1),
        ("window", WINDOW),
        ("done", 1),
        ("fetch.count", 2),
        ("fetch.cell_0", entry),
        ("fetch.cell_1", entry),
        ("staged_valid", 1),
        ("staged_to", TAG),
        ("staged_mem", 1),
        ("staged_a", point),
        ("staged_b", point),
        ("bucket.q", point),
        ("queue.count", 3),
        ("queue.cell_0", pair),
        ("queue.cell_1", pair),
        ("queue.cell_2", pair),
        ("queue.cell_3", pair),
        ("results.count", 2),
        ("results.cell_0", point + TAG),
        ("results.cell_1", point + TAG),
        ("occupied", buckets),
    ]);
    for lane in 0..2 {
        let of_lane = [
            ("run_there", 1),
            ("run_mem", 1),
            ("run", point),
            ("total_there", 1),
            ("total", point),
            ("run_fly", 1),
            ("total_fly", 1),
            ("owed", 1),
            ("left", window),
        ];
        registers.extend(of_lane.map(|(n, b)| Signal::new(format!("{n}_{lane}"), b)));
    }
    for k in 0..3 {
        registers.push(Signal::new(format!("value_there_{k}"), 1));
        registers.push(Signal::new(format!("value_{k}"), point));
    }
    let chain = [
        ("sum_there", 1),
        ("sum", point),
        ("sum_fly", 1),
        ("doubles", 4),
        ("adds", 1),
        ("add_there", 1),
        ("add", point),
    ];
    registers.extend(signals(chain));
    registers.extend(adder.registers.iter().map(|r| r.inside("padd")));
    Ok(Block {
        name: name.to_owned(),
        title: format!("MSM engine of G1 over a prime of {f} bits, windows of {window} bits."),
        inputs,
        outputs,
        registers,
        latency: adder.latency,
        interval: 1,
        text,
        parts: vec![(adder.name, "padd_381")],
        kernels: Vec::new(),
    })
}

/// The submodules of an engine: its adder, queues and memories.
fn assemble(name: &str, f: u32, window: u32, adder: &str) -> String {
    let point = 3 * f;
    let mut text = adder.to_owned();
    for (kind, depth, bits) in
        [("fetch", 2, point + window), ("queue", 4, 2 * point + TAG), ("results", 2, point + TAG)]
    {
        text += &fifo(&format!("{name}_{kind}"), depth, bits);
    }
    text + &ram(&format!("{name}_bucket_ram"), window, point)
        + &ram(&format!("{name}_sum_ram"), WINDOW, point + 1)
}

/// The body of an engine, for coordinates of `f` bits and windows of `window` bits.
fn control(name: &str, f: u32, window: u32) -> String {
    let (point, buckets) = (3 * f, 1u32 << window);
    let (entry, pair, span) = (point + window, 2 * point + TAG, buckets / 2);
    let [first, next] = lanes();
    CONTROL
        .replace("FIRST", &first)
        .replace("NEXT", &next)
        .replace("NAME", name)
        .replace("COORD", &f.to_string())
        .replace("ENTRY", &(entry - 1).to_string())
        .replace("PAIR", &(pair - 1).to_string())
        .replace("RESULT", &(point + TAG - 1).to_string())
        .replace("POINT_BITS", &point.to_string())
        .replace("POINT", &(point - 1).to_string())
        .replace("ID_BITS", &window.to_string())
        .replace("ID", &(window - 1).to_string())
        .replace("TAG_BITS", &TAG.to_string())
        .replace("TAG", &(TAG - 1).to_string())
        .replace("PAD", &(TAG - window).to_string())
        .replace("BUCKETS", &(buckets - 1).to_string())
        .replace("SPAN", &format!("{window}'d{span}"))
        .replace("FLAGS", &buckets.to_string())
        .replace("DOUBLINGS", &span.ilog2().to_string())
}

/// A queue with registered readiness; the oldest item is in cell 0.
fn fifo(name: &str, depth: u32, bits: u32) -> String {
    let count = depth.ilog2();
    let (mut cells, mut moves) = (String::new(), String::new());
    for k in 0..depth {
        let _ = writeln!(cells, "    reg [{}:0] cell_{k};", bits - 1);
        let next =
            if k + 1 < depth { format!("pop ? cell_{} : cell_{k}", k + 1) } else { format!("cell_{k}") };
        let _ = writeln!(moves, "        cell_{k} <= push & (kept == {}'d{k}) ? in : {next};", count + 1);
    }
    format!(
        "module {name} (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [0:0] push,
    input  wire [{top}:0] in,
    input  wire [0:0] pop,
    output wire [{top}:0] front,
    output wire [{count}:0] held
);
    reg [{count}:0] count;
{cells}    wire [{count}:0] kept = count - {{{count}'d0, pop}};
    always @(posedge clk) begin
        if (rst) count <= {width}'d0;
        else if (en) count <= kept + {{{count}'d0, push}};
    end
    always @(posedge clk) if (en) begin
{moves}    end
    assign front = cell_0;
    assign held = count;
endmodule
",
        top = bits - 1,
        width = count + 1,
    )
}

/// A memory with a read and a write port; the word read stays in an output register.
fn ram(name: &str, address: u32, bits: u32) -> String {
    format!(
        "module {name} (
    input  wire clk,
    input  wire [0:0] en,
    input  wire [0:0] write,
    input  wire [{a}:0] write_row,
    input  wire [{top}:0] word,
    input  wire [{a}:0] read_row,
    output wire [{top}:0] out
);
    reg [{top}:0] cells [0:{last}];
    reg [{top}:0] q;
    always @(posedge clk) if (en) begin
        if (write) cells[write_row] <= word;
        q <= cells[read_row];
    end
    assign out = q;
endmodule
",
        a = address - 1,
        top = bits - 1,
        last = (1u32 << address) - 1,
    )
}

/// The text of both lanes in two parts: their possible actions, and their next state once the acting lane is chosen.
fn lanes() -> [String; 2] {
    let (first, next) = LANE.split_once(BECOMES).unwrap_or((LANE, ""));
    [first.to_owned(), format!("{BECOMES}{next}")]
        .map(|part| part.replace('%', "0") + &part.replace('%', "1"))
}

/// The line at which the text of a lane is split.
const BECOMES: &str = "    // What lane % becomes.\n";

/// The engine's control; names in capitals are widths and constants.
const CONTROL: &str = include_str!("control.sv.txt");

/// A lane of the sequencer.
const LANE: &str = include_str!("lane.sv.txt");
