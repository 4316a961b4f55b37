//! Eight Miller loops at once, one per lane: the loop of `pairwright_curve` over the ring of [`super::octet`], an element of which
//! holds the values of eight pairings.

use super::across::{EightQuads, EightValues, TowerInLanes};
use super::coordinate::Coordinate;
use super::digits::LANES;
use super::form::LaneForm;
use pairwright_curve::pairing::{
    Family, Fq2, Fq12, MillerStep, PairingData, RunningPoint, Twelve, closing_points, miller_steps,
    mul_by_line,
};
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_field::{Cubic, Field, Quad, Ring};

const VALUE: u8 = LaneForm::Value as u8;

/// The state of eight pairs in the Miller loop.
struct Group<P: TowerInLanes> {
    running: RunningPoint<EightQuads<P>>,
    /// The coordinates of the first arguments.
    point: [EightValues<P>; 2],
}

/// Coordinates of eight points in lanes.
///
/// # Safety
/// The processor has AVX-512 IFMA.
unsafe fn coordinates<C: Curve, T: Coordinate<C::Base>>(points: &[Affine<C>; LANES]) -> [T; 2] {
    // SAFETY: the caller's promise; the addresses are those of coordinates.
    unsafe {
        [
            T::load::<VALUE>(points.each_ref().map(|p| &raw const p.x)).0,
            T::load::<VALUE>(points.each_ref().map(|p| &raw const p.y)).0,
        ]
    }
}

/// The product of the Miller loops of the pairs, up to a factor that the final exponentiation removes.
///
/// Lanes without a pair, and pairs with infinity, are computed on `(0, 0)` and a generator. The value of each line is then its
/// constant term, which is not zero, times a power of w³; the final exponentiation maps both factors to one.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn miller<E: Family<Data: TowerInLanes>>(pairs: &[(G1Affine<E>, G2Affine<E>)]) -> Fq12<E::Data> {
    let mut groups = Vec::with_capacity(pairs.len().div_ceil(LANES));
    for pairs in pairs.chunks(LANES) {
        let mut first = [Affine::INFINITY; LANES];
        let mut second = [<E as Pairing>::G2::GENERATOR; LANES];
        for (k, (p, q)) in pairs.iter().enumerate().filter(|(_, (p, q))| !p.is_infinity() && !q.is_infinity())
        {
            (first[k], second[k]) = (*p, *q);
        }
        // SAFETY: this function has the features.
        let group = unsafe {
            let closing = E::FROBENIUS_TAIL.then(|| {
                let points = second.each_ref().map(closing_points::<E::Data, <E as Pairing>::G2>);
                [coordinates(&points.map(|p| p[0])), coordinates(&points.map(|p| p[1]))]
            });
            Group::<E::Data> {
                running: RunningPoint::new(coordinates(&second), closing, Coordinate::<Fq2<E::Data>>::one()),
                point: coordinates(&first),
            }
        };
        groups.push(group);
    }
    // SAFETY: this function has the features; the addresses are those of a constant.
    let b3 =
        unsafe { EightQuads::<E::Data>::load::<VALUE>([core::ptr::from_ref(&E::Data::B_TWIST_3); LANES]).0 };
    // SAFETY: as above.
    let mut f = unsafe { one::<E::Data>() };
    for step in miller_steps::<E::Data>(E::FROBENIUS_TAIL) {
        match step {
            MillerStep::Square => square::<E::Data>(&mut f),
            MillerStep::Conjugate => f = f.conjugate(),
            MillerStep::Tangent | MillerStep::Chord { .. } | MillerStep::Closing(_) => {}
        }
        for group in &mut groups {
            execute(&mut f, group, step, &b3);
        }
    }
    values::<E::Data>(&f).into_iter().reduce(|a, b| a * b).unwrap_or(Fq12::<E::Data>::ONE)
}

/// Squares the accumulated value. In test builds this function and the next one are not inlined: one function with the whole loop
/// took a third of the compilation time of the crate.
#[cfg_attr(debug_assertions, inline(never))]
#[target_feature(enable = "avx512f,avx512ifma")]
fn square<P: TowerInLanes>(f: &mut Twelve<P, EightValues<P>>) {
    *f = f.square();
}

