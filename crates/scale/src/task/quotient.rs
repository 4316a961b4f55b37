//! Computes the last transforms, the quotient's values, and their MSM with section H.

use super::Running;
use super::msm::read_points;
use super::pieces::Lines;
use crate::{Digest, ScaleError};
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Session, parallel};
use pairwright_field::PrimeField;
use pairwright_formats::stored_point_bytes;
use pairwright_poly::{Buf, Coeff, Domain, Poly};

/// Writes `Σ (a·b - c)(g·ω^j)·H_j` over the block's values.
pub(super) fn run<E: Pairing>(task: &Running<'_, E>, block: usize) -> Result<Vec<Digest>, ScaleError> {
    let (layout, block) = (task.job.setting.layout, task.block(block)?);
    let (columns, n1) = (layout.columns(block), layout.n1());
    let pieces =
        (0..3).flat_map(|_| (0..layout.blocks()).map(|k| Some(layout.piece(block, k) * E::Fr::BYTES)));
    let points = layout.column_elements(block) * stored_point_bytes::<E::G1>();
    let lengths: Vec<_> = pieces.chain([Some(points)]).collect();
    let inputs = task.inputs(&lengths)?;
    let Some((h, pieces)) = inputs.split_last() else { return Err(task.refuse("points are read")) };

    let domain = Domain::<E::Fr>::new(layout.log_rows()).map_err(DeviceError::from)?;
    let vector = |which: usize| -> Result<Buf<E::Fr>, ScaleError> {
        let regions = &pieces[which * layout.blocks()..(which + 1) * layout.blocks()];
        let mut lines = Lines::<E::Fr>::read(task, regions, (columns.len(), n1), |k| layout.rows(k))?;
        let done = parallel::try_map(lines.elements.chunks_mut(n1), |_, column| -> Result<(), ScaleError> {
            let mut on = Session::new(task.device);
            let coefficients = Poly::<E::Fr, Coeff>::new(domain, Buf::from(column.to_vec()))
                .ok_or_else(|| task.refuse("a column has another length than its domain"))?;
            column.copy_from_slice(on.ntt(coefficients)?.into_buf().host().map_err(DeviceError::from)?);
            Ok(())
        });
        done?;
        Ok(lines.elements)
    };
    let (mut a, b, c) = (vector(0)?, vector(1)?, vector(2)?);
    let mut on = Session::new(task.device);
    on.mul_sub(&mut a, b.view(), c.view())?;
    drop((b, c));
    let points = read_points::<E, E::G1>(task, h)?;
    let sum = on.msm_g1(points.view(), a.view())?;
    task.write_point(&sum.to_affine())
}
