//! One base, many scalars: a table of the base's multiples for every window, then batched affine additions.

use super::rows::{ABSENT, BaseReads, Bases, Rows};
use super::scalars::{Scalars, windows};
use core::marker::PhantomData;
use pairwright_curve::batch_to_affine;
use pairwright_curve::{Affine, Curve};
use pairwright_device::parallel;
use zeroize::Zeroize;

/// Largest window: at most 2^12 points a window in the table.
const MAX_BITS: usize = 13;

/// `scalars[i]·base`, and the number of point additions. Temporary memory: 33 bytes a scalar, and a table of at
/// most `20·2^12` points.
pub(super) fn multiples<C: Curve, R: Rows<C>>(
    base: &Affine<C>,
    scalars: &[C::Scalar],
) -> (Vec<Affine<C>>, u64) {
    let all = Scalars::new(scalars);
    let (scalars, n) = (all.all(), scalars.len());
    if scalars.bits == 0 || base.is_infinity() {
        return (vec![Affine::INFINITY; n], 0);
    }
    let bits = scalars.bits;
    let work = |c: usize| windows(bits, c) * (n + (1 << (c - 1)));
    let c = (2..=MAX_BITS).min_by_key(|c| work(*c)).unwrap_or(2);
    let (count, per_window) = (windows(bits, c), 1 << (c - 1));
    let table = table::<C, R>(base, c, count);
    let bases = Bases::new(&table, None);
    let mut out = vec![Affine::INFINITY; n];
    let chunk = chunk::<C, R>(n);
    parallel::for_each_with(out.chunks_mut(chunk), Sums::<C, R>::new, |sums, k, out| {
        let (mut codes, mut entries) = (vec![0; out.len()], vec![ABSENT; out.len()]);
        for w in 0..count {
            scalars.digits(w, c, k * chunk, &mut codes);
            for (entry, code) in entries.iter_mut().zip(&codes) {
                *entry = match code >> 1 {
                    0 => ABSENT,
                    b => ((w * per_window) as u32 + b - 1) << 1 | code & 1,
                };
            }
            if w == 0 { sums.begin(bases, &entries) } else { sums.add(bases, &entries) }
        }
        sums.read(out);
        codes.zeroize();
        entries.zeroize();
    });
    (out, work(c) as u64)
}

/// Sums formed side by side in one task: as many as a batch has room for.
struct Sums<C, R> {
    rows: R,
    group: PhantomData<C>,
    /// Number of rows of sums.
    height: u32,
    entries: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    reads: Vec<(u32, u32)>,
}

/// The entries name multiples by the digits of scalars, which may be secrets of a setup.
impl<C, R> Drop for Sums<C, R> {
    fn drop(&mut self) {
        self.entries.zeroize();
    }
}

/// Number of sums of one task.
fn chunk<C: Curve, R: Rows<C>>(n: usize) -> usize {
    let each = n.div_ceil(rayon::current_num_threads()).next_multiple_of(R::WIDTH);
    each.clamp(R::WIDTH, R::WIDTH * R::BATCH)
}

impl<C: Curve, R: Rows<C>> Sums<C, R> {
    fn new() -> Self {
        let mut rows = R::new();
        rows.reserve(2 * R::BATCH);
        Self {
            rows,
            group: PhantomData,
            height: 0,
            entries: Vec::new(),
            pairs: Vec::new(),
            reads: Vec::new(),
        }
    }

    /// Begins as many sums as there are entries with the points that these name.
    fn begin(&mut self, bases: Bases<'_, C>, entries: &[u32]) {
        self.height = entries.len().div_ceil(R::WIDTH) as u32;
        self.pairs.clear();
        self.pairs.extend((0..self.height).map(|row| (row, row + self.height)));
        self.load(bases, entries, 0);
    }

    /// Adds a point to each sum.
    fn add(&mut self, bases: Bases<'_, C>, entries: &[u32]) {
        self.load(bases, entries, self.height);
        self.rows.add(&self.pairs, BaseReads { bases, entries: &[], rows: &[] });
    }

    fn load(&mut self, bases: Bases<'_, C>, entries: &[u32], first: u32) {
        self.entries.clear();
        self.entries.extend(entries);
        self.entries.resize(self.height as usize * R::WIDTH, ABSENT);
        self.reads.clear();
        self.reads.extend((0..self.height).map(|row| (first + row, row)));
        self.rows.load(BaseReads { bases, entries: &self.entries, rows: &self.reads });
    }

    fn read(&self, out: &mut [Affine<C>]) {
        for (row, out) in out.chunks_mut(R::WIDTH).enumerate() {
            out.copy_from_slice(&self.rows.read(row).as_ref()[..out.len()]);
        }
    }
}

/// `table[w·2^(c-1) + k - 1] = k·2^(cw)·base`.
fn table<C: Curve, R: Rows<C>>(base: &Affine<C>, c: usize, count: usize) -> Vec<Affine<C>> {
    let per_window = 1usize << (c - 1);
    let mut firsts = Vec::with_capacity(count);
    let mut power = base.to_jacobian();
    for _ in 0..count {
        firsts.push(power);
        power = (0..c).fold(power, |p, _| p.double());
    }
    let mut table = vec![Affine::INFINITY; per_window * count];
    for (row, first) in table.chunks_exact_mut(per_window).zip(batch_to_affine(&firsts)) {
        row[0] = first;
    }
    let mut known = 1;
    while known < per_window {
        // (known + i)·P = i·P + known·P for i = 1 ..= known, in all windows.
        let name = |k: usize| ((k / known * per_window + k % known) << 1) as u32;
        let last = |k: usize| ((k / known * per_window + known - 1) << 1) as u32;
        let mut next = vec![Affine::INFINITY; known * count];
        let chunk = chunk::<C, R>(next.len());
        let bases = Bases::new(&table, None);
        parallel::for_each_with(next.chunks_mut(chunk), Sums::<C, R>::new, |sums, task, out| {
            let places = task * chunk..task * chunk + out.len();
            sums.begin(bases, &places.clone().map(name).collect::<Vec<_>>());
            sums.add(bases, &places.map(last).collect::<Vec<_>>());
            sums.read(out);
        });
        for (row, next) in table.chunks_exact_mut(per_window).zip(next.chunks_exact(known)) {
            row[known..2 * known].copy_from_slice(next);
        }
        known *= 2;
    }
    table
}
