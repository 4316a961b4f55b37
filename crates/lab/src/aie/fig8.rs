//! Figure 8: one task on med-ind and on med-coop, tile by tile.

use super::designs::one;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Labels, Row};
use pairwright_aie::mapping::Mapping;
use pairwright_aie::{Design, Method, timeline};
use serde_json::Value;
use std::path::Path;

const MAPPINGS: [Mapping; 2] = [Mapping::Independent, Mapping::Cooperative];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("aie/fig8", MAPPINGS.len());
    let series = Method::PAPER.name();
    let mut evaluations = Vec::new();
    for mapping in MAPPINGS {
        context.step(mapping.name());
        let e = one(context, mapping, Method::PAPER)?;
        let mut say = |key, value, note: &str| {
            outcome.answer(key, mapping.name(), &series, value, note);
        };
        say("latency", e.latency_cycles as f64, "kernels made for one task");
        let note = format!(
            "of {} tiles: {} for values, {} for room",
            e.tiles, e.stalls_of_one.empty, e.stalls_of_one.full
        );
        say("cycles of stalls", (e.stalls_of_one.empty + e.stalls_of_one.full) as f64, &note);
        for span in spans(&Design::new(mapping, Method::PAPER))? {
            let what = format!("timeline of {}", mapping.name());
            let labels = Labels { quantity: &what, operation: &span.tile, unit: "cycles" };
            let row = labels.modelled(span.activity, span.cycles as f64, "");
            let (x, x_name) = (Some(span.start as f64), "start, cycles".to_owned());
            outcome.keep(Row { x, x_name, ..row });
        }
        evaluations.push(e);
    }
    let [independent, cooperative] = &evaluations[..] else { unreachable!("an evaluation of each mapping") };
    let mut say = |series: &str, [a, b]: [u64; 2], note: &str| {
        let (key, note) = ("latency of med-ind over that of med-coop", format!("{a} and {b} cycles; {note}"));
        outcome.answer(key, "one task", series, a as f64 / b as f64, &note);
    };
    let straight = [independent, cooperative].map(|e| e.latency_cycles);
    say(&series, straight, "A and B of med-ind go on side by side, B of med-coop waits for A's sums");
    let loops = [independent, cooperative].map(|e| e.loop_latency_cycles);
    say(&format!("{series}, loops"), loops, "the loops that give the throughput, run once");
    Ok(outcome)
}

/// An activity of a tile over an interval of cycles.
struct Span {
    tile: String,
    start: u64,
    cycles: u64,
    activity: &'static str,
}

/// The timeline of one task, tile by tile; consecutive stalls of a kind are merged.
fn spans(design: &Design) -> Result<Vec<Span>, LabError> {
    let mut text = Vec::new();
    let io = LabError::io(Path::new("timeline"));
    timeline(design, 1)?.write(&mut text).map_err(&io)?;
    let trace: Value = serde_json::from_slice(&text).map_err(|error| io(error.into()))?;
    let events = trace["traceEvents"].as_array().map_or(&[][..], Vec::as_slice);
    let mut spans: Vec<Span> = Vec::new();
    for track in events.iter().filter(|event| event["name"] == "thread_name") {
        let tile = track["args"]["name"].as_str().unwrap_or_default();
        let mine = events.iter().filter(|event| event["ph"] == "X" && event["tid"] == track["tid"]);
        for event in mine {
            let number = |key: &str| event[key].as_u64().unwrap_or(0);
            let name = event["name"].as_str().unwrap_or_default();
            let (start, cycles) = (number("ts"), number("dur"));
            let activity = activity(name);
            match spans.last_mut() {
                Some(last)
                    if last.tile == tile
                        && last.activity == activity
                        && last.start + last.cycles == start =>
                {
                    last.cycles += cycles;
                }
                _ => spans.push(Span { tile: tile.to_owned(), start, cycles, activity }),
            }
        }
    }
    Ok(spans)
}

/// The activity that the name of an event means.
fn activity(name: &str) -> &'static str {
    match name.rsplit(' ').next() {
        Some("empty") => "waits for a value",
        Some("full") => "waits for room",
        _ => "runs",
    }
}
