//! Point additions on this machine's cores: with GMP, like the baseline of \[AIE\], and with our own host code.
//!
//! Independent additions are mixed ones with seven products, of 2^10 points in extended coordinates and as many affine
//! triples. The sum of a chain consists of complete additions, each of which waits for the previous one. GMP's chain
//! multiplies `T` by the curve's constant and continues with a mixed addition, as \[AIE\] V.A does on the board: eight
//! products. Every result is compared with the sum on the Weierstrass curve.

use crate::LabError;
use crate::experiment::Context;
use crate::gmp::{Layer, Mpn, Mpz};
use crate::measure::{Entry, Repeats, Timing, Work, measure};
use crate::row::Row;
use num_bigint::BigUint;
use pairwright_curve::bls12_377::edwards::{AffinePoint, G1Edwards, Point};
use pairwright_curve::bls12_377::{Fq, Fr};
use pairwright_curve::{Jacobian, TwistedEdwards};
use pairwright_field::{Field, PrimeField, Ring};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Duration;

/// The measured task.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Task {
    /// Additions that do not depend on each other.
    Apart,
    /// A sum of many points, with dependent additions.
    Chain,
}

/// The time of a measured series.
pub(super) struct Time {
    pub(super) series: String,
    pub(super) threads: usize,
    /// Seconds per addition, over all threads together: of the fastest run, and the median.
    pub(super) seconds: f64,
    pub(super) median: f64,
    pub(super) note: String,
}

impl Time {
    /// The time stored in a row that [`board::measured`](super::board::measured) made.
    fn of(row: &Row) -> Self {
        let seconds = row.ours.unwrap_or(f64::NAN) / 1e9;
        Self {
            series: row.series.clone(),
            threads: row.operation.split(' ').next().and_then(|n| n.parse().ok()).unwrap_or(1),
            seconds,
            median: row.median.map_or(seconds, |ns| ns / 1e9),
            note: row.note.clone(),
        }
    }
}

/// Measures every implementation on one thread and, for independent additions, on all threads; or reads the times from
/// the kept result of `id`.
pub(super) fn times(context: &Context<'_>, task: Task, id: &str) -> Result<Vec<Time>, LabError> {
    if let Some(rows) = context.kept_rows(id)? {
        return Ok(rows.iter().map(Time::of).collect());
    }
    let log2_n = if context.quick { 4 } else { 10 };
    let most = context.threads();
    let one = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut pools = vec![(1, &one)];
    if task == Task::Apart && most > 1 {
        pools.push((most, context.pool()));
    }
    let input = Input::new(context.seed, 1 << log2_n);
    let q = number(-Fq::ONE) + 1u8;
    let what = format!("a sum of 2^{log2_n} points");
    let mut entries = Vec::new();
    let mut names = Vec::new();
    for (threads, pool) in pools {
        if let Ok(gmp) = context.gmp {
            let mpz = Additions::new(Mpz::modulo(gmp, &q), task, pool, &input);
            let mpn = Additions::new(Mpn::modulo(gmp, &q), task, pool, &input);
            names.extend([(Mpz::NAME, threads), (Mpn::NAME, threads)]);
            entries.push(entry(Mpz::NAME, mpz));
            entries.push(entry(Mpn::NAME, mpn));
        }
        names.push((HOST, threads));
        entries.push(entry(HOST, Host { task, pool, input: &input, sums: Vec::new() }));
    }
    let right = input.sums(task);
    let timings = measure(&mut entries, |_| right.clone(), &what, Repeats::new(context.quick))?;
    let each = f64::from(1u32 << log2_n);
    let time = |((series, threads), (timing, _)): ((&str, usize), (Timing, usize))| Time {
        series: series.to_owned(),
        threads,
        seconds: timing.min / each,
        median: timing.median / each,
        note: format!("fastest of {} runs of 2^{log2_n} additions", timing.repeats),
    };
    Ok(names.into_iter().zip(timings).map(time).collect())
}

/// The series name of our own field and curve code.
pub(super) const HOST: &str = "curve";

fn entry<'a>(series: &str, work: impl Work + 'a) -> Entry<'a> {
    Entry { series: series.to_owned(), work: Box::new(work) }
}

