//! Computes the MSM of a range of a section with the witness.

use super::Running;
use crate::job::{Part, Region};
use crate::{Digest, ScaleError};
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{Session, parallel};
use pairwright_field::PrimeField;
use pairwright_formats::{ReadAt, decode_points, decode_value, stored_point_bytes};
use pairwright_poly::{Buf, Pages};

/// Number of elements that a thread reads and decodes at a time.
const STEP: usize = 1 << 12;

/// Computes and writes the MSM. The witness values are kept for the next task, together with the copies that devices hold.
pub(super) fn run<E: Pairing>(
    task: &Running<'_, E>,
    part: Part,
    kept: &mut Option<(Region, Buf<E::Fr>)>,
) -> Result<Vec<Digest>, ScaleError> {
    let [points, values] = task.inputs(&[None, None])? else {
        return Err(task.refuse("points and values are read"));
    };
    let size = E::Fr::BYTES as u64;
    if !values.length.is_multiple_of(size) {
        return Err(task.refuse("a region is no whole number of elements"));
    }
    if kept.as_ref().is_none_or(|(region, _)| !covers::<E::Fr>(region, values)) {
        *kept = Some((values.clone(), read_values::<E>(task, values)?));
    }
    let Some((region, scalars)) = kept else { return Err(task.refuse("values are read")) };
    let first = ((values.offset - region.offset) / size) as usize;
    let scalars = scalars.slice(first..first + (values.length / size) as usize);
    let size = match part {
        Part::B2 => stored_point_bytes::<E::G2>(),
        _ => stored_point_bytes::<E::G1>(),
    };
    task.inputs(&[scalars.len().checked_mul(size), None])?;
    let mut on = Session::new(task.device);
    match part {
        Part::B2 => {
            let points = read_points::<E, E::G2>(task, points)?;
            task.write_point(&on.msm_g2(points.view(), scalars)?.to_affine())
        }
        _ => {
            let points = read_points::<E, E::G1>(task, points)?;
            task.write_point(&on.msm_g1(points.view(), scalars)?.to_affine())
        }
    }
}

/// Whether the values read from one region, after the check of its digest if it has one, include all values of another region.
/// The values of section C are the private ones among those of section A.
pub(super) fn covers<F: PrimeField>(read: &Region, wanted: &Region) -> bool {
    let end = |region: &Region| region.offset.checked_add(region.length);
    let inside = end(wanted).is_some_and(|wanted| end(read).is_some_and(|read| wanted <= read));
    let skipped = wanted.offset.checked_sub(read.offset);
    let whole = skipped.is_some_and(|skipped| skipped.is_multiple_of(F::BYTES as u64));
    read == wanted || read.file == wanted.file && read.digest.is_some() && inside && whole
}

/// Reads the points of a region. The digest is checked over the bytes in order, before they are decoded.
pub(super) fn read_points<E: Pairing, C: Curve>(
    task: &Running<'_, E>,
    region: &Region,
) -> Result<Buf<Affine<C>>, ScaleError> {
    decoded(task, region, stored_point_bytes::<C>(), |bytes, at, _, out| Ok(decode_points(bytes, at, out)?))
}

/// Reads the witness values of a region.
fn read_values<E: Pairing>(task: &Running<'_, E>, region: &Region) -> Result<Buf<E::Fr>, ScaleError> {
    decoded(task, region, E::Fr::BYTES, |bytes, at, first, out| {
        for (i, bytes) in bytes.chunks_exact(E::Fr::BYTES).enumerate() {
            let offset = at.offset + (i * E::Fr::BYTES) as u64;
            out.push(decode_value(bytes, ReadAt { offset, ..at }, first + i)?);
        }
        Ok(())
    })
}

/// Decodes the elements of a region on all threads, a few thousand at a time, into a buffer for operators.
fn decoded<E: Pairing, T: Copy + Send + Sync>(
    task: &Running<'_, E>,
    region: &Region,
    size: usize,
    decode: impl Fn(&[u8], ReadAt<'_>, usize, &mut Vec<T>) -> Result<(), ScaleError> + Sync,
) -> Result<Buf<T>, ScaleError> {
    let from = task.open(region)?;
    if !region.length.is_multiple_of(size as u64) {
        return Err(task.refuse("a region is no whole number of elements"));
    }
    let wave = 4 * rayon::current_num_threads() * STEP * size;
    // Refuses a region beyond its file before memory is allocated for it.
    let elements = Pages::of_pieces(from.length(region)? / size, STEP, |pieces| {
        let mut pieces = pieces.into_iter();
        from.steps(region, wave, |at, bytes| {
            let first = (at / size as u64) as usize;
            let read: Vec<_> = bytes.chunks(STEP * size).zip(pieces.by_ref()).collect();
            let decoded = parallel::try_map(read, |i, (bytes, piece)| {
                let offset = region.offset + at + (i * STEP * size) as u64;
                let mut elements = Vec::with_capacity(piece.len());
                decode(bytes, ReadAt { file: &from.path, offset }, first + i * STEP, &mut elements)?;
                piece.write(&elements);
                Ok(())
            });
            decoded.map(drop)
        })
    })?;
    Ok(elements.into())
}
