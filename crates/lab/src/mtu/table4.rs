//! Table 4: area and thermal design power of 32 elements by component.

use super::sweep::{PES, sized};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use pairwright_mtu::UnitConfig;
use pairwright_mtu::power::{Area, Basis, Group};

const AREA: &str = "area";
const POWER: &str = "thermal design power";
const TOTAL: &str = "Total MTU";

/// Interval of the SHA3 engines, and the bandwidth in gigabytes per second for which the buffers are sized. The first
/// pair is nearest to the table.
const DESIGNS: [(u32, u32); 4] = [(24, 256), (24, 1024), (12, 1024), (1, 1024)];

fn design(pes: u32, (hash_ii, gb): (u32, u32)) -> UnitConfig {
    UnitConfig { hash_ii, ..sized(pes, gb) }
}

fn name((hash_ii, gb): (u32, u32)) -> String {
    format!("SHA3 every {hash_ii} cycles, {gb} GB/s")
}

pub(super) fn run(_: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    for of in DESIGNS {
        let area = Area::of(&design(32, of));
        let series = name(of);
        let mut say = |group: &str, kind, mm2, watts, note: &str| {
            outcome.answer(AREA, group, &series, mm2, note).kind = kind;
            outcome.answer(POWER, group, &series, watts, note).kind = kind;
        };
        for group in Group::ALL {
            let components = || area.components.iter().filter(|c| c.part.group() == group);
            let parts: Vec<String> = components()
                .map(|c| format!("{} {:.4} mm2 ({}: {})", c.part.name(), c.mm2, basis(c.basis), c.source))
                .collect();
            let note = format!("{}{}", why(group, of), parts.join("; "));
            // The power is derived from the area by the table's own watts per square millimetre.
            let fitted = components().any(|c| matches!(c.basis, Basis::Printed | Basis::Calibrated));
            say(
                group.name(),
                fitted.then_some(Kind::Calibrated),
                area.group_mm2(group),
                area.group_w(group),
                &note,
            );
        }
        say(TOTAL, None, area.mm2, area.tdp_w, "without the interface to memory, as printed");
    }
    for of in DESIGNS {
        for pes in PES {
            let area = Area::of(&design(pes, of));
            let (operation, series) = (format!("{pes} PEs"), name(of));
            let mut keep = |what, unit, value| {
                let place = Labels { quantity: what, operation: &operation, unit };
                outcome.model(&place, &series, value, "without the interface to memory");
            };
            keep("area by elements", "mm2", area.mm2);
            keep("area by elements at 22 nm", "mm2", area.mm2_22nm);
            keep("thermal design power by elements", "W", area.tdp_w);
        }
    }
    Ok(outcome)
}

/// The word for the basis of an area.
fn basis(basis: Basis) -> String {
    format!("{basis:?}").to_lowercase()
}

/// The reason for a difference from the printed number.
fn why(group: Group, (hash_ii, gb): (u32, u32)) -> String {
    match (group, hash_ii) {
        (Group::Sha3, 1) => "24 rounds unrolled, as the runtimes of figures 4 and 7 need; the printed area is that of an iterative \
                             core; "
            .to_owned(),
        (Group::Sha3, 24) => "the printed area, with which no runtime of figure 7 is met; ".to_owned(),
        (Group::Phy, _) => format!("as many interfaces as {gb} GB/s take; table 4 prints one, of no stated bandwidth; "),
        (Group::Memory, _) => {
            let kib = design(32, (hash_ii, gb)).input_bytes >> 10;
            format!("two buffers of {kib} KiB for {gb} GB/s and 100 cycles of latency; the paper states no sizes; ")
        }
        _ => String::new(),
    }
}
