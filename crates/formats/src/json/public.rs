//! Reads the list of public values in snarkjs' JSON (`public.json`).

use super::{expect_at_most, number, parse};
use crate::sizes::widen;
use crate::{FileBytes, FormatError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_field::PrimeField;

/// Reads public values: the circuit's outputs, then its public inputs.
///
/// # Errors
/// When the text is not a list of decimal strings, or a value is not below the modulus r: `v + r` would be a second encoding of
/// `v`.
#[inline(never)]
pub fn read_public<F: PrimeField>(file: FileBytes) -> Result<Vec<F>, FormatError> {
    let list: Vec<String> = parse(&file)?;
    list.iter().enumerate().map(|(i, text)| number(&file, || format!("[{i}]"), i, text)).collect()
}

/// [`read_public`] for a known number of values, that of a key: a document that is longer than such a list can be is refused
/// before it is parsed, so that an attacker cannot make a verifier allocate memory for it.
///
/// # Errors
/// As [`read_public`], and [`FormatError::TooLarge`].
#[inline(never)]
pub fn read_public_of<F: PrimeField>(file: FileBytes, count: usize) -> Result<Vec<F>, FormatError> {
    // Room for the quotes, the comma and the indentation around the digits of a value.
    let each = widen(F::BYTES).saturating_mul(4).saturating_add(64);
    let most = each.saturating_mul(widen(count).saturating_add(16));
    expect_at_most(&file, most, "the public values of this key")?;
    read_public(file)
}
