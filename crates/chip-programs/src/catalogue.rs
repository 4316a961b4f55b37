//! All programs by name, each with an example: random inputs and the results that the host computes.

mod credentials;

use super::points::{Group, Rows, affine_rows};
use super::{
    Bank, Chain, Inputs, RunError, Value, bbs, bls, endomorphism, fe, groth16, hash, ibe, jubjub, pairing,
    product, scalar,
};
use super::{control::one, groth16::Division};
use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fq12, Fr, G1, G2};
use pairwright_curve::encoding::ZcashCompressed;
use pairwright_curve::jubjub::{self as host_jubjub, Point};
use pairwright_curve::{Affine, Curve, HashToCurve, Pairing, PointEncoding, Projective};
use pairwright_field::{Field, PrimeField, Quad};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

/// Random inputs of a program and the expected results, computed by the host.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Example<F> {
    /// The input regions.
    pub inputs: Inputs<F>,
    /// The result regions that the program must leave.
    pub expected: Inputs<F>,
}

impl<F: PrimeField> Example<F> {
    /// The name of the first region with a wrong value, if there is one.
    ///
    /// # Errors
    /// The program does not have one of the expected regions.
    pub fn differs(&self, bank: &Bank<F>) -> Result<Option<&'static str>, RunError> {
        for (name, rows) in &self.expected {
            if bank.rows(name, rows.len())? != *rows {
                return Ok(Some(name));
            }
        }
        Ok(None)
    }
}

/// A function that builds a program for a machine.
pub type Build<F> = fn(&MachineSpec, &Options) -> Result<Chain<F>, CompileError>;

/// A program of the catalogue.
#[derive(Clone, Copy, Debug)]
pub struct ProgramEntry<F> {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it computes.
    pub about: &'static str,
    /// The function that builds the program.
    pub build: Build<F>,
    /// Whether its time is the same for all inputs.
    pub constant_time: bool,
    make: fn(&mut ChaCha8Rng) -> Example<F>,
}

impl<F> ProgramEntry<F> {
    const fn new(
        name: &'static str,
        about: &'static str,
        build: Build<F>,
        make: fn(&mut ChaCha8Rng) -> Example<F>,
    ) -> Self {
        Self { name, about, build, constant_time: true, make }
    }

    const fn vartime(self) -> Self {
        Self { constant_time: false, ..self }
    }

    /// Random inputs, determined by the seed, and the expected results.
    pub fn example(&self, seed: u64) -> Example<F> {
        (self.make)(&mut ChaCha8Rng::seed_from_u64(seed))
    }
}

/// A list of programs: the name and description of each, followed by the functions that build it and make an example.
macro_rules! entries {
    ($($($vartime:ident)? $name:literal $about:literal: $build:expr => $make:expr;)+) => {
        vec![$(ProgramEntry::new($name, $about, $build, $make)$(.$vartime())?),+]
    };
}

