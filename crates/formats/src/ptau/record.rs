//! The records of contributions to powers of tau (section 7), and the proofs of knowledge in them.
//!
//! A contributor multiplies τ, α and β by secret factors x. For each factor the record holds a point s of G1, `x·s`, and `x·p`,
//! where the point p of G2 is derived from a hash of the challenge, s and `x·s`, so that nobody can prepare `x·p` without
//! knowing x. A record also holds the first powers after the contribution, so that the chain of records can be verified without
//! all powers.

use crate::ceremony::blake2b::{Blake2b, STATE};
use crate::ceremony::draws::{draw, draw_point_vartime, stream};
use crate::ceremony::record::{point, push_parameters, push_uncompressed, read_parameters};
use crate::ceremony::{Beacon, Contributor, challenge_point_vartime};
use crate::container::{Cursor, widen};
use crate::points::push_point;
use crate::{FormatError, PtauFile, Section};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing, Projective};
use pairwright_field::Field;
use zeroize::Zeroizing;

/// The public description of a contribution to powers of tau.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PowersContribution {
    /// The contributor's name, which may be empty.
    pub name: String,
    /// The beacon, if the contribution was made with one.
    pub beacon: Option<Beacon>,
    /// The hash of the contribution, which a contributor can publish.
    pub hash: [u8; 64],
    /// The hash of the powers after the contribution, which is the challenge of the next one.
    pub next_challenge: [u8; 64],
}

/// The secret factors of a contribution.
pub(super) struct PowersSecrets<F: Field> {
    pub(super) tau: Zeroizing<F>,
    pub(super) alpha: Zeroizing<F>,
    pub(super) beta: Zeroizing<F>,
}

/// The proof of knowledge of a factor x: s, `x·s` and `x·p`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Knowledge<E: Pairing> {
    pub(super) s: G1Affine<E>,
    pub(super) sx: G1Affine<E>,
    pub(super) px: G2Affine<E>,
}

impl<E: Pairing> Knowledge<E> {
    /// The point p that belongs to s and `x·s`; `which` is 0 for τ, 1 for α, 2 for β.
    pub(super) fn p(&self, which: u8, challenge: &[u8; 64]) -> G2Affine<E> {
        let mut hash = Blake2b::new();
        hash.update(&[which]);
        hash.update(challenge);
        let mut bytes = Vec::new();
        push_uncompressed(&mut bytes, &self.s);
        push_uncompressed(&mut bytes, &self.sx);
        hash.update(&bytes);
        challenge_point_vartime::<E::G2>(&hash.finish())
    }
}

/// The first points of the lists of powers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Heads<E: Pairing> {
    pub(super) tau_g1: G1Affine<E>,
    pub(super) tau_g2: G2Affine<E>,
    pub(super) alpha_g1: G1Affine<E>,
    pub(super) beta_g1: G1Affine<E>,
    pub(super) beta_g2: G2Affine<E>,
}

impl<E: Pairing> Heads<E> {
    /// The first points before any contribution: all generators.
    pub(super) fn first() -> Self {
        let (g1, g2) = (Affine::generator(), Affine::generator());
        Self { tau_g1: g1, tau_g2: g2, alpha_g1: g1, beta_g1: g1, beta_g2: g2 }
    }
}

/// The decoded record of one contribution.
#[derive(Clone, Debug)]
pub(super) struct Record<E: Pairing> {
    pub(super) heads: Heads<E>,
    /// Proofs of knowledge of the factors of τ, α and β.
    pub(super) knowledge: [Knowledge<E>; 3],
    /// The state of the contribution's hash before its proofs of knowledge are hashed.
    pub(super) state: Blake2b,
    pub(super) next_challenge: [u8; 64],
    /// Position of `next_challenge` in the section that the record was read from.
    pub(super) challenge_at: usize,
    pub(super) name: String,
    pub(super) beacon: Option<Beacon>,
}

/// Draws the factors of a contribution and makes their proofs of knowledge, in snarkjs' order. Multiplications by the factors
/// take a time that does not depend on them.
pub(super) fn draw_secrets<E: Pairing>(
    by: &Contributor,
    challenge: &[u8; 64],
) -> (PowersSecrets<E::Fr>, [Knowledge<E>; 3]) {
    let mut stream = stream(&by.seed());
    let mut factor = || Zeroizing::new(draw::<E::Fr>(&mut stream));
    let secrets = PowersSecrets { tau: factor(), alpha: factor(), beta: factor() };
    let mut which = 0;
    let knowledge = [&secrets.tau, &secrets.alpha, &secrets.beta].map(|factor| {
        let s = draw_point_vartime::<E::G1>(&mut stream);
        let sx = Projective::from(s).mul(&**factor).to_affine();
        let part = Knowledge { s, sx, px: Affine::INFINITY };
        let px = Projective::from(part.p(which, challenge)).mul(&**factor).to_affine();
        which = which.saturating_add(1);
        Knowledge { px, ..part }
    });
    (secrets, knowledge)
}

