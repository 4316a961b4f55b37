//! Table I: the five mappings.

use super::designs::{METHODS, found, mappings};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_aie::mapping::Mapping;
use pairwright_aie::tile::Tile;
use pairwright_aie::{Evaluation, Method};

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/table1", METHODS.len());
    let nops = f64::from(Tile::first_generation().acquire_nops);
    let note = "a parameter, `tile.acquire_nops`: the middle of the range, fixed before the table was made";
    outcome.answer("empty instructions of an acquisition", "fine", "machine file", nops, note);
    for method in METHODS {
        context.step(&method.name());
        let points: Vec<_> = mappings(context).iter().map(|&mapping| (mapping, method)).collect();
        for evaluation in found(context, &points, &mut outcome) {
            add_column(&evaluation, &mut outcome);
        }
    }
    Ok(outcome)
}

/// Adds a column of the table, and further results of the clocked array.
fn add_column(e: &Evaluation, outcome: &mut Outcome) {
    let (mapping, series) = (e.mapping.name(), e.method.name());
    let mut say = |key, series: &str, value, note: &str| {
        outcome.answer(key, mapping, series, value, note);
    };
    say("columns", &series, e.columns as f64, "");
    let longest = e.maximum_instructions;
    let note = format!("{} units that fit, {longest} instructions of the longest tile", e.units);
    if e.units == e.printed_units {
        say("throughput", &series, e.throughput_per_cycle, &note);
    } else {
        let printed = format!("{} units, by which the printed figure is", e.printed_units);
        say("throughput", &format!("{series}, printed units"), e.throughput_of_printed_units, &printed);
        say("throughput", &format!("{series}, fitting units"), e.throughput_per_cycle, &note);
    }
    let note = if e.mapping == Mapping::Single {
        "a call is six cycles more than its instructions; the printed one is 84 more".to_owned()
    } else {
        format!(
            "kernels made for one task; the loops that give the throughput take {}",
            e.loop_latency_cycles
        )
    };
    say("latency", &series, e.latency_cycles as f64, &note);
    let why = if e.method == Method::PAPER {
        "a part of the paper's operations is its compiler's, for which the text does not account"
    } else {
        "other carries than the paper's kernels have"
    };
    let note = format!("{} operations; {why}", e.operations);
    say("total instructions", &series, e.instructions as f64, &note);
    let mean = e.instructions as f64 / e.tiles as f64;
    let note = format!("{mean:.1} instructions of a tile on average, {longest} of the longest");
    say("core utilisation", &series, e.core_utilisation, &note);
    let note = format!("{} tiles, {} units", e.tiles, e.units);
    say("tile utilisation", &series, e.tile_utilisation, &note);
    say("VLIW utilisation", &series, e.vliw_utilisation, "");

    let mut keep = |what, unit, value, note: &str| {
        let place = Labels { quantity: what, operation: mapping, unit };
        outcome.model(&place, &series, value, note);
    };
    if let Some(sustained) = e.sustained_per_cycle {
        let note = format!(
            "fitting units; tiles stand still {} cycles for values and {} for room in 64 tasks",
            e.stalls.empty, e.stalls.full
        );
        keep("throughput with stalls", "tasks/cycle", sustained, &note);
        let note = format!("{} for values, {} for room", e.stalls_of_one.empty, e.stalls_of_one.full);
        let stalls = (e.stalls_of_one.empty + e.stalls_of_one.full) as f64;
        keep("stalls of one task, all tiles, kernels made for one", "cycles", stalls, &note);
        keep("latency by the loops of the throughput", "cycles", e.loop_latency_cycles as f64, "");
    }
    keep("instructions of the longest tile", "instructions", longest as f64, "");
    keep("operations", "operations", e.operations as f64, "");
    keep("multiply-accumulates", "MACs", e.macs as f64, "products of digits");
    keep("MAC utilisation", "share", e.mac_utilisation, "");
    let [north, other] = e.fullest_ports;
    let note =
        format!("{} ports have more than channels; in another direction at most {other}", e.shared_ports);
    keep("streams through the fullest port northwards", "streams", north as f64, &note);
    let note = format!("{} FIFOs in the switches of its columns, besides what these hold otherwise", e.fifos);
    keep("words of FIFOs of a unit", "words", e.fifo_words as f64, &note);
    let note = "lest tiles wait for one another for ever";
    keep("FIFOs that a unit needs", "FIFOs", e.fifos_needed as f64, note);
    keep("locks of the fullest memory module", "locks", e.locks as f64, "");
    if let Some(tasks) = e.in_flight {
        let note =
            "loops whose later tasks wait until earlier ones are sent, so that FIFOs hold what is ahead";
        keep("tasks in flight of a loop at most", "tasks", f64::from(tasks), note);
    }
}

#[cfg(test)]
mod tests {
    use crate::published;
    use pairwright_aie::mapping::Mapping;
    use pairwright_aie::{Design, Method};

    /// The numbers of units that the paper's throughputs assume, derived from its own numbers: the throughput times the
    /// instructions of the longest tile, which are those of all tiles over the tiles and the core utilisation.
    #[test]
    fn printed_units_follow_from_the_printed_numbers() {
        let table = published::read(include_str!("../../published/aie/table1.csv")).unwrap();
        for mapping in Mapping::ALL {
            let printed = |key: &str| {
                let row = table.iter().find(|row| row.key == key && row.operation == mapping.name());
                row.and_then(|row| row.value).unwrap()
            };
            let tiles = mapping.tiles(Design::new(mapping, Method::PAPER).form) as f64;
            let longest = printed("total instructions") / (tiles * printed("core utilisation"));
            let units = printed("throughput") * longest;
            assert!(
                (units / mapping.printed_units() as f64 - 1.0).abs() < 0.01,
                "{}: {units}",
                mapping.name()
            );
        }
    }
}
