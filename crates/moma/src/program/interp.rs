//! Runs array programs on big integers, thread by thread, and checks every access: indices are in range, nothing is
//! read that was not written, and no two threads access one slot of shared memory between two barriers (or one element
//! of an output in the whole run) if one of them writes. A program that passes here has the same results on any machine
//! that respects its barriers.

use num_bigint::BigUint;
use num_traits::Zero;

use super::lang::{
    Access, ArrayKernel, BufferKind, ElementPlace, IndexVar, Ix, IxOp, Node, Reg, Role, Stmt, apply,
    reverse_bits,
};
use crate::MomaError;

/// The semantics of the field functions: modulus and factor of products.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldRule {
    /// The modulus of the field.
    pub modulus: BigUint,
    /// A product is `a b factor mod q`: 1 for Barrett, the inverse of `R` for Montgomery.
    pub factor: BigUint,
}

impl FieldRule {
    /// Products `a b mod q`, without a Montgomery factor.
    pub fn plain(modulus: &BigUint) -> Self {
        Self { modulus: modulus.clone(), factor: BigUint::from(1u32) }
    }

    /// Montgomery products with `R = 2^bits`.
    ///
    /// # Errors
    /// [`MomaError::EvenModulus`] if `2^bits` has no inverse modulo the modulus.
    pub fn montgomery(modulus: &BigUint, bits: u64) -> Result<Self, MomaError> {
        let r = BigUint::from(1u32) << bits;
        let factor = r.modinv(modulus).ok_or(MomaError::EvenModulus)?;
        Ok(Self { modulus: modulus.clone(), factor })
    }

    /// The integer that represents the element one.
    pub fn one(&self) -> BigUint {
        self.factor.modinv(&self.modulus).unwrap_or_default()
    }

    /// The result of a field function.
    pub fn call(&self, role: Role, a: &BigUint, b: &BigUint) -> BigUint {
        let q = &self.modulus;
        match role {
            Role::Add => (a + b) % q,
            Role::Sub => (a + q - b) % q,
            Role::Mul => a * b % q * &self.factor % q,
            Role::Sqr => a * a % q * &self.factor % q,
        }
    }
}

/// The argument for a buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Data {
    /// Elements; `None` for those that have not been written.
    Elements(Vec<Option<BigUint>>),
    /// An integer that is read bit by bit.
    Bits(BigUint),
}

impl Data {
    /// A buffer with the given elements, all written.
    pub fn of(elements: &[BigUint]) -> Self {
        Self::Elements(elements.iter().cloned().map(Some).collect())
    }
    /// A buffer of `len` elements that have not been written.
    pub fn unset(len: usize) -> Self {
        Self::Elements(vec![None; len])
    }
    /// The elements, if all of them have been written.
    pub fn elements(&self) -> Option<Vec<BigUint>> {
        match self {
            Self::Elements(elements) => elements.iter().cloned().collect(),
            Self::Bits(_) => None,
        }
    }
}

/// The threads that have accessed a location: none, one, or several.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Who {
    Nobody,
    One(u64),
    Many,
}

impl Who {
    fn and(self, thread: u64) -> Self {
        match self {
            Self::Nobody => Self::One(thread),
            Self::One(other) if other == thread => self,
            _ => Self::Many,
        }
    }
    fn only(self, thread: u64) -> bool {
        matches!(self, Self::Nobody) || self == Self::One(thread)
    }
}

#[derive(Clone, Copy)]
struct Touched {
    read: Who,
    written: Who,
}

const UNTOUCHED: Touched = Touched { read: Who::Nobody, written: Who::Nobody };

impl Touched {
    fn read(&mut self, thread: u64) -> Result<(), MomaError> {
        self.read = self.read.and(thread);
        if self.written.only(thread) { Ok(()) } else { Err(MomaError::Race) }
    }
    fn write(&mut self, thread: u64) -> Result<(), MomaError> {
        self.written = self.written.and(thread);
        if self.written.only(thread) && self.read.only(thread) { Ok(()) } else { Err(MomaError::Race) }
    }
}

/// One access to shared memory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SharedAccess {
    /// Number of the block.
    pub block: u64,
    /// Number of phases that the block has completed before.
    pub phase: u64,
    /// Number of accesses that the thread has made before in this phase. Threads of a warp that execute the same
    /// statements make the accesses with the same number together.
    pub number: u64,
    /// Number of the thread within its block.
    pub thread: u64,
    /// Number of the slot in the shared memory of the block.
    pub slot: u64,
}

/// Runs a kernel on scalars and buffers, which hold the results afterwards.
///
/// # Errors
/// [`MomaError::Arguments`] for scalars or buffers that do not fit the kernel; [`MomaError::Index`],
/// [`MomaError::Unset`] and [`MomaError::Race`] for a program that is wrong.
pub fn run(
    kernel: &ArrayKernel,
    field: &FieldRule,
    scalars: &[u64],
    buffers: &mut [Data],
) -> Result<(), MomaError> {
    run_watched(kernel, field, scalars, buffers, &mut |_| {})
}

