//! [`Device`]: a board of operators, every slot full.

use crate::{MsmOp, NttOp, PairingOp, SumcheckOp, TreeOp, VecOp};
use core::fmt;
use pairwright_curve::Pairing;
use std::sync::Arc;

/// A machine as protocols see it: one operator in every slot.
///
/// A board is a value: `cpu::board::<E>().with_g1(other)` mixes machines without a new type.
#[derive(Clone)]
pub struct Device<E: Pairing> {
    /// Name in reports and on the command line.
    pub name: &'static str,
    /// Transforms over the scalar field.
    pub ntt: Arc<dyn NttOp<E::Fr>>,
    /// Vector arithmetic over the scalar field.
    pub vec: Arc<dyn VecOp<E::Fr>>,
    /// Multi-scalar multiplication in the first group.
    pub g1: Arc<dyn MsmOp<E::G1>>,
    /// Multi-scalar multiplication in the second group.
    pub g2: Arc<dyn MsmOp<E::G2>>,
    /// The provider of pairing products.
    pub pairing: Arc<dyn PairingOp<E>>,
    /// Trees over the scalar field and over digests.
    pub tree: Arc<dyn TreeOp<E::Fr>>,
    /// Rounds of sumchecks over the scalar field.
    pub sumcheck: Arc<dyn SumcheckOp<E::Fr>>,
}

impl<E: Pairing> Device<E> {
    /// The board under another name.
    #[must_use]
    pub fn named(mut self, name: &'static str) -> Self {
        self.name = name;
        self
    }
    /// The board with another transform.
    #[must_use]
    pub fn with_ntt(mut self, op: Arc<dyn NttOp<E::Fr>>) -> Self {
        self.ntt = op;
        self
    }
    /// The board with other vector arithmetic.
    #[must_use]
    pub fn with_vec(mut self, op: Arc<dyn VecOp<E::Fr>>) -> Self {
        self.vec = op;
        self
    }
    /// The board with another MSM in the first group.
    #[must_use]
    pub fn with_g1(mut self, op: Arc<dyn MsmOp<E::G1>>) -> Self {
        self.g1 = op;
        self
    }
    /// The board with another MSM in the second group.
    #[must_use]
    pub fn with_g2(mut self, op: Arc<dyn MsmOp<E::G2>>) -> Self {
        self.g2 = op;
        self
    }
    /// The board with another pairing.
    #[must_use]
    pub fn with_pairing(mut self, op: Arc<dyn PairingOp<E>>) -> Self {
        self.pairing = op;
        self
    }
    /// The board with other trees.
    #[must_use]
    pub fn with_tree(mut self, op: Arc<dyn TreeOp<E::Fr>>) -> Self {
        self.tree = op;
        self
    }
    /// The board with other rounds of sumchecks.
    #[must_use]
    pub fn with_sumcheck(mut self, op: Arc<dyn SumcheckOp<E::Fr>>) -> Self {
        self.sumcheck = op;
        self
    }
}

impl<E: Pairing> fmt::Debug for Device<E> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Device({} on {})", self.name, E::NAME)
    }
}
