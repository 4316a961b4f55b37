use super::super::lazy::bounds::Bound;
use super::hash::{HashConstants, of_elements};
use super::*;
use crate::isa::lanes_to_test;
use pairwright_curve::hash_to_curve::Suite;
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_field::{Extension, Field, NonResidue, Quad, Sqrt};
use pairwright_testkit::conformance::{Values, known_points};

/// A bound of each coordinate of a point.
#[derive(Clone, Copy)]
struct Bounds<T> {
    point: [T; 3],
    image: fn([T; 3]) -> [T; 3],
}

impl<T: Ring + Copy> GroupLaw for Bounds<T> {
    fn twice(&self) -> Self {
        Self { point: formulas::jacobian_double(self.point), ..*self }
    }
    fn plus(&self, other: &Self) -> Self {
        Self { point: formulas::jacobian_add(self.point, other.point).0, ..*self }
    }
    fn negative(&self) -> Self {
        let [x, y, z] = self.point;
        Self { point: [x, -y, z], ..*self }
    }
    fn image(&self) -> Self {
        Self { point: (self.image)(self.point), ..*self }
    }
}

/// The comparison of the two sides of a subgroup test.
fn compared<T: Ring + Copy>([a, b]: [Bounds<T>; 2]) {
    let _ = compare_coordinates(a.point, b.point);
}

/// Evaluates the formulas of groups on bounds: operands of products stay within the limits of lazy sums, and the coordinates of
/// results within those of a store.
fn groups_are_bounded<E: Family<Data: PairingData<U: NonResidue<Bound>>>>() {
    let one = Bound::LOADED;
    let p = Bounds { point: [one; 3], image: |[x, y, z]| [x * Bound::LOADED, y, z] };
    if let Some(sides) = E::membership_sides_g1(&p) {
        compared(sides);
    }
    for c in E::clear_g1(&p).point {
        c.settled();
    }
    let two =
        || Quad::<_, <E::Data as pairwright_curve::pairing::Tower>::U>::new(Bound::LOADED, Bound::LOADED);
    let q = Bounds { point: [two(); 3], image: |q| psi(q, [Quad::new(Bound::LOADED, Bound::LOADED); 2]) };
    compared(E::membership_sides_g2(&q));
    for c in E::clear_g2(&q).point {
        c.settled();
    }
}

#[test]
fn formulas_of_groups_are_bounded() {
    groups_are_bounded::<bls12_381::Bls12_381>();
    groups_are_bounded::<bls12_377::Bls12_377>();
}

/// Evaluates the complete formulas on bounds repeatedly, since their results are operands again.
fn complete_formulas<T: Sums>(loaded: T, mul_3b: impl Fn(T) -> T) {
    let p = [loaded; 3];
    let double = |p| formulas::complete_double(p, &mul_3b);
    let add = |p, q| formulas::complete_add(p, q, &mul_3b);
    let table = add(double(p), p).map(|c| -c);
    let sum = (0..3).fold(p, |sum, _| add(add(double(double(sum)), table), table));
    for c in sum {
        c.settled();
    }
}

fn complete_formulas_of<P: PairingData<U: NonResidue<Bound>, V: NonResidue<Quad<Bound, P::U>>>>() {
    complete_formulas(Bound::LOADED, |x| x.times(3 * P::B));
    let two = Quad::<_, P::U>::new(Bound::LOADED, Bound::LOADED);
    complete_formulas(two, |x| P::mul_3b_twist(x, two));
}

#[test]
fn complete_formulas_are_bounded() {
    complete_formulas_of::<bls12_381::Parameters>();
    complete_formulas_of::<bls12_377::Parameters>();
}

/// Evaluates the map to a curve on bounds.
fn map_is_bounded<C: Curve, T: Sums>(suite: &Suite<C>, loaded: T, pow: impl Fn(T) -> T) {
    let constants = HashConstants::new(suite, |_| loaded);
    // A negative has the bound of the value.
    let with_sign = |y: T| y;
    let (point, t) = constants.map(loaded, pow, with_sign, &constants.isogeny());
    for coordinate in point {
        coordinate.settled();
    }
    t.settled();
}

