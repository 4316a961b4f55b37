//! Inputs that are not files: witnesses and inputs from standard input, and witnesses from circom's C++ programs.
#![cfg(unix)]

mod common;

use common::Bench;
use std::fs::{self, Permissions};
use std::io::{Read, Write};
use std::os::unix::fs::PermissionsExt;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

fn start(b: &Bench, line: &str, input: Stdio) -> Child {
    let mut command = Command::new(env!("CARGO_BIN_EXE_pairwright"));
    command.args(line.split_whitespace()).current_dir(b.dir.path()).stdin(input);
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

/// Runs a command that reads these bytes from a pipe.
fn piped(b: &Bench, line: &str, bytes: &[u8]) -> Output {
    let (reader, mut writer) = std::io::pipe().unwrap();
    let child = start(b, line, reader.into());
    // The bytes fit into the pipe, whether they are read or not.
    let _ = writer.write_all(bytes);
    drop(writer);
    child.wait_with_output().unwrap()
}

fn succeeds(line: &str, out: &Output) {
    assert!(out.status.success(), "{line}: {}", String::from_utf8_lossy(&out.stderr));
}

#[test]
fn a_dash_is_standard_input() {
    let b = Bench::proved("bn128");
    for (line, name) in [
        ("prove cube.zkey - -o p.json --public q.json", "w.wtns"),
        ("prove cube.zkey /dev/stdin -o p.json --public q.json", "w.wtns"),
        ("prove cube.zkey --wasm cube.wasm --input - -o p.json --public q.json", "input.json"),
        ("prove cube.zkey w.wtns --r1cs - -o p.json --public q.json", "cube.r1cs"),
        ("witness cube.wasm - -o w2.wtns", "input.json"),
        ("witness - input.json -o w2.wtns", "cube.wasm"),
        ("check cube.r1cs -", "w.wtns"),
        ("verify vk.json public.json -", "proof.json"),
        ("verify vk.json - proof.json", "public.json"),
        ("batch-verify vk.json -", "list"),
        ("inspect -", "cube.r1cs"),
        ("setup - --unsafe-local -o k.zkey", "cube.r1cs"),
        ("sim mtu --size 2^4 --spec -", "unit.toml"),
    ] {
        b.write("list", "public.json proof.json\n");
        b.write("unit.toml", "pes = 4\n");
        succeeds(line, &piped(&b, line, &b.read(name)));
    }
    // A file named `-` is given with its folder.
    b.write("-", b.read("w.wtns"));
    b.ok("check cube.r1cs ./-");
    let line = "sim mtu --size 2^4 --spec - --sweep pes=2,4 --cluster tcp://localhost:1";
    let far = b.fails(2, line);
    assert!(far.contains("--spec has to be a file that the workers see"), "{far}");
    let both = b.fails(2, "verify vk.json - -");
    assert!(both.contains("<PUBLIC> and <PROOF> cannot both be read from standard input"), "{both}");
    let out = piped(&b, "prove cube.zkey - -o no.json --public no2.json", b"wtns and then nothing");
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.starts_with("pairwright: /dev/stdin: "), "{said}");
    assert!(!b.path("no.json").exists());
}

#[test]
fn standard_input_may_be_a_socket_or_a_file() {
    let b = Bench::proved("bn128");
    for (line, name) in [("check cube.r1cs -", "w.wtns"), ("witness cube.wasm - -o w2.wtns", "input.json")] {
        let (ours, mut theirs) = UnixStream::pair().unwrap();
        let child = start(&b, line, std::os::fd::OwnedFd::from(ours).into());
        theirs.write_all(&b.read(name)).unwrap();
        drop(theirs);
        succeeds(line, &child.wait_with_output().unwrap());
        let file = fs::File::open(b.path(name)).unwrap();
        succeeds(line, &start(&b, line, file.into()).wait_with_output().unwrap());
    }
}

/// Writes a script that takes the place of one of circom's programs, and is called in the same way.
fn program(b: &Bench, name: &str, script: &str) {
    b.write(name, format!("#!/bin/sh\n{script}\n"));
    fs::set_permissions(b.path(name), Permissions::from_mode(0o755)).unwrap();
}

