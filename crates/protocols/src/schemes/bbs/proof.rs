//! The types of proofs and of disclosed messages, and the encoding of proofs.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use super::{BbsError, Ciphersuite, Generators};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{Fr, G1};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_field::{Field, PrimeField};

/// Bytes of a scalar.
const SCALAR: usize = 32;

/// A proof of possession of a signature of disclosed and hidden messages: three points of the subgroup that are not neutral, and
/// nonzero scalars, one for each hidden message and four more.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Proof {
    pub(super) a_bar: Affine<G1>,
    pub(super) b_bar: Affine<G1>,
    pub(super) d: Affine<G1>,
    /// The responses `e^`, `r1^` and `r3^`.
    pub(super) responses: [Fr; 3],
    /// The response of each hidden message, `m^`.
    pub(super) hidden: Vec<Fr>,
    pub(super) challenge: Fr,
}

impl Proof {
    /// Number of messages that are not disclosed.
    pub fn hidden(&self) -> usize {
        self.hidden.len()
    }

    /// Reads a proof, `octets_to_proof` (§4.2.4.5): three compressed points, then the scalars. Variable time.
    ///
    /// # Errors
    /// When the length is not possible for a proof, a point is outside of the subgroup or neutral, or a scalar is zero or not below r.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BbsError> {
        let wrong = || BbsError::Length { what: "proof", found: bytes.len() };
        let size = ZcashCompressed::len::<G1>();
        let (points, scalars) = bytes.split_at_checked(3 * size).ok_or_else(wrong)?;
        if scalars.len() < 4 * SCALAR || !scalars.len().is_multiple_of(SCALAR) {
            return Err(wrong());
        }
        let mut parts = points.chunks(size).zip(["Abar", "Bbar", "D"]).map(|(at, part)| read_point(part, at));
        let mut next = || parts.next().unwrap_or_else(|| Err(wrong()));
        let [a_bar, b_bar, d] = [next()?, next()?, next()?];
        let scalars = read_scalars(scalars)?;
        let [e, r1, r3, hidden @ .., challenge] = scalars.as_slice() else { return Err(wrong()) };
        let responses = [*e, *r1, *r3];
        Ok(Self { a_bar, b_bar, d, responses, hidden: hidden.to_vec(), challenge: *challenge })
    }

    /// The points, compressed, then the scalars, big-endian: 272 bytes and 32 for each hidden message.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut out = Vec::new();
        for point in [self.a_bar, self.b_bar, self.d] {
            out.extend(ZcashCompressed::to_vec(&point));
        }
        for scalar in self.responses.iter().chain(&self.hidden).chain([&self.challenge]) {
            push_scalar(&mut out, scalar);
        }
        out
    }
}

/// The data that a verifier of a proof is given: the headers, and the disclosed messages with their indexes among the signed ones.
#[derive(Clone, Copy, Debug, Default)]
pub struct Disclosure<'a> {
    /// The header that was signed.
    pub header: &'a [u8],
    /// The bytes to which the proof is bound, such as a nonce of the verifier.
    pub presentation_header: &'a [u8],
    /// Indexes of the disclosed messages from zero, in ascending order.
    pub indexes: &'a [usize],
    /// The disclosed messages, in the order of the indexes.
    pub messages: &'a [&'a [u8]],
}

impl Disclosure<'_> {
    /// The indexes of the hidden messages, given the number of all messages.
    ///
    /// # Errors
    /// When the lists differ in length, an index is too large, or the indexes do not ascend.
    pub(super) fn hidden(&self, messages: usize) -> Result<Vec<usize>, BbsError> {
        if self.indexes.len() != self.messages.len() {
            return Err(BbsError::Disclosed { indexes: self.indexes.len(), messages: self.messages.len() });
        }
        hidden_indexes(self.indexes, messages)
    }
}

