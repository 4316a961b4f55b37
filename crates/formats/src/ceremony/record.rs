//! Code that the contribution records of both phases share: points that are read with all checks, parameters, and the encodings
//! of points that are hashed.

use super::Beacon;
use super::draws::is_negative;
use crate::FormatError;
use crate::container::Cursor;
use crate::points::{decode, point_bytes};
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, PrimeField};

/// Appends the kind of a contribution, 0 for a secret or 1 for a beacon, and then its parameters, preceded by their length in
/// bytes, in the order of their numbers: 1 the name, 2 the base-2 logarithm of the number of hashes, 3 the beacon's value.
pub(crate) fn push_parameters(out: &mut Vec<u8>, name: &str, beacon: Option<&Beacon>) {
    out.extend(u32::from(beacon.is_some()).to_le_bytes());
    let mut parameters = Vec::new();
    if !name.is_empty() {
        push_parameter(&mut parameters, 1, name.as_bytes());
    }
    if let Some(beacon) = beacon {
        parameters.extend([2, beacon.log_hashes()]);
        push_parameter(&mut parameters, 3, beacon.value());
    }
    out.extend(u32::try_from(parameters.len()).unwrap_or(u32::MAX).to_le_bytes());
    out.extend(parameters);
}

/// Appends a parameter of at most 255 bytes; names and beacon values are never longer.
fn push_parameter(out: &mut Vec<u8>, number: u8, bytes: &[u8]) {
    out.push(number);
    out.push(u8::try_from(bytes.len()).unwrap_or(u8::MAX));
    out.extend(bytes.iter().take(usize::from(u8::MAX)));
}

/// Reads the kind of a contribution and its parameters: the name, and the beacon if it was one.
pub(crate) fn read_parameters(cursor: &mut Cursor<'_>) -> Result<(String, Option<Beacon>), FormatError> {
    let at = cursor.place();
    let kind = cursor.u32("the kind of a contribution")?;
    if kind > 1 {
        return Err(FormatError::Record { at, why: "it is neither a contribution nor a beacon" });
    }
    let at = cursor.place();
    let length = cursor.u32("the length of the parameters")?;
    let bytes = cursor.take(usize::try_from(length).unwrap_or(usize::MAX), "the parameters")?;
    let Some(Parameters { name, log_hashes, value }) = Parameters::read(bytes) else {
        return Err(FormatError::Record { at, why: "its parameters are malformed" });
    };
    match (kind, log_hashes, value) {
        (1, Some(log), Some(value)) => {
            let beacon = Beacon::new(value, log.into());
            let beacon = beacon.map_err(|_| FormatError::Record { at, why: "its beacon is out of range" })?;
            Ok((name, Some(beacon)))
        }
        (0, None, None) => Ok((name, None)),
        _ => Err(FormatError::Record { at, why: "its parameters are of the other kind" }),
    }
}

/// The parameters of a record.
struct Parameters {
    name: String,
    log_hashes: Option<u8>,
    value: Option<Vec<u8>>,
}

impl Parameters {
    /// Decodes parameters; `None` unless all are known, in ascending order, and complete at the end of the bytes.
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

/// A decoder for the bytes of a point.
pub(crate) type Decode<C> = fn(&[u8]) -> Option<Affine<C>>;

/// Reads a finite point of the subgroup in the encoding of zkey and ptau files.
pub(crate) fn point<C: Curve>(cursor: &mut Cursor<'_>) -> Result<Affine<C>, FormatError> {
    point_by(cursor, decode::<C>)
}

/// Reads a finite point of the subgroup with the given decoder.
pub(crate) fn point_by<C: Curve>(
    cursor: &mut Cursor<'_>,
    decode: Decode<C>,
) -> Result<Affine<C>, FormatError> {
    let at = cursor.place();
    let bytes = cursor.take(point_bytes::<C>(), "a point of a contribution")?;
    let field = <C::Base as Extension>::Prime::NAME;
    let p = decode(bytes).ok_or_else(|| FormatError::NotReduced { at: at.clone(), index: 0, field })?;
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

/// Appends a point in the uncompressed encoding that is hashed: canonical (not Montgomery) coordinates, big-endian, the upper
/// coefficient of a quadratic extension first; infinity is all zeros.
pub(crate) fn push_uncompressed<C: Curve>(out: &mut Vec<u8>, p: &Affine<C>) {
    push_big_endian(out, &p.x);
    push_big_endian(out, &p.y);
}

/// Appends a finite point in compressed form: the x coordinate, with a bit that is set if y is the larger of the two
/// candidates.
pub(crate) fn push_compressed<C: Curve>(out: &mut Vec<u8>, p: &Affine<C>) {
    let start = out.len();
    push_big_endian(out, &p.x);
    if let Some(byte) = out.get_mut(start).filter(|_| is_negative(&p.y)) {
        *byte |= 0x80;
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
