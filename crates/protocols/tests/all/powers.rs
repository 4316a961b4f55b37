//! Compares the setup from powers of tau with the setup with known secrets, element by element, and tests the refusal of wrong powers.

use crate::common::as_planned;
use pairwright_curve::{
    Affine, Curve, G1Affine, G2Affine, Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254,
};
use pairwright_device::{Device, Session, reference};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Buf, Domain, Source, plain};
use pairwright_protocols::groth16::{
    ContributeError, LagrangePoints, PowersFault, PowersOfTau, ProvingKey, SetupError, contribute,
    contribution_plan, prove, setup_from_powers, setup_local, verify, verify_with_unsafe_key,
};
use pairwright_protocols::r1cs::{Constraint, ConstraintSource, R1cs, Shape};
use pairwright_testkit::circuits::{chain, chain_witness};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;

fn rng(seed: u64) -> ChaCha20Rng {
    ChaCha20Rng::seed_from_u64(seed)
}

/// A ceremony with a known outcome.
#[derive(Clone)]
struct Ceremony<E: Pairing> {
    power: u32,
    tau_g1: Vec<G1Affine<E>>,
    tau_g2: Vec<G2Affine<E>>,
    alpha: Vec<G1Affine<E>>,
    beta: Vec<G1Affine<E>>,
    beta_g2: G2Affine<E>,
    lagrange: Option<Prepared<E>>,
}

#[derive(Clone)]
struct Prepared<E: Pairing> {
    tau_g1: Vec<G1Affine<E>>,
    tau_g2: Vec<G2Affine<E>>,
    alpha: Vec<G1Affine<E>>,
    beta: Vec<G1Affine<E>>,
}

fn times<C: Curve>(scalars: &[C::Scalar]) -> Vec<Affine<C>> {
    scalars.iter().map(|k| Affine::<C>::generator().to_jacobian().mul_vartime(k).to_affine()).collect()
}

/// Computes `scale·L_i(τ)` for every domain of up to `2^top` points by inverse transforms of the powers. The last power of the last
/// domain is replaced by zero if the ceremony does not have it.
fn lagrange<F: PrimeField>(powers: &[F], scale: F, top: u32) -> Vec<F> {
    let mut all = Vec::new();
    for k in 0..=top {
        let domain = Domain::<F>::new(k).unwrap();
        let mut level = powers[..powers.len().min(1 << k)].to_vec();
        level.resize(1 << k, F::ZERO);
        plain::intt(&domain, &mut level);
        all.extend(level.iter().map(|x| scale * *x));
    }
    all
}

impl<E: Pairing> Ceremony<E> {
    fn new(power: u32, tau: E::Fr, alpha: E::Fr, beta: E::Fr) -> Self {
        let n = 1 << power;
        let powers: Vec<E::Fr> =
            core::iter::successors(Some(E::Fr::ONE), |x| Some(*x * tau)).take(2 * n - 1).collect();
        let by = |k: E::Fr| powers[..n].iter().map(|x| k * *x).collect::<Vec<_>>();
        let low = &powers[..n];
        Self {
            power,
            tau_g1: times(&powers),
            tau_g2: times(low),
            alpha: times(&by(alpha)),
            beta: times(&by(beta)),
            beta_g2: times(&[beta])[0],
            lagrange: Some(Prepared {
                tau_g1: times(&lagrange(&powers, E::Fr::ONE, power + 1)),
                tau_g2: times(&lagrange(low, E::Fr::ONE, power)),
                alpha: times(&lagrange(low, alpha, power)),
                beta: times(&lagrange(low, beta, power)),
            }),
        }
    }
    fn raw(&self) -> Self {
        Self { lagrange: None, ..self.clone() }
    }
}

impl<E: Pairing> PowersOfTau<E> for Ceremony<E> {
    fn power(&self) -> u32 {
        self.power
    }
    fn tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.tau_g1
    }
    fn tau_g2(&self) -> &dyn Source<G2Affine<E>> {
        &self.tau_g2
    }
    fn alpha_tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.alpha
    }
    fn beta_tau_g1(&self) -> &dyn Source<G1Affine<E>> {
        &self.beta
    }
    fn beta_g2(&self) -> G2Affine<E> {
        self.beta_g2
    }
    fn lagrange(&self) -> Option<LagrangePoints<'_, E>> {
        let p = self.lagrange.as_ref()?;
        Some(LagrangePoints {
            tau_g1: &p.tau_g1,
            tau_g2: &p.tau_g2,
            alpha_tau_g1: &p.alpha,
            beta_tau_g1: &p.beta,
        })
    }
}

