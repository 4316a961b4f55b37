//! Affine additions of points in lanes, eight sums at a time; a batch of sums shares one inversion.

use super::coordinate::Coordinate;
use super::digits::LANES;
use super::form::LaneForm;
use super::inversion::{BatchInvertible, InLanes};
use crate::msm::rows::{ABSENT, BaseReads, Bases, LINE, Rows};
use core::arch::x86_64::*;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, Ring};

/// Number of independent chains of running products, which hide the latency of products.
const CHAINS: usize = 2;
/// Distance in rows between the row that is loaded and the row whose points are prefetched.
const AHEAD: usize = 8;

const PLAIN: u8 = LaneForm::Plain as u8;
const X: u8 = LaneForm::X as u8;
const Y: u8 = LaneForm::Y as u8;

/// Eight points; in the lanes that are marked infinite, the coordinates are arbitrary.
#[derive(Clone, Copy)]
struct Row<T> {
    x: T,
    y: T,
    infinite: u8,
}

/// The state of a row of additions between the two passes over a batch.
#[derive(Clone, Copy)]
struct LaneStep<N, T> {
    /// Norm of the denominator of the slope (one if there is none); `conjugate` gives the inverse of the denominator from that of the
    /// norm.
    norm: N,
    conjugate: T,
    /// Product of the norms before this one in its chain.
    before: N,
    /// Mask of the lanes in which the points are equal.
    tangent: u8,
    /// Mask of the lanes in which the points are opposite.
    opposite: u8,
}

/// Rows of points in lanes, and the scratch memory of their additions.
pub(crate) struct InRows<C: Curve<Base: InLanes>> {
    rows: Vec<Row<Eight<C>>>,
    steps: Vec<StepOf<C>>,
}

type Eight<C> = <<C as Curve>::Base as InLanes>::Eight;
type Norm<C> = <Eight<C> as BatchInvertible<<C as Curve>::Base>>::Norm;
type StepOf<C> = LaneStep<Norm<C>, <Eight<C> as BatchInvertible<<C as Curve>::Base>>::Conjugate>;

impl<C: Curve<Base: InLanes>> Rows<C> for InRows<C> {
    const WIDTH: usize = LANES;
    /// Largest number of additions of a batch. Their scratch, two or four elements each, takes at most a quarter of the second-level
    /// cache.
    const BATCH: usize = {
        let most = (256 << 10) / size_of::<StepOf<C>>();
        if most < 256 { most } else { 256 }
    };

    fn new() -> Self {
        Self { rows: Vec::new(), steps: Vec::new() }
    }
    fn reserve(&mut self, len: usize) {
        // SAFETY: `lanes::dispatch` returns functions that use this type only if the processor has lanes.
        let one = unsafe { Eight::<C>::one() };
        self.rows.resize(len.max(self.rows.len()), Row { x: one, y: one, infinite: !0 });
    }
    fn load(&mut self, reads: BaseReads<'_, C>) {
        // SAFETY: as above.
        unsafe { load(&mut self.rows, reads) }
    }
    fn add(&mut self, pairs: &[(u32, u32)], soon: BaseReads<'_, C>) {
        // SAFETY: as above.
        unsafe { add(&mut self.rows, &mut self.steps, pairs, soon) }
    }
    fn read(&self, row: usize) -> impl AsRef<[Affine<C>]> {
        // SAFETY: as above.
        unsafe { read::<C>(&self.rows[row]) }
    }
}

/// Loads bases into rows.
#[target_feature(enable = "avx512f,avx512ifma")]
fn load<C: Curve<Base: InLanes>>(rows: &mut [Row<Eight<C>>], reads: BaseReads<'_, C>) {
    let (entries, _) = reads.entries.as_chunks::<LANES>();
    let bases = reads.bases;
    for (i, (to, of)) in reads.rows.iter().enumerate() {
        if let Some((_, later)) = reads.rows.get(i + AHEAD) {
            for entry in &entries[*later as usize] {
                prefetch::<C, _MM_HINT_T0>(bases, *entry);
            }
        }
        let row = &entries[*of as usize];
        // SAFETY: an array of eight words is 32 bytes; the load needs no alignment.
        let words = _mm512_cvtepu32_epi64(unsafe { _mm256_loadu_si256(row.as_ptr().cast()) });
        let absent = _mm512_cmpeq_epi64_mask(words, _mm512_set1_epi64(ABSENT.into()));
        let negative = _mm512_test_epi64_mask(words, _mm512_set1_epi64(1));
        let mut places = [[core::ptr::null(); LANES]; 2];
        for k in 0..LANES {
            let [x, y] = bases.coordinates(index(row[k]));
            (places[0][k], places[1][k]) = (&raw const *x, &raw const *y);
        }
        // SAFETY: the addresses are those of coordinates of `bases`.
        let ((x, nonzero_x), (y, nonzero_y)) =
            unsafe { (Eight::<C>::load::<X>(places[0]), Eight::<C>::load::<Y>(places[1])) };
        rows[*to as usize] = Row { x, y: y.negated_y(negative), infinite: absent | !(nonzero_x | nonzero_y) };
    }
}

