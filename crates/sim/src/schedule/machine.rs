//! The description of a machine that issues several operations in a cycle.

use super::ScheduleError;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// The longest latency or reservation, in cycles.
pub(super) const LONGEST: u32 = 1 << 16;
/// The most slots that may be alternatives of each other, since the bound by resources goes through their subsets.
const ALTERNATIVES: usize = 12;

/// A machine: which operations can issue together, the latencies of their results, and the sizes of its register files.
///
/// It is plain data for serde and is not validated when it is read; [`Machine::check`] validates it, which the
/// scheduler calls itself.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Machine {
    /// Its name in reports.
    pub name: String,
    /// The source of the numbers, in words.
    #[serde(default)]
    pub source: String,
    /// The resources that operations occupy: issue slots, ports, units that are busy for several cycles.
    pub slots: Vec<Slot>,
    /// The kinds of operations.
    pub classes: Vec<Class>,
    /// The register files that hold results.
    #[serde(default)]
    pub files: Vec<File>,
}

/// A resource that `count` operations can occupy in one cycle.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Slot {
    /// The name that descriptions and listings use.
    pub name: String,
    /// How many operations can take it in one cycle.
    pub count: u32,
}

/// A register file of `size` registers, each of which holds one live value.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// The name that descriptions and listings use.
    pub name: String,
    /// The number of registers.
    pub size: u32,
}

/// A class of operations with the same latency and resource use.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Class {
    /// The name that descriptions and listings use.
    pub name: String,
    /// The alternative reservation tables, in order of preference; an operation issues by one of them.
    pub ways: Vec<Vec<Use>>,
    /// Cycles from the issue to the first cycle in which the result can be read.
    pub latency: u32,
    /// Operands that are read later than in the issue cycle: the number of cycles after it, by operand name.
    #[serde(default)]
    pub reads: BTreeMap<String, u32>,
    /// The register file that holds the result; `None` if the result takes no register.
    #[serde(default)]
    pub writes: Option<String>,
    /// For a branch: the number of cycles after its own in which operations still issue before it is taken.
    #[serde(default)]
    pub delay_slots: Option<u32>,
}

/// A line of a reservation table: a slot that is occupied for an interval of cycles, counted from the issue.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Use {
    /// The name of the slot.
    pub slot: String,
    /// The first cycle, counted from the issue.
    #[serde(default)]
    pub from: u32,
    /// The number of cycles.
    #[serde(default = "one")]
    pub cycles: u32,
}

const fn one() -> u32 {
    1
}

impl Use {
    /// The slot is occupied for the issue cycle only.
    pub fn now(slot: &str) -> Self {
        Self { slot: slot.to_owned(), from: 0, cycles: 1 }
    }
}

impl Machine {
    /// The index of the class of this name.
    ///
    /// # Errors
    /// [`ScheduleError::UnknownClass`].
    pub fn class(&self, name: &str) -> Result<usize, ScheduleError> {
        let found = self.classes.iter().position(|c| c.name == name);
        found.ok_or_else(|| ScheduleError::UnknownClass(name.to_owned()))
    }

    /// Checks that names are unique and refer to existing parts, that no count is zero, and that every reservation
    /// table can issue on an empty machine.
    ///
    /// # Errors
    /// The first condition that does not hold.
    pub fn check(&self) -> Result<(), ScheduleError> {
        distinct(self.slots.iter().map(|s| &s.name))?;
        distinct(self.classes.iter().map(|c| &c.name))?;
        distinct(self.files.iter().map(|f| &f.name))?;
        let counts = self.slots.iter().map(|s| (&s.name, s.count));
        if let Some((name, _)) = counts.chain(self.files.iter().map(|f| (&f.name, f.size))).find(|c| c.1 == 0)
        {
            return Err(ScheduleError::None(name.clone()));
        }
        self.classes.iter().try_for_each(|class| self.check_class(class))?;
        let slots = self.alternatives().iter().map(Vec::len).max().unwrap_or(0);
        if slots > ALTERNATIVES {
            return Err(ScheduleError::Alternatives { slots, most: ALTERNATIVES });
        }
        Ok(())
    }

    fn check_class(&self, class: &Class) -> Result<(), ScheduleError> {
        let name = || class.name.clone();
        if class.ways.is_empty() {
            return Err(ScheduleError::NoWay(name()));
        }
        if let Some(file) = class.writes.as_ref().filter(|w| self.files.iter().all(|f| f.name != **w)) {
            return Err(ScheduleError::UnknownFile { class: name(), file: file.clone() });
        }
        let times = class.reads.values().chain(class.delay_slots.as_ref()).copied();
        let ends = class.ways.iter().flatten().map(|u| u.from.saturating_add(u.cycles));
        if times.chain(ends).chain([class.latency]).any(|t| t > LONGEST) {
            return Err(ScheduleError::LongClass { class: name(), most: LONGEST });
        }
        for way in &class.ways {
            let mut taken = BTreeMap::new();
            for u in way {
                let Some(slot) = self.slots.iter().find(|s| s.name == u.slot) else {
                    return Err(ScheduleError::UnknownSlot { class: name(), slot: u.slot.clone() });
                };
                for cycle in u.from..u.from + u.cycles {
                    let n = taken.entry((&u.slot, cycle)).or_insert(0);
                    *n += 1;
                    if *n > slot.count {
                        return Err(ScheduleError::Overfull { class: name(), slot: u.slot.clone() });
                    }
                }
            }
        }
        Ok(())
    }

    /// The slots in groups: two slots are in one group if a class with several ways uses both.
    pub(super) fn alternatives(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.slots.len()).collect();
        for class in self.classes.iter().filter(|c| c.ways.len() > 1) {
            let uses = class.ways.iter().flatten();
            let taken: Vec<usize> =
                uses.filter_map(|u| self.slots.iter().position(|s| s.name == u.slot)).collect();
            for pair in taken.windows(2) {
                let (into, from) = (group[pair[0]], group[pair[1]]);
                group.iter_mut().filter(|g| **g == from).for_each(|g| *g = into);
            }
        }
        let members = |g| (0..group.len()).filter(|&s| group[s] == g).collect::<Vec<_>>();
        (0..group.len()).map(members).filter(|m| !m.is_empty()).collect()
    }
}

fn distinct<'a>(names: impl Iterator<Item = &'a String>) -> Result<(), ScheduleError> {
    let mut names: Vec<&String> = names.collect();
    names.sort();
    match names.windows(2).find(|w| w[0] == w[1]) {
        Some(twice) => Err(ScheduleError::Duplicate(twice[0].clone())),
        None => Ok(()),
    }
}
