//! The pairing of Barreto–Lynn–Scott curves of embedding degree 12.
//!
//! `e(P, Q) = f_{x,Q}(P)^(3·(q¹² - 1)/r)`: the Miller loop runs over the seed alone. The cube, prime to r, makes the
//! hard part cheap, and is the convention of arkworks, blst, gnark and drand.

use super::tower::pow_x;
use super::{Family, Fq12, G1, G2, PairingData, cyclotomic_square, easy_part, frobenius};
use crate::{Affine, Jacobian, subgroup};
use core::marker::PhantomData;

/// The optimal ate pairing of the Barreto–Lynn–Scott curve with these parameters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Bls12<P>(PhantomData<P>);

impl<P: PairingData> Family for Bls12<P> {
    type Data = P;
    const FROBENIUS_TAIL: bool = false;

    /// `f^(3·(q¹² - 1)/r)`, `None` for zero. The hard part is the chain of Hayashida, Hayasaka and Teruya, eprint
    /// 2020/875: `3·(q⁴ - q² + 1)/r = (x - 1)²·(x + q)·(x² + q² - 1) + 3`.
    fn final_exponentiation(f: &Fq12<P>) -> Option<Fq12<P>> {
        let f = easy_part::<P>(f)?;
        let a = pow_x::<P>(&f) * f.conjugate(); // x - 1
        let a = pow_x::<P>(&a) * a.conjugate(); // (x - 1)²
        let b = pow_x::<P>(&a) * frobenius::<P, 1>(&a); // ·(x + q)
        let c = pow_x::<P>(&pow_x::<P>(&b)) * frobenius::<P, 2>(&b) * b.conjugate(); // ·(x² + q² - 1)
        Some(c * cyclotomic_square(f) * f)
    }
    fn is_in_g1_vartime(p: &Affine<G1<Self>>) -> bool {
        subgroup::bls12_g1_vartime::<P, _>(p)
    }
    fn is_in_g2_vartime(q: &Affine<G2<Self>>) -> bool {
        subgroup::bls12_g2_vartime::<P, _>(q)
    }
    fn clear_g1_vartime(p: &Affine<G1<Self>>) -> Jacobian<G1<Self>> {
        subgroup::clear_bls12_g1_vartime::<P, _>(p)
    }
    fn clear_g2_vartime(q: &Affine<G2<Self>>) -> Jacobian<G2<Self>> {
        subgroup::clear_bls12_g2_vartime::<P, _>(q)
    }
}
