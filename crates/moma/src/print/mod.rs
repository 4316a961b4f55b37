//! Printers of lowered kernels. A [`Printer`] prints one language with the instructions of one kind of machine, and has
//! a file of its own; [`PRINTERS`] lists them, and a machine description names one.
//!
//! [`file()`] prints stand-alone functions. [`field_code`] prints the four field functions that array programs call.
//! These read their constants from one array: the modulus, then `-1/q mod 2^word` (Montgomery) or mu (Barrett), then
//! twice the modulus if values go up to it. [`constants`] computes that array for a modulus.

pub mod avx2;
pub mod avx512;
pub mod c;
pub mod chain;
pub mod cuda;
mod lanes;
pub(crate) mod names;
pub mod neon;
pub mod opencl;
pub mod rust;
pub mod systemverilog;
mod x86;

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use crate::catalogue::{FieldSpec, Function};
use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Kernel, Param, Range, Reduction};
use crate::lower::{Options, lower};
use crate::machine::Machine;
use crate::program::ArrayKernel;
use crate::program::print::FieldCode;
use crate::registry::Registered;

/// The language of a printed text, which decides what compiles it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Language {
    /// C11 for the host.
    C,
    /// Rust for the host.
    Rust,
    /// CUDA C; array kernels are launched on a device in blocks of threads.
    Cuda,
    /// OpenCL C; array kernels are launched as in CUDA, without clusters of blocks.
    OpenCl,
    /// SystemVerilog: functions are combinational modules, and there are no array kernels.
    SystemVerilog,
}

/// A printer of lowered kernels for one kind of machine.
pub trait Printer: Sync {
    /// The name by which machine descriptions select the printer.
    fn name(&self) -> &'static str;

    /// The language that it prints.
    fn language(&self) -> Language;

    /// Width in bits of the widest word that the language has.
    fn widest_word(&self) -> u32 {
        64
    }

    /// The text between a file's comment and its first function, such as imports; begins with an empty line.
    fn head(&self, machine: &Machine) -> String;

    /// Prints a kernel as a function, with parameters as `layout` says.
    ///
    /// # Errors
    /// [`MomaError::NotPrintable`] for an operation that the printer does not support, such as one that was not
    /// lowered.
    fn function(
        &self,
        kernel: &Kernel,
        name: &str,
        machine: &Machine,
        layout: &Layout,
    ) -> Result<String, MomaError>;

    /// The definitions of the helpers that the text `_functions` calls.
    fn helpers(&self, _functions: &str, _machine: &Machine) -> String {
        String::new()
    }

    /// Prints an array kernel with the field functions that it calls; `None` in a language without loops over memory.
    fn array(&self, kernel: &ArrayKernel, code: &FieldCode) -> Option<String>;
}

/// All printers, in the order in which an error message lists them.
pub static PRINTERS: [&dyn Printer; 10] = [
    &c::C,
    &rust::WORDS,
    &rust::PORTABLE,
    &avx512::LANES,
    &avx2::LANES,
    &neon::Neon,
    &cuda::WORDS,
    &cuda::DOUBLES,
    &opencl::OpenCl,
    &systemverilog::SystemVerilog,
];

impl Language {
    /// Whether array kernels are launched on a device, in blocks of threads.
    pub fn is_on_device(self) -> bool {
        matches!(self, Self::Cuda | Self::OpenCl)
    }
}

impl Registered for dyn Printer {
    const KIND: &'static str = "printer";

    fn all() -> &'static [&'static Self] {
        &PRINTERS
    }

    fn name(&self) -> &'static str {
        Printer::name(self)
    }
}

/// The location of each parameter in the text of a function: by default an array of the parameter's name.
#[derive(Clone, Debug, Default)]
pub struct Layout {
    /// Parameters that lie in other arrays: the name of the array, and the index of their first word in it.
    homes: BTreeMap<String, (&'static str, usize)>,
    /// Number of words of an element in a field function, to which its result is extended with zeros; 0 for a
    /// stand-alone function.
    words: usize,
}

/// The field functions with their names in array programs.
const FIELD_FUNCTIONS: [(Function, &str); 4] = [
    (Function::AddMod, "pw_add"),
    (Function::SubMod, "pw_sub"),
    (Function::MulMod, "pw_mul"),
    (Function::SqrMod, "pw_sqr"),
];

impl Layout {
    /// The layout of a field function: result in `r`, all that depends on the modulus in `k`.
    fn packed(field: FieldSpec, machine: &Machine) -> Layout {
        let words = field.words(machine) as usize;
        let mut homes = BTreeMap::from([
            ("c".to_owned(), ("r", 0)),
            ("q".to_owned(), ("k", 0)),
            ("qinv".to_owned(), ("k", words)),
            ("mu".to_owned(), ("k", words)),
        ]);
        if field.range == Range::Twice {
            homes.insert("q2".to_owned(), ("k", words + 1));
        }
        Layout { homes, words }
    }

    /// Whether this is the layout of a field function that array programs call.
    fn is_packed(&self) -> bool {
        self.words > 0
    }