fn all<T>(source: &dyn Source<T>) -> Vec<T> {
    let mut out = Vec::new();
    source.read(0..source.len(), &mut out).unwrap();
    out
}

fn scaled<C: Curve>(points: &[Affine<C>], k: C::Scalar) -> Vec<Affine<C>> {
    points.iter().map(|p| p.to_jacobian().mul_vartime(&k).to_affine()).collect()
}

/// The chain, and a constraint with every kind of coefficient on additional wires.
fn system<F: PrimeField>(steps: usize) -> (R1cs<F>, Vec<F>) {
    let plain = chain::<F>(steps);
    let mut shape = plain.shape();
    let mut constraints = Vec::new();
    plain
        .visit(&mut |_, k| {
            constraints.push(k.clone());
            core::ops::ControlFlow::Continue(())
        })
        .unwrap();
    let w = shape.wires as u32;
    let big = F::random(&mut rng(77));
    constraints.push(Constraint {
        a: vec![(0, -F::from(300)), (w, F::ONE), (w, -F::from(2)), (0, big)],
        b: vec![(w, big), (w + 1, -big), (w + 1, F::ZERO)],
        c: vec![],
    });
    shape.wires += 3;
    let mut witness = chain_witness(steps, F::from(3));
    // (big - 300 - x)·(big·x - big·y) = 0 with x = y; the third new wire is in no constraint.
    witness.extend([F::from(11), F::from(11), F::from(99)]);
    (R1cs::new(Shape { ..shape }, constraints).unwrap(), witness)
}

/// The five secrets that `setup_local` draws, in its order.
fn secrets<F: PrimeField>(seed: u64) -> [F; 5] {
    let mut r = rng(seed);
    [(); 5].map(|()| F::random(&mut r))
}

fn from_powers<E: Pairing>(
    device: &Device<E>,
    system: &R1cs<E::Fr>,
    powers: &Ceremony<E>,
) -> Result<ProvingKey<E>, SetupError> {
    setup_from_powers(&mut Session::new(device), system, powers, &mut rng(50))
}

