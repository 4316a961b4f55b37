//! The parameters of a key's ceremony in the form of bellman's tools (`.mpcparams`), which contributors process without the
//! circuit. A file consists of the points of a key and the records of contributions, which have no names.
//!
//! All numbers are big-endian. Points are uncompressed with canonical coordinates. The single points of the verifying key come
//! first, then the lists, each preceded by its length. Instead of H the file holds `τ^j·Z(τ)/δ` for all j up to the largest
//! degree of a quotient, one element fewer than the domain has points. Therefore the elements H that are computed from a
//! response lack the last power.

mod contribute;
mod export;
mod import;

pub use contribute::contribute_to_mpc_parameters;
pub use export::{write_mpc_parameters, written_mpc_work};
pub use import::{ImportedKey, import_mpc_parameters};

use super::check_point;
use super::contribution::KeyRecord;
use super::header::largest_domain;
use crate::ceremony::record::Decode;
use crate::container::{Cursor, Section, narrow, widen};
use crate::points::{Form, PointSource, decode_uncompressed, point_bytes};
use crate::subgroup::{check_g1, check_g2};
use crate::{FileBytes, FormatError};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing};
use pairwright_device::Session;
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::{Domain, Source};
use rand_core::CryptoRng;
use std::path::Path;

/// The parts of such a file, with the numbers and names that errors use.
mod part {
    pub(super) const KEY: (u32, &str) = (1, "verifying key");
    pub(super) const IC: (u32, &str) = (2, "IC");
    pub(super) const H: (u32, &str) = (3, "H");
    pub(super) const L: (u32, &str) = (4, "L");
    pub(super) const A: (u32, &str) = (5, "A");
    pub(super) const B_G1: (u32, &str) = (6, "B in G1");
    pub(super) const B_G2: (u32, &str) = (7, "B in G2");
    pub(super) const CONTRIBUTIONS: (u32, &str) = (8, "contributions");
}

/// The number of scalar multiplications that the transform of H takes, for a domain of `2^log` points.
pub(super) fn transform_work(log: u32) -> u64 {
    let size = 1u64.checked_shl(log).unwrap_or(u64::MAX);
    size.wrapping_shr(1).saturating_mul(log.into()).saturating_add(size)
}

/// The parameters of a Groth16 key's ceremony in bellman's form. The single points and the records are in memory, the other
/// points are read on demand.
pub struct MpcParameters<E: Pairing> {
    file: FileBytes,
    domain: Domain<E::Fr>,
    alpha_g1: G1Affine<E>,
    beta_g1: G1Affine<E>,
    beta_g2: G2Affine<E>,
    gamma_g2: G2Affine<E>,
    delta_g1: G1Affine<E>,
    delta_g2: G2Affine<E>,
    ic: PointSource<E::G1>,
    h: PointSource<E::G1>,
    l: PointSource<E::G1>,
    a: PointSource<E::G1>,
    b_g1: PointSource<E::G1>,
    b_g2: PointSource<E::G2>,
    circuit_hash: [u8; 64],
    records: Vec<KeyRecord<E>>,
}

