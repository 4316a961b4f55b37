//! Runs `pairwright gen`, which generates modular arithmetic.

use crate::args::{Cli, Gen, GenExplain, GenField, GenKernel, RangeName, ReductionName, TargetName};
use crate::failure::{ArgumentError, Failure};
use crate::files::{read_text, write_text};
use crate::output;
use num_bigint::BigUint;
use pairwright::moma::catalogue::{FieldSpec, Function};
use pairwright::moma::generate::{Operation, Request};
use pairwright::moma::ir::{Range, Reduction};
use pairwright::moma::lower::Options;
use pairwright::moma::machine::Machine;
use serde::Serialize;

pub(crate) fn run(cli: &Cli, what: &Gen) -> Result<(), Failure> {
    match what {
        Gen::Kernel(a) => kernel(cli, a),
        Gen::Explain(a) => explain(cli, a),
        Gen::Field(a) => super::generate_field::run(cli, a),
        Gen::Targets => targets(cli),
    }
}

/// The result that `gen targets --json` prints.
#[derive(Serialize)]
struct Targets {
    targets: Vec<Target>,
}

#[derive(Serialize)]
struct Target {
    name: String,
    title: String,
    word_bits: u32,
    container_bits: u32,
    lanes: u32,
    native: Vec<String>,
}

fn targets(cli: &Cli) -> Result<(), Failure> {
    let targets: Vec<Target> = Machine::all()?
        .into_iter()
        .map(|m| Target {
            name: m.name,
            title: m.title,
            word_bits: m.word,
            container_bits: m.container,
            lanes: m.lanes,
            native: m.native.into_keys().collect(),
        })
        .collect();
    output::print(cli, &Targets { targets }, |t| {
        let cells = |t: &Target| vec![t.name.clone(), t.title.clone(), t.native.join(" ")];
        output::table(3, &[], t.targets.iter().map(cells))
    })
}

/// A machine by name, or from a description in a file.
pub(super) fn machine(target: &TargetName) -> Result<Machine, Failure> {
    match target.path() {
        None => Ok(Machine::named(target)?),
        Some(path) => Ok(Machine::parse(&read_text(path)?)?),
    }
}

/// Parses a modulus: decimal, or hexadecimal after `0x`.
pub(super) fn parse_modulus(text: &str) -> Result<BigUint, ArgumentError> {
    let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X"));
    let value = match digits {
        Some(digits) => BigUint::parse_bytes(digits.as_bytes(), 16),
        None => BigUint::parse_bytes(text.as_bytes(), 10),
    };
    value.ok_or_else(|| ArgumentError::Modulus(text.to_owned()))
}

fn request(a: &GenField, machine: Machine) -> Result<(Request, Option<BigUint>), Failure> {
    let modulus = match &a.modulus {
        None => None,
        Some(text) => Some(parse_modulus(text)?),
    };
    let bits = match (a.bits, &modulus) {
        (Some(bits), Some(q)) if q.bits() != u64::from(bits) => {
            return Err(ArgumentError::ModulusBits { bits, modulus: q.bits() }.into());
        }
        (Some(bits), _) => bits,
        // A width above `u32::MAX` saturates: it is above every limit in any case.
        (None, Some(q)) => u32::try_from(q.bits()).unwrap_or(u32::MAX),
        (None, None) => return Err(ArgumentError::NoModulus.into()),
    };
    let field = FieldSpec {
        bits,
        reduction: match a.reduction {
            ReductionName::Barrett => Reduction::Barrett,
            ReductionName::Montgomery => Reduction::Montgomery,
        },
        range: match a.range {
            RangeName::Canonical => Range::Canonical,
            RangeName::Twice => Range::Twice,
        },
    };
    let karatsuba = match a.mul.as_str() {
        "schoolbook" => 0,
        "karatsuba" => 1,
        other => other
            .strip_prefix("karatsuba:")
            .and_then(|n| n.parse().ok())
            .filter(|n| (1..=5).contains(n))
            .ok_or_else(|| ArgumentError::Multiplication(a.mul.clone()))?,
    };
    let request = Request { field, machine, options: Options { karatsuba, optimise: true } };
    match &modulus {
        Some(q) => request.check_modulus(q)?,
        None => field.check()?,
    }
    Ok((request, modulus))
}

