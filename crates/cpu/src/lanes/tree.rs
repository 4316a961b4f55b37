//! Nodes of trees in lanes: products, values on lines, and the two children of a node of an equality table.
//!
//! A level is in memory as limbs below q. Eight nodes are computed from (or split into) their sixteen children at a time: limbs are
//! converted to digits, and results back to limbs.

use super::digits::{
    DIGITS, FiveDigits, LANES, LIMBS, ModulusInLanes, broadcast, canonical, even_odd, factor_digits,
    interleaved, load, minus1, reduced, sixteen_times, store, sum, times,
};
use super::{known, limbs, limbs_mut};
use core::marker::PhantomData;
use pairwright_field::PrimeField;

/// Nodes of trees over a field. Every function computes the first nodes in lanes and returns their number, a multiple of eight.
#[derive(Clone, Copy)]
pub(crate) struct Nodes<F> {
    k: ModulusInLanes,
    of: PhantomData<F>,
}

/// A constant factor of many products, as digits.
#[derive(Clone, Copy)]
pub(crate) struct Factor([u64; DIGITS]);

/// Eight elements in memory.
type Limbs = [[u64; LIMBS]; LANES];

impl<F: PrimeField> Nodes<F> {
    /// Prepares the constants of the field; `None` if the field or the processor has no lanes.
    pub(crate) fn new() -> Option<Self> {
        // SAFETY: `known` has asked the processor.
        known::<F>().then(|| Self { k: unsafe { ModulusInLanes::new::<F>() }, of: PhantomData })
    }

    /// Converts a coordinate to a factor.
    pub(crate) fn factor(&self, r: F) -> Factor {
        Factor(factor_digits(r))
    }

    /// `to[i] ← from[2i] from[2i + 1]`.
    pub(crate) fn products(&self, from: &[F], to: &mut [F]) -> usize {
        let (Some(from), Some(to)) = (limbs(from), limbs_mut(to)) else { return 0 };
        // SAFETY: constants exist only where the processor has the features.
        unsafe { products(from.as_chunks().0, to.as_chunks_mut().0, &self.k) }
    }

    /// `to[i] ← from[2i] + r (from[2i + 1] - from[2i])`.
    pub(crate) fn lines(&self, r: &Factor, from: &[F], to: &mut [F]) -> usize {
        let (Some(from), Some(to)) = (limbs(from), limbs_mut(to)) else { return 0 };
        // SAFETY: as above.
        unsafe { lines(r, from.as_chunks().0, to.as_chunks_mut().0, &self.k) }
    }

    /// `x[i] ← x[2i] + r (x[2i + 1] - x[2i])`, in place in the first half of `x`.
    pub(crate) fn halve(&self, r: &Factor, x: &mut [F]) -> usize {
        let Some(x) = limbs_mut(x) else { return 0 };
        // SAFETY: as above.
        unsafe { halve(r, x.as_chunks_mut().0, &self.k) }
    }

    /// `to[2i + 1] ← r from[i]`, `to[2i] ← from[i] - to[2i + 1]`.
    pub(crate) fn splits(&self, r: &Factor, from: &[F], to: &mut [F]) -> usize {
        let (Some(from), Some(to)) = (limbs(from), limbs_mut(to)) else { return 0 };
        // SAFETY: as above.
        unsafe { splits(r, from.as_chunks().0, to.as_chunks_mut().0, &self.k) }
    }
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn products(from: &[Limbs], to: &mut [Limbs], k: &ModulusInLanes) -> usize {
    let pairs = from.as_chunks().0;
    for ([a, b], to) in pairs.iter().zip(to.iter_mut()) {
        let (x, y) = even_odd(&load::<0>(a), &load::<0>(b));
        // One operand is multiplied by 16, because the product divides by 2^260 and the form of memory requires 2^256.
        store(to, &reduced(&times(&sixteen_times(&x), &y, k), k));
    }
    LANES * pairs.len().min(to.len())
}

/// The values at `r` of the lines through neighbours, below q.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn line(r: &FiveDigits, a: &Limbs, b: &Limbs, k: &ModulusInLanes) -> FiveDigits {
    let (f0, f1) = even_odd(&load::<0>(a), &load::<0>(b));
    canonical(&sum(&f0, &times(&minus1(&f1, &f0, k), r, k)), k)
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn lines(r: &Factor, from: &[Limbs], to: &mut [Limbs], k: &ModulusInLanes) -> usize {
    let r = broadcast(&r.0);
    let pairs = from.as_chunks().0;
    for ([a, b], to) in pairs.iter().zip(to.iter_mut()) {
        store(to, &line(&r, a, b, k));
    }
    LANES * pairs.len().min(to.len())
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn halve(r: &Factor, x: &mut [Limbs], k: &ModulusInLanes) -> usize {
    let r = broadcast(&r.0);
    for i in 0..x.len() / 2 {
        let node = line(&r, &x[2 * i], &x[2 * i + 1], k);
        store(&mut x[i], &node);
    }
    LANES * (x.len() / 2)
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn splits(r: &Factor, from: &[Limbs], to: &mut [Limbs], k: &ModulusInLanes) -> usize {
    let r = broadcast(&r.0);
    let pairs = to.as_chunks_mut().0;
    let done = LANES * pairs.len().min(from.len());
    for (from, [a, b]) in from.iter().zip(pairs) {
        let parent = load::<0>(from);
        let one = reduced(&times(&parent, &r, k), k);
        let zero = reduced(&minus1(&parent, &one, k), k);
        let (low, high) = interleaved(&zero, &one);
        store(a, &low);
        store(b, &high);
    }
    done
}
