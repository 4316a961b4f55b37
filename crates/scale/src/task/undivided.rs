//! Computes the quotient of a domain with a single block, without files between the transforms, and its MSM with section H.

use super::Running;
use super::columns::products;
use super::msm::read_points;
use crate::{Digest, Layout, ScaleError};
use pairwright_curve::Pairing;
use pairwright_device::{DeviceError, Session};
use pairwright_field::PrimeField;
use pairwright_formats::stored_point_bytes;
use pairwright_poly::{Buf, Domain, Eval, Pages, Poly};
use rayon::prelude::*;

/// Number of columns that are transposed together.
const TILE: usize = 8;

/// Writes `Σ (a·b - c)(g·ω^j)·H_j` over the domain.
pub(super) fn run<E: Pairing>(task: &Running<'_, E>, cache: u64) -> Result<Vec<Digest>, ScaleError> {
    let (layout, setting) = (task.job.setting.layout, &task.job.setting);
    task.block(0)?;
    if layout.blocks() != 1 {
        return Err(task.refuse("the domain is divided into blocks"));
    }
    let n = 1usize << setting.log_domain;
    let values = setting.wires.checked_mul(E::Fr::BYTES);
    let inputs = task.inputs(&[None, values, n.checked_mul(stored_point_bytes::<E::G1>())])?;
    let [entries, values, h] = inputs else {
        return Err(task.refuse("entries, a witness and points are read"));
    };
    let domain = Domain::<E::Fr>::new(setting.log_domain).map_err(DeviceError::from)?;
    let mut on = Session::new(task.device);
    let (rows, columns) = (layout.log_rows(), layout.log_columns());
    // A block numbers its rows column by column; here they are brought into the order of the circuit.
    let row = |i: usize| (i & ((1 << rows) - 1)) << columns | i >> rows;
    let [a, b] = products(task, [entries, values], n, cache, row)?;
    let mut c = a.clone();
    on.mul(&mut c, b.view())?;
    let mut extend = |values: Buf<E::Fr>| -> Result<Buf<E::Fr>, ScaleError> {
        let values = Poly::<E::Fr, Eval>::new(domain, values)
            .ok_or_else(|| task.refuse("a vector has another length than the domain"))?;
        Ok(on.extend(values)?.into_buf())
    };
    let (mut a, b, c) = (extend(a)?, extend(b)?, extend(c)?);
    on.mul_sub(&mut a, b.view(), c.view())?;
    drop((b, c));
    let quotient = by_columns(&layout, a.host().map_err(DeviceError::from)?);
    drop(a);
    let points = read_points::<E, E::G1>(task, h)?;
    let sum = on.msm_g1(points.view(), quotient.view())?;
    task.write_point(&sum.to_affine())
}

/// The elements in column order, which is the order of a block's points of section H.
fn by_columns<F: PrimeField>(layout: &Layout, values: &[F]) -> Buf<F> {
    let (n1, n2) = (layout.n1(), layout.n2());
    let tile = TILE.min(n2);
    let written = Pages::of_pieces(values.len(), n1 * tile, |pieces| {
        pieces.into_par_iter().enumerate().for_each(|(i, piece)| {
            let (first, mut lines) = (i * tile, vec![F::ZERO; piece.len()]);
            for (row, values) in values.chunks_exact(n2).enumerate() {
                let columns = &values[first..first + tile];
                lines.chunks_exact_mut(n1).zip(columns).for_each(|(line, value)| line[row] = *value);
            }
            piece.write(&lines);
        });
        Ok::<_, core::convert::Infallible>(())
    });
    match written {
        Ok(elements) => elements.into(),
        Err(never) => match never {},
    }
}
