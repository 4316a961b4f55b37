//! The head of a ciphertext: encapsulates a random element of the target group under a policy.

use super::algebra::Pair;
use super::bytes::{AbeReader, put_column, put_length, put_part};
use super::oracle::{Points, at_values, name_points};
use super::policy::Policy;
use super::sums::{Sums, column};
use super::{AbeError, EncodingFault, PublicKey};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use pairwright_curve::bls12_381::{Bls12_381, Fq12, Fr, G1, G2};
use pairwright_curve::{Affine, Pairing};
use pairwright_device::Session;
use pairwright_field::Field;
use rand_core::CryptoRng;
use zeroize::{Zeroize, Zeroizing};

/// A column of three points of G1.
pub(super) type Three = [Affine<G1>; 3];
/// A column of four points of G2.
pub(super) type FourG2 = [Affine<G2>; 4];

/// The parts of a head without its policy: `c1` and `c2` for the randomness, one `c3` for each literal with the reserved one last,
/// and one `c3_negative` for each negative literal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct AbeHeader {
    pub(super) c1: FourG2,
    pub(super) c2: Vec<FourG2>,
    pub(super) c3: Vec<Three>,
    pub(super) c3_negative: Vec<Option<Three>>,
}

/// Encapsulates a random element of the target group under a policy that already includes the reserved attribute.
///
/// # Errors
/// When the gates of the policy are not a tree, or the device fails.
pub(super) fn encapsulate(
    on: &mut Session<'_, Bls12_381>,
    key: &PublicKey,
    policy: &Policy,
    rng: &mut dyn CryptoRng,
) -> Result<(AbeHeader, Zeroizing<Fq12>), AbeError> {
    let numbers = policy.numbers();
    let r = Pair::random(rng);
    let ri: Vec<Pair> = (0..needed(&numbers)).map(|_| Pair::random(rng)).collect();
    let shares = policy.shares(&r, rng).map_err(|fault| AbeError::Bytes {
        what: "policy",
        field: "gates",
        offset: 0,
        fault,
    })?;

    let mut sums = Sums::<G2>::with_room(8 * (1 + ri.len()));
    for pair in core::iter::once(&r).chain(&ri) {
        for row in &key.b {
            sums.add(row.iter().copied().zip(pair.entries()));
        }
    }
    let mut columns = sums.compute(on)?.into_iter();
    let c1 = column(&mut columns)?;
    let c2 = ri.iter().map(|_| column(&mut columns)).collect::<Result<_, _>>()?;

    let names: BTreeMap<&str, usize> = {
        let mut names: BTreeMap<&str, usize> = policy.literals.iter().map(|l| (l.name.as_str(), 0)).collect();
        names.values_mut().enumerate().for_each(|(at, place)| *place = at);
        names
    };
    let matrices = name_points(on, &names.keys().copied().collect::<Vec<_>>())?;
    let of_names: Vec<&[Points; 2]> =
        policy.literals.iter().filter_map(|l| matrices.get(*names.get(l.name.as_str())?)).collect();
    let positive = policy.literals.iter().zip(&of_names).filter(|(literal, _)| literal.positive);
    let positive: Vec<_> = positive.map(|(literal, u)| (*u, literal.value)).collect();
    let mut at_values = at_values(on, &positive)?.into_iter();
    let mut sums = Sums::<G1>::with_room(24 * policy.literals.len());
    for (((literal, share), number), [u0, u1]) in
        policy.literals.iter().zip(&shares).zip(&numbers).zip(of_names)
    {
        let r = &ri[*number];
        let mut add = |u: &Points, share: &Pair| {
            for (u, wb) in u.iter().zip(&key.wb) {
                let of_share = wb.iter().copied().zip(share.entries());
                sums.add(u.iter().copied().zip(r.entries()).chain(of_share));
            }
        };
        match literal.positive.then(|| at_values.next()).flatten() {
            // (U0·value + U1)·r + W·B·share.
            Some(u) => add(&u, share),
            // U0·r - W·B·share, and U1·r + value·W·B·share.
            None => {
                add(u0, &share.scaled(-Fr::ONE));
                add(u1, &share.scaled(literal.value));
            }
        }
    }
    let mut columns = sums.compute(on)?.into_iter();
    let (mut c3, mut c3_negative) = (Vec::new(), Vec::new());
    for literal in &policy.literals {
        c3.push(column(&mut columns)?);
        c3_negative.push(if literal.positive { None } else { Some(column(&mut columns)?) });
    }

    let mut powers = [0, 1].map(|i| {
        let exponent = Zeroizing::new(r.at(i, 0));
        Bls12_381::gt_pow(&key.btk[i], &exponent)
    });
    let shared = Zeroizing::new(powers[0] * powers[1]);
    powers.zeroize();
    Ok((AbeHeader { c1, c2, c3, c3_negative }, shared))
}

/// The number of columns `c2`: one for each distinct number in [`Policy::numbers`].
fn needed(numbers: &[usize]) -> usize {
    numbers.iter().max().map_or(0, |most| most + 1)
}

impl AbeHeader {
    /// The encoding: the policy without the reserved attribute, then the parts.
    pub(super) fn to_bytes(&self, policy: &[u8]) -> Vec<u8> {
        let mut out = Vec::new();
        put_part(&mut out, policy);
        put_column(&mut out, &self.c1);
        put_length(&mut out, self.c2.len(), 2);
        self.c2.iter().for_each(|points| put_column(&mut out, points));
        put_length(&mut out, self.c3.len(), 2);
        self.c3.iter().for_each(|points| put_column(&mut out, points));
        for points in &self.c3_negative {
            match points {
                Some(points) => put_column(&mut out, points),
                None => put_length(&mut out, 0, 2),
            }
        }
        out
    }

    /// Reads a policy and the parts whose number it determines.
    pub(super) fn read(mut reader: AbeReader<'_>) -> Result<(Policy, Self), AbeError> {
        let policy = Policy::read(reader.part(2, "policy")?)?;
        let c1 = reader.column("c1")?;
        // The reserved literal has a name of its own and so the number 0, which does not increase the count.
        let c2 = count(&mut reader, "c2", needed(&policy.numbers()))?;
        let c2 = (0..c2).map(|_| reader.column("c2")).collect::<Result<_, _>>()?;
        let literals = count(&mut reader, "c3", policy.literals.len().saturating_add(1))?;
        let c3 = (0..literals).map(|_| reader.column("c3")).collect::<Result<_, _>>()?;
        let positive = policy.literals.iter().map(|literal| literal.positive).chain([true]);
        let mut c3_negative = Vec::new();
        for positive in positive {
            const FIELD: &str = "c3 of negative literals";
            c3_negative.push(if positive {
                let before = reader;
                let part = reader.part(2, FIELD)?;
                if part.len() != 0 {
                    return Err(before.fault(FIELD, EncodingFault::Length { expected: 0, found: part.len() }));
                }
                None
            } else {
                Some(reader.column(FIELD)?)
            });
        }
        reader.end("the end of the head")?;
        Ok((policy, Self { c1, c2, c3, c3_negative }))
    }
}

/// Reads a count, which must be the expected one.
fn count(reader: &mut AbeReader<'_>, field: &'static str, expected: usize) -> Result<usize, AbeError> {
    let before = *reader;
    let found = reader.u16(field)?;
    if found == expected {
        Ok(found)
    } else {
        Err(before.fault(field, EncodingFault::Count { expected, found }))
    }
}
