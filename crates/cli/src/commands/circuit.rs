//! Runs the subcommands of `pairwright r1cs` and `pairwright wtns` that have no short form: printing, exporting and debugging.

use super::{export, names, witness};
use crate::args::{Cli, EngineName, ExportR1cs, ExportWtns, R1cs, R1csPrint, SignalNames, Wtns, WtnsDebug};
use crate::curves::on_curve;
use crate::failure::Failure;
use crate::{files, output};
use core::ops::ControlFlow;
use pairwright::curve::Pairing;
use pairwright::field::PrimeField;
use pairwright::formats::{CurveId, FileBytes, R1csFile, write_wtns};
use pairwright::protocols::r1cs::{Combination, ConstraintSource, R1csError};
use pairwright::witness::Calculator;
use serde::Serialize;
use std::collections::BTreeMap;
use std::time::Instant;

/// Runs a subcommand on constraints.
pub(crate) fn of_constraints(cli: &Cli, what: &R1cs) -> Result<(), Failure> {
    match what {
        R1cs::Print(args) => {
            let (file, curve) = files::open(&args.r1cs)?;
            on_curve!(curve, print(cli, args, file))
        }
        R1cs::Export { what: ExportR1cs::Json(args) } => export::r1cs(cli, args),
        R1cs::Info(_) => Err(Failure::without_short_form()),
    }
}

/// Runs a subcommand on witnesses.
pub(crate) fn of_witnesses(cli: &Cli, what: &Wtns) -> Result<(), Failure> {
    match what {
        Wtns::Debug(args) => {
            let calculator = witness::load(cli, &args.wasm, EngineName::Fastest)?;
            let curve = witness::curve_of(&calculator, &args.wasm)?;
            on_curve!(curve, debug(cli, args, curve, &calculator))
        }
        Wtns::Export { what: ExportWtns::Json(args) } => export::wtns(cli, args),
        Wtns::Calculate(_) | Wtns::Check(_) => Err(Failure::without_short_form()),
    }
}

/// The constraints of a circuit as text, one line each.
#[derive(Serialize)]
struct Printed {
    constraints: Vec<String>,
}

/// Prints constraints with the names of their signals.
fn print<E: Pairing>(cli: &Cli, args: &R1csPrint, file: FileBytes) -> Result<(), Failure> {
    let system = R1csFile::<E::Fr>::read(file)?;
    let names = SignalNames { sym: args.sym.clone(), show_values: false };
    let known = names::of_wires(&names, &args.r1cs, &(1..system.shape().wires as u32).collect())?;
    let mut constraints = Vec::new();
    let seen = system.visit(&mut |_, k| {
        let [a, b, c] = [&k.a, &k.b, &k.c].map(|side| sum(side, &known));
        constraints.push(format!("({a}) * ({b}) = {c}"));
        ControlFlow::Continue(())
    });
    seen.map_err(R1csError::from)?;
    output::print(cli, &Printed { constraints }, |p| p.constraints.join("\n"))
}

/// A linear combination of signals as text; a coefficient above half the modulus is printed as a negative number.
fn sum<F: PrimeField>(terms: &Combination<F>, known: &BTreeMap<u32, String>) -> String {
    let mut text = String::new();
    for (wire, factor) in terms {
        let (plain, negated) = (factor.to_decimal(), (-*factor).to_decimal());
        let negative = (negated.len(), &negated) < (plain.len(), &plain);
        text.push_str(match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        });
        let size = if negative { negated } else { plain };
        let name = || known.get(wire).cloned().unwrap_or_else(|| format!("wire {wire}"));
        match (*wire, size.as_str()) {
            (0, _) => text.push_str(&size),
            (_, "1") => text.push_str(&name()),
            _ => text.push_str(&format!("{size} {}", name())),
        }
    }
    if text.is_empty() { "0".to_owned() } else { text }
}

/// The result of a witness calculation.
#[derive(Serialize)]
struct Debugged {
    curve: &'static str,
    values: usize,
    seconds: f64,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    signals: Vec<Signal>,
}

/// A signal that has a wire, and its value.
#[derive(Serialize)]
struct Signal {
    name: String,
    value: String,
}

/// Computes a witness, writes it, and prints the values of the signals if `--set` asks for them.
fn debug<E: Pairing>(
    cli: &Cli,
    args: &WtnsDebug,
    curve: CurveId,
    calculator: &Calculator,
) -> Result<(), Failure> {
    let start = Instant::now();
    let names = SignalNames { sym: args.sym.clone(), show_values: false };
    let values = witness::compute::<E>(calculator, &args.wasm, &args.input, &names)?;
    if args.get || args.trigger {
        cli.warnings.add(
            "circom's calculators say neither when they read a signal nor when a component begins or ends",
        );
    }
    let mut signals = Vec::new();
    if args.set {
        let known = names::of_wires(&names, &args.wasm, &(1..values.len() as u32).collect())?;
        signals.extend((0u32..).zip(&values).skip(1).map(|(wire, value)| Signal {
            name: known.get(&wire).cloned().unwrap_or_else(|| format!("wire {wire}")),
            value: value.to_decimal(),
        }));
    }
    files::write_secret(&args.witness, |out| write_wtns(out, &values))?;
    let seconds = start.elapsed().as_secs_f64();
    let done = Debugged { curve: curve.name(), values: values.len(), seconds, signals };
    let text = |d: &Debugged| {
        let line = format!(
            "{}: {} values over {} in {}",
            args.witness.display(),
            d.values,
            d.curve,
            output::seconds(d.seconds)
        );
        let signals = d.signals.iter().map(|signal| format!("{} = {}", signal.name, signal.value));
        signals.chain([line]).collect::<Vec<_>>().join("\n")
    };
    if args.set { output::print(cli, &done, text) } else { output::print_done(cli, &done, text) }
}
