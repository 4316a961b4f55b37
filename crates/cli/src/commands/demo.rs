//! `pairwright demo`: from constraints to a verified proof on two curves, with nothing else installed.

use crate::args::{Cli, Demo};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::progress::{Progress, planned_units, units};
use crate::report::OperatorReport;
use crate::{output, randomness, signals};
use flate2::read::ZlibDecoder;
use pairwright::Boards;
use pairwright::device::{Report, Session};
use pairwright::field::{Field, PrimeField};
use pairwright::formats::{
    Contributions, CurveId, FileBytes, R1csFile, ZkeyFile, read_proof, read_public, read_verifying_key,
    write_atomically, write_private, write_proof, write_public, write_verifying_key, write_wtns, write_zkey,
};
use pairwright::poly::Buf;
use pairwright::protocols::groth16::{PreparedVerifyingKey, ProofSizes, VerifyError, prove, setup_local};
use pairwright::protocols::r1cs::{ConstraintSource, check};
use pairwright::witness::{Calculator, Inputs};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

/// A compiled circuit and an input for it.
struct Artefacts {
    /// The constraints, compressed by zlib.
    r1cs: &'static [u8],
    /// The witness calculator, compressed by zlib.
    wasm: &'static [u8],
    /// Values of the signals, as JSON.
    input: &'static str,
}

const BN254: Artefacts = Artefacts {
    r1cs: include_bytes!(concat!(env!("OUT_DIR"), "/bn128.r1cs.zlib")),
    wasm: include_bytes!(concat!(env!("OUT_DIR"), "/bn128.wasm.zlib")),
    input: include_str!("../../demo/bn128/input.json"),
};
const BLS12_381: Artefacts = Artefacts {
    r1cs: include_bytes!(concat!(env!("OUT_DIR"), "/bls12381.r1cs.zlib")),
    wasm: include_bytes!(concat!(env!("OUT_DIR"), "/bls12381.wasm.zlib")),
    input: include_str!("../../demo/bls12381/input.json"),
};

/// What `--json` says.
#[derive(Serialize)]
struct Outcomes {
    curves: Vec<Outcome>,
}

/// What the demo found out on one curve.
#[derive(Serialize)]
struct Outcome {
    curve: &'static str,
    constraints: usize,
    wires: usize,
    public: usize,
    domain: usize,
    proving_key_bytes: u64,
    verification_key_bytes: u64,
    /// Three points, compressed.
    proof_bytes: usize,
    seconds: Phases,
    verified: bool,
    tampered_rejected: bool,
    #[serde(skip)]
    operators: Report,
}

#[derive(Serialize)]
struct Phases {
    setup: f64,
    witness: f64,
    prove: f64,
    verify: f64,
}

/// Runs the demo.
pub(crate) fn run(cli: &Cli, args: &Demo) -> Result<(), Failure> {
    let temporary;
    let directory = match &args.keep {
        Some(directory) => directory.as_path(),
        None => {
            temporary = tempfile::tempdir().map_err(|e| Failure::Internal(e.into()))?;
            signals::remove_too(temporary.path());
            temporary.path()
        }
    };
    if !cli.json {
        output::say(
            "A private leaf of a Merkle tree with 2^20 leaves (Poseidon) is proved to lie under a public root.\n\
             The key is made on this machine: good for a demonstration, not for others to rely on.\n",
        )?;
    }
    let mut outcomes = Vec::new();
    for (curve, artefacts) in [(CurveId::Bls12_381, &BLS12_381), (CurveId::Bn254, &BN254)] {
        let directory = directory.join(curve.name());
        fs::create_dir_all(&directory).map_err(|why| Failure::File { path: directory.clone(), why })?;
        let outcome = on_curve!(curve, demonstrate(args, artefacts, &directory))?;
        if !cli.json {
            output::say(&format!("{}\n", describe(&outcome)))?;
        }
        outcomes.push(outcome);
    }
    if let (Some(kept), false) = (&args.keep, cli.json) {
        output::say(&format!("All files are in {}; snarkjs reads them.", kept.display()))?;
    }
    if cli.json { output::print(cli, &Outcomes { curves: outcomes }, |_| String::new()) } else { Ok(()) }
}

