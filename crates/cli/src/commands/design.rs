//! Designs of modelled machines, and the options of the crypto-processor's compiler, from the command line.

use crate::args::{Cli, Design, Designs, Division, Programs};
use crate::failure::{ArgumentError, Failure};
use crate::files::read_text as read;
use crate::output;
use pairwright::chip::MachineSpec;
use pairwright::chip::compiler::{CompileError, Options, Scheduler};
use pairwright::chip_programs::{Program, pairing};
use pairwright::curve::bls12_381::Fq;
use pairwright::sim::settings::{self, Changes, Origin, Parameter};
use serde::Serialize;

/// An option that sets one parameter of a design: the option, the parameter's dotted path, and the value if it was given.
pub(crate) type Named = (&'static str, &'static str, Option<String>);

/// A design from the command line with all its changes, except those of a sweep's points.
#[derive(Clone)]
pub(crate) struct Base<D> {
    /// The built-in design, changed by the file of `--spec`.
    start: D,
    /// Every built-in design, by its name and changed by the same file: a sweep may name one of them.
    starts: Vec<(&'static str, D)>,
    changes: Changes,
    options: Vec<Named>,
    /// The option that gives the values of a point, for error messages: `--sweep` or `--over`.
    swept_by: &'static str,
}

/// Built-in designs by their names; the first is the default.
pub(crate) type Known<D> = [(&'static str, fn() -> D)];

/// The default design of the crypto-processor.
const DEFAULT: &str = "paper";
/// The name of the axis by which a sweep compares built-in designs.
pub(crate) const DESIGN: &str = "design";

impl Design {
    /// The changes that `--spec` and `--set` describe.
    pub(crate) fn changes(&self) -> Result<Changes, Failure> {
        let mut changes = Changes::default();
        if let Some(path) = &self.spec {
            changes.file(&path.display().to_string(), &read(path)?)?;
        }
        self.set.iter().try_for_each(|setting| changes.set("--set", setting))?;
        Ok(changes)
    }

    /// Whether `--design` or `--spec` is given.
    pub(crate) fn base_given(&self) -> bool {
        self.design.is_some() || self.spec.is_some()
    }

    pub(crate) fn chip(&self) -> Result<MachineSpec, Failure> {
        Base::new(self, MachineSpec::DESIGNS, Vec::new())?.built(&[])
    }

    /// Whether the base is the published processor; `--set` is not considered.
    fn published(&self) -> bool {
        self.published_as(self.design.as_deref().unwrap_or(DEFAULT))
    }

    /// As [`Design::published`], if the built-in design were the one of this name.
    pub(crate) fn published_as(&self, name: &str) -> bool {
        self.spec.is_none() && name == DEFAULT
    }
}

/// The design with this name in a list.
fn named<'a, D>(
    option: &'static str,
    name: &str,
    all: &'a [(&'static str, D)],
) -> Result<&'a D, ArgumentError> {
    all.iter().find(|(known, _)| *known == name).map(|(_, design)| design).ok_or_else(|| {
        let known = all.iter().map(|(name, _)| *name).collect::<Vec<_>>().join(", ");
        ArgumentError::Design { option, name: name.to_owned(), known }
    })
}

impl<D: settings::Design> Base<D> {
    /// A built-in design, changed by `--spec`, then by `--set`, then by the options that set single parameters.
    pub(crate) fn new(design: &Design, known: &Known<D>, options: Vec<Named>) -> Result<Self, Failure> {
        Self::changed(design, design.changes()?, known, options)
    }

    /// As [`Base::new`], with the given changes instead of those of `--spec` and `--set`.
    pub(crate) fn changed(
        design: &Design,
        mut changes: Changes,
        known: &Known<D>,
        options: Vec<Named>,
    ) -> Result<Self, Failure> {
        let first = known.first().map_or(DEFAULT, |(name, _)| name);
        let name = design.design.as_deref().unwrap_or(first);
        let files = changes.files();
        let start = |(name, design): &(&'static str, fn() -> D)| Ok((*name, files.apply(&design())?));
        let starts = known.iter().map(start).collect::<Result<Vec<_>, Failure>>()?;
        let start = named("--design", name, &starts)?.clone();
        for (option, path, value) in &options {
            if let Some(value) = value {
                changes.value(option, path, value);
            }
        }
        Ok(Self { start, starts, changes, options, swept_by: "--sweep" })
    }

    /// The same base for the points of a search: errors name `--over`.
    pub(crate) fn searched(self) -> Self {
        Self { swept_by: "--over", ..self }
    }

    /// The changes of the command line with those of a sweep's point, whose parameters are given by paths or by names of options.
    fn with(&self, swept: &[(&str, &str)]) -> Changes {
        let mut changes = self.changes.clone();
        for (axis, value) in swept.iter().filter(|(axis, _)| *axis != DESIGN) {
            let named = self.options.iter().find(|(option, ..)| option.strip_prefix("--") == Some(axis));
            changes.value(self.swept_by, named.map_or(axis, |(_, path, _)| path), value);
        }
        changes
    }

    /// The design at a point of a sweep. Whether it can be built is not checked: an error here is an unknown name or an invalid value.
    pub(crate) fn at(&self, swept: &[(&str, &str)]) -> Result<D, Failure> {
        Ok(self.with(swept).apply(self.start(swept)?)?)
    }

    /// The built-in design to which the changes at a point of a sweep are applied.
    fn start(&self, swept: &[(&str, &str)]) -> Result<&D, Failure> {
        match swept.iter().find(|(axis, _)| *axis == DESIGN) {
            Some((_, name)) => Ok(named(self.swept_by, name, &self.starts)?),
            None => Ok(&self.start),
        }
    }

    /// Fails when a design that results from these changes cannot be built.
    pub(crate) fn check(&self, design: &D) -> Result<(), Failure> {
        Ok(self.changes.check(design)?)
    }
}

impl Base<MachineSpec> {
    /// The processor at a point of a sweep. The latencies of the engines' products and the inverter's interval keep their
    /// distance from the multiplier's latency unless they are set themselves.
    pub(crate) fn chip(&self, swept: &[(&str, &str)]) -> Result<MachineSpec, Failure> {
        let mut spec = self.at(swept)?;
        let changes = self.with(swept);
        spec.follow(self.start(swept)?, |parameter| changes.sets(parameter));
        Ok(spec)
    }

