// The instruction memories: a word, or two that follow each other, in the cycle of its address.
module pairing_l1_memory (
    input  wire clk,
    input  wire [0:0] write,
    input  wire [9:0] write_address,
    input  wire [31:0] write_word,
    input  wire [9:0] address,
    output wire [31:0] word
);
    reg [31:0] words [0:pairing_pkg::L1_WORDS-1];
    always @(posedge clk) if (write) words[write_address] <= write_word;
    assign word = words[address];
endmodule

module pairing_l2_memory (
    input  wire clk,
    input  wire [0:0] write,
    input  wire [9:0] write_address,
    input  wire [31:0] write_word,
    input  wire [9:0] address_0,
    input  wire [9:0] address_1,
    output wire [31:0] word_0,
    output wire [31:0] word_1
);
    reg [31:0] words [0:pairing_pkg::L2_WORDS-1];
    always @(posedge clk) if (write) words[write_address] <= write_word;
    assign word_0 = words[address_0];
    assign word_1 = words[address_1];
endmodule

// Control of the pairing processor: everything but the values and where they are kept.
module pairing_control (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [0:0] start,
    // A word for an instruction memory.
    input  wire [0:0] load_l1,
    input  wire [0:0] load_l2,
    input  wire [9:0] load_address,
    input  wire [31:0] load_word,
    // The first coefficient of the global bank's row `scan_row`.
    input  wire [pairing_pkg::BITS-1:0] scan_value,
    output wire [7:0] scan_row,
    output wire [2:0] state,
    output wire [3:0] cause,
    // Register banks are read.
    output wire [0:0] decodes,
    output wire [3:0] reads,
    output wire [7:0] read_banks,
    output wire [3:0] read_ports,
    output wire [29:0] port_rows,
    // A slot issues.
    output wire [0:0] mm_issues,
    output wire [0:0] mm_word,
    output wire [0:0] arith_issues,
    output wire [0:0] arith_word,
    output wire [0:0] inv_issues,
    output wire [5:0] arith_kind,
    output wire [3:0] forwarded,
    output wire [3:0] on_path2,
    output wire [7:0] channels,
    // Results are shown and written.
    output wire [2:0] shown,
    output wire [2:0] writes,
    output wire [5:0] write_channels,
    output wire [14:0] write_rows,
    // The inverter's products.
    output wire [0:0] inv_enters,
    output wire [0:0] inv_left_base,
    output wire [0:0] inv_right_base,
    output wire [0:0] inv_left_fresh,
    output wire [0:0] inv_right_fresh,
    output wire [0:0] inv_keeps_power,
    output wire [0:0] inv_keeps_base,
    // The switcher.
    output wire [0:0] reads_global,
    output wire [0:0] writes_global,
    output wire [7:0] global_row,
    output wire [1:0] local_bank,
    output wire [4:0] local_row
);
    wire [10:0] l1_fetch, l2_fetch;
    wire [31:0] l1_word, l2_word_0, l2_word_1;
    wire [9:0] l2_second = l2_fetch[9:0] + 10'd1;
    pairing_l1_memory l1 (
        .clk(clk), .write(load_l1 & en), .write_address(load_address), .write_word(load_word),
        .address(l1_fetch[9:0]), .word(l1_word)
    );
    pairing_l2_memory l2 (
        .clk(clk), .write(load_l2 & en), .write_address(load_address), .write_word(load_word),
        .address_0(l2_fetch[9:0]), .address_1(l2_second), .word_0(l2_word_0), .word_1(l2_word_1)
    );
    wire [0:0] another, inverted, flight, call, fill_ends, move, move_outward, moved;
    wire [9:0] call_address, move_length;
    wire [15:0] call_count;
    wire [7:0] move_row;
    wire [6:0] move_place;
    wire [3:0] front_refused, move_refused;
    pairing_sequencer sequencer (
        .clk(clk), .rst(rst), .en(en), .start(start), .word(l1_word), .fetch(l1_fetch), .scan_value(scan_value),
        .scan_row(scan_row), .another(another), .inverts(inv_issues), .inverted(inverted), .flight(flight),
        .refused(front_refused | move_refused), .call(call), .call_address(call_address), .call_count(call_count),
        .fill_ends(fill_ends), .move(move), .move_length(move_length), .move_outward(move_outward), .move_row(move_row),
        .move_place(move_place), .moved(moved), .state(state), .cause(cause)
    );
    pairing_front front (
        .clk(clk), .rst(rst), .en(en), .state(state), .fill_ends(fill_ends), .call(call), .call_address(call_address),
        .call_count(call_count), .fetch(l2_fetch), .word_0(l2_word_0), .word_1(l2_word_1), .decodes(decodes), .reads(reads),
        .read_banks(read_banks), .read_ports(read_ports), .port_rows(port_rows), .mm_issues(mm_issues), .mm_word(mm_word),
        .arith_issues(arith_issues), .arith_word(arith_word), .inv_issues(inv_issues), .arith_kind(arith_kind),
        .forwarded(forwarded), .on_path2(on_path2), .channels(channels), .shown(shown), .writes(writes),
        .write_channels(write_channels), .write_rows(write_rows), .another(another), .flight(flight), .refused(front_refused)
    );
    wire [0:0] inverting = state == 3'd3;
    generate
        if (pairing_pkg::PARALLEL) begin : chain
            pairing_inverter_parallel inverter (
                .clk(clk), .rst(rst), .en(en), .start(inv_issues), .active(inverting), .enters(inv_enters),
                .left_base(inv_left_base), .right_base(inv_right_base), .left_fresh(inv_left_fresh),
                .right_fresh(inv_right_fresh), .keeps_power(inv_keeps_power), .keeps_base(inv_keeps_base), .ends(inverted)
            );
        end else begin : chain
            pairing_inverter_always inverter (
                .clk(clk), .rst(rst), .en(en), .start(inv_issues), .active(inverting), .enters(inv_enters),
                .left_base(inv_left_base), .right_base(inv_right_base), .left_fresh(inv_left_fresh),
                .right_fresh(inv_right_fresh), .keeps_power(inv_keeps_power), .keeps_base(inv_keeps_base), .ends(inverted)
            );
        end
    endgenerate
    pairing_switcher switcher (
        .clk(clk), .en(en), .begins(move), .active(state == 3'd5), .length(move_length), .outward(move_outward),
        .row(move_row), .place(move_place), .ends(moved), .reads_global(reads_global), .writes_global(writes_global),
        .global_row(global_row), .local_bank(local_bank), .local_row(local_row), .refused(move_refused)
    );
endmodule
