// An L1 word, taken apart: what it is, whether this processor executes it, and its values. Values that the word holds less one
// stay so.
module pairing_l1_decode (
    input  wire [31:0] word,
    output wire [0:0] call,
    output wire [0:0] move,
    output wire [0:0] load_scan,
    output wire [0:0] jump,
    output wire [0:0] scan,
    output wire [0:0] loop,
    output wire [0:0] finish,
    output wire [0:0] legal,
    output wire [1:0] which,
    output wire [9:0] address,
    output wire [15:0] count,
    output wire [9:0] length,
    output wire [0:0] outward,
    output wire [7:0] row,
    output wire [6:0] place
);
    wire [5:0] op = word[pairing_pkg::L1_OP_LOW +: 6];
    wire [0:0] once = op == pairing_pkg::L1_PAIR_OP;
    wire [0:0] again = op == pairing_pkg::L1_PAIR_REPEAT;
    wire [0:0] field = op == pairing_pkg::L1_SET_FIELD;
    wire [2:0] jumps = {op == pairing_pkg::L1_JUMP_K, op == pairing_pkg::L1_JUMP_J, op == pairing_pkg::L1_JUMP_I};
    wire [2:0] scans = {op == pairing_pkg::L1_SCAN_K, op == pairing_pkg::L1_SCAN_J, op == pairing_pkg::L1_SCAN_I};
    wire [2:0] loops = {op == pairing_pkg::L1_LOOP_K, op == pairing_pkg::L1_LOOP_J, op == pairing_pkg::L1_LOOP_I};
    wire [2:0] loads = {
        op == pairing_pkg::L1_LOAD_SCAN_K, op == pairing_pkg::L1_LOAD_SCAN_J, op == pairing_pkg::L1_LOAD_SCAN_I
    };
    wire [2:0] named = jumps | scans | loops | loads;
    assign call = once | again;
    assign move = op == pairing_pkg::L1_SWITCH;
    assign load_scan = |loads;
    assign jump = |jumps;
    assign scan = |scans;
    assign loop = |loops;
    assign finish = op == pairing_pkg::L1_FINISH;
    assign which = {named[2], named[1]};
    assign address = word[pairing_pkg::L1_ADDR_LOW +: 10];
    assign count = once ? 16'd0 : word[pairing_pkg::L1_COUNT_LOW +: 16];
    assign length = word[pairing_pkg::L1_LENGTH_LOW +: 10];
    assign outward = word[pairing_pkg::L1_DIRECTION_LOW +: 1];
    assign row = word[pairing_pkg::L1_GLOBAL_LOW +: 8];
    assign place = word[pairing_pkg::L1_LOCAL_LOW +: 7];
    wire [0:0] other_field = word[pairing_pkg::L1_FIELD_LOW +: 1] != pairing_pkg::FIELD;
    // Padding is zero, values are in range.
    wire [31:0] padding =
        ({32{once}} & pairing_pkg::L1_PAIR_OP_ZERO) |
        ({32{again}} & pairing_pkg::L1_PAIR_REPEAT_ZERO) |
        ({32{field}} & pairing_pkg::L1_SET_FIELD_ZERO) |
        ({32{move}} & pairing_pkg::L1_SWITCH_ZERO) |
        ({32{load_scan}} & pairing_pkg::L1_LOAD_SCAN_I_ZERO) |
        ({32{jump}} & pairing_pkg::L1_JUMP_I_ZERO) |
        ({32{scan}} & pairing_pkg::L1_SCAN_I_ZERO) |
        ({32{loop}} & pairing_pkg::L1_LOOP_I_ZERO) |
        ({32{finish}} & pairing_pkg::L1_FINISH_ZERO);
    wire [0:0] out_of_range =
        (move & (length > pairing_pkg::L1_SWITCH_LENGTH_MAX)) |
        (move & (place > pairing_pkg::L1_SWITCH_LOCAL_MAX)) |
        (load_scan & (length > pairing_pkg::L1_LOAD_SCAN_I_LENGTH_MAX)) |
        (again & !pairing_pkg::REPEAT) |
        (field & other_field);
    wire [0:0] known = call | field | move | load_scan | jump | scan | loop | finish;
    assign legal = known & !out_of_range & ((word & padding) == 32'd0);
endmodule

// An L2 word, taken apart.
module pairing_l2_decode (
    input  wire [31:0] word,
    output wire [0:0] mm,
    output wire [0:0] arith,
    output wire [0:0] inv,
    output wire [5:0] kind,
    output wire [1:0] uses,
    output wire [1:0] forwarded,
    output wire [1:0] bank0,
    output wire [4:0] row0,
    output wire [1:0] bank1,
    output wire [4:0] row1,
    output wire [7:0] to,
    output wire [0:0] path2,
    output wire [0:0] last,
    output wire [0:0] with_next,
    output wire [0:0] legal
);
    wire [3:0] op = word[pairing_pkg::L2_OP_LOW +: 4];
    wire [1:0] path = word[pairing_pkg::L2_PATH_LOW +: 2];
    wire [1:0] index = word[pairing_pkg::L2_FORWARDED_LOW +: 2];
    wire [1:0] to_bank = word[pairing_pkg::L2_TO_BANK_LOW +: 2];
    wire [4:0] to_row = word[pairing_pkg::L2_TO_ROW_LOW +: 5];
    wire [0:0] nop = op == pairing_pkg::L2_NOP;
    // Sum, difference, product with the tower's constant, conjugate, negative, move.
    assign kind = {
        op == pairing_pkg::L2_VLD, op == pairing_pkg::L2_NEG, op == pairing_pkg::L2_CONJ,
        op == pairing_pkg::L2_MUL_XI, op == pairing_pkg::L2_SUB, op == pairing_pkg::L2_ADD
    };
    assign mm = op == pairing_pkg::L2_MM;
    assign arith = |kind;
    assign inv = op == pairing_pkg::L2_INV;
    wire [0:0] two = mm | kind[0] | kind[1];
    assign uses = {two, !nop};
    assign bank0 = word[pairing_pkg::L2_BANK0_LOW +: 2];
    assign row0 = word[pairing_pkg::L2_ROW0_LOW +: 5];
    assign bank1 = word[pairing_pkg::L2_BANK1_LOW +: 2];
    assign row1 = word[pairing_pkg::L2_ROW1_LOW +: 5];
    wire [0:0] on_path = path != 2'd0;
    assign forwarded = {on_path & (index != 2'd0), on_path & (index != 2'd1)};
    assign path2 = path == 2'd2;
    assign to = {to_bank != pairing_pkg::NOWHERE, to_bank, to_row};
    assign last = word[pairing_pkg::L2_LAST_LOW +: 1];
    assign with_next = word[pairing_pkg::L2_WITH_NEXT_LOW +: 1];
    wire [0:0] known = nop | mm | arith | inv;
    wire [0:0] bad_path = (path == 2'd3) | (index == 2'd3) | (!on_path & (index != 2'd0));
    wire [0:0] bad_forward = on_path & (nop | (!two & (index != 2'd0)));
    wire [0:0] bad0 = (uses[0] ? bank0 == 2'd3 : bank0 != 2'd0) | ((!uses[0] | forwarded[0]) & (row0 != 5'd0));
    wire [0:0] bad1 = (uses[1] ? bank1 == 2'd3 : bank1 != 2'd0) | ((!uses[1] | forwarded[1]) & (row1 != 5'd0));
    wire [0:0] bad_to = !to[7] & (to_row != 5'd0) | (nop & to[7]);
    wire [0:0] padding = word[pairing_pkg::L2_ZERO_LOW +: 1];
    assign legal = known & !(bad_path | bad_forward | bad0 | bad1 | bad_to | padding | (last & with_next));
endmodule
