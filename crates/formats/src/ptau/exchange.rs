//! Challenges and responses: files that contain a ceremony's powers of tau in other encodings, for the tools of contributors.
//!
//! A challenge consists of the hash of the previous contribution and all points in uncompressed form; the hash of the challenge
//! is the input of the next contribution. A response consists of that hash, all points after the contribution in compressed
//! form, and the proofs of knowledge. Both have the same bytes as snarkjs' files.

use super::contribute::{CeremonyLists, Lengths, PHASE, challenge_of};
use super::ledger::NO_HASH;
use super::record::{Heads, Knowledge, PowersContribution, Record, draw_secrets, proofs, section_of};
use super::verify::follow;
use super::{FORMAT, PowersRecord, PtauFile, VerifyPowersError, head, most_power, whole};
use crate::ceremony::blake2b::Blake2b;
use crate::ceremony::record::push_uncompressed;
use crate::ceremony::{Contributor, cut};
use crate::container::{ContainerWriter, Section, widen};
use crate::points::{Form, PointSource, point_bytes, push_point};
use crate::sizes::chunks;
use crate::subgroup::{check_g1, check_g2};
use crate::{FileBytes, FormatError};
use alloc::borrow::ToOwned;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::Session;
use pairwright_poly::Source;
use rand_core::CryptoRng;
use std::io::Write;

/// Length of a hash in bytes.
const HASH: usize = 64;
/// Number of points written at a time.
const CHUNK: usize = 1 << 12;
/// Bytes of stored points whose compressed form is hashed at a time when a response is imported. It has to be snarkjs' value:
/// the hash state in a record depends on it.
const PIECE: usize = 1 << 24;
/// Number of points in G1 and in G2 of the three proofs of knowledge together.
const KNOWLEDGE: [usize; 2] = [6, 3];

/// Writes the challenge of a ceremony's powers, and returns its hash.
///
/// # Errors
/// When the file has only some of the ceremony's powers, a record or a coordinate is malformed, the powers are not the result
/// of the last contribution, or `out` fails.
#[inline(never)]
pub fn write_challenge<E: Pairing>(
    out: &mut dyn Write,
    ptau: &PtauFile<E>,
    done: &mut dyn FnMut(u64),
) -> Result<[u8; 64], FormatError> {
    whole(&ptau.file, ptau.power, ptau.ceremony_power)?;
    let records = ptau.records()?;
    let response = records.last().map_or_else(|| Blake2b::new().finish(), Record::response);
    let mut to = Challenge { out, hash: Blake2b::new(), done };
    to.put(&response)?;
    to.points(&ptau.lists.tau_g1)?;
    to.points(&ptau.lists.tau_g2)?;
    to.points(&ptau.lists.alpha_tau_g1)?;
    to.points(&ptau.lists.beta_tau_g1)?;
    to.points(&ptau.lists.beta_g2)?;
    let hash = to.hash.finish();
    if hash != challenge_of(ptau.power, &records) {
        let file = ptau.file.name().clone();
        return Err(FormatError::OtherPowers { file });
    }
    Ok(hash)
}

/// A challenge that is being written, with its hash.
struct Challenge<'a> {
    out: &'a mut dyn Write,
    hash: Blake2b,
    done: &'a mut dyn FnMut(u64),
}

impl Challenge<'_> {
    fn put(&mut self, bytes: &[u8]) -> Result<(), FormatError> {
        self.hash.update(bytes);
        self.out.write_all(bytes).map_err(FormatError::Write)
    }

    fn points<C: Curve>(&mut self, source: &PointSource<C>) -> Result<(), FormatError> {
        let (mut points, mut bytes) = (Vec::new(), Vec::new());
        for range in chunks(source.len(), CHUNK) {
            points.clear();
            bytes.clear();
            source.decode(range, &mut points)?;
            points.iter().for_each(|p| push_uncompressed(&mut bytes, p));
            self.put(&bytes)?;
            (self.done)(widen(points.len()));
        }
        Ok(())
    }
}

