//! Plonk keys, proofs and verification compared with gnark and snarkjs.
//!
//!     plonk [--sizes 16,18] [--threads 1,2] [--save] [FILTER]    in turns
//!     plonk memory [LOG]                                         peak memory of our proof from a mapped key
//!     plonk batch [COUNT]                                        operator by operator, where the time of a batch goes

use pairwright_bench::operands::Scratch;
use pairwright_bench::operators::groth16::{INPUT, steps};
use pairwright_bench::operators::plonk::{Statement, against_gnark, against_snarkjs, key, verification};
use pairwright_bench::{Options, Table, bridge, peak_mib};
use pairwright_curve::Pairing;
use pairwright_curve::pairing::Family;
use pairwright_curve::{bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::Session;
use pairwright_formats::Secrets;
use pairwright_formats::plonk::{ZkeyFile, write_zkey};
use pairwright_poly::Buf;
use pairwright_protocols::plonk::{Claim, PreparedVerifyingKey, batch_verify, check_proofs, prove, verify};
use pairwright_testkit::circuits::chain_witness;
use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::Command;
use std::time::Instant;

fn write_key<E: Pairing>(dir: &Path, log: u32) {
    let device = pairwright_cpu::board::<E>();
    let key = key(&device, log);
    let mut out = BufWriter::new(File::create(dir.join("c.zkey")).expect("a file"));
    write_zkey(&mut out, &mut Session::new(&device), &key, Secrets::OnePlace).expect("written");
    out.flush().expect("written");
}

fn prove_from_key<E: Pairing>(dir: &Path, log: u32) -> f64 {
    let device = pairwright_cpu::board::<E>();
    let zkey = ZkeyFile::<E>::open(dir.join("c.zkey")).expect("a key");
    let key = zkey.proving_key();
    let witness = Buf::from(chain_witness(steps(log), E::Fr::from(INPUT)));
    let start = Instant::now();
    let proof = prove(&mut Session::new(&device), &key, &witness, &mut bridge::rng(1)).expect("a proof");
    let seconds = start.elapsed().as_secs_f64();
    verify(&mut Session::new(&device), &key.vk, &witness[1..2], &proof).expect("valid");
    seconds
}

/// Runs one step in a process of its own, with the arguments `STEP DIR LOG`; prints its time in seconds and its peak memory.
fn step(args: &[String]) {
    let [step, dir, log] = args else { panic!("STEP DIR LOG") };
    let (dir, log) = (Path::new(dir), log.parse().expect("a number"));
    let start = Instant::now();
    let seconds = match step.as_str() {
        "key-bn254" => {
            write_key::<Bn254>(dir, log);
            start.elapsed().as_secs_f64()
        }
        "key-bls12_381" => {
            write_key::<Bls12_381>(dir, log);
            start.elapsed().as_secs_f64()
        }
        "proof-bn254" => prove_from_key::<Bn254>(dir, log),
        "proof-bls12_381" => prove_from_key::<Bls12_381>(dir, log),
        other => panic!("no step {other}"),
    };
    println!("{seconds:.2} s | {} |", peak_mib());
}

/// Prints the peak memory and the time of a key and of a proof, each in a process of its own, on two threads.
fn memory(log: u32) {
    println!("| plonk, 2^{log} gates | seconds | peak resident MiB |\n|---|---|---|");
    for curve in ["bn254", "bls12_381"] {
        let folder = Scratch::new().expect("a folder");
        for work in ["key", "proof"] {
            let out = Command::new(std::env::current_exe().expect("a path"))
                .args([
                    "step",
                    &format!("{work}-{curve}"),
                    &folder.path().to_string_lossy(),
                    &log.to_string(),
                ])
                .env("RAYON_NUM_THREADS", "2")
                .output()
                .expect("a process");
            assert!(out.status.success(), "{work}: {}", String::from_utf8_lossy(&out.stderr));
            println!("| {curve} {work} | {}", String::from_utf8_lossy(&out.stdout).trim());
        }
    }
}

/// Prints the least time of each operator in the verification of many proofs together, on the threads that the environment sets.
fn batch<E: Family + Pairing>(count: usize) {
    let statement = Statement::<E>::new(4);
    let board = pairwright_cpu::board::<E>();
    let vk = statement.key.vk.clone().check().expect("a good key");
    let key = PreparedVerifyingKey::new(&mut Session::new(&board), &vk).expect("prepared");
    let proof = |seed: usize| {
        let rng = &mut bridge::rng(seed as u64);
        prove(&mut Session::new(&board), &statement.key, &statement.witness, rng).expect("a proof")
    };
    let (proofs, public) = ((0..count).map(proof).collect::<Vec<_>>(), &statement.witness[1..2]);
    let (mut together, mut alone) = (f64::MAX, f64::MAX);
    let mut parts: Vec<(&str, usize, f64)> = Vec::new();
    for _ in 0..REPEATED {
        let (start, mut on) = (Instant::now(), Session::new(&board));
        let checked = check_proofs(&mut on, &proofs, &mut bridge::rng(15)).expect("in the subgroup");
        let claims: Vec<_> = checked.iter().map(|proof| Claim { key: &key, public, proof }).collect();
        batch_verify(&mut on, &claims, &mut bridge::rng(14)).expect("valid");
        together = together.min(start.elapsed().as_secs_f64());
        for (i, record) in on.finish().records.iter().enumerate() {
            parts.resize(parts.len().max(i + 1), (record.operator, record.size, f64::MAX));
            parts[i].2 = parts[i].2.min(record.cost.time.seconds());
        }
        let (start, mut on) = (Instant::now(), Session::new(&board));
        let one = check_proofs(&mut on, &proofs[..1], &mut bridge::rng(15)).expect("in the subgroup");
        key.verify(&mut on, public, &one[0]).expect("valid");
        alone = alone.min(start.elapsed().as_secs_f64());
    }
    for (operator, size, seconds) in parts {
        println!("| {} | {operator} | {size} | {:.3} ms |", E::NAME, seconds * 1e3);
    }
    let ratio = alone * count as f64 / together;
    let (together, alone) = (together * 1e3, alone * 1e3);
    println!("| {} | together | {count} | {together:.3} ms |", E::NAME);
    println!("| {} | one | 1 | {alone:.3} ms, {ratio:.1} times for {count} |", E::NAME);
}

/// Number of verifications of the batch.
const REPEATED: usize = 200;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("memory") => memory(args.get(1).map_or(20, |log| log.parse().expect("a number"))),
        Some("batch") => {
            let count = args.get(1).map_or(100, |count| count.parse().expect("a number"));
            println!("| curve | operator | size | least |\n|---|---|---|---|");
            batch::<Bn254>(count);
            batch::<Bls12_381>(count);
        }
        Some("step") => step(&args[1..]),
        _ => {
            let options = Options::from_args();
            let mut table = Table::new("plonk", &options);
            against_gnark::<Bn254>(&options, &mut table);
            against_gnark::<Bls12_381>(&options, &mut table);
            against_snarkjs::<Bn254>(&options, &mut table);
            against_snarkjs::<Bls12_381>(&options, &mut table);
            verification::<Bn254>(&options, &mut table);
            verification::<Bls12_381>(&options, &mut table);
            table.finish(&options);
        }
    }
}
