//! The device kernels of a plan, one per pass.

use super::super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, ElementPlace, IndexVar, Ix, Launch, Node, Reg, Role,
    reverse_bits,
};
use super::banks::shifts;
use super::plan::{NttPass, NttPlan, Unrolling};
use super::{Kind, RegisterStep, Scaled};

const OUT: usize = 0;
const IN: usize = 1;
const TABLE: usize = 2;

/// The kernels of a plan, pass by pass: `NAME(batch, out, in, twiddles, constants)` for `batch` transforms, stored one
/// after the other. [`NttPlan::route`] gives the buffers of each pass; `out` and `in` differ.
pub fn kernels(plan: &NttPlan, kind: Kind) -> Vec<ArrayKernel> {
    let writer =
        |(at, pass): (usize, &NttPass)| Writer { plan, kind, pass: *pass, at, shifts: shifts(plan, pass) };
    plan.passes.iter().enumerate().map(|at| writer(at).kernel()).collect()
}

struct Writer<'a> {
    plan: &'a NttPlan,
    kind: Kind,
    pass: NttPass,
    at: usize,
    /// The shift distances of [`super::banks`], by which the bank of a slot is chosen.
    shifts: Vec<u32>,
}

/// The column of a block that a thread works on, and its number within it.
struct Column {
    /// Number of the column, or of the transform, within the block.
    within: Ix,
    /// The rest of the thread's number.
    rest: Ix,
}

