//! Builds a simulator program from SystemVerilog.

use crate::error::RtlError;
use crate::tools::{Tools, write};
use crate::{Block, Signal};
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The tool that translates SystemVerilog to C++.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
    /// The C++ that Yosys' CXXRTL writes.
    Cxxrtl,
    /// The C++ that Verilator writes.
    Verilator,
    /// Verilator, with the run recorded as waveforms in the file [`TRACE`].
    Traced,
}

/// The waveform file of a traced run, in the simulator's folder. Its times are those of [`Waves`](super::Waves).
pub const TRACE: &str = "hardware.vcd";

impl Engine {
    /// The name that reports show.
    pub fn name(self) -> &'static str {
        match self {
            Self::Cxxrtl => "cxxrtl",
            Self::Verilator => "verilator",
            Self::Traced => "verilator with waveforms",
        }
    }
}

/// Options of the C++ compiler.
const FLAGS: [&str; 3] = ["-std=c++17", "-w", "-pthread"];
/// Verilator's options for waveforms: the block is the outermost scope, and the time unit is that of the model's
/// waveforms.
const TRACING: [&str; 4] = ["--trace-vcd", "--no-trace-top", "--timescale", "1ns/1ns"];
/// How Verilator ends the names of files whose functions run once. Some are so long that the compiler optimises for ten minutes.
const SLOW: &str = "__Slow.cpp";
/// The number of clock edges up to which optimising the simulator takes longer than it saves.
const SHORT: u64 = 24_000;

/// Compiles the simulator of a block in an existing folder and returns the program's path. It is optimised if it is to
/// run for many clock edges.
///
/// # Errors
/// [`RtlError::NoTool`], [`RtlError::Tool`], [`RtlError::File`].
pub fn build(
    block: &Block,
    engine: Engine,
    cycles: u64,
    tools: &Tools,
    folder: &Path,
) -> Result<PathBuf, RtlError> {
    let name = &block.name;
    write(&folder.join("block.sv"), &block.text)?;
    write(&folder.join("main.cc"), &driver(block, engine))?;
    let mut arguments: Vec<String> = FLAGS.map(str::to_owned).into();
    arguments.push(if cycles > SHORT { "-O1" } else { "-O0" }.to_owned());
    match engine {
        Engine::Cxxrtl => {
            let script = format!(
                "read_verilog -sv block.sv; hierarchy -check -top {name}; proc; flatten; opt_clean; splitnets -driver; write_cxxrtl -g0 \
                 block.cc"
            );
            tools.yosys(folder, &script, name)?;
            let runtime = tools.package("pyosys/share/include/backends/cxxrtl/runtime")?;
            arguments.extend(["-I".to_owned(), runtime.display().to_string(), "main.cc".to_owned()]);
        }
        Engine::Verilator | Engine::Traced => {
            arguments.extend(verilated(name, engine == Engine::Traced, tools, folder)?);
        }
    }
    arguments.extend(["-o", "simulator"].map(str::to_owned));
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    tools.cxx().run(folder, &words, name)?;
    Ok(folder.join("simulator"))
}

/// Has Verilator write the C++ of `block.sv`, compiles the functions that run once, and returns the words by which the compiler
/// makes a simulator of the rest.
fn verilated(name: &str, traced: bool, tools: &Tools, folder: &Path) -> Result<Vec<String>, RtlError> {
    let words = ["--cc", "block.sv", "--top-module", name, "--prefix", "Block", "--Mdir", "."];
    let trace = if traced { &TRACING[..] } else { &[] };
    // Unless it is told to flatten, Verilator makes a class of a large module that stands several times, and its registers are
    // not where the driver reads them.
    let options = ["--public-flat-rw", "--flatten", "-Wno-fatal"];
    tools.verilator()?.run(folder, &[&words[..], &options, trace].concat(), name)?;
    let file = |source| RtlError::File { path: folder.to_owned(), source };
    let names = std::fs::read_dir(folder).map_err(file)?.flatten();
    let (slow, fast): (Vec<String>, Vec<String>) = names
        .filter_map(|entry| entry.file_name().into_string().ok())
        .filter(|name| name.starts_with("Block") && name.ends_with(".cpp"))
        .partition(|name| name.ends_with(SLOW));
    let runtime = tools.package("verilator/include")?;
    let includes = [&runtime, &runtime.join("vltstd")].map(|path| format!("-I{}", path.display()));
    let once: Vec<&str> = slow.iter().chain(&includes).map(String::as_str).collect();
    tools.cxx().run(folder, &[&FLAGS[..], &["-O0", "-c"], &once].concat(), name)?;

    let mut arguments: Vec<String> = includes.into();
    arguments.push("main.cc".to_owned());
    let sources = ["verilated.cpp", "verilated_threads.cpp"].into_iter();
    let sources = sources.chain(traced.then_some("verilated_vcd_c.cpp"));
    arguments.extend(sources.map(|file| runtime.join(file).display().to_string()));
    arguments.extend(slow.iter().map(|name| name.replace(".cpp", ".o")));
    arguments.extend(fast);
    Ok(arguments)
}

