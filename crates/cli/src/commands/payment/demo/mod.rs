//! Runs `pairwright payment demo`: payer, verifier and regulator as processes that exchange files, payments that are tampered with,
//! and the cost of each step on each device.

mod roles;
mod tampering;

use crate::args::Cli;
use crate::args::payment::PaymentDemo;
use crate::failure::{ArgumentError, Failure};
use crate::output;
use crate::signals::TemporaryFolder;
use pairwright::curve::bls12_381::Bls12_381;
use roles::{Roles, TERMS};
use serde::Serialize;
use serde_json::Value;
use std::fs;
use std::path::Path;
use tampering::Attempt;

/// The value that is minted for the payer, the value that is paid, and the fee.
const MINTED: &str = "100";
const PAID: &str = "30";
const FEE: &str = "1";

/// The command's result, as `--json` prints it.
#[derive(Serialize)]
struct Outcome {
    constraints: u64,
    /// Whether each role was a process of its own.
    processes: bool,
    devices: Vec<OnDevice>,
    tampering: Vec<Attempt>,
}

/// An honest payment with all three roles on one device.
#[derive(Serialize)]
struct OnDevice {
    device: String,
    /// The payer's name, as the regulator has found it.
    payer: String,
    /// The time of each step, as the results of `pay`, `verify` and `open` give it.
    steps: Vec<Value>,
}

/// Runs the demonstration.
pub(super) fn run(cli: &Cli, args: &PaymentDemo) -> Result<(), Failure> {
    for device in &args.device {
        pairwright::device::<Bls12_381>(device).map_err(Failure::bad)?;
    }
    let temporary;
    let folder = match &args.keep {
        Some(folder) => {
            expect_empty(folder)?;
            folder.as_path()
        }
        None => {
            temporary = TemporaryFolder::make(None).map_err(|e| Failure::Internal(e.into()))?;
            temporary.path()
        }
    };
    let roles = Roles::new(cli, folder)?;
    let tell = |line: &str| if cli.json { Ok(()) } else { output::print_line(line) };
    tell(
        "Alice pays Bob. A proof says that her note is one of the ledger, that nothing is created, and that she is a\n\
         registered payer; who she is is encrypted to a regulator, who alone can open it.\n\
         The proving key is made on this machine: good for a demonstration, not for others to rely on.\n",
    )?;
    let constraints = prepare(&roles, args.device.len())?;
    let mut devices = Vec::with_capacity(args.device.len());
    for (index, device) in args.device.iter().enumerate() {
        let done = pay_once(&roles, index, device)?;
        tell(&format!("on {device}: paid, verified, recorded; the regulator reads: paid by {}", done.payer))?;
        devices.push(done);
    }
    let tampering = tampering::run(&roles, args.device.len())?;
    let outcome = Outcome { constraints, processes: roles.are_processes(), devices, tampering };
    output::print(cli, &outcome, |outcome| {
        let mut text = describe(outcome);
        if let Some(kept) = &args.keep {
            text += &format!("\n\nAll files are in {}.", kept.display());
        }
        text
    })
}

/// Makes the folder, which must not hold files of another run, since new keys replace no files.
fn expect_empty(folder: &Path) -> Result<(), Failure> {
    let failed = |why| Failure::File { path: folder.to_owned(), why };
    fs::create_dir_all(folder).map_err(failed)?;
    match fs::read_dir(folder).map_err(failed)?.next() {
        None => Ok(()),
        Some(_) => Err(ArgumentError::NotEmpty(folder.to_owned()).into()),
    }
}

/// Makes the keys of the circuit, the authority, the regulator and the payers, and a note for each payment. Returns the number of
/// constraints.
fn prepare(roles: &Roles<'_>, payments: usize) -> Result<u64, Failure> {
    let shape = roles.ok("payment circuit --r1cs @payment.r1cs")?;
    for line in [
        "setup @payment.r1cs --unsafe-local -o @payment.zkey",
        "vkey @payment.zkey -o @payment-vk.json",
        "ibe setup --key @authority.json --public @authority-public.json",
        "ibe extract @authority.json --identity regulator/2026-11 -o @regulator.json",
        "payment account -o @alice.json --public @alice-address.json",
        "payment account -o @bob.json --public @bob-address.json",
        "payment register @registry.json --name Bob --address @bob-address.json --payers @payers.json",
        "payment register @registry.json --name Alice --address @alice-address.json --payers @payers.json",
    ] {
        roles.ok(line)?;
    }
    for index in 0..=payments {
        roles.ok(&format!(
            "payment mint @ledger.json --to @alice-address.json --value {MINTED} -o @alice-note-{index}.json"
        ))?;
    }
    shape["constraints"].as_u64().ok_or_else(|| silent("payment circuit", "constraints"))
}

