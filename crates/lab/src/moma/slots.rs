//! A static count for section 5.4: the slots of the multiply-add pipe that a butterfly takes, by the description of the
//! paper's target, at each width, and the change of the answers when an inferred cost or choice takes another plausible
//! value.
//!
//! A butterfly is a product, a sum and a difference. The count covers the generated instructions, each at its machine's
//! cost. It is not a time: registers, spills, occupancy and memory are not included.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use crate::scorecard::CHANGE;
use pairwright_moma::catalogue::{FieldSpec, Function};
use pairwright_moma::generate::Request;
use pairwright_moma::ir::Reduction;
use pairwright_moma::machine::Machine;

/// The target with 64-bit words and comparisons, like the kernels that the paper prints.
const PAPER: &str = "cuda64";
/// A modulus has this many bits less than its width class.
const HEADROOM: u32 = 4;

/// The options of kernel generation, and the costs of instructions.
#[derive(Clone)]
struct Target {
    machine: Machine,
    reduction: Reduction,
    optimise: bool,
}

impl Target {
    fn named(name: &str) -> Result<Self, LabError> {
        Ok(Self { machine: Machine::named(name)?, reduction: Reduction::Barrett, optimise: true })
    }

    /// Slots of a butterfly of a width class, with a number of Karatsuba levels.
    fn butterfly(&self, bits: u32, karatsuba: u32) -> Result<f64, LabError> {
        let mut request = Request::new(FieldSpec::new(bits - HEADROOM, self.reduction), self.machine.clone());
        request.options.karatsuba = karatsuba;
        request.options.optimise = self.optimise;
        let mut slots = 0.0;
        for function in [Function::MulMod, Function::AddMod, Function::SubMod] {
            let kernel = request.function(function)?;
            slots += kernel.body.iter().map(|inst| self.machine.cost(inst.op)).sum::<f64>();
        }
        Ok(slots)
    }
}

/// A claim of section 5.4: its key, and the two butterflies whose ratio it is, each by width and Karatsuba levels.
type Claim = (&'static str, [(u32, u32); 2]);

const CLAIMS: [Claim; 8] = [
    ("slowdown 64 to 128", [(128, 0), (64, 0)]),
    ("slowdown 128 to 256", [(256, 0), (128, 0)]),
    ("slowdown 256 to 512", [(512, 0), (256, 0)]),
    ("slowdown 512 to 1024", [(1024, 0), (512, 0)]),
    ("speedup of Karatsuba at 128 bits", [(128, 0), (128, 1)]),
    ("speedup of Karatsuba at 256 bits", [(256, 0), (256, 1)]),
    ("speedup of Karatsuba at 384 bits", [(384, 0), (384, 1)]),
    ("speedup of Karatsuba at 768 bits", [(768, 0), (768, 1)]),
];

/// The paper's target, and our target with carry instructions.
const TARGETS: [&str; 2] = [PAPER, "cuda32"];

/// The GPUs for which section 5.4 has numbers; the count does not depend on the GPU.
const GPUS: [&str; 2] = ["H100", KARATSUBA_ON];
/// The GPU of figure 5b.
const KARATSUBA_ON: &str = "RTX 4090";

fn claim(target: &Target, [over, under]: [(u32, u32); 2]) -> Result<f64, LabError> {
    Ok(target.butterfly(over.0, over.1)? / target.butterfly(under.0, under.1)?)
}

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("moma/slots", TARGETS.len());
    for name in TARGETS {
        context.step(name);
        let target = Target::named(name)?;
        for bits in [64, 128, 256, 384, 512, 768, 1024] {
            for karatsuba in [0, 1] {
                let series = if karatsuba == 0 { name.to_owned() } else { format!("{name} karatsuba:1") };
                let width = format!("{bits} bits");
                let labels = Labels { quantity: "slots of a butterfly", operation: &width, unit: "slots" };
                let note = "instructions of the generated kernels at their machine's cost";
                let row = outcome.model(&labels, &series, target.butterfly(bits, karatsuba)?, note);
                row.bits = Some(bits);
            }
        }
        for (key, butterflies) in CLAIMS {
            let note = "slots of the pipe alone; the paper's are times, in which memory and registers count";
            let ratio = claim(&target, butterflies)?;
            for gpu in GPUS.iter().filter(|gpu| key.starts_with("slowdown") || **gpu == KARATSUBA_ON) {
                outcome.answer(key, gpu, name, ratio, note).kind = Some(Kind::Estimated);
            }
        }
    }
    Ok(outcome)
}

