//! The records of contributions to powers of tau (section 7), and the proofs of knowledge in them.
//!
//! A contributor multiplies τ, α and β by secret factors x. For each they publish a point s of G1, `x·s`, and `x·p` for a point
//! p of G2 that follows from a hash of the challenge before, of s and of `x·s`, so that nobody could prepare for it. A record
//! holds the first powers after the contribution too, so that the chain of records can be followed without the powers of all.

use crate::ceremony::blake2b::{Blake2b, STATE};
use crate::ceremony::draws::{draw, draw_point_vartime, stream};
use crate::ceremony::{Beacon, Contributor, challenge_point_vartime};
use crate::container::{Cursor, widen};
use crate::points::{decode, point_bytes, push_point};
use crate::{FormatError, PtauFile, Section};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, G1Affine, G2Affine, Pairing, Projective};
use pairwright_field::{Extension, Field, PrimeField};
use zeroize::Zeroizing;

/// A contribution to powers of tau, as its record tells it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PowersContribution {
    /// The contributor's name, which may be empty.
    pub name: String,
    /// The beacon, if it was one.
    pub beacon: Option<Beacon>,
    /// The hash of the contribution, which a contributor can publish.
    pub response: [u8; 64],
    /// The hash of the powers after it, which the next contribution begins with.
    pub next_challenge: [u8; 64],
}

/// The factors of a contribution.
pub(super) struct Secrets<F: Field> {
    pub(super) tau: Zeroizing<F>,
    pub(super) alpha: Zeroizing<F>,
    pub(super) beta: Zeroizing<F>,
}

/// The proof of knowledge of a factor.
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
    /// Those before the first contribution.
    pub(super) fn first() -> Self {
        let (g1, g2) = (Affine::generator(), Affine::generator());
        Self { tau_g1: g1, tau_g2: g2, alpha_g1: g1, beta_g1: g1, beta_g2: g2 }
    }
}

/// The record of one contribution, read.
#[derive(Clone, Debug)]
pub(super) struct Record<E: Pairing> {
    pub(super) heads: Heads<E>,
    /// Proofs of knowledge of the factors of τ, α and β.
    pub(super) knowledge: [Knowledge<E>; 3],
    /// The state of the hash of the contribution before its proofs of knowledge.
    pub(super) state: Blake2b,
    pub(super) next_challenge: [u8; 64],
    pub(super) name: String,
    pub(super) beacon: Option<Beacon>,
}

