//! Writes a key in bellman's form.

use super::super::contribution::KeyRecord;
use super::super::{Origin, ZkeyFile};
use super::transform_work;
use crate::FormatError;
use crate::ceremony::record::push_uncompressed;
use crate::container::{count_u32, widen};
use crate::sizes::chunks;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::Session;
use pairwright_poly::Source;
use pairwright_protocols::groth16::powers_from_h_vartime;
use rand_core::CryptoRng;
use std::io::Write;

/// Number of points written at a time.
const CHUNK: usize = 1 << 12;

/// The work of [`write_mpc_parameters`] and of [`super::import_mpc_parameters`] for a key, in scalar multiplications of a point
/// of G1.
pub fn written_mpc_work<E: Pairing>(zkey: &ZkeyFile<E>) -> u64 {
    transform_work(zkey.domain().log_size())
}

/// Writes a key in the form that contributors with bellman's tools use, with the same bytes as `snarkjs zkey export bellman`.
/// The constraints and the contributors' names are not part of it.
///
/// Every point is checked to be in its prime-order subgroup. The elements H are transformed to powers of τ in memory, and
/// `done` is called with the progress of that; other points are read a few thousand at a time. `rng` is used by the subgroup
/// check.
///
/// # Errors
/// When a record, a coefficient or a point is malformed, the key has no circuit hash (contributions then make no sense), or
/// `out` fails.
#[inline(never)]
pub fn write_mpc_parameters<E: Pairing>(
    on: &mut Session<'_, E>,
    out: &mut dyn Write,
    zkey: &ZkeyFile<E>,
    rng: &mut dyn CryptoRng,
    done: &mut dyn FnMut(u64),
) -> Result<(), FormatError> {
    let contributions = zkey.contributions()?;
    if contributions.origin() == Origin::OnePlace {
        return Err(FormatError::NoCeremony { file: zkey.file().name().clone() });
    }
    let records = zkey.records()?;
    on.phase("check points");
    zkey.check(on, rng)?;
    on.phase("export");
    let key = zkey.proving_key()?;
    let mut h = Vec::new();
    zkey.h.decode(0..zkey.h.len(), &mut h)?;
    let mut powers = powers_from_h_vartime(on, &key.domain, &h, &mut |products| done(widen(products)))?;
    // The degree of a quotient is too small for the last power, so the file does not hold it.
    powers.pop();

    let mut bytes = Vec::new();
    push_uncompressed(&mut bytes, &key.vk.alpha_g1);
    push_uncompressed(&mut bytes, &key.beta_g1);
    push_uncompressed(&mut bytes, &key.vk.beta_g2);
    push_uncompressed(&mut bytes, &key.vk.gamma_g2);
    push_uncompressed(&mut bytes, &key.delta_g1);
    push_uncompressed(&mut bytes, &key.vk.delta_g2);
    put(out, &bytes)?;
    list(out, "public values", &key.vk.ic)?;
    list(out, "powers of tau", &powers)?;
    list(out, "wires", key.c.as_ref())?;
    list(out, "wires", key.a.as_ref())?;
    list(out, "wires", key.b_g1.as_ref())?;
    list(out, "wires", key.b_g2.as_ref())?;
    put(out, &contributions.circuit_hash)?;
    put(out, &contributions.count.to_be_bytes())?;
    let mut bytes = Vec::new();
    records.iter().for_each(|record: &KeyRecord<E>| record.push_hashed(&mut bytes));
    put(out, &bytes)
}

pub(super) fn put(out: &mut dyn Write, bytes: &[u8]) -> Result<(), FormatError> {
    out.write_all(bytes).map_err(FormatError::Write)
}

/// Writes the length of a list and then its points.
fn list<C: Curve>(
    out: &mut dyn Write,
    what: &'static str,
    source: &dyn Source<Affine<C>>,
) -> Result<(), FormatError> {
    put(out, &count_u32(what, source.len())?.to_be_bytes())?;
    let (mut points, mut bytes) = (Vec::new(), Vec::new());
    for range in chunks(source.len(), CHUNK) {
        points.clear();
        bytes.clear();
        source.read(range, &mut points)?;
        points.iter().for_each(|p| push_uncompressed(&mut bytes, p));
        put(out, &bytes)?;
    }
    Ok(())
}
