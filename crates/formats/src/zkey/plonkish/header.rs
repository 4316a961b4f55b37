//! Sections 1 and 2: protocol, primes, sizes, the coset factors k1 and k2 of the columns, and the points of the verifying key.

use super::GateKey;
use crate::FormatError;
use crate::container::{Container, Cursor, Section, narrow, widen};
use crate::points::point_bytes;
use crate::zkey::header::expect_protocol;
use core::fmt;
use pairwright_curve::{Curve, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;
use pairwright_protocols::plonkish::Element;

/// Size of the smallest domain, in points.
const LEAST: u64 = 8;

/// The header of a Plonk or fflonk key.
pub(super) struct GateKeyHeader<E: Pairing, K> {
    section: Section,
    /// Offset of the first point in the section.
    points: usize,
    pub(super) sizes: Sizes<E::Fr>,
    /// The verifying key, whose points are not checked.
    pub(super) key: K,
}

impl<E: Pairing, K: GateKey<E>> GateKeyHeader<E, K> {
    pub(super) fn read(container: &Container) -> Result<Self, FormatError> {
        expect_protocol(container, K::LAYOUT.protocol)?;
        let section = container.section(2)?;
        let mut cursor = section.cursor();
        let sizes = Sizes::read::<E>(&mut cursor, widen(K::LAYOUT.spare))?;
        let factors = [scalar(&mut cursor)?, scalar(&mut cursor)?];
        let (points, key) = K::read(&mut cursor, &sizes, factors)?;
        section.expect_size(Some(widen(cursor.position())))?;
        Ok(Self { section: section.clone(), points, sizes, key })
    }

    /// Checks that the points are in the subgroups. Variable time.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        let Err(bad) = self.key.clone().checked() else { return Ok(()) };
        let (mut index, mut at, mut group) = (0u64, self.points, "");
        for element in K::LAYOUT.elements {
            let (name, bytes) = if *element == Element::X_2 {
                (E::G2::NAME, point_bytes::<E::G2>())
            } else {
                (E::G1::NAME, point_bytes::<E::G1>())
            };
            group = name;
            if *element == bad.element {
                break;
            }
            (index, at) = (index.saturating_add(1), at.saturating_add(bytes));
        }
        Err(FormatError::point(bad.fault, self.section.place(at), (index, group), bad.element.name()))
    }

    pub(super) fn section(&self) -> &Section {
        &self.section
    }
}

impl<E: Pairing, K> fmt::Debug for GateKeyHeader<E, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, wires, public) = (self.sizes.domain.size(), self.sizes.wires, self.sizes.public);
        write!(f, "Header({}, {wires} wires, {public} public, domain {n})", E::NAME)
    }
}

/// The sizes in the header of a key of Plonk or fflonk.
#[derive(Debug)]
pub struct Sizes<F: PrimeField> {
    /// Number of wires, of the circuit and of the additions together.
    pub(in crate::zkey) wires: usize,
    pub(in crate::zkey) public: usize,
    pub(in crate::zkey) domain: Domain<F>,
    pub(in crate::zkey) additions: usize,
    pub(in crate::zkey) gates: usize,
}

impl<F: PrimeField> Sizes<F> {
    /// Reads primes and sizes. The last `spare` rows of the table, at least, have no gates.
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
        // The witness has at least the constant one and the public values; every addition adds one wire.
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

/// Reads the domain size. The field has to have a domain of four times as many points too, on which the file holds values.
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
