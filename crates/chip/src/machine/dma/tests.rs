//! Tests of the DMA's patterns, layouts and traffic.

use super::*;
use pairwright_sim::dram;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use std::collections::BTreeSet;

fn ddr() -> Dram {
    Dram::new(&dram::DramConfig::ddr5_4800(), 800e6).unwrap()
}

fn dma(tile_words: u32) -> Dma {
    Dma::new(&DmaSpec { tile_words, ..DmaSpec::paper() }).unwrap()
}

fn dim(count: u32, stride: u64) -> Dim {
    Dim { count, stride }
}

/// A stream of field elements from word `base` on.
fn stream(name: &str, access: Access, base: u64, dims: Vec<Dim>, tile_lines: u32) -> Stream {
    Stream { dims, tile_lines, ..Stream::vector(name, "ntt", access, base, 1, 1) }
}

/// The four patterns of an NTT of `n × n` points that is stored row by row, with `t` columns or rows at a time: columns in,
/// columns out one after the other, rows in (as the first pass wrote them), and out in the natural order of the result.
fn ntt_patterns(n: u32, t: u32, tile: u32) -> [Stream; 4] {
    let stride = u64::from(n);
    let (n2, t2) = (stride * stride, u64::from(t));
    let across = || vec![dim(t, 1), dim(n, stride), dim(n / t, t2)];
    [
        stream("column in", Access::Read, 0, across(), tile),
        stream("column out", Access::Write, n2, vec![dim(n, 1), dim(n, stride)], 0),
        stream("row in", Access::Read, n2, across(), tile),
        stream("transposed out", Access::Write, 2 * n2, across(), tile),
    ]
}

/// Runs whole patterns in transfers of `length`; returns their traffic in order.
fn run(patterns: &[Stream], length: u32, tile_words: u32) -> Vec<StreamTraffic> {
    let (mut dma, mut memory) = (dma(tile_words), ddr());
    let mut seen = Vec::new();
    for stream in patterns {
        dma.configure(0, stream.clone()).unwrap();
        for _ in 0..stream.elements() / u64::from(length) {
            dma.transfer(0, 0, stream.access, length, &mut memory).unwrap();
        }
        seen.push(*dma.traffic().find(|(_, name, _)| *name == stream.name).unwrap().2);
    }
    let all = dma.by_operator()["ntt"];
    assert_eq!(all.moved_bytes, memory.stats().moved_bytes);
    assert_eq!(all.moved_bytes, seen.iter().map(|t| t.moved_bytes).sum::<u64>());
    seen
}

#[test]
fn single_columns_waste_half_of_each_burst() {
    for log_n in [8, 10] {
        let n = 1u32 << log_n;
        let needed = u64::from(n) * u64::from(n) * 32;
        let single = run(&ntt_patterns(n, 1, 0), n, 0);
        let moved: Vec<u64> = single.iter().map(|t| t.moved_bytes / needed).collect();
        assert_eq!(moved, [2, 1, 2, 2], "2^{}", 2 * log_n);
        assert!(single.iter().all(|t| t.moved_bytes % needed == 0));
        assert_eq!(single.iter().map(|t| t.read_bytes + t.write_bytes).sum::<u64>(), 4 * needed);
        // Two columns at a time use whole bursts, where two fit on the chip.
        let pairs = run(&ntt_patterns(n, 2, 0), 2 * n, 0);
        assert!(pairs.iter().all(|t| t.moved_bytes == needed));
        // So does a tile buffer with one line per element of the column.
        let tiled = run(&ntt_patterns(n, 1, n), n, 2 * n);
        assert!(tiled.iter().all(|t| t.moved_bytes == needed));
        assert_eq!((tiled[0].tile_bytes, tiled[1].tile_bytes), (needed / 2, 0));
        // A buffer of half that size serves nothing: each element finds the line of another.
        let small = run(&ntt_patterns(n, 1, n / 2), n, n);
        assert_eq!((small[0].tile_bytes, small[0].moved_bytes), (0, 2 * needed));
        // The gathered writes leave it word by word, in a burst each.
        assert_eq!(small[3].moved_bytes, 2 * needed);
        for (plain, tiled) in single.iter().zip(&tiled).filter(|(a, _)| a.moved_bytes > needed) {
            assert!(plain.cycles > tiled.cycles);
        }
    }
}

