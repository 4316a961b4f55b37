//! A lower bound of the time of an operator: the number of modular products that the best known algorithm needs, times the least time
//! of a product in lanes on this processor.
//!
//! The time of a product is measured in the same run ([`Bound::measured`]): independent products of eight values per
//! instruction, by kernels of `moma` with one to three interleaved products, of which the fastest counts. On `t` threads the bound is a
//! `t`-th of that on one. Only products count: no additions, loads, inversions or idle lanes.
//!
//! Counts are in products of the base field, each of which is a product of integers and a reduction of about the same cost. A product
//! in Fq2 counts as 5/2 (three products of integers and two reductions), a square in Fq2 as 2, a product in Fq12 as 45, a square in
//! Fq12 as 30, a cyclotomic square as 18 ([`ProductCount`] has the counts for each operator). A square
//! in the base field counts as 4/5, since half of its products of digits are computed once and doubled.

use crate::kernels::{BLOCKS, product, spec};
use num_bigint::BigUint;
use pairwright_cpu::{Isa, isa};
use pairwright_curve::pairing::{Family, PairingData};
use pairwright_curve::{Curve, Pairing};
use pairwright_device::PlannedCall;
use pairwright_field::{Extension, PrimeField};
use pairwright_moma::ir::Range;
use pairwright_moma::machine::Machine;
use pairwright_moma::print::constants;
use pairwright_testkit::jit::AlignedWords;
use serde::Serialize;
use std::ops::{Add, Mul};
use std::time::Instant;

/// Number of passes over all values in one run.
const PASSES: usize = 400;
/// Number of runs of a kernel, of which the fastest counts.
const RUNS: usize = 200;

/// The least time of a modular product in lanes, in nanoseconds per product.
#[derive(Clone, Copy, Serialize)]
pub struct Bound {
    /// The time in a field of up to 255 bits: five digits of 52 bits.
    pub five_digits_ns: f64,
    /// The time in a field of up to 400 bits: eight digits.
    pub eight_digits_ns: f64,
}

impl Bound {
    /// Measures both times, which takes about two seconds; `None` if the operators do not run in lanes.
    pub fn measured() -> Option<Self> {
        (isa() == Ok(Isa::Avx512))
            .then(|| Self { five_digits_ns: fastest(255), eight_digits_ns: fastest(400) })
    }

    /// The least time of these products on this number of threads, in seconds.
    pub fn seconds(&self, products: ProductCount, threads: usize) -> f64 {
        let ns = products.five * self.five_digits_ns + products.eight * self.eight_digits_ns;
        ns / threads as f64 * 1e-9
    }
}

fn fastest(bits: u32) -> f64 {
    let machine = Machine::named("avx512").expect("ships");
    let field = spec(bits, Range::Twice);
    let words = field.words(&machine) as usize;
    let q = (BigUint::from(1u32) << (bits - 1)) + 79u32;
    let k = constants(field, &q, &machine).expect("odd")[..=words].to_vec();
    // The time does not depend on the digits.
    let y = AlignedWords::new(BLOCKS * 8 * words, 0x5_5555_5555);
    let kernels = [1, 2, 3].map(|ways| product(field, &machine, ways));
    let mut x = AlignedWords::copied(&y);
    let mut least = f64::INFINITY;
    for _ in 0..RUNS {
        for kernel in &kernels {
            let start = Instant::now();
            kernel.call(PASSES, &mut x, &[&y, &k]);
            least = least.min(start.elapsed().as_secs_f64());
        }
    }
    least * 1e9 / (8 * BLOCKS * PASSES) as f64
}

/// Numbers of products, by the length of their field in digits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct ProductCount {
    five: f64,
    eight: f64,
}

/// Cost of a square in products; the next constants are those of operations in the extensions of a pairing's tower.
const SQUARE: f64 = 0.8;
const FQ2: f64 = 2.5;
const FQ2_SQUARE: f64 = 2.0;
const FQ12: f64 = 18.0 * FQ2;
const FQ12_SQUARE: f64 = 12.0 * FQ2;
const CYCLOTOMIC_SQUARE: f64 = 9.0 * FQ2_SQUARE;
/// Products of an affine addition with a shared inversion. In the quadratic extension, norms are inverted: this takes a norm (two
/// squares of integers and a reduction), three products in the base field, two products by the inverse, then two products and a square.
const ADDITION: f64 = 5.0 + SQUARE;
const ADDITION_IN_FQ2: f64 = (2.0 * (SQUARE - 0.5) + 0.5) + 3.0 + 2.0 + 2.0 * FQ2 + FQ2_SQUARE;
/// Products of a multiplication of a point of the first group by a weight of 128 bits in two halves: 64 doublings in Jacobian coordinates
/// (2M + 5S), and in each half 13 mixed additions (7M + 4S).
const WEIGHING: f64 = 64.0 * (2.0 + 5.0 * SQUARE) + 2.0 * 13.0 * (7.0 + 4.0 * SQUARE);
/// Products of hashing to the second group of BLS12-381: two maps to a curve (square roots by two powers in Fq of 380
/// squares and 77 products each, and 133 other products) with their isogenies (59), an addition (11M + 5S in Fq2), two
/// multiples by the seed (63 doublings, 5 additions) and four additions.
const HASH_TO_G2: f64 = {
    let (double, add) = (2.0 * FQ2 + 5.0 * FQ2_SQUARE, 11.0 * FQ2 + 5.0 * FQ2_SQUARE);
    2.0 * (2.0 * (380.0 * SQUARE + 77.0) + 133.0 + 59.0) + add + 2.0 * (63.0 * double + 5.0 * add) + 4.0 * add
};

