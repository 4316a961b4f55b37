//! The language of array programs.
//!
//! A kernel is a list of [`Node`]s. A *device* kernel (one with a [`Launch`]) runs in blocks of threads, with a barrier
//! between two phases. Index variables are defined within one phase; element registers keep their values across phases.
//! A *host* kernel has no launch: it runs once, its phases one after the other.
//!
//! Constant sizes are folded while a program is built, so the operators on [`Ix`] read as formulas and the printed text
//! has no constant subexpressions.

use core::ops::{Add, BitAnd, BitOr, BitXor, Mul, Shl, Shr, Sub};

/// The layout of the elements of a kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Element {
    /// Width of a word in bits: 32 or 64. Digits of 52 bits are stored in words of 64.
    pub word_bits: u32,
    /// Number of words (or digits) of an element.
    pub words: usize,
}

impl Element {
    /// Size of an element in a buffer, in bytes.
    pub fn bytes(self) -> usize {
        self.words * self.word_bits as usize / 8
    }
    /// The number of words moved by one access: the largest of 1, 2, 4 with at most 16 bytes that divides the element.
    /// Shared memory is laid out in slices of this many words, slice-major, so that neighbouring slots lie in different
    /// banks.
    pub fn slice_words(self) -> usize {
        let most = 128 / self.word_bits as usize;
        [4, 2, 1].into_iter().find(|s| *s <= most && self.words.is_multiple_of(*s)).unwrap_or(1)
    }
    /// log2 of the number of slots whose slices fill the 128 bytes that shared memory serves in one access.
    pub fn bank_bits(self) -> u32 {
        (128 / (self.slice_words() * self.word_bits as usize / 8)).ilog2()
    }
}

/// An element register of a thread, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Reg(pub usize);

/// An index variable, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct IndexVar(pub usize);

/// The field functions that a program may call, all on canonical representatives, that is in `[0, q)`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Role {
    /// `a + b mod q`
    Add,
    /// `a - b mod q`
    Sub,
    /// The product under the reduction in use: `a b mod q` (Barrett) or `a b / R mod q` (Montgomery).
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

/// Operations on indices. They do not wrap: a program whose index would become negative is wrong, and the interpreter
/// reports it.
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

/// An index expression: an unsigned integer, below 2^32 in device kernels and of the machine's size in host kernels.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ix {
    /// A constant number.
    Const(u64),
    /// The number of the thread within its block.
    Thread,
    /// The number of the block within the grid.
    Block,
    /// A scalar argument, by its index.
    Scalar(usize),
    /// An index variable.
    Var(IndexVar),
    /// An operation on two indices.
    Op(IxOp, Box<Ix>, Box<Ix>),
    /// `value` with its lowest `bits` bits in reversed order, for at most 31 bits.
    BitRev {
        /// The value to reverse; below `2^bits`.
        value: Box<Ix>,
        /// Number of bits.
        bits: Box<Ix>,
    },
    /// `width` bits, from bit `at`, of an integer that a buffer of kind [`BufferKind::Bits`] holds.
    Bits {
        /// Index of the buffer.
        buffer: usize,
        /// Index of the lowest of the bits; a multiple of `width`.
        at: Box<Ix>,
        /// Number of bits; a power of two, at most 8.
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
    /// An operation, folded if operands are constant or neutral.
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

    /// The smaller of two indices.
    pub fn min(self, other: impl Into<Ix>) -> Ix {
        Self::op(IxOp::Min, self, other.into())
    }

    /// The index modulo `2^bits`.
    pub fn low_bits(self, bits: u32) -> Ix {
        self & ((1u64 << bits) - 1)
    }

    /// The index with its lowest `bits` bits in reversed order; it must have no other bits.
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

/// A value with its lowest `bits` bits in reversed order; the other bits are dropped.
pub fn reverse_bits(value: u64, bits: u64) -> u64 {
    if bits == 0 { 0 } else { value.reverse_bits() >> (64 - bits.min(64)) }
}

/// The result of an operation, if it is a number of 64 bits and the shift is below 64.
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

/// The location of an element: in a buffer or in shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ElementPlace {
    /// Element `base * stride + at` of a buffer. Both terms are indices; their sum may exceed 2^32.
    Global {
        /// Index of the buffer.
        buffer: usize,
        /// Number of strides from the start of the buffer.
        base: Ix,
        /// The stride in elements.
        stride: u64,
        /// Index from there, in elements.
        at: Ix,
    },
    /// A slot of the block's shared memory, which holds one element.
    Shared(Ix),
}

