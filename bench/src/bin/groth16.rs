//! Groth16 beside ark-groth16, gnark and snarkjs: the chain circuit `x' = x² + 5` with a full-width witness, 2^k constraints.
//!
//!     groth16 [--sizes 16] [--threads 1,2] [--save] [FILTER]     proving and verifying, in turns
//!     groth16 memory [LOG]                                        peak memory of a proof, a process each
//!
//! For the memory of a proof each prover is a process of its own that reads its key from a file: ours from a zkey
//! (mapped), arkworks' from its uncompressed, unchecked serialisation.
//!
//! gnark and snarkjs are processes that take their turns through a pipe; without Go, Node or snarkjs their rows are
//! left out with a word on standard error. gnark has its own key and times its solving of the circuit with the proof,
//! as its `Prove` does; snarkjs proves from our zkey and our wtns, on all cores.

use ark_ec::pairing::Pairing as ArkPairing;
use ark_ec::short_weierstrass::{Affine as ArkAffine, SWCurveConfig};
use ark_ff::PrimeField as ArkPrime;
use ark_groth16::{Groth16, ProvingKey as ArkKey, prepare_verifying_key};
use ark_relations::gr1cs::{
    ConstraintSynthesizer, ConstraintSystemRef, LinearCombination, SynthesisError, Variable,
};
use ark_serialize::{CanonicalDeserialize, CanonicalSerialize};
use ark_snark::SNARK;
use ark_std::rand::{SeedableRng, rngs::StdRng};
use pairwright_bench::peers::{self, Peer, Skipped, take_turns_with};
use pairwright_bench::{Options, Row, Table, bridge, take_turns};
use pairwright_curve::{Affine, Pairing};
use pairwright_curve::{bls12_377::Bls12_377, bls12_381::Bls12_381, bn254::Bn254};
use pairwright_device::Session;
use pairwright_field::Ring;
use pairwright_formats::{Contributions, ZkeyFile, write_wtns, write_zkey};
use pairwright_poly::Buf;
use pairwright_protocols::groth16::{
    PreparedVerifyingKey, Proof, ProvingKey, VerifyingKey, prove, setup_local, verify,
};
use pairwright_testkit::circuits::{chain, chain_witness};
use std::fs::File;
use std::hint::black_box;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const BUDGET: Duration = Duration::from_secs(20);
const VERIFY_BUDGET: Duration = Duration::from_secs(2);
/// snarkjs is slow enough for a few rounds to tell.
const SNARKJS_BUDGET: Duration = Duration::from_secs(10);
const INPUT: u64 = 3;

/// arkworks asks for the generators of an older `rand`.
fn ark_rng() -> StdRng {
    StdRng::seed_from_u64(11)
}

/// Constraints that fill a domain of 2^log: two rows are taken by the constant one and the public value.
fn steps(log: u32) -> usize {
    (1 << log) - 2
}

/// The same circuit for arkworks: same constraints, the last value public.
#[derive(Clone)]
struct Chain<F> {
    steps: usize,
    input: Option<F>,
}

impl<F: ArkPrime> ConstraintSynthesizer<F> for Chain<F> {
    fn generate_constraints(self, cs: ConstraintSystemRef<F>) -> Result<(), SynthesisError> {
        let five = F::from(5u64);
        let mut value = self.input;
        let get = |v: Option<F>| move || v.ok_or(SynthesisError::AssignmentMissing);
        let mut x = cs.new_witness_variable(get(value))?;
        for i in 0..self.steps {
            value = value.map(|v| v.square() + five);
            let next = if i + 1 < self.steps {
                cs.new_witness_variable(get(value))?
            } else {
                cs.new_input_variable(get(value))?
            };
            let side = || LinearCombination::from(x);
            cs.enforce_r1cs_constraint(side, side, || LinearCombination::from(next) - (five, Variable::One))?;
            x = next;
        }
        Ok(())
    }
}

