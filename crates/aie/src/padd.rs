//! Point additions on BLS12-377 as a twisted Edwards curve `-x² + y² = 1 + (k/2)x²y²`, \[AIE\] Fig. 1.
//!
//! The programmable logic computes the first sums ([`mixed_operands`], [`complete_operands`]) and reduces the results
//! ([`point_in`]), as in the paper. Within the kernel, sums are not reduced. In the methods that round digits down,
//! products are in `[0, 3M)` and sums in `[0, 6M)`, and 3 M is added to differences; in the balanced methods numbers are
//! signed and nothing is added.

use crate::carry::{TopCarry, step};
use crate::digits::{Digits, Layout, integer, modulus};
use crate::modmul::{Method, Multiplication, Reduction, digits28, factor, multiply};
use crate::part::{FormulaStep, Piece};
use crate::program::{Fact, InputRange, Number, Program, Sign, Writer};
use num_bigint::BigInt;
use pairwright_curve::TwistedEdwards;
use pairwright_curve::bls12_377::Fq;
use pairwright_curve::bls12_377::edwards::{AffinePoint, G1Edwards, Point};
use pairwright_field::{Field, Ring};
use serde::{Deserialize, Serialize};

/// The form of an addition, which decides the operands of the second point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Form {
    /// The second point is affine and given with `U = kT`: eight products.
    Mixed,
    /// The second point is given with `T`, which the kernel multiplies by `k` first: nine products.
    Complete,
}

impl Form {
    /// Both forms, the cheaper one first.
    pub const ALL: [Self; 2] = [Self::Mixed, Self::Complete];
}

/// `P1 + P2` in extended coordinates: `A = (Y1-X1)(Y2-X2)`, `B = (Y1+X1)(Y2+X2)`, `C = T1·U2`, `D = Z1·2Z2`,
/// `E = B-A`, `F = D-C`, `G = D+C`, `H = B+A`, `X3 = EF`, `Y3 = GH`, `T3 = EH`, `Z3 = FG` (Hisil, Wong, Carter,
/// Dawson 2008). The operands are, in this order, `Y1-X1`, `Y2-X2`, `Y1+X1`, `Y2+X2`, `T1`, `C2`, `Z1` and `2 Z2`, where
/// `C2` is `U2` in the mixed form and `T2` in the complete one; the results are `X3`, `Y3`, `T3`, `Z3`. With Montgomery's
/// reduction all of them are multiplied by 2^400, or 2^392 with digits of 28 bits.
pub fn padd(method: Method, form: Form) -> Program {
    write(Writer::new(), method, form)
}

/// The addition of [`padd`] for multiplications on separate tiles: columns that another multiplication adds to take one
/// step of carries before they are sent. The program differs from [`padd`]'s only with [`Multiplication::Digits28`].
pub fn padd_spreading(method: Method, form: Form) -> Program {
    write(Writer::new().spreading(), method, form)
}

/// The addition of [`padd_spreading`] in which the carry of cp1 enters cp2 after cp2's own steps, so that the higher half
/// of a product does not wait for the lower half. The program differs only with [`Carry::Mixed`](crate::Carry::Mixed) and
/// [`Carry::Wide`](crate::Carry::Wide).
pub fn padd_deferring(method: Method, form: Form) -> Program {
    write(Writer::new().spreading().deferring(), method, form)
}

fn write(mut w: Writer, method: Method, form: Form) -> Program {
    let single = single(method);
    let sum = factor(method);
    let [y1_x1, y2_x2, y1x1, y2x2] = [0; 4].map(|_| w.input(sum.clone()));
    let [t1, c2, z1] = [0; 3].map(|_| w.input(single.clone()));
    let z2_2 = w.input(sum);
    let u2 = match form {
        Form::Mixed => c2,
        Form::Complete => {
            let k = scaled(method, G1Edwards::D.double());
            let k = w.number_in(method.layout(), &k);
            w.formula_step(FormulaStep::Product(8));
            multiply(&mut w, method, k, c2)
        }
    };
    let factors = [(y1_x1, y2_x2), (y1x1, y2x2), (t1, u2), (z1, z2_2)];
    let [a, b, c, d] = [0, 1, 2, 3].map(|n| {
        w.formula_step(FormulaStep::Product(n));
        multiply(&mut w, method, factors[n].0, factors[n].1)
    });

    finish(w, method, [a, b, c, d])
}

