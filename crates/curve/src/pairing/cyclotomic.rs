//! Squares and powers in the cyclotomic subgroup of the target field, which contains the values of pairings.
//!
//! A power by an exponent with few non-zero digits is computed by compressed squares (Karabina, eprint 2010/542). Four of the six
//! coefficients of an element determine it, and those of its square follow from them with two thirds of the work. Recovering the
//! other two takes a division, so the powers of two at the digits are kept compressed and share one inversion.

use super::{Fq2, Fq12, PairingData, Tower, frobenius};
use alloc::vec::Vec;
use core::ops::Mul;
use pairwright_field::ct::Choice;
use pairwright_field::limbs::bit_window;
use pairwright_field::{Cubic, Field, NonResidue, Quad, Ring, Wide, batch_invert};

/// `f²` for `f` in the cyclotomic subgroup (order dividing `q⁴ - q² + 1`): three squarings in quartic extensions,
/// eprint 2009/565, §3.2. For any other `f`, the result is not the square.
#[inline]
pub fn cyclotomic_square<R, B, W>(f: Quad<Cubic<R, B>, W>) -> Quad<Cubic<R, B>, W>
where
    R: Ring,
    B: NonResidue<R>,
{
    let (Cubic { c0: a0, c1: a2, c2: a4, .. }, Cubic { c0: a1, c1: a3, c2: a5, .. }) = (&f.c0, &f.c1);
    // Squares in the three quartic subextensions R[s]/(s² - ξ), s = w³: (a0, a3), (a1, a4), (a2, a5).
    let (t0, t1) = square_quartic::<R, B>(a0, a3);
    let (t2, t3) = square_quartic::<R, B>(a1, a4);
    let (t4, t5) = square_quartic::<R, B>(a2, a5);
    Quad::new(
        Cubic::new(thrice_less_twice(&t0, a0), thrice_less_twice(&t2, a2), thrice_less_twice(&t4, a4)),
        Cubic::new(thrice_and_twice(&B::mul(t5), a1), thrice_and_twice(&t1, a3), thrice_and_twice(&t3, a5)),
    )
}

/// `3t - 2a`.
#[inline(always)]
fn thrice_less_twice<R: Ring>(t: &R, a: &R) -> R {
    (t.clone() - a.clone()).double() + t.clone()
}

/// `3t + 2a`.
#[inline(always)]
fn thrice_and_twice<R: Ring>(t: &R, a: &R) -> R {
    (t.clone() + a.clone()).double() + t.clone()
}

/// `(a + b·s)²` with `s² = ξ`: by three squares if the ring defers reductions, otherwise by two products.
#[inline(always)]
fn square_quartic<R: Ring, B: NonResidue<R>>(a: &R, b: &R) -> (R, R) {
    if R::DEFERS_REDUCTION {
        let (mut aa, bb) = (R::wide_square(a), R::wide_square(b));
        let mut both = R::wide_square(&(a.clone() + b.clone()));
        both.minus_two(&aa, &bb);
        B::add_wide(&mut aa, &bb);
        return (aa.reduced_near(), both.reduced_near());
    }
    let ab = R::wide(a, b);
    let mut t = R::wide(&(a.clone() + b.clone()), &(a.clone() + B::mul(b.clone())));
    t.minus(&ab);
    t.minus(&B::mul_wide(&ab));
    (t.reduced(), ab.reduced().double())
}

/// An element of the cyclotomic subgroup of a target field, in any representation. The hard part of the final exponentiation is
/// written over this trait.
pub trait Cyclotomic<P: PairingData>: Copy + Mul<Output = Self> {
    /// Returns the square.
    fn squared(self) -> Self;
    /// Returns the inverse, which is a conjugate in the subgroup.
    fn inverse(self) -> Self;
    /// `f^(q^K)` for `K` from 1 to 3.
    fn frobenius<const K: usize>(self) -> Self;

    /// `f^x` for the seed with its sign.
    fn pow_x(self) -> Self {
        let power = self.pow_digits(P::X_DIGITS);
        if P::X_NEGATIVE { power.inverse() } else { power }
    }
    /// `f` to the power of an exponent in signed digits, highest first. Digits are zero or odd and below 16 in magnitude; the first
    /// is 1.
    fn pow_digits(self, digits: &[i8]) -> Self {
        pow_window::<P, Self>(self, digits)
    }
}

