//! snarkjs' `.zkey` of a Plonk circuit.

pub(in crate::zkey) mod header;
pub(in crate::zkey) mod sources;
pub(in crate::zkey) mod write;

use crate::container::Container;
use crate::points::PointSource;
use crate::zkey::{CheckReport, Secrets};
use crate::{FileBytes, FormatError};
use alloc::boxed::Box;
use header::Header;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_poly::{Domain, KeySection, Source};
use pairwright_protocols::plonk::{EXTRA_POWERS, ProvingKey, VerifyingKey};
use rand_core::CryptoRng;
use sources::{AdditionSource, ScalarSource, WireSource, check_all};
use std::path::Path;
pub use write::write_zkey;

/// A Plonk `.zkey` file: its header in memory; polynomials, wires and points are read when they are asked for.
///
/// Of every polynomial the coefficients are read and nothing else: the values on four times as many points that follow them
/// are those of the same polynomial, and neither proofs nor checks look at them.
#[derive(Debug)]
pub struct ZkeyFile<E: Pairing> {
    container: Container,
    header: Header<E>,
    additions: AdditionSource<E::Fr>,
    columns: [WireSource; 3],
    selectors: [ScalarSource<E::Fr>; 5],
    sigmas: [ScalarSource<E::Fr>; 3],
    powers: PointSource<E::G1>,
}

impl<E: Pairing> ZkeyFile<E> {
    /// Maps a file and reads its header: the *fast load*. Sizes and counts are checked against the file; elements are
    /// checked to be below the modulus, and wires to exist, when they are read. Whether points are on the curve and in the
    /// subgroup is left to [`ZkeyFile::check`]; a proof made with an unchecked key should be verified before it is given
    /// away.
    ///
    /// # Errors
    /// When the container, the primes, the protocol, a count or a size is wrong.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, FormatError> {
        Self::read(FileBytes::open(path)?)
    }

    /// Reads the header of bytes.
    ///
    /// # Errors
    /// As [`ZkeyFile::open`].
    #[inline(never)]
    pub fn read(file: FileBytes) -> Result<Self, FormatError> {
        let container = Container::open(file, &header::FORMAT)?;
        let header = Header::<E>::read(&container)?;
        let n = header.domain.size();
        let section = |id| container.section(id);
        let column = |id| WireSource::new(section(id)?, header.gates, header.wires);
        let selector = |id| ScalarSource::only(section(id)?, n);
        let sigma = |index| ScalarSource::one_of(section(12)?, n, index, 3);
        // The Lagrange polynomials are not used; a key that lacks them is none all the same.
        ScalarSource::<E::Fr>::one_of(section(13)?, n, 0, header.public.max(1))?;
        Ok(Self {
            additions: AdditionSource::new(section(3)?, header.additions, header.wires)?,
            columns: [column(4)?, column(5)?, column(6)?],
            selectors: [selector(7)?, selector(8)?, selector(9)?, selector(10)?, selector(11)?],
            sigmas: [sigma(0)?, sigma(1)?, sigma(2)?],
            powers: PointSource::new(section(14)?, n.saturating_add(EXTRA_POWERS))?,
            container,
            header,
        })
    }

    /// The mapped bytes of the file.
    pub fn file(&self) -> &FileBytes {
        self.container.file()
    }
    /// Number of wires of the circuit, the constant one included: the length of its witnesses.
    pub fn wires(&self) -> usize {
        self.header.wires.saturating_sub(self.header.additions)
    }
    /// Number of public values, without the constant one.
    pub fn public(&self) -> usize {
        self.header.public
    }
    /// Number of rows of the table of gates.
    pub fn gates(&self) -> usize {
        self.header.gates
    }
    /// Who may know the secret behind the powers of tau in the key, by what the file says.
    pub fn secrets(&self) -> Secrets {
        Secrets::of(&self.container)
    }
    /// The evaluation domain, with circom's root of unity.
    pub fn domain(&self) -> Domain<E::Fr> {
        self.header.domain
    }

    /// The proving key, whose polynomials, wires and points stay in the file until they are read. The verifying key in
    /// it is checked only for coordinates below the modulus.
    #[inline(never)]
    pub fn proving_key(&self) -> ProvingKey<E> {
        ProvingKey {
            vk: self.header.key(),
            wires: self.header.wires,
            additions: Box::new(self.additions.clone()),
            columns: self.columns.clone().map(|column| Box::new(column) as _),
            selectors: self.selectors.clone().map(KeySection::new),
            sigmas: self.sigmas.clone().map(KeySection::new),
            powers: KeySection::new(self.powers.clone()),
        }
    }

    /// The verifying key, with every point checked to be on the curve and in the subgroup, and X_2 not to be infinity.
    /// Variable time.
    ///
    /// # Errors
    /// When a point is none, with its place.
    #[inline(never)]
    pub fn verifying_key(&self) -> Result<VerifyingKey<E>, FormatError> {
        self.header.check()?;
        Ok(self.header.key())
    }

    /// Checks that every point is on the curve and in the prime-order subgroup, that X_2 is not infinity, that every
    /// coefficient is below the modulus, and that the wires of gates and additions exist. In variable time, many times
    /// cheaper than a subgroup test a point on a board that tests sums; `rng` must not be foreseeable by whoever made the file: a bad point
    /// is then missed with probability below 2^-79. Whether the key belongs to a circuit is not looked at.
    ///
    /// # Errors
    /// Names the section and the index of the first bad element.
    #[inline(never)]
    pub fn check(
        &self,
        on: &mut Session<'_, E>,
        rng: &mut dyn CryptoRng,
    ) -> Result<CheckReport, FormatError> {
        let mut report = CheckReport::new();
        report.section(self.header.section(), 9, || self.header.check())?;
        let additions = &self.additions;
        report
            .section(additions.section(), additions.len(), || check_all(additions, AdditionSource::decode))?;
        for column in &self.columns {
            report.section(column.section(), column.len(), || check_all(column, WireSource::decode))?;
        }
        for p in self.selectors.iter().chain(&self.sigmas) {
            report.section(p.section(), p.len(), || check_all(p, ScalarSource::decode))?;
        }
        report.g1(on, &self.powers, rng)?;
        Ok(report)
    }
}
