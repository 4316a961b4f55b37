//! The board's operators on arrays.

use super::{Group, Points, Scalars, Target, host, operand, same_curve};
use crate::failure::usage;
use crate::work::{Watch, work};
use pairwright::Boards;
use pairwright::curve::Pairing;
use pairwright::device::Session;
use pairwright::formats::CurveId;
use pairwright::poly::{Buf, Coeff, CosetEval, Domain, Eval, Poly};
use pairwright_cli::{Failure, on_curve};
use pyo3::prelude::*;

/// Computes `scalars[i]·points[i]`; an array of one point is multiplied by each scalar.
pub(super) fn scale(points: &Points, scalars: &Scalars) -> Result<Points, Failure> {
    fn of<E: Boards>(points: &Points, scalars: &Scalars) -> Result<Points, Failure> {
        let (curve, group, scalars) = (points.curve, points.group, scalars.values::<E>()?);
        let mut on = Session::new(host::<E>()?);
        Ok(match group {
            Group::G1 => {
                let bases = points.points::<E::G1>()?;
                let made = match &bases[..] {
                    [base] => on.multiples_g1(base, scalars.view()).map_err(operand)?,
                    bases => on.scale_points_g1(bases, scalars).map_err(operand)?.into(),
                };
                Points::new::<E::G1>(curve, group, made)
            }
            Group::G2 => {
                let bases = points.points::<E::G2>()?;
                let made = match &bases[..] {
                    [base] => on.multiples_g2(base, scalars.view()).map_err(operand)?,
                    bases => on.scale_points_g2(bases, scalars).map_err(operand)?.into(),
                };
                Points::new::<E::G2>(curve, group, made)
            }
        })
    }
    on_curve!(points.curve, of(points, scalars))
}

/// The multi-scalar multiplication `Σ scalars[i]·points[i]`, as an array of one point.
#[pyfunction]
pub(crate) fn msm(py: Python<'_>, points: &Points, scalars: &Scalars) -> PyResult<Points> {
    fn of<E: Boards>(points: &Points, scalars: &Scalars, watch: &Watch<'_>) -> Result<Points, Failure> {
        let (curve, group, scalars) = (points.curve, points.group, scalars.values::<E>()?.view());
        let mut on = watch.quiet(host::<E>()?);
        Ok(match group {
            Group::G1 => {
                let sum = on.msm_g1(points.points::<E::G1>()?.view(), scalars).map_err(operand)?;
                Points::new::<E::G1>(curve, group, vec![sum.to_affine()].into())
            }
            Group::G2 => {
                let sum = on.msm_g2(points.points::<E::G2>()?.view(), scalars).map_err(operand)?;
                Points::new::<E::G2>(curve, group, vec![sum.to_affine()].into())
            }
        })
    }
    work(py, None, |watch| {
        same_curve(points.curve, scalars.curve)?;
        on_curve!(points.curve, of(points, scalars, watch))
    })
}

/// The number-theoretic transform between coefficients and values at `shift·ω^i`, natural order in and out. The shift is an
/// array of one scalar; without one it is one.
#[pyfunction]
pub(crate) fn ntt(
    py: Python<'_>,
    values: &Scalars,
    inverse: bool,
    shift: Option<&Scalars>,
) -> PyResult<Scalars> {
    fn of<E: Boards>(
        values: &Scalars,
        inverse: bool,
        shift: Option<&Scalars>,
        watch: &Watch<'_>,
    ) -> Result<Scalars, Failure> {
        let data = values.values::<E>()?;
        if !data.len().is_power_of_two() {
            return Err(usage(format!("ntt: {} scalars, where a power of two is wanted", data.len())));
        }
        let domain = Domain::<E::Fr>::new(data.len().ilog2()).map_err(Failure::bad)?;
        let data: Buf<E::Fr> = data.to_vec().into();
        let shift = match shift.map(|shift| shift.values::<E>()).transpose()? {
            None => None,
            Some(one) => match &one[..] {
                [shift] => Some(*shift),
                _ => return Err(usage("ntt: the shift is one scalar")),
            },
        };
        let mut on = watch.quiet(host::<E>()?);
        let fits = || Failure::Internal("a domain of another size".into());
        let out = match (inverse, shift) {
            (false, None) => {
                let p = Poly::<E::Fr, Coeff>::new(domain, data).ok_or_else(fits)?;
                on.ntt(p).map(|p| p.to_vec())
            }
            (false, Some(shift)) => {
                let p = Poly::<E::Fr, Coeff>::new(domain, data).ok_or_else(fits)?;
                on.coset_ntt(p, &shift).map(|p| p.to_vec())
            }
            (true, None) => {
                let p = Poly::<E::Fr, Eval>::new(domain, data).ok_or_else(fits)?;
                on.intt(p).map(|p| p.to_vec())
            }
            (true, Some(shift)) => {
                let p = Poly::<E::Fr, CosetEval>::new(domain, data).ok_or_else(fits)?;
                on.coset_intt(p, &shift).map(|p| p.to_vec())
            }
        };
        Ok(Scalars::new::<E>(values.curve, out.map_err(operand)?.into()))
    }
    work(py, None, |watch| {
        shift.map_or(Ok(()), |shift| same_curve(values.curve, shift.curve))?;
        on_curve!(values.curve, of(values, inverse, shift, watch))
    })
}

