//! BBS signatures and decryption of inner products on the modelled machine, judged by the host's schemes.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip_programs::{Chain, bbs, fe, product, scalar};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1, G2};
use pairwright_curve::encoding::{PointEncoding, ZcashCompressed};
use pairwright_curve::{Affine, Curve, Projective};
use pairwright_device::{Session, reference};
use pairwright_field::{Field, PrimeField};
use pairwright_protocols::schemes::bbs::{
    Ciphersuite, Disclosure, Generators, Proof, PublicKey, SecretKey, Signature, Statement,
    prove_with_scalars, verify, verify_proof,
};
use pairwright_protocols::schemes::fe::hiding;
use pairwright_protocols::schemes::fe::logarithm::{Table, Target};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const STEPS: u64 = 400_000;

fn quick() -> Options {
    Options { seeds: 2, ..Options::default() }
}

fn point<C: Curve>(bytes: &[u8]) -> Affine<C> {
    ZcashCompressed::read(bytes).unwrap()
}

fn scalar_of(bytes: &[u8]) -> Fr {
    Fr::read_be(bytes).unwrap()
}

struct Issued {
    generators: Generators,
    key: PublicKey,
    header: &'static [u8],
    messages: Vec<&'static [u8]>,
    signature: Signature,
}

impl Issued {
    fn new(messages: Vec<&'static [u8]>) -> Self {
        let device = reference::board::<Bls12_381>();
        let secret = SecretKey::key_gen(Ciphersuite::Sha256, &[7; 32], b"chip").unwrap();
        let generators =
            Generators::new(&mut Session::new(&device), Ciphersuite::Sha256, messages.len()).unwrap();
        let header = b"header";
        let signature = secret.sign(&generators, header, &messages).unwrap();
        Self { generators, key: secret.public_key(), header, messages, signature }
    }

    /// `Q_1` with the domain and `H_i` with the messages.
    fn terms(&self, messages: &[&[u8]]) -> Vec<(Affine<G1>, Fr)> {
        let domain = self.generators.domain(&self.key, self.header, messages.len()).unwrap();
        let scalars = Ciphersuite::Sha256.messages_to_scalars(messages);
        let points = [self.generators.q1()].into_iter().chain(self.generators.messages().iter().copied());
        points.zip([domain].into_iter().chain(scalars.iter().copied())).collect()
    }

    fn host(&self, messages: &[&[u8]], signature: &[u8]) -> bool {
        let device = reference::board::<Bls12_381>();
        let on = &mut Session::new(&device);
        let Ok(signature) = Signature::from_bytes(signature) else { return false };
        verify(on, &self.generators, &self.key, self.header, messages, &signature).is_ok()
    }

    fn negated(&self, messages: &[&[u8]]) -> Vec<(Affine<G1>, Fr)> {
        self.terms(messages).into_iter().map(|(point, scalar)| (point, -scalar)).collect()
    }
}

fn signature_bytes(a: &Affine<G1>, e: &Fr) -> Vec<u8> {
    let mut scalar = [0; 32];
    e.write_be(&mut scalar);
    [ZcashCompressed::to_vec(a).as_slice(), &scalar].concat()
}

fn signatures(messages: Vec<&'static [u8]>, spec: &MachineSpec) {
    let issued = Issued::new(messages);
    let program = bbs::verification_vartime(issued.messages.len() + 1, spec, &quick()).unwrap();
    let valid = issued.signature.to_bytes();
    let (a, e) = (point::<G1>(&valid[..48]), scalar_of(&valid[48..]));
    let mut other = issued.messages.clone();
    if let Some(last) = other.last_mut() {
        *last = b"another message";
    }
    let cases = [
        (&issued.messages, valid.clone()),
        (&other, valid.clone()),
        (&issued.messages, signature_bytes(&-a, &e)),
        (&issued.messages, signature_bytes(&a, &(e + Fr::ONE))),
        (&issued.messages, signature_bytes(&Affine::INFINITY, &e)),
    ];
    let mut accepted = Vec::new();
    for (messages, bytes) in cases {
        let e = scalar_of(&bytes[48..]);
        let (key, minus) = (issued.key.to_bytes(), issued.negated(messages));
        let inputs = bbs::inputs(&key, (&bytes[..48], &e), &-issued.generators.p1(), &minus).unwrap();
        let verdict = product::verdict(&program.interpret(&inputs, STEPS).unwrap()).is_ok();
        assert_eq!(verdict, issued.host(messages, &bytes), "case {}", accepted.len());
        accepted.push(verdict);
    }
    let first_only = [true, issued.messages.is_empty(), false, false, false];
    assert_eq!(accepted, first_only);
    // A key that is not valid: infinity.
    let infinity = ZcashCompressed::to_vec(&Affine::<G2>::INFINITY);
    let minus = issued.negated(&issued.messages);
    let inputs = bbs::inputs(&infinity, (&valid[..48], &e), &-issued.generators.p1(), &minus).unwrap();
    assert!(product::verdict(&program.interpret(&inputs, STEPS).unwrap()).is_err());
}

