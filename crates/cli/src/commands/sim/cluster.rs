//! `pairwright sim cluster`: simulates the plan of a Groth16 proof on a cluster of modelled machines.

use super::operator::{choice, number};
use super::quantity::Sense;
use super::sweep::{self, Column, Costs as SweepCosts, Family};
use super::to_file;
use crate::args::{Cli, ProofOnCluster, SimCluster, Size};
use crate::commands::design::{Base, Named};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure};
use crate::files;
use crate::output;
use crate::progress::Progress;
use pairwright::curve::Pairing;
use pairwright::field::PrimeField;
use pairwright::scale::{
    Calibration, Cluster, KeySizes, KindTotal, Layout, Manifest, Plan, Prediction, Sizes, WitnessRange, plan,
    simulate,
};
use pairwright::sim::trace::Chrome;
use serde::Serialize;
use std::collections::BTreeMap;
use std::num::NonZeroUsize;
use std::path::Path;

/// The most blocks that are chosen by default: a plan lists every piece that one block writes for another.
const MOST_BLOCKS: usize = 512;
/// The most blocks of any plan, which has four million pieces per vector.
const LARGEST_PLAN: usize = 2048;
/// Number of threads of a worker.
const THREADS: usize = 1;

/// Simulates one design, or every point of a sweep.
pub(super) fn run(cli: &Cli, a: &SimCluster) -> Result<(), Failure> {
    let measured = match &a.measured {
        None => Calibration::none(),
        Some(path) => Calibration::parse(&path.display().to_string(), &files::read_text(path)?)?,
    };
    let base = base(a, &measured)?;
    let cluster = base.at(&[])?;
    base.check(&cluster)?;
    if a.designs.shows() {
        return a.designs.show(cli, &cluster);
    }
    if !a.designs.sweep.sweep.is_empty() {
        return sweep(cli, a, &base, cluster, &measured);
    }
    let progress = Progress::new(0, "cluster");
    let plan = a.proof.plan(&cluster)?;
    let found = simulate(&plan, &measured.costs, &cluster)?;
    if let Some(path) = &a.trace {
        to_file(path, |file| timeline(&plan, &found).write(file))?;
    }
    drop(progress);
    let figures = ClusterFigures::new(&plan, &found, &cluster, &measured);
    let report = ClusterReport {
        proof: &a.proof,
        cluster,
        measured: Source::of(&measured),
        kinds: found.kinds,
        figures,
    };
    output::print(cli, &report, text)
}

/// The cluster with all changes, except those of a sweep's points. Measured values apply where `--spec` and `--set` give none.
fn base(a: &SimCluster, measured: &Calibration) -> Result<Base<Cluster>, Failure> {
    let changes = a.designs.base.changes()?;
    let like = measured.apply_to(Cluster::default());
    let options: Vec<Named> = [("crowding", like.crowding), ("handover", like.handover)]
        .into_iter()
        .map(|(path, value)| ("--measured", path, (!changes.sets(path)).then(|| value.to_string())))
        .collect();
    Base::changed(&a.designs.base, changes, Cluster::DESIGNS, options)
}

impl ProofOnCluster {
    /// The plan of the proof on a cluster, for a key of which only the sizes are known.
    fn plan(&self, cluster: &Cluster) -> Result<Plan, Failure> {
        on_curve!(self.curve.0, plan_on(self, cluster))
    }