fn equals_known_secrets<E: Pairing>() {
    let device = reference::board::<E>();
    // 5 + 1 constraints and 2 rows: a domain of 8 exactly; in a ceremony of its own power, and of a larger one.
    let (system, witness) = system::<E::Fr>(5);
    let [tau, alpha, beta, gamma, delta] = secrets::<E::Fr>(6);
    let local = as_planned(&device, |on| setup_local(on, &system, &mut rng(6))).unwrap();
    for power in [3, 5] {
        let ceremony = Ceremony::<E>::new(power, tau, alpha, beta);
        let planned = |powers: &Ceremony<E>| {
            as_planned(&device, |on| setup_from_powers(on, &system, powers, &mut rng(50))).unwrap()
        };
        let key = planned(&ceremony);
        assert_eq!(key.domain, local.domain);
        assert_eq!((key.vk.alpha_g1, key.vk.beta_g2), (local.vk.alpha_g1, local.vk.beta_g2));
        assert_eq!(key.beta_g1, local.beta_g1);
        assert_eq!((key.vk.gamma_g2, key.vk.delta_g2), (Affine::generator(), Affine::generator()));
        assert_eq!(key.delta_g1, Affine::generator());
        assert_eq!(all(key.a.as_ref()), all(local.a.as_ref()));
        assert_eq!(all(key.b_g1.as_ref()), all(local.b_g1.as_ref()));
        assert_eq!(all(key.b_g2.as_ref()), all(local.b_g2.as_ref()));
        assert_eq!(key.vk.ic, scaled(&local.vk.ic, gamma));
        assert_eq!(all(key.c.as_ref()), scaled(&all(local.c.as_ref()), delta));
        let mut entries = [Vec::new(), Vec::new()];
        for (out, k) in entries.iter_mut().zip([&key, &local]) {
            k.coefficients.read(0..k.coefficients.len(), &mut |e| out.push(e)).unwrap();
        }
        assert_eq!(entries[0], entries[1]);
        // In a ceremony of exactly the circuit's power the coefficient of X^15 in L_{2i+1}, v^(2i+1)/16, is lost.
        let n = key.domain.size();
        let v = Domain::<E::Fr>::new(4).unwrap().root();
        let lost = if power == 3 { tau.pow_vartime(&[2 * n as u64 - 1]) } else { E::Fr::ZERO };
        let sixteenth = E::Fr::from(16).invert().unwrap();
        let lost: Vec<E::Fr> =
            (0..n).map(|i| lost * sixteenth * v.pow_vartime(&[2 * i as u64 + 1])).collect();
        let exact = scaled(&all(local.h.as_ref()), delta);
        let sum: Vec<_> = all(key.h.as_ref())
            .iter()
            .zip(times::<E::G1>(&lost))
            .map(|(p, q)| p.to_jacobian().add_mixed(&q).to_affine())
            .collect();
        assert_eq!(sum, exact);

        let raw = planned(&ceremony.raw());
        assert_eq!(raw.vk, key.vk);
        assert_eq!(all(raw.a.as_ref()), all(key.a.as_ref()));
        assert_eq!(all(raw.b_g1.as_ref()), all(key.b_g1.as_ref()));
        assert_eq!(all(raw.b_g2.as_ref()), all(key.b_g2.as_ref()));
        assert_eq!(all(raw.c.as_ref()), all(key.c.as_ref()));
        assert_eq!(all(raw.h.as_ref()), all(key.h.as_ref()));

        // The initial key and the key after a contribution both give valid proofs, which are not valid for the other key.
        let public = witness[1..2].to_vec();
        let w = Buf::from(witness.clone());
        let mut on = Session::new(&device);
        let before = prove(&mut on, &raw, &w, &mut rng(1)).unwrap();
        verify_with_unsafe_key(&mut on, &raw.vk, &public, &before).unwrap();
        assert!(matches!(contribute(&mut on, raw, &E::Fr::ZERO), Err(ContributeError::Zero)));
        let after = as_planned(&device, |on| {
            on.plan(|| contribution_plan::<E::Fr>(&system.shape()));
            contribute(on, key, &delta).unwrap()
        });
        assert_eq!((after.delta_g1, after.vk.delta_g2), (local.delta_g1, local.vk.delta_g2));
        assert_eq!(all(after.c.as_ref()), all(local.c.as_ref()));
        let proof = prove(&mut on, &after, &w, &mut rng(1)).unwrap();
        verify(&mut on, &after.vk, &public, &proof).unwrap();
        assert!(verify(&mut on, &after.vk, &public, &before).is_err());
    }
}

/// A change to a ceremony, and the fault with which it must be refused.
type Spoil<E> = (fn(&mut Ceremony<E>), PowersFault);

fn spoilt_powers_are_named<E: Pairing>() {
    let device = reference::board::<E>();
    let (system, _) = system::<E::Fr>(5);
    let [tau, alpha, beta, ..] = secrets::<E::Fr>(8);
    let good = Ceremony::<E>::new(4, tau, alpha, beta);
    from_powers(&device, &system, &good).unwrap();
    let not_powers = |part| PowersFault::NotPowers { part };
    let not_lagrange = |part| PowersFault::NotLagrange { part };
    // The setup uses 16 points of tauG1 and 8 of the other lists; the Lagrange points 7..15, and the even ones of 15..31 for the double
    // domain.
    let cases: Vec<Spoil<E>> = vec![
        (|c| c.tau_g1.truncate(14), PowersFault::Short { part: "tauG1", expected: 15, found: 14 }),
        (|c| c.tau_g1[9].x = c.tau_g1[9].y, PowersFault::BadPoint { part: "tauG1", index: 9 }),
        (|c| c.alpha[3] = Affine::INFINITY, PowersFault::BadPoint { part: "alphaTauG1", index: 3 }),
        (|c| c.tau_g1[0] = c.tau_g1[1], PowersFault::NotGenerator { part: "tauG1" }),
        (|c| c.tau_g2[0] = c.tau_g2[1], PowersFault::NotGenerator { part: "tauG2" }),
        (|c| c.tau_g1.swap(3, 4), not_powers("tauG1")),
        (|c| c.tau_g1[15] = c.tau_g1[14], not_powers("tauG1")),
        (|c| c.tau_g2.swap(2, 7), not_powers("tauG2")),
        (|c| c.alpha.swap(6, 7), not_powers("alphaTauG1")),
        (|c| c.beta[5] = c.alpha[5], not_powers("betaTauG1")),
        (|c| c.beta_g2 = c.tau_g2[1], PowersFault::BetaDiffers),
        (|c| c.lagrange.as_mut().unwrap().tau_g1.swap(7, 14), not_lagrange("lagrange tauG1")),
        (|c| c.lagrange.as_mut().unwrap().tau_g2.swap(8, 9), not_lagrange("lagrange tauG2")),
        (|c| c.lagrange.as_mut().unwrap().alpha.swap(8, 9), not_lagrange("lagrange alphaTauG1")),
        (|c| c.lagrange.as_mut().unwrap().beta.swap(8, 9), not_lagrange("lagrange betaTauG1")),
        (
            |c| c.lagrange.as_mut().unwrap().tau_g1.swap(16, 30),
            not_lagrange("lagrange tauG1 of the double domain"),
        ),
    ];
    for (i, (spoil, expected)) in cases.into_iter().enumerate() {
        let mut bad = good.clone();
        spoil(&mut bad);
        match from_powers(&device, &system, &bad) {
            Err(SetupError::Powers(fault)) => assert_eq!(fault, expected, "case {i}"),
            other => panic!("case {i}: {other:?}"),
        }
    }
    // Points that are not used are not checked.
    let mut unused = good.clone();
    unused.tau_g2.swap(9, 10);
    unused.tau_g1.swap(20, 21);
    from_powers(&device, &system, &unused).unwrap();
    let small = Ceremony::<E>::new(2, tau, alpha, beta);
    assert!(matches!(
        from_powers(&device, &system, &small),
        Err(SetupError::PowersTooFew { needed: 3, found: 2 })
    ));
}

