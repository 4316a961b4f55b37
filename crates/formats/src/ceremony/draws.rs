//! Scalars and points drawn as snarkjs draws them: from ChaCha20 seeded with a hash.

use alloc::vec::Vec;
use chacha20::ChaCha20Rng;
use core::ops::Neg;
use pairwright_curve::{Affine, Curve};
use pairwright_field::{Extension, Field, PrimeField, Ring, Sqrt};
use rand_core::{Rng, SeedableRng};
use zeroize::Zeroizing;

/// The generator that is seeded with a hash, read as big-endian words. It wipes its state when dropped, as the hash can be
/// secret.
pub(crate) fn stream(hash: &[u8; 32]) -> ChaCha20Rng {
    let mut seed = Zeroizing::new(*hash);
    seed.as_chunks_mut::<4>().0.iter_mut().for_each(|word| word.reverse());
    ChaCha20Rng::from_seed(*seed)
}

/// The challenge point of a transcript hash: drawn from a generator that is seeded with the hash's first 32 bytes. Variable
/// time.
pub fn challenge_point_vartime<C: Curve>(transcript: &[u8; 64]) -> Affine<C> {
    let mut seed = [0; 32];
    seed.iter_mut().zip(transcript).for_each(|(to, from)| *to = *from);
    draw_point_vartime(&mut stream(&seed))
}

/// Draws a point of the subgroup: x coordinates and signs are drawn until they give a point of the curve, which is multiplied
/// by the cofactor. Variable time.
pub(crate) fn draw_point_vartime<C: Curve>(stream: &mut ChaCha20Rng) -> Affine<C> {
    loop {
        let coords: Vec<_> = (0..C::Base::DEGREE).map(|_| draw(stream)).collect();
        let x = C::Base::from_coords(&coords);
        let negative = stream.next_u32() & 1 == 1;
        if let Some(p) = with_sign_vartime::<C>(x, negative) {
            return p.to_jacobian().mul_limbs_vartime(C::COFACTOR).to_affine();
        }
    }
}

/// The point of the curve with this x coordinate and the larger (`negative`) or the smaller of the two y coordinates; `None` if
/// there is no such point. Variable time.
pub(crate) fn with_sign_vartime<C: Curve>(x: C::Base, negative: bool) -> Option<Affine<C>> {
    let y = right_side::<C>(x).sqrt_vartime()?;
    Some(Affine::from_xy_unchecked(x, if is_negative(&y) == negative { y } else { y.neg() }))
}

/// The right side of the curve's equation, `x³ + b`.
#[allow(clippy::arithmetic_side_effects)] // Arithmetic of a field: nothing overflows.
fn right_side<C: Curve>(x: C::Base) -> C::Base {
    x.square() * x + C::B
}

/// Draws an element by drawing its *Montgomery form*: limbs from the lowest, the upper 32-bit word of a limb first, truncated
/// to the bit length of the modulus, until the number is below the modulus.
pub(crate) fn draw<F: PrimeField>(stream: &mut ChaCha20Rng) -> F {
    loop {
        let mut limbs = F::Limbs::default();
        let mut bits = F::BITS;
        for limb in limbs.as_mut() {
            let (high, low) = (stream.next_u32(), stream.next_u32());
            *limb = u64::from(high) << 32 | u64::from(low);
            if bits < 64 {
                *limb &= u64::MAX.unbounded_shl(bits) ^ u64::MAX;
            }
            bits = bits.saturating_sub(64);
        }
        if let Some(x) = F::from_montgomery(limbs) {
            return x;
        }
    }
}

/// Whether the highest non-zero coefficient is larger than its negative.
pub(crate) fn is_negative<F: Extension>(x: &F) -> bool {
    let coords = (0..F::DEGREE).rev().map(|i| x.coord(i));
    coords.into_iter().find(|c| !c.is_zero()).is_some_and(|c| c > c.neg())
}
