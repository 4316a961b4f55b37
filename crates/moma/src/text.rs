//! The text form of kernels: printed and read back without loss.
//!
//! ```text
//! kernel addmod(a: u256/256 = [%0:u256], b: u256/256 = [%1:u256], q: u256/256 = [%2:u256]) -> (c: u256/256 = [%3]) {
//!   %3:u256 = addmod.256 %0, %1, %2
//! }
//! ```
//! A parameter is `name: u<bits>/<stride> = [parts, lowest first]`, or `name: u<bits> = [part]` if it is one machine
//! word for every field. An instruction is `results = mnemonic.width{parameters} operands`. Constants are hexadecimal.

use std::fmt::Write as _;

use num_bigint::BigUint;
use num_traits::Num;

use crate::error::{MomaError, TextError};
use crate::ir::{Arg, Inst, Kernel, Op, Param, Var};

/// Prints a kernel.
pub fn print(kernel: &Kernel) -> String {
    let params = |list: &[Param], typed: bool| {
        list.iter()
            .map(|p| {
                let parts: Vec<String> = p
                    .parts
                    .iter()
                    .map(|a| match a {
                        Arg::Var(v) if typed => format!("%{}:u{}", v.0, kernel.bits[v.0 as usize]),
                        _ => arg(a),
                    })
                    .collect();
                let stride = if p.word { String::new() } else { format!("/{}", p.stride) };
                format!("{}: u{}{stride} = [{}]", p.name, p.bits, parts.join(", "))
            })
            .collect::<Vec<_>>()
            .join(", ")
    };
    let mut out = format!(
        "kernel {}({}) -> ({}) {{\n",
        kernel.name,
        params(&kernel.inputs, true),
        params(&kernel.outputs, false)
    );
    for i in &kernel.body {
        let _ = writeln!(out, "  {}", inst(kernel, i));
    }
    out.push_str("}\n");
    out
}

/// Prints one instruction of a kernel.
pub fn inst(kernel: &Kernel, i: &Inst) -> String {
    let outs: Vec<String> =
        i.outs.iter().map(|v| format!("%{}:u{}", v.0, kernel.bits[v.0 as usize])).collect();
    let args: Vec<String> = i.args.iter().map(arg).collect();
    let numbers: Vec<String> = i.op.parameters().iter().map(u32::to_string).collect();
    let braces = if numbers.is_empty() { String::new() } else { format!("{{{}}}", numbers.join(",")) };
    format!("{} = {}.{}{} {}", outs.join(", "), i.op.mnemonic(), i.width, braces, args.join(", "))
}

/// An operand with its type.
pub(crate) fn operand(kernel: &Kernel, a: &Arg) -> String {
    match a {
        Arg::Var(v) => format!("%{}:u{}", v.0, kernel.bits[v.0 as usize]),
        Arg::Const(_) => arg(a),
    }
}

fn arg(a: &Arg) -> String {
    match a {
        Arg::Var(v) => format!("%{}", v.0),
        Arg::Const(c) => format!("{c:#x}"),
    }
}

/// Parses a kernel.
///
/// # Errors
/// [`MomaError::Text`] with the line and the cause: a syntax error, an unknown operation, a number of operands that the
/// operation does not have, a variable that is read before it is defined or defined twice.
pub fn parse(text: &str) -> Result<Kernel, MomaError> {
    let mut reader = Reader { kernel: Kernel::new(""), defined: Vec::new(), line: 0 };
    let mut lines = text.lines().enumerate().map(|(n, l)| (n + 1, l.trim())).filter(|(_, l)| !l.is_empty());
    let (n, head) = lines.next().ok_or(MomaError::Text { line: 1, cause: TextError::Empty })?;
    reader.line = n;
    let outputs = reader.head(head)?;
    let mut closed = false;
    for (n, line) in lines {
        reader.line = n;
        if closed {
            return reader.fail(TextError::AfterEnd);
        }
        if line == "}" {
            closed = true;
        } else {
            reader.inst(line)?;
        }
    }
    if !closed {
        return reader.fail(TextError::NoEnd);
    }
    reader.line = n;
    for text in outputs {
        let p = reader.param(&text, false)?;
        reader.kernel.outputs.push(p);
    }
    Ok(reader.kernel)
}

struct Reader {
    kernel: Kernel,
    defined: Vec<bool>,
    line: usize,
}

/// Greatest number of variables of a text, above that of any kernel of 1,024 bits; it bounds the memory that a text can
/// ask for.
const MOST_VARS: usize = 1 << 22;
/// The widest type that a text may declare, in bits.
const MOST_BITS: u32 = 1 << 16;

impl Reader {
    fn fail<T>(&self, cause: TextError) -> Result<T, MomaError> {
        Err(MomaError::Text { line: self.line, cause })
    }

    /// Parses `kernel NAME(inputs) -> (outputs) {`; returns the texts of the outputs, which name variables of the body.
    fn head(&mut self, line: &str) -> Result<Vec<String>, MomaError> {
        let parts = line
            .strip_prefix("kernel ")
            .and_then(|l| l.strip_suffix('{'))
            .and_then(|l| l.split_once('('))
            .and_then(|(name, rest)| rest.split_once(") -> (").map(|(i, o)| (name, i, o)))
            .and_then(|(name, i, o)| o.trim_end().strip_suffix(')').map(|o| (name, i, o)));
        let Some((name, inputs, outputs)) = parts else {
            return self.fail(TextError::Head);
        };
        self.kernel.name = name.trim().to_string();
        for text in split_params(inputs) {
            let p = self.param(&text, true)?;
            self.kernel.inputs.push(p);
        }
        Ok(split_params(outputs))
    }

