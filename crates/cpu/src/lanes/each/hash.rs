//! Hashing to curves (RFC 9380), eight field elements or eight points at a time.

use super::{GroupInLanes, LANES, PointsInLanes, VALUE, filled};
use crate::lanes::coordinate::Coordinate;
use core::array::from_fn;
use pairwright_curve::hash_to_curve::{Isogeny, SqrtRatio, Sswu, Suite, sgn0};
use pairwright_curve::subgroup::GroupLaw;
use pairwright_curve::{Affine, Jacobian, Projective, batch_to_affine};
use pairwright_field::Ring;

/// The constants of a suite, over any ring in the role of the field of coordinates.
pub(super) struct HashConstants<R> {
    pub(super) sswu: Sswu<R>,
    pub(super) sqrt_ratio: SqrtRatio<R>,
    pub(super) scale: R,
    pub(super) kernel: Vec<R>,
    pub(super) x: Vec<R>,
    pub(super) y: Vec<R>,
}

impl<R: Ring + Copy> HashConstants<R> {
    /// The constants of a suite, each converted by `read`.
    #[inline(always)]
    pub(super) fn new<C: pairwright_curve::Curve>(suite: &Suite<C>, read: impl Fn(&C::Base) -> R) -> Self {
        let Suite { sswu, isogeny, sqrt_ratio, .. } = suite;
        Self {
            sswu: Sswu { a: read(&sswu.a), b: read(&sswu.b), z: read(&sswu.z) },
            sqrt_ratio: SqrtRatio {
                c1: sqrt_ratio.c1,
                c6: read(&sqrt_ratio.c6),
                c7: read(&sqrt_ratio.c7),
                half: read(&sqrt_ratio.half),
            },
            scale: read(&isogeny.scale),
            kernel: isogeny.kernel.iter().map(&read).collect(),
            x: isogeny.x.iter().map(&read).collect(),
            y: isogeny.y.iter().map(&read).collect(),
        }
    }

    /// Maps field elements to points of the curve (RFC 9380, §6.6.3) in Jacobian coordinates. Also returns a value that is zero for
    /// the exceptional elements, for which the point is not computed. `pow` is [`pairwright_curve::HashToCurve::pow_c3`], and
    /// `with_sign` gives the second coordinate the sign of the element.
    #[inline(always)]
    pub(super) fn map(
        &self,
        u: R,
        pow: impl Fn(R) -> R,
        with_sign: impl Fn(R) -> R,
        isogeny: &Isogeny<'_, R>,
    ) -> ([R; 3], R) {
        let [zu2, t] = self.sswu.powers(u);
        let c = self.sswu.candidates(zu2, t, -t);
        let [g, denominator] = c.g;
        let [base, v_power] = self.sqrt_ratio.before_power(g, denominator);
        let [root, check] = SqrtRatio::after_power(pow(base), v_power, g, denominator);
        let [numerator, y] = Sswu::choose(u, zu2, c, self.sqrt_ratio.decide(root, check));
        let [x, y, z] = isogeny.map([numerator, c.denominator, with_sign(y)]);
        ([x * z, y * z.square(), z], t)
    }

    /// The isogeny of the suite.
    #[inline(always)]
    pub(super) fn isogeny(&self) -> Isogeny<'_, R> {
        Isogeny { scale: self.scale, kernel: &self.kernel, x: &self.x, y: &self.y }
    }
}

/// The points to which messages are hashed under a domain separation tag.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn hash<C: GroupInLanes>(suite: &Suite<C>, messages: &[&[u8]], dst: &[u8]) -> Vec<Affine<C>> {
    let mut elements: Vec<[C::Base; 2]> = Vec::with_capacity(messages.len());
    for message in messages {
        elements.push(suite.elements(message, dst));
    }
    of_elements(suite, &elements)
}

/// The points of the subgroup to which pairs of field elements are mapped.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(super) fn of_elements<C: GroupInLanes>(suite: &Suite<C>, elements: &[[C::Base; 2]]) -> Vec<Affine<C>> {
    // SAFETY: this function has the features; the addresses are those of constants.
    let constants =
        HashConstants::new(suite, |x| unsafe { C::Eight::load::<VALUE>([core::ptr::from_ref(x); LANES]).0 });
    let mut mapped: Vec<Jacobian<C>> = Vec::with_capacity(2 * elements.len());
    for u in elements.as_flattened().chunks(LANES) {
        let (points, exceptional) = map(suite, &constants, &filled(u));
        for (i, u) in u.iter().enumerate() {
            let computed = exceptional >> i & 1 == 0;
            mapped.push(if computed { points[i] } else { jacobian(&(suite.map_to_curve)(u)) });
        }
    }
    // Sums that the incomplete formulas cannot compute end as infinity.
    let mut cleared: Vec<Jacobian<C>> = Vec::with_capacity(elements.len());
    for pairs in mapped.as_chunks::<2>().0.chunks(LANES) {
        cleared.extend(&sums(pairs)[..pairs.len()]);
    }
    for (p, [u0, u1]) in cleared.iter_mut().zip(elements).filter(|(p, _)| p.is_infinity()) {
        let sum = (suite.map_to_curve)(u0) + (suite.map_to_curve)(u1);
        *p = (suite.clear_cofactor)(&sum).to_affine().to_jacobian();
    }
    batch_to_affine(&cleared)
}

/// Converts homogeneous to Jacobian coordinates.
fn jacobian<C: GroupInLanes>(p: &Projective<C>) -> Jacobian<C> {
    Jacobian { x: p.x * p.z, y: p.y * p.z.square(), z: p.z }
}

/// Maps eight elements to the curve; also returns the lanes that the portable code has to compute.
#[target_feature(enable = "avx512f,avx512ifma")]
fn map<C: GroupInLanes>(
    suite: &Suite<C>,
    constants: &HashConstants<C::Eight>,
    elements: &[C::Base; LANES],
) -> ([Jacobian<C>; LANES], u8) {
    // SAFETY: this function has the features; the addresses are those of elements.
    let (u, _) = unsafe { C::Eight::load::<VALUE>(elements.each_ref().map(core::ptr::from_ref)) };
    let negative = elements.iter().rev().fold(0, |mask, u| mask << 1 | u8::from(sgn0(u).reveal()));
    let with_sign = |y: C::Eight| C::Eight::blend(y.sign() ^ negative, &y, &-y);
    let pow = |x| C::pow_c3(x, suite.pow_exponent);
    let (point, t) = constants.map(u, pow, with_sign, &constants.isogeny());
    (PointsInLanes::new(point).stored(), t.maybe_zero())
}

/// The sums of up to eight pairs of points, with cleared cofactors.
#[target_feature(enable = "avx512f,avx512ifma")]
fn sums<C: GroupInLanes>(pairs: &[[Jacobian<C>; 2]]) -> [Jacobian<C>; LANES] {
    let at = |i: usize| &pairs[i.min(pairs.len() - 1)];
    let first = PointsInLanes::load_jacobian(from_fn(|i| &at(i)[0]));
    let second = PointsInLanes::load_jacobian(from_fn(|i| &at(i)[1]));
    C::clear_cofactor(&first.plus(&second)).stored()
}
