//! snarkjs' `.zkey` file of an fflonk key.

use super::plonkish::header::{Sizes, scalar};
use super::plonkish::write::{Polynomials, all, push, put_header, put_wires};
use super::plonkish::{self, GateKey, Layout, c0};
use crate::container::{ContainerWriter, Cursor, Format, widen};
use crate::points::{points_section, push_point};
use crate::roots::roots_at;
use crate::zkey::Secrets;
use crate::zkey::header::{FFLONK, point};
use crate::{FileBytes, FormatError, Spot};
use alloc::vec::Vec;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_poly::Buf;
use pairwright_protocols::fflonk::{BLINDED_ROWS, Element, ProvingKey, VerifyingKey, interleave, powers_for};
use std::io::Write;

/// An fflonk `.zkey` file: its header is in memory; polynomials, wires and points are read on demand.
pub type ZkeyFile<E> = plonkish::ZkeyFile<E, VerifyingKey<E>>;

const LAYOUT: Layout = Layout {
    format: Format { magic: "zkey", version: 1, sections: FFLONK },
    protocol: (10, "fflonk"),
    spare: BLINDED_ROWS,
    elements: &[Element::X_2, Element::C0],
    selectors: [9, 7, 8, 10, 11],
    sigmas: [(12, 1, 0), (13, 1, 0), (14, 1, 0)],
    lagrange: 15,
    powers: powers_for,
    c0: Some(17),
};

impl<E: Pairing> GateKey<E> for VerifyingKey<E> {
    const LAYOUT: &'static Layout = &LAYOUT;

    fn read(
        cursor: &mut Cursor<'_>,
        sizes: &Sizes<E::Fr>,
        [k1, k2]: [E::Fr; 2],
    ) -> Result<(usize, Self), FormatError> {
        let (domain, public) = (sizes.domain, sizes.public);
        let roots = roots_at::<E>(&domain, || cursor.place())?;
        for (_, root) in roots.named() {
            let at = cursor.place();
            if scalar::<E::Fr>(cursor)? != root {
                return Err(FormatError::RootOfUnity { at, power: domain.log_size() });
            }
        }
        let points = cursor.position();
        let (x_2, c0) = (point(cursor)?, point(cursor)?);
        Ok((points, Self { domain, public, k1, k2, c0, x_2 }))
    }
}

/// Writes a key with the same bytes as snarkjs; a key whose τ was drawn in one place gets an additional section that records
/// this. The sections are in snarkjs' order, with the header last. Every polynomial is followed by its values at the `4n`-th
/// roots of unity, which the session computes for one polynomial after the other. snarkjs needs these values and the
/// coefficients of the polynomial that C0 commits to; this crate reads neither for a proof.
///
/// # Errors
/// When the curve is not BN254, a source cannot be read, a count does not fit the format, or a device or `out` fails.
#[inline(never)]
pub fn write_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    secrets: Secrets,
) -> Result<(), FormatError> {
    on.phase("write key");
    let nowhere = || FileBytes::from_vec("proving key", Vec::new()).place(Spot::Member("curve".into()));
    let roots = roots_at::<E>(&key.vk.domain, nowhere)?;
    let mut file = ContainerWriter::new(out, &LAYOUT.format, secrets.sections(17))?;
    file.section(1, 4)?;
    file.put_u32(10)?;
    put_wires(&mut file, &*key.additions, &key.columns)?;
    let mut polynomials = Polynomials::new(on, key.vk.domain)?;
    let [qm, ql, qr, qo, qc] = &key.selectors;
    for (id, p) in (7..).zip([ql, qr, qm, qo, qc].into_iter().chain(&key.sigmas)) {
        file.section(id, polynomials.bytes)?;
        polynomials.put(&mut file, all(p.as_ref())?)?;
    }
    polynomials.put_lagrange(&mut file, 15, key.vk.public.max(1))?;
    points_section(&mut file, 16, key.powers.as_ref())?;

    let len = key.vk.domain.size().saturating_mul(8);
    file.section(17, widen(len).saturating_mul(widen(E::Fr::BYTES)))?;
    let parts = c0::in_order(&key.selectors, &key.sigmas).map(|p| Ok(Buf::from(all(p.as_ref())?)));
    let parts = parts.into_iter().collect::<Result<Vec<_>, FormatError>>()?;
    file.put_all(&interleave(len, &parts)?.into_vec(), push)?;
    put_header(&mut file, key, |bytes| {
        roots.named().iter().for_each(|(_, root)| push(bytes, root));
        push_point(bytes, &key.vk.x_2);
        push_point(bytes, &key.vk.c0);
    })?;
    secrets.put(&mut file)?;
    file.finish()
}
