//! The initial powers of tau of a ceremony, and contributions to them, with the same bytes as snarkjs.

use super::record::{Heads, PowersContribution, PowersSecrets, Record, draw_secrets, section_of};
use super::{FORMAT, PtauFile, contributions, head, whole};
use crate::ceremony::blake2b::Blake2b;
use crate::ceremony::record::{push_compressed, push_uncompressed};
use crate::container::{ContainerWriter, widen};
use crate::points::{PointSource, decode, point_bytes, push_point};
use crate::sizes::chunks;
use crate::{Contributor, FormatError, Section};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::{DeviceError, Operator, PlannedCall, Session, parallel};
use pairwright_field::Field;
use pairwright_poly::Source;
use rand_core::CryptoRng;
use std::io::{Read, Seek, SeekFrom, Write};
use zeroize::Zeroizing;

/// Bytes of points that are hashed and written at a time. It has to be snarkjs' value: the hash state in a record depends on
/// it.
const PIECE: usize = 1 << 20;
/// Number of points that one task encodes.
const TASK: usize = 256;
/// Name of a contribution's phase in the device's accounting.
pub(super) const PHASE: &str = "contribution";

/// The number of points of each list of powers.
pub(super) struct Lengths {
    pub(super) tau_g1: usize,
    pub(super) others: usize,
}

impl Lengths {
    pub(super) fn new(power: u32) -> Self {
        let others = 1usize.checked_shl(power).unwrap_or(usize::MAX);
        Self { tau_g1: others.saturating_mul(2).saturating_sub(1), others }
    }
}

/// Writes the initial powers of a ceremony, with τ = α = β = 1, as `snarkjs powersoftau new` does. Returns the challenge hash
/// of the first contribution.
///
/// # Errors
/// When the power is zero or the curve has no domain for keys of that power, or `out` fails.
#[inline(never)]
pub fn new_powers<E: Pairing>(out: &mut dyn Write, power: u32) -> Result<[u8; 64], FormatError> {
    let most = super::most_power::<E>();
    // With a single power (2^0) the file would not contain τ in G2.
    if !(1..=most).contains(&power) {
        return Err(FormatError::NoSuchPower { found: power, most });
    }
    let lengths = Lengths::new(power);
    let mut file = ContainerWriter::new(out, &FORMAT, 7)?;
    head::<E>(&mut file, power, power)?;
    repeat::<E::G1>(&mut file, 2, lengths.tau_g1)?;
    repeat::<E::G2>(&mut file, 3, lengths.others)?;
    repeat::<E::G1>(&mut file, 4, lengths.others)?;
    repeat::<E::G1>(&mut file, 5, lengths.others)?;
    repeat::<E::G2>(&mut file, 6, 1)?;
    contributions(&mut file, None)?;
    file.finish()?;
    Ok(first_challenge::<E>(power))
}

/// The challenge hash for the next contribution.
pub(super) fn challenge_of<E: Pairing>(power: u32, records: &[Record<E>]) -> [u8; 64] {
    records.last().map_or_else(|| first_challenge::<E>(power), |record| record.next_challenge)
}

/// The hash of a ceremony's initial powers, preceded by the hash of the empty input.
pub(super) fn first_challenge<E: Pairing>(power: u32) -> [u8; 64] {
    let lengths = Lengths::new(power);
    let mut hash = Blake2b::new();
    hash.update(&Blake2b::new().finish());
    let mut bytes = Vec::new();
    let mut repeated = |point: &[u8], count: usize| {
        let all = point.repeat(count.min(1 << 10));
        let mut left = count.saturating_mul(point.len());
        while left > 0 {
            let part = all.get(..left.min(all.len())).unwrap_or_default();
            hash.update(part);
            left = left.saturating_sub(part.len());
        }
    };
    push_uncompressed(&mut bytes, &Affine::<E::G1>::generator());
    let g1 = core::mem::take(&mut bytes);
    push_uncompressed(&mut bytes, &Affine::<E::G2>::generator());
    repeated(&g1, lengths.tau_g1);
    repeated(&bytes, lengths.others);
    repeated(&g1, lengths.others);
    repeated(&g1, lengths.others);
    repeated(&bytes, 1);
    hash.finish()
}

