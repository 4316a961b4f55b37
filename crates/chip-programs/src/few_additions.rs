//! Formulas with few additions, for this machine.
//!
//! A product in Fp2 costs one issue slot here, like an addition, and the multiplier idles while the arithmetic unit is
//! the bottleneck. Karatsuba, which replaces a product by several additions, is therefore slower; products by constants
//! and doubled operands replace additions after the product. Elements of Fp12 are six coordinates in tower order,
//! `a0 a2 a4 a1 a3 a5` for `Σ a_j·w^j`, `w⁶ = ξ`.

use super::tower::conjugate;
use pairwright_chip::compiler::Fp2;

/// Reorders coordinates from tower order to the coefficients of `w^0` to `w^5`.
fn by_power<R>([a0, a2, a4, a1, a3, a5]: [R; 6]) -> [R; 6] {
    [a0, a1, a2, a3, a4, a5]
}

/// Reorders the coefficients of `w^0` to `w^5` to tower order.
fn by_tower<R>([a0, a1, a2, a3, a4, a5]: [R; 6]) -> [R; 6] {
    [a0, a2, a4, a1, a3, a5]
}

/// The sum of terms, `None` for no terms.
fn sum<R: Fp2>(terms: Vec<R>) -> Option<R> {
    terms.into_iter().reduce(|a, b| a + b)
}

/// `Σ low + ξ·Σ high`.
fn fold<R: Fp2>(low: Vec<R>, high: Vec<R>) -> R {
    match (sum(low), sum(high)) {
        (Some(l), Some(h)) => l + h.mul_xi(),
        (Some(l), None) => l,
        (None, Some(h)) => h.mul_xi(),
        (None, None) => unreachable!("a coefficient of a product has terms"),
    }
}

/// `f·g`: 36 products, 30 additions, 5 multiplications by ξ.
pub fn mul<R: Fp2>(f: [R; 6], g: [R; 6]) -> [R; 6] {
    let (a, b) = (by_power(f), by_power(g));
    by_tower(std::array::from_fn(|k| {
        let term = |i: usize| a[i].clone() * b[(6 + k - i) % 6].clone();
        fold((0..=k).map(term).collect(), (k + 1..6).map(term).collect())
    }))
}

/// `f·g` by Karatsuba over Fp6 and the schoolbook method within Fp6: 27 products, 40 other operations. Shorter than
/// [`mul`] if all operations share one issue slot.
pub fn mul_karatsuba<R: Fp2>(f: [R; 6], g: [R; 6]) -> [R; 6] {
    let half = |x: &[R; 6], h: usize| [x[3 * h].clone(), x[3 * h + 1].clone(), x[3 * h + 2].clone()];
    let (f0, f1, g0, g1) = (half(&f, 0), half(&f, 1), half(&g, 0), half(&g, 1));
    let v0 = mul6(f0.clone(), g0.clone());
    let v1 = mul6(f1.clone(), g1.clone());
    let m = mul6(plus(f0, f1), plus(g0, g1));
    let [m0, m1, m2] = minus(minus(m, v0.clone()), v1.clone());
    let ([a0, a1, a2], [b0, b1, b2]) = (v0, v1);
    [a0 + b2.mul_xi(), a1 + b0, a2 + b1, m0, m1, m2]
}

/// `a·b` in Fp6: 9 products, 8 other operations.
pub fn mul6<R: Fp2>([a0, a1, a2]: [R; 3], [b0, b1, b2]: [R; 3]) -> [R; 3] {
    let m = |x: &R, y: &R| x.clone() * y.clone();
    [
        m(&a0, &b0) + (m(&a1, &b2) + m(&a2, &b1)).mul_xi(),
        m(&a0, &b1) + m(&a1, &b0) + m(&a2, &b2).mul_xi(),
        m(&a0, &b2) + m(&a1, &b1) + m(&a2, &b0),
    ]
}

fn plus<R: Fp2>([a, b, c]: [R; 3], [d, e, f]: [R; 3]) -> [R; 3] {
    [a + d, b + e, c + f]
}

fn minus<R: Fp2>([a, b, c]: [R; 3], [d, e, f]: [R; 3]) -> [R; 3] {
    [a - d, b - e, c - f]
}

/// `f²`: 21 products, 15 additions, 5 doublings, 5 multiplications by ξ.
pub fn square<R: Fp2>(f: [R; 6]) -> [R; 6] {
    let a = by_power(f);
    let twice: Vec<R> = a.iter().map(|x| x.clone().double()).collect();
    // The product a_i·a_j, doubled unless i = j.
    let term = |i: usize, j: usize| {
        if i == j { a[i].clone() * a[i].clone() } else { twice[i.min(j)].clone() * a[i.max(j)].clone() }
    };
    by_tower(std::array::from_fn(|k| {
        let low = (0..=k).filter(|&i| 2 * i <= k).map(|i| term(i, k - i)).collect();
        let high = (k + 1..6).filter(|&i| 2 * i <= k + 6).map(|i| term(i, k + 6 - i)).collect();
        fold(low, high)
    }))
}

