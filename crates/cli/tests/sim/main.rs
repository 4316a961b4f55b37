//! `pairwright sim` and `compile`: designs and their reported numbers with units, and one clear line for every invalid request.

mod aie;
mod chip;
mod cluster;
mod explore;
mod mtu;
mod pages;
mod pictures;

use serde_json::Value;
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

fn run(dir: &Path, line: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_pairwright"))
        .args(line.split_whitespace())
        .current_dir(dir)
        .output()
        .unwrap()
}

fn ok(line: &str) -> String {
    ok_in(Path::new("."), line)
}

fn ok_in(dir: &Path, line: &str) -> String {
    let out = run(dir, line);
    let text = String::from_utf8(out.stdout).unwrap();
    assert!(out.status.success(), "{line}: {text}{}", String::from_utf8_lossy(&out.stderr));
    text
}

fn json(line: &str) -> Value {
    serde_json::from_str(&ok(&format!("--json {line}"))).unwrap()
}

/// The message of a command that must fail.
fn fails(line: &str) -> String {
    let out = run(Path::new("."), line);
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{line}: {said}");
    said.trim().trim_start_matches("pairwright: ").to_owned()
}

#[test]
fn a_sweep_in_which_every_design_is_refused_fails() {
    let dir = tempfile::tempdir().unwrap();
    let out = run(dir.path(), "sim mtu --sweep pes=3 --csv s.csv --plot s.svg");
    let said = String::from_utf8(out.stderr).unwrap();
    assert_eq!(out.status.code(), Some(2), "{said}");
    assert!(said.contains("--sweep: all 1 designs are refused; the first: "), "{said}");
    let csv = std::fs::read_to_string(dir.path().join("s.csv")).unwrap();
    assert_eq!(csv.lines().count(), 2, "the table has the reasons: {csv}");
    assert!(!dir.path().join("s.svg").exists());
}

/// Every simulation takes the same options, and reads the files that it prints.
#[test]
fn every_machine_prints_and_reads_its_design() {
    let dir = tempfile::tempdir().unwrap();
    for (command, set, parameter, range) in [
        ("pairing", "mm.latency=20", "latency = 20", "  # 2 to 64 cycles"),
        ("ntt", "dram.preset=ddr4_3200", "rate_mts = 3200", "  # 100 to 20000 million transfers a second"),
        ("msm", "msm.segments=2", "segments = 2", "  # a power of two, 1 to 1048576"),
        ("groth16", "poly.groups=1", "groups = 1", "  # 1 to 2"),
        ("program", "dram.latency=7", "latency = 7", "  # 0 to 1e6 cycles"),
        ("mtu", "traversal=dfs", "traversal = \"dfs\"", ""),
        ("aie", "fabric.columns=38", "columns = 38", "  # 1 to 128"),
        ("aie-board", "plio.bits=128", "bits = 128", "  # 32, 64 or 128 bits"),
        (
            "aie-msm",
            "dram.preset=ddr4_2400",
            "rate_mts = 2400",
            "  # 100 to 20000 million transfers a second",
        ),
    ] {
        let printed = ok(&format!("sim {command} --design paper --set {set} --dump-config"));
        assert!(printed.contains(&format!("{parameter}{range}")), "{command}: {printed}");
        std::fs::write(dir.path().join("whole.toml"), &printed).unwrap();
        assert_eq!(ok_in(dir.path(), &format!("sim {command} --spec whole.toml --dump-config")), printed);
        // A file may contain a part of a section. Of these machines only the array has no section `dram`.
        if command != "aie" && !set.starts_with("dram") {
            std::fs::write(dir.path().join("part.toml"), "[dram]\nlatency = 41\n").unwrap();
            let changed = ok_in(dir.path(), &format!("sim {command} --spec part.toml --dump-config"));
            assert!(changed.split("[dram]").nth(1).unwrap().contains("\nlatency = 41  #"), "{command}");
        }
    }
}

/// Changes are checked together, in any order.
#[test]
fn settings_that_are_valid_only_together_come_in_any_order() {
    let small = ["--set input_bytes=256", "--set pes=2", "--set block_bytes=64", "--set output_bytes=256"];
    let mut reversed = small;
    reversed.reverse();
    for set in [small, reversed] {
        let report = json(&format!("sim mtu --size 2^6 {}", set.join(" ")));
        assert_eq!(report["account"]["config"]["input_bytes"], 256);
    }
    assert!(
        fails("sim mtu --set input_bytes=256")
            .starts_with("--set: input_bytes is 256, it must be at least two")
    );
}