/// ark-groth16's prepared verification gives our verdict on our key and proof, and on proofs that are wrong.
fn same_verdicts<E, A, C1, C2>(vk: &VerifyingKey<E>, public: &[E::Fr], proof: &Proof<E>)
where
    E: Pairing,
    A: ArkPairing<G1Affine = ArkAffine<C1>, G2Affine = ArkAffine<C2>>,
    C1: SWCurveConfig,
    C2: SWCurveConfig,
{
    let g1 = |p: &[_]| bridge::points_to_ark::<E::G1, C1>(p);
    let g2 = |p: &[_]| bridge::points_to_ark::<E::G2, C2>(p);
    let [beta_g2, gamma_g2, delta_g2] = [vk.beta_g2, vk.gamma_g2, vk.delta_g2].map(|q| g2(&[q])[0]);
    let theirs = prepare_verifying_key::<A>(&ark_groth16::VerifyingKey {
        alpha_g1: g1(&[vk.alpha_g1])[0],
        beta_g2,
        gamma_g2,
        delta_g2,
        gamma_abc_g1: g1(&vk.ic),
    });
    let device = pairwright_cpu::board::<E>();
    let on = &mut Session::new(&device);
    let ours = PreparedVerifyingKey::new(on, &vk.clone().check().expect("a good key")).expect("prepared");
    let wrong: Vec<E::Fr> = public.iter().map(|x| x.double()).collect();
    let infinity = Affine::INFINITY;
    for (public, proof, valid) in [
        (public, *proof, true),
        (public, Proof { a: -proof.a, b: -proof.b, ..*proof }, true),
        (public, Proof { a: -proof.a, ..*proof }, false),
        (public, Proof { c: -proof.c, ..*proof }, false),
        (public, Proof { a: proof.c, c: proof.a, ..*proof }, false),
        (public, Proof { a: infinity, ..*proof }, false),
        (public, Proof { b: Affine::INFINITY, ..*proof }, false),
        (public, Proof { c: infinity, ..*proof }, false),
        (&wrong, *proof, false),
    ] {
        let points = ark_groth16::Proof { a: g1(&[proof.a])[0], b: g2(&[proof.b])[0], c: g1(&[proof.c])[0] };
        let inputs = bridge::primes_to_ark::<E::Fr, A::ScalarField>(public);
        assert_eq!(Groth16::<A>::verify_proof(&theirs, &points, &inputs).expect("a verdict"), valid);
        assert_eq!(ours.verify(on, public, &proof.check().expect("in the subgroup")).is_ok(), valid);
    }
}

fn beside<E, A, C1, C2>(options: &Options, gnark: Option<&Path>, table: &mut Table)
where
    E: Pairing,
    A: ArkPairing<G1Affine = ArkAffine<C1>, G2Affine = ArkAffine<C2>>,
    C1: SWCurveConfig,
    C2: SWCurveConfig,
{
    if !options.wants(E::NAME) {
        return;
    }
    let device = pairwright_cpu::board::<E>();
    for log in options.sizes_or(&[16]) {
        let mut rng = bridge::rng(11);
        let system = chain::<E::Fr>(steps(log));
        let key = setup_local(&mut Session::new(&device), &system, &mut rng).expect("a key");
        let witness = Buf::from(chain_witness(steps(log), E::Fr::from(INPUT)));
        let mut ark_rng = ark_rng();
        let circuit = Chain { steps: steps(log), input: Some(A::ScalarField::from(INPUT)) };
        let blank = Chain { input: None, ..circuit.clone() };
        let (ark_key, ark_vk) = Groth16::<A>::circuit_specific_setup(blank, &mut ark_rng).expect("a key");
        let ark_vk = prepare_verifying_key(&ark_vk);

        let ours = |rng: &mut rand_chacha::ChaCha20Rng| {
            prove(&mut Session::new(&device), &key, &witness, rng).expect("a proof")
        };
        let proof = ours(&mut rng);
        let vk = key.vk.clone().check().expect("a good key");
        let prepared = PreparedVerifyingKey::new(&mut Session::new(&device), &vk).expect("prepared");
        let checked = proof.check().expect("in the subgroup");
        same_verdicts::<E, A, C1, C2>(&key.vk, &witness[1..2], &proof);
        let ark_proof = Groth16::<A>::prove(&ark_key, circuit.clone(), &mut ark_rng).expect("a proof");
        let ark_public = [bridge::prime_to_ark::<E::Fr, A::ScalarField>(&witness[1])];
        assert!(Groth16::<A>::verify_with_processed_vk(&ark_vk, &ark_public, &ark_proof).expect("a verdict"));

        for (threads, pool) in options.pools() {
            let pair = pool.install(|| {
                take_turns(
                    BUDGET,
                    || (),
                    |()| ours(&mut rng),
                    || circuit.clone(),
                    |c| drop(black_box(Groth16::<A>::prove(&ark_key, c, &mut ark_rng).expect("a proof"))),
                )
            });
            let size = format!("2^{log}");
            table.push(Row::new(
                format!("{} groth16 prove", E::NAME),
                size.clone(),
                threads,
                "arkworks",
                &pair,
                1,
            ));
            // arkworks' points carry no proof of a check and are not checked here: with a prepared key and checked
            // points ours does the same work, and the next two rows do more.
            let mut verifying = |what: &str, ours: &mut (dyn FnMut() + Send)| {
                let pair = pool.install(|| {
                    take_turns(
                        VERIFY_BUDGET,
                        || (),
                        |()| ours(),
                        || (),
                        |()| {
                            let ok = Groth16::<A>::verify_with_processed_vk(&ark_vk, &ark_public, &ark_proof);
                            assert!(ok.expect("a verdict"));
                        },
                    )
                });
                let name = format!("{} groth16 verify, {what}", E::NAME);
                table.push(Row::new(name, size.clone(), threads, "arkworks", &pair, 1));
            };
            verifying("prepared key", &mut || {
                prepared.verify(&mut Session::new(&device), &witness[1..2], &checked).expect("valid");
            });
            verifying("prepared key, points checked", &mut || {
                let checked = proof.check().expect("in the subgroup");
                prepared.verify(&mut Session::new(&device), &witness[1..2], &checked).expect("valid");
            });
            verifying("unprepared key, points checked", &mut || {
                verify(&mut Session::new(&device), &key.vk, &witness[1..2], &proof).expect("valid");
            });

            let Some(program) = gnark else { continue };
            let turns = peers::gnark(program, E::NAME, log, threads)
                .and_then(|mut peer| pool.install(|| take_turns_with(BUDGET, || ours(&mut rng), &mut peer)));
            if let Some(pair) = or_skip("gnark", turns) {
                table.push(Row::new(format!("{} groth16 prove", E::NAME), size, threads, "gnark", &pair, 1));
            }
        }

        // circom's formats know no third curve.
        if E::NAME == Bls12_377::NAME {
            continue;
        }
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("a pool");
        let turns = snarkjs(&key, &witness).and_then(|mut peer| {
            pool.install(|| take_turns_with(SNARKJS_BUDGET, || ours(&mut rng), &mut peer))
        });
        if let Some(pair) = or_skip("snarkjs", turns) {
            let row = Row::new(
                format!("{} groth16 prove", E::NAME),
                format!("2^{log}"),
                threads,
                "snarkjs",
                &pair,
                1,
            );
            table.push(row);
        }
    }
}

