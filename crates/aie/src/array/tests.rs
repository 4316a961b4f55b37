use super::locks::memory;
use super::loops::Loops;
use super::place::{Route, route, site, units};
use super::*;
use crate::carry::Carry;
use crate::error::AieError;
use crate::mapping::{Link, Mapping, Partition};
use crate::method::Multiplication;
use crate::modmul::{Method, Reduction};
use crate::padd::Form;
use crate::program::Path;
use crate::tile::{Kernel, Tile, TileError};
use std::collections::BTreeSet;

const FABRIC: Fabric = Fabric::VC1902;
const METHOD: Method = Method::new(Reduction::Barrett, Carry::Mixed);
const BALANCED: Method = Method::new(Reduction::Barrett, Carry::Balanced);

/// The printed rows of Table I, \[AIE\], for these mappings: throughput, latency, total instructions, core, tile and VLIW
/// utilisation.
const TABLE: [(Mapping, [f64; 6]); 3] = [
    (Mapping::Coarse, [0.082, 1097.0, 3466.0, 0.85, 0.84, 1.98]),
    (Mapping::Independent, [0.050, 795.0, 3874.0, 0.88, 0.66, 1.73]),
    (Mapping::Cooperative, [0.053, 1211.0, 3940.0, 0.80, 0.78, 1.76]),
];

#[test]
fn table_1() {
    println!("printed and ours: throughput, latency, instructions, core, tile, VLIW utilisation");
    let mut latencies = Vec::new();
    for (mapping, printed) in TABLE {
        let partition = Partition::new(mapping, METHOD);
        let loops = Loops::new(&partition, &Tile::first_generation(), &FABRIC).unwrap();
        let r = ArrayReport::new(&partition, &loops, &FABRIC).unwrap();
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
            mapping.printed_units(),
            r.throughput_of_printed_units(),
            r.interval,
            r.sustained(),
        );
        println!(
            "  stalls (empty, full): one task {:?}, {TASKS} tasks {:?}; streams through the fullest ports {:?}, shared \
             ports {}; words of FIFOs {}, {:?}",
            r.stalls_of_one, r.stalls, r.fullest, r.shared, r.fifo_words, r.fifos
        );
        // The paper rounds to two digits; its numbers of tiles are ours.
        assert!((r.tile_utilisation(&FABRIC) - printed[4]).abs() < 0.01);
        // Our loops are scheduled closer to their bounds than those of the paper's compiler.
        assert!(ours[2] < printed[2] && ours[2] > 0.5 * printed[2]);
        // No tile is faster than its loop; the FIFOs prevent it from being much slower.
        assert!(r.interval > 0.99 * r.maximum_instructions as f64);
        assert!(r.fullest[0] <= FABRIC.north && r.fullest[1] <= FABRIC.other && r.shared == 0);
        latencies.push(r.latency);
    }
    // IV.C.2: tiles that do not wait for each other finish sooner.
    assert!(latencies[1] < latencies[2]);
}

/// The limit of \[AIE\] III.F comes from the streams: without memory, cores of the finest mapping would need more streams
/// than there are. The memory of every carry is within reach of both tiles, and has enough locks.
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
                // The last block of a vector sends to that of the next vector of mul_in.
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
    // The test distinguishes tiles without a common memory.
    let far = Link { from: Some(0), to: vec![14], path: Path::Memory, values: vec![] };
    assert_eq!(memory(mapping, 0, &far, &FABRIC), None);
}

/// The cost of acquisitions is in the schedules: mul_in's 1_1 receives two values through memory and sends two.
#[test]
fn locks_cost_instructions() {
    let method = Method::new(Reduction::Barrett, Carry::Wide);
    let partition = Partition::new(Mapping::Fine, method);
    let accesses: usize = partition.links.iter().filter(|l| l.path == Path::Memory).map(Link::beats).sum();
    assert_eq!(accesses, 8 * 6);
    let interval = |acquire_nops: u32| {
        let tile = Tile { acquire_nops, ..Tile::first_generation() };
        u64::from(Kernel::schedule(&partition.tiles[3], &tile).unwrap().ii())
    };
    let [beside, least, middle, most] = [0, 20, 25, 30].map(interval);
    println!(
        "mul_in 1_1 has {beside} instructions with locks beside others, {least}, {middle}, {most} with empty ones"
    );
    // A lock and an access are five cycles apart in either order, or separated by empty instructions that nothing else
    // can fill.
    assert!(beside >= 4 * 19 && least >= 4 * 20 && middle >= 4 * 25 && most >= 4 * 30);
    assert!(beside < least && least < middle && middle < most);
}

