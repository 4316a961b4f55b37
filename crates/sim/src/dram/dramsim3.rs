//! Comparison with an independent simulator: clocks of twelve streams, as DRAMsim3 counted them
//! (`vectors/dram/SOURCE.md`).
//!
//! Both models have the timing of DDR4-3200AA in the same whole clocks, and 32 requests to choose from. Where every
//! command follows from the constraints they agree to a few clocks. Where a controller has a choice they differ:
//! DRAMsim3 has one queue per bank behind its 32 transactions, and it gathers up to 32 writes to send them together,
//! like this model with `gather = 32`.

use super::*;
use serde::Deserialize;

/// A line of `vectors/dram/dramsim3.csv`.
#[derive(Deserialize)]
struct Run {
    mapping: Mapping,
    hash: Hash,
    stream: String,
    bursts: u64,
    clocks: u64,
    activations: u64,
    refreshes: u64,
}

/// The lines of the file; the name of a stream may contain a comma.
fn runs() -> Vec<Run> {
    let text = file("dramsim3.csv");
    let mut lines = text.lines();
    let head: Vec<&str> = lines.next().unwrap().split(',').collect();
    let run = |line: &str| -> Run {
        let quoted: Vec<&str> = line.split('"').collect();
        let cells: Vec<&str> = match quoted[..] {
            [before, stream, after] => before
                .trim_end_matches(',')
                .split(',')
                .chain([stream])
                .chain(after.trim_start_matches(',').split(','))
                .collect(),
            _ => line.split(',').collect(),
        };
        assert_eq!(cells.len(), head.len(), "{line}");
        let value = |cell: &str| cell.parse::<u64>().map_or_else(|_| cell.into(), serde_json::Value::from);
        let object = head.iter().zip(cells).map(|(name, cell)| ((*name).to_owned(), value(cell)));
        serde_json::from_value(serde_json::Value::Object(object.collect())).unwrap()
    };
    lines.map(run).collect()
}

fn file(name: &str) -> String {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../vectors/dram").join(name);
    std::fs::read_to_string(&path).unwrap_or_else(|why| panic!("{}: {why}", path.display()))
}

/// The memory configuration used for DRAMsim3.
fn memory(mapping: Mapping, hash: Hash) -> DramConfig {
    DramConfig { bytes_per_cycle: 0, mapping, hash, ..DramConfig::ddr4_3200() }
}

/// Directions and addresses of the bursts of a stream.
fn stream(name: &str) -> Vec<(bool, u64)> {
    let blocks = |count: u64, reads: u64, writes: u64| {
        let block = move |b: u64| {
            let read = move |i| (false, b * reads * 64 + i * 64);
            let write = move |i| (true, (1 << 26) + b * writes * 64 + i * 64);
            (0..reads).map(read).chain((0..writes).map(write))
        };
        (0..count).flat_map(block).collect()
    };
    let columns = |write, columns: u64, rows: u64, stride: u64| {
        (0..columns).flat_map(|c| (0..rows).map(move |r| (write, c * 64 + r * stride))).collect()
    };
    let scattered = |write| {
        let address = |i: u64| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 34) & !63;
        (1..=4096).map(|i| (write, address(i))).collect()
    };
    match name {
        "sequential reads" => (0..32_768).map(|i| (false, 64 * i)).collect(),
        "sequential writes" => (0..32_768).map(|i| (true, 64 * i)).collect(),
        "scattered reads" => scattered(false),
        "scattered writes" => scattered(true),
        "rows of one bank" => (0..512).map(|i| (false, i << 17)).collect(),
        "columns, stride 32 KiB" => columns(false, 4, 1024, 32_768),
        "columns, stride 8 KiB" => columns(false, 16, 256, 8192),
        "column writes, stride 32 KiB" => columns(true, 4, 1024, 32_768),
        "column writes, stride 8 KiB" => columns(true, 16, 256, 8192),
        "512 in, 512 out" => blocks(8, 512, 512),
        "16 in, 16 out" => blocks(256, 16, 16),
        "points and scalars" => {
            let block = |b: u64| {
                let point = move |i: u64| (false, b * 1536 * 64 + i * 64);
                let scalar = move |i: u64| (false, (1 << 27) + b * 512 * 64 + i * 64);
                (0..1536).map(point).chain((0..512).map(scalar))
            };
            (0..4).flat_map(block).collect()
        }
        _ => panic!("no stream `{name}`"),
    }
}

