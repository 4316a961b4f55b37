//! Instantiates Plonk and fflonk over the listed curves in this crate, so that the tests of other crates do not compile them again.

use crate::plonkish::{Claim, Prepared};
use crate::r1cs::ConstraintSource;
use crate::{fflonk, plonk};
use core::hint::black_box;
use pairwright_curve::{Pairing, compile_for_each_curve};
use rand_core::CryptoRng;

type Rng<'a> = &'a mut dyn CryptoRng;

macro_rules! instances {
    ($($name:ident)+) => {$(
        fn $name<E: Pairing>() {
            use $name::{
                PowersOfTau, VerifyingKey, batch_verify, prove, prove_blinded, setup, setup_local, verify,
            };
            black_box((
                prove::<E> as fn(&mut _, &_, &_, Rng<'_>) -> _,
                prove_blinded::<E> as fn(&mut _, &_, &_, &_) -> _,
                setup::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, &dyn PowersOfTau<E>, Rng<'_>) -> _,
                setup_local::<E> as fn(&mut _, &dyn ConstraintSource<E::Fr>, Rng<'_>) -> _,
                verify::<E, VerifyingKey<E>> as fn(&mut _, &_, &_, &_) -> _,
                Prepared::<E, VerifyingKey<E>>::new as fn(&mut _, &_) -> _,
                Prepared::<E, VerifyingKey<E>>::verify as fn(&_, &mut _, &_, &_) -> _,
                batch_verify::<E, VerifyingKey<E>>
                    as fn(&mut _, &[Claim<'_, E, VerifyingKey<E>>], Rng<'_>) -> _,
            ));
        }
        compile_for_each_curve!($name);
    )+};
}
instances!(plonk fflonk);
