//! Operands for self-tests with their results, computed on big integers.

use num_bigint::BigUint;
use num_traits::{One, Zero};

use super::Library;

/// Entries of a vector: a, b, a + b, a - b, -a, a b, a a, 1 / a (0 for 0), a^b.
pub(super) const RESULTS: usize = 9;

/// The vectors of a library's self-test: edge cases against edge cases and random operands, and pairs of random
/// operands; the same at every call.
pub(super) fn vectors(library: &Library) -> Vec<[BigUint; RESULTS]> {
    let q = &library.modulus;
    let word = library.machine.word;
    let words = library.machine.words(q.bits() as u32);
    let one = BigUint::one();
    let mut edges =
        vec![BigUint::zero(), one.clone(), &one + 1u32, q - 1u32, q - 2u32, q >> 1u32, (q >> 1u32) + 1u32];
    for at in 1..=words {
        let power = &one << (at * word).min(q.bits() as u32 - 1);
        edges.extend([&power - 1u32, q - (&power % q), power]);
    }
    edges.retain(|e| e < q);
    edges.sort();
    edges.dedup();
    let mut state = 0x5eed_u64;
    let mut random = || {
        let value =
            (0..=q.bits() / 64 + 1).fold(BigUint::zero(), |value, _| (value << 64u32) + next(&mut state));
        value % q
    };
    let mut pairs: Vec<(BigUint, BigUint)> = Vec::new();
    for (i, a) in edges.iter().enumerate() {
        // Every edge case with the largest, with the next one, with itself and with a random operand.
        for j in [i, i + 1, edges.len() - 1] {
            pairs.extend(edges.get(j).map(|b| (a.clone(), b.clone())));
        }
        pairs.push((a.clone(), random()));
    }
    pairs.extend((0..24).map(|_| (random(), random())));
    pairs.into_iter().map(|(a, b)| results(q, a, b)).collect()
}

fn results(q: &BigUint, a: BigUint, b: BigUint) -> [BigUint; RESULTS] {
    let inverse = a.modinv(q).unwrap_or_default();
    [(&a + &b) % q, (&a + q - &b) % q, (q - &a) % q, &a * &b % q, &a * &a % q, inverse, a.modpow(&b, q)]
        .into_iter()
        .fold(vec![a, b], |mut all, value| {
            all.push(value);
            all
        })
        .try_into()
        .unwrap_or_default()
}

/// The next number of the SplitMix64 generator.
fn next(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
