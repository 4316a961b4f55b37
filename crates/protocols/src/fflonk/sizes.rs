//! The plan of a proof: the calls that it will make to its session.

use super::{ProvingKey, powers_for};
use crate::plonkish::blinding::EXTRA_COEFFICIENTS;
use crate::plonkish::sizes::{Plan, proof_sizes};
use alloc::vec::Vec;
use pairwright_device::{Operator, PlannedCall};

proof_sizes!(ProvingKey);

impl ProofSizes {
    /// The planned calls of [`super::prove`] to its session, in order.
    pub fn plan(&self) -> Vec<PlannedCall> {
        use Operator::{Axpy, Divide, Intt, MsmG1, Ntt, Scale};
        let n = self.domain;
        let mut plan = Plan::new(n);
        let commit = |plan: &mut Plan, len: usize| {
            plan.call("read_powers", powers_for(n));
            plan.call(MsmG1.name(), len);
        };
        let divide = |plan: &mut Plan, lens: &[usize]| {
            lens.iter().for_each(|len| plan.call(Divide.name(), *len));
        };
        plan.phase("wires");
        plan.call("additions", self.additions);
        plan.call("read_wires", self.gates);
        plan.all(&[Intt; 4]);
        plan.phase("gates");
        plan.quotient(2, |plan| {
            plan.all(&[Ntt; 3]);
            plan.gates();
        });
        plan.phase("commit C1");
        plan.call("interleave", 9 * n);
        commit(&mut plan, 9 * n);

        plan.phase("permutation");
        plan.running_product();
        let long = n + EXTRA_COEFFICIENTS;
        divide(&mut plan, &[long]);
        plan.call(Scale.name(), long - 1);
        plan.quotient(3, |plan| {
            plan.all(&[Ntt; 3]);
            plan.permutation_constraint();
        });
        plan.phase("commit C2");
        plan.call("interleave", 9 * n);
        commit(&mut plan, 9 * n);

        plan.phase("evaluate");
        for what in ["read_q"; 5].into_iter().chain(["read_s"; 3]) {
            plan.read(what);
        }
        plan.call("interleave", 9 * n);
        divide(&mut plan, &[n; 8]);
        plan.call("interleave", 9 * n);
        divide(&mut plan, &[n, n, n, 2 * n]);
        plan.call("interleave", 9 * n);
        divide(&mut plan, &[long, long - 1, long - 1, long - 2, 3 * n, 3 * n - 1]);
        plan.call("interleave", 9 * n);

        plan.phase("open");
        for operator in [Scale, Axpy, Scale, Axpy] {
            plan.call(operator.name(), 9 * n);
        }
        commit(&mut plan, 9 * n);
        for _ in 0..3 {
            plan.call(Axpy.name(), 9 * n);
        }
        divide(&mut plan, &[9 * n]);
        commit(&mut plan, 9 * n - 1);
        plan.calls
    }
}
