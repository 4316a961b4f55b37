//! Truncates powers of tau to fewer powers, for circuits that need no more.

use super::{FORMAT, PtauFile, contributions, copy, head};
use crate::FormatError;
use crate::container::ContainerWriter;
use crate::points::{PointSource, point_bytes};
use pairwright_curve::{Curve, Pairing};
use std::io::Write;

/// Writes the first `2^power` powers of a file, with the Lagrange points of their domains if the file is prepared. For prepared
/// powers the bytes are those of `snarkjs powersoftau truncate` for that power. The records and the power of the whole ceremony
/// are kept.
///
/// # Errors
/// When the power is zero or not below the file's, or `out` fails.
#[inline(never)]
pub fn truncate_ptau<E: Pairing>(
    out: &mut dyn Write,
    ptau: &PtauFile<E>,
    power: u32,
) -> Result<(), FormatError> {
    if power == 0 || power >= ptau.power {
        return Err(FormatError::NotFewer {
            file: ptau.file.name().clone(),
            found: power,
            power: ptau.power,
        });
    }
    let n = |log: u32| 1usize.checked_shl(power.saturating_add(log)).unwrap_or(usize::MAX);
    let below = |log: u32| n(log).saturating_sub(1);
    let mut file = ContainerWriter::new(out, &FORMAT, if ptau.is_prepared() { 11 } else { 7 })?;
    head::<E>(&mut file, power, ptau.ceremony_power)?;
    first(&mut file, 2, &ptau.lists.tau_g1, below(1))?;
    first(&mut file, 3, &ptau.lists.tau_g2, n(0))?;
    first(&mut file, 4, &ptau.lists.alpha_tau_g1, n(0))?;
    first(&mut file, 5, &ptau.lists.beta_tau_g1, n(0))?;
    first(&mut file, 6, &ptau.lists.beta_g2, 1)?;
    contributions(&mut file, ptau.contributions.as_ref())?;
    if let Some(lagrange) = &ptau.lagrange {
        first(&mut file, 12, &lagrange.tau_g1, below(2))?;
        first(&mut file, 13, &lagrange.tau_g2, below(1))?;
        first(&mut file, 14, &lagrange.alpha_tau_g1, below(1))?;
        first(&mut file, 15, &lagrange.beta_tau_g1, below(1))?;
    }
    file.finish()
}

/// Writes the first points of a section.
fn first<C: Curve>(
    file: &mut ContainerWriter<'_>,
    id: u32,
    source: &PointSource<C>,
    count: usize,
) -> Result<(), FormatError> {
    copy(file, id, source.section(), count.saturating_mul(point_bytes::<C>()))
}
