//! A zerocheck on this computer, and with a modelled tree unit: the proofs are equal byte for byte, and the report shows the
//! unit's time.
//!
//! ```sh
//! cargo run --release --example zerocheck -p pairwright -- --size 2^16
//! cargo run --release --example zerocheck -p pairwright -- --size 2^16 --pes 8 --pes 32 --bandwidth 256
//! cargo run --release --example zerocheck -p pairwright -- --size 2^12 --device reference
//! ```
//!
//! The prover commits to three tables with one Merkle tree of SHA3-256, proves `a·b = c` at every corner of the hypercube, and
//! opens the tree at corners that the transcript chooses. A Merkle tree is not a polynomial commitment, so the verifier here
//! has the tables and evaluates them at the sumcheck's point itself.

use pairwright::curve::{Pairing, bls12_381::Bls12_381};
use pairwright::device::{Device, Report, Session, Time};
use pairwright::field::{Field, PrimeField};
use pairwright::hash::{Commitment, MerkleTree, MultiOpening, Sha3};
use pairwright::poly::Buf;
use pairwright::protocols::transcript::Transcript;
use pairwright::protocols::zerocheck::{self, Proof, Statement};
use pairwright::sim::settings::Design as _;
use pairwright::{BoardPlan, Boards, CPU_MTU};
use rand_chacha::ChaCha20Rng;
use rand_core::SeedableRng;
use std::error::Error;
use std::process::ExitCode;
use std::time::Instant;

/// Number of corners that the transcript chooses; repeated ones are opened once.
const PLACES: usize = 16;

/// Length of a commitment in bytes: a number and a digest.
const COMMITMENT: usize = 40;

/// Tables with random `a` and `b`, and `c = a·b`.
pub(crate) fn witness<F: PrimeField>(variables: usize, seed: u64) -> [Buf<F>; 3] {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let mut table = || (0..1usize << variables).map(|_| F::random(&mut rng)).collect::<Buf<F>>();
    let (a, b) = (table(), table());
    let c = a.iter().zip(b.iter()).map(|(a, b)| *a * *b).collect();
    [a, b, c]
}

/// The values of all tables at a corner, canonical and little-endian.
fn row<F: PrimeField>(tables: &[Buf<F>; 3], corner: usize) -> Vec<u8> {
    let mut bytes = vec![0; 3 * F::BYTES];
    for (out, table) in bytes.chunks_exact_mut(F::BYTES).zip(tables) {
        table[corner].write_le(out);
    }
    bytes
}

/// The corners that are opened, in ascending order.
fn places(transcript: &mut Transcript, variables: usize) -> Vec<usize> {
    let drawn = transcript.indices("places", PLACES, variables as u32);
    let mut places: Vec<usize> = drawn.into_iter().map(|place| place as usize).collect();
    places.sort_unstable();
    places.dedup();
    places
}

/// Returns commitment ‖ zerocheck ‖ opened rows ‖ their Merkle opening, and the costs of all operators.
pub(crate) fn prove<E: Pairing>(
    device: &Device<E>,
    variables: usize,
    tables: &[Buf<E::Fr>; 3],
) -> Result<(Vec<u8>, Report), Box<dyn Error>> {
    let (mut on, mut transcript) = (Session::new(device), Transcript::new("pairwright example zerocheck"));
    let size = 1 << variables;
    on.phase("commit");
    let hashed = |corner| Sha3::leaf(&row(tables, corner));
    let leaves: Buf<_> = on.host("sha3_leaves", size, || (0..size).map(hashed).collect());
    let levels = on.sha3_tree(leaves.view())?;
    let tree = MerkleTree::<Sha3>::from_levels(leaves.into_vec(), size, levels)?;
    let mut bytes = tree.commitment().to_bytes::<Sha3>();
    transcript.absorb("commitment", &bytes);

    let (proof, _) = zerocheck::prove(&mut on, &Statement::product(variables), tables, &mut transcript)?;
    bytes.extend(proof.to_bytes());

    let places = places(&mut transcript, variables);
    places.iter().for_each(|place| bytes.extend(row(tables, *place)));
    bytes.extend(tree.open_many(&places)?.to_bytes::<Sha3>());
    Ok((bytes, on.finish()))
}

