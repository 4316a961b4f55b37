//! Jubjub on the datapath in its 256-bit mode; a program first selects the scalar field.
//!
//! Coordinates are elements of Fr, rows with a zero second coefficient; points are extended, `(U : V : Z : T)`. The
//! formulas are complete on the whole curve (eprint 2008/522).

use super::control::{one, zero};
use super::{Bank, Builder, Chain, Inputs, Region, RunError, Value, integer};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Graph, Options, Sym, Trace};
use pairwright_chip::isa::{Field as Mode, LoopReg};
use pairwright_curve::TwistedEdwards;
use pairwright_curve::formulas::{edwards_add, edwards_double};
use pairwright_curve::jubjub::{self, Fq, Jubjub, Point};
use pairwright_field::{Field, PrimeField, Quad, Ring};

/// Rows of the routines' operands.
mod at {
    /// The running point.
    pub(super) const ACC: u8 = 0;
    /// The other point.
    pub(super) const POINT: u8 = 4;
    /// Row of the constant `2·d`.
    pub(super) const TWICE_D: u8 = 8;
}

/// Window width in bits.
const WINDOW: u32 = 4;
/// Windows of a scalar of 252 bits.
const WINDOWS: u32 = 63;

fn row(x: Fq) -> Value<Fq> {
    Quad::new(x, Fq::ZERO)
}

/// The routines: the running point is updated in place, the other point is not changed.
fn routines() -> [(&'static str, Graph); 3] {
    let double = Trace::graph(|t| {
        t.reserve(at::POINT..at::TWICE_D + 1);
        let [x, y, z, _] = t.inputs("acc", at::ACC);
        t.outputs("acc", at::ACC, edwards_double([x, y, z]));
    });
    let add = Trace::graph(|t| {
        let (p, q) = (t.inputs("acc", at::ACC), t.kept("point", at::POINT));
        let [d] = t.kept("d", at::TWICE_D);
        t.outputs("acc", at::ACC, edwards_add(p, q, |x: Sym| x * d.clone()));
    });
    let affine = Trace::graph(|t| {
        use pairwright_chip::compiler::Fp2;
        let [x, y, z, _] = t.inputs("acc", at::ACC);
        let inverse = z.inv_fp();
        t.outputs("affine", at::ACC, [x * inverse.clone(), y * inverse]);
    });
    [("jubjub_double", double), ("jubjub_add", add), ("jubjub_affine", affine)]
}

fn builder() -> Builder<Fq> {
    let mut b = Builder::new(routines());
    b.set_field(Mode::Fr);
    let d = b.shared(&[row(Jubjub::D.double())]);
    b.load(d, at::TWICE_D);
    b
}

fn close(mut b: Builder<Fq>, spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let result = b.region("result", 2);
    b.run("jubjub_affine");
    b.store(result, at::ACC);
    Ok(b.finish(spec, options)?.into())
}

/// The sum of two points. Regions: `p`, `q` (4 rows, extended); `result` (2 rows, affine).
///
/// # Errors
/// The program does not fit the machine.
pub fn addition(spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let mut b = builder();
    let (p, q) = (b.region("p", 4), b.region("q", 4));
    b.load(p, at::ACC);
    b.load(q, at::POINT);
    b.run("jubjub_add");
    close(b, spec, options)
}

/// Twice a point. Regions: `p` (4 rows, extended); `result` (2 rows, affine).
///
/// # Errors
/// The program does not fit the machine.
pub fn doubling(spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let mut b = builder();
    let p = b.region("p", 4);
    b.load(p, at::ACC);
    b.run("jubjub_double");
    close(b, spec, options)
}

/// `scalar·p` for any point of the curve, in constant time: windows of four bits, with an addition for every digit.
/// Regions: `p` (4 rows, extended), `scalar` (the integer's limbs); `result` (2 rows, affine).
///
/// # Errors
/// The program does not fit the machine.
pub fn multiplication(spec: &MachineSpec, options: &Options) -> Result<Chain<Fq>, CompileError> {
    let mut b = builder();
    let (p, scalar) = (b.region("p", 4), b.region("scalar", 1));
    let table = b.region("table", 4 << WINDOW);
    let entry = |d: u8| -> Region { table.part(4 * d, 4) };
    let neutral = b.shared(&[zero(), one(), one(), zero()]);
    b.load(neutral, at::ACC);
    b.store(entry(0), at::ACC);
    b.load(p, at::POINT);
    for d in 1..1 << WINDOW {
        b.run("jubjub_add");
        b.store(entry(d), at::ACC);
    }
    b.load(neutral, at::ACC);
    b.load_scan(LoopReg::I, scalar, (WINDOW * WINDOWS) as u16);
    let top = b.here();
    for _ in 0..WINDOW {
        b.run("jubjub_double");
    }
    b.digit(LoopReg::I, WINDOW, &mut |b, d| b.load(entry(d), at::POINT));
    b.run("jubjub_add");
    b.repeat(LoopReg::I, top, WINDOWS);
    close(b, spec, options)
}

/// A point as four rows, in extended coordinates.
pub fn point_rows(p: &Point) -> Vec<Value<Fq>> {
    let [u, v] = p.to_affine();
    [u, v, Fq::ONE, u * v].map(row).to_vec()
}

/// The input regions of [`addition`], or of [`doubling`] if there is no second point.
pub fn inputs(p: &Point, q: Option<&Point>) -> Inputs<Fq> {
    let first = ("p", point_rows(p));
    std::iter::once(first).chain(q.map(|q| ("q", point_rows(q)))).collect()
}

/// The input regions of [`multiplication`].
pub fn scalar_inputs(p: &Point, scalar: &jubjub::Fr) -> Inputs<Fq> {
    vec![("p", point_rows(p)), ("scalar", vec![integer(scalar.to_limbs())])]
}

/// The affine coordinates in the region `result`.
///
/// # Errors
/// The bank has no region `result`.
pub fn result(bank: &Bank<Fq>) -> Result<[Fq; 2], RunError> {
    Ok(bank.get::<2>("result")?.map(|row| row.c0))
}