/// The memory after a stream whose requests all arrive at clock 0, with gathered writes flushed, and the clock of the
/// last data.
fn ours(config: &DramConfig, bursts: &[(bool, u64)], record: bool) -> (Dram, u64) {
    // The core's clock equals the memory's clock, so cycles are clocks.
    let mut ddr = Dram::new(config, f64::from(config.rate_mts) * 5e5).unwrap();
    if record {
        ddr.record();
    }
    let (mut issued, mut done) = (0, 0);
    for run in bursts.chunk_by(|a, b| a.0 == b.0) {
        let pieces = run.iter().map(|&(_, address)| Piece { address, bytes: 64 });
        let moved = ddr.transfer(issued, run[0].0, pieces);
        (issued, done) = (moved.issued, done.max(moved.done));
    }
    let sent = ddr.flush();
    (ddr, done.max(sent))
}

#[test]
fn clocks_are_those_of_an_independent_simulator() {
    let runs = runs();
    assert_eq!(runs.len(), 48);
    let mut close = 0;
    for run in &runs {
        let bursts = stream(&run.stream);
        assert_eq!(bursts.len() as u64, run.bursts);
        let memory = memory(run.mapping, run.hash);
        let (ddr, clocks) = ours(&DramConfig { gather: 32, ..memory }, &bursts, false);
        let counts = ddr.stats().counts;
        let ratio = clocks as f64 / run.clocks as f64;
        let rows = counts.activations.abs_diff(run.activations) as f64 / run.bursts as f64;
        let small = run.stream == "16 in, 16 out";
        let least_and_most = match (run.stream.as_str(), run.mapping, run.hash) {
            // Rows of one bank, or of one group, in turn: no controller has a choice.
            ("rows of one bank", ..) if run.hash == Hash::None => [0.999, 1.001],
            ("columns, stride 32 KiB" | "column writes, stride 32 KiB", Mapping::RowContiguous, _) => {
                [0.999, 1.001]
            }
            // Conflicting rows of many banks: more commands to choose from help most here.
            ("16 in, 16 out", Mapping::BankInterleaved, _) => [1.15, 1.2],
            // The mapping that this project uses for the memory of the published chip.
            (_, Mapping::GroupInterleaved, Hash::Row) => [0.95, 1.02],
            _ => [0.97, 1.11],
        };
        assert!((least_and_most[0]..=least_and_most[1]).contains(&ratio), "{}: {ratio}", run.stream);
        let opens_alike = rows < 0.01 || (small && run.mapping == Mapping::BankInterleaved);
        assert!(opens_alike, "{}: {rows}", run.stream);
        assert!(counts.refreshes.abs_diff(run.refreshes) <= 2, "{}", run.stream);
        close += u64::from((ratio - 1.0).abs() < 0.025);
        println!(
            "{:?} {:?} {}: {clocks} beside {}, {ratio:.3}; {} rows beside {}, {} refreshes beside {}",
            run.mapping,
            run.hash,
            run.stream,
            run.clocks,
            counts.activations,
            run.activations,
            counts.refreshes,
            run.refreshes
        );
        // Served in order, alternating small blocks take a third longer, or twice as long; other streams change by no
        // more than the waits of writes.
        let in_order = ours(&memory, &bursts, false).1 as f64 / run.clocks as f64;
        match (small, run.mapping) {
            (true, Mapping::BankInterleaved) => assert!((1.9..2.2).contains(&in_order), "{in_order}"),
            (true, _) => assert!((1.25..1.4).contains(&in_order), "{in_order}"),
            _ => assert!((in_order - ratio).abs() < 0.01, "{}: {in_order}, {ratio}", run.stream),
        }
    }
    // The number that the book states.
    assert_eq!(close, 37);
}

#[test]
fn the_kept_trace_is_what_the_model_writes() {
    let bursts = &stream("16 in, 16 out")[..1024];
    let (ddr, _) = ours(&memory(Mapping::RowContiguous, Hash::None), bursts, true);
    let mut text = Vec::new();
    ddr.write_trace(&mut text).unwrap();
    assert_eq!(String::from_utf8(text).unwrap(), file("16-in-16-out.trace"));
}
