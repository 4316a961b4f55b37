//! Gadgets for points of twisted Edwards curves over the circuit's field: sums, and multiples of constant points.

use super::{Bool, Builder, Linear};
use alloc::vec;
use alloc::vec::Vec;
use pairwright_curve::{CompleteEdwards, EdwardsPoint};
use pairwright_field::PrimeField;

/// An affine point of a curve over the circuit's field.
#[derive(Clone, Debug)]
pub struct CircuitPoint<F> {
    /// The first coordinate.
    pub x: Linear<F>,
    /// The second coordinate.
    pub y: Linear<F>,
}

/// The bits of a number in windows, each with the products of all subsets of its bits: any function of a window is a linear
/// combination of these products.
#[derive(Clone, Debug)]
pub struct Windows<F> {
    width: u32,
    /// For each window, the product of each subset of its bits. The index of a product is the subset as a bit mask; the product of the
    /// empty subset is one.
    products: Vec<Vec<Linear<F>>>,
}

impl<F: PrimeField> Builder<F> {
    /// Splits bits, lowest first, into windows of `width` bits, which is clamped to 1 to 6. A window takes `2^width - 1 - width`
    /// constraints; the last one may be shorter.
    pub fn windows(&mut self, bits: &[Bool<F>], width: u32) -> Windows<F> {
        let width = width.clamp(1, 6);
        let window = |b: &mut Self, bits: &[Bool<F>]| {
            let mut products = vec![Linear::constant(F::ONE)];
            for bit in bits {
                let with: Vec<_> = products.iter().map(|product| b.mul(product, bit)).collect();
                products.extend(with);
            }
            products
        };
        let products =
            self.within("windows", |b| bits.chunks(width as usize).map(|bits| window(b, bits)).collect());
        Windows { width, products }
    }

    /// The sum of any two points of the curve: the formula is complete. Takes six constraints.
    pub fn edwards_add<C: CompleteEdwards<Base = F>>(
        &mut self,
        p: &CircuitPoint<F>,
        q: &CircuitPoint<F>,
    ) -> CircuitPoint<F> {
        self.within("sum of points", |b| {
            let (xy, yx) = (b.mul(&p.x, &q.y), b.mul(&p.y, &q.x));
            let all = b.mul(&p.x + &p.y, &q.x + &q.y);
            let scaled = b.mul(&xy, &yx) * C::D;
            let one = Linear::constant(F::ONE);
            let cross = &xy + &yx;
            let x = b.quotient(cross.clone(), &one + &scaled);
            let y = b.quotient(all - cross, one - scaled);
            CircuitPoint { x, y }
        })
    }

    /// `a/b`, for a `b` that the other constraints keep from being zero. Takes one constraint.
    fn quotient(&mut self, a: Linear<F>, b: Linear<F>) -> Linear<F> {
        let quotient = self.compute(vec![a.clone(), b.clone()], |x| match x {
            [a, b] => b.invert().map_or(F::ZERO, |b| *a * b),
            _ => F::ZERO,
        });
        self.enforce(quotient, b, a);
        quotient.into()
    }

    /// The multiple of a constant point of the curve by a number in windows. Takes six constraints for each window after the first.
    pub fn edwards_multiple<C: CompleteEdwards<Base = F>>(
        &mut self,
        base: &EdwardsPoint<C>,
        number: &Windows<F>,
    ) -> CircuitPoint<F> {
        self.within("multiple of a point", |b| {
            let mut weighted = *base;
            let mut sum: Option<CircuitPoint<F>> = None;
            for products in &number.products {
                let term = chosen(&weighted, products);
                sum = Some(match sum {
                    None => term,
                    Some(sum) => b.edwards_add::<C>(&sum, &term),
                });
                weighted = (0..number.width).fold(weighted, |point, _| point.double());
            }
            sum.unwrap_or(CircuitPoint { x: Linear::zero(), y: Linear::constant(F::ONE) })
        })
    }
}

