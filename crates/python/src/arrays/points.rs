//! Arrays of points.

use super::{Group, Layout, Scalars, curve_named, host, on_group, operand, same_curve};
use crate::failure::{raised, usage};
use crate::work::work;
use core::any::Any;
use pairwright::Boards;
use pairwright::curve::encoding::{Canonical, Form};
use pairwright::curve::{Affine, Curve, batch_to_affine};
use pairwright::device::Session;
use pairwright::field::{Extension, PrimeField};
use pairwright::formats::CurveId;
use pairwright::poly::Buf;
use pairwright::randomness::Rng;
use pairwright_cli::{Failure, on_curve, randomness};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use rayon::prelude::*;

/// Number of points that one task converts.
const CHUNK: usize = 1 << 10;

/// An array of affine points of one group of a curve; infinity is (0, 0).
#[pyclass(frozen, module = "pairwright._native")]
pub(crate) struct Points {
    pub(crate) curve: CurveId,
    pub(crate) group: Group,
    len: usize,
    /// `Buf<Affine<C>>` of the group.
    points: Box<dyn Any + Send + Sync>,
}

/// Length in bytes of an element of the coordinates' prime field.
const fn prime<C: Curve>() -> usize {
    <C::Base as Extension>::Prime::BYTES
}

/// Length of a point in bytes: two coordinates.
const fn size<C: Curve>() -> usize {
    2 * <C::Base as Extension>::DEGREE * prime::<C>()
}

fn read_point<C: Curve>(bytes: &[u8], layout: Layout) -> Result<Affine<C>, String> {
    let (x, y) = bytes.split_at(bytes.len() / 2);
    let read = |bytes: &[u8], axis| {
        let mut coordinates = bytes.chunks_exact(prime::<C>());
        C::Base::try_from_fn(|_| layout.read(coordinates.next().unwrap_or_default()))
            .map_err(|why| format!("{axis}: {why}"))
    };
    Ok(Affine::from_xy_unchecked(read(x, "x")?, read(y, "y")?))
}

fn write_point<C: Curve>(p: &Affine<C>, layout: Layout, out: &mut [u8]) {
    let degree = C::Base::DEGREE;
    for (i, to) in out.chunks_exact_mut(prime::<C>()).enumerate() {
        let of = if i < degree { &p.x } else { &p.y };
        layout.write(&of.coord(i % degree), to);
    }
}

impl Points {
    pub(crate) fn new<C: Curve>(curve: CurveId, group: Group, points: Buf<Affine<C>>) -> Self {
        Self { curve, group, len: points.len(), points: Box::new(points) }
    }

    /// The points, downcast to those of the group `C`.
    pub(crate) fn points<C: Curve>(&self) -> Result<&Buf<Affine<C>>, Failure> {
        self.points.downcast_ref().ok_or_else(|| Failure::Internal("points of another group".into()))
    }

    /// Fails unless the points belong to the given group.
    pub(crate) fn expect(&self, group: Group) -> Result<(), Failure> {
        if self.group == group {
            return Ok(());
        }
        Err(usage(format!("points of {} where {} is wanted", self.group.name(), group.name())))
    }
}

/// Checks that points are on their curve and in its subgroup: by random sums, and one by one if that fails.
fn check<E: Boards>(points: &Points) -> Result<(), Failure> {
    let mut seed = [0; 32];
    randomness::system()?.fill_bytes(&mut seed);
    let mut on = Session::new(host::<E>()?);
    match points.group {
        Group::G1 => {
            let points = points.points::<E::G1>()?;
            on_curve_all(points)?;
            if on.all_in_subgroup_g1(points, &seed).map_err(operand)? {
                Ok(())
            } else {
                in_subgroup_all(points)
            }
        }
        Group::G2 => {
            let points = points.points::<E::G2>()?;
            on_curve_all(points)?;
            if on.all_in_subgroup_g2(points, &seed).map_err(operand)? {
                Ok(())
            } else {
                in_subgroup_all(points)
            }
        }
    }
}

/// Fails with the index of the first point that is not on its curve.
fn on_curve_all<C: Curve>(points: &[Affine<C>]) -> Result<(), Failure> {
    match points.par_iter().position_first(|p| !p.is_on_curve()) {
        Some(i) => Err(usage(format!("point {i}: not on the curve of {}", C::NAME))),
        None => Ok(()),
    }
}