    /// Parses `name: u<bits>/<stride> = [parts]`.
    fn param(&mut self, text: &str, defines: bool) -> Result<Param, MomaError> {
        let split = text.split_once(':').and_then(|(name, rest)| {
            let (ty, parts) = rest.split_once('=')?;
            let ty = ty.trim().strip_prefix('u')?;
            let (bits, stride) = ty.split_once('/').unwrap_or((ty, ty));
            let parts = parts.trim().strip_prefix('[')?.strip_suffix(']')?;
            Some((name.trim(), bits.parse().ok()?, stride.parse().ok()?, !ty.contains('/'), parts))
        });
        let Some((name, bits, stride, word, parts)): Option<(&str, u32, u32, bool, &str)> = split else {
            return self.fail(TextError::Parameter(text.trim().into()));
        };
        if bits > MOST_BITS || stride > MOST_BITS || stride == 0 {
            return self.fail(TextError::ParameterWidth { name: name.into(), most: MOST_BITS });
        }
        let mut list = Vec::new();
        for part in parts.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            list.push(if defines && part.starts_with('%') {
                self.define(part)?.into()
            } else {
                self.arg(part)?
            });
        }
        Ok(Param { name: name.into(), bits, parts: list, stride, word })
    }

    /// Parses the definition `%n:u<bits>` of a new variable.
    fn define(&mut self, text: &str) -> Result<Var, MomaError> {
        let split = text.strip_prefix('%').and_then(|t| t.split_once(":u"));
        let Some((n, bits)) =
            split.and_then(|(n, b)| Some((n.parse::<usize>().ok()?, b.parse::<u32>().ok()?)))
        else {
            return self.fail(TextError::Definition(text.into()));
        };
        if n >= MOST_VARS || bits > MOST_BITS {
            return self.fail(TextError::Range(text.into()));
        }
        if self.kernel.bits.len() <= n {
            self.kernel.bits.resize(n + 1, 0);
            self.defined.resize(n + 1, false);
        }
        if std::mem::replace(&mut self.defined[n], true) {
            return self.fail(TextError::Redefined(n));
        }
        self.kernel.bits[n] = bits;
        Ok(Var(n as u32))
    }

    fn arg(&self, text: &str) -> Result<Arg, MomaError> {
        if let Some(n) = text.strip_prefix('%') {
            return match n.parse::<usize>() {
                Ok(n) if self.defined.get(n) == Some(&true) => Ok(Var(n as u32).into()),
                Ok(n) => self.fail(TextError::Undefined(n)),
                Err(_) => self.fail(TextError::Operand(text.into())),
            };
        }
        let digits = text.strip_prefix("0x").filter(|d| d.len() <= MOST_BITS as usize / 4);
        match digits.and_then(|d| BigUint::from_str_radix(d, 16).ok()) {
            Some(c) => Ok(Arg::Const(c)),
            None => self.fail(TextError::Operand(text.into())),
        }
    }

    /// Parses `results = mnemonic.width{parameters} operands`.
    fn inst(&mut self, line: &str) -> Result<(), MomaError> {
        let Some((outs, rest)) = line.split_once(" = ") else {
            return self.fail(TextError::Instruction);
        };
        let (op, operands) = rest.split_once(' ').unwrap_or((rest, ""));
        let (op, numbers) = match op.split_once('{') {
            Some((op, n)) => (op, n.strip_suffix('}').unwrap_or(n)),
            None => (op, ""),
        };
        let numbers: Result<Vec<u32>, _> =
            numbers.split(',').filter(|n| !n.is_empty()).map(|n| n.trim().parse()).collect();
        let parsed = op.rsplit_once('.').and_then(|(m, w)| Some((m, w.parse::<u32>().ok()?)));
        let (Some((mnemonic, width)), Ok(numbers)) = (parsed, numbers) else {
            return self.fail(TextError::Operation(op.into()));
        };
        let small = |n: &u32| *n <= MOST_BITS;
        let Some(op) = Op::from_parts(mnemonic, &numbers).filter(|_| numbers.iter().all(small)) else {
            return self.fail(TextError::Unknown { mnemonic: mnemonic.into(), numbers: numbers.len() });
        };
        if width == 0 || width > MOST_BITS {
            return self.fail(TextError::Width(width));
        }
        let args = operands.split(',').map(str::trim).filter(|t| !t.is_empty());
        let args = args.map(|t| self.arg(t)).collect::<Result<Vec<_>, _>>()?;
        let outs = outs.split(',').map(|t| self.define(t.trim())).collect::<Result<Vec<_>, _>>()?;
        let (operands, results) = (args.len(), outs.len());
        if !op.takes(operands, results) {
            return self.fail(TextError::Arity { mnemonic: op.mnemonic(), operands, results });
        }
        self.kernel.body.push(Inst { op, width, args, outs });
        Ok(())
    }
}

/// Splits a list of parameters at the commas outside of brackets.
fn split_params(text: &str) -> Vec<String> {
    let mut out = vec![String::new()];
    let mut depth = 0u32;
    for c in text.chars() {
        match c {
            '[' => depth += 1,
            ']' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if c == ',' && depth == 0 {
            out.push(String::new());
        } else if let Some(last) = out.last_mut() {
            last.push(c);
        }
    }
    out.retain(|p| !p.trim().is_empty());
    out
}
