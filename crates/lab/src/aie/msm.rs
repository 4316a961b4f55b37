//! Beyond the paper: whole MSMs on its board, phase by phase, compared with this machine's cores.

use super::board::board;
use super::designs::methods;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::measure::{Entry, Repeats, Work, measure};
use crate::row::Labels;
use crate::row::{Kind, Row};
use num_bigint::BigUint;
use pairwright_aie::Method;
use pairwright_aie::msm::{Job, Machine, MsmReport};

use pairwright_curve::bls12_377::{Fq, Fr, G1};
use pairwright_curve::{Affine, Jacobian, batch_to_affine};
use pairwright_device::MsmOp;
use pairwright_field::{Field, PrimeField};
use pairwright_poly::Buf;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::time::Duration;

/// The paper's board: additions per second, and seconds per dependent addition.
const PRINTED_RATE: f64 = 67.0e6;
const PRINTED_LATENCY: f64 = 1.05e-6;

const TIME: &str = "time of an MSM";

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let sizes: &[u32] = if context.quick { &[8] } else { &[12, 14, 16, 18, 20] };
    context.begin("aie/msm", methods(context).len() + sizes.len());
    for &log2_n in sizes {
        context.step(&format!("2^{log2_n} on the CPU"));
        outcome.rows.extend(on_the_cpu(context, log2_n)?);
    }
    for &method in methods(context) {
        context.step(&method.name());
        let machine = Machine::new(&board(method))?;
        for &log2_n in sizes {
            let job = Job::new(1 << log2_n);
            let serial = machine.simulate(&job.serial())?;
            // The paper's rates applied to the model's numbers of additions; aggregation consists of dependent
            // additions.
            if method == Method::PAPER {
                let tasks = &serial.tasks;
                let chained = tasks.bucket_aggregation + tasks.group_aggregation;
                let seconds = tasks.accumulation as f64 / PRINTED_RATE + chained as f64 * PRINTED_LATENCY;
                let note = format!(
                    "{} additions at 67.0 M/s, {chained} one after the other at 1.05 us, windows of {} bits",
                    tasks.accumulation, serial.window_bits
                );
                let mut row = row(TIME, log2_n, "the paper's rates", 1e3 * seconds, "ms", &note);
                row.kind = Kind::Estimated;
                outcome.keep(row);
            }
            let series = method.name();
            add_rows(&format!("{series}, one after the other"), log2_n, &serial, &mut outcome);
            add_rows(&series, log2_n, &machine.simulate(&job)?, &mut outcome);
        }
    }
    Ok(outcome)
}

fn row(what: &str, log2_n: u32, series: &str, value: f64, unit: &str, note: &str) -> Row {
    let place = Labels { quantity: what, operation: &format!("2^{log2_n}"), unit };
    Row { log2_n: Some(log2_n), bits: Some(377), ..place.modelled(series, value, note) }
}

/// Adds the rows of a modelled run.
fn add_rows(series: &str, log2_n: u32, run: &MsmReport, outcome: &mut Outcome) {
    let mut keep = |what: &str, value: f64, unit: &str, note: &str| {
        outcome.keep(row(what, log2_n, series, value, unit, note));
    };
    let windows = format!(
        "{} windows of {} bits, {} passes; {:?} is the bound, units busy {:.0} %, {:.0} % of the bandwidth",
        run.windows,
        run.window_bits,
        run.passes,
        run.bound,
        100.0 * run.utilisation,
        100.0 * run.bandwidth
    );
    keep(TIME, 1e3 * run.seconds, "ms", &windows);
    let total = run.pl_cycles.total() as f64;
    let share = |cycles: u64| 100.0 * cycles as f64 / total;
    let tasks = |tasks: u64| format!("{tasks} additions");
    keep("accumulation", share(run.pl_cycles.accumulation), "%", &tasks(run.tasks.accumulation));
    let aggregated = run.pl_cycles.bucket_aggregation + run.pl_cycles.group_aggregation;
    let note = tasks(run.tasks.bucket_aggregation + run.tasks.group_aggregation);
    keep("aggregation of buckets and groups", share(aggregated), "%", &note);
    keep("additions into buckets", run.tasks_per_second / 1e6, "M/s", "");
}

