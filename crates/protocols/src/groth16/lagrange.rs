//! Computes the Lagrange points of one domain at a time, as the preparation of a ceremony for phase 2 needs them.

use super::SetupError;
use super::powers::read_points;
use crate::group_ntt::{Coset, ScalePoints, reversed, transform_vartime};
use alloc::vec;
use alloc::vec::Vec;
use core::ops::Range;
use pairwright_curve::{Affine, Curve, Pairing};
use pairwright_device::Session;
use pairwright_field::Field;
use pairwright_poly::{Domain, Source, SourceError};

/// The Lagrange points of one domain, in natural order.
pub struct LagrangeLevel<C: Curve> {
    points: Vec<Affine<C>>,
}

/// Number of powers that are read at a time.
const CHUNK: usize = 1 << 16;

impl<C: Curve> LagrangeLevel<C> {
    /// Computes `L_i(τ) = Σ_j ω^(-ij)·τ^j / n` for the domain of `n = 2^log_size` points, or `α` or `β` times that,
    /// from the powers in the same group. If only the last power is missing, it counts as zero, as in snarkjs. The memory used
    /// is that of `n` points and of one call of the operator. Variable time.
    ///
    /// `part` names the powers in errors. `done` is called after each part of the work with the number of products of a scalar
    /// and a point since its last call; they add up to `n/2·log_size`.
    ///
    /// # Errors
    /// When there are fewer than `n - 1` powers, one cannot be read or is not a finite point of the curve, the field
    /// has no such domain, or an operator fails.
    pub fn transform_vartime<'d, E: Pairing<Fr = C::Scalar>>(
        on: &mut Session<'d, E>,
        scale_points: ScalePoints<'d, E, C>,
        (part, powers): (&'static str, &dyn Source<Affine<C>>),
        log_size: u32,
        done: &mut dyn FnMut(usize),
    ) -> Result<Self, SetupError> {
        let domain = Domain::<C::Scalar>::new(log_size)?;
        let n = domain.size();
        // Reading fails below if more than the last power is missing.
        let given = if powers.len() == n - 1 { n - 1 } else { n };
        let mut points = vec![Affine::INFINITY; n];
        for start in (0..given).step_by(CHUNK) {
            let piece = read_points(part, powers, start..given.min(start + CHUNK))?;
            for (i, point) in piece.into_iter().enumerate() {
                points[reversed(start + i, log_size)] = point;
            }
        }
        let coset =
            Coset { root: domain.root_inverse(), shift: C::Scalar::ONE, scale: domain.size_inverse() };
        transform_vartime(on, scale_points, &mut points, 1, coset, done)?;
        Ok(Self { points })
    }
}

impl<C: Curve> Source<Affine<C>> for LagrangeLevel<C> {
    fn len(&self) -> usize {
        self.points.len()
    }
    fn read(&self, range: Range<usize>, out: &mut Vec<Affine<C>>) -> Result<(), SourceError> {
        out.extend_from_slice(&self.points[range]);
        Ok(())
    }
}

impl<C: Curve> core::fmt::Debug for LagrangeLevel<C> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        write!(f, "LagrangeLevel({}, {} points)", C::NAME, self.points.len())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groth16::PowersFault;
    use pairwright_curve::Jacobian;
    use pairwright_curve::bn254::{Bn254, Fr, G2};
    use pairwright_device::reference;

    /// `τ^i` of G2 for `i < count`.
    fn powers(tau: Fr, count: u32) -> Vec<Affine<G2>> {
        let g = Jacobian::<G2>::generator();
        (0..count).map(|i| g.mul_vartime(&tau.pow_vartime(&[i.into()])).to_affine()).collect()
    }

    /// `L_i(τ)` in the field: the product of `(τ - ω^j)/(ω^i - ω^j)`.
    fn basis(domain: &Domain<Fr>, i: usize, tau: Fr) -> Fr {
        let x = |k: usize| domain.root().pow_vartime(&[k as u64]);
        let others = (0..domain.size()).filter(|&j| j != i);
        others.fold(Fr::ONE, |product, j| product * (tau - x(j)) * (x(i) - x(j)).invert().unwrap())
    }

    fn level(
        source: &Vec<Affine<G2>>,
        log_size: u32,
        done: &mut dyn FnMut(usize),
    ) -> Result<LagrangeLevel<G2>, SetupError> {
        let device = reference::board::<Bn254>();
        let on = &mut Session::new(&device);
        LagrangeLevel::transform_vartime(on, Session::scale_points_g2, ("tauG2", source), log_size, done)
    }

    #[test]
    fn are_lagrange_points() {
        let tau = Fr::from(0x1234_5678_9abc);
        for log in 0..4 {
            let domain = Domain::<Fr>::new(log).unwrap();
            let (n, mut products) = (domain.size(), 0);
            let source = powers(tau, 20);
            let level = level(&source, log, &mut |more| products += more).unwrap();
            assert_eq!((level.len(), products), (n, n / 2 * log as usize));
            let mut found = Vec::new();
            level.read(0..n, &mut found).unwrap();
            for (i, point) in found.iter().enumerate() {
                let expected = Jacobian::<G2>::generator().mul_vartime(&basis(&domain, i, tau));
                assert_eq!(*point, expected.to_affine(), "2^{log}, point {i}");
            }
        }
    }

    #[test]
    fn a_missing_last_power_is_zero_and_two_are_too_few() {
        let tau = Fr::from(77);
        let level = |source: &Vec<Affine<G2>>| level(source, 3, &mut |_| ());
        let mut found = Vec::new();
        level(&powers(tau, 7)).unwrap().read(2..5, &mut found).unwrap();
        // Without its last coefficient a polynomial of the basis is L_i(τ) - c·τ^7, where c = ω^(-7i)/8.
        let domain = Domain::<Fr>::new(3).unwrap();
        for (i, point) in (2..5).zip(&found) {
            let last = domain.root_inverse().pow_vartime(&[7 * i as u64]) * domain.size_inverse();
            let expected = basis(&domain, i, tau) - last * tau.pow_vartime(&[7]);
            assert_eq!(*point, Jacobian::<G2>::generator().mul_vartime(&expected).to_affine());
        }
        let short = level(&powers(tau, 6)).unwrap_err();
        let expected = PowersFault::Short { part: "tauG2", expected: 8, found: 6 };
        assert!(matches!(short, SetupError::Powers(fault) if fault == expected), "{short}");
        let mut spoilt = powers(tau, 8);
        spoilt[5].x = spoilt[4].x;
        let bad = level(&spoilt).unwrap_err();
        let expected = PowersFault::BadPoint { part: "tauG2", index: 5 };
        assert!(matches!(bad, SetupError::Powers(fault) if fault == expected), "{bad}");
    }
}
