//! Invariants of a unit's control, proved by induction over time for small trees and short elements: the control
//! depends on an element's latency only through the register from which it takes the valid bit.

use super::Design;
use super::control::{self, DEPTH};
use crate::prove::Theorem;
use std::fmt::Write as _;

/// A memory for the order of blocks without contents, since no assertion is about addresses.
fn order(design: &Design) -> String {
    let writes: String = (0..=design.log())
        .map(|k| {
            format!(
                ", input wire [0:0] write_{k}, input wire [4:0] write_row_{k}, input wire [16:0] word_{k}"
            )
        })
        .collect();
    format!(
        "module theorem_order_ram (input wire clk, input wire [0:0] en{writes}, input wire [4:0] read_row_0, output wire [16:0] out_0);
    assign out_0 = 17'd0;
endmodule
"
    )
}

/// An expression that sums bits.
fn count(bits: impl Iterator<Item = String>) -> String {
    bits.map(|bit| format!("{{12'd0, {bit}}}")).collect::<Vec<_>>().join(" + ")
}

/// The assertions about a design's control.
fn assertions(design: &Design) -> String {
    let (p, log, nk) = (design.pes(), design.log(), design.levels());
    let depth = design.latencies().into_iter().max().unwrap_or(DEPTH);
    let waiting: Vec<String> = (0..log)
        .map(|s| format!("{{10'd0, waiting_s{s}}}"))
        .chain((0..nk).map(|k| format!("{{10'd0, waiting_{k}}}")))
        .collect();
    let mut text = format!(
        "
    // Words that memory was asked to write and has not taken over.
    reg [12:0] under_way;
    wire [12:0] asked = granted & req_write ? {{10'd0, req_words}} : 13'd0;
    always @(posedge clk) begin
        if (rst) under_way <= 13'd0;
        else if (en) under_way <= begins ? 13'd0 : under_way + asked - {{9'd0, mem_left}};
    end
    wire [12:0] waiting = {waiting};
    always @* begin
        // Memory answers what it was asked, and no more.
        assume ({{9'd0, mem_left}} <= under_way + asked);
        assume (!mem_arrived || arrived != requested);
    end
    always @* if (!rst && !idle) begin
        // Every word of a result is in a block, waits for one, or is on its way to memory.
        assert ({{5'd0, held}} == ({{7'd0, queued}} << {log}) + waiting + under_way);
        assert (held <= 8'd{room});
        assert (queued <= 6'd32 && under_way <= 13'd{room});
        // The input buffer neither gives what has not come nor takes what has no room.
        assert (arrived - taken <= requested - taken && requested - taken <= 13'd{rows});
        assert (requested <= input_rows || state == DRAIN);
        assert (log_size > 4'd{log} && log_size <= 4'd{largest});
        if (state == TABLE) assert (taken == 13'd0);
        if (forward) assert (given <= head_0 && head_0 <= leaf_rows);
        else assert (taken <= leaf_rows && tail_0 <= taken);
        assert ((acc_valid & ~pipe) == 24'd0);
",
        waiting = waiting.join(" + "),
        room = design.room(),
        rows = design.input_rows(),
        largest = design.largest(),
    );
    let mut stages = Vec::new();
    for s in 0..log {
        let n = p >> (s + 1);
        let _ = writeln!(text, "        assert ((valid_{s} & ~pipe) == 24'd0);");
        let _ = writeln!(
            text,
            "        assert (waiting_s{s} <= 3'd{} && (waiting_s{s} & 3'd{}) == 3'd0);",
            p - n,
            n - 1
        );
        stages.extend((0..depth).map(|j| format!("valid_{s}[{j}]")));
    }
    let in_stages = count(stages.into_iter());
    let flight = |k: u32| count((0..depth).map(|j| format!("acc_valid[{j}] & (acc_level_{j} == 4'd{k})")));
    let _ = write!(
        text,
        "        // No row is lost in the stages.
        if (forward) assert (given + {in_stages} == head_0);
        else assert (tail_0 + {in_stages} == taken);
"
    );
    for k in 0..nk {
        let _ = writeln!(
            text,
            "        assert (waiting_{k} < 3'd{p} && head_{k} <= tail_{k} && tail_{k} <= leaves);"
        );
        let _ = writeln!(
            text,
            "        if (!forward) assert (!head_{k}[0] && (4'd{k} < levels || tail_{k} == 13'd0));"
        );
        let _ = writeln!(
            text,
            "        if (forward && 4'd{k} >= levels - 4'd1) assert (tail_{k} == (4'd{k} == levels - 4'd1 ? 13'd2 : 13'd0));"
        );
        if k > 0 {
            let _ = write!(
                text,
                "        // A word of level {k} for each pair of the level below, or a pair below for each word.
        if (!forward && (4'd{k} < levels || state != DRAIN)) assert (head_{below} == ((tail_{k} + {above}) << 1));
        if (forward && 4'd{k} < levels) assert (tail_{below} + ((({under})) << 1) == (head_{k} << 1));
",
                below = k - 1,
                above = flight(k),
                under = flight(k - 1),
            );
        }
    }
    // Nothing but these levels is in flight.
    for j in 0..depth {
        let _ = writeln!(
            text,
            "        if (acc_valid[{j}]) assert (forward ? acc_level_{j} + 4'd1 < levels : acc_level_{j} != 4'd0 && acc_level_{j} <= levels);"
        );
    }
    text + "    end\n"
}

/// Units for which theorems are proved: the number of elements, and the largest log2 of the number of leaves.
pub const PROVED: [(u32, u32); 2] = [(2, 7), (4, 5)];

/// The theorems about units of the given sizes, in the form of [`PROVED`].
pub fn theorems(sizes: &[(u32, u32)]) -> Vec<Theorem> {
    let theorem = |&(pes, largest): &(u32, u32)| {
        let design = Design::new(pes).small(largest, [3, 4, 2, 4]);
        let module = control::module("theorem", &design);
        let (_, module) = module.split_once("module theorem (").unwrap_or_default();
        let body = module.strip_suffix("endmodule\n").unwrap_or(module);
        Theorem {
            title: format!(
                "no node is lost, none is written twice, no buffer overflows in a unit of {pes} elements"
            ),
            text: format!("{}module theorem ({body}{}endmodule\n", order(&design), assertions(&design)),
            clocked: true,
        }
    };
    sizes.iter().map(theorem).collect()
}
