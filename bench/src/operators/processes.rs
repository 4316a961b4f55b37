//! Proofs of circom circuits by whole processes: the command compared with that of snarkjs, each from a zkey and a wtns to its proof
//! and public values as JSON, on all cores. The time includes the start of the process and reading the files.

use crate::operands::Scratch;
use crate::peers::{Skipped, or_skip};
use crate::{Options, Row, Table, take_turns};
use pairwright_curve::{bls12_381, bn254};
use pairwright_formats::R1csFile;
use pairwright_protocols::r1cs::ConstraintSource;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(15);
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/..");
/// Circuits of the repository, and those that `node circuits/build.mjs apps --size full` builds.
const CIRCUITS: [&str; 4] = [
    "circuits/merkle/bn128/merkle20",
    "circuits/merkle/bls12381/merkle20",
    "target/circuits/bls12381/tree256",
    "target/circuits/bls12381/sha4",
];

/// Rows of the requested circuits, or by default of those in [`CIRCUITS`] that exist.
pub fn against_snarkjs(options: &Options, table: &mut Table) {
    let listed = CIRCUITS.map(|name| Path::new(ROOT).join(name).with_extension("r1cs"));
    let circuits = if options.circuits.is_empty() { &listed[..] } else { &options.circuits };
    for circuit in circuits {
        let name = format!("{}, process", circuit.file_stem().unwrap_or_default().to_string_lossy());
        if options.wants(&name) {
            let Some(row) = or_skip(&name, measured(&name, circuit)) else { continue };
            table.push(row);
        }
    }
}

fn measured(name: &str, circuit: &Path) -> Result<Row, Skipped> {
    let ours = command()?;
    let theirs = Path::new(ROOT).join("interop/node_modules/snarkjs/build/cli.cjs");
    if !theirs.is_file() {
        return Err("snarkjs is not installed: `npm ci` in interop/, or `cargo x test`".to_owned());
    }
    if !circuit.is_file() {
        let how = "`node circuits/build.mjs apps --size full` makes the applications";
        return Err(format!("there is no {}; {how}", circuit.display()));
    }
    let (curve, constraints) = about(circuit)?;
    let scratch = Scratch::new().map_err(|why| why.to_string())?;
    let file = |name: &str| scratch.path().join(name);
    let [key, vk, witness] = ["key.zkey", "vk.json", "witness.wtns"].map(file);
    let [proof, public, their_proof, their_public] =
        ["proof.json", "public.json", "their-proof.json", "their-public.json"].map(file);
    let pairwright = |arguments: &[&Path]| run(Command::new(&ours).args(arguments));
    let path = |text: &'static str| Path::new(text);
    pairwright(&[path("setup"), circuit, path("--unsafe-local"), path("-o"), &key])?;
    pairwright(&[path("vkey"), &key, path("-o"), &vk])?;
    let wasm = circuit.with_extension("wasm");
    let own_input = circuit.with_extension("input.json");
    let input = if own_input.is_file() { own_input } else { circuit.with_file_name("input.json") };
    pairwright(&[path("witness"), &wasm, &input, path("-o"), &witness])?;

    let by_ours =
        || pairwright(&[path("prove"), &key, &witness, path("-o"), &proof, path("--public"), &public]);
    let by_snarkjs = || {
        let mut node = Command::new("node");
        run(node.arg(&theirs).args(["groth16", "prove"]).args([&key, &witness, &their_proof, &their_public]))
    };
    by_ours()?;
    by_snarkjs()?;
    for (public, proof) in [(&public, &proof), (&their_public, &their_proof)] {
        pairwright(&[path("verify"), &vk, public, proof])?;
    }
    let proved = |outcome: Result<(), Skipped>| outcome.unwrap_or_else(|why| panic!("{why}"));
    let pair = take_turns(BUDGET, || (), |()| proved(by_ours()), || (), |()| proved(by_snarkjs()));
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    Ok(Row::new(format!("{curve} {name}"), constraints.to_string(), threads, "snarkjs", &pair, 1))
}

/// The path of the command, which must have been built in this workspace.
fn command() -> Result<PathBuf, Skipped> {
    let target = std::env::var_os("CARGO_TARGET_DIR").map(PathBuf::from);
    let target = target.unwrap_or_else(|| Path::new(ROOT).join("target"));
    let program = target.join("release").join(format!("pairwright{}", std::env::consts::EXE_SUFFIX));
    if program.is_file() {
        Ok(program)
    } else {
        Err("our command is not built: `cargo build --release -p pairwright-cli`".to_owned())
    }
}

/// The name of the curve and the number of constraints of a circuit.
fn about(circuit: &Path) -> Result<(&'static str, usize), Skipped> {
    if let Ok(system) = R1csFile::<bn254::Fr>::open(circuit) {
        return Ok(("BN254", system.shape().constraints));
    }
    let system = R1csFile::<bls12_381::Fr>::open(circuit).map_err(|why| why.to_string())?;
    Ok(("BLS12-381", system.shape().constraints))
}

/// Runs a program to its end without printing its output.
fn run(command: &mut Command) -> Result<(), Skipped> {
    let output = command.stdin(Stdio::null()).output();
    let output =
        output.map_err(|why| format!("{} does not start: {why}", command.get_program().display()))?;
    if output.status.success() {
        return Ok(());
    }
    let said = String::from_utf8_lossy(&output.stderr);
    Err(format!("{} fails: {}", command.get_program().display(), said.trim()))
}
