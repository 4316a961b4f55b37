//! Reads `public.json`, the list of public values.

use super::{expect_at_most, number, parse};
use crate::sizes::widen;
use crate::{FileBytes, FormatError};
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use pairwright_field::PrimeField;

/// Reads public values: outputs, then public inputs.
///
/// # Errors
/// When the text is not a list of strings of decimal digits, or a value is not below the modulus: `v + r` would be
/// another name for `v`.
#[inline(never)]
pub fn read_public<F: PrimeField>(file: FileBytes) -> Result<Vec<F>, FormatError> {
    let list: Vec<String> = parse(&file)?;
    list.iter().enumerate().map(|(i, text)| number(&file, || format!("[{i}]"), i, text)).collect()
}

/// [`read_public`] for a number of values that is known, of a key: a document that is longer than such a list can be is
/// refused before it is read, so that nobody can make a verifier take memory for it.
///
/// # Errors
/// As [`read_public`], and [`FormatError::TooLarge`].
#[inline(never)]
pub fn read_public_of<F: PrimeField>(file: FileBytes, count: usize) -> Result<Vec<F>, FormatError> {
    // A value has quotes, a comma and an indentation around its digits.
    let each = widen(F::BYTES).saturating_mul(4).saturating_add(64);
    let most = each.saturating_mul(widen(count).saturating_add(16));
    expect_at_most(&file, most, "the public values of this key")?;
    read_public(file)
}
