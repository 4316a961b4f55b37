//! Sections 1 and 2: protocol, primes, sizes and the single points.

use super::secrets::SECRETS;
use super::{check_point, point_bytes};
use crate::FormatError;
use crate::container::{Container, Cursor, Format, Section, narrow, widen};
use crate::points::decode;
use crate::primes::PrimeRole;
use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::String;
use core::fmt;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::Domain;

pub(crate) const FORMAT: Format = Format {
    magic: "zkey",
    version: 1,
    sections: &[
        (1, "protocol"),
        (2, "header"),
        (3, "IC"),
        (4, "coefficients"),
        (5, "A"),
        (6, "B in G1"),
        (7, "B in G2"),
        (8, "C"),
        (9, "H"),
        (10, "contributions"),
    ],
};

/// The sections of a Plonk key, by type.
pub(crate) const PLONK: &[(u32, &str)] = &[
    (1, "protocol"),
    (2, "header"),
    (3, "additions"),
    (4, "wires of A"),
    (5, "wires of B"),
    (6, "wires of C"),
    (7, "Qm"),
    (8, "Ql"),
    (9, "Qr"),
    (10, "Qo"),
    (11, "Qc"),
    (12, "sigma"),
    (13, "Lagrange polynomials"),
    (14, "powers of tau"),
    (SECRETS, "secrets"),
];

/// The sections of an FFLONK key, by type.
pub(crate) const FFLONK: &[(u32, &str)] = &[
    (1, "protocol"),
    (2, "header"),
    (3, "additions"),
    (4, "wires of A"),
    (5, "wires of B"),
    (6, "wires of C"),
    (7, "Ql"),
    (8, "Qr"),
    (9, "Qm"),
    (10, "Qo"),
    (11, "Qc"),
    (12, "sigma 1"),
    (13, "sigma 2"),
    (14, "sigma 3"),
    (15, "Lagrange polynomials"),
    (16, "powers of tau"),
    (17, "C0"),
    (SECRETS, "secrets"),
];

/// The names of the sections of a protocol's keys; `None` for an unknown protocol.
pub(crate) fn sections_of(protocol: u32) -> Option<&'static [(u32, &'static str)]> {
    match protocol {
        1 => Some(FORMAT.sections),
        2 => Some(PLONK),
        10 => Some(FFLONK),
        _ => None,
    }
}

/// The name of a protocol number.
pub(crate) fn protocol_name(id: u32) -> String {
    match id {
        1 => "groth16".to_owned(),
        2 => "plonk".to_owned(),
        10 => "fflonk".to_owned(),
        _ => format!("number {id}"),
    }
}

/// Reads the protocol number from section 1.
pub(crate) fn protocol(container: &Container) -> Result<u32, FormatError> {
    let section = container.section(1)?;
    let id = section.cursor().u32("the protocol")?;
    section.expect_size(Some(4))?;
    Ok(id)
}

/// Fails if the key belongs to another protocol than the given one.
pub(crate) fn expect_protocol(
    container: &Container,
    (id, name): (u32, &'static str),
) -> Result<(), FormatError> {
    let found = protocol(container)?;
    if found == id {
        return Ok(());
    }
    let at = container.section(1)?.place(0);
    Err(FormatError::Protocol { at, expected: name, found: protocol_name(found) })
}

/// The sizes in the header, read without decoding points and without the curve as a type parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ZkeyGlance {
    pub(crate) wires: u32,
    pub(crate) public: u32,
    pub(crate) domain: u32,
}

impl ZkeyGlance {
    /// Reads the sizes of a Groth16 header, or the part that a Plonk header has in common with it.
    pub(crate) fn read(container: &Container) -> Result<Self, FormatError> {
        let section = container.section(2)?;
        let mut cursor = section.cursor();
        cursor.curve(PrimeRole::Base)?;
        cursor.curve(PrimeRole::Scalar)?;
        let [wires, public, domain] = sizes(&mut cursor)?;
        Ok(Self { wires, public, domain })
    }
}

/// The numbers of additions and gates in the header of a Plonk key, after the sizes that it has in common with Groth16.
pub(crate) fn plonk_counts(container: &Container) -> Result<[u32; 2], FormatError> {
    let section = container.section(2)?;
    let mut cursor = section.cursor();
    cursor.curve(PrimeRole::Base)?;
    cursor.curve(PrimeRole::Scalar)?;
    sizes(&mut cursor)?;
    Ok([cursor.u32("the number of additions")?, cursor.u32("the number of gates")?])
}

