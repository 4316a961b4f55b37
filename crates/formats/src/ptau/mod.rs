//! snarkjs' `.ptau`: powers of tau from a ceremony, raw or prepared for phase 2.

mod chain;
mod contribute;
mod error;
mod exchange;
mod ledger;
mod levels;
mod prepare;
mod record;
#[cfg(test)]
mod tests;
mod truncate;
mod verify;
mod weights;

use crate::container::{Container, ContainerWriter, Format, widen};
use crate::points::{PointSource, points_section, push_point};
use crate::primes::PrimeRole;
use crate::zkey::CheckReport;
use crate::{FileBytes, FormatError, Section};
use alloc::vec::Vec;
use contribute::CeremonyLists;
use pairwright_curve::{G1Affine, G2Affine, Pairing};
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_poly::Source;
use pairwright_protocols::groth16::{LagrangePoints, PowersOfTau};
use rand_core::CryptoRng;
use std::io::Write;
use std::path::Path;

pub use contribute::{contribute_to_powers, new_powers};
pub use error::VerifyPowersError;
pub(crate) use exchange::recognised_power;
pub use exchange::{
    Imported, PowersResponse, answer_challenge, import_response, power_of_challenge, read_response,
    write_challenge,
};
pub use ledger::PowersRecord;
pub use prepare::{preparation_work, prepare_ptau};
pub use record::PowersContribution;
pub use truncate::truncate_ptau;
pub use verify::{VerifiedPowers, verification_work, verify_powers};

pub(crate) const FORMAT: Format = Format {
    magic: "ptau",
    version: 1,
    sections: &[
        (1, "header"),
        (2, "tau in G1"),
        (3, "tau in G2"),
        (4, "alpha tau in G1"),
        (5, "beta tau in G1"),
        (6, "beta in G2"),
        (7, "contributions"),
        (12, "Lagrange tau in G1"),
        (13, "Lagrange tau in G2"),
        (14, "Lagrange alpha tau in G1"),
        (15, "Lagrange beta tau in G1"),
    ],
};

/// The counts of the header, without the curve as a type parameter.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PtauGlance {
    pub(crate) power: u32,
    pub(crate) ceremony_power: u32,
    pub(crate) prepared: bool,
    pub(crate) contributions: Option<u32>,
}

impl PtauGlance {
    pub(crate) fn read(container: &Container) -> Result<Self, FormatError> {
        let section = container.section(1)?;
        let mut cursor = section.cursor();
        cursor.curve(PrimeRole::Base)?;
        let power = cursor.u32("the power")?;
        let ceremony_power = cursor.u32("the power of the ceremony")?;
        let contributions = container.optional(7).and_then(|s| s.cursor().u32("the contributions").ok());
        let prepared = container.optional(12).is_some();
        Ok(Self { power, ceremony_power, prepared, contributions })
    }
}

/// The Lagrange points of a prepared file, in four lists that each cover all domain sizes.
#[derive(Debug)]
struct Lagrange<E: Pairing> {
    tau_g1: PointSource<E::G1>,
    tau_g2: PointSource<E::G2>,
    alpha_tau_g1: PointSource<E::G1>,
    beta_tau_g1: PointSource<E::G1>,
}

/// A `.ptau` file: its header is in memory, its points are read on demand.
///
/// Coordinates are checked to be below the modulus when they are read. Other checks of points are not made here: a setup checks
/// the points that it uses, and [`PtauFile::check`] checks all points.
#[derive(Debug)]
pub struct PtauFile<E: Pairing> {
    file: FileBytes,
    power: u32,
    ceremony_power: u32,
    lists: CeremonyLists<E>,
    beta: G2Affine<E>,
    lagrange: Option<Lagrange<E>>,
    contributions: Option<Section>,
}

/// Reads section 1: the power of the file and that of the ceremony.
fn header<E: Pairing>(container: &Container) -> Result<[u32; 2], FormatError> {
    let head = container.section(1)?;
    let mut cursor = head.cursor();
    cursor.modulus::<E::Fq>()?;
    let at = cursor.place();
    let power = cursor.u32("the power")?;
    let ceremony_power = cursor.u32("the power of the ceremony")?;
    head.expect_size(Some(widen(cursor.position())))?;
    let most = most_power::<E>();
    if power > most {
        return Err(FormatError::Power { at, found: power, most });
    }
    Ok([power, ceremony_power])
}

