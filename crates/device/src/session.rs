//! [`Session`]: what protocols hold. Runs operators on a board and keeps the account.

use crate::{
    Cost, Device, DeviceError, Direction, Done, Later, OpCount, Operator, Record, Report, Started, Traffic,
    timed,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::{G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_poly::{Basis, Coeff, CosetEval, Eval, Poly, View};

/// What an observer is told before and after every operator.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// An operator is about to run.
    Start {
        /// The phase of the protocol.
        phase: &'static str,
        /// The operator's name in reports.
        operator: &'static str,
        /// Its number of elements.
        size: usize,
    },
    /// An operator has run.
    End(&'a Record),
}

type Observer<'d> = Box<dyn FnMut(Event<'_>) + 'd>;

/// A run of operators on one device.
pub struct Session<'d, E: Pairing> {
    device: &'d Device<E>,
    report: Report,
    phase: &'static str,
    observer: Option<Observer<'d>>,
}

impl<'d, E: Pairing> Session<'d, E> {
    /// An empty account on a device.
    pub fn new(device: &'d Device<E>) -> Self {
        let report = Report { device: device.name, curve: E::NAME, records: Vec::new() };
        Self { device, report, phase: "", observer: None }
    }

    /// Has an observer told of every operator, for progress bars and traces.
    #[must_use]
    pub fn observed(mut self, observer: impl FnMut(Event<'_>) + 'd) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Names the phase that the following operators belong to.
    pub fn phase(&mut self, name: &'static str) {
        self.phase = name;
    }

    /// The account so far.
    pub fn report(&self) -> &Report {
        &self.report
    }

    /// Ends the session and gives its account.
    pub fn finish(self) -> Report {
        self.report
    }

    /// Runs an operator of the board: what every method of the table does.
    pub(crate) fn run<T>(
        &mut self,
        operator: Operator,
        size: usize,
        op: impl FnOnce(&Device<E>) -> Done<T>,
    ) -> Result<T, DeviceError> {
        let operator = operator.name();
        if let Some(observer) = &mut self.observer {
            observer(Event::Start { phase: self.phase, operator, size });
        }
        let (value, cost) = op(self.device)?;
        self.note(operator, size, cost);
        Ok(value)
    }

    /// Starts a multi-scalar multiplication in the first group; [`Session::wait`] gives the sum. The account has it as
    /// `msm_g1`.
    ///
    /// # Errors
    /// See [`crate::MsmOp::msm`].
    pub fn start_msm_g1(
        &mut self,
        bases: View<'_, G1Affine<E>>,
        scalars: View<'_, E::Fr>,
    ) -> Result<Started<Jacobian<E::G1>>, DeviceError> {
        self.start(Operator::MsmG1, bases.len(), |device| device.g1.start(bases, scalars))
    }

    /// The same in the second group, `msm_g2`.
    ///
    /// # Errors
    /// See [`crate::MsmOp::msm`].
    pub fn start_msm_g2(
        &mut self,
        bases: View<'_, G2Affine<E>>,
        scalars: View<'_, E::Fr>,
    ) -> Result<Started<Jacobian<E::G2>>, DeviceError> {
        self.start(Operator::MsmG2, bases.len(), |device| device.g2.start(bases, scalars))
    }

    fn start<T>(
        &mut self,
        operator: Operator,
        size: usize,
        op: impl FnOnce(&Device<E>) -> Done<Later<T>>,
    ) -> Result<Started<T>, DeviceError> {
        let operator = operator.name();
        if let Some(observer) = &mut self.observer {
            observer(Event::Start { phase: self.phase, operator, size });
        }
        let (later, cost) = op(self.device)?;
        if later.is_ready() {
            self.note(operator, size, cost);
            return Ok(Started { later, record: None, cost });
        }
        let record = Record { phase: self.phase, operator, size, cost };
        Ok(Started { later, record: Some(record), cost })
    }

    /// Waits for what was started and enters it into the account, under the phase in which it was started.
    ///
    /// # Errors
    /// Those of the machine.
    pub fn wait<T>(&mut self, started: Started<T>) -> Result<T, DeviceError> {
        let (value, cost) = started.later.wait(started.cost)?;
        if let Some(record) = started.record {
            self.enter(Record { cost, ..record });
        }
        Ok(value)
    }

    /// Enters work that is no operator of the board (reading a key, say) into the account.
    pub fn note(&mut self, operator: &'static str, size: usize, cost: Cost) {
        self.enter(Record { phase: self.phase, operator, size, cost });
    }

    fn enter(&mut self, record: Record) {
        if let Some(observer) = &mut self.observer {
            observer(Event::End(&record));
        }
        self.report.records.push(record);
    }

    /// Runs work of the host that is no operator of the board; observer and account are told as of an operator.
    pub fn host<T>(&mut self, operator: &'static str, size: usize, work: impl FnOnce() -> T) -> T {
        if let Some(observer) = &mut self.observer {
            observer(Event::Start { phase: self.phase, operator, size });
        }
        let (value, cost) = timed("host", Traffic::default(), OpCount::default(), work);
        self.note(operator, size, cost);
        value
    }

    /// Values on the domain to coefficients.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn intt(&mut self, p: Poly<E::Fr, Eval>) -> Result<Poly<E::Fr, Coeff>, DeviceError> {
        self.transform(p, Direction::Inverse, None)
    }

