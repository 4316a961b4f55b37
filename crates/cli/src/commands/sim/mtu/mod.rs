//! `pairwright sim mtu`: a tree of any size on the Multifunction Tree Unit.

mod data;
mod report;

use super::operator::{choice, clocked, number};
use super::roofline::{Machine, Work};
use super::sweep::{self, Family};
use super::to_file;
use crate::args::{Cli, Design, SimMtu, TreeParameters, Unit};
use crate::commands::design::{Base, Named};
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure, ModelFault};
use crate::output;
use crate::progress::Progress;
use data::{compared, compared_leaves};
use pairwright::mtu::{self, Account, Job, UnitConfig};
use report::{TreeFigures, TreeReport, text};
use serde::Serialize;
use std::path::Path;

/// Simulates one design, or every point of a sweep.
pub(super) fn run(cli: &Cli, a: &SimMtu) -> Result<(), Failure> {
    let base = base(a)?;
    let config = a.unit.finish(base.at(&[])?)?;
    base.check(&config)?;
    if a.designs.shows() {
        return a.designs.show(cli, &config);
    }
    if !a.designs.sweep.sweep.is_empty() {
        return sweep(cli, a, &base, config);
    }
    let job = a.tree.job()?;
    let progress = Progress::new(0, &a.tree.describe(&config, &|_| true));
    let (account, seconds) = match &a.trace {
        None => a.tree.simulate(&config)?,
        Some(path) => {
            let (ran, seconds) = clocked(|| mtu::simulate_traced(&config, &job, a.window));
            let (account, timeline) = ran.map_err(Failure::bad)?;
            to_file(path, |file| timeline.write(file))?;
            (account, seconds)
        }
    };
    drop(progress);
    if let Some(path) = &a.roofline {
        roofline(path, &account, &a.tree.describe(&config, &|_| true))?;
    }
    let report = TreeReport::new(&a.tree, account, seconds);
    output::print(cli, &report, text)
}

/// Draws the roofline of a run: the rate of the elements' operations over the operations per byte from memory.
fn roofline(path: &Path, account: &Account, words: &str) -> Result<(), Failure> {
    let (config, dram) = (&account.config, &account.dram);
    let clock_hz = account.clock.hz as f64;
    let work = Work {
        name: "the unit".to_owned(),
        operations: account.elements.iter().map(|element| element.issued).sum::<u64>() as f64,
        bytes: (dram.read_bytes + dram.write_bytes) as f64,
        seconds: account.seconds(),
        elements: config.pes,
        rate: clock_hz / interval(account),
    };
    let bytes_per_second = config.dram.peak_bytes_per_second(clock_hz);
    let machine = Machine { operation: "nodes", elements: "elements", bytes_per_second };
    machine.draw(path, &format!("tree unit, {words}"), &[work])
}

/// Initiation interval of an element in cycles: that of its SHA3 engine, or one.
fn interval(account: &Account) -> f64 {
    if account.operations.hashes > 0 { f64::from(account.config.hash_ii) } else { 1.0 }
}

/// The unit with all changes, except those of a sweep's points, of `--bandwidth` and of `--fit-buffers`.
fn base(a: &SimMtu) -> Result<Base<UnitConfig>, Failure> {
    base_of(&a.designs.base, &a.unit)
}

/// As [`base`], from a design and the options that set single parameters.
pub(super) fn base_of(design: &Design, unit: &Unit) -> Result<Base<UnitConfig>, Failure> {
    Base::new(design, &[("paper", UnitConfig::paper)], unit.named())
}

/// Simulates a tree on a unit and returns its figures.
pub(super) fn costs(tree: &TreeParameters, config: &UnitConfig) -> Result<TreeFigures, Failure> {
    Ok(TreeFigures::new(&tree.simulate(config)?.0))
}

impl Unit {
    /// The options that set single parameters.
    fn named(&self) -> Vec<Named> {
        vec![
            ("--pes", "pes", self.pes.map(|n| n.to_string())),
            ("--hash-ii", "hash_ii", self.hash_ii.map(|n| n.to_string())),
            ("--traversal", "traversal", self.traversal.map(|name| name.0.name().to_owned())),
            ("--schedule", "schedule", self.schedule.map(|name| name.0.name().to_owned())),
        ]
    }