/// [`Cyclotomic::pow_digits`] from the highest digit on, with a table of odd powers.
fn pow_window<P: PairingData, T: Cyclotomic<P>>(f: T, digits: &[i8]) -> T {
    let largest = digits.iter().map(|d| d.unsigned_abs()).max().unwrap_or(0) as usize;
    let mut odd = [f; 8];
    if largest > 1 {
        let square = f.squared();
        for i in 1..=largest / 2 {
            odd[i] = odd[i - 1] * square;
        }
    }
    digits.iter().skip(1).fold(f, |power, &d| match d {
        0 => power.squared(),
        1.. => power.squared() * odd[d as usize / 2],
        _ => power.squared() * odd[d.unsigned_abs() as usize / 2].inverse(),
    })
}

impl<P: PairingData> Cyclotomic<P> for Fq12<P> {
    #[inline(never)]
    fn squared(self) -> Self {
        cyclotomic_square(self)
    }
    fn inverse(self) -> Self {
        self.conjugate()
    }
    fn frobenius<const K: usize>(self) -> Self {
        frobenius::<P, K>(&self)
    }
    fn pow_digits(self, digits: &[i8]) -> Self {
        match end_of_long_runs(digits) {
            Some(end) => pow_compressed::<P>(&self, digits, end),
            None => pow_window::<P, Self>(self, digits),
        }
    }
}

/// A compressed element: the coefficients of `w, w², w⁴, w⁵`.
type Four<P> = [Fq2<P>; 4];

/// The shortest run of zero digits for which compression is worthwhile: it saves a third of the work of each square, and recovering
/// an element costs its share of an inversion and some dozen products in Fq2.
const MIN_ZERO_RUN: usize = 8;

/// The position (0 is the lowest) of the highest non-zero digit with at least [`MIN_ZERO_RUN`] zeros directly below it. `None` if there is
/// no such digit, or if a digit is not -1, 0 or 1.
fn end_of_long_runs(digits: &[i8]) -> Option<usize> {
    if digits.iter().any(|d| d.unsigned_abs() > 1) {
        return None;
    }
    let after =
        digits.windows(MIN_ZERO_RUN + 1).position(|run| run[0] != 0 && run[1..].iter().all(|&d| d == 0))?;
    Some(digits.len() - 1 - after)
}

/// `f` to the power of an exponent in digits -1, 0 and 1, highest first. It proceeds from the lowest digit on, by compressed
/// squares up to the position `end`, whose digit is not zero.
fn pow_compressed<P: PairingData>(f: &Fq12<P>, digits: &[i8], end: usize) -> Fq12<P> {
    let digit = |place: usize| digits[digits.len() - 1 - place];
    let signed = |power: Fq12<P>, digit: i8| if digit < 0 { power.conjugate() } else { power };
    let mut kept = Vec::new();
    let mut power = [f.c1.c0, f.c0.c1, f.c0.c2, f.c1.c2];
    for place in 1..=end {
        power = square_compressed::<Fq2<P>, P::V>(&power);
        if digit(place) != 0 {
            kept.push(power);
        }
    }
    let powers = recovered::<P>(&kept);
    let places = (1..=end).filter(|&place| digit(place) != 0);
    let low = powers.iter().zip(places).map(|(power, place)| signed(*power, digit(place)));
    let lowest = (digit(0) != 0).then(|| signed(*f, digit(0)));
    let mut product = lowest.into_iter().chain(low).reduce(|a, b| a * b).unwrap_or(Fq12::<P>::ONE);
    let mut power = powers.last().copied().unwrap_or(*f);
    for place in end + 1..digits.len() {
        power = Cyclotomic::<P>::squared(power);
        if digit(place) != 0 {
            product *= signed(power, digit(place));
        }
    }
    product
}

