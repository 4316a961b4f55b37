//! snarkjs' `.zkey` file of a Groth16 key: reading, writing, setup, contributions and verification.

mod bellman;
mod ceremony;
mod check;
mod circuit_hash;
mod coefficients;
mod contribution;
pub(crate) mod fflonk;
mod header;
mod past_end;
pub(crate) mod plonk;
pub(crate) mod plonkish;
mod quotient;
mod secrets;
mod verify;
mod write;
mod write_local;
mod write_powers;

use alloc::vec::Vec;
pub use bellman::{
    ImportedKey, MpcParameters, contribute_to_mpc_parameters, import_mpc_parameters, write_mpc_parameters,
    written_mpc_work,
};
pub use ceremony::{CeremonyError, first_key, setup_with_ptau};
pub use check::{CheckReport, SectionCheck};
pub use circuit_hash::circuit_hash;
pub use coefficients::CoefficientSource;
pub use contribution::{KeyContribution, contribute_to_key};
pub use secrets::Secrets;
pub use verify::{VerifiedKey, VerifyKeyError, verify_key, verify_key_from_first};
pub use write::{write_imported_zkey, write_zkey};
pub use write_local::write_local_zkey;
pub use write_powers::{write_first_zkey, write_with_contribution};

pub(crate) use coefficients::{EntryBounds, entry_bytes};
pub(crate) use header::{FORMAT, ZkeyGlance, plonk_counts, protocol, protocol_name, sections_of};

use crate::container::{Container, Section};
use crate::points::{PointSource, point_bytes};
use crate::{FileBytes, FormatError};
use header::ZkeyHeader;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::KeyEntries;
use pairwright_poly::{Domain, KeySection, Source};
use pairwright_protocols::groth16::{ProvingKey, VerifyingKey};
use std::path::Path;

/// A Groth16 `.zkey` file: its header is in memory, points and coefficients are read on demand.
#[derive(Debug)]
pub struct ZkeyFile<E: Pairing> {
    container: Container,
    header: ZkeyHeader<E>,
    ic: PointSource<E::G1>,
    a: PointSource<E::G1>,
    b_g1: PointSource<E::G1>,
    b_g2: PointSource<E::G2>,
    c: PointSource<E::G1>,
    h: PointSource<E::G1>,
    coefficients: CoefficientSource<E::Fr>,
}

/// The origin of a key (section 10): the circuit's hash and the contributions. The verification of the ceremony needs it, the
/// prover does not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributions {
    /// BLAKE2b-512 hash of the circuit and its initial key; zeros for a key without a ceremony.
    pub circuit_hash: [u8; 64],
    /// Number of records.
    pub count: u32,
    /// The records, encoded.
    pub records: Vec<u8>,
}

/// Who may know the secrets of a key, according to its records. Records can be false; [`verify_key`] and `snarkjs zkey verify`
/// check them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Origin {
    /// There is neither a circuit hash nor a contribution: the secrets were drawn in one place, as `setup --unsafe-local` does.
    OnePlace,
    /// The initial key of a ceremony, to which nobody has contributed: everybody knows its δ.
    Initial,
    /// A key with this number of contributions: one honest contributor is enough.
    Contributed(u32),
}

impl Contributions {
    /// The value for a key without a ceremony: no hash, no records.
    pub fn none() -> Self {
        Self { circuit_hash: [0; 64], count: 0, records: Vec::new() }
    }

    /// Classifies the origin of the key's secrets.
    pub fn origin(&self) -> Origin {
        match self.count {
            0 if self.circuit_hash == [0; 64] => Origin::OnePlace,
            0 => Origin::Initial,
            count => Origin::Contributed(count),
        }
    }
}

