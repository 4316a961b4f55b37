//! Timelines of MSMs for Perfetto, in cycles of the programmable logic.

use super::accumulate::PARTS_OF_BUFFER;
use super::units::Units;
use pairwright_sim::trace::Chrome;

/// Draws the phases, the fetches of each part of the points' buffer, and the additions of each unit. `phases` holds the
/// first cycle and the end of each phase.
pub(super) fn draw(
    chrome: &mut Chrome,
    phases: &[(&'static str, [u64; 2])],
    fetches: &[[u64; 2]],
    [mixed, complete]: [&Units; 2],
) {
    let process = chrome.process("MSM, cycles of the logic");
    let track = chrome.track(process, "phases");
    for (name, [start, end]) in phases {
        chrome.event(track, name, *start, end - start, []);
    }
    // A part is requested again when all of its points have been read.
    let parts: Vec<_> = (0..PARTS_OF_BUFFER)
        .map(|part| chrome.track(process, &format!("points from memory, part {part} of the buffer")))
        .collect();
    for ([asked, there], track) in fetches.iter().zip(parts.iter().cycle()) {
        chrome.event(*track, "fetch", *asked, there - asked, []);
    }
    for (kind, units) in [("accumulation", mixed), ("aggregation", complete)] {
        for (number, busy_periods) in units.busy_periods().enumerate() {
            let track = chrome.track(process, &format!("{kind}, unit {number}"));
            for stretch in busy_periods {
                let name = match stretch.additions {
                    1 => "1 addition".to_owned(),
                    many => format!("{many} additions"),
                };
                chrome.event(track, &name, stretch.start, stretch.end - stretch.start, []);
            }
        }
    }
}
