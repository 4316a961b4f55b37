//! The control of a unit: phases, stages, the accumulator's levels and slots, memory requests. It contains no data
//! words.

use super::{Design, RULER};
use crate::blocks::ports;
use crate::{Block, Signal, block};
use std::fmt::Write as _;

/// The largest number of pipeline registers of an element.
pub(super) const DEPTH: u32 = 24;

/// The control's template; names between `@` are replaced by sizes and repeated parts.
const CONTROL: &str = include_str!("control.sv.txt");

/// Inputs and outputs; the outputs from `moves` on go to the data path.
pub(super) fn signals(design: &Design) -> (Vec<Signal>, Vec<Signal>) {
    let inputs = [
        ("rst", 1),
        ("en", 1),
        ("in_valid", 1),
        ("in_kind", 2),
        ("in_keep", 1),
        ("in_log_size", 4),
        ("mem_ready", 1),
        ("mem_arrived", 1),
        ("mem_left", 4),
    ];
    let sources = design.log() + 1;
    let outputs = [
        ("in_ready", 1),
        ("out_valid", 1),
        ("out_refused", 1),
        ("req_valid", 1),
        ("req_write", 1),
        ("req_address", 16),
        ("req_words", 3),
        ("moves", 1),
        ("run_kind", 2),
        ("run_log_size", 4),
        ("table_write", 1),
        ("table_row", 4),
        ("input_write", 1),
        ("input_row", 5),
        ("take", 1),
        ("take_row", 5),
        ("stage_enter", design.log()),
        ("stage_gives", design.log()),
        ("stage_waiting", 3 * design.log()),
        ("acc_arrival", 1),
        ("acc_pair", 1),
        ("acc_issue", 1),
        ("acc_level", 4),
        ("acc_head", 13),
        ("acc_top", 1),
        ("acc_challenge", 4),
        ("acc_pop_head", 13),
        ("acc_pop_top", 1),
        ("acc_push", 1),
        ("acc_push_level", 4),
        ("acc_push_tail", 13),
        ("part_write", 1),
        ("part_place", 4),
        ("part_word", 3),
        ("part_of_stage", sources),
        ("push", sources),
        ("push_rows", 5 * sources),
        ("queue_front", 5),
        ("from_part", 1),
    ];
    (block::signals(inputs), block::signals(outputs))
}

/// The registers, in the order in which the bench writes their expected values.
pub(super) fn registers(design: &Design) -> Vec<Signal> {
    let fixed = [
        ("state", 2),
        ("kind", 2),
        ("keep", 1),
        ("log_size", 4),
        ("refused", 1),
        ("requested", 13),
        ("arrived", 13),
        ("taken", 13),
        ("given", 13),
        ("in_row", 5),
        ("writing", 1),
        ("held", 8),
        ("queued", 6),
        ("cooldown", 5),
        ("acc_cooldown", 5),
        ("started", 1),
        ("slot", 4),
        ("acc_valid", DEPTH),
    ];
    let mut all = block::signals(fixed);
    all.extend((0..DEPTH).map(|k| Signal::new(format!("acc_level_{k}"), 4)));
    for s in 0..design.log() {
        all.push(Signal::new(format!("valid_{s}"), DEPTH));
        all.extend([("from_s", 13), ("waiting_s", 3)].map(|(n, b)| Signal::new(format!("{n}{s}"), b)));
    }
    for k in 0..design.levels() {
        let of_level = [("head_", 13), ("tail_", 13), ("from_", 13), ("waiting_", 3)];
        all.extend(of_level.map(|(n, b)| Signal::new(format!("{n}{k}"), b)));
    }
    all
}

/// The control of a design as a module, preceded by the memory for the order of blocks.
pub(super) fn module(name: &str, design: &Design) -> String {
    let (inputs, outputs) = signals(design);
    let order = super::ram(&format!("{name}_order_ram"), 5, 17, design.log() + 1, 1);
    format!("{order}\nmodule {name} (\n{}\n);\n{}endmodule\n", ports(&inputs, &outputs), body(name, design))
}

