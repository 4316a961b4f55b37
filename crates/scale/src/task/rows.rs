//! Computes the transforms along rows, from coefficients to the odd coset.

use super::Running;
use super::pieces::{Factors, Lines};
use crate::{Digest, ScaleError};
use pairwright_curve::Pairing;
use pairwright_device::DeviceError;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Domain, Eval, Poly};

/// Runs [`Op::Rows`](crate::Op::Rows): writes one piece of a vector per block of columns.
///
/// Row `k1` is transformed to the coefficients `k = k1 + N1·k2` over `k2`, which are scaled by `g^k`, and then to values over
/// `j2`, which are multiplied by `ω^(k1·j2)`. The factor `g^(N1·k2)` shifts the row's domain to its own odd coset, since `g² =
/// ω`, and `g^k1` is merged into the last factor.
pub(super) fn run<E: Pairing>(task: &Running<'_, E>, block: usize) -> Result<Vec<Digest>, ScaleError> {
    let (layout, block) = (task.job.setting.layout, task.block(block)?);
    let (rows, n2) = (layout.rows(block), layout.n2());
    let pieces: Vec<_> = (0..layout.blocks()).map(|j| Some(layout.piece(j, block) * E::Fr::BYTES)).collect();
    let (inputs, outputs) = (task.inputs(&pieces)?, task.outputs(&pieces)?);
    let mut lines = Lines::<E::Fr>::read(task, inputs, (rows.len(), n2), |j| layout.columns(j))?;

    let domain = Domain::<E::Fr>::new(layout.log_columns()).map_err(DeviceError::from)?;
    let whole = Domain::<E::Fr>::new(task.job.setting.log_domain).map_err(DeviceError::from)?;
    let g = whole.odd_shift().map_err(DeviceError::from)?;
    let shift = g.pow_vartime(&[layout.n1() as u64]);
    let is_odd = domain.odd_shift().is_ok_and(|odd| odd == shift);
    let factors = Factors { first: rows.start, lead: g, step: whole.root() };
    lines.transform(task, &factors, |on, row| {
        let values = Poly::<E::Fr, Eval>::new(domain, row)
            .ok_or_else(|| task.refuse("a row has another length than its domain"))?;
        if is_odd {
            return Ok(on.extend(values)?.into_buf());
        }
        let coefficients = on.intt(values)?;
        Ok(on.coset_ntt(coefficients, &shift)?.into_buf())
    })?;
    lines.write(task, outputs, |j| layout.columns(j))
}