/// A challenge or a response: the hash that it begins with, its lists of points, and the part after them.
struct Parts<E: Pairing> {
    first: [u8; 64],
    lists: CeremonyLists<E>,
    rest: usize,
}

impl<E: Pairing> Parts<E> {
    /// The parts of a file for a ceremony of this power.
    fn of(file: &FileBytes, form: Form, power: u32) -> Result<Self, FormatError> {
        let whole = Section::of_part(file, 0, "hash", 0, HASH);
        let first = whole.cursor().array::<HASH>("the hash before")?;
        let Lengths { tau_g1, others } = Lengths::new(power);
        let mut at = HASH;
        let mut part = |id, name, points: usize, size: usize| {
            let length = points.saturating_mul(size);
            let section = Section::of_part(file, id, name, at, length);
            at = at.saturating_add(length);
            section
        };
        let (g1, g2) = (form.bytes::<E::G1>(), form.bytes::<E::G2>());
        let lists = CeremonyLists {
            tau_g1: PointSource::in_form(part(2, "tauG1", tau_g1, g1), tau_g1, form)?,
            tau_g2: PointSource::in_form(part(3, "tauG2", others, g2), others, form)?,
            alpha_tau_g1: PointSource::in_form(part(4, "alphaTauG1", others, g1), others, form)?,
            beta_tau_g1: PointSource::in_form(part(5, "betaTauG1", others, g1), others, form)?,
            beta_g2: PointSource::in_form(part(6, "betaG2", 1, g2), 1, form)?,
        };
        Ok(Self { first, lists, rest: at })
    }

    /// Size in bytes of such a file without the part after the lists.
    fn size(form: Form, power: u32) -> usize {
        let Lengths { tau_g1, others } = Lengths::new(power);
        let g1 = others.saturating_mul(2).saturating_add(tau_g1).saturating_mul(form.bytes::<E::G1>());
        let g2 = others.saturating_add(1).saturating_mul(form.bytes::<E::G2>());
        HASH.saturating_add(g1).saturating_add(g2)
    }

    /// Checks that every point is in its prime-order subgroup.
    fn check(&self, on: &mut Session<'_, E>, rng: &mut dyn CryptoRng) -> Result<(), FormatError> {
        check_g1(on, &self.lists.tau_g1, rng)?;
        check_g2(on, &self.lists.tau_g2, rng)?;
        check_g1(on, &self.lists.alpha_tau_g1, rng)?;
        check_g1(on, &self.lists.beta_tau_g1, rng)?;
        check_g2(on, &self.lists.beta_g2, rng)
    }
}

/// Length in bytes of the proofs of knowledge at the end of a response.
fn proofs_size<E: Pairing>() -> usize {
    let [in_g1, in_g2] = KNOWLEDGE;
    let (g1, g2) = (point_bytes::<E::G1>(), point_bytes::<E::G2>());
    in_g1.saturating_mul(g1).saturating_add(in_g2.saturating_mul(g2))
}

/// The power of a challenge or response, recognised by the size of the file and its first power; these files have no header.
pub(crate) fn recognised_power<E: Pairing>(file: &FileBytes, is_response: bool) -> Option<u32> {
    let (form, end) =
        if is_response { (Form::Compressed, proofs_size::<E>()) } else { (Form::Uncompressed, 0) };
    let size = |power: &u32| Parts::<E>::size(form, *power).saturating_add(end) == file.len();
    let power = (0..=most_power::<E>()).find(size)?;
    let mut first = Vec::new();
    Parts::<E>::of(file, form, power).ok()?.lists.tau_g1.decode(0..1, &mut first).ok()?;
    (first == [Affine::generator()]).then_some(power)
}

