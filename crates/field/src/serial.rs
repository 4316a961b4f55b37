//! Values in the formats of serde: text in human-readable formats, bytes in the others.
//!
//! In text, a number is written in decimal, as in the JSON of circom and snarkjs. Values that are not numbers (points, proofs,
//! keys) are written as the bytes of their binary form in hexadecimal: lower case, two digits per byte, no prefix. A value has
//! exactly one text and one binary form, so a value that was read is written back unchanged.

use crate::{Fp, Modulus, PrimeField};
use alloc::string::String;
use alloc::vec;
use alloc::vec::Vec;
use core::fmt::{self, Display};
use core::marker::PhantomData;
use serde::de::{Deserialize, Deserializer, Error, Visitor};
use serde::ser::{Serialize, Serializer};

/// Writes bytes: in hexadecimal if the format is human-readable, otherwise as they are.
///
/// # Errors
/// The errors of the format.
pub fn serialize<S: Serializer>(bytes: &[u8], to: S) -> Result<S::Ok, S::Error> {
    if !to.is_human_readable() {
        return to.serialize_bytes(bytes);
    }
    let digit = |x: u8| char::from(if x < 10 { b'0' + x } else { b'a' + (x - 10) });
    let text: String = bytes.iter().flat_map(|byte| [digit(byte >> 4), digit(byte & 15)]).collect();
    to.serialize_str(&text)
}

/// Reads the output of [`serialize`]. `read` decodes and checks the bytes; `what` names the value in messages.
///
/// # Errors
/// When the format fails, the text is not hexadecimal, or `read` refuses.
pub fn deserialize<'de, D, T, E>(
    from: D,
    what: &'static str,
    read: impl FnOnce(&[u8]) -> Result<T, E>,
) -> Result<T, D::Error>
where
    D: Deserializer<'de>,
    E: Display,
{
    if from.is_human_readable() {
        from.deserialize_str(Reader { what, read, text: true, value: PhantomData })
    } else {
        from.deserialize_bytes(Reader { what, read, text: false, value: PhantomData })
    }
}

/// A visitor that accepts text in hexadecimal or bytes, and nothing else.
struct Reader<R, T> {
    what: &'static str,
    read: R,
    text: bool,
    value: PhantomData<T>,
}

impl<T, E: Display, R: FnOnce(&[u8]) -> Result<T, E>> Visitor<'_> for Reader<R, T> {
    type Value = T;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.what, if self.text { "in hexadecimal" } else { "as bytes" })
    }

    fn visit_str<X: Error>(self, text: &str) -> Result<T, X> {
        if !self.text {
            return Err(X::invalid_type(serde::de::Unexpected::Str(text), &self));
        }
        let bytes = from_hex(text)
            .ok_or_else(|| X::custom(InvalidValue(self.what, &"not hexadecimal in lower case")))?;
        (self.read)(&bytes).map_err(|why| X::custom(InvalidValue(self.what, &why)))
    }

    fn visit_bytes<X: Error>(self, bytes: &[u8]) -> Result<T, X> {
        (self.read)(bytes).map_err(|why| X::custom(InvalidValue(self.what, &why)))
    }
}

/// The error for input that is not a value: the name of the expected value, and the reason.
struct InvalidValue<'a>(&'static str, &'a dyn Display);

impl Display for InvalidValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.0, self.1)
    }
}

fn from_hex(text: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| match byte {
        b'0'..=b'9' => Some(byte - b'0'),
        b'a'..=b'f' => Some(byte - b'a' + 10),
        _ => None,
    };
    let (pairs, []) = text.as_bytes().as_chunks::<2>() else { return None };
    pairs.iter().map(|[high, low]| Some(digit(*high)? << 4 | digit(*low)?)).collect()
}

/// Writes decimal text in human-readable formats, otherwise the canonical value as little-endian bytes.
impl<M: Modulus<N>, const N: usize> Serialize for Fp<M, N>
where
    [u64; N]: Default,
{
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        if to.is_human_readable() {
            return to.serialize_str(&self.to_decimal());
        }
        let mut bytes = vec![0; Self::BYTES];
        self.write_le(&mut bytes);
        to.serialize_bytes(&bytes)
    }
}

/// Refuses values that are not below the modulus, and leading zeros.
impl<'de, M: Modulus<N>, const N: usize> Deserialize<'de> for Fp<M, N>
where
    [u64; N]: Default,
{
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        if from.is_human_readable() {
            from.deserialize_str(Number(PhantomData))
        } else {
            deserialize(from, M::NAME, Self::read_le)
        }
    }
}

/// A visitor that accepts decimal text and nothing else: not every JSON implementation keeps large numbers exact.
struct Number<F>(PhantomData<F>);

impl<M: Modulus<N>, const N: usize> Visitor<'_> for Number<Fp<M, N>>
where
    [u64; N]: Default,
{
    type Value = Fp<M, N>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a text in decimal: an element of {}", M::NAME)
    }

    fn visit_str<X: Error>(self, text: &str) -> Result<Fp<M, N>, X> {
        if text.len() > 1 && text.starts_with('0') {
            return Err(X::custom(InvalidValue(M::NAME, &"zeros before the first digit")));
        }
        Fp::from_decimal(text).map_err(|why| X::custom(InvalidValue(M::NAME, &why)))
    }
}
