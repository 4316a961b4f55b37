//! What an AI Engine does in a kernel, as operations in SSA form: each gives at most one value, named by the
//! operation's place in the program, and uses only values from before it.

mod writer;

use crate::digits::{Digits, Layout, RADIX_BITS};
use crate::part::Part;
use num_bigint::BigInt;
use std::collections::BTreeMap;
pub(crate) use writer::{IDENTITY, Writer, window};

/// Lanes of a vector and of an accumulator.
pub const LANES: usize = 8;

/// A vector of eight lanes of 32 bits: the place of the operation that gives it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Vector(pub(crate) usize);
/// An accumulator of eight lanes of 80 bits, likewise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Accumulator(pub(crate) usize);
/// A scalar register of 32 bits, likewise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Scalar(pub(crate) usize);

/// Eight lanes of 64 bits in two vector registers, likewise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Longs(pub(crate) usize);
/// An integer of 64 bits in two scalar registers, likewise.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Long(pub(crate) usize);

/// A number of sixteen digits: the vector of the lower eight, then that of the higher eight.
pub type Number = [Vector; 2];

/// Is a product added to the accumulator or taken from it?
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Sign {
    /// Added.
    Plus,
    /// Taken away.
    Minus,
}

/// How an arithmetic shift to the right drops bits.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Rounding {
    /// Towards minus infinity: what is left is in `[0, 2^s)`.
    Floor,
    /// To the nearest, halves up: what is left is in `[-2^(s-1), 2^(s-1))`.
    Nearest,
}

/// What carries a value from one tile to another.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Path {
    /// An AXI4 stream through switches: 32 bits a cycle, read and written 128 bits at a time.
    Stream,
    /// The cascade to the next tile of the row: 384 bits a cycle, half an accumulator.
    Cascade,
    /// A buffer in data memory that both tiles reach, each access between the acquisition of the buffer's lock and its
    /// release.
    Memory,
}

/// What kind of value a transfer carries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Payload {
    /// Eight lanes of 32 bits.
    Vector,
    /// Eight lanes of 80 bits.
    Accumulator,
    /// 32 bits.
    Scalar,
}

impl Payload {
    /// Words of 32 bits on a stream; an accumulator's lanes take three each.
    pub const fn words(self) -> usize {
        match self {
            Self::Vector => LANES,
            Self::Accumulator => 3 * LANES,
            Self::Scalar => 1,
        }
    }

    /// Cycles in which a path takes it; a buffer in memory is one whole.
    pub const fn beats(self, path: Path) -> usize {
        match (path, self) {
            (Path::Stream, _) => self.words(),
            (Path::Cascade, Self::Accumulator) => 2,
            (Path::Cascade, Self::Vector | Self::Scalar) | (Path::Memory, _) => 1,
        }
    }

    /// Loads or stores of 256 bits that bring it from and to memory.
    pub const fn memory_accesses(self) -> usize {
        match self {
            Self::Vector | Self::Scalar => 1,
            Self::Accumulator => 4,
        }
    }

