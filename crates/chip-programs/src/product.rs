//! Products of pairings with one final exponentiation, and the verdict whether such a product equals one.

use super::control::{one, zero};
use super::fields::all_zero;
use super::pairing::{self, Pair};
use super::points::affine_rows;
use super::{Bank, Builder, Chain, Inputs, Region, RunError, Value, resident};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Graph, Trace, fp12};
use pairwright_chip::isa::LoopReg;
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq2, Fq12, G2};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine};
use pairwright_field::{Cubic, Quad};

/// Squarings in one routine of the final exponentiation, where other routines need the L2 memory too.
pub(super) const UNROLL: usize = 1;

/// The largest number of pairs of a product, limited by the fifteen rows of the global bank for each.
pub const MOST: usize = 10;

/// The routines of pairings, and one that compares six rows at 0 with six at 6: its result at 0 is zero exactly if they
/// are equal.
pub(super) fn routines() -> Vec<(String, Graph)> {
    let differ = Trace::graph(|t| {
        let (f, g) = (t.inputs::<6>("f", 0), t.inputs::<6>("g", 6));
        t.outputs("zero", 0, [all_zero(f.into_iter().zip(g).map(|(f, g)| f - g))]);
    });
    let named = |(name, graph): (&str, Graph)| (name.to_owned(), graph);
    resident::routines(UNROLL).into_iter().chain([("differ", differ)]).map(named).collect()
}

impl Builder<Fq> {
    /// Replaces the arguments of a pairing by (0, 0) and the generator if one of them is infinity, `(0, 0)`. Its lines
    /// are then nonzero factors in Fp2, and its pairing is one. The time depends on whether the arguments are infinity,
    /// and on leading zero bits of the sums of squares of their coordinates. Uses the scan register and the counter of
    /// `_i`.
    pub(super) fn neutralise_vartime(&mut self, pair: Pair) {
        let zeros = self.shared(&[zero(); 6]);
        let generator = self.shared(&affine_rows(&G2::GENERATOR));
        let check = self.scratch("check", 1);
        for argument in [pair.p, pair.q] {
            let finite = self.label();
            self.load(argument, 0);
            self.load(zeros.part(0, 4), 2);
            self.load(zeros, 6);
            self.run("differ");
            self.store(check, 0);
            self.unless_zero_vartime(LoopReg::I, check, finite);
            self.copy(zeros.part(0, 2), pair.p);
            self.copy(generator, pair.q);
            self.bind(finite);
        }
    }

    /// Computes the product of the pairings of these pairs into `result`. Any argument may be infinity; the regions of
    /// such pairs are overwritten.
    pub(super) fn pairings_vartime(&mut self, pairs: &[Pair], result: Region) {
        for pair in pairs {
            self.neutralise_vartime(*pair);
        }
        self.finite_pairings(pairs, result);
    }

    /// Computes the product of the pairings of these pairs into `result`. A first argument may be infinity, given as
    /// zeros: its lines are then factors in Fp2, which the final exponentiation maps to one. The time does not depend
    /// on the points.
    pub(super) fn finite_pairings(&mut self, pairs: &[Pair], result: Region) {
        pairing::miller(self, pairs);
        pairing::final_exponentiation(self, result, UNROLL);
    }

    /// Jumps to a label unless two elements of Fp12 are equal. The time depends on their difference.
    pub(super) fn unless_equal_vartime(&mut self, f: Region, g: Region, otherwise: super::Label) {
        let check = self.scratch("check", 1);
        self.load(f, 0);
        self.load(g, 6);
        self.run("differ");
        self.store(check, 0);
        self.unless_zero_vartime(LoopReg::I, check, otherwise);
    }

    /// Allocates the region `verdict`, initially zero.
    pub(super) fn verdict(&mut self) -> Region {
        self.constants("verdict", &[zero()])
    }

    /// Sets the verdict to one.
    pub(super) fn accept(&mut self, verdict: Region) {
        let one = self.shared(&[one()]);
        self.copy(one, verdict);
    }
}

