//! The price of a run: the account of a simulated run, read as activities of the engines, becomes time, energy and area.

use super::{ChipActivity, ChipCost, ChipShape, Engine, PAIRING_PES};
use crate::MachineSpec;
use crate::machine::dma::WORD_BYTES;
use crate::machine::msm;
use crate::machine::top::{Account, MsmPhases};
use pairwright_sim::dram::Kind;

/// Time, energy and area of a run of this design.
pub fn price(account: &Account, spec: &MachineSpec) -> ChipCost {
    let shape = ChipShape::of(spec);
    let idle = ChipActivity::idle(Engine::Transfer);
    let parts = activities(account).map(|part| ChipCost::of(spec, &shape, &part));
    let whole = parts.reduce(ChipCost::then).unwrap_or_else(|| ChipCost::of(spec, &shape, &idle));
    let mut whole = ChipCost { utilisation: utilisation(account, spec), ..whole };
    // A DRAM that is modelled by commands counts its own energy, and its standby.
    if let (Kind::Ddr, Some(dynamic)) = (spec.dram.kind, account.dram.dynamic_j) {
        let ranks = f64::from(spec.dram.channels * spec.dram.ranks);
        whole.dram_j = dynamic + 1e-3 * spec.dram.standby_mw * ranks * whole.latency_s;
        whole.energy.dram_j = whole.dram_j;
    }
    whole
}

/// The share of a run's cycles, 0 to 1, in which the processing elements of the working engine accepted operands: the
/// butterflies' elements in a transform, all elements in an MSM.
pub fn utilisation(account: &Account, spec: &MachineSpec) -> f64 {
    let shape = ChipShape::of(spec);
    let part = |activity: ChipActivity| activity.utilisation(&shape) * activity.cycles as f64;
    let busy: f64 = activities(account).map(part).sum();
    if account.cycles == 0 { 0.0 } else { busy / account.cycles as f64 }
}

/// The activities from which a run's energy is computed, one for each engine that worked. A cycle belongs to the engine that
/// was last given work.
pub fn activities(account: &Account) -> impl Iterator<Item = ChipActivity> + use<> {
    let [g1, g2] = &account.msm;
    let sum =
        |m: &MsmPhases, f: fn(&msm::MsmWork) -> u64| f(&m.accumulation) + f(&m.reduction) + f(&m.aggregation);
    let both = |f: fn(&msm::MsmWork) -> u64| sum(g1, f) + sum(g2, f);
    let of_msm = u64::from(WORD_BYTES) * (account.moved.points + account.moved.scalars);
    let poly = ChipActivity {
        cycles: account.engine_cycles[0],
        products_256: account.poly.products,
        sums_256: account.poly.additions,
        // Tables are made on the pairing's four elements.
        borrowed_cycles: u64::from(PAIRING_PES) * account.busy.tables,
        ab_accesses: account.poly.reads + account.poly.writes + account.moved.vectors,
        c_accesses: account.poly.table_reads + account.poly.table_writes + account.moved.tables,
        l1_words: account.instructions,
        dram_read_bytes: account.dram.read_bytes.saturating_sub(of_msm),
        dram_written_bytes: account.dram.write_bytes,
        ..ChipActivity::idle(Engine::Poly)
    };
    let msm = ChipActivity {
        cycles: account.engine_cycles[1],
        products_384: sum(g1, |w| w.element_cycles),
        iterative_cycles: sum(g2, |w| w.element_cycles),
        point_accesses: 2 * account.moved.points,
        padds: both(|w| w.padds),
        padds_g2: sum(g2, |w| w.padds),
        bucket_accesses: both(|w| w.bucket_word_reads + w.bucket_word_writes),
        digit_accesses: 2 * account.moved.scalars,
        glv_products: account.images,
        dram_read_bytes: of_msm.min(account.dram.read_bytes),
        ..ChipActivity::idle(Engine::Msm)
    };
    [poly, msm].into_iter().filter(|part| part.cycles > 0)
}
