//! Sections 1 and 2: protocol, primes, sizes, the factors of the columns, roots of unity and the verifying key's points.

use crate::FormatError;
use crate::container::{Container, Format, Section, widen};
use crate::points::point_bytes;
use crate::roots::roots_at;
use crate::zkey::header::{FFLONK, protocol, protocol_name};
use crate::zkey::plonk::header::{Sizes, point, scalar};
use core::fmt;
use pairwright_curve::{Curve, G1Affine, G2Affine, Pairing};
use pairwright_protocols::fflonk::{BLINDED_ROWS, Element, Fault, VerifyingKey};

pub(crate) const FORMAT: Format = Format { magic: "zkey", version: 1, sections: FFLONK };

/// The header of a fflonk key.
pub(super) struct Header<E: Pairing> {
    section: Section,
    /// Offset of X_2 in the section.
    points: usize,
    pub(super) sizes: Sizes<E::Fr>,
    k1: E::Fr,
    k2: E::Fr,
    x_2: G2Affine<E>,
    c0: G1Affine<E>,
}

impl<E: Pairing> Header<E> {
    pub(super) fn read(container: &Container) -> Result<Self, FormatError> {
        let id = protocol(container)?;
        if id != 10 {
            let at = container.section(1)?.place(0);
            return Err(FormatError::Protocol { at, expected: "fflonk", found: protocol_name(id) });
        }
        let section = container.section(2)?;
        let mut cursor = section.cursor();
        let sizes = Sizes::read::<E>(&mut cursor, widen(BLINDED_ROWS))?;
        let [k1, k2] = [scalar(&mut cursor)?, scalar(&mut cursor)?];
        let roots = roots_at::<E>(&sizes.domain, || cursor.place())?;
        for (_, root) in roots.named() {
            let at = cursor.place();
            if scalar::<E::Fr>(&mut cursor)? != root {
                return Err(FormatError::RootOfUnity { at, power: sizes.domain.log_size() });
            }
        }
        let points = cursor.position();
        let x_2 = point::<E::G2>(&mut cursor)?;
        let c0 = point::<E::G1>(&mut cursor)?;
        section.expect_size(Some(widen(cursor.position())))?;
        Ok(Self { section: section.clone(), points, sizes, k1, k2, x_2, c0 })
    }

    /// The verifying key, whose points are not checked.
    pub(super) fn key(&self) -> VerifyingKey<E> {
        let Self { k1, k2, x_2, c0, .. } = *self;
        VerifyingKey { domain: self.sizes.domain, public: self.sizes.public, k1, k2, c0, x_2 }
    }

    /// Checks both points. Variable time.
    pub(super) fn check(&self) -> Result<(), FormatError> {
        let Err(bad) = self.key().check() else { return Ok(()) };
        // C0 follows X_2.
        let (index, offset, group) = if bad.element == Element::X_2 {
            (0, 0, E::G2::NAME)
        } else {
            (1, point_bytes::<E::G2>(), E::G1::NAME)
        };
        let at = self.section.place(self.points.saturating_add(offset));
        Err(match bad.fault {
            Fault::OffCurve => FormatError::OffCurve { at, index, group },
            Fault::WrongSubgroup => FormatError::WrongSubgroup { at, index, group },
            Fault::Infinity => FormatError::Infinity { at, what: bad.element.name() },
        })
    }

    pub(super) fn section(&self) -> &Section {
        &self.section
    }
}

impl<E: Pairing> fmt::Debug for Header<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (n, wires, public) = (self.sizes.domain.size(), self.sizes.wires, self.sizes.public);
        write!(f, "Header({}, {wires} wires, {public} public, domain {n})", E::NAME)
    }
}