/// The index of the base of an entry; 0 for an absent entry.
#[inline(always)]
fn index(entry: u32) -> usize {
    if entry == ABSENT { 0 } else { (entry >> 1) as usize }
}

/// Prefetches the cache lines of a base, and of its image under the endomorphism if there is one.
#[inline]
#[target_feature(enable = "avx512f")]
fn prefetch<C: Curve<Base: InLanes>, const HINT: i32>(bases: Bases<'_, C>, entry: u32) {
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn lines<T, const HINT: i32>(of: &T, aligned: bool) {
        let first = core::ptr::from_ref(of).cast::<i8>();
        for at in (0..size_of::<T>()).step_by(LINE) {
            // SAFETY: a hint, of an address within the value.
            unsafe { _mm_prefetch::<HINT>(first.add(at)) };
        }
        if !aligned {
            // SAFETY: as above.
            unsafe { _mm_prefetch::<HINT>(first.add(size_of::<T>() - 1)) };
        }
    }
    let (point, image) = bases.memory(index(entry));
    lines::<_, HINT>(point, bases.aligned());
    if let Some(image) = image {
        lines::<_, HINT>(image, false);
    }
}

/// Points that will be read soon. They are prefetched a few at a time, because many prefetches at once would stall.
struct Prefetch<'a, C: Curve> {
    reads: BaseReads<'a, C>,
    entries: &'a [[u32; LANES]],
    fetched: usize,
}

impl<C: Curve<Base: InLanes>> Prefetch<'_, C> {
    /// Prefetches the next points.
    #[inline]
    #[target_feature(enable = "avx512f")]
    fn step(&mut self) {
        const FEW: usize = 2;
        let Some((_, row)) = self.reads.rows.get(self.fetched / LANES) else { return };
        let first = self.fetched % LANES;
        for entry in &self.entries[*row as usize][first..first + FEW] {
            prefetch::<C, _MM_HINT_T1>(self.reads.bases, *entry);
        }
        self.fetched += FEW;
    }
}

/// Stores the points of a row as affine points.
#[target_feature(enable = "avx512f,avx512ifma")]
fn read<C: Curve<Base: InLanes>>(row: &Row<Eight<C>>) -> [Affine<C>; LANES] {
    let mut points = [Affine::INFINITY; LANES];
    // SAFETY: the addresses are those of the coordinates of eight different points.
    unsafe {
        row.x.store::<X>(points.each_mut().map(|p| &raw mut p.x));
        row.y.store::<Y>(points.each_mut().map(|p| &raw mut p.y));
    }
    for (k, point) in points.iter_mut().enumerate() {
        if row.infinite >> k & 1 == 1 {
            *point = Affine::INFINITY;
        }
    }
    points
}