/// The control as a block without a data path.
pub(super) fn block(name: &str, design: &Design) -> Block {
    let (inputs, outputs) = signals(design);
    Block {
        name: name.to_owned(),
        title: format!("Control of a tree unit of {} elements, without words.", design.pes()),
        inputs,
        outputs,
        registers: registers(design),
        latency: design.latencies()[2],
        interval: 1,
        text: module(name, design),
        parts: Vec::new(),
        kernels: Vec::new(),
    }
}

/// An expression that selects one of several values by an index.
fn at(index: &str, names: impl Iterator<Item = String>, bits: u32) -> String {
    let cases: String = (0..).zip(names).fold(String::new(), |mut text, (k, name)| {
        let _ = write!(text, "({index} == 4'd{k} ? {name} : {bits}'d0) | ");
        text
    });
    format!("{cases}{bits}'d0")
}

/// The words of a row as a concatenation, the highest first.
pub(super) fn joined(n: u32, name: impl Fn(u32) -> String) -> String {
    (0..n).rev().map(name).collect::<Vec<_>>().join(", ")
}

pub(super) fn body(name: &str, design: &Design) -> String {
    let (p, log, nk) = (design.pes(), design.log(), design.levels());
    let last = log - 1;
    let [declared, outs, levels, lowest, highest, steps] = parts(design);
    let latencies = design.latencies();
    let mut text = CONTROL.to_owned();
    let mut put = |token: &str, value: &str| text = text.replace(&format!("@{token}@"), value);
    put("DECLARE\n", "");
    put("DECLARE", declared.trim_end_matches('\n'));
    put("STAGES", outs.trim_end_matches('\n'));
    put("LEVELS", levels.trim_end_matches('\n'));
    put("LOWEST", &lowest);
    put("HIGHEST", &highest);
    put("STEPS", &steps);
    let shift = (1..DEPTH).fold(String::new(), |mut text, k| {
        let _ = writeln!(text, "            acc_level_{k} <= acc_level_{};", k - 1);
        text
    });
    put("SHIFT", &shift);
    let comes = (0..log)
        .fold(String::new(), |text, s| text + &format!("({{7'd0, gives_{s}}} << {}) + ", log - 1 - s));
    put("COMES", &comes);
    put("PUSHES", &joined(log, |s| format!("push_{s}")));
    let pushed = (0..=log).map(|s| format!("{{5'd0, push[{s}]}}")).collect::<Vec<_>>().join(" + ");
    put("PUSHED", &pushed);
    put("SOURCES", sources(design).trim_end_matches('\n'));
    put("PLACES", places(name, design).trim_end_matches('\n'));
    put("FLUSH", flush(design).trim_end_matches('\n'));
    put("ENTERS", &joined(log, |s| format!("enter_{s}")));
    put("GIVES", &joined(log, |s| format!("gives_{s}")));
    put("STAGE_WAITING", &joined(log, |s| format!("waiting_s{s}")));
    let of_levels = |name: &'static str| (0..nk).map(move |k| format!("{name}_{k}"));
    put("HEAD_AT_CHOSEN", &at("chosen", of_levels("head"), 13));
    put("TAIL_AT_TO", &at("acc_to", of_levels("tail"), 13));
    put("WAITING_AT_PLACE", &at("acc_place", of_levels("waiting"), 3));
    put("FROM_AT_PLACE", &at("acc_place", of_levels("from"), 13));
    for (k, latency) in latencies.into_iter().enumerate() {
        put(&format!("PIPE{k}"), &format!("{:x}", (1u32 << latency) - 1));
        put(&format!("TAP{k}"), &(latency - 1).to_string());
    }
    let numbers = [
        ("LOG", log),
        ("LARGEST", design.largest()),
        ("BEFORE", p - 1),
        ("REST", design.unit().hash_ii - 1),
        ("ROOM_BUT_ROW", design.room() - p),
        ("LAST", last),
        ("NK", nk),
        ("DEEP", ((1u32 << nk) - 1) & !((1 << RULER) - 1)),
        ("FIRST", log + 1),
        ("PES", p),
        ("IN_ROWS", design.input_rows()),
        ("BELOW", log - 1),
    ];
    for (token, value) in numbers {
        put(token, &value.to_string());
    }
    text
}

