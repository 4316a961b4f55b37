//! The FIFOs of switches, and which streams have them.
//!
//! Every switch has so many. A stream to a tile can be led through those of the switches that it passes; behind a
//! switch where a broadcast parts, a FIFO holds words for one receiver. All are given out, in an order that the mapping
//! and its kernels decide and that does not depend on how many there are or how large: first what keeps tiles from
//! waiting for one another, then one to every receiver of streams between tiles in turn. Whatever is given with few FIFOs is therefore given with
//! more of them as well: the sets of receivers' wishes that switches can fulfil are a matroid, and more FIFOs make a
//! larger one, in which a greedy choice keeps what it had.

use super::Fabric;
use super::locks::locks;
use super::place::{Route, Routing, Site, route, units};
use super::run::{ArrayError, ClockedUnit, Run, Schedule};
use crate::mapping::Partition;
use crate::program::Path;
use std::collections::{BTreeMap, BTreeSet};

/// The most FIFOs that are wished for one receiver lest tiles wait for one another.
const MOST: usize = 32;

/// A stream's receiver, by link and number.
type Receiver = (usize, usize);

/// The routes of a unit's links with the FIFOs that they have, and a run with them.
pub(crate) struct Settled {
    pub(crate) routes: Vec<Route>,
    pub(crate) fullest: [usize; 2],
    pub(crate) shared: usize,
    /// FIFOs without which tiles of the paper's array would wait for one another.
    pub(crate) needed: usize,
    /// FIFOs that streams have.
    pub(crate) given: usize,
    /// Locks of the memory module that holds most buffers between tiles.
    pub(crate) locks: usize,
    pub(crate) run: Run,
}

impl Settled {
    /// Routes all units of a mapping, gives the FIFOs of the last one's switches to its streams and runs it.
    ///
    /// # Errors
    /// The errors of [`ClockedUnit`]: tiles that wait for one another with the FIFOs that there are. Those of locks.
    pub(crate) fn new(
        partition: &Partition,
        schedules: &[Schedule],
        fabric: &Fabric,
        tasks: u64,
    ) -> Result<Self, ArrayError> {
        let locks = locks(partition, fabric)?;
        let Routing { routes, fullest, shared } = route(partition, units(partition.mapping, fabric), fabric);
        let mut routes = routes.into_iter().next_back().unwrap_or_default();
        let wishes = wishes(partition, schedules, &routes, fabric, tasks)?;
        let given = give(&mut routes, partition, &wishes, fabric);
        let run = ClockedUnit::new(partition, schedules, &routes, *fabric)?.run(tasks)?;
        Ok(Self { routes, fullest, shared, needed: wishes.len(), given, locks, run })
    }
}

/// The streams between tiles, receiver by receiver.
fn between(partition: &Partition) -> impl Iterator<Item = Receiver> + '_ {
    let streams =
        partition.links.iter().enumerate().filter(|(_, l)| l.path == Path::Stream && l.from.is_some());
    streams.flat_map(|(link, l)| (0..l.to.len()).map(move |receiver| (link, receiver)))
}

/// FIFOs in the order in which streams turn out to need one, with the paper's sizes of what switches hold: whenever tiles
/// wait for one another in circles, the full stream of each circle that has the fewest so far wishes for one more.
fn wishes(
    partition: &Partition,
    schedules: &[Schedule],
    routes: &[Route],
    fabric: &Fabric,
    tasks: u64,
) -> Result<Vec<Receiver>, ArrayError> {
    let Fabric { switch_words, fifo_words, port_words, .. } = Fabric::VC1902;
    let sizes = Fabric { switch_words, fifo_words, port_words, ..*fabric };
    let mut routes = routes.to_vec();
    let mut wishes = Vec::new();
    loop {
        match ClockedUnit::new(partition, schedules, &routes, sizes)?.run(tasks) {
            Ok(_) => return Ok(wishes),
            Err(ArrayError::Deadlock { waits, .. }) => {
                let has = |&&(link, receiver): &&Receiver| routes[link].fifo[receiver];
                let most = MOST * fifo_words;
                // Where a value overtakes another on a way around a tile, the shorter way has to hold it.
                let least =
                    |full: &Vec<Receiver>| full.iter().filter(|r| has(r) < most).min_by_key(has).copied();
                let more: BTreeSet<Receiver> = waits.full.iter().filter_map(least).collect();
                if more.is_empty() {
                    return Ok(wishes);
                }
                more.iter().for_each(|&(link, receiver)| routes[link].fifo[receiver] += fifo_words);
                wishes.extend(more);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Gives the FIFOs of switches to streams; how many are given.
fn give(routes: &mut [Route], partition: &Partition, wishes: &[Receiver], fabric: &Fabric) -> usize {
    let mut shelf = Shelf { each: fabric.switch_fifos, holders: BTreeMap::new() };
    let mut given = 0;
    // What cannot be given cannot be given later either.
    let mut left: Vec<Receiver> = between(partition).collect();
    let mut turn: Vec<Receiver> = if wishes.is_empty() { left.clone() } else { wishes.to_vec() };
    while !turn.is_empty() {
        let refused: BTreeSet<Receiver> = turn
            .iter()
            .filter(|&&(link, receiver)| {
                let gets = shelf.take((link, receiver), routes);
                routes[link].fifo[receiver] += usize::from(gets) * fabric.fifo_words;
                given += usize::from(gets);
                !gets
            })
            .copied()
            .collect();
        left.retain(|receiver| !refused.contains(receiver));
        turn.clone_from(&left);
    }
    given
}

/// The FIFOs of all switches and who holds them.
struct Shelf {
    each: usize,
    holders: BTreeMap<Site, Vec<Receiver>>,
}

impl Shelf {
    /// Gives a receiver one more FIFO, for which others may have to change theirs for one in another switch.
    fn take(&mut self, receiver: Receiver, routes: &[Route]) -> bool {
        self.place(receiver, routes, &mut BTreeSet::new())
    }

    fn place(&mut self, receiver: Receiver, routes: &[Route], tried: &mut BTreeSet<Site>) -> bool {
        for &site in &routes[receiver.0].own[receiver.1] {
            if !tried.insert(site) {
                continue;
            }
            let holders = self.holders.entry(site).or_default().clone();
            if holders.len() < self.each {
                self.holders.entry(site).or_default().push(receiver);
                return true;
            }
            for (n, &holder) in holders.iter().enumerate() {
                if self.place(holder, routes, tried) {
                    self.holders.entry(site).or_default()[n] = receiver;
                    return true;
                }
            }
        }
        false
    }
}
