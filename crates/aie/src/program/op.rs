//! The operations of an AI Engine: the value that each computes, the register of its result and the class in which the
//! engine issues it.
//!
//! [`Op::compute`] is the only definition of their arithmetic. It is generic over the numbers and has four users:
//! [`Program::run`](super::Program::run) computes with integers and checks every register, [`ranges`](crate::ranges) with
//! intervals, [`fast`](crate::fast) with words of 64 bits, and [`tile`](crate::tile) with the registers of an engine in
//! the cycles of a schedule.

use std::fmt;

/// Lanes of a vector and of an accumulator.
pub const LANES: usize = 8;

/// Whether a product is added to the accumulator or subtracted from it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Sign {
    Plus,
    Minus,
}

/// How an arithmetic shift to the right rounds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Rounding {
    /// Towards minus infinity: the remainder is in `[0, 2^s)`.
    Floor,
    /// To the nearest integer, halves up: the remainder is in `[-2^(s-1), 2^(s-1))`.
    Nearest,
}

/// The kind of link over which a value goes from one tile to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Path {
    /// An AXI4 stream through switches: 32 bits a cycle, read and written 128 bits at a time.
    Stream,
    /// The cascade to the next tile of the row: 384 bits a cycle, half an accumulator.
    Cascade,
    /// A buffer in data memory that both tiles reach. Each access is preceded by the acquisition of the buffer's lock and
    /// followed by its release.
    Memory,
}

impl Path {
    /// The name in messages.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stream => "stream",
            Self::Cascade => "cascade",
            Self::Memory => "buffer",
        }
    }
}

/// The kind of a value, which decides its register file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ValueKind {
    /// Eight lanes of 32 bits.
    Vector,
    /// Eight lanes of 80 bits.
    Accumulator,
    /// One number of 32 bits.
    Scalar,
}

impl ValueKind {
    /// All kinds, in the order of their discriminants.
    pub const ALL: [Self; 3] = [Self::Vector, Self::Accumulator, Self::Scalar];

    /// The name of the register file in a description of the engine.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Vector => "vector",
            Self::Accumulator => "accumulator",
            Self::Scalar => "scalar",
        }
    }

    /// Words of 32 bits that a stream carries for a value; a lane of an accumulator takes three words.
    pub const fn words(self) -> usize {
        match self {
            Self::Vector => LANES,
            Self::Accumulator => 3 * LANES,
            Self::Scalar => 1,
        }
    }

    /// Cycles for which a value occupies a link; a buffer in memory is passed on as a whole, in one.
    pub const fn beats(self, path: Path) -> usize {
        match (path, self) {
            (Path::Stream, _) => self.words(),
            (Path::Cascade, Self::Accumulator) => 2,
            (Path::Cascade, Self::Vector | Self::Scalar) | (Path::Memory, _) => 1,
        }
    }

    /// Loads or stores of 256 bits that move a value to or from memory.
    pub const fn memory_accesses(self) -> usize {
        match self {
            Self::Vector | Self::Scalar => 1,
            Self::Accumulator => 4,
        }
    }

    /// The accesses of a core that move a value: for each access its cycle, counted from the first, and its words or
    /// beats. A stream is accessed 128 bits at a time, once in four cycles.
    pub fn accesses(self, path: Path) -> Vec<(u32, usize)> {
        let (each, apart) = match path {
            Path::Stream => (4, 4),
            Path::Cascade | Path::Memory => (1, 1),
        };
        let all = self.beats(path);
        let access = |n: usize| (n as u32 * apart, each.min(all - n * each));
        (0..all.div_ceil(each)).map(access).collect()
    }
}

/// The register or pair of registers that holds a value, which decides how large the value may be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Register {
    /// A vector, lanes of 32 bits.
    Vector,
    /// An accumulator, lanes of 80 bits.
    Accumulator,
    /// A scalar of 32 bits.
    Scalar,
    /// Two vectors, lanes of 64 bits.
    VectorPair,
    /// Two scalars, one number of 64 bits.
    ScalarPair,
}

impl Register {
    /// Bits of a lane or of the scalar, including the sign.
    pub const fn bits(self) -> u32 {
        match self {
            Self::Vector | Self::Scalar => 32,
            Self::Accumulator => 80,
            Self::VectorPair | Self::ScalarPair => 64,
        }
    }

