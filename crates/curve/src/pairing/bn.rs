//! The pairing of Barreto–Naehrig curves.
//!
//! `e(P, Q) = (f_{6x+2,Q}(P)·l_{T,ψ(Q)}(P)·l_{T+ψ(Q),-ψ²(Q)}(P))^(2x(6x² + 3x + 1)·(q¹² - 1)/r)`: the factor, prime
//! to r, makes the hard part cheap, and is the convention of arkworks.

use super::tower::pow_x;
use super::{Family, Fq12, G1, G2, PairingData, cyclotomic_square, easy_part, frobenius};
use crate::{Affine, Jacobian, subgroup};
use core::marker::PhantomData;

/// The optimal ate pairing of the Barreto–Naehrig curve with these parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bn<P>(PhantomData<P>);

impl<P: PairingData> Family for Bn<P> {
    type Data = P;
    const FROBENIUS_TAIL: bool = true;

    /// `f^(2x(6x² + 3x + 1)·(q¹² - 1)/r)`, `None` for zero. The hard part follows Fuentes-Castañeda, Knapp and
    /// Rodríguez-Henríquez, *Faster hashing to G2* (SAC 2011), §4.1: in base q its exponent has the digits
    /// `12x³ + 12x² + 6x + 1`, `12x³ + 6x² + 4x`, `12x³ + 6x² + 6x`, `12x³ + 6x² + 4x - 1`.
    fn final_exponentiation(f: &Fq12<P>) -> Option<Fq12<P>> {
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
    fn is_in_g1_vartime(_: &Affine<G1<Self>>) -> bool {
        // The cofactor is one.
        true
    }
    fn is_in_g2_vartime(q: &Affine<G2<Self>>) -> bool {
        subgroup::bn_g2_vartime::<P, _>(q)
    }
    fn clear_g1_vartime(p: &Affine<G1<Self>>) -> Jacobian<G1<Self>> {
        p.to_jacobian()
    }
    fn clear_g2_vartime(q: &Affine<G2<Self>>) -> Jacobian<G2<Self>> {
        subgroup::clear_bn_g2_vartime::<P, _>(q)
    }
}
