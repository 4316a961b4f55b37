//! The tower of the target field, its Frobenius maps, and the easy part of the final exponentiation.

use core::fmt::Debug;
use pairwright_field::{Cubic, Extension, Field, NonResidue, PrimeField, Quad, Root};

/// The tower `Fq12 = Fq6[w]/(w² - v)`, `Fq6 = Fq2[v]/(v³ - ξ)`, `Fq2 = Fq[u]/(u² - β)`.
pub trait Tower: Copy + Eq + Debug + Send + Sync + 'static {
    /// The base field.
    type Fq: PrimeField + Extension<Prime = Self::Fq>;
    /// The non-residue β, with `u² = β`.
    type U: NonResidue<Self::Fq>;
    /// The non-residue ξ, with `v³ = ξ`.
    type V: NonResidue<Fq2<Self>>;
    /// Entry `j` of row `k - 1` is `ξ^(j (q^k - 1)/6)`, by which the `k`-th Frobenius map multiplies the coefficient of `w^j`.
    const FROBENIUS: [[Fq2<Self>; 6]; 3];
}

/// The quadratic extension `Fq2` of a tower.
pub type Fq2<T> = Quad<<T as Tower>::Fq, <T as Tower>::U>;
/// The cubic extension `Fq6` of a tower.
pub type Fq6<T> = Cubic<Fq2<T>, <T as Tower>::V>;
/// The target field `Fq12` of a tower, which contains the values of the pairing.
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

/// The easy part of the final exponentiation, `f^((q⁶ - 1)(q² + 1))`, which is in the cyclotomic subgroup. `None` for
/// zero.
pub fn easy_part<T: Tower>(f: &Fq12<T>) -> Option<Fq12<T>> {
    let t = f.conjugate() * f.invert()?;
    Some(frobenius::<T, 2>(&t) * t)
}
