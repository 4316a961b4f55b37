// A register bank: two rows are read in a cycle, one is written at its edge.
module pairing_bank_memory (
    input  wire clk,
    input  wire [0:0] write,
    input  wire [4:0] write_row,
    input  wire [pairing_pkg::ROW-1:0] write_value,
    input  wire [4:0] row_0,
    input  wire [4:0] row_1,
    output wire [pairing_pkg::ROW-1:0] value_0,
    output wire [pairing_pkg::ROW-1:0] value_1
);
    reg [pairing_pkg::ROW-1:0] rows [0:31];
    always @(posedge clk) if (write) rows[write_row] <= write_value;
    assign value_0 = rows[row_0];
    assign value_1 = rows[row_1];
endmodule

// The global bank: a row is read, one is written, and control reads a first coefficient.
module pairing_global_memory (
    input  wire clk,
    input  wire [0:0] write,
    input  wire [7:0] write_row,
    input  wire [pairing_pkg::ROW-1:0] write_value,
    input  wire [7:0] row,
    output wire [pairing_pkg::ROW-1:0] value,
    input  wire [7:0] scan_row,
    output wire [pairing_pkg::ROW-1:0] scan_value
);
    reg [pairing_pkg::ROW-1:0] rows [0:255];
    always @(posedge clk) if (write) rows[write_row] <= write_value;
    assign value = rows[row];
    assign scan_value = rows[scan_row];
endmodule

// Where an operand comes from: a row that was read, or what a channel shows or has shown in the cycle before.
module pairing_operand (
    input  wire [pairing_pkg::ROW-1:0] value,
    input  wire [0:0] forwarded,
    input  wire [0:0] path2,
    input  wire [1:0] channel,
    input  wire [3*pairing_pkg::ROW-1:0] shown,
    input  wire [3*pairing_pkg::ROW-1:0] held,
    output wire [pairing_pkg::ROW-1:0] operand
);
    localparam ROW = pairing_pkg::ROW;
    wire [3*ROW-1:0] path = path2 ? shown : held;
    wire [ROW-1:0] result = channel[1] ? path[2*ROW +: ROW] : channel[0] ? path[ROW +: ROW] : path[0 +: ROW];
    assign operand = forwarded ? result : value;
endmodule

// Sum, difference, product with 1 + u, conjugate, negative and move of elements of Fp2, on two adders.
module pairing_arithmetic (
    input  wire [5:0] kind,
    input  wire [pairing_pkg::ROW-1:0] a,
    input  wire [pairing_pkg::ROW-1:0] b,
    output wire [pairing_pkg::ROW-1:0] c
);
    localparam BITS = pairing_pkg::BITS;
    wire [0:0] sum = kind[0], difference = kind[1], constant = kind[2], conjugate = kind[3], negative = kind[4];
    wire [BITS-1:0] a0 = a[0 +: BITS], a1 = a[BITS +: BITS], b0 = b[0 +: BITS], b1 = b[BITS +: BITS];
    wire [0:0] second = sum | difference;
    wire [BITS-1:0] left_0 = a0 & {BITS{!negative}};
    wire [BITS-1:0] right_0 = second ? b0 : negative ? a0 : a1 & {BITS{constant}};
    wire [BITS-1:0] left_1 = constant ? a0 : a1 & {BITS{!(negative | conjugate)}};
    wire [BITS-1:0] right_1 = second ? b1 : a1 & {BITS{constant | negative | conjugate}};
    pairing_add_sub adder_0 (.a(left_0), .b(right_0), .s(difference | constant | negative), .c(c[0 +: BITS]));
    pairing_add_sub adder_1 (.a(left_1), .b(right_1), .s(difference | conjugate | negative), .c(c[BITS +: BITS]));
endmodule