/// Fails with the index of the first point that is outside of the subgroup.
fn in_subgroup_all<C: Curve>(points: &[Affine<C>]) -> Result<(), Failure> {
    match points.par_iter().position_first(|p| !p.is_in_subgroup_vartime()) {
        Some(i) => Err(usage(format!("point {i}: on the curve, outside of {}", C::NAME))),
        None => Ok(()),
    }
}

#[pymethods]
impl Points {
    /// Reads points from bytes: two coordinates of little-endian elements each, canonical or in Montgomery form, with (0, 0)
    /// for infinity.
    #[staticmethod]
    fn from_bytes(
        py: Python<'_>,
        curve: &str,
        group: &str,
        data: &[u8],
        form: &str,
        checked: bool,
    ) -> PyResult<Self> {
        fn of<C: Curve>(
            (curve, group): (CurveId, Group),
            data: &[u8],
            layout: Layout,
        ) -> Result<Points, Failure> {
            if !data.len().is_multiple_of(size::<C>()) {
                let (found, each) = (data.len(), size::<C>());
                return Err(usage(format!("points: {found} bytes are no number of points of {each} bytes")));
            }
            let read =
                |(i, bytes)| read_point::<C>(bytes, layout).map_err(|why| usage(format!("point {i}: {why}")));
            let points: Vec<_> = data
                .par_chunks_exact(size::<C>())
                .enumerate()
                .with_min_len(CHUNK)
                .map(read)
                .collect::<Result<_, _>>()?;
            Ok(Points::new(curve, group, points.into()))
        }
        work(py, None, |_| {
            let (curve, group, layout) = (curve_named(curve)?, Group::named(group)?, Layout::named(form)?);
            let points = on_group!(curve, group, of((curve, group), data, layout))?;
            if checked {
                on_curve!(curve, check(&points))?;
            }
            Ok(points)
        })
    }

    /// Reads compressed points, one after another, each of the prime-order subgroup.
    #[staticmethod]
    fn from_compressed(py: Python<'_>, curve: &str, group: &str, data: &[u8]) -> PyResult<Self> {
        fn of<C: Canonical>((curve, group): (CurveId, Group), data: &[u8]) -> Result<Points, Failure> {
            let each = Affine::<C>::encoded_len(Form::Compressed);
            if !data.len().is_multiple_of(each) {
                let found = data.len();
                return Err(usage(format!("points: {found} bytes are no number of points of {each} bytes")));
            }
            let read = |(i, bytes): (usize, &[u8])| {
                Affine::<C>::from_bytes(bytes, Form::Compressed)
                    .map_err(|why| usage(format!("point {i}: {why}")))
            };
            let points: Vec<_> =
                data.par_chunks_exact(each).enumerate().map(read).collect::<Result<_, _>>()?;
            Ok(Points::new(curve, group, points.into()))
        }
        work(py, None, |_| {
            let (curve, group) = (curve_named(curve)?, Group::named(group)?);
            on_group!(curve, group, of((curve, group), data))
        })
    }

    /// The standard generator of a group, as an array of one point.
    #[staticmethod]
    fn generator(py: Python<'_>, curve: &str, group: &str) -> PyResult<Self> {
        fn of<C: Curve>((curve, group): (CurveId, Group)) -> Result<Points, Failure> {
            Ok(Points::new(curve, group, Buf::from(vec![Affine::<C>::generator()])))
        }
        work(py, None, |_| {
            let (curve, group) = (curve_named(curve)?, Group::named(group)?);
            on_group!(curve, group, of((curve, group)))
        })
    }

