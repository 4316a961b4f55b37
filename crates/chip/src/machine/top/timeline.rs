//! Timelines of runs of the whole chip for Perfetto, with a track for each datapath.

use super::sender::Executed;
use crate::isa::L1;
use crate::isa::rows::{Executor, L1Row};
use pairwright_sim::trace::Chrome;
use serde_json::json;

/// The tracks: transfers, the polynomial engine for each set of banks, tables of twiddles, MSM, pairings.
const TRACKS: [&str; 6] = ["transfers", "Poly-OP 0", "Poly-OP 1", "tables of twiddles", "MSM", "pairing"];

/// Draws each instruction from its dispatch until its datapath is free, so that those of a track do not overlap; the cycle
/// in which it is done is in the event's arguments.
pub fn timeline(name: &str, executed: &[Executed]) -> Chrome {
    let mut chrome = Chrome::new();
    let process = chrome.process(name);
    let tracks = TRACKS.map(|track| chrome.track(process, track));
    for done in executed {
        let track = match (L1Row::of(&done.instruction).unit, done.instruction) {
            (Executor::Control, _) => continue,
            (Executor::Dma, _) => 0,
            (Executor::Poly, L1::SubNtt { src, .. } | L1::Vector { src, .. }) => 1 + usize::from(src & 1),
            (Executor::Poly, _) => 3,
            (Executor::Msm, _) => 4,
            (Executor::Pairing | Executor::Switcher, _) => 5,
        };
        let args = [("pc", json!(done.pc)), ("done", json!(done.end))];
        let cycles = done.free - done.start;
        chrome.event(tracks[track], &done.instruction.to_string(), done.start, cycles, args);
    }
    chrome
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MachineSpec;
    use crate::machine::top::Watch;
    use crate::operator::{OperatorOptions, ntt_watched};
    use crate::task::ntt::Shape;
    use pairwright_curve::bls12_381::Fr;
    use pairwright_field::Field;
    use pairwright_poly::Domain;

    #[test]
    fn instructions_of_a_track_do_not_overlap() {
        let shape = Shape { domain: Domain::new(11).unwrap(), inverse: false, shift: Fr::ONE };
        let mut ran = Vec::new();
        let watch: Watch<'_> = &mut |executed, _| ran.push(*executed);
        let account = ntt_watched(&MachineSpec::paper(), &shape, OperatorOptions::default(), watch).unwrap();
        let mut text = Vec::new();
        timeline("t", &ran).write(&mut text).unwrap();
        let text: serde_json::Value = serde_json::from_slice(&text).unwrap();
        let mut free = [0; 8];
        let mut drawn = 0;
        for event in text["traceEvents"].as_array().unwrap().iter().filter(|e| e["ph"] == "X") {
            let number = |name: &str| event[name].as_u64().unwrap();
            let track = number("tid") as usize;
            assert!(number("ts") >= free[track], "{event}");
            free[track] = number("ts") + number("dur");
            drawn += 1;
        }
        assert_eq!(drawn, ran.iter().filter(|e| L1Row::of(&e.instruction).unit != Executor::Control).count());
        assert!(free.iter().filter(|f| **f > 0).count() >= 4 && free.iter().all(|f| *f <= account.cycles));
    }
}