impl ElementPlace {
    /// Element `at` of a buffer.
    pub fn global(buffer: usize, at: impl Into<Ix>) -> Self {
        Self::Global { buffer, base: Ix::Const(0), stride: 0, at: at.into() }
    }
}

/// A statement that each thread executes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stmt {
    /// Defines an index variable for the rest of the enclosing list of statements.
    Let {
        /// The variable that is defined.
        var: IndexVar,
        /// The value of the variable.
        value: Ix,
    },
    /// Loads an element into a register.
    Load {
        /// The register that is written.
        dst: Reg,
        /// The location that is read.
        from: ElementPlace,
    },
    /// Stores an element from a register.
    Store {
        /// The location that is written.
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
        /// The register that is compared with zero.
        test: Reg,
        /// The register that is copied where `test` is zero.
        zero: Reg,
        /// The register that is copied where `test` is not zero.
        other: Reg,
    },
    /// Repeats statements for `from <= var < to`.
    For {
        /// The loop variable.
        var: IndexVar,
        /// The first value of the variable.
        from: Ix,
        /// The end of the range, excluded.
        to: Ix,
        /// The statements of the loop.
        body: Vec<Stmt>,
    },
    /// Runs statements where `left < right`.
    When {
        /// The left side of the comparison.
        left: Ix,
        /// The right side of the comparison.
        right: Ix,
        /// The guarded statements.
        body: Vec<Stmt>,
    },
}

/// A phase of a kernel, or a loop over phases.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Node {
    /// The statements that all threads execute before the next barrier.
    Phase(Vec<Stmt>),
    /// Phases repeated for `0 <= var < count` by all threads of a block together. The body may use `var`.
    Repeat {
        /// The loop variable.
        var: IndexVar,
        /// Number of repetitions.
        count: u64,
        /// The phases of the loop.
        body: Vec<Node>,
    },
}

/// Whether a kernel reads or writes a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Access {
    /// The kernel only reads the buffer, which overlaps no other buffer.
    Read,
    /// The kernel writes the buffer, and may read what it has written or what was there before.
    Write,
}

/// The contents and the layout of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BufferKind {
    /// Elements; on a machine with lanes, blocks of one element per lane, word-major.
    Elements,
    /// Single elements that are the same for all lanes: twiddles, a scalar.
    Uniform,
    /// One element that a launch passes by value, so that it need not be copied to a device before; on the host a
    /// pointer to it.
    Value,
    /// One integer in words of the target, lowest word first, such as an exponent.
    Bits,
}

/// A pointer argument of a kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    /// The name of the parameter in printed text.
    pub name: &'static str,
    /// Whether the kernel reads or writes it.
    pub access: Access,
    /// Its contents and layout.
    pub kind: BufferKind,
}

impl Buffer {
    /// A buffer with the given name, access and kind.
    pub const fn new(name: &'static str, access: Access, kind: BufferKind) -> Self {
        Self { name, access, kind }
    }
    /// A buffer of elements that the kernel reads.
    pub const fn input(name: &'static str) -> Self {
        Self::new(name, Access::Read, BufferKind::Elements)
    }
    /// A buffer of elements that the kernel writes.
    pub const fn output(name: &'static str) -> Self {
        Self::new(name, Access::Write, BufferKind::Elements)
    }
}