    /// The curve's name in snarkjs' files.
    #[getter]
    fn curve(&self) -> &'static str {
        self.curve.name()
    }

    /// The group, `G1` or `G2`.
    #[getter]
    fn group(&self) -> &'static str {
        self.group.name()
    }

    fn __len__(&self) -> usize {
        self.len
    }

    /// The shape of a point as an array of limbs: two coordinates, the coefficients of a coordinate if there are several, and
    /// limbs.
    fn shape(&self, py: Python<'_>) -> PyResult<Vec<usize>> {
        fn of<C: Curve>() -> Result<Vec<usize>, Failure> {
            let (degree, limbs) = (C::Base::DEGREE, prime::<C>() / 8);
            Ok(if degree == 1 { vec![2, limbs] } else { vec![2, degree, limbs] })
        }
        on_group!(self.curve, self.group, of()).map_err(|why: Failure| raised(py, &why))
    }

    /// The points as bytes, canonical or in Montgomery form.
    fn bytes<'py>(&self, py: Python<'py>, form: &str) -> PyResult<Bound<'py, PyBytes>> {
        fn of<C: Curve>(this: &Points, layout: Layout) -> Result<Vec<u8>, Failure> {
            let points = this.points::<C>()?;
            let mut out = vec![0; points.len() * size::<C>()];
            let each = out.par_chunks_exact_mut(size::<C>()).zip(&points[..]).with_min_len(CHUNK);
            each.for_each(|(to, p)| write_point(p, layout, to));
            Ok(out)
        }
        let bytes = work(py, None, |_| {
            let layout = Layout::named(form)?;
            on_group!(self.curve, self.group, of(self, layout))
        })?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The compressed points, one after another.
    fn compressed<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyBytes>> {
        fn of<C: Canonical>(this: &Points) -> Result<Vec<u8>, Failure> {
            Ok(this.points::<C>()?.iter().flat_map(|p| p.to_bytes(Form::Compressed)).collect())
        }
        let bytes = work(py, None, |_| on_group!(self.curve, self.group, of(self)))?;
        Ok(PyBytes::new(py, &bytes))
    }

    /// The elements `start + i·step` for `i < count`, all of which have to exist.
    fn select(&self, py: Python<'_>, start: usize, step: isize, count: usize) -> PyResult<Self> {
        fn of<C: Curve>(this: &Points, start: usize, step: isize, count: usize) -> Result<Points, Failure> {
            let points = this.points::<C>()?;
            let at = |i: usize| {
                let offset = step.checked_mul(isize::try_from(i).ok()?)?;
                points.get(start.checked_add_signed(offset)?).copied()
            };
            let picked: Option<Vec<Affine<C>>> = (0..count).map(at).collect();
            let picked = picked.ok_or_else(|| usage("the index is out of range"))?;
            Ok(Points::new(this.curve, this.group, picked.into()))
        }
        on_group!(self.curve, self.group, of(self, start, step, count))
            .map_err(|why: Failure| raised(py, &why))
    }

    /// Sums of two arrays, point by point; an array of one point is used for all.
    fn add(&self, py: Python<'_>, other: &Self) -> PyResult<Self> {
        fn of<C: Curve>(this: &Points, other: &Points) -> Result<Points, Failure> {
            let (a, b) = (this.points::<C>()?, other.points::<C>()?);
            let sum = |p: &Affine<C>, q: &Affine<C>| p.to_jacobian().add_mixed(q);
            let sums: Vec<_> = match (&a[..], &b[..]) {
                (a, b) if a.len() == b.len() => a.iter().zip(b).map(|(p, q)| sum(p, q)).collect(),
                (a, [q]) => a.iter().map(|p| sum(p, q)).collect(),
                ([p], b) => b.iter().map(|q| sum(p, q)).collect(),
                (a, b) => return Err(usage(format!("operands of {} and {} points", a.len(), b.len()))),
            };
            Ok(Points::new(this.curve, this.group, batch_to_affine(&sums).into()))
        }
        work(py, None, |_| {
            same_curve(self.curve, other.curve)?;
            other.expect(self.group)?;
            on_group!(self.curve, self.group, of(self, other))
        })
    }

    /// The negative of each point.
    fn negate(&self, py: Python<'_>) -> PyResult<Self> {
        fn of<C: Curve>(this: &Points) -> Result<Points, Failure> {
            let points: Buf<Affine<C>> = this.points::<C>()?.iter().map(|p| -*p).collect();
            Ok(Points::new(this.curve, this.group, points))
        }
        work(py, None, |_| on_group!(self.curve, self.group, of(self)))
    }

    /// `scalars[i]·points[i]`; an array of one point is multiplied by each scalar.
    fn scale(&self, py: Python<'_>, scalars: &Scalars) -> PyResult<Self> {
        work(py, None, |_| {
            same_curve(self.curve, scalars.curve)?;
            super::operators::scale(self, scalars)
        })
    }

    fn equal(&self, py: Python<'_>, other: &Self) -> PyResult<bool> {
        fn of<C: Curve>(this: &Points, other: &Points) -> Result<bool, Failure> {
            Ok(this.points::<C>()? == other.points::<C>()?)
        }
        if self.curve != other.curve || self.group != other.group {
            return Ok(false);
        }
        on_group!(self.curve, self.group, of(self, other)).map_err(|why: Failure| raised(py, &why))
    }
}
