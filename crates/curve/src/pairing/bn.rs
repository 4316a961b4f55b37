//! The pairing of Barreto–Naehrig curves.
//!
//! `e(P, Q) = (f_{6x+2,Q}(P)·l_{T,ψ(Q)}(P)·l_{T+ψ(Q),-ψ²(Q)}(P))^(2x(6x² + 3x + 1)·(q¹² - 1)/r)`. The factor
//! `2x(6x² + 3x + 1)`, which is prime to r, makes the hard part of the final exponentiation cheap, and is the convention of
//! arkworks.

use super::{Cyclotomic, Family, PairingData};
use crate::subgroup::{self, GroupLaw};
use core::marker::PhantomData;

/// The optimal ate pairing of the Barreto–Naehrig curve with these parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bn<P>(PhantomData<P>);

impl<P: PairingData> Family for Bn<P> {
    type Data = P;
    const FROBENIUS_TAIL: bool = true;
    const PSI_IS_SEED: bool = false;

    /// `f^(2x(6x² + 3x + 1)·(q⁴ - q² + 1)/r)`. It follows Fuentes-Castañeda, Knapp and Rodríguez-Henríquez, *Faster
    /// hashing to G2* (SAC 2011), §4.1: in base q its exponent has the digits `12x³ + 12x² + 6x + 1`,
    /// `12x³ + 6x² + 4x`, `12x³ + 6x² + 6x`, `12x³ + 6x² + 4x - 1`.
    fn hard_part<T: Cyclotomic<P>>(f: T) -> T {
        let x2 = f.pow_x().squared(); // 2x
        let x6 = x2.squared() * x2; // 6x
        let xx6 = x6.pow_x(); // 6x²
        let xxx12 = xx6.squared().pow_x(); // 12x³
        let digit2 = xxx12 * xx6 * x6;
        let digit1 = digit2 * x2.inverse();
        let digit0 = digit2 * xx6 * f;
        let digit3 = digit1 * f.inverse();
        digit0 * digit1.frobenius::<1>() * digit2.frobenius::<2>() * digit3.frobenius::<3>()
    }
    fn membership_sides_g1<T: GroupLaw>(_: &T) -> Option<[T; 2]> {
        // The cofactor is one.
        None
    }
    fn membership_sides_g2<T: GroupLaw>(q: &T) -> [T; 2] {
        subgroup::bn_g2_sides::<P, _>(q)
    }
    fn clear_g1<T: GroupLaw>(p: &T) -> T {
        *p
    }
    fn clear_g2<T: GroupLaw>(q: &T) -> T {
        subgroup::clear_bn_g2::<P, _>(q)
    }
}