/// The repeated parts: declarations, the stages' outputs, the levels, both searches among deep levels, and the updates
/// of all registers.
fn parts(design: &Design) -> [String; 6] {
    let (p, log, nk) = (design.pes(), design.log(), design.levels());
    let [mut declared, mut outs, mut levels, mut lowest, mut highest, mut steps] =
        [const { String::new() }; 6];
    let _ = writeln!(declared, "    reg [23:0] acc_valid;");
    for k in 0..DEPTH {
        let _ = writeln!(declared, "    reg [3:0] acc_level_{k};");
    }
    for s in 0..log {
        let _ = writeln!(
            declared,
            "    reg [23:0] valid_{s};\n    reg [12:0] from_s{s};\n    reg [2:0] waiting_s{s};"
        );
        let _ = writeln!(outs, "    wire [0:0] out_{s} = |(valid_{s} & tap);");
        let _ = write!(
            steps,
            "        if (begins) valid_{s} <= 24'd0;
        else if (moves) valid_{s} <= {{valid_{s}[22:0], enter_{s}}} & pipe;
        from_s{s} <= begins ? 13'd0 : whole_{s} ? from_s{s} + 13'd{p} : from_s{s};
        waiting_s{s} <= begins | whole_{s} | (unparts & part_stage[{s}]) ? 3'd0 : gives_{s} ? waiting_s{s} + 3'd{words} : waiting_s{s};
",
            words = p >> (s + 1),
        );
    }
    let (mut pairs, mut parents, mut rooms) = (Vec::new(), Vec::new(), Vec::new());
    for k in 0..nk {
        let _ =
            writeln!(declared, "    reg [12:0] head_{k}, tail_{k}, from_{k};\n    reg [2:0] waiting_{k};");
        let arrives = if k == 0 { " + {12'd0, arrival}" } else { "" };
        let _ = writeln!(levels, "    wire [12:0] words_{k} = tail_{k} - head_{k}{arrives};");
        pairs.push(format!("words_{k} > 13'd1"));
        parents.push(if k == 0 { "1'b0".to_owned() } else { format!("words_{k} != 13'd0") });
        rooms.push(if k > RULER {
            // Children present or in flight, plus two.
            let most = design.latencies()[0].div_ceil(1 << (k - 1)) + 4 - 2;
            let _ =
                writeln!(levels, "    wire [12:0] below_{k} = {{head_{k}[11:0], 1'd0}} - head_{};", k - 1);
            let _ = writeln!(lowest, "        parents[{k}] & rooms[{k}] ? 4'd{k} :");
            format!("below_{k} <= 13'd{most}")
        } else {
            "1'b0".to_owned()
        });
        if k >= RULER {
            highest = format!("        pairs[{k}] ? 4'd{k} :\n{highest}");
        }
        let (pops, arrives) = if k == 0 { (" + {12'd0, pop}", " + {12'd0, arrival}") } else { ("", "") };
        let _ = write!(
            steps,
            "        if (begins) begin
            head_{k} <= 13'd0;
            tail_{k} <= {{11'd0, in_kind == BUILD && in_levels == 4'd{k}, 1'd0}};
        end else if (moves) begin
            head_{k} <= head_{k}{pops} + (issue && chosen == 4'd{k} ? (forward ? 13'd1 : 13'd2) : 13'd0);
            tail_{k} <= tail_{k}{arrives} + (push_node && acc_to == 4'd{k} ? (forward ? 13'd2 : 13'd1) : 13'd0);
        end
        from_{k} <= begins ? 13'd0 : acc_whole && acc_place == 4'd{k} ? from_{k} + 13'd{p} : from_{k};
        waiting_{k} <= begins || (acc_whole && acc_place == 4'd{k}) || (unparts && part_of_{k}) ? 3'd0
            : acc_gives && acc_place == 4'd{k} ? waiting_{k} + 3'd1 : waiting_{k};
",
        );
    }
    for (name, bits) in [("pairs", pairs), ("parents", parents), ("rooms", rooms)] {
        let bits: Vec<String> = bits.into_iter().rev().collect();
        let _ = writeln!(levels, "    wire [{}:0] {name} = {{{}}};", nk - 1, bits.join(", "));
    }
    [declared, outs, levels, lowest, highest, steps]
}

/// The inputs and outputs of the stages.
fn sources(design: &Design) -> String {
    let (p, log) = (design.pes(), design.log());
    let mut text = String::new();
    for s in 0..log {
        let above = if s + 1 == log { "pop".to_owned() } else { format!("out_{}", s + 1) };
        let below = if s == 0 { "take".to_owned() } else { format!("out_{}", s - 1) };
        let words = p >> (s + 1);
        let (row, index, level) = if s == 0 {
            (
                " | (leaves_come & moves)",
                format!("forward ? given << {log} : from_s0"),
                "forward ? 4'd1 : 4'd2".to_owned(),
            )
        } else {
            ("", format!("from_s{s}"), format!("4'd{}", s + 2))
        };
        let _ = write!(
            text,
            "    wire [0:0] enter_{s} = moves & (forward ? {above} : {below});
    wire [0:0] gives_{s} = moves & ~forward & keep & out_{s};
    wire [0:0] whole_{s} = gives_{s} & (waiting_s{s} == 3'd{whole});
    wire [0:0] push_{s} = whole_{s}{row};
    wire [12:0] push_index_{s} = {index};
    wire [3:0] push_level_{s} = {level};
",
            whole = p - words,
        );
    }
    text
}

/// The memory for the order in which blocks are queued.
fn places(name: &str, design: &Design) -> String {
    let log = design.log();
    let mut text = String::new();
    let _ = writeln!(text, "    wire [4:0] push_row_0 = queue_head + queued[4:0];");
    for s in 1..=log {
        let _ =
            writeln!(text, "    wire [4:0] push_row_{s} = push_row_{} + {{4'd0, push[{}]}};", s - 1, s - 1);
    }
    let _ = writeln!(text, "    assign push_rows = {{{}}};", joined(log + 1, |s| format!("push_row_{s}")));
    let writes = (0..=log).fold(String::new(), |text, s| {
        let entry = if s == log {
            "acc_tree_level, acc_from".to_owned()
        } else {
            format!("push_level_{s}, push_index_{s}")
        };
        text + &format!(".write_{s}(push[{s}]), .write_row_{s}(push_row_{s}), .word_{s}({{{entry}}}), ")
    });
    let _ = writeln!(text, "    wire [16:0] order_out;");
    let _ = writeln!(
        text,
        "    {name}_order_ram order (.clk(clk), .en(en), {writes}.read_row_0(queue_head), .out_0(order_out));"
    );
    text
}

/// Selects the lowest level that has words not forming a whole block, at the end of a job.
fn flush(design: &Design) -> String {
    let (log, nk) = (design.log(), design.levels());
    let mut text = String::new();
    let mut all: Vec<(String, String, u32)> =
        (0..log).map(|s| (format!("waiting_s{s}"), format!("from_s{s}"), s + 2)).collect();
    all.extend((0..nk).map(|k| (format!("waiting_{k}"), format!("from_{k}"), log + 2 + k)));
    let chain = |value: &dyn Fn(&(String, String, u32)) -> String, none: &str| {
        let cases = all.iter().map(|source| format!("        {} != 3'd0 ? {} :\n", source.0, value(source)));
        format!("\n{}        {none}", cases.collect::<String>())
    };
    let any: Vec<String> = all.iter().map(|(waiting, ..)| format!("({waiting} != 3'd0)")).collect();
    let _ = writeln!(text, "    wire [0:0] part = {};", any.join(" | "));
    let _ =
        writeln!(text, "    wire [3:0] part_level ={};", chain(&|(.., level)| format!("4'd{level}"), "4'd0"));
    let _ = writeln!(text, "    wire [12:0] part_from ={};", chain(&|(_, from, _)| from.clone(), "13'd0"));
    let _ = writeln!(text, "    wire [2:0] part_words ={};", chain(&|(waiting, ..)| waiting.clone(), "3'd0"));
    let of_stages = (0..log).map(|s| format!("part_level == 4'd{}", s + 2));
    let stages: Vec<String> = of_stages.collect::<Vec<_>>().into_iter().rev().collect();
    let _ = writeln!(
        text,
        "    wire [{log}:0] part_stage = {{part_level > 4'd{}, {}}};",
        log + 1,
        stages.join(", ")
    );
    for k in 0..nk {
        let _ = writeln!(text, "    wire [0:0] part_of_{k} = part_level == 4'd{};", log + 2 + k);
    }
    text
}