impl<E: Pairing> MpcParameters<E> {
    /// Maps a file and reads it: see [`MpcParameters::read`].
    ///
    /// # Errors
    /// When the file cannot be opened, and as [`MpcParameters::read`].
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::read(FileBytes::open(path)?)
    }

    /// Reads parameters. All lengths are compared with the length of the file. The points of the verifying key and of the
    /// records are checked to be finite points of their subgroups, and the last record is checked to hold the file's δ. The
    /// other points are left to [`MpcParameters::check`]. The file does not state its curve.
    ///
    /// # Errors
    /// When a length, a point or a record is not valid.
    #[inline(never)]
    pub fn read(file: FileBytes) -> Result<Self, FormatError> {
        let (id, name) = part::KEY;
        let (g1, g2) = (point_bytes::<E::G1>(), point_bytes::<E::G2>());
        let head = Section::of_part(&file, id, name, 0, g1.saturating_add(g2).saturating_mul(3));
        let mut cursor = head.cursor();
        let alpha_g1 = key_point::<E::G1>(&mut cursor, &head, "alpha")?;
        let beta_g1 = key_point::<E::G1>(&mut cursor, &head, "beta")?;
        let beta_g2 = key_point::<E::G2>(&mut cursor, &head, "beta")?;
        let gamma_g2 = key_point::<E::G2>(&mut cursor, &head, "gamma")?;
        let delta_g1 = key_point::<E::G1>(&mut cursor, &head, "delta")?;
        let delta_g2 = key_point::<E::G2>(&mut cursor, &head, "delta")?;

        let mut lists = MpcLists { file: &file, at: cursor.position() };
        let ic = lists.next::<E::G1>(part::IC, "points of IC", |_, _| Ok(()))?;
        // Number of IC points, which includes the one for the constant one.
        let inputs = ic.len();
        let h =
            lists.next::<E::G1>(part::H, "points of H", |at, found| domain_of::<E::Fr>(at, found, inputs))?;
        let l = lists.next::<E::G1>(part::L, "points of L", |_, _| Ok(()))?;
        let wires = ic.len().saturating_add(l.len());
        let a = lists.next::<E::G1>(part::A, "points of A", |at, found| a_wire_each(at, found, wires))?;
        let b_g1 =
            lists.next::<E::G1>(part::B_G1, "points of B", |at, found| a_wire_each(at, found, wires))?;
        let b_g2 =
            lists.next::<E::G2>(part::B_G2, "points of B", |at, found| a_wire_each(at, found, wires))?;

        let (id, name) = part::CONTRIBUTIONS;
        let rest = Section::of_part(&file, id, name, lists.at, file.len().saturating_sub(lists.at));
        let mut cursor = rest.cursor();
        let circuit_hash = cursor.array("the hash of the circuit")?;
        let count = u32::from_be_bytes(cursor.array("the number of contributions")?);
        // Memory is not reserved for the declared count: records are read until the file ends.
        let mut records = Vec::new();
        let mut last = (Affine::generator(), cursor.place());
        for _ in 0..count {
            let at = cursor.place();
            let record = KeyRecord::<E>::read_uncompressed(&mut cursor)?;
            last = (record.delta, at);
            records.push(record);
        }
        rest.expect_size(Some(widen(cursor.position())))?;
        if last.0 != delta_g1 {
            return Err(FormatError::Record { at: last.1, why: "delta is not the one that it left" });
        }
        let log = h.len().saturating_add(1).trailing_zeros();
        let Ok(domain) = Domain::new(log) else {
            return Err(no_domain::<E::Fr>(h.section().place(0), h.len(), inputs));
        };
        Ok(Self {
            domain,
            alpha_g1,
            beta_g1,
            beta_g2,
            gamma_g2,
            delta_g1,
            delta_g2,
            ic,
            h,
            l,
            a,
            b_g1,
            b_g2,
            circuit_hash,
            records,
            file,
        })
    }

    /// Checks that every point of the lists is in its prime-order subgroup.
    ///
    /// # Errors
    /// When a point is outside; the error names it.
    #[inline(never)]
    pub fn check(&self, on: &mut Session<'_, E>, rng: &mut dyn CryptoRng) -> Result<(), FormatError> {
        check_g1(on, &self.ic, rng)?;
        check_g1(on, &self.h, rng)?;
        check_g1(on, &self.l, rng)?;
        check_g1(on, &self.a, rng)?;
        check_g1(on, &self.b_g1, rng)?;
        check_g2(on, &self.b_g2, rng)
    }

    /// The bytes of the file.
    pub fn file(&self) -> &FileBytes {
        &self.file
    }
    /// Number of wires of the circuit, the constant one included.
    pub fn wires(&self) -> usize {
        self.a.len()
    }
    /// Number of public values, without the constant one.
    pub fn public(&self) -> usize {
        self.ic.len().saturating_sub(1)
    }
    /// Number of points of the key's domain.
    pub fn domain_size(&self) -> usize {
        self.domain.size()
    }
    /// The hash of the circuit and its initial key.
    pub fn circuit_hash(&self) -> &[u8; 64] {
        &self.circuit_hash
    }
    /// Number of recorded contributions.
    pub fn contributions(&self) -> usize {
        self.records.len()
    }
    /// Number of points that a contribution multiplies.
    pub fn divided(&self) -> usize {
        self.h.len().saturating_add(self.l.len())
    }
}

