//! Tests of the circuit builder: gadgets against direct evaluation, false witnesses, the order of wires, proofs.

use pairwright_curve::bn254::{Bn254, Fr};
use pairwright_curve::{bls12_377, bls12_381};
use pairwright_device::{Session, reference};
use pairwright_field::{Field, PrimeField, Ring};
use pairwright_hash::{Compress, Poseidon};
use pairwright_poly::Buf;
use pairwright_protocols::circuit::{Bool, Builder, CircuitError, Linear};
use pairwright_protocols::groth16::{prove, setup_local, verify};
use pairwright_protocols::r1cs::{ConstraintSource, check};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};

fn rng() -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(16)
}

/// Returns the outputs of a circuit over two inputs, and its number of constraints, those of the outputs included. Checks that every
/// wire but the inputs is bound: another value violates a constraint.
fn run<F: PrimeField>(
    part: impl Fn(&mut Builder<F>, Linear<F>, Linear<F>) -> Vec<Linear<F>>,
    x: F,
    y: F,
) -> Result<(Vec<F>, usize), CircuitError> {
    run_with(0, part, x, y)
}

/// [`run`] for a circuit in which `expected_free` wires are not bound, such as the inverse of zero.
fn run_with<F: PrimeField>(
    expected_free: usize,
    part: impl Fn(&mut Builder<F>, Linear<F>, Linear<F>) -> Vec<Linear<F>>,
    x: F,
    y: F,
) -> Result<(Vec<F>, usize), CircuitError> {
    let mut b = Builder::new();
    let (p, q) = (b.private("p"), b.private("q"));
    for value in part(&mut b, p.into(), q.into()) {
        b.output("out", value);
    }
    let circuit = b.finish()?;
    let witness = circuit.witness(&[(p, x), (q, y)])?;
    let shape = circuit.shape();
    let (mut lie, mut free) = (witness.clone(), 0);
    for wire in (1..=shape.outputs).chain(1 + shape.public() + shape.private_inputs..shape.wires) {
        lie[wire] += F::ONE;
        free += usize::from(circuit.check(&lie).is_ok());
        lie[wire] = witness[wire];
    }
    assert_eq!(free, expected_free, "wires that nothing binds");
    Ok((circuit.public(&witness).to_vec(), shape.constraints))
}

fn flag<F: PrimeField>(x: bool) -> F {
    F::from(u64::from(x))
}

fn gadgets<F: PrimeField>() {
    let mut rng = rng();
    for i in 0..40 {
        // Small numbers, equal numbers, and random ones.
        let (x, y) = match i % 4 {
            0 => (F::from(u64::from(rng.next_u32() % 4)), F::from(u64::from(rng.next_u32() % 4))),
            1 => {
                let x = F::random(&mut rng);
                (x, x)
            }
            2 => (F::ZERO, F::ZERO),
            _ => (F::random(&mut rng), F::random(&mut rng)),
        };
        let k = F::random(&mut rng);
        let sums = run(|_, p, q| vec![&p + &q, &p - &q, &p * k - q + k, -p], x, y).unwrap();
        assert_eq!(sums, (vec![x + y, x - y, x * k - y + k, -x], 4));
        let product = run(|b, p, q| vec![b.mul(p + k, q)], x, y).unwrap();
        assert_eq!(product, (vec![(x + k) * y], 2));
        let zeros = usize::from(x == y) + usize::from(x.is_zero());
        let equal =
            run_with(zeros, |b, p, q| vec![b.is_equal(&p, &q).into(), b.is_zero(p).into()], x, y).unwrap();
        assert_eq!(equal, (vec![flag(x == y), flag(x.is_zero())], 6));
    }
}

#[test]
fn gadgets_compute_what_they_say() {
    gadgets::<Fr>();
    gadgets::<bls12_381::Fr>();
    gadgets::<bls12_377::Fr>();
}

