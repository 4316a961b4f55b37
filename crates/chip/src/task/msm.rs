//! MSMs of any length: points and scalars are streamed from DRAM window by window (\[CP\] §IV.C).

use super::{Build, Schedule, Walk};
use crate::MachineSpec;
use crate::isa::{Group, L1, Memory};
use crate::machine::layout::{point_words, points_of_a_set, result_words};
use pairwright_field::PrimeField;
use pairwright_sim::Access;

/// Words that the points of an MSM take in DRAM: each point with its multiples (`msm.multiples`).
pub fn bases_words(spec: &MachineSpec, (group, scalar_bits): (Group, u32), entries: u64) -> u64 {
    entries * u64::from(spec.msm.plan(group, scalar_bits).levels) * point_words(group)
}

/// Appends `Σ scalars[i]·points[i]` to a task. The regions `points` and `scalars` have `entries` entries, each point
/// followed by its multiples; the result goes to region `output` as a projective point. Every window reads all points again,
/// unless several windows share a reading (`msm.windows_per_fetch`); both halves of a scalar share one too (`msm.glv`). A
/// scalar is read once for all multiples of its point.
pub fn append<F: PrimeField>(
    build: &mut Build<F>,
    spec: &MachineSpec,
    (group, scalar_bits): (Group, u32),
    entries: u64,
    schedule: Schedule,
    [points, scalars, output]: [usize; 3],
) {
    let plan = spec.msm.plan(group, scalar_bits);
    let rounds = plan.windows.div_ceil(spec.msm.windows_per_fetch.max(1));
    let point_words = point_words(group) as u32;
    let multiples = u64::from(plan.levels);
    let bases = Walk { cyclic: true, ..Walk::linear(Access::Read, point_words, entries * multiples) };
    let from = build.stream(points, bases);
    let digits = build.stream(scalars, Walk { cyclic: true, ..Walk::linear(Access::Read, 1, entries) });
    let to = build.stream(output, Walk::linear(Access::Write, result_words(group) as u32, 1));
    build.task.plans.push((group, plan));
    build.times(u64::from(rounds), |build| {
        build.pieces(entries, points_of_a_set(group) / multiples, schedule, |text, length, src| {
            let points = length * plan.levels as u16;
            text.push(L1::Load { memory: Memory::Points, length: points, src, stream: from });
            text.push(L1::Load { memory: Memory::Scalars, length, src, stream: digits });
            text.push(L1::MsmOp1 { length, src, group });
        });
        build.text.push(L1::MsmInitP2);
    });
    build.text.push(L1::MsmInitP3);
    build.text.push(L1::Store { memory: Memory::Global, length: 1, src: 0, stream: to });
}
