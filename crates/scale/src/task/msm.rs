//! The sum of a range of a section with the witness.

use super::Running;
use crate::job::{Part, Region};
use crate::{Digest, ScaleError};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, parallel};
use pairwright_field::PrimeField;
use pairwright_formats::{ReadAt, decode_points, decode_value, stored_point_bytes};
use pairwright_poly::Buf;

/// Elements that are read and decoded at a time by a thread.
const STEP: usize = 1 << 12;

/// Writes the sum.
pub(super) fn run<E: Pairing>(task: &Running<'_, E>, part: Part) -> Result<Vec<Digest>, ScaleError> {
    let [points, values] = task.inputs(&[None, None])? else {
        return Err(task.refuse("points and values are read"));
    };
    let scalars = read_values::<E>(task, values)?;
    let size = match part {
        Part::B2 => stored_point_bytes::<E::G2>(),
        _ => stored_point_bytes::<E::G1>(),
    };
    task.inputs(&[scalars.len().checked_mul(size), None])?;
    let (mut on, scalars) = (Session::new(task.device), Buf::from(scalars));
    match part {
        Part::B2 => {
            let points = Buf::from(read_points::<E, E::G2>(task, points)?);
            task.write_point(&on.msm_g2(points.view(), scalars.view())?.to_affine())
        }
        _ => {
            let points = Buf::from(read_points::<E, E::G1>(task, points)?);
            task.write_point(&on.msm_g1(points.view(), scalars.view())?.to_affine())
        }
    }
}

/// The points of a region. A digest is checked over the bytes in order, before they are decoded.
pub(super) fn read_points<E: Pairing, C: Curve>(
    task: &Running<'_, E>,
    region: &Region,
) -> Result<Vec<Affine<C>>, ScaleError> {
    decoded(task, region, stored_point_bytes::<C>(), Affine::INFINITY, |bytes, at, _, out| {
        Ok(decode_points(bytes, at, out)?)
    })
}

/// The values of a witness in a region.
fn read_values<E: Pairing>(task: &Running<'_, E>, region: &Region) -> Result<Vec<E::Fr>, ScaleError> {
    decoded(task, region, E::Fr::BYTES, E::Fr::default(), |bytes, at, first, out| {
        for (i, bytes) in bytes.chunks_exact(E::Fr::BYTES).enumerate() {
            let offset = at.offset + (i * E::Fr::BYTES) as u64;
            out.push(decode_value(bytes, ReadAt { offset, ..at }, first + i)?);
        }
        Ok(())
    })
}

/// Decodes the elements of a region on all threads, a few thousand at a time.
fn decoded<E: Pairing, T: Copy + Send + Sync>(
    task: &Running<'_, E>,
    region: &Region,
    size: usize,
    empty: T,
    decode: impl Fn(&[u8], ReadAt<'_>, usize, &mut Vec<T>) -> Result<(), ScaleError> + Sync,
) -> Result<Vec<T>, ScaleError> {
    let from = task.open(region)?;
    if !region.length.is_multiple_of(size as u64) {
        return Err(task.refuse("a region is no whole number of elements"));
    }
    // Fails for a region beyond its file, before memory is taken for it.
    let wave = 4 * rayon::current_num_threads() * STEP * size;
    let mut out = Vec::with_capacity(from.length(region)? / size);
    from.steps(region, wave, |at, bytes| {
        let first = (at / size as u64) as usize;
        out.resize(first + bytes.len() / size, empty);
        let pieces = out[first..].chunks_mut(STEP).zip(bytes.chunks(STEP * size));
        let decoded = parallel::try_map(pieces, |i, (out, bytes)| {
            let offset = region.offset + at + (i * STEP * size) as u64;
            let mut elements = Vec::with_capacity(out.len());
            decode(bytes, ReadAt { file: &from.path, offset }, first + i * STEP, &mut elements)?;
            out.copy_from_slice(&elements);
            Ok(())
        });
        decoded.map(drop)
    })?;
    Ok(out)
}