/// Programs over the base field of BLS12-381.
pub fn all() -> Vec<ProgramEntry<Fq>> {
    entries! {
        "pairing-published" "a pairing in the routine division of the paper":
            |s, o| pairing::published(s, o).map(Chain::from) => one_pairing;
        "pairing" "a pairing in our division":
            |s, o| pairing::resident(s, o).map(Chain::from) => one_pairing;
        vartime "product-2" "a product of two pairings":
            |s, o| product::product_vartime(2, s, o) => pairings::<2>;
        vartime "product-4" "a product of four pairings":
            |s, o| product::product_vartime(4, s, o) => pairings::<4>;
        "g1-mul" "k·P in G1, constant time":
            |s, o| scalar::multiplication(Group::G1, s, o) => multiple::<G1>;
        "g2-mul" "k·Q in G2, constant time":
            |s, o| scalar::multiplication(Group::G2, s, o) => multiple::<G2>;
        "g1-mul-subgroup" "k·P in G1 by an endomorphism, constant time":
            |s, o| endomorphism::multiplication(Group::G1, s, o) => split_multiple::<G1>;
        "g2-mul-subgroup" "k·Q in G2 by an endomorphism, constant time":
            |s, o| endomorphism::multiplication(Group::G2, s, o) => split_multiple::<G2>;
        vartime "g1-mul-vartime" "k·P in G1, bit by bit":
            |s, o| scalar::multiplication_vartime(Group::G1, s, o) => multiple::<G1>;
        vartime "g2-mul-vartime" "k·Q in G2, bit by bit":
            |s, o| scalar::multiplication_vartime(Group::G2, s, o) => multiple::<G2>;
        "hash-g1" "two field elements hashed to G1":
            hash::hash_to_curve::<G1> => hashed::<G1>;
        "hash-g2" "two field elements hashed to G2":
            hash::hash_to_curve::<G2> => hashed::<G2>;
        vartime "groth16" "verification of a Groth16 proof, one final exponentiation":
            |s, o| groth16::verification_vartime(PUBLIC, Division::Shared, s, o) => proof;
        vartime "groth16-full" "verification of a Groth16 proof by three full pairings":
            |s, o| groth16::verification_vartime(PUBLIC, Division::Full, s, o) => proof;
        vartime "bls-min-pk" "verification of a BLS signature, public keys in G1":
            |s, o| bls::verification_vartime(Group::G1, s, o) => signature::<G1, G2>;
        vartime "bls-min-sig" "verification of a BLS signature, public keys in G2":
            |s, o| bls::verification_vartime(Group::G2, s, o) => signature::<G2, G1>;
        "ibe-encrypt" "identity-based encryption, public keys in G2":
            |s, o| ibe::encryption(Group::G2, s, o) => encryption;
        vartime "ibe-decrypt" "identity-based decryption, public keys in G2":
            |s, o| ibe::decryption(Group::G2, s, o) => decryption;
        "ibe-confirm" "whether a ciphertext is what its exponent says, public keys in G2":
            |s, o| ibe::confirmation(Group::G2, s, o) => confirmation;
        vartime "bbs-verify" "verification of a BBS signature of four messages, given as scalars":
            |s, o| bbs::verification_vartime(credentials::TERMS, s, o) => credentials::signature;
        vartime "bbs-verify-proof" "verification of a BBS proof that hides two of four messages, without the challenge's hash":
            |s, o| bbs::proof_verification_vartime(credentials::PROOF_TERMS, s, o) => credentials::proof;
        "bbs-prove" "the points of a BBS proof that hides two of four messages":
            |s, o| bbs::proof_points(credentials::MESSAGES, &credentials::HIDDEN, s, o) => credentials::proof_points;
        "fe-decrypt" "the pairings that decrypt an inner product of dimension four, both vectors hidden":
            |s, o| fe::decryption(credentials::ENTRIES, s, o) => credentials::inner_product;
    }
}

/// Programs over the base field of Jubjub.
pub fn all_over_fr() -> Vec<ProgramEntry<Fr>> {
    vec![
        ProgramEntry::new("jubjub-add", "a sum of two points of Jubjub", jubjub::addition, |rng| {
            let [p, q] = [jubjub_point(rng), jubjub_point(rng)];
            Example { inputs: jubjub::inputs(&p, Some(&q)), expected: jubjub_rows(&(p + q)) }
        }),
        ProgramEntry::new("jubjub-double", "twice a point of Jubjub", jubjub::doubling, |rng| {
            let p = jubjub_point(rng);
            Example { inputs: jubjub::inputs(&p, None), expected: jubjub_rows(&p.double()) }
        }),
        ProgramEntry::new("jubjub-mul", "k·P on Jubjub, constant time", jubjub::multiplication, |rng| {
            let (p, k) = (jubjub_point(rng), host_jubjub::Fr::random(rng));
            Example { inputs: jubjub::scalar_inputs(&p, &k), expected: jubjub_rows(&p.mul(&k)) }
        }),
    ]
}

/// The number of public values of the Groth16 examples.
const PUBLIC: usize = 2;
/// The domain separation tag of the examples that hash.
const TAG: &[u8] = b"pairwright-example";

fn jubjub_point(rng: &mut ChaCha8Rng) -> Point {
    Point::generator().mul(&host_jubjub::Fr::random(rng))
}

fn jubjub_rows(p: &Point) -> Inputs<Fr> {
    vec![("result", p.to_affine().map(|x| Quad::new(x, Fr::ZERO)).to_vec())]
}

fn times<C: Curve<Scalar = Fr>>(p: &Affine<C>, k: &Fr) -> Affine<C> {
    Projective::from(*p).mul(k).to_affine()
}

fn generated<C: Curve<Scalar = Fr>>(k: &Fr) -> Affine<C> {
    times(&C::GENERATOR, k)
}

fn random<C: Curve<Scalar = Fr>>(rng: &mut ChaCha8Rng) -> Affine<C> {
    generated(&Fr::random(rng))
}

fn target(f: &Fq12) -> (&'static str, Vec<Value<Fq>>) {
    ("result", product::target_rows(f).to_vec())
}

fn accepted() -> (&'static str, Vec<Value<Fq>>) {
    ("verdict", vec![one()])
}