/// The internal error of a command whose result lacks a member.
fn silent(command: &str, member: &str) -> Failure {
    Failure::Internal(format!("`{command}` does not say its {member}").into())
}

/// The steps in the result of a command.
fn steps<'a>(command: &str, answer: &'a Value) -> Result<&'a [Value], Failure> {
    answer["steps"].as_array().map(Vec::as_slice).ok_or_else(|| silent(command, "steps"))
}

/// The command line that pays with a note; `name` is part of the names of its output files.
fn pay_line(note: usize, name: &str) -> String {
    format!(
        "payment pay @payment.zkey --account @alice.json --name Alice --note @alice-note-{note}.json --to @bob-address.json \
         --value {PAID} --fee {FEE} -o @{name}.json --to-note @{name}-bob.json --change-note @{name}-alice.json {TERMS}"
    )
}

/// The name of the payment on the device with this index.
fn payment_name(index: usize) -> String {
    format!("payment-{index}")
}

/// Makes, verifies and opens one payment on a device, with the note of this index.
fn pay_once(roles: &Roles<'_>, index: usize, device: &str) -> Result<OnDevice, Failure> {
    let name = payment_name(index);
    let paid = roles.ok(&format!("{} --device {device}", pay_line(index, &name)))?;
    let verified = roles
        .ok(&format!("payment verify @payment-vk.json @{name}.json --record {TERMS} --device {device}"))?;
    let opened = roles.ok(&format!(
        "payment open @payment-vk.json @{name}.json --key @regulator.json --registry @registry.json {TERMS} --device {device}"
    ))?;
    let payer = opened["name"].as_str().unwrap_or_default().to_owned();
    if payer != "Alice" {
        return Err(Failure::Internal(format!("the regulator found {payer}, and Alice has paid").into()));
    }
    let mut all = [steps("payment pay", &paid)?, steps("payment verify", &verified)?].concat();
    let decrypted = steps("payment open", &opened)?.iter().filter(|step| step["step"] == "decrypt");
    all.extend(decrypted.cloned());
    Ok(OnDevice { device: device.to_owned(), payer, steps: all })
}

fn describe(outcome: &Outcome) -> String {
    let row = |cells: [&str; 4]| cells.map(str::to_owned).to_vec();
    let rows = outcome
        .tampering
        .iter()
        .map(|attempt| row([&format!("  {}", attempt.by), attempt.what, attempt.reason, &attempt.said]));
    let mut costs = Vec::new();
    for on in &outcome.devices {
        for step in &on.steps {
            let mut cells = vec![
                format!("  {}", on.device),
                step["step"].as_str().unwrap_or_default().to_owned(),
                output::seconds(step["seconds"].as_f64().unwrap_or_default()),
            ];
            for model in step["models"].as_array().into_iter().flatten() {
                cells.push(output::seconds(model["cycles_seconds"].as_f64().unwrap_or_default()));
                cells.push(model["cycles"].to_string());
                cells.push(model["energy_j"].as_f64().map_or_else(String::new, output::joules));
            }
            costs.push(cells);
        }
    }
    format!(
        "\n{} ways to tamper with a payment, each refused for its own reason:\n{}\n\n\
         What each step costs, for a circuit of {} constraints. Modelled is what ran on a modelled machine: pairings,\n\
         multi-scalar multiplications, transforms and vectors; the rest, hashes to curves among it, ran on this computer.\n{}",
        outcome.tampering.len(),
        output::table(4, &["  who", "what was tampered with", "reason", "what was said"], rows),
        outcome.constraints,
        output::table(2, &[" device", "step", "wall clock", "modelled", "cycles", "energy"], costs)
    )
}