fn demonstrate<E: Boards>(args: &Demo, artefacts: &Artefacts, to: &Path) -> Result<Outcome, Failure> {
    let device = args.machines.board::<E>()?;
    let path = |name: &str| to.join(name);
    for (name, compressed) in [("merkle20.r1cs", artefacts.r1cs), ("merkle20.wasm", artefacts.wasm)] {
        write_atomically(path(name), |out| {
            io::copy(&mut ZlibDecoder::new(compressed), out)?;
            Ok(())
        })?;
    }
    write_atomically(path("input.json"), |out| Ok(out.write_all(artefacts.input.as_bytes())?))?;

    let start = Instant::now();
    let system = R1csFile::<E::Fr>::open(path("merkle20.r1cs"))?;
    let shape = system.shape();
    let progress = Progress::new(units("multiples_g1", 6 * shape.wires), "setup");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let key = setup_local(&mut on, &system, &mut randomness::system()?)?;
    drop(on);
    drop(progress);
    write_private(path("merkle20.zkey"), |out| write_zkey(out, &key, &Contributions::none()))?;
    write_atomically(path("verification_key.json"), |out| write_verifying_key(out, &key.vk))?;
    drop(key);
    let setup = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let calculator = Calculator::open(path("merkle20.wasm"))?;
    let witness = calculator.witness::<E::Fr>(&Inputs::from_json(artefacts.input)?)?;
    write_private(path("witness.wtns"), |out| write_wtns(out, &witness))?;
    check(&system, &witness)?;
    let witness = Buf::from(witness);
    let witness_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let key = ZkeyFile::<E>::open(path("merkle20.zkey"))?.proving_key()?;
    let progress = Progress::new(planned_units(&ProofSizes::of(&key).plan()), "prove");
    let mut on = Session::new(&device).observed(|event| progress.follow(&event));
    let proof = prove(&mut on, &key, &witness, &mut randomness::system()?)?;
    let operators = on.finish();
    drop(progress);
    write_atomically(path("proof.json"), |out| write_proof(out, &proof))?;
    write_atomically(path("public.json"), |out| write_public(out, &witness[1..=key.public]))?;
    let prove_time = start.elapsed().as_secs_f64();

    // As a verifier would: from the files alone.
    let start = Instant::now();
    let vk = read_verifying_key::<E>(FileBytes::open(path("verification_key.json"))?)?;
    let mut public = read_public::<E::Fr>(FileBytes::open(path("public.json"))?)?;
    let proof = read_proof::<E>(FileBytes::open(path("proof.json"))?)?;
    let host = E::host();
    let mut on = Session::new(&host);
    let prepared = PreparedVerifyingKey::new(&mut on, &vk)?;
    prepared.verify(&mut on, &public, &proof)?;
    let verify_time = start.elapsed().as_secs_f64();
    if let Some(x) = public.first_mut() {
        *x += E::Fr::ONE;
    }
    let tampered = prepared.verify(&mut on, &public, &proof);

    let size = |name: &str| fs::metadata(path(name)).map_or(0, |m| m.len());
    Ok(Outcome {
        curve: E::NAME,
        constraints: shape.constraints,
        wires: shape.wires,
        public: shape.public(),
        domain: key.domain.size(),
        proving_key_bytes: size("merkle20.zkey"),
        verification_key_bytes: size("verification_key.json"),
        proof_bytes: 4 * E::Fq::BYTES,
        seconds: Phases { setup, witness: witness_time, prove: prove_time, verify: verify_time },
        verified: true,
        tampered_rejected: matches!(tampered, Err(VerifyError::Rejected)),
        operators,
    })
}

fn describe(o: &Outcome) -> String {
    let pair = |name: &str, value: String| vec![format!("  {name}"), value];
    let yes = |b: bool, yes: &str, no: &str| (if b { yes } else { no }).to_owned();
    let sizes = output::table(
        2,
        &[
            pair("circuit", format!("{} constraints, {} wires, {} public", o.constraints, o.wires, o.public)),
            pair("domain", format!("{} points", o.domain)),
            pair("proving key", output::bytes(o.proving_key_bytes)),
            pair("verification key", output::bytes(o.verification_key_bytes)),
            pair("proof", format!("{} bytes compressed", o.proof_bytes)),
            pair("setup", output::seconds(o.seconds.setup)),
            pair("witness", output::seconds(o.seconds.witness)),
            pair("prove", output::seconds(o.seconds.prove)),
            pair("verify", output::seconds(o.seconds.verify)),
            pair("verdict", yes(o.verified, "the proof is valid", "THE PROOF IS NOT VALID")),
            pair("another root", yes(o.tampered_rejected, "rejected", "ACCEPTED, WHICH IS WRONG")),
        ],
    );
    let operators = OperatorReport::new(&o.operators).table();
    format!("{}\n{sizes}\n\n  where proving went:\n{operators}", o.curve)
}
