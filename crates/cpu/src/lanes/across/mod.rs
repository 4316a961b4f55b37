//! One pairing across the lanes: the lanes hold the six coefficients in Fq2 of an element of Fq12, so that the independent
//! products of a tower step are one product in lanes.
//!
//! With `f = c0 + c1·w` and `c = a0 + a1·v + a2·v²` the lanes hold the coefficients of `1, v, v², w, v·w, v²·w`, in this
//! order. The [`formulas`] are run in functions with the target features of the instructions, so that all their sums are inlined.

mod formulas;

use super::coordinate::Coordinate;
use super::digits::LANES;
use super::form::LaneForm;
use super::lazy::InLazyLanes;
use crate::pairing::argument::Argument;
use core::ops::Mul;
use formulas::TowerOver;
use pairwright_curve::pairing::lines::Line;
use pairwright_curve::pairing::{
    Cyclotomic, Family, Fq2, Fq12, MillerStep, PairingData, Tower, closing_points, miller_steps,
};
use pairwright_curve::{Affine, Curve, G1Affine};
use pairwright_field::{Field, Quad};

const PLAIN: u8 = LaneForm::Plain as u8;
const VALUE: u8 = LaneForm::Value as u8;

/// Eight elements of the base field.
pub(super) type EightValues<P> = <<P as Tower>::Fq as InLazyLanes>::Lazy;
/// Eight elements of the quadratic extension.
pub(super) type EightQuads<P> = Quad<EightValues<P>, <P as Tower>::U>;

/// A tower whose elements have a form in lanes.
pub(crate) trait TowerInLanes: PairingData<Fq: InLazyLanes> + TowerOver<EightValues<Self>> {}
impl<P: PairingData<Fq: InLazyLanes> + TowerOver<EightValues<P>>> TowerInLanes for P {}

/// An element of the target field across the lanes.
struct Across<P: TowerInLanes>(EightQuads<P>);

impl<P: TowerInLanes> Clone for Across<P> {
    fn clone(&self) -> Self {
        *self
    }
}
impl<P: TowerInLanes> Copy for Across<P> {}

impl<P: TowerInLanes> Mul for Across<P> {
    type Output = Self;
    fn mul(self, o: Self) -> Self {
        /// The product, in a function that has the instructions.
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn run<P: TowerInLanes>(f: EightQuads<P>, g: EightQuads<P>) -> EightQuads<P> {
            formulas::product::<P, _>(f, g)
        }
        // SAFETY: values in lanes exist, so the processor has the instructions.
        Self(unsafe { run::<P>(self.0, o.0) })
    }
}

impl<P: TowerInLanes> Cyclotomic<P> for Across<P> {
    fn squared(self) -> Self {
        /// The square, in a function that has the instructions.
        #[target_feature(enable = "avx512f,avx512ifma")]
        fn run<P: TowerInLanes>(f: EightQuads<P>) -> EightQuads<P> {
            formulas::cyclotomic_square::<P, _>(f)
        }
        // SAFETY: a value in lanes exists, so the processor has the instructions.
        Self(unsafe { run::<P>(self.0) })
    }
    fn inverse(self) -> Self {
        Self(formulas::conjugate::<P, _>(self.0))
    }
    fn frobenius<const K: usize>(self) -> Self {
        let [c0, c1, c2, c3, c4, c5] = &P::FROBENIUS[K - 1];
        // SAFETY: a value in lanes exists; the addresses are those of constants.
        let factors = unsafe { load::<P>([c0, c2, c4, c1, c3, c5, c0, c0]) };
        let f = if K % 2 == 1 { self.0.conjugate() } else { self.0 };
        Self(f * factors)
    }
}

/// # Safety
/// The processor has AVX-512 IFMA.
unsafe fn load<P: TowerInLanes>(from: [&Fq2<P>; LANES]) -> EightQuads<P> {
    // SAFETY: the caller's promise; the addresses are those of values.
    unsafe { Coordinate::<Fq2<P>>::load::<VALUE>(from.map(core::ptr::from_ref)).0 }
}

impl<P: TowerInLanes> Across<P> {
    /// # Safety
    /// The processor has AVX-512 IFMA.
    unsafe fn new(f: &Fq12<P>) -> Self {
        let (low, high, zero) = (&f.c0, &f.c1, Fq2::<P>::ZERO);
        // SAFETY: the caller's promise.
        Self(unsafe { load::<P>([&low.c0, &low.c1, &low.c2, &high.c0, &high.c1, &high.c2, &zero, &zero]) })
    }