/// A builder of a product with the regions of its arguments, `p0`, `q0` and so on.
///
/// # Errors
/// No pairs or more than [`MOST`].
fn begun(pairs: usize) -> Result<(Builder<Fq>, Vec<Pair>), CompileError> {
    if !(1..=MOST).contains(&pairs) {
        return Err(CompileError::Count { what: "pairs", found: pairs, most: MOST });
    }
    let mut b = Builder::new(routines());
    let pair = |i| Pair { p: b.region(&format!("p{i}"), 2), q: b.region(&format!("q{i}"), 2) };
    let pairs = (0..pairs).map(pair).collect();
    Ok((b, pairs))
}

/// The product of `pairs` pairings, with one final exponentiation, and whether it equals one. The time depends on the
/// arguments, mainly on which of them are infinity, and on the result.
///
/// Regions: `p0`, `q0`, … (2 rows each, affine, `(0, 0)` for infinity, in the subgroups); `result` (6 rows), `verdict`
/// (one or zero).
///
/// # Errors
/// No pairs or more than [`MOST`], or the program does not fit the machine.
pub fn product_vartime(
    pairs: usize,
    spec: &MachineSpec,
    options: &pairwright_chip::compiler::Options,
) -> Result<Chain<Fq>, CompileError> {
    let (mut b, pairs) = begun(pairs)?;
    let (result, verdict) = (b.region("result", 6), b.verdict());
    let one = b.shared(&pairing::ONE);
    let end = b.label();
    b.pairings_vartime(&pairs, result);
    b.unless_equal_vartime(result, one, end);
    b.accept(verdict);
    b.bind(end);
    Ok(b.finish(spec, options)?.into())
}

/// The product of `pairs` pairings of finite points, with one final exponentiation. The time depends only on their
/// number, so points of one side may be secret.
///
/// Regions: `p0`, `q0`, … (2 rows each, affine, in the subgroups, no `q` infinity); `result` (6 rows).
///
/// # Errors
/// No pairs or more than [`MOST`], or the program does not fit the machine.
pub fn finite_product(
    pairs: usize,
    spec: &MachineSpec,
    options: &pairwright_chip::compiler::Options,
) -> Result<Chain<Fq>, CompileError> {
    let (mut b, pairs) = begun(pairs)?;
    let result = b.region("result", 6);
    b.finite_pairings(&pairs, result);
    Ok(b.finish(spec, options)?.into())
}

/// Names of the regions of a product's arguments.
const NAMES: [[&str; 2]; MOST] = [
    ["p0", "q0"],
    ["p1", "q1"],
    ["p2", "q2"],
    ["p3", "q3"],
    ["p4", "q4"],
    ["p5", "q5"],
    ["p6", "q6"],
    ["p7", "q7"],
    ["p8", "q8"],
    ["p9", "q9"],
];

/// What [`product_vartime`] and [`finite_product`] take: at most [`MOST`] pairs.
pub fn inputs(pairs: &[(G1Affine<Bls12_381>, G2Affine<Bls12_381>)]) -> Inputs<Fq> {
    let both = |([p, q], (a, b)): ([&'static str; 2], &(Affine<_>, Affine<_>))| {
        [(p, affine_rows(a).to_vec()), (q, affine_rows(b).to_vec())]
    };
    NAMES.into_iter().zip(pairs).flat_map(both).collect()
}

/// The element of the target group in the region `result`.
///
/// # Errors
/// The bank has no such region.
pub fn value(bank: &Bank<Fq>) -> Result<Fq12, RunError> {
    target(bank, "result")
}

/// The element of the target group in a region.
///
/// # Errors
/// The bank has no such region of six rows.
pub fn target(bank: &Bank<Fq>, name: &str) -> Result<Fq12, RunError> {
    let f = fp12(bank.get::<6>(name)?);
    let cubic = |c: Cubic<Fq2, _>| Cubic::new(c.c0, c.c1, c.c2);
    Ok(Quad::new(cubic(f.c0), cubic(f.c1)))
}

/// An element of the target group as rows.
pub(super) fn target_rows(f: &Fq12) -> [Value<Fq>; 6] {
    pairwright_chip::compiler::coordinates_of(f)
}

/// Checks the verdict of a program.
///
/// # Errors
/// [`RunError::Rejected`] if the verdict is zero, or the bank has no region `verdict`.
pub fn verdict(bank: &Bank<Fq>) -> Result<(), RunError> {
    if bank.get::<1>("verdict")? == [one()] { Ok(()) } else { Err(RunError::Rejected) }
}
