//! Makes proofs, on the host and in constant time, because the signature and the hidden messages are secret.

use super::proof::{challenge, generators_at, hidden_indexes};
use super::signature::{Terms, commitment};
use super::suite::EXPANDED;
use super::{BbsError, Generators, Proof, PublicKey, Signature};
use alloc::vec::Vec;
use pairwright_curve::Projective;
use pairwright_curve::bls12_381::{Fr, G1};
use pairwright_curve::hash_to_curve::reduce_be;
use pairwright_field::Field;
use rand_core::CryptoRng;
use zeroize::Zeroizing;

/// The statement of a proof: the signed header, all messages, and the indexes of those that are disclosed.
#[derive(Clone, Copy, Debug, Default)]
pub struct Statement<'a> {
    /// The header that was signed.
    pub header: &'a [u8],
    /// The bytes to which the proof is bound, such as a nonce of the verifier.
    pub presentation_header: &'a [u8],
    /// All messages that were signed, in their order.
    pub messages: &'a [&'a [u8]],
    /// Indexes of the disclosed messages from zero, in ascending order.
    pub indexes: &'a [usize],
}

/// Proves possession of a signature of messages and a header (§3.5.3), and discloses some of the messages. The proof is bound to the
/// presentation header and hides the signature and all other messages.
///
/// Constant time but for the lengths, the indexes and the disclosed messages. The signature is not verified here: if it is not
/// valid for the messages, no verifier accepts the proof.
///
/// # Errors
/// When there are more messages than generators, or the indexes do not ascend or are too large; and
/// [`BbsError::Degenerate`], which does not happen in practice.
pub fn prove(
    generators: &Generators,
    key: &PublicKey,
    signature: &Signature,
    statement: &Statement<'_>,
    rng: &mut dyn CryptoRng,
) -> Result<Proof, BbsError> {
    let count = hidden_indexes(statement.indexes, statement.messages.len())?.len() + 5;
    let mut scalars = Zeroizing::new(Vec::with_capacity(count));
    for _ in 0..count {
        let mut bytes = Zeroizing::new([0; EXPANDED]);
        rng.fill_bytes(bytes.as_mut());
        scalars.push(reduce_be(bytes.as_ref()));
    }
    prove_with_scalars(generators, key, signature, statement, &scalars)
}

/// [`prove`] with random scalars that the caller gives: `r1`, `r2`, `e~`, `r1~`, `r3~`, and one for each hidden message. It is for test
/// vectors. Scalars that anybody knows, or that are used twice, reveal the hidden messages and the signature.
///
/// # Errors
/// As [`prove`], and when the number of scalars is wrong.
pub fn prove_with_scalars(
    generators: &Generators,
    key: &PublicKey,
    signature: &Signature,
    statement: &Statement<'_>,
    random: &[Fr],
) -> Result<Proof, BbsError> {
    let Statement { header, presentation_header, messages, indexes } = *statement;
    let suite = generators.suite();
    let hidden = hidden_indexes(indexes, messages.len())?;
    let needed = hidden.len() + 5;
    let [r1, r2, e_blind, r1_blind, r3_blind, blinds @ ..] = random else {
        return Err(BbsError::RandomScalars { found: random.len(), needed });
    };
    if blinds.len() != hidden.len() {
        return Err(BbsError::RandomScalars { found: random.len(), needed });
    }
    let r3 = Zeroizing::new(r2.invert().ok_or(BbsError::Degenerate)?);
    let domain = generators.domain(key, header, messages.len())?;
    let scalars = suite.messages_to_scalars(messages);

    // ProofInit (§3.7.1).
    let b = Zeroizing::new(commitment(generators, &domain, &scalars)?);
    let d = Zeroizing::new(b.mul(r2));
    let r1_r2 = Zeroizing::new(*r1 * *r2);
    let a_bar = Zeroizing::new(Projective::from(signature.a).mul(&r1_r2));
    let sum = |terms: Vec<(Projective<G1>, Fr)>| Projective::mul_sum(&Zeroizing::new(Terms(terms)).0);
    let b_bar = sum([(*d, *r1), (*a_bar, -signature.e)].to_vec());
    let t1 = sum([(*a_bar, *e_blind), (*d, *r1_blind)].to_vec());
    let bases = generators_at(generators, messages.len(), &hidden)?;
    let mut terms = Vec::with_capacity(needed);
    terms.push((*d, *r3_blind));
    terms.extend(bases.into_iter().map(Projective::from).zip(blinds.iter().copied()));
    let t2 = sum(terms);
    let points = Projective::batch_to_affine(&[*a_bar, b_bar, *d, t1, t2]);
    let [a_bar, b_bar, d, t1, t2] = points.as_slice() else { return Err(BbsError::Degenerate) };
    if a_bar.is_infinity() || b_bar.is_infinity() || d.is_infinity() {
        return Err(BbsError::Degenerate);
    }

    let shown = indexes.iter().map(|index| (*index, scalars[*index]));
    let points = [*a_bar, *b_bar, *d, *t1, *t2];
    let c = challenge(suite, points, &domain, shown, presentation_header);

    // ProofFinalize (§3.7.2).
    let responses = [*e_blind + signature.e * c, *r1_blind - *r1 * c, *r3_blind - *r3 * c];
    let answers = hidden.iter().zip(blinds).map(|(index, blind)| *blind + scalars[*index] * c);
    let proof =
        Proof { a_bar: *a_bar, b_bar: *b_bar, d: *d, responses, hidden: answers.collect(), challenge: c };
    // The encoding allows no zero scalar, which comes up with probability 2^-255.
    let zero = proof.responses.iter().chain(&proof.hidden).chain([&proof.challenge]).any(Field::is_zero);
    if zero { Err(BbsError::Degenerate) } else { Ok(proof) }
}
