//! The chip's operators compiled for the curves of this project.
//!
//! The engines are long generic functions. They are compiled here once for each curve, and callers of [`OnChip`] do not
//! compile them again.

use crate::MachineSpec;
use crate::board;
use crate::isa::{Group, VectorOp};
use crate::machine::top::{Account, Watch};
use crate::operator::{self, OperatorError, OperatorOptions, Outcome, Scalars};
use crate::task::ntt::Shape;
use pairwright_curve::{G1Affine, G2Affine, Pairing, Projective, for_each_curve};
use pairwright_device::Device;

/// Declares a trait whose functions forward to generic ones, and implements it for every curve, so that the generic
/// functions are compiled once per curve.
#[doc(hidden)]
#[macro_export]
macro_rules! compiled_for {
    (
        curves { $($id:ident [$curve:ty] $($name:literal)+;)+ }
        fixtures { $($fixture:tt)* }
        $(#[$about:meta])* trait $trait:ident: $super:ident $functions:tt
    ) => {
        $crate::compiled_for!(@trait [$(#[$about])*] $trait $super $functions);
        $($crate::compiled_for!(@curve $curve, $trait $functions);)+
    };
    (@trait [$($about:tt)*] $trait:ident $super:ident {$(
        $(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $function:expr;
    )+}) => {
        $($about)*
        pub trait $trait: $super {
            $($(#[$doc])* fn $name($($argument: $type),*) -> $result;)+
        }
    };
    (@curve $curve:ty, $trait:ident {$(
        $(#[$doc:meta])* fn $name:ident($($argument:ident: $type:ty),*) -> $result:ty = $function:expr;
    )+}) => {
        impl $trait for $curve {
            $(
                #[inline(never)]
                fn $name($($argument: $type),*) -> $result {
                    $function($($argument),*)
                }
            )+
        }
    };
}

for_each_curve! {
    compiled_for
    /// The functions of [`operator`] for the scalar field and the groups of a pairing of this project.
    trait OnChip: Pairing {
        /// Puts the chip into a board; see [`board::board`].
        fn on_board(spec: &MachineSpec, host: Device<Self>) -> Device<Self> = board::board;

        /// See [`operator::ntt`].
        ///
        /// # Errors
        /// [`OperatorError`].
        fn ntt(
            spec: &MachineSpec,
            shape: &Shape<Self::Fr>,
            options: OperatorOptions,
            data: &mut [Self::Fr]
        ) -> Result<Account, OperatorError> = operator::ntt;

        /// See [`operator::ntt_watched`].
        ///
        /// # Errors
        /// [`OperatorError`].
        fn ntt_watched(
            spec: &MachineSpec,
            shape: &Shape<Self::Fr>,
            options: OperatorOptions,
            watch: Watch<'_>
        ) -> Result<Account, OperatorError> = operator::ntt_watched;

        /// See [`operator::vector`].
        ///
        /// # Errors
        /// [`OperatorError`].
        fn vector(
            spec: &MachineSpec,
            options: OperatorOptions,
            a: &mut [Self::Fr],
            operands: &[(VectorOp, &[Self::Fr])]
        ) -> Result<Account, OperatorError> = operator::vector;

        /// See [`operator::msm`]; the group is G1.
        ///
        /// # Errors
        /// [`OperatorError`].
        fn msm_g1(
            spec: &MachineSpec,
            options: OperatorOptions,
            bases: &[G1Affine<Self>],
            scalars: &[Self::Fr]
        ) -> Result<Outcome<Projective<Self::G1>>, OperatorError> =
            |spec, options, bases, scalars| operator::msm(spec, Group::G1, options, bases, scalars);

        /// See [`operator::msm`]; the group is G2.
        ///
        /// # Errors
        /// [`OperatorError`].
        fn msm_g2(
            spec: &MachineSpec,
            options: OperatorOptions,
            bases: &[G2Affine<Self>],
            scalars: &[Self::Fr]
        ) -> Result<Outcome<Projective<Self::G2>>, OperatorError> =
            |spec, options, bases, scalars| operator::msm(spec, Group::G2, options, bases, scalars);

        /// See [`operator::msm_timing`].
        ///
        /// # Errors
        /// [`OperatorError`].
        fn msm_timing(
            spec: &MachineSpec,
            group: Group,
            options: OperatorOptions,
            scalars: &[Self::Fr]
        ) -> Result<Account, OperatorError> = operator::msm_timing;

        /// See [`operator::msm_watched`].
        ///
        /// # Errors
        /// [`OperatorError`].
        fn msm_watched(
            spec: &MachineSpec,
            group: Group,
            options: OperatorOptions,
            entries: u64,
            scalars: Scalars<Self::Fr>,
            watch: Watch<'_>
        ) -> Result<Account, OperatorError> = operator::msm_watched;
    }
}
