//! Groth16 proofs compared with ark-groth16, gnark and snarkjs: the chain circuit `x' = x² + 5` with a full-width witness.
//!
//!     groth16 [--sizes 16] [--threads 1,2] [--save] [FILTER]     in turns
//!     groth16 memory [LOG]                                        peak memory of a proof, a process each
//!
//! To measure the memory of a proof, each prover runs in a process of its own and reads its key from a file: ours from a zkey
//! (mapped), arkworks from its uncompressed, unchecked serialisation.

use ark_ec::pairing::Pairing as ArkPairing;
use ark_groth16::{Groth16, ProvingKey as ArkKey};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use ark_snark::SNARK;
use pairwright_bench::operands::Scratch;
use pairwright_bench::operators::groth16::{
    Chain, INPUT, Statement, ark_rng, no_contributions, steps, wanted,
};
use pairwright_bench::{Options, Table, bridge, peak_mib};
use pairwright_curve::Pairing;
use pairwright_curve::pairing::Family;
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::Session;
use pairwright_formats::{ZkeyFile, write_zkey};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{prove, setup_local, verify};
use pairwright_testkit::circuits::{chain, chain_witness};
use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Write};
use std::path::Path;
use std::process::Command;

fn beside<E: Family + Pairing, A: ArkPairing>(options: &Options, table: &mut Table) {
    if !wanted::<E>(options) {
        return;
    }
    for log in options.sizes_or(&[16]) {
        let statement = Statement::<E>::new(log);
        statement.against_arkworks::<A>(options, table);
        statement.against_gnark(options, table);
        // circom's formats do not support BLS12-377.
        if E::NAME != Bls12_377::NAME {
            statement.against_snarkjs(table);
        }
    }
}

// ---- memory ----

fn prove_ours<E: Pairing>(dir: &Path, log: u32) {
    let device = pairwright_cpu::board::<E>();
    let key = ZkeyFile::<E>::open(dir.join("ours.zkey")).and_then(|z| z.proving_key()).expect("a key");
    let witness = Buf::from(chain_witness(steps(log), E::Fr::from(INPUT)));
    let proof = prove(&mut Session::new(&device), &key, &witness, &mut bridge::rng(1)).expect("a proof");
    verify(&mut Session::new(&device), &key.vk, &witness[1..2], &proof).expect("valid");
}

fn prove_ark<A: ArkPairing>(dir: &Path, log: u32) {
    let file = BufReader::new(File::open(dir.join("ark.key")).expect("a file"));
    let key = ArkKey::<A>::deserialize_uncompressed_unchecked(file).expect("a key");
    let circuit = Chain { steps: steps(log), input: Some(A::ScalarField::from(INPUT)) };
    black_box(Groth16::<A>::prove(&key, circuit, &mut ark_rng()).expect("a proof"));
}

fn write_ours<E: Pairing>(dir: &Path, log: u32) {
    let device = pairwright_cpu::board::<E>();
    let system = chain::<E::Fr>(steps(log));
    let key = setup_local(&mut Session::new(&device), &system, &mut bridge::rng(11)).expect("a key");
    let mut out = BufWriter::new(File::create(dir.join("ours.zkey")).expect("a file"));
    write_zkey(&mut out, &key, &no_contributions()).expect("written");
    out.flush().expect("written");
}

fn write_ark<A: ArkPairing>(dir: &Path, log: u32) {
    let blank = Chain::<A::ScalarField> { steps: steps(log), input: None };
    let (key, _) = Groth16::<A>::circuit_specific_setup(blank, &mut ark_rng()).expect("a key");
    let mut out = BufWriter::new(File::create(dir.join("ark.key")).expect("a file"));
    key.serialize_uncompressed(&mut out).expect("written");
    out.flush().expect("written");
}

/// Runs one step in a process of its own; the arguments are `STEP DIR LOG`.
fn step(args: &[String]) {
    let [step, dir, log] = args else { panic!("STEP DIR LOG") };
    let (dir, log) = (Path::new(dir), log.parse().expect("a number"));
    match step.as_str() {
        "write-ours-bn254" => write_ours::<Bn254>(dir, log),
        "write-ours-bls12_381" => write_ours::<Bls12_381>(dir, log),
        "write-ark-bn254" => write_ark::<ark_bn254::Bn254>(dir, log),
        "write-ark-bls12_381" => write_ark::<ark_bls12_381::Bls12_381>(dir, log),
        "prove-ours-bn254" => prove_ours::<Bn254>(dir, log),
        "prove-ours-bls12_381" => prove_ours::<Bls12_381>(dir, log),
        "prove-ark-bn254" => prove_ark::<ark_bn254::Bn254>(dir, log),
        "prove-ark-bls12_381" => prove_ark::<ark_bls12_381::Bls12_381>(dir, log),
        other => panic!("no step {other}"),
    }
    println!("{}", peak_mib());
}

/// Prints the peak memory of a proof, ours and arkworks', on two threads.
fn memory(log: u32) {
    let folder = Scratch::new().expect("a folder");
    let dir = folder.path();
    let run = |step: String| -> u64 {
        let out = Command::new(std::env::current_exe().expect("a path"))
            .args(["step", &step, &dir.to_string_lossy(), &log.to_string()])
            .env("RAYON_NUM_THREADS", "2")
            .output()
            .expect("a process");
        assert!(out.status.success(), "{step}: {}", String::from_utf8_lossy(&out.stderr));
        String::from_utf8_lossy(&out.stdout).trim().parse().expect("MiB")
    };
    println!("| groth16 prove, peak resident MiB | size | ours (mapped zkey) | arkworks | ours/arkworks |");
    println!("|---|---|---|---|---|");
    for curve in ["bn254", "bls12_381"] {
        run(format!("write-ours-{curve}"));
        run(format!("write-ark-{curve}"));
        let (ours, ark) = (run(format!("prove-ours-{curve}")), run(format!("prove-ark-{curve}")));
        println!("| {curve} | 2^{log} | {ours} | {ark} | {:.2} |", ours as f64 / ark as f64);
    }
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("memory") => memory(args.get(1).map_or(18, |log| log.parse().expect("a number"))),
        Some("step") => step(&args[1..]),
        _ => {
            let options = Options::from_args();
            let mut table = Table::new("groth16", &options);
            beside::<Bn254, ark_bn254::Bn254>(&options, &mut table);
            beside::<Bls12_381, ark_bls12_381::Bls12_381>(&options, &mut table);
            beside::<Bls12_377, ark_bls12_377::Bls12_377>(&options, &mut table);
            table.finish(&options);
        }
    }
}
