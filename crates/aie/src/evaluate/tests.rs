use super::*;
use crate::array::{execute, kernels};
use crate::carry::Carry;
use crate::digits::Digits;
use crate::method::Reduction;
use crate::padd::{mixed_operands, point_in};
use pairwright_curve::bls12_377::Fr;
use pairwright_curve::bls12_377::edwards::Point;

const METHOD: Method = Method::new(Reduction::Barrett, Carry::Mixed);

/// Pairs of points whose sums are ordinary and exceptional.
fn pairs() -> Vec<[Point; 2]> {
    let [p, q] = [377, 12_345].map(|n: u64| Point::generator().mul(&Fr::from(n)));
    vec![[p, q], [q, q], [p, -p], [p, Point::IDENTITY]]
}

/// Executes the instructions of all tiles, loops and straight-line code, on numbers: the items that one tile sends are
/// received by the next.
#[test]
fn scheduled_tiles_add_points() {
    let tile = Tile::first_generation();
    let right = |partition: &Partition, method: Method, kernels: &Kernels| {
        let operands = pairs().into_iter().map(|[p, q]| mixed_operands(method, &p, &q.to_triple().unwrap()));
        let tasks: Vec<Vec<Digits>> = operands.map(|operands| operands.to_vec()).collect();
        let results = execute(partition, kernels, &tasks).unwrap();
        for (([p, q], task), result) in pairs().into_iter().zip(&tasks).zip(results) {
            assert_eq!(result, partition.whole.run(task).unwrap());
            assert_eq!(
                point_in(method.layout(), &result.try_into().unwrap()),
                Some(p + q),
                "{}",
                partition.mapping.name()
            );
        }
    };
    for mapping in [Mapping::Coarse, Mapping::Independent, Mapping::Cooperative] {
        let partition = Partition::new(mapping, METHOD);
        for reads in [Reads::Needed, Reads::First] {
            right(&partition, METHOD, &straight_kernels(&partition, &tile, reads).unwrap());
        }
        if mapping == Mapping::Cooperative {
            let loops = kernels(&partition, &tile).unwrap();
            right(&partition, METHOD, &loops);
            // Kernels assigned to other tiles give other numbers, or wait for items that do not arrive.
            let mut swapped = loops.clone();
            let last = swapped.len() - 1;
            let first = core::mem::take(&mut swapped[0].0);
            swapped[0].0 = core::mem::replace(&mut swapped[last].0, first);
            let task = mixed_operands(METHOD, &pairs()[0][0], &pairs()[0][1].to_triple().unwrap()).to_vec();
            let whole = partition.whole.run(&task).unwrap();
            assert_ne!(execute(&partition, &swapped, &[task]), Ok(vec![whole]));
        }
    }
    let balanced = Method::new(Reduction::Montgomery, Carry::Balanced);
    let partition = Partition::new(Mapping::Independent, balanced);
    right(&partition, balanced, &straight_kernels(&partition, &tile, Reads::Needed).unwrap());
}

/// \[AIE\] IV.C.2: tiles that wait for each other finish later, most of all if all reads precede their computation.
#[test]
fn latency_is_of_kernels_for_one_task() {
    let printed = [(Mapping::Coarse, 1097), (Mapping::Independent, 795), (Mapping::Cooperative, 1211)];
    let latencies = printed.map(|(mapping, printed)| {
        let partition = Partition::new(mapping, METHOD);
        let cycles = [Reads::Needed, Reads::First].map(|reads| {
            let design = Design { reads, ..Design::new(mapping, METHOD) };
            once(&partition, &design).unwrap().1.end()
        });
        println!("{}: printed {printed}, ours {cycles:?}", mapping.name());
        cycles
    });
    let [coarse, independent, cooperative] = latencies;
    // The order is the printed one if kernels read first, as the paper's compiler does.
    assert!(independent[0] < coarse[0].min(cooperative[0]) && coarse[1] < cooperative[1]);
    assert!(latencies.iter().all(|[needed, first]| needed <= first));
    // The only mapping in which tiles read sums of their neighbours loses most by reading first.
    let lost = |[needed, first]: [u64; 2]| first - needed;
    assert!(lost(cooperative) > 2 * lost(independent).max(lost(coarse)));
}