/// The power of the ceremony whose challenge has the size of this file.
///
/// # Errors
/// When no challenge on the curve has that size.
pub fn power_of_challenge<E: Pairing>(challenge: &FileBytes) -> Result<u32, FormatError> {
    let size = |power: &u32| Parts::<E>::size(Form::Uncompressed, *power) == challenge.len();
    (0..=most_power::<E>()).find(size).ok_or_else(|| FormatError::NoChallenge {
        file: challenge.name().clone(),
        size: widen(challenge.len()),
        curve: crate::CurveId::name_of::<E>(),
    })
}

/// Contributes to a challenge: writes the response as `snarkjs powersoftau challenge contribute` does, and returns its hash,
/// which a contributor can publish.
///
/// Every point is checked to be in its prime-order subgroup before it is multiplied by a secret; the multiplications take a
/// time that does not depend on the secrets, which are wiped. `rng` is used by the subgroup check.
///
/// # Errors
/// When the size of the file is not that of a challenge, a point is malformed, or `out` or an operator fails.
#[inline(never)]
pub fn answer_challenge<E: Pairing>(
    on: &mut Session<'_, E>,
    out: &mut dyn Write,
    challenge: &FileBytes,
    by: &Contributor,
    rng: &mut dyn CryptoRng,
) -> Result<[u8; 64], FormatError> {
    on.phase(PHASE);
    let power = power_of_challenge::<E>(challenge)?;
    let parts = Parts::<E>::of(challenge, Form::Uncompressed, power)?;
    on.plan(|| parts.lists.plan());
    parts.check(on, rng)?;
    let mut hash = Blake2b::new();
    challenge.chunks(1 << 20).for_each(|piece| hash.update(piece));
    let hash = hash.finish();
    let (secrets, knowledge) = draw_secrets::<E>(by, &hash);
    let mut response = Blake2b::new();
    let mut write = |bytes: &[u8]| {
        response.update(bytes);
        out.write_all(bytes).map_err(FormatError::Write)
    };
    write(&hash)?;
    parts.lists.multiplied(on, &secrets, &mut |_, hashed| write(hashed))?;
    write(&proofs(&knowledge))?;
    Ok(response.finish())
}

/// A response whose proofs of knowledge hold and whose first powers follow from the contributions before it. Its other powers
/// are not verified.
pub struct PowersResponse<E: Pairing> {
    what: Imported,
    lists: CeremonyLists<E>,
    record: Record<E>,
    /// Number of earlier records, and the position among them at which the hash of the last one's powers has to be filled in,
    /// if it was left out.
    before: (usize, Option<usize>),
    /// The challenge hash that the response begins with.
    challenge: [u8; 64],
}

/// The contents of the file that is written for an imported response.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Imported {
    /// The powers and the records of all contributions.
    Powers,
    /// Only the records: a file without points. The hash of the powers is left out, since it is computed from the points.
    Record,
}

impl<E: Pairing> core::fmt::Debug for PowersResponse<E> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "PowersResponse({}, {} powers)", E::NAME, self.lists.tau_g1.len())
    }
}

