//! Transforms of any size from sub-NTTs on the chip: the 2D coset NTT of \[CP\] §IV.B, and its 3D form beyond 2^20.
//!
//! Input index `i = i_1·M_1 + i_2·M_2 + … + i_d` with `M_j = n_{j+1}⋯n_d`, output index `k = k_1 + n_1·(k_2 + n_2·k_3)`.
//! Pass `j` transforms along axis `j`, in place: the digit `k_j` replaces `i_j`. Other libraries multiply by factors between
//! the passes, and before them for a coset of generator `c`. Here these factors are merged into the twiddles of the passes:
//! what remains for pass `j` after the digits `k_1 … k_{j-1}` is a coset NTT whose generator is
//! `c_j = c·ω_N^{k_1}·ω_{N/n_1}^{k_2}⋯`, and along axis `j` that is a sub-NTT with generator `c_j^{M_j}`. With `d = 2` and `c = φ`,
//! a 2N-th root, row `k_1` has the generator `φ^{2k_1+1}`. The inverse transform undoes the passes from the last to the
//! first, with the inverse tables.
//!
//! The last pass needs a table for every row. The tables are loaded from DRAM, which costs N more words, or are made on the
//! chip from each row's generator (`poly.row_tables`).

use super::split::{LARGEST, SMALLEST};
use super::vector::{self, VectorStep};
use super::{Build, Schedule, TaskError, Text, Walk, split};
use crate::MachineSpec;
use crate::isa::{L1, Memory, Tables, Transform, VectorOp};
use crate::machine::dma::{Dim, Fill, Layout, Order};
use crate::machine::poly::{PolyError, RowTables, twiddle};
use crate::machine::top::{Generators, Values};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;
use pairwright_sim::Access;

/// The step of a transform in which the powers of a coset's shift are applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// In the twiddles (Algorithm 2): no product beyond those of the butterflies.
    Merged,
    /// In a separate product with the coefficients, as in other libraries: N more products and three more transfers of N
    /// words.
    Separate,
}

/// A transform over a domain or over a coset of it.
#[derive(Clone, Copy, Debug)]
pub struct Shape<F: PrimeField> {
    /// The domain: at least 2^5 points.
    pub domain: Domain<F>,
    /// Whether the transform is inverse, from values to coefficients.
    pub inverse: bool,
    /// Generator of the coset; one for the domain itself.
    pub shift: F,
}

/// One pass: sub-NTTs along an axis, of which a set of banks holds `1 << batch`.
struct Pass<F> {
    log_len: u32,
    batch: u32,
    /// Number of different tables, each of which serves `tiles` turns.
    changes: u64,
    /// Turns between two changes of the table.
    tiles: u64,
    tables: Tables,
    generators: Generators<F>,
    load: AccessPattern,
    store: AccessPattern,
}

/// The order in which a pass goes through a region.
struct AccessPattern {
    dims: Vec<Dim>,
    /// How consecutive entries are assigned to the sub-NTTs of a batch: one entry to each in turn, or one sub-NTT after the
    /// other.
    fill: Fill,
}

/// log2 of the number of sub-NTTs that a set of banks holds.
fn batch_of(log_len: u32, available: u32) -> u32 {
    (LARGEST - log_len).min(available).min(5)
}

fn dim(log_count: u32, log_stride: u32) -> Dim {
    Dim { count: 1 << log_count, stride: 1 << log_stride }
}