/// Writes the sums and the last four products.
fn finish(mut w: Writer, method: Method, first: [Number; 4]) -> Program {
    let [e, f, g, h] = sums(&mut w, method, first);
    for (n, (left, right)) in [(e, f), (g, h), (e, h), (f, g)].into_iter().enumerate() {
        w.formula_step(FormulaStep::Product(4 + n));
        let result = multiply(&mut w, method, left, right);
        w.output(result);
    }
    w.finish()
}

/// An addition of a point with `Z2 = 1` by seven products: `D = 2·Z1` is an operand from the programmable logic. The
/// paper has eight products for symmetry. [`seven_product_operands`] gives the operands.
pub fn padd_seven_products(method: Method) -> Program {
    let mut w = Writer::new();
    let (single, sum) = (single(method), factor(method));
    let [y1_x1, y2_x2, y1x1, y2x2] = [0; 4].map(|_| w.input(sum.clone()));
    let [t1, u2] = [0; 2].map(|_| w.input(single.clone()));
    let d = w.input(doubled(method));
    let factors = [(y1_x1, y2_x2), (y1x1, y2x2), (t1, u2)];
    let [a, b, c] = [0, 1, 2].map(|n| {
        w.formula_step(FormulaStep::Product(n));
        multiply(&mut w, method, factors[n].0, factors[n].1)
    });
    finish(w, method, [a, b, c, d])
}

/// The sums `E`, `F`, `G`, `H` as a program of their own, with any products `A`, `B`, `C`, `D` of the method as operands.
pub(crate) fn sums_alone(method: Method) -> Program {
    let mut w = Writer::new();
    let bound = modulus() * 2;
    // Digits rounded to the nearest slightly exceed half the radix in magnitude.
    let digit = 1 << (method.layout().radix_bits - u32::from(method.product == Multiplication::Digits28));
    let digit = [-digit - (1 << 5), digit + (1 << 5)];
    let product = InputRange { layout: method.layout(), value: [-&bound, bound], digit };
    let products = [0; 4].map(|_| w.input(product.clone()));
    for sum in sums(&mut w, method, products) {
        w.output(sum);
    }
    w.finish()
}

fn sums(w: &mut Writer, method: Method, [a, b, c, d]: [Number; 4]) -> [Number; 4] {
    let m = modulus();
    let raise = if method.signed() { BigInt::ZERO } else { &m * 3 };
    let e = combine(w, 0, b, Sign::Minus, a, &raise);
    let f = combine(w, 1, d, Sign::Minus, c, &raise);
    let g = combine(w, 2, d, Sign::Plus, c, &BigInt::ZERO);
    let h = combine(w, 3, b, Sign::Plus, a, &BigInt::ZERO);
    // Digits of a sum have 26 bits. Products of two such factors fill a lane in the first step of carries to fifteen
    // sixteenths; with Montgomery's multiple of M in the same columns they would overflow it, so one factor of each
    // product takes a carry step first. Balanced digits of 25 bits have a bit to spare, those of 28 bits have none.
    let [e, g] = match (method.product, method.reduction) {
        (Multiplication::Schoolbook | Multiplication::Karatsuba, reduction)
            if reduction == Reduction::Barrett || method.signed() =>
        {
            [e, g]
        }
        _ => [(0, e), (2, g)].map(|(sum, n)| {
            w.formula_step(FormulaStep::Sum(sum));
            normalise(w, method, n)
        }),
    };
    [e, f, g, h]
}

/// Sum number `sum`: `left ± right + raise`, digit by digit.
fn combine(w: &mut Writer, sum: usize, left: Number, sign: Sign, right: Number, raise: &BigInt) -> Number {
    let raise = (*raise != BigInt::ZERO).then(|| (w.number(raise), raise.clone()));
    w.formula_step(FormulaStep::Sum(sum));
    let result = [0, 1].map(|half| {
        w.piece(Piece::Block { column: 0, half });
        let sum = match sign {
            Sign::Plus => w.add(left[half], right[half]),
            Sign::Minus => w.sub(left[half], right[half]),
        };
        match &raise {
            Some((digits, _)) => w.add(sum, digits[half]),
            None => sum,
        }
    });
    let constant = raise.map_or(BigInt::ZERO, |(_, value)| value);
    w.fact(Fact::Sum { result, terms: vec![(Sign::Plus, left), (sign, right)], constant });
    result
}

