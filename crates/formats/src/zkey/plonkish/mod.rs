//! The common parts of snarkjs' `.zkey` files for Plonk and fflonk, whose circuits are tables of gates.

pub(in crate::zkey) mod c0;
pub(in crate::zkey) mod header;
mod sources;
pub(in crate::zkey) mod write;

use crate::container::{Container, Cursor, Format};
use crate::points::PointSource;
use crate::zkey::{CheckReport, Secrets};
use crate::{FileBytes, FormatError};
use alloc::boxed::Box;
use header::{GateKeyHeader, Sizes};
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_poly::{Domain, KeySection, Source};
use pairwright_protocols::plonkish::{Element, PlonkishKey, ProvingKey};
use rand_core::CryptoRng;
use sources::{AdditionSource, ScalarSource, WireSource, check_all};
use std::path::Path;

/// The differences between the key files of Plonk and fflonk.
#[derive(Debug)]
pub struct Layout {
    /// The container format, with the names of the protocol's sections.
    pub(in crate::zkey) format: Format,
    /// The protocol's number and name.
    pub(in crate::zkey) protocol: (u32, &'static str),
    /// Smallest number of rows of the domain that have no gates.
    pub(in crate::zkey) spare: usize,
    /// The points of the header, in the order of the file.
    pub(in crate::zkey) elements: &'static [Element],
    /// The section types of qM, qL, qR, qO and qC.
    pub(in crate::zkey) selectors: [u32; 5],
    /// The section types of S1, S2 and S3, each with the number of polynomials in the section and the index of this one among
    /// them.
    pub(in crate::zkey) sigmas: [(u32, usize, usize); 3],
    /// The section type of the Lagrange polynomials; the section of the powers of τ has the next type.
    pub(in crate::zkey) lagrange: u32,
    /// The number of powers of τ as a function of the domain size in points.
    pub(in crate::zkey) powers: fn(usize) -> usize,
    /// The section type of the polynomial that C0 commits to, in fflonk.
    pub(in crate::zkey) c0: Option<u32>,
}

/// A verifying key of Plonk or fflonk that can be read from a `.zkey` file.
pub trait GateKey<E: Pairing>: PlonkishKey<E> {
    /// The layout of the protocol's key files.
    const LAYOUT: &'static Layout;

    /// Reads the part of a header after the sizes and the coset factors; returns the key and the offset of the first point.
    fn read(
        cursor: &mut Cursor<'_>,
        sizes: &Sizes<E::Fr>,
        factors: [E::Fr; 2],
    ) -> Result<(usize, Self), FormatError>;
}

/// A `.zkey` file of Plonk or fflonk: its header is in memory; polynomials, wires and points are read on demand.
///
/// Of every polynomial only the coefficients are read. The values on four times as many points, which follow them, are
/// redundant: neither proofs nor checks use them. Proofs do not use the polynomial of fflonk's C0 either; checks compare it
/// with the other polynomials.
#[derive(Debug)]
pub struct ZkeyFile<E: Pairing, K: GateKey<E>> {
    container: Container,
    header: GateKeyHeader<E, K>,
    additions: AdditionSource<E::Fr>,
    columns: [WireSource; 3],
    selectors: [ScalarSource<E::Fr>; 5],
    sigmas: [ScalarSource<E::Fr>; 3],
    powers: PointSource<E::G1>,
    c0: Option<ScalarSource<E::Fr>>,
}

impl<E: Pairing, K: GateKey<E>> ZkeyFile<E, K> {
    /// Maps a file and reads its header: the *fast load*. Sizes and counts are compared with the file; elements are checked to
    /// be below the modulus, and wires to exist, when they are read. Whether points are on the curve and in the subgroup is
    /// left to [`ZkeyFile::check`]; a proof made with an unchecked key should be verified before it is published.
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
        let layout = K::LAYOUT;
        let container = Container::open(file, &layout.format)?;
        let header = GateKeyHeader::<E, K>::read(&container)?;
        let sizes = &header.sizes;
        let n = sizes.domain.size();
        let section = |id| container.section(id);
        let column = |id| WireSource::new(section(id)?, sizes.gates, sizes.wires);
        let selector = |id| ScalarSource::one_of(section(id)?, n, 0, 1);
        let sigma = |(id, count, index)| ScalarSource::one_of(section(id)?, n, index, count);
        // The Lagrange polynomials are not used, but a key without them is refused.
        ScalarSource::<E::Fr>::one_of(section(layout.lagrange)?, n, 0, sizes.public.max(1))?;
        let ([qm, ql, qr, qo, qc], [s1, s2, s3]) = (layout.selectors, layout.sigmas);
        let powers = section(layout.lagrange.saturating_add(1));
        Ok(Self {
            additions: AdditionSource::new(section(3)?, sizes.additions, sizes.wires)?,
            columns: [column(4)?, column(5)?, column(6)?],
            selectors: [selector(qm)?, selector(ql)?, selector(qr)?, selector(qo)?, selector(qc)?],
            sigmas: [sigma(s1)?, sigma(s2)?, sigma(s3)?],
            powers: PointSource::new(powers?, (layout.powers)(n))?,
            c0: layout.c0.map(|id| ScalarSource::bare(section(id)?, n.saturating_mul(8))).transpose()?,
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
        self.header.sizes.wires.saturating_sub(self.header.sizes.additions)
    }
    /// Number of public values, without the constant one.
    pub fn public(&self) -> usize {
        self.header.sizes.public
    }
    /// Number of rows of the table of gates.
    pub fn gates(&self) -> usize {
        self.header.sizes.gates
    }
    /// Who may know the secret τ of the key, according to the file.
    pub fn secrets(&self) -> Secrets {
        Secrets::of(&self.container)
    }
    /// The evaluation domain, with circom's root of unity.
    pub fn domain(&self) -> Domain<E::Fr> {
        self.header.sizes.domain
    }

    /// The proving key, whose polynomials, wires and points stay in the file until they are read. Of its verifying key it is
    /// only checked that the coordinates are below the modulus.
    #[inline(never)]
    pub fn proving_key(&self) -> ProvingKey<E, K> {
        ProvingKey {
            vk: self.header.key.clone(),
            wires: self.header.sizes.wires,
            additions: Box::new(self.additions.clone()),
            columns: self.columns.clone().map(|column| Box::new(column) as _),
            selectors: self.selectors.clone().map(KeySection::new),
            sigmas: self.sigmas.clone().map(KeySection::new),
            powers: KeySection::new(self.powers.clone()),
        }
    }

    /// The verifying key. Every point is checked to be on the curve and in the subgroup, and X_2 is checked to be finite.
    /// Variable time.
    ///
    /// # Errors
    /// When a point is not valid; the error gives its position.
    #[inline(never)]
    pub fn verifying_key(&self) -> Result<K, FormatError> {
        self.header.check()?;
        Ok(self.header.key.clone())
    }

    /// Checks that every point is on the curve and in the prime-order subgroup, that X_2 is finite, that every coefficient is
    /// below the modulus, that the wires of gates and additions exist, and that the polynomial of fflonk's C0 follows from the
    /// other polynomials. Variable time. On a device that tests sums of points this is many times cheaper than a subgroup test
    /// of each point. The author of the file must not be able to predict `rng`: a bad point is then missed with probability
    /// below 2^-79. Whether the key belongs to a circuit is not checked.
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
        report.section(self.header.section(), K::LAYOUT.elements.len(), || self.header.check())?;
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
        if let Some(c0) = &self.c0 {
            report.section(c0.section(), c0.len(), || c0::check(c0, &self.selectors, &self.sigmas))?;
        }
        Ok(report)
    }
}
