use super::*;
use crate::array::place;
use crate::carry::Carry;
use crate::mapping::Mapping;
use crate::method::{Method, Reduction};
use crate::padd::Form;
use pairwright_sim::settings::{self, Changes, Design as _};

/// A board with the kernels that are scheduled fastest.
fn board() -> System {
    System { method: Method::new(Reduction::Barrett, Carry::Balanced), ..System::default() }
}

#[test]
fn boards_are_read_and_written() {
    let board = System::default();
    let read = |text: &str| {
        let mut changes = Changes::default();
        changes.file("board.toml", text).unwrap();
        changes.build(&board).unwrap()
    };
    assert_eq!(read(&settings::file(&board).unwrap()), board);
    assert_eq!(read("units = 9\n[plio]\nbits = 128\n").plio.bits, 128);
    let what_if = settings::with(&board, "what_if_interval", "145").unwrap();
    assert_eq!(what_if.what_if_interval, Some(145));
    assert!(settings::with(&board, "reader.colour", "1").is_err());
    board.check().unwrap();
    for (field, value) in [
        ("pl_hz", "0"),
        ("aie_hz", "312499999"),
        ("units", "0"),
        // Twelve units do not fit beside a unit of the other mapping.
        ("units", "12"),
        ("coordinate_bytes", "48"),
        ("what_if_interval", "0"),
        ("plio.bits", "16"),
        ("plio.fifo_words", "3"),
        ("logic.sums_interval", "0"),
        ("reader.burst_bytes", "96"),
        ("reader.outstanding", "0"),
        ("reader.buffer_bytes", "1024"),
        ("buckets.coordinate_bits", "376"),
        ("dram.burst", "3"),
    ] {
        let wrong = settings::with(&board, field, value).unwrap();
        let said = wrong.check().unwrap_err().to_string();
        assert!(said.contains(field.rsplit('.').next().unwrap()), "{field}: {said}");
    }
}

/// Ten units of coarse fit beside one of med-ind, tile by tile; eleven do not.
#[test]
fn both_mappings_fit_the_array() {
    let board = board();
    throughput::check_columns(&board).unwrap();
    let sites = |mapping: Mapping, form, units: core::ops::Range<usize>| {
        let tiles = move |unit| (0..mapping.tiles(form)).map(move |tile| (unit, tile));
        let fabric = board.fabric;
        units.flat_map(tiles).map(move |(unit, tile)| place::site(mapping, unit, tile, &fabric))
    };
    // The unit of med-ind in columns 40 to 47 is the sixth of those that fit alone.
    let mut all: Vec<_> = sites(Mapping::Coarse, Form::Mixed, 0..10).collect();
    all.extend(sites(Mapping::Independent, Form::Complete, 5..6));
    let tiles = all.len();
    all.sort_unstable();
    all.dedup();
    assert_eq!((all.len(), tiles), (10 * 28 + 49, 10 * 28 + 49));
    assert!(all.iter().all(|site| site.column < 48 && site.row < 8));
    let more = System { units: 11, ..board.clone() };
    let refused = SystemError::Room { columns: 52, free: 50 };
    assert_eq!(throughput::check_columns(&more), Err(refused.clone()));
    assert_eq!(super::throughput(&more, 1), Err(refused.into()));
    throughput::check_columns(&System { units: 12, aggregate_units: 0, ..board }).unwrap();
}