/// Draws the factors of a contribution and proves that they are known, in the order of snarkjs. Products with the factors take
/// a time that does not depend on them.
pub(super) fn draw_secrets<E: Pairing>(
    by: &Contributor,
    challenge: &[u8; 64],
) -> (Secrets<E::Fr>, [Knowledge<E>; 3]) {
    let mut stream = stream(&by.seed());
    let mut factor = || Zeroizing::new(draw::<E::Fr>(&mut stream));
    let secrets = Secrets { tau: factor(), alpha: factor(), beta: factor() };
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

    /// The proofs of knowledge as they are hashed.
    fn proofs(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        for part in &self.knowledge {
            push_uncompressed(&mut bytes, &part.s);
            push_uncompressed(&mut bytes, &part.sx);
        }
        self.knowledge.iter().for_each(|part| push_uncompressed(&mut bytes, &part.px));
        bytes
    }

    /// What a user is told of it.
    pub(super) fn told(&self) -> PowersContribution {
        PowersContribution {
            name: self.name.clone(),
            beacon: self.beacon.clone(),
            response: self.response(),
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
        out.extend(u32::from(self.beacon.is_some()).to_le_bytes());
        // Parameters in the order of their numbers, each of 255 bytes at most: name, logarithm of the hashes, beacon.
        let mut parameters = Vec::new();
        if !self.name.is_empty() {
            push_parameter(&mut parameters, 1, self.name.as_bytes());
        }
        if let Some(beacon) = &self.beacon {
            parameters.extend([2, beacon.log_hashes()]);
            push_parameter(&mut parameters, 3, beacon.value());
        }
        out.extend(u32::try_from(parameters.len()).unwrap_or(u32::MAX).to_le_bytes());
        out.extend(parameters);
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
        let next_challenge = cursor.array::<64>("a hash")?;
        let at = cursor.place();
        let kind = cursor.u32("the kind of a contribution")?;
        if kind > 1 {
            return Err(FormatError::Record { at, why: "it is neither a contribution nor a beacon" });
        }
        let at = cursor.place();
        let length = cursor.u32("the length of the parameters")?;
        let bytes = cursor.take(usize::try_from(length).unwrap_or(usize::MAX), "the parameters")?;
        let parameters = Parameters::read(bytes);
        let Some(Parameters { name, log_hashes, value }) = parameters else {
            return Err(FormatError::Record { at, why: "its parameters are malformed" });
        };
        let beacon = match (kind, log_hashes, value) {
            (1, Some(log), Some(value)) => {
                let beacon = Beacon::new(value, log.into());
                Some(beacon.map_err(|_| FormatError::Record { at, why: "its beacon is out of range" })?)
            }
            (0, None, None) => None,
            _ => return Err(FormatError::Record { at, why: "its parameters are of the other kind" }),
        };
        Ok(Self { heads, knowledge, state, next_challenge, name, beacon })
    }
}

/// Appends a parameter of 255 bytes at most, which names and beacons are.
fn push_parameter(out: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    out.push(number);
    out.push(u8::try_from(bytes.len()).unwrap_or(u8::MAX));
    out.extend(bytes.iter().take(usize::from(u8::MAX)));
}

/// The parameters of a record.
struct Parameters {
    name: String,
    log_hashes: Option<u8>,
    value: Option<Vec<u8>>,
}

impl Parameters {
    /// `None` unless they are known, in order, and end with the bytes.
    fn read(mut bytes: &[u8]) -> Option<Self> {
        let mut parameters = Self { name: String::new(), log_hashes: None, value: None };
        let mut last = 0;
        while let Some((number, rest)) = bytes.split_first() {
            if *number <= last {
                return None;
            }
            last = *number;
            let (length, rest) = rest.split_first()?;
            bytes = rest;
            if *number == 2 {
                parameters.log_hashes = Some(*length);
                continue;
            }
            let (value, rest) = bytes.split_at_checked(usize::from(*length))?;
            bytes = rest;
            match number {
                1 => parameters.name = String::from_utf8_lossy(value).into_owned(),
                3 => parameters.value = Some(value.to_vec()),
                _ => return None,
            }
        }
        Some(parameters)
    }
}

/// Reads a point of the subgroup that is not infinity.
fn point<C: Curve>(cursor: &mut Cursor<'_>) -> Result<Affine<C>, FormatError> {
    let at = cursor.place();
    let bytes = cursor.take(point_bytes::<C>(), "a point of a contribution")?;
    let field = <C::Base as Extension>::Prime::NAME;
    let p = decode::<C>(bytes).ok_or_else(|| FormatError::NotReduced { at: at.clone(), index: 0, field })?;
    if p.is_infinity() {
        return Err(FormatError::Record { at, why: "a point of it is infinity" });
    }
    if !p.is_on_curve() {
        return Err(FormatError::OffCurve { at, index: 0, group: C::NAME });
    }
    if !p.is_in_subgroup_vartime() {
        return Err(FormatError::WrongSubgroup { at, index: 0, group: C::NAME });
    }
    Ok(p)
}

impl<E: Pairing> PtauFile<E> {
    /// The records of section 7; none if there is no such section.
    pub(super) fn records(&self) -> Result<Vec<Record<E>>, FormatError> {
        let Some(section) = &self.contributions else { return Ok(Vec::new()) };
        let mut cursor = section.cursor();
        let count = cursor.u32("the number of contributions")?;
        // No memory is taken on the word of the count: records are read until the section ends.
        let mut records = Vec::new();
        for _ in 0..count {
            records.push(Record::read(&mut cursor)?);
        }
        section.expect_size(Some(widen(cursor.position())))?;
        Ok(records)
    }
}

/// The body of a section of records.
pub(super) fn section_of<E: Pairing>(before: Option<&Section>, records: usize, last: &Record<E>) -> Vec<u8> {
    let count = u32::try_from(records).unwrap_or(u32::MAX).to_le_bytes();
    let mut body = count.to_vec();
    body.extend(before.and_then(|section| section.bytes().get(4..)).unwrap_or_default());
    last.push(&mut body);
    body
}

/// Appends a point as hashes of powers have it: like snarkjs' uncompressed form, with a bit that marks infinity.
pub(super) fn push_uncompressed<C: Curve>(out: &mut Vec<u8>, p: &Affine<C>) {
    let start = out.len();
    push_big_endian(out, &p.x);
    push_big_endian(out, &p.y);
    if p.is_infinity() {
        mark(out, start, 0x40);
    }
}

/// Appends the first coordinate of a point, with bits that mark infinity and the larger of the two second coordinates.
pub(super) fn push_compressed<C: Curve>(out: &mut Vec<u8>, p: &Affine<C>) {
    let start = out.len();
    push_big_endian(out, &p.x);
    if p.is_infinity() {
        mark(out, start, 0x40);
    } else if crate::ceremony::draws::is_negative(&p.y) {
        mark(out, start, 0x80);
    }
}

fn mark(out: &mut [u8], at: usize, bit: u8) {
    if let Some(byte) = out.get_mut(at) {
        *byte |= bit;
    }
}

fn push_big_endian<F: Extension>(out: &mut Vec<u8>, x: &F) {
    for i in (0..F::DEGREE).rev() {
        let start = out.len();
        out.resize(start.saturating_add(F::Prime::BYTES), 0);
        if let Some(bytes) = out.get_mut(start..) {
            x.coord(i).write_be(bytes);
        }
    }
}
