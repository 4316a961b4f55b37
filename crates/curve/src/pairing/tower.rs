//! The target field beyond its ring: Frobenius maps, cyclotomic squaring, powers, the easy part.

use super::PairingData;
use core::fmt::Debug;
use core::ops::Mul;
use pairwright_field::ct::Choice;
use pairwright_field::limbs::bit_window;
use pairwright_field::{Cubic, Extension, Field, NonResidue, PrimeField, Quad, Ring, Root};

/// The tower `Fq12 = Fq6[w]/(w² - v)`, `Fq6 = Fq2[v]/(v³ - ξ)`, `Fq2 = Fq[u]/(u² - β)`.
pub trait Tower: Copy + Eq + Debug + Send + Sync + 'static {
    /// The base field.
    type Fq: PrimeField + Extension<Prime = Self::Fq>;
    /// `u² = β`.
    type U: NonResidue<Self::Fq>;
    /// `v³ = ξ`.
    type V: NonResidue<Fq2<Self>>;
    /// Row `k - 1`, entry `j`: `ξ^(j (q^k - 1)/6)`, what the `k`-th Frobenius multiplies the coefficient of `w^j` by.
    const FROBENIUS: [[Fq2<Self>; 6]; 3];
}

/// The quadratic extension at the bottom of a tower.
pub type Fq2<T> = Quad<<T as Tower>::Fq, <T as Tower>::U>;
/// The cubic extension in the middle of a tower.
pub type Fq6<T> = Cubic<Fq2<T>, <T as Tower>::V>;
/// The field of a pairing's values.
pub type Fq12<T> = Quad<Fq6<T>, Root>;

/// `f^(q^K)` for `K` from 1 to 3: on `f = Σ a_j·w^j` the coefficients are conjugated `K` times and multiplied by
/// [`Tower::FROBENIUS`].
#[inline]
pub fn frobenius<T: Tower, const K: usize>(f: &Fq12<T>) -> Fq12<T> {
    const { assert!(K >= 1 && K <= 3, "powers one to three are tabulated") };
    let gamma = &T::FROBENIUS[K - 1];
    let map = |a: Fq2<T>, j: usize| {
        if K == 2 {
            // ξ^((q²-1)/6) is a sixth root of unity, which lies in Fq.
            a.scale(gamma[j].c0)
        } else if j == 0 {
            a.conjugate()
        } else {
            a.conjugate() * gamma[j]
        }
    };
    Quad::new(
        Cubic::new(map(f.c0.c0, 0), map(f.c0.c1, 2), map(f.c0.c2, 4)),
        Cubic::new(map(f.c1.c0, 1), map(f.c1.c1, 3), map(f.c1.c2, 5)),
    )
}

/// `f²` for `f` in the cyclotomic subgroup (order dividing `q⁴ - q² + 1`): three squarings in quartic extensions,
/// eprint 2009/565, §3.2. Any other `f` gives another value than its square.
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

/// `(a + b·s)²` with `s² = ξ`, by two products: these are cheaper than three squares where the quadratic extension
/// reduces once per coordinate.
#[inline(always)]
fn square_quartic<R: Ring, B: NonResidue<R>>(a: &R, b: &R) -> (R, R) {
    let ab = R::product(a, b);
    let t = R::product(&(a.clone() + b.clone()), &(a.clone() + B::mul(b.clone())));
    (t - ab.clone() - B::mul(ab.clone()), ab.double())
}

/// An element of the cyclotomic subgroup of a target field, in any form that the hard part of a final exponentiation can
/// be computed in.
pub trait Cyclotomic<P: PairingData>: Copy + Mul<Output = Self> {
    /// Returns the square.
    fn squared(self) -> Self;
    /// Returns the inverse, a conjugate.
    fn inverse(self) -> Self;
    /// `f^(q^K)` for `K` from 1 to 3.
    fn frobenius<const K: usize>(self) -> Self;

    /// `f^x` for the seed with its sign: signed digits, zero or odd and below 16 in magnitude.
    fn pow_x(self) -> Self {
        let largest = P::X_DIGITS.iter().map(|d| d.unsigned_abs()).max().unwrap_or(0) as usize;
        let mut odd = [self; 8];
        if largest > 1 {
            let square = self.squared();
            for i in 1..=largest / 2 {
                odd[i] = odd[i - 1] * square;
            }
        }
        let power = P::X_DIGITS.iter().skip(1).fold(self, |power, &d| match d {
            0 => power.squared(),
            1.. => power.squared() * odd[d as usize / 2],
            _ => power.squared() * odd[d.unsigned_abs() as usize / 2].inverse(),
        });
        if P::X_NEGATIVE { power.inverse() } else { power }
    }
}

impl<P: PairingData> Cyclotomic<P> for Fq12<P> {
    fn squared(self) -> Self {
        cyclotomic_square(self)
    }
    fn inverse(self) -> Self {
        self.conjugate()
    }
    fn frobenius<const K: usize>(self) -> Self {
        frobenius::<P, K>(&self)
    }
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

/// `f^n` for `f` in the cyclotomic subgroup, in time that depends on the length of `n` alone: windows of four bits,
/// the table read whole at every step.
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

/// The easy part of the final exponentiation, `f^((q⁶ - 1)(q² + 1))`: lands in the cyclotomic subgroup. `None` for
/// zero.
pub fn easy_part<T: Tower>(f: &Fq12<T>) -> Option<Fq12<T>> {
    let t = f.conjugate() * f.invert()?;
    Some(frobenius::<T, 2>(&t) * t)
}
