//! Vector arithmetic: `out = a + b`, `a - b`, `a b`, and `out = s a + b` (axpy), the four operations of the paper's
//! section 5.2.
//!
//! Elements are in the representation of the field functions: under Montgomery reduction the product of a vector in
//! Montgomery form and another vector is in the form of the other one.

use super::lang::{
    Access, ArrayKernel, Body, Buffer, BufferKind, Element, ElementPlace, Ix, Launch, Reg, Role,
};

/// A vector operation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BlasOp {
    /// `out = a + b`
    Vadd,
    /// `out = a - b`
    Vsub,
    /// `out = a b`, element by element
    Vmul,
    /// `out = s a + b` for one element `s`
    Axpy,
}

impl BlasOp {
    /// All vector operations.
    pub const ALL: [Self; 4] = [Self::Vadd, Self::Vsub, Self::Vmul, Self::Axpy];

    /// The name on the command line and in printed text.
    pub fn name(self) -> &'static str {
        match self {
            Self::Vadd => "vadd",
            Self::Vsub => "vsub",
            Self::Vmul => "vmul",
            Self::Axpy => "axpy",
        }
    }

    /// Number of elements that are read and written per element of output, without the scalar of axpy.
    pub fn elements_moved(self) -> usize {
        3
    }

    fn about(self) -> &'static str {
        match self {
            Self::Vadd => "out[i] = a[i] + b[i] mod q",
            Self::Vsub => "out[i] = a[i] - b[i] mod q",
            Self::Vmul => "out[i] = a[i] b[i] mod q",
            Self::Axpy => "out[i] = s[0] a[i] + b[i] mod q",
        }
    }
}

/// The buffers of an operation: `out, a, b` and, for axpy, the scalar `s`.
fn buffers(op: BlasOp) -> Vec<Buffer> {
    let mut all = vec![Buffer::output("out"), Buffer::input("a"), Buffer::input("b")];
    if op == BlasOp::Axpy {
        all.push(Buffer::new("s", Access::Read, BufferKind::Uniform));
    }
    all
}

const A: Reg = Reg(0);
const B: Reg = Reg(1);
const S: Reg = Reg(2);

/// Loads element `at` of both vectors.
fn load(body: &mut Body, at: &Ix, a: Reg, b: Reg) {
    body.load(a, ElementPlace::global(1, at.clone()));
    body.load(b, ElementPlace::global(2, at.clone()));
}

fn compute(body: &mut Body, op: BlasOp, a: Reg, b: Reg, s: Reg) {
    match op {
        BlasOp::Vadd => body.call(Role::Add, a, a, b),
        BlasOp::Vsub => body.call(Role::Sub, a, a, b),
        BlasOp::Vmul => body.call(Role::Mul, a, a, b),
        BlasOp::Axpy => {
            body.call(Role::Mul, a, a, s);
            body.call(Role::Add, a, a, b);
        }
    }
}

/// The host kernel `NAME(n, out, a, b[, s], constants)`: a loop over `n` elements. `out` overlaps no input.
pub fn host(op: BlasOp, element: Element) -> ArrayKernel {
    let mut body = Body::default();
    if op == BlasOp::Axpy {
        body.load(S, ElementPlace::global(3, 0));
    }
    body.for_(0, Ix::Scalar(0), |body, i| {
        load(body, &i, A, B);
        compute(body, op, A, B, S);
        body.store(ElementPlace::global(0, i), A);
    });
    ArrayKernel {
        name: op.name().to_owned(),
        about: op.about().to_owned(),
        element,
        scalars: vec!["n"],
        buffers: buffers(op),
        registers: 3,
        launch: None,
        body: vec![body.phase()],
    }
}

/// The launch of a vector kernel on a device. Both numbers are rounded up to powers of two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlasTuning {
    /// Threads per block.
    pub threads: u32,
    /// Elements per thread, all loaded before the first is used.
    pub per_thread: u32,
}

impl BlasTuning {
    /// The default for a width: 64 bytes of each operand in flight per thread, four elements at most.
    pub fn for_element(element: Element) -> Self {
        let per_thread = (64 / element.bytes().max(1)).clamp(1, 4);
        Self { threads: 256, per_thread: 1 << per_thread.ilog2() }
    }
}

impl Default for BlasTuning {
    fn default() -> Self {
        Self { threads: 256, per_thread: 2 }
    }
}

/// The device kernel `NAME(n, out, a, b[, s], constants)` for `n` up to 2^31. Neighbouring threads work on neighbouring
/// elements. `out` overlaps no input.
pub fn device(op: BlasOp, element: Element, tuning: BlasTuning) -> ArrayKernel {
    let threads = tuning.threads.max(1).next_power_of_two();
    let per_thread = tuning.per_thread.max(1).next_power_of_two() as usize;
    let per_block = u64::from(threads) * per_thread as u64;
    let mut body = Body::default();
    let s = Reg(2 * per_thread);
    if op == BlasOp::Axpy {
        body.load(s, ElementPlace::global(3, 0));
    }
    let first = body.let_(Ix::Block * per_block + Ix::Thread);
    let at: Vec<Ix> =
        (0..per_thread as u64).map(|e| body.let_(first.clone() + e * u64::from(threads))).collect();
    // Beyond the end the last element is read again, so that there is no branch between the loads.
    for (e, at) in at.iter().enumerate() {
        let inside = body.let_(at.clone().min(Ix::Scalar(0) - 1));
        load(&mut body, &inside, Reg(2 * e), Reg(2 * e + 1));
    }
    for (e, at) in at.into_iter().enumerate() {
        compute(&mut body, op, Reg(2 * e), Reg(2 * e + 1), s);
        body.when(at.clone(), Ix::Scalar(0), |body| body.store(ElementPlace::global(0, at), Reg(2 * e)));
    }
    ArrayKernel {
        name: op.name().to_owned(),
        about: op.about().to_owned(),
        element,
        scalars: vec!["n"],
        buffers: buffers(op),
        registers: 2 * per_thread + 1,
        launch: Some(Launch::over_elements(threads, per_block)),
        body: vec![body.phase()],
    }
}