#[test]
fn a_design_has_all_its_figures() {
    let design = Design::new(Mapping::Coarse, METHOD);
    let e = evaluate(&design).unwrap();
    println!("{e:#?}");
    assert_eq!((e.tiles, e.columns, e.units, e.printed_units, e.macs), (28, 4, 12, 12, 960));
    assert!((e.throughput_per_cycle * e.maximum_instructions as f64 - 12.0).abs() < 1e-9);
    assert!(e.sustained_per_cycle.unwrap() <= 1.01 * e.throughput_per_cycle);
    assert!(e.latency_cycles < e.loop_latency_cycles && e.stalls_of_one.empty > 0);
    let bytes = Tile::first_generation().program_bytes as u64;
    assert!(e.program_bytes <= bytes && e.straight_program_bytes <= e.program_bytes);
    let single = evaluate(&Design::new(Mapping::Single, METHOD)).unwrap();
    assert_eq!(single.latency_cycles, single.instructions + u64::from(design.tile.call_cycles));
    assert!(
        single.throughput_per_cycle > e.throughput_per_cycle && single.latency_cycles > 2 * e.latency_cycles
    );
    let complete =
        evaluate(&Design { form: Form::Complete, ..Design::new(Mapping::Single, METHOD) }).unwrap();
    assert_eq!((complete.macs, complete.instructions > single.instructions + 300), (1080, true));
    // The trace has a track for each tile with its name and order, the stalls, and the work between them.
    let trace = timeline(&design, 1).unwrap();
    assert!(trace.len() > 3 * 28);
    assert!(timeline(&design, MOST_TASKS + 1).is_err());
}

#[test]
fn designs_are_read_written_and_checked() {
    let design = Design::new(Mapping::Cooperative, METHOD);
    assert_eq!(design.check(), Ok(()));
    let text = toml::to_string(&design).unwrap();
    assert_eq!(toml::from_str::<Design>(&text).unwrap(), design);
    assert!(toml::from_str::<Design>(&format!("unknown = 1\n{text}")).is_err());
    let fabric = Fabric::VC1902;
    let wrong = [
        Fabric { columns: 0, ..fabric },
        Fabric { rows: usize::MAX, ..fabric },
        Fabric { north: 0, ..fabric },
        Fabric { other: 0, ..fabric },
        Fabric { core_ports: 0, ..fabric },
        Fabric { switch: usize::MAX, ..fabric },
        Fabric { fifo_words: 0, ..fabric },
        Fabric { port_words: 3, ..fabric },
        Fabric { cascade_beats: 0, ..fabric },
    ];
    for fabric in wrong {
        let refused = evaluate(&Design { fabric, ..design.clone() });
        assert!(matches!(refused, Err(AieError::Fabric { .. })), "{refused:?}");
    }
    let small = Design { fabric: Fabric { columns: 7, ..fabric }, ..design.clone() };
    assert!(matches!(evaluate(&small), Err(AieError::NoRoom { needs: 8, columns: 7, .. })));
    let with = |change: &dyn Fn(&mut Tile)| {
        let mut design = design.clone();
        change(&mut design.tile);
        evaluate(&design)
    };
    let refused = [
        with(&|t| t.machine.classes.retain(|c| c.name != "srs")),
        with(&|t| t.machine.files.retain(|f| f.name != "scalar")),
        with(&|t| t.machine.files[0].size = u32::MAX),
        with(&|t| t.machine.slots[0].count = 0),
        with(&|t| t.machine.slots[0].count = u32::MAX),
        with(&|t| t.machine.classes[0].latency = u32::MAX),
        with(&|t| t.instruction_bytes = usize::MAX),
        with(&|t| t.data_bytes = 0),
        with(&|t| t.machine.files[0].size = 1),
    ];
    for (n, refused) in refused.into_iter().enumerate() {
        assert!(matches!(refused, Err(AieError::Tile(_))), "{n}: {refused:?}");
    }
}
