//! The formulas of one pairing across the lanes, over any vectors whose lanes can be permuted.
//!
//! The formulas are those of the towers and of `pairwright_curve::pairing::lines`. Each product here computes up to eight
//! products of those formulas, and sums of many terms are reduced once.

use super::super::lazy::Sums;
use super::super::permutation::LanePermutation;
use pairwright_curve::pairing::{PairingData, Tower, TwistKind};
use pairwright_field::{NonResidue, Quad, Ring};

/// A tower over values `T` in the role of its base field.
pub(crate) trait TowerOver<T: Sums>:
    PairingData<U: NonResidue<T>, V: NonResidue<Quad<T, Self::U>>>
{
}
impl<T: Sums, P: PairingData<U: NonResidue<T>, V: NonResidue<Quad<T, P::U>>>> TowerOver<T> for P {}

/// Elements of the quadratic extension, one per lane: the coefficients of an element of the target field, of a line or of a
/// point.
pub(super) type Coefficients<P, T> = Quad<T, <P as Tower>::U>;

/// Permutes the lanes of one or two values: lane `i` of the result is the lane named at position `i`. `pick!(x; 0 1 _ 2)` has
/// zero in its third lane and in the lanes after the last one that is named; in `pick!(x, y; 0 8)`, lanes of `y` are numbered from
/// 8 on.
macro_rules! pick {
    ($x:expr; $($from:tt)+) => { pick!($x, $x; $($from)+) };
    ($x:expr, $y:expr; $($from:tt)+) => {
        Sums::pick_of(&$x, &$y, const { &LanePermutation::new(&[$(pick!(@ $from)),+]) })
    };
    (@ _) => { -1 };
    (@ $from:literal) => { $from };
}

/// The sum of some values minus the sum of others: `sum!(+ a, b; - c)`.
macro_rules! sum {
    (+ $($plus:expr),*; - $($minus:expr),*) => { Sums::sum([$(&$plus),*], [$(&$minus),*]) };
    (+ $($plus:expr),*) => { Sums::sum([$(&$plus),*], []) };
}

/// Three squares in quartic extensions, as [`pairwright_curve::pairing::cyclotomic_square`], by six products.
#[inline(always)]
pub(super) fn cyclotomic_square<P: TowerOver<T>, T: Sums>(f: Coefficients<P, T>) -> Coefficients<P, T> {
    // (a, b) is (a0, a3), (a1, a4), (a2, a5), the coefficients of powers of w: a·b, and (a + b)(a + ξb).
    let twisted = P::V::mul(pick!(f; _ _ _ 4 2 5));
    let left = sum!(+ pick!(f; 0 3 1 0 3 1), pick!(f; _ _ _ 4 2 5));
    let right = sum!(+ pick!(f; 4 2 5 0 3 1), twisted);
    let p = left * right;
    let twisted = P::V::mul(pick!(p; 0 1 2 2));
    // The constant terms of the squares, (a + b)(a + ξb) - ab - ξab; and their other terms, 2ab, or 2ξab.
    let squares = sum!(+ pick!(p; 3 4 5 _ 0 1), pick!(p, twisted; _ _ _ 11 0 1), pick!(twisted; _ _ _ 3);
        - pick!(p; 0 1 2), pick!(twisted; 0 1 2));
    // 3t - 2f below, 3t + 2f above.
    let (low, high) = (pick!(f; 0 1 2), pick!(f; _ _ _ 3 4 5));
    // The elements pass from square to square through sums only, so they have to be settled.
    Sums::settled(sum!(+ squares, squares, squares, high, high; - low, low))
}

/// The product in the target field, by three products in Fq6: of the low halves, of the high halves, and of the sums of the halves.
#[inline(always)]
pub(super) fn product<P: TowerOver<T>, T: Sums>(
    f: Coefficients<P, T>,
    g: Coefficients<P, T>,
) -> Coefficients<P, T> {
    let (a, b) = (Halves::of(f), Halves::of(g));
    let (low, high) = (a.low * b.low, a.high * b.high);
    let cross = a.both() * b.both();
    let sixes = fold::<P, T>(low, sum!(+ cross; - low, high));
    let high = fold::<P, T>(high, high);
    let wrapped = P::V::mul(pick!(high; 2));
    Sums::settled(sum!(+ sixes, wrapped, pick!(high; _ 0 1)))
}

/// The halves of an element as operands of products in Fq6: `a0, a1, a2, a1 + a2, a0 + a1, a0 + a2`.
struct Halves<W> {
    low: W,
    high: W,
}

