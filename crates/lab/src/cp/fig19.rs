//! Figure 19: bucket reduction in segments, and the utilisation of the point adder.

use super::chip;
use crate::LabError;
use crate::experiment::{Context, Outcome};
use crate::row::{Kind, Labels};
use pairwright_chip::isa::Group;
use pairwright_chip::machine::msm::{Msm, Operand};
use pairwright_chip::spec::MsmSpec;
use pairwright_chip::task::Schedule;
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

const SEGMENTS: [&str; 6] = ["1", "2", "4", "8", "16", "32"];
const GROUPS: [(Group, &str); 2] = [(Group::G1, "G1"), (Group::G2, "G2")];

pub(super) fn run(context: &Context<'_>) -> Result<Outcome, LabError> {
    let mut outcome = Outcome::default();
    let sizes: Vec<u32> = chip::sizes(context, 14).collect();
    context.begin("cp/fig19", SEGMENTS.len() * 2 + 6 + 2 * sizes.len());
    for (group, of) in GROUPS {
        let mut one = None;
        for segments in SEGMENTS {
            context.step(&format!("{of}, {segments} segments"));
            let spec = chip::design(&[("msm.segments", segments)])?;
            let windows = f64::from(spec.msm.plan(group, 255).windows);
            let work =
                chip::msm(&spec, group, 12, Schedule::Hidden, context.seed)?.msm[group as usize].reduction;
            let (cycles, busy) = (work.cycles as f64, work.utilisation());
            let (first, idle) = *one.get_or_insert((cycles, busy));
            let used = spec.msm.segments(group);
            let operation = format!("{segments} segments");
            let note = format!("2^12 points, {used} segments, as many as the adder has places for");
            let mut say = |what, unit, value| {
                let place = Labels { quantity: what, operation: &operation, unit };
                outcome.model(&place, of, value, &note);
            };
            say("cycles of the reduction of a window", "cycles", cycles / windows);
            say("utilisation of the point adder in reductions", "%", 100.0 * busy);
            say("gain in utilisation over one chain", "x", busy / idle);
            say("gain in time over one chain", "x", first / cycles);
            if (group, segments) == (Group::G1, "2") {
                let note = "the merge of the two sums is serial: nine doublings and an addition";
                let key = "gain in utilisation of the point adder";
                outcome.answer(key, "bucket reduction in two segments", "G1", busy / idle, note);
                let note = "the design's parameter";
                let segments = outcome.answer("segments", "bucket reduction", "G1", f64::from(used), note);
                segments.kind = Some(Kind::Calibrated);
            }
        }
    }
    for (group, of) in GROUPS {
        for log2_n in &sizes {
            context.step(&format!("{of} MSM of 2^{log2_n}"));
            let account = chip::msm(&chip::design(&[])?, group, *log2_n, Schedule::Hidden, context.seed)?;
            let share = 100.0 * account.msm[group as usize].reduction.cycles as f64 / account.cycles as f64;
            let operation = format!("2^{log2_n}");
            let place =
                Labels { quantity: "share of reductions in an MSM", operation: &operation, unit: "%" };
            let note = format!("two segments; {} cycles in all", account.cycles);
            outcome.model(&place, of, share, &note).log2_n = Some(*log2_n);
        }
    }
    accumulation(context, &mut outcome)?;
    Ok(outcome)
}

/// Bucket accumulation with a new point in every cycle in which the engine accepts one, which shows the scheduler's
/// limit without memory.
fn accumulation(context: &Context<'_>, outcome: &mut Outcome) -> Result<(), LabError> {
    const POINTS: u32 = 1 << 15;
    for (group, of, operation) in
        [(Group::G1, "G1", "G1 bucket accumulation"), (Group::G2, "G2", "G2 bucket accumulation")]
    {
        for write_behind in [0, 4, 8] {
            context.step(&format!("{operation}, {write_behind} words before the write port"));
            let config = MsmSpec { write_behind, ..MsmSpec::paper() };
            let mut engine = Msm::<()>::new(&config, group)?;
            engine.begin(0, 1);
            let mut rng = ChaCha20Rng::seed_from_u64(context.seed);
            let mask = (1 << config.window(group)) - 1;
            let digits = (0..POINTS).map(|_| (rng.next_u32() & mask) as i32);
            let work = engine.accumulate(0, digits.map(|digit| Operand { lane: 0, digit, point: () }))?;
            let busy = 100.0 * work.utilisation();
            let series = format!("{write_behind} words before the write port");
            let note = match (group, write_behind) {
                (Group::G1, 0) => {
                    "two points for empty buckets want the one write port: near 100 % is not met without a buffer \
                     before it, of which the paper says nothing"
                }
                (Group::G1, _) => {
                    "with a buffer before the write port; what is left are digits of zero and their like"
                }
                (Group::G2, _) => "an addition every four cycles leaves the write port time",
            };
            outcome.answer("utilisation of the point adder", operation, &series, busy, note);
            let place =
                Labels { quantity: "cycles of bucket accumulation per point", operation: of, unit: "cycles" };
            let note = format!("{POINTS} random digits, presented as fast as they are taken");
            outcome.model(&place, &series, work.cycles as f64 / f64::from(POINTS), &note);
        }
    }
    Ok(())
}
