//! Faults in the command's environment: full disks, closed readers, endless inputs, signals, files in two roles.
//!
//! They run on Linux, since they need `/dev/full`, limits of the shell and the names of descriptors.
#![cfg(target_os = "linux")]

mod common;

use common::Bench;
use serde_json::Value;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io::Write;
use std::os::unix::fs::PermissionsExt;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

const COMMAND: &str = env!("CARGO_BIN_EXE_pairwright");

/// The command with its words, in a folder.
fn command(bench: &Bench, line: &str) -> Command {
    let mut command = Command::new(COMMAND);
    command.args(line.split_whitespace()).current_dir(bench.dir.path());
    command
}

/// As [`command`], with the default actions of the signals that end a command: the process that runs the tests may ignore them,
/// as a shell does for background processes.
fn command_that_signals_end(bench: &Bench, line: &str) -> Command {
    let mut command = Command::new("env");
    command.args(["--default-signal=HUP,INT,TERM", COMMAND]).args(line.split_whitespace());
    command.current_dir(bench.dir.path());
    command
}

/// Runs a line of the shell, in which `pairwright` is the command.
fn shell(bench: &Bench, line: &str) -> Output {
    let line = format!("pairwright() {{ {COMMAND} \"$@\"; }}; {line}");
    Command::new("sh").args(["-c", &line]).current_dir(bench.dir.path()).output().unwrap()
}

/// The names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

#[test]
fn standard_output_that_cannot_be_written_is_an_error() {
    let b = Bench::proved("bn128");
    let full = || OpenOptions::new().write(true).open("/dev/full").unwrap();
    for line in [
        "verify vk.json public.json proof.json",
        "--json verify vk.json public.json proof.json",
        "inspect cube.r1cs",
        "check cube.r1cs w.wtns",
        "gen targets",
        "gen kernel --op mulmod --bits 1024",
        "gen explain --op addmod --bits 256",
        "prove cube.zkey w.wtns -o p2.json --public q2.json",
        "prove cube.zkey w.wtns -o - --public q2.json",
        "asm --reference",
        "completions bash",
        "--help",
        "--version",
    ] {
        let out = command(&b, line).stdout(full()).output().unwrap();
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("pairwright: standard output: "), "{line}: {said}");
    }
}

#[test]
fn standard_output_that_is_closed_is_an_error() {
    let b = Bench::proved("bn128");
    for line in [
        "verify vk.json public.json proof.json",
        "--json verify vk.json public.json proof.json",
        "inspect cube.r1cs",
        "gen kernel --op mulmod --bits 256",
        "prove cube.zkey w.wtns -o - --public q2.json",
        "completions bash",
        "--help",
        "--version",
    ] {
        let out = shell(&b, &format!("pairwright {line} >&-"));
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("pairwright: standard output: it is closed"), "{line}: {said}");
        // Output to `/dev/null` is accepted, whatever the mode of the descriptor.
        for elsewhere in ["> /dev/null", "1<> /dev/null"] {
            let line = format!("pairwright {line} {elsewhere}");
            assert_eq!(shell(&b, &line).status.code(), Some(0), "{line}");
        }
    }
    // A command that prints nothing does not need standard output, and its output file is not affected.
    let silent = shell(&b, "pairwright -q witness cube.wasm input.json -o w2.wtns >&-");
    assert_eq!((silent.status.code(), b.read("w2.wtns") == b.read("w.wtns")), (Some(0), true));
    let said = shell(&b, "pairwright witness cube.wasm input.json -o w3.wtns >&-");
    assert_eq!((said.status.code(), b.read("w3.wtns") == b.read("w.wtns")), (Some(2), true));
}

