//! The hash-to-curve suites of BLS12-381: RFC 9380, §8.8.

use super::{Fq, Fq2, G1, G2, Parameters, hash_constants as k};
use crate::Projective;
use crate::hash_to_curve::{HashToCurve, Isogeny, SqrtRatio, Sswu, pow_c3_quad, powers_public};
use crate::pairing::{quad, quads};
use crate::subgroup::{self, Incomplete};
use pairwright_field::{Field, Ring};

const fn fq_row<const N: usize>(c: [[u64; 6]; N]) -> [Fq; N] {
    let mut out = [Fq::constant([0; 6]); N];
    let mut i = 0;
    while i < N {
        out[i] = Fq::constant(c[i]);
        i += 1;
    }
    out
}

impl HashToCurve for G1 {
    const SUITE_RO: &'static str = "BLS12381G1_XMD:SHA-256_SSWU_RO_";
    const SUITE_NU: &'static str = "BLS12381G1_XMD:SHA-256_SSWU_NU_";
    const SSWU: Sswu<Fq> =
        Sswu { a: Fq::constant(k::G1_ISO_A), b: Fq::constant(k::G1_ISO_B), z: Fq::constant(k::G1_Z) };
    const ISOGENY: Isogeny<'static, Fq> = Isogeny {
        scale: Fq::constant(k::G1_ISO_SCALE),
        kernel: &fq_row(k::G1_ISO_KERNEL),
        x: &fq_row(k::G1_ISO_X),
        y: &fq_row(k::G1_ISO_Y),
    };
    const SQRT_RATIO: SqrtRatio<Fq> = SqrtRatio {
        c1: 1,
        c6: Fq::constant(k::G1_ROOT_C6),
        c7: Fq::constant(k::G1_ROOT_C7),
        half: Fq::constant(k::HALF),
    };

    const POW_EXPONENT: &'static [u64] = &k::G1_ROOT_C3;

    fn pow_c3<const K: usize>(x: [Fq; K]) -> [Fq; K] {
        powers_public(x, Self::POW_EXPONENT)
    }
    fn clear_cofactor(p: &Projective<Self>) -> Projective<Self> {
        let cleared = subgroup::clear_bls12_g1::<Parameters, _>(&Incomplete::new(p));
        // The incomplete formulas fail with negligible probability on hashed messages, so this branch reveals nothing.
        cleared.finite().unwrap_or_else(|| subgroup::clear_bls12_g1::<Parameters, _>(p))
    }
}