#[test]
fn pieces_cover_the_elements_in_order() {
    let patterns = [
        (1, vec![dim(64, 1)]),
        (3, vec![dim(10, 3), dim(4, 30), dim(3, 1000)]),
        (1, vec![dim(4, 1), dim(8, 64), dim(16, 4)]),
        (6, vec![dim(5, 17)]),
        (1, vec![dim(1, 9), dim(7, 1), dim(3, 7), dim(2, 500)]),
    ];
    for (element_words, dims) in patterns {
        let mut s = stream("s", Access::Read, 11, dims, 0);
        s.element_words = element_words;
        s.cyclic = true;
        let runs = Runs::new(&s);
        let elements = s.elements();
        for (position, length) in [(0, elements), (3, 4), (elements - 2, 5), (elements * 3 + 1, 2 * elements)]
        {
            let words =
                |p: Piece| (p.address / 32..p.address / 32 + u64::from(p.bytes) / 32).collect::<Vec<_>>();
            let got: Vec<u64> = runs.pieces(position, length).flat_map(words).collect();
            let of = |i: u64| (0..u64::from(element_words)).map(move |w| i + w);
            let want: Vec<u64> =
                (position..position + length).flat_map(|i| of(s.address(i % elements))).collect();
            assert_eq!(got, want, "{s:?} {position}");
        }
    }
    // Levels that continue each other form one run.
    let whole = stream("s", Access::Read, 0, vec![dim(8, 1), dim(8, 8), dim(4, 64)], 0);
    assert_eq!(Runs::new(&whole).pieces(0, 256).count(), 1);
}

#[test]
fn places_fill_every_slot_once() {
    for fill in [Fill::Around, Fill::InTurn] {
        for order in [Order::Natural, Order::BitReversed] {
            let layout = Layout { columns: 4, log_len: 5, fill, order };
            let places: BTreeSet<ElementPlace> = (128..256).map(|i| layout.place(i, 0)).collect();
            assert_eq!(places.len(), 128);
            assert!(places.iter().all(|p| p.slot < 4 && p.index < 32));
        }
    }
    let around = Layout { columns: 4, log_len: 5, fill: Fill::Around, order: Order::BitReversed };
    assert_eq!(around.place(6, 0), ElementPlace { slot: 2, index: 16 });
    let in_turn = Layout { fill: Fill::InTurn, ..around };
    assert_eq!(in_turn.place(32 + 3, 0), ElementPlace { slot: 1, index: 24 });
    assert_eq!(Layout { log_len: 0, ..in_turn }.place(3, 0), ElementPlace { slot: 3, index: 0 });
    assert_eq!(Layout::linear().place(5000, 7), ElementPlace { slot: 0, index: 7 });
}

/// A generator gives every element its address and its position, for any pattern and any division into transfers.
#[test]
fn a_generator_walks_as_the_pattern_says() {
    let mut rng = ChaCha20Rng::seed_from_u64(5);
    let mut pick = |of: &[u32]| of[rng.next_u32() as usize % of.len()];
    let (mut wrapped, mut long) = (0, 0);
    for _ in 0..2_000 {
        let element_words = pick(&[1, 1, 3, 6]);
        let log_len = pick(&[0, 1, 3, 5]);
        let columns = pick(&[1, 2, 3, 4, 8]);
        let fill = [Fill::Around, Fill::InTurn][pick(&[0, 1]) as usize];
        let order = [Order::Natural, Order::BitReversed, Order::Linear][pick(&[0, 1, 2]) as usize];
        // Runs, rows with gaps, and levels of one step, in any order; the last one fills the layout.
        let mut dims = vec![dim(pick(&[1, 2, 4, 5, 32]), u64::from(pick(&[1, 3, 7, 40])))];
        dims[0].stride *= u64::from(element_words);
        for _ in 0..pick(&[0, 1, 2]) {
            let behind = dims.last().map_or(0, |inner| inner.stride * u64::from(inner.count));
            dims.push(dim(
                pick(&[1, 2, 3, 7]),
                [behind, behind + 5, 2, 1 << 30][pick(&[0, 0, 1, 2, 3]) as usize],
            ));
        }
        dims.push(dim(columns << log_len, 1 << 35));
        let layout = Layout { columns, log_len, fill, order };
        let stream = Stream { layout, element_words, ..stream("s", Access::Read, 77, dims, 0) };
        let elements = stream.elements();
        let mut generator = AddressGenerator::new(Setting::of(&stream).unwrap());
        let (mut position, end) = (0u64, (2 * elements).min(3_000));
        while position < end {
            let length = pick(&[1, 2, 7, 64, 500]);
            assert!(generator.is_ready());
            generator.begin(length as u16);
            let mut number = 0;
            while let Some(piece) = generator.piece() {
                for k in 0..piece.count {
                    let at = (position + u64::from(number)) % elements;
                    let PlacedPiece { address, place: first, .. } = piece;
                    assert_eq!(address + u64::from(k * element_words), stream.address(at), "{stream:?} {at}");
                    let place = layout.place(at, number);
                    // The elements after the first lie beside it, in the order before bits are reversed.
                    if k == 0 {
                        assert_eq!(first, place, "{stream:?} {at}");
                    } else if fill == Fill::Around && columns > 1 && order != Order::Linear {
                        assert_eq!((first.slot + k, first.index), (place.slot, place.index));
                    } else {
                        assert_eq!(first.slot, place.slot);
                    }
                    number += 1;
                }
                long += u32::from(piece.count > 1);
                generator.advance();
            }
            assert_eq!(number, length);
            position += u64::from(length);
        }
        wrapped += u32::from(position > elements);
    }
    assert!(wrapped > 500 && long > 1_000, "{wrapped} {long}");
    let read = stream("s", Access::Read, 0, vec![dim(1 << 20, 1)], 0);
    let layout = |columns, log_len| Layout { columns, log_len, fill: Fill::InTurn, order: Order::Natural };
    for layout in [layout(1, 17), layout(1 << 17, 0), layout(1, 40)] {
        assert_eq!(Setting::of(&Stream { layout, ..read.clone() }), None);
    }
    assert_eq!(Setting::of(&Stream { dims: vec![dim(0, 1)], ..read.clone() }), None);
    assert_eq!(Setting::of(&Stream { element_words: 65, ..read }), None);
}

