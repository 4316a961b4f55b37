//! CUDA C, in three dialects, chosen by the native operations of the machine:
//!
//! - *128-bit integers*, as the paper prints: the statements of [`super::c`], carries through `unsigned __int128`.
//! - *Carry chains in PTX*, for a machine with `madlo` and `madhi`: each [chain](super::chain) is one `asm` statement.
//!   A `mad.lo.cc` and the `madc.hi.cc` of the same operands after it become one `IMAD.WIDE`.
//! - *Products on the FP64 pipe*, for a machine with digits of 52 bits:
//!
//! For a, b < 2^52 the exact product is below 2^104, so `2^104 + a b` lies in `[2^104, 2^105)`, where doubles are the
//! multiples of 2^52. A fused multiply-add rounded towards zero therefore gives `h = 2^104 + 2^52 floor(a b / 2^52)`
//! exactly, and the low 52 bits of its pattern are the high half of the product. `(2^104 + 2^52) - h` is 2^52 times an
//! integer of at most 52 bits, hence exact as well, and a second fused multiply-add of a, b and that difference gives
//! `2^52 + (a b mod 2^52)`, an integer below 2^53: exact in any rounding, and the low 52 bits of its pattern are the
//! low half. Halves are summed as 64-bit integers together with the exponents above them; these are known, so each
//! column subtracts all of them at once, modulo 2^64.

use std::collections::BTreeMap;

use num_bigint::BigUint;

use super::c::{self, Body, hex, type_bits};
use super::chain::{Block, Line, LineOp, join_products, lift_carries, schedule};
use super::{Language, Layout, Printer};
use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Inst, Kernel, Op, Var};
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::{FieldCode, cuda};

/// Bit patterns of the doubles 2^104 and 2^52, the lowest of their binades.
const HIGH_BIAS: u64 = (1023 + 104) << 52;
const LOW_BIAS: u64 = (1023 + 52) << 52;
/// Width in bits of a digit on the FP64 pipe: the integers that a double's mantissa holds besides its leading one.
const DIGIT: u32 = 52;

/// The printer of CUDA C, for NVRTC or nvcc. A function is `NAME(word *c, const word *a, ..., const word *qinv)`: the
/// outputs and then the inputs, each an array with one word for each part of the parameter.
pub struct Cuda {
    name: &'static str,
    /// Whether products of digits are computed on the FP64 pipe.
    doubles: bool,
    /// Whether the text is C for the host, for tests without a device.
    on_host: bool,
}

/// The printer of CUDA C on words of 32 or 64 bits.
pub static WORDS: Cuda = Cuda { name: "cuda", doubles: false, on_host: false };
/// The printer of CUDA C on digits of 52 bits that are multiplied as doubles.
pub static DOUBLES: Cuda = Cuda { name: "cuda-f64", doubles: true, on_host: false };
/// The printer of the functions of [`DOUBLES`], statement by statement, as C for the host. They need a fused
/// multiply-add that rounds towards zero: compile with `-mfma -frounding-math` and call `fesetround(FE_TOWARDZERO)`
/// before.
pub static DOUBLES_ON_HOST: Cuda = Cuda { name: "cuda-f64 on the host", doubles: true, on_host: true };

impl Cuda {
    fn qualifiers(&self) -> &'static str {
        if self.on_host { "static inline" } else { "static __device__ __forceinline__" }
    }
}

impl Printer for Cuda {
    fn name(&self) -> &'static str {
        self.name
    }

    fn language(&self) -> Language {
        if self.on_host { Language::C } else { Language::Cuda }
    }

    fn head(&self, machine: &Machine) -> String {
        if self.on_host {
            return "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\ntypedef uint64_t word;\n"
                .to_owned()
                + HOST_DOUBLES;
        }
        let word = if type_bits(machine) == 64 { "unsigned long long" } else { "unsigned int" };
        format!("\ntypedef {word} word;\n\n")
    }

    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        machine: &Machine,
        layout: &Layout,
    ) -> Result<String, MomaError> {
        let chains = machine.native.contains_key("madlo");
        let joined = chains.then(|| lift_carries(&join_products(kernel)));
        let kernel = joined.as_ref().unwrap_or(kernel);
        let mut body = Body::new(kernel, machine, self.name);
        let qualifiers = format!("{} void", self.qualifiers());
        if !chains && !self.doubles {
            return body.function(&qualifiers, name, layout);
        }
        body.head(&qualifiers, name, layout);
        if chains {
            for block in schedule(kernel) {
                match block {
                    Block::One(at) => body.inst(&kernel.body[at])?,
                    Block::Chain(lines) => asm(&mut body, &lines),
                }
            }
        } else {
            let mut doubles = Doubles::new(kernel);
            for inst in &kernel.body {
                doubles.inst(&mut body, inst)?;
            }
        }
        body.tail(layout);
        Ok(body.text)
    }

    fn helpers(&self, functions: &str, machine: &Machine) -> String {
        let bits = type_bits(machine);
        let wide = if bits == 64 { "unsigned __int128" } else { "unsigned long long" };
        let accumulate = if self.on_host { "" } else { ACCUMULATE };
        let helpers = [c::CARRY, c::SHARED, c::CHOICE, DOUBLE, accumulate].concat();
        let helpers = c::called(&helpers, functions).replace("BITS", &bits.to_string());
        format!("typedef {wide} pw_wide;\n{}", helpers.replace("static inline", self.qualifiers()))
    }

    fn array(&self, kernel: &ArrayKernel, code: &FieldCode) -> Option<String> {
        Some(launch(kernel) + &cuda(kernel, code))
    }
}

