//! Scalar Rust on 64-bit words.
//!
//! A word is a `u64`, a carry or borrow a `bool`. Products go through `u128`, carries through `carrying_add` and
//! `borrowing_sub`, which the compiler turns into `mul`, `adc` and `sbb`. It does not keep two carry chains at a time,
//! so rows of products whose digits fit the registers (moduli of up to six words with a spare bit) are printed as
//! assembly. Measured on a Zen 4 core, products of six words take three quarters of the plain text's time, of four
//! words four fifths.

use core::fmt::Write;

use super::{Language, Layout, Printer, uses, x86};
use crate::error::MomaError;
use crate::ir::{Arg, Inst, Kernel, Op, Param, Var};
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::{FieldCode, rust_host};

/// The Rust type of a variable: `u64`, `u128` or `bool`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Word,
    Double,
    Flag,
}

/// The printer of Rust on words, or on vectors of lanes. A function is
/// `pub fn NAME(c: &mut [u64; N], a: &[u64; N], ..., qinv: u64)`: outputs first, then inputs, in the kernel's order,
/// lowest word first. A function that contains assembly is `unsafe`: its caller must have checked that the processor has
/// BMI2 and ADX. A function on vectors is safe to call where the target features are enabled.
pub struct Rust {
    /// The printer's name.
    pub(super) name: &'static str,
    /// The type of a word, or of a vector of words.
    pub(crate) word: &'static str,
    /// The attribute that enables the instructions, or nothing.
    pub(crate) features: &'static str,
    /// The import of the intrinsics, or nothing.
    pub(crate) import: &'static str,
    /// The helpers with which array programs load, store and select elements.
    pub(crate) memory: &'static str,
    /// Prints the statements of a kernel; the first string is `unsafe ` if the function must be unsafe.
    pub(super) body: fn(&Kernel, &Layout) -> Result<(&'static str, String), MomaError>,
}

impl Printer for Rust {
    fn name(&self) -> &'static str {
        self.name
    }

    fn language(&self) -> Language {
        Language::Rust
    }

    fn head(&self, _machine: &Machine) -> String {
        if self.import.is_empty() { String::new() } else { format!("\n{}\n", self.import) }
    }

    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        _machine: &Machine,
        layout: &Layout,
    ) -> Result<String, MomaError> {
        let (qualifier, body) = (self.body)(kernel, layout)?;
        let safety = if qualifier.is_empty() || layout.is_packed() { "" } else { SAFETY };
        let features = if self.features.is_empty() { String::new() } else { format!("{}\n", self.features) };
        let visible = if layout.is_packed() { "" } else { "pub " };
        let parameters = self.parameters(kernel, layout);
        Ok(format!("{safety}#[inline]\n{features}{visible}{qualifier}fn {name}({parameters}) {{\n{body}}}\n"))
    }

    fn array(&self, kernel: &ArrayKernel, code: &FieldCode) -> Option<String> {
        Some(rust_host(kernel, code, self))
    }
}

impl Rust {
    /// The parameters of a function: outputs, then inputs; for a field function `r`, its operands and `k`.
    fn parameters(&self, kernel: &Kernel, layout: &Layout) -> String {
        let word = self.word;
        if layout.is_packed() {
            let operands = kernel.inputs.iter().filter(|p| !layout.homes.contains_key(&p.name));
            let operands: String = operands.map(|p| format!("{}: &[{word}; WORDS], ", p.name)).collect();
            return format!("r: &mut [{word}; WORDS], {operands}k: &[{word}; CONSTANTS]");
        }
        let outputs = kernel.outputs.iter().map(|p| format!("{}: &mut [{word}; {}]", p.name, p.parts.len()));
        let inputs = kernel.inputs.iter().map(|p| match p.word {
            true => format!("{}: {word}", p.name),
            false => format!("{}: &[{word}; {}]", p.name, p.parts.len()),
        });
        outputs.chain(inputs).collect::<Vec<_>>().join(", ")
    }
}

/// The statement that stores an output.
pub(super) fn store(layout: &Layout, param: &Param, zero: &str, value: impl Fn(&Arg) -> String) -> String {
    format!("*{} = [{}];", layout.array(param), layout.values(param, zero, value).join(", "))
}

/// The printer of Rust on 64-bit words, with assembly for rows of products.
pub static WORDS: Rust = Rust { name: "rust", word: "u64", features: "", import: "", memory: MEMORY, body };

/// The printer of Rust on 64-bit words without assembly.
pub static PORTABLE: Rust = Rust {
    name: "rust-portable",
    word: "u64",
    features: "",
    import: "",
    memory: MEMORY,
    body: |kernel, layout| plain(kernel, layout, 0, String::new()).map(|text| ("", text)),
};

/// The safety section of a function with assembly.
const SAFETY: &str = "/// # Safety\n/// The processor has BMI2 and ADX.\n";

