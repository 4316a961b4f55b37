// Slots of routines: fetch, decode, hazards, issue, and where results go. Words of a slot are decoded, and their rows read, in the
// cycle before; a slot has one word, or two in a design that issues two.
module pairing_front (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [2:0] state,
    input  wire [0:0] fill_ends,
    // A call at the edge.
    input  wire [0:0] call,
    input  wire [9:0] call_address,
    input  wire [15:0] call_count,
    // The words at `fetch` and after it.
    output wire [10:0] fetch,
    input  wire [31:0] word_0,
    input  wire [31:0] word_1,
    // Rows that are read: for every operand whether it reads, its bank, and the port; for every port its row.
    output wire [0:0] decodes,
    output wire [3:0] reads,
    output wire [7:0] read_banks,
    output wire [3:0] read_ports,
    output wire [29:0] port_rows,
    // The slot that issues: which word goes to which channel, and where operands come from.
    output wire [0:0] mm_issues,
    output wire [0:0] mm_word,
    output wire [0:0] arith_issues,
    output wire [0:0] arith_word,
    output wire [0:0] inv_issues,
    output wire [5:0] arith_kind,
    output wire [3:0] forwarded,
    output wire [3:0] on_path2,
    output wire [7:0] channels,
    // Results: which channels show one, and for every bank whether it is written, by which channel, and the row.
    output wire [2:0] shown,
    output wire [2:0] writes,
    output wire [5:0] write_channels,
    output wire [14:0] write_rows,
    output wire [0:0] another,
    output wire [0:0] flight,
    output wire [3:0] refused
);
    localparam [2:0] ISSUE = 3'd2, INVERSION = 3'd3, DRAIN = 3'd4;
    localparam MM = pairing_pkg::MM_LATENCY, ARITH = pairing_pkg::ARITH_LATENCY;
    wire [0:0] issues = state == ISSUE;
    wire [0:0] moves = state != INVERSION;

    // Where the routine is.
    reg [10:0] pc;
    reg [9:0] routine;
    reg [15:0] left;
    reg [0:0] now_last, pending;
    wire [0:0] goes_on = !now_last | (left != 16'd0);
    assign another = issues ? goes_on : pending;
    assign decodes = fill_ends | issues & goes_on;
    assign fetch = pc;

    // The words of the next slot.
    wire [1:0] d_mm, d_arith, d_inv, d_path2, d_last, d_with, d_legal;
    wire [11:0] d_kind;
    wire [3:0] d_uses, d_forwarded;
    wire [7:0] d_banks;
    wire [19:0] d_rows;
    wire [15:0] d_to;
    pairing_l2_decode decode_0 (
        .word(word_0), .mm(d_mm[0]), .arith(d_arith[0]), .inv(d_inv[0]), .kind(d_kind[5:0]), .uses(d_uses[1:0]),
        .forwarded(d_forwarded[1:0]), .bank0(d_banks[1:0]), .row0(d_rows[4:0]), .bank1(d_banks[3:2]), .row1(d_rows[9:5]),
        .to(d_to[7:0]), .path2(d_path2[0]), .last(d_last[0]), .with_next(d_with[0]), .legal(d_legal[0])
    );
    pairing_l2_decode decode_1 (
        .word(word_1), .mm(d_mm[1]), .arith(d_arith[1]), .inv(d_inv[1]), .kind(d_kind[11:6]), .uses(d_uses[3:2]),
        .forwarded(d_forwarded[3:2]), .bank0(d_banks[5:4]), .row0(d_rows[14:10]), .bank1(d_banks[7:6]), .row1(d_rows[19:15]),
        .to(d_to[15:8]), .path2(d_path2[1]), .last(d_last[1]), .with_next(d_with[1]), .legal(d_legal[1])
    );
    wire [0:0] pair = pairing_pkg::DUAL & d_with[0];
    wire [10:0] step = pair ? 11'd2 : 11'd1;
    wire [0:0] bad_word = pc[10] | !d_legal[0];
    wire [0:0] mixed = d_mm[0] & d_arith[1] | d_arith[0] & d_mm[1];
    wire [0:0] bad_second = pair & ((pc == 11'd1023) | !d_legal[1]);
    wire [0:0] bad_pair = d_with[0] & (!pairing_pkg::DUAL | d_with[1] | !mixed);

    // Ports: a row that several operands want is read once; the first of a bank takes its first port.
    wire [3:0] wants = d_uses & ~d_forwarded & {{2{pair}}, 2'b11};
    wire [0:0] bank_10 = wants[0] & (d_banks[1:0] == d_banks[3:2]), same_10 = bank_10 & (d_rows[4:0] == d_rows[9:5]);
    wire [0:0] bank_20 = wants[0] & (d_banks[1:0] == d_banks[5:4]), same_20 = bank_20 & (d_rows[4:0] == d_rows[14:10]);
    wire [0:0] bank_21 = wants[1] & (d_banks[3:2] == d_banks[5:4]), same_21 = bank_21 & (d_rows[9:5] == d_rows[14:10]);
    wire [0:0] bank_30 = wants[0] & (d_banks[1:0] == d_banks[7:6]), same_30 = bank_30 & (d_rows[4:0] == d_rows[19:15]);
    wire [0:0] bank_31 = wants[1] & (d_banks[3:2] == d_banks[7:6]), same_31 = bank_31 & (d_rows[9:5] == d_rows[19:15]);
    wire [0:0] bank_32 = wants[2] & (d_banks[5:4] == d_banks[7:6]), same_32 = bank_32 & (d_rows[14:10] == d_rows[19:15]);
    wire [0:0] first_0 = wants[0];
    wire [0:0] first_1 = wants[1] & !same_10;
    wire [0:0] first_2 = wants[2] & !(same_20 | same_21);
    wire [0:0] first_3 = wants[3] & !(same_30 | same_31 | same_32);
    wire [3:0] first = {first_3, first_2, first_1, first_0};
    // How many rows of the bank others read before; the second row comes through the second port, a third has none.
    wire [0:0] ahead_20 = bank_20, ahead_21 = bank_21 & first_1;
    wire [0:0] ahead_30 = bank_30, ahead_31 = bank_31 & first_1, ahead_32 = bank_32 & first_2;
    wire [0:0] port_own_1 = bank_10;
    wire [0:0] port_own_2 = ahead_20 ^ ahead_21;
    wire [0:0] port_own_3 = ahead_30 ^ ahead_31 ^ ahead_32;
    wire [0:0] many_2 = ahead_20 & ahead_21;
    wire [0:0] many_3 = (ahead_30 & ahead_31) | (ahead_30 & ahead_32) | (ahead_31 & ahead_32);
    wire [3:0] second = {port_own_3, port_own_2, port_own_1, 1'b0} & first;
    assign read_ports = {
        wants[3] & (first_3 ? port_own_3 : (same_31 & second[1]) | (same_32 & second[2])),
        wants[2] & (first_2 ? port_own_2 : same_21 & second[1]),
        first_1 & port_own_1,
        1'b0
    };
    wire [0:0] too_many = first_2 & many_2 | first_3 & many_3;
    genvar j, b;
    generate
        for (b = 0; b < 3; b = b + 1) begin : bank
            wire [3:0] of_bank = {
                d_banks[7:6] == b[1:0], d_banks[5:4] == b[1:0], d_banks[3:2] == b[1:0], d_banks[1:0] == b[1:0]
            } & first;
            wire [3:0] port_0 = of_bank & ~second;
            wire [3:0] port_1 = of_bank & second;
            assign port_rows[10*b +: 5] =
                {5{port_0[0]}} & d_rows[4:0] | {5{port_0[1]}} & d_rows[9:5] |
                {5{port_0[2]}} & d_rows[14:10] | {5{port_0[3]}} & d_rows[19:15];
            assign port_rows[10*b+5 +: 5] =
                {5{port_1[0]}} & d_rows[4:0] | {5{port_1[1]}} & d_rows[9:5] |
                {5{port_1[2]}} & d_rows[14:10] | {5{port_1[3]}} & d_rows[19:15];
        end
    endgenerate
    assign reads = wants & {4{decodes}};
    assign read_banks = d_banks;

    // The words of this slot.
    reg [1:0] now_mm, now_arith, now_inv, now_path2;
    reg [11:0] now_kind;
    reg [3:0] now_forwarded;
    reg [7:0] now_channels;
    reg [15:0] now_to;
    assign mm_issues = issues & (|now_mm);
    assign mm_word = now_mm[1];
    assign arith_issues = issues & (|now_arith);
    assign arith_word = now_arith[1];
    assign inv_issues = issues & now_inv[0];
    assign arith_kind = now_arith[1] ? now_kind[11:6] : now_kind[5:0];
    assign forwarded = now_forwarded;
    assign on_path2 = {{2{now_path2[1]}}, {2{now_path2[0]}}};
    assign channels = now_channels;

    // Results in flight with where they go: whether they are written, the bank, the row.
    reg [MM-1:0] mm_valid;
    reg [8*MM-1:0] mm_to;
    reg [ARITH-1:0] arith_valid;
    reg [8*ARITH-1:0] arith_to;
    reg [0:0] inv_valid;
    reg [7:0] inv_to;
    reg [2:0] held;
    localparam [MM-1:0] MM_REST = {MM{1'b1}} >> 1;
    localparam [ARITH-1:0] ARITH_REST = {ARITH{1'b1}} >> 1;
    assign shown = {inv_valid, arith_valid[ARITH-1], mm_valid[MM-1]};
    wire [0:0] working = |(mm_valid & MM_REST);
    assign flight = mm_issues | arith_issues | inv_issues | working | (|(arith_valid & ARITH_REST));
    wire [0:0] writing = issues | (state == DRAIN);
    wire [7:0] mm_writes = mm_to[8*MM-1 -: 8];
    wire [7:0] arith_writes = arith_to[8*ARITH-1 -: 8];
    wire [2:0] stored = {3{writing}} & shown & {inv_to[7], arith_writes[7], mm_writes[7]};
    wire [2:0] collide;
    generate
        for (b = 0; b < 3; b = b + 1) begin : written
            wire [2:0] of_bank = stored & {
                inv_to[6:5] == b[1:0], arith_writes[6:5] == b[1:0], mm_writes[6:5] == b[1:0]
            };
            assign writes[b] = |of_bank;
            assign write_channels[2*b +: 2] = {of_bank[2], of_bank[1]};
            assign write_rows[5*b +: 5] =
                {5{of_bank[0]}} & mm_writes[4:0] | {5{of_bank[1]}} & arith_writes[4:0] | {5{of_bank[2]}} & inv_to[4:0];
            assign collide[b] = (of_bank[0] & of_bank[1]) | (of_bank[0] & of_bank[2]) | (of_bank[1] & of_bank[2]);
        end
    endgenerate

    // What hardware cannot do stops it, in the order of a cycle: results, forwarded operands, the next slot's words, the channels.
    wire [3:0] nothing, missing;
    generate
        for (j = 0; j < 4; j = j + 1) begin : source
            wire [0:0] two = now_path2[j/2];
            wire [2:0] there = two ? shown : held;
            wire [1:0] channel = now_channels[2*j +: 2];
            wire [0:0] full = (channel[1] ? there[2] : channel[0] ? there[1] : there[0]);
            assign missing[j] = now_forwarded[j] & !(two ? pairing_pkg::PATH2 : pairing_pkg::PATH1);
            assign nothing[j] = now_forwarded[j] & !full;
        end
    endgenerate
    wire [0:0] cannot_forward = issues & (|(missing | nothing));
    wire [3:0] word_cause =
        (bad_word | bad_second) ? pairing_pkg::ILLEGAL : bad_pair ? pairing_pkg::BAD_PAIR : too_many ? pairing_pkg::READ_PORTS : 4'd0;
    assign refused =
        (collide != 3'd0) ? pairing_pkg::WRITE_PORTS :
        cannot_forward ? pairing_pkg::NOT_FORWARDED :
        decodes & (word_cause != 4'd0) ? word_cause :
        inv_issues & working ? pairing_pkg::IN_FLIGHT :
        4'd0;

    always @(posedge clk) if (en) begin
        if (call) begin
            pc <= {1'd0, call_address};
            routine <= call_address;
            left <= call_count;
        end else if (decodes) pc <= (pair ? d_last[1] : d_last[0]) ? {1'd0, routine} : pc + step;
        if (!call & issues & now_last & (left != 16'd0)) left <= left - 16'd1;
        if (issues) pending <= goes_on;
        if (decodes) begin
            now_last <= pair ? d_last[1] : d_last[0];
            now_mm <= d_mm & {pair, 1'b1};
            now_arith <= d_arith & {pair, 1'b1};
            now_inv <= d_inv & {pair, 1'b1};
            now_path2 <= d_path2;
            now_kind <= d_kind;
            now_forwarded <= d_forwarded & {{2{pair}}, 2'b11};
            now_channels <= d_banks;
            now_to <= d_to;
        end
    end
    always @(posedge clk) begin
        if (rst) mm_valid <= {MM{1'b0}};
        else if (en & moves) mm_valid <= {mm_valid[MM-2:0], mm_issues};
    end
    always @(posedge clk) begin
        if (rst) inv_valid <= 1'd0;
        else if (en & moves) inv_valid <= inv_issues;
    end
    always @(posedge clk) begin
        if (rst) held <= 3'd0;
        else if (en & moves) held <= shown;
    end
    generate
        if (ARITH == 1) begin : single
            always @(posedge clk) begin
                if (rst) arith_valid <= 1'd0;
                else if (en & moves) arith_valid <= arith_issues;
            end
            always @(posedge clk) if (en & moves) arith_to <= now_arith[1] ? now_to[15:8] : now_to[7:0];
        end else begin : several
            always @(posedge clk) begin
                if (rst) arith_valid <= {ARITH{1'b0}};
                else if (en & moves) arith_valid <= {arith_valid[ARITH-2:0], arith_issues};
            end
            always @(posedge clk)
                if (en & moves) arith_to <= {arith_to[8*ARITH-9:0], now_arith[1] ? now_to[15:8] : now_to[7:0]};
        end
    endgenerate
    always @(posedge clk) if (en & moves) begin
        mm_to <= {mm_to[8*MM-9:0], now_mm[1] ? now_to[15:8] : now_to[7:0]};
        inv_to <= now_to[7:0];
    end
endmodule
