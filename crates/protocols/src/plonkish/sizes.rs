//! Plans: the calls that a proof or a setup will make to its session.

use super::blinding::EXTRA_COEFFICIENTS;
use alloc::vec::Vec;
use pairwright_device::{Operator, PlannedCall};

/// A list of planned calls, to which the methods append.
pub(crate) struct Plan {
    pub(crate) calls: Vec<PlannedCall>,
    phase: &'static str,
    n: usize,
}

impl Plan {
    /// An empty plan for a domain of `n` points.
    pub(crate) fn new(n: usize) -> Self {
        Self { calls: Vec::new(), phase: "", n }
    }
    pub(crate) fn phase(&mut self, phase: &'static str) {
        self.phase = phase;
    }
    pub(crate) fn call(&mut self, operator: &'static str, size: usize) {
        self.calls.push(PlannedCall { phase: self.phase, operator, size });
    }
    /// Adds calls of operators on vectors of `n` elements.
    pub(crate) fn all(&mut self, operators: &[Operator]) {
        operators.iter().for_each(|operator| self.call(operator.name(), self.n));
    }
    /// Adds calls of operators on polynomials of `n + EXTRA_COEFFICIENTS` coefficients.
    pub(crate) fn long(&mut self, operators: &[Operator]) {
        operators.iter().for_each(|operator| self.call(operator.name(), self.n + EXTRA_COEFFICIENTS));
    }
    /// Adds the calls of [`Prover::running_product`](super::prover::Prover::running_product).
    pub(crate) fn running_product(&mut self) {
        use Operator::{Intt, Invert, PrefixProducts, VecMul};
        self.cells();
        self.all(&[Invert, VecMul, PrefixProducts, Intt]);
    }
    /// Adds the calls of [`Prover::permutation_constraint`](super::prover::Prover::permutation_constraint).
    pub(crate) fn permutation_constraint(&mut self) {
        use Operator::{Ntt, VecMul, VecMulSub};
        self.cells();
        self.all(&[Ntt, VecMul, Ntt, VecMulSub]);
    }
    /// Adds the calls of [`Prover::cells`](super::prover::Prover::cells).
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
    /// Adds the calls of [`Prover::quotient`](super::prover::Prover::quotient) with `parts` parts.
    pub(crate) fn quotient(&mut self, parts: usize, dividend: impl Fn(&mut Self)) {
        use Operator::{Axpy, Intt, Scale};
        for before in 0..parts {
            dividend(self);
            self.all(&[Intt, Scale]);
            (0..before).for_each(|_| self.all(&[Axpy]));
        }
        (0..parts).for_each(|part| (0..part).for_each(|_| self.all(&[Axpy])));
    }
    /// Adds the calls of [`Prover::gates`](super::prover::Prover::gates).
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

/// Defines `ProofSizes` for a protocol, given its type of proving keys.
macro_rules! proof_sizes {
    ($key:ident) => {
        /// The sizes that determine the calls of a proof to its session.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub struct ProofSizes {
            /// Number of additional wires, which are not in the witness.
            pub additions: usize,
            /// Number of rows of the table of gates.
            pub gates: usize,
            /// Number of points of the domain.
            pub domain: usize,
        }

        impl ProofSizes {
            /// The sizes of a key.
            pub fn of<E: pairwright_curve::Pairing>(key: &$key<E>) -> Self {
                let gates = key.columns.first().map_or(0, |column| column.len());
                Self { additions: key.additions.len(), gates, domain: key.vk.domain.size() }
            }
        }
    };
}
pub(crate) use proof_sizes;