const MEMORY: &str = "\
#[inline(always)]
fn pw_zero() -> Element { [0; WORDS] }
#[inline(always)]
unsafe fn pw_constants(p: *const u64) -> [u64; CONSTANTS] { unsafe { *p.cast() } }
#[inline(always)]
unsafe fn pw_load(p: *const u64, at: usize) -> Element { unsafe { *p.add(at * WORDS).cast() } }
#[inline(always)]
unsafe fn pw_load_uniform(p: *const u64, at: usize) -> Element { unsafe { pw_load(p, at) } }
#[inline(always)]
unsafe fn pw_store(p: *mut u64, at: usize, a: &Element) { unsafe { *p.add(at * WORDS).cast() = *a } }
#[inline(always)]
fn pw_choose(test: &Element, zero: &Element, other: &Element) -> Element {
    let mask = 0u64.wrapping_sub(u64::from(test.iter().fold(0, |any, w| any | w) != 0));
    core::array::from_fn(|w| (other[w] & mask) | (zero[w] & !mask))
}
#[inline(always)]
fn pw_bitrev(x: usize, bits: usize) -> usize { (((x as u32).reverse_bits() >> 1) >> (31 - bits)) as usize }
";

/// The statements of a kernel: loads, assembly for its beginning if possible, one statement per other instruction,
/// stores.
fn body(kernel: &Kernel, layout: &Layout) -> Result<(&'static str, String), MomaError> {
    let block = x86::block(kernel, &|input| layout.base(&kernel.inputs[input]));
    let (covers, text) = block.map_or_else(Default::default, |b| (b.covers, b.text));
    Ok((if covers > 0 { "unsafe " } else { "" }, plain(kernel, layout, covers, text)?))
}

/// The same statements, with the text `block` in place of the first `covers` instructions.
fn plain(kernel: &Kernel, layout: &Layout, covers: usize, block: String) -> Result<String, MomaError> {
    let kinds = vec![Kind::Word; kernel.bits.len()];
    let mut p = Body { kernel, kinds, uses: uses(kernel), text: String::new() };
    for param in &kernel.inputs {
        p.load(param, layout);
    }
    p.text.push_str(&block);
    for inst in &kernel.body[covers..] {
        p.inst(inst)?;
    }
    for param in &kernel.outputs {
        p.line(&store(layout, param, "0", |part| p.word(part)));
    }
    Ok(p.text)
}

struct Body<'a> {
    kernel: &'a Kernel,
    kinds: Vec<Kind>,
    /// The number of reads of each variable.
    uses: Vec<u32>,
    text: String,
}

fn v(var: Var) -> String {
    format!("v{}", var.0)
}

