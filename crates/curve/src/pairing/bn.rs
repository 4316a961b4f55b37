//! The pairing of Barreto–Naehrig curves.
//!
//! `e(P, Q) = (f_{6x+2,Q}(P)·l_{T,ψ(Q)}(P)·l_{T+ψ(Q),-ψ²(Q)}(P))^(2x(6x² + 3x + 1)·(q¹² - 1)/r)`: the factor, prime
//! to r, makes the hard part cheap, and is the convention of arkworks.

use super::tower::cyclotomic_pow_digits;
use super::{Fq12, PairingData, Prepared, cyclotomic_square, easy_part, frobenius, miller};
use crate::Affine;

/// Line coefficients of a second argument, the two closing steps included.
pub fn prepare<P: PairingData>(q: &Affine<P::G2>) -> Prepared<P> {
    Prepared::new(q, true)
}

/// The product of the Miller loops of the pairs.
pub fn multi_miller_loop<P: PairingData>(pairs: &[(Affine<P::G1>, &Prepared<P>)]) -> Fq12<P> {
    miller::accumulate(pairs, 2)
}

/// `f^x` in the cyclotomic subgroup, the seed with its sign.
fn pow_x<P: PairingData>(f: &Fq12<P>) -> Fq12<P> {
    let t = cyclotomic_pow_digits::<P>(f, P::X_DIGITS);
    if P::X_NEGATIVE { t.conjugate() } else { t }
}

/// `f^(2x(6x² + 3x + 1)·(q¹² - 1)/r)`, `None` for zero. The hard part follows Fuentes-Castañeda, Knapp and
/// Rodríguez-Henríquez, *Faster hashing to G2* (SAC 2011), §4.1: in base q its exponent has the digits
/// `12x³ + 12x² + 6x + 1`, `12x³ + 6x² + 4x`, `12x³ + 6x² + 6x`, `12x³ + 6x² + 4x - 1`.
pub fn final_exponentiation<P: PairingData>(f: &Fq12<P>) -> Option<Fq12<P>> {
    let f = easy_part::<P>(f)?;
    let x2 = cyclotomic_square(pow_x::<P>(&f)); // 2x
    let x6 = cyclotomic_square(x2) * x2; // 6x
    let xx6 = pow_x::<P>(&x6); // 6x²
    let xxx12 = pow_x::<P>(&cyclotomic_square(xx6)); // 12x³
    let digit2 = xxx12 * xx6 * x6;
    let digit1 = digit2 * x2.conjugate();
    let digit0 = digit2 * xx6 * f;
    let digit3 = digit1 * f.conjugate();
    Some(digit0 * frobenius::<P, 1>(&digit1) * frobenius::<P, 2>(&digit2) * frobenius::<P, 3>(&digit3))
}