    /// As [`Base::chip`], after checking that the design can be built.
    pub(crate) fn built(&self, swept: &[(&str, &str)]) -> Result<MachineSpec, Failure> {
        let spec = self.chip(swept)?;
        self.check(&spec)?;
        Ok(spec)
    }
}

impl Designs {
    /// Whether the design is only to be printed, by `--dump-config` or `--parameters`.
    pub(crate) fn shows(&self) -> bool {
        self.dump_config || self.parameters
    }

    /// Prints the design as a file, or its parameters as a table.
    pub(crate) fn show<D: settings::Design>(&self, cli: &Cli, design: &D) -> Result<(), Failure> {
        if self.dump_config {
            return dump(cli, design);
        }
        let listed = Listed { parameters: settings::parameters(design)? };
        output::print(cli, &listed, |listed| {
            let head = ["parameter", "value", "range", "published value"];
            let row = |p: &Parameter| {
                let origin = p.origin.map_or("", Origin::name).to_owned();
                vec![p.path.clone(), p.value.clone(), p.range.clone(), origin]
            };
            output::table(4, &head, listed.parameters.iter().map(row))
        })
    }
}

/// The result that `--parameters --json` prints.
#[derive(Serialize)]
struct Listed {
    parameters: Vec<Parameter>,
}

/// Prints a design as a file.
pub(crate) fn dump<D: settings::Design>(cli: &Cli, design: &D) -> Result<(), Failure> {
    let file = settings::file(design)?;
    output::print(cli, &Dumped { config: design }, |_| file.trim_end().to_owned())
}

/// The result that `--dump-config --json` prints.
#[derive(Serialize)]
struct Dumped<'a, D> {
    config: &'a D,
}

/// A design of the crypto-processor, with the options of the compiler for it.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub spec: MachineSpec,
    /// How a pairing is divided into routines.
    pub division: Division,
    /// The options of the compiler's search for schedules.
    pub options: Options,
}

impl Programs {
    /// The design that the options describe, with the options of the compiler for it.
    pub(crate) fn choose(&self, design: &Design) -> Result<Chosen, Failure> {
        Ok(self.compile(design.chip()?, design.published()))
    }

    /// The compiler's options for a design. The defaults for the published processor are those of \[CP\].
    pub(crate) fn compile(&self, spec: MachineSpec, published: bool) -> Chosen {
        let division = if published { Division::Published } else { Division::Resident };
        let scheduler = if published { Scheduler::List } else { Scheduler::Critical };
        let scheduler = self.scheduler.unwrap_or(scheduler);
        let options = Options { scheduler, seeds: self.seeds, seed: self.first_seed };
        Chosen { spec, division: self.division.unwrap_or(division), options }
    }
}

impl Division {
    /// The name of the division on the command line.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Published => "published",
            Self::Resident => "resident",
        }
    }
}

impl Chosen {
    /// The pairing as a program for the design.
    pub(crate) fn pairing(&self) -> Result<Program<Fq>, CompileError> {
        match self.division {
            Division::Published => pairing::published(&self.spec, &self.options),
            Division::Resident => pairing::resident(&self.spec, &self.options),
        }
    }

    /// The names of the division and of the scheduler.
    pub(crate) fn names(&self) -> [&'static str; 2] {
        [self.division.name(), self.options.scheduler.name()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverter_follows_the_multiplier_unless_told() {
        let spec = |set: &[&str]| {
            let set = set.iter().map(|s| (*s).to_owned()).collect();
            Design { design: None, spec: None, set }.chip()
        };
        assert_eq!(spec(&["mm.latency=24"]).unwrap().inversion.interval, 26);
        assert_eq!(spec(&["inversion.interval=40", "mm.latency=24"]).unwrap().inversion.interval, 40);
        assert_eq!(spec(&["issue.width=2"]).unwrap().inversion, MachineSpec::paper().inversion);
        assert!(spec(&["mm.colour=2"]).is_err());
    }
}
