//! The parts of the chip that programs add for each curve: a pairing slot, and whole proofs.
//!
//! As in [`OnChip`], the large generic functions are instantiated here, once per curve.

use crate::pairing_slot::Pairings;
use crate::prover::{self, Inputs, ProofError, Quotient, Section, Sums};
use core::any::Any;
use pairwright_chip::machine::top::{Account, Watch};
use pairwright_chip::operator::{OperatorOptions, Outcome};
use pairwright_chip::{MachineSpec, OnChip, compiled_for};
use pairwright_curve::{Pairing, for_each_curve};
use pairwright_device::{Device, PairingOp, PlannedCall};
use std::sync::Arc;

for_each_curve! {
    compiled_for
    /// A pairing-friendly curve of this project for which the chip computes Groth16 proofs.
    trait OnChipPrograms: OnChip {
        /// The pairing slot: the chip's for BLS12-381, for which its routines are written, and the host's for other
        /// curves.
        fn pairing_slot(spec: &MachineSpec, host: &Device<Self>) -> Arc<dyn PairingOp<Self>> = slot;

        /// See [`prover::sums`].
        ///
        /// # Errors
        /// [`ProofError`].
        fn sums(
            spec: &MachineSpec,
            options: OperatorOptions,
            inputs: &Inputs<'_, Self>
        ) -> Result<(Outcome<Sums<Self>>, Vec<Section>), ProofError> = prover::sums;

        /// See [`prover::watched`].
        ///
        /// # Errors
        /// [`ProofError`].
        fn proof_watched(
            spec: &MachineSpec,
            options: OperatorOptions,
            plan: &[PlannedCall],
            random: (Quotient, u64),
            watch: Watch<'_>
        ) -> Result<(Account, Vec<Section>), ProofError> = prover::watched::<Self::Fr>;
    }
}

/// The chip's pairing slot if the curve is BLS12-381, otherwise the host's.
fn slot<E: Pairing>(spec: &MachineSpec, host: &Device<E>) -> Arc<dyn PairingOp<E>> {
    let slot: Box<dyn Any> = Box::new(Pairings::slot(spec));
    slot.downcast::<Arc<dyn PairingOp<E>>>().map_or_else(|_| host.pairing.clone(), |slot| *slot)
}
