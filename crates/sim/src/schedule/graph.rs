//! The input of the scheduler: operations and their dependences.

use super::{Machine, ScheduleError};
use serde::{Deserialize, Serialize};

/// The longest delay or distance of an edge.
const LONGEST: u32 = 1 << 20;

/// An operation of a block or loop body.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Op {
    /// Its name in listings.
    pub name: String,
    /// Its class: an index into [`Machine::classes`].
    pub class: usize,
}

/// A dependence: `to`, `distance` iterations later, issues at least `delay` cycles after `from`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Edge {
    /// The operation that is waited for.
    pub from: usize,
    /// The operation that waits.
    pub to: usize,
    /// Cycles between the two issues; negative where the later one may even issue earlier.
    pub delay: i32,
    /// Iterations between the two: 0 within one.
    pub distance: u32,
    /// If `to` reads the result of `from`: the cycle of that read, counted from the issue of `to`. `None` if the edge
    /// only orders the two.
    pub reads: Option<u32>,
}

/// Two operations of one iteration at a fixed distance in cycles, such as the words of a stream or the beats of a bus.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Fixed {
    /// One of the two.
    pub from: usize,
    /// The other, which issues `offset` cycles later.
    pub to: usize,
    /// The distance in cycles, of either sign.
    pub offset: i32,
}

/// The body of a loop, or a block.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Graph {
    /// Operations, in program order.
    pub ops: Vec<Op>,
    /// Dependences. The edges of distance 0 form no cycle.
    pub edges: Vec<Edge>,
    /// Pairs of operations at fixed offsets.
    #[serde(default)]
    pub fixed: Vec<Fixed>,
    /// Registers of every file (in the order of [`Machine::files`], zero where missing) that are occupied throughout by
    /// values which the body only reads.
    #[serde(default)]
    pub held: Vec<u32>,
}

impl Graph {
    /// A graph without operations.
    pub fn new() -> Self {
        Self::default()
    }

    /// Appends an operation and returns its index.
    ///
    /// # Errors
    /// [`ScheduleError::UnknownClass`].
    pub fn op(
        &mut self,
        machine: &Machine,
        class: &str,
        name: impl Into<String>,
    ) -> Result<usize, ScheduleError> {
        self.ops.push(Op { name: name.into(), class: machine.class(class)? });
        Ok(self.ops.len() - 1)
    }

    /// Adds an edge: `to`, `distance` iterations later, reads the result of `from`. The delay is the latency of `from`
    /// minus the cycle after its issue in which `to` reads. `operand` names the operand if the class lists a read cycle
    /// for it; otherwise it is read in the issue cycle.
    ///
    /// # Errors
    /// [`ScheduleError::NoOp`], [`ScheduleError::NoClass`], [`ScheduleError::UnknownOperand`].
    pub fn flow(
        &mut self,
        machine: &Machine,
        from: usize,
        to: usize,
        operand: Option<&str>,
        distance: u32,
    ) -> Result<(), ScheduleError> {
        let ops = self.ops.len();
        let class = |op: usize| {
            let class = self.ops.get(op).ok_or(ScheduleError::NoOp { from, to, ops })?.class;
            let classes = machine.classes.len();
            machine.classes.get(class).ok_or(ScheduleError::NoClass { op, class, classes })
        };
        let (writer, reader) = (class(from)?, class(to)?);
        let reads = match operand {
            None => 0,
            Some(name) => *reader.reads.get(name).ok_or_else(|| ScheduleError::UnknownOperand {
                class: reader.name.clone(),
                operand: name.to_owned(),
            })?,
        };
        let cycles = i64::from(writer.latency) - i64::from(reads);
        let most = super::machine::LONGEST;
        let delay = i32::try_from(cycles)
            .map_err(|_| ScheduleError::LongClass { class: writer.name.clone(), most })?;
        self.edges.push(Edge { from, to, delay, distance, reads: Some(reads) });
        Ok(())
    }

    /// Adds an edge without a value: `to`, `distance` iterations later, issues at least `delay` cycles after `from`,
    /// for the order of memory accesses, streams or side effects.
    pub fn order(&mut self, from: usize, to: usize, delay: i32, distance: u32) {
        self.edges.push(Edge { from, to, delay, distance, reads: None });
    }

    /// Adds a fixed offset: `to` issues exactly `offset` cycles after `from`.
    pub fn fix(&mut self, from: usize, to: usize, offset: i32) {
        self.fixed.push(Fixed { from, to, offset });
    }

    /// Registers of the file with index `file` that are occupied throughout.
    pub fn held(&self, file: usize) -> u32 {
        self.held.get(file).copied().unwrap_or(0)
    }

    /// Checks that all indices exist, that all numbers are in range, and that no operation waits for itself within an
    /// iteration.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn check(&self, machine: &Machine) -> Result<(), ScheduleError> {
        let (ops, classes) = (self.ops.len(), machine.classes.len());
        if ops == 0 {
            return Err(ScheduleError::Empty);
        }
        if let Some((op, Op { class, .. })) = self.ops.iter().enumerate().find(|(_, o)| o.class >= classes) {
            return Err(ScheduleError::NoClass { op, class: *class, classes });
        }
        let edges = self.edges.iter().map(|e| (e.from, e.to, e.delay, e.distance.max(e.reads.unwrap_or(0))));
        for (from, to, delay, far) in edges.chain(self.fixed.iter().map(|f| (f.from, f.to, f.offset, 0))) {
            if from.max(to) >= ops {
                return Err(ScheduleError::NoOp { from, to, ops });
            }
            if delay.unsigned_abs().max(far) > LONGEST {
                return Err(ScheduleError::LongEdge { from, to, most: LONGEST });
            }
        }
        for (n, file) in machine.files.iter().enumerate() {
            if self.held(n) > file.size {
                let (held, size) = (self.held(n), file.size);
                return Err(ScheduleError::Held { file: file.name.clone(), held, size });
            }
        }
        self.acyclic()
    }

    /// Removes operations without predecessors until none is left; those that remain are on a cycle or behind one.
    fn acyclic(&self) -> Result<(), ScheduleError> {
        let mut waits = vec![0_u32; self.ops.len()];
        let mut next = vec![Vec::new(); self.ops.len()];
        for e in self.edges.iter().filter(|e| e.distance == 0) {
            waits[e.to] += 1;
            next[e.from].push(e.to);
        }
        let mut ready: Vec<usize> = (0..waits.len()).filter(|&v| waits[v] == 0).collect();
        while let Some(v) = ready.pop() {
            for &w in &next[v] {
                waits[w] -= 1;
                if waits[w] == 0 {
                    ready.push(w);
                }
            }
        }
        let Some(mut at) = waits.iter().position(|&w| w > 0) else { return Ok(()) };
        // Every operation that remains has a predecessor that remains: walking backward must close a cycle.
        let mut back = vec![usize::MAX; self.ops.len()];
        for e in self.edges.iter().filter(|e| e.distance == 0 && waits[e.from] > 0 && waits[e.to] > 0) {
            back[e.to] = e.from;
        }
        let mut seen = vec![usize::MAX; self.ops.len()];
        let mut path = Vec::new();
        while seen[at] == usize::MAX {
            seen[at] = path.len();
            path.push(at);
            at = back[at];
        }
        let mut cycle = path.split_off(seen[at]);
        cycle.reverse();
        Err(ScheduleError::Cycle(cycle))
    }
}
