//! Reports on a schedule: slot utilisation, a listing by cycle, and a timeline.

use super::check::Fact;
use super::{Graph, Machine};
use crate::trace::Chrome;
use core::fmt;
use serde::Serialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write as _;

/// The utilisation of a slot.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct SlotUsage {
    /// The slot's name.
    pub slot: String,
    /// How often it was occupied, in slot cycles.
    pub taken: u64,
    /// The slot cycles available: the slot's count times the cycles.
    #[serde(rename = "there")]
    pub available: u64,
}

/// The utilisation of a machine.
#[derive(Clone, PartialEq, Eq, Debug, Serialize)]
pub struct Usage {
    /// The number of operations that issued.
    pub ops: u64,
    /// The number of cycles counted.
    pub cycles: u64,
    /// One entry per slot, in the machine's order.
    pub slots: Vec<SlotUsage>,
}

impl Usage {
    /// Counts the slots that these facts occupy in `cycles` cycles. For the steady state of a loop, pass its kernel and
    /// its `ii`. Facts that do not exist in the machine or the graph are not counted; [`check`](super::check()) reports
    /// them.
    pub fn new(machine: &Machine, graph: &Graph, facts: &[Fact], cycles: u64) -> Self {
        let mut taken: BTreeMap<&str, u64> = BTreeMap::new();
        let ways: Vec<_> = facts.iter().filter_map(|f| way(machine, graph, f)).collect();
        for u in ways.iter().copied().flatten() {
            *taken.entry(&u.slot).or_insert(0) += u64::from(u.cycles);
        }
        let slots = machine.slots.iter().map(|s| SlotUsage {
            slot: s.name.clone(),
            taken: taken.get(s.name.as_str()).copied().unwrap_or(0),
            available: cycles * u64::from(s.count),
        });
        Self { ops: ways.len() as u64, cycles, slots: slots.collect() }
    }

    /// Operations per cycle on average; NaN if there are no cycles.
    pub fn ops_per_cycle(&self) -> f64 {
        self.ops as f64 / self.cycles as f64
    }
}

impl SlotUsage {
    /// The share of the slot's cycles that is occupied, 0 to 1; NaN if there are no cycles.
    pub fn utilisation(&self) -> f64 {
        self.taken as f64 / self.available as f64
    }
}

/// One line for the total, then one line per slot.
impl fmt::Display for Usage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{} operations in {} cycles: {:.2} per cycle",
            self.ops,
            self.cycles,
            self.ops_per_cycle()
        )?;
        let width = self.slots.iter().map(|s| s.slot.chars().count()).max().unwrap_or(0);
        self.slots.iter().try_for_each(|s| {
            let share = 100.0 * s.utilisation();
            writeln!(f, "{:<width$} {:>9} of {:>9} {share:>6.1} %", s.slot, s.taken, s.available)
        })
    }
}

fn way<'a>(machine: &'a Machine, graph: &Graph, fact: &Fact) -> Option<&'a Vec<super::Use>> {
    machine.classes.get(graph.ops.get(fact.op)?.class)?.ways.get(fact.way)
}

/// A table with a line per cycle and a column per slot: the operations that occupy the slot in the cycle, with their
/// iteration after a slash unless all are of the first. A run of empty cycles is one line.
pub fn listing(machine: &Machine, graph: &Graph, facts: &[Fact]) -> String {
    let several = facts.iter().any(|f| f.iteration > 0);
    let mut cells: BTreeMap<u64, Vec<String>> = BTreeMap::new();
    let mut sorted = facts.to_vec();
    sorted.sort_by_key(|f| (f.cycle, f.iteration, f.op));
    for fact in &sorted {
        for u in way(machine, graph, fact).into_iter().flatten() {
            let Some(column) = machine.slots.iter().position(|s| s.name == u.slot) else { continue };
            for after in u.from..u.from.saturating_add(u.cycles) {
                let row = cells.entry(fact.cycle.saturating_add(u64::from(after)));
                let cell = &mut row.or_insert_with(|| vec![String::new(); machine.slots.len()])[column];
                if !cell.is_empty() {
                    cell.push_str(", ");
                }
                cell.push_str(&graph.ops[fact.op].name);
                if several {
                    let _ = write!(cell, "/{}", fact.iteration);
                }
            }
        }
    }
    let width = |n: usize, name: &str| {
        cells.values().map(|row| row[n].chars().count()).chain([name.chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = machine.slots.iter().enumerate().map(|(n, s)| width(n, &s.name)).collect();
    let line = |first: &str, row: &[String]| {
        let columns = row.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:<width$}"));
        format!("{first:>6}{}", columns.collect::<String>()).trim_end().to_owned() + "\n"
    };
    let names: Vec<String> = machine.slots.iter().map(|s| s.name.clone()).collect();
    let mut text = line("cycle", &names);
    let mut next = None;
    for (&cycle, row) in &cells {
        if next.is_some_and(|n| n < cycle) {
            text.push_str("     -\n");
        }
        text.push_str(&line(&cycle.to_string(), row));
        next = cycle.checked_add(1);
    }
    text
}

/// A timeline with a track for every slot (several for a slot with a larger count), and an event for every line of a
/// reservation table.
pub fn timeline(machine: &Machine, graph: &Graph, facts: &[Fact]) -> Chrome {
    let mut chrome = Chrome::new();
    let process = chrome.process(&machine.name);
    let mut sorted = facts.to_vec();
    sorted.sort_by_key(|f| (f.cycle, f.iteration, f.op));
    for slot in &machine.slots {
        let uses = sorted.iter().flat_map(|f| {
            let uses = way(machine, graph, f).into_iter().flatten().filter(|u| u.slot == slot.name);
            uses.map(move |u| (f.cycle.saturating_add(u64::from(u.from)), u64::from(u.cycles), f))
        });
        let mut uses: Vec<(u64, u64, &Fact)> = uses.collect();
        uses.sort_by_key(|u| u.0);
        // Greedy assignment in start order to the first free track; no more tracks are needed than operations that
        // overlap.
        let mut tracks = vec![(0, Vec::new()); slot.count as usize];
        for used in uses {
            let free = tracks.iter().position(|t| t.0 <= used.0).unwrap_or(0);
            tracks[free].0 = used.0.saturating_add(used.1);
            tracks[free].1.push(used);
        }
        for (n, (_, events)) in tracks.into_iter().enumerate() {
            let name = if slot.count == 1 { slot.name.clone() } else { format!("{} {n}", slot.name) };
            let track = chrome.track(process, &name);
            for (start, cycles, fact) in events {
                let iteration = [("iteration", json!(fact.iteration))];
                chrome.event(track, &graph.ops[fact.op].name, start, cycles, iteration);
            }
        }
    }
    chrome
}