    /// The expression of word `i` of a parameter.
    fn place(&self, param: &Param, i: usize) -> String {
        match self.homes.get(&param.name) {
            Some((array, at)) => format!("{array}[{}]", at + i),
            None if param.word => param.name.clone(),
            None => format!("{}[{i}]", param.name),
        }
    }

    /// The expression of a parameter's array from its first word on, or of the value of a parameter that is one word.
    fn base(&self, param: &Param) -> String {
        match self.homes.get(&param.name) {
            Some((array, at)) if param.word => format!("{array}[{at}]"),
            Some((array, at)) => format!("{array}[{at}..]"),
            None => param.name.clone(),
        }
    }

    /// The expressions of an output's words, with zeros above those that the kernel computes.
    fn values(&self, param: &Param, zero: &str, value: impl Fn(&Arg) -> String) -> Vec<String> {
        let mut all: Vec<String> = param.parts.iter().map(value).collect();
        all.resize(all.len().max(self.words), zero.to_owned());
        all
    }

    /// The array that a parameter lies in.
    fn array<'a>(&'a self, param: &'a Param) -> &'a str {
        self.homes.get(&param.name).map_or(param.name.as_str(), |(array, _)| array)
    }
}

/// Prints a file of stand-alone functions: the header's lines as a comment, the printer's head and helpers, and the
/// functions.
///
/// # Errors
/// As [`Printer::function`].
pub fn file(
    printer: &dyn Printer,
    kernels: &[Kernel],
    machine: &Machine,
    header: &[String],
) -> Result<String, MomaError> {
    let mut functions = String::new();
    for kernel in kernels {
        functions.push('\n');
        functions += &printer.function(kernel, &kernel.name, machine, &Layout::default())?;
    }
    Ok(comment(header) + &printer.head(machine) + &printer.helpers(&functions, machine) + &functions)
}

/// The lines of a header as line comments.
pub(crate) fn comment(header: &[String]) -> String {
    header.iter().map(|line| format!("// {line}\n")).collect()
}

/// Prints a lowered kernel as a stand-alone function in the language of its machine.
///
/// # Errors
/// As [`Printer::function`].
pub fn function(kernel: &Kernel, name: &str, machine: &Machine) -> Result<String, MomaError> {
    machine.printer.function(kernel, name, machine, &Layout::default())
}

/// Lowers and prints the field functions `pw_add`, `pw_sub`, `pw_mul` and `pw_sqr` as array programs call them.
///
/// # Errors
/// Those of [`FieldSpec::kernel`], [`lower`] and [`Printer::function`].
pub fn field_code(
    printer: &dyn Printer,
    field: FieldSpec,
    machine: &Machine,
    options: Options,
) -> Result<FieldCode, MomaError> {
    let mut text = String::new();
    for (function, name) in FIELD_FUNCTIONS {
        let kernel = lower(&field.kernel(function, machine)?, machine, options)?;
        text += &printer.function(&kernel, name, machine, &Layout::packed(field, machine))?;
    }
    let text = printer.helpers(&text, machine) + &text;
    Ok(FieldCode { text, constants: constant_words(field, machine) })
}

/// Number of words of the constants of the field functions.
fn constant_words(field: FieldSpec, machine: &Machine) -> usize {
    let words = field.words(machine) as usize;
    match (field.reduction, field.range) {
        (Reduction::Barrett, _) => 2 * words,
        (Reduction::Montgomery, Range::Canonical) => words + 1,
        (Reduction::Montgomery, Range::Twice) => 2 * words + 1,
    }
}

/// The constants that the field functions read, for a modulus: its words, the words of mu or of `-1/q`, and the words
/// of twice the modulus if values go up to it; each lowest word first.
///
/// # Errors
/// Those of [`FieldSpec::constant`].
pub fn constants(field: FieldSpec, q: &BigUint, machine: &Machine) -> Result<Vec<u64>, MomaError> {
    let words = field.words(machine) as usize;
    let k = field.constant(q, machine)?;
    let mut all = digits(q, machine.word, words);
    all.extend(digits(&k, machine.word, if field.reduction == Reduction::Barrett { words } else { 1 }));
    if field.range == Range::Twice {
        all.extend(digits(&(q * 2u32), machine.word, words));
    }
    Ok(all)
}

/// The lowest `count` digits of a value, `width` bits each, lowest first.
pub fn digits(value: &BigUint, width: u32, count: usize) -> Vec<u64> {
    let mut rest = value.clone();
    (0..count)
        .map(|_| {
            let digit = (&rest & mask(width)).to_u64().unwrap_or(0);
            rest >>= width;
            digit
        })
        .collect()
}

/// The value of digits of `width` bits, lowest first.
pub fn value(digits: &[u64], width: u32) -> BigUint {
    digits.iter().rev().fold(BigUint::zero(), |acc, d| (acc << width) + *d)
}

/// The number of reads of each variable by instructions and outputs.
fn uses(kernel: &Kernel) -> Vec<u32> {
    let mut uses = vec![0; kernel.bits.len()];
    let outputs = kernel.outputs.iter().flat_map(|p| &p.parts);
    for arg in kernel.body.iter().flat_map(|i| &i.args).chain(outputs) {
        if let Arg::Var(v) = arg {
            uses[v.0 as usize] += 1;
        }
    }
    uses
}
