//! Endomorphisms of groups, and the decomposition of scalars into two halves by `φ(x, y) = (β·x, y)` (Gallant, Lambert,
//! Vanstone, CRYPTO 2001).

use crate::{Affine, Curve};
use core::fmt::Debug;
use pairwright_field::PrimeField;
use pairwright_field::limbs::{adc, mac, sbb};

/// The largest number of bits of the halves that [`decompose`] returns, for every curve of this crate.
pub const HALF_BITS: usize = 127;

/// The endomorphism `φ(x, y) = (β·x, y) = λ·(x, y)` and a reduced basis of the lattice of `(a, b)` with
/// `a + b·λ = 0 mod r`.
#[derive(Clone, Copy, Debug)]
pub struct Glv<C: Curve> {
    /// A primitive cube root of unity in the base field.
    pub beta: C::Base,
    /// The eigenvalue `λ` as 4 canonical little-endian limbs.
    pub lambda: [u64; 4],
    /// The basis vectors; each coordinate is a magnitude of at most 128 bits and whether it is negative.
    pub basis: [[(u128, bool); 2]; 2],
    /// `round(2^256 · b2 / r)` and `round(2^256 · (-b1) / r)` as magnitude and sign, for basis vectors `(a1, b1)` and
    /// `(a2, b2)`, with which Babai rounding takes multiplications only.
    pub rounding: [([u64; 4], bool); 2],
}

/// An endomorphism that multiplies the points of the subgroup by the seed of the curve, the fourth power of which exceeds the
/// order: `ψ` in the second groups of BLS12 curves (Galbraith, Scott, eprint 2008/117).
#[derive(Clone, Copy, Debug)]
pub struct SeedEndomorphism<C: Curve> {
    /// The magnitude of the seed.
    pub magnitude: u64,
    /// Whether the seed is negative.
    pub negative: bool,
    /// The endomorphism on homogeneous or Jacobian coordinates.
    pub image: fn([C::Base; 3]) -> [C::Base; 3],
}

impl<C: Curve> Glv<C> {
    /// `φ(p) = λ·p` for `p` in the subgroup.
    #[inline(always)]
    pub fn endomorphism(&self, p: &Affine<C>) -> Affine<C> {
        Affine { x: self.beta * p.x, y: p.y }
    }
}

/// Splits `k = k1 + k2·λ mod r` into `[(|k1|, k1 < 0), (|k2|, k2 < 0)]`, both magnitudes below `2^127`
/// ([`HALF_BITS`]). `k` is a canonical scalar in little-endian limbs, below r, which has at most 256 bits; a longer
/// scalar field does not compile.
///
/// Proof of the bound: with `c_i` the rounded coordinates of `(k, 0)` in the basis `v1, v2`, the rest is
/// `(e1·v1 + e2·v2)` with `|e_i| <= 1/2 + k/2^257 < 1/2 + r/2^257` (a half from rounding the coordinate, the other
/// from rounding the multiplier `g_i`), so each half is below `(1/2 + r/2^257)·(|v1_j| + |v2_j|)`, which is below
/// `0.489·2^128` for the largest basis of the curves of this crate, that of BLS12-381. A test computes the bound for every curve.
///
/// Straight-line: time does not depend on `k`.
#[inline(never)]
pub fn decompose<C: Curve>(glv: &Glv<C>, k: &[u64]) -> [(u128, bool); 2] {
    const { assert!(C::Scalar::BITS <= 256, "scalars of four limbs or fewer are split") };
    let mut scalar = [0u64; 4];
    scalar.iter_mut().zip(k).for_each(|(s, l)| *s = *l);
    let c1 = round_shift(&scalar, &glv.rounding[0]);
    let c2 = round_shift(&scalar, &glv.rounding[1]);
    // (k, 0) - c1·v1 - c2·v2 modulo 2^256 in two's complement, which suffices because the result is short.
    let mut k1 = scalar;
    let mut k2 = [0u64; 4];
    for (half, j) in [(&mut k1, 0), (&mut k2, 1)] {
        sub_product(half, c1, glv.basis[0][j]);
        sub_product(half, c2, glv.basis[1][j]);
    }
    [magnitude(&k1), magnitude(&k2)]
}

/// `round(k·g / 2^256)` as magnitude and sign. The magnitude is below `2^128`, since the quotient approximates `k·|b|/r < |b|`.
#[inline]
fn round_shift(k: &[u64; 4], g: &([u64; 4], bool)) -> (u128, bool) {
    let mut t = [0u64; 8];
    for i in 0..4 {
        let mut carry = 0;
        for j in 0..4 {
            t[i + j] = mac(t[i + j], k[j], g.0[i], &mut carry);
        }
        t[i + 4] = carry;
    }
    // Add half of 2^256, the top bit of limb 3, to round.
    let mut carry = 0;
    adc(t[3], 1 << 63, &mut carry);
    let low = adc(t[4], 0, &mut carry);
    let high = adc(t[5], 0, &mut carry);
    debug_assert!(t[6] | t[7] == 0 && carry == 0, "the coordinate fits in two limbs");
    (u128::from(low) | u128::from(high) << 64, g.1)
}

/// `t -= c·v` modulo 2^256, for `c` and `v` as magnitude and sign.
#[inline]
fn sub_product(t: &mut [u64; 4], c: (u128, bool), v: (u128, bool)) {
    let (a, b) = ([c.0 as u64, (c.0 >> 64) as u64], [v.0 as u64, (v.0 >> 64) as u64]);
    let mut product = [0u64; 4];
    for i in 0..2 {
        let mut carry = 0;
        for j in 0..2 {
            product[i + j] = mac(product[i + j], a[i], b[j], &mut carry);
        }
        product[i + 2] = carry;
    }
    // Subtracting c·v means adding the product of the magnitudes if the signs differ, and its two's complement otherwise.
    let mask = u64::from(c.1 == v.1).wrapping_neg();
    let mut carry = mask & 1;
    for i in 0..4 {
        t[i] = adc(t[i], product[i] ^ mask, &mut carry);
    }
}

/// A number in two's complement, whose magnitude is below `2^128`, as magnitude and sign.
#[inline]
fn magnitude(t: &[u64; 4]) -> (u128, bool) {
    let mask = (t[3] >> 63).wrapping_neg();
    let mut borrow = 0;
    let low = sbb(t[0] ^ mask, mask, &mut borrow);
    let high = sbb(t[1] ^ mask, mask, &mut borrow);
    (u128::from(low) | u128::from(high) << 64, mask != 0)
}