/// A design that a search writes into a folder does not replace a file that its command line names.
#[test]
fn a_design_in_a_folder_replaces_no_named_file() {
    let b = Bench::proved("bn128");
    fs::create_dir(b.dir.path().join("front")).unwrap();
    b.write("front/front-01.toml", "hash_latency = 25\n");
    let search = "explore mtu --size 2^4 --over pes=2,4 --designs front";
    let said = b.fails(2, &format!("{search} --spec front/front-01.toml"));
    assert!(said.contains("--spec and a file in --designs are both front/front-01.toml"), "{said}");
    assert_eq!(b.read("front/front-01.toml"), b"hash_latency = 25\n");
    // A file of an earlier search is replaced.
    b.ok(search);
    assert_ne!(b.read("front/front-01.toml"), b"hash_latency = 25\n");
}

#[test]
fn a_reader_who_has_gone_away_ends_a_command_quietly() {
    let b = Bench::proved("bn128");
    for (code, line) in [
        (0, "asm --reference"),
        (0, "completions bash"),
        (0, "--help"),
        (0, "prove cube.zkey w.wtns -o - --public q2.json"),
        (0, "verify vk.json public.json proof.json"),
        (2, "--json verify vk.json proof.json public.json"),
    ] {
        let (reader, writer) = std::io::pipe().unwrap();
        drop(reader);
        let out = command(&b, line).stdout(writer).output().unwrap();
        assert_eq!(out.status.code(), Some(code), "{line}");
        assert!(!String::from_utf8_lossy(&out.stderr).contains("panicked"), "{line}");
    }
}

#[test]
fn standard_error_that_cannot_be_written_changes_no_exit_code() {
    let b = Bench::proved("bn128");
    let circuit = "witness cube.wasm input.json -o w2.wtns";
    for (code, line) in
        [(2, "inspect missing"), (2, "frobnicate"), (0, circuit), (0, "--threads 100000 devices")]
    {
        let full = OpenOptions::new().write(true).open("/dev/full").unwrap();
        let status = command(&b, line).stdout(Stdio::null()).stderr(full).status().unwrap();
        assert_eq!(status.code(), Some(code), "{line}");
    }
}

#[test]
fn a_disk_that_is_full_leaves_no_file() {
    let b = Bench::proved("bn128");
    b.ok("gen kernel --op mulmod --bits 256 -o old.h");
    fs::write(b.path("p.pw"), pairwright::chip::isa::EXAMPLE).unwrap();
    b.ok("asm p.pw -o image.json");
    let (before, old) = (names(b.dir.path()), b.read("old.h"));
    for line in [
        "gen kernel --op mulmod --bits 1024 -o new",
        "gen kernel --op mulmod --bits 1024 -o old.h",
        "asm p.pw -o new",
        "disasm image.json -o new",
        "sim mtu --size 2^10 --trace new",
        "sim ntt --size 2^10 --trace new",
        "sim aie --trace new",
        "sim mtu --size 2^10 --sweep pes=2,4 --csv new",
        "sim mtu --size 2^10 --sweep pes=2,4 --plot new",
        "verify vk.json public.json proof.json --report new",
        "prove cube.zkey w.wtns -o new --public new2",
        "setup cube.r1cs --unsafe-local -o new",
        "witness cube.wasm input.json -o new",
        "vkey cube.zkey -o new",
    ] {
        // No file may grow, and the signal is ignored, so that the write fails instead.
        let out = shell(&b, &format!("ulimit -f 0; trap '' XFSZ; pairwright {line}"));
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        assert!(said.contains("File too large"), "{line}: {said}");
        assert_eq!(names(b.dir.path()), before, "{line}");
        assert_eq!(b.read("old.h"), old, "what was there before stays");
    }
}

#[test]
fn a_signal_leaves_no_temporary_file() {
    let b = Bench::cube("bn128");
    for (name, number) in [("INT", 2), ("TERM", 15), ("HUP", 1)] {
        // The output is a file of a hundred megabytes.
        let line = "powersoftau new bn128 18 t.ptau";
        let mut command = command_that_signals_end(&b, line);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let start = Instant::now();
        let temporary = || names(b.dir.path()).iter().any(|name| name.ends_with(".tmp"));
        while !temporary() {
            assert!(child.try_wait().unwrap().is_none(), "it ended before it could be stopped");
            assert!(start.elapsed() < Duration::from_secs(120), "nothing is written");
            std::thread::sleep(Duration::from_millis(1));
        }
        let kill = Command::new("kill").args(["-s", name, &child.id().to_string()]).status().unwrap();
        assert!(kill.success());
        assert_eq!(child.wait().unwrap().signal(), Some(number), "the signal acts as it always does");
        assert_eq!(names(b.dir.path()), ["cube.r1cs", "cube.wasm", "input.json"], "{name}");
    }
}

