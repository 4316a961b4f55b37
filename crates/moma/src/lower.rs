//! The driver: applies rules until every instruction is native to the machine.
//!
//! Lowering goes in rounds. A round takes the widest operations, of width `2 h`, and rewrites each by rules into
//! operations of width `h` (or of width `2 h` and lower rank, which are rewritten in turn). Variables wider than `h`
//! bits become pairs. A variable that fits `h` bits stays as it is and its high half is the constant zero, so a 381-bit
//! value in a frame of 512 bits takes six words of 64 bits, not eight. The round after the last split rewrites what is
//! left at the width of a word.
//!
//! Every rule must lower the pair (width, rank) strictly; the driver checks each application.

use crate::error::MomaError;
use crate::interp::mask;
use crate::ir::{Arg, Inst, Kernel, Op, Var};
use crate::machine::Machine;
use crate::passes;
use crate::rules::{self, Rule};
use crate::text;

/// The options of a lowering besides the machine.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The number of levels at which a wide product uses Karatsuba's rule (32) before the schoolbook rule is used.
    pub karatsuba: u32,
    /// Whether passes run between rounds. Without them the text is that of the rules alone, as the paper prints and
    /// counts it.
    pub optimise: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { karatsuba: 0, optimise: true }
    }
}

/// One application of a rule, as text for people to read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RuleApplication {
    /// The width in bits of the operations that the round splits.
    pub round: u32,
    /// The depth of nesting: the number of applications in the same round whose steps led to this one.
    pub depth: usize,
    /// The number of the rule.
    pub number: &'static str,
    /// The name of the rule.
    pub name: &'static str,
    /// The instruction that the rule rewrites.
    pub before: String,
    /// The instructions that replace it, one per line, including those that other rules rewrite at once.
    pub after: Vec<String>,
}

/// Lowers a kernel for a machine.
///
/// # Errors
/// [`MomaError::NotNative`] if an operation is left that the machine does not have and no rule rewrites,
/// [`MomaError::NotDecreasing`] if a rule breaks the order (a defect of the rule).
pub fn lower(kernel: &Kernel, machine: &Machine, options: Options) -> Result<Kernel, MomaError> {
    Ok(run(kernel, machine, options, false)?.0)
}

/// Lowers a kernel and returns it with every application of a rule, in order.
///
/// # Errors
/// As [`lower`].
pub fn explain(
    kernel: &Kernel,
    machine: &Machine,
    options: Options,
) -> Result<(Kernel, Vec<RuleApplication>), MomaError> {
    run(kernel, machine, options, true)
}

fn run(
    kernel: &Kernel,
    machine: &Machine,
    options: Options,
    trace: bool,
) -> Result<(Kernel, Vec<RuleApplication>), MomaError> {
    let mut kernel = kernel.clone();
    let mut steps = Vec::new();
    let mut top = kernel.widest().max(machine.word);
    frame(&mut kernel, top);
    let mut top_level = options.karatsuba;
    loop {
        let split = top > machine.word && !(top == machine.container && machine.lazy());
        let (next, told) =
            round(kernel, machine, options, if split { top } else { machine.word }, top_level, trace)?;
        kernel = if options.optimise { passes::optimise(next) } else { next };
        steps.extend(told);
        if !split {
            break;
        }
        top /= 2;
        top_level = top_level.saturating_sub(1);
    }
    for inst in &kernel.body {
        if !machine.is_native(inst.op, inst.width) {
            return Err(MomaError::NotNative {
                machine: machine.name.clone(),
                op: inst.op.mnemonic(),
                width: inst.width,
            });
        }
    }
    Ok((kernel, steps))
}

/// Gives every parameter that is in one part the stride of the first round.
fn frame(kernel: &mut Kernel, top: u32) {
    for p in kernel.inputs.iter_mut().chain(kernel.outputs.iter_mut()) {
        if p.parts.len() == 1 {
            p.stride = top;
        }
    }
}

fn round(
    kernel: Kernel,
    machine: &Machine,
    options: Options,
    top: u32,
    karatsuba: u32,
    trace: bool,
) -> Result<(Kernel, Vec<RuleApplication>), MomaError> {
    let body = kernel.body;
    let mut rw = Rewriter {
        out: Kernel { body: Vec::new(), ..kernel },
        machine,
        options,
        karatsuba,
        top,
        half: top / 2,
        split: top > machine.word,
        known: Vec::new(),
        steps: Vec::new(),
        stack: Vec::new(),
        trace,
        failed: None,
        rules: rules::all()?,
    };
    rw.known.resize(rw.out.bits.len(), Known::Nothing);
    if rw.split {
        rw.split_inputs();
    }
    for inst in body {
        rw.place(inst);
        if let Some(error) = rw.failed.take() {
            return Err(error);
        }
    }
    rw.finish_outputs();
    Ok((rw.out, rw.steps))
}