impl ProductCount {
    /// A number of products in a field.
    fn of<F: PrimeField>(count: f64) -> Self {
        if F::BITS <= 255 { Self { five: count, eight: 0.0 } } else { Self { five: 0.0, eight: count } }
    }

    /// The products of a transform of `2^log` values: `n/2 log n`.
    pub fn ntt<F: PrimeField>(log: u32) -> Self {
        Self::of::<F>(f64::from(1 << log) / 2.0 * f64::from(log))
    }

    /// The products of a multi-scalar multiplication of `n` points by scalars of `bits` bits, by signed windows and batched affine
    /// additions; for coordinates in the quadratic extension, additions have the cost of that extension.
    pub fn msm<C: Curve>(n: usize, bits: u32) -> Self {
        let per = if C::Base::DEGREE == 1 { 1.0 } else { ADDITION_IN_FQ2 / ADDITION };
        Self::of::<<C::Base as Extension>::Prime>(per * msm(n as f64, bits))
    }

    /// The products of a product of `plain` pairings and `fixed` pairings with prepared lines.
    pub fn pairings<E: Family + Pairing>(plain: usize, fixed: usize) -> Self {
        let (plain, fixed) = (plain as f64, fixed as f64);
        Self::of::<E::Fq>(miller::<E>(plain, fixed) + final_exponentiation::<E>())
    }

    /// The products of the verification of `n` Groth16 proofs together: `n` pairings and three fixed ones, a multiplication of each A by
    /// a weight, and an MSM of the points C with weights of 128 bits.
    pub fn proofs<E: Family + Pairing>(n: usize) -> Self {
        Self::pairings::<E>(n, 3) + Self::of::<E::Fq>(WEIGHING * n as f64) + Self::msm::<E::G1>(n, 128)
    }

    /// The products of hashing `n` messages to the second group of BLS12-381.
    pub fn hashes<E: Family + Pairing>(n: usize) -> Self {
        Self::of::<E::Fq>(HASH_TO_G2 * n as f64)
    }

    /// The products of the verification of an aggregate of `n` signatures with keys in the first group: `n` hashes and `n + 1` pairings.
    pub fn aggregate<E: Family + Pairing>(n: usize) -> Self {
        Self::pairings::<E>(n + 1, 0) + Self::hashes::<E>(n)
    }

    /// The products of the verification of `n` independent signatures together: an aggregate whose keys and signatures are multiplied by
    /// weights.
    pub fn signatures<E: Family + Pairing>(n: usize) -> Self {
        Self::aggregate::<E>(n) + Self::of::<E::Fq>(WEIGHING * n as f64) + Self::msm::<E::G2>(n, 128)
    }

    /// The products of a Groth16 proof over a domain of `2^log`: four MSMs in the first group and one in the second, with `2^log`
    /// full-width scalars, and six transforms.
    pub fn groth16<E: Family + Pairing>(log: u32) -> Self {
        let (n, bits) = (1 << log, <E as Pairing>::Fr::BITS);
        let first = Self::msm::<E::G1>(n, bits) * 4.0;
        first + Self::msm::<E::G2>(n, bits) + Self::ntt::<<E as Pairing>::Fr>(log) * 6.0
    }

    /// The products of a Plonk proof over a domain of `2^log`: nine MSMs, and the transforms in its plan, counted as transforms of the
    /// size of the domain.
    pub fn plonk<E: Family + Pairing>(log: u32, plan: &[PlannedCall]) -> Self {
        let transforms = plan.iter().filter(|call| ["ntt", "intt"].contains(&call.operator)).count();
        let sum = Self::msm::<E::G1>(1 << log, <E as Pairing>::Fr::BITS);
        sum * 9.0 + Self::ntt::<<E as Pairing>::Fr>(log) * transforms as f64
    }
}