/// Runs a kernel and reports its accesses to shared memory to `watch`, thread after thread, phase after phase.
///
/// # Errors
/// As [`run`].
pub fn run_watched(
    kernel: &ArrayKernel,
    field: &FieldRule,
    scalars: &[u64],
    buffers: &mut [Data],
    watch: &mut dyn FnMut(SharedAccess),
) -> Result<(), MomaError> {
    let fits = scalars.len() == kernel.scalars.len()
        && buffers.len() == kernel.buffers.len()
        && kernel
            .buffers
            .iter()
            .zip(buffers.iter())
            .all(|(buffer, data)| matches!(data, Data::Bits(_)) == (buffer.kind == BufferKind::Bits));
    if !fits {
        return Err(MomaError::Arguments { kernel: kernel.name.clone() });
    }
    let touched = buffers
        .iter()
        .zip(&kernel.buffers)
        .map(|(data, buffer)| match data {
            Data::Elements(all) if buffer.access == Access::Write => vec![UNTOUCHED; all.len()],
            _ => Vec::new(),
        })
        .collect();
    let (threads, shared) =
        kernel.launch.as_ref().map_or((1, 0), |l| (u64::from(l.threads) * u64::from(l.cluster), l.shared));
    let blocks = match &kernel.launch {
        None => 1,
        Some(launch) => kernel.grid(scalars).ok_or(MomaError::Index)? / u64::from(launch.cluster),
    };
    let mut state = State {
        field,
        scalars,
        buffers,
        touched,
        threads,
        block: 0,
        vars: Vec::new(),
        registers: Vec::new(),
        shared: Vec::new(),
        shared_touched: Vec::new(),
        phase: 0,
        number: 0,
        watch,
    };
    for block in 0..blocks {
        (state.block, state.phase) = (block, 0);
        state.vars = vec![0; 64];
        state.registers = vec![vec![None; kernel.registers]; threads as usize];
        state.shared = vec![None; shared as usize];
        state.nodes(&kernel.body)?;
    }
    Ok(())
}

struct State<'a> {
    field: &'a FieldRule,
    scalars: &'a [u64],
    buffers: &'a mut [Data],
    touched: Vec<Vec<Touched>>,
    threads: u64,
    block: u64,
    vars: Vec<u64>,
    registers: Vec<Vec<Option<BigUint>>>,
    shared: Vec<Option<BigUint>>,
    shared_touched: Vec<Touched>,
    phase: u64,
    number: u64,
    watch: &'a mut dyn FnMut(SharedAccess),
}

