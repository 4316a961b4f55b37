//! Schemes on the modelled machine, compared with the host's implementations of the same schemes.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::Options;
use pairwright_chip_programs::groth16::{self, Division, Key};
use pairwright_chip_programs::points::Rows;
use pairwright_chip_programs::{Chain, bls, ibe, product, scalar};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr};
use pairwright_curve::encoding::ZcashCompressed;
use pairwright_curve::{Affine, Curve, Pairing, PointEncoding};
use pairwright_device::{Session, reference};
use pairwright_field::{Field, Sqrt};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{Proof, prove, setup_local, verify};
use pairwright_protocols::schemes::bls::{PublicKey, Scheme, SecretKey, Signature, verify as bls_verify};
use pairwright_protocols::schemes::ibe::{Ciphertext, Ibe, h2, h3, h4};
use pairwright_protocols::schemes::{MinPk, MinSig, Variant};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const STEPS: u64 = 200_000;

fn quick() -> Options {
    Options { seeds: 4, ..Options::default() }
}

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

#[test]
fn groth16_proofs_of_the_prover() {
    let device = reference::board::<Bls12_381>();
    let on = &mut Session::new(&device);
    let key = setup_local(on, &chain::<Fr>(5), &mut rng(1)).unwrap();
    let witness = chain_witness(5, Fr::from(3));
    let public = witness[1..2].to_vec();
    let proof = prove(on, &key, &Buf::from(witness), &mut rng(2)).unwrap();
    let vk = &key.vk;
    let on_chip = Key::new(&vk.alpha_g1, &vk.beta_g2, vk.gamma_g2, vk.delta_g2, vk.ic.clone());
    let program =
        groth16::verification_vartime(1, Division::Shared, &MachineSpec::paper(), &quick()).unwrap();
    let swapped = Proof { a: proof.c, c: proof.a, ..proof };
    for (public, proof) in [(&public, proof), (&public, swapped), (&vec![Fr::ONE], proof)] {
        let bytes = [
            ZcashCompressed::to_vec(&proof.a),
            ZcashCompressed::to_vec(&proof.b),
            ZcashCompressed::to_vec(&proof.c),
        ];
        let inputs = groth16::inputs(&on_chip, public, &bytes.concat()).unwrap();
        let verdict = product::verdict(&program.interpret(&inputs, STEPS).unwrap()).is_ok();
        assert_eq!(verdict, verify(on, vk, public, &proof).is_ok());
    }
}

fn secret(i: u8) -> SecretKey {
    SecretKey::key_gen(&[i; 32], &[]).unwrap()
}

/// A point of the curve outside the subgroup.
fn outside<C: Curve>() -> Affine<C> {
    let mut rng = rng(61);
    loop {
        let x = C::Base::random(&mut rng);
        if let Some(y) = (x * x * x + C::B).sqrt_vartime() {
            let p = Affine::from_xy_unchecked(x, y);
            if !p.is_in_subgroup_vartime() {
                return p;
            }
        }
    }
}

fn signatures<V: Variant>(spec: &MachineSpec)
where
    V::Keys: Rows,
    V::Signatures: Rows,
{
    let device = reference::board::<Bls12_381>();
    let on = &mut Session::new(&device);
    let program = bls::verification_vartime(<V::Keys as Rows>::GROUP, spec, &quick()).unwrap();
    let dst = Scheme::Basic.ciphersuite::<V>();
    let (alice, bob) = (secret(1), secret(2));
    let keys = [alice.public_key::<V>(), bob.public_key()].map(|k| k.to_bytes());
    let signature = alice.sign::<V>(Scheme::Basic, b"message").to_bytes();
    let infinity = ZcashCompressed::to_vec(&Affine::<V::Signatures>::INFINITY);
    let cases = [
        (keys[0].clone(), signature.clone(), &b"message"[..]),
        (keys[0].clone(), signature.clone(), b"massage"),
        (keys[1].clone(), signature.clone(), b"message"),
        (keys[0].clone(), infinity, b"message"),
        (ZcashCompressed::to_vec(&Affine::<V::Keys>::INFINITY), signature.clone(), b"message"),
        (ZcashCompressed::to_vec(&outside::<V::Keys>()), signature, b"message"),
        (keys[0].clone(), ZcashCompressed::to_vec(&outside::<V::Signatures>()), b"message"),
    ];
    let mut accepted = Vec::new();
    for (key, signature, message) in cases {
        let host = match (PublicKey::<V>::from_bytes(&key), Signature::<V>::from_bytes(&signature)) {
            (Ok(key), Ok(signature)) => bls_verify(on, Scheme::Basic, &key, message, &signature).is_ok(),
            _ => false,
        };
        let inputs =
            bls::inputs::<V::Keys, V::Signatures>(&key, &signature, message, dst.as_bytes()).unwrap();
        let verdict = product::verdict(&program.interpret(&inputs, STEPS).unwrap()).is_ok();
        assert_eq!(verdict, host, "case {}", accepted.len());
        accepted.push(verdict);
    }
    assert_eq!(accepted, [true, false, false, false, false, false, false]);
}