/// The launch of a device kernel: threads, blocks, clusters and shared memory.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Launch {
    /// Threads per block; a power of two.
    pub threads: u32,
    /// Number of blocks that a multiprocessor should hold at a time, a hint for the compiler's allocation of registers.
    pub resident: u32,
    /// Hardware blocks per thread-block cluster; the blocks of a cluster form one block of the program and share their
    /// memory. 1 for no clusters.
    pub cluster: u32,
    /// Number of slots of shared memory, one element each, over all blocks of a cluster.
    pub shared: u64,
    /// Number of blocks of the program in the grid, as a function of the scalars.
    pub blocks: Ix,
}

impl Launch {
    /// A launch of blocks without clusters and shared memory, with one resident block per multiprocessor asked for.
    pub fn of(threads: u32, blocks: Ix) -> Self {
        Self { threads, resident: 1, cluster: 1, shared: 0, blocks }
    }
    /// A launch whose first scalar counts elements: as many blocks as are needed for `per_block` elements each, a power
    /// of two.
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
    /// A description of the result, for the comment above the function.
    pub about: String,
    /// The layout of the elements.
    pub element: Element,
    /// Names of the scalar arguments.
    pub scalars: Vec<&'static str>,
    /// The buffers in the order of the arguments of the function.
    pub buffers: Vec<Buffer>,
    /// Number of element registers of a thread.
    pub registers: usize,
    /// The launch of a device kernel; `None` for a host kernel.
    pub launch: Option<Launch>,
    /// The phases of the kernel.
    pub body: Vec<Node>,
}

impl ArrayKernel {
    /// The shared memory that a hardware block needs, in bytes.
    pub fn shared_bytes(&self) -> u64 {
        let Some(launch) = &self.launch else { return 0 };
        launch.shared / u64::from(launch.cluster.max(1)) * self.element.bytes() as u64
    }

    /// The number of hardware blocks of the grid for these scalars; `None` for a host kernel or on overflow.
    pub fn grid(&self, scalars: &[u64]) -> Option<u64> {
        let launch = self.launch.as_ref()?;
        constant(&launch.blocks, scalars)?.checked_mul(u64::from(launch.cluster))
    }

    /// The number of calls of each field function by one thread, with every guard counted as true and every loop of
    /// variable length as one turn.
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

/// A builder of a list of statements, which numbers its index variables.
#[derive(Debug, Default)]
pub struct Body {
    /// The statements so far.
    pub stmts: Vec<Stmt>,
    next: usize,
}

impl Body {
    /// An empty list for statements nested in this one: its variables are numbered on from here.
    pub fn inner(&self) -> Self {
        Self { stmts: Vec::new(), next: self.next }
    }
    /// An empty list whose first `reserved` variables are already in use.
    pub fn after(reserved: usize) -> Self {
        Self { stmts: Vec::new(), next: reserved }
    }
    /// The next unused variable.
    fn var(&mut self) -> IndexVar {
        self.next += 1;
        IndexVar(self.next - 1)
    }
    /// Defines a variable for an index expression; constants, variables and scalars are returned as they are.
    pub fn let_(&mut self, value: impl Into<Ix>) -> Ix {
        let value = value.into();
        if !matches!(value, Ix::Op(..) | Ix::BitRev { .. } | Ix::Bits { .. }) {
            return value;
        }
        let var = self.var();
        self.stmts.push(Stmt::Let { var, value });
        Ix::Var(var)
    }
    /// Appends a load of an element into a register.
    pub fn load(&mut self, dst: Reg, from: ElementPlace) {
        self.stmts.push(Stmt::Load { dst, from });
    }
    /// Appends a store of an element from a register.
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
    /// A loop over `from <= i < to`; the closure gets the index `i` and writes the body.
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
    /// A guard `left < right`; the closure writes the guarded statements.
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
    /// Makes a phase of the statements.
    pub fn phase(self) -> Node {
        Node::Phase(self.stmts)
    }
}
