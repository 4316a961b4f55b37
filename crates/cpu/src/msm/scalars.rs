//! Scalars as the digits that name their buckets.
//!
//! A scalar `s` above `r/2` is taken as `-(r - s)`, so that small negative numbers are short too. Digits are signed: the one of
//! window `w` is the window's `c` bits plus the bit below them, less `2^c` if the topmost of them is set. What one window
//! borrows, the bit below the next one gives back, so that no carry passes from window to window.

use crate::lanes::memory::large_pages;
use crate::lanes::vectors::VectorsInLanes;
use core::ops::Range;
use pairwright_curve::{Curve, glv};
use pairwright_device::parallel;
use pairwright_field::PrimeField;
use pairwright_field::limbs::{bits, less_than, sbb};
use pairwright_poly::{Buf, Memory, SourceError};
use std::sync::{Arc, Mutex, PoisonError};
use zeroize::Zeroize;

/// The scalars of a whole buffer, kept with it: a witness is packed once for all MSMs of a proof.
pub(super) struct Packed {
    pub(super) scalars: Scalars,
    /// The last range that was put in order.
    ordered: Mutex<Option<OrderedRange>>,
}

/// The scalars of a range in order for windows of `bits` bits, if that pays.
struct OrderedRange {
    range: Range<usize>,
    bits: usize,
    scalars: Option<Arc<OrderedScalars>>,
}

impl Packed {
    pub(super) fn new(scalars: Scalars) -> Self {
        Self { scalars, ordered: Mutex::new(None) }
    }

    /// Those of a buffer, packed by its first MSM.
    pub(super) fn of<F: PrimeField>(scalars: &Buf<F>) -> Result<Arc<Self>, SourceError> {
        scalars.copy_or(&Memory::HOST, |scalars| Ok(Self::new(Scalars::new(scalars))))
    }

    /// The result of [`ScalarPart::ordered`] for a range, which is kept for the next MSM of the same range.
    pub(super) fn ordered(&self, range: Range<usize>, bits: usize) -> Option<Arc<OrderedScalars>> {
        let last = || self.ordered.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(last) = last().as_ref().filter(|last| (&last.range, last.bits) == (&range, bits)) {
            return last.scalars.clone();
        }
        // The lock is not held meanwhile: threads that wait for parallel work may begin with another MSM of these scalars.
        let scalars = self.scalars.part(range.clone()).ordered(bits).map(Arc::new);
        *last() = Some(OrderedRange { range, bits, scalars: scalars.clone() });
        scalars
    }
}

/// Scalars of one task.
const CHUNK: usize = 1 << 12;
/// Most limbs of a scalar.
const MOST_LIMBS: usize = 16;

/// Magnitudes and signs, wiped when they are dropped: they may be a witness, or the secrets of a setup.
pub(super) struct Scalars {
    /// Limbs of a scalar.
    width: usize,
    /// The lowest limbs of all scalars, then the ones above them, and so on: a window reads one or two limbs of each.
    limbs: Vec<u64>,
    negative: Vec<bool>,
    /// Bits of the longest magnitude.
    pub(super) bits: usize,
    /// The mean length of a magnitude, as a share of the longest.
    fill: f64,
}

impl Drop for Scalars {
    fn drop(&mut self) {
        self.limbs.zeroize();
        self.negative.zeroize();
    }
}

impl Scalars {
    /// The scalars in the range `-r/2 .. r/2`.
    pub(super) fn new<F: PrimeField>(scalars: &[F]) -> Self {
        let vectors = VectorsInLanes::<F>::new();
        let modulus = F::MODULUS;
        Self::filled(modulus.as_ref().len(), scalars.len(), |start, planes, signs| {
            let scalars = &scalars[start..start + signs.len()];
            let done = vectors.as_ref().map_or(0, |vectors| vectors.magnitudes(scalars, planes, signs));
            one_by_one(planes, signs, done, |i, out| {
                out.copy_from_slice(scalars[i].to_limbs().as_ref());
                negate_if_large(out, modulus.as_ref())
            });
        })
    }

