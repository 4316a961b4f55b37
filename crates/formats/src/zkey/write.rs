//! Writes a Groth16 `.zkey`, section by section in the order of snarkjs.

use super::coefficients::entry_bytes;
use super::{Contributions, FORMAT, Origin};
use crate::FormatError;
use crate::container::{ContainerWriter, count_u32, widen};
use crate::points::{point_bytes, points_section, push_point};
use crate::sizes::chunks;
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Entry;
use pairwright_field::{Field, PrimeField};
use pairwright_protocols::groth16::ProvingKey;
use std::io::Write;

/// Number of coefficients written at a time.
const CHUNK: usize = 1 << 12;

/// The order in which snarkjs writes the circuit's sections of an initial key, to which nobody has contributed.
pub(super) const FIRST_KEY: [u32; 7] = [4, 3, 9, 8, 5, 6, 7];

/// The order in which snarkjs writes these sections for a key that was imported from bellman's file.
const IMPORTED: [u32; 7] = [3, 4, 9, 8, 5, 6, 7];

/// Writes a key as a `.zkey` file, with its sections in the order of snarkjs, which differs for initial keys. Points and
/// coefficients are read from their sources a few thousand at a time.
///
/// # Errors
/// When a source cannot be read, a count does not fit the format or `out` fails.
#[inline(never)]
pub fn write_zkey<E: Pairing>(
    out: &mut dyn Write,
    key: &ProvingKey<E>,
    contributions: &Contributions,
) -> Result<(), FormatError> {
    let mut sections = FIRST_KEY;
    if contributions.origin() != Origin::Initial {
        sections.sort_unstable();
    }
    write_in_order(out, key, contributions, sections)
}

/// Writes a key that was imported from bellman's file ([`super::import_mpc_parameters`]) as a `.zkey` file, with the same bytes
/// as `snarkjs zkey import bellman`. Only the order of the sections differs from that of [`write_zkey`].
///
/// # Errors
/// As [`write_zkey`].
pub fn write_imported_zkey<E: Pairing>(
    out: &mut dyn Write,
    key: &ProvingKey<E>,
    contributions: &Contributions,
) -> Result<(), FormatError> {
    write_in_order(out, key, contributions, IMPORTED)
}

/// Writes a key with the circuit's sections in the given order.
fn write_in_order<E: Pairing>(
    out: &mut dyn Write,
    key: &ProvingKey<E>,
    contributions: &Contributions,
    sections: [u32; 7],
) -> Result<(), FormatError> {
    let mut file = ContainerWriter::new(out, &FORMAT, 10)?;
    head(&mut file, key)?;
    for id in sections {
        match id {
            3 => points_section(&mut file, id, &key.vk.ic)?,
            4 => coefficients(&mut file, key)?,
            5 => points_section(&mut file, id, key.a.as_ref())?,
            6 => points_section(&mut file, id, key.b_g1.as_ref())?,
            7 => points_section(&mut file, id, key.b_g2.as_ref())?,
            8 => points_section(&mut file, id, key.c.as_ref())?,
            _ => points_section(&mut file, id, key.h.as_ref())?,
        }
    }

    record(&mut file, contributions)?;
    file.finish()
}

/// Writes sections 1 and 2: protocol, primes, sizes and single points.
pub(super) fn head<E: Pairing>(
    file: &mut ContainerWriter<'_>,
    key: &ProvingKey<E>,
) -> Result<(), FormatError> {
    let (g1, g2) = (point_bytes::<E::G1>(), point_bytes::<E::G2>());
    file.section(1, 4)?;
    file.put_u32(1)?;

    let primes = [4, E::Fq::BYTES, 4, E::Fr::BYTES, 12];
    let points = [g1, g1, g2, g2, g1, g2];
    file.section(2, primes.iter().chain(&points).fold(0, |n, k| n.saturating_add(widen(*k))))?;
    file.put_modulus::<E::Fq>()?;
    file.put_modulus::<E::Fr>()?;
    for (what, n) in
        [("wires", key.wires), ("public values", key.public), ("points of the domain", key.domain.size())]
    {
        file.put_u32(count_u32(what, n)?)?;
    }
    let mut bytes = Vec::new();
    push_point(&mut bytes, &key.vk.alpha_g1);
    push_point(&mut bytes, &key.beta_g1);
    push_point(&mut bytes, &key.vk.beta_g2);
    push_point(&mut bytes, &key.vk.gamma_g2);
    push_point(&mut bytes, &key.delta_g1);
    push_point(&mut bytes, &key.vk.delta_g2);
    file.put(&bytes)
}

/// Writes section 10: the origin of the key.
pub(super) fn record(
    file: &mut ContainerWriter<'_>,
    contributions: &Contributions,
) -> Result<(), FormatError> {
    file.section(10, widen(contributions.records.len()).saturating_add(68))?;
    file.put(&contributions.circuit_hash)?;
    file.put_u32(contributions.count)?;
    file.put(&contributions.records)
}

/// Multiplies two field elements.
#[inline]
#[cfg_attr(not(test), expect(clippy::arithmetic_side_effects, reason = "field arithmetic does not overflow"))]
pub(super) fn product<F: Field>(a: F, b: F) -> F {
    a * b
}

pub(super) fn coefficients<E: Pairing>(
    file: &mut ContainerWriter<'_>,
    key: &ProvingKey<E>,
) -> Result<(), FormatError> {
    let (entries, size) = (&key.coefficients, entry_bytes::<E::Fr>());
    let len = entries.len();
    file.section(4, widen(len).saturating_mul(widen(size)).saturating_add(4))?;
    file.put_u32(count_u32("coefficients", len)?)?;
    let r = radix::<E::Fr>();
    let mut bytes = Vec::new();
    for range in chunks(len, CHUNK) {
        bytes.clear();
        entries.read(range, &mut |e| push_entry(&mut bytes, &e, r))?;
        file.put(&bytes)?;
    }
    Ok(())
}

/// The factor `R = 2^(8·bytes)`: a value v is stored as the Montgomery form of v·R.
pub(super) fn radix<F: PrimeField>() -> F {
    F::from(2).pow_vartime(&[widen(F::BYTES).saturating_mul(8)])
}

/// Appends an entry; its value is multiplied by the radix.
pub(super) fn push_entry<F: PrimeField>(bytes: &mut Vec<u8>, entry: &Entry<F>, radix: F) {
    for word in [entry.matrix, entry.row, entry.column] {
        bytes.extend(word.to_le_bytes());
    }
    let value = product(entry.value, radix);
    bytes.extend(value.to_montgomery().as_ref().iter().flat_map(|limb| limb.to_le_bytes()));
}
