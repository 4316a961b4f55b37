// The L1 program: fetch, dispatch, loops, scan registers, and what the processor is doing. An instruction that follows a routine or
// a move is fetched while that runs, and executes at its last edge.
module pairing_sequencer (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [0:0] start,
    // The word at `fetch`.
    input  wire [31:0] word,
    output wire [10:0] fetch,
    // The first coefficient of the global bank's row `scan_row`.
    input  wire [pairing_pkg::BITS-1:0] scan_value,
    output wire [7:0] scan_row,
    // What the routine under way needs.
    input  wire [0:0] another,
    input  wire [0:0] inverts,
    input  wire [0:0] inverted,
    input  wire [0:0] flight,
    input  wire [3:0] refused,
    output wire [0:0] call,
    output wire [9:0] call_address,
    output wire [15:0] call_count,
    output wire [0:0] fill_ends,
    // The switcher.
    output wire [0:0] move,
    output wire [9:0] move_length,
    output wire [0:0] move_outward,
    output wire [7:0] move_row,
    output wire [6:0] move_place,
    input  wire [0:0] moved,
    // Idle, dispatch, fill, issue, inversion, drain, switch, or stopped by an instruction that cannot be executed.
    output reg  [2:0] state,
    output reg  [3:0] cause
);
    localparam [2:0] DISPATCH = 3'd0, FILL = 3'd1, ISSUE = 3'd2, INVERSION = 3'd3, DRAIN = 3'd4, SWITCH = 3'd5;
    localparam [2:0] IDLE = 3'd6, TRAP = 3'd7;
    reg [10:0] pc;
    reg [4:0] wait_left;
    reg [15:0] count_0, count_1, count_2;
    reg [pairing_pkg::BITS-1:0] scan_0, scan_1, scan_2;
    reg [8:0] left_0, left_1, left_2;

    wire [0:0] i_call, i_move, i_load, i_jump, i_scan, i_loop, i_finish, i_legal;
    wire [1:0] which;
    wire [9:0] address;
    wire [15:0] count;
    wire [9:0] length;
    pairing_l1_decode decode_0 (
        .word(word), .call(i_call), .move(i_move), .load_scan(i_load), .jump(i_jump), .scan(i_scan), .loop(i_loop),
        .finish(i_finish), .legal(i_legal), .which(which), .address(address), .count(count), .length(length),
        .outward(move_outward), .row(scan_row), .place(move_place)
    );

    // What ends in this cycle, and what is executed at its edge.
    wire [0:0] waited = wait_left == 5'd0;
    assign fill_ends = (state == FILL) & waited;
    wire [0:0] routine_ends = !flight & ((state == ISSUE) & !another | (state == DRAIN));
    wire [0:0] busy_ends = routine_ends | (state == SWITCH) & moved;
    wire [0:0] dispatched = (state == DISPATCH) & waited;
    wire [0:0] execute = dispatched | busy_ends & pairing_pkg::PREFETCH;
    wire [10:0] after = pc + 11'd1;
    wire [10:0] current = (state == DISPATCH) ? pc : after;
    assign fetch = current;

    // The registers that it names.
    wire [15:0] counted = which[1] ? count_2 : which[0] ? count_1 : count_0;
    wire [8:0] left = which[1] ? left_2 : which[0] ? left_1 : left_0;
    wire [pairing_pkg::BITS-1:0] scanned = which[1] ? scan_2 : which[0] ? scan_1 : scan_0;
    wire [0:0] goes_round = counted < count;
    wire [8:0] left_less = left - 9'd1;
    // Bits above those of an element are zero.
    wire [0:0] bit_now = (left_less < pairing_pkg::SCAN_BITS) & scanned[left_less];
    wire [0:0] taken = i_jump | i_loop & goes_round | i_scan & !bit_now;
    wire [0:0] illegal = !i_legal | current[10];
    wire [0:0] empty = i_scan & (left == 9'd0);
    wire [0:0] does = execute & !illegal & !empty & (refused == 4'd0);
    assign call = does & i_call;
    assign call_address = address;
    assign call_count = count;
    assign move = does & i_move;
    assign move_length = length;
    assign move_row = scan_row;

    wire [3:0] l1_cause = illegal ? pairing_pkg::ILLEGAL : empty ? pairing_pkg::SCAN_EMPTY : 4'd0;
    wire [3:0] trapped = (refused != 4'd0) ? refused : execute ? l1_cause : 4'd0;
    wire [2:0] executed = i_call ? FILL : i_move ? SWITCH : i_finish ? IDLE : DISPATCH;
    wire [2:0] next_state =
        (trapped != 4'd0) ? TRAP :
        execute ? executed :
        busy_ends ? DISPATCH :
        fill_ends ? ISSUE :
        (state == ISSUE) & inverts ? INVERSION :
        (state == ISSUE) & !another ? DRAIN :
        (state == INVERSION) & inverted ? (another ? ISSUE : DRAIN) :
        (state == IDLE) & start ? DISPATCH :
        state;
    wire [10:0] next_pc = (i_call | i_move) ? current : taken ? {1'd0, address} : current + 11'd1;
    always @(posedge clk) begin
        if (rst) state <= IDLE;
        else if (en) state <= next_state;
    end
    always @(posedge clk) begin
        if (rst) cause <= 4'd0;
        else if (en & (state != TRAP)) cause <= trapped;
    end
    always @(posedge clk) if (en) begin
        pc <= (state == IDLE) ? 11'd0 : execute ? next_pc : busy_ends ? after : pc;
        wait_left <= ((next_state != state) | execute) ? ((next_state == FILL) ? pairing_pkg::FILL - 5'd1 : pairing_pkg::DISPATCH - 5'd1) :
            wait_left - 5'd1;
    end
    wire [0:0] counts = does & (i_jump | i_loop);
    wire [15:0] count_next = i_loop & goes_round ? counted + 16'd1 : 16'd0;
    wire [0:0] scans = does & (i_load | i_scan);
    wire [8:0] left_next = i_load ? length[8:0] + 9'd1 : left_less;
    wire [2:0] named = {which[1], which[0], which == 2'd0};
    wire [0:0] begins = state == IDLE;
    always @(posedge clk) if (en) begin
        if (begins | counts & named[0]) count_0 <= begins ? 16'd0 : count_next;
        if (begins | counts & named[1]) count_1 <= begins ? 16'd0 : count_next;
        if (begins | counts & named[2]) count_2 <= begins ? 16'd0 : count_next;
        if (begins | scans & named[0]) left_0 <= begins ? 9'd0 : left_next;
        if (begins | scans & named[1]) left_1 <= begins ? 9'd0 : left_next;
        if (begins | scans & named[2]) left_2 <= begins ? 9'd0 : left_next;
        if (does & i_load & named[0]) scan_0 <= scan_value;
        if (does & i_load & named[1]) scan_1 <= scan_value;
        if (does & i_load & named[2]) scan_2 <= scan_value;
    end
endmodule