fn one_pairing(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let (p, q) = (random::<G1>(rng), random::<G2>(rng));
    Example {
        inputs: vec![("p", affine_rows(&p).to_vec()), ("q", affine_rows(&q).to_vec())],
        expected: vec![target(&Bls12_381::pairing(&p, &q))],
    }
}

fn pairings<const N: usize>(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let pairs = [(); N].map(|()| (random::<G1>(rng), random::<G2>(rng)));
    Example { inputs: product::inputs(&pairs), expected: vec![target(&Bls12_381::multi_pairing(&pairs))] }
}

fn multiple<C: Rows<Scalar = Fr>>(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let (p, k) = (random::<C>(rng), Fr::random(rng));
    let expected = vec![("result", affine_rows(&times(&p, &k)).to_vec())];
    Example { inputs: scalar::inputs(&p, &k), expected }
}

fn split_multiple<C: Rows<Scalar = Fr>>(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let (p, k) = (random::<C>(rng), Fr::random(rng));
    let expected = vec![("result", affine_rows(&times(&p, &k)).to_vec())];
    Example { inputs: endomorphism::inputs(&p, &k), expected }
}

fn message(rng: &mut ChaCha8Rng) -> Vec<u8> {
    let mut bytes = vec![0; Fr::BYTES];
    Fr::random(rng).write_le(&mut bytes);
    bytes
}

fn hashed<C: Rows + HashToCurve>(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let message = message(rng);
    let expected = vec![("result", affine_rows(&C::hash_to_curve(&message, TAG)).to_vec())];
    Example { inputs: hash::inputs::<C>(&message, TAG), expected }
}

/// A Groth16 proof that satisfies the equation, constructed from the discrete logarithms of all elements.
fn proof(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let [alpha, beta, gamma, a, b, x, y] = [(); 7].map(|()| Fr::random(rng));
    let ic: [Fr; PUBLIC + 1] = [(); PUBLIC + 1].map(|()| Fr::random(rng));
    // With δ = 1.
    let c = a * b - alpha * beta - (ic[0] + x * ic[1] + y * ic[2]) * gamma;
    let key = groth16::Key::new(
        &generated(&alpha),
        &generated(&beta),
        generated(&gamma),
        G2::GENERATOR,
        ic.iter().map(generated).collect(),
    );
    let bytes = [
        ZcashCompressed::to_vec(&generated::<G1>(&a)),
        ZcashCompressed::to_vec(&generated::<G2>(&b)),
        ZcashCompressed::to_vec(&generated::<G1>(&c)),
    ];
    let inputs = groth16::inputs(&key, &[x, y], &bytes.concat()).expect("a proof of the right shape");
    Example { inputs, expected: vec![target(&key.closing), accepted()] }
}

fn signature<K, S>(rng: &mut ChaCha8Rng) -> Example<Fq>
where
    K: Rows<Scalar = Fr>,
    S: Rows<Scalar = Fr> + HashToCurve,
{
    let (secret, message) = (Fr::random(rng), message(rng));
    let key = ZcashCompressed::to_vec(&generated::<K>(&secret));
    let signature = ZcashCompressed::to_vec(&times(&S::hash_to_curve(&message, TAG), &secret));
    let inputs = bls::inputs::<K, S>(&key, &signature, &message, TAG).expect("two encodings");
    Example { inputs, expected: vec![target(&Fq12::ONE), accepted()] }
}

fn encryption(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let (master, r, identity) = (random::<G2>(rng), Fr::random(rng), message(rng));
    let shared = Bls12_381::pairing(&G1::hash_to_curve(&identity, TAG), &master);
    let u = ("ciphertext", affine_rows(&generated::<G2>(&r)).to_vec());
    Example {
        inputs: ibe::encryption_inputs::<G2, G1>(&master, &identity, TAG, &r),
        expected: vec![u, target(&Bls12_381::gt_pow(&shared, &r))],
    }
}

fn decryption(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let (u, secret) = (random::<G2>(rng), random::<G1>(rng));
    let bytes = ZcashCompressed::to_vec(&u);
    let inputs = ibe::decryption_inputs::<G2, G1>(&bytes, &secret).expect("an encoding");
    Example { inputs, expected: vec![target(&Bls12_381::pairing(&secret, &u)), accepted()] }
}

fn confirmation(rng: &mut ChaCha8Rng) -> Example<Fq> {
    let r = Fr::random(rng);
    Example { inputs: ibe::confirmation_inputs(&generated::<G2>(&r), &r), expected: vec![accepted()] }
}