    /// Accesses that a core makes for it: cycles after the first one, and beats of each. A stream's have 128 bits in four
    /// cycles.
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

/// An operation. Selections name lanes of a pair of vectors: 0 to 7 in the first, 8 to 15 in the second.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Op {
    /// Half of an operand from memory: the lower (0) or higher (1) eight digits of input `number`.
    Load {
        /// Which operand.
        number: usize,
        /// Which half.
        half: usize,
    },
    /// A constant vector from memory.
    Constant([i32; LANES]),
    /// Stores half of a result.
    Store {
        /// Which result.
        number: usize,
        /// Which half.
        half: usize,
        /// What is stored.
        from: Vector,
    },
    /// A value that another tile sends. Transfers over one link keep the order of the program, from iteration to
    /// iteration as well.
    Receive {
        /// The link's number.
        link: usize,
        /// What carries it.
        path: Path,
        /// What it is.
        payload: Payload,
    },
    /// Sends a value to other tiles.
    Send {
        /// The link's number.
        link: usize,
        /// What carries it.
        path: Path,
        /// What it is.
        payload: Payload,
        /// The place of the operation that gives it.
        from: usize,
    },
    /// Eight products of 32 by 32 bits: lane `l` is `acc[l] ± x[xs[l]]·z[zs[l]]`; without `acc` it starts from zero.
    Mac {
        /// What is added to.
        acc: Option<Accumulator>,
        /// The sign of the products.
        sign: Sign,
        /// The pair that first factors are selected from.
        x: [Vector; 2],
        /// Which lane of the pair, for each lane.
        xs: [u8; LANES],
        /// Where second factors are selected from.
        z: Vector,
        /// Which lane, for each lane.
        zs: [u8; LANES],
    },
    /// Shift, round, saturate: accumulator lanes to vector lanes, `acc >> shift`. A value that would be saturated is a
    /// fault.
    Srs {
        /// What is shifted.
        from: Accumulator,
        /// Places to the right.
        shift: u32,
        /// What happens to the bits below.
        rounding: Rounding,
    },
    /// Vector lanes to accumulator lanes.
    Ups(Vector),
    /// Lane by lane sum.
    Add(Vector, Vector),
    /// Lane by lane difference.
    Sub(Vector, Vector),
    /// Lanes selected from a pair.
    Permute {
        /// The pair.
        from: [Vector; 2],
        /// Which lane of the pair, for each lane.
        lanes: [u8; LANES],
    },
    /// A lane to a scalar register.
    Extract {
        /// The vector.
        from: Vector,
        /// Its lane.
        lane: usize,
    },
    /// A vector with one lane replaced by a scalar.
    Update {
        /// The vector.
        into: Vector,
        /// Its lane.
        lane: usize,
        /// The new value.
        value: Scalar,
    },
    /// A constant in a scalar register.
    Immediate(i32),
    /// Sum of scalars.
    ScalarAdd(Scalar, Scalar),
    /// Bitwise and of scalars.
    ScalarAnd(Scalar, Scalar),
    /// Arithmetic shift to the right of a scalar.
    ScalarShift(Scalar, u32),
    /// Accumulator lanes as 64 bits each, saturated.
    SrsLong(Accumulator),
    /// A lane of 64 bits to a pair of scalar registers.
    ExtractLong {
        /// The lanes.
        from: Longs,
        /// Which.
        lane: usize,
    },
    /// Sum of a pair and a scalar: the scalar's sign, a sum, a sum with carry.
    LongAdd(Long, Scalar),
    /// Bitwise and of a pair's lower register with a scalar.
    LongAnd(Long, Scalar),
    /// Arithmetic shift to the right of a pair by less than 32, to one register: two shifts and an or.
    LongShift(Long, u32),
}

/// Which unit of the engine does an operation.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// Vector multiply-accumulate.
    VectorMac,
    /// Vector sums and permutations.
    VectorAlu,
    /// Accumulators to vectors.
    Srs,
    /// Vectors to accumulators.
    Ups,
    /// Between vector lanes and scalar registers.
    Move,
    /// Scalar arithmetic.
    Scalar,
    /// From memory.
    Load,
    /// To memory.
    Store,
    /// From a stream.
    StreamIn,
    /// To a stream.
    StreamOut,
    /// From the cascade.
    CascadeIn,
    /// To the cascade.
    CascadeOut,
    /// From a buffer in shared memory.
    MemoryIn,
    /// To a buffer in shared memory.
    MemoryOut,
}

impl Op {
    /// The unit that does it.
    pub fn class(&self) -> Class {
        match self {
            Self::Load { .. } | Self::Constant(_) => Class::Load,
            Self::Store { .. } => Class::Store,
            Self::Receive { path: Path::Stream, .. } => Class::StreamIn,
            Self::Receive { path: Path::Cascade, .. } => Class::CascadeIn,
            Self::Send { path: Path::Stream, .. } => Class::StreamOut,
            Self::Send { path: Path::Cascade, .. } => Class::CascadeOut,
            Self::Receive { path: Path::Memory, .. } => Class::MemoryIn,
            Self::Send { path: Path::Memory, .. } => Class::MemoryOut,
            Self::Mac { .. } => Class::VectorMac,
            Self::Srs { .. } | Self::SrsLong(_) => Class::Srs,
            Self::Ups(_) => Class::Ups,
            Self::Add(..) | Self::Sub(..) | Self::Permute { .. } => Class::VectorAlu,
            Self::Extract { .. } | Self::ExtractLong { .. } | Self::Update { .. } => Class::Move,
            Self::Immediate(_)
            | Self::ScalarAdd(..)
            | Self::ScalarAnd(..)
            | Self::ScalarShift(..)
            | Self::LongAdd(..)
            | Self::LongAnd(..)
            | Self::LongShift(..) => Class::Scalar,
        }
    }