    pub(crate) const fn kind(self) -> ValueKind {
        match self {
            Self::Vector | Self::VectorPair => ValueKind::Vector,
            Self::Accumulator => ValueKind::Accumulator,
            Self::Scalar | Self::ScalarPair => ValueKind::Scalar,
        }
    }
}

/// A class of operations that share slots and latency in the engine; [`Display`](fmt::Display) gives its name in
/// descriptions of engines.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Loads from memory.
    Load(ValueKind),
    /// Stores to memory; scalars are stored like vectors.
    Store(ValueKind),
    /// Multiply-accumulates of vectors.
    Mac,
    /// Shifts from accumulators to vectors, with rounding and saturation.
    Srs,
    /// Moves from vectors to accumulators.
    Ups,
    /// Sums and permutations of vectors.
    Vector,
    /// Moves from a lane to a scalar.
    Extract,
    /// Moves from a scalar to a lane.
    Update,
    /// Arithmetic on scalars.
    Scalar,
    /// Reads of a stream or of the cascade.
    Receive(Path, ValueKind),
    /// Writes to a stream or to the cascade.
    Send(Path, ValueKind),
    /// Acquisitions of a lock of shared memory.
    Acquire,
    /// Releases of a lock.
    Release,
}

impl Class {
    /// Every class that the description of an engine must have.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let links = [Path::Stream, Path::Cascade].into_iter().flat_map(|path| {
            ValueKind::ALL
                .into_iter()
                .flat_map(move |kind| [Self::Receive(path, kind), Self::Send(path, kind)])
        });
        let memory = ValueKind::ALL.into_iter().flat_map(|kind| [Self::Load(kind), Self::Store(kind)]);
        let units =
            [Self::Mac, Self::Srs, Self::Ups, Self::Vector, Self::Extract, Self::Update, Self::Scalar];
        memory.chain(units).chain(links).chain([Self::Acquire, Self::Release])
    }
}

impl fmt::Display for Class {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let path = |path: Path| if path == Path::Stream { "stream" } else { "cascade" };
        match *self {
            Self::Load(ValueKind::Vector) => f.write_str("load"),
            Self::Load(kind) => write!(f, "load {}", kind.name()),
            Self::Store(ValueKind::Accumulator) => f.write_str("store accumulator"),
            Self::Store(_) => f.write_str("store"),
            Self::Mac => f.write_str("mac"),
            Self::Srs => f.write_str("srs"),
            Self::Ups => f.write_str("ups"),
            Self::Vector => f.write_str("vector"),
            Self::Extract => f.write_str("extract"),
            Self::Update => f.write_str("update"),
            Self::Scalar => f.write_str("scalar"),
            Self::Receive(over, kind) => write!(f, "receive {} {}", path(over), kind.name()),
            Self::Send(over, kind) => write!(f, "send {} {}", path(over), kind.name()),
            Self::Acquire => f.write_str("acquire"),
            Self::Release => f.write_str("release"),
        }
    }
}

/// An operation without its operands, which [`Operation`](super::Operation) adds. Lane selections refer to a pair of
/// vectors: 0 to 7 are lanes of the first vector, 8 to 15 of the second.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Op {
    /// Loads the lower (0) or higher (1) eight digits of operand `number` of the program.
    Load {
        number: usize,
        half: usize,
    },
    Constant([i32; LANES]),
    /// Stores the operand as the lower (0) or higher (1) half of result `number`.
    Store {
        number: usize,
        half: usize,
    },
    /// Receives a value from another tile. Transfers over one link keep the order of the program, within an iteration and
    /// from one iteration to the next.
    Receive {
        link: usize,
        path: Path,
        kind: ValueKind,
    },
    Send {
        link: usize,
        path: Path,
        kind: ValueKind,
    },
    /// Eight products of 32 by 32 bits. The operands are a pair `x`, a vector `z` and optionally an accumulator: lane `l`
    /// becomes `accumulator[l] ± x[xs[l]]·z[zs[l]]`; without an accumulator it starts from zero.
    Mac {
        sign: Sign,
        xs: [u8; LANES],
        zs: [u8; LANES],
    },
    /// Shift, round and saturate: moves accumulator lanes to vector lanes. Programs may not rely on the saturation.
    Srs {
        shift: u32,
        rounding: Rounding,
    },
    /// Moves vector lanes to accumulator lanes.
    Ups,
    Add,
    Sub,
    /// Selects lanes from a pair of vectors.
    Permute([u8; LANES]),
    /// Moves a lane to a scalar.
    Extract {
        lane: usize,
    },
    /// Replaces one lane of the first operand by the second operand, a scalar.
    Update {
        lane: usize,
    },
    Immediate(i32),
    ScalarAdd,
    ScalarAnd,
    /// An arithmetic shift to the right.
    ScalarShift(u32),
    /// Moves accumulator lanes to lanes of 64 bits in two vectors, saturated.
    SrsLong,
    /// Moves a lane of 64 bits to a pair of scalars.
    ExtractLong {
        lane: usize,
    },
    /// The sum of a pair of scalars and a scalar.
    LongAdd,
    /// The bitwise and of a pair's lower register with a scalar.
    LongAnd,
    /// Shifts a pair arithmetically to the right by less than 32 bits; the result is one scalar.
    LongShift(u32),
}

