//! The pairing of Barreto–Lynn–Scott curves of embedding degree 12.
//!
//! `e(P, Q) = f_{x,Q}(P)^(3·(q¹² - 1)/r)`: the Miller loop runs over the digits of the seed `x`. The factor 3, which is prime to
//! r, makes the hard part of the final exponentiation cheap, and is the convention of arkworks, blst, gnark and drand.

use super::{Cyclotomic, Family, PairingData};
use crate::subgroup::{self, GroupLaw};
use core::marker::PhantomData;

/// The optimal ate pairing of the Barreto–Lynn–Scott curve with these parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bls12<P>(PhantomData<P>);

impl<P: PairingData> Family for Bls12<P> {
    type Data = P;
    const FROBENIUS_TAIL: bool = false;
    const PSI_IS_SEED: bool = true;

    /// `f^(3·(q⁴ - q² + 1)/r)` by the chain of Hayashida, Hayasaka and Teruya, eprint 2020/875:
    /// `3·(q⁴ - q² + 1)/r = (x - 1)²·(x + q)·(x² + q² - 1) + 3`.
    fn hard_part<T: Cyclotomic<P>>(f: T) -> T {
        let a = f.pow_x() * f.inverse(); // x - 1
        let a = a.pow_x() * a.inverse(); // (x - 1)²
        let b = a.pow_x() * a.frobenius::<1>(); // ·(x + q)
        let c = b.pow_x().pow_x() * b.frobenius::<2>() * b.inverse(); // ·(x² + q² - 1)
        c * f.squared() * f
    }
    fn membership_sides_g1<T: GroupLaw>(p: &T) -> Option<[T; 2]> {
        Some(subgroup::bls12_g1_sides::<P, _>(p))
    }
    fn membership_sides_g2<T: GroupLaw>(q: &T) -> [T; 2] {
        subgroup::bls12_g2_sides::<P, _>(q)
    }
    fn clear_g1<T: GroupLaw>(p: &T) -> T {
        subgroup::clear_bls12_g1::<P, _>(p)
    }
    fn clear_g2<T: GroupLaw>(q: &T) -> T {
        subgroup::clear_bls12_g2::<P, _>(q)
    }
}
