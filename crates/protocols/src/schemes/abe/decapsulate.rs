//! Recovers the encapsulated element of the target group from the head of a ciphertext and a key, by one product of pairings.

use super::AbeError;
use super::attribute_key::{AttributeKey, Four};
use super::attributes::Value;
use super::header::{AbeHeader, Three};
use super::policy::Policy;
use super::sums::Sums;
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Projective};
use pairwright_device::Session;
use pairwright_field::Field;
use zeroize::{Zeroize, Zeroizing};

/// The weighted sum of a key's points over the literals with one number (see [`Policy::numbers`]). Secret, wiped when dropped.
type WeightedSum = Zeroizing<[Projective<G1>; 4]>;

/// Computes the element of the target group that `chosen` literals of a policy and a key give. It is the encapsulated one if the key
/// satisfies these literals and they satisfy the policy.
///
/// Constant time in the key's points; the policy, the literals and the values of attributes are public.
///
/// # Errors
/// When the key lacks an attribute or has the value that a negative literal excludes, or the device fails.
pub(super) fn decapsulate(
    on: &mut Session<'_, Bls12_381>,
    key: &AttributeKey,
    policy: &Policy,
    header: &AbeHeader,
    chosen: &[usize],
) -> Result<Zeroizing<Fq12>, AbeError> {
    let numbers = policy.numbers();
    let mut of_key: BTreeMap<usize, WeightedSum> = BTreeMap::new();
    let mut total = [Projective::<G1>::INFINITY; 3];
    // The weights of negative literals depend on the key's attributes, so these products are computed in constant time.
    let mut weighted = Sums::<G1>::with_room(6 * chosen.len());
    for at in chosen {
        let (Some(literal), Some(c3), Some(number)) =
            (policy.literals.get(*at), header.c3.get(*at), numbers.get(*at))
        else {
            return Err(AbeError::Unsatisfied);
        };
        let held = key.attributes.0.get(&literal.name).zip(key.k3.get(&literal.name));
        let (value, k3) = held.ok_or(AbeError::Unsatisfied)?;
        // The value at which the key's part is evaluated: the key's own, or for a wildcard one that satisfies the literal.
        let (y, part) = match value {
            Value::One(value) => (*value, lifted(k3)),
            Value::Every => {
                let wild = key.k3_wild.get(&literal.name).ok_or(AbeError::Unsatisfied)?;
                let y = if literal.positive { literal.value } else { literal.value + Fr::ONE };
                let mut sum = times(k3, &y);
                sum.iter_mut().zip(wild).for_each(|(sum, point)| *sum += Projective::from(*point));
                (y, sum)
            }
        };
        let sum = of_key.entry(*number).or_insert_with(|| Zeroizing::new([Projective::INFINITY; 4]));
        if literal.positive {
            add(sum, &part, None);
            total.iter_mut().zip(c3).for_each(|(sum, point)| *sum += Projective::from(*point));
        } else {
            let negative: &Three =
                header.c3_negative.get(*at).and_then(Option::as_ref).ok_or(AbeError::Unsatisfied)?;
            let weight = (literal.value - y).invert().ok_or(AbeError::Unsatisfied)?;
            add(sum, &part, Some(&weight));
            for (point, negative) in c3.iter().zip(negative) {
                weighted.add([(*point, y * weight), (*negative, weight)]);
            }
        }
    }
    for column in weighted.compute(on)?.chunks_exact(3) {
        total.iter_mut().zip(column).for_each(|(sum, point)| *sum += Projective::from(*point));
    }

    let mut pairs: Zeroizing<Vec<(Affine<G1>, Affine<G2>)>> =
        Zeroizing::new(Vec::with_capacity(4 * of_key.len() + 7));
    for (number, sum) in &of_key {
        let c2 = header.c2.get(*number).ok_or(AbeError::Unsatisfied)?;
        let mut points = Projective::batch_to_affine(sum.as_slice());
        pairs.extend(points.iter().copied().zip(c2.iter().copied()));
        points.zeroize();
    }
    let total = Projective::batch_to_affine(&total);
    pairs.extend(total.iter().map(|point| -*point).zip(key.k1));
    pairs.extend(key.k2.iter().copied().zip(header.c1));
    Ok(Zeroizing::new(on.multi_pairing(&pairs)?))
}

fn lifted(points: &Four) -> WeightedSum {
    Zeroizing::new(points.map(Projective::from))
}

fn times(points: &Four, by: &Fr) -> WeightedSum {
    Zeroizing::new(points.map(|point| Projective::from(point).mul(by)))
}

/// Adds points to a sum, multiplied by a weight if there is one.
fn add(sum: &mut WeightedSum, points: &WeightedSum, weight: Option<&Fr>) {
    for (sum, point) in sum.iter_mut().zip(points.iter()) {
        *sum += weight.map_or(*point, |weight| point.mul(weight));
    }
}
