//! A Fiat-Shamir transcript: it absorbs the messages of both sides and derives challenges from them.
//!
//! # Bytes
//!
//! The state `S` is a string of bytes, held as a sponge that has absorbed it. Each call appends a frame,
//!
//! ```text
//! frame(kind, label, body) = kind ‖ len(label) ‖ label ‖ len(body) ‖ body
//! ```
//!
//! with a byte for the kind and 8 bytes, little-endian, for each length, so that no two histories give the same string.
//!
//! | call | appended to `S` |
//! |---|---|
//! | `Transcript::new(protocol)` | `frame(0, "pairwright transcript v1", protocol)`, as the whole of `S` |
//! | `absorb(label, bytes)` | `frame(1, label, bytes)` |
//! | `absorb_scalars(label, x)` | the same, of the canonical values, little-endian, `F::BYTES` each |
//! | `absorb_u64(label, x)` | the same, of 8 bytes, little-endian |
//! | `enter(name)` | `frame(2, name, "")` |
//! | `challenges(label, n)` | `frame(3, label, 8 bytes with 64 + n·(F::BYTES + 32))`, see below |
//! | `indices(label, n, bits)` | `frame(3, label, 8 bytes with 64 + 8·n)`, see below |
//!
//! A frame of kind 3 holds the number of bytes of `SHAKE256(S)` (FIPS 202) that are then read. The first 64 of them begin the next
//! state, which is `frame(4, "", those)`. Each of the `n` parts that follow is a little-endian integer: a challenge is that integer
//! reduced modulo the field's prime, an index its lowest `bits` bits. A challenge is within 2^-256 of uniform, an index is uniform,
//! and both depend on everything before them. The next state reveals nothing about the old one.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use pairwright_field::PrimeField;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// Bytes of a challenge beyond the width of the field; with `m` of them its bias is `2^(-8·m)`.
const MARGIN: usize = 32;

/// Bytes handed from one state to the next.
const RATCHET: usize = 64;

/// The kind of a frame; the value is the frame's first byte.
#[derive(Clone, Copy)]
#[repr(u8)]
enum Kind {
    Start = 0,
    Message = 1,
    Enter = 2,
    Challenge = 3,
    Ratchet = 4,
}

/// A running transcript. Prover and verifier make the same calls; see the [module](self) for the bytes.
///
/// Everything that a challenge must depend on has to be absorbed before it is drawn, beginning with the statement and the
/// commitments.
#[derive(Clone)]
pub struct Transcript {
    sponge: Shake256,
}

impl Transcript {
    /// Begins the transcript of a protocol. Protocols that absorb different data must have different names.
    pub fn new(protocol: &str) -> Self {
        let mut new = Self { sponge: Shake256::default() };
        new.frame(Kind::Start, "pairwright transcript v1", protocol.as_bytes());
        new
    }

    /// Appends a message under a label.
    pub fn absorb(&mut self, label: &str, bytes: &[u8]) {
        self.frame(Kind::Message, label, bytes);
    }

    /// Appends field elements under a label: canonical, little-endian, `F::BYTES` each.
    pub fn absorb_scalars<F: PrimeField>(&mut self, label: &str, scalars: &[F]) {
        let mut bytes = vec![0; scalars.len() * F::BYTES];
        for (out, scalar) in bytes.chunks_exact_mut(F::BYTES).zip(scalars) {
            scalar.write_le(out);
        }
        self.absorb(label, &bytes);
    }

    /// Appends a number under a label: 8 bytes, little-endian.
    pub fn absorb_u64(&mut self, label: &str, number: u64) {
        self.absorb(label, &number.to_le_bytes());
    }

    /// Marks the beginning of a protocol inside this one, for example of a sumcheck in a zerocheck.
    pub fn enter(&mut self, name: &str) {
        self.frame(Kind::Enter, name, &[]);
    }

    /// Draws a challenge that depends on everything absorbed so far.
    pub fn challenge<F: PrimeField>(&mut self, label: &str) -> F {
        element(&mut self.squeeze(label, F::BYTES + MARGIN))
    }

    /// Draws `n` independent challenges at once. They differ from those of `n` calls of [`Self::challenge`].
    pub fn challenges<F: PrimeField>(&mut self, label: &str, n: usize) -> Vec<F> {
        let mut reader = self.squeeze(label, n * (F::BYTES + MARGIN));
        (0..n).map(|_| element(&mut reader)).collect()
    }

