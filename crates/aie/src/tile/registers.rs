//! Assigns values to registers, in every copy of a loop's kernel.

use super::Tile;
use super::lower::Body;
use crate::program::ValueKind;
use pairwright_sim::schedule::Issue;

/// The greatest number of copies of a loop's kernel for which an assignment is tried.
const COPIES: u32 = 8;

/// The registers of all values. The loop's kernel is repeated `copies` times in program memory, and a value has a
/// register in each copy.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Registers {
    pub(super) copies: u32,
    /// For each operation of the graph and each copy, the register in its file; empty if the operation gives no value.
    pub(super) of: Vec<Vec<usize>>,
}

/// The cycles, counted from the start of the iteration, in which a value occupies a register: `first` to `last`, both
/// included.
#[derive(Clone, Copy)]
struct Span {
    op: usize,
    first: u64,
    last: u64,
}

impl Registers {
    /// Assigns registers to a body whose iterations start `ii` cycles apart. The error is the name of the file that is
    /// too small for any assignment with few copies.
    pub(super) fn assign(body: &Body, tile: &Tile, issues: &[Issue], ii: u32) -> Result<Self, &'static str> {
        let mut spans: [Vec<Span>; 3] = Default::default();
        let kinds = |op: usize| &tile.machine.classes[body.graph.ops[op].class];
        let mut last = vec![0; issues.len()];
        for edge in &body.graph.edges {
            if let Some(reads) = edge.reads {
                last[edge.from] = last[edge.from].max(u64::from(issues[edge.to].cycle + reads));
            }
        }
        for (op, issue) in issues.iter().enumerate() {
            let Some(file) = body.op(op).file() else { continue };
            let first = u64::from(issue.cycle + kinds(op).latency);
            spans[file as usize].push(Span { op, first, last: last[op].max(first) });
        }
        let mut scarce = ValueKind::Vector.name();
        'copies: for copies in 1..=COPIES {
            let mut of = vec![Vec::new(); issues.len()];
            for (file, spans) in ValueKind::ALL.into_iter().zip(&spans) {
                let free = free(tile, body, file);
                if !colour(spans, u64::from(ii), u64::from(copies), free, &mut of) {
                    scarce = file.name();
                    continue 'copies;
                }
            }
            return Ok(Self { copies, of });
        }
        Err(scarce)
    }
}

/// The number of registers of a file that are not held throughout.
fn free(tile: &Tile, body: &Body, file: ValueKind) -> usize {
    let number = tile.machine.files.iter().position(|f| f.name == file.name());
    tile.registers(file).saturating_sub(number.map_or(0, |f| body.graph.held(f) as usize))
}

/// Assigns registers to a body before it is scheduled, in program order: each value gets the register that has been free
/// longest. Edges are added to the graph so that a register is written again only after its readers have read it.
pub(super) fn assign_first(body: &mut Body, tile: &Tile) -> Result<Registers, &'static str> {
    let graph = &body.graph;
    let class = |op: usize| &tile.machine.classes[graph.ops[op].class];
    // The readers of every value, with the cycle after their issue in which they read.
    let mut readers: Vec<Vec<(usize, u32)>> = vec![Vec::new(); graph.ops.len()];
    for edge in &graph.edges {
        if let Some(cycle) = edge.reads {
            readers[edge.from].push((edge.to, cycle));
        }
    }
    let mut of = vec![Vec::new(); graph.ops.len()];
    let mut order = Vec::new();
    for file in ValueKind::ALL {
        let free = free(tile, body, file);
        // For each register, the values that it holds in turn, and the last operation that needs it.
        let mut values: Vec<Vec<usize>> = vec![Vec::new(); free];
        let mut busy = vec![0; free];
        for op in 0..graph.ops.len() {
            if body.op(op).file() != Some(file) {
                continue;
            }
            let open = (0..free).filter(|&r| values[r].is_empty() || busy[r] <= op);
            let r = open.min_by_key(|&r| (!values[r].is_empty(), busy[r], r)).ok_or(file.name())?;
            values[r].push(op);
            // A value without readers still occupies the register when it arrives.
            busy[r] = readers[op].iter().map(|x| x.0).max().unwrap_or(op + 1);
            of[op].push(r);
        }
        for values in values.iter().filter(|v| !v.is_empty()) {
            for (n, &old) in values.iter().enumerate() {
                let (new, distance) = match values.get(n + 1) {
                    Some(&next) => (next, 0),
                    None => (values[0], 1),
                };
                let arrives = i64::from(class(new).latency);
                let last = readers[old].iter().map(|&(reader, cycle)| (reader, i64::from(cycle)));
                for (reader, cycle) in last.chain([(old, i64::from(class(old).latency))]) {
                    if reader != new || distance > 0 {
                        order.push((reader, new, (cycle + 1 - arrives) as i32, distance));
                    }
                }
            }
        }
    }
    order.into_iter().for_each(|(from, to, delay, distance)| body.graph.order(from, to, delay, distance));
    Ok(Registers { copies: 1, of })
}

/// Colours the spans of all copies with registers, on a circle of `copies · ii` cycles. It starts at a cycle that few
/// spans cross and gives each span the free register that became free last.
fn colour(spans: &[Span], ii: u64, copies: u64, registers: usize, of: &mut [Vec<usize>]) -> bool {
    let round = ii * copies;
    if spans.iter().any(|s| s.last - s.first >= round) {
        return false;
    }
    let mut load = vec![0_usize; round as usize];
    let mut arcs: Vec<(u64, u64, usize, u64)> = Vec::new();
    for copy in 0..copies {
        for s in spans {
            let start = (s.first + copy * ii) % round;
            let length = s.last - s.first + 1;
            (start..start + length).for_each(|c| load[(c % round) as usize] += 1);
            arcs.push((start, length, s.op, copy));
        }
    }
    let least = load.iter().copied().min().unwrap_or(0);
    let cuts = (0..round).filter(|&c| load[c as usize] == least).take(4);
    for cut in cuts {
        // Spans that cross the cut come first, then spans by their start.
        let mut sorted: Vec<_> = arcs
            .iter()
            .map(|&(start, length, op, copy)| ((start + round - cut) % round, length, op, copy))
            .map(|(start, length, op, copy)| (start + length > round, start, length, op, copy))
            .collect();
        sorted.sort_unstable_by_key(|&(crosses, start, ..)| (!crosses, start));
        // For each register, the cycle from which it is free, and the cycle in which a span that crosses the cut takes
        // it.
        let mut free = vec![(0_u64, round); registers];
        let mut chosen = Vec::with_capacity(sorted.len());
        let fits = sorted.iter().all(|&(crosses, start, length, op, copy)| {
            let found = if crosses {
                free.iter().position(|f| f.1 == round)
            } else {
                let open = (0..registers).filter(|&r| free[r].0 <= start && start + length <= free[r].1);
                open.max_by_key(|&r| (free[r].0, core::cmp::Reverse(free[r].1)))
            };
            let Some(r) = found else { return false };
            free[r] = if crosses { (start + length - round, start) } else { (start + length, free[r].1) };
            chosen.push((op, copy, r));
            true
        });
        if fits {
            for (op, copy, register) in chosen {
                of[op].resize(copies as usize, 0);
                of[op][copy as usize] = register;
            }
            return true;
        }
    }
    false
}