#[test]
fn bits_and_booleans() {
    let mut rng = rng();
    for _ in 0..10 {
        let (x, y) = (rng.next_u64() >> 20, 1 + (rng.next_u64() >> 1));
        let (out, constraints) = run::<Fr>(
            |b, p, _| b.bits(p, 44).unwrap().into_iter().map(Linear::from).collect(),
            x.into(),
            Fr::from(y),
        )
        .unwrap();
        assert_eq!(constraints, 45 + 44);
        let expected: Vec<Fr> = (0..44).map(|i| (x >> i & 1).into()).collect();
        assert_eq!(out, expected);
    }
    for (x, y) in [(false, false), (false, true), (true, false), (true, true)] {
        let logic = |b: &mut Builder<Fr>, p: Linear<Fr>, q: Linear<Fr>| {
            let (p, q): (Bool<Fr>, Bool<Fr>) = (b.boolean(p), b.boolean(q));
            let bits = [b.and(&p, &q), b.or(&p, &q), b.xor(&p, &q), !&p];
            let chosen = b.select(&p, Fr::from(7), Linear::from(&q) * Fr::from(9));
            bits.into_iter().map(Linear::from).chain([chosen]).collect()
        };
        let (out, _) = run(logic, flag(x), flag(y)).unwrap();
        let chosen = if x { 7 } else { 9 * u64::from(y) };
        assert_eq!(out, [flag(x & y), flag(x | y), flag(x ^ y), flag(!x), chosen.into()]);
        let refused = run(logic, Fr::from(2), flag(y));
        assert!(
            matches!(refused, Err(CircuitError::Unsatisfied { constraint: 0, place }) if place == "boolean")
        );
    }
    // 2^k - 1 has k bits, 2^k has more.
    for k in [1u32, 8, 64, 200] {
        let power = Fr::from(2).pow_vartime(&[u64::from(k)]);
        let fits =
            |x: Fr| run(|b, p, _| b.bits(p, k).unwrap().into_iter().map(Linear::from).collect(), x, -x);
        assert!(fits(power - Fr::ONE).is_ok());
        let refused = fits(power);
        assert!(matches!(refused, Err(CircuitError::Unsatisfied { place, .. }) if place == "bits"));
    }
    let many = Builder::<Fr>::new().bits(Fr::ONE, Fr::BITS);
    assert!(matches!(many, Err(CircuitError::TooManyBits { asked: 254, bits: 254 })));
    assert!(Builder::<Fr>::new().bits(Fr::ONE, Fr::BITS - 1).is_ok());
}

fn poseidon<F: PrimeField>(constraints: usize) {
    let hash = Poseidon::<F>::new();
    let mut rng = rng();
    for _ in 0..3 {
        let (x, y) = (F::random(&mut rng), F::random(&mut rng));
        let found = run(|b, p, q| vec![b.poseidon(&hash, p, q)], x, y).unwrap();
        assert_eq!(found, (vec![hash.compress(&x, &y)], constraints + 1));
    }
}

#[test]
fn poseidon_is_the_hash() {
    poseidon::<Fr>(240);
    poseidon::<bls12_381::Fr>(240);
    let hash = Poseidon::<bls12_377::Fr>::new();
    // x^11 takes five products.
    assert_eq!(hash.alpha(), 11);
    poseidon::<bls12_377::Fr>(5 * (3 * hash.full_rounds() + hash.partial_rounds() - 1));
}

#[test]
fn wires_stand_in_the_order_of_circom() {
    let mut b = Builder::<Fr>::new();
    let secret = b.private("secret");
    let square = b.mul(secret, secret);
    let open = b.public("open");
    b.output("sum", &square + open);
    b.enforce_equal(&square, Fr::from(9));
    let other = b.private("other");
    let circuit = b.finish().unwrap();
    let shape = circuit.shape();
    assert_eq!((shape.wires, shape.outputs, shape.public_inputs, shape.private_inputs), (6, 1, 1, 2));
    let [one, sum, open_value, three, eight, nine] = [1, 12, 3, 3, 8, 9].map(Fr::from);
    let inputs = [(secret, three), (open, open_value), (other, eight)];
    let witness = circuit.witness(&inputs).unwrap();
    assert_eq!(witness, [one, sum, open_value, three, eight, nine]);
    check(circuit.r1cs(), &witness).unwrap();
}