/// `rows[i] ← rows[i] + rows[j]` for pairs `(i, j)` of rows that are all different.
#[target_feature(enable = "avx512f,avx512ifma")]
fn add<C: Curve<Base: InLanes>>(
    rows: &mut [Row<Eight<C>>],
    steps: &mut Vec<StepOf<C>>,
    pairs: &[(u32, u32)],
    soon: BaseReads<'_, C>,
) {
    steps.clear();
    steps.reserve(pairs.len());
    // SAFETY: this function has the features.
    let (one, unit) = unsafe { (Eight::<C>::one(), Norm::<C>::one()) };
    let mut products = [unit; CHAINS];
    for (k, &(i, j)) in pairs.iter().enumerate() {
        let (p, q) = (&rows[i as usize], &rows[j as usize]);
        let mut denominator = Eight::<C>::difference(&q.x, &p.x);
        let absent = p.infinite | q.infinite;
        if absent != 0 {
            denominator = Eight::<C>::blend(absent, &denominator, &one);
        }
        let (mut tangent, mut opposite) = (0, 0);
        let same = denominator.maybe_zero() & !absent;
        if same != 0 {
            (denominator, tangent, opposite) = special::<C::Base, _>(denominator, p, q, same);
        }
        let (norm, conjugate) = denominator.norm();
        let before = products[k % CHAINS];
        products[k % CHAINS] = before * norm;
        steps.push(LaneStep { norm, conjugate, before, tangent, opposite });
    }
    let mut inverses = inverses::<<Eight<C> as BatchInvertible<C::Base>>::Field, _>(&products);
    let mut soon = Prefetch { reads: soon, entries: soon.entries.as_chunks().0, fetched: 0 };
    let mut scratch = Scratch {
        norms: [unit; CHAINS],
        slopes: [one; CHAINS],
        squares: [one; CHAINS],
        products: [one; CHAINS],
    };
    let even = pairs.len() / CHAINS * CHAINS;
    if even < pairs.len() {
        finish(rows, &steps[even..], &pairs[even..], &mut inverses, &mut scratch, &mut soon);
    }
    for (pairs, steps) in pairs[..even].rchunks_exact(CHAINS).zip(steps[..even].rchunks_exact(CHAINS)) {
        finish(rows, steps, pairs, &mut inverses, &mut scratch, &mut soon);
    }
}

/// Intermediate values of [`finish`] for each chain. They are overwritten in place: local arrays would be initialized and copied for every step,
/// which took 3 to 6 % of an MSM in G2.
struct Scratch<N, T> {
    norms: [N; CHAINS],
    slopes: [T; CHAINS],
    squares: [T; CHAINS],
    products: [T; CHAINS],
}

/// The second pass over one step of each chain; the products of the chains are interleaved.
#[inline]
#[target_feature(enable = "avx512f,avx512ifma")]
fn finish<C: Curve<Base: InLanes>>(
    rows: &mut [Row<Eight<C>>],
    steps: &[StepOf<C>],
    pairs: &[(u32, u32)],
    inverses: &mut [Norm<C>; CHAINS],
    scratch: &mut Scratch<Norm<C>, Eight<C>>,
    soon: &mut Prefetch<'_, C>,
) {
    let n = pairs.len();
    let Scratch { norms, slopes, squares, products } = scratch;
    for k in 0..n {
        norms[k] = inverses[k] * steps[k].before;
        soon.step();
    }
    for k in 0..n {
        inverses[k] = inverses[k] * steps[k].norm;
        soon.step();
    }
    for k in 0..n {
        let (p, q) = (&rows[pairs[k].0 as usize], &rows[pairs[k].1 as usize]);
        let mut rise = Eight::<C>::factor(&q.y, &p.y);
        if steps[k].tangent != 0 {
            let xx = p.x.square();
            rise = Eight::<C>::blend(steps[k].tangent, &rise, &(xx.double() + xx));
        }
        slopes[k] = rise * Eight::<C>::inverse(&norms[k], &steps[k].conjugate);
        soon.step();
    }
    for k in 0..n {
        squares[k] = slopes[k].square();
        soon.step();
    }
    for k in 0..n {
        let (p, q) = (&rows[pairs[k].0 as usize], &rows[pairs[k].1 as usize]);
        squares[k] = squares[k].minus_both(p.x, q.x);
        products[k] = slopes[k] * Eight::<C>::factor(&p.x, &squares[k]);
    }
    for k in 0..n {
        let (p, q) = (&rows[pairs[k].0 as usize], &rows[pairs[k].1 as usize]);
        let (x, y) = (&squares[k], products[k] - p.y);
        let infinite = p.infinite & q.infinite | steps[k].opposite;
        if p.infinite | q.infinite == 0 {
            let to = &mut rows[pairs[k].0 as usize];
            (to.x, to.y, to.infinite) = (*x, y, infinite);
            continue;
        }
        let x = Eight::<C>::blend(q.infinite, &Eight::<C>::blend(p.infinite, x, &q.x), &p.x);
        let y = Eight::<C>::blend(q.infinite, &Eight::<C>::blend(p.infinite, &y, &q.y), &p.y);
        rows[pairs[k].0 as usize] = Row { x, y, infinite };
    }
}