impl HashToCurve for G2 {
    const SUITE_RO: &'static str = "BLS12381G2_XMD:SHA-256_SSWU_RO_";
    const SUITE_NU: &'static str = "BLS12381G2_XMD:SHA-256_SSWU_NU_";
    const SSWU: Sswu<Fq2> = Sswu { a: quad(k::G2_ISO_A), b: quad(k::G2_ISO_B), z: quad(k::G2_Z) };
    const ISOGENY: Isogeny<'static, Fq2> = Isogeny {
        scale: quad(k::G2_ISO_SCALE),
        kernel: &quads(k::G2_ISO_KERNEL),
        x: &quads(k::G2_ISO_X),
        y: &quads(k::G2_ISO_Y),
    };
    const SQRT_RATIO: SqrtRatio<Fq2> =
        SqrtRatio { c1: 3, c6: quad(k::G2_ROOT_C6), c7: quad(k::G2_ROOT_C7), half: quad([k::HALF, [0; 6]]) };

    /// Uses the complex method: without SIMD lanes, two powers in Fq take less time than one power in Fq2.
    fn sqrt_ratios<const K: usize>(quotients: [[Fq2; 2]; K]) -> [[Fq2; 2]; K] {
        let powers = |x: [Fq; K]| powers_public(x, &k::G1_ROOT_C3);
        // u/v = a/n for n in Fq. An element of Fq2 is a square if its norm is a square in Fq, and -1 is not a square in Fq.
        let quotients = quotients.map(|[u, v]| (u * v.conjugate(), v.norm()));
        let norms = quotients.map(|(a, _)| a.norm());
        let roots = powers(norms);
        let halves = core::array::from_fn(|i| {
            let (a, n) = quotients[i];
            let s = norms[i] * roots[i];
            let is_square = s.square().ct_eq(&norms[i]);
            let a = Fq2::select(&(Self::SSWU.z * a), &a, is_square);
            // The square root of the norm of a.
            let s = Fq::select(&(Fq::constant(k::G2_ROOT_NORM) * s), &s, is_square);
            // With d = (a0 + s)/2n the root is (√d, a1/(2n·√d)) if d is a square, and (-a1/(2n·√-d), √-d) otherwise.
            let sum = a.c0 + s;
            (is_square, a.c1, Fq::select(&sum, &(a.c0 - s), sum.ct_eq(&Fq::ZERO)), n.double())
        });
        let powers = powers(halves.map(|(_, _, over, under)| over * under.square() * under));
        core::array::from_fn(|i| {
            let ((is_square, a1, over, under), e): (_, Fq) = (halves[i], powers[i]);
            let (one, other) = (over * under * e, a1 * under * e);
            let positive = (one.square() * under).ct_eq(&over);
            let root = Fq2::new(Fq::select(&-other, &one, positive), Fq::select(&one, &other, positive));
            [Fq2::select(&Fq2::ZERO, &Fq2::ONE, is_square), root]
        })
    }

    const POW_EXPONENT: &'static [u64] = &k::G2_ROOT_K;

    fn pow_c3<const K: usize>(x: [Fq2; K]) -> [Fq2; K] {
        x.map(|x| pow_c3_quad(x, Self::POW_EXPONENT))
    }
    fn clear_cofactor(p: &Projective<Self>) -> Projective<Self> {
        let cleared = subgroup::clear_bls12_g2::<Parameters, _>(&Incomplete::new(p));
        // The incomplete formulas fail with negligible probability on hashed messages, so this branch reveals nothing.
        cleared.finite().unwrap_or_else(|| subgroup::clear_bls12_g2::<Parameters, _>(p))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_field::{PrimeField, Sqrt};
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// Compares the squares of roots with the quotients, for random operands, operands with one coordinate and quotients in Fq.
    #[test]
    fn roots_of_quotients_in_fq2() {
        let mut rng = ChaCha20Rng::seed_from_u64(12);
        let mut values: Vec<Fq2> = (1..5u64)
            .flat_map(|i| {
                let (i, zero) = (Fq::from(i), Fq::ZERO);
                [Fq2::new(i, zero), Fq2::new(-i, zero), Fq2::new(zero, i), Fq2::new(zero, -i), Fq2::new(i, i)]
            })
            .collect();
        values.extend((0..20).map(|_| Fq2::random(&mut rng)));
        let mut squares = 0;
        for (u, v) in values.iter().flat_map(|u| values.iter().map(move |v| (*u, *v))) {
            let [[is_square, root]] = G2::sqrt_ratios([[u, v]]);
            let quotient = u * v.invert().unwrap();
            let square = quotient.sqrt_vartime().is_some();
            assert_eq!(is_square, if square { Fq2::ONE } else { Fq2::ZERO });
            assert_eq!(root.square(), if square { quotient } else { G2::SSWU.z * quotient }, "{u:?} / {v:?}");
            squares += usize::from(square);
        }
        assert!(squares > 100 && squares < values.len() * values.len() - 100);
    }

    /// Checks the computation of the power in Fq2 against its exponent, (q² - 9)/16.
    #[test]
    fn power_in_fq2_by_frobenius() {
        let x = Fq2::new(Fq::from(3), Fq::from(5));
        let to_the = |n: u64, y: Fq2| y.pow_vartime(&[n]);
        // x^(q²) = x, so the 16th power is x^-8.
        let [power] = G2::pow_c3([x]);
        assert_eq!(to_the(16, power) * to_the(8, x), Fq2::ONE);
        let x_k = x.pow_vartime(G2::POW_EXPONENT);
        let direct = x_k.pow_vartime(Fq::MODULUS.as_ref()) * to_the(11, x_k) * to_the(7, x);
        assert_eq!(power, direct);
    }
}