/// The compressed form of `f²` from that of `f`; [`cyclotomic_square`] computes all six coefficients.
#[inline(never)]
pub(super) fn square_compressed<R: Ring, B: NonResidue<R>>([a1, a2, a4, a5]: &[R; 4]) -> [R; 4] {
    let (t2, t3) = square_quartic::<R, B>(a1, a4);
    let (t4, t5) = square_quartic::<R, B>(a2, a5);
    [
        thrice_and_twice(&B::mul(t5), a1),
        thrice_less_twice(&t2, a2),
        thrice_less_twice(&t4, a4),
        thrice_and_twice(&t3, a5),
    ]
}

/// Recovers elements from their compressed forms. With `A, B, C` the coordinates over `Fq4 = Fq2(w³)`, `A·B = w³·C² + B̄` holds
/// in the subgroup. These are two linear equations in the two coefficients of `A`, with the determinant `a1² - ξ·a4²`. Since ξ is
/// not a square, the determinant is zero only if `B` is. Then `C` is zero too and the element lies in Fq4, whose multiplicative
/// group has only the element one in common with the subgroup.
fn recovered<P: PairingData>(all: &[Four<P>]) -> Vec<Fq12<P>> {
    let mut inverses: Vec<_> = all
        .iter()
        .map(|[a1, _, a4, _]| {
            let mut determinant = <Fq2<P> as Ring>::wide_square(a1);
            determinant.minus(&P::V::mul_wide(&<Fq2<P> as Ring>::wide_square(a4)));
            determinant.reduced()
        })
        .collect();
    let one: Vec<_> = inverses.iter().map(|d| d.ct_eq(&Fq2::<P>::ZERO)).collect();
    for (inverse, one) in inverses.iter_mut().zip(&one) {
        *inverse = Fq2::<P>::select(inverse, &Fq2::<P>::ONE, *one);
    }
    batch_invert(&mut inverses);
    let element = |[a1, a2, a4, a5]: &Four<P>, inverse: Fq2<P>, one| {
        let mut high = <Fq2<P> as Ring>::wide_square(a2);
        P::V::add_wide(&mut high, &<Fq2<P> as Ring>::wide_square(a5));
        let high = high.reduced() - *a4;
        let low = P::V::mul((*a2 * *a5).double()) + *a1;
        let mut a0 = <Fq2<P> as Ring>::wide(a1, &low);
        a0.minus(&P::V::mul_wide(&<Fq2<P> as Ring>::wide(a4, &high)));
        let mut a3 = <Fq2<P> as Ring>::wide(a1, &high);
        a3.minus(&<Fq2<P> as Ring>::wide(a4, &low));
        let a0 = Fq2::<P>::select(&(a0.reduced() * inverse), &Fq2::<P>::ONE, one);
        Quad::new(Cubic::new(a0, *a2, *a4), Cubic::new(*a1, a3.reduced() * inverse, *a5))
    };
    all.iter().zip(inverses).zip(one).map(|((four, inverse), one)| element(four, inverse, one)).collect()
}

/// `f^n` for `f` in the cyclotomic subgroup, `n` as little-endian limbs. Time depends on `n`.
pub fn cyclotomic_pow_vartime<T: Tower>(f: &Fq12<T>, n: &[u64]) -> Fq12<T> {
    let mut acc = Fq12::<T>::ONE;
    for at in (0..pairwright_field::limbs::bits(n) as usize).rev() {
        acc = cyclotomic_square(acc);
        if bit_window(n, at, 1) == 1 {
            acc *= *f;
        }
    }
    acc
}

/// `f^n` for `f` in the cyclotomic subgroup, by windows of four bits; each step reads the whole table. Time depends only on the
/// length of `n`.
pub fn cyclotomic_pow<T: Tower>(f: &Fq12<T>, n: &[u64]) -> Fq12<T> {
    let mut table = [Fq12::<T>::ONE; 16];
    for i in 1..16 {
        table[i] = table[i - 1] * *f;
    }
    let mut acc = Fq12::<T>::ONE;
    for window in (0..16 * n.len()).rev() {
        for _ in 0..4 {
            acc = cyclotomic_square(acc);
        }
        let digit = bit_window(n, 4 * window, 4);
        let mut factor = Fq12::<T>::ONE;
        for (i, entry) in table.iter().enumerate() {
            factor = Fq12::<T>::select(&factor, entry, Choice::is_zero(digit ^ i as u64));
        }
        acc *= factor;
    }
    acc
}

#[cfg(test)]
mod tests;
