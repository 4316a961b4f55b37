//! The bases of an MSM, and the rows in which their sums are formed: of one point here, of eight in `lanes`.

use super::batch::Batch;
use pairwright_curve::{Affine, Curve};
use pairwright_field::Field;
use pairwright_field::ct::Choice;

/// The bases, each followed by its image under the endomorphism if there are images.
#[derive(Clone, Copy)]
pub(crate) struct Bases<'a, C: Curve> {
    points: &'a [Affine<C>],
    /// First coordinates of the images.
    images: Option<&'a [C::Base]>,
    /// Whether a point lies in as few cache lines as its size allows, wherever it is among the points.
    #[cfg(target_arch = "x86_64")]
    aligned: bool,
}

/// Bytes of a cache line.
pub(crate) const LINE: usize = 64;

impl<'a, C: Curve> Bases<'a, C> {
    /// Points with the first coordinates of their images, if they have any.
    pub(crate) fn new(points: &'a [Affine<C>], images: Option<&'a [C::Base]>) -> Self {
        // Points of whole lines begin with a line; those that end with half a line may begin with either half.
        #[cfg(target_arch = "x86_64")]
        let part = (1 << size_of::<Affine<C>>().trailing_zeros()).min(LINE);
        Self {
            points,
            images,
            #[cfg(target_arch = "x86_64")]
            aligned: part >= LINE / 2 && points.as_ptr().addr().is_multiple_of(part),
        }
    }

    /// Whether a point lies in as few cache lines as its size allows.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn aligned(&self) -> bool {
        self.aligned
    }

    /// Point `index`, or its negative.
    #[inline(always)]
    pub(super) fn load(&self, index: usize, negative: bool) -> Affine<C> {
        // Signs and images are as good as random: nothing branches on them.
        let (x, y) = match self.images {
            None => (&self.points[index].x, &self.points[index].y),
            Some(images) => {
                let p = &self.points[index >> 1];
                ([&p.x, &images[index >> 1]][index & 1], &p.y)
            }
        };
        Affine { x: *x, y: C::Base::select(y, &-*y, Choice::from_bit(negative.into())) }
    }

    /// The point of an entry, `2·index + negative` or [`ABSENT`].
    #[inline(always)]
    pub(super) fn load_entry(&self, entry: u32) -> Affine<C> {
        if entry == ABSENT { Affine::INFINITY } else { self.load((entry >> 1) as usize, entry & 1 == 1) }
    }

    /// The memory of the coordinates of point `index`: one part, or another one for an image.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn memory(&self, index: usize) -> (&'a Affine<C>, Option<&'a C::Base>) {
        match self.images {
            None => (&self.points[index], None),
            Some(images) => (&self.points[index >> 1], (index & 1 == 1).then(|| &images[index >> 1])),
        }
    }

    /// The coordinates of point `index`.
    #[cfg(target_arch = "x86_64")]
    #[inline(always)]
    pub(crate) fn coordinates(&self, index: usize) -> [&C::Base; 2] {
        match self.images {
            None => [&self.points[index].x, &self.points[index].y],
            Some(_) if index & 1 == 0 => [&self.points[index >> 1].x, &self.points[index >> 1].y],
            Some(images) => [&images[index >> 1], &self.points[index >> 1].y],
        }
    }
}

/// Asks for the cache line that some entries begin in.
#[inline(always)]
pub(super) fn fetch(entries: &[u32]) {
    #[cfg(target_arch = "x86_64")]
    {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        // SAFETY: a hint, of the address of a slice.
        unsafe { _mm_prefetch::<_MM_HINT_T0>(entries.as_ptr().cast()) };
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = entries;
}

/// The entry of no point.
pub(crate) const ABSENT: u32 = u32::MAX;

/// Bases to read.
#[derive(Clone, Copy)]
pub(crate) struct BaseReads<'a, C: Curve> {
    pub(crate) bases: Bases<'a, C>,
    /// Rows of entries: `2·index + negative` of a base, or [`ABSENT`], which is infinity.
    pub(crate) entries: &'a [u32],
    /// Rows of points that are read, each beside the row of its entries.
    pub(crate) rows: &'a [(u32, u32)],
}

/// Points in rows of a few, which are added row to row.
pub(crate) trait Rows<C: Curve>: Send {
    /// Points of a row.
    const WIDTH: usize;
    /// Most pairs of rows of one call of [`Rows::add`], whose additions share an inversion.
    const BATCH: usize;

    /// Returns no rows.
    fn new() -> Self;
    /// Makes room for so many rows. What they hold before they are loaded is any points.
    fn reserve(&mut self, len: usize);
    /// Reads bases to rows.
    fn load(&mut self, reads: BaseReads<'_, C>);
    /// Adds the second row of each pair onto its first one. No row is named twice. What will be read soon may be asked for
    /// from memory meanwhile.
    fn add(&mut self, pairs: &[(u32, u32)], soon: BaseReads<'_, C>);
    /// The points of a row.
    fn read(&self, row: usize) -> impl AsRef<[Affine<C>]>;
}

/// Rows of one point, added one by one.
pub(super) struct Plain<C: Curve> {
    points: Vec<Affine<C>>,
    batch: Batch<C>,
}

impl<C: Curve> Rows<C> for Plain<C> {
    const WIDTH: usize = 1;
    // Rows and scratch of a batch stay in the second-level cache.
    const BATCH: usize = if size_of::<C::Base>() > 48 { 512 } else { 1024 };

    fn new() -> Self {
        Self { points: Vec::new(), batch: Batch::new() }
    }
    fn reserve(&mut self, len: usize) {
        self.points.resize(len.max(self.points.len()), Affine::INFINITY);
    }
    fn load(&mut self, reads: BaseReads<'_, C>) {
        for (row, of) in reads.rows {
            self.points[*row as usize] = reads.bases.load_entry(reads.entries[*of as usize]);
        }
    }
    fn add(&mut self, pairs: &[(u32, u32)], _: BaseReads<'_, C>) {
        self.batch.add(
            pairs.len(),
            &mut (self.points.as_mut_slice(), pairs),
            |s, i| [&s.0[s.1[i].0 as usize], &s.0[s.1[i].1 as usize]],
            |s, i| &mut s.0[s.1[i].0 as usize],
        );
    }
    fn read(&self, row: usize) -> impl AsRef<[Affine<C>]> {
        [self.points[row]]
    }
}
