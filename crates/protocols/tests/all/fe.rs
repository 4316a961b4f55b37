//! Tests of functional encryption for inner products: both schemes, their tables, and every kind of refusal.

use crate::common::{device, rng};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1};
use pairwright_curve::encoding::{PointEncoding, PointError, ZcashCompressed};
use pairwright_curve::jubjub::{self, Jubjub};
use pairwright_curve::{Affine, Curve, Pairing, Projective};
use pairwright_device::Session;
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_protocols::circuit::CircuitError;
use pairwright_protocols::r1cs::ConstraintSource;
use pairwright_protocols::schemes::fe::attested::{self, AttestedCircuit, AttestedError, commitment};
use pairwright_protocols::schemes::fe::logarithm::{Group, Table};
use pairwright_protocols::schemes::fe::public::DdhGroup;
use pairwright_protocols::schemes::fe::{FeError, embedded, hiding, public};
use rand_core::Rng;

/// A vector of small integers of both signs.
fn vector(n: usize, rng: &mut impl Rng) -> Vec<i64> {
    (0..n).map(|_| (rng.next_u32() % 201) as i64 - 100).collect()
}

fn product(x: &[i64], y: &[i64]) -> i64 {
    x.iter().zip(y).map(|(x, y)| x * y).sum()
}

#[test]
fn public_keys_give_inner_products() {
    let device = device();
    let on = &mut Session::new(&device);
    let table = Table::new(G1::GENERATOR, 500).unwrap();
    for n in [1, 2, 7, 20] {
        let mut rng = rng(n as u64);
        let master = public::MasterKey::random(n, &mut rng).unwrap();
        let key = master.public_key();
        assert_eq!((master.dimension(), key.dimension()), (n, n));
        for _ in 0..3 {
            let (x, y) = (vector(n, &mut rng), vector(n, &mut rng));
            let ciphertext = key.encrypt(&x, &mut rng).unwrap();
            let function = master.derive(&y).unwrap();
            let point = function.decrypt_point(on, &ciphertext).unwrap();
            let z = product(&x, &y);
            let size = G1::GENERATOR.times_vartime(z.unsigned_abs());
            assert_eq!(point, if z < 0 { -size } else { size });
            assert_eq!(function.decrypt(on, &ciphertext, &table, 1_000_000).unwrap(), z);
        }
    }
}

/// The largest integers: the result is right modulo the group order, and refused outside of the range.
#[test]
fn large_entries() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(31);
    let table = Table::new(G1::GENERATOR, 50).unwrap();
    let master = public::MasterKey::random(3, &mut rng).unwrap();
    let ciphertext = master.public_key().encrypt(&[i64::MIN, i64::MAX, 5], &mut rng).unwrap();
    let decrypt = |on: &mut Session<'_, Bls12_381>, y: &[i64], bound| {
        master.derive(y).unwrap().decrypt(on, &ciphertext, &table, bound)
    };
    assert_eq!(decrypt(on, &[1, 1, 0], 1).unwrap(), -1);
    assert_eq!(decrypt(on, &[i64::MIN, i64::MIN, i64::MIN], 0).map_err(drop), Err(()));
    assert_eq!(decrypt(on, &[0, 0, 0], 0).unwrap(), 0);
    assert_eq!(decrypt(on, &[0, 0, 200], 1000).unwrap(), 1000);
    for (y, bound) in [([0, 0, 200], 999), ([1, 0, 0], 1_000_000)] {
        let found = decrypt(on, &y, bound).unwrap_err();
        assert!(matches!(found, FeError::OutOfRange { bound: named } if named == bound));
    }
    let wide = (1 << 62) + 1;
    assert!(matches!(decrypt(on, &[1, 1, 0], wide), Err(FeError::Bound { bound, .. }) if bound == wide));
    let other = Table::new(G1::GENERATOR.times_vartime(2), 50).unwrap();
    let found = master.derive(&[1, 1, 0]).unwrap().decrypt(on, &ciphertext, &other, 10);
    assert!(matches!(found, Err(FeError::Base)));
}