impl Add for ProductCount {
    type Output = Self;
    fn add(self, o: Self) -> Self {
        Self { five: self.five + o.five, eight: self.eight + o.eight }
    }
}
impl Mul<f64> for ProductCount {
    type Output = Self;
    fn mul(self, times: f64) -> Self {
        Self { five: self.five * times, eight: self.eight * times }
    }
}

/// The products of an MSM with `W` signed windows of `c` bits: `W (n - 2^(c-1))` additions to buckets, affine with a shared inversion, at
/// 6 products each, one of them a square, and `W 2^(c-1)` buckets reduced at four additions each. The best `c` counts, with the
/// endomorphism (twice the points, half the bits) or without.
fn msm(n: f64, bits: u32) -> f64 {
    let cost = |n: f64, bits: u32, c: u32| {
        let (windows, buckets) = (f64::from(bits.div_ceil(c)), f64::from(1u32 << (c - 1)));
        windows * ADDITION * ((n - buckets).max(0.0) + 4.0 * buckets)
    };
    let best = |n: f64, bits: u32| (2..=22).map(|c| cost(n, bits, c)).fold(f64::INFINITY, f64::min);
    best(n, bits).min(best(2.0 * n, bits / 2 + 1))
}

/// The products of Miller loops: a doubling (2M + 7S in Fq2) for every digit of the loop, and an addition (11M + 2S) for every non-zero
/// digit and for the two last lines of a Barreto–Naehrig curve. Each has a line at the point of the first group
/// (4) and its sparse product (13M in Fq2; 9M for a prepared line). The squares of the loop are shared.
fn miller<E: Family + Pairing>(plain: f64, fixed: f64) -> f64 {
    let digits = E::Data::MILLER_DIGITS;
    let doublings = digits.len() as f64;
    let tail = if E::FROBENIUS_TAIL { 2 } else { 0 };
    let additions = (digits.iter().filter(|d| **d != 0).count() + tail) as f64;
    let (double, add) = (2.0 * FQ2 + 7.0 * FQ2_SQUARE, 11.0 * FQ2 + 2.0 * FQ2_SQUARE);
    let lines = doublings + additions;
    plain * (doublings * double + additions * add + lines * (4.0 + 13.0 * FQ2))
        + fixed * lines * (4.0 + 9.0 * FQ2)
        + (doublings - 1.0) * FQ12_SQUARE
}

/// The products of a final exponentiation: five (BLS12) or three (BN) powers by the seed with cyclotomic squares, and products in Fq12
/// (including the easy part, 9 and 14, where the inversion and the Frobenius maps count as two products).
fn final_exponentiation<E: Family + Pairing>() -> f64 {
    let digits = E::Data::X_DIGITS;
    let additions = digits.iter().filter(|d| **d != 0).count() as f64 - 1.0;
    let power = (digits.len() as f64 - 1.0) * CYCLOTOMIC_SQUARE + additions * FQ12;
    let (powers, products) = if E::FROBENIUS_TAIL { (3.0, 14.0) } else { (5.0, 9.0) };
    powers * power + products * FQ12
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Bls12_381, Fr, G1, G2};
    use pairwright_curve::bn254::{self, Bn254};

    /// Compares counts with values computed by hand.
    #[test]
    fn counts() {
        // Windows of 13 bits of two halves: 10 (2^17 - 2^12) additions, and four for each of 10 2^12 buckets.
        let g1 = 10.0 * 5.8 * (126_976.0 + 4.0 * 4096.0);
        let first = ProductCount::msm::<G1>(1 << 16, 255);
        assert!(first.five == 0.0 && (first.eight - g1).abs() < 1.0);
        let g2 = ProductCount::msm::<G2>(1 << 16, 255);
        assert!((g2.eight - g1 * 13.1 / 5.8).abs() < 1.0);
        assert!((ProductCount::msm::<bn254::G1>(1 << 16, 254).five - g1).abs() < 1.0);
        assert_eq!(ProductCount::ntt::<Fr>(10).five, 5120.0);
        // 63 doublings and 5 additions.
        let (one, two) =
            (ProductCount::pairings::<Bls12_381>(1, 0), ProductCount::pairings::<Bls12_381>(2, 0));
        assert_eq!(two.eight - one.eight, 63.0 * (19.0 + 36.5) + 5.0 * (31.5 + 36.5));
        let exponentiation = 5.0 * (63.0 * 18.0 + 5.0 * 45.0) + 9.0 * 45.0;
        assert_eq!(ProductCount::pairings::<Bls12_381>(0, 0).eight, 62.0 * 30.0 + exponentiation);
        let proof = ProductCount::groth16::<Bn254>(16);
        assert!((proof.five - g1 * (4.0 + 13.1 / 5.8) - 6.0 * 16.0 * 32_768.0).abs() < 1.0);
        assert_eq!(proof.eight, 0.0);
    }
}
