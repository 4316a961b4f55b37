//! Arrays of scalars.

use super::{Layout, curve_named, host, operand, same_curve};
use crate::failure::{raised, usage};
use crate::work::work;
use core::any::Any;
use pairwright::Boards;
use pairwright::curve::Pairing;
use pairwright::device::Session;
use pairwright::field::{Field, PrimeField, batch_invert};
use pairwright::formats::CurveId;
use pairwright::poly::Buf;
use pairwright_cli::{Failure, on_curve, randomness};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

/// Number of elements that one task converts.
const CHUNK: usize = 1 << 12;

/// An array of scalars of a curve, in Montgomery form.
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Scalars {
    pub(crate) curve: CurveId,
    len: usize,
    /// `Buf<E::Fr>` of the curve.
    values: Box<dyn Any + Send + Sync>,
}

impl Scalars {
    /// Makes an array from the scalars of a pairing, with its curve.
    pub(crate) fn new<E: Pairing>(curve: CurveId, values: Buf<E::Fr>) -> Self {
        Self { curve, len: values.len(), values: Box::new(values) }
    }

    /// The values, downcast to those of the pairing `E`.
    pub(crate) fn values<E: Pairing>(&self) -> Result<&Buf<E::Fr>, Failure> {
        self.values.downcast_ref().ok_or_else(|| Failure::Internal("scalars of another curve".into()))
    }

    /// Decodes elements of [`PrimeField::BYTES`] bytes each.
    pub(crate) fn read<E: Boards>(curve: CurveId, data: &[u8], layout: Layout) -> Result<Self, Failure> {
        if !data.len().is_multiple_of(E::Fr::BYTES) {
            let (found, each) = (data.len(), E::Fr::BYTES);
            return Err(usage(format!("scalars: {found} bytes are no number of scalars of {each} bytes")));
        }
        let mut values = vec![E::Fr::ZERO; data.len() / E::Fr::BYTES];
        let chunks = values.par_chunks_mut(CHUNK).zip(data.par_chunks(CHUNK * E::Fr::BYTES)).enumerate();
        chunks.try_for_each(|(chunk, (to, from))| {
            for (i, (to, bytes)) in to.iter_mut().zip(from.chunks_exact(E::Fr::BYTES)).enumerate() {
                let at = chunk * CHUNK + i;
                // Read as a Montgomery form, the bytes of an integer x give the element x / R, which is multiplied by R below.
                *to = Layout::Montgomery.read(bytes).map_err(|why| usage(format!("scalar {at}: {why}")))?;
            }
            Ok::<(), Failure>(())
        })?;
        let mut values = Buf::from(values);
        if layout == Layout::Canonical {
            let one = E::Fr::ONE.to_montgomery();
            let radix =
                E::Fr::from_limbs(one).ok_or_else(|| Failure::Internal("one is not reduced".into()))?;
            Session::new(host::<E>()?).scale(&mut values, &radix).map_err(operand)?;
        }
        Ok(Self::new::<E>(curve, values))
    }

    fn write<E: Pairing>(&self, layout: Layout) -> Result<Vec<u8>, Failure> {
        let values = self.values::<E>()?;
        let mut out = vec![0; values.len() * E::Fr::BYTES];
        let chunks = out.par_chunks_mut(CHUNK * E::Fr::BYTES).zip(values.par_chunks(CHUNK));
        chunks.for_each(|(to, from)| {
            to.chunks_exact_mut(E::Fr::BYTES).zip(from).for_each(|(to, x)| layout.write(x, to));
        });
        Ok(out)
    }
}

#[pymethods]
impl Scalars {
    /// Reads scalars from little-endian bytes, canonical or in Montgomery form.
    #[staticmethod]
    fn from_bytes(py: Python<'_>, curve: &str, data: &[u8], form: &str) -> PyResult<Self> {
        work(py, None, |_| {
            let (curve, layout) = (curve_named(curve)?, Layout::named(form)?);
            fn of<E: Boards>(curve: CurveId, data: &[u8], layout: Layout) -> Result<Scalars, Failure> {
                Scalars::read::<E>(curve, data, layout)
            }
            on_curve!(curve, of(curve, data, layout))
        })
    }

    /// Draws `count` scalars with randomness from the operating system.
    #[staticmethod]
    fn random(py: Python<'_>, curve: &str, count: usize) -> PyResult<Self> {
        fn of<E: Pairing>(curve: CurveId, count: usize) -> Result<Scalars, Failure> {
            let mut rng = randomness::system()?;
            let values: Buf<E::Fr> = (0..count).map(|_| E::Fr::random(&mut rng)).collect();
            Ok(Scalars::new::<E>(curve, values))
        }
        work(py, None, |_| {
            let curve = curve_named(curve)?;
            on_curve!(curve, of(curve, count))
        })
    }