    /// Coefficients to values on the domain.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn ntt(&mut self, p: Poly<E::Fr, Coeff>) -> Result<Poly<E::Fr, Eval>, DeviceError> {
        self.transform(p, Direction::Forward, None)
    }

    /// Values on the coset of the domain with this shift to coefficients.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn coset_intt(
        &mut self,
        p: Poly<E::Fr, CosetEval>,
        shift: &E::Fr,
    ) -> Result<Poly<E::Fr, Coeff>, DeviceError> {
        self.transform(p, Direction::Inverse, Some(shift))
    }

    /// Coefficients to values on the coset of the domain with this shift.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn coset_ntt(
        &mut self,
        p: Poly<E::Fr, Coeff>,
        shift: &E::Fr,
    ) -> Result<Poly<E::Fr, CosetEval>, DeviceError> {
        self.transform(p, Direction::Forward, Some(shift))
    }

    /// Values on the domain to values on its odd coset.
    ///
    /// # Errors
    /// See [`crate::NttOp::extend`].
    pub fn extend(&mut self, mut p: Poly<E::Fr, Eval>) -> Result<Poly<E::Fr, CosetEval>, DeviceError> {
        let domain = *p.domain();
        self.run(Operator::Extend, p.len(), |d| d.ntt.extend(&domain, p.buf_mut()))?;
        Ok(p.reinterpret())
    }

    fn transform<A: Basis, B: Basis>(
        &mut self,
        mut p: Poly<E::Fr, A>,
        dir: Direction,
        shift: Option<&E::Fr>,
    ) -> Result<Poly<E::Fr, B>, DeviceError> {
        let domain = *p.domain();
        let operator = match dir {
            Direction::Forward => Operator::Ntt,
            Direction::Inverse => Operator::Intt,
        };
        self.run(operator, p.len(), |d| d.ntt.ntt(&domain, dir, shift, p.buf_mut()))?;
        Ok(p.reinterpret())
    }
}

impl<E: Pairing> fmt::Debug for Session<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({:?}, {} operators)", self.device, self.report.records.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reference;
    use pairwright_curve::bls12_381::{Bls12_381, Fr};
    use pairwright_field::Field;
    use pairwright_poly::Domain;

    /// Every direction, on the domain and on cosets, against values by Horner's rule.
    #[test]
    fn polynomials_go_from_every_basis_to_every_other() {
        let board = reference::board::<Bls12_381>();
        let mut on = Session::new(&board);
        let domain = Domain::<Fr>::new(3).unwrap();
        let coefficients: Vec<Fr> = (0..8).map(|i| Fr::from(i * i + 5)).collect();
        let p = || Poly::<Fr, Coeff>::new(domain, coefficients.clone().into()).unwrap();
        let value = |i: usize, shift: Fr| p().evaluate(shift * domain.root().pow_vartime(&[i as u64]));
        let values = on.ntt(p()).unwrap();
        assert!(values.iter().enumerate().all(|(i, v)| *v == value(i, Fr::ONE)));
        assert_eq!(on.intt(values).unwrap()[..], coefficients);
        for shift in [Fr::ONE, Fr::from(7), domain.odd_shift().unwrap()] {
            let values = on.coset_ntt(p(), &shift).unwrap();
            assert!(values.iter().enumerate().all(|(i, v)| *v == value(i, shift)));
            assert_eq!(on.coset_intt(values, &shift).unwrap()[..], coefficients);
        }
        let values = on.ntt(p()).unwrap();
        let odd = on.extend(values).unwrap();
        assert!(odd.iter().enumerate().all(|(i, v)| *v == value(i, domain.odd_shift().unwrap())));
        assert!(on.coset_ntt(p(), &Fr::ZERO).is_err());
        let names: Vec<_> = on.finish().records.iter().map(|r| (r.operator, r.size)).collect();
        assert_eq!(names[..2], [("ntt", 8), ("intt", 8)]);
        assert_eq!(names[8..], [("ntt", 8), ("extend", 8)]);
    }
}
