//! Writes a key from powers of tau while its points are computed, and a key with a contribution while its points are divided by
//! the factor.

use super::ceremony::{draw_factor, past_end};
use super::circuit_hash::Hasher;
use super::write::{FIRST_KEY, coefficients, head, record};
use super::write_local::{computed, entries};
use super::{CeremonyError, Contributions, FORMAT, ZkeyFile};
use crate::container::ContainerWriter;
use crate::points::points_section;
use crate::{FormatError, PtauFile};
use alloc::boxed::Box;
use blake2::Digest as _;
use pairwright_curve::Pairing;
use pairwright_device::Session;
use pairwright_poly::SourceError;
use pairwright_protocols::groth16::{
    ContributeError, Contribution, KeyPart, PowersSetup, ProvingKey, SetupError,
};
use pairwright_protocols::r1cs::ConstraintSource;
use rand_core::CryptoRng;
use std::io::Write;

/// Number of points that are divided at a time.
const DIVIDED: usize = 1 << 15;

/// Writes the initial key of a circuit from powers of tau. The bytes are those that [`super::write_zkey`] writes for
/// [`super::first_key`]; the memory is that of the setup's steps. `ptau` is the file of powers that the setup was made from.
///
/// # Errors
/// When the constraints or the powers cannot be read again or are too many for the format, or `out` fails.
#[inline(never)]
pub fn write_first_zkey<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    system: &dyn ConstraintSource<E::Fr>,
    (setup, ptau): (&PowersSetup<'_, E>, &PtauFile<E>),
) -> Result<(), FormatError> {
    let key = setup.head(on).map_err(of_setup)?;
    let mut file = ContainerWriter::new(out, &FORMAT, 10)?;
    head(&mut file, &key)?;
    let past = past_end(ptau)?;
    let hash = on.host("circuit_hash", key.wires, || Hasher::begin(&key, ptau, past));
    let (mut hash, [step, step_g2]) = (hash?, setup.steps.wires);
    // The hash covers the sections in the order in which an initial key holds them.
    for id in FIRST_KEY {
        let part = match id {
            3 => {
                points_section(&mut file, id, &key.vk.ic)?;
                continue;
            }
            4 => {
                entries(&mut file, system, setup.entries)?;
                continue;
            }
            5 => KeyPart::A,
            6 | 7 => KeyPart::B,
            8 => KeyPart::C,
            _ => KeyPart::H,
        };
        let len = setup.section_len(part);
        if part != KeyPart::H {
            hash.length("wires", len)?;
        }
        if id == 7 {
            computed(&mut file, (id, len), step_g2, |range| {
                let points = setup.points_g2(on, range).map_err(of_setup)?;
                hash.points(&points);
                Ok(points)
            })?;
        } else {
            computed(&mut file, (id, len), step, |range| {
                let points = setup.points_g1(on, part, range).map_err(of_setup)?;
                if part != KeyPart::H {
                    hash.points(&points);
                }
                Ok(points)
            })?;
        }
    }
    let circuit_hash = hash.0.finalize().into();
    record(&mut file, &Contributions { circuit_hash, ..Contributions::none() })?;
    file.finish()
}

/// Draws a factor of δ, which is wiped afterwards, and writes an initial key ([`write_first_zkey`]) with this contribution and
/// its record. The bytes are those that [`super::write_zkey`] writes for [`super::setup_with_ptau`] with the same random
/// values. Some thousand points are in memory at a time.
///
/// # Errors
/// When the initial key cannot be read, or an operator or `out` fails.
#[inline(never)]
pub fn write_with_contribution<E: Pairing>(
    out: &mut dyn Write,
    on: &mut Session<'_, E>,
    first: &ZkeyFile<E>,
    name: &str,
    rng: &mut dyn CryptoRng,
) -> Result<(), FormatError> {
    on.phase("contribution");
    let factor = draw_factor::<E::Fr>(rng);
    let by = Contribution::new(&*factor).map_err(of_contribution)?;
    let mut key: ProvingKey<E> = first.proving_key()?;
    by.multiply_delta(&mut key);
    let hash = first.contributions()?.circuit_hash;
    let contributions = Contributions::first(hash, &key, &factor, name, rng);
    let mut file = ContainerWriter::new(out, &FORMAT, 10)?;
    head(&mut file, &key)?;
    points_section(&mut file, 3, &key.vk.ic)?;
    coefficients(&mut file, &key)?;
    points_section(&mut file, 5, key.a.as_ref())?;
    points_section(&mut file, 6, key.b_g1.as_ref())?;
    points_section(&mut file, 7, key.b_g2.as_ref())?;
    for (id, section) in [(8, &key.c), (9, &key.h)] {
        let source = section.as_ref();
        computed(&mut file, (id, source.len()), DIVIDED, |range| {
            by.divided(on, source, range).map_err(of_contribution)
        })?;
    }
    record(&mut file, &contributions)?;
    file.finish()
}

fn of_setup(why: SetupError) -> FormatError {
    match why {
        SetupError::Source(why) => FormatError::Source(why),
        SetupError::Device(why) => FormatError::Device(why),
        other => FormatError::Source(SourceError(Box::new(CeremonyError::from(other)))),
    }
}

fn of_contribution(why: ContributeError) -> FormatError {
    match why {
        ContributeError::Source(why) => FormatError::Source(why),
        ContributeError::Device(why) => FormatError::Device(why),
        other => FormatError::Source(SourceError(Box::new(other))),
    }
}