/// Points and scalars whose sum is known.
struct Input {
    bases: Buf<Affine<G1>>,
    scalars: Buf<Fr>,
    sum: Affine<G1>,
}

impl Input {
    /// The points are `a + i b` times the generator.
    fn new(seed: u64, count: usize) -> Self {
        let mut rng = ChaCha20Rng::seed_from_u64(seed);
        let mut random = || Fr::random(&mut rng);
        let (a, b) = (random(), random());
        let [from, step] = [a, b].map(multiple);
        let points: Vec<_> = core::iter::successors(Some(from), |p| Some(*p + step)).take(count).collect();
        let scalars: Vec<Fr> = core::iter::repeat_with(random).take(count).collect();
        let (mut factor, mut sum) = (a, Fr::ZERO);
        for scalar in &scalars {
            sum += factor * *scalar;
            factor += b;
        }
        Self {
            bases: batch_to_affine(&points).into(),
            scalars: scalars.into(),
            sum: multiple(sum).to_affine(),
        }
    }
}

fn multiple(k: Fr) -> Jacobian<G1> {
    Jacobian::generator().mul_vartime(&k)
}

struct Cpu<'a> {
    pool: &'a ThreadPool,
    input: &'a Input,
    scalars: Buf<Fr>,
    sum: Jacobian<G1>,
}

impl Work for Cpu<'_> {
    fn prepare(&mut self) -> Result<(), LabError> {
        // A new buffer for every run, since packed forms of a buffer are cached.
        self.scalars = self.input.scalars.to_vec().into();
        self.sum = Jacobian::default();
        Ok(())
    }

    fn run(&mut self) -> Result<Option<Duration>, LabError> {
        let (bases, scalars) = (self.input.bases.view(), self.scalars.view());
        let msm = || -> Result<_, _> { MsmOp::<G1>::msm(&pairwright_cpu::Msm::default(), bases, scalars) };
        self.sum = self.pool.install(msm)?.0;
        Ok(None)
    }

    fn results(&self) -> Result<Vec<BigUint>, LabError> {
        Ok(numbers(&self.sum.to_affine()))
    }
}

fn numbers(point: &Affine<G1>) -> Vec<BigUint> {
    let number = |x: Fq| {
        let mut bytes = [0; Fq::BYTES];
        x.write_le(&mut bytes);
        BigUint::from_bytes_le(&bytes)
    };
    vec![number(point.x), number(point.y)]
}

/// Measures the host device on one thread and on all threads, or reads the rows of the kept result.
fn on_the_cpu(context: &Context<'_>, log2_n: u32) -> Result<Vec<Row>, LabError> {
    if let Some(rows) = context.kept_rows("aie/msm")? {
        return Ok(rows.into_iter().filter(|row| row.log2_n == Some(log2_n)).collect());
    }
    let input = Input::new(context.seed, 1 << log2_n);
    let one = ThreadPoolBuilder::new().num_threads(1).build()?;
    let mut pools = vec![(1, &one)];
    if context.threads() > 1 {
        pools.push((context.threads(), context.pool()));
    }
    let names: Vec<_> = pools.iter().map(|(threads, _)| format!("host device, {threads} threads")).collect();
    let mut entries: Vec<Entry<'_>> = pools
        .iter()
        .zip(&names)
        .map(|((_, pool), name)| Entry {
            series: name.clone(),
            work: Box::new(Cpu { pool, input: &input, scalars: Buf::default(), sum: Jacobian::default() })
                as Box<dyn Work + '_>,
        })
        .collect();
    // The large sizes are run only twice.
    let whole = Repeats::new(context.quick);
    let plan = Repeats { turns: whole.turns.min(if log2_n > 16 { 1 } else { 4 }), ..whole };
    let timings = measure(&mut entries, |_| numbers(&input.sum), &format!("2^{log2_n} points"), plan)?;
    let rows = names.iter().zip(timings).map(|(series, (timing, _))| Row {
        device: "host".to_owned(),
        kind: Kind::Measured,
        median: Some(1e3 * timing.median),
        ..row(TIME, log2_n, series, 1e3 * timing.min, "ms", &format!("fastest of {} runs", timing.repeats))
    });
    Ok(rows.collect())
}