#[test]
fn hidden_vectors_give_inner_products() {
    let device = device();
    let on = &mut Session::new(&device);
    for n in [2, 6] {
        let mut rng = rng(40 + n as u64);
        let master = hiding::MasterKey::random(n, &mut rng).unwrap();
        assert_eq!(master.dimension(), n);
        let (x, mut y) = (vector(n, &mut rng), vector(n, &mut rng));
        y[0] += 1000;
        let function = master.derive(&x, &mut rng).unwrap();
        let ciphertext = master.encrypt(&y, &mut rng).unwrap();
        let z = product(&x, &y);
        let [base, power] = function.decrypt_values(on, &ciphertext).unwrap();
        let size = Bls12_381::gt_pow_vartime(&base.0, &Fr::from(z.unsigned_abs()));
        assert_eq!(power.0, if z < 0 { Bls12_381::gt_inverse(&size) } else { size });
        assert_eq!(function.decrypt(on, &ciphertext, 200_000).unwrap(), z);
        if z != 0 {
            let bound = z.unsigned_abs() - 1;
            let found = function.decrypt(on, &ciphertext, bound);
            assert!(matches!(found, Err(FeError::OutOfRange { bound: named }) if named == bound));
        }
        // A key of another authority gives no result in the range.
        let other = hiding::MasterKey::random(n, &mut rng).unwrap().derive(&x, &mut rng).unwrap();
        assert!(matches!(other.decrypt(on, &ciphertext, 1000), Err(FeError::OutOfRange { .. })));
    }
    // Orthogonal vectors.
    let mut rng = rng(50);
    let master = hiding::MasterKey::random(2, &mut rng).unwrap();
    let function = master.derive(&[3, -2], &mut rng).unwrap();
    let ciphertext = master.encrypt(&[2, 3], &mut rng).unwrap();
    assert_eq!(function.decrypt(on, &ciphertext, 0).unwrap(), 0);
}

/// Keys and ciphertexts are randomised: the same vector twice gives different points.
#[test]
fn nothing_is_deterministic_but_public_keys() {
    let mut rng = rng(51);
    let master = hiding::MasterKey::random(2, &mut rng).unwrap();
    assert_ne!(master.derive(&[1, 2], &mut rng).unwrap(), master.derive(&[1, 2], &mut rng).unwrap());
    assert_ne!(master.encrypt(&[1, 2], &mut rng).unwrap(), master.encrypt(&[1, 2], &mut rng).unwrap());
    let master = public::MasterKey::random(2, &mut rng).unwrap();
    let key = master.public_key();
    assert_eq!(key, master.public_key());
    assert_ne!(key.encrypt(&[1, 2], &mut rng).unwrap(), key.encrypt(&[1, 2], &mut rng).unwrap());
}

