//! The transcript of Fiat and Shamir: what both sides have said so far, and challenges that follow from it.
//!
//! # Bytes
//!
//! A state `S` is a string of bytes, held as a sponge that has absorbed it. Everything appended to it is a frame,
//!
//! ```text
//! frame(kind, label, body) = kind ‖ len(label) ‖ label ‖ len(body) ‖ body
//! ```
//!
//! with a byte for the kind and 8 bytes, little-endian, for each length, so that no two histories give one string.
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
//! That announces how many bytes of `SHAKE256(S)` (FIPS 202) are taken. The first 64 begin the next state, which is
//! `frame(4, "", those)`; each of the `n` parts that follow is a little-endian integer, reduced modulo the field's prime,
//! or of its lowest bits. A challenge is within 2^-256 of uniform, an index uniform, and both depend on everything before
//! them. The next state does not tell what the old one held.

#![cfg_attr(not(test), deny(clippy::cast_possible_truncation, clippy::expect_used, clippy::indexing_slicing))]
#![cfg_attr(not(test), deny(clippy::iter_over_hash_type, clippy::panic, clippy::unreachable))]
#![cfg_attr(not(test), deny(clippy::unwrap_used))]

use alloc::vec;
use alloc::vec::Vec;
use core::fmt;
use pairwright_field::PrimeField;
use sha3::Shake256;
use sha3::digest::{ExtendableOutput, Update, XofReader};

/// Bytes of a challenge beyond the width of the field: what its bias is 2^-8 to the power of.
const MARGIN: usize = 32;

/// Bytes handed from one state to the next.
const RATCHET: usize = 64;

/// What a frame holds.
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
/// What a challenge must depend on has to be absorbed before it: the statement and commitments first.
#[derive(Clone)]
pub struct Transcript {
    sponge: Shake256,
}

impl Transcript {
    /// The transcript of a protocol. Two protocols of one name must not differ in what they absorb.
    pub fn new(protocol: &str) -> Self {
        let mut new = Self { sponge: Shake256::default() };
        new.frame(Kind::Start, "pairwright transcript v1", protocol.as_bytes());
        new
    }

    /// Appends a message.
    pub fn absorb(&mut self, label: &str, bytes: &[u8]) {
        self.frame(Kind::Message, label, bytes);
    }

    /// Appends field elements, canonical and little-endian.
    pub fn absorb_scalars<F: PrimeField>(&mut self, label: &str, scalars: &[F]) {
        let mut bytes = vec![0; scalars.len() * F::BYTES];
        for (out, scalar) in bytes.chunks_exact_mut(F::BYTES).zip(scalars) {
            scalar.write_le(out);
        }
        self.absorb(label, &bytes);
    }

    /// Appends a number.
    pub fn absorb_u64(&mut self, label: &str, number: u64) {
        self.absorb(label, &number.to_le_bytes());
    }

    /// Says that a protocol begins inside this one: a sumcheck in a zerocheck, say.
    pub fn enter(&mut self, name: &str) {
        self.frame(Kind::Enter, name, &[]);
    }

    /// A challenge from everything so far.
    pub fn challenge<F: PrimeField>(&mut self, label: &str) -> F {
        element(&mut self.squeeze(label, F::BYTES + MARGIN))
    }

    /// Independent challenges at once; not those of as many calls for one.
    pub fn challenges<F: PrimeField>(&mut self, label: &str, n: usize) -> Vec<F> {
        let mut reader = self.squeeze(label, n * (F::BYTES + MARGIN));
        (0..n).map(|_| element(&mut reader)).collect()
    }

    /// Independent indices below `2^bits`, of 64 bits at most; equal ones may be among them.
    pub fn indices(&mut self, label: &str, n: usize, bits: u32) -> Vec<u64> {
        let mut reader = self.squeeze(label, 8 * n);
        let index = |_| {
            let mut bytes = [0; 8];
            reader.read(&mut bytes);
            u64::from_le_bytes(bytes) & u64::MAX.checked_shr(64 - bits.min(64)).unwrap_or(0)
        };
        (0..n).map(index).collect()
    }

    /// Ends a state and begins the next; gives what follows the ratchet's bytes.
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

/// The next bytes as an integer, reduced.
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

    /// Every history gives other challenges: labels, lengths, borders between messages, kinds and order count.
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

    /// Calls and answers as `derive/zerocheck.py` computes them with Python's `hashlib.shake_256` and integers.
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
