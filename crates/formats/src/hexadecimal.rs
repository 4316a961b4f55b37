//! Bytes in hexadecimal, as documents hold them.

use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use zeroize::Zeroizing;

/// Bytes from hexadecimal digits of either case, with or without 0x before them.
#[cfg(feature = "std")]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    from_digits(text.strip_prefix("0x").unwrap_or(text))
}

/// Bytes from hexadecimal digits of either case.
#[cfg(feature = "std")]
pub(crate) fn from_digits(text: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |[high, low]: &[u8; 2]| Some(nibble(*high)? << 4 | nibble(*low)?);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    // The room is exact, so that no copy of a secret stays behind.
    let mut bytes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        bytes.push(byte(pair)?);
    }
    rest.is_empty().then_some(bytes)
}

/// [`from_hex`] of a secret.
#[cfg(feature = "std")]
pub fn secret_from_hex(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    from_hex(text).map(Zeroizing::new)
}

/// The hexadecimal digits of bytes, in lower case.
pub fn to_hex(bytes: &[u8]) -> String {
    // The room is exact, so that no copy of a secret stays behind.
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(nibble), 16));
        }
    }
    text
}

/// [`to_hex`] of a secret.
#[cfg(feature = "std")]
pub fn secret_to_hex(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(to_hex(bytes))
}
