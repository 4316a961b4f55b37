//! Properties of plans: regions are written once, read after they were written, and none goes beyond its file.

use pairwright_curve::{bls12_381::Bls12_381, bn254::Bn254};
use pairwright_scale::{FileOrigin, KeySizes, Manifest, Op, Plan, PlanFault, Sizes, WitnessRange, plan};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::Path;

/// Makes a plan with blocks and ranges of these sizes, for a key that does not exist.
pub fn made(sizes: KeySizes, blocks: usize, points: [usize; 2]) -> Plan {
    let manifest = Manifest::of_sizes(sizes, blocks);
    let size = manifest.sizes.wires as u64 * manifest.sizes.scalar_bytes + 76;
    let witness = WitnessRange { path: "w".into(), size, offset: 76, digests: Vec::new() };
    let [g1_points, g2_points] = points;
    let sizes = Sizes { blocks, g1_points, g2_points, cache: 1 << 20 };
    plan(&manifest, [Path::new("key"), Path::new("shards"), Path::new("work")], &witness, &sizes)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn plans_are_sound(
        log in 0u32..13,
        wires in 1usize..5000,
        public in 0usize..100,
        blocks in 1usize..9,
        points in [1usize..3000, 1usize..3000],
    ) {
        let public = public.min(wires - 1);
        let of_plan = made(KeySizes::new::<Bn254>(wires, public, log, 3 * wires), blocks, points);
        prop_assert_eq!(of_plan.check(), Ok(()));
        // Independently of `check`: the outputs of tasks cover each made file without gaps, exactly once.
        let mut written = BTreeMap::<&str, Vec<(u64, u64)>>::new();
        for region in of_plan.tasks.iter().flat_map(|task| &task.outputs) {
            written.entry(&region.file).or_default().push((region.offset, region.length));
        }
        for (name, file) in of_plan.files.iter().filter(|(_, file)| file.origin == FileOrigin::Made) {
            let regions = written.get_mut(name.as_str()).unwrap();
            regions.sort_unstable();
            let end = regions.iter().fold(0, |end, (offset, length)| {
                assert_eq!(end, *offset, "{name}");
                end + length
            });
            prop_assert_eq!(end, file.length, "{}", name);
        }
        // Every point of a section and every wire occurs in exactly one MSM.
        let wires_of_a: u64 = of_plan.tasks.iter()
            .filter(|task| task.op == (Op::Msm { part: pairwright_scale::Part::A }))
            .map(|task| task.inputs[1].length / 32).sum();
        prop_assert_eq!(wires_of_a, wires as u64);
        let json = serde_json::to_string(&of_plan).unwrap();
        let again: Plan = serde_json::from_str(&json).unwrap();
        prop_assert_eq!(again, of_plan);
    }

    #[test]
    fn memory_bounds_the_estimates(log in 10u32..27, memory in 100u64..4000, threads in 1usize..9) {
        let sizes = KeySizes::new::<Bls12_381>(1 << log, 5, log, 3 << log);
        let memory = memory << 20;
        match Sizes::for_memory(memory, &sizes, threads) {
            Ok(chosen) => {
                let plan = made(sizes, chosen.blocks, [chosen.g1_points, chosen.g2_points]);
                prop_assert!(plan.tasks.iter().all(|task| task.memory < memory));
                prop_assert!(plan.tasks.iter().all(|task| task.core_microseconds > 0));
            }
            // The smallest blocks are rows and columns.
            Err(why) => prop_assert!(log > 24 || memory < 300 << 20, "{}", why),
        }
    }
}

#[test]
fn faults_of_plans_are_named() {
    let sound = || made(KeySizes::new::<Bn254>(100, 3, 6, 300), 2, [40, 40]);
    let fault = |change: &dyn Fn(&mut Plan)| {
        let mut plan = sound();
        change(&mut plan);
        plan.check().unwrap_err()
    };
    let last = sound().tasks.len() - 1;
    assert!(matches!(fault(&|p| p.tasks[1].name = p.tasks[0].name.clone()), PlanFault::Name(_)));
    assert!(matches!(fault(&|p| p.tasks[0].inputs[0].file = "x".into()), PlanFault::NoFile { .. }));
    assert!(matches!(fault(&|p| p.tasks[last].outputs[0].offset = 1 << 20), PlanFault::Beyond { .. }));
    assert!(matches!(fault(&|p| p.tasks[last].outputs[0].offset = u64::MAX), PlanFault::Beyond { .. }));
    assert!(matches!(fault(&|p| p.tasks[last].outputs[0].offset -= 1), PlanFault::Written { .. }));
    assert!(matches!(fault(&|p| p.tasks[0].outputs[0].file = "key".into()), PlanFault::Written { .. }));
    assert!(matches!(fault(&|p| p.tasks.swap(0, 2)), PlanFault::Unwritten { .. }));
    assert_eq!(sound().check(), Ok(()));
}

#[test]
fn too_little_memory_is_said() {
    let sizes = KeySizes::new::<Bn254>(1 << 20, 1, 20, 3 << 20);
    let why = Sizes::for_memory(1 << 20, &sizes, 2).unwrap_err().to_string();
    assert!(why.contains("1048576 bytes of memory are too few"), "{why}");
    let least: u64 = why.split(": ").nth(1).unwrap().split(' ').next().unwrap().parse().unwrap();
    assert!(Sizes::for_memory(least, &sizes, 2).is_ok(), "{why}");
}
