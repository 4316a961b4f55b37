//! The representation of points in memory: coordinates in Montgomery form, 384 bits each, packed into words of 256 bits.

use crate::isa::Group;
use crate::machine::layout::{point_words, result_words};
use crate::machine::msm::{Addend, DigitPlan};
use crate::machine::{DIGITS, Datapath, Row};
use pairwright_curve::{Affine, Curve, Jacobian, Projective, batch_to_affine};
use pairwright_field::{Extension, Field, PrimeField};
use rayon::prelude::*;

/// A word of memory: 256 bits, least significant limb first.
pub type Word = [u64; 4];

/// Limbs of a coordinate in Fp for any curve: 384 bits.
const LIMBS: usize = 6;

/// Words of a row of the global bank: an element of Fp2.
pub const ROW_WORDS: usize = 3;

/// The words of a row.
pub fn row_words<F: Datapath>(value: &Row<F>) -> [Word; ROW_WORDS] {
    let digits = [value.c0.digits(), value.c1.digits()];
    let digits = digits.as_flattened();
    core::array::from_fn(|k| core::array::from_fn(|i| digits[4 * k + i]))
}

/// A row from its words; `None` if a coefficient is not reduced.
pub fn row<F: Datapath>(words: &[Word; ROW_WORDS]) -> Option<Row<F>> {
    let (low, high) = words.as_flattened().split_at(DIGITS);
    let coefficient = |digits: &[u64]| F::from_digits(digits.try_into().ok()?);
    Some(Row::<F>::new(coefficient(low)?, coefficient(high)?))
}

/// The type of points that the MSM engine reads from memory and writes back.
pub trait Payload: Addend + Send {
    /// Whether the type has values that are read from memory.
    const CARRIED: bool;
    /// The point with these words, two affine coordinates; infinity is all zero. `None` if a coordinate is not reduced.
    fn from_words(words: &[Word]) -> Option<Self>;
    /// The words of the three coordinates of a projective point.
    fn to_words(&self, group: Group) -> Vec<Word>;
}

/// A placeholder without value, for runs that measure time alone.
impl Payload for () {
    const CARRIED: bool = false;
    fn from_words(_: &[Word]) -> Option<Self> {
        Some(())
    }
    fn to_words(&self, group: Group) -> Vec<Word> {
        vec![[0; 4]; result_words(group) as usize]
    }
}

/// Appends the limbs of a coordinate, prime field by prime field. A field of more than 384 bits does not compile.
fn push<B: Extension>(limbs: &mut Vec<u64>, coordinate: &B) {
    const {
        assert!(
            size_of::<<B::Prime as PrimeField>::Limbs>() <= 8 * LIMBS,
            "coordinates have at most 384 bits"
        )
    };
    for i in 0..B::DEGREE {
        let value = coordinate.coord(i).to_montgomery();
        let start = limbs.len();
        limbs.extend_from_slice(value.as_ref());
        limbs.resize(start + LIMBS, 0);
    }
}

fn words(limbs: &[u64], count: u64) -> Vec<Word> {
    let mut out = vec![[0; 4]; count as usize];
    for (word, limbs) in out.iter_mut().zip(limbs.chunks(4)) {
        word[..limbs.len()].copy_from_slice(limbs);
    }
    out
}

/// Reads a coordinate from its limbs; `None` if they are not below the modulus.
fn take<B: Extension>(limbs: &mut impl Iterator<Item = u64>) -> Option<B> {
    const {
        assert!(
            size_of::<<B::Prime as PrimeField>::Limbs>() <= 8 * LIMBS,
            "coordinates have at most 384 bits"
        )
    };
    let coords: Option<Vec<B::Prime>> = (0..B::DEGREE)
        .map(|_| {
            let mut value = <B::Prime as PrimeField>::Limbs::default();
            let mut high = 0;
            for i in 0..LIMBS {
                let limb = limbs.next()?;
                match value.as_mut().get_mut(i) {
                    Some(place) => *place = limb,
                    None => high |= limb,
                }
            }
            if high == 0 { B::Prime::from_montgomery(value) } else { None }
        })
        .collect();
    coords.map(|coords| B::from_coords(&coords))
}

/// The words of an affine point, as the CPU writes them into DRAM.
pub fn point<C: Curve>(p: &Affine<C>, group: Group) -> Vec<Word> {
    let mut limbs = Vec::with_capacity(4 * point_words(group) as usize);
    if !p.is_infinity() {
        push(&mut limbs, &p.x);
        push(&mut limbs, &p.y);
    }
    words(&limbs, point_words(group))
}

/// The words of an MSM's bases, each followed by its multiples according to the plan.
pub fn bases<C: Curve>(points: &[Affine<C>], group: Group, plan: &DigitPlan) -> Vec<Word> {
    if plan.levels == 1 {
        return points.iter().flat_map(|p| point(p, group)).collect();
    }
    let doubled = |p: &Jacobian<C>| (0..plan.stride()).fold(*p, |p, _| p.double());
    let multiples: Vec<Jacobian<C>> = points
        .par_iter()
        .flat_map_iter(|p| {
            std::iter::successors(Some(p.to_jacobian()), move |p| Some(doubled(p))).take(plan.levels as usize)
        })
        .collect();
    batch_to_affine(&multiples).iter().flat_map(|p| point(p, group)).collect()
}

/// The projective point whose words a program has left in DRAM; `None` if a coordinate is not reduced.
pub fn result<C: Curve>(words: &[Word]) -> Option<Projective<C>> {
    let mut limbs = words.iter().flatten().copied();
    Some(Projective { x: take(&mut limbs)?, y: take(&mut limbs)?, z: take(&mut limbs)? })
}

impl<C: Curve> Payload for Projective<C> {
    const CARRIED: bool = true;

    fn from_words(words: &[Word]) -> Option<Self> {
        if words.iter().flatten().all(|limb| *limb == 0) {
            return Some(Self::INFINITY);
        }
        let mut limbs = words.iter().flatten().copied();
        Some(Self { x: take(&mut limbs)?, y: take(&mut limbs)?, z: C::Base::ONE })
    }

    fn to_words(&self, group: Group) -> Vec<Word> {
        let mut limbs = Vec::with_capacity(4 * result_words(group) as usize);
        [self.x, self.y, self.z].iter().for_each(|c| push(&mut limbs, c));
        words(&limbs, result_words(group))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{Pairing, bls12_381::Bls12_381, bn254::Bn254};

    fn round_trip<C: Curve>(group: Group) {
        for p in [C::GENERATOR, Affine::INFINITY] {
            let read = Projective::<C>::from_words(&point(&p, group)).unwrap();
            assert_eq!(read.to_affine(), p);
            let sum = read + Projective::generator();
            assert_eq!(result::<C>(&sum.to_words(group)).unwrap().to_affine(), sum.to_affine());
        }
        let mut words = point(&C::GENERATOR, group);
        words[0] = [u64::MAX; 4];
        words[1] = [u64::MAX; 4];
        assert!(Projective::<C>::from_words(&words).is_none());
    }

    #[test]
    fn points_go_through_memory_and_residues_are_checked() {
        round_trip::<<Bls12_381 as Pairing>::G1>(Group::G1);
        round_trip::<<Bls12_381 as Pairing>::G2>(Group::G2);
        round_trip::<<Bn254 as Pairing>::G1>(Group::G1);
        round_trip::<<Bn254 as Pairing>::G2>(Group::G2);
    }
}