    fn value(self) -> Fq12<P> {
        let (mut f, mut rest) = (Fq12::<P>::ZERO, [Fq2::<P>::ZERO; 2]);
        let [r0, r1] = rest.each_mut();
        let (low, high) = (&mut f.c0, &mut f.c1);
        let to = [&mut low.c0, &mut low.c1, &mut low.c2, &mut high.c0, &mut high.c1, &mut high.c2, r0, r1];
        // SAFETY: the addresses are those of eight different values.
        unsafe { self.0.store::<VALUE>(to.map(core::ptr::from_mut)) };
        f
    }
}

/// The running point of a Miller loop with its coordinates `X, Y, Z` in the first three lanes.
struct LaneRunningPoint<P: TowerInLanes> {
    point: EightQuads<P>,
    /// The coordinates of the argument, of its negative and of the closing points, in two lanes each.
    argument: EightQuads<P>,
    negative: EightQuads<P>,
    closing: [EightQuads<P>; 2],
}

impl<P: TowerInLanes> LaneRunningPoint<P> {
    /// # Safety
    /// The processor has AVX-512 IFMA.
    unsafe fn new<C: Curve<Base = Fq2<P>>>(q: &Affine<C>) -> Self {
        let (zero, one) = (Fq2::<P>::ZERO, Fq2::<P>::ONE);
        // SAFETY: the caller's promise.
        let pair =
            |p: &Affine<C>| unsafe { load::<P>([&p.x, &p.y, &one, &zero, &zero, &zero, &zero, &zero]) };
        let closing = closing_points::<P, C>(q);
        Self {
            point: pair(q),
            argument: pair(q),
            negative: pair(&-*q),
            closing: closing.each_ref().map(pair),
        }
    }

    /// Moves the running point by a step and returns the coefficients of the line of that step, in three lanes, if it has one. `b3` is
    /// `3b'` in every lane.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn advance(&mut self, step: MillerStep, b3: EightQuads<P>) -> Option<EightQuads<P>> {
        let [point, line] = match step {
            MillerStep::Square => return None,
            MillerStep::Conjugate => {
                self.point = formulas::negative::<P, _>(self.point);
                return None;
            }
            MillerStep::Tangent => formulas::double::<P, _>(self.point, b3),
            MillerStep::Chord { .. } | MillerStep::Closing(_) => {
                let other = match step {
                    MillerStep::Closing(k) => self.closing[k],
                    MillerStep::Chord { negative: true } => self.negative,
                    _ => self.argument,
                };
                formulas::add::<P, _>(self.point, other)
            }
        };
        self.point = point;
        Some(line)
    }
}

/// The state of a pair in the Miller loop: the source of its lines, and `1, x, y` of the first argument in three lanes.
struct Pair<'a, P: TowerInLanes> {
    lines: Lines<'a, P>,
    point: EightValues<P>,
}

/// The source of the lines of a pair.
enum Lines<'a, P: TowerInLanes> {
    Computed(Box<LaneRunningPoint<P>>),
    Prepared(core::slice::Iter<'a, Line<Fq2<P>>>),
}

impl<P: TowerInLanes> Lines<'_, P> {
    /// The coefficients of the line of a step, if it has one. Prepared coefficients are divided by the factor between the radices of
    /// memory and lanes, so that loading them takes a shift instead of a product.
    #[inline]
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn next(&mut self, step: MillerStep, b3: EightQuads<P>) -> Option<EightQuads<P>> {
        match self {
            Lines::Computed(running) => running.advance(step, b3),
            Lines::Prepared(_) if matches!(step, MillerStep::Square | MillerStep::Conjugate) => None,
            Lines::Prepared(lines) => {
                let Line { constant, along_x, along_y } = lines.next()?;
                let from = [constant, along_x, along_y, constant, constant, constant, constant, constant];
                // SAFETY: this function has the features; the addresses are those of values.
                let (line, _) = unsafe { EightQuads::<P>::load::<PLAIN>(from.map(core::ptr::from_ref)) };
                Some(line)
            }
        }
    }
}

