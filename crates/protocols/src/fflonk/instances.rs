//! The protocol over the listed curves, compiled in this crate for all that use it in tests.

use super::{
    Claim, PowersOfTau, PreparedVerifyingKey, VerifyingKey, batch_verify, prove, prove_blinded, setup,
    setup_local, verify,
};
use crate::r1cs::ConstraintSource;
use core::hint::black_box;
use pairwright_curve::{Pairing, compile_for_each_curve};
use rand_core::CryptoRng;

fn fflonk<E: Pairing>() {
    type Rng<'a> = &'a mut dyn CryptoRng;
    black_box((
        prove::<E> as fn(&mut _, &_, &_, Rng<'_>) -> _,
        prove_blinded::<E> as fn(&mut _, &_, &_, &_) -> _,
        setup::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, &dyn PowersOfTau<E>, Rng<'_>) -> _,
        setup_local::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, Rng<'_>) -> _,
        verify::<E, VerifyingKey<E>> as fn(&mut _, &_, &_, &_) -> _,
        PreparedVerifyingKey::<E>::new as fn(&mut _, &_) -> _,
        PreparedVerifyingKey::<E>::verify as fn(&_, &mut _, &_, &_) -> _,
        batch_verify::<E, VerifyingKey<E>> as fn(&mut _, &[Claim<'_, E>], Rng<'_>) -> _,
    ));
}
compile_for_each_curve!(fflonk);
