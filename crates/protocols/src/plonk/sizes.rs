//! The plan of a proof: the calls that it will make to its session.

use super::{EXTRA_POWERS, ProvingKey};
use crate::plonkish::sizes::{Plan, proof_sizes};
use alloc::vec::Vec;
use pairwright_device::{Operator, PlannedCall};

proof_sizes!(ProvingKey);

impl ProofSizes {
    /// The planned calls of [`super::prove`] to its session, in order.
    pub fn plan(&self) -> Vec<PlannedCall> {
        use Operator::{Axpy, Divide, Evaluate, Intt, MsmG1, Ntt, Scale};
        let mut plan = Plan::new(self.domain);
        plan.phase("wires");
        plan.call("additions", self.additions);
        plan.call("read_wires", self.gates);
        plan.all(&[Intt; 4]);
        plan.phase("commit wires");
        plan.call("read_powers", self.domain + EXTRA_POWERS);
        plan.long(&[MsmG1; 3]);

        plan.phase("permutation");
        plan.running_product();
        plan.phase("commit Z");
        plan.call("read_powers", self.domain + EXTRA_POWERS);
        plan.long(&[MsmG1]);

        plan.phase("quotient");
        plan.quotient(3, |plan| {
            plan.all(&[Ntt; 3]);
            plan.gates();
            plan.permutation_constraint();
            plan.all(&[Axpy]);
        });
        plan.long(&[Divide]);
        plan.all(&[Axpy]);
        plan.phase("commit T");
        plan.call("read_powers", self.domain + EXTRA_POWERS);
        plan.long(&[MsmG1; 3]);

        plan.phase("evaluate");
        plan.long(&[Evaluate; 4]);
        for _ in 0..2 {
            plan.read("read_s");
            plan.all(&[Evaluate]);
        }
        plan.phase("open");
        for step in [Scale, Axpy, Axpy, Axpy, Axpy] {
            plan.read("read_q");
            plan.all(&[step]);
        }
        for _ in 0..3 {
            plan.read("read_s");
            plan.all(&[Axpy]);
        }
        plan.long(&[Divide, Scale, Axpy, Axpy, Axpy, Axpy, Axpy, Axpy, Axpy, Divide]);
        plan.call("read_powers", self.domain + EXTRA_POWERS);
        (0..2).for_each(|_| plan.call(MsmG1.name(), self.domain + EXTRA_POWERS - 1));
        plan.calls
    }
}
