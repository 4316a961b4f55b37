//! Number-theoretic transforms over the three scalar fields, with operands and results in natural order as in arkworks, and the
//! extension for quotients: values on the domain to values on the odd coset.

use crate::bound::ProductCount;
use crate::operands::Operands;
use crate::peers::{self, rows_beside};
use crate::{Options, Row, Table, bridge, take_turns};
use ark_ff::FftField;
use ark_poly::{EvaluationDomain, Radix2EvaluationDomain};
use pairwright_cpu::Ntt;
use pairwright_device::{Direction, NttOp};
use pairwright_field::{Extension, PrimeField};
use pairwright_poly::{Buf, Domain};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(2);

fn values<F: PrimeField>(log: u32) -> Vec<F> {
    let mut rng = bridge::rng(8);
    (0..1 << log).map(|_| F::random(&mut rng)).collect()
}

/// The domain with the peers' root of unity, so that both sides compute the same values on BLS12-381 too.
fn domain<F: PrimeField + Extension<Prime = F>, A: FftField + ark_ff::PrimeField>(log: u32) -> Domain<F> {
    let ark = Radix2EvaluationDomain::<A>::new(1 << log).expect("a domain");
    Domain::with_root(log, bridge::from_ark(&ark.group_gen)).expect("a root")
}

fn row<F: PrimeField>(what: &str, log: u32, threads: usize, peer: &'static str, pair: &crate::Pair) -> Row {
    let transforms = if what == "extend" { 2.0 } else { 1.0 };
    Row::new(format!("{} {what}", F::NAME), format!("2^{log}"), threads, peer, pair, 1)
        .bounded(ProductCount::ntt::<F>(log) * transforms)
}

/// Rows compared with arkworks.
pub fn against_arkworks<F, A>(options: &Options, table: &mut Table, sizes: &[u32])
where
    F: PrimeField + Extension<Prime = F>,
    A: FftField + ark_ff::PrimeField,
{
    let ntt = Ntt::<F>::new();
    for log in options.sizes_or(sizes) {
        let values = values::<F>(log);
        let theirs: Vec<A> = bridge::primes_to_ark(&values);
        let ark = Radix2EvaluationDomain::<A>::new(1 << log).expect("a domain");
        let domain = domain::<F, A>(log);
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
            if !options.wants(&format!("{} {name}", F::NAME)) {
                continue;
            }
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
                table.push(row::<F>(name, log, threads, "arkworks", &pair));
            }
        }
    }
}

/// Rows compared with gnark-crypto, on the same values and with the same root; it checks that its results equal ours. Its
/// transform is followed by its reordering; its extension needs none, as ours.
pub fn against_gnark<F, A>(options: &Options, table: &mut Table, sizes: &[u32])
where
    F: PrimeField + Extension<Prime = F>,
    A: FftField + ark_ff::PrimeField,
{
    let ntt = Ntt::<F>::new();
    let curve = F::NAME.split(' ').next().unwrap_or_default();
    for log in options.sizes_or(sizes) {
        let (values, domain) = (values::<F>(log), domain::<F, A>(log));
        let shift: F = domain.odd_shift().expect("a double domain");
        for what in ["ntt", "extend"] {
            if !options.wants(&format!("{} {what}", F::NAME)) || peers::go().is_none() {
                continue;
            }
            let ours = |mut data: Buf<F>| {
                match what {
                    "ntt" => ntt.ntt(&domain, Direction::Forward, None, &mut data),
                    _ => ntt.extend(&domain, &mut data),
                }
                .expect("equal lengths");
                data
            };
            let fresh = || Buf::from(values.clone());
            let peer = Operands::new(1 << log)
                .elements(&values)
                .elements([&shift])
                .elements(ours(fresh()).iter())
                .gnark(curve, what);
            let row = |threads, peer, pair: &_| row::<F>(what, log, threads, peer, pair);
            rows_beside(peer, (options, table), BUDGET, fresh, ours, row);
        }
    }
}