fn number(x: Fq) -> BigUint {
    let mut bytes = [0; Fq::BYTES];
    x.write_le(&mut bytes);
    BigUint::from_bytes_le(&bytes)
}

/// Random points of the subgroup.
struct Input {
    /// Points in extended coordinates with random `Z`.
    first: Vec<Point>,
    second: Vec<AffinePoint>,
    /// The second operands in extended coordinates.
    extended: Vec<Point>,
}

impl Input {
    fn new(seed: u64, count: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut random = || Point::generator().mul_limbs_vartime(&Fr::random(&mut rng).to_limbs());
        let mut walk = || {
            let (from, step) = (random(), random());
            core::iter::successors(Some(from), move |p| Some(*p + step)).take(count).collect::<Vec<_>>()
        };
        let (first, second) = (walk(), walk());
        let second = Point::batch_to_triples(&second).expect("points of the subgroup");
        let extended = second.iter().map(AffinePoint::to_extended).collect();
        Self { first, second, extended }
    }

    /// Affine coordinates of the expected results, computed on the Weierstrass curve.
    fn sums(&self, task: Task) -> Vec<BigUint> {
        let weierstrass = |points: &[Point]| {
            let images = Point::batch_to_weierstrass(points).expect("points of the subgroup");
            images.into_iter().map(Jacobian::from).collect::<Vec<_>>()
        };
        let second = weierstrass(&self.extended);
        let sums = match task {
            Task::Apart => weierstrass(&self.first).into_iter().zip(second).map(|(p, q)| p + q).collect(),
            Task::Chain => vec![second.into_iter().sum::<Jacobian<_>>()],
        };
        let images: Vec<Point> = sums
            .into_iter()
            .map(|sum| Point::from_weierstrass(&sum.to_affine()).expect("a point of the subgroup"))
            .collect();
        affine(&images)
    }
}

/// The affine coordinates of points, one point after the other.
fn affine(points: &[Point]) -> Vec<BigUint> {
    points.iter().flat_map(|point| point.to_affine().map(number)).collect()
}

/// Additions by our own field and curve code.
struct Host<'a> {
    task: Task,
    pool: &'a ThreadPool,
    input: &'a Input,
    sums: Vec<Point>,
}

impl Work for Host<'_> {
    fn prepare(&mut self) -> Result<(), LabError> {
        self.sums = match self.task {
            Task::Apart => self.input.first.clone(),
            Task::Chain => vec![Point::IDENTITY],
        };
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let Self { task, pool, input, sums } = self;
        match task {
            Task::Apart => {
                let piece = sums.len().div_ceil(pool.current_num_threads());
                pool.install(|| {
                    let pieces = sums.par_chunks_mut(piece).zip(input.second.par_chunks(piece));
                    pieces.for_each(|(sums, points)| {
                        sums.iter_mut().zip(points).for_each(|(sum, point)| *sum += *point);
                    });
                });
            }
            Task::Chain => sums[0] = input.extended.iter().fold(sums[0], |sum, point| sum + *point),
        }
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        Ok(affine(&self.sums))
    }
}

/// The same additions by an interface of GMP; numbers are reduced after every operation.
struct Additions<'a, L: Layer> {
    layer: L,
    task: Task,
    pool: &'a ThreadPool,
    input: &'a Input,
    /// The constant `2d` of the curve.
    k: Vec<L::Word>,
    /// `(X, Y, Z, T)` of each sum.
    sums: Vec<L::Word>,
    /// `(x, y, u)` of each point, or `(x, y, t)` in a chain.
    points: Vec<L::Word>,
}

impl<'a, L: Layer> Additions<'a, L> {
    fn new(layer: L, task: Task, pool: &'a ThreadPool, input: &'a Input) -> Self {
        let third = |point: &AffinePoint| match task {
            Task::Apart => point.coordinates()[2],
            Task::Chain => point.to_extended().extended()[3],
        };
        let coordinates = |point: &AffinePoint| {
            let [x, y, _] = point.coordinates();
            [x, y, third(point)].map(number)
        };
        let points = layer.load(&input.second.iter().flat_map(coordinates).collect::<Vec<_>>());
        let k = layer.load(&[number(G1Edwards::D.double())]);
        Self { layer, task, pool, input, k, sums: Vec::new(), points }
    }
}

