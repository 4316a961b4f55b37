//! Groth16 verification on the modelled machine: its verdicts equal the host's, on valid and invalid proofs.

use pairwright_chip::MachineSpec;
use pairwright_chip::compiler::{CompileError, Options};
use pairwright_chip_programs::groth16::{self, Division, Key, LoadError};
use pairwright_chip_programs::{Chain, product};
use pairwright_curve::bls12_381::{Bls12_381, Fq, Fr, G1, G2};
use pairwright_curve::encoding::ZcashCompressed;
use pairwright_curve::{Affine, Curve, Jacobian, Pairing, PointEncoding, PointError, Projective};
use pairwright_field::{Field, Sqrt};
use rand_chacha::ChaCha8Rng;
use rand_core::SeedableRng;

const STEPS: u64 = 200_000;

fn quick() -> Options {
    Options { seeds: 4, ..Options::default() }
}

/// A key and a proof that satisfy the equation, constructed from known discrete logarithms.
struct Made {
    key: Key,
    public: Vec<Fr>,
    a: Affine<G1>,
    b: Affine<G2>,
    c: Affine<G1>,
}

fn made(public: usize, rng: &mut ChaCha8Rng) -> Made {
    let g = |k: Fr| Projective::<G1>::generator().mul(&k).to_affine();
    let h = |k: Fr| Projective::<G2>::generator().mul(&k).to_affine();
    let mut draw = || Fr::random(rng);
    let [alpha, beta, gamma, delta, a, b] = [(); 6].map(|()| draw());
    let ic: Vec<Fr> = (0..=public).map(|_| draw()).collect();
    let public: Vec<Fr> = (0..public).map(|_| draw()).collect();
    let sum = public.iter().zip(&ic[1..]).fold(ic[0], |acc, (x, l)| acc + *x * *l);
    // a·b = alpha·beta + sum·gamma + c·delta.
    let c = (a * b - alpha * beta - sum * gamma) * delta.invert().unwrap();
    let key = Key::new(&g(alpha), &h(beta), h(gamma), h(delta), ic.into_iter().map(g).collect());
    Made { key, public, a: g(a), b: h(b), c: g(c) }
}

fn bytes(a: &Affine<G1>, b: &Affine<G2>, c: &Affine<G1>) -> Vec<u8> {
    [ZcashCompressed::to_vec(a), ZcashCompressed::to_vec(b), ZcashCompressed::to_vec(c)].concat()
}

/// The host's verdict: every point is on its curve and in its subgroup, and the equation holds.
fn host(key: &Key, public: &[Fr], proof: &[u8]) -> bool {
    let points = (
        ZcashCompressed::read::<G1>(&proof[..48]),
        ZcashCompressed::read::<G2>(&proof[48..144]),
        ZcashCompressed::read::<G1>(&proof[144..]),
    );
    let (Ok(a), Ok(b), Ok(c)) = points else { return false };
    let sum: Jacobian<G1> =
        public.iter().zip(&key.ic[1..]).map(|(x, l)| l.to_jacobian().mul_vartime(x)).sum();
    let ic = sum.add_mixed(&key.ic[0]).to_affine();
    Bls12_381::multi_pairing(&[(-a, b), (ic, key.gamma), (c, key.delta)]) == key.closing
}

fn verdict(chain: &Chain<Fq>, key: &Key, public: &[Fr], proof: &[u8]) -> bool {
    let bank = chain.interpret(&groth16::inputs(key, public, proof).unwrap(), STEPS).unwrap();
    product::verdict(&bank).is_ok()
}

/// A point of the curve outside the subgroup.
fn outside<C: Curve>(rng: &mut ChaCha8Rng) -> Affine<C> {
    loop {
        let x = C::Base::random(rng);
        let Some(y) = (x * x * x + C::B).sqrt_vartime() else { continue };
        let p = Affine::from_xy_unchecked(x, y);
        if !p.is_in_subgroup_vartime() {
            return p;
        }
    }
}

/// An x-coordinate for which the curve has no point.
fn off_curve<C: Curve>(rng: &mut ChaCha8Rng) -> Affine<C> {
    loop {
        let x = C::Base::random(rng);
        if (x * x * x + C::B).sqrt_vartime().is_none() {
            return Affine::from_xy_unchecked(x, C::Base::ONE);
        }
    }
}

