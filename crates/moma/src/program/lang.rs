//! The language of array programs.
//!
//! A kernel is a list of [`Node`]s. A *device* kernel (one with a [`Launch`]) runs in blocks of threads; between two
//! phases stands a barrier, and index variables live in one phase while element registers live through all of them. A
//! *host* kernel has no launch: it runs once, its phases one after the other.
//!
//! Sizes that do not depend on the data are folded while a program is built, so the operators on [`Ix`] read as
//! formulas and print without noise.

use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Shr, Sub};

/// How wide the numbers of a kernel are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Bits of a machine word: 32 or 64. Digits of 52 bits live in words of 64.
    pub word_bits: u32,
    /// Words (or digits) of an element.
    pub words: usize,
}

impl Element {
    /// Bytes of an element in a buffer.
    pub fn bytes(self) -> usize {
        self.words * self.word_bits as usize / 8
    }
    /// Words that are moved at once: the largest of 1, 2, 4 with at most 16 bytes that divides the element. Shared
    /// memory is laid out in slices of so many words, slice-major, so that neighbouring slots lie in different banks.
    pub fn slice_words(self) -> usize {
        let most = 128 / self.word_bits as usize;
        [4, 2, 1].into_iter().find(|s| *s <= most && self.words.is_multiple_of(*s)).unwrap_or(1)
    }
    /// log2 of the number of slots whose slices fill the 128 bytes that shared memory serves at a time.
    pub fn bank_bits(self) -> u32 {
        (128 / (self.slice_words() * self.word_bits as usize / 8)).ilog2()
    }
}

/// An element register of a thread.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reg(pub usize);

/// An index variable.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexVar(pub usize);

/// The field functions that a program may call, all on canonical representatives below the modulus.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// `a + b mod q`
    Add,
    /// `a - b mod q`
    Sub,
    /// The product of the reduction in use: `a b mod q` (Barrett) or `a b / R mod q` (Montgomery).
    Mul,
    /// `Mul` of an element with itself; the second operand is ignored.
    Sqr,
}

impl Role {
    /// The name of the function in printed text.
    pub fn function(self) -> &'static str {
        match self {
            Self::Add => "pw_add",
            Self::Sub => "pw_sub",
            Self::Mul => "pw_mul",
            Self::Sqr => "pw_sqr",
        }
    }
}

/// Operations on indices. Nothing wraps: a program that would go below zero is wrong, and the interpreter says so.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the operations")]
pub enum IxOp {
    Add,
    Sub,
    Mul,
    Shl,
    Shr,
    And,
    Or,
    Xor,
    Min,
}

/// An index expression: a natural number below 2^32 in device kernels, of the machine's size in host kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ix {
    /// A constant number.
    Const(u64),
    /// The thread within its block.
    Thread,
    /// The number of the block.
    Block,
    /// A scalar argument, by its place.
    Scalar(usize),
    /// An index variable.
    Var(IndexVar),
    /// An operation on two indices.
    Op(IxOp, Box<Ix>, Box<Ix>),
    /// The lowest `bits` bits of `value` in reversed order; at most 31.
    BitRev {
        /// What is reversed; below `2^bits`.
        value: Box<Ix>,
        /// How many bits.
        bits: Box<Ix>,
    },
    /// `width` bits, from bit `at`, of an integer that a buffer of kind [`BufferKind::Bits`] holds.
    Bits {
        /// Index of the buffer.
        buffer: usize,
        /// The lowest of the bits; a multiple of `width`.
        at: Box<Ix>,
        /// How many bits; a power of two, at most 8.
        width: u32,
    },
}

impl From<u64> for Ix {
    fn from(value: u64) -> Self {
        Self::Const(value)
    }
}

impl From<IndexVar> for Ix {
    fn from(var: IndexVar) -> Self {
        Self::Var(var)
    }
}

impl Ix {
    /// Folds what is known.
    fn op(op: IxOp, left: Ix, right: Ix) -> Ix {
        use IxOp as O;
        match (op, &left, &right) {
            (_, Ix::Const(a), Ix::Const(b)) => {
                if let Some(value) = apply(op, *a, *b) {
                    return Ix::Const(value);
                }
            }
            (O::Add | O::Sub | O::Shl | O::Shr | O::Or | O::Xor, _, Ix::Const(0)) => return left,
            (O::Add | O::Or | O::Xor, Ix::Const(0), _) => return right,
            (O::Mul | O::And | O::Shl | O::Shr, Ix::Const(0), _) => return left,
            (O::Mul | O::And, _, Ix::Const(0)) => return right,
            (O::Mul, _, Ix::Const(1)) => return left,
            (O::Mul, Ix::Const(1), _) => return right,
            _ => {}
        }
        Ix::Op(op, Box::new(left), Box::new(right))
    }