impl<E: Pairing> Record<E> {
    /// The hash of the contribution.
    pub(super) fn response(&self) -> [u8; 64] {
        let mut hash = self.state.clone();
        hash.update(&self.proofs());
        hash.finish()
    }

    /// The proofs of knowledge in the encoding that is hashed.
    fn proofs(&self) -> Vec<u8> {
        proofs(&self.knowledge)
    }

    /// The public description of the contribution.
    pub(super) fn description(&self) -> PowersContribution {
        PowersContribution {
            name: self.name.clone(),
            beacon: self.beacon.clone(),
            hash: self.response(),
            next_challenge: self.next_challenge,
        }
    }

    /// Appends the record.
    pub(super) fn push(&self, out: &mut Vec<u8>) {
        let heads = &self.heads;
        push_point(out, &heads.tau_g1);
        push_point(out, &heads.tau_g2);
        push_point(out, &heads.alpha_g1);
        push_point(out, &heads.beta_g1);
        push_point(out, &heads.beta_g2);
        for part in &self.knowledge {
            push_point(out, &part.s);
            push_point(out, &part.sx);
        }
        self.knowledge.iter().for_each(|part| push_point(out, &part.px));
        out.extend(self.state.state());
        out.extend(self.next_challenge);
        push_parameters(out, &self.name, self.beacon.as_ref());
    }

    fn read(cursor: &mut Cursor<'_>) -> Result<Self, FormatError> {
        let heads = Heads {
            tau_g1: point::<E::G1>(cursor)?,
            tau_g2: point::<E::G2>(cursor)?,
            alpha_g1: point::<E::G1>(cursor)?,
            beta_g1: point::<E::G1>(cursor)?,
            beta_g2: point::<E::G2>(cursor)?,
        };
        let mut knowledge =
            [Knowledge { s: Affine::INFINITY, sx: Affine::INFINITY, px: Affine::INFINITY }; 3];
        for part in &mut knowledge {
            part.s = point::<E::G1>(cursor)?;
            part.sx = point::<E::G1>(cursor)?;
        }
        for part in &mut knowledge {
            part.px = point::<E::G2>(cursor)?;
        }
        let at = cursor.place();
        let state = cursor.array::<STATE>("the state of a hash")?;
        let Some(state) = Blake2b::resume(&state) else {
            return Err(FormatError::Record { at, why: "the state of its hash holds more than a block" });
        };
        let challenge_at = cursor.position();
        let next_challenge = cursor.array::<64>("a hash")?;
        let (name, beacon) = read_parameters(cursor)?;
        Ok(Self { heads, knowledge, state, next_challenge, challenge_at, name, beacon })
    }

    /// Decodes the records of a section; an empty list if there is no such section.
    pub(super) fn all(section: Option<&Section>) -> Result<Vec<Self>, FormatError> {
        let Some(section) = section else { return Ok(Vec::new()) };
        let mut cursor = section.cursor();
        let count = cursor.u32("the number of contributions")?;
        // Memory is not reserved for the declared count: records are read until the section ends.
        let mut records = Vec::new();
        for _ in 0..count {
            records.push(Self::read(&mut cursor)?);
        }
        section.expect_size(Some(widen(cursor.position())))?;
        Ok(records)
    }
}

/// Encodes proofs of knowledge as they are hashed and as they stand at the end of a response.
pub(super) fn proofs<E: Pairing>(knowledge: &[Knowledge<E>; 3]) -> Vec<u8> {
    let mut bytes = Vec::new();
    for part in knowledge {
        push_uncompressed(&mut bytes, &part.s);
        push_uncompressed(&mut bytes, &part.sx);
    }
    knowledge.iter().for_each(|part| push_uncompressed(&mut bytes, &part.px));
    bytes
}

impl<E: Pairing> PtauFile<E> {
    /// The contributions recorded in section 7; none if there is no such section. They are not verified.
    ///
    /// # Errors
    /// When a record is malformed.
    pub fn read_contributions(&self) -> Result<Vec<PowersContribution>, FormatError> {
        Ok(self.records()?.iter().map(Record::description).collect())
    }

    /// Decodes the records of section 7; an empty list if there is no such section.
    pub(super) fn records(&self) -> Result<Vec<Record<E>>, FormatError> {
        Record::all(self.contributions.as_ref())
    }
}

/// Encodes the body of a section with `records` records: those of the section body `before`, if there is one, and then `last`.
pub(super) fn section_of<E: Pairing>(before: Option<&[u8]>, records: usize, last: &Record<E>) -> Vec<u8> {
    let count = u32::try_from(records).unwrap_or(u32::MAX).to_le_bytes();
    let mut body = count.to_vec();
    body.extend(before.and_then(|before| before.get(4..)).unwrap_or_default());
    last.push(&mut body);
    body
}
