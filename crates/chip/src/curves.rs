//! The curves that the chip is built for.
//!
//! Engines are generic and long. Here they are built once for every curve; who calls them through [`OnChip`] does not
//! build them again.

use crate::MachineSpec;
use crate::board::{self, Pairings};
use crate::isa::{Group, VectorOp};
use crate::machine::top::{Account, Executed};
use crate::operator::{self, OperatorError, Options, Outcome};
use crate::prover::{self, Inputs, Section, Sums};
use crate::task::ntt::Shape;
use crate::task::prover::Sizes;
use pairwright_curve::bls12_377::Bls12_377;
use pairwright_curve::bls12_381::Bls12_381;
use pairwright_curve::bn254::Bn254;
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing, Projective};
use pairwright_device::{Device, PairingOp};
use std::sync::Arc;

/// A pairing of this project on the chip: the operators of [`operator`] and [`prover`], over its groups.
pub trait OnChip: Pairing {
    /// [`board::board`].
    fn on_board(spec: &MachineSpec, host: Device<Self>) -> Device<Self>;

    /// The pairing slot: the chip's over BLS12-381, which its routines are written for, elsewhere the host's.
    fn pairing_slot(spec: &MachineSpec, host: &Device<Self>) -> Arc<dyn PairingOp<Self>>;

    /// [`operator::ntt`].
    ///
    /// # Errors
    /// [`OperatorError`].
    fn ntt(
        spec: &MachineSpec,
        shape: &Shape<Self::Fr>,
        options: Options,
        data: &mut [Self::Fr],
    ) -> Result<Account, OperatorError>;

    /// [`operator::ntt_timing`].
    ///
    /// # Errors
    /// [`OperatorError`].
    fn ntt_timing(
        spec: &MachineSpec,
        shape: &Shape<Self::Fr>,
        options: Options,
    ) -> Result<Outcome<Vec<Executed>>, OperatorError>;

    /// [`operator::vector`].
    ///
    /// # Errors
    /// [`OperatorError`].
    fn vector(
        spec: &MachineSpec,
        options: Options,
        a: &mut [Self::Fr],
        operands: &[(VectorOp, &[Self::Fr])],
    ) -> Result<Account, OperatorError>;

    /// [`operator::msm`] in G1.
    ///
    /// # Errors
    /// [`OperatorError`].
    fn msm_g1(
        spec: &MachineSpec,
        options: Options,
        bases: &[G1Affine<Self>],
        scalars: &[Self::Fr],
    ) -> Result<Outcome<Projective<Self::G1>>, OperatorError>;

    /// [`operator::msm`] in G2.
    ///
    /// # Errors
    /// [`OperatorError`].
    fn msm_g2(
        spec: &MachineSpec,
        options: Options,
        bases: &[G2Affine<Self>],
        scalars: &[Self::Fr],
    ) -> Result<Outcome<Projective<Self::G2>>, OperatorError>;

    /// [`operator::msm_timing`].
    ///
    /// # Errors
    /// [`OperatorError`].
    fn msm_timing(
        spec: &MachineSpec,
        group: Group,
        options: Options,
        scalars: &[Self::Fr],
    ) -> Result<Outcome<Vec<Executed>>, OperatorError>;

    /// [`prover::sums`].
    ///
    /// # Errors
    /// [`OperatorError`].
    fn sums(
        spec: &MachineSpec,
        options: Options,
        inputs: &Inputs<'_, Self>,
    ) -> Result<(Outcome<Sums<Self>>, Vec<Section>), OperatorError>;

    /// [`prover::timing`].
    ///
    /// # Errors
    /// [`OperatorError`].
    fn proof_timing(
        spec: &MachineSpec,
        options: Options,
        sizes: &Sizes<Self::Fr>,
        seed: u64,
    ) -> Result<(Outcome<Vec<Executed>>, Vec<Section>), OperatorError>;
}

macro_rules! on_chip {
    ($pairing:ty, $slot:expr) => {
        impl OnChip for $pairing {
            #[inline(never)]
            fn on_board(spec: &MachineSpec, host: Device<Self>) -> Device<Self> {
                board::assemble(spec, host)
            }
            fn pairing_slot(spec: &MachineSpec, host: &Device<Self>) -> Arc<dyn PairingOp<Self>> {
                $slot(spec, host)
            }
            #[inline(never)]
            fn ntt(
                spec: &MachineSpec,
                shape: &Shape<Self::Fr>,
                options: Options,
                data: &mut [Self::Fr],
            ) -> Result<Account, OperatorError> {
                operator::ntt(spec, shape, options, data)
            }
            #[inline(never)]
            fn ntt_timing(
                spec: &MachineSpec,
                shape: &Shape<Self::Fr>,
                options: Options,
            ) -> Result<Outcome<Vec<Executed>>, OperatorError> {
                operator::ntt_timing(spec, shape, options)
            }
            #[inline(never)]
            fn vector(
                spec: &MachineSpec,
                options: Options,
                a: &mut [Self::Fr],
                operands: &[(VectorOp, &[Self::Fr])],
            ) -> Result<Account, OperatorError> {
                operator::vector(spec, options, a, operands)
            }
            #[inline(never)]
            fn msm_g1(
                spec: &MachineSpec,
                options: Options,
                bases: &[Affine<Self::G1>],
                scalars: &[Self::Fr],
            ) -> Result<Outcome<Projective<Self::G1>>, OperatorError> {
                operator::msm(spec, Group::G1, options, bases, scalars)
            }
            #[inline(never)]
            fn msm_g2(
                spec: &MachineSpec,
                options: Options,
                bases: &[Affine<Self::G2>],
                scalars: &[Self::Fr],
            ) -> Result<Outcome<Projective<Self::G2>>, OperatorError> {
                operator::msm(spec, Group::G2, options, bases, scalars)
            }
            #[inline(never)]
            fn msm_timing(
                spec: &MachineSpec,
                group: Group,
                options: Options,
                scalars: &[Self::Fr],
            ) -> Result<Outcome<Vec<Executed>>, OperatorError> {
                operator::msm_timing(spec, group, options, scalars)
            }
            #[inline(never)]
            fn sums(
                spec: &MachineSpec,
                options: Options,
                inputs: &Inputs<'_, Self>,
            ) -> Result<(Outcome<Sums<Self>>, Vec<Section>), OperatorError> {
                prover::sums(spec, options, inputs)
            }
            #[inline(never)]
            fn proof_timing(
                spec: &MachineSpec,
                options: Options,
                sizes: &Sizes<Self::Fr>,
                seed: u64,
            ) -> Result<(Outcome<Vec<Executed>>, Vec<Section>), OperatorError> {
                prover::timing(spec, options, sizes, seed)
            }
        }
    };
}
on_chip!(Bls12_381, |spec, _| Pairings::slot(spec));
on_chip!(Bn254, |_, host: &Device<Self>| host.pairing.clone());
on_chip!(Bls12_377, |_, host: &Device<Self>| host.pairing.clone());