/// The product of pairings `∏ e(P_i, Q_i)`.
#[pyfunction]
pub(crate) fn pairing(py: Python<'_>, first: &Points, second: &Points) -> PyResult<Target> {
    fn of<E: Boards>(first: &Points, second: &Points, watch: &Watch<'_>) -> Result<Target, Failure> {
        let (p, q) = (first.points::<E::G1>()?, second.points::<E::G2>()?);
        if p.len() != q.len() {
            return Err(usage(format!("pairing: {} points of G1 and {} of G2", p.len(), q.len())));
        }
        let pairs: Vec<_> = p.iter().copied().zip(q.iter().copied()).collect();
        let value = watch.quiet(host::<E>()?).multi_pairing(&pairs).map_err(operand)?;
        Ok(Target::new::<E>(first.curve, value))
    }
    work(py, None, |watch| {
        first.expect(Group::G1)?;
        second.expect(Group::G2)?;
        same_curve(first.curve, second.curve)?;
        on_curve!(first.curve, of(first, second, watch))
    })
}

/// The value at a point of the multilinear extension of a table, as an array of one scalar.
#[pyfunction]
pub(crate) fn evaluate(py: Python<'_>, table: &Scalars, point: &Scalars) -> PyResult<Scalars> {
    fn of<E: Boards>(table: &Scalars, point: &Scalars) -> Result<Scalars, Failure> {
        let (view, r) = (table.values::<E>()?.view(), point.values::<E>()?);
        let value = Session::new(host::<E>()?).mle_eval(view, r).map_err(operand)?;
        Ok(one::<E>(table.curve, value))
    }
    work(py, None, |_| {
        same_curve(table.curve, point.curve)?;
        on_curve!(table.curve, of(table, point))
    })
}

/// `eq(x, r)` at every corner of the hypercube.
#[pyfunction]
pub(crate) fn eq_table(py: Python<'_>, point: &Scalars) -> PyResult<Scalars> {
    fn of<E: Boards>(point: &Scalars) -> Result<Scalars, Failure> {
        let table = Session::new(host::<E>()?).build_eq(point.values::<E>()?).map_err(operand)?;
        Ok(Scalars::new::<E>(point.curve, table))
    }
    work(py, None, |_| on_curve!(point.curve, of(point)))
}

/// The product of all elements, whose number is a power of two, as an array of one scalar.
#[pyfunction]
pub(crate) fn product(py: Python<'_>, leaves: &Scalars) -> PyResult<Scalars> {
    fn of<E: Boards>(leaves: &Scalars) -> Result<Scalars, Failure> {
        let value = Session::new(host::<E>()?).product(leaves.values::<E>()?.view()).map_err(operand)?;
        Ok(one::<E>(leaves.curve, value))
    }
    work(py, None, |_| on_curve!(leaves.curve, of(leaves)))
}

/// Makes an array of one scalar.
pub(super) fn one<E: Pairing>(curve: CurveId, value: E::Fr) -> Scalars {
    Scalars::new::<E>(curve, Buf::from(vec![value]))
}
