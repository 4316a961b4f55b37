//! Reproduces the point that snarkjs hashes after the last power of tau.
//!
//! snarkjs' loop over the differences `τ^(N+i) - τ^i` makes one iteration too many (see [`super::circuit_hash`]). When the
//! powers end exactly there, the bytes that it reads as the missing point are the header of the next section and the beginning
//! of its first point: numbers that are not reduced and satisfy no curve equation. The result is well defined all the same,
//! because snarkjs' arithmetic is deterministic, and a key has to contain this result for its hash to be recognised. This
//! module therefore implements that arithmetic: addition of affine points (EFD "mmadd-2007-bl") on full-width numbers, where a
//! sum is corrected by one subtraction of the modulus when it carries or is not below the modulus, a difference by one addition
//! when it borrows, and a Montgomery product like a sum.

use core::ops::Neg;
use pairwright_curve::{Affine, Curve, Jacobian};
use pairwright_field::limbs::{adc, less_than, mac, neg_inverse, sbb};
use pairwright_field::{Extension, PrimeField};

/// The prime field of a curve's coordinates.
type Prime<C> = <<C as Curve>::Base as Extension>::Prime;

/// Computes `q - p`, where the bytes are interpreted as an affine point `q` and missing bytes are zero. `p` is a finite point
/// of a curve over a prime field.
pub(super) fn difference_past_end<C: Curve>(bytes: &[u8], p: &Affine<C>) -> Affine<C> {
    let width = Prime::<C>::BYTES;
    let rest = bytes.get(width..).unwrap_or_default();
    let (x1, y1) = (Loose::<Prime<C>>::read(bytes), Loose::<Prime<C>>::read(rest));
    let minus = p.neg();
    if x1.is_zero() && y1.is_zero() {
        return minus;
    }
    let (x2, y2) = (Loose::of(minus.x.coord(0)), Loose::of(minus.y.coord(0)));
    let h = x2.sub(&x1);
    let i = {
        let hh = h.mul(&h);
        let twice = hh.add(&hh);
        twice.add(&twice)
    };
    let j = h.mul(&i);
    let r = {
        let dy = y2.sub(&y1);
        dy.add(&dy)
    };
    let v = x1.mul(&i);
    let x3 = r.mul(&r).sub(&j).sub(&v.add(&v));
    let y1_j = y1.mul(&j);
    let y3 = v.sub(&x3).mul(&r).sub(&y1_j.add(&y1_j));
    let z3 = h.add(&h);
    let [x, y, z] = [x3, y3, z3].map(|n| C::Base::from_prime(n.reduce()));
    Jacobian { x, y, z }.to_affine()
}

/// A number with as many limbs as a field element, in Montgomery form, which need not be below the modulus.
#[derive(Clone, Debug)]
struct Loose<F: PrimeField>(F::Limbs);

impl<F: PrimeField> Loose<F> {
    fn of(x: F) -> Self {
        Self(x.to_montgomery())
    }

    fn read(bytes: &[u8]) -> Self {
        let mut limbs = F::Limbs::default();
        for (limb, bytes) in limbs.as_mut().iter_mut().zip(bytes.chunks(8)) {
            let mut word = [0; 8];
            word.iter_mut().zip(bytes).for_each(|(w, b)| *w = *b);
            *limb = u64::from_le_bytes(word);
        }
        Self(limbs)
    }

    fn is_zero(&self) -> bool {
        self.0.as_ref().iter().all(|l| *l == 0)
    }

    /// Computes `self + other` with the carry, or `self - other` with the borrow.
    fn words(&self, other: &F::Limbs, step: fn(u64, u64, &mut u64) -> u64) -> (Self, u64) {
        let (mut out, mut carry) = (self.0, 0);
        for (o, x) in out.as_mut().iter_mut().zip(other.as_ref()) {
            *o = step(*o, *x, &mut carry);
        }
        (Self(out), carry)
    }

    /// Subtracts the modulus once if there was a carry or the number is not below the modulus.
    fn correct(self, carry: u64) -> Self {
        if carry == 0 && less_than(self.0.as_ref(), F::MODULUS.as_ref()) {
            return self;
        }
        self.words(&F::MODULUS, sbb).0
    }

    fn add(&self, other: &Self) -> Self {
        let (sum, carry) = self.words(&other.0, adc);
        sum.correct(carry)
    }

    fn sub(&self, other: &Self) -> Self {
        let (difference, borrow) = self.words(&other.0, sbb);
        if borrow == 0 { difference } else { difference.words(&F::MODULUS, adc).0 }
    }

    /// The Montgomery product, computed row by row: the accumulator has one limb more than the operands, and a last carry.
    fn mul(&self, other: &Self) -> Self {
        let modulus = F::MODULUS;
        let inverse = modulus.as_ref().first().map_or(0, |l| neg_inverse(*l));
        let (mut low, mut top) = (F::Limbs::default(), [0u64; 2]);
        for x in self.0.as_ref() {
            add_row(low.as_mut(), &mut top, *x, other.0.as_ref());
            let k = low.as_ref().first().map_or(0, |l| l.wrapping_mul(inverse));
            add_row(low.as_mut(), &mut top, k, modulus.as_ref());
            // The lowest limb is zero after the reduction step: shift by one limb.
            low.as_mut().rotate_left(1);
            if let Some(last) = low.as_mut().last_mut() {
                *last = top[0];
            }
            top = [top[1], 0];
        }
        Self(low).correct(top[0])
    }

