//! snarkjs' `.zkey` of a fflonk circuit.

mod header;
mod write;

use crate::container::{Container, widen};
use crate::points::PointSource;
use crate::zkey::plonk::sources::{AdditionSource, ScalarSource, WireSource, check_all};
use crate::zkey::{CheckReport, Secrets};
use crate::{FileBytes, FormatError};
use alloc::boxed::Box;
use alloc::vec::Vec;
use header::Header;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_field::PrimeField;
use pairwright_poly::{Domain, KeySection, Source};
use pairwright_protocols::fflonk::{ProvingKey, VerifyingKey, powers_for};
use rand_core::CryptoRng;
use std::path::Path;
pub use write::write_zkey;

/// A fflonk `.zkey` file: its header in memory; polynomials, wires and points are read when they are asked for.
///
/// Of every polynomial the coefficients are read and nothing else: the values on four times as many points that follow them
/// are those of the same polynomial, and neither proofs nor checks look at them. Proofs do not look at the polynomial behind C0
/// either; checks compare it with the others.
#[derive(Debug)]
pub struct ZkeyFile<E: Pairing> {
    container: Container,
    header: Header<E>,
    additions: AdditionSource<E::Fr>,
    columns: [WireSource; 3],
    selectors: [ScalarSource<E::Fr>; 5],
    sigmas: [ScalarSource<E::Fr>; 3],
    powers: PointSource<E::G1>,
    c0: ScalarSource<E::Fr>,
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
        let sizes = &header.sizes;
        let n = sizes.domain.size();
        let section = |id| container.section(id);
        let column = |id| WireSource::new(section(id)?, sizes.gates, sizes.wires);
        let polynomial = |id| ScalarSource::only(section(id)?, n);
        // The Lagrange polynomials are not used; a key that lacks them is none all the same.
        ScalarSource::<E::Fr>::one_of(section(15)?, n, 0, sizes.public.max(1))?;
        Ok(Self {
            additions: AdditionSource::new(section(3)?, sizes.additions, sizes.wires)?,
            columns: [column(4)?, column(5)?, column(6)?],
            selectors: [polynomial(9)?, polynomial(7)?, polynomial(8)?, polynomial(10)?, polynomial(11)?],
            sigmas: [polynomial(12)?, polynomial(13)?, polynomial(14)?],
            powers: PointSource::new(section(16)?, powers_for(n))?,
            c0: ScalarSource::bare(section(17)?, n.saturating_mul(8))?,
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
    /// Who may know the secret behind the powers of tau in the key, by what the file says.
    pub fn secrets(&self) -> Secrets {
        Secrets::of(&self.container)
    }
    /// The evaluation domain, with circom's root of unity.
    pub fn domain(&self) -> Domain<E::Fr> {
        self.header.sizes.domain
    }

    /// The proving key, whose polynomials, wires and points stay in the file until they are read. The verifying key in
    /// it is checked only for coordinates below the modulus.
    #[inline(never)]
    pub fn proving_key(&self) -> ProvingKey<E> {
        ProvingKey {
            vk: self.header.key(),
            wires: self.header.sizes.wires,
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
    /// coefficient is below the modulus, that the wires of gates and additions exist, and that the polynomial behind C0 is of the
    /// other polynomials. In variable time, many times
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
        report.section(self.header.section(), 2, || self.header.check())?;
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
        report.section(self.c0.section(), self.c0.len(), || self.check_c0())?;
        Ok(report)
    }

    /// Compares the polynomial behind C0 with those that it is of, a part at a time.
    fn check_c0(&self) -> Result<(), FormatError> {
        let parts = c0_order(&self.selectors, &self.sigmas);
        let n = self.header.sizes.domain.size();
        let (mut together, mut one) = (Vec::new(), Vec::new());
        for start in (0..n).step_by(CHUNK) {
            let end = n.min(start.saturating_add(CHUNK));
            together.clear();
            self.c0.decode(start.saturating_mul(8)..end.saturating_mul(8), &mut together)?;
            for (j, part) in parts.iter().enumerate() {
                one.clear();
                part.decode(start..end, &mut one)?;
                let found = together.iter().skip(j).step_by(8);
                if let Some(i) = found.zip(&one).position(|(x, y)| x != y) {
                    let index = start.saturating_add(i).saturating_mul(8).saturating_add(j);
                    let at = self.c0.section().place(index.saturating_mul(E::Fr::BYTES));
                    return Err(FormatError::OtherC0 { at, index: widen(index) });
                }
            }
        }
        Ok(())
    }
}

/// Coefficients of each polynomial that are compared at a time.
const CHUNK: usize = 1 << 12;

/// The selectors, given as qM, qL, qR, qO and qC, and the permutation in the order in which C0 commits to them.
fn c0_order<'a, T>([qm, ql, qr, qo, qc]: &'a [T; 5], [s1, s2, s3]: &'a [T; 3]) -> [&'a T; 8] {
    [ql, qr, qo, qm, qc, s1, s2, s3]
}