/// Temporary numbers of an addition.
struct Temporaries<L: Layer> {
    numbers: Vec<L::Word>,
    scratch: L::Scratch,
}

impl<L: Layer> Temporaries<L> {
    const NUMBERS: usize = 10;

    fn new(layer: &L) -> Self {
        Self { numbers: layer.load(&vec![BigUint::ZERO; Self::NUMBERS]), scratch: layer.scratch() }
    }
}

/// Splits words into `N` numbers of `stride` words.
fn numbers<T, const N: usize>(words: &[T], stride: usize) -> [&[T]; N] {
    core::array::from_fn(|i| &words[i * stride..(i + 1) * stride])
}

/// `sum += point`, by `madd-2008-hwcd-3`.
fn add<L: Layer>(layer: &L, sum: &mut [L::Word], point: [&[L::Word]; 3], temporaries: &mut Temporaries<L>) {
    let n = layer.stride();
    let s = &mut temporaries.scratch;
    let mut rest = temporaries.numbers.chunks_exact_mut(n);
    let mut next = || rest.next().expect("room for ten numbers");
    let [d1, d2, a, b, c, d, e, f, g, h] = core::array::from_fn(|_| next());
    let [x2, y2, u2] = point;
    {
        let [x1, y1, z1, t1] = numbers(sum, n);
        layer.sub(d1, y1, x1);
        layer.sub(d2, y2, x2);
        layer.mul(a, d1, d2, s);
        layer.add(d1, y1, x1);
        layer.add(d2, y2, x2);
        layer.mul(b, d1, d2, s);
        layer.mul(c, t1, u2, s);
        layer.add(d, z1, z1);
    }
    layer.sub(e, b, a);
    layer.sub(f, d, c);
    layer.add(g, d, c);
    layer.add(h, b, a);
    for (out, (left, right)) in sum.chunks_exact_mut(n).zip([(&*e, &*f), (g, h), (f, g), (e, h)]) {
        layer.mul(out, left, right, s);
    }
}

impl<L: Layer> Work for Additions<'_, L>
where
    L::Scratch: Send,
{
    fn prepare(&mut self) -> Result<(), LabError> {
        let identity = [Point::IDENTITY];
        let points = match self.task {
            Task::Apart => &self.input.first[..],
            Task::Chain => &identity,
        };
        let numbers = points.iter().flat_map(|point| point.extended().map(number));
        self.sums = self.layer.load(&numbers.collect::<Vec<_>>());
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let n = self.layer.stride();
        let Self { layer, task, pool, k, sums, points, .. } = self;
        match task {
            Task::Apart => {
                let piece = (sums.len() / (4 * n)).div_ceil(pool.current_num_threads());
                let layer = &*layer;
                pool.install(|| {
                    let pieces = sums.par_chunks_mut(4 * n * piece).zip(points.par_chunks(3 * n * piece));
                    pieces.for_each(|(sums, points)| {
                        let mut temporaries = Temporaries::new(layer);
                        for (sum, words) in sums.chunks_exact_mut(4 * n).zip(points.chunks_exact(3 * n)) {
                            add(layer, sum, numbers(words, n), &mut temporaries);
                        }
                    });
                });
            }
            Task::Chain => {
                let mut temporaries = Temporaries::new(layer);
                let mut u = layer.load(&[BigUint::ZERO]);
                for words in points.chunks_exact(3 * n) {
                    let [x, y, t] = numbers(words, n);
                    layer.mul(&mut u, k, t, &mut temporaries.scratch);
                    add(layer, sums, [x, y, &u], &mut temporaries);
                }
            }
        }
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        let numbers = self.layer.store(&self.sums);
        let field = |x: &BigUint| Fq::from_limbs_reduced(&x.to_u64_digits());
        let point =
            |xyzt: &[BigUint]| Point::from_extended_unchecked_subgroup([0, 1, 2, 3].map(|i| field(&xyzt[i])));
        // Coordinates that are not a point are dropped, so that the comparison fails.
        let points: Vec<Point> = numbers.chunks_exact(4).map_while(point).collect();
        Ok(affine(&points))
    }
}
