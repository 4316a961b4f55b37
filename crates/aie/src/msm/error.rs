//! The errors of MSMs.

use crate::AieError;
use crate::fast::FastError;
use crate::method::Method;
use pairwright_curve::AtInfinity;
use pairwright_sim::settings::OutOfRange;
use thiserror::Error;

/// Why the machine cannot run an MSM.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MsmError {
    /// A parameter outside of its range.
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
    /// A point has no image on the Edwards curve, so that it is not in the group.
    #[error(transparent)]
    Point(#[from] AtInfinity),
    /// The sum has no image on the Weierstrass curve, because some points are outside of the group.
    #[error("the sum is not an affine point: some points are not in the group")]
    Sum,
    /// The programs that add points are not proved to be right for all operands in 64 bits.
    #[error(transparent)]
    Unproved(#[from] FastError),
    /// Results of additions by a method are not proved to be within 2 M, which the final reduction takes.
    #[error("additions by {0} are not proved to give numbers within 2 M")]
    Unreduced(Method),
    /// An addition's operands are not what its program takes.
    #[error("an addition's operands are out of their ranges")]
    Operands,
    /// The units have no schedule, or do not run.
    #[error(transparent)]
    Aie(#[from] AieError),
    /// The memory's parameters are out of range.
    #[error(transparent)]
    Memory(#[from] OutOfRange),
}
