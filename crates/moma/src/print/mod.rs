//! Lowered kernels as text: a printer a language.
//!
//! [`c`], [`cuda`], [`rust`] and [`avx512`] print stand-alone functions; [`field_code`] prints the four field functions
//! that array programs call, with their constants in one array: the modulus, then `-1/q mod 2^word` (Montgomery) or mu
//! (Barrett), then twice the modulus where values go up to it. [`constants`] gives that array for a modulus.

pub mod avx512;
pub mod c;
pub mod chain;
pub mod cuda;
pub mod rust;
mod x86;

use std::collections::BTreeMap;

use num_bigint::BigUint;
use num_traits::{ToPrimitive, Zero};

use crate::catalogue::{FieldSpec, Function};
use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Kernel, Param, Range, Reduction};
use crate::lower::{Options, lower};
use crate::machine::{Machine, Printer};
use crate::program::print::FieldCode;

/// Where a function's text finds a parameter: by default in an array of the parameter's name.
#[derive(Clone, Debug, Default)]
struct Layout {
    /// Parameters that lie elsewhere: the array, and where in it they start.
    homes: BTreeMap<String, (&'static str, usize)>,
    /// Words of an output's array, if more than the output has.
    words: usize,
}

/// The field functions with their names in array programs.
const FIELD_FUNCTIONS: [(Function, &str); 4] = [
    (Function::AddMod, "pw_add"),
    (Function::SubMod, "pw_sub"),
    (Function::MulMod, "pw_mul"),
    (Function::SqrMod, "pw_sqr"),
];

/// Is this input one word, whatever the field: passed by value?
fn by_value(param: &Param) -> bool {
    param.name.starts_with("qinv")
}

impl Layout {
    /// The layout of a field function: result `r`, all that depends on the modulus in `k`.
    fn packed(field: FieldSpec, function: Function, machine: &Machine) -> Layout {
        let words = field.words(machine) as usize;
        let mut homes = BTreeMap::from([
            ("c".to_owned(), ("r", 0)),
            ("q".to_owned(), ("k", 0)),
            ("qinv".to_owned(), ("k", words)),
            ("mu".to_owned(), ("k", words)),
        ]);
        if field.range == Range::Twice && matches!(function, Function::AddMod | Function::SubMod) {
            homes.insert("q".to_owned(), ("k", words + 1));
        }
        Layout { homes, words }
    }

    /// Word `i` of a parameter.
    fn place(&self, param: &Param, i: usize) -> String {
        match self.homes.get(&param.name) {
            Some((array, at)) => format!("{array}[{}]", at + i),
            None if by_value(param) => param.name.clone(),
            None => format!("{}[{i}]", param.name),
        }
    }

    /// The expression of a parameter's array, from its first word on, or of its value.
    fn base(&self, param: &Param) -> String {
        match self.homes.get(&param.name) {
            Some((array, at)) if by_value(param) => format!("{array}[{at}]"),
            Some((array, at)) => format!("{array}[{at}..]"),
            None => param.name.clone(),
        }
    }

    /// The statement that stores an output.
    fn store(&self, param: &Param, values: &[String], zero: &str) -> String {
        let name = self.homes.get(&param.name).map_or(param.name.as_str(), |(array, _)| array);
        let mut all = values.to_vec();
        all.resize(values.len().max(self.words), zero.to_owned());
        format!("*{name} = [{}];", all.join(", "))
    }
}

/// The parameters of a stand-alone function in Rust: outputs, then inputs.
fn parameters(kernel: &Kernel, word: &str) -> String {
    let outputs = kernel.outputs.iter().map(|p| format!("{}: &mut [{word}; {}]", p.name, p.parts.len()));
    let inputs = kernel.inputs.iter().map(|p| {
        if by_value(p) {
            format!("{}: {word}", p.name)
        } else {
            format!("{}: &[{word}; {}]", p.name, p.parts.len())
        }
    });
    outputs.chain(inputs).collect::<Vec<_>>().join(", ")
}

/// A lowered kernel as a stand-alone Rust function, in the form that the machine's words ask for.
///
/// # Errors
/// [`MomaError::NotPrintable`] if the machine's text is not Rust, or an operation has no form in it.
pub fn rust_function(kernel: &Kernel, name: &str, machine: &Machine) -> Result<String, MomaError> {
    match machine.printer {
        Printer::RustAvx512 => avx512::function(kernel, name),
        _ => rust::function(kernel, name),
    }
}

/// The field functions `pw_add`, `pw_sub`, `pw_mul`, `pw_sqr` in Rust, as array programs call them.
///
/// # Errors
/// Those of [`FieldSpec::kernel`], [`lower`] and [`rust_function`].
pub fn field_code(field: FieldSpec, machine: &Machine, options: Options) -> Result<FieldCode, MomaError> {
    let mut text = String::new();
    for (function, name) in FIELD_FUNCTIONS {
        let kernel = lower(&field.kernel(function, machine)?, machine, options)?;
        let layout = Layout::packed(field, function, machine);
        let (word, attribute, (qualifier, body)) = match machine.printer {
            Printer::RustAvx512 => ("__m512i", avx512::FEATURES, ("", avx512::body(&kernel, &layout)?)),
            _ => ("u64", "", rust::body(&kernel, &layout)?),
        };
        let b = if function == Function::SqrMod { "" } else { ", b: &[W; WORDS]" };
        let head = format!("{qualifier}fn {name}(r: &mut [W; WORDS], a: &[W; WORDS]{b}, k: &[W; CONSTANTS])");
        let head = head.replace('W', word).replace(&format!("{word}ORDS"), "WORDS");
        text.push_str(&format!("#[inline]\n{attribute}\n{head} {{\n{body}}}\n").replace("\n\n", "\n"));
    }
    Ok(FieldCode { text, constants: constant_words(field, machine) })
}

/// Words of the constants.
fn constant_words(field: FieldSpec, machine: &Machine) -> usize {
    let words = field.words(machine) as usize;
    match (field.reduction, field.range) {
        (Reduction::Barrett, _) => 2 * words,
        (Reduction::Montgomery, Range::Canonical) => words + 1,
        (Reduction::Montgomery, Range::Twice) => 2 * words + 1,
    }
}

/// What the field functions read besides their operands, for a modulus: its words, the words of its constant, and
/// those of twice the modulus where values go up to it.
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

/// The digits of a value, lowest first; what is above the last one is cut off.
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

/// The value of digits, lowest first.
pub fn value(digits: &[u64], width: u32) -> BigUint {
    digits.iter().rev().fold(BigUint::zero(), |acc, d| (acc << width) + *d)
}

/// How often each variable is read, by instructions and outputs.
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
