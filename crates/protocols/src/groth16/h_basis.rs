//! Converts the section H of a textbook key, `τ^j·Z(τ)/δ`, into the Lagrange form of snarkjs' keys, and back.

use crate::group_ntt::{Coset, evaluate_vartime};
use alloc::vec::Vec;
use pairwright_curve::{G1Affine, Pairing};
use pairwright_device::{DeviceError, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Domain;

/// Computes `L_{2i+1}(τ)/δ` of the double domain from `τ^j·Z(τ)/δ`, with `i` and `j` below the size of the domain and Z the vanishing
/// polynomial of the domain. Variable time.
///
/// On the odd coset, at `x_i = s·ω^i`, Z is -2. So `L_{2i+1} = -Z·ℓ_i/2` with the coset's own Lagrange polynomials
/// `ℓ_i(X) = Σ_j (X/x_i)^j / n`: one inverse transform of the powers. `done` is called with the
/// number of products of a scalar and a point since its last call.
///
/// # Errors
/// When the field has no double domain, or an operator fails.
///
/// # Panics
/// If the number of powers is not the size of the domain.
pub fn h_from_powers_vartime<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    powers: &[G1Affine<E>],
    done: &mut dyn FnMut(usize),
) -> Result<Vec<G1Affine<E>>, DeviceError> {
    assert_eq!(powers.len(), domain.size(), "a power a point of the domain");
    let shift = domain.odd_shift()?;
    // The shift is a root of unity of twice the order, so its inverse is a power of it.
    let inverse = shift.pow_vartime(&[2 * domain.size() as u64 - 1]);
    let scale = -(domain.size_inverse() * E::Fr::HALF);
    let coset = Coset { root: domain.root_inverse(), shift: inverse, scale };
    evaluate_vartime(on, Session::scale_points_g1, powers, 1, coset, done)
}

/// Computes `τ^j·Z(τ)/δ` from `L_{2i+1}(τ)/δ` of the double domain, for every `j` below the size of the domain, with Z its vanishing
/// polynomial: the inverse of [`h_from_powers_vartime`]. Variable time.
///
/// A polynomial of a degree below the size is the sum of its values at the coset's points `x_i = s·ω^i` times the Lagrange
/// polynomials there, so `τ^j = Σ_i x_i^j·ℓ_i(τ)`. With `L_{2i+1} = -Z·ℓ_i/2` the power `j` is `-2·s^j·Σ_i ω^(ij)·H_i`: a
/// transform, and a product with a power of the shift. `done` is called with the number of products of a scalar and a point since
/// its last call.
///
/// # Errors
/// When the field has no double domain, or an operator fails.
///
/// # Panics
/// If the number of elements is not the size of the domain.
pub fn powers_from_h_vartime<E: Pairing>(
    on: &mut Session<'_, E>,
    domain: &Domain<E::Fr>,
    h: &[G1Affine<E>],
    done: &mut dyn FnMut(usize),
) -> Result<Vec<G1Affine<E>>, DeviceError> {
    assert_eq!(h.len(), domain.size(), "an element a point of the domain");
    let shift = domain.odd_shift()?;
    let coset = Coset { root: domain.root(), shift: E::Fr::ONE, scale: -E::Fr::from(2) };
    let sums = evaluate_vartime(on, Session::scale_points_g1, h, 1, coset, done)?;
    let shifts: Vec<E::Fr> =
        core::iter::successors(Some(E::Fr::ONE), |s| Some(*s * shift)).take(h.len()).collect();
    let powers = on.scale_points_g1(&sums, &shifts)?;
    done(powers.len());
    Ok(powers)
}

#[cfg(test)]
mod tests {
    use super::{h_from_powers_vartime, powers_from_h_vartime};
    use pairwright_curve::bn254::{Bn254, Fr, G1};
    use pairwright_curve::{Affine, Jacobian};
    use pairwright_device::{Session, reference};
    use pairwright_field::Field;
    use pairwright_poly::Domain;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// For a known τ, the two conversions give the powers back, including the last one.
    #[test]
    fn powers_come_back() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let device = reference::board::<Bn254>();
        let on = &mut Session::new(&device);
        for log_n in 0..5 {
            let domain = Domain::<Fr>::new(log_n).unwrap();
            let (tau, factor) = (Fr::random(&mut rng), Fr::random(&mut rng));
            let powers: Vec<Affine<G1>> = (0..1u64 << log_n)
                .map(|j| {
                    let scalar = factor * tau.pow_vartime(&[j]);
                    Jacobian::<G1>::generator().mul_vartime(&scalar).to_affine()
                })
                .collect();
            let mut products = 0;
            let h = h_from_powers_vartime(on, &domain, &powers, &mut |more| products += more).unwrap();
            let back = powers_from_h_vartime(on, &domain, &h, &mut |more| products += more).unwrap();
            assert_eq!(back, powers, "2^{log_n} points");
            assert_eq!(products, powers.len() * (log_n as usize + 1));
        }
    }
}
