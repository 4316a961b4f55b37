//! Checks that the JSON readers of Plonk and fflonk share.

use super::member;
use crate::sizes::widen;
use crate::{FileBytes, FormatError};
use alloc::format;
use pairwright_curve::{Curve, Pairing};
use pairwright_field::PrimeField;
use pairwright_poly::Domain;
use pairwright_protocols::plonkish::{BadPoint, Element};

/// The domain of `2^power` points of a key. The field has to have a domain of four times as many points too, which the prover
/// uses.
pub(super) fn domain<F: PrimeField>(file: &FileBytes, power: u32) -> Result<Domain<F>, FormatError> {
    let most = F::TWO_ADICITY.saturating_sub(2);
    match Domain::new(power) {
        Ok(domain) if power <= most => Ok(domain),
        _ => Err(FormatError::Power { at: member(file, "power"), found: power, most }),
    }
}

/// The number of public values; there can be no more than rows of the domain, as each value occupies one.
pub(super) fn public<F: PrimeField>(
    file: &FileBytes,
    declared: u64,
    domain: &Domain<F>,
) -> Result<usize, FormatError> {
    let room = widen(domain.size());
    let public = usize::try_from(declared).ok().filter(|_| declared <= room);
    let at = || member(file, "nPublic");
    public.ok_or_else(|| FormatError::Count { at: at(), what: "public values", declared, room })
}

/// The error for a bad point of a proof or key; the member's name is `path` followed by the point's name.
pub(super) fn refused<E: Pairing>(file: &FileBytes, path: &str, bad: BadPoint) -> FormatError {
    let what = bad.element.name();
    let group = if bad.element == Element::X_2 { E::G2::NAME } else { E::G1::NAME };
    FormatError::point(bad.fault, member(file, format!("{path}{what}")), (0, group), what)
}
