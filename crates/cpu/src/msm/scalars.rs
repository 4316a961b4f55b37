//! Scalars as the digits that name their buckets.
//!
//! A scalar `s` above `r/2` is taken as `-(r - s)`, so that small negative numbers are short too. With the bias
//! `H = Σ 2^(c-1)·2^(cw)` added to the magnitude, over all windows `w` but the topmost, the digit of window `w` is
//! its `c` bits less `2^(c-1)`: signed digits without a carry from window to window.

use core::ops::Range;
use pairwright_curve::{Curve, glv};
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_field::limbs::{adc, bit_window, bits, less_than, sbb};
use pairwright_poly::{Buf, Memory, SourceError};
use std::sync::Arc;
use zeroize::Zeroize;

/// The scalars of a whole buffer, kept with it: a witness is packed once for all MSMs of a proof. Wiped with the last
/// buffer that holds them.
pub(super) struct Packed(pub(super) Scalars);

impl Packed {
    /// Those of a buffer, packed by its first MSM.
    pub(super) fn of<F: PrimeField>(scalars: &Buf<F>) -> Result<Arc<Self>, SourceError> {
        scalars.copy_or(Memory::HOST, |scalars| Ok(Self(Scalars::new(scalars))))
    }
}

impl Drop for Packed {
    fn drop(&mut self) {
        self.0.limbs.zeroize();
        self.0.negative.zeroize();
    }
}

/// Scalars of one task.
const CHUNK: usize = 1 << 12;

/// Magnitudes and signs.
pub(crate) struct Scalars {
    /// Limbs of a scalar.
    width: usize,
    limbs: Vec<u64>,
    negative: Vec<bool>,
    /// Bits of the longest magnitude.
    pub(super) bits: usize,
    /// The mean length of a magnitude, as a share of the longest.
    pub(super) fill: f64,
    order: Option<Order>,
}

/// Scalars in the order of their lengths.
struct Order {
    /// The place of each scalar before.
    indices: Vec<u32>,
    /// For each window, how many scalars reach it: all others have a digit of zero there.
    reach: Vec<usize>,
}

/// The longest length of two pieces, and the sum of their lengths.
fn longest_and_total(a: (usize, usize), b: (usize, usize)) -> (usize, usize) {
    (a.0.max(b.0), a.1 + b.1)
}

impl Scalars {
    /// The scalars in the range `-r/2 .. r/2`.
    pub(super) fn new<F: PrimeField>(scalars: &[F]) -> Self {
        let width = F::MODULUS.as_ref().len();
        let mut limbs = vec![0; width * scalars.len()];
        let mut negative = vec![false; scalars.len()];
        let parts =
            limbs.chunks_mut(CHUNK * width).zip(negative.chunks_mut(CHUNK)).zip(scalars.chunks(CHUNK));
        let (longest, total) = parallel::map(parts, |_, ((limbs, negative), scalars)| {
            let (mut longest, mut total) = (0, 0);
            for ((out, sign), s) in limbs.chunks_exact_mut(width).zip(negative).zip(scalars) {
                out.copy_from_slice(s.to_limbs().as_ref());
                *sign = negate_if_large(out, F::MODULUS.as_ref());
                let length = bits(out) as usize;
                longest = longest.max(length);
                total += length;
            }
            (longest, total)
        })
        .into_iter()
        .fold((0, 0), longest_and_total);
        Self { width, limbs, negative, bits: longest, fill: fill(longest, total, scalars.len()), order: None }
    }

    /// Those of a range, with the longest and the mean magnitude of all.
    pub(super) fn part(&self, range: Range<usize>) -> Self {
        Self {
            width: self.width,
            limbs: self.limbs[self.width * range.start..self.width * range.end].to_vec(),
            negative: self.negative[range].to_vec(),
            bits: self.bits,
            fill: self.fill,
            order: None,
        }
    }

    /// Each scalar of a range split in two halves by the endomorphism: `2i` belongs to point `i`, `2i + 1` to its image.
    pub(super) fn split<C: Curve>(&self, glv: &glv::Glv<C>, range: Range<usize>) -> Self {
        let n = range.len();
        let (all_limbs, all_signs) =
            (&self.limbs[self.width * range.start..self.width * range.end], &self.negative[range]);
        let mut limbs = vec![0; 4 * n];
        let mut negative = vec![false; 2 * n];
        let parts = limbs.chunks_mut(4 * CHUNK).zip(negative.chunks_mut(2 * CHUNK));
        let whole = all_limbs.chunks(CHUNK * self.width).zip(all_signs.chunks(CHUNK));
        let (longest, total) = parallel::map(parts.zip(whole), |_, ((limbs, negative), (whole, signs))| {
            let (mut longest, mut total) = (0, 0);
            let out = limbs.chunks_exact_mut(2).zip(negative);
            let halves = whole
                .chunks_exact(self.width)
                .zip(signs)
                .flat_map(|(k, sign)| glv::decompose(glv, k).map(|(half, minus)| (half, minus ^ sign)));
            for ((out, sign), (half, minus)) in out.zip(halves) {
                out.copy_from_slice(&[half as u64, (half >> 64) as u64]);
                *sign = minus;
                let length = bits(out) as usize;
                longest = longest.max(length);
                total += length;
            }
            (longest, total)
        })
        .into_iter()
        .fold((0, 0), longest_and_total);
        Self { width: 2, limbs, negative, bits: longest, fill: fill(longest, total, 2 * n), order: None }
    }

