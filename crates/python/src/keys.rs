//! Python classes of keys and proofs.

use crate::failure::{raised, raised_at};
use crate::prove::{self, AllowUnsafe, How, Proven, Prover, Verifier};
use crate::witness::Witness;
use crate::work::work;
use pairwright::formats::FileBytes;
use pairwright_cli::Failure;
use pyo3::prelude::*;
use std::path::PathBuf;

/// Converts JSON that this library has written to text.
fn text(bytes: Vec<u8>) -> Result<String, Failure> {
    String::from_utf8(bytes).map_err(|why| Failure::Internal(why.into()))
}

/// A proving key (.zkey) of Groth16, Plonk or fflonk.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct ProvingKey(Box<dyn Prover>);

#[pymethods]
impl ProvingKey {
    /// Opens a key. The file is memory-mapped and not copied.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, allow_unsafe: bool) -> PyResult<Self> {
        work(py, None, |_| Ok(Self(prove::proving_key(FileBytes::open(&path)?, AllowUnsafe(allow_unsafe))?)))
    }

    /// Protocol, curve, and the numbers of public values, of wires and of domain points.
    fn about(&self) -> (&'static str, &'static str, usize, usize, usize) {
        let (about, (wires, domain)) = (self.0.about(), self.0.sizes());
        (about.protocol, about.curve.name(), about.public, wires, domain)
    }

    /// Proves and verifies the proof; returns it with the costs of the operators, as JSON.
    fn prove(
        &self,
        py: Python<'_>,
        witness: &Witness,
        device: &str,
        slots: Vec<(String, String)>,
        seed: Option<&str>,
        progress: Option<Py<PyAny>>,
    ) -> PyResult<(Proof, String)> {
        let how = How { device, slots: &slots, seed };
        let proved = work(py, progress.as_ref(), |watch| self.0.prove(&witness.0, &how, watch))?;
        Ok((Proof(proved.proof), proved.report.to_string()))
    }

    /// Precomputes at most `most` multiples of every point of the key's MSMs on this computer; returns the memory that they
    /// take, in bytes.
    fn precompute(&self, py: Python<'_>, most: usize) -> PyResult<u64> {
        work(py, None, |watch| self.0.precompute(most, watch))
    }

    /// The key's verifying key, with all points checked.
    fn verifying_key(&self, py: Python<'_>) -> PyResult<VerifyingKey> {
        work(py, None, |_| Ok(VerifyingKey(self.0.verifier()?)))
    }

    /// Checks every element of the key; returns their number.
    fn check(&self, py: Python<'_>, progress: Option<Py<PyAny>>) -> PyResult<usize> {
        work(py, progress.as_ref(), |watch| self.0.check(watch))
    }
}

/// A verifying key, prepared for many proofs.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct VerifyingKey(Box<dyn Verifier>);

#[pymethods]
impl VerifyingKey {
    /// Reads a key from the JSON of snarkjs; `name` stands for it in errors.
    #[staticmethod]
    fn from_json(py: Python<'_>, json: Vec<u8>, name: PathBuf, allow_unsafe: bool) -> PyResult<Self> {
        work(py, None, |_| {
            let file = FileBytes::from_vec(name, json);
            Ok(Self(prove::verifying_key(file, AllowUnsafe(allow_unsafe))?))
        })
    }

    /// Protocol, curve, and the number of public values.
    fn about(&self) -> (&'static str, &'static str, usize) {
        let about = self.0.about();
        (about.protocol, about.curve.name(), about.public)
    }

    /// The JSON of snarkjs, byte for byte.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.json().and_then(text).map_err(|why| raised(py, &why))
    }

    /// Reads a proof and its public values for this key from the JSON of snarkjs.
    fn proof(&self, py: Python<'_>, proof: Vec<u8>, public: Vec<u8>) -> PyResult<Proof> {
        work(py, None, |_| {
            let (proof, public) =
                (FileBytes::from_vec("proof", proof), FileBytes::from_vec("public values", public));
            Ok(Proof(self.0.proof(proof, public)?))
        })
    }

    /// Accepts a proof or raises.
    fn verify(&self, py: Python<'_>, proof: &Proof) -> PyResult<()> {
        work(py, None, |watch| self.0.verify(proof.0.as_ref(), watch))
    }

    /// Accepts many proofs together, or raises with the index of one that is not accepted.
    fn verify_many(&self, py: Python<'_>, proofs: Vec<Py<Proof>>) -> PyResult<()> {
        let verdict = work(py, None, |watch| {
            let batch: Vec<&dyn Proven> = proofs.iter().map(|proof| proof.get().0.as_ref()).collect();
            Ok(self.0.verify_many(&batch, watch))
        })?;
        verdict.map_err(|(index, why)| raised_at(py, &why, index))
    }
}

/// A proof with its public values.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Proof(Box<dyn Proven>);

#[pymethods]
impl Proof {
    /// Protocol, curve, and the number of public values.
    fn about(&self) -> (&'static str, &'static str, usize) {
        let about = self.0.about();
        (about.protocol, about.curve.name(), about.public)
    }

    /// The JSON of snarkjs, byte for byte.
    fn json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.json().and_then(text).map_err(|why| raised(py, &why))
    }

    /// The public values as the JSON of snarkjs, byte for byte.
    fn public_json(&self, py: Python<'_>) -> PyResult<String> {
        self.0.public_json().and_then(text).map_err(|why| raised(py, &why))
    }

    /// The arguments of a call of the Solidity contract.
    fn calldata(&self, py: Python<'_>) -> PyResult<String> {
        self.0.calldata().map_err(|why| raised(py, &why))
    }
}