/// Verifies the bytes of [`prove`]; the tables stand in for the openings of a polynomial commitment.
pub(crate) fn verify<E: Pairing>(
    device: &Device<E>,
    variables: usize,
    tables: &[Buf<E::Fr>; 3],
    bytes: &[u8],
) -> Result<(), Box<dyn Error>> {
    let mut transcript = Transcript::new("pairwright example zerocheck");
    let (commitment, bytes) = bytes.split_at_checked(COMMITMENT).ok_or("no commitment")?;
    transcript.absorb("commitment", commitment);
    let commitment = Commitment::from_bytes::<Sha3>(commitment)?;
    if commitment.len != 1 << variables {
        return Err("a commitment to tables of another size".into());
    }

    let statement = Statement::<E::Fr>::product(variables);
    let len = (variables * statement.degree() + statement.tables()) * E::Fr::BYTES;
    let (proof, bytes) = bytes.split_at_checked(len).ok_or("no zerocheck")?;
    let claims = zerocheck::verify(&statement, &Proof::from_bytes(proof, &statement)?, &mut transcript)?;
    claims.check(&mut Session::new(device), tables)?;

    let places = places(&mut transcript, variables);
    let each = 3 * E::Fr::BYTES;
    let (rows, opening) = bytes.split_at_checked(places.len() * each).ok_or("no opened rows")?;
    let opened = places.into_iter().zip(rows.chunks_exact(each).map(Sha3::leaf));
    let opening = MultiOpening::from_bytes::<Sha3>(opening)?;
    opening.verify(&Sha3, &commitment, &opened.collect::<Vec<_>>())?;
    for row in rows.chunks_exact(each) {
        let values = row.chunks_exact(E::Fr::BYTES).map(E::Fr::read_le).collect::<Result<Vec<_>, _>>()?;
        if statement.expression.at(&values) != E::Fr::ZERO {
            return Err("an opened row does not satisfy the statement".into());
        }
    }
    Ok(())
}

/// Prints the cost of every operator: measured and modelled times in separate columns, which are never added.
fn print(report: &Report) {
    println!(
        "  {:<15} {:>5} {:>13} {:>12} {:>13} {:>11} {:>10}",
        "operator", "calls", "measured", "cycles", "modelled", "traffic", "energy"
    );
    let mut rows = report.totals_by(|record| record.operator);
    rows.push(("all", report.totals()));
    for (name, sum) in rows {
        let there = |text: Option<String>| text.unwrap_or_else(|| "-".to_owned());
        // The boards of this example have at most one modelled machine.
        let model = sum.models.first();
        let measured = (sum.measured_seconds > 0.0).then(|| format!("{:.3} ms", 1e3 * sum.measured_seconds));
        println!(
            "  {name:<15} {:>5} {:>13} {:>12} {:>13} {:>11} {:>10}",
            sum.calls,
            there(measured),
            there(model.map(|m| m.cycles.to_string())),
            there(model.map(|m| format!("{:.3} us", 1e6 * m.seconds()))),
            there(model.map(|m| format!("{:.1} KiB", m.dram.moved.total() as f64 / 1024.0))),
            there(model.and_then(|m| m.energy).map(|e| format!("{:.3} uJ", 1e6 * e.joules()))),
        );
    }
}

/// The clock of the modelled operators, in hertz.
fn clock(report: &Report) -> Option<u64> {
    report.records.iter().find_map(|record| match record.cost.time {
        Time::Cycles { hz, .. } => Some(hz),
        Time::Measured(_) | Time::Unknown => None,
    })
}