    /// Draws `n` independent indices below `2^bits`, with `bits` at most 64. Some of them may be equal.
    pub fn indices(&mut self, label: &str, n: usize, bits: u32) -> Vec<u64> {
        let mut reader = self.squeeze(label, 8 * n);
        let index = |_| {
            let mut bytes = [0; 8];
            reader.read(&mut bytes);
            u64::from_le_bytes(bytes) & u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0)
        };
        (0..n).map(index).collect()
    }

    /// Ends the state and begins the next; returns a reader of the output after the bytes of the ratchet.
    fn squeeze(&mut self, label: &str, bytes: usize) -> impl XofReader {
        self.frame(Kind::Challenge, label, &((RATCHET + bytes) as u64).to_le_bytes());
        let mut reader = core::mem::take(&mut self.sponge).finalize_xof();
        let mut next = [0; RATCHET];
        reader.read(&mut next);
        self.frame(Kind::Ratchet, "", &next);
        reader
    }

    fn frame(&mut self, kind: Kind, label: &str, body: &[u8]) {
        self.sponge.update(&[kind as u8]);
        for part in [label.as_bytes(), body] {
            self.sponge.update(&(part.len() as u64).to_le_bytes());
            self.sponge.update(part);
        }
    }
}

/// The next bytes as a little-endian integer, reduced modulo the field's prime.
fn element<F: PrimeField>(reader: &mut impl XofReader) -> F {
    let mut wide = vec![0; F::BYTES + MARGIN];
    reader.read(&mut wide);
    let limbs: Vec<u64> = wide.as_chunks().0.iter().map(|limb| u64::from_le_bytes(*limb)).collect();
    F::from_limbs_reduced(&limbs)
}

impl fmt::Debug for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Transcript")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::{bls12_381::Fr, bn254};

    type Change = fn(&mut Transcript);

    /// Every history gives other challenges: labels, lengths, boundaries between messages, kinds and order all matter.
    #[test]
    fn no_two_histories_share_a_challenge() {
        let histories: [Change; 14] = [
            |_| (),
            |t| t.absorb("a", b""),
            |t| t.absorb("", b"a"),
            |t| t.absorb("a", b"bc"),
            |t| t.absorb("ab", b"c"),
            |t| {
                t.absorb("a", b"b");
                t.absorb("a", b"c");
            },
            |t| {
                t.absorb("a", b"c");
                t.absorb("a", b"b");
            },
            |t| t.enter("a"),
            |t| t.absorb_u64("a", 1),
            |t| t.absorb_scalars("a", &[Fr::from(1)]),
            |t| t.absorb_scalars("a", &[Fr::from(1), Fr::from(0)]),
            |t| {
                t.challenge::<Fr>("a");
            },
            |t| {
                t.challenges::<Fr>("a", 2);
            },
            |t| {
                t.challenges::<Fr>("a", 0);
            },
        ];
        let mut seen = Vec::new();
        for protocol in ["one", "two"] {
            for history in histories {
                let mut t = Transcript::new(protocol);
                history(&mut t);
                seen.push(t.clone().challenge::<Fr>("x"));
                seen.push(t.challenge::<Fr>("y"));
            }
        }
        let all = seen.len();
        seen.sort();
        seen.dedup();
        assert_eq!((seen.len(), all), (56, 56));
    }

    #[test]
    fn what_came_long_before_still_counts() {
        let after = |first: &[u8]| {
            let mut t = Transcript::new("ratchet");
            t.absorb("first", first);
            (0..5).map(|_| t.challenge::<Fr>("x")).collect::<Vec<_>>()
        };
        let (one, two) = (after(b"1"), after(b"2"));
        assert!(one.iter().zip(&two).all(|(a, b)| a != b));
        assert_eq!(one, after(b"1"), "nothing else counts");
    }

    /// Challenges and indices agree with `derive/zerocheck.py`, which uses Python's `hashlib.shake_256` and integers.
    #[test]
    fn bytes_are_those_of_the_description() {
        let mut t = Transcript::new("vector");
        t.absorb("text", "Schlüssel".as_bytes());
        t.absorb_u64("number", 1 << 40);
        t.absorb_scalars("scalars", &[Fr::from(1), -Fr::from(1)]);
        let first: Fr = t.challenge("x");
        t.enter("inner");
        let second: Vec<bn254::Fr> = t.challenges("r", 2);
        let third: Fr = t.challenge("x");
        assert_eq!(t.clone().indices("i", 4, 20), crate::zerocheck::vector::INDICES);
        let low = t.clone().indices("i", 4, 64).into_iter().map(|i| i % (1 << 20));
        assert_eq!(low.collect::<Vec<_>>(), crate::zerocheck::vector::INDICES);
        assert_eq!(t.indices("i", 1, 0), [0]);
        let texts = [first.to_decimal(), second[0].to_decimal(), second[1].to_decimal(), third.to_decimal()];
        assert_eq!(texts, crate::zerocheck::vector::TRANSCRIPT);
    }
}
