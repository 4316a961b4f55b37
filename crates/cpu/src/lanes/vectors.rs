//! Vectors and polynomials in lanes: sums and multiples, powers, evaluations, inverses, prefix products and quotients.
//!
//! Elements are in memory as limbs below q. Eight consecutive elements are converted to digits, and results back to limbs. If
//! a product depends on the one before, several independent chains are interleaved.

use super::digits::{
    DIGITS, FiveDigits, LANES, LIMBS, ModulusInLanes, broadcast, canonical, difference, factor_digits,
    joined, load, minus1, reduced, sixteen_times, store, sum, times, transpose, zero,
};
use super::{known, limbs, limbs_mut};
use core::arch::x86_64::*;
use core::marker::PhantomData;
use pairwright_field::{PrimeField, batch_invert};

/// Number of interleaved chains of vectors.
const CHAINS: usize = 4;
/// Number of elements in one step of all chains.
const STEP: usize = CHAINS * LANES;
/// Number of interleaved groups of eight rows in a scan.
const GROUPS: usize = 2;
/// Number of rows of a scan.
pub(crate) const ROWS: usize = GROUPS * LANES;

/// Eight elements in memory.
type Limbs = [[u64; LIMBS]; LANES];
/// Elements in memory, one for each chain and lane.
type Ends<F> = [F; STEP];

/// Vectors over a field. Unless it says otherwise, every function processes the first elements in lanes and returns their number, a
/// multiple of [`LANES`] or [`STEP`].
#[derive(Clone, Copy)]
pub(crate) struct VectorsInLanes<F> {
    k: ModulusInLanes,
    of: PhantomData<F>,
}

/// The scratch memory of an inversion.
pub(crate) type InvertScratch = Vec<FiveDigits>;

impl<F: PrimeField> VectorsInLanes<F> {
    /// Prepares the constants of the field; `None` if the field or the processor has no lanes.
    pub(crate) fn new() -> Option<Self> {
        // SAFETY: `known` has asked the processor.
        known::<F>().then(|| Self { k: unsafe { ModulusInLanes::new::<F>() }, of: PhantomData })
    }

    /// `a[i] ← a[i] b[i]`.
    pub(crate) fn multiply(&self, a: &mut [F], b: &[F]) -> usize {
        let (Some(a), Some(b)) = (limbs_mut(a), limbs(b)) else { return 0 };
        // SAFETY: constants exist only where the processor has the features.
        unsafe { multiply(a.as_chunks_mut().0, b.as_chunks().0, &self.k) }
    }

    /// `a[i] ← a[i] b[i] - c[i]`.
    pub(crate) fn multiply_subtract(&self, a: &mut [F], b: &[F], c: &[F]) -> usize {
        let (Some(a), Some(b), Some(c)) = (limbs_mut(a), limbs(b), limbs(c)) else { return 0 };
        // SAFETY: as above.
        unsafe { multiply_subtract(a.as_chunks_mut().0, b.as_chunks().0, c.as_chunks().0, &self.k) }
    }

    /// `a[i] ← factor a[i]`.
    pub(crate) fn scale(&self, a: &mut [F], factor: F) -> usize {
        let Some(a) = limbs_mut(a) else { return 0 };
        // SAFETY: as above.
        unsafe { scale(a.as_chunks_mut().0, &broadcast(&factor_digits(factor)), &self.k) }
    }

    /// `a[i] ← a[i] + factor b[i]`.
    pub(crate) fn add_multiple(&self, a: &mut [F], factor: F, b: &[F]) -> usize {
        let (Some(a), Some(b)) = (limbs_mut(a), limbs(b)) else { return 0 };
        let (a, b) = (a.as_chunks_mut().0, b.as_chunks().0);
        // SAFETY: as above.
        unsafe {
            if factor == F::ONE {
                add(a, b, &self.k)
            } else {
                add_multiple(a, &broadcast(&factor_digits(factor)), b, &self.k)
            }
        }
    }

