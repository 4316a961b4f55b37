//! Comparisons of the model with bounds computed by hand.

use super::*;
use proptest::prelude::*;

const HZ: f64 = 800e6;

fn dram(config: DramConfig) -> Dram {
    Dram::new(&config, HZ).unwrap()
}

/// A DDR memory without a limit of the core's side and without refreshes.
fn bare() -> DramConfig {
    DramConfig { trefi_ns: 0.0, bytes_per_cycle: 0, ..DramConfig::ddr5_4800() }
}

fn piece(address: u64, bytes: u32) -> Piece {
    Piece { address, bytes }
}

/// Pseudorandom addresses of 32-byte words below 2^bits bytes.
fn scattered(n: u64, bits: u32) -> impl Iterator<Item = Piece> {
    (1..=n).map(move |i| piece(i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - bits) & !31, 32))
}

#[test]
fn a_flat_memory_is_bytes_by_width() {
    let mut flat = dram(DramConfig { latency: 7, ..DramConfig::paper() });
    let a = flat.transfer(10, false, [piece(0, 100), piece(4096, 92)]);
    assert_eq!(a, Transfer { first: 17, issued: 14, done: 21 });
    // The next transfer begins where the last byte left the pipe, so no cycle is rounded up twice.
    let b = flat.transfer(14, true, [piece(0, 50)]);
    let c = flat.transfer(14, true, [piece(0, 46)]);
    assert_eq!((b.done, c.done), (16, 16));
    let stats = flat.stats();
    assert_eq!((stats.read_bytes, stats.write_bytes, stats.moved_bytes), (192, 96, 288));
    assert_eq!((stats.efficiency(), stats.dynamic_j), (1.0, None));
}

#[test]
fn a_single_read_is_activate_column_and_data() {
    let mut ddr = dram(bare());
    let t = ddr.transfer(0, false, [piece(64, 32)]);
    // 39 clocks to the column command, 40 to the first data, 8 of data; three clocks a core cycle.
    assert_eq!((t.first, t.done), (79_u64.div_ceil(3), 87_u64.div_ceil(3)));
    let hit = ddr.transfer(100, false, [piece(96, 32)]);
    assert_eq!(hit.done - 100, 48_u64.div_ceil(3));
    assert_eq!(ddr.stats().efficiency(), 0.5);
    assert_eq!((ddr.stats().counts.row_misses, ddr.stats().counts.row_hits), (1, 1));
}

#[test]
fn sequential_reads_reach_the_peak_less_the_refreshes() {
    for name in &DramConfig::PRESETS[1..] {
        for write in [false, true] {
            let config = DramConfig { bytes_per_cycle: 0, ..DramConfig::preset(name).unwrap() };
            let mut ddr = dram(config);
            ddr.transfer(0, write, [piece(0, 16 << 20)]);
            let share = ddr.bandwidth() / config.peak();
            let bound = 1.0 - config.trfc_ns / config.trefi_ns;
            assert!(share <= bound && share > bound - 0.03, "{name} {write} {share} {bound}");
            let c = ddr.stats().counts;
            assert!(c.row_hits * 100 > 95 * (c.read_bursts + c.write_bursts));
        }
    }
}

#[test]
fn moved_bytes_are_of_reads_and_of_writes() {
    let mut ddr = dram(DramConfig::ddr5_4800());
    // Reads of whole bursts and writes of half bursts, far apart.
    ddr.transfer(0, false, [piece(0, 1 << 16)]);
    ddr.transfer(0, true, (1..=100).map(|i| piece(i << 20, 32)));
    let stats = ddr.stats();
    assert_eq!((stats.read_bytes, stats.write_bytes), (1 << 16, 3200));
    assert_eq!(stats.moved(), [1 << 16, 6400]);
    assert_eq!(stats.moved_bytes, (1 << 16) + 6400);
    let mut flat = dram(DramConfig::paper());
    assert_eq!(flat.stats().moved(), [0, 0]);
    flat.transfer(0, false, [piece(0, 100)]);
    flat.transfer(0, true, [piece(0, 50)]);
    assert_eq!(flat.stats().moved(), [100, 50]);
}

