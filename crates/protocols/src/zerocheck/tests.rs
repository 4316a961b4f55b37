//! Tests zerochecks on the reference board: true statements pass, false ones are refused even from a prover that cheats.

use super::*;
use crate::sumcheck::{self, BytesError, SumcheckProof};
use crate::transcript::Transcript;
use pairwright_curve::Pairing;
use pairwright_curve::{bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::{DeviceError, Session, reference};
use pairwright_field::{Field, FieldError, PrimeField};
use pairwright_poly::{Buf, SumOfProducts, Term, mle};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

type Fr = <Bls12_381 as Pairing>::Fr;
type Tables = Vec<Buf<Fr>>;

/// Random `a`, `b`, and `c = a·b`.
fn products<F: PrimeField>(variables: usize, seed: u64) -> Vec<Buf<F>> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut table = || (0..1usize << variables).map(|_| F::random(&mut rng)).collect::<Buf<F>>();
    let (a, b) = (table(), table());
    let c = a.iter().zip(b.iter()).map(|(a, b)| *a * *b).collect();
    vec![a, b, c]
}

fn prove_on<E: Pairing>(
    statement: &Statement<E::Fr>,
    tables: &[Buf<E::Fr>],
) -> Result<Proof<E::Fr>, ProveError> {
    let device = reference::board::<E>();
    Ok(prove(&mut Session::new(&device), statement, tables, &mut Transcript::new("test"))?.0)
}

/// Verifies, then checks the evaluations on the tables.
fn accept<E: Pairing>(
    statement: &Statement<E::Fr>,
    proof: &Proof<E::Fr>,
    tables: &[Buf<E::Fr>],
) -> Result<(), VerifyError> {
    let device = reference::board::<E>();
    verify(statement, proof, &mut Transcript::new("test"))?.check(&mut Session::new(&device), tables)
}

fn complete<E: Pairing>(seed: u64) {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    for variables in 0..=8 {
        // A random expression, and a table that makes it vanish.
        let (mut expression, mut tables) = sumcheck::tests::random::<E::Fr>(variables, &mut rng);
        let value = |corner: usize| expression.at(&tables.iter().map(|t| t[corner]).collect::<Vec<_>>());
        let minus: Buf<E::Fr> = (0..1 << variables).map(|corner| -value(corner)).collect();
        expression.terms.push(Term { coefficient: E::Fr::ONE, tables: vec![tables.len()] });
        tables.push(minus);
        for (statement, tables) in [
            (Statement { variables, expression }, tables),
            (Statement::product(variables), products(variables, seed + 1)),
        ] {
            let proof = prove_on::<E>(&statement, &tables).unwrap();
            let bytes = proof.to_bytes();
            assert_eq!(Proof::from_bytes(&bytes, &statement).as_ref(), Ok(&proof));
            accept::<E>(&statement, &proof, &tables).unwrap();
        }
    }
}

#[test]
fn true_statements_pass() {
    complete::<Bls12_381>(10);
    complete::<Bn254>(20);
}

/// The whole proof, and the transcript after it, as `derive/zerocheck.py` computes them from the definitions.
#[test]
fn a_proof_is_that_of_the_definitions() {
    let [a, b] = [[3u64, 1, 4, 1, 5, 9, 2, 6], [2, 7, 1, 8, 2, 8, 1, 8]].map(|t| t.map(Fr::from));
    let b = {
        let mut b = b;
        b[7] = -b[7];
        b
    };
    let c: Vec<Fr> = a.iter().zip(&b).map(|(a, b)| *a * *b).collect();
    let tables: Tables = [a.to_vec(), b.to_vec(), c].map(Buf::from).into();
    let (statement, device) = (Statement::product(3), reference::board::<Bls12_381>());
    let mut transcript = Transcript::new("zerocheck vector");
    let (proof, evaluations) =
        prove(&mut Session::new(&device), &statement, &tables, &mut transcript).unwrap();
    let decimal = |x: &[Fr]| x.iter().map(Fr::to_decimal).collect::<Vec<_>>();
    let elements = proof.sumcheck.rounds.iter().chain([&proof.evaluations]).flatten().copied();
    assert_eq!(decimal(&elements.collect::<Vec<_>>()), vector::PROOF);
    assert_eq!(decimal(&evaluations.point), vector::POINT);
    assert_eq!(transcript.challenge::<Fr>("after").to_decimal(), vector::AFTER);
    let mut theirs = Transcript::new("zerocheck vector");
    assert_eq!(verify(&statement, &proof, &mut theirs).unwrap(), evaluations);
    assert_eq!(theirs.challenge::<Fr>("after").to_decimal(), vector::AFTER);
}

