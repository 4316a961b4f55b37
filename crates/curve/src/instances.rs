//! The group laws and pairings of the listed curves, compiled in this crate for all that use them in tests.

use crate::{Affine, Curve, Jacobian, Pairing, Projective, Xyzz, batch_to_affine, compile_for_each_curve};
use core::hint::black_box;
use core::ops::{Add, Neg, Sub};

fn group<C: Curve>() {
    black_box((
        Jacobian::<C>::add as fn(_, _) -> _,
        Jacobian::<C>::sub as fn(_, _) -> _,
        Jacobian::<C>::neg as fn(_) -> _,
        Jacobian::<C>::double as fn(&_) -> _,
        Jacobian::<C>::add_mixed as fn(&_, &_) -> _,
        Jacobian::<C>::to_affine as fn(&_) -> _,
        Jacobian::<C>::mul_vartime as fn(&_, &_) -> _,
        Jacobian::<C>::mul_limbs_vartime as fn(&_, &_) -> _,
    ));
    black_box((
        Projective::<C>::add as fn(_, _) -> _,
        Projective::<C>::double as fn(&_) -> _,
        Projective::<C>::mul as fn(&_, &_) -> _,
        Projective::<C>::to_affine as fn(&_) -> _,
        Xyzz::<C>::add as fn(_, _) -> _,
        Xyzz::<C>::double as fn(&_) -> _,
        Xyzz::<C>::add_mixed as fn(&_, &_) -> _,
        Affine::<C>::from as fn(Xyzz<C>) -> _,
        Affine::<C>::is_in_subgroup_vartime as fn(&_) -> _,
        batch_to_affine::<C> as fn(&_) -> _,
    ));
}

fn pairing<E: Pairing>() {
    group::<E::G1>();
    group::<E::G2>();
    black_box((
        E::prepare_g2 as fn(&_) -> _,
        E::prepare_fixed_g2 as fn(&_) -> _,
        E::multi_miller_loop as fn(&_) -> _,
        E::final_exponentiation as fn(&_) -> _,
        E::gt_inverse as fn(&_) -> _,
        E::gt_pow as fn(&_, &_) -> _,
        E::gt_pow_vartime as fn(&_, &_) -> _,
        E::multi_pairing as fn(&_) -> _,
    ));
}

compile_for_each_curve!(pairing);
