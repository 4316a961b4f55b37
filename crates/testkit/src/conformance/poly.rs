//! Cases of polynomial and vector arithmetic.

use super::{LENGTHS, Values, accept, refuse_lengths};
use pairwright_device::{Done, PolyOp};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, View};

/// Factors and points: the special cases, and one that is not small.
fn scalars<F: PrimeField>() -> [F; 4] {
    [F::ZERO, F::ONE, -F::ONE, Values::new(40).next().unwrap_or(F::ONE)]
}

/// Vectors of every length, without zeros, with some zeros, and of zeros only.
fn vectors<F: PrimeField>() -> impl Iterator<Item = (String, Buf<F>)> {
    LENGTHS.into_iter().flat_map(|n| {
        let full = Values::new(41 + n as u64).take_buf(n);
        let some = full.iter().enumerate().map(|(i, x)| if i % 3 == 1 { F::ZERO } else { *x }).collect();
        [("", full), (", some of them zero", some), (" zeros", vec![F::ZERO; n].into())]
            .map(|(kind, values)| (format!("{n} elements{kind}"), values))
    })
}

/// Compares the vector that an operator changes in place, and its result.
fn in_place<F: PrimeField, T: PartialEq>(
    op: &str,
    fast: impl Fn(&mut Buf<F>) -> Done<T>,
    judge: impl Fn(&mut Buf<F>) -> Done<T>,
) {
    for (what, vector) in vectors::<F>() {
        let (mut ours, mut theirs) = (vector.clone(), vector);
        let (got, want) = (accept(op, fast(&mut ours)), accept(op, judge(&mut theirs)));
        assert!(got == want && ours == theirs, "{op} of {what}");
    }
}

pub(super) fn scale<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    for k in scalars() {
        in_place("scale", |a| fast.scale(a, &k), |a| judge.scale(a, &k));
    }
}

pub(super) fn axpy<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    let other = |a: &Buf<F>| Values::new(50).take_buf(a.len());
    for k in scalars() {
        let run = |on: &dyn PolyOp<F>, a: &mut Buf<F>| on.axpy(a, &k, other(a).view());
        in_place("axpy", |a| run(fast, a), |a| run(judge, a));
    }
    let (mut a, long) = (Values::<F>::new(51).take_buf(5), Values::new(52).take_buf(6));
    let before = a.clone();
    refuse_lengths(fast.axpy(&mut a, &F::ONE, long.view()));
    assert!(a == before, "refused operands are left alone");
}

pub(super) fn invert<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    in_place("invert", |a| fast.invert(a), |a| judge.invert(a));
}

pub(super) fn prefix_products<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    in_place("prefix_products", |a| fast.prefix_products(a), |a| judge.prefix_products(a));
}

pub(super) fn powers<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    for n in LENGTHS {
        for (first, base) in scalars::<F>().into_iter().flat_map(|first| scalars().map(|base| (first, base)))
        {
            let got = accept("powers", fast.powers(&first, &base, n));
            assert!(got == accept("powers", judge.powers(&first, &base, n)), "{n} powers of {base}");
        }
    }
}

pub(super) fn evaluate<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    for (what, p) in vectors::<F>() {
        for x in scalars() {
            let run = |on: &dyn PolyOp<F>, p: View<'_, F>| accept("evaluate", on.evaluate(p, &x));
            assert!(run(fast, p.view()) == run(judge, p.view()), "evaluate {what} at {x}");
        }
    }
}

pub(super) fn divide<F: PrimeField>(fast: &dyn PolyOp<F>, judge: &dyn PolyOp<F>) {
    let [.., at] = scalars::<F>();
    for (what, p) in vectors::<F>() {
        for z in scalars() {
            let (quotient, remainder) = accept("divide", fast.divide(p.view(), &z));
            let (want, rest) = accept("divide", judge.divide(p.view(), &z));
            assert!(quotient == want && remainder == rest, "divide {what} by X - {z}");
            // The defining equation of division, independent of the reference.
            let value = |p: &Buf<F>, x: F| p.iter().rev().fold(F::ZERO, |value, c| value * x + *c);
            assert!(value(&p, at) == value(&quotient, at) * (at - z) + remainder, "{what} by X - {z}");
            assert!(remainder == value(&p, z) && quotient.len() == p.len().saturating_sub(1), "{what}");
        }
    }
}
