//! Writes a key from locally drawn secrets while its points are computed.

use super::coefficients::entry_bytes;
use super::write::{head, push_entry, radix, record};
use super::{Contributions, FORMAT};
use crate::FormatError;
use crate::container::{ContainerWriter, count_u32, widen};
use crate::points::{point_bytes, points_section, put_points};
use crate::sizes::chunks;
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_poly::Source;
use pairwright_protocols::groth16::{KeyPart, LocalSetup, visit_entries};
use pairwright_protocols::r1cs::ConstraintSource;
use std::io::Write;

/// Number of points that are computed at a time.
const CHUNK: usize = 1 << 16;
/// Approximate number of bytes of entries that are written at a time.
const WRITTEN: usize = 1 << 16;

/// Writes a key whose secrets were drawn for a circuit as a `.zkey` file. The bytes are those that [`super::write_zkey`] writes
/// for the key of [`setup_local`](pairwright_protocols::groth16::setup_local) with the same randomness; only 2^16 points are in
/// memory at a time.
///
/// # Errors
/// When the constraints cannot be read again or are too many for the format, or an operator or `out` fails.
#[inline(never)]
pub fn write_local_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    local: &LocalSetup<E>,
) -> Result<(), FormatError> {
    on.phase("setup");
    on.plan(|| local.plan());
    let key = local.head(on)?;
    let mut file = ContainerWriter::new(out, &FORMAT, 10)?;
    head(&mut file, &key)?;
    points_section(&mut file, 3, &key.vk.ic)?;
    entries(&mut file, system, local.entries)?;
    let sections = [(5, KeyPart::A), (6, KeyPart::B), (7, KeyPart::B)];
    for (id, section) in sections.into_iter().chain([(8, KeyPart::C), (9, KeyPart::H)]) {
        let len = local.section_len(section);
        if id == 7 {
            computed(&mut file, (id, len), CHUNK, |range| Ok(local.points_g2(on, range)?))?;
        } else {
            computed(&mut file, (id, len), CHUNK, |range| Ok(local.points_g1(on, section, range)?))?;
        }
    }
    record(&mut file, &Contributions::none())?;
    file.finish()
}

/// Writes a section of points, which are computed chunk by chunk.
pub(super) fn computed<C: Curve>(
    file: &mut ContainerWriter<'_>,
    (id, len): (u32, usize),
    step: usize,
    mut compute: impl FnMut(Range<usize>) -> Result<Vec<Affine<C>>, FormatError>,
) -> Result<(), FormatError> {
    file.section(id, widen(len).saturating_mul(widen(point_bytes::<C>())))?;
    chunks(len, step).try_for_each(|range| put_points(file, &compute(range)? as &dyn Source<_>))
}

/// Writes `count` entries of the matrices as they are read from the constraints.
pub(super) fn entries<F: PrimeField>(
    file: &mut ContainerWriter<'_>,
    system: &dyn ConstraintSource<F>,
    count: usize,
) -> Result<(), FormatError> {
    file.section(4, widen(count).saturating_mul(widen(entry_bytes::<F>())).saturating_add(4))?;
    file.put_u32(count_u32("coefficients", count)?)?;
    let (r, mut bytes, mut written) = (radix::<F>(), Vec::new(), Ok::<(), FormatError>(()));
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