/// The finest mapping runs with the FIFOs of the paper's array, and slower locks or fewer buffers cost cycles.
#[test]
#[ignore = "full: schedules 126 tiles with locks several times, minutes"]
fn the_finest_mapping_runs_with_the_fifos_that_there_are() {
    let partition = Partition::new(Mapping::Fine, Method::new(Reduction::Barrett, Carry::Wide));
    let loops = Loops::new(&partition, &Tile::first_generation(), &FABRIC).unwrap();
    let longest = loops.schedules.iter().map(|s| s.ii).max().unwrap();
    println!(
        "{longest} instructions, a task every {:.1} cycles, {:?} in flight",
        loops.interval, loops.in_flight
    );
    let run = |fabric: &Fabric| {
        let routed = fifos::RoutedUnit::new(&partition, &loops.schedules, fabric, TASKS);
        routed.map_or(f64::INFINITY, |s| loops::interval(&s.run))
    };
    let [two, one, slow] = [(2, 5), (1, 5), (1, 50)]
        .map(|(buffers, lock_cycles)| run(&Fabric { buffers, lock_cycles, ..FABRIC }));
    assert!(two <= one && one < slow && two >= 0.99 * longest as f64);
}

/// Memory modules have a limited number of locks, and each buffer takes one.
#[test]
fn a_module_has_so_many_locks() {
    let partition = Partition::new(Mapping::Fine, Method::new(Reduction::Barrett, Carry::Wide));
    let needed = locks::locks(&partition, &FABRIC).unwrap();
    assert!(needed > 0 && needed <= FABRIC.locks);
    for buffers in [1, 2, 3] {
        assert_eq!(
            locks::locks(&partition, &Fabric { buffers, ..FABRIC }),
            Ok(needed * buffers / FABRIC.buffers)
        );
    }
    let few = locks::locks(&partition, &Fabric { locks: needed - 1, ..FABRIC }).unwrap_err();
    assert!(few.to_string().contains(&format!("and has {} locks", needed - 1)), "{few}");
    assert_eq!(locks::locks(&Partition::new(Mapping::Coarse, METHOD), &Fabric { locks: 0, ..FABRIC }), Ok(0));
}

/// No switch assigns more FIFOs than it has, and no run is faster with fewer or smaller FIFOs.
#[test]
#[ignore = "full: schedules three mappings and runs each with many FIFOs, ten seconds"]
fn fewer_fifos_never_make_a_mapping_faster() {
    let tile = Tile::first_generation();
    let mut slower = 0;
    for (mapping, method) in [
        (Mapping::Independent, METHOD),
        (Mapping::Coarse, Method { product: Multiplication::Karatsuba, ..BALANCED }),
        (Mapping::Cooperative, Method { product: Multiplication::Digits28, ..BALANCED }),
    ] {
        let partition = Partition::new(mapping, method);
        let schedules = schedules(&partition, &tile).unwrap();
        // A refused run counts as slower than any other.
        let run = |fabric: Fabric| {
            let Ok(routed) = fifos::RoutedUnit::new(&partition, &schedules, &fabric, TASKS) else {
                return f64::INFINITY;
            };
            let all = fabric.switch_fifos * fabric.rows * place::columns(mapping);
            assert!(routed.assigned <= all);
            let words: usize = routed.routes.iter().flat_map(|route| &route.fifo).sum();
            assert_eq!(words, routed.assigned * fabric.fifo_words);
            loops::interval(&routed.run)
        };
        let mut monotone = |what: &str, intervals: Vec<f64>| {
            println!("{}, {method}, {what}: {intervals:?}", mapping.name());
            assert!(intervals.is_sorted_by(|fewer, more| fewer >= more), "{what}: {intervals:?}");
            slower += usize::from(intervals.first() > intervals.last());
        };
        let with = |fifos: usize, words: usize| Fabric { switch_fifos: fifos, fifo_words: words, ..FABRIC };
        monotone("FIFOs", [0, 1, 2, 3, 8].map(|fifos| run(with(fifos, 16))).to_vec());
        monotone("words of a FIFO", [1, 4, 16, 17, 64].map(|words| run(with(2, words))).to_vec());
        let switch = |words: usize| Fabric { switch_words: words, ..FABRIC };
        monotone("words of a switch", [1, 4, 8, 32].map(|words| run(switch(words))).to_vec());
        let port = |words: usize| Fabric { port_words: words, ..FABRIC };
        monotone("words of a port", [4, 5, 8, 64].map(|words| run(port(words))).to_vec());
    }
    assert!(slower >= 6, "FIFOs are a resource: {slower} of twelve rows change");
}

