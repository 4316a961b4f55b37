//! The operations on secrets that the benchmarks `timing` and `flow` test, and the secrets that are compared.

use crate::bridge;
use pairwright_curve::{Affine, Curve, Pairing, Projective, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Device, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_protocols::schemes::bls::SecretKey;
use pairwright_protocols::schemes::fe::{hiding, public};
use pairwright_protocols::schemes::{MinPk, abe, bbs};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use std::hint::black_box;

/// A method to compare the runs of an operation on different secrets.
pub trait Judge: Sized {
    /// The random generator for secrets.
    fn rng(&mut self) -> &mut ChaCha20Rng;

    /// Compares runs on the fixed secret, which `make` makes for `true`, with runs on others, and prints a row. `constant` says
    /// whether there must be no difference; if it is false, a difference must be found.
    fn compare_made<S>(
        &mut self,
        name: &str,
        constant: bool,
        make: impl FnMut(bool, &mut ChaCha20Rng) -> S,
        run: impl FnMut(&S),
    );

    /// Compares a fixed secret with random ones and prints a row.
    fn compare<S: Clone>(
        &mut self,
        name: &str,
        constant: bool,
        fixed: &S,
        mut random: impl FnMut(&mut ChaCha20Rng) -> S,
        run: impl FnMut(&S),
    ) {
        let make = |class, rng: &mut ChaCha20Rng| {
            let other = random(rng);
            if class { fixed.clone() } else { other }
        };
        self.compare_made(name, constant, make, run);
    }

    /// Compares operations on random secret scalars with those on a fixed random scalar, one and minus one, and also zero, unless
    /// the result reveals zero (a missing inverse, a point at infinity). With one and minus one most operands are zero; processing
    /// zeros takes less power, which may change the clock of the processor. With a random fixed scalar the digits differ
    /// but the operands are alike, so a difference from it is caused by the program.
    fn scalars<F: PrimeField>(&mut self, name: &str, [constant, zero]: [bool; 2], mut run: impl FnMut(&F)) {
        let drawn = F::random(self.rng());
        let fixed = [("one drawn", drawn), ("one", F::ONE), ("minus one", -F::ONE), ("zero", F::ZERO)];
        for (which, fixed) in fixed.into_iter().take(if zero { 4 } else { 3 }) {
            self.compare(
                &format!("{name}, beside {which}"),
                constant,
                &fixed,
                |rng| F::random(rng),
                &mut run,
            );
        }
    }

    /// Compares operations on secrets of a pool with those on the first of them, for secrets that take long to make. `read` makes a
    /// secret from its bytes.
    fn pool<S>(
        &mut self,
        name: &str,
        pool: &[Vec<u8>],
        mut read: impl FnMut(&[u8]) -> S,
        run: impl FnMut(&S),
    ) {
        let make = |class: bool, rng: &mut ChaCha20Rng| {
            let other = 1 + rng.next_u32() as usize % (pool.len() - 1);
            read(&pool[if class { 0 } else { other }])
        };
        self.compare_made(name, true, make, run);
    }

    /// Compares multiples of points of a group by secrets, one and eight at a time on the host device.
    fn group<E: Pairing, C: Curve<Scalar = E::Fr>>(
        &mut self,
        many: impl Fn(&[Affine<C>], &[E::Fr]) -> Vec<Affine<C>>,
    ) {
        let points: Vec<Affine<C>> = (1u64..9)
            .map(|k| Affine::from(Affine::<C>::generator().to_jacobian().mul_limbs_vartime(&[k])))
            .collect();
        let projective = Projective::from(points[3]);
        self.scalars::<E::Fr>(&format!("{}, a multiple", C::NAME), [true, true], |k| {
            black_box(projective.mul(k));
        });
        self.scalars::<E::Fr>(
            &format!("{}, eight multiples on the host device", C::NAME),
            [true, false],
            |k| {
                black_box(many(&points, &[*k; 8]));
            },
        );
    }
}

/// Number of secrets in a pool.
const POOL: usize = 24;

/// Compares signing and proving of BBS signatures with different keys, different blindings, and different hidden messages.
fn of_bbs(judge: &mut impl Judge, device: &Device<Bls12_381>) {
    const MESSAGES: usize = 4;
    let suite = bbs::Ciphersuite::Sha256;
    let generators = bbs::Generators::new(&mut Session::new(device), suite, MESSAGES).expect("generators");
    let shown: [&[u8]; MESSAGES] = [b"one message"; MESSAGES];
    let signed_by = |k: &Fr| {
        let mut bytes = [0; 32];
        k.write_be(&mut bytes);
        bbs::SecretKey::from_bytes(&bytes).expect("not zero")
    };
    let random = |rng: &mut ChaCha20Rng| Fr::random(rng);
    judge.compare("BBS signature, beside key one", true, &Fr::ONE, random, |k| {
        black_box(signed_by(k).sign(&generators, b"", &shown).expect("signed"));
    });
    let secret = signed_by(&Fr::from(7));
    let key = secret.public_key();
    // Hidden messages of equal length, since the length is not secret.
    let hidden = |rng: &mut ChaCha20Rng| {
        let mut text = [0; 32];
        rng.fill_bytes(&mut text);
        text
    };
    judge.compare("BBS signature, beside a message of zeros", true, &[0; 32], hidden, |text| {
        black_box(secret.sign(&generators, b"", &[text; MESSAGES].map(|t| t.as_slice())).expect("signed"));
    });
    let signature = secret.sign(&generators, b"", &shown).expect("signed");
    let statement = bbs::Statement { header: b"", presentation_header: b"", messages: &shown, indexes: &[0] };
    // Five scalars, and one for each hidden message.
    let blindings = |rng: &mut ChaCha20Rng| [(); MESSAGES + 4].map(|()| Fr::random(rng));
    judge.compare("BBS proof, beside blindings one", true, &[Fr::ONE; MESSAGES + 4], blindings, |random| {
        let proof = bbs::prove_with_scalars(&generators, &key, &signature, &statement, random);
        black_box(proof.expect("a proof"));
    });
}

/// Compares the derivation of keys and the decryption of attribute-based encryption.
fn of_abe(judge: &mut impl Judge, device: &Device<Bls12_381>) {
    let mut rng = bridge::rng(2);
    let on = || Session::new(device);
    let mut attributes = abe::Attributes::new();
    attributes.insert("role", "doctor").expect("an attribute");
    let systems: Vec<_> = (0..POOL).map(|_| abe::setup(&mut on(), &mut rng).expect("a system")).collect();
    let masters: Vec<_> = systems.iter().map(|(_, master)| master.to_bytes().to_vec()).collect();
    let read = |bytes: &[u8]| abe::MasterKey::from_bytes(bytes).expect("a key");
    judge.pool("TKN20 derivation, beside one master key", &masters, read, |master| {
        black_box(master.derive(&mut on(), &attributes, &mut bridge::rng(3)).expect("a key"));
    });
    let (public, master) = &systems[0];
    let policy: abe::Policy = "role: doctor".parse().expect("a policy");
    let sealed = public.encrypt(&mut on(), &policy, &[7; 64], &mut rng).expect("encrypted");
    let key = |_| master.derive(&mut on(), &attributes, &mut rng).expect("a key").to_bytes().to_vec();
    let keys: Vec<_> = (0..POOL).map(key).collect();
    let read = |bytes: &[u8]| abe::AttributeKey::from_bytes(bytes).expect("a key");
    judge.pool("TKN20 decryption, beside one key", &keys, read, |key| {
        black_box(key.decrypt(&mut on(), &sealed).expect("satisfied"));
    });
}

/// Compares key derivation, encryption and decryption of functional encryption.
fn of_fe(judge: &mut impl Judge, device: &Device<Bls12_381>) {
    const DIMENSION: usize = 4;
    let mut rng = bridge::rng(4);
    let on = || Session::new(device);
    let y = [3, -1, 4, 1];
    let vector = |rng: &mut ChaCha20Rng| [(); DIMENSION].map(|()| i64::from(rng.next_u32() as i32));

    let master = |_| public::MasterKey::random(DIMENSION, &mut rng).expect("a key");
    let masters: Vec<_> = (0..POOL).map(master).collect();
    let bytes: Vec<_> = masters.iter().map(|master| master.to_bytes().to_vec()).collect();
    let read = |bytes: &[u8]| public::MasterKey::from_bytes(bytes).expect("a key");
    judge.pool("ALS16 derivation, beside one master key", &bytes, read, |master| {
        black_box(master.derive(&y).expect("a key"));
    });
    let public = masters[0].public_key();
    let r = Fr::random(&mut rng);
    judge.compare("ALS16 encryption, beside a vector of zeros", true, &[0; DIMENSION], vector, |x| {
        black_box(public.encrypt_with(x, &r).expect("encrypted"));
    });
    judge.scalars::<Fr>("ALS16 encryption, its randomness", [true, false], |r| {
        black_box(public.encrypt_with(&y, r).expect("encrypted"));
    });
    let sealed = public.encrypt(&y, &mut rng).expect("encrypted");
    let key = |master: &public::MasterKey| master.derive(&y).expect("a key").to_bytes().to_vec();
    let keys: Vec<_> = masters.iter().map(key).collect();
    let read = |bytes: &[u8]| public::FunctionKey::from_bytes(bytes).expect("a key");
    judge.pool("ALS16 decryption, beside one key", &keys, read, |key| {
        black_box(key.decrypt_point(&mut on(), &sealed).expect("decrypted"));
    });

    let master = hiding::MasterKey::random(DIMENSION, &mut rng).expect("a key");
    let one = [1, 0, 0, 0];
    judge.compare("KLMMRW derivation, beside a vector of a one", true, &one, vector, |x| {
        black_box(master.derive(x, &mut bridge::rng(5)).expect("a key"));
    });
    judge.compare("KLMMRW encryption, beside a vector of a one", true, &one, vector, |x| {
        black_box(master.encrypt(x, &mut bridge::rng(5)).expect("encrypted"));
    });
}

type Fr = <Bls12_381 as Pairing>::Fr;

/// Runs all comparisons with a judge. The last rows are operations in variable time.
pub fn all(judge: &mut impl Judge) {
    let board = pairwright_cpu::board::<Bn254>();
    judge.group::<Bn254, <Bn254 as Pairing>::G1>(|p, k| {
        board.points_g1.scale_by_secrets(p, k).expect("as many").0
    });
    judge.group::<Bn254, <Bn254 as Pairing>::G2>(|p, k| {
        board.points_g2.scale_by_secrets(p, k).expect("as many").0
    });
    let board = pairwright_cpu::board::<Bls12_381>();
    judge.group::<Bls12_381, _>(|p, k| board.points_g1.scale_by_secrets(p, k).expect("as many").0);
    judge.group::<Bls12_381, _>(|p, k| board.points_g2.scale_by_secrets(p, k).expect("as many").0);
    judge.scalars::<Fr>("BLS12-381 Fr, an inverse", [true, false], |k| {
        black_box(k.invert());
    });
    judge.scalars::<Fr>("BLS12-381 Fr, a thousand products", [true, true], |k| {
        black_box((0..1000).fold(Fr::NON_RESIDUE, |product, _| product * black_box(*k)));
    });
    let message = Affine::<<Bls12_381 as Pairing>::G2>::generator();
    let key = |k: &Fr| {
        let mut bytes = [0; 32];
        k.write_be(&mut bytes);
        SecretKey::from_bytes(&bytes).expect("not zero").sign_point::<MinPk>(&message)
    };
    let random = |rng: &mut ChaCha20Rng| Fr::random(rng);
    judge.compare("BLS signature, beside key one", true, &Fr::ONE, random, |k| {
        black_box(key(k));
    });
    of_bbs(judge, &board);
    of_abe(judge, &board);
    of_fe(judge, &board);
    let point = message.to_jacobian();
    judge.scalars::<Fr>("BLS12-381 G2, a multiple in variable time", [false, true], |k| {
        black_box(point.mul_vartime(k));
    });
}