/// The domain of an evaluation: integers, intervals of integers, or machine words.
pub(crate) trait Word: Copy {
    fn exact(value: i32) -> Self;
    fn add(self, other: Self) -> Self;
    fn sub(self, other: Self) -> Self;
    fn mul(self, other: Self) -> Self;
    fn shift(self, by: u32, rounding: Rounding) -> Self;
    fn and(self, other: Self) -> Self;
}

/// The operands of an operation, by their position in its operand list.
pub(crate) trait Operands<W> {
    fn lanes(&self, n: usize) -> &[W; LANES];
    fn word(&self, n: usize) -> W;
    /// The accumulator that a multiply-accumulate adds to, if it has one.
    fn accumulator(&self) -> Option<&[W; LANES]>;
}

/// The result of an operation.
#[derive(Clone, Copy)]
pub(crate) enum Value<W> {
    Lanes([W; LANES]),
    Word(W),
    Nothing,
}

impl Op {
    /// Computes the result from the operands alone. Loads, stores and transfers give nothing here: memory and links
    /// belong to the caller.
    #[inline(always)]
    pub(crate) fn compute<W: Word>(&self, operands: &impl Operands<W>) -> Value<W> {
        let select = |lane: u8| operands.lanes(usize::from(lane) / LANES)[usize::from(lane) % LANES];
        match *self {
            Self::Load { .. } | Self::Store { .. } | Self::Receive { .. } | Self::Send { .. } => {
                Value::Nothing
            }
            Self::Constant(lanes) => Value::Lanes(lanes.map(W::exact)),
            Self::Immediate(value) => Value::Word(W::exact(value)),
            Self::Mac { sign, xs, zs } => {
                let z = operands.lanes(2);
                let start = operands.accumulator().copied().unwrap_or([W::exact(0); LANES]);
                Value::Lanes(core::array::from_fn(|l| {
                    let product = select(xs[l]).mul(z[usize::from(zs[l])]);
                    match sign {
                        Sign::Plus => start[l].add(product),
                        Sign::Minus => start[l].sub(product),
                    }
                }))
            }
            Self::Srs { shift, rounding } => {
                Value::Lanes(operands.lanes(0).map(|x| x.shift(shift, rounding)))
            }
            Self::Ups | Self::SrsLong => Value::Lanes(*operands.lanes(0)),
            Self::Add => {
                let (a, b) = (operands.lanes(0), operands.lanes(1));
                Value::Lanes(core::array::from_fn(|l| a[l].add(b[l])))
            }
            Self::Sub => {
                let (a, b) = (operands.lanes(0), operands.lanes(1));
                Value::Lanes(core::array::from_fn(|l| a[l].sub(b[l])))
            }
            Self::Permute(lanes) => Value::Lanes(lanes.map(select)),
            Self::Extract { lane } | Self::ExtractLong { lane } => Value::Word(operands.lanes(0)[lane]),
            Self::Update { lane } => {
                let mut updated = *operands.lanes(0);
                updated[lane] = operands.word(1);
                Value::Lanes(updated)
            }
            Self::ScalarAdd | Self::LongAdd => Value::Word(operands.word(0).add(operands.word(1))),
            Self::ScalarAnd | Self::LongAnd => Value::Word(operands.word(0).and(operands.word(1))),
            Self::ScalarShift(by) | Self::LongShift(by) => {
                Value::Word(operands.word(0).shift(by, Rounding::Floor))
            }
        }
    }

