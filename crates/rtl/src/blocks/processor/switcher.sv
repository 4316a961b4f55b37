// The memory switcher: a row a cycle between consecutive rows of the global bank and consecutive places of the register banks, which
// lie in one bank after the other.
module pairing_switcher (
    input  wire clk,
    input  wire [0:0] en,
    input  wire [0:0] begins,
    input  wire [0:0] active,
    input  wire [9:0] length,
    input  wire [0:0] outward,
    input  wire [7:0] row,
    input  wire [6:0] place,
    output wire [0:0] ends,
    output wire [0:0] reads_global,
    output wire [0:0] writes_global,
    output reg  [7:0] global_row,
    output reg  [1:0] local_bank,
    output reg  [4:0] local_row,
    output wire [3:0] refused
);
    reg [6:0] left;
    reg [0:0] goes_out, past_global, past_local;
    // A third of the place: 171/512 is near enough below 256.
    wire [14:0] scaled = {8'd0, place} * 15'd171;
    wire [4:0] third = scaled[13:9];
    wire [6:0] rest = place - {2'd0, third} - {1'd0, third, 1'b0};
    wire [0:0] wraps = local_bank == 2'd2;
    assign ends = left == 7'd0;
    assign reads_global = active & !goes_out;
    assign writes_global = active & goes_out;
    assign refused = active & (past_global | past_local) ? pairing_pkg::BAD_ROW : 4'd0;
    always @(posedge clk) if (en) begin
        if (begins) begin
            left <= length[6:0];
            goes_out <= outward;
            past_global <= 1'd0;
            past_local <= 1'd0;
            global_row <= row;
            local_bank <= rest[1:0];
            local_row <= third;
        end else if (active) begin
            left <= left - 7'd1;
            past_global <= past_global | (global_row == 8'd255);
            past_local <= past_local | wraps & (local_row == 5'd31);
            global_row <= global_row + 8'd1;
            local_bank <= wraps ? 2'd0 : local_bank + 2'd1;
            local_row <= local_row + {4'd0, wraps};
        end
    end
endmodule