    /// Number of scalars.
    pub(super) fn len(&self) -> usize {
        self.negative.len()
    }

    /// Sorts the scalars by the number of windows of `c` bits that they reach, where many reach few: a witness of zeros and
    /// ones then costs little more than its long values. To be called before [`Self::bias`].
    pub(super) fn order(&mut self, c: usize) {
        let (n, all) = (self.len(), windows(self.bits, c));
        let magnitudes = || self.limbs.chunks_exact(self.width);
        // A digit of all ones may take a carry, which the bias passes on to the next window.
        let reached = |limbs: &[u64]| match bits(limbs) as usize {
            0 => 0,
            length => windows(length + 1, c).min(all),
        };
        let mut with = vec![0usize; all + 1];
        magnitudes().for_each(|limbs| with[reached(limbs)] += 1);
        let total: usize = with.iter().enumerate().map(|(windows, count)| windows * count).sum();
        if total > n * all / 8 * 7 {
            return;
        }
        // Those that reach most come first.
        let mut places = with;
        let mut sum = 0;
        for place in places.iter_mut().rev() {
            (*place, sum) = (sum, sum + *place);
        }
        // Before those that reach `w` windows stand all that reach window `w`.
        let reach = places[..all].to_vec();
        let mut ordered = Self {
            width: self.width,
            limbs: vec![0; self.width * reach[0]],
            negative: vec![false; reach[0]],
            bits: self.bits,
            fill: self.fill,
            order: None,
        };
        let mut indices = vec![0; reach[0]];
        for (i, limbs) in magnitudes().enumerate() {
            let place = &mut places[reached(limbs)];
            if *place < reach[0] {
                ordered.limbs[self.width * *place..][..self.width].copy_from_slice(limbs);
                ordered.negative[*place] = self.negative[i];
                indices[*place] = i as u32;
            }
            *place += 1;
        }
        ordered.order = Some(Order { indices, reach });
        *self = ordered;
    }

    /// How many scalars, from the first on, may have a digit in window `w`.
    pub(super) fn reach(&self, w: usize) -> usize {
        self.order.as_ref().map_or(self.len(), |order| order.reach[w])
    }

    /// The places of the scalars among all, if they are not in their own order.
    pub(super) fn indices(&self) -> Option<&[u32]> {
        self.order.as_ref().map(|order| order.indices.as_slice())
    }

    /// Adds the bias of windows of `c` bits, once.
    pub(super) fn bias(&mut self, c: usize) {
        let mut bias = vec![0u64; self.width];
        for w in 0..windows(self.bits, c) - 1 {
            let at = c * w + c - 1;
            bias[at / 64] |= 1 << (at % 64);
        }
        parallel::for_each(self.limbs.chunks_mut(CHUNK * self.width), |_, part| {
            for limbs in part.chunks_exact_mut(self.width) {
                let mut carry = 0;
                for (l, b) in limbs.iter_mut().zip(&bias) {
                    *l = adc(*l, *b, &mut carry);
                }
                debug_assert!(carry == 0, "one bit is free above the longest magnitude");
            }
        });
    }

    /// Writes, for the scalars from `start` on, the codes of their digits in window `w` of windows of `c` bits:
    /// `2·bucket + sign` for a digit of magnitude `bucket`, 0 for a zero digit. [`Self::bias`] has been called.
    pub(super) fn digits(&self, w: usize, c: usize, start: usize, out: &mut [u32]) {
        let top = w + 1 == windows(self.bits, c);
        let (half, at) = (if top { 0 } else { 1i64 << (c - 1) }, c * w);
        let limbs = self.limbs[start * self.width..].chunks_exact(self.width);
        for ((code, limbs), negative) in out.iter_mut().zip(limbs).zip(&self.negative[start..]) {
            // The topmost digit has no bias and at most one bit more than the longest magnitude leaves to it.
            let digit = bit_window(limbs, at, c + usize::from(top)) as i64 - half;
            let sign = (digit < 0) ^ negative;
            *code = if digit == 0 { 0 } else { (digit.unsigned_abs() as u32) << 1 | u32::from(sign) };
        }
    }
}

/// Windows of `c` bits for magnitudes of `bits` bits: the topmost digit must not exceed `2^(c-1)`.
pub(super) fn windows(bits: usize, c: usize) -> usize {
    (bits + 1).div_ceil(c)
}

fn fill(longest: usize, total: usize, n: usize) -> f64 {
    if total == 0 { 0.0 } else { total as f64 / (longest * n) as f64 }
}