/// The launch parameters of a device kernel, as a comment.
pub(super) fn launch(kernel: &ArrayKernel) -> String {
    let Some(launch) = &kernel.launch else { return String::new() };
    // The first scalar of a transform counts transforms, that of a vector kernel elements.
    let scalar = kernel.scalars.first().copied().unwrap_or("n");
    let many: u64 = if scalar == "batch" { 1 } else { 1 << 20 };
    let blocks = kernel.grid(&vec![many; kernel.scalars.len()]).unwrap_or(0);
    format!(
        "// Launch {}: {} threads a block, {} bytes of dynamic shared memory; {blocks} blocks for {scalar} = {many}, in \
         clusters of {}.\n",
        kernel.name,
        launch.threads,
        kernel.shared_bytes(),
        launch.cluster.max(1),
    )
}

const DOUBLE: &str = "\
static inline double pw_double(word x) {
    return __longlong_as_double(x | 0x4330000000000000ull) - 4503599627370496.0;
}
static inline double pw_product_high(double a, double b) { return __fma_rz(a, b, 0x1p104); }
static inline double pw_product_low(double a, double b, double high) {
    return __fma_rz(a, b, (0x1p104 + 0x1p52) - high);
}
";

/// Written as a single instruction, because the compiler would otherwise reorder the sum of a column so that all its
/// terms are in registers at once.
const ACCUMULATE: &str = "\
static inline word pw_accumulate(word sum, double half) {
    word r;
    asm(\"add.u64 %0, %1, %2;\" : \"=l\"(r) : \"l\"(sum), \"l\"(__double_as_longlong(half)));
    return r;
}
";

const HOST_DOUBLES: &str = "\
static inline double __longlong_as_double(uint64_t x) { double d; memcpy(&d, &x, 8); return d; }
static inline word pw_accumulate(word sum, double half) { word x; memcpy(&x, &half, 8); return sum + x; }
#define __fma_rz fma
";

/// Prints a chain as one statement. Results are written before all operands are read, hence the constraint `&`.
fn asm(body: &mut Body<'_>, lines: &[Line]) {
    let mut outs: Vec<Var> = Vec::new();
    for line in lines {
        outs.extend(line.out.filter(|v| !outs.contains(v)));
    }
    let mut ins: Vec<Var> = Vec::new();
    for arg in lines.iter().flat_map(|l| &l.args) {
        if let Arg::Var(v) = arg
            && !outs.contains(v)
            && !ins.contains(v)
        {
            ins.push(*v);
        }
    }
    // If only the flag is used, the word goes to a scratch register of the statement.
    let scratch = lines.iter().any(|l| l.out.is_none());
    let place = |v: &Var| match outs.iter().position(|o| o == v) {
        Some(at) => format!("%{at}"),
        None => format!("%{}", outs.len() + ins.iter().position(|i| i == v).unwrap_or(0)),
    };
    let bits = body.bits;
    let mut text = Vec::with_capacity(lines.len() + 2);
    if scratch {
        text.push(format!("{{ .reg .u{bits} unused;"));
    }
    for line in lines {
        let (name, half) = match line.op {
            LineOp::Add => ("add", ""),
            LineOp::Sub => ("sub", ""),
            LineOp::MadLo => ("mad", ".lo"),
            LineOp::MadHi => ("mad", ".hi"),
        };
        let carry = if line.carry_in { "c" } else { "" };
        let flag = if line.carry_out { ".cc" } else { "" };
        let out = line.out.as_ref().map_or("unused".to_owned(), place);
        let args = line.args.iter().map(|a| match a {
            Arg::Var(v) => place(v),
            Arg::Const(c) => format!("{c:#x}"),
        });
        let operands: Vec<String> = [out].into_iter().chain(args).collect();
        text.push(format!("{name}{carry}{half}{flag}.u{bits} {};", operands.join(", ")));
    }
    if scratch {
        text.push("}".to_owned());
    }
    let kind = if bits == 64 { "l" } else { "r" };
    let list = |vars: &[Var], constraint: &str| {
        let all: Vec<String> =
            vars.iter().map(|v| format!("\"{constraint}{kind}\"({})", body.name(*v))).collect();
        all.join(", ")
    };
    let names: Vec<&str> = outs.iter().map(|v| body.name(*v)).collect();
    let declared = format!("word {};", names.join(", "));
    let operands = format!("    : {} : {});", list(&outs, "=&"), list(&ins, ""));
    let quoted: Vec<String> = text.iter().map(|t| format!("\"{t}\"")).collect();
    body.line(&declared);
    body.line(&format!("asm({}", quoted.join("\n        ")));
    body.line(&operands);
}