#[test]
fn full_speed_is_that_of_the_slower_side() {
    let ddr = DramConfig::ddr5_4800();
    let narrow = DramConfig { bytes_per_cycle: 8, ..ddr };
    let flat = DramConfig { bytes_per_cycle: 100, ..DramConfig::paper() };
    for (config, hz, cycle) in [
        (ddr, 1e9, 38.4),
        (ddr, 500e6, 48.0),
        (DramConfig { bytes_per_cycle: 0, ..ddr }, 500e6, 76.8),
        (narrow, 1e9, 8.0),
        (flat, 1e9, 100.0),
    ] {
        assert_eq!(config.peak_bytes_per_cycle(hz), cycle);
        assert_eq!(config.peak_bytes_per_second(hz), cycle * hz);
    }
    // A memory reaches nearly this rate, whichever side is the slower one.
    for config in [narrow, flat] {
        let mut memory = dram(config);
        memory.transfer(0, false, [piece(0, 1 << 20)]);
        let share = memory.bandwidth() / config.peak_bytes_per_second(HZ);
        assert!((0.95..=1.0).contains(&share), "{share}");
    }
}

#[test]
fn without_group_interleaving_the_long_column_time_binds() {
    let config = DramConfig { mapping: Mapping::RowContiguous, scheduler: Scheduler::InOrder, ..bare() };
    let mut ddr = dram(config);
    ddr.transfer(0, false, [piece(0, 4 << 20)]);
    let share = ddr.bandwidth() / config.peak();
    assert!((share - 8.0 / 12.0).abs() < 0.01, "{share}");
    let mut mixed = dram(DramConfig { scheduler: Scheduler::FrFcfs, ..config });
    mixed.transfer(0, false, [piece(0, 4 << 20)]);
    assert!(mixed.bandwidth() > ddr.bandwidth());
}

#[test]
fn one_bank_gives_a_row_every_trc() {
    // Rows of the same bank without a hash: only the row changes.
    let config = DramConfig { hash: Hash::None, ..bare() };
    let row = u64::from(config.row_bytes) * 2 * 32;
    let mut ddr = dram(config);
    let n = 1000;
    let t = ddr.transfer(0, false, (0..n).map(|i| piece(i * row, 32)));
    let trc = 116;
    // From the first activate: n - 1 row cycles, then tRCD, CL and the data.
    assert_eq!(t.done, ((n - 1) * trc + 39 + 40 + 8_u64).div_ceil(3));
    assert_eq!(ddr.stats().counts.row_conflicts, n - 1);
}

#[test]
fn four_activates_are_a_window() {
    // One burst per row, rows in different banks: a long window of four activates is the bound.
    let config = DramConfig {
        hash: Hash::None,
        tfaw_ns: 40.0,
        channels: 1,
        mapping: Mapping::BankInterleaved,
        ..bare()
    };
    let mut ddr = dram(config);
    let (n, stride) = (32_u64, 64);
    let t = ddr.transfer(0, false, (0..n).map(|i| piece(i * stride, 64)));
    // The 32nd activate is the fourth of the eighth window: seven windows, three tRRD_S, then tRCD, CL, data.
    assert_eq!(t.done, (7 * 96 + 3 * 8 + 39 + 40 + 8_u64).div_ceil(3));
}

#[test]
fn directions_turn_at_a_price() {
    let run = |config: DramConfig| {
        let mut ddr = dram(config);
        ddr.transfer(0, false, [piece(0, 64)]);
        ddr.transfer(200, false, [piece(64, 64)]);
        let mut t = ddr.transfer(400, false, [piece(0, 64)]);
        for i in 0..10 {
            t = ddr.transfer(t.issued, i % 2 == 0, [piece(0, 64)]);
        }
        t.done - 400
    };
    // Ten alternating bursts of one open row: write to read in a group is 38 + 8 + 24, read to write 40 + 8 + 2 - 38.
    assert_eq!(run(bare()), (5 * 12 + 5 * 70 + 48_u64).div_ceil(3));
    assert!(run(DramConfig { turn_ck: 8, ..bare() }) > run(bare()));
}

