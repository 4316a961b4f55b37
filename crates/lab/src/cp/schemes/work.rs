//! The operations whose costs are compared, each with valid inputs.

use crate::LabError;
use crate::experiment::Context;
use pairwright_chip_programs::{Chain, Example, Inputs, bbs as chip_bbs, fe as chip_fe, product};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_curve::{Affine, Projective};
use pairwright_device::{Device, Session};
use pairwright_field::Field;
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{prove, setup_local, verify as groth16_verify};
use pairwright_protocols::kzg::{Powers, verify as kzg_verify};
use pairwright_protocols::schemes::abe::{Attributes, Policy, setup};
use pairwright_protocols::schemes::bbs::{self, Ciphersuite, Generators};
use pairwright_protocols::schemes::bls::{self, PublicKey, Scheme, SecretKey};
use pairwright_protocols::schemes::fe::{hiding, public};
use pairwright_protocols::schemes::ibe::Ibe;
use pairwright_protocols::schemes::{MinPk, MinSig};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use std::error::Error;

type Failed = Box<dyn Error + Send + Sync>;

/// An operation of a scheme, on any device.
pub(super) struct Operation {
    pub(super) name: &'static str,
    /// The computation outside the session's operators.
    pub(super) beside: &'static str,
    /// Whether the chip has none of its operators.
    pub(super) on_host: bool,
    pub(super) run: Run,
}