    /// The field element whose Montgomery form is this number reduced modulo the modulus.
    fn reduce(self) -> F {
        let mut n = self;
        loop {
            match F::from_montgomery(n.0) {
                Some(x) => return x,
                None => n = n.words(&F::MODULUS, sbb).0,
            }
        }
    }
}

/// `(low, top) += factor·row`.
fn add_row(low: &mut [u64], top: &mut [u64; 2], factor: u64, row: &[u64]) {
    let mut carry = 0;
    for (l, x) in low.iter_mut().zip(row) {
        *l = mac(*l, factor, *x, &mut carry);
    }
    let mut over = 0;
    top[0] = adc(top[0], carry, &mut over);
    top[1] = adc(top[1], 0, &mut over);
}

#[cfg(test)]
mod tests {
    use super::{Loose, difference_past_end};
    use crate::ceremony::record::push_uncompressed;
    use crate::points::push_point;
    use pairwright_curve::bls12_381::{Bls12_381, Fq as Fq381, G1 as G381};
    use pairwright_curve::bn254::{Bn254, Fq, G1};
    use pairwright_curve::{Affine, Curve, Jacobian, Pairing};
    use pairwright_field::PrimeField;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    /// For valid points the result is their difference.
    fn agrees_on_points<C: Curve>() {
        let [p, q] = [5, 9].map(|k| Jacobian::<C>::generator().mul_vartime(&C::Scalar::from(k)).to_affine());
        let mut bytes = Vec::new();
        push_point(&mut bytes, &q);
        let expected = Jacobian::<C>::generator().mul_vartime(&C::Scalar::from(4)).to_affine();
        assert_eq!(difference_past_end(&bytes, &p), expected);
        assert_eq!(difference_past_end(&[], &p), -p);
    }

    /// For reduced operands the loose operations agree with those of the field.
    fn agrees_on_reduced<F: PrimeField>() {
        let mut rng = ChaCha20Rng::seed_from_u64(5);
        let mut values = vec![F::ZERO, F::ONE, -F::ONE];
        values.extend((0..20).map(|_| F::random(&mut rng)));
        for a in &values {
            for b in &values {
                let (x, y) = (Loose::of(*a), Loose::of(*b));
                assert_eq!(x.add(&y).reduce(), *a + *b);
                assert_eq!(x.sub(&y).reduce(), *a - *b);
                assert_eq!(x.mul(&y).reduce(), *a * *b);
            }
        }
    }

    #[test]
    fn as_in_the_field() {
        agrees_on_reduced::<Fq>();
        agrees_on_reduced::<Fq381>();
        agrees_on_points::<G1>();
        agrees_on_points::<G381>();
    }

    /// The result of wasmcurves (in snarkjs 0.7.6) for the header of a section of 2^15 points of G2 followed by the beginning
    /// of the generator, minus seven times the generator of G1.
    fn known_answer<E: Pairing>(expected: &str) {
        let width = 4 * E::Fq::BYTES;
        let mut bytes = 3u32.to_le_bytes().to_vec();
        bytes.extend(((width as u64) << 15).to_le_bytes());
        push_point(&mut bytes, &Affine::<E::G2>::generator());
        let p = Jacobian::<E::G1>::generator().mul_vartime(&E::Fr::from(7)).to_affine();
        let mut out = Vec::new();
        push_uncompressed(&mut out, &difference_past_end(&bytes, &p));
        let hex = crate::hexadecimal::to_hex(&out);
        assert_eq!(hex, expected);
    }

    #[test]
    fn as_in_wasmcurves() {
        known_answer::<Bn254>(
            "044cf41262e6b87fd4318df375fc9cf59870fcc9b374f8833d5120a149c7ec49\
             15eeebd9ffe97fcd488ffe444b80c2538afff502182716f9d57217b686ec461d",
        );
        known_answer::<Bls12_381>(
            "0ac2898e41ed952f8e52aaa2e4553e7c16fee788212daabebe75ea1909bbc74de31226aad179baac3b108dcfcbdbcce1\
             11af30ece5653547bccd165792eb4750cc818f5b2df2186f09a4162027aff5014d261d5079c7d6ea6702e23bfdd4208f",
        );
    }

    /// One subtraction does not reduce fully: the largest numbers stay above the modulus.
    #[test]
    fn stays_loose() {
        let ones = Loose::<Fq>::read(&[0xff; 32]);
        let zero = Loose::<Fq>::read(&[]);
        let once = ones.add(&zero);
        assert_eq!(once.0, ones.words(&Fq::MODULUS, pairwright_field::limbs::sbb).0.0);
        assert!(Fq::from_montgomery(once.0).is_none());
        // 0 - (2^256 - 1) borrows, and the correction gives 1 + q.
        assert_eq!(
            zero.sub(&ones).0,
            Loose::<Fq>::read(&[1]).words(&Fq::MODULUS, pairwright_field::limbs::adc).0.0
        );
    }
}
