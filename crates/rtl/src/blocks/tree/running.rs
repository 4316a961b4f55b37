//! A job on the model with untyped words, the contents of its memory, and the expected results.

use super::Design;
use super::element::{Op, Word, of_bytes, word};
use crate::lockstep::operand;
use pairwright_chip::machine::Datapath;
use pairwright_hash::{Compress, Digest, Sha3};
use pairwright_mtu::clocked::{Flow, Issued, Levels, MemoryRequest, MemoryResponse, Phase, Ports, Tree};
use pairwright_mtu::{Job, Workload, simulate};
use pairwright_poly::mle;
use rand_chacha::ChaCha20Rng;
use rand_core::Rng;
use std::collections::BTreeMap;

/// The model of a unit with a job, for any word type; words are given as digits.
pub(super) trait Running {
    fn phase(&self) -> Phase;
    fn is_finished(&self) -> bool;
    fn request(&self) -> Option<MemoryRequest>;
    fn moves(&self) -> bool;
    fn cycle(&mut self, answer: MemoryResponse) -> Vec<Issued<Word>>;
    fn result(&self, level: u32, index: u64) -> Option<Word>;
    fn flow(&self) -> Flow<Word>;
    fn ports(&self) -> Ports;
}

struct Typed<T: Copy> {
    tree: Tree<T>,
    word: fn(&T) -> Word,
}

impl<T: Copy + 'static> Running for Typed<T> {
    fn phase(&self) -> Phase {
        self.tree.phase()
    }
    fn is_finished(&self) -> bool {
        self.tree.is_finished()
    }
    fn request(&self) -> Option<MemoryRequest> {
        self.tree.request()
    }
    fn moves(&self) -> bool {
        self.tree.moves()
    }
    fn cycle(&mut self, answer: MemoryResponse) -> Vec<Issued<Word>> {
        let word = self.word;
        let issued = self.tree.cycle(answer).into_iter();
        issued
            .map(|i| Issued { element: i.element, level: i.level, operands: i.operands.map(|w| word(&w)) })
            .collect()
    }
    fn result(&self, level: u32, index: u64) -> Option<Word> {
        self.tree.result(level, index).as_ref().map(self.word)
    }
    fn flow(&self) -> Flow<Word> {
        let Flow { stages, levels, cooldown } = self.tree.flow();
        let queues = levels.queues.iter().map(|queue| queue.iter().map(self.word).collect()).collect();
        let Levels { left, flight, slot, cooldown: rest, .. } = levels;
        Flow { stages, levels: Levels { queues, left, flight, slot, cooldown: rest }, cooldown }
    }
    fn ports(&self) -> Ports {
        self.tree.ports()
    }
}

/// A command with its parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Command {
    pub(super) op: Op,
    pub(super) keep: bool,
    pub(super) log_size: u32,
}

impl Command {
    pub(super) fn workload(self) -> Workload {
        match (self.op, self.keep) {
            (Op::Build, _) => Workload::BuildMle,
            (Op::Evaluate, _) => Workload::MleEval,
            (Op::Product, false) => Workload::Product,
            (Op::Product, true) => Workload::ProductMle,
            (Op::Hash, false) => Workload::Merkle,
            (Op::Hash, true) => Workload::MerkleLevels,
        }
    }
}

/// A job in progress.
pub(super) struct Load<F> {
    pub(super) command: Command,
    pub(super) model: Box<dyn Running>,
    /// The memory's contents, by word address.
    pub(super) memory: BTreeMap<u64, Word>,
    /// The expected final contents, from a computation without a unit.
    pub(super) want: Vec<(u64, Word)>,
    pub(super) challenges: Vec<F>,
    /// Cycles of the model's own run.
    pub(super) cycles: u64,
}

impl<F: Datapath> Load<F> {
    /// A job with random operands, some of which are edge cases.
    ///
    /// # Panics
    /// For a job that the model does not support.
    pub(super) fn new(design: &Design, command: Command, rng: &mut ChaCha20Rng) -> Self {
        let unit = *design.unit();
        let workload = command.workload();
        let job = Job::new(workload, command.log_size);
        let leaves = 1usize << command.log_size;
        let has_table = matches!(command.op, Op::Build | Op::Evaluate);
        let n = if has_table { command.log_size } else { 0 };
        let challenges: Vec<F> = (0..n).map(|_| operand::<F>(rng)).collect();
        let table = u64::from(n.next_multiple_of(design.pes()));
        let mut memory: BTreeMap<u64, Word> =
            (0..table).map(|k| (k, word(&challenges.get(k as usize).copied().unwrap_or(F::ONE)))).collect();
        let mut want = Vec::new();
        // The levels are stored one after the other; each is as long as all levels above it together, plus one word.
        let place = |level: u32| if level == 1 { 0 } else { 2 * (leaves - (leaves >> (level - 1))) as u64 };
        let results = table + if command.op == Op::Build { 0 } else { leaves as u64 };
        let mut wants = |nodes: &[Word]| match nodes {
            [root] => want.push((results + place(command.log_size + 1), *root)),
            nodes => {
                let (mut level, mut index) = (2, 0);
                for node in nodes {
                    want.push((results + place(level) + index, *node));
                    index += 1;
                    if index == (leaves >> (level - 1)) as u64 {
                        (level, index) = (level + 1, 0);
                    }
                }
            }
        };
        let printed = "the design was printed";
        let model: Box<dyn Running> = match command.op {
            Op::Build => {
                let nodes = mle::build_eq(&challenges);
                want.extend((results..).zip(nodes.iter().map(word)));
                let tree = Tree::build_eq(&unit, &challenges).expect(printed);
                Box::new(Typed { tree, word: word::<F> })
            }
            Op::Hash => {
                let digests: Vec<Digest> = (0..leaves)
                    .map(|_| {
                        let mut digest = [0; 32];
                        rng.fill_bytes(&mut digest);
                        digest
                    })
                    .collect();
                memory.extend((table..).zip(digests.iter().map(of_bytes)));
                let nodes = mle::reduce(&digests, |a, b| Sha3.compress(a, b)).into_nodes();
                let nodes: Vec<Word> = nodes.iter().map(of_bytes).collect();
                wants(if command.keep { &nodes } else { &nodes[leaves - 2..] });
                let tree = Tree::reduce(&unit, workload, digests, |_, a, b| Sha3.compress(&a, &b));
                Box::new(Typed { tree: tree.expect(printed), word: of_bytes })
            }
            Op::Product | Op::Evaluate => {
                let values: Vec<F> = (0..leaves).map(|_| operand::<F>(rng)).collect();
                memory.extend((table..).zip(values.iter().map(word)));
                if command.op == Op::Evaluate {
                    wants(&[word(&mle::mle_eval(&values, &challenges))]);
                } else {
                    let nodes: Vec<Word> = mle::product_tree(&values).into_nodes().iter().map(word).collect();
                    wants(if command.keep { &nodes } else { &nodes[leaves - 2..] });
                }
                let r = challenges.clone();
                let evaluates = command.op == Op::Evaluate;
                let node = move |level: u32, a: F, b: F| {
                    if evaluates { a + r[level as usize - 1] * (b - a) } else { a * b }
                };
                Box::new(Typed {
                    tree: Tree::reduce(&unit, workload, values, node).expect(printed),
                    word: word::<F>,
                })
            }
        };
        let cycles = simulate(&unit, &job).expect(printed).cycles;
        Self { command, model, memory, want, challenges, cycles }
    }
}
