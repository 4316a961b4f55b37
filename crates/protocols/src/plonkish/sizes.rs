//! What a proof will ask of its session.

use super::blinding::EXTRA_COEFFICIENTS;
use alloc::vec::Vec;
use pairwright_device::{Operator, PlannedCall};

/// A list of calls while it grows.
pub(crate) struct Plan {
    pub(crate) calls: Vec<PlannedCall>,
    phase: &'static str,
    n: usize,
}

impl Plan {
    /// No calls yet, for a domain of `n` points.
    pub(crate) fn new(n: usize) -> Self {
        Self { calls: Vec::new(), phase: "", n }
    }
    pub(crate) fn phase(&mut self, phase: &'static str) {
        self.phase = phase;
    }
    pub(crate) fn call(&mut self, operator: &'static str, size: usize) {
        self.calls.push(PlannedCall { phase: self.phase, operator, size });
    }
    /// Operators on vectors of a value for each point of the domain.
    pub(crate) fn all(&mut self, operators: &[Operator]) {
        operators.iter().for_each(|operator| self.call(operator.name(), self.n));
    }
    /// Operators on polynomials with room for their blinding.
    pub(crate) fn long(&mut self, operators: &[Operator]) {
        operators.iter().for_each(|operator| self.call(operator.name(), self.n + EXTRA_COEFFICIENTS));
    }
    /// What [`Prover::running_product`](super::prover::Prover::running_product) asks for.
    pub(crate) fn running_product(&mut self) {
        use Operator::{Intt, Invert, PrefixProducts, VecMul};
        self.cells();
        self.all(&[Invert, VecMul, PrefixProducts, Intt]);
    }
    /// What [`Prover::steps`](super::prover::Prover::steps) asks for.
    pub(crate) fn steps(&mut self) {
        use Operator::{Ntt, VecMul, VecMulSub};
        self.cells();
        self.all(&[Ntt, VecMul, Ntt, VecMulSub]);
    }
    /// What [`Prover::cells`](super::prover::Prover::cells) asks for.
    fn cells(&mut self) {
        use Operator::{Axpy, Ntt, Powers, Scale, VecMul};
        self.all(&[Powers, Axpy, Axpy, Axpy]);
        for column in 0..3 {
            self.read("read_s");
            self.all(&[Scale, Ntt, Axpy]);
            self.all(&[VecMul; 1][..column.min(1)]);
        }
        for column in 0..3 {
            self.all(&[Powers, Axpy]);
            self.all(&[VecMul; 1][..column.min(1)]);
        }
    }
    /// What [`Prover::quotient`](super::prover::Prover::quotient) asks for, of so many parts.
    pub(crate) fn quotient(&mut self, parts: usize, dividend: impl Fn(&mut Self)) {
        use Operator::{Axpy, Intt, Scale};
        for before in 0..parts {
            dividend(self);
            self.all(&[Intt, Scale]);
            (0..before).for_each(|_| self.all(&[Axpy]));
        }
        (0..parts).for_each(|part| (0..part).for_each(|_| self.all(&[Axpy])));
    }
    /// What [`Prover::gates`](super::prover::Prover::gates) asks for.
    pub(crate) fn gates(&mut self) {
        use Operator::{Axpy, Ntt, VecMul};
        self.read("read_q");
        self.all(&[Ntt, VecMul]);
        self.read("read_q");
        self.all(&[Ntt, Axpy, VecMul]);
        for _ in 0..2 {
            self.read("read_q");
            self.all(&[Ntt, VecMul, Axpy]);
        }
        self.read("read_q");
        self.all(&[Axpy, Ntt, Axpy]);
    }
    pub(crate) fn read(&mut self, what: &'static str) {
        self.call(what, self.n);
    }
}

/// The sizes of a protocol's proofs, for its type of proving keys.
macro_rules! proof_sizes {
    ($key:ident) => {
        /// The sizes that decide what a proof asks of a session.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct ProofSizes {
            /// Number of wires that the witness does not have.
            pub additions: usize,
            /// Number of rows of the table of gates.
            pub gates: usize,
            /// Points of the domain.
            pub domain: usize,
        }

        impl ProofSizes {
            /// Those of a key.
            pub fn of<E: pairwright_curve::Pairing>(key: &$key<E>) -> Self {
                let gates = key.columns.first().map_or(0, |column| column.len());
                Self { additions: key.additions.len(), gates, domain: key.vk.domain.size() }
            }
        }
    };
}
pub(crate) use proof_sizes;