#[test]
fn gathered_writes_turn_the_pins_once() {
    let run = |gather: u32| {
        let mut ddr = dram(DramConfig { gather, channels: 1, ..bare() });
        let mut last = Transfer { first: 0, issued: 0, done: 0 };
        for block in 0..64 {
            last = ddr.transfer(last.issued, false, [piece(block * 256, 256)]);
            last = ddr.transfer(last.issued, true, [piece((1 << 20) | (block * 256), 256)]);
        }
        (last, ddr.flush(), ddr.stats())
    };
    let (before, none, in_order) = run(0);
    assert_eq!(none, 0);
    // Blocks of four reads and four writes: with 32 gathered writes the data bus turns an eighth as often.
    let (last, end, gathered) = run(32);
    assert!(last.done < end && 3 * end < 2 * before.done, "{last:?}, {end}, {before:?}");
    assert_eq!(in_order.moved_bytes, gathered.moved_bytes);
    let bursts = |s: &Stats| (s.counts.read_bursts, s.counts.write_bursts, s.counts.row_hits);
    assert_eq!((bursts(&in_order), bursts(&gathered)), ((256, 256, 496), (256, 256, 496)));
    assert!(gathered.active_cycles <= end);
}

#[test]
fn a_read_of_a_gathered_write_sends_it_first() {
    let config = DramConfig { gather: 8, channels: 1, ..bare() };
    let read_at = |address| {
        let mut ddr = dram(config);
        let written = ddr.transfer(0, true, [piece(0, 128), piece(256, 64)]);
        // The controller accepts them in the first cycle, and nothing is on the pins yet.
        assert_eq!((written.done, ddr.stats().counts.write_bursts), (0, 0));
        let read = ddr.transfer(written.issued, false, [piece(address, 64)]);
        (read.done, ddr.stats().counts.write_bursts, ddr.flush())
    };
    let (elsewhere, sent, end) = read_at(128);
    assert_eq!((elsewhere, sent), (87_u64.div_ceil(3), 0));
    let (there, sent, then) = read_at(96);
    // Three rows are opened eight clocks apart; the write of the read's group goes out at clock 47, the last one at 55.
    assert_eq!((there, then), ((47 + 38 + 8 + 24 + 40 + 8_u64).div_ceil(3), (55 + 38 + 8_u64).div_ceil(3)));
    assert!(sent == 3 && end > elsewhere);
}

#[test]
fn a_refresh_blocks_its_rank() {
    let config = DramConfig { bytes_per_cycle: 0, ..DramConfig::ddr5_4800() };
    let mut ddr = dram(config);
    ddr.transfer(0, false, [piece(0, 64)]);
    // The first refresh is due at clock 9360, which is cycle 3120; a read that would begin at that time waits for it.
    let hit = ddr.transfer(3119 - 20, false, [piece(0, 64)]);
    assert!(hit.done < 3130);
    let late = ddr.transfer(3121, false, [piece(0, 64)]);
    // Precharge 39, refresh 708, then activate, column, data.
    assert_eq!(late.done, (9360 + 39 + 708 + 39 + 40 + 8_u64).div_ceil(3));
    // After a long idle time all refreshes are done, except one that may be in progress.
    let quiet = ddr.transfer(100 * 3120 + 1000, false, [piece(0, 64)]);
    assert_eq!(quiet.done - (100 * 3120 + 1000), 87_u64.div_ceil(3));
    assert_eq!(ddr.stats().counts.refreshes, 100);
}

#[test]
fn scattered_words_move_whole_bursts() {
    for config in [
        bare(),
        DramConfig { scheduler: Scheduler::InOrder, ..bare() },
        DramConfig { page: Page::Closed, ..bare() },
    ] {
        let mut ddr = dram(config);
        let n = 20_000;
        ddr.transfer(0, false, scattered(n, 30));
        let stats = ddr.stats();
        assert_eq!((stats.efficiency(), stats.moved_bytes), (0.5, n * 64));
        // Little's law: at most 32 requests of a channel wait, each for at most a row cycle when banks are free.
        let rate = 2.0 * n as f64 * 64.0 / (stats.active_cycles as f64 / HZ);
        assert!(rate < 2.0 * config.peak() && rate > 0.6 * config.peak(), "{rate:e}");
    }
}

