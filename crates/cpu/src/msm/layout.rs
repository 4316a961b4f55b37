//! Windows of the digits of scalars, the sets of buckets that they share, and the multiples of bases by which they can.

use super::scalars::{ScalarPart, windows};

/// Widest windows in bits.
const WIDEST: usize = 20;
/// Digits of a set that is shared by windows, at most: more of them are slower to sort, and of points to read, than they save
/// additions.
const MOST_DIGITS: usize = 1 << 20;

/// Multiples of bases: `copies` of each base stand side by side, by the powers of `2^shift` from 1 on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Multiples {
    pub(super) copies: usize,
    pub(super) shift: usize,
}

impl Multiples {
    /// The bases alone.
    pub(super) const NONE: Self = Self { copies: 1, shift: 0 };

    /// Those with which `n` scalars of up to `bits` bits take the least work, at most `most` of a base. `None` where they take no
    /// less than without.
    pub(super) fn choose(n: usize, bits: usize, most: usize) -> Option<Self> {
        let layouts = (2..=WIDEST).flat_map(|c| {
            let windows = windows(bits, c);
            (2..=most.min(windows).min(MOST_DIGITS / n.max(1))).map(move |copies| {
                let sets = windows.div_ceil(copies);
                // Several numbers of multiples may need the same number of sets: the least of them is taken.
                let multiples = Self { copies: windows.div_ceil(sets), shift: c * sets };
                Layout { bits: c, sets, multiples }
            })
        });
        let best = least(layouts, n, bits, 1.0)?;
        let plain = Layout::new(Self::NONE, n, bits, 1.0);
        (best.work(n, bits, 1.0) < plain.work(n, bits, 1.0)).then_some(best.multiples)
    }
}

/// How the digits of some scalars go to buckets. Window `w` has set `w % sets`, and its digits count multiple `w / sets` of the
/// bases: without multiples there are as many sets as windows.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Layout {
    /// Bits of a window.
    pub(super) bits: usize,
    /// Number of sets of buckets.
    sets: usize,
    pub(super) multiples: Multiples,
}

impl Layout {
    /// The one that takes the least work on `n` scalars of so many bits, of whose magnitudes a share is filled, over multiples of
    /// the bases.
    pub(super) fn new(multiples: Multiples, n: usize, bits: usize, fill: f64) -> Self {
        let of_window = |c| {
            let alone = Self { bits: c, sets: windows(bits, c), multiples };
            let shared =
                multiples.shift.is_multiple_of(c).then(|| Self { sets: multiples.shift / c, ..alone });
            [Some(alone), shared.filter(|shared| shared.sets > 0)]
        };
        least((2..=WIDEST).flat_map(of_window).flatten(), n, bits, fill).unwrap_or(Self {
            bits: 2,
            sets: windows(bits, 2),
            multiples,
        })
    }

    /// The work on such scalars, in additions: one for a digit that is not zero, about two and a half for a bucket, both
    /// batched, and sorting.
    fn work(&self, n: usize, bits: usize, fill: f64) -> f64 {
        let (n, windows) = (n as f64, windows(bits, self.bits));
        let buckets = (self.sets.min(windows) << (self.bits - 1)) as f64;
        windows as f64 * (n * fill + 0.05 * n) + 2.5 * buckets
    }

    /// Sets of buckets that the scalars need.
    pub(super) fn sets_of(&self, scalars: ScalarPart<'_>) -> usize {
        self.sets.min(windows(scalars.bits, self.bits))
    }

    /// The windows of a set that the scalars reach, each with the multiple of the bases that its digits count.
    pub(super) fn windows_of(
        &self,
        set: usize,
        scalars: ScalarPart<'_>,
    ) -> impl Iterator<Item = (usize, usize)> {
        (set..windows(scalars.bits, self.bits)).step_by(self.sets).zip(0..)
    }

    /// Digits of a set, the zeros among them included.
    pub(super) fn digits_of(&self, set: usize, scalars: ScalarPart<'_>) -> usize {
        self.windows_of(set, scalars).map(|(window, _)| scalars.reach(window)).sum()
    }
}

/// The layout with the least work, the first of several.
fn least(layouts: impl Iterator<Item = Layout>, n: usize, bits: usize, fill: f64) -> Option<Layout> {
    layouts.min_by(|a, b| a.work(n, bits, fill).total_cmp(&b.work(n, bits, fill)))
}