    /// The parameters that are the same at all points of a sweep, as text.
    fn describe(&self, fixed: &dyn Fn(&str) -> bool) -> String {
        let size = if fixed("size") { format!(" of {} constraints", self.size) } else { String::new() };
        let curve = fixed("curve").then(|| format!("on {}", self.curve.0.name()));
        let said = [Some(format!("Groth16 proofs{size}")), curve];
        said.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

fn plan_on<E: Pairing>(a: &ProofOnCluster, cluster: &Cluster) -> Result<Plan, Failure> {
    let Size(constraints) = a.size;
    let log = constraints.max(2).next_power_of_two().ilog2();
    if log > E::Fr::TWO_ADICITY {
        let (curve, most) = (a.curve.0.name(), Size(1 << E::Fr::TWO_ADICITY).to_string());
        return Err(ArgumentError::Domain { curve, size: a.size.to_string(), most }.into());
    }
    let wires = a.wires.unwrap_or(a.size).0;
    wires.checked_sub(a.public.saturating_add(1)).ok_or(ArgumentError::Wires { wires, public: a.public })?;
    let entries = constraints.saturating_mul(a.entries.min(1 << 20));
    let key = KeySizes::new::<E>(wires as usize, a.public as usize, log, entries as usize);
    let sizes = Sizes::for_memory(a.memory.0, &key, THREADS)?;
    let parts = a.parts.map_or(2 * cluster.all_workers() as usize, NonZeroUsize::get);
    let blocks = match a.parts {
        None => Layout::new(log, sizes.blocks.max(parts.min(MOST_BLOCKS))).blocks(),
        Some(parts) => Layout::new(log, sizes.blocks.max(parts.get())).blocks(),
    };
    if blocks > LARGEST_PLAN {
        return Err(ArgumentError::ManyBlocks { blocks, most: LARGEST_PLAN }.into());
    }
    let sizes = Sizes { blocks, ..sizes.in_parts(parts, &key) };
    let bytes = key.wires as u64 * key.scalar_bytes;
    let witness = WitnessRange { path: "witness".into(), size: bytes, offset: 0, digests: Vec::new() };
    let paths = ["key", "shards", "work"].map(Path::new);
    Ok(plan(&Manifest::of_sizes(key, blocks), paths, &witness, &sizes))
}

/// The figures of a proof on a cluster, for JSON and for the table of a sweep.
#[derive(Clone, Debug, Serialize)]
struct ClusterFigures {
    /// Cores of all machines.
    cores: u64,
    /// Number of tasks.
    tasks: usize,
    /// Seconds from the start of the first task to the end of the last.
    seconds: f64,
    /// Core seconds that the tasks take without waiting and without disturbing each other.
    core_seconds: f64,
    /// Share of all cores' time that was spent computing, 0 to 1.
    busy: f64,
    /// Core seconds divided by seconds: the average number of cores' worth of work in progress.
    speedup: f64,
    /// Bytes that tasks read and wrote.
    moved_bytes: u64,
    /// The largest number of bytes of memory that a task takes.
    task_bytes: u64,
    /// The lower bound in seconds of any schedule on this cluster, and the resource that it comes from.
    bound_seconds: f64,
    bound: &'static str,
    /// The interval around the seconds that the calibration's largest error gives; `None` if no proofs were compared.
    seconds_within: Option<[f64; 2]>,
}

impl ClusterFigures {
    fn new(plan: &Plan, found: &Prediction, cluster: &Cluster, measured: &Calibration) -> Self {
        let cores = cluster.all_cores();
        let working = cores.min(cluster.all_workers()) as f64;
        let rate = (cluster.network * f64::from(cluster.nodes)).min(cluster.storage);
        let bounds = [
            ("cores", found.core_seconds / working),
            ("longest path", found.longest_path),
            ("scheduler", cluster.dispatch * plan.tasks.len() as f64),
            ("transfers", found.bytes as f64 / rate),
        ];
        let (bound, bound_seconds) =
            bounds.into_iter().fold(("cores", 0.0), |most, next| if next.1 > most.1 { next } else { most });
        Self {
            cores,
            tasks: plan.tasks.len(),
            seconds: found.seconds,
            core_seconds: found.core_seconds,
            busy: found.busy,
            speedup: if found.seconds > 0.0 { found.core_seconds / found.seconds } else { 0.0 },
            moved_bytes: found.bytes,
            task_bytes: plan.tasks.iter().map(|task| task.memory).max().unwrap_or(0),
            bound_seconds,
            bound,
            seconds_within: measured
                .worst_error()
                .map(|e| [found.seconds / (1.0 + e), found.seconds * (1.0 + e)]),
        }
    }
}

impl SweepCosts for ClusterFigures {
    const COLUMNS: &'static [Column<Self>] = &[
        ("cores", |f| f.cores.to_string()),
        ("tasks", |f| f.tasks.to_string()),
        ("seconds", |f| format!("{:.4}", f.seconds)),
        ("core_seconds", |f| format!("{:.3}", f.core_seconds)),
        ("busy", |f| format!("{:.3}", f.busy)),
        ("speedup", |f| format!("{:.2}", f.speedup)),
        ("moved_bytes", |f| f.moved_bytes.to_string()),
        ("bound", |f| f.bound.to_owned()),
        ("bound_seconds", |f| format!("{:.4}", f.bound_seconds)),
    ];
    const BETTER: &'static [(&'static str, Sense)] = &[
        ("seconds", Sense::Less),
        ("cores", Sense::Less),
        ("speedup", Sense::More),
        ("busy", Sense::More),
        ("core_seconds", Sense::Less),
        ("moved_bytes", Sense::Less),
    ];
}

/// The measurement that a prediction rests on.
#[derive(Serialize)]
struct Source<'a> {
    machine: &'a str,
    program: &'a str,
    date: &'a str,
    /// The largest difference between a predicted and a measured proof, as a share of the measured time.
    largest_error: Option<f64>,
    /// Number of proofs that were compared.
    compared: usize,
}

impl<'a> Source<'a> {
    fn of(measured: &'a Calibration) -> Self {
        let Calibration { machine, program, date, compared, .. } = measured;
        Self { machine, program, date, largest_error: measured.worst_error(), compared: compared.len() }
    }

    /// The basis of the prediction and its error, as text.
    fn describe(&self) -> String {
        if self.machine.is_empty() {
            return "no machine was measured: tasks take what the plan estimates".to_owned();
        }
        let worth = match self.largest_error {
            None => "no prediction with it was compared with a proof that was run".to_owned(),
            Some(e) => {
                let off = format!("at most {:.0} % off", 100.0 * e);
                format!("predictions of {} proofs on that machine were {off}", self.compared)
            }
        };
        format!("tasks measured on {} ({}); {worth}", self.machine, self.date)
    }
}