    /// `out[i] ← first base^i`.
    pub(crate) fn powers(&self, out: &mut [F], first: F, base: F) -> usize {
        let mut power = first;
        let starts: Ends<F> = core::array::from_fn(|_| {
            let now = power;
            power *= base;
            now
        });
        let stride = factor_digits(base.pow_vartime(&[STEP as u64]));
        let (Some(out), Some(starts)) = (limbs_mut(out), limbs(&starts)) else { return 0 };
        // SAFETY: as above.
        unsafe { powers(out.as_chunks_mut().0, starts.as_chunks().0, &broadcast(&stride), &self.k) }
    }

    /// `Σ p[i] x^i` over all coefficients.
    pub(crate) fn evaluate(&self, p: &[F], x: F) -> F {
        let horner = |p: &[F], above: F| p.iter().rev().fold(above, |value, c| value * x + *c);
        let (vectors, rest) = p.split_at(p.len() / STEP * STEP);
        let mut ends: Ends<F> = [F::ZERO; STEP];
        let stride = factor_digits(x.pow_vartime(&[STEP as u64]));
        // The remaining highest coefficients come first: every chain begins with one of them or with zero.
        ends[..rest.len()].copy_from_slice(rest);
        if let (Some(vectors), Some(ends)) = (limbs(vectors), limbs_mut(&mut ends)) {
            // SAFETY: as above.
            unsafe { evaluate(vectors.as_chunks().0, ends, &broadcast(&stride), &self.k) };
        }
        horner(&ends, F::ZERO)
    }

    /// The product of all elements.
    pub(crate) fn product(&self, x: &[F]) -> F {
        let (vectors, rest) = x.split_at(x.len() / STEP * STEP);
        let mut ends: Ends<F> = [F::ONE; STEP];
        if let (Some(vectors), Some(ends)) = (limbs(vectors), limbs_mut(&mut ends)) {
            // SAFETY: as above.
            unsafe { product(vectors.as_chunks().0, ends, &self.k) };
        }
        ends.iter().chain(rest).fold(F::ONE, |all, x| all * *x)
    }

    /// `a[i] ← 1/a[i]`; zeros stay zero.
    pub(crate) fn invert(&self, a: &mut [F], scratch: &mut InvertScratch) -> usize {
        let mut ends: Ends<F> = [F::ONE; STEP];
        // SAFETY: as above.
        let one = unsafe { broadcast(&factor_digits(F::ONE)) };
        let Some(a) = limbs_mut(a) else { return 0 };
        let a: &mut [[Limbs; CHAINS]] = a.as_chunks_mut().0.as_chunks_mut().0;
        if let Some(ends) = limbs_mut(&mut ends) {
            // SAFETY: as above.
            unsafe { products_of_columns(a, ends, scratch, &one, &self.k) };
        }
        batch_invert(&mut ends);
        if let Some(ends) = limbs(&ends) {
            // SAFETY: as above.
            unsafe { inverses_of_columns(a, ends, scratch, &one, &self.k) };
        }
        STEP * a.len()
    }

    /// In each of [`ROWS`] rows of equal length, a multiple of eight, replaces every element by the product of the row's
    /// start and the elements before it.
    pub(crate) fn products_before(&self, rows: &mut [F], starts: &[F; ROWS]) {
        let (Some(rows), Some(starts)) = (limbs_mut(rows), limbs(starts)) else { return };
        // SAFETY: as above.
        unsafe { scan(rows, starts.as_chunks().0, None, &self.k) };
    }

    /// In each of [`ROWS`] rows of equal length, a multiple of eight, replaces every element by the value at `z` of the
    /// polynomial whose coefficients are the elements above it. The start of a row is the value of the elements above the row.
    pub(crate) fn values_above(&self, rows: &mut [F], z: F, starts: &[F; ROWS]) {
        let (Some(rows), Some(starts)) = (limbs_mut(rows), limbs(starts)) else { return };
        let z = factor_digits(z);
        // SAFETY: as above.
        unsafe { scan(rows, starts.as_chunks().0, Some(&broadcast(&z)), &self.k) };
    }