#[test]
fn errors_name_what_is_wrong() {
    let build = || {
        let mut b = Builder::<Fr>::new();
        let (x, y) = (b.private("age"), b.public("limit"));
        b.within("adult", |b| b.within("exact", |b| b.enforce_equal(x, y)));
        (b, x, y)
    };
    let (b, x, y) = build();
    let circuit = b.finish().unwrap();
    assert_eq!(circuit.place(0), Some("adult/exact"));
    let missing = circuit.witness(&[(y, Fr::ONE)]);
    assert!(matches!(missing, Err(CircuitError::MissingInput { name }) if name == "age"));
    let wrong = circuit.witness(&[(x, Fr::from(123_456)), (y, Fr::ONE)]).unwrap_err();
    assert_eq!(wrong.to_string(), "constraint 0 does not hold: adult/exact", "no values in messages");

    // Values that are assigned in the builder, and others that override them later.
    let (mut b, x, y) = build();
    b.assign(x, Fr::ONE).unwrap();
    b.assign(y, Fr::ONE).unwrap();
    let product = b.compute(vec![x.into()], |v| v[0]);
    assert!(matches!(b.assign(product, Fr::ONE), Err(CircuitError::NotAnInput)));
    let circuit = b.finish().unwrap();
    circuit.witness(&[]).unwrap();
    assert!(circuit.witness(&[(y, Fr::ZERO)]).is_err());
    assert!(matches!(circuit.witness(&[(product, Fr::ONE)]), Err(CircuitError::NotAnInput)));

    // A variable of another builder, in a constraint and in a rule.
    let mut small = Builder::<Fr>::new();
    small.within("here", |s| s.enforce_equal(product, Fr::ONE));
    let foreign = small.finish();
    assert!(matches!(foreign, Err(CircuitError::ForeignVariable { place }) if place == "here"));
    let mut small = Builder::<Fr>::new();
    small.compute(vec![product.into()], |v| v[0]);
    assert!(matches!(small.finish(), Err(CircuitError::ForeignVariable { .. })));
    // Such a variable is refused even if its index exists in this builder, before the circuit is finished and after.
    let mut large = Builder::<Fr>::new();
    let own: Vec<_> = (0..10).map(|_| large.private("own")).collect();
    assert!(matches!(large.assign(x, Fr::ONE), Err(CircuitError::NotAnInput)));
    large.enforce_equal(x, own[0]);
    assert!(matches!(large.finish(), Err(CircuitError::ForeignVariable { .. })));
    assert!(matches!(circuit.witness(&[(own[0], Fr::ONE)]), Err(CircuitError::NotAnInput)));
}

#[test]
fn what_is_built_is_proved() {
    let hash = Poseidon::<Fr>::new();
    let mut b = Builder::<Fr>::new();
    let secret = b.private("secret");
    let tag = b.public("tag");
    let digest = b.poseidon(&hash, secret, tag);
    b.output("digest", digest);
    let circuit = b.finish().unwrap();

    let board = reference::board::<Bn254>();
    let mut on = Session::new(&board);
    let key = setup_local(&mut on, &circuit, &mut rng()).unwrap();
    for value in [3u64, 4] {
        let witness = circuit.witness(&[(secret, value.into()), (tag, Fr::from(1))]).unwrap();
        let public = circuit.public(&witness).to_vec();
        assert_eq!(public, [hash.compress(&value.into(), &Fr::ONE), Fr::ONE]);
        let proof = prove(&mut on, &key, &Buf::from(witness), &mut rng()).unwrap();
        verify(&mut on, &key.vk, &public, &proof).unwrap();
        let wrong = [public[0].double(), public[1]];
        verify(&mut on, &key.vk, &wrong, &proof).unwrap_err();
    }
}