/// The passes of a forward transform in order.
fn passes<F: PrimeField>(stages: &[u32], root: F, shift: F) -> Vec<Pass<F>> {
    let log_n: u32 = stages.iter().sum();
    let power = |value: F, log: u32| (0..log).fold(value, |v, _| v.square());
    (0..stages.len())
        .map(|j| {
            let n = stages[j];
            let below: u32 = stages[j + 1..].iter().sum();
            let above: u32 = stages[..j].iter().sum();
            // The generators c_j^{M_j} over the digits k_1 … k_{j-1}, of which k_1 changes fastest.
            let mut left = 0;
            let dims = stages[..j].iter().map(|s| {
                let step = (1u64 << s, power(root, left + below));
                left += s;
                step
            });
            let generators = Generators { first: power(shift, below), dims: dims.collect(), inverse: false };
            if below > 0 || j == 0 {
                let batch = batch_of(n, below);
                let dims = |prefixes: Vec<Dim>| {
                    let mut dims = vec![dim(batch, 0), dim(n, below), dim(below - batch, batch)];
                    dims.extend(prefixes);
                    dims
                };
                // Digit k_1 is the slowest of the address and the fastest of the tables. In a middle pass of three it is the
                // only digit above.
                let prefix = || if j == 0 { vec![] } else { vec![dim(above, log_n - above)] };
                Pass {
                    log_len: n,
                    batch,
                    changes: 1 << above,
                    tiles: 1 << (below - batch),
                    tables: Tables::Shared,
                    generators,
                    load: AccessPattern { dims: dims(prefix()), fill: Fill::Around },
                    store: AccessPattern { dims: dims(prefix()), fill: Fill::Around },
                }
            } else {
                // The last pass transforms rows, each with its own table.
                let first = stages[0];
                let batch = batch_of(n, first);
                let mut load =
                    vec![dim(n, 0), dim(batch, log_n - first), dim(first - batch, log_n - first + batch)];
                let mut store = vec![dim(batch, 0), dim(n, above), dim(first - batch, batch)];
                if j == 2 {
                    load.push(dim(stages[1], n));
                    store.push(dim(stages[1], first));
                }
                Pass {
                    log_len: n,
                    batch,
                    changes: 1 << (above - batch),
                    tiles: 1,
                    tables: Tables::Own,
                    generators,
                    load: AccessPattern { dims: load, fill: Fill::InTurn },
                    store: AccessPattern { dims: store, fill: Fill::Around },
                }
            }
        })
        .collect()
}

/// Appends a transform to a task, from region `input` to region `output`, of as many words as the domain has points. Both
/// may be the same region only for a transform of one pass.
///
/// # Errors
/// [`TaskError::Small`] below 32 points.
pub fn append<F: PrimeField>(
    build: &mut Build<F>,
    spec: &MachineSpec,
    shape: &Shape<F>,
    schedule: Schedule,
    regions: [usize; 2],
) -> Result<(), TaskError> {
    let log_n = shape.domain.log_size();
    let stages = split(log_n).ok_or(TaskError::Small { points: 1 << log_n })?;
    append_passes(build, spec, shape, schedule, &stages, regions)
}

/// [`append`] with given passes: the number of stages of each, up to three passes of 5 to 10 stages.
///
/// # Errors
/// [`TaskError::Passes`] if they do not make the transform.
pub fn append_passes<F: PrimeField>(
    build: &mut Build<F>,
    spec: &MachineSpec,
    shape: &Shape<F>,
    schedule: Schedule,
    stages: &[u32],
    [input, output]: [usize; 2],
) -> Result<(), TaskError> {
    let log_n = shape.domain.log_size();
    let fit = stages.iter().all(|s| (SMALLEST..=LARGEST).contains(s));
    if !fit || !(1..=3).contains(&stages.len()) || stages.iter().sum::<u32>() != log_n {
        return Err(TaskError::Passes { stages: stages.to_vec(), log_n });
    }
    let mut passes = passes(stages, shape.domain.root(), shape.shift);
    if shape.inverse {
        passes.reverse();
        passes.iter_mut().for_each(|pass| std::mem::swap(&mut pass.load, &mut pass.store));
    }
    let last = passes.len() - 1;
    let mut from = input;
    for (k, pass) in passes.into_iter().enumerate() {
        let to = if k == last { output } else { build.region("between passes", 1 << log_n) };
        pass.append(build, spec, shape, schedule, [from, to])?;
        from = to;
    }
    Ok(())
}