    /// The class in which the engine issues the operation, and the register of its result.
    const fn row(&self) -> (Class, Option<Register>) {
        use Register::{Accumulator, Scalar, ScalarPair, Vector, VectorPair};
        match *self {
            Self::Load { .. } | Self::Constant(_) => (Class::Load(ValueKind::Vector), Some(Vector)),
            Self::Store { .. } => (Class::Store(ValueKind::Vector), None),
            Self::Receive { path, kind, .. } => {
                let class =
                    if matches!(path, Path::Memory) { Class::Load(kind) } else { Class::Receive(path, kind) };
                let register = match kind {
                    ValueKind::Vector => Vector,
                    ValueKind::Accumulator => Accumulator,
                    ValueKind::Scalar => Scalar,
                };
                (class, Some(register))
            }
            Self::Send { path: Path::Memory, kind, .. } => (Class::Store(kind), None),
            Self::Send { path, kind, .. } => (Class::Send(path, kind), None),
            Self::Mac { .. } => (Class::Mac, Some(Accumulator)),
            Self::Srs { .. } => (Class::Srs, Some(Vector)),
            Self::SrsLong => (Class::Srs, Some(VectorPair)),
            Self::Ups => (Class::Ups, Some(Accumulator)),
            Self::Add | Self::Sub | Self::Permute(_) => (Class::Vector, Some(Vector)),
            Self::Extract { .. } => (Class::Extract, Some(Scalar)),
            Self::ExtractLong { .. } => (Class::Extract, Some(ScalarPair)),
            Self::Update { .. } => (Class::Update, Some(Vector)),
            Self::LongAdd => (Class::Scalar, Some(ScalarPair)),
            Self::Immediate(_)
            | Self::ScalarAdd
            | Self::ScalarAnd
            | Self::ScalarShift(_)
            | Self::LongAnd
            | Self::LongShift(_) => (Class::Scalar, Some(Scalar)),
        }
    }

    pub(crate) const fn class(&self) -> Class {
        self.row().0
    }

    pub(crate) const fn register(&self) -> Option<Register> {
        self.row().1
    }

    /// The number of operations that the engine issues for it: more than one where 64 bits take two registers, and where
    /// a transfer takes several accesses or locks.
    pub(crate) fn issues(&self) -> usize {
        match *self {
            Self::LongAdd | Self::LongShift(_) => 3,
            Self::SrsLong | Self::ExtractLong { .. } => 2,
            Self::Receive { path: Path::Memory, kind, .. } | Self::Send { path: Path::Memory, kind, .. } => {
                2 + kind.memory_accesses()
            }
            Self::Receive { path, kind, .. } | Self::Send { path, kind, .. } => kind.accesses(path).len(),
            _ => 1,
        }
    }

    pub(crate) const fn is_transfer(&self) -> bool {
        matches!(self, Self::Receive { .. } | Self::Send { .. })
    }

    /// The mnemonic in listings.
    pub(crate) fn name(&self) -> String {
        match *self {
            Self::Load { number, half } => format!("operand {number}.{half}"),
            Self::Store { number, half } => format!("result {number}.{half}"),
            Self::Constant(_) => "constant".to_owned(),
            Self::Receive { link, .. } => format!("receive {link}"),
            Self::Send { link, .. } => format!("send {link}"),
            Self::Mac { sign: Sign::Plus, .. } => "mac".to_owned(),
            Self::Mac { sign: Sign::Minus, .. } => "msc".to_owned(),
            Self::Srs { shift, .. } => format!("srs {shift}"),
            Self::SrsLong => "srs long".to_owned(),
            Self::Ups => "ups".to_owned(),
            Self::Add => "vadd".to_owned(),
            Self::Sub => "vsub".to_owned(),
            Self::Permute(_) => "permute".to_owned(),
            Self::Extract { lane } | Self::ExtractLong { lane } => format!("extract {lane}"),
            Self::Update { lane } => format!("update {lane}"),
            Self::Immediate(value) => value.to_string(),
            Self::ScalarAdd | Self::LongAdd => "add".to_owned(),
            Self::ScalarAnd | Self::LongAnd => "and".to_owned(),
            Self::ScalarShift(by) | Self::LongShift(by) => format!("asr {by}"),
        }
    }
}
