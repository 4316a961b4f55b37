//! Carry chains: which instructions pass a carry on in the flag of the machine, and in which order all are printed.
//!
//! PTX keeps the carry flag between two instructions of one `asm` statement, not between two statements. So every
//! maximal run of instructions that hand a carry from one to the next, a *chain*, becomes one statement, and nothing
//! else may stand in between: what a chain needs comes before it, the rest after it. Where the middle of a chain needs
//! what was computed, by way of other instructions, from the chain's own beginning, no order exists; the chain is cut
//! there, and the carry goes through a register.

use std::collections::{BTreeMap, BTreeSet};

use crate::ir::{Arg, Inst, Kernel, Op, Var};

/// A step of a schedule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Block {
    /// An instruction that neither takes nor gives a carry in the flag: its place in the body.
    One(usize),
    /// Instructions that hand the flag on, as the machine runs them.
    Chain(Vec<Line>),
}

/// What a line of a chain computes.
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
    /// What is computed.
    pub op: LineOp,
    /// Does it add (or subtract) the flag?
    pub carry_in: bool,
    /// Does it set the flag?
    pub carry_out: bool,
    /// The destination of the word, or none if only the flag is wanted.
    pub out: Option<Var>,
    /// The operands of the instruction.
    pub args: Vec<Arg>,
}

/// Joins the two halves of a product that nothing is added to: one wide product instead of two instructions.
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
            // The other half came with the one that stood first.
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

/// Writes sums in which a carry is an ordinary addend with the carry in the carry's place: `x + c` is `x + 0 + c`.
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

/// A lowered kernel's instructions in an order that keeps every chain together.
pub fn schedule(kernel: &Kernel) -> Vec<Block> {
    let mut plan = ChainPlan::new(kernel);
    loop {
        match plan.order() {
            Ok(order) => return order.into_iter().map(|node| plan.block(node)).collect(),
            Err(cut) => plan.next[cut] = None,
        }
    }
}

/// The flag that an instruction can hand on or take: sums and differences do not mix.
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
    /// How often each variable is read.
    uses: Vec<u32>,
    /// The next of an instruction's chain.
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

    /// The first instructions of the chains, in an order in which each chain can run as a whole; or the last one
    /// before a place where a chain has to be cut.
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
            // A chain waits for its last instruction's turn, unless somebody needs it before.
            if self.next[at].is_none() && walk.state[walk.first[at]] == State::New {
                self.visit(at, &mut walk)?;
            }
        }
        Ok(walk.order)
    }

    /// Orders the chain of an instruction that is needed, after all that the chain needs.
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

    /// Every chain on the path from the one that holds `from` needs the next one, and the last one needs `from`. Since
    /// instructions alone have an order, some chain on that way is needed at an instruction before the one that needs
    /// the next: it is cut after the former.
    fn cut(&self, from: usize, walk: &Walk) -> usize {
        let first = walk.first[from];
        let start = walk.path.iter().position(|(_, here)| walk.first[*here] == first).unwrap_or(0);
        let mut way = walk.path[start..].to_vec();
        way[0].0 = from;
        // A chain's instructions stand in the body in the chain's order.
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

    /// One instruction of a chain, with the carry brought in from a register and taken out to one where needed.
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
            // 2^w - 1 plus one carries; zero minus one borrows.
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
                // A borrow leaves all ones; its negative is one.
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
    /// The first instruction of each one's chain.
    first: Vec<usize>,
    state: Vec<State>,
    /// The chains under way: the instruction for which each is needed, and the one whose needs are being met.
    path: Vec<(usize, usize)>,
    order: Vec<usize>,
}