/// Makes one part of the board after the other the bound of the throughput, and checks the units' shares of time.
#[test]
fn the_slowest_part_bounds_the_throughput() {
    let board = board();
    let unit = UnitTiming::new(&board, Mapping::Coarse, Form::Mixed, KernelKind::Loops).unwrap();
    let run = |board: &System| {
        let t = throughput_of(board, &unit, 1 << 14).unwrap();
        let Bounds { instructions, engines, plio, logic, masters, memory } = t.bounds;
        for bound in [instructions, engines, plio, logic, masters, memory] {
            assert!(t.tasks_per_second < bound, "{t:?}");
        }
        let WaitShares { engines, memory, logic } = t.waits;
        assert!((engines + memory + logic - 1.0).abs() < 1e-9 && memory >= 0.0 && logic >= 0.0);
        assert_eq!(t.memory.read_bytes, (1 << 14) * board.task_bytes());
        assert!((t.bandwidth_share - t.tasks_per_second / t.bounds.memory).abs() < 1e-9);
        t
    };
    // With the paper's longest tile, ten units reach their peak on this board.
    let printed = run(&System { what_if_interval: Some(145), ..board.clone() });
    assert!((printed.bounds.engines / 1e6 - 86.2).abs() < 0.01);
    assert!(printed.engine_share > 0.98 && printed.waits.engines > 0.98);
    assert!(run(&board).tasks_per_second > printed.tasks_per_second);
    // Whatever the distribution and order of the points, all of them are read once.
    for (layout, sharing) in
        [(CoordinateOrder::Coordinates, Sharing::Regions), (CoordinateOrder::Points, Sharing::Turns)]
    {
        let reader = Reader { layout, sharing, ..board.reader };
        let (tasks, board) = (1000, System { reader, units: 7, ..board.clone() });
        assert_eq!(throughput_of(&board, &unit, tasks).unwrap().memory.read_bytes, tasks * 192);
    }
    let plio = Plio { bits: 128, channels: [312, 79], ..board.plio };
    let refused = throughput_of(&System { plio, ..board.clone() }, &unit, 1).unwrap_err();
    assert_eq!(refused, SystemError::Channels { taken: [160, 80], channels: [312, 79] }.into());
    let single = UnitTiming::new(&board, Mapping::Single, Form::Mixed, KernelKind::Loops);
    assert_eq!(single, Err(SystemError::Single.into()));
    // The next boards have a slow pipeline of the logic, a narrow path to memory, and single reads of single bursts.
    let logic = Logic { sums_interval: 47, ..board.logic };
    let slow = run(&System { logic, ..board.clone() });
    assert!(slow.tasks_per_second > 0.98 * slow.bounds.logic && slow.waits.logic > 0.3);
    let narrow = pairwright_sim::dram::DramConfig { bytes_per_cycle: 16, ..board.dram };
    let slow = run(&System { dram: narrow, ..board.clone() });
    let path = 16.0 * board.pl_hz as f64 / 192.0;
    assert!(slow.tasks_per_second < path && slow.tasks_per_second > 0.95 * path && slow.waits.memory > 0.5);
    assert!((slow.bounds.memory - path).abs() < 1e-6 * path && slow.bandwidth_share > 0.95, "{slow:?}");
    let flat = pairwright_sim::dram::DramConfig { kind: pairwright_sim::dram::Kind::Flat, ..narrow };
    let slow = run(&System { dram: flat, ..board.clone() });
    assert!((slow.bounds.memory - path).abs() < 1e-6 * path && slow.bandwidth_share > 0.95, "{slow:?}");
    let one = Reader { burst_bytes: 128, outstanding: 1, ..board.reader };
    let many = Reader { outstanding: 16, ..one };
    let [one, many] = [one, many].map(|reader| run(&System { reader, ..board.clone() }));
    assert!(one.tasks_per_second < many.tasks_per_second && one.waits.memory > many.waits.memory);
}

#[test]
fn a_sum_is_as_slow_as_its_stages() {
    let board = board();
    let nanoseconds = |l: &Latency| {
        let Stages { sums, plio_in, engines, plio_out, barrett } = l.stages;
        assert!([sums, plio_in, engines, plio_out, barrett].iter().all(|&part| part > 0.0));
        sums + plio_in + engines + plio_out + barrett
    };
    let l = latency(&board, 1 << 18).unwrap();
    assert!((l.seconds_per_task * 1e9 - nanoseconds(&l)).abs() < 1e-6);
    assert_eq!((l.tiles, l.int32_multipliers), (49, 392));
    // Cycles added to a stage are added to the total and to no other stage.
    let logic = Logic { barrett_latency: board.logic.barrett_latency + 10, ..board.logic };
    let longer = latency(&System { logic, ..board.clone() }, 1 << 18).unwrap();
    assert!((longer.seconds_per_task - l.seconds_per_task - 32e-9).abs() < 1e-12);
    assert_eq!(longer.engine_cycles, l.engine_cycles);
    // With half the words per cycle the engines wait for them.
    let narrow = System { plio: Plio { bits: 32, ..board.plio }, ..board };
    assert!(latency(&narrow, 4).unwrap().seconds_per_task > l.seconds_per_task);
}

