//! Compressed squaring in the cyclotomic subgroup (Karabina, eprint 2010/542): four of the six coordinates are enough
//! for a squaring, and the other two are recovered with one inversion.
//!
//! The pairing in this crate does not use it: a squaring has 16 operations on the arithmetic unit instead of 24, but
//! the same latency, and every power needs an inversion, which on this machine takes as long as hundreds of squarings.
//! The lab's `cp/formulas` has the comparison.

use pairwright_chip::compiler::Fp2;

/// The coefficients of `w, w², w⁴, w⁵` of `f²` from those of `f` in the cyclotomic subgroup: 6 products, 16 other
/// operations.
pub fn square<R: Fp2>([a1, a2, a4, a5]: [R; 4]) -> [R; 4] {
    let both = |x: &R| {
        let twice = x.clone().double();
        (twice.clone(), twice + x.clone())
    };
    let (a1x2, a1x3) = both(&a1);
    let (a2x2, a2x3) = both(&a2);
    let (a4x2, a4x3) = both(&a4);
    let (a5x2, a5x3) = both(&a5);
    let (b4, b5) = (a4x3.mul_xi(), a5x3.mul_xi());
    let r2 = (a1 * a1x3.clone() - a2x2.clone()) + a4 * b4;
    let r5 = a1x3 * a4x2.clone() + a5x2;
    let r4 = (a2 * a2x3 - a4x2) + a5 * b5.clone();
    let r1 = a2x2 * b5 + a1x2;
    [r1, r2, r4, r5]
}

/// The divisor of [`recover`], `a1² - ξ·a4²`; among the elements of odd order it is zero only for the element one.
pub fn divisor<R: Fp2>([a1, _, a4, _]: [R; 4]) -> R {
    a1.clone() * a1 - (a4.clone() * a4).mul_xi()
}

/// The coefficients of 1 and `w³`, given the inverse of [`divisor`]. With `A, B, C` the coordinates over
/// `Fp4 = Fp2(w³)`, `A·B = w³·C² + B̄` holds in the subgroup, which gives two linear equations in the two coefficients
/// of `A`.
pub fn recover<R: Fp2>([a1, a2, a4, a5]: [R; 4], inverse: R) -> [R; 2] {
    let high = a2.clone() * a2.clone() + (a5.clone() * a5.clone()).mul_xi() - a4.clone();
    let low = (a2.double() * a5).mul_xi() + a1.clone();
    let a0 = a1.clone() * low.clone() - (a4.clone() * high.clone()).mul_xi();
    let a3 = a1 * high - a4 * low;
    [a0 * inverse.clone(), a3 * inverse]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_chip::compiler::coordinates_of;
    use pairwright_curve::bls12_381::{Fq12, Parameters};
    use pairwright_curve::pairing;
    use pairwright_field::{Field, Ring};
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    #[test]
    fn squares_and_recovers_what_the_tower_has() {
        let mut rng = ChaCha8Rng::seed_from_u64(21);
        for _ in 0..8 {
            let mut f = pairing::easy_part::<Parameters>(&Fq12::random(&mut rng)).unwrap();
            let [_, a2, a4, a1, _, a5] = coordinates_of(&f);
            let mut c = [a1, a2, a4, a5];
            for _ in 0..5 {
                f = Ring::square(f);
                c = square(c);
            }
            let [a0, a2, a4, a1, a3, a5] = coordinates_of(&f);
            assert_eq!(c, [a1, a2, a4, a5]);
            assert_eq!(recover(c, divisor(c).invert().unwrap()), [a0, a3]);
        }
    }
}