/// The list of a ceremony that a test changes.
type Of<E, C> = fn(&mut Ceremony<E>) -> &mut Vec<Affine<C>>;

/// Every point that a setup uses is checked: replacing it by its double is noticed.
fn every_point_counts<E: Pairing>() {
    let device = reference::board::<E>();
    let (system, _) = system::<E::Fr>(5);
    let [tau, alpha, beta, ..] = secrets::<E::Fr>(8);
    let good = Ceremony::<E>::new(3, tau, alpha, beta);
    let refused = |bad: &Ceremony<E>, what: &str| {
        let refused = matches!(from_powers(&device, &system, bad), Err(SetupError::Powers(_)));
        assert!(refused, "{what}");
    };
    fn doubled<C: Curve>(points: &mut [Affine<C>], at: usize) {
        points[at] = points[at].to_jacobian().double().to_affine();
    }
    let in_g1: [(&str, Of<E, E::G1>, Vec<usize>); 6] = [
        ("tauG1", |c| &mut c.tau_g1, (0..15).collect()),
        ("alphaTauG1", |c| &mut c.alpha, (0..8).collect()),
        ("betaTauG1", |c| &mut c.beta, (0..8).collect()),
        // Includes the Lagrange points of the double domain at its odd positions.
        ("L", |c| &mut c.lagrange.as_mut().unwrap().tau_g1, (7..15).chain((16..31).step_by(2)).collect()),
        ("alpha L", |c| &mut c.lagrange.as_mut().unwrap().alpha, (7..15).collect()),
        ("beta L", |c| &mut c.lagrange.as_mut().unwrap().beta, (7..15).collect()),
    ];
    for (name, list, indices) in in_g1 {
        for at in indices {
            let mut bad = good.clone();
            doubled(list(&mut bad), at);
            refused(&bad, &format!("{name} {at}"));
        }
    }
    let in_g2: [(&str, Of<E, E::G2>, Vec<usize>); 2] = [
        ("tauG2", |c| &mut c.tau_g2, (0..8).collect()),
        ("L in G2", |c| &mut c.lagrange.as_mut().unwrap().tau_g2, (7..15).collect()),
    ];
    for (name, list, indices) in in_g2 {
        for at in indices {
            let mut bad = good.clone();
            doubled(list(&mut bad), at);
            refused(&bad, &format!("{name} {at}"));
        }
    }
}

macro_rules! on_every_curve {
    ($($test:ident),+) => {$(
        mod $test {
            use super::*;
            #[test]
            fn bls12_381() { super::$test::<Bls12_381>() }
            #[test]
            fn bn254() { super::$test::<Bn254>() }
            #[test]
            fn bls12_377() { super::$test::<Bls12_377>() }
        }
    )+};
}
on_every_curve!(equals_known_secrets, spoilt_powers_are_named, every_point_counts);