/// Where the FIFOs do not hold the values that overtake others, loops have fewer tasks in flight, or the error names the
/// waiting tiles.
#[test]
fn tiles_that_wait_for_one_another_are_named() {
    let tile = Tile::first_generation();
    let montgomery = Method { reduction: Reduction::Montgomery, ..BALANCED };
    let partition = Partition::new(Mapping::Coarse, montgomery);
    let free = fifos::RoutedUnit::new(&partition, &schedules(&partition, &tile).unwrap(), &FABRIC, TASKS);
    let refused = free.err().expect("the FIFOs do not hold what loops without a bound are ahead").to_string();
    for part in ["A mul_in for room on a stream by A mul_m", "A mul_m for a value on a stream by A mul_mu"] {
        assert!(refused.contains(part), "{refused}");
    }
    let bounded = Loops::new(&partition, &tile, &FABRIC).unwrap();
    assert!(bounded.in_flight.is_some() && bounded.interval >= 120.0);
    let none = Fabric { switch_fifos: 0, switch_words: 1, ..FABRIC };
    assert!(matches!(
        Loops::new(&partition, &tile, &none).err(),
        Some(AieError::Array(ArrayError::Deadlock { .. }))
    ));
}

/// The size of a loop is that of its instructions, of which empty ones are shorter, and must fit the program memory.
#[test]
fn instructions_fit_in_the_program_memory() {
    let partition = Partition::new(Mapping::Coarse, BALANCED);
    let tile = Tile::first_generation();
    let bytes = |tile: &Tile| {
        let all = kernels(&partition, tile).unwrap();
        all.iter().map(|(_, kernel)| kernel.counts().program_bytes).max().unwrap()
    };
    let needs = bytes(&tile);
    assert!(bytes(&Tile { empty_bytes: 16, ..tile.clone() }) > needs);
    assert!(bytes(&Tile { instruction_bytes: 8, ..tile.clone() }) < needs);
    let size = needs as usize - 1;
    let refused = kernels(&partition, &Tile { program_bytes: size, ..tile }).unwrap_err();
    assert_eq!(refused, TileError::Program { needs, size });
}

/// Two streams go from one tile to another, one of them through a third tile. Without room on the direct path, the first
/// tile cannot continue and the last one waits for the second for ever.
#[test]
fn a_short_way_needs_room_for_what_overtakes() {
    let partition = Partition::new(Mapping::Coarse, METHOD);
    let schedules = schedules(&partition, &Tile::first_generation()).unwrap();
    let routing = route(&partition, 1, &FABRIC);
    let tight = Fabric { switch: 1, switch_words: 1, ..FABRIC };
    let unit = ClockedUnit::new(&partition, &schedules, &routing.routes[0], tight).unwrap();
    let stuck = unit.run(TASKS).unwrap_err();
    assert!(matches!(stuck, ArrayError::Deadlock { waits, .. } if waits.tiles().len() > 1));
    let roomy: Vec<_> =
        routing.routes[0].iter().map(|r| Route { fifo: vec![64; r.fifo.len()], ..r.clone() }).collect();
    let unit = ClockedUnit::new(&partition, &schedules, &roomy, tight).unwrap();
    let run = unit.run(4).unwrap();
    assert!(run.done.windows(2).all(|w| w[0] < w[1]));
    assert!(run.tiles.iter().all(|tile| tile.end <= run.cycles));
    let trace = timeline(&partition, &run);
    let stalls: usize = run.tiles.iter().map(|tile| tile.stalls.len()).sum();
    assert!(stalls > 0 && trace.len() > stalls + partition.tiles.len());
    // A schedule that does not move all words of a link is refused.
    let mut short = schedules.clone();
    short[0].accesses.pop();
    let refused = ClockedUnit::new(&partition, &short, &roomy, tight).unwrap_err();
    assert!(matches!(refused, ArrayError::Words { tile: 0, .. }));
    let refused = ClockedUnit::new(&partition, &schedules, &roomy[1..], tight).unwrap_err();
    assert!(matches!(refused, ArrayError::Parts { .. }));
}

/// Units of one tile in all rows of a column need more streams than the column's lowest switches carry.
#[test]
fn streams_share_ports_where_channels_end() {
    let partition = Partition::new(Mapping::Single, METHOD);
    let routing = route(&partition, 400, &FABRIC);
    assert!(routing.fullest[0] > FABRIC.north && routing.shared > 0);
    assert!(routing.routes.iter().flatten().any(|r| r.spacing > 1));
    assert!(routing.routes.iter().flatten().all(|r| r.switches.iter().all(|&s| (1..60).contains(&s))));
    // One tile's eight operands exceed six channels, but not eight.
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