/// What a round has found out about a variable.
#[derive(Clone)]
enum Known {
    /// No replacement: the variable stands for itself.
    Nothing,
    /// The variable equals another operand.
    Same(Arg),
    /// The variable is a pair of halves: high, low.
    Pair(Arg, Arg),
}

/// The state of a round, and the methods with which rules write their right-hand sides.
pub struct Rewriter<'a> {
    out: Kernel,
    /// The machine that text is generated for.
    pub machine: &'a Machine,
    /// The options of the lowering.
    pub options: Options,
    /// Number of Karatsuba levels left at the start of this round.
    pub karatsuba: u32,
    /// Width of the operations that the round rewrites, in bits.
    pub top: u32,
    /// Half of [`Rewriter::top`]: the width of the halves in bits.
    pub half: u32,
    /// Whether this round splits operations; the last one does not.
    pub split: bool,
    known: Vec<Known>,
    steps: Vec<RuleApplication>,
    stack: Vec<(u32, u32, Option<usize>)>,
    trace: bool,
    failed: Option<MomaError>,
    rules: &'static [Rule],
}

impl Rewriter<'_> {
    /// The operand that an operand is known to equal, else itself.
    fn resolve(&self, arg: &Arg) -> Arg {
        match arg {
            Arg::Var(v) => match &self.known[v.0 as usize] {
                Known::Same(other) => self.resolve(other),
                _ => arg.clone(),
            },
            Arg::Const(_) => arg.clone(),
        }
    }

    /// The declared width of an operand in bits.
    pub fn bits(&self, arg: &Arg) -> u32 {
        self.out.width_of(&self.resolve(arg))
    }

    /// The width in bits of a value given as digits of `width` bits, lowest first.
    pub fn digits_bits(&self, digits: &[Arg], width: u32) -> u32 {
        let used = |(i, d): (usize, &Arg)| match self.bits(d) {
            0 => 0,
            b => i as u32 * width + b,
        };
        digits.iter().enumerate().map(used).max().unwrap_or(0)
    }

    /// The high and the low half of an operand, by rules 19, 20 and 21.
    pub fn halves(&mut self, arg: &Arg) -> (Arg, Arg) {
        match self.resolve(arg) {
            Arg::Const(c) => (Arg::Const(&c >> self.half), Arg::Const(c & mask(self.half))),
            Arg::Var(v) => match &self.known[v.0 as usize] {
                Known::Pair(high, low) => (high.clone(), low.clone()),
                _ => (Arg::zero(), Arg::Var(v)),
            },
        }
    }

    /// Splits digits of width `2 h` into digits of width `h`, lowest first.
    pub fn split_digits(&mut self, digits: &[Arg]) -> Vec<Arg> {
        let mut out = Vec::with_capacity(2 * digits.len());
        for d in digits {
            let (high, low) = self.halves(d);
            out.extend([low, high]);
        }
        out
    }

    /// Records that a result is the pair (high, low); a result that fits one half equals its low part.
    pub fn set(&mut self, var: Var, high: Arg, low: Arg) {
        self.known[var.0 as usize] = if self.out.bits[var.0 as usize] <= self.half {
            Known::Same(low)
        } else {
            Known::Pair(high, low)
        };
    }

    /// Records that a result equals an operand.
    pub fn alias(&mut self, var: Var, value: Arg) {
        self.known[var.0 as usize] = Known::Same(value);
    }

    /// Adds an operation whose results have the given widths and applies rules to it; returns the results.
    pub fn emit(&mut self, op: Op, width: u32, args: Vec<Arg>, out_bits: &[u32]) -> Vec<Arg> {
        let outs: Vec<Var> = out_bits
            .iter()
            .map(|&b| {
                self.known.push(Known::Nothing);
                self.out.var(b)
            })
            .collect();
        let inst = Inst { op, width, args, outs: outs.clone() };
        if let Some(&(w, rank, step)) = self.stack.last() {
            if self.order(width, op) >= (w, rank) {
                self.failed = Some(MomaError::NotDecreasing { op: op.mnemonic(), width });
                return outs.into_iter().map(Arg::from).collect();
            }
            if let Some(step) = step {
                let line = text::inst(&self.out, &inst);
                self.steps[step].after.push(line);
            }
        }
        self.place(inst);
        outs.into_iter().map(|v| self.resolve(&v.into())).collect()
    }

    /// The measure that every rule must lower: width, then rank. An operation that the container performs natively is
    /// below all others.
    fn order(&self, width: u32, op: Op) -> (u32, u32) {
        if self.machine.lazy() && width == self.machine.container { (0, 0) } else { (width, op.rank()) }
    }

    /// Adds an operation with one result of the given width and returns the result.
    pub fn one(&mut self, op: Op, width: u32, args: Vec<Arg>, bits: u32) -> Arg {
        self.emit(op, width, args, &[bits]).swap_remove(0)
    }

    /// Whether this round splits the instruction: it has the width that the round rewrites.
    pub fn split_wide(&self, inst: &Inst) -> bool {
        self.split && inst.width == self.top
    }

    /// Rewrites an instruction by the first rule that matches, else simplifies or keeps it.
    fn place(&mut self, mut inst: Inst) {
        for arg in &mut inst.args {
            *arg = self.resolve(arg);
        }
        let rules: &'static [Rule] = self.rules;
        let Some(rule) = rules.iter().find(|r| r.matches(&inst, self)) else {
            if self.options.optimise
                && let Some(values) = passes::simplify(&inst, &|a| self.out.width_of(a))
            {
                for (var, value) in inst.outs.iter().zip(values) {
                    self.alias(*var, value);
                }
                return;
            }
            self.out.body.push(inst);
            return;
        };
        if self.failed.is_some() {
            return;
        }
        let step = self.trace.then(|| {
            self.steps.push(RuleApplication {
                round: self.top,
                depth: self.stack.len(),
                number: rule.number,
                name: rule.name,
                before: text::inst(&self.out, &inst),
                after: Vec::new(),
            });
            self.steps.len() - 1
        });
        let (width, rank) = self.order(inst.width, inst.op);
        self.stack.push((width, rank, step));
        if let Err(error) = rule.apply(self, &inst) {
            self.failed.get_or_insert(error);
        }
        self.stack.pop();
    }

    fn split_inputs(&mut self) {
        let mut inputs = std::mem::take(&mut self.out.inputs);
        for p in &mut inputs {
            if p.stride != self.top {
                continue;
            }
            let mut parts = Vec::new();
            for part in &p.parts {
                match part {
                    Arg::Var(v) if self.out.bits[v.0 as usize] > self.half => {
                        let bits = self.out.bits[v.0 as usize];
                        self.known.extend([Known::Nothing, Known::Nothing]);
                        let low = Arg::from(self.out.var(self.half));
                        let high = Arg::from(self.out.var(bits - self.half));
                        self.known[v.0 as usize] = Known::Pair(high.clone(), low.clone());
                        if self.trace {
                            self.steps.push(RuleApplication {
                                round: self.top,
                                depth: 0,
                                number: "19",
                                name: "a double word is its high and its low half",
                                before: format!("%{}:u{bits}", v.0),
                                after: vec![format!(
                                    "[{}, {}]",
                                    text::operand(&self.out, &high),
                                    text::operand(&self.out, &low)
                                )],
                            });
                        }
                        parts.extend([low, high]);
                    }
                    Arg::Var(_) => parts.extend([part.clone(), Arg::zero()]),
                    Arg::Const(c) => {
                        parts.extend([Arg::Const(c & mask(self.half)), Arg::Const(c >> self.half)]);
                    }
                }
            }
            p.stride = self.half;
            p.parts = parts_trimmed(parts, p.bits, self.half);
        }
        self.out.inputs = inputs;
    }

    fn finish_outputs(&mut self) {
        let mut outputs = std::mem::take(&mut self.out.outputs);
        for p in &mut outputs {
            if self.split && p.stride == self.top {
                let parts = p.parts.clone();
                p.parts = parts_trimmed(self.split_digits(&parts), p.bits, self.half);
                p.stride = self.half;
            }
            for part in &mut p.parts {
                *part = self.resolve(part);
            }
        }
        self.out.outputs = outputs;
    }
}

/// The parts that hold `bits` bits; the parts above are zero and dropped.
fn parts_trimmed(mut parts: Vec<Arg>, bits: u32, stride: u32) -> Vec<Arg> {
    parts.truncate(bits.div_ceil(stride).max(1) as usize);
    parts
}

/// The constant operand `2^bits - 1`.
pub(crate) fn ones(bits: u32) -> Arg {
    Arg::Const(mask(bits))
}
