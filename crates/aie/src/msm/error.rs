//! The errors of MSMs.

use crate::AieError;
use crate::fast::FastError;
use crate::method::Method;
use pairwright_curve::AtInfinity;
use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// Why the machine cannot compute an MSM.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MsmError {
    /// A parameter is outside its range.
    #[error("msm: {name} is {value}, it may be {least} to {most}")]
    Parameter {
        /// The parameter's name.
        name: &'static str,
        /// The value given.
        value: u64,
        /// The least value allowed.
        least: u64,
        /// The greatest value allowed, given the other parameters.
        most: u64,
    },
    /// The numbers of points and scalars differ.
    #[error("msm: {points} points and {scalars} scalars")]
    Lengths {
        /// The number of points.
        points: usize,
        /// The number of scalars.
        scalars: usize,
    },
    /// A point has no image on the Edwards curve, so it is not in the prime-order group.
    #[error(transparent)]
    Point(#[from] AtInfinity),
    /// The sum has no image on the Weierstrass curve, because some points are not in the prime-order group.
    #[error("the sum is not an affine point: some points are not in the group")]
    Sum,
    /// The programs that add points are not proved correct in 64-bit arithmetic for all operands.
    #[error(transparent)]
    Unproved(#[from] FastError),
    /// The results of additions with this method are not proved to be within 2 M, as the final reduction requires.
    #[error("additions by {0} are not proved to give numbers within 2 M")]
    Unreduced(Method),
    /// The operands of an addition are outside the ranges of its program.
    #[error("an addition's operands are out of their ranges")]
    Operands,
    /// The units cannot be scheduled or simulated.
    #[error(transparent)]
    Aie(#[from] AieError),
    /// A parameter of the memory is outside its range.
    #[error(transparent)]
    Memory(#[from] OutOfRange),
}