    /// How many operations of its class the engine issues for it: more than one where 64 bits take two registers, or
    /// a transfer more than the 128 bits of a stream's access or the 384 of a cascade's, or locks.
    pub fn issues(&self) -> usize {
        match self {
            Self::LongAdd(..) | Self::LongShift(..) => 3,
            Self::SrsLong(_) | Self::ExtractLong { .. } => 2,
            Self::Receive { path, payload, .. } | Self::Send { path, payload, .. } => match path {
                Path::Stream => payload.words().div_ceil(4),
                Path::Cascade => payload.beats(*path),
                Path::Memory => 2 + payload.memory_accesses(),
            },
            _ => 1,
        }
    }

    /// The places of the operations whose values it uses; an accumulator that is added to comes first.
    pub fn operands(&self) -> Vec<usize> {
        match *self {
            Self::Load { .. } | Self::Constant(_) | Self::Immediate(_) | Self::Receive { .. } => vec![],
            Self::Send { from, .. } => vec![from],
            Self::Store { from, .. } | Self::Extract { from, .. } | Self::Ups(from) => vec![from.0],
            Self::Mac { acc, x, z, .. } => {
                acc.map(|a| a.0).into_iter().chain([x[0].0, x[1].0, z.0]).collect()
            }
            Self::Srs { from, .. } => vec![from.0],
            Self::Add(a, b) | Self::Sub(a, b) => vec![a.0, b.0],
            Self::Permute { from, .. } => vec![from[0].0, from[1].0],
            Self::Update { into, value, .. } => vec![into.0, value.0],
            Self::ScalarAdd(a, b) | Self::ScalarAnd(a, b) => vec![a.0, b.0],
            Self::ScalarShift(a, _) => vec![a.0],
            Self::SrsLong(a) => vec![a.0],
            Self::ExtractLong { from, .. } => vec![from.0],
            Self::LongAdd(a, b) | Self::LongAnd(a, b) => vec![a.0, b.0],
            Self::LongShift(a, _) => vec![a.0],
        }
    }

    /// The same with every operand's place replaced.
    pub(crate) fn renamed(&self, to: impl Fn(usize) -> usize) -> Self {
        let mut op = self.clone();
        let v = |x: &mut Vector| x.0 = to(x.0);
        let s = |x: &mut Scalar| x.0 = to(x.0);
        match &mut op {
            Self::Load { .. } | Self::Constant(_) | Self::Immediate(_) | Self::Receive { .. } => {}
            Self::Send { from, .. } => *from = to(*from),
            Self::Store { from, .. } | Self::Extract { from, .. } | Self::Ups(from) => v(from),
            Self::Mac { acc, x, z, .. } => {
                acc.iter_mut().for_each(|a| a.0 = to(a.0));
                x.iter_mut().for_each(v);
                v(z);
            }
            Self::Srs { from, .. } => from.0 = to(from.0),
            Self::Add(a, b) | Self::Sub(a, b) => [a, b].into_iter().for_each(v),
            Self::Permute { from, .. } => from.iter_mut().for_each(v),
            Self::Update { into, value, .. } => {
                v(into);
                s(value);
            }
            Self::ScalarAdd(a, b) | Self::ScalarAnd(a, b) => [a, b].into_iter().for_each(s),
            Self::ScalarShift(a, _) => s(a),
            Self::SrsLong(a) => a.0 = to(a.0),
            Self::ExtractLong { from, .. } => from.0 = to(from.0),
            Self::LongAdd(a, b) | Self::LongAnd(a, b) => {
                a.0 = to(a.0);
                s(b);
            }
            Self::LongShift(a, _) => a.0 = to(a.0),
        }
        op
    }
}

/// What an operand may be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct InputRange {
    /// Where its digits lie; a program has one layout for all of its numbers.
    pub layout: Layout,
    /// Its least and greatest value.
    pub value: [BigInt; 2],
    /// The least and greatest value of each digit.
    pub digit: [i32; 2],
}

impl InputRange {
    /// Canonical digits of a value in `[0, bound)`.
    pub fn below(bound: &BigInt) -> Self {
        Self {
            layout: Layout::DIGITS_25,
            value: [BigInt::ZERO, bound - 1],
            digit: [0, (1 << RADIX_BITS) - 1],
        }
    }

    /// Digits with a sign, as [`Layout::split_nearest`] gives them, of a value in `(-bound, bound)`.
    pub fn within(layout: Layout, bound: &BigInt) -> Self {
        let half = 1 << (layout.radix_bits - 1);
        Self { layout, value: [1 - bound, bound - 1], digit: [-half, half - 1] }
    }

    /// The digits of its greatest value; none if they do not fit.
    pub fn greatest(&self) -> Option<Digits> {
        let most = &self.value[1];
        if self.digit[0] < 0 { self.layout.split_nearest(most).ok() } else { self.layout.split(most).ok() }
    }
}

