//! Measures the bandwidth that off-chip memories give to the streams of the crypto-processor: the tables of the book's
//! chapter on memory.
//!
//! `cargo run --release -p pairwright-chip --example memory`

use pairwright_chip::machine::dma::{Dim, Dma, Stream};
use pairwright_chip::spec::DmaSpec;
use pairwright_sim::Access;
use pairwright_sim::dram::{self, Dram};

const HZ: f64 = 800e6;

/// A memory and a DMA, with the streams that take turns and the elements of each transfer.
struct Case {
    name: String,
    memory: dram::DramConfig,
    dma: DmaSpec,
    streams: Vec<(Stream, u32)>,
}

fn read(name: &str, base: u64, words: u32, count: u32) -> Stream {
    Stream::vector(name, "table", Access::Read, base, words, count)
}

/// The stream of one pass of a transform of `n × n` points over a matrix stored by rows, `t` columns at a time.
fn columns(access: Access, n: u32, t: u32, tile_lines: u32) -> (Stream, u32) {
    let dim = |count, stride: u32| Dim { count, stride: stride.into() };
    let dims = vec![dim(t, 1), dim(n, n), dim(n / t, t)];
    (Stream { dims, tile_lines, ..Stream::vector("columns", "table", access, 0, 1, 1) }, (n * t).min(1024))
}

/// Runs a case to its end and prints useful bandwidth, its share of the peak, useful bytes over moved bytes, and row hits.
fn run(case: &Case) {
    let mut memory = Dram::new(&case.memory, HZ).expect("a preset");
    let mut dma = Dma::new(&case.dma).expect("a design");
    for (at, (stream, _)) in case.streams.iter().enumerate() {
        dma.configure(at, stream.clone()).expect("a stream");
    }
    let (first, length) = &case.streams[0];
    let mut end = 0;
    for _ in 0..first.elements() / u64::from(*length) {
        for (at, (stream, length)) in case.streams.iter().enumerate() {
            let moved = dma.transfer(0, at, stream.access, *length, &mut memory);
            end = end.max(moved.expect("within the pattern").time.done);
        }
    }
    let traffic = dma.by_operator()["table"];
    let (stats, useful) = (memory.stats(), traffic.read_bytes + traffic.write_bytes);
    let bandwidth = useful as f64 * HZ / end as f64 / 1e9;
    let bursts = stats.counts.read_bursts + stats.counts.write_bursts;
    println!(
        "| {} | {:.1} | {:.1} % | {:.2} | {:.1} % |",
        case.name,
        bandwidth,
        bandwidth * 1e11 / case.memory.peak(),
        traffic.efficiency(),
        stats.counts.row_hits as f64 * 100.0 / bursts.max(1) as f64
    );
}

/// A transform of 2^20 points whose 2,048 sub-transforms load, compute (1,530 cycles of the engine) and store without
/// overlap: columns in place, then rows in and transposed out. Cycles of the whole, and of a load or store of each kind.
fn unhidden(name: &str, memory: dram::DramConfig, tile_lines: u32) {
    let mut dram = Dram::new(&memory, HZ).expect("a preset");
    let tile = DmaSpec { tile_words: 4 * tile_lines, ..DmaSpec::paper() };
    let mut dma = Dma::new(&tile).expect("a design");
    let (read, write) = (Access::Read, Access::Write);
    let strided = |name: &str, access| Stream { name: name.into(), ..columns(access, 1024, 1, tile_lines).0 };
    let rows = Stream::vector("rows in", "table", read, 0, 1, 1 << 20);
    let transposed = Stream { base: 1 << 20, ..strided("transposed out", write) };
    let mut now = 0;
    for pass in [[strided("columns in", read), strided("columns out", write)], [rows, transposed]] {
        for (at, stream) in pass.into_iter().enumerate() {
            dma.configure(at, stream).expect("a stream");
        }
        for _ in 0..1024 {
            let load = dma.transfer(now, 0, read, 1024, &mut dram).expect("within the pattern");
            let store = dma.transfer(load.time.done + 1530, 1, write, 1024, &mut dram);
            now = store.expect("within the pattern").time.done;
        }
    }
    let each: Vec<String> =
        dma.traffic().map(|(_, name, t)| format!("{name} {}", t.cycles / t.transfers)).collect();
    let moved = dram.stats().moved_bytes >> 20;
    println!("| {name} | {now} | {:.2} | {moved} | {} |", now as f64 * 1e3 / HZ, each.join(", "));
}

fn main() {
    let overlapped = DmaSpec { outstanding: 2, ..DmaSpec::paper() };
    let ddr5 = dram::DramConfig::ddr5_4800();
    let case = |name: &str, memory, dma, streams| Case { name: name.to_owned(), memory, dma, streams };
    println!("| stream | useful GB/s | of the peak | useful / moved | row hits |\n|---|---|---|---|---|");
    for name in &dram::DramConfig::PRESETS[1..] {
        let memory = dram::DramConfig::preset(name).expect("a preset");
        let words = vec![(read("words", 0, 1, 1 << 20), 1024)];
        run(&case(&format!("sequential, {name}"), memory, overlapped, words));
    }
    let words = || vec![(read("words", 0, 1, 1 << 20), 1024)];
    run(&case("sequential, one transfer at a time", ddr5, DmaSpec::paper(), words()));
    let write = Stream { access: Access::Write, ..read("words", 0, 1, 1 << 20) };
    run(&case("sequential writes", ddr5, overlapped, vec![(write.clone(), 1024)]));
    let copy = vec![words().remove(0), (Stream { base: 1 << 21, ..write }, 1024)];
    run(&case("1,024 words in, 1,024 words out", ddr5, overlapped, copy));
    let msm = || vec![(read("points", 0, 3, 1 << 20), 1024), (read("scalars", 1 << 22, 1, 1 << 20), 1024)];
    run(&case("MSM: 1,024 points, their scalars", ddr5, overlapped, msm()));
    run(&case("the same, one transfer at a time", ddr5, DmaSpec::paper(), msm()));
    let mixed = dram::DramConfig { hash: dram::Hash::RowColumn, ..ddr5 };
    let unmixed = dram::DramConfig { hash: dram::Hash::None, ..ddr5 };
    let in_order = dram::DramConfig { scheduler: dram::Scheduler::InOrder, ..ddr5 };
    for log in [8, 10] {
        let n = 1 << log;
        let tile = |words| DmaSpec { tile_words: words, ..overlapped };
        for access in [Access::Read, Access::Write] {
            let row = |what: &str, memory, t, lines: u32| {
                let name = format!("2^{} NTT, {access} of {what}", 2 * log);
                run(&case(&name, memory, tile(2 * lines), vec![columns(access, n, t, lines)]));
            };
            row("single columns", ddr5, 1, 0);
            row("single columns, requests in order", in_order, 1, 0);
            row("single columns, no mixing", unmixed, 1, 0);
            row("single columns, tile buffer", ddr5, 1, n);
            row("pairs of columns", ddr5, 2, 0);
            row("four columns", ddr5, 4, 0);
            row("four columns, rows and columns mixed", mixed, 4, 0);
        }
    }
    println!("\n| 2^20 NTT, nothing hidden | cycles | ms | MiB moved | cycles each |\n|---|---|---|---|---|");
    unhidden("pipe of 48 bytes a cycle", dram::DramConfig::paper(), 0);
    unhidden("DDR5-4800, single columns", ddr5, 0);
    unhidden("DDR5-4800, tile buffer of 2 × 64 KiB", ddr5, 1024);
}
