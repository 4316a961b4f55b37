//! Portable C: words are `uint64_t` (`uint32_t` on a machine of 32-bit words), and a double word is the compiler's
//! `unsigned __int128` (`uint64_t`).
//!
//! Kernels of any machine can be printed this way. For a machine that does not run C the text is a *host shadow*: the
//! same instructions in the same order, to be run and checked on the host. Selections are computed with masks, so the
//! machine code has no branch and no load that depends on a value, unless the compiler introduces one.

use num_bigint::BigUint;

use super::{Language, Layout, Printer, uses};
use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Inst, Kernel, Op, Var};
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::{FieldCode, c_host};

/// Width in bits of the C type that holds a word of a machine: 32 or 64.
pub fn type_bits(machine: &Machine) -> u32 {
    if machine.container <= 32 { 32 } else { 64 }
}

/// The printer of portable C. A function is `static inline void NAME(word *c, const word *a, ..., const word *qinv)`:
/// the outputs and then the inputs, each an array with one word for each part of the parameter.
pub struct C;

impl Printer for C {
    fn name(&self) -> &'static str {
        "c"
    }

    fn language(&self) -> Language {
        Language::C
    }

    fn head(&self, machine: &Machine) -> String {
        format!("\n#include <stdint.h>\n\ntypedef uint{}_t word;\n\n", type_bits(machine))
    }

    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        machine: &Machine,
        layout: &Layout,
    ) -> Result<String, MomaError> {
        Body::new(kernel, machine, self.name()).function("static inline void", name, layout)
    }

    fn helpers(&self, functions: &str, machine: &Machine) -> String {
        let bits = type_bits(machine);
        let wide = if bits == 64 { "__extension__ typedef unsigned __int128" } else { "typedef uint64_t" };
        let carry = if bits == 64 { [CARRY_64, CARRY, "#endif\n"].concat() } else { CARRY.to_owned() };
        let helpers = (carry + &called(&[SHARED, SELECT, DOT].concat(), functions))
            .replace("HALF", &hex(&mask(bits / 2), bits))
            .replace("BITS", &bits.to_string())
            .replace("MASK", &hex(&mask(machine.word), bits))
            .replace("DIGIT", &machine.word.to_string());
        format!("{wide} pw_wide;\n{helpers}")
    }

    fn array(&self, kernel: &ArrayKernel, code: &FieldCode) -> Option<String> {
        Some(c_host(kernel, code))
    }
}

/// The helpers that a text calls; each helper begins with `static inline` at the start of a line.
pub(crate) fn called(helpers: &str, text: &str) -> String {
    let name =
        |h: &str| h.split_once('(').and_then(|(head, _)| head.rsplit(' ').next().map(|n| format!("{n}(")));
    let starts: Vec<usize> =
        helpers.match_indices("static inline").map(|(at, _)| at).chain([helpers.len()]).collect();
    let each = starts.windows(2).map(|w| &helpers[w[0]..w[1]]);
    each.filter(|h| name(h).is_some_and(|n| text.contains(&n))).collect()
}

/// Sums with carry and differences with borrow, computed on double words.
pub(super) const CARRY: &str = "\
static inline word pw_add_carry(word *carry, word a, word b, word c) {
    const pw_wide s = (pw_wide)a + b + c;
    *carry = (word)(s >> BITS);
    return (word)s;
}
static inline word pw_sub_borrow(word *borrow, word a, word b, word c) {
    const pw_wide d = (pw_wide)a - b - c;
    *borrow = (word)(d >> BITS) & 1;
    return (word)d;
}
";

/// gcc before 14 compiles sums of 128-bit integers to no add-with-carry chains, but it does so for the builtin behind
/// `_addcarry_u64`.
const CARRY_64: &str = "\
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
static inline word pw_add_carry(word *carry, word a, word b, word c) {
    unsigned long long s;
    *carry = __builtin_ia32_addcarryx_u64((unsigned char)c, a, b, &s);
    return s;
}
static inline word pw_sub_borrow(word *borrow, word a, word b, word c) {
    unsigned long long d;
    *borrow = __builtin_ia32_sbb_u64((unsigned char)c, a, b, &d);
    return d;
}
#else
";

/// The selection on devices, which have an instruction for it.
pub(super) const CHOICE: &str = "\
static inline word pw_select(word c, word a, word b) { return c ? a : b; }
";

/// Helpers that C, CUDA C and OpenCL C share.
pub(super) const SHARED: &str = "\
static inline word pw_wide_mul(word *high, word a, word b) {
    const pw_wide p = (pw_wide)a * b;
    *high = (word)(p >> BITS);
    return (word)p;
}
static inline word pw_mul_high(word a, word b) { return (word)(((pw_wide)a * b) >> BITS); }
static inline word pw_mul_add(word *high, word a, word b, word c, word d) {
    const pw_wide p = (pw_wide)a * b + c + d;
    *high = (word)(p >> BITS);
    return (word)p;
}
";

