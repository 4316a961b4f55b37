use super::place::{Route, Site, printed_units, route, site, units};
use super::*;
use crate::carry::Carry;
use crate::mapping::{Link, Mapping, Partition};
use crate::modmul::{Method, Reduction};
use crate::padd::Form;
use crate::program::Path;
use crate::tile::Tile;
use std::collections::BTreeSet;

const FABRIC: Fabric = Fabric::VC1902;
const METHOD: Method = Method::new(Reduction::Barrett, Carry::Mixed);

/// Table I, \[AIE\], of these mappings: throughput, latency, total instructions, core, tile and VLIW utilisation.
const TABLE: [(Mapping, [f64; 6]); 4] = [
    (Mapping::Coarse, [0.082, 1097.0, 3466.0, 0.85, 0.84, 1.98]),
    (Mapping::Independent, [0.050, 795.0, 3874.0, 0.88, 0.66, 1.73]),
    (Mapping::Cooperative, [0.053, 1211.0, 3940.0, 0.80, 0.78, 1.76]),
    (Mapping::Fine, [0.012, 1420.0, 8818.0, 0.42, 0.63, 0.88]),
];

#[test]
fn table_1() {
    println!("printed and ours: throughput, latency, instructions, core, tile, VLIW utilisation");
    let mut latencies = Vec::new();
    for (mapping, printed) in TABLE {
        let partition = Partition::new(mapping, METHOD);
        let schedules = schedules(&partition, &Tile::first_generation()).unwrap();
        let fifos = FABRIC.switch_fifos;
        let r = ArrayReport::new(&partition, &schedules, &FABRIC, fifos).unwrap();
        let ours = [
            r.throughput(),
            r.latency as f64,
            r.total_instructions as f64,
            r.core_utilisation(),
            r.tile_utilisation(&FABRIC),
            r.vliw_utilisation(),
        ];
        println!("{}: printed {printed:?}, ours {ours:.3?}", mapping.name());
        println!(
            "  longest tile {}, {} units {:.4}, {} units {:.4}; with stalls every {:.1} cycles, {:.4} a cycle",
            r.maximum_instructions,
            r.units,
            r.throughput(),
            printed_units(mapping),
            r.throughput_of_printed_units(),
            r.interval,
            r.sustained(),
        );
        println!(
            "  stalls (empty, full): one task {:?}, {TASKS} tasks {:?}; streams through the fullest ports {:?}, shared \
             ports {}; words of FIFOs {}, FIFOs used and there {:?}",
            r.stalls_of_one, r.stalls, r.fullest, r.shared, r.fifo_words, r.fifos
        );
        // The paper rounds to two digits; its tiles are ours.
        assert!((r.tile_utilisation(&FABRIC) - printed[4]).abs() < 0.01);
        // Ours are scheduled closer than the paper's compiler's, most of all the short ones of the finest mapping.
        assert!(ours[2] < printed[2] && ours[2] > 0.45 * printed[2]);
        // No tile can go faster than its loop, and FIFOs keep it from going much slower.
        assert!(r.interval > 0.99 * r.maximum_instructions as f64);
        assert!(r.fullest[0] <= FABRIC.north && r.fullest[1] <= FABRIC.other && r.shared == 0);
        latencies.push(r.latency);
    }
    // IV.C.2: tiles that do not wait for each other answer sooner.
    assert!(latencies[1] < latencies[2]);
}

impl Site {
    /// The memory modules that a tile's core reaches: its own, those of its neighbours in the south and north, and of
    /// the one in the west in even rows, in the east in odd ones (AM009).
    fn memories(self, fabric: &Fabric) -> Vec<Self> {
        let Self { column, row } = self;
        let beside = if row.is_multiple_of(2) { column.checked_sub(1) } else { Some(column + 1) };
        let below = row.checked_sub(1).map(|row| Self { column, row });
        let all = [Some(self), beside.map(|column| Self { column, row }), below];
        let all = all.into_iter().flatten().chain([Self { column, row: row + 1 }]);
        all.filter(|s| s.column < fabric.columns && s.row < fabric.rows).collect()
    }
}