/// Executes one step for a group: moves the running points and, if the step has a line, multiplies the accumulated value by it.
#[cfg_attr(debug_assertions, inline(never))]
#[target_feature(enable = "avx512f,avx512ifma")]
fn execute<P: TowerInLanes>(
    f: &mut Twelve<P, EightValues<P>>,
    group: &mut Group<P>,
    step: MillerStep,
    b3: &EightQuads<P>,
) {
    if let Some(line) = group.running.advance(step, |x| P::mul_3b_twist(x, *b3)) {
        *f = mul_by_line::<P, _>(*f, line, false, group.point);
    }
}

/// The element one in every lane.
///
/// # Safety
/// The processor has AVX-512 IFMA.
unsafe fn one<P: TowerInLanes>() -> Twelve<P, EightValues<P>> {
    // SAFETY: the caller's promise.
    let one: EightQuads<P> = unsafe { Coordinate::<Fq2<P>>::one() };
    let zero = one + -one;
    Quad::new(Cubic::new(one, zero, zero), Cubic::new(zero, zero, zero))
}

/// The elements of the eight lanes.
fn values<P: TowerInLanes>(f: &Twelve<P, EightValues<P>>) -> [Fq12<P>; LANES] {
    let mut out = [Fq12::<P>::ZERO; LANES];
    macro_rules! store {
        ($($half:ident $coefficient:ident),+) => {$({
            let to = out.each_mut().map(|f| &raw mut f.$half.$coefficient);
            // SAFETY: the addresses are those of a coefficient of eight different values.
            unsafe { Coordinate::<Fq2<P>>::store::<VALUE>(&f.$half.$coefficient, to) };
        })+};
    }
    store!(c0 c0, c0 c1, c0 c2, c1 c0, c1 c1, c1 c2);
    out
}

#[cfg(test)]
mod tests {
    use super::super::lazy::bounds::Bound;
    use super::*;
    use crate::isa::lanes_to_test;
    use pairwright_curve::pairing::{G1, G2};
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_field::NonResidue;
    use pairwright_testkit::conformance::known_points;

    /// Compares products of any number of pairings, with infinity among the arguments, with the portable loop, also for fewer pairs
    /// than the device computes with this function. Other curves are tested through the device, to avoid compiling their loops again here.
    fn products<E: Family<Data: TowerInLanes>>() {
        if !lanes_to_test() {
            return;
        }
        let (mut p, _) = known_points::<G1<E>>(21, 3);
        let (mut q, _) = known_points::<G2<E>>(21, 4);
        (p[2], q[3]) = (Affine::INFINITY, Affine::INFINITY);
        (p[11], q[11]) = (p[10], q[10]);
        (p[13], q[13]) = (-p[12], q[12]);
        for range in [0..0, 2..3, 3..4, 0..1, 0..7, 0..8, 0..9, 5..13, 12..14, 0..21] {
            let pairs: Vec<_> = range.clone().map(|i| (p[i], q[i])).collect();
            // SAFETY: the processor has the instructions.
            let got = E::final_exponentiation(&unsafe { miller::<E>(&pairs) });
            assert_eq!(got, Some(E::multi_pairing(&pairs)), "pairs {range:?}");
        }
    }

    /// Evaluates the loop on bounds: for all inputs, operands of products stay within the limits of lazy sums.
    fn bounds<P: PairingData<U: NonResidue<Bound>, V: NonResidue<Quad<Bound, P::U>>>>() {
        let loaded = Quad::new(Bound::LOADED, Bound::LOADED);
        let mut points = [0, 1].map(|_| RunningPoint::new([loaded; 2], Some([[loaded; 2]; 2]), loaded));
        let mut f: Twelve<P, Bound> =
            Quad::new(Cubic::new(loaded, loaded, loaded), Cubic::new(loaded, loaded, loaded));
        for step in miller_steps::<P>(true) {
            match step {
                MillerStep::Square => f = f.square(),
                MillerStep::Conjugate => f = f.conjugate(),
                _ => {}
            }
            for running in &mut points {
                if let Some(line) = running.advance(step, |x| P::mul_3b_twist(x, loaded)) {
                    f = mul_by_line::<P, _>(f, line, false, [Bound::LOADED; 2]);
                }
            }
        }
    }

    #[test]
    fn sums_are_bounded() {
        bounds::<bls12_381::Parameters>();
        bounds::<bls12_377::Parameters>();
    }

    #[test]
    fn products_of_bn254() {
        products::<bn254::Bn254>();
    }
}