#[test]
fn dimensions_are_checked() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(52);
    let table = Table::new(G1::GENERATOR, 5).unwrap();
    for n in [0, public::MOST_DIMENSION + 1] {
        let found = public::MasterKey::random(n, &mut rng).map(drop);
        assert!(matches!(found, Err(FeError::Dimension { found, .. }) if found == n));
    }
    for n in [0, hiding::MOST_DIMENSION + 1] {
        let found = hiding::MasterKey::random(n, &mut rng).map(drop);
        assert!(matches!(found, Err(FeError::Dimension { found, .. }) if found == n));
    }
    // With one entry the matrix cancels: such a key is neither drawn nor read.
    assert!(matches!(hiding::MasterKey::random(1, &mut rng), Err(FeError::OneEntry)));
    let one = [&[1, 17, 0, 0, 0, 1][..], &[0; 31], &[5]].concat();
    assert!(matches!(hiding::MasterKey::from_bytes(&one), Err(FeError::OneEntry)));
    let wrong = |found: Result<(), FeError>, wanted: &str| {
        let Err(FeError::Mismatch { what, found: 2, expected: 3 }) = found else { panic!("{found:?}") };
        assert_eq!(what, wanted);
    };
    let (three, two) =
        (public::MasterKey::random(3, &mut rng).unwrap(), public::MasterKey::random(2, &mut rng).unwrap());
    wrong(three.derive(&[1, 2]).map(drop), "a vector");
    wrong(three.public_key().encrypt(&[1, 2], &mut rng).map(drop), "a vector");
    let ciphertext = two.public_key().encrypt(&[1, 2], &mut rng).unwrap();
    let function = three.derive(&[1, 2, 3]).unwrap();
    wrong(function.decrypt(on, &ciphertext, &table, 10).map(drop), "a ciphertext");

    let (three, two) =
        (hiding::MasterKey::random(3, &mut rng).unwrap(), hiding::MasterKey::random(2, &mut rng).unwrap());
    wrong(three.derive(&[1, 2], &mut rng).map(drop), "a vector");
    wrong(three.encrypt(&[1, 2], &mut rng).map(drop), "a vector");
    let ciphertext = two.encrypt(&[1, 2], &mut rng).unwrap();
    wrong(three.derive(&[1, 2, 3], &mut rng).unwrap().decrypt(on, &ciphertext, 10).map(drop), "a ciphertext");
    assert!(matches!(three.derive(&[0, 0, 0], &mut rng), Err(FeError::ZeroVector)));
    assert!(matches!(three.encrypt(&[0, 0, 0], &mut rng), Err(FeError::ZeroVector)));
}

/// A point of the curve outside of the subgroup of G1, compressed.
fn outside() -> Vec<u8> {
    let point = (1u64..100).find_map(|x| {
        let x = Fq::from(x);
        let point = Affine::<G1>::from_xy_unchecked(x, (x.square() * x + Fq::from(4)).sqrt_vartime()?);
        (!point.is_in_subgroup_vartime()).then_some(point)
    });
    ZcashCompressed::to_vec(&point.expect("most points are outside"))
}

/// The neutral element of a group, compressed.
fn neutral(size: usize) -> Vec<u8> {
    [&[0xc0][..], &vec![0; size - 1]].concat()
}

/// Checks that an encoding is decoded and encoded to the same bytes, and that wrong heads, wrong lengths and changed parts are refused.
struct Encoding<'a, T> {
    bytes: Vec<u8>,
    read: &'a dyn Fn(&[u8]) -> Result<T, FeError>,
    write: &'a dyn Fn(&T) -> Vec<u8>,
}

impl<T> Encoding<'_, T> {
    fn refused(&self, bytes: &[u8]) -> FeError {
        (self.read)(bytes).map(drop).expect_err("refused")
    }

    fn with(&self, at: usize, part: &[u8]) -> FeError {
        let mut changed = self.bytes.clone();
        changed[at..at + part.len()].copy_from_slice(part);
        self.refused(&changed)
    }

    fn check(&self) {
        assert_eq!((self.write)(&(self.read)(&self.bytes).unwrap()), self.bytes);
        for length in [0, 1, 5, 6, 7, self.bytes.len() - 1] {
            assert!(matches!(self.refused(&self.bytes[..length]), FeError::Length { .. }), "{length}");
        }
        let longer = [&self.bytes[..], &[0]].concat();
        assert!(matches!(self.refused(&longer), FeError::Length { .. }));
        assert!(matches!(self.with(0, &[2]), FeError::Kind { version: 2, .. }));
        assert!(matches!(self.with(1, &[9]), FeError::Kind { kind: 9, .. }));
        assert!(matches!(self.with(2, &[0; 4]), FeError::Dimension { found: 0, .. }));
        assert!(matches!(self.with(2, &[255; 4]), FeError::Dimension { .. }));
        assert!(matches!(self.with(5, &[1]), FeError::Length { .. }));
    }

    fn refuses_scalar(&self, at: usize) {
        assert!(matches!(self.with(at, &[255; 32]), FeError::Scalar { offset, .. } if offset == at));
    }

    fn refuses_point(&self, at: usize) {
        let found = self.with(at, &outside());
        assert!(
            matches!(found, FeError::Point { offset, why: PointError::NotInSubgroup { .. }, .. } if offset == at)
        );
    }

    fn refuses_neutral(&self, at: usize, size: usize) {
        assert!(matches!(self.with(at, &neutral(size)), FeError::Neutral { offset, .. } if offset == at));
    }
}

