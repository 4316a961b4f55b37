//! Adds the output points of a plan's tasks.

use crate::job::{Op, Part, Plan};
use crate::region::Input;
use crate::{Ledger, ScaleError};
use pairwright_curve::{Affine, Curve, Jacobian, Pairing};
use pairwright_formats::{ReadAt, decode_points};
use pairwright_protocols::groth16::Sums;

/// The sums of a proof before blinding, from the output points of all tasks that write one, in the order of the plan.
///
/// # Errors
/// When a task is not finished, or its point cannot be read or is damaged.
#[inline(never)]
pub fn sums<E: Pairing>(plan: &Plan, ledger: &Ledger) -> Result<Sums<E>, ScaleError> {
    let mut a = Jacobian::<E::G1>::INFINITY;
    let (mut b_g1, mut tail, mut b_g2) = (a, a, Jacobian::<E::G2>::INFINITY);
    for (i, task) in plan.tasks.iter().enumerate() {
        match task.op {
            Op::Quotient { .. } | Op::Undivided { .. } | Op::Msm { part: Part::C } => {
                tail += point(plan, i, ledger)?
            }
            Op::Msm { part: Part::A } => a += point(plan, i, ledger)?,
            Op::Msm { part: Part::B1 } => b_g1 += point(plan, i, ledger)?,
            Op::Msm { part: Part::B2 } => b_g2 += point(plan, i, ledger)?,
            Op::Columns { .. } | Op::Rows { .. } => {}
        }
    }
    Ok(Sums { a: a.to_affine(), b_g1: b_g1.to_affine(), b_g2: b_g2.to_affine(), tail: tail.to_affine() })
}

/// Reads the output point of a task.
fn point<C: Curve>(plan: &Plan, i: usize, ledger: &Ledger) -> Result<Jacobian<C>, ScaleError> {
    let task = &plan.tasks[i];
    let not_done = || ScaleError::NotDone(task.name.clone());
    let outcome = ledger.outcome(&task.name).ok_or_else(not_done)?;
    let (region, digest) = task.outputs.first().zip(outcome.outputs.first()).ok_or_else(not_done)?;
    let file = plan.files.get(&region.file).ok_or_else(not_done)?;
    let region = crate::Region { digest: Some(*digest), ..region.clone() };
    let bytes = Input::open(&file.path)?.read_region(&region)?;
    let mut points: Vec<Affine<C>> = Vec::new();
    decode_points(&bytes, ReadAt { file: &file.path, offset: region.offset }, &mut points)?;
    let point = points.first().ok_or_else(not_done)?;
    if !point.is_infinity() && !point.is_on_curve() {
        return Err(ScaleError::Damaged {
            path: file.path.clone(),
            offset: region.offset,
            length: region.length,
        });
    }
    Ok((*point).into())
}