    /// `n` scalars of `width` limbs, whose magnitudes `write` puts into the limbs it is given, and whose signs it gives back.
    fn written(width: usize, n: usize, write: impl Fn(usize, &mut [u64]) -> bool + Sync) -> Self {
        Self::filled(width, n, |start, planes, signs| {
            one_by_one(planes, signs, 0, |i, out| write(start + i, out));
        })
    }

    /// `n` scalars of `width` limbs. From the one whose number it is given, `write` writes the limbs of each significance, and
    /// the signs, of as many as there is room for.
    fn filled(width: usize, n: usize, write: impl Fn(usize, &mut [&mut [u64]], &mut [bool]) + Sync) -> Self {
        let (mut limbs, mut negative) = (large_pages(vec![0; width * n]), vec![false; n]);
        // A task has its part of the limbs of each significance.
        let mut planes: Vec<_> = limbs.chunks_mut(n.max(1)).map(|plane| plane.chunks_mut(CHUNK)).collect();
        let tasks = negative
            .chunks_mut(CHUNK)
            .map(|signs| (planes.iter_mut().filter_map(Iterator::next).collect::<Vec<_>>(), signs));
        let (longest, total) = parallel::map(tasks, |task, (mut planes, signs)| {
            write(task * CHUNK, &mut planes, signs);
            let length = |i: usize| {
                let top = planes.iter().enumerate().rev().find(|(_, plane)| plane[i] != 0);
                top.map_or(0, |(k, plane)| 64 * (k + 1) - plane[i].leading_zeros() as usize)
            };
            (0..signs.len()).map(length).fold((0, 0), |(longest, total), n| (longest.max(n), total + n))
        })
        .into_iter()
        .fold((0, 0), |a: (usize, usize), b| (a.0.max(b.0), a.1 + b.1));
        Self { width, limbs, negative, bits: longest, fill: fill(longest, total, n) }
    }

    /// Each scalar split in two halves by the endomorphism: `2i` belongs to point `i`, `2i + 1` to its image.
    pub(super) fn split<C: Curve>(&self, glv: &glv::Glv<C>, range: Range<usize>) -> Self {
        let whole = self.part(range);
        Self::written(2, 2 * whole.len(), |i, out| {
            let (mut all, k) = ([0u64; MOST_LIMBS], i / 2);
            let magnitude = &mut all[..self.width];
            whole.magnitude(k, magnitude);
            let (half, minus) = glv::decompose(glv, magnitude)[i % 2];
            out.copy_from_slice(&[half as u64, (half >> 64) as u64]);
            minus ^ whole.negative[k]
        })
    }

    /// All of them.
    pub(super) fn all(&self) -> ScalarPart<'_> {
        self.part(0..self.negative.len())
    }

    /// Those of a range, with the longest and the mean magnitude of all.
    pub(super) fn part(&self, range: Range<usize>) -> ScalarPart<'_> {
        let (bits, fill) = (self.bits, self.fill);
        ScalarPart { of: self, start: range.start, negative: &self.negative[range], order: None, bits, fill }
    }
}

/// Scalars of one MSM.
#[derive(Clone, Copy)]
pub(crate) struct ScalarPart<'a> {
    of: &'a Scalars,
    /// The place of the first one among those.
    start: usize,
    negative: &'a [bool],
    order: Option<&'a Order>,
    /// Bits of the longest magnitude.
    pub(super) bits: usize,
    /// The mean length of a magnitude, as a share of the longest.
    pub(super) fill: f64,
}

/// Scalars in the order of their lengths, without those that are zero.
pub(super) struct OrderedScalars {
    scalars: Scalars,
    order: Order,
}

/// The places of scalars before they were put in order.
struct Order {
    /// The place of each scalar before.
    indices: Vec<u32>,
    /// For each window, how many scalars reach it: all others have a digit of zero there.
    reach: Vec<usize>,
}

impl OrderedScalars {
    /// The scalars that are not zero.
    pub(super) fn part(&self) -> ScalarPart<'_> {
        ScalarPart { order: Some(&self.order), ..self.scalars.all() }
    }
}