#[test]
fn encodings_with_public_keys() {
    let mut rng = rng(53);
    let master = public::MasterKey::random(2, &mut rng).unwrap();
    let secret = Encoding {
        bytes: master.to_bytes().to_vec(),
        read: &public::MasterKey::from_bytes,
        write: &|key| key.to_bytes().to_vec(),
    };
    secret.check();
    (0..4).for_each(|i| secret.refuses_scalar(6 + 32 * i));
    let key = master.public_key();
    let known = Encoding {
        bytes: key.to_bytes(),
        read: &public::PublicKey::from_bytes,
        write: &|key| key.to_bytes(),
    };
    known.check();
    for at in [6, 54] {
        known.refuses_point(at);
        known.refuses_neutral(at, 48);
    }
    let function = Encoding {
        bytes: master.derive(&[-1, i64::MIN]).unwrap().to_bytes().to_vec(),
        read: &public::FunctionKey::from_bytes,
        write: &|key| key.to_bytes().to_vec(),
    };
    function.check();
    assert_eq!(public::FunctionKey::from_bytes(&function.bytes).unwrap().vector(), [-1, i64::MIN]);
    [22, 54].into_iter().for_each(|at| function.refuses_scalar(at));
    let ciphertext = key.encrypt(&[1, 2], &mut rng).unwrap();
    assert_eq!(ciphertext.dimension(), 2);
    let encrypted = Encoding {
        bytes: ciphertext.to_bytes(),
        read: &public::Ciphertext::from_bytes,
        write: &|ciphertext| ciphertext.to_bytes(),
    };
    encrypted.check();
    (0..4).for_each(|i| encrypted.refuses_point(6 + 48 * i));
}

#[test]
fn embedded_keys_give_inner_products() {
    let device = device();
    let on = &mut Session::new(&device);
    let mut rng = rng(56);
    let g = Jubjub::generator();
    let table = Table::new(g, 300).unwrap();
    for n in [1, 2, 7] {
        let master = embedded::MasterKey::random(n, &mut rng).unwrap();
        let key = master.public_key();
        for _ in 0..3 {
            let (x, y) = (vector(n, &mut rng), vector(n, &mut rng));
            let ciphertext = key.encrypt(&x, &mut rng).unwrap();
            let function = master.derive(&y).unwrap();
            let z = product(&x, &y);
            assert_eq!(function.decrypt(on, &ciphertext, &table, 1_000_000).unwrap(), z);
            // Decrypt by the equations, with group operations only: the masks of x cancel.
            let points: Vec<_> = ciphertext.points().map(|point| point.to_extended()).collect();
            let weighed = points[2..].iter().zip(&y).fold(jubjub::Point::IDENTITY, |sum, (e, y)| {
                let size = e.mul_limbs_vartime(&[y.unsigned_abs()]);
                if *y < 0 { sum - size } else { sum + size }
            });
            let bytes = function.to_bytes();
            let scalar = |at: usize| jubjub::Fr::read_be(&bytes[at..at + 32]).unwrap();
            let mask = points[0].mul(&scalar(6 + 8 * n)) + points[1].mul(&scalar(38 + 8 * n));
            let size = g.to_extended().mul_limbs_vartime(&[z.unsigned_abs()]);
            assert_eq!(weighed - mask, if z < 0 { -size } else { size });
        }
        let other = embedded::MasterKey::random(n, &mut rng).unwrap().derive(&vec![1; n]).unwrap();
        let ciphertext = key.encrypt(&vec![1; n], &mut rng).unwrap();
        let found = other.decrypt(on, &ciphertext, &table, 1000);
        assert!(matches!(found, Err(FeError::OutOfRange { bound: 1000 })));
    }
    let report = on.report();
    assert!(report.records.iter().any(|record| record.operator == "fe weighed sum"));
}

