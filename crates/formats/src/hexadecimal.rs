//! Bytes in hexadecimal, as documents hold them.

use alloc::string::String;
use alloc::vec::Vec;
use zeroize::Zeroizing;

/// Bytes from hexadecimal digits of either case, with or without 0x before them.
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digits = text.strip_prefix("0x").unwrap_or(text).as_bytes();
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |[high, low]: &[u8; 2]| Some(nibble(*high)? << 4 | nibble(*low)?);
    let (pairs, rest) = digits.as_chunks::<2>();
    // The room is exact, so that no copy of a secret stays behind.
    let mut bytes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        bytes.push(byte(pair)?);
    }
    rest.is_empty().then_some(bytes)
}

/// [`from_hex`] of a secret.
pub fn secret_from_hex(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    from_hex(text).map(Zeroizing::new)
}

/// The digits of a secret, in lower case.
pub fn secret_to_hex(bytes: &[u8]) -> Zeroizing<String> {
    let mut text = Zeroizing::new(String::with_capacity(bytes.len().saturating_mul(2)));
    for byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(nibble), 16));
        }
    }
    text
}