impl<E: Pairing> fmt::Debug for MpcParameters<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (wires, contributions) = (self.wires(), self.contributions());
        write!(f, "MpcParameters({}, {wires} wires, {contributions} contributions)", E::NAME)
    }
}

/// Reads a point of the verifying key, which has to be finite and in the subgroup.
fn key_point<C: Curve>(
    cursor: &mut Cursor<'_>,
    head: &Section,
    what: &'static str,
) -> Result<Affine<C>, FormatError> {
    let (at, offset) = (cursor.place(), cursor.position());
    let bytes = cursor.take(point_bytes::<C>(), "a point of the verifying key")?;
    let field = <C::Base as Extension>::Prime::NAME;
    let decode: Decode<C> = decode_uncompressed;
    let p = decode(bytes).ok_or(FormatError::NotReduced { at, index: 0, field })?;
    check_point(&p, head, offset, what)?;
    Ok(p)
}

/// A reader of consecutive lists of points, each preceded by its length.
struct MpcLists<'a> {
    file: &'a FileBytes,
    at: usize,
}

impl MpcLists<'_> {
    /// Reads the next list. `fits` checks its length before its points are looked at.
    fn next<C: Curve>(
        &mut self,
        (id, name): (u32, &'static str),
        what: &'static str,
        fits: impl FnOnce(crate::FilePlace, usize) -> Result<(), FormatError>,
    ) -> Result<PointSource<C>, FormatError> {
        let whole = Section::of_part(self.file, id, name, self.at, self.file.len().saturating_sub(self.at));
        let mut cursor = whole.cursor();
        let declared = u32::from_be_bytes(cursor.array("the number of points")?);
        let room = widen(cursor.left()).checked_div(widen(point_bytes::<C>())).unwrap_or(0);
        if u64::from(declared) > room {
            return Err(FormatError::Count { at: whole.place(0), what, declared: declared.into(), room });
        }
        let len = narrow(declared.into());
        fits(whole.place(0), len)?;
        let start = self.at.saturating_add(cursor.position());
        let size = len.saturating_mul(point_bytes::<C>());
        self.at = start.saturating_add(size);
        PointSource::in_form(Section::of_part(self.file, id, name, start, size), len, Form::Uncompressed)
    }
}

/// Fails unless the list has one point for each wire.
fn a_wire_each(at: crate::FilePlace, found: usize, expected: usize) -> Result<(), FormatError> {
    if found == expected { Ok(()) } else { Err(FormatError::ArrayLength { at, expected, found }) }
}

/// The domain that has one point more than there are powers; fails unless it exists and has room for the public rows.
fn domain_of<F: PrimeField>(at: crate::FilePlace, found: usize, inputs: usize) -> Result<(), FormatError> {
    let size = found.saturating_add(1);
    if size.is_power_of_two() && size >= inputs && widen(size) <= largest_domain::<F>() {
        return Ok(());
    }
    Err(no_domain::<F>(at, found, inputs))
}

fn no_domain<F: PrimeField>(at: crate::FilePlace, found: usize, inputs: usize) -> FormatError {
    let (found, least) = (widen(found).saturating_add(1), widen(inputs));
    FormatError::DomainSize { at, found, least, most: largest_domain::<F>() }
}