#[test]
fn embedded_encodings() {
    let mut rng = rng(57);
    let master = embedded::MasterKey::random(2, &mut rng).unwrap();
    let secret = Encoding {
        bytes: master.to_bytes().to_vec(),
        read: &embedded::MasterKey::from_bytes,
        write: &|key| key.to_bytes().to_vec(),
    };
    secret.check();
    (0..4).for_each(|i| secret.refuses_scalar(6 + 32 * i));
    let key = master.public_key();
    let known = Encoding {
        bytes: key.to_bytes(),
        read: &embedded::PublicKey::from_bytes,
        write: &|key| key.to_bytes(),
    };
    known.check();
    // The neutral element, a point of order two, and bytes that encode no point.
    let identity = jubjub::Point::IDENTITY.to_bytes();
    let two = jubjub::Point::from_affine_unchecked_subgroup(Fr::ZERO, -Fr::ONE).unwrap().to_bytes();
    assert!(matches!(known.with(6, &identity), FeError::Neutral { offset: 6, .. }));
    assert!(matches!(
        known.with(38, &two),
        FeError::Point { offset: 38, why: PointError::NotInSubgroup { .. }, .. }
    ));
    assert!(matches!(known.with(6, &[0xff; 32]), FeError::Point { offset: 6, .. }));
    let function = Encoding {
        bytes: master.derive(&[-1, i64::MIN]).unwrap().to_bytes().to_vec(),
        read: &embedded::FunctionKey::from_bytes,
        write: &|key| key.to_bytes().to_vec(),
    };
    function.check();
    [22, 54].into_iter().for_each(|at| function.refuses_scalar(at));
    let encrypted = Encoding {
        bytes: key.encrypt(&[1, 2], &mut rng).unwrap().to_bytes(),
        read: &embedded::Ciphertext::from_bytes,
        write: &|ciphertext| ciphertext.to_bytes(),
    };
    encrypted.check();
    assert!(matches!(encrypted.with(70, &two), FeError::Point { offset: 70, .. }));
    // Encodings for G1 are of another kind.
    let of_g1 = public::MasterKey::random(2, &mut rng).unwrap().to_bytes();
    assert!(matches!(embedded::MasterKey::from_bytes(&of_g1), Err(FeError::Kind { kind: 1, .. })));
}

