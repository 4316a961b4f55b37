//! Affine additions in batches that share one inversion: 5M + 1S each, with every special case told apart.

use pairwright_curve::formulas::{affine_on_line, tangent_rise};
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Field, Ring};

/// What the sum of two points is.
#[derive(Clone, Copy)]
enum SumKind {
    /// Different x: the chord.
    Chord,
    /// Equal points, not of order two: the tangent.
    Tangent,
    /// The second is infinity.
    First,
    /// The first is infinity.
    Second,
    /// The points are opposite, their sum is infinity.
    Infinity,
}

/// Scratch of batched additions: three values an addition.
pub(super) struct Batch<C: Curve> {
    /// Kind, denominator of the slope, and the product of the denominators before it.
    steps: Vec<(SumKind, C::Base, C::Base)>,
}

impl<C: Curve> Batch<C> {
    pub(super) fn new() -> Self {
        Self { steps: Vec::new() }
    }

    /// For `i` from 0 to `n - 1`, the sum of the two points that `operands(state, i)` names is written to
    /// `target(state, i)`.
    ///
    /// All operands are read as they were before the call, if every write of step `i` goes to a place that no step
    /// `j < i` reads: results are written from the last step to the first.
    #[inline(always)]
    pub(super) fn add<S>(
        &mut self,
        n: usize,
        state: &mut S,
        operands: impl Fn(&S, usize) -> [&Affine<C>; 2],
        target: impl Fn(&mut S, usize) -> &mut Affine<C>,
    ) {
        self.steps.clear();
        // Two running products take turns, so that one multiplication does not wait for the other.
        let mut products = [C::Base::ONE; 2];
        for i in 0..n {
            let [p, q] = operands(state, i);
            let (kind, denominator) = slope_denominator(p, q);
            let product = &mut products[i & 1];
            self.steps.push((kind, denominator, *product));
            *product *= denominator;
        }
        let product = products[0] * products[1];
        let inverse = product.invert().expect("no denominator is zero, so their product is not");
        let mut inverses = [inverse * products[1], inverse * products[0]];
        let mut rest = self.steps.as_slice();
        while let Some((&(kind, denominator, prefix), before)) = rest.split_last() {
            let i = before.len();
            if let (SumKind::Chord, Some((&(SumKind::Chord, other, of_other), less))) =
                (kind, before.split_last())
            {
                let factors = [inverses[i & 1] * prefix, inverses[!i & 1] * of_other];
                inverses[i & 1] *= denominator;
                inverses[!i & 1] *= other;
                let [sum, before] = two_chords(operands(state, i), operands(state, i - 1), factors);
                *target(state, i) = sum;
                *target(state, i - 1) = before;
                rest = less;
                continue;
            }
            let [p, q] = operands(state, i);
            let sum = finish(kind, p, q, inverses[i & 1] * prefix);
            inverses[i & 1] *= denominator;
            *target(state, i) = sum;
            rest = before;
        }
    }
}

#[inline(always)]
fn slope_denominator<C: Curve>(p: &Affine<C>, q: &Affine<C>) -> (SumKind, C::Base) {
    let d = q.x - p.x;
    if p.is_infinity() {
        return (SumKind::Second, C::Base::ONE);
    }
    if q.is_infinity() {
        return (SumKind::First, C::Base::ONE);
    }
    if d.is_zero() {
        return if p.y == q.y && !p.y.is_zero() {
            (SumKind::Tangent, p.y.double())
        } else {
            (SumKind::Infinity, C::Base::ONE)
        };
    }
    (SumKind::Chord, d)
}

#[inline(always)]
fn finish<C: Curve>(kind: SumKind, p: &Affine<C>, q: &Affine<C>, inverse: C::Base) -> Affine<C> {
    let slope = match kind {
        SumKind::Chord => (q.y - p.y) * inverse,
        SumKind::Tangent => tangent_rise(p.x) * inverse,
        SumKind::First => return *p,
        SumKind::Second => return *q,
        SumKind::Infinity => return Affine::INFINITY,
    };
    let [x, y] = affine_on_line([p.x, p.y], q.x, slope);
    Affine { x, y }
}

/// The sums of two pairs of points with different x, in steps that take turns: `finish` twice.
#[inline(always)]
fn two_chords<C: Curve>(
    [p, q]: [&Affine<C>; 2],
    [r, s]: [&Affine<C>; 2],
    inverses: [C::Base; 2],
) -> [Affine<C>; 2] {
    let slopes = [(q.y - p.y) * inverses[0], (s.y - r.y) * inverses[1]];
    let squares = [slopes[0].square(), slopes[1].square()];
    let x = [squares[0] - p.x - q.x, squares[1] - r.x - s.x];
    let products = [slopes[0] * (p.x - x[0]), slopes[1] * (r.x - x[1])];
    [Affine { x: x[0], y: products[0] - p.y }, Affine { x: x[1], y: products[1] - r.y }]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{G1, G2};

    fn all_pairs<C: Curve>() {
        let g = C::GENERATOR.to_jacobian();
        let some: Vec<Affine<C>> = [0u64, 1, 2, 3, 7]
            .iter()
            .flat_map(|k| [g.mul_limbs_vartime(&[*k]), -g.mul_limbs_vartime(&[*k])])
            .map(Affine::from)
            .collect();
        let pairs: Vec<_> = some.iter().flat_map(|p| some.iter().map(move |q| (*p, *q))).collect();
        let (mut acc, other): (Vec<_>, Vec<_>) = pairs.iter().copied().unzip();
        let add_all = |acc: &mut [Affine<C>], other: &[Affine<C>]| {
            let (n, state) = (acc.len(), &mut (acc, other));
            Batch::new().add(n, state, |s, i| [&s.0[i], &s.1[i]], |s, i| &mut s.0[i]);
        };
        add_all(&mut acc, &other);
        for (sum, (p, q)) in acc.iter().zip(&pairs) {
            assert_eq!(*sum, (p.to_jacobian() + q.to_jacobian()).to_affine(), "{p:?} + {q:?}");
        }
        add_all(&mut [], &[]);
    }

    #[test]
    fn equal_opposite_and_infinite_points_in_one_batch() {
        all_pairs::<G1>();
        all_pairs::<G2>();
    }
}