impl ScalarPart<'_> {
    /// Number of scalars.
    pub(super) fn len(&self) -> usize {
        self.negative.len()
    }

    /// The limbs of one significance, zeros above the topmost.
    fn plane(&self, k: usize) -> Option<&[u64]> {
        let n = self.of.negative.len();
        (k < self.of.width).then(|| &self.of.limbs[k * n + self.start..][..self.len()])
    }

    /// Writes the magnitude of scalar `i`.
    fn magnitude(&self, i: usize, out: &mut [u64]) {
        let n = self.of.negative.len();
        for (k, limb) in out.iter_mut().enumerate() {
            *limb = self.of.limbs[k * n + self.start + i];
        }
    }

    /// The scalars by the number of windows of `c` bits that they reach, where many reach few: a witness of zeros and
    /// ones then costs little more than its long values.
    pub(super) fn ordered(&self, c: usize) -> Option<OrderedScalars> {
        let (n, all, width) = (self.len(), windows(self.bits, c), self.of.width);
        // A scalar reaches a window for every `c` bits, so where the mean is long enough nothing needs to be counted.
        let mean = self.fill * self.bits as f64;
        if n == self.of.negative.len() && 8.0 * mean > (7 * c * all) as f64 {
            return None;
        }
        let mut reached = vec![0u16; n];
        let counts = parallel::map(reached.chunks_mut(CHUNK), |task, reached| {
            let mut limbs = [0u64; MOST_LIMBS];
            let magnitude = &mut limbs[..width];
            let mut with = vec![0usize; all + 1];
            for (i, reached) in (task * CHUNK..).zip(reached) {
                self.magnitude(i, magnitude);
                // No window lies beyond the last one, and windows have two bits or more.
                let length = bits(magnitude) as usize;
                let windows = if length == 0 { 0 } else { windows(length, c).min(all) };
                with[windows] += 1;
                *reached = windows as u16;
            }
            limbs.zeroize();
            with
        });
        let with: Vec<usize> = (0..=all).map(|w| counts.iter().map(|with| with[w]).sum()).collect();
        let total: usize = with.iter().enumerate().map(|(windows, count)| windows * count).sum();
        if total > n * all / 8 * 7 {
            return None;
        }
        // Those that reach most come first.
        let mut places = with;
        let mut sum = 0;
        for place in places.iter_mut().rev() {
            (*place, sum) = (sum, sum + *place);
        }
        // Before those that reach `w` windows stand all that reach window `w`.
        let reach = places[..all].to_vec();
        let count = reach.first().copied().unwrap_or(0);
        let mut indices = vec![0; count];
        for (i, reached) in (0..).zip(&reached) {
            let place = &mut places[usize::from(*reached)];
            if let Some(index) = indices.get_mut(*place) {
                *index = i;
            }
            *place += 1;
        }
        let mut scalars = Scalars::written(width, count, |place, out| {
            self.magnitude(indices[place] as usize, out);
            self.negative[indices[place] as usize]
        });
        (scalars.bits, scalars.fill) = (self.bits, self.fill);
        Some(OrderedScalars { scalars, order: Order { indices, reach } })
    }

    /// How many scalars, from the first on, may have a digit in window `w`.
    pub(super) fn reach(&self, w: usize) -> usize {
        self.order.map_or(self.len(), |order| order.reach[w])
    }

    /// The places of the scalars among all, if they are not in their own order.
    pub(super) fn indices(&self) -> Option<&[u32]> {
        self.order.map(|order| order.indices.as_slice())
    }

    /// Writes, for the scalars from `start` on, the codes of their digits in window `w` of windows of `c` bits:
    /// `2·bucket + sign` for a digit of magnitude `bucket`, 0 for a zero digit.
    pub(super) fn digits(&self, w: usize, c: usize, start: usize, out: &mut [u32]) {
        // The window's bits and the one below them, which is a zero for the lowest window.
        let at = (c * w).saturating_sub(1);
        let Some(low) = self.plane(at / 64) else { return out.fill(0) };
        let high = self.plane(at / 64 + 1).filter(|_| at % 64 + c + 1 > 64);
        let window = Window { up: usize::from(w == 0), down: at % 64, bits: c };
        let negative = &self.negative[start..];
        window.codes(&low[start..], high.map(|high| &high[start..]), negative, out);
    }
}