/// A witness exists for arguments that belong together; otherwise the error names the part that does not.
#[test]
fn attested_vectors() {
    let mut rng = rng(58);
    let master = embedded::MasterKey::random(3, &mut rng).unwrap();
    let key = master.public_key();
    let circuit = AttestedCircuit::new(&key).unwrap();
    assert_eq!(circuit.dimension(), 3);
    assert_eq!(circuit.circuit().r1cs().shape().public(), 1 + 2 * 5);
    let (x, salt, r) = ([700, 0, u32::MAX], Fr::random(&mut rng), jubjub::Fr::random(&mut rng));
    let signed = x.map(i64::from);
    let committed = commitment(&x, &salt);
    let ciphertext = key.encrypt_with(&signed, &r).unwrap();
    let witness = circuit.witness((&committed, &ciphertext), &x, &salt, &r).unwrap();
    let public = circuit.public(&committed, &ciphertext).unwrap();
    assert_eq!(circuit.circuit().public(&witness), public);

    let refused =
        |(committed, ciphertext): (&Fr, &embedded::Ciphertext), x: &[u32], salt: &Fr, r: &jubjub::Fr| {
            let found = circuit.witness((committed, ciphertext), x, salt, r).unwrap_err();
            let AttestedError::Circuit(CircuitError::Unsatisfied { place, .. }) = found else {
                panic!("{found}")
            };
            place
        };
    let of_commitment = "the commitment is that of the entries";
    let of_ciphertext = "the ciphertext is that of the entries";
    // Another vector than the committed one, in the ciphertext and the witness, and in only one of them.
    let other = [701, 0, u32::MAX];
    let other_ciphertext = key.encrypt_with(&other.map(i64::from), &r).unwrap();
    assert_eq!(refused((&committed, &other_ciphertext), &other, &salt, &r), of_commitment);
    assert_eq!(refused((&committed, &other_ciphertext), &x, &salt, &r), of_ciphertext);
    assert_eq!(refused((&committed, &ciphertext), &x, &(salt + Fr::ONE), &r), of_commitment);
    // Another r, and a ciphertext of another key.
    assert_eq!(refused((&committed, &ciphertext), &x, &salt, &(r + jubjub::Fr::ONE)), of_ciphertext);
    let foreign = embedded::MasterKey::random(3, &mut rng).unwrap().public_key();
    let foreign = foreign.encrypt_with(&signed, &r).unwrap();
    assert_eq!(refused((&committed, &foreign), &x, &salt, &r), of_ciphertext);
    // Every public value is bound.
    for wire in 1..=public.len() {
        let mut wrong = witness.clone();
        wrong[wire] += Fr::ONE;
        assert!(circuit.circuit().check(&wrong).is_err(), "{wire}");
    }
    // An entry that is not below 2^32 cannot be given through the types; in a witness it is refused.
    let dimension = |found: Result<(), AttestedError>| {
        assert!(matches!(found, Err(AttestedError::Vector(FeError::Mismatch { .. }))));
    };
    dimension(circuit.witness((&committed, &ciphertext), &x[..2], &salt, &r).map(drop));
    let short =
        embedded::MasterKey::random(2, &mut rng).unwrap().public_key().encrypt(&[1, 2], &mut rng).unwrap();
    dimension(circuit.public(&committed, &short).map(drop));
    assert_ne!(commitment(&[0], &salt), commitment(&[0, 0], &salt));
    let most = attested::MOST_DIMENSION + 1;
    let wide = embedded::MasterKey::random(most, &mut rng).unwrap().public_key();
    assert!(matches!(
        AttestedCircuit::new(&wide),
        Err(AttestedError::Vector(FeError::Dimension { found, .. })) if found == most
    ));
}

/// Eight entries, the size of the example: the circuit fits a domain of 2^13.
#[test]
fn size_of_an_attested_circuit() {
    let key = embedded::MasterKey::random(8, &mut rng(59)).unwrap().public_key();
    let shape = AttestedCircuit::new(&key).unwrap().circuit().r1cs().shape();
    assert_eq!((shape.constraints, shape.public()), (7964, 21));
}

#[test]
fn encodings_with_hidden_vectors() {
    let mut rng = rng(54);
    let master = hiding::MasterKey::random(2, &mut rng).unwrap();
    let secret = Encoding {
        bytes: master.to_bytes().to_vec(),
        read: &hiding::MasterKey::from_bytes,
        write: &|key| key.to_bytes().to_vec(),
    };
    secret.check();
    (0..4).for_each(|i| secret.refuses_scalar(6 + 32 * i));
    let same_rows = [&secret.bytes[..70], &secret.bytes[6..70]].concat();
    assert!(matches!(secret.refused(&same_rows), FeError::Singular));
    // A master key after encoding and decoding gives keys that work with those of the original.
    let again = hiding::MasterKey::from_bytes(&secret.bytes).unwrap();
    let device = device();
    let on = &mut Session::new(&device);
    let function = master.derive(&[3, 4], &mut rng).unwrap();
    let ciphertext = again.encrypt(&[5, -6], &mut rng).unwrap();
    assert_eq!(function.decrypt(on, &ciphertext, 100).unwrap(), -9);

    let derived = Encoding {
        bytes: function.to_bytes(),
        read: &hiding::FunctionKey::from_bytes,
        write: &|key| key.to_bytes(),
    };
    derived.check();
    derived.refuses_neutral(6, 48);
    (0..3).for_each(|i| derived.refuses_point(6 + 48 * i));
    let encrypted = Encoding {
        bytes: ciphertext.to_bytes(),
        read: &hiding::Ciphertext::from_bytes,
        write: &|ciphertext| ciphertext.to_bytes(),
    };
    encrypted.check();
    encrypted.refuses_neutral(6, 96);
    assert!(matches!(encrypted.with(102, &[0x9f; 96]), FeError::Point { offset: 102, .. }));
}