impl Writer<'_> {
    fn last(&self) -> bool {
        self.at + 1 == self.plan.passes.len()
    }
    /// Whether a block computes whole transforms.
    fn whole(&self) -> bool {
        self.plan.passes.len() == 1
    }
    fn data(&self) -> usize {
        1 << self.pass.log_held
    }
    fn scratch(&self) -> [Reg; 3] {
        [0, 1, 2].map(|i| Reg(self.data() + i))
    }

    fn kernel(&self) -> ArrayKernel {
        let NttPass { levels_before, log_radix, log_columns, log_threads, log_cluster, .. } = self.pass;
        let log_n = self.plan.log_n;
        let body = match self.plan.unrolling {
            Unrolling::Unrolled => self.unrolled(),
            Unrolling::Peeled => self.peeled(),
            Unrolling::Looped => self.looped(),
        };
        let batch = Ix::Scalar(0);
        let blocks = if self.whole() {
            (batch + ((1u64 << log_columns) - 1)) >> u64::from(log_columns)
        } else {
            batch << u64::from(log_n - log_radix - log_columns)
        };
        let name = if self.whole() {
            self.kind.name().to_owned()
        } else {
            format!("{}_{}", self.kind.name(), self.at)
        };
        ArrayKernel {
            name: format!("{name}_2e{log_n}"),
            about: format!(
                "levels {levels_before} to {} of the {} of 2^{log_n} elements",
                levels_before + log_radix,
                self.kind.name().replace('_', " ")
            ),
            element: self.plan.element,
            scalars: vec!["batch"],
            buffers: vec![
                Buffer::output("out"),
                Buffer::input("in"),
                Buffer::new("twiddles", Access::Read, BufferKind::Uniform),
            ],
            registers: self.data() + 3,
            launch: Some(Launch {
                threads: 1 << (log_threads - log_cluster),
                resident: self.resident(),
                cluster: 1 << log_cluster,
                shared: if self.pass.shares(self.plan.unrolling) { 1 << self.pass.log_block() } else { 0 },
                blocks,
            }),
            body,
        }
    }

    /// Number of blocks that a multiprocessor can hold: as many as were asked for, within its registers and its shared
    /// memory. A thread is estimated to take the registers of its elements, a twiddle and a product, and 32 words more.
    fn resident(&self) -> u32 {
        let words = (self.plan.element.bytes() / 4) as u64;
        let registers =
            (words * ((1 << self.pass.log_held) + 2) + 32) << (self.pass.log_threads - self.pass.log_cluster);
        let shared = (self.plan.element.bytes() as u64) << (self.pass.log_block() - self.pass.log_cluster);
        let most = (65_536 / registers).min(228 * 1024 / (shared + 1024)).clamp(1, 32);
        self.plan.resident.min(most as u32)
    }

    /// Splits a number into column and rest, where the rest has `bits` bits. The column is its low part, so that
    /// neighbouring threads work on neighbouring columns, or its high part.
    fn cut(&self, body: &mut Body, number: &Ix, bits: u32, low: bool) -> Column {
        let log_columns = self.pass.log_columns;
        let (within, rest) = if low {
            (number.clone().low_bits(log_columns), number.clone() >> u64::from(log_columns))
        } else {
            (number.clone() >> u64::from(bits), number.clone().low_bits(bits))
        };
        // With one column, or with a rest of no bits, there is nothing to split.
        let within = if log_columns == 0 { Ix::Const(0) } else { within };
        let rest = if bits == 0 { Ix::Const(0) } else { rest };
        Column { within: body.let_(within), rest: body.let_(rest) }
    }

    /// The number `p + P q` of the column within the transform, and the number of the transform in the batch.
    fn column(&self, body: &mut Body, within: &Ix) -> (Ix, Ix) {
        let NttPass { log_radix, log_columns, .. } = self.pass;
        if self.whole() {
            return (Ix::Const(0), body.let_((Ix::Block << u64::from(log_columns)) + within.clone()));
        }
        let blocks = self.plan.log_n - log_radix - log_columns;
        let column = (Ix::Block.low_bits(blocks) << u64::from(log_columns)) + within.clone();
        let column = if blocks == 0 { within.clone() } else { body.let_(column) };
        (column, body.let_(Ix::Block >> u64::from(blocks)))
    }

    fn point(&self, column: &Ix) -> Ix {
        if self.pass.levels_before == 0 {
            Ix::Const(0)
        } else {
            column.clone().low_bits(self.pass.levels_before)
        }
    }

    /// The location of element `r` of a column in the input. Beyond the end of the batch the last transform is read
    /// again.
    fn input(&self, column: &Ix, row: &Ix, r: Ix) -> ElementPlace {
        let NttPass { log_radix, log_columns, .. } = self.pass;
        let base =
            if self.whole() && log_columns > 0 { row.clone().min(Ix::Scalar(0) - 1) } else { row.clone() };
        let at = column.clone() + (r << u64::from(self.plan.log_n - log_radix));
        ElementPlace::Global { buffer: IN, base, stride: 1 << self.plan.log_n, at }
    }

    /// Writes value `k` of a column to the output.
    fn output(&self, body: &mut Body, column: &Ix, row: &Ix, k: Ix, src: Reg) {
        let NttPass { levels_before, log_radix, log_columns, .. } = self.pass;
        let turn = if self.whole() { Ix::Const(0) } else { column.clone() >> u64::from(levels_before) };
        let at = self.point(column)
            + (k << u64::from(levels_before))
            + (turn << u64::from(levels_before + log_radix));
        let at = body.let_(at);
        if self.kind.shifted() && self.last() {
            let twiddle = self.scratch()[0];
            body.load(twiddle, ElementPlace::global(TABLE, at.clone() + (1u64 << self.plan.log_n)));
            body.call(Role::Mul, src, src, twiddle);
        }
        let to = ElementPlace::Global { buffer: OUT, base: row.clone(), stride: 1 << self.plan.log_n, at };
        if self.whole() && log_columns > 0 {
            body.when(row.clone(), Ix::Scalar(0), |body| body.store(to, src));
        } else {
            body.store(to, src);
        }
    }

    /// The slot of element `r` of a column, with its bank chosen by [`super::banks`].
    fn slot(&self, within: &Ix, r: Ix) -> ElementPlace {
        let NttPass { log_radix, log_columns, .. } = self.pass;
        let slot = if self.whole() {
            (within.clone() << u64::from(log_radix)) + r
        } else {
            (r << u64::from(log_columns)) + within.clone()
        };
        let moved =
            self.shifts.iter().fold(Ix::Const(0), |sum, shift| sum ^ (slot.clone() >> u64::from(*shift)));
        ElementPlace::Shared(if moved == Ix::Const(0) {
            slot
        } else {
            slot ^ moved.low_bits(self.plan.element.bank_bits())
        })
    }

    /// Writes the statements of a thread in a phase, in a loop of as many turns as are needed, with the thread's number
    /// in each turn. The bits of the turn are below the rank of the block in the cluster, so that in every turn the
    /// threads of a block have contiguous numbers and elements, most of them in the block's own memory.
    fn turns(&self, body: &mut Body, write: impl FnOnce(&mut Body, Ix)) {
        let NttPass { log_threads, log_cluster, .. } = self.pass;
        let log_turns = self.pass.log_turns();
        if log_turns == 0 {
            return write(body, Ix::Thread);
        }
        let of_block = log_threads - log_cluster;
        body.for_(0u64, 1u64 << log_turns, |body, turn| {
            let number = if log_cluster == 0 {
                (turn << u64::from(log_threads)) + Ix::Thread
            } else {
                ((Ix::Thread >> u64::from(of_block)) << u64::from(of_block + log_turns))
                    + (turn << u64::from(of_block))
                    + Ix::Thread.low_bits(of_block)
            };
            let number = body.let_(number);
            write(body, number);
        });
    }

    /// All levels of the pass as phases of `log_held` levels each, the last one with the remaining levels; the first phase
    /// reads device memory and the last one writes it.
    fn unrolled(&self) -> Vec<Node> {
        let NttPass { log_radix, log_held, .. } = self.pass;
        let mut nodes = Vec::new();
        let mut done = 0;
        while done < log_radix {
            let bits = log_held.min(log_radix - done);
            let mut body = Body::default();
            self.turns(&mut body, |body, number| self.phase(body, &number, done, bits));
            nodes.push(body.phase());
            done += bits;
        }
        nodes
    }

    /// Writes the levels `done .. done + bits`. The index of a column's element `r` consists, from the top, of the bits
    /// of the `done` levels before, the `bits` bits of this step, and the rest.
    fn phase(&self, body: &mut Body, number: &Ix, done: u32, bits: u32) {
        let NttPass { levels_before, log_radix, log_held, .. } = self.pass;
        let (first, last) = (done == 0, done + bits == log_radix);
        // If there are no columns yet, the threads are numbered so that the values written to device memory form runs.
        let runs = last && !first && levels_before == 0;
        let low = !self.whole() && !runs;
        let thread = self.cut(body, number, log_radix - log_held, low);
        let (column, row) = self.column(body, &thread.within);
        let below = log_radix - done - bits;
        let mut groups = Vec::new();
        for group in 0..1u64 << (log_held - bits) {
            let number = body.let_(thread.rest.clone() + (group << (log_radix - log_held)));
            let rest = if runs {
                body.let_(number.clone().bit_reversed(u64::from(log_radix - bits)))
            } else {
                number.clone()
            };
            let above = if done == 0 { Ix::Const(0) } else { rest.clone() >> u64::from(below) };
            let above = body.let_(above);
            let lower = rest.low_bits(below);
            let start = body.let_((above.clone() << u64::from(below + bits)) + lower);
            groups.push((above, start, number));
        }
        for (group, (_, start, _)) in groups.iter().enumerate() {
            for j in 0..1u64 << bits {
                let reg = Reg((group << bits) + j as usize);
                let r = start.clone() + (j << below);
                let from = if first { self.input(&column, &row, r) } else { self.slot(&thread.within, r) };
                body.load(reg, from);
            }
        }
        for (group, (above, ..)) in groups.iter().enumerate() {
            let done_in_order = above.clone().bit_reversed(u64::from(done));
            let point = self.point(&column) + (done_in_order << u64::from(levels_before));
            RegisterStep {
                table: TABLE,
                level: Ix::Const(u64::from(levels_before + done)),
                point: body.let_(point),
                bits,
                first: group << bits,
                trivial: levels_before + done == 0 && !self.kind.coset,
                scaled: if self.kind.scaled() && self.last() && last {
                    Scaled::Always
                } else {
                    Scaled::Never
                },
                scratch: self.scratch(),
            }
            .write(body);
        }
        for (group, (_, start, number)) in groups.into_iter().enumerate() {
            // The index of a value is that of the element with its bits reversed.
            let low = if runs || !last { number } else { number.bit_reversed(u64::from(log_radix - bits)) };
            let low = if last { body.let_(low) } else { low };
            for j in 0..1u64 << bits {
                let reg = Reg((group << bits) + j as usize);
                if last {
                    let k = low.clone() + (reverse_bits(j, u64::from(bits)) << (log_radix - bits));
                    self.output(body, &column, &row, k, reg);
                } else {
                    body.store(self.slot(&thread.within, start.clone() + (j << below)), reg);
                }
            }
        }
    }

    /// Copies device memory to shared memory, runs a loop over the levels, and copies back.
    fn looped(&self) -> Vec<Node> {
        let NttPass { log_radix, log_held, levels_before, .. } = self.pass;
        let all = 1u64 << log_held;
        let number = |number: &Ix, e: u64| number.clone() + (e << (self.pass.log_block() - log_held));

        let mut load = Body::default();
        self.turns(&mut load, |body, turn| {
            let mut slots = Vec::new();
            for e in 0..all {
                let number = body.let_(number(&turn, e));
                let at = self.cut(body, &number, log_radix, !self.whole());
                let (column, row) = self.column(body, &at.within);
                body.load(Reg(e as usize), self.input(&column, &row, at.rest.clone()));
                slots.push(self.slot(&at.within, at.rest));
            }
            for (e, slot) in slots.into_iter().enumerate() {
                body.store(slot, Reg(e));
            }
        });

        let odd = log_radix % log_held;
        let mut nodes = vec![load.phase()];
        if odd > 0 {
            let mut body = Body::default();
            let done = Ix::Const(0);
            self.turns(&mut body, |body, number| self.turn(body, &number, &done, odd, None));
            nodes.push(body.phase());
        }
        nodes.extend(self.steps(odd, log_radix / log_held, true));

        let mut store = Body::default();
        self.turns(&mut store, |body, turn| {
            for e in 0..all {
                let number = body.let_(number(&turn, e));
                let at = self.cut(body, &number, log_radix, !self.whole() && levels_before > 0);
                let (column, row) = self.column(body, &at.within);
                let r = body.let_(at.rest.clone().bit_reversed(u64::from(log_radix)));
                let reg = Reg(e as usize);
                body.load(reg, self.slot(&at.within, r));
                self.output(body, &column, &row, at.rest, reg);
            }
        });
        nodes.push(store.phase());
        nodes
    }

    /// Writes the first and the last step as straight-line text, those between in a loop.
    fn peeled(&self) -> Vec<Node> {
        let NttPass { log_radix, log_held, .. } = self.pass;
        let first = (log_radix - 1) % log_held + 1;
        let mut body = Body::default();
        self.turns(&mut body, |body, number| self.phase(body, &number, 0, first));
        let mut nodes = vec![body.phase()];
        if log_radix > first {
            nodes.extend(self.steps(first, (log_radix - first) / log_held - 1, false));
            let mut body = Body::default();
            self.turns(&mut body, |body, number| self.phase(body, &number, log_radix - log_held, log_held));
            nodes.push(body.phase());
        }
        nodes
    }

    /// Writes a loop of `count` steps after `before` levels, in shared memory; `last` says whether the last level of
    /// the pass is among them.
    fn steps(&self, before: u32, count: u32, last: bool) -> Option<Node> {
        if count == 0 {
            return None;
        }
        let (log_held, count, var) = (self.pass.log_held, u64::from(count), IndexVar(0));
        let (mut body, turn) = (Body::after(1), Ix::Var(var));
        let done = body.let_(turn.clone() * u64::from(log_held) + u64::from(before));
        let of = last.then_some((&turn, count));
        self.turns(&mut body, |body, number| self.turn(body, &number, &done, log_held, of));
        Some(Node::Repeat { var, count, body: vec![body.phase()] })
    }

    /// Writes the levels `done .. done + bits` from shared memory to shared memory, where `done` is known only at run
    /// time.
    fn turn(&self, body: &mut Body, number: &Ix, done: &Ix, bits: u32, of: Option<(&Ix, u64)>) {
        let NttPass { levels_before, log_radix, log_held, .. } = self.pass;
        let thread = self.cut(body, number, log_radix - log_held, !self.whole());
        let (column, _) = self.column(body, &thread.within);
        let below = body.let_(Ix::Const(u64::from(log_radix - bits)) - done.clone());
        let level = body.let_(done.clone() + u64::from(levels_before));
        // The last level of the transform is in the last turn of the loop.
        let ends = of
            .filter(|_| self.kind.scaled() && self.last())
            .map(|(turn, count)| (Ix::Const(count - 1), turn.clone() + 1));
        for group in 0..1u64 << (log_held - bits) {
            let rest = body.let_(thread.rest.clone() + (group << (log_radix - log_held)));
            let above = body.let_(rest.clone() >> below.clone());
            let start = (above.clone() << (below.clone() + u64::from(bits)))
                + (rest.clone() - (above.clone() << below.clone()));
            let start = body.let_(start);
            let slots: Vec<ElementPlace> = (0..1u64 << bits)
                .map(|j| {
                    let r = body.let_(start.clone() + (Ix::Const(j) << below.clone()));
                    self.slot(&thread.within, r)
                })
                .collect();
            for (j, slot) in slots.iter().enumerate() {
                body.load(Reg(j), slot.clone());
            }
            let point = self.point(&column) + (above.bit_reversed(done.clone()) << u64::from(levels_before));
            RegisterStep {
                table: TABLE,
                level: level.clone(),
                point: body.let_(point),
                bits,
                first: 0,
                trivial: false,
                scaled: ends.as_ref().map_or(Scaled::Never, |(left, right)| Scaled::When(left, right)),
                scratch: self.scratch(),
            }
            .write(body);
            for (j, slot) in slots.into_iter().enumerate() {
                body.store(slot, Reg(j));
            }
        }
    }
}
