//! Tests of the encodings of proofs, keys and points: every curve, both forms, and bytes that differ slightly from valid ones.

use pairwright_curve::encoding::{Canonical, Form};
use pairwright_curve::{Affine, Curve, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{Session, reference};
use pairwright_field::{Field, PrimeField, Ring, Sqrt};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{
    BytesError, Element, Encoded, PointFault, Proof, VerifyingKey, prove, setup_local, verify,
};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

const FORMS: [Form; 2] = [Form::Compressed, Form::Uncompressed];

/// A point of the curve outside the prime-order subgroup, if there is one.
fn torsion<C: Curve>() -> Option<Affine<C>> {
    let mut rng = ChaCha20Rng::seed_from_u64(9);
    (0..64).find_map(|_| {
        let x = C::Base::random(&mut rng);
        let y = (x.square() * x + C::B).sqrt_vartime()?;
        let p = Affine::<C> { x, y };
        let t = p.to_jacobian().mul_limbs_vartime(C::Scalar::MODULUS.as_ref());
        (!t.is_infinity()).then_some(p)
    })
}

/// Checks that every shorter length and longer lengths are refused, and that bytes with a flipped bit are refused or decode to another
/// value whose encoding is these bytes.
fn neighbours<T: PartialEq>(
    bytes: &[u8],
    value: &T,
    read: impl Fn(&[u8]) -> Option<T>,
    write: impl Fn(&T) -> Vec<u8>,
    bits: usize,
) {
    assert!(read(bytes).is_some_and(|found| found == *value && write(&found) == bytes));
    for short in 0..bytes.len() {
        assert!(read(&bytes[..short]).is_none(), "{short} of {} bytes", bytes.len());
    }
    for more in [1, 8, 64] {
        let mut long = bytes.to_vec();
        long.resize(bytes.len() + more, 0);
        assert!(read(&long).is_none(), "{more} bytes more");
    }
    // All bits of short encodings, and evenly spaced bits of long ones.
    let step = (8 * bytes.len() / bits).max(1);
    for bit in (0..8 * bytes.len()).step_by(step) {
        let mut flipped = bytes.to_vec();
        flipped[bit / 8] ^= 1 << (bit % 8);
        if let Some(found) = read(&flipped) {
            assert!(found != *value && write(&found) == flipped, "bit {bit}");
        }
    }
}

fn points<C: Canonical>() {
    for form in FORMS {
        let p = Affine::<C>::generator();
        for p in [p, -p, p.to_jacobian().double().to_affine(), Affine::INFINITY] {
            let bytes = p.to_bytes(form);
            assert_eq!(bytes.len(), Affine::<C>::encoded_len(form));
            neighbours(&bytes, &p, |b| Affine::from_bytes(b, form).ok(), |p| p.to_bytes(form), 400);
        }
        assert!(Affine::<C>::from_bytes(&vec![0xff; Affine::<C>::encoded_len(form)], form).is_err());
        if let Some(t) = torsion::<C>() {
            Affine::<C>::from_bytes(&t.to_bytes(form), form).unwrap_err();
        }
    }
}

fn keys_and_proofs<E: Encoded>() {
    points::<E::G1>();
    points::<E::G2>();
    let board = reference::board::<E>();
    let mut on = Session::new(&board);
    let mut rng = ChaCha20Rng::seed_from_u64(3);
    let key = setup_local(&mut on, &chain::<E::Fr>(3), &mut rng).unwrap();
    let witness = chain_witness(3, E::Fr::from(2));
    let public = witness[1..2].to_vec();
    let proof = prove(&mut on, &key, &Buf::from(witness), &mut rng).unwrap();
    let (g1, g2) = (Affine::<E::G1>::encoded_len, Affine::<E::G2>::encoded_len);
    for form in FORMS {
        let bytes = proof.to_bytes(form);
        assert_eq!(bytes.len(), 2 * g1(form) + g2(form));
        let read = |b: &[u8]| Proof::<E>::from_bytes(b, form).ok().map(|p| p.into_inner());
        neighbours(&bytes, &proof, read, |p| p.to_bytes(form), 120);
        verify(&mut on, &key.vk, &public, &read(&bytes).unwrap()).unwrap();

        let bytes = key.vk.to_bytes(form);
        assert_eq!(bytes.len(), 3 * g1(form) + 3 * g2(form) + 8);
        let read = |b: &[u8]| VerifyingKey::<E>::from_bytes(b, form).ok().map(|p| p.into_inner());
        neighbours(&bytes, &key.vk, read, |k| k.to_bytes(form), 120);
        // A number of elements that exceeds any memory.
        let mut huge = bytes.clone();
        huge[g1(form) + 3 * g2(form)..][..8].fill(0xff);
        let refused = VerifyingKey::<E>::from_bytes(&huge, form);
        assert!(matches!(refused, Err(BytesError::Length { .. })));

        // A point outside of the subgroup, or infinity where it is not allowed, is named in the error.
        let off = Proof { b: torsion::<E::G2>().unwrap(), ..proof };
        let Err(BytesError::BadPoint(bad)) = Proof::<E>::from_bytes(&off.to_bytes(form), form) else {
            panic!("a point outside of its subgroup is read")
        };
        assert_eq!((bad.element, bad.fault), (Element::B, PointFault::WrongSubgroup));
        let off = VerifyingKey { delta_g2: Affine::INFINITY, ..key.vk.clone() };
        let Err(BytesError::BadPoint(bad)) = VerifyingKey::<E>::from_bytes(&off.to_bytes(form), form) else {
            panic!("delta at infinity is read")
        };
        assert_eq!((bad.element, bad.fault), (Element::Delta, PointFault::Infinity));
        // No point has these coordinates.
        let mut bytes = proof.to_bytes(form);
        bytes[g1(form)..][..g2(form)].fill(0x9d);
        let refused = Proof::<E>::from_bytes(&bytes, form);
        assert!(matches!(refused, Err(BytesError::Point { element: Element::B, .. })), "{refused:?}");
    }
}

#[test]
fn bn254() {
    keys_and_proofs::<Bn254>();
}
#[test]
fn bls12_381() {
    keys_and_proofs::<Bls12_381>();
}
#[test]
fn bls12_377() {
    keys_and_proofs::<Bls12_377>();
}

/// Scalars are fixed-width integers in both byte orders; the modulus and larger values are refused.
#[test]
fn scalars() {
    fn of<F: PrimeField>() {
        let mut modulus: Vec<u8> = F::MODULUS.as_ref().iter().flat_map(|l| l.to_le_bytes()).collect();
        assert!(F::read_le(&modulus).is_err() && F::read_le(&vec![0xff; F::BYTES]).is_err());
        modulus.reverse();
        assert!(F::read_be(&modulus).is_err());
        for x in [F::ZERO, F::ONE, -F::ONE, F::from(u64::MAX)] {
            let write = |x: &F| {
                let mut bytes = vec![0; F::BYTES];
                x.write_le(&mut bytes);
                bytes
            };
            neighbours(&write(&x), &x, |b| F::read_le(b).ok(), write, 8 * F::BYTES);
        }
    }
    of::<pairwright_curve::bn254::Fr>();
    of::<pairwright_curve::bls12_381::Fr>();
    of::<pairwright_curve::bls12_377::Fr>();
}