/// Reads a response to the challenge of powers of tau; its record will carry `name`, cut to 64 bytes. If the points of the
/// powers were left out ([`Imported::Record`]), any response whose proofs hold is accepted, and the challenge hash is taken
/// from it.
///
/// # Errors
/// When the file has only some of the ceremony's powers, the response belongs to another challenge, has another size or a
/// malformed point, or its proofs do not hold; snarkjs leaves that last check to `powersoftau verify`.
#[inline(never)]
pub fn read_response<E: Pairing>(
    on: &mut Session<'_, E>,
    ptau: &PowersRecord<E>,
    response: &FileBytes,
    what: Imported,
    name: &str,
    rng: &mut dyn CryptoRng,
) -> Result<PowersResponse<E>, VerifyPowersError> {
    whole(&ptau.file, ptau.power, ptau.ceremony_power)?;
    let mut records = ptau.records()?;
    let end = proofs_size::<E>();
    let size = Parts::<E>::size(Form::Compressed, ptau.power).saturating_add(end);
    Section::of_part(response, 0, "response", 0, response.len()).expect_size(Some(widen(size)))?;
    let parts = Parts::<E>::of(response, Form::Compressed, ptau.power)?;
    let mut before = (records.len(), None);
    if let Some(last) = records.last_mut().filter(|last| last.next_challenge == NO_HASH) {
        // The points were left out, so only the response tells which powers it contributes to.
        last.next_challenge = parts.first;
        before.1 = Some(last.challenge_at);
    }
    if parts.first != challenge_of(ptau.power, &records) {
        let at = Section::of_part(response, 0, "hash", 0, HASH).place(0);
        return Err(FormatError::Record { at, why: "it answers another challenge" }.into());
    }
    let (knowledge, heads) = (knowledge(response, parts.rest)?, heads(&parts.lists)?);
    let mut state = Blake2b::new();
    state.update(&parts.first);
    let CeremonyLists { tau_g1, tau_g2, alpha_tau_g1, beta_tau_g1, beta_g2 } = &parts.lists;
    hash_pieces(&mut state, tau_g1, what);
    hash_pieces(&mut state, tau_g2, what);
    hash_pieces(&mut state, alpha_tau_g1, what);
    hash_pieces(&mut state, beta_tau_g1, what);
    hash_pieces(&mut state, beta_g2, what);
    let name = cut(name).to_owned();
    let record =
        Record { heads, knowledge, state, next_challenge: NO_HASH, challenge_at: 0, name, beacon: None };
    records.push(record.clone());
    follow(on, ptau.ceremony_power, &records, rng)?;
    Ok(PowersResponse { what, challenge: parts.first, lists: parts.lists, record, before })
}

/// Writes powers of tau with a response as one more contribution, with the same bytes as `snarkjs powersoftau import response`,
/// or only the records, as that command does with `-nopoints`. `done` is called with the number of points that were processed.
///
/// # Errors
/// When a point of the response is malformed, or `out` fails.
#[inline(never)]
pub fn import_response<E: Pairing>(
    out: &mut dyn Write,
    ptau: &PowersRecord<E>,
    response: PowersResponse<E>,
    done: &mut dyn FnMut(u64),
) -> Result<PowersContribution, FormatError> {
    let PowersResponse { what, challenge, lists, mut record, before: (count, missing) } = response;
    let CeremonyLists { tau_g1, tau_g2, alpha_tau_g1, beta_tau_g1, beta_g2 } = lists;
    let sections = if what == Imported::Powers { 7 } else { 2 };
    let mut file = ContainerWriter::new(out, &FORMAT, sections)?;
    head::<E>(&mut file, ptau.power, ptau.power)?;
    if what == Imported::Powers {
        let mut next = Blake2b::new();
        next.update(&record.response());
        stored(&mut file, 2, &tau_g1, &mut next, done)?;
        stored(&mut file, 3, &tau_g2, &mut next, done)?;
        stored(&mut file, 4, &alpha_tau_g1, &mut next, done)?;
        stored(&mut file, 5, &beta_tau_g1, &mut next, done)?;
        stored(&mut file, 6, &beta_g2, &mut next, done)?;
        record.next_challenge = next.finish();
    }
    let mut before = ptau.contributions.as_ref().map(|section| section.bytes().to_vec());
    let hash = missing.zip(before.as_mut()).and_then(|(at, bytes)| bytes.get_mut(at..)?.first_chunk_mut());
    if let Some(hash) = hash {
        *hash = challenge;
    }
    let body = section_of(before.as_deref(), count.saturating_add(1), &record);
    file.section(7, widen(body.len()))?;
    file.put(&body)?;
    file.finish()?;
    Ok(record.description())
}

