//! Writes a fflonk `.zkey`, section by section in the order of snarkjs: the header last.

use super::c0_order;
use super::header::FORMAT;
use crate::container::{ContainerWriter, widen};
use crate::points::{point_bytes, push_point, put_points};
use crate::roots::roots_at;
use crate::zkey::Secrets;
use crate::zkey::plonk::write::{Polynomials, all, push, put, put_counts, put_wires, rows};
use crate::{FileBytes, FormatError, Spot};
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use pairwright_protocols::fflonk::{ProvingKey, interleave};
use std::io::Write;

/// Writes a key as snarkjs writes it, byte for byte; one whose τ was drawn in one place has a further section, which says so. Every polynomial is followed by its values at the `4n`-th roots of unity,
/// which the session computes one polynomial after the other. snarkjs needs them, and the coefficients behind C0; we read
/// neither.
///
/// # Errors
/// When the curve is another than BN254, a source cannot be read, a count does not fit the format, a device or `out` fails.
#[inline(never)]
pub fn write_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    secrets: Secrets,
) -> Result<(), FormatError> {
    on.phase("write key");
    let (n, public) = (key.vk.domain.size(), key.vk.public);
    let nowhere = || FileBytes::from_vec("proving key", Vec::new()).place(Spot::Member("curve".into()));
    let roots = roots_at::<E>(&key.vk.domain, nowhere)?;
    let mut file = ContainerWriter::new(out, &FORMAT, secrets.sections(17))?;
    file.section(1, 4)?;
    file.put_u32(10)?;
    put_wires(&mut file, &*key.additions, &key.columns)?;
    let mut polynomials = Polynomials::new(on, key.vk.domain)?;
    let [qm, ql, qr, qo, qc] = &key.selectors;
    for (id, p) in (7..).zip([ql, qr, qm, qo, qc].into_iter().chain(&key.sigmas)) {
        file.section(id, polynomials.bytes)?;
        polynomials.put(&mut file, all(p.as_ref())?)?;
    }
    polynomials.put_lagrange(&mut file, 15, public.max(1))?;
    file.section(16, widen(key.powers.len()).saturating_mul(widen(point_bytes::<E::G1>())))?;
    put_points(&mut file, key.powers.as_ref())?;

    let len = n.saturating_mul(8);
    file.section(17, widen(len).saturating_mul(widen(E::Fr::BYTES)))?;
    let parts = c0_order(&key.selectors, &key.sigmas).map(|p| Ok(Buf::from(all(p.as_ref())?)));
    let parts = parts.into_iter().collect::<Result<Vec<_>, FormatError>>()?;
    put(&mut file, &interleave(len, &parts)?.into_vec(), push)?;

    let mut rest = Vec::new();
    push(&mut rest, &key.vk.k1);
    push(&mut rest, &key.vk.k2);
    roots.named().iter().for_each(|(_, root)| push(&mut rest, root));
    push_point(&mut rest, &key.vk.x_2);
    push_point(&mut rest, &key.vk.c0);
    let head = [4, E::Fq::BYTES, 4, E::Fr::BYTES, 20, rest.len()];
    file.section(2, head.iter().fold(0, |sum, size| sum.saturating_add(widen(*size))))?;
    file.put_modulus::<E::Fq>()?;
    file.put_modulus::<E::Fr>()?;
    put_counts(&mut file, [key.wires, public, n, key.additions.len(), rows(&key.columns)])?;
    file.put(&rest)?;
    secrets.put(&mut file)?;
    file.finish()
}
