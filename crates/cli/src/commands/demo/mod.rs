//! `pairwright demo`: from constraints to a verified proof on two curves, with nothing else installed.

mod gates;
mod groth16;

use crate::args::{Cli, Demo, Protocol};
use crate::commands::plonkish::{Fflonk, Plonk};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::files::make_folder;
use crate::output;
use crate::report::OperatorReport;
use crate::signals::TemporaryFolder;
use flate2::read::ZlibDecoder;
use pairwright::Boards;
use pairwright::device::Report;
use pairwright::field::PrimeField;
use pairwright::formats::{CurveId, R1csFile, write_atomically, write_private, write_public, write_wtns};
use pairwright::poly::Buf;
use pairwright::protocols::r1cs::{ConstraintSource, check};
use pairwright::witness::{Calculator, Inputs};
use serde::Serialize;
use std::path::Path;
use std::time::Instant;
use std::{fs, io};

/// The names of the files that the demo writes for each protocol.
const KEY: &str = "merkle20.zkey";
const VERIFICATION_KEY: &str = "verification_key.json";
const PROOF: &str = "proof.json";
const PUBLIC: &str = "public.json";

/// The figures of a proof, beside its files.
struct Proved {
    /// Gates of the circuit, where the protocol has gates.
    gates: Option<usize>,
    /// Points of the evaluation domain.
    domain: usize,
    /// Size of the proof in bytes, with compressed points.
    proof_bytes: usize,
    operators: Report,
}

/// The result of a verification that accepted the proof.
struct Verified {
    seconds: f64,
    /// Whether it rejected the proof for another root.
    tampered_rejected: bool,
}

impl Verified {
    /// Verifies a proof for its public values, timed from `start`, and then for another root, which it must reject.
    fn by<F: PrimeField, Why: Into<Failure>>(
        start: Instant,
        mut public: Vec<F>,
        mut verify: impl FnMut(&[F]) -> Result<(), Why>,
        is_rejected: impl Fn(&Why) -> bool,
    ) -> Result<Self, Failure> {
        verify(&public).map_err(Why::into)?;
        let seconds = start.elapsed().as_secs_f64();
        if let Some(root) = public.first_mut() {
            *root += F::ONE;
        }
        let tampered = verify(&public);
        Ok(Self { seconds, tampered_rejected: tampered.is_err_and(|why| is_rejected(&why)) })
    }
}

/// A compiled circuit and an input for it.
struct Artefacts {
    /// The constraints, compressed by zlib.
    r1cs: &'static [u8],
    /// The witness calculator, compressed by zlib.
    wasm: &'static [u8],
    /// The input signals, as JSON.
    input: &'static str,
}

const BN254: Artefacts = Artefacts {
    r1cs: include_bytes!(concat!(env!("OUT_DIR"), "/bn128.r1cs.zlib")),
    wasm: include_bytes!(concat!(env!("OUT_DIR"), "/bn128.wasm.zlib")),
    input: include_str!("../../../demo/bn128/input.json"),
};
const BLS12_381: Artefacts = Artefacts {
    r1cs: include_bytes!(concat!(env!("OUT_DIR"), "/bls12381.r1cs.zlib")),
    wasm: include_bytes!(concat!(env!("OUT_DIR"), "/bls12381.wasm.zlib")),
    input: include_str!("../../../demo/bls12381/input.json"),
};

/// The command's result, as `--json` prints it.
#[derive(Serialize)]
struct Outcomes {
    curves: Vec<Outcome>,
}

