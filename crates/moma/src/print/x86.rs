//! Rows of products as x86-64 assembly: `mulx` does not change the flags, so a row has two carry chains, the low halves
//! of its products on CF (`adcx`) and the high halves on OF (`adox`). Compilers generate only one.
//!
//! [`block`] covers the longest beginning of a kernel that consists of rows: chains of multiply-accumulates by one
//! factor, each taking the high word of the one before as its carry, low products for the next factor, and sums of the
//! last high word of a row with another word. Registers are allocated over that straight-line text: factors stay in
//! memory, the digits of a sum stay in registers and are updated in place. The rest (a conditional subtraction) is left
//! to the compiler, which receives the digits in variables. There is no block if the digits do not fit the registers or
//! are used again, or if products come after it: the whole kernel is plain text then.

use core::fmt::Write;
use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Arg, Inst, Kernel, Op, Var};

/// The registers that inline assembly may use, without rdx, which holds the factor of a row.
const REGISTERS: [&str; 12] =
    ["rax", "rcx", "rsi", "rdi", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15"];

/// Assembly for the beginning of a kernel.
pub(super) struct Block {
    /// The `asm!` statement and the variables it defines.
    pub(super) text: String,
    /// Number of instructions of the kernel that the text replaces.
    pub(super) covers: usize,
}

/// The location of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum At {
    /// In a word of an input array: index of the input, index of the word.
    Memory(usize, usize),
    /// In a general register.
    Register(&'static str),
    /// In rdx, as the factor of a row.
    Factor,
}

struct Assembler<'a> {
    kernel: &'a Kernel,
    at: BTreeMap<Var, At>,
    free: Vec<&'static str>,
    used: BTreeSet<&'static str>,
    lines: Vec<String>,
    /// The last read of each variable: an index into the body, or `covers` for reads after the block.
    last: Vec<usize>,
    pointers: Vec<Option<&'static str>>,
}

/// The beginning of a kernel as assembly; `None` if it has no rows or they need more registers than there are.
/// `expression` gives the Rust expression of an input array or value by the index of the input.
pub(super) fn block(kernel: &Kernel, expression: &dyn Fn(usize) -> String) -> Option<Block> {
    let covers = kernel.body.iter().position(|i| !covered(i)).unwrap_or(kernel.body.len());
    let products = |body: &[Inst]| body.iter().filter(|i| i.op == Op::Mac).count();
    if products(&kernel.body) == 0 || products(&kernel.body[covers..]) > 0 {
        return None;
    }
    // An input that is passed by value stays in a register if one is left, else on the stack.
    [false, true].into_iter().find_map(|stack| assemble(kernel, covers, stack, expression))
}