impl<F: PrimeField> Pass<F> {
    /// The walk of a transfer with the layout of its entries in the banks. A forward sub-NTT takes its points in
    /// bit-reversed order, an inverse one leaves them in it.
    fn walk(&self, access: Access, order: &AccessPattern, reversed: bool) -> Walk {
        let layout = Layout {
            columns: 1 << self.batch,
            fill: order.fill,
            log_len: self.log_len,
            order: if reversed { Order::BitReversed } else { Order::Natural },
        };
        Walk { layout, ..Walk::of(access, 1, order.dims.clone()) }
    }

    fn kind(&self, inverse: bool) -> Transform {
        let merged = !self.generators.dims.is_empty() || self.generators.first != F::ONE;
        match (inverse, merged) {
            (false, false) => Transform::Ntt,
            (false, true) => Transform::CosetNtt,
            (true, false) => Transform::Intt,
            (true, true) => Transform::CosetIntt,
        }
    }

    fn append(
        self,
        build: &mut Build<F>,
        spec: &MachineSpec,
        shape: &Shape<F>,
        schedule: Schedule,
        [from, to]: [usize; 2],
    ) -> Result<(), TaskError> {
        let kind = self.kind(shape.inverse);
        let root = self.root(shape.domain);
        let mut load = self.walk(Access::Read, &self.load, !shape.inverse);
        let mut store = self.walk(Access::Write, &self.store, shape.inverse);
        for walk in [&mut load, &mut store] {
            walk.tile_lines = build.tile_lines(spec, walk, 1 << (self.log_len + self.batch));
        }
        let [load, store] = [(from, load), (to, store)].map(|(region, walk)| build.stream(region, walk));
        // Sets of banks alternate if there is more than one turn.
        let turns = if self.tables == Tables::Own { self.changes } else { self.tiles };
        let sets = if turns > 1 { schedule.sets() } else { 0..1 };
        let tables = self.tables(build, spec, kind, root, sets.len() as u64)?;
        let (length, batch) = (1 << self.log_len, self.batch as u8);
        let entries = length << batch;
        let memory = if self.log_len.is_multiple_of(2) { Memory::A } else { Memory::B };
        let turn = |text: &mut Text, src: u8| {
            text.push(L1::Load { memory: Memory::A, length: entries, src, stream: load });
            text.push(L1::SubNtt { kind, length, src, batch, tables: self.tables });
            text.push(L1::Store { memory, length: entries, src, stream: store });
        };
        let (rounds, count) = (turns / sets.len() as u64, sets.len() as u64);
        match self.tables {
            Tables::Shared => build.text.times(self.changes, |text| {
                sets.clone().for_each(|src| text.push(tables.instruction(length, 0, src)));
                text.times(rounds, |text| sets.clone().for_each(|src| turn(text, src)));
            }),
            Tables::Own => build.text.times(turns / count, |text| {
                for src in sets.clone() {
                    text.push(tables.instruction(length, batch, src));
                    turn(text, src);
                }
            }),
        }
        Ok(())
    }

    /// The primitive root of the sub-NTTs.
    fn root(&self, domain: Domain<F>) -> F {
        (self.log_len..domain.log_size()).fold(domain.root(), |root, _| root.square())
    }

