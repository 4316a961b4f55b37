//! The assignment of the switches' FIFOs to streams.
//!
//! Every switch has the same number of FIFOs. A stream to a tile can be routed through those of the switches on its way;
//! downstream of the switch where a broadcast branches, a FIFO holds words for one receiver only. All FIFOs are assigned,
//! in an order that depends on the mapping and its kernels, but not on the number and size of the FIFOs: first those that
//! prevent deadlocks, then one to every receiver of a stream between tiles in turn. Every assignment with few FIFOs
//! therefore remains with more of them: the sets of requests that the switches can fulfil are the independent sets of a
//! matroid, and more FIFOs make a larger matroid, in which the greedy choice keeps its earlier elements.

use super::Fabric;
use super::locks::locks;
use super::place::{Route, Routing, Site, route, units};
use super::run::{ArrayError, ClockedUnit, Run, Schedule};
use crate::mapping::Partition;
use crate::program::Path;
use std::collections::{BTreeMap, BTreeSet};

/// The greatest number of FIFOs requested for one receiver to prevent deadlocks.
const MOST: usize = 32;

/// The receiver of a stream: the index of the link, and that of the receiver within it.
type Receiver = (usize, usize);

/// The routes of a unit's links with the FIFOs assigned to them, and a run with these routes.
pub(crate) struct RoutedUnit {
    pub(crate) routes: Vec<Route>,
    pub(crate) fullest: [usize; 2],
    pub(crate) shared: usize,
    /// The number of FIFOs without which tiles of the paper's array would deadlock.
    pub(crate) needed: usize,
    /// The number of FIFOs that are assigned to streams.
    pub(crate) assigned: usize,
    /// Locks used in the memory module that holds most buffers between tiles.
    pub(crate) locks: usize,
    pub(crate) run: Run,
}

impl RoutedUnit {
    /// Routes all units of a mapping, assigns the FIFOs of the last unit's switches to its streams and runs that unit.
    ///
    /// # Errors
    /// The errors of [`ClockedUnit`], among them a deadlock with the FIFOs that the switches have; the errors of `locks`.
    pub(crate) fn new(
        partition: &Partition,
        schedules: &[Schedule],
        fabric: &Fabric,
        tasks: u64,
    ) -> Result<Self, ArrayError> {
        let locks = locks(partition, fabric)?;
        let Routing { routes, fullest, shared } = route(partition, units(partition.mapping, fabric), fabric);
        let mut routes = routes.into_iter().next_back().unwrap_or_default();
        let needed = needed_fifos(partition, schedules, &routes, fabric, tasks)?;
        let assigned = assign_fifos(&mut routes, partition, &needed, fabric);
        let run = ClockedUnit::new(partition, schedules, &routes, *fabric)?.run(tasks)?;
        Ok(Self { routes, fullest, shared, needed: needed.len(), assigned, locks, run })
    }
}

/// All receivers of streams between tiles.
fn between(partition: &Partition) -> impl Iterator<Item = Receiver> + '_ {
    let streams =
        partition.links.iter().enumerate().filter(|(_, l)| l.path == Path::Stream && l.from.is_some());
    streams.flat_map(|(link, l)| (0..l.to.len()).map(move |receiver| (link, receiver)))
}

/// The FIFOs that prevent deadlocks, in the order in which simulation shows the need for them, with the paper's buffer
/// sizes: for every circle of tiles in a deadlock, the full stream of that circle with the fewest FIFOs so far gets one
/// more.
fn needed_fifos(
    partition: &Partition,
    schedules: &[Schedule],
    routes: &[Route],
    fabric: &Fabric,
    tasks: u64,
) -> Result<Vec<Receiver>, ArrayError> {
    let Fabric { switch_words, fifo_words, port_words, .. } = Fabric::VC1902;
    let sizes = Fabric { switch_words, fifo_words, port_words, ..*fabric };
    let mut routes = routes.to_vec();
    let mut needed = Vec::new();
    loop {
        match ClockedUnit::new(partition, schedules, &routes, sizes)?.run(tasks) {
            Ok(_) => return Ok(needed),
            Err(ArrayError::Deadlock { waits, .. }) => {
                let has = |&&(link, receiver): &&Receiver| routes[link].fifo[receiver];
                let most = MOST * fifo_words;
                // Where a value overtakes another one on a longer path around a tile, the shorter path has to buffer it.
                let least =
                    |full: &Vec<Receiver>| full.iter().filter(|r| has(r) < most).min_by_key(has).copied();
                let more: BTreeSet<Receiver> = waits.full.iter().filter_map(least).collect();
                if more.is_empty() {
                    return Ok(needed);
                }
                more.iter().for_each(|&(link, receiver)| routes[link].fifo[receiver] += fifo_words);
                needed.extend(more);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Assigns the FIFOs of switches to streams; returns the number assigned.
fn assign_fifos(routes: &mut [Route], partition: &Partition, needed: &[Receiver], fabric: &Fabric) -> usize {
    let mut pool = FifoPool { each: fabric.switch_fifos, holders: BTreeMap::new() };
    let mut assigned = 0;
    // A request that cannot be fulfilled now cannot be fulfilled later either.
    let mut left: Vec<Receiver> = between(partition).collect();
    let mut requests: Vec<Receiver> = if needed.is_empty() { left.clone() } else { needed.to_vec() };
    while !requests.is_empty() {
        let refused: BTreeSet<Receiver> = requests
            .iter()
            .filter(|&&(link, receiver)| {
                let gets = pool.take((link, receiver), routes);
                routes[link].fifo[receiver] += usize::from(gets) * fabric.fifo_words;
                assigned += usize::from(gets);
                !gets
            })
            .copied()
            .collect();
        left.retain(|receiver| !refused.contains(receiver));
        requests.clone_from(&left);
    }
    assigned
}

/// The FIFOs of all switches and the receivers that they are assigned to.
struct FifoPool {
    each: usize,
    holders: BTreeMap<Site, Vec<Receiver>>,
}

impl FifoPool {
    /// Assigns one more FIFO to a receiver; other receivers may have to exchange theirs for one in another switch.
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