/// The memory module of a unit's link that goes through memory: one that both tiles reach, the sender's own if it is
/// one. `None` if there is none.
fn memory(mapping: Mapping, unit: usize, link: &Link, fabric: &Fabric) -> Option<Site> {
    let reached = |tile: usize| site(mapping, unit, tile, fabric).memories(fabric);
    let receivers: Vec<Vec<Site>> = link.to.iter().map(|&tile| reached(tile)).collect();
    reached(link.from?).into_iter().find(|module| receivers.iter().all(|r| r.contains(module)))
}

/// The limit of \[AIE\] III.F comes from the streams: with them alone, cores of the finest mapping would need more than
/// there are. Carries through memory are within reach of both tiles, and within the locks there are.
#[test]
fn carries_go_through_memory_where_streams_end() {
    let mapping = Mapping::Fine;
    for carry in [Carry::Accurate, Carry::Mixed, Carry::Wide] {
        let method = Method::new(Reduction::Barrett, carry);
        assert_eq!(Partition::by_streams(mapping, method, Form::Mixed).core_streams(), [3, 3]);
        let partition = Partition::new(mapping, method);
        assert_eq!(partition.core_streams(), [FABRIC.core_ports; 2]);
        let mut locks = std::collections::BTreeMap::new();
        for unit in 0..units(mapping, &FABRIC) {
            for link in partition.links.iter().filter(|l| l.path == Path::Memory) {
                let tiles = [link.from.unwrap(), link.to[0]];
                // From the end of one block to the next one of mul_in.
                assert!(tiles.iter().all(|tile| tile % 15 < 6) && tiles[0] / 15 == tiles[1] / 15);
                let module = memory(mapping, unit, link, &FABRIC).expect("both tiles reach it");
                for tile in tiles {
                    let site = site(mapping, unit, tile, &FABRIC);
                    assert!(site.memories(&FABRIC).contains(&module));
                    assert!(site.column.abs_diff(module.column) + site.row.abs_diff(module.row) <= 1);
                }
                *locks.entry(module).or_insert(0) += FABRIC.buffers;
            }
        }
        assert_eq!(locks.len(), 2 * 8 * 3);
        assert!(locks.values().all(|&n| n <= FABRIC.locks));
    }
    // Tiles that reach no common memory are told from those that do.
    let far = Link { from: Some(0), to: vec![14], path: Path::Memory, values: vec![] };
    assert_eq!(memory(mapping, 0, &far, &FABRIC), None);
}

/// What locks cost is in the schedules, and what waiting for them costs in the run.
#[test]
fn locks_cost_instructions_and_waiting() {
    let method = Method::new(Reduction::Barrett, Carry::Wide);
    let tile = Tile::first_generation();
    let run = |partition: &Partition, schedules: &[Schedule], fabric: &Fabric| {
        ArrayReport::new(partition, schedules, fabric, fabric.switch_fifos).unwrap().interval
    };
    let partition = Partition::new(Mapping::Fine, method);
    let locked = schedules(&partition, &tile).unwrap();
    // Two values come to mul_in's 1_1 and two go on: between a lock and an access five cycles, and as many between a
    // lock and the next one's accesses.
    let accesses: usize = partition.links.iter().filter(|l| l.path == Path::Memory).map(Link::beats).sum();
    assert_eq!(accesses, 8 * 6);
    assert!(locked[3].ii >= 4 * 19);
    let [two, one, slow] = [(2, 5), (1, 5), (1, 50)]
        .map(|(buffers, lock_cycles)| run(&partition, &locked, &Fabric { buffers, lock_cycles, ..FABRIC }));
    // The same by streams that take turns.
    let by_streams = Partition::by_streams(Mapping::Fine, method, Form::Mixed);
    let streams = schedules(&by_streams, &tile).unwrap();
    assert!(streams[3].ii < locked[3].ii);
    println!(
        "mul_in 1_1 has {} instructions with locks, {} with streams; a task every {two:.1} cycles with two buffers, {one:.1} \
         with one, {slow:.1} with one and locks of 50 cycles, {:.1} by streams that take turns",
        locked[3].ii,
        streams[3].ii,
        run(&by_streams, &streams, &FABRIC)
    );
    assert!(two <= one && one < slow);
}

