use super::*;
use crate::power::{Area, Basis, ChipActivity, ChipArea, ChipPart, Engine, PairingPart};

fn libraries_with(spec: &MachineSpec) -> Vec<[Vec<Part>; 2]> {
    let shape = ChipShape::of(spec);
    let both = |library| Some([pairing(library, spec)?, core(library, spec, &shape)?]);
    LIBRARIES.iter().filter_map(both).collect()
}

fn paper_with(changes: &[(&str, &str)]) -> MachineSpec {
    changes.iter().fold(MachineSpec::paper(), |spec, (path, value)| spec.with(path, value).unwrap())
}

#[test]
fn nothing_printed_is_among_the_parts() {
    // With gates, flip-flops and memories of size zero nothing is left: no area of the paper enters.
    let nothing = Layout { gate_um2: 0.0, memory: 0.0, ..Layout::ENDS[1] };
    let all = libraries_with(&MachineSpec::paper());
    assert_eq!(all.len(), LIBRARIES.len());
    for part in all.iter().flatten().flatten() {
        assert_eq!(part.mm2_28(&nothing), 0.0);
        assert!(part.logic.gates >= 0.0 && part.memory_mm2 >= 0.0, "{part:?}");
    }
}

#[test]
fn sums_are_those_of_their_parts_by_hand() {
    let library = &LIBRARIES[0];
    let spec = MachineSpec::paper();
    let near = |ours: f64, want: f64| assert!((ours / want - 1.0).abs() < 1e-3, "{ours} {want}");
    let rho = 0.55e-6 / 0.72;
    near(element(library, &spec).unwrap().mm2_28(&Layout::ENDS[1]), (1_022_427.7 + 13_015.0) * rho);
    let [pairing, core] = libraries_with(&spec).swap_remove(0);
    let cells = |parts: &[Part]| parts.iter().map(|part| part.logic.gates).sum::<f64>();
    // Multipliers with what is in Fp2, two adders, control; 8 multiplexers and 3 registers of a row each for operands, and the
    // inverter's two registers.
    let operands = 2.0 * 768.0 * 8.0 * 2.33 + 3.0 * 768.0 * 5.67;
    let inverter = 2.0 * 384.0 * 5.67 + 384.0 * 2.33 + 1000.0;
    near(cells(&pairing), 4_115_735.1 + 2.0 * 13_015.0 + 17_604.0 + operands + inverter);
    let logic = [ChipPart::Operands, ChipPart::PointQueues, ChipPart::Transfers, ChipPart::Controllers];
    let law = ChipArea::of(&spec, &ChipShape::published());
    let by_gates = logic.iter().map(|part| law.mm2(*part)).sum::<f64>() / rho;
    let around = 26_016.0 + 26_030.0 + 17_604.0 + operands + inverter;
    let butterflies = 2.0 * (2_368_028.9 - 4.0 * 490_121.0);
    near(cells(&core), 12_641_533.7 + butterflies + around + by_gates);
    // Memories: 41 KiB of banks A and B and so on, by the law alone.
    let memory: f64 = core.iter().map(|part| part.memory_mm2).sum();
    assert!((0.8..1.2).contains(&memory), "{memory}");
    let banks = Area::of(&spec).mm2(PairingPart::Banks);
    assert!(pairing.last().unwrap().memory_mm2 > banks);
}

#[test]
fn other_designs_have_other_areas() {
    let core_mm2 = |spec: &MachineSpec| {
        let parts = &libraries_with(spec)[0][1];
        parts.iter().map(|part| part.mm2_28(&Layout::ENDS[1])).sum::<f64>()
    };
    let paper = core_mm2(&MachineSpec::paper());
    for more in [("msm.elements", "13"), ("mm.latency", "26"), ("msm.bucket_words", "2048")] {
        let mm2 = core_mm2(&paper_with(&[more]));
        assert!(mm2 > paper, "{more:?}: {mm2} {paper}");
    }
    for less in [("poly.groups", "1"), ("msm.write_behind", "0")] {
        let mm2 = core_mm2(&paper_with(&[less]));
        assert!(mm2 <= paper, "{less:?}: {mm2} {paper}");
    }
    // The parts of any design are not negative, and a part of another depth is marked as estimated by a law.
    for spec in [MachineSpec::best(), paper_with(&[("mm.latency", "26")])] {
        let all = libraries_with(&spec);
        assert!(all.iter().flatten().flatten().all(|part| part.mm2_28(&Layout::ENDS[0]) >= 0.0));
    }
    let basis = |spec: &MachineSpec| libraries_with(spec)[0][1][0].basis;
    assert_eq!(basis(&MachineSpec::paper()), Basis::Counted);
    assert_eq!(basis(&paper_with(&[("mm.latency", "26")])), Basis::Estimated);
}

