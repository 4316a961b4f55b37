//! The contents of buckets: none where only time is simulated, or points, which are added bit by bit by the programs of
//! the tiles, or by the host's formulas.

use super::residue::Residue;
use super::{Machine, MsmError};
use crate::digits::{Digits, Layout, modulus};
use crate::fast::FastProgram;
use crate::mapping::Mapping;
use crate::method::Method;
use crate::padd::{Form, point_in};
use pairwright_curve::bls12_377::Fq;
use pairwright_curve::bls12_377::edwards::{AffinePoint, Point};
use pairwright_field::Field;

/// The second operand of an addition into a bucket: a point or its negative.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Term {
    pub(super) point: usize,
    pub(super) negative: bool,
}

/// Points and their sums. No decision of the machine depends on their values.
pub(super) trait Values {
    /// The representation of a sum in a bucket.
    type Sum: Clone;
    /// The neutral element.
    fn neutral(&self) -> Self::Sum;
    /// A point as a sum.
    fn copy(&self, term: Term) -> Self::Sum;
    /// Adds a point to a sum.
    fn mixed(&mut self, sum: &Self::Sum, term: Term) -> Result<Self::Sum, MsmError>;
    /// Adds two sums.
    fn complete(&mut self, a: &Self::Sum, b: &Self::Sum) -> Result<Self::Sum, MsmError>;
    /// The sum as a point; `None` if it is not on the curve.
    fn point(&self, sum: &Self::Sum) -> Option<Point>;
}

/// No values: only time is simulated.
pub(super) struct Timing;

impl Values for Timing {
    type Sum = ();
    fn neutral(&self) {}
    fn copy(&self, _: Term) {}
    fn mixed(&mut self, (): &(), _: Term) -> Result<(), MsmError> {
        Ok(())
    }
    fn complete(&mut self, (): &(), (): &()) -> Result<(), MsmError> {
        Ok(())
    }
    fn point(&self, (): &()) -> Option<Point> {
        None
    }
}

/// The host's points, added by its formulas.
pub(super) struct Formulas(pub(super) Vec<AffinePoint>);

impl Formulas {
    fn term(&self, term: Term) -> AffinePoint {
        let point = self.0[term.point];
        if term.negative { -point } else { point }
    }
}

impl Values for Formulas {
    type Sum = Point;
    fn neutral(&self) -> Point {
        Point::IDENTITY
    }
    fn copy(&self, term: Term) -> Point {
        self.term(term).to_extended()
    }
    fn mixed(&mut self, sum: &Point, term: Term) -> Result<Point, MsmError> {
        Ok(*sum + self.term(term))
    }
    fn complete(&mut self, a: &Point, b: &Point) -> Result<Point, MsmError> {
        Ok(*a + *b)
    }
    fn point(&self, sum: &Point) -> Option<Point> {
        Some(*sum)
    }
}

/// Points as the programmable logic holds them. This type computes the first sums and the final reduction of the logic;
/// the programs of the units' tiles compute the rest.
pub(super) struct BitExact {
    mixed: FastProgram,
    complete: FastProgram,
    layout: Layout,
    /// The coordinates X, Y, U and T of each point.
    terms: Vec<[Residue; 4]>,
    zero: Residue,
    one: Residue,
}

/// Indices of the coordinates in a bucket.
const X: usize = 0;
const Y: usize = 1;
const T: usize = 2;
const Z: usize = 3;

impl BitExact {
    pub(super) fn new(machine: &Machine, points: &[AffinePoint]) -> Result<Self, MsmError> {
        let kernel = |mapping: Mapping, form| {
            let kernel = FastProgram::new(&mapping.program(machine.method, form))?;
            let most = modulus() * 2;
            // The range that the final reduction accepts.
            let reduced = kernel.results().iter().all(|[low, high]| *low > -&most && *high < most);
            if reduced { Ok(kernel) } else { Err(MsmError::Unreduced(machine.method)) }
        };
        let scale = scale(machine.method);
        let term = |point: &AffinePoint| {
            let [x, y, u] = point.coordinates();
            [x, y, u, x * y].map(|coordinate| Residue::from(coordinate * scale))
        };
        Ok(Self {
            mixed: kernel(machine.accumulate, Form::Mixed)?,
            complete: kernel(machine.aggregate, Form::Complete)?,
            layout: machine.method.layout(),
            terms: points.iter().map(term).collect(),
            zero: Residue::ZERO,
            one: Residue::from(scale),
        })
    }