/// Another plausible value: its label, the change, and the reason.
type Other = (&'static str, fn(&mut Target), &'static str);

fn set(target: &mut Target, mnemonic: &str, slots: f64) {
    target.machine.native.insert(mnemonic.to_owned(), slots);
}

const OTHERS: &[Other] = &[
    (
        "mul = 4",
        |t| set(t, "mul", 4.0),
        "wide products at full rate, which no measurement of these GPUs shows",
    ),
    (
        "mul = 16",
        |t| set(t, "mul", 16.0),
        "carries between the four partial products of 64 bits by additions of their own",
    ),
    ("mullo = 3", |t| set(t, "mullo", 3.0), "three partial products, none of them wide"),
    ("add = 2", |t| set(t, "add", 2.0), "two additions of 32 bits in a carry chain, at full rate"),
    ("add = 6", |t| set(t, "add", 6.0), "a carry by comparison and an addition of its own"),
    ("sub = 2", |t| set(t, "sub", 2.0), "as add = 2"),
    ("lt = 2", |t| set(t, "lt", 2.0), "a comparison of 64 bits in two instructions"),
    ("lt = 4", |t| set(t, "lt", 4.0), "and with a value of its own in a register"),
    ("select = 1", |t| set(t, "select", 1.0), "a selection that the compiler makes a predicate"),
    ("passes off", |t| t.optimise = false, "the rules' own text, as the paper prints it"),
];

/// A choice that the paper makes differently: an experiment that is not part of any interval.
const EXPERIMENTS: &[Other] = &[(
    "reduction = montgomery",
    |t| t.reduction = Reduction::Montgomery,
    "the other reduction, where the paper has Barrett's",
)];

pub(super) fn sensitivity(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let paper = Target::named(PAPER)?;
    context.begin("moma/sensitivity", CLAIMS.len());
    for (headline, butterflies) in CLAIMS {
        context.step(headline);
        let base = claim(&paper, butterflies)?;
        let what = format!("ratio, {headline}");
        let labels = Labels { quantity: &what, operation: PAPER, unit: "x" };
        outcome.model(&labels, "model", base, "every inferred cost and choice as it is");
        let mut found = Vec::new();
        for other in OTHERS.iter().chain(EXPERIMENTS) {
            let mut changed = paper.clone();
            (other.1)(&mut changed);
            let now = claim(&changed, butterflies)?;
            // A change without effect on a headline has no bar.
            if now != base {
                found.push((other, now));
            }
        }
        found.sort_by(|(_, a), (_, b)| (b - base).abs().total_cmp(&(a - base).abs()));
        for ((name, _, why), now) in found {
            let experiment = EXPERIMENTS.iter().any(|(of, ..)| of == name);
            let what =
                if experiment { format!("experiment, {what}") } else { format!("{CHANGE}ratio, {headline}") };
            let labels = Labels { quantity: &what, operation: name, unit: "%" };
            outcome.model(&labels, "model", 100.0 * (now / base - 1.0), &format!("{now:.4} x: {why}"));
        }
    }
    Ok(outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_follow_the_width_and_their_costs() {
        let target = Target::named(PAPER).unwrap();
        let slots = |bits, karatsuba| target.butterfly(bits, karatsuba).unwrap();
        let widths = [64, 128, 256, 512, 1024].map(|bits| slots(bits, 0));
        // Products grow with the square of the number of words, sums linearly.
        assert!(widths.windows(2).all(|pair| (2.0..6.0).contains(&(pair[1] / pair[0]))), "{widths:?}");
        let dear = Target {
            machine: {
                let mut m = target.machine.clone();
                m.native.insert("mul".into(), 800.0);
                m
            },
            ..target.clone()
        };
        // If only products cost anything, Karatsuba's gain is at most four products over three.
        let gain = dear.butterfly(512, 0).unwrap() / dear.butterfly(512, 1).unwrap();
        assert!((1.0..4.0 / 3.0 + 0.01).contains(&gain), "{gain}");
        assert!(slots(64, 0) == slots(64, 1));
    }

    #[test]
    fn every_change_moves_a_headline() {
        let paper = Target::named(PAPER).unwrap();
        for (name, change, _) in OTHERS.iter().chain(EXPERIMENTS) {
            let mut changed = paper.clone();
            change(&mut changed);
            let moved =
                CLAIMS[..6].iter().any(|(_, b)| claim(&changed, *b).unwrap() != claim(&paper, *b).unwrap());
            assert!(moved, "{name}");
        }
    }
}
