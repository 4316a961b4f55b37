//! Assignment of rows to values by colouring of the conflict graph.
//!
//! Vertices are lifetimes, colours are rows of banks. Two values that are alive at the same time may not share a row. At
//! most as many values that are written in one cycle may share a bank as it has write ports, and at most as many that are
//! read in one cycle as it has read ports.

use super::lifetime::{Lifetime, ValueTraffic};
use crate::MachineSpec;
use crate::isa::Loc;
use rand_core::Rng;

/// A row for every lifetime of a [`ValueTraffic`].
pub type Rows = Vec<Loc>;

/// Attempts with different random orders before a schedule is given up.
const ATTEMPTS: usize = 24;

/// Colours the conflict graph, the vertex with the fewest choices first (DSATUR), with several attempts if ports prevent a
/// colouring. `None` if no attempt succeeds.
pub fn colour(
    traffic: &ValueTraffic,
    spec: &MachineSpec,
    reserved: &[Loc],
    rng: &mut impl Rng,
) -> Option<Rows> {
    let conflicts = Conflicts::new(traffic);
    (0..ATTEMPTS).find_map(|_| attempt(&conflicts, traffic, spec, reserved, rng))
}

/// The conflict graph.
struct Conflicts {
    /// For each value, the values that are alive at the same time.
    alive: Vec<Vec<usize>>,
    /// For each value, the values that are written in the same cycle.
    written: Vec<Vec<usize>>,
    /// For each value, the indices of the entries of [`ValueTraffic::reads`] that contain it.
    slots: Vec<Vec<usize>>,
}

impl Conflicts {
    fn new(traffic: &ValueTraffic) -> Self {
        let n = traffic.lifetimes.len();
        let (mut alive, mut written, mut slots) =
            (vec![Vec::new(); n], vec![Vec::new(); n], vec![Vec::new(); n]);
        // Writes of calls that follow each other share the write ports a period apart.
        let write = |l: &Lifetime| l.written.map(|cycle| traffic.period.map_or(cycle, |n| cycle % n));
        for (i, a) in traffic.lifetimes.iter().enumerate() {
            for (j, b) in traffic.lifetimes.iter().enumerate() {
                if i != j && a.meets(b) {
                    alive[i].push(j);
                }
                if i != j && write(a).is_some() && write(a) == write(b) {
                    written[i].push(j);
                }
            }
        }
        for (k, (_, rows)) in traffic.reads.iter().enumerate() {
            rows.iter().for_each(|&i| slots[i].push(k));
        }
        Self { alive, written, slots }
    }
}

fn attempt(
    conflicts: &Conflicts,
    traffic: &ValueTraffic,
    spec: &MachineSpec,
    reserved: &[Loc],
    rng: &mut impl Rng,
) -> Option<Rows> {
    let n = traffic.lifetimes.len();
    let banks = spec.banks.count as usize;
    let mut rows: Vec<Option<Loc>> = vec![None; n];
    // Whether a bank has free ports for the value.
    let bank_fits = |rows: &[Option<Loc>], i: usize, bank: u8| {
        let in_bank = |j: &usize| rows[*j].is_some_and(|l| l.bank == bank);
        let writes = conflicts.written[i].iter().filter(|j| in_bank(j)).count();
        let full = |k: &usize| {
            let together = traffic.reads[*k].1.iter().filter(|j| **j != i && in_bank(j)).count();
            together + 1 > spec.banks.reads as usize
        };
        writes < spec.banks.writes as usize && !conflicts.slots[i].iter().any(full)
    };
    let row_fits = |rows: &[Option<Loc>], i: usize, at: Loc| {
        !conflicts.alive[i].iter().any(|&j| rows[j] == Some(at)) && !reserved.contains(&at)
    };
    for (i, l) in traffic.lifetimes.iter().enumerate() {
        if let Some(at) = l.pinned {
            if at.bank as usize >= banks || u32::from(at.row) >= spec.banks.rows || !row_fits(&rows, i, at) {
                return None;
            }
            if !bank_fits(&rows, i, at.bank) {
                return None;
            }
            rows[i] = Some(at);
        }
    }
    let noise: Vec<u64> = (0..n).map(|_| rng.next_u64() & 7).collect();
    let mut open: Vec<usize> = (0..n).filter(|&i| rows[i].is_none()).collect();
    while !open.is_empty() {
        // Values with the fewest possible banks first, then in the order of time, which is optimal for rows, since lifetimes
        // are intervals.
        let choices = |i: usize| (0..banks as u8).filter(|&b| bank_fits(&rows, i, b)).count();
        let rank = |&i: &usize| (choices(i), traffic.lifetimes[i].from, noise[i]);
        let at = (0..open.len()).min_by_key(|&k| rank(&open[k]))?;
        let i = open.swap_remove(at);
        let mut best: Option<(usize, Loc)> = None;
        let first = rng.next_u64() as usize;
        for b in 0..banks {
            let bank = ((b + first) % banks) as u8;
            if !bank_fits(&rows, i, bank) {
                continue;
            }
            let free = (0..spec.banks.rows as u8)
                .map(|row| Loc { bank, row })
                .filter(|&at| row_fits(&rows, i, at))
                .collect::<Vec<_>>();
            if let Some(&row) = free.first()
                && best.is_none_or(|(count, _)| free.len() > count)
            {
                best = Some((free.len(), row));
            }
        }
        rows[i] = Some(best?.1);
    }
    rows.into_iter().collect()
}

/// Number of different rows that a colouring uses.
pub fn rows_used(rows: &Rows) -> usize {
    let mut all = rows.clone();
    all.sort_unstable();
    all.dedup();
    all.len()
}