/// A matrix is loaded by columns and stored by rows of its transpose: data and addresses agree.
#[test]
fn a_transposition_carries_data() {
    let n = 16u32;
    let words: Vec<Word> = (0..u64::from(n * n)).map(|i| [i, !i, 0, 1]).collect();
    let mut memory = Contents::new();
    let (source, target) = (0, 256);
    memory.insert("in", source, words).unwrap();
    memory.insert("out", target, vec![[0; 4]; (n * n) as usize]).unwrap();
    let (mut dma, mut ddr) = (dma(0), ddr());
    let columns = vec![dim(n, u64::from(n)), dim(n, 1)];
    dma.configure(0, stream("columns", Access::Read, source, columns, 0)).unwrap();
    dma.configure(1, stream("rows", Access::Write, target, vec![dim(n * n, 1)], 0)).unwrap();
    for _ in 0..n {
        let mut bank = vec![[0; 4]; n as usize];
        let load = dma.transfer(0, 0, Access::Read, n, &mut ddr).unwrap();
        for (address, place) in dma.elements(load.block).unwrap() {
            memory.read(address, &mut bank[place.index as usize..][..1]).unwrap();
        }
        let store = dma.transfer(load.time.done, 1, Access::Write, n, &mut ddr).unwrap();
        assert!(store.start >= load.time.done && store.time.done > store.start);
        for (address, place) in dma.elements(store.block).unwrap() {
            memory.write(address, &bank[place.index as usize..][..1]).unwrap();
        }
    }
    let out = memory.words("out").unwrap();
    assert!((0..256).all(|i| out[i][0] == (i as u64 % 16) * 16 + i as u64 / 16));
}

#[test]
fn a_pattern_ends_unless_it_is_cyclic() {
    let (mut dma, mut ddr) = (dma(0), ddr());
    let points = Stream::vector("points", "msm", Access::Read, 0, 3, 100);
    dma.configure(3, points.clone()).unwrap();
    dma.transfer(0, 3, Access::Read, 64, &mut ddr).unwrap();
    assert_eq!(
        dma.transfer(0, 3, Access::Read, 64, &mut ddr).unwrap_err().to_string(),
        "stream `points` has 36 element(s) left, the instruction wants 64"
    );
    dma.configure(3, Stream { cyclic: true, ..points }).unwrap();
    for _ in 0..3 {
        dma.transfer(0, 3, Access::Read, 64, &mut ddr).unwrap();
    }
    let last = dma.transfer(0, 3, Access::Read, 64, &mut ddr).unwrap();
    let addresses: Vec<u64> = dma.elements(last.block).unwrap().map(|(a, _)| a).collect();
    assert_eq!((addresses[7], addresses[8]), (99 * 3, 0));
    assert_eq!(dma.by_operator()["msm"].read_bytes, 5 * 64 * 96);
}

