//! The elements H of a key from those of textbook keys.

use super::group_ntt::evaluate_vartime;
use alloc::vec::Vec;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Field, PrimeField};
use pairwright_poly::{Domain, DomainError};

/// `L_{2i+1}(τ)/δ` of the double domain from `τ^j·Z(τ)/δ`, one a point of the domain each, with Z the vanishing polynomial of
/// the domain. Variable time.
///
/// On the odd coset, at `x_i = s·ω^i`, Z is -2. So `L_{2i+1} = -Z·ℓ_i/2` with the coset's own Lagrange polynomials
/// `ℓ_i(X) = Σ_j (X/x_i)^j / n`: one inverse transform of the powers.
///
/// # Errors
/// When the field has no double domain.
///
/// # Panics
/// If there are not as many powers as points of the domain.
pub fn h_from_powers_vartime<C: Curve>(
    domain: &Domain<C::Scalar>,
    powers: &[Affine<C>],
) -> Result<Vec<Affine<C>>, DomainError> {
    assert_eq!(powers.len(), domain.size(), "a power a point of the domain");
    let shift = domain.odd_shift()?;
    // The shift is a root of unity of twice the order, so its inverse is a power of it.
    let inverse = shift.pow_vartime(&[2 * domain.size() as u64 - 1]);
    let scale = -(domain.size_inverse() * C::Scalar::HALF);
    Ok(evaluate_vartime(powers, domain.root_inverse(), inverse, scale))
}