#[test]
fn bls_signatures_with_short_keys() {
    signatures::<MinPk>(&MachineSpec::paper());
}

#[test]
fn bls_signatures_that_are_short() {
    signatures::<MinSig>(&MachineSpec::best());
}

fn xor(a: &[u8], b: &[u8]) -> Vec<u8> {
    a.iter().zip(b).map(|(a, b)| a ^ b).collect()
}

/// The host decrypts what the chip encrypts, and the chip what the host encrypts.
fn identities<V: Variant>(spec: &MachineSpec)
where
    V::Keys: Rows,
    V::Signatures: Rows,
{
    let group = <V::Keys as Rows>::GROUP;
    let device = reference::board::<Bls12_381>();
    let on = &mut Session::new(&device);
    let programs: [Chain<Fq>; 3] =
        [ibe::encryption, ibe::decryption, ibe::confirmation].map(|f| f(group, spec, &quick()).unwrap());
    let [encrypt, decrypt, confirm] = &programs;
    let master = secret(3);
    let dst = Scheme::Basic.ciphersuite::<V>();
    let scheme = Ibe::<V>::default();
    let (identity, message, sigma) = (b"identity", [7u8; 16], [9u8; 16]);
    let sent = scheme.encrypt_masked(on, &master.public_key(), identity, &message, &sigma).unwrap();

    let r = h3::<V>(&sigma, &message);
    let public = master.public_key::<V>().point();
    let inputs = ibe::encryption_inputs::<V::Keys, V::Signatures>(&public, identity, dst.as_bytes(), &r);
    let bank = encrypt.interpret(&inputs, STEPS).unwrap();
    let u = scalar::point::<V::Keys>(&bank, "ciphertext").unwrap();
    assert_eq!(u, sent.u());
    let shared = product::value(&bank).unwrap();
    assert_eq!(shared, Bls12_381::gt_pow(&scheme.gid(on, &master.public_key(), identity).unwrap(), &r));
    let bytes = [
        ZcashCompressed::to_vec(&u),
        xor(&sigma, h2::<V>(&shared).as_slice()),
        xor(&message, h4::<V>(&sigma).as_slice()),
    ];
    assert_eq!(Ciphertext::<V>::from_bytes(&bytes.concat()).unwrap(), sent);

    let key = scheme.extract(&master, identity).signature().point();
    let on_chip = |u: &Affine<V::Keys>| {
        let bytes = ZcashCompressed::to_vec(u);
        let inputs = ibe::decryption_inputs::<V::Keys, V::Signatures>(&bytes, &key).unwrap();
        let bank = decrypt.interpret(&inputs, STEPS).unwrap();
        let valid = product::verdict(&bank).is_ok();
        (valid, valid.then(|| product::value(&bank).unwrap()))
    };
    let (valid, found) = on_chip(&sent.u());
    assert!(valid);
    let sigma = xor(sent.v(), h2::<V>(&found.unwrap()).as_slice());
    assert_eq!(xor(sent.w(), h4::<V>(&sigma).as_slice()), message);
    assert_eq!(on_chip(&Affine::INFINITY), (true, Some(Field::ONE)));
    assert_eq!(on_chip(&outside::<V::Keys>()), (false, None));

    for (u, expected) in [(sent.u(), true), (-sent.u(), false), (Affine::INFINITY, false)] {
        let bank = confirm.interpret(&ibe::confirmation_inputs(&u, &r), STEPS).unwrap();
        assert_eq!(product::verdict(&bank).is_ok(), expected);
    }
}

#[test]
fn encryption_to_identities_with_keys_in_g1() {
    identities::<MinPk>(&MachineSpec::paper());
}

#[test]
fn encryption_to_identities_with_keys_in_g2() {
    identities::<MinSig>(&MachineSpec::best());
}
