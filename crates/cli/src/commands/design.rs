//! A design of the crypto-processor and how programs are made for it, from the command line.

use crate::args::{ChipDesign, Design, Division};
use crate::failure::{ArgumentError, Failure};
use pairwright::chip::MachineSpec;
use pairwright::chip::compiler::{CompileError, Options, Scheduler};
use pairwright::chip_programs::{Program, pairing};
use pairwright::curve::bls12_381::Fq;

/// A design, and what makes programs for it.
#[derive(Clone, Debug)]
pub(crate) struct Chosen {
    pub spec: MachineSpec,
    /// How a pairing is divided.
    pub division: Division,
    /// How the compiler looks for schedules.
    pub options: Options,
}

/// The design where none is named.
const DEFAULT: &str = "paper";

impl Design {
    /// The design with its changes.
    pub(crate) fn spec(&self) -> Result<MachineSpec, Failure> {
        self.spec_with(self.settings()?)
    }

    /// The fields to change, with their values.
    pub(crate) fn settings(&self) -> Result<Vec<(&str, &str)>, ArgumentError> {
        self.set.iter().map(|text| setting(text)).collect()
    }

    /// The design with these changes.
    pub(crate) fn spec_with(&self, settings: Vec<(&str, &str)>) -> Result<MachineSpec, Failure> {
        let base = match (&self.spec, self.design.as_deref().unwrap_or(DEFAULT)) {
            (Some(path), _) => {
                let text =
                    std::fs::read_to_string(path).map_err(|why| Failure::File { path: path.clone(), why })?;
                MachineSpec::parse(&text)?
            }
            (None, name) => MachineSpec::named(name).ok_or_else(|| ArgumentError::Design {
                name: name.to_owned(),
                known: MachineSpec::names().collect::<Vec<_>>().join(", "),
            })?,
        };
        with(&base, settings)
    }

    /// Whether it is said what is changed.
    pub(crate) fn base_given(&self) -> bool {
        self.design.is_some() || self.spec.is_some()
    }

    /// Whether it is the published processor, parameters aside.
    fn published(&self) -> bool {
        self.spec.is_none() && self.design.as_deref().unwrap_or(DEFAULT) == DEFAULT
    }
}

impl ChipDesign {
    /// The design, and what makes programs for it.
    pub(crate) fn choose(&self) -> Result<Chosen, Failure> {
        let spec = self.design.spec()?;
        let published = self.design.published();
        let division = if published { Division::Published } else { Division::Resident };
        let scheduler = if published { Scheduler::List } else { Scheduler::Critical };
        let scheduler = self.scheduler.unwrap_or(scheduler);
        let options = Options { scheduler, seeds: self.seeds, seed: self.first_seed };
        Ok(Chosen { spec, division: self.division.unwrap_or(division), options })
    }
}

/// A field and its value, from `--set`.
pub(crate) fn setting(text: &str) -> Result<(&str, &str), ArgumentError> {
    text.split_once('=').ok_or_else(|| ArgumentError::Setting(text.to_owned()))
}

/// The design with parameters set. The inverter's interval keeps its distance from the multiplier's latency unless it
/// is set itself: it is the time from one product's operands to the next's.
pub(crate) fn with<'a>(
    base: &MachineSpec,
    settings: impl IntoIterator<Item = (&'a str, &'a str)>,
) -> Result<MachineSpec, Failure> {
    let mut spec = base.clone();
    let mut interval = None;
    for (path, value) in settings {
        spec = match path {
            // Last, when the latency is known.
            "inversion.interval" => {
                interval = Some(value);
                continue;
            }
            _ => spec.with(path, value)?,
        };
    }
    let distance = base.inversion.interval.saturating_sub(base.mm.latency);
    let follows = (spec.mm.latency + distance).to_string();
    Ok(spec.with("inversion.interval", interval.unwrap_or(&follows))?)
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
        let division = match self.division {
            Division::Published => "published",
            Division::Resident => "resident",
        };
        [division, self.options.scheduler.name()]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_inverter_follows_the_multiplier_unless_told() {
        let paper = MachineSpec::paper();
        assert_eq!(with(&paper, [("mm.latency", "24")]).unwrap().inversion.interval, 26);
        let told = [("inversion.interval", "40"), ("mm.latency", "24")];
        assert_eq!(with(&paper, told).unwrap().inversion.interval, 40);
        assert_eq!(with(&paper, [("issue.width", "2")]).unwrap().inversion, paper.inversion);
        assert!(with(&paper, [("mm.colour", "2")]).is_err());
    }
}