#[derive(Serialize)]
struct Printed {
    operation: String,
    target: String,
    bits: u32,
    words: u32,
    file: Option<String>,
    lines: usize,
    text: String,
}

fn kernel(cli: &Cli, a: &GenKernel) -> Result<(), Failure> {
    let target = a.field.target_or("c");
    let (request, modulus) = request(&a.field, machine(&target)?)?;
    let operation = Operation::named(&a.op, a.log_size)
        .ok_or_else(|| ArgumentError::Operation { name: a.op.clone(), known: Operation::NAMES.join(", ") })?;
    let text = request.header_file(operation, modulus.as_ref(), &command(a, &target))?;
    if let Some(path) = &a.out {
        write_text(path, &text)?;
    }
    let printed = Printed {
        operation: a.op.clone(),
        target: request.machine.name.clone(),
        bits: request.field.bits,
        words: request.field.words(&request.machine),
        file: a.out.as_ref().map(|p| p.display().to_string()),
        lines: text.lines().count(),
        text,
    };
    output::print_unless_in(cli, a.out.as_deref(), &printed, |p| match &p.file {
        Some(path) => format!("{path}: {} for {}, {} lines", p.operation, p.target, p.lines),
        None => p.text.trim_end().to_owned(),
    })
}

/// The command that makes the same file again, with every option that is not the default, and without paths.
fn command(a: &GenKernel, target: &str) -> String {
    let mut line = format!("pairwright gen kernel --op {}", a.op);
    let f = &a.field;
    if let Some(bits) = f.bits {
        line += &format!(" --bits {bits}");
    }
    if let Some(q) = &f.modulus {
        line += &format!(" --modulus {q}");
    }
    if matches!(a.op.as_str(), "ntt" | "intt") {
        line += &format!(" --log-size {}", a.log_size);
    }
    if f.reduction == ReductionName::Barrett {
        line += " --reduction barrett";
    }
    if f.range == RangeName::Twice {
        line += " --range twice";
    }
    if f.mul != "schoolbook" {
        line += &format!(" --mul {}", f.mul);
    }
    format!("{line} --target {target}")
}

#[derive(Serialize)]
struct Explained {
    kernel: String,
    steps: Vec<ExplainedStep>,
    lowered: String,
}

#[derive(Serialize)]
struct ExplainedStep {
    round_bits: u32,
    depth: usize,
    rule: &'static str,
    name: &'static str,
    before: String,
    after: Vec<String>,
}

fn explain(cli: &Cli, a: &GenExplain) -> Result<(), Failure> {
    // The default is the paper's own machine.
    let mut machine = machine(&a.field.target_or("cuda64"))?;
    if let Some(word) = a.word {
        machine = machine.with_word(word)?;
    }
    let (mut request, _) = request(&a.field, machine)?;
    request.options.optimise = a.optimise;
    let function = Function::named(&a.op).ok_or_else(|| ArgumentError::Operation {
        name: a.op.clone(),
        known: Function::ALL.map(Function::name).join(", "),
    })?;
    let derivation = request.derivation(function)?;
    if !cli.json {
        return output::print_line(derivation.to_text().trim_end());
    }
    let steps = derivation.steps.iter().map(|s| ExplainedStep {
        round_bits: s.round,
        depth: s.depth,
        rule: s.number,
        name: s.name,
        before: s.before.clone(),
        after: s.after.clone(),
    });
    let explained = Explained {
        kernel: pairwright::moma::text::print(&derivation.kernel),
        steps: steps.collect(),
        lowered: pairwright::moma::text::print(&derivation.lowered),
    };
    output::print(cli, &explained, |_| String::new())
}