const SELECT: &str = "\
static inline word pw_select(word c, word a, word b) { return b ^ ((a ^ b) & ((word)0 - c)); }
";

const DOT: &str = "\
static inline word pw_dot(word a, word b) { return (a & HALF) * (b & HALF); }
static inline word pw_dot_low(word a, word b) { return (word)((pw_wide)(a & MASK) * (b & MASK)) & MASK; }
static inline word pw_dot_high(word a, word b) { return (word)(((pw_wide)(a & MASK) * (b & MASK)) >> DIGIT); }
";

/// The literal of a constant, in the type of a word of `bits` bits.
pub(super) fn hex(value: &BigUint, bits: u32) -> String {
    let suffix = if bits == 64 { "ull" } else { "u" };
    if value.bits() < 4 { format!("{value}{suffix}") } else { format!("{value:#x}{suffix}") }
}

/// A function under construction, in C, CUDA C or OpenCL C.
pub(super) struct Body<'a> {
    pub(super) kernel: &'a Kernel,
    /// Width of the type of a word in bits.
    pub(super) bits: u32,
    /// The number of reads of each variable.
    pub(super) uses: Vec<u32>,
    pub(super) text: String,
    names: Vec<String>,
    printer: &'static str,
}

impl<'a> Body<'a> {
    pub(super) fn new(kernel: &'a Kernel, machine: &Machine, printer: &'static str) -> Self {
        let mut names: Vec<String> = (0..kernel.bits.len()).map(|v| format!("v{v}")).collect();
        for p in &kernel.inputs {
            for (i, part) in p.parts.iter().enumerate() {
                if let Arg::Var(v) = part {
                    names[v.0 as usize] = format!("{}{i}", p.name);
                }
            }
        }
        Body { kernel, bits: type_bits(machine), uses: uses(kernel), text: String::new(), names, printer }
    }

    pub(super) fn line(&mut self, line: &str) {
        self.text.push_str("    ");
        self.text.push_str(line);
        self.text.push('\n');
    }

    /// Prints the signature, and loads the words of the inputs: all are read before the first output is written, so an
    /// output may be the same array as an input.
    pub(super) fn head(&mut self, qualifiers: &str, name: &str, layout: &Layout) {
        let outputs = self.kernel.outputs.iter().map(|p| format!("word *{}", layout.array(p)));
        let mut arrays: Vec<String> = outputs.collect();
        for p in &self.kernel.inputs {
            let array = format!("const word *{}", layout.array(p));
            if !arrays.contains(&array) {
                arrays.push(array);
            }
        }
        self.text.push_str(&format!("{qualifiers} {name}({}) {{\n", arrays.join(", ")));
        for p in &self.kernel.inputs {
            let (array, first) = layout.homes.get(&p.name).copied().unwrap_or((&p.name, 0));
            let read = |(i, part): (usize, &Arg)| match part {
                Arg::Var(v) if self.uses[v.0 as usize] > 0 => {
                    Some(format!("{} = {array}[{}]", self.name(*v), first + i))
                }
                _ => None,
            };
            let reads: Vec<String> = p.parts.iter().enumerate().filter_map(read).collect();
            if !reads.is_empty() {
                self.line(&format!("const word {};", reads.join(", ")));
            }
        }
    }

    /// Prints the stores of the outputs and the closing brace.
    pub(super) fn tail(&mut self, layout: &Layout) {
        for p in &self.kernel.outputs {
            for (i, value) in layout.values(p, "0", |part| self.arg(part)).iter().enumerate() {
                self.line(&format!("{}[{i}] = {value};", layout.array(p)));
            }
        }
        self.text.push_str("}\n");
    }

    pub(super) fn name(&self, v: Var) -> &str {
        &self.names[v.0 as usize]
    }

    pub(super) fn arg(&self, arg: &Arg) -> String {
        match arg {
            Arg::Var(v) => self.names[v.0 as usize].clone(),
            Arg::Const(c) => hex(c, self.bits),
        }
    }

    pub(super) fn refuse(&self, inst: &Inst) -> MomaError {
        MomaError::NotPrintable { op: inst.op.mnemonic(), width: inst.width, printer: self.printer }
    }

    /// Prints the function, one statement for each instruction.
    pub(super) fn function(
        mut self,
        qualifiers: &str,
        name: &str,
        layout: &Layout,
    ) -> Result<String, MomaError> {
        self.head(qualifiers, name, layout);
        for inst in &self.kernel.body {
            self.inst(inst)?;
        }
        self.tail(layout);
        Ok(self.text)
    }

    /// Prints one instruction as a statement.
    pub(super) fn inst(&mut self, inst: &Inst) -> Result<(), MomaError> {
        let line = self.statement(inst).ok_or_else(|| self.refuse(inst))?;
        self.line(&line);
        Ok(())
    }

