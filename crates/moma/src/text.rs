//! The text form of kernels: printed and read back without loss.
//!
//! ```text
//! kernel addmod(a: u256/256 = [%0:u256], b: u256/256 = [%1:u256], q: u256/256 = [%2:u256]) -> (c: u256/256 = [%3]) {
//!   %3:u256 = addmod.256 %0, %1, %2
//! }
//! ```
//! A parameter is `name: u<bits>/<stride> = [parts, lowest first]`, an instruction
//! `results = mnemonic.width{numbers} operands`; constants are hexadecimal.

use std::fmt::Write as _;

use num_bigint::BigUint;
use num_traits::Num;

use crate::error::MomaError;
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
                format!("{}: u{}/{} = [{}]", p.name, p.bits, p.stride, parts.join(", "))
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

/// Reads a kernel.
///
/// # Errors
/// [`MomaError::Text`] with the line and what is wrong there: syntax, an unknown operation, a number of operands that
/// the operation does not have, a variable that is read before it is defined or defined twice.
pub fn parse(text: &str) -> Result<Kernel, MomaError> {
    let mut reader = Reader { kernel: Kernel::new(""), defined: Vec::new(), line: 0 };
    let mut lines = text.lines().enumerate().map(|(n, l)| (n + 1, l.trim())).filter(|(_, l)| !l.is_empty());
    let (n, head) = lines.next().ok_or(MomaError::Text { line: 1, why: "nothing to read".into() })?;
    reader.line = n;
    let outputs = reader.head(head)?;
    let mut closed = false;
    for (n, line) in lines {
        reader.line = n;
        if closed {
            return reader.fail("text after the closing brace");
        }
        if line == "}" {
            closed = true;
        } else {
            reader.inst(line)?;
        }
    }
    if !closed {
        return reader.fail("the closing brace is missing");
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

/// More variables than any kernel of 1,024 bits needs; a text cannot ask for more memory than that.
const MOST_VARS: usize = 1 << 22;
/// The widest type that a text may name.
const MOST_BITS: u32 = 1 << 16;

impl Reader {
    fn fail<T>(&self, why: impl Into<String>) -> Result<T, MomaError> {
        Err(MomaError::Text { line: self.line, why: why.into() })
    }

    /// `kernel NAME(inputs) -> (outputs) {`; returns the outputs' texts, which name variables of the body.
    fn head(&mut self, line: &str) -> Result<Vec<String>, MomaError> {
        let parts = line
            .strip_prefix("kernel ")
            .and_then(|l| l.strip_suffix('{'))
            .and_then(|l| l.split_once('('))
            .and_then(|(name, rest)| rest.split_once(") -> (").map(|(i, o)| (name, i, o)))
            .and_then(|(name, i, o)| o.trim_end().strip_suffix(')').map(|o| (name, i, o)));
        let Some((name, inputs, outputs)) = parts else {
            return self.fail("expected `kernel NAME(inputs) -> (outputs) {`");
        };
        self.kernel.name = name.trim().to_string();
        for text in split_params(inputs) {
            let p = self.param(&text, true)?;
            self.kernel.inputs.push(p);
        }
        Ok(split_params(outputs))
    }

    /// `name: u<bits>/<stride> = [parts]`.
    fn param(&mut self, text: &str, defines: bool) -> Result<Param, MomaError> {
        let split = text.split_once(':').and_then(|(name, rest)| {
            let (ty, parts) = rest.split_once('=')?;
            let (bits, stride) = ty.trim().strip_prefix('u')?.split_once('/')?;
            let parts = parts.trim().strip_prefix('[')?.strip_suffix(']')?;
            Some((name.trim(), bits.parse().ok()?, stride.parse().ok()?, parts))
        });
        let Some((name, bits, stride, parts)): Option<(&str, u32, u32, &str)> = split else {
            return self
                .fail(format!("expected `name: u<bits>/<stride> = [parts]`, found `{}`", text.trim()));
        };
        if bits > MOST_BITS || stride > MOST_BITS || stride == 0 {
            return self.fail(format!("`{name}`: bits and stride must be between 1 and {MOST_BITS}"));
        }
        let mut list = Vec::new();
        for part in parts.split(',').map(str::trim).filter(|p| !p.is_empty()) {
            list.push(if defines && part.starts_with('%') {
                self.define(part)?.into()
            } else {
                self.arg(part)?
            });
        }
        Ok(Param { name: name.into(), bits, parts: list, stride })
    }

    /// `%n:u<bits>`, a new variable.
    fn define(&mut self, text: &str) -> Result<Var, MomaError> {
        let split = text.strip_prefix('%').and_then(|t| t.split_once(":u"));
        let Some((n, bits)) =
            split.and_then(|(n, b)| Some((n.parse::<usize>().ok()?, b.parse::<u32>().ok()?)))
        else {
            return self.fail(format!("expected `%<number>:u<bits>`, found `{text}`"));
        };
        if n >= MOST_VARS || bits > MOST_BITS {
            return self.fail(format!("`{text}` is out of range"));
        }
        if self.kernel.bits.len() <= n {
            self.kernel.bits.resize(n + 1, 0);
            self.defined.resize(n + 1, false);
        }
        if std::mem::replace(&mut self.defined[n], true) {
            return self.fail(format!("%{n} is defined twice"));
        }
        self.kernel.bits[n] = bits;
        Ok(Var(n as u32))
    }

    fn arg(&self, text: &str) -> Result<Arg, MomaError> {
        if let Some(n) = text.strip_prefix('%') {
            return match n.parse::<usize>() {
                Ok(n) if self.defined.get(n) == Some(&true) => Ok(Var(n as u32).into()),
                Ok(n) => self.fail(format!("%{n} is read before it is defined")),
                Err(_) => self.fail(format!("`{text}` is no variable")),
            };
        }
        let digits = text.strip_prefix("0x").filter(|d| d.len() <= MOST_BITS as usize / 4);
        match digits.and_then(|d| BigUint::from_str_radix(d, 16).ok()) {
            Some(c) => Ok(Arg::Const(c)),
            None => self.fail(format!("`{text}` is neither a variable nor a hexadecimal constant")),
        }
    }

    /// `results = mnemonic.width{numbers} operands`.
    fn inst(&mut self, line: &str) -> Result<(), MomaError> {
        let Some((outs, rest)) = line.split_once(" = ") else {
            return self.fail("expected `results = operation operands`");
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
            return self.fail(format!("expected `operation.width{{numbers}}`, found `{op}`"));
        };
        let small = |n: &u32| *n <= MOST_BITS;
        let Some(op) = Op::from_parts(mnemonic, &numbers).filter(|_| numbers.iter().all(small)) else {
            return self.fail(format!("unknown operation `{mnemonic}` with {} numbers", numbers.len()));
        };
        if width == 0 || width > MOST_BITS {
            return self.fail(format!("width {width} is out of range"));
        }
        let args = operands.split(',').map(str::trim).filter(|t| !t.is_empty());
        let args = args.map(|t| self.arg(t)).collect::<Result<Vec<_>, _>>()?;
        let outs = outs.split(',').map(|t| self.define(t.trim())).collect::<Result<Vec<_>, _>>()?;
        let ((a_min, a_max), (r_min, r_max)) = op.arity();
        if !(a_min..=a_max).contains(&args.len()) || !(r_min..=r_max).contains(&outs.len()) {
            return self.fail(format!("{mnemonic} with {} operands and {} results", args.len(), outs.len()));
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
