//! What an MSM is refused for.

use crate::AieError;
use crate::fast::FastError;
use crate::method::Method;
use pairwright_curve::AtInfinity;
use pairwright_sim::dram;
use thiserror::Error;

/// An MSM that the machine cannot run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum MsmError {
    /// A parameter outside of its range.
    #[error("msm: {name} is {value}, it may be {least} to {most}")]
    Parameter {
        /// Its name.
        name: &'static str,
        /// Its value.
        value: u64,
        /// The least it may be.
        least: u64,
        /// The most, given the other parameters.
        most: u64,
    },
    /// Not a scalar for each point.
    #[error("msm: {points} points and {scalars} scalars")]
    Lengths {
        /// Points.
        points: usize,
        /// Scalars.
        scalars: usize,
    },
    /// A point that has no place on the Edwards curve, and so none in the group.
    #[error(transparent)]
    Point(#[from] AtInfinity),
    /// The sum has no place on the Weierstrass curve: points outside of the group were among its terms.
    #[error("the sum is no affine point: not all points are of the group")]
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
    /// The units have no schedule or no run.
    #[error(transparent)]
    Aie(#[from] AieError),
    /// The memory.
    #[error(transparent)]
    Memory(#[from] dram::ConfigError),
}
