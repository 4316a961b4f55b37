//! The generators, which the scalars of messages multiply, and the domain scalar that binds a signature to a key and a header.

use super::suite::EXPANDED;
use super::{BbsError, Ciphersuite, PublicKey};
use alloc::vec::Vec;
use pairwright_curve::Affine;
use pairwright_curve::bls12_381::{Bls12_381, Fr, G1};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_device::{DeviceError, Session};

/// The generators of a ciphersuite for up to a number of messages: `P1`, `Q_1`, and one `H_i` for every message. They do not depend
/// on keys, and generators for many messages can be used for fewer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Generators {
    suite: Ciphersuite,
    p1: Affine<G1>,
    q1: Affine<G1>,
    messages: Vec<Affine<G1>>,
    /// `Q_1 ‖ H_1 ‖ …`, compressed, as the hash of a domain takes them.
    encoded: Vec<u8>,
}

impl Generators {
    /// Computes the generators for a number of messages (`create_generators`, §4.1.1) and the ciphersuite's `P1` (§7.2), hashed by the
    /// device.
    ///
    /// # Errors
    /// When the device fails.
    pub fn new(
        on: &mut Session<'_, Bls12_381>,
        suite: Ciphersuite,
        messages: usize,
    ) -> Result<Self, DeviceError> {
        on.phase("bbs generators");
        let mut seeds = Vec::with_capacity(messages + 2);
        seeds.extend(seeds_of(suite, b"BP_MESSAGE_GENERATOR_SEED").take(1));
        seeds.extend(seeds_of(suite, b"MESSAGE_GENERATOR_SEED").take(messages + 1));
        let seeds: Vec<&[u8]> = seeds.iter().map(|seed| seed.as_slice()).collect();
        let dst = suite.tag(b"SIG_GENERATOR_DST_");
        let points = on.hash_to_g1(&suite.hash_to_curve_suite(), &seeds, &dst)?;
        let [p1, q1, messages @ ..] = points.as_slice() else {
            return Err(DeviceError::LengthMismatch {
                op: "hash_to_g1",
                left: seeds.len(),
                right: points.len(),
            });
        };
        let encoded = points.iter().skip(1).flat_map(ZcashCompressed::to_vec).collect();
        Ok(Self { suite, p1: *p1, q1: *q1, messages: messages.to_vec(), encoded })
    }

    /// The ciphersuite of the generators.
    pub fn suite(&self) -> Ciphersuite {
        self.suite
    }

    /// The fixed point `P1`.
    pub fn p1(&self) -> Affine<G1> {
        self.p1
    }

    /// The generator of the domain, `Q_1`.
    pub fn q1(&self) -> Affine<G1> {
        self.q1
    }

    /// The generators of the messages, `H_1` and so on.
    pub fn messages(&self) -> &[Affine<G1>] {
        &self.messages
    }

    /// The generators of the first `messages` messages.
    pub(super) fn first(&self, messages: usize) -> Result<&[Affine<G1>], BbsError> {
        let generators = self.messages.len();
        self.messages.get(..messages).ok_or(BbsError::Generators { messages, generators })
    }

    /// Computes the domain scalar (`calculate_domain`, §4.2.3), which binds a signature of `messages` messages to the key, the generators
    /// and the header.
    ///
    /// # Errors
    /// When there are more messages than generators.
    pub fn domain(&self, key: &PublicKey, header: &[u8], messages: usize) -> Result<Fr, BbsError> {
        let generators = self.messages.len();
        let size = ZcashCompressed::len::<G1>();
        let points = messages.checked_add(1).and_then(|points| points.checked_mul(size));
        let encoded = points
            .and_then(|bytes| self.encoded.get(..bytes))
            .ok_or(BbsError::Generators { messages, generators })?;
        let api_id = self.suite.api_id();
        let input = [
            key.to_bytes().as_slice(),
            &(messages as u64).to_be_bytes(),
            encoded,
            &api_id,
            &(header.len() as u64).to_be_bytes(),
            header,
        ]
        .concat();
        Ok(self.suite.scalar(&input, &self.suite.tag(b"H2S_")))
    }
}

/// The strings from which generators are hashed, in order.
fn seeds_of(suite: Ciphersuite, seed: &[u8]) -> impl Iterator<Item = [u8; EXPANDED]> {
    let dst = suite.tag(b"SIG_GENERATOR_SEED_");
    let expand = suite.expansion();
    let mut v = [0; EXPANDED];
    expand(&suite.tag(seed), &dst, &mut v);
    (1u64..).map(move |i| {
        let input = [v.as_slice(), &i.to_be_bytes()].concat();
        expand(&input, &dst, &mut v);
        v
    })
}
