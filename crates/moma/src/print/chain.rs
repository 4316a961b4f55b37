//! Carry chains: finds the instructions that pass a carry on in the machine's flag, and an order that keeps them
//! together.
//!
//! PTX keeps the carry flag between two instructions of one `asm` statement, not between two statements. So every
//! maximal sequence of instructions in which each passes its carry to the next, a *chain*, becomes one statement
//! without any other instruction in it: the instructions that a chain depends on are printed before it, all others
//! after it. If the middle of a chain depends, through other instructions, on a result of its beginning, no such order
//! exists; the chain is cut there, and the carry is passed in a register.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Arg, Inst, Kernel, Op, Var};

/// A unit of the schedule: one instruction or one chain.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// An instruction that neither reads nor sets the flag, by its index in the body.
    One(usize),
    /// Instructions that pass the flag on, as the machine executes them.
    Chain(Vec<Line>),
}

/// The operation of a line of a chain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LineOp {
    /// `a + b`.
    Add,
    /// `a - b`; the flag is a borrow.
    Sub,
    /// The low word of `a b`, plus c.
    MadLo,
    /// The high word of `a b`, plus c.
    MadHi,
}

/// An instruction of a machine with a carry flag.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Line {
    /// The operation on the operands.
    pub op: LineOp,
    /// Whether the instruction adds (or subtracts) the flag.
    pub carry_in: bool,
    /// Whether the instruction sets the flag.
    pub carry_out: bool,
    /// The variable that takes the word; `None` if only the flag is used.
    pub out: Option<Var>,
    /// The operands of the instruction.
    pub args: Vec<Arg>,
}

/// Joins the low and the high half of a product without addend into one wide product.
pub fn join_products(kernel: &Kernel) -> Kernel {
    let half = |i: &Inst| match i.op {
        Op::MadLo | Op::MadHi if i.args.len() == 3 && i.args[2].is_zero() && i.outs.len() == 1 => {
            Some(usize::from(i.op == Op::MadLo))
        }
        _ => None,
    };
    // High and low half of each product, by its operands.
    let mut products = BTreeMap::new();
    for inst in &kernel.body {
        if let Some(half) = half(inst) {
            let halves = products.entry((inst.width, inst.args.clone())).or_insert([None; 2]);
            halves[half].get_or_insert(inst.outs[0]);
        }
    }
    let mut body = Vec::with_capacity(kernel.body.len());
    let mut joined = BTreeSet::new();
    for inst in &kernel.body {
        let halves = half(inst).and_then(|_| products.get(&(inst.width, inst.args.clone())));
        match halves {
            // This half was computed with the first one.
            Some(_) if joined.contains(&inst.outs[0]) => {}
            Some(&[Some(high), Some(low)]) if [high, low].contains(&inst.outs[0]) => {
                joined.extend([high, low]);
                let args = inst.args[..2].to_vec();
                body.push(Inst { op: Op::Mul, width: inst.width, args, outs: vec![high, low] });
            }
            _ => body.push(inst.clone()),
        }
    }
    Kernel { body, ..kernel.clone() }
}

/// Moves a carry that is an ordinary addend of a sum to the position of the carry operand: `x + c` becomes `x + 0 + c`.
pub fn lift_carries(kernel: &Kernel) -> Kernel {
    let mut lifted = kernel.clone();
    let mut carries = BTreeSet::new();
    for inst in &mut lifted.body {
        if inst.op == Op::Add
            && let [Arg::Var(a), Arg::Var(b)] = inst.args[..]
            && let Some(c) = [b, a].into_iter().find(|v| carries.contains(v))
        {
            let other = if c == b { a } else { b };
            inst.args = vec![other.into(), Arg::zero(), c.into()];
        }
        if inst.outs.len() == 2 && flag(inst.op) == Some(false) {
            carries.insert(inst.outs[0]);
        }
    }
    lifted
}

/// The instructions of a lowered kernel in an order that keeps every chain together.
pub fn schedule(kernel: &Kernel) -> Vec<Block> {
    let mut plan = ChainPlan::new(kernel);
    loop {
        match plan.order() {
            Ok(order) => return order.into_iter().map(|node| plan.block(node)).collect(),
            Err(cut) => plan.next[cut] = None,
        }
    }
}

/// The kind of flag that an instruction sets or reads: false for a carry, true for a borrow, which cannot form one
/// chain.
fn flag(op: Op) -> Option<bool> {
    match op {
        Op::Add | Op::MadLo | Op::MadHi => Some(false),
        Op::Sub => Some(true),
        _ => None,
    }
}

/// The operand that is the carry, if the instruction has one.
fn carry_in(inst: &Inst) -> Option<&Arg> {
    match inst.op {
        Op::Add | Op::Sub => inst.args.get(2),
        Op::MadLo | Op::MadHi => inst.args.get(3),
        _ => None,
    }
}

struct ChainPlan<'a> {
    kernel: &'a Kernel,
    /// The instruction that defines each variable.
    made: Vec<Option<usize>>,
    /// The number of reads of each variable.
    uses: Vec<u32>,
    /// For each instruction, the next one of its chain.
    next: Vec<Option<usize>>,
}

impl<'a> ChainPlan<'a> {
    fn new(kernel: &'a Kernel) -> Self {
        let mut made = vec![None; kernel.bits.len()];
        let mut next = vec![None; kernel.body.len()];
        for (at, inst) in kernel.body.iter().enumerate() {
            for v in &inst.outs {
                made[v.0 as usize] = Some(at);
            }
            if let Some(Arg::Var(c)) = carry_in(inst)
                && let Some(from) = made[c.0 as usize]
                && kernel.body[from].outs.len() == 2
                && kernel.body[from].outs[0] == *c
                && flag(kernel.body[from].op) == flag(inst.op)
                && next[from].is_none()
            {
                next[from] = Some(at);
            }
        }
        ChainPlan { kernel, made, uses: super::uses(kernel), next }
    }