/// Two streams from one tile to another, one of them around a third tile: without room on the short way, the first
/// tile cannot go on and the last one waits for the second for ever.
#[test]
fn a_short_way_needs_room_for_what_overtakes() {
    let partition = Partition::new(Mapping::Coarse, METHOD);
    let schedules = schedules(&partition, &Tile::first_generation()).unwrap();
    let routing = route(&partition, 1, &FABRIC);
    let tight = Fabric { switch: 1, switch_words: 1, ..FABRIC };
    let unit = ClockedUnit::new(&partition, &schedules, &routing.routes[0], tight).unwrap();
    let stuck = unit.run(TASKS).unwrap_err();
    assert!(matches!(stuck, ArrayError::Deadlock { full, .. } if !full.is_empty()));
    let roomy: Vec<_> = routing.routes[0].iter().map(|r| Route { fifo: 64, ..r.clone() }).collect();
    let unit = ClockedUnit::new(&partition, &schedules, &roomy, tight).unwrap();
    let run = unit.run(4).unwrap();
    assert!(run.done.windows(2).all(|w| w[0] < w[1]));
    assert!(run.tiles.iter().all(|tile| tile.end <= run.cycles));
    let trace = timeline(&partition, &run);
    let stalls: usize = run.tiles.iter().map(|tile| tile.stalls.len()).sum();
    assert!(stalls > 0 && trace.len() > stalls + partition.tiles.len());
    // What does not carry a link's words is refused.
    let mut short = schedules.clone();
    short[0].accesses.pop();
    let refused = ClockedUnit::new(&partition, &short, &roomy, tight).unwrap_err();
    assert!(matches!(refused, ArrayError::Words { tile: 0, .. }));
    let refused = ClockedUnit::new(&partition, &schedules, &roomy[1..], tight).unwrap_err();
    assert!(matches!(refused, ArrayError::Parts { .. }));
}

/// Units of one tile in all rows of a column need more streams than go through its lowest switches.
#[test]
fn streams_share_ports_where_channels_end() {
    let partition = Partition::new(Mapping::Single, METHOD);
    let routing = route(&partition, 400, &FABRIC);
    assert!(routing.fullest[0] > FABRIC.north && routing.shared > 0);
    assert!(routing.routes.iter().flatten().any(|r| r.spacing > 1));
    assert!(routing.routes.iter().flatten().all(|r| r.switches.iter().all(|&s| (1..60).contains(&s))));
    // One tile's eight operands are more than six channels, though not more than eight.
    let row = Fabric { rows: 1, columns: 1, ..FABRIC };
    assert_eq!(route(&partition, 1, &row).shared, 1);
    let row = Fabric { north: 8, ..row };
    assert_eq!(route(&partition, 1, &row).shared, 0);
}

#[test]
fn every_tile_has_a_place_of_its_own() {
    let higher = Fabric { rows: 16, ..FABRIC };
    for (mapping, fabric) in
        Mapping::ALL.into_iter().flat_map(|mapping| [(mapping, FABRIC), (mapping, higher)])
    {
        let count = units(mapping, &fabric);
        let mut sites = BTreeSet::new();
        let tiles = mapping.tiles(Form::Complete);
        for unit in 0..count {
            for tile in 0..tiles {
                let site = site(mapping, unit, tile, &fabric);
                assert!(site.column < fabric.columns && site.row < fabric.rows);
                assert!(sites.insert(site), "{mapping:?}: two tiles on {site:?}");
            }
            // The cascade runs east in even rows and west in odd ones.
            for from in 0..tiles {
                if mapping.cascades(from, from + 1) {
                    let [a, b] = [from, from + 1].map(|tile| site(mapping, unit, tile, &fabric));
                    let east = a.row.is_multiple_of(2);
                    assert_eq!((a.row, if east { a.column + 1 } else { a.column - 1 }), (b.row, b.column));
                }
            }
        }
        assert_eq!(sites.len(), count * tiles);
    }
}