/// Reads the proofs of knowledge at the end of a response.
fn knowledge<E: Pairing>(response: &FileBytes, start: usize) -> Result<[Knowledge<E>; 3], FormatError> {
    let [in_g1, in_g2] = KNOWLEDGE;
    let middle = in_g1.saturating_mul(point_bytes::<E::G1>());
    let part =
        |name, at: usize, length| Section::of_part(response, 0, name, start.saturating_add(at), length);
    let s = finite::<E::G1>(part("proofs in G1", 0, middle), in_g1)?;
    let length = in_g2.saturating_mul(point_bytes::<E::G2>());
    let px = finite::<E::G2>(part("proofs in G2", middle, length), in_g2)?;
    let mut all = [Knowledge { s: Affine::INFINITY, sx: Affine::INFINITY, px: Affine::INFINITY }; 3];
    for ((part, pair), px) in all.iter_mut().zip(s.chunks_exact(2)).zip(px) {
        if let [s, sx] = pair {
            *part = Knowledge { s: *s, sx: *sx, px };
        }
    }
    Ok(all)
}

/// Reads points in uncompressed form and checks that each is a finite point of the subgroup.
fn finite<C: Curve>(section: Section, count: usize) -> Result<Vec<Affine<C>>, FormatError> {
    let source = PointSource::<C>::in_form(section, count, Form::Uncompressed)?;
    let mut points = Vec::new();
    source.decode(0..count, &mut points)?;
    source.subgroup(&points)?;
    Ok(points)
}

/// Reads the first powers of a response and checks that each is a finite point of the subgroup. A response with a single power
/// has no second one and is refused.
fn heads<E: Pairing>(lists: &CeremonyLists<E>) -> Result<Heads<E>, FormatError> {
    fn at<C: Curve>(source: &PointSource<C>, index: usize) -> Result<Affine<C>, FormatError> {
        let mut points = Vec::new();
        source.decode(0..index, &mut points)?;
        let point = source.at(index)?;
        points.push(point);
        source.subgroup(&points)?;
        Ok(point)
    }
    Ok(Heads {
        tau_g1: at(&lists.tau_g1, 1)?,
        tau_g2: at(&lists.tau_g2, 1)?,
        alpha_g1: at(&lists.alpha_tau_g1, 0)?,
        beta_g1: at(&lists.beta_tau_g1, 0)?,
        beta_g2: at(&lists.beta_g2, 0)?,
    })
}

/// Hashes the bytes of a list of compressed points in pieces.
fn hash_pieces<C: Curve>(hash: &mut Blake2b, source: &PointSource<C>, what: Imported) {
    // snarkjs sizes a piece by the stored form of its points, or by their compressed form if the points are left out and never
    // decompressed.
    let form = if what == Imported::Powers { Form::Stored } else { Form::Compressed };
    let count = PIECE.checked_div(form.bytes::<C>()).unwrap_or(1);
    let piece = count.saturating_mul(Form::Compressed.bytes::<C>());
    source.section().bytes().chunks(piece.max(1)).for_each(|bytes| hash.update(bytes));
}

/// Writes compressed points as a section in stored form, and hashes their uncompressed form.
fn stored<C: Curve>(
    file: &mut ContainerWriter<'_>,
    id: u32,
    source: &PointSource<C>,
    hash: &mut Blake2b,
    done: &mut dyn FnMut(u64),
) -> Result<(), FormatError> {
    file.section(id, widen(source.len()).saturating_mul(widen(point_bytes::<C>())))?;
    let (mut points, mut bytes, mut hashed) = (Vec::new(), Vec::new(), Vec::new());
    for range in chunks(source.len(), CHUNK) {
        points.clear();
        bytes.clear();
        hashed.clear();
        source.decode(range, &mut points)?;
        for point in &points {
            push_point(&mut bytes, point);
            push_uncompressed(&mut hashed, point);
        }
        hash.update(&hashed);
        file.put(&bytes)?;
        done(widen(points.len()));
    }
    Ok(())
}