/// What is known about numbers at a place of a program, because of how they were made: the range analysis derives
/// the ranges of integers from it, which digits alone do not show.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Fact {
    /// `result = Σ ± terms + constant`, as integers.
    Sum { result: Number, terms: Vec<(Sign, Number)>, constant: BigInt },
    /// Barrett's: with `low_in` the part of `a·b` below 2^375 times 2^25, and `low_mu` the part below 2^400 of the
    /// quotient's product, `result ≡ a·b - q·M` modulo 2^400.
    Barrett { a: Number, b: Number, low_in: Number, low_mu: Number, result: Number },
    /// Montgomery's: `result·2^400 = a·b + t·M - low`, `low` a multiple of 2^400.
    Montgomery { a: Number, b: Number, t: Number, low: Number, result: Number },
    /// Barrett's by fourteen digits: `high` are the columns of `a·b` from 12 on, the digits of `m` from lane 1;
    /// `quotient` those of `m·μ`, `q` from lane 2; `result ≡ a·b - q·M` modulo 2^392.
    Barrett28 { a: Number, b: Number, high: Number, quotient: Number, result: Number },
    /// Montgomery's by fourteen digits: `sum` are the columns of `a·b + t·M` from 12 on, of which `result` are those from
    /// 14 on.
    Montgomery28 { a: Number, b: Number, t: Number, sum: Number, result: Number },
}

/// A kernel: operations in an order that computes every value before its use.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Program {
    pub(crate) ops: Vec<Op>,
    /// Of each operation.
    pub(crate) parts: Vec<Part>,
    pub(crate) inputs: Vec<InputRange>,
    pub(crate) outputs: usize,
    /// With the number of operations before each.
    pub(crate) facts: Vec<(usize, Fact)>,
}

impl Program {
    /// The operations; an operation's value is named by its place.
    pub fn ops(&self) -> &[Op] {
        &self.ops
    }

    /// Which part of the addition, or of the product, each operation belongs to.
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// What the operands may be.
    pub fn inputs(&self) -> &[InputRange] {
        &self.inputs
    }

    /// How many numbers it gives.
    pub fn outputs(&self) -> usize {
        self.outputs
    }

    /// Operations that the engine issues, of each class.
    pub fn counts(&self) -> BTreeMap<Class, usize> {
        let mut counts = BTreeMap::new();
        for op in &self.ops {
            *counts.entry(op.class()).or_default() += op.issues();
        }
        counts
    }

    /// Multiply-accumulates that are products of digits: the paper's MAC operations. Those that take a carry away from
    /// where it came from, or put it where it goes, are counted with the vector instructions, as the paper does: their
    /// second factor is a constant.
    pub fn products(&self) -> usize {
        let product = |op: &&Op| matches!(op, Op::Mac { z, .. } if !matches!(self.ops[z.0], Op::Constant(_)));
        self.ops.iter().filter(product).count()
    }

    /// Whether a lane of the operation is `acc - (acc >> s)·2^s`: then `s` and the rounding of the shift.
    pub(crate) fn remainder(&self, at: usize, lane: usize) -> Option<(u32, Rounding)> {
        let Op::Mac { acc: Some(acc), sign: Sign::Minus, x: [x, _], xs, z, zs } = &self.ops[at] else {
            return None;
        };
        let Op::Srs { from, shift, rounding } = self.ops[x.0] else { return None };
        let Op::Constant(factor) = &self.ops[z.0] else { return None };
        let whole = xs[lane] as usize == lane && factor[zs[lane] as usize] == 1 << shift;
        (whole && from == *acc).then_some((shift, rounding))
    }

    /// The program without operations that no result depends on. What the analysis knows about intermediate numbers
    /// is left behind: ranges are those of the whole program.
    pub fn pruned(&self) -> Self {
        let mut alive = vec![false; self.ops.len()];
        for (at, op) in self.ops.iter().enumerate().rev() {
            alive[at] |= op.class() == Class::Store;
            if alive[at] {
                op.operands().into_iter().for_each(|o| alive[o] = true);
            }
        }
        let mut place = vec![0; self.ops.len()];
        let (mut ops, mut parts) = (Vec::new(), Vec::new());
        for (at, op) in self.ops.iter().enumerate().filter(|(at, _)| alive[*at]) {
            place[at] = ops.len();
            ops.push(op.renamed(|o| place[o]));
            parts.push(self.parts[at]);
        }
        Self { ops, parts, inputs: self.inputs.clone(), outputs: self.outputs, facts: vec![] }
    }
}