#[test]
fn maps_to_curves_are_bounded() {
    let (g1, g2) = (Suite::<bls12_381::G1>::OF_GROUP, Suite::<bls12_381::G2>::OF_GROUP);
    map_is_bounded(&g1, Bound::LOADED, |x| pow_public(x, g1.pow_exponent));
    let two = Quad::<_, bls12_381::U>::new(Bound::LOADED, Bound::LOADED);
    map_is_bounded(&g2, two, |x| pow_c3_quad(x, g2.pow_exponent));
}

/// Pairs of elements for which the lanes leave work to the portable code, among others: zero, exceptional elements of the map, equal
/// and opposite elements.
fn exceptional_elements<C: GroupInLanes>(suite: &Suite<C>) {
    if !lanes_to_test() {
        return;
    }
    // t = z²u⁴ + zu² is zero for u = 0 and if zu² = -1.
    let excepted = (-suite.sswu.z.invert().unwrap()).sqrt_vartime();
    let (zero, one) = (C::Base::ZERO, C::Base::ONE);
    let mut values = Values::<<C::Base as Extension>::Prime>::new(51);
    let mut draw = || C::Base::try_from_fn(|_| values.next().ok_or(())).unwrap();
    let mut elements: Vec<[C::Base; 2]> =
        vec![[zero, zero], [zero, one], [one, zero], [one, one], [one, -one]];
    for _ in 0..4 {
        let u = draw();
        elements.extend([[u, draw()], [u, u], [u, -u], [zero, u], [-one, u]]);
    }
    if let Some(u) = excepted {
        elements.extend([[u, draw()], [draw(), -u], [u, u], [u, zero]]);
    }
    let mut outcomes = [0; 2];
    for n in [0, 1, 4, 5, 7, 8, 9, elements.len()] {
        for first in 0..elements.len() {
            let some: Vec<_> = (0..n).map(|i| elements[(first + i) % elements.len()]).collect();
            // SAFETY: the processor was asked.
            let got = unsafe { of_elements(suite, &some) };
            assert_eq!(got.len(), n);
            for (p, [u0, u1]) in got.iter().zip(&some) {
                let sum = (suite.map_to_curve)(u0) + (suite.map_to_curve)(u1);
                assert_eq!(*p, (suite.clear_cofactor)(&sum).to_affine(), "{u0:?} and {u1:?}");
                outcomes[usize::from(p.is_infinity())] += 1;
            }
        }
    }
    assert!(outcomes.iter().all(|n| *n > 0), "infinity among the results, and others");
}

#[test]
fn exceptional_elements_of_g1() {
    exceptional_elements(&Suite::<bls12_381::G1>::OF_GROUP);
}
#[test]
fn exceptional_elements_of_g2() {
    exceptional_elements(&Suite::<bls12_381::G2>::OF_GROUP);
}

/// Doubles of points of the subgroup, of infinity and of others on the curve.
fn doubles<C: GroupInLanes>(others: &[Affine<C>]) {
    if !lanes_to_test() {
        return;
    }
    let (mut points, _) = known_points::<C>(37, 5);
    points[3] = Affine::INFINITY;
    points[20..20 + others.len()].copy_from_slice(others);
    for times in [0, 1, 7, 21] {
        let double = |p: &Affine<C>| (0..times).fold(p.to_jacobian(), |p, _| p.double()).to_affine();
        // SAFETY: the processor was asked.
        let got = unsafe { doubled(&points, times) };
        assert_eq!(got, points.iter().map(double).collect::<Vec<_>>(), "{times} times");
    }
}

#[test]
fn doubles_of_awkward_points() {
    // (0, 2) has order three and (-1, 0) order two.
    let third = Affine { x: bls12_381::Fq::ZERO, y: bls12_381::Fq::from(2) };
    doubles::<bls12_381::G1>(&[third, -third]);
    let half = Affine { x: -bls12_377::Fq::ONE, y: bls12_377::Fq::ZERO };
    assert!(third.is_on_curve() && half.is_on_curve());
    doubles::<bls12_377::G1>(&[half]);
    doubles::<bn254::G2>(&[]);
}
