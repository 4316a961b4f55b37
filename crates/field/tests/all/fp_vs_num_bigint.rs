//! Prime fields compared with num-bigint: arithmetic, encodings, roots, for every shape of modulus.

use crate::common::on_fields;

on_fields!(
    arithmetic,
    inverses,
    encodings,
    refusals,
    decimals,
    reductions,
    powers,
    square_roots,
    unit_roots,
    order,
    constants,
);

mod super_tests {
    use crate::common::*;
    use num_bigint::BigUint;
    use pairwright_field::{FieldError, PrimeField};

    pub(crate) fn arithmetic<F: PrimeField>() {
        let p = modulus::<F>();
        let values = operands::<F>(24, 1);
        for a in &values {
            let x: F = element(a);
            assert_eq!(value(&x), *a);
            assert_eq!(value(&-x), (&p - a) % &p);
            assert_eq!(value(&x.double()), (a * 2u32) % &p);
            assert_eq!(value(&x.square()), (a * a) % &p, "{a}²");
            assert_eq!(x.is_zero(), *a == BigUint::ZERO);
            assert_eq!(x.is_odd(), a.bit(0));
            for b in &values {
                let y: F = element(b);
                assert_eq!(value(&(x + y)), (a + b) % &p, "{a} + {b}");
                assert_eq!(value(&(x - y)), (a + &p - b) % &p, "{a} - {b}");
                assert_eq!(value(&(x * y)), (a * b) % &p, "{a} · {b}");
                assert_eq!(x == y, a == b);
                let (mut s, mut d, mut m) = (x, x, x);
                s += y;
                d -= y;
                m *= y;
                assert_eq!((s, d, m), (x + y, x - y, x * y));
            }
        }
    }

    pub(crate) fn inverses<F: PrimeField>() {
        let p = modulus::<F>();
        for a in operands::<F>(2000, 2) {
            let want = a.modinv(&p);
            assert_eq!(element::<F>(&a).invert().map(|x| value(&x)), want, "1/{a}");
        }
        let exponent: Vec<u64> = (&p - 2u32).to_u64_digits();
        for a in (0..=2 * F::BITS).map(|k| (BigUint::from(1u32) << k) % &p) {
            let x: F = element(&a);
            assert_eq!(x.invert(), Some(x.pow_vartime(&exponent)), "by Fermat, 1/{a}");
        }
    }

    pub(crate) fn encodings<F: PrimeField>() {
        let p = modulus::<F>();
        let shift = BigUint::from(1u32) << (8 * F::BYTES);
        for a in operands::<F>(24, 3) {
            let x: F = element(&a);
            let (mut le, mut be, mut mont) = (vec![0; F::BYTES], vec![0; F::BYTES], vec![0; F::BYTES]);
            x.write_le(&mut le);
            x.write_be(&mut be);
            x.write_montgomery_le(&mut mont);
            assert_eq!(le, le_bytes(&a, F::BYTES));
            assert_eq!(be, le.iter().rev().copied().collect::<Vec<_>>());
            assert_eq!(mont, le_bytes(&(&a * &shift % &p), F::BYTES));
            assert_eq!(F::read_le(&le), Ok(x));
            assert_eq!(F::read_be(&be), Ok(x));
            assert_eq!(F::read_montgomery_le(&mont), Ok(x));
            assert_eq!(F::from_limbs(x.to_limbs()), Some(x));
            assert_eq!(F::from_montgomery(x.to_montgomery()), Some(x));
            assert_eq!(from_limbs(x.to_montgomery().as_ref()), &a * &shift % &p);
            assert_eq!(format!("{x}"), format!("0x{a:0width$x}", width = 2 * F::BYTES));
            assert_eq!(format!("{x:?}"), format!("{x}"));
        }
    }

    pub(crate) fn refusals<F: PrimeField>() {
        let p = modulus::<F>();
        let ones = (BigUint::from(1u32) << (8 * F::BYTES)) - 1u32;
        let not_reduced = Err(FieldError::NotReduced { field: F::NAME });
        for bad in [p.clone(), &p + 1u32, &p * 2u32 - 1u32, ones.clone(), &ones - 1u32] {
            let le = le_bytes(&bad, F::BYTES);
            let be: Vec<u8> = le.iter().rev().copied().collect();
            assert_eq!(F::read_le(&le), not_reduced, "{bad}");
            assert_eq!(F::read_be(&be), not_reduced);
            assert_eq!(F::read_montgomery_le(&le), not_reduced);
            assert_eq!(F::from_decimal(&bad.to_string()), not_reduced);
            let mut limbs = F::Limbs::default();
            for (l, c) in limbs.as_mut().iter_mut().zip(le.chunks_exact(8)) {
                *l = u64::from_le_bytes(c.try_into().expect("eight bytes"));
            }
            assert_eq!(F::from_limbs(limbs), None);
            assert_eq!(F::from_montgomery(limbs), None);
        }
        for n in [0, 1, F::BYTES - 1, F::BYTES + 1, 2 * F::BYTES] {
            let error = Err(FieldError::Length { expected: F::BYTES, found: n });
            assert_eq!(F::read_le(&vec![0; n]), error);
            assert_eq!(F::read_be(&vec![0; n]), error);
            assert_eq!(F::read_montgomery_le(&vec![0; n]), error);
        }
    }

