//! The pairing of Barreto–Lynn–Scott curves of embedding degree 12.
//!
//! `e(P, Q) = f_{x,Q}(P)^(3·(q¹² - 1)/r)`: the Miller loop runs over the seed alone. The cube, prime to r, makes the
//! hard part cheap, and is the convention of arkworks, blst, gnark and drand.

use super::tower::cyclotomic_pow_digits;
use super::{Fq12, PairingData, Prepared, cyclotomic_square, easy_part, frobenius, miller};
use crate::Affine;

/// Line coefficients of a second argument.
pub fn prepare<P: PairingData>(q: &Affine<P::G2>) -> Prepared<P> {
    Prepared::new(q, false)
}

/// The product of the Miller loops of the pairs.
pub fn multi_miller_loop<P: PairingData>(pairs: &[(Affine<P::G1>, &Prepared<P>)]) -> Fq12<P> {
    miller::accumulate(pairs, 0)
}

/// `f^x` in the cyclotomic subgroup, the seed with its sign.
fn pow_x<P: PairingData>(f: &Fq12<P>) -> Fq12<P> {
    let t = cyclotomic_pow_digits::<P>(f, P::X_DIGITS);
    if P::X_NEGATIVE { t.conjugate() } else { t }
}

/// `f^(3·(q¹² - 1)/r)`, `None` for zero. The hard part is the chain of Hayashida, Hayasaka and Teruya, eprint
/// 2020/875: `3·(q⁴ - q² + 1)/r = (x - 1)²·(x + q)·(x² + q² - 1) + 3`.
pub fn final_exponentiation<P: PairingData>(f: &Fq12<P>) -> Option<Fq12<P>> {
    let f = easy_part::<P>(f)?;
    let a = pow_x::<P>(&f) * f.conjugate(); // x - 1
    let a = pow_x::<P>(&a) * a.conjugate(); // (x - 1)²
    let b = pow_x::<P>(&a) * frobenius::<P, 1>(&a); // ·(x + q)
    let c = pow_x::<P>(&pow_x::<P>(&b)) * frobenius::<P, 2>(&b) * b.conjugate(); // ·(x² + q² - 1)
    Some(c * cyclotomic_square(f) * f)
}
