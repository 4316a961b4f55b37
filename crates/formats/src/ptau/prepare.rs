//! The preparation of powers of tau for phase 2: computes the Lagrange points, which every setup needs, once.

use super::chain::G2_WEIGHT;
use super::{FORMAT, PtauFile, contributions, copy, head};
use crate::FormatError;
use crate::container::{ContainerWriter, widen};
use crate::points::{PointSource, point_bytes, put_points};
use pairwright_curve::{Curve, Pairing};
use pairwright_device::Session;
use pairwright_poly::{Source, SourceError};
use pairwright_protocols::groth16::{LagrangeLevel, ScalePoints, SetupError};
use std::io::Write;

/// The work of [`prepare_ptau`] for `2^power` powers, in scalar multiplications of a point of G1.
pub fn preparation_work(power: u32) -> u64 {
    let level = |log: u32| {
        let half = 1u64.checked_shl(log).unwrap_or(u64::MAX).wrapping_shr(1);
        half.saturating_mul(log.into())
    };
    let levels = (0..=power).fold(0u64, |sum, log| sum.saturating_add(level(log)));
    let lists = G2_WEIGHT.saturating_add(3);
    levels.saturating_mul(lists).saturating_add(level(power.saturating_add(1)))
}

/// Writes powers of tau followed by their Lagrange points for every domain up to the ceremony's, with the same bytes as
/// `snarkjs powersoftau prepare phase2`. (One exception: if the file is a part of a larger ceremony, that ceremony's power is
/// kept in the header, where snarkjs writes the file's own power.)
///
/// Every point is checked to be a finite point of its curve. Whether the points are powers of one τ is not checked here, since
/// a setup checks it. The Lagrange points of one domain are in memory at a time, at most `2^(power + 1)` points of G1. `done`
/// is called with the amount of completed work, in the unit of [`preparation_work`].
///
/// # Errors
/// When the powers are prepared already, a point is not on its curve or infinity, or an operator or `out` fails.
#[inline(never)]
pub fn prepare_ptau<E: Pairing>(
    on: &mut Session<'_, E>,
    out: &mut dyn Write,
    ptau: &PtauFile<E>,
    done: &mut dyn FnMut(u64),
) -> Result<(), FormatError> {
    if ptau.is_prepared() {
        return Err(FormatError::Prepared { file: ptau.file().name().clone() });
    }
    on.phase("prepare phase 2");
    let mut file = ContainerWriter::new(out, &FORMAT, 11)?;
    head::<E>(&mut file, ptau.power, ptau.ceremony_power)?;
    let copied = [
        (2, ptau.lists.tau_g1.section()),
        (3, ptau.lists.tau_g2.section()),
        (4, ptau.lists.alpha_tau_g1.section()),
        (5, ptau.lists.beta_tau_g1.section()),
        (6, ptau.lists.beta_g2.section()),
    ];
    for (id, section) in copied {
        copy(&mut file, id, section, section.bytes().len())?;
    }
    contributions(&mut file, ptau.contributions.as_ref())?;
    let (power, above) = (ptau.power, ptau.power.saturating_add(1));
    let (g1, g2) = (Session::scale_points_g1, Session::scale_points_g2);
    levels(on, g1, &mut file, (12, "tauG1"), &ptau.lists.tau_g1, above, done)?;
    let mut in_g2 = |products: u64| done(products.saturating_mul(G2_WEIGHT));
    levels(on, g2, &mut file, (13, "tauG2"), &ptau.lists.tau_g2, power, &mut in_g2)?;
    levels(on, g1, &mut file, (14, "alphaTauG1"), &ptau.lists.alpha_tau_g1, power, done)?;
    levels(on, g1, &mut file, (15, "betaTauG1"), &ptau.lists.beta_tau_g1, power, done)?;
    file.finish()
}

/// Writes a section of the Lagrange points of the domains of `1, 2, 4, …, 2^last` points.
fn levels<'d, E: Pairing, C: Curve<Scalar = E::Fr>>(
    on: &mut Session<'d, E>,
    scale_points: ScalePoints<'d, E, C>,
    file: &mut ContainerWriter<'_>,
    (id, part): (u32, &'static str),
    powers: &PointSource<C>,
    last: u32,
    done: &mut dyn FnMut(u64),
) -> Result<(), FormatError> {
    let points = 2u64.checked_shl(last).unwrap_or(u64::MAX).saturating_sub(1);
    file.section(id, points.saturating_mul(widen(point_bytes::<C>())))?;
    for log in 0..=last {
        let told = &mut |products| done(widen(products));
        let level = LagrangeLevel::transform_vartime(on, scale_points, (part, powers), log, told);
        let level = level.map_err(|why| match why {
            SetupError::Powers(why) => {
                FormatError::Powers { file: powers.section().file().name().clone(), why }
            }
            SetupError::Source(why) => FormatError::Source(why),
            SetupError::Device(why) => FormatError::Device(why),
            other => FormatError::Source(SourceError(alloc::boxed::Box::new(other))),
        })?;
        put_points(file, &level as &dyn Source<_>)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_of_all_lists() {
        // Number of multiplications: none for 1 point, one for 2 points, 4 for 4 points, 12 for 8 points.
        assert_eq!(preparation_work(0), 1);
        assert_eq!(preparation_work(2), 6 * (1 + 4) + 12);
    }
}
