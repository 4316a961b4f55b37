//! Conversions of scalars, points, proofs and verifying keys. Nothing is checked: a point is on its curve afterwards if it was
//! before.

use crate::curves::{ArkScalar, Bridge};
use ark_ec::AffineRepr;
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use ark_ff::{Field as ArkField, PrimeField as ArkPrimeField};
use ark_groth16::{Proof as ArkProof, VerifyingKey as ArkVerifyingKey};
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, PrimeField};
use pairwright_protocols::groth16::{Proof, VerifyingKey};

fn prime_to_ark<F: PrimeField, A: ArkPrimeField>(x: &F) -> A {
    let mut limbs = A::BigInt::default();
    for (to, from) in limbs.as_mut().iter_mut().zip(x.to_limbs().as_ref()) {
        *to = *from;
    }
    A::from_bigint(limbs).expect("both are integers modulo the same prime")
}

pub(crate) fn prime_from_ark<A: ArkPrimeField, F: PrimeField>(x: &A) -> F {
    let mut limbs = F::Limbs::default();
    for (to, from) in limbs.as_mut().iter_mut().zip(x.into_bigint().as_ref()) {
        *to = *from;
    }
    F::from_limbs(limbs).expect("both are integers modulo the same prime")
}

fn element_to_ark<F: Extension, A: ArkField>(x: &F) -> A {
    let coords = (0..F::DEGREE).map(|i| prime_to_ark(&x.coord(i)));
    A::from_base_prime_field_elems(coords).expect("both fields have the same degree")
}

fn element_from_ark<A: ArkField, F: Extension>(x: &A) -> F {
    let mut coords = x.to_base_prime_field_elements();
    let Ok(x) = F::try_from_fn(|_| {
        Ok::<_, core::convert::Infallible>(prime_from_ark(
            &coords.next().expect("both fields have the same degree"),
        ))
    });
    x
}

pub(crate) fn point_to_ark<C: Curve, A: SWCurveConfig>(p: &Affine<C>) -> ArkAffine<A> {
    if p.is_infinity() {
        ArkAffine::identity()
    } else {
        ArkAffine::new_unchecked(element_to_ark(&p.x), element_to_ark(&p.y))
    }
}

pub(crate) fn point_from_ark<A: SWCurveConfig, C: Curve>(p: &ArkAffine<A>) -> Affine<C> {
    p.xy().map_or(Affine::INFINITY, |(x, y)| {
        Affine::from_xy_unchecked(element_from_ark(&x), element_from_ark(&y))
    })
}

pub(crate) fn points_from_ark<A: SWCurveConfig, C: Curve>(points: &[ArkAffine<A>]) -> Vec<Affine<C>> {
    points.iter().map(point_from_ark).collect()
}

/// Converts a scalar to arkworks' type.
pub fn scalar_to_ark<E: Bridge>(x: &E::Fr) -> ArkScalar<E> {
    prime_to_ark(x)
}

/// Converts a scalar of arkworks to our type.
pub fn scalar_from_ark<E: Bridge>(x: &ArkScalar<E>) -> E::Fr {
    prime_from_ark(x)
}

/// Converts a proof to arkworks' type.
pub fn proof_to_ark<E: Bridge>(proof: &Proof<E>) -> ArkProof<E::Ark> {
    ArkProof { a: point_to_ark(&proof.a), b: point_to_ark(&proof.b), c: point_to_ark(&proof.c) }
}

/// Converts a proof of arkworks to our type; verifiers check its points.
pub fn proof_from_ark<E: Bridge>(proof: &ArkProof<E::Ark>) -> Proof<E> {
    Proof { a: point_from_ark(&proof.a), b: point_from_ark(&proof.b), c: point_from_ark(&proof.c) }
}

/// Converts a verifying key to arkworks' type.
pub fn verifying_key_to_ark<E: Bridge>(vk: &VerifyingKey<E>) -> ArkVerifyingKey<E::Ark> {
    ArkVerifyingKey {
        alpha_g1: point_to_ark(&vk.alpha_g1),
        beta_g2: point_to_ark(&vk.beta_g2),
        gamma_g2: point_to_ark(&vk.gamma_g2),
        delta_g2: point_to_ark(&vk.delta_g2),
        gamma_abc_g1: vk.ic.iter().map(point_to_ark).collect(),
    }
}

/// Converts a verifying key of arkworks to our type. [`VerifyingKey::check`] checks its points.
pub fn verifying_key_from_ark<E: Bridge>(vk: &ArkVerifyingKey<E::Ark>) -> VerifyingKey<E> {
    VerifyingKey {
        alpha_g1: point_from_ark(&vk.alpha_g1),
        beta_g2: point_from_ark(&vk.beta_g2),
        gamma_g2: point_from_ark(&vk.gamma_g2),
        delta_g2: point_from_ark(&vk.delta_g2),
        ic: points_from_ark(&vk.gamma_abc_g1),
    }
}
