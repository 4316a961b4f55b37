//! Prepared powers of tau whose τ is known. They are quick to compute and for tests only.

use pairwright_curve::{Affine, G1Affine, G2Affine, Pairing};
use pairwright_device::{Device, DeviceError, Session};
use pairwright_field::{Field, PrimeField, batch_invert};
use pairwright_poly::{Buf, Domain, Source};
use pairwright_protocols::groth16::{LagrangePoints, PowersOfTau};

/// The result of a ceremony with known τ, α and β, including its Lagrange points, in memory.
pub struct KnownPowers<E: Pairing> {
    power: u32,
    tau_g1: Vec<G1Affine<E>>,
    tau_g2: Vec<G2Affine<E>>,
    alpha: Vec<G1Affine<E>>,
    beta: Vec<G1Affine<E>>,
    beta_g2: G2Affine<E>,
    of_tau_g1: Vec<G1Affine<E>>,
    of_tau_g2: Vec<G2Affine<E>>,
    of_alpha: Vec<G1Affine<E>>,
    of_beta: Vec<G1Affine<E>>,
}

impl<E: Pairing> std::fmt::Debug for KnownPowers<E> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "KnownPowers({}, 2^{})", E::NAME, self.power)
    }
}

impl<E: Pairing> KnownPowers<E> {
    /// Computes the points of a ceremony of this power for τ, α and β, with the operators of a device.
    ///
    /// # Errors
    /// When an operator fails, or the field has no double domain.
    ///
    /// # Panics
    /// If τ is a root of unity of the double domain or one that divides its order.
    pub fn new(device: &Device<E>, power: u32, [tau, alpha, beta]: [E::Fr; 3]) -> Result<Self, DeviceError> {
        let n = 1usize << power;
        let powers: Vec<E::Fr> =
            std::iter::successors(Some(E::Fr::ONE), |x| Some(*x * tau)).take(2 * n - 1).collect();
        let mut lagrange = Vec::new();
        for log in 0..=power + 1 {
            lagrange.extend(lagrange_at(&Domain::new(log)?, tau));
        }
        // The last power of the double domain counts as zero.
        let last = *powers.last().unwrap_or(&tau) * tau;
        let top = Domain::<E::Fr>::new(power + 1)?;
        let mut lost = last * top.size_inverse();
        for value in lagrange.iter_mut().skip(2 * n - 1) {
            *value -= lost;
            lost *= top.root();
        }
        let on = &mut Session::new(device);
        let mut g1 = |scalars: &[E::Fr], factor: E::Fr| -> Result<Vec<_>, DeviceError> {
            let scalars: Buf<E::Fr> = scalars.iter().map(|x| *x * factor).collect();
            Ok(on.multiples_g1(&Affine::generator(), scalars.view())?.into_vec())
        };
        let (low, levels) = (&powers[..n], &lagrange[..2 * n - 1]);
        let (tau_g1, of_tau_g1) = (g1(&powers, E::Fr::ONE)?, g1(&lagrange, E::Fr::ONE)?);
        let (alpha, of_alpha) = (g1(low, alpha)?, g1(levels, alpha)?);
        let (beta_g1, of_beta) = (g1(low, beta)?, g1(levels, beta)?);
        let mut g2 = |scalars: Vec<E::Fr>| -> Result<Vec<_>, DeviceError> {
            Ok(on.multiples_g2(&Affine::generator(), Buf::from(scalars).view())?.into_vec())
        };
        let beta_g2 = g2(vec![beta])?[0];
        let (tau_g2, of_tau_g2) = (g2(low.to_vec())?, g2(levels.to_vec())?);
        let beta = beta_g1;
        Ok(Self { power, tau_g1, tau_g2, alpha, beta, beta_g2, of_tau_g1, of_tau_g2, of_alpha, of_beta })
    }
}

/// `L_i(τ) = (τ^n - 1)/n · ω^i/(τ - ω^i)` for every `i`.
fn lagrange_at<F: PrimeField>(domain: &Domain<F>, tau: F) -> Vec<F> {
    let n = domain.size();
    let points: Vec<F> = std::iter::successors(Some(F::ONE), |x| Some(*x * domain.root())).take(n).collect();
    let mut values: Vec<F> = points.iter().map(|x| tau - *x).collect();
    assert!(values.iter().all(|x| !x.is_zero()), "τ is in no domain");
    batch_invert(&mut values);
    let scale = (tau.pow_vartime(&[n as u64]) - F::ONE) * domain.size_inverse();
    values.iter_mut().zip(points).for_each(|(value, x)| *value *= x * scale);
    values
}

impl<E: Pairing> PowersOfTau<E> for KnownPowers<E> {
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
        Some(LagrangePoints {
            tau_g1: &self.of_tau_g1,
            tau_g2: &self.of_tau_g2,
            alpha_tau_g1: &self.of_alpha,
            beta_tau_g1: &self.of_beta,
        })
    }
}