/// \[AIE\] Tables II and III follow from the figures that they state of BSTMSM, and from the paper's own instructions.
#[test]
fn what_is_printed_of_bstmsm_and_hybrids_follows() {
    let near =
        |ours: f64, printed: f64, digits: f64| assert!((ours - printed).abs() < digits, "{ours} {printed}");
    let bstmsm = Pipelined::BSTMSM;
    near(bstmsm.tasks_per_second() / 1e6, 600.0, 1e-9);
    // The value is 0.867; the paper truncates it.
    near(bstmsm.latency() * 1e6, 0.86, 0.01);
    near(bstmsm.int32_multipliers(), 1385.8, 0.1);
    let board = System::default();
    for (mapping, units, instructions, rate, gain) in
        [(Mapping::Coarse, 12, 145.0, 403.4, 1.34), (Mapping::Single, 400, 3495.0, 443.0, 1.47)]
    {
        let h = hybrid(&board, mapping, instructions);
        assert_eq!(h.units, units);
        near((h.logic + h.engines) / 1e6, rate, 0.1);
        near(h.gain, gain, 0.01);
        // The points need more than three of the board's memories, which the paper's estimate ignores.
        assert!(h.memories > 3.0 && h.bytes_per_second > 77e9);
    }
}

#[test]
fn buckets_fit_in_whole_memories() {
    // 1508 bits are 21 memories wide: 22 stacks of 4096 in ultra memories, 46 of 512 in block memories.
    let room = BucketRoom::new(&System::default());
    assert_eq!((room.bits, room.width, room.uram, room.bram), (1508, 21, 22 * 4096, 46 * 512));
    // All 2^16 buckets of one window, or ten times 2^13, fit into 113,664.
    assert_eq!((room.window_bits, room.window_bits_each), (17, 14));
    let digits = BucketMemory { coordinate_bits: 512, ..BucketMemory::default() };
    assert!(BucketRoom::new(&System { buckets: digits, ..System::default() }).uram < room.uram);
}

/// Parameters without a range or an origin, except texts, the memory and the engine's schedules; and named values of a
/// range that the design does not accept.
fn unexplained<D: settings::Design>(design: &D) -> Vec<String> {
    let all = settings::parameters(design).unwrap();
    let other = |path: &str| {
        ["tile.name", "tile.title"].contains(&path)
            || ["dram.", "tile.machine."].iter().any(|section| path.starts_with(section))
    };
    assert!(all.len() > 20);
    let explained = all.into_iter().filter(|p| !other(&p.path));
    let wrong = explained.flat_map(|p| {
        let names: Vec<&str> =
            if p.value.starts_with('"') { p.range.split(", ").collect() } else { Vec::new() };
        let refused = |name: &&str| settings::with(design, &p.path, name).is_err();
        let mut found: Vec<String> =
            names.into_iter().filter(refused).map(|name| format!("{}={name}", p.path)).collect();
        if p.range.is_empty() || p.origin.is_none() {
            found.push(p.path.clone());
        }
        found
    });
    wrong.collect()
}

#[test]
fn every_parameter_has_a_range_and_an_origin() {
    assert_eq!(unexplained(&board()), Vec::<String>::new());
    let method = Method::new(Reduction::Barrett, Carry::Balanced);
    assert_eq!(unexplained(&crate::evaluate::Design::new(Mapping::Coarse, method)), Vec::<String>::new());
}
