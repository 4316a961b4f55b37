//! Runs `pairwright eip2537` and `pairwright eip196`, which call precompiled contracts of Ethereum.

use crate::args::Cli;
use crate::args::curves::CallInput;
use crate::failure::{ArgumentError, Failure};
use crate::files::{MOST_MESSAGE, read_text};
use crate::output;
use pairwright::formats::precompile::{CallCase, ExpectedAnswer, Precompile, PrecompileError, read_cases};
use pairwright::formats::{FileBytes, from_hex, to_hex};
use rayon::prelude::*;
use serde::Serialize;
use std::path::Path;
use thiserror::Error;

/// The command's result for one call, or for the cases of a file.
#[derive(Serialize)]
struct Called {
    address: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    gas: Option<u64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    output: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    cases: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    seconds: Option<f64>,
}

/// Why a call or its cases are not accepted.
#[derive(Debug, Error)]
enum CallFault {
    /// The contract fails.
    #[error("the call fails, and takes all gas it was given: {0}")]
    Fails(PrecompileError),
    /// The results of some cases differ from those that the file gives.
    #[error("{path}: {failed} of {cases} cases; {named}")]
    Cases { path: String, failed: usize, cases: usize, named: String },
}

/// Calls a contract once, or with every case of a file.
pub(crate) fn run(cli: &Cli, contract: Precompile, args: &CallInput) -> Result<(), Failure> {
    let address = format!("0x{:02x}", contract.address());
    if let Some(path) = &args.cases {
        return all(cli, contract, address, path, args.ignore_gas);
    }
    let input = match (&args.hex, &args.input) {
        (Some(text), _) => from_hex(text).ok_or(ArgumentError::NoHex("the input"))?,
        (None, Some(path)) => from_hex(read_text(path)?.trim()).ok_or(ArgumentError::NoHex("--input"))?,
        // The parser requires one of them.
        (None, None) => Vec::new(),
    };
    let out = contract.call(&input).map_err(|why| Failure::Rejected(CallFault::Fails(why).into()))?;
    let gas = Some(contract.gas(input.len()));
    let called = Called { address, gas, output: Some(to_hex(&out)), cases: None, seconds: None };
    output::print(cli, &called, |c| c.output.clone().unwrap_or_default())
}

/// The most cases that a message names.
const MOST_NAMED: usize = 8;

fn all(
    cli: &Cli,
    contract: Precompile,
    address: String,
    path: &Path,
    ignore_gas: bool,
) -> Result<(), Failure> {
    let text = crate::files::read_bytes(path, MOST_MESSAGE, "a list of calls")?;
    let cases = read_cases(&FileBytes::from_secret(path, text))?;
    let start = std::time::Instant::now();
    let wrong = cases.par_iter().filter_map(|case| {
        let why = differs(contract, case, ignore_gas)?;
        Some(format!("{}: {why}", case.name))
    });
    let wrong: Vec<String> = wrong.collect();
    if !wrong.is_empty() {
        let (path, failed) = (path.display().to_string(), wrong.len());
        let mut named = wrong.into_iter().take(MOST_NAMED).collect::<Vec<_>>().join("; ");
        if failed > MOST_NAMED {
            named.push_str(&format!("; and {} more", failed - MOST_NAMED));
        }
        let cases = cases.len();
        return Err(Failure::Rejected(CallFault::Cases { path, failed, cases, named }.into()));
    }
    let seconds = Some(start.elapsed().as_secs_f64());
    let called = Called { address, gas: None, output: None, cases: Some(cases.len()), seconds };
    output::print_done(cli, &called, |c| {
        let what = if ignore_gas { "outputs and errors are" } else { "outputs, errors and gas are" };
        format!(
            "OK: {} cases of the contract {}: {what} as the file says",
            c.cases.unwrap_or_default(),
            c.address
        )
    })
}

/// The difference between a case's result and the one that its file gives, if there is one.
fn differs(contract: Precompile, case: &CallCase, ignore_gas: bool) -> Option<String> {
    match (contract.call(&case.input), &case.expected) {
        (Ok(found), ExpectedAnswer::Output(expected)) => {
            if found != *expected {
                return Some(format!("the output is {}", to_hex(&found)));
            }
        }
        (Ok(_), ExpectedAnswer::Failure(words)) => return Some(format!("it succeeds, expected \"{words}\"")),
        (Err(why), ExpectedAnswer::Output(_)) => return Some(format!("it fails: {why}")),
        (Err(why), ExpectedAnswer::Failure(words)) => {
            if !why.is_called(words) {
                return Some(format!("it fails: {why}, expected \"{words}\""));
            }
        }
    }
    let gas = contract.gas(case.input.len());
    let expected = case.gas.filter(|expected| !ignore_gas && *expected != gas)?;
    Some(format!("gas {gas}, expected {expected}"))
}
