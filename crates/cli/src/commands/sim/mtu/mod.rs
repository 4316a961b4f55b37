//! `pairwright sim mtu`: a tree of any size on the Multifunction Tree Unit.

mod data;
mod report;

use super::operator::{choice, clocked};
use super::sweep::{self, Family};
use super::to_file;
use crate::args::{Cli, SimMtu, TreeParameters, Unit};
use crate::commands::asm::read;
use crate::commands::design::setting;
use crate::curves::on_curve;
use crate::failure::{ArgumentError, Failure, MtuFault};
use crate::output;
use crate::progress::Progress;
use data::compared;
use pairwright::mtu::{self, Account, Config, ConfigError, Job};
use report::{Figures, Report, text};
use serde::Serialize;

/// One run, or one on every point of a family.
pub(super) fn run(cli: &Cli, a: &SimMtu) -> Result<(), Failure> {
    let base = a.unit.base()?;
    if a.dump_config {
        let config = a.unit.design(&base, &[])?;
        return output::print(cli.json, &config, |config| config.to_string().trim_end().to_owned());
    }
    if !a.sweep.sweep.is_empty() {
        return sweep(cli, a, &base);
    }
    let config = a.unit.design(&base, &[])?;
    let job = a.tree.job()?;
    let progress = Progress::new(0, &a.tree.words());
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
    let report = Report::new(&a.tree, account, seconds);
    output::print(cli.json, &report, text)
}

impl Unit {
    /// The paper's unit, or that of `--config`.
    fn base(&self) -> Result<Config, Failure> {
        let Some(file) = &self.config else { return Ok(Config::paper()) };
        let text = read(file)?;
        text.parse().map_err(|why| {
            // The line says which field it is, where the reason does not.
            let line = match &why {
                ConfigError::Text(e) => e.span().and_then(|span| text.get(..span.start)),
                _ => None,
            };
            let place = line.map_or_else(String::new, |before| {
                let number = before.matches('\n').count();
                let line = text.lines().nth(number).unwrap_or_default().trim();
                format!(", line {}, `{line}`", number + 1)
            });
            ArgumentError::Unit { file: file.clone(), place, why: Box::new(why) }.into()
        })
    }

    /// The unit with its changes: `--set`, then the fields of a sweep, then the options that are named for a field.
    fn design(&self, base: &Config, swept: &[(&str, &str)]) -> Result<Config, Failure> {
        let mut config = *base;
        let settings = self.set.iter().map(|text| setting(text)).collect::<Result<Vec<_>, _>>()?;
        for (field, value) in settings.iter().chain(swept) {
            config = config.with(field, value).map_err(Failure::bad)?;
        }
        config.pes = self.pes.unwrap_or(config.pes);
        config.hash_ii = self.hash_ii.unwrap_or(config.hash_ii);
        config.schedule = self.schedule.map_or(config.schedule, |name| name.0);
        if let Some(gigabytes) = self.bandwidth {
            let clock_hz = config.clock_hz;
            let a_second = u64::from(gigabytes) * 1_000_000_000;
            let a_cycle =
                u32::try_from(a_second / clock_hz).ok().filter(|_| a_second.is_multiple_of(clock_hz));
            config = config.with_bandwidth(a_cycle.ok_or(ArgumentError::Bandwidth { gigabytes, clock_hz })?);
        }
        if self.fit_buffers {
            config = config.fitted();
        }
        config.check().map_err(Failure::bad)?;
        Ok(config)
    }
}

impl TreeParameters {
    fn job(&self) -> Result<Job, Failure> {
        let leaves = self.size.0;
        if !leaves.is_power_of_two() {
            return Err(ArgumentError::NoPower(leaves).into());
        }
        let job = Job::new(self.workload.0, leaves.ilog2(), self.traversal.0);
        Ok(Job { upstream: self.upstream, downstream: self.downstream, ..job })
    }

    /// The run, and how many seconds it took.
    fn simulate(&self, config: &Config) -> Result<(Account, f64), Failure> {
        let job = self.job()?;
        let (account, seconds) = clocked(|| mtu::simulate(config, &job));
        let account = account.map_err(Failure::bad)?;
        if !self.data {
            return Ok((account, seconds));
        }
        let (cycles, seconds) = on_curve!(self.curve.0, compared(self, config))?;
        // Neither time nor traffic is a matter of the data.
        if cycles == account.cycles { Ok((account, seconds)) } else { Err(MtuFault::Cycles.into()) }
    }

    /// Its parameters, for people.
    fn words(&self) -> String {
        let neighbour = |place, rate: Option<u32>| {
            rate.map_or_else(String::new, |rate| format!(", a stage {place} of {rate} a cycle"))
        };
        format!(
            "{} of {} leaves, {}{}{}",
            self.workload.0.name(),
            self.size,
            self.traversal.0.name(),
            neighbour("upstream", self.upstream),
            neighbour("downstream", self.downstream)
        )
    }
}

/// What all points of a sweep have in common.
#[derive(Serialize)]
struct Head<'a> {
    #[serde(flatten)]
    tree: &'a TreeParameters,
    /// The unit before the sweep's changes.
    config: Config,
}