/// The place of a digit's bits in the limb of the lowest one.
#[derive(Clone, Copy)]
struct Window {
    /// The limb is shifted up by so many bits, none or one, and then down.
    up: usize,
    down: usize,
    /// Bits of a window.
    bits: usize,
}

impl Window {
    /// Codes of the digits in these limbs, and in the ones above them where a digit has bits there.
    fn codes(self, low: &[u64], high: Option<&[u64]>, negative: &[bool], out: &mut [u32]) {
        #[cfg(target_arch = "x86_64")]
        if crate::isa::in_lanes() {
            #[target_feature(enable = "avx512f")]
            fn in_vectors(of: Window, low: &[u64], high: Option<&[u64]>, negative: &[bool], out: &mut [u32]) {
                of.codes_one_by_one(low, high, negative, out);
            }
            // SAFETY: the processor has AVX-512.
            return unsafe { in_vectors(self, low, high, negative, out) };
        }
        self.codes_one_by_one(low, high, negative, out);
    }

    /// Loops without branches, which the compiler turns into vectors where it may.
    #[inline(always)]
    fn codes_one_by_one(self, low: &[u64], high: Option<&[u64]>, negative: &[bool], out: &mut [u32]) {
        let Self { up, down, bits } = self;
        let mask = (1u64 << (bits + 1)) - 1;
        let code = |x: u64, negative: bool| {
            let x = x & mask;
            let digit = ((x >> 1) + (x & 1)) as i64 - ((x >> bits) << bits) as i64;
            let sign = (digit < 0) ^ negative & (digit != 0);
            (digit.unsigned_abs() as u32) << 1 | u32::from(sign)
        };
        let digits = out.iter_mut().zip(low).zip(negative);
        match high {
            None => digits.for_each(|((out, low), sign)| *out = code(low << up >> down, *sign)),
            Some(high) => digits.zip(high).for_each(|(((out, low), sign), high)| {
                *out = code(low >> down | high << (64 - down), *sign);
            }),
        }
    }
}

/// Windows of `c` bits for magnitudes of `bits` bits: the topmost bit of the topmost window is zero.
pub(super) fn windows(bits: usize, c: usize) -> usize {
    (bits + 1).div_ceil(c)
}

/// Writes the scalars from number `first` on: `write` puts a magnitude into the limbs it is given, and gives back the sign.
fn one_by_one(
    planes: &mut [&mut [u64]],
    signs: &mut [bool],
    first: usize,
    write: impl Fn(usize, &mut [u64]) -> bool,
) {
    let mut all = [0u64; MOST_LIMBS];
    let magnitude = &mut all[..planes.len()];
    for (i, sign) in signs.iter_mut().enumerate().skip(first) {
        *sign = write(i, magnitude);
        for (plane, limb) in planes.iter_mut().zip(magnitude.iter()) {
            plane[i] = *limb;
        }
    }
    all.zeroize();
}