/// Replaces a canonical scalar by `r - s` if that is shorter; says whether it did.
#[inline(always)]
fn negate_if_large(s: &mut [u64], modulus: &[u64]) -> bool {
    let top = s.len() - 1;
    // Certainly the smaller one if it is below the modulus without its lowest bits, halved.
    if s[top] < modulus[top] >> 1 {
        return false;
    }
    let mut negated = [0u64; 16];
    let negated = &mut negated[..s.len()];
    let mut borrow = 0;
    for (i, out) in negated.iter_mut().enumerate() {
        *out = sbb(modulus[i], s[i], &mut borrow);
    }
    if less_than(negated, s) {
        s.copy_from_slice(negated);
        true
    } else {
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::bls12_381::{Fr, G1};
    use pairwright_field::{Field, Ring};

    fn value(code: u32) -> Fr {
        let magnitude = Fr::from(u64::from(code >> 1));
        if code & 1 == 1 { -magnitude } else { magnitude }
    }

    /// `Σ digit·2^(cw)` of scalar `i`.
    fn recompose(scalars: &Scalars, c: usize, i: usize) -> Fr {
        (0..windows(scalars.bits, c)).rev().fold(Fr::ZERO, |acc, w| {
            let mut code = [0];
            scalars.digits(w, c, i, &mut code);
            assert!(code[0] >> 1 <= 1 << (c - 1), "a bucket of {c} bits");
            acc * Fr::from(1 << c) + value(code[0])
        })
    }

    fn samples() -> Vec<Fr> {
        let mut list = vec![Fr::ZERO, Fr::ONE, -Fr::ONE, Fr::from(u64::MAX), -Fr::from(1 << 20)];
        let half = Fr::from(2).invert().unwrap();
        list.extend([half, -half, half - Fr::ONE]);
        let mut x = Fr::from(3);
        for _ in 0..200 {
            x = x.square() + Fr::ONE;
            list.push(x);
        }
        list
    }

    #[test]
    fn digits_add_up() {
        let list = samples();
        for c in 1..=20 {
            let mut scalars = Scalars::new(&list);
            assert!(scalars.bits < 255);
            scalars.bias(c);
            for (i, s) in list.iter().enumerate() {
                assert_eq!(recompose(&scalars, c, i), *s, "{c} bits");
            }
        }
    }

    /// Scalars of all lengths, most of them short, keep their digits where they go, and have none beyond their reach.
    #[test]
    fn digits_in_order_of_length_add_up() {
        let mut list = vec![Fr::ZERO; 300];
        let two = Fr::from(2);
        for k in 0..254 {
            let power = two.pow_vartime(&[k]);
            // The second has a last digit of all ones that takes a carry from the digit before it.
            list.extend([power, power - Fr::ONE, -power, Fr::ZERO, Fr::ONE]);
        }
        for c in 2..=16 {
            let mut scalars = Scalars::new(&list);
            scalars.order(c);
            scalars.bias(c);
            let indices = scalars.indices().expect("many are short").to_vec();
            assert!(indices.len() < list.len() && indices.len() == scalars.len());
            for (place, index) in indices.iter().enumerate() {
                let digits = (0..windows(scalars.bits, c)).rev().fold(Fr::ZERO, |sum, w| {
                    let mut code = [0];
                    if place < scalars.reach(w) {
                        scalars.digits(w, c, place, &mut code);
                    }
                    sum * Fr::from(1 << c) + value(code[0])
                });
                assert_eq!(digits, list[*index as usize], "{c} bits");
            }
        }
        let mut long = Scalars::new(&samples()[8..]);
        long.order(10);
        assert!(long.indices().is_none());
    }

    #[test]
    fn halves_add_up() {
        let glv = <G1 as Curve>::GLV.unwrap();
        let lambda = Fr::from_limbs(glv.lambda).unwrap();
        let list = samples();
        for c in 2..=14 {
            let mut scalars = Scalars::new(&list).split(&glv, 0..list.len());
            scalars.bias(c);
            for (i, s) in list.iter().enumerate() {
                let (low, high) = (recompose(&scalars, c, 2 * i), recompose(&scalars, c, 2 * i + 1));
                assert_eq!(low + high * lambda, *s, "{c} bits");
            }
        }
    }

    #[test]
    fn a_buffer_is_packed_once_until_it_changes() {
        let mut witness = Buf::from(samples());
        let first = Packed::of(&witness).unwrap();
        assert!(Arc::ptr_eq(&first, &Packed::of(&witness.clone()).unwrap()));
        let part = first.0.part(3..90);
        for (i, s) in witness[3..90].iter().enumerate() {
            let limbs = Fr::from_limbs(part.limbs[4 * i..][..4].try_into().unwrap()).unwrap();
            assert_eq!(if part.negative[i] { -limbs } else { limbs }, *s);
        }
        witness[0] = Fr::ONE;
        assert!(!Arc::ptr_eq(&first, &Packed::of(&witness).unwrap()));
    }

    #[test]
    fn small_scalars_are_short() {
        let scalars = Scalars::new(&[Fr::ZERO, Fr::ONE, -Fr::from(5)]);
        assert_eq!(scalars.bits, 3);
        let zeros = Scalars::new(&[Fr::ZERO; 3]);
        assert_eq!((zeros.bits, zeros.fill), (0, 0.0));
    }
}
