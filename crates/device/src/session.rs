//! [`Session`]: the object through which protocols run operators on a board; it records the cost of every call.

use crate::{
    Cost, Deferred, Device, DeviceError, Direction, Done, MachineLog, OpCount, Operator, PlannedCall, Record,
    Report, Started, Time, Traffic, timed,
};
use alloc::boxed::Box;
use alloc::vec::Vec;
use core::fmt;
use pairwright_curve::{G1Affine, G2Affine, Jacobian, Pairing};
use pairwright_poly::{Basis, Coeff, CosetEval, Eval, Poly, View};

/// The events of which an observer is notified.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// A protocol announces the calls that it is going to make, as far as it knows them by now; later plans come in addition.
    Plan(&'a [PlannedCall]),
    /// An operator is about to run.
    Start {
        /// The phase of the protocol.
        phase: &'static str,
        /// The operator's name in reports.
        operator: &'static str,
        /// Number of elements of the call.
        size: usize,
    },
    /// An operator has run.
    End(&'a Record),
}

type Observer<'d> = Box<dyn FnMut(Event<'_>) + 'd>;

/// A sequence of operator calls on one device, with their account.
pub struct Session<'d, E: Pairing> {
    device: &'d Device<E>,
    report: Report,
    phase: &'static str,
    observer: Option<Observer<'d>>,
}

impl<'d, E: Pairing> Session<'d, E> {
    /// A session on a device, with an empty account.
    pub fn new(device: &'d Device<E>) -> Self {
        let report = Report { device: device.name, curve: E::NAME, records: Vec::new() };
        Self { device, report, phase: "", observer: None }
    }

    /// Sets an observer that is notified of every operator, for progress bars and traces.
    #[must_use]
    pub fn observed(mut self, observer: impl FnMut(Event<'_>) + 'd) -> Self {
        self.observer = Some(Box::new(observer));
        self
    }

    /// Announces calls to the observer, in addition to those that were announced before. `calls` is called only if there is an
    /// observer. A planned call may represent several calls of the same operator with the sum of their sizes, and calls that take
    /// little time may be left out.
    pub fn plan(&mut self, calls: impl FnOnce() -> Vec<PlannedCall>) {
        if let Some(observer) = &mut self.observer {
            observer(Event::Plan(&calls()));
        }
    }

    /// Names the phase that the following operators belong to.
    pub fn phase(&mut self, name: &'static str) {
        self.enter_copies();
        self.phase = name;
    }

    /// The account so far.
    pub fn report(&mut self) -> &Report {
        self.enter_copies();
        &self.report
    }

    /// Ends the session and returns its account.
    pub fn finish(mut self) -> Report {
        self.enter_copies();
        self.report
    }

    /// Enters the copies that the machines of the board have made outside of any call: for each machine one record `transfer`, whose
    /// size is the number of copies.
    fn enter_copies(&mut self) {
        for log in &self.device.logs {
            let Some((copies, transfer)) = log.take_copies() else { continue };
            let cost = Cost {
                machine: log.machine(),
                time: Time::Measured(transfer.time),
                bytes: Traffic { read: transfer.to_machine, written: transfer.to_host },
                transfer: Some(transfer),
                ops: OpCount::default(),
                energy: None,
                model: None,
            };
            let record = Record { phase: self.phase, operator: "transfer", size: copies, cost };
            enter(&mut self.report, &mut self.observer, record);
        }
    }

    /// Adds to the cost of a call the copies that the machines of the board made during it; its time includes them already. They
    /// come from a machine that had no memory for the call, or from one whose results the call has read on the host.
    fn with_copies(&self, mut cost: Cost) -> Cost {
        for (_, transfer) in self.device.logs.iter().filter_map(MachineLog::take_copies) {
            *cost.transfer.get_or_insert_default() += transfer;
        }
        cost
    }

    /// Runs an operator of the board and records it; the methods that are generated from the table call this.
    pub(crate) fn run<T>(
        &mut self,
        operator: Operator,
        size: usize,
        op: impl FnOnce(&Device<E>) -> Done<T>,
    ) -> Result<T, DeviceError> {
        let operator = operator.name();
        self.begin(operator, size);
        let (value, cost) = op(self.device)?;
        self.note(operator, size, self.with_copies(cost));
        Ok(value)
    }

    /// Starts a multi-scalar multiplication in the first group; [`Session::wait`] returns the sum. Its name in the account is
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

    /// Starts a multi-scalar multiplication in the second group; [`Session::wait`] returns the sum. Its name in the account is
    /// `msm_g2`.
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
        op: impl FnOnce(&Device<E>) -> Done<Deferred<T>>,
    ) -> Result<Started<T>, DeviceError> {
        let operator = operator.name();
        self.begin(operator, size);
        let (result, cost) = op(self.device)?;
        let cost = self.with_copies(cost);
        if result.is_ready() {
            self.note(operator, size, cost);
            return Ok(Started { result, record: None, cost });
        }
        let record = Record { phase: self.phase, operator, size, cost };
        Ok(Started { result, record: Some(record), cost })
    }