/// The product of the Miller loops of the pairs; pairs with infinity are left out.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn miller<E: Family<Data: TowerInLanes>>(
    pairs: &[(G1Affine<E>, Argument<'_, E>)],
) -> Fq12<E::Data> {
    let mut live = Vec::with_capacity(pairs.len());
    for (p, argument) in pairs {
        let (lines, factor) = match argument {
            Argument::Point(q) if !q.is_infinity() => {
                // SAFETY: this function has the features.
                let running = Box::new(unsafe { LaneRunningPoint::<E::Data>::new(q) });
                (Lines::Computed(running), <E::Data as Tower>::Fq::ONE)
            }
            // The point is multiplied by the factor by which prepared lines are divided.
            Argument::Lines(lines) if !lines.is_infinity() => {
                let log_ratio = <EightValues<E::Data> as Coordinate<_>>::LOG_RADIX_RATIO;
                (Lines::Prepared(lines.lines().iter()), <E::Data as Tower>::Fq::from(1 << log_ratio))
            }
            _ => continue,
        };
        if !p.is_infinity() {
            let (x, y, zero) = (p.x * factor, p.y * factor, <E::Data as Tower>::Fq::ZERO);
            let from = [&factor, &x, &y, &zero, &zero, &zero, &zero, &zero];
            // SAFETY: this function has the features; the addresses are those of values.
            let (point, _) = unsafe { Coordinate::load::<VALUE>(from.map(core::ptr::from_ref)) };
            live.push(Pair { lines, point });
        }
    }
    if live.is_empty() {
        return Fq12::<E::Data>::ONE;
    }
    // SAFETY: this function has the features.
    let (Across(mut f), b3) = unsafe {
        (Across::<E::Data>::new(&Fq12::<E::Data>::ONE), load::<E::Data>([&E::Data::B_TWIST_3; LANES]))
    };
    for step in miller_steps::<E::Data>(E::FROBENIUS_TAIL) {
        match step {
            MillerStep::Square => f = formulas::square::<E::Data, _>(f),
            MillerStep::Conjugate => f = formulas::conjugate::<E::Data, _>(f),
            MillerStep::Tangent | MillerStep::Chord { .. } | MillerStep::Closing(_) => {}
        }
        for Pair { lines, point } in &mut live {
            if let Some(line) = lines.next(step, b3) {
                f = formulas::mul_by_line::<E::Data, _>(f, line.scale(*point));
            }
        }
    }
    Across::<E::Data>(f).value()
}

/// The final exponentiation of the family; `None` for zero.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn final_exponentiation<E: Family<Data: TowerInLanes>>(
    f: &Fq12<E::Data>,
) -> Option<Fq12<E::Data>> {
    let inverse = f.invert()?;
    // SAFETY: this function has the features.
    let (f, inverse) = unsafe { (Across::<E::Data>::new(f), Across::new(&inverse)) };
    let f = f.inverse() * inverse;
    Some(E::hard_part(f.frobenius::<2>() * f).value())
}

#[cfg(test)]
mod tests {
    use super::super::lazy::bounds::Bound;
    use super::*;
    use crate::isa::lanes_to_test;
    use pairwright_curve::pairing::{G1, G2, cyclotomic_square, easy_part};
    use pairwright_curve::{Pairing, bls12_377, bls12_381, bn254};
    use pairwright_field::{Extension, Ring};
    use pairwright_testkit::conformance::{Values, known_points};

    /// Elements of the target field: zero, one, an element with a single non-zero coefficient, the greatest residues, random ones.
    fn samples<E: Family<Data: TowerInLanes>>() -> Vec<Fq12<E::Data>> {
        let minus_one = -<E::Data as Tower>::Fq::ONE;
        let mut values = Values::<<E::Data as Tower>::Fq>::new(9);
        let mut list =
            vec![Fq12::<E::Data>::ZERO, Fq12::<E::Data>::ONE, Fq12::<E::Data>::from_coords(&[minus_one; 12])];
        for k in 0..12 {
            let mut coordinates = [<E::Data as Tower>::Fq::ZERO; 12];
            coordinates[k] = minus_one;
            list.push(Extension::from_coords(&coordinates));
        }
        list.extend((0..5).map(|_| Fq12::<E::Data>::from_coords(&values.take_buf(12))));
        list
    }

    /// Compares every operation across the lanes with that of the tower, on edge cases.
    fn operations<E: Family<Data: TowerInLanes>>() {
        if !lanes_to_test() {
            return;
        }
        // SAFETY: the processor has the instructions.
        let across = |f: &Fq12<E::Data>| unsafe { Across::<E::Data>::new(f) };
        let list = samples::<E>();
        for f in &list {
            assert_eq!(across(f).value(), *f);
            let square = Across::<E::Data>(formulas::square::<E::Data, _>(across(f).0));
            assert_eq!(square.value(), f.square());
            assert_eq!(across(f).inverse().value(), f.conjugate());
            assert_eq!(
                across(f).frobenius::<1>().value(),
                pairwright_curve::pairing::frobenius::<E::Data, 1>(f)
            );
            assert_eq!(
                across(f).frobenius::<2>().value(),
                pairwright_curve::pairing::frobenius::<E::Data, 2>(f)
            );
            assert_eq!(
                across(f).frobenius::<3>().value(),
                pairwright_curve::pairing::frobenius::<E::Data, 3>(f)
            );
            assert_eq!(across(f).squared().value(), cyclotomic_square(*f), "the formula, on any element");
            for g in &list {
                assert_eq!((across(f) * across(g)).value(), *f * *g);
            }
            if let Some(f) = easy_part::<E::Data>(f) {
                let power = Cyclotomic::<E::Data>::pow_x(f);
                assert_eq!(across(&f).pow_x().value(), power);
                assert_eq!(across(&f).pow_x().squared().squared().value(), power.square().square());
            }
        }
    }

