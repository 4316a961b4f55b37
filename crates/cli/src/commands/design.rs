//! Designs of modelled machines, and how programs are made for the crypto-processor, from the command line.

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

/// An option that is named for a parameter: the option, the parameter's path, and the value if it was given.
pub(crate) type Named = (&'static str, &'static str, Option<String>);

/// A design from the command line, with all its changes but those of a sweep.
#[derive(Clone)]
pub(crate) struct Base<D> {
    /// The built-in design with what the file says.
    start: D,
    /// The same of every built-in design, by its name: a sweep may name one.
    starts: Vec<(&'static str, D)>,
    changes: Changes,
    options: Vec<Named>,
    /// The option that the values of a point come from.
    swept_by: &'static str,
}

/// Built-in designs by their names, the one that is taken where none is named first.
pub(crate) type Known<D> = [(&'static str, fn() -> D)];

/// The crypto-processor where none is named.
const DEFAULT: &str = "paper";
/// The name by which a sweep goes through built-in designs.
pub(crate) const DESIGN: &str = "design";

impl Design {
    /// What `--spec` and `--set` say.
    pub(crate) fn changes(&self) -> Result<Changes, Failure> {
        let mut changes = Changes::default();
        if let Some(path) = &self.spec {
            changes.file(&path.display().to_string(), &read(path)?)?;
        }
        self.set.iter().try_for_each(|setting| changes.set("--set", setting))?;
        Ok(changes)
    }

    /// Whether it is said what is changed.
    pub(crate) fn base_given(&self) -> bool {
        self.design.is_some() || self.spec.is_some()
    }

    pub(crate) fn chip(&self) -> Result<MachineSpec, Failure> {
        Base::new(self, MachineSpec::DESIGNS, Vec::new())?.built(&[])
    }

    /// Whether it is the published processor, parameters aside.
    fn published(&self) -> bool {
        self.published_as(self.design.as_deref().unwrap_or(DEFAULT))
    }

    /// The same, of another built-in design with this file.
    pub(crate) fn published_as(&self, name: &str) -> bool {
        self.spec.is_none() && name == DEFAULT
    }
}

/// The design of a name.
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
    /// A built-in design, changed by `--spec`, then by `--set`, then by options that are named for a parameter.
    pub(crate) fn new(design: &Design, known: &Known<D>, options: Vec<Named>) -> Result<Self, Failure> {
        Self::changed(design, design.changes()?, known, options)
    }

    /// The same with other changes than those of `--spec` and `--set`.
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

    /// The same for points of a search.
    pub(crate) fn searched(self) -> Self {
        Self { swept_by: "--over", ..self }
    }

    /// These changes, and those of a sweep, whose parameters are named by their paths or by their options.
    fn with(&self, swept: &[(&str, &str)]) -> Changes {
        let mut changes = self.changes.clone();
        for (axis, value) in swept.iter().filter(|(axis, _)| *axis != DESIGN) {
            let named = self.options.iter().find(|(option, ..)| option.strip_prefix("--") == Some(axis));
            changes.value(self.swept_by, named.map_or(axis, |(_, path, _)| path), value);
        }
        changes
    }

    /// The design at a point of a sweep. Whether it can be built is not checked: what fails here is a typing error.
    pub(crate) fn at(&self, swept: &[(&str, &str)]) -> Result<D, Failure> {
        Ok(self.with(swept).apply(self.start(swept)?)?)
    }

    /// The design that the changes at a point of a sweep begin with.
    fn start(&self, swept: &[(&str, &str)]) -> Result<&D, Failure> {
        match swept.iter().find(|(axis, _)| *axis == DESIGN) {
            Some((_, name)) => Ok(named(self.swept_by, name, &self.starts)?),
            None => Ok(&self.start),
        }
    }

    /// Whether a design that these changes made can be built.
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

    /// The same, checked.
    pub(crate) fn built(&self, swept: &[(&str, &str)]) -> Result<MachineSpec, Failure> {
        let spec = self.chip(swept)?;
        self.check(&spec)?;
        Ok(spec)
    }
}

impl Designs {
    /// Whether the design is only to be shown.
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

/// What `--parameters --json` says.
#[derive(Serialize)]
struct Listed {
    parameters: Vec<Parameter>,
}

/// Prints a design as a file.
pub(crate) fn dump<D: settings::Design>(cli: &Cli, design: &D) -> Result<(), Failure> {
    let file = settings::file(design)?;
    output::print(cli, &Dumped { config: design }, |_| file.trim_end().to_owned())
}

/// What `--dump-config --json` says.
#[derive(Serialize)]
struct Dumped<'a, D> {
    config: &'a D,
}

/// A crypto-processor, and what makes programs for it.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub spec: MachineSpec,
    /// How a pairing is divided.
    pub division: Division,
    /// How the compiler looks for schedules.
    pub options: Options,
}

impl Programs {
    /// A design, and what makes programs for it.
    pub(crate) fn choose(&self, design: &Design) -> Result<Chosen, Failure> {
        Ok(self.compile(design.chip()?, design.published()))
    }

    /// What makes programs for a design: as \[CP\] does for the published processor, unless it is said.
    pub(crate) fn compile(&self, spec: MachineSpec, published: bool) -> Chosen {
        let division = if published { Division::Published } else { Division::Resident };
        let scheduler = if published { Scheduler::List } else { Scheduler::Critical };
        let scheduler = self.scheduler.unwrap_or(scheduler);
        let options = Options { scheduler, seeds: self.seeds, seed: self.first_seed };
        Chosen { spec, division: self.division.unwrap_or(division), options }
    }
}

impl Division {
    /// Its name on the command line.
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

    /// What the compiler was told, in words.
    pub(crate) fn words(&self) -> [&'static str; 2] {
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