    /// Adds the source of the tables; a shared table is loaded once for each of `sets` sets.
    fn tables(
        &self,
        build: &mut Build<F>,
        spec: &MachineSpec,
        kind: Transform,
        root: F,
        sets: u64,
    ) -> Result<Source, TaskError> {
        let mut generators = Generators { inverse: twiddle::is_inverse(kind), ..self.generators.clone() };
        let many = !generators.dims.is_empty();
        if many && self.tables == Tables::Shared {
            generators.dims.insert(0, (sets, F::ONE));
        }
        if many && spec.poly.row_tables == RowTables::Update {
            return Err(TaskError::RowTables);
        }
        if many && spec.poly.row_tables == RowTables::Generate {
            let plain = if twiddle::is_inverse(kind) { Transform::Intt } else { Transform::Ntt };
            let one = Generators { first: F::ONE, dims: Vec::new(), inverse: false };
            let values = Values::Twiddles { kind: plain, log_len: self.log_len, root, generators: one };
            let region = build.constant("plain twiddles", values);
            let stream = build.stream(region, Walk::linear(Access::Read, 1, 1 << self.log_len));
            let length = 1 << self.log_len;
            build.text.push(L1::Load { memory: Memory::Base, length, src: 0, stream });
            return Ok(Source::Generated { stream: build.generators(generators) });
        }
        let count = self.generators.count();
        let generators = self.generators.clone();
        // Whether tables can be computed shows in the first one.
        twiddle::table(kind, self.log_len, root, generators.at(0))?;
        let values = Values::Twiddles { kind, log_len: self.log_len, root, generators };
        let region = build.constant("twiddles", values);
        let length = dim(self.log_len, 0);
        let dims = match self.tables {
            Tables::Shared => {
                vec![
                    length,
                    Dim { count: sets as u32, stride: 0 },
                    Dim { count: count as u32, stride: 1 << self.log_len },
                ]
            }
            Tables::Own => vec![length, Dim { count: count as u32, stride: 1 << self.log_len }],
        };
        let stream = build.stream(region, Walk::of(Access::Read, 1, dims));
        Ok(Source::Loaded { stream })
    }
}

/// The source of tables of twiddles.
enum Source {
    Loaded { stream: u8 },
    Generated { stream: u8 },
}

impl Source {
    fn instruction(&self, length: u16, batch: u8, src: u8) -> L1 {
        match *self {
            Self::Loaded { stream } => {
                L1::Load { memory: Memory::Twiddles, length: length << batch, src, stream }
            }
            Self::Generated { stream } => L1::GenTwiddles { length, batch, src, stream },
        }
    }
}

/// Appends a transform to a task by a method: [`append`] or [`append_separate`].
///
/// # Errors
/// As [`append`].
pub fn append_by<F: PrimeField>(
    method: Method,
    build: &mut Build<F>,
    spec: &MachineSpec,
    shape: &Shape<F>,
    schedule: Schedule,
    regions: [usize; 2],
) -> Result<(), TaskError> {
    match method {
        Method::Merged => append(build, spec, shape, schedule, regions),
        Method::Separate => append_separate(build, spec, shape, schedule, regions),
    }
}

/// The same transform as [`append`] by the conventional method: a product with the powers of the coset's generator before a
/// plain transform, or after a plain inverse one.
///
/// # Errors
/// As [`append`].
pub fn append_separate<F: PrimeField>(
    build: &mut Build<F>,
    spec: &MachineSpec,
    shape: &Shape<F>,
    schedule: Schedule,
    [input, output]: [usize; 2],
) -> Result<(), TaskError> {
    let entries = shape.domain.size();
    let generator = if shape.inverse { shape.shift.invert() } else { Some(shape.shift) };
    let generator = generator.ok_or(PolyError::Zero)?;
    let powers = Values::Powers { generator, count: entries as u64 };
    let factors = build.constant("powers of the coset's generator", powers);
    let between = build.region("between product and transform", entries as u64);
    let plain = Shape { shift: F::ONE, ..*shape };
    let product = |build: &mut Build<F>, from, to| {
        let step = VectorStep { op: VectorOp::Mul, operand: factors };
        vector::append(build, entries as u64, schedule, from, &[step], to);
    };
    if shape.inverse {
        append(build, spec, &plain, schedule, [input, between])?;
        product(build, between, output);
    } else {
        product(build, input, between);
        append(build, spec, &plain, schedule, [between, output])?;
    }
    Ok(())
}
