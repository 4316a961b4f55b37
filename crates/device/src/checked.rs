//! A decorator that runs the reference beside an operator and refuses a different answer.

use crate::{DeviceError, Direction, Done, MsmOp, NttOp};
use pairwright_curve::{Affine, Curve, Jacobian};
use pairwright_field::PrimeField;
use pairwright_poly::{Buf, Domain, View};
use std::sync::Arc;

/// `fast`, checked at every call against `reference`; the cost is `fast`'s.
#[derive(Debug)]
pub struct Checked<O: ?Sized> {
    /// The operator under test.
    pub fast: Arc<O>,
    /// The provider whose answer is taken for right.
    pub reference: Arc<O>,
}

fn agree<T: PartialEq>(op: &'static str, a: &T, b: &T) -> Result<(), DeviceError> {
    if a == b { Ok(()) } else { Err(DeviceError::Mismatch { op }) }
}

impl<C: Curve> MsmOp<C> for Checked<dyn MsmOp<C>> {
    fn msm(&self, bases: View<'_, Affine<C>>, scalars: View<'_, C::Scalar>) -> Done<Jacobian<C>> {
        let (value, cost) = self.fast.msm(bases.clone(), scalars.clone())?;
        agree("msm", &value, &self.reference.msm(bases, scalars)?.0)?;
        Ok((value, cost))
    }
    fn multiples(&self, base: &Affine<C>, scalars: View<'_, C::Scalar>) -> Done<Buf<Affine<C>>> {
        let (value, cost) = self.fast.multiples(base, scalars.clone())?;
        agree("multiples", &value, &self.reference.multiples(base, scalars)?.0)?;
        Ok((value, cost))
    }
}

impl<F: PrimeField> NttOp<F> for Checked<dyn NttOp<F>> {
    fn ntt(&self, domain: &Domain<F>, dir: Direction, shift: Option<&F>, data: &mut Buf<F>) -> Done<()> {
        let mut judged = data.clone();
        let done = self.fast.ntt(domain, dir, shift, data)?;
        self.reference.ntt(domain, dir, shift, &mut judged)?;
        agree("ntt", data, &judged)?;
        Ok(done)
    }
    fn extend(&self, domain: &Domain<F>, data: &mut Buf<F>) -> Done<()> {
        let mut judged = data.clone();
        let done = self.fast.extend(domain, data)?;
        self.reference.extend(domain, &mut judged)?;
        agree("extend", data, &judged)?;
        Ok(done)
    }
}