/// The state of printing products of digits as doubles.
struct Doubles {
    /// Names of the doubles that were converted from digits, by operand.
    digits: BTreeMap<Arg, String>,
    /// Names of the doubles that hold the high and the low half of a product, by its operands.
    products: BTreeMap<(Arg, Arg), (String, Option<String>)>,
    /// For each first sum of a column: the biases of the halves of the whole column, modulo 2^64.
    first: BTreeMap<Var, u64>,
}

impl Doubles {
    /// Finds the columns: sequences of halves, each added to the sum before it, which nothing else reads. The biases of
    /// a whole column are subtracted in its first sum.
    fn new(kernel: &Kernel) -> Self {
        let uses = super::uses(kernel);
        // By the last variable of a sequence so far: its first variable, and the sum of its biases.
        let mut runs: BTreeMap<Var, (Var, u64)> = BTreeMap::new();
        for inst in &kernel.body {
            let bias = match inst.op {
                Op::DotLo { .. } => LOW_BIAS,
                Op::DotHi { .. } => HIGH_BIAS,
                _ => continue,
            };
            let out = inst.outs[0];
            let before = match &inst.args[2] {
                Arg::Var(v) if uses[v.0 as usize] == 1 => runs.remove(v),
                _ => None,
            };
            let (start, sum) = before.unwrap_or((out, 0));
            runs.insert(out, (start, sum.wrapping_add(bias)));
        }
        let first = runs.into_values().collect();
        Doubles { digits: BTreeMap::new(), products: BTreeMap::new(), first }
    }

    fn inst(&mut self, body: &mut Body<'_>, inst: &Inst) -> Result<(), MomaError> {
        let low = match inst.op {
            Op::DotLo { digit: DIGIT } => true,
            Op::DotHi { digit: DIGIT } => false,
            Op::DotLo { .. } | Op::DotHi { .. } => return Err(body.refuse(inst)),
            _ => return body.inst(inst),
        };
        let half = self.half(body, &inst.args[0], &inst.args[1], low);
        let bias = self.first.get(&inst.outs[0]).map(|bias| BigUint::from(bias.wrapping_neg()));
        let mut sum: Vec<String> = bias.map(|b| hex(&b, body.bits)).into_iter().collect();
        if !inst.args[2].is_zero() || sum.is_empty() {
            sum.push(body.arg(&inst.args[2]));
        }
        let out = body.name(inst.outs[0]);
        let line = format!("const word {out} = pw_accumulate({}, {half});", sum.join(" + "));
        body.line(&line);
        Ok(())
    }

    /// The name of the double that holds a half of a product; prints its computation at the first use.
    fn half(&mut self, body: &mut Body<'_>, a: &Arg, b: &Arg, low: bool) -> String {
        let (x, y) = (self.double(body, a), self.double(body, b));
        let key = (a.clone().min(b.clone()), a.clone().max(b.clone()));
        let count = self.products.len();
        let (high, l) = self.products.entry(key).or_insert_with(|| {
            let high = format!("h{count}");
            body.line(&format!("const double {high} = pw_product_high({x}, {y});"));
            (high, None)
        });
        if !low {
            return high.clone();
        }
        l.get_or_insert_with(|| {
            let l = high.replace('h', "l");
            body.line(&format!("const double {l} = pw_product_low({x}, {y}, {high});"));
            l
        })
        .clone()
    }

    /// The name of a digit as a double; prints the conversion at the first use.
    fn double(&mut self, body: &mut Body<'_>, digit: &Arg) -> String {
        if let Some(name) = self.digits.get(digit) {
            return name.clone();
        }
        let name = format!("d{}", self.digits.len());
        let mut value = body.arg(digit);
        if body.kernel.width_of(digit) > DIGIT {
            value = format!("{value} & {}", hex(&mask(DIGIT), body.bits));
        }
        body.line(&format!("const double {name} = pw_double({value});"));
        self.digits.insert(digit.clone(), name.clone());
        name
    }
}
