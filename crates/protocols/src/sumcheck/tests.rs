//! Tests sumchecks of random sums on the reference board against the definition, and the inputs that must be refused.

use super::*;
use crate::transcript::Transcript;
use pairwright_curve::Pairing;
use pairwright_curve::{bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::reference::Reference;
use pairwright_device::{Device, DeviceError, Done, Session, SumcheckOp, reference};
use pairwright_field::{Field, FieldError, PrimeField, Ring};
use pairwright_poly::{Buf, SumOfProducts, Term};
use rand_chacha::ChaCha20Rng;
use rand_core::{Rng, SeedableRng};
use std::sync::Arc;

type Fr = <Bls12_381 as Pairing>::Fr;

/// Random tables, and a random sum of one to four terms of one to four tables each, repeated ones among them.
pub(crate) fn random<F: PrimeField>(
    variables: usize,
    rng: &mut ChaCha20Rng,
) -> (SumOfProducts<F>, Vec<Buf<F>>) {
    let mut below = |n: u32| (rng.next_u32() % n) as usize;
    let count = 1 + below(4);
    let mut terms: Vec<Vec<usize>> = Vec::new();
    for _ in 0..1 + below(4) {
        terms.push((0..1 + below(4)).map(|_| below(count as u32)).collect());
    }
    // Every table occurs in a term.
    terms.push(vec![count - 1]);
    let terms = terms.into_iter().map(|tables| Term { coefficient: F::random(rng), tables }).collect();
    let tables = (0..count).map(|_| (0..1 << variables).map(|_| F::random(rng)).collect()).collect();
    (SumOfProducts { terms }, tables)
}

/// The multilinear extension by its definition: `Σ_b table[b]·∏ (b_i ? x_i : 1 - x_i)`.
fn extension<F: PrimeField>(table: &[F], x: &[F]) -> F {
    let weight = |corner: usize| {
        x.iter().enumerate().fold(F::ONE, |w, (i, x)| w * if corner >> i & 1 == 1 { *x } else { F::ONE - *x })
    };
    table.iter().enumerate().fold(F::ZERO, |sum, (corner, value)| sum + *value * weight(corner))
}

/// The summed polynomial at a point, by its definition.
fn at<F: PrimeField>(sum: &SumOfProducts<F>, tables: &[Buf<F>], x: &[F]) -> F {
    sum.at(&tables.iter().map(|table| extension(table, x)).collect::<Vec<_>>())
}

fn complete<E: Pairing>(seed: u64) {
    let device = reference::board::<E>();
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    for variables in 0..=8 {
        let (sum, tables) = random::<E::Fr>(variables, &mut rng);
        let claim = sum.sum(&tables);
        let (mut theirs, mut ours) = (Transcript::new("test"), Transcript::new("test"));
        let reduced = prove(&mut Session::new(&device), &sum, tables.clone(), claim, &mut theirs).unwrap();
        let bytes = reduced.proof.to_bytes();
        assert_eq!(bytes.len(), variables * sum.degree() * 32);
        let proof = SumcheckProof::from_bytes(&bytes, variables, sum.degree()).unwrap();
        assert_eq!(proof, reduced.proof);
        let left = verify(&proof, claim, variables, sum.degree(), &mut ours).unwrap();
        assert_eq!(left.point, reduced.point);
        assert_eq!(left.value, at(&sum, &tables, &left.point), "{variables} variables");
        let by_definition = tables.iter().map(|table| extension(table, &left.point));
        assert_eq!(reduced.values, by_definition.collect::<Vec<_>>());
        let after = (theirs.challenge::<E::Fr>("x"), ours.challenge::<E::Fr>("x"));
        assert_eq!(after.0, after.1, "both have absorbed the same");
    }
}

#[test]
fn true_claims_pass() {
    complete::<Bls12_381>(1);
    complete::<Bn254>(2);
}

/// Compares each value with `g_i(t) = Σ_b f(r_1, …, r_{i-1}, t, b)`.
#[test]
fn round_polynomials_are_the_definition() {
    let device = reference::board::<Bls12_381>();
    let (variables, mut rng) = (4, ChaCha20Rng::seed_from_u64(3));
    let (sum, tables) = random::<Fr>(variables, &mut rng);
    let claim = sum.sum(&tables);
    let reduced =
        prove(&mut Session::new(&device), &sum, tables.clone(), claim, &mut Transcript::new("test")).unwrap();
    for (i, sent) in reduced.proof.rounds.iter().enumerate() {
        let nodes = [0].into_iter().chain(2..=sum.degree() as u64);
        for (node, sent) in nodes.zip(sent) {
            let left = variables - i - 1;
            let corners = (0..1usize << left).map(|b| {
                let rest = (0..left).map(|k| Fr::from((b >> k & 1) as u64));
                let head = reduced.point[..i].iter().copied().chain([Fr::from(node)]);
                at(&sum, &tables, &head.chain(rest).collect::<Vec<_>>())
            });
            assert_eq!(*sent, corners.fold(Fr::ZERO, |s, x| s + x), "round {i} at {node}");
        }
    }
}

/// A proof of three variables and degree three, with its claim.
fn example() -> (SumOfProducts<Fr>, Vec<Buf<Fr>>, Fr, SumcheckProof<Fr>) {
    let mut rng = ChaCha20Rng::seed_from_u64(4);
    let tables: Vec<Buf<Fr>> = (0..3).map(|_| (0..8).map(|_| Fr::random(&mut rng)).collect()).collect();
    let sum = SumOfProducts::product(3);
    let claim = sum.sum(&tables);
    let device = reference::board::<Bls12_381>();
    let mut on = Session::new(&device);
    let reduced = prove(&mut on, &sum, tables.clone(), claim, &mut Transcript::new("test")).unwrap();
    (sum, tables, claim, reduced.proof)
}

#[test]
fn a_changed_proof_or_claim_leaves_a_false_subclaim() {
    let (sum, tables, claim, proof) = example();
    let holds = |proof: &SumcheckProof<Fr>, claim, label| {
        let left = verify(proof, claim, 3, 3, &mut Transcript::new(label)).unwrap();
        left.value == at(&sum, &tables, &left.point)
    };
    assert!(holds(&proof, claim, "test"));
    assert!(!holds(&proof, claim, "toast"), "another transcript");
    assert!(!holds(&proof, claim + Fr::ONE, "test"), "another claim");
    for (round, value) in (0..9).map(|i| (i / 3, i % 3)) {
        for change in [Fr::ONE, proof.rounds[round][value].double()] {
            let mut bad = proof.clone();
            bad.rounds[round][value] -= change;
            assert!(!holds(&bad, claim, "test"), "value {value} of round {round}");
        }
    }
    for (i, j) in [(0, 1), (0, 2), (1, 2)] {
        let mut bad = proof.clone();
        bad.rounds.swap(i, j);
        assert!(!holds(&bad, claim, "test"), "rounds {i} and {j}");
        bad = proof.clone();
        bad.rounds[0].swap(i, j);
        assert!(!holds(&bad, claim, "test"), "values {i} and {j}");
    }
}

#[test]
fn shapes_are_checked_before_use() {
    let (_, _, claim, proof) = example();
    let refused = |proof: &SumcheckProof<Fr>, variables, degree| {
        verify(proof, claim, variables, degree, &mut Transcript::new("test")).unwrap_err()
    };
    assert_eq!(refused(&proof, 4, 3), VerifyError::Rounds { expected: 4, found: 3 });
    assert_eq!(refused(&proof, 0, 3), VerifyError::Rounds { expected: 0, found: 3 });
    assert_eq!(refused(&proof, 3, 2), VerifyError::Round { round: 0, expected: 2, found: 3 });
    assert_eq!(refused(&proof, 3, 0), VerifyError::Degree { degree: 0 });
    assert_eq!(refused(&proof, 3, 256), VerifyError::Degree { degree: 256 });
    for round in 0..3 {
        let mut bad = proof.clone();
        bad.rounds[round].pop();
        assert_eq!(refused(&bad, 3, 3), VerifyError::Round { round, expected: 3, found: 2 });
        bad.rounds[round].clear();
        assert_eq!(refused(&bad, 3, 3), VerifyError::Round { round, expected: 3, found: 0 });
        bad.rounds[round] = vec![Fr::ONE; 4];
        assert_eq!(refused(&bad, 3, 3), VerifyError::Round { round, expected: 3, found: 4 });
    }
}

#[test]
fn bytes_that_are_no_proof() {
    let (_, _, _, proof) = example();
    let bytes = proof.to_bytes();
    let read = |bytes: &[u8], variables, degree| SumcheckProof::<Fr>::from_bytes(bytes, variables, degree);
    for len in 0..bytes.len() {
        assert_eq!(read(&bytes[..len], 3, 3), Err(BytesError::Length { expected: 288, found: len }));
    }
    assert_eq!(
        read(&[&bytes[..], &[0]].concat(), 3, 3),
        Err(BytesError::Length { expected: 288, found: 289 })
    );
    assert_eq!(read(&bytes, usize::MAX, 2), Err(BytesError::Shape { variables: usize::MAX, values: 2 }));
    assert_eq!(read(&[], 3, 0), Err(BytesError::Shape { variables: 3, values: 0 }));
    assert!(matches!(read(&bytes, usize::MAX / 3, 3), Err(BytesError::Shape { .. })));
    for index in 0..9 {
        let mut bad = bytes.clone();
        bad[32 * index..32 * (index + 1)].fill(0xff);
        let why = FieldError::NotReduced { field: Fr::NAME };
        assert_eq!(read(&bad, 3, 3), Err(BytesError::Element { index, why }));
    }
    assert_eq!(read(&[], 0, 3), Ok(SumcheckProof { rounds: Vec::new() }));
}

fn prove_on(
    device: &Device<Bls12_381>,
    sum: &SumOfProducts<Fr>,
    tables: Vec<Buf<Fr>>,
    claim: Fr,
) -> Result<Reduced<Fr>, ProveError> {
    prove(&mut Session::new(device), sum, tables, claim, &mut Transcript::new("test"))
}

#[test]
fn what_cannot_be_proved() {
    let device = reference::board::<Bls12_381>();
    let (sum, tables, claim, _) = example();
    let refused = |sum, tables, claim| prove_on(&device, sum, tables, claim).unwrap_err();
    assert!(matches!(refused(&sum, tables.clone(), claim + Fr::ONE), ProveError::Claim));
    let corner = |k: usize| Buf::from(vec![tables[k][0]]);
    let constant = vec![corner(0), corner(1), corner(2)];
    assert!(matches!(refused(&sum, constant, claim), ProveError::Claim), "without variables");
    assert!(matches!(
        refused(&sum, tables[..2].to_vec(), claim),
        ProveError::Device(DeviceError::MissingTable { wanted: 3, given: 2, .. })
    ));
    let uneven = vec![tables[0].clone(), tables[1].clone(), corner(2)];
    assert!(matches!(
        refused(&sum, uneven, claim),
        ProveError::Device(DeviceError::LengthMismatch { left: 8, right: 1, .. })
    ));
    let three: Vec<Buf<Fr>> = (0..3).map(|_| vec![Fr::ONE; 3].into()).collect();
    assert!(matches!(refused(&sum, three, claim), ProveError::Device(DeviceError::NotATree { len: 3, .. })));
    let none = SumOfProducts { terms: vec![Term { coefficient: Fr::ONE, tables: Vec::new() }] };
    assert!(matches!(
        refused(&none, tables.clone(), Fr::from(8)),
        ProveError::Shape(VerifyError::Degree { degree: 0 })
    ));
}

/// A device that computes wrongly for tables of one length.
struct Liar(usize);

impl SumcheckOp<Fr> for Liar {
    fn round(&self, sum: &SumOfProducts<Fr>, tables: &[Buf<Fr>]) -> Done<Vec<Fr>> {
        let (mut values, cost) = Reference.round(sum, tables)?;
        if tables[0].len() == self.0 {
            values[0] += Fr::ONE;
        }
        Ok((values, cost))
    }
    fn bind(&self, tables: &mut [Buf<Fr>], r: &Fr) -> Done<()> {
        let done = Reference.bind(tables, r)?;
        if self.0 == 1 && tables[0].len() == 1 {
            tables[0][0] += Fr::ONE;
        }
        Ok(done)
    }
}

#[test]
fn a_device_that_errs_is_found_out() {
    let (sum, tables, claim, _) = example();
    for (length, wrong) in [(4, 1), (2, 2), (1, 3)] {
        let device = reference::board::<Bls12_381>().with_sumcheck(Arc::new(Liar(length)));
        let said = prove_on(&device, &sum, tables.clone(), claim).unwrap_err();
        assert!(matches!(said, ProveError::Inconsistent { round } if round == wrong), "{said}");
    }
}