fn assemble(
    kernel: &Kernel,
    covers: usize,
    stack: bool,
    expression: &dyn Fn(usize) -> String,
) -> Option<Block> {
    let mut asm = Assembler {
        kernel,
        at: BTreeMap::new(),
        free: REGISTERS.iter().rev().copied().collect(),
        used: BTreeSet::new(),
        lines: Vec::new(),
        last: last_uses(kernel, covers),
        pointers: vec![None; kernel.inputs.len()],
    };
    let single = asm.inputs(covers, stack)?;
    let mut at = 0;
    while at < covers {
        at = asm.step(at, covers)?;
    }
    // Digits that are read after the block are its outputs.
    let mut outs: Vec<(Var, &'static str)> = Vec::new();
    for (var, place) in &asm.at {
        if asm.last[var.0 as usize] >= covers {
            match place {
                At::Register(r) => outs.push((*var, r)),
                At::Memory(..) => {}
                At::Factor => return None,
            }
        }
    }
    Some(Block { text: asm.text(&outs, single, stack, expression), covers })
}

fn covered(inst: &Inst) -> bool {
    inst.width == 64
        && match inst.op {
            Op::Mul | Op::Mac | Op::MulLo => true,
            Op::Add => inst.outs.len() == 1 && inst.args.len() == 2,
            _ => false,
        }
}

fn last_uses(kernel: &Kernel, covers: usize) -> Vec<usize> {
    let mut last = vec![0; kernel.bits.len()];
    let mut mark = |arg: &Arg, at: usize| {
        if let Arg::Var(v) = arg {
            last[v.0 as usize] = at;
        }
    };
    for (at, inst) in kernel.body.iter().enumerate() {
        inst.args.iter().for_each(|a| mark(a, at.min(covers)));
    }
    kernel.outputs.iter().flat_map(|p| &p.parts).for_each(|a| mark(a, covers));
    last
}

impl Assembler<'_> {
    /// Assigns pointer registers to the arrays that the block reads, and to an input that is passed by value a register
    /// or a slot on the stack. Returns the index of that input and the register it is passed in.
    fn inputs(&mut self, covers: usize, stack: bool) -> Option<Option<(usize, &'static str)>> {
        let mut single = None;
        let read = |v: &Var| {
            self.kernel.body[..covers]
                .iter()
                .any(|i| i.args.iter().any(|a| matches!(a, Arg::Var(x) if x == v)))
        };
        let kernel = self.kernel;
        for (input, p) in kernel.inputs.iter().enumerate() {
            let vars = p.parts.iter().enumerate().filter_map(|(i, a)| match a {
                Arg::Var(v) if read(v) => Some((i, *v)),
                _ => None,
            });
            let vars: Vec<(usize, Var)> = vars.collect();
            if vars.is_empty() {
                continue;
            }
            self.at.extend(vars.iter().map(|(i, v)| (*v, At::Memory(input, *i))));
            if p.word {
                if single.is_some() {
                    return None;
                }
                single = Some(input);
            } else {
                self.pointers[input] = Some(self.take()?);
            }
        }
        let Some(input) = single else { return Some(None) };
        let register = self.take()?;
        if stack {
            self.line(format!("push {register}"));
            self.give(register);
        } else {
            let value = kernel.inputs[input].parts.first()?;
            if let Arg::Var(v) = value {
                self.at.insert(*v, At::Register(register));
                // It stays in its register to the end of the block.
                self.last[v.0 as usize] = self.last[v.0 as usize].max(covers - 1);
            }
        }
        Some(Some((input, register)))
    }

    fn line(&mut self, line: String) {
        self.lines.push(line);
    }

    fn take(&mut self) -> Option<&'static str> {
        let register = self.free.pop()?;
        self.used.insert(register);
        Some(register)
    }

    fn give(&mut self, register: &'static str) {
        self.free.push(register);
    }

    /// The assembly operand of a value.
    fn operand(&self, arg: &Arg) -> Option<String> {
        let Arg::Var(v) = arg else { return None };
        Some(match self.at.get(v)? {
            At::Memory(input, i) => match self.pointers[*input] {
                Some(pointer) => format!("qword ptr [{pointer} + {}]", 8 * i),
                None => "qword ptr [rsp]".to_owned(),
            },
            At::Register(r) => (*r).to_owned(),
            At::Factor => "rdx".to_owned(),
        })
    }

    /// The register of a digit whose last read is at `at`, to be updated in place.
    fn consume(&mut self, arg: &Arg, at: usize) -> Option<&'static str> {
        let Arg::Var(v) = arg else { return None };
        let Some(At::Register(r)) = self.at.get(v).copied() else { return None };
        if self.last[v.0 as usize] != at {
            return None;
        }
        self.at.remove(v);
        Some(r)
    }

    /// Records that a result is in a register, or frees the register if nothing reads the result.
    fn define(&mut self, var: Var, register: &'static str, at: usize) {
        if self.last[var.0 as usize] > at {
            self.at.insert(var, At::Register(register));
        } else {
            self.give(register);
        }
    }

    /// Prints one row, low product or sum; returns the index after it.
    fn step(&mut self, at: usize, covers: usize) -> Option<usize> {
        let kernel = self.kernel;
        let inst = &kernel.body[at];
        match inst.op {
            Op::MulLo => {
                let (x, y) = (self.operand(&inst.args[0])?, self.operand(&inst.args[1])?);
                self.line(format!("mov rdx, {x}"));
                self.line(format!("imul rdx, {y}"));
                self.at.retain(|_, place| *place != At::Factor);
                self.at.insert(inst.outs[0], At::Factor);
                Some(at + 1)
            }
            Op::Add => {
                let other = self.operand(&inst.args[1])?;
                let sum = self.consume(&inst.args[0], at)?;
                self.line(format!("add {sum}, {other}"));
                if let Some(r) = self.consume(&inst.args[1], at) {
                    self.give(r);
                }
                self.define(inst.outs[0], sum, at);
                Some(at + 1)
            }
            _ => self.row(at, covers),
        }
    }

    /// The number of instructions of the row that begins at an instruction.
    fn row_length(&self, at: usize, covers: usize) -> usize {
        let body = &self.kernel.body;
        let factor = &body[at].args[1];
        let mut n = 1;
        while at + n < covers
            && body[at + n].op == Op::Mac
            && body[at + n].args[1] == *factor
            && body[at + n].args.last() == Some(&body[at + n - 1].outs[0].into())
            && self.last[body[at + n - 1].outs[0].0 as usize] == at + n
        {
            n += 1;
        }
        n
    }

    fn row(&mut self, at: usize, covers: usize) -> Option<usize> {
        let kernel = self.kernel;
        let n = self.row_length(at, covers);
        let rows = &kernel.body[at..at + n];
        // The column that a step adds, if there is one; the carry is the last operand of all steps but the first.
        let column = |k: usize| {
            let inst = &rows[k];
            let addends = &inst.args[2..inst.args.len() - usize::from(k > 0)];
            (addends.len() <= 1).then(|| addends.first().cloned())
        };
        let factor = self.operand(&rows[0].args[1])?;
        if factor != "rdx" {
            self.line(format!("mov rdx, {factor}"));
        }
        let low = self.take()?;
        let mut sum = column(0)?.map(|c| self.consume(&c, at)).map_or(Some(None), |r| r.map(Some))?;
        let (mut on_cf, mut on_of) = (false, false);
        let two_chains = (0..n).any(|k| matches!(column(k), Some(Some(_))));
        if two_chains {
            self.line(format!("xor {0}, {0}", short(low)));
        }
        let mut high = "";
        for k in 0..n {
            let x = self.operand(&rows[k].args[0])?;
            high = self.take()?;
            match sum {
                None => {
                    // Without an addend the low word is the digit.
                    let digit = self.take()?;
                    self.line(format!("mulx {high}, {digit}, {x}"));
                    sum = Some(digit);
                }
                Some(digit) => {
                    self.line(format!("mulx {high}, {low}, {x}"));
                    let add = match (two_chains, on_cf) {
                        (true, _) => "adcx",
                        (false, true) => "adc",
                        (false, false) => "add",
                    };
                    self.line(format!("{add} {digit}, {low}"));
                    on_cf = true;
                }
            }
            self.define(*rows[k].outs.last()?, sum?, at + k);
            if k + 1 == n {
                break;
            }
            sum = match column(k + 1)? {
                None if !on_of => Some(high),
                // A column that is zero would still have to take the carry of the chain, which is not supported.
                None => return None,
                Some(c) => {
                    let digit = self.consume(&c, at + k + 1)?;
                    self.line(format!("adox {digit}, {high}"));
                    on_of = true;
                    self.give(high);
                    Some(digit)
                }
            };
        }
        let result = rows[n - 1].outs[0];
        let mut end = at + n;
        // A sum of the last high word with another word is one more column.
        let next = kernel.body.get(end).filter(|i| end < covers && i.op == Op::Add && two_chains);
        let other = next.and_then(|i| match &i.args[..] {
            [x, y] if *y == result.into() => Some((x.clone(), i.outs[0])),
            [x, y] if *x == result.into() => Some((y.clone(), i.outs[0])),
            _ => None,
        });
        let (mut total, mut out) = (high, result);
        if let Some((x, sum)) = other
            && self.last[result.0 as usize] == end
        {
            total = self.consume(&x, end)?;
            self.line(format!("adox {total}, {high}"));
            on_of = false;
            self.give(high);
            out = sum;
            end += 1;
        }
        match (two_chains, on_cf) {
            (true, _) if on_of => {
                self.line(format!("mov {}, 0", short(low)));
                self.line(format!("adox {total}, {low}"));
                self.line(format!("adcx {total}, {low}"));
            }
            (true, _) | (false, true) => self.line(format!("adc {total}, 0")),
            (false, false) => {}
        }
        self.give(low);
        self.define(out, total, end - 1);
        Some(end)
    }

    fn text(
        &self,
        outs: &[(Var, &'static str)],
        single: Option<(usize, &'static str)>,
        stack: bool,
        expression: &dyn Fn(usize) -> String,
    ) -> String {
        let mut text = String::new();
        for (v, _) in outs {
            let _ = writeln!(text, "    let v{}: u64;", v.0);
        }
        text.push_str("    // SAFETY: the caller has checked for BMI2 and ADX; only the arrays are read; the stack is restored.\n");
        text.push_str("    unsafe {\n        core::arch::asm!(\n");
        for line in &self.lines {
            let _ = writeln!(text, "            \"{line}\",");
        }
        let mut inputs: BTreeMap<&str, String> = BTreeMap::new();
        for (input, pointer) in self.pointers.iter().enumerate() {
            if let Some(r) = pointer {
                inputs.insert(r, format!("{}.as_ptr()", expression(input)));
            }
        }
        if let Some((input, r)) = single {
            if stack {
                let _ = writeln!(text, "            \"lea rsp, [rsp + 8]\",");
            }
            inputs.insert(r, expression(input));
        }
        let outs: BTreeMap<&str, Var> = outs.iter().map(|(v, r)| (*r, *v)).collect();
        for r in self.used.iter().copied() {
            let out = outs.get(r).map_or("_".to_owned(), |v| format!("v{}", v.0));
            // Pointers are not changed; neither is a value that was passed in a register, unless it was moved to the
            // stack.
            let kept = !(stack && single.is_some_and(|(_, register)| register == r));
            let _ = match inputs.get(r) {
                Some(value) if kept => writeln!(text, "            in(\"{r}\") {value},"),
                Some(value) => writeln!(text, "            inout(\"{r}\") {value} => {out},"),
                None => writeln!(text, "            out(\"{r}\") {out},"),
            };
        }
        text.push_str(
            "            out(\"rdx\") _,\n            options(pure, readonly),\n        );\n    }\n",
        );
        text
    }
}

/// The name of the low half of a register; writing it clears the upper half.
fn short(register: &str) -> String {
    match register.strip_prefix('r') {
        Some(number) if number.starts_with(|c: char| c.is_ascii_digit()) => format!("{register}d"),
        Some(name) => format!("e{name}"),
        None => register.to_owned(),
    }
}