type Run = Box<dyn Fn(&mut Session<'_, Bls12_381>) -> Result<(), Failed> + Send + Sync>;

/// Programs that run one after the other, each with its inputs and expected results.
pub(super) type Steps = Vec<(Chain<Fq>, Example<Fq>)>;

const POLICY: &str = "role: doctor and (ward: 3 or ward: 4) and not site: north";

fn operation(
    name: &'static str,
    beside: &'static str,
    on_host: bool,
    run: impl Fn(&mut Session<'_, Bls12_381>) -> Result<(), Failed> + Send + Sync + 'static,
) -> Operation {
    Operation { name, beside, on_host, run: Box::new(run) }
}

/// All operations, in the order of the table.
pub(super) fn operations(
    host: &Device<Bls12_381>,
    context: &Context<'_>,
) -> Result<Vec<Operation>, LabError> {
    let made = || -> Result<Vec<Operation>, Failed> {
        let mut on = Session::new(host);
        let mut all = signatures()?;
        all.extend(encryption(&mut on, context.seed)?);
        all.extend(credentials(&mut on)?);
        all.extend(inner_products(context.seed)?);
        all.extend(proofs(&mut on, context.seed)?);
        Ok(all)
    };
    made().map_err(|source| LabError::Scheme { operation: "keys and inputs".to_owned(), source })
}

fn signatures() -> Result<Vec<Operation>, Failed> {
    let secrets: Vec<SecretKey> =
        (0..128).map(|i| SecretKey::key_gen(&[i; 32], &[])).collect::<Result<_, _>>()?;
    let messages: Vec<Vec<u8>> = (0..128u8).map(|i| vec![i; 32]).collect();
    let signed: Vec<_> =
        secrets.iter().zip(&messages).map(|(k, m)| k.sign::<MinPk>(Scheme::Basic, m)).collect();
    let together = bls::aggregate(&signed)?;
    let keys: Vec<PublicKey<MinPk>> = secrets.iter().map(SecretKey::public_key).collect();
    let (one, key) = (signed[0], keys[0]);
    let signer = SecretKey::key_gen(&[0; 32], &[])?;
    Ok(vec![
        operation(
            "BLS sign",
            "one message hashed to G2 and one multiple there, on the host",
            true,
            move |_| {
                let signature = signer.sign::<MinPk>(Scheme::Basic, &[0; 32]);
                if signature == one { Ok(()) } else { Err("another signature".into()) }
            },
        ),
        operation("BLS verify", "", false, move |on| {
            Ok(bls::verify(on, Scheme::Basic, &key, &[0; 32], &one)?)
        }),
        operation("BLS aggregate verify, 128 signers", "", false, move |on| {
            let signed: Vec<_> = keys.iter().copied().zip(messages.iter().map(Vec::as_slice)).collect();
            Ok(bls::aggregate_verify(on, Scheme::Basic, &signed, &together)?)
        }),
    ])
}

fn encryption(on: &mut Session<'_, Bls12_381>, seed: u64) -> Result<Vec<Operation>, Failed> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let master = SecretKey::key_gen(&[9; 32], &[])?;
    let scheme = Ibe::<MinSig>::default();
    let (to, key) = (master.public_key::<MinSig>(), scheme.extract(&master, b"alice"));
    let sealed = scheme.encrypt_masked(on, &to, b"alice", &[1; 16], &[2; 16])?;
    let (known, system) = setup(on, &mut rng)?;
    let mut attributes = Attributes::new();
    for text in ["role: doctor", "ward: 3", "site: south"] {
        attributes.insert_text(text)?;
    }
    let of_doctor = system.derive(on, &attributes, &mut rng)?;
    let policy: Policy = POLICY.parse()?;
    let letter = known.encrypt(on, &policy, &[3; 32], &mut rng)?;
    Ok(vec![
        operation(
            "IBE encrypt",
            "one multiple in G2 and one power in the target group, on the host",
            false,
            move |on| Ok(scheme.encrypt_masked(on, &to, b"alice", &[1; 16], &[2; 16]).map(drop)?),
        ),
        operation("IBE decrypt", "one multiple in G2, on the host", false, move |on| {
            Ok(key.decrypt(on, &sealed).map(drop)?)
        }),
        operation("TKN20 encrypt", POLICY, true, move |on| {
            let mut rng = ChaCha20Rng::seed_from_u64(seed);
            Ok(known.encrypt(on, &policy, &[3; 32], &mut rng).map(drop)?)
        }),
        operation("TKN20 decrypt", POLICY, false, move |on| Ok(of_doctor.decrypt(on, &letter).map(drop)?)),
    ])
}

fn credentials(on: &mut Session<'_, Bls12_381>) -> Result<Vec<Operation>, Failed> {
    let secret = bbs::SecretKey::key_gen(Ciphersuite::Sha256, &[7; 32], b"")?;
    let messages: Vec<Vec<u8>> = (0..16u8).map(|i| vec![i; 16]).collect();
    let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
    let generators = Generators::new(on, Ciphersuite::Sha256, slices.len())?;
    let signature = secret.sign(&generators, b"", &slices)?;
    let key = secret.public_key();
    Ok(vec![operation(
        "BBS verify, 16 messages",
        "the hashes of the messages, on the host",
        false,
        move |on| {
            let slices: Vec<&[u8]> = messages.iter().map(Vec::as_slice).collect();
            Ok(bbs::verify(on, &generators, &key, b"", &slices, &signature)?)
        },
    )])
}

fn inner_products(seed: u64) -> Result<Vec<Operation>, Failed> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut all = Vec::new();
    let names = [
        ("FE decrypt, public key, dimension 8", "FE decrypt, hidden, dimension 8", 8),
        ("FE decrypt, public key, dimension 64", "FE decrypt, hidden, dimension 64", 64),
    ];
    for (known, hidden, n) in names {
        let x: Vec<i64> = (1..=n).collect();
        let master = public::MasterKey::random(x.len(), &mut rng)?;
        let (key, sealed) = (master.derive(&x)?, master.public_key().encrypt(&x, &mut rng)?);
        let beside = "two multiples by the key's secrets, on the host; without the logarithm";
        all.push(operation(known, beside, false, move |on| Ok(key.decrypt_point(on, &sealed).map(drop)?)));
        let master = hiding::MasterKey::random(x.len(), &mut rng)?;
        let (key, sealed) = (master.derive(&x, &mut rng)?, master.encrypt(&x, &mut rng)?);
        let beside = "without the logarithm";
        all.push(operation(hidden, beside, false, move |on| {
            Ok(key.decrypt_values(on, &sealed).map(drop)?)
        }));
    }
    Ok(all)
}

fn proofs(on: &mut Session<'_, Bls12_381>, seed: u64) -> Result<Vec<Operation>, Failed> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let key = setup_local(on, &chain::<Fr>(5), &mut rng)?;
    let witness = chain_witness(5, Fr::from(3));
    let shown = witness[1..2].to_vec();
    let proof = prove(on, &key, &Buf::from(witness), &mut rng)?;
    let vk = key.vk;
    // Powers of a secret that is known here, for a commitment to 64 coefficients.
    let tau = Fr::random(&mut rng);
    let mut power = Fr::ONE;
    let powers = (0..64).map(|_| {
        let point = Projective::<G1>::generator().mul(&power).to_affine();
        power *= tau;
        point
    });
    let tau_g2 = Projective::<G2>::generator().mul(&tau).to_affine();
    let powers = Powers::new(on, powers.collect(), tau_g2, &mut rng)?;
    let polynomial: Buf<Fr> = (0..64).map(|_| Fr::random(&mut rng)).collect();
    let opening = powers.open(on, polynomial.view(), Fr::from(5))?;
    Ok(vec![
        operation("Groth16 verify", "one public value", false, move |on| {
            Ok(groth16_verify(on, &vk, &shown, &proof)?)
        }),
        operation("KZG verify", "", false, move |on| Ok(kzg_verify(on, &tau_g2, &opening)?)),
    ])
}

/// Inputs of programs whose time depends only on the shape of the inputs.
pub(super) struct ProgramInputs {
    g1: Vec<Affine<G1>>,
    g2: Vec<Affine<G2>>,
    scalars: Vec<Fr>,
    secret: Fr,
}

/// Points and scalars for [`ProgramInputs`].
pub(super) fn program_inputs(seed: u64) -> ProgramInputs {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let scalars: Vec<Fr> = (0..18).map(|_| Fr::random(&mut rng)).collect();
    let g1 = scalars.iter().map(|k| Projective::<G1>::generator().mul(k).to_affine()).collect();
    let g2 = scalars.iter().map(|k| Projective::<G2>::generator().mul(k).to_affine()).collect();
    ProgramInputs { g1, g2, scalars, secret: Fr::random(&mut rng) }
}

impl ProgramInputs {
    pub(super) fn product(&self, pairs: usize) -> Inputs<Fq> {
        let pairs: Vec<_> = self.g1.iter().copied().zip(self.g2.iter().copied()).take(pairs).collect();
        product::inputs(&pairs)
    }

    pub(super) fn inner_product(&self, dimension: usize) -> Inputs<Fq> {
        chip_fe::inputs(&self.g1[..=dimension], &self.g2[..=dimension])
    }

    /// A valid signature of sixteen messages: the inputs of the sum of the first terms, and of the verification with
    /// the remaining ones.
    pub(super) fn signature(&self, early: usize) -> Result<(Inputs<Fq>, Inputs<Fq>), LabError> {
        let e = Fr::from(5);
        let terms: Vec<_> = self.g1.iter().copied().zip(self.scalars.iter().copied()).take(17).collect();
        let p1 = self.g1[17];
        let add = |start: Affine<G1>, terms: &[(Affine<G1>, Fr)]| {
            let sum = |sum, (p, k): &(Affine<G1>, Fr)| sum + Projective::from(*p).mul(k);
            terms.iter().fold(Projective::from(start), sum).to_affine()
        };
        let b = add(p1, &terms);
        let inverse = (self.secret + e).invert().unwrap_or(Fr::ONE);
        let a = Projective::from(b).mul(&inverse).to_affine();
        let key = Projective::<G2>::generator().mul(&self.secret).to_affine();
        let minus: Vec<_> = terms.iter().map(|(p, k)| (*p, -*k)).collect();
        let (first, rest) = minus.split_at(early);
        let start = add(-p1, first);
        let [key, a] = [ZcashCompressed::to_vec(&key), ZcashCompressed::to_vec(&a)];
        let late = chip_bbs::inputs(&key, (&a, &e), &start, rest).map_err(|why| LabError::Scheme {
            operation: "BBS verify, 16 messages".to_owned(),
            source: why.into(),
        })?;
        Ok((chip_bbs::sum_inputs(&-p1, first), late))
    }
}
