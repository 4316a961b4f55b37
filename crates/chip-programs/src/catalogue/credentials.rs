//! Random BBS signatures, BBS proofs and inner products, constructed from the discrete logarithms of all elements.

use super::super::points::affine_rows;
use super::super::{bbs, fe, product};
use super::{Example, accepted, generated, random, times};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq12, Fr, G1, G2};
use pairwright_curve::encoding::ZcashCompressed;
use pairwright_curve::{Affine, Pairing, PointEncoding, Projective};
use pairwright_field::Field;
use rand_chacha::ChaCha8Rng;

/// The number of messages of the examples.
pub(super) const MESSAGES: usize = 4;
/// Indexes of the messages that the example proofs hide.
pub(super) const HIDDEN: [usize; 2] = [1, 3];
/// The number of entries of the example vectors.
pub(super) const ENTRIES: usize = 4;

/// Number of terms of a signature: the domain and the messages.
pub(super) const TERMS: usize = MESSAGES + 1;
/// Number of terms of a proof's second sum except `D`: `P1`, the domain and the messages.
pub(super) const PROOF_TERMS: usize = MESSAGES + 2;

/// A signature of random messages under random generators.
struct Credential {
    key: Affine<G2>,
    p1: Affine<G1>,
    /// `Q_1` with the domain, `H_i` with the messages.
    terms: Vec<(Affine<G1>, Fr)>,
    b: Affine<G1>,
    a: Affine<G1>,
    e: Fr,
}

fn sum_of(terms: &[(Affine<G1>, Fr)]) -> Affine<G1> {
    let sum = terms.iter().fold(Projective::INFINITY, |sum, (p, k)| sum + Projective::from(times(p, k)));
    sum.to_affine()
}

impl Credential {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let [secret, e] = [(); 2].map(|()| Fr::random(rng));
        let p1 = random(rng);
        let terms: Vec<_> = (0..TERMS).map(|_| (random::<G1>(rng), Fr::random(rng))).collect();
        let b = sum_of(&[&[(p1, Fr::ONE)], terms.as_slice()].concat());
        let a = times(&b, &(secret + e).invert().expect("a random scalar is not zero"));
        Self { key: generated(&secret), p1, terms, b, a, e }
    }
}

pub(super) fn signature(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let c = Credential::random(rng);
    let [key, a] = [ZcashCompressed::to_vec(&c.key), ZcashCompressed::to_vec(&c.a)];
    let minus: Vec<_> = c.terms.iter().map(|(point, scalar)| (*point, -*scalar)).collect();
    let inputs = bbs::inputs(&key, (&a, &c.e), &-c.p1, &minus).expect("two encodings");
    Example { inputs, expected: vec![super::target(&Fq12::ONE), accepted()] }
}

/// The points of a proof by the draft's formulas, and the random scalars that they are computed from.
struct Shown {
    credential: Credential,
    random: [Fr; 5],
    blinds: [Fr; 2],
    /// `Ā`, `B̄`, `D`, `T1`, `T2`.
    points: [Affine<G1>; 5],
}

impl Shown {
    fn random(rng: &mut ChaCha8Rng) -> Self {
        let credential = Credential::random(rng);
        let random = [(); 5].map(|()| Fr::random(rng));
        let blinds = HIDDEN.map(|_| Fr::random(rng));
        let [r1, r2, e_blind, r1_blind, r3_blind] = random;
        let d = times(&credential.b, &r2);
        let a_bar = times(&credential.a, &(r1 * r2));
        let b_bar = sum_of(&[(d, r1), (a_bar, -credential.e)]);
        let t1 = sum_of(&[(a_bar, e_blind), (d, r1_blind)]);
        let hidden = HIDDEN.iter().zip(blinds).map(|(index, blind)| (credential.terms[index + 1].0, blind));
        let t2 = sum_of(&[(d, r3_blind)].into_iter().chain(hidden).collect::<Vec<_>>());
        Self { credential, random, blinds, points: [a_bar, b_bar, d, t1, t2] }
    }
}

pub(super) fn proof(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let Shown { credential, random: [r1, r2, e_blind, r1_blind, r3_blind], blinds, points } =
        Shown::random(rng);
    let c = Fr::random(rng);
    let r3 = r2.invert().expect("a random scalar is not zero");
    let responses = [e_blind + credential.e * c, c, r1_blind - r1 * c, r3_blind - r3 * c];
    let mut terms = vec![(credential.p1, c)];
    terms.extend(credential.terms.iter().map(|(point, scalar)| (*point, *scalar * c)));
    for (index, blind) in HIDDEN.iter().zip(blinds) {
        // The terms of the messages follow those of P1 and Q_1.
        terms[index + 2].1 += blind;
    }
    let [a_bar, b_bar, d, t1, t2] = points;
    let bytes = [a_bar, b_bar, d].map(|point| ZcashCompressed::to_vec(&point)).concat();
    let bytes = bytes.try_into().expect("three points of 48 bytes");
    let inputs = bbs::proof_inputs(&bytes, &credential.key, &responses, &Affine::INFINITY, &terms);
    let expected = vec![
        ("t1", affine_rows(&t1).to_vec()),
        ("t2", affine_rows(&t2).to_vec()),
        super::target(&Fq12::ONE),
        accepted(),
    ];
    Example { inputs: inputs.expect("three encodings"), expected }
}

pub(super) fn proof_points(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let Shown { credential, random, blinds, points } = Shown::random(rng);
    let random = [random.as_slice(), &blinds].concat();
    let secrets = bbs::Secrets { a: credential.a, e: credential.e, random: &random };
    let inputs = bbs::proof_points_inputs(&credential.p1, &credential.terms, &secrets);
    let names = ["a_bar", "b_bar", "d", "t1", "t2"];
    let expected = names.into_iter().zip(points).map(|(name, point)| (name, affine_rows(&point).to_vec()));
    Example { inputs: inputs.expect("seven scalars"), expected: expected.collect() }
}

pub(super) fn inner_product(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let key: Vec<_> = (0..=ENTRIES).map(|_| random::<G1>(rng)).collect();
    let ciphertext: Vec<_> = (0..=ENTRIES).map(|_| random::<G2>(rng)).collect();
    let base = Bls12_381::pairing(&key[0], &ciphertext[0]);
    let pairs: Vec<_> = key.iter().copied().zip(ciphertext.iter().copied()).skip(1).collect();
    let expected = vec![
        ("base", product::target_rows(&base).to_vec()),
        ("result", product::target_rows(&Bls12_381::multi_pairing(&pairs)).to_vec()),
    ];
    Example { inputs: fe::inputs(&key, &ciphertext), expected }
}