    /// The smaller of two.
    pub fn min(self, other: impl Into<Ix>) -> Ix {
        Self::op(IxOp::Min, self, other.into())
    }

    /// The remainder by `2^bits`.
    pub fn low_bits(self, bits: u32) -> Ix {
        self & ((1u64 << bits) - 1)
    }

    /// The lowest `bits` bits in reversed order; the value has no others.
    pub fn bit_reversed(self, bits: impl Into<Ix>) -> Ix {
        let bits = bits.into();
        match (&self, &bits) {
            (_, Ix::Const(0)) => Ix::Const(0),
            (Ix::Const(value), Ix::Const(bits)) => Ix::Const(reverse_bits(*value, *bits)),
            (_, Ix::Const(1)) => self,
            _ => Ix::BitRev { value: Box::new(self), bits: Box::new(bits) },
        }
    }
}

/// The lowest `bits` bits of a value in reversed order.
pub fn reverse_bits(value: u64, bits: u64) -> u64 {
    if bits == 0 { 0 } else { value.reverse_bits() >> (64 - bits.min(64)) }
}

/// What an operation gives, if it is a number of 64 bits.
pub fn apply(op: IxOp, a: u64, b: u64) -> Option<u64> {
    let shift = || u32::try_from(b).ok().filter(|b| *b < 64);
    match op {
        IxOp::Add => a.checked_add(b),
        IxOp::Sub => a.checked_sub(b),
        IxOp::Mul => a.checked_mul(b),
        IxOp::Shl => shift().and_then(|by| a.checked_mul(1 << by)),
        IxOp::Shr => shift().map(|by| a >> by),
        IxOp::And => Some(a & b),
        IxOp::Or => Some(a | b),
        IxOp::Xor => Some(a ^ b),
        IxOp::Min => Some(a.min(b)),
    }
}

macro_rules! operators {
    ($($trait:ident $method:ident $op:ident),*) => {$(
        impl<T: Into<Ix>> $trait<T> for Ix {
            type Output = Ix;
            fn $method(self, other: T) -> Ix {
                Ix::op(IxOp::$op, self, other.into())
            }
        }
    )*};
}

operators!(Add add Add, Sub sub Sub, Mul mul Mul, Shl shl Shl, Shr shr Shr, BitAnd bitand And, BitOr bitor Or,
    BitXor bitxor Xor);

/// The place of an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementPlace {
    /// Element `base * stride + at` of a buffer. The two parts are indices; their sum may be beyond 2^32.
    Global {
        /// Index of the buffer.
        buffer: usize,
        /// How many strides from the start.
        base: Ix,
        /// Distance in elements.
        stride: u64,
        /// Index from the start of that piece.
        at: Ix,
    },
    /// A slot of the block's shared memory.
    Shared(Ix),
}

impl ElementPlace {
    /// Element `at` of a buffer.
    pub fn global(buffer: usize, at: impl Into<Ix>) -> Self {
        Self::Global { buffer, base: Ix::Const(0), stride: 0, at: at.into() }
    }
}

/// What a thread does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Names an index, to the end of the list of statements it stands in.
    Let {
        /// The variable that is defined.
        var: IndexVar,
        /// What it stands for.
        value: Ix,
    },
    /// Reads an element.
    Load {
        /// The register that is written.
        dst: Reg,
        /// The place that is read.
        from: ElementPlace,
    },
    /// Writes an element.
    Store {
        /// The place that is written.
        to: ElementPlace,
        /// The register that is read.
        src: Reg,
    },
    /// Calls a field function; `dst` may be one of the operands.
    Call {
        /// The role of the function.
        role: Role,
        /// The register of the result.
        dst: Reg,
        /// The register of the first operand.
        a: Reg,
        /// The register of the second operand.
        b: Reg,
    },
    /// Copies a register.
    Copy {
        /// The register that is written.
        dst: Reg,
        /// The register that is read.
        src: Reg,
    },
    /// `dst = zero` where `test` is zero, `dst = other` elsewhere; lane by lane.
    Choose {
        /// The register of the result.
        dst: Reg,
        /// What is compared with zero.
        test: Reg,
        /// Taken where it is zero.
        zero: Reg,
        /// Taken where it is not.
        other: Reg,
    },
    /// Repeats statements for `from <= var < to`.
    For {
        /// The variable that counts.
        var: IndexVar,
        /// The first value of the variable.
        from: Ix,
        /// End, not reached.
        to: Ix,
        /// What is repeated.
        body: Vec<Stmt>,
    },
    /// Runs statements where `left < right`.
    When {
        /// What must be less.
        left: Ix,
        /// The right side of the comparison.
        right: Ix,
        /// What is run.
        body: Vec<Stmt>,
    },
}

