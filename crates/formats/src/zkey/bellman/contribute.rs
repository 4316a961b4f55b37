//! Contributes to the parameters of a key's ceremony in bellman's form.

use super::super::contribution::{KeyContribution, KeyRecord, draw_factor};
use super::super::{Contributions, Origin};
use super::MpcParameters;
use super::export::put;
use crate::FormatError;
use crate::ceremony::Contributor;
use crate::ceremony::record::push_uncompressed;
use crate::container::count_u32;
use crate::points::PointSource;
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{Curve, Pairing, Projective};
use pairwright_device::{Session, parallel};
use pairwright_field::Field;
use pairwright_poly::Source;
use pairwright_protocols::groth16::division_plan;
use rand_core::CryptoRng;
use std::io::Write;
use zeroize::Zeroizing;

/// Number of points that one call of the device multiplies.
const PIECE: usize = 1 << 14;
/// Number of points that one task encodes.
const TASK: usize = 256;

/// Multiplies δ of parameters by a secret factor and writes the new parameters, as `snarkjs zkey bellman contribute` does.
/// Returns the description of the contribution, which the contributor can publish. The file holds no names.
///
/// Every point is checked to be in its prime-order subgroup before it is multiplied by the secret; the multiplications take a
/// time that does not depend on the secret, which is wiped. A piece of the points is in memory at a time. `rng` is used by the
/// subgroup check.
///
/// # Errors
/// When a point is malformed, the file has no circuit hash (contributions then make no sense), or `out` or an operator fails.
#[inline(never)]
pub fn contribute_to_mpc_parameters<E: Pairing>(
    on: &mut Session<'_, E>,
    out: &mut dyn Write,
    parameters: &MpcParameters<E>,
    by: &Contributor,
    rng: &mut dyn CryptoRng,
) -> Result<KeyContribution, FormatError> {
    let MpcParameters { circuit_hash, records, .. } = parameters;
    let count = count_u32("contributions", records.len())?;
    let begun = Contributions { circuit_hash: *circuit_hash, count, records: Vec::new() };
    if begun.origin() == Origin::OnePlace {
        return Err(FormatError::NoCeremony { file: parameters.file.name().clone() });
    }
    on.plan(|| division_plan(parameters.divided()));
    on.phase("check points");
    parameters.check(on, rng)?;
    on.phase("contribution");
    let (factor, s) = draw_factor::<E>(by);
    let inverse = Zeroizing::new(factor.invert().ok_or(FormatError::ZeroSecret)?);
    let delta_g1 = Projective::from(parameters.delta_g1).mul(&factor).to_affine();
    let delta_g2 = Projective::from(parameters.delta_g2).mul(&factor).to_affine();

    let mut bytes = Vec::new();
    push_uncompressed(&mut bytes, &parameters.alpha_g1);
    push_uncompressed(&mut bytes, &parameters.beta_g1);
    push_uncompressed(&mut bytes, &parameters.beta_g2);
    push_uncompressed(&mut bytes, &parameters.gamma_g2);
    push_uncompressed(&mut bytes, &delta_g1);
    push_uncompressed(&mut bytes, &delta_g2);
    put(out, &bytes)?;
    same(out, &parameters.ic)?;
    divided(on, out, &parameters.h, &inverse)?;
    divided(on, out, &parameters.l, &inverse)?;
    same(out, &parameters.a)?;
    same(out, &parameters.b_g1)?;
    same(out, &parameters.b_g2)?;

    let record = KeyRecord::new(circuit_hash, records, (&factor, s), delta_g1, &by.name(), None);
    let count = count_u32("contributions", records.len().saturating_add(1))?;
    let mut bytes = circuit_hash.to_vec();
    bytes.extend(count.to_be_bytes());
    records.iter().for_each(|record| record.push_hashed(&mut bytes));
    record.push_hashed(&mut bytes);
    put(out, &bytes)?;
    Ok(record.description())
}

fn length<C: Curve>(out: &mut dyn Write, source: &PointSource<C>) -> Result<(), FormatError> {
    put(out, &count_u32("points", source.len())?.to_be_bytes())
}

/// Copies a list of points.
fn same<C: Curve>(out: &mut dyn Write, source: &PointSource<C>) -> Result<(), FormatError> {
    length(out, source)?;
    put(out, source.section().bytes())
}

/// Writes `k·p` for every point p of a list, in time independent of `k`.
fn divided<E: Pairing>(
    on: &mut Session<'_, E>,
    out: &mut dyn Write,
    source: &PointSource<E::G1>,
    k: &E::Fr,
) -> Result<(), FormatError> {
    length(out, source)?;
    let factors = Zeroizing::new(vec![*k; source.len().min(PIECE)]);
    let mut points = Vec::new();
    for start in (0..source.len()).step_by(PIECE) {
        points.clear();
        source.decode(start..source.len().min(start.saturating_add(PIECE)), &mut points)?;
        let factors = factors.get(..points.len()).unwrap_or_default();
        let points = on.scale_by_secrets_g1(&points, factors)?;
        let parts = parallel::map(points.chunks(TASK), |_, points| {
            let mut bytes = Vec::new();
            points.iter().for_each(|p| push_uncompressed(&mut bytes, p));
            bytes
        });
        put(out, &parts.concat())?;
    }
    Ok(())
}
