//! Precomputed multiples of bases that many sums have in common, by which the windows of scalars share buckets.

use super::layout::Multiples;
use super::routines::Routines;
use super::{MAX_LEN, SMALL};
use crate::bytes_of;
use crate::lanes::dispatch::routines;
use core::convert::Infallible;
use core::ops::Range;
use pairwright_curve::{Affine, Curve};
use pairwright_device::{DeviceError, parallel};
use pairwright_field::PrimeField;
use pairwright_pages::Pages;
use pairwright_poly::{Buf, KeySection, Memory};
use std::sync::{Arc, LazyLock};

/// Bases whose multiples one task makes at a time.
const CHUNK: usize = 1 << 8;

/// The memory that multiples are kept in: not the host's of other layouts, for who has multiples needs no elements.
static MEMORY: LazyLock<Memory> = LazyLock::new(Memory::new);

/// Precomputed multiples of the bases of a buffer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Precomputation {
    /// Number of multiples of a base, with the base itself.
    pub copies: usize,
    /// log2 of a multiple by the one before.
    pub shift: usize,
    /// Bytes of all of them.
    pub bytes: u64,
}

impl Precomputation {
    /// The multiples with which sums over `len` bases of a group take the least work, at most `most` of a base; `None` where they take
    /// no less than without.
    pub fn of<C: Curve>(len: usize, most: usize) -> Option<Self> {
        if len < SMALL {
            return None;
        }
        // Scalars above the half of their field are negated.
        let bits = C::Scalar::BITS as usize - 1;
        let Multiples { copies, shift } = Multiples::choose(len, bits, most.min(MAX_LEN / len))?;
        Some(Self { copies, shift, bytes: bytes_of::<Affine<C>>(copies * len) })
    }
}

/// Multiples of bases, those of one side by side.
pub(super) struct Table<C: Curve> {
    pub(super) points: Pages<Affine<C>>,
    pub(super) multiples: Multiples,
}

impl<C: Curve> Table<C> {
    /// That of a buffer, if there is one.
    pub(super) fn of(bases: &Buf<Affine<C>>) -> Option<Arc<Self>> {
        bases.copy(&MEMORY)
    }

    /// The multiples of a range of the bases.
    pub(super) fn part(&self, range: Range<usize>) -> &[Affine<C>] {
        &self.points[self.multiples.copies * range.start..self.multiples.copies * range.end]
    }

    /// The multiples that `double` makes of bases: its results are the points times `2^shift`, for the shift that it is given.
    fn new(
        bases: &[Affine<C>],
        multiples: Multiples,
        double: impl Fn(&[Affine<C>], usize) -> Vec<Affine<C>> + Sync,
    ) -> Self {
        let Multiples { copies, shift } = multiples;
        let made = Pages::of_pieces(copies * bases.len(), copies * CHUNK, |pieces| {
            parallel::for_each(pieces.into_iter().zip(bases.chunks(CHUNK)), |_, (piece, bases)| {
                let mut all = vec![Affine::INFINITY; copies * bases.len()];
                let mut multiples = bases.to_vec();
                for copy in 0..copies {
                    if copy > 0 {
                        multiples = double(&multiples, shift);
                    }
                    let places = all.iter_mut().skip(copy).step_by(copies);
                    places.zip(&multiples).for_each(|(place, multiple)| *place = *multiple);
                }
                piece.write(&all);
            });
            Ok::<_, Infallible>(())
        });
        let points = match made {
            Ok(points) => points,
            Err(never) => match never {},
        };
        Self { points, multiples }
    }
}

/// Makes multiples of bases that many sums will have in common, at most `most` of a base, and keeps them with the buffer: sums of
/// the host device over it, or a part of it, take them from then on, and do not read the bases. Says how many, and what memory they
/// take; `None`, and nothing is kept, where they would save no work. See [`Precomputation::of`] for what it will be.
///
/// With 16 multiples a sum of 2^16 terms takes a fourth fewer additions; making them takes as long as some twenty sums.
///
/// # Errors
/// When the bases cannot be brought to the host.
pub fn precompute<C: Curve>(
    bases: &Buf<Affine<C>>,
    most: usize,
) -> Result<Option<Precomputation>, DeviceError> {
    let Some(found) = Precomputation::of::<C>(bases.len(), most) else { return Ok(None) };
    let multiples = Multiples { copies: found.copies, shift: found.shift };
    if Table::of(bases).is_none_or(|table| table.multiples != multiples) {
        let double = routines().unwrap_or_else(Routines::<C>::plain).doubled;
        bases.keep(&MEMORY, Table::new(bases.host()?, multiples, double));
    }
    Ok(Some(found))
}

/// [`precompute`] for a section of a key, which is read for it. Proofs do not read it any more: the multiples are kept with the key.
///
/// # Errors
/// When the section cannot be read.
pub fn precompute_section<C: Curve>(
    section: &KeySection<Affine<C>>,
    most: usize,
) -> Result<Option<Precomputation>, DeviceError> {
    let bases = match section.held() {
        Some(bases) => bases,
        None => {
            let mut points = Vec::with_capacity(section.len());
            section.read(0..section.len(), &mut points)?;
            section.buf(points)
        }
    };
    precompute(&bases, most)
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{Jacobian, batch_to_affine, bls12_381, bn254};
    use pairwright_testkit::conformance::known_points;

    /// Every base stands beside its multiples, and a range of bases has theirs.
    #[test]
    fn multiples_stand_side_by_side() {
        let (mut points, _) = known_points::<bn254::G1>(CHUNK + 13, 5);
        points[3] = Affine::INFINITY;
        let multiple = |p: &Jacobian<_>, times| (0..times).fold(*p, |p, _| p.double());
        let double = |points: &[Affine<bn254::G1>], times| {
            batch_to_affine(&points.iter().map(|p| multiple(&p.to_jacobian(), times)).collect::<Vec<_>>())
        };
        for multiples in [Multiples { copies: 4, shift: 7 }, Multiples { copies: 2, shift: 1 }] {
            let table = Table::new(&points, multiples, double);
            assert_eq!(table.points.len(), points.len() * multiples.copies);
            for (base, all) in points.iter().zip(table.points.chunks(multiples.copies)) {
                let want = (0..multiples.copies).map(|k| multiple(&base.to_jacobian(), k * multiples.shift));
                assert_eq!(all, want.map(|p| p.to_affine()).collect::<Vec<_>>(), "{base:?}");
            }
            assert_eq!(table.part(1..3), &table.points[multiples.copies..3 * multiples.copies]);
        }
    }

    #[test]
    fn what_would_save_nothing_is_not_made() {
        assert_eq!(Precomputation::of::<bn254::G1>(0, 64), None);
        assert_eq!(Precomputation::of::<bn254::G1>(SMALL - 1, 64), None);
        assert_eq!(Precomputation::of::<bn254::G1>(1 << 10, 1), None);
        assert_eq!(Precomputation::of::<bn254::G1>(MAX_LEN, 64), None, "places have 30 bits");
        let most = Precomputation::of::<bls12_381::G2>(1 << 16, usize::MAX).unwrap();
        let few = Precomputation::of::<bls12_381::G2>(1 << 16, 4).unwrap();
        assert!(few.copies <= 4 && few.copies < most.copies && most.copies * most.shift >= 255);
    }
}
