//! Tables 2 and 3: the DFS accumulator's schedule, cycle by cycle, observed on the running model.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::published;
use crate::row::Labels;
use pairwright_mtu::{CycleNodes, Node, Schedule, TreeDir, UnitConfig, schedule_table};

/// The tables' unit: eight elements with a latency of one cycle.
const PES: u32 = 8;
const LATENCY: u32 = 1;
/// The number of columns of the tables.
const CYCLES: u64 = 28;

const ISSUE: &str = "cycle of issue";
const OUTPUT: &str = "cycle of output";

/// A table of the paper.
struct Table {
    direction: TreeDir,
    /// Levels above the accumulator's stream.
    levels: u32,
    published: &'static str,
    /// The reason for a difference of a cell, by its content and the cycle in which the model has it.
    why: fn(&str, u64) -> &'static str,
}

pub(super) fn inverted(_: &Context<'_>) -> Result<Outcome, LabError> {
    let published = include_str!("../../published/mtu/table2.csv");
    // The table is cut off; any tree that is high enough begins like this.
    Table { direction: TreeDir::Inverted, levels: 16, published, why: |_, _| "" }.compare()
}

pub(super) fn forward(_: &Context<'_>) -> Result<Outcome, LabError> {
    let published = include_str!("../../published/mtu/table3.csv");
    let why = |key: &str, cycle: u64| match (key, cycle) {
        (ISSUE, 0) => {
            "the printed row has an empty first cell, so that its first node stands a cell late; its children are printed in \
             cycle 1, where the model has them"
        }
        (OUTPUT, 2..) => {
            "the printed output rows have a blank too few after the first node: from there on all stand a cell early, in the cycle \
             in which their parent is issued, other than the first node and all of table 2"
        }
        _ => "",
    };
    // The published tree has two nodes on level 8, which is four levels above the stream.
    Table { direction: TreeDir::Forward, levels: 4, published, why }.compare()
}

/// Nodes in the paper's notation.
fn names(nodes: &[Node]) -> String {
    nodes.iter().map(|(level, index)| format!("L{level}_{index}")).collect::<Vec<_>>().join(" and ")
}

fn or_idle(nodes: &[Node]) -> String {
    if nodes.is_empty() { "-".to_owned() } else { names(nodes) }
}

impl Table {
    fn run(&self, schedule: Schedule) -> Vec<CycleNodes> {
        let unit = UnitConfig { pes: PES, schedule, ..UnitConfig::paper() };
        schedule_table(&unit, self.direction, self.levels, LATENCY, CYCLES)
    }

    fn compare(&self) -> Result<Outcome, LabError> {
        let mut outcome = Outcome::default();
        let wrong = |source| LabError::Table { path: "published".into(), source };
        let published = published::read(self.published).map_err(wrong)?;
        let ruler = self.run(Schedule::Ruler);
        let series = "ruler";
        let (mut cells, mut agree, mut late) = (0u32, 0u32, 0u32);
        for (key, nodes) in
            [(ISSUE, (|s| &s.inputs) as fn(&CycleNodes) -> &Vec<Node>), (OUTPUT, |s| &s.outputs)]
        {
            for slot in ruler.iter().filter(|slot| !nodes(slot).is_empty()) {
                let (name, cycle) = (names(nodes(slot)), slot.cycle);
                let cell = published.iter().find(|cell| cell.key == key && cell.operation == name);
                let Some(cell) = cell else { continue };
                let note = (self.why)(key, cycle);
                outcome.answer(key, &name, series, cycle as f64, note);
                if let Some(printed) = cell.value {
                    cells += 1;
                    agree += u32::from(printed == cycle as f64);
                    late += u32::from(!note.is_empty());
                }
            }
        }
        let idle = ruler.iter().filter(|slot| slot.inputs.is_empty()).count() as f64;
        outcome.answer("idle cycles", "0 to 27", series, idle, "");
        let printed = published.iter().filter(|row| [ISSUE, OUTPUT].contains(&row.key.as_str())).count();
        let counts = [
            ("as printed", f64::from(agree)),
            ("explained: shifted by a cell in print", f64::from(late)),
            ("others", f64::from(cells - agree - late)),
            ("not in the model's 28 cycles", printed as f64 - f64::from(cells)),
        ];
        for (operation, value) in counts {
            let place = Labels { quantity: "cells of the printed table", operation, unit: "cells" };
            outcome.model(&place, series, value, "a cell of issue or of output that holds nodes");
        }
        for schedule in Schedule::ALL {
            for slot in self.run(schedule) {
                let operation = format!("{}", slot.cycle);
                let place = Labels {
                    quantity: "level that is issued, 0 in an idle cycle",
                    operation: &operation,
                    unit: "level",
                };
                let level = slot.inputs.first().map_or(0, |(level, _)| *level);
                let note = format!("in: {}; out: {}", or_idle(&slot.inputs), or_idle(&slot.outputs));
                outcome.model(&place, schedule.name(), f64::from(level), &note);
            }
        }
        Ok(outcome)
    }
}