#[test]
fn verdicts_are_the_hosts() {
    let mut rng = ChaCha8Rng::seed_from_u64(41);
    let specs = [(MachineSpec::paper(), Division::Shared), (MachineSpec::best(), Division::Full)];
    let chains =
        specs.map(|(spec, division)| groth16::verification_vartime(2, division, &spec, &quick()).unwrap());
    let Made { key, public, a, b, c } = made(2, &mut rng);
    let good = bytes(&a, &b, &c);
    let mut other_sign = good.clone();
    other_sign[48] ^= 0x20;
    let infinite = Affine::INFINITY;
    let proofs = [
        good.clone(),
        bytes(&-a, &-b, &c),
        bytes(&-a, &b, &c),
        other_sign,
        bytes(&infinite, &b, &c),
        bytes(&a, &Affine::INFINITY, &c),
        bytes(&infinite, &Affine::INFINITY, &infinite),
        bytes(&outside::<G1>(&mut rng), &b, &c),
        bytes(&a, &outside::<G2>(&mut rng), &c),
        bytes(&a, &b, &outside::<G1>(&mut rng)),
        bytes(&off_curve::<G1>(&mut rng), &b, &c),
        bytes(&a, &off_curve::<G2>(&mut rng), &c),
        bytes(&a, &b, &off_curve::<G1>(&mut rng)),
    ];
    for chain in &chains {
        for (i, proof) in proofs.iter().enumerate() {
            let expected = host(&key, &public, proof);
            assert_eq!(expected, i < 2, "the host on proof {i}");
            assert_eq!(verdict(chain, &key, &public, proof), expected, "proof {i}");
        }
        let mut wrong = public.clone();
        wrong[1] += Fr::ONE;
        assert!(!verdict(chain, &key, &wrong, &good));
    }
}

#[test]
fn keys_of_any_size_up_to_the_limit() {
    let mut rng = ChaCha8Rng::seed_from_u64(42);
    for n in [0, 1, groth16::MOST] {
        let chain =
            groth16::verification_vartime(n, Division::Shared, &MachineSpec::paper(), &quick()).unwrap();
        let Made { key, public, a, b, c } = made(n, &mut rng);
        assert!(verdict(&chain, &key, &public, &bytes(&a, &b, &c)), "{n} values");
        assert!(!verdict(&chain, &key, &public, &bytes(&a, &b, &-c)), "{n} values");
    }
    let chain =
        groth16::verification_vartime(groth16::MOST, Division::Shared, &MachineSpec::paper(), &quick());
    assert!(chain.unwrap().global_rows() + 4 > 256, "no room for another value");
    let more = groth16::MOST + 1;
    let refused = groth16::verification_vartime(more, Division::Shared, &MachineSpec::paper(), &quick());
    assert!(matches!(refused, Err(CompileError::Count { most: groth16::MOST, .. })));
}

#[test]
fn what_is_no_encoding_is_refused_before_the_machine_runs() {
    let mut rng = ChaCha8Rng::seed_from_u64(43);
    let Made { key, public, a, b, c } = made(1, &mut rng);
    let good = bytes(&a, &b, &c);
    let with = |at: usize, byte: u8| {
        let mut proof = good.clone();
        proof[at] = byte;
        groth16::inputs(&key, &public, &proof).unwrap_err()
    };
    assert_eq!(with(0, 0x1f), LoadError::Point(PointError::Flags { curve: G1::NAME, found: 0 }));
    assert_eq!(with(48, 0xe0), LoadError::Point(PointError::Flags { curve: G2::NAME, found: 0xe0 }));
    assert_eq!(with(144, 0xc0), LoadError::Point(PointError::InfinityNotZero { curve: G1::NAME }));
    assert_eq!(with(48, 0x9f), LoadError::Point(PointError::NotReduced { curve: G2::NAME, index: 0 }));
    assert_eq!(groth16::inputs(&key, &public, &good[1..]).unwrap_err(), LoadError::Length(191));
    let count = groth16::inputs(&key, &[], &good).unwrap_err();
    assert_eq!(count, LoadError::PublicCount { expected: 1, found: 0 });
}