#[test]
fn any_change_of_a_proof_is_refused() {
    let (statement, tables) = (Statement::product(3), products::<Fr>(3, 1));
    let proof = prove_on::<Bls12_381>(&statement, &tables).unwrap();
    let bytes = proof.to_bytes();
    assert_eq!(bytes.len(), 12 * 32);
    let refused = |bytes: &[u8], what: &str| {
        let bad = Proof::from_bytes(bytes, &statement).unwrap();
        let verdict = verify(&statement, &bad, &mut Transcript::new("test"));
        assert!(matches!(verdict, Err(VerifyError::Rejected)), "{what}: {verdict:?}");
    };
    for index in 0..12 {
        for bit in [0, 7, 100, 250] {
            let mut bad = bytes.clone();
            bad[32 * index + bit / 8] ^= 1 << (bit % 8);
            // With a flipped bit an element may be above the modulus; then decoding fails.
            match Proof::<Fr>::from_bytes(&bad, &statement) {
                Ok(_) => refused(&bad, &format!("bit {bit} of element {index}")),
                Err(why) => assert!(matches!(why, BytesError::Element { index: i, .. } if i == index)),
            }
        }
    }
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let mut bad = proof.clone();
        bad.sumcheck.rounds.swap(i, j);
        refused(&bad.to_bytes(), "transposed rounds");
        // Exchanging c with a or b breaks the product; exchanging a and b does not, and only the check against the tables finds it.
        let mut bad = proof.clone();
        bad.evaluations.swap(i, j);
        if j == 2 {
            refused(&bad.to_bytes(), "transposed evaluations");
        } else {
            let verdict = accept::<Bls12_381>(&statement, &bad, &tables);
            assert!(matches!(verdict, Err(VerifyError::Table { table: 0 })), "{verdict:?}");
        }
    }
}

#[test]
fn bytes_that_are_no_proof() {
    let (statement, tables) = (Statement::product(2), products::<Fr>(2, 2));
    let bytes = prove_on::<Bls12_381>(&statement, &tables).unwrap().to_bytes();
    let expected = 9 * 32;
    for found in (0..expected).chain([expected + 1, expected + 32]) {
        let bad: Vec<u8> = bytes.iter().copied().chain([0; 32]).take(found).collect();
        assert_eq!(Proof::from_bytes(&bad, &statement), Err(BytesError::Length { expected, found }));
    }
    // An element plus the modulus is the same residue and another encoding.
    let modulus = Fr::MODULUS;
    for index in 0..9 {
        let mut bad = bytes.clone();
        let mut carry = 0;
        for (limb, m) in bad[32 * index..32 * (index + 1)].chunks_exact_mut(8).zip(modulus) {
            let value = u64::from_le_bytes(limb.try_into().unwrap());
            limb.copy_from_slice(&pairwright_field::limbs::adc(value, m, &mut carry).to_le_bytes());
        }
        assert_eq!(carry, 0);
        let why = FieldError::NotReduced { field: Fr::NAME };
        assert_eq!(Proof::from_bytes(&bad, &statement), Err(BytesError::Element { index, why }));
    }
    let huge = Statement::<Fr>::product(usize::MAX / 3);
    assert!(matches!(Proof::from_bytes(&bytes, &huge), Err(BytesError::Shape { .. })));
}