/// Distinguishes equal from opposite points in lanes whose first coordinates may be equal. Returns the denominators, and masks of
/// the lanes with equal and with opposite points.
#[cold]
#[target_feature(enable = "avx512f,avx512ifma")]
fn special<F: Extension, T: Coordinate<F>>(difference: T, p: &Row<T>, q: &Row<T>, lanes: u8) -> (T, u8, u8) {
    let zeros = |x: T| {
        let mut values = [F::ZERO; LANES];
        // SAFETY: the addresses are those of eight different values.
        unsafe { x.store::<PLAIN>(values.each_mut().map(|v| &raw mut *v)) };
        values.iter().enumerate().fold(0, |mask, (k, v)| mask | u8::from(v.is_zero()) << k)
    };
    let same = zeros(difference) & lanes;
    let tangent = same & zeros(q.y - p.y) & !zeros(p.y);
    let opposite = same & !tangent;
    // SAFETY: this function has the features.
    let one = unsafe { T::one() };
    let denominator = T::blend(tangent, &difference, &p.y.double());
    (T::blend(opposite, &denominator, &one), tangent, opposite)
}

/// The inverses of the products of all chains in all lanes, by one inversion. No product may be zero.
#[target_feature(enable = "avx512f,avx512ifma")]
fn inverses<F: Extension, T: Coordinate<F>>([a, b]: &[T; CHAINS]) -> [T; CHAINS] {
    // Lanes are multiplied in pairs, then pairs of pairs, until each lane holds the product of all.
    let joined = *a * *b;
    let mut steps = [joined; 3];
    let mut all = joined;
    for (step, mask) in steps.iter_mut().zip([1, 2, 4]) {
        *step = all;
        all = all * all.exchanged(mask);
    }
    let mut values = [F::ONE; LANES];
    // SAFETY: the addresses are those of eight different values.
    unsafe { all.store::<PLAIN>(values.each_mut().map(|v| &raw mut *v)) };
    // Stored to memory, the product has the factor 2^LOG_RADIX_RATIO, and so has its inverse when it is loaded to lanes again.
    let radices = F::from_prime(F::Prime::from(1 << T::LOG_RADIX_RATIO)).square();
    let inverse = values[0].invert().expect("no denominator is zero, so their product is not") * radices;
    // SAFETY: the address is that of a value.
    let (mut inverse, _) = unsafe { T::load::<PLAIN>([&raw const inverse; LANES]) };
    for (step, mask) in steps.iter().zip([1, 2, 4]).rev() {
        inverse = inverse * step.exchanged(mask);
    }
    [inverse * *b, inverse * *a]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::lanes_to_test;
    use pairwright_curve::{bls12_377, bls12_381, bn254};
    use pairwright_field::{Field, PrimeField};
    use pairwright_testkit::conformance::Values;

    /// An element in every lane, loaded in a form, and the element that results when it is stored unchanged.
    fn lifted<F: InLanes, const FORM: u8>(x: F) -> (F::Eight, F) {
        // SAFETY: the tests ask the processor first; the addresses are those of a value.
        let (eight, _) = unsafe { F::Eight::load::<FORM>([&raw const x; LANES]) };
        (eight, stored(&eight))
    }

    fn stored<F: InLanes>(x: &F::Eight) -> F {
        let mut values = [F::ZERO; LANES];
        // SAFETY: the addresses are those of eight values.
        unsafe { x.store::<PLAIN>(values.each_mut().map(|v| &raw mut *v)) };
        assert!(values.iter().all(|v| *v == values[0]), "all lanes alike");
        values[0]
    }

    /// Zero, one, their neighbours, the greatest limbs below the modulus in every coordinate, and random elements.
    fn samples<F: InLanes>() -> Vec<F> {
        let mut top = <F::Prime as PrimeField>::MODULUS;
        top.as_mut()[0] -= 1;
        let top = F::Prime::from_montgomery(top).unwrap();
        let mut list =
            vec![F::ZERO, F::ONE, -F::ONE, F::from_coords(&vec![top; F::DEGREE]), F::from_prime(top)];
        let mut values = Values::<F::Prime>::new(5);
        for _ in 0..20 {
            list.push(F::from_coords(&values.take_buf(F::DEGREE)));
        }
        list
    }

    /// Every operation of the ring on every pair of samples in every form, so that operands reach their bounds, and on
    /// its own results. A product in lanes divides by the ratio of the radices.
    fn ring<F: InLanes>() {
        if !lanes_to_test() {
            return;
        }
        let radix = F::from_prime(F::Prime::from(1 << F::Eight::LOG_RADIX_RATIO));
        let scale = radix.invert().unwrap();
        let list: Vec<(F::Eight, F)> = samples::<F>()
            .into_iter()
            .flat_map(|x| [lifted::<F, PLAIN>(x), lifted::<F, X>(x), lifted::<F, Y>(x)])
            .collect();
        for (y, a) in samples::<F>().into_iter().map(lifted::<F, Y>) {
            assert_eq!(stored::<F>(&y.negated_y(!0)), -a);
            assert_eq!(stored::<F>(&y.negated_y(0)), a);
            // Negation in some lanes: negating these lanes again restores the value.
            let some = y.negated_y(0x5a);
            assert_eq!(stored::<F>(&F::Eight::blend(0x5a, &some, &-some)), a);
            assert_eq!(stored::<F>(&(F::Eight::factor(&y, &y.negated_y(!0)) * y)), a.double() * a * scale);
        }
        for (k, &(x, a)) in list.iter().enumerate() {
            assert_eq!(stored::<F>(&-x), -a);
            assert_eq!(stored::<F>(&x.double()), a.double());
            assert_eq!(stored::<F>(&x.square()), a.square() * scale);
            for (l, &(y, b)) in list.iter().enumerate() {
                assert_eq!(stored::<F>(&(x + y)), a + b);
                assert_eq!(stored::<F>(&(x - y)), a - b);
                assert_eq!(stored::<F>(&(x * y)), a * b * scale);
                // Random elements are never reported as possible zeros. The element one is, since its low digits are those of a
                // multiple of q.
                assert!(k.min(l) < 15 || a == b || (x - y).maybe_zero() == 0, "{k} {l}");
                assert!(a != b || (x - y).maybe_zero() == 0xff, "{k} {l}");
                let z = (x - y) * (x + y) - (y - x) - x.double();
                assert_eq!(stored::<F>(&z), (a - b) * (a + b) * scale - (b - a) - a.double());
                let mixed = F::Eight::blend(0b0110_0101, &x, &y);
                let mut values = [F::ZERO; LANES];
                // SAFETY: the addresses are those of eight values.
                unsafe { mixed.store::<PLAIN>(values.each_mut().map(|v| &raw mut *v)) };
                assert!((0..LANES).all(|i| values[i] == if 0b0110_0101 >> i & 1 == 1 { b } else { a }));
            }
        }
    }

    #[test]
    fn ring_of_base_fields() {
        ring::<bn254::Fq>();
        ring::<bls12_381::Fq>();
        ring::<bls12_377::Fq>();
    }

    /// Quadratic extensions are the generic tower over lanes.
    #[test]
    fn ring_of_quadratic_extensions() {
        ring::<bn254::Fq2>();
        ring::<bls12_381::Fq2>();
        ring::<bls12_377::Fq2>();
    }

    /// Passing the norm in place of its inverse to `inverse`, and multiplying by the difference, gives the square of the norm.
    fn norms<F: InLanes, G: Extension<Prime = F::Prime>>()
    where
        F::Eight: BatchInvertible<F, Field = G>,
    {
        if !lanes_to_test() {
            return;
        }
        let scale = F::from_prime(F::Prime::from(1 << F::Eight::LOG_RADIX_RATIO)).invert().unwrap();
        let list: Vec<F::Eight> =
            samples::<F>().iter().flat_map(|x| [lifted::<F, X>(*x).0, lifted::<F, Y>(*x).0]).collect();
        for (x, y) in list.iter().flat_map(|x| list.iter().map(move |y| (x, y))) {
            let difference = F::Eight::difference(x, y);
            let (norm, conjugate) = difference.norm();
            let mut values = [G::ZERO; LANES];
            // SAFETY: the addresses are those of eight values.
            unsafe { norm.store::<PLAIN>(values.each_mut().map(|v| &raw mut *v)) };
            let coords: Vec<F::Prime> = (0..F::DEGREE)
                .map(|i| if i < G::DEGREE { values[7].coord(i) } else { F::Prime::ZERO })
                .collect();
            let squared = F::Eight::inverse(&norm, &conjugate) * difference;
            assert_eq!(stored::<F>(&squared), F::from_coords(&coords).square() * scale);
            assert_eq!(values[7].is_zero(), stored::<F>(&difference).is_zero());
        }
    }

    #[test]
    fn norms_take_the_place_of_differences() {
        norms::<bn254::Fq, _>();
        norms::<bls12_381::Fq, _>();
        norms::<bn254::Fq2, _>();
        norms::<bls12_381::Fq2, _>();
        norms::<bls12_377::Fq2, _>();
    }

    /// Different elements in different lanes are loaded and stored at the right positions, and zeros are detected.
    #[test]
    fn lanes_keep_their_places() {
        fn check<F: InLanes>() {
            if !lanes_to_test() {
                return;
            }
            let list = samples::<F>();
            for list in list.windows(LANES) {
                let from: [F; LANES] = list.try_into().unwrap();
                // SAFETY: the processor has the instructions; the addresses are those of values.
                let (x, nonzero) = unsafe { F::Eight::load::<X>(from.each_ref().map(|v| &raw const *v)) };
                let mut to = [F::ONE; LANES];
                // SAFETY: the addresses are those of eight values.
                unsafe { x.store::<X>(to.each_mut().map(|v| &raw mut *v)) };
                assert_eq!(to, from);
                for k in 0..LANES {
                    assert_eq!(nonzero >> k & 1 == 1, from[k] != F::ZERO);
                }
                // SAFETY: as above.
                let (y, _) = unsafe { F::Eight::load::<Y>(from.each_ref().map(|v| &raw const *v)) };
                // SAFETY: as above.
                unsafe { y.store::<Y>(to.each_mut().map(|v| &raw mut *v)) };
                assert_eq!(to, from);
            }
        }
        check::<bn254::Fq>();
        check::<bls12_381::Fq>();
        check::<bls12_377::Fq2>();
    }

    /// Sums of all pairs of a few points, including infinity, equal and opposite points, in batches of every length.
    #[test]
    fn sums_of_all_pairs() {
        fn check<C: Curve<Base: InLanes>>() {
            if !lanes_to_test() {
                return;
            }
            let g = C::GENERATOR.to_jacobian();
            let some: Vec<Affine<C>> = [0u64, 1, 2, 3, 7]
                .iter()
                .flat_map(|k| [g.mul_limbs_vartime(&[*k]), -g.mul_limbs_vartime(&[*k])])
                .map(Affine::from)
                .collect();
            let pairs: Vec<[Affine<C>; 2]> =
                some.iter().flat_map(|p| some.iter().map(|q| [*p, *q])).collect();
            for pairs in [&pairs[..1], &pairs[20..30], &pairs[..24], &pairs] {
                let count = pairs.len().div_ceil(LANES);
                let mut rows = InRows::<C>::new();
                rows.reserve(2 * count);
                for side in [0, 1] {
                    let points: Vec<Affine<C>> = pairs.iter().map(|p| p[side]).collect();
                    let mut entries: Vec<u32> = (0..points.len() as u32).map(|i| i << 1).collect();
                    entries.resize(count * LANES, ABSENT);
                    let places: Vec<(u32, u32)> =
                        (0..count as u32).map(|i| (i + (side * count) as u32, i)).collect();
                    rows.load(BaseReads {
                        bases: Bases::new(&points, None),
                        entries: &entries,
                        rows: &places,
                    });
                }
                let all: Vec<(u32, u32)> = (0..count as u32).map(|i| (i, i + count as u32)).collect();
                rows.add(&all, BaseReads { bases: Bases::new(&[], None), entries: &[], rows: &[] });
                for (i, [p, q]) in pairs.iter().enumerate() {
                    let want = (p.to_jacobian() + q.to_jacobian()).to_affine();
                    assert_eq!(rows.read(i / LANES).as_ref()[i % LANES], want, "{p:?} + {q:?}");
                }
            }
        }
        check::<bn254::G1>();
        check::<bn254::G2>();
        check::<bls12_381::G1>();
        check::<bls12_381::G2>();
        check::<bls12_377::G1>();
        check::<bls12_377::G2>();
    }
}