#[test]
fn bad_requests_are_clear() {
    for (line, said) in [
        (
            "sim pairing --design none",
            "--design: unknown name `none`; expected one of paper, paper-load, best, hardcaml, cyclonemsm, pipezk",
        ),
        ("sim pairing --set mm.latency", "--set: `mm.latency` is not FIELD=VALUE"),
        ("sim pairing --set mm.latency=1", "--set: mm.latency is 1, it must be 2 to 64 cycles"),
        ("sim pairing --set mm.colour=1", "--set: mm.colour: unknown field `colour`, expected one of"),
        ("sim pairing --set inversion.interval=3", "inversion.interval is 3, but a product takes 16 cycles"),
        ("sim pairing --set control.l2_words=100 --seeds 1", "program: "),
        ("sim program nothing", "no program `nothing`: see `pairwright sim program --list`"),
        ("sim ntt --size 1000", "--size: 1000 is not a power of two"),
        ("sim ntt --size 16", "a transform of 16 points"),
        ("sim msm --size 0", "--size: an MSM has at least one point"),
        ("sim msm --size 64 --set msm.segments=3", "--set: msm.segments is 3, it must be a power of two"),
        (
            "sim ntt --size 64 --sweep size=2^x",
            "invalid size `2^x`; expected a number up to 2^30, such as 1000 or 2^16",
        ),
        (
            "sim ntt --size 64 --sweep colour=1",
            "--sweep: no parameter `colour`; there are size, direction, coset",
        ),
        ("sim ntt --size 64 --sweep volts=1", "--sweep: no parameter `volts`; did you mean clock.volts?"),
        (
            "sim pairing --set mm.latency=abc",
            "--set: mm.latency: wrong type: \"abc\" is a name, it must be a whole number",
        ),
        (
            "sim pairing --set mm.latancy=12",
            "--set: mm.latancy: unknown field `latancy`, expected one of `style`, `latency`, `ii`; did you mean mm.latency?",
        ),
        ("sim mtu --set banwidth=1", "--set: banwidth: unknown field `banwidth`"),
        (
            "sim pairing --sweep design=paper,worst",
            "--sweep: unknown name `worst`; expected one of paper, paper-load, best, hardcaml, cyclonemsm, pipezk",
        ),
        (
            "sim msm --size 64 --sweep msm.elements=0,50",
            "--sweep: all 2 designs are refused; the first: msm.elements is 0, it must be 1 to 48",
        ),
        ("sim mtu --pes 3", "--pes: pes is 3, it must be a power of two, 2 to 1024"),
        ("sim mtu --size 1000", "--size: 1000 is not a power of two"),
        ("sim mtu --set colour=1", "--set: colour: unknown field `colour`"),
        ("sim mtu --set pes=many", "--set: pes: wrong type: \"many\" is a name, it must be a whole number"),
        ("sim mtu --set pes", "--set: `pes` is not FIELD=VALUE"),
        ("sim mtu --spec nowhere.toml", "nowhere.toml: "),
        ("sim mtu --design none", "--design: unknown name `none`; expected one of paper"),
        ("sim mtu --bandwidth 64 --set clock_hz=300000000", "--bandwidth: 64 GB/s is not a whole number"),
        ("sim mtu --size 64 --sweep pes=x", "--sweep: pes: wrong type: \"x\" is a name"),
        ("sim mtu --size 64 --sweep colour=1", "--sweep: colour: unknown field `colour`"),
        (
            "sim mtu --size 64 --sweep traversal=up",
            "--sweep: traversal: unknown variant `up`, expected one of `bfs`",
        ),
        ("sim aie --set fabric.columns=0", "--set: fabric.columns is 0, it must be 1 to 128"),
        (
            "sim aie --set fabric.columns=1000000000",
            "--set: fabric.columns is 1000000000, it must be 1 to 128",
        ),
        (
            "sim aie --set fabric.columns=3",
            "a unit of coarse takes 4 columns of 8 rows, the array has 3 of 8",
        ),
        ("sim aie --set fabric.colour=1", "--set: fabric.colour: unknown field `colour`, expected one of"),
        (
            "sim aie --set tile.machine.files.colour.size=1",
            "--set: tile.machine.files.colour.size: there is no",
        ),
        ("sim aie --set tile.machine.files.vector.size=2", "0 registers of file \"vector\" do not hold"),
        ("sim aie --set tile.machine.slots.load.count=1000000000", "load: 1000000000 is more than"),
        ("sim aie --set =", "--set: : unknown field ``"),
        ("sim aie --spec nowhere.toml", "nowhere.toml: "),
        ("sim aie --product 28bit --carry wide", "28bit products need balanced carries"),
        (
            "sim aie --mapping single --carry balanced --form complete --data",
            "--data: a single tile adds points in",
        ),
        (
            "sim aie --sweep carry=none",
            "--sweep: method.carry: unknown variant `none`, expected one of `accurate`",
        ),
        ("sim aie --sweep fabric.colour=1", "--sweep: fabric.colour: unknown field"),
        ("sim aie-board --units 0", "--units: units is 0, it must be 1 to 400"),
        ("sim aie-board --units 1000000000", "--units: units is 1000000000, it must be 1 to 400"),
        ("sim aie-board --tasks 0", "--tasks: at least one addition is needed"),
        ("sim aie-board --set plio.bits=7", "--set: plio.bits is 7, it must be 32, 64 or 128 bits"),
        ("sim aie-board --set colour=1", "--set: colour: unknown field `colour`"),
        ("sim aie-msm --size 0", "--size: an MSM has at least one point"),
        (
            "sim aie-msm --sweep spread=x",
            "--sweep: spread: unknown variant `x`, expected `points` or `windows`",
        ),
        ("compile nothing --seeds 1", "unknown routine `nothing`; expected one of line_double_mult,"),
        ("sim pairing --sweep mm.latency=1..1000 --sweep mm.ii=1..1000", "--sweep: more than 20000 designs"),
    ] {
        let text = fails(line);
        assert!(text.starts_with(said), "{line}: {text}");
        assert_eq!(text.lines().count(), 1, "one line: {text}");
    }
    for (line, said) in [
        ("sim pairing --sweep mm.latency=", "is not FIELD=FIRST..LAST"),
        ("sim pairing --scheduler best", "no scheduler is called best"),
        ("sim pairing --csv s.csv", "--sweep"),
        ("sim aie --mapping none", "possible values: single, coarse"),
    ] {
        assert!(fails(line).contains(said), "{line}");
    }
}