/// The main program in C++: reads the inputs of a batch of cycles, simulates them, and writes outputs and registers.
fn driver(block: &Block, engine: Engine) -> String {
    let count = |signals: &[Signal]| signals.iter().map(Signal::words).sum::<usize>();
    let (inputs, outputs) = (count(&block.inputs), count(&block.outputs));
    let registers = count(&block.registers);
    let mut sets = String::new();
    let mut reads = [String::new(), String::new()];
    let mut at = 0;
    for signal in &block.inputs {
        let _ = writeln!(sets, "    set({}, in + {at}, {});", input(signal, engine), signal.bits);
        at += signal.words();
    }
    at = 0;
    for (signals, text) in [&block.outputs, &block.registers].into_iter().zip(&mut reads) {
        for signal in signals {
            let value = state(block, signal, engine);
            let _ = writeln!(text, "    get({value}, out + {at}, {});", signal.bits);
            at += signal.words();
        }
    }
    let [before, after] = reads;
    let (head, low, high) = match engine {
        Engine::Cxxrtl => (
            CXXRTL.replace("NAME", &escaped(&block.name)),
            "top.p_clk.set<bool>(false); top.step();",
            "top.p_clk.set<bool>(true); top.step();",
        ),
        Engine::Verilator => (VERILATOR.to_owned(), "top.clk = 0; top.eval();", "top.clk = 1; top.eval();"),
        Engine::Traced => (
            format!("{VERILATOR}{}", DRAWN.replace("FILE", TRACE)),
            "top.clk = 0; top.eval(); waves().dump(now++);",
            "top.clk = 1; top.eval(); waves().dump(now++);",
        ),
    };
    let (begin, end) = match engine {
        Engine::Traced => ("    waves();\n", "        waves().flush();\n"),
        _ => ("", ""),
    };
    format!(
        "{head}
static void cycle(const uint64_t *in, uint64_t *out) {{
{sets}    {low}
{before}    {high}
{after}}}

int main() {{
{begin}    uint64_t cycles;
    std::vector<uint64_t> in, out;
    while (std::fread(&cycles, 8, 1, stdin) == 1) {{
        in.resize(cycles * {inputs});
        out.resize(cycles * {all});
        if (std::fread(in.data(), 8, in.size(), stdin) != in.size()) return 1;
        for (uint64_t k = 0; k < cycles; k++) cycle(&in[k * {inputs}], &out[k * {all}]);
{end}        if (std::fwrite(out.data(), 8, out.size(), stdout) != out.size()) return 1;
        std::fflush(stdout);
    }}
    return 0;
}}
",
        all = outputs + registers,
    )
}

/// The C++ statement that sets an input.
fn input(signal: &Signal, engine: Engine) -> String {
    match engine {
        Engine::Cxxrtl => format!("top.p_{}", escaped(&signal.name)),
        Engine::Verilator | Engine::Traced => format!("top.{}", signal.name),
    }
}

/// The C++ expression for an output or a register.
fn state(block: &Block, signal: &Signal, engine: Engine) -> String {
    let port = block.outputs.contains(signal);
    match engine {
        Engine::Cxxrtl => format!("top.p_{}", escaped(&signal.name)),
        Engine::Verilator | Engine::Traced if port => format!("top.{}", signal.name),
        Engine::Verilator | Engine::Traced => {
            let name = signal.name.replace('.', "__DOT__").replace('[', "__BRA__").replace(']', "__KET__");
            format!("top.rootp->{}__DOT__{name}", block.name)
        }
    }
}

/// CXXRTL's form of a name: underscores are doubled, and the dot between an instance and a register and the brackets of
/// an instance's number are written as character codes.
fn escaped(name: &str) -> String {
    name.replace('_', "__").replace('.', "_2e_").replace('[', "_5b_").replace(']', "_5d_")
}

const CXXRTL: &str = "\
#include \"block.cc\"
#include <cstdio>
#include <vector>

static cxxrtl_design::p_NAME top;

template <size_t B> static void set(cxxrtl::value<B> &port, const uint64_t *words, int bits) {
    for (size_t k = 0; k < port.chunks; k++) port.data[k] = (uint32_t)(words[k / 2] >> (32 * (k % 2)));
}
template <size_t B> static void get(const cxxrtl::value<B> &port, uint64_t *words, int bits) {
    for (int k = 0; k < (bits + 63) / 64; k++) words[k] = 0;
    for (size_t k = 0; k < port.chunks; k++) words[k / 2] |= (uint64_t)port.data[k] << (32 * (k % 2));
}
template <size_t B> static void get(const cxxrtl::wire<B> &port, uint64_t *words, int bits) { get(port.curr, words, bits); }
";

const VERILATOR: &str = "\
#include \"Block.h\"
#include \"Block___024root.h\"
#include <cstdio>
#include <vector>

static Block top(\"\");

double sc_time_stamp() { return 0; }
template <typename T> static void set(T &port, const uint64_t *words, int bits) {
    if constexpr (std::is_integral_v<T>) port = (T)words[0];
    else for (int k = 0; k < (bits + 31) / 32; k++) port[k] = (uint32_t)(words[k / 2] >> (32 * (k % 2)));
}
template <typename T> static void get(const T &port, uint64_t *words, int bits) {
    for (int k = 0; k < (bits + 63) / 64; k++) words[k] = 0;
    if constexpr (std::is_integral_v<T>) words[0] = (uint64_t)port;
    else for (int k = 0; k < (bits + 31) / 32; k++) words[k / 2] |= (uint64_t)port[k] << (32 * (k % 2));
}
";

/// C++ code for the waveforms of a run, opened with the first cycle.
const DRAWN: &str = "\
#include \"verilated_vcd_c.h\"

static uint64_t now = 0;
static VerilatedVcdC &waves() {
    static VerilatedVcdC *file = nullptr;
    if (!file) {
        Verilated::traceEverOn(true);
        file = new VerilatedVcdC;
        top.trace(file, 99);
        file->open(\"FILE\");
    }
    return *file;
}
";
