//! BLAKE3 of regions, as hexadecimal digits in JSON.

use core::fmt;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The digest of the bytes of a region, by BLAKE3 with 32 bytes of output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// The digest of bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).into())
    }
}

/// Bytes that are digested piece by piece.
#[derive(Clone, Default)]
pub struct Digester(blake3::Hasher);

impl Digester {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }
    /// The digest of all bytes.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|byte| write!(f, "{byte:02x}"))
    }
}
impl fmt::Debug for Digest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Digest({self})")
    }
}
impl Serialize for Digest {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}
impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let text = String::deserialize(from)?;
        let digits = text.as_bytes().as_chunks::<2>().0;
        let byte = |pair: &[u8; 2]| {
            let [high, low] = pair.map(|c| char::from(c).to_digit(16));
            Some((high? << 4 | low?) as u8)
        };
        let bytes: Option<Vec<u8>> = digits.iter().map(byte).collect();
        match bytes.filter(|_| text.len() == 64).and_then(|bytes| <[u8; 32]>::try_from(bytes).ok()) {
            Some(bytes) => Ok(Self(bytes)),
            None => Err(D::Error::custom("a digest has 64 hexadecimal digits")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn digests_go_through_json() {
        // As the reference implementation of the BLAKE3 paper computes it.
        let abc = Digest::of(b"abc");
        let text = serde_json::to_string(&abc).unwrap();
        assert_eq!(text, "\"6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85\"");
        assert_eq!(serde_json::from_str::<Digest>(&text).unwrap(), abc);
        for bad in ["\"\"", "\"00\"", &text.replace('b', "g"), &text.replace("64", "6400")] {
            assert!(serde_json::from_str::<Digest>(bad).is_err(), "{bad}");
        }
        let mut parts = Digester::default();
        parts.add(b"a");
        parts.add(b"bc");
        assert_eq!(parts.finish(), abc);
    }
}
