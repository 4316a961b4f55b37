//! Every transform of every size over three fields.

use super::*;
use pairwright_curve::{bls12_377, bls12_381, bn254};

const KINDS: [Transform; 4] = [Transform::Ntt, Transform::Intt, Transform::CosetNtt, Transform::CosetIntt];

fn check_transforms<F: PrimeField>() {
    let mut engine = PolyOp::<F>::new(&PolySpec::paper()).unwrap();
    for log_len in map::LOG_LENGTHS {
        let domain = Domain::<F>::new(log_len).unwrap();
        let phi = domain.odd_shift().unwrap();
        let other = F::random(&mut ChaCha20Rng::seed_from_u64(9));
        for kind in KINDS {
            let cosets = if twiddle::is_coset(kind) { vec![phi, F::from(7), other] } else { vec![F::ONE] };
            for (set, coset) in (0u8..).map(|i| i % 2).zip(cosets) {
                let table = twiddle::table(kind, log_len, domain.root(), coset).unwrap();
                load_table(&mut engine, Bank::C, set, &table);
                let slot = ((map::WORDS >> log_len) - 1) as u8;
                let vector = random::<F>(u64::from(log_len), 1 << log_len);
                let (before, after) = ends(kind);
                load(&mut engine, set, slot, before, &vector);
                let work = engine.sub_ntt(set, slot, kind, log_len).unwrap();
                let expected = host(kind, &domain, coset, &vector);
                assert!(
                    store(&engine, set, slot, after, log_len) == expected,
                    "{} {kind:?} 2^{log_len}",
                    F::NAME
                );
                let butterflies = u64::from(log_len) << (log_len - 1);
                let at = if log_len % 2 == 0 { Bank::A } else { Bank::B };
                assert_eq!(engine.holder(set, slot, log_len), Ok(at));
                assert_eq!((work.products, work.element_cycles), (butterflies, butterflies));
                assert_eq!([work.additions, work.reads, work.writes], [2 * butterflies; 3]);
                assert_eq!(work.cycles, u64::from(log_len) * ((1 << (log_len - 3)) + 25));
            }
        }
    }
}

#[test]
fn transforms_over_bls12_381_equal_the_hosts() {
    check_transforms::<bls12_381::Fr>();
}

#[test]
fn transforms_over_bls12_377_equal_the_hosts() {
    check_transforms::<bls12_377::Fr>();
}

#[test]
fn transforms_over_bn254_equal_the_hosts() {
    check_transforms::<bn254::Fr>();
}
