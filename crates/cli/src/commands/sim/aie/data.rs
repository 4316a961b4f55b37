//! Points added on the tiles, beside the host.

use crate::failure::{AieFault, Failure};
use pairwright::aie::Digits;
use pairwright::aie::evaluate::Design;
use pairwright::aie::mapping::{Mapping, Partition};
use pairwright::aie::padd::{mixed_operands, point};
use pairwright::aie::tile::Single;
use pairwright::curve::bls12_377::Fr;
use pairwright::curve::bls12_377::edwards::Point;
use pairwright::field::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// Pairs of random points; a loop of the paper's has as many tasks.
const RANDOM: usize = 16;

/// What adds points.
enum Adder {
    /// The scheduled instructions of one tile.
    Single(Box<Single>),
    /// The programs of tiles, with what they send each other.
    Tiles(Box<Partition>),
}

impl Adder {
    fn new(design: &Design) -> Result<Self, Failure> {
        Ok(match design.mapping {
            Mapping::Single => {
                let single = Single::schedule(design.method, &design.tile).map_err(Failure::bad)?;
                Self::Single(Box::new(single))
            }
            mapping => Self::Tiles(Box::new(Partition::new(mapping, design.method))),
        })
    }

    fn add(&self, operands: &[Digits; 8]) -> Result<Vec<Digits>, AieFault> {
        match self {
            Self::Single(single) => Ok(single.run(operands)?),
            Self::Tiles(partition) => Ok(partition.run(operands)?),
        }
    }
}

/// Adds pairs of points from a seed and compares the sums with the host's; how many there were.
pub(super) fn compared(design: &Design, seed: u64) -> Result<usize, Failure> {
    let adder = Adder::new(design)?;
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut some = || Point::generator().mul(&Fr::random(&mut rng));
    let mut pairs: Vec<[Point; 2]> = (0..RANDOM).map(|_| [some(), some()]).collect();
    let (p, q, neutral) = (some(), some(), Point::IDENTITY);
    // In one form they are all the same to the formula.
    pairs.extend([[p, p], [p, -p], [p, neutral], [neutral, q], [neutral, neutral]]);
    for [p, q] in &pairs {
        // Points of the subgroup have affine coordinates.
        let affine = q.to_triple().ok_or(AieFault::Differs)?;
        let results: [Digits; 4] = adder
            .add(&mixed_operands(design.method, p, &affine))?
            .try_into()
            .map_err(|_| AieFault::Differs)?;
        if point(&results) != Some(*p + *q) {
            return Err(AieFault::Differs.into());
        }
    }
    Ok(pairs.len())
}