impl<W: Sums> Halves<W> {
    #[inline(always)]
    fn of(f: W) -> Self {
        Self {
            low: sum!(+ pick!(f; 0 1 2 1 0 0), pick!(f; _ _ _ 2 1 2)),
            high: sum!(+ pick!(f; 3 4 5 4 3 3), pick!(f; _ _ _ 5 4 5)),
        }
    }
    #[inline(always)]
    fn both(&self) -> W {
        self.low + self.high
    }
}

/// Two products in Fq6 from the products of their operands: the first result in lanes 0 to 2, the second in lanes 3 to 5.
#[inline(always)]
fn fold<P: TowerOver<T>, T: Sums>(
    first: Coefficients<P, T>,
    second: Coefficients<P, T>,
) -> Coefficients<P, T> {
    // From v0, v1, v2 and the products of sums m12, m01, m02: v0 + ξ(m12 - v1 - v2), m01 - v0 - v1 + ξv2 and
    // m02 - v0 - v2 + v1.
    let twisted = sum!(+ pick!(first, second; 3 2 _ 11 10);
        - pick!(first, second; 1 _ _ 9), pick!(first, second; 2 _ _ 10));
    let twisted = P::V::mul(twisted);
    sum!(+ twisted, pick!(first, second; 0 4 5 8 12 13), pick!(first, second; _ _ 1 _ _ 9);
        - pick!(first, second; _ 0 0 _ 8 8), pick!(first, second; _ 1 2 _ 9 10))
}

/// The square of any element of the target field: `(a + b·w)² = (a + b)(a + v·b) - ab - v·ab + 2ab·w`.
#[inline(always)]
pub(super) fn square<P: TowerOver<T>, T: Sums>(f: Coefficients<P, T>) -> Coefficients<P, T> {
    let Halves { low, high } = Halves::of(f);
    let root = P::V::mul(pick!(f; 5));
    let shifted = sum!(+ pick!(f; 0 1 2), root, pick!(f; _ 3 4));
    let shifted = sum!(+ pick!(shifted; 0 1 2 1 0 0), pick!(shifted; _ _ _ 2 1 2));
    let product = low * high;
    let sixes = fold::<P, T>((low + high) * shifted - product, product);
    let root = P::V::mul(pick!(sixes; 5));
    // The result is settled, because the product by a line has sums of four coefficients as operands.
    Sums::settled(sum!(+ sixes, pick!(sixes; _ _ _ 3 4 5); - root, pick!(sixes; _ 3 4)))
}

/// The product of `f` and a line, whose coefficients are in the first three lanes in the order of
/// [`pairwright_curve::pairing::lines::Line`]. Its thirteen products take two products in lanes, of eight and five.
#[inline(always)]
pub(super) fn mul_by_line<P: TowerOver<T>, T: Sums>(
    f: Coefficients<P, T>,
    line: Coefficients<P, T>,
) -> Coefficients<P, T> {
    let halves_added =
        sum!(+ pick!(f; 0 1 1 0 0), pick!(f; _ _ 2 2 1), pick!(f; 3 4 4 3 3), pick!(f; _ _ 5 5 4));
    let (p, q) = match P::TWIST {
        TwistKind::M => {
            let halves = sum!(+ pick!(f; 0 1 1 0 0 3 4 5), pick!(f; _ _ 2 2 1));
            let factors = sum!(+ pick!(line; 0 1 1 0 0 2 2 2), pick!(line; _ _ _ _ 1));
            let of_sum = sum!(+ pick!(line; 0 1 1 0 0), pick!(line; _ 2 2 _ 1), pick!(line; _ _ _ _ 2));
            (halves * factors, halves_added * of_sum)
        }
        TwistKind::D => {
            let halves = sum!(+ pick!(f; 3 4 4 3 3 0 1 2), pick!(f; _ _ 5 5 4));
            let factors = sum!(+ pick!(line; 1 0 0 1 1 2 2 2), pick!(line; _ _ _ _ 0));
            let of_sum = sum!(+ pick!(line; 1 0 0 1 1), pick!(line; 2 _ _ 2 2), pick!(line; _ _ _ _ 0));
            (halves * factors, halves_added * of_sum)
        }
    };
    // `p` has the products of `mul_by_01` for one half and those for the other half; `d` has the products for the sum of the
    // halves minus those in `p`.
    let d = q - p;
    let (twisted, rest) = match P::TWIST {
        TwistKind::M => (
            sum!(+ pick!(p, d; 2 7 _ 10), pick!(p; 6); - pick!(p, d; 1 _ _ 9), pick!(p; _ _ _ 7)),
            sum!(+ pick!(p, d; 0 4 3 8 12 11), pick!(p, d; _ _ 1 _ _ 9), pick!(p; _ _ 5);
                - pick!(p, d; _ 0 0 _ 8 8), pick!(p, d; _ 1 _ _ 9 6), pick!(p; _ _ _ _ 5)),
        ),
        TwistKind::D => (
            sum!(+ pick!(p, d; 3 2 _ 10), pick!(p; 1); - pick!(p, d; 0 1 _ 9)),
            sum!(+ pick!(p, d; 5 6 7 8 12 11), pick!(p, d; _ 0 4 _ _ 9);
                - pick!(p; _ _ 0 5 6 7), pick!(p, d; _ _ 1 _ 8 8), pick!(d; _ _ _ _ 1)),
        ),
    };
    rest + P::V::mul(twisted)
}

