//! Conversion of limb vectors to and from decimal text, the form of numbers in circom's JSON files.

use crate::FieldError;
use crate::limbs::mac;
use alloc::format;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;

/// Decimal digits that are converted at a time: nineteen fit a limb, because 10^19 < 2^64.
const CHUNK: usize = 19;

/// Parses ASCII digits; `Ok(None)` when the value does not fit `N` limbs.
pub(crate) fn parse<const N: usize>(text: &str) -> Result<Option<[u64; N]>, FieldError> {
    let digits = text.as_bytes();
    if let Some(at) = digits.iter().position(|b| !b.is_ascii_digit()) {
        return Err(FieldError::NotDecimal { at });
    }
    if digits.is_empty() {
        return Err(FieldError::NotDecimal { at: 0 });
    }
    let mut value = [0u64; N];
    // There may be any number of leading zeros; a value that is too wide is refused at the first carry out of the top limb.
    for chunk in digits.chunks(CHUNK) {
        let (mut scale, mut carry) = (1u64, 0u64);
        for &b in chunk {
            scale *= 10;
            carry = carry * 10 + u64::from(b - b'0');
        }
        for limb in &mut value {
            *limb = mac(0, *limb, scale, &mut carry);
        }
        if carry != 0 {
            return Ok(None);
        }
    }
    Ok(Some(value))
}

/// Prints a limb vector in decimal.
pub(crate) fn print(limbs: &[u64]) -> String {
    let mut rest = limbs.to_vec();
    let mut chunks = Vec::new();
    while rest.iter().any(|&l| l != 0) {
        let mut remainder = 0u128;
        for limb in rest.iter_mut().rev() {
            let cur = remainder << 64 | u128::from(*limb);
            *limb = (cur / 10u128.pow(CHUNK as u32)) as u64;
            remainder = cur % 10u128.pow(CHUNK as u32);
        }
        chunks.push(remainder as u64);
    }
    let mut out = chunks.pop().unwrap_or(0).to_string();
    for c in chunks.into_iter().rev() {
        out.push_str(&format!("{c:019}"));
    }
    out
}
