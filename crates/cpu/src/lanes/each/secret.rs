//! Multiples of eight points at once by secret scalars: the windows of [`super::scale`], but neither branches nor addresses depend
//! on the scalars.
//!
//! Sums are in homogeneous coordinates with complete formulas, so infinity, equal and opposite points are no special cases.
//! An entry of a table is selected by reading all entries under masks. The points and their final multiples are public; the
//! digits of the scalars are wiped.

use super::scale::{TABLE, WINDOW, WINDOWS, digits};
use super::{GroupInLanes, LANES, PointsInLanes, VALUE, constant, filled, glv};
use crate::lanes::coordinate::Coordinate;
use core::arch::x86_64::*;
use pairwright_curve::glv::decompose;
use pairwright_curve::{Affine, Projective, formulas};
use pairwright_field::{Field, PrimeField, Ring};
use zeroize::{Zeroize, Zeroizing};

/// The digits of one window of half a scalar, one per lane.
type Digits = [i64; LANES];

/// `scalars[i]·points[i]` for points of the subgroup, as many as there are scalars.
#[target_feature(enable = "avx512f,avx512ifma")]
pub(crate) fn scale_by_secrets<C: GroupInLanes>(
    points: &[Affine<C>],
    scalars: &[C::Scalar],
) -> Vec<Affine<C>> {
    let mut multiples = Vec::with_capacity(points.len());
    for (points, scalars) in points.chunks(LANES).zip(scalars.chunks(LANES)) {
        let scalars = Zeroizing::new(filled(scalars));
        multiples.extend_from_slice(&scale_eight(&filled(points), &scalars)[..points.len()]);
    }
    Projective::batch_to_affine(&multiples)
}

/// The eight multiples, in homogeneous coordinates.
#[target_feature(enable = "avx512f,avx512ifma")]
fn scale_eight<C: GroupInLanes>(
    points: &[Affine<C>; LANES],
    scalars: &[C::Scalar; LANES],
) -> [Projective<C>; LANES] {
    let glv = glv::<C>();
    let mut halves = Zeroizing::new([[[0; LANES]; 2]; WINDOWS]);
    for (lane, k) in scalars.iter().enumerate() {
        let mut limbs = k.to_limbs();
        let split = Zeroizing::new(decompose(&glv, limbs.as_ref()));
        for (h, half) in split.iter().enumerate() {
            let digits = Zeroizing::new(digits(*half));
            for (window, digit) in halves.iter_mut().zip(digits.iter()) {
                window[h][lane] = i64::from(*digit);
            }
        }
        limbs.as_mut().zeroize();
    }
    let law = CompleteLaw::<C>::new();
    let (p, infinite) = PointsInLanes::load(points);
    let p = law.blend(infinite, &p.coordinates(), &law.infinity);
    let beta = constant::<C::Base, _>(&p[0], &glv.beta);
    let mut tables = [[p; TABLE]; 2];
    for i in 1..TABLE {
        tables[0][i] =
            if i % 2 == 1 { law.double(&tables[0][i / 2]) } else { law.add(&tables[0][i - 1], &p) };
    }
    for i in 0..TABLE {
        let [x, y, z] = tables[0][i];
        tables[1][i] = [x * beta, y, z];
    }
    let mut sum = law.infinity;
    for (w, window) in halves.iter().rev().enumerate() {
        if w != 0 {
            for _ in 0..WINDOW {
                sum = law.double(&sum);
            }
        }
        for (table, digits) in tables.iter().zip(window) {
            sum = law.add(&sum, &law.entry(table, digits));
        }
    }
    law.stored(&sum)
}

/// The complete group law on eight points of one group, with its constants in lanes.
struct CompleteLaw<C: GroupInLanes> {
    infinity: [C::Eight; 3],
    b3: C::Eight,
}

impl<C: GroupInLanes> CompleteLaw<C> {
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn new() -> Self {
        // SAFETY: this function has the features.
        let one = unsafe { <C::Eight as Coordinate<C::Base>>::one() };
        let zero = constant(&one, &C::Base::ZERO);
        Self { infinity: [zero, one, zero], b3: constant(&one, &(C::B.double() + C::B)) }
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn double(&self, p: &[C::Eight; 3]) -> [C::Eight; 3] {
        formulas::complete_double(*p, |x| C::mul_3b(x, self.b3))
    }

    #[target_feature(enable = "avx512f,avx512ifma")]
    fn add(&self, p: &[C::Eight; 3], q: &[C::Eight; 3]) -> [C::Eight; 3] {
        formulas::complete_add(*p, *q, |x| C::mul_3b(x, self.b3))
    }

    /// Selects the points `b` in the lanes of a mask and `a` in the others.
    #[inline(always)]
    fn blend(&self, lanes: u8, a: &[C::Eight; 3], b: &[C::Eight; 3]) -> [C::Eight; 3] {
        core::array::from_fn(|i| C::Eight::blend(lanes, &a[i], &b[i]))
    }

    /// The multiples for the given digits from a table, infinity for zero. Every entry is read, whatever the digits.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn entry(&self, table: &[[C::Eight; 3]; TABLE], digits: &Digits) -> [C::Eight; 3] {
        // SAFETY: the array has 64 bytes.
        let digits = unsafe { _mm512_loadu_si512(digits.as_ptr().cast()) };
        let magnitudes = _mm512_abs_epi64(digits);
        let mut entry = self.infinity;
        for (i, multiple) in table.iter().enumerate() {
            let lanes = _mm512_cmpeq_epi64_mask(magnitudes, _mm512_set1_epi64(i as i64 + 1));
            for c in 0..3 {
                entry[c] = C::Eight::blend(lanes, &entry[c], &multiple[c]);
            }
        }
        let negative = _mm512_cmplt_epi64_mask(digits, _mm512_setzero_si512());
        entry[1] = C::Eight::blend(negative, &entry[1], &-entry[1]);
        entry
    }

    /// Stores the points to memory.
    #[target_feature(enable = "avx512f,avx512ifma")]
    fn stored(&self, [x, y, z]: &[C::Eight; 3]) -> [Projective<C>; LANES] {
        let mut out = [Projective::INFINITY; LANES];
        // SAFETY: the addresses are those of coordinates of different points.
        unsafe {
            x.store::<VALUE>(out.each_mut().map(|p| &raw mut p.x));
            y.store::<VALUE>(out.each_mut().map(|p| &raw mut p.y));
            z.store::<VALUE>(out.each_mut().map(|p| &raw mut p.z));
        }
        out
    }
}
