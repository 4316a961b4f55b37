//! Square roots in prime fields (Tonelli–Shanks) and in their quadratic extensions (the complex method).

use crate::limbs::{shr, sub};
use crate::tower::Quad;
use crate::traits::{NonResidue, PrimeField, Ring, Sqrt};

/// A square root by Tonelli–Shanks (one exponentiation when p = 3 mod 4), `None` for a non-residue.
#[inline(never)]
pub(crate) fn sqrt_prime_vartime<F, const N: usize>(x: &F) -> Option<F>
where
    F: PrimeField<Limbs = [u64; N]>,
{
    if x.is_zero() {
        return Some(F::ZERO);
    }
    let mut one = [0u64; N];
    one[0] = 1;
    // p - 1 = 2^s · q with q odd; w = x^((q-1)/2), so x·w is a root up to the 2-part x·w².
    let q = shr(&sub(&F::MODULUS, &one), F::TWO_ADICITY);
    let w = x.pow_vartime(&shr(&q, 1));
    let mut root = *x * w;
    let mut b = root * w;
    let mut z = F::root_of_unity(F::TWO_ADICITY)?;
    let mut v = F::TWO_ADICITY;
    while b != F::ONE {
        // The order of b is 2^k; k = v means that x has no root.
        let (mut k, mut t) = (0, b);
        while t != F::ONE {
            t = t.square();
            k += 1;
            if k == v {
                return None;
            }
        }
        for _ in 0..v - k - 1 {
            z = z.square();
        }
        root *= z;
        z = z.square();
        b *= z;
        v = k;
    }
    Some(root)
}

impl<F: PrimeField, B: NonResidue<F>> Sqrt for Quad<F, B> {
    #[inline(never)]
    fn sqrt_vartime(&self) -> Option<Self> {
        let (a0, a1) = (self.c0, self.c1);
        if a1.is_zero() {
            return match a0.sqrt_vartime() {
                Some(r) => Some(Self::new(r, F::ZERO)),
                // a0 is not a square in the base field, so a0/β is one, and its root x gives (x·u)² = β·x² = a0.
                None => (a0 * B::mul(F::ONE).invert()?).sqrt_vartime().map(|r| Self::new(F::ZERO, r)),
            };
        }
        // (x0 + x1·u)² = a: x0² = (a0 ± √norm)/2 and x1 = a1/(2·x0).
        let norm = a0.square() - B::mul(a1.square());
        let s = norm.sqrt_vartime()?;
        let x0 = ((a0 + s) * F::HALF).sqrt_vartime().or_else(|| ((a0 - s) * F::HALF).sqrt_vartime())?;
        let root = Self::new(x0, a1 * x0.double().invert()?);
        (root.square() == *self).then_some(root)
    }
}
