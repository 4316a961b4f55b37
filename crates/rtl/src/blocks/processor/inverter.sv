// The inverter's program: products of Fermat's exponent, a square and a product for every bit from the top down. A product's result
// goes to the register of the running power, from which the next one takes it.
module pairing_inverter_always (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [0:0] start,
    input  wire [0:0] active,
    // A product enters the multiplier: whether its operands are the base instead of the power.
    output wire [0:0] enters,
    output wire [0:0] left_base,
    output wire [0:0] right_base,
    // Operands that the multiplier shows in this cycle.
    output wire [0:0] left_fresh,
    output wire [0:0] right_fresh,
    // What the multiplier shows goes to the power, or to the base.
    output wire [0:0] keeps_power,
    output wire [0:0] keeps_base,
    output wire [0:0] ends
);
    reg [7:0] phase;
    reg [8:0] bit_left;
    reg [0:0] multiplies, begun;
    wire [0:0] one = pairing_pkg::EXPONENT[bit_left];
    wire [0:0] turns = phase == pairing_pkg::INTERVAL - 8'd1;
    assign enters = active & (phase == 8'd0);
    assign left_base = !begun;
    assign right_base = !begun | multiplies;
    assign left_fresh = 1'd0;
    assign right_fresh = 1'd0;
    // Without a set bit the product is thrown away.
    assign keeps_power = active & (phase == pairing_pkg::MM_LATENCY[7:0]) & (!multiplies | one);
    assign keeps_base = 1'd0;
    assign ends = turns & multiplies & (bit_left == 9'd0);
    always @(posedge clk) begin
        if (rst) phase <= 8'd0;
        else if (en) phase <= (start | !active | turns) ? 8'd0 : phase + 8'd1;
    end
    always @(posedge clk) if (en) begin
        begun <= !start & (begun | keeps_power);
        multiplies <= !start & (multiplies ^ (active & turns));
        bit_left <= start ? pairing_pkg::TOP - 9'd1 : bit_left - {8'd0, active & turns & multiplies};
    end
endmodule

// The same from the lowest bit up: a square, and with a set bit a product of the power with what is squared, which follows it into
// the multiplier. Results are operands in the cycle in which the multiplier shows them.
module pairing_inverter_parallel (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [0:0] start,
    input  wire [0:0] active,
    output wire [0:0] enters,
    output wire [0:0] left_base,
    output wire [0:0] right_base,
    output wire [0:0] left_fresh,
    output wire [0:0] right_fresh,
    output wire [0:0] keeps_power,
    output wire [0:0] keeps_base,
    output wire [0:0] ends
);
    localparam [7:0] LATE = pairing_pkg::EXPONENT[pairing_pkg::TOP-1] ? 8'd1 : 8'd0;
    reg [7:0] phase;
    reg [8:0] bit_now;
    reg [0:0] begun, multiplied;
    wire [0:0] one = pairing_pkg::EXPONENT[bit_now];
    wire [0:0] at_top = bit_now == pairing_pkg::TOP;
    wire [0:0] squares = (phase == 8'd0) & !at_top;
    wire [0:0] multiplies = one & (phase == (at_top ? LATE : 8'd1));
    wire [0:0] turns = phase == pairing_pkg::INTERVAL - 8'd1;
    assign enters = active & (squares | multiplies);
    assign left_base = squares;
    assign right_base = 1'd1;
    // The square of the round before is there in the first cycle of a round, its product in the second.
    assign keeps_base = active & begun & (phase == 8'd0);
    assign keeps_power = active & multiplied & (phase == 8'd1);
    assign left_fresh = squares ? keeps_base : keeps_power;
    assign right_fresh = keeps_base;
    assign ends = at_top & (phase == LATE + pairing_pkg::INTERVAL - 8'd1);
    always @(posedge clk) begin
        if (rst) phase <= 8'd0;
        else if (en) phase <= (start | !active | turns & !at_top) ? 8'd0 : phase + 8'd1;
    end
    always @(posedge clk) if (en) begin
        begun <= !start & (begun | active & turns);
        multiplied <= !start & (active & turns ? one : multiplied);
        bit_now <= start ? 9'd0 : bit_now + {8'd0, active & turns & !at_top};
    end
endmodule
