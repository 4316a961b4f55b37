
#[cfg(test)]
mod tests {
    use super::*;

    /// For operands a and b: a, b, a + b, a - b, -a, a b, a a, 1 / a (0 for 0), a^b, computed when this text was
    /// generated.
    const VECTORS: &[[Integer; 9]] = &[
@vectors@    ];

    fn plain(a: &Element) -> Integer {
        let mut r = [0; INTEGER_WORDS];
        pw_from_montgomery(&mut r, a);
        r
    }

    #[test]
    fn results_are_those_of_integers() {
        for [x, y, sum, difference, negative, product, square, inverse, power] in VECTORS {
            let (mut a, mut b, mut r) = ([0; WORDS], [0; WORDS], [0; WORDS]);
            pw_to_montgomery(&mut a, x);
            pw_to_montgomery(&mut b, y);
            assert_eq!(plain(&a), *x);
            pw_add(&mut r, &a, &b);
            assert_eq!(plain(&r), *sum);
            pw_sub(&mut r, &a, &b);
            assert_eq!(plain(&r), *difference);
            pw_neg(&mut r, &a);
            assert_eq!(plain(&r), *negative);
            pw_mul(&mut r, &a, &b);
            assert_eq!(plain(&r), *product);
            pw_sqr(&mut r, &a);
            assert_eq!(plain(&r), *square);
            assert_eq!(plain(&pw_pow(&a, y)), *power);
            let _ = inverse;
            // begin inverse
            let mut out = [[0; WORDS]];
            pw_inv(&mut out, &[a]);
            assert_eq!(plain(&out[0]), *inverse);
            // end inverse
            assert_eq!(pw_from_bytes(&pw_to_bytes(&a)), Some(a));
            assert_eq!(pw_equal(&a, &b), x == y);
            assert_eq!(pw_is_zero(&a), *x == [0; INTEGER_WORDS]);
            assert_eq!(pw_less(&a, &b), x.iter().rev().lt(y.iter().rev()));
            assert_eq!([pw_pick(1, &a, &b), pw_pick(0, &a, &b)], [a, b]);
            // However an element is held, it is equal to itself.
            pw_sub(&mut r, &a, &a);
            assert!(pw_is_zero(&r));
            let mut back = [0; WORDS];
            pw_sub(&mut r, &a, &b);
            pw_add(&mut back, &r, &b);
            assert!(pw_equal(&back, &a));
        }
        let modulus: [u8; BYTES] = core::array::from_fn(|i| (PW_MODULUS[i / 8] >> (8 * (i % 8))) as u8);
        assert_eq!(pw_from_bytes(&modulus), None);
    }
    // begin ntt

    #[test]
    fn transforms_are_their_definition() {
        let n = 1usize << @log@;
        let mut x = vec![PW_ONE; n];
        for i in 1..n {
            let (last, mut square) = (x[i - 1], [0; WORDS]);
            pw_sqr(&mut square, &last);
            pw_add(&mut x[i], &square, &PW_ONE);
        }
        let (mut table, mut data) = (vec![[0; WORDS]; n], x.clone());
        pw_ntt_twiddles(&mut table, &PW_NTT_SEEDS);
        pw_ntt(1, &mut data, &table);
        let mut point = PW_ONE;
        for value in data.iter().take(5) {
            let mut sum = [0; WORDS];
            for x in x.iter().rev() {
                let mut product = [0; WORDS];
                pw_mul(&mut product, &sum, &point);
                pw_add(&mut sum, &product, x);
            }
            assert!(pw_equal(&sum, value));
            let last = point;
            pw_mul(&mut point, &last, &PW_NTT_SEEDS[0]);
        }
        pw_intt_twiddles(&mut table, &PW_INTT_SEEDS);
        pw_intt(1, &mut data, &table);
        assert!(data.iter().zip(&x).all(|(a, b)| pw_equal(a, b)));
    }
    // end ntt
}
