//! Writes a key whose secrets were drawn here while its points are computed.

use super::coefficients::entry_bytes;
use super::write::{head, points_section, push_entry, radix, record};
use super::{Contributions, FORMAT};
use crate::FormatError;
use crate::container::{ContainerWriter, count_u32, widen};
use crate::points::{point_bytes, push_point};
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_protocols::groth16::{LocalSection, LocalSetup, visit_entries};
use pairwright_protocols::r1cs::ConstraintSource;
use std::io::Write;

/// Points that are computed at a time.
const CHUNK: usize = 1 << 16;
/// Bytes of entries that are written at a time, about.
const WRITTEN: usize = 1 << 16;

/// Writes a key whose secrets were drawn for a circuit as a `.zkey` file: the bytes that [`super::write_zkey`] writes of
/// [`setup_local`](pairwright_protocols::groth16::setup_local) with the same randomness, with 2^16 points at a time in memory.
///
/// # Errors
/// When the constraints cannot be read again or are too many for the format, an operator fails, or `out` does.
#[inline(never)]
pub fn write_local_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    local: &LocalSetup<E>,
) -> Result<(), FormatError> {
    on.phase("setup");
    let key = local.head(on)?;
    let mut file = ContainerWriter::new(out, &FORMAT, 10)?;
    head(&mut file, &key)?;
    points_section(&mut file, 3, &key.vk.ic)?;
    entries(&mut file, system, local)?;
    let sections = [(5, LocalSection::A), (6, LocalSection::B), (7, LocalSection::B)];
    for (id, section) in sections.into_iter().chain([(8, LocalSection::C), (9, LocalSection::H)]) {
        let len = local.section_len(section);
        if id == 7 {
            points(&mut file, id, len, |range| local.points_g2(on, range))?;
        } else {
            points(&mut file, id, len, |range| local.points_g1(on, section, range))?;
        }
    }
    record(&mut file, &Contributions::none())?;
    file.finish()
}

/// Writes a section of points, which are computed a range at a time.
fn points<C: Curve>(
    file: &mut ContainerWriter<'_>,
    id: u32,
    len: usize,
    mut compute: impl FnMut(Range<usize>) -> Result<Vec<Affine<C>>, DeviceError>,
) -> Result<(), FormatError> {
    file.section(id, widen(len).saturating_mul(widen(point_bytes::<C>())))?;
    let (mut bytes, mut start) = (Vec::new(), 0);
    while start < len {
        let end = len.min(start.saturating_add(CHUNK));
        bytes.clear();
        compute(start..end)?.iter().for_each(|p| push_point(&mut bytes, p));
        file.put(&bytes)?;
        start = end;
    }
    Ok(())
}

/// Writes the entries of the matrices as they are read from the constraints.
fn entries<E: Pairing>(
    file: &mut ContainerWriter<'_>,
    system: &dyn ConstraintSource<E::Fr>,
    local: &LocalSetup<E>,
) -> Result<(), FormatError> {
    let size = entry_bytes::<E::Fr>();
    file.section(4, widen(local.entries).saturating_mul(widen(size)).saturating_add(4))?;
    file.put_u32(count_u32("coefficients", local.entries)?)?;
    let (r, mut bytes, mut written) = (radix::<E::Fr>(), Vec::new(), Ok::<(), FormatError>(()));
    visit_entries(system, &mut |entry| {
        push_entry(&mut bytes, &entry, r);
        if bytes.len() >= WRITTEN {
            if written.is_ok() {
                written = file.put(&bytes);
            }
            bytes.clear();
        }
    })?;
    written?;
    file.put(&bytes)
}