#[test]
fn reordering_helps_when_rows_alternate() {
    // Two streams with conflicting rows in one bank.
    let config = DramConfig { hash: Hash::None, ..bare() };
    let row = u64::from(config.row_bytes) * 2 * 32;
    let run = |scheduler| {
        let mut ddr = dram(DramConfig { scheduler, ..config });
        ddr.transfer(0, false, (0..4096).map(|i| piece((i % 2) * row + (i / 2) * 16 * 64 % 65536, 64))).done
    };
    assert!(3 * run(Scheduler::FrFcfs) < run(Scheduler::InOrder));
}

#[test]
fn the_core_side_bounds_a_fast_memory() {
    let mut ddr = Dram::new(&DramConfig::ddr5_4800(), 300e6).unwrap();
    let t = ddr.transfer(0, false, [piece(0, 48 * 10_000)]);
    assert!((10_000..10_040).contains(&t.done), "{}", t.done);
    let end = ddr.transfer(t.issued, false, [piece(1 << 20, 48 * 10_000)]).done;
    assert!((20_000..20_080).contains(&end), "{end}");
}

/// Most of a long run is skipped; otherwise the test of equal results would compare identical runs.
#[test]
fn long_runs_are_shortened() {
    let mut ddr = dram(DramConfig::ddr5_4800());
    let Cells::Ddr { map, channels, steady, .. } = &mut ddr.cells else { unreachable!() };
    let (mut taken, mut number, mut skipped) = (0, 0, 0);
    while number < 1 << 16 {
        if steady.boundary(number, 1 << 20)
            && let Some(skip) = steady.look(channels, map, taken, number, 1 << 20)
        {
            steady.skip(skip, channels, map, number, false);
            (taken, number, skipped) = (taken + skip.clocks, number + skip.bursts, skipped + skip.bursts);
            continue;
        }
        let place = map.place(number);
        let channel = &mut channels[place.channel];
        if channel.slot().is_none() {
            channel.serve(false);
        }
        taken = taken.max(channel.slot().unwrap());
        channel.push(number, place, taken);
        number += 1;
    }
    assert!(skipped > number * 3 / 4, "{skipped} of {number}");
}

#[test]
fn traces_are_lines_of_load_and_store() {
    let mut ddr = dram(DramConfig::ddr5_4800());
    ddr.record();
    ddr.transfer(0, false, [piece(60, 8), piece(96, 32), piece(128, 1)]);
    ddr.transfer(0, true, [piece(4096, 32)]);
    let mut text = Vec::new();
    ddr.write_trace(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), "LD 0x0\nLD 0x40\nLD 0x80\nST 0x1000\n");
}

#[test]
fn refused_parameters_are_named() {
    let wrong = |config: DramConfig| Dram::new(&config, HZ).unwrap_err().to_string();
    assert_eq!(
        wrong(DramConfig { banks: 3, ..bare() }),
        "dram.banks is 3, it must be a power of two, 1 to 8"
    );
    assert!(wrong(DramConfig { queue: 0, ..bare() }).starts_with("dram.queue is 0"));
    assert!(wrong(DramConfig { trcd_ns: f64::NAN, ..bare() }).starts_with("dram.trcd_ns"));
    assert!(
        wrong(DramConfig { bytes_per_cycle: 0, ..DramConfig::paper() }).starts_with("dram.bytes_per_cycle")
    );
    assert!(wrong(DramConfig { trefi_ns: 300.0, ..bare() }).starts_with("dram.trefi_ns"));
    assert!(DramConfig::preset("ddr6").unwrap_err().to_string().contains("ddr5_4800_x2"));
    for name in DramConfig::PRESETS {
        DramConfig::preset(name).unwrap().check().unwrap();
    }
}

fn slower(config: DramConfig, which: usize) -> DramConfig {
    let mut c = config;
    let slot = match which {
        0 => &mut c.trcd_ns,
        1 => &mut c.trp_ns,
        2 => &mut c.tras_ns,
        3 => &mut c.trc_ns,
        4 => &mut c.trrd_s_ns,
        5 => &mut c.trrd_l_ns,
        6 => &mut c.tfaw_ns,
        7 => &mut c.twr_ns,
        8 => &mut c.twtr_s_ns,
        9 => &mut c.twtr_l_ns,
        10 => &mut c.trtp_ns,
        11 => &mut c.tccd_l_ns,
        _ => &mut c.tccd_l_wr_ns,
    };
    *slot = 1.5 * *slot + 1.0;
    c
}