    pub(crate) fn decimals<F: PrimeField>() {
        for a in operands::<F>(24, 4) {
            let x: F = element(&a);
            assert_eq!(x.to_decimal(), a.to_string());
            assert_eq!(F::from_decimal(&a.to_string()), Ok(x));
            assert_eq!(F::from_decimal(&format!("{}{a}", "0".repeat(500))), Ok(x), "leading zeros");
        }
        assert_eq!(F::from_decimal("0"), Ok(F::ZERO));
        assert_eq!(F::from_decimal(&"0".repeat(77)), Ok(F::ZERO));
        for (text, at) in [
            ("", 0),
            ("-1", 0),
            ("+1", 0),
            (" 1", 0),
            ("1 ", 1),
            ("0x1", 1),
            ("1e3", 1),
            ("1.0", 1),
            ("١", 0),
            ("12\0", 2),
        ] {
            assert_eq!(F::from_decimal(text), Err(FieldError::NotDecimal { at }), "{text:?}");
        }
        let huge = "9".repeat(100_000);
        assert_eq!(F::from_decimal(&huge), Err(FieldError::NotReduced { field: F::NAME }));
        assert_eq!(F::from_decimal(&format!("{huge}x")), Err(FieldError::NotDecimal { at: 100_000 }));
    }

    pub(crate) fn reductions<F: PrimeField>() {
        use rand_chacha::rand_core::Rng;
        let (p, mut rng) = (modulus::<F>(), rng(5));
        assert_eq!(F::from_limbs_reduced(&[]), F::ZERO);
        for n in 1..20 {
            for fill in [Some(u64::MAX), Some(0), Some(1), None] {
                let limbs: Vec<u64> = (0..n).map(|_| fill.unwrap_or_else(|| rng.next_u64())).collect();
                assert_eq!(value(&F::from_limbs_reduced(&limbs)), from_limbs(&limbs) % &p);
            }
        }
        for x in [0, 1, 2, 1 << 32, u64::MAX - 1, u64::MAX] {
            assert_eq!(value(&F::from(x)), BigUint::from(x) % &p);
        }
    }

    pub(crate) fn powers<F: PrimeField>() {
        let p = modulus::<F>();
        let exponents = operands::<F>(2, 6);
        for a in operands::<F>(2, 7).iter().step_by(3) {
            for e in exponents.iter().step_by(4) {
                let got = element::<F>(a).pow_vartime(&e.to_u64_digits());
                assert_eq!(value(&got), a.modpow(e, &p), "{a}^{e}");
            }
        }
        assert_eq!(F::ZERO.pow_vartime(&[]), F::ONE);
        assert_eq!(F::ZERO.pow_vartime(&[0, 0]), F::ONE);
    }

    pub(crate) fn square_roots<F: PrimeField>() {
        let p = modulus::<F>();
        let half = (&p - 1u32) / 2u32;
        let (mut roots, mut none) = (0, 0);
        for a in operands::<F>(40, 8) {
            let x: F = element(&a);
            match x.sqrt_vartime() {
                Some(r) => {
                    assert_eq!(r.square(), x);
                    roots += 1;
                }
                None => {
                    assert_eq!(a.modpow(&half, &p), &p - 1u32, "{a} has a root");
                    none += 1;
                }
            }
            assert_eq!(x.square().sqrt_vartime().map(|r| r == x || r == -x), Some(true));
        }
        assert!(roots > 0 && none > 0);
    }

    pub(crate) fn unit_roots<F: PrimeField>() {
        let p = modulus::<F>();
        let s = (&p - 1u32).trailing_zeros().expect("p > 1");
        assert_eq!(u64::from(F::TWO_ADICITY), s);
        assert_eq!(F::root_of_unity(F::TWO_ADICITY + 1), None);
        assert_eq!(F::root_of_unity(u32::MAX), None);
        // NON_RESIDUE^((p-1)/2^s), by the other library.
        let top = value(&F::NON_RESIDUE).modpow(&((&p - 1u32) >> s), &p);
        assert_eq!(F::root_of_unity(F::TWO_ADICITY).map(|x| value(&x)), Some(top));
        for k in 0..=F::TWO_ADICITY {
            let w = F::root_of_unity(k).expect("within the two-adicity");
            let mut power = w;
            for _ in 1..k {
                power = power.square();
            }
            assert_eq!(power, if k == 0 { F::ONE } else { -F::ONE }, "order 2^{k}");
            if k > 0 {
                assert_eq!(Some(w.square()), F::root_of_unity(k - 1));
            }
        }
    }

    pub(crate) fn order<F: PrimeField>() {
        let values = operands::<F>(8, 9);
        for a in &values {
            for b in &values {
                let (x, y): (F, F) = (element(a), element(b));
                assert_eq!(x.cmp(&y), a.cmp(b));
                assert_eq!(x.partial_cmp(&y), a.partial_cmp(b));
            }
        }
    }

    pub(crate) fn constants<F: PrimeField>() {
        let p = modulus::<F>();
        assert_eq!(u64::from(F::BITS), p.bits());
        assert_eq!(F::BYTES, 8 * F::MODULUS.as_ref().len());
        assert_eq!(value(&F::ONE), BigUint::from(1u32));
        assert_eq!(F::default(), F::ZERO);
        // `NON_RESIDUE` is a non-residue, and the smallest.
        let half = (&p - 1u32) / 2u32;
        let g: BigUint = value(&F::NON_RESIDUE);
        assert_eq!(g.modpow(&half, &p), &p - 1u32);
        let mut smaller = BigUint::from(1u32);
        while smaller < g {
            assert_eq!(smaller.modpow(&half, &p), BigUint::from(1u32), "{smaller} is a smaller non-residue");
            smaller += 1u32;
        }
    }
}