/// `f·(l0 + l1·w² + l4·w³)`, the sparse form of a line: 18 products, 12 additions, 3 multiplications by ξ.
pub fn mul_by_line<R: Fp2>(f: [R; 6], line: [R; 3]) -> [R; 6] {
    let a = by_power(f);
    let sparse = [(0, &line[0]), (2, &line[1]), (3, &line[2])];
    by_tower(std::array::from_fn(|k| {
        let (mut low, mut high) = (Vec::new(), Vec::new());
        for (power, l) in sparse {
            let product = a[(6 + k - power) % 6].clone() * l.clone();
            if power <= k { low.push(product) } else { high.push(product) }
        }
        fold(low, high)
    }))
}

/// Constants of the twist that the tangent formula uses: `3b'`, `9b'`, `18b'`.
pub type Twist<R> = [R; 3];
/// The first argument of a pairing in the form that the line formulas use: `x`, `3x`, `-y`.
pub type Argument<R> = [R; 3];

/// `2·T` and the tangent at `T`, evaluated at `p`: eprint 2010/526, §4, as in the host's `double_step`, with
/// multiplications by constants instead of repeated additions. 15 products, 5 other operations.
pub fn double_step<R: Fp2>(
    [x, y, z]: [R; 3],
    twist: Twist<R>,
    [_, x3p, minus_y]: Argument<R>,
) -> ([R; 3], [R; 3]) {
    let [b3, b9, b18] = twist;
    let y2 = y.clone().double();
    let yy = y.clone() * y;
    let yy4 = y2.clone() * y2.clone();
    let yz2 = y2.clone() * z.clone();
    let zz = z.clone() * z;
    let (e, e3, e6) = (zz.clone() * b3, zz.clone() * b9, zz * b18);
    let x3 = (x.clone() * y2) * (yy.clone() - e3.clone());
    let y3 = yy.clone() * (yy.clone() + e6) - e.clone() * e3;
    let z3 = yy4 * yz2.clone();
    ([x3, y3, z3], [e - yy, (x.clone() * x) * x3p, yz2 * minus_y])
}

/// `T + Q` and the line through both, evaluated at `p`, negated: eprint 2010/526, §4. 15 products, 8 other operations.
pub fn add_step<R: Fp2>(
    [x, y, z]: [R; 3],
    [qx, qy]: [R; 2],
    [xp, _, minus_y]: Argument<R>,
) -> ([R; 3], [R; 3]) {
    let theta = y.clone() - qy.clone() * z.clone();
    let lambda = x.clone() - qx.clone() * z.clone();
    let c = theta.clone() * theta.clone();
    let d = lambda.clone() * lambda.clone();
    let e = lambda.clone() * d.clone();
    let g = x * d;
    let h = e.clone() + z.clone() * c - g.clone() - g.clone();
    let y3 = theta.clone() * (g - h.clone()) - e.clone() * y;
    let line = [lambda.clone() * qy - theta.clone() * qx, theta * xp, lambda.clone() * minus_y];
    ([lambda * h, y3, z * e], line)
}

/// `f²` in the cyclotomic subgroup: Granger and Scott (eprint 2009/565, §3.2) with the factors 2, 3 and 6 moved into
/// the operands: 9 products, 24 other operations, 17 of them before the products. The second argument holds the
/// constants 1 and 2.
pub fn cyclotomic_square<R: Fp2>(f: [R; 6], [one, two]: [R; 2]) -> [R; 6] {
    let [a0, a1, a2, a3, a4, a5] = by_power(f);
    let both = |x: &R| {
        let twice = x.clone().double();
        (twice.clone(), twice + x.clone())
    };
    let (_, a0x3) = both(&a0);
    let (a1x2, a1x3) = both(&a1);
    let (a2x2, a2x3) = both(&a2);
    let (a3x2, a3x3) = both(&a3);
    let (a4x2, a4x3) = both(&a4);
    let (a5x2, a5x3) = both(&a5);
    let (b3, b4, b5) = (a3x3.mul_xi(), a4x3.mul_xi(), a5x3.mul_xi());
    // 3(a0² + ξ·a3²) - 2·a0 and 6·a0·a3 + 2·a3: both results depend only on this pair.
    let r0 = a0.clone() * (a0x3.clone() - two) + a3 * b3;
    let r3 = (a0x3 + one) * a3x2;
    // 3(a1² + ξ·a4²) - 2·a2 and 6·a1·a4 + 2·a5.
    let r2 = (a1.clone() * a1x3.clone() - a2x2.clone()) + a4.clone() * b4;
    let r5 = a1x3 * a4x2.clone() + a5x2;
    // 3(a2² + ξ·a5²) - 2·a4 and 6ξ·a2·a5 + 2·a1.
    let r4 = (a2 * a2x3 - a4x2) + a5 * b5.clone();
    let r1 = a2x2 * b5 + a1x2;
    by_tower([r0, r1, r2, r3, r4, r5])
}

/// `n` squarings in the cyclotomic subgroup.
pub fn cyclotomic_squares<R: Fp2>(f: [R; 6], constants: [R; 2], n: usize) -> [R; 6] {
    (0..n).fold(f, |f, _| cyclotomic_square(f, constants.clone()))
}

