//! Timelines of runs for Perfetto, with a track each for L1, the switcher, the routines and every channel.

use super::processor::{Issue, Probe, Snapshot};
use crate::isa::{Channel, L1};
use pairwright_sim::trace::{Chrome, Process, Track};
use serde_json::json;

/// A probe that draws a run. An instruction is drawn in the cycle in which it issues, one cycle wide, because many are in a
/// pipeline at once; an inversion is drawn in its full length. A counter shows the number of products in the multiplier.
#[derive(Clone, Debug)]
pub struct Timeline {
    chrome: Chrome,
    process: Process,
    control: Track,
    switcher: Track,
    routines: Track,
    channels: [Track; 3],
    /// The cycle in which the current program began.
    start: u64,
    /// The current routine: the cycle in which it began, and its name.
    open: Option<(u64, String)>,
    in_flight: Option<u32>,
}

impl Timeline {
    /// A timeline of a machine with this name.
    pub fn new(machine: &str) -> Self {
        let mut chrome = Chrome::new();
        let process = chrome.process(machine);
        let mut track = |name| chrome.track(process, name);
        let (control, switcher, routines) = (track("L1"), track("switcher"), track("routine"));
        let channels = [track("Fp2 multiplier"), track("Fp2 arithmetic"), track("Fp inverter")];
        Self { chrome, process, control, switcher, routines, channels, start: 0, open: None, in_flight: None }
    }

    /// The events so far.
    pub fn chrome(&self) -> &Chrome {
        &self.chrome
    }

    fn close(&mut self, end: u64) {
        if let Some((since, name)) = self.open.take() {
            self.chrome.event(self.routines, &name, since, end - since, []);
        }
    }
}

impl Probe for Timeline {
    fn program(&mut self, start: u64) {
        self.start = start;
    }

    fn call(&mut self, cycle: u64, addr: u16, name: Option<&str>) {
        self.open =
            Some((self.start + cycle, name.map_or_else(|| format!("routine at {addr}"), str::to_owned)));
    }

    fn issue(&mut self, issue: &Issue<'_>) {
        let cycles = if issue.channel == Channel::Inv { issue.cycles } else { 1 };
        let args = [("slot", json!(issue.slot)), ("pc", json!(issue.pc)), ("cycles", json!(issue.cycles))];
        let track = self.channels[issue.channel as usize];
        self.chrome.event(track, &issue.word.to_string(), self.start + issue.cycle, cycles, args);
    }

    fn control(&mut self, start: u64, end: u64, pc: u16, instruction: &L1) {
        let (start, end) = (self.start + start, self.start + end);
        if matches!(instruction, L1::PairOp { .. } | L1::PairRepeat { .. }) {
            self.close(end);
        }
        if end == start {
            return;
        }
        let text = instruction.to_string();
        self.chrome.event(self.control, &text, start, end - start, [("pc", json!(pc))]);
        if matches!(instruction, L1::Switch { .. }) {
            self.chrome.event(self.switcher, &text, start, end - start, []);
        }
    }

    fn cycle(&mut self, snapshot: &Snapshot) {
        if self.in_flight != Some(snapshot.in_flight) {
            self.in_flight = Some(snapshot.in_flight);
            let count = u64::from(snapshot.in_flight);
            self.chrome.counter(self.process, "products in flight", self.start + snapshot.cycle, count);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::isa::{L2, L2Op, Loc, Operand};
    use crate::machine::{Processor, Row};
    use crate::{MachineSpec, isa::Direction};
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::Field;

    #[test]
    fn a_small_run_is_this_timeline() {
        let at = Loc::linear;
        let product = L2 {
            op: L2Op::Mm,
            src: [Some(Operand::Row(at(0))), Some(Operand::Row(at(1)))],
            dst: Some(at(2)),
            ..L2::NOP
        };
        let last = L2 { op: L2Op::Add, dst: Some(at(3)), last: true, ..product };
        let switch = |direction| L1::Switch { direction, rows: 2, global: 0, local: 0 };
        let l1 = vec![switch(Direction::In), L1::PairOp { addr: 0 }, L1::Finish];
        let mut machine = Processor::<Fr>::with_instructions(
            &MachineSpec::paper().with("control.prefetch", "false").unwrap(),
            l1,
            vec![product, last],
        )
        .unwrap();
        machine.write_global(0, Row::ONE).unwrap();
        machine.write_global(1, Row::ONE).unwrap();
        let mut timeline = Timeline::new("paper");
        let run = machine.run_watched(100, &mut timeline).unwrap();
        let mut text = Vec::new();
        timeline.chrome().write(&mut text).unwrap();
        let text = String::from_utf8(text).unwrap();
        let names: serde_json::Value = serde_json::from_str(&text).unwrap();
        let events: Vec<_> = names["traceEvents"]
            .as_array()
            .unwrap()
            .iter()
            .filter(|e| e["ph"] == "X")
            .map(|e| {
                (
                    e["name"].as_str().unwrap(),
                    e["tid"].as_u64().unwrap(),
                    e["ts"].as_u64().unwrap(),
                    e["dur"].as_u64().unwrap(),
                )
            })
            .collect();
        // dispatch 0, switch 1 and 2, dispatch 3, fill 4, slots 5 and 6, the product is written in cycle 23.
        let expected = [
            ("switch 2, in, g0, b0.0", 1, 0, 3),
            ("switch 2, in, g0, b0.0", 2, 0, 3),
            ("mm b2.0, b0.0, b1.0", 4, 5, 1),
            ("add b0.1, b0.0, b1.0 last", 5, 6, 1),
            ("routine at 0", 3, 4, 20),
            ("pair_op 0", 1, 3, 21),
            ("finish", 1, 24, 1),
        ];
        assert_eq!(events, expected);
        assert_eq!(run.cycles, 25);
    }
}