proptest! {
    /// Shortened runs give the same numbers as full ones, and leave the memory in the same state.
    #[test]
    fn shortened_runs_change_nothing(
        transfers in prop::collection::vec(
            (any::<bool>(), 0u64..5000, prop::collection::vec((0u64..1 << 24, 1u32..1 << 20), 1..4)),
            1..8,
        ),
        preset in 1usize..7,
        queue in 1u32..40,
        in_order in any::<bool>(),
        closed in any::<bool>(),
        refresh in any::<bool>(),
        gather in prop::sample::select(vec![0u32, 0, 1, 7, 32]),
        ranks in 0u32..2,
        hash in prop::sample::select(vec![Hash::None, Hash::Row, Hash::RowColumn]),
    ) {
        let preset = DramConfig::preset(DramConfig::PRESETS[preset]).unwrap();
        let config = DramConfig {
            queue,
            gather,
            scheduler: if in_order { Scheduler::InOrder } else { Scheduler::FrFcfs },
            page: if closed { Page::Closed } else { Page::Open },
            trefi_ns: if refresh { preset.trefi_ns } else { 0.0 },
            ranks: 1 << ranks,
            hash,
            ..preset
        };
        let (mut short, mut long) = (dram(config), dram(config));
        long.step_by_step();
        let mut now = 0;
        for (write, wait, pieces) in transfers {
            let pieces = || pieces.iter().map(|&(at, bytes)| piece(at, bytes));
            let (a, b) = (short.transfer(now, write, pieces()), long.transfer(now, write, pieces()));
            prop_assert_eq!(a, b);
            now = a.issued + wait * u64::from(wait % 3 == 0);
        }
        prop_assert_eq!(short.flush(), long.flush());
        prop_assert_eq!(short.stats(), long.stats());
    }

    /// With one request at a time the controller has no choice, so a slower part never makes anything earlier. (With a
    /// choice it can, as in every greedy schedule.)
    #[test]
    fn slower_parts_never_finish_earlier(
        which in 0usize..13,
        words in prop::collection::vec((0u64..1 << 14, any::<bool>(), 1u32..200), 1..60),
    ) {
        let config = DramConfig { queue: 1, ..bare() };
        let run = |config: DramConfig| {
            let mut ddr = dram(config);
            let mut now = 0;
            words.iter().map(|&(word, write, bytes)| {
                let t = ddr.transfer(now, write, [piece(word * 4096 + word % 7 * 32, bytes)]);
                now = t.issued;
                t.done
            }).collect::<Vec<_>>()
        };
        let (fast, slow) = (run(config), run(slower(config, which)));
        prop_assert!(fast.iter().zip(&slow).all(|(f, s)| f <= s));
    }

    /// For any requests: the bytes are those requested, bursts are distinct neighbours, and every burst is counted as a
    /// hit, miss or conflict.
    #[test]
    fn nothing_is_lost(
        pieces in prop::collection::vec((0u64..1 << 24, 1u32..700), 1..80),
        write in any::<bool>(),
        gather in 0u32..40,
        preset in 1usize..7,
    ) {
        let mut ddr = dram(DramConfig { gather, ..DramConfig::preset(DramConfig::PRESETS[preset]).unwrap() });
        let (mut bursts, mut last) = (0, u64::MAX);
        for &(address, bytes) in &pieces {
            for burst in address / 64..=(address + u64::from(bytes) - 1) / 64 {
                bursts += u64::from(burst != last || burst != address / 64);
                last = burst;
            }
        }
        let t = ddr.transfer(5, write, pieces.iter().map(|&(a, b)| piece(a, b)));
        let end = ddr.flush();
        prop_assert!((end >= t.first) == (write && gather > 0));
        let s = ddr.stats();
        let c = s.counts;
        prop_assert_eq!(s.read_bytes + s.write_bytes, pieces.iter().map(|p| u64::from(p.1)).sum::<u64>());
        prop_assert_eq!(c.read_bursts + c.write_bursts, bursts);
        prop_assert_eq!(c.row_hits + c.row_misses + c.row_conflicts, bursts);
        prop_assert!(c.activations >= c.row_misses + c.row_conflicts);
        prop_assert!(t.first <= t.done && t.issued <= t.done);
    }
}
