//! Operators that run on the host if a machine has too little memory for them.

use crate::{DeviceError, Done, MachineLog, Slot};
use alloc::sync::Arc;

/// A machine's provider of a slot together with the host's, which runs the calls for which the machine has too little memory
/// ([`DeviceError::NoMemory`]). The cost of such a call names the host, and the slot is entered into the log of the machine. The
/// operators of this type are generated from the table of operators.
#[derive(Debug)]
pub struct OrHost<D, H: ?Sized> {
    pub(crate) machine: D,
    pub(crate) host: Arc<H>,
    slot: Slot,
    log: MachineLog,
}

impl<D, H: ?Sized> OrHost<D, H> {
    /// Combines a machine's provider of a slot with the host's; `log` is the log of the machine.
    pub fn new(machine: D, host: Arc<H>, slot: Slot, log: MachineLog) -> Self {
        Self { machine, host, slot, log }
    }

    /// Returns the result of the machine, or the host's if the machine lacked memory.
    pub(crate) fn or<T>(&self, given: Done<T>, on_host: impl FnOnce() -> Done<T>) -> Done<T> {
        match given {
            Err(DeviceError::NoMemory { .. }) => {
                self.log.lacked_memory(self.slot);
                on_host()
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{OpCount, Traffic, VecOp, reference::Reference, timed};
    use alloc::boxed::Box;
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::PrimeField;
    use pairwright_poly::{Buf, View};

    /// A machine that takes vectors of at most two elements and returns wrong results.
    struct Little;

    impl<F: PrimeField> VecOp<F> for Little {
        fn mul(&self, a: &mut Buf<F>, _: View<'_, F>) -> Done<()> {
            if a.len() > 2 {
                return Err(DeviceError::NoMemory { machine: "little", cause: Box::from("too long") });
            }
            Ok(timed("little", Traffic::default(), OpCount::default(), || ()))
        }
        fn mul_sub(&self, _: &mut Buf<F>, _: View<'_, F>, _: View<'_, F>) -> Done<()> {
            Err(DeviceError::ZeroShift)
        }
    }

    #[test]
    fn only_what_has_no_memory_runs_on_the_host() {
        let log = MachineLog::new("little");
        let host: Arc<dyn VecOp<Fr>> = Arc::new(Reference);
        let ops = OrHost::new(Little, host, Slot::Vec, log.clone());
        let [mut few, mut many] = [2, 3].map(|n| Buf::from(vec![Fr::from(2); n]));
        let factors = Buf::from(vec![Fr::from(5); 3]);
        let ((), cost) = ops.mul(&mut few, factors.slice(..2)).unwrap();
        assert_eq!((few[0], cost.machine), (Fr::from(2), "little"));
        let refused = ops.mul_sub(&mut many, factors.view(), factors.view());
        assert!(matches!(refused, Err(DeviceError::ZeroShift)), "another error stays one");
        assert!(log.slots_without_memory().is_empty());
        let ((), cost) = ops.mul(&mut many, factors.view()).unwrap();
        assert_eq!((&many[..], cost.machine), (&[Fr::from(10); 3][..], "reference"));
        assert_eq!(log.slots_without_memory(), [Slot::Vec]);
    }
}
