//! Commitments to Ethereum's blobs (EIP-4844) and to their cells (EIP-7594).

use crate::arrays::host;
use crate::failure::{rejected, usage};
use crate::work::work;
use pairwright::curve::bls12_381::Bls12_381;
use pairwright::device::Session;
use pairwright::formats::{FileBytes, read_cell_points, read_trusted_setup};
use pairwright::protocols::kzg::KzgError;
use pairwright::protocols::kzg::blobs::{self, Sidecar};
use pairwright::protocols::kzg::cells::{self, CellClaim, CellProver, Cells};
use pairwright_cli::{Failure, randomness};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

fn judged(why: KzgError) -> Failure {
    match why {
        KzgError::Device(why) => why.into(),
        KzgError::Rejected => rejected(why),
        other => Failure::bad(other),
    }
}

/// Converts a slice to an array of `N` bytes.
fn fixed<'a, const N: usize>(bytes: &'a [u8], what: &str) -> Result<&'a [u8; N], Failure> {
    bytes.try_into().map_err(|_| usage(format!("{what}: {} bytes, expected {N}", bytes.len())))
}

fn session() -> Result<Session<'static, Bls12_381>, Failure> {
    Ok(Session::new(host::<Bls12_381>()?))
}

/// The ceremony's points that blobs need.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct BlobSetup(blobs::BlobSetup);

#[pymethods]
impl BlobSetup {
    /// Reads the points from the bytes of either kind of setup file, and checks that they are powers of one tau.
    #[staticmethod]
    fn read(py: Python<'_>, data: Vec<u8>, name: &str) -> PyResult<Self> {
        work(py, None, |_| {
            let points = read_trusted_setup(&FileBytes::from_vec(name, data))?;
            let mut rng = randomness::system()?;
            let made = blobs::BlobSetup::new(&mut session()?, points.lagrange, points.tau_g2, &mut rng);
            Ok(Self(made.map_err(judged)?))
        })
    }

    /// The commitment to a blob.
    fn commit<'py>(&self, py: Python<'py>, blob: &[u8]) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = work(py, None, |_| self.0.commit(&mut session()?, blob).map_err(judged))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The proof of a blob and its commitment.
    fn prove_blob<'py>(
        &self,
        py: Python<'py>,
        blob: &[u8],
        commitment: &[u8],
    ) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = work(py, None, |_| {
            let commitment = fixed(commitment, "commitment")?;
            self.0.prove_blob(&mut session()?, blob, commitment).map_err(judged)
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// Proves the value of a blob's polynomial at a point; returns the proof and the value.
    fn prove(&self, py: Python<'_>, blob: &[u8], point: &[u8]) -> PyResult<(Py<PyBytes>, Py<PyBytes>)> {
        let (proof, value) =
            work(py, None, |_| self.0.prove(&mut session()?, blob, fixed(point, "z")?).map_err(judged))?;
        Ok((PyBytes::new(py, &proof).unbind(), PyBytes::new(py, &value).unbind()))
    }

    /// Accepts the value at a point of a committed blob, or raises.
    fn verify(
        &self,
        py: Python<'_>,
        commitment: &[u8],
        point: &[u8],
        value: &[u8],
        proof: &[u8],
    ) -> PyResult<()> {
        work(py, None, |_| {
            let (commitment, proof) = (fixed(commitment, "commitment")?, fixed(proof, "proof")?);
            let (z, y) = (fixed(point, "z")?, fixed(value, "y")?);
            self.0.verify(&mut session()?, commitment, z, y, proof).map_err(judged)
        })
    }

    /// Accepts blobs with their commitments and proofs together, or raises.
    fn verify_blobs(&self, py: Python<'_>, sidecars: Vec<(Vec<u8>, Vec<u8>, Vec<u8>)>) -> PyResult<()> {
        work(py, None, |_| {
            let sidecars: Vec<Sidecar<'_>> = sidecars
                .iter()
                .map(|(blob, commitment, proof)| {
                    let (commitment, proof) = (fixed(commitment, "commitment")?, fixed(proof, "proof")?);
                    Ok(Sidecar { blob, commitment, proof })
                })
                .collect::<Result<_, Failure>>()?;
            self.0.verify_blobs(&mut session()?, &sidecars).map_err(judged)
        })
    }
}

/// The ceremony's points that cells need, and the precomputed data of cell proofs.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct CellSetup {
    setup: cells::CellSetup,
    prover: CellProver,
}

#[pymethods]
impl CellSetup {
    /// Reads the points from the bytes of either kind of setup file, and checks that they are powers of one tau.
    #[staticmethod]
    fn read(py: Python<'_>, data: Vec<u8>, name: &str) -> PyResult<Self> {
        work(py, None, |_| {
            let points = read_cell_points(&FileBytes::from_vec(name, data))?;
            let (mut on, mut rng) = (session()?, randomness::system()?);
            let setup = cells::CellSetup::new(&mut on, points.g1, points.tau_g2, points.tau_64_g2, &mut rng);
            let setup = setup.map_err(judged)?;
            let prover = CellProver::new(&mut on, &setup).map_err(judged)?;
            Ok(Self { setup, prover })
        })
    }

    /// The 128 cells of a blob, and their proofs.
    fn prove(&self, py: Python<'_>, blob: &[u8]) -> PyResult<(Vec<Py<PyBytes>>, Vec<Py<PyBytes>>)> {
        let (cells, proofs) = work(py, None, |_| {
            let mut on = session()?;
            let cells = Cells::of_blob(&mut on, blob).map_err(judged)?;
            let proofs = self.prover.prove(&mut on, &cells).map_err(judged)?;
            Ok((cells.to_bytes(), proofs))
        })?;
        let cells = cells.iter().map(|cell| PyBytes::new(py, cell).unbind()).collect();
        Ok((cells, proofs.iter().map(|proof| PyBytes::new(py, proof).unbind()).collect()))
    }

    /// Accepts cells (commitment, index, cell, proof) together, or raises.
    fn verify(&self, py: Python<'_>, claims: Vec<(Vec<u8>, u64, Vec<u8>, Vec<u8>)>) -> PyResult<()> {
        work(py, None, |_| {
            let claims: Vec<CellClaim<'_>> = claims
                .iter()
                .map(|(commitment, index, cell, proof)| {
                    let (commitment, proof) = (fixed(commitment, "commitment")?, fixed(proof, "proof")?);
                    Ok(CellClaim { commitment, index: *index, cell, proof })
                })
                .collect::<Result<_, Failure>>()?;
            self.setup.verify(&mut session()?, &claims).map_err(judged)
        })
    }

    /// Recovers a blob from at least half of its cells, with their indices in ascending order.
    fn recover<'py>(&self, py: Python<'py>, cells: Vec<(u64, Vec<u8>)>) -> PyResult<Bound<'py, PyBytes>> {
        let blob = work(py, None, |_| {
            let cells: Vec<(u64, &[u8])> = cells.iter().map(|(index, cell)| (*index, &cell[..])).collect();
            Ok(Cells::recover(&mut session()?, &cells).map_err(judged)?.to_blob())
        })?;
        Ok(PyBytes::new(py, &blob))
    }
}
