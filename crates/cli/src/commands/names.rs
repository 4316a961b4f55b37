//! Names the signals of failed constraints and missing inputs, with the `.sym` file that circom writes, and warns of circuits without
//! constraints.

use crate::args::{Cli, SignalNames};
use crate::failure::{ArgumentError, Failure};
use core::fmt::Write as _;
use core::ops::ControlFlow;
use pairwright::field::PrimeField;
use pairwright::formats::{R1csFile, SymFile};
use pairwright::protocols::r1cs::{ConstraintSource, R1csError};
use pairwright::witness::{Calculator, Inputs, WitnessError};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// The most signals that are printed for one linear combination of a constraint.
const MOST: usize = 8;

/// The `.sym` file: the one that `--sym` names, or the one that circom has written beside the circuit.
fn sym_file(names: &SignalNames, beside: &Path) -> Result<Option<SymFile>, Failure> {
    let found = match &names.sym {
        Some(path) => Some(path.to_path_buf()),
        None => candidates(beside).into_iter().find(|path| path.is_file()),
    };
    Ok(found.map(SymFile::open).transpose()?)
}

/// The paths where circom writes the `.sym` file: `c.sym` beside `c.r1cs` or `c.wasm`, and in the parent folder of `c_js/c.wasm`.
fn candidates(circuit: &Path) -> Vec<PathBuf> {
    let sym = circuit.with_extension("sym");
    let above = circuit.parent().and_then(Path::parent).zip(sym.file_name());
    let above = above.map(|(folder, name)| folder.join(name));
    core::iter::once(sym).chain(above).collect()
}

/// The names of these wires, as far as the circuit's `.sym` file has them.
pub(super) fn of_wires(
    names: &SignalNames,
    circuit: &Path,
    wires: &BTreeSet<u32>,
) -> Result<BTreeMap<u32, String>, Failure> {
    Ok(match sym_file(names, circuit)? {
        Some(sym) => sym.names(wires)?,
        None => BTreeMap::new(),
    })
}

/// Names the signals of the constraint that does not hold; their values are given only if `--show-values` asks for them.
pub(crate) fn of_constraint<F: PrimeField>(
    error: R1csError,
    names: &SignalNames,
    system: &R1csFile<F>,
    witness: &[F],
) -> Failure {
    match error {
        R1csError::Unsatisfied { constraint, a, b, c } => {
            let product = format!("; ({a}) * ({b}) != ({c})");
            match describe(constraint, names, system, witness) {
                Ok(mut signals) => {
                    if names.show_values {
                        signals.push_str(&product);
                    }
                    ArgumentError::Constraint { constraint, signals }.into()
                }
                Err(failure) => failure,
            }
        }
        other => other.into(),
    }
}

fn describe<F: PrimeField>(
    constraint: usize,
    names: &SignalNames,
    system: &R1csFile<F>,
    witness: &[F],
) -> Result<String, Failure> {
    let mut sides: [Vec<u32>; 3] = Default::default();
    let seen = system.visit(&mut |j, k| {
        if j < constraint {
            return ControlFlow::Continue(());
        }
        sides = [&k.a, &k.b, &k.c].map(|side| side.iter().map(|(wire, _)| *wire).collect());
        ControlFlow::Break(())
    });
    seen.map_err(R1csError::from)?;
    let wires: BTreeSet<u32> = sides.iter().flatten().copied().collect();
    let known = of_wires(names, system.file().name().as_path(), &wires)?;
    let signal = |wire: u32| {
        let mut text = match (wire, known.get(&wire)) {
            (0, _) => return "1".to_owned(),
            (_, Some(name)) => format!("{name} (wire {wire})"),
            (_, None) => format!("wire {wire}"),
        };
        if names.show_values {
            let value = witness.get(wire as usize).map(F::to_decimal).unwrap_or_default();
            let _ = write!(text, " = {value}");
        }
        text
    };
    let sides = ["A", "B", "C"].iter().zip(&sides).map(|(side, wires)| {
        let mut list: Vec<String> = wires.iter().take(MOST).map(|&wire| signal(wire)).collect();
        if wires.len() > MOST {
            list.push(format!("{} more", wires.len() - MOST));
        }
        format!("{side} of {}", if list.is_empty() { "nothing".to_owned() } else { list.join(", ") })
    });
    Ok(sides.collect::<Vec<_>>().join("; "))
}

/// Names the missing inputs, if that is the error and there is a `.sym` file.
pub(crate) fn of_inputs(
    error: WitnessError,
    names: &SignalNames,
    calculator: &Calculator,
    wasm: &Path,
    inputs: &Inputs,
) -> Failure {
    if !matches!(error.cause(), WitnessError::Missing { .. }) {
        return error.into();
    }
    match sym_file(names, wasm) {
        Err(failure) => failure,
        Ok(None) => error.into(),
        Ok(Some(sym)) => {
            // Lines of a damaged file that cannot be read are skipped.
            let signals = sym.symbols().filter_map(Result::ok).map(|symbol| symbol.name);
            calculator.name_missing(error, inputs, signals).into()
        }
    }
}

/// Warns of a circuit without constraints, of which proofs say nothing.
pub(crate) fn warn_of_no_constraints(cli: &Cli, constraints: usize, r1cs: &Path) {
    if constraints == 0 {
        cli.warnings.add(format!("{} has no constraints: every witness satisfies it", r1cs.display()));
    }
}