    /// The curve's name in snarkjs' files.
    #[getter]
    fn curve(&self) -> &'static str {
        self.curve.name()
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// The scalars as bytes, canonical or in Montgomery form.
    fn bytes<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyBytes>> {
        fn of<E: Pairing>(this: &Scalars, layout: Layout) -> Result<Vec<u8>, Failure> {
            this.write::<E>(layout)
        }
        let bytes = work(py, None, |_| {
            let layout = Layout::named(form)?;
            on_curve!(self.curve, of(self, layout))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The address of the limbs in Montgomery form, and the number of limbs of a scalar. The memory is valid as long as the
    /// object.
    fn memory(&self, py: Python<'_>) -> PyResult<(usize, usize)> {
        fn of<E: Pairing>(this: &Scalars) -> Result<(usize, usize), Failure> {
            // An `Fp` consists of its limbs only.
            let values: &[E::Fr] = this.values::<E>()?;
            Ok((values.as_ptr().addr(), E::Fr::BYTES / 8))
        }
        on_curve!(self.curve, of(self)).map_err(|why: Failure| raised(py, &why))
    }

    /// The elements `start + i·step` for `i < count`, all of which have to exist.
    fn select(&self, py: Python<'_>, start: usize, step: isize, count: usize) -> PyResult<Self> {
        fn of<E: Pairing>(
            this: &Scalars,
            start: usize,
            step: isize,
            count: usize,
        ) -> Result<Scalars, Failure> {
            let values = this.values::<E>()?;
            let at = |i: usize| {
                let offset = step.checked_mul(isize::try_from(i).ok()?)?;
                values.get(start.checked_add_signed(offset)?).copied()
            };
            let picked: Option<Vec<E::Fr>> = (0..count).map(at).collect();
            let picked = picked.ok_or_else(|| usage("the index is out of range"))?;
            Ok(Scalars::new::<E>(this.curve, picked.into()))
        }
        on_curve!(self.curve, of(self, start, step, count)).map_err(|why: Failure| raised(py, &why))
    }

    /// `add`, `sub` or `mul` of two arrays, element by element; an array of one element is used for all.
    fn combine(&self, py: Python<'_>, operation: &str, other: &Self) -> PyResult<Self> {
        fn of<E: Pairing>(this: &Scalars, operation: &str, other: &Scalars) -> Result<Scalars, Failure> {
            let (a, b) = (this.values::<E>()?, other.values::<E>()?);
            let op: fn(E::Fr, E::Fr) -> E::Fr = match operation {
                "add" => |x, y| x + y,
                "sub" => |x, y| x - y,
                "mul" => |x, y| x * y,
                other => return Err(usage(format!("no operation {other:?}"))),
            };
            let values: Vec<E::Fr> = match (&a[..], &b[..]) {
                (a, b) if a.len() == b.len() => a.par_iter().zip(b).map(|(x, y)| op(*x, *y)).collect(),
                (a, [y]) => a.par_iter().map(|x| op(*x, *y)).collect(),
                ([x], b) => b.par_iter().map(|y| op(*x, *y)).collect(),
                (a, b) => return Err(usage(format!("operands of {} and {} scalars", a.len(), b.len()))),
            };
            Ok(Scalars::new::<E>(this.curve, values.into()))
        }
        work(py, None, |_| {
            same_curve(self.curve, other.curve)?;
            on_curve!(self.curve, of(self, operation, other))
        })
    }

    /// The inverse of each element; zeros stay zero.
    fn invert(&self, py: Python<'_>) -> PyResult<Self> {
        fn of<E: Pairing>(this: &Scalars) -> Result<Scalars, Failure> {
            let mut values = this.values::<E>()?.to_vec();
            batch_invert(&mut values);
            Ok(Scalars::new::<E>(this.curve, values.into()))
        }
        work(py, None, |_| on_curve!(self.curve, of(self)))
    }

    fn equal(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        fn of<E: Pairing>(this: &Scalars, other: &Scalars) -> Result<bool, Failure> {
            Ok(this.values::<E>()? == other.values::<E>()?)
        }
        if self.curve != other.curve {
            return Ok(false);
        }
        on_curve!(self.curve, of(self, other)).map_err(|why: Failure| raised(py, &why))
    }
}
