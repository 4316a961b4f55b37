// A block behind AXI4-Stream and AXI4-Lite. Operands come and results go as words of 64 bits, the lowest first; the last word of
// either has tlast. The block halts while a result waits for the one before to leave.
//
//   address   read                                            write
//   0x00      "PWRT"
//   0x04      words of a result, words of operands            (16 bits each, the first one high)
//   0x08      interval, latency in cycles                     (16 bits each)
//   0x0c      bit 0 something is in flight, bit 1 framing     bit 1 clears the note of framing
//   0x10      operands that have entered the block
//   0x14      results that have left it
//   0x18      cycles in which it was halted
//   0x1c      zero                                            bit 0 resets the block and the counters
module axis_shell #(
    parameter int IN_WORDS = 1,
    parameter int OUT_WORDS = 1,
    parameter int LATENCY = 1,
    parameter int INTERVAL = 1
) (
    input  wire aclk,
    input  wire aresetn,
    input  wire [63:0] s_axis_tdata,
    input  wire s_axis_tvalid,
    output wire s_axis_tready,
    input  wire s_axis_tlast,
    output wire [63:0] m_axis_tdata,
    output wire m_axis_tvalid,
    input  wire m_axis_tready,
    output wire m_axis_tlast,
    input  wire [4:0] s_axil_awaddr,
    input  wire s_axil_awvalid,
    output wire s_axil_awready,
    input  wire [31:0] s_axil_wdata,
    input  wire [3:0] s_axil_wstrb,
    input  wire s_axil_wvalid,
    output wire s_axil_wready,
    output wire [1:0] s_axil_bresp,
    output wire s_axil_bvalid,
    input  wire s_axil_bready,
    input  wire [4:0] s_axil_araddr,
    input  wire s_axil_arvalid,
    output wire s_axil_arready,
    output wire [31:0] s_axil_rdata,
    output wire [1:0] s_axil_rresp,
    output wire s_axil_rvalid,
    input  wire s_axil_rready,
    output wire block_rst,
    output wire block_en,
    output wire block_valid,
    input  wire block_ready,
    output wire [64*IN_WORDS-1:0] operands,
    input  wire result_valid,
    input  wire [64*OUT_WORDS-1:0] result
);
    localparam int IN_BITS = $clog2(IN_WORDS + 1);
    localparam int OUT_BITS = $clog2(OUT_WORDS + 1);
    localparam bit [IN_BITS-1:0] FULL = IN_BITS'(IN_WORDS);
    localparam bit [IN_BITS-1:0] LAST = IN_BITS'(IN_WORDS - 1);

    reg reset_asked;
    assign block_rst = ~aresetn | reset_asked;

    // Words of the operands that have come. After a frame that is too long, the rest of it is dropped.
    reg [64*IN_WORDS-1:0] gathered;
    reg [IN_BITS-1:0] filled;
    reg skipping, misframed;
    wire full = filled == FULL;
    wire comes = s_axis_tvalid & s_axis_tready;
    wire enters = full & block_ready & block_en;
    assign s_axis_tready = ~full;
    assign operands = gathered;
    assign block_valid = full;
    generate
        if (IN_WORDS == 1) begin : one_in
            always @(posedge aclk) if (comes) gathered <= s_axis_tdata;
        end else begin : many_in
            always @(posedge aclk) if (comes) gathered <= {s_axis_tdata, gathered[64*IN_WORDS-1:64]};
        end
    endgenerate
    always @(posedge aclk) begin
        if (block_rst) begin
            filled <= '0;
            skipping <= 1'b0;
        end else if (comes && skipping) begin
            skipping <= ~s_axis_tlast;
        end else if (comes && s_axis_tlast != (filled == LAST)) begin
            filled <= '0;
            skipping <= ~s_axis_tlast;
        end else if (comes) begin
            filled <= filled + 1'b1;
        end else if (enters) begin
            filled <= '0;
        end
    end
    wire misframes = comes & ~skipping & (s_axis_tlast != (filled == LAST));

    // Words of a result that have not left.
    reg [64*OUT_WORDS-1:0] waiting;
    reg [OUT_BITS-1:0] left;
    wire goes = m_axis_tvalid & m_axis_tready;
    wire leaves = result_valid & block_en;
    assign block_en = ~result_valid | (left == '0);
    assign m_axis_tvalid = left != '0;
    assign m_axis_tlast = left == OUT_BITS'(1);
    assign m_axis_tdata = waiting[63:0];
    generate
        if (OUT_WORDS == 1) begin : one_out
            always @(posedge aclk) if (leaves) waiting <= result;
        end else begin : many_out
            always @(posedge aclk) begin
                if (leaves) waiting <= result;
                else if (goes) waiting <= {64'd0, waiting[64*OUT_WORDS-1:64]};
            end
        end
    endgenerate
    always @(posedge aclk) begin
        if (block_rst) left <= '0;
        else if (leaves) left <= OUT_BITS'(OUT_WORDS);
        else if (goes) left <= left - 1'b1;
    end

    // Counters.
    reg [31:0] entered, finished, halted;
    always @(posedge aclk) begin
        if (block_rst) begin
            entered <= '0;
            finished <= '0;
            halted <= '0;
        end else begin
            if (enters) entered <= entered + 1'b1;
            if (leaves) finished <= finished + 1'b1;
            if (~block_en) halted <= halted + 1'b1;
        end
    end

    // Registers, one access at a time.
    reg written, wrong_write, read, wrong_read;
    reg [31:0] answer;
    wire writes = s_axil_awvalid & s_axil_wvalid & ~written;
    wire of_status = s_axil_awaddr[4:2] == 3'd3;
    wire of_control = s_axil_awaddr[4:2] == 3'd7;
    assign s_axil_awready = writes;
    assign s_axil_wready = writes;
    assign s_axil_bvalid = written;
    assign s_axil_bresp = {wrong_write, 1'b0};
    wire reads = s_axil_arvalid & ~read;
    assign s_axil_arready = ~read;
    assign s_axil_rvalid = read;
    assign s_axil_rdata = answer;
    assign s_axil_rresp = {wrong_read, 1'b0};
    always @(posedge aclk) begin
        if (~aresetn) begin
            written <= 1'b0;
            read <= 1'b0;
            reset_asked <= 1'b0;
        end else begin
            written <= writes | (written & ~s_axil_bready);
            read <= reads | (read & ~s_axil_rready);
            reset_asked <= writes & of_control & s_axil_wstrb[0] & s_axil_wdata[0];
        end
        if (writes) wrong_write <= ~(of_status | of_control);
    end
    always @(posedge aclk) begin
        if (block_rst) misframed <= 1'b0;
        else if (misframes) misframed <= 1'b1;
        else if (writes & of_status & s_axil_wstrb[0] & s_axil_wdata[1]) misframed <= 1'b0;
    end
    always @(posedge aclk) if (reads) begin
        wrong_read <= s_axil_araddr[1:0] != 2'd0;
        case (s_axil_araddr[4:2])
            3'd0: answer <= 32'h50575254;
            3'd1: answer <= {16'(OUT_WORDS), 16'(IN_WORDS)};
            3'd2: answer <= {16'(INTERVAL), 16'(LATENCY)};
            3'd3: answer <= {30'd0, misframed, (entered != finished) | full | (left != '0)};
            3'd4: answer <= entered;
            3'd5: answer <= finished;
            3'd6: answer <= halted;
            default: answer <= '0;
        endcase
    end
endmodule