impl Body<'_> {
    fn line(&mut self, line: &str) {
        // Writing to a string does not fail.
        let _ = writeln!(self.text, "    {line}");
    }

    fn load(&mut self, param: &Param, layout: &Layout) {
        for (i, part) in param.parts.iter().enumerate() {
            if let Arg::Var(var) = part {
                let line = format!("let {} = {};", v(*var), layout.place(param, i));
                self.line(&line);
            }
        }
    }

    fn kind(&self, arg: &Arg) -> Kind {
        match arg {
            Arg::Var(var) => self.kinds[var.0 as usize],
            Arg::Const(_) => Kind::Word,
        }
    }

    /// An operand as a word.
    fn word(&self, arg: &Arg) -> String {
        match (arg, self.kind(arg)) {
            (Arg::Const(c), _) => match u64::try_from(c) {
                Ok(c) if c < 10 => format!("{c}u64"),
                Ok(c) => format!("{c:#x}u64"),
                Err(_) => format!("{c:#x}"),
            },
            (Arg::Var(var), Kind::Word | Kind::Double) => v(*var),
            (Arg::Var(var), Kind::Flag) => format!("u64::from({})", v(*var)),
        }
    }

    /// An operand as a double word.
    fn double(&self, arg: &Arg) -> String {
        match self.kind(arg) {
            Kind::Double => self.word(arg),
            _ => format!("u128::from({})", self.word(arg)),
        }
    }

    /// An operand as a flag.
    fn flag(&self, arg: &Arg) -> String {
        match (arg, self.kind(arg)) {
            (Arg::Const(_), _) => (!arg.is_zero()).to_string(),
            (Arg::Var(var), Kind::Flag) => v(*var),
            (Arg::Var(var), _) => format!("({} != 0)", v(*var)),
        }
    }

    /// The name of a result in its definition, with an underscore if nothing reads it.
    fn result(&self, var: Var) -> String {
        if self.uses[var.0 as usize] == 0 { "_".to_owned() } else { v(var) }
    }

    fn define(&mut self, var: Var, kind: Kind, value: &str) {
        self.kinds[var.0 as usize] = kind;
        self.line(&format!("let {} = {value};", v(var)));
    }

    fn inst(&mut self, inst: &Inst) -> Result<(), MomaError> {
        let refuse =
            || MomaError::NotPrintable { op: inst.op.mnemonic(), width: inst.width, printer: "rust" };
        let a = &inst.args;
        let out = *inst.outs.last().ok_or_else(refuse)?;
        if inst.width == 128 && inst.outs.len() == 1 && a.len() == 2 {
            let (x, y) = (self.double(&a[0]), self.double(&a[1]));
            let value = match inst.op {
                Op::Add => format!("{x}.wrapping_add({y})"),
                Op::MulLo => format!("{x}.wrapping_mul({y})"),
                Op::And => format!("({x} & {y})"),
                Op::Funnel { k } if a[0].is_zero() => format!("({y} >> {k})"),
                _ => return Err(refuse()),
            };
            if self.kernel.bits[out.0 as usize] <= 64 {
                self.define(out, Kind::Word, &format!("{value} as u64"));
            } else {
                self.define(out, Kind::Double, &value);
            }
            return Ok(());
        }
        if inst.width != 64 && inst.width != 1 {
            return Err(refuse());
        }
        match inst.op {
            Op::Add => self.sum(inst, ["overflowing_add", "carrying_add", "wrapping_add"]),
            Op::Sub => self.sum(inst, ["overflowing_sub", "borrowing_sub", "wrapping_sub"]),
            Op::Mul | Op::Mac => {
                let mut value = format!("{} as u128 * {} as u128", self.word(&a[0]), self.word(&a[1]));
                for x in &a[2..] {
                    let _ = write!(value, " + {} as u128", self.word(x));
                }
                let (high, low) = (self.result(inst.outs[0]), self.result(out));
                self.line(&format!("let t = {value};"));
                self.line(&format!("let ({high}, {low}) = ((t >> 64) as u64, t as u64);"));
            }
            Op::MulLo => {
                let value = format!("{}.wrapping_mul({})", self.word(&a[0]), self.word(&a[1]));
                self.define(out, Kind::Word, &value);
            }
            Op::Lt | Op::Eq => {
                let sign = if inst.op == Op::Lt { "<" } else { "==" };
                let value = format!("{} {sign} {}", self.word(&a[0]), self.word(&a[1]));
                self.define(out, Kind::Flag, &value);
            }
            Op::Select => {
                // A conditional move instead of a branch: the condition is unpredictable.
                let [c, x, y] = [self.flag(&a[0]), self.word(&a[1]), self.word(&a[2])];
                self.define(out, Kind::Word, &format!("core::hint::select_unpredictable({c}, {x}, {y})"));
            }
            Op::Funnel { k } => {
                let (high, low) = (self.word(&a[0]), self.word(&a[1]));
                let value = match k {
                    0 => low,
                    64 => high,
                    _ if a[0].is_zero() => format!("{low} >> {k}"),
                    _ if a[1].is_zero() => format!("{high} << {}", 64 - k),
                    _ => format!("{high} << {} | {low} >> {k}", 64 - k),
                };
                self.define(out, Kind::Word, &value);
            }
            Op::And | Op::Or | Op::Xor => {
                let sign = match inst.op {
                    Op::And => "&",
                    Op::Or => "|",
                    _ => "^",
                };
                if inst.width == 1 {
                    let value = format!("{} {sign} {}", self.flag(&a[0]), self.flag(&a[1]));
                    self.define(out, Kind::Flag, &value);
                } else {
                    let value = format!("{} {sign} {}", self.word(&a[0]), self.word(&a[1]));
                    self.define(out, Kind::Word, &value);
                }
            }
            _ => return Err(refuse()),
        }
        Ok(())
    }

    /// Prints a sum or difference. The method names are those with carry out, with carry in and out, and without
    /// carries.
    fn sum(&mut self, inst: &Inst, [overflowing, carrying, wrapping]: [&str; 3]) {
        let (x, y) = (self.word(&inst.args[0]), self.word(&inst.args[1]));
        let carry = inst.args.get(2).map(|c| {
            debug_assert!(self.kernel.width_of(c) <= 1, "a carry is a bit");
            self.flag(c)
        });
        let out = inst.outs[inst.outs.len() - 1];
        match (carry, inst.outs.len()) {
            (None, 1) => self.define(out, Kind::Word, &format!("{x}.{wrapping}({y})")),
            (Some(c), 1) => self.define(out, Kind::Word, &format!("{x}.{carrying}({y}, {c}).0")),
            (carry, _) => {
                let value = match carry {
                    None => format!("{x}.{overflowing}({y})"),
                    Some(c) => format!("{x}.{carrying}({y}, {c})"),
                };
                self.kinds[inst.outs[0].0 as usize] = Kind::Flag;
                let (sum, carry) = (self.result(out), self.result(inst.outs[0]));
                self.line(&format!("let ({sum}, {carry}) = {value};"));
            }
        }
    }
}