    fn term(&self, term: Term) -> [Residue; 4] {
        let [x, y, u, t] = self.terms[term.point];
        if term.negative { [x.negated(), y, u.negated(), t.negated()] } else { [x, y, u, t] }
    }
}

/// The representation of one: a power of two with Montgomery's reduction.
fn scale(method: Method) -> Fq {
    let power = method.scale_log2().unsigned_abs();
    Fq::from(2).pow_vartime(&[power.into()])
}

/// The operands of [`padd`](crate::padd::padd) in their order.
fn operands(layout: Layout, sum: &[Residue; 4], [x, y, c, z]: [Residue; 4]) -> [Digits; 8] {
    [
        sum[Y].minus(sum[X], layout),
        y.minus(x, layout),
        sum[Y].plus(sum[X], layout),
        y.plus(x, layout),
        sum[T].digits(layout),
        c.digits(layout),
        sum[Z].digits(layout),
        z.plus(z, layout),
    ]
}

fn add(kernel: &mut FastProgram, layout: Layout, operands: &[Digits; 8]) -> Result<[Residue; 4], MsmError> {
    let results: [Digits; 4] = kernel.run(operands).ok_or(MsmError::Operands)?;
    Ok(results.each_ref().map(|x| Residue::reduce(x, layout)))
}

impl Values for BitExact {
    type Sum = [Residue; 4];
    fn neutral(&self) -> [Residue; 4] {
        [self.zero, self.one, self.zero, self.one]
    }
    fn copy(&self, term: Term) -> [Residue; 4] {
        let [x, y, _, t] = self.term(term);
        [x, y, t, self.one]
    }
    fn mixed(&mut self, sum: &[Residue; 4], term: Term) -> Result<[Residue; 4], MsmError> {
        let [x, y, u, _] = self.term(term);
        let operands = operands(self.layout, sum, [x, y, u, self.one]);
        add(&mut self.mixed, self.layout, &operands)
    }
    fn complete(&mut self, a: &[Residue; 4], b: &[Residue; 4]) -> Result<[Residue; 4], MsmError> {
        let operands = operands(self.layout, a, [b[X], b[Y], b[T], b[Z]]);
        add(&mut self.complete, self.layout, &operands)
    }
    fn point(&self, sum: &[Residue; 4]) -> Option<Point> {
        point_in(self.layout, &sum.map(|x| x.digits(self.layout)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::padd::{complete_operands, mixed_operands};
    use pairwright_curve::bls12_377::Fr;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// The operands that the logic prepares are those that the additions specify, for every kind of pair.
    #[test]
    fn the_logic_prepares_what_kernels_take() {
        let mut rng = ChaCha20Rng::seed_from_u64(8);
        let some: Vec<Point> = (0..3).map(|_| Point::generator().mul(&Fr::random(&mut rng))).collect();
        let doubled = some[0] + some[0];
        for method in Method::valid() {
            let scale = scale(method);
            let sum = |p: &Point| {
                let [x, y, z, t] = p.extended().map(|c| Residue::from(c * scale));
                [x, y, t, z]
            };
            for (p, q) in
                [(some[0], some[1]), (doubled, some[2]), (Point::IDENTITY, some[0]), (doubled, doubled)]
            {
                let affine = q.to_triple().unwrap();
                let [x, y, u] = affine.coordinates().map(|c| Residue::from(c * scale));
                assert_eq!(
                    operands(method.layout(), &sum(&p), [x, y, u, Residue::from(scale)]),
                    mixed_operands(method, &p, &affine)
                );
                assert_eq!(operands(method.layout(), &sum(&p), sum(&q)), complete_operands(method, &p, &q));
            }
        }
    }
}