    /// Completes a unit: applies `--bandwidth`, which depends on the clock, and `--fit-buffers`.
    pub(super) fn finish(&self, mut config: UnitConfig) -> Result<UnitConfig, Failure> {
        if let Some(gigabytes) = self.bandwidth {
            let clock = config.clock();
            let clock_hz = clock.hz;
            let a_second = u64::from(gigabytes) * 1_000_000_000;
            let a_cycle = a_second.checked_div(clock_hz).and_then(|bytes| u32::try_from(bytes).ok());
            // If the circuits lower the clock, GB/s need not be a whole number of bytes per cycle: it is rounded down.
            let a_cycle = a_cycle.filter(|_| clock.limited_by.is_some() || a_second.is_multiple_of(clock_hz));
            config = config.with_bandwidth(a_cycle.ok_or(ArgumentError::Bandwidth { gigabytes, clock_hz })?);
        }
        Ok(if self.fit_buffers { config.fitted() } else { config })
    }
}

impl TreeParameters {
    fn job(&self) -> Result<Job, Failure> {
        let leaves = self.size.0;
        if !leaves.is_power_of_two() {
            return Err(ArgumentError::NoPower(leaves).into());
        }
        let job = Job::new(self.workload.0, leaves.ilog2());
        let hash_leaves = self.hash_leaves;
        Ok(Job { hash_leaves, upstream: self.upstream, downstream: self.downstream, ..job })
    }

    /// Simulates the tree, and measures the seconds that this takes.
    fn simulate(&self, config: &UnitConfig) -> Result<(Account, f64), Failure> {
        let job = self.job()?;
        if self.data {
            self.size.expect_room("leaves with data", 192)?;
        }
        let (account, seconds) = clocked(|| mtu::simulate(config, &job));
        let account = account.map_err(Failure::bad)?;
        if !self.data {
            return Ok((account, seconds));
        }
        let (cycles, seconds) = match self.hash_leaves {
            true => compared_leaves(self, config)?,
            false => on_curve!(self.curve.0, compared(self, config))?,
        };
        // The data must not change the time or the traffic.
        if cycles == account.cycles { Ok((account, seconds)) } else { Err(ModelFault::Cycles.into()) }
    }

    /// The command line that simulates this tree.
    pub(super) fn command(&self) -> String {
        let said = [
            Some(format!("sim mtu --workload {} --size {}", self.workload.0.name(), self.size)),
            self.hash_leaves.then(|| "--hash-leaves".to_owned()),
            self.upstream.map(|rate| format!("--upstream {rate}")),
            self.downstream.map(|rate| format!("--downstream {rate}")),
        ];
        said.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }

    /// The tree and the unit's traversal as text, with the parameters for which `fixed` is true.
    pub(super) fn describe(&self, config: &UnitConfig, fixed: &dyn Fn(&str) -> bool) -> String {
        let neighbour = |place: &str, rate: Option<u32>| {
            rate.filter(|_| fixed(place)).map(|rate| format!("a stage {place} of {rate} a cycle"))
        };
        let workload = if fixed("workload") { self.workload.0.name() } else { "trees" };
        let size = if fixed("size") { format!(" of {} leaves", self.size) } else { String::new() };
        let said = [
            Some(format!("{workload}{size}")),
            (self.hash_leaves && fixed("hash_leaves")).then(|| "leaves hashed first".to_owned()),
            fixed("traversal").then(|| config.traversal.name().to_owned()),
            neighbour("upstream", self.upstream),
            neighbour("downstream", self.downstream),
        ];
        said.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// The parameters that all points of a sweep share.
#[derive(Serialize)]
struct TreeHeading<'a> {
    #[serde(flatten)]
    tree: &'a TreeParameters,
    /// The unit before the sweep's changes.
    config: UnitConfig,
}

fn sweep(cli: &Cli, a: &SimMtu, base: &Base<UnitConfig>, config: UnitConfig) -> Result<(), Failure> {
    let axes = &a.designs.sweep.sweep;
    let title = format!("tree unit, {}", a.tree.describe(&config, &|name| sweep::fixed(axes, name)));
    let checked = if a.tree.data { "all equal to the host's" } else { "timing" };
    let family = Family { head: TreeHeading { tree: &a.tree, config }, title, checked };
    let at = |swept: &[(&str, &str)]| point(a, base, swept);
    sweep::run(cli, &a.designs.sweep, family, at, |(tree, unit, config)| costs(&tree, &unit.finish(config)?))
}

/// The tree and the unit at a point of a sweep; [`Unit::finish`] completes the unit.
fn point(
    a: &SimMtu,
    base: &Base<UnitConfig>,
    swept: &[(&str, &str)],
) -> Result<(TreeParameters, Unit, UnitConfig), Failure> {
    let (mut tree, mut unit, mut fields) = (a.tree.clone(), a.unit.clone(), Vec::new());
    for &(name, value) in swept {
        let number = || number(name, value);
        match name {
            "workload" => tree.workload = choice(name, value)?,
            "size" => tree.size = value.parse()?,
            "curve" => tree.curve = choice(name, value)?,
            "upstream" => tree.upstream = Some(number()?),
            "downstream" => tree.downstream = Some(number()?),
            "bandwidth" => unit.bandwidth = Some(number()?),
            _ => fields.push((name, value)),
        }
    }
    Ok((tree, unit, base.at(&fields)?))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::args::{Command, Sim};
    use clap::Parser;
    use pairwright::mtu::{Schedule, Traversal, Workload};

    fn parsed(line: &str) -> SimMtu {
        let words = ["pairwright", "sim", "mtu"].into_iter().chain(line.split_whitespace());
        match Cli::try_parse_from(words).unwrap_or_else(|why| panic!("{why}")).command {
            Command::Sim { what: Sim::Mtu(a) } => a,
            _ => panic!("another command"),
        }
    }

    fn unit(line: &str) -> Result<UnitConfig, Failure> {
        let a = parsed(line);
        a.unit.finish(base(&a)?.at(&[])?)
    }

    #[test]
    fn what_is_left_out_is_the_papers() {
        assert_eq!(unit("").unwrap(), UnitConfig::paper());
        assert_eq!(parsed("").tree.job().unwrap(), Job::new(Workload::BuildMle, 20));
        let line = "--workload merkle-levels --size 512 --traversal dfs --upstream 3";
        let wanted = Job { upstream: Some(3), ..Job::new(Workload::MerkleLevels, 9) };
        assert_eq!(parsed(line).tree.job().unwrap(), wanted);
        assert_eq!(unit(line).unwrap(), UnitConfig::paper().traversing(Traversal::Dfs));
    }

    #[test]
    fn settings_then_options_then_the_sweep() {
        let a = parsed("--set pes=4 --set mul_latency=9 --set hash_ii=24 --hash-ii 12");
        let at = |swept: &[(&str, &str)]| {
            let (_, _, config) = point(&a, &base(&a).unwrap(), swept).unwrap();
            (config.pes, config.mul_latency, config.hash_ii)
        };
        assert_eq!(at(&[]), (4, 9, 12));
        assert_eq!(at(&[("pes", "8"), ("hash-ii", "2")]), (8, 9, 2));
        assert_eq!(at(&[("hash_ii", "3")]), (4, 9, 3));
    }

    #[test]
    fn buffers_fit_the_memory_when_that_is_asked() {
        let bytes = |words: &str| {
            let config = unit(words).unwrap();
            (config.input_bytes, config.output_bytes)
        };
        assert_eq!(bytes("--bandwidth 64"), (1 << 18, 1 << 18));
        assert_eq!(bytes("--bandwidth 64 --fit-buffers"), (1 << 14, 1 << 14));
        assert_eq!(bytes("--fit-buffers"), (1 << 18, 1 << 18));
    }

    #[test]
    fn a_sweep_knows_options_by_name() {
        let a = parsed("--pes 4");
        let base = base(&a).unwrap();
        let swept = [
            ("workload", "product"),
            ("size", "2^5"),
            ("traversal", "bfs"),
            ("curve", "bn254"),
            ("pes", "16"),
            ("bandwidth", "128"),
            ("hash-ii", "24"),
            ("schedule", "filled"),
            ("dram.latency", "3"),
        ];
        for (name, _) in swept {
            assert!(point(&a, &base, &[(name, "none")]).is_err(), "{name}");
        }
        let (tree, unit, config) = point(&a, &base, &swept).unwrap();
        assert_eq!(tree.job().unwrap(), Job::new(Workload::Product, 5));
        let wanted = UnitConfig { hash_ii: 24, schedule: Schedule::Filled, ..UnitConfig::paper() };
        let mut wanted = wanted.with_pes(16).with_bandwidth(128).traversing(Traversal::Bfs);
        wanted.dram.latency = 3;
        assert_eq!(unit.finish(config).unwrap(), wanted);
    }

    #[test]
    fn bandwidth_is_a_matter_of_the_clock() {
        let wide = |hz: u64| {
            unit(&format!("--set clock_hz={hz} --bandwidth 100")).map(|config| config.dram.bytes_per_cycle)
        };
        // The circuits allow at most 1 GHz, even if more is asked for.
        let asked = [1_000_000_000, 500_000_000, 3_000_000_000];
        assert_eq!(asked.map(|hz| wide(hz).unwrap()), [100, 200, 100]);
        let why = wide(300_000_000).unwrap_err().to_string();
        assert!(why.starts_with("--bandwidth: 100 GB/s is not a whole"), "{why}");
    }
}