/// The demo's result on one curve with one protocol.
#[derive(Serialize)]
struct Outcome {
    protocol: &'static str,
    curve: &'static str,
    constraints: usize,
    wires: usize,
    public: usize,
    /// Gates that the constraints became, where the protocol has gates.
    #[serde(skip_serializing_if = "Option::is_none")]
    gates: Option<usize>,
    domain: usize,
    proving_key_bytes: u64,
    verification_key_bytes: u64,
    /// Size of the proof in bytes, with compressed points.
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
            temporary = TemporaryFolder::make(None).map_err(|e| Failure::Internal(e.into()))?;
            temporary.path()
        }
    };
    if !cli.json {
        output::print_line(
            "A private leaf of a Merkle tree with 2^20 leaves (Poseidon) is proved to lie under a public root.\n\
             The key is made on this machine: good for a demonstration, not for others to rely on.\n",
        )?;
    }
    let mut outcomes = Vec::new();
    for (curve, artefacts) in [(CurveId::Bls12_381, &BLS12_381), (CurveId::Bn254, &BN254)] {
        for &protocol in args.protocol.iter().filter(|protocol| protocol.has_files_on(curve)) {
            let directory = match args.protocol.len() {
                1 => directory.join(curve.name()),
                _ => directory.join(protocol.name()).join(curve.name()),
            };
            make_folder(&directory)?;
            let outcome = on_curve!(curve, demonstrate(cli, args, protocol, artefacts, &directory))?;
            if !cli.json {
                output::print_line(&format!("{}\n", describe(&outcome)))?;
            }
            outcomes.push(outcome);
        }
    }
    if let (Some(kept), false) = (&args.keep, cli.json) {
        output::print_line(&format!("All files are in {}; snarkjs reads them.", kept.display()))?;
    }
    if cli.json {
        return output::print(cli, &Outcomes { curves: outcomes }, |_| String::new());
    }
    output::warn(cli);
    Ok(())
}

fn demonstrate<E: Boards>(
    cli: &Cli,
    args: &Demo,
    protocol: Protocol,
    artefacts: &Artefacts,
    to: &Path,
) -> Result<Outcome, Failure> {
    let device = args.machines.board::<E>(cli)?;
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
    match protocol {
        Protocol::Groth16 => groth16::make_key::<E>(&device, &system, to)?,
        Protocol::Plonk => gates::make_key::<E>(Plonk, &device, &system, to)?,
        Protocol::Fflonk => gates::make_key::<E>(Fflonk, &device, &system, to)?,
    }
    let setup = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let calculator = Calculator::open(path("merkle20.wasm"))?;
    let witness = calculator.witness::<E::Fr>(&Inputs::from_json(artefacts.input)?)?;
    write_private(path("witness.wtns"), |out| write_wtns(out, &witness))?;
    check(&system, &witness)?;
    let witness = Buf::from(witness);
    let witness_time = start.elapsed().as_secs_f64();

    let start = Instant::now();
    let Proved { gates, domain, proof_bytes, operators } = match protocol {
        Protocol::Groth16 => groth16::make_proof::<E>(&device, &witness, to)?,
        Protocol::Plonk => gates::make_proof::<E>(Plonk, &device, &witness, to)?,
        Protocol::Fflonk => gates::make_proof::<E>(Fflonk, &device, &witness, to)?,
    };
    write_atomically(path(PUBLIC), |out| write_public(out, &witness[1..=shape.public()]))?;
    let prove_time = start.elapsed().as_secs_f64();

    // The proof is verified as a verifier would do it, from the files only.
    let Verified { seconds: verify_time, tampered_rejected } = match protocol {
        Protocol::Groth16 => groth16::verify::<E>(to)?,
        Protocol::Plonk => gates::verify::<E>(Plonk, to)?,
        Protocol::Fflonk => gates::verify::<E>(Fflonk, to)?,
    };

    let size = |name: &str| fs::metadata(path(name)).map_or(0, |m| m.len());
    Ok(Outcome {
        protocol: protocol.name(),
        curve: E::NAME,
        constraints: shape.constraints,
        wires: shape.wires,
        public: shape.public(),
        gates,
        domain,
        proving_key_bytes: size(KEY),
        verification_key_bytes: size(VERIFICATION_KEY),
        proof_bytes,
        seconds: Phases { setup, witness: witness_time, prove: prove_time, verify: verify_time },
        verified: true,
        tampered_rejected,
        operators,
    })
}

fn describe(o: &Outcome) -> String {
    let pair = |name: &str, value: String| vec![format!("  {name}"), value];
    let yes = |b: bool, yes: &str, no: &str| (if b { yes } else { no }).to_owned();
    let sizes = output::table(
        2,
        &[],
        [
            pair("circuit", format!("{} constraints, {} wires, {} public", o.constraints, o.wires, o.public)),
            pair(
                "protocol",
                o.gates.map_or_else(|| o.protocol.to_owned(), |n| format!("{}, {n} gates", o.protocol)),
            ),
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
    let operators = OperatorReport::new(&o.operators).short_table();
    format!("{}\n{sizes}\n\n  where proving went:\n{operators}", o.curve)
}
