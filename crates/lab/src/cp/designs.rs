//! Other people's MSMs as designs of this machine: the modelled time with their parameters against their published
//! times.
//!
//! The parameters are those of `crates/chip/specs/`, where each is marked as printed or inferred. No free parameter was
//! fitted to a time. Each design is run at two sizes, and the line through them gives the published size, since beyond
//! a few thousand points the time grows linearly. Designs that leave the sums of buckets to a host are compared by
//! bucket accumulation only.

use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::Labels;
use pairwright_chip::isa::Group;
use pairwright_chip::operator::OperatorOptions;
use pairwright_chip::{MachineSpec, OnChip};
use pairwright_curve::{Pairing, bls12_377::Bls12_377, bls12_381::Bls12_381};
use pairwright_field::Field;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;

/// A published time of a design.
struct Time {
    key: &'static str,
    log2_n: u32,
    hz: f64,
    note: &'static str,
}

/// A design with its published times.
struct PublishedTimes {
    design: fn() -> MachineSpec,
    cycles: fn(&MachineSpec, u32, u64) -> Result<Cycles, LabError>,
    /// Whether only bucket accumulation is compared, because the host adds the buckets.
    accumulation: bool,
    /// log2 of the larger of the two simulated sizes.
    log2_n: u32,
    times: &'static [Time],
}

/// The cycles of an MSM.
struct Cycles {
    accumulation: f64,
    whole: f64,
}

const TIMES: [PublishedTimes; 5] = [
    PublishedTimes {
        design: MachineSpec::hardcaml,
        cycles: cycles::<Bls12_377>,
        accumulation: true,
        log2_n: 17,
        times: &[
            Time {
                key: "time at 250 MHz",
                log2_n: 26,
                hz: 250e6,
                note: "20 digits a point are the least; our windows have 13 bits each, so that the top one has 6, whose few buckets \
                       collide, and theirs 12 or 13; the queues are inferred",
            },
            Time {
                key: "time at 278 MHz",
                log2_n: 26,
                hz: 278e6,
                note: "as at 250 MHz; their time has the host's sums and transfers of scalars too",
            },
        ],
    },
    PublishedTimes {
        design: MachineSpec::cyclonemsm,
        cycles: cycles::<Bls12_377>,
        accumulation: false,
        log2_n: 19,
        times: &[Time {
            key: "time",
            log2_n: 26,
            hz: 250e6,
            note: "their time is of the whole computation, in which a host prepares and streams digits; the clock is inferred",
        }],
    },
    PublishedTimes {
        design: MachineSpec::pipezk,
        cycles: cycles::<Bls12_381>,
        accumulation: true,
        log2_n: 15,
        times: &[Time {
            key: "time",
            log2_n: 20,
            hz: 300e6,
            note: "ours spends a cycle on each digit, zero or not; they take two points in a cycle, and drop zeros for nothing",
        }],
    },
    PublishedTimes {
        design: MachineSpec::paper,
        cycles: cycles::<Bls12_381>,
        accumulation: false,
        log2_n: 16,
        times: &[],
    },
    PublishedTimes {
        design: MachineSpec::best,
        cycles: cycles::<Bls12_381>,
        accumulation: false,
        log2_n: 16,
        times: &[],
    },
];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    context.begin("cp/designs", TIMES.len());
    for theirs in &TIMES {
        let spec = (theirs.design)();
        context.step(&spec.name);
        let half = (theirs.cycles)(&spec, theirs.log2_n - 1, context.seed)?;
        let full = (theirs.cycles)(&spec, theirs.log2_n, context.seed)?;
        let points = f64::from(theirs.log2_n - 1).exp2();
        let each = (full.accumulation - half.accumulation) / points;
        let labels =
            Labels { quantity: "bucket accumulation, cycles a point", operation: &spec.name, unit: "cycles" };
        outcome.model(&labels, "modelled", each, &spec.about);
        for time in theirs.times {
            let at = |half: f64, full: f64| {
                let more = f64::from(time.log2_n).exp2() - 2.0 * points;
                (full + (full - half) / points * more) / time.hz
            };
            let seconds = if theirs.accumulation {
                at(half.accumulation, full.accumulation)
            } else {
                at(half.whole, full.whole)
            };
            outcome.answer(time.key, &spec.name, "modelled", seconds, time.note);
        }
    }
    Ok(outcome)
}

/// An MSM of 2^`log2_n` points in G1 with random scalars.
fn cycles<E: Pairing + OnChip>(spec: &MachineSpec, log2_n: u32, seed: u64) -> Result<Cycles, LabError> {
    let mut rng = ChaCha20Rng::seed_from_u64(seed);
    let scalars: Vec<E::Fr> = (0..1u64 << log2_n).map(|_| E::Fr::random(&mut rng)).collect();
    let account = E::msm_timing(spec, Group::G1, OperatorOptions::default(), &scalars)?;
    let accumulation = account.msm[Group::G1 as usize].accumulation;
    // Cycles between two instructions of the accumulation belong to it.
    let accumulation = (accumulation.cycles + accumulation.between) as f64;
    Ok(Cycles { accumulation, whole: account.cycles as f64 })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// No choice of the inferred queues, ports and memories is faster than one digit per cycle, and none tested here is
    /// slower than the design.
    #[test]
    fn inferred_parameters_do_not_decide() {
        let each = |spec: &MachineSpec| {
            let [half, full] = [11, 12].map(|log2_n| cycles::<Bls12_377>(spec, log2_n, 1).unwrap());
            (full.accumulation - half.accumulation) / 2048.0
        };
        let spec = MachineSpec::hardcaml();
        let now = each(&spec);
        assert!((20.0..23.0).contains(&now), "{now}");
        for (path, value) in [
            ("msm.fifo", "16"),
            ("msm.results", "8"),
            ("msm.write_behind", "16"),
            ("msm.bucket_banks", "2"),
            ("dram.bytes_per_cycle", "114"),
        ] {
            let then = each(&spec.with(path, value).unwrap());
            assert!(then >= 20.0 && then <= 1.01 * now, "{path} = {value}: {then} for {now}");
        }
    }
}
