//! Conversion between bytes and the hexadecimal strings of documents.

use alloc::string::String;
#[cfg(feature = "std")]
use alloc::vec::Vec;
#[cfg(feature = "std")]
use zeroize::Zeroizing;

/// Decodes hexadecimal digits of either case, with or without the prefix 0x; `None` if the text is anything else.
#[cfg(feature = "std")]
pub fn from_hex(text: &str) -> Option<Vec<u8>> {
    from_digits(text.strip_prefix("0x").unwrap_or(text))
}

/// Decodes hexadecimal digits of either case, without a prefix.
#[cfg(feature = "std")]
pub(crate) fn from_digits(text: &str) -> Option<Vec<u8>> {
    let nibble = |digit: u8| char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok());
    let byte = |[high, low]: &[u8; 2]| Some(nibble(*high)? << 4 | nibble(*low)?);
    let (pairs, rest) = text.as_bytes().as_chunks::<2>();
    // The capacity is exact: growing the buffer would leave a copy of a secret in memory.
    let mut bytes = Vec::with_capacity(pairs.len());
    for pair in pairs {
        bytes.push(byte(pair)?);
    }
    rest.is_empty().then_some(bytes)
}

/// [`from_hex`] for a secret: the result is wiped when it is dropped.
#[cfg(feature = "std")]
pub fn secret_from_hex(text: &str) -> Option<Zeroizing<Vec<u8>>> {
    from_hex(text).map(Zeroizing::new)
}

/// The hexadecimal digits of bytes, in lower case.
pub fn to_hex(bytes: &[u8]) -> String {
    // The capacity is exact: growing the buffer would leave a copy of a secret in memory.
    let mut text = String::with_capacity(bytes.len().saturating_mul(2));
    for byte in bytes {
        for nibble in [byte >> 4, byte & 15] {
            text.extend(char::from_digit(u32::from(nibble), 16));
        }
    }
    text
}

/// [`to_hex`] for a secret: the result is wiped when it is dropped.
#[cfg(feature = "std")]
pub fn secret_to_hex(bytes: &[u8]) -> Zeroizing<String> {
    Zeroizing::new(to_hex(bytes))
}