#[test]
fn a_signal_that_is_ignored_stays_ignored() {
    let b = Bench::cube("bn128");
    let line = format!("trap '' HUP INT; exec {COMMAND} powersoftau new bn128 16 t.ptau");
    let mut child = Command::new("sh")
        .args(["-c", &line])
        .current_dir(b.dir.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    // Once a file is being written, the shell has started the command.
    while names(b.dir.path()).len() == 3 {
        assert!(child.try_wait().unwrap().is_none());
        std::thread::sleep(Duration::from_millis(1));
    }
    for name in ["HUP", "INT"] {
        // The command may have ended meanwhile.
        let id = child.id().to_string();
        let _ = Command::new("kill").args(["-s", name, &id]).stderr(Stdio::null()).status();
    }
    assert!(child.wait().unwrap().success() && b.path("t.ptau").exists());
}

#[test]
fn a_signal_leaves_no_folder_of_the_demo() {
    let b = Bench::cube("bn128");
    let temporary = tempfile::tempdir().unwrap();
    let mut demo = command_that_signals_end(&b, "demo");
    let demo = demo.env("TMPDIR", temporary.path()).stdout(Stdio::null()).stderr(Stdio::null());
    let mut child = demo.spawn().unwrap();
    let start = Instant::now();
    while names(temporary.path()).is_empty() {
        assert!(child.try_wait().unwrap().is_none() && start.elapsed() < Duration::from_secs(120));
        std::thread::sleep(Duration::from_millis(1));
    }
    // This is long enough for the first files, but not for the proofs.
    std::thread::sleep(Duration::from_millis(50));
    assert!(Command::new("kill").arg(child.id().to_string()).status().unwrap().success());
    assert_eq!(child.wait().unwrap().signal(), Some(15));
    assert_eq!(names(temporary.path()), [""; 0]);
}

#[test]
fn inputs_without_an_end_are_refused() {
    let b = Bench::proved("bn128");
    let sparse = |name: &str, begins: &[u8]| {
        let mut file = File::create(b.path(name)).unwrap();
        file.write_all(begins).unwrap();
        file.set_len(64 << 30).unwrap();
    };
    sparse("list.json", b"[\"1\",");
    sparse("object.json", b"{\"pi_a\": [");
    sparse("huge.wasm", b"\0asm\x01\0\0\0");
    sparse("huge.txt", b"# ");
    let endless = |begins: &str| format!("(printf '%s' '{begins}'; yes ' ')");
    let zero = [
        "inspect /dev/zero",
        "witness /dev/zero input.json",
        "witness cube.wasm /dev/zero",
        "prove /dev/zero w.wtns",
        "prove cube.zkey /dev/zero",
        "setup /dev/zero --unsafe-local -o new",
        "verify /dev/zero public.json proof.json",
        "verify vk.json /dev/zero proof.json",
        "verify vk.json public.json /dev/zero",
        "verify vk.json list.json proof.json",
        "verify vk.json public.json object.json",
        "verify object.json public.json proof.json",
        "inspect object.json",
        "inspect list.json",
        "witness huge.wasm input.json",
        "witness cube.wasm object.json",
        "batch-verify vk.json huge.txt",
        "batch-verify vk.json /dev/zero",
        "asm huge.txt",
        "sim ntt --spec huge.txt",
        "gen kernel --op addmod --bits 64 --target huge.toml",
    ]
    .map(str::to_owned);
    sparse("huge.toml", b"name = \"x\"\n# ");
    let pipes = ["", "[", "{\"pi_a\": "].iter().flat_map(|begins| {
        [
            "inspect /dev/stdin",
            "verify /dev/stdin public.json proof.json",
            "verify vk.json /dev/stdin proof.json",
        ]
        .map(|line| (endless(begins), line))
    });
    let lines = zero.into_iter().map(|line| format!("pairwright {line}"));
    for line in lines.chain(pipes.map(|(from, line)| format!("{from} | pairwright {line}"))) {
        // The limit of address space is large, since mapped files count; the limit of data is small.
        let out = shell(&b, &format!("ulimit -v 80000000; ulimit -d 1500000; {line}"));
        let said = String::from_utf8_lossy(&out.stderr);
        assert_eq!(out.status.code(), Some(2), "{line}: {said}");
        assert_eq!(said.trim().lines().count(), 1, "{line}: {said}");
    }
}

#[test]
fn a_file_on_standard_output_is_alone_there() {
    let b = Bench::proved("bn128");
    for name in ["-", "/dev/stdout", "/dev/fd/1"] {
        let out = b.run(&format!("prove cube.zkey w.wtns -o {name} --public public.json"));
        let proof: Value = serde_json::from_slice(&out.stdout).unwrap();
        assert!(proof["pi_a"].is_array() && out.status.success());
        assert!(String::from_utf8_lossy(&out.stderr).contains("proof on bn128"), "the summary is elsewhere");
        assert!(b.run(&format!("-q prove cube.zkey w.wtns -o {name} --public q.json")).stderr.is_empty());
        assert!(b.ok(&format!("gen kernel --op addmod --bits 64 -o {name}")).ends_with("\n#endif\n"));
        let csv = b.ok(&format!("sim mtu --size 2^10 --sweep pes=2,4 --csv {name}"));
        assert_eq!(csv.lines().count(), 3, "{csv}");
        for line in [
            format!("--json prove cube.zkey w.wtns -o {name}"),
            format!("prove cube.zkey w.wtns -o {name} --public -"),
        ] {
            assert_eq!(b.run(&line).status.code(), Some(2), "{line}");
        }
    }
    assert!(!b.path("-").exists());
    // Output of other programs to the same file is kept.
    let line = "(echo before; pairwright -q prove cube.zkey w.wtns -o /dev/stdout --public q.json; echo after) > log";
    assert!(shell(&b, line).status.success());
    let log = fs::read_to_string(b.path("log")).unwrap();
    assert!(log.starts_with("before\n{") && log.ends_with("}after\n"), "{log}");
    let line = "(echo before; pairwright -q witness cube.wasm input.json -o /dev/stderr) 2> log2";
    assert!(shell(&b, line).status.success());
    assert!(b.read("log2").starts_with(b"wtns"));
    let line = "(echo before >&3; pairwright -q vkey cube.zkey -o /dev/fd/3) 3> log3";
    assert!(shell(&b, line).status.success());
    assert!(b.read("log3").starts_with(b"before\n{"));
}

#[test]
fn a_file_has_one_role() {
    let b = Bench::proved("bn128");
    fs::hard_link(b.path("cube.zkey"), b.path("link.zkey")).unwrap();
    std::os::unix::fs::symlink("w.wtns", b.path("link.wtns")).unwrap();
    b.write("machine.toml", "name = \"c\"\n");
    let contents = || ["cube.zkey", "w.wtns", "proof.json", "input.json"].map(|name| b.read(name));
    let before = contents();
    for line in [
        "prove cube.zkey w.wtns -o same.json --public same.json",
        "prove cube.zkey w.wtns -o same.json --public ./same.json",
        "prove cube.zkey w.wtns -o p.json --public q.json --report p.json",
        "prove cube.zkey w.wtns -o cube.zkey --public q.json",
        "prove cube.zkey w.wtns -o link.zkey --public q.json",
        "prove cube.zkey w.wtns -o p.json --public link.wtns",
        "setup cube.r1cs --unsafe-local -o cube.r1cs",
        "vkey cube.zkey -o cube.zkey",
        "witness cube.wasm input.json -o input.json",
        "verify vk.json public.json proof.json --report proof.json",
        "verify vk.json public.json proof.json --spec input.json --report input.json",
        "bls verify vk.json public.json proof.json --spec input.json --report input.json",
        "bls pop-verify vk.json --spec input.json --report input.json",
        "bls batch-verify vk.json --spec input.json --report input.json",
        "bbs verify vk.json public.json proof.json --spec input.json --report input.json",
        "bbs verify-proof vk.json proof.json --spec input.json --report input.json",
        "fe decrypt vk.json proof.json --bound 1 --spec input.json --report input.json",
        "abe decrypt w.wtns --key vk.json -o new --spec input.json --report input.json",
        "ibe decrypt w.wtns --key vk.json -o new --spec input.json --report input.json",
        "tlock decrypt w.wtns --chain vk.json --beacon proof.json -o new --spec input.json --report input.json",
        "sim mtu --sweep pes=2,4 --csv s --plot s",
        "asm proof.json -o proof.json",
        "gen kernel --op addmod --bits 64 --target machine.toml -o machine.toml",
    ] {
        let said = b.fails(2, line);
        assert!(said.contains("one of them would be lost"), "{line}: {said}");
        assert!(contents() == before && !b.path("same.json").exists(), "{line}");
    }
    b.ok("prove cube.zkey w.wtns -o /dev/null --public /dev/null");
}

#[test]
fn secrets_are_their_owners() {
    let b = Bench::proved("bn128");
    let mode = |name: &str| fs::metadata(b.path(name)).unwrap().permissions().mode() & 0o777;
    assert_eq!(["w.wtns", "cube.zkey"].map(mode), [0o600; 2]);
    assert_eq!(mode("proof.json") & 0o600, 0o600);
    fs::set_permissions(b.path("w.wtns"), Permissions::from_mode(0o400)).unwrap();
    fs::set_permissions(b.path("proof.json"), Permissions::from_mode(0o640)).unwrap();
    b.ok("witness cube.wasm input.json -o w.wtns");
    b.ok("prove cube.zkey w.wtns -o proof.json --public public.json");
    assert_eq!(["w.wtns", "proof.json"].map(mode), [0o400, 0o640]);
}

#[test]
fn threads_are_bounded() {
    let b = Bench::proved("bn128");
    let start = Instant::now();
    let out = b.run("--threads 100000 verify vk.json public.json proof.json");
    assert!(out.status.success() && start.elapsed() < Duration::from_secs(60));
    let said = String::from_utf8_lossy(&out.stderr);
    assert!(said.starts_with("warning: --threads 100000: ") && said.contains("8 for each core"), "{said}");
    let object: Value = serde_json::from_str(&b.ok("--json --threads 100000 devices")).unwrap();
    assert!(object["warnings"][0].as_str().unwrap().starts_with("--threads 100000: "));
}

#[test]
fn simulations_that_memory_cannot_hold_are_refused() {
    let b = Bench::cube("bn128");
    for line in [
        "sim msm --size 2^30 --data",
        "sim groth16 --size 2^30 --data",
        "sim ntt --size 2^30 --data",
        "sim mtu --size 2^30 --data",
        "sim aie-msm --size 2^30 --data",
    ] {
        let said = b.fails(2, line);
        assert!(said.contains("GiB of memory"), "{line}: {said}");
    }
    for (line, option) in [
        ("sim ntt --size 2^30", "--size: 2^30 points"),
        ("sim msm --size 2^30", "--size: 2^30 points"),
        ("sim groth16 --size 2^30", "--size: 2^30 points of the domain"),
        ("sim groth16 --size 2^10 --wires 2^30", "--wires: 2^30 values of the witness"),
    ] {
        let said = b.fails(2, line);
        let expected = format!("{option} are more than are simulated; 2^28 is the largest number");
        assert!(said.contains(&expected), "{line}: {said}");
    }
}