fn sizes(cursor: &mut Cursor<'_>) -> Result<[u32; 3], FormatError> {
    Ok([
        cursor.u32("the number of wires")?,
        cursor.u32("the number of public values")?,
        cursor.u32("the size of the domain")?,
    ])
}

/// The header of a Groth16 key.
pub(crate) struct ZkeyHeader<E: Pairing> {
    section: Section,
    /// Offset of the first point in the section.
    points: usize,
    pub(crate) wires: usize,
    pub(crate) public: usize,
    pub(crate) domain: Domain<E::Fr>,
    pub(crate) alpha_g1: G1Affine<E>,
    pub(crate) beta_g1: G1Affine<E>,
    pub(crate) beta_g2: G2Affine<E>,
    pub(crate) gamma_g2: G2Affine<E>,
    pub(crate) delta_g1: G1Affine<E>,
    pub(crate) delta_g2: G2Affine<E>,
}

impl<E: Pairing> ZkeyHeader<E> {
    pub(crate) fn read(container: &Container) -> Result<Self, FormatError> {
        expect_protocol(container, (1, "groth16"))?;
        let section = container.section(2)?;
        let mut cursor = section.cursor();
        cursor.modulus::<E::Fq>()?;
        cursor.modulus::<E::Fr>()?;
        let at = cursor.place();
        let [wires, public, domain] = sizes(&mut cursor)?;
        if wires <= public {
            let (wires, inputs) = (wires.into(), public.into());
            return Err(FormatError::TooFewWires { at, wires, inputs });
        }
        // The quotient is evaluated on the odd coset of a domain of twice the size, which has to exist.
        let (least, most) = (u64::from(public).saturating_add(1), largest_domain::<E::Fr>());
        let found = u64::from(domain);
        let domain = Domain::new(domain.trailing_zeros());
        let (true, Ok(domain)) = (found.is_power_of_two() && found >= least && found <= most, domain) else {
            return Err(FormatError::DomainSize { at, found, least, most });
        };
        let points = cursor.position();
        let header = Self {
            points,
            wires: narrow(wires.into()),
            public: narrow(public.into()),
            domain,
            alpha_g1: point(&mut cursor)?,
            beta_g1: point(&mut cursor)?,
            beta_g2: point(&mut cursor)?,
            gamma_g2: point(&mut cursor)?,
            delta_g1: point(&mut cursor)?,
            delta_g2: point(&mut cursor)?,
            section: section.clone(),
        };
        section.expect_size(Some(widen(cursor.position())))?;
        Ok(header)
    }

    /// Checks that the six points are finite points of their subgroups. Variable time.
    pub(crate) fn check(&self) -> Result<(), FormatError> {
        let (g1, g2) = (point_bytes::<E::G1>(), point_bytes::<E::G2>());
        let mut at = self.points;
        let mut step = |size| {
            let next = at.saturating_add(size);
            core::mem::replace(&mut at, next)
        };
        let head = &self.section;
        check_point(&self.alpha_g1, head, step(g1), "alpha")?;
        check_point(&self.beta_g1, head, step(g1), "beta")?;
        check_point(&self.beta_g2, head, step(g2), "beta")?;
        check_point(&self.gamma_g2, head, step(g2), "gamma")?;
        check_point(&self.delta_g1, head, step(g1), "delta")?;
        check_point(&self.delta_g2, head, step(g2), "delta")
    }

    pub(crate) fn section(&self) -> &Section {
        &self.section
    }
}

impl<E: Pairing> fmt::Debug for ZkeyHeader<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.domain.size();
        write!(f, "Header({}, {} wires, {} public, domain {n})", E::NAME, self.wires, self.public)
    }
}

/// The largest domain size for which the field has a domain of twice the size.
pub(crate) fn largest_domain<F: PrimeField>() -> u64 {
    1u64.checked_shl(F::TWO_ADICITY.saturating_sub(1)).unwrap_or(u64::MAX)
}

pub(in crate::zkey) fn point<C: Curve>(cursor: &mut Cursor<'_>) -> Result<Affine<C>, FormatError> {
    let at = cursor.place();
    let bytes = cursor.take(point_bytes::<C>(), "a point")?;
    let field = <<C::Base as Extension>::Prime as PrimeField>::NAME;
    decode(bytes).ok_or(FormatError::NotReduced { at, index: 0, field })
}