#[test]
fn bbs_signatures_of_some_messages() {
    signatures(vec![b"a", b"b", b""], &MachineSpec::paper());
    signatures(vec![], &MachineSpec::best());
}

/// More messages than a program has rows for, so that an earlier run computes part of the sum.
#[test]
fn bbs_signatures_of_sixteen_messages() {
    let texts =
        [&b"0"[..], b"1", b"2", b"3", b"4", b"5", b"6", b"7", b"8", b"9", b"a", b"b", b"c", b"d", b"e", b"f"];
    let issued = Issued::new(texts.to_vec());
    let spec = MachineSpec::best();
    let minus = issued.negated(&issued.messages);
    let (early, late) = minus.split_at(minus.len() - bbs::MOST_TERMS);
    let bank = bbs::sum(early.len(), &spec, &quick())
        .unwrap()
        .interpret(&bbs::sum_inputs(&-issued.generators.p1(), early), STEPS)
        .unwrap();
    let [x, y, z] = bank.get::<3>("sum").unwrap();
    let z = z.invert().unwrap();
    let start = pairwright_chip_programs::points::affine::<G1>([x * z, y * z]);
    let expected = early.iter().fold(Projective::from(-issued.generators.p1()), |sum, (point, scalar)| {
        sum + Projective::from(*point).mul(scalar)
    });
    assert_eq!(start, expected.to_affine());
    let program = bbs::verification_vartime(late.len(), &spec, &quick()).unwrap();
    let bytes = issued.signature.to_bytes();
    let inputs = bbs::inputs(&issued.key.to_bytes(), (&bytes[..48], &scalar_of(&bytes[48..])), &start, late);
    product::verdict(&program.interpret(&inputs.unwrap(), STEPS).unwrap()).unwrap();
    for (terms, most) in [(0, bbs::MOST_TERMS), (bbs::MOST_TERMS + 1, bbs::MOST_TERMS)] {
        let refused = bbs::verification_vartime(terms, &spec, &quick()).unwrap_err();
        assert_eq!(refused, CompileError::Count { what: "terms", found: terms, most });
    }
    bbs::proof_verification_vartime(bbs::MOST_PROOF_TERMS, &spec, &quick()).unwrap();
    bbs::sum(bbs::MOST_OF_SUM, &spec, &quick()).unwrap();
    for refused in [bbs::proof_verification_vartime(8, &spec, &quick()), bbs::sum(19, &spec, &quick())] {
        assert!(matches!(refused.unwrap_err(), CompileError::Count { what: "terms", .. }));
    }
}

