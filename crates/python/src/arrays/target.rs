//! Elements of a pairing's target group.

use super::{Scalars, same_curve};
use crate::failure::{raised, usage};
use crate::work::work;
use core::any::Any;
use pairwright::curve::Pairing;
use pairwright::field::{Extension, Field, PrimeField};
use pairwright::formats::CurveId;
use pairwright_cli::{Failure, on_curve};
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An element of the target group of a pairing.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Target {
    curve: CurveId,
    /// `E::Gt` of the curve.
    value: Box<dyn Any + Send + Sync>,
}

impl Target {
    pub(crate) fn new<E: Pairing>(curve: CurveId, value: E::Gt) -> Self {
        Self { curve, value: Box::new(value) }
    }

    fn value<E: Pairing>(&self) -> Result<&E::Gt, Failure> {
        self.value.downcast_ref().ok_or_else(|| Failure::Internal("an element of another curve".into()))
    }
}

#[pymethods]
impl Target {
    /// The curve's name in snarkjs' files.
    #[getter]
    fn curve(&self) -> &'static str {
        self.curve.name()
    }

    /// The twelve coordinates in the prime field, canonical and little-endian, the lowest coefficient of the tower first.
    fn bytes<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        fn of<E: Pairing>(this: &Target) -> Result<Vec<u8>, Failure> {
            let value = this.value::<E>()?;
            let mut out = vec![0; E::Gt::DEGREE * E::Fq::BYTES];
            for (i, to) in out.chunks_exact_mut(E::Fq::BYTES).enumerate() {
                value.coord(i).write_le(to);
            }
            Ok(out)
        }
        let bytes = on_curve!(self.curve, of(self)).map_err(|why: Failure| raised(py, &why))?;
        Ok(PyBytes::new(py, &bytes))
    }

    fn multiply(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        fn of<E: Pairing>(this: &Target, other: &Target) -> Result<Target, Failure> {
            Ok(Target::new::<E>(this.curve, *this.value::<E>()? * *other.value::<E>()?))
        }
        same_curve(self.curve, other.curve)
            .and_then(|()| on_curve!(self.curve, of(self, other)))
            .map_err(|why: Failure| raised(py, &why))
    }

    /// The power by a scalar, which is given as an array of one.
    fn power(&self, py: Python<'_>, exponent: &Scalars) -> PyResult<Self> {
        fn of<E: Pairing>(this: &Target, exponent: &Scalars) -> Result<Target, Failure> {
            match &exponent.values::<E>()?[..] {
                [k] => Ok(Target::new::<E>(this.curve, E::gt_pow(this.value::<E>()?, k))),
                _ => Err(usage("power: the exponent is one scalar")),
            }
        }
        work(py, None, |_| {
            same_curve(self.curve, exponent.curve)?;
            on_curve!(self.curve, of(self, exponent))
        })
    }

    fn is_one(&self, py: Python<'_>) -> PyResult<bool> {
        fn of<E: Pairing>(this: &Target) -> Result<bool, Failure> {
            Ok(*this.value::<E>()? == E::Gt::ONE)
        }
        on_curve!(self.curve, of(self)).map_err(|why: Failure| raised(py, &why))
    }

    fn equal(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        fn of<E: Pairing>(this: &Target, other: &Target) -> Result<bool, Failure> {
            Ok(this.value::<E>()? == other.value::<E>()?)
        }
        if self.curve != other.curve {
            return Ok(false);
        }
        on_curve!(self.curve, of(self, other)).map_err(|why: Failure| raised(py, &why))
    }
}
