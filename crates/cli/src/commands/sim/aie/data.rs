//! Point additions with data on the tiles, compared with the host's.

use crate::failure::{ArgumentError, Failure, ModelFault};
use pairwright::aie::Digits;
use pairwright::aie::array;
use pairwright::aie::evaluate::Design;
use pairwright::aie::mapping::{Mapping, Partition};
use pairwright::aie::padd::{Form, complete_operands, mixed_operands, point_in};
use pairwright::aie::tile::SingleTile;
use pairwright::curve::bls12_377::Fr;
use pairwright::curve::bls12_377::edwards::Point;
use pairwright::field::Field;
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

/// Number of pairs of random points, the number of tasks in a loop of the paper's kernels.
const RANDOM: usize = 16;

/// The name of the compared result, for messages.
pub(super) const SUM: &str = "engines' sum of points";

/// Runs the scheduled instructions of the tile, or of all tiles that an addition is mapped onto.
fn results(design: &Design, tasks: &[[Digits; 8]]) -> Result<Vec<Vec<Digits>>, Failure> {
    let Design { mapping, method, form, tile, .. } = design;
    match (mapping, form) {
        (Mapping::Single, Form::Mixed) => {
            let single = SingleTile::schedule(*method, tile).map_err(Failure::bad)?;
            let results = tasks.iter().map(|operands| single.run(operands)).collect::<Result<_, _>>();
            Ok(results.map_err(ModelFault::from)?)
        }
        // The multiplication by the curve's constant is counted as a pass of the loop, and has no kernel.
        (Mapping::Single, Form::Complete) => Err(ArgumentError::NoCompleteData.into()),
        _ => {
            let partition = Partition::with(*mapping, *method, *form);
            let kernels = array::kernels(&partition, tile).map_err(Failure::bad)?;
            let tasks: Vec<Vec<Digits>> = tasks.iter().map(|operands| operands.to_vec()).collect();
            Ok(array::execute(&partition, &kernels, &tasks).map_err(ModelFault::from)?)
        }
    }
}

/// Adds pairs of points drawn from a seed, compares the sums with the host's, and returns the number of pairs.
pub(super) fn compared(design: &Design, seed: u64) -> Result<usize, Failure> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut some = || Point::generator().mul(&Fr::random(&mut rng));
    let mut pairs: Vec<[Point; 2]> = (0..RANDOM).map(|_| [some(), some()]).collect();
    let (p, q, neutral) = (some(), some(), Point::IDENTITY);
    // These pairs are exceptional cases of other formulas; the formulas used here add them like all others.
    pairs.extend([[p, p], [p, -p], [p, neutral], [neutral, q], [neutral, neutral]]);
    let operands = |[p, q]: &[Point; 2]| {
        Ok(match design.form {
            // Points of the subgroup have affine coordinates in this form.
            Form::Mixed => mixed_operands(design.method, p, &q.to_triple().ok_or(ModelFault::Differs(SUM))?),
            Form::Complete => complete_operands(design.method, p, q),
        })
    };
    let tasks = pairs.iter().map(operands).collect::<Result<Vec<_>, ModelFault>>()?;
    for ([p, q], result) in pairs.iter().zip(results(design, &tasks)?) {
        let result: [Digits; 4] = result.try_into().map_err(|_| ModelFault::Differs(SUM))?;
        if point_in(design.method.layout(), &result) != Some(*p + *q) {
            return Err(ModelFault::Differs(SUM).into());
        }
    }
    Ok(pairs.len())
}