/// Proves and verifies on a board; returns the proof.
fn run<E: Pairing>(
    title: &str,
    device: &Device<E>,
    variables: usize,
    tables: &[Buf<E::Fr>; 3],
) -> Result<Vec<u8>, Box<dyn Error>> {
    let (proof, report) = prove(device, variables, tables)?;
    let start = Instant::now();
    verify(device, variables, tables, &proof)?;
    let verified = 1e3 * start.elapsed().as_secs_f64();
    println!("\n{title}: {} bytes; verified in {verified:.1} ms of this computer", proof.len());
    print(&report);
    if let Some(hz) = clock(&report) {
        println!("  modelled at {} GHz; measured and modelled times are never added", hz as f64 * 1e-9);
    }
    Ok(proof)
}

/// The options of the command line.
struct Asked {
    variables: usize,
    devices: Vec<(String, BoardPlan)>,
}

/// Parses `2^16` or `65536` to 16.
fn log_size(text: &str) -> Option<usize> {
    let log = match text.strip_prefix("2^") {
        Some(log) => log.parse().ok()?,
        None => text.parse().ok().filter(|size: &usize| size.is_power_of_two())?.ilog2() as usize,
    };
    (log <= 26).then_some(log)
}

fn asked(mut arguments: impl Iterator<Item = String>) -> Result<Asked, Box<dyn Error>> {
    let (mut variables, mut devices, mut pes, mut bandwidths) = (16, Vec::new(), Vec::new(), Vec::new());
    while let Some(option) = arguments.next() {
        let value = arguments.next().ok_or_else(|| format!("{option}: no value"))?;
        match option.as_str() {
            "--size" => {
                variables = log_size(&value).ok_or("--size: a power of two up to 2^26, as 2^16 or 65536")?;
            }
            "--device" => devices.push(value),
            "--pes" => pes.push(value.parse()?),
            "--bandwidth" => bandwidths.push(value.parse()?),
            _ => return Err(format!("there is no option {option}").into()),
        }
    }
    if devices.is_empty() {
        devices.push(CPU_MTU.to_owned());
    }
    let paper = BoardPlan::new("cpu").designs.mtu;
    let pes = if pes.is_empty() { vec![paper.pes] } else { pes };
    let bandwidths = if bandwidths.is_empty() { vec![paper.dram.bytes_per_cycle] } else { bandwidths };
    let mut plans = vec![("cpu".to_owned(), BoardPlan::new("cpu"))];
    for name in devices.into_iter().filter(|name| name != "cpu") {
        let mut plan = BoardPlan::new(&name);
        if name != CPU_MTU {
            plans.push((name, plan));
            continue;
        }
        for (pes, bandwidth) in pes.iter().flat_map(|pes| bandwidths.iter().map(move |b| (*pes, *b))) {
            plan.designs.mtu = paper.with_pes(pes).with_bandwidth(bandwidth);
            plan.designs.mtu.check()?;
            plans.push((format!("{name}, {pes} elements and {bandwidth} bytes a cycle"), plan.clone()));
        }
    }
    Ok(Asked { variables, devices: plans })
}

/// Proves on every requested board, and compares the proofs.
fn compare<E: Boards>(asked: &Asked) -> Result<(), Box<dyn Error>> {
    let boards = asked.devices.iter().map(|(title, plan)| Ok((title, plan.build::<E>()?)));
    let boards = boards.collect::<Result<Vec<_>, Box<dyn Error>>>()?;
    println!("a·b = c at 2^{} corners over {}", asked.variables, E::Fr::NAME);
    let tables = witness(asked.variables, 1);
    let mut proofs = Vec::new();
    for (title, board) in &boards {
        proofs.push(run(title, board, asked.variables, &tables)?);
    }
    assert!(proofs.iter().all(|proof| *proof == proofs[0]), "a proof depends on its board");
    println!("\n{} boards, one proof", proofs.len());
    Ok(())
}

fn main() -> ExitCode {
    match asked(std::env::args().skip(1)).and_then(|asked| compare::<Bls12_381>(&asked)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(why) => {
            eprintln!("zerocheck: {why}");
            ExitCode::FAILURE
        }
    }
}