#[test]
fn a_proof_is_of_its_statement_and_transcript() {
    let (statement, tables) = (Statement::product(3), products::<Fr>(3, 3));
    let proof = prove_on::<Bls12_381>(&statement, &tables).unwrap();
    let verdict = verify(&statement, &proof, &mut Transcript::new("toast"));
    assert!(matches!(verdict, Err(VerifyError::Rejected)), "another protocol");
    let mut committed = Transcript::new("test");
    committed.absorb("commitment", b"other tables");
    assert!(matches!(verify(&statement, &proof, &mut committed), Err(VerifyError::Rejected)));
    // The same polynomial, twice: another statement, whose tables' values fit as well.
    let mut twice = statement.clone();
    twice.expression.terms.iter_mut().for_each(|term| term.coefficient = term.coefficient + term.coefficient);
    let verdict = verify(&twice, &proof, &mut Transcript::new("test"));
    assert!(matches!(verdict, Err(VerifyError::Rejected)), "another expression");
    // Shapes.
    let verdict = verify(&Statement::product(4), &proof, &mut Transcript::new("test"));
    let rounds = sumcheck::VerifyError::Rounds { expected: 4, found: 3 };
    assert!(matches!(verdict, Err(VerifyError::Sumcheck(why)) if why == rounds));
    let mut bad = proof.clone();
    bad.evaluations.pop();
    let verdict = verify(&statement, &bad, &mut Transcript::new("test"));
    assert!(matches!(verdict, Err(VerifyError::Evaluations { expected: 3, found: 2 })));
    let mut bad = proof;
    bad.sumcheck.rounds[1].push(Fr::ONE);
    let verdict = verify(&statement, &bad, &mut Transcript::new("test"));
    let round = sumcheck::VerifyError::Round { round: 1, expected: 3, found: 4 };
    assert!(matches!(verdict, Err(VerifyError::Sumcheck(why)) if why == round));
}

/// A prover that cheats: it sends the true round polynomials of a false statement, for a claim that is not their sum.
fn cheat(statement: &Statement<Fr>, tables: &[Buf<Fr>]) -> Proof<Fr> {
    let mut transcript = Transcript::new("test");
    let r = statement.begin(&mut transcript);
    let mut all: Vec<Vec<Fr>> = tables.iter().map(|t| t.to_vec()).chain([mle::build_eq(&r)]).collect();
    let sum = statement.weighted();
    transcript.enter("sumcheck");
    transcript.absorb_u64("variables", statement.variables as u64);
    transcript.absorb_u64("degree", sum.degree() as u64);
    transcript.absorb_scalars("claim", &[Fr::ZERO]);
    let mut rounds = Vec::new();
    for _ in 0..statement.variables {
        let mut values = sum.round(&all);
        values.remove(1);
        transcript.absorb_scalars("round", &values);
        pairwright_poly::sumcheck::bind(&mut all, transcript.challenge("r"));
        rounds.push(values);
    }
    all.pop();
    Proof { sumcheck: SumcheckProof { rounds }, evaluations: all.iter().map(|t| t[0]).collect() }
}