#[derive(Serialize)]
struct ClusterReport<'a> {
    #[serde(flatten)]
    proof: &'a ProofOnCluster,
    cluster: Cluster,
    measured: Source<'a>,
    #[serde(flatten)]
    figures: ClusterFigures,
    /// The figures of the tasks, by kind.
    kinds: BTreeMap<&'static str, KindTotal>,
}

fn text(report: &ClusterReport<'_>) -> String {
    let (figures, cluster) = (&report.figures, &report.cluster);
    let within = figures.seconds_within.map_or_else(String::new, |[least, most]| {
        format!(", {} to {} with the calibration's error", output::seconds(least), output::seconds(most))
    });
    let row = |(name, kind): (&&str, &KindTotal)| {
        vec![(*name).to_owned(), kind.tasks.to_string(), format!("{:.3}", kind.core_seconds)]
    };
    format!(
        "{}, on {} machines with {} workers and {} cores each\n{}{within}\n{:.1} cores' work at a time, {:.0} % of them \
         busy; bound: {}, {}\n{} moved, at most {} of memory a task\n{}\n{}",
        report.proof.describe(&|_| true),
        cluster.nodes,
        cluster.workers,
        cluster.cores,
        output::seconds(figures.seconds),
        figures.speedup,
        100.0 * figures.busy,
        figures.bound,
        output::seconds(figures.bound_seconds),
        output::bytes(figures.moved_bytes),
        output::bytes(figures.task_bytes),
        output::table(1, &["tasks", "number", "core seconds"], report.kinds.iter().map(row)),
        report.measured.describe(),
    )
}

/// The timeline in microseconds: one group for each machine, one row for each worker, one event for each task.
fn timeline(plan: &Plan, found: &Prediction) -> Chrome {
    let mut chrome = Chrome::new();
    let (mut machines, mut workers) = (BTreeMap::new(), BTreeMap::new());
    let places: BTreeMap<_, ()> = found.spans.iter().map(|span| ((span.node, span.worker), ())).collect();
    for (node, worker) in places.into_keys() {
        let machine = *machines.entry(node).or_insert_with(|| chrome.process(&format!("machine {node}")));
        workers.insert((node, worker), chrome.track(machine, &format!("worker {worker}")));
    }
    let micro = |seconds: f64| (seconds * 1e6).round() as u64;
    for span in &found.spans {
        let (Some(track), Some(task)) = (workers.get(&(span.node, span.worker)), plan.tasks.get(span.task))
        else {
            continue;
        };
        let bytes = [("bytes", task.bytes().into())];
        let start = micro(span.start);
        chrome.event(*track, &task.name, start, micro(span.end).saturating_sub(start), bytes);
    }
    chrome
}

/// The parameters that all points of a sweep share.
#[derive(Serialize)]
struct Heading<'a> {
    #[serde(flatten)]
    proof: &'a ProofOnCluster,
    cluster: Cluster,
    measured: Source<'a>,
}

fn sweep(
    cli: &Cli,
    a: &SimCluster,
    base: &Base<Cluster>,
    cluster: Cluster,
    measured: &Calibration,
) -> Result<(), Failure> {
    let axes = &a.designs.sweep.sweep;
    let source = Source::of(measured);
    let title = format!("{}, on clusters", a.proof.describe(&|name| sweep::fixed(axes, name)));
    let checked = source.describe();
    let head = Heading { proof: &a.proof, cluster, measured: source };
    let family = Family { head, title, checked: &checked };
    let at = |swept: &[(&str, &str)]| point(a, base, swept);
    sweep::run(cli, &a.designs.sweep, family, at, |(proof, cluster)| {
        base.check(&cluster)?;
        let plan = proof.plan(&cluster)?;
        let found = simulate(&plan, &measured.costs, &cluster)?;
        Ok(ClusterFigures::new(&plan, &found, &cluster, measured))
    })
}

/// The proof and the cluster at a point of a sweep.
fn point(
    a: &SimCluster,
    base: &Base<Cluster>,
    swept: &[(&str, &str)],
) -> Result<(ProofOnCluster, Cluster), Failure> {
    let (mut proof, mut fields) = (a.proof.clone(), Vec::new());
    for &(name, value) in swept {
        let number = || number(name, value);
        match name {
            "size" => proof.size = value.parse()?,
            "wires" => proof.wires = Some(value.parse()?),
            "public" => proof.public = number()?.into(),
            "entries" => proof.entries = number()?.into(),
            "curve" => proof.curve = choice(name, value)?,
            "parts" => proof.parts = NonZeroUsize::new(number()? as usize),
            _ => fields.push((name, value)),
        }
    }
    Ok((proof, base.at(&fields)?))
}