#[test]
fn a_workload_costs_its_parts_and_more_with_every_knob() {
    let spec = MachineSpec::paper();
    let work = Work::of_pairing(&spec, &Activity::PUBLISHED);
    let all: Vec<Prices> = LIBRARIES.iter().filter_map(Prices::of).collect();
    for prices in &all {
        let [least, middle, most] = Knobs::ENDS.map(|knobs| prices.joules(&work, [0.7, 300e6], &knobs));
        assert!(least.sum() < middle.sum() && middle.sum() < most.sum());
        assert!(middle.stray == 0.0 && most.stray > most.products && middle.leakage > least.leakage);
        // Operands of a sum may toggle all four multipliers: as often as there are sums, relative to the products.
        let ratio = most.stray / most.products;
        assert!((ratio - (4.0 * 25_077.0) / (4.0 * 5_644.0 + 760.0)).abs() < 1e-9);
        // The adders of the unit for Fp2 toggle with its own operations and those of the multiplier; two more combine a
        // product.
        let [sum, product] =
            ["add_sub_381", "mm_381"].map(|block| prices.at(block, 0.7, &Knobs::ENDS[1].toggles).data_fj);
        let counts = f64::from(2 * 25_077 + 4 * 5_644) / f64::from(4 * 5_644 + 760);
        assert!((middle.sums / middle.products - counts * sum / product).abs() < 1e-9);
        // The elements take all of the energy but sums, memories and control.
        let rest = middle.sums + middle.memories + middle.control;
        assert!(middle.elements > middle.sum() - 2.0 * rest && middle.elements < middle.sum());
        // Without leakage and time, energy grows with the square of the supply voltage.
        let fast = prices.joules(&work, [1.4, 300e6], &Knobs::ENDS[1]);
        assert!((fast.products / middle.products - 4.0).abs() < 1e-9);
    }
    assert_eq!(all.len(), LIBRARIES.len());
}

#[test]
fn a_run_costs_more_in_a_deeper_multiplier_and_by_what_it_does() {
    let prices = Prices::of(&LIBRARIES[0]).unwrap();
    let joules = |spec: &MachineSpec, activity: &ChipActivity| {
        let work = Work::of_engine(spec, &ChipShape::of(spec), activity);
        prices.joules(&work, [0.7, 300e6], &Knobs::ENDS[1])
    };
    let (spec, msm) = (MachineSpec::paper(), ChipActivity::PUBLISHED_MSM);
    let paper = joules(&spec, &msm);
    let deep = joules(&paper_with(&[("mm.latency", "26")]), &msm);
    assert!(deep.clock > paper.clock && deep.leakage > paper.leakage && deep.products == paper.products);
    // The same number of point additions has more sums in G2.
    let g2 = joules(&spec, &ChipActivity { padds_g2: msm.padds, ..msm });
    assert!((g2.sums / paper.sums - 78.0 / 27.0).abs() < 1e-9);
    // Transfers alone cost control and its leakage.
    let idle = joules(&spec, &ChipActivity { cycles: 1000, ..ChipActivity::idle(Engine::Transfer) });
    assert!((idle.control + idle.leakage) / idle.sum() > 0.999_999 && idle.sum() > 0.0);
}

#[test]
fn an_estimate_of_a_pairing_has_a_range_in_each_library() {
    let estimates = of_pairing(&MachineSpec::paper(), &Activity::PUBLISHED);
    assert_eq!(estimates.len(), LIBRARIES.len());
    for estimate in estimates {
        for range in [estimate.area_mm2, estimate.energy_j, estimate.power_w] {
            assert!(0.0 < range.least && range.least < range.likely && range.likely < range.most);
        }
    }
}
