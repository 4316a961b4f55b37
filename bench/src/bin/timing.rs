//! Whether the time of operations on secrets depends on the secrets, by dudect's method (Reparaz, Balasch and Verbauwhede,
//! ePrint 2016/1123).
//!
//!     timing [--seconds N] [FILTER]
//!
//! An operation runs on one fixed secret or on random ones, in random order, and Welch's t compares the times of both classes:
//! of all runs, and of those below some percentiles, since what an operating system adds hides small differences. An absolute
//! value above 10 shows that times differ. The last rows are operations in variable time, for which it must be above 10: else the
//! measurement sees nothing, and the others say nothing either. Exits with 1 if either fails.

use clap::Parser;
use pairwright_bench::bridge;
use pairwright_curve::{Affine, Curve, Pairing, Projective, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_field::{Field, PrimeField};
use pairwright_protocols::schemes::MinPk;
use pairwright_protocols::schemes::bls::SecretKey;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::Rng;
use std::hint::black_box;
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Above this absolute value of t times differ (dudect's bound).
const DIFFERENT: f64 = 10.0;
/// Shares of the runs, the fastest first, that are compared.
const SHARES: [f64; 5] = [0.5, 0.75, 0.9, 0.99, 1.0];
/// Secrets that are drawn before they are measured.
const DRAWN: usize = 64;

/// Looks for differences in time between secrets.
#[derive(Parser)]
struct Args {
    /// Seconds for each operation
    #[arg(long, default_value_t = 10.0)]
    seconds: f64,
    /// A word that an operation's name must contain
    #[arg(default_value = "")]
    filter: String,
}

/// Means and variances of the times of one class.
#[derive(Default)]
struct Times {
    count: f64,
    mean: f64,
    squares: f64,
}

impl Times {
    fn of(times: impl Iterator<Item = f64>) -> Self {
        times.fold(Self::default(), |mut sum, x| {
            sum.count += 1.0;
            let off = x - sum.mean;
            sum.mean += off / sum.count;
            sum.squares += off * (x - sum.mean);
            sum
        })
    }
    /// The variance of the mean.
    fn variance(&self) -> f64 {
        self.squares / (self.count - 1.0) / self.count
    }
}

/// The largest absolute value of Welch's t over the shares of the runs.
fn welch(runs: &mut [(bool, f64)]) -> f64 {
    runs.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
    let of_share = |share: f64| {
        let runs = &runs[..(share * runs.len() as f64) as usize];
        let class = |fixed: bool| Times::of(runs.iter().filter(|run| run.0 == fixed).map(|run| run.1));
        let [a, b] = [true, false].map(class);
        let t = (a.mean - b.mean) / (a.variance() + b.variance()).sqrt();
        // Too few runs, or all of one time, tell nothing.
        if t.is_finite() { t.abs() } else { 0.0 }
    };
    SHARES.into_iter().map(of_share).fold(0.0, f64::max)
}

/// What was asked, and whether everything was as it should be.
struct Judge {
    args: Args,
    rng: ChaCha20Rng,
    good: bool,
}

impl Judge {
    /// Compares a fixed secret with random ones and prints a row.
    fn compare<S: Clone>(
        &mut self,
        name: &str,
        constant: bool,
        fixed: &S,
        mut random: impl FnMut(&mut ChaCha20Rng) -> S,
        mut run: impl FnMut(&S),
    ) {
        if !name.contains(&self.args.filter) {
            return;
        }
        let (end, mut runs) = (Instant::now() + Duration::from_secs_f64(self.args.seconds), Vec::new());
        while Instant::now() < end {
            let drawn: Vec<(bool, S)> = (0..DRAWN)
                .map(|_| {
                    let (class, other) = (self.rng.next_u32() & 1 == 1, random(&mut self.rng));
                    (class, if class { fixed.clone() } else { other })
                })
                .collect();
            for (class, secret) in &drawn {
                let start = Instant::now();
                run(black_box(secret));
                runs.push((*class, start.elapsed().as_nanos() as f64));
            }
        }
        // The first runs warm up.
        let t = welch(&mut runs[DRAWN..]);
        let as_it_should = (t <= DIFFERENT) == constant;
        self.good &= as_it_should;
        let promise = if constant { "constant" } else { "variable" };
        let verdict = if as_it_should { "yes" } else { "**no**" };
        println!("| {name} | {promise} | {} | {t:.1} | {verdict} |", runs.len());
    }

    /// Operations on a secret scalar, beside one and minus one, and beside zero where that is not told from others by the
    /// result: by an inverse that is missing, by a point at infinity.
    fn scalars<F: PrimeField>(&mut self, name: &str, [constant, zero]: [bool; 2], mut run: impl FnMut(&F)) {
        let fixed = [("one", F::ONE), ("minus one", -F::ONE), ("zero", F::ZERO)];
        for (which, fixed) in fixed.into_iter().take(if zero { 3 } else { 2 }) {
            self.compare(
                &format!("{name}, beside {which}"),
                constant,
                &fixed,
                |rng| F::random(rng),
                &mut run,
            );
        }
    }

    /// Multiples of points of a group by secrets, one and eight at a time on the host device.
    fn group<E: Pairing, C: Curve<Scalar = E::Fr>>(
        &mut self,
        many: impl Fn(&[Affine<C>], &[E::Fr]) -> Vec<Affine<C>>,
    ) {
        let points: Vec<Affine<C>> = (1u64..9)
            .map(|k| Affine::from(Affine::<C>::generator().to_jacobian().mul_limbs_vartime(&[k])))
            .collect();
        let projective = Projective::from(points[3]);
        self.scalars::<E::Fr>(&format!("{}, a multiple", C::NAME), [true, true], |k| {
            black_box(projective.mul(k));
        });
        self.scalars::<E::Fr>(
            &format!("{}, eight multiples on the host device", C::NAME),
            [true, false],
            |k| {
                black_box(many(&points, &[*k; 8]));
            },
        );
    }
}

fn main() -> ExitCode {
    let args = Args::parse();
    // One thread, so that no run waits for another one.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    let mut judge = Judge { args, rng: bridge::rng(1), good: true };
    println!("| operation | time | runs | largest t | as it should be |\n|---|---|---|---|---|");
    let board = pairwright_cpu::board::<Bn254>();
    judge.group::<Bn254, <Bn254 as Pairing>::G1>(|p, k| {
        board.points_g1.scale_by_secrets(p, k).expect("as many").0
    });
    judge.group::<Bn254, <Bn254 as Pairing>::G2>(|p, k| {
        board.points_g2.scale_by_secrets(p, k).expect("as many").0
    });
    let board = pairwright_cpu::board::<Bls12_381>();
    judge.group::<Bls12_381, _>(|p, k| board.points_g1.scale_by_secrets(p, k).expect("as many").0);
    type Fr = <Bls12_381 as Pairing>::Fr;
    judge.scalars::<Fr>("BLS12-381 Fr, an inverse", [true, false], |k| {
        black_box(k.invert());
    });
    judge.scalars::<Fr>("BLS12-381 Fr, a thousand products", [true, true], |k| {
        black_box((0..1000).fold(Fr::NON_RESIDUE, |product, _| product * black_box(*k)));
    });
    let message = Affine::<<Bls12_381 as Pairing>::G2>::generator();
    let key = |k: &Fr| {
        let mut bytes = [0; 32];
        k.write_be(&mut bytes);
        SecretKey::from_bytes(&bytes).expect("not zero").sign_point::<MinPk>(&message)
    };
    let random = |rng: &mut ChaCha20Rng| Fr::random(rng);
    judge.compare("BLS signature, beside key one", true, &Fr::ONE, random, |k| {
        black_box(key(k));
    });
    let point = message.to_jacobian();
    judge.scalars::<Fr>("BLS12-381 G2, a multiple in variable time", [false, true], |k| {
        black_box(point.mul_vartime(k));
    });
    if judge.good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