/// The value, or a word about its absence.
fn or_skip<T>(peer: &str, value: Result<T, Skipped>) -> Option<T> {
    value.map_err(|why| eprintln!("{peer} is skipped: {why}")).ok()
}

/// snarkjs with our key and witness, handed over in files that are gone once it has read them.
fn snarkjs<E: Pairing>(key: &ProvingKey<E>, witness: &[E::Fr]) -> Result<Peer, Skipped> {
    let dir = scratch();
    let (zkey, wtns) = (dir.join("key.zkey"), dir.join("witness.wtns"));
    let file = |path: &Path| BufWriter::new(File::create(path).expect("a file"));
    let mut out = file(&zkey);
    write_zkey(&mut out, key, &no_contributions()).expect("written");
    out.flush().expect("written");
    let mut out = file(&wtns);
    write_wtns(&mut out, witness).expect("written");
    out.flush().expect("written");
    let peer = peers::snarkjs(zkey.as_os_str(), wtns.as_os_str());
    std::fs::remove_dir_all(&dir).expect("removed");
    peer
}

/// A folder of this process's own.
fn scratch() -> PathBuf {
    let dir = std::env::temp_dir().join(format!("pairwright-bench-{}", std::process::id()));
    std::fs::create_dir_all(&dir).expect("a directory");
    dir
}

fn no_contributions() -> Contributions {
    Contributions { circuit_hash: [0; 64], count: 0, records: Vec::new() }
}

// ---- memory ----

/// Peak resident memory of this process in MiB.
fn peak_mib() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").expect("Linux");
    let line = status.lines().find(|l| l.starts_with("VmHWM:")).expect("a peak");
    line.split_whitespace().nth(1).and_then(|n| n.parse::<u64>().ok()).expect("a number") / 1024
}

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

/// One step in a process of its own: `STEP DIR LOG`.
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

/// Peak memory of a proof, ours and arkworks', two threads.
fn memory(log: u32) {
    let dir = scratch();
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
    std::fs::remove_dir_all(&dir).expect("removed");
}

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    match args.first().map(String::as_str) {
        Some("memory") => memory(args.get(1).map_or(18, |log| log.parse().expect("a number"))),
        Some("step") => step(&args[1..]),
        _ => {
            let options = Options::from_args();
            let mut table = Table::new("groth16", &options);
            let gnark = or_skip("gnark", peers::build_gnark());
            let gnark = gnark.as_deref();
            beside::<Bn254, ark_bn254::Bn254, ark_bn254::g1::Config, ark_bn254::g2::Config>(
                &options, gnark, &mut table,
            );
            beside::<Bls12_381, ark_bls12_381::Bls12_381, ark_bls12_381::g1::Config, ark_bls12_381::g2::Config>(
                &options, gnark, &mut table,
            );
            beside::<Bls12_377, ark_bls12_377::Bls12_377, ark_bls12_377::g1::Config, ark_bls12_377::g2::Config>(
                &options, gnark, &mut table,
            );
            table.finish(&options);
        }
    }
}