/// A part of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// What all threads do before the next barrier.
    Phase(Vec<Stmt>),
    /// Phases repeated for `0 <= var < count`, by all threads of a block together. `var` is known in the body.
    Repeat {
        /// The variable that counts.
        var: IndexVar,
        /// Number of repetitions.
        count: u64,
        /// What is repeated.
        body: Vec<Node>,
    },
}

/// Whether a kernel reads or writes a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// Only reads; overlaps no other buffer.
    Read,
    /// Writes, and may read what it has written or what was there.
    Write,
}

/// What a buffer holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferKind {
    /// Elements; on a machine with lanes, blocks of as many elements as it has lanes, word-major.
    Elements,
    /// Single elements that are the same for all lanes: twiddles, a scalar.
    Uniform,
    /// One element that a launch passes by value, so that nobody copies it to a device before; a pointer to it on the host.
    Value,
    /// One integer in words of the target, low word first: an exponent.
    Bits,
}

/// A pointer argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// Its name in printed text.
    pub name: &'static str,
    /// Read or written.
    pub access: Access,
    /// What it holds.
    pub kind: BufferKind,
}

impl Buffer {
    /// A buffer of any kind.
    pub const fn new(name: &'static str, access: Access, kind: BufferKind) -> Self {
        Self { name, access, kind }
    }
    /// Elements that are read.
    pub const fn input(name: &'static str) -> Self {
        Self::new(name, Access::Read, BufferKind::Elements)
    }
    /// Elements that are written.
    pub const fn output(name: &'static str) -> Self {
        Self::new(name, Access::Write, BufferKind::Elements)
    }
}

/// How a device kernel is spread over threads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Threads of a block; a power of two.
    pub threads: u32,
    /// Blocks that a multiprocessor should hold at once, a hint for its registers.
    pub resident: u32,
    /// Thread-block clusters: this many hardware blocks form one block of the program, and share their memory.
    /// 1 where none are needed.
    pub cluster: u32,
    /// Slots of shared memory, elements.
    pub shared: u64,
    /// Blocks of the grid, as a function of the scalars.
    pub blocks: Ix,
}

impl Launch {
    /// A launch of blocks of single threads that share no memory.
    pub fn of(threads: u32, blocks: Ix) -> Self {
        Self { threads, resident: 1, cluster: 1, shared: 0, blocks }
    }
    /// The same with as many blocks as have the first scalar's elements, a block having `per_block` of them, a power of two.
    pub fn over_elements(threads: u32, per_block: u64) -> Self {
        Self::of(threads, (Ix::Scalar(0) + (per_block - 1)) >> u64::from(per_block.ilog2()))
    }
}

/// A kernel over arrays of elements. The arguments of the printed function are the scalars, the buffers and the
/// constants of the field functions, in this order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ArrayKernel {
    /// The name of the printed function.
    pub name: String,
    /// What it computes, for the comment above it.
    pub about: String,
    /// Width of the elements.
    pub element: Element,
    /// Names of the scalar arguments.
    pub scalars: Vec<&'static str>,
    /// The buffers in the order of the arguments.
    pub buffers: Vec<Buffer>,
    /// Element registers of a thread.
    pub registers: usize,
    /// Blocks and threads; none for a host kernel.
    pub launch: Option<Launch>,
    /// What is done.
    pub body: Vec<Node>,
}

impl ArrayKernel {
    /// Bytes of shared memory that a hardware block needs.
    pub fn shared_bytes(&self) -> u64 {
        let Some(launch) = &self.launch else { return 0 };
        launch.shared / u64::from(launch.cluster.max(1)) * self.element.bytes() as u64
    }

    /// Hardware blocks of the grid for these scalars; none for a host kernel or on overflow.
    pub fn grid(&self, scalars: &[u64]) -> Option<u64> {
        let launch = self.launch.as_ref()?;
        constant(&launch.blocks, scalars)?.checked_mul(u64::from(launch.cluster))
    }

    /// Calls of field functions that one thread makes in all, by role, guards taken as passed.
    pub fn calls_per_thread(&self) -> std::collections::BTreeMap<Role, u64> {
        let mut counts = std::collections::BTreeMap::new();
        count_nodes(&self.body, 1, &mut counts);
        counts
    }
}