/// The chip computes the points of a proof, and recomputes those of its verification.
fn proofs(indexes: &[usize], spec: &MachineSpec) {
    let issued = Issued::new(vec![b"name", b"age", b"number"]);
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let messages = issued.messages.len();
    let hidden: Vec<usize> = (0..messages).filter(|i| !indexes.contains(i)).collect();
    let random: Vec<Fr> = (0..hidden.len() + 5).map(|_| Fr::random(&mut rng)).collect();
    let statement = Statement {
        header: issued.header,
        presentation_header: b"nonce",
        messages: &issued.messages,
        indexes,
    };
    let proof =
        prove_with_scalars(&issued.generators, &issued.key, &issued.signature, &statement, &random).unwrap();
    let bytes = proof.to_bytes();
    let shown: Vec<Affine<G1>> = bytes[..144].chunks(48).map(point).collect();

    let terms = issued.terms(&issued.messages);
    let signature = issued.signature.to_bytes();
    let secrets =
        bbs::Secrets { a: point(&signature[..48]), e: scalar_of(&signature[48..]), random: &random };
    let inputs = bbs::proof_points_inputs(&issued.generators.p1(), &terms, &secrets).unwrap();
    let program = bbs::proof_points(messages, &hidden, spec, &quick()).unwrap();
    let made = program.interpret(&inputs, STEPS).unwrap();
    for (name, expected) in ["a_bar", "b_bar", "d"].into_iter().zip(&shown) {
        assert_eq!(scalar::point::<G1>(&made, name).unwrap(), *expected, "{name}");
    }
    assert!(
        bbs::proof_points_inputs(
            &issued.generators.p1(),
            &terms,
            &bbs::Secrets { random: &random[..4], ..secrets }
        )
        .is_none()
    );

    let scalars: Vec<Fr> = bytes[144..].chunks(32).map(scalar_of).collect();
    let [e, r1, r3, answers @ .., c] = scalars.as_slice() else { panic!("four scalars or more") };
    let verify_terms = |c: &Fr| {
        let mut all = vec![(issued.generators.p1(), *c)];
        all.extend(terms.iter().map(|(point, scalar)| (*point, *scalar * *c)));
        for (index, answer) in hidden.iter().zip(answers) {
            all[index + 2].1 = *answer;
        }
        all
    };
    let program = bbs::proof_verification_vartime(messages + 2, spec, &quick()).unwrap();
    let key = point::<G2>(&issued.key.to_bytes());
    let run = |points: &[u8], c: &Fr| {
        let points = points.try_into().unwrap();
        let inputs =
            bbs::proof_inputs(points, &key, &[*e, *c, *r1, *r3], &Affine::INFINITY, &verify_terms(c));
        program.interpret(&inputs.unwrap(), STEPS).unwrap()
    };
    let found = run(&bytes[..144], c);
    product::verdict(&found).unwrap();
    // The verifier hashes the same points as the prover.
    for name in ["t1", "t2"] {
        let [of_verifier, of_prover] = [&found, &made].map(|bank| scalar::point::<G1>(bank, name).unwrap());
        assert_eq!(of_verifier, of_prover, "{name}");
    }
    // Another challenge gives other points, which the comparison of hashes refuses; the equation does not depend on it.
    let other = run(&bytes[..144], &(*c + Fr::ONE));
    product::verdict(&other).unwrap();
    assert_ne!(scalar::point::<G1>(&other, "t1").unwrap(), scalar::point::<G1>(&made, "t1").unwrap());

    // Swapped or neutral points are rejected here and by the host.
    let swapped = [&bytes[48..96], &bytes[..48], &bytes[96..]].concat();
    let mut neutral = bytes.clone();
    neutral[..48].copy_from_slice(&ZcashCompressed::to_vec(&Affine::<G1>::INFINITY));
    for wrong in [swapped, neutral] {
        assert!(product::verdict(&run(&wrong[..144], c)).is_err());
        let device = reference::board::<Bls12_381>();
        let messages: Vec<&[u8]> = indexes.iter().map(|i| issued.messages[*i]).collect();
        let disclosure =
            Disclosure { header: issued.header, presentation_header: b"nonce", indexes, messages: &messages };
        let judged = |proof: Proof| {
            verify_proof(&mut Session::new(&device), &issued.generators, &issued.key, &disclosure, &proof)
                .is_ok()
        };
        assert!(judged(proof.clone()));
        assert!(!Proof::from_bytes(&wrong).is_ok_and(judged));
    }
}

#[test]
fn bbs_proofs() {
    proofs(&[0, 2], &MachineSpec::paper());
    proofs(&[0, 1, 2], &MachineSpec::best());
    let refused = bbs::proof_points(3, &[3], &MachineSpec::best(), &quick()).unwrap_err();
    let what = "the index of a hidden message";
    assert_eq!(refused, CompileError::Count { what, found: 3, most: 3 });
}

/// The points in the encoding of a key or ciphertext.
fn points_of<C: Curve>(bytes: &[u8]) -> Vec<Affine<C>> {
    bytes[6..].chunks(ZcashCompressed::len::<C>()).map(point).collect()
}

fn decrypted(program: &Chain<Fq>, key: &[Affine<G1>], ciphertext: &[Affine<G2>], bound: u64) -> Option<i64> {
    let bank = program.interpret(&fe::inputs(key, ciphertext), STEPS).unwrap();
    let [base, power] = fe::values(&bank).unwrap().map(Target::<Bls12_381>);
    Table::for_bound(base, bound).unwrap().find_vartime(&power, bound).ok()
}