/// [`pairwright_curve::pairing::lines::double_step`] by one squaring and one product in lanes (five squares, then four products).
/// Returns the double of the point, and the line. `b3` is `3b'` in every lane.
#[inline(always)]
pub(super) fn double<P: TowerOver<T>, T: Sums>(
    t: Coefficients<P, T>,
    b3: Coefficients<P, T>,
) -> [Coefficients<P, T>; 2] {
    // X², Y², Z², (X + Y)², (Y + Z)².
    let s = sum!(+ pick!(t; 0 1 2 0 1), pick!(t; _ _ _ 1 2)).square();
    let e = P::mul_3b_twist(pick!(s; 2 2 2), b3);
    // e·e, 2XY·(Y² - 3e), (Y² + 3e)², 2YZ·Y².
    let left = sum!(+ pick!(e, s; 0 11 2 12), pick!(e; _ _ 2), pick!(e, s; _ _ 2), pick!(s; _ _ 1);
        - pick!(s; _ 0 _ 1), pick!(s; _ 1 _ 2));
    let right = sum!(+ pick!(e, s; 0 9 2 9), pick!(e; _ _ 2), pick!(e; _ _ 2), pick!(s; _ _ 1);
        - pick!(e; _ 1), pick!(e; _ 1), pick!(e; _ 1));
    let r = left * right;
    let four = r.times(4);
    let point = sum!(+ pick!(r, four; 1 2 11); - pick!(four; _ 0), pick!(four; _ 0), pick!(four; _ 0));
    // e - Y², 3X², Y² + Z² - (Y + Z)².
    [point, sum!(+ pick!(e, s; 0 8 9), pick!(s; _ 0 2), pick!(s; _ 0); - pick!(s; 1 _ 4))]
}

/// [`pairwright_curve::pairing::lines::add_step`] by four products in lanes. Returns the sum with a point, whose coordinates are in
/// two lanes, and the line.
#[inline(always)]
pub(super) fn add<P: TowerOver<T>, T: Sums>(
    t: Coefficients<P, T>,
    q: Coefficients<P, T>,
) -> [Coefficients<P, T>; 2] {
    // λ = X - x·Z and θ = Y - y·Z.
    let d = pick!(t; 0 1) - pick!(t; 2 2) * pick!(q; 0 1);
    // λ², θ², θ·x, λ·y.
    let s = pick!(d; 0 1 1 0) * pick!(d, q; 0 1 8 9);
    // e = λ·λ², f = Z·θ², g = X·λ².
    let u = pick!(d, t; 0 10 8) * pick!(s; 0 1 0);
    // λ·h, θ·(g - h), e·Y, Z·e with h = e + f - 2g.
    let right = sum!(+ pick!(u, t; 0 2 9 0), pick!(u; 1 2), pick!(u; _ 2); - pick!(u; 2 0), pick!(u; 2 1));
    let r = sum!(+ pick!(d, u; 0 1 8), pick!(t; _ _ _ 2)) * right;
    let point = sum!(+ pick!(r; 0 1 3); - pick!(r; _ 2));
    // θ·x - λ·y, -θ, λ.
    [point, sum!(+ pick!(s, d; 2 _ 8); - pick!(s, d; 3 9))]
}

/// The negative of a point.
#[inline(always)]
pub(super) fn negative<P: TowerOver<T>, T: Sums>(t: Coefficients<P, T>) -> Coefficients<P, T> {
    sum!(+ pick!(t; 0 _ 2); - pick!(t; _ 1))
}

/// The conjugate over Fq6, which is the inverse in the cyclotomic subgroup.
#[inline(always)]
pub(super) fn conjugate<P: TowerOver<T>, T: Sums>(f: Coefficients<P, T>) -> Coefficients<P, T> {
    sum!(+ pick!(f; 0 1 2); - pick!(f; _ _ _ 3 4 5))
}