/// Writes powers of tau with one more contribution, with the same bytes as `snarkjs powersoftau contribute` and `beacon` for
/// the same secrets. Lagrange points are left out, since they belong to the old powers.
///
/// Every point is checked to be in its prime-order subgroup before it is multiplied by a secret. The multiplications take a
/// time that does not depend on the secrets, which are wiped. Whether the powers come from a ceremony is not checked
/// ([`super::verify_powers`] does that). 1 MiB of points is in memory at a time; `spool` is an empty file for writing and
/// reading back, which grows to the size of the powers. `rng` is used by the subgroup check.
///
/// # Errors
/// When the file has only some of the ceremony's powers, a record or a point is malformed, or a file or an operator fails.
#[inline(never)]
pub fn contribute_to_powers<E: Pairing, S: Read + Write + Seek>(
    on: &mut Session<'_, E>,
    out: &mut dyn Write,
    spool: &mut S,
    ptau: &PtauFile<E>,
    by: &Contributor,
    rng: &mut dyn CryptoRng,
) -> Result<PowersContribution, FormatError> {
    on.phase(PHASE);
    whole(&ptau.file, ptau.power, ptau.ceremony_power)?;
    let records = ptau.records()?;
    let lists = &ptau.lists;
    on.plan(|| lists.plan());
    ptau.check_powers(on, rng)?;
    let challenge = challenge_of(ptau.power, &records);
    let (secrets, knowledge) = draw_secrets::<E>(by, &challenge);

    let mut response = Blake2b::new();
    response.update(&challenge);
    let mut put = |stored: &[u8], hashed: &[u8]| {
        response.update(hashed);
        spool.write_all(stored).map_err(FormatError::Write)
    };
    let heads = lists.multiplied(on, &secrets, &mut put)?;
    let mut record = Record {
        heads,
        knowledge,
        state: response.clone(),
        next_challenge: [0; 64],
        challenge_at: 0,
        name: by.name(),
        beacon: by.beacon().cloned(),
    };

    spool.seek(SeekFrom::Start(0)).map_err(FormatError::Write)?;
    let mut file = ContainerWriter::new(out, &FORMAT, 7)?;
    head::<E>(&mut file, ptau.power, ptau.power)?;
    let mut next = Blake2b::new();
    next.update(&record.response());
    copied(&mut file, 2, spool, &ptau.lists.tau_g1, &mut next)?;
    copied(&mut file, 3, spool, &ptau.lists.tau_g2, &mut next)?;
    copied(&mut file, 4, spool, &ptau.lists.alpha_tau_g1, &mut next)?;
    copied(&mut file, 5, spool, &ptau.lists.beta_tau_g1, &mut next)?;
    copied(&mut file, 6, spool, &ptau.lists.beta_g2, &mut next)?;
    record.next_challenge = next.finish();
    let body =
        section_of(ptau.contributions.as_ref().map(Section::bytes), records.len().saturating_add(1), &record);
    file.section(7, widen(body.len()))?;
    file.put(&body)?;
    file.finish()?;
    Ok(record.description())
}

/// Writes a section of `count` generators.
fn repeat<C: Curve>(file: &mut ContainerWriter<'_>, id: u32, count: usize) -> Result<(), FormatError> {
    let mut point = Vec::new();
    push_point(&mut point, &Affine::<C>::generator());
    file.section(id, widen(count).saturating_mul(widen(point.len())))?;
    let piece = point.repeat(count.min(1 << 10));
    let mut left = count.saturating_mul(point.len());
    while left > 0 {
        let part = piece.get(..left.min(piece.len())).unwrap_or_default();
        file.put(part)?;
        left = left.saturating_sub(part.len());
    }
    Ok(())
}

/// The five lists of points of a ceremony, in the order in which they are hashed.
#[derive(Debug)]
pub(super) struct CeremonyLists<E: Pairing> {
    pub(super) tau_g1: PointSource<E::G1>,
    pub(super) tau_g2: PointSource<E::G2>,
    pub(super) alpha_tau_g1: PointSource<E::G1>,
    pub(super) beta_tau_g1: PointSource<E::G1>,
    pub(super) beta_g2: PointSource<E::G2>,
}

impl<E: Pairing> CeremonyLists<E> {
    /// The device calls that [`CeremonyLists::multiplied`] makes, one entry for each group.
    pub(super) fn plan(&self) -> Vec<PlannedCall> {
        let in_g1 = [&self.tau_g1, &self.alpha_tau_g1, &self.beta_tau_g1];
        let in_g1 = in_g1.map(|list| list.len()).into_iter().fold(0, usize::saturating_add);
        let in_g2 = self.tau_g2.len().saturating_add(self.beta_g2.len());
        let call = |operator: Operator, size| PlannedCall { phase: PHASE, operator: operator.name(), size };
        vec![call(Operator::ScaleBySecretsG1, in_g1), call(Operator::ScaleBySecretsG2, in_g2)]
    }