    fn statement(&self, inst: &Inst) -> Option<String> {
        let a: Vec<String> = inst.args.iter().map(|a| self.arg(a)).collect();
        let last = self.name(*inst.outs.last()?);
        if inst.width == 2 * self.bits {
            return self.double(inst, &a, last);
        }
        // Operations narrower than the type are allowed only if their results cannot exceed the width of their
        // operands.
        let narrow = matches!(inst.op, Op::Lt | Op::Eq | Op::Select | Op::And | Op::Or | Op::Xor);
        if inst.width != self.bits && !narrow {
            return None;
        }
        let first = |call: String| format!("word {}; const word {last} = {call};", self.name(inst.outs[0]));
        let one = |value: String| Some(format!("const word {last} = {value};"));
        let unread = inst.outs.last().is_some_and(|v| self.uses[v.0 as usize] == 0);
        let two = |f: &str, rest: &[String]| {
            let call = format!("{f}(&{}, {})", self.name(inst.outs[0]), rest.join(", "));
            // If only the carry or the high word is used, the low word gets no name.
            Some(if unread { format!("word {}; {call};", self.name(inst.outs[0])) } else { first(call) })
        };
        let zero = || "0".to_string();
        // A carry operand must be one bit, so that the sum of two words and a carry fits a word and a carry.
        let carry = |at: usize| match inst.args.get(at) {
            None => Some(zero()),
            Some(c) if self.kernel.width_of(c) <= 1 => Some(self.arg(c)),
            Some(_) => None,
        };
        let sum = |x: String, at: usize| {
            if inst.outs.len() == 2 {
                two("pw_add_carry", &[x, a[at].clone(), carry(at + 1)?])
            } else {
                let terms = [x].into_iter().chain(
                    a[at..]
                        .iter()
                        .zip(&inst.args[at..])
                        .filter(|(_, a)| !a.is_zero())
                        .map(|(t, _)| t.clone()),
                );
                one(terms.collect::<Vec<_>>().join(" + "))
            }
        };
        match inst.op {
            Op::Add => sum(a[0].clone(), 1),
            Op::MadLo => sum(format!("{} * {}", a[0], a[1]), 2),
            Op::MadHi => sum(format!("pw_mul_high({}, {})", a[0], a[1]), 2),
            Op::Sub if inst.outs.len() == 2 => two("pw_sub_borrow", &[a[0].clone(), a[1].clone(), carry(2)?]),
            Op::Sub => one(a.join(" - ")),
            Op::Mul => two("pw_wide_mul", &a),
            Op::Mac => two("pw_mul_add", &[&a[..], &[zero()][a.len() - 3..]].concat()),
            Op::MulLo => one(format!("{} * {}", a[0], a[1])),
            Op::Dot | Op::DotLo { .. } | Op::DotHi { .. } => {
                let f = match inst.op {
                    Op::Dot => "pw_dot",
                    Op::DotLo { .. } => "pw_dot_low",
                    _ => "pw_dot_high",
                };
                sum(format!("{f}({}, {})", a[0], a[1]), 2)
            }
            Op::Lt => one(format!("{} < {}", a[0], a[1])),
            Op::Eq => one(format!("{} == {}", a[0], a[1])),
            Op::Select => one(format!("pw_select({})", a.join(", "))),
            Op::Funnel { k } => one(self.funnel(inst, k)),
            Op::And => one(a.join(" & ")),
            Op::Or => one(a.join(" | ")),
            Op::Xor => one(a.join(" ^ ")),
            _ => None,
        }
    }

    /// An instruction on double words; its result is a word if it fits one.
    fn double(&self, inst: &Inst, a: &[String], last: &str) -> Option<String> {
        let value = match inst.op {
            Op::Add => format!("(pw_wide){} + {}", a[0], a[1]),
            Op::MulLo => format!("(pw_wide){} * {}", a[0], a[1]),
            Op::And => format!("{} & {}", a[0], a[1]),
            Op::Funnel { k } if inst.args[0].is_zero() => format!("{} >> {k}", a[1]),
            _ => return None,
        };
        let words = self.kernel.bits[inst.outs[0].0 as usize] <= self.bits;
        let [kind, cast] = if words { ["word", "(word)"] } else { ["pw_wide", ""] };
        let value = if words { format!("({value})") } else { value };
        (inst.outs.len() == 1 && inst.args.len() == 2)
            .then(|| format!("const {kind} {last} = {cast}{value};"))
    }

    /// `(high 2^w + low) >> k`; a shift by the whole width, which is undefined in C, is printed as one of the operands.
    fn funnel(&self, inst: &Inst, k: u32) -> String {
        let (high, low) = (self.arg(&inst.args[0]), self.arg(&inst.args[1]));
        let w = self.bits;
        if k == 0 {
            low
        } else if k == w {
            high
        } else if inst.args[0].is_zero() {
            format!("{low} >> {k}")
        } else if inst.args[1].is_zero() {
            format!("{high} << {}", w - k)
        } else {
            format!("({high} << {}) | ({low} >> {k})", w - k)
        }
    }
}