fn sweep(cli: &Cli, a: &SimMtu, base: &Config) -> Result<(), Failure> {
    // What is no parameter, or no value of it, is a typing error and not a point that cannot be had.
    for axis in &a.sweep.sweep {
        for value in &axis.values {
            if !Point::new(a).set(&axis.path, value)? {
                match base.with(&axis.path, value) {
                    Err(why @ ConfigError::Setting { .. }) => return Err(Failure::bad(why)),
                    _ => continue,
                }
            }
        }
    }
    let title = format!("tree unit, {}", a.tree.words());
    let checked = if a.tree.data { "all equal to the host's" } else { "timing" };
    let head = Head { tree: &a.tree, config: a.unit.design(base, &[])? };
    sweep::run(cli, &a.sweep, Family { head, title, checked }, |settings| {
        let mut point = Point::new(a);
        let mut fields = Vec::new();
        for &(name, value) in settings {
            if !point.set(name, value)? {
                fields.push((name, value));
            }
        }
        let (account, _) = point.tree.simulate(&point.unit.design(base, &fields)?)?;
        Ok(Figures::new(&account))
    })
}

/// The arguments at a point of a sweep.
struct Point {
    tree: TreeParameters,
    unit: Unit,
}

impl Point {
    fn new(a: &SimMtu) -> Self {
        Self { tree: a.tree.clone(), unit: a.unit.clone() }
    }

    /// Sets a parameter that has an option of its own, by its name; `false` if it has none.
    fn set(&mut self, name: &str, value: &str) -> Result<bool, Failure> {
        let number = || {
            let why = |_| ArgumentError::Number { name: name.to_owned(), value: value.to_owned() };
            value.parse::<u32>().map_err(why)
        };
        match name {
            "workload" => self.tree.workload = choice(name, value)?,
            "size" => self.tree.size = value.parse()?,
            "traversal" => self.tree.traversal = choice(name, value)?,
            "curve" => self.tree.curve = choice(name, value)?,
            "upstream" => self.tree.upstream = Some(number()?),
            "downstream" => self.tree.downstream = Some(number()?),
            "pes" => self.unit.pes = Some(number()?),
            "bandwidth" => self.unit.bandwidth = Some(number()?),
            "hash-ii" => self.unit.hash_ii = Some(number()?),
            "schedule" => self.unit.schedule = Some(choice(name, value)?),
            _ => return Ok(false),
        }
        Ok(true)
    }
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

    #[test]
    fn what_is_left_out_is_the_papers() {
        let a = parsed("");
        assert_eq!(a.unit.design(&a.unit.base().unwrap(), &[]).unwrap(), Config::paper());
        assert_eq!(a.tree.job().unwrap(), Job::new(Workload::BuildMle, 20, Traversal::Hybrid));
        let job =
            parsed("--workload merkle-levels --size 512 --traversal dfs --upstream 3").tree.job().unwrap();
        let wanted = Job::new(Workload::MerkleLevels, 9, Traversal::Dfs);
        assert_eq!(job, Job { upstream: Some(3), ..wanted });
    }

    #[test]
    fn settings_then_fields_of_a_sweep_then_options() {
        let a = parsed("--set pes=4 --set mul_latency=9 --hash-ii 12");
        let swept = [("pes", "8"), ("hash_ii", "24")];
        let config = a.unit.design(&Config::paper(), &swept).unwrap();
        assert_eq!((config.pes, config.mul_latency, config.hash_ii), (8, 9, 12));
    }

    #[test]
    fn buffers_fit_the_memory_when_that_is_asked() {
        let bytes = |words: &str| {
            let config = parsed(words).unit.design(&Config::paper(), &[]).unwrap();
            (config.input_bytes, config.output_bytes)
        };
        assert_eq!(bytes("--bandwidth 64"), (1 << 18, 1 << 18));
        assert_eq!(bytes("--bandwidth 64 --fit-buffers"), (1 << 14, 1 << 14));
        assert_eq!(bytes("--fit-buffers"), (1 << 18, 1 << 18));
    }

    #[test]
    fn a_sweep_knows_options_by_name() {
        let mut point = Point::new(&parsed("--pes 4"));
        for (name, value) in [
            ("workload", "product"),
            ("size", "2^5"),
            ("traversal", "bfs"),
            ("curve", "bn254"),
            ("pes", "16"),
            ("bandwidth", "128"),
            ("hash-ii", "24"),
            ("schedule", "filled"),
        ] {
            assert!(point.set(name, value).unwrap(), "{name}");
            assert!(point.set(name, "none").is_err(), "{name}");
        }
        assert!(!point.set("dram.latency", "3").unwrap());
        assert_eq!(point.tree.job().unwrap(), Job::new(Workload::Product, 5, Traversal::Bfs));
        let config = point.unit.design(&Config::paper(), &[]).unwrap();
        let wanted = Config { hash_ii: 24, schedule: Schedule::Filled, ..Config::paper() };
        assert_eq!(config, wanted.with_pes(16).with_bandwidth(128));
    }

    #[test]
    fn bandwidth_is_a_matter_of_the_clock() {
        let wide = |hz: u64| {
            let a = parsed(&format!("--set clock_hz={hz} --bandwidth 100"));
            a.unit.design(&Config::paper(), &[]).map(|config| config.dram.bytes_per_cycle)
        };
        assert_eq!([wide(1_000_000_000).unwrap(), wide(500_000_000).unwrap()], [100, 200]);
        assert!(
            wide(3_000_000_000).unwrap_err().to_string().starts_with("--bandwidth: 100 GB/s are no whole")
        );
    }
}
