//! Cuts the program of an addition into the programs of tiles.

use super::Mapping;
use crate::modmul::Method;
use crate::padd::Form;
use crate::part::Piece;
use crate::program::{Op, OperandIndices, Operation, Path, Program, Register, ValueKind};
use std::collections::{BTreeMap, BTreeSet};

/// A value that a link carries in each addition.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Carried {
    pub(crate) kind: ValueKind,
    /// The index, in the whole program, of the operation that computes the value; for an operand or a result, that of its
    /// load or store.
    pub(crate) at: usize,
}

/// A connection that carries values from one tile, or from the logic, to others.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Link {
    /// The tile that sends; `None` for operands, which the programmable logic sends.
    pub(crate) from: Option<usize>,
    /// The tiles that receive, all of them the same values; empty for results, which the programmable logic receives.
    pub(crate) to: Vec<usize>,
    pub(crate) path: Path,
    /// The values that the link carries in each addition, in order.
    pub(crate) values: Vec<Carried>,
}

impl Link {
    /// Words of 32 bits on a stream, or beats of 384 bits on a cascade, in each addition.
    pub(crate) fn beats(&self) -> usize {
        self.values.iter().map(|value| value.kind.beats(self.path)).sum()
    }
}

/// The number of streams into a core, and the number out of it (AM009).
const CORE_STREAMS: usize = 2;

/// An addition cut into tiles.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Partition {
    /// The mapping that assigns parts of the addition to tiles.
    pub(crate) mapping: Mapping,
    /// The form of the addition.
    pub(crate) form: Form,
    /// The program of each tile. Operands and results of the addition are also received and sent over links.
    pub(crate) tiles: Vec<Program>,
    /// The links; operations name them by index.
    pub(crate) links: Vec<Link>,
    /// The program of the whole addition.
    pub(crate) whole: Program,
}

/// The tile that sends, the number of the operand, the kind of link, and the receivers.
type Key = (Option<usize>, usize, Path, Vec<usize>);

impl Partition {
    /// Cuts the mixed addition with a method by a mapping.
    pub fn new(mapping: Mapping, method: Method) -> Self {
        Self::with(mapping, method, Form::Mixed)
    }

    /// Cuts an addition with a method by a mapping. In the complete form, the product by k has separate tiles.
    pub fn with(mapping: Mapping, method: Method, form: Form) -> Self {
        let by_streams = Self::by_streams(mapping, method, form);
        let memory = by_streams.crowded();
        if memory.is_empty() { by_streams } else { Self::cut(mapping, form, by_streams.whole, &memory) }
    }

    /// Cuts an addition without shared memory: where a core has more streams than ports, the streams share ports.
    pub(crate) fn by_streams(mapping: Mapping, method: Method, form: Form) -> Self {
        Self::cut(mapping, form, mapping.program(method, form).pruned(), &BTreeSet::new())
    }

    /// The greatest number of streams into any core, and the greatest number out of any.
    #[cfg(test)]
    pub(crate) fn core_streams(&self) -> [usize; 2] {
        let most = |counts: BTreeMap<usize, usize>| counts.into_values().max().unwrap_or(0);
        self.streams().map(most)
    }

    /// The number of streams into each tile's core, and out of it.
    fn streams(&self) -> [BTreeMap<usize, usize>; 2] {
        let mut counts: [BTreeMap<usize, usize>; 2] = Default::default();
        for link in self.links.iter().filter(|l| l.path == Path::Stream) {
            link.to.iter().for_each(|&tile| *counts[0].entry(tile).or_default() += 1);
            link.from.iter().for_each(|&tile| *counts[1].entry(tile).or_default() += 1);
        }
        counts
    }

    /// The pairs of neighbours that exchange values through memory, because one of them has more streams than ports.
    fn crowded(&self) -> BTreeSet<(usize, usize)> {
        let [received, sent] = self.streams();
        let over =
            |count: &BTreeMap<usize, usize>, tile: usize| count.get(&tile).is_some_and(|&n| n > CORE_STREAMS);
        let streams = self.links.iter().filter(|l| l.path == Path::Stream);
        let pairs =
            streams.flat_map(|l| l.from.into_iter().flat_map(|from| l.to.iter().map(move |&to| (from, to))));
        pairs
            .filter(|&(from, to)| self.mapping.shares(from, to))
            .filter(|&(from, to)| over(&sent, from) || over(&received, to))
            .collect()
    }

    fn cut(mapping: Mapping, form: Form, whole: Program, memory: &BTreeSet<(usize, usize)>) -> Self {
        let Demand { computed, sent } = Demand::new(mapping, &whole);
        let mut cut = Cut::new(mapping.tiles(form), &whole);
        for (at, Operation { op, operands }) in whole.ops.iter().enumerate() {
            for &tile in &computed[at] {
                cut.keep(tile, at);
            }
            match op {
                Op::Load { number, .. } => {
                    let to = sent[at].iter().map(|&(_, to)| to).collect();
                    let link = cut.link((None, *number, Path::Stream, to));
                    cut.receive(link, at, ValueKind::Vector);
                }
                Op::Store { .. } => {
                    let tile = mapping.places(whole.parts[operands[0]])[0];
                    let link = cut.link((Some(tile), 0, Path::Stream, vec![]));
                    cut.send(link, tile, at, operands[0], ValueKind::Vector);
                }
                _ => {
                    // Tiles that compute the value send before tiles that relay it.
                    let mut senders: Vec<usize> = sent[at].iter().map(|&(from, _)| from).collect();
                    senders.dedup();
                    senders.sort_by_key(|tile| !computed[at].contains(tile));
                    for from in senders {
                        let to = sent[at].iter().filter(|s| s.0 == from).map(|s| s.1);
                        let (near, far): (Vec<_>, Vec<_>) = to.partition(|&to| memory.contains(&(from, to)));
                        let kind = op.register().map_or(ValueKind::Vector, Register::kind);
                        for to in near {
                            let link = cut.link((Some(from), 0, Path::Memory, vec![to]));
                            cut.transfer(link, from, at, kind);
                        }
                        if !far.is_empty() {
                            let cascade = (kind == ValueKind::Accumulator || mapping.all_by_cascade())
                                && far.iter().all(|&t| mapping.cascades(from, t));
                            let path = if cascade { Path::Cascade } else { Path::Stream };
                            let link = cut.link((Some(from), 0, path, far));
                            cut.transfer(link, from, at, kind);
                        }
                    }
                }
            }
        }
        let Cut { tiles, links, .. } = cut;
        Self { mapping, form, tiles, links, whole }
    }
}