/// The indexes below `messages` that are not in the list; an error unless the list strictly ascends and is in range.
pub(super) fn hidden_indexes(indexes: &[usize], messages: usize) -> Result<Vec<usize>, BbsError> {
    let mut hidden = Vec::new();
    let mut next = 0;
    for (position, index) in indexes.iter().copied().enumerate() {
        if index >= messages {
            return Err(BbsError::Index { index, messages });
        }
        if index < next {
            return Err(BbsError::Order { position, index });
        }
        hidden.extend(next..index);
        next = index.saturating_add(1);
    }
    hidden.extend(next..messages);
    Ok(hidden)
}

/// Computes the challenge (`ProofChallengeCalculate`, §3.7.4) from the points `Abar`, `Bbar`, `D`, `T1` and `T2`.
pub(super) fn challenge(
    suite: Ciphersuite,
    points: [Affine<G1>; 5],
    domain: &Fr,
    disclosed: impl ExactSizeIterator<Item = (usize, Fr)>,
    presentation_header: &[u8],
) -> Fr {
    let mut input = vec![];
    input.extend((disclosed.len() as u64).to_be_bytes());
    for (index, message) in disclosed {
        input.extend((index as u64).to_be_bytes());
        push_scalar(&mut input, &message);
    }
    for point in points {
        input.extend(ZcashCompressed::to_vec(&point));
    }
    push_scalar(&mut input, domain);
    input.extend((presentation_header.len() as u64).to_be_bytes());
    input.extend(presentation_header);
    suite.scalar(&input, &suite.tag(b"H2S_"))
}

/// The generators of the messages at the given indexes; an error if an index is out of range.
pub(super) fn generators_at(
    generators: &Generators,
    messages: usize,
    indexes: &[usize],
) -> Result<Vec<Affine<G1>>, BbsError> {
    let all = generators.first(messages)?;
    let at = |index: &usize| all.get(*index).copied().ok_or(BbsError::Index { index: *index, messages });
    indexes.iter().map(at).collect()
}

fn push_scalar(out: &mut Vec<u8>, scalar: &Fr) {
    let mut bytes = [0; SCALAR];
    scalar.write_be(&mut bytes);
    out.extend(bytes);
}

/// Reads a compressed point of the subgroup that is not neutral.
pub(super) fn read_point(part: &'static str, bytes: &[u8]) -> Result<Affine<G1>, BbsError> {
    let point = ZcashCompressed::read::<G1>(bytes).map_err(|why| BbsError::Point { part, why })?;
    if point.is_infinity() { Err(BbsError::Neutral { part }) } else { Ok(point) }
}

/// Reads scalars from 1 to r - 1, 32 bytes each, big-endian.
pub(super) fn read_scalars(bytes: &[u8]) -> Result<Vec<Fr>, BbsError> {
    let scalars = bytes.chunks(SCALAR).enumerate().map(|(index, bytes)| match Fr::read_be(bytes) {
        Ok(scalar) if !scalar.is_zero() => Ok(scalar),
        _ => Err(BbsError::Scalar { index }),
    });
    scalars.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indexes_ascend_and_are_in_range() {
        assert_eq!(hidden_indexes(&[], 3).unwrap(), [0, 1, 2]);
        assert_eq!(hidden_indexes(&[0, 2], 4).unwrap(), [1, 3]);
        assert_eq!(hidden_indexes(&[0, 1], 2).unwrap(), [0; 0]);
        assert!(matches!(hidden_indexes(&[0], 0), Err(BbsError::Index { index: 0, messages: 0 })));
        assert!(matches!(hidden_indexes(&[1, 4], 4), Err(BbsError::Index { index: 4, messages: 4 })));
        assert!(matches!(hidden_indexes(&[2, 1], 4), Err(BbsError::Order { position: 1, index: 1 })));
        assert!(matches!(hidden_indexes(&[2, 2], 4), Err(BbsError::Order { position: 1, index: 2 })));
        assert!(matches!(hidden_indexes(&[usize::MAX], 4), Err(BbsError::Index { index: usize::MAX, .. })));
    }
}
