//! BLAKE3 digests of regions, which are hexadecimal strings in JSON.

use core::fmt;
use core::num::NonZeroU64;
use rayon::prelude::*;
use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

/// The BLAKE3 digest of a region's bytes, with 32 bytes of output.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Digest([u8; 32]);

impl Digest {
    /// Computes the digest of a slice.
    pub fn of(bytes: &[u8]) -> Self {
        Self(blake3::hash(bytes).into())
    }
}

impl<'a> FromIterator<&'a Digest> for Digest {
    /// Computes the digest of the concatenation of digests.
    fn from_iter<I: IntoIterator<Item = &'a Digest>>(digests: I) -> Self {
        let mut all = Digester::default();
        digests.into_iter().for_each(|digest| all.add(&digest.0));
        all.finish()
    }
}

/// Number of bytes from which several threads hash together.
const SHARED: usize = 1 << 18;

/// An incremental hash computation.
#[derive(Clone, Default)]
pub struct Digester(blake3::Hasher);

impl Digester {
    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        // Only long inputs are divided among threads; the digest does not depend on that.
        if bytes.len() < SHARED {
            self.0.update(bytes)
        } else {
            self.0.update_rayon(bytes)
        };
    }
    /// The digest of all bytes.
    pub fn finish(self) -> Digest {
        Digest(self.0.finalize().into())
    }
}

/// An incremental computation of one digest per piece of the input, so that a run of pieces can be checked without the others.
#[derive(Clone)]
pub struct PieceDigester {
    length: NonZeroU64,
    /// Number of bytes of the current, incomplete piece.
    held: u64,
    piece: blake3::Hasher,
    digests: Vec<Digest>,
}

impl PieceDigester {
    /// Begins with pieces of `length` bytes; the last piece may be shorter.
    pub fn new(length: NonZeroU64) -> Self {
        Self { length, held: 0, piece: blake3::Hasher::default(), digests: Vec::new() }
    }

    /// Adds the next bytes.
    pub fn add(&mut self, bytes: &[u8]) {
        let missing = usize::try_from(self.length.get() - self.held).unwrap_or(usize::MAX);
        let (these, bytes) = bytes.split_at(if self.held == 0 { 0 } else { missing.min(bytes.len()) });
        self.begin(these);
        // The complete pieces are divided among threads.
        let pieces = bytes.par_chunks_exact(usize::try_from(self.length.get()).unwrap_or(usize::MAX));
        let rest = pieces.remainder();
        self.digests.par_extend(pieces.map(Digest::of));
        self.begin(rest);
    }

    /// Adds bytes that do not reach beyond the current piece.
    fn begin(&mut self, bytes: &[u8]) {
        self.piece.update(bytes);
        self.held += bytes.len() as u64;
        if self.held == self.length.get() {
            self.end_piece();
        }
    }

    fn end_piece(&mut self) {
        self.digests.push(Digest(self.piece.finalize().into()));
        self.piece.reset();
        self.held = 0;
    }

    /// The digests of the pieces, in their order.
    pub fn finish(mut self) -> Vec<Digest> {
        if self.held > 0 {
            self.end_piece();
        }
        self.digests
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
        // The value that the reference implementation of the BLAKE3 paper computes.
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

    #[test]
    fn pieces_are_digested_whatever_the_steps() {
        let bytes: Vec<u8> = (0..23).collect();
        for length in [1, 4, 7, 23, 24] {
            let each: Vec<Digest> = bytes.chunks(length).map(Digest::of).collect();
            for step in [1, 3, 4, 23] {
                let mut digester = PieceDigester::new(NonZeroU64::new(length as u64).unwrap());
                bytes.chunks(step).for_each(|bytes| digester.add(bytes));
                assert_eq!(digester.finish(), each, "{length} {step}");
            }
        }
        assert!(PieceDigester::new(NonZeroU64::MIN).finish().is_empty());
    }
}
