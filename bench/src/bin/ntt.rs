//! Transforms over the three scalar fields, natural order in and out as arkworks has them, and the step of every
//! quotient: values on the domain to values on the odd coset.

use ark_ff::FftField;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use pairwright_bench::{Options, Row, Table, bridge, take_turns};
use pairwright_cpu::Ntt;
use pairwright_curve::{bls12_377, bls12_381, bn254};
use pairwright_device::{Direction, NttOp};
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::{Buf, Domain};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);

fn against_arkworks<F: PrimeField + Extension<Prime = F>, A: FftField + ark_ff::PrimeField>(
    options: &Options,
    table: &mut Table,
) {
    if !options.wants(F::NAME) {
        return;
    }
    let ntt = Ntt::<F>::new();
    for log_n in options.sizes_or(&[12, 16, 20]) {
        let mut rng = bridge::rng(8);
        let values: Vec<F> = (0..1 << log_n).map(|_| F::random(&mut rng)).collect();
        let theirs: Vec<A> = bridge::primes_to_ark(&values);
        let ark = Radix2EvaluationDomain::<A>::new(1 << log_n).expect("a domain");
        // arkworks' root, so that the same numbers are computed on BLS12-381 too.
        let domain = Domain::with_root(log_n, bridge::from_ark(&ark.group_gen)).expect("a root");
        let shift: F = domain.odd_shift().expect("a double domain");
        let ark_coset = ark.get_coset(bridge::prime_to_ark(&shift)).expect("a coset");

        type Ours<'a, F> = Box<dyn Fn(&mut Buf<F>) + Sync + 'a>;
        type Theirs<'a, A> = Box<dyn Fn(&mut Vec<A>) + Sync + 'a>;
        let ours = |dir, shift: Option<F>| -> Ours<'_, F> {
            let ntt = &ntt;
            Box::new(move |data| {
                ntt.ntt(&domain, dir, shift.as_ref(), data).expect("equal lengths");
            })
        };
        let rows: [(&str, Ours<'_, F>, Theirs<'_, A>); 5] = [
            ("ntt", ours(Direction::Forward, None), Box::new(|x| ark.fft_in_place(x))),
            ("intt", ours(Direction::Inverse, None), Box::new(|x| ark.ifft_in_place(x))),
            ("coset ntt", ours(Direction::Forward, Some(shift)), Box::new(|x| ark_coset.fft_in_place(x))),
            ("coset intt", ours(Direction::Inverse, Some(shift)), Box::new(|x| ark_coset.ifft_in_place(x))),
            (
                "extend",
                Box::new(|data| {
                    ntt.extend(&domain, data).expect("equal lengths");
                }),
                Box::new(|x| {
                    ark.ifft_in_place(x);
                    ark_coset.fft_in_place(x);
                }),
            ),
        ];
        for (name, ours, peer) in rows {
            let (mut a, mut b) = (Buf::from(values.clone()), theirs.clone());
            ours(&mut a);
            peer(&mut b);
            assert!(b == bridge::primes_to_ark::<F, A>(&a), "the same values");
            for (threads, pool) in options.pools() {
                let pair = pool.install(|| {
                    take_turns(
                        BUDGET,
                        || Buf::from(values.clone()),
                        |mut data| {
                            ours(&mut data);
                            data
                        },
                        || theirs.clone(),
                        |mut data| {
                            peer(&mut data);
                            data
                        },
                    )
                });
                let operator = format!("{} {name}", F::NAME);
                table.push(Row::new(operator, format!("2^{log_n}"), threads, "arkworks", &pair, 1));
            }
        }
    }
}

fn main() {
    let options = Options::from_args();
    let mut table = Table::new("ntt", &options);
    against_arkworks::<bn254::Fr, ark_bn254::Fr>(&options, &mut table);
    against_arkworks::<bls12_381::Fr, ark_bls12_381::Fr>(&options, &mut table);
    against_arkworks::<bls12_377::Fr, ark_bls12_377::Fr>(&options, &mut table);
    table.finish(&options);
}
