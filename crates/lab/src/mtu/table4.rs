//! Table 4: area and thermal design power of 32 elements by component.

use super::fig4::HASH_IIS;
use super::sweep::{PES, unit};
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::place::{Place, answer, modelled};
use pairwright_mtu::Config;
use pairwright_mtu::power::{Area, Group};

const AREA: &str = "area";
const POWER: &str = "thermal design power";
const TOTAL: &str = "Total MTU";

pub(super) fn run(_: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let design = |pes, hash_ii| Config { hash_ii, ..unit(pes, 1024) };
    for hash_ii in HASH_IIS {
        let area = Area::of(&design(32, hash_ii));
        let series = format!("SHA3 every {hash_ii} cycles");
        let mut say = |group: &str, mm2, watts, note: &str| {
            outcome.answers.push(answer(AREA, group, &series, mm2, note));
            outcome.answers.push(answer(POWER, group, &series, watts, note));
        };
        for group in Group::ALL {
            let of = |c: &&pairwright_mtu::power::Component| c.part.group() == group;
            let parts: Vec<String> = area
                .components
                .iter()
                .filter(of)
                .map(|c| format!("{} {:.4} mm2 ({:?}: {})", c.part.name(), c.mm2, c.basis, c.source))
                .collect();
            let note = format!("{}{}", why(group, hash_ii), parts.join("; "));
            say(group.name(), area.group_mm2(group), area.group_w(group), &note);
        }
        say(TOTAL, area.mm2, area.tdp_w, "without the interface to memory, as printed");
    }
    for hash_ii in HASH_IIS {
        for pes in PES {
            let area = Area::of(&design(pes, hash_ii));
            let (operation, series) = (format!("{pes} PEs"), format!("SHA3 every {hash_ii} cycles"));
            let mut keep = |what, unit, value| {
                let place = Place { what, operation: &operation, unit };
                outcome.rows.push(modelled(&place, &series, value, "without the interface to memory"));
            };
            keep("area by elements", "mm2", area.mm2);
            keep("area by elements at 22 nm", "mm2", area.mm2_22nm);
            keep("thermal design power by elements", "W", area.tdp_w);
        }
    }
    Ok(outcome)
}

/// Why a row differs from the printed.
fn why(group: Group, hash_ii: u32) -> &'static str {
    match (group, hash_ii) {
        (Group::Sha3, 1) => {
            "24 rounds unrolled, as the runtimes of figures 4 and 7 need; the printed area is that of an iterative core; "
        }
        (Group::Sha3, _) => {
            "an iterative core, as the printed area; runtimes are then those of figure 7's other charts; "
        }
        (Group::Phy, _) => "as many interfaces as 1024 GB/s take, table 4 prints one; ",
        (Group::Memory, _) => "buffers for 1024 GB/s and 100 cycles of latency; ",
        _ => "",
    }
}