#[test]
fn inner_products_of_hidden_vectors() {
    let device = reference::board::<Bls12_381>();
    let on = &mut Session::new(&device);
    let mut rng = ChaCha20Rng::seed_from_u64(6);
    let cases: [(&[i64], &[i64]); 4] =
        [(&[3, 1], &[-7, 2]), (&[0, 0], &[1, 0]), (&[1, 2, 3], &[4, -5, 6]), (&[1, 1, 0], &[1, -1, 5])];
    for (x, y) in cases {
        let master = hiding::MasterKey::random(x.len(), &mut rng).unwrap();
        let (Ok(key), Ok(ciphertext)) = (master.derive(x, &mut rng), master.encrypt(y, &mut rng)) else {
            // The host derives no key for the zero vector, so it never reaches the chip.
            assert!(x.iter().all(|x| *x == 0));
            continue;
        };
        let spec = if x.len() == 2 { MachineSpec::paper() } else { MachineSpec::best() };
        let program = fe::decryption(x.len(), &spec, &quick()).unwrap();
        let points = points_of::<G1>(&key.to_bytes());
        let encrypted = points_of::<G2>(&ciphertext.to_bytes());
        let product: i64 = x.iter().zip(y).map(|(x, y)| x * y).sum();
        assert_eq!(key.decrypt(on, &ciphertext, 50).unwrap(), product);
        assert_eq!(decrypted(&program, &points, &encrypted, 50), Some(product));
        // A ciphertext of another master key has no such discrete logarithm.
        let other = hiding::MasterKey::random(x.len(), &mut rng).unwrap().encrypt(y, &mut rng).unwrap();
        assert_eq!(decrypted(&program, &points, &points_of::<G2>(&other.to_bytes()), 50), None);
        // Neutral points, which do not occur at random, contribute factors of one.
        let values = |key: &[Affine<G1>], ciphertext: &[Affine<G2>]| {
            let bank = program.interpret(&fe::inputs(key, ciphertext), STEPS).unwrap();
            fe::values(&bank).unwrap()[1]
        };
        let last = x.len();
        let (mut no_key, mut no_ciphertext) = (points.clone(), encrypted.clone());
        no_key[last] = Affine::INFINITY;
        no_ciphertext[last] = Affine::INFINITY;
        let expected = |points: &[Affine<G1>]| {
            let pairs: Vec<_> =
                points.iter().copied().zip(encrypted.iter().copied()).take(last).skip(1).collect();
            on_host(&pairs)
        };
        assert_eq!(values(&no_key, &encrypted), expected(&points));
        assert_eq!(values(&points, &no_ciphertext), expected(&points));
    }
    let spec = MachineSpec::paper();
    fe::decryption(fe::MOST, &spec, &quick()).unwrap();
    for found in [0, fe::MOST + 1] {
        let refused = fe::decryption(found, &spec, &quick()).unwrap_err();
        assert_eq!(refused, CompileError::Count { what: "entries", found, most: fe::MOST });
    }
}

fn on_host(pairs: &[(Affine<G1>, Affine<G2>)]) -> pairwright_curve::bls12_381::Fq12 {
    let device = reference::board::<Bls12_381>();
    Session::new(&device).multi_pairing(pairs).unwrap()
}

/// The time of a decryption does not depend on the key, even if one of its points is neutral.
#[test]
fn function_keys_do_not_show_in_time() {
    let program = fe::decryption(2, &MachineSpec::paper(), &quick()).unwrap();
    let ciphertext = [2u64, 3, 4].map(|k| Projective::<G2>::generator().mul(&Fr::from(k)).to_affine());
    let cycles = |scalars: [u64; 3]| -> Vec<u64> {
        let key = scalars.map(|k| Projective::<G1>::generator().mul(&Fr::from(k)).to_affine());
        let (_, runs) = program.run(&fe::inputs(&key, &ciphertext), 2_000_000).unwrap();
        runs.iter().map(|run| run.cycles).collect()
    };
    let usual = cycles([5, 0xdead_beef, 7]);
    assert_eq!(usual, cycles([1, 1, 2]));
    assert_eq!(usual, cycles([1, 0, 2]));
}
