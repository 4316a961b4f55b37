//! Invariants of the engine's control, proved by induction over time on an engine with four buckets, points of three
//! bits and an adder latency of three cycles: the arbiter and the queues do not depend on the values of points.

use super::{TAG, assemble, control, fifo};
use crate::prove::Theorem;

/// Width of a window and of a coordinate in the theorems, in bits.
const WINDOW: u32 = 2;
const COORDINATE: u32 = 1;

/// A substitute adder that combines coordinates by exclusive or, in three cycles.
const ADDER: &str = "\
module theorem_padd (
    input  wire clk, input wire [0:0] rst, input wire [0:0] en, input wire [0:0] in_valid, input wire [TAG:0] in_to,
    input  wire [0:0] x1, input wire [0:0] y1, input wire [0:0] z1, input wire [0:0] x2, input wire [0:0] y2, input wire [0:0] z2,
    output wire [0:0] out_valid, output wire [TAG:0] out_to, output wire [0:0] busy, output wire [0:0] x3, output wire [0:0] y3, output wire [0:0] z3
);
    reg [2:0] valid;
    reg [TAG:0] to_0, to_1, to_2;
    reg [2:0] p_0, p_1, p_2;
    always @(posedge clk) begin
        if (rst) valid <= 3'd0;
        else if (en) valid <= {valid[1:0], in_valid};
    end
    always @(posedge clk) if (en) begin
        to_0 <= in_to; to_1 <= to_0; to_2 <= to_1;
        p_0 <= {z1 ^ z2, y1 ^ y2, x1 ^ x2}; p_1 <= p_0; p_2 <= p_1;
    end
    assign out_valid = valid[2];
    assign out_to = to_2;
    assign busy = valid != 3'd0;
    assign {z3, y3, x3} = p_2;
endmodule
";

/// The assertion that counts points: the number held equals the number received minus one for each addition.
const COUNTS: &str = "
    reg [7:0] entered, inside;
    wire [0:0] leaves = padd_valid & ~stuck;
    always @(posedge clk) begin
        if (rst) begin
            entered <= 8'd0;
            inside <= 8'd0;
        end else if (en) begin
            entered <= entered + {7'd0, push} - {7'd0, starts};
            inside <= inside + {7'd0, starts} - {7'd0, leaves};
        end
    end
    wire [7:0] there = {6'd0, fetch_count} + {6'd0, staged_valid, 1'd0} + {4'd0, queue_count, 1'd0} + inside + {6'd0, results_count}
        + {7'd0, occupied[0]} + {7'd0, occupied[1]} + {7'd0, occupied[2]} + {7'd0, occupied[3]};
    always @* if (!rst) begin
        assert (phase == 2'd0);
        // No point is lost, and none comes about.
        assert (there == entered);
        // A bucket is written when it is empty, read when it is not, and never both.
        if (bucket_write) assert (!occupied[bucket_row]);
        if (bucket_read) assert (occupied[read_row]);
        // The queues have room for what comes.
        assert (queue_count <= 3'd4 && {1'd0, queue_count} + {3'd0, staged_valid} <= 4'd4);
        assert (fetch_count <= 2'd2 && results_count <= 2'd2);
        if (point_pop) assert (point);
        if (result_pop) assert (result);
    end
";

/// A queue of another construction for comparison: a ring buffer with two pointers.
const ORDER: &str = "
    reg [7:0] ring;
    reg [1:0] head, tail;
    always @(posedge clk) begin
        if (rst) begin
            head <= 2'd0;
            tail <= 2'd0;
        end else if (en) begin
            if (push) ring[{tail, 1'd0} +: 2] <= in;
            tail <= tail + {1'd0, push};
            head <= head + {1'd0, pop};
        end
    end
    wire [1:0] place_1 = head + 2'd1;
    wire [1:0] place_2 = head + 2'd2;
    wire [1:0] place_3 = head + 2'd3;
    always @* begin
        assume (!push || count < 3'd4);
        assume (!pop || count != 3'd0);
        if (!rst) begin
            // What is left by the one is left by the other, in this order.
            assert (count <= 3'd4 && tail == head + count[1:0]);
            if (count > 3'd0) assert (front == ring[{head, 1'd0} +: 2]);
            if (count > 3'd1) assert (cell_1 == ring[{place_1, 1'd0} +: 2]);
            if (count > 3'd2) assert (cell_2 == ring[{place_2, 1'd0} +: 2]);
            if (count > 3'd3) assert (cell_3 == ring[{place_3, 1'd0} +: 2]);
        end
    end
endmodule
";

/// The theorems about the engine's control.
pub fn theorems() -> Vec<Theorem> {
    let adder = ADDER.replace("TAG", &(TAG - 1).to_string());
    let modules = assemble("theorem", COORDINATE, WINDOW, &adder);
    let inputs = format!(
        "input wire clk, input wire [0:0] rst, input wire [0:0] en, input wire [0:0] in_valid, input wire [{id}:0] in_to, input wire [0:0] \
         in_x, input wire [0:0] in_y, input wire [0:0] in_z",
        id = WINDOW - 1
    );
    let outputs = "output wire [0:0] in_ready, output wire [0:0] idle, output wire [0:0] out_valid, output wire [0:0] out_there, output \
                   wire [2:0] out_sum";
    // Bucket accumulation alone, without commands.
    let arbiter = format!(
        "{modules}module theorem ({inputs}, {outputs});\n    wire [1:0] command = 2'd0;\n    wire [5:0] command_window = 6'd0;\n{}{}endmodule\n",
        control("theorem", COORDINATE, WINDOW),
        COUNTS,
    );
    let queue = fifo("theorem", 4, 2).replace("endmodule\n", ORDER);
    vec![
        Theorem {
            title: "no point is lost by the arbiter, no bucket overwritten".to_owned(),
            text: arbiter,
            clocked: true,
        },
        Theorem {
            title: "the queue before the adder keeps the order of pairs".to_owned(),
            text: queue,
            clocked: true,
        },
    ]
}
