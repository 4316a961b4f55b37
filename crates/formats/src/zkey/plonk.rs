//! snarkjs' `.zkey` file of a Plonk key.

use super::plonkish::header::Sizes;
use super::plonkish::write::{Polynomials, all, put_header, put_wires};
use super::plonkish::{self, GateKey, Layout};
use crate::FormatError;
use crate::container::{ContainerWriter, Cursor, Format};
use crate::points::{points_section, push_point};
use crate::zkey::Secrets;
use crate::zkey::header::{PLONK, point};
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_protocols::plonk::{EXTRA_POWERS, Element, ProvingKey, VerifyingKey};
use std::io::Write;

/// A Plonk `.zkey` file: its header is in memory; polynomials, wires and points are read on demand.
pub type ZkeyFile<E> = plonkish::ZkeyFile<E, VerifyingKey<E>>;

const ELEMENTS: &[Element] = {
    let [qm, ql, qr, qo, qc, s1, s2, s3] = Element::OF_KEY;
    &[qm, ql, qr, qo, qc, s1, s2, s3, Element::X_2]
};

const LAYOUT: Layout = Layout {
    format: Format { magic: "zkey", version: 1, sections: PLONK },
    protocol: (2, "plonk"),
    spare: 0,
    elements: ELEMENTS,
    selectors: [7, 8, 9, 10, 11],
    sigmas: [(12, 3, 0), (12, 3, 1), (12, 3, 2)],
    lagrange: 13,
    powers: |n| n.saturating_add(EXTRA_POWERS),
    c0: None,
};

impl<E: Pairing> GateKey<E> for VerifyingKey<E> {
    const LAYOUT: &'static Layout = &LAYOUT;

    fn read(
        cursor: &mut Cursor<'_>,
        sizes: &Sizes<E::Fr>,
        [k1, k2]: [E::Fr; 2],
    ) -> Result<(usize, Self), FormatError> {
        let points = cursor.position();
        let mut next = || point::<E::G1>(cursor);
        let selectors = [next()?, next()?, next()?, next()?, next()?];
        let sigmas = [next()?, next()?, next()?];
        let (x_2, domain, public) = (point(cursor)?, sizes.domain, sizes.public);
        Ok((points, Self { domain, public, k1, k2, selectors, sigmas, x_2 }))
    }
}

/// Writes a key with the same bytes as snarkjs; a key whose τ was drawn in one place gets an additional section that records
/// this. The sections are in snarkjs' order, with the header last. Every polynomial is followed by its values at the `4n`-th
/// roots of unity, which the session computes for one polynomial after the other, with memory for `5n` elements. snarkjs needs
/// these values; this crate never reads them.
///
/// # Errors
/// When a source cannot be read, a count does not fit the format, or a device or `out` fails.
#[inline(never)]
pub fn write_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    key: &ProvingKey<E>,
    secrets: Secrets,
) -> Result<(), FormatError> {
    on.phase("write key");
    let mut file = ContainerWriter::new(out, &LAYOUT.format, secrets.sections(14))?;
    put_wires(&mut file, &*key.additions, &key.columns)?;
    let mut polynomials = Polynomials::new(on, key.vk.domain)?;
    for (id, selector) in (7..).zip(&key.selectors) {
        file.section(id, polynomials.bytes)?;
        polynomials.put(&mut file, all(selector.as_ref())?)?;
    }
    file.section(12, polynomials.bytes.saturating_mul(3))?;
    for sigma in &key.sigmas {
        polynomials.put(&mut file, all(sigma.as_ref())?)?;
    }
    polynomials.put_lagrange(&mut file, 13, key.vk.public.max(1))?;
    points_section(&mut file, 14, key.powers.as_ref())?;

    file.section(1, 4)?;
    file.put_u32(2)?;
    put_header(&mut file, key, |bytes| {
        key.vk.selectors.iter().chain(&key.vk.sigmas).for_each(|p| push_point(bytes, p));
        push_point(bytes, &key.vk.x_2);
    })?;
    secrets.put(&mut file)?;
    file.finish()
}