#[test]
fn one_corner_is_enough_to_be_refused() {
    let (statement, good) = (Statement::product(3), products::<Fr>(3, 4));
    // For a true statement the cheating prover gives the honest proof.
    assert_eq!(cheat(&statement, &good), prove_on::<Bls12_381>(&statement, &good).unwrap());
    for corner in 0..8 {
        let mut tables = good.clone();
        tables[2][corner] += Fr::ONE;
        let honest = prove_on::<Bls12_381>(&statement, &tables);
        assert!(matches!(honest, Err(ProveError::DoesNotVanish)), "corner {corner}");
        let mut proof = cheat(&statement, &tables);
        let verdict = accept::<Bls12_381>(&statement, &proof, &tables);
        assert!(matches!(verdict, Err(VerifyError::Rejected)), "corner {corner}: {verdict:?}");
        // Evaluations that fit the last claim are false, which the check against the tables finds.
        let r = statement.begin(&mut Transcript::new("test"));
        let mut transcript = Transcript::new("test");
        statement.begin(&mut transcript);
        let left = sumcheck::verify(&proof.sumcheck, Fr::ZERO, 3, 3, &mut transcript).unwrap();
        let eq = mle::mle_eval(&mle::build_eq(&r), &left.point);
        let [a, b, _] = proof.evaluations[..] else { panic!("three tables") };
        proof.evaluations[2] = a * b - left.value * eq.invert().unwrap();
        let claims = verify(&statement, &proof, &mut Transcript::new("test")).unwrap();
        assert_eq!(claims.point, left.point);
        let verdict = accept::<Bls12_381>(&statement, &proof, &tables);
        assert!(matches!(verdict, Err(VerifyError::Table { table: 2 })), "corner {corner}: {verdict:?}");
    }
}

#[test]
fn a_sum_of_zero_is_not_enough() {
    let statement = Statement { variables: 2, expression: SumOfProducts::product(1) };
    let tables: Tables = vec![[1, 2, 3, 6].map(Fr::from).to_vec().into()];
    let mut tables = tables;
    tables[0][3] = -tables[0][3];
    let device = reference::board::<Bls12_381>();
    let mut on = Session::new(&device);
    let sum = &statement.expression;
    sumcheck::prove(&mut on, sum, tables.clone(), Fr::ZERO, &mut Transcript::new("test")).unwrap();
    assert!(matches!(prove_on::<Bls12_381>(&statement, &tables), Err(ProveError::DoesNotVanish)));
    let verdict = accept::<Bls12_381>(&statement, &cheat(&statement, &tables), &tables);
    assert!(matches!(verdict, Err(VerifyError::Rejected)), "{verdict:?}");
}

#[test]
fn without_variables_the_value_itself_is_checked() {
    let statement = Statement::<Fr>::product(0);
    let table = |x: u64| Buf::from(vec![Fr::from(x)]);
    let tables = [table(6), table(7), table(42)];
    let proof = prove_on::<Bls12_381>(&statement, &tables).unwrap();
    assert_eq!((proof.sumcheck.rounds.len(), &proof.evaluations[..]), (0, &[6, 7, 42].map(Fr::from)[..]));
    accept::<Bls12_381>(&statement, &proof, &tables).unwrap();
    let wrong = [table(6), table(7), table(43)];
    assert!(matches!(prove_on::<Bls12_381>(&statement, &wrong), Err(ProveError::DoesNotVanish)));
    let verdict = accept::<Bls12_381>(&statement, &cheat(&statement, &wrong), &wrong);
    assert!(matches!(verdict, Err(VerifyError::Rejected)));
}

#[test]
fn tables_that_do_not_fit() {
    let (statement, tables) = (Statement::product(2), products::<Fr>(2, 5));
    let refused =
        |statement: &Statement<Fr>, tables: &[Buf<Fr>]| prove_on::<Bls12_381>(statement, tables).unwrap_err();
    assert!(matches!(refused(&statement, &tables[..2]), ProveError::Tables { expected: 3, found: 2 }));
    assert!(matches!(
        refused(&Statement::product(3), &tables),
        ProveError::Device(DeviceError::LengthMismatch { left: 8, right: 4, .. })
    ));
    assert!(matches!(
        refused(&Statement::product(64), &tables),
        ProveError::Device(DeviceError::TooLarge { .. })
    ));
    let proof = prove_on::<Bls12_381>(&statement, &tables).unwrap();
    let verdict = accept::<Bls12_381>(&statement, &proof, &tables[..2]);
    assert!(matches!(verdict, Err(VerifyError::Evaluations { expected: 3, found: 2 })));
    let verdict = accept::<Bls12_381>(&statement, &proof, &products(3, 5));
    assert!(matches!(verdict, Err(VerifyError::Device(DeviceError::LengthMismatch { .. }))));
}
