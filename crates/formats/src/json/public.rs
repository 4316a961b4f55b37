//! Reads and writes `public.json`, the list of public values.

use super::{number, parse, print};
use crate::{FileBytes, FormatError};
use pairwright_field::PrimeField;
use std::io::Write;

/// Reads public values: outputs, then public inputs.
///
/// # Errors
/// When the text is not a list of strings of decimal digits, or a value is not below the modulus: `v + r` would be
/// another name for `v`.
pub fn read_public<F: PrimeField>(file: FileBytes) -> Result<Vec<F>, FormatError> {
    let list: Vec<String> = parse(&file)?;
    list.iter().enumerate().map(|(i, text)| number(&file, || format!("[{i}]"), i, text)).collect()
}

/// Writes public values as snarkjs does, byte for byte.
///
/// # Errors
/// When `out` fails.
pub fn write_public<F: PrimeField>(out: &mut dyn Write, public: &[F]) -> Result<(), FormatError> {
    let list: Vec<String> = public.iter().map(PrimeField::to_decimal).collect();
    print(out, &list)
}
