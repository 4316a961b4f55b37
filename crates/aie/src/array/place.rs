//! The sites of tiles in the array, and the routes of streams.

use super::Fabric;
use crate::mapping::{Link, Mapping, Partition, Role};
use crate::program::Path;
use std::collections::{BTreeMap, VecDeque};

/// The site of a tile in the array.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) struct Site {
    /// The column, from the west.
    pub(crate) column: usize,
    /// The row, from the south, where the programmable logic is.
    pub(crate) row: usize,
}

/// The number of columns that a unit of a mapping takes, \[AIE\] Table I.
pub(crate) const fn columns(mapping: Mapping) -> usize {
    match mapping {
        Mapping::Single => 1,
        Mapping::Coarse => 4,
        Mapping::Independent | Mapping::Cooperative => 8,
        Mapping::Fine => 18,
    }
}

/// The number of units of a mapping that fit an array. The paper's tile utilisation is that of 6 units for both medium
/// mappings.
pub(crate) const fn units(mapping: Mapping, fabric: &Fabric) -> usize {
    match mapping {
        Mapping::Single => fabric.columns * fabric.rows,
        _ => fabric.columns / columns(mapping) * (fabric.rows / 8),
    }
}

/// Returns the site of a tile of a unit. Each product has a row, the first four products below the second four; odd rows
/// run from east to west, as the cascade does. Sums are placed beside the products of which they are sums, the product by
/// k in sites that a mixed addition leaves free. In [`Mapping::Fine`], each product has two columns: the first four from
/// the lowest row up, then the sums and under them the product by k, then the second four from the highest row down.
pub(crate) fn site(mapping: Mapping, unit: usize, tile: usize, fabric: &Fabric) -> Site {
    // Units in the next eight rows are above those in the lowest eight.
    let abreast = (fabric.columns / columns(mapping)).max(1);
    let (west, south) = (unit % abreast * columns(mapping), unit / abreast * 8);
    let each = mapping.product_tiles();
    let (column, row) = match (mapping, mapping.role(tile)) {
        (_, Role::Addition) => return Site { column: unit / fabric.rows, row: unit % fabric.rows },
        (Mapping::Fine, Role::Sum(sum)) => (8 + sum % 2, 7 - sum / 2),
        (Mapping::Fine, Role::Product(product @ 0..8, within)) => {
            let [column, row] = Mapping::fine_site(within);
            if product < 4 { (2 * product + column, row) } else { (2 * product + 3 - column, 7 - row) }
        }
        (Mapping::Fine, Role::Product(_, within)) => (8 + along(within / 2, within % 2, 2), within / 2),
        // E and H combine A and B in rows 0 and 1, F and G combine C and D in rows 2 and 3.
        (_, Role::Sum(sum)) => (each, [0, 2, 3, 1][sum]),
        (_, Role::Product(product @ 0..8, within)) => (along(product, within, each), product),
        // The product by k is an operand of C in row 2. In the lower rows all four columns are in use.
        (Mapping::Coarse, Role::Product(_, within)) => (each, 4 + within),
        (Mapping::Independent, Role::Product(_, within)) => (each + 1 + within % 2, within / 2),
        (_, Role::Product(_, within)) => (each + along(within / 2, within % 2, 2), 4 + within / 2),
    };
    Site { column: west + column, row: south + row }
}

/// The column of a tile in a row that begins at its cascade's start.
const fn along(row: usize, within: usize, tiles: usize) -> usize {
    if row.is_multiple_of(2) { within } else { tiles - 1 - within }
}

/// The route of a link through the switches.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Route {
    /// For each receiver (the programmable logic, for results), the number of switches from the sender to it; 0 on a
    /// cascade.
    pub(crate) switches: Vec<usize>,
    /// The cycles from one word to the next: more than one where streams share a port by packet switching.
    pub(crate) spacing: usize,
    /// For each receiver, the switches within the unit's columns in which a FIFO holds words for it alone: those from the
    /// point where its path leaves the paths to other receivers.
    pub(crate) own: Vec<Vec<Site>>,
    /// For each receiver, words of the FIFOs on its path, beyond the words that every switch holds.
    pub(crate) fifo: Vec<usize>,
}

/// The routes of all units' links.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Routing {
    /// The routes, by unit and link.
    pub(crate) routes: Vec<Vec<Route>>,
    /// The number of streams through the fullest port of all switches: northwards, and in any other direction.
    pub(crate) fullest: [usize; 2],
    /// The number of ports between switches with more streams than channels.
    pub(crate) shared: usize,
}

