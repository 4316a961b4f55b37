//! The checked load of a key: every point is on the curve and in the subgroup, and every coefficient is valid.

use super::ZkeyFile;
use crate::FormatError;
use crate::container::Section;
use crate::points::PointSource;
use crate::sizes::chunks;
use crate::subgroup::{check_g1, check_g2};
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::Pairing;
use pairwright_device::{EntrySource, Session, parallel};
use pairwright_poly::Source;
use rand_core::CryptoRng;
use std::time::{Duration, Instant};

/// Number of coefficients that one task decodes.
const CHUNK: usize = 1 << 14;

/// The report of a check: the sections, with their sizes and times.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CheckReport {
    /// One entry for each section, in the order of the checks.
    pub sections: Vec<SectionCheck>,
}

/// A section that was checked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SectionCheck {
    /// The section's type number in the format.
    pub id: u32,
    /// The section's name.
    pub name: &'static str,
    /// Number of points or coefficients in the section.
    pub elements: usize,
    /// Wall time that the check took.
    pub time: Duration,
}

impl CheckReport {
    /// Total number of checked points and coefficients.
    pub fn elements(&self) -> usize {
        self.sections.iter().fold(0, |n, s| n.saturating_add(s.elements))
    }
    /// Total wall time of all checks.
    pub fn time(&self) -> Duration {
        self.sections.iter().fold(Duration::ZERO, |t, s| t.saturating_add(s.time))
    }
    pub(crate) fn new() -> Self {
        Self { sections: Vec::new() }
    }
    /// Runs the check of one section, measures its time and appends it to the report.
    pub(crate) fn section(
        &mut self,
        of: &Section,
        elements: usize,
        check: impl FnOnce() -> Result<(), FormatError>,
    ) -> Result<(), FormatError> {
        let start = Instant::now();
        check()?;
        self.sections.push(SectionCheck { id: of.id(), name: of.name(), elements, time: start.elapsed() });
        Ok(())
    }
    /// Checks the points of a section in G1.
    pub(crate) fn g1<E: Pairing>(
        &mut self,
        on: &mut Session<'_, E>,
        source: &PointSource<E::G1>,
        rng: &mut dyn CryptoRng,
    ) -> Result<(), FormatError> {
        self.section(source.section(), source.len(), || check_g1(on, source, rng))
    }
    /// Checks the points of a section in G2.
    pub(crate) fn g2<E: Pairing>(
        &mut self,
        on: &mut Session<'_, E>,
        source: &PointSource<E::G2>,
        rng: &mut dyn CryptoRng,
    ) -> Result<(), FormatError> {
        self.section(source.section(), source.len(), || check_g2(on, source, rng))
    }
}

impl fmt::Display for CheckReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for s in &self.sections {
            let seconds = s.time.as_secs_f64();
            writeln!(f, "section {:>2} {:<14} {:>10} elements {seconds:>9.3} s", s.id, s.name, s.elements)?;
        }
        write!(f, "{} elements in {:.3} s", self.elements(), self.time().as_secs_f64())
    }
}

impl<E: Pairing> ZkeyFile<E> {
    /// Checks that every point is on the curve and in the prime-order subgroup, that α, β, γ, δ are not infinity, and that
    /// every coefficient is below the modulus and names a row and a wire that exist. Variable time. On a device that tests sums
    /// of points this is many times cheaper than a subgroup test of each point. The author of the file must not be able to
    /// predict `rng`: a bad point is then missed with probability below 2^-79. Whether the key belongs to a circuit is not
    /// checked.
    ///
    /// # Errors
    /// When an element is bad; the error names the section and the index of the first one.
    #[inline(never)]
    pub fn check(
        &self,
        on: &mut Session<'_, E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<CheckReport, FormatError> {
        let mut report = CheckReport::new();
        report.section(self.header.section(), 6, || self.header.check())?;
        report.g1(on, &self.ic, rng)?;
        let entries = &self.coefficients;
        report.section(entries.section(), entries.len(), || {
            parallel::try_map(chunks(entries.len(), CHUNK), |_, range| entries.decode(range, &mut |_| {}))
                .map(drop)
        })?;
        report.g1(on, &self.a, rng)?;
        report.g1(on, &self.b_g1, rng)?;
        report.g2(on, &self.b_g2, rng)?;
        report.g1(on, &self.c, rng)?;
        report.g1(on, &self.h, rng)?;
        Ok(report)
    }

    /// Checks the parts that contributions change as [`ZkeyFile::check`] does: C, H, and the points of the header with δ.
    pub(super) fn check_changed(
        &self,
        on: &mut Session<'_, E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<(), FormatError> {
        self.header.check()?;
        check_g1(on, &self.c, rng)?;
        check_g1(on, &self.h, rng)
    }
}