    /// The first instructions of the chains, in an order in which each chain can be executed as a whole; or, as an
    /// error, the instruction after which a chain has to be cut.
    fn order(&self) -> Result<Vec<usize>, usize> {
        let n = self.kernel.body.len();
        let mut first: Vec<usize> = (0..n).collect();
        for at in 0..n {
            if let Some(next) = self.next[at] {
                first[next] = first[at];
            }
        }
        let mut walk = Walk { first, state: vec![State::New; n], path: Vec::new(), order: Vec::new() };
        for at in 0..n {
            // A chain is placed at the position of its last instruction, unless another instruction needs it earlier.
            if self.next[at].is_none() && walk.state[walk.first[at]] == State::New {
                self.visit(at, &mut walk)?;
            }
        }
        Ok(walk.order)
    }

    /// Appends the chain of a needed instruction to the order, after all chains that it depends on.
    fn visit(&self, needed: usize, walk: &mut Walk) -> Result<(), usize> {
        let node = walk.first[needed];
        walk.state[node] = State::Open;
        walk.path.push((needed, node));
        let mut at = Some(node);
        while let Some(here) = at {
            walk.path.last_mut().unwrap_or(&mut (0, 0)).1 = here;
            for arg in &self.kernel.body[here].args {
                let Arg::Var(v) = arg else { continue };
                let Some(from) = self.made[v.0 as usize] else { continue };
                match walk.state[walk.first[from]] {
                    _ if walk.first[from] == node => {}
                    State::Done => {}
                    State::New => self.visit(from, walk)?,
                    State::Open => return Err(self.cut(from, walk)),
                }
            }
            at = self.next[here];
        }
        walk.path.pop();
        walk.state[node] = State::Done;
        walk.order.push(node);
        Ok(())
    }

    /// Finds the instruction after which to cut. Every chain on the path from the chain of `from` on needs the next
    /// chain, and the last one needs `from`. Since single instructions do have an order, some chain on the path is
    /// needed at an instruction that comes before the one that needs the next chain: it is cut after the former.
    fn cut(&self, from: usize, walk: &Walk) -> usize {
        let first = walk.first[from];
        let start = walk.path.iter().position(|(_, here)| walk.first[*here] == first).unwrap_or(0);
        let mut way = walk.path[start..].to_vec();
        way[0].0 = from;
        // The instructions of a chain have the same order in the body as in the chain.
        way.iter().find(|(needed, here)| needed < here).map_or(from, |(needed, _)| *needed)
    }

    fn block(&self, node: usize) -> Block {
        let inst = &self.kernel.body[node];
        if self.next[node].is_none() && (inst.outs.len() == 1 || flag(inst.op).is_none()) {
            return Block::One(node);
        }
        let mut lines = Vec::new();
        let mut linked = false;
        let mut at = Some(node);
        while let Some(here) = at {
            self.lines(here, linked, &mut lines);
            at = self.next[here];
            linked = true;
        }
        Block::Chain(lines)
    }

    /// Appends one instruction of a chain. Where needed, other lines move the carry from a register to the flag before
    /// it or from the flag to a register after it.
    fn lines(&self, at: usize, linked: bool, lines: &mut Vec<Line>) {
        let inst = &self.kernel.body[at];
        let borrow = inst.op == Op::Sub;
        let (op, count) = match inst.op {
            Op::Add => (LineOp::Add, 2),
            Op::Sub => (LineOp::Sub, 2),
            Op::MadLo => (LineOp::MadLo, 3),
            _ => (LineOp::MadHi, 3),
        };
        let carry = carry_in(inst).filter(|c| !c.is_zero());
        if let (false, Some(c)) = (linked, carry) {
            // 2^w - 1 plus one sets the carry; zero minus one sets the borrow.
            let (op, args) = if borrow {
                (LineOp::Sub, vec![Arg::zero(), c.clone()])
            } else {
                (LineOp::Add, vec![c.clone(), crate::lower::ones(inst.width)])
            };
            lines.push(Line { op, carry_in: false, carry_out: true, out: None, args });
        }
        let (carry_out, out) = match inst.outs[..] {
            [flag, out] => (Some(flag), out),
            _ => (None, inst.outs[0]),
        };
        lines.push(Line {
            op,
            carry_in: carry.is_some(),
            carry_out: carry_out.is_some(),
            out: Some(out).filter(|v| self.uses[v.0 as usize] > 0),
            args: inst.args[..count].to_vec(),
        });
        let Some(flag) = carry_out else { return };
        if self.uses[flag.0 as usize] > u32::from(self.next[at].is_some()) {
            let out = Some(flag);
            let zeros = vec![Arg::zero(), Arg::zero()];
            if borrow {
                // 0 - 0 - borrow is all ones; its negative is one.
                lines.push(Line { op: LineOp::Sub, carry_in: true, carry_out: false, out, args: zeros });
                let args = vec![Arg::zero(), flag.into()];
                lines.push(Line { op: LineOp::Sub, carry_in: false, carry_out: false, out, args });
            } else {
                lines.push(Line { op: LineOp::Add, carry_in: true, carry_out: false, out, args: zeros });
            }
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum State {
    New,
    Open,
    Done,
}

struct Walk {
    /// For each instruction, the first one of its chain.
    first: Vec<usize>,
    state: Vec<State>,
    /// The chains being visited: for each the instruction that is needed, and the instruction whose operands are being
    /// visited.
    path: Vec<(usize, usize)>,
    order: Vec<usize>,
}