impl<E: Pairing> PtauFile<E> {
    /// Maps a file and reads its header.
    ///
    /// # Errors
    /// When the container, the prime, the power or a section's size is wrong. Contributions are not looked at.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::read(FileBytes::open(path)?)
    }

    /// Reads the header of bytes.
    ///
    /// # Errors
    /// As [`PtauFile::open`].
    pub fn read(file: FileBytes) -> Result<Self, FormatError> {
        Self::read_with(file, true)
    }

    /// Reads the header of bytes and ignores Lagrange points: files of old versions of snarkjs lack those of the largest
    /// domain, and [`prepare_ptau`] computes all of them again.
    ///
    /// # Errors
    /// As [`PtauFile::open`], without the errors of the sections of Lagrange points.
    pub fn read_powers(file: FileBytes) -> Result<Self, FormatError> {
        Self::read_with(file, false)
    }

    fn read_with(file: FileBytes, lagrange: bool) -> Result<Self, FormatError> {
        let container = Container::open(file, &FORMAT)?;
        let [power, ceremony_power] = header::<E>(&container)?;
        // No shift overflows: the power was checked to be at most that of the largest domain.
        let below = |log: u32| {
            let n = 1usize.checked_shl(power.saturating_add(log)).unwrap_or(usize::MAX);
            n.saturating_sub(1)
        };
        let n = below(0).saturating_add(1);
        let section = |id| container.section(id);
        let beta_g2 = PointSource::new(section(6)?, 1)?;
        let beta = beta_g2.at(0)?;
        let lagrange = match container.optional(12).filter(|_| lagrange) {
            None => None,
            Some(tau_g1) => Some(Lagrange {
                tau_g1: PointSource::new(tau_g1, below(2))?,
                tau_g2: PointSource::new(section(13)?, below(1))?,
                alpha_tau_g1: PointSource::new(section(14)?, below(1))?,
                beta_tau_g1: PointSource::new(section(15)?, below(1))?,
            }),
        };
        let lists = CeremonyLists {
            tau_g1: PointSource::new(section(2)?, below(1))?,
            tau_g2: PointSource::new(section(3)?, n)?,
            alpha_tau_g1: PointSource::new(section(4)?, n)?,
            beta_tau_g1: PointSource::new(section(5)?, n)?,
            beta_g2,
        };
        Ok(Self {
            power,
            ceremony_power,
            lists,
            beta,
            lagrange,
            contributions: container.optional(7),
            file: container.file().clone(),
        })
    }

    /// The mapped bytes of the file.
    pub fn file(&self) -> &FileBytes {
        &self.file
    }
    /// Base-2 logarithm of the number of powers in the ceremony; this file may hold only the first of them.
    pub fn ceremony_power(&self) -> u32 {
        self.ceremony_power
    }
    /// Whether the file is prepared for phase 2, that is, has Lagrange points.
    pub fn is_prepared(&self) -> bool {
        self.lagrange.is_some()
    }
    /// The contributions (section 7), encoded.
    pub fn contributions(&self) -> Option<&Section> {
        self.contributions.as_ref()
    }

    /// Checks that every point is on the curve and in the prime-order subgroup, as [`crate::ZkeyFile::check`] does. Whether the
    /// points are powers of one τ is not checked.
    ///
    /// # Errors
    /// When a point is bad; the error names the section and the index of the first one.
    #[inline(never)]
    pub fn check(
        &self,
        on: &mut Session<'_, E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<CheckReport, FormatError> {
        let mut report = self.check_powers(on, rng)?;
        if let Some(lagrange) = &self.lagrange {
            report.g1(on, &lagrange.tau_g1, rng)?;
            report.g2(on, &lagrange.tau_g2, rng)?;
            report.g1(on, &lagrange.alpha_tau_g1, rng)?;
            report.g1(on, &lagrange.beta_tau_g1, rng)?;
        }
        Ok(report)
    }
}

impl<E: Pairing> PtauFile<E> {
    /// [`PtauFile::check`] without the Lagrange points.
    pub(crate) fn check_powers(
        &self,
        on: &mut Session<'_, E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<CheckReport, FormatError> {
        let mut report = CheckReport::new();
        report.g1(on, &self.lists.tau_g1, rng)?;
        report.g2(on, &self.lists.tau_g2, rng)?;
        report.g1(on, &self.lists.alpha_tau_g1, rng)?;
        report.g1(on, &self.lists.beta_tau_g1, rng)?;
        report.g2(on, &self.lists.beta_g2, rng)?;
        Ok(report)
    }
}