/// The mean length as a share of the longest.
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
    use pairwright_testkit::conformance::Values;

    fn value(code: u32) -> Fr {
        let magnitude = Fr::from(u64::from(code >> 1));
        if code & 1 == 1 { -magnitude } else { magnitude }
    }

    /// Lanes, where there are any, give the magnitudes and signs that single scalars have, about the middle of the field too.
    fn alike<F: PrimeField>() {
        let half = (-F::ONE) * F::from(2).invert().expect("odd");
        let edges = [F::ZERO, F::ONE, -F::ONE, half, half + F::ONE, half - F::ONE, -F::from(2)];
        let mut draw = Values::<F>::new(11);
        for n in [0, 1, 7, 8, 9, 63] {
            let mut list = draw.take_buf(n).to_vec();
            list.iter_mut().zip(edges).for_each(|(x, edge)| *x = edge);
            let got = Scalars::new(&list);
            let want = Scalars::written(F::MODULUS.as_ref().len(), n, |i, out| {
                out.copy_from_slice(list[i].to_limbs().as_ref());
                negate_if_large(out, F::MODULUS.as_ref())
            });
            assert_eq!((&got.limbs, &got.negative), (&want.limbs, &want.negative));
            assert_eq!((got.bits, got.fill.to_bits()), (want.bits, want.fill.to_bits()));
        }
    }

    #[test]
    fn lanes_and_single_scalars_are_alike() {
        alike::<Fr>();
        alike::<pairwright_curve::bls12_377::Fr>();
        alike::<pairwright_curve::bn254::Fr>();
    }

    /// `Σ digit·2^(cw)` of scalar `i`.
    fn recompose(scalars: ScalarPart<'_>, c: usize, i: usize) -> Fr {
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
            let scalars = Scalars::new(&list);
            assert!(scalars.bits < 255);
            for (i, s) in list.iter().enumerate() {
                assert_eq!(recompose(scalars.all(), c, i), *s, "{c} bits");
            }
            for (i, s) in list[3..].iter().enumerate() {
                assert_eq!(recompose(scalars.part(3..list.len()), c, i), *s, "{c} bits, a part");
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
            // The second has ones alone, the topmost of a window among them: a digit of the window above gives one back.
            list.extend([power, power - Fr::ONE, -power, Fr::ZERO, Fr::ONE]);
        }
        for c in 2..=16 {
            let all = Scalars::new(&list);
            let ordered = all.all().ordered(c).expect("many are short");
            let scalars = ordered.part();
            let indices = scalars.indices().unwrap();
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
        assert!(Scalars::new(&samples()[8..]).all().ordered(10).is_none());
    }

    #[test]
    fn halves_add_up() {
        let glv = <G1 as Curve>::GLV.unwrap();
        let lambda = Fr::from_limbs(glv.lambda).unwrap();
        let list = samples();
        for c in 2..=14 {
            let scalars = Scalars::new(&list).split(&glv, 0..list.len());
            for (i, s) in list.iter().enumerate() {
                let (low, high) =
                    (recompose(scalars.all(), c, 2 * i), recompose(scalars.all(), c, 2 * i + 1));
                assert_eq!(low + high * lambda, *s, "{c} bits");
            }
        }
    }

    #[test]
    fn a_buffer_is_packed_once_until_it_changes() {
        let mut witness = Buf::from(samples());
        let first = Packed::of(&witness).unwrap();
        assert!(Arc::ptr_eq(&first, &Packed::of(&witness.clone()).unwrap()));
        let part = first.scalars.part(3..90);
        for (i, s) in witness[3..90].iter().enumerate() {
            let mut limbs = [0; 4];
            part.magnitude(i, &mut limbs);
            let limbs = Fr::from_limbs(limbs).unwrap();
            assert_eq!(if part.negative[i] { -limbs } else { limbs }, *s);
        }
        witness[0] = Fr::ONE;
        assert!(!Arc::ptr_eq(&first, &Packed::of(&witness).unwrap()));
    }

    #[test]
    fn a_range_is_put_in_order_once() {
        let short = Packed::new(Scalars::new(&[vec![Fr::ONE; 90], samples()].concat()));
        let first = short.ordered(0..90, 8).expect("they are short");
        assert!(Arc::ptr_eq(&first, &short.ordered(0..90, 8).unwrap()));
        assert_eq!(first.part().indices().unwrap().len(), 90);
        assert_eq!(short.ordered(0..80, 8).unwrap().part().indices().unwrap().len(), 80);
        assert!(!Arc::ptr_eq(&first, &short.ordered(0..90, 8).unwrap()), "one range is kept");
        assert!(short.ordered(98..200, 8).is_none(), "long scalars stay as they are");
    }

    #[test]
    fn small_scalars_are_short() {
        let scalars = Scalars::new(&[Fr::ZERO, Fr::ONE, -Fr::from(5)]);
        assert_eq!(scalars.bits, 3);
        let zeros = Scalars::new(&[Fr::ZERO; 3]);
        assert_eq!((zeros.bits, zeros.fill), (0, 0.0));
    }
}
