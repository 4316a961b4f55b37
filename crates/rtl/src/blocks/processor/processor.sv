// The pairing processor: control, register banks, the global bank with its port to memory, the multiplier and the adders of Fp2, the
// inverter. A row is an element of Fp2, its first coefficient in the lower bits.
module pairing_processor (
    input  wire clk,
    input  wire [0:0] rst,
    input  wire [0:0] en,
    input  wire [0:0] start,
    input  wire [0:0] load_l1,
    input  wire [0:0] load_l2,
    input  wire [9:0] load_address,
    input  wire [31:0] load_word,
    // A row from memory, or to it, when the switcher leaves the global bank alone.
    input  wire [0:0] dma_write,
    input  wire [7:0] dma_row,
    input  wire [pairing_pkg::ROW-1:0] dma_in,
    output wire [0:0] dma_ready,
    output wire [pairing_pkg::ROW-1:0] dma_out,
    output wire [2:0] state,
    output wire [3:0] cause,
    output wire [2:0] writes,
    output wire [14:0] write_rows,
    output wire [5:0] write_channels,
    output wire [2:0] shown
);
    localparam ROW = pairing_pkg::ROW, BITS = pairing_pkg::BITS;
    wire [7:0] scan_row, global_row, read_banks, channels;
    wire [0:0] decodes, mm_issues, mm_word, arith_issues, arith_word, inv_issues;
    wire [3:0] reads, read_ports, forwarded, on_path2;
    wire [29:0] port_rows;
    wire [5:0] arith_kind;
    wire [0:0] inv_enters, inv_left_base, inv_right_base, inv_left_fresh, inv_right_fresh, inv_keeps_power, inv_keeps_base;
    wire [0:0] reads_global, writes_global;
    wire [1:0] local_bank;
    wire [4:0] local_row;
    wire [BITS-1:0] scan_value;
    pairing_control control (
        .clk(clk), .rst(rst), .en(en), .start(start), .load_l1(load_l1), .load_l2(load_l2), .load_address(load_address),
        .load_word(load_word), .scan_value(scan_value), .scan_row(scan_row), .state(state), .cause(cause), .decodes(decodes),
        .reads(reads), .read_banks(read_banks), .read_ports(read_ports), .port_rows(port_rows), .mm_issues(mm_issues),
        .mm_word(mm_word), .arith_issues(arith_issues), .arith_word(arith_word), .inv_issues(inv_issues),
        .arith_kind(arith_kind), .forwarded(forwarded), .on_path2(on_path2), .channels(channels), .shown(shown),
        .writes(writes), .write_channels(write_channels), .write_rows(write_rows), .inv_enters(inv_enters),
        .inv_left_base(inv_left_base), .inv_right_base(inv_right_base), .inv_left_fresh(inv_left_fresh),
        .inv_right_fresh(inv_right_fresh), .inv_keeps_power(inv_keeps_power), .inv_keeps_base(inv_keeps_base),
        .reads_global(reads_global), .writes_global(writes_global), .global_row(global_row), .local_bank(local_bank),
        .local_row(local_row)
    );
    wire [0:0] moves = state != 3'd3;

    // Banks.
    wire [ROW-1:0] global_value, mm_result, arith_result, inv_result;
    wire [3*ROW-1:0] results = {inv_result, arith_result, mm_result};
    wire [6*ROW-1:0] ports;
    genvar b, j;
    generate
        for (b = 0; b < 3; b = b + 1) begin : bank
            wire [1:0] from = write_channels[2*b +: 2];
            wire [ROW-1:0] result = from[1] ? inv_result : from[0] ? arith_result : mm_result;
            wire [0:0] enters = reads_global & (local_bank == b[1:0]);
            wire [4:0] first_row = writes_global ? local_row : port_rows[10*b +: 5];
            pairing_bank_memory memory (
                .clk(clk), .write(en & (writes[b] | enters)), .write_row(enters ? local_row : write_rows[5*b +: 5]),
                .write_value(enters ? global_value : result), .row_0(first_row), .row_1(port_rows[10*b+5 +: 5]),
                .value_0(ports[2*b*ROW +: ROW]), .value_1(ports[(2*b+1)*ROW +: ROW])
            );
        end
    endgenerate

    // The global bank, and its port to memory.
    wire [ROW-1:0] leaving = local_bank[1] ? ports[4*ROW +: ROW] : local_bank[0] ? ports[2*ROW +: ROW] : ports[0 +: ROW];
    assign dma_ready = !(reads_global | writes_global);
    wire [0:0] global_write = writes_global | (dma_write & dma_ready);
    wire [7:0] global_address = dma_ready ? dma_row : global_row;
    wire [ROW-1:0] global_in = writes_global ? leaving : dma_in;
    wire [ROW-1:0] scanned;
    pairing_global_memory global_bank (
        .clk(clk), .write(en & global_write), .write_row(global_address), .write_value(global_in), .row(global_address),
        .value(global_value), .scan_row(scan_row), .scan_value(scanned)
    );
    // Control sees a row that is being written.
    wire [0:0] fresh = global_write & (global_address == scan_row);
    assign scan_value = fresh ? global_in[BITS-1:0] : scanned[BITS-1:0];
    assign dma_out = global_value;

    // Operands of the slot: what was read in the cycle before, or what is forwarded.
    reg [3*ROW-1:0] held;
    wire [4*ROW-1:0] operands;
    generate
        for (j = 0; j < 4; j = j + 1) begin : source
            reg [ROW-1:0] value;
            wire [1:0] from = read_banks[2*j +: 2];
            wire [2*ROW-1:0] pair = from[1] ? ports[4*ROW +: 2*ROW] : from[0] ? ports[2*ROW +: 2*ROW] : ports[0 +: 2*ROW];
            if (j < pairing_pkg::OPERANDS) begin : built
                always @(posedge clk) if (en & reads[j]) value <= read_ports[j] ? pair[ROW +: ROW] : pair[0 +: ROW];
                pairing_operand network (
                    .value(value), .forwarded(forwarded[j]), .path2(on_path2[j]), .channel(channels[2*j +: 2]),
                    .shown(results), .held(held), .operand(operands[j*ROW +: ROW])
                );
            end else begin : missing
                assign operands[j*ROW +: ROW] = {ROW{1'b0}};
            end
        end
    endgenerate
    always @(posedge clk) if (en & moves) held <= results;

    // The multiplier, which the inverter takes for its own products.
    wire [2*ROW-1:0] factors = mm_word ? operands[2*ROW +: 2*ROW] : operands[0 +: 2*ROW];
    reg [BITS-1:0] base, power;
    wire [BITS-1:0] product = mm_result[BITS-1:0];
    wire [BITS-1:0] left = inv_left_fresh ? product : inv_left_base ? base : power;
    wire [BITS-1:0] right = inv_right_fresh ? product : inv_right_base ? base : power;
    wire [BITS-1:0] none = {BITS{1'b0}};
    wire [0:0] mm_shows;
    pairing_fp2 fp2 (
        .clk(clk), .rst(rst), .en(en), .in_valid(mm_issues | inv_enters),
        .a0(moves ? factors[0 +: BITS] : left), .a1(moves ? factors[BITS +: BITS] : none),
        .b0(moves ? factors[ROW +: BITS] : right), .b1(moves ? factors[ROW+BITS +: BITS] : none),
        .out_valid(mm_shows), .c0(mm_result[BITS-1:0]), .c1(mm_result[ROW-1:BITS])
    );
    always @(posedge clk) if (en) begin
        if (inv_issues) begin
            base <= operands[BITS-1:0];
            power <= pairing_pkg::ONE;
        end else begin
            if (inv_keeps_base) base <= product;
            if (inv_keeps_power) power <= product;
        end
    end
    assign inv_result = {none, pairing_pkg::PARALLEL ? product : power};

    // The adders.
    wire [ROW-1:0] sum;
    wire [2*ROW-1:0] terms = arith_word ? operands[2*ROW +: 2*ROW] : operands[0 +: 2*ROW];
    pairing_arithmetic arithmetic (.kind(arith_kind), .a(terms[0 +: ROW]), .b(terms[ROW +: ROW]), .c(sum));
    generate
        if (pairing_pkg::ARITH_LATENCY == 1) begin : single
            reg [ROW-1:0] stage;
            always @(posedge clk) if (en & moves & arith_issues) stage <= sum;
            assign arith_result = stage;
        end else begin : several
            reg [pairing_pkg::ARITH_LATENCY*ROW-1:0] stages;
            always @(posedge clk) if (en & moves) stages <= {stages[(pairing_pkg::ARITH_LATENCY-1)*ROW-1:0], sum};
            assign arith_result = stages[pairing_pkg::ARITH_LATENCY*ROW-1 -: ROW];
        end
    endgenerate
endmodule