/// Makes one step of carries: the same number, with digits of little more than the radix.
fn normalise(w: &mut Writer, method: Method, number: Number) -> Number {
    let result = match method.product {
        Multiplication::Digits28 => digits28::normalised(w, number),
        Multiplication::Schoolbook | Multiplication::Karatsuba => {
            let columns = number.map(|v| w.ups(v));
            let v = step(w, &columns, None, TopCarry::Keep);
            [v[0], v[1]]
        }
    };
    w.fact(Fact::Sum { result, terms: vec![(Sign::Plus, number)], constant: BigInt::ZERO });
    result
}

/// The range of an operand that is one coordinate and not a sum.
fn single(method: Method) -> InputRange {
    match method.product {
        Multiplication::Schoolbook | Multiplication::Karatsuba => InputRange::below(&(modulus() * 3)),
        Multiplication::Digits28 => InputRange::within(method.layout(), &modulus()),
    }
}

/// The range of twice such an operand. Its digits may be negative where the method's numbers are signed.
fn doubled(method: Method) -> InputRange {
    let m = modulus();
    if method.signed() { InputRange::within(method.layout(), &m) } else { InputRange::below(&(m * 2)) }
}

/// The canonical integer that represents a residue in a kernel: the residue times 2^400 (2^392 with digits of 28 bits)
/// with Montgomery's reduction.
fn scaled(method: Method, x: Fq) -> BigInt {
    match method.reduction {
        Reduction::Barrett => integer(&x),
        Reduction::Montgomery => (integer(&x) << method.layout().number_bits()) % modulus(),
    }
}

/// The operands of a mixed addition in canonical digits: the first sums, as the programmable logic computes them.
pub fn mixed_operands(method: Method, first: &Point, second: &AffinePoint) -> [Digits; 8] {
    let [x, y, u] = second.coordinates();
    operands(method, first, [x, y, u, Fq::ONE])
}

/// The operands of a complete addition, in the order of [`padd`].
pub fn complete_operands(method: Method, first: &Point, second: &Point) -> [Digits; 8] {
    let [x, y, z, t] = second.extended();
    operands(method, first, [x, y, t, z])
}

/// The operands of [`padd_seven_products`]: those of [`padd`] up to `C2`, then `2 Z1`.
pub fn seven_product_operands(method: Method, first: &Point, second: &AffinePoint) -> [Digits; 7] {
    let [a, b, c, d, t1, u2, ..] = mixed_operands(method, first, second);
    let [_, _, z1, _] = first.extended().map(|x| scaled(method, x));
    let (mut double, m) = (z1 * 2, modulus());
    if method.signed() && double >= m {
        double -= m;
    }
    let layout = method.layout();
    let double = if method.signed() { layout.split_nearest(&double) } else { layout.split(&double) };
    [a, b, c, d, t1, u2, double.expect("below 2 M")]
}

fn operands(method: Method, first: &Point, [x2, y2, c2, z2]: [Fq; 4]) -> [Digits; 8] {
    let m = modulus();
    let [x1, y1, z1, t1] = first.extended().map(|x| scaled(method, x));
    let [x2, y2, c2, z2] = [x2, y2, c2, z2].map(|x| scaled(method, x));
    // M is added to differences where numbers are unsigned.
    let raise = if method.layout() == Layout::DIGITS_25 { m } else { BigInt::ZERO };
    let all = [&y1 - &x1 + &raise, &y2 - &x2 + &raise, y1 + x1, y2 + x2, t1, c2, z1, z2 * 2];
    all.map(|x| method.layout().split(&x).expect("below 6 M"))
}

/// The sum of the two points from the results of an addition in a layout, after the programmable logic's final reduction.
/// Returns `None` if the results are not the coordinates of a point. Montgomery's factor is common to all coordinates; it
/// is not removed, because the point is the same.
pub fn point_in(layout: Layout, results: &[Digits; 4]) -> Option<Point> {
    let [x, y, t, z] = results.each_ref().map(|digits| layout.residue(digits));
    Point::from_extended_unchecked_subgroup([x, y, z, t])
}

#[cfg(test)]
mod tests;