/// For each value, the tiles that compute it and the transfers between tiles.
struct Demand {
    /// The tiles that compute each operation's value.
    computed: Vec<BTreeSet<usize>>,
    /// For each value, pairs of the tile that sends it and a tile that receives it; for an operand, which the logic
    /// sends, the first number is meaningless.
    sent: Vec<BTreeSet<(usize, usize)>>,
}

impl Demand {
    fn new(mapping: Mapping, whole: &Program) -> Self {
        let mut computed = vec![BTreeSet::new(); whole.ops.len()];
        let mut sent = vec![BTreeSet::new(); whole.ops.len()];
        for (at, Operation { op, operands }) in whole.ops.iter().enumerate().rev() {
            if let Op::Store { .. } = op {
                computed[operands[0]].insert(mapping.places(whole.parts[operands[0]])[0]);
                continue;
            }
            for tile in computed[at].clone() {
                for (n, &operand) in operands.iter().enumerate() {
                    let part = whole.parts[operand];
                    let block = matches!(whole.parts[at].piece, Piece::Block { .. });
                    let pair = matches!(op, Op::Mac { .. }) && block && n < 2;
                    let to = if pair { mapping.listeners(tile) } else { tile..tile + 1 };
                    match whole.ops[operand].op {
                        Op::Load { .. } => sent[operand].extend(to.map(|to| (0, to))),
                        Op::Constant(_) | Op::Immediate(_) => {
                            computed[operand].insert(tile);
                        }
                        _ if mapping.places(part).contains(&tile) => {
                            computed[operand].insert(tile);
                        }
                        _ => {
                            let (from, relay) = mapping.supplier(part, tile);
                            computed[operand].insert(from);
                            sent[operand].extend(relay.map(|relay| (from, relay)));
                            sent[operand].extend(to.map(|to| (relay.unwrap_or(from), to)));
                        }
                    }
                }
            }
        }
        Self { computed, sent }
    }
}

/// The programs of tiles during the cut.
struct Cut<'w> {
    whole: &'w Program,
    tiles: Vec<Program>,
    /// For each tile, the indices in its program of values of the whole program, by their indices there.
    known: Vec<BTreeMap<usize, usize>>,
    links: Vec<Link>,
    keys: BTreeMap<Key, usize>,
}

impl<'w> Cut<'w> {
    fn new(count: usize, whole: &'w Program) -> Self {
        let (tiles, known) = (vec![Program::default(); count], vec![BTreeMap::new(); count]);
        Self { whole, tiles, known, links: vec![], keys: BTreeMap::new() }
    }

    fn link(&mut self, key: Key) -> usize {
        let links = &mut self.links;
        *self.keys.entry(key).or_insert_with_key(|(from, _, path, to)| {
            links.push(Link { from: *from, to: to.clone(), path: *path, values: vec![] });
            links.len() - 1
        })
    }

    fn push(&mut self, tile: usize, at: usize, op: Op, operands: OperandIndices) {
        let program = &mut self.tiles[tile];
        program.ops.push(Operation { op, operands });
        program.parts.push(self.whole.parts[at]);
    }

    /// Adds an operation of the whole program to a tile's program.
    fn keep(&mut self, tile: usize, at: usize) {
        let known = &mut self.known[tile];
        let Operation { op, operands } = self.whole.ops[at];
        let operands = operands.map(|operand| known[&operand]);
        known.insert(at, self.tiles[tile].ops.len());
        self.push(tile, at, op, operands);
    }

    fn send(&mut self, link: usize, tile: usize, at: usize, from: usize, kind: ValueKind) {
        let from = self.known[tile][&from];
        let path = self.links[link].path;
        self.links[link].values.push(Carried { kind, at });
        self.push(tile, at, Op::Send { link, path, kind }, OperandIndices::new(&[from]));
    }

    /// A tile sends a value that it has, and the receivers of the link receive it.
    fn transfer(&mut self, link: usize, from: usize, at: usize, kind: ValueKind) {
        self.send(link, from, at, at, kind);
        self.receive(link, at, kind);
    }

    fn receive(&mut self, link: usize, at: usize, kind: ValueKind) {
        let path = self.links[link].path;
        if self.links[link].from.is_none() {
            self.links[link].values.push(Carried { kind, at });
        }
        for tile in self.links[link].to.clone() {
            self.known[tile].insert(at, self.tiles[tile].ops.len());
            self.push(tile, at, Op::Receive { link, path, kind }, OperandIndices::default());
        }
    }
}