impl State<'_> {
    fn nodes(&mut self, nodes: &[Node]) -> Result<(), MomaError> {
        for node in nodes {
            match node {
                Node::Phase(body) => {
                    self.shared_touched = vec![UNTOUCHED; self.shared.len()];
                    for thread in 0..self.threads {
                        self.number = 0;
                        self.stmts(body, thread)?;
                    }
                    self.phase += 1;
                }
                Node::Repeat { var, count, body } => {
                    for value in 0..*count {
                        self.set(*var, value)?;
                        self.nodes(body)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn stmts(&mut self, body: &[Stmt], thread: u64) -> Result<(), MomaError> {
        for stmt in body {
            match stmt {
                Stmt::Let { var, value } => {
                    let value = self.ix(value, thread)?;
                    self.set(*var, value)?;
                }
                Stmt::Load { dst, from } => {
                    let value = self.fetch(from, thread)?;
                    self.put(*dst, thread, value)?;
                }
                Stmt::Store { to, src } => {
                    let value = self.get(*src, thread)?.clone();
                    self.deposit(to, thread, value)?;
                }
                Stmt::Call { role, dst, a, b } => {
                    let b = if *role == Role::Sqr { a } else { b };
                    let value = self.field.call(*role, self.get(*a, thread)?, self.get(*b, thread)?);
                    self.put(*dst, thread, value)?;
                }
                Stmt::Copy { dst, src } => {
                    let value = self.get(*src, thread)?.clone();
                    self.put(*dst, thread, value)?;
                }
                Stmt::Choose { dst, test, zero, other } => {
                    let (zero, other) = (self.get(*zero, thread)?, self.get(*other, thread)?);
                    let chosen = if self.get(*test, thread)?.is_zero() { zero } else { other }.clone();
                    self.put(*dst, thread, chosen)?;
                }
                Stmt::For { var, from, to, body } => {
                    for value in self.ix(from, thread)?..self.ix(to, thread)? {
                        self.set(*var, value)?;
                        self.stmts(body, thread)?;
                    }
                }
                Stmt::When { left, right, body } => {
                    if self.ix(left, thread)? < self.ix(right, thread)? {
                        self.stmts(body, thread)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn set(&mut self, var: IndexVar, value: u64) -> Result<(), MomaError> {
        if var.0 >= self.vars.len() {
            self.vars.resize(var.0 + 1, 0);
        }
        self.vars[var.0] = value;
        Ok(())
    }

    fn get(&self, reg: Reg, thread: u64) -> Result<&BigUint, MomaError> {
        self.registers[thread as usize].get(reg.0).ok_or(MomaError::Index)?.as_ref().ok_or(MomaError::Unset)
    }

    fn put(&mut self, reg: Reg, thread: u64, value: BigUint) -> Result<(), MomaError> {
        *self.registers[thread as usize].get_mut(reg.0).ok_or(MomaError::Index)? = Some(value);
        Ok(())
    }

    fn global(&self, base: &Ix, stride: u64, at: &Ix, thread: u64) -> Result<usize, MomaError> {
        let base = self.ix(base, thread)?.checked_mul(stride).ok_or(MomaError::Index)?;
        let at = base.checked_add(self.ix(at, thread)?).ok_or(MomaError::Index)?;
        usize::try_from(at).map_err(|_| MomaError::Index)
    }

    fn slot(&mut self, slot: &Ix, thread: u64) -> Result<usize, MomaError> {
        let slot = self.ix(slot, thread)?;
        let (block, phase, number) = (self.block, self.phase, self.number);
        (self.watch)(SharedAccess { block, phase, number, thread, slot });
        self.number += 1;
        usize::try_from(slot).map_err(|_| MomaError::Index)
    }

    fn fetch(&mut self, place: &ElementPlace, thread: u64) -> Result<BigUint, MomaError> {
        match place {
            ElementPlace::Shared(slot) => {
                let slot = self.slot(slot, thread)?;
                self.shared_touched.get_mut(slot).ok_or(MomaError::Index)?.read(thread)?;
                self.shared[slot].clone().ok_or(MomaError::Unset)
            }
            ElementPlace::Global { buffer, base, stride, at } => {
                let at = self.global(base, *stride, at, thread)?;
                let who = self.block * self.threads + thread;
                if let Some(touched) = self.touched[*buffer].get_mut(at) {
                    touched.read(who)?;
                }
                let Data::Elements(all) = &self.buffers[*buffer] else { return Err(MomaError::Index) };
                all.get(at).ok_or(MomaError::Index)?.clone().ok_or(MomaError::Unset)
            }
        }
    }

    fn deposit(&mut self, place: &ElementPlace, thread: u64, value: BigUint) -> Result<(), MomaError> {
        match place {
            ElementPlace::Shared(slot) => {
                let slot = self.slot(slot, thread)?;
                self.shared_touched.get_mut(slot).ok_or(MomaError::Index)?.write(thread)?;
                self.shared[slot] = Some(value);
            }
            ElementPlace::Global { buffer, base, stride, at } => {
                let at = self.global(base, *stride, at, thread)?;
                let who = self.block * self.threads + thread;
                // A buffer that is only read has no records of accesses, so a store to it is an index error.
                self.touched[*buffer].get_mut(at).ok_or(MomaError::Index)?.write(who)?;
                let Data::Elements(all) = &mut self.buffers[*buffer] else { return Err(MomaError::Index) };
                all[at] = Some(value);
            }
        }
        Ok(())
    }

    fn ix(&self, ix: &Ix, thread: u64) -> Result<u64, MomaError> {
        Ok(match ix {
            Ix::Const(value) => *value,
            Ix::Thread => thread,
            Ix::Block => self.block,
            Ix::Scalar(at) => *self.scalars.get(*at).ok_or(MomaError::Index)?,
            Ix::Var(var) => *self.vars.get(var.0).ok_or(MomaError::Index)?,
            Ix::Op(op, a, b) => {
                let (a, b) = (self.ix(a, thread)?, self.ix(b, thread)?);
                // Device kernels compute indices in words of 32 bits, in which a shift by 32 is undefined.
                if matches!(op, IxOp::Shl | IxOp::Shr) && b > 31 {
                    return Err(MomaError::Index);
                }
                apply(*op, a, b).ok_or(MomaError::Index)?
            }
            Ix::BitRev { value, bits } => {
                let (value, bits) = (self.ix(value, thread)?, self.ix(bits, thread)?);
                if bits > 31 || value >> bits != 0 {
                    return Err(MomaError::Index);
                }
                reverse_bits(value, bits)
            }
            Ix::Bits { buffer, at, width } => {
                let at = self.ix(at, thread)?;
                let Some(Data::Bits(number)) = self.buffers.get(*buffer) else {
                    return Err(MomaError::Index);
                };
                (0..u64::from(*width)).map(|i| u64::from(number.bit(at + i)) << i).sum()
            }
        })
    }
}
