//! Instances of the fields, group laws and pairings for the listed curves, compiled in this crate once for all users.

use crate::{
    Affine, Curve, FixedBases, Jacobian, Pairing, Projective, Xyzz, batch_to_affine, compile_for_each_curve,
};
use core::hint::black_box;
use core::ops::{Add, Neg, Sub};
use pairwright_field::{PrimeField, Sqrt, batch_invert};

fn any_field<F: Sqrt>() {
    black_box((
        F::mul as fn(_, _) -> _,
        F::square as fn(_) -> _,
        F::invert as fn(&_) -> _,
        F::sqrt_vartime as fn(&_) -> _,
        F::pow_vartime as fn(&_, &_) -> _,
        batch_invert::<F> as fn(&mut _),
    ));
}

fn field<F: PrimeField>() {
    any_field::<F>();
    black_box((
        F::from_limbs as fn(_) -> _,
        F::from_limbs_reduced as fn(&_) -> _,
        F::to_limbs as fn(&_) -> _,
        F::from_decimal as fn(&_) -> _,
        F::to_decimal as fn(&_) -> _,
        F::root_of_unity as fn(_) -> _,
    ));
}

fn group<C: Curve>() {
    any_field::<C::Base>();
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
        Projective::<C>::batch_to_affine as fn(&_) -> _,
        Projective::<C>::mul_sum as fn(&_) -> _,
        FixedBases::<C>::new as fn(&_) -> _,
        batch_to_affine::<C> as fn(&_) -> _,
        C::clear_cofactor_vartime as fn(&_) -> _,
    ));
}

fn pairing<E: Pairing>() {
    field::<E::Fr>();
    field::<E::Fq>();
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