/// The multiple of a constant point by the number in one window, given the products of its bits: the coordinates as linear combinations
/// of the products.
fn chosen<C: CompleteEdwards<Base = F>, F: PrimeField>(
    point: &EdwardsPoint<C>,
    products: &[Linear<F>],
) -> CircuitPoint<F> {
    let mut multiple = EdwardsPoint::<C>::IDENTITY;
    let mut table = Vec::with_capacity(products.len());
    for _ in products {
        table.push(multiple.to_affine());
        multiple += *point;
    }
    // Möbius transform, one bit at a time: from the values at all subsets of bits to the coefficients of their products.
    let mut step = 1;
    while step < table.len() {
        for at in 0..table.len() {
            if at & step != 0 {
                let [x, y] = table[at - step];
                table[at] = [table[at][0] - x, table[at][1] - y];
            }
        }
        step *= 2;
    }
    let combined = |coordinate: usize| {
        products.iter().zip(&table).fold(Linear::zero(), |sum, (product, k)| sum + product * k[coordinate])
    };
    CircuitPoint { x: combined(0), y: combined(1) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_curve::jubjub::{self, Fq, Jubjub, Point};
    use pairwright_field::Field;
    use rand_chacha::ChaCha20Rng;
    use rand_core::SeedableRng;

    fn point_of(x: Linear<Fq>, y: Linear<Fq>) -> CircuitPoint<Fq> {
        CircuitPoint { x, y }
    }

    #[test]
    fn sums_are_those_of_the_curve() {
        let mut rng = ChaCha20Rng::seed_from_u64(1);
        let mut b = Builder::<Fq>::new();
        let [px, py, qx, qy] = ["px", "py", "qx", "qy"].map(|name| b.private(name));
        let sum = b.edwards_add::<Jubjub>(&point_of(px.into(), py.into()), &point_of(qx.into(), qy.into()));
        assert_eq!(b.constraints(), 6);
        b.output("x", sum.x);
        b.output("y", sum.y);
        let circuit = b.finish().unwrap();
        let p = Point::generator().mul(&jubjub::Fr::random(&mut rng));
        let q = Point::generator().mul(&jubjub::Fr::random(&mut rng));
        // A point of order two, which is outside of the subgroup.
        let two = Point::from_affine_unchecked_subgroup(Fq::ZERO, -Fq::ONE).unwrap();
        for (p, q) in [(p, q), (p, p), (p, -p), (p, Point::IDENTITY), (p, two), (two, two)] {
            let ([a, b], [c, d]) = (p.to_affine(), q.to_affine());
            let witness = circuit.witness(&[(px, a), (py, b), (qx, c), (qy, d)]).unwrap();
            assert_eq!(circuit.public(&witness), (p + q).to_affine());
        }
    }

    #[test]
    fn multiples_are_those_of_the_curve() {
        let mut rng = ChaCha20Rng::seed_from_u64(2);
        let base = Point::generator().mul(&jubjub::Fr::random(&mut rng));
        for (bits, width) in [(252, 4), (32, 3), (5, 1), (7, 2), (0, 3)] {
            let mut b = Builder::<Fq>::new();
            let number = b.private("number");
            let of_number = b.bits(number, bits).unwrap();
            let before = b.constraints();
            let windows = b.windows(&of_number, width);
            let product = b.edwards_multiple(&base, &windows);
            let (full, per) = (bits / width, (1 << width) - 1 - width);
            let short = bits % width;
            let of_short = if short > 0 { (1 << short) - 1 - short } else { 0 };
            let sums = bits.div_ceil(width).saturating_sub(1);
            assert_eq!(b.constraints() - before, (full * per + of_short + 6 * sums) as usize);
            b.output("x", product.x);
            b.output("y", product.y);
            let circuit = b.finish().unwrap();
            let most = if bits == 0 { 0 } else { (1u64 << bits.min(63)) - 1 };
            for k in [0, 1, 2, most, most / 3].into_iter().filter(|k| *k <= most) {
                let witness = circuit.witness(&[(number, Fq::from(k))]).unwrap();
                assert_eq!(circuit.public(&witness), base.mul_limbs_vartime(&[k]).to_affine(), "{k}");
                // A witness with another point than the multiple is refused.
                let mut wrong = witness.clone();
                wrong[1] += Fq::ONE;
                assert!(circuit.check(&wrong).is_err());
            }
        }
    }
}
