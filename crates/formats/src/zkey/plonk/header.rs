//! Sections 1 and 2: protocol, primes, sizes, the factors of the columns and the verifying key's points.

use crate::FormatError;
use crate::container::{Container, Cursor, Format, Section, narrow, widen};
use crate::points::{decode, point_bytes};
use crate::zkey::header::{PLONK, protocol, protocol_name};
use core::fmt;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::Domain;
use pairwright_protocols::plonk::{Element, Fault, VerifyingKey};

pub(crate) const FORMAT: Format = Format { magic: "zkey", version: 1, sections: PLONK };

/// The smallest domain.
const LEAST: u64 = 8;

/// The header of a Plonk key.
pub(super) struct Header<E: Pairing> {
    section: Section,
    /// Offset of the first point in the section.
    points: usize,
    /// Wires of the circuit and of the additions.
    pub(super) wires: usize,
    pub(super) public: usize,
    pub(super) domain: Domain<E::Fr>,
    pub(super) additions: usize,
    pub(super) gates: usize,
    k1: E::Fr,
    k2: E::Fr,
    selectors: [G1Affine<E>; 5],
    sigmas: [G1Affine<E>; 3],
    x_2: G2Affine<E>,
}

impl<E: Pairing> Header<E> {
    pub(super) fn read(container: &Container) -> Result<Self, FormatError> {
        let id = protocol(container)?;
        if id != 2 {
            let at = container.section(1)?.place(0);
            return Err(FormatError::Protocol { at, expected: "plonk", found: protocol_name(id) });
        }
        let section = container.section(2)?;
        let mut cursor = section.cursor();
        let Sizes { wires, public, domain, additions, gates } = Sizes::read::<E>(&mut cursor, 0)?;
        let [k1, k2] = [scalar(&mut cursor)?, scalar(&mut cursor)?];
        let points = cursor.position();
        let mut point = || point::<E::G1>(&mut cursor);
        let selectors = [point()?, point()?, point()?, point()?, point()?];
        let sigmas = [point()?, point()?, point()?];
        let x_2 = self::point(&mut cursor)?;
        section.expect_size(Some(widen(cursor.position())))?;
        let section = section.clone();
        Ok(Self { section, points, wires, public, domain, additions, gates, k1, k2, selectors, sigmas, x_2 })
    }

    /// The verifying key, whose points are not checked.
    pub(super) fn key(&self) -> VerifyingKey<E> {
        let Self { domain, public, k1, k2, selectors, sigmas, x_2, .. } = *self;
        VerifyingKey { domain, public, k1, k2, selectors, sigmas, x_2 }
    }

    /// Checks the nine points. Variable time.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        let Err(bad) = self.key().check() else { return Ok(()) };
        let index = Element::OF_KEY.iter().position(|element| *element == bad.element);
        // X_2 follows the points of G1.
        let index = index.unwrap_or(Element::OF_KEY.len());
        let group = if bad.element == Element::X_2 { E::G2::NAME } else { E::G1::NAME };
        let offset = index.saturating_mul(point_bytes::<E::G1>());
        let at = self.section.place(self.points.saturating_add(offset));
        Err(match bad.fault {
            Fault::OffCurve => FormatError::OffCurve { at, index: widen(index), group },
            Fault::WrongSubgroup => FormatError::WrongSubgroup { at, index: widen(index), group },
            Fault::Infinity => FormatError::Infinity { at, what: bad.element.name() },
        })
    }

    pub(super) fn section(&self) -> &Section {
        &self.section
    }
}

impl<E: Pairing> fmt::Debug for Header<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let n = self.domain.size();
        write!(f, "Header({}, {} wires, {} public, domain {n})", E::NAME, self.wires, self.public)
    }
}

/// The sizes in the header of a key of Plonk or fflonk.
pub(in crate::zkey) struct Sizes<F: PrimeField> {
    /// Wires of the circuit and of the additions.
    pub(in crate::zkey) wires: usize,
    pub(in crate::zkey) public: usize,
    pub(in crate::zkey) domain: Domain<F>,
    pub(in crate::zkey) additions: usize,
    pub(in crate::zkey) gates: usize,
}

impl<F: PrimeField> Sizes<F> {
    /// Reads primes and sizes, of a table whose last rows, `spare` of them, have no gates.
    pub(in crate::zkey) fn read<E: Pairing<Fr = F>>(
        cursor: &mut Cursor<'_>,
        spare: u64,
    ) -> Result<Self, FormatError> {
        cursor.modulus::<E::Fq>()?;
        cursor.modulus::<F>()?;
        let at = cursor.place();
        let [wires, public] =
            [cursor.u32("the number of wires")?, cursor.u32("the number of public values")?];
        let domain = domain(cursor)?;
        let counted = cursor.place();
        let [additions, gates] = [cursor.u32("the number of additions")?, cursor.u32("the number of gates")?];
        // The witness has the constant one and the public values; every addition is a wire more.
        let least = u64::from(public).saturating_add(u64::from(additions));
        if u64::from(wires) <= least {
            return Err(FormatError::TooFewWires { at, wires: wires.into(), inputs: least });
        }
        let room = widen(domain.size()).saturating_sub(spare);
        for (what, declared, room) in [
            ("gates", gates, room),
            ("public values", public, gates.into()),
            ("additions", additions, gates.into()),
        ] {
            let (at, declared) = (counted.clone(), u64::from(declared));
            if declared > room {
                return Err(FormatError::Count { at, what, declared, room });
            }
        }
        let [wires, public, additions, gates] =
            [wires, public, additions, gates].map(|count| narrow(count.into()));
        Ok(Self { wires, public, domain, additions, gates })
    }
}

/// The domain: polynomials have values on four times as many points.
fn domain<F: PrimeField>(cursor: &mut Cursor<'_>) -> Result<Domain<F>, FormatError> {
    let at = cursor.place();
    let size = cursor.u32("the size of the domain")?;
    let most = 1u64.checked_shl(F::TWO_ADICITY.saturating_sub(2)).unwrap_or(u64::MAX);
    let found = u64::from(size);
    match Domain::new(size.trailing_zeros()) {
        Ok(domain) if size.is_power_of_two() && found >= LEAST && found <= most => Ok(domain),
        _ => Err(FormatError::DomainSize { at, found, least: LEAST, most }),
    }
}

pub(in crate::zkey) fn scalar<F: PrimeField>(cursor: &mut Cursor<'_>) -> Result<F, FormatError> {
    let at = cursor.place();
    let bytes = cursor.take(F::BYTES, "a constant of the field")?;
    F::read_montgomery_le(bytes).map_err(|_| FormatError::NotReduced { at, index: 0, field: F::NAME })
}

pub(in crate::zkey) fn point<C: Curve>(cursor: &mut Cursor<'_>) -> Result<Affine<C>, FormatError> {
    let at = cursor.place();
    let bytes = cursor.take(point_bytes::<C>(), "a point")?;
    let field = <<C::Base as Extension>::Prime as PrimeField>::NAME;
    decode(bytes).ok_or(FormatError::NotReduced { at, index: 0, field })
}