fn constant(ix: &Ix, scalars: &[u64]) -> Option<u64> {
    match ix {
        Ix::Const(value) => Some(*value),
        Ix::Scalar(at) => scalars.get(*at).copied(),
        Ix::Op(op, a, b) => apply(*op, constant(a, scalars)?, constant(b, scalars)?),
        _ => None,
    }
}

fn count_nodes(nodes: &[Node], times: u64, counts: &mut std::collections::BTreeMap<Role, u64>) {
    for node in nodes {
        match node {
            Node::Phase(body) => count(body, times, counts),
            Node::Repeat { count, body, .. } => count_nodes(body, times * count, counts),
        }
    }
}

fn count(body: &[Stmt], times: u64, counts: &mut std::collections::BTreeMap<Role, u64>) {
    for stmt in body {
        match stmt {
            Stmt::Call { role, .. } => *counts.entry(*role).or_default() += times,
            Stmt::When { body, .. } => count(body, times, counts),
            Stmt::For { from: Ix::Const(from), to: Ix::Const(to), body, .. } => {
                count(body, times * to.saturating_sub(*from), counts);
            }
            Stmt::For { body, .. } => count(body, times, counts),
            _ => {}
        }
    }
}

/// A list of statements in the making, with names for its index variables.
#[derive(Debug, Default)]
pub struct Body {
    /// What was written so far.
    pub stmts: Vec<Stmt>,
    next: usize,
}

impl Body {
    /// Statements inside of this list: its variables count on from here.
    pub fn inner(&self) -> Self {
        Self { stmts: Vec::new(), next: self.next }
    }
    /// Statements after `reserved` variables that are already taken.
    pub fn after(reserved: usize) -> Self {
        Self { stmts: Vec::new(), next: reserved }
    }
    /// A variable that is not taken.
    fn var(&mut self) -> IndexVar {
        self.next += 1;
        IndexVar(self.next - 1)
    }
    /// Names an index, unless it is as short as a name.
    pub fn let_(&mut self, value: impl Into<Ix>) -> Ix {
        let value = value.into();
        if !matches!(value, Ix::Op(..) | Ix::BitRev { .. } | Ix::Bits { .. }) {
            return value;
        }
        let var = self.var();
        self.stmts.push(Stmt::Let { var, value });
        Ix::Var(var)
    }
    /// Reads an element.
    pub fn load(&mut self, dst: Reg, from: ElementPlace) {
        self.stmts.push(Stmt::Load { dst, from });
    }
    /// Writes an element.
    pub fn store(&mut self, to: ElementPlace, src: Reg) {
        self.stmts.push(Stmt::Store { to, src });
    }
    /// Calls a field function.
    pub fn call(&mut self, role: Role, dst: Reg, a: Reg, b: Reg) {
        self.stmts.push(Stmt::Call { role, dst, a, b });
    }
    /// Copies a register.
    pub fn copy(&mut self, dst: Reg, src: Reg) {
        self.stmts.push(Stmt::Copy { dst, src });
    }
    /// `dst = zero` where `test` is zero, `other` elsewhere.
    pub fn choose(&mut self, dst: Reg, test: Reg, zero: Reg, other: Reg) {
        self.stmts.push(Stmt::Choose { dst, test, zero, other });
    }
    /// A loop; the closure writes its body.
    pub fn for_(&mut self, from: impl Into<Ix>, to: impl Into<Ix>, write: impl FnOnce(&mut Body, Ix)) {
        let (from, to) = (from.into(), to.into());
        if let (Ix::Const(a), Ix::Const(b)) = (&from, &to)
            && a >= b
        {
            return;
        }
        let mut inner = self.inner();
        let var = inner.var();
        write(&mut inner, Ix::Var(var));
        self.stmts.push(Stmt::For { var, from, to, body: inner.stmts });
    }
    /// A guard; the closure writes what it guards.
    pub fn when(&mut self, left: impl Into<Ix>, right: impl Into<Ix>, write: impl FnOnce(&mut Body)) {
        let (left, right) = (left.into(), right.into());
        if let (Ix::Const(a), Ix::Const(b)) = (&left, &right) {
            if a < b {
                write(self);
            }
            return;
        }
        let mut inner = self.inner();
        write(&mut inner);
        self.stmts.push(Stmt::When { left, right, body: inner.stmts });
    }
    /// The statements as a phase.
    pub fn phase(self) -> Node {
        Node::Phase(self.stmts)
    }
}