/// An output port of a switch: row 0 is the interface to the programmable logic, the rows of tiles follow.
type Port = (Site, Direction);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Direction {
    North,
    South,
    East,
    West,
}

const DIRECTIONS: [Direction; 4] = [Direction::North, Direction::South, Direction::East, Direction::West];

/// Routes every link of every unit: shortest paths through ports with a free channel, broadcasts as trees. Where there is
/// no such path, ports are shared by as few streams as possible.
pub(crate) fn route(partition: &Partition, units: usize, fabric: &Fabric) -> Routing {
    let mapping = partition.mapping;
    let mut map = RoutingMap { fabric, load: BTreeMap::new() };
    let mut ways = Vec::with_capacity(units);
    for unit in 0..units {
        let place = |tile: usize| {
            let Site { column, row } = site(mapping, unit, tile, fabric);
            Site { column, row: row + 1 }
        };
        let first =
            place(0).column - if mapping == Mapping::Single { 0 } else { place(0).column % columns(mapping) };
        let interface: Vec<Site> =
            (first..first + columns(mapping)).map(|column| Site { column, row: 0 }).collect();
        let way = |link: &Link| {
            if link.path != Path::Stream {
                return Tree { switches: vec![0], ports: vec![], own: vec![vec![]] };
            }
            let sources = link.from.map_or_else(|| interface.clone(), |tile| vec![place(tile)]);
            let targets: Vec<Vec<Site>> = if link.to.is_empty() {
                vec![interface.clone()]
            } else {
                link.to.iter().map(|&tile| vec![place(tile)]).collect()
            };
            let mut tree = map.tree(&sources, &targets);
            let inside = first..first + columns(mapping);
            tree.own.iter_mut().for_each(|own| own.retain(|s| s.row > 0 && inside.contains(&s.column)));
            tree
        };
        ways.push(partition.links.iter().map(way).collect::<Vec<_>>());
    }
    let ports = PortCount::new(partition);
    let routes = ways
        .iter()
        .map(|links| {
            let spaced = |(link, tree): (usize, &Tree)| {
                let between = tree
                    .ports
                    .iter()
                    .map(|port| map.load[port].div_ceil(fabric.channels(port.1 == Direction::North)));
                let spacing = between.max().unwrap_or(1).max(ports.spacing(&partition.links[link], fabric));
                let (switches, own) = (tree.switches.clone(), tree.own.clone());
                Route { fifo: vec![0; switches.len()], switches, spacing, own }
            };
            links.iter().enumerate().map(spaced).collect()
        })
        .collect();
    let fullest = |north: bool| {
        let loads = map.load.iter().filter(|(port, _)| (port.1 == Direction::North) == north);
        loads.map(|(_, &load)| load).max().unwrap_or(0)
    };
    let over = |(port, load): &(&Port, &usize)| **load > fabric.channels(port.1 == Direction::North);
    let shared = map.load.iter().filter(over).count();
    Routing { routes, fullest: [fullest(true), fullest(false)], shared }
}

/// The number of streams that share the ports of each tile's core.
struct PortCount {
    sent: BTreeMap<usize, usize>,
    received: BTreeMap<usize, usize>,
}

impl PortCount {
    fn new(partition: &Partition) -> Self {
        let mut count = Self { sent: BTreeMap::new(), received: BTreeMap::new() };
        for link in partition.links.iter().filter(|l| l.path == Path::Stream) {
            link.from.iter().for_each(|&tile| *count.sent.entry(tile).or_default() += 1);
            link.to.iter().for_each(|&tile| *count.received.entry(tile).or_default() += 1);
        }
        count
    }

    /// The spacing of words on a link that the cores' ports impose: the greatest number of streams that share one port of
    /// its sender or receivers.
    fn spacing(&self, link: &Link, fabric: &Fabric) -> usize {
        if link.path != Path::Stream {
            return 1;
        }
        let sent = link.from.iter().map(|tile| self.sent[tile]);
        let received = link.to.iter().map(|tile| self.received[tile]);
        sent.chain(received).map(|streams| streams.div_ceil(fabric.core_ports)).max().unwrap_or(1)
    }
}

struct RoutingMap<'f> {
    fabric: &'f Fabric,
    /// The number of streams through each port.
    load: BTreeMap<Port, usize>,
}

