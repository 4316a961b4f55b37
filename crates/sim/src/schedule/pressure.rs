//! Lifetimes of values and register pressure.

use super::problem::Problem;

/// A value: the operation that computes it and the register file that holds it.
struct Value {
    op: usize,
    file: usize,
}

/// The values of a graph and their readers.
pub(super) struct Values {
    values: Vec<Value>,
    /// For every operation, the readers of its result, with the distance in iterations and the read cycle after their
    /// issue.
    readers: Vec<Vec<(usize, i64, i64)>>,
    /// For every operation, the operations whose results it reads.
    read: Vec<Vec<usize>>,
}

impl Values {
    pub(super) fn new(problem: &Problem<'_>, looped: bool) -> Self {
        let ops = problem.graph.ops.len();
        let (mut readers, mut read) = (vec![Vec::new(); ops], vec![Vec::new(); ops]);
        for e in problem.graph.edges.iter().filter(|e| looped || e.distance == 0) {
            if let Some(cycle) = e.reads.filter(|_| problem.kind(e.from).file.is_some()) {
                readers[e.from].push((e.to, i64::from(e.distance), i64::from(cycle)));
                read[e.to].push(e.from);
            }
        }
        read.iter_mut().for_each(|from| {
            from.sort_unstable();
            from.dedup();
        });
        let value = |op| problem.kind(op).file.map(|file| Value { op, file });
        Self { values: (0..ops).filter_map(value).collect(), readers, read }
    }

    /// First and last cycle in which a result occupies a register: from the cycle in which it can be read (or is read,
    /// if an edge has less delay than the latency) to its last read; one cycle if nothing reads it.
    fn span(&self, problem: &Problem<'_>, op: usize, starts: &[i64], ii: i64) -> (i64, i64) {
        let born = starts[op] + problem.kind(op).latency;
        let reads = self.readers[op].iter().map(|&(to, distance, cycle)| starts[to] + ii * distance + cycle);
        reads.fold((born, born), |(first, last), read| (first.min(read), last.max(read)))
    }

    /// The largest number of live values in the steady state, by file, registers held throughout included.
    pub(super) fn live(&self, problem: &Problem<'_>, starts: &[i64], ii: i64, files: usize) -> Vec<u32> {
        let mut all: Vec<i64> = (0..files).map(|f| i64::from(problem.graph.held(f))).collect();
        let mut change = vec![Vec::new(); files];
        for value in &self.values {
            let (first, last) = self.span(problem, value.op, starts, ii);
            let cycles = last - first + 1;
            all[value.file] += cycles / ii;
            let (from, to) = (first.rem_euclid(ii), first.rem_euclid(ii) + cycles % ii);
            if from < to {
                change[value.file].push((from, 1));
                change[value.file].push((to.min(ii), -1));
            }
            if to > ii {
                change[value.file].push((0, 1));
                change[value.file].push((to - ii, -1));
            }
        }
        let most = |(all, mut change): (i64, Vec<(i64, i64)>)| {
            change.sort_unstable();
            let sums = change.iter().scan(0, |sum, c| {
                *sum += c.1;
                Some(*sum)
            });
            u32::try_from(all + sums.max().unwrap_or(0)).unwrap_or(u32::MAX)
        };
        all.into_iter().zip(change).map(most).collect()
    }

    /// Copies of the kernel so that no value is overwritten by that of the next iteration (modulo variable expansion,
    /// Lam 1988), and the resulting registers by file: a value has as many registers as the smallest divisor of the
    /// number of copies that covers its lifetime.
    pub(super) fn expanded(
        &self,
        problem: &Problem<'_>,
        starts: &[i64],
        ii: i64,
        files: usize,
    ) -> (u32, Vec<u32>) {
        let turns = |value: &Value| {
            let (first, last) = self.span(problem, value.op, starts, ii);
            u32::try_from((last - first) / ii + 1).unwrap_or(u32::MAX)
        };
        let turns: Vec<(usize, u32)> = self.values.iter().map(|v| (v.file, turns(v))).collect();
        let copies = turns.iter().map(|t| t.1).max().unwrap_or(1);
        let mut registers: Vec<u32> = (0..files).map(|f| problem.graph.held(f)).collect();
        for (file, turns) in turns {
            let own = (turns..=copies).find(|n| copies % n == 0).unwrap_or(copies);
            registers[file] = registers[file].saturating_add(own);
        }
        (copies, registers)
    }

    /// The cost of a unit's start cycle: the weighted register cycles of the values that depend on it, as a function of
    /// the start. All other units stay fixed.
    pub(super) fn cost<'a>(
        &'a self,
        problem: &'a Problem<'a>,
        unit: usize,
        starts: &[i64],
        ii: i64,
        weights: &'a [i64],
    ) -> impl Fn(i64) -> i64 + 'a {
        // A lifetime that this unit affects: each bound is a constant, or the start plus a constant.
        struct Line {
            weight: i64,
            first: (i64, Option<i64>),
            last: (i64, Option<i64>),
        }
        let inside = |op: usize| problem.unit[op].0 == unit;
        let offset = |op: usize| problem.unit[op].1;
        let members = &problem.units[unit];
        let mut values: Vec<usize> =
            members.iter().flat_map(|&(op, _)| self.read[op].iter().copied()).collect();
        values.extend(members.iter().map(|m| m.0).filter(|&op| problem.kind(op).file.is_some()));
        values.sort_unstable();
        values.dedup();
        let line = |op: usize| {
            let kind = problem.kind(op);
            let mut fixed = (i64::MAX, i64::MIN);
            let mut moving: (Option<i64>, Option<i64>) = (None, None);
            let mut event = |moves: bool, at: i64| {
                if moves {
                    moving.0 = Some(moving.0.map_or(at, |m| m.min(at)));
                    moving.1 = Some(moving.1.map_or(at, |m| m.max(at)));
                } else {
                    fixed = (fixed.0.min(at), fixed.1.max(at));
                }
            };
            let at = |op: usize| if inside(op) { offset(op) } else { starts[op] };
            event(inside(op), at(op) + kind.latency);
            for &(to, distance, cycle) in &self.readers[op] {
                event(inside(to), at(to) + ii * distance + cycle);
            }
            let weight = kind.file.map_or(0, |f| weights[f]);
            Line { weight, first: (fixed.0, moving.0), last: (fixed.1, moving.1) }
        };
        let lines: Vec<Line> = values.into_iter().map(line).collect();
        move |start| {
            let length = |l: &Line| {
                let first = l.first.1.map_or(l.first.0, |m| l.first.0.min(start + m));
                let last = l.last.1.map_or(l.last.0, |m| l.last.0.max(start + m));
                l.weight * (last - first + 1)
            };
            lines.iter().map(length).sum()
        }
    }
}