/// `f̄/f`, the first part of the final exponentiation, computed as `f̄²` over the norm to Fp6, so that the square is
/// not on the critical path to the inversion. Zero for zero.
pub fn unitary<R: Fp2>(f: [R; 6]) -> [R; 6] {
    let [a0, a1, a2, b0, b1, b2] = f.clone();
    let square = square(conjugate(f));
    // c0² - v·c1².
    let double = |x: R| x.double();
    let s = |[x, y, z]: [R; 3]| {
        let m = |p: &R, q: &R| p.clone() * q.clone();
        let (x2, y2) = (double(x.clone()), double(y.clone()));
        [m(&x, &x) + m(&y2, &z).mul_xi(), m(&x2, &y) + m(&z, &z).mul_xi(), m(&x2, &z) + m(&y, &y)]
    };
    let ([p0, p1, p2], [q0, q1, q2]) = (s([a0, a1, a2]), s([b0, b1, b2]));
    let (a, b, c) = (p0 - q2.mul_xi(), p1 - q0, p2 - q1);
    let m = |p: &R, q: &R| p.clone() * q.clone();
    let t0 = m(&a, &a) - m(&b, &c).mul_xi();
    let t1 = m(&c, &c).mul_xi() - m(&a, &b);
    let t2 = m(&b, &b) - m(&a, &c);
    let norm = m(&a, &t0) + (m(&c, &t1) + m(&b, &t2)).mul_xi();
    let d = super::tower::invert_fp2(norm);
    let inverse = [m(&t0, &d), m(&t1, &d), m(&t2, &d)];
    let [s0, s1, s2, s3, s4, s5] = square;
    let [r0, r1, r2] = mul6([s0, s1, s2], inverse.clone());
    let [r3, r4, r5] = mul6([s3, s4, s5], inverse);
    [r0, r1, r2, r3, r4, r5]
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairwright_chip::compiler::{coordinates_of, fp12};
    use pairwright_curve::bls12_381::{Fq2, Fq12, Parameters};
    use pairwright_curve::pairing::{self, PairingData};
    use pairwright_field::{Field, Ring};
    use rand_chacha::ChaCha8Rng;
    use rand_core::SeedableRng;

    fn host(f: [Fq2; 6]) -> Fq12 {
        let f = fp12(f);
        let six = |c: pairwright_chip::compiler::Fp6<Fq2>| pairwright_field::Cubic::new(c.c0, c.c1, c.c2);
        Fq12::new(six(f.c0), six(f.c1))
    }

    fn random(rng: &mut ChaCha8Rng) -> Fq12 {
        Fq12::random(rng)
    }

    #[test]
    fn products_squares_and_quotients_are_those_of_the_tower() {
        let mut rng = ChaCha8Rng::seed_from_u64(11);
        for _ in 0..8 {
            let (f, g) = (random(&mut rng), random(&mut rng));
            let (c, d) = (coordinates_of(&f), coordinates_of(&g));
            assert_eq!(host(mul(c, d)), f * g);
            assert_eq!(host(mul_karatsuba(c, d)), f * g);
            assert_eq!(host(square(c)), Ring::square(f));
            let line = [d[0], d[1], d[2]];
            let full = host([line[0], line[1], Fq2::ZERO, Fq2::ZERO, line[2], Fq2::ZERO]);
            assert_eq!(host(mul_by_line(c, line)), f * full);
            let unit = f.conjugate() * f.invert().unwrap();
            assert_eq!(host(unitary(c)), unit);
            let one = Fq2::ONE;
            let cyclotomic = pairing::easy_part::<Parameters>(&f).unwrap();
            let squared = cyclotomic_square(coordinates_of(&cyclotomic), [one, one.double()]);
            assert_eq!(host(squared), Ring::square(cyclotomic));
        }
    }

    #[test]
    fn lines_are_the_hosts_up_to_a_factor_that_the_final_exponentiation_removes() {
        let mut rng = ChaCha8Rng::seed_from_u64(12);
        let b = <pairwright_curve::bls12_381::G2 as pairwright_curve::Curve>::B;
        let b3 = b.double() + b;
        let b9 = b3.double() + b3;
        let draw = |rng: &mut ChaCha8Rng| [(); 3].map(|()| Fq2::random(rng));
        for _ in 0..8 {
            let (t, q, p) = (draw(&mut rng), draw(&mut rng), draw(&mut rng));
            let p = [p[0], p[0].double() + p[0], -p[1]];
            let (point, line) = double_step(t, [b3, b9, b9.double()], p);
            let (want, l) =
                pairing::lines::double_step(t, |x| Parameters::mul_3b_twist(x, Parameters::B_TWIST_3));
            assert_eq!(point, want);
            assert_eq!(line, [l.constant, l.along_x * p[0], l.along_y * -p[2]]);
            let (point, line) = add_step(t, [q[0], q[1]], p);
            let (want, l) = pairing::lines::add_step(t, [q[0], q[1]]);
            assert_eq!(point, want);
            assert_eq!(line, [-l.constant, -(l.along_x * p[0]), -(l.along_y * -p[2])]);
        }
    }
}