#[test]
fn tables_are_written_and_read() {
    let table = Table::new(G1::GENERATOR, 100).unwrap();
    let bytes = table.to_bytes();
    assert_eq!(bytes.len(), 12 + 48 + 8 + 800 + 32);
    let again = Table::<Affine<G1>>::from_bytes(&bytes).unwrap();
    assert_eq!(again.to_bytes(), bytes);
    assert_eq!((again.steps(), *again.base()), (100, G1::GENERATOR));
    assert_eq!(again.find_vartime(&-G1::GENERATOR.times_vartime(12_345), 100_000).unwrap(), -12_345);
    let refused = |bytes: &[u8]| Table::<Affine<G1>>::from_bytes(bytes).expect_err("refused");
    for length in [0, 31, 32, 99, 100, bytes.len() - 1] {
        assert!(matches!(refused(&bytes[..length]), FeError::Length { .. }), "{length}");
    }
    assert!(matches!(refused(&[&bytes[..], &[0]].concat()), FeError::Length { .. }));
    let with = |at: usize, part: &[u8]| {
        let mut changed = bytes.clone();
        changed[at..at + part.len()].copy_from_slice(part);
        refused(&changed)
    };
    assert!(matches!(with(0, b"q"), FeError::Kind { .. }));
    assert!(matches!(with(8, &[2]), FeError::Kind { version: 2, .. }));
    // A wrong number of steps in the file is refused: zero, too many, or one that does not match the length.
    assert!(matches!(with(60, &[0; 8]), FeError::Steps { found: 0, .. }));
    assert!(matches!(with(60, &[255; 8]), FeError::Steps { .. }));
    assert!(matches!(with(60, &[101]), FeError::Length { .. }));
    assert!(matches!(with(20, &[1]), FeError::Digest));
    assert!(matches!(with(70, &[1]), FeError::Digest));
    assert!(matches!(with(bytes.len() - 1, &[!bytes[bytes.len() - 1]]), FeError::Digest));
}

/// Computing the scheme's equations step by step with group operations decrypts ciphertexts of the library.
#[test]
fn equations_of_the_paper() {
    let mut rng = rng(55);
    let master = public::MasterKey::random(2, &mut rng).unwrap();
    let bytes = master.to_bytes();
    let scalars: Vec<Fr> = bytes[6..].chunks(32).map(|s| Fr::read_be(s).unwrap()).collect();
    let [s1, s2, t1, t2] = scalars[..] else { panic!("four scalars") };
    let (g, h) = (Projective::<G1>::generator(), Projective::from(public::second_generator()));
    let want = [(s1, t1), (s2, t2)].map(|(s, t)| (g.mul(&s) + h.mul(&t)).to_affine());
    let key: Vec<u8> = want.iter().flat_map(ZcashCompressed::to_vec).collect();
    assert_eq!(master.public_key().to_bytes()[6..], key);
    let ciphertext = master.public_key().encrypt(&[7, -3], &mut rng).unwrap().to_bytes();
    let points: Vec<Affine<G1>> =
        ciphertext[6..].chunks(48).map(|p| ZcashCompressed::read(p).unwrap()).collect();
    let [c, d, e1, e2] = points[..] else { panic!("four points") };
    // E_i - s_i·C - t_i·D = x_i·g.
    let open = |e: Affine<G1>, s: Fr, t: Fr| {
        Projective::from(e) + Projective::from(c).mul(&-s) + Projective::from(d).mul(&-t)
    };
    assert_eq!(open(e1, s1, t1).to_affine(), g.mul(&Fr::from(7)).to_affine());
    assert_eq!(open(e2, s2, t2).to_affine(), g.mul(&-Fr::from(3)).to_affine());
}
