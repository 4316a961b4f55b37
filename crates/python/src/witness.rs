//! Witnesses, and the calculators that compute them.

use crate::failure::usage;
use crate::prove::{self, curve_of};
use crate::work::work;
use pairwright::curve::Pairing;
use pairwright::field::PrimeField;
use pairwright::formats::{CurveId, FileBytes, FileKind, R1csFile, write_wtns};
use pairwright::protocols::r1cs::{ConstraintSource, check};
use pairwright::witness::{Engine, Inputs, Limits};
use pairwright_cli::{Failure, on_curve};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::path::PathBuf;

/// A witness: the values of all wires. They are wiped when the object is deleted; copies that were taken from it are not.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Witness(pub(crate) prove::Witness);

#[pymethods]
impl Witness {
    /// Reads a witness file.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf) -> PyResult<Self> {
        work(py, None, |_| Ok(Self(prove::Witness::read(FileBytes::open(&path)?)?)))
    }

    /// Reads the bytes of a witness file.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, data: Vec<u8>) -> PyResult<Self> {
        let file = FileBytes::from_secret("witness", data.into());
        work(py, None, |_| Ok(Self(prove::Witness::read(file)?)))
    }

    /// The curve's name in snarkjs' files.
    #[getter]
    fn curve(&self) -> &'static str {
        self.0.curve.name()
    }

    fn __len__(&self) -> usize {
        self.0.len
    }

    /// The witness encoded as a .wtns file.
    fn file(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        fn of<E: Pairing>(witness: &prove::Witness) -> Result<Vec<u8>, Failure> {
            let mut out = Vec::new();
            write_wtns(&mut out, witness.values::<E>().ok_or_else(lost)?)?;
            Ok(out)
        }
        let bytes = work(py, None, |_| on_curve!(self.0.curve, of(&self.0)))?;
        Ok(PyBytes::new(py, &bytes).unbind())
    }

    /// The canonical values, each as 32 little-endian bytes.
    fn values(&self, py: Python<'_>) -> PyResult<Py<PyBytes>> {
        fn of<E: Pairing>(witness: &prove::Witness) -> Result<Vec<u8>, Failure> {
            let values = witness.values::<E>().ok_or_else(lost)?;
            let mut out = vec![0; values.len() * E::Fr::BYTES];
            out.chunks_exact_mut(E::Fr::BYTES).zip(values.iter()).for_each(|(to, x)| x.write_le(to));
            Ok(out)
        }
        let bytes = work(py, None, |_| on_curve!(self.0.curve, of(&self.0)))?;
        Ok(PyBytes::new(py, &bytes).unbind())
    }

    /// Checks the witness against the constraints of a circuit; returns their number.
    fn check(&self, py: Python<'_>, r1cs: PathBuf) -> PyResult<usize> {
        fn of<E: Pairing>(witness: &prove::Witness, file: FileBytes) -> Result<usize, Failure> {
            let system = R1csFile::<E::Fr>::read(file)?;
            let values = witness.values::<E>().ok_or_else(|| {
                let name = system.file().name();
                usage(format!("{name}: the circuit is for another curve than {}", witness.curve))
            })?;
            check(&system, values)?;
            Ok(system.shape().constraints)
        }
        work(py, None, |_| {
            let file = FileBytes::open(&r1cs)?;
            let curve = curve_of(&file, FileKind::R1cs)?;
            on_curve!(curve, of(&self.0, file))
        })
    }
}

/// The error for a witness whose values do not belong to its curve, which is an internal fault.
fn lost() -> Failure {
    Failure::Internal("a witness of another curve".into())
}

/// A witness calculator of circom (.wasm).
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Calculator {
    calculator: pairwright::witness::Calculator,
    curve: CurveId,
    path: PathBuf,
}

/// The engine with this name, which is the same as in the command.
fn engine(name: &str) -> Result<Engine, Failure> {
    match name {
        "fastest" => Ok(Engine::Fastest),
        "compiled" => Ok(Engine::Compiled),
        "baseline" => Ok(Engine::Baseline),
        "interpreted" => Ok(Engine::Interpreted),
        other => Err(usage(format!(
            "engine: {other:?} is none of \"fastest\", \"compiled\", \"baseline\", \"interpreted\""
        ))),
    }
}

#[pymethods]
impl Calculator {
    /// Reads, validates and compiles a calculator.
    #[staticmethod]
    fn open(py: Python<'_>, path: PathBuf, engine: &str) -> PyResult<Self> {
        work(py, None, |_| {
            let engine = self::engine(engine)?;
            let calculator = pairwright::witness::Calculator::open_with(&path, engine, Limits::default())?;
            let prime = calculator.prime();
            let found = CurveId::ALL.iter().copied().find(|id| id.scalar_modulus() == prime);
            let curve = found.ok_or_else(|| Failure::unknown_prime(&path))?;
            Ok(Self { calculator, curve, path: path.clone() })
        })
    }

    /// The curve's name in snarkjs' files.
    #[getter]
    fn curve(&self) -> &'static str {
        self.curve.name()
    }

    /// Computes the witness for inputs given as JSON; returns it with the lines that the circuit logs.
    fn witness(&self, py: Python<'_>, inputs: &str) -> PyResult<(Witness, Vec<String>)> {
        fn of<E: Pairing>(
            this: &Calculator,
            inputs: &Inputs,
            lines: &mut Vec<String>,
        ) -> Result<prove::Witness, Failure> {
            let log = |line: &str| lines.push(line.to_owned());
            let values = this.calculator.witness_with_log::<E::Fr>(inputs, log)?;
            Ok(prove::Witness::new::<E>(this.curve, values.into()))
        }
        work(py, None, |_| {
            let inputs = Inputs::from_json(inputs)?;
            let mut lines = Vec::new();
            let witness = on_curve!(self.curve, of(self, &inputs, &mut lines))?;
            Ok((Witness(witness), lines))
        })
    }

    fn __repr__(&self) -> String {
        format!("Calculator({:?})", self.path.display().to_string())
    }
}