/// The largest supported power: a key over a domain of `2^power` points needs roots of unity of order `2^(power + 1)`.
pub(crate) fn most_power<E: Pairing>() -> u32 {
    E::Fr::TWO_ADICITY.saturating_sub(1).min(usize::BITS.saturating_sub(3))
}

impl<E: Pairing> PowersOfTau<E> for PtauFile<E> {
    fn power(&self) -> u32 {
        self.power
    }
    fn tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.lists.tau_g1
    }
    fn tau_g2(&self) -> &dyn Source<G2Affine<E>> {
        &self.lists.tau_g2
    }
    fn alpha_tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.lists.alpha_tau_g1
    }
    fn beta_tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.lists.beta_tau_g1
    }
    fn beta_g2(&self) -> G2Affine<E> {
        self.beta
    }
    fn lagrange(&self) -> Option<LagrangePoints<'_, E>> {
        self.lagrange.as_ref().map(|l| LagrangePoints {
            tau_g1: &l.tau_g1,
            tau_g2: &l.tau_g2,
            alpha_tau_g1: &l.alpha_tau_g1,
            beta_tau_g1: &l.beta_tau_g1,
        })
    }
}

/// Writes powers of tau as a `.ptau` file, with Lagrange points if there are any. `contributions` is the body of section 7: the
/// number of records as a u32, and then the records.
///
/// # Errors
/// When a source cannot be read or `out` fails.
pub fn write_ptau<E: Pairing>(
    out: &mut dyn Write,
    powers: &dyn PowersOfTau<E>,
    ceremony_power: u32,
    contributions: &[u8],
) -> Result<(), FormatError> {
    let lagrange = powers.lagrange();
    let sections = if lagrange.is_some() { 11 } else { 7 };
    let mut file = ContainerWriter::new(out, &FORMAT, sections)?;
    head::<E>(&mut file, powers.power(), ceremony_power)?;
    points_section(&mut file, 2, powers.tau_g1())?;
    points_section(&mut file, 3, powers.tau_g2())?;
    points_section(&mut file, 4, powers.alpha_tau_g1())?;
    points_section(&mut file, 5, powers.beta_tau_g1())?;
    let mut beta = Vec::new();
    push_point(&mut beta, &powers.beta_g2());
    file.section(6, widen(beta.len()))?;
    file.put(&beta)?;
    file.section(7, widen(contributions.len()))?;
    file.put(contributions)?;
    if let Some(l) = lagrange {
        points_section(&mut file, 12, l.tau_g1)?;
        points_section(&mut file, 13, l.tau_g2)?;
        points_section(&mut file, 14, l.alpha_tau_g1)?;
        points_section(&mut file, 15, l.beta_tau_g1)?;
    }
    file.finish()
}

/// Copies the first bytes of a section of another file.
fn copy(
    file: &mut ContainerWriter<'_>,
    id: u32,
    section: &Section,
    length: usize,
) -> Result<(), FormatError> {
    file.section(id, widen(length))?;
    let bytes = section.bytes().get(..length).unwrap_or_default();
    bytes.chunks(1 << 20).try_for_each(|piece| file.put(piece))
}

/// Writes section 1: the power of the file and that of the ceremony.
fn head<E: Pairing>(file: &mut ContainerWriter<'_>, power: u32, ceremony: u32) -> Result<(), FormatError> {
    file.section(1, widen(E::Fq::BYTES).saturating_add(12))?;
    file.put_modulus::<E::Fq>()?;
    file.put_u32(power)?;
    file.put_u32(ceremony)
}

/// Copies the contributions of another file, or writes an empty list if it has no such section.
fn contributions(file: &mut ContainerWriter<'_>, from: Option<&Section>) -> Result<(), FormatError> {
    let Some(section) = from else {
        file.section(7, 4)?;
        return file.put_u32(0);
    };
    copy(file, 7, section, section.bytes().len())
}

/// Fails if the file has only some of the ceremony's powers.
fn whole(file: &FileBytes, power: u32, ceremony: u32) -> Result<(), FormatError> {
    if power == ceremony {
        return Ok(());
    }
    Err(FormatError::ReducedPowers { file: file.name().clone(), power, ceremony })
}