    /// The integers of least magnitude that represent elements: limb `k` of the magnitude of `x[i]` is written to `planes[k][i]`,
    /// and `signs[i]` says whether the integer is negative.
    pub(crate) fn magnitudes(&self, x: &[F], planes: &mut [&mut [u64]], signs: &mut [bool]) -> usize {
        let (Some(x), Ok(planes)) = (limbs(x), planes.try_into()) else { return 0 };
        // SAFETY: as above.
        unsafe { magnitudes(x.as_chunks().0, planes, signs.as_chunks_mut().0, &self.k) }
    }
}

/// The product of eight elements and eight others, below 2q.
///
/// One operand is multiplied by 16, because a product in lanes divides by 2^260 and the form of memory requires 2^256.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn times_limbs(a: &Limbs, b: &FiveDigits, k: &ModulusInLanes) -> FiveDigits {
    times(&load::<4>(a), b, k)
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply(a: &mut [Limbs], b: &[Limbs], k: &ModulusInLanes) -> usize {
    for (a, b) in a.iter_mut().zip(b) {
        let x = times_limbs(a, &load::<0>(b), k);
        store(a, &reduced(&x, k));
    }
    LANES * a.len().min(b.len())
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn multiply_subtract(a: &mut [Limbs], b: &[Limbs], c: &[Limbs], k: &ModulusInLanes) -> usize {
    for ((a, b), c) in a.iter_mut().zip(b).zip(c) {
        let x = times_limbs(a, &load::<0>(b), k);
        store(a, &canonical(&minus1(&x, &load::<0>(c), k), k));
    }
    LANES * a.len().min(b.len()).min(c.len())
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn scale(a: &mut [Limbs], factor: &FiveDigits, k: &ModulusInLanes) -> usize {
    for a in a.iter_mut() {
        let x = times(&load::<0>(a), factor, k);
        store(a, &reduced(&x, k));
    }
    LANES * a.len()
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn add(a: &mut [Limbs], b: &[Limbs], k: &ModulusInLanes) -> usize {
    for (a, b) in a.iter_mut().zip(b) {
        let x = sum(&load::<0>(a), &load::<0>(b));
        store(a, &reduced(&x, k));
    }
    LANES * a.len().min(b.len())
}

#[target_feature(enable = "avx512f,avx512ifma")]
fn add_multiple(a: &mut [Limbs], factor: &FiveDigits, b: &[Limbs], k: &ModulusInLanes) -> usize {
    for (a, b) in a.iter_mut().zip(b) {
        let x = sum(&load::<0>(a), &times(&load::<0>(b), factor, k));
        store(a, &canonical(&x, k));
    }
    LANES * a.len().min(b.len())
}

/// The magnitudes and signs of [`VectorsInLanes::magnitudes`]: an element `x` below q becomes `-(q - x)` if `q - x` is less.
#[target_feature(enable = "avx512f,avx512ifma")]
fn magnitudes(
    x: &[Limbs],
    planes: &mut [&mut [u64]; LIMBS],
    signs: &mut [[bool; LANES]],
    k: &ModulusInLanes,
) -> usize {
    let one = broadcast(&[1, 0, 0, 0, 0]);
    let mut planes = planes.each_mut().map(|plane| plane.as_chunks_mut::<LANES>().0.iter_mut());
    for (x, signs) in x.iter().zip(signs.iter_mut()) {
        let x = reduced(&times_limbs(x, &one, k), k);
        let other = minus1(&zero(), &x, k);
        // The top digit of the difference has its sign.
        let more = difference(&x, &other, &zero())[DIGITS - 1];
        let large = _mm512_cmpge_epi64_mask(more, _mm512_setzero_si512());
        let mut magnitude = x;
        for i in 0..DIGITS {
            magnitude[i] = _mm512_mask_blend_epi64(large, x[i], other[i]);
        }
        for (plane, limbs) in planes.iter_mut().zip(joined(&magnitude)) {
            if let Some(plane) = plane.next() {
                // SAFETY: eight limbs are a vector; the store needs no alignment.
                unsafe { _mm512_storeu_si512(plane.as_mut_ptr().cast(), limbs) };
            }
        }
        for (i, sign) in signs.iter_mut().enumerate() {
            *sign = large >> i & 1 == 1;
        }
    }
    LANES * x.len().min(signs.len())
}

/// Powers by independent chains, whose values stay below 2q: a product of values below 2q and q is below `17/16 q`.
#[target_feature(enable = "avx512f,avx512ifma")]
fn powers(out: &mut [Limbs], starts: &[Limbs], stride: &FiveDigits, k: &ModulusInLanes) -> usize {
    let mut chains = [zero(); CHAINS];
    chains.iter_mut().zip(starts).for_each(|(chain, start)| *chain = load::<0>(start));
    let (steps, _) = out.as_chunks_mut::<CHAINS>();
    for out in steps.iter_mut() {
        for c in 0..CHAINS {
            store(&mut out[c], &reduced(&chains[c], k));
            chains[c] = times(&chains[c], stride, k);
        }
    }
    STEP * steps.len()
}

/// Horner's rule in every lane of all chains, which begin with `ends`; values stay below 3q.
#[target_feature(enable = "avx512f,avx512ifma")]
fn evaluate(p: &[Limbs], ends: &mut [[u64; LIMBS]], stride: &FiveDigits, k: &ModulusInLanes) {
    let mut chains = [zero(); CHAINS];
    let (ends, _) = ends.as_chunks_mut();
    chains.iter_mut().zip(ends.iter()).for_each(|(chain, end)| *chain = load::<0>(end));
    for p in p.as_chunks::<CHAINS>().0.iter().rev() {
        for c in 0..CHAINS {
            chains[c] = sum(&times(&chains[c], stride, k), &load::<0>(&p[c]));
        }
    }
    ends.iter_mut().zip(&chains).for_each(|(end, chain)| store(end, &canonical(chain, k)));
}

/// The products of all elements in every lane of all chains; values below q and 2q are multiplied, so results stay below 2q.
#[target_feature(enable = "avx512f,avx512ifma")]
fn product(x: &[Limbs], ends: &mut [[u64; LIMBS]], k: &ModulusInLanes) {
    let mut chains = [zero(); CHAINS];
    let (ends, _) = ends.as_chunks_mut();
    chains.iter_mut().zip(ends.iter()).for_each(|(chain, end)| *chain = load::<0>(end));
    for x in x.as_chunks::<CHAINS>().0 {
        for c in 0..CHAINS {
            chains[c] = times_limbs(&x[c], &chains[c], k);
        }
    }
    ends.iter_mut().zip(&chains).for_each(|(end, chain)| store(end, &reduced(chain, k)));
}

/// Loads eight elements times 16, with one in place of zero, and returns a mask of the lanes with zero.
#[inline]
#[target_feature(enable = "avx512f")]
fn without_zeros(x: &Limbs, one: &FiveDigits) -> (FiveDigits, __mmask8) {
    let mut x = load::<4>(x);
    let mut any = x[0];
    for k in 1..DIGITS {
        any = _mm512_or_si512(any, x[k]);
    }
    let zeros = _mm512_testn_epi64_mask(any, any);
    for k in 0..DIGITS {
        x[k] = _mm512_mask_blend_epi64(zeros, x[k], one[k]);
    }
    (x, zeros)
}

/// Writes to `before` the products, for every lane of a chain, of the elements before each vector, and to `ends` those of all elements.
#[target_feature(enable = "avx512f,avx512ifma")]
fn products_of_columns(
    a: &[[Limbs; CHAINS]],
    ends: &mut [[u64; LIMBS]],
    before: &mut InvertScratch,
    one: &FiveDigits,
    k: &ModulusInLanes,
) {
    let mut chains = [zero(); CHAINS];
    let (ends, _) = ends.as_chunks_mut();
    chains.iter_mut().zip(ends.iter()).for_each(|(chain, end)| *chain = load::<0>(end));
    before.clear();
    for a in a {
        for c in 0..CHAINS {
            before.push(chains[c]);
            chains[c] = times(&without_zeros(&a[c], one).0, &chains[c], k);
        }
    }
    ends.iter_mut().zip(&chains).for_each(|(end, chain)| store(end, &reduced(chain, k)));
}

/// The inverses of all elements, from the inverses of the products of all and the products before each vector.
#[target_feature(enable = "avx512f,avx512ifma")]
fn inverses_of_columns(
    a: &mut [[Limbs; CHAINS]],
    ends: &[[u64; LIMBS]],
    before: &InvertScratch,
    one: &FiveDigits,
    k: &ModulusInLanes,
) {
    let mut chains = [zero(); CHAINS];
    chains.iter_mut().zip(ends.as_chunks().0).for_each(|(chain, end)| *chain = load::<0>(end));
    for (a, before) in a.iter_mut().zip(before.as_chunks::<CHAINS>().0).rev() {
        for c in 0..CHAINS {
            let (x, zeros) = without_zeros(&a[c], one);
            let mut inverse = reduced(&times(&sixteen_times(&before[c]), &chains[c], k), k);
            for digit in &mut inverse {
                *digit = _mm512_maskz_mov_epi64(!zeros, *digit);
            }
            store(&mut a[c], &inverse);
            chains[c] = times(&x, &chains[c], k);
        }
    }
}

/// Replaces the elements of [`ROWS`] rows, one row per lane, by the states before them. Without a factor, the scan goes upwards and a
/// step multiplies the state by the element. With a factor, it goes downwards, and a step multiplies the state by the factor and
/// adds the element.
///
/// States stay below 2q in products, and below 3q in sums.
#[target_feature(enable = "avx512f,avx512ifma")]
fn scan(rows: &mut [[u64; LIMBS]], starts: &[Limbs], factor: Option<&FiveDigits>, k: &ModulusInLanes) {
    let columns = rows.len() / ROWS;
    let mut states = [zero(); GROUPS];
    states.iter_mut().zip(starts).for_each(|(state, start)| *state = load::<0>(start));
    let mut rows: Vec<&mut [Limbs]> =
        rows.chunks_exact_mut(columns).map(|row| row.as_chunks_mut().0).collect();
    let vectors = columns / LANES;
    for i in 0..vectors {
        let at = if factor.is_some() { vectors - 1 - i } else { i };
        let mut squares = [[zero(); LANES]; GROUPS];
        for (square, rows) in squares.iter_mut().zip(rows.chunks_exact(LANES)) {
            square.iter_mut().zip(rows).for_each(|(x, row)| *x = load::<0>(&row[at]));
            transpose(square);
        }
        for j in 0..LANES {
            for (square, state) in squares.iter_mut().zip(&mut states) {
                if let Some(z) = factor {
                    let x = &mut square[LANES - 1 - j];
                    let after = sum(&times(state, z, k), x);
                    *x = canonical(&core::mem::replace(state, after), k);
                } else {
                    let x = &mut square[j];
                    let after = times(&sixteen_times(x), state, k);
                    *x = reduced(&core::mem::replace(state, after), k);
                }
            }
        }
        for (square, rows) in squares.iter_mut().zip(rows.chunks_exact_mut(LANES)) {
            transpose(square);
            square.iter().zip(rows).for_each(|(x, row)| store(&mut row[at], x));
        }
    }
}