#[test]
fn a_calculator_may_be_a_program() {
    let b = Bench::proved("bn128");
    program(&b, "circuit", "echo a log; [ \"$1\" = input.json ] && cp w.wtns \"$2\"");
    let out = b.run("witness circuit input.json --engine native -o w2.wtns");
    succeeds("witness", &out);
    let [said, told] = [out.stdout, out.stderr].map(|text| String::from_utf8(text).unwrap());
    assert!(said.starts_with("w2.wtns: ") && told == "a log\n", "{said}{told}");
    assert_eq!(b.read("w2.wtns"), b.read("w.wtns"));
    b.ok("witness circuit input.json --engine native --r1cs cube.r1cs -o w2.wtns");
    b.ok("prove cube.zkey --calculator circuit --input input.json --engine native -o p.json --public q.json");
    assert_eq!(b.json("q.json"), b.json("public.json"));
    b.ok("verify vk.json q.json p.json");
}

#[test]
fn what_a_program_writes_is_not_believed() {
    let b = Bench::proved("bn128");
    let mut wrong = b.read("w.wtns");
    let last = wrong.len() - 32;
    wrong[last] ^= 1;
    b.write("wrong.wtns", wrong);
    for (script, line, expected) in [
        ("exit 3", "", "ended without success: exit status: 3"),
        ("kill -ABRT $$", "", "ended without success: signal: 6"),
        ("true", "", "it wrote no witness"),
        ("echo x > \"$2\"", "", "what circuit wrote"),
        ("cp input.json \"$2\"", "", "what circuit wrote"),
        ("cp wrong.wtns \"$2\"", "--r1cs cube.r1cs", "constraint "),
    ] {
        program(&b, "circuit", script);
        let line = format!("witness circuit input.json --engine native -o new.wtns {line}");
        let out = b.run(&line);
        let said = String::from_utf8(out.stderr).unwrap();
        assert!(out.status.code() == Some(2) && said.contains(expected), "{script}: {said}");
        assert!(!b.path("new.wtns").exists(), "{script}");
    }
    let said = b.fails(2, "witness nothing input.json --engine native -o new.wtns");
    assert!(said.contains("nothing: "), "{said}");
    // A proof from a false witness is not written either.
    program(&b, "circuit", "cp wrong.wtns \"$2\"");
    let line = "prove cube.zkey --wasm circuit --input input.json --engine native -o p.json --public q.json";
    assert!(b.fails(2, line).contains("does not verify") && !b.path("p.json").exists());
}

#[test]
fn a_program_ends_with_us() {
    let b = Bench::proved("bn128");
    program(&b, "circuit", "echo $$; exec sleep 60");
    ends_with_us(&b, "witness circuit input.json --engine native -o new.wtns");
    // Here the proof has a temporary folder of its own, in addition to that of the program.
    ends_with_us(
        &b,
        "prove cube.zkey --wasm circuit --input input.json --engine native --memory 128M -o p.json",
    );
}

/// Stops a command that waits for a program, and checks that the program ends too and that no temporary folder stays.
fn ends_with_us(b: &Bench, line: &str) {
    // The process that runs the tests may ignore the signal, which children would inherit.
    let mut command = Command::new("env");
    command.args(["--default-signal=TERM", env!("CARGO_BIN_EXE_pairwright")]);
    command.args(line.split(' '));
    let temporary = tempfile::tempdir().unwrap();
    command.current_dir(b.dir.path()).env("TMPDIR", temporary.path()).stderr(Stdio::piped());
    let mut ours = command.spawn().unwrap();
    let mut told = Vec::new();
    let mut stream = ours.stderr.take().unwrap();
    while !told.ends_with(b"\n") {
        let mut one = [0];
        stream.read_exact(&mut one).unwrap();
        told.push(one[0]);
    }
    let program = String::from_utf8(told).unwrap().trim().to_owned();
    let signal = |name: &str, of: &str| Command::new("kill").args([name, of]).stderr(Stdio::null()).status();
    signal("-TERM", &ours.id().to_string()).unwrap();
    assert_eq!(ours.wait().unwrap().signal(), Some(15));
    let start = Instant::now();
    while signal("-0", &program).unwrap().success() {
        assert!(start.elapsed() < Duration::from_secs(10), "the program still runs");
        std::thread::sleep(Duration::from_millis(20));
    }
    assert_eq!(fs::read_dir(temporary.path()).unwrap().count(), 0, "a folder stays: {line}");
}