    /// Multiplies all lists by the factors of a contribution, passes the products to `put` in stored and in uncompressed form,
    /// and returns the first points of the new lists.
    pub(super) fn multiplied(
        &self,
        on: &mut Session<'_, E>,
        secrets: &PowersSecrets<E::Fr>,
        put: Put<'_>,
    ) -> Result<Heads<E>, FormatError> {
        let PowersSecrets { tau, alpha, beta } = secrets;
        let one = E::Fr::ONE;
        let (g1, g2) = (Session::scale_by_secrets_g1, Session::scale_by_secrets_g2);
        let mut to = Multiplied { on, put };
        let [_, tau_g1] = to.section(&self.tau_g1, g1, [&one, tau])?;
        let [_, tau_g2] = to.section(&self.tau_g2, g2, [&one, tau])?;
        let [alpha_g1, _] = to.section(&self.alpha_tau_g1, g1, [alpha, tau])?;
        let [beta_g1, _] = to.section(&self.beta_tau_g1, g1, [beta, tau])?;
        let [beta_g2, _] = to.section(&self.beta_g2, g2, [beta, tau])?;
        Ok(Heads { tau_g1, tau_g2, alpha_g1, beta_g1, beta_g2 })
    }
}

/// A receiver of encoded points: their stored bytes, and the bytes that are hashed.
pub(super) type Put<'a> = &'a mut dyn FnMut(&[u8], &[u8]) -> Result<(), FormatError>;

/// The device operator of a group that multiplies points by secret scalars.
type Scale<'d, E, C> =
    fn(&mut Session<'d, E>, &[Affine<C>], &[<E as Pairing>::Fr]) -> Result<Vec<Affine<C>>, DeviceError>;

/// The device that multiplies points, and the receiver of the products.
struct Multiplied<'a, 'd, E: Pairing> {
    on: &'a mut Session<'d, E>,
    put: Put<'a>,
}

impl<'d, E: Pairing> Multiplied<'_, 'd, E> {
    /// Multiplies the i-th point of a section by `first·step^i`, and returns the first two products.
    #[allow(clippy::arithmetic_side_effects)] // Arithmetic of a field: nothing overflows.
    fn section<C: Curve>(
        &mut self,
        source: &PointSource<C>,
        scale: Scale<'d, E, C>,
        [first, step]: [&E::Fr; 2],
    ) -> Result<[Affine<C>; 2], FormatError> {
        let mut heads = [Affine::INFINITY; 2];
        let count = PIECE.checked_div(point_bytes::<C>()).unwrap_or(1);
        let mut power = Zeroizing::new(*first);
        for range in chunks(source.len(), count) {
            let start = range.start;
            let mut points = Vec::new();
            source.decode(range, &mut points)?;
            let mut factors = Zeroizing::new(Vec::with_capacity(points.len()));
            for _ in &points {
                factors.push(*power);
                *power *= *step;
            }
            let points = scale(self.on, &points, &factors)?;
            let parts = parallel::map(points.chunks(TASK), |_, points| {
                let (mut stored, mut hashed) = (Vec::new(), Vec::new());
                for p in points {
                    push_point(&mut stored, p);
                    push_compressed(&mut hashed, p);
                }
                (stored, hashed)
            });
            let (stored, hashed): (Vec<_>, Vec<_>) = parts.into_iter().unzip();
            (self.put)(&stored.concat(), &hashed.concat())?;
            if start == 0 {
                heads.iter_mut().zip(&points).for_each(|(head, p)| *head = *p);
            }
        }
        Ok(heads)
    }
}

/// Copies a section from the spool and hashes its points.
fn copied<C: Curve>(
    file: &mut ContainerWriter<'_>,
    id: u32,
    spool: &mut impl Read,
    like: &PointSource<C>,
    hash: &mut Blake2b,
) -> Result<(), FormatError> {
    let size = point_bytes::<C>();
    file.section(id, widen(like.len()).saturating_mul(widen(size)))?;
    let count = PIECE.checked_div(size).unwrap_or(1);
    let mut left = like.len();
    while left > 0 {
        let points = left.min(count);
        let mut bytes = vec![0; points.saturating_mul(size)];
        spool.read_exact(&mut bytes).map_err(FormatError::Write)?;
        let mut hashed = Vec::new();
        for point in bytes.chunks_exact(size) {
            push_uncompressed(&mut hashed, &decode::<C>(point).ok_or(FormatError::Spool { id })?);
        }
        hash.update(&hashed);
        file.put(&bytes)?;
        left = left.saturating_sub(points);
    }
    Ok(())
}