#[test]
fn what_is_wrong_is_named() {
    let (mut dma, mut ddr) = (dma(64), ddr());
    let read = stream("s", Access::Read, 0, vec![dim(12, 1)], 0);
    let refused = |dma: &mut Dma, s: Stream| dma.configure(0, s).unwrap_err();
    let deep = Stream { dims: vec![dim(1, 1); 5], ..read.clone() };
    assert!(matches!(refused(&mut dma, deep), DmaError::Pattern { .. }));
    assert!(matches!(
        refused(&mut dma, Stream { dims: vec![dim(0, 1)], ..read.clone() }),
        DmaError::Pattern { .. }
    ));
    let far = Stream { dims: vec![dim(3, u64::MAX / 2)], ..read.clone() };
    assert!(matches!(refused(&mut dma, far), DmaError::Pattern { .. }));
    let layout = Layout { columns: 2, log_len: 3, fill: Fill::Around, order: Order::Natural };
    assert_eq!(
        refused(&mut dma, Stream { layout, ..read.clone() }).to_string(),
        "stream `s`: 12 elements do not fill 2 slots of 2^3"
    );
    assert_eq!(
        refused(&mut dma, Stream { tile_lines: 33, ..read.clone() }).to_string(),
        "stream `s` wants 66 words of the tile buffer, 64 are free"
    );
    dma.configure(0, Stream { tile_lines: 20, ..read.clone() }).unwrap();
    dma.configure(0, Stream { tile_lines: 32, ..read.clone() }).unwrap();
    assert!(dma.configure(1, Stream { tile_lines: 1, ..read.clone() }).is_err());
    let beyond = DmaSpec::paper().streams as usize;
    assert_eq!(dma.configure(beyond, read).unwrap_err(), DmaError::NoStream(beyond));
    assert_eq!(dma.transfer(0, 7, Access::Read, 1, &mut ddr).unwrap_err(), DmaError::NoStream(7));
    let wrong = dma.transfer(0, 0, Access::Write, 1, &mut ddr).unwrap_err();
    assert_eq!(wrong.to_string(), "stream `s` is for reads");
    assert!(Dma::new(&DmaSpec { line_words: 3, ..DmaSpec::paper() }).is_err());
}

#[test]
fn regions_keep_to_themselves() {
    let mut memory = Contents::new();
    memory.insert("a", 10, vec![[1; 4]; 5]).unwrap();
    memory.insert_blank("b", 20, 1 << 40).unwrap();
    let message = |r: Result<(), ContentsError>| r.unwrap_err().to_string();
    assert_eq!(message(memory.insert("c", 14, vec![[0; 4]; 2])), "region `c` would overlap region `a`");
    assert_eq!(message(memory.insert("c", 8, vec![[0; 4]; 3])), "region `c` would overlap region `a`");
    assert_eq!(message(memory.insert("a", 0, vec![])), "region `a` would overlap region `a`");
    let mut words = [[9; 4]; 2];
    assert_eq!(message(memory.read(14, &mut words)), "words 4 to 6 of region `a`, which has 5");
    assert_eq!(message(memory.read(9, &mut words)), "DRAM word 9 is in no region");
    assert_eq!(words, [[9; 4]; 2]);
    memory.read(13, &mut words).unwrap();
    assert_eq!(words, [[1; 4]; 2]);
    memory.write(1000, &[[7; 4]]).unwrap();
    memory.read(1000, &mut words).unwrap();
    assert_eq!(words, [[0; 4]; 2]);
    assert_eq!(memory.words("b").unwrap_err(), ContentsError::Blank("b".into()));
    assert_eq!(memory.base("b").unwrap(), 20);
}

#[test]
fn transfers_overlap_when_more_than_one_may_be_under_way() {
    let run = |outstanding| {
        let mut dma = Dma::new(&DmaSpec { outstanding, setup: 5, ..DmaSpec::paper() }).unwrap();
        let mut memory = ddr();
        let points = Stream::vector("points", "msm", Access::Read, 0, 3, 1 << 16);
        dma.configure(0, points).unwrap();
        let moves: Vec<TimedTransfer> =
            (0..1 << 10).map(|_| dma.transfer(0, 0, Access::Read, 64, &mut memory).unwrap()).collect();
        assert!(moves.windows(2).all(|m| m[0].start <= m[1].start && m[0].time.done <= m[1].time.done));
        moves.last().unwrap().time.done
    };
    let (alone, overlapped) = (run(1), run(2));
    let bytes = 96 << 16;
    // The setup and the latency of each transfer are hidden; the time of the bandwidth remains.
    assert!(overlapped >= bytes / 48 && overlapped < bytes / 48 * 11 / 10, "{overlapped}");
    // Setup 5, column to data 13, a burst 3: the cost of an access that waits for the one before.
    assert!(alone > overlapped + 1024 * 20, "{alone}");
}

#[test]
fn what_the_tile_gathers_is_flushed() {
    let (mut dma, mut memory) = (dma(64), ddr());
    dma.configure(0, stream("s", Access::Write, 0, vec![dim(4, 16), dim(2, 1)], 32)).unwrap();
    dma.transfer(0, 0, Access::Write, 4, &mut memory).unwrap();
    assert_eq!(memory.stats().moved_bytes, 0);
    let t = dma.flush(100, 0, &mut memory).unwrap();
    assert!(t.done > 100);
    assert_eq!(memory.stats().moved_bytes, 4 * 64);
    // The end of the pattern flushes without a request, halves of lines as they are.
    dma.transfer(0, 0, Access::Write, 4, &mut memory).unwrap();
    assert_eq!((memory.stats().moved_bytes, memory.stats().write_bytes), (8 * 64, 8 * 32));
}
