//! Instantiates the protocol over the listed curves in this crate, so that the tests of other crates do not compile it again.

use super::{
    LocalSetup, PowersOfTau, PowersSetup, PreparedVerifyingKey, SetupSteps, contribute, prove,
    setup_from_powers, setup_local, verify, verify_with_unsafe_key,
};
use crate::r1cs::ConstraintSource;
use core::hint::black_box;
use pairwright_curve::{Pairing, compile_for_each_curve};
use rand_core::CryptoRng;

fn groth16<E: Pairing>() {
    type Rng<'a> = &'a mut dyn CryptoRng;
    black_box((
        prove::<E> as fn(&mut _, &_, &_, Rng<'_>) -> _,
        LocalSetup::<E>::draw as fn(&dyn ConstraintSource<E::Fr>, Rng<'_>) -> _,
        PowersSetup::<'static, E>::new
            as fn(
                &mut _,
                &'static dyn ConstraintSource<E::Fr>,
                &'static dyn PowersOfTau<E>,
                SetupSteps,
                Rng<'_>,
            ) -> _,
        PowersSetup::<E>::head as fn(&_, &mut _) -> _,
        PowersSetup::<E>::points_g1 as fn(&_, &mut _, _, _) -> _,
        PowersSetup::<E>::points_g2 as fn(&_, &mut _, _) -> _,
        setup_local::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, Rng<'_>) -> _,
        setup_from_powers::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, &dyn PowersOfTau<E>, Rng<'_>) -> _,
        contribute::<E> as fn(&mut _, _, &_) -> _,
        verify::<E> as fn(&mut _, &_, &_, &_) -> _,
        verify_with_unsafe_key::<E> as fn(&mut _, &_, &_, &_) -> _,
        PreparedVerifyingKey::<E>::new as fn(&mut _, &_) -> _,
        PreparedVerifyingKey::<E>::of_unsafe_key as fn(&mut _, &_) -> _,
        PreparedVerifyingKey::<E>::verify as fn(&_, &mut _, &_, &_) -> _,
        PreparedVerifyingKey::<E>::batch_verify as fn(&_, &mut _, &_, Rng<'_>) -> _,
    ));
}
compile_for_each_curve!(groth16);