    /// Pairings of points of the groups, including infinity, with prepared and other arguments in any order; the final
    /// exponentiation of zero is refused. The other curves are tested through the device.
    fn pairings<E: Family<Data: TowerInLanes>>() {
        if !lanes_to_test() {
            return;
        }
        let (mut p, _) = known_points::<G1<E>>(6, 3);
        let (mut q, _) = known_points::<G2<E>>(6, 4);
        (p[2], q[3]) = (Affine::INFINITY, Affine::INFINITY);
        let prepared: Vec<_> = q.iter().map(E::prepare_g2).collect();
        let fixed: Vec<_> = q.iter().map(E::prepare_fixed_g2).collect();
        for range in [0..1, 1..2, 2..3, 3..4, 0..6, 2..4, 0..0] {
            let all: Vec<_> = range.clone().map(|i| (p[i], &prepared[i])).collect();
            let want = E::final_exponentiation(&E::multi_miller_loop(&all));
            for kind in 0..3 {
                let pairs: Vec<_> = range
                    .clone()
                    .map(|i| {
                        let argument = match (kind + i * (kind / 2)) % 2 {
                            0 => Argument::<E>::Point(q[i]),
                            _ => Argument::Lines(&fixed[i]),
                        };
                        (p[i], argument)
                    })
                    .collect();
                // SAFETY: the processor has the instructions.
                let got = unsafe { final_exponentiation::<E>(&miller::<E>(&pairs)) };
                assert_eq!(got, want, "pairs {range:?}");
            }
        }
        // SAFETY: as above.
        assert_eq!(unsafe { final_exponentiation::<E>(&Fq12::<E::Data>::ZERO) }, None);
    }

    /// Evaluates the formulas on bounds: for all inputs, operands of products stay within the limits of lazy sums.
    fn bounds<E: Family<Data: TowerInLanes + TowerOver<Bound>>>() {
        let loaded: EightQuadsBound<E> = Quad::new(Bound::LOADED, Bound::LOADED);
        let (mut f, mut points) = (loaded, [loaded; 2]);
        for step in miller_steps::<E::Data>(true) {
            match step {
                MillerStep::Square => f = formulas::square::<E::Data, _>(f),
                MillerStep::Conjugate => {
                    f = formulas::conjugate::<E::Data, _>(f);
                    points = points.map(formulas::negative::<E::Data, _>);
                }
                _ => {}
            }
            for point in &mut points {
                let [next, line] = match step {
                    MillerStep::Square | MillerStep::Conjugate => continue,
                    MillerStep::Tangent => formulas::double::<E::Data, _>(*point, loaded),
                    MillerStep::Chord { .. } | MillerStep::Closing(_) => {
                        formulas::add::<E::Data, _>(*point, loaded)
                    }
                };
                *point = next;
                f = formulas::mul_by_line::<E::Data, _>(f, line.scale(Bound::LOADED));
            }
        }
        // The longest sequence of operations between products in a hard part: an inverse of a product of products.
        for _ in 0..3 {
            f = formulas::product::<E::Data, _>(formulas::conjugate::<E::Data, _>(f), f);
            f = formulas::cyclotomic_square::<E::Data, _>(f);
            f = formulas::product::<E::Data, _>(f, f);
        }
    }

    type EightQuadsBound<E> = Quad<Bound, <<E as Family>::Data as Tower>::U>;

    #[test]
    fn sums_are_bounded() {
        bounds::<bls12_381::Bls12_381>();
        bounds::<bls12_377::Bls12_377>();
    }

    #[test]
    fn bn254() {
        operations::<bn254::Bn254>();
        pairings::<bn254::Bn254>();
    }
    #[test]
    fn bls12_381() {
        operations::<bls12_381::Bls12_381>();
    }
    #[test]
    fn bls12_377() {
        operations::<bls12_377::Bls12_377>();
    }
}