impl RoutingMap<'_> {
    /// Paths from any of the sources to each target (to any of its sites), as one tree.
    fn tree(&mut self, sources: &[Site], targets: &[Vec<Site>]) -> Tree {
        // The sites that the stream passes already, with the number of switches from the source to the site, both
        // included.
        let mut reached: BTreeMap<Site, usize> = BTreeMap::new();
        let mut ways: Vec<Vec<Site>> = Vec::with_capacity(targets.len());
        let mut tree = Tree { switches: vec![], ports: vec![], own: vec![] };
        for target in targets {
            let path = self.least(sources, &reached, target);
            let mut depth = reached.get(&path.from).copied().unwrap_or(1);
            reached.entry(path.from).or_insert(depth);
            // The path so far is that of the receiver whose path reached this site first.
            let before = ways
                .iter()
                .find_map(|way| way.split(|s| *s == path.from).next().filter(|b| b.len() < way.len()));
            let mut way = before.map_or_else(Vec::new, <[Site]>::to_vec);
            way.push(path.from);
            let mut at = path.from;
            for direction in path.steps {
                *self.load.entry((at, direction)).or_default() += 1;
                tree.ports.push((at, direction));
                at = self.next(at, direction).unwrap_or(at);
                depth += 1;
                reached.insert(at, depth);
                way.push(at);
            }
            tree.switches.push(depth);
            ways.push(way);
        }
        let others = |site: &Site| ways.iter().filter(|way| way.contains(site)).count() > 1;
        tree.own = ways.iter().map(|way| way[way.iter().rposition(others).unwrap_or(0)..].to_vec()).collect();
        tree
    }

    /// A shortest path with the smallest possible number of excess streams in its ports; without any if channels are
    /// left.
    fn least(&self, sources: &[Site], reached: &BTreeMap<Site, usize>, target: &[Site]) -> FoundPath {
        let path = |extra| self.path(sources, reached, target, extra);
        if let Some(path) = path(0) {
            return path;
        }
        // A path that exists for one bound exists for larger bounds, and some bound suffices, because the array is
        // connected.
        let (mut too_few, mut enough) = (0, 1);
        let mut way = loop {
            match path(enough) {
                Some(path) => break path,
                None => (too_few, enough) = (enough, 2 * enough),
            }
        };
        while enough - too_few > 1 {
            let between = too_few.midpoint(enough);
            match path(between) {
                Some(path) => (way, enough) = (path, between),
                None => too_few = between,
            }
        }
        way
    }

    /// A shortest path through ports that carry at most `extra` streams more than they have channels.
    fn path(
        &self,
        sources: &[Site],
        reached: &BTreeMap<Site, usize>,
        target: &[Site],
        extra: usize,
    ) -> Option<FoundPath> {
        let starts: Vec<Site> =
            if reached.is_empty() { sources.to_vec() } else { reached.keys().copied().collect() };
        let mut back: BTreeMap<Site, Option<(Site, Direction)>> = starts.iter().map(|&s| (s, None)).collect();
        let mut queue: VecDeque<Site> = starts.into();
        while let Some(at) = queue.pop_front() {
            if target.contains(&at) {
                let (mut steps, mut from) = (Vec::new(), at);
                while let Some((before, direction)) = back[&from] {
                    steps.push(direction);
                    from = before;
                }
                steps.reverse();
                return Some(FoundPath { from, steps });
            }
            for direction in DIRECTIONS {
                let load = self.load.get(&(at, direction)).copied().unwrap_or(0);
                let free = load < self.fabric.channels(direction == Direction::North) + extra;
                let Some(next) = self.next(at, direction).filter(|n| free && !back.contains_key(n)) else {
                    continue;
                };
                back.insert(next, Some((at, direction)));
                queue.push_back(next);
            }
        }
        None
    }

    fn next(&self, at: Site, direction: Direction) -> Option<Site> {
        let Site { column, row } = at;
        let (column, row) = match direction {
            Direction::North => (column, row + 1),
            Direction::South => (column, row.checked_sub(1)?),
            Direction::East => (column + 1, row),
            Direction::West => (column.checked_sub(1)?, row),
        };
        // These streams cannot run along the interface row.
        let along = row == 0 && matches!(direction, Direction::East | Direction::West);
        (column < self.fabric.columns && row <= self.fabric.rows && !along).then_some(Site { column, row })
    }
}

/// The paths of a link to all its receivers.
struct Tree {
    /// The number of switches on the path to each receiver.
    switches: Vec<usize>,
    /// The ports that the paths use.
    ports: Vec<Port>,
    /// For each receiver, the switches from the last one that its path shares with another path on, that one included.
    own: Vec<Vec<Site>>,
}

struct FoundPath {
    from: Site,
    steps: Vec<Direction>,
}
