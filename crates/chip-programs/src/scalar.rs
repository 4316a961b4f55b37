//! Scalar multiplication in G1 and G2.

use super::points::{self, Group, Rows, at, homogeneous_rows, infinity};
use super::{Bank, Builder, Chain, Inputs, Region, RunError, integer};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{Fq, Fr};
use pairwright_field::PrimeField;

/// Window width of the constant-time multiplication, in bits.
const WINDOW: u32 = 4;
/// Number of windows of a scalar.
const WINDOWS: u32 = 64;
/// Rows of the table of small multiples.
pub(super) const TABLE: u8 = 3 << WINDOW;
/// Bit length of a scalar.
const BITS: u32 = Fr::BITS;

impl Builder<Fq> {
    /// Sets the running point to `scalar·point`, by windows of four bits with the small multiples in `table` ([`TABLE`]
    /// rows); a point is added for every digit, also for zero. The machine's time depends on neither input, but which
    /// table rows it reads depends on the scalar. Uses the scan register and the counter of `_i`.
    pub(super) fn mul_scalar(&mut self, group: Group, point: Region, scalar: Region, table: Region) {
        let (double, add) = (group.routine("double"), group.routine("add"));
        let infinity = self.shared(&infinity());
        let entry = |d: u8| table.part(3 * d, 3);
        self.load(infinity, at::ACC);
        self.store(entry(0), at::ACC);
        self.load(point, at::POINT);
        for d in 1..1 << WINDOW {
            self.run(&add);
            self.store(entry(d), at::ACC);
        }
        self.load(infinity, at::ACC);
        self.load_scan(LoopReg::I, scalar, (WINDOW * WINDOWS) as u16);
        let top = self.here();
        for _ in 0..WINDOW {
            self.run(&double);
        }
        self.digit(LoopReg::I, WINDOW, &mut |b, d| b.load(entry(d), at::POINT));
        self.run(&add);
        self.repeat(LoopReg::I, top, WINDOWS);
    }

    /// Sets the running point to `scalar·point`, bit by bit, without additions for zero bits. Uses the scan register
    /// and the counter of `_i`.
    fn mul_scalar_vartime(&mut self, group: Group, point: Region, scalar: Region) {
        let infinity = self.shared(&infinity());
        self.load(infinity, at::ACC);
        self.load(point, at::POINT);
        self.load_scan(LoopReg::I, scalar, BITS as u16);
        let top = self.here();
        self.run(&group.routine("double"));
        let skip = self.label();
        self.scan(LoopReg::I, skip);
        self.run(&group.routine("add"));
        self.bind(skip);
        self.repeat(LoopReg::I, top, BITS);
    }
}

/// `scalar·point` in constant time, for any point of the curve, including infinity.
///
/// Regions: `point` (3 rows, homogeneous), `scalar` (the integer's limbs); `result` (2 rows, affine, `(0, 0)` for
/// infinity).
///
/// # Errors
/// The program does not fit the machine.
pub fn multiplication(
    group: Group,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let mut b = Builder::new(points::routines(group));
    let (point, scalar) = (b.region("point", 3), b.region("scalar", 1));
    let (table, result) = (b.region("table", TABLE), b.region("result", 2));
    b.mul_scalar(group, point, scalar, table);
    b.run(&group.routine("affine"));
    b.store(result, at::ACC);
    Ok(b.finish(spec, options)?.into())
}

/// As [`multiplication`], but bit by bit; the time depends on the scalar.
///
/// # Errors
/// The program does not fit the machine.
pub fn multiplication_vartime(
    group: Group,
    spec: &MachineSpec,
    options: &Options,
) -> Result<Chain<Fq>, CompileError> {
    let mut b = Builder::new(points::routines(group));
    let (point, scalar) = (b.region("point", 3), b.region("scalar", 1));
    let result = b.region("result", 2);
    b.mul_scalar_vartime(group, point, scalar);
    b.run(&group.routine("affine"));
    b.store(result, at::ACC);
    Ok(b.finish(spec, options)?.into())
}

/// The input regions of [`multiplication`].
pub fn inputs<C: Rows>(point: &Affine<C>, scalar: &Fr) -> Inputs<Fq> {
    vec![("point", homogeneous_rows(point).to_vec()), ("scalar", vec![scalar_row(scalar)])]
}

/// The affine point in a region of two rows.
///
/// # Errors
/// The bank has no such region.
pub fn point<C: Rows>(bank: &Bank<Fq>, name: &str) -> Result<Affine<C>, RunError> {
    bank.get(name).map(points::affine)
}

/// A scalar as a row for a scan register.
pub(super) fn scalar_row(scalar: &Fr) -> super::Value<Fq> {
    let mut limbs = [0; 6];
    limbs[..4].copy_from_slice(&scalar.to_limbs());
    integer(limbs)
}