    /// Waits for work that was started and enters it into the account, under the phase in which it was started.
    ///
    /// # Errors
    /// The errors of the machine.
    pub fn wait<T>(&mut self, started: Started<T>) -> Result<T, DeviceError> {
        self.enter_copies();
        let (value, cost) = started.result.wait(started.cost)?;
        if let Some(record) = started.record {
            let cost = self.with_copies(cost);
            enter(&mut self.report, &mut self.observer, Record { cost, ..record });
        }
        Ok(value)
    }

    /// Enters work that is not an operator of the board (reading a key, for example) into the account.
    pub fn note(&mut self, operator: &'static str, size: usize, cost: Cost) {
        self.enter_copies();
        let record = Record { phase: self.phase, operator, size, cost };
        enter(&mut self.report, &mut self.observer, record);
    }

    /// Notifies the observer that an operator begins, after earlier copies have been entered into the account.
    fn begin(&mut self, operator: &'static str, size: usize) {
        self.enter_copies();
        if let Some(observer) = &mut self.observer {
            observer(Event::Start { phase: self.phase, operator, size });
        }
    }

    /// Runs work of the host that is not an operator of the board; it is observed and recorded as an operator is.
    pub fn host<T>(&mut self, operator: &'static str, size: usize, work: impl FnOnce() -> T) -> T {
        self.begin(operator, size);
        let (value, cost) = timed("host", Traffic::default(), OpCount::default(), work);
        self.note(operator, size, self.with_copies(cost));
        value
    }

    /// Transforms values on the domain to coefficients.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn intt(&mut self, p: Poly<E::Fr, Eval>) -> Result<Poly<E::Fr, Coeff>, DeviceError> {
        self.transform(p, Direction::Inverse, None)
    }

    /// Transforms coefficients to values on the domain.
    ///
    /// # Errors
    /// See [`crate::NttOp::ntt`].
    pub fn ntt(&mut self, p: Poly<E::Fr, Coeff>) -> Result<Poly<E::Fr, Eval>, DeviceError> {
        self.transform(p, Direction::Forward, None)
    }

    /// Transforms values on the coset of the domain with this shift to coefficients.
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

    /// Transforms coefficients to values on the coset of the domain with this shift.
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

    /// Converts values on the domain to values on its odd coset.
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

/// Notifies the observer of a record and adds it to the account.
fn enter(report: &mut Report, observer: &mut Option<Observer<'_>>, record: Record) {
    if let Some(observer) = observer {
        observer(Event::End(&record));
    }
    report.records.push(record);
}

impl<E: Pairing> fmt::Debug for Session<'_, E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Session({:?}, {} operators)", self.device, self.report.records.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Transfer;
    use crate::reference;
    use core::time::Duration;
    use pairwright_curve::bls12_381::{Bls12_381, Fr};
    use pairwright_field::Field;
    use pairwright_poly::Domain;

    /// Compares every direction, on the domain and on cosets, with evaluations by Horner's rule.
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

    /// Copies of a machine are entered into the cost of the call in which they happen, or else as a record of the current phase.
    #[test]
    fn copies_are_entered_when_they_happen() {
        let log = MachineLog::new("m");
        let board = reference::board::<Bls12_381>().with_log(log.clone()).with_log(log.clone());
        let moved = |to_host| Transfer { to_machine: 3, to_host, time: Duration::from_millis(5) };
        let mut on = Session::new(&board);
        on.phase("one");
        log.copied(moved(10));
        log.copied(moved(20));
        on.phase("two");
        on.host("work", 1, || log.copied(moved(40)));
        let p = Poly::<Fr, Coeff>::new(Domain::new(1).unwrap(), vec![Fr::ONE; 2].into()).unwrap();
        log.copied(moved(80));
        on.ntt(p).unwrap();
        assert_eq!(on.report().totals().transfer.to_host, 150);
        // After the last call.
        log.copied(moved(160));
        let report = on.finish();
        let records: Vec<_> = report.records.iter().map(|r| (r.phase, r.operator, r.size)).collect();
        let all = [
            ("one", "transfer", 2),
            ("two", "work", 1),
            ("two", "transfer", 1),
            ("two", "ntt", 2),
            ("two", "transfer", 1),
        ];
        assert_eq!(records, all);
        let bytes: Vec<_> = report.records.iter().map(|r| r.cost.transfer.map(|t| t.to_host)).collect();
        assert_eq!(bytes, [Some(30), Some(40), Some(80), None, Some(160)]);
        let first = report.records[0].cost;
        assert_eq!((first.machine, first.time), ("m", Time::Measured(Duration::from_millis(10))));
        assert_eq!(first.bytes, Traffic { read: 6, written: 30 });
        assert_eq!(report.totals().transfer.to_machine, 15);
    }
}