impl<E: Pairing> ZkeyFile<E> {
    /// Maps a file and reads its header: the *fast load*. Sizes and counts are compared with the file; coordinates are checked
    /// to be below the modulus when they are read. Whether points are on the curve and in the subgroup is left to
    /// [`ZkeyFile::check`]; a proof made with an unchecked key should be verified before it is published.
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
        let container = Container::open(file, &FORMAT)?;
        let header = ZkeyHeader::<E>::read(&container)?;
        let (wires, public) = (header.wires, header.public);
        let domain = header.domain.size();
        let section = |id| container.section(id);
        Ok(Self {
            ic: PointSource::new(section(3)?, public.saturating_add(1))?,
            coefficients: CoefficientSource::new(section(4)?, domain, wires)?,
            a: PointSource::new(section(5)?, wires)?,
            b_g1: PointSource::new(section(6)?, wires)?,
            b_g2: PointSource::new(section(7)?, wires)?,
            // The header was checked to have more wires than public values.
            c: PointSource::new(section(8)?, wires.saturating_sub(public).saturating_sub(1))?,
            h: PointSource::new(section(9)?, domain)?,
            container,
            header,
        })
    }

    /// The mapped bytes of the file.
    pub fn file(&self) -> &FileBytes {
        self.container.file()
    }
    /// Number of wires, the constant one included.
    pub fn wires(&self) -> usize {
        self.header.wires
    }
    /// Number of public values, without the constant one.
    pub fn public(&self) -> usize {
        self.header.public
    }
    /// The evaluation domain, with circom's root of unity.
    pub fn domain(&self) -> Domain<E::Fr> {
        self.header.domain
    }
    /// The coefficients, in the order of the file.
    pub fn coefficients(&self) -> &CoefficientSource<E::Fr> {
        &self.coefficients
    }

    /// The proving key, whose points and coefficients stay in the file until they are read. Of its verifying key it is only
    /// checked that the coordinates are below the modulus.
    ///
    /// # Errors
    /// When a coordinate of the verifying key is not below the modulus.
    #[inline(never)]
    pub fn proving_key(&self) -> Result<ProvingKey<E>, FormatError> {
        Ok(ProvingKey {
            domain: self.header.domain,
            wires: self.header.wires,
            public: self.header.public,
            vk: self.unchecked_verifying_key()?,
            beta_g1: self.header.beta_g1,
            delta_g1: self.header.delta_g1,
            a: KeySection::new(self.a.clone()),
            b_g1: KeySection::new(self.b_g1.clone()),
            b_g2: KeySection::new(self.b_g2.clone()),
            c: KeySection::new(self.c.clone()),
            h: KeySection::new(self.h.clone()),
            coefficients: KeyEntries::new(self.coefficients.clone()),
        })
    }

    /// The verifying key. Every point is checked to be on the curve and in the subgroup, and α, β, γ, δ are checked to be
    /// finite. Variable time.
    ///
    /// # Errors
    /// When a point is not valid; the error names it.
    #[inline(never)]
    pub fn verifying_key(&self) -> Result<VerifyingKey<E>, FormatError> {
        self.header.check()?;
        let key = self.unchecked_verifying_key()?;
        if let Some(i) = key.ic.iter().position(|p| !p.is_on_curve()) {
            return Err(self.ic.off_curve(i));
        }
        if let Some(i) = key.ic.iter().position(|p| !p.is_in_subgroup_vartime()) {
            return Err(self.ic.wrong_subgroup(i));
        }
        Ok(key)
    }

    fn unchecked_verifying_key(&self) -> Result<VerifyingKey<E>, FormatError> {
        let mut ic = Vec::new();
        self.ic.decode(0..self.ic.len(), &mut ic)?;
        Ok(VerifyingKey {
            alpha_g1: self.header.alpha_g1,
            beta_g2: self.header.beta_g2,
            gamma_g2: self.header.gamma_g2,
            delta_g2: self.header.delta_g2,
            ic,
        })
    }

    /// Reads section 10 without decoding its records.
    ///
    /// # Errors
    /// When the section is missing or too short.
    pub fn contributions(&self) -> Result<Contributions, FormatError> {
        let section = self.container.section(10)?;
        let mut cursor = section.cursor();
        let circuit_hash = cursor.array("the hash of the circuit")?;
        let count = cursor.u32("the number of contributions")?;
        let records = cursor.take(cursor.left(), "the contributions")?.to_vec();
        Ok(Contributions { circuit_hash, count, records })
    }

    /// A section by its type number, for example to compare its bytes with those of another file.
    ///
    /// # Errors
    /// When the file has no such section.
    pub fn section(&self, id: u32) -> Result<Section, FormatError> {
        self.container.section(id)
    }
}

/// Checks a single point of a header.
fn check_point<C: Curve>(
    p: &Affine<C>,
    head: &Section,
    offset: usize,
    what: &'static str,
) -> Result<(), FormatError> {
    let at = head.place(offset);
    let group = C::NAME;
    let index = 0;
    if p.is_infinity() {
        Err(FormatError::Infinity { at, what })
    } else if !p.is_on_curve() {
        Err(FormatError::OffCurve { at, index, group })
    } else if !p.is_in_subgroup_vartime() {
        Err(FormatError::WrongSubgroup { at, index, group })
    } else {
        Ok(())
    }
}
