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
use pairwright_device::{Device, Session};
use pairwright_field::{Field, PrimeField};
use pairwright_protocols::schemes::bls::SecretKey;
use pairwright_protocols::schemes::fe::{hiding, public};
use pairwright_protocols::schemes::{MinPk, abe, bbs};
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

/// How far the times of two classes are apart.
#[derive(Clone, Copy, Default)]
struct Apart {
    /// The absolute value of Welch's t.
    t: f64,
    /// The mean of the fixed secret's times over that of the others', less one, in percent.
    percent: f64,
}

/// The largest absolute value of Welch's t over the shares of the runs, and the difference in that share.
fn welch(runs: &mut [(bool, f64)]) -> Apart {
    runs.sort_unstable_by(|a, b| a.1.total_cmp(&b.1));
    let of_share = |share: f64| {
        let runs = &runs[..(share * runs.len() as f64) as usize];
        let class = |fixed: bool| Times::of(runs.iter().filter(|run| run.0 == fixed).map(|run| run.1));
        let [a, b] = [true, false].map(class);
        let t = (a.mean - b.mean) / (a.variance() + b.variance()).sqrt();
        // Too few runs, or all of one time, tell nothing.
        let apart = Apart { t: t.abs(), percent: 100.0 * (a.mean / b.mean - 1.0) };
        if t.is_finite() { apart } else { Apart::default() }
    };
    SHARES.into_iter().map(of_share).max_by(|a, b| a.t.total_cmp(&b.t)).unwrap_or_default()
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
        run: impl FnMut(&S),
    ) {
        let make = |class, rng: &mut ChaCha20Rng| {
            let other = random(rng);
            if class { fixed.clone() } else { other }
        };
        self.compare_made(name, constant, make, run);
    }

    /// Compares the secrets of two classes, the fixed one where a bit is set, and prints a row. All are made before they are
    /// measured, so that caches know none better than others.
    fn compare_made<S>(
        &mut self,
        name: &str,
        constant: bool,
        mut make: impl FnMut(bool, &mut ChaCha20Rng) -> S,
        mut run: impl FnMut(&S),
    ) {
        if !name.contains(&self.args.filter) {
            return;
        }
        let (end, mut runs) = (Instant::now() + Duration::from_secs_f64(self.args.seconds), Vec::new());
        while Instant::now() < end {
            let drawn: Vec<(bool, S)> = (0..DRAWN)
                .map(|_| {
                    let class = self.rng.next_u32() & 1 == 1;
                    (class, make(class, &mut self.rng))
                })
                .collect();
            for (class, secret) in &drawn {
                let start = Instant::now();
                run(black_box(secret));
                runs.push((*class, start.elapsed().as_nanos() as f64));
            }
        }
        // The first runs warm up.
        let Apart { t, percent } = welch(&mut runs[DRAWN..]);
        let as_it_should = (t <= DIFFERENT) == constant;
        self.good &= as_it_should;
        let promise = if constant { "constant" } else { "variable" };
        let verdict = if as_it_should { "yes" } else { "**no**" };
        println!("| {name} | {promise} | {} | {t:.1} | {percent:+.3} % | {verdict} |", runs.len());
    }

    /// Operations on a secret scalar, beside one that was drawn, one and minus one, and beside zero where that is not told from
    /// others by the result: by an inverse that is missing, by a point at infinity. With one and minus one most operands are
    /// zero, and what a processor does with zeros takes less power, which may change its clock; with the drawn one digits differ
    /// and operands do not. So a difference beside the drawn one is of the program.
    fn scalars<F: PrimeField>(&mut self, name: &str, [constant, zero]: [bool; 2], mut run: impl FnMut(&F)) {
        let drawn = F::random(&mut self.rng);
        let fixed = [("one drawn", drawn), ("one", F::ONE), ("minus one", -F::ONE), ("zero", F::ZERO)];
        for (which, fixed) in fixed.into_iter().take(if zero { 4 } else { 3 }) {
            self.compare(
                &format!("{name}, beside {which}"),
                constant,
                &fixed,
                |rng| F::random(rng),
                &mut run,
            );
        }
    }

    /// Operations on one of the secrets of a pool, beside the first of them: for secrets that take long to make. `read` makes a
    /// secret from its bytes.
    fn pool<S>(
        &mut self,
        name: &str,
        pool: &[Vec<u8>],
        mut read: impl FnMut(&[u8]) -> S,
        run: impl FnMut(&S),
    ) {
        let make = |class: bool, rng: &mut ChaCha20Rng| {
            let other = 1 + rng.next_u32() as usize % (pool.len() - 1);
            read(&pool[if class { 0 } else { other }])
        };
        self.compare_made(name, true, make, run);
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

/// Secrets of a pool.
const POOL: usize = 24;

/// Signing and proving of BBS signatures: by other keys, with other blindings, of other messages that stay hidden.
fn of_bbs(judge: &mut Judge, device: &Device<Bls12_381>) {
    const MESSAGES: usize = 4;
    let suite = bbs::Ciphersuite::Sha256;
    let generators = bbs::Generators::new(&mut Session::new(device), suite, MESSAGES).expect("generators");
    let shown: [&[u8]; MESSAGES] = [b"one message"; MESSAGES];
    let signed_by = |k: &Fr| {
        let mut bytes = [0; 32];
        k.write_be(&mut bytes);
        bbs::SecretKey::from_bytes(&bytes).expect("not zero")
    };
    let random = |rng: &mut ChaCha20Rng| Fr::random(rng);
    judge.compare("BBS signature, beside key one", true, &Fr::ONE, random, |k| {
        black_box(signed_by(k).sign(&generators, b"", &shown).expect("signed"));
    });
    let secret = signed_by(&Fr::from(7));
    let key = secret.public_key();
    // Hidden messages of one length, as the length is no secret.
    let hidden = |rng: &mut ChaCha20Rng| {
        let mut text = [0; 32];
        rng.fill_bytes(&mut text);
        text
    };
    judge.compare("BBS signature, beside a message of zeros", true, &[0; 32], hidden, |text| {
        black_box(secret.sign(&generators, b"", &[text; MESSAGES].map(|t| t.as_slice())).expect("signed"));
    });
    let signature = secret.sign(&generators, b"", &shown).expect("signed");
    let statement = bbs::Statement { header: b"", presentation_header: b"", messages: &shown, indexes: &[0] };
    // Five scalars, and one for each hidden message.
    let blindings = |rng: &mut ChaCha20Rng| [(); MESSAGES + 4].map(|()| Fr::random(rng));
    judge.compare("BBS proof, beside blindings one", true, &[Fr::ONE; MESSAGES + 4], blindings, |random| {
        let proof = bbs::prove_with_scalars(&generators, &key, &signature, &statement, random);
        black_box(proof.expect("a proof"));
    });
}

/// Derivation of keys and decryption of attribute-based encryption.
fn of_abe(judge: &mut Judge, device: &Device<Bls12_381>) {
    let mut rng = bridge::rng(2);
    let on = || Session::new(device);
    let mut attributes = abe::Attributes::new();
    attributes.insert("role", "doctor").expect("an attribute");
    let systems: Vec<_> = (0..POOL).map(|_| abe::setup(&mut on(), &mut rng).expect("a system")).collect();
    let masters: Vec<_> = systems.iter().map(|(_, master)| master.to_bytes().to_vec()).collect();
    let read = |bytes: &[u8]| abe::MasterKey::from_bytes(bytes).expect("a key");
    judge.pool("TKN20 derivation, beside one master key", &masters, read, |master| {
        black_box(master.derive(&mut on(), &attributes, &mut bridge::rng(3)).expect("a key"));
    });
    let (public, master) = &systems[0];
    let policy: abe::Policy = "role: doctor".parse().expect("a policy");
    let sealed = public.encrypt(&mut on(), &policy, &[7; 64], &mut rng).expect("encrypted");
    let key = |_| master.derive(&mut on(), &attributes, &mut rng).expect("a key").to_bytes().to_vec();
    let keys: Vec<_> = (0..POOL).map(key).collect();
    let read = |bytes: &[u8]| abe::AttributeKey::from_bytes(bytes).expect("a key");
    judge.pool("TKN20 decryption, beside one key", &keys, read, |key| {
        black_box(key.decrypt(&mut on(), &sealed).expect("satisfied"));
    });
}

/// Derivation, encryption and decryption of functional encryption.
fn of_fe(judge: &mut Judge, device: &Device<Bls12_381>) {
    const DIMENSION: usize = 4;
    let mut rng = bridge::rng(4);
    let on = || Session::new(device);
    let y = [3, -1, 4, 1];
    let vector = |rng: &mut ChaCha20Rng| [(); DIMENSION].map(|()| i64::from(rng.next_u32() as i32));

    let master = |_| public::MasterKey::random(DIMENSION, &mut rng).expect("a key");
    let masters: Vec<_> = (0..POOL).map(master).collect();
    let bytes: Vec<_> = masters.iter().map(|master| master.to_bytes().to_vec()).collect();
    let read = |bytes: &[u8]| public::MasterKey::from_bytes(bytes).expect("a key");
    judge.pool("ALS16 derivation, beside one master key", &bytes, read, |master| {
        black_box(master.derive(&y).expect("a key"));
    });
    let public = masters[0].public_key();
    let r = Fr::random(&mut rng);
    judge.compare("ALS16 encryption, beside a vector of zeros", true, &[0; DIMENSION], vector, |x| {
        black_box(public.encrypt_with(x, &r).expect("encrypted"));
    });
    judge.scalars::<Fr>("ALS16 encryption, its randomness", [true, false], |r| {
        black_box(public.encrypt_with(&y, r).expect("encrypted"));
    });
    let sealed = public.encrypt(&y, &mut rng).expect("encrypted");
    let key = |master: &public::MasterKey| master.derive(&y).expect("a key").to_bytes().to_vec();
    let keys: Vec<_> = masters.iter().map(key).collect();
    let read = |bytes: &[u8]| public::FunctionKey::from_bytes(bytes).expect("a key");
    judge.pool("ALS16 decryption, beside one key", &keys, read, |key| {
        black_box(key.decrypt_point(&mut on(), &sealed).expect("decrypted"));
    });

    let master = hiding::MasterKey::random(DIMENSION, &mut rng).expect("a key");
    let one = [1, 0, 0, 0];
    judge.compare("KLMMRW derivation, beside a vector of a one", true, &one, vector, |x| {
        black_box(master.derive(x, &mut bridge::rng(5)).expect("a key"));
    });
    judge.compare("KLMMRW encryption, beside a vector of a one", true, &one, vector, |x| {
        black_box(master.encrypt(x, &mut bridge::rng(5)).expect("encrypted"));
    });
}

type Fr = <Bls12_381 as Pairing>::Fr;

fn main() -> ExitCode {
    let args = Args::parse();
    // One thread, so that no run waits for another one.
    rayon::ThreadPoolBuilder::new().num_threads(1).build_global().expect("the first pool");
    let mut judge = Judge { args, rng: bridge::rng(1), good: true };
    println!(
        "| operation | time | runs | largest t | difference there | as it should be |\n|---|---|---|---|---|---|"
    );
    let board = pairwright_cpu::board::<Bn254>();
    judge.group::<Bn254, <Bn254 as Pairing>::G1>(|p, k| {
        board.points_g1.scale_by_secrets(p, k).expect("as many").0
    });
    judge.group::<Bn254, <Bn254 as Pairing>::G2>(|p, k| {
        board.points_g2.scale_by_secrets(p, k).expect("as many").0
    });
    let board = pairwright_cpu::board::<Bls12_381>();
    judge.group::<Bls12_381, _>(|p, k| board.points_g1.scale_by_secrets(p, k).expect("as many").0);
    judge.group::<Bls12_381, _>(|p, k| board.points_g2.scale_by_secrets(p, k).expect("as many").0);
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
    of_bbs(&mut judge, &board);
    of_abe(&mut judge, &board);
    of_fe(&mut judge, &board);
    let point = message.to_jacobian();
    judge.scalars::<Fr>("BLS12-381 G2, a multiple in variable time", [false, true], |k| {
        black_box(point.mul_vartime(k));
    });
    if judge.good { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
